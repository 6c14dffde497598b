//! Turns: what only those runs execute that go round a loop once more, or call a function once more from within itself.
//!
//! How far loops are unwound must not show in what two runs have in common. So every step knows the turn that it belongs
//! to, and every join that is there only because turns are left says which value there would be without them
//! ([`Meeting`]). `compared.rs` says what counts then. The first turn of a loop is none of its own.

use std::ops::Range;
use std::sync::Arc;

use nearmiss_logic::term::Term;

use super::memory::ObjectNumber;
use super::{Base, Frame, Join, State, Symex};
use crate::equation::{Bound, Meeting, StepKind, Turn, VariableId};
use nearmiss_program::program::{Origin, Type, TypeId};

/// Of so many loops that a value went through, one after another, it is known what it was before them.
const MOST_BASES: usize = 32;

/// The blocks of a loop, by position in the order of one activation.
pub(super) struct Extent {
    pub(super) frame: ObjectNumber,
    pub(super) blocks: Range<u32>,
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

    /// What a value is without turns: itself, and what it was before it met values of turns. Of loops one after another, each
    /// may change the value or not: what it is without the last of them comes first.
    fn bases_of(&self, term: Term) -> Vec<(Term, Term)> {
        // The joins of one place are one.
        let chain = self.meeting.map(|join| join.chain);
        let is_same_place = self.met.get(&term).is_some_and(|(_, of)| Some(*of) == chain);
        let own = (!is_same_place).then(|| (term, self.eq.terms.tru()));
        let earlier = self.without.get(&term).into_iter().flat_map(|bases| bases.iter().copied());
        own.into_iter().chain(earlier).take(MOST_BASES).collect()
    }

    /// Notes what a join is without the turns that make it, if turns do.
    pub(super) fn note_meeting(&mut self, variable: VariableId, [chooser, yes, no]: [Term; 3]) {
        let (first, second) = (self.bases_of(yes), self.bases_of(no));
        let (own, other) = match self.meeting {
            Some(Join { base: Base::Second, .. }) => (&second, &first),
            _ => (&first, &second),
        };
        let never = self.eq.terms.fals();
        let in_case = |side: &[(Term, Term)], base: Term| side.iter().find(|(own, _)| *own == base).map(|(_, is)| *is);
        let mut bases = Vec::new();
        for (base, _) in own {
            if self.meeting.is_none() && in_case(other, *base).is_none() {
                continue;
            }
            let [first, second] = [&first, &second].map(|side| in_case(side, *base).unwrap_or(never));
            bases.push((*base, self.eq.terms.ite(chooser, first, second)));
        }
        if bases.is_empty() {
            return;
        }
        let bases: Arc<[(Term, Term)]> = bases.into();
        let symbol = self.eq.symbol(variable);
        self.without.insert(symbol, bases.clone());
        self.eq.meetings.insert(variable, Meeting { bases, superseded: None });
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
