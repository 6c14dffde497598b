// The page: what is chosen, what was typed, pointed at or touched, and one picture of it per frame.

const report = JSON.parse(byId("report").textContent);
const track = trackStore(report.cycles);
const timeAt = clock(report.times);
const view = newView(report.cycles);
const canvas = byId("wave"), overview = byId("overview"), scroller = byId("scroller"), list = byId("list"), tip = byId("tip");

const state = {
  formula: 0, failure: 0, cursor: 0, cause: -1, row: -1, folded: report.formulas.map(() => new Set()),
  rows: [], height: 0, dots: new Map(), causeOrder: [], causeCycles: [], framed: false, pinned: false, hex: false, only: false,
};
let colours = readColours();

const formula = () => report.formulas[state.formula] ?? { signals: [], lanes: [], failures: [], formula: "" };
const failure = () => formula().failures[state.failure] ?? null;
const signalTrack = (i) => track(`s${i}`, report.signals[i].values, report.signals[i].kind === "bit");
const laneTrack = (i, what) => track(`${what}${state.formula}.${i}`, formula().lanes[i][what], true);
// A value as it is to be shown: numbers of bits perhaps in hexadecimal.
const written = (signal, text) => (state.hex && report.signals[signal].width ? hexadecimal(text, report.signals[signal].width) : text);
const bodyHeight = () => scroller.clientHeight - RULER;
const rowTop = (row) => RULER + row.top - scroller.scrollTop;

// ---- what is chosen ----

// Per signal the cycles with a dot, in order, each with its causes.
const gatherDots = () => {
  const dots = new Map();
  const causes = failure()?.causes ?? [];
  causes.forEach((cause, which) => {
    for (const [signal, cycle] of cause.dots) {
      if (!dots.has(signal)) dots.set(signal, new Map());
      const cycles = dots.get(signal);
      if (!cycles.has(cycle)) cycles.set(cycle, []);
      cycles.get(cycle).push(which);
    }
  });
  state.dots = new Map();
  for (const [signal, cycles] of dots) {
    const sorted = [...cycles].sort((a, b) => a[0] - b[0]);
    state.dots.set(signal, sorted.map(([cycle, which]) => ({ cycle, which, full: which.some((i) => causes[i].exact && causes[i].direct) })));
  }
  state.causeOrder = causes.map((_, i) => i).sort((a, b) => causes[a].time - causes[b].time || a - b);
  state.causeCycles = [...new Set(causes.flatMap((cause) => cause.dots.map((dot) => dot[1])))].sort((a, b) => a - b);
};

// The signals that have a row: all that the formula names, or only those with a dot.
const shownSignals = () => {
  const all = formula().signals.length ? formula().signals : report.signals.map((_, i) => i);
  return state.only && state.dots.size ? all.filter((signal) => state.dots.has(signal)) : all;
};

const layOut = () => {
  const laid = layRows(shownSignals(), formula().lanes, state.folded[state.formula] ?? new Set());
  state.rows = laid.rows;
  state.height = laid.height;
    const room = Math.max(150, Math.min(RULER + laid.height + 2, Math.round(innerHeight * 0.74)));
  scroller.style.height = `${room}px`;
  byId("stage").style.height = `${room}px`;
  byId("spacer").style.height = `${Math.max(0, RULER + laid.height - room)}px`;
  list.replaceChildren();
  shown.clear();
};

const chosenOnly = (selector, isChosen) => {
  for (const part of document.querySelectorAll(selector)) part.hidden = !isChosen(part.dataset);
};

