//! Sequences of PSL and SVA: a match, and what holds where it ends.
//!
//! `matched(r, exit)` is the formula "some match of `r` starts here, and `exit` holds in its last cycle". It is made from the
//! sequence backwards: for `r ##[1:3] s` it is `matched(r, F[1:3] matched(s, exit))`. So delays become bounded operators, a
//! repeated condition a `Release`, `[->]` an `Until`, and only what repeats a longer sequence without a limit needs a cycle of the core.
//! Antecedents are the same formula negated. Two sequences at once (`intersect`, `within`, `throughout`, `and` between sequences) are
//! a product of automata ([`super::automaton`]), whose states become nodes that point to each other.
//!
//! A sequence that matches nothing at all (`a[*]`) is joined to its neighbours by the rule of SVA: `empty ##n s` is `##(n-1) s`, and
//! nothing for `n = 0`. PSL's `;` and `:` are `##1` and `##0` under it.
//!
//! A weak sequence fails only when no continuation could match; a strong one also when the run ends before it does.

use super::super::arena::Polarity;
use super::super::core::{NodeId, Quantifier, Strength};
use super::super::error::{Result, error};
use super::super::syntax::{Bounds, Repeat, Shape, Tree};
use super::Translator;
use super::automaton::Automaton;

/// More copies than this are refused.
const MOST_COPIES: u32 = 2_000;

/// A sequence as a property: it matches.
pub(super) fn property(t: &mut Translator, tree: &Tree, strength: Strength, polarity: Polarity) -> Result<NodeId> {
    if let Shape::Sequence(strength, body) = &tree.shape {
        return property(t, body, *strength, polarity);
    }
    let exit = t.arena.constant(polarity, true);
    if tree.is_nullable() {
        return Ok(exit);
    }
    matched(t, tree, exit, polarity, strength)
}

/// Some match starts here, and `exit` holds in its last cycle.
pub(super) fn matched(
    t: &mut Translator,
    tree: &Tree,
    exit: NodeId,
    polarity: Polarity,
    strength: Strength,
) -> Result<NodeId> {
    let mut maker = Maker { t, polarity, strength, in_cycle: false };
    maker.matched(tree, exit)
}

/// Makes the formula of one sequence.
struct Maker<'m, 'a> {
    t: &'m mut Translator<'a>,
    polarity: Polarity,
    strength: Strength,
    /// Is what is built a part of a cycle? Then it is made of steps alone.
    in_cycle: bool,
}

impl Maker<'_, '_> {
    fn and(&mut self, parts: &[NodeId]) -> NodeId {
        self.t.arena.and(self.polarity, parts)
    }

    fn or(&mut self, parts: &[NodeId]) -> NodeId {
        self.t.arena.or(self.polarity, parts)
    }

    fn next(&mut self, by: u32, body: NodeId) -> NodeId {
        self.t.arena.next(self.polarity, by, body, self.strength)
    }

    fn until(&mut self, hold: NodeId, goal: NodeId) -> NodeId {
        if !self.in_cycle {
            return self.t.arena.until(self.polarity, hold, goal, self.strength);
        }
        let again = self.t.arena.knot(self.polarity, self.strength);
        let held = self.and(&[hold, again]);
        let node = self.or(&[goal, held]);
        self.t.arena.tie(again, node);
        node
    }

    fn release(&mut self, stop: NodeId, keep: NodeId) -> NodeId {
        if !self.in_cycle {
            return self.t.arena.release(self.polarity, stop, keep, self.strength);
        }
        let again = self.t.arena.knot(self.polarity, self.strength);
        let open = self.or(&[stop, again]);
        let node = self.and(&[keep, open]);
        self.t.arena.tie(again, node);
        node
    }

    /// The body after at least `from` and at most `to` cycles.
    fn ahead(&mut self, tree: &Tree, from: u32, to: Option<u32>, body: NodeId) -> Result<NodeId> {
        let Some(to) = to else {
            let yes = self.t.arena.constant(self.polarity, true);
            let sometime = self.until(yes, body);
            return Ok(self.next(from, sometime));
        };
        if !self.in_cycle && self.t.arena.aborts.len() <= 1 {
            return Ok(self.t.arena.ahead(self.polarity, Quantifier::Any, (from, to), body, self.strength));
        }
        if to > MOST_COPIES {
            return error(
                tree,
                format!("a delay of more than {MOST_COPIES} cycles inside a repetition is not supported"),
            );
        }
        let mut node = body;
        for _ in from..to {
            let later = self.next(1, node);
            node = self.or(&[body, later]);
        }
        Ok(self.next(from, node))
    }

