//! The failing run that another checker tells of, rebuilt on our interpreter.
//!
//! The program is executed with the values that the checker tells for its inputs (`given/answers.rs`), and what happens is
//! compared with the rest of what it tells (`given/compare.rs`). Where the two disagree, the answer is where. A witness may
//! leave inputs open; then a run is looked for that fails and agrees with it (`given/search.rs`).

use std::collections::HashSet;
use std::error::Error;
use std::fmt;

use super::answers::Answers;
use super::compare::{self, Following};
use super::disagreement::{Disagreement, OTHER_PROGRAM, same_file};
use super::search::{self, Completed};
use crate::check::{self, CheckError, CheckOptions};
use crate::imported::{Failure, Format, ImportedRun, What};
use nearmiss_program::interp::{self, Interpreter, Limits};
use nearmiss_program::program::{Claim, ClaimId, ClaimKind, Program};
use nearmiss_program::run::{Inputs, Outcome, Run, RunStepKind};
use nearmiss_program::source::Sources;
use nearmiss_trace::read::error::shortened;

/// A run that was rebuilt.
#[derive(Clone, Debug)]
pub struct Rebuilt {
    /// Its inputs.
    pub inputs: Inputs,
    /// The claims that count (`--property`): more than the user named where the run violates another one first.
    pub properties: Vec<String>,
    /// What a reader should know, a sentence each.
    pub notes: Vec<String>,
}

/// Why a run cannot be rebuilt.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Somewhere in the counterexample, or about the whole.
    Disagreement(Disagreement),
    /// For another reason.
    Other(CheckError),
}

/// What to do where a graph of CBMC ends in nothing.
const WHICH_CLAIM: &str = "such a graph does not say which claim is violated, which may be only that a function has no body; \
                           CBMC's --json-ui --trace does";

/// So many conditions of a graph may be about lines that the run does not come to.
const MOST_LEFT_OUT: usize = 8;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Disagreement(what) => what.fmt(f),
            Refusal::Other(error) => error.fmt(f),
        }
    }
}

impl Error for Refusal {}

impl From<CheckError> for Refusal {
    fn from(error: CheckError) -> Refusal {
        Refusal::Other(error)
    }
}

/// Rebuilds the run.
pub fn rebuild(
    program: &Program,
    sources: &Sources,
    imported_run: &ImportedRun,
    options: &CheckOptions,
) -> Result<Rebuilt, Refusal> {
    rebuilt(program, sources, imported_run, options).map_err(|refusal| match refusal {
        Refusal::Disagreement(what) => Refusal::Disagreement(Disagreement { message: shortened(what.message), ..what }),
        other => other,
    })
}

fn rebuilt(
    program: &Program,
    sources: &Sources,
    imported_run: &ImportedRun,
    options: &CheckOptions,
) -> Result<Rebuilt, Refusal> {
    files_are_known(sources, imported_run).map_err(Refusal::Disagreement)?;
    let arguments = &compare::arguments(program, sources);
    let imported_run = &without_arguments(arguments, imported_run);
    let properties = options.properties.clone();
    let mut rebuilding = Rebuilding { program, sources, imported_run, arguments, properties };
    let mut attempt = rebuilding.attempt(None)?;
    if let (Err(_), Some(other)) = (&attempt.agreed, attempt.passed_over.take()) {
        rebuilding.properties = vec![other];
        attempt = rebuilding.attempt(None)?;
    }
    let format = imported_run.format;
    match attempt.agreed {
        Ok(()) => {
            let zeros = format!("inputs that the {format} does not tell are 0");
            let note = (attempt.open > 0 && format != Format::Kani).then_some(zeros);
            Ok(rebuilding.with(attempt.inputs, note))
        }
        Err(disagreement) if format.is_complete() && attempt.gaps == 0 => Err(Refusal::Disagreement(disagreement)),
        Err(disagreement) if !imported_run.is_sure && attempt.open + attempt.gaps == 0 && attempt.fails => {
            let line = disagreement.at.map_or_else(String::new, |at| format!(", line {}", at.line));
            let note = format!("not all that the {format}{line} says is so: {}", disagreement.message);
            Ok(rebuilding.with(attempt.inputs, Some(note)))
        }
        Err(disagreement) => rebuilding.completed(options, attempt.open + attempt.gaps, disagreement),
    }
}

