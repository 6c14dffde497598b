//! What a condition that nobody wrote may speak of: variables, fields, elements and expressions that are in scope at a place, questions
//! that functions without effects answer, and the numbers of the program.

use std::collections::HashSet;

use super::Draft;
use super::added::named;
use super::constants::pool;
use super::survey::Survey;
use crate::c::tree::{Binary, Expr, ExprId, ExprKind, FunctionId, ObjectId, StmtKind, StorageDuration};
use crate::program::{Type, TypeId};
use crate::source::Span;

/// So many terms a condition may be made of.
const MOST_TERMS: usize = 72;
/// Variables of the program that a function does not name are terms of its conditions if there are no more than so many.
const MOST_FAR: usize = 24;
/// So many calls of one function, with whatever arguments.
const MOST_CALLS: usize = 12;
/// So many arguments of one kind are tried.
const MOST_ARGUMENTS: usize = 4;
/// Longer text is no simple term.
const LONGEST: usize = 36;

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermKind {
    /// An integer of so many bits, and whether it may be negative.
    Number(u32, bool),
    /// Something that is true or false.
    Truth,
    /// Whether a pointer is not NULL.
    Pointer,
}

/// A value that can be asked for at a place.
#[derive(Clone, Debug)]
pub struct Term {
    /// As the text says it, beside a relation.
    pub text: String,
    /// What it is.
    pub kind: TermKind,
    /// How unlikely it is to be what was forgotten: that of a variable of the function is 0.
    pub cost: u32,
    /// Whether a function is called for it, which may fail itself.
    pub calls: bool,
    /// As the operand of `!`.
    operand: String,
    made: Made,
}

/// How its tree is made.
#[derive(Clone, Debug)]
enum Made {
    /// As it stands elsewhere.
    Copy(ExprId),
    Variable(ObjectId),
    Field {
        of: ObjectId,
        field: u32,
    },
    Element {
        array: ObjectId,
        index: ObjectId,
    },
    Call {
        function: FunctionId,
        arguments: Vec<Made>,
    },
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// The value is not zero; nothing is beside it.
    True,
    /// It is zero.
    False,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
}

impl Relation {
    /// The one that holds where it does not.
    pub fn opposite(self) -> Relation {
        match self {
            Relation::True => Relation::False,
            Relation::False => Relation::True,
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Greater => Relation::LessEqual,
            Relation::GreaterEqual => Relation::Less,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
        }
    }

    /// Whether it holds of two numbers.
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Relation::True => left != 0,
            Relation::False => left == 0,
            Relation::Less => left < right,
            Relation::LessEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterEqual => left >= right,
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
        }
    }

    fn sign(self) -> (&'static str, Binary) {
        match self {
            Relation::Less => ("<", Binary::Less),
            Relation::LessEqual => ("<=", Binary::LessEqual),
            Relation::Greater => (">", Binary::Greater),
            Relation::GreaterEqual => (">=", Binary::GreaterEqual),
            Relation::Equal | Relation::False => ("==", Binary::Equal),
            Relation::NotEqual | Relation::True => ("!=", Binary::NotEqual),
        }
    }
}

/// What stands on the right of a relation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Right {
    /// Nothing: the left side is a truth.
    Nothing,
    /// A number, by its place among [`Numbers`], or another one.
    Named(usize),
    /// A number.
    Number(i128),
    /// Another term, and what is added to it.
    Term(usize, i128),
}

/// A comparison of terms of a place, by their numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The left side.
    pub left: usize,
    /// How.
    pub relation: Relation,
    /// The right side.
    pub right: Right,
}

/// Comparisons that all hold, or of which any does.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// One or more.
    pub atoms: Vec<Atom>,
    /// Whether one of them is enough.
    pub any: bool,
}