const choose = (which, fails) => {
  state.formula = which;
  state.failure = fails;
  state.cause = state.row = -1;
  const isFormula = (data) => Number(data.formula) === which;
  chosenOnly("section.verdict", isFormula);
  chosenOnly("section.causes", (data) => isFormula(data) && Number(data.failure) === fails);
  for (const link of document.querySelectorAll(".contents a")) link.setAttribute("aria-current", isFormula(link.dataset));
  for (const button of document.querySelectorAll(".failures button")) {
    button.setAttribute("aria-pressed", isFormula(button.dataset) && Number(button.dataset.failure) === fails);
  }
  gatherDots();
  layOut();
  scroller.scrollTop = 0;
  state.cursor = failure()?.at ?? 0;
  byId("key-maybe").hidden = !(failure()?.causes ?? []).some((cause) => !cause.exact);
  byId("key-indirect").hidden = !(failure()?.causes ?? []).some((cause) => cause.exact && !cause.direct);
  byId("key-loop").hidden = report.loop === null;
  for (const button of document.querySelectorAll("[data-do=next], [data-do=previous], [data-do=only]")) button.disabled = !state.causeOrder.length;
  document.querySelector("[data-do=failure]").disabled = !failure();
  state.framed = false;
  hideTip();
  repaint();
};

// ---- the picture ----

let asked = false;
const repaint = () => {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    paint();
  });
};

const visibleRows = () => {
  const first = rowIndexAt(state.rows, scroller.scrollTop);
  const last = rowIndexAt(state.rows, scroller.scrollTop + bodyHeight() - 0.01);
  return state.rows.slice(first, last + 1);
};

const paint = () => {
  view.width = Math.max(1, canvas.clientWidth);
  settle(view);
  if (!state.framed) {
    const fails = failure(), cycles = state.causeCycles;
    if (fails) frame(view, Math.min(cycles[0] ?? fails.at, fails.at), Math.max(cycles.at(-1) ?? fails.at, fails.at));
    else fit(view);
    state.framed = true;
  }
  const pen = prepare(canvas);
  const bottom = canvas.clientHeight;
  const fails = failure();
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, view.width, bottom);
  if (report.cycles) {
    pen.save();
    pen.beginPath();
    pen.rect(0, RULER, view.width, bottom - RULER);
    pen.clip();
    drawGrid(pen, colours, view, bottom);
    if (report.loop !== null) drawLoop(pen, colours, view, report.loop, bottom);
    if (fails) {
      pen.fillStyle = colours["cause-tint"];
      pen.fillRect(xOf(view, fails.at), RULER, Math.max(2, view.scale), bottom);
    }
    drawCursor(pen, bottom);
    for (const row of visibleRows()) paintRow(pen, row);
    for (const dot of dotsInView()) drawDot(pen, colours, dot.x, dot.y, dot.full);
    pen.restore();
  }
  paintRuler(pen, fails, bottom);
  const strip = prepare(overview);
  const scene = { overviewWidth: overview.clientWidth, loop: report.loop, failure: fails, causeCycles: state.causeCycles };
  drawOverview(strip, colours, view, overview.clientHeight, scene);
  paintNames();
  const shownTo = Math.min(report.cycles, Math.ceil(cycleOf(view, view.width))) - 1;
  const said = `cycles ${Math.floor(view.from).toLocaleString("en")}–${shownTo.toLocaleString("en")} of ${report.cycles.toLocaleString("en")}`;
  byId("window").textContent = report.cycles ? said : "no cycles";
};

const paintRow = (pen, row) => {
  const top = rowTop(row);
  if (state.rows[state.row] === row) {
    pen.fillStyle = colours.faint;
    pen.globalAlpha = 0.6;
    pen.fillRect(0, top, view.width, row.height);
    pen.globalAlpha = 1;
  }
  if (row.heading) {
    pen.fillStyle = colours.sheet;
    pen.fillRect(0, top, view.width, row.height);
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const y of [top + 0.5, top + row.height - 0.5]) {
      pen.moveTo(0, crisp(y - 0.5));
      pen.lineTo(view.width, crisp(y - 0.5));
    }
    pen.stroke();
  } else if (row.signal !== undefined) {
    const isBit = report.signals[row.signal].kind === "bit";
    (isBit ? drawBits : drawBus)(pen, colours, view, signalTrack(row.signal), top, (text) => written(row.signal, text));
  } else {
    drawLane(pen, view, laneTrack(row.lane, "fails"), top, colours["lane-false"]);
    if (state.failure === 0 && failure()) drawLane(pen, view, laneTrack(row.lane, "matters"), top, colours["lane-matters"]);
  }
};

