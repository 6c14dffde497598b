//! Does the program fail? Unwinds, solves, and grows the bound until there is an answer.
//!
//! The bound grows loop by loop: only a loop, recursion or allocation of which some execution wants more is given more.
//! A claim *fails* if some execution violates it and no claim before it. Written assertions are told apart from each
//! other more finely: one that can only be violated after another one was violated fails too, since a user asks for
//! each of them; but the run that is shown violates nothing before its claim.

use std::time::Instant;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::sat::Outcome as Answer;
use nearmiss_logic::term::Term;
use nearmiss_logic::width::low_bits;

use crate::equation::{Bound, ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{
    ClaimReport, Counterexample, Explanation, LowerBound, Minimised, Stats, Status, Verdict, named_inputs,
};
use crate::method::formula_causes;
use crate::method::minimise;
use crate::recheck;
use crate::symex::{self, Bounds};
use nearmiss_logic::stop::Stop;
use nearmiss_program::interp::Limits;
use nearmiss_program::program::{ClaimId, ClaimKind, Program, StatementKind, Type};
use nearmiss_program::run::{Inputs, Outcome, Run, RunStep, RunStepKind};
use nearmiss_program::source::{Diagnostic, Severity};

/// How far to look, and for what.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// A fixed bound for every loop and recursion (`--unwind`); none: the bound grows by itself.
    pub unwind: Option<u32>,
    /// Bounds for single loops (`--unwindset main.0:5`).
    pub unwindset: Vec<(String, u32)>,
    /// Whether a bound that does not suffice is a failure (`--unwinding-assertions`).
    pub unwinding_claims: bool,
    /// How often a loop may go round by a condition that is not constant, at most: for a formula, whose runs may go round for
    /// ever. The bound then starts small, and the answer holds up to it.
    pub most_rounds: Option<u32>,
    /// Look only at these claims (`--property`); other written assertions are then passed over.
    pub properties: Vec<String>,
    /// How small the counterexample is made.
    pub minimise: Minimised,
    /// Whether to go on until that is proved or the time is over, rather than as long as a person waits gladly.
    pub patient: bool,
    /// Of the time that is left then, so many percent may be used for making the counterexample small.
    pub share_of_minimising: u32,
    /// When to stop with what is known.
    pub stop: Stop,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            unwind: None,
            unwindset: Vec::new(),
            unwinding_claims: false,
            most_rounds: None,
            properties: Vec::new(),
            minimise: Minimised::Optimal,
            patient: false,
            share_of_minimising: 100,
            stop: Stop::default(),
        }
    }
}

/// What `--dump` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dump {
    /// The equation as text.
    Equation,
    /// The question to the solver in DIMACS.
    Cnf,
    /// The question to the solver in SMT-LIB 2.
    Smt2,
    /// The search for the smallest values as a MaxSAT instance.
    Wcnf,
}

/// Where a long check has got to.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is being done: `unwinding`, `solving`, `replaying`.
    pub phase: &'static str,
    /// The bound so far.
    pub unwind: u32,
    /// Steps of the equation so far.
    pub steps: u64,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// The input cannot be handled: an execution reaches something unsupported, or a claim that was named is not there.
    Input(Vec<Diagnostic>),
    /// A re-check failed: a bug of ours.
    Internal(String),
}

