//! Terms to literals: each bit of each term becomes a literal of the solver, each operator a circuit of gates.
//!
//! The idea: walk the term once, iteratively; remember the literals of every term in one pool (a slice of a term is a
//! slice of the pool, so wiring costs nothing); let the gate constructors fold constants and share equal gates. What
//! reaches the solver is a Tseitin encoding without regard to polarity, so any literal may be assumed either way.
//! Cost is linear in the circuit: linear in width for sums and comparisons, n log n for shifts, quadratic for products
//! and quotients. Gates are in `bitblast/gates.rs`, words in `bitblast/circuits.rs`, what is known of sums
//! in `bitblast/sums.rs`.
//!
//! Arrays are eliminated eagerly. A select over a chain of stores is a chain of multiplexers on index equality; a
//! select on an array variable is a fresh element, with Ackermann's congruence clauses against the other selects of
//! that variable (quadratic in the number of selects at symbolic indices). Arrays are never compared: the term layer
//! has no constructor for it.
//!
//! [`Blaster::define`] makes a variable another name for a term. Nothing is emitted for a definition until something
//! asserted needs the variable, which is how equations of hundreds of thousands of steps cost only their relevant part.

mod circuits;
mod gates;
mod sums;

use crate::eval::{ArrayValue, Assignment, Evaluator};
use crate::hash::FxBuild;
use crate::machine::Function;
use crate::sat::{Lit, Model, Solver};
use crate::term::{Node, Sort, Term, Terms};
use gates::Gates;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use sums::Sums;

/// What is divided by what, as literals.
type Division = (Vec<Lit>, Vec<Lit>, circuits::Signedness);

/// Translates terms into clauses of its solver.
#[derive(Default)]
pub struct Blaster {
    /// The solver that receives the clauses.
    pub solver: Solver,
    gates: Gates,
    sums: Sums,
    /// The literals of all terms; a term's are contiguous, least significant first.
    pool: Vec<Lit>,
    /// Where a term's literals start in the pool, by index.
    start: Vec<u32>,
    /// Blasted bit-vector variables, in order.
    variables: Vec<Term>,
    /// What variables stand for; several translations of the same terms can share this.
    definitions: Arc<Definitions>,
    /// Where the literals of an element start, by array and index.
    reads: HashMap<(Term, Term), u32, FxBuild>,
    array_variables: HashMap<Term, ArrayReads, FxBuild>,
    /// Quotient and remainder, shared by the two operators.
    quotients: HashMap<(Term, Term, circuits::Signedness), (u32, u32), FxBuild>,
    /// The same by the literals of dividend and divisor: other names of the same numbers have the same quotient.
    divided: HashMap<Division, (u32, u32), FxBuild>,
}

/// What variables stand for.
#[derive(Clone, Default)]
struct Definitions {
    values: HashMap<Term, Term, FxBuild>,
    order: Vec<Term>,
}

/// The selects made on one array variable.
#[derive(Default)]
struct ArrayReads {
    all: Vec<Read>,
    /// Selects at constant indices need no comparison with each other.
    constant: HashMap<u128, u32, FxBuild>,
    symbolic: Vec<Read>,
}

#[derive(Copy, Clone)]
struct Read {
    index: Term,
    element: u32,
}

const UNKNOWN: u32 = u32::MAX;

/// After so many tasks it is asked whether to stop.
const TASKS: u32 = 256;

#[derive(Copy, Clone)]
enum Task {
    Bits(Term),
    Read(Term, Term),
}

impl Blaster {
    /// An empty translation.
    pub fn new() -> Blaster {
        Blaster::default()
    }

    /// Another empty translation in which variables stand for the same.
    pub fn with_the_same_definitions(&self) -> Blaster {
        Blaster { definitions: Arc::clone(&self.definitions), ..Blaster::default() }
    }

    /// The literal of a Boolean term.
    pub fn literal(&mut self, terms: &Terms, term: Term) -> Lit {
        assert_eq!(terms.sort(term), Sort::BitVec(1), "a Boolean expected");
        let start = self.blast(terms, term);
        self.pool[start as usize]
    }

