//! The program with a fix, compiled: fed the inputs of the failing run, it must pass.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use nearmiss_explain::explanation::{ClaimReport, Explanation, Fix};
use nearmiss_explain::fix::Edited;
use nearmiss_explain::stack::on_a_large_stack;
use nearmiss_explain::{Program, Reading};
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{Claim, ClaimKind, SiteId};
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::source::{Sources, Span};
use nearmiss_report::replay::Replay;

use crate::answer::Answer;
use crate::limits::Reason;
use crate::native::{self, Feed, Question};
use crate::reading::ReadProgram;
use crate::settings::Native;
use crate::work::{Work, stopped};

/// Runs the compiled program once for each of the first fixes, if that is wanted.
pub fn compiled(answer: &Answer, most: usize) -> Vec<Replay> {
    let fixes: Vec<&Fix> = answer.explanation.fixes.iter().flat_map(|fixes| &fixes.found).take(most).collect();
    let settings = answer.work.settings;
    let stop = answer.work.last_moment();
    let replay = |fix: &Fix| match (settings.native, answer.stopped_by) {
        (Native::Skip, _) => Replay::Skipped(String::new()),
        // Who interrupts does not want to wait for a compiler.
        (_, Some(Reason::Interrupt)) => Replay::Skipped(stopped(settings, Reason::Interrupt)),
        _ => {
            answer.work.progress.say("trying the fixes in the compiled program");
            replay(answer, fix, &stop)
        }
    };
    let all = |fixes: &[&Fix]| fixes.iter().map(|fix| replay(fix)).collect::<Vec<Replay>>();
    let (one, other) = fixes.split_at(fixes.len() / 2);
    let (one, other) = settings.check.threads.both(|| all(one), || all(other));
    one.into_iter().chain(other).collect()
}

/// The first fix in the compiled program, begun while the rest is worked out.
#[derive(Default)]
pub struct Early(Mutex<Option<(Vec<TextEdit>, Replay)>>);

impl Early {
    /// Tries the first fix, as soon as it is known.
    pub fn begin(&self, work: &Work, read: &ReadProgram, properties: &[String], explanation: &Explanation) {
        let answer = Answer { work, read, properties, explanation, stopped_by: None };
        let first = explanation.fixes.iter().flat_map(|fixes| &fixes.found).next();
        if let (Some(fix), Native::Replay) = (first, work.settings.native) {
            let replayed = on_a_large_stack(|| replay(&answer, fix, &work.last_moment()));
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((fix.edits.clone(), replayed));
        }
    }

    /// What came of it, if there is a first fix; where that was not begun, it is tried now.
    pub fn first(self, answer: &Answer) -> Vec<Replay> {
        let first = answer.explanation.fixes.iter().flat_map(|fixes| &fixes.found).next();
        let done = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        match done {
            Some((edits, done)) if answer.stopped_by.is_none() && first.is_some_and(|fix| fix.edits == edits) => {
                vec![done]
            }
            _ => compiled(answer, 1),
        }
    }
}

/// Is it a claim that was violated before, and that the fix leaves so?
fn is_left(moved: &Moved, fix: &Fix, claim: &Claim, explanation: &Explanation) -> bool {
    let mut before = explanation.claims.iter().filter(|other| fix.leaves.contains(&other.id));
    before.any(|other| (moved.span(other.span), other.kind) == (claim.span, claim.kind))
}

