//! The failing run beside the passing one, compared in predicates.

use std::collections::{BTreeSet, HashSet};
use std::time::Instant;

use nearmiss_logic::term::Term;

use super::{ExplainOptions, Failure, Hypotheses, SHARE_OF_SLICE, Scene, Wanted, Way, levels};
use crate::check::{CheckError, Progress};
use crate::equation::VariableId;
use crate::execution::Execution;
use crate::explanation::{
    Contrast, Delta, DeltaKind, Described as Told, Description, Listing, Metric, Slice, SliceMethod, State, Stats,
};
use crate::method::delta::Differences;
use crate::method::nearest::Found;
use crate::method::predicate::nearest::{End, Known};
use crate::method::predicate::refine::Trouble;
use crate::method::predicate::{self, Described, Vocabulary};
use crate::program::Program;
use crate::recheck;
use crate::run::{Run, RunStep, RunStepKind};
use crate::source::{Diagnostic, Severity};
use crate::symex::{self, Bounds};
use crate::watched::Watched;

/// Of the time that is left, so many percent may be used for finding predicates.
const SHARE_OF_PREDICATES: u32 = 40;
/// Longer unwindings are not looked at before every step.
const MOST_STEPS: usize = 5_000;
/// Of the time that is left then, where both metrics are tried, so many percent are for the first.
const SHARE_OF_FIRST_METRIC: u32 = 60;

