//! The differences that matter: a smallest set without which the run does not pass.
//!
//! Every set is evaluated by code that knows no solver before it is shown.

use std::collections::HashSet;

use nearmiss_logic::term::Term;

use super::{Failure, Scene, Wanted};
use crate::check::CheckError;
use crate::compared::Counted;
use crate::equation::VariableId;
use crate::execution::Execution;
use crate::explanation::{Delta, DeltaKind, Listing, Metric, Slice, SliceMethod};
use crate::method::align;
use crate::method::delta::{self, Differences};
use crate::method::nearest::NearestRun;
use crate::method::slice::{self, MinimalSlice, Slicer};
use crate::recheck;
use nearmiss_logic::stop::Stop;

/// What a slice is chosen from, and what it must satisfy.
struct Choices<'a> {
    /// The variables that can take their values in the passing run.
    chosen: Vec<Counted>,
    /// For each of them, with which other it goes together.
    tied: Vec<Option<usize>>,
    demands: &'a [Term],
    stop: Stop,
}

/// A passing run beside the failing one.
struct Beside<'a> {
    passing: &'a Execution,
    /// The variables whose number is the size of a slice.
    counted: &'a [Counted],
    /// Where the two differ.
    differences: &'a Differences,
}

impl Failure<'_> {
    /// The differences that matter; none if they were not asked for or there was no time.
    pub(super) fn slice(
        &self,
        scene: &mut Scene,
        found: &NearestRun,
        demands: &[Term],
    ) -> Result<Option<Slice>, CheckError> {
        if self.options.slice == SliceMethod::None {
            return Ok(None);
        }
        let stop = self.stop.clone();
        let mut values = match &scene.tracked {
            None => scene.counted.clone(),
            Some(_) => delta::counted(&scene.equation, scene.claim, Metric::Ssa),
        };
        // What does not count, though its values are others, follows from what does.
        if self.options.slice == SliceMethod::TwoPhase || scene.tracked.is_some() {
            let runs = [&scene.failing, &found.execution];
            values.retain(|counted| !delta::comes_along(&scene.equation, counted, runs));
        }
        let (chosen, tied) = match &scene.aligned {
            None => (values, Vec::new()),
            Some(sequence) => {
                let (equation, runs) = (&scene.equation, [&scene.failing, &found.execution]);
                let aligned = align::delta::differences(self.program, equation, sequence, runs);
                align::delta::choices(equation, &values, &aligned, runs)
            }
        };
        let choices = Choices { chosen, tied, demands, stop };
        match (self.options.slice, &scene.tracked) {
            (SliceMethod::OneStep, None) => self.one_step(scene, &choices),
            _ => self.two_phase(scene, &found.execution, &choices),
        }
    }

    /// A passing run and its slice in one.
    fn one_step(&self, scene: &mut Scene, choices: &Choices<'_>) -> Result<Option<Slice>, CheckError> {
        let Scene { equation, failing, .. } = &mut *scene;
        let one = slice::one_step(equation, &choices.chosen, failing, choices.demands, &choices.stop);
        let Some(one) = one.map_err(CheckError::Internal)? else { return Ok(None) };
        recheck::passes(self.program, &one.inputs).map_err(CheckError::Internal)?;
        let differences = self.differences(scene, &one.passing);
        let chosen = &choices.chosen;
        let runs = [&scene.failing, &one.passing];
        let own: Vec<usize> =
            (0..chosen.len()).filter(|at| !delta::comes_along(&scene.equation, &chosen[*at], runs)).collect();
        let among_own = |places: &[usize]| places.iter().filter_map(|at| own.binary_search(at).ok()).collect();
        let slice = MinimalSlice { taken: among_own(&one.slice.taken), kept: among_own(&one.slice.kept), ..one.slice };
        let chosen: Vec<Counted> = own.iter().map(|at| chosen[*at]).collect();
        let choices = Choices { chosen, tied: Vec::new(), demands: choices.demands, stop: choices.stop.clone() };
        let beside = Beside { passing: &one.passing, counted: &choices.chosen, differences: &differences };
        let deltas = checked(scene, &choices, &beside, &slice)?;
        let avoids_check = avoids_check(scene, &deltas);
        let proved_minimal = one.slice.proved;
        Ok(Some(Slice { method: SliceMethod::OneStep, deltas, proved_minimal, routes: None, avoids_check }))
    }

    /// The slice of a passing run that is known.
    fn two_phase(
        &self,
        scene: &mut Scene,
        passing: &Execution,
        choices: &Choices<'_>,
    ) -> Result<Option<Slice>, CheckError> {
        let differences = self.differences(scene, passing);
        let counted = match &scene.tracked {
            None => choices.chosen.clone(),
            // Of slices of the same size, one of differences that are shown: an alignment does not compare everything.
            Some(_) => {
                let shown: HashSet<VariableId> = differences.behind.iter().flatten().copied().collect();
                let runs = [&scene.failing, passing];
                let same = |of: &Counted| runs[0].value(of.variable) == runs[1].value(of.variable);
                let counts = |of: &&Counted| same(of) || delta::is_different(&scene.equation, of, runs);
                // A slice is no run, so it takes no turns.
                let anywhere = |of: &Counted| Counted { taken: None, unchanged: None, ..*of };
                let mut counted: Vec<Counted> = scene.counted.iter().filter(counts).map(anywhere).collect();
                counted.sort_by_key(|counted| !shown.contains(&counted.variable));
                counted
            }
        };
        let Scene { equation, failing, tracked, .. } = &mut *scene;
        let (runs, Choices { chosen, tied, demands, stop }) = ([&*failing, passing], choices);
        let mut slicer = Slicer::two_phase(equation, chosen, tied, runs, demands, stop);
        if tracked.is_some() {
            slicer = slicer.counting(equation, &counted, runs);
        }
        let Some(smallest) = slicer.smallest().map_err(CheckError::Internal)? else { return Ok(None) };
        let beside = Beside { passing, counted: &counted, differences: &differences };
        let mut routes = None;
        if self.options.routes == Wanted::Yes {
            let (sets, complete) = slicer.all(&smallest);
            let sets: Result<_, _> = sets.iter().map(|slice| checked(scene, choices, &beside, slice)).collect();
            routes = Some(Listing { sets: sets?, complete });
        }
        let deltas = checked(scene, choices, &beside, &smallest)?;
        let avoids_check = avoids_check(scene, &deltas);
        let proved_minimal = smallest.proved;
        Ok(Some(Slice { method: SliceMethod::TwoPhase, deltas, proved_minimal, routes, avoids_check }))
    }
}