impl Condition {
    /// The one that holds where it does not.
    #[must_use]
    pub fn opposite(&self) -> Condition {
        let turned = |atom: &Atom| Atom { relation: atom.relation.opposite(), ..atom.clone() };
        Condition { atoms: self.atoms.iter().map(turned).collect(), any: !self.any }
    }
}

/// A number that the program has.
#[derive(Clone, Debug)]
pub struct Number {
    /// Its value.
    pub value: i128,
    /// How the text writes it.
    pub text: String,
    /// Whether that is a name.
    pub is_name: bool,
    pub(super) ty: TypeId,
}

/// The numbers of the program, each once: names before digits.
pub(super) fn numbers(survey: &Survey) -> Vec<Number> {
    let mut found: Vec<Number> = Vec::new();
    let is_name = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    for written in pool(survey) {
        let is_name = is_name(&written.text);
        let is_plain = is_name || written.text.chars().all(|c| c.is_ascii_alphanumeric());
        found.extend(is_plain.then_some(Number { value: written.value, text: written.text, is_name, ty: written.ty }));
    }
    for e in (0..survey.tree.exprs.len() as u32).map(ExprId) {
        let expr = survey.tree.expr(e);
        // Those of the models of the library are not the user's.
        let is_own = !survey.sources.file(expr.span.file).system;
        let text = survey.text(e).filter(|_| is_own).filter(|text| text.starts_with('\'') && text.ends_with('\''));
        if let (ExprKind::Const(value), Some(text), Some(_)) = (&expr.kind, text, survey.integer(expr.ty)) {
            found.push(Number { value: *value as i128, text: text.to_owned(), is_name: true, ty: expr.ty });
        }
    }
    found.sort_by(|one, other| (one.value, !one.is_name, &one.text).cmp(&(other.value, !other.is_name, &other.text)));
    found.dedup_by(|one, other| one.value == other.value && (one.text == other.text || !one.is_name));
    found
}

/// What kind of value a type has.
pub(super) fn kind_of(survey: &Survey, ty: TypeId) -> Option<TermKind> {
    match survey.tree.ty(ty) {
        Type::Integer { bits, signed, .. } | Type::Enum { bits, signed, .. } if *bits <= 64 => {
            Some(TermKind::Number(*bits, *signed))
        }
        Type::Bool => Some(TermKind::Truth),
        Type::Pointer { .. } => Some(TermKind::Pointer),
        _ => None,
    }
}

/// The terms at a scope of a function, the likeliest first.
pub(super) fn terms(survey: &Survey, function: u32, scope: &[ObjectId], trusted: &dyn Fn(&str) -> bool) -> Vec<Term> {
    let mut found = Found { survey, function, terms: Vec::new(), seen: HashSet::new() };
    let mentioned = mentioned(survey, function);
    let is_near = |object: &ObjectId| {
        let is_own = survey.tree.object(*object).storage == StorageDuration::Automatic;
        is_own || mentioned.contains(object)
    };
    let (scope, far): (Vec<ObjectId>, Vec<ObjectId>) = scope.iter().partition(|object| is_near(object));
    scope.iter().for_each(|object| found.variable(*object, 0));
    // What was forgotten may have been all that the function asked of a variable.
    if far.len() <= MOST_FAR {
        far.iter().for_each(|object| found.variable(*object, 1));
    }
    found.expressions(&scope);
    scope.iter().for_each(|object| found.fields(*object));
    found.elements(&scope);
    found.calls(trusted);
    found.terms.truncate(MOST_TERMS);
    found.terms
}

/// The variables that a function names.
fn mentioned(survey: &Survey, function: u32) -> HashSet<ObjectId> {
    let own = survey.spots.iter().filter(|spot| spot.function == function);
    own.filter_map(|spot| match survey.tree.expr(spot.expr).kind {
        ExprKind::Object(object) => Some(object),
        ExprKind::Load(x) => match survey.tree.expr(x).kind {
            ExprKind::Object(object) => Some(object),
            _ => None,
        },
        _ => None,
    })
    .collect()
}

