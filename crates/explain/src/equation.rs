//! A program unwound to a bound, as a list of single-assignment steps in execution order.
//!
//! Every term speaks of [`Variable`]s: an input is free, everything else has a definition over variables before it.
//! A step happens in an execution iff its guard is true there. Constants have been propagated, so what is constant has
//! no variable. Nothing here knows of C but the types that values are shown with; nothing knows how it is solved.
//!
//! A claim is violated in an execution if it is reached, does not hold, and every assumption and claim before it
//! holds: see [`Equation::held`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::term::{Sort, Term, Terms};

use nearmiss_program::program::{
    BranchRole, ByteOrder, ClaimId, FunctionId, INVALID_OBJECT, LocalId, Origin, PointerLayout, Program, SiteId, TypeId,
};
use nearmiss_program::run::{Closing, Content, Inputs};
use nearmiss_program::source::Span;

/// Index into [`Equation::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VariableId(pub u32);

/// Index into [`Equation::creations`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CreationId(pub u32);

/// One assignment's worth of a variable: `most#6`.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name in the program: `most`, `a[3]`, `\guard`.
    pub name: Arc<str>,
    /// Counts the assignments to that name, from 0.
    pub version: u32,
    /// Type, for showing values.
    pub ty: TypeId,
    /// The symbol that stands for it in terms.
    pub symbol: Term,
    /// What it is equal to; none for an input.
    pub definition: Option<Term>,
}

/// An object with undefined contents came to life; its contents are inputs as far as they are read.
#[derive(Clone, Debug)]
pub struct Creation {
    /// Where it is declared or allocated.
    pub site: SiteId,
    /// When it happens.
    pub guard: Term,
    /// The turn that it happens in.
    pub turn: Option<u32>,
    /// What an argument of the entry function points to, if this holds; else there is no such object in the run.
    pub pointed_at: Option<Term>,
}

/// An object that pointers may reach came to life. A run numbers such objects as they come, an equation as somebody first
/// points at them.
#[derive(Clone, Debug)]
pub struct Birth {
    /// When it happens.
    pub guard: Term,
    /// Its number in the pointers of the equation, if it has one.
    pub number: Option<u64>,
}

/// An input that may be the address of an object. A run numbers the objects that it creates, an equation those that are
/// pointed at on whichever path.
#[derive(Clone, Copy, Debug)]
pub struct Aimed {
    /// So many objects came to life before it.
    pub births: usize,
    /// The number of the first object that a run creates.
    pub first: u64,
    /// How pointers are numbers.
    pub pointer: PointerLayout,
    /// One bit: it is one of the words that it may be.
    pub domain: Term,
}

impl Aimed {
    /// The bits that an input has in a run, from those in the equation.
    fn in_run(self, equation: &Equation, evaluator: &mut Evaluator<'_>, bits: u128) -> u128 {
        self.renumbered(bits, |object| {
            let mut born = equation.births.iter().filter(|birth| evaluator.holds(birth.guard)).zip(self.first..);
            born.find(|(birth, _)| birth.number == Some(object)).map(|(_, own)| own)
        })
    }

    /// The bits that an input has in the equation, from those in a run, as far as that has come.
    pub fn in_equation(self, equation: &Equation, evaluator: &mut Evaluator<'_>, bits: u128) -> u128 {
        self.renumbered(bits, |object| {
            let before = equation.births[..self.births].iter();
            let mut born = before.filter(|birth| evaluator.holds(birth.guard)).zip(self.first..);
            born.find(|(_, own)| *own == object).and_then(|(birth, _)| birth.number)
        })
    }

    /// An object that has no number there is none.
    fn renumbered(self, bits: u128, number: impl FnOnce(u64) -> Option<u64>) -> u128 {
        let (object, offset) = self.pointer.decode(bits);
        match object < self.first {
            true => bits,
            false => self.pointer.encode(number(object).unwrap_or(INVALID_OBJECT), offset),
        }
    }
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// It happens iff this is 1.
    pub guard: Term,
    /// The text it comes from.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// Number of calls under way.
    pub depth: u32,
    /// The turn that it belongs to: an index into [`Equation::turns`].
    pub turn: Option<u32>,
    /// Where a step in a turn sets a constant or decides by one: the variable that it is counted as.
    pub tally: Option<VariableId>,
    /// What it is.
    pub kind: StepKind,
}

