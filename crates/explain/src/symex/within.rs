//! What is settled by the numbers between which values lie: sums that stay in their type, indices that stay in their array, conditions that
//! always hold.
//!
//! The idea: each term has a least and a greatest value ([`nearmiss_logic::range`]), found once. What is assumed on every path narrows them for
//! good. What is assumed on some paths, and the branches that lead here, narrow them here: the few terms between a question and what they speak
//! of are looked at once more. So the solver is not asked what a look at the bounds tells.

use std::collections::HashMap;

use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::range::{Range, of_node};
use nearmiss_logic::term::{Node, Term, Terms};

use super::Symex;

/// So many conditions of a path are looked at, the latest first.
const MOST_CONDITIONS: usize = 200;
/// So many terms below a question are looked at once more.
const MOST_TERMS: usize = 100;
/// So many conditions joined by `and` narrow one side of a choice.
const MOST_OF_CHOICE: usize = 8;

type Bounds = HashMap<Term, Range, FxBuild>;
type Definitions = HashMap<Term, Term>;

/// What is known of values.
#[derive(Default)]
pub(super) struct Ranges {
    /// By index of a term: where it lies on every path.
    known: Vec<Option<Range>>,
    /// What is assumed on every path.
    assumed: Bounds,
    /// What is assumed where a path condition holds.
    assumed_where: HashMap<Term, Vec<Term>>,
    /// The last path condition, what it narrows, and the oldest of these terms.
    path: Option<(Term, Bounds, usize)>,
    /// Whether something was settled by them since somebody asked.
    settles: bool,
}

impl Symex<'_> {
    /// A condition holds from here on in every execution that comes here.
    pub(super) fn narrow(&mut self, condition: Term) {
        let Some(ranges) = &mut self.ranges else { return };
        if self.eq.terms.is_true(self.here.guard) {
            ranges.assume(&self.eq.terms, &self.definitions, condition);
        } else {
            ranges.assumed_where.entry(self.here.guard).or_default().push(condition);
            ranges.path = None;
        }
    }

    /// Takes note that something is settled by them.
    pub(super) fn settles(&mut self) {
        if let Some(ranges) = &mut self.ranges {
            ranges.settles = true;
        }
    }

    /// Whether something was, since this was asked before.
    pub(super) fn has_settled(&mut self) -> bool {
        self.ranges.as_mut().is_some_and(|ranges| std::mem::take(&mut ranges.settles))
    }

    /// Whether a condition has one value here in every execution, and which.
    pub(super) fn always(&mut self, condition: Term) -> Option<bool> {
        self.range_here(condition)?.value().map(|value| value != 0)
    }

    /// Where a term lies here, if that is looked at.
    pub(super) fn range_here(&mut self, term: Term) -> Option<Range> {
        let ranges = self.ranges.as_mut()?;
        Some(ranges.here(&self.eq.terms, &self.definitions, self.here.guard, term))
    }
}

impl Ranges {
    /// Where a term lies on every path.
    fn everywhere(&mut self, terms: &Terms, definitions: &Definitions, term: Term) -> Range {
        let mut stack = vec![term];
        while let Some(&next) = stack.last() {
            if self.at(next).is_some() {
                stack.pop();
                continue;
            }
            let open = stack.len();
            match terms.node(next) {
                Node::Var { .. } => stack.extend(definitions.get(&next).filter(|of| self.at(**of).is_none())),
                node => stack.extend(node.operands().iter().filter(|of| self.at(**of).is_none())),
            }
            if stack.len() > open {
                continue;
            }
            let found = range_of(terms, definitions, next, &|of| self.at(of).unwrap_or_else(|| any(terms, of)));
            let found = self.assumed.get(&next).map_or(found, |assumed| found.meet(*assumed));
            if self.known.len() <= next.index() {
                self.known.resize(terms.len(), None);
            }
            self.known[next.index()] = Some(found);
        }
        self.at(term).unwrap_or_else(|| any(terms, term))
    }

    fn at(&self, term: Term) -> Option<Range> {
        self.known.get(term.index()).copied().flatten()
    }

    fn assume(&mut self, terms: &Terms, definitions: &Definitions, condition: Term) {
        let mut found = Bounds::default();
        self.learn(terms, definitions, &[condition], &mut found);
        let mut found: Vec<(Term, Range)> = found.into_iter().collect();
        found.sort_unstable_by_key(|(term, _)| *term);
        for (term, range) in found {
            let known = self.at(term).map(|known| known.meet(range));
            if let Some(known) = known {
                self.known[term.index()] = Some(known);
            }
            let assumed = self.assumed.get(&term).map_or(range, |before| before.meet(range));
            self.assumed.insert(term, assumed);
        }
        self.path = None;
    }

