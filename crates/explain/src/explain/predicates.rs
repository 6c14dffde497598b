//! The failing run beside the passing one, compared in predicates.

use std::collections::BTreeSet;
use std::time::Instant;

use super::{ExplainOptions, Failure, Scene, Wanted, Way, levels};
use crate::bounds::Bounds;
use crate::check::{CheckError, Progress};
use crate::execution::Execution;
use crate::explanation::Hypotheses;
use crate::explanation::{
    ASSERTION_FAILURE, Contrast, Delta, DeltaKind, Described as DescribedPredicate, Description, Metric, Nearest,
    PredicateOrigin, State, Stats,
};
use crate::method::delta::Differences;
use crate::method::nearest::NearestRun;
use crate::method::predicate::nearest::{End, Known};
use crate::method::predicate::refine::Trouble;
use crate::method::predicate::{self, Described, Vocabulary};
use crate::recheck;
use crate::symex;
use nearmiss_program::program::Program;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::run::{Inputs, Run, RunStep, RunStepKind};
use nearmiss_program::source::{Diagnostic, Severity, Sources};

/// Longer unwindings are not looked at before every step.
const MOST_STEPS: usize = 5_000;
/// So many conflicts are spent on the other metric where the first has found a passing run.
const CONFLICTS_OF_SECOND_METRIC: u64 = 5_000;
/// So many branches of a path are named.
const MOST_BRANCHES: usize = 12;
/// So many passing runs that go the same way are told apart from the failing one.
const MOST_APART: usize = 3;
/// What is said where that did not help.
const NOTHING_ELSE: &str = "besides the claim nothing differs that can be said over the variables before it";

