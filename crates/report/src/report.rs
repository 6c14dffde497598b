//! An answer with everything that is needed to show it: what every renderer of programs reads.

use nearmiss_explain::explanation::Explanation;
use nearmiss_explain::focus::Focus;
use nearmiss_explain::{Program as Asked, Ways, Why};
use nearmiss_program::program::{Program, TypeId};
use nearmiss_program::show;
use nearmiss_program::source::{Sources, Span};

use crate::names::{self, Names};
use crate::notation::Notation;
use crate::replay::{Replay, Replays};
use crate::view::{Verb, WaysView};

/// What is known of the runs beyond the explanation; a report borrows it.
pub struct Background {
    failing: Names,
    passing: Names,
    notation: Notation,
    replays: Replays,
    notes: Vec<String>,
}

impl Background {
    /// That of an answer of `check` or `explain`.
    pub fn of_why(why: &Why<'_>) -> Background {
        Background::of(why.program(), why.explanation(), why.properties())
    }

    /// That of an answer of `focus`.
    pub fn of_ways(ways: &Ways<'_>) -> Background {
        Background::of(ways.program(), &ways.found().explanation, ways.properties())
    }

    fn of(asked: &Asked, explanation: &Explanation, properties: &[String]) -> Background {
        let names = |inputs| names::of_objects(asked.lowered(), inputs, properties);
        let nearest = explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref());
        Background {
            failing: explanation.counterexample.as_ref().map(|found| names(&found.inputs)).unwrap_or_default(),
            passing: nearest.map(|found| names(&found.inputs)).unwrap_or_default(),
            notation: Notation::of(asked.sources(), asked.lowered()),
            replays: Replays::nobody_asked(),
            notes: Vec::new(),
        }
    }

    /// The same, where the compiled program was run as well.
    pub fn replayed(self, replays: Replays) -> Background {
        Background { replays, ..self }
    }

    /// The same, with things to know beyond those of the explanation: why it stopped.
    pub fn noting(self, notes: Vec<String>) -> Background {
        Background { notes, ..self }
    }
}

/// An answer with everything that is needed to show it.
pub struct Report<'a> {
    /// The command that was typed.
    pub command: Verb,
    /// The files.
    pub sources: &'a Sources,
    /// The program.
    pub program: &'a Program,
    /// What was found out.
    pub explanation: &'a Explanation,
    /// The ways to fail, if that was asked, and what is wanted of them.
    pub ways: Option<(&'a Focus, &'a WaysView)>,
    /// The failing run.
    pub failing: Side<'a>,
    /// The passing run.
    pub passing: Side<'a>,
    /// Whether only some claims were asked for (`--property`).
    pub passes_over_claims: bool,
    /// What the compiled program did with the failing run, for each fix that is told.
    pub fixes: &'a [Replay],
    /// Things to know beyond those of the explanation: why it stopped.
    pub notes: &'a [String],
}

impl<'a> Report<'a> {
    /// The answer of `check`, `explain` or `fix`.
    pub fn of_why(command: Verb, why: &'a Why<'_>, background: &'a Background) -> Report<'a> {
        Report::of(command, why.program(), why.explanation(), why.properties(), background)
    }

    /// The answer of `focus`.
    pub fn of_ways(ways: &'a Ways<'_>, view: &'a WaysView, background: &'a Background) -> Report<'a> {
        let explanation = &ways.found().explanation;
        let report = Report::of(Verb::Focus, ways.program(), explanation, ways.properties(), background);
        Report { ways: Some((ways.found(), view)), ..report }
    }

    fn of(
        command: Verb,
        asked: &'a Asked,
        explanation: &'a Explanation,
        properties: &[String],
        background: &'a Background,
    ) -> Report<'a> {
        let program = asked.lowered();
        let Background { failing, passing, notation, replays, notes } = background;
        Report {
            command,
            sources: asked.sources(),
            program,
            explanation,
            ways: None,
            failing: Side { program, replay: &replays.failing, names: failing, notation },
            passing: Side { program, replay: &replays.passing, names: passing, notation },
            passes_over_claims: !properties.is_empty(),
            fixes: &replays.fixes,
            notes,
        }
    }
}

/// What is known of a run beyond the run.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The program.
    pub program: &'a Program,
    /// Whether the compiled program does the same.
    pub replay: &'a Replay,
    /// Names of the objects that the run creates.
    pub names: &'a Names,
    /// Which variables are shown as hexadecimal numbers.
    pub notation: &'a Notation,
}

impl Side<'_> {
    /// A value in C notation.
    pub(crate) fn value(&self, ty: TypeId, bits: u128) -> String {
        show::value_with(self.program, ty, bits, &|object| self.names.get(&object).cloned())
    }

    /// A value as a person likes it.
    pub(crate) fn value_for_people(&self, ty: TypeId, bits: u128) -> String {
        show::value_for_people(self.program, ty, bits, &|object| self.names.get(&object).cloned())
    }

    /// The value of a variable as a person likes it: as the program writes such values. A negative number is a number: its
    /// digits would say how wide its type is, and those of a bit-field more than it holds.
    pub(crate) fn value_of(&self, name: &str, place: Span, ty: TypeId, bits: u128) -> String {
        let width = self.program.size_bits(ty);
        let is_negative = self.program.is_signed(ty) && (1..=128).contains(&width) && bits >> (width - 1) & 1 == 1;
        match !is_negative && self.notation.is_hexadecimal(name, place) {
            true => show::hexadecimal(self.program, ty, bits),
            false => None,
        }
        .unwrap_or_else(|| self.value_for_people(ty, bits))
    }
}