    /// Where a term lies on a path.
    fn here(&mut self, terms: &Terms, definitions: &Definitions, guard: Term, term: Term) -> Range {
        let known = self.everywhere(terms, definitions, term);
        if known.value().is_some() || terms.is_true(guard) {
            return known;
        }
        if self.path.as_ref().is_none_or(|(of, ..)| *of != guard) {
            let mut found = Bounds::default();
            self.learn(terms, definitions, &[guard], &mut found);
            let oldest = found.keys().map(|term| term.index()).min().unwrap_or(usize::MAX);
            self.path = Some((guard, found, oldest));
        }
        let Some((_, mut found, oldest)) = self.path.take() else { return known };
        let mut look = Look { ranges: self, terms, definitions, found: found.clone(), oldest, left: MOST_TERMS };
        let range = look.at(term);
        found.entry(term).or_insert(range);
        self.path = Some((guard, found, oldest.min(term.index())));
        range
    }

    /// What follows for single terms if all these conditions hold.
    fn learn(&mut self, terms: &Terms, definitions: &Definitions, conditions: &[Term], found: &mut Bounds) {
        let mut open: Vec<(Term, bool)> = conditions.iter().map(|&condition| (condition, true)).collect();
        let mut left = MOST_CONDITIONS;
        while let Some((condition, holds)) = open.pop() {
            if left == 0 {
                break;
            }
            left -= 1;
            if let (Some(assumed), true) = (self.assumed_where.get(&condition), holds) {
                open.extend(assumed.iter().map(|&condition| (condition, true)));
            }
            self.narrow_to(terms, definitions, condition, Range::exactly(1, u128::from(holds)), found);
            match terms.node(condition) {
                Node::Not(inner) => open.push((inner, !holds)),
                Node::And(a, b) if holds => open.extend([(a, true), (b, true)]),
                Node::Var { .. } => open.extend(definitions.get(&condition).map(|of| (*of, holds))),
                Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b) => {
                    let of = |own: &mut Ranges, term: Term, found: &Bounds| match found.get(&term) {
                        Some(range) => *range,
                        None => own.everywhere(terms, definitions, term),
                    };
                    let (of_a, of_b) = (of(self, a, found), of(self, b, found));
                    let (of_a, of_b) = compared(terms.node(condition), holds, of_a, of_b);
                    self.narrow_to(terms, definitions, a, of_a, found);
                    self.narrow_to(terms, definitions, b, of_b, found);
                }
                node => {
                    if let Some(of) = sign_of(terms, node) {
                        self.narrow_to(terms, definitions, of, signed(terms, of, holds), found);
                    }
                }
            }
        }
    }

    /// A term lies within a range, hence what it is made of in one way does.
    fn narrow_to(
        &mut self,
        terms: &Terms,
        definitions: &Definitions,
        mut term: Term,
        mut range: Range,
        found: &mut Bounds,
    ) {
        loop {
            if terms.as_const(term).is_some() {
                return;
            }
            let known = found.get(&term).copied().unwrap_or_else(|| self.everywhere(terms, definitions, term));
            range = known.meet(range);
            found.insert(term, range);
            (term, range) = match terms.node(term) {
                Node::Var { .. } => match definitions.get(&term) {
                    Some(of) => (*of, range),
                    None => return,
                },
                Node::Zext { term: of, .. } => (of, range.cut(terms.width(of), false)),
                Node::Sext { term: of, .. } => (of, range.cut(terms.width(of), true)),
                Node::Add(a, b) => match (terms.as_const(a), terms.as_const(b)) {
                    (Some(by), _) => (b, range.less(by)),
                    (_, Some(by)) => (a, range.less(by)),
                    _ => return,
                },
                _ => return,
            };
        }
    }
}

/// A second look at the terms below a question, with what a path tells.
struct Look<'a> {
    ranges: &'a mut Ranges,
    terms: &'a Terms,
    definitions: &'a Definitions,
    found: Bounds,
    /// No term older than this depends on anything that the path tells.
    oldest: usize,
    left: usize,
}

