//! Conditions that the user adds to a program from outside: assumptions, `--assume 'a.c:12: n > 0'`, and one to be
//! reached, `--reach 'a.c:12: n > 0'`.
//!
//! The condition must be read in the scope of its line, so the text is what is changed: the program is read once to find
//! the statement of that line, and once more with `#include "nearmiss-assumption-1.h"` before it, where that header is
//! `__CPROVER_assume(n > 0);`. Line markers keep every other line and column where they were; an error in the condition
//! is an error in the header, whose own marker calls it what the user typed. What is to be reached is claimed never to be,
//! at the line that the user named. Where the statement is the only one under an `if` or a loop, braces come with the
//! headers.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::tree::{ExprKind, StmtId, StmtKind, Tree};
use super::{Errors, Loader, Options, VolatileReads, front, lower};
use crate::program::{Assumption, AssumptionOrigin};
use crate::program::{Claim, ClaimId, ClaimKind, Program, StatementKind};
use crate::source::{Diagnostic, FileId, Severity, Sources, Span};

/// What the names of our headers start with.
const HEADER: &str = "nearmiss-assumption-";
/// What the name of the header with the closing brace starts with.
const CLOSING: &str = "nearmiss-assumption-end";

/// A condition to hold before the statement of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumed {
    /// The file, as the user calls it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The condition in C.
    pub condition: String,
}

/// Reads a program with assumptions added; also where they stand.
pub fn read(
    files: &[String],
    options: &Options,
    assumed: &[Assumed],
    loader: &dyn Loader,
    sources: &mut Sources,
) -> Result<(Program, Vec<Assumption>), Errors> {
    let (program, assumptions, _) = read_reaching(files, options, assumed, None, loader, sources)?;
    Ok((program, assumptions))
}

/// The same, with a condition to be reached; also the claim that it is not.
pub fn read_reaching(
    files: &[String],
    options: &Options,
    assumed: &[Assumed],
    reached: Option<&Assumed>,
    loader: &dyn Loader,
    sources: &mut Sources,
) -> Result<(Program, Vec<Assumption>, Option<ClaimId>), Errors> {
    let assumptions = assumed.len();
    let added: Vec<Assumed> = assumed.iter().chain(reached).cloned().collect();
    let assumed = &added[..];
    if assumed.is_empty() {
        return Ok((super::read(files, options, loader, sources)?, Vec::new(), None));
    }
    let what = |index: usize| if index < assumptions { "--assume" } else { "--reach" };
    let mut first = Sources::new();
    let placed = front::read(files, options, loader, &mut first).and_then(|tree| place(assumed, &what, &tree, &first));
    let placed = match placed {
        Ok(placed) => placed,
        Err(errors) => {
            *sources = first;
            return Err(errors);
        }
    };
    let texts = placed.texts(&first);
    let headers = assumed.iter().zip(&placed.statements).enumerate().map(|(index, (assumed, statement))| {
        let name = header(index, statement.braced);
        let brace = if statement.braced { "{" } else { "" };
        let marker =
            format!("#line 1 \"{} '{}:{}'\"", what(index), assumed.file.replace(['"', '\\'], "'"), assumed.line);
        let condition = assumed.condition.replace(['\n', '\r'], " ");
        let (start, end) = match index < assumptions {
            true => ("__CPROVER_assume(", ");"),
            false => ("__CPROVER_assert(!(", "), \"reached\");"),
        };
        (name, format!("{brace}{start}\n{marker}\n{condition}\n{end}\n"))
    });
    let headers = headers.chain([(format!("{CLOSING}.h"), "}\n".to_owned())]).collect();
    let tree = super::tree(files, options, &Edited { loader, texts: &texts, headers }, sources)?;
    let effects = effects(&tree, options, sources);
    if !effects.is_empty() {
        return Err(effects);
    }
    let mut program = lower::lower(&tree, options, sources)?;
    let kept = assumed.iter().zip(&placed.statements).take(assumptions).map(|(assumed, statement)| Assumption {
        text: assumed.condition.clone(),
        span: statement.after_edits(&placed, &first, sources),
        origin: AssumptionOrigin::User,
    });
    let kept = kept.collect();
    let ours = placed.statements.get(assumptions).map(|statement| header(assumptions, statement.braced));
    let is_ours = |claim: &Claim| {
        claim.kind == ClaimKind::Assertion
            && (ours.as_ref().is_some_and(|ours| sources.file(claim.span.file).name.ends_with(ours.as_str()))
                || sources.position(claim.span).file.starts_with("--reach '"))
    };
    let claim = program.claims.iter().position(is_ours).map(|index| ClaimId(index as u32));
    if let (Some(claim), Some(statement), Some(reached)) = (claim, placed.statements.get(assumptions), reached) {
        make_reached(&mut program, claim, statement.after_edits(&placed, &first, sources), reached);
    }
    Ok((program, kept, claim))
}

