//! Does the program fail? Unwinds, solves, and grows the bound until there is an answer.
//!
//! The bound grows loop by loop: only a loop, recursion or allocation of which some execution wants more is given more.
//! `check/question.rs` asks the solver at one bound, and `check/report.rs` puts together what was found.

mod apart;
mod earliest;
mod endless;
mod follow;
mod hard;
pub(crate) mod question;
mod report;
mod unsure;

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::time::Instant;

use nearmiss_logic::optimise::Proof;
use nearmiss_logic::stop::Stop;

use crate::beside::{Later, Threads};
use crate::bounds::Bounds;
use crate::equation::{Bound, ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{Explanation, LowerBound, Minimised, Stats};
use crate::method::minimise;
use crate::recheck;
use crate::symex;
use crate::{chance, texts};
use nearmiss_program::interp::Limits;
use nearmiss_program::program::{ClaimId, Program, StatementKind};
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::source::{Diagnostic, Severity};
use question::{Findings, Question, Shown, rank, violations};
use report::report;

pub(crate) use report::counterexample;

/// How far to look, and for what.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// A fixed bound for every loop and recursion (`--unwind`); none: the bound grows by itself.
    pub unwind: Option<u32>,
    /// Bounds for single loops (`--unwindset main.0:5`).
    pub unwindset: Vec<(String, u32)>,
    /// What to say if a bound that was given does not suffice, and nothing fails up to it.
    pub short_bound: ShortBound,
    /// How often a loop may go round by a condition that is not constant, at most: for a formula, whose runs may go round for
    /// ever. The bound then starts small, and the answer holds up to it.
    pub most_rounds: Option<u32>,
    /// Unwinding that takes more steps than this is given up; none: only time ends it.
    pub most_steps: Option<usize>,
    /// So is one that makes more terms.
    pub most_terms: Option<usize>,
    /// How often a loop goes round by a constant condition at first; none: as often as is usual.
    pub constant: Option<u32>,
    /// The same by a condition that is not constant. Where a failing run is given, it grows by many rounds at once.
    pub symbolic: Option<u32>,
    /// Objects of more elements are kept in layers where an index is not known (`symex/layer.rs`); the answer does not depend on it.
    pub elements: u64,
    /// Look only at these claims (`--property`); other written assertions, and what else a program goes on after, are then passed over.
    pub properties: Vec<String>,
    /// How small the counterexample is made.
    pub minimise: Minimised,
    /// Whether to go on until that is proved or the time is over, rather than as long as a person waits gladly.
    pub patient: bool,
    /// Whether a failure is to be explained: once there is one, half of the time that is left is not for the other claims.
    pub explained: bool,
    /// Whether one claim that fails is enough: nothing is then known of the others.
    pub one_failure: bool,
    /// Whether other threads may work on it; the answer does not depend on it.
    pub threads: Threads,
    /// When to stop with what is known.
    pub stop: Stop,
}

/// What it means that some execution goes beyond a bound that was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ShortBound {
    /// That execution may fail: nothing is decided.
    #[default]
    LeavesOpen,
    /// That is a failure by itself (`--unwinding-assertions`).
    Fails,
    /// Nothing: the claims hold up to the bound, and that is what was asked (`--no-unwinding-assertions`).
    Suffices,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            unwind: None,
            unwindset: Vec::new(),
            short_bound: ShortBound::LeavesOpen,
            most_rounds: None,
            most_steps: None,
            most_terms: None,
            constant: None,
            symbolic: None,
            elements: Bounds::default().elements,
            properties: Vec::new(),
            minimise: Minimised::Optimal,
            patient: false,
            explained: false,
            one_failure: false,
            threads: Threads::default(),
            stop: Stop::default(),
        }
    }
}

impl CheckOptions {
    /// How far to go at first.
    fn initial_bounds_of(&self, program: &Program) -> Bounds {
        let bounds = self.initial_bounds();
        // Nothing leads out of the loop over cycles, so that its bound is that on constant conditions.
        let constant = match (&program.hardware, &program.temporal) {
            (None, _) => bounds.constant,
            (Some(_), None) => bounds.symbolic,
            (Some(_), Some(_)) => u32::MAX,
        };
        Bounds { constant, ..bounds }
    }

