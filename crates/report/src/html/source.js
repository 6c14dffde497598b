// The source: colours for C, lines found by number, lines that are folded away, names and lines that are marked.

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
  "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool").split(" "));
const TOKENS = /\/\/.*|\/\*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|[A-Za-z_]\w*|\.?\d[\w.]*/g;
const CODE = 4, VALUES = 5;

const tables = [...document.querySelectorAll("table.code")].map((table) => ({
  table, file: Number(table.dataset.file), rows: [...table.tBodies[0].rows], open: new Set(),
}));
const tableOf = (file) => tables.find((table) => table.file === file);
const lineRow = (file, line) => tableOf(file)?.rows[line - 1] ?? null;
const codeOf = (row) => row.cells[CODE];

// Parts of a line of C, each with its class; whether a comment goes on.
const tokensOf = (text, inComment) => {
  const parts = [];
  let at = 0;
  const add = (end, kind) => {
    if (end > at) parts.push([text.slice(at, end), kind]);
    at = end;
  };
  const comment = (from) => {
    const end = text.indexOf("*/", from);
    add(end < 0 ? text.length : end + 2, "comment");
    return end < 0;
  };
  if (inComment && comment(0)) return [parts, true];
  TOKENS.lastIndex = at;
  for (let found = TOKENS.exec(text); found; found = TOKENS.exec(text)) {
    add(found.index, "");
    const [word] = found;
    if (word === "/*") {
      if (comment(found.index + 2)) return [parts, true];
    } else if (word.startsWith("//")) add(text.length, "comment");
    else if (word[0] === '"' || word[0] === "'") add(TOKENS.lastIndex, "string");
    else if (word.trimStart()[0] === "#") add(TOKENS.lastIndex, "keyword");
    else if (KEYWORDS.has(word)) add(TOKENS.lastIndex, "keyword");
    else add(TOKENS.lastIndex, /^[A-Za-z_]/.test(word) ? "name" : "");
    TOKENS.lastIndex = at;
  }
  add(text.length, "");
  return [parts, false];
};

// Colours a line anew; `marked` are names that stand out. Whether there is one of them.
const paintLine = (row, marked) => {
  let isMarked = false;
  const parts = row.tokens.map(([text, kind]) => {
    if (kind === "name" && marked?.has(text)) {
      isMarked = true;
      return element("mark", {}, text);
    }
    return kind && kind !== "name" ? element("span", { class: kind }, text) : text;
  });
  codeOf(row).replaceChildren(...parts);
  return isMarked;
};

const colourSource = () => {
  for (const { rows } of tables) {
    let inComment = false;
    for (const row of rows) {
      [row.tokens, inComment] = tokensOf(codeOf(row).textContent, inComment);
      paintLine(row, null);
    }
  }
};

// Marks names in the lines that were executed; none marks nothing.
const markNames = (names) => {
  for (const { rows } of tables) {
    for (const row of rows) {
      const before = row.classList.contains("v");
      if (!before && (!names || !(row.classList.contains("f") || row.classList.contains("p")))) continue;
      row.classList.toggle("v", paintLine(row, names));
    }
  }
};

const markLines = (name, lines) => {
  for (const row of document.querySelectorAll(`#listing tr.${name}`)) row.classList.remove(name);
  for (const [file, line] of lines) lineRow(file, line)?.classList.add(name);
};

// Folds away lines that tell nothing. A line is kept if `tells` says so, with some lines around it and the head of its
// function; gaps of a few lines are left open, and so are those that somebody has opened.
const foldSource = (tells, around, smallest) => {
  for (const { table, rows, open } of tables) {
    for (const gap of table.querySelectorAll("tr.gap")) gap.remove();
    const kept = new Uint8Array(rows.length);
    let head = -1, any = false;
    rows.forEach((row, at) => {
      if (row.classList.contains("h")) head = at;
      if (!tells(row) && !open.has(at)) return;
      any = true;
      if (head >= 0) kept[head] = 1;
      const wide = open.has(at) ? 0 : around;
      kept.fill(1, Math.max(0, at - wide), Math.min(rows.length, at + wide + 1));
    });
    table.closest("section").hidden = !any;
    for (let at = 0; at < rows.length;) {
      let end = at;
      while (end < rows.length && kept[end] === kept[at]) end++;
      const folded = !kept[at] && end - at >= smallest;
      for (let i = at; i < end; i++) rows[i].hidden = folded;
      if (folded) rows[at].before(gapRow(at, end));
      at = end;
    }
  }
};

const gapRow = (from, to) => {
  const many = `${to - from} lines`;
  const button = element("button", { type: "button", "data-from": from, "data-to": to, "aria-label": `Show ${many}` }, `⋯ ${many}`);
  const width = document.querySelectorAll("table.code col").length / tables.length;
  return element("tr", { class: "gap" }, element("td", { colspan: width }, button));
};

const openGap = (button, refold) => {
  const { open } = tableOf(Number(button.closest("table").dataset.file));
  for (let at = Number(button.dataset.from); at < Number(button.dataset.to); at++) open.add(at);
  refold();
};

let currentRow = null;

// The line of the current step; `reveal` brings it into sight.
const pointAt = (file, line, reveal, refold) => {
  currentRow?.classList.remove("current");
  currentRow = lineRow(file, line);
  if (!currentRow) return;
  currentRow.classList.add("current");
  if (!reveal) return;
  if (currentRow.hidden || currentRow.closest("section").hidden) {
    tableOf(file).open.add(line - 1);
    refold();
  }
  const box = currentRow.getBoundingClientRect();
  if (box.top < byId("tools").getBoundingClientRect().bottom + 30 || box.bottom > innerHeight - 40) currentRow.scrollIntoView({ block: "center" });
};
