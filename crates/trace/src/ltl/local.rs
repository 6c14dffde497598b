//! Local variables of SVA: `(a, x = d) ##1 b |-> q == x`.
//!
//! On a given trace a variable can only get the values that the trace has. So an attempt is a finite set of threads, one per value: the
//! sequence in which the assignment is a question (`d` is 7?) and every later use of the variable that value. A sequence matches if one
//! of its threads does; what follows an antecedent is asked for after each of them, with the thread's own value (IEEE 1800, 16.10 and
//! annex F: a variable keeps the sampled value from the end of the sequence that it stands behind, and each match has its own copy). What
//! is left is a formula without variables, and everything else works on that.
//!
//! Beyond the end of the trace any value may come. One more thread stands for these: it starts in no cycle of the trace, and keeps
//! what is still open from being judged.
//!
//! A repetition without a limit is unfolded as "some rounds, and then the last": what comes after it sees the values of the last
//! round. That is right only if no round reads what an earlier one kept, which is refused, as are assignments below `first_match`.
//!
//! Cost: the tree once per combination of values that are kept together, up to a limit.

use std::borrow::Cow;
use std::sync::Arc;

use super::error::{Result, error};
use super::expression::{Read, Sign};
use super::room::with_room;
use super::syntax::{Bounds, Holds, Kept, Literal, Local, Repeat, Shape, Spelling, Suffix, Tree};
use super::truth;
use super::typing::{Scope, Type, Values, Wanted};
use super::{Formula, value};
use crate::wave::{BitVector, SignalInfo, Value, Wave};

/// More threads than this are refused.
const MOST_THREADS: usize = 2_000;
/// More operators than this in the unfolded formula are refused.
const LARGEST: usize = 400_000;

/// The formula with some value for each local variable: enough to see which signals it names and whether its types fit.
///
/// # Errors
///
/// The place of an assignment that is not supported, or of a name that is no signal.
pub fn guessed<'f>(formula: &'f Formula, signals: &[SignalInfo]) -> Result<Cow<'f, Formula>> {
    unfolded(formula, signals, None)
}

/// The formula without local variables: what it says on this trace. `named` says which signals the wave has, as indices into `signals`.
///
/// # Errors
///
/// The place of an assignment that is not supported, or of one to a variable that gets too many values.
pub fn on_trace<'f>(
    formula: &'f Formula,
    signals: &[SignalInfo],
    wave: &Wave,
    named: &[usize],
) -> Result<Cow<'f, Formula>> {
    unfolded(formula, signals, Some((wave, named)))
}

fn unfolded<'f>(
    formula: &'f Formula,
    signals: &[SignalInfo],
    trace: Option<(&Wave, &[usize])>,
) -> Result<Cow<'f, Formula>> {
    if !formula.tree.keeps_values() {
        return Ok(Cow::Borrowed(formula));
    }
    let tree = with_room(formula.tree.height.saturating_mul(2), || {
        let mut unfolding = Unfolding { signals, trace, size: 0 };
        unfolding.property(&formula.tree, &Kepts::default())
    })?;
    Ok(Cow::Owned(Formula { tree, ..formula.clone() }))
}

/// The variables that have a value, by their numbers.
#[derive(Clone, Default, PartialEq)]
struct Kepts(Vec<(u32, Kept)>);

impl Kepts {
    fn with(&self, id: u32, kept: Kept) -> Kepts {
        let mut all = self.without(&[id]);
        all.0.push((id, kept));
        all.0.sort_by_key(|(id, _)| *id);
        all
    }

    fn without(&self, ids: &[u32]) -> Kepts {
        Kepts(self.0.iter().filter(|(id, _)| !ids.contains(id)).cloned().collect())
    }

    fn get(&self, id: u32) -> Option<&Kept> {
        self.0.iter().find(|(other, _)| *other == id).map(|(_, kept)| kept)
    }
}

