//! Inputs by chance, the same ones every time: whole ones, and known ones with another value in one place.

use nearmiss_logic::width::low_bits;
use nearmiss_program::interp::Oracle;
use nearmiss_program::program::{Program, SiteId, Type, TypeId};
use nearmiss_program::run::{Content, Inputs};

/// Who draws inputs.
pub(super) struct Chance<'p> {
    program: &'p Program,
    state: u64,
    /// Whether only small numbers are drawn.
    small: bool,
    /// What was drawn for a run.
    pub(super) drawn: Inputs,
}

impl Chance<'_> {
    /// Each number begins another sequence.
    pub(super) fn new(program: &Program, state: u64, small: bool) -> Chance<'_> {
        Chance { program, state, small, drawn: Inputs::default() }
    }

    pub(super) fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// Another value for one of the inputs.
    pub(super) fn change(&mut self, inputs: &mut Inputs, numbers: &[u128]) {
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