/// Checks every claim.
pub fn check(
    program: &Program,
    options: &CheckOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    let narrowed = narrow(program, &options.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let stop = options.stop.clone();
    let mut bounds = initial_bounds(options);
    let mut stats = Stats::default();
    let mut last = Findings::default();
    let mut extra_rounds = 0;
    loop {
        progress(Progress { phase: "unwinding", unwind: last.unwind, steps: 0 });
        let started = Instant::now();
        let unwound = symex::unwind(program, &bounds, &stop);
        stats.seconds.push(("unwinding", started.elapsed().as_secs_f64()));
        let Ok(mut equation) = unwound else {
            last.interrupted = true;
            break;
        };
        let steps = equation.steps.len() as u64;
        progress(Progress { phase: "solving", unwind: equation.unwind, steps });
        let started = Instant::now();
        let mut question = Question::new(program, &mut equation, &stop);
        let findings = question.ask(&options.properties);
        stats.seconds.push(("encoding", started.elapsed().as_secs_f64() - question.solving));
        stats.seconds.push(("solving", question.solving));
        stats.counts = question.sizes();
        let effort = steps + question.blaster.solver.stats().conflicts;
        last = last.then(findings);
        // A failure is known: go on only to settle the other claims, and only where that is cheap.
        if !last.failing.is_empty() {
            extra_rounds += 1;
        }
        let cheap = effort < CHEAP && extra_rounds <= EXTRA_ROUNDS && !last.wanted.contains(&Bound::Allocation);
        let more: Vec<Bound> = last.wanted.iter().filter(|bound| may_grow(&bounds, bound)).cloned().collect();
        if more.is_empty() || last.interrupted || last.unsupported.is_some() {
            break;
        }
        if !last.failing.is_empty() && !cheap {
            break;
        }
        for bound in &more {
            grow(&mut bounds, bound);
        }
    }
    if let (Some((what, span)), true) = (&last.unsupported, last.failing.is_empty()) {
        return Err(CheckError::Input(vec![Diagnostic::error(*span, format!("not supported: {what}"))]));
    }
    last.as_asked = last.wanted.iter().all(|bound| !may_grow(&bounds, bound) && *bound != Bound::Depth);
    let mut smallness = None;
    if let (Some(shown), false) = (&mut last.shown, options.minimise == Minimised::None) {
        progress(Progress { phase: "minimising", unwind: last.unwind, steps: 0 });
        let started = Instant::now();
        smallness = make_small(program, options, &bounds, &stop.share(options.share_of_minimising), shown)?;
        stats.seconds.push(("minimising", started.elapsed().as_secs_f64()));
    }
    progress(Progress { phase: "replaying", unwind: last.unwind, steps: 0 });
    let started = Instant::now();
    let explanation = report(program, options, last, stats, smallness);
    explanation.map(|mut explanation| {
        explanation.stats.seconds.push(("replaying", started.elapsed().as_secs_f64()));
        explanation
    })
}

/// What is known when a failing run is given: that it fails.
pub(crate) fn given(program: &Program, options: &CheckOptions, inputs: &Inputs) -> Result<Explanation, CheckError> {
    let narrowed = narrow(program, &options.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let run = nearmiss_program::interp::run(program, inputs, &Limits::default());
    let Outcome::Violated(claim) = run.outcome else {
        let how = match run.outcome {
            Outcome::Finished => "passes: no claim is violated".to_owned(),
            Outcome::Excluded => "does not meet an assumption of the program".to_owned(),
            Outcome::Unsupported(what) => format!("reaches {what}, which is not supported"),
            _ => "takes too long".to_owned(),
        };
        let error = note(format!("the run that was given {how}")).at(Severity::Error);
        return Err(CheckError::Input(vec![error.with_help("its inputs must make the program fail")]));
    };
    let rank = rank(program, claim);
    let shown = Some(Shown { claim, inputs: inputs.clone(), rank });
    // Nothing is known of the other claims.
    let findings = Findings { failing: vec![claim], shown, interrupted: true, ..Findings::default() };
    report(program, options, findings, Stats::default(), None)
}

/// Bounds that are large enough for a run, and not much larger. None if there was no time to find them.
pub(crate) fn bounds_for(
    program: &Program,
    options: &CheckOptions,
    inputs: &Inputs,
) -> Result<Option<Bounds>, CheckError> {
    let stop = options.stop.clone();
    let mut bounds = initial_bounds(options);
    loop {
        let Ok(equation) = symex::unwind(program, &bounds, &stop) else { return Ok(None) };
        let passed_over = |claim: ClaimRef| match claim {
            ClaimRef::Program(id) => is_passed_over(program, id, &options.properties),
            _ => false,
        };
        let execution = Execution::of(&equation, inputs).passing_over(&equation, passed_over);
        let failed = execution.failed.map(|step| &equation.steps[step].kind);
        let Some(StepKind::Claim { claim: ClaimRef::Unwinding(index), .. }) = failed else { return Ok(Some(bounds)) };
        let (bound, span, _) = &equation.bounds_hit[*index as usize];
        if !may_grow(&bounds, bound) {
            let error = Diagnostic::error(*span, "the failing run needs more than the given bound");
            return Err(CheckError::Input(vec![error.with_help("raise --unwind, or leave it out")]));
        }
        grow(&mut bounds, bound);
    }
}

/// What is proved of a run that was made small.
struct Smallness {
    proved: bool,
    lower_bound: Option<LowerBound>,
}

/// Replaces the run that is shown by a small one. None if nothing is known of how small it is. What was computed must
/// be what happens.
fn make_small(
    program: &Program,
    options: &CheckOptions,
    bounds: &Bounds,
    stop: &Stop,
    shown: &mut Shown,
) -> Result<Option<Smallness>, CheckError> {
    // Without time for more, the run at hand is the best so far.
    let trivial = LowerBound { length: 1, sum: 0 };
    let no_time = || match options.minimise {
        Minimised::Optimal => Ok(Some(Smallness { proved: false, lower_bound: Some(trivial) })),
        Minimised::Greedy | Minimised::None => Ok(None),
    };
    let Ok(mut equation) = symex::unwind(program, bounds, stop) else { return no_time() };
    let (first, _) = violations(program, &mut equation);
    let wanted = ClaimRef::Program(shown.claim);
    let Some((_, violated)) = first.into_iter().find(|(claim, _)| *claim == wanted) else { return no_time() };
    let small =
        minimise::minimise(program, &mut equation, violated, &shown.inputs, options.minimise, options.patient, stop);
    let Some(small) = small.map_err(CheckError::Internal)? else { return no_time() };
    let run = recheck::replay(program, &small.inputs, shown.claim, &Limits::default()).map_err(CheckError::Internal)?;
    let made = counterexample(program, small.inputs.clone(), run);
    if (made.length, made.sum) != (small.length, small.sum) {
        return Err(CheckError::Internal(format!(
            "the smallest run should have length {} and sum {}, but it has {} and {} when it is executed",
            small.length, small.sum, made.length, made.sum
        )));
    }
    shown.inputs = small.inputs;
    Ok(Some(Smallness { proved: small.proved, lower_bound: small.lower_bound.filter(|_| !small.proved) }))
}

/// The equation at the bound of the options in one of its text forms.
pub fn dump(program: &Program, options: &CheckOptions, what: Dump) -> Result<String, CheckError> {
    let narrowed = narrow(program, &options.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let stop = options.stop.clone();
    let unwound = symex::unwind(program, &initial_bounds(options), &stop);
    let Ok(mut equation) = unwound else {
        return Err(CheckError::Input(vec![note("interrupted while unwinding").at(Severity::Error)]));
    };
    if what == Dump::Equation {
        return Ok(equation.to_text(program));
    }
    let mut question = Question::new(program, &mut equation, &stop);
    Ok(match what {
        Dump::Cnf => question.dimacs(),
        Dump::Equation | Dump::Smt2 => question.smt2(),
        Dump::Wcnf => {
            let shown = question.ask(&options.properties).shown.map(|shown| ClaimRef::Program(shown.claim));
            let violated = question.first.iter().find(|(claim, _)| Some(*claim) == shown).map(|(_, way)| *way);
            let instance = violated.and_then(|violated| minimise::wcnf(program, &mut equation, violated, &stop));
            instance.ok_or_else(|| {
                CheckError::Input(vec![
                    note("no claim fails at this bound, so there is nothing to minimise").at(Severity::Error),
                ])
            })?
        }
    })
}

fn note(message: impl Into<String>) -> Diagnostic {
    Diagnostic { severity: Severity::Note, message: message.into(), span: None, help: None }
}

/// Is a claim of no account because others were named?
pub(crate) fn is_passed_over(program: &Program, id: ClaimId, properties: &[String]) -> bool {
    let claim = &program.claims[id.index()];
    !properties.is_empty() && claim.kind == ClaimKind::Assertion && !properties.contains(&claim.id)
}

/// A program in which written assertions other than the named claims are passed over; none if all are wanted.
pub(crate) fn narrow(program: &Program, properties: &[String]) -> Result<Option<Program>, CheckError> {
    if properties.is_empty() {
        return Ok(None);
    }
    if let Some(unknown) = properties.iter().find(|id| !program.claims.iter().any(|claim| claim.id == **id)) {
        let help = "`--show-properties` lists the identifiers of all claims";
        let error = note(format!("there is no claim `{unknown}`")).at(Severity::Error).with_help(help);
        return Err(CheckError::Input(vec![error]));
    }
    let passed_over = |id: &ClaimId| is_passed_over(program, *id, properties);
    let mut narrowed = program.clone();
    for block in narrowed.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        block.statements.retain(|s| !matches!(&s.kind, StatementKind::Claim { claim, .. } if passed_over(claim)));
    }
    Ok(Some(narrowed))
}

pub(crate) fn initial_bounds(options: &CheckOptions) -> Bounds {
    let bounds =
        Bounds { fixed: options.unwind, named: options.unwindset.iter().cloned().collect(), ..Bounds::default() };
    match options.most_rounds {
        Some(most) => Bounds { symbolic: 0, most, ..bounds },
        None => bounds,
    }
}

/// Is it for us to say how far this goes?
pub(crate) fn may_grow(bounds: &Bounds, bound: &Bound) -> bool {
    match bound {
        Bound::Loop(id) | Bound::Recursion(id) => {
            let now = bounds.grown.get(id).copied().unwrap_or(bounds.symbolic);
            bounds.fixed.is_none() && !bounds.named.contains_key(id) && now < bounds.most
        }
        Bound::Allocation => bounds.fixed.is_none(),
        Bound::Depth => false,
    }
}

/// Must a bound not grow, or has another one that may grow less?
pub(crate) fn has_grown_most<S, F>(bounds: &Bounds, hit: &[(Bound, S, F)], which: usize) -> bool {
    let now = |bound: &Bound| match bound {
        Bound::Loop(id) | Bound::Recursion(id) => bounds.grown.get(id).copied().unwrap_or(bounds.symbolic),
        Bound::Allocation | Bound::Depth => 0,
    };
    let least = hit.iter().map(|(bound, ..)| bound).filter(|bound| may_grow(bounds, bound)).map(now).min();
    let bound = &hit[which].0;
    !may_grow(bounds, bound) || least.is_some_and(|least| now(bound) > least)
}

/// Gives a loop, a recursion or allocations more room.
pub(crate) fn grow(bounds: &mut Bounds, bound: &Bound) {
    match bound {
        Bound::Loop(id) | Bound::Recursion(id) => {
            let start = bounds.symbolic;
            let grown = bounds.grown.entry(id.clone()).or_insert(start);
            *grown = grown.saturating_mul(2).max(1).min(bounds.most);
        }
        Bound::Allocation => bounds.allocation = bounds.allocation.saturating_mul(4),
        Bound::Depth => {}
    }
}

/// Gives one more round to a loop or a recursion.
pub(crate) fn grow_by_one(bounds: &mut Bounds, bound: &Bound) {
    match bound {
        Bound::Loop(id) | Bound::Recursion(id) => {
            let start = bounds.symbolic;
            let grown = bounds.grown.entry(id.clone()).or_insert(start);
            *grown = grown.saturating_add(1);
        }
        Bound::Allocation | Bound::Depth => grow(bounds, bound),
    }
}

/// Once a failure is known: steps and conflicts of a round beyond which no further round is started.
const CHEAP: u64 = 5_000;
/// So many steps of runs are spent on finding out which undefined contents matter.
const IDLE_EFFORT: usize = 500_000;
/// Once a failure is known: how many rounds may follow.
const EXTRA_ROUNDS: u32 = 5;

/// What one equation has told, and those with smaller bounds before it.
#[derive(Default)]
struct Findings {
    /// Claims that fail, in program order.
    failing: Vec<ClaimId>,
    /// The claim to show and the inputs that violate it.
    shown: Option<Shown>,
    /// Something unsupported that an execution reaches.
    unsupported: Option<(String, nearmiss_program::source::Span)>,
    /// Bounds of which some execution wants more.
    wanted: Vec<Bound>,
    /// All bounds that were hit.
    hit: Vec<(Bound, nearmiss_program::source::Span, String)>,
    unwind: u32,
    interrupted: bool,
    /// Whether all that is wanted is beyond what was asked for.
    as_asked: bool,
    /// Loops whose rounds are never seen to be the same.
    renewed: Vec<nearmiss_program::source::Span>,
}

impl Findings {
    /// These findings and those of a larger bound. For the same claim the run of the smaller bound is kept: it is
    /// shorter. A failure stays a failure, whatever interrupts later rounds.
    fn then(self, mut later: Findings) -> Findings {
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
struct Shown {
    claim: ClaimId,
    inputs: Inputs,
    rank: (u32, ClaimId),
}

/// The formula first, then written assertions, then the others; in program order.
fn rank(program: &Program, claim: ClaimId) -> (u32, ClaimId) {
    let kind = match program.claims[claim.index()].kind {
        ClaimKind::Temporal => 0,
        ClaimKind::Assertion => 1,
        _ => 2,
    };
    (kind, claim)
}

/// An equation in the solver.
struct Question<'a> {
    program: &'a Program,
    equation: &'a mut Equation,
    blaster: Blaster,
    calls: u64,
    /// Seconds in the solver; the rest of a question's time is ours.
    solving: f64,
    /// For each claim: the term that it is violated first.
    first: Vec<(ClaimRef, Term)>,
    /// For each written assertion: the term that it is violated, and no automatic claim before it.
    separate: Vec<(ClaimRef, Term)>,
}

impl<'a> Question<'a> {
    fn new(program: &'a Program, equation: &'a mut Equation, stop: &Stop) -> Question<'a> {
        let mut blaster = Blaster::new();
        blaster.solver.set_stop(stop.clone());
        for variable in &equation.variables {
            if let Some(definition) = variable.definition {
                blaster.define(&equation.terms, variable.symbol, definition);
            }
        }
        let (first, separate) = violations(program, equation);
        let mut question = Question { program, equation, blaster, calls: 0, solving: 0.0, first, separate };
        question.prefer_small_inputs();
        question
    }

    /// Where the solver is free, inputs are 0.
    fn prefer_small_inputs(&mut self) {
        for variable in self.equation.variables.iter().filter(|variable| variable.definition.is_none()) {
            for bit in self.blaster.bits(&self.equation.terms, variable.symbol) {
                if !bit.is_constant() {
                    self.blaster.solver.set_phase(!bit);
                }
            }
        }
    }

    /// Is there an execution in which one of these holds, and none of those settled? None: interrupted.
    ///
    /// A caller that settles one way after the other passes the same ways each time, so that nothing is encoded anew.
    fn some_execution(&mut self, ways: &[Term], settled: &[Term]) -> Option<Option<Assignment>> {
        let any = self.equation.terms.or_all(ways);
        if self.equation.terms.is_false(any) {
            return Some(None);
        }
        let mut assumed = vec![self.blaster.literal(&self.equation.terms, any)];
        assumed.extend(settled.iter().map(|&way| !self.blaster.literal(&self.equation.terms, way)));
        self.calls += 1;
        let started = Instant::now();
        let answer = self.blaster.solver.solve(&assumed);
        self.solving += started.elapsed().as_secs_f64();
        match answer {
            Answer::Sat => Some(Some(self.blaster.assignment(&self.equation.terms))),
            Answer::Unsat => Some(None),
            Answer::Interrupted => None,
        }
    }

    fn ask(&mut self, properties: &[String]) -> Findings {
        let renewed = self.equation.renewed.clone();
        let mut findings = Findings { unwind: self.equation.unwind, renewed, ..Findings::default() };
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
        let mut open: Vec<_> = self.first.iter().copied().filter(|(claim, _)| wanted(program, *claim)).collect();
        let rank = |id: ClaimId| rank(program, id);
        let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
        let mut settled = Vec::new();
        while !open.is_empty() {
            let Some(model) = self.some_execution(&ways, &settled)? else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let violated = open.iter().position(|(_, way)| evaluator.value(*way) == 1);
            let Some((ClaimRef::Program(id), way)) = violated.map(|at| open.remove(at)) else { break };
            if findings.shown.as_ref().is_none_or(|shown| rank(id) < shown.rank) {
                findings.shown =
                    Some(Shown { claim: id, inputs: self.equation.inputs(&mut evaluator), rank: rank(id) });
            }
            findings.failing.push(id);
            settled.push(way);
        }
        let failing = findings.failing.clone();
        let is_open = |claim: ClaimRef| !failing.iter().any(|id| claim == ClaimRef::Program(*id));
        let mut open: Vec<_> =
            self.separate.iter().copied().filter(|(claim, _)| wanted(program, *claim) && is_open(*claim)).collect();
        let ways: Vec<Term> = open.iter().map(|(_, way)| *way).collect();
        let mut settled = Vec::new();
        while !open.is_empty() && !findings.failing.is_empty() {
            let Some(model) = self.some_execution(&ways, &settled)? else { break };
            let mut evaluator = Evaluator::new(&self.equation.terms, &model);
            let (violated, rest): (Vec<_>, Vec<_>) = open.iter().partition(|(_, way)| evaluator.value(*way) == 1);
            if violated.is_empty() {
                break;
            }
            for (claim, way) in violated {
                settled.push(way);
                if let ClaimRef::Program(id) = claim {
                    findings.failing.push(id);
                }
            }
            open = rest;
        }
        for (claim, way) in self.first.clone() {
            let settled = match claim {
                ClaimRef::Program(_) => true,
                ClaimRef::Unsupported(_) => findings.unsupported.is_some(),
                ClaimRef::Unwinding(_) => false,
            };
            if settled || self.some_execution(&[way], &[])?.is_none() {
                continue;
            }
            match claim {
                ClaimRef::Unsupported(index) => {
                    findings.unsupported = Some(self.equation.unsupported[index as usize].clone());
                }
                ClaimRef::Unwinding(index) => {
                    findings.wanted.push(self.equation.bounds_hit[index as usize].0.clone());
                }
                ClaimRef::Program(_) => {}
            }
        }
        Some(())
    }

    fn sizes(&self) -> Vec<(&'static str, u64)> {
        let solver = self.blaster.solver.stats();
        vec![
            ("steps", self.equation.steps.len() as u64),
            ("variables", self.equation.variables.len() as u64),
            ("terms", self.equation.terms.len() as u64),
            ("solver_variables", solver.variables),
            ("solver_clauses", solver.clauses),
            ("solver_conflicts", solver.conflicts),
            ("solver_calls", self.calls),
        ]
    }

    fn any_violation(&mut self) -> Term {
        let ways: Vec<Term> =
            self.first.iter().filter(|(c, _)| matches!(c, ClaimRef::Program(_))).map(|(_, way)| *way).collect();
        self.equation.terms.or_all(&ways)
    }

    fn dimacs(&mut self) -> String {
        let any = self.any_violation();
        let mut recording = Blaster::new();
        recording.solver.record_clauses();
        for variable in &self.equation.variables {
            if let Some(definition) = variable.definition {
                recording.define(&self.equation.terms, variable.symbol, definition);
            }
        }
        let literal = recording.literal(&self.equation.terms, any);
        recording.solver.to_dimacs(&[literal]).unwrap_or_default()
    }

    fn smt2(&mut self) -> String {
        let any = self.any_violation();
        let mut assertions = Vec::new();
        for variable in &self.equation.variables {
            if let Some(definition) = variable.definition {
                assertions.push(self.equation.terms.eq(variable.symbol, definition));
            }
        }
        assertions.push(any);
        nearmiss_logic::text::smt2(&self.equation.terms, &assertions)
    }
}

/// For each claim the term that it is violated first in an execution, and for each written assertion the term that it
/// is violated while no automatic claim was. In order of first occurrence.
#[allow(clippy::type_complexity)]
fn violations(program: &Program, equation: &mut Equation) -> (Vec<(ClaimRef, Term)>, Vec<(ClaimRef, Term)>) {
    let is_written = |claim: ClaimRef| match claim {
        ClaimRef::Program(id) => program.claims[id.index()].kind == ClaimKind::Assertion,
        _ => false,
    };
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
    for ((_, held), claim) in held.into_iter().zip(claims) {
        let violated = terms.not(held);
        if let Some(claim) = claim {
            let way = terms.and(all_held, violated);
            first.push(claim, way);
            if is_written(claim) {
                let way = terms.and(automatic_held, violated);
                separate.push(claim, way);
            }
        }
        all_held = terms.and(all_held, held);
        if !claim.is_some_and(is_written) {
            automatic_held = terms.and(automatic_held, held);
        }
    }
    let mut any = |ways: Ways| ways.0.into_iter().map(|(claim, ways)| (claim, terms.or_all(&ways))).collect();
    (any(first), any(separate))
}

/// The ways to violate each claim, in order of first occurrence.
#[derive(Default)]
struct Ways(Vec<(ClaimRef, Vec<Term>)>, std::collections::HashMap<ClaimRef, usize>);

impl Ways {
    fn push(&mut self, claim: ClaimRef, way: Term) {
        let index = *self.1.entry(claim).or_insert_with(|| {
            self.0.push((claim, Vec::new()));
            self.0.len() - 1
        });
        self.0[index].1.push(way);
    }
}

fn report(
    program: &Program,
    options: &CheckOptions,
    findings: Findings,
    stats: Stats,
    smallness: Option<Smallness>,
) -> Result<Explanation, CheckError> {
    let complete = findings.wanted.is_empty() && !findings.interrupted && findings.unsupported.is_none();
    let settled = complete || (findings.as_asked && !findings.interrupted);
    let mut claims: Vec<ClaimReport> = (program.claims.iter().enumerate())
        .map(|(index, claim)| ClaimReport {
            id: claim.id.clone(),
            kind: claim.kind,
            text: claim.text.clone(),
            span: claim.span,
            function: claim.function.clone(),
            status: match findings.failing.binary_search(&ClaimId(index as u32)) {
                Ok(_) => Status::Fails,
                Err(_) if settled && is_wanted(&claim.id, &options.properties) => Status::Holds,
                Err(_) => Status::Undecided,
            },
        })
        .collect();
    let mut notes = program.notes.clone();
    let mut insufficient = None;
    for (bound, span, function) in &findings.hit {
        let wanted = findings.wanted.contains(bound);
        let (id, text) = match bound {
            Bound::Loop(id) => {
                let (name, number) = id.rsplit_once('.').unwrap_or((id, "0"));
                (format!("{name}.unwind.{number}"), format!("the loop {id} ends within the bound"))
            }
            Bound::Recursion(name) => {
                (format!("{name}.recursion"), format!("the recursion of {name} ends within the bound"))
            }
            Bound::Depth => (format!("{function}.depth"), format!("at most {} calls are under way", symex::MOST_CALLS)),
            Bound::Allocation => {
                (format!("{function}.allocation"), "sizes of objects that are inputs stay within the bound".to_owned())
            }
        };
        let status = match wanted {
            true if options.unwinding_claims => Status::Fails,
            true => Status::Undecided,
            false if findings.interrupted => Status::Undecided,
            false => Status::Holds,
        };
        if wanted && options.unwinding_claims && insufficient.is_none() {
            insufficient = Some(claims.len());
        }
        let (span, function) = (*span, function.clone());
        claims.push(ClaimReport { id, kind: ClaimKind::Unwinding, text, span, function, status });
    }
    if findings.shown.is_none() {
        notes.extend(findings.renewed.iter().map(|span| {
            let message =
                "this loop allocates in each round; a run that keeps what it allocated is not seen to repeat itself";
            Diagnostic::error(*span, message).at(Severity::Note)
        }));
    }
    if findings.wanted.contains(&Bound::Depth) {
        let most = symex::MOST_CALLS;
        notes.push(note(format!("some execution has more than {most} calls under way, which is as deep as we go")));
    }
    if let (Some((what, span)), false) = (&findings.unsupported, findings.failing.is_empty()) {
        notes.push(Diagnostic::error(*span, format!("not supported: {what}")).at(Severity::Note));
    }
    let counterexample = match &findings.shown {
        Some(shown) => {
            // Not to be interrupted: a failing run is worth nothing before it was replayed.
            let limits = Limits::default();
            let run = recheck::replay(program, &shown.inputs, shown.claim, &limits).map_err(CheckError::Internal)?;
            let inputs = without_idle_contents(program, shown, &run, &limits);
            let run = recheck::replay(program, &inputs, shown.claim, &limits).map_err(CheckError::Internal)?;
            let made = counterexample(program, inputs, run);
            Some(match smallness {
                Some(Smallness { proved: proved_minimal, lower_bound }) => {
                    Counterexample { minimised: options.minimise, proved_minimal, lower_bound, ..made }
                }
                None => made,
            })
        }
        None => None,
    };
    let dots = match (&program.temporal, &counterexample, &findings.shown) {
        (Some(temporal), Some(found), Some(shown)) if shown.claim == temporal.claim => {
            let stop = options.stop.clone();
            let dots = found.run.word.as_ref().map(|word| formula_causes::formula_causes(temporal, word, stop));
            dots.transpose().map_err(CheckError::Internal)?
        }
        _ => None,
    };
    let property = findings.shown.as_ref().map(|shown| shown.claim.index()).or(insufficient);
    let verdict = match property {
        Some(_) => Verdict::Fails,
        None if settled => Verdict::Holds,
        None => Verdict::Undecided,
    };
    let unwind = findings.unwind;
    let contrast = None;
    Ok(Explanation { verdict, complete, unwind, claims, property, counterexample, dots, contrast, notes, stats })
}

/// The inputs without the undefined contents on which nothing depends in the failing run: they would be noise. (A
/// symbolic index or a join looks at contents that the failing run itself never reads.) A piece is idle if the run is
/// the same with all its bits flipped, and with all of them 0.
fn without_idle_contents(program: &Program, shown: &Shown, run: &Run, limits: &Limits) -> Inputs {
    let events = |run: &Run| -> Vec<RunStep> {
        run.steps.iter().filter(|step| !matches!(step.kind, RunStepKind::Input { .. })).cloned().collect()
    };
    let expected = events(run);
    let mut tries = IDLE_EFFORT / (run.steps.len() + 1);
    let mut same_run = |inputs: &Inputs| {
        tries = tries.saturating_sub(1);
        tries > 0 && recheck::replay(program, inputs, shown.claim, limits).is_ok_and(|run| events(&run) == expected)
    };
    let mut inputs = shown.inputs.clone();
    let keys: Vec<_> = inputs.contents.keys().copied().collect();
    for key in keys {
        let mut flipped = inputs.clone();
        let pieces = flipped.contents.get_mut(&key).expect("a key of it");
        pieces.iter_mut().for_each(|piece| piece.value = !piece.value & low_bits(piece.bits));
        let mut fewer = inputs.clone();
        fewer.contents.remove(&key);
        if same_run(&flipped) && same_run(&fewer) {
            inputs = fewer;
            continue;
        }
        for index in (0..inputs.contents[&key].len()).rev() {
            let mut flipped = inputs.clone();
            let piece = &mut flipped.contents.get_mut(&key).expect("a key of it")[index];
            piece.value = !piece.value & low_bits(piece.bits);
            let mut fewer = inputs.clone();
            fewer.contents.get_mut(&key).expect("a key of it").remove(index);
            if same_run(&flipped) && same_run(&fewer) {
                inputs = fewer;
            }
        }
    }
    inputs
}

fn is_wanted(id: &String, properties: &[String]) -> bool {
    properties.is_empty() || properties.contains(id)
}

pub(crate) fn counterexample(program: &Program, inputs: Inputs, run: Run) -> Counterexample {
    let (mut length, mut sum) = (0, 0u128);
    for step in &run.steps {
        let counted = match &step.kind {
            RunStepKind::Input { ty, value, .. } => Some((*ty, *value)),
            RunStepKind::Assign { ty, value, .. } => {
                length += 1;
                Some((*ty, *value))
            }
            RunStepKind::Branch { .. } | RunStepKind::Claim { held: false, .. } => {
                length += 1;
                None
            }
            RunStepKind::Call { .. } | RunStepKind::Return { .. } | RunStepKind::Claim { .. } => None,
        };
        if let Some((ty, value)) = counted {
            sum = sum.saturating_add(magnitude(program, ty, value));
        }
    }
    let named = named_inputs(&run);
    let (minimised, proved_minimal, lower_bound) = (Minimised::None, false, None);
    Counterexample { inputs, named, run, length, sum, minimised, proved_minimal, lower_bound }
}

/// |x| of an integer; 0 for everything else.
fn magnitude(program: &Program, ty: nearmiss_program::program::TypeId, value: u128) -> u128 {
    match program.ty(ty) {
        Type::Integer { bits, signed: true, .. } | Type::Enum { bits, signed: true, .. } => {
            let shift = 128 - bits;
            ((value << shift) as i128 >> shift).unsigned_abs()
        }
        Type::Integer { .. } | Type::Enum { .. } | Type::Bool => value,
        _ => 0,
    }
}
