// What the rows of the waveform are: signals, then the parts of the formula as a tree that folds. Names and values at the
// cursor are elements, and only for the rows in sight.

// The rows of some signals and of all lanes from top to bottom, each with its place; `folded` holds the lanes whose parts are hidden.
const layRows = (signals, lanes, folded) => {
  const rows = [];
  let top = 0;
  const add = (row, height) => {
    rows.push({ ...row, top, height });
    top += height;
  };
  for (const signal of signals) add({ key: `s${signal}`, signal }, SIGNAL_ROW);
  if (lanes.length) add({ key: "heading", heading: "Parts of the property: where each is false" }, HEADING_ROW);
  const children = lanes.map(() => []);
  const roots = [];
  lanes.forEach((lane, i) => (lane.parent === null ? roots : children[lane.parent]).push(i));
  const waiting = roots.reverse().map((lane) => [lane, 0]);
  while (waiting.length) {
    const [lane, depth] = waiting.pop();
    add({ key: `l${lane}`, lane, depth, parts: children[lane].length }, LANE_ROW);
    if (!folded.has(lane)) waiting.push(...children[lane].slice().reverse().map((child) => [child, depth + 1]));
  }
  return { rows, height: top };
};

// The first row that ends below `y`.
const rowIndexAt = (rows, y) => {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle].top + rows[middle].height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
};

const splitName = (name) => {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? ["", name] : [name.slice(0, dot + 1), name.slice(dot + 1)];
};

const signalElement = (signal) => {
  const [scope, base] = splitName(signal.name);
  const name = element("span", { class: "name", title: signal.name + (signal.range ?? "") });
  if (scope) name.append(element("span", { class: "scope" }, scope));
  name.append(element("span", { class: "base" }, base));
  if (signal.range) name.append(element("span", { class: "range" }, signal.range));
  return element("div", { class: "row signal" }, name, element("span", { class: "value" }));
};

const laneElement = (row, text) => {
  const made = element("div", { class: "row lane", title: text });
  made.style.paddingLeft = `${4 + Math.min(row.depth, 8) * 13}px`;
  if (row.parts) made.append(element("button", { type: "button", class: "fold", "aria-expanded": "true" }));
  else made.append(element("span", { class: "leaf" }));
  made.append(element("code", {}, text), element("span", { class: "value" }));
  return made;
};

const rowElement = (report, formula, row) => {
  if (row.heading) return element("div", { class: "row heading" }, row.heading);
  if (row.signal !== undefined) return signalElement(report.signals[row.signal]);
  return laneElement(row, formula.lanes[row.lane].text);
};