    fn matched(&mut self, tree: &Tree, exit: NodeId) -> Result<NodeId> {
        self.t.work += 1;
        self.t.enough(tree)?;
        match &tree.shape {
            _ if !tree.is_sequence() => {
                let condition = self.t.condition(tree, self.polarity, self.polarity)?;
                Ok(self.and(&[condition, exit]))
            }
            Shape::Braces(body) | Shape::Sequence(_, body) => self.matched(body, exit),
            Shape::Or(_, parts) => {
                let nodes: Vec<NodeId> = parts.iter().map(|part| self.matched(part, exit)).collect::<Result<_>>()?;
                Ok(self.or(&nodes))
            }
            Shape::Delay(first, bounds, second) => self.delay(tree, first.as_deref(), *bounds, second, exit),
            Shape::Repeat(repeat, bounds, body) => {
                let copies = bounds.to.unwrap_or(bounds.from);
                let condition = !body.is_sequence();
                if copies > MOST_COPIES && !(condition && *repeat == Repeat::Consecutive && !self.in_cycle) {
                    return error(tree, format!("more than {MOST_COPIES} repetitions are not supported here"));
                }
                match repeat {
                    Repeat::Consecutive if condition && !self.in_cycle => self.condition(tree, *bounds, body, exit),
                    Repeat::Consecutive => self.repeat(*bounds, body, exit),
                    _ if !condition => error(tree, "`[->` and `[=` repeat conditions, not sequences"),
                    Repeat::Goto => self.goto(*bounds, body, exit),
                    Repeat::NonConsecutive => self.non_consecutive(*bounds, body, exit),
                }
            }
            Shape::FirstMatch(body) if self.t.arena.is_true(self.polarity, exit) => self.matched(body, exit),
            Shape::FirstMatch(_) => error(
                tree,
                "`first_match` is supported only where nothing follows the sequence: every match counts here",
            ),
            _ => self.automaton(&Automaton::of(tree)?, exit),
        }
    }

    fn delay(
        &mut self,
        tree: &Tree,
        first: Option<&Tree>,
        bounds: Bounds,
        second: &Tree,
        exit: NodeId,
    ) -> Result<NodeId> {
        // An empty neighbour takes one cycle off the delay, and cannot be joined to the same cycle.
        let less = |by: u32| match bounds.to {
            Some(to) if to < by => None,
            to => Some((bounds.from.max(by) - by, to.map(|to| to - by))),
        };
        let body = self.matched(second, exit)?;
        let mut later = self.ahead(tree, bounds.from, bounds.to, body)?;
        if second.is_nullable()
            && let Some((from, to)) = less(1)
        {
            let ended = self.ahead(tree, from, to, exit)?;
            later = self.or(&[later, ended]);
        }
        let Some(first) = first else { return Ok(later) };
        let mut ways = vec![self.matched(first, later)?];
        if first.is_nullable() {
            if let Some((from, to)) = less(1) {
                ways.push(self.ahead(tree, from, to, body)?);
            }
            if second.is_nullable()
                && let Some((from, to)) = less(2)
            {
                ways.push(self.ahead(tree, from, to, exit)?);
            }
        }
        Ok(self.or(&ways))
    }

    /// A condition in consecutive cycles.
    fn condition(&mut self, tree: &Tree, bounds: Bounds, body: &Tree, exit: NodeId) -> Result<NodeId> {
        if bounds.to == Some(0) {
            return Ok(self.t.arena.constant(self.polarity, false));
        }
        let keep = self.t.condition(body, self.polarity, self.polarity)?;
        let before = bounds.from.max(1) - 1;
        let (polarity, strength) = (self.polarity, self.strength);
        let more = bounds.to.map(|to| to - before - 1);
        if more == Some(0) {
            let all = self.t.arena.ahead(polarity, Quantifier::All, (0, before), keep, strength);
            if self.t.arena.is_true(polarity, exit) {
                return Ok(all);
            }
            let end = self.next(before, exit);
            return Ok(self.and(&[all, end]));
        }
        let mut rest = self.release(exit, keep);
        if let Some(more) = more {
            let soon = self.ahead(tree, 0, Some(more), exit)?;
            rest = self.and(&[rest, soon]);
        }
        if before == 0 {
            return Ok(rest);
        }
        let all = self.t.arena.ahead(polarity, Quantifier::All, (0, before - 1), keep, strength);
        let rest = self.next(before, rest);
        Ok(self.and(&[all, rest]))
    }

