//! Colours, or none.

use anstyle::{AnsiColor, Style};

/// Colours text if that is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Escape sequences of terminals.
    Colour,
    /// The text as it is.
    Plain,
}

impl Paint {
    /// A renderer of snippets in this manner.
    pub(crate) fn snippets(self) -> annotate_snippets::Renderer {
        match self {
            Paint::Colour => annotate_snippets::Renderer::styled(),
            Paint::Plain => annotate_snippets::Renderer::plain(),
        }
    }

    /// A failure.
    pub(crate) fn bad(self, text: &str) -> String {
        self.with(AnsiColor::BrightRed.on_default().bold(), text)
    }

    /// A success.
    pub(crate) fn good(self, text: &str) -> String {
        self.with(AnsiColor::BrightGreen.on_default().bold(), text)
    }

    /// Neither.
    pub(crate) fn unsure(self, text: &str) -> String {
        self.with(AnsiColor::BrightYellow.on_default().bold(), text)
    }

    /// What to look at.
    pub(crate) fn strong(self, text: &str) -> String {
        self.with(Style::new().bold(), text)
    }

    /// What stands beside it.
    pub(crate) fn faint(self, text: &str) -> String {
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
