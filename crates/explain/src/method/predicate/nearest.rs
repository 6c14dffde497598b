//! The nearest passing run of the abstract program, and whether it is one of the program's (Chaki, Groce, Strichman,
//! "Explaining abstract counterexamples", section 5).
//!
//! A run that the program cannot take is *spurious*: the parts of it that contradict each other are excluded, and the
//! search goes on. Every such exclusion leaves all runs of the program in, so the distance that is found in the end is
//! that of the nearest run of the program. After a fixed number of spurious runs the rest is left to the equation itself,
//! to which the loop would come in the limit.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use nearmiss_logic::optimise::{self, Objective, Optimum};
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use super::abstraction::{Abstraction, Point, Truth};
use super::path::{Part, Path, Reality, Verdict};
use crate::compared::{Counted, Counting};
use crate::equation::{Equation, StepKind, VariableId};
use crate::execution::Execution;
use crate::explanation::DeltaKind;
use crate::method::delta;
use nearmiss_logic::stop::Stop;

/// So many spurious runs are excluded one by one.
const MOST_SPURIOUS: usize = 30;
/// So many conflicts are spent on one nearest run.
const MOST_CONFLICTS: u64 = 50_000;

/// What runs are compared with, and by what.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// The failing run.
    pub failing: &'a Execution,
    /// The step of the claim that it violates.
    pub claim: usize,
    /// The moments.
    pub points: &'a [Point],
    /// The truths of predicates there.
    pub truths: &'a [Truth],
}

/// What is known of the nearest passing run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// None is nearer than this, if there is any.
    pub lower_bound: u64,
    /// What came of it.
    pub end: End,
    /// How many spurious runs were excluded on the way.
    pub spurious: usize,
}

/// How the search for the nearest run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The nearest passing run of the abstract program is one of the program's.
    Real,
    /// No run of the abstract program passes, hence none of the program's.
    None,
    /// Too many were spurious; the rest is left to the equation.
    Left,
    /// Time was over.
    Time,
}

/// What a value is without turns, each with the term that it is that.
type Bases = Arc<[(Term, Term)]>;

/// A truth that a distance counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedTruth {
    /// Its number.
    pub truth: usize,
    /// When it counts.
    pub when: Counting,
    /// A run looks at it where this holds.
    pub looked_at: Term,
}

/// The truths that a distance counts: those that can be seen before the claim. Runs are compared with `failing`.
pub fn counted(
    equation: &mut Equation,
    points: &[Point],
    truths: &[Truth],
    claim: usize,
    failing: &Execution,
) -> Vec<CountedTruth> {
    let mut looks: BTreeMap<usize, Vec<&Point>> = BTreeMap::new();
    for point in points.iter().filter(|point| point.step <= claim) {
        point.tracked.iter().for_each(|truth| looks.entry(*truth).or_default().push(point));
    }
    let numbers: HashMap<Truth, usize> = looks.keys().map(|truth| (truths[*truth], *truth)).collect();
    let by_symbol = equation.variables_by_symbol();
    let mut counted = Vec::with_capacity(looks.len());
    for (&truth, own) in &looks {
        let guards: Vec<Term> = own.iter().map(|point| point.guard).collect();
        let mut same = Vec::new();
        for (before, is_same) in without_turns(equation, &by_symbol, truths[truth].term) {
            let base = Truth { term: before, ..truths[truth] };
            if let Some(base) = numbers.get(&base).filter(|base| **base != truth) {
                let taken = taken(equation, &looks[base], failing);
                same.push(taken.map_or(is_same, |taken| equation.terms.and(is_same, taken)));
            }
        }
        // Both runs must have the same values from before.
        let in_failing: Vec<Term> = same.iter().copied().filter(|same| failing.meets(equation, *same)).collect();
        let unchanged = (!same.is_empty()).then(|| equation.terms.or_all(&in_failing));
        let taken = taken(equation, own, failing);
        let looked_at = equation.terms.or_all(&guards);
        counted.push(CountedTruth { truth, when: Counting { taken, unchanged, alone: None }, looked_at });
    }
    counted
}

