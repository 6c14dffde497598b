//! Focus sequences: every way in which a program fails, each once (Basu, Saha, Smolka, "Localizing Program
//! Errors for Cimple Debugging", 2004, section 2).
//!
//! A *focus sequence* is the dynamic backward slice of a failing run from the claim that it violates, with the outcomes
//! of its branches: what that failure depends on, and nothing else. Runs with the same sequence fail in the same way.
//! The solver is asked for a failing run; its slice is read off the flow of the equation; the condition that a run has
//! this very sequence (the branches come out as they did, everything that is read was set by the same statement, the
//! same parts of the claim fail) is a conjunction of terms, and is excluded before the next run is asked for. So the
//! number of questions is that of the sequences, however many paths there are. In the end nothing that fails is left:
//! a second solver, which has seen nothing of the search, proves it.
//!
//! The parts of the claim count because one claim is often many: which of them fails first, as C evaluates them, tells
//! sequences apart (the minimum and the maximum in the paper's figure 2). Where the claim is just `assert(0)` the parts of
//! the branch that leads there count instead.
//!
//! [`forward`] analyses procedures that are called more than once before that, each once; [`assumption`] puts the
//! condition of a sequence into assumptions over inputs, [`reduce`] ranks and reduces.

use std::collections::{BTreeMap, HashMap, HashSet};

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::term::{Node, Term};

use super::encode;
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::flow::{EventKind, EventNumber, Flow};
use crate::focus_sequence::{Key, Sequence, is_never_met};
use nearmiss_logic::stop::Stop;
use nearmiss_program::location::Test;
use nearmiss_program::program::{ClaimId, Program};

pub mod assumption;
pub(crate) mod backward;
mod context;
pub mod forward;
mod ranges;
pub(crate) mod readable;
pub mod reduce;

pub use assumption::{Assumption, Origin};

/// Conflicts after which a solver that is used for one question only is asked instead: it may simplify more.
const MOST_SEARCH: u64 = 10_000;
/// Where there are no more clauses, questions are so easy that a plain solver is the fastest.
const MOST_CLAUSES_OF_PLAIN: u64 = 10_000;
/// So many bits of inputs are tried to be small, per sequence.
const MOST_BITS_TRIED: u32 = 150;
/// Conflicts after which the solver gives up on one of them.
const MOST_CONFLICTS: u64 = 300;

/// What was found.
pub struct FocusSequences {
    /// All sequences, or the first of them.
    pub sequences: Vec<Sequence>,
    /// Failures that are left.
    pub rest: Rest,
    /// Whether the time was over before that was known.
    pub interrupted: bool,
    /// How often the solver was asked.
    pub calls: u64,
}

/// What is known of failures beyond those found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// There are none: proved.
    None,
    /// There are at least so many more sequences.
    AtLeast(u64),
    /// There was no time to find out.
    Unknown,
}

/// How many sequences are described, and how many more are counted.
#[derive(Clone, Copy, Debug)]
pub struct Cap {
    /// Described.
    pub most: usize,
    /// None is described once those before have so many statements together.
    pub events: usize,
    /// Counted beyond that.
    pub counted: usize,
}

