//! Relations that cause the failure, each checked again from the definition before it is told.
//!
//! They are looked for in a copy of the equation, so that other work can go on in the equation itself.

use super::{Failure, Scene};
use crate::check::CheckError;
use crate::compared::{Counted, Relation};
use crate::equation::Equation;
use crate::execution::Execution;
use crate::explanation::{Causes, Hypotheses, Metric};
use crate::method::cause::{self, FoundCause, Runs};
use crate::method::delta;
use crate::method::nearest::NearestRun;
use crate::recheck::cause::Recheck;
use nearmiss_program::source::Span;

/// Both runs in an equation of their own.
pub(super) struct Comparison {
    pub(super) equation: Equation,
    pub(super) failing: Execution,
    pub(super) passing: Execution,
    claim: usize,
    /// Values, whatever the runs are compared in: causes are relations between them.
    counted: Vec<Counted>,
    /// No passing run is nearer by that.
    least: u64,
    /// Whether a distance is too much to be translated.
    is_too_much: bool,
}

impl Comparison {
    pub(super) fn of(scene: &Scene, found: &NearestRun, least: u64, metric: Metric) -> Comparison {
        let (equation, claim) = (scene.equation.clone(), scene.claim);
        let counted = match scene.tracked {
            None => scene.counted.iter().map(|counted| Counted { is_priced: true, ..*counted }).collect(),
            Some(_) => delta::counted(&equation, claim, metric),
        };
        let is_other = scene.tracked.is_some() || scene.aligned.is_some() || metric == Metric::Bytes;
        let least = if is_other { 0 } else { least };
        let (failing, passing) = (scene.failing.clone(), found.execution.clone());
        Comparison { equation, failing, passing, claim, counted, least, is_too_much: !found.all_priced }
    }
}

impl Failure<'_> {
    /// The causes in words, and as they are in that equation; none if they were not asked for.
    pub(super) fn causes(&self, compared: &mut Comparison) -> Result<Option<(Causes, Vec<Relation>)>, CheckError> {
        if self.options.hypotheses == Hypotheses::None {
            return Ok(None);
        }
        let Comparison { equation, failing, passing, claim, counted, least, is_too_much } = compared;
        if *is_too_much {
            return Ok(Some((Causes::default(), Vec::new())));
        }
        let line = |span: Span| self.sources.position(span).line;
        let (program, stop) = (self.program, &self.stop);
        let runs = Runs { program, failing, passing, counted, claim: *claim, least: *least, line: &line };
        let found = cause::causes(&runs, equation, self.options.hypotheses, stop);
        let mut causes = Causes {
            shown: Vec::new(),
            candidates: found.candidates,
            found: found.found,
            far: found.far,
            complete: found.complete,
            bounded: !equation.bounds_hit.is_empty(),
        };
        let mut relations = Vec::new();
        if found.shown.is_empty() {
            return Ok(Some((causes, relations)));
        }
        let mut again = Recheck::of(equation, failing, counted, None, stop).map_err(CheckError::Internal)?;
        for FoundCause { relation, distance, passing, cause } in found.shown {
            match again.is_cause(&relation, &passing, distance) {
                Ok(true) => {
                    causes.shown.push(cause);
                    relations.push(relation);
                }
                // There was no time for it.
                Ok(false) => causes.complete = false,
                Err(why) => return Err(CheckError::Internal(format!("{} is no cause: {why}", cause.text))),
            }
        }
        Ok(Some((causes, relations)))
    }
}
