//! Colours, or none.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

use crate::args::Color;

/// Colours text if that is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Escape sequences of terminals.
    Colour,
    /// The text as it is.
    Plain,
}

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

impl Paint {
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

    /// A renderer of snippets in this manner.
    pub fn snippets(self) -> annotate_snippets::Renderer {
        match self {
            Paint::Colour => annotate_snippets::Renderer::styled(),
            Paint::Plain => annotate_snippets::Renderer::plain(),
        }
    }

    /// A failure.
    pub fn bad(self, text: &str) -> String {
        self.with(AnsiColor::BrightRed.on_default().bold(), text)
    }

    /// A success.
    pub fn good(self, text: &str) -> String {
        self.with(AnsiColor::BrightGreen.on_default().bold(), text)
    }

    /// Neither.
    pub fn unsure(self, text: &str) -> String {
        self.with(AnsiColor::BrightYellow.on_default().bold(), text)
    }

    /// What to look at.
    pub fn strong(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    /// What stands beside it.
    pub fn faint(self, text: &str) -> String {
        self.with(Style::new().dimmed(), text)
    }

    fn with(self, style: Style, text: &str) -> String {
        match self {
            Paint::Plain => text.to_owned(),
            Paint::Colour if text.is_empty() => String::new(),
            Paint::Colour => format!("{}{text}{}", style.render(), style.render_reset()),
        }
    }
}