    /// The literals of a bit-vector term, least significant first.
    pub fn bits(&mut self, terms: &Terms, term: Term) -> Vec<Lit> {
        let start = self.blast(terms, term) as usize;
        self.pool[start..start + terms.width(term) as usize].to_vec()
    }

    /// Is the term translated already?
    pub fn is_blasted(&self, term: Term) -> bool {
        self.start_of(term).is_some()
    }

    /// Require a Boolean term to hold.
    pub fn assert(&mut self, terms: &Terms, term: Term) {
        assert_eq!(terms.sort(term), Sort::BitVec(1), "a Boolean expected");
        let mut seen = HashSet::<Term, FxBuild>::default();
        let mut conjuncts = vec![term];
        while let Some(term) = conjuncts.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::And(a, b) => conjuncts.extend([b, a]),
                // A disjunction is one clause, and needs no literal of its own.
                Node::Not(inner) if matches!(terms.node(inner), Node::And(..)) => {
                    let clause = self.disjunction(terms, inner);
                    self.solver.add_clause(&clause);
                }
                Node::Eq(a, b) => {
                    let (a, b) = (self.bits(terms, a), self.bits(terms, b));
                    self.equate(&a, &b);
                }
                _ => {
                    let literal = self.literal(terms, term);
                    self.solver.add_clause(&[literal]);
                }
            }
        }
    }

    /// The literals of the negation of a conjunction, flattened.
    fn disjunction(&mut self, terms: &Terms, conjunction: Term) -> Vec<Lit> {
        let mut seen = HashSet::<Term, FxBuild>::default();
        let mut clause = Vec::new();
        let mut conjuncts = vec![conjunction];
        while let Some(term) = conjuncts.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.node(term) {
                Node::And(a, b) if self.start_of(term).is_none() => conjuncts.extend([b, a]),
                _ => clause.push(!self.literal(terms, term)),
            }
        }
        clause
    }

    pub(super) fn equate(&mut self, a: &[Lit], b: &[Lit]) {
        for (&a, &b) in a.iter().zip(b) {
            self.solver.add_clause(&[a, !b]);
            self.solver.add_clause(&[!a, b]);
        }
    }

    /// Let a variable, bit-vector or array, stand for a value: it shares the value's literals. If the variable was
    /// translated before, equality is asserted instead. Definitions must not be circular, and a definition may use
    /// only variables that are free or defined before it.
    pub fn define(&mut self, terms: &Terms, variable: Term, value: Term) {
        assert!(terms.is_variable(variable), "only variables can be defined");
        assert_eq!(terms.sort(variable), terms.sort(value), "a variable and its value have one sort");
        if self.definitions.values.contains_key(&variable) || self.start_of(variable).is_some() {
            let (a, b) = (self.bits(terms, variable), self.bits(terms, value));
            self.equate(&a, &b);
            return;
        }
        let definitions = Arc::make_mut(&mut self.definitions);
        definitions.values.insert(variable, value);
        definitions.order.push(variable);
        // Selects already made on an array variable have elements of their own; tie them to the definition.
        if let Some(reads) = self.array_variables.get(&variable) {
            let width = terms.width(variable) as usize;
            for Read { index, element } in reads.all.clone() {
                let defined = self.run(terms, Task::Read(value, index)) as usize;
                let old = self.pool[element as usize..][..width].to_vec();
                let new = self.pool[defined..][..width].to_vec();
                self.equate(&old, &new);
            }
        }
    }

    /// The value of a translated term in the last model.
    pub fn model_value(&self, terms: &Terms, term: Term) -> Option<u128> {
        let start = self.start_of(term)?;
        Some(self.pool_value(start, terms.width(term), &|lit| self.solver.value(lit)))
    }

    fn pool_value(&self, start: u32, width: u32, value_of: &dyn Fn(Lit) -> bool) -> u128 {
        let bits = &self.pool[start as usize..][..width as usize];
        bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(value_of(bit)))
    }

    /// The last model as values of variables: the translated ones as the solver says, defined ones by their
    /// definitions, any other 0. Costs a visit to every definition not translated.
    pub fn assignment(&self, terms: &Terms) -> Assignment {
        self.assignment_by(terms, &|lit| self.solver.value(lit))
    }

    /// The same for a model that was found earlier.
    pub fn assignment_of(&self, terms: &Terms, model: &Model) -> Assignment {
        self.assignment_by(terms, &|lit| model.value(lit))
    }

    fn assignment_by(&self, terms: &Terms, value_of: &dyn Fn(Lit) -> bool) -> Assignment {
        let mut assignment = Assignment::new();
        for &variable in &self.variables {
            let start = self.start[variable.index()];
            assignment.set(variable, self.pool_value(start, terms.width(variable), value_of));
        }
        #[expect(clippy::iter_over_hash_type, reason = "each is set by itself")]
        for (&array, reads) in &self.array_variables {
            let width = terms.width(array);
            let mut value = ArrayValue::default();
            for read in &reads.all {
                let index = self.pool_value(self.start[read.index.index()], terms.width(read.index), value_of);
                value.elements.insert(index, self.pool_value(read.element, width, value_of));
            }
            assignment.set_array(array, value);
        }
        let mut implied = Vec::new();
        for &variable in &self.definitions.order {
            if let Sort::Array { .. } = terms.sort(variable) {
                assignment.alias_array(variable, self.definitions.values[&variable]);
            }
        }
        let mut evaluator = Evaluator::new(terms, &assignment);
        for &variable in &self.definitions.order {
            if let (Sort::BitVec(_), None) = (terms.sort(variable), self.start_of(variable)) {
                let value = evaluator.value(self.definitions.values[&variable]);
                evaluator.fix(variable, value);
                implied.push((variable, value));
            }
        }
        for (variable, value) in implied {
            assignment.set(variable, value);
        }
        assignment
    }

    fn start_of(&self, term: Term) -> Option<u32> {
        self.start.get(term.index()).copied().filter(|&start| start != UNKNOWN)
    }

    fn blast(&mut self, terms: &Terms, term: Term) -> u32 {
        match self.start_of(term) {
            Some(start) => start,
            None => self.run(terms, Task::Bits(term)),
        }
    }

    fn known(&self, task: Task) -> Option<u32> {
        match task {
            Task::Bits(term) => self.start_of(term),
            Task::Read(array, index) => self.reads.get(&(array, index)).copied(),
        }
    }

    /// Do a task and all it depends on; a stack instead of recursion, since terms may be a million deep.
    fn run(&mut self, terms: &Terms, goal: Task) -> u32 {
        if self.start.len() < terms.len() {
            self.start.resize(terms.len(), UNKNOWN);
        }
        let mut stack = vec![goal];
        let mut done = 0u32;
        while let Some(&task) = stack.last() {
            done = done.wrapping_add(1);
            if self.solver.is_incomplete() || (done.is_multiple_of(TASKS) && self.solver.is_stopped()) {
                return self.give_up(terms, goal);
            }
            if self.known(task).is_some() {
                stack.pop();
                continue;
            }
            let height = stack.len();
            self.push_missing(terms, task, &mut stack);
            if stack.len() > height {
                continue;
            }
            stack.pop();
            match task {
                Task::Bits(term) => {
                    let start = self.encode(terms, term);
                    self.start[term.index()] = start;
                }
                Task::Read(array, index) => {
                    let start = self.read(terms, array, index);
                    self.reads.insert((array, index), start);
                }
            }
        }
        self.known(goal).expect("the goal is done")
    }

    /// There is no time to do a task: its literals mean nothing, and no question will be answered any more.
    fn give_up(&mut self, terms: &Terms, goal: Task) -> u32 {
        self.solver.leave_incomplete();
        let width = match goal {
            Task::Bits(term) => terms.width(term),
            Task::Read(array, _) => terms.width(array),
        };
        let bits: Vec<Lit> = (0..width).map(|_| self.solver.new_var()).collect();
        let start = self.push(bits);
        match goal {
            Task::Bits(term) => self.start[term.index()] = start,
            Task::Read(array, index) => {
                self.reads.insert((array, index), start);
            }
        }
        start
    }

    fn push_missing(&self, terms: &Terms, task: Task, stack: &mut Vec<Task>) {
        let mut need = |task: Task| {
            if self.known(task).is_none() {
                stack.push(task);
            }
        };
        match task {
            Task::Bits(term) => match terms.node(term) {
                Node::Select(array, index) => {
                    need(Task::Bits(index));
                    need(Task::Read(array, index));
                }
                Node::Var { .. } => {
                    if let Some(&value) = self.definitions.values.get(&term) {
                        need(Task::Bits(value));
                    }
                }
                Node::Add(a, b) => {
                    let (a, b) = self.difference(terms, a, b).unwrap_or((a, b));
                    need(Task::Bits(b));
                    need(Task::Bits(a));
                }
                node => node.operands().iter().rev().for_each(|&operand| need(Task::Bits(operand))),
            },
            Task::Read(array, index) => {
                need(Task::Bits(index));
                match terms.node(array) {
                    Node::Store(below, at, value) => {
                        need(Task::Read(below, index));
                        need(Task::Bits(value));
                        need(Task::Bits(at));
                    }
                    Node::Ite(condition, yes, no) => {
                        need(Task::Read(no, index));
                        need(Task::Read(yes, index));
                        need(Task::Bits(condition));
                    }
                    Node::ConstArray { element, .. } => need(Task::Bits(element)),
                    _ => {
                        if let Some(&value) = self.definitions.values.get(&array) {
                            need(Task::Read(value, index));
                        }
                    }
                }
            }
        }
    }

    /// For a sum with a negated summand, what to subtract from what.
    fn difference(&self, terms: &Terms, a: Term, b: Term) -> Option<(Term, Term)> {
        match (terms.node(a), terms.node(b)) {
            (_, Node::Neg(b)) => Some((a, b)),
            (Node::Neg(a), _) => Some((b, a)),
            _ => None,
        }
    }

    /// The literals of a term whose operands are done. Copied out, because gates push to the pool's owner.
    fn word(&self, terms: &Terms, term: Term) -> Vec<Lit> {
        let start = self.start[term.index()] as usize;
        self.pool[start..start + terms.width(term) as usize].to_vec()
    }

    fn push(&mut self, bits: impl IntoIterator<Item = Lit>) -> u32 {
        let start = u32::try_from(self.pool.len()).expect("fewer than 2^32 literals");
        self.pool.extend(bits);
        start
    }

    fn fresh_word(&mut self, width: u32) -> u32 {
        let start = u32::try_from(self.pool.len()).expect("fewer than 2^32 literals");
        for _ in 0..width {
            let bit = self.solver.new_var();
            self.pool.push(bit);
        }
        start
    }

    /// Where the literals of a term start, its operands being done.
    fn encode(&mut self, terms: &Terms, term: Term) -> u32 {
        use circuits::Signedness::{Signed, Unsigned};
        let bits = match terms.node(term) {
            // These have their literals already.
            Node::Extract { term, lo, .. } => return self.start[term.index()] + lo,
            Node::Select(array, index) => return self.reads[&(array, index)],
            Node::Udiv(a, b) => return self.division(terms, a, b, Unsigned).0,
            Node::Urem(a, b) => return self.division(terms, a, b, Unsigned).1,
            Node::Sdiv(a, b) => return self.division(terms, a, b, Signed).0,
            Node::Srem(a, b) => return self.division(terms, a, b, Signed).1,
            Node::Var { .. } => return self.variable(terms, term),
            Node::Machine(function, a, b) => return self.machine(terms, function, a, b),
            Node::Const { value, .. } => (0..terms.width(term)).map(|i| Lit::constant(value >> i & 1 == 1)).collect(),
            Node::Not(a) => self.word(terms, a).into_iter().map(|bit| !bit).collect(),
            Node::And(a, b) => {
                let (a, b) = self.words(terms, a, b);
                a.iter().zip(&b).map(|(&a, &b)| self.and(a, b)).collect()
            }
            Node::Xor(a, b) => {
                let (a, b) = self.words(terms, a, b);
                a.iter().zip(&b).map(|(&a, &b)| self.xor(a, b)).collect()
            }
            Node::Neg(a) => {
                let a = self.word(terms, a);
                self.negate(&a)
            }
            Node::Add(a, b) => self.sum(terms, a, b),
            Node::Mul(a, b) => {
                let (a, b) = self.words(terms, a, b);
                self.multiply(&a, &b)
            }
            Node::Shl(a, b) => self.shift_up(terms, a, b),
            Node::Lshr(a, b) => {
                let (a, b) = self.words(terms, a, b);
                self.shift_down(&a, &b, Lit::FALSE)
            }
            Node::Ashr(a, b) => {
                let (a, b) = self.words(terms, a, b);
                self.shift_down(&a, &b, a[a.len() - 1])
            }
            Node::Eq(a, b) => {
                let (a, b) = self.words(terms, a, b);
                vec![self.equal_words(&a, &b)]
            }
            Node::Ult(a, b) => {
                let (a, b) = self.words(terms, a, b);
                vec![self.less_words(&a, &b)]
            }
            Node::Slt(a, b) => vec![self.signed_less(terms, a, b)],
            Node::Ite(condition, yes, no) => {
                let (yes, no) = self.words(terms, yes, no);
                let condition = self.word(terms, condition)[0];
                self.choose(condition, &yes, &no)
            }
            Node::Concat(high, low) => {
                let mut bits = self.word(terms, low);
                bits.extend(self.word(terms, high));
                bits
            }
            Node::Zext { term: body, .. } => self.extended(terms, body, terms.width(term), Unsigned),
            Node::Sext { term: body, .. } => self.extended(terms, body, terms.width(term), Signed),
            Node::ArrayVar { .. } | Node::ConstArray { .. } | Node::Store(..) => {
                panic!("an array has no literals of its own; select from it")
            }
        };
        self.push(bits)
    }

    /// A word that only the machine can compute: fresh literals, and the solver knows of what they are to be.
    fn machine(&mut self, terms: &Terms, function: Function, a: Term, b: Term) -> u32 {
        let (a, b) = self.words(terms, a, b);
        let start = self.fresh_word(a.len() as u32);
        let result = self.pool[start as usize..][..a.len()].to_vec();
        self.solver.apply(function, [a, b], result);
        start
    }

    fn words(&self, terms: &Terms, a: Term, b: Term) -> (Vec<Lit>, Vec<Lit>) {
        (self.word(terms, a), self.word(terms, b))
    }

    /// A variable has the literals of its definition, or fresh ones.
    fn variable(&mut self, terms: &Terms, term: Term) -> u32 {
        self.variables.push(term);
        match self.definitions.values.get(&term) {
            Some(value) => self.start[value.index()],
            None => self.fresh_word(terms.width(term)),
        }
    }

    fn sum(&mut self, terms: &Terms, a: Term, b: Term) -> Vec<Lit> {
        if let Some((a, b)) = self.difference(terms, a, b) {
            let (a, b) = self.words(terms, a, b);
            return self.subtract_words(&a, &b);
        }
        let (a, b) = self.words(terms, a, b);
        self.add_words(&a, &b)
    }

    fn shift_up(&mut self, terms: &Terms, a: Term, b: Term) -> Vec<Lit> {
        let (mut a, b) = self.words(terms, a, b);
        a.reverse();
        let mut shifted = self.shift_down(&a, &b, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// Flipping the sign bits turns signed order into unsigned order.
    fn signed_less(&mut self, terms: &Terms, a: Term, b: Term) -> Lit {
        let (mut a, mut b) = self.words(terms, a, b);
        let top = a.len() - 1;
        if a[top] == Lit::FALSE && b[top] == Lit::FALSE {
            return self.less_words(&a, &b);
        }
        for word in [&mut a, &mut b] {
            word[top] = !word[top];
        }
        self.less(&a, &b)
    }

    fn extended(&self, terms: &Terms, term: Term, width: u32, signedness: circuits::Signedness) -> Vec<Lit> {
        let mut bits = self.word(terms, term);
        let fill = match signedness {
            circuits::Signedness::Signed => bits[bits.len() - 1],
            circuits::Signedness::Unsigned => Lit::FALSE,
        };
        bits.resize(width as usize, fill);
        bits
    }

    fn division(&mut self, terms: &Terms, a: Term, b: Term, signedness: circuits::Signedness) -> (u32, u32) {
        if let Some(&known) = self.quotients.get(&(a, b, signedness)) {
            return known;
        }
        let (dividend, divisor) = (self.word(terms, a), self.word(terms, b));
        let words = (dividend, divisor, signedness);
        let starts = match self.divided.get(&words) {
            Some(&known) => known,
            None => {
                let (quotient, remainder) = self.divide(&words.0, &words.1, signedness);
                let starts = (self.push(quotient), self.push(remainder));
                self.divided.insert(words, starts);
                starts
            }
        };
        self.quotients.insert((a, b, signedness), starts);
        starts
    }

    /// Where the element of an array at an index starts, the array's parts being done.
    fn read(&mut self, terms: &Terms, array: Term, index: Term) -> u32 {
        let width = terms.width(array) as usize;
        let element = |blaster: &Self, array: Term| {
            let start = blaster.reads[&(array, index)] as usize;
            blaster.pool[start..start + width].to_vec()
        };
        match terms.node(array) {
            Node::Store(below, at, value) => {
                let (left, right) = (self.word(terms, at), self.word(terms, index));
                let here = self.equal(&left, &right);
                let (yes, no) = (self.word(terms, value), element(self, below));
                let bits = self.choose(here, &yes, &no);
                self.push(bits)
            }
            Node::Ite(condition, yes, no) => {
                let condition = self.word(terms, condition)[0];
                let (yes, no) = (element(self, yes), element(self, no));
                let bits = self.choose(condition, &yes, &no);
                self.push(bits)
            }
            Node::ConstArray { element, .. } => self.start[element.index()],
            _ => match self.definitions.values.get(&array) {
                Some(&value) => self.reads[&(value, index)],
                None => self.read_variable(terms, array, index),
            },
        }
    }

    /// A select on a free array variable: a fresh element, equal to the others where the indices are (Ackermann).
    fn read_variable(&mut self, terms: &Terms, array: Term, index: Term) -> u32 {
        let width = terms.width(array);
        let bits = self.word(terms, index);
        let known = self.array_variables.entry(array).or_default();
        let constant = bits
            .iter()
            .all(|bit| bit.is_constant())
            .then(|| bits.iter().rev().fold(0, |value: u128, &bit| value << 1 | u128::from(bit == Lit::TRUE)));
        let mut others = known.symbolic.clone();
        if let Some(value) = constant {
            if let Some(&start) = known.constant.get(&value) {
                return start;
            }
        } else {
            others = known.all.clone();
        }
        let mut conditions = Vec::with_capacity(others.len());
        for other in others {
            let other_bits = self.word(terms, other.index);
            match self.equal(&bits, &other_bits) {
                Lit::TRUE => return other.element,
                Lit::FALSE => {}
                same => conditions.push((same, other.element)),
            }
        }
        let start = self.fresh_word(width);
        for (same, element) in conditions {
            for bit in 0..width {
                let (a, b) = (self.pool[(start + bit) as usize], self.pool[(element + bit) as usize]);
                self.solver.add_clause(&[!same, a, !b]);
                self.solver.add_clause(&[!same, !a, b]);
            }
        }
        let read = Read { index, element: start };
        let known = self.array_variables.entry(array).or_default();
        known.all.push(read);
        match constant {
            Some(value) => {
                known.constant.insert(value, start);
            }
            None => known.symbolic.push(read),
        }
        start
    }
}