    pub(crate) fn initial_bounds(&self) -> Bounds {
        let (named, most_steps) = (self.unwindset.iter().cloned().collect(), self.most_steps.unwrap_or(usize::MAX));
        let (elements, most_terms) = (self.elements, self.most_terms.unwrap_or(usize::MAX));
        let bounds = Bounds { fixed: self.unwind, named, most_steps, most_terms, elements, ..Bounds::default() };
        let bounds = Bounds {
            constant: self.constant.unwrap_or(bounds.constant),
            symbolic: self.symbolic.unwrap_or(bounds.symbolic),
            ..bounds
        };
        match self.most_rounds {
            Some(most) => Bounds { symbolic: 0, most, ..bounds },
            None => bounds,
        }
    }
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

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Input(diagnostics) => {
                for (index, diagnostic) in diagnostics.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "; " };
                    write!(f, "{separator}{}", diagnostic.message)?;
                    if let Some(help) = &diagnostic.help {
                        write!(f, " ({help})")?;
                    }
                }
                Ok(())
            }
            CheckError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl Error for CheckError {}

/// Once a failure is known: steps and conflicts of a round beyond which no further round is started.
const CHEAP: u64 = 5_000;
/// Once a failure is known: how many rounds may follow.
const EXTRA_ROUNDS: u32 = 5;
/// The same where objects grow and loops do not, which costs little: as large as objects get.
const ROUNDS_OF_OBJECTS: u32 = 16;
/// After so many rounds without an answer it is asked whether the program ends at all.
const PATIENT_ROUNDS: u32 = 3;
/// Once it is known that some run never ends, no bound suffices; so many rounds may follow that look for a failure.
const ENDLESS_ROUNDS: u32 = 4;

/// So many rounds more has a loop of a long run that is given.
const MANY_ROUNDS: u32 = 64;

/// Conflicts of all questions that make the failing run small, where nobody asks for more.
const CONFLICTS_FOR_SMALLNESS: u64 = 40_000;
/// The same where it is to be explained: another run beside it says more than the last bit.
const CONFLICTS_BEFORE_EXPLAINING: u64 = 12_000;

/// Checks every claim.
pub fn check(
    program: &Program,
    options: &CheckOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    let (mut explanation, proof) = begin(program, options, progress)?;
    if let Some(proof) = proof {
        proof.settle(&mut explanation)?;
    }
    Ok(explanation)
}

