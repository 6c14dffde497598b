//! Inputs by chance, the same ones every time: whole ones, and known ones with another value in one place.

use nearmiss_logic::width::low_bits;
use nearmiss_program::interp::{Interpreter, Limits, Oracle, Recording};
use nearmiss_program::program::{ClaimId, ExprKind, Program, SiteId, Type, TypeId};
use nearmiss_program::run::{Content, Inputs, Outcome};

/// So many statements are executed to find a failing run, and for one run.
const MOST_STEPS: u64 = 3_000_000;
const MOST_OF_ONE: u64 = 20_000;
/// Constants of the program that are larger are those of models.
const LARGEST: u128 = 1 << 16;

/// Inputs with which two versions do not do the same, where some are found by chance; none where there is but one.
pub(crate) fn failing(program: &Program) -> Option<(ClaimId, Inputs)> {
    program.reference.as_ref()?;
    let constants = program.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Const(value) if value > 0 && value < LARGEST => Some(value),
        _ => None,
    });
    let mut numbers: Vec<u128> = constants.collect();
    numbers.sort_unstable();
    numbers.dedup();
    let interpreter = Interpreter::new(program);
    let limits = Limits { steps: MOST_OF_ONE, ..Limits::default() };
    let mut chance = Chance::new(program, 0x2545_f491_4f6c_dd1d, false);
    let mut steps = 0;
    while steps < MOST_STEPS {
        chance.drawn = Inputs::default();
        chance.small = chance.random().is_multiple_of(3);
        let drawn = interpreter.ask(&mut chance, &limits);
        let mut inputs = chance.drawn.clone();
        let mut execution = drawn;
        // As they were drawn, and with numbers of the text.
        for _ in 0..4 {
            if let Outcome::Violated(claim) = execution.run.outcome {
                return Some((claim, inputs));
            }
            steps += execution.steps + 1;
            chance.change(&mut inputs, &numbers);
            execution = interpreter.execute(&inputs, &limits, Recording::Outcome);
        }
    }
    None
}

/// Who draws inputs.
pub(crate) struct Chance<'p> {
    program: &'p Program,
    state: u64,
    /// Whether only small numbers are drawn.
    small: bool,
    /// What was drawn for a run.
    pub(crate) drawn: Inputs,
}

impl Chance<'_> {
    /// Each number begins another sequence.
    pub(crate) fn new(program: &Program, state: u64, small: bool) -> Chance<'_> {
        Chance { program, state, small, drawn: Inputs::default() }
    }

    pub(crate) fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// Another value for one of the inputs.
    pub(crate) fn change(&mut self, inputs: &mut Inputs, numbers: &[u128]) {
        let value = match numbers.len() {
            0 => self.number(128),
            many => {
                let near = numbers[self.random() as usize % many];
                match self.random() % 4 {
                    0 => near.wrapping_add(1),
                    1 => near.wrapping_sub(1),
                    2 => self.number(64),
                    _ => near,
                }
            }
        };
        let all = inputs.calls.len() + inputs.contents.len();
        let Some(at) = (self.random() as usize).checked_rem(all) else { return };
        match at.checked_sub(inputs.calls.len()) {
            // The machine cuts it to its width.
            None => inputs.calls[at] = value,
            Some(at) => {
                if let Some(content) = inputs.contents.values_mut().nth(at).and_then(|contents| contents.first_mut()) {
                    content.value = value & low_bits(content.bits);
                }
            }
        }
    }

    /// Small numbers, characters, and anything.
    fn number(&mut self, bits: u32) -> u128 {
        let kind = if self.small { 0 } else { self.random() % 5 };
        let value = match kind {
            0 => self.random() % 4,
            1 => 32 + self.random() % 96,
            2 => self.random() % 16,
            3 => self.random() % 1024,
            _ => self.random(),
        };
        u128::from(value) & low_bits(bits)
    }
}

impl Oracle for Chance<'_> {
    fn value(&mut self, _: SiteId, ty: TypeId) -> u128 {
        let value = match self.program.ty(ty) {
            // NULL, or a pointer to what the site makes.
            Type::Pointer { .. } => 0,
            _ => self.number(self.program.size_bits(ty).min(128) as u32),
        };
        self.drawn.calls.push(value);
        value
    }

    fn contents(&mut self, site: SiteId, earlier: u32) -> Vec<Content> {
        let ty = self.program.sites[site.index()].ty;
        let bits = self.program.size_bits(ty);
        let value = match self.program.ty(ty) {
            Type::Integer { .. } => self.number(bits.min(128) as u32),
            _ => 0,
        };
        let contents =
            vec![Content { bit_offset: 0, bits: bits.min(64) as u32, value: value & low_bits(bits.min(64) as u32) }];
        self.drawn.contents.insert((site, earlier), contents.clone());
        contents
    }
}
