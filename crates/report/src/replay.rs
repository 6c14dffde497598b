//! What the compiled program did with the runs: a second opinion that reports mention.

/// How many times a compiled program goes round what a run repeats for ever.
pub const ROUNDS: usize = 3;

/// What came of replaying one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replay {
    /// The compiled program does the same.
    Confirmed,
    /// It does not; what it does instead.
    Refuted(String),
    /// It was not run, or nothing can be said; why. Empty if nobody asked.
    Skipped(String),
}

/// What came of the runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replays {
    /// The failing one.
    pub failing: Replay,
    /// The passing one.
    pub passing: Replay,
    /// The failing one by the program with each fix that is told: it passes.
    pub fixes: Vec<Replay>,
}

impl Replays {
    /// Nothing was replayed, and nobody wanted it to be.
    pub fn nobody_asked() -> Replays {
        Replays { failing: Replay::Skipped(String::new()), passing: Replay::Skipped(String::new()), fixes: Vec::new() }
    }
}