/// The differences of a slice, once it was evaluated as it is defined.
fn checked(
    scene: &Scene,
    choices: &Choices<'_>,
    beside: &Beside<'_>,
    slice: &MinimalSlice,
) -> Result<Vec<Delta>, CheckError> {
    let variables = |of: &[Counted]| of.iter().map(|counted| counted.variable).collect::<Vec<_>>();
    let among = |of: &[Counted], places: &[usize]| places.iter().map(|at| of[*at].variable).collect();
    let taken: HashSet<VariableId> = among(&choices.chosen, &slice.taken);
    let kept: HashSet<VariableId> = among(beside.counted, &slice.kept);
    let (chosen, counted) = (&variables(&choices.chosen), &variables(beside.counted));
    let sets = recheck::Sliced { chosen, taken, counted, kept: &kept };
    let runs = [&scene.failing, beside.passing];
    recheck::slice(&scene.equation, &sets, runs, choices.demands).map_err(CheckError::Internal)?;
    Ok(beside.differences.made_by(&kept))
}

/// Is all that matters an input, or a part of the check itself?
fn avoids_check(scene: &Scene, deltas: &[Delta]) -> bool {
    let own = scene.equation.steps[scene.claim].span;
    // A predicate before the claim says what was computed until there.
    let avoids = |delta: &Delta| match delta.kind {
        DeltaKind::Predicate => false,
        DeltaKind::Input => true,
        _ => own.contains(delta.span),
    };
    deltas.iter().all(avoids)
}
