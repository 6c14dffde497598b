//! Predicates instead of values (Chaki, Groce, Strichman, "Explaining abstract counterexamples", 2004).
//!
//! An explanation that says `x < y` in the failing run and `x >= y` in the passing one says more than two numbers do.
//! Which predicates describe a failure is found by abstraction and refinement: `refine` on top of [`abstraction`], with
//! candidates from weakest preconditions (`candidate`) that are put into words (`express`) over the variables in scope
//! (`vocabulary`). What comes out are conditions of the program, each with the places where it is tracked, and from
//! then on they are looked at as any other watched condition: [`Tracked`] makes them part of an equation, as single
//! assignments of truth values, which distances can count.
//!
//! Cost: an unwinding that looks at all named scalars, and for each refinement an abstract program whose size grows with
//! the steps that change a predicate and with the predicates there.

pub mod abstraction;
pub(crate) mod candidate;
pub(crate) mod express;
pub mod nearest;
pub(crate) mod path;
pub(crate) mod refine;
mod refute;
pub(crate) mod vocabulary;
pub mod within;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::Term;

use abstraction::{Location, Point, Truth};
use nearest::CountedTruth;
use refine::{Known, Meaning, Trouble};
use vocabulary::{Scope, Symbols, View};

use super::align::sequence::Component;
use super::definitions::Definitions;
use super::encode;
use crate::compared::{Counted, Doing, Expected};
use crate::equation::{ClaimRef, Equation, StepKind, Variable, VariableId};
use crate::execution::Execution;
use crate::explanation::{DeltaKind, PredicateOrigin};
use crate::symex::{Moment, Seen};
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{Origin, Program, Type, TypeId};
use nearmiss_program::source::Span;

/// A predicate and where it is tracked.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The condition.
    pub watched: Watched,
    /// What holds where it does not, as C writes it.
    pub opposite: String,
    /// Where it comes from.
    pub origin: PredicateOrigin,
    /// The steps before which it is looked at.
    pub places: BTreeSet<Location>,
}

/// The predicates that describe a failure.
#[derive(Clone, Debug)]
pub struct Described {
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// How often the abstract program was refined.
    pub refinements: usize,
    /// Why that came to no good end, where it did not.
    pub trouble: Option<Trouble>,
    /// The last path that the abstract program took and no run takes, by the branches on it.
    pub last_excluded: Vec<Span>,
    /// Of the passing runs that were to be told apart: whether something differs in the last one before the claim.
    pub is_apart: bool,
}

/// A failing run, unwound with a look at everything that [`Vocabulary::watched`] lists.
pub struct Failure<'a> {
    /// Its equation.
    pub equation: &'a mut Equation,
    /// What was seen.
    pub moments: &'a [Moment],
    /// The failing run.
    pub failing: &'a Execution,
    /// The step of the claim that it violates.
    pub claim: usize,
    /// What a passing run keeps, each with the step at which it is decided.
    pub kept: &'a [(usize, Term)],
    /// Whether there is such a run.
    pub may_pass: bool,
    /// Passing runs that must differ from the failing one in more than the claim.
    pub apart: &'a [Execution],
    /// When to stop.
    pub stop: &'a Stop,
}

/// Is there a passing run that meets these demands? If there was no time to find out, it is said that there is one.
pub fn may_pass(equation: &mut Equation, demands: &[Term], stop: &Stop) -> bool {
    let mut blaster = encode::for_many_questions(stop);
    encode::define(&mut blaster, equation);
    for (_, held) in equation.held() {
        blaster.assert(&equation.terms, held);
    }
    for demand in demands {
        blaster.assert(&equation.terms, *demand);
    }
    blaster.solver.solve(&[]) != Outcome::Unsat
}

/// Everything to look at when predicates are looked for: the named scalars, then the user's conditions.
pub struct Vocabulary {
    named: Vec<vocabulary::Named>,
    given: Vec<Watched>,
}

