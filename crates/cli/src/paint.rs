//! Whether to colour: what was asked for, and where the text goes.

use std::io::IsTerminal;

use nearmiss_report::Paint;

use crate::args::output::Color;

/// Where text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// A file.
    File,
}

impl Stream {
    fn is_terminal(self) -> bool {
        match self {
            Stream::Output => std::io::stdout().is_terminal(),
            Stream::Error => std::io::stderr().is_terminal(),
            Stream::File => false,
        }
    }
}

/// What was asked for, for where it goes; `NO_COLOR` is respected unless colour was asked for by name.
pub fn choose(color: Color, stream: Stream) -> Paint {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => stream.is_terminal() && !unwanted,
    };
    if colour { Paint::Colour } else { Paint::Plain }
}