/// Makes a claim the one that a condition is never reached at its line. What is asserted on the way is a condition of getting
/// there, and has the number that it has without our claim.
fn make_reached(program: &mut Program, claim: ClaimId, span: Span, reached: &Assumed) {
    let own = &mut program.claims[claim.index()];
    own.span = span;
    own.text = format!("!({})", reached.condition);
    let id = std::mem::replace(&mut own.id, format!("{}.reached", own.function));
    let (head, number) = id.rsplit_once('.').unwrap_or((&id, "0"));
    let number: u32 = number.parse().unwrap_or(0);
    let others = (0..).zip(&mut program.claims).filter(|(index, _)| ClaimId(*index) != claim);
    for (_, other) in others.filter(|(_, other)| other.kind == ClaimKind::Assertion) {
        other.kind = ClaimKind::Gate;
        let later = other.id.strip_prefix(head).and_then(|rest| rest.strip_prefix('.')?.parse::<u32>().ok());
        if let Some(later) = later.filter(|later| *later > number) {
            other.id = format!("{head}.{}", later - 1);
        }
    }
    let blocks = program.functions.iter_mut().flat_map(|function| &mut function.blocks);
    for statement in blocks.flat_map(|block| &mut block.statements) {
        if matches!(statement.kind, StatementKind::Claim { claim: other, .. } if other == claim) {
            statement.span = span;
        }
    }
}

/// Conditions that change the program that they are about, or read what is another value with every read. A call in one is
/// the user's to answer for.
fn effects(tree: &Tree, options: &Options, sources: &Sources) -> Errors {
    let free = options.volatile == VolatileReads::Free;
    let changing = "a condition must not change anything";
    let changes = tree.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Assign { .. } => Some((expr.span, changing, "to compare, write `==`")),
        ExprKind::CompoundAssign { .. } | ExprKind::Step { .. } => {
            Some((expr.span, changing, "write a condition that only reads variables"))
        }
        ExprKind::Load(lvalue) if free && tree.expr(lvalue).volatile => Some((
            expr.span,
            "a condition must not read what is a new value with every read",
            "use the variable that the program puts the value into",
        )),
        _ => None,
    });
    let ours = changes.filter(|(span, ..)| {
        let file = sources.position(*span).file;
        file.starts_with("--assume '") || file.starts_with("--reach '")
    });
    ours.map(|(span, what, help)| Diagnostic::error(span, what).with_help(help)).collect()
}

/// The headers that a changed text includes, for a compiler that is to see the program without the assumptions.
pub fn harmless_headers(text: &str) -> Vec<(String, &'static str)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
    let ours = lines.filter(|name| name.starts_with(HEADER));
    ours.map(|name| {
        let contents = if name.starts_with(CLOSING) {
            "}\n"
        } else if name.ends_with("-braced.h") {
            "{\n"
        } else {
            "\n"
        };
        (name.to_owned(), contents)
    })
    .collect()
}

pub(super) fn header(index: usize, braced: bool) -> String {
    format!("{HEADER}{}{}.h", index + 1, if braced { "-braced" } else { "" })
}

/// Where an assumption goes.
pub(super) struct Statement {
    /// The statement before which it stands.
    pub(super) span: Span,
    /// Whether it needs braces.
    pub(super) braced: bool,
}

/// What is to be written into the text.
#[derive(Default)]
pub(super) struct Placed {
    statements: Vec<Statement>,
    /// What is written where, by file and offset; of what is written at the same place, in order.
    edits: BTreeMap<FileId, BTreeMap<usize, String>>,
}