const drawCursor = (pen, bottom) => {
  const x = xOf(view, state.cursor + 0.5);
  pen.strokeStyle = colours.cursor;
  pen.lineWidth = 1;
  pen.setLineDash([2, 3]);
  vertical(pen, x - 0.5, RULER, bottom);
  pen.setLineDash([]);
};

const paintRuler = (pen, fails, bottom) => {
  drawRuler(pen, colours, view);
  if (!report.cycles) return;
  const taken = [];
  if (report.loop !== null) {
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, view.width, RULER);
    pen.clip();
    drawLoop(pen, colours, view, report.loop, Math.min(RULER, bottom));
    pen.restore();
  }
  if (fails) drawFlag(pen, colours, view, xOf(view, fails.at + 0.5), `fails at ${fails.at}`, colours.cause, taken);
  if (fails && fails.start > 0 && fails.start !== fails.at) {
    drawFlag(pen, colours, view, xOf(view, fails.start + 0.5), `obliged from ${fails.start}`, colours.soft, taken);
  }
  if (report.loop !== null) {
    const middle = (xOf(view, report.loop) + xOf(view, report.cycles)) / 2;
    drawFlag(pen, colours, view, middle, `loops to cycle ${report.loop}`, colours["loop-ink"], taken);
    // The paper marks the start of a loop as a cause where only repeating it makes the formula false.
    if (fails?.loop !== null && fails) drawDot(pen, colours, xOf(view, fails.loop), 25.5, true);
  }
  if (state.cursor !== fails?.at && !(fails?.start > 0 && state.cursor === fails.start)) {
    drawFlag(pen, colours, view, xOf(view, state.cursor + 0.5), String(state.cursor), colours.cursor, taken);
  }
};

// The dots in sight, at most one where they would lie on each other.
const dotsInView = () => {
  const found = [];
  const first = cycleOf(view, -DOT) - 1, last = cycleOf(view, view.width + DOT);
  for (const row of visibleRows()) {
    const dots = row.signal === undefined ? undefined : state.dots.get(row.signal);
    if (!dots) continue;
    const values = signalTrack(row.signal);
    const { high, middle, low } = levels(rowTop(row));
    const isBit = report.signals[row.signal].kind === "bit";
    let low_ = 0, high_ = dots.length;
    while (low_ < high_) {
      const half = (low_ + high_) >> 1;
      if (dots[half].cycle < first) low_ = half + 1;
      else high_ = half;
    }
    let before = -Infinity;
    for (let i = low_; i < dots.length && dots[i].cycle <= last; i++) {
      const dot = dots[i], x = xOf(view, dot.cycle + 0.5);
      if (x - before < 2) continue;
      before = x;
      const change = changeAt(values, dot.cycle);
      // On the line of the wave; for a bus on its upper rail, beside its text.
      const y = crisp(isBit ? [low, high, middle, middle][values.state[change]] : values.doubt(change) === "z" ? middle : high);
      found.push({ signal: row.signal, cycle: dot.cycle, x, y, full: dot.full, which: dot.which });
    }
  }
  return found;
};

// ---- names and values at the cursor ----

const shown = new Map();

const paintNames = () => {
  const rows = visibleRows();
  const wanted = new Set(rows.map((row) => row.key));
  for (const [key, made] of shown) {
    if (!wanted.has(key) && !made.contains(document.activeElement)) {
      made.remove();
      shown.delete(key);
    }
  }
  for (const row of rows) {
    let made = shown.get(row.key);
    if (!made) {
      made = rowElement(report, formula(), row);
      made.style.height = `${row.height}px`;
      made.dataset.key = row.key;
      shown.set(row.key, made);
      list.append(made);
    }
    made.style.top = `${rowTop(row)}px`;
    fillRow(row, made);
  }
  byId("at").textContent = report.cycles ? `at ${state.cursor}` : "";
};

