//! Relations that might be causes (Groce and Kroening, "Making the Most of BMC Counterexamples", 2005, section 6 and
//! 6.1): orders and equalities between variables of one type of which one changed, and the comparisons on the way to
//! the claim, each with all six operators, since the wrong operator may be the fault.
//!
//! A comparison is found as a node of a term, hence in any disguise; it is used if both sides can be written in the
//! user's words. Relations are built from C types, so that their text means what they mean.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use nearmiss_logic::float::{self, Format};
use nearmiss_logic::term::{Node, Term, Terms};
use nearmiss_logic::width::sign_extend;

use super::Runs;
use super::flow::Flow;
use super::names::{Class, Named, Names, roots};
use super::set::Setting;
use super::written::{self, Shape, Side};
use crate::compared::Relation;
use crate::equation::{Equation, StepKind};
use crate::explanation::Hypotheses;
use nearmiss_program::program::{Program, Type, TypeId};
use nearmiss_program::show;

/// So many relations are looked at, those nearest to the claim first.
const MOST_CANDIDATES: usize = 2_000;
/// Operators in a written operand.
const MOST_DEPTH: u32 = 3;

/// A relation that holds in the failing run.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The relation.
    pub relation: Relation,
    /// As C writes it.
    pub text: String,
    /// The variables in it.
    pub variables: Vec<String>,
    /// What it is about.
    pub kind: Kind,
    /// How hard it is to read.
    pub ease: Ease,
}

impl Candidate {
    /// A condition of the user's.
    pub(super) fn of_user(relation: Relation) -> Candidate {
        let ease = Ease { class: Class::Source, inexact: false, generalised: false, variables: 0, length: 0 };
        Candidate { relation, text: String::new(), variables: Vec::new(), kind: Kind::Compared, ease }
    }
}

/// What a relation is about, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Inputs, or what the program compares on the way: constants, results of functions, variables at the claim.
    Compared,
    /// Truth values and other values on the way: what has come of the rest.
    Derived,
    /// Values that the program never compares, nor anything made of them.
    Accidental,
}

/// How hard a relation is to read, the easiest first: of inputs, an equality, as it was written, of few variables,
/// short.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ease {
    class: Class,
    inexact: bool,
    generalised: bool,
    variables: usize,
    length: usize,
}

impl Ease {
    /// Does it speak of inputs alone?
    pub fn is_of_inputs(&self) -> bool {
        self.class == Class::Input
    }
}

/// What is to be looked at.
pub struct Candidates {
    /// The relations, no two the same.
    pub relations: Vec<Candidate>,
    /// Whether these are all there are.
    pub all: bool,
    /// That the claim is violated: as it stands, and with one symbol for values that are always the same.
    pub violated: Vec<Term>,
}

/// The relations of the failing run.
pub fn candidates(runs: &Runs<'_>, equation: &mut Equation, hypotheses: Hypotheses) -> Candidates {
    let names = Names::new(runs, equation);
    let violated = claim_itself(runs, equation, &names);
    let found = Candidates { relations: Vec::new(), all: true, violated };
    let widest = match hypotheses {
        Hypotheses::None => return found,
        Hypotheses::Inputs => Class::Input,
        Hypotheses::Source => Class::Source,
        Hypotheses::All => Class::Passing,
    };
    let flow = Flow::new(runs, equation);
    let compared = compared(runs, equation, &names);
    let mut evaluator = runs.failing.evaluator(equation);
    let mut values: HashMap<Term, u128> = HashMap::new();
    for term in names.values.iter().map(|value| value.term).chain(compared.iter().flat_map(|pair| [pair.a, pair.b])) {
        values.insert(term, evaluator.value(term));
    }
    let mut collector = Collector {
        runs,
        values,
        setting: Setting::new(runs.program, equation),
        known: HashMap::new(),
        texts: HashSet::new(),
        found,
    };
    for pair in compared {
        // A comparison of inputs is all that is asked for with inputs only; else whatever stands on the way.
        if hypotheses == Hypotheses::Inputs && pair.class > Class::Input {
            continue;
        }
        collector.relate(equation, &pair);
    }
    let usable: Vec<&Named> = names.values.iter().filter(|value| value.class <= widest).collect();
    let of_model = runs.program.hardware.is_some();
    for named in usable.iter().filter(|named| of_model && named.changed) {
        let pair = beside_zero(equation, named);
        collector.values.insert(pair.b, 0);
        collector.relate(equation, &pair);
    }
    for (later, b) in usable.iter().enumerate().rev() {
        for a in usable[..later].iter().rev().filter(|a| a.changed || b.changed) {
            if collector.is_full() {
                collector.found.all = false;
                return collector.found;
            }
            if runs.program.ty(a.ty) == runs.program.ty(b.ty) {
                let kind = match flow.compared(a.symbol, b.symbol) {
                    // Nobody compares two wires of a model that the model does not compare.
                    false if of_model => continue,
                    true if of_model && equation.terms.width(a.term) == 1 => continue,
                    false => Kind::Accidental,
                    true if a.class.max(b.class) == Class::Input => Kind::Compared,
                    true => Kind::Derived,
                };
                collector.relate(equation, &pair_of(a, b, kind));
            }
        }
    }
    collector.found
}