/// Of a truth that is looked at in turns alone: the term that a run takes one of them that the failing run takes as well.
fn taken(equation: &mut Equation, looks: &[&Point], failing: &Execution) -> Option<Term> {
    let turns: Option<BTreeSet<Term>> = looks.iter().map(|point| equation.taken(&equation.steps[point.step])).collect();
    let in_failing: Vec<Term> = turns?.into_iter().filter(|turn| failing.meets(equation, *turn)).collect();
    Some(equation.terms.or_all(&in_failing))
}

/// What a term is with the values from before turns, each with the term that these are the same. The turns that were left
/// last are undone first, so that its values are always those of one moment.
fn without_turns(equation: &mut Equation, by_symbol: &HashMap<Term, VariableId>, term: Term) -> Vec<(Term, Term)> {
    let mut met: Vec<Met> = (equation.terms.support(term).into_iter())
        .filter_map(|symbol| Some((symbol, equation.meetings.get(by_symbol.get(&symbol)?)?.bases.clone())))
        .map(|(symbol, bases)| Met { symbol, bases, undone: 0 })
        .collect();
    let mut found = Vec::new();
    loop {
        let undoable = met.iter_mut().filter(|met| met.undone < met.bases.len());
        let Some(last) = undoable.max_by_key(|met| by_symbol.get(&met.value())) else { return found };
        last.undone += 1;
        let by: HashMap<Term, Term> = met.iter().map(|met| (met.symbol, met.value())).collect();
        let same: Vec<Term> = met.iter().filter_map(Met::is_same).collect();
        found.push((equation.terms.substitute(term, &by), equation.terms.and_all(&same)));
    }
}

/// A value that met others because turns were left, with so many of these places undone.
struct Met {
    symbol: Term,
    bases: Bases,
    undone: usize,
}

impl Met {
    fn value(&self) -> Term {
        self.undone.checked_sub(1).map_or(self.symbol, |at| self.bases[at].0)
    }

    fn is_same(&self) -> Option<Term> {
        self.undone.checked_sub(1).map(|at| self.bases[at].1)
    }
}

/// The branches that a distance counts.
pub fn counted_branches(equation: &Equation, claim: usize) -> Vec<Counted> {
    let branches = equation.steps[..claim].iter().enumerate().filter_map(|(step, described)| match described.kind {
        StepKind::Guard { variable, .. } => {
            let (kind, taken, alone) = (DeltaKind::Guard, equation.taken(described), Some(described.guard));
            Some(Counted { variable, step, kind, taken, unchanged: None, alone, looked_at: None, is_priced: true })
        }
        _ => None,
    });
    branches.collect()
}

/// What differs from the failing run: branches before the claim, and truths of predicates.
fn distance(
    equation: &mut Equation,
    abstraction: &mut Abstraction,
    run: &Compared<'_>,
    truths: &[CountedTruth],
) -> Objective {
    let branches = counted_branches(equation, run.claim);
    let mut differs = delta::difference_terms(equation, &branches, run.failing);
    for CountedTruth { truth, when, .. } in truths {
        let value = run.failing.value_of(equation, run.truths[*truth].term);
        differs.push(delta::counting_term(equation, *when, abstraction.holds[*truth], value, run.failing));
    }
    let prices = differs.into_iter().map(|differs| (abstraction.blaster.literal(&equation.terms, differs), 1));
    Objective::Weighted(prices.filter(|(literal, _)| *literal != Lit::FALSE).collect())
}

/// The cheapest run of the abstract program that passes and keeps what is to be kept.
pub fn cheapest(
    equation: &mut Equation,
    abstraction: &mut Abstraction,
    run: &Compared<'_>,
    truths: &[CountedTruth],
    conflicts: u64,
    stop: &Stop,
) -> Optimum {
    let passes: Vec<Lit> = abstraction.held.iter().map(|(_, held)| *held).chain(abstraction.kept.clone()).collect();
    let distance = distance(equation, abstraction, run, truths);
    let limits = optimise::Limits { conflicts: Some(conflicts), stop: stop.clone(), ..Default::default() };
    optimise::minimise(&mut abstraction.blaster.solver, &passes, &distance, None, &limits, &mut |_, _| {})
}

/// What the real program is asked for.
#[derive(Clone, Copy)]
enum Asked {
    /// A part of the path.
    Part(Part),
    /// What the distance depends on beside it, by number.
    Beside(usize),
}

