//! What an edit takes out of use: statements that some known run executes in the program, and none executes with the edit.
//!
//! A loop that is never entered, an early return or a guard that rejects everything mends any failure. It is proved to, and is still
//! no fix that anybody meant. So it is counted, over the same runs that edits are executed on, which statements are reached and how often.
//! (Compare Qi et al., "An analysis of patch plausibility and correctness", ISSTA 2015: most patches of a search only delete.)

use std::collections::{BTreeMap, HashMap};

use nearmiss_program::interp::Execution;
use nearmiss_program::program::{Block, BlockId, FunctionId, Origin, Program, Statement, StatementKind, Terminator};
use nearmiss_program::source::Span;

/// What it adds to the price of an edit that what passing runs executed is not executed any more.
const PRICE_OF_LOSS: u32 = 12;
/// The same of what failing runs alone executed.
const PRICE_OF_LOSS_IN_FAILING: u32 = 4;
/// The same where an eighth of the runs or turns is left.
const PRICE_OF_FEW: u32 = 6;
const FEW: u64 = 8;

/// How often something was executed.
#[derive(Clone, Copy, Default, Debug)]
struct Count {
    /// In how many passing runs of the program.
    passing: u64,
    /// In how many failing ones.
    failing: u64,
    /// How many times in passing ones.
    times: u64,
    /// How many times in failing ones; up to the failure, as long as there is one.
    times_failing: u64,
}

impl Count {
    /// So many runs, passing or failing.
    fn of(&mut self, fails: bool) -> &mut u64 {
        if fails { &mut self.failing } else { &mut self.passing }
    }

    fn times_of(&mut self, fails: bool) -> &mut u64 {
        if fails { &mut self.times_failing } else { &mut self.times }
    }

    fn runs(&self) -> u64 {
        self.passing + self.failing
    }

    /// The same text in another block, which the same runs may come to.
    fn join(&mut self, other: Count) {
        self.passing = self.passing.max(other.passing);
        self.failing = self.failing.max(other.failing);
        self.times += other.times;
        self.times_failing += other.times_failing;
    }
}

/// A block that a run left in the middle.
#[derive(Clone, Copy, Debug)]
struct Left {
    /// The first of its statements that was not executed then.
    from: usize,
    /// Whether the run came to the block only this once.
    only: bool,
    fails: bool,
}

/// Counts of blocks over some runs.
#[derive(Clone, Default, Debug)]
pub(super) struct Tally {
    blocks: BTreeMap<FunctionId, Vec<Count>>,
    left: HashMap<(FunctionId, BlockId), Vec<Left>>,
}

impl Tally {
    /// Counts one run more; whether it fails is said of the program as it is.
    pub(super) fn add(&mut self, execution: &Execution, fails: bool) {
        for (function, times) in &execution.reached {
            let counts = self.blocks.entry(*function).or_insert_with(|| vec![Count::default(); times.len()]);
            for (count, times) in counts.iter_mut().zip(times).filter(|(_, times)| **times > 0) {
                *count.of(fails) += 1;
                *count.times_of(fails) += u64::from(*times);
            }
        }
        for (function, block, from) in &execution.standing {
            let times = execution.reached.iter().find(|(of, _)| of == function);
            if let Some(times) = times.and_then(|(_, times)| times.get(block.index())) {
                let left = Left { from: *from, only: *times == 1, fails };
                self.left.entry((*function, *block)).or_default().push(left);
            }
        }
    }

    /// What was executed, by its text.
    pub(super) fn reached(&self, program: &Program) -> Reached {
        let mut parts: BTreeMap<Span, Count> = BTreeMap::new();
        for (function, counts) in &self.blocks {
            for (at, (block, count)) in program.function(*function).blocks.iter().zip(counts).enumerate() {
                let left = self.left.get(&(*function, BlockId(at as u32))).map_or(&[][..], Vec::as_slice);
                for (index, span) in written(block) {
                    let mut count = *count;
                    for left in left.iter().filter(|left| left.from <= index) {
                        *count.of(left.fails) -= u64::from(left.only);
                        *count.times_of(left.fails) -= 1;
                    }
                    if count.runs() > 0 {
                        parts.entry(span).or_default().join(count);
                    }
                }
            }
        }
        Reached(parts)
    }
}

/// What a person wrote of a block, with its number. Conditions are left out: one that is constant with an edit may be gone.
fn written(block: &Block) -> impl Iterator<Item = (usize, Span)> {
    let is_written = |statement: &Statement| match &statement.kind {
        StatementKind::Assign { origin, .. } | StatementKind::Copy { origin, .. } => *origin == Origin::Written,
        StatementKind::Call { .. } => true,
        _ => false,
    };
    let end = match &block.end {
        // What stands at the closing brace nobody wrote.
        Terminator::Return { span, .. } if span.end - span.start > 1 => Some(*span),
        _ => None,
    };
    let statements = block.statements.iter().enumerate().filter(move |(_, statement)| is_written(statement));
    statements.map(|(at, statement)| (at, statement.span)).chain(end.map(|span| (block.statements.len(), span)))
}

/// What some runs executed, by its text.
#[derive(Clone, Default, Debug)]
pub(super) struct Reached(BTreeMap<Span, Count>);

impl Reached {
    /// What these runs execute and others, with some edits made, do not; what is edited itself is left out.
    pub(super) fn lost(&self, edited: &Reached, edits: &[Span]) -> Vec<Span> {
        self.kept_or_not(edited, edits).filter(|(_, _, now)| now.runs() == 0).map(|(span, ..)| span).collect()
    }

    /// What it adds to the price of edits that so much is not executed any more.
    pub(super) fn price(&self, edited: &Reached, edits: &[Span]) -> u32 {
        let has_passing = self.0.values().any(|count| count.passing > 0);
        let of = |(_, before, now): (Span, Count, Count)| match now.runs() {
            0 if before.passing > 0 || !has_passing => PRICE_OF_LOSS,
            0 => PRICE_OF_LOSS_IN_FAILING,
            runs if before.passing >= FEW && runs * FEW <= before.runs() => PRICE_OF_FEW,
            _ if before.times >= FEW && now.times * FEW <= before.times => PRICE_OF_FEW,
            // A mended run mostly goes on.
            _ if !has_passing && now.times_failing * 2 <= before.times_failing => PRICE_OF_FEW,
            _ => 0,
        };
        self.kept_or_not(edited, edits).map(of).max().unwrap_or(0)
    }

    /// What was executed, how often that was, and how often it is now; without what is edited.
    fn kept_or_not(&self, edited: &Reached, edits: &[Span]) -> impl Iterator<Item = (Span, Count, Count)> {
        let is_edited = |span: &Span| edits.iter().any(|edit| is_edited(*span, *edit));
        let now = |span: &Span| edited.0.get(span).copied().unwrap_or_default();
        let kept = self.0.iter().filter(move |(span, _)| !is_edited(span));
        kept.map(move |(span, before)| (*span, *before, now(span)))
    }
}

/// Is a statement edited itself, or gone with what is edited?
fn is_edited(span: Span, edit: Span) -> bool {
    match edit.start == edit.end {
        true => span.file == edit.file && span.start < edit.start && edit.end < span.end,
        false => edit.contains(span) || span.contains(edit),
    }
}