const fillRow = (row, made) => {
  made.classList.toggle("chosen", state.rows[state.row] === row);
  if (row.heading || !report.cycles) return;
  const value = made.querySelector(".value");
  if (row.signal !== undefined) {
    const values = signalTrack(row.signal), change = changeAt(values, state.cursor);
    value.textContent = value.title = written(row.signal, values.text(change));
    value.classList.toggle("unknown", values.doubt(change) !== "");
    const dots = state.dots.get(row.signal);
    made.classList.toggle("caused", dots !== undefined);
    made.classList.toggle("caused-here", dots?.some((dot) => dot.cycle === state.cursor) ?? false);
    return;
  }
  const fails = laneTrack(row.lane, "fails");
  value.textContent = fails.state[changeAt(fails, state.cursor)] === 1 ? "false" : "";
  const button = made.querySelector("button");
  if (!button) return;
  const open = !state.folded[state.formula].has(row.lane);
  button.textContent = open ? "▾" : "▸";
  button.setAttribute("aria-expanded", open);
  button.setAttribute("aria-label", `${open ? "Hide" : "Show"} the parts of ${formula().lanes[row.lane].text}`);
};

const fold = (lane) => {
  const folded = state.folded[state.formula];
  if (!folded.delete(lane)) folded.add(lane);
  const focused = document.activeElement?.closest?.(".row")?.dataset.key;
  const scroll = scroller.scrollTop, chosen = state.rows[state.row]?.key;
  layOut();
  scroller.scrollTop = scroll;
  state.row = state.rows.findIndex((row) => row.key === chosen);
  paint();
  if (focused) shown.get(focused)?.querySelector("button")?.focus();
};

// ---- what is pointed at ----

const hideTip = () => {
  tip.hidden = true;
  state.pinned = false;
  highlight(null);
};

// Marks a part of the formula where it stands.
const highlight = (lane) => {
  const code = document.querySelector(`#formula-${state.formula} .formula code`);
  if (!code || code.dataset.lane === String(lane)) return;
  code.dataset.lane = String(lane);
  const { start, end } = lane === null ? {} : formula().lanes[lane];
  const text = formula().formula;
  if (!(end > start)) code.replaceChildren(text);
  else code.replaceChildren(text.slice(0, start), element("mark", {}, text.slice(start, end)), text.slice(end));
};

const where = (cycle) => {
  const time = timeAt(cycle);
  return `cycle ${cycle.toLocaleString("en")}${time === undefined ? "" : `, ${timeText(time, report.unit)}`}`;
};

// What there is to say about a row at a cycle, as elements.
const explain = (row, cycle, dot) => {
  if (row.signal !== undefined) {
    const signal = report.signals[row.signal], values = signalTrack(row.signal);
    const value = written(row.signal, values.text(changeAt(values, cycle)));
    const said = [
      element("p", { class: "what" }, element("code", {}, signal.name + (signal.range ?? "")), " is ", element("code", {}, value)),
      element("p", { class: "where" }, where(cycle)),
    ];
    for (const which of dot?.which ?? []) {
      said.push(element("p", { class: "why" }, ...spoken(failure().causes[which].why), "."));
    }
    return said;
  }
  const fails = laneTrack(row.lane, "fails"), matters = laneTrack(row.lane, "matters");
  const isFalse = fails.state[changeAt(fails, cycle)] === 1;
  const said = [element("p", { class: "what" }, element("code", {}, formula().lanes[row.lane].text), isFalse ? " is false" : " is not false"),
    element("p", { class: "where" }, where(cycle))];
  if (state.failure === 0 && matters.state[changeAt(matters, cycle)] === 1) {
    said.push(element("p", { class: "why" }, "That has a part in the failure."));
  }
  return said;
};

