//! The condition of a sequence as assumptions over inputs (Basu, Saha, Smolka, sections 1 and 3.2).
//!
//! The sequence is walked forward. At every event what it reads must have been set where it was (another statement must
//! not interfere), and a branch must come out as it did; at the end the parts of the claim. Each of these is a term
//! over variables of the equation. Their definitions are substituted until only inputs are left; a join, an index or a
//! pointer chooses as it must under the assumptions made so far (the solver says whether it must). What follows from the
//! assumptions so far is none. So all assumptions together, with what the program itself assumes and claims before, are
//! the condition of the sequence exactly, and each has the place that it comes from. What it claims before can be made
//! assumptions, too.

use std::collections::{BTreeSet, HashMap};

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::hash::FxBuild;
use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::term::{Node, Term};

use super::backward::{Answer, Table};
use super::{criterion, is_number, possible_numbers};
use crate::equation::{ClaimRef, Equation, StepKind, VariableId};
use crate::flow::{Event, EventKind, EventNumber, Flow};
use crate::focus_sequence::Sequence;
use crate::method::encode;
use nearmiss_logic::stop::Stop;
use nearmiss_program::location::Location;
use nearmiss_program::program::{ClaimId, Program};

/// So many statements that may have set a value in other runs are looked at one by one.
const MOST_OTHERS: usize = 100;
/// Where there are more, so many of the first and of the last.
const ENDS: usize = 8;

/// So many parts of one condition are looked at to simplify it.
const MOST_PARTS: u32 = 60;

/// Conflicts after which the solver gives up on one question: what is not known to follow is then told. That of three
/// inputs the first is largest may take more than 1,000 where little was asked before.
const MOST_CONFLICTS: u64 = 4_000;

/// So many questions may be that hard; from then on they are given up sooner.
const MOST_HOPELESS: u32 = 16;

/// Conflicts after which the solver gives up then.
const FEW_CONFLICTS: u64 = 100;

/// So often it is asked again whether a choice is decided, as assumptions are added.
const MOST_ASKED: u32 = 4;

/// So many values with which an assumption failed are kept.
const MOST_SEEN: usize = 4;

/// Where an assumption comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A branch of the sequence.
    Branch(EventNumber),
    /// A branch that is not in the sequence: the other way something would be set that is read in it.
    Apart {
        /// The branch.
        branch: EventNumber,
        /// What would set it.
        setter: EventNumber,
        /// Who reads it, where it is not the branch alone that keeps the setter away.
        reader: Option<EventNumber>,
    },
    /// Which element, or what a pointer points to, where this event reads.
    Cell(EventNumber),
    /// A part of the claim.
    Claim(u32),
    /// That the program gets as far as the claim.
    Reach,
    /// That an earlier claim holds, or that a loop does not go on beyond the bound: index of its step in the equation.
    Before(usize),
}

/// One condition over inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// It holds iff this is 1; inputs are all that it is made of.
    pub term: Term,
    /// Where it comes from.
    pub origin: Origin,
    /// Where else, if several conditions were made one.
    pub also: Vec<Origin>,
    /// The branch, or the statement, that it is about, and which part of it; complements meet only at the same place.
    pub place: (Location, u32),
}

/// A branch that the sequence takes, or that keeps something out of it, and its condition over inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The branch.
    pub branch: EventNumber,
    /// That it came out as it did, as far as the sequence needs it.
    pub term: Term,
}

/// What a sequence assumes.
#[derive(Clone, Default, Debug)]
pub struct Assumptions {
    /// Conditions over inputs, in order.
    pub all: Vec<Assumption>,
    /// The branches behind them, and behind what follows from them.
    pub decisions: Vec<Decision>,
}

impl Assumptions {
    /// Those that belong to this way to fail: that nothing fails before says nothing of it.
    pub fn own(&self) -> Vec<Assumption> {
        let is_own = |assumption: &&Assumption| !matches!(assumption.origin, Origin::Before(_));
        self.all.iter().filter(is_own).cloned().collect()
    }
}

