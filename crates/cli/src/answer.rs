//! What `check`, `explain` and `focus` have found out, with what is needed to confirm and to tell it.

use anyhow::Result;
use nearmiss_explain::explanation::{Explanation, Nearest};
use nearmiss_report::replay::Replays;
use nearmiss_report::{Notation, Report, Side, names};

use crate::limits::Reason;
use crate::reading::Reading;
use crate::work::Work;

/// What was found out about a program.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    /// What was asked.
    pub work: &'a Work<'a>,
    /// Of which program.
    pub read: &'a Reading,
    /// The claims that count; none named means all.
    pub properties: &'a [String],
    /// What was found out.
    pub explanation: &'a Explanation,
    /// Why the search stopped, if it was told to.
    pub stopped_by: Option<Reason>,
}

impl<'a> Answer<'a> {
    /// The passing run, if there is one.
    pub fn nearest(&self) -> Option<&'a Nearest> {
        self.explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref())
    }

    /// Makes a report of it, for somebody to write.
    pub fn report(
        &self,
        replays: &Replays,
        notes: Vec<String>,
        write: impl FnOnce(&Report) -> Result<()>,
    ) -> Result<()> {
        let Answer { read, explanation, .. } = *self;
        let (program, sources) = (&read.program, &read.sources);
        let names = |inputs| names::of_objects(program, inputs, self.properties);
        let failing = explanation.counterexample.as_ref().map(|found| names(&found.inputs)).unwrap_or_default();
        let passing = self.nearest().map(|found| names(&found.inputs)).unwrap_or_default();
        let notation = Notation::of(sources, program);
        write(&Report {
            command: self.work.settings.command,
            sources,
            program,
            explanation,
            failing: Side { program, replay: &replays.failing, names: &failing, notation: &notation },
            passing: Side { program, replay: &replays.passing, names: &passing, notation: &notation },
            passes_over_claims: !self.properties.is_empty(),
            notes,
        })
    }
}
