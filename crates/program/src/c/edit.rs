//! Edits of a program: small changes of the user's text, each with what it does to the tree.
//!
//! A family of edits is a file each. Whoever wants to know what an edited program does need mostly not read the text again: the tree is
//! changed and lowered, and every span stays that of the text before the edit. What is told of an edit must be shown of the edited
//! text, since a change of the tree that says something else than the text would be an error of ours.
//!
//! What the tree does not have (macros, types as they are written) is edited in the text, which is read again (`reread`): that costs
//! more, so there should be few of these.
//!
//! Assertions, assumptions, inputs and functions that are trusted are never edited, nor is what stands in a header of the system.

mod added;
mod constants;
mod declared;
mod defines;
mod first;
mod ground;
pub mod guards;
mod jumps;
mod left_out;
mod names;
mod near;
mod numbers;
mod offsets;
mod operators;
mod order;
mod printed;
mod reread;
mod scanned;
mod sibling;
mod steps;
mod survey;
mod terms;
mod together;
mod truths;
mod types;
mod words;

use std::collections::{HashMap, HashSet};

use super::tree::{Expr, ExprId, ExprKind, Function, Stmt, StmtId, StmtKind, Tree};
use super::{Errors, Loader, Options, lower};
use crate::program::{Program, TypeId};
use crate::source::{FileId, Sources, Span};
use ground::{Ground, Where};
use survey::{Place, Spot, Survey};
pub use together::Together;

/// Which edits are wanted.
pub struct Wanted<'a> {
    /// Functions that are never edited.
    pub trusted: &'a dyn Fn(&str) -> bool,
    /// What stands within functions is edited on these lines only; none: everywhere.
    pub lines: Option<&'a HashSet<(FileId, u32)>>,
    /// Whether arrays may get longer.
    pub longer: bool,
}

/// What kind of change an edit is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Another operator, one more or one less.
    Operator,
    /// Another constant.
    Constant,
    /// Another variable, field or function; arguments swapped; one more or one less than it.
    Name,
    /// Something is left out.
    LeftOut,
    /// A condition or a statement is added.
    Added,
    /// It is computed in another type.
    Type,
    /// Another text is printed.
    Printed,
    /// Two things the other way round.
    Order,
    /// Lines are as they were in the reference.
    Undone,
}

impl Family {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Family::Operator => "operator",
            Family::Constant => "constant",
            Family::Name => "name",
            Family::LeftOut => "left-out",
            Family::Added => "added",
            Family::Type => "type",
            Family::Printed => "printed",
            Family::Order => "order",
            Family::Undone => "undone",
        }
    }
}

/// Text that is replaced.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TextEdit {
    /// What goes.
    pub span: Span,
    /// What comes.
    pub new: String,
}

/// One edit.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What kind of change it is.
    pub family: Family,
    /// The change of the text.
    pub text: TextEdit,
    /// The function that is changed.
    pub function: String,
    /// How unlikely it is to be what was meant, beside others that do the same: the slip of a key costs least.
    pub cost: u32,
    /// The whole value or condition that the edit is in, where it only has another value.
    pub whole: Option<Span>,
    /// The type that this value is converted to, where the text does not say so.
    pub cast: Option<String>,
    /// Whether only the truth of that value is used.
    pub is_condition: bool,
    /// When it has another value, in the words of the text around it.
    pub local: Option<String>,
    /// Where the program may do something else with it.
    pub uses: Vec<Span>,
    /// What is changed wherever it is used: the name of a macro or of a type.
    pub shared: Option<String>,
    /// The expression that is edited.
    edited: Option<Span>,
    /// What stands elsewhere and is said here once more.
    borrowed: Vec<Span>,
    /// The condition or truth that the edit is in, where all that it does is to turn that: its number of a function, and what it is.
    turns: Option<(u32, ExprId)>,
    /// Whether it matters outside of functions: what objects start with, or how large they are.
    outside: bool,
    /// What becomes of the tree, with the number of the function that is changed; a function of a header has as many copies as files
    /// include it. None where the text must be read again.
    changes: Vec<(u32, Change)>,
}