/// Asks whether conditions follow from others, for one equation.
pub struct Prover<'a> {
    blaster: Blaster,
    symbols: HashMap<Term, VariableId>,
    flow: &'a Flow,
    numbers: HashMap<(Term, EventNumber), Term>,
    /// What was found out, if that is to be used again.
    table: Option<Table>,
    /// Then also: terms over inputs alone, for those in which nothing is chosen; they are so on every way.
    resolved: HashMap<Term, Term, FxBuild>,
    /// Then also: for an assumption, values of its inputs with which it failed while others held.
    failing: HashMap<Term, Vec<Vec<(Term, u128)>>>,
    /// Whether the solver has just found a model.
    has_model: bool,
    /// How often the solver was asked.
    pub calls: u64,
    /// The solver had no time for some answer.
    pub interrupted: bool,
    stop: Stop,
    /// Questions that were too hard.
    hopeless: u32,
}

/// What is known along a sequence.
struct Walk {
    /// Assumptions so far.
    known: Vec<Lit>,
    /// Choosers that must be so.
    decided: HashMap<Term, bool>,
    /// Choosers that need not: with so many assumptions, and how often they were asked about.
    open: HashMap<Term, (usize, u32)>,
    found: Assumptions,
}

impl<'a> Prover<'a> {
    /// Knows what variables are defined as.
    pub fn new(equation: &Equation, flow: &'a Flow, stop: &Stop) -> Prover<'a> {
        let mut blaster = encode::for_many_questions(stop);
        encode::define(&mut blaster, equation);
        let symbols = equation.variables_by_symbol();
        Prover {
            blaster,
            symbols,
            flow,
            numbers: HashMap::new(),
            table: None,
            resolved: HashMap::default(),
            failing: HashMap::new(),
            has_model: false,
            calls: 0,
            interrupted: false,
            stop: stop.clone(),
            hopeless: 0,
        }
    }

    /// The same, but no question is asked twice.
    pub fn with_summaries(self) -> Prover<'a> {
        Prover { table: Some(Table::default()), ..self }
    }

