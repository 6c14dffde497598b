//! Places where a condition may be missing that stands nowhere in the program: a part of a condition, a guard of a statement, an early way
//! out, a special case that sets something.
//!
//! A gap is such a place with its condition left open. Whoever looks for the condition asks for the gap with a script in its place: bits
//! that say at which arrivals the condition is other than if nothing were missing, and, if wanted, every value in scope is taken down at each
//! arrival. What is found is an edit like others. (Compare Xuan et al., "Nopol: automatic repair of conditional statement bugs in Java
//! programs", TSE 2017.)

use std::collections::{HashMap, HashSet};

use super::added::used;
use super::printed::Prepared;
use super::survey::{Place, Spot, Survey, Use};
use super::terms::{Maker, leaves, numbers, terms};
use super::truths::Truths;
use super::{Drafts, Edit, Editable, Family, TextEdit};
use crate::c::tree::{Binary, ExprId, ExprKind, Object, ObjectId, ObjectKind, StmtId, StmtKind, StorageDuration, Tree};
use crate::program::{Program, StatementKind, Type, TypeId};
use crate::source::{Sources, Span};

pub use super::terms::{Atom, Condition, Number, Relation, Right, Term, TermKind};

/// So many values are tried for what a statement returns or sets.
const MOST_VALUES: usize = 16;
/// The script, and what is seen: names that no program has.
const SCRIPT: &str = "__nearmiss_script";
const SEEN: &str = "__nearmiss_seen";

/// A place where a condition may be missing.
#[derive(Clone, Debug)]
pub struct Gap {
    /// Where.
    pub span: Span,
    /// The truth of the condition with which the program is as it was.
    pub neutral: bool,
    /// How unlikely it is that something like this was forgotten.
    pub cost: u32,
    /// Which of [`Gaps::terms`] its condition may speak of.
    pub terms: usize,
    function: u32,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    /// A conjunct or disjunct, before or behind what is there.
    Part { expr: ExprId, and: bool, before: bool },
    /// `if (…) statement`.
    Guard { stmt: StmtId },
    /// `if (…) action`, before or behind a statement.
    Case { stmt: StmtId, block: StmtId, before: bool, action: Action },
}

/// What a missing case does.
#[derive(Clone, Debug)]
enum Action {
    /// What stands elsewhere.
    Copy(StmtId),
    Break,
    Continue,
    Return(Value),
    /// The target as it stands elsewhere.
    Set(ExprId, Value),
}

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Number(u128, String),
    Variable(ObjectId),
}

/// What is taken down where a gap is come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watching {
    /// Nothing.
    Nothing,
    /// All terms, but 0 for those that call something.
    Uncalled,
    /// All terms.
    All,
}

/// All gaps of a program.
pub struct Gaps<'t> {
    survey: Survey<'t>,
    entry: &'t str,
    int: TypeId,
    /// Them.
    pub gaps: Vec<Gap>,
    /// What conditions may speak of, by scope.
    pub terms: Vec<Vec<Term>>,
    /// The numbers of the program.
    pub numbers: Vec<Number>,
}

/// The script's and the seen value's object and type in a tree with both.
fn script_of(tree: &Tree) -> (ObjectId, ObjectId, TypeId) {
    let is_wide = |ty: &Type| matches!(ty, Type::Integer { bits: 64, signed: true, .. });
    let wide = tree.types.iter().position(is_wide).unwrap_or(tree.types.len());
    (ObjectId(tree.objects.len() as u32), ObjectId(tree.objects.len() as u32 + 1), TypeId(wide as u32))
}

impl Editable {
    /// The same program with a script: what gaps with one are lowered in.
    #[must_use]
    pub fn scripted(&self) -> Editable {
        let mut tree = self.tree.clone();
        let (_, _, wide) = script_of(&tree);
        if wide.0 as usize == tree.types.len() {
            let name = "long long".to_owned();
            tree.types.push(Type::Integer { name, bits: 64, signed: true, character: false });
        }
        let span = tree.functions.first().map_or(Span::new(crate::source::FileId(0), 0, 0), |function| function.span);
        for name in [SCRIPT, SEEN] {
            tree.objects.push(Object {
                name: name.to_owned(),
                file_scope: false,
                ty: wide,
                size: 8,
                storage: StorageDuration::Static,
                init: None,
                variable_size: None,
                span,
                kind: ObjectKind::Variable,
                read_only: false,
                system: false,
                cleanup: None,
            });
        }
        Editable { tree, options: self.options.clone(), files: self.files.clone(), printed: Prepared::default() }
    }