/// A further turn of a loop that goes round by a condition that is not constant, or a further activation of a recursive
/// function. The first is no turn of its own: whoever comes to the loop takes it.
#[derive(Clone, Debug)]
pub struct Turn {
    /// A run takes it iff this is 1.
    pub guard: Term,
    /// Of what.
    pub of: Bound,
    /// Which: the first is 1.
    pub number: u32,
    /// Its first step.
    pub start: usize,
    /// The turn that it is in.
    pub parent: Option<u32>,
}

/// What is known of values that meet because turns are left: joins that are there only if enough is unwound.
#[derive(Clone, Debug)]
pub struct Meeting {
    /// What the value is without turns, each with one bit: it is that. The first is the value without the turns that are left
    /// here, those after it the value without earlier ones as well.
    pub bases: Arc<[(Term, Term)]>,
    /// The step at which the same value meets those of a later turn.
    pub superseded: Option<usize>,
}

impl Meeting {
    /// One bit: the value is the one that it has without the turns that are left here.
    pub fn unchanged(&self) -> Option<Term> {
        self.bases.first().map(|(_, unchanged)| *unchanged)
    }
}

/// What kind of object a value is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// A variable.
    Variable,
    /// Memory that has only the types of what is stored there.
    Memory,
}

/// Bits of an object that an assignment may go to.
#[derive(Clone, Debug)]
pub struct Target {
    /// It goes there iff this is 1.
    pub condition: Term,
    /// The object, by a number that no other object of the unwinding has.
    pub object: u32,
    /// Constant part of the offset in bits.
    pub constant: u64,
    /// The other parts: an index, and how many bits each step of it is.
    pub parts: Vec<(Term, u64)>,
}

/// One text may set several things: `p = f(p, i, n)` sets two parameters and then all of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Share {
    /// What stands on the left.
    Whole,
    /// A parameter of what is called.
    Parameter(LocalId),
    /// A scalar of a whole object.
    Part(u32),
}

/// What a step is.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// An input that arises by a statement: `nondet_int()`. Inputs of this kind are in order of execution.
    Call {
        /// The free variable.
        variable: VariableId,
        /// The bits that the program gets (a `_Bool` input is one free bit, a pointer is NULL or invalid).
        value: Term,
        /// Where.
        site: SiteId,
        /// The part of an object that it is stored in, if that is known: `a[0]`.
        stored: Option<Arc<str>>,
    },
    /// An input that is part of the undefined contents of an object. The step stands where it is first read.
    Content {
        /// The free variable.
        variable: VariableId,
        /// The bits that the program gets.
        value: Term,
        /// Of which object.
        creation: CreationId,
        /// Which part of it.
        offset: Offset,
        /// One bit: is it the very part that an input before this one is?
        again: Term,
    },
    /// The path condition of a block: the branch condition and the guard of the step.
    Guard {
        /// The variable that it defines.
        variable: VariableId,
        /// The branch condition alone.
        condition: Term,
        /// What kind of branch it is.
        role: BranchRole,
    },
    /// A function is called that a formula speaks of.
    Act {
        /// Which.
        function: FunctionId,
    },
    /// The run may close here into a loop that it repeats for ever: it does if the variable is 1 and the state is that of the
    /// earlier arrival. What is executed after this step did not close.
    Close {
        /// The free choice.
        variable: VariableId,
        /// One bit: is the state the same?
        equal: Term,
        /// The arrival at the head of a loop that this is: an index into [`Equation::arrivals`].
        at: u32,
        /// The arrival before it that it may be equal to.
        back: u32,
    },
    /// A branch whose condition is constant here: it was executed, and that is all.
    Branch {
        /// The way it goes.
        taken: bool,
    },
    /// A function of the user's returned a scalar.
    Return {
        /// The variable that it defines; none if the value is constant.
        variable: Option<VariableId>,
        /// Its type.
        ty: TypeId,
        /// The value.
        value: Term,
    },
    /// An assignment.
    Assign {
        /// The variable that it defines; none if the value is constant.
        variable: Option<VariableId>,
        /// What is assigned.
        name: Arc<str>,
        /// Its type.
        ty: TypeId,
        /// The new value.
        value: Term,
        /// Who wrote it.
        origin: Origin,
        /// Where it is stored.
        targets: Arc<[Target]>,
        /// Which of those that one text sets.
        share: Share,
    },
    /// Values of a variable meet at a join.
    Phi {
        /// The variable that it defines.
        variable: VariableId,
        /// The object that it is in.
        object: u32,
        /// Where in it, in bits.
        at: u64,
        /// Whether that object has a name and a type.
        storage: Storage,
    },
    /// Executions in which this is 0 do not exist.
    Assume {
        /// One bit.
        condition: Term,
    },
    /// Must hold.
    Claim {
        /// Which.
        claim: ClaimRef,
        /// One bit.
        condition: Term,
        /// Whether another part of it follows where this holds: a run tells of the last.
        part: bool,
    },
    /// A claim that always holds here: it was reached, and that is all.
    Held {
        /// Which.
        claim: ClaimId,
    },
}