fn place(
    assumed: &[Assumed],
    what: &dyn Fn(usize) -> &'static str,
    tree: &Tree,
    sources: &Sources,
) -> Result<Placed, Errors> {
    let mut placed = Placed::default();
    let mut errors = Vec::new();
    let candidates = candidates(tree);
    for (index, assumed) in assumed.iter().enumerate() {
        match statement(assumed, what(index), &candidates, sources) {
            Ok(statement) => placed.insert(index, statement, sources),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(placed) } else { Err(errors) }
}

/// A statement before which something can stand.
struct Candidate {
    span: Span,
    /// Where its line is counted: at its label, if it has one.
    starts: Span,
    braced: bool,
}

/// The statements of all functions of the user's.
fn candidates(tree: &Tree) -> Vec<Candidate> {
    let mut found = Vec::new();
    let bodies = tree.functions.iter().filter(|function| !function.system).filter_map(|function| function.body);
    let mut open: Vec<StmtId> = bodies.collect();
    while let Some(id) = open.pop() {
        let alone: &mut dyn FnMut(StmtId) = &mut |id| {
            open.push(id);
            found.extend(candidate(tree, id, true));
        };
        match &tree.stmts[id.0 as usize].kind {
            StmtKind::Block(inside) => {
                for id in inside {
                    open.push(*id);
                    found.extend(candidate(tree, *id, false));
                }
            }
            StmtKind::If { then, otherwise, .. } => {
                alone(*then);
                otherwise.iter().for_each(|id| alone(*id));
            }
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => alone(*body),
            StmtKind::Switch { body, .. } => open.push(*body),
            StmtKind::Case { body, .. }
            | StmtKind::Default(body)
            | StmtKind::Label(_, body)
            | StmtKind::ErrorLabel(_, body) => open.push(*body),
            _ => {}
        }
    }
    found
}

/// A statement behind its labels; none for a block, whose own statements count.
fn candidate(tree: &Tree, id: StmtId, braced: bool) -> Option<Candidate> {
    let starts = tree.stmts[id.0 as usize].span;
    let mut statement = &tree.stmts[id.0 as usize];
    while let StmtKind::Case { body, .. }
    | StmtKind::Default(body)
    | StmtKind::Label(_, body)
    | StmtKind::ErrorLabel(_, body) = &statement.kind
    {
        statement = &tree.stmts[body.0 as usize];
    }
    let is_block = matches!(statement.kind, StmtKind::Block(_));
    (!is_block).then_some(Candidate { span: statement.span, starts, braced })
}

/// The first statement that starts at the line of an assumption.
fn statement(
    assumed: &Assumed,
    what: &str,
    candidates: &[Candidate],
    sources: &Sources,
) -> Result<Statement, Diagnostic> {
    let fail = |message: String, help: String| Diagnostic {
        severity: Severity::Error,
        message: format!("{what} '{}:{}': {message}", assumed.file, assumed.line),
        span: None,
        help: Some(help),
    };
    let is_named = |name: &str| {
        name == assumed.file || name.strip_suffix(assumed.file.as_str()).is_some_and(|folder| folder.ends_with('/'))
    };
    let mut names: Vec<String> = (sources.files().filter(|(_, file)| !file.system))
        .map(|(_, file)| file.name.clone())
        .chain(candidates.iter().map(|candidate| sources.position(candidate.starts).file))
        .collect();
    names.sort();
    names.dedup();
    if !names.iter().any(|name| is_named(name)) {
        return Err(fail("there is no such file".to_owned(), format!("the files are {}", names.join(", "))));
    }
    if !is_one_expression(&assumed.condition) {
        let message = format!("`{}` is not one expression", assumed.condition);
        return Err(fail(message, "write one condition, for example 'a.c:12: n > 0'".to_owned()));
    }
    let lines = |candidate: &&Candidate| {
        let (start, own) = (sources.position(candidate.starts), sources.position(candidate.span));
        is_named(&start.file) && (start.line..=own.line).contains(&assumed.line)
    };
    let found = candidates.iter().filter(lines).min_by_key(|candidate| (candidate.starts.start, candidate.span.start));
    let Some(found) = found else {
        let next = (candidates.iter().map(|candidate| sources.position(candidate.starts)))
            .filter(|at| is_named(&at.file) && at.line > assumed.line)
            .map(|at| at.line)
            .min();
        let help = next.map_or_else(
            || "give the line of a statement inside of a function".to_owned(),
            |line| format!("the next statement starts at line {line}"),
        );
        return Err(fail("no statement starts at that line".to_owned(), help));
    };
    if found.braced && end_of(found.span, sources).is_none() {
        let help = "put it between braces, or choose another line".to_owned();
        return Err(fail("nothing can be put before this statement".to_owned(), help));
    }
    Ok(Statement { span: found.span, braced: found.braced })
}

/// Whether a text can stand between parentheses without ending them, nor the statement.
pub(super) fn is_one_expression(text: &str) -> bool {
    let mut depth = 0i32;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ';' | '#' => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && !text.trim().is_empty()
}

/// Whether a text assigns something, outside of strings and characters: `x = 1`, `x += 1`, but not `x == 1` or `x <= 1`.
pub(super) fn is_assignment(text: &str) -> bool {
    let mut quote = None;
    let mut before = [' '; 2];
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                letters.next();
            }
            (Some(end), c) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '=') if letters.peek() == Some(&'=') => {
                letters.next();
            }
            (None, '=') => match before {
                ['<', '<'] | ['>', '>'] => return true,
                [_, '!' | '<' | '>'] => {}
                _ => return true,
            },
            _ => {}
        }
        before = [before[1], c];
    }
    false
}