    /// Every place of functions that are not trusted where a condition may be missing.
    pub fn gaps<'t>(&'t self, sources: &'t Sources, trusted: &dyn Fn(&str) -> bool) -> Option<Gaps<'t>> {
        let survey = Survey::of(&self.tree, sources, &self.options, trusted);
        let (int, entry, numbers) = (survey.int()?, self.options.harness(), numbers(&survey));
        let mut gaps = Gaps { survey, entry, int, gaps: Vec::new(), terms: Vec::new(), numbers };
        gaps.find(trusted);
        Some(gaps)
    }
}

impl Editable {
    /// Two gaps for each condition or truth of [`Edit::turns`]: one that makes it false, and one that makes it true.
    pub fn turns<'t>(
        &'t self,
        sources: &'t Sources,
        trusted: &dyn Fn(&str) -> bool,
        turned: &[(u32, u32)],
    ) -> Option<Gaps<'t>> {
        let survey = Survey::of(&self.tree, sources, &self.options, trusted);
        let gap = |&(function, root): &(u32, u32), and: bool| {
            let expr = ExprId(root);
            let shape = Shape::Part { expr, and, before: true };
            Gap { span: survey.span(expr), neutral: and, cost: 0, terms: 0, function, shape }
        };
        let gaps = turned.iter().flat_map(|turned| [gap(turned, true), gap(turned, false)]).collect();
        let (int, entry) = (survey.int()?, self.options.harness());
        Some(Gaps { survey, entry, int, gaps, terms: vec![Vec::new()], numbers: Vec::new() })
    }
}

/// The number of the script among the globals of a program.
pub fn script(program: &Program) -> Option<usize> {
    program.globals.iter().position(|global| global.name == SCRIPT)
}

/// Takes away the claims that what is taken down would make.
pub fn strip(program: &mut Program) {
    for function in &mut program.functions {
        for block in &mut function.blocks {
            let is_ours =
                |kind: &StatementKind, span: Span| matches!(kind, StatementKind::Claim { .. }) && is_mark(span);
            block.statements.retain(|statement| !is_ours(&statement.kind, statement.span));
        }
    }
}

/// Whether a place in the text is that of the condition of a gap, which is not there.
pub fn is_mark(span: Span) -> bool {
    span.start == span.end
}

/// What is known while gaps are looked for.
struct Looking<'a> {
    /// Terms by function and what is in scope.
    known: HashMap<(u32, Vec<ObjectId>), usize>,
    first_set: HashMap<ObjectId, u32>,
    trusted: &'a dyn Fn(&str) -> bool,
}

/// For each local variable without initial value where it is first set, or may be.
fn first_set(tree: &Tree) -> HashMap<ObjectId, u32> {
    let mut first: HashMap<ObjectId, u32> = HashMap::new();
    let parameters: HashSet<ObjectId> =
        tree.functions.iter().flat_map(|function| &function.parameters).copied().collect();
    for (id, object) in (0..).map(ObjectId).zip(&tree.objects) {
        let is_scalar = !matches!(tree.ty(object.ty), Type::Array { .. } | Type::Record { .. });
        let is_open = object.storage == StorageDuration::Automatic && object.init.is_none();
        if is_scalar && is_open && !parameters.contains(&id) {
            first.insert(id, u32::MAX);
        }
    }
    for expr in &tree.exprs {
        if let ExprKind::Assign { target, .. } | ExprKind::AddressOf(target) = expr.kind
            && let ExprKind::Object(object) = tree.expr(target).kind
            && let Some(set) = first.get_mut(&object)
        {
            *set = (*set).min(expr.span.end);
        }
    }
    // What is never set is an input.
    first.retain(|_, set| *set < u32::MAX);
    first
}