/// A place within an object, in bits: `constant + index * unit`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offset {
    /// The part that is known.
    pub constant: u64,
    /// The part that is not, if there is one: index and unit.
    pub index: Option<(Term, u64)>,
}

impl Offset {
    /// A place that is known.
    pub fn constant(bits: u64) -> Offset {
        Offset { constant: bits, index: None }
    }

    /// Where it is in an execution.
    pub fn bits(self, evaluator: &mut Evaluator<'_>) -> u64 {
        let moved = self.index.map_or(0, |(index, unit)| (evaluator.value(index) as u64).wrapping_mul(unit));
        self.constant.wrapping_add(moved)
    }
}

impl StepKind {
    /// The variable that a step defines or introduces.
    pub fn variable(&self) -> Option<VariableId> {
        match self {
            StepKind::Call { variable, .. }
            | StepKind::Content { variable, .. }
            | StepKind::Guard { variable, .. }
            | StepKind::Close { variable, .. }
            | StepKind::Phi { variable, .. } => Some(*variable),
            StepKind::Return { variable, .. } | StepKind::Assign { variable, .. } => *variable,
            StepKind::Branch { .. }
            | StepKind::Act { .. }
            | StepKind::Assume { .. }
            | StepKind::Claim { .. }
            | StepKind::Held { .. } => None,
        }
    }
}

/// Whose claim it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ClaimRef {
    /// The program's.
    Program(ClaimId),
    /// Ours: the bound suffices. Index into [`Equation::bounds_hit`].
    Unwinding(u32),
    /// Ours: nothing unsupported is reached. Index into [`Equation::unsupported`].
    Unsupported(u32),
}

/// A bound that was hit while unwinding.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Bound {
    /// A loop, by identifier (`main.0`), where it stands and in which function.
    Loop(String),
    /// The recursion of a function.
    Recursion(String),
    /// The size of an object whose size is an input.
    Allocation,
    /// The number of calls under way; the only bound that cannot grow.
    Depth,
}