struct Found<'s, 't> {
    survey: &'s Survey<'t>,
    function: u32,
    terms: Vec<Term>,
    seen: HashSet<String>,
}

impl Found<'_, '_> {
    fn push(&mut self, text: String, operand: String, ty: TypeId, cost: u32, made: Made) {
        let Some(kind) = kind_of(self.survey, ty) else { return };
        if self.seen.insert(text.clone()) {
            let calls = text.contains('(') && self.calls_something(&made);
            self.terms.push(Term { text, kind, cost, calls, operand, made });
        }
    }

    fn calls_something(&self, made: &Made) -> bool {
        match made {
            Made::Copy(e) => calls(self.survey, *e),
            Made::Call { .. } => true,
            _ => false,
        }
    }

    fn variable(&mut self, id: ObjectId, more: u32) {
        let object = self.survey.tree.object(id);
        let cost = u32::from(object.storage != StorageDuration::Automatic) + more;
        self.push(object.name.clone(), object.name.clone(), object.ty, cost, Made::Variable(id));
    }

    /// `p->f` and `s.f`.
    fn fields(&mut self, id: ObjectId) {
        let (tree, object) = (self.survey.tree, self.survey.tree.object(id));
        let (record, sign) = match tree.ty(object.ty) {
            Type::Pointer { to } => (*to, "->"),
            _ => (object.ty, "."),
        };
        let Type::Record { fields, .. } = tree.ty(record) else { return };
        for (number, field) in (0..).zip(fields) {
            if !field.name.is_empty() && !field.bit_field {
                let text = format!("{}{sign}{}", object.name, field.name);
                self.push(text.clone(), text, field.ty, 1, Made::Field { of: id, field: number });
            }
        }
    }

    /// What the function computes elsewhere of what is in scope here.
    fn expressions(&mut self, scope: &[ObjectId]) {
        let (survey, function) = (self.survey, self.function);
        for spot in survey.spots.iter().filter(|spot| spot.function == function) {
            let expr = survey.tree.expr(spot.expr);
            let is_value = !matches!(
                expr.kind,
                ExprKind::Const(_)
                    | ExprKind::Object(_)
                    | ExprKind::Member { .. }
                    | ExprKind::Element { .. }
                    | ExprKind::Deref(_)
                    | ExprKind::AddressOf(_)
                    | ExprKind::FunctionAddress(_)
                    | ExprKind::LogicalAnd(..)
                    | ExprKind::LogicalOr(..)
                    | ExprKind::LogicalNot(_)
                    | ExprKind::Conditional { .. }
                    | ExprKind::Convert { explicit: false, .. }
            );
            let asks = matches!(expr.kind, ExprKind::Binary(op, ..) if op.is_relation());
            let (Some(text), Some(operand)) = (survey.text(spot.expr), survey.operand(spot.expr)) else { continue };
            if !is_value || asks || text.len() > LONGEST || text.contains('\n') || !survey.only_reads(spot.expr) {
                continue;
            }
            let Some(named) = named(survey, spot.expr).filter(|named| !named.is_empty()) else { continue };
            if !named.iter().all(|object| scope.contains(object)) {
                continue;
            }
            let binds = matches!(
                expr.kind,
                ExprKind::Binary(Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide, ..)
            );
            let beside = if binds { text.to_owned() } else { operand.clone() };
            self.push(beside, operand, expr.ty, if binds { 2 } else { 1 }, Made::Copy(spot.expr));
        }
    }

    /// `a[i]`, where both are the function's own.
    fn elements(&mut self, scope: &[ObjectId]) {
        let tree = self.survey.tree;
        let is_own = |id: &&ObjectId| tree.object(**id).storage == StorageDuration::Automatic;
        let indices: Vec<ObjectId> = scope
            .iter()
            .filter(is_own)
            .filter(|id| matches!(tree.ty(tree.object(**id).ty), Type::Integer { .. }))
            .copied()
            .collect();
        for array in scope {
            let of = match tree.ty(tree.object(*array).ty) {
                Type::Array { of, .. } => *of,
                Type::Pointer { to } => *to,
                _ => continue,
            };
            for index in indices.iter().rev().take(MOST_ARGUMENTS) {
                let text = format!("{}[{}]", tree.object(*array).name, tree.object(*index).name);
                self.push(text.clone(), text, of, 2, Made::Element { array: *array, index: *index });
            }
        }
    }