impl Edit {
    /// Whether what is edited is the whole value or condition.
    pub fn is_whole(&self) -> bool {
        self.whole.is_some() && self.whole == self.edited
    }

    /// The condition or truth, as a function has it, which is all that the edit may turn.
    pub fn turns(&self) -> Option<(u32, u32)> {
        let (function, root) = self.turns.filter(|_| self.changes.len() == 1)?;
        Some((function, root.0))
    }

    /// Whether two edits can be made together: neither changes what the other does.
    pub fn goes_with(&self, other: &Edit) -> bool {
        let (one, two) = (self.text.span, other.text.span);
        let borrows = |edit: &Edit, span: Span| edit.borrowed.iter().any(|borrowed| borrowed.contains(span));
        let is_apart = one.file != two.file || one.start != two.start && (one.end <= two.start || two.end <= one.start);
        let has = |id: ExprId| other.changes.iter().flat_map(|(_, of)| &of.exprs).any(|(own, _)| *own == id);
        let has_stmt = |id: StmtId| other.changes.iter().flat_map(|(_, of)| &of.stmts).any(|(own, _)| *own == id);
        is_apart
            && !borrows(self, two)
            && !borrows(other, one)
            && !self.changes.iter().flat_map(|(_, of)| &of.exprs).any(|(id, _)| has(*id))
            && !self.changes.iter().flat_map(|(_, of)| &of.stmts).any(|(id, _)| has_stmt(*id))
    }

    /// Whether two edits are of the same function.
    pub fn is_beside(&self, other: &Edit) -> bool {
        self.changes.iter().any(|(of, _)| other.changes.iter().any(|(own, _)| of == own))
    }

    /// Whether what is edited is the initial value of something that no function declares, or matters to one.
    pub fn is_outside_functions(&self) -> bool {
        self.outside
    }

    /// Whether what it does is only known when the text is read again.
    pub fn needs_reading(&self) -> bool {
        self.changes.is_empty()
    }
}

/// The same as a change of the tree. Ids of what is added follow those of the tree.
#[derive(Clone, Default, Debug)]
struct Change {
    added_exprs: Vec<Expr>,
    added_stmts: Vec<Stmt>,
    exprs: Vec<(ExprId, Expr)>,
    stmts: Vec<(StmtId, Stmt)>,
}

/// A program whose edits can be executed.
pub struct Editable {
    tree: Tree,
    options: Options,
    files: Vec<String>,
    /// What may be printed instead, where tests or another program say what must be.
    printed: printed::Prepared,
}

/// Where two programs print, each call that reads or prints is lowered with a model of its own, many times as long as the call.
const CONSOLE_WEIGHT: usize = 16;

