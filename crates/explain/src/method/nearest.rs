//! The passing run that is nearest to the failing one (Groce, Chaki, Kroening, Strichman, "Error explanation with
//! distance metrics", sections 3 and 4).
//!
//! Every variable that counts has a price of 1 if it differs from the failing run, and the optimiser looks for the
//! cheapest execution that violates nothing. There are often several; which one is taken does not depend on the
//! solver: fewest changed inputs, then fewest changed variables that are executed in either run, then the fewest characters on standard input
//! that are hard to read, then the smallest total change of inputs, then input by input towards zero. Where it takes long to choose, the best
//! so far is taken; the distance is never left open for that. The minimum is proved again by a fresh solver, beside what follows.
//!
//! Cost: one comparison per variable on top of the equation, and as many questions as the optimiser needs.

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::optimise::{self, Claimed, Hints, Objective, Proof};
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use super::afford::Purse;
use super::align::joint::{self, Extent};
use super::align::sequence::Sequence;
use super::delta;
use super::encode;
use crate::beside::{Later, Threads};
use crate::compared::Counted;
use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::DeltaKind;
use nearmiss_logic::stop::{Stop, Wanted};
use nearmiss_program::c::console::STDIN;
use nearmiss_program::program::{Program, Type, TypeId};
use nearmiss_program::run::Inputs;

/// Conflicts that are reasonable for a question.
pub const MOST_CONFLICTS: u64 = 400_000;
/// An instance with more clauses than this is large, and gets fewer: one of twice as many a ninth, one of ten times as many a hundredth.
const LARGE: u64 = 50_000;
/// Conflicts that are reasonable to choose between runs that are equally near, for each thing that they are chosen by.
const MOST_CONFLICTS_TO_CHOOSE: u64 = 3_000;
/// So many nearest runs are listed at most.
pub const MOST_LISTED: usize = 100;

/// What to look for.
pub struct Question<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its executions.
    pub equation: &'a mut Equation,
    /// The failing one.
    pub failing: &'a Execution,
    /// The variables in which runs are compared.
    pub counted: &'a [Counted],
    /// Where a distance is the price of an alignment: the steps. Otherwise it is the number of variables that differ.
    pub aligned: Option<&'a Sequence>,
    /// What a passing run must satisfy besides violating nothing.
    pub kept: Vec<Term>,
    /// Conflicts before the best so far is taken, whatever the machine; fewer for large instances.
    pub conflicts: u64,
    /// With which threads the minimum is to be proved again, if it is.
    pub proof: Option<Threads>,
    /// When to stop.
    pub stop: &'a Stop,
}

/// A passing run.
pub struct NearestRun {
    /// What to feed to the program.
    pub inputs: Inputs,
    /// What the equation then does.
    pub execution: Execution,
    /// How far it is from the failing run.
    pub distance: u64,
    /// None is nearer than this.
    pub lower_bound: u64,
    /// Whether the two are the same; if it was wanted, and is [settled](NearestRun::settle), by a fresh solver's proof too.
    pub proved: bool,
    /// Whether that was proved at least of the runs that were looked for.
    proved_among_sought: bool,
    /// The second proof, while other work goes on: it stops where this run is not wanted any more.
    second: Option<(Later<Proof>, Wanted)>,
    /// By how much less was spent because the instance is large.
    pub thrift: u64,
    /// Whether every difference had a price: where they are too many to be translated, nothing more is asked of all of them.
    pub all_priced: bool,
}

/// What came of the search.
pub enum Answer {
    /// A run.
    Found(Box<NearestRun>),
    /// There is none: proved.
    None,
    /// Time was over before there was one.
    Unknown,
}

impl NearestRun {
    /// A passing run that was found by execution: of others nothing is known.
    pub fn executed(equation: &mut Equation, failing: &Execution, counted: &[Counted], inputs: Inputs) -> NearestRun {
        let differs = delta::difference_terms(equation, counted, failing);
        let execution = Execution::of(equation, &inputs);
        let mut evaluator = execution.evaluator(equation);
        let priced = differs.iter().zip(counted).filter(|(_, counted)| counted.is_priced);
        let distance = priced.filter(|(differs, _)| evaluator.holds(**differs)).count() as u64;
        drop(evaluator);
        NearestRun {
            inputs,
            execution,
            distance,
            lower_bound: 0,
            proved: false,
            proved_among_sought: false,
            second: None,
            thrift: u64::MAX,
            all_priced: false,
        }
    }