impl Vocabulary {
    /// The named scalars of a program, whose expressions are added to it.
    pub fn new(program: &mut Program, given: &[Watched]) -> Vocabulary {
        let formula = program.temporal.clone();
        let conditions =
            formula.iter().flat_map(|formula| formula.signals.iter().filter_map(|s| s.meaning.condition()));
        let given = given.iter().chain(conditions).cloned().collect();
        Vocabulary { named: vocabulary::named(program), given }
    }

    /// What to look at.
    pub fn watched(&self) -> Vec<Watched> {
        let named = self.named.iter().map(|named| Watched {
            text: named.text.clone(),
            function: named.function,
            condition: named.load,
        });
        named.chain(self.given.iter().cloned()).collect()
    }

    /// Finds the predicates that describe a failure. Their expressions are added to the program.
    pub fn describe(&self, program: &mut Program, failure: Failure<'_>) -> Described {
        let Failure { equation, moments, failing, claim, kept, may_pass, apart, stop } = failure;
        let symbols = Symbols::new(&mut equation.terms, &self.named);
        let moments = through_calls(equation, moments);
        let views: Vec<View> = moments.iter().map(|moment| self.view(moment)).collect();
        let formula = program.temporal.clone();
        let of_formula = |watched: &Watched| {
            formula.iter().any(|formula| formula.signals.iter().any(|s| s.meaning.condition() == Some(watched)))
        };
        let given = self.given.iter().enumerate();
        let given: Vec<Known> = given
            .map(|(number, watched)| Known {
                meaning: Meaning::Given(number),
                function: watched.function,
                text: watched.text.clone(),
                opposite: express::opposite_text(program, watched),
                origin: if of_formula(watched) { PredicateOrigin::Claim } else { PredicateOrigin::User },
                condition: watched.condition,
            })
            .collect();
        let scene = refine::Scene {
            program,
            equation,
            views: &views,
            named: &self.named,
            symbols: &symbols,
            failing,
            claim,
            kept,
            may_pass,
            apart,
            stop,
        };
        let refined = refine::refine(scene, given);
        let predicates = refined.predicates.into_iter().map(|(known, places)| Predicate {
            watched: Watched { text: known.text, function: known.function, condition: known.condition },
            opposite: known.opposite,
            origin: known.origin,
            places,
        });
        let refine::Refined { refinements, trouble, last_excluded, is_apart, .. } = refined;
        Described { predicates: predicates.collect(), refinements, trouble, last_excluded, is_apart }
    }

    fn view(&self, moment: &Moment) -> View {
        let mut globals = BTreeMap::new();
        let mut locals: BTreeMap<u32, Scope> = BTreeMap::new();
        let mut given = Vec::new();
        for seen in &moment.seen {
            match self.named.get(seen.watched) {
                None => given.push((seen.watched - self.named.len(), seen.term)),
                Some(named) if named.function.is_none() => {
                    globals.insert(seen.watched, seen.term);
                }
                Some(named) => {
                    let new = || Scope { function: named.function, held: BTreeMap::new() };
                    locals.entry(seen.activation).or_insert_with(new).held.insert(seen.watched, seen.term);
                }
            }
        }
        // Later activations have larger numbers.
        let none = Scope { function: None, held: BTreeMap::new() };
        let scopes = std::iter::once(none).chain(locals.into_values()).collect();
        let previous = moment.previous.iter().map(|previous| *previous as usize).collect();
        View { step: moment.step, guard: moment.guard, previous, globals, scopes, given }
    }
}