impl Editable {
    /// Reads files as one program.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn read(
        files: &[String],
        options: &Options,
        loader: &dyn Loader,
        sources: &mut Sources,
    ) -> Result<Editable, Errors> {
        let mut tree = super::tree(files, options, loader, sources)?;
        let reference = options.reference.as_ref().filter(|reference| reference.programs);
        let printed = match (options.tests(), reference) {
            (Some(trials), _) => printed::prepare(&mut tree, sources, trials),
            (None, Some(reference)) => printed::prepare_from(reference, &mut tree, sources),
            (None, None) => printed::Prepared::default(),
        };
        Ok(Editable { tree, options: options.clone(), files: files.to_vec(), printed })
    }

    /// Every edit that is wanted, each change of the text once.
    pub fn edits(&self, sources: &Sources, wanted: &Wanted) -> Vec<Edit> {
        let survey = Survey::of(&self.tree, sources, &self.options, wanted.trusted);
        let mut drafts = Drafts {
            tree: &self.tree,
            survey: &survey,
            lines: wanted.lines,
            entry: self.options.harness(),
            tests: self.options.tests().is_some(),
            edits: Vec::new(),
            seen: HashMap::new(),
        };
        operators::propose(&mut drafts);
        constants::propose(&mut drafts);
        names::propose(&mut drafts);
        offsets::propose(&mut drafts);
        left_out::propose(&mut drafts);
        types::propose(&mut drafts);
        added::propose(&mut drafts);
        sibling::propose(&mut drafts);
        jumps::propose(&mut drafts);
        if drafts.tests {
            order::propose(&mut drafts);
            first::propose(&mut drafts);
            numbers::propose(&mut drafts);
            scanned::propose(&mut drafts);
            steps::propose(&mut drafts, self.printed.line_end());
        }
        printed::propose(&mut drafts, &self.printed);
        let ground = Ground::of(&survey, self.options.harness());
        defines::propose(&mut drafts, &ground);
        declared::propose(&mut drafts, &ground);
        if wanted.longer {
            declared::longer(&mut drafts, &ground);
        }
        for edit in drafts.edits.iter_mut().filter(|edit| edit.needs_reading()) {
            edit.outside = edit.uses.iter().any(|at| ground.place(*at) == Where::Outside);
            if let Where::Head(number) | Where::Body(number) = ground.place(edit.text.span) {
                edit.function = self.tree.functions[number as usize].name.clone();
            }
        }
        drafts.edits
    }

    /// Lines of jumps and cases in functions that have some of these lines, of the ends of these functions, and of an `if` that has taken an
    /// `else` from another: they are no steps of a run, so that it is not known whether runs come to them, or would.
    pub fn quiet_lines(&self, sources: &Sources, executed: &HashSet<(FileId, u32)>) -> HashSet<(FileId, u32)> {
        let line = |file: FileId, at: u32| (file, sources.physical_line(file, at));
        let whole = |function: &Function| Span::new(function.span.file, function.span.start, function.end.end);
        let users = self.tree.functions.iter().filter(|function| function.body.is_some() && !function.system);
        let is_executed = |whole: &Span| {
            let ((file, first), (_, last)) = (line(whole.file, whole.start), line(whole.file, whole.end));
            (first..=last).any(|line| executed.contains(&(file, line)))
        };
        let executed: Vec<Span> = users.map(whole).filter(is_executed).collect();
        let taking = |stmt: &Stmt| match stmt.kind {
            StmtKind::If { then, otherwise: None, .. } => Some(then),
            _ => None,
        };
        let takers: HashSet<StmtId> = self.tree.stmts.iter().filter_map(taking).collect();
        let is_quiet = |(number, stmt): &(u32, &Stmt)| {
            use StmtKind::{Break, Case, Continue, Default, Goto, If};
            let kind = match stmt.kind {
                Break | Continue | Goto(_) | Case { .. } | Default(_) => true,
                If { otherwise, .. } => otherwise.is_some() && takers.contains(&StmtId(*number)),
                _ => false,
            };
            kind && executed.iter().any(|function| function.contains(stmt.span))
        };
        let quiet = (0..).zip(&self.tree.stmts).filter(is_quiet).map(|(_, stmt)| line(stmt.span.file, stmt.span.start));
        quiet.chain(executed.iter().map(|function| line(function.file, function.end - 1))).collect()
    }

    /// About how much is lowered to know what an edit does, in bytes of text.
    pub fn weight(&self, edit: &Edit) -> usize {
        let of_functions = || edit.changes.iter().map(|(of, _)| length(&self.tree.functions[*of as usize])).sum();
        let written: usize = if self.goes_together(edit) { of_functions() } else { self.weight_of_all() };
        if self.options.console.is_some() { written * CONSOLE_WEIGHT } else { written }
    }

    /// The same for the whole program.
    pub fn weight_of_all(&self) -> usize {
        self.tree.functions.iter().filter(|function| !function.system).map(length).sum()
    }

    /// The integers that the text of the user has.
    pub fn numbers(&self) -> Vec<u128> {
        let users = self.tree.functions.iter().filter(|function| !function.system).map(|function| function.span.file);
        let users: HashSet<_> = users.collect();
        let constants = self.tree.exprs.iter().filter(|expr| users.contains(&expr.span.file));
        let mut found: Vec<u128> = constants
            .filter_map(|expr| match expr.kind {
                ExprKind::Const(value) => Some(value),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The program with some edits made; none makes the program as it is.
    ///
    /// # Errors
    ///
    /// What cannot be lowered.
    pub fn lowered(&self, edits: &[&Edit], sources: &Sources) -> Result<Program, Errors> {
        let mut tree = self.tree.clone();
        for (_, change) in edits.iter().flat_map(|edit| &edit.changes) {
            change.apply(&mut tree, &self.tree);
        }
        Ok(lower::lowered(&tree, &self.options, sources)?.0)
    }
}

/// Bytes of a function's text.
fn length(function: &Function) -> usize {
    function.end.end.saturating_sub(function.span.start) as usize
}

impl Change {
    /// The parts of the tree that it uses beyond those that it replaces.
    fn borrowed(&self, tree: &Tree) -> Vec<Span> {
        let exprs = self.exprs.iter().map(|(_, expr)| expr).chain(&self.added_exprs);
        let stmts: Vec<&Stmt> = self.stmts.iter().map(|(_, stmt)| stmt).chain(&self.added_stmts).collect();
        let used = exprs.flat_map(|expr| expr.kind.operands()).chain(stmts.iter().flat_map(|stmt| stmt.kind.exprs()));
        let used = used.filter_map(|id| tree.exprs.get(id.0 as usize)).map(|expr| expr.span);
        let parts = stmts.iter().flat_map(|stmt| stmt.kind.parts());
        let parts = parts.filter_map(|id| tree.stmts.get(id.0 as usize)).map(|stmt| stmt.span);
        let own = self.exprs.iter().map(|(id, _)| tree.expr(*id).span);
        let own: Vec<Span> = own.chain(self.stmts.iter().map(|(id, _)| tree.stmt(*id).span)).collect();
        used.chain(parts).filter(|span| !own.iter().any(|own| own.contains(*span))).collect()
    }

    /// Several changes as one.
    fn joined(changes: &[&Change], before: &Tree) -> Change {
        let mut joined = Change::default();
        for change in changes {
            let (exprs, stmts) = (before.exprs.len() as u32, before.stmts.len() as u32);
            let (more_exprs, more_stmts) = (joined.added_exprs.len() as u32, joined.added_stmts.len() as u32);
            let moved = Moved { exprs: (exprs, exprs + more_exprs), stmts: (stmts, stmts + more_stmts) };
            joined.added_exprs.extend(change.added_exprs.iter().map(|expr| moved.expr(expr)));
            joined.added_stmts.extend(change.added_stmts.iter().map(|stmt| moved.stmt(stmt)));
            joined.exprs.extend(change.exprs.iter().map(|(id, expr)| (*id, moved.expr(expr))));
            joined.stmts.extend(change.stmts.iter().map(|(id, stmt)| (*id, moved.stmt(stmt))));
        }
        joined
    }

    /// Makes the change; `before` is the tree that it was drafted for.
    fn apply(&self, tree: &mut Tree, before: &Tree) {
        let exprs = (before.exprs.len() as u32, tree.exprs.len() as u32);
        let stmts = (before.stmts.len() as u32, tree.stmts.len() as u32);
        let moved = Moved { exprs, stmts };
        tree.exprs.extend(self.added_exprs.iter().map(|expr| moved.expr(expr)));
        tree.stmts.extend(self.added_stmts.iter().map(|stmt| moved.stmt(stmt)));
        for (id, expr) in &self.exprs {
            tree.exprs[id.0 as usize] = moved.expr(expr);
        }
        for (id, stmt) in &self.stmts {
            tree.stmts[id.0 as usize] = moved.stmt(stmt);
        }
    }
}

/// Where ids of what was added have gone, if another change came before.
struct Moved {
    exprs: (u32, u32),
    stmts: (u32, u32),
}

impl Moved {
    fn expr(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        if self.exprs.0 != self.exprs.1 {
            expr.kind.map_operands(&mut |id| self.expr_id(id));
        }
        expr
    }

    fn expr_id(&self, id: ExprId) -> ExprId {
        if id.0 < self.exprs.0 { id } else { ExprId(id.0 - self.exprs.0 + self.exprs.1) }
    }

    fn stmt_id(&self, id: StmtId) -> StmtId {
        if id.0 < self.stmts.0 { id } else { StmtId(id.0 - self.stmts.0 + self.stmts.1) }
    }

    fn stmt(&self, stmt: &Stmt) -> Stmt {
        let mut stmt = stmt.clone();
        stmt.kind.map_parts(&mut |id| self.expr_id(id), &mut |id| self.stmt_id(id));
        stmt
    }
}

/// The edits so far.
struct Drafts<'t> {
    tree: &'t Tree,
    survey: &'t Survey<'t>,
    /// The lines on which edits are wanted, if not everywhere.
    lines: Option<&'t HashSet<(FileId, u32)>>,
    /// The entry function.
    entry: &'t str,
    /// Whether tests say what inputs are.
    tests: bool,
    edits: Vec<Edit>,
    /// Which edit makes a change of the text.
    seen: HashMap<TextEdit, usize>,
}

impl<'t> Drafts<'t> {
    /// The expressions that may be edited where edits are wanted.
    fn spots(&self) -> Vec<&'t Spot> {
        let span = |spot: &Spot| self.survey.span(spot.expr);
        self.survey.spots.iter().filter(|spot| self.is_wanted(spot.function, span(spot))).collect()
    }

    /// The same of statements.
    fn places(&self) -> Vec<&'t Place> {
        let span = |place: &Place| self.tree.stmt(place.stmt).span;
        self.survey.places.iter().filter(|place| self.is_wanted(place.function, span(place))).collect()
    }

    /// Whether edits are wanted on some line of what stands in a function; what stands in none is wanted.
    fn is_wanted(&self, function: u32, span: Span) -> bool {
        let is_within = (function as usize) < self.tree.functions.len();
        let of = |at: u32| self.survey.sources.physical_line(span.file, at);
        let any = |lines: &HashSet<_>| (of(span.start)..=of(span.end)).any(|line| lines.contains(&(span.file, line)));
        !is_within || self.lines.is_none_or(any)
    }

    /// An edit, if no other makes the same text.
    fn push(&mut self, family: Family, function: u32, text: TextEdit, change: Change) {
        self.push_local(family, function, text, change, None);
    }

    /// The same, with when the edited expression has another value.
    fn push_local(&mut self, family: Family, of: u32, text: TextEdit, change: Change, local: Option<String>) {
        let old = self.survey.sources.text(text.span);
        let start = Span::new(text.span.file, text.span.start, text.span.start);
        if old == text.new || !self.is_wanted(of, start) {
            return;
        }
        if let Some(known) = self.seen.get(&text) {
            return self.join(*known, of, change);
        }
        self.seen.insert(text.clone(), self.edits.len());
        // Few tests tell an order from a question whether two are equal, which is rarely what was mistaken for one.
        let is_order = family == Family::Operator && old == "==" && matches!(&*text.new, "<" | "<=" | ">" | ">=");
        let cost = cost(family, old, &text.new) + u32::from(self.tests && is_order);
        let function = self.tree.functions.get(of as usize).map_or(String::new(), |of| of.name.clone());
        let (whole, is_condition, cast) = match (&change.exprs[..], &change.stmts[..]) {
            ([(e, _)], []) if !function.is_empty() => self.survey.compared(*e),
            _ => (None, false, None),
        };
        let edited = change.exprs.first().map(|(e, _)| self.tree.expr(*e).span);
        let borrowed = change.borrowed(self.tree);
        let turns = self.survey.turned(&change).map(|root| (of, root)).filter(|_| !function.is_empty());
        let (uses, shared, outside, changes) = (vec![text.span], None, function.is_empty(), vec![(of, change)]);
        self.edits.push(Edit {
            family,
            text,
            function,
            cost,
            whole,
            cast,
            is_condition,
            local,
            uses,
            shared,
            edited,
            borrowed,
            turns,
            outside,
            changes,
        });
    }

    /// The same change of the text in another copy of what a header has.
    fn join(&mut self, known: usize, of: u32, change: Change) {
        let tree = self.tree;
        let changes = &mut self.edits[known].changes;
        let is_copy = match (tree.functions.get(of as usize), changes.first()) {
            (Some(own), Some((first, _))) => {
                tree.functions.get(*first as usize).is_some_and(|other| other.span == own.span)
                    && changes.iter().all(|(other, _)| *other != of)
            }
            (None, Some(_)) => {
                let id = |change: &Change| change.exprs.first().map(|(e, _)| *e);
                changes.iter().all(|(other, earlier)| *other == of && id(earlier) != id(&change))
            }
            (_, None) => false,
        };
        if is_copy {
            changes.push((of, change));
        }
    }

    /// A change of the text that must be read again.
    fn push_text(&mut self, family: Family, text: TextEdit, cost: u32, uses: Vec<Span>, shared: Option<String>) {
        if self.survey.sources.text(text.span) == text.new || self.seen.contains_key(&text) {
            return;
        }
        self.seen.insert(text.clone(), self.edits.len());
        self.edits.push(Edit {
            family,
            text,
            function: String::new(),
            cost,
            whole: None,
            cast: None,
            is_condition: false,
            local: None,
            uses,
            shared,
            edited: None,
            borrowed: Vec::new(),
            turns: None,
            outside: false,
            changes: Vec::new(),
        });
    }

    /// A change of the tree to be filled.
    fn draft(&self) -> Draft<'t> {
        Draft { tree: self.tree, change: Change::default() }
    }
}

