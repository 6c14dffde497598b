//! When the conditions of a temporal formula can be asked for along a run, and whether the formula is true on its word.
//!
//! [`temporal`](crate::program::temporal) says which moments of a run count. Here is what follows from the text of the
//! program, for both machines: which variables have a value at which statement, and which of them still matter where a
//! run may close into a loop. The judgement on a word is that of the evaluator of formulas on traces.

use nearmiss_trace::bits::{Bits, Truth};
use nearmiss_trace::ltl::core::{AtomId, End};
use nearmiss_trace::ltl_eval::{self, Components};

use crate::dependence;
use crate::program::temporal::Temporal;
use crate::program::watched::{self, Watched};
use crate::program::{Base, BlockId, FunctionId, LocalId, PlaceId, Program};
use crate::run::Word;

/// When variables of the entry function have values that can be asked for.
#[derive(Clone, Default, Debug)]
pub struct FirstValues {
    /// The variables.
    pub locals: Vec<LocalId>,
    /// Of each: is it a parameter?
    pub from_the_start: Vec<bool>,
    changes: Vec<Vec<Vec<(usize, bool)>>>,
}

impl FirstValues {
    /// Which of them, by their numbers here, have a value after a statement of a block or before its end, and which have none any more.
    pub fn changes(&self, block: BlockId, index: usize) -> &[(usize, bool)] {
        self.changes.get(block.index()).and_then(|block| block.get(index)).map_or(&[], Vec::as_slice)
    }

    /// Those that a condition is over, by their numbers here.
    pub fn of(&self, program: &Program, watched: &Watched) -> Vec<usize> {
        locals(program, watched).iter().filter_map(|local| self.locals.binary_search(local).ok()).collect()
    }
}

/// The variables of a function that a condition is over.
fn locals(program: &Program, watched: &Watched) -> Vec<LocalId> {
    let local = |place: PlaceId| match program.place(place).base {
        Base::Local(local) => Some(local),
        Base::Global(_) | Base::Deref(_) => None,
    };
    watched::places(program, watched.condition).into_iter().filter_map(local).collect()
}

/// For each local of a function: does what it holds at the head of a loop matter later, to the program or to the formula?
pub fn live_at(temporal: &Temporal, program: &Program, function: FunctionId, block: BlockId) -> Vec<bool> {
    let mut live = dependence::live_at(program, function, block);
    if let Some(cycles) = temporal.cycles {
        // What a formula speaks of is computed anew in each cycle.
        if function == program.entry {
            live[cycles.counter.index()] = false;
        }
        return live;
    }
    for signal in &temporal.signals {
        let of_this = |watched: &&Watched| watched.function == Some(function);
        for local in signal.meaning.condition().filter(of_this).into_iter().flat_map(|watched| locals(program, watched))
        {
            live[local.index()] = true;
        }
    }
    live
}

/// When the variables of the entry function that conditions are over have values.
pub fn first_values(temporal: &Temporal, program: &Program) -> FirstValues {
    let conditions = || temporal.signals.iter().filter_map(|signal| signal.meaning.condition());
    let mut all: Vec<LocalId> = conditions().flat_map(|watched| locals(program, watched)).collect();
    all.sort_unstable();
    all.dedup();
    let parameters = program.function(program.entry).parameters;
    FirstValues {
        from_the_start: all.iter().map(|local| local.0 < parameters).collect(),
        changes: dependence::given(program, program.entry, &all),
        locals: all,
    }
}

/// Is the formula true on a word? By the evaluator of formulas on traces.
pub fn holds(temporal: &Temporal, word: &Word) -> bool {
    let core = &temporal.bound.core;
    let components = Components::of(core);
    let count = word.positions.len();
    let length = word.loop_start.map_or(0, |start| count - start);
    let more = if length == 0 { 0 } else { ltl_eval::past_rounds(core, &components, length) * length };
    // Rows of the loop come again until the past repeats itself.
    let row = |at: usize| if at < count { at } else { at - (1 + (at - count) / length) * length };
    let truth = |atom: u32| {
        let signal = temporal.signal_of(AtomId(atom));
        let yes = Bits::from_bools((0..count + more).map(|at| word.positions[row(at)].truth[signal]));
        Truth { no: yes.not(), yes }
    };
    let atoms: Vec<Truth> = (0..core.atoms as u32).map(truth).collect();
    let without_loop = if temporal.cycles.is_some() { End::Open } else { End::Whole };
    let end = word.loop_start.map_or(without_loop, |start| End::Loop(start + more));
    ltl_eval::evaluate(core, &components, &atoms, count + more, end).of(core.root).get(0)
}