impl Failure<'_> {
    /// What to tell if the run is too long to be compared in predicates; nothing if that is not asked for.
    pub(super) fn too_long_for_predicates(&self, bounds: &Bounds) -> Option<Diagnostic> {
        if self.options.state == State::Values {
            return None;
        }
        let equation = symex::unwind(self.program, bounds, &self.watch).ok()?;
        let steps = equation.steps.len();
        (steps > MOST_STEPS).then(|| Diagnostic {
            severity: Severity::Note,
            message: format!("the program unwinds to {steps} steps, which is too long for --state predicates"),
            span: None,
            help: Some("the runs are compared in values instead".to_owned()),
        })
    }

    /// The same as [`Failure::contrast`], once it is known which predicates describe the failure.
    pub(super) fn contrast_of_predicates(
        &self,
        bounds: Bounds,
        stats: &mut Stats,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Contrast>, CheckError> {
        let started = Instant::now();
        let mut program = self.program.clone();
        let Some(described) = self.describe_in_predicates(&bounds, &mut program, progress)? else { return Ok(None) };
        stats.seconds.push(("predicates", started.elapsed().as_secs_f64()));
        stats.counts.push(("predicates", described.predicates.len() as u64));
        let own = Failure { program: &program, described: Some(&described), watch: self.watch.clone(), ..*self };
        if self.options.other_metric == Wanted::No {
            return own.contrast(bounds, stats, progress);
        }
        // Causes are relations between values, the same whatever the metric: they are looked for once.
        let options = ExplainOptions { metric: Metric::Ssa, ..self.options.clone() };
        let ssa = Failure { options: &options, watch: self.watch.share(SHARE_OF_FIRST_METRIC), ..own };
        let ssa = ssa.contrast(bounds.clone(), stats, progress)?;
        let options = ExplainOptions { metric: Metric::Align, hypotheses: Hypotheses::None, ..options };
        let watch = self.watch.clone();
        let aligned = Failure { options: &options, watch, program: &program, described: Some(&described), ..*self };
        let aligned = aligned.contrast(bounds, stats, progress)?;
        Ok(match (ssa, aligned) {
            (Some(ssa), Some(aligned)) => Some(self.better(ssa, aligned)),
            (ssa, aligned) => ssa.or(aligned),
        })
    }

    /// Of two explanations by different metrics the better one: one that has a passing run, that does not avoid the
    /// check or come to it later, with fewer differences that matter.
    fn better(&self, ssa: Contrast, aligned: Contrast) -> Contrast {
        if ssa.nearest.is_none() && aligned.nearest.is_none() {
            return ssa;
        }
        let judged = [&ssa, &aligned].map(|contrast| self.judged(contrast));
        let [of_ssa, of_aligned] = &judged;
        let (by_ssa, by_alignment) = ("by single assignments", "by alignment");
        let (take_ssa, ours, theirs) = match of_ssa <= of_aligned {
            true => (true, by_ssa, by_alignment),
            false => (false, by_alignment, by_ssa),
        };
        let (own, other) = if take_ssa { (of_ssa, of_aligned) } else { (of_aligned, of_ssa) };
        let differences = |number: usize| match number {
            1 => "1 difference matters".to_owned(),
            _ => format!("{number} differences matter"),
        };
        let why = match (own, other) {
            (_, Judged { none: true, .. }) => format!("{theirs} no passing run was found"),
            (_, Judged { avoids: true, .. }) if !own.avoids => {
                format!("{theirs} the nearest run only avoids the check")
            }
            (_, Judged { later: true, .. }) if !own.later => {
                format!("{theirs} the nearest run only comes to the check later or not at all")
            }
            _ if own.mattering == other.mattering => format!("{}, {theirs} as many", differences(own.mattering)),
            _ => format!("{}, {theirs} {}", differences(own.mattering), other.mattering),
        };
        let reason = Some(format!("runs are compared {ours}: {why}"));
        match take_ssa {
            true => Contrast { metric_reason: reason, ..ssa },
            false => Contrast { metric_reason: reason, causes: ssa.causes, ..aligned },
        }
    }

    fn judged(&self, contrast: &Contrast) -> Judged {
        let claims = |run: &Run| {
            let is_it = |step: &&RunStep| matches!(step.kind, RunStepKind::Claim { claim, .. } if claim == self.claim);
            run.steps.iter().filter(is_it).count()
        };
        let nearest = contrast.nearest.as_ref();
        let slice = contrast.slice.as_ref();
        Judged {
            none: nearest.is_none(),
            avoids: contrast.only_avoidance || slice.is_some_and(|slice| slice.avoids_check),
            later: nearest.is_some_and(|nearest| claims(&nearest.run) < claims(self.run)),
            mattering: slice.map_or(usize::MAX, |slice| slice.deltas.len()),
        }
    }

    /// The predicates that describe the failure; none if there was no time to unwind the program.
    fn describe_in_predicates(
        &self,
        bounds: &Bounds,
        program: &mut Program,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Described>, CheckError> {
        let vocabulary = Vocabulary::new(program, &self.options.predicates);
        let unwound = symex::unwind_watching(program, bounds, &self.watch, &vocabulary.watched());
        let Ok((mut equation, moments)) = unwound else { return Ok(None) };
        let (unwind, steps) = (equation.unwind, equation.steps.len() as u64);
        progress(Progress { phase: "looking for predicates", unwind, steps });
        let (failing, claim) = self.failing(&equation)?;
        let routes = self.routes(&mut equation, &failing, claim);
        let watch = &self.watch.share(SHARE_OF_PREDICATES);
        let levels = levels(&mut equation, &routes);
        let passable = levels.iter().find(|level| predicate::may_pass(&mut equation, &level.demands(), watch));
        let kept = passable.map(|level| level.placed(claim)).unwrap_or_default();
        let (kept, may_pass) = (&kept[..], passable.is_some());
        let (equation, moments, failing) = (&mut equation, &moments[..], &failing);
        let failure = predicate::Failure { equation, moments, failing, claim, kept, may_pass, watch };
        Ok(Some(vocabulary.describe(program, failure)))
    }

    /// Differences of predicates with the numbers of the steps before which they are seen.
    pub(super) fn numbered(&self, scene: &Scene, passing: &Execution, mut differences: Differences) -> Differences {
        let Some(tracked) = &scene.tracked else { return differences };
        let step_of = |variable: VariableId| scene.counted.iter().find(|counted| counted.variable == variable);
        for (delta, behind) in differences.deltas.iter_mut().zip(&differences.behind) {
            if let Some(counted) = behind.first().and_then(|variable| step_of(*variable)) {
                let number = |run| tracked.number(run, counted.variable, counted.step);
                delta.steps = Some([number(&scene.failing), number(passing)]);
            }
        }
        differences
    }

    /// What a predicate says on both sides.
    pub(super) fn told(&self, delta: &Delta) -> Option<[String; 2]> {
        let predicates = &self.described.filter(|_| delta.kind == DeltaKind::Predicate)?.predicates;
        let predicate = predicates.iter().find(|predicate| predicate.watched.text == delta.variable)?;
        let told = |holds: u128| match holds {
            0 => predicate.opposite.clone(),
            _ => predicate.watched.text.clone(),
        };
        Some([told(delta.failing), told(delta.passing)])
    }

    /// The differences of predicates and branches that matter; none if they were not asked for or there was no time.
    pub(super) fn slice_of_predicates(
        &self,
        scene: &mut Scene,
        found: &Found,
        kept: &[(usize, Term)],
    ) -> Result<Option<Slice>, CheckError> {
        if self.options.slice == SliceMethod::None {
            return Ok(None);
        }
        let watch = self.watch.share(SHARE_OF_SLICE);
        let all = self.differences(scene, &found.execution);
        let Scene { equation, failing, counted, claim, tracked, .. } = scene;
        let Some(tracked) = tracked else { return Ok(None) };
        // Of slices of the same size, one of differences that are shown: an alignment does not compare everything.
        let shown: HashSet<VariableId> = all.behind.iter().flatten().copied().collect();
        let mut counted = counted.clone();
        counted.sort_by_key(|counted| !shown.contains(&counted.variable));
        let counted = &counted[..];
        let runs = [&*failing, &found.execution];
        let mut slicer = predicate::slice::slicer(equation, tracked, counted, runs, kept, &watch);
        let Some(slice) = slicer.smallest().map_err(CheckError::Internal)? else { return Ok(None) };
        let made_by = |kept: &[usize]| {
            let taken: HashSet<VariableId> = kept.iter().map(|at| counted[*at].variable).collect();
            all.made_by(&taken)
        };
        let routes = (self.options.routes == Wanted::Yes).then(|| {
            let (sets, complete) = slicer.all(slice.size);
            Listing { sets: sets.iter().map(|kept| made_by(kept)).collect(), complete }
        });
        let deltas = made_by(&slice.kept);
        let own = equation.steps[*claim].span;
        let avoids_check = deltas.iter().all(|delta| own.contains(delta.span));
        let (method, proved_minimal) = (SliceMethod::TwoPhase, slice.proved);
        Ok(Some(Slice { method, deltas, proved_minimal, routes, avoids_check }))
    }

    /// The interpreter must see the predicates as the equation has them, in both runs.
    pub(super) fn recheck_predicates(&self, scene: &Scene, found: &Found) -> Result<(), CheckError> {
        let (Some(described), Some(tracked)) = (self.described, &scene.tracked) else { return Ok(()) };
        let watched: Vec<Watched> = described.predicates.iter().map(|predicate| predicate.watched.clone()).collect();
        for (inputs, execution) in [(self.inputs, &scene.failing), (&found.inputs, &found.execution)] {
            let expected = tracked.seen(&scene.equation, execution);
            recheck::predicate::truths(self.program, inputs, &watched, &expected).map_err(CheckError::Internal)?;
        }
        Ok(())
    }
}

/// How an explanation compares with another; less is better.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Judged {
    /// There is no passing run.
    none: bool,
    /// It only avoids the check.
    avoids: bool,
    /// It comes to the check less often than the failing run.
    later: bool,
    /// So many differences matter.
    mattering: usize,
}

