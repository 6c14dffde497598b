//! `nearmiss focus`: every way in which a program fails, or in which a condition is reached.
//!
//! The run of the first way is replayed by the compiled program as well; all were executed by the interpreter.

use std::time::Instant;

use anyhow::Result;
use nearmiss_explain::check::{self, CheckOptions};
use nearmiss_explain::explanation::Verdict;
use nearmiss_explain::focus::{self, FocusOptions};
use nearmiss_program::c::assume::Assumed;
use nearmiss_program::program::Assumption;
use nearmiss_program::program::{ClaimId, Program};
use nearmiss_program::source::{Diagnostic, Severity, Sources};

use crate::limits::{Limits, Reason};
use crate::progress::Progress;
use crate::settings::{FocusTask, Native, Settings, Task};
use crate::{Exit, Output, internal_error, notes, refuted, replay, stats, stopped};
use nearmiss_report::replay::{Replay, Replays};
use nearmiss_report::{Report, Side};

/// The condition to be reached, if that is what is asked.
pub fn reach(settings: &Settings) -> Option<&Assumed> {
    match &settings.task {
        Task::Focus(task) => task.view.reach.as_ref(),
        _ => None,
    }
}

/// What was asked, of which program.
pub struct Asked<'a> {
    /// Everything that was asked for.
    pub settings: &'a Settings,
    /// What of the ways.
    pub task: &'a FocusTask,
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a Sources,
    /// The claim that the condition is not reached.
    pub reached: Option<ClaimId>,
    /// What the user assumes.
    pub assumptions: Vec<Assumption>,
    /// Seconds that reading took.
    pub reading: f64,
}

/// Finds the ways, replays the first, renders.
pub fn run(
    asked: Asked<'_>,
    mut check: CheckOptions,
    limits: &Limits,
    progress: &Progress,
    watch: &mut dyn FnMut(check::Progress),
) -> Result<Exit> {
    let Asked { settings, task, program, sources, reached, assumptions, reading } = asked;
    let output = Output { settings };
    if let Some(claim) = reached {
        check.properties = vec![program.claims[claim.index()].id.clone()];
    }
    let options =
        FocusOptions { check, over: task.view.over.clone(), summaries: task.summaries, ..FocusOptions::default() };
    let found = focus::focus(program, sources, &options, watch);
    let stopped_by = limits.reason();
    limits.settle();
    let mut found = match found {
        Ok(found) => found,
        Err(error) => {
            progress.clear();
            return output.no_answer(&error, sources);
        }
    };
    if let Some(unknown) = &found.unknown {
        progress.clear();
        let message = format!("--over {}: there is no such input", unknown.name);
        let help = match unknown.inputs.is_empty() {
            true => "the program has no inputs".to_owned(),
            false => format!("the inputs are {}", unknown.inputs.join(", ")),
        };
        output.errors(&[Diagnostic { severity: Severity::Error, message, span: None, help: Some(help) }], sources)?;
        return Ok(Exit::Usage);
    }
    found.explanation.notes.extend(assumptions.into_iter().map(|assumption| {
        let message = format!("it is assumed that {}", assumption.text);
        Diagnostic::error(assumption.span, message).at(Severity::Note)
    }));
    let replaying = Instant::now();
    let replays = match reached {
        Some(_) if settings.native == Native::Replay && !found.ways.is_empty() => {
            let why = "the condition to be reached is no part of it".to_owned();
            Replays { failing: Replay::Skipped(why), ..Replays::nobody_asked() }
        }
        Some(_) => Replays::nobody_asked(),
        // Who interrupts does not want to wait for a compiler.
        None if stopped_by == Some(Reason::Interrupt) && settings.native == Native::Replay => {
            Replays { failing: Replay::Skipped(stopped(settings, Reason::Interrupt)), ..Replays::nobody_asked() }
        }
        None => {
            progress.say("replaying the compiled program");
            replay(settings, sources, program, &found.explanation)
        }
    };
    progress.clear();
    if settings.stats {
        eprint!("{}", stats(&found.explanation, reading, replaying.elapsed().as_secs_f64()));
    }
    if let Some(what) = refuted(&found.explanation, program, sources, &replays) {
        internal_error(&what);
        return Ok(Exit::Internal);
    }
    let mut told = notes(settings, stopped_by, &found.explanation, &replays);
    if !found.unlooked.is_empty() {
        told.push(nearmiss_report::ways_text::unlooked(&found));
    }
    if let Some(reason) = stopped_by {
        told.retain(|note| *note != stopped(settings, reason));
        let what = match found.cut_short {
            true => "not all ways are known, and more may be assumed than is needed",
            false => "more may be assumed than is needed",
        };
        told.push(format!("{}: {what}", stopped(settings, reason)));
    }
    let inputs = found.explanation.counterexample.as_ref().map(|shown| &shown.inputs);
    let objects = inputs
        .map(|inputs| nearmiss_report::names::of_objects(program, inputs, &options.check.properties))
        .unwrap_or_default();
    let notation = nearmiss_report::Notation::of(sources, program);
    let side = Side { program, replay: &replays.failing, names: &objects, notation: &notation };
    let report = Report {
        command: settings.command,
        sources,
        program,
        explanation: &found.explanation,
        failing: side,
        passing: Side { replay: &replays.passing, ..side },
        passes_over_claims: !options.check.properties.is_empty(),
        notes: told,
    };
    output.in_format(
        &report,
        || nearmiss_report::json::answer_focus(&found, &report, &task.view),
        || nearmiss_report::html::render_focus(&found, &report, &task.view),
        |detail, paint| nearmiss_report::ways_text::render(&found, &report, &task.view, detail, paint),
    )?;
    Ok(match found.explanation.verdict {
        Verdict::Fails if stopped_by == Some(Reason::Interrupt) || found.cut_short => Exit::Undecided,
        Verdict::Fails => Exit::Fails,
        Verdict::Holds => Exit::Holds,
        Verdict::Undecided => Exit::Undecided,
    })
}
