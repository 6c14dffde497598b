//! Why does the program fail? The failing run beside the nearest passing one, and what that tells.
//!
//! `check` finds the failing run; what follows is a method each: [`method::nearest`](crate::method) and its neighbours.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use nearmiss_logic::term::Term;

use crate::check::{self, CheckError, CheckOptions, Progress};
use crate::equation::{Bound, ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{
    Assumption, AssumptionOrigin, Causes, Contrast, Delta, DeltaKind, Executed, Explanation, Listing, Metric, Nearest,
    Slice, SliceMethod, State, Stats, named_inputs,
};
use crate::focus;
use crate::method::cause::{self, Runs};
use crate::method::delta::{self, Counted};
use crate::method::depth::{self, Beyond};
use crate::method::nearest::{Answer, Found, Question, Search};
use crate::method::route::{self, Kept, Routes};
use crate::method::slice::{self, Slicer};
use crate::method::suspect::{self, Evidence};
use crate::method::wording::Wording;
use crate::program::{ClaimId, FunctionId, Program};
use crate::recheck;
use crate::run::Inputs;
use crate::source::{Diagnostic, FileId, Severity, Sources, Span};
use crate::symex::{self, Bounds, Watch};
use crate::watched::Watched;

/// What to explain, and how.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// How the failing run is found.
    pub check: CheckOptions,
    /// A failing run that is given (`--counterexample`) instead of found.
    pub given: Option<Inputs>,
    /// What a distance counts.
    pub metric: Metric,
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
    /// Functions that are never suspects, by patterns with `*` and `?`.
    pub trust: Vec<String>,
    /// How many more times than the failing run's a loop may be unwound for the passing run; none: as far as it helps.
    pub depth: Option<u32>,
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

/// Between which variables relations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hypotheses {
    /// None at all.
    None,
    /// Inputs.
    Inputs,
    /// Inputs, and the variables of the program as they are when the claim is reached.
    #[default]
    Source,
    /// Every single assignment that is executed.
    All,
}

/// Explains the failure, if there is one.
pub fn explain(
    program: &Program,
    sources: &Sources,
    options: &ExplainOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    if options.metric == Metric::Align || options.state == State::Predicates {
        let message = "--metric align and --state predicates are not there yet".to_owned();
        let error = Diagnostic { severity: Severity::Error, message, span: None, help: None };
        return Err(CheckError::Input(vec![error]));
    }
    let mut explanation = failure(program, options, progress)?;
    let (Some(counterexample), Some(property)) = (&explanation.counterexample, explanation.property) else {
        return Ok(explanation);
    };
    // Distances count what loops could have done, so loops are unwound as little as the failing run allows.
    let Some(bounds) = check::bounds_for(program, &options.check, &counterexample.inputs)? else {
        return Ok(explanation);
    };
    let watch = Watch { stop: options.check.stop.clone(), deadline: options.check.deadline };
    let failure =
        Failure { program, sources, options, inputs: &counterexample.inputs, claim: ClaimId(property as u32), watch };
    let mut stats = std::mem::take(&mut explanation.stats);
    let contrast = failure.contrast(bounds, &mut stats, progress)?;
    explanation.stats = stats;
    explanation.contrast = contrast;
    Ok(explanation)
}

fn failure(
    program: &Program,
    options: &ExplainOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    match &options.given {
        Some(given) => check::given(program, &options.check, given),
        None => {
            let check = CheckOptions { share_of_minimising: SHARE_OF_MINIMISING, ..options.check.clone() };
            check::check(program, &check, progress)
        }
    }
}