/// The same, with a proof that is still to be waited for.
pub(crate) fn begin(
    program: &Program,
    options: &CheckOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Explanation, Option<SecondProof>), CheckError> {
    let narrowed = narrow(program, &options.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let (in_reserve, mut stop) = in_reserve(program, options);
    let mut bounds = options.initial_bounds_of(program);
    let (mut stats, mut last, mut without) = (Stats::default(), Findings::default(), 0);
    let (mut rounds, mut extra_rounds, mut never_ends) = (0, 0, None);
    loop {
        progress(Progress { phase: "unwinding", unwind: last.unwind, steps: 0 });
        let started = Instant::now();
        let unwound = symex::unwind_settled(program, &bounds, &stop);
        stats.seconds.push(("unwinding", started.elapsed().as_secs_f64()));
        let Some(mut equation) = unwound.ok().filter(|equation| may_ask(&in_reserve, equation)) else {
            last.interrupted = true;
            break;
        };
        let steps = equation.steps.len() as u64;
        progress(Progress { phase: "solving", unwind: equation.unwind, steps });
        let started = Instant::now();
        let mut question = Question::new(program, &mut equation, &stop);
        (question.is_explained, question.one_failure) =
            (options.explained && last.failing.is_empty(), options.one_failure);
        let findings = question.ask(&options.properties);
        stop = question.stop.clone();
        stats.seconds.push(("encoding", started.elapsed().as_secs_f64() - question.solving));
        stats.seconds.push(("solving", question.solving));
        stats.counts = question.sizes();
        let effort = steps + question.conflicts();
        last = last.then(findings);
        without = if last.failing.is_empty() && !last.interrupted { last.unwind } else { without };
        // A failure is known: go on only to settle the other claims, and only where that is cheap.
        let only_objects = last.wants().all(|bound| *bound == Bound::Allocation);
        // So it is where only executions that violated something before want more.
        let is_known = !last.failing.is_empty() || last.wanted.is_empty();
        extra_rounds += u32::from(is_known);
        let cheap = effort < CHEAP && extra_rounds <= most_extra_rounds(program, only_objects);
        let more: Vec<Bound> = last.wants().filter(|bound| bounds.may_grow(bound)).cloned().collect();
        if more.is_empty() || last.interrupted || last.unsupported.is_some() || is_known && !cheap {
            break;
        }
        // Larger objects alone let no run go on for longer.
        let is_longer = more.iter().any(|bound| *bound != Bound::Allocation);
        rounds += u32::from(is_longer);
        if is_longer && rounds == PATIENT_ROUNDS && last.failing.is_empty() && program.temporal.is_none() {
            never_ends = endless::endless(program, &stop);
        }
        if let Some(known) = &never_ends
            && (known.only || rounds == PATIENT_ROUNDS + ENDLESS_ROUNDS)
        {
            break;
        }
        more.iter().for_each(|bound| bounds.grow(bound));
    }
    last.is_supported()?;
    take_endless(&mut last, never_ends);
    take_executed(program, &mut last, in_reserve);
    last.as_asked = last.wanted.iter().all(|bound| !bounds.may_grow(bound) && *bound != Bound::Depth);
    let (proved, mut smallness) = (last.proved(program, &options.properties), None);
    if let (Some(shown), false) = (&mut last.shown, options.minimise == Minimised::None)
        && shown.replaceable
    {
        progress(Progress { phase: "minimising", unwind: last.unwind, steps: 0 });
        let started = Instant::now();
        let is_earliest = earliest::earliest(program, &mut bounds, without, &options.properties, &stop, shown);
        smallness = make_small(program, options, (&bounds, proved), &stop, shown)?;
        smallness = smallness.map(|known| if is_earliest { known } else { Smallness::unknown() });
        stats.seconds.push(("minimising", started.elapsed().as_secs_f64()));
    }
    progress(Progress { phase: "replaying", unwind: last.unwind, steps: 0 });
    let started = Instant::now();
    let proof = smallness.as_mut().and_then(|smallness| smallness.proof.take());
    let mut explanation = report(program, options, last, stats, smallness)?;
    explanation.stats.seconds.push(("replaying", started.elapsed().as_secs_f64()));
    Ok((explanation, proof))
}

/// An equation of more terms is not asked about where a failing run is known by execution.
const MOST_TERMS_IN_RESERVE: usize = 200_000;

/// Whether the solver is asked: where a failing run is known, it is not to work for very long.
fn may_ask(in_reserve: &Option<(ClaimId, Inputs)>, equation: &Equation) -> bool {
    in_reserve.is_none() || equation.terms.len() <= MOST_TERMS_IN_RESERVE
}

/// A failing run that execution finds: by a short text, or of two versions by chance.
fn executed(program: &Program) -> Option<(ClaimId, Inputs)> {
    texts::failing(program).or_else(|| chance::failing(program))
}

/// A failing run that execution finds, where a failure is to be explained: there is something to explain in any case, so that half of the time is for that.
fn in_reserve(program: &Program, options: &CheckOptions) -> (Option<(ClaimId, Inputs)>, Stop) {
    let known = if options.explained { executed(program) } else { None };
    let stop = if known.is_some() { options.stop.halfway() } else { options.stop.clone() };
    (known, stop)
}

/// Adds a failing run that was found by execution, where the time was over before another one was.
fn take_executed(program: &Program, findings: &mut Findings, in_reserve: Option<(ClaimId, Inputs)>) {
    if !findings.failing.is_empty() || !findings.interrupted {
        return;
    }
    let Some((claim, inputs)) = in_reserve.or_else(|| executed(program)) else { return };
    findings.failing.push(claim);
    findings.shown = Some(Shown { claim, inputs, rank: rank(program, claim), replaceable: false });
}

/// How often the bound may grow once a failure is known. A model never ends: more cycles settle nothing.
fn most_extra_rounds(program: &Program, only_objects: bool) -> u32 {
    match program.hardware {
        Some(_) => 0,
        None if only_objects => ROUNDS_OF_OBJECTS,
        None => EXTRA_ROUNDS,
    }
}

/// Adds what is known of a run that never ends.
fn take_endless(findings: &mut Findings, never_ends: Option<endless::Endless>) {
    let Some(known) = never_ends else { return };
    if known.only {
        // The one execution was followed until it repeats itself: no claim is violated, and none is left.
        findings.wanted.clear();
    }
    findings.endless = Some(known.note);
}

/// Checks every claim, and tells of a failing run that is given.
pub(crate) fn check_given(
    program: &Program,
    options: &CheckOptions,
    inputs: &Inputs,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    let known = given(program, options, inputs)?;
    let whole = CheckOptions { minimise: Minimised::None, ..options.clone() };
    let mut answer = check(program, &whole, progress)?;
    if let Some(property) = known.property {
        answer.claims[property].clone_from(&known.claims[property]);
    }
    (answer.verdict, answer.property, answer.counterexample) = (known.verdict, known.property, known.counterexample);
    Ok(answer)
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
    let shown = Some(Shown { claim, inputs: inputs.clone(), rank, replaceable: true });
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
    let mut bounds = options.initial_bounds_of(program);
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
        if !bounds.may_grow(bound) {
            let error = Diagnostic::error(*span, "the failing run needs more than the given bound");
            return Err(CheckError::Input(vec![error.with_help("raise the bound on loops, or leave it out")]));
        }
        match options.symbolic {
            Some(_) => bounds.grow_by(bound, MANY_ROUNDS),
            None => bounds.grow(bound),
        }
    }
}

