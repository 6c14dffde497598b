//! A path of the abstract program, and whether the real program can take it.

use std::collections::{BTreeSet, HashMap};

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Term;

use super::abstraction::{Abstraction, Point, Truth};
use crate::equation::{Equation, StepKind};
use crate::method::encode;
use nearmiss_logic::stop::Stop;

/// Which way each branch goes, and where it ends.
#[derive(Clone, Debug)]
pub struct Path {
    /// By the symbol of the guard.
    pub taken: HashMap<Term, bool>,
    /// The step of the claim that is violated; none if the path comes to its end.
    pub fails: Option<usize>,
}

/// What a path consists of, one by one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// A branch goes as it does.
    Branch(usize),
    /// An assumption or claim holds, or does not.
    Held(usize),
    /// Something that a passing run keeps, by number.
    Kept(usize),
    /// A predicate holds, or does not: index of the truth.
    Truth(usize),
}

impl Path {
    /// The path of a model of the abstract program.
    pub fn of(equation: &Equation, abstraction: &mut Abstraction, model: &Model, fails: Option<usize>) -> Path {
        let mut taken = HashMap::new();
        for step in &equation.steps {
            if let StepKind::Guard { variable, .. } = step.kind {
                let symbol = equation.symbol(variable);
                taken.insert(symbol, model.value(abstraction.blaster.literal(&equation.terms, symbol)));
            }
        }
        Path { taken, fails }
    }

    /// What it consists of, for asking the real program: what is on it and can go another way. `given` are the values of
    /// truths that are part of it; `kept` is part of it if it comes to its end.
    pub fn parts(
        &self,
        equation: &mut Equation,
        truths: &[Truth],
        given: &[(usize, bool)],
        kept: &[(usize, Term)],
    ) -> Vec<(Part, Term, bool)> {
        let constants = self.constants(equation);
        let mut parts = Vec::new();
        for index in 0..self.last_step(equation) {
            let guard = equation.steps[index].guard;
            let reached = equation.terms.substitute(guard, &constants);
            if equation.terms.is_false(reached) {
                continue;
            }
            match equation.steps[index].kind {
                StepKind::Guard { variable, .. } => {
                    let symbol = equation.symbol(variable);
                    parts.push((Part::Branch(index), symbol, self.taken[&symbol]));
                }
                StepKind::Assume { condition } | StepKind::Claim { condition, .. } => {
                    let held = equation.terms.implies(guard, condition);
                    parts.push((Part::Held(index), held, self.fails != Some(index)));
                }
                _ => {}
            }
        }
        if self.fails.is_none() {
            parts.extend(kept.iter().enumerate().map(|(number, (_, term))| (Part::Kept(number), *term, true)));
        }
        parts.extend(given.iter().map(|(truth, value)| (Part::Truth(*truth), truths[*truth].term, *value)));
        parts
    }

    /// Those of some truths that are tracked on it.
    pub fn tracked(&self, equation: &mut Equation, points: &[Point], values: &[bool]) -> Vec<(usize, bool)> {
        let route = moments(equation, points, self).into_iter();
        let on_path: BTreeSet<usize> = route.flat_map(|point| points[point].tracked.iter().copied()).collect();
        on_path.into_iter().filter_map(|truth| Some((truth, *values.get(truth)?))).collect()
    }

    /// One past the last step that can be on it.
    pub fn last_step(&self, equation: &Equation) -> usize {
        self.fails.map_or(equation.steps.len(), |claim| claim + 1)
    }

    /// Control as constants.
    pub fn constants(&self, equation: &mut Equation) -> HashMap<Term, Term> {
        let taken = self.taken.iter();
        taken.map(|(symbol, taken)| (*symbol, equation.terms.bool(*taken))).collect()
    }
}

/// The real program, for asking what it can do.
pub struct Reality {
    blaster: Blaster,
}

/// What the real program says to a path.
pub enum Verdict<P = Part> {
    /// Some run takes it.
    Possible,
    /// None does: these parts of it contradict each other.
    Impossible(Vec<P>),
    /// There was no time to find out.
    Unknown,
}

impl Reality {
    /// All executions of an equation.
    pub fn new(equation: &Equation, stop: &Stop) -> Reality {
        let mut blaster = encode::for_many_questions(stop);
        encode::define(&mut blaster, equation);
        Reality { blaster }
    }

    /// Can all this be at once?
    pub fn judge<P: Copy>(&mut self, equation: &mut Equation, parts: &[(P, Term, bool)]) -> Verdict<P> {
        let literals: Vec<Lit> = parts
            .iter()
            .map(|(_, term, value)| self.blaster.literal(&equation.terms, *term).negate_if(!*value))
            .collect();
        match self.blaster.solver.solve(&literals) {
            Outcome::Sat => return Verdict::Possible,
            Outcome::Interrupted => return Verdict::Unknown,
            Outcome::Unsat => {}
        }
        let core = contradiction(&mut self.blaster, &literals);
        Verdict::Impossible(core.into_iter().map(|at| parts[at].0).collect())
    }
}

/// After a contradiction between some literals was found: few of them that contradict each other. Those that come first
/// are tried first, so that what is left is near the end.
fn contradiction(blaster: &mut Blaster, literals: &[Lit]) -> Vec<usize> {
    let core = blaster.solver.core();
    let mut kept: Vec<usize> = (0..literals.len()).filter(|at| core.contains(&literals[*at])).collect();
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        let assumed: Vec<Lit> = fewer.iter().map(|part| literals[*part]).collect();
        match blaster.solver.solve(&assumed) {
            Outcome::Unsat => {
                let core = blaster.solver.core();
                kept = fewer.into_iter().filter(|part| core.contains(&literals[*part])).collect();
            }
            _ => at += 1,
        }
    }
    kept
}

/// Why no run takes a path, where control is what the path says it is: the parts of it that contradict each other when
/// every value that meets others at a join is the one of this path. Nothing if there was no time.
pub fn reasons(equation: &mut Equation, path: &Path, parts: &[(Part, Term, bool)], stop: &Stop) -> Vec<Part> {
    let constants = path.constants(equation);
    let mut blaster = encode::for_many_questions(stop);
    for index in 0..equation.variables.len() {
        let (symbol, definition) = (equation.variables[index].symbol, equation.variables[index].definition);
        if let (Some(definition), false) = (definition, constants.contains_key(&symbol)) {
            let resolved = equation.terms.substitute(definition, &constants);
            blaster.define(&equation.terms, symbol, resolved);
        }
    }
    let mut literals = Vec::with_capacity(parts.len());
    for (part, term, value) in parts {
        let term = match part {
            Part::Branch(step) => match equation.steps[*step].kind {
                StepKind::Guard { condition, .. } => condition,
                _ => *term,
            },
            _ => *term,
        };
        let term = equation.terms.substitute(term, &constants);
        literals.push(blaster.literal(&equation.terms, term).negate_if(!*value));
    }
    match blaster.solver.solve(&literals) {
        Outcome::Unsat => contradiction(&mut blaster, &literals).into_iter().map(|at| parts[at].0).collect(),
        _ => Vec::new(),
    }
}

/// The moments that a path comes by, in order.
pub fn moments(equation: &mut Equation, points: &[Point], path: &Path) -> Vec<usize> {
    let constants = path.constants(equation);
    let end = path.last_step(equation);
    let mut found = Vec::new();
    for (index, point) in points.iter().enumerate().take_while(|(_, point)| point.step < end) {
        let guard = equation.terms.substitute(point.guard, &constants);
        if !equation.terms.is_false(guard) {
            found.push(index);
        }
    }
    found
}
