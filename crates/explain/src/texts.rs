//! Short texts on standard input of two programs that are compared, executed: where the solver finds no failing or no passing run in its time, one
//! of these may do. Nothing is proved of other texts.

use std::collections::HashSet;

use nearmiss_program::c::console::{STDIN, TEXT};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{ClaimId, ExprKind, Program};
use nearmiss_program::run::{Inputs, Outcome};

/// What texts are made of, the likeliest first.
const CHARACTERS: &[u8] = b"01 \na29-A.";
/// So many characters that the program names are added to these.
const MOST_NAMED: usize = 6;
/// Numbers that stand beside each other in a text.
const NUMBERS: [&str; 10] = ["0", "1", "2", "-1", "3", "5", "7", "10", "12", "100"];
/// All texts of up to so many characters are made.
const LONGEST: usize = 3;
/// So many statements are executed in all, and for one text.
const MOST_STEPS: u64 = 10_000_000;
const MOST_OF_ONE: u64 = 50_000;

/// A text with which a claim is violated, the shortest first; none where no text is open.
pub(crate) fn failing(program: &Program) -> Option<(ClaimId, Inputs)> {
    Texts::of(program)?.find(|outcome, inputs| match outcome {
        Outcome::Violated(claim) => Some((*claim, inputs.clone())),
        _ => None,
    })
}

/// Texts with which none is, at most so many: those beside that of a failing run, and then the shortest; other inputs are as in that run.
pub(crate) fn passing(program: &Program, failing: &Inputs, most: usize) -> Vec<Inputs> {
    let Some(mut texts) = Texts::of(program) else { return Vec::new() };
    let of_text = failing.calls.iter().take(texts.room).take_while(|character| **character != 0).count();
    let read = if of_text < texts.room { of_text + 1 } else { of_text };
    texts.others = failing.calls.get(read..).unwrap_or_default().to_vec();
    texts.beside = failing.calls[..of_text].iter().map(|character| *character as u8).collect();
    let mut found = Vec::new();
    texts.find(|outcome, inputs| {
        if *outcome == Outcome::Finished {
            found.push(inputs.clone());
        }
        (found.len() == most).then_some(())
    });
    found
}

struct Texts<'p> {
    program: &'p Program,
    /// So many characters may be read.
    room: usize,
    /// What other inputs get.
    others: Vec<u128>,
    /// The text beside which others are tried first.
    beside: Vec<u8>,
}

impl<'p> Texts<'p> {
    fn of(program: &'p Program) -> Option<Texts<'p>> {
        program.sites.iter().find(|site| site.name == STDIN)?;
        let room = program.globals.iter().find(|global| global.name == TEXT)?.size.saturating_sub(1) as usize;
        Some(Texts { program, room, others: Vec::new(), beside: Vec::new() })
    }

    /// Executes one text after the other until somebody has what he looks for.
    fn find<T>(&self, mut wanted: impl FnMut(&Outcome, &Inputs) -> Option<T>) -> Option<T> {
        let interpreter = Interpreter::new(self.program);
        let limits = Limits { steps: MOST_OF_ONE, ..Limits::default() };
        let mut steps = 0;
        for text in self.all() {
            let end = (text.len() < self.room).then_some(0);
            let calls = text.into_iter().map(u128::from).chain(end).chain(self.others.iter().copied()).collect();
            let inputs = Inputs { calls, ..Inputs::default() };
            let execution = interpreter.execute(&inputs, &limits, Recording::Outcome);
            if let Some(found) = wanted(&execution.run.outcome, &inputs) {
                return Some(found);
            }
            steps += execution.steps;
            if steps > MOST_STEPS {
                break;
            }
        }
        None
    }

    /// The texts: numbers beside each other where these are all that is needed, and everything short.
    fn all(&self) -> Vec<Vec<u8>> {
        let characters = self.characters();
        let mut all: Vec<Vec<u8>> = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..LONGEST {
            last = last
                .iter()
                .flat_map(|text| characters.iter().map(move |character| [&text[..], &[*character]].concat()))
                .collect();
            all.extend(last.iter().cloned());
        }
        for one in NUMBERS {
            for two in NUMBERS {
                all.push(format!("{one} {two}").into_bytes());
                all.extend(NUMBERS.iter().take(5).map(|three| format!("{one} {two} {three}").into_bytes()));
            }
        }
        all.retain(|text| text.len() <= self.room);
        all.sort_by_key(Vec::len);
        all.splice(0..0, self.neighbours(&characters));
        let mut seen = HashSet::new();
        all.retain(|text| seen.insert(text.clone()));
        all
    }

    /// The known text with one character left out or another one.
    fn neighbours(&self, characters: &[u8]) -> Vec<Vec<u8>> {
        let without = |at: usize| [&self.beside[..at], &self.beside[at + 1..]].concat();
        let with = |at: usize, other: u8| [&self.beside[..at], &[other], &self.beside[at + 1..]].concat();
        (0..self.beside.len())
            .flat_map(|at| characters.iter().map(move |other| with(at, *other)).chain([without(at)]))
            .collect()
    }

    /// The usual characters, and some that the program names.
    fn characters(&self) -> Vec<u8> {
        let mut all = CHARACTERS.to_vec();
        let named = self.program.exprs.iter().filter_map(|expr| match expr.kind {
            ExprKind::Const(value) => u8::try_from(value).ok().filter(u8::is_ascii_graphic),
            _ => None,
        });
        let (mut named, mut many) = (named.filter(u8::is_ascii_punctuation), CHARACTERS.len());
        while let (Some(character), true) = (named.next(), many < CHARACTERS.len() + MOST_NAMED) {
            if !all.contains(&character) {
                all.push(character);
                many += 1;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{failing, passing};
    use crate::{Program, Reading};
    use nearmiss_program::c::console::{Console, Stdin};
    use nearmiss_program::run::Inputs;

    const TEXT: &str = "int getchar(void); int main(void) { if (getchar() == '(') { int c = getchar();
        __CPROVER_assert(c != '2' && c != 1, \"a\"); } return 0; }";

    fn calls(text: &[u8]) -> Vec<u128> {
        text.iter().map(|character| u128::from(*character)).collect()
    }

    #[test]
    fn short_texts_fail_and_pass() {
        let mut reading = Reading::default();
        reading.c.system_include.clear();
        reading.c = reading.c.with_console(Console { input: Stdin::Any(4), reference: None });
        let read = Program::from_text("a.c", TEXT, &reading).expect("it is a program");
        let (_, inputs) = failing(&read.program).expect("a short text fails");
        assert_eq!(inputs.calls, calls(b"(2\0"));
        let unusual = Inputs { calls: calls(b"(\x01\0"), ..Inputs::default() };
        let beside = passing(&read.program, &unusual, 3);
        let texts: Vec<_> = beside.iter().map(|inputs| inputs.calls.clone()).collect();
        assert_eq!(texts, [calls(b"0\x01\0"), calls(b"1\x01\0"), calls(b" \x01\0")]);
    }
}
