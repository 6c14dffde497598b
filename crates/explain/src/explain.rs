//! Why does the program fail? The failing run beside the nearest passing one, and what that tells.
//!
//! `check` finds the failing run; what follows is a method each ([`method`](crate::method)), in this order: the nearest
//! passing run, at the failing run's depth and then beyond it (`explain/deepen.rs`), what is told of it
//! (`explain/describe.rs`), the differences that matter (`explain/slice.rs`), relations that cause the failure, and the
//! ranking of what to look at first. What can be checked again is checked here, before it is told.

mod asked;
mod causes;
mod deepen;
mod describe;
mod executed;
mod forever;
mod places;
mod predicates;
mod ranked;
mod same_inputs;
mod slice;
mod trust;

use std::collections::HashSet;
use std::time::Instant;

use nearmiss_logic::term::Term;

use crate::bounds::Bounds;
use crate::check::{self, CheckError, CheckOptions, Progress, SecondProof};
use crate::compared::Counted;
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{
    Avoiding, Causes, ClaimReport, Contrast, Counterexample, Explanation, Hypotheses, Metric, Nearest, Slice,
    SliceMethod, State, Stats, Status, Suspect, Weights, named_inputs,
};
use crate::method::align::sequence::{self, Sequence};
use crate::method::delta;
use crate::method::nearest::{self, Answer, NearestRun, Question, Search};
use crate::method::predicate::{self, Described, Tracked};
use crate::method::route::{self, InClaim, Kept, Routes, Violated};
use crate::recheck;
use crate::symex;
use crate::texts;
use causes::Comparison;
use deepen::Depth;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{AssumptionOrigin, ClaimId, ClaimKind, FunctionId, Program};
use nearmiss_program::run::{Inputs, Run};
use nearmiss_program::source::{Diagnostic, Severity, Sources};
use predicates::{agrees_with_abstract, description};
use ranked::{Compared, Runs};

pub(crate) use executed::executed_contrast;
pub use trust::matches_pattern;

/// What to explain, and how.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// How the failing run is found.
    pub check: CheckOptions,
    /// A failing run that is given (`--counterexample`) instead of found.
    pub given: Option<Inputs>,
    /// What a distance counts.
    pub metric: Metric,
    /// Whether the metric may be another, if that explains better: only where predicates are compared.
    pub other_metric: Wanted,
    /// What is compared.
    pub state: State,
    /// Prices of a predicate (or value), an action and a step that differ, where the usual ones are not wanted.
    pub weights: Option<[u64; 3]>,
    /// Predicates of the user's.
    pub predicates: Vec<Watched>,
    /// How the slice is computed.
    pub slice: SliceMethod,
    /// Whether to list every minimal slice.
    pub routes: Wanted,
    /// Whether to list every nearest run.
    pub nearest_all: Wanted,
    /// Whether to keep what decides that the check applies.
    pub preconditions: Preconditions,
    /// Between which variables relations are looked for.
    pub hypotheses: Hypotheses,
    /// Hypotheses of the user's: is this a cause?
    pub asked: Vec<Watched>,
    /// Functions that are never suspects, by patterns with `*` and `?`.
    pub trust: Vec<String>,
    /// How many turns of a loop more than the failing run the passing run may take; none: as many as help.
    pub depth: Option<u32>,
    /// Whether nothing is wanted from beyond the bound that the failing run was found with.
    pub within_bound: Wanted,
    /// Whether to look for fixes as well, as far as a fixed effort goes.
    pub fixes: Wanted,
    /// Of a model of hardware: whether to look for values that save the failing run with the same inputs.
    pub same_inputs: Wanted,
}

/// Is something extra wanted?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// No.
    #[default]
    No,
    /// Yes.
    Yes,
}

/// Whether runs that only avoid the check count as passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preconditions {
    /// They do not, as long as there are others.
    #[default]
    Kept,
    /// They do.
    Free,
}