    /// A sequence again and again: copies, the last of which may be a cycle.
    fn repeat(&mut self, bounds: Bounds, body: &Tree, exit: NodeId) -> Result<NodeId> {
        let from = if body.is_nullable() { 1 } else { bounds.from.max(1) };
        let mut node = None;
        let last = match bounds.to {
            Some(0) => return Ok(self.t.arena.constant(self.polarity, false)),
            Some(to) => to,
            None => {
                let again = self.t.arena.knot(self.polarity, self.strength);
                let end = self.or(&[exit, again]);
                let outside = std::mem::replace(&mut self.in_cycle, true);
                let round = self.matched(body, end)?;
                self.in_cycle = outside;
                self.t.arena.tie(again, round);
                node = Some(round);
                from - 1
            }
        };
        for time in (1..=last).rev() {
            let mut ends = Vec::new();
            if time >= from {
                ends.push(exit);
            }
            if let Some(node) = node {
                ends.push(self.next(1, node));
            }
            let end = self.or(&ends);
            node = Some(self.matched(body, end)?);
        }
        Ok(node.unwrap_or(exit))
    }

    /// A condition for the n-th time.
    fn goto(&mut self, bounds: Bounds, body: &Tree, exit: NodeId) -> Result<NodeId> {
        let (is, not) = (
            self.t.condition(body, self.polarity, self.polarity)?,
            self.t.condition(body, self.polarity.flipped(), self.polarity)?,
        );
        let from = bounds.from.max(1);
        let mut node = None;
        if bounds.to.is_none() {
            // From the last one that is needed on, any.
            let yes = self.t.arena.constant(self.polarity, true);
            let end = self.and(&[is, exit]);
            node = Some(self.until(yes, end));
        }
        for time in (1..=bounds.to.unwrap_or(from)).rev() {
            let mut ends = Vec::new();
            if time >= from {
                ends.push(exit);
            }
            if let Some(node) = node {
                ends.push(self.next(1, node));
            }
            let end = self.or(&ends);
            let goal = self.and(&[is, end]);
            node = Some(self.until(not, goal));
        }
        Ok(node.unwrap_or_else(|| self.t.arena.constant(self.polarity, false)))
    }
    /// A condition for the n-th time, and then perhaps cycles without it.
    fn non_consecutive(&mut self, Bounds { from, to }: Bounds, body: &Tree, exit: NodeId) -> Result<NodeId> {
        let not = self.t.condition(body, self.polarity.flipped(), self.polarity)?;
        let quiet = self.release(exit, not);
        if to == Some(0) {
            return Ok(quiet);
        }
        let later = self.next(1, quiet);
        let end = self.or(&[exit, later]);
        let some = self.goto(Bounds { from: from.max(1), to }, body, end)?;
        Ok(if from == 0 { self.or(&[some, quiet]) } else { some })
    }

    /// A node per state: its guard holds, and one of the states that may come next is next, or the match ends here.
    fn automaton(&mut self, automaton: &Automaton, exit: NodeId) -> Result<NodeId> {
        let (polarity, strength) = (self.polarity, self.strength);
        let knots: Vec<NodeId> = automaton.guards.iter().map(|_| self.t.arena.knot(polarity, strength)).collect();
        let mut states = Vec::with_capacity(knots.len());
        for (state, guard) in automaton.guards.iter().enumerate() {
            let mut ways: Vec<NodeId> = automaton.next[state].iter().map(|next| knots[*next]).collect();
            if automaton.last[state] {
                ways.push(exit);
            }
            let mut parts = Vec::with_capacity(guard.len() + 1);
            for (condition, holds) in guard {
                parts.push(self.t.condition(
                    condition,
                    if *holds { polarity } else { polarity.flipped() },
                    polarity,
                )?);
            }
            parts.push(self.or(&ways));
            states.push(self.and(&parts));
        }
        for (knot, state) in knots.iter().zip(&states) {
            self.t.arena.tie(*knot, *state);
        }
        let first: Vec<NodeId> = automaton.first.iter().map(|state| states[*state]).collect();
        Ok(self.or(&first))
    }
}
