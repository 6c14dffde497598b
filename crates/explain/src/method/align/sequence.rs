//! An equation as the steps that an alignment sees, and its executions as sequences of them.
//!
//! What a person sees as a step takes part: assignments, inputs by call, branches, returns, actions, and written claims; not
//! joins, not undefined contents, not automatic claims (but for the violated one). What is compared at a step is the
//! caller's business: [`values`] for one, truths of predicates for another.
//!
//! Runs are compared up to the failure. The failing run ends there, so what a passing run does after the same claim is
//! not paid for; nor, where it passes that claim by, what it does once it comes to a step that the failing run would
//! have come to as well, had it gone on. (Where no run gets beyond the claim, as after `assert(0)`, nothing after it.)

use std::collections::HashMap;
use std::sync::Arc;

use nearmiss_logic::term::Term;

use super::{Action, Alignment, Taken};
use crate::compared::{self, MOST_ASKED};
use crate::equation::{ClaimRef, Equation, Share, Step, StepKind};
use crate::execution::Execution;
use crate::explanation::{DeltaKind, Weights};
use crate::symex;
use nearmiss_program::program::temporal::Comparison;
use nearmiss_program::program::{ClaimId, FunctionId, Origin, Program, TypeId};
use nearmiss_program::source::Span;

/// Something that is compared at a step.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its value.
    pub term: Term,
    /// Whether it can be told at the step. A predicate over what not every run has set there cannot, and counts as false.
    pub is_told: bool,
    /// What kind of difference another value is.
    pub kind: DeltaKind,
    /// What a person calls it.
    pub what: Arc<str>,
    /// Type of its values.
    pub ty: TypeId,
}

/// A step of the equation that a run may take.
#[derive(Clone, Debug)]
pub struct Possible {
    /// Index into the steps of the equation.
    pub step: usize,
    /// Steps at the same location have the same number.
    pub location: usize,
    /// A run takes it, and it is compared.
    pub happens: Term,
    /// What is compared.
    pub components: Vec<Component>,
    /// Where a function returns that a formula speaks of: what is asked of its value.
    pub asked: Vec<Term>,
}

/// The failing run, and the steps that others may take.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// In order of execution.
    pub possible: Vec<Possible>,
    /// The failing run; the last step is the violated claim.
    pub failing: Vec<Taken>,
    /// The same as places among the possible steps.
    pub failing_places: Vec<usize>,
    /// What differences cost.
    pub weights: Weights,
}

/// What kinds of steps there are; two of different kinds are never at the same location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    Input,
    Assign,
    Branch,
    Return,
    Claim,
    Act,
}

/// What to compare.
pub struct Wanted<'a> {
    /// The step of the violated claim.
    pub claim: usize,
    /// Which claims are of account, besides the violated one.
    pub claims: &'a dyn Fn(ClaimId) -> bool,
    /// What is compared at a step.
    pub components: &'a mut dyn FnMut(&mut Equation, usize) -> Vec<Component>,
    /// Whether what a formula asks of returned values is an action; values say it themselves.
    pub returns: bool,
    /// What differences cost; none: as many components as there are at some location make the price.
    pub weights: Option<Weights>,
}

