//! Which predicates, at which places, make a path impossible that no run takes.
//!
//! The path is cut at its moments. Between two of them data is computed as the program does; at a moment only the truths
//! of predicates are handed on, and of each only if it is selected there. All selected together must contradict the path;
//! unsatisfiable cores say which are needed. Cost: the data of the path once, and a question per predicate and place.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::term::Term;

use super::abstraction::{Copy, Layout, Location, Point, Truth, connected};
use super::path::{Path, moments};
use crate::equation::{Equation, StepKind};
use crate::method::encode;
use nearmiss_logic::stop::Stop;

/// A predicate at a place.
pub type Pair = (usize, Location);

/// A path that no run takes, to be made impossible for the abstract program as well.
pub struct Spurious<'a> {
    /// The moments with all that may be tracked there.
    pub points: &'a [Point],
    /// Where each of them is.
    pub places: &'a [Location],
    /// What may be tracked.
    pub truths: &'a [Truth],
    /// The path.
    pub path: &'a Path,
    /// What the path must meet besides, each with the step at which it is decided.
    pub kept: &'a [(usize, Term)],
    /// Truths that are tracked already, as the path has them.
    pub given: &'a [(usize, bool)],
    /// What is tracked already.
    pub free: &'a BTreeSet<Pair>,
    /// Predicates in the order in which one would like to do without them.
    pub dear: &'a [usize],
}

/// Which predicates, at which places, make a path impossible, besides those that are tracked already? The fewest are
/// looked for by leaving out one predicate after the other, then one place after the other. None if all together do not,
/// or there was no time.
pub fn refute(equation: &mut Equation, spurious: &Spurious<'_>, stop: &Stop) -> Option<Vec<Pair>> {
    let layout = Layout::new(equation, spurious.points);
    let constants = spurious.path.constants(equation);
    let mut blaster = encode::for_many_questions(stop);
    let route = moments(equation, spurious.points, spurious.path);
    let mut selects: BTreeMap<Pair, Term> = BTreeMap::new();
    let tracked = tracked(equation, spurious, &route, &mut selects);
    let cut = Cut { spurious, layout: &layout, constants: &constants, route: &route, tracked: &tracked };
    for at in 0..route.len() {
        cut.stretch(equation, &mut blaster, at);
    }
    let mut select = Vec::with_capacity(selects.len());
    for (pair, symbol) in selects {
        let literal = blaster.literal(&equation.terms, symbol);
        match spurious.free.contains(&pair) {
            true => blaster.solver.add_clause(&[literal]),
            false => select.push((pair, literal)),
        }
    }
    fewest(&mut blaster, &select, spurious.dear)
}

/// A truth at a moment of the path.
#[derive(Clone, Copy)]
struct Tracked {
    /// Whether it holds.
    holds: Term,
    /// Whether that is tracked.
    select: Term,
}

/// For each moment of the path the truths that may be tracked there. The same predicate at the same place is selected
/// once.
fn tracked(
    equation: &mut Equation,
    spurious: &Spurious<'_>,
    route: &[usize],
    selects: &mut BTreeMap<Pair, Term>,
) -> Vec<HashMap<usize, Tracked>> {
    let given: HashMap<usize, bool> = spurious.given.iter().copied().collect();
    let mut here = Vec::with_capacity(route.len());
    for index in route {
        let mut tracked = HashMap::new();
        for truth in &spurious.points[*index].tracked {
            let holds = match given.get(truth) {
                Some(value) => equation.terms.bool(*value),
                None => equation.terms.fresh("holds", 1),
            };
            let pair = (spurious.truths[*truth].predicate, spurious.places[*index]);
            let select = *selects.entry(pair).or_insert_with(|| equation.terms.fresh("selects", 1));
            tracked.insert(*truth, Tracked { holds, select });
        }
        here.push(tracked);
    }
    here
}

/// A path that is cut at its moments.
struct Cut<'a> {
    spurious: &'a Spurious<'a>,
    layout: &'a Layout,
    /// Control, as the path has it.
    constants: &'a HashMap<Term, Term>,
    /// The moments of the path.
    route: &'a [usize],
    /// The truths at each of them.
    tracked: &'a [HashMap<usize, Tracked>],
}