/// A sequence without assignments, and the values that are kept where it ends.
struct Thread {
    tree: Tree,
    kept: Kepts,
}

struct Unfolding<'a> {
    signals: &'a [SignalInfo],
    /// The values, and which signals they are of.
    trace: Option<(&'a Wave, &'a [usize])>,
    /// Operators so far.
    size: usize,
}

/// One cycle after the other, or in the same one.
fn joined(range: &Tree, first: Tree, by: u32, second: Tree) -> Tree {
    let bounds = Bounds { from: by, to: Some(by) };
    Tree::new(range.range.clone(), Shape::Delay(Some(Box::new(first)), bounds, Box::new(second)))
}

/// Any of several, with the place of the whole.
fn any_of(tree: &Tree, mut parts: Vec<Tree>) -> Tree {
    match parts.len() {
        1 => parts.remove(0),
        _ => Tree::new(tree.range.clone(), Shape::Or(Spelling::Word, parts)),
    }
}

/// A match of no cycle.
fn nothing(tree: &Tree) -> Tree {
    let yes = Tree::new(tree.range.end..tree.range.end, Shape::Boolean(true));
    let never = Bounds { from: 0, to: Some(0) };
    Tree::new(tree.range.clone(), Shape::Repeat(Repeat::Consecutive, never, Box::new(yes)))
}

/// The variables that get a value somewhere in a tree.
fn assigned(tree: &Tree, found: &mut Vec<u32>) {
    if let Shape::Match(_, items) = &tree.shape {
        for (target, _) in items {
            if let Shape::Local(local) = &target.shape {
                found.push(local.id);
            }
        }
    }
    tree.shape.children().into_iter().for_each(|child| assigned(child, found));
}