/// That the claim is violated is what is to be explained.
fn claim_itself(runs: &Runs<'_>, equation: &mut Equation, names: &Names) -> Vec<Term> {
    let StepKind::Claim { condition, .. } = equation.steps[runs.claim].kind else { return Vec::new() };
    let violated = equation.terms.not(condition);
    vec![violated, names.resolved(equation, violated)]
}

/// Two values to be compared, and how they are written.
struct Pair {
    a: Term,
    b: Term,
    texts: [String; 2],
    /// Types of both; a constant has that of the other.
    types: [TypeId; 2],
    variables: Vec<String>,
    /// The steps that set them, those of each value.
    set_at: Vec<Vec<usize>>,
    class: Class,
    kind: Kind,
    /// The operators with which it stands in the program, if it does: that one, and its opposite.
    written: Option<[Operator; 2]>,
}

fn pair_of(a: &Named, b: &Named, kind: Kind) -> Pair {
    Pair {
        a: a.term,
        b: b.term,
        texts: [a.text.clone(), b.text.clone()],
        types: [a.ty, b.ty],
        variables: vec![a.variable.clone(), b.variable.clone()],
        set_at: [a.set_at.clone(), b.set_at.clone()].concat(),
        class: a.class.max(b.class),
        kind,
        written: None,
    }
}

/// A value of a model, and whether it is anything but 0.
fn beside_zero(equation: &mut Equation, named: &Named) -> Pair {
    Pair {
        a: named.term,
        b: equation.terms.constant(equation.terms.width(named.term), 0),
        texts: [named.text.clone(), "0".to_owned()],
        types: [named.ty, named.ty],
        variables: vec![named.variable.clone()],
        set_at: named.set_at.clone(),
        class: named.class,
        kind: if named.class == Class::Input { Kind::Compared } else { Kind::Derived },
        written: None,
    }
}

/// An operand in the user's words.
struct Written {
    text: String,
    ty: TypeId,
    variables: Vec<String>,
    set_at: Vec<Vec<usize>>,
    class: Class,
    kind: Kind,
    /// Needs no parentheses.
    atom: bool,
}

/// The comparisons that the failing run makes, the nearest to the claim first.
fn compared(runs: &Runs<'_>, equation: &mut Equation, names: &Names) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut seen: HashSet<Term> = HashSet::new();
    for (step, root) in roots(runs, equation).into_iter().rev() {
        let mut stack = vec![names.resolved(equation, root)];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let node = equation.terms.node(term);
            stack.extend(node.operands().iter());
            let (a, b, written) = match node {
                Node::Eq(a, b) => (a, b, [Operator::Equal, Operator::NotEqual]),
                // What is constant comes last.
                Node::Ult(a, b) | Node::Slt(a, b) if equation.terms.as_const(a).is_some() => {
                    (b, a, [Operator::Greater, Operator::LessEqual])
                }
                Node::Ult(a, b) | Node::Slt(a, b) => (a, b, [Operator::Less, Operator::GreaterEqual]),
                // The sign of a number: `x < 0`.
                Node::Extract { term: a, hi, lo } if hi == lo && hi + 1 == equation.terms.width(a) && hi > 0 => {
                    (a, equation.terms.constant(hi + 1, 0), [Operator::Less, Operator::GreaterEqual])
                }
                _ => continue,
            };
            let pair = written_pair(runs.program, equation, names, written, a, b);
            pairs.extend(pair.or_else(|| half_named(runs.program, equation, names, step, node)));
        }
    }
    pairs
}