/// A program unwound.
#[derive(Clone)]
pub struct Equation {
    /// The arena of all terms.
    pub terms: Terms,
    /// Which end of a value comes first in memory.
    pub order: ByteOrder,
    /// Single assignments in order.
    pub variables: Vec<Variable>,
    /// Steps in order.
    pub steps: Vec<Step>,
    /// Objects whose contents are inputs, in order of creation.
    pub creations: Vec<Creation>,
    /// Objects that are no globals, in order.
    pub births: Vec<Birth>,
    /// Arrivals at heads of the user's loops, in order, each by the term that it happens; only where runs may close.
    pub arrivals: Vec<Term>,
    /// Loops that allocate in each round and are never seen to come back to the same state, each once.
    pub renewed: Vec<Span>,
    /// Allocations that give NULL where they are larger than any object.
    pub refused: Vec<Span>,
    /// Inputs that may be the address of a local or allocated object that they are compared with: such runs are left out.
    pub unseen: Vec<SiteId>,
    /// Inputs that are pointers to objects: how the numbers of these are to be told in runs.
    pub aimed: HashMap<VariableId, Aimed>,
    /// One bit: what the formula waits for comes about, if it waits for something.
    pub trigger: Option<Term>,
    /// The turns that runs may take, in order.
    pub turns: Vec<Turn>,
    /// Variables of joins that turns make.
    pub meetings: HashMap<VariableId, Meeting>,
    /// Conditions that are one in the text, `a[i] != 3`, though their terms are made of several; without a `Not`.
    pub wholes: HashSet<Term>,
    /// Claims that are sure to hold where some path comes to them, without a step that says so.
    pub settled: HashSet<ClaimId>,
    /// Claims that no execution violates before another one, so that one that violates none of the others violates no claim.
    pub proved: HashSet<ClaimId>,
    /// Conditions that the text denies: what `!p` and `p == 0` say, and of `p ? q : 1` that p does not hold.
    pub denials: HashSet<Term>,
    /// Conditions that the text writes with `!=` between two values.
    pub unequals: HashSet<Term>,
    /// What is left of conditions whose other part, one that compares by order, is always true or never; without a `Not`.
    pub rests: HashSet<Term>,
    /// Bounds that were hit somewhere, each once, with the place.
    pub bounds_hit: Vec<(Bound, Span, FunctionId)>,
    /// Unsupported constructs that were come across, with the place.
    pub unsupported: Vec<(String, Span)>,
    /// The largest number of times that a loop was unwound.
    pub unwind: u32,
    /// The most elements of an object under layers that an index may mean; 0 if there is none.
    pub elements: u64,
}

impl Equation {
    /// One of which nothing is known but the terms.
    pub fn of(terms: Terms) -> Equation {
        Equation {
            terms,
            order: ByteOrder::Little,
            variables: Vec::new(),
            steps: Vec::new(),
            creations: Vec::new(),
            births: Vec::new(),
            arrivals: Vec::new(),
            renewed: Vec::new(),
            refused: Vec::new(),
            unseen: Vec::new(),
            aimed: HashMap::new(),
            trigger: None,
            turns: Vec::new(),
            meetings: HashMap::new(),
            wholes: HashSet::new(),
            settled: HashSet::new(),
            proved: HashSet::new(),
            denials: HashSet::new(),
            unequals: HashSet::new(),
            rests: HashSet::new(),
            bounds_hit: Vec::new(),
            unsupported: Vec::new(),
            unwind: 1,
            elements: 0,
        }
    }

    /// The symbol of a variable.
    pub fn symbol(&self, variable: VariableId) -> Term {
        self.variables[variable.0 as usize].symbol
    }

    /// The input of a step if its value is invented: the variable and where it arises.
    pub(crate) fn invention(&self, program: &Program, step: &Step) -> Option<(VariableId, SiteId)> {
        let (variable, site) = match step.kind {
            StepKind::Call { variable, site, .. } => (variable, site),
            StepKind::Content { variable, creation, .. } => (variable, self.creations[creation.0 as usize].site),
            _ => return None,
        };
        let ty = self.variables[variable.0 as usize].ty;
        program.sites[site.index()].is_invented(program.ty(ty)).then_some((variable, site))
    }

    /// Is it so large that clauses should not be kept for a second proof? They would take too much memory; a minimum
    /// then counts as not proved.
    pub fn is_huge(&self) -> bool {
        const MOST_BITS: u64 = 500_000;
        self.variables.iter().map(|variable| u64::from(self.terms.width(variable.symbol))).sum::<u64>() > MOST_BITS
    }

    /// `most#6`.
    pub fn versioned_name(&self, variable: VariableId) -> String {
        let variable = &self.variables[variable.0 as usize];
        format!("{}#{}", variable.name, variable.version)
    }