    /// Waits for the second proof.
    pub fn settle(&mut self) -> Result<(), String> {
        let Some((second, wanted)) = self.second.take() else { return Ok(()) };
        let proof = second.wait();
        drop(wanted);
        let is_proved = match proof {
            Proof::Refuted(_) => {
                return Err("a second proof found a nearer passing run than the nearest".to_owned());
            }
            proof => proof == Proof::Proved,
        };
        self.proved &= is_proved;
        self.proved_among_sought &= is_proved;
        Ok(())
    }
}

/// The search for the nearest run, ready for questions.
pub struct Search<'a> {
    question: Question<'a>,
    blaster: Blaster,
    /// For each variable that counts: it differs. False where that has no price.
    differs: Vec<Term>,
    /// Differences that have none, as they are too much to translate.
    unpriced: Vec<Term>,
    distance: Objective,
    /// Runs that are not looked for are at least this far away; none if all are.
    left_out: Option<u64>,
}

/// The nearest passing run. That it is the nearest may still be being proved again.
pub fn nearest(question: Question<'_>) -> Result<Answer, String> {
    let mut search = Search::new(question);
    let mut first = search.nearest(&mut |_, _| {});
    if let Answer::Found(found) = &mut first
        && search.left_out.is_some()
    {
        found.settle()?;
        // A run that was not looked for may be nearer.
        if found.proved_among_sought && !found.proved {
            let mut wider = Search::within(search.question, Some(found.distance));
            match wider.nearest(&mut |_, _| {}) {
                Answer::Found(again) if again.distance <= found.distance => return Ok(Answer::Found(again)),
                Answer::Found(_) | Answer::Unknown | Answer::None => {}
            }
        }
    }
    Ok(first)
}