/// The runs of an explanation, as soon as they are known.
pub struct BothRuns {
    /// The claim that is violated.
    pub claim: ClaimReport,
    /// The failing run.
    pub failing: (Inputs, Run),
    /// The passing run, if there is one.
    pub passing: Option<(Inputs, Run)>,
}

/// What is known before the rest is.
pub enum Foretold {
    /// The runs.
    Runs(Box<BothRuns>),
    /// All but the order of suspects, with the fixes.
    Fixes(Box<Explanation>),
}

/// Who is told what is known early, to begin something with it while the rest is worked out; not called where there is one thread only.
pub type Beside<'a> = &'a (dyn Fn(Foretold) + Sync);

/// Explains the failure, if there is one.
pub fn explain(
    program: &Program,
    sources: &Sources,
    options: &ExplainOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    explain_beside(program, sources, options, progress, &|_| {})
}

/// The same, with somebody who is told early what is known.
pub fn explain_beside(
    program: &Program,
    sources: &Sources,
    options: &ExplainOptions,
    progress: &mut dyn FnMut(Progress),
    beside: Beside<'_>,
) -> Result<Explanation, CheckError> {
    let (mut explanation, proof) = failure(program, options, progress)?;
    explanation = contrasted(program, sources, options, explanation, progress, beside)?;
    if options.same_inputs == Wanted::Yes {
        explanation = same_inputs::with_same_inputs(program, options, explanation, progress)?;
    }
    if let Some(proof) = proof {
        proof.settle(&mut explanation)?;
    }
    Ok(explanation)
}

