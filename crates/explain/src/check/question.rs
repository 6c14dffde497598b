//! What the solver is asked of one equation, and what its answers tell.
//!
//! A claim *fails* if some execution violates it and no claim before it. Written assertions are told apart from each
//! other more finely: one that can only be violated after another one was violated fails too, since a user asks for
//! each of them; but the run that is shown violates nothing before its claim.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::sat::{Lit, Outcome as Answer};
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::{Term, Terms};
use nearmiss_logic::width::low_bits;

use super::follow::followers;
use crate::equation::{Bound, ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::LeftOpen;
use crate::method::encode;
use nearmiss_program::program::{ClaimId, ClaimKind, Program};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Diagnostic, Span};

/// What one equation has told, and those with smaller bounds before it.
#[derive(Default)]
pub(crate) struct Findings {
    /// Claims that fail, in program order.
    pub(super) failing: Vec<ClaimId>,
    /// The claim to show and the inputs that violate it.
    pub(crate) shown: Option<Shown>,
    /// Something unsupported that an execution reaches.
    pub(super) unsupported: Option<(String, Span)>,
    /// Bounds of which some execution wants more.
    pub(super) wanted: Vec<Bound>,
    /// Bounds of which executions want more that violated a claim before, each with that claim.
    pub(super) wanted_behind: Vec<(Bound, ClaimId)>,
    /// All bounds that were hit.
    pub(super) hit: Vec<(Bound, Span, String)>,
    pub(super) unwind: u32,
    pub(super) interrupted: bool,
    /// Whether all that is wanted is beyond what was asked for.
    pub(super) as_asked: bool,
    /// Loops whose rounds are never seen to be the same.
    pub(super) renewed: Vec<Span>,
    /// Allocations that give NULL where they are larger than any object.
    pub(super) refused: Vec<Span>,
    /// What is known of a run that never ends.
    pub(super) endless: Option<Diagnostic>,
    /// Claims that some execution reaches only after it violated another one.
    pub(super) behind: Vec<Behind>,
    /// Written assertions that fail only in executions that violate another one (the second) before.
    pub(super) after: Vec<(ClaimId, ClaimId)>,
    /// Claims that no execution reaches because of the assumptions.
    pub(super) vacuous: Vec<ClaimId>,
    /// Functions of the C library that leave claims open.
    pub(super) unsure: Vec<LeftOpen>,
    /// Claims that the solver had no answer for when the time was over, while it answered for all others.
    pub(super) hard: Vec<ClaimId>,
    /// Claims that no execution violates, unless one violates a hard one before.
    pub(super) behind_hard: Vec<ClaimId>,
}

/// A claim that is reached after another one was violated.
pub(crate) struct Behind {
    pub(super) claim: ClaimId,
    /// The claim that is violated first.
    pub(super) first: ClaimId,
    /// Inputs that do that.
    pub(super) inputs: Inputs,
}

impl Findings {
    /// Claims that nothing more is to be asked of: those that fail, and those that a function of the library leaves open.
    pub(super) fn known(&self) -> Vec<ClaimRef> {
        let open = self.unsure.iter().filter_map(|open| open.claim).map(|index| ClaimId(index as u32));
        self.failing.iter().copied().chain(open).map(ClaimRef::Program).collect()
    }

    /// Claims that no execution violates before another one, if it is known of all.
    pub(super) fn proved(&self, program: &Program, properties: &[String]) -> HashSet<ClaimId> {
        let is_known = !self.interrupted && self.unsupported.is_none() && self.wanted.is_empty();
        let is_all = self.hard.is_empty() && self.behind_hard.is_empty() && self.unsure.is_empty();
        let all = (0..program.claims.len() as u32).map(ClaimId).filter(|claim| !self.failing.contains(claim));
        if is_known && is_all && properties.is_empty() { all.collect() } else { HashSet::new() }
    }

    /// Bounds of which executions want more, whatever they violated before.
    pub(super) fn wants(&self) -> impl Iterator<Item = &Bound> {
        let behind = self.wanted_behind.iter().map(|(bound, _)| bound).filter(|bound| !self.wanted.contains(bound));
        self.wanted.iter().chain(behind)
    }