// Puts the tip beside a point of the window.
const showTip = (said, x, y) => {
  state.pinned = false;
  tip.replaceChildren(...said);
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = x + 16 + width > innerWidth - 6 ? x - 16 - width : x + 16;
  const top = y + 18 + height > innerHeight - 6 ? y - 14 - height : y + 18;
  tip.style.left = `${Math.max(6, left)}px`;
  tip.style.top = `${Math.max(6, top)}px`;
};

const dotOf = (signal, cycle) => state.dots.get(signal)?.find((dot) => dot.cycle === cycle);

// The row, the cycle and the dot at a point of the canvas.
const pointed = (x, y) => {
  if (y < RULER || !report.cycles || cycleOf(view, x) >= report.cycles) return null;
  const row = state.rows[rowIndexAt(state.rows, y - RULER + scroller.scrollTop)];
  if (!row || row.heading) return null;
  const near = dotsInView().filter((dot) => dot.signal === row.signal && Math.hypot(dot.x - x, dot.y - y) < 10);
  near.sort((a, b) => Math.hypot(a.x - x, a.y - y) - Math.hypot(b.x - x, b.y - y));
  const cycle = near[0]?.cycle ?? columnOf(view, x);
  return { row, cycle, dot: near[0] ?? (row.signal === undefined ? undefined : dotOf(row.signal, cycle)) };
};

const point = (event) => {
  const box = canvas.getBoundingClientRect();
  const found = pointed(event.clientX - box.left, event.clientY - box.top);
  if (!found) return hideTip();
  highlight(found.row.lane ?? null);
  showTip(explain(found.row, found.cycle, found.dot), event.clientX, event.clientY);
};

// Shows the tip of the chosen row at the cursor, and says it.
const pointCursor = () => {
  const row = state.rows[state.row];
  if (!row || row.heading) {
    byId("said").textContent = where(state.cursor);
    return hideTip();
  }
  paint();
  const box = canvas.getBoundingClientRect();
  const dot = row.signal === undefined ? undefined : dotOf(row.signal, state.cursor);
  const place = dotsInView().find((seen) => seen.signal === row.signal && seen.cycle === state.cursor);
  highlight(row.lane ?? null);
  showTip(explain(row, state.cursor, dot), box.left + xOf(view, state.cursor + 0.5), box.top + (place?.y ?? rowTop(row) + row.height / 2));
  byId("said").textContent = tip.innerText;
  state.pinned = true;
};

// A tip that keys or links brought up goes with what it is about; one at the pointer is out of place.
const scrolled = () => {
  if (state.pinned) pointCursor();
  else hideTip();
};

// ---- where to go ----

const revealRow = (row) => {
  const top = scroller.scrollTop;
  if (row.top < top) scroller.scrollTop = row.top;
  else if (row.top + row.height > top + bodyHeight()) scroller.scrollTop = row.top + row.height - bodyHeight();
};

const goToCause = (which) => {
  const cause = failure()?.causes[which];
  if (!cause) return;
  state.cause = which;
  const [signal, cycle] = cause.dots[0] ?? [undefined, cause.time];
  state.cursor = cycle;
  reveal(view, cycle);
  state.row = state.rows.findIndex((row) => row.signal !== undefined && row.signal === signal);
  if (state.row >= 0) revealRow(state.rows[state.row]);
  for (const link of document.querySelectorAll("a[data-cause]")) {
    const { formula: f, failure: g, cause: c } = link.dataset;
    link.closest("tr").classList.toggle("current", Number(f) === state.formula && Number(g) === state.failure && Number(c) === which);
  }
  pointCursor();
  repaint();
};

const stepCause = (step) => {
  const order = state.causeOrder;
  if (!order.length) return;
  const now = order.indexOf(state.cause);
  goToCause(order[now < 0 ? (step > 0 ? 0 : order.length - 1) : (now + step + order.length) % order.length]);
};

const goToFailure = () => {
  if (!failure()) return;
  state.cursor = failure().at;
  reveal(view, state.cursor);
  center(view, state.cursor);
  pointCursor();
};