/// With the passing run, and all that follows from it.
fn contrasted(
    program: &Program,
    sources: &Sources,
    options: &ExplainOptions,
    mut explanation: Explanation,
    progress: &mut dyn FnMut(Progress),
    beside: Beside<'_>,
) -> Result<Explanation, CheckError> {
    let (Some(counterexample), Some(property)) = (&explanation.counterexample, explanation.property) else {
        return Ok(explanation);
    };
    // Other assertions are switched off in the passing run as in the failing one.
    let narrowed = check::narrow(program, &options.check.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    // What is not needed is not unwound.
    let Some(mut bounds) = check::bounds_for(program, &options.check, &counterexample.inputs)? else {
        return Ok(explanation);
    };
    if program.hardware.is_some() {
        // The loop of cycles ends with the one that fails, and to leave it takes a turn more.
        bounds.fixed = bounds.fixed.map(|fixed| fixed + 1);
    }
    let program = &*forever::comparable(program, &counterexample.inputs);
    let counterexample = &*forever::compared(program, counterexample);
    let claims = &explanation.claims;
    let failure = Failure { beside, ..Failure::of(program, sources, options, counterexample, (property, claims)) };
    let mut stats = std::mem::take(&mut explanation.stats);
    let too_long = failure.too_long_for_predicates(&bounds);
    let contrast = match options.state {
        State::Predicates if too_long.is_none() => failure.contrast_of_predicates(bounds, &mut stats, progress)?,
        State::Predicates | State::Values => failure.contrast(bounds, &mut stats, progress)?,
    };
    explanation.notes.extend(too_long);
    let is_endless = program.temporal.as_ref().is_some_and(|temporal| temporal.only_closes);
    if contrast.as_ref().is_some_and(|contrast| contrast.nearest.is_none()) && is_endless {
        explanation.notes.extend(forever::note(&options.check));
    }
    explanation.stats = stats;
    explanation.contrast = contrast;
    Ok(explanation)
}

fn failure(
    program: &Program,
    options: &ExplainOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Explanation, Option<SecondProof>), CheckError> {
    match &options.given {
        Some(given) => Ok((check::given(program, &options.check, given)?, None)),
        None => {
            let check = CheckOptions { patient: false, explained: true, ..options.check.clone() };
            check::begin(program, &check, progress)
        }
    }
}

/// The search for the nearest passing run at the failing run's own depth as a weighted MaxSAT instance.
pub fn dump_nearest(program: &Program, sources: &Sources, options: &ExplainOptions) -> Result<String, CheckError> {
    let nothing = |message: &str| {
        let error = Diagnostic { severity: Severity::Error, message: message.to_owned(), span: None, help: None };
        CheckError::Input(vec![error])
    };
    let (found, _) = failure(program, options, &mut |_| {})?;
    let (Some(counterexample), Some(property)) = (&found.counterexample, found.property) else {
        return Err(nothing("no failing run was found, so there is nothing to compare with"));
    };
    let narrowed = check::narrow(program, &options.check.properties)?;
    let program = &*forever::comparable(narrowed.as_ref().unwrap_or(program), &counterexample.inputs);
    let counterexample = &*forever::compared(program, counterexample);
    let claims = &found.claims;
    let failure = Failure::of(program, sources, options, counterexample, (property, claims));
    let bounds = check::bounds_for(program, &options.check, failure.inputs)?;
    let scene = bounds.map_or(Ok(None), |bounds| failure.scene(bounds))?;
    let mut scene = scene.ok_or_else(|| nothing("interrupted while unwinding"))?;
    let kept = failure.nearest(&mut scene, &failure.stop, &mut |_| {})?.demands();
    let Scene { equation, failing, counted, aligned, .. } = &mut scene;
    let aligned = aligned.as_ref();
    let (stop, conflicts) = (&failure.stop, failure.conflicts);
    let question = Question { program, equation, failing, counted, aligned, kept, conflicts, proof: None, stop };
    Search::new(question).wcnf().ok_or_else(|| CheckError::Internal("the clauses were not recorded".to_owned()))
}

/// Conflicts for a nearer run that only avoids the check.
const MOST_FOR_AVOIDING: u64 = 20_000;
/// Where the instance is so large that it gets fewer, making it would be most of the work.
const LEAST_FOR_AVOIDING: u64 = 100;

/// Of so many texts that pass the nearest is looked for.
const MOST_TEXTS: usize = 60;

/// A failing run to be explained.
struct Failure<'a> {
    program: &'a Program,
    sources: &'a Sources,
    options: &'a ExplainOptions,
    inputs: &'a Inputs,
    /// What happens then, as the interpreter saw it.
    run: &'a Run,
    claim: ClaimId,
    stop: Stop,
    /// The predicates in which runs are compared, if it is predicates.
    described: Option<&'a Described>,
    /// Conflicts that may be spent on a nearest passing run.
    conflicts: u64,
    /// Claims that no execution violates before another one.
    proved: HashSet<ClaimId>,
    /// The claim, as it is told.
    told: &'a ClaimReport,
    beside: Beside<'a>,
}

/// The failing run at one depth of unwinding.
struct Scene {
    bounds: Bounds,
    equation: Equation,
    failing: Execution,
    /// The step of the violated claim.
    claim: usize,
    /// What a distance counts.
    counted: Vec<Counted>,
    /// The predicates, if runs are compared in them.
    tracked: Option<Tracked>,
    /// Where runs are aligned: the steps.
    aligned: Option<Sequence>,
    routes: Routes,
}

impl Scene {
    /// Does a passing run not come to the violated claim, or with other antecedents?
    fn is_avoided_by(&self, passing: &Execution) -> bool {
        !self.routes.applies.iter().all(|applies| passing.meets(&self.equation, applies.term))
    }

    /// Does a passing run come to the claim where the failing one violates it? One that goes another way within the
    /// text of the claim has come to it.
    fn comes_to_claim(&self, passing: &Execution) -> bool {
        let first = route::entry(&self.equation, &self.failing, self.claim);
        passing.meets(&self.equation, self.equation.steps[first].guard)
    }
}

/// What follows from both runs.
struct Told {
    slice: Option<Slice>,
    causes: Option<Causes>,
    suspects: Vec<Suspect>,
}

/// What came of the search for a passing run, and what it was made to have in common with the failing one.
struct Way {
    answer: Answer,
    kept: Vec<(Kept, AssumptionOrigin)>,
    /// Some way out of the failure that does not avoid the check.
    some_route: Option<Term>,
    only_avoidance: bool,
    /// Whether it was made to come to the claim with the same antecedents.
    reaching: bool,
    /// What the abstract program said, if runs are compared in predicates.
    abstractly: Option<predicate::nearest::Known>,
}

