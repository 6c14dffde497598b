//! All runs and all alignments at once, as clauses and prices (Chaki, Groce, Strichman, "Explaining abstract
//! counterexamples", section 5).
//!
//! A literal per pair of a step of the failing run and a step of the equation at the same location says that the two are
//! aligned. That alignments do not cross needs no clause per pair of pairs: for each step of the equation it is known
//! how far in the failing run alignments have come, in unary, and only between the earliest step that is still to be
//! aligned and the last one that can have been. A pair that crosses no other needs no literal at all: in code without
//! loops, where no function is called twice, the price is that of the guards and values themselves.
//!
//! A pair far from where both runs would be alike makes many steps unaligned, however the rest is aligned; where there
//! are many pairs, those are left out at first that cost more than some *room*. What they would cost at least is told,
//! so that the caller knows when the answer is exact all the same.
//!
//! Cost: linear in the number of pairs, times the steps of a loop's body where there are loops.

use std::collections::HashMap;
use std::ops::Range;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::{Node, Term, Terms};

use super::Action;
use super::sequence::Sequence;
use crate::equation::Equation;

/// So many literals are made without asking what they are good for.
const FEW: usize = 60_000;
/// More are not made at all.
const MOST: usize = 2_000_000;
/// The room to start with, in unaligned steps.
const FIRST_ROOM: u64 = 8;

/// Which runs are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Whole runs.
    Whole,
    /// Runs that go on where the equation ends: what of the failing run is not aligned yet may be aligned later.
    Beginning,
}

/// The alignment problem in the solver.
#[derive(Clone, Debug)]
pub struct Joint {
    /// What is paid for each literal that is true; a cheapest model is a nearest run with a cheapest alignment.
    pub prices: Vec<(Lit, u64)>,
    /// The literals of pairs of the same step of the equation, to be preferred.
    pub alike: Vec<Lit>,
    /// Alignments that are not among the models cost at least this; none if all are.
    pub left_out: Option<u64>,
}

/// A step of the failing run and a place among the possible steps.
type Pair = (usize, usize);

/// Adds the problem to the clauses of a solver that knows the equation. `happens` says for each possible step whether a
/// run takes it. `room` is what alignments may cost; none: as much as is easy.
pub fn encode(
    blaster: &mut Blaster,
    equation: &mut Equation,
    sequence: &Sequence,
    happens: &[Term],
    extent: Extent,
    room: Option<u64>,
) -> Joint {
    let (pairs, left_out) = Choice::of(equation, sequence, extent).pairs(room);
    let mut joint = with_pairs(blaster, equation, sequence, happens, extent, &pairs);
    joint.left_out = left_out;
    joint
}

fn with_pairs(
    blaster: &mut Blaster,
    equation: &mut Equation,
    sequence: &Sequence,
    happens: &[Term],
    extent: Extent,
    pairs: &[Pair],
) -> Joint {
    let rows = rows(pairs);
    let (columns, windows) = windows(&rows);
    let is_lonely = lonely(&rows, sequence);
    let mut row_of = vec![None; sequence.possible.len()];
    for (at, (place, _)) in rows.iter().enumerate() {
        row_of[*place] = Some(at);
    }
    let mut encoding = Encoding {
        blaster,
        equation,
        sequence,
        joint: Joint { prices: Vec::new(), alike: Vec::new(), left_out: None },
        of_failing: vec![Vec::new(); sequence.failing.len()],
        before: HashMap::new(),
    };
    for place in 0..sequence.possible.len() {
        let happens = happens[place];
        let literal = encoding.blaster.literal(&encoding.equation.terms, happens);
        if literal == Lit::FALSE {
            continue;
        }
        match row_of[place] {
            None => encoding.joint.prices.push((literal, sequence.weights.control)),
            Some(row) if is_lonely[row] => encoding.align_whenever(place, rows[row].1[0], happens, literal),
            Some(row) => encoding.align_some(place, &rows[row].1, &columns[windows[row].clone()], literal),
        }
    }
    if extent == Extent::Whole {
        encoding.pay_for_unaligned();
    }
    encoding.joint
}