fn written_pair(
    program: &Program,
    equation: &mut Equation,
    names: &Names,
    written: [Operator; 2],
    a: Term,
    b: Term,
) -> Option<Pair> {
    let (a, b) = if equation.terms.as_const(a).is_some() { (b, a) } else { (a, b) };
    let (a, left) = operand(program, &equation.terms, names, a)?;
    let Some(constant) = equation.terms.as_const(b) else {
        let (b, right) = operand(program, &equation.terms, names, b)?;
        // What is easier to grasp comes first.
        if right.class < left.class {
            return Some(pair_of_written((b, right), (a, left), written.map(Operator::turned)));
        }
        return Some(pair_of_written((a, left), (b, right), written));
    };
    let (narrow, wide) = (equation.terms.width(a), equation.terms.width(b));
    let signed = program.is_signed(left.ty);
    let low = equation.terms.constant(narrow, constant);
    let back = if signed { equation.terms.resize_signed(low, wide) } else { equation.terms.resize_unsigned(low, wide) };
    if back != b {
        return None;
    }
    let bits = equation.terms.as_const(low)?;
    let number = constant_text(program, left.ty, bits, narrow)?;
    Some(Pair {
        a,
        b: low,
        texts: [left.text, number],
        types: [left.ty, left.ty],
        variables: left.variables,
        set_at: left.set_at,
        class: left.class,
        kind: left.kind,
        written: Some(written),
    })
}

/// A constant as a person writes it; none if nobody would.
fn constant_text(program: &Program, ty: TypeId, bits: u128, width: u32) -> Option<String> {
    match program.ty(ty) {
        Type::Float { .. } => None,
        // An object of the run has no name at all.
        Type::Pointer { .. } => {
            let (object, _) = program.pointer.decode(bits);
            (bits == 0 || program.static_object(object).is_some()).then(|| show::value(program, ty, bits))
        }
        Type::Enum { .. } => Some(show::value_for_people(program, ty, bits, &|_| None)),
        Type::Integer { character: true, .. } => {
            let text = show::value_for_people(program, ty, bits, &|_| None);
            Some(text.rsplit_once(" (").map_or(text.clone(), |(character, _)| character.to_owned()))
        }
        _ if program.is_signed(ty) => Some(sign_extend(bits, width).to_string()),
        _ => Some(show::value(program, ty, bits)),
    }
}

/// A comparison of which one side has a name, and the other only a text.
fn half_named(program: &Program, equation: &Equation, names: &Names, step: usize, node: Node) -> Option<Pair> {
    let terms = &equation.terms;
    let (shape, a, b) = match node {
        Node::Eq(a, b) => (Shape::Equal, a, b),
        Node::Ult(a, b) | Node::Slt(a, b) => (Shape::Less, a, b),
        _ => return None,
    };
    let (named, side, other) = match (names.of(a), names.of(b)) {
        (Some(named), None) => (named, Side::First, b),
        (None, Some(named)) => (named, Side::Second, a),
        _ => return None,
    };
    let (text, ty) = written::opposite(program, equation, names, step, shape, (named, side))?;
    let same = program.ty(ty) == program.ty(named.ty) && terms.width(other) == terms.width(named.term);
    let (_, left) = operand(program, terms, names, named.term)?;
    let operators = match (shape, side) {
        (Shape::Equal, _) => [Operator::Equal, Operator::NotEqual],
        (Shape::Less, Side::First) => [Operator::Less, Operator::GreaterEqual],
        (Shape::Less, Side::Second) => [Operator::Greater, Operator::LessEqual],
    };
    // What has no name of its own is what the statement makes of it.
    let right = Written {
        variables: vec![text.clone()],
        set_at: vec![vec![step]],
        text: text + names.when(step),
        ty,
        class: Class::Passing,
        kind: Kind::Compared,
        atom: true,
    };
    same.then(|| pair_of_written((named.term, left), (other, right), operators))
}