impl Look<'_> {
    fn at(&mut self, term: Term) -> Range {
        let known = self.ranges.everywhere(self.terms, self.definitions, term);
        if term.index() < self.oldest || known.value().is_some() {
            return known;
        }
        let told = self.found.get(&term).copied();
        if self.left == 0 {
            return told.unwrap_or(known);
        }
        self.left -= 1;
        let operands: Vec<Term> = match self.terms.node(term) {
            Node::Var { .. } => self.definitions.get(&term).copied().into_iter().collect(),
            node => node.operands().to_vec(),
        };
        let of_operands: Vec<(Term, Range)> = operands.into_iter().map(|operand| (operand, self.at(operand))).collect();
        let of = |wanted: Term| {
            let operand = of_operands.iter().find(|(operand, _)| *operand == wanted).map(|(_, range)| *range);
            operand.or_else(|| self.found.get(&wanted).copied()).or_else(|| self.ranges.at(wanted))
        };
        let range = range_of(self.terms, self.definitions, term, &|wanted| {
            of(wanted).unwrap_or_else(|| any(self.terms, wanted))
        });
        let range = told.map_or(known.meet(range), |told| known.meet(range).meet(told));
        self.found.insert(term, range);
        range
    }
}

fn any(terms: &Terms, term: Term) -> Range {
    Range::any(terms.width(term))
}

/// Where a term lies if what it is made of lies there.
fn range_of(terms: &Terms, definitions: &Definitions, term: Term, of: &dyn Fn(Term) -> Range) -> Range {
    match terms.node(term) {
        Node::Var { width, .. } => definitions.get(&term).map_or_else(|| Range::any(width), |&by| of(by)),
        // A choice between two arrays is one.
        Node::Ite(condition, a, b) if of(condition).value().is_none() => {
            let narrowed = |side: Term, holds: bool| given(terms, definitions, side, (condition, holds), of);
            narrowed(a, true).join(narrowed(b, false))
        }
        node => of_node(&node, terms.width(term), of),
    }
}

/// Where a side of a choice lies that is taken when the condition holds, or does not.
fn given(
    terms: &Terms,
    definitions: &Definitions,
    side: Term,
    when: (Term, bool),
    of: &dyn Fn(Term) -> Range,
) -> Range {
    let meaning = |mut term: Term| {
        while let (Node::Var { .. }, Some(&by)) = (terms.node(term), definitions.get(&term)) {
            term = by;
        }
        term
    };
    let wanted = meaning(side);
    let mut range = of(side);
    let (mut open, mut left) = (vec![when], MOST_OF_CHOICE);
    while let (Some((condition, holds)), true) = (open.pop(), left > 0) {
        left -= 1;
        match terms.node(condition) {
            Node::Not(inner) => open.push((inner, !holds)),
            // The latest condition of a path is the second.
            Node::And(a, b) if holds => open.extend([(a, true), (b, true)]),
            Node::Var { .. } => open.extend(definitions.get(&condition).map(|by| (*by, holds))),
            node @ (Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b)) => {
                let (of_a, of_b) = compared(node, holds, of(a), of(b));
                if meaning(a) == wanted {
                    range = range.meet(of_a);
                } else if meaning(b) == wanted {
                    range = range.meet(of_b);
                }
            }
            node => {
                if let Some(of) = sign_of(terms, node).filter(|of| meaning(*of) == wanted) {
                    range = range.meet(signed(terms, of, holds));
                }
            }
        }
    }
    range
}

/// The number whose sign a node is.
fn sign_of(terms: &Terms, node: Node) -> Option<Term> {
    match node {
        Node::Extract { term, hi, lo } if hi == lo && hi + 1 == terms.width(term) => Some(term),
        _ => None,
    }
}

/// Numbers below zero, or all others.
fn signed(terms: &Terms, term: Term, below: bool) -> Range {
    let (least, most) = if below { (i128::MIN, -1) } else { (0, i128::MAX) };
    Range::signed(terms.width(term), least, most)
}

/// Where two numbers lie of which a comparison holds, or does not.
fn compared(comparison: Node, holds: bool, a: Range, b: Range) -> (Range, Range) {
    match (comparison, holds) {
        (Node::Eq(..), true) => (a.meet(b), b.meet(a)),
        (Node::Eq(..), false) => (a.without(b), b.without(a)),
        (Node::Ult(..), true) => a.ordered(b, true, false),
        (Node::Slt(..), true) => a.ordered(b, true, true),
        (node, _) => {
            let (b, a) = b.ordered(a, false, matches!(node, Node::Slt(..)));
            (a, b)
        }
    }
}
