//! What to know beyond an answer: why it stopped, why the compiled program was not run.

use nearmiss_explain::explanation::{Contrast, Slice, Status, Verdict};
use nearmiss_report::replay::{Replay, Replays};
use nearmiss_report::view::Verb;

use crate::answer::Answer;
use crate::work::stopped;

/// What to know beyond the explanation.
pub fn of(answer: &Answer, replays: &Replays) -> Vec<String> {
    let (settings, explanation) = (answer.work.settings, answer.explanation);
    let mut notes = Vec::new();
    let open_claims = explanation.claims.iter().any(|claim| claim.status == Status::Undecided);
    let unexplained = settings.command == Verb::Explain && explanation.contrast.as_ref().is_none_or(is_open);
    if open_claims || (unexplained && explanation.verdict == Verdict::Fails) {
        notes.extend(answer.stopped_by.map(|reason| stopped(settings, reason)));
    }
    match (&replays.failing, &replays.passing) {
        (Replay::Skipped(why), _) if !why.is_empty() => {
            notes.push(format!("not replayed by the compiled program: {why}"));
        }
        (_, Replay::Skipped(why)) if !why.is_empty() => {
            notes.push(format!("the passing run was not replayed by the compiled program: {why}"));
        }
        _ => {}
    }
    notes
}

/// Whether more time could have told more.
fn is_open(contrast: &Contrast) -> bool {
    let slice = |slice: &Slice| !slice.proved_minimal || slice.routes.as_ref().is_some_and(|routes| !routes.complete);
    match &contrast.nearest {
        None => !contrast.none_exists,
        Some(nearest) => {
            !nearest.proved_minimal
                || nearest.all.as_ref().is_some_and(|all| !all.complete)
                || contrast.slice.as_ref().is_none_or(slice)
                || contrast.causes.as_ref().is_none_or(|causes| !causes.complete)
        }
    }
}