fn pair_of_written((a, left): (Term, Written), (b, right): (Term, Written), written: [Operator; 2]) -> Pair {
    let mut variables = left.variables;
    variables.extend(right.variables);
    let set_at = [left.set_at, right.set_at].concat();
    Pair {
        a,
        b,
        texts: [left.text, right.text],
        types: [left.ty, right.ty],
        variables,
        set_at,
        class: left.class.max(right.class),
        kind: left.kind.max(right.kind),
        written: Some(written),
    }
}

/// A term in the user's words, and without extensions that change nothing.
fn operand(program: &Program, terms: &Terms, names: &Names, term: Term) -> Option<(Term, Written)> {
    if let Some(written) = words(program, terms, names, term, 0) {
        // Under its own term, so that equal relations meet.
        return Some((names.of(term).map_or(term, |named| named.term), written));
    }
    let (inner, signed) = match terms.node(term) {
        Node::Zext { term, .. } => (term, false),
        Node::Sext { term, .. } => (term, true),
        _ => return None,
    };
    let written = words(program, terms, names, inner, 0)?;
    let inner = names.of(inner).map_or(inner, |named| named.term);
    (program.is_signed(written.ty) == signed).then_some((inner, written))
}

fn words(program: &Program, terms: &Terms, names: &Names, term: Term, depth: u32) -> Option<Written> {
    if let Some(named) = names.of(term) {
        return (terms.width(named.term) == terms.width(term)).then(|| Written {
            text: named.text.clone(),
            ty: named.ty,
            variables: vec![named.variable.clone()],
            set_at: named.set_at.clone(),
            class: named.class,
            kind: if named.is_flag || named.is_on_the_way { Kind::Derived } else { Kind::Compared },
            atom: true,
        });
    }
    if depth == MOST_DEPTH {
        return None;
    }
    let below = |term: Term| words(program, terms, names, term, depth + 1);
    let written = arithmetic(program, terms, term, &below)?;
    as_computed(program, written, terms.width(term))
}

/// A sum or a product as it is written, whatever it is computed in.
fn arithmetic(
    program: &Program,
    terms: &Terms,
    term: Term,
    below: &dyn Fn(Term) -> Option<Written>,
) -> Option<Written> {
    let both = |a: Term, sign: &str, b: Term| {
        let (left, right) = (below(a)?, below(b)?);
        (program.ty(left.ty) == program.ty(right.ty)).then(|| joined(left, sign, right))
    };
    match terms.node(term) {
        Node::Add(a, b) => match (terms.as_const(a), terms.node(a), terms.node(b)) {
            (Some(constant), ..) => {
                let left = below(b)?;
                let number = sign_extend(constant, terms.width(a));
                let sign = if number < 0 { "-" } else { "+" };
                Some(Written { text: format!("{} {sign} {}", left.text, number.unsigned_abs()), atom: false, ..left })
            }
            (None, _, Node::Neg(b)) => both(a, "-", b),
            (None, Node::Neg(a), _) => both(b, "-", a),
            _ => both(a, "+", b),
        },
        Node::Mul(a, b) => match terms.as_const(a) {
            Some(constant) => {
                let left = below(b)?;
                let number = sign_extend(constant, terms.width(a));
                Some(Written { text: format!("{} * {number}", in_parentheses(&left)), atom: false, ..left })
            }
            None => both(a, "*", b),
        },
        _ => None,
    }
}

/// C computes in `int` at least: what is computed in fewer bits is what a cast leaves of that.
fn as_computed(program: &Program, written: Written, width: u32) -> Option<Written> {
    let Type::Integer { name, bits, .. } = program.ty(written.ty) else { return None };
    match *bits {
        bits if bits != width => None,
        32.. => Some(written),
        _ => Some(Written { text: format!("({name})({})", written.text), atom: true, ..written }),
    }
}

fn joined(left: Written, sign: &str, right: Written) -> Written {
    let left_text = if sign == "*" { in_parentheses(&left) } else { left.text.clone() };
    let text = format!("{left_text} {sign} {}", in_parentheses(&right));
    let mut variables = left.variables;
    variables.extend(right.variables);
    let set_at = [left.set_at, right.set_at].concat();
    Written {
        text,
        ty: left.ty,
        variables,
        set_at,
        class: left.class.max(right.class),
        kind: left.kind.max(right.kind),
        atom: false,
    }
}