impl Unfolding<'_> {
    fn enough(&self, tree: &Tree, threads: usize) -> Result<()> {
        if threads > MOST_THREADS || self.size > LARGEST {
            return error(
                tree,
                format!(
                    "the local variables have too many combinations of values on this trace: more than {}",
                    if threads > MOST_THREADS { MOST_THREADS } else { threads }
                ),
            );
        }
        Ok(())
    }

    /// The tree with the values that are kept for the variables.
    fn put(&mut self, tree: &Tree, kept: &Kepts) -> Tree {
        self.size += 1;
        let mut shape = tree.shape.clone();
        if let Shape::Local(local) = &mut shape {
            local.kept = kept.get(local.id).cloned();
        }
        if self.size <= LARGEST {
            for child in shape.children_mut() {
                *child = self.put(child, kept);
            }
        }
        Tree::new(tree.range.clone(), shape)
    }

    /// A property, with the values that are kept where it starts.
    fn property(&mut self, tree: &Tree, kept: &Kepts) -> Result<Tree> {
        if !tree.keeps_values() {
            let tree = self.put(tree, kept);
            self.enough(&tree, 0)?;
            return Ok(tree);
        }
        match &tree.shape {
            Shape::Suffix(suffix, left, right) => {
                let mut parts = Vec::new();
                for thread in self.threads(left, kept)? {
                    let right = self.property(right, &thread.kept)?;
                    let shape = Shape::Suffix(*suffix, Box::new(thread.tree), Box::new(right));
                    parts.push(Tree::new(tree.range.clone(), shape));
                }
                Ok(match suffix {
                    Suffix::Overlapping | Suffix::NonOverlapping if parts.len() > 1 => {
                        Tree::new(tree.range.clone(), Shape::And(Spelling::Word, parts))
                    }
                    _ => any_of(tree, parts),
                })
            }
            Shape::Delay(..) | Shape::Repeat(..) | Shape::Combine(..) | Shape::FirstMatch(_) | Shape::Match(..) => {
                let threads = self.threads(tree, kept)?;
                Ok(any_of(tree, threads.into_iter().map(|thread| thread.tree).collect()))
            }
            _ => {
                let mut shape = tree.shape.clone();
                for child in shape.children_mut() {
                    *child = self.property(child, kept)?;
                }
                Ok(Tree::new(tree.range.clone(), shape))
            }
        }
    }

    /// The threads of a sequence, those that keep the same values as one.
    fn threads(&mut self, tree: &Tree, kept: &Kepts) -> Result<Vec<Thread>> {
        let threads = self.all_threads(tree, kept)?;
        self.enough(tree, threads.len())?;
        let mut groups: Vec<(Kepts, Vec<Tree>)> = Vec::new();
        for thread in threads {
            match groups.iter_mut().find(|(kept, _)| *kept == thread.kept) {
                Some((_, trees)) => trees.push(thread.tree),
                None => groups.push((thread.kept, vec![thread.tree])),
            }
        }
        Ok(groups.into_iter().map(|(kept, trees)| Thread { tree: any_of(tree, trees), kept }).collect())
    }

    fn all_threads(&mut self, tree: &Tree, kept: &Kepts) -> Result<Vec<Thread>> {
        if !tree.keeps_values() {
            return Ok(vec![Thread { tree: self.put(tree, kept), kept: kept.clone() }]);
        }
        match &tree.shape {
            Shape::Match(body, items) => self.matches(tree, body, items, kept),
            Shape::Braces(body) => self.threads(body, kept),
            Shape::Sequence(strength, body) => {
                let wrapped = |thread: Thread| {
                    let shape = Shape::Sequence(*strength, Box::new(thread.tree));
                    Thread { tree: Tree::new(tree.range.clone(), shape), ..thread }
                };
                Ok(self.threads(body, kept)?.into_iter().map(wrapped).collect())
            }
            Shape::Or(_, parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.threads(part, kept)?);
                }
                Ok(all)
            }
            Shape::Delay(None, bounds, second) => {
                let wrapped = |thread: Thread| {
                    let shape = Shape::Delay(None, *bounds, Box::new(thread.tree));
                    Thread { tree: Tree::new(tree.range.clone(), shape), ..thread }
                };
                Ok(self.threads(second, kept)?.into_iter().map(wrapped).collect())
            }
            Shape::Delay(Some(first), bounds, second) => {
                let mut all = Vec::new();
                for before in self.threads(first, kept)? {
                    for after in self.threads(second, &before.kept)? {
                        let shape = Shape::Delay(Some(Box::new(before.tree.clone())), *bounds, Box::new(after.tree));
                        all.push(Thread { tree: Tree::new(tree.range.clone(), shape), kept: after.kept });
                        self.size += before.tree.height as usize;
                        self.enough(tree, all.len())?;
                    }
                }
                Ok(all)
            }
            Shape::Repeat(Repeat::Consecutive, bounds, body) => match bounds.to {
                Some(to) => self.rounds(tree, (bounds.from, to), body, kept),
                None => self.unlimited(tree, bounds.from, body, kept),
            },
            Shape::Combine(combine, first, second) => {
                self.at_once(tree, first, second, kept, |a, b| Shape::Combine(*combine, a, b))
            }
            Shape::And(spelling, parts) if parts.len() == 2 => {
                self.at_once(tree, &parts[0], &parts[1], kept, |a, b| Shape::And(*spelling, vec![*a, *b]))
            }
            _ => error(tree, "a local variable cannot get its value inside this: only before it or after it"),
        }
    }

    /// `(r, x = d, y = e)`: what is assigned later sees what was assigned before.
    fn matches(&mut self, tree: &Tree, body: &Tree, items: &[(Tree, Tree)], kept: &Kepts) -> Result<Vec<Thread>> {
        if body.is_nullable() {
            return error(body, "a sequence that may match no cycle at all has no end at which a value could be kept");
        }
        let mut all = Vec::new();
        for thread in self.threads(body, kept)? {
            let mut ways: Vec<(Vec<Tree>, Kepts)> = vec![(Vec::new(), thread.kept)];
            for (target, value) in items {
                let Shape::Local(local) = &target.shape else {
                    return error(target, "only local variables get values here");
                };
                let mut next = Vec::new();
                for (conditions, kept) in ways {
                    for (is, value) in self.values(value, local, &kept)? {
                        let conditions = conditions.iter().cloned().chain([is]).collect();
                        next.push((conditions, kept.with(local.id, value)));
                        self.enough(tree, next.len())?;
                    }
                }
                ways = next;
            }
            for (conditions, kept) in ways {
                let here = Tree::new(tree.range.clone(), Shape::And(Spelling::Double, conditions));
                let tree = if thread.tree.is_sequence() {
                    joined(tree, thread.tree.clone(), 0, here)
                } else {
                    let both = vec![thread.tree.clone(), here];
                    Tree::new(tree.range.clone(), Shape::And(Spelling::Double, both))
                };
                self.size += 2 + tree.height as usize;
                all.push(Thread { tree, kept });
            }
        }
        Ok(all)
    }

    /// The values that a variable can get, each with the question whether it gets that one.
    fn values(&mut self, tree: &Tree, local: &Local, kept: &Kepts) -> Result<Vec<(Tree, Kept)>> {
        let tree = self.put(tree, kept);
        let mut values = Values::new(self.signals);
        let own = values.type_of(&tree, None)?;
        let wide = match (own, local.holds) {
            (Type::Bits { width, sign }, Holds::Bits { width: other, .. }) => {
                Type::Bits { width: width.max(other), sign }
            }
            _ => own,
        };
        let mut scope = Scope::default();
        let expression = values.build(&tree, Wanted::of(wide), &mut scope)?;
        // What is made of a value that no cycle has is such a value.
        if let Some(signal) = tree.unseen() {
            let other = self.other(signal, wide, local);
            let is = Shape::Is(Box::new(tree.clone()), Box::new(other.clone()));
            return Ok(vec![(Tree::new(tree.range.clone(), is), other)]);
        }
        let found = match self.trace {
            Some((wave, named)) => {
                let of: Vec<usize> = values.used.iter().map(|signal| self.place(*signal, named)).collect();
                truth::values(&expression, &scope.reads, wave, &of)
            }
            None => vec![zero(wide)],
        };
        let plain = self.plain_signal(&tree, &values, &scope.reads);
        let mut all: Vec<(Vec<Tree>, Kept)> = Vec::new();
        for raw in found {
            let Some(literal) = literal(&raw, wide) else {
                return error(&tree, "this has no value at the first cycle, which no local variable can keep");
            };
            let kept = self.kept(&raw, &literal, local, plain);
            let raw = Kept { text: kept.text.clone(), value: literal, unseen: None };
            let is = Tree::new(tree.range.clone(), Shape::Is(Box::new(tree.clone()), Box::new(raw)));
            match all.iter_mut().find(|(_, other)| *other == kept) {
                Some((ways, _)) => ways.push(is),
                None => all.push((vec![is], kept)),
            }
            self.size += 1 + tree.height as usize;
            self.enough(&tree, all.len())?;
        }
        let mut all: Vec<(Tree, Kept)> = all.into_iter().map(|(ways, kept)| (any_of(&tree, ways), kept)).collect();
        // After the end of the trace, or of a start of it, any other value may come.
        if let (Some(_), Some(read)) = (self.trace, scope.reads.first()) {
            let other = self.other(values.used[read.signal], wide, local);
            let is = Shape::Is(Box::new(tree.clone()), Box::new(other.clone()));
            all.push((Tree::new(tree.range.clone(), is), other));
        }
        Ok(all)
    }

    /// A value that the trace does not have; which one does not matter, as no cycle asks for it.
    fn other(&self, signal: usize, kind: Type, local: &Local) -> Kept {
        let value = match (local.holds, kind) {
            (Holds::Bits { width, signed, .. }, Type::Bits { .. }) => {
                Literal::Bits { bits: value::unknown(width), signed }
            }
            (_, Type::Bits { width, sign }) => {
                Literal::Bits { bits: value::unknown(width), signed: sign == Sign::Signed }
            }
            (_, Type::Integer) => Literal::Integer(0),
            (_, Type::Real) => Literal::Real(0.0),
            (_, Type::Text) => Literal::Text(String::new()),
        };
        Kept { value, text: "another value".to_owned(), unseen: Some(signal) }
    }

    /// Which signal of the wave it is: itself, or another name of the same wire.
    fn place(&self, signal: usize, named: &[usize]) -> usize {
        let info = &self.signals[signal];
        let same = |other: &usize| {
            let other = &self.signals[*other];
            info.wire.is_some() && (info.wire, info.kind) == (other.wire, other.kind)
        };
        let exact = named.iter().position(|other| *other == signal);
        exact.or_else(|| named.iter().position(same)).expect("the guessed formula names the same signals")
    }

    /// The signal whose value is kept, if it is just that.
    fn plain_signal(&self, tree: &Tree, values: &Values, reads: &[Read]) -> Option<usize> {
        match (&tree.shape, reads) {
            (Shape::Name(_), [read]) => values.used.get(read.signal).copied(),
            _ => None,
        }
    }

    /// What the variable makes of a value.
    fn kept(&self, raw: &Value, literal: &Literal, local: &Local, plain: Option<usize>) -> Kept {
        match (local.holds, literal) {
            (Holds::Bits { width, signed, two_state }, Literal::Bits { bits, signed: own }) => {
                let mut bits = value::resized(bits, width, *own);
                if two_state {
                    for (value, unknown) in bits.value.iter_mut().zip(&mut bits.unknown) {
                        *value &= !*unknown;
                        *unknown = 0;
                    }
                }
                let text = match (plain, signed) {
                    (Some(signal), _) if *raw == Value::Bits(bits.clone()) => self.signals[signal].text(raw),
                    (_, true) => bits.to_i64().map_or_else(|| bits.to_string(), |number| number.to_string()),
                    _ => bits.to_string(),
                };
                Kept { value: Literal::Bits { bits, signed }, text, unseen: None }
            }
            _ => {
                let text = plain.map_or_else(|| raw.to_string(), |signal| self.signals[signal].text(raw));
                Kept { value: literal.clone(), text, unseen: None }
            }
        }
    }

    /// So many rounds, one directly after the other.
    fn rounds(&mut self, tree: &Tree, (from, to): (u32, u32), body: &Tree, kept: &Kepts) -> Result<Vec<Thread>> {
        let mut all = Vec::new();
        let mut open = vec![Thread { tree: nothing(tree), kept: kept.clone() }];
        for round in 0..=to {
            if round > 0 {
                let mut next = Vec::new();
                for before in open {
                    for after in self.threads(body, &before.kept)? {
                        let tree =
                            if round == 1 { after.tree } else { joined(tree, before.tree.clone(), 1, after.tree) };
                        self.size += tree.height as usize;
                        next.push(Thread { tree, kept: after.kept });
                        self.enough(&next[0].tree, next.len())?;
                    }
                }
                open = next;
            }
            if round >= from {
                all.extend(open.iter().map(|thread| Thread { tree: thread.tree.clone(), kept: thread.kept.clone() }));
                self.enough(tree, all.len())?;
            }
        }
        Ok(all)
    }

    /// Some rounds, and then the last, whose values are kept.
    fn unlimited(&mut self, tree: &Tree, from: u32, body: &Tree, kept: &Kepts) -> Result<Vec<Thread>> {
        let mut ids = Vec::new();
        assigned(body, &mut ids);
        let reads_earlier = reads_before(body, &ids, &mut Vec::new());
        if reads_earlier {
            return error(
                tree,
                "in a repetition without a limit, a local variable cannot be read before the same round gives it a value",
            );
        }
        let threads = self.threads(body, &kept.without(&ids))?;
        let any = any_of(tree, threads.iter().map(|thread| thread.tree.clone()).collect());
        let rest = Bounds { from: from.max(1) - 1, to: None };
        let rounds = Tree::new(tree.range.clone(), Shape::Repeat(Repeat::Consecutive, rest, Box::new(any)));
        let mut all: Vec<Thread> = Vec::new();
        for thread in threads {
            if ids.iter().any(|id| thread.kept.get(*id).is_none()) {
                return error(
                    tree,
                    "in a repetition without a limit, every way through a round must give the local variable a value",
                );
            }
            let mut kept_now = kept.clone();
            for (id, value) in thread.kept.0 {
                kept_now = kept_now.with(id, value);
            }
            self.size += rounds.height as usize;
            all.push(Thread { tree: joined(tree, rounds.clone(), 1, thread.tree), kept: kept_now });
        }
        if from == 0 {
            all.push(Thread { tree: nothing(tree), kept: kept.clone() });
        }
        Ok(all)
    }

    /// Two sequences at once: what one of them keeps is kept, and no variable gets values in both.
    fn at_once(
        &mut self,
        tree: &Tree,
        first: &Tree,
        second: &Tree,
        kept: &Kepts,
        join: impl Fn(Box<Tree>, Box<Tree>) -> Shape,
    ) -> Result<Vec<Thread>> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        assigned(first, &mut left);
        assigned(second, &mut right);
        if left.iter().any(|id| right.contains(id)) {
            return error(tree, "a local variable cannot get values in two sequences at once");
        }
        let mut all = Vec::new();
        for one in self.threads(first, kept)? {
            for other in self.threads(second, kept)? {
                let mut both = one.kept.clone();
                for (id, value) in other.kept.0.iter().filter(|(id, _)| right.contains(id)) {
                    both = both.with(*id, value.clone());
                }
                let shape = join(Box::new(one.tree.clone()), Box::new(other.tree));
                self.size += one.tree.height as usize;
                all.push(Thread { tree: Tree::new(tree.range.clone(), shape), kept: both });
                self.enough(tree, all.len())?;
            }
        }
        Ok(all)
    }
}

