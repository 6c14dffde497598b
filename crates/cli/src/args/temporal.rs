//! `--formula` and `--action`, as they are typed.

use clap::Args;
use nearmiss_program::c::formula::Action;

/// What runs must do over time.
#[derive(Args, Debug)]
#[command(next_help_heading = "Temporal properties")]
pub struct TemporalArgs {
    /// Every run must satisfy this formula (LTL, PSL or SVA) over actions: 'G(lock -> F unlock)'
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    pub formula: Option<String>,

    /// Functions whose calls the formula speaks about, under which names: Lock=lock,Unlock=unlock; `lock.return` is their return
    #[arg(long, value_name = "FUNCTION=NAME", value_delimiter = ',', value_parser = action, requires = "formula")]
    pub action: Vec<Action>,
}

/// `Lock=lock`, or `Lock` for both.
fn action(text: &str) -> Result<Action, String> {
    let (function, atom) = text.split_once('=').unwrap_or((text, text));
    let (function, atom) = (function.trim().to_owned(), atom.trim().to_owned());
    if function.is_empty() || atom.is_empty() {
        return Err("write FUNCTION=NAME, for example Lock=lock".to_owned());
    }
    Ok(Action { function, atom })
}