impl Failure<'_> {
    /// What to tell if the run is too long to be compared in predicates; nothing if that is not asked for.
    pub(super) fn too_long_for_predicates(&self, bounds: &Bounds) -> Option<Diagnostic> {
        if self.options.state == State::Values {
            return None;
        }
        let equation = symex::unwind(self.program, bounds, &self.stop).ok()?;
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
        if self.options.other_metric == Wanted::No {
            return self.told_apart(bounds, stats, progress);
        }
        // Causes are relations between values, the same whatever the metric: they are looked for once.
        let options = ExplainOptions { metric: Metric::Ssa, ..self.options.clone() };
        let ssa = Failure { options: &options, stop: self.stop.clone(), proved: self.proved.clone(), ..*self };
        let ssa = ssa.told_apart(bounds.clone(), stats, progress)?;
        let options = ExplainOptions { metric: Metric::Align, hypotheses: Hypotheses::None, ..options };
        // An alignment may take very long, and the answer is there already.
        let conflicts = match ssa.as_ref().is_some_and(|ssa| ssa.nearest.is_some()) {
            true => CONFLICTS_OF_SECOND_METRIC,
            false => self.conflicts,
        };
        let aligned =
            Failure { options: &options, stop: self.stop.clone(), conflicts, proved: self.proved.clone(), ..*self };
        let aligned = aligned.told_apart(bounds, stats, progress)?;
        Ok(match (ssa, aligned) {
            (Some(ssa), Some(aligned)) => Some(self.better(ssa, aligned)),
            (ssa, aligned) => ssa.or(aligned),
        })
    }

    /// An explanation in predicates. Where the passing run goes the same way and only predicates differ, those before
    /// the claim are looked for that differ, and it is explained again.
    fn told_apart(
        &self,
        bounds: Bounds,
        stats: &mut Stats,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Contrast>, CheckError> {
        let mut apart: Vec<Inputs> = Vec::new();
        loop {
            let started = Instant::now();
            let mut program = self.program.clone();
            let described = self.describe_in_predicates(&bounds, &apart, &mut program, progress)?;
            let Some(described) = described else { return Ok(None) };
            stats.seconds.push(("predicates", started.elapsed().as_secs_f64()));
            stats.counts.push(("predicates", described.predicates.len() as u64));
            let own = Failure {
                program: &program,
                described: Some(&described),
                stop: self.stop.clone(),
                proved: self.proved.clone(),
                ..*self
            };
            let mut contrast = own.contrast(bounds.clone(), stats, progress)?;
            let nearest = contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref());
            let Some(nearest) = nearest.filter(|nearest| goes_the_same_way(nearest)) else { return Ok(contrast) };
            if apart.len() < MOST_APART && !apart.contains(&nearest.inputs) && !self.stop.requested() {
                apart.push(nearest.inputs.clone());
                continue;
            }
            // What a formula is over changes before it is violated.
            let is_claim = |delta: &Delta| match delta.kind {
                DeltaKind::Action => delta.texts.as_ref().is_some_and(|[was, _]| was == ASSERTION_FAILURE),
                _ => !own.is_formula() && own.is_of_claim(delta),
            };
            if !described.is_apart && nearest.deltas.iter().all(is_claim) {
                let description = contrast.as_mut().and_then(|contrast| contrast.description.as_mut());
                description.into_iter().for_each(|description| description.notes.push(NOTHING_ELSE.to_owned()));
            }
            return Ok(contrast);
        }
    }

    /// Is it a predicate of the claim itself?
    fn is_of_claim(&self, delta: &Delta) -> bool {
        let mut predicates = self.described.into_iter().flat_map(|described| &described.predicates);
        delta.kind == DeltaKind::Predicate
            && predicates.any(|known| known.watched.text == delta.variable && known.origin == PredicateOrigin::Claim)
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
            (Judged { unsliced: true, .. }, _) => "which differences matter is known of neither".to_owned(),
            (_, Judged { unsliced: true, .. }) => {
                format!("{}, {theirs} it is not known which do", differences(own.mattering))
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
            unsliced: slice.is_none(),
            mattering: slice.map_or(0, |slice| slice.deltas.len()),
        }
    }

    /// The predicates that describe the failure; none if there was no time to unwind the program.
    fn describe_in_predicates(
        &self,
        bounds: &Bounds,
        apart: &[Inputs],
        program: &mut Program,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Described>, CheckError> {
        let vocabulary = Vocabulary::new(program, &self.options.predicates);
        let unwound = symex::unwind_watching(program, bounds, &self.stop, &vocabulary.watched());
        let Ok((mut equation, moments)) = unwound else { return Ok(None) };
        let moments = predicate::within::told(program, &mut equation, moments, &self.stop);
        let (unwind, steps) = (equation.unwind, equation.steps.len() as u64);
        progress(Progress { phase: "looking for predicates", unwind, steps });
        let (failing, claim) = self.failing(&equation)?;
        let routes = self.routes(&mut equation, &failing, claim);
        let stop = &self.stop;
        let levels = levels(&mut equation, &routes);
        let passable = levels.iter().find(|level| predicate::may_pass(&mut equation, &level.demands(), stop));
        let kept = passable.map(|level| level.placed(claim)).unwrap_or_default();
        let (kept, may_pass) = (&kept[..], passable.is_some());
        let (equation, moments, failing) = (&mut equation, &moments[..], &failing);
        let apart: Vec<Execution> = apart.iter().map(|inputs| Execution::of(equation, inputs)).collect();
        let apart = &apart[..];
        let failure = predicate::Failure { equation, moments, failing, claim, kept, may_pass, apart, stop };
        Ok(Some(vocabulary.describe(program, failure)))
    }

    /// Differences of predicates and branches with the numbers of the steps that set them.
    pub(super) fn numbered(&self, scene: &Scene, passing: &Execution, mut differences: Differences) -> Differences {
        let Some(tracked) = &scene.tracked else { return differences };
        for (delta, set_at) in differences.deltas.iter_mut().zip(&differences.set_at) {
            let runs = [&scene.failing, passing];
            delta.steps = Some([0, 1].map(|run| set_at[run].and_then(|step| tracked.number(runs[run], step))));
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

    /// The interpreter must see the predicates as the equation has them, in both runs.
    pub(super) fn recheck_predicates(&self, scene: &Scene, found: &NearestRun) -> Result<(), CheckError> {
        let (Some(described), Some(tracked)) = (self.described, &scene.tracked) else { return Ok(()) };
        let watched: Vec<Watched> = described.predicates.iter().map(|predicate| predicate.watched.clone()).collect();
        for (inputs, execution) in [(self.inputs, &scene.failing), (&found.inputs, &found.execution)] {
            let expected = tracked.seen(&scene.equation, execution);
            recheck::predicate::truths(self.program, inputs, &watched, &expected).map_err(CheckError::Internal)?;
        }
        Ok(())
    }
}

/// Does a passing run take the same branches and steps as the failing one, up to the claim?
fn goes_the_same_way(nearest: &Nearest) -> bool {
    nearest.deltas.iter().all(|delta| matches!(delta.kind, DeltaKind::Predicate | DeltaKind::Action))
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
    /// It is not known which differences matter.
    unsliced: bool,
    /// So many differences matter.
    mattering: usize,
}

/// The abstract program and the program must agree on how near the nearest passing run is.
pub(super) fn agrees_with_abstract(found: &NearestRun, abstractly: &Option<Known>) -> Result<(), CheckError> {
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
pub(super) fn description(described: &Described, way: &Way, sources: &Sources) -> Description {
    let predicates = described.predicates.iter().map(|predicate| DescribedPredicate {
        text: predicate.watched.text.clone(),
        function: predicate.watched.function,
        origin: predicate.origin,
        places: predicate.places.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
    });
    let mut notes = Vec::new();
    let times = match described.refinements {
        1 => "1 refinement".to_owned(),
        number => format!("{number} refinements"),
    };
    let branches: Vec<String> =
        described.last_excluded.iter().map(|span| sources.position(*span).line.to_string()).collect();
    let last = match &branches[..] {
        [] => String::new(),
        [line] => format!("; the last path that no run takes is the one by the branch in line {line}"),
        [.., _] if branches.len() <= MOST_BRANCHES => {
            format!("; the last path that no run takes goes by the branches in lines {}", branches.join(", "))
        }
        _ => {
            let first = branches[..MOST_BRANCHES].join(", ");
            format!("; the last path that no run takes goes by the branches in lines {first}, …")
        }
    };
    match described.trouble {
        Some(Trouble::Limit) => notes.push(format!(
            "after {times} no more predicates were looked for, and there may be paths left that no run takes{last}"
        )),
        Some(Trouble::Unsayable) => notes.push("they do not exclude every path that no run takes".to_owned()),
        Some(Trouble::Time) => notes.push(format!("time was over after {times}{last}")),
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
    Description { predicates: predicates.collect(), refinements: described.refinements, spurious, notes }
}
