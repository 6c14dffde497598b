//! Causes of the failure: relations that hold in the failing run, and without which the nearest runs do not fail (Groce
//! and Kroening, "Making the Most of BMC Counterexamples", 2005, section 6; the definition is definition 1 of Groce,
//! Chaki, Kroening, Strichman, "Error explanation with distance metrics").
//!
//! A relation c is a *cause* if some passing run without c is nearer to the failing run than every failing run without
//! c. A run is *without* c if it sets every value that c speaks of, and c is false of these values. A run that leaves early
//! or goes another way, so that it never sets one of them, is neither with nor without c: what an equation has for a
//! value there is nothing that the program computed. (Only what a function without parameters looks up in inputs can be said
//! without calling it.) So a relation that is true wherever its values are set (`n < 2` of
//! an `n` that is set under that condition) is no cause, but an invariant. The paper solves two problems for each relation; here all relations are decided together. A *level* is the least
//! distance of a passing run that lacks some open relation. At that distance or nearer, failing runs that lack open
//! relations are asked for until there is none: what they lack is no cause, since passing runs without it are at least
//! as far. What passing runs lack then is a cause. One run settles many relations, so the number of questions grows
//! with the levels and the runs, not with the relations. Far levels take most of the effort and say least, so `causes` stops
//! at some distance. Relations that no passing run lacks are no causes: nothing, or
//! only failing, happens without them.
//!
//! Relations come from `cause/candidate.rs`. Of all causes only those are shown that do not follow from another
//! (`cause/reduce.rs`), and the caller checks each of them again from the definition.

use std::collections::HashSet;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::Assignment;
use nearmiss_logic::optimise::Totalizer;
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use super::delta;
use super::encode;
use crate::compared::{Counted, Relation};
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::Cause;
use crate::explanation::Hypotheses;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::Program;
use nearmiss_program::source::Span;

mod asked;
mod candidate;
mod flow;
mod names;
mod reduce;
mod set;
pub(super) mod written;

pub use asked::{Ending, judge};
pub use candidate::{Candidate, Candidates, candidates};

/// Conflicts before what is decided so far is taken, whatever the machine. Among many clauses one counts for several.
const MOST_CONFLICTS: u64 = 200_000;
/// So many clauses are not searched through.
const MOST_CLAUSES: u64 = 1_500_000;
/// Causes are looked for so many times as far as the passing run that is shown,
const FARTHEST: u64 = 2;
/// and as far as this in any case,
const NEAR: u64 = 40;
/// but only half as far again, or so much farther, where they are hard to find: what only runs far away lack says little, and takes
/// most of the effort.
const NEAR_ENOUGH: u64 = 6;
/// That is where the product of conflicts and clauses is more than this.
const HARD: u64 = 60_000_000;
/// Where it is more than this, they are looked for no farther than the passing run that is shown.
const VERY_HARD: u64 = 200_000_000;
/// From so many clauses on the product counts for three times as much: a question takes longer there than its conflicts do.
const MANY_CLAUSES: u64 = 30_000;

/// The two runs, and what a distance is.
#[derive(Clone, Copy)]
pub struct Runs<'a> {
    /// The program.
    pub program: &'a Program,
    /// The failing run.
    pub failing: &'a Execution,
    /// The nearest passing run.
    pub passing: &'a Execution,
    /// What a distance counts.
    pub counted: &'a [Counted],
    /// The step of the violated claim.
    pub claim: usize,
    /// No passing run is nearer than this, as far as is known.
    pub least: u64,
    /// The line of some text, to tell values of one variable apart.
    pub line: &'a dyn Fn(Span) -> u32,
}

/// What is known of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is a cause: a passing run without it has this distance, and every failing one a larger one.
    Cause {
        /// The distance.
        distance: u64,
    },
    /// It is none.
    NoCause,
    /// Passing runs without it are too far away to say why the failing run fails.
    Far,
    /// Not known.
    Open,
}

/// A cause that is to be shown.
#[derive(Clone, Debug)]
pub struct FoundCause {
    /// The relation.
    pub relation: Relation,
    /// A passing run without it has this distance.
    pub distance: u64,
    /// The inputs of that run.
    pub passing: Assignment,
    /// The relation in words, with what follows from it.
    pub cause: Cause,
}