    /// These findings and those of a larger bound. For the same claim the run of the smaller bound is kept: it is
    /// shorter. A failure stays a failure, whatever interrupts later rounds.
    pub(super) fn then(self, mut later: Findings) -> Findings {
        let news = later.failing.clone();
        later.after.extend(self.after.into_iter().filter(|(claim, _)| !news.contains(claim)));
        later.failing.extend(self.failing);
        later.failing.sort_unstable();
        later.failing.dedup();
        later.shown = match (self.shown, later.shown) {
            (Some(old), Some(new)) if new.rank < old.rank => Some(new),
            (Some(old), _) => Some(old),
            (None, new) => new,
        };
        later
    }
}

/// A failing run, and what it is to be preferred by.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) claim: ClaimId,
    pub(crate) inputs: Inputs,
    pub(crate) rank: (u32, ClaimId),
    /// Whether a smaller run will do. Where results are invented, only these inputs are known to fail with all of them.
    pub(crate) replaceable: bool,
}

/// The formula first, then written assertions, then the others; in program order.
pub(super) fn rank(program: &Program, claim: ClaimId) -> (u32, ClaimId) {
    let kind = match program.claims[claim.index()].kind {
        ClaimKind::Temporal => 0,
        ClaimKind::Assertion => 1,
        _ => 2,
    };
    (kind, claim)
}

/// An equation in the solver.
pub(crate) struct Question<'a> {
    pub(super) program: &'a Program,
    pub(crate) equation: &'a mut Equation,
    pub(super) stop: Stop,
    pub(super) blaster: Blaster,
    /// Claims that are put off: some execution may violate them or not.
    pub(super) put_off: Vec<ClaimRef>,
    calls: u64,
    /// Seconds in the solver; the rest of a question's time is ours.
    pub(super) solving: f64,
    /// For each claim: the term that it is violated first.
    pub(crate) first: Vec<(ClaimRef, Term)>,
    /// For each written assertion: the term that it is violated, and no automatic claim before it.
    separate: Vec<(ClaimRef, Term)>,
    /// For each claim: the term that it is violated first, after a result was invented.
    pub(super) invented: Vec<(ClaimRef, Term)>,
    /// For each written assertion: the term that it is violated after a result was invented, and no automatic claim before it.
    pub(super) invented_apart: Vec<(ClaimRef, Term)>,
    /// Claims that are known to hold in every execution.
    settled: HashSet<ClaimId>,
    /// Whether a failure is to be explained and none is known.
    pub(super) is_explained: bool,
    /// Whether one claim that fails is enough.
    pub(super) one_failure: bool,
    /// Conflicts of solvers that were asked for some claims only.
    pub(super) apart: u64,
}