/// Enumerates the ways in which some claims are violated.
pub fn sequences(
    program: &Program,
    equation: &mut Equation,
    flow: &Flow,
    wanted: &dyn Fn(ClaimId) -> bool,
    cap: Cap,
    stop: &Stop,
) -> Result<FocusSequences, String> {
    let violated = violations(equation, wanted);
    let any = equation.terms.or_all(&violated.values().copied().collect::<Vec<_>>());
    let mut found = FocusSequences { sequences: Vec::new(), rest: Rest::None, interrupted: false, calls: 0 };
    if equation.terms.is_false(any) {
        return Ok(found);
    }
    let mut blaster = encode::for_many_questions(stop);
    blaster.solver.record_clauses();
    encode::define(&mut blaster, equation);
    for variable in equation.variables.iter().filter(|variable| variable.definition.is_none()) {
        for bit in blaster.bits(&equation.terms, variable.symbol) {
            if !bit.is_constant() {
                blaster.solver.set_phase(!bit);
            }
        }
    }
    blaster.assert(&equation.terms, any);
    if blaster.solver.stats().clauses <= MOST_CLAUSES_OF_PLAIN
        && let Some(plain) = blaster.solver.plain_copy()
    {
        blaster.solver = plain;
    }
    let (mut more, mut excluded, mut proved, mut events) = (0, Vec::new(), false, 0);
    let mut settings = Settings { program, flow, violated: &violated, numbers: HashMap::new() };
    loop {
        found.calls += 1;
        blaster.solver.set_conflict_limit(Some(MOST_SEARCH));
        let mut answer = blaster.solver.solve(&[]);
        let mut model = (answer == Outcome::Sat).then(|| blaster.assignment(&equation.terms));
        if answer == Outcome::Interrupted && !stop.requested() {
            found.calls += 1;
            (answer, model) = what_is_left(equation, any, &excluded, stop);
            proved |= answer == Outcome::Unsat;
        }
        let model = match (answer, model) {
            (Outcome::Sat, Some(model)) => model,
            (Outcome::Unsat, _) => break,
            _ => {
                found.rest = if more > 0 { Rest::AtLeast(more) } else { Rest::Unknown };
                found.interrupted = true;
                return Ok(found);
            }
        };
        let execution = Execution::of_assignment(equation, &model);
        let mut sequence = settings.sequence(equation, execution)?;
        let condition = sequence.condition.clone();
        if found.sequences.len() < cap.most && events < cap.events {
            events += sequence.events.len();
            let small = small(&mut blaster, program, equation, &condition, model);
            sequence = settings.sequence(equation, Execution::of_assignment(equation, &small))?;
            found.sequences.push(sequence);
        } else {
            more += 1;
            if more as usize >= cap.counted {
                break;
            }
        }
        exclude(&mut blaster, equation, &condition);
        excluded.push(equation.terms.and_all(&condition));
    }
    found.rest = if more > 0 { Rest::AtLeast(more) } else { Rest::None };
    if found.rest == Rest::None && !proved {
        found.calls += 1;
        match what_is_left(equation, any, &excluded, stop).0 {
            Outcome::Unsat => {}
            Outcome::Interrupted => (found.rest, found.interrupted) = (Rest::Unknown, true),
            Outcome::Sat => return Err("a second solver found a way to fail that is none of the sequences".to_owned()),
        }
    }
    Ok(found)
}

/// A run of a sequence with small inputs, as far as that is cheap: bit by bit from the top, those first that come first.
/// Only the inputs are what they are in that run.
fn small(
    blaster: &mut Blaster,
    program: &Program,
    equation: &mut Equation,
    condition: &[Term],
    mut model: Assignment,
) -> Assignment {
    let all = equation.terms.and_all(condition);
    let mut fixed = vec![blaster.literal(&equation.terms, all)];
    let mut budget = MOST_BITS_TRIED;
    blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
    let free = equation.variables.iter().filter(|variable| variable.definition.is_none());
    let inputs: Vec<(Term, bool, Vec<Lit>)> = free
        .map(|input| (input.symbol, program.is_signed(input.ty), blaster.bits(&equation.terms, input.symbol)))
        .collect();
    'inputs: for (index, (symbol, is_signed, bits)) in inputs.iter().enumerate() {
        let known = fixed.len();
        // Nothing is smaller than 0, and one question says whether it can be that.
        if model.get(*symbol).count_ones() > 1 && budget > 0 {
            budget -= 1;
            fixed.extend(bits.iter().filter(|bit| !bit.is_constant()).map(|bit| !*bit));
            if blaster.solver.solve_only(&fixed) == Outcome::Sat {
                read_again(blaster, &inputs[index..], &mut model);
            }
            fixed.truncate(known);
        }
        // Of a negative number the ones on top are what is small.
        let mut wanted = false;
        for (place, bit) in bits.iter().enumerate().rev().filter(|(_, bit)| !bit.is_constant()) {
            let mut value = model.get(*symbol) >> place & 1 == 1;
            if value != wanted {
                if budget == 0 {
                    break 'inputs;
                }
                budget -= 1;
                fixed.push(bit.negate_if(!wanted));
                if blaster.solver.solve_only(&fixed) == Outcome::Sat {
                    // Those before are fixed.
                    read_again(blaster, &inputs[index..], &mut model);
                    value = wanted;
                }
                fixed.pop();
            }
            fixed.push(bit.negate_if(!value));
            if place + 1 == bits.len() && *is_signed {
                wanted = value;
            }
        }
        // One literal says it all, and often for the next sequence, too.
        fixed.truncate(known);
        let constant = equation.terms.constant(equation.terms.width(*symbol), model.get(*symbol));
        let is_so = equation.terms.eq(*symbol, constant);
        fixed.push(blaster.literal(&equation.terms, is_so));
    }
    blaster.solver.set_conflict_limit(None);
    model
}