/// The search for the nearest passing run at the failing run's own depth as a weighted MaxSAT instance.
pub fn dump_nearest(program: &Program, sources: &Sources, options: &ExplainOptions) -> Result<String, CheckError> {
    let nothing = |message: &str| {
        let error = Diagnostic { severity: Severity::Error, message: message.to_owned(), span: None, help: None };
        CheckError::Input(vec![error])
    };
    let found = failure(program, options, &mut |_| {})?;
    let (Some(counterexample), Some(property)) = (&found.counterexample, found.property) else {
        return Err(nothing("no failing run was found, so there is nothing to compare with"));
    };
    let inputs = &counterexample.inputs;
    let watch = Watch { stop: options.check.stop.clone(), deadline: options.check.deadline };
    let failure = Failure { program, sources, options, inputs, claim: ClaimId(property as u32), watch };
    let bounds = check::bounds_for(program, &options.check, inputs)?;
    let scene = bounds.map_or(Ok(None), |bounds| failure.scene(bounds))?;
    let mut scene = scene.ok_or_else(|| nothing("interrupted while unwinding"))?;
    let kept = failure.nearest(&mut scene, &failure.watch, &mut |_| {}).demands();
    let Scene { equation, failing, counted, .. } = &mut scene;
    let question = Question { program, equation, failing, counted, kept, watch: &failure.watch };
    Search::new(question).wcnf().ok_or_else(|| CheckError::Internal("the clauses were not recorded".to_owned()))
}

/// Beyond the bound of the failing run, so many rounds of unwinding are tried.
const MOST_ROUNDS: u32 = 12;
/// Equations beyond the bound have at most so many steps.
const MOST_STEPS: usize = 20_000;

/// Of the time that is left when it starts, so many percent may be used for a small failing run.
const SHARE_OF_MINIMISING: u32 = 20;
/// The same for the nearest run.
const SHARE_OF_NEAREST: u32 = 50;
/// The same for the slice.
const SHARE_OF_SLICE: u32 = 50;
/// The same for causes.
const SHARE_OF_CAUSES: u32 = 80;
/// The same for every way in which the claim fails.
const SHARE_OF_FOCUS: u32 = 20;
/// Equations of which every way to fail is looked at have at most so many steps.
const MOST_FOCUSED: usize = 1_000;

/// A failing run to be explained.
struct Failure<'a> {
    program: &'a Program,
    sources: &'a Sources,
    options: &'a ExplainOptions,
    inputs: &'a Inputs,
    claim: ClaimId,
    watch: Watch,
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
    /// Variables that would count, but are not there at the failing run's own depth.
    deeper: u64,
    routes: Routes,
}

/// What came of the search for a passing run, and what it was made to have in common with the failing one.
struct Way {
    answer: Answer,
    kept: Vec<(Kept, AssumptionOrigin)>,
    /// Some way out of the failure that does not avoid the check.
    some_route: Option<Term>,
    only_avoidance: bool,
}

impl Way {
    fn demands(&self) -> Vec<Term> {
        self.kept.iter().map(|(kept, _)| kept.term).chain(self.some_route).collect()
    }

    fn distance(&self, scene: &Scene) -> Option<u64> {
        match &self.answer {
            Answer::Found(found) => Some(found.distance + scene.deeper),
            _ => None,
        }
    }
}

