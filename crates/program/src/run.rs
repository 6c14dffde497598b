//! One execution of a program: what happened, step by step, with values.
//!
//! Only the interpreter makes runs: whoever finds inputs in another way has it execute them. Values are bit patterns of
//! the width of their type. Nothing here knows how the inputs were found.

use std::collections::BTreeMap;

use crate::program::{Asker, ClaimId, FunctionId, SiteId, TypeId};
use crate::source::Span;

/// The inputs that make a program take one particular execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// Values of `Input` statements in the order in which they are executed. When they run out, 0 follows.
    pub calls: Vec<u128>,
    /// Initial contents of objects that start undefined, by site and by how many objects of that site were created
    /// before in this run. What is not listed is 0.
    pub contents: BTreeMap<(SiteId, u32), Vec<Content>>,
    /// Where the run closes into a loop that it then repeats for ever; none: it goes on to its end.
    pub closing: Option<Closing>,
}

/// A run that repeats: it comes to the head of a loop in the state in which it was there before, and does from then on
/// what it did since. Arrivals at heads of loops of the user's functions are counted from 0, over the whole run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Closing {
    /// The arrival with which it closes.
    pub at: u32,
    /// The arrival that it is equal to; the same one if the run does not close, and is only looked at up to there.
    pub back: u32,
}

impl Closing {
    /// Is the run only looked at up to there, and goes on in some way?
    pub fn is_horizon(self) -> bool {
        self.at == self.back
    }
}

/// Some bits of the initial contents of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Content {
    /// Offset in bits.
    pub bit_offset: u64,
    /// Width in bits.
    pub bits: u32,
    /// The bits.
    pub value: u128,
}

/// An execution.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// Everything that happened, in order, up to the violated claim.
    pub steps: Vec<RunStep>,
    /// How it ended.
    pub outcome: Outcome,
    /// What a formula is judged on, if the program has one.
    pub word: Option<Word>,
    /// Where functions without a body wrote what is no number, each place once.
    pub overwritten: Vec<SiteId>,
    /// Did it do what C says nothing of, where nobody asks for the check of that: access memory outside of every object, compare pointers
    /// into two, divide by zero, shift too far?
    pub strayed: bool,
}

/// A run as a temporal formula sees it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Word {
    /// Its positions, in order.
    pub positions: Vec<Position>,
    /// The last position is followed by this one, for ever.
    pub loop_start: Option<usize>,
    /// So many steps of the run come before what it repeats for ever.
    pub repeats_from: Option<usize>,
    /// Per signal the first position at which it has a value of its own; before that it has the same.
    pub known_from: Vec<usize>,
}

/// One position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The text at which it is.
    pub span: Span,
    /// Per signal of the formula, whether it is true.
    pub truth: Vec<bool>,
}

impl Run {
    /// From this step on it repeats for ever what it did, if it does.
    pub fn repeats_from(&self) -> Option<usize> {
        self.word.as_ref().and_then(|word| word.repeats_from)
    }
}

/// One thing that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct RunStep {
    /// What.
    pub kind: RunStepKind,
    /// The text it comes from.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// Number of calls under way; 0 in the start function.
    pub depth: u32,
    /// Whether it set something in vain: nobody reads the value afterwards, or it was there already.
    pub idle: bool,
}

/// What happened in a step.
#[derive(Clone, PartialEq, Debug)]
pub enum RunStepKind {
    /// An input got its value.
    Input {
        /// Where it arises.
        site: SiteId,
        /// Which part of the site's object, as C writes it: `a[2]`, `p->next`; just the name for a scalar.
        name: String,
        /// Type of that part.
        ty: TypeId,
        /// Its bits.
        value: u128,
    },
    /// A person's assignment was executed (those of temporaries are left out).
    Assign {
        /// What was assigned, with indices as numbers: `a[2].x`.
        name: String,
        /// Its type.
        ty: TypeId,
        /// Its new bits.
        value: u128,
    },
    /// A condition was evaluated.
    Branch {
        /// The way it went.
        taken: bool,
        /// The condition in the text that it decides, alone or with others: the span of the step is that of this part.
        of: Condition,
    },
    /// A function was entered.
    Call {
        /// Which.
        callee: FunctionId,
    },
    /// A function was left; the function of the step is the one that returns.
    Return {
        /// The scalar it returned.
        value: Option<(TypeId, u128)>,
    },
    /// A claim was reached.
    Claim {
        /// Which.
        claim: ClaimId,
        /// Whether it held.
        held: bool,
        /// What the variables that its text names held, scalar by scalar: nobody need guess who wrote there last.
        seen: Sight,
    },
}

/// What a claim saw. It only says what other steps did: a run is not another one for what is looked at in it.
#[derive(Clone, Debug, Default)]
pub struct Sight(pub Vec<Seen>);

impl PartialEq for Sight {
    fn eq(&self, _: &Sight) -> bool {
        true
    }
}

/// What a variable, or a part of one, held.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// As C writes it: `a[2].x`.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Its bits.
    pub value: u128,
    /// Whether it points to what is no longer there.
    pub gone: Option<Gone>,
    /// Whether it is in a union, where another member may have been set.
    pub shared: bool,
}

/// Why an object is no longer there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gone {
    /// It was freed.
    Freed,
    /// Its block, or its function, was left.
    Left,
}

/// The condition of a statement or an expression, as far as it is known when one of its parts was evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// All of it in the text; of a `case` what its `switch` looks at.
    pub span: Span,
    /// Who asks for it.
    pub asker: Asker,
    /// What it is, if this part decides it.
    pub truth: Option<bool>,
}

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It came to its end.
    Finished,
    /// It violated a claim.
    Violated(ClaimId),
    /// An assumption did not hold: there is no such execution.
    Excluded,
    /// It took more steps, depth or memory than allowed.
    Exhausted,
    /// It reached something that we cannot execute.
    Unsupported(String),
}
