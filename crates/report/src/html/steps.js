// The runs as rows: what stands beside what, where the runs differ, and what variables are at a row.

const report = JSON.parse(byId("report").textContent);
const textOf = (number) => report.texts[number];

// What the numbers of a statement are.
const KIND = 0, FILE = 1, LINE = 2, DEPTH = 3, FUNCTION = 4, TEXT = 5, OUTLIVES = 6;
const ASSIGN = 0, CALL = 2, CLAIM = 4, INPUT = 5;

// A run is statement and value in turns.
const lengthOf = (run) => run.length / 2;
const statementAt = (run, step) => report.statements[run[2 * step]];
const valueAt = (run, step) => run[2 * step + 1];

// Rows of two runs: per row the step of either, or -1, and the last step of either up to there.
const pairRuns = (failing, passing, stretches) => {
  let count = 0;
  for (const rows of stretches) count += rows;
  const model = {
    count, runs: [failing, passing], steps: [new Int32Array(count), new Int32Array(count)],
    upTo: [new Int32Array(count), new Int32Array(count)], differs: new Uint8Array(count), matters: new Uint8Array(count),
  };
  let row = 0, i = 0, j = 0;
  const add = (first, second) => {
    model.steps[0][row] = first ? i++ : -1;
    model.steps[1][row] = second ? j++ : -1;
    model.upTo[0][row] = i - 1;
    model.upTo[1][row] = j - 1;
    model.differs[row] = passing.length && (!first || !second || valueAt(failing, i - 1) !== valueAt(passing, j - 1)) ? 1 : 0;
    row++;
  };
  for (let at = 0; at < stretches.length; at += 3) {
    for (let n = 0; n < stretches[at]; n++) add(true, true);
    for (let n = 0; n < stretches[at + 1]; n++) add(true, false);
    for (let n = 0; n < stretches[at + 2]; n++) add(false, true);
  }
  return model;
};

const soloRun = (run) => pairRuns(run, [], [0, lengthOf(run), 0]);

// What a row shows; `told` is what either run did there, or null where it was not there.
const rowOf = (model, row) => {
  const [i, j] = [model.steps[0][row], model.steps[1][row]];
  const statement = i >= 0 ? statementAt(model.runs[0], i) : statementAt(model.runs[1], j);
  const told = [i, j].map((step, run) => (step < 0 ? null : textOf(valueAt(model.runs[run], step))));
  return { file: statement[FILE], line: statement[LINE], depth: statement[DEPTH], kind: statement[KIND],
    name: textOf(statement[FUNCTION]), text: textOf(statement[TEXT]), told, statement,
    differs: model.differs[row] === 1, matters: model.matters[row] === 1 };
};

// The rows of a sequence that leads to a failure.
const sequenceRow = ([file, line, text, name, outcome, role, nest], local) => ({ file, line, depth: 0, kind: role === 2 ? CLAIM : ASSIGN,
  name: textOf(name), text: textOf(text), told: [textOf(outcome), null], role, nest: nest === 1 && local === 1 && role === 0, differs: false, matters: false });

// So many variables are looked for.
const MOST_VARIABLES = 60;

// Who sets what in a run, so that a step among a hundred thousand need not look at all before it: the steps that set a name, by the
// function and the depth of the call whose own it is, those of what outlives calls apart; and the last step before each one that is
// in a call further out.
const setters = new Map();
const callOf = (statement) => `${statement[FUNCTION]} ${statement[DEPTH]}`;
const settersOf = (run) => {
  if (setters.has(run)) return setters.get(run);
  const found = { own: new Map(), outliving: new Map(), outside: new Int32Array(lengthOf(run)) };
  const names = [];
  for (let step = 0; step < lengthOf(run); step++) {
    const statement = statementAt(run, step);
    let before = step - 1;
    while (before >= 0 && statementAt(run, before)[DEPTH] >= statement[DEPTH]) before = found.outside[before];
    found.outside[step] = before;
    if (statement[KIND] !== ASSIGN && statement[KIND] !== INPUT) continue;
    const number = valueAt(run, step);
    const name = (names[number] ??= textOf(number).slice(0, textOf(number).indexOf(" = ")));
    const call = callOf(statement);
    if (!statement[OUTLIVES] && !found.own.has(call)) found.own.set(call, new Map());
    const steps = statement[OUTLIVES] ? found.outliving : found.own.get(call);
    if (steps.has(name)) steps.get(name).push(step);
    else steps.set(name, [step]);
  }
  setters.set(run, found);
  return found;
};

// The variables that a run knows after a step, as the call of some statement sees them: its own and those that outlive it.
const variablesAt = (run, last, seer) => {
  const { own, outliving, outside } = settersOf(run);
  let entry = last;
  while (entry >= 0 && statementAt(run, entry)[DEPTH] >= seer[DEPTH]) entry = outside[entry];
  const seen = [];
  const look = (names, after) => {
    for (const [name, steps] of names) {
      const step = steps[firstFrom(steps, last + 1) - 1] ?? -1;
      if (step > after) seen.push([name, step]);
    }
  };
  look(own.get(callOf(seer)) ?? [], entry);
  look(outliving, -1);
  const found = new Map();
  for (const [name, step] of seen.sort((a, b) => b[1] - a[1])) {
    if (found.size < MOST_VARIABLES && !found.has(name)) found.set(name, { value: textOf(valueAt(run, step)).slice(name.length + 3), step });
  }
  return found;
};

// The variables of both runs at a row: those that it sets, then those that differ, then the others, the latest first.
const variablesOf = (model, row) => {
  const seer = rowOf(model, row).statement;
  const both = model.runs.map((run, which) => variablesAt(run, model.upTo[which][row], seer));
  const isNow = (which, name) => both[which].has(name) && both[which].get(name).step === model.steps[which][row];
  const all = [...new Set([...both[0].keys(), ...both[1].keys()])].map((name, order) => {
    const [failing, passing] = both.map((known) => known.get(name)?.value ?? null);
    const differs = model.runs[1].length > 0 && failing !== passing;
    const now = isNow(0, name) || isNow(1, name);
    return { name, failing, passing, differs, now, order: (now ? 0 : differs ? 1e6 : 2e6) + order };
  });
  return all.sort((a, b) => a.order - b.order);
};