fn replay(answer: &Answer, fix: &Fix, stop: &Stop) -> Replay {
    let (settings, explanation) = (answer.work.settings, answer.explanation);
    let (Some(failing), Some(claim)) = (&explanation.counterexample, explanation.property) else {
        return Replay::Skipped(String::new());
    };
    let claim = &explanation.claims[claim];
    if claim.kind == ClaimKind::Temporal {
        return Replay::Skipped("a formula speaks about whole runs".to_owned());
    }
    let sources = answer.read.sources();
    // What is assumed stands in the text that was read.
    let reading = Reading { assume: Vec::new(), ..answer.read.program.reading().clone() };
    let Ok(edited) = Program::from_loader(&settings.files, &reading, &Edited::of(sources, &fix.edits)) else {
        return Replay::Refuted("the edited text cannot be read".to_owned());
    };
    let moved = Moved { edits: &fix.edits, before: sources, after: edited.sources() };
    let inputs = moved.inputs(&failing.inputs, answer.read.program.lowered(), edited.lowered());
    let run = Interpreter::new(edited.lowered()).execute(&inputs, &Limits::default(), Recording::Steps).run;
    match run.outcome {
        Outcome::Finished | Outcome::Excluded => {}
        Outcome::Violated(first) if is_left(&moved, fix, &edited.lowered().claims[first.index()], explanation) => {
            let id = &edited.lowered().claims[first.index()].id;
            return Replay::Skipped(format!("{id}, which it leaves violated, is violated then"));
        }
        Outcome::Violated(first) if !answer.properties.is_empty() => {
            let id = &edited.lowered().claims[first.index()].id;
            return Replay::Skipped(format!("{id}, which was not asked for, is violated first"));
        }
        _ => return Replay::Refuted("with the edited text the interpreter does not come to its end".to_owned()),
    }
    // Where the run is fed a value for a variable without one, the compiled program sets it itself.
    if fix.edits.iter().any(|edit| edit.new.starts_with(" = ")) {
        return Replay::Skipped("the edit sets what the failing run was fed".to_owned());
    }
    if fix.edits.iter().any(|edit| !is_found(&sources.file(edit.span.file).name, answer)) {
        return Replay::Skipped("the edited header is not beside the files that include it".to_owned());
    }
    let replays = native::replay(&Question {
        settings,
        properties: answer.properties,
        sources: edited.sources(),
        program: edited.lowered(),
        reference: edited.reference(),
        crash: edited.crash().map(|crash| &**crash),
        failing: None,
        passing: Some(Feed { inputs: &inputs, run: &run }),
        claim: &ClaimReport { span: moved.span(claim.span), ..claim.clone() },
        stop,
    });
    match replays.passing {
        Replay::Skipped(why) if why.is_empty() => replays.failing,
        judged => judged,
    }
}

/// Is a file one that was given, or a header that only those include, from the same folder?
fn is_found(name: &str, answer: &Answer) -> bool {
    let files = &answer.work.settings.files;
    let path = Path::new(name);
    let Some(base) = path.file_name().and_then(|base| base.to_str()) else { return false };
    let is_given = |name: &str| files.iter().any(|file| file == name);
    let includes = |text: &str| {
        let mut lines = text.lines().filter(|line| line.trim_start().starts_with('#') && line.contains("include"));
        lines.any(|line| line.contains(base))
    };
    let folder = |name: &Path| name.parent().map(|folder| folder.strip_prefix(".").unwrap_or(folder).to_owned());
    let users = answer.read.sources().files().filter(|(_, file)| !file.system && includes(&file.text));
    is_given(name)
        || users.into_iter().all(|(_, file)| is_given(&file.name) && folder(Path::new(&file.name)) == folder(path))
}

/// Where places are after edits.
struct Moved<'a> {
    edits: &'a [TextEdit],
    before: &'a Sources,
    after: &'a Sources,
}

impl Moved<'_> {
    fn span(&self, span: Span) -> Span {
        let offset = |at: u32| {
            let earlier = self.edits.iter().filter(|edit| edit.span.file == span.file && edit.span.end <= at);
            earlier.fold(at, |at, edit| at + edit.new.len() as u32 - (edit.span.end - edit.span.start))
        };
        let name = &self.before.file(span.file).name;
        let file = self.after.files().find(|(_, file)| file.name == *name).map_or(span.file, |(id, _)| id);
        Span { file, start: offset(span.start), end: offset(span.end), ..span }
    }

    /// The same inputs for the edited program: contents go to the objects that are declared at the same place.
    fn inputs(
        &self,
        inputs: &Inputs,
        before: &nearmiss_program::program::Program,
        after: &nearmiss_program::program::Program,
    ) -> Inputs {
        let mut own = Inputs { contents: Default::default(), ..inputs.clone() };
        for ((site, count), contents) in &inputs.contents {
            let site = &before.sites[site.index()];
            let start = self.span(site.span).start;
            let same = after.sites.iter().position(|other| {
                other.span.start == start && other.name == site.name && other.function == site.function
            });
            if let Some(same) = same {
                own.contents.insert((SiteId(same as u32), *count), contents.clone());
            }
        }
        own
    }
}