    /// The step that defines or introduces each variable, by its number; none for the few that have none.
    pub fn definers(&self) -> Vec<Option<usize>> {
        let mut definers = vec![None; self.variables.len()];
        for (index, step) in self.steps.iter().enumerate() {
            if let Some(variable) = step.kind.variable() {
                definers[variable.0 as usize] = Some(index);
            }
        }
        definers
    }

    /// The variable that a symbol stands for.
    pub fn variables_by_symbol(&self) -> HashMap<Term, VariableId> {
        let variables = self.variables.iter().enumerate();
        variables.map(|(index, variable)| (variable.symbol, VariableId(index as u32))).collect()
    }

    /// Of a step in a turn: a run takes that turn where this holds.
    pub fn taken(&self, step: &Step) -> Option<Term> {
        step.turn.map(|turn| self.turns[turn as usize].guard)
    }

    /// Is the claim of a step come to again elsewhere: in another turn, by another call?
    pub fn comes_again(&self, step: usize) -> bool {
        let of = |step: &Step| match step.kind {
            StepKind::Claim { claim, .. } => Some(claim),
            _ => None,
        };
        let own = of(&self.steps[step]);
        own.is_some() && self.steps.iter().filter(|step| of(step) == own).nth(1).is_some()
    }

    /// The steps that evaluate the claim of a step this once: parts of `&&`, `||` and `?:` are steps of their own, and what they
    /// call lies between them.
    pub fn evaluation(&self, step: usize) -> std::ops::RangeInclusive<usize> {
        let own = &self.steps[step];
        let is_inside = |at: &usize| {
            let step = &self.steps[*at];
            let is_own = (step.depth, step.function) == (own.depth, own.function);
            let is_within = is_own && step.turn == own.turn && own.span.contains(step.span);
            is_within || step.depth > own.depth || matches!(step.kind, StepKind::Phi { .. })
        };
        let is_text = |at: &usize| self.steps[*at].depth == own.depth && own.span.contains(self.steps[*at].span);
        let first = (0..step).rev().take_while(is_inside).filter(is_text).last().unwrap_or(step);
        let last = (step + 1..self.steps.len()).take_while(is_inside).filter(is_text).last().unwrap_or(step);
        first..=last
    }

    /// For every step that can exclude an execution or end it: (index of the step, the term that says that it does
    /// not: guard implies condition). Of claims that are proved it never does.
    pub fn held(&mut self) -> Vec<(usize, Term)> {
        (0..self.steps.len()).filter_map(|index| Some((index, self.held_at(index)?))).collect()
    }

    /// The same for someone who takes values for others than those that are computed: nothing is proved then.
    pub fn held_whatever_is_computed(&mut self) -> Vec<(usize, Term)> {
        let proved = std::mem::take(&mut self.proved);
        let held = self.held();
        self.proved = proved;
        held
    }

    /// The same for a run that failed at a step. What is assumed behind it was never asked of these inputs: where that does not hold the
    /// run ends, and it passed.
    pub fn held_from(&mut self, failed: Option<usize>) -> Vec<(usize, Term)> {
        let mut held = self.held_whatever_is_computed();
        let Some(failed) = failed else { return held };
        let mut over = self.terms.fals();
        for (index, holds) in &mut held {
            if *index > failed && matches!(self.steps[*index].kind, StepKind::Assume { .. }) {
                let ends = self.terms.not(*holds);
                over = self.terms.or(over, ends);
                *holds = self.terms.tru();
            } else {
                *holds = self.terms.or(over, *holds);
            }
        }
        held
    }

    fn held_at(&mut self, index: usize) -> Option<Term> {
        let step = &self.steps[index];
        match step.kind {
            StepKind::Claim { claim: ClaimRef::Program(id), .. } if self.proved.contains(&id) => Some(self.terms.tru()),
            StepKind::Assume { condition } | StepKind::Claim { condition, .. } => {
                Some(self.terms.implies(step.guard, condition))
            }
            _ => None,
        }
    }

    /// For every step, the term that it is executed: its guard holds, and no assumption or claim before it failed.
    pub fn executed(&mut self) -> Vec<Term> {
        let mut alive = self.terms.tru();
        let mut executed = Vec::with_capacity(self.steps.len());
        for index in 0..self.steps.len() {
            executed.push(self.terms.and(alive, self.steps[index].guard));
            if let Some(held) = self.held_at(index) {
                alive = self.terms.and(alive, held);
            }
        }
        executed
    }