/// May a round read one of these before it has given it a value? `given` has those that surely have one. That a branch may be left out or
/// taken is not looked at closer: what is given inside of one counts there only.
fn reads_before(tree: &Tree, ids: &[u32], given: &mut Vec<u32>) -> bool {
    match &tree.shape {
        Shape::Local(local) => ids.contains(&local.id) && !given.contains(&local.id),
        Shape::Match(body, items) => {
            if reads_before(body, ids, given) {
                return true;
            }
            for (target, value) in items {
                if reads_before(value, ids, given) {
                    return true;
                }
                if let Shape::Local(local) = &target.shape {
                    given.push(local.id);
                }
            }
            false
        }
        Shape::Delay(..) | Shape::Braces(_) | Shape::Sequence(..) => {
            tree.shape.children().into_iter().any(|child| reads_before(child, ids, given))
        }
        _ => tree.shape.children().into_iter().any(|child| reads_before(child, ids, &mut given.clone())),
    }
}

fn zero(kind: Type) -> Value {
    match kind {
        Type::Bits { width, .. } => Value::Bits(BitVector::number(width, 0)),
        Type::Integer => Value::Integer(0),
        Type::Real => Value::Real(0.0),
        Type::Text => Value::Text(Arc::from("")),
    }
}

/// A value as a constant of a type.
fn literal(value: &Value, kind: Type) -> Option<Literal> {
    match (value, kind) {
        (Value::Bits(bits), Type::Bits { sign, .. }) => {
            Some(Literal::Bits { bits: bits.clone(), signed: sign == Sign::Signed })
        }
        (Value::Integer(number), Type::Integer) => Some(Literal::Integer(*number)),
        (Value::Real(number), Type::Real) => Some(Literal::Real(*number)),
        (Value::Text(text), Type::Text) => Some(Literal::Text(text.to_string())),
        _ => None,
    }
}