/// Inputs as they are in the solver's latest model.
fn read_again(blaster: &mut Blaster, inputs: &[(Term, bool, Vec<Lit>)], model: &mut Assignment) {
    for (symbol, _, bits) in inputs {
        let ones = bits.iter().rev();
        let now = ones.fold(0, |now, bit| now << 1 | u128::from(blaster.solver.peek(*bit)));
        model.set(*symbol, now);
    }
}

fn exclude(blaster: &mut Blaster, equation: &Equation, condition: &[Term]) {
    let clause: Vec<Lit> = condition.iter().map(|term| !blaster.literal(&equation.terms, *term)).collect();
    blaster.solver.add_clause(&clause);
}

/// A solver that has seen nothing of the search is asked for a failure that is none of the sequences.
fn what_is_left(equation: &mut Equation, any: Term, excluded: &[Term], stop: &Stop) -> (Outcome, Option<Assignment>) {
    let mut blaster = Blaster::new();
    blaster.solver.set_stop(stop.clone());
    encode::define(&mut blaster, equation);
    blaster.assert(&equation.terms, any);
    for sequence in excluded {
        let other = equation.terms.not(*sequence);
        blaster.assert(&equation.terms, other);
    }
    let answer = blaster.solver.solve(&[]);
    (answer, (answer == Outcome::Sat).then(|| blaster.assignment(&equation.terms)))
}

/// For each step of a wanted claim the term that it is violated, and nothing before it.
fn violations(equation: &mut Equation, wanted: &dyn Fn(ClaimId) -> bool) -> BTreeMap<usize, Term> {
    let mut alive = equation.terms.tru();
    let mut violated = BTreeMap::new();
    for (index, held) in equation.held() {
        if let StepKind::Claim { claim: ClaimRef::Program(claim), .. } = equation.steps[index].kind
            && wanted(claim)
        {
            let fails = equation.terms.not(held);
            violated.insert(index, equation.terms.and(alive, fails));
        }
        alive = equation.terms.and(alive, held);
    }
    violated
}

struct Settings<'a> {
    program: &'a Program,
    flow: &'a Flow,
    violated: &'a BTreeMap<usize, Term>,
    /// That a term of numbers is a number, once it was asked.
    numbers: HashMap<(Term, EventNumber), Term>,
}