impl<'a> Question<'a> {
    pub(crate) fn new(program: &'a Program, equation: &'a mut Equation, stop: &Stop) -> Question<'a> {
        let blaster = encoded(equation, stop);
        let Violations { first, separate, invented, invented_apart } = violations(program, equation, &HashSet::new());
        let (calls, solving, put_off) = (0, 0.0, Vec::new());
        let stop = stop.clone();
        Question {
            program,
            equation,
            stop,
            blaster,
            put_off,
            calls,
            solving,
            first,
            separate,
            invented,
            invented_apart,
            settled: HashSet::new(),
            is_explained: false,
            one_failure: false,
            apart: 0,
        }
    }

    /// These claims hold in every execution: nothing is asked of them from now on, nor of what depends on them.
    pub(super) fn forget(&mut self, settled: &HashSet<ClaimId>) {
        self.settled.extend(settled);
        let Violations { first, separate, invented, invented_apart } =
            violations(self.program, self.equation, &self.settled);
        (self.first, self.separate, self.invented, self.invented_apart) = (first, separate, invented, invented_apart);
    }

    /// Is there an execution in which one of these holds, and none of those settled? None: interrupted.
    ///
    /// A caller that settles one way after the other passes the same ways each time, so that nothing is encoded anew.
    pub(super) fn some_execution(&mut self, ways: &[Term], settled: &[Term]) -> Option<Option<Assignment>> {
        let settled: Vec<Lit> = settled.iter().map(|&way| !self.blaster.literal(&self.equation.terms, way)).collect();
        self.some_execution_with(ways, &settled)
    }

    /// Is there an execution in which one of these holds, and all of these literals? None: interrupted.
    pub(super) fn some_execution_with(&mut self, ways: &[Term], literals: &[Lit]) -> Option<Option<Assignment>> {
        let any = self.equation.terms.or_all(ways);
        if self.equation.terms.is_false(any) {
            return Some(None);
        }
        let mut assumed = vec![self.blaster.literal(&self.equation.terms, any)];
        assumed.extend(literals);
        self.calls += 1;
        let started = Instant::now();
        self.blaster.solver.set_stop(self.stop.clone());
        let answer = self.blaster.solver.solve(&assumed);
        self.solving += started.elapsed().as_secs_f64();
        match answer {
            Answer::Sat => Some(Some(self.blaster.assignment(&self.equation.terms))),
            Answer::Unsat => Some(None),
            Answer::Interrupted => None,
        }
    }

    pub(crate) fn ask(&mut self, properties: &[String]) -> Findings {
        let renewed = self.equation.renewed.clone();
        let refused = self.equation.refused.clone();
        let mut findings = Findings { unwind: self.equation.unwind, renewed, refused, ..Findings::default() };
        findings.hit = (self.equation.bounds_hit.iter())
            .map(|(bound, span, function)| (bound.clone(), *span, self.program.function(*function).name.clone()))
            .collect();
        if self.ask_all(properties, &mut findings).is_none() {
            findings.interrupted = true;
        }
        findings
    }

    /// All questions in turn; None as soon as one is interrupted.
    fn ask_all(&mut self, properties: &[String], findings: &mut Findings) -> Option<()> {
        let wanted = |program: &Program, claim: ClaimRef| match claim {
            ClaimRef::Program(id) => properties.is_empty() || properties.contains(&program.claims[id.index()].id),
            _ => false,
        };
        let program = self.program;
        self.ask_easy_first(&|claim| wanted(program, claim), findings)
    }

    /// What is asked once it is known which claims fail. Those that are put off may.
    pub(super) fn ask_others(&mut self, wanted: &dyn Fn(ClaimRef) -> bool, findings: &mut Findings) -> Option<()> {
        let put_off = self.put_off.clone();
        let wanted = |claim: ClaimRef| wanted(claim) && !put_off.contains(&claim);
        self.ask_invented(&wanted, findings)?;
        self.ask_written_pointers(findings);
        self.ask_unseen_pointers(findings);
        self.or_left_open(findings, |own, findings| own.ask_separate(&wanted, findings))?;
        let is_narrowed = self.first.iter().any(|(claim, _)| matches!(claim, ClaimRef::Program(_)) && !wanted(*claim));
        let asks = is_narrowed || !findings.failing.is_empty();
        if asks {
            self.or_left_open(findings, |own, findings| own.ask_behind(&wanted, findings))?;
        }
        if findings.failing.is_empty() && put_off.is_empty() {
            self.forget_all(is_narrowed, findings);
            self.or_left_open(findings, |own, findings| own.ask_reached(&wanted, findings))?;
        }
        self.or_left_open(findings, Question::ask_bounds)
    }

    /// Which of these claims fail? The best of them is shown. What is left was not answered.
    pub(super) fn ask_first(
        &mut self,
        mut open: Vec<(ClaimRef, Term)>,
        findings: &mut Findings,
    ) -> Vec<(ClaimRef, Term)> {
        let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
        let mut settled = Vec::new();
        while !open.is_empty() {
            let Some(answer) = self.some_execution(&ways, &settled) else {
                return if self.ask_one_by_one(&open, findings).is_some() { Vec::new() } else { open };
            };
            let Some(model) = answer else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let violated = open.iter().position(|(_, way)| evaluator.value(*way) == 1);
            let Some((ClaimRef::Program(id), way)) = violated.map(|at| open.remove(at)) else { break };
            self.found(id, &model, findings);
            if self.has_enough(findings) {
                break;
            }
            settled.push(way);
        }
        Vec::new()
    }

    /// Whether a claim that fails was found, and one is enough.
    pub(super) fn has_enough(&self, findings: &Findings) -> bool {
        self.one_failure && !findings.failing.is_empty()
    }

    /// Where the question for all is given up, those remain that can be told without the function that is too much.
    fn ask_one_by_one(&mut self, open: &[(ClaimRef, Term)], findings: &mut Findings) -> Option<()> {
        self.given_up(None)?;
        for (claim, way) in open {
            let ClaimRef::Program(id) = *claim else { continue };
            match self.some_execution(&[*way], &[]) {
                Some(Some(model)) => self.found(id, &model, findings),
                Some(None) => {}
                None => findings.unsure.push(self.given_up(Some(id))?),
            }
        }
        Some(())
    }

    /// A model violates a claim.
    pub(super) fn found(&mut self, id: ClaimId, model: &Assignment, findings: &mut Findings) {
        let mut evaluator = Evaluator::new(&self.equation.terms, model);
        let rank = rank(self.program, id);
        if findings.shown.as_ref().is_none_or(|shown| rank < shown.rank) {
            let honest = self.first.iter().find(|(claim, _)| *claim == ClaimRef::Program(id));
            let replaceable = honest.is_some_and(|(_, way)| evaluator.value(*way) == 1);
            let inputs = self.equation.inputs(&mut evaluator);
            findings.shown = Some(Shown { claim: id, inputs, rank, replaceable });
        }
        findings.failing.push(id);
        if std::mem::take(&mut self.is_explained) {
            self.stop = self.stop.halfway();
        }
    }

    /// Which written assertions fail after another one was violated?
    fn ask_separate(&mut self, wanted: &dyn Fn(ClaimRef) -> bool, findings: &mut Findings) -> Option<()> {
        let known = findings.known();
        let is_open = |claim: ClaimRef| !known.contains(&claim);
        let mut open: Vec<_> =
            self.separate.iter().copied().filter(|(claim, _)| wanted(*claim) && is_open(*claim)).collect();
        let some_may_fail = !findings.failing.is_empty() || !self.put_off.is_empty();
        while !open.is_empty() && some_may_fail {
            // One execution may violate several of them, so those that are settled are not excluded.
            let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
            let Some(model) = self.some_execution(&ways, &[])? else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let (violated, rest): (Vec<_>, Vec<_>) = open.iter().partition(|(_, way)| evaluator.value(*way) == 1);
            if violated.is_empty() {
                break;
            }
            let first = self.first.iter().find(|(_, way)| evaluator.value(*way) == 1).map(|(claim, _)| *claim);
            self.found_put_off(first, &model, findings);
            for (claim, _) in violated {
                if let ClaimRef::Program(id) = claim {
                    findings.failing.push(id);
                    if let Some(ClaimRef::Program(first)) = first {
                        findings.after.push((id, first));
                    }
                }
            }
            open = rest;
        }
        Some(())
    }

    /// No claim fails: whatever is asked from now on is asked of executions that meet the assumptions, and no claim need be looked at.
    fn forget_all(&mut self, is_narrowed: bool, findings: &Findings) {
        if !is_narrowed && findings.unsure.is_empty() {
            let all = (0..self.program.claims.len() as u32).map(ClaimId).collect();
            self.forget(&all);
        }
    }

    /// Which bounds does some execution want more of, and what does one reach that is not supported? One execution may tell of several.
    fn ask_bounds(&mut self, findings: &mut Findings) -> Option<()> {
        let mut open = self.first.clone();
        open.retain(|(claim, _)| !matches!(claim, ClaimRef::Program(_)));
        while !open.is_empty() {
            let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
            let Some(model) = self.some_execution(&ways, &[])? else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let (now, rest): (Vec<_>, Vec<_>) = open.iter().partition(|(_, way)| evaluator.value(*way) == 1);
            if now.is_empty() {
                break;
            }
            for (claim, _) in now {
                match claim {
                    ClaimRef::Unsupported(index) if findings.unsupported.is_none() => {
                        findings.unsupported = Some(self.equation.unsupported[index as usize].clone());
                    }
                    ClaimRef::Unwinding(index) => {
                        findings.wanted.push(self.equation.bounds_hit[index as usize].0.clone());
                    }
                    ClaimRef::Unsupported(_) | ClaimRef::Program(_) => {}
                }
            }
            open = rest;
            let is_told = findings.unsupported.is_some();
            open.retain(|(claim, _)| !is_told || !matches!(claim, ClaimRef::Unsupported(_)));
        }
        // In the order of the program, whatever was found first.
        let order = |bound: &Bound| self.equation.bounds_hit.iter().position(|(other, ..)| other == bound);
        findings.wanted.sort_by_key(order);
        Some(())
    }

    /// Which claims that do not fail are reached by executions that violated an automatic claim before? C says nothing of what
    /// such an execution does next, so nothing is said of them either.
    fn ask_behind(&mut self, wanted: &dyn Fn(ClaimRef) -> bool, findings: &mut Findings) -> Option<()> {
        let known = findings.known();
        let is_open = |claim: ClaimRef| wanted(claim) && !known.contains(&claim);
        let Reached { behind, strays, beyond, .. } = reached(self.program, self.equation, &self.settled, &is_open);
        let mut open = self.with_followers(behind, strays, &is_open)?;
        while !open.is_empty() {
            let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
            let Some(answer) = self.some_execution(&ways, &[]) else {
                open = self.without_hard(open, findings)?;
                continue;
            };
            let Some(model) = answer else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let violated = self.first.iter().find(|(_, way)| evaluator.value(*way) == 1).map(|(claim, _)| *claim);
            let (now, rest): (Vec<_>, Vec<_>) = open.iter().partition(|(_, way)| evaluator.value(*way) == 1);
            let inputs = self.equation.inputs(&mut evaluator);
            if now.is_empty() {
                break;
            }
            self.found_put_off(violated, &model, findings);
            for (claim, _) in now {
                if let (ClaimRef::Program(claim), Some(ClaimRef::Program(first))) = (claim, violated) {
                    findings.behind.push(Behind { claim, first, inputs: inputs.clone() });
                }
            }
            open = rest;
        }
        self.ask_beyond(beyond, &is_open, findings)
    }

    /// Which bounds does an execution want more of that violated a claim before? What it comes to there is not known.
    fn ask_beyond(
        &mut self,
        mut open: Vec<(ClaimRef, Term)>,
        is_open: &dyn Fn(ClaimRef) -> bool,
        findings: &mut Findings,
    ) -> Option<()> {
        while !open.is_empty() {
            let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
            let Some(model) = self.some_execution(&ways, &[])? else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let violated = self.first.iter().find(|(_, way)| evaluator.value(*way) == 1).map(|(claim, _)| *claim);
            let (now, rest): (Vec<_>, Vec<_>) = open.iter().partition(|(_, way)| evaluator.value(*way) == 1);
            let inputs = self.equation.inputs(&mut evaluator);
            if now.is_empty() {
                break;
            }
            self.found_put_off(violated, &model, findings);
            for (claim, _) in now {
                if let (ClaimRef::Unwinding(index), Some(ClaimRef::Program(first))) = (claim, violated) {
                    findings.wanted_behind.push((self.equation.bounds_hit[index as usize].0.clone(), first));
                }
            }
            if let Some(ClaimRef::Program(first)) = violated {
                for claim in followers(self.program, first) {
                    let is_told = findings.behind.iter().any(|behind| behind.claim == claim);
                    if is_open(ClaimRef::Program(claim)) && !is_told {
                        findings.behind.push(Behind { claim, first, inputs: inputs.clone() });
                    }
                }
            }
            open = rest;
        }
        Some(())
    }

    /// Also behind a claim that an execution strays at, whatever values it would go on with: all that can follow it.
    fn with_followers(
        &mut self,
        mut behind: Ways,
        mut strays: Vec<(ClaimRef, Term)>,
        is_open: &dyn Fn(ClaimRef) -> bool,
    ) -> Option<Vec<(ClaimRef, Term)>> {
        while !strays.is_empty() {
            let ways: Vec<Term> = strays.iter().map(|(_, way)| *way).collect();
            let Some(model) = self.some_execution(&ways, &[])? else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let (now, rest): (Vec<_>, Vec<_>) = strays.iter().partition(|(_, way)| evaluator.value(*way) == 1);
            if now.is_empty() {
                break;
            }
            for (claim, way) in now {
                let ClaimRef::Program(first) = claim else { continue };
                let after = followers(self.program, first).into_iter().map(ClaimRef::Program);
                after.filter(|claim| is_open(*claim)).for_each(|other| behind.push(other, way));
            }
            strays = rest;
        }
        Some(behind.any(&mut self.equation.terms))
    }

    /// Which claims does no execution reach that meets the assumptions, although the branches around them would let one through?
    fn ask_reached(&mut self, wanted: &dyn Fn(ClaimRef) -> bool, findings: &mut Findings) -> Option<()> {
        if !self.equation.steps.iter().any(|step| matches!(step.kind, StepKind::Assume { .. })) {
            return Some(());
        }
        let Reached { within, without, .. } = reached(self.program, self.equation, &self.settled, wanted);
        // Where a check is sure to hold no step says that it is come to.
        let is_told = |(claim, _): &(ClaimRef, Term)| match claim {
            ClaimRef::Program(id) => !self.equation.settled.contains(id),
            _ => false,
        };
        let mut open: Vec<_> = within.into_iter().filter(is_told).collect();
        reach_by_chance(self.equation, &mut open);
        // One execution reaches many of them.
        while !open.is_empty() {
            let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
            let Some(model) = self.some_execution(&ways, &[])? else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let before = open.len();
            open.retain(|(_, way)| evaluator.value(*way) == 0);
            // Nothing is known of those that are left.
            if open.len() == before {
                return Some(());
            }
        }
        for (claim, _) in open {
            let way = without.iter().find(|(other, _)| *other == claim).map(|(_, way)| *way);
            if let (ClaimRef::Program(id), Some(way)) = (claim, way)
                && self.some_execution(&[way], &[])?.is_some()
            {
                findings.vacuous.push(id);
            }
        }
        Some(())
    }

    /// Conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.apart + self.blaster.solver.stats().conflicts
    }

    pub(super) fn sizes(&self) -> Vec<(&'static str, u64)> {
        let solver = self.blaster.solver.stats();
        vec![
            ("steps", self.equation.steps.len() as u64),
            ("variables", self.equation.variables.len() as u64),
            ("terms", self.equation.terms.len() as u64),
            ("solver_variables", solver.variables),
            ("solver_clauses", solver.clauses),
            ("solver_conflicts", self.conflicts()),
            ("solver_calls", self.calls),
        ]
    }
}