/// The abstract program and the program must agree on how near the nearest passing run is.
pub(super) fn agrees_with_abstract(found: &Found, abstractly: &Option<Known>) -> Result<(), CheckError> {
    match abstractly {
        Some(known) if found.proved && known.lower_bound > found.distance => Err(CheckError::Internal(format!(
            "no passing run of the abstract program is nearer than {}, but one of the program is at {}",
            known.lower_bound, found.distance
        ))),
        Some(known) if known.end == End::Real && found.lower_bound > known.lower_bound => {
            Err(CheckError::Internal(format!(
                "the nearest passing run of the abstract program is at {}, that of the program at {}",
                known.lower_bound, found.distance
            )))
        }
        _ => Ok(()),
    }
}

/// What is told of the predicates.
pub(super) fn description(described: &Described, way: &Way) -> Description {
    let predicates = described.predicates.iter().map(|predicate| Told {
        text: predicate.watched.text.clone(),
        function: predicate.watched.function,
        origin: predicate.origin,
        places: predicate.places.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
    });
    let mut notes = Vec::new();
    let refinements = described.refinements;
    match described.trouble {
        Some(Trouble::Limit) => notes.push(format!(
            "after {refinements} refinements the abstract program still takes a path that no run takes, and no more predicates \
             were looked for"
        )),
        Some(Trouble::Unsayable) => notes.push(
            "some path that no run takes was excluded as it is, because no predicate over named variables excludes it"
                .to_owned(),
        ),
        Some(Trouble::Time) => notes.push(format!("time was over after {refinements} refinements")),
        None => {}
    }
    let abstractly = way.abstractly;
    if abstractly.is_some_and(|known| known.end == End::Left) {
        let spurious = abstractly.map_or(0, |known| known.spurious);
        notes.push(format!(
            "after {spurious} nearest passing runs of the abstract program that the program cannot take, the program itself \
             was added to the question"
        ));
    }
    let spurious = abstractly.map_or(0, |known| known.spurious);
    Description { predicates: predicates.collect(), refinements, spurious, notes }
}