impl Sequence {
    /// Everything up to the failure of an execution.
    pub fn of(program: &Program, equation: &mut Equation, failing: &Execution, wanted: Wanted<'_>) -> Sequence {
        let claim = wanted.claim;
        let violated = match equation.steps[claim].kind {
            StepKind::Claim { claim: ClaimRef::Program(id), .. } => Some(id),
            _ => None,
        };
        let of_account = |id: ClaimId| violated == Some(id) || (wanted.claims)(id);
        let mut locations: HashMap<(FunctionId, Span, Kind, Option<TypeId>, Share), usize> = HashMap::new();
        let mut possible = Vec::new();
        // Where it is a part of a claim that fails, a run goes on to the last.
        let end = last_part(equation, claim);
        let mut over = match equation.steps[end].kind {
            StepKind::Claim { condition, .. } if equation.terms.is_false(condition) => equation.terms.tru(),
            _ => equation.steps[end].guard,
        };
        let would_take: Vec<bool> = {
            let mut evaluator = failing.evaluator(equation);
            equation.steps[end..].iter().map(|step| evaluator.holds(step.guard)).collect()
        };
        for index in 0..equation.steps.len() {
            let step = &equation.steps[index];
            let Some((kind, ty)) = kind(program, &step.kind, &of_account) else { continue };
            let share = match step.kind {
                StepKind::Assign { share, .. } => share,
                _ => Share::Whole,
            };
            let (key, guard) = ((step.function, step.span, kind, ty, share), step.guard);
            let mut happens = match step.kind {
                // Of a claim in parts a run tells once that it holds.
                StepKind::Claim { condition, part: true, .. } => {
                    let violated = equation.terms.not(condition);
                    equation.terms.and(guard, violated)
                }
                _ => guard,
            };
            if index > end {
                if would_take[index - end] {
                    over = equation.terms.or(over, guard);
                    continue;
                }
                let open = equation.terms.not(over);
                happens = equation.terms.and(happens, open);
            }
            if equation.terms.is_false(happens) {
                continue;
            }
            let fresh = locations.len();
            let location = *locations.entry(key).or_insert(fresh);
            let components = (wanted.components)(equation, index);
            let asked = if wanted.returns { asked(program, equation, index) } else { Vec::new() };
            possible.push(Possible { step: index, location, happens, components, asked });
        }
        let most = possible.iter().map(|possible| possible.components.len()).max().unwrap_or(0);
        let weights = wanted.weights.unwrap_or_else(|| Weights::for_components(most));
        let takes = |place: &usize| {
            let Possible { step, happens, .. } = possible[*place];
            step <= claim && failing.executed[step] && failing.meets(equation, happens)
        };
        let failing_places: Vec<usize> = (0..possible.len()).filter(takes).collect();
        let mut sequence = Sequence { possible, failing: Vec::new(), failing_places, weights };
        sequence.failing = sequence.taken(equation, failing, &sequence.failing_places);
        sequence
    }

    /// The steps that a passing execution takes, as places among the possible ones.
    pub fn places(&self, equation: &Equation, passing: &Execution) -> Vec<usize> {
        let mut evaluator = passing.evaluator(equation);
        (0..self.possible.len()).filter(|place| evaluator.holds(self.possible[*place].happens)).collect()
    }

    /// Of the steps at these places: which of the things that are compared there can be told.
    pub fn told(&self, places: &[usize]) -> Vec<Vec<bool>> {
        let told = |place: &usize| self.possible[*place].components.iter().map(|component| component.is_told).collect();
        places.iter().map(told).collect()
    }

    /// A passing execution, as places among the possible steps, aligned with the failing one.
    pub fn align(&self, equation: &Equation, passing: &Execution) -> (Vec<usize>, Alignment) {
        let places = self.places(equation, passing);
        let taken = self.taken(equation, passing, &places);
        let alignment = super::align(&self.failing, &taken, &self.weights);
        (places, alignment)
    }

    /// The steps at these places as an execution takes them.
    pub fn taken(&self, equation: &Equation, execution: &Execution, places: &[usize]) -> Vec<Taken> {
        let mut evaluator = execution.evaluator(equation);
        let mut taken = Vec::with_capacity(places.len());
        for place in places {
            let Possible { step, location, components, asked, .. } = &self.possible[*place];
            let action = match equation.steps[*step].kind {
                StepKind::Claim { condition, .. } if !evaluator.holds(condition) => Action::AssertionFailure,
                _ if asked.is_empty() => Action::None,
                _ => {
                    let bits = asked.iter().enumerate().map(|(at, term)| u64::from(evaluator.holds(*term)) << at);
                    Action::Returns(bits.sum())
                }
            };
            let components = components.iter().map(|component| evaluator.value(component.term)).collect();
            taken.push(Taken { location: *location, action, components });
        }
        taken
    }
}

/// The step at which the claim of a step is decided if it holds: that of its last part.
fn last_part(equation: &Equation, claim: usize) -> usize {
    let StepKind::Claim { claim: ClaimRef::Program(id), part: true, .. } = equation.steps[claim].kind else {
        return claim;
    };
    let is_last = |step: &Step| match step.kind {
        StepKind::Claim { claim: ClaimRef::Program(other), part, .. } => other == id && !part,
        StepKind::Held { claim: other } => other == id,
        _ => false,
    };
    (claim + 1..equation.steps.len()).find(|at| is_last(&equation.steps[*at])).unwrap_or(claim)
}

