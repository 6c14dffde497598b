// The list of steps: of a hundred thousand rows only those in sight are elements.

const STEP = 24;
const list = byId("steps"), room = byId("steps-room");

const stepper = { model: null, sequence: null, shown: [], at: -1, made: new Map() };

const rowCount = () => (stepper.sequence ? stepper.sequence.length : stepper.model?.count ?? 0);
const rowAt = (row) => (stepper.sequence ? stepper.sequence[row] : rowOf(stepper.model, row));
const hasPassing = () => !stepper.sequence && stepper.model?.runs[1].length > 0;
const currentStep = () => (stepper.at < 0 ? -1 : stepper.shown[stepper.at]);

// Shows some rows, in order, and goes to the one that is nearest to a row of before.
const showRows = (rows, wanted) => {
  stepper.shown = rows;
  for (const made of stepper.made.values()) made.remove();
  stepper.made.clear();
  room.style.height = `${rows.length * STEP}px`;
  stepper.at = rows.length ? Math.min(rows.length - 1, firstFrom(rows, wanted)) : -1;
};

// The first place in a sorted list whose entry is at least some number.
const firstFrom = (sorted, number) => {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
};

// What a run did. A name that the statement begins with is not repeated; any other gives way to its value.
const cellElement = (told, side, text) => {
  if (told === null) return element("span", { class: "told none" }, "not executed");
  const at = told.indexOf(" = ");
  if (at < 0) return element("span", { class: `told ${side}`, title: told }, told);
  const name = told.slice(0, at), value = told.slice(at + 3);
  const begins = text.startsWith(name) && !/^[\w.[]|^->/.test(text.slice(name.length));
  const parts = begins ? [value] : [element("span", { class: "of" }, name), element("span", { class: "is" }, ` = ${value}`)];
  return element("span", { class: `told ${side}`, title: told }, ...parts);
};

// What is initialised before the start is in none.
const inFunction = ({ name }) => (name ? ` in ${name}` : "");

const stepElement = (place) => {
  const row = rowAt(stepper.shown[place]);
  const made = element("div", { class: "step", role: "option", id: `step-${place}`, "data-place": place });
  made.style.top = `${place * STEP}px`;
  if (row.differs) made.classList.add("differs");
  if (row.matters) made.classList.add("matters");
  if (row.kind === CLAIM && (row.told[0] === "violated" || row.told[0] === "reached")) made.classList.add("claim");
  if (row.nest) made.classList.add("nest");
  if (row.role === 1) made.classList.add("apart");
  const what = element("span", { class: "what", title: row.text + inFunction(row) }, row.text);
  what.style.paddingLeft = `${Math.min(Math.max(row.depth - 1, 0), 9) * 9}px`;
  const number = lineRow(row.file, row.line)?.cells[3].textContent ?? "";
  made.append(element("span", { class: "no" }, number), what, cellElement(row.told[0], "bad", row.text));
  if (hasPassing()) made.append(cellElement(row.told[1], "good", row.text));
  return made;
};

const paintSteps = () => {
  const first = Math.max(0, Math.floor(list.scrollTop / STEP) - 8);
  const last = Math.min(stepper.shown.length, Math.ceil((list.scrollTop + list.clientHeight) / STEP) + 8);
  for (const [place, made] of stepper.made) {
    if (place >= first && place < last) continue;
    made.remove();
    stepper.made.delete(place);
  }
  for (let place = first; place < last; place++) {
    let made = stepper.made.get(place);
    if (!made) {
      made = stepElement(place);
      stepper.made.set(place, made);
      room.append(made);
    }
    made.classList.toggle("current", place === stepper.at);
    made.setAttribute("aria-selected", place === stepper.at);
  }
  if (stepper.at >= 0) list.setAttribute("aria-activedescendant", `step-${stepper.at}`);
  else list.removeAttribute("aria-activedescendant");
};

const revealStep = () => {
  const top = stepper.at * STEP, height = list.clientHeight;
  if (stepper.at < 0) return;
  if (top < list.scrollTop + STEP || top > list.scrollTop + height - 2 * STEP) list.scrollTop = Math.max(0, top - height / 2 + STEP);
};

const valueCell = (value, side) => element("td", value === null ? { class: "none" } : { class: side }, value ?? "—");

const paintVariables = () => {
  const box = byId("variables"), row = currentStep();
  if (row < 0 || stepper.sequence) return box.replaceChildren();
  const all = variablesOf(stepper.model, row);
  const table = element("table", {}, element("caption", {}, "Variables in ", element("code", {}, rowAt(row).name)));
  for (const { name, failing, passing, differs, now } of all) {
    const made = element("tr", { class: `${differs ? "x" : ""} ${now ? "now" : ""}` }, element("th", { scope: "row" }, name), valueCell(failing, "bad"));
    if (hasPassing()) made.append(valueCell(passing, "good"));
    table.append(made);
  }
  box.replaceChildren(table);
};

const sayStep = () => {
  const row = currentStep();
  const total = stepper.shown.length.toLocaleString("en");
  byId("where").textContent = row < 0 ? "no steps at this level" : `${(stepper.at + 1).toLocaleString("en")} of ${total}`;
  if (row < 0) return;
  const { text, name, told } = rowAt(row);
  const sides = hasPassing() ? [`failing ${told[0] ?? "not executed"}`, `passing ${told[1] ?? "not executed"}`] : [told[0]];
  byId("said").textContent = `${text}${inFunction({ name })}: ${sides.join(", ")}`;
};

// The heading of the columns.
const paintStepsHead = () => {
  const titles = stepper.sequence ? [["bad", "outcome"]] : hasPassing() ? [["bad", "failing"], ["good", "passing"]] : [["bad", "failing"]];
  byId("steps-head").replaceChildren(element("span", { class: "no" }, "line"), element("span", { class: "what" }, "statement"),
    ...titles.map(([side, title]) => element("span", { class: `told ${side}` }, title)));
  list.classList.toggle("two", hasPassing());
  byId("steps-head").classList.toggle("two", hasPassing());
};
