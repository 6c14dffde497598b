//! From trees to the core: what every operator means.
//!
//! Written as if nothing were negated; the [`Arena`] turns descriptions into their duals. Bounded operators come down to a few
//! nodes whatever their bounds are: `a U[l:h] b` is `a` in the first `l` cycles, and then `a U b` with `b` within `h - l`.

mod automaton;
mod sequence;

use std::collections::HashMap;
use std::ops::Range;

use super::arena::{Abort, Arena, Polarity};
use super::core::{AtomId, NodeId, Quantifier, Strength};
use super::error::{Result, error};
use super::expression::{Atom, Comparison, Expression, Keeping, Sign, truth_of};
use super::syntax::{Binary, Bounds, Function, Literal, Shape, Spelling, Suffix, Temporal, Tree, Unary, Until};
use super::typing::{Scope, Type, Values, Wanted};
use crate::wave::Value;
use Polarity::Positive;
use Strength::{Strong, Weak};

/// More nodes than this are refused.
const MOST_NODES: usize = 200_000;
/// More copies of pieces of sequences than this are refused.
const MOST_WORK: usize = 500_000;
/// More times of an event than this are refused.
const MOST_TIMES: u32 = 5_000;

/// A piece of a formula and its node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Bytes of the formula's text.
    pub range: Range<usize>,
    /// The smallest part around it.
    pub parent: Option<usize>,
    /// Its node.
    pub node: NodeId,
    /// Is the node the negation of this piece?
    pub negated: bool,
    /// Does it belong to the condition of an abort?
    pub aborting: bool,
}

/// A tree by its address, and all that its node depends on besides.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    address: usize,
    polarity: Polarity,
    antecedent: bool,
    aborting: Option<bool>,
    context: usize,
}

/// What is built for one formula.
pub(super) struct Translator<'a> {
    pub text: &'a str,
    pub values: Values<'a>,
    pub arena: Arena,
    pub atoms: Vec<Atom>,
    pub parts: Vec<Part>,
    /// Which part a tree is, by its address.
    known: HashMap<usize, usize>,
    /// Trees that were translated already: a chain of `<->` asks for each side twice.
    done: HashMap<Place, NodeId>,
    /// Which aborts the tree is below that is translated now, as a number, and the numbers so far by what comes to which.
    context: usize,
    contexts: HashMap<(usize, Abort), usize>,
    /// Are conditions of an antecedent translated?
    pub antecedent: bool,
    /// Is the condition of an abort translated, and if so, does the abort make true what it gives up?
    pub aborting: Option<bool>,
    /// Are sequences below a negation strong, though nobody said so?
    pub strong_below_not: bool,
    /// Was there one that is weak?
    pub weak_below_not: bool,
    /// What aborts give up, and the conditions of those that make it true, with their opposites.
    pub given_up: Vec<NodeId>,
    pub savings: Vec<(NodeId, NodeId)>,
    /// How many pieces of sequences were made.
    pub work: usize,
    parent: Option<usize>,
}

