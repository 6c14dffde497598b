//! Two sequences at once: automata without empty steps, their products, and products as cycles of the core.
//!
//! A state is a cycle of a match: it has a guard that must hold there, states that may come next, and it may be the last
//! one (Glushkov's construction, with conditions for letters). `intersect` pairs states of both; `within` and the `and` of
//! sequences are intersections with `true[*]` put before and after; `throughout` strengthens every guard.

use super::arena::Polarity;
use super::core::{NodeId, Strength};
use super::sequence::is_sequence;
use super::syntax::{Bounds, Combine, Repeat, Shape, Spelling, Tree};
use super::translate::{Result, Translator};
use super::typing::error;

/// More states than this are refused.
const MOST_STATES: usize = 5_000;

/// Conditions that must hold, or not, in one cycle.
type Guard<'t> = Vec<(&'t Tree, bool)>;

/// Which matches there are.
#[derive(Clone, Default)]
struct Automaton<'t> {
    guards: Vec<Guard<'t>>,
    next: Vec<Vec<usize>>,
    first: Vec<usize>,
    last: Vec<bool>,
    empty: bool,
}

/// Some match starts here, and `exit` holds in its last cycle.
pub(super) fn matched(
    t: &mut Translator,
    tree: &Tree,
    exit: NodeId,
    polarity: Polarity,
    strength: Strength,
) -> Result<NodeId> {
    let automaton = of(tree)?;
    let knots: Vec<NodeId> = automaton.guards.iter().map(|_| t.arena.knot(polarity, strength)).collect();
    let mut states = Vec::with_capacity(knots.len());
    for (state, guard) in automaton.guards.iter().enumerate() {
        let mut ways: Vec<NodeId> = automaton.next[state].iter().map(|next| knots[*next]).collect();
        if automaton.last[state] {
            ways.push(exit);
        }
        let mut parts = Vec::with_capacity(guard.len() + 1);
        for (condition, holds) in guard {
            parts.push(t.condition(condition, if *holds { polarity } else { polarity.flipped() }, polarity)?);
        }
        parts.push(t.arena.or(polarity, &ways));
        states.push(t.arena.and(polarity, &parts));
    }
    for (knot, state) in knots.iter().zip(&states) {
        t.arena.tie(polarity, *knot, *state);
    }
    let first: Vec<NodeId> = automaton.first.iter().map(|state| states[*state]).collect();
    Ok(t.arena.or(polarity, &first))
}

fn of(tree: &Tree) -> Result<Automaton<'_>> {
    let automaton = match &tree.shape {
        _ if !is_sequence(tree) => Automaton::condition(vec![(tree, true)]),
        Shape::Braces(body) | Shape::Sequence(_, body) => of(body)?,
        Shape::Or(_, parts) => {
            let mut all = Automaton::default();
            for part in parts {
                all = all.or(of(part)?);
            }
            all
        }
        Shape::And(spelling, parts) => {
            let mut all: Option<Automaton> = None;
            for part in parts {
                let part = of(part)?;
                all = Some(match all {
                    None => part,
                    Some(all) if *spelling == Spelling::Double => all.intersect(&part, tree)?,
                    Some(all) => {
                        let longer = all.clone().then(Automaton::anything()).intersect(&part, tree)?;
                        longer.or(all.intersect(&part.then(Automaton::anything()), tree)?)
                    }
                });
            }
            all.unwrap_or_default()
        }
        Shape::Combine(Combine::Intersect, first, second) => of(first)?.intersect(&of(second)?, tree)?,
        Shape::Combine(Combine::Within, first, second) => {
            let inside = Automaton::anything().then(of(first)?).then(Automaton::anything());
            inside.intersect(&of(second)?, tree)?
        }
        Shape::Combine(Combine::Throughout, condition, second) => {
            if is_sequence(condition) {
                return error(condition, "expected a condition before `throughout`, not a sequence");
            }
            let mut all = of(second)?;
            for guard in &mut all.guards {
                guard.push((condition, true));
            }
            all
        }
        Shape::Delay(first, bounds, second) => {
            let second = of(second)?;
            let gap = |bounds: Bounds| Automaton::condition(Vec::new()).repeat(bounds, tree);
            let less = |by: u32| Bounds {
                from: bounds.from.saturating_sub(by),
                to: bounds.to.map(|to| to.saturating_sub(by)),
            };
            let first = match first {
                Some(first) => of(first)?,
                None => Automaton::condition(Vec::new()),
            };
            let mut all = Automaton::default();
            if bounds.from == 0 {
                all = first.clone().fused(&second, tree)?;
            }
            if bounds.to != Some(0) {
                let from_one = Bounds { from: bounds.from.max(1), to: bounds.to };
                let gap = gap(Bounds { from: from_one.from - 1, to: less(1).to })?;
                all = all.or(first.then(gap).then(second));
            }
            all
        }
        Shape::Repeat(Repeat::Consecutive, bounds, body) => of(body)?.repeat(*bounds, tree)?,
        Shape::Repeat(repeat, bounds, body) => {
            if is_sequence(body) {
                return error(tree, "`[->` and `[=` repeat conditions, not sequences");
            }
            let any = Bounds { from: 0, to: None };
            let quiet = || Automaton::condition(vec![(&**body, false)]).repeat(any, tree);
            let one = quiet()?.then(Automaton::condition(vec![(&**body, true)]));
            let some = one.repeat(*bounds, tree)?;
            if *repeat == Repeat::Goto { some } else { some.then(quiet()?) }
        }
        _ => return error(tree, "`first_match` is not supported inside other sequences"),
    };
    let mut automaton = automaton;
    for next in &mut automaton.next {
        next.sort_unstable();
        next.dedup();
    }
    if automaton.guards.len() > MOST_STATES {
        return error(tree, format!("this sequence needs more than {MOST_STATES} states"));
    }
    Ok(automaton)
}