const moveCursor = (step) => {
  state.cursor = clamp(state.cursor + step, 0, Math.max(0, report.cycles - 1));
  const x = xOf(view, state.cursor + 0.5);
  if (x < 0 || x > view.width) center(view, state.cursor);
  pointCursor();
};

const moveRow = (step) => {
  let next = state.row < 0 ? (step > 0 ? 0 : state.rows.length - 1) : state.row + step;
  if (state.rows[next]?.heading) next += step;
  if (!state.rows[next]) return;
  state.row = next;
  revealRow(state.rows[next]);
  pointCursor();
};

const zoomAround = (factor) => {
  const x = xOf(view, state.cursor + 0.5);
  zoom(view, factor, x >= 0 && x <= view.width ? x : view.width / 2);
};

const toggle = (name) => {
  state[name] = !state[name];
  document.querySelector(`[data-do=${name}]`).setAttribute("aria-pressed", state[name]);
};

const ACTIONS = {
  previous: () => stepCause(-1),
  next: () => stepCause(1),
  failure: goToFailure,
  in: () => zoomAround(1.5),
  out: () => zoomAround(1 / 1.5),
  fit: () => fit(view),
  left: () => pan(view, -view.width / 8),
  right: () => pan(view, view.width / 8),
  start: () => { view.from = 0; settle(view); },
  end: () => { view.from = report.cycles; settle(view); },
  earlier: () => moveCursor(-1),
  later: () => moveCursor(1),
  above: () => moveRow(-1),
  below: () => moveRow(1),
  fold: () => {
    const row = state.rows[state.row];
    if (row?.parts) fold(row.lane);
  },
  leave: hideTip,
  hex: () => toggle("hex"),
  only: () => {
    toggle("only");
    state.row = -1;
    layOut();
  },
};

const ANYWHERE = { n: "next", p: "previous", g: "failure", f: "fit", h: "hex", c: "only", "+": "in", "=": "in", "-": "out", _: "out", ",": "earlier", ".": "later", Escape: "leave" };
const ON_CANVAS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "above", ArrowDown: "below", Home: "start", End: "end", Enter: "fold", " ": "fold" };

const act = (name) => {
  if (!["previous", "next", "failure", "earlier", "later", "above", "below"].includes(name)) hideTip();
  ACTIONS[name]();
  repaint();
};

const typed = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const onButton = event.target.closest("button, a");
  const free = event.target === canvas || event.target === document.body;
  let name = ANYWHERE[event.key] ?? (free && !onButton ? ON_CANVAS[event.key] : undefined);
  if (event.target === canvas && event.shiftKey && name === "left") name = "earlier";
  if (event.target === canvas && event.shiftKey && name === "right") name = "later";
  // Without the waveform in focus, keys that scroll the page keep doing so.
  if (event.target !== canvas && ["above", "below", "start", "end", "fold"].includes(name)) return;
  if (!name) return;
  event.preventDefault();
  act(name);
};

// ---- hands ----

const fingers = new Map();
let moved = false;

const press = (event) => {
  if (event.button > 0) return;
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size === 1) moved = false;
};

const spread = () => {
  const [a, b] = [...fingers.values()];
  return { apart: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)), middle: (a.x + b.x) / 2 - canvas.getBoundingClientRect().left };
};

const drag = (event) => {
  const finger = fingers.get(event.pointerId);
  if (!finger) {
    if (event.pointerType === "mouse") point(event);
    return;
  }
  const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
  if (!moved && Math.hypot(dx, dy) < 4) return;
  moved = true;
  hideTip();
  canvas.classList.add("dragged");
  const before = fingers.size === 2 ? spread() : null;
  finger.x = event.clientX;
  finger.y = event.clientY;
  if (before) {
    const after = spread();
    zoom(view, after.apart / before.apart, before.middle);
    pan(view, before.middle - after.middle);
  } else if (fingers.size === 1) {
    pan(view, -dx);
    if (event.pointerType === "touch") scroller.scrollTop -= dy;
  }
  repaint();
};