/// The problem while it is added to the clauses of a solver, possible step by possible step.
struct Encoding<'a> {
    blaster: &'a mut Blaster,
    equation: &'a mut Equation,
    sequence: &'a Sequence,
    joint: Joint,
    /// For each step of the failing run, the literals that it is aligned with something.
    of_failing: Vec<Vec<Lit>>,
    /// For steps of the failing run: alignments of the possible steps so far have come past it.
    before: HashMap<usize, Lit>,
}

impl Encoding<'_> {
    /// Aligns a possible step with the one that it has, where nothing speaks against it, whenever it happens.
    fn align_whenever(&mut self, place: usize, failing: usize, happens: Term, literal: Lit) {
        let weights = &self.sequence.weights;
        self.before.clear();
        let step = &self.sequence.failing[failing];
        self.of_failing[failing].push(literal);
        let terms = &mut self.equation.terms;
        for (component, old) in self.sequence.possible[place].components.iter().zip(&step.components) {
            let old = terms.constant(terms.width(component.term), *old);
            let other = terms.ne(component.term, old);
            let differs = terms.and(happens, other);
            self.joint.prices.push((self.blaster.literal(terms, differs), weights.component));
        }
        match step.action {
            Action::None => {}
            Action::AssertionFailure => self.joint.prices.push((literal, weights.action)),
            Action::Returns(answers) => {
                let other = other_answers(terms, &self.sequence.possible[place].asked, answers);
                let differs = terms.and(happens, other);
                self.joint.prices.push((self.blaster.literal(terms, differs), weights.action));
            }
        }
    }

    /// Aligns a possible step with at most one of some steps of the failing run. `window`: for which of them it must be
    /// known whether alignments have come past them.
    fn align_some(&mut self, place: usize, steps: &[usize], window: &[usize], happens: Lit) {
        let aligned: Vec<Lit> = steps.iter().map(|_| self.blaster.solver.new_var()).collect();
        let unaligned = self.blaster.solver.new_var();
        self.joint.prices.push((unaligned, self.sequence.weights.control));
        let mut some = vec![!happens, unaligned];
        some.extend(&aligned);
        self.blaster.solver.add_clause(&some);
        at_most_one(self.blaster, &aligned);
        for (step, lit) in steps.iter().zip(&aligned) {
            self.blaster.solver.add_clause(&[!*lit, happens]);
            self.of_failing[*step].push(*lit);
            if self.sequence.failing_places[*step] == place {
                self.joint.alike.push(*lit);
            }
            if let Some(past) = self.before.get(step) {
                self.blaster.solver.add_clause(&[!*lit, !*past]);
            }
        }
        self.come_past(steps, &aligned, window);
        self.pay_for_differences(place, steps, &aligned);
    }

    /// How far alignments have come after a possible step, in unary.
    fn come_past(&mut self, steps: &[usize], aligned: &[Lit], window: &[usize]) {
        let solver = &mut self.blaster.solver;
        let mut after: HashMap<usize, Lit> = HashMap::new();
        let mut lower: Option<Lit> = None;
        for step in window {
            let past = solver.new_var();
            if let Some(old) = self.before.get(step) {
                solver.add_clause(&[!*old, past]);
            }
            if let Some(lower) = lower {
                solver.add_clause(&[!past, lower]);
            }
            if let Ok(at) = steps.binary_search(step) {
                solver.add_clause(&[!aligned[at], past]);
            }
            after.insert(*step, past);
            lower = Some(past);
        }
        self.before = after;
    }

    /// Prices of what differs between a possible step and the one that it is aligned with.
    fn pay_for_differences(&mut self, place: usize, steps: &[usize], aligned: &[Lit]) {
        let (sequence, weights) = (self.sequence, &self.sequence.weights);
        for (number, component) in sequence.possible[place].components.iter().enumerate() {
            let differs = self.blaster.solver.new_var();
            let terms = &mut self.equation.terms;
            let width = terms.width(component.term);
            let mut used = false;
            for (step, lit) in steps.iter().zip(aligned) {
                let old = terms.constant(width, sequence.failing[*step].components[number]);
                let other = terms.ne(component.term, old);
                let other = self.blaster.literal(terms, other);
                self.blaster.solver.add_clause(&[!*lit, !other, differs]);
                used |= other != Lit::FALSE;
            }
            if used && weights.component > 0 {
                self.joint.prices.push((differs, weights.component));
            }
        }
        if weights.action == 0 {
            return;
        }
        let mut returns = None;
        for (step, lit) in steps.iter().zip(aligned) {
            match sequence.failing[*step].action {
                Action::None => {}
                // A passing run violates nothing.
                Action::AssertionFailure => self.joint.prices.push((*lit, weights.action)),
                Action::Returns(answers) => {
                    let differs = *returns.get_or_insert_with(|| self.blaster.solver.new_var());
                    let terms = &mut self.equation.terms;
                    let other = other_answers(terms, &sequence.possible[place].asked, answers);
                    let other = self.blaster.literal(terms, other);
                    self.blaster.solver.add_clause(&[!*lit, !other, differs]);
                }
            }
        }
        self.joint.prices.extend(returns.map(|differs| (differs, weights.action)));
    }

    /// Prices of the steps of the failing run that are aligned with nothing.
    fn pay_for_unaligned(&mut self) {
        for aligned in std::mem::take(&mut self.of_failing) {
            let unaligned = match aligned[..] {
                [] => Lit::TRUE,
                [only] => !only,
                _ => {
                    let unaligned = self.blaster.solver.new_var();
                    let some: Vec<Lit> = aligned.into_iter().chain([unaligned]).collect();
                    self.blaster.solver.add_clause(&some);
                    unaligned
                }
            };
            self.joint.prices.push((unaligned, self.sequence.weights.control));
        }
    }
}