/// Some file that the counterexample speaks of must be one of the program.
fn files_are_known(sources: &Sources, imported_run: &ImportedRun) -> Result<(), Disagreement> {
    let failure = imported_run.failure.iter().filter_map(|failure| Some((failure.file.as_deref()?, failure.at)));
    let facts = imported_run.facts.iter().filter_map(|fact| Some((fact.file.as_deref()?, fact.at)));
    let mut told = failure.chain(facts).peekable();
    let Some((first, at)) = told.peek().copied() else { return Ok(()) };
    let own: Vec<&str> = sources.files().filter(|(_, file)| !file.system).map(|(_, file)| file.name.as_str()).collect();
    let is_marked = || sources.files().any(|(_, file)| file.text.starts_with("# ") || file.text.contains("\n# "));
    if own.is_empty() || is_marked() || told.any(|(told, _)| own.iter().any(|own| same_file(Some(told), own))) {
        return Ok(());
    }
    Err(Disagreement {
        at: Some(at),
        message: format!("the counterexample is about `{first}`, which is no file of the program"),
        help: format!("the program is made of {}", own.join(", ")),
    })
}

/// Without what calls pass to functions: graphs and lists of states tell that in the line of the call, as if the caller
/// set a variable of that name.
fn without_arguments(arguments: &HashSet<(u32, &str, &str)>, imported_run: &ImportedRun) -> ImportedRun {
    let mut imported_run = imported_run.clone();
    if !matches!(imported_run.format, Format::States | Format::EsbmcJson | Format::WitnessGraphml) {
        return imported_run;
    }
    let is_passed = |line: Option<u32>, function: Option<&str>, name: &str| {
        let base = name.split(['.', '[', '-']).next().unwrap_or(name);
        line.zip(function).is_some_and(|(line, function)| arguments.contains(&(line, function, base)))
    };
    imported_run.facts.retain_mut(|fact| {
        let (line, function) = (fact.line, fact.function.as_deref());
        match &mut fact.what {
            What::Value(name, _) => !is_passed(line, function, name),
            What::Object(object) => object.callee.is_some() || !is_passed(line, function, &object.name),
            What::Held(comparisons, _) => {
                comparisons.retain(|comparison| !is_passed(line, function, &comparison.name));
                !comparisons.is_empty()
            }
            _ => true,
        }
    });
    imported_run
}

struct Rebuilding<'a> {
    program: &'a Program,
    sources: &'a Sources,
    imported_run: &'a ImportedRun,
    /// What calls pass to functions.
    arguments: &'a HashSet<(u32, &'a str, &'a str)>,
    properties: Vec<String>,
}

/// What came of some inputs.
struct Attempt {
    inputs: Inputs,
    /// So many inputs were not told.
    open: usize,
    /// So many were told in part.
    gaps: usize,
    /// Whether the run ends as is told.
    fails: bool,
    agreed: Result<(), Disagreement>,
    /// The claim that the counterexample violates, where another written assertion was in its way.
    passed_over: Option<String>,
}

