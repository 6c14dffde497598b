//! Names on the command line that nothing in the program has: an error where nothing sensible can be answered, a warning
//! where the answer is one to another question than the user may think.

use nearmiss_explain::explain::matches_pattern;
use nearmiss_program::loops;
use nearmiss_program::program::{Author, Function, FunctionId, Program};
use nearmiss_program::source::{Diagnostic, Severity};
use nearmiss_program::spelling::is_one_edit;

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
        _ => &[],
    };
    let mut warnings = Vec::new();
    if !settings.check.unwindset.is_empty() {
        let known = can_be_bounded(program);
        for (id, _) in settings.check.unwindset.iter().filter(|(id, _)| !known.contains(id)) {
            let tip = || "--show-loops lists the loops; a recursive function goes by its name".to_owned();
            let help = near(known.iter().map(String::as_str), id).unwrap_or_else(tip);
            warnings.push(warning(format!("--unwindset: no loop that can be executed is called `{id}`"), help));
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

/// Help for somebody who meant one of these: the same in other letters, one letter apart, or with more or less around it.
pub fn near<'a>(known: impl Iterator<Item = &'a str>, name: &str) -> Option<String> {
    let lower = name.to_lowercase();
    let rank = |other: &str| {
        let other = other.to_lowercase();
        if other == lower {
            Some(0)
        } else if is_one_edit(&other, &lower) {
            Some(1)
        } else {
            (other.contains(&lower) || lower.contains(&other)).then_some(2)
        }
    };
    let (_, other) = known.filter_map(|other| rank(other).map(|rank| (rank, other))).min()?;
    Some(format!("did you mean `{other}`?"))
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn the_nearest_name_is_the_most_alike() {
        let help = |name: &str| near(["main", "lock", "unlock", "Unlock_all"].into_iter(), name);
        assert_eq!(help("unlok").as_deref(), Some("did you mean `unlock`?"));
        assert_eq!(help("LOCK").as_deref(), Some("did you mean `lock`?"));
        assert_eq!(help("unlock_al").as_deref(), Some("did you mean `Unlock_all`?"));
        assert_eq!(help("main.0").as_deref(), Some("did you mean `main`?"));
        assert_eq!(help("send"), None);
    }
}