/// One past the last byte of a statement, its semicolon included.
fn end_of(span: Span, sources: &Sources) -> Option<usize> {
    let text = &sources.file(span.file).text;
    let end = span.end as usize;
    if text.get(..end)?.ends_with([';', '}']) {
        return Some(end);
    }
    let rest = text.get(end..)?;
    let blank = rest.len() - rest.trim_start().len();
    rest.trim_start().starts_with(';').then_some(end + blank + 1)
}

impl Placed {
    /// Puts the header of this number before a statement.
    pub(super) fn insert(&mut self, index: usize, statement: Statement, sources: &Sources) {
        let Span { file, start, .. } = statement.span;
        self.write(file, start as usize, &header(index, statement.braced), sources);
        if statement.braced
            && let Some(end) = end_of(statement.span, sources)
        {
            self.write(file, end, &format!("{CLOSING}.h"), sources);
        }
        self.statements.push(statement);
    }

    /// Includes a header at a place, such that what follows stays in its line and column.
    fn write(&mut self, file: FileId, at: usize, header: &str, sources: &Sources) {
        let text = &sources.file(file).text;
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let before = &text[line_start..at];
        let position = sources.position(Span::new(file, at as u32, at as u32));
        let include = format!("#include \"{header}\"\n#line {} {:?}\n", position.line, position.file);
        let edits = self.edits.entry(file).or_default();
        if before.trim().is_empty() {
            *edits.entry(line_start).or_default() += &include;
        } else {
            let blank: String = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            *edits.entry(at).or_default() += &format!("\n{include}{blank}");
        }
    }

    /// The changed texts by the names of their files.
    pub(super) fn texts(&self, sources: &Sources) -> BTreeMap<String, String> {
        let changed = self.edits.iter().map(|(file, edits)| {
            let file = sources.file(*file);
            let (mut text, mut done) = (String::new(), 0);
            for (at, written) in edits {
                text += &file.text[done..*at];
                text += written;
                done = *at;
            }
            (file.name.clone(), text + &file.text[done..])
        });
        changed.collect()
    }
}

impl Statement {
    /// Where the statement is in the changed text.
    fn after_edits(&self, placed: &Placed, before: &Sources, after: &Sources) -> Span {
        let edits = placed.edits.get(&self.span.file);
        let written = edits.iter().flat_map(|edits| edits.range(..=self.span.start as usize));
        let moved: usize = written.map(|(_, text)| text.len()).sum();
        let name = &before.file(self.span.file).name;
        let file = after.files().find(|(_, file)| file.name == *name).map_or(self.span.file, |(id, _)| id);
        Span::new(file, self.span.start + moved as u32, self.span.end + moved as u32)
    }
}

/// Files as they are, but for those that were changed.
pub(super) struct Edited<'a> {
    pub(super) loader: &'a dyn Loader,
    pub(super) texts: &'a BTreeMap<String, String>,
    pub(super) headers: BTreeMap<String, String>,
}

impl Edited<'_> {
    fn ours(&self, path: &Path) -> Option<&String> {
        let name = path.file_name().and_then(|name| name.to_str());
        let changed = path.to_str().and_then(|path| self.texts.get(path));
        changed.or_else(|| self.headers.get(name?))
    }
}