/// What a distance depends on beside the path: where a run closes into a loop, for turns after that are not taken, and
/// which turns it takes where a call through a pointer decides that.
fn beside(
    equation: &mut Equation,
    abstraction: &mut Abstraction,
    model: &Model,
    path: &Path,
    (claim, truths): (usize, &[CountedTruth]),
) -> Vec<(Term, bool, Lit)> {
    let mut terms: BTreeSet<Term> = BTreeSet::new();
    for index in 0..equation.steps.len() {
        if let StepKind::Close { variable, equal, .. } = equation.steps[index].kind {
            let symbol = equation.symbol(variable);
            terms.insert(equation.terms.and(symbol, equal));
        }
    }
    let branches = counted_branches(equation, claim);
    let when = branches.iter().map(Counted::counting).chain(truths.iter().map(|truth| truth.when));
    terms.extend(when.flat_map(|when| [when.taken, when.unchanged, when.alone]).flatten());
    let constants = path.constants(equation);
    terms.retain(|term| {
        let left = equation.terms.substitute(*term, &constants);
        equation.terms.as_const(left).is_none()
    });
    let literal = |term: Term| {
        let literal = abstraction.blaster.literal(&equation.terms, term);
        (term, model.value(literal), literal)
    };
    terms.into_iter().map(literal).collect()
}

/// How near the nearest passing run is, found on the abstract program. `kept`: what it must have in common with the
/// failing one, each with the step at which that is decided.
pub fn nearest(equation: &mut Equation, run: &Compared<'_>, kept: &[(usize, Term)], stop: &Stop) -> Known {
    let mut abstraction = Abstraction::new(equation, run.points, run.truths, kept, stop);
    let mut reality = Reality::new(equation, stop);
    let mut lower_bound = 0;
    // What a distance counts is there in every run, be it executed or not.
    let counted = counted(equation, run.points, run.truths, run.claim, run.failing);
    for spurious in 0..MOST_SPURIOUS {
        let known = |end: End, lower_bound: u64| Known { lower_bound, end, spurious };
        let found = cheapest(equation, &mut abstraction, run, &counted, MOST_CONFLICTS, stop);
        let model = match (found.outcome, found.model) {
            (Outcome::Unsat, _) => return known(End::None, lower_bound),
            (Outcome::Sat, Some(model)) => model,
            _ => return known(End::Time, lower_bound),
        };
        lower_bound = found.lower as u64;
        let path = Path::of(equation, &mut abstraction, &model, None);
        let values = abstraction.values(equation, &model);
        let given: Vec<(usize, bool)> = counted.iter().map(|one| (one.truth, values[one.truth])).collect();
        let beside = beside(equation, &mut abstraction, &model, &path, (run.claim, &counted));
        let mut parts: Vec<(Asked, Term, bool)> = (path.parts(equation, run.truths, &given, kept).into_iter())
            .map(|(part, term, value)| (Asked::Part(part), term, value))
            .collect();
        parts.extend(beside.iter().enumerate().map(|(at, (term, value, _))| (Asked::Beside(at), *term, *value)));
        let core = match reality.judge(equation, &parts) {
            Verdict::Possible => return known(End::Real, lower_bound),
            Verdict::Unknown => return known(End::Time, lower_bound),
            Verdict::Impossible(core) => core,
        };
        let mut clause = Vec::new();
        for asked in core {
            let part = match asked {
                Asked::Part(part) => part,
                Asked::Beside(at) => {
                    let (_, value, literal) = beside[at];
                    clause.push(literal.negate_if(value));
                    continue;
                }
            };
            let literal = match part {
                Part::Branch(step) => match equation.steps[step].kind {
                    StepKind::Guard { variable, .. } => {
                        let symbol = equation.symbol(variable);
                        let literal = abstraction.blaster.literal(&equation.terms, symbol);
                        literal.negate_if(path.taken[&symbol])
                    }
                    _ => continue,
                },
                Part::Truth(truth) => abstraction.literal(equation, truth).negate_if(values[truth]),
                // These hold in every run that is looked for.
                Part::Held(_) | Part::Kept(_) => continue,
            };
            clause.push(literal);
        }
        abstraction.blaster.solver.add_clause(&clause);
    }
    Known { lower_bound, end: End::Left, spurious: MOST_SPURIOUS }
}