    /// The inputs that make the program take the execution of a model, up to where it ends.
    pub fn inputs(&self, evaluator: &mut Evaluator<'_>) -> Inputs {
        let mut inputs = Inputs::default();
        let mut occurrences = HashMap::new();
        let keys: Vec<Option<(SiteId, u32)>> = self
            .creations
            .iter()
            .map(|creation| {
                (evaluator.value(creation.guard) == 1).then(|| {
                    let count = occurrences.entry(creation.site).or_insert(0u32);
                    *count += 1;
                    (creation.site, *count - 1)
                })
            })
            .collect();
        for step in &self.steps {
            match step.kind {
                StepKind::Call { variable, value, .. } if evaluator.value(step.guard) == 1 => {
                    let bits = evaluator.value(value);
                    inputs.calls.push(self.in_run(variable, evaluator, bits));
                }
                StepKind::Content { variable, value, creation, offset, .. } => {
                    if let Some(key) = keys[creation.0 as usize] {
                        let (bit_offset, bits) = (offset.bits(evaluator), self.terms.width(value));
                        let value = evaluator.value(value);
                        let value = self.in_run(variable, evaluator, value);
                        let content = Content { bit_offset, bits, value };
                        inputs.contents.entry(key).or_default().push(content);
                    }
                }
                // What comes after the end of the execution is not part of it.
                StepKind::Assume { condition } | StepKind::Claim { condition, .. }
                    if evaluator.value(step.guard) == 1 && evaluator.value(condition) == 0 =>
                {
                    break;
                }
                StepKind::Close { variable, equal, at, back }
                    if [step.guard, self.symbol(variable), equal]
                        .into_iter()
                        .all(|term| evaluator.value(term) == 1) =>
                {
                    let mut number = |arrival: u32| {
                        let before = self.arrivals[..arrival as usize].iter();
                        before.filter(|happens| evaluator.value(**happens) == 1).count() as u32
                    };
                    inputs.closing = Some(Closing { at: number(at), back: number(back) });
                }
                _ => {}
            }
        }
        for contents in inputs.contents.values_mut() {
            contents.sort_by_key(|content| (content.bit_offset, content.bits));
            contents.dedup();
        }
        inputs
    }

    /// What an input is in a run.
    fn in_run(&self, variable: VariableId, evaluator: &mut Evaluator<'_>, bits: u128) -> u128 {
        self.aimed.get(&variable).map_or(bits, |aimed| aimed.in_run(self, evaluator, bits))
    }

    /// What an input is in the equation, all that comes before it being settled.
    pub fn from_run(&self, variable: VariableId, evaluator: &mut Evaluator<'_>, bits: u128) -> u128 {
        self.aimed.get(&variable).map_or(bits, |aimed| aimed.in_equation(self, evaluator, bits))
    }