/// What a passing run may be made to keep, from the most to the least.
fn levels(equation: &mut Equation, routes: &Routes) -> Vec<Way> {
    let with = |kept: &[Kept], origin| kept.iter().map(move |kept| (kept.clone(), origin)).collect::<Vec<_>>();
    let preconditions = with(&routes.preconditions, AssumptionOrigin::Precondition);
    let antecedents = with(&routes.antecedents, AssumptionOrigin::Precondition);
    let expected = with(&routes.expected, AssumptionOrigin::Expected);
    let entrances = with(&routes.entrances, AssumptionOrigin::Entrance);
    let mut levels: Vec<Way> = Vec::new();
    for (antecedents, ways_out) in [(&antecedents[..], &routes.satisfying), (&[], &routes.others)] {
        if ways_out.is_empty() {
            continue;
        }
        let some_route = Some(equation.terms.or_all(ways_out));
        let mut last = None;
        for more in [[&expected[..], &entrances[..]], [&expected, &[]], [&[], &entrances], [&[], &[]]] {
            let kept = [&preconditions[..], antecedents, more[0], more[1]].concat();
            if !kept.is_empty() && last != Some(kept.len()) {
                last = Some(kept.len());
                let reaching = !antecedents.is_empty();
                levels.push(Way { kept, some_route, reaching, ..Way::nothing_kept(false) });
            }
        }
        if routes.antecedents.is_empty() {
            break;
        }
    }
    levels.push(Way::nothing_kept(!routes.preconditions.is_empty()));
    levels
}

impl Way {
    fn nothing_kept(only_avoidance: bool) -> Way {
        let (answer, kept) = (Answer::Unknown, Vec::new());
        Way { answer, kept, some_route: None, only_avoidance, reaching: false, abstractly: None }
    }

    fn demands(&self) -> Vec<Term> {
        self.kept.iter().map(|(kept, _)| kept.term).chain(self.some_route).collect()
    }

    /// The demands, each with the step at which it is decided.
    fn placed(&self, claim: usize) -> Vec<(usize, Term)> {
        let kept = self.kept.iter().map(|(kept, _)| (kept.branch.unwrap_or(claim), kept.term));
        kept.chain(self.some_route.map(|route| (claim, route))).collect()
    }

    fn distance(&self) -> Option<u64> {
        match &self.answer {
            Answer::Found(found) => Some(found.distance),
            _ => None,
        }
    }
}

impl<'a> Failure<'a> {
    fn of(
        program: &'a Program,
        sources: &'a Sources,
        options: &'a ExplainOptions,
        found: &'a Counterexample,
        (property, claims): (usize, &'a [ClaimReport]),
    ) -> Failure<'a> {
        let is_whole = options.check.properties.is_empty() && program.temporal.is_none();
        Failure {
            program,
            sources,
            options,
            inputs: &found.inputs,
            run: &found.run,
            claim: ClaimId(property as u32),
            stop: options.check.stop.clone(),
            described: None,
            conflicts: nearest::MOST_CONFLICTS,
            proved: if is_whole { proved(program, claims) } else { HashSet::new() },
            told: &claims[property],
            beside: &|_| {},
        }
    }
}

/// Claims that no execution violates before another one, if it is known of all.
fn proved(program: &Program, claims: &[ClaimReport]) -> HashSet<ClaimId> {
    let is_proved = |claim: &ClaimReport| claim.status == Status::Holds || claim.unless.is_some();
    if claims.iter().any(|claim| claim.status != Status::Fails && !is_proved(claim)) {
        return HashSet::new();
    }
    let own = claims.iter().take(program.claims.len()).enumerate();
    own.filter(|(_, claim)| is_proved(claim)).map(|(index, _)| ClaimId(index as u32)).collect()
}