/// So many terms are evaluated for executions whose inputs are chosen by chance.
const MOST_EVALUATED: usize = 1_000_000;
/// So many such executions there are at most.
const MOST_CHANCES: usize = 40;

/// Leaves out the claims that some execution with inputs by chance comes to: the solver need not be asked for one.
fn reach_by_chance(equation: &Equation, open: &mut Vec<(ClaimRef, Term)>) {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for chance in 0..MOST_CHANCES.min(MOST_EVALUATED / equation.terms.len().max(1)) {
        if open.is_empty() {
            return;
        }
        let mut inputs = Assignment::new();
        for variable in equation.variables.iter().filter(|variable| variable.definition.is_none()) {
            // Small numbers, characters, and anything.
            let value = match (chance, random() % 4) {
                (0, _) => 0,
                (_, 0) => random() % 4,
                (_, 1) => 32 + random() % 96,
                (_, 2) => random() % 256,
                _ => random(),
            };
            let width = equation.terms.width(variable.symbol);
            inputs.set(variable.symbol, u128::from(value) & low_bits(width));
        }
        let run = Execution::of_assignment(equation, &inputs);
        let mut evaluator = run.evaluator(equation);
        open.retain(|(_, way)| !evaluator.holds(*way));
    }
}

/// A solver that knows an equation. Where it is free, inputs are 0.
pub(super) fn encoded(equation: &Equation, stop: &Stop) -> Blaster {
    let mut blaster = Blaster::new();
    encode::define(&mut blaster, equation);
    begun(equation, blaster, stop)
}