    /// Functions without effects, asked about what is there.
    fn calls(&mut self, trusted: &dyn Fn(&str) -> bool) {
        let (survey, tree) = (self.survey, self.survey.tree);
        let simple: Vec<(TypeId, String, Made)> = self
            .terms
            .iter()
            .filter(|term| !term.text.contains('('))
            .map(|term| (self.ty(&term.made), term.text.clone(), term.made.clone()))
            .collect();
        let own = &tree.functions[self.function as usize];
        for (number, function) in (0..).zip(&tree.functions) {
            let id = FunctionId(number);
            // One that is defined further down may not be declared here.
            let is_before = function.span.file == own.span.file && function.span.start < own.span.start;
            let is_asked = survey.is_pure_function(id) && is_before && number != self.function;
            if !is_asked || trusted(&function.name) || function.variadic {
                continue;
            }
            let mut combined: Vec<(Vec<String>, Vec<Made>)> = vec![(Vec::new(), Vec::new())];
            for parameter in &function.parameter_types {
                let fits = |ty: TypeId| ty == *parameter || is_integer(tree.ty(ty)) && is_integer(tree.ty(*parameter));
                let fitting: Vec<_> = simple.iter().filter(|(ty, ..)| fits(*ty)).take(2 * MOST_ARGUMENTS).collect();
                let fitting = &fitting[..fitting.len().min(if function.parameter_types.len() == 1 { 8 } else { 4 })];
                let longer = combined.iter().flat_map(|(texts, made)| {
                    fitting.iter().filter(|(_, text, _)| !texts.contains(text)).map(|(_, text, argument)| {
                        let texts = texts.iter().chain([text]).cloned().collect();
                        (texts, made.iter().chain([argument]).cloned().collect())
                    })
                });
                combined = longer.collect();
            }
            for (texts, arguments) in combined.into_iter().take(MOST_CALLS) {
                let text = format!("{}({})", function.name, texts.join(", "));
                self.push(text.clone(), text, function.returns, 3, Made::Call { function: id, arguments });
            }
        }
    }

    fn ty(&self, made: &Made) -> TypeId {
        let tree = self.survey.tree;
        match made {
            Made::Copy(e) => tree.expr(*e).ty,
            Made::Variable(object) => tree.object(*object).ty,
            Made::Field { of, field } => match tree.ty(record(self.survey, *of)) {
                Type::Record { fields, .. } => fields[*field as usize].ty,
                _ => tree.object(*of).ty,
            },
            Made::Element { array, .. } => match tree.ty(tree.object(*array).ty) {
                Type::Array { of, .. } => *of,
                Type::Pointer { to } => *to,
                _ => tree.object(*array).ty,
            },
            Made::Call { function, .. } => tree.function(*function).returns,
        }
    }
}

fn record(survey: &Survey, object: ObjectId) -> TypeId {
    let ty = survey.tree.object(object).ty;
    match survey.tree.ty(ty) {
        Type::Pointer { to } => *to,
        _ => ty,
    }
}

fn calls(survey: &Survey, e: ExprId) -> bool {
    let kind = &survey.tree.expr(e).kind;
    matches!(kind, ExprKind::Call { .. }) || kind.operands().into_iter().any(|operand| calls(survey, operand))
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Integer { .. } | Type::Bool)
}

/// Makes the trees of terms and conditions, all with one span.
pub(super) struct Maker<'m, 't> {
    pub(super) survey: &'m Survey<'t>,
    pub(super) draft: &'m mut Draft<'t>,
    pub(super) span: Span,
    pub(super) int: TypeId,
}