/// What was found out about relations.
#[derive(Clone, Debug)]
pub struct FoundCauses {
    /// The few that carry the rest, in the order in which they are shown.
    pub shown: Vec<FoundCause>,
    /// How many relations were looked at.
    pub candidates: usize,
    /// How many of them are causes.
    pub found: usize,
    /// How many were left aside: no passing run without them is near.
    pub far: usize,
    /// Whether every candidate was decided.
    pub complete: bool,
}

/// How far causes are looked for, where a passing run is so far away.
pub fn farthest(passing: u64) -> u64 {
    passing.saturating_mul(FARTHEST).max(NEAR)
}

/// Looks for causes.
pub fn causes(runs: &Runs<'_>, equation: &mut Equation, hypotheses: Hypotheses, stop: &Stop) -> FoundCauses {
    let Candidates { relations, all, violated } = candidates(runs, equation, hypotheses);
    let says_it_again = of_operands(equation, &violated, &relations);
    let mut search = Search::new(runs, equation, &relations, stop);
    search.farthest = farthest(search.known_distance);
    let verdicts = search.decide();
    let is_open = |verdict: &Verdict| *verdict == Verdict::Open;
    let reduced = reduce::reduce(&mut search, &equation.terms, &relations, &verdicts, &says_it_again);
    let mut evaluator = runs.passing.evaluator(equation);
    let shown = reduced.shown.into_iter().filter_map(|(at, follow)| {
        let (Verdict::Cause { distance }, Some(model)) = (verdicts[at], search.settled_by[at]) else { return None };
        let passing = search.blaster.assignment_of(&equation.terms, &search.models[model]);
        let Candidate { relation, text, variables, .. } = &relations[at];
        let implies = follow.into_iter().map(|at| relations[at].text.clone()).collect();
        let in_passing_run = evaluator.holds(relation.term);
        let cause = Cause { text: text.clone(), variables: variables.clone(), implies, in_passing_run };
        Some(FoundCause { relation: relation.clone(), distance, passing, cause })
    });
    FoundCauses {
        shown: shown.collect(),
        candidates: relations.len(),
        found: verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Cause { .. })).count(),
        far: verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Far)).count(),
        complete: all && !verdicts.iter().any(is_open) && reduced.complete,
    }
}

/// For each relation whether it is over just the operands of the claim, and so says the claim again.
fn of_operands(equation: &Equation, violated: &[Term], relations: &[Candidate]) -> Vec<bool> {
    let symbols = |terms: &[Term]| -> Vec<Term> {
        let parts = equation.terms.post_order(terms);
        parts.into_iter().filter(|part| equation.terms.is_variable(*part)).collect()
    };
    // An operand is a value: what it was copied from is the same one.
    let by_symbol = equation.variables_by_symbol();
    let mut operands: HashSet<Term> = HashSet::new();
    for symbol in symbols(violated) {
        let mut next = Some(symbol);
        while let Some(operand) = next.filter(|operand| operands.insert(*operand)) {
            let definition = by_symbol.get(&operand).and_then(|id| equation.variables[id.0 as usize].definition);
            next = definition.filter(|definition| equation.terms.is_variable(*definition));
        }
    }
    // What inputs must be is told, even where the claim speaks of them.
    let says_it_again = |relation: &Candidate| {
        !relation.ease.is_of_inputs()
            && symbols(&[relation.relation.term]).iter().all(|symbol| operands.contains(symbol))
    };
    relations.iter().map(says_it_again).collect()
}

/// Decides every relation, without reducing them.
pub fn decide(runs: &Runs<'_>, equation: &mut Equation, relations: &[Candidate], stop: &Stop) -> Vec<Verdict> {
    Search::new(runs, equation, relations, stop).decide()
}

/// How executions end.
struct Ends {
    /// Nothing is violated, and nothing is reached of which we know nothing.
    passes: Term,
    /// A claim of the program is violated, and no assumption before it.
    fails: Term,
    /// It is the claim that the failing run violates.
    fails_so: Term,
    /// It passes, or some claim is violated.
    ended: Term,
    /// That, and the violated claim of the failing run is come to.
    reaches: Term,
    /// That claim, if it is come to.
    claim: Term,
    /// A run goes on where nothing was unwound further, before the step of that claim: what it does then is not known.
    leaves_before: Term,
    /// It does so after that step.
    leaves_after: Term,
    /// It does so after it came to that claim.
    leaves_from: Term,
}

/// The claim of a step.
fn claim_of(equation: &Equation, step: usize) -> Option<ClaimRef> {
    match equation.steps[step].kind {
        StepKind::Claim { claim, .. } => Some(claim),
        _ => None,
    }
}