/// What is known of every run.
const TRIVIAL: LowerBound = LowerBound { length: 1, sum: 0 };

impl Findings {
    /// The error, if nothing fails and something was reached that cannot be handled.
    fn is_supported(&self) -> Result<(), CheckError> {
        match (&self.unsupported, self.failing.is_empty()) {
            (Some((what, span)), true) => {
                Err(CheckError::Input(vec![Diagnostic::error(*span, format!("not supported: {what}"))]))
            }
            _ => Ok(()),
        }
    }
}

/// What is known of a run that was made small.
struct Smallness {
    lower_bound: Option<LowerBound>,
    /// That it is the smallest is being proved again.
    proof: Option<SecondProof>,
}

impl Smallness {
    /// Nothing is.
    fn unknown() -> Smallness {
        Smallness { lower_bound: Some(TRIVIAL), proof: None }
    }
}

/// Whether the failing run is the smallest is being proved again, while other work goes on.
pub(crate) struct SecondProof(Later<Proof>);

impl SecondProof {
    /// Waits for the proof, and says in the explanation what came of it.
    pub(crate) fn settle(self, explanation: &mut Explanation) -> Result<(), CheckError> {
        let started = Instant::now();
        let proof = self.0.wait();
        explanation.stats.seconds.push(("minimising", started.elapsed().as_secs_f64()));
        match (proof, &mut explanation.counterexample) {
            (Proof::Refuted(_), _) => {
                return Err(CheckError::Internal("a second proof found a run smaller than the smallest".to_owned()));
            }
            (Proof::Proved, Some(shown)) => (shown.proved_minimal, shown.lower_bound) = (true, None),
            (Proof::Proved | Proof::Unknown | Proof::NoRecord, _) => {}
        }
        Ok(())
    }
}

/// Replaces the run that is shown by a small one. None if nothing is known of how small it is. What was computed must
/// be what happens.
fn make_small(
    program: &Program,
    options: &CheckOptions,
    (bounds, proved): (&Bounds, HashSet<ClaimId>),
    stop: &Stop,
    shown: &mut Shown,
) -> Result<Option<Smallness>, CheckError> {
    // Without time for more, the run at hand is the best so far.
    let no_time = || match options.minimise {
        Minimised::Optimal => Ok(Some(Smallness::unknown())),
        Minimised::Greedy | Minimised::None => Ok(None),
    };
    // What is left of the time is shared with the explanation.
    let stop = &if options.explained { options.stop.halfway() } else { stop.clone() };
    let Ok(mut equation) = symex::unwind_settled(program, bounds, stop) else { return no_time() };
    equation.proved = proved;
    let conflicts = match (options.patient, options.explained) {
        (true, _) => None,
        (false, true) => Some(CONFLICTS_BEFORE_EXPLAINING),
        (false, false) => Some(CONFLICTS_FOR_SMALLNESS),
    };
    let stop = &conflicts.map_or_else(|| stop.clone(), |conflicts| stop.within(conflicts));
    let first = violations(program, &mut equation, &HashSet::new()).first;
    let wanted = ClaimRef::Program(shown.claim);
    let Some((_, violated)) = first.into_iter().find(|(claim, _)| *claim == wanted) else { return no_time() };
    let small = minimise::minimise(program, &mut equation, violated, &shown.inputs, options.minimise, conflicts, stop);
    let Some(small) = small else { return no_time() };
    let run = recheck::replay(program, &small.inputs, shown.claim, &Limits::default()).map_err(CheckError::Internal)?;
    let made = counterexample(program, small.inputs.clone(), run);
    if (made.length, made.sum) != (small.length, small.sum) {
        return Err(CheckError::Internal(format!(
            "the smallest run should have length {} and sum {}, but it has {} and {} when it is executed",
            small.length, small.sum, made.length, made.sum
        )));
    }
    shown.inputs = small.inputs;
    let proof = small.least.map(|least| SecondProof(Later::begin(options.threads, move || least.prove())));
    Ok(Some(Smallness { lower_bound: small.lower_bound, proof }))
}

/// A note about the whole.
pub(crate) fn note(message: impl Into<String>) -> Diagnostic {
    Diagnostic { severity: Severity::Note, message: message.into(), span: None, help: None }
}

/// Is a claim of no account because others were named?
pub(crate) fn is_passed_over(program: &Program, id: ClaimId, properties: &[String]) -> bool {
    let claim = &program.claims[id.index()];
    !properties.is_empty() && claim.kind.goes_on() && !properties.contains(&claim.id)
}

/// A program in which written assertions and their like, other than the named claims, are passed over; none if all are
/// wanted.
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