/// What is known of runs beyond the bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// None there is nearer.
    Settled,
    /// The bound is the user's: nobody asks what is beyond.
    Given,
    /// Not known; none is nearer than this.
    Open(u64),
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
        let Some(mut scene) = self.scene(bounds)? else { return Ok(None) };
        let watch = self.watch.share(SHARE_OF_NEAREST);
        let way = self.nearest(&mut scene, &watch, progress);
        let (mut scene, way, depth) = self.deepen(scene, way, &watch, progress)?;
        stats.seconds.push(("nearest", started.elapsed().as_secs_f64()));
        let mut contrast = Contrast {
            nearest: None,
            none_exists: matches!(way.answer, Answer::None),
            none_deeper: depth == Depth::Settled,
            assumptions: self.assumptions(&scene, &way),
            only_avoidance: way.only_avoidance,
            slice: None,
            causes: None,
            suspects: Vec::new(),
        };
        let demands = way.demands();
        let found = match way.answer {
            Answer::Found(found) => found,
            Answer::None | Answer::Unknown => return Ok(Some(contrast)),
            Answer::Refuted => {
                let what = "a second proof found a nearer passing run than the nearest";
                return Err(CheckError::Internal(what.to_owned()));
            }
        };

        let started = Instant::now();
        contrast.nearest = Some(self.describe(&mut scene, &found, &demands, depth)?);
        stats.seconds.push(("replaying", started.elapsed().as_secs_f64()));
        let started = Instant::now();
        contrast.slice = self.slice(&mut scene, &found, &demands)?;
        stats.seconds.push(("slicing", started.elapsed().as_secs_f64()));
        let started = Instant::now();
        contrast.causes = self.causes(&mut scene, &found, progress)?;
        stats.seconds.push(("causes", started.elapsed().as_secs_f64()));
        let started = Instant::now();
        let neighbourhood = self.neighbourhood(&scene);
        let evidence = Evidence {
            program: self.program,
            sources: self.sources,
            failing: &scene.failing,
            passing: Some(&found.execution),
            claim: scene.claim,
            deltas: contrast.nearest.as_ref().map_or(&[], |nearest| &nearest.deltas),
            slice: contrast.slice.as_ref().map_or(&[], |slice| &slice.deltas),
            causes: contrast.causes.as_ref(),
            demands: &demands,
            neighbourhood: &neighbourhood,
            trusted: &|id| self.is_trusted(id),
            watch: &self.watch,
        };
        contrast.suspects = suspect::suspects(&mut scene.equation, &evidence);
        stats.seconds.push(("ranking", started.elapsed().as_secs_f64()));
        Ok(Some(contrast))
    }

    /// The lines in the neighbourhood of the error, whichever way the claim fails; none where that takes long.
    fn neighbourhood(&self, scene: &Scene) -> BTreeSet<(FileId, u32)> {
        if scene.equation.steps.len() > MOST_FOCUSED {
            return BTreeSet::new();
        }
        let narrowed = check::narrow(self.program, &self.options.check.properties).ok().flatten();
        let program = narrowed.as_ref().unwrap_or(self.program);
        let watch = self.watch.share(SHARE_OF_FOCUS);
        focus::common_neighbourhood(program, self.sources, &scene.bounds, self.claim, &watch).unwrap_or_default()
    }

    /// The failing run within some bounds; none if there was no time for it. It must fail in the equation as it does
    /// when it is executed.
    fn scene(&self, bounds: Bounds) -> Result<Option<Scene>, CheckError> {
        let Ok(mut equation) = symex::unwind(self.program, &bounds, &self.watch) else { return Ok(None) };
        let wanted = &self.options.check.properties;
        let passed_over = |claim: ClaimRef| match claim {
            ClaimRef::Program(id) => check::is_passed_over(self.program, id, wanted),
            _ => false,
        };
        let failing = Execution::of(&equation, self.inputs).passing_over(&equation, passed_over);
        let failed = failing.failed.map(|step| (step, &equation.steps[step].kind));
        let claim = match failed {
            Some((step, StepKind::Claim { claim: ClaimRef::Program(id), .. })) if *id == self.claim => step,
            _ => {
                let id = &self.program.claims[self.claim.index()].id;
                return Err(CheckError::Internal(format!("the run that violates {id} does not do so in the equation")));
            }
        };
        let counted = delta::counted(&equation, claim, self.options.metric);
        let routes = match self.options.preconditions {
            Preconditions::Kept => {
                route::routes(&mut equation, &failing, claim, &|id| self.is_trusted(id), &self.watch)
            }
            Preconditions::Free => Routes::default(),
        };
        Ok(Some(Scene { bounds, equation, failing, claim, counted, deeper: 0, routes }))
    }

    /// The differences between the failing run and a passing one.
    fn deltas(&self, equation: &Equation, counted: &[Counted], failing: &Execution, passing: &Execution) -> Vec<Delta> {
        let mut deltas = delta::deltas(equation, counted, failing, passing);
        deltas.iter_mut().for_each(|delta| delta.trusted = self.is_trusted(delta.function));
        deltas
    }

    fn is_trusted(&self, function: FunctionId) -> bool {
        let name = &self.program.function(function).name;
        self.options.trust.iter().any(|pattern| matches_pattern(pattern, name))
    }

    /// The nearest passing run, of those that explain if there are any.
    fn nearest(&self, scene: &mut Scene, watch: &Watch, progress: &mut dyn FnMut(Progress)) -> Way {
        let Scene { equation, failing, counted, routes, .. } = scene;
        let (unwind, steps) = (equation.unwind, equation.steps.len() as u64);
        progress(Progress { phase: "looking for the nearest passing run", unwind, steps });
        let with = |kept: &[Kept], origin| kept.iter().map(move |kept| (kept.clone(), origin)).collect::<Vec<_>>();
        let preconditions = with(&routes.preconditions, AssumptionOrigin::Precondition);
        let expected = with(&routes.expected, AssumptionOrigin::Expected);
        let entrances = with(&routes.entrances, AssumptionOrigin::Entrance);
        // From the most to the least that is kept.
        let mut levels: Vec<(Vec<_>, Option<Term>)> = Vec::new();
        if !routes.others.is_empty() {
            let some_route = Some(equation.terms.or_all(&routes.others));
            for more in [[&expected[..], &entrances[..]], [&expected, &[]], [&[], &entrances], [&[], &[]]] {
                let kept = [&preconditions[..], more[0], more[1]].concat();
                if !kept.is_empty() && levels.last().is_none_or(|(last, _)| last.len() != kept.len()) {
                    levels.push((kept, some_route));
                }
            }
        }
        let explains = levels.len();
        levels.push((Vec::new(), None));
        let can_avoid = !routes.preconditions.is_empty();
        let mut way = Way { answer: Answer::Unknown, kept: Vec::new(), some_route: None, only_avoidance: false };
        for (level, (kept, some_route)) in levels.into_iter().enumerate() {
            let only_avoidance = can_avoid && level == explains;
            way = Way { answer: Answer::Unknown, kept, some_route, only_avoidance };
            let question = Question { program: self.program, equation, failing, counted, kept: way.demands(), watch };
            way.answer = Search::new(question).nearest(&mut |_, _| {});
            if !matches!(way.answer, Answer::None) {
                return way;
            }
        }
        way
    }

    /// Looks beyond the bound as long as a nearer run may be there.
    fn deepen(
        &self,
        scene: Scene,
        way: Way,
        watch: &Watch,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Scene, Way, Depth), CheckError> {
        let shallow = depth::keys(&scene.equation, &scene.counted);
        let (mut best, mut best_way) = (scene, way);
        // Deeper than the best, and without a nearer run.
        let mut frontier: Option<Scene> = None;
        let rounds = self.options.depth.unwrap_or(MOST_ROUNDS);
        let mut known = 0;
        for round in 0.. {
            let distance = best_way.distance(&best);
            if matches!(best_way.answer, Answer::Unknown | Answer::Refuted) {
                break;
            }
            let demands = best_way.demands();
            let (scene, demands) = match &mut frontier {
                Some(scene) => (scene, Vec::new()),
                None => (&mut best, demands),
            };
            if scene.equation.bounds_hit.is_empty() {
                return Ok((best, best_way, Depth::Settled));
            }
            let room = distance.map(|distance| distance.saturating_sub(scene.deeper));
            let beyond = depth::beyond(&mut scene.equation, &scene.failing, &scene.counted, &demands, room, watch);
            let hit = match beyond {
                Beyond::Nothing => return Ok((best, best_way, Depth::Settled)),
                Beyond::Unknown => break,
                Beyond::Something { lower_bound, hit } => {
                    known = lower_bound + scene.deeper;
                    hit
                }
            };
            let mut bounds = scene.bounds.clone();
            let hit = hit.iter().map(|hit| &scene.equation.bounds_hit[*hit as usize].0);
            let (may, must_not): (Vec<_>, Vec<_>) = hit.partition(|bound| check::may_grow(&bounds, bound));
            if may.is_empty() {
                let given = must_not.iter().all(|bound| **bound != Bound::Depth);
                return Ok((best, best_way, if given { Depth::Given } else { Depth::Open(known) }));
            }
            if round >= rounds {
                break;
            }
            for bound in may {
                // One more round where that may help, many more where there is nothing yet.
                match distance {
                    Some(_) => check::grow_by_one(&mut bounds, bound),
                    None => check::grow(&mut bounds, bound),
                }
            }
            let Some(mut next) = self.scene(bounds)? else { break };
            let Some(shared) = depth::shared(&shallow, &next.equation, &next.counted) else { break };
            next.deeper = (next.counted.len() - shared.len()) as u64;
            next.counted = shared;
            // A run that exists only at this depth differs in all variables that the depth adds.
            if next.equation.steps.len() > MOST_STEPS || distance.is_some_and(|distance| next.deeper >= distance) {
                known = known.max(distance.map_or(0, |distance| distance.min(next.deeper)));
                break;
            }
            let way = self.nearest(&mut next, watch, progress);
            let nearer = match (way.distance(&next), distance) {
                (Some(new), Some(old)) => new < old,
                (new, _) => new.is_some(),
            };
            if nearer {
                (best, best_way, frontier) = (next, way, None);
            } else {
                frontier = Some(next);
            }
        }
        let settled = best_way.distance(&best).is_some_and(|distance| known >= distance);
        Ok((best, best_way, if settled { Depth::Settled } else { Depth::Open(known) }))
    }

    /// The passing run, once it has been executed and compared.
    fn describe(
        &self,
        scene: &mut Scene,
        found: &Found,
        demands: &[Term],
        depth: Depth,
    ) -> Result<Nearest, CheckError> {
        let run = recheck::passes(self.program, &found.inputs).map_err(CheckError::Internal)?;
        let deltas = self.deltas(&scene.equation, &scene.counted, &scene.failing, &found.execution);
        if deltas.len() as u64 != found.distance {
            return Err(CheckError::Internal(format!(
                "the nearest passing run should differ in {} variables, but it differs in {}",
                found.distance,
                deltas.len()
            )));
        }
        let all = (self.options.nearest_all == Wanted::Yes).then(|| {
            let Scene { equation, failing, counted, .. } = scene;
            let (program, kept, watch) = (self.program, demands.to_vec(), &self.watch);
            let mut search = Search::new(Question { program, equation, failing, counted, kept, watch });
            let (runs, complete) = search.all(found.distance);
            let executed = |run: &Found| -> Vec<Delta> {
                let deltas = self.deltas(&scene.equation, &scene.counted, &scene.failing, &run.execution);
                deltas.into_iter().filter(|delta| delta.executed != Executed::Neither).collect()
            };
            let own = executed(found);
            let is_own = |set: &Vec<Delta>| set.iter().map(|delta| &delta.name).eq(own.iter().map(|delta| &delta.name));
            let others: Vec<Vec<Delta>> = runs.iter().map(executed).filter(|set| !is_own(set)).collect();
            Listing { sets: std::iter::once(own).chain(others).collect(), complete }
        });
        let distance = found.distance + scene.deeper;
        let lower_bound = (found.lower_bound + scene.deeper).min(match depth {
            Depth::Settled | Depth::Given => u64::MAX,
            Depth::Open(known) => known,
        });
        Ok(Nearest {
            distance,
            lower_bound,
            proved_minimal: found.proved && lower_bound == distance,
            metric: self.options.metric,
            named: named_inputs(&run),
            inputs: found.inputs.clone(),
            run,
            deltas,
            unwind: scene.equation.unwind,
            deeper: scene.deeper,
            all,
        })
    }

    /// What was kept, in words: the condition of the branch as it is written, or a part of the claim as C would write
    /// it.
    fn assumption(&self, scene: &Scene, kept: &Kept, origin: AssumptionOrigin) -> Assumption {
        let at = kept.branch.unwrap_or(scene.claim);
        let span = scene.equation.steps[at].span;
        let written = self.sources.text(span);
        let text = match scene.equation.steps[at].kind {
            StepKind::Guard { condition, .. } => {
                let holds = scene.failing.evaluator(&scene.equation).holds(condition);
                if holds { written.to_owned() } else { format!("!({written})") }
            }
            _ => Wording::of(self.program, &scene.equation).condition(kept.term).unwrap_or_else(|| written.to_owned()),
        };
        Assumption { text, span, origin }
    }

    /// What was kept, each condition once.
    fn assumptions(&self, scene: &Scene, way: &Way) -> Vec<Assumption> {
        let mut assumptions: Vec<Assumption> = Vec::new();
        for (kept, origin) in &way.kept {
            let assumption = self.assumption(scene, kept, *origin);
            if !assumptions.contains(&assumption) {
                assumptions.push(assumption);
            }
        }
        assumptions
    }

    /// Relations that cause the failure; none if they were not asked for.
    fn causes(
        &self,
        scene: &mut Scene,
        found: &Found,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Causes>, CheckError> {
        if self.options.hypotheses == Hypotheses::None {
            return Ok(None);
        }
        let Scene { equation, failing, counted, claim, .. } = scene;
        let (unwind, steps) = (equation.unwind, equation.steps.len() as u64);
        progress(Progress { phase: "looking for causes", unwind, steps });
        let line = |span: Span| self.sources.position(span).line;
        let (program, passing, claim) = (self.program, &found.execution, *claim);
        let runs = Runs { program, failing, passing, counted, claim, line: &line };
        let watch = self.watch.share(SHARE_OF_CAUSES);
        let causes = cause::causes(&runs, equation, self.options.hypotheses, &watch);
        causes.map(Some).map_err(CheckError::Internal)
    }

    /// The differences that matter; none if they were not asked for or there was no time.
    fn slice(&self, scene: &mut Scene, found: &Found, demands: &[Term]) -> Result<Option<Slice>, CheckError> {
        let Scene { equation, failing, counted, claim, .. } = scene;
        let watch = &self.watch.share(SHARE_OF_SLICE);
        // Every set is evaluated by code that knows no solver before it is shown.
        let checked = |equation: &Equation, passing: &Execution, kept: &[usize], all: &[Delta]| {
            let variables: Vec<_> = counted.iter().map(|counted| counted.variable).collect();
            let taken = kept.iter().map(|at| counted[*at].variable).collect();
            recheck::slice(equation, &variables, &taken, [failing, passing], demands).map_err(CheckError::Internal)?;
            Ok(pick(equation, counted, all, kept))
        };
        let (deltas, proved_minimal, routes) = match self.options.slice {
            SliceMethod::None => return Ok(None),
            SliceMethod::TwoPhase => {
                let passing = &found.execution;
                let mut slicer = Slicer::two_phase(equation, counted, failing, passing, demands, watch);
                let Some(slice) = slicer.smallest().map_err(CheckError::Internal)? else { return Ok(None) };
                let all = self.deltas(equation, counted, failing, passing);
                let mut routes = None;
                if self.options.routes == Wanted::Yes {
                    let (sets, complete) = slicer.all(slice.kept.len());
                    let sets: Result<_, _> = sets.iter().map(|kept| checked(equation, passing, kept, &all)).collect();
                    routes = Some(Listing { sets: sets?, complete });
                }
                (checked(equation, passing, &slice.kept, &all)?, slice.proved, routes)
            }
            SliceMethod::OneStep => {
                let one = slice::one_step(equation, counted, failing, demands, watch);
                let Some(one) = one.map_err(CheckError::Internal)? else {
                    return Ok(None);
                };
                recheck::passes(self.program, &one.inputs).map_err(CheckError::Internal)?;
                let all = self.deltas(equation, counted, failing, &one.passing);
                (checked(equation, &one.passing, &one.slice.kept, &all)?, one.slice.proved, None)
            }
        };
        let own = equation.steps[*claim].span;
        let avoids_check = deltas.iter().all(|delta| delta.kind == DeltaKind::Input || own.contains(delta.span));
        Ok(Some(Slice { method: self.options.slice, deltas, proved_minimal, routes, avoids_check }))
    }
}

/// Some of the differences, by the places of their variables among those that count.
fn pick(equation: &Equation, counted: &[Counted], deltas: &[Delta], kept: &[usize]) -> Vec<Delta> {
    let names: HashSet<String> = kept.iter().map(|&at| equation.versioned_name(counted[at].variable)).collect();
    deltas.iter().filter(|delta| names.contains(&delta.name)).cloned().collect()
}

/// Does a name match a pattern with `*` (anything) and `?` (one character)?
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*' {
            (p, n) = (p + 1, n + 1);
        } else if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if let Some((at, from)) = star {
            (p, n) = (at + 1, from + 1);
            star = Some((at, from + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn patterns_match_as_in_a_shell() {
        assert!(matches_pattern("ref_*", "ref_advise"));
        assert!(matches_pattern("*", ""));
        assert!(matches_pattern("a?c*e", "abcdde"));
        assert!(!matches_pattern("ref_*", "advise"));
        assert!(!matches_pattern("a?c", "ac"));
        assert!(matches_pattern("*a*b", "xaxbxb"));
    }
}