/// An assumption after a violated claim does not matter: the execution has ended.
fn ends(equation: &mut Equation, failing: &Execution, claim: usize) -> Ends {
    let held = equation.held();
    let mut alive = equation.terms.tru();
    let [mut ways, mut own, mut before, mut after] = [const { Vec::new() }; 4];
    let violated_by_failing = claim_of(equation, claim);
    let mut before_claim = alive;
    for (index, held) in held {
        if index <= claim {
            before_claim = alive;
        }
        if let StepKind::Claim { claim: of, .. } = equation.steps[index].kind {
            let violated = equation.terms.not(held);
            let ends_here = equation.terms.and(alive, violated);
            match of {
                ClaimRef::Program(_) => {
                    ways.push(ends_here);
                    own.extend((Some(of) == violated_by_failing).then_some(ends_here));
                }
                ClaimRef::Unwinding(_) | ClaimRef::Unsupported(_) if index < claim => before.push(ends_here),
                ClaimRef::Unwinding(_) | ClaimRef::Unsupported(_) => after.push(ends_here),
            }
        }
        alive = equation.terms.and(alive, held);
    }
    // Where claims are passed over, the failing run may have violated one of them before.
    if !failing.evaluator(equation).holds(before_claim) {
        before_claim = equation.terms.tru();
    }
    let terms = &mut equation.terms;
    let [fails, fails_so] = [ways, own].map(|ways| terms.or_all(&ways));
    let ended = terms.or(alive, fails);
    let comes_there = terms.and(before_claim, equation.steps[claim].guard);
    let reaches = terms.and(ended, comes_there);
    let [leaves_before, leaves_after] = [before, after].map(|ways| terms.or_all(&ways));
    let leaves_from = terms.and(leaves_after, comes_there);
    let claim = match equation.steps[claim].kind {
        StepKind::Claim { condition, .. } => condition,
        _ => terms.tru(),
    };
    Ends { passes: alive, fails, fails_so, ended, reaches, claim, leaves_before, leaves_after, leaves_from }
}

/// For each relation that it holds, and that it is lacking.
fn with_and_without(equation: &mut Equation, failing: &Execution, relations: &[Candidate]) -> Vec<[Term; 2]> {
    // Where claims are passed over, the failing run may have violated one of them before.
    let mut held = equation.held();
    held.retain(|(_, held)| failing.meets(equation, *held));
    let mut held = held.into_iter().peekable();
    let mut alive = equation.terms.tru();
    let mut alive_at = Vec::with_capacity(equation.steps.len());
    for step in 0..equation.steps.len() {
        alive_at.push(alive);
        while let Some((_, held)) = held.next_if(|(index, _)| *index == step) {
            alive = equation.terms.and(alive, held);
        }
    }
    let mut both = Vec::with_capacity(relations.len());
    for Relation { term, set_at } in relations.iter().map(|candidate| &candidate.relation) {
        let mut set = Vec::with_capacity(set_at.len());
        for places in set_at {
            let ways: Vec<Term> =
                places.iter().map(|(step, guard)| equation.terms.and(alive_at[*step], *guard)).collect();
            set.push(equation.terms.or_all(&ways));
        }
        let set = equation.terms.and_all(&set);
        let not = equation.terms.not(*term);
        both.push([equation.terms.and(set, *term), equation.terms.and(set, not)]);
    }
    both
}

/// All relations in one solver.
struct Search {
    blaster: Blaster,
    passes: Lit,
    fails: Lit,
    fails_so: Lit,
    ended: Lit,
    reaches: Lit,
    claim: Lit,
    leaves_before: Lit,
    leaves_after: Lit,
    leaves_from: Lit,
    /// What may differ,
    differences: Vec<Lit>,
    /// and how much of it does; none if nothing can.
    distance: Option<Totalizer>,
    /// How far the passing run is that is known.
    known_distance: u64,
    /// No passing run is nearer.
    least: u64,
    /// Passing runs are looked for up to here.
    farthest: u64,
    /// For each relation: all of its values are set, and it holds.
    holds: Vec<Lit>,
    /// For each relation: all of its values are set, and it does not hold.
    lacks: Vec<Lit>,
    /// For each relation: it is the one that a run lacks, and it is open.
    open: Vec<Lit>,
    /// Some open relation is lacking.
    some: Lit,
    verdicts: Vec<Verdict>,
    /// For each relation the number of the run that settled it.
    settled_by: Vec<Option<usize>>,
    /// A passing run that lacked an open relation when it was found.
    far: Option<Model>,
    /// Runs that were come across, for [`reduce`].
    models: Vec<Model>,
}