/// The same with a translation that knows what variables stand for, and nothing else.
pub(super) fn begun(equation: &Equation, mut blaster: Blaster, stop: &Stop) -> Blaster {
    blaster.solver.set_stop(stop.clone());
    for variable in equation.variables.iter().filter(|variable| variable.definition.is_none()) {
        for bit in blaster.bits(&equation.terms, variable.symbol) {
            if !bit.is_constant() {
                blaster.solver.set_phase(!bit);
            }
        }
    }
    blaster
}

/// How claims are violated, in order of first occurrence.
pub(super) struct Violations {
    /// For each claim the term that it is violated first in an execution, and by no result that was invented.
    pub(super) first: Vec<(ClaimRef, Term)>,
    /// For each claim that executions go on behind the term that it is violated while no automatic claim was, and by no such result.
    separate: Vec<(ClaimRef, Term)>,
    /// For each claim the term that it is violated first after a result was invented.
    invented: Vec<(ClaimRef, Term)>,
    /// For each claim that executions go on behind the term that it is violated after a result was invented, while no automatic claim was.
    invented_apart: Vec<(ClaimRef, Term)>,
}

/// The ways in which claims are violated. What is ours, bounds and what is not supported, is in `first` in any case.
pub(super) fn violations(program: &Program, equation: &mut Equation, settled: &HashSet<ClaimId>) -> Violations {
    let goes_on = |claim: ClaimRef| match claim {
        ClaimRef::Program(id) => program.claims[id.index()].kind.goes_on(),
        _ => false,
    };
    let honest = honest(program, equation);
    let held = equation.held();
    let claims: Vec<Option<ClaimRef>> = (held.iter())
        .map(|(index, _)| match equation.steps[*index].kind {
            StepKind::Claim { claim, .. } => Some(claim),
            _ => None,
        })
        .collect();
    let terms = &mut equation.terms;
    let (mut all_held, mut automatic_held) = (terms.tru(), terms.tru());
    let (mut first, mut separate) = (Ways::default(), Ways::default());
    let (mut invented, mut invented_apart) = (Ways::default(), Ways::default());
    for (((_, held), claim), honest) in held.into_iter().zip(claims).zip(honest) {
        let held = if is_settled(settled, claim) { terms.tru() } else { held };
        let violated = terms.not(held);
        if let Some(claim) = claim {
            let way = terms.and(all_held, violated);
            if let ClaimRef::Program(_) = claim {
                let honestly = terms.and(way, honest);
                first.push(claim, honestly);
                let otherwise = terms.not(honest);
                let dishonestly = terms.and(way, otherwise);
                if !terms.is_false(dishonestly) {
                    invented.push(claim, dishonestly);
                }
            } else {
                first.push(claim, way);
            }
            if goes_on(claim) {
                let way = terms.and(automatic_held, violated);
                let honestly = terms.and(way, honest);
                separate.push(claim, honestly);
                if !terms.is_true(honest) {
                    let otherwise = terms.not(honest);
                    let dishonestly = terms.and(way, otherwise);
                    invented_apart.push(claim, dishonestly);
                }
            }
        }
        all_held = terms.and(all_held, held);
        if !claim.is_some_and(goes_on) {
            automatic_held = terms.and(automatic_held, held);
        }
    }
    let (first, separate) = (first.any(terms), separate.any(terms));
    Violations { first, separate, invented: invented.any(terms), invented_apart: invented_apart.any(terms) }
}

