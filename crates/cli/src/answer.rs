//! What `check`, `explain` and `focus` have found out, with what is needed to confirm it.

use nearmiss_explain::explanation::{Explanation, Nearest};
use nearmiss_explain::{Ways, Why};

use crate::limits::Reason;
use crate::reading::ReadProgram;
use crate::work::Work;

/// What was found out about a program.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    /// What was asked.
    pub work: &'a Work<'a>,
    /// Of which program.
    pub read: &'a ReadProgram,
    /// The claims that count; none named means all.
    pub properties: &'a [String],
    /// What was found out.
    pub explanation: &'a Explanation,
    /// Why the search stopped, if it was told to.
    pub stopped_by: Option<Reason>,
}

impl<'a> Answer<'a> {
    /// Of `check` or `explain`.
    pub fn of_why(
        work: &'a Work<'a>,
        read: &'a ReadProgram,
        why: &'a Why<'a>,
        stopped_by: Option<Reason>,
    ) -> Answer<'a> {
        Answer { work, read, properties: why.properties(), explanation: why.explanation(), stopped_by }
    }

    /// Of `focus`.
    pub fn of_ways(
        work: &'a Work<'a>,
        read: &'a ReadProgram,
        ways: &'a Ways<'a>,
        stopped_by: Option<Reason>,
    ) -> Answer<'a> {
        let explanation = &ways.found().explanation;
        Answer { work, read, properties: ways.properties(), explanation, stopped_by }
    }

    /// The passing run, if there is one.
    pub fn nearest(&self) -> Option<&'a Nearest> {
        self.explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref())
    }
}