impl<'t> Automaton<'t> {
    /// One cycle.
    fn condition(guard: Guard<'t>) -> Automaton<'t> {
        Automaton { guards: vec![guard], next: vec![Vec::new()], first: vec![0], last: vec![true], empty: false }
    }

    /// `true[*]`.
    fn anything() -> Automaton<'t> {
        Automaton { guards: vec![Vec::new()], next: vec![vec![0]], first: vec![0], last: vec![true], empty: true }
    }

    /// Puts the states of another one after these; says by how much their numbers grew.
    fn append(&mut self, other: &Automaton<'t>) -> usize {
        let by = self.guards.len();
        self.guards.extend(other.guards.iter().cloned());
        self.next.extend(other.next.iter().map(|next| next.iter().map(|state| state + by).collect()));
        self.last.extend(&other.last);
        by
    }

    fn or(mut self, other: Automaton<'t>) -> Automaton<'t> {
        let by = self.append(&other);
        self.first.extend(other.first.iter().map(|state| state + by));
        self.empty |= other.empty;
        self
    }

    fn then(mut self, other: Automaton<'t>) -> Automaton<'t> {
        let by = self.append(&other);
        let second: Vec<usize> = other.first.iter().map(|state| state + by).collect();
        for state in 0..by {
            if self.last[state] {
                self.next[state].extend(&second);
                self.last[state] = other.empty;
            }
        }
        if self.empty {
            self.first.extend(&second);
        }
        self.empty &= other.empty;
        self
    }

    /// The last cycle of this is the first of the other.
    fn fused(mut self, other: &Automaton<'t>, tree: &Tree) -> Result<Automaton<'t>> {
        let own = self.guards.len();
        let by = self.append(other);
        for state in 0..own {
            if !std::mem::replace(&mut self.last[state], false) {
                continue;
            }
            for begin in &other.first {
                let both = self.guards.len();
                if both > MOST_STATES {
                    return error(tree, format!("this sequence needs more than {MOST_STATES} states"));
                }
                let guard = self.guards[state].iter().chain(&other.guards[*begin]).copied().collect();
                self.guards.push(guard);
                self.next.push(self.next[begin + by].clone());
                self.last.push(other.last[*begin]);
                for before in 0..own {
                    if self.next[before].contains(&state) {
                        self.next[before].push(both);
                    }
                }
                if self.first.contains(&state) {
                    self.first.push(both);
                }
            }
        }
        self.empty = false;
        Ok(self)
    }

    fn repeat(self, bounds: Bounds, tree: &Tree) -> Result<Automaton<'t>> {
        let copies = bounds.to.unwrap_or(bounds.from.max(1)) as usize;
        if copies.saturating_mul(self.guards.len()) > MOST_STATES {
            return error(tree, format!("this sequence needs more than {MOST_STATES} states"));
        }
        let nothing = Automaton { empty: true, ..Automaton::default() };
        let mut all = nothing;
        for copy in (0..copies).rev() {
            let mut one = self.clone();
            if bounds.to.is_none() && copy + 1 == copies {
                let first = one.first.clone();
                for state in 0..one.guards.len() {
                    if one.last[state] {
                        one.next[state].extend(&first);
                    }
                }
            }
            all = one.then(all);
            all.empty |= copy as u64 >= u64::from(bounds.from);
        }
        Ok(all)
    }

    fn intersect(&self, other: &Automaton<'t>, tree: &Tree) -> Result<Automaton<'t>> {
        let mut numbers = std::collections::HashMap::new();
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut product = Automaton { empty: self.empty && other.empty, ..Automaton::default() };
        let pairs = |left: &[usize], right: &[usize]| -> Vec<(usize, usize)> {
            left.iter().flat_map(|a| right.iter().map(move |b| (*a, *b))).collect()
        };
        let mut number = |pair: (usize, usize), open: &mut Vec<(usize, usize)>| {
            *numbers.entry(pair).or_insert_with(|| {
                open.push(pair);
                open.len() - 1
            })
        };
        product.first = pairs(&self.first, &other.first).into_iter().map(|pair| number(pair, &mut open)).collect();
        let mut done = 0;
        while let Some((a, b)) = open.get(done).copied() {
            done += 1;
            if open.len() > MOST_STATES {
                return error(tree, format!("this sequence needs more than {MOST_STATES} states"));
            }
            let mut guard = self.guards[a].clone();
            for condition in &other.guards[b] {
                if !guard.contains(condition) {
                    guard.push(*condition);
                }
            }
            product.guards.push(guard);
            product.last.push(self.last[a] && other.last[b]);
            let next = pairs(&self.next[a], &other.next[b]).into_iter().map(|pair| number(pair, &mut open)).collect();
            product.next.push(next);
        }
        Ok(product)
    }
}
