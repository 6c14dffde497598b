//! How much to spend, as it is typed.

use clap::Args;
use nearmiss_explain::explanation::Minimised;

use super::choice::{Words, one_of};

/// What `--minimise` takes.
const MINIMISED: Words<Minimised> =
    &[("optimal", Minimised::Optimal), ("greedy", Minimised::Greedy), ("none", Minimised::None)];

/// How much to spend, and what to do with a failing execution.
#[derive(Args, Debug)]
#[command(next_help_heading = "Effort")]
pub struct LimitArgs {
    /// Stop after S seconds with what is known; 0 is no limit
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: f64,

    /// Stop when MB megabytes of memory are in use [default: half of what the machine has]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub memory: Option<u64>,

    /// 1: do everything in turn; 2 or more: up to five things at once. What is told does not depend on it [default: as many
    /// as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), allow_negative_numbers = true)]
    pub threads: Option<u16>,

    /// How small to make the failing execution: optimal, greedy or none. [default: optimal, as far as that is quick;
    /// given by name it goes on until it is proved or the time is over]
    #[arg(long, value_name = "HOW", value_parser = one_of(MINIMISED), hide_possible_values = true)]
    pub minimise: Option<Minimised>,

    /// Do not compile and run the program to confirm a failing execution
    #[arg(long)]
    pub no_native: bool,
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("a number of seconds is needed, such as 10 or 0.5; 0 is no limit".to_owned()),
    }
}