impl Search {
    fn new(runs: &Runs<'_>, equation: &mut Equation, relations: &[Candidate], stop: &Stop) -> Search {
        let ends = ends(equation, runs.failing, runs.claim);
        let differences = delta::difference_terms(equation, runs.counted, runs.failing);
        let both = with_and_without(equation, runs.failing, relations);
        let mut blaster = encode::for_easy_questions(&stop.within(MOST_CONFLICTS));
        encode::define(&mut blaster, equation);
        let mut literal = |term: Term| blaster.literal(&equation.terms, term);
        let [passes, fails, fails_so, ended, reaches, claim] =
            [ends.passes, ends.fails, ends.fails_so, ends.ended, ends.reaches, ends.claim].map(&mut literal);
        let [leaves_before, leaves_after, leaves_from] =
            [ends.leaves_before, ends.leaves_after, ends.leaves_from].map(&mut literal);
        let differences = differences.iter().map(|term| blaster.literal(&equation.terms, *term));
        let differences: Vec<Lit> = differences.filter(|differs| *differs != Lit::FALSE).collect();
        let distance = (!differences.is_empty()).then(|| Totalizer::new(&differences));
        let mut literals = |of: usize| both.iter().map(|r| blaster.literal(&equation.terms, r[of])).collect();
        let (holds, lacks): (Vec<Lit>, Vec<Lit>) = (literals(0), literals(1));
        // Settling a relation is a clause of one literal: no clause over all open ones is ever made twice.
        let some = blaster.solver.new_var();
        let open: Vec<Lit> = relations.iter().map(|_| blaster.solver.new_var()).collect();
        for (open, lacks) in open.iter().zip(&lacks) {
            blaster.solver.add_clause(&[!*open, *lacks]);
        }
        blaster.solver.add_clause(&open.iter().copied().chain([!some]).collect::<Vec<_>>());
        for (variable, value) in equation.variables.iter().zip(&runs.failing.values) {
            if variable.definition.is_none() {
                for (i, bit) in blaster.bits(&equation.terms, variable.symbol).into_iter().enumerate() {
                    // Where the solver is free, inputs are as in the failing run.
                    blaster.solver.set_phase(bit.negate_if(value >> i & 1 == 0));
                }
            }
        }
        let both = [runs.failing, runs.passing];
        let changed = |counted: &&Counted| delta::is_different(equation, counted, both);
        let known_distance = runs.counted.iter().filter(changed).count() as u64;
        let verdicts = vec![Verdict::Open; relations.len()];
        Search {
            blaster,
            passes,
            fails,
            fails_so,
            ended,
            reaches,
            claim,
            leaves_before,
            leaves_after,
            leaves_from,
            differences,
            distance,
            known_distance,
            least: runs.least,
            farthest: u64::MAX,
            holds,
            lacks,
            open,
            some,
            settled_by: vec![None; verdicts.len()],
            verdicts,
            far: None,
            models: Vec::new(),
        }
    }

    /// The verdict on each relation.
    fn decide(&mut self) -> Vec<Verdict> {
        // None: interrupted. What is settled by then stands.
        let _ = self.levels();
        self.verdicts.clone()
    }

    fn levels(&mut self) -> Option<()> {
        let mut distance = self.first_distance()?;
        while self.some_passing_lacks()? {
            let Some(nearest) = self.next_level(distance)? else {
                self.leave(Verdict::Far);
                return Some(());
            };
            distance = self.distance_of(&nearest);
            let within = self.within(distance)?;
            while let Some(model) = self.ask(&[self.some, self.fails, within])? {
                self.settle(model, Verdict::NoCause);
            }
            self.settle(nearest, Verdict::Cause { distance });
            while let Some(model) = self.ask(&[self.some, self.passes, within])? {
                self.settle(model, Verdict::Cause { distance });
            }
            distance += 1;
        }
        self.leave(Verdict::NoCause);
        Some(())
    }