    /// What it knows of.
    pub fn flow(&self) -> &'a Flow {
        self.flow
    }

    /// The literal of a term.
    pub fn literal(&mut self, equation: &Equation, term: Term) -> Lit {
        self.blaster.literal(&equation.terms, term)
    }

    /// The bits of a term, the lowest first.
    pub(super) fn bits(&mut self, equation: &Equation, term: Term) -> Vec<Lit> {
        self.blaster.bits(&equation.terms, term)
    }

    /// The number that bits are in the model that refuted the last question, if the solver has just found one.
    pub(super) fn model(&mut self, bits: &[Lit]) -> Option<u128> {
        let ones = bits.iter().rev();
        self.has_model.then(|| ones.fold(0, |value, bit| value << 1 | u128::from(self.blaster.solver.peek(*bit))))
    }

    /// Does a literal follow from others? In doubt: no.
    pub fn follows(&mut self, from: &[Lit], what: Lit) -> bool {
        self.has_model = false;
        match self.table.as_mut().and_then(|table| table.answer(from, what)) {
            Some(Answer::Follows) => return true,
            Some(Answer::Refuted) => return false,
            Some(Answer::TooHard) => {
                self.interrupted = true;
                return false;
            }
            None => {}
        }
        let mut all = from.to_vec();
        all.push(!what);
        self.calls += 1;
        let hard = if self.hopeless < MOST_HOPELESS { MOST_CONFLICTS } else { FEW_CONFLICTS };
        let solver = &mut self.blaster.solver;
        solver.set_conflict_limit(Some(hard));
        let answer = solver.solve_only(&all);
        if answer == Outcome::Interrupted {
            self.interrupted = true;
            self.hopeless += u32::from(!self.stop.requested());
        }
        match (&mut self.table, answer) {
            (Some(table), Outcome::Unsat) => table.learn(&solver.core(), what),
            (Some(table), Outcome::Sat) => table.keep(|literal| solver.peek(literal)),
            (Some(table), Outcome::Interrupted) if !self.stop.requested() => table.give_up(from, what),
            _ => {}
        }
        self.has_model = answer == Outcome::Sat;
        answer == Outcome::Unsat
    }

    /// Does an assumption of a sequence follow from others of it? With summaries, what made it fail on another way is put
    /// into the run of this one first.
    pub fn follows_from_others(
        &mut self,
        equation: &Equation,
        sequence: &Sequence,
        background: Lit,
        others: &[Term],
        what: Term,
    ) -> bool {
        let fails = |values: &Vec<(Term, u128)>| {
            let mut inputs = Assignment::new();
            for (variable, value) in equation.variables.iter().zip(&sequence.execution.values) {
                inputs.set(variable.symbol, *value);
            }
            values.iter().for_each(|(symbol, value)| inputs.set(*symbol, *value));
            let mut evaluator = Evaluator::new(&equation.terms, &inputs);
            !evaluator.holds(what) && others.iter().all(|other| evaluator.holds(*other))
        };
        if background == Lit::TRUE && self.failing.get(&what).is_some_and(|seen| seen.iter().any(fails)) {
            return false;
        }
        let mut from = vec![background];
        from.extend(others.iter().map(|other| self.literal(equation, *other)));
        let conclusion = self.literal(equation, what);
        let follows = self.follows(&from, conclusion);
        if self.has_model && self.table.is_some() {
            let mut values = Vec::new();
            for symbol in equation.terms.support(what) {
                let bits = self.blaster.bits(&equation.terms, symbol);
                let ones = bits.iter().rev();
                let value = ones.fold(0, |value, bit| value << 1 | u128::from(self.blaster.solver.peek(*bit)));
                values.push((symbol, value));
            }
            let seen = self.failing.entry(what).or_default();
            if seen.len() < MOST_SEEN {
                seen.push(values);
            }
        }
        follows
    }

    /// What the program assumes, and claims, before the claim of a sequence.
    pub fn background(&mut self, equation: &mut Equation, sequence: &Sequence) -> Lit {
        let held: Vec<Term> = before(equation, sequence, |_| true).into_iter().map(|(_, term)| term).collect();
        let all = equation.terms.and_all(&held);
        self.literal(equation, all)
    }

    /// What the program assumes before it.
    pub fn assumed(&mut self, equation: &mut Equation, sequence: &Sequence) -> Lit {
        let held = before(equation, sequence, |kind| matches!(kind, StepKind::Assume { .. }));
        let held: Vec<Term> = held.into_iter().map(|(_, term)| term).collect();
        let all = equation.terms.and_all(&held);
        self.literal(equation, all)
    }

    /// The assumptions of a sequence, in order. None if there was no time to find them.
    pub fn assumptions(
        &mut self,
        program: &Program,
        equation: &mut Equation,
        sequence: &Sequence,
    ) -> Option<Assumptions> {
        let background = self.background(equation, sequence);
        let mut walk = Walk {
            known: vec![background],
            decided: HashMap::new(),
            open: HashMap::new(),
            found: Assumptions::default(),
        };
        let slice = sequence.events.iter().zip(&sequence.control);
        for (number, decider) in slice.filter(|(number, _)| !sequence.along.contains(number)) {
            if self.stop.requested() {
                return None;
            }
            let event = self.flow.event(*number);
            self.set_by(equation, sequence, &mut walk, *number, event.control, *decider);
            for read in &event.reads {
                let setter = sequence.execution.value_of(equation, *read) as EventNumber;
                self.set_by(equation, sequence, &mut walk, *number, *read, setter);
            }
            if let EventKind::Branch(term, _) = event.kind {
                let holds = sequence.execution.meets(equation, term);
                let place = (event.location, 0);
                self.assume(equation, sequence, &mut walk, (term, holds), Origin::Branch(*number), place);
            }
        }
        let Some(&claim) = sequence.events.last() else { return Some(walk.found) };
        let event = self.flow.event(claim);
        let parts = {
            let mut evaluator = sequence.execution.evaluator(equation);
            let test = criterion(program, self.flow, claim, &mut evaluator);
            test.map(|test| test.evaluate(&mut |atom| evaluator.holds(atom)).1).unwrap_or_default()
        };
        for (part, term, holds) in parts {
            let place = (event.location, part);
            self.assume(equation, sequence, &mut walk, (term, holds), Origin::Claim(part), place);
        }
        let place = (event.location, u32::MAX);
        self.assume(equation, sequence, &mut walk, (event.guard, true), Origin::Reach, place);
        if let StepKind::Claim { condition, .. } = equation.steps[sequence.step].kind {
            self.assume(equation, sequence, &mut walk, (condition, false), Origin::Reach, place);
        }
        (!self.stop.requested()).then_some(walk.found)
    }

    /// The same where something may fail before: with that it does not, but for claims that are proved.
    pub fn where_nothing_fails_before(
        &mut self,
        equation: &mut Equation,
        sequence: &Sequence,
        found: Assumptions,
        proved: &BTreeSet<ClaimId>,
    ) -> Option<Assumptions> {
        let mut known = vec![self.assumed(equation, sequence)];
        known.extend(found.all.iter().map(|assumption| self.literal(equation, assumption.term)));
        let mut walk = Walk { known, decided: HashMap::new(), open: HashMap::new(), found };
        let claims = before(equation, sequence, |kind| match kind {
            StepKind::Claim { claim: ClaimRef::Program(claim), .. } => !proved.contains(claim),
            StepKind::Claim { .. } => true,
            _ => false,
        });
        self.assume_all(equation, sequence, &mut walk, &claims);
        (!self.stop.requested()).then_some(walk.found)
    }

    /// Claims hold. Most do anyway, so it is asked of many at once.
    fn assume_all(&mut self, equation: &mut Equation, sequence: &Sequence, walk: &mut Walk, claims: &[(usize, Term)]) {
        let terms: Vec<Term> = claims.iter().map(|(_, held)| *held).collect();
        let all = equation.terms.and_all(&terms);
        if self.stop.requested() || self.is_known(equation, walk, all) {
            return;
        }
        if let [(step, held)] = *claims {
            // That a bound suffices is no event of the program: it is said at the claim of the sequence.
            let of_step = |event: &&Event| matches!(event.kind, EventKind::Claim(at, _) if at == step);
            let event = self.flow.events.iter().find(of_step);
            let end = sequence.events.last().map(|claim| self.flow.event(*claim));
            let place = event.map(|event| (event.location, 0)).or(end.map(|end| (end.location, u32::MAX - 2)));
            if let Some(place) = place {
                self.assume(equation, sequence, walk, (held, true), Origin::Before(step), place);
            }
            return;
        }
        let (first, second) = claims.split_at(claims.len() / 2);
        self.assume_all(equation, sequence, walk, first);
        self.assume_all(equation, sequence, walk, second);
    }

    /// What is read was set there: first that nobody else did who did not come to it, then that it is this one of
    /// those who did.
    fn set_by(
        &mut self,
        equation: &mut Equation,
        sequence: &Sequence,
        walk: &mut Walk,
        reader: EventNumber,
        read: Term,
        setter: EventNumber,
    ) {
        if equation.terms.as_const(read).is_some() {
            return;
        }
        let is_setter = is_number(equation, &mut self.numbers, read, setter);
        if equation.terms.is_true(is_setter) || self.is_known(equation, walk, is_setter) {
            return;
        }
        let others: Vec<EventNumber> = possible_numbers(equation, read)
            .into_iter()
            .filter(|other| *other != setter && *other != 0 && !self.happens(equation, sequence, *other))
            .collect();
        // A nest of loops has thousands. The first and the last ones often decide of all; what they leave open is said below.
        let others = match others.len() {
            0..=MOST_OTHERS => others,
            number => [&others[..ENDS], &others[number - ENDS..]].concat(),
        };
        // Where all runs of this kind go the same way at a branch, that is how to say it.
        for other in &others {
            if self.stop.requested() {
                return;
            }
            let Some((branch, setter)) = self.barrier(equation, sequence, *other).map(|branch| (branch, *other)) else {
                continue;
            };
            let EventKind::Branch(term, _) = self.flow.event(branch).kind else { continue };
            let holds = sequence.execution.meets(equation, term);
            let mut known = walk.known.clone();
            known.push(self.literal(equation, is_setter));
            let literal = self.literal(equation, term).negate_if(!holds);
            let guard = self.literal(equation, self.flow.event(branch).guard);
            if self.follows(&known, literal) && self.follows(&known, guard) {
                let place = (self.flow.event(branch).location, 0);
                self.assume(
                    equation,
                    sequence,
                    walk,
                    (term, holds),
                    Origin::Apart { branch, setter, reader: None },
                    place,
                );
            }
        }
        for other in others {
            if self.stop.requested() {
                return;
            }
            let Some(branch) = self.branch_above(equation, sequence, other) else { continue };
            let is_other = is_number(equation, &mut self.numbers, read, other);
            let place = (self.flow.event(branch).location, 0);
            let origin = Origin::Apart { branch, setter: other, reader: Some(reader) };
            self.assume(equation, sequence, walk, (is_other, false), origin, place);
        }
        let place = (self.flow.event(reader).location, u32::MAX - 1);
        self.assume(equation, sequence, walk, (is_setter, true), Origin::Cell(reader), place);
    }

    fn happens(&self, equation: &Equation, sequence: &Sequence, event: EventNumber) -> bool {
        sequence.execution.meets(equation, self.flow.event(event).guard)
    }

    /// The branch that is executed and kept an event from being.
    fn barrier(&self, equation: &Equation, sequence: &Sequence, event: EventNumber) -> Option<EventNumber> {
        let mut at = event;
        loop {
            at = self.branch_above(equation, sequence, at)?;
            if self.happens(equation, sequence, at) {
                return Some(at);
            }
        }
    }

    /// The innermost branch that decides about an event.
    fn branch_above(&self, equation: &Equation, sequence: &Sequence, event: EventNumber) -> Option<EventNumber> {
        let mut at = event;
        loop {
            at = sequence.execution.value_of(equation, self.flow.event(at).control) as EventNumber;
            match self.flow.event(at).kind {
                EventKind::Branch(..) => return Some(at),
                _ if at == 0 => return None,
                _ => {}
            }
        }
    }

    /// Adds what a condition says beyond what is known.
    fn assume(
        &mut self,
        equation: &mut Equation,
        sequence: &Sequence,
        walk: &mut Walk,
        (term, holds): (Term, bool),
        origin: Origin,
        place: (Location, u32),
    ) {
        let term = if holds { term } else { equation.terms.not(term) };
        if equation.terms.as_const(term).is_some() {
            return;
        }
        let is_known = self.is_known(equation, walk, term);
        let resolved = match origin {
            Origin::Branch(branch) | Origin::Apart { branch, .. } => {
                let resolved = self.resolve(equation, sequence, walk, term);
                if equation.terms.as_const(resolved).is_none() {
                    walk.found.decisions.push(Decision { branch, term: resolved });
                }
                resolved
            }
            _ if is_known => return,
            _ => self.resolve(equation, sequence, walk, term),
        };
        if !is_known {
            let mut budget = MOST_PARTS;
            let simple = self.simplify(equation, sequence, walk, resolved, &mut budget);
            for atom in conjuncts(equation, simple) {
                if equation.terms.as_const(atom).is_none() && !self.is_known(equation, walk, atom) {
                    walk.known.push(self.literal(equation, atom));
                    walk.found.all.push(Assumption { term: atom, origin, also: Vec::new(), place });
                }
            }
        }
        // What is known now is enough for the whole condition: its neighbourhood will ask.
        if let (Origin::Branch(_) | Origin::Apart { .. }, true) = (origin, self.table.is_some()) {
            let whole = self.literal(equation, resolved);
            self.table.iter_mut().for_each(|table| table.learn(&walk.known, whole));
        }
    }

    fn is_known(&mut self, equation: &Equation, walk: &Walk, term: Term) -> bool {
        let literal = self.literal(equation, term);
        self.follows(&walk.known, literal)
    }

    /// A condition without the parts that are known.
    fn simplify(
        &mut self,
        equation: &mut Equation,
        sequence: &Sequence,
        walk: &Walk,
        term: Term,
        budget: &mut u32,
    ) -> Term {
        let (inner, negated) = match equation.terms.node(term) {
            Node::Not(inner) => (inner, true),
            _ => (term, false),
        };
        let Node::And(a, b) = equation.terms.node(inner) else { return term };
        if *budget < 2 {
            return term;
        }
        *budget -= 2;
        let mut side = |prover: &mut Self, part: Term| {
            // The run of the sequence meets all assumptions, so only what is true in it can follow.
            let holds = sequence.execution.meets(equation, part);
            let literal = prover.literal(equation, part).negate_if(!holds);
            if prover.follows(&walk.known, literal) {
                return equation.terms.bool(holds);
            }
            prover.simplify(equation, sequence, walk, part, budget)
        };
        let (a, b) = (side(self, a), side(self, b));
        let both = equation.terms.and(a, b);
        if negated { equation.terms.not(both) } else { both }
    }

    /// Must a chooser be what it is in the run of the sequence?
    fn must(&mut self, equation: &Equation, sequence: &Sequence, walk: &mut Walk, chooser: Term) -> Option<bool> {
        if let Some(decided) = walk.decided.get(&chooser) {
            return Some(*decided);
        }
        let (assumptions, asked) = walk.open.get(&chooser).copied().unwrap_or((0, 0));
        if assumptions == walk.known.len() || asked >= MOST_ASKED {
            return None;
        }
        let holds = sequence.execution.meets(equation, chooser);
        let literal = self.literal(equation, chooser).negate_if(!holds);
        if self.follows(&walk.known, literal) {
            walk.decided.insert(chooser, holds);
            return Some(holds);
        }
        walk.open.insert(chooser, (walk.known.len(), asked + 1));
        None
    }

    /// The term over inputs alone, with the choices that the assumptions leave.
    fn resolve(&mut self, equation: &mut Equation, sequence: &Sequence, walk: &mut Walk, term: Term) -> Term {
        let mut done: HashMap<Term, Term, FxBuild> = HashMap::default();
        let mut chosen: HashMap<Term, Term, FxBuild> = HashMap::default();
        let mut open = vec![(term, false)];
        while let Some((at, operands_done)) = open.pop() {
            if done.contains_key(&at) {
                continue;
            }
            if let Some(result) = self.resolved.get(&at) {
                done.insert(at, *result);
                continue;
            }
            let definition = self.symbols.get(&at).and_then(|id| equation.variables[id.0 as usize].definition);
            if operands_done {
                let node = equation.terms.node(at);
                let operands = node.operands();
                let result = match (definition, chosen.get(&at)) {
                    (Some(definition), _) => done[&definition],
                    (None, Some(side)) => done[side],
                    _ => {
                        let operands: Vec<Term> = operands.iter().map(|operand| done[operand]).collect();
                        equation.terms.with_operands(at, &operands)
                    }
                };
                let known = |part: &Term| self.resolved.contains_key(part);
                let is_plain = definition.map_or_else(|| operands.iter().all(known), |definition| known(&definition));
                if self.table.is_some() && is_plain && !matches!(node, Node::Ite(..)) {
                    self.resolved.insert(at, result);
                }
                done.insert(at, result);
                continue;
            }
            open.push((at, true));
            match (definition, equation.terms.node(at)) {
                (Some(definition), _) => open.push((definition, false)),
                (None, Node::Ite(condition, yes, no)) => match self.must(equation, sequence, walk, condition) {
                    Some(holds) => {
                        let side = if holds { yes } else { no };
                        chosen.insert(at, side);
                        open.push((side, false));
                    }
                    None => open.extend([(condition, false), (yes, false), (no, false)]),
                },
                (None, node) => open.extend(node.operands().iter().map(|operand| (*operand, false))),
            }
        }
        done[&term]
    }
}

/// The steps before the claim of a sequence that can exclude an execution or end it, with the terms that they do not.
fn before(equation: &mut Equation, sequence: &Sequence, wanted: impl Fn(&StepKind) -> bool) -> Vec<(usize, Term)> {
    let mut held = equation.held();
    held.retain(|(at, _)| *at < sequence.step && wanted(&equation.steps[*at].kind));
    held
}

/// The parts of a conjunction, in order.
pub(super) fn conjuncts(equation: &Equation, term: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match equation.terms.node(term) {
            Node::And(a, b) if equation.terms.width(term) == 1 => open.extend([b, a]),
            _ => found.push(term),
        }
    }
    found
}

/// The inputs that terms speak of, by number.
pub fn inputs(equation: &Equation, symbols: &HashMap<Term, VariableId>, terms: &[Term]) -> BTreeSet<VariableId> {
    equation.terms.post_order(terms).iter().filter_map(|term| symbols.get(term).copied()).collect()
}