impl Loader for Edited<'_> {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.ours(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.loader.load(path),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        self.ours(path).is_some() || self.loader.exists(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(&'static str);

    impl Loader for One {
        fn load(&self, _: &Path) -> io::Result<Vec<u8>> {
            Ok(self.0.as_bytes().to_vec())
        }

        fn exists(&self, path: &Path) -> bool {
            path == Path::new("a.c")
        }
    }

    const TEXT: &str = "\
int nondet_int(void);
int main(void)
{
    int n = nondet_int();
    if (n > 3)
        n = 1; else n = 2;
    switch (n) {
    case 1: n++; break;
    }
    return n;
}
";

    fn read_with(line: u32, condition: &str) -> Result<(Program, Vec<Assumption>, Sources), String> {
        let mut sources = Sources::new();
        let assumed = [Assumed { file: "a.c".to_owned(), line, condition: condition.to_owned() }];
        let result = read(&["a.c".to_owned()], &Options::default(), &assumed, &One(TEXT), &mut sources);
        result.map(|(program, assumptions)| (program, assumptions, sources.clone())).map_err(|errors| {
            let at = errors[0].span.map(|span| sources.position(span).to_string()).unwrap_or_default();
            format!("{at} {}", errors[0].message)
        })
    }

    #[test]
    fn an_assumption_moves_nothing() {
        for (line, text) in
            [(4, "int n = nondet_int();"), (5, "if (n > 3)"), (6, "n = 1"), (8, "n++"), (10, "return n;")]
        {
            let (program, assumptions, sources) = read_with(line, "1").expect("it is C");
            let span = assumptions[0].span;
            assert!(sources.text(span).starts_with(text.split(' ').next().unwrap()), "{line}: {}", sources.text(span));
            assert_eq!(sources.position(span).line, line);
            let returns = program.sites.iter().find(|site| site.name == "n").expect("n is an input");
            assert_eq!(sources.position(returns.span).line, 4);
            let spans = program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.statements).map(|s| s.span);
            let lines: Vec<u32> =
                spans.map(|span| sources.position(span)).filter(|at| at.file == "a.c").map(|at| at.line).collect();
            assert!(lines.iter().all(|line| *line <= 11), "{lines:?}");
        }
    }

    fn read_reaching_at(line: u32, condition: &str) -> Result<(Program, Option<ClaimId>), String> {
        let mut sources = Sources::new();
        let reached = Assumed { file: "a.c".to_owned(), line, condition: condition.to_owned() };
        let files = ["a.c".to_owned()];
        let read = read_reaching(&files, &Options::default(), &[], Some(&reached), &One(TEXT), &mut sources);
        read.map(|(program, _, claim)| (program, claim)).map_err(|errors| errors[0].message.clone())
    }

    #[test]
    fn what_is_to_be_reached_is_claimed_never_to_be() {
        let (program, claim) = read_reaching_at(10, "n == 2").expect("it is C");
        let claim = &program.claims[claim.expect("there is a claim").index()];
        assert_eq!((claim.kind, claim.function.as_str()), (ClaimKind::Assertion, "main"));
        assert_eq!(claim.text, "!(n == 2)");
        let error = read_reaching_at(1, "n").map(|_| ()).unwrap_err();
        assert_eq!(error, "--reach 'a.c:1': no statement starts at that line");
    }

    #[test]
    fn errors_are_those_of_the_assumption() {
        assert!(read_with(5, "m > 0").unwrap_err().starts_with("--assume 'a.c:5':1:1 "));
        assert!(read_with(5, "n >").unwrap_err().starts_with("--assume 'a.c:5':"));
        assert_eq!(read_with(1, "n").unwrap_err(), " --assume 'a.c:1': no statement starts at that line");
        assert_eq!(read_with(5, "n); (n").unwrap_err(), " --assume 'a.c:5': `n); (n` is not one expression");
        let mut sources = Sources::new();
        let assumed = [Assumed { file: "b.c".to_owned(), line: 1, condition: "1".to_owned() }];
        let errors = read(&["a.c".to_owned()], &Options::default(), &assumed, &One(TEXT), &mut sources).unwrap_err();
        assert_eq!(errors[0].message, "--assume 'b.c:1': there is no such file");
    }
}