const release = (event) => {
  const finger = fingers.get(event.pointerId);
  fingers.delete(event.pointerId);
  canvas.classList.remove("dragged");
  if (!finger || moved || event.type === "pointercancel") return;
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const found = pointed(x, y);
  state.cursor = found?.cycle ?? columnOf(view, x);
  state.row = found ? state.rows.indexOf(found.row) : -1;
  point(event);
  repaint();
};

const turnWheel = (event) => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
  const dx = event.deltaX * unit, dy = event.deltaY * unit;
  hideTip();
  if (event.shiftKey) pan(view, dx || dy);
  else if (Math.abs(dx) > Math.abs(dy)) pan(view, dx);
  else zoom(view, Math.exp(-clamp(dy, -300, 300) / 300), event.clientX - canvas.getBoundingClientRect().left);
  repaint();
};

const seek = (event) => {
  if (event.type === "pointermove" && !(event.buttons & 1)) return;
  const box = overview.getBoundingClientRect();
  hideTip();
  center(view, ((event.clientX - box.left) / box.width) * report.cycles);
  repaint();
};

const clicked = (event) => {
  const target = event.target.closest("[data-do], [data-formula], .row.lane");
  if (!target) return;
  if (target.matches(".row.lane")) {
    const row = state.rows.find((row) => row.key === target.dataset.key);
    if (row?.parts) fold(row.lane);
    return;
  }
  if (target.dataset.do) return act(target.dataset.do);
  if (!target.matches("a, button")) return;
  event.preventDefault();
  const { formula: which, failure: fails = 0, cause } = target.dataset;
  if (Number(which) !== state.formula || Number(fails) !== state.failure) choose(Number(which), Number(fails));
  if (cause === undefined) return;
  byId("viewer").scrollIntoView({ block: "nearest" });
  paint();
  goToCause(Number(cause));
};

document.addEventListener("keydown", typed);
document.addEventListener("click", clicked);
canvas.addEventListener("pointerdown", press);
canvas.addEventListener("pointermove", drag);
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse" && !fingers.size) hideTip(); });
canvas.addEventListener("blur", hideTip);
canvas.addEventListener("wheel", turnWheel, { passive: false });
overview.addEventListener("pointerdown", seek);
overview.addEventListener("pointermove", seek);
list.addEventListener("pointerover", (event) => {
  const key = event.target.closest(".row.lane")?.dataset.key;
  highlight(state.rows.find((row) => row.key === key)?.lane ?? null);
});
list.addEventListener("pointerleave", () => highlight(null));
scroller.addEventListener("scroll", () => { scrolled(); repaint(); });
addEventListener("resize", () => { layOut(); repaint(); });
addEventListener("scroll", scrolled, { passive: true });

const firstFailing = report.formulas.findIndex((judged) => judged.fails);
choose(Math.max(0, firstFailing), 0);
watchTheme(byId("theme"), () => {
  colours = readColours();
  paint();
});

// For tests and for the curious: where things are, in pixels of the window.
window.nearmiss = {
  view: () => ({ ...view }),
  cursor: () => state.cursor,
  chosen: () => ({ formula: state.formula, failure: state.failure, cause: state.cause }),
  dots: () => {
    const box = canvas.getBoundingClientRect();
    return dotsInView().map((dot) => ({ signal: report.signals[dot.signal].name, cycle: dot.cycle, x: box.left + dot.x, y: box.top + dot.y, full: dot.full }));
  },
  rows: () => {
    const box = canvas.getBoundingClientRect();
    return visibleRows().map((row) => ({ key: row.key, x: box.left, y: box.top + rowTop(row), width: box.width, height: row.height }));
  },
  colour: (x, y) => {
    const box = canvas.getBoundingClientRect(), ratio = canvas.width / box.width;
    return [...canvas.getContext("2d").getImageData(Math.round((x - box.left) * ratio), Math.round((y - box.top) * ratio), 1, 1).data];
  },
};