fn is_settled(settled: &HashSet<ClaimId>, claim: Option<ClaimRef>) -> bool {
    matches!(claim, Some(ClaimRef::Program(id)) if settled.contains(&id))
}

/// For each step that can end an execution, the term that no result was invented before it.
fn honest(program: &Program, equation: &mut Equation) -> Vec<Term> {
    let invented: Vec<bool> = equation.steps.iter().map(|step| equation.invention(program, step).is_some()).collect();
    let Equation { steps, terms, .. } = equation;
    let mut honest = terms.tru();
    let mut found = Vec::new();
    for (step, invented) in steps.iter().zip(invented) {
        match step.kind {
            _ if invented => {
                let otherwise = terms.not(step.guard);
                honest = terms.and(honest, otherwise);
            }
            StepKind::Assume { .. } | StepKind::Claim { .. } => found.push(honest),
            _ => {}
        }
    }
    found
}

/// How claims are reached.
#[derive(Default)]
struct Reached {
    /// In an execution that violated an automatic claim before.
    behind: Ways,
    /// Where an execution strays: nothing tells what it does next.
    strays: Vec<(ClaimRef, Term)>,
    /// Bounds that an execution wants more of that violated a claim before.
    beyond: Vec<(ClaimRef, Term)>,
    /// In one that meets all assumptions before it and violated no claim.
    within: Vec<(ClaimRef, Term)>,
    /// By its branches, whatever is assumed.
    without: Vec<(ClaimRef, Term)>,
}

