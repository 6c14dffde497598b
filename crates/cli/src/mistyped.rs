//! Names on the command line that nothing in the program has: an error where nothing sensible can be answered, a warning
//! where the answer is one to another question than the user may think.

use nearmiss_explain::explain::matches_pattern;
use nearmiss_program::loops;
use nearmiss_program::program::{Author, Claim, ClaimKind, Function, FunctionId, Program};
use nearmiss_program::source::{Diagnostic, Severity};
use nearmiss_program::spelling::near;

use crate::settings::{Settings, Task};

/// A claim that was asked for and that is not there.
pub fn property(program: &Program, settings: &Settings) -> Option<String> {
    let known = |id: &String| program.claims.iter().any(|claim| claim.id == *id);
    let unknown = settings.check.properties.iter().find(|id| !known(id))?;
    Some(format!(
        "there is no claim `{unknown}` for '--property <ID>'\n\n  tip: --show-properties lists the identifiers\n"
    ))
}

/// Loops to bound and functions to trust that are not there.
pub fn warnings(program: &Program, settings: &Settings) -> Vec<Diagnostic> {
    let trusted = match &settings.task {
        Task::Explain(how) => &how.options.trust[..],
        Task::Fix(task) => &task.trust[..],
        _ => &[],
    };
    let idle = settings.idle.iter().map(|flag| {
        let message = format!("{flag} says how CBMC works; it has no effect here");
        Diagnostic { severity: Severity::Note, message, span: None, help: None }
    });
    let mut warnings: Vec<Diagnostic> = idle.collect();
    if !settings.check.unwindset.is_empty() {
        let known = can_be_bounded(program);
        for (id, _) in settings.check.unwindset.iter().filter(|(id, _)| !known.contains(id)) {
            let tip = || "--show-loops lists the loops; a recursive function goes by its name".to_owned();
            let help = near(known.iter().map(String::as_str), id).unwrap_or_else(tip);
            warnings.push(warning(format!("--unwindset: no loop that can be executed is called `{id}`"), help));
        }
    }
    for label in &settings.reading.c.error_labels {
        let text = format!("label {label} is not reached");
        let is_it = |claim: &Claim| claim.kind == ClaimKind::ErrorLabel && claim.text == text;
        if !program.claims.iter().any(is_it) {
            let help = "a label stands before a colon, in a function".to_owned();
            let message = format!("--error-label: no function that can be executed has a label `{label}`");
            warnings.push(warning(message, help));
        }
    }
    for pattern in trusted {
        let mut names = functions(program).map(|function| function.name.as_str());
        if !names.any(|name| matches_pattern(pattern, name)) {
            let near = near(functions(program).map(|function| function.name.as_str()), pattern);
            let help = near.unwrap_or_else(|| "it takes names of functions, with * and ?".to_owned());
            warnings.push(warning(format!("--trust: no function that can be executed matches `{pattern}`"), help));
        }
    }
    warnings
}

fn warning(message: String, help: String) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, message, span: None, help: Some(help) }
}

/// The functions that a person has written.
fn functions(program: &Program) -> impl Iterator<Item = &Function> {
    program.functions.iter().filter(|function| function.author == Author::User)
}

/// Everything that a bound can be given for: loops, those of the library too, and functions.
fn can_be_bounded(program: &Program) -> Vec<String> {
    let bodies = (0..program.functions.len() as u32).map(FunctionId);
    let bodies = bodies.filter(|id| !program.function(*id).blocks.is_empty());
    let loops = bodies.flat_map(|id| loops::analyse(program, id).heads).map(|head| head.id);
    loops.chain(program.functions.iter().map(|function| function.name.clone())).collect()
}
