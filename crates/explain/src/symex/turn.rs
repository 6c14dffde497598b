//! Turns: what only those runs execute that go round a loop once more, or call a function once more from within itself.
//!
//! How far loops are unwound must not show in what two runs have in common. So every step knows the turn that it belongs
//! to, and every join that is there only because turns are left says which value there would be without them
//! ([`Meeting`]). `compared.rs` says what counts then. The first turn of a loop is none of its own.

use std::ops::Range;

use nearmiss_logic::term::Term;

use super::memory::ObjectNumber;
use super::{Frame, State, Symex};
use crate::equation::{Bound, Meeting, StepKind, Turn, VariableId};
use nearmiss_program::program::{Origin, Type, TypeId};

/// The blocks of a loop, by position in the order of one activation.
pub(super) struct Extent {
    pub(super) frame: ObjectNumber,
    pub(super) blocks: Range<u32>,
}

/// Of two paths that meet, the one that took fewer turns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    First,
    Second,
}

/// A join that turns make.
#[derive(Clone, Copy)]
pub(super) struct Join {
    pub(super) base: Base,
    /// Joins at the same place, one after another, have the same number.
    pub(super) chain: u32,
}

/// Which of two paths took fewer turns before they met; none if both come from the same turn. Turns are numbered as they
/// come, and what is in none comes first.
pub(super) fn base(a: &State, b: &State) -> Option<Base> {
    (a.came != b.came).then(|| if a.came < b.came { Base::First } else { Base::Second })
}

impl Symex<'_> {
    pub(super) fn new_turn(
        &mut self,
        state: &State,
        of: Bound,
        number: u32,
        parent: Option<u32>,
        extent: Option<Extent>,
    ) -> u32 {
        let (guard, start) = (self.guards.term(state.guard), self.eq.steps.len());
        self.eq.turns.push(Turn { guard, of, number, start, parent });
        self.extents.push(extent);
        self.eq.turns.len() as u32 - 1
    }

    /// A path goes to a block: it leaves the turns of loops that the block is not in.
    pub(super) fn leave(&mut self, state: &mut State, frame: &Frame, to: u32) {
        (state.came, state.chain) = (state.turn, None);
        let mut at = state.turn;
        while let Some(turn) = at {
            at = self.eq.turns[turn as usize].parent;
            if let Some(extent) = &self.extents[turn as usize]
                && extent.frame == frame.base
                && !extent.blocks.contains(&to)
            {
                state.turn = at;
            }
        }
    }

    /// The innermost turn that both are in.
    pub(super) fn common_turn(&self, mut a: Option<u32>, mut b: Option<u32>) -> Option<u32> {
        // What a turn is in has a smaller number.
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            *later = later.and_then(|turn| self.eq.turns[turn as usize].parent);
        }
        a
    }

    /// In a turn, what is constant counts as well: a run that does not take it does not execute it.
    pub(super) fn tally(&mut self, turn: Option<u32>, guard: Term, kind: &StepKind) -> Option<VariableId> {
        turn?;
        match kind {
            StepKind::Assign { variable: None, name, ty, value, origin: Origin::Written, .. } => {
                Some(self.new_variable(name.clone(), *ty, self.eq.terms.width(*value), Some(*value)))
            }
            StepKind::Return { variable: None, ty, value } => {
                let name = format!("{}()", self.program.function(self.here.function).name).into();
                Some(self.new_variable(name, *ty, self.eq.terms.width(*value), Some(*value)))
            }
            StepKind::Branch { taken } => {
                let ty = self.program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
                let taken = if *taken { guard } else { self.eq.terms.fals() };
                Some(self.new_variable("\\guard".into(), TypeId(ty as u32), 1, Some(taken)))
            }
            _ => None,
        }
    }

    /// Notes what a join is without the turns that make it, if turns do.
    pub(super) fn note_meeting(&mut self, variable: VariableId, [chooser, yes, no]: [Term; 3]) {
        let truth = self.eq.terms.tru();
        let known = |term: Term| self.without.get(&term).copied().unwrap_or((term, truth));
        let (first, second) = (known(yes), known(no));
        let base = match self.meeting {
            Some(Join { base: Base::First, .. }) => first.0,
            Some(Join { base: Base::Second, .. }) => second.0,
            None if first.0 == second.0 => first.0,
            None => return,
        };
        let never = self.eq.terms.fals();
        let [first, second] = [first, second].map(|(own, unchanged)| if own == base { unchanged } else { never });
        let unchanged = self.eq.terms.ite(chooser, first, second);
        let symbol = self.eq.symbol(variable);
        self.without.insert(symbol, (base, unchanged));
        self.eq.meetings.insert(variable, Meeting { unchanged, superseded: None });
        let Some(Join { chain, .. }) = self.meeting else { return };
        for operand in [yes, no] {
            if let Some((before, of)) = self.met.get(&operand)
                && *of == chain
                && let Some(meeting) = self.eq.meetings.get_mut(before)
            {
                meeting.superseded = Some(self.eq.steps.len());
            }
        }
        self.met.insert(symbol, (variable, chain));
    }
}