/// For each claim that is asked for, the terms that it is reached, in order of first occurrence.
fn reached(
    program: &Program,
    equation: &mut Equation,
    settled: &HashSet<ClaimId>,
    wanted: &dyn Fn(ClaimRef) -> bool,
) -> Reached {
    let kind = |claim: ClaimRef| match claim {
        ClaimRef::Program(id) => Some(program.claims[id.index()].kind),
        _ => None,
    };
    let is_automatic = |claim: ClaimRef| {
        let written = [ClaimKind::Temporal, ClaimKind::Gate];
        kind(claim).is_some_and(|kind| !written.contains(&kind) && !kind.goes_on())
    };
    let Equation { steps, terms, .. } = equation;
    let (mut held_so_far, mut automatic_held) = (terms.tru(), terms.tru());
    // Whether an automatic claim was violated, and whether any was: written assertions are told apart from each other.
    let (mut broken, mut any_broken) = (terms.bool(false), terms.bool(false));
    let (mut behind, mut within, mut without) = (Ways::default(), Ways::default(), Ways::default());
    let (mut strays, mut beyond) = (Ways::default(), Ways::default());
    let mut assumed = terms.tru();
    for step in steps.iter() {
        let (condition, claim) = match step.kind {
            StepKind::Assume { condition } => (condition, None),
            StepKind::Claim { condition, claim, .. } => (condition, Some(claim)),
            StepKind::Held { claim } => (terms.tru(), Some(ClaimRef::Program(claim))),
            _ => continue,
        };
        let condition = if is_settled(settled, claim) { terms.tru() } else { condition };
        if let Some(claim) = claim.filter(|claim| wanted(*claim)) {
            // What is sure to hold holds behind an assertion, too; behind what C leaves undefined nothing is sure.
            let is_sure = terms.is_true(condition);
            let before = if is_automatic(claim) && !is_sure { any_broken } else { broken };
            if !matches!(step.kind, StepKind::Held { .. }) {
                let after = terms.and(before, step.guard);
                behind.push(claim, after);
            }
            let reached = terms.and(held_so_far, step.guard);
            within.push(claim, reached);
            without.push(claim, step.guard);
        }
        let held = terms.implies(step.guard, condition);
        let violated = terms.not(held);
        let here = terms.and(automatic_held, violated);
        match claim {
            None => assumed = terms.and(assumed, held),
            Some(claim @ ClaimRef::Unwinding(_)) => {
                let so_far = terms.and(any_broken, assumed);
                let way = terms.and(so_far, violated);
                beyond.push(claim, way);
            }
            _ => {}
        }
        if claim.is_some_and(is_automatic) {
            broken = terms.or(broken, here);
        }
        if let Some(ClaimRef::Program(_)) = claim {
            let first = terms.and(held_so_far, violated);
            any_broken = terms.or(any_broken, first);
        }
        // No path goes on behind a claim that is always violated here, and none says what comes after a stray access.
        let is_gate = claim.and_then(kind) == Some(ClaimKind::Gate);
        let strays_here = claim.and_then(kind).is_some_and(ClaimKind::strays) && !terms.is_true(condition);
        let ends_here = terms.is_false(condition) && !claim.and_then(kind).is_some_and(ClaimKind::has_path_behind);
        if let Some(claim) = claim.filter(|_| (ends_here || strays_here) && !is_gate) {
            strays.push(claim, here);
        }
        held_so_far = terms.and(held_so_far, held);
        // No run goes on behind a gate that it violates.
        let ends = |claim: ClaimRef| is_automatic(claim) || kind(claim).is_none_or(|kind| kind == ClaimKind::Gate);
        if claim.is_none_or(ends) {
            automatic_held = terms.and(automatic_held, held);
        }
    }
    let (strays, beyond) = (strays.any(terms), beyond.any(terms));
    Reached { behind, strays, beyond, within: within.any(terms), without: without.any(terms) }
}

/// The ways to violate each claim, in order of first occurrence.
#[derive(Default)]
struct Ways(Vec<(ClaimRef, Vec<Term>)>, HashMap<ClaimRef, usize>);

impl Ways {
    fn push(&mut self, claim: ClaimRef, way: Term) {
        let index = *self.1.entry(claim).or_insert_with(|| {
            self.0.push((claim, Vec::new()));
            self.0.len() - 1
        });
        self.0[index].1.push(way);
    }

    /// For each claim that one of its ways is gone.
    fn any(self, terms: &mut Terms) -> Vec<(ClaimRef, Term)> {
        self.0.into_iter().map(|(claim, ways)| (claim, terms.or_all(&ways))).collect()
    }
}
