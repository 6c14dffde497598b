// The page: the level of detail, what is marked, what was clicked or typed.

const workspace = byId("workspace");
const state = { level: 3, way: 0, route: 0, cause: -1, hovered: -1 };

const isOn = (toggle) => workspace.classList.contains(`show-${toggle}`);
const has = (row, name) => row.classList.contains(name);
const isMarked = (row) => [..."dscqk"].some((name) => has(row, name)) || row.cells[2].textContent !== "";

// ---- levels ----

// Whether a line tells something at a level, how many lines around it are shown, and the smallest gap.
const LEVELS = [
  [() => false, 0, 1],
  [(row) => has(row, report.ways ? "nest" : "s") || has(row, "c"), 1, 4],
  [(row) => (report.ways ? has(row, "q") : has(row, "d")) || has(row, "c"), 1, 4],
  [(row) => has(row, "f") || has(row, "p") || isMarked(row), 3, 8],
];

// What there is to explain comes first; a run alone is told as a whole.
const openingLevel = () => (report.ways ? 2 : !report.differences ? 3 : report.differences.some(([, matters]) => matters) ? 1 : 2);

const refold = () => foldSource(...LEVELS[state.level]);

// The rows of the steps that a level shows.
const rowsOfLevel = () => {
  const rows = [], all = rowCount();
  for (let row = 0; row < all; row++) {
    if (state.level === 3 || stepper.sequence) {
      if (state.level !== 1 || !stepper.sequence || stepper.sequence[row].nest || stepper.sequence[row].role === 2) rows.push(row);
    } else if (state.level === 2 ? stepper.model.differs[row] || stepper.model.stops[row] : stepper.model.matters[row]) rows.push(row);
    else if (row === stepper.violation) rows.push(row);
  }
  return rows;
};

const chooseLevel = (level) => {
  if (!report.levels[level]) return;
  const before = currentStep();
  state.level = level;
  document.body.dataset.level = level;
  for (const button of byId("levels").children) button.setAttribute("aria-pressed", Number(button.dataset.level) === level);
  for (const { open } of tables) open.clear();
  // A way to fail is a sequence, and at the last level its whole run.
  if (report.ways) takeWay(state.way);
  refold();
  showRows(rowsOfLevel(), Math.max(0, before));
  arrive(false);
};

// ---- steps ----

// Everything that follows from where the walk is; `reveal` scrolls the source as well.
const arrive = (reveal) => {
  revealStep();
  paintSteps();
  paintVariables();
  sayStep();
  const row = currentStep();
  if (row >= 0) pointAt(rowAt(row).file, rowAt(row).line, reveal, refold);
};

const walkTo = (place) => {
  if (!stepper.shown.length) return;
  stepper.at = Math.max(0, Math.min(stepper.shown.length - 1, place));
  list.focus({ preventScroll: true });
  arrive(true);
};

const isStop = (place) => {
  const row = stepper.shown[place];
  return stepper.sequence ? stepper.sequence[row].nest || stepper.sequence[row].role === 2 : stepper.model.stops[row] === 1;
};

const walkToStop = (by) => {
  for (let place = stepper.at + by; place >= 0 && place < stepper.shown.length; place += by) {
    if (isStop(place)) return walkTo(place);
  }
};

const walkToRow = (row) => {
  if (row === null) return;
  if (stepper.shown[firstFrom(stepper.shown, row)] !== row) chooseLevel(3);
  walkTo(firstFrom(stepper.shown, row));
};

// ---- what is marked ----

const CHOICES = { route: () => markLines("r", isOn("route") ? report.routes[state.route] ?? [] : []), cause: () => paintCauses() };

const toggle = (name, on = !isOn(name)) => {
  workspace.classList.toggle(`show-${name}`, on);
  document.querySelector(`[data-toggle=${name}]`)?.setAttribute("aria-pressed", on);
  CHOICES[name]?.();
  pressChoices();
};