impl Cut<'_> {
    /// Asserts what happens from one moment of the path to the next.
    fn stretch(&self, equation: &mut Equation, blaster: &mut Blaster, at: usize) {
        let Spurious { points, truths, path, .. } = *self.spurious;
        let (index, next) = (self.route[at], self.route.get(at + 1).copied());
        let until = next.map_or(path.last_step(equation), |next| points[next].step);
        let computed = (index..next.unwrap_or(points.len())).collect();
        let mut copy = Copy::new(self.layout, computed, self.constants);
        let demands = self.demands(equation, &mut copy, points[index].step..until);
        let before = &points[index].tracked;
        let after: &[usize] = next.map_or(&[], |next| &points[next].tracked);
        let new: Vec<usize> = after.iter().copied().filter(|truth| !before.contains(truth)).collect();
        let mut roots = demands.clone();
        for truth in &new {
            roots.push(copy.of(equation, truths[*truth].term));
        }
        let around: Vec<usize> =
            connected(equation, &mut copy, truths, before, &roots).into_iter().map(|(truth, _)| truth).collect();
        for demand in demands {
            blaster.assert(&equation.terms, demand);
        }
        for truth in new.iter().chain(&around) {
            let term = copy.of(equation, truths[*truth].term);
            for moment in [at, at + 1] {
                if let Some(Tracked { holds, select }) = self.tracked.get(moment).and_then(|here| here.get(truth)) {
                    let same = equation.terms.iff(*holds, term);
                    let same = equation.terms.implies(*select, same);
                    blaster.assert(&equation.terms, same);
                }
            }
        }
        // What does not change is handed on.
        for truth in after.iter().filter(|truth| before.contains(truth)) {
            let (old, new) = (self.tracked[at][truth], self.tracked[at + 1][truth]);
            let both = equation.terms.and(old.select, new.select);
            let same = equation.terms.iff(old.holds, new.holds);
            let same = equation.terms.implies(both, same);
            blaster.assert(&equation.terms, same);
        }
    }

    /// What must hold at some steps for a run to take the path.
    fn demands(&self, equation: &mut Equation, copy: &mut Copy<'_>, steps: Range<usize>) -> Vec<Term> {
        let Spurious { path, kept, .. } = *self.spurious;
        let mut demands = Vec::new();
        for step in steps {
            let guard = equation.steps[step].guard;
            match equation.steps[step].kind {
                StepKind::Guard { variable, .. } => {
                    let variable = &equation.variables[variable.0 as usize];
                    let (symbol, Some(definition)) = (variable.symbol, variable.definition) else { continue };
                    let condition = copy.of(equation, definition);
                    let taken = path.taken.get(&symbol).copied().unwrap_or(false);
                    demands.push(if taken { condition } else { equation.terms.not(condition) });
                }
                StepKind::Assume { condition } | StepKind::Claim { condition, .. } => {
                    let held = equation.terms.implies(guard, condition);
                    let held = copy.of(equation, held);
                    demands.push(if path.fails == Some(step) { equation.terms.not(held) } else { held });
                }
                _ => {}
            }
            for (_, condition) in kept.iter().filter(|(at, _)| *at == step) {
                demands.push(copy.of(equation, *condition));
            }
        }
        demands
    }
}

/// Few of the pairs that are enough together.
fn fewest(blaster: &mut Blaster, select: &[(Pair, Lit)], dear: &[usize]) -> Option<Vec<Pair>> {
    let mut refutes = |tried: &[(Pair, Lit)]| -> Option<Vec<(Pair, Lit)>> {
        let assumed: Vec<Lit> = tried.iter().map(|(_, literal)| *literal).collect();
        match blaster.solver.solve(&assumed) {
            Outcome::Unsat => {
                let core: HashSet<Lit> = blaster.solver.core().into_iter().collect();
                Some(tried.iter().copied().filter(|(_, literal)| core.contains(literal)).collect())
            }
            _ => None,
        }
    };
    let mut kept = refutes(select)?;
    for predicate in dear {
        if kept.iter().any(|((of, _), _)| of == predicate) {
            let fewer: Vec<(Pair, Lit)> = kept.iter().copied().filter(|((of, _), _)| of != predicate).collect();
            if let Some(core) = refutes(&fewer) {
                kept = core;
            }
        }
    }
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        match refutes(&fewer) {
            Some(core) => kept = core,
            None => at += 1,
        }
    }
    Some(kept.into_iter().map(|(pair, _)| pair).collect())
}