/// The moments without those between the return of a function and the assignment of what it returned: there nobody holds
/// the value. What came before them comes before those after them.
fn through_calls(equation: &Equation, moments: &[Moment]) -> Vec<Moment> {
    let mut kept: Vec<Moment> = Vec::with_capacity(moments.len());
    // What each moment is among those that are kept.
    let mut meant: Vec<Vec<u32>> = Vec::with_capacity(moments.len());
    for moment in moments {
        let is_assignment = matches!(equation.steps[moment.step].kind, StepKind::Assign { .. });
        let inside = |previous: &u32| moments[*previous as usize].running > moment.running;
        let mut previous: Vec<u32> = moment.previous.iter().flat_map(|at| meant[*at as usize].clone()).collect();
        previous.sort_unstable();
        previous.dedup();
        if is_assignment && !moment.previous.is_empty() && moment.previous.iter().all(inside) {
            meant.push(previous);
        } else {
            meant.push(vec![kept.len() as u32]);
            kept.push(Moment { previous, ..moment.clone() });
        }
    }
    kept
}

/// Predicates as part of an equation.
#[derive(Clone, Debug, Default)]
pub struct Tracked {
    /// The moments, with what is tracked there.
    pub points: Vec<Point>,
    /// The truths of predicates.
    pub truths: Vec<Truth>,
    /// Each truth that a distance counts, with its variable.
    pub variables: Vec<(CountedTruth, VariableId)>,
    /// For each step that comes right after a moment: what an alignment compares there.
    components: HashMap<usize, Vec<Component>>,
    /// For each moment: the step, and the truths in the running activation, constants included.
    running: Vec<(usize, Vec<(usize, Term)>)>,
}

/// The predicates of a place by their numbers, with what the running activation sees of each at a moment, if it can be told.
fn at_place(predicates: &[Predicate], moment: Option<&Moment>, place: Location) -> Vec<(usize, Option<Term>)> {
    let mut found = Vec::new();
    for (number, predicate) in predicates.iter().enumerate() {
        let owner = predicate.watched.function;
        if predicate.places.contains(&place) && owner.is_none_or(|function| function == place.0) {
            let is_own =
                |seen: &&Seen, running: u32| seen.watched == number && (owner.is_none() || seen.activation == running);
            let seen = moment.and_then(|moment| moment.seen.iter().find(|seen| is_own(seen, moment.running)));
            found.push((number, seen.map(|seen| seen.term)));
        }
    }
    found
}

impl Tracked {
    /// Every truth of a predicate that can be seen before the claim becomes a variable of the equation. `moments` are
    /// those of an unwinding that looks at the predicates in their order. Runs are compared with `failing`.
    pub fn new(
        program: &Program,
        equation: &mut Equation,
        moments: &[Moment],
        predicates: &[Predicate],
        (failing, claim): (&Execution, usize),
    ) -> Tracked {
        let mut tracked = Tracked::default();
        let mut number: HashMap<Truth, usize> = HashMap::new();
        let all_moments = moments;
        let moments = &through_calls(equation, moments)[..];
        let truth_type = program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
        let truth_type = TypeId(truth_type as u32);
        for moment in moments {
            let step = &equation.steps[moment.step];
            let location = (step.function, step.span);
            let mut here = Vec::new();
            let running = at_place(predicates, Some(moment), location);
            let running = running.into_iter().filter_map(|(number, term)| Some((number, term?)));
            tracked.running.push((moment.step, running.collect()));
            for seen in &moment.seen {
                let is_constant = equation.terms.as_const(seen.term).is_some();
                if is_constant || !predicates[seen.watched].places.contains(&location) {
                    continue;
                }
                let truth = Truth { predicate: seen.watched, term: seen.term };
                here.push(*number.entry(truth).or_insert_with(|| {
                    tracked.truths.push(truth);
                    tracked.truths.len() - 1
                }));
            }
            here.sort_unstable();
            here.dedup();
            let previous = moment.previous.iter().map(|previous| *previous as usize).collect();
            tracked.points.push(Point { step: moment.step, guard: moment.guard, previous, tracked: here });
        }
        // Steps at one place have the same predicates, whether they can be told there or not. Those of a statement see what its
        // first step sees.
        // Where what a call returned is assigned, the caller's own variables can be told.
        let mut before = 0;
        for (index, step) in equation.steps.iter().enumerate() {
            before += all_moments[before..].iter().take_while(|moment| moment.step <= index).count();
            let moment = before.checked_sub(1).map(|last| &all_moments[last]);
            let moment = moment.filter(|moment| moment.step == index || moment.guard == step.guard);
            let seen = at_place(predicates, moment, (step.function, step.span));
            let components = seen.into_iter().map(|(number, term)| Component {
                term: term.unwrap_or(equation.terms.fals()),
                is_told: term.is_some(),
                kind: DeltaKind::Predicate,
                what: predicates[number].watched.text.as_str().into(),
                ty: truth_type,
            });
            tracked.components.insert(index, components.collect());
        }
        let mut versions: HashMap<usize, u32> = HashMap::new();
        for counted in nearest::counted(equation, &tracked.points, &tracked.truths, claim, failing) {
            let Truth { predicate, term } = tracked.truths[counted.truth];
            let version = versions.entry(predicate).or_insert(0);
            let name = predicates[predicate].watched.text.as_str();
            let symbol = equation.terms.fresh(&format!("{name}#{version}"), 1);
            equation.variables.push(Variable {
                name: name.into(),
                version: *version,
                ty: truth_type,
                symbol,
                definition: Some(term),
            });
            *version += 1;
            tracked.variables.push((counted, VariableId(equation.variables.len() as u32 - 1)));
        }
        tracked
    }