/// That the answers about a returned value are others.
fn other_answers(terms: &mut Terms, asked: &[Term], answers: u64) -> Term {
    let mut other = terms.fals();
    for (at, term) in asked.iter().enumerate() {
        let differs = if answers >> at & 1 == 1 { terms.not(*term) } else { *term };
        other = terms.or(other, differs);
    }
    other
}

/// By a chain of literals, each of which says that one of those from there on is true.
fn at_most_one(blaster: &mut Blaster, literals: &[Lit]) {
    let mut later: Option<Lit> = None;
    for lit in literals.iter().rev() {
        let Some(some) = later else {
            later = Some(*lit);
            continue;
        };
        blaster.solver.add_clause(&[!*lit, !some]);
        let here = blaster.solver.new_var();
        blaster.solver.add_clause(&[!*lit, here]);
        blaster.solver.add_clause(&[!some, here]);
        later = Some(here);
    }
}

/// The pairs by place, ascending, with their steps of the failing run, ascending.
fn rows(pairs: &[Pair]) -> Vec<(usize, Vec<usize>)> {
    let mut rows: Vec<(usize, Vec<usize>)> = Vec::new();
    for (step, place) in pairs {
        match rows.last_mut() {
            Some((last, steps)) if last == place => steps.push(*step),
            _ => rows.push((*place, vec![*step])),
        }
    }
    rows
}

/// For each row whether it has one pair, which crosses no other, and which is never dearer than to leave both unaligned.
fn lonely(rows: &[(usize, Vec<usize>)], sequence: &Sequence) -> Vec<bool> {
    let weights = &sequence.weights;
    let mut earliest = usize::MAX;
    let mut lonely = vec![false; rows.len()];
    for (at, (_, steps)) in rows.iter().enumerate().rev() {
        let step = &sequence.failing[steps[0]];
        let dearest = step.components.len() as u64 * weights.component
            + if step.action == Action::None { 0 } else { weights.action };
        lonely[at] = steps.len() == 1 && steps[0] < earliest && dearest <= 2 * weights.control;
        earliest = earliest.min(steps[0]);
    }
    let mut last = None;
    for (at, (_, steps)) in rows.iter().enumerate() {
        lonely[at] &= last.is_none_or(|last| last < steps[0]);
        last = last.max(steps.last().copied());
    }
    lonely
}