    /// What the free variables are in the execution of some inputs: the other way round of [`Equation::inputs`]. Inputs
    /// that are not executed, or not listed, are 0.
    pub fn free_variables(&self, inputs: &Inputs) -> Vec<(Term, u128)> {
        let assignment = Assignment::new();
        let mut evaluator = Evaluator::new(&self.terms, &assignment);
        let mut defined = 0;
        let mut calls = inputs.calls.iter();
        let mut occurrences = std::collections::HashMap::new();
        let mut keys: Vec<(SiteId, u32)> = Vec::new();
        let mut found = Vec::new();
        for step in &self.steps {
            let (StepKind::Call { variable, .. }
            | StepKind::Content { variable, .. }
            | StepKind::Close { variable, .. }) = step.kind
            else {
                continue;
            };
            // Whatever comes before an input is settled when it arises.
            for before in &self.variables[defined..variable.0 as usize] {
                if let (Some(definition), Sort::BitVec(_)) = (before.definition, self.terms.sort(before.symbol)) {
                    let value = evaluator.value(definition);
                    evaluator.fix(before.symbol, value);
                }
            }
            defined = variable.0 as usize;
            let given = match step.kind {
                StepKind::Content { creation, offset, value, .. } => {
                    let bits = self.terms.width(value);
                    let bit_offset = offset.bits(&mut evaluator);
                    while keys.len() <= creation.0 as usize {
                        let creation = &self.creations[keys.len()];
                        let count = occurrences.entry(creation.site).or_insert(0u32);
                        keys.push((creation.site, *count));
                        *count += u32::from(evaluator.value(creation.guard) == 1);
                    }
                    let contents = inputs.contents.get(&keys[creation.0 as usize]).into_iter().flatten();
                    let here = contents.into_iter().filter(|content| content.bit_offset == bit_offset);
                    here.max_by_key(|content| content.bits == bits).map(|content| content.value)
                }
                StepKind::Close { at, back, .. } => {
                    let happens = |arrival: &Term| evaluator.value(*arrival) == 1;
                    let chosen = self.is_chosen([at, back], inputs, happens);
                    Some(u128::from(chosen && evaluator.value(step.guard) == 1))
                }
                _ if evaluator.value(step.guard) == 1 => calls.next().copied(),
                _ => None,
            };
            let symbol = self.symbol(variable);
            let width = self.terms.width(symbol);
            // A truth value or pointer is one free bit.
            let given = given.map_or(0, |given| if width == 1 { u128::from(given != 0) } else { given });
            let given = self.from_run(variable, &mut evaluator, given);
            evaluator.fix(symbol, given);
            found.push((symbol, given));
        }
        found
    }

    /// Do these inputs want an arrival to close with another before it?
    pub fn is_chosen(&self, [at, back]: [u32; 2], inputs: &Inputs, mut happens: impl FnMut(&Term) -> bool) -> bool {
        let Some(closing) = inputs.closing else { return false };
        let mut number = |arrival: u32| {
            let before = self.arrivals[..arrival as usize].iter();
            before.filter(|arrival| happens(arrival)).count() as u32
        };
        number(at) == closing.at && number(back) == closing.back
    }

    /// A line per step: guard, what it defines or demands, and the line of its text.
    pub fn to_text(&self, program: &Program) -> String {
        let show = |term: Term| nearmiss_logic::text::print(&self.terms, term);
        let mut text = String::new();
        for step in &self.steps {
            let what = match &step.kind {
                StepKind::Call { variable, .. } | StepKind::Content { variable, .. } => {
                    format!("input {}", self.versioned_name(*variable))
                }
                StepKind::Guard { variable, condition, .. } => {
                    format!("guard {} = {}", self.versioned_name(*variable), show(*condition))
                }
                StepKind::Act { function } => format!("call {}", program.function(*function).name),
                StepKind::Close { variable, equal, at, back } => {
                    format!("close {} at {at} with {back} if {}", self.versioned_name(*variable), show(*equal))
                }
                StepKind::Branch { taken } => format!("branch {taken}"),
                StepKind::Held { claim } => format!("held {}", program.claims[claim.index()].id),
                StepKind::Return { value, .. } => format!("return {}", show(*value)),
                StepKind::Assign { variable: Some(variable), value, .. } => {
                    format!("{} = {}", self.versioned_name(*variable), show(*value))
                }
                StepKind::Assign { variable: None, name, value, .. } => format!("{name} = {}", show(*value)),
                StepKind::Phi { variable, .. } => {
                    let definition = self.variables[variable.0 as usize].definition;
                    format!("phi {} = {}", self.versioned_name(*variable), definition.map_or_else(String::new, show))
                }
                StepKind::Assume { condition } => format!("assume {}", show(*condition)),
                StepKind::Claim { claim: ClaimRef::Program(id), condition, .. } => {
                    format!("claim {}: {}", program.claims[id.index()].id, show(*condition))
                }
                StepKind::Claim { claim, condition, .. } => format!("claim {claim:?}: {}", show(*condition)),
            };
            text.push_str(&format!("[{}] {what}  @ {}\n", show(step.guard), program.function(step.function).name));
        }
        text
    }
}