impl Settings<'_> {
    fn sequence(&mut self, equation: &mut Equation, execution: Execution) -> Result<Sequence, String> {
        let flow = self.flow;
        let step = execution.failed.ok_or("a failing run does not fail when its equation is evaluated")?;
        let is_claim = |kind: &EventKind| matches!(kind, EventKind::Claim(at, _) if *at == step);
        let root = flow.events.iter().position(|event| is_claim(&event.kind));
        let (Some(root), Some(violated), StepKind::Claim { claim: ClaimRef::Program(claim), .. }) =
            (root, self.violated.get(&step), &equation.steps[step].kind)
        else {
            return Err("a failing run violates something else when its equation is evaluated".to_owned());
        };
        let claim = *claim;
        let mut condition = vec![*violated];
        let mut key = Key { statements: Vec::new(), parts: Vec::new() };
        let mut control = Vec::new();
        let mut events;
        let along;
        let inputs;
        // Terms to be equal to a number, and terms to hold or not.
        let mut set_by: Vec<(Term, EventNumber)> = Vec::new();
        let mut outcomes: Vec<(Term, bool)> = Vec::new();
        {
            let mut evaluator = execution.evaluator(equation);
            inputs = equation.inputs(&mut evaluator);
            events = flow.slice(root as EventNumber, &mut evaluator);
            for number in &events {
                let event = flow.event(*number);
                let decider = evaluator.value(event.control) as EventNumber;
                control.push(decider);
                set_by.push((event.control, decider));
                for read in &event.reads {
                    set_by.push((*read, evaluator.value(*read) as EventNumber));
                }
                let outcome = match &event.kind {
                    EventKind::Branch(term, _) => {
                        let holds = evaluator.holds(*term);
                        outcomes.push((*term, holds));
                        Some(holds)
                    }
                    _ => None,
                };
                key.statements.push((event.location, outcome));
            }
            along = flow.returns(&events, &mut evaluator);
            for number in &along {
                let (at, event) = (events.partition_point(|other| other < number), flow.event(*number));
                events.insert(at, *number);
                control.insert(at, evaluator.value(event.control) as EventNumber);
                key.statements.insert(at, (event.location, None));
            }
            if let Some(test) = criterion(self.program, flow, root as EventNumber, &mut evaluator) {
                for (place, atom, holds) in test.evaluate(&mut |atom| evaluator.holds(atom)).1 {
                    key.parts.push((place, holds));
                    outcomes.push((atom, holds));
                }
            }
        }
        let mut seen = HashSet::new();
        for (term, number) in set_by {
            let is = self.is(equation, term, number);
            if !equation.terms.is_true(is) && seen.insert(is) {
                condition.push(is);
            }
        }
        for (term, holds) in outcomes {
            let term = if holds { term } else { equation.terms.not(term) };
            if !equation.terms.is_true(term) && seen.insert(term) {
                condition.push(term);
            }
        }
        Ok(Sequence { key, claim, step, events, along, control, inputs, execution, condition })
    }

    fn is(&mut self, equation: &mut Equation, term: Term, number: EventNumber) -> Term {
        is_number(equation, &mut self.numbers, term, number)
    }
}

/// The condition whose parts tell failures apart: that of the claim, or, where it is never met, that of the branch that
/// leads to it.
pub fn criterion<'f>(
    program: &Program,
    flow: &'f Flow,
    claim: EventNumber,
    evaluator: &mut Evaluator<'_>,
) -> Option<&'f Test<Term>> {
    let event = flow.event(claim);
    if !is_never_met(program, event.location) {
        return match &event.kind {
            EventKind::Claim(_, test) => Some(test),
            _ => None,
        };
    }
    match &flow.event(evaluator.value(event.control) as EventNumber).kind {
        EventKind::Branch(_, test) => Some(test),
        _ => None,
    }
}

/// That a term, made of choices between numbers, is a number; as a choice between truths.
pub(crate) fn is_number(
    equation: &mut Equation,
    known: &mut HashMap<(Term, EventNumber), Term>,
    term: Term,
    number: EventNumber,
) -> Term {
    let mut open = vec![term];
    while let Some(at) = open.last().copied() {
        if known.contains_key(&(at, number)) {
            open.pop();
            continue;
        }
        let value = match equation.terms.node(at) {
            Node::Const { value, .. } => equation.terms.bool(value == u128::from(number)),
            Node::Ite(condition, yes, no) => match (known.get(&(yes, number)), known.get(&(no, number))) {
                (Some(yes), Some(no)) => equation.terms.ite(condition, *yes, *no),
                _ => {
                    open.extend([yes, no].into_iter().filter(|side| !known.contains_key(&(*side, number))));
                    continue;
                }
            },
            _ => {
                let constant = equation.terms.constant(crate::flow::NUMBER_BITS, u128::from(number));
                equation.terms.eq(at, constant)
            }
        };
        known.insert((at, number), value);
        open.pop();
    }
    known[&(term, number)]
}

/// The numbers that a term, made of choices between numbers, can be.
pub(crate) fn possible_numbers(equation: &Equation, term: Term) -> Vec<EventNumber> {
    let mut open = vec![term];
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        match equation.terms.node(at) {
            Node::Const { value, .. } => found.push(value as EventNumber),
            Node::Ite(_, yes, no) => open.extend([yes, no]),
            _ => {}
        }
    }
    found.sort_unstable();
    found
}
