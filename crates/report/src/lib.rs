//! From an answer to bytes: one file per form of output.
//!
//! The answer of [`Program::explain`](nearmiss_explain::Program::explain) becomes [`text()`], [`json()`], [`html()`],
//! [`sarif()`] or [`markdown()`]; those of a trace are in [`causes`]. Renderers read values and return text; they decide
//! nothing, print nothing and open no files. They leave out times, so that the same input gives the same bytes.
//!
//! ```
//! use nearmiss_explain::{Explaining, Program, Reading};
//!
//! let text = "int main(void) { int n; if (n > 3) n = 3; __CPROVER_assert(n < 3, \"few\"); }";
//! let program = Program::from_text("few.c", text, &Reading::default())?;
//! let why = program.explain(&Explaining::default())?;
//! assert!(nearmiss_report::text(&why).starts_with("FAILS: `n < 3`"));
//! assert!(nearmiss_report::json(&why).contains("\"verdict\": \"fails\""));
//! assert!(nearmiss_report::html(&why).starts_with("<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use nearmiss_explain::{Asked, Why};

use crate::view::{Detail, Verb};

mod align;
mod calls;
pub mod causes;
pub mod contrast;
mod crash;
mod cycles;
pub mod diagnostic;
pub mod fixes;
mod forms;
mod formula_moments;
pub mod html;
pub mod json;
mod layout;
pub mod listing;
pub mod markdown;
pub mod names;
mod notation;
mod page;
mod paint;
mod pair;
mod reasons;
pub mod replay;
mod report;
mod same_inputs;
pub mod sarif;
mod schema;
pub mod score;
pub mod suite;
pub mod terminal;
mod tests;
mod trace;
mod turns;
mod versions;
pub mod view;
pub mod waves;
mod ways_brief;
pub mod ways_text;
pub mod witness;

pub use layout::one_line as in_one_line;
pub use notation::Notation;
pub use paint::Paint;
pub use report::{Background, Report, Side};

/// For a person, without colours.
pub fn text(why: &Why<'_>) -> String {
    shown(why, |report| report.text(Detail::Normal, Paint::Plain))
}

/// For a program: one object, as `--format json` prints it.
pub fn json(why: &Why<'_>) -> String {
    shown(why, |report| report.json())
}

/// One self-contained page.
pub fn html(why: &Why<'_>) -> String {
    shown(why, |report| report.html())
}

/// For code-scanning views and editors; names of files as they were given.
pub fn sarif(why: &Why<'_>) -> String {
    shown(why, |report| report.sarif(None))
}

/// For a comment on a pull request.
pub fn markdown(why: &Why<'_>) -> String {
    shown(why, |report| report.markdown())
}

fn shown(why: &Why<'_>, form: impl Fn(&Report<'_>) -> String) -> String {
    let command = match why.asked() {
        Asked::Check => Verb::Check,
        Asked::Explain => Verb::Explain,
    };
    form(&Report::of_why(command, why, &Background::of_why(why)))
}