    /// A nearest passing run that lacks some open relation, at this distance or farther; none within the reach. Where there is none at a distance,
    /// the next one is twice as far ahead, and each run that is found is asked for a nearer one.
    fn next_level(&mut self, from: u64) -> Option<Option<Model>> {
        let (mut from, mut ahead) = (from, 0);
        let mut found = loop {
            let reach = self.reach();
            if from > reach {
                return Some(None);
            }
            let within = self.within((from + ahead).min(reach))?;
            match self.ask(&[self.some, self.passes, within])? {
                Some(model) => break model,
                None => (from, ahead) = ((from + ahead).min(reach) + 1, 2 * ahead + 1),
            }
        };
        while self.distance_of(&found) > from {
            let within = self.within(self.distance_of(&found) - 1)?;
            match self.ask(&[self.some, self.passes, within])? {
                Some(nearer) => found = nearer,
                None => break,
            }
        }
        Some(Some(found))
    }

    /// How far causes are looked for after what was spent so far.
    fn reach(&self) -> u64 {
        match self.effort() {
            effort if effort > VERY_HARD => self.farthest.min(self.known_distance),
            effort if effort > HARD => self.farthest.min(self.near_enough()),
            _ => self.farthest,
        }
    }

    /// How far a run is from the failing one.
    fn distance_of(&self, model: &Model) -> u64 {
        self.differences.iter().filter(|differs| model.value(**differs)).count() as u64
    }

    /// The verdict on all that are still open.
    fn leave(&mut self, verdict: Verdict) {
        self.verdicts.iter_mut().filter(|open| **open == Verdict::Open).for_each(|open| *open = verdict);
    }

    /// Where to begin: the least distance of a passing run, if that is known, or of one that lacks some relation, if it is no more than that
    /// of the passing run that is known. From above: each run that is found is nearer than the one before.
    fn first_distance(&mut self) -> Option<u64> {
        if self.least > 0 {
            return Some(self.least);
        }
        let mut nearest = self.known_distance;
        while let Some(nearer) = nearest.checked_sub(1) {
            let within = self.within(nearer)?;
            let Some(model) = self.ask(&[self.some, self.passes, within])? else { break };
            nearest = self.distance_of(&model);
        }
        Some(nearest)
    }

    /// Does some passing run, however far, lack an open relation? A run that is known is looked at first.
    fn some_passing_lacks(&mut self) -> Option<bool> {
        let lacks = |at: usize, model: &Model| self.verdicts[at] == Verdict::Open && model.value(self.lacks[at]);
        if self.far.as_ref().is_some_and(|model| (0..self.lacks.len()).any(|at| lacks(at, model))) {
            return Some(true);
        }
        self.far = self.ask(&[self.some, self.passes])?;
        Some(self.far.is_some())
    }

    /// The literal that keeps runs at this distance or nearer. None if counting that far takes too many clauses.
    fn within(&mut self, distance: u64) -> Option<Lit> {
        let Some(counter) = &mut self.distance else { return Some(Lit::TRUE) };
        let more = usize::try_from(distance).ok()? + 1;
        // Clauses are about as many as what counts times the distance.
        let counting = counter.inputs().saturating_mul(more) as u64;
        if self.blaster.solver.stats().clauses.saturating_add(counting) > MOST_CLAUSES {
            return None;
        }
        Some(!counter.at_least(&mut self.blaster.solver, more))
    }

    /// A run in which all of these hold. The outer nothing: interrupted.
    fn ask(&mut self, assumptions: &[Lit]) -> Option<Option<Model>> {
        if self.blaster.solver.stats().clauses > MOST_CLAUSES {
            return None;
        }
        let outcome = self.blaster.solver.solve(assumptions);
        match outcome {
            Outcome::Sat => Some(Some(self.blaster.solver.model())),
            Outcome::Unsat => Some(None),
            Outcome::Interrupted => None,
        }
    }

    /// How far causes are looked for in any case.
    fn near_enough(&self) -> u64 {
        self.known_distance + (self.known_distance / 2).max(NEAR_ENOUGH)
    }

    /// What was spent so far, where that is limited.
    fn effort(&self) -> u64 {
        let stats = self.blaster.solver.stats();
        let weight = if stats.clauses < MANY_CLAUSES { 1 } else { 3 };
        if self.farthest < u64::MAX { stats.conflicts.saturating_mul(stats.clauses * weight) } else { 0 }
    }

    /// Every open relation that a run lacks gets its verdict.
    fn settle(&mut self, model: Model, verdict: Verdict) {
        for at in 0..self.holds.len() {
            if self.verdicts[at] == Verdict::Open && model.value(self.lacks[at]) {
                self.verdicts[at] = verdict;
                self.settled_by[at] = Some(self.models.len());
                self.blaster.solver.add_clause(&[!self.open[at]]);
            }
        }
        self.models.push(model);
    }
}