impl Gaps<'_> {
    fn find(&mut self, trusted: &dyn Fn(&str) -> bool) {
        let tree = self.survey.tree;
        let (spots, places) = (self.survey.spots.clone(), self.survey.places.clone());
        // What the entry function does is a harness, wherever there is something else.
        let is_entry = |function: u32| tree.functions.get(function as usize).is_some_and(|of| of.name == self.entry);
        let only_entry = places.iter().all(|place| is_entry(place.function));
        let entry = self.entry.to_owned();
        let is_harness =
            |function: u32| !only_entry && tree.functions.get(function as usize).is_none_or(|of| of.name == entry);
        let truths = Truths::of(tree);
        let mut looking = Looking { known: HashMap::new(), first_set: first_set(tree), trusted };
        for spot in spots.iter().filter(|spot| !is_harness(spot.function)) {
            self.parts(spot, &truths, &mut looking);
        }
        let looped = looped(tree);
        let mut actions: HashMap<u32, Vec<(Action, Vec<ObjectId>, u32)>> = HashMap::new();
        for place in places.iter().filter(|place| !is_harness(place.function)) {
            self.guards(place, &mut looking);
            let here = actions.entry(place.function).or_insert_with(|| self.actions(place.function)).clone();
            self.cases(place, &here, &looped, &places, &mut looking);
        }
    }

    /// What a condition here may speak of: not of local variables that nothing has set yet.
    fn terms_at(&mut self, function: u32, scope: usize, here: u32, looking: &mut Looking) -> usize {
        let is_set = |object: &&ObjectId| looking.first_set.get(object).is_none_or(|set| *set <= here);
        let scope: Vec<ObjectId> = self.survey.in_scope(scope).iter().filter(is_set).copied().collect();
        *looking.known.entry((function, scope.clone())).or_insert_with(|| {
            self.terms.push(terms(&self.survey, function, &scope, looking.trusted));
            self.terms.len() - 1
        })
    }

    /// Conjuncts and disjuncts.
    fn parts(&mut self, spot: &Spot, truths: &Truths, looking: &mut Looking) {
        let survey = &self.survey;
        let kind = &survey.tree.expr(spot.expr).kind;
        let is_number = survey.tree.expr(spot.expr).ty == self.int;
        let is_truth = spot.used == Use::Truth || spot.used == Use::Value && is_number && truths.is_truth(spot.expr);
        if !is_truth || survey.text(spot.expr).is_none() || matches!(kind, ExprKind::Const(_)) {
            return;
        }
        let (span, reads_memory) = (survey.span(spot.expr), reads_memory(survey.tree, spot.expr));
        let terms = self.terms_at(spot.function, spot.scope, span.start, looking);
        for and in [true, false] {
            for before in [false, true] {
                if before && !reads_memory {
                    continue;
                }
                let shape = Shape::Part { expr: spot.expr, and, before };
                self.gaps.push(Gap { span, neutral: and, cost: 0, terms, function: spot.function, shape });
            }
        }
    }

    fn guards(&mut self, place: &Place, looking: &mut Looking) {
        let survey = &self.survey;
        let stmt = survey.tree.stmt(place.stmt);
        let text = survey.sources.text(stmt.span);
        let may_be_guarded = match &stmt.kind {
            StmtKind::Expr(e) => !survey.takes_input(*e),
            // What comes behind is what is done otherwise.
            StmtKind::Return(Some(_)) => place.block.is_some_and(|block| !is_last(survey.tree, block, place.stmt)),
            StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue => true,
            _ => false,
        };
        // An `else` behind it would become that of the guard.
        if !may_be_guarded || !text.ends_with(';') || place.block.is_none() {
            return;
        }
        let span = stmt.span;
        let terms = self.terms_at(place.function, place.scope, span.start, looking);
        let shape = Shape::Guard { stmt: place.stmt };
        self.gaps.push(Gap { span, neutral: true, cost: 1, terms, function: place.function, shape });
    }

    /// What a missing case of a function may do, with the variables that it names and its cost.
    fn actions(&self, function: u32) -> Vec<(Action, Vec<ObjectId>, u32)> {
        let (survey, tree) = (&self.survey, self.survey.tree);
        let of = &tree.functions[function as usize];
        let mut found: Vec<(Action, Vec<ObjectId>, u32)> = Vec::new();
        let mut seen = HashSet::new();
        let own = || survey.places.iter().filter(|place| place.function == function);
        for place in own() {
            let stmt = tree.stmt(place.stmt);
            let text = survey.sources.text(stmt.span);
            let is_input = matches!(stmt.kind, StmtKind::Expr(e) if survey.takes_input(e));
            let is_jump = matches!(stmt.kind, StmtKind::Break | StmtKind::Continue);
            let Some(named) = used(survey, place.stmt).filter(|_| !is_input && !is_jump) else { continue };
            if text.ends_with(';') && text.len() < 80 && seen.insert(text.to_owned()) {
                let cost = if matches!(stmt.kind, StmtKind::Return(_)) { 1 } else { 2 };
                found.push((Action::Copy(place.stmt), named, cost));
            }
        }
        found.extend([(Action::Break, Vec::new(), 1), (Action::Continue, Vec::new(), 1)]);
        let returned: Vec<u128> = own().filter_map(|place| self.returned(place.stmt)).collect();
        for value in self.values(of.returns, function) {
            let named = value.named();
            let is_returned = matches!(&value, Value::Number(number, _) if returned.contains(number));
            if !is_returned && seen.insert(format!("return {};", self.text_of(&value))) {
                found.push((Action::Return(value), named, 2));
            }
        }
        if matches!(tree.ty(of.returns), Type::Void) && seen.insert("return;".to_owned()) {
            found.push((Action::Return(Value::Number(0, String::new())), Vec::new(), 1));
        }
        for spot in survey.spots.iter().filter(|spot| spot.function == function && spot.used == Use::Target) {
            let (Some(text), Some(target)) = (survey.text(spot.expr), super::added::named(survey, spot.expr)) else {
                continue;
            };
            let is_input = matches!(tree.expr(spot.expr).kind, ExprKind::Object(object) if survey.is_input(object));
            for value in self.values(tree.expr(spot.expr).ty, function) {
                let named = target.iter().chain(&value.named()).copied().collect();
                if !is_input && seen.insert(format!("{text} = {};", self.text_of(&value))) {
                    found.push((Action::Set(spot.expr, value), named, 3));
                }
            }
        }
        found
    }

    /// The number that a statement returns.
    fn returned(&self, stmt: StmtId) -> Option<u128> {
        let tree = self.survey.tree;
        let StmtKind::Return(Some(mut e)) = tree.stmt(stmt).kind else { return None };
        while let ExprKind::Convert { operand, .. } = tree.expr(e).kind {
            e = operand;
        }
        match tree.expr(e).kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Values of a type that a case may return or set: 0, 1, names of numbers, and the function's own variables.
    fn values(&self, ty: TypeId, function: u32) -> Vec<Value> {
        let tree = self.survey.tree;
        let (bits, signed) = match tree.ty(ty) {
            Type::Integer { bits, signed, .. } | Type::Enum { bits, signed, .. } => (*bits, *signed),
            Type::Bool => (1, false),
            Type::Pointer { .. } => return vec![Value::Number(0, "0".to_owned())],
            _ => return Vec::new(),
        };
        let number = |value: i128, text: &str| {
            Value::Number(value as u128 & nearmiss_logic::width::low_bits(bits.max(8)), text.to_owned())
        };
        let mut found = vec![number(0, "0"), number(1, "1")];
        if signed {
            found.push(number(-1, "-1"));
        }
        let of = &tree.functions[function as usize];
        let is_fitting = |object: &&ObjectId| tree.object(**object).ty == ty;
        found.extend(of.parameters.iter().filter(is_fitting).map(|object| Value::Variable(*object)));
        let fits = |value: i128| value >= 0 && (bits >= 64 || value >> (bits - u32::from(signed)) == 0);
        let names = self.numbers.iter().filter(|number| number.is_name && !number.text.starts_with('\''));
        let names: Vec<Value> =
            names.filter(|of| fits(of.value)).map(|of| number(of.value, &of.text)).take(MOST_VALUES).collect();
        // `false` rather than 0.
        if matches!(tree.ty(ty), Type::Bool) && names.iter().any(|name| name.text() == Some("false")) {
            found.clear();
        }
        found.extend(names);
        found
    }

    fn text_of(&self, value: &Value) -> String {
        match value {
            Value::Number(_, text) => text.clone(),
            Value::Variable(object) => self.survey.tree.object(*object).name.clone(),
        }
    }

    fn cases(
        &mut self,
        place: &Place,
        actions: &[(Action, Vec<ObjectId>, u32)],
        looped: &HashSet<StmtId>,
        places: &[Place],
        looking: &mut Looking,
    ) {
        let (survey, tree) = (&self.survey, self.survey.tree);
        let stmt = tree.stmt(place.stmt);
        let Some(block) = place.block.filter(|_| !survey.sources.text(stmt.span).is_empty()) else { return };
        let scope = survey.in_scope(place.scope).to_vec();
        let is_label = matches!(
            stmt.kind,
            StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..) | StmtKind::ErrorLabel(..)
        );
        let next = next_to(tree, block, place.stmt);
        let is_covered = next.is_some_and(|next| places.iter().any(|other| other.stmt == next));
        let is_declaration = matches!(stmt.kind, StmtKind::Declare(_));
        let behind = next != Some(place.stmt) && !is_covered && !leaves(&stmt.kind) && !is_declaration && !is_label;
        let span = stmt.span;
        let terms = [span.start, span.end].map(|here| self.terms_at(place.function, place.scope, here, looking));
        for (action, named, cost) in actions {
            let is_same = matches!(action, Action::Copy(copied) if *copied == place.stmt);
            let is_jump = matches!(action, Action::Break | Action::Continue);
            let fits = named.iter().all(|object| scope.contains(object));
            if is_same || is_jump && !looped.contains(&place.stmt) || !fits {
                continue;
            }
            for before in [true, false] {
                if if before { is_label } else { !behind } {
                    continue;
                }
                let shape = Shape::Case { stmt: place.stmt, block, before, action: action.clone() };
                let (terms, function) = (terms[usize::from(!before)], place.function);
                self.gaps.push(Gap { span, neutral: false, cost: *cost, terms, function, shape });
            }
        }
    }

    /// The gap with this condition.
    pub fn filled(&self, gap: &Gap, condition: &Condition) -> Option<Edit> {
        let mut drafts = self.drafts();
        let mut draft = drafts.draft();
        let mut maker = Maker { survey: &self.survey, draft: &mut draft, span: gap.span, int: self.int };
        let (asked, text) = maker.condition(condition, &self.terms[gap.terms], &self.numbers);
        let opposite = maker.condition(&condition.opposite(), &self.terms[gap.terms], &self.numbers).1;
        self.put(gap, &mut draft, asked);
        let (text, local) = self.text(gap, &text, &opposite, condition)?;
        drafts.push_local(Family::Added, gap.function, text, draft.done(), Some(local));
        let mut edit = drafts.edits.pop()?;
        // It is told by what holds at the place.
        edit.whole = None;
        edit.cost = 8 + gap.cost + condition.atoms.len() as u32 * 2;
        Some(edit)
    }

    /// The gap with the script, and with all values taken down before it, if that is wanted.
    pub fn forced(&self, gap: &Gap, watching: Watching) -> Option<Edit> {
        let mut drafts = self.drafts();
        let mut draft = drafts.draft();
        let (script, seen, wide) = script_of(self.survey.tree);
        let mark = Span::new(gap.span.file, gap.span.start, gap.span.start);
        let int = self.int;
        let mut asked = {
            let target = draft.value(ExprKind::Object(script), wide, mark);
            let now = draft.value(ExprKind::Load(target), wide, mark);
            let one = draft.value(ExprKind::Const(1), int, mark);
            let rest = draft.value(ExprKind::Binary(Binary::ShiftRight, now, one), wide, mark);
            let next = draft.value(ExprKind::Assign { target, value: rest }, wide, mark);
            let one = draft.value(ExprKind::Const(1), wide, mark);
            let bit = draft.value(ExprKind::Binary(Binary::And, next, one), wide, mark);
            let not = draft.value(ExprKind::LogicalNot(bit), int, mark);
            if gap.neutral { not } else { draft.value(ExprKind::LogicalNot(not), int, mark) }
        };
        let terms: &[Term] = if watching == Watching::Nothing { &[] } else { &self.terms[gap.terms] };
        for term in terms.iter().rev() {
            let value = {
                let mut maker = Maker { survey: &self.survey, draft: &mut draft, span: mark, int };
                let value = maker.seen(term, watching == Watching::All);
                maker.converted(value, wide)
            };
            let target = draft.value(ExprKind::Object(seen), wide, mark);
            let set = draft.value(ExprKind::Assign { target, value }, wide, mark);
            asked = draft.value(ExprKind::Comma(set, asked), int, mark);
        }
        self.put(gap, &mut draft, asked);
        let text = TextEdit { span: gap.span, new: SCRIPT.to_owned() };
        drafts.push(Family::Added, gap.function, text, draft.done());
        drafts.edits.pop()
    }

    fn drafts(&self) -> Drafts<'_> {
        let (tree, survey, entry) = (self.survey.tree, &self.survey, self.entry);
        Drafts { tree, survey, lines: None, entry, tests: true, edits: Vec::new(), seen: HashMap::new() }
    }

    /// The change of the tree that asks for this.
    fn put(&self, gap: &Gap, draft: &mut super::Draft, asked: ExprId) {
        let (tree, int, span) = (self.survey.tree, self.int, gap.span);
        match &gap.shape {
            Shape::Part { expr, and, before } => {
                let own = draft.moved(*expr);
                let (x, y) = if *before { (asked, own) } else { (own, asked) };
                let mut outer = tree.expr(*expr).clone();
                outer.ty = int;
                outer.kind = if *and { ExprKind::LogicalAnd(x, y) } else { ExprKind::LogicalOr(x, y) };
                draft.change.exprs.push((*expr, outer));
            }
            Shape::Guard { stmt } => {
                let then = draft.stmt(tree.stmt(*stmt).kind.clone(), span);
                draft.put_stmt(*stmt, StmtKind::If { condition: asked, then, otherwise: None });
            }
            Shape::Case { stmt, block, before, action } => {
                let kind = self.action(action, draft, span, gap.function);
                let then = draft.stmt(kind, span);
                let case = draft.stmt(StmtKind::If { condition: asked, then, otherwise: None }, span);
                match &tree.stmt(*block).kind {
                    StmtKind::Block(parts) if parts.contains(stmt) => {
                        let at = parts.iter().position(|part| part == stmt).unwrap_or(0);
                        let mut parts = parts.clone();
                        parts.insert(at + usize::from(!*before), case);
                        draft.put_stmt(*block, StmtKind::Block(parts));
                    }
                    _ => {
                        let own = draft.stmt(tree.stmt(*stmt).kind.clone(), span);
                        draft.put_stmt(*stmt, StmtKind::Block(if *before { vec![case, own] } else { vec![own, case] }));
                    }
                }
            }
        }
    }

    fn action(&self, action: &Action, draft: &mut super::Draft, span: Span, function: u32) -> StmtKind {
        let tree = self.survey.tree;
        match action {
            Action::Copy(stmt) => tree.stmt(*stmt).kind.clone(),
            Action::Break => StmtKind::Break,
            Action::Continue => StmtKind::Continue,
            Action::Return(Value::Number(_, text)) if text.is_empty() => StmtKind::Return(None),
            Action::Return(value) => {
                let value = self.value(value, tree.functions[function as usize].returns, draft, span);
                StmtKind::Return(Some(value))
            }
            Action::Set(target, value) => {
                let ty = tree.expr(*target).ty;
                let value = self.value(value, ty, draft, span);
                let target = draft.moved(*target);
                StmtKind::Expr(draft.value(ExprKind::Assign { target, value }, ty, span))
            }
        }
    }

    fn value(&self, value: &Value, ty: TypeId, draft: &mut super::Draft, span: Span) -> ExprId {
        match value {
            Value::Number(bits, _) => draft.value(ExprKind::Const(*bits), ty, span),
            Value::Variable(object) => {
                let place = draft.value(ExprKind::Object(*object), ty, span);
                draft.value(ExprKind::Load(place), ty, span)
            }
        }
    }

    /// The change of the text, and when it makes a difference.
    fn text(&self, gap: &Gap, asked: &str, opposite: &str, condition: &Condition) -> Option<(TextEdit, String)> {
        let survey = &self.survey;
        let several = condition.atoms.len() > 1;
        let own = survey.sources.text(gap.span);
        match &gap.shape {
            Shape::Part { expr, and, before } => {
                let kind = &survey.tree.expr(*expr).kind;
                let mixes = matches!(
                    (kind, and),
                    (ExprKind::LogicalOr(..), true)
                        | (ExprKind::LogicalAnd(..), false)
                        | (ExprKind::Conditional { .. } | ExprKind::Assign { .. }, _)
                );
                let left = if mixes { format!("({own})") } else { own.to_owned() };
                let right = if several && condition.any == *and { format!("({asked})") } else { asked.to_owned() };
                let sign = if *and { "&&" } else { "||" };
                let new = if *before { format!("{right} {sign} {left}") } else { format!("{left} {sign} {right}") };
                let operand = survey.operand(*expr)?;
                let wrapped =
                    |text: &str, any: bool| if several && any { format!("({text})") } else { text.to_owned() };
                let local = match and {
                    true => format!("{operand} && {}", wrapped(opposite, !condition.any)),
                    false => format!("!{operand} && {}", wrapped(asked, condition.any)),
                };
                Some((TextEdit { span: gap.span, new: survey.fitting(gap.span, new) }, local))
            }
            Shape::Guard { .. } => {
                let new = format!("if ({asked}){}{own}", self.inner_break(gap.span));
                Some((TextEdit { span: gap.span, new }, opposite.to_owned()))
            }
            Shape::Case { before, action, .. } => {
                let done = self.action_text(action);
                let (at, inner) = (gap.span, self.inner_break(gap.span));
                let outer = self.line_break(at);
                let (span, new) = match before {
                    true => (Span::new(at.file, at.start, at.start), format!("if ({asked}){inner}{done}{outer}")),
                    false => (Span::new(at.file, at.end, at.end), format!("{outer}if ({asked}){inner}{done}")),
                };
                Some((TextEdit { span, new }, asked.to_owned()))
            }
        }
    }

    fn action_text(&self, action: &Action) -> String {
        let survey = &self.survey;
        match action {
            Action::Copy(stmt) => survey.sources.text(survey.tree.stmt(*stmt).span).to_owned(),
            Action::Break => "break;".to_owned(),
            Action::Continue => "continue;".to_owned(),
            Action::Return(value) => match self.text_of(value) {
                text if text.is_empty() => "return;".to_owned(),
                text => format!("return {text};"),
            },
            Action::Set(target, value) => {
                format!("{} = {};", survey.sources.text(survey.span(*target)), self.text_of(value))
            }
        }
    }

    /// What begins a new line like that of a statement, if it begins its own.
    fn line_break(&self, at: Span) -> String {
        let text = &self.survey.sources.file(at.file).text;
        let line = text[..at.start as usize].rsplit('\n').next().unwrap_or("");
        if line.trim().is_empty() { format!("\n{line}") } else { " ".to_owned() }
    }

    /// The same, one step further in.
    fn inner_break(&self, at: Span) -> String {
        match self.line_break(at) {
            line if line.starts_with('\n') => {
                let step = if line.contains('\t') { "\t" } else { "    " };
                format!("{line}{step}")
            }
            line => line,
        }
    }
}