impl Failure<'_> {
    /// The passing run and all that follows from it; none if there was no time even for the equation.
    fn contrast(
        &self,
        bounds: Bounds,
        stats: &mut Stats,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Contrast>, CheckError> {
        let started = Instant::now();
        let Some(scene) = self.scene(bounds)? else { return Ok(None) };
        let Some(mut scene) = self.as_deep_as_wanted(scene)? else { return Ok(None) };
        let way = self.nearest(&mut scene, &self.stop, progress)?;
        let (mut scene, way, depth) = self.deepen(scene, way, &self.stop, progress)?;
        let executed = self.executed(&way, &mut scene);
        let (is_executed, way) = (executed.is_some(), executed.unwrap_or(way));
        stats.seconds.push(("nearest", started.elapsed().as_secs_f64()));
        let mut contrast = Contrast {
            nearest: None,
            // Runs of a formula may be longer than the failing one.
            none_exists: matches!(way.answer, Answer::None) && !(self.is_formula() && matches!(depth, Depth::Open(_))),
            depth: self.options.depth,
            assumptions: Vec::new(),
            kept_when: Vec::new(),
            only_avoidance: way.only_avoidance,
            elsewhere: false,
            lapsed: Vec::new(),
            lapses: false,
            reaching: way.kept.iter().any(|(kept, _)| !kept.told),
            avoiding: None,
            description: self.described.map(|described| description(described, &way, self.sources)),
            metric_reason: None,
            slice: None,
            causes: None,
            asked: self.asked(&scene)?,
            suspects: Vec::new(),
        };
        (contrast.assumptions, contrast.kept_when) = self.assumptions(&scene, &way).into_iter().unzip();
        let demands = way.demands();
        // Where it is a guess that something must be kept, what is nearer without it is told.
        let tells_nearer = way.reaching || way.kept.iter().any(|(kept, _)| kept.in_claim == InClaim::Part);
        let mut found = match way.answer {
            Answer::Found(mut found) => {
                if self.described.is_some() {
                    found.settle().map_err(CheckError::Internal)?;
                }
                agrees_with_abstract(&found, &way.abstractly)?;
                found
            }
            Answer::None | Answer::Unknown => {
                self.tell_runs(None);
                contrast.suspects = self.suspects_alone(&mut scene, &demands);
                return Ok(Some(contrast));
            }
        };

        if !self.is_formula() {
            contrast.only_avoidance = scene.is_avoided_by(&found.execution);
            contrast.elsewhere = !scene.comes_to_claim(&found.execution);
            (contrast.lapsed, contrast.lapses) = self.lapsed(&mut scene, &found.execution);
        }
        let mut least = if demands.is_empty() { found.lower_bound } else { 0 };
        if tells_nearer {
            (contrast.avoiding, least) = self.avoiding(&mut scene, &found, &self.stop)?;
        }
        let started = Instant::now();
        let mut nearest = self.describe(&mut scene, &found, &demands, depth)?;
        stats.seconds.push(("replaying", started.elapsed().as_secs_f64()));
        self.tell_runs(Some(&nearest));
        if is_executed {
            // What the solver did not find, it hardly compares with others.
            contrast.suspects = self.suspects_alone(&mut scene, &demands);
            contrast.nearest = Some(nearest);
            return Ok(Some(contrast));
        }
        let Told { slice, causes, suspects } =
            self.tell(&mut scene, (&found, &nearest, least), &demands, stats, progress)?;
        (contrast.slice, contrast.causes, contrast.suspects) = (slice, causes, suspects);
        found.settle().map_err(CheckError::Internal)?;
        nearest.proved_minimal &= found.proved;
        contrast.nearest = Some(nearest);
        Ok(Some(contrast))
    }

    /// The lines to look at by what is known of the failing run alone.
    fn suspects_alone(&self, scene: &mut Scene, demands: &[Term]) -> Vec<Suspect> {
        let size = (scene.equation.steps.len(), scene.equation.elements);
        let near = self.neighbourhood(size, &scene.bounds);
        let judged = self.asked_lines(scene, Compared::default(), demands);
        let runs = Runs { equation: &scene.equation, failing: &scene.failing, passing: None };
        self.suspects(runs, scene.claim, Compared::default(), (judged, &near), (&[], &[]))
    }

    /// What follows from both runs: the differences that matter, and then causes and suspects side by side.
    fn tell(
        &self,
        scene: &mut Scene,
        (found, nearest, least): (&NearestRun, &Nearest, u64),
        demands: &[Term],
        stats: &mut Stats,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Told, CheckError> {
        let started = Instant::now();
        let slice = self.slice(scene, found, demands)?;
        stats.seconds.push(("slicing", started.elapsed().as_secs_f64()));
        let (unwind, steps) = (scene.equation.unwind, scene.equation.steps.len() as u64);
        progress(Progress { phase: "looking for causes", unwind, steps });
        let mut beside = Comparison::of(scene, found, least, self.options.metric);
        let compared = Compared { found: Some(found), nearest: Some(nearest), slice: slice.as_ref() };
        let bounds = scene.bounds.clone();
        let (threads, (steps, elements)) =
            (self.options.check.threads, (scene.equation.steps.len(), scene.equation.elements));
        let causes = || timed(|| self.causes(&mut beside));
        let neighbourhood = || timed(|| self.neighbourhood((steps, elements), &bounds));
        let lines = || timed(|| self.asked_lines(scene, compared, demands));
        let ((causes, for_causes), ((near, for_near), (judged, for_lines))) =
            threads.both(causes, || threads.both(neighbourhood, lines));
        stats.seconds.extend([("causes", for_causes), ("ranking", for_near + for_lines)]);
        let (causes, relations) = causes?.unzip();
        let shown = causes.as_ref().map_or(&[][..], |causes| &causes.shown);
        // What causes are about is in their equation.
        let runs = Runs { equation: &beside.equation, failing: &beside.failing, passing: Some(&beside.passing) };
        let related = relations.unwrap_or_default();
        let suspects = self.suspects(runs, scene.claim, compared, (judged, &near), (shown, &related));
        Ok(Told { slice, causes, suspects })
    }

    /// Lets somebody else begin something with both runs. Where these are compared in predicates, they may still be replaced.
    fn tell_runs(&self, nearest: Option<&Nearest>) {
        if self.options.check.threads.are_many() && self.described.is_none() {
            let passing = nearest.map(|nearest| (nearest.inputs.clone(), nearest.run.clone()));
            let failing = (self.inputs.clone(), self.run.clone());
            (self.beside)(Foretold::Runs(Box::new(BothRuns { claim: self.told.clone(), failing, passing })));
        }
    }

    /// The failing run within some bounds; none if there was no time for it.
    fn scene(&self, bounds: Bounds) -> Result<Option<Scene>, CheckError> {
        let shown = (self.options.metric == Metric::Align).then_some(self.claim);
        let bounds = Bounds { shown, ..bounds };
        let predicates = self.described.map(|described| &described.predicates[..]).unwrap_or_default();
        let watched: Vec<Watched> = predicates.iter().map(|predicate| predicate.watched.clone()).collect();
        let unwound = match self.described {
            None => symex::unwind(self.program, &bounds, &self.stop).map(|equation| (equation, Vec::new())),
            Some(_) => symex::unwind_watching(self.program, &bounds, &self.stop, &watched),
        };
        let Ok((mut equation, moments)) = unwound else { return Ok(None) };
        equation.proved.clone_from(&self.proved);
        let moments = predicate::within::told(self.program, &mut equation, moments, &self.stop);
        let (mut failing, claim) = self.failing(&equation)?;
        let (counted, tracked) = match self.described {
            None => (delta::counted(&equation, claim, self.options.metric), None),
            Some(_) => {
                let tracked = Tracked::new(self.program, &mut equation, &moments, predicates, (&failing, claim));
                // The truths of predicates are variables now, and have values.
                (failing, _) = self.failing(&equation)?;
                (tracked.counted(&equation, claim), Some(tracked))
            }
        };
        let routes = self.routes(&mut equation, &failing, claim);
        let aligned = (self.options.metric == Metric::Align)
            .then(|| self.sequence(&mut equation, tracked.as_ref(), &failing, claim));
        Ok(Some(Scene { bounds, equation, failing, claim, counted, tracked, aligned, routes }))
    }

    /// The failing run in an equation, and the step of the claim that it violates. It must fail there as it does when it
    /// is executed.
    fn failing(&self, equation: &Equation) -> Result<(Execution, usize), CheckError> {
        let wanted = &self.options.check.properties;
        let passed_over = |claim: ClaimRef| match claim {
            ClaimRef::Program(id) => check::is_passed_over(self.program, id, wanted),
            _ => false,
        };
        let failing = Execution::of(equation, self.inputs).passing_over(equation, passed_over);
        let failed = failing.failed.map(|step| (step, &equation.steps[step].kind));
        match failed {
            Some((step, StepKind::Claim { claim: ClaimRef::Program(id), .. })) if *id == self.claim => {
                Ok((failing, step))
            }
            _ => {
                let id = &self.program.claims[self.claim.index()].id;
                Err(CheckError::Internal(format!("the run that violates {id} does not do so in the equation")))
            }
        }
    }

    fn routes(&self, equation: &mut Equation, failing: &Execution, claim: usize) -> Routes {
        match self.options.preconditions {
            // What a run avoids is told even where it may.
            _ if !self.is_formula() => {
                let violated = Violated { program: self.program, sources: self.sources, failing, claim };
                let routes = route::routes(&violated, equation, &|id| self.is_trusted(id), &self.stop);
                match self.options.preconditions {
                    Preconditions::Kept => routes,
                    Preconditions::Free => Routes { applies: routes.applies, ..Routes::default() },
                }
            }
            // What a formula waits for must come about; else all of its parts are moments of the run.
            Preconditions::Kept => equation.trigger.map_or_else(Routes::default, |term| Routes {
                preconditions: vec![Kept::new(term, None)],
                others: vec![equation.terms.tru()],
                ..Routes::default()
            }),
            Preconditions::Free => Routes::default(),
        }
    }

    /// Is it a formula that is violated?
    fn is_formula(&self) -> bool {
        self.program.temporal.as_ref().is_some_and(|temporal| temporal.claim == self.claim)
    }

    /// The steps of the failing run, and those that others may take.
    fn sequence(
        &self,
        equation: &mut Equation,
        tracked: Option<&Tracked>,
        failing: &Execution,
        claim: usize,
    ) -> Sequence {
        let mut components = |equation: &mut Equation, step: usize| match tracked {
            None => sequence::values(self.program, equation, step),
            Some(tracked) => tracked.components(step),
        };
        let wanted = sequence::Wanted {
            claim,
            claims: &|id| self.is_compared(id),
            components: &mut components,
            returns: tracked.is_some(),
            weights: self.options.weights.map(Weights::of),
        };
        Sequence::of(self.program, equation, failing, wanted)
    }

    /// Is a claim a step where runs are aligned?
    fn is_compared(&self, id: ClaimId) -> bool {
        let is_written = self.program.claims[id.index()].kind == ClaimKind::Assertion;
        id == self.claim || (is_written && !check::is_passed_over(self.program, id, &self.options.check.properties))
    }

    fn is_trusted(&self, function: FunctionId) -> bool {
        let name = &self.program.function(function).name;
        self.options.trust.iter().any(|pattern| matches_pattern(pattern, name))
    }

    /// The nearest passing run, of those that explain if there are any.
    fn nearest(&self, scene: &mut Scene, stop: &Stop, progress: &mut dyn FnMut(Progress)) -> Result<Way, CheckError> {
        let Scene { equation, failing, claim, counted, tracked, aligned, routes, .. } = scene;
        let aligned = aligned.as_ref();
        let (unwind, steps) = (equation.unwind, equation.steps.len() as u64);
        progress(Progress { phase: "looking for the nearest passing run", unwind, steps });
        let mut way = None;
        for mut next in levels(equation, routes) {
            if let (Some(tracked), None) = (&tracked, aligned) {
                let run = predicate::nearest::Compared {
                    failing,
                    claim: *claim,
                    points: &tracked.points,
                    truths: &tracked.truths,
                };
                let known = predicate::nearest::nearest(equation, &run, &next.placed(*claim), stop);
                next.abstractly = Some(known);
            }
            next.answer = match next.abstractly {
                Some(known) if known.end == predicate::nearest::End::None => Answer::None,
                _ => {
                    let (program, kept, conflicts) = (self.program, next.demands(), self.conflicts);
                    let proof = Some(self.options.check.threads);
                    let question =
                        Question { program, equation, failing, counted, aligned, kept, conflicts, proof, stop };
                    nearest::nearest(question).map_err(CheckError::Internal)?
                }
            };
            let found = !matches!(next.answer, Answer::None);
            way = Some(next);
            if found {
                break;
            }
        }
        Ok(way.unwrap_or_else(|| Way::nothing_kept(false)))
    }

    /// Where the solver found no passing run in its time, the nearest of some short texts on standard input with which nothing fails, those first that
    /// come to the check.
    fn executed(&self, way: &Way, scene: &mut Scene) -> Option<Way> {
        if !matches!(way.answer, Answer::Unknown) || scene.aligned.is_some() || scene.tracked.is_some() {
            return None;
        }
        let mut best: Option<((bool, bool, u64), NearestRun)> = None;
        for inputs in texts::passing(self.program, self.inputs, MOST_TEXTS) {
            let Scene { equation, failing, counted, .. } = &mut *scene;
            let run = NearestRun::executed(equation, failing, counted, inputs);
            if run.execution.failed.is_some() {
                continue;
            }
            let (avoids, comes) = (scene.is_avoided_by(&run.execution), scene.comes_to_claim(&run.execution));
            let place = (!comes, avoids, run.distance);
            if best.as_ref().is_none_or(|(known, _)| place < *known) {
                best = Some((place, run));
            }
        }
        let (_, run) = best?;
        Some(Way { answer: Answer::Found(Box::new(run)), ..Way::nothing_kept(false) })
    }

    /// A nearer run that passes because the check does not apply, if one is found with little effort; and how near any passing run is at least.
    fn avoiding(
        &self,
        scene: &mut Scene,
        found: &NearestRun,
        stop: &Stop,
    ) -> Result<(Option<Avoiding>, u64), CheckError> {
        let Scene { equation, failing, counted, aligned, tracked, .. } = scene;
        if tracked.is_some() || MOST_FOR_AVOIDING / found.thrift < LEAST_FOR_AVOIDING {
            return Ok((None, 0));
        }
        let (program, aligned, kept, conflicts) = (self.program, aligned.as_ref(), Vec::new(), MOST_FOR_AVOIDING);
        // What is told of it is that it is nearer, not that it is the nearest.
        let question = Question { program, equation, failing, counted, aligned, kept, conflicts, proof: None, stop };
        let Answer::Found(nearer) = nearest::nearest(question).map_err(CheckError::Internal)? else {
            return Ok((None, 0));
        };
        let least = nearer.lower_bound;
        if nearer.distance >= found.distance || !scene.is_avoided_by(&nearer.execution) {
            return Ok((None, least));
        }
        let run = recheck::passes(self.program, &nearer.inputs).map_err(CheckError::Internal)?;
        let named = named_inputs(&run);
        let otherwise = scene.routes.applies.iter().filter(|kept| !nearer.execution.meets(&scene.equation, kept.term));
        let guessed = otherwise.into_iter().all(|kept| kept.in_claim == InClaim::Part);
        Ok((Some(Avoiding { distance: nearer.distance, inputs: nearer.inputs, named, guessed }), least))
    }
}

/// What some work came to, and how long it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed().as_secs_f64())
}