/// For each row the steps of the failing run for which it must be known whether alignments up to that row have come as
/// far: not before the first that some later row can align, not after the last that some row up to here can.
/// As ranges of the steps that some row can align.
fn windows(rows: &[(usize, Vec<usize>)]) -> (Vec<usize>, Vec<Range<usize>>) {
    let mut earliest = vec![usize::MAX; rows.len() + 1];
    for (at, (_, steps)) in rows.iter().enumerate().rev() {
        earliest[at] = earliest[at + 1].min(steps[0]);
    }
    let mut columns: Vec<usize> = rows.iter().flat_map(|(_, steps)| steps.iter().copied()).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut last = 0;
    let mut windows = Vec::with_capacity(rows.len());
    for (at, (_, steps)) in rows.iter().enumerate() {
        last = last.max(*steps.last().unwrap_or(&0));
        let (from, to) = (earliest[at + 1], last);
        let first = columns.partition_point(|step| *step < from);
        let end = columns.partition_point(|step| *step <= to);
        windows.push(first.min(end)..end);
    }
    (columns, windows)
}

/// Which pairs there are, and which of them can be part of a cheap alignment.
struct Choice<'a> {
    sequence: &'a Sequence,
    extent: Extent,
    /// By location: the steps of the failing run, in order.
    at_location: HashMap<usize, Vec<usize>>,
    /// For each possible step: how many before and after it are taken whenever it is.
    certain: Vec<(usize, usize)>,
}

impl<'a> Choice<'a> {
    fn of(equation: &Equation, sequence: &'a Sequence, extent: Extent) -> Choice<'a> {
        let mut at_location: HashMap<usize, Vec<usize>> = HashMap::new();
        for (step, taken) in sequence.failing.iter().enumerate() {
            at_location.entry(taken.location).or_default().push(step);
        }
        let mut choice = Choice { sequence, extent, at_location, certain: Vec::new() };
        if choice.within(u64::MAX, FEW).is_none() {
            choice.certain = certain(equation, sequence);
        }
        choice
    }

    /// The pairs to encode, by place, and what alignments with others cost at least.
    fn pairs(&self, room: Option<u64>) -> (Vec<Pair>, Option<u64>) {
        if self.certain.is_empty() {
            return self.within(u64::MAX, usize::MAX).unwrap_or_default();
        }
        let mut room = room.unwrap_or(FIRST_ROOM * self.sequence.weights.control);
        loop {
            match self.within(room, MOST) {
                Some(found) => return found,
                None if room == 0 => return (Vec::new(), Some(0)),
                None => room /= 2,
            }
        }
    }

    /// The pairs whose alignments may cost no more than this, and the least that others cost; none if they need more than
    /// so many literals.
    fn within(&self, room: u64, most: usize) -> Option<(Vec<Pair>, Option<u64>)> {
        let mut pairs = Vec::new();
        let mut left_out: Option<u64> = None;
        for (place, possible) in self.sequence.possible.iter().enumerate() {
            for step in self.at_location.get(&possible.location).into_iter().flatten() {
                let forced = if room == u64::MAX { 0 } else { self.forced(*step, place) };
                if forced <= room {
                    pairs.push((*step, place));
                    if pairs.len() > most {
                        return None;
                    }
                } else {
                    left_out = Some(left_out.map_or(forced, |least| least.min(forced)));
                }
            }
        }
        let needed = || windows(&rows(&pairs)).1.iter().map(Range::len).sum::<usize>() + 3 * pairs.len();
        (most == usize::MAX || needed() <= most).then_some((pairs, left_out))
    }

    /// What every alignment of this pair costs at least: more steps before or after it on one side than on the other.
    fn forced(&self, step: usize, place: usize) -> u64 {
        let (before, after) = self.certain[place];
        let (failing_after, most_after) =
            (self.sequence.failing.len() - 1 - step, self.sequence.possible.len() - 1 - place);
        let unaligned = match self.extent {
            Extent::Whole => {
                before.saturating_sub(step).max(step.saturating_sub(place))
                    + after.saturating_sub(failing_after).max(failing_after.saturating_sub(most_after))
            }
            Extent::Beginning => before.saturating_sub(step),
        };
        unaligned as u64 * self.sequence.weights.control
    }
}

/// For each possible step how many before it, and how many after it, are taken whenever it is: those whose guards are
/// part of its own. Steps after the violated claim are never certain to be compared.
fn certain(equation: &Equation, sequence: &Sequence) -> Vec<(usize, usize)> {
    let by_symbol = equation.variables_by_symbol();
    let part_of = |guard: Term| {
        let mut parts = vec![equation.terms.tru()];
        let mut todo = vec![guard];
        while let Some(term) = todo.pop() {
            parts.push(term);
            if let Some(variable) = by_symbol.get(&term) {
                todo.extend(equation.variables[variable.0 as usize].definition);
            }
            if let Node::And(a, b) = equation.terms.node(term) {
                todo.extend([a, b]);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    };
    let is_certain = |place: usize| {
        let possible = &sequence.possible[place];
        possible.happens == equation.steps[possible.step].guard
    };
    let guard_of = |place: usize| equation.steps[sequence.possible[place].step].guard;
    let mut in_all: HashMap<Term, usize> = HashMap::new();
    for place in (0..sequence.possible.len()).filter(|place| is_certain(*place)) {
        *in_all.entry(guard_of(place)).or_default() += 1;
    }
    let mut so_far: HashMap<Term, usize> = HashMap::new();
    let mut certain = Vec::with_capacity(sequence.possible.len());
    let mut last: Option<(Term, Vec<Term>)> = None;
    for place in 0..sequence.possible.len() {
        let guard = guard_of(place);
        let parts = match last.take() {
            Some((of, parts)) if of == guard => parts,
            _ => part_of(guard),
        };
        let sum = |counts: &HashMap<Term, usize>| parts.iter().filter_map(|part| counts.get(part)).sum::<usize>();
        let own = usize::from(is_certain(place));
        let before = sum(&so_far);
        certain.push((before, (sum(&in_all) - before).saturating_sub(own)));
        if own == 1 {
            *so_far.entry(guard).or_default() += 1;
        }
        last = Some((guard, parts));
    }
    certain
}

#[cfg(test)]
mod tests {
    use nearmiss_logic::optimise::{Limits, Objective, minimise};

    use super::super::sequence::{Component, Possible};
    use super::super::{Taken, align};
    use super::*;
    use crate::equation::{Step, StepKind};
    use crate::explanation::{DeltaKind, Weights};
    use nearmiss_program::program::{FunctionId, TypeId};
    use nearmiss_program::source::{FileId, Span};

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) % n
        }
    }

