//! Replay by the program itself (placeholder).

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replay {
    /// The compiled program violates the same claim.
    Confirmed,
    /// It does not.
    Refuted(String),
    /// It was not run, and why.
    Skipped(String),
}

/// What to replay.
pub struct Question<'a> {
    /// How the program was read.
    pub settings: &'a crate::settings::Settings,
    /// Its files.
    pub sources: &'a nearmiss_explain::source::Sources,
    /// The program.
    pub program: &'a nearmiss_explain::program::Program,
    /// The failing run.
    pub counterexample: &'a nearmiss_explain::explanation::Counterexample,
    /// The claim that it violates.
    pub claim: &'a nearmiss_explain::explanation::ClaimReport,
}

/// Compiles the program, feeds it the inputs and looks at how it fails.
pub fn replay(_question: &Question) -> Replay {
    Replay::Skipped("not there yet".to_owned())
}