impl Maker<'_, '_> {
    fn value(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.draft.value(kind, ty, self.span)
    }

    /// An expression as it stands elsewhere.
    fn copied(&mut self, e: ExprId) -> ExprId {
        let mut expr: Expr = self.survey.tree.expr(e).clone();
        let old = expr.kind.operands();
        let new: Vec<ExprId> = old.iter().map(|operand| self.copied(*operand)).collect();
        expr.kind.map_operands(&mut |operand| {
            let at = old.iter().position(|other| *other == operand);
            at.map_or(operand, |at| new[at])
        });
        expr.span = self.span;
        self.draft.expr(expr)
    }

    fn load(&mut self, object: ObjectId) -> ExprId {
        let ty = self.survey.tree.object(object).ty;
        let place = self.value(ExprKind::Object(object), ty);
        self.value(ExprKind::Load(place), ty)
    }

    fn made(&mut self, made: &Made) -> ExprId {
        let tree = self.survey.tree;
        match made {
            Made::Copy(e) => self.copied(*e),
            Made::Variable(object) => self.load(*object),
            Made::Field { of, field } => {
                let record = record(self.survey, *of);
                let base = match record == tree.object(*of).ty {
                    true => self.value(ExprKind::Object(*of), record),
                    false => {
                        let pointer = self.load(*of);
                        self.value(ExprKind::Deref(pointer), record)
                    }
                };
                let Type::Record { fields, .. } = tree.ty(record) else { return base };
                let ty = fields[*field as usize].ty;
                let member = self.value(ExprKind::Member { base, field: *field }, ty);
                self.value(ExprKind::Load(member), ty)
            }
            Made::Element { array, index } => {
                let ty = tree.object(*array).ty;
                let index = self.load(*index);
                let (element, of) = match tree.ty(ty) {
                    Type::Array { of, .. } => {
                        let array = self.value(ExprKind::Object(*array), ty);
                        (self.value(ExprKind::Element { array, index }, *of), *of)
                    }
                    Type::Pointer { to } => {
                        let pointer = self.load(*array);
                        let pointer = self.value(ExprKind::PointerAdd { pointer, index, subtract: false }, ty);
                        (self.value(ExprKind::Deref(pointer), *to), *to)
                    }
                    _ => (index, ty),
                };
                self.value(ExprKind::Load(element), of)
            }
            Made::Call { function, arguments } => {
                let of = tree.function(*function);
                let made: Vec<ExprId> = arguments.iter().map(|argument| self.made(argument)).collect();
                let pairs = made.into_iter().zip(&of.parameter_types);
                let arguments = pairs.map(|(argument, ty)| self.converted(argument, *ty)).collect();
                let (address, returns) = (self.survey.pointer_to(of.ty), of.returns);
                let callee = self.value(ExprKind::FunctionAddress(*function), address);
                self.value(ExprKind::Call { callee, arguments }, returns)
            }
        }
    }

    fn ty(&self, e: ExprId) -> TypeId {
        match (e.0 as usize).checked_sub(self.draft.tree.exprs.len()) {
            Some(added) => self.draft.change.added_exprs[added].ty,
            None => self.draft.tree.expr(e).ty,
        }
    }

    pub(super) fn converted(&mut self, e: ExprId, ty: TypeId) -> ExprId {
        if self.ty(e) == ty { e } else { self.value(ExprKind::Convert { operand: e, explicit: false }, ty) }
    }

    /// A term as a value.
    pub(super) fn term(&mut self, term: &Term) -> ExprId {
        self.made(&term.made)
    }

    /// A term as a number that says all of it.
    pub(super) fn seen(&mut self, term: &Term, calling: bool) -> ExprId {
        if term.calls && !calling {
            return self.constant(0, self.int);
        }
        let value = self.term(term);
        match term.kind {
            TermKind::Number(..) => value,
            TermKind::Truth | TermKind::Pointer => {
                let not = self.value(ExprKind::LogicalNot(value), self.int);
                self.value(ExprKind::LogicalNot(not), self.int)
            }
        }
    }

