//! What may be typed, as data: for those who build command lines from something else than words, such as keywords of Python.
//! It is read off the parser itself, so that nothing is told twice.

use clap::{Arg, ArgAction, CommandFactory};

use super::Cli;

/// An option of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// As it is typed: `--unwind`, or `-I` where it has no longer name.
    pub flag: String,
    /// What comes behind it.
    pub takes: Takes,
    /// What its value is called, such as `FILE`.
    pub value: Option<String>,
    /// The words that it may be, where it is one of a few.
    pub words: Vec<String>,
    /// The value that counts where it is not given.
    pub default: Option<String>,
    /// What it says of itself.
    pub help: String,
    /// The option that undoes it.
    pub opposite: Option<String>,
}

/// What comes behind an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A value.
    One,
    /// A value, and it may be repeated.
    Many,
}

/// The options of a command that are told by its help, and the opposites of these. Nothing for a name that is no command's.
pub fn options(command: &str) -> Vec<Listed> {
    let mut tool = Cli::command();
    tool.build();
    let Some(command) = tool.find_subcommand(command) else { return Vec::new() };
    let typed = |arg: &Arg| match (arg.get_long(), arg.get_short()) {
        // A name in other languages does not start with a digit.
        (Some(long), _) if long.starts_with(|first: char| first.is_ascii_digit()) => {
            Some(format!("--{}", arg.get_all_aliases().into_iter().flatten().next().unwrap_or(long)))
        }
        (Some(long), _) => Some(format!("--{long}")),
        (None, Some(short)) => Some(format!("-{short}")),
        (None, None) => None,
    };
    let all: Vec<(&Arg, String)> = command.get_arguments().filter_map(|arg| Some((arg, typed(arg)?))).collect();
    let opposite = |flag: &str| {
        let name = flag.strip_prefix("--")?;
        let other = name.strip_prefix("no-").map_or_else(|| format!("--no-{name}"), |bare| format!("--{bare}"));
        all.iter().find(|(_, flag)| *flag == other).map(|(arg, _)| *arg)
    };
    let is_listed = |(arg, flag): &&(&Arg, String)| {
        let is_told = !arg.is_hide_set() || opposite(flag).is_some_and(|other| !other.is_hide_set());
        is_told && !matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpLong | ArgAction::HelpShort)
    };
    let listed = all.iter().filter(is_listed).map(|(arg, flag)| {
        let takes = match arg.get_action() {
            ArgAction::Set => Takes::One,
            ArgAction::Append => Takes::Many,
            _ => Takes::Nothing,
        };
        let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
        let has_value = takes != Takes::Nothing;
        let help = arg.get_help().map(ToString::to_string).filter(|_| !arg.is_hide_set());
        let opposite = opposite(flag).and_then(typed);
        let words = arg.get_possible_values().into_iter().map(|word| word.get_name().to_owned());
        Listed {
            flag: flag.clone(),
            takes,
            value: value.filter(|_| has_value),
            words: words.filter(|_| has_value).collect(),
            default: arg
                .get_default_values()
                .first()
                .map(|value| value.to_string_lossy().into_owned())
                .filter(|_| has_value),
            help: help.unwrap_or_else(|| format!("The opposite of `{}`", opposite.as_deref().unwrap_or_default())),
            opposite,
        }
    });
    listed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_the_parser() {
        let all = options("explain");
        let find = |flag: &str| all.iter().find(|option| option.flag == flag);
        assert_eq!(find("--unwind").map(|option| option.takes), Some(Takes::One));
        assert_eq!(find("--property").map(|option| option.takes), Some(Takes::Many));
        assert_eq!(find("--slice").map(|option| option.words.len()), Some(3));
        assert_eq!(find("-I").and_then(|option| option.value.clone()).as_deref(), Some("DIR"));
        let checks = find("--bounds-check").expect("opposites are listed");
        assert_eq!(checks.opposite.as_deref(), Some("--no-bounds-check"));
        assert!(
            find("--help").is_none() && find("--smt2").is_none(),
            "help is none, and what has no effect is not told"
        );
        assert!(options("nothing").is_empty());
    }
}