const pressChoices = () => {
  for (const button of document.querySelectorAll("[data-route]")) button.setAttribute("aria-pressed", isOn("route") && Number(button.dataset.route) === state.route);
  for (const button of document.querySelectorAll("[data-cause]")) button.setAttribute("aria-pressed", isOn("cause") && Number(button.dataset.cause) === state.cause);
  for (const button of document.querySelectorAll("[data-way]")) button.setAttribute("aria-pressed", Number(button.dataset.way) === state.way);
};

// The variable that a cause speaks of, as a name that can be found in the text.
const rootOf = (variable) => /[A-Za-z_]\w*/.exec(variable)?.[0] ?? "";

const paintCauses = () => {
  const which = state.hovered >= 0 ? state.hovered : state.cause;
  const causes = state.hovered < 0 && !isOn("cause") ? [] : which < 0 ? report.causes : [report.causes[which]];
  markNames(causes.length ? new Set(causes.flat().map(rootOf)) : null);
};

// ---- ways to fail ----

// Puts a way onto the source: its lines, their outcomes, the neighbourhood of the error.
const takeWay = (way) => {
  state.way = way;
  const { rows, run, local } = report.ways[way];
  const sequence = rows.map((row) => sequenceRow(row, local));
  for (const { rows: lines } of tables) {
    for (const row of lines) {
      row.classList.remove("q", "nest", "apart", "c", "f");
      row.cells[VALUES].textContent = "";
    }
  }
  for (const { file, line, role, nest, told } of sequence) {
    const row = lineRow(file, line);
    if (!row) continue;
    row.classList.add("q");
    row.classList.toggle("nest", nest || has(row, "nest"));
    row.classList.toggle("apart", role === 1 || has(row, "apart"));
    row.classList.toggle("c", role === 2 || has(row, "c"));
    const cell = row.cells[VALUES], said = cell.textContent;
    if (told[0] && !said.endsWith(told[0])) cell.textContent = said ? `${said}, ${told[0]}` : told[0];
  }
  const whole = run ? soloRun(run) : null;
  for (let row = 0; whole && row < whole.count; row++) {
    const { file, line } = rowOf(whole, row);
    lineRow(file, line)?.classList.add("f");
  }
  stepper.sequence = state.level === 3 && whole ? null : sequence;
  if (whole) takeModel(whole, sequence);
  paintStepsHead();
  pressChoices();
};

// Where the walk stops: at differences; in a run alone at what the sequence that leads to the failure has.
const takeModel = (model, sequence) => {
  model.stops = model.differs.slice();
  const wanted = new Set((sequence ?? []).map(({ file, line }) => `${file}:${line}`));
  for (let row = 0; sequence && row < model.count; row++) {
    const { file, line } = rowOf(model, row);
    if (wanted.has(`${file}:${line}`)) model.stops[row] = 1;
  }
  stepper.model = model;
  stepper.violation = -1;
  for (let row = model.count - 1; row >= 0 && stepper.violation < 0; row--) {
    const step = model.steps[0][row];
    if (step >= 0) stepper.violation = row;
  }
};

// ---- keys and clicks ----

const ACTIONS = {
  next: () => walkTo(stepper.at + 1),
  previous: () => walkTo(stepper.at - 1),
  after: () => walkToStop(1),
  before: () => walkToStop(-1),
  first: () => walkTo(0),
  last: () => walkTo(stepper.shown.length - 1),
  down: () => walkTo(stepper.at + Math.floor(list.clientHeight / STEP) - 1),
  up: () => walkTo(stepper.at - Math.floor(list.clientHeight / STEP) + 1),
};
const ANYWHERE = { j: "next", k: "previous", n: "after", p: "before" };
const ON_LIST = { ArrowDown: "next", ArrowUp: "previous", Home: "first", End: "last", PageDown: "down", PageUp: "up" };

