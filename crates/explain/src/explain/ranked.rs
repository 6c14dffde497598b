//! Lines by suspicion, with a passing run or without. What takes long does not need the causes, and is asked beside them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Failure, Scene};
use crate::bounds::Bounds;
use crate::check;
use crate::compared::Relation;
use crate::equation::Equation;
use crate::execution::Execution;
use crate::explanation::{Cause, Delta, Nearest, Slice, Suspect};
use crate::focus;
use crate::method::nearest::NearestRun;
use crate::method::rescue::{self, Did, Line, Rescue};
use crate::method::suspect::{self, Asked, Evidence};
use nearmiss_logic::term::Term;
use nearmiss_program::program::FunctionId;

/// Equations of which every way to fail is looked at have at most so many steps.
const MOST_FOCUSED: usize = 1_000;
/// Arrays that have more elements and an index that is not known are not looked at for that.
const MOST_ELEMENTS: u64 = 512;

/// What is known of lines, causes aside.
pub(super) struct Judged {
    /// The differences of other passing runs that are as near.
    of_others: Vec<Vec<Delta>>,
    /// The lines on which the claim depends in the failing run.
    lines: BTreeMap<Line, Did>,
    asked: Asked,
}

/// What the comparison with a passing run told, if there is one.
#[derive(Clone, Copy, Default)]
pub(super) struct Compared<'a> {
    pub(super) found: Option<&'a NearestRun>,
    pub(super) nearest: Option<&'a Nearest>,
    pub(super) slice: Option<&'a Slice>,
}

/// The runs in an equation.
#[derive(Clone, Copy)]
pub(super) struct Runs<'a> {
    pub(super) equation: &'a Equation,
    pub(super) failing: &'a Execution,
    pub(super) passing: Option<&'a Execution>,
}

impl Failure<'_> {
    /// Asks about lines.
    pub(super) fn asked_lines(&self, scene: &mut Scene, compared: Compared, demands: &[Term]) -> Judged {
        let is_small = scene.equation.steps.len() <= MOST_FOCUSED && scene.tracked.is_none() && scene.aligned.is_none();
        let others = compared.found.filter(|_| is_small).map(|found| self.every_nearest(scene, found, demands).sets);
        let of_others = others.unwrap_or_default();
        let (program, sources, inputs, claim, stop) = (self.program, self.sources, self.inputs, self.claim, &self.stop);
        let lines = match self.is_formula() {
            // A formula is about moments all along the run.
            true => BTreeMap::new(),
            false => rescue::lines(program, sources, inputs, claim),
        };
        let trusted = |id| self.is_trusted(id);
        let Scene { bounds, equation, failing, claim: step, .. } = scene;
        let rescue = Rescue { program, sources, inputs, claim, bounds, unwind: equation.unwind, stop };
        let runs = (&*failing, compared.found.map(|found| &found.execution), *step);
        let evidence = self.evidence(runs, compared, (&of_others, &lines), &trusted);
        let asked = suspect::ask(equation, &evidence, demands, &rescue, stop);
        Judged { of_others, lines, asked }
    }

    /// The lines in order; causes come with what each of them is about.
    pub(super) fn suspects(
        &self,
        runs: Runs,
        claim: usize,
        compared: Compared,
        (judged, neighbourhood): (Judged, &BTreeSet<Line>),
        causes: (&[Cause], &[Relation]),
    ) -> Vec<Suspect> {
        let Judged { of_others, lines, asked } = judged;
        let trusted = |id| self.is_trusted(id);
        let evidence = self.evidence((runs.failing, runs.passing, claim), compared, (&of_others, &lines), &trusted);
        suspect::suspects(runs.equation, &evidence, asked, neighbourhood, causes)
    }

    fn evidence<'e>(
        &'e self,
        (failing, passing, claim): (&'e Execution, Option<&'e Execution>, usize),
        compared: Compared<'e>,
        (of_others, lines): (&'e [Vec<Delta>], &'e BTreeMap<Line, Did>),
        trusted: &'e dyn Fn(FunctionId) -> bool,
    ) -> Evidence<'e> {
        Evidence {
            program: self.program,
            sources: self.sources,
            failing,
            passing,
            claim,
            deltas: compared.nearest.map_or(&[], |nearest| &nearest.deltas),
            of_others,
            slice: compared.slice.map_or(&[], |slice| &slice.deltas),
            trusted,
            lines,
        }
    }

    /// The lines in the neighbourhood of the error, whichever way the claim fails; none where that takes long, which the steps of an equation and
    /// the elements of its arrays say.
    pub(super) fn neighbourhood(&self, (steps, elements): (usize, u64), bounds: &Bounds) -> BTreeSet<Line> {
        // It looks at every element of an array.
        if steps > MOST_FOCUSED || elements > MOST_ELEMENTS {
            return BTreeSet::new();
        }
        let narrowed = check::narrow(self.program, &self.options.check.properties).ok().flatten();
        let program = narrowed.as_ref().unwrap_or(self.program);
        focus::common_neighbourhood(program, self.sources, bounds, self.claim, &self.stop).unwrap_or_default()
    }
}
