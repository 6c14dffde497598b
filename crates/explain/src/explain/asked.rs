//! Hypotheses of the user's (`--cause`): is this condition a cause of the failure, and if not, why not?
//!
//! A condition is looked at where the failing run comes to the claim, before any part of it is evaluated, or where it could
//! be looked at last before that. A run that does not come there is neither with it nor without it. The run that decides is
//! executed before it is told.

use super::{Failure, Scene};
use crate::check::CheckError;
use crate::compared::Relation;
use crate::equation::Equation;
use crate::execution::Execution;
use crate::explanation::{Asked, Judgement, Metric, Without, named_inputs};
use crate::method::cause::{self, Ending, Runs};
use crate::method::delta;
use crate::method::route;
use crate::recheck::{self, cause::Recheck};
use crate::symex;
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::watched::Watched;
use nearmiss_program::run::{Inputs, Outcome, Run, RunStep, RunStepKind};
use nearmiss_program::source::Span;

impl Failure<'_> {
    /// What came of every hypothesis.
    pub(super) fn asked(&self, scene: &Scene) -> Result<Vec<Asked>, CheckError> {
        let hypotheses = self.options.asked.iter();
        let judged = hypotheses.map(|asked| {
            let (judgement, before) = self.judgement(scene, asked)?;
            let bounded = !scene.equation.bounds_hit.is_empty();
            Ok(Asked { text: asked.text.clone(), judgement, before, bounded })
        });
        judged.collect()
    }

    /// Whether it is a cause, and where it was looked at, if that is not at the claim.
    fn judgement(&self, scene: &Scene, asked: &Watched) -> Result<(Judgement, Option<Span>), CheckError> {
        let watched = std::slice::from_ref(asked);
        let unwound = symex::unwind_watching(self.program, &scene.bounds, &self.stop, watched);
        let Ok((equation, moments)) = unwound else { return Ok((Judgement::Unknown, None)) };
        let (failing, claim) = self.failing(&equation)?;
        // Where the text of the check begins: how far it is evaluated hangs on what is asked about.
        let entry = route::entry(&equation, &failing, claim);
        let mut before = moments.iter().filter(|moment| moment.step <= entry);
        let moment = before.rfind(|moment| !moment.seen.is_empty() && failing.meets(&equation, moment.guard));
        let seen = moment.and_then(|moment| Some((moment, moment.seen.last()?)));
        let Some((moment, seen)) = seen else { return Ok((Judgement::NeverSeen, None)) };
        let condition = &Relation { term: seen.term, set_at: vec![vec![(moment.step, moment.guard)]] };
        // What an assertion checks on its way stands in its text.
        let [at, end] = [moment.step, claim].map(|step| equation.steps[step].span);
        let judged = self.is_cause(asked, condition, equation, &failing, claim)?;
        Ok((judged, (!end.contains(at)).then_some(at)))
    }

    /// Whether a condition is a cause.
    fn is_cause(
        &self,
        asked: &Watched,
        condition: &Relation,
        mut equation: Equation,
        failing: &Execution,
        claim: usize,
    ) -> Result<Judgement, CheckError> {
        if !failing.meets(&equation, condition.term) {
            return Ok(Judgement::DoesNotHold);
        }
        let metric = if self.options.metric == Metric::Slice { Metric::Slice } else { Metric::Ssa };
        let counted = &delta::counted(&equation, claim, metric);
        let line = |span: Span| self.sources.position(span).line;
        let runs = Runs { program: self.program, failing, passing: failing, counted, claim, least: 0, line: &line };
        Ok(match cause::judge(&runs, &mut equation, condition, &self.stop) {
            Ending::Never => Judgement::Invariant { one_of_ways: equation.comes_again(claim) },
            Ending::Unknown => Judgement::Unknown,
            Ending::Fails(distance, inputs) => {
                let run = interp::run(self.program, &inputs, &Limits::default());
                if run.outcome != Outcome::Violated(self.claim) {
                    let what = format!("the run without {} should fail, but does not when it is executed", asked.text);
                    return Err(CheckError::Internal(what));
                }
                Judgement::StillFails(self.without(distance, inputs, &run))
            }
            Ending::Passes(distance, inputs, passing) => {
                let again = Recheck::of(&mut equation, failing, counted, Some(self.claim), &self.stop);
                match again.and_then(|mut again| again.is_cause(condition, &passing, distance)) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Judgement::Unknown),
                    Err(why) => return Err(CheckError::Internal(format!("{} is no cause: {why}", asked.text))),
                }
                let run = recheck::passes(self.program, &inputs).map_err(CheckError::Internal)?;
                Judgement::Cause(self.without(distance, inputs, &run))
            }
        })
    }

    fn without(&self, distance: u64, inputs: Inputs, run: &Run) -> Without {
        let is_claim = |step: &RunStep| matches!(step.kind, RunStepKind::Claim { claim, .. } if claim == self.claim);
        Without { distance, inputs, named: named_inputs(run), comes_there: run.steps.iter().any(is_claim) }
    }
}