impl Value {
    fn text(&self) -> Option<&str> {
        match self {
            Value::Number(_, text) => Some(text),
            Value::Variable(_) => None,
        }
    }

    fn named(&self) -> Vec<ObjectId> {
        match self {
            Value::Variable(object) => vec![*object],
            Value::Number(..) => Vec::new(),
        }
    }
}

fn reads_memory(tree: &Tree, e: ExprId) -> bool {
    let kind = &tree.expr(e).kind;
    matches!(kind, ExprKind::Deref(_) | ExprKind::Element { .. } | ExprKind::Call { .. })
        || kind.operands().into_iter().any(|operand| reads_memory(tree, operand))
}

fn is_last(tree: &Tree, block: StmtId, stmt: StmtId) -> bool {
    matches!(&tree.stmt(block).kind, StmtKind::Block(parts) if parts.last() == Some(&stmt))
}

/// What comes behind a part of a block; the part itself if it is none.
fn next_to(tree: &Tree, block: StmtId, stmt: StmtId) -> Option<StmtId> {
    let StmtKind::Block(parts) = &tree.stmt(block).kind else { return Some(stmt) };
    match parts.iter().position(|part| *part == stmt) {
        Some(at) => parts.get(at + 1).copied(),
        None => Some(stmt),
    }
}

/// Statements that `continue` and `break` leave a turn of a loop from.
fn looped(tree: &Tree) -> HashSet<StmtId> {
    let mut found = HashSet::new();
    for function in &tree.functions {
        let mut open: Vec<(StmtId, bool)> = function.body.iter().map(|body| (*body, false)).collect();
        while let Some((stmt, within)) = open.pop() {
            if within {
                found.insert(stmt);
            }
            let kind = &tree.stmt(stmt).kind;
            let within = match kind {
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => true,
                // What leaves a `switch` leaves no loop.
                StmtKind::Switch { .. } => false,
                _ => within,
            };
            open.extend(kind.parts().into_iter().map(|part| (part, within)));
        }
    }
    found
}