impl Rebuilding<'_> {
    /// A run with these inputs, and a note on how it was found.
    fn with(self, inputs: Inputs, note: Option<String>) -> Rebuilt {
        let mut notes = self.imported_run.notes.clone();
        if self.imported_run.others > 0 {
            let more = self.imported_run.others;
            let them =
                if more == 1 { "one more counterexample".to_owned() } else { format!("{more} more counterexamples") };
            notes.push(format!("the file holds {them}; --property chooses"));
        }
        notes.extend(note);
        Rebuilt { inputs, properties: self.properties, notes }
    }

    /// Looks for what the counterexample leaves open. `disagreement` is what is wrong where that is 0.
    fn completed(self, options: &CheckOptions, open: usize, disagreement: Disagreement) -> Result<Rebuilt, Refusal> {
        let format = self.imported_run.format;
        match self.search(options)? {
            Completed::Inputs(inputs) => {
                let again = self.attempt(Some(inputs))?;
                if !self.imported_run.is_sure && again.fails && again.agreed.is_err() {
                    let note = format!(
                        "the {format} leaves inputs open, and not all that it says is so; of what it says, this failing run \
                         keeps the results of calls"
                    );
                    return Ok(self.with(again.inputs, Some(note)));
                }
                again.agreed.map_err(Refusal::Disagreement)?;
                let note = match format.is_complete() {
                    false => {
                        format!("the {format} leaves inputs open; this is a failing run that agrees with what it says")
                    }
                    true => format!(
                        "the {format} does not tell all of a union that starts undefined; this is a failing run that \
                         agrees with the rest"
                    ),
                };
                Ok(self.with(again.inputs, Some(note)))
            }
            // All inputs are told: where their run parts from the rest is what there is to say.
            Completed::Nothing { .. } if open == 0 || format.is_complete() => Err(Refusal::Disagreement(disagreement)),
            Completed::Nothing { agrees_up_to: Some(fact) } => Err(Refusal::Disagreement(Disagreement {
                at: self.imported_run.facts.get(fact).map(|fact| fact.at),
                message: "no failing run agrees with this and with what comes before it".to_owned(),
                help: OTHER_PROGRAM.to_owned(),
            })),
            Completed::Nothing { agrees_up_to: None } => Err(Refusal::Disagreement(disagreement)),
            Completed::Unknown => Err(Refusal::Disagreement(Disagreement {
                message: format!(
                    "{}; whether another run agrees with the counterexample is not known",
                    disagreement.message
                ),
                help: "give it more time (--timeout) or a fixed bound (--unwind)".to_owned(),
                ..disagreement
            })),
        }
    }

    /// A failing run that agrees with all that is told, or with as much of it as must be.
    fn search(&self, options: &CheckOptions) -> Result<Completed, Refusal> {
        let narrowed = check::narrow(self.program, &self.properties)?;
        let program = narrowed.as_ref().unwrap_or(self.program);
        // What a graph says of a line that no failing run comes to may hold all the same.
        let (mut asked, mut left_out) = (self.imported_run.clone(), Vec::new());
        let found = loop {
            match search::search(program, self.sources, &asked, options) {
                Completed::Nothing { agrees_up_to: Some(fact) }
                    if asked.format == Format::WitnessGraphml
                        && left_out.len() < MOST_LEFT_OUT
                        && matches!(asked.facts[fact].what, What::Held(..)) =>
                {
                    left_out.push(asked.facts.remove(fact).at);
                }
                Completed::Nothing { .. } if !left_out.is_empty() => {
                    let fact = self.imported_run.facts.iter().position(|fact| fact.at == left_out[0]);
                    break Completed::Nothing { agrees_up_to: fact };
                }
                found => break found,
            }
        };
        match found {
            Completed::Nothing { .. } if !asked.is_sure => {
                asked.facts.retain(|fact| matches!(fact.what, What::Result(..)));
                Ok(search::search(program, self.sources, &asked, options))
            }
            found => Ok(found),
        }
    }

    /// Runs the inputs that are told, or those that were found, and compares.
    fn attempt(&self, found: Option<Inputs>) -> Result<Attempt, Refusal> {
        let narrowed = check::narrow(self.program, &self.properties)?;
        let program = narrowed.as_ref().unwrap_or(self.program);
        let (inputs, open, gaps, pointer) = match found {
            Some(inputs) => (inputs, 0, 0, None),
            None => {
                let mut answers = Answers::new(program, self.sources, &self.imported_run.facts);
                Interpreter::new(program).ask(&mut answers, &Limits::default());
                if let Some(disagreement) = answers.disagreement.take() {
                    let (inputs, agreed) = (answers.inputs, Err(disagreement));
                    return Ok(Attempt { inputs, open: 0, gaps: 0, fails: false, agreed, passed_over: None });
                }
                (answers.inputs, answers.open, answers.gaps, answers.pointer)
            }
        };
        let run = interp::run(program, &inputs, &Limits::default());
        let (sources, imported_run, arguments) = (self.sources, self.imported_run, self.arguments);
        let following = Following { program, sources, imported_run, run: &run, arguments };
        let told = self.failure().and_then(|failure| self.claim(program, failure));
        let steps = compare::follow(&following);
        let ended = self.end(program, &run, told);
        let fails = ended.is_ok();
        let passed_over = match (&run.outcome, told) {
            (Outcome::Violated(other), Some(told)) if *other != told => {
                let goes_on = |id: ClaimId| program.claims[id.index()].kind.goes_on();
                (self.properties.is_empty() && goes_on(*other)).then(|| program.claims[told.index()].id.clone())
            }
            _ => None,
        };
        // A step that differs explains an end that differs; one that was not reached does not explain an early end.
        let is_early = matches!(run.outcome, Outcome::Violated(_));
        let agreed = match (steps, ended) {
            (Err(step), Err(end)) if is_early && !step.is_value => Err(end),
            (Err(step), _) => Err(step.disagreement),
            (Ok(()), ended) => ended,
        };
        let agreed = agreed.map_err(|disagreement| pointer.unwrap_or(disagreement));
        Ok(Attempt { inputs, open, gaps, fails, agreed, passed_over })
    }

    /// The claim that is violated. That a function has no body is none.
    fn failure(&self) -> Option<&Failure> {
        self.imported_run.failure.as_ref().filter(|failure| !failure.is_missing_body())
    }

    /// Our claim for the one that the checker says is violated.
    fn claim(&self, program: &Program, failure: &Failure) -> Option<ClaimId> {
        let line = failure.line?;
        let id = failure.id.as_deref().unwrap_or_default();
        let kind = id.rsplit('.').nth(1).unwrap_or_default();
        let rank = |claim: &Claim| (claim.id != id, claim.kind.name() != kind);
        let claims = (0..).map(ClaimId).zip(&program.claims);
        let there = claims.filter(|(_, claim)| {
            let at = self.sources.position(claim.span);
            at.line == line && same_file(failure.file.as_deref(), &at.file)
        });
        there.min_by_key(|(_, claim)| rank(claim)).map(|(id, _)| id)
    }

    /// Does the run end as the checker says?
    fn end(&self, program: &Program, run: &Run, told: Option<ClaimId>) -> Result<(), Disagreement> {
        let failure = self.failure();
        let at = self.imported_run.failure.as_ref().map(|failure| failure.at);
        let says = match (failure, told) {
            (_, Some(told)) => format!("`{}`", program.claims[told.index()].text),
            (Some(Failure { text: Some(text), .. }), None) => format!("`{text}`"),
            _ => "a claim".to_owned(),
        };
        let wrong = |how: String, help: &str| Err(Disagreement { at, message: how, help: help.to_owned() });
        match &run.outcome {
            Outcome::Violated(claim) => {
                let Some(line) = failure.and_then(|failure| failure.line) else { return Ok(()) };
                let own = &program.claims[claim.index()];
                let position = self.sources.position(own.span);
                let file = failure.and_then(|failure| failure.file.as_deref());
                let is_there = |line_of: u32, file_of: &str| line_of == line && same_file(file, file_of);
                if is_there(position.line, &position.file) || self.calls(run).any(|(line, file)| is_there(line, &file))
                {
                    return Ok(());
                }
                let message = format!(
                    "the counterexample violates {says} in line {line}, but the program violates `{}` ({}) first",
                    own.text, own.id
                );
                let help = match own.kind {
                    ClaimKind::Assertion => OTHER_PROGRAM.to_owned(),
                    _ => format!(
                        "look at that one first (--property {}, if the checker tells of it), or switch the check off (`{}`)",
                        own.id,
                        switch(own.kind)
                    ),
                };
                wrong(message, &help)
            }
            Outcome::Finished if failure.is_none() && self.imported_run.failure.is_some() => wrong(
                "this says only that a function has no body, which fails nothing here: its result may be anything"
                    .to_owned(),
                "let the checker look for a run that violates a claim (`cbmc --property ID`), if there is one",
            ),
            Outcome::Finished => wrong(
                format!("the counterexample violates {says}, but with its inputs the program violates no claim"),
                if self.imported_run.is_sure { OTHER_PROGRAM } else { WHICH_CLAIM },
            ),
            Outcome::Excluded => wrong(
                "with the inputs of the counterexample an assumption of the program does not hold".to_owned(),
                OTHER_PROGRAM,
            ),
            Outcome::Unsupported(what) => wrong(
                format!("the run of the counterexample reaches {what}, which is not supported"),
                "leave that part of the program out",
            ),
            Outcome::Exhausted => wrong(
                "with the inputs of the counterexample the program does not come to an end".to_owned(),
                OTHER_PROGRAM,
            ),
        }
    }

    /// Where the calls stand that are under way at the end of a run.
    fn calls(&self, run: &Run) -> impl Iterator<Item = (u32, String)> {
        let mut calls = Vec::new();
        for step in &run.steps {
            match step.kind {
                RunStepKind::Call { .. } => calls.push(step.span),
                RunStepKind::Return { .. } => drop(calls.pop()),
                _ => {}
            }
        }
        calls.into_iter().map(|span| self.sources.position(span)).map(|at| (at.line, at.file))
    }
}

/// The flag that switches a check off.
fn switch(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::ArrayBounds => "--no-bounds-check",
        ClaimKind::DivisionByZero => "--no-div-by-zero-check",
        ClaimKind::Overflow => "--no-signed-overflow-check",
        ClaimKind::Wraparound => "--no-unsigned-overflow-check",
        ClaimKind::Shift => "--no-undefined-shift-check",
        ClaimKind::Conversion | ClaimKind::Narrowing => "--no-conversion-check",
        ClaimKind::Alignment => "--no-alignment-check",
        ClaimKind::FloatDivision => "--no-float-div-by-zero-check",
        ClaimKind::FloatOverflow => "--no-float-overflow-check",
        ClaimKind::Nan => "--no-nan-check",
        ClaimKind::PointerArithmetic => "--no-pointer-overflow-check",
        ClaimKind::PointerPrimitive => "--no-pointer-primitive-check",
        ClaimKind::EnumRange => "--no-enum-range-check",
        ClaimKind::MemoryLeak => "--no-memory-leak-check",
        ClaimKind::PointerDereference | ClaimKind::Free | ClaimKind::PointerRelation => "--no-pointer-check",
        _ => "--no-standard-checks",
    }
}