    fn random_run(dice: &mut Dice, most: u64, locations: u64) -> Vec<Taken> {
        let taken = |dice: &mut Dice| {
            let location = dice.below(locations) as usize;
            let components = (0..location % 3).map(|_| u128::from(dice.below(3))).collect();
            Taken { location, action: Action::None, components }
        };
        (0..dice.below(most + 1)).map(|_| taken(dice)).collect()
    }

    /// An equation whose only run, or one of whose two runs, is given; each step under one of the guards.
    fn equation(runs: &[(Term, Vec<Taken>)], terms: Terms) -> (Equation, Vec<Possible>) {
        let mut equation = Equation::of(terms);
        let mut possible = Vec::new();
        for (guard, run) in runs {
            for taken in run {
                let span = Span::new(FileId(0), 0, 0);
                let kind = StepKind::Branch { taken: true };
                let step = equation.steps.len();
                equation.steps.push(Step {
                    guard: *guard,
                    span,
                    function: FunctionId(0),
                    depth: 0,
                    turn: None,
                    tally: None,
                    kind,
                });
                let component = |value: &u128| Component {
                    term: equation.terms.constant(8, *value),
                    is_told: true,
                    kind: DeltaKind::Value,
                    what: "x".into(),
                    ty: TypeId(0),
                };
                let components = taken.components.iter().map(component).collect();
                possible.push(Possible {
                    step,
                    location: taken.location,
                    happens: *guard,
                    components,
                    asked: Vec::new(),
                });
            }
        }
        (equation, possible)
    }