/// What a formula asks of the value that a step returns.
fn asked(program: &Program, equation: &mut Equation, step: usize) -> Vec<Term> {
    let (StepKind::Return { value, ty, .. }, function) = (&equation.steps[step].kind, equation.steps[step].function)
    else {
        return Vec::new();
    };
    let (value, is_signed) = (*value, program.is_signed(*ty));
    let asked = compared::asked(program, function).into_iter().take(MOST_ASKED);
    asked.map(|(how, number)| symex::compares(&mut equation.terms, how, is_signed, value, number)).collect()
}

/// A return as an action, in words: `return != -1`.
pub fn returned_text(program: &Program, function: FunctionId, answers: u64) -> String {
    let asked = compared::asked(program, function).into_iter().take(MOST_ASKED).enumerate();
    let text = |(at, (how, number)): (usize, (Comparison, i128))| {
        let how = if answers >> at & 1 == 1 { how } else { opposite(how) };
        let sign = match how {
            Comparison::Equal => "==",
            Comparison::Unequal => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        };
        format!("return {sign} {number}")
    };
    asked.map(text).collect::<Vec<_>>().join(" and ")
}

fn opposite(how: Comparison) -> Comparison {
    match how {
        Comparison::Equal => Comparison::Unequal,
        Comparison::Unequal => Comparison::Equal,
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtLeast => Comparison::Less,
        Comparison::Greater => Comparison::AtMost,
        Comparison::AtMost => Comparison::Greater,
    }
}

/// What a step is to an alignment, with the type of what it sets; none if it does not take part.
fn kind(program: &Program, kind: &StepKind, of_account: &dyn Fn(ClaimId) -> bool) -> Option<(Kind, Option<TypeId>)> {
    match kind {
        StepKind::Call { site, .. } => {
            let site = &program.sites[site.index()];
            site.kind.is_read().then_some((Kind::Input, Some(site.ty)))
        }
        StepKind::Assign { ty, origin: Origin::Written, .. } => Some((Kind::Assign, Some(*ty))),
        StepKind::Guard { .. } | StepKind::Branch { .. } => Some((Kind::Branch, None)),
        StepKind::Return { ty, .. } => Some((Kind::Return, Some(*ty))),
        StepKind::Act { .. } => Some((Kind::Act, None)),
        StepKind::Claim { claim: ClaimRef::Program(id), .. } | StepKind::Held { claim: id } => {
            of_account(*id).then_some((Kind::Claim, None))
        }
        _ => None,
    }
}

/// The state as values: what a step sets, or which way it goes.
pub fn values(program: &Program, equation: &mut Equation, step: usize) -> Vec<Component> {
    let (term, kind, what, ty) = match &equation.steps[step].kind {
        StepKind::Call { variable, value, .. } => {
            let variable = &equation.variables[variable.0 as usize];
            (*value, DeltaKind::Input, variable.name.clone(), Some(variable.ty))
        }
        StepKind::Assign { variable, value, name, ty, .. } => {
            let value = variable.map_or(*value, |variable| equation.symbol(variable));
            (value, DeltaKind::Value, name.clone(), Some(*ty))
        }
        StepKind::Return { variable, value, ty } => {
            let value = variable.map_or(*value, |variable| equation.symbol(variable));
            let name = &program.function(equation.steps[step].function).name;
            (value, DeltaKind::Value, format!("{name}()").into(), Some(*ty))
        }
        StepKind::Guard { condition, .. } => (*condition, DeltaKind::Guard, "\\guard".into(), None),
        StepKind::Branch { taken } => (equation.terms.bool(*taken), DeltaKind::Guard, "\\guard".into(), None),
        _ => return Vec::new(),
    };
    let truth = program.types.iter().position(|ty| matches!(ty, nearmiss_program::program::Type::Bool)).unwrap_or(0);
    // A bit-field is as wide as its type, so that parts of an object can be compared.
    let term = match ty {
        Some(ty) if program.is_signed(ty) => {
            let width = equation.terms.width(term).max(program.size_bits(ty).min(128) as u32);
            equation.terms.resize_signed(term, width)
        }
        Some(ty) => {
            let width = equation.terms.width(term).max(program.size_bits(ty).min(128) as u32);
            equation.terms.resize_unsigned(term, width)
        }
        None => term,
    };
    vec![Component { term, is_told: true, kind, what, ty: ty.unwrap_or(TypeId(truth as u32)) }]
}