    /// What an alignment compares at a step.
    pub fn components(&self, step: usize) -> Vec<Component> {
        self.components.get(&step).cloned().unwrap_or_default()
    }

    /// What an execution sees of predicates, step by step, in the running activation.
    pub fn seen(&self, equation: &Equation, execution: &Execution) -> Vec<Expected> {
        let mut evaluator = execution.evaluator(equation);
        let mut seen = Vec::new();
        for (step, running) in self.running.iter().filter(|(step, _)| execution.executed[*step]) {
            let described = &equation.steps[*step];
            let doing = match described.kind {
                StepKind::Assign { origin: Origin::Written, .. } => Doing::Assign,
                StepKind::Claim { claim: ClaimRef::Program(id), .. } => Doing::Claim(id),
                StepKind::Guard { .. } | StepKind::Branch { .. } => Doing::Branch,
                StepKind::Return { .. } => Doing::Return,
                _ => continue,
            };
            let truths = running.iter().map(|(predicate, term)| (*predicate, evaluator.holds(*term))).collect();
            seen.push(Expected { place: (described.function, described.span), doing, truths });
        }
        seen
    }

    /// The number of a step of the equation among those that an execution takes, from 0; none if it does not take it.
    pub fn number(&self, execution: &Execution, step: usize) -> Option<u32> {
        let taken = self.points.iter().filter(|point| execution.executed[point.step] && point.step <= step);
        (execution.executed[step]).then(|| (taken.count() as u32).saturating_sub(1))
    }

    /// What a distance counts, in order: truths of predicates, each at the step that sets it, and branches.
    pub fn counted(&self, equation: &Equation, claim: usize) -> Vec<Counted> {
        let definitions = Definitions::of(equation);
        let mut counted = Vec::new();
        for (CountedTruth { truth, when, looked_at }, variable) in &self.variables {
            let support = equation.terms.support(self.truths[*truth].term);
            let step = support.iter().filter_map(|symbol| definitions.step(*symbol)).max().unwrap_or(0);
            counted.push(Counted {
                variable: *variable,
                step,
                kind: DeltaKind::Predicate,
                taken: when.taken,
                unchanged: when.unchanged,
                alone: when.alone,
                looked_at: Some(*looked_at),
                is_priced: true,
            });
        }
        counted.extend(nearest::counted_branches(equation, claim));
        counted.sort_by_key(|counted| (counted.step, counted.variable));
        counted
    }
}