    fn cheapest(equation: &mut Equation, sequence: &Sequence, room: Option<u64>) -> (u64, Option<u64>) {
        let mut blaster = Blaster::new();
        let happens: Vec<Term> = sequence.possible.iter().map(|possible| possible.happens).collect();
        let joint = encode(&mut blaster, equation, sequence, &happens, Extent::Whole, room);
        let objective = Objective::Weighted(joint.prices);
        let found = minimise(&mut blaster.solver, &[], &objective, None, &Limits::default(), &mut |_, _| {});
        assert!(found.proved);
        (found.upper as u64, joint.left_out)
    }

    fn sequence(mut failing: Vec<Taken>, possible: Vec<Possible>, weights: Weights) -> Sequence {
        if let Some(last) = failing.last_mut() {
            last.action = Action::AssertionFailure;
        }
        let failing_places = vec![usize::MAX; failing.len()];
        Sequence { possible, failing, failing_places, weights }
    }

    #[test]
    fn the_cheapest_model_costs_what_dynamic_programming_finds() {
        for seed in 0..100 {
            let mut dice = Dice(seed);
            let locations = 1 + dice.below(6);
            let weights = match dice.below(3) {
                0 => Weights::for_components(2),
                1 => Weights { component: 3, action: 0, control: 1 },
                _ => Weights { component: dice.below(3), action: dice.below(5), control: 1 + dice.below(4) },
            };
            let (a, b, c) = (
                random_run(&mut dice, 12, locations),
                random_run(&mut dice, 12, locations),
                random_run(&mut dice, 12, locations),
            );
            let mut terms = Terms::new();
            let one = terms.fresh("which", 1);
            let other = terms.not(one);
            let always = terms.tru();
            let (mut fixed, possible) = equation(&[(always, b.clone())], terms);
            let problem = sequence(a.clone(), possible, weights);
            let expected = align(&problem.failing, &b, &weights).cost;
            assert_eq!(cheapest(&mut fixed, &problem, None).0, expected, "seed {seed}");
            // Of two runs the nearer.
            let (mut choice, possible) = equation(&[(one, b.clone()), (other, c.clone())], fixed.terms);
            let problem = sequence(a, possible, weights);
            let expected = expected.min(align(&problem.failing, &c, &weights).cost);
            assert_eq!(cheapest(&mut choice, &problem, None).0, expected, "seed {seed}");
        }
    }

    #[test]
    fn what_is_left_out_costs_at_least_what_is_said() {
        for seed in 0..40 {
            let mut dice = Dice(seed);
            let weights = Weights::for_components(2);
            let (a, b) = (random_run(&mut dice, 30, 2), random_run(&mut dice, 30, 2));
            let terms = Terms::new();
            let always = terms.tru();
            let (mut fixed, possible) = equation(&[(always, b.clone())], terms);
            let problem = sequence(a, possible, weights);
            let expected = align(&problem.failing, &b, &weights).cost;
            let mut choice = Choice::of(&fixed, &problem, Extent::Whole);
            choice.certain = certain(&fixed, &problem);
            for room in [0, 4, 12, 40] {
                let (pairs, left_out) = choice.within(room, usize::MAX).expect("no limit");
                assert!(pairs.windows(2).all(|pair| pair[0].1 <= pair[1].1), "by place");
                let mut blaster = Blaster::new();
                let happens: Vec<Term> = problem.possible.iter().map(|possible| possible.happens).collect();
                let joint = with_pairs(&mut blaster, &mut fixed, &problem, &happens, Extent::Whole, &pairs);
                let objective = Objective::Weighted(joint.prices);
                let found = minimise(&mut blaster.solver, &[], &objective, None, &Limits::default(), &mut |_, _| {});
                assert!(found.upper as u64 >= expected, "seed {seed}, room {room}");
                let least = left_out.map_or(found.upper as u64, |least| least.min(found.upper as u64));
                assert!(least <= expected, "seed {seed}, room {room}: {least} > {expected}");
            }
        }
    }

    #[test]
    fn code_without_loops_needs_a_literal_per_step() {
        let rows: Vec<(usize, Vec<usize>)> = (0..100).map(|at| (at, vec![at])).collect();
        assert!(windows(&rows).1.iter().all(|window| window.is_empty()));
    }
}
