//! A second opinion on an answer: the compiled program is fed the same inputs and must do the same.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use nearmiss_explain::explain::BothRuns;
use nearmiss_explain::explanation::InputValue;
use nearmiss_explain::stack::on_a_large_stack;
use nearmiss_logic::stop::Stop;
use nearmiss_program::show;
use nearmiss_report::replay::{Replay, Replays};

use crate::answer::Answer;
use crate::native::{self, Feed, Question};
use crate::reading::ReadProgram;
use crate::settings::Native;
use crate::stats;
use crate::unanswered::Unanswered;
use crate::work::Work;

/// Runs the compiled program, if anything fails and if that is wanted.
pub fn compiled(answer: &Answer) -> Replays {
    let stop = answer.work.last_moment();
    match both_runs(answer, &stop) {
        Some(question) if answer.work.settings.native == Native::Replay => {
            answer.work.progress.say("replaying the compiled program");
            native::replay(&question)
        }
        _ => Replays::nobody_asked(),
    }
}

/// A replay that goes on while an answer is worked out.
#[derive(Default)]
pub struct Early(Mutex<Option<Replays>>);

impl Early {
    /// Replays both runs, as soon as they are known.
    pub fn replay(&self, work: &Work, read: &ReadProgram, properties: &[String], runs: BothRuns) {
        if work.settings.native != Native::Replay {
            return;
        }
        let BothRuns { claim, failing, passing } = &runs;
        let feed = |(inputs, run)| Feed { inputs, run };
        let question = Question {
            settings: work.settings,
            properties,
            sources: read.sources(),
            program: read.program.lowered(),
            reference: read.program.reference(),
            crash: read.program.crash().map(|crash| &**crash),
            failing: Some(feed((&failing.0, &failing.1))),
            passing: passing.as_ref().map(|passing| feed((&passing.0, &passing.1))),
            claim,
            stop: &work.last_moment(),
        };
        let replays = on_a_large_stack(|| native::replay(&question));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(replays);
    }

    /// What came of it; if it was not begun, or the search was told to stop meanwhile, it is done now.
    pub fn finished(self, answer: &Answer) -> Replays {
        let done = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.filter(|_| answer.stopped_by.is_none()).unwrap_or_else(|| compiled(answer))
    }
}

/// Does what is left to do before an answer is told: replays it, tells how long all took, and withholds an answer that
/// the compiled program refutes.
pub fn confirmed(answer: &Answer, replay: impl FnOnce() -> Replays) -> Result<Replays, Unanswered> {
    let started = Instant::now();
    let replays = replay();
    answer.work.progress.clear();
    let listener = &answer.work.settings.output.listener;
    if answer.work.settings.stats {
        let known = &answer.explanation.stats;
        let reading = [("reading", answer.read.seconds)].into_iter();
        let phases = reading.chain(known.seconds.iter().copied()).chain([("native", started.elapsed().as_secs_f64())]);
        listener.measure(&stats::line(phases, known.counts.iter().copied()));
    }
    match refuted(answer, &replays) {
        Some(what) => Err(Unanswered::Said(listener.internal_error(&what))),
        None => Ok(replays),
    }
}

/// The message when the compiled program does not do what we say it does.
fn refuted(answer: &Answer, replays: &Replays) -> Option<String> {
    let explanation = answer.explanation;
    let fixed = replays.fixes.iter().enumerate().find_map(|(index, replay)| match replay {
        Replay::Refuted(how) => Some((index, how)),
        _ => None,
    });
    if let Some((index, how)) = fixed {
        let sources = answer.read.sources();
        let told = explanation.fixes.as_ref()?.found[index].edits.iter().map(|edit| {
            format!("at {}, `{}` instead of `{}`", sources.position(edit.span), edit.new, sources.text(edit.span))
        });
        let told = told.collect::<Vec<_>>().join(" and ");
        return Some(format!("a fix was found {told}, but the compiled program does not confirm it: {how}"));
    }
    let (what, inputs, how): (_, &[InputValue], _) = match (&replays.failing, &replays.passing) {
        (Replay::Refuted(how), _) => ("failing", &explanation.counterexample.as_ref()?.named, how),
        (_, Replay::Refuted(how)) => ("passing", &answer.nearest()?.named, how),
        _ => return None,
    };
    let claim = explanation.property.map(|i| &explanation.claims[i]);
    let inputs: Vec<String> = (inputs.iter())
        .map(|input| format!("{} = {}", input.name, show::value(answer.read.program.lowered(), input.ty, input.value)))
        .collect();
    let place = claim.map(|claim| (claim.id.as_str(), answer.read.sources().position(claim.span)));
    let place = place.map(|(id, at)| format!("{id} at {}:{}", at.file, at.line)).unwrap_or_default();
    let with = if inputs.is_empty() { String::new() } else { format!(" with {},", inputs.join(", ")) };
    Some(format!("a {what} execution was found for {place},{with} but the compiled program does not confirm it: {how}"))
}

/// Writes the runs as C files into a folder (`--emit-tests`), and says what came of it.
pub fn emitted(answer: &Answer, folder: &str) -> String {
    let stop = answer.work.last_moment();
    let Some(question) = both_runs(answer, &stop) else {
        return "--emit-tests: nothing was written, because no run fails".to_owned();
    };
    match native::emit(&question, Path::new(folder)) {
        Ok(files) if question.passing.is_none() => {
            format!("{} was written, compiled and run; there is no passing run to write", files.join(", "))
        }
        Ok(files) => format!("{} were written, compiled and run", files.join(", ")),
        Err(why) => format!("--emit-tests: {why}"),
    }
}

/// What the compiled program is to do, if anything fails.
fn both_runs<'a>(answer: &Answer<'a>, stop: &'a Stop) -> Option<Question<'a>> {
    let explanation = answer.explanation;
    let counterexample = explanation.counterexample.as_ref()?;
    Some(Question {
        settings: answer.work.settings,
        properties: answer.properties,
        sources: answer.read.sources(),
        program: answer.read.program.lowered(),
        reference: answer.read.program.reference(),
        crash: answer.read.program.crash().map(|crash| &**crash),
        failing: Some(Feed { inputs: &counterexample.inputs, run: &counterexample.run }),
        passing: answer.nearest().map(|found| Feed { inputs: &found.inputs, run: &found.run }),
        claim: &explanation.claims[explanation.property?],
        stop,
    })
}