impl<'a> Search<'a> {
    /// Translates the equation and the differences.
    pub fn new(question: Question<'a>) -> Search<'a> {
        Search::within(question, None)
    }

    /// The same for runs that are no farther away than this, where all would be too many.
    fn within(question: Question<'a>, room: Option<u64>) -> Search<'a> {
        let mut blaster = encode::for_a_minimum(question.equation, question.stop);
        // Once the inputs are as in the failing run, most of the rest is.
        blaster.solver.guess_early_variables_first();
        encode::define(&mut blaster, question.equation);
        let held = question.equation.held().into_iter().map(|(_, held)| held);
        let needed: Vec<Term> = held.chain(question.kept.iter().copied()).collect();
        for needed in &needed {
            blaster.assert(&question.equation.terms, *needed);
        }
        let mut differs = delta::difference_terms(question.equation, question.counted, question.failing);
        let mut unpriced = Vec::new();
        let (prices, left_out) = match question.aligned {
            None => {
                let mut purse = Purse::beside(question.equation, &needed);
                for (differs, counted) in differs.iter_mut().zip(question.counted) {
                    if !purse.affords(question.equation, *differs) {
                        let left_out = std::mem::replace(differs, question.equation.terms.fals());
                        unpriced.extend(counted.is_priced.then_some(left_out));
                    }
                }
                let terms = &question.equation.terms;
                let priced = differs.iter().zip(question.counted).filter(|(_, counted)| counted.is_priced);
                let prices = priced.map(|(term, _)| (blaster.literal(terms, *term), 1));
                (prices.filter(|(differs, _)| *differs != Lit::FALSE).collect(), None)
            }
            Some(sequence) => {
                let happens: Vec<Term> = sequence.possible.iter().map(|possible| possible.happens).collect();
                let joint = joint::encode(&mut blaster, question.equation, sequence, &happens, Extent::Whole, room);
                joint.alike.iter().for_each(|alike| blaster.solver.set_phase(*alike));
                (joint.prices, joint.left_out)
            }
        };
        let distance = Objective::Weighted(prices);
        let mut search = Search { question, blaster, differs, unpriced, distance, left_out };
        search.prefer_no_change();
        search
    }

    /// Where the solver is free, inputs are as in the failing run.
    fn prefer_no_change(&mut self) {
        for lit in self.unchanged() {
            self.blaster.solver.set_phase(lit);
        }
    }

    /// The bits of inputs as they are in the failing run.
    fn unchanged(&mut self) -> Vec<Lit> {
        let mut literals = Vec::new();
        let equation = &self.question.equation;
        for (variable, value) in equation.variables.iter().zip(&self.question.failing.values) {
            if variable.definition.is_none() {
                let bits = self.blaster.bits(&equation.terms, variable.symbol).into_iter().enumerate();
                let bits = bits.filter(|(_, bit)| !bit.is_constant());
                literals.extend(bits.map(|(i, bit)| bit.negate_if(value >> i & 1 == 0)));
            }
        }
        literals
    }

    fn limits(&self) -> optimise::Limits {
        let conflicts = Some(self.question.conflicts / self.thrift());
        optimise::Limits { conflicts, each_later: Some(MOST_CONFLICTS_TO_CHOOSE), stop: self.question.stop.clone() }
    }

    /// 1 for a small instance, the square of how large it is for a large one.
    fn thrift(&self) -> u64 {
        let largeness = self.blaster.solver.stats().clauses / LARGE + 1;
        largeness * largeness
    }

    /// The nearest passing run; `progress` hears of the bounds.
    pub fn nearest(&mut self, progress: &mut dyn FnMut(u128, u128)) -> Answer {
        let (inputs, executed, unreadable) = (self.changed_inputs(), self.changed_executed(), self.unreadable());
        let objectives = [self.distance.clone(), inputs, executed, unreadable, self.total_change()];
        let limits = self.limits();
        let found = optimise::minimise_in_order(
            &mut self.blaster.solver,
            &[],
            &objectives,
            None,
            &limits,
            &mut |objective, lower, upper| {
                if objective == 0 {
                    progress(lower, upper);
                }
            },
        );
        let Some(first) = found.optima.first() else { return Answer::Unknown };
        if first.outcome == Outcome::Unsat {
            return Answer::None;
        }
        let Some(mut model) = found.optima.iter().rev().find_map(|optimum| optimum.model.clone()) else {
            return Answer::Unknown;
        };
        let least = self.distance.cost(|lit| model.value(lit));
        let (second, proved) = match self.question.proof {
            Some(threads) if first.proved => {
                let (stop, wanted) = limits.stop.while_wanted();
                let limits = optimise::Limits { stop, ..limits.clone() };
                let claimed = Claimed::minima(&self.blaster.solver, &[], &[(&self.distance, least)], &limits);
                let second = claimed.map(|claimed| (Later::begin(threads, move || claimed.prove()), wanted));
                let proved = second.is_some();
                (second, proved)
            }
            _ => (None, first.proved),
        };
        if found.optima.len() == objectives.len() && found.optima.iter().all(|optimum| optimum.proved) {
            model = self.first_of_equals(model, &found.kept, &limits);
        }
        let distance = self.distance.cost(|lit| model.value(lit));
        let lower_bound = if first.proved { distance } else { first.lower.min(distance) };
        let found = self.found(&model, distance as u64, lower_bound as u64, proved);
        Answer::Found(Box::new(NearestRun { second, ..found }))
    }

    /// The run of a model. Its distance may be less than what the model pays if the minimum was not reached, or if not
    /// all alignments were looked at.
    fn found(&self, model: &Model, paid: u64, lower_bound: u64, proved: bool) -> NearestRun {
        let equation = &*self.question.equation;
        let assignment = self.blaster.assignment_of(&equation.terms, model);
        let execution = Execution::of_assignment(equation, &assignment);
        let inputs = equation.inputs(&mut execution.evaluator(equation));
        let mut evaluator = execution.evaluator(equation);
        let unpriced = self.unpriced.iter().filter(|differs| evaluator.holds(**differs)).count() as u64;
        let aligned = self.question.aligned.map(|sequence| sequence.align(equation, &execution).1.cost);
        let distance = aligned.unwrap_or(paid + unpriced);
        let lower_bound = lower_bound.min(self.left_out.unwrap_or(u64::MAX)).min(distance);
        let exact = proved && lower_bound == distance;
        let (thrift, all_priced) = (self.thrift(), self.unpriced.is_empty());
        let (proved, proved_among_sought) = (exact, proved);
        NearestRun {
            inputs,
            execution,
            distance,
            lower_bound,
            proved,
            proved_among_sought,
            second: None,
            thrift,
            all_priced,
        }
    }

    /// A run for every set of executed variables in which a nearest run can differ, or of prices that its alignment pays,
    /// and whether these are all.
    pub fn all(&mut self, distance: u64) -> (Vec<NearestRun>, bool) {
        let executed = match (&self.distance, self.question.aligned) {
            (Objective::Weighted(prices), Some(_)) => prices.iter().map(|(lit, _)| *lit).collect(),
            _ => self.executed_differences(),
        };
        let limits = self.limits();
        let cost = u128::from(distance);
        let solver = &mut self.blaster.solver;
        let all = optimise::all_optima(solver, &[], &self.distance, cost, &executed, MOST_LISTED, &limits);
        let mut runs = Vec::new();
        let mut complete = all.complete;
        // Ascending by values; the one whose variables come first has the largest.
        for projection in all.projections.into_iter().rev() {
            let fixed = executed.iter().zip(projection).map(|(lit, value)| lit.negate_if(!value));
            let fixed: Vec<Lit> = fixed.filter(|lit| !lit.is_constant()).collect();
            let solver = &mut self.blaster.solver;
            let order = std::slice::from_ref(&self.distance);
            let found = optimise::minimise_in_order(solver, &fixed, order, None, &limits, &mut |_, _, _| {});
            match found.optima.into_iter().find_map(|optimum| optimum.model) {
                Some(model) => runs.push(self.found(&model, distance, distance, true)),
                None => complete = false,
            }
        }
        (runs, complete)
    }

    /// The problem as a weighted MaxSAT instance, with the failing run as what to prefer. For comparing solvers.
    pub fn wcnf(&mut self) -> Option<String> {
        let hints = Hints { preferred: self.unchanged(), ..Hints::default() };
        optimise::to_wcnf(&self.blaster.solver, &[], &self.distance, &hints)
    }

    fn changed_inputs(&mut self) -> Objective {
        let inputs = self.inputs();
        let differs = delta::difference_terms(self.question.equation, &inputs, self.question.failing);
        let terms = &self.question.equation.terms;
        Objective::Weighted(differs.iter().map(|differs| (self.blaster.literal(terms, *differs), 1)).collect())
    }

    /// The inputs in which runs are compared; where they are compared in something else, all inputs.
    fn inputs(&self) -> Vec<Counted> {
        let is_input = |counted: &&Counted| counted.kind == DeltaKind::Input;
        let compared: Vec<Counted> = self.question.counted.iter().filter(is_input).copied().collect();
        if !compared.is_empty() {
            return compared;
        }
        let equation = &*self.question.equation;
        let steps = equation.steps.iter().enumerate();
        let inputs = steps.filter_map(|(step, described)| match described.kind {
            StepKind::Call { variable, .. } | StepKind::Content { variable, .. } => {
                let (kind, taken, alone) = (DeltaKind::Input, equation.taken(described), Some(described.guard));
                Some(Counted { variable, step, kind, taken, unchanged: None, alone, looked_at: None, is_priced: true })
            }
            _ => None,
        });
        inputs.collect()
    }

    fn changed_executed(&mut self) -> Objective {
        // An alignment of predicates pays for what is executed and for nothing else.
        if self.question.aligned.is_some() && !self.question.counted.iter().any(|c| c.kind == DeltaKind::Input) {
            return Objective::Weighted(Vec::new());
        }
        Objective::Weighted(self.executed_differences().into_iter().map(|lit| (lit, 1)).collect())
    }

    /// For each variable that counts: it differs, and it is executed in one of the runs.
    fn executed_differences(&mut self) -> Vec<Lit> {
        let mut literals = Vec::with_capacity(self.differs.len());
        for (counted, differs) in self.question.counted.iter().zip(&self.differs) {
            let equation = &mut self.question.equation;
            let executed = match self.question.failing.executed[counted.step] {
                true => *differs,
                false => equation.terms.and(*differs, equation.steps[counted.step].guard),
            };
            literals.push(self.blaster.literal(&equation.terms, executed));
        }
        literals
    }

    /// The characters on standard input that are no digits, letters, spaces or line ends.
    fn unreadable(&mut self) -> Objective {
        let mut prices = Vec::new();
        for counted in self.inputs() {
            let equation = &mut self.question.equation;
            let StepKind::Call { site, .. } = equation.steps[counted.step].kind else { continue };
            if self.question.program.sites[site.index()].name != STDIN {
                continue;
            }
            let symbol = equation.symbol(counted.variable);
            let width = equation.terms.width(symbol);
            let mut within = Vec::new();
            for (low, high) in [(b'0', b'9'), (b'A', b'Z'), (b'a', b'z'), (b' ', b' '), (b'\n', b'\n'), (0, 0)] {
                let low = equation.terms.constant(width, u128::from(low));
                let high = equation.terms.constant(width, u128::from(high));
                let (above, below) = (equation.terms.ule(low, symbol), equation.terms.ule(symbol, high));
                within.push(equation.terms.and(above, below));
            }
            let is_readable = equation.terms.or_all(&within);
            let is_readable = self.blaster.literal(&equation.terms, is_readable);
            prices.push((!is_readable, 1));
        }
        Objective::Weighted(prices)
    }

    /// By how much inputs of integer type change in all.
    fn total_change(&mut self) -> Objective {
        let mut changes = Vec::new();
        for counted in self.inputs() {
            let equation = &mut self.question.equation;
            let variable = &equation.variables[counted.variable.0 as usize];
            let (symbol, width) = (variable.symbol, equation.terms.width(variable.symbol));
            let signed = match self.question.program.ty(variable.ty) {
                Type::Integer { signed, .. } | Type::Enum { signed, .. } => *signed,
                Type::Bool => false,
                _ => continue,
            };
            let old = equation.terms.constant(width, self.question.failing.value(counted.variable));
            let less = if signed { equation.terms.slt(symbol, old) } else { equation.terms.ult(symbol, old) };
            let (down, up) = (equation.terms.sub(old, symbol), equation.terms.sub(symbol, old));
            let change = equation.terms.ite(less, down, up);
            changes.push(self.blaster.bits(&equation.terms, change));
        }
        Objective::Sum(changes)
    }

    /// Among runs that are equal by every objective: the one whose inputs are, in order, nearest to zero, and of two
    /// that are equally near the smaller.
    fn first_of_equals(&mut self, model: Model, kept: &[Lit], limits: &optimise::Limits) -> Model {
        if !self.is_ambiguous(&model, kept) {
            return model;
        }
        let mut objectives = Vec::new();
        for (symbol, ty) in self.free() {
            let equation = &mut self.question.equation;
            let width = equation.terms.width(symbol);
            if !self.question.program.is_signed(ty) {
                objectives.push(Objective::Sum(vec![self.blaster.bits(&equation.terms, symbol)]));
                continue;
            }
            let negative = equation.terms.extract(symbol, width - 1, width - 1);
            let opposite = equation.terms.neg(symbol);
            let magnitude = equation.terms.ite(negative, opposite, symbol);
            objectives.push(Objective::Sum(vec![self.blaster.bits(&equation.terms, magnitude)]));
            let positive = !self.blaster.literal(&equation.terms, negative);
            objectives.push(Objective::Weighted(vec![(positive, 1)]));
        }
        let warm = |lit: Lit| model.value(lit);
        let solver = &mut self.blaster.solver;
        let conflicts = limits.conflicts.into_iter().chain(limits.each_later).min();
        let limits = &optimise::Limits { conflicts, ..limits.clone() };
        let found = optimise::minimise_in_order(solver, kept, &objectives, Some(&warm), limits, &mut |_, _, _| {});
        found.optima.into_iter().rev().find_map(|optimum| optimum.model).unwrap_or(model)
    }

    /// All inputs, those after the claim included.
    fn free(&self) -> Vec<(Term, TypeId)> {
        let variables = self.question.equation.variables.iter().filter(|variable| variable.definition.is_none());
        variables.map(|variable| (variable.symbol, variable.ty)).collect()
    }

    /// Is there another run, as good by every objective, with other inputs?
    fn is_ambiguous(&mut self, model: &Model, kept: &[Lit]) -> bool {
        let selector = self.blaster.solver.new_var();
        let mut other = vec![!selector];
        for (symbol, _) in self.free() {
            let bits = self.blaster.bits(&self.question.equation.terms, symbol);
            other.extend(bits.into_iter().filter(|bit| !bit.is_constant()).map(|bit| bit.negate_if(model.value(bit))));
        }
        let assumptions: Vec<Lit> = kept.iter().copied().chain([selector]).collect();
        self.blaster.solver.without_record(|solver| {
            solver.add_clause(&other);
            let outcome = solver.solve(&assumptions);
            solver.add_clause(&[!selector]);
            outcome == Outcome::Sat
        })
    }
}