/// How unlikely an edit is to be what was meant.
fn cost(family: Family, old: &str, new: &str) -> u32 {
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    match family {
        // `<` for `<=` and the like.
        Family::Operator if old.len() <= 2 && (old.contains(new) || new.contains(old)) => 1,
        Family::Operator if old.len() <= 2 => 2,
        Family::Operator => 3,
        Family::Constant if matches!(old, "true" | "false") => 2,
        Family::Constant if is_number(old) != is_number(new) => 6,
        Family::Constant => match (old.parse::<i64>(), new.parse::<i64>()) {
            (Ok(old), Ok(new)) if old.abs_diff(new) == 1 => 2,
            _ => 4,
        },
        Family::Name => 3,
        Family::Type => 4,
        Family::Printed | Family::Order | Family::Undone => 2,
        Family::LeftOut if old.contains(';') => 6 + old.len() as u32 / 40,
        Family::LeftOut => 4,
        Family::Added if new.contains(';') => 7,
        Family::Added => 5,
    }
}

/// A change of the tree under work.
struct Draft<'t> {
    tree: &'t Tree,
    change: Change,
}

impl Draft<'_> {
    /// A new value.
    fn value(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.expr(Expr { kind, ty, span, volatile: false, align: 1 })
    }

    fn expr(&mut self, expr: Expr) -> ExprId {
        let id = ExprId((self.tree.exprs.len() + self.change.added_exprs.len()) as u32);
        self.change.added_exprs.push(expr);
        id
    }

    /// What an expression is now, under a new id, so that something else can take its place.
    fn moved(&mut self, e: ExprId) -> ExprId {
        self.expr(self.tree.expr(e).clone())
    }

    /// Something else where an expression was, of the same type.
    fn put(&mut self, e: ExprId, kind: ExprKind) {
        let expr = Expr { kind, ..self.tree.expr(e).clone() };
        self.change.exprs.push((e, expr));
    }

    /// Another expression where one was.
    fn put_expr(&mut self, e: ExprId, other: ExprId) {
        self.change.exprs.push((e, self.tree.expr(other).clone()));
    }

    fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        let id = StmtId((self.tree.stmts.len() + self.change.added_stmts.len()) as u32);
        self.change.added_stmts.push(Stmt { kind, span });
        id
    }

    /// Something else where a statement was.
    fn put_stmt(&mut self, s: StmtId, kind: StmtKind) {
        self.change.stmts.push((s, Stmt { kind, span: self.tree.stmt(s).span }));
    }

    fn done(self) -> Change {
        self.change
    }
}