fn in_parentheses(written: &Written) -> String {
    if written.atom { written.text.clone() } else { format!("({})", written.text) }
}

/// An operator of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Equal,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    NotEqual,
}

const OPERATORS: [(Operator, &str); 6] = [
    (Operator::Equal, "=="),
    (Operator::Less, "<"),
    (Operator::Greater, ">"),
    (Operator::LessEqual, "<="),
    (Operator::GreaterEqual, ">="),
    (Operator::NotEqual, "!="),
];

impl Operator {
    /// The same with the operands exchanged.
    fn turned(self) -> Operator {
        match self {
            Operator::Less => Operator::Greater,
            Operator::Greater => Operator::Less,
            Operator::LessEqual => Operator::GreaterEqual,
            Operator::GreaterEqual => Operator::LessEqual,
            Operator::Equal | Operator::NotEqual => self,
        }
    }

    /// Nothing: not to be compared (NaN).
    fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Operator::Equal => order == Some(Ordering::Equal),
            Operator::Less => order == Some(Ordering::Less),
            Operator::Greater => order == Some(Ordering::Greater),
            Operator::LessEqual => order.is_some_and(Ordering::is_le),
            Operator::GreaterEqual => order.is_some_and(Ordering::is_ge),
            Operator::NotEqual => order != Some(Ordering::Equal),
        }
    }
}

/// How values of a type are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Comparison {
    Signed,
    Unsigned,
    Float(Format),
    /// Only for being the same.
    Same,
}

fn comparison(program: &Program, ty: TypeId) -> Comparison {
    match program.ty(ty) {
        Type::Integer { signed: true, .. } => Comparison::Signed,
        Type::Integer { .. } => Comparison::Unsigned,
        Type::Float { bits: 32, .. } => Comparison::Float(Format::BINARY32),
        Type::Float { bits: 64, .. } => Comparison::Float(Format::BINARY64),
        Type::Float { .. } => Comparison::Float(Format::EXTENDED),
        _ => Comparison::Same,
    }
}

struct Collector<'a> {
    runs: &'a Runs<'a>,
    /// Values in the failing run.
    values: HashMap<Term, u128>,
    setting: Setting,
    known: HashMap<(Term, Vec<Vec<Term>>), usize>,
    /// No two relations may read alike.
    texts: HashSet<String>,
    found: Candidates,
}