impl<'a> Translator<'a> {
    pub fn new(text: &'a str, values: Values<'a>) -> Translator<'a> {
        Translator {
            text,
            values,
            arena: Arena::default(),
            atoms: Vec::new(),
            parts: Vec::new(),
            antecedent: false,
            aborting: None,
            strong_below_not: false,
            weak_below_not: false,
            given_up: Vec::new(),
            savings: Vec::new(),
            known: HashMap::new(),
            done: HashMap::new(),
            context: 0,
            contexts: HashMap::new(),
            work: 0,
            parent: None,
        }
    }

    /// A condition of a sequence that is matched (positive) or is not to match.
    pub fn condition(&mut self, tree: &Tree, polarity: Polarity, sequence: Polarity) -> Result<NodeId> {
        let before = std::mem::replace(&mut self.antecedent, sequence == Polarity::Negative);
        let node = self.formula(tree, polarity);
        self.antecedent = before;
        node
    }

    /// The node of a tree or of its negation; makes it a part of the formula when it is met for the first time.
    pub fn formula(&mut self, tree: &Tree, polarity: Polarity) -> Result<NodeId> {
        let address = std::ptr::from_ref(tree) as usize;
        let place =
            Place { address, polarity, antecedent: self.antecedent, aborting: self.aborting, context: self.context };
        if let Some(node) = self.done.get(&place) {
            return Ok(*node);
        }
        let outside = self.parent;
        let same_text = outside.is_some_and(|parent| self.parts[parent].range == tree.range);
        let part = match self.known.get(&address) {
            None if !same_text && !tree.range.is_empty() => {
                let part = self.parts.len();
                let negated = polarity != Positive;
                let aborting = self.aborting.is_some();
                self.parts.push(Part {
                    range: tree.range.clone(),
                    parent: outside,
                    node: NodeId(0),
                    negated,
                    aborting,
                });
                self.known.insert(address, part);
                self.parent = Some(part);
                Some(part)
            }
            Some(known) => {
                self.parent = Some(*known);
                None
            }
            None => None,
        };
        let node = self.shape(tree, polarity)?;
        self.enough(tree)?;
        self.done.insert(place, node);
        if let Some(part) = part {
            self.parts[part].node = node;
        }
        self.parent = outside;
        Ok(node)
    }

    fn shape(&mut self, tree: &Tree, polarity: Polarity) -> Result<NodeId> {
        match &tree.shape {
            Shape::Boolean(value) => Ok(self.arena.constant(polarity, *value)),
            Shape::Unary(Unary::Not, body) => self.formula(body, polarity.flipped()),
            Shape::Unary(Unary::Complement, body) if body.is_temporal() || !self.values.is_vector(body)? => {
                self.formula(body, polarity.flipped())
            }
            Shape::And(spelling, parts) | Shape::Or(spelling, parts) => {
                if *spelling == Spelling::Single && self.works_on_bits(parts.iter())? {
                    return self.atom(tree, polarity);
                }
                let nodes: Vec<NodeId> =
                    parts.iter().map(|part| self.formula(part, polarity)).collect::<Result<_>>()?;
                Ok(match tree.shape {
                    Shape::And(..) => self.arena.and(polarity, &nodes),
                    _ => self.arena.or(polarity, &nodes),
                })
            }
            Shape::Xor(left, right) => {
                if self.works_on_bits([&**left, right].into_iter())? {
                    return self.atom(tree, polarity);
                }
                self.differ(left, right, polarity)
            }
            Shape::Iff(left, right) => self.differ(left, right, polarity.flipped()),
            Shape::Implies(left, right) => {
                let (left, right) = (self.formula(left, polarity.flipped())?, self.formula(right, polarity)?);
                Ok(self.arena.or(polarity, &[left, right]))
            }
            Shape::Conditional(condition, yes, no) => {
                if self.works_on_bits([&**yes, no].into_iter())? {
                    return self.atom(tree, polarity);
                }
                let not = self.formula(condition, polarity.flipped())?;
                let is = self.formula(condition, polarity)?;
                let (yes, no) = (self.formula(yes, polarity)?, self.formula(no, polarity)?);
                let (first, second) = (self.arena.or(polarity, &[not, yes]), self.arena.or(polarity, &[is, no]));
                Ok(self.arena.and(polarity, &[first, second]))
            }
            Shape::Temporal(op, body) => self.temporal(*op, body, polarity),
            Shape::Until(op, bounds, left, right) => self.until(tree, *op, *bounds, left, right, polarity),
            Shape::NextEvent { strength, any, bounds, event, body } => {
                self.next_event(tree, (*strength, *any, *bounds), event, body, polarity)
            }
            Shape::Suffix(suffix, left, right) => self.suffix(*suffix, left, right, polarity),
            Shape::Abort { accept, condition, body } => {
                let saves = *accept == (polarity == Positive);
                let outside = self.aborting.replace(saves);
                let yes = self.formula(condition, Polarity::Positive)?;
                let no = self.formula(condition, Polarity::Negative)?;
                self.aborting = outside;
                self.aborted(Abort { accept: *accept, yes, no }, body, polarity)
            }
            Shape::Binary(Binary::Equal | Binary::Unequal, left, right) => self.equality(tree, left, right, polarity),
            Shape::Braces(body) if !body.is_sequence() => self.formula(body, polarity),
            _ if tree.is_sequence() => {
                let below_not = polarity != Positive && !matches!(tree.shape, Shape::Sequence(..));
                self.weak_below_not |= below_not;
                let strength = if below_not && self.strong_below_not { Strong } else { Weak };
                sequence::property(self, tree, strength, polarity)
            }
            _ => self.atom(tree, polarity),
        }
    }

    /// What is below an abort, seen from its place. `abort` is as it was written: its negation accepts what it rejects.
    pub fn aborted(&mut self, abort: Abort, body: &Tree, polarity: Polarity) -> Result<NodeId> {
        let abort = Abort { accept: abort.accept == (polarity == Positive), ..abort };
        let next = self.contexts.len() + 1;
        let inside = *self.contexts.entry((self.context, abort)).or_insert(next);
        let outside = std::mem::replace(&mut self.context, inside);
        self.arena.aborts.push(abort);
        let node = self.formula(body, polarity)?;
        self.arena.aborts.pop();
        self.context = outside;
        self.given_up.push(node);
        if abort.accept {
            self.savings.push((abort.yes, abort.no));
        }
        Ok(self.arena.aborted(abort, node))
    }

    /// Are these values of which some have more than one bit?
    fn works_on_bits<'t>(&self, parts: impl Iterator<Item = &'t Tree> + Clone) -> Result<bool> {
        if parts.clone().any(Tree::is_temporal) {
            return Ok(false);
        }
        let mut any = false;
        for part in parts {
            any |= self.values.is_vector(part)?;
        }
        Ok(any)
    }

    /// Exactly one of the two.
    fn differ(&mut self, left: &Tree, right: &Tree, polarity: Polarity) -> Result<NodeId> {
        let other = polarity.flipped();
        let (a, b) = (self.formula(left, Polarity::Positive)?, self.formula(right, polarity)?);
        let (not_a, not_b) = (self.formula(left, Polarity::Negative)?, self.formula(right, other)?);
        // With the right polarity of `b`, the same two cases say that they differ or that they are equal.
        let (first, second) = (self.arena.and(Positive, &[a, not_b]), self.arena.and(Positive, &[not_a, b]));
        Ok(self.arena.or(Positive, &[first, second]))
    }

    fn temporal(&mut self, op: Temporal, body: &Tree, polarity: Polarity) -> Result<NodeId> {
        let node = self.formula(body, polarity)?;
        let (yes, no) = (self.arena.constant(polarity, true), self.arena.constant(polarity, false));
        Ok(match op {
            Temporal::Next(by, strength) => self.arena.next(polarity, by, node, strength),
            Temporal::Globally(bounds, strength) => match bounds.unwrap_or(Bounds { from: 0, to: None }) {
                Bounds { from, to: Some(to) } => {
                    self.arena.ahead(polarity, Quantifier::All, (from, to), node, strength)
                }
                Bounds { from, to: None } => {
                    let always = self.arena.release(polarity, no, node, Weak);
                    self.arena.next(polarity, from, always, strength)
                }
            },
            Temporal::Finally(bounds, strength) => match bounds.unwrap_or(Bounds { from: 0, to: None }) {
                Bounds { from, to: Some(to) } => {
                    self.arena.ahead(polarity, Quantifier::Any, (from, to), node, strength)
                }
                Bounds { from, to: None } => {
                    let once = self.arena.until(polarity, yes, node, Strong);
                    self.arena.next(polarity, from, once, strength)
                }
            },
            Temporal::Previous(by, strength) => self.arena.previous(polarity, by, node, strength),
            Temporal::Once(bounds) => match bounds.unwrap_or(Bounds { from: 0, to: None }) {
                Bounds { from, to: Some(to) } => self.arena.behind(polarity, Quantifier::Any, (from, to), node),
                Bounds { from, to: None } => {
                    let once = self.arena.since(polarity, yes, node);
                    self.arena.previous(polarity, from, once, Strong)
                }
            },
            Temporal::Historically(bounds) => match bounds.unwrap_or(Bounds { from: 0, to: None }) {
                Bounds { from, to: Some(to) } => self.arena.behind(polarity, Quantifier::All, (from, to), node),
                Bounds { from, to: None } => {
                    let always = self.arena.trigger(polarity, no, node);
                    self.arena.previous(polarity, from, always, Weak)
                }
            },
        })
    }

    /// Refuses what has become too large.
    pub fn enough(&self, tree: &Tree) -> Result<()> {
        if self.arena.too_long {
            return error(tree, "so many cycles below several `disable iff`, `abort` or `_on` are not supported");
        }
        if self.arena.nodes.len() > MOST_NODES || self.work > MOST_WORK {
            return error(tree, "this formula becomes too large: its bounds or repetitions are too many");
        }
        Ok(())
    }

    fn until(
        &mut self,
        tree: &Tree,
        op: Until,
        bounds: Option<Bounds>,
        left: &Tree,
        right: &Tree,
        polarity: Polarity,
    ) -> Result<NodeId> {
        let other = polarity.flipped();
        let a = self.formula(left, polarity)?;
        let b =
            self.formula(right, if matches!(op, Until::Before(_) | Until::BeforeWith(_)) { other } else { polarity })?;
        let Some(bounds) = bounds else {
            return Ok(match op {
                Until::Until(strength) => self.arena.until(polarity, a, b, strength),
                Until::UntilWith(strength) => self.arena.release(polarity, b, a, strength),
                Until::Release(strength) => self.arena.release(polarity, a, b, strength),
                Until::Before(strength) => {
                    let first = self.arena.and(polarity, &[a, b]);
                    self.arena.until(polarity, b, first, strength)
                }
                Until::BeforeWith(strength) => self.arena.until(polarity, b, a, strength),
                Until::Since => self.arena.since(polarity, a, b),
                Until::Trigger => self.arena.trigger(polarity, a, b),
            });
        };
        Ok(match op {
            Until::Until(Strong) => self.bounded_until(polarity, a, b, bounds),
            Until::Until(Weak) => {
                let met = self.bounded_until(polarity, a, b, bounds);
                let held = match bounds.to {
                    Some(to) => self.arena.ahead(polarity, Quantifier::All, (0, to), a, Weak),
                    None => {
                        let no = self.arena.constant(polarity, false);
                        self.arena.release(polarity, no, a, Weak)
                    }
                };
                self.arena.or(polarity, &[met, held])
            }
            // `a R b` is the negation of `!a U !b`.
            Until::Release(Weak) => self.bounded_until(other, a, b, bounds),
            Until::Release(Strong) => {
                let both = self.arena.and(polarity, &[a, b]);
                self.bounded_until(polarity, b, both, bounds)
            }
            Until::Since => self.bounded_since(polarity, a, b, bounds),
            Until::Trigger => self.bounded_since(other, a, b, bounds),
            _ => return error(tree, "this operator takes no bounds"),
        })
    }

    fn bounded_until(&mut self, polarity: Polarity, a: NodeId, b: NodeId, Bounds { from, to }: Bounds) -> NodeId {
        let mut later = self.arena.until(polarity, a, b, Strong);
        if let Some(to) = to {
            let soon = self.arena.ahead(polarity, Quantifier::Any, (0, to - from), b, Strong);
            later = self.arena.and(polarity, &[later, soon]);
        }
        if from == 0 {
            return later;
        }
        let first = self.arena.ahead(polarity, Quantifier::All, (0, from - 1), a, Weak);
        let later = self.arena.next(polarity, from, later, Strong);
        self.arena.and(polarity, &[first, later])
    }

    fn bounded_since(&mut self, polarity: Polarity, a: NodeId, b: NodeId, Bounds { from, to }: Bounds) -> NodeId {
        let mut before = self.arena.since(polarity, a, b);
        if let Some(to) = to {
            let soon = self.arena.behind(polarity, Quantifier::Any, (0, to - from), b);
            before = self.arena.and(polarity, &[before, soon]);
        }
        if from == 0 {
            return before;
        }
        let last = self.arena.behind(polarity, Quantifier::All, (0, from - 1), a);
        let before = self.arena.previous(polarity, from, before, Strong);
        self.arena.and(polarity, &[last, before])
    }

    /// At the n-th event: `!event W (event & …)`, once within the other.
    fn next_event(
        &mut self,
        tree: &Tree,
        (strength, any, bounds): (Strength, bool, Bounds),
        event: &Tree,
        body: &Tree,
        polarity: Polarity,
    ) -> Result<NodeId> {
        let to = bounds.to.unwrap_or(bounds.from);
        if to > MOST_TIMES {
            return error(tree, format!("an event is counted up to {MOST_TIMES}"));
        }
        let not = self.formula(event, polarity.flipped())?;
        let is = self.formula(event, polarity)?;
        let body = self.formula(body, polarity)?;
        let mut node = None;
        for time in (1..=to).rev() {
            let mut here = Vec::new();
            if time >= bounds.from {
                here.push(body);
            }
            if let Some(later) = node {
                here.push(self.arena.next(polarity, 1, later, strength));
            }
            let here = if any { self.arena.or(polarity, &here) } else { self.arena.and(polarity, &here) };
            let goal = self.arena.and(polarity, &[is, here]);
            node = Some(self.arena.until(polarity, not, goal, strength));
        }
        Ok(node.unwrap_or(body))
    }

    fn suffix(&mut self, suffix: Suffix, left: &Tree, right: &Tree, polarity: Polarity) -> Result<NodeId> {
        let here = self.formula(right, polarity)?;
        // `s |-> p` is that not: `s`, and then not `p`.
        let (seen, strength) = match suffix {
            Suffix::Overlapping | Suffix::NonOverlapping => (polarity.flipped(), Strong),
            Suffix::FollowedBy | Suffix::FollowedByNext => (polarity, Strong),
        };
        let exit = match suffix {
            Suffix::NonOverlapping => self.arena.next(polarity, 1, here, Weak),
            Suffix::FollowedByNext => self.arena.next(polarity, 1, here, Strong),
            _ => here,
        };
        let matched = sequence::matched(self, left, exit, seen, strength)?;
        let empty = matches!(suffix, Suffix::NonOverlapping | Suffix::FollowedByNext) && left.is_nullable();
        Ok(if empty { self.arena.or(seen, &[matched, here]) } else { matched })
    }

    /// `==` and `!=`: of one bit with a constant it is the bit itself.
    fn equality(&mut self, tree: &Tree, left: &Tree, right: &Tree, polarity: Polarity) -> Result<NodeId> {
        for (side, constant) in [(left, right), (right, left)] {
            let value = match &constant.shape {
                Shape::Boolean(value) => Some(*value),
                Shape::Literal(Literal::Integer(number @ (0 | 1))) => Some(*number == 1),
                Shape::Literal(Literal::Bits { bits, signed: false }) => match bits.to_u64() {
                    Some(number @ (0 | 1)) => Some(number == 1),
                    _ => None,
                },
                _ => None,
            };
            let Some(value) = value else { continue };
            let constant_side = matches!(side.shape, Shape::Literal(_) | Shape::Boolean(_));
            if !constant_side
                && (side.is_temporal()
                    || self.values.type_of(side, None)? == Type::Bits { width: 1, sign: Sign::Unsigned })
            {
                let equal = matches!(tree.shape, Shape::Binary(Binary::Equal, ..));
                return self.formula(side, if value == equal { polarity } else { polarity.flipped() });
            }
        }
        self.atom(tree, polarity)
    }

    /// A tree that is true or false by itself.
    fn atom(&mut self, tree: &Tree, polarity: Polarity) -> Result<NodeId> {
        let mut scope = Scope::default();
        let source = |tree: &Tree| self.source(tree);
        let mut text = source(tree);
        let mut negated = false;
        let expression = match &tree.shape {
            Shape::Binary(op, left, right) => {
                let turned = match op {
                    Binary::Unequal => Some((Comparison::Equal, "==", false)),
                    Binary::Differs => Some((Comparison::Same, "===", false)),
                    Binary::AtLeast => Some((Comparison::Less, "<", false)),
                    Binary::AtMost => Some((Comparison::Less, ">", true)),
                    _ => None,
                };
                match turned {
                    Some((comparison, symbol, swapped)) => {
                        negated = true;
                        text = format!("{} {symbol} {}", source(left), source(right));
                        let (left, right) = if swapped { (right, left) } else { (left, right) };
                        self.values.compare(tree, comparison, left, right, &mut scope)?
                    }
                    None => self.value(tree, &mut scope)?,
                }
            }
            Shape::Call(Function::Changed, arguments) => {
                negated = true;
                text = format!("$stable({})", source(&arguments[0]));
                let stable = Tree::new(tree.range.clone(), Shape::Call(Function::Stable, arguments.clone()));
                self.value(&stable, &mut scope)?
            }
            _ => self.value(tree, &mut scope)?,
        };
        let unseen = tree.unseen();
        let expression = match unseen {
            // What it comes to is open, and so is no constant. No cycle of the trace asks for it.
            Some(signal) if scope.reads.is_empty() => self.values.read(signal, &mut scope),
            _ => expression,
        };
        if scope.reads.is_empty() {
            // What is unknown is neither true nor false.
            let truth = truth_of(&expression.evaluate(&[])).map(|truth| truth != negated);
            return Ok(self.arena.constant(Positive, truth == Some(polarity == Positive)));
        }
        let negated = negated != (polarity != Positive);
        // Below an antecedent the literal says that something does not match, which what is unknown does not either.
        let unknown = self.antecedent.then_some(!negated);
        let saving = self.aborting == Some(true);
        let kept = match &tree.shape {
            _ if unseen.is_some() => Some(Keeping::Other),
            Shape::Is(..) => Some(Keeping::This),
            _ => None,
        };
        let same = |atom: &Atom| {
            (&atom.expression, &atom.reads, atom.unknown) == (&expression, &scope.reads, unknown)
                && (atom.saving, atom.kept) == (saving, kept)
        };
        let atom = self.atoms.iter().position(same).unwrap_or_else(|| {
            self.atoms.push(Atom { text, expression, reads: scope.reads, unknown, saving, kept });
            self.atoms.len() - 1
        });
        let atom = AtomId(u32::try_from(atom).expect("formulas are far smaller"));
        Ok(self.arena.literal(atom, negated))
    }

    /// How an atom is shown: as it was written, with values for local variables.
    fn source(&self, tree: &Tree) -> String {
        if let Shape::Is(value, kept) = &tree.shape {
            return match value.shape {
                Shape::Name(_) => self.source(value),
                _ => format!("{} == {}", self.source(value), kept.text),
            };
        }
        let Some(text) = self.text.get(tree.range.clone()).filter(|text| !text.is_empty()) else {
            // It comes from a declaration.
            return tree.to_string().replace('`', "");
        };
        let mut text = text.to_owned();
        let (mut kept, mut open) = (Vec::new(), vec![tree]);
        while let Some(part) = open.pop() {
            if let Shape::Local(local) = &part.shape {
                kept.extend(local.kept.as_ref().map(|kept| (part.range.clone(), &kept.text)));
            }
            open.extend(part.shape.children());
        }
        // From the last to the first, so that places stay where they are.
        kept.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, value) in kept {
            let place = |at: usize| at.checked_sub(tree.range.start);
            let (Some(from), Some(to)) = (place(range.start), place(range.end)) else { continue };
            if from < to && text.is_char_boundary(from) && text.is_char_boundary(to) {
                text.replace_range(from..to, value);
            }
        }
        text
    }

    fn value(&mut self, tree: &Tree, scope: &mut Scope) -> Result<Expression> {
        let own = self.values.type_of(tree, None)?;
        if own == Type::Text {
            return error(tree, "a text is neither true nor false: compare it with something");
        }
        let expression = self.values.build(tree, Wanted::of(own), scope)?;
        Ok(match expression {
            // Two spellings of one value.
            Expression::Truth(body) if !matches!(*body, Expression::Constant(Value::Text(_))) => *body,
            expression => expression,
        })
    }
}
