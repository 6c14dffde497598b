//! The forms of a report, a method each: which renderer when.

use std::path::Path;

use serde_json::{Value, json};

use crate::paint::Paint;
use crate::report::Report;
use crate::view::{Detail, Verb};
use crate::witness::Origin;
use crate::{contrast, fixes, html, json, layout, markdown, sarif, terminal, tests, waves, ways_text, witness};

impl Report<'_> {
    /// For a person at a terminal.
    pub fn text(&self, detail: Detail, paint: Paint) -> String {
        if let Some(tests) = &self.explanation.tests {
            return tests::render(tests, self, detail, paint);
        }
        if let (Verb::Fix, Some(found)) = (self.command, &self.explanation.fixes) {
            return fixes::render(found, self, detail, paint);
        }
        match (self.ways, &self.explanation.contrast) {
            (Some((found, view)), _) => ways_text::render(found, self, view, detail, paint),
            (None, Some(contrast)) => contrast::render(contrast, self, detail, paint),
            (None, None) => terminal::render(self, detail, paint),
        }
    }

    /// For a program: one object.
    pub fn json(&self) -> String {
        json::print(&self.answer())
    }

    /// One page for a browser.
    pub fn html(&self) -> String {
        match self.ways {
            Some((found, view)) => html::render_focus(found, self, view),
            None => html::render(self),
        }
    }

    /// For code-scanning views and editors. Names of files are told from the folder `here`.
    pub fn sarif(&self, here: Option<&Path>) -> String {
        sarif::render(&self.answer(), &self.sentence(), self.sources, here)
    }

    /// For a comment on a pull request.
    pub fn markdown(&self) -> String {
        markdown::render(&self.answer(), &self.sentence())
    }

    /// The best fix as a unified diff, to be applied in the folder `here`; empty where there is none.
    pub fn patch(&self, here: Option<&Path>) -> String {
        let best = self.explanation.fixes.as_ref().and_then(|found| found.found.first());
        best.map(|fix| fixes::diff::patch(self.sources, &fix.edits, here)).unwrap_or_default()
    }

    /// Both runs of a model of hardware as waveforms; none where nothing fails.
    pub fn waves(&self) -> Option<waves::Waves> {
        waves::of(self)
    }

    /// For tools that validate violation witnesses: a file without entries, where nothing fails. The error says why what
    /// fails has no witness.
    pub fn witness(&self, origin: &Origin) -> Result<String, String> {
        Ok(witness::render(self, origin)?.unwrap_or_else(|| witness::NONE.to_owned()))
    }

    /// What a suite keeps: the forms that it merges, and the line that it tells.
    pub fn record(&self, here: Option<&Path>) -> Value {
        let answer = self.answer();
        let sentence = self.sentence();
        let log = sarif::log(&answer, &sentence, self.sources, here);
        let text = self.text(Detail::Normal, Paint::Plain);
        // The verdict stands beside it.
        let sentence = ["HOLDS: ", "PASSES: ", "UNDECIDED: "]
            .iter()
            .find_map(|word| sentence.strip_prefix(word))
            .unwrap_or(&sentence);
        json!({"sentence": sentence, "text": text, "sarif": log, "answer": answer})
    }

    fn answer(&self) -> Value {
        match self.ways {
            Some((found, view)) => json::answer_focus(found, self, view),
            None => json::answer(self),
        }
    }

    /// What the text starts with, in one line and without its first word.
    fn sentence(&self) -> String {
        let sentence = match self.command {
            _ if self.explanation.tests.is_some() => self.text(Detail::Quiet, Paint::Plain),
            Verb::Check | Verb::Fix => terminal::sentence(self),
            _ => self.text(Detail::Quiet, Paint::Plain),
        };
        let sentence = layout::one_line(&sentence);
        sentence.strip_prefix("FAILS: ").map(str::to_owned).unwrap_or(sentence)
    }
}
