//! Two sequences at once: automata without empty steps, and their products.
//!
//! A state is a cycle of a match: it has a guard that must hold there, states that may come next, and it may be the last
//! one (Glushkov's construction, with conditions for letters). `intersect` pairs states of both; `within` and the `and` of
//! sequences are intersections with `true[*]` put before and after; `throughout` strengthens every guard.

use super::super::error::{Result, error};
use super::super::syntax::{Bounds, Combine, Repeat, Shape, Spelling, Tree};

/// More states than this are refused.
const MOST_STATES: usize = 5_000;

/// Conditions that must hold, or not, in one cycle.
pub(super) type Guard<'t> = Vec<(&'t Tree, bool)>;

/// Which matches there are.
#[derive(Clone, Default)]
pub(super) struct Automaton<'t> {
    /// Per state, what holds in its cycle.
    pub(super) guards: Vec<Guard<'t>>,
    /// Per state, the states that may come next.
    pub(super) next: Vec<Vec<usize>>,
    /// The states in which a match may start.
    pub(super) first: Vec<usize>,
    /// Per state, whether a match may end there.
    pub(super) last: Vec<bool>,
    /// Is there a match of no cycle at all?
    empty: bool,
}

fn too_many_states<T>(tree: &Tree) -> Result<T> {
    error(tree, format!("this sequence needs more than {MOST_STATES} states"))
}

impl<'t> Automaton<'t> {
    /// The matches of a sequence.
    pub(super) fn of(tree: &'t Tree) -> Result<Automaton<'t>> {
        let mut automaton = match &tree.shape {
            _ if !tree.is_sequence() => Automaton::condition(vec![(tree, true)]),
            Shape::Braces(body) | Shape::Sequence(_, body) => Automaton::of(body)?,
            Shape::Or(_, parts) => Automaton::any_of(parts)?,
            Shape::And(spelling, parts) => Automaton::all_of(tree, *spelling, parts)?,
            Shape::Combine(Combine::Intersect, first, second) => {
                Automaton::of(first)?.intersect(&Automaton::of(second)?, tree)?
            }
            Shape::Combine(Combine::Within, first, second) => {
                let inside = Automaton::anything().then(Automaton::of(first)?).then(Automaton::anything());
                inside.intersect(&Automaton::of(second)?, tree)?
            }
            Shape::Combine(Combine::Throughout, condition, second) => Automaton::throughout(condition, second)?,
            Shape::Delay(first, bounds, second) => Automaton::delayed(tree, first.as_deref(), *bounds, second)?,
            Shape::Repeat(Repeat::Consecutive, bounds, body) => Automaton::of(body)?.repeat(*bounds, tree)?,
            Shape::Repeat(repeat, bounds, body) => Automaton::events(tree, *repeat, *bounds, body)?,
            _ => return error(tree, "`first_match` is not supported inside other sequences"),
        };
        for next in &mut automaton.next {
            next.sort_unstable();
            next.dedup();
        }
        if automaton.guards.len() > MOST_STATES {
            return too_many_states(tree);
        }
        automaton.leave_out_dead_ends();
        Ok(automaton)
    }

    /// Takes no way to a state from which no match can end: what is there waits for nothing.
    fn leave_out_dead_ends(&mut self) {
        let mut alive = self.last.clone();
        loop {
            let found: Vec<usize> = (0..alive.len())
                .filter(|state| !alive[*state] && self.next[*state].iter().any(|next| alive[*next]))
                .collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|state| alive[state] = true);
        }
        self.next.iter_mut().chain([&mut self.first]).for_each(|states| states.retain(|state| alive[*state]));
    }

    fn any_of(parts: &'t [Tree]) -> Result<Automaton<'t>> {
        let mut all = Automaton::default();
        for part in parts {
            all = all.or(Automaton::of(part)?);
        }
        Ok(all)
    }

    /// `&&` of sequences that end together; `&` and `and` of sequences of which one may go on.
    fn all_of(tree: &'t Tree, spelling: Spelling, parts: &'t [Tree]) -> Result<Automaton<'t>> {
        let mut all: Option<Automaton> = None;
        for part in parts {
            let part = Automaton::of(part)?;
            all = Some(match all {
                None => part,
                Some(all) if spelling == Spelling::Double => all.intersect(&part, tree)?,
                Some(all) => {
                    let longer = all.clone().then(Automaton::anything()).intersect(&part, tree)?;
                    longer.or(all.intersect(&part.then(Automaton::anything()), tree)?)
                }
            });
        }
        Ok(all.unwrap_or_default())
    }

    /// A condition in every cycle of a sequence.
    fn throughout(condition: &'t Tree, sequence: &'t Tree) -> Result<Automaton<'t>> {
        if condition.is_sequence() {
            return error(condition, "expected a condition before `throughout`, not a sequence");
        }
        let mut all = Automaton::of(sequence)?;
        for guard in &mut all.guards {
            guard.push((condition, true));
        }
        Ok(all)
    }

    /// `first ##[from:to] second`.
    fn delayed(tree: &'t Tree, first: Option<&'t Tree>, bounds: Bounds, second: &'t Tree) -> Result<Automaton<'t>> {
        let second = Automaton::of(second)?;
        let first = match first {
            Some(first) => Automaton::of(first)?,
            None => Automaton::condition(Vec::new()),
        };
        let mut all = Automaton::default();
        if bounds.from == 0 {
            all = first.clone().fused(&second, tree)?;
        }
        if bounds.to != Some(0) {
            let between = Bounds { from: bounds.from.max(1) - 1, to: bounds.to.map(|to| to.saturating_sub(1)) };
            let gap = Automaton::condition(Vec::new()).repeat(between, tree)?;
            all = all.or(first.then(gap).then(second));
        }
        Ok(all)
    }

    /// A condition so many times, with cycles without it before each (`[->`) and after the last (`[=`).
    fn events(tree: &'t Tree, repeat: Repeat, bounds: Bounds, condition: &'t Tree) -> Result<Automaton<'t>> {
        if condition.is_sequence() {
            return error(tree, "`[->` and `[=` repeat conditions, not sequences");
        }
        let any = Bounds { from: 0, to: None };
        let quiet = || Automaton::condition(vec![(condition, false)]).repeat(any, tree);
        let one = quiet()?.then(Automaton::condition(vec![(condition, true)]));
        let some = one.repeat(bounds, tree)?;
        if repeat == Repeat::Goto { Ok(some) } else { Ok(some.then(quiet()?)) }
    }

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
                    return too_many_states(tree);
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
            return too_many_states(tree);
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
                return too_many_states(tree);
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