impl Collector<'_> {
    fn is_full(&self) -> bool {
        self.found.relations.len() >= MOST_CANDIDATES
    }

    /// Every operator that holds between the two.
    fn relate(&mut self, equation: &mut Equation, pair: &Pair) {
        let Some(set_at) = self.set_at(equation, pair) else { return };
        let terms = &mut equation.terms;
        let [left, right] = pair.types.map(|ty| comparison(self.runs.program, ty));
        let how = match (left, right) {
            // Wider floats are stored otherwise than they are compared.
            (Comparison::Float(Format::EXTENDED), _) => return,
            (left, right) if left == right => left,
            // The unsigned one is promoted, if it is the narrower one.
            (Comparison::Signed, Comparison::Unsigned) if terms.width(pair.a) > terms.width(pair.b) => left,
            (Comparison::Unsigned, Comparison::Signed) if terms.width(pair.a) < terms.width(pair.b) => right,
            _ => return,
        };
        let numbers =
            [(pair.a, left), (pair.b, right)].map(|(term, own)| number(terms, self.values.get(&term), term, own));
        let [Some(a), Some(b)] = numbers else { return };
        let order = match how {
            Comparison::Float(Format::BINARY32) => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
            Comparison::Float(_) => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
            _ => Some(a.cmp(&b)),
        };
        let width = terms.width(pair.a).max(terms.width(pair.b));
        let [a, b] = [(pair.a, left), (pair.b, right)].map(|(term, own)| match own {
            Comparison::Signed => terms.resize_signed(term, width),
            _ => terms.resize_unsigned(term, width),
        });
        for (operator, sign) in OPERATORS {
            let ordering = !matches!(operator, Operator::Equal | Operator::NotEqual);
            if operator.holds(order) && !(ordering && how == Comparison::Same) && !self.is_full() {
                let term = relation(terms, how, operator, a, b);
                let relation = Relation { term, set_at: set_at.clone() };
                // What is no number is unequal to everything.
                let because = if order.is_none() { " (NaN)" } else { "" };
                self.add(terms, relation, operator, (sign, because), pair);
            }
        }
    }

    /// Where each value is set, and under which condition; none if the failing run leaves one of them unset.
    fn set_at(&mut self, equation: &mut Equation, pair: &Pair) -> Option<Vec<Vec<(usize, Term)>>> {
        let failing = self.runs.failing;
        let mut set_at = Vec::with_capacity(pair.set_at.len());
        for steps in &pair.set_at {
            let places: Vec<(usize, Term)> =
                steps.iter().map(|step| (*step, self.setting.condition(self.runs.program, equation, *step))).collect();
            let sets =
                |(step, condition): &(usize, Term)| failing.executed[*step] && failing.meets(equation, *condition);
            if !places.iter().any(sets) {
                return None;
            }
            set_at.push(places);
        }
        set_at.sort_unstable();
        set_at.dedup();
        Some(set_at)
    }

    fn add(
        &mut self,
        terms: &Terms,
        relation: Relation,
        operator: Operator,
        (sign, because): (&str, &str),
        pair: &Pair,
    ) {
        if terms.as_const(relation.term).is_some() || self.found.violated.contains(&relation.term) {
            return;
        }
        let text = format!("{} {sign} {}{because}", pair.texts[0], pair.texts[1]);
        let mut variables = pair.variables.clone();
        variables.dedup();
        let ease = Ease {
            class: pair.class,
            inexact: operator != Operator::Equal,
            generalised: pair.written.is_some_and(|written| !written.contains(&operator)),
            variables: variables.len(),
            length: text.len(),
        };
        // Under the same conditions the same is said.
        let guards = |places: &Vec<(usize, Term)>| {
            let mut guards: Vec<Term> = places.iter().map(|(_, guard)| *guard).collect();
            guards.sort_unstable();
            guards.dedup();
            guards
        };
        let mut conditions: Vec<Vec<Term>> = relation.set_at.iter().map(guards).collect();
        conditions.sort_unstable();
        conditions.dedup();
        let known = (relation.term, conditions);
        let candidate = Candidate { relation, text, variables, kind: pair.kind, ease };
        match self.known.get(&known) {
            Some(&at) => {
                let known = &mut self.found.relations[at];
                let better = (candidate.kind, &candidate.ease) < (known.kind, &known.ease);
                if better && self.texts.insert(candidate.text.clone()) {
                    *known = candidate;
                }
            }
            None if !self.texts.insert(candidate.text.clone()) => {}
            None => {
                self.known.insert(known, self.found.relations.len());
                self.found.relations.push(candidate);
            }
        }
    }
}

/// The value of a term as the number that C sees; bits for what is no integer.
fn number(terms: &Terms, value: Option<&u128>, term: Term, how: Comparison) -> Option<i128> {
    let bits = terms.as_const(term).or(value.copied())?;
    Some(match how {
        Comparison::Signed => sign_extend(bits, terms.width(term)),
        _ => bits as i128,
    })
}

fn relation(terms: &mut Terms, how: Comparison, operator: Operator, a: Term, b: Term) -> Term {
    let less = |terms: &mut Terms, a: Term, b: Term| match how {
        Comparison::Signed => terms.slt(a, b),
        Comparison::Float(format) => float::lt(terms, format, a, b),
        Comparison::Unsigned | Comparison::Same => terms.ult(a, b),
    };
    let at_most = |terms: &mut Terms, a: Term, b: Term| match how {
        Comparison::Signed => terms.sle(a, b),
        Comparison::Float(format) => float::le(terms, format, a, b),
        Comparison::Unsigned | Comparison::Same => terms.ule(a, b),
    };
    let equal = |terms: &mut Terms| match how {
        Comparison::Float(format) => float::eq(terms, format, a, b),
        _ => terms.eq(a, b),
    };
    match operator {
        Operator::Equal => equal(terms),
        Operator::NotEqual => {
            let equal = equal(terms);
            terms.not(equal)
        }
        Operator::Less => less(terms, a, b),
        Operator::Greater => less(terms, b, a),
        Operator::LessEqual => at_most(terms, a, b),
        Operator::GreaterEqual => at_most(terms, b, a),
    }
}