const typed = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if ("1234".includes(event.key)) return chooseLevel(Number(event.key) - 1);
  // Without the steps in focus, keys that scroll the page keep doing so.
  const name = ANYWHERE[event.key] ?? (event.target === list ? ON_LIST[event.key] : undefined);
  if (!name || state.level === 0) return;
  event.preventDefault();
  ACTIONS[name]();
};

const clicked = (event) => {
  const target = event.target.closest("button, a, .step");
  if (!target) return;
  const { level, toggle: name, route, cause, way, line, from, difference, place, do: action } = target.dataset;
  if (action) ACTIONS[action]();
  else if (level) chooseLevel(Number(level));
  else if (name) toggle(name);
  else if (from) openGap(target, refold);
  else if (place) walkTo(Number(place));
  else if (route) choose("route", Number(route));
  else if (cause) choose("cause", Number(cause));
  else if (way) chooseWay(Number(way));
  else if (line) showLine(...line.split(":").map(Number));
  else if (difference) {
    event.preventDefault();
    workspace.scrollIntoView({ block: "start" });
    walkToRow(report.differences[difference][0]);
  }
};

// The same once more is none.
const choose = (name, which) => {
  const again = isOn(name) && state[name] === which;
  state[name] = again && name === "cause" ? -1 : which;
  toggle(name, !again);
};

const chooseWay = (way) => {
  takeWay(way);
  refold();
  showRows(rowsOfLevel(), 0);
  arrive(false);
};

const showLine = (file, line) => {
  if (state.level === 0) chooseLevel(3);
  pointAt(file, line, true, refold);
  lineRow(file, line)?.scrollIntoView({ block: "center" });
  const place = stepper.shown.findIndex((row) => rowAt(row).file === file && rowAt(row).line === line);
  if (place < 0) return;
  stepper.at = place;
  arrive(false);
};

const begin = () => {
  colourSource();
  report.levels.forEach((title, level) => {
    if (title) byId("levels").append(element("button", { type: "button", "data-level": level, title: `Key ${level + 1}` }, title));
  });
  if (report.failing) takeModel(pairRuns(report.failing, report.passing ?? [], report.rows ?? [0, lengthOf(report.failing), 0]));
  for (const [row, matters] of report.differences ?? []) {
    if (row === null) continue;
    stepper.model.stops[row] = 1;
    if (matters) stepper.model.matters[row] = 1;
  }
  if (!hasPassing() && !report.ways) for (const button of document.querySelectorAll("[data-do=before], [data-do=after]")) button.hidden = true;
  paintStepsHead();
  if (report.ways) for (const [which, title] of [["before", "◂ Focus"], ["after", "Focus ▸"]]) document.querySelector(`[data-do=${which}]`).textContent = title;
  chooseLevel(openingLevel());
  const first = stepper.shown.findIndex((_, place) => isStop(place));
  stepper.at = first >= 0 ? first : stepper.shown.length - 1;
  arrive(false);
  const measure = () => document.documentElement.style.setProperty("--tools", `${byId("tools").offsetHeight}px`);
  new ResizeObserver(measure).observe(byId("tools"));
  document.addEventListener("keydown", typed);
  document.addEventListener("click", clicked);
  list.addEventListener("scroll", paintSteps, { passive: true });
  addEventListener("resize", paintSteps);
  for (const kind of ["pointerover", "pointerout"]) {
    document.querySelector("[data-choice=cause]")?.addEventListener(kind, (event) => {
      const button = event.target.closest("[data-cause]");
      state.hovered = kind === "pointerover" && button ? Number(button.dataset.cause) : -1;
      paintCauses();
    });
  }
};

if (workspace) begin();
watchTheme(byId("theme"), () => {});

// For tests and for the curious: what the page has chosen.
window.nearmiss = {
  step: () => ({ row: currentStep(), place: stepper.at, shown: stepper.shown.length, ...(currentStep() < 0 ? {} : rowAt(currentStep())) }),
  rows: () => rowCount(),
  row: (row) => rowAt(row),
  level: () => state.level,
};
