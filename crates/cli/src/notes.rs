//! What to know beyond an answer: why it stopped, why the compiled program was not run, what it was told to pass over.

use nearmiss_explain::explanation::{Contrast, Slice, Status, Verdict};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::ClaimKind;
use nearmiss_program::run::Outcome;
use nearmiss_report::replay::{Replay, Replays};
use nearmiss_report::view::Verb;

use crate::answer::Answer;
use crate::work::stopped;

/// What to know beyond the explanation.
pub fn of(answer: &Answer, replays: &Replays) -> Vec<String> {
    let (settings, explanation) = (answer.work.settings, answer.explanation);
    let mut notes = Vec::new();
    let open_claims = explanation.claims.iter().any(|claim| claim.status == Status::Undecided);
    let unexplained = match settings.command {
        Verb::Explain => explanation.contrast.as_ref().is_none_or(is_open),
        Verb::Fix => explanation.fixes.as_ref().is_none_or(|fixes| !fixes.complete),
        _ => false,
    };
    if open_claims || (unexplained && explanation.verdict == Verdict::Fails) {
        notes.extend(answer.stopped_by.map(|reason| stopped(settings, reason)));
    }
    let is_model = answer.read.program.lowered().hardware.is_some();
    match (&replays.failing, &replays.passing) {
        (Replay::Skipped(why), _) if is_model && !why.is_empty() => {
            notes.push(format!("not simulated by Icarus Verilog: {why}"));
        }
        (Replay::Skipped(why), _) if !why.is_empty() => {
            notes.push(format!("not replayed by the compiled program: {why}"));
        }
        (_, Replay::Skipped(why)) if !why.is_empty() => {
            notes.push(format!("the passing run was not replayed by the compiled program: {why}"));
        }
        _ => {}
    }
    notes.extend(fixes_skipped(replays));
    notes.extend(passed_over(answer, replays));
    notes
}

/// Why fixes were not compiled; the same reason is told once.
fn fixes_skipped(replays: &Replays) -> Vec<String> {
    let why = |(index, replay): (usize, &Replay)| match replay {
        Replay::Skipped(why) if !why.is_empty() => Some((index + 1, why.clone())),
        _ => None,
    };
    let skipped: Vec<(usize, String)> = replays.fixes.iter().enumerate().filter_map(why).collect();
    if let [(_, first), others @ ..] = &skipped[..]
        && skipped.len() == replays.fixes.len()
        && others.iter().all(|(_, why)| why == first)
    {
        return vec![format!("the fixes were not tried by the compiled program: {first}")];
    }
    skipped
        .into_iter()
        .map(|(number, why)| format!("fix {number} was not tried by the compiled program: {why}"))
        .collect()
}

/// With `--property` other written assertions are switched off, in both replays. Where one of them is violated first, the
/// program as it stands does not get as far as the runs that are told.
fn passed_over(answer: &Answer, replays: &Replays) -> Vec<String> {
    let (program, explanation) = (answer.read.program.lowered(), answer.explanation);
    // A passing run of a model ends with the failing one, and by itself would go on.
    if answer.properties.is_empty() || program.hardware.is_some() {
        return Vec::new();
    }
    let failing = explanation.counterexample.as_ref().map(|found| (&found.inputs, "failing", &replays.failing));
    let passing = answer.nearest().map(|found| (&found.inputs, "passing", &replays.passing));
    let told = [failing, passing].into_iter().flatten().filter_map(|(inputs, which, replay)| {
        let whole = Interpreter::new(program).execute(inputs, &Limits::default(), Recording::Outcome).run;
        let Outcome::Violated(first) = whole.outcome else { return None };
        let first = &program.claims[first.index()];
        if !first.kind.goes_on() || answer.properties.contains(&first.id) {
            return None;
        }
        let line = answer.read.sources().position(first.span).line;
        let others = if first.kind == ClaimKind::Assertion { "other assertions" } else { "such checks" };
        let compiled = if *replay == Replay::Confirmed { " and the compiled program" } else { "" };
        Some(format!(
            "the {which} run violates {} (line {line}) first; --property switches {others} off, so the interpreter{compiled} passed over it",
            first.id
        ))
    });
    told.collect()
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
