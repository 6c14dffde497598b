//! `--formula` and `--action`: the formula becomes a claim of the program.

use nearmiss_program::c::formula as property;
use nearmiss_program::c::{Errors, predicate};
use nearmiss_program::program::Program;
use nearmiss_program::source::{Diagnostic, FileId, Severity, Sources, Span};
use nearmiss_trace::ltl::{self, FormulaError};

use crate::loader::Disk;
use crate::mistyped::near;
use crate::settings::Settings;

/// Makes the formula a claim of the program, if there is one.
pub fn claim(settings: &Settings, program: &mut Program, disk: &Disk, sources: &mut Sources) -> Result<(), Errors> {
    let Some(text) = &settings.formula else { return Ok(()) };
    let file = sources.add("--formula", text.as_str(), false);
    let formula = ltl::parse(text).map_err(|error| vec![located(with_help(error, text), file, 0)])?;
    let offset = text.find(formula.text.as_str()).unwrap_or(0);
    // A function that is declared and never called is not part of the program.
    let unknown = |name: &&str| property::functions(program, name).next().is_none() && !is_mentioned(name, sources);
    let missing = settings.actions.iter().map(|action| action.function.as_str()).find(unknown);
    if let Some(name) = missing {
        let help = near(program.functions.iter().map(|function| function.name.as_str()), name);
        let message = format!("there is no function `{name}` for '--action'");
        return Err(vec![Diagnostic { severity: Severity::Error, message, span: None, help }]);
    }
    for action in &settings.actions {
        if property::functions(program, &action.function).next().is_none() {
            let message = format!("function {} is never called", action.function);
            program.notes.push(Diagnostic { severity: Severity::Note, message, span: None, help: None });
        }
    }
    let draft = property::read(program, &formula, &settings.actions);
    let draft = draft.map_err(|error| vec![located(error, file, offset)])?;
    let mut again = Sources::new();
    let (typed, files) = (draft.conditions(), &settings.files);
    let conditions = predicate::add(program, &typed, files, &settings.c, disk, &mut again);
    let conditions = conditions.inspect_err(|_| *sources = again)?;
    property::claim(program, draft, conditions).map_err(|error| vec![located(error, file, offset)])
}

/// Says what to write instead, where somebody writes another logic, or C.
fn with_help(error: FormulaError, text: &str) -> FormulaError {
    let word = text.get(error.range.clone()).unwrap_or_default();
    let is_called = text.get(error.range.end..).is_some_and(|rest| rest.trim_start().starts_with('('));
    let is_name = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let help = match word {
        "AG" | "AF" | "AX" => format!("this is LTL, and means every run: write {} for {word}", &word[1..]),
        "EG" | "EF" | "EX" => format!("this is LTL, and means every run: it cannot say {word}"),
        "." => "what this language cannot read goes in backquotes: `a[i].f == 0`".to_owned(),
        _ if is_called && is_name => {
            format!("calls have no arguments here: `{word}`, with --action {word}, is true where it is called")
        }
        _ => return error,
    };
    FormulaError { help: error.help.or(Some(help)), ..error }
}

/// Does a file of the user's declare or call this function?
fn is_mentioned(name: &str, sources: &Sources) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name =
        |text: &str, at: usize| !text[..at].ends_with(is_part) && text[at + name.len()..].trim_start().starts_with('(');
    let has = |text: &str| text.match_indices(name).any(|(at, _)| is_name(text, at));
    sources.files().any(|(_, file)| !file.system && file.name != "--formula" && has(&file.text))
}

/// An error of a formula, where it stands in a file.
pub fn located(error: FormulaError, file: FileId, offset: usize) -> Diagnostic {
    let span = Span { file, start: (offset + error.range.start) as u32, end: (offset + error.range.end) as u32 };
    Diagnostic { severity: Severity::Error, message: error.message, span: Some(span), help: error.help }
}