    /// The common type of two numbers.
    fn common(&self, one: TypeId, other: TypeId) -> TypeId {
        let int = self.survey.integer(self.int).unwrap_or((32, true));
        let promoted = |ty: TypeId| match kind_of(self.survey, ty) {
            Some(TermKind::Number(bits, signed)) if bits >= int.0 => (bits, signed, ty),
            _ => (int.0, int.1, self.int),
        };
        let (one, other) = (promoted(one), promoted(other));
        let (bits, signed, ty) = match one.0.cmp(&other.0) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Equal if one.1 => other,
            _ => one,
        };
        let is_it = |ty: &Type| matches!(ty, Type::Integer { bits: b, signed: s, character: false, .. } if (*b, *s) == (bits, signed));
        match self.survey.tree.ty(ty) {
            Type::Integer { .. } => ty,
            _ => self.survey.tree.types.iter().position(is_it).map_or(ty, |at| TypeId(at as u32)),
        }
    }

    fn constant(&mut self, value: i128, ty: TypeId) -> ExprId {
        let bits = self.survey.integer(ty).map_or(64, |(bits, _)| bits);
        self.value(ExprKind::Const(value as u128 & nearmiss_logic::width::low_bits(bits)), ty)
    }

    /// A condition, with its text.
    pub(super) fn condition(&mut self, condition: &Condition, terms: &[Term], numbers: &[Number]) -> (ExprId, String) {
        let (mut whole, mut texts) = (None, Vec::new());
        for atom in &condition.atoms {
            let (part, text) = self.atom(atom, terms, numbers);
            texts.push(text);
            whole = Some(match whole {
                None => part,
                Some(first) if condition.any => self.value(ExprKind::LogicalOr(first, part), self.int),
                Some(first) => self.value(ExprKind::LogicalAnd(first, part), self.int),
            });
        }
        let whole = whole.unwrap_or_else(|| self.constant(1, self.int));
        (whole, texts.join(if condition.any { " || " } else { " && " }))
    }

    fn atom(&mut self, atom: &Atom, terms: &[Term], numbers: &[Number]) -> (ExprId, String) {
        let term = &terms[atom.left];
        let left = self.term(term);
        let (right, said) = match &atom.right {
            Right::Nothing if atom.relation == Relation::False => {
                return (self.value(ExprKind::LogicalNot(left), self.int), format!("!{}", term.operand));
            }
            Right::Nothing => return (left, term.operand.clone()),
            Right::Named(at) => (self.constant(numbers[*at].value, numbers[*at].ty), numbers[*at].text.clone()),
            Right::Number(value) => (self.constant(*value, self.int), value.to_string()),
            Right::Term(other, more) => {
                let (value, text) = (self.term(&terms[*other]), terms[*other].text.clone());
                match more {
                    0 => (value, text),
                    more => {
                        let common = self.common(self.ty(value), self.int);
                        let value = self.converted(value, common);
                        let number = self.constant(more.abs(), self.int);
                        let number = self.converted(number, common);
                        let (op, sign) = if *more > 0 { (Binary::Add, "+") } else { (Binary::Subtract, "-") };
                        (
                            self.value(ExprKind::Binary(op, value, number), common),
                            format!("{text} {sign} {}", more.abs()),
                        )
                    }
                }
            }
        };
        let common = self.common(self.ty(left), self.ty(right));
        let (left, right) = (self.converted(left, common), self.converted(right, common));
        let (sign, op) = atom.relation.sign();
        (self.value(ExprKind::Binary(op, left, right), self.int), format!("{} {sign} {said}", term.text))
    }
}

/// Whether a statement leaves where it stands.
pub(super) fn leaves(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_))
}
