//! What is wanted of an answer: which command it answers, its form, and how much it says.

use nearmiss_program::c::assume::Assumed;

/// The command that is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// `nearmiss check`.
    Check,
    /// `nearmiss explain`.
    Explain,
    /// `nearmiss causes`.
    Causes,
    /// `nearmiss focus`.
    Focus,
    /// `nearmiss fix`.
    Fix,
    /// `nearmiss score`.
    Score,
    /// `nearmiss suite`.
    Suite,
    /// `nearmiss completions`.
    Completions,
    /// `nearmiss man`.
    Man,
}

impl Verb {
    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Check => "check",
            Verb::Explain => "explain",
            Verb::Causes => "causes",
            Verb::Focus => "focus",
            Verb::Fix => "fix",
            Verb::Score => "score",
            Verb::Suite => "suite",
            Verb::Completions => "completions",
            Verb::Man => "man",
        }
    }
}

/// The form of an answer about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For a person.
    Text,
    /// For a program.
    Json,
    /// For code-scanning views and editors.
    Sarif,
    /// For a comment on a pull request.
    Markdown,
    /// For tools that validate violation witnesses.
    Witness,
    /// A page for a browser.
    Html,
    /// A unified diff of the best fix.
    Patch,
    /// A value change dump of both runs of a model.
    Vcd,
    /// A save file of GTKWave for that dump.
    Gtkw,
    /// Commands of Surfer for that dump.
    Surfer,
    /// What a suite keeps of an answer: the object of JSON, the text and SARIF in one.
    Record,
}

impl Format {
    /// Is it of waveforms, which models of hardware have?
    pub fn is_of_waves(self) -> bool {
        matches!(self, Format::Vcd | Format::Gtkw | Format::Surfer)
    }
}

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Detail {
    /// Only the answer.
    Quiet,
    /// What a person needs.
    Normal,
    /// Every claim and every branch (`-v`).
    Verbose,
    /// Every step (`--trace`).
    Trace,
}

/// How much is told of the ways in which a program fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Every step of a run for each.
    Trace,
    /// The statements that the failure depends on.
    Sequences,
    /// The same, the simplest first.
    Ranked,
    /// Ways with the same statements once, with the neighbourhood of the error.
    Reduced,
}

impl Level {
    /// The words for them, on the command line and in answers.
    pub const WORDS: &'static [(&'static str, Level)] = &[
        ("trace", Level::Trace),
        ("sequences", Level::Sequences),
        ("ranked", Level::Ranked),
        ("reduced", Level::Reduced),
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        word(Level::WORDS, self)
    }
}

/// The word that stands for a value in a table.
pub(crate) fn word<T: PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, other)| *other == value).map_or("", |(word, _)| *word)
}

/// What to tell of the ways in which a program fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaysView {
    /// How much.
    pub level: Level,
    /// All of them, however many there are.
    pub all: bool,
    /// Of these inputs only; none named means all.
    pub over: Vec<String>,
    /// A condition to be reached instead of a claim to be violated.
    pub reach: Option<Assumed>,
}
