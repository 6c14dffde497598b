//! Differences between two executions of one equation (Groce, Chaki, Kroening, Strichman, "Error explanation with
//! distance metrics", section 3.2).
//!
//! What counts: inputs, path conditions, what a person assigned, passed or returned, and the values that meet at joins;
//! before the violated claim, and only where there is a variable at all (constants cannot differ).

use std::collections::{HashMap, HashSet};

use nearmiss_logic::eval::Evaluator;
use nearmiss_logic::term::{Node, Term};

use super::definitions::Definitions;
use crate::compared::{Counted, Counting};
use crate::equation::{Equation, Meeting, StepKind, Storage, Target, VariableId};
use crate::execution::Execution;
use crate::explanation::{Delta, DeltaKind, Executed, Metric};
use nearmiss_program::c::crash;
use nearmiss_program::program::{FunctionId, Origin};
use nearmiss_program::source::Span;

/// The variables that a metric counts, in order of execution. `claim` is the step of the violated claim.
pub fn counted(equation: &Equation, claim: usize, metric: Metric) -> Vec<Counted> {
    let relevant = match metric {
        Metric::Ssa | Metric::Align | Metric::Bytes => None,
        Metric::Slice => Some(support(equation, claim)),
    };
    let mut counted = Vec::new();
    for (index, step) in equation.steps[..claim].iter().enumerate() {
        let kind = match step.kind {
            StepKind::Call { .. } | StepKind::Content { .. } => DeltaKind::Input,
            StepKind::Guard { .. } | StepKind::Branch { .. } => DeltaKind::Guard,
            StepKind::Assign { origin: Origin::Written, .. } | StepKind::Return { .. } | StepKind::Phi { .. } => {
                DeltaKind::Value
            }
            _ => continue,
        };
        let Some(variable) = step.kind.variable().or(step.tally) else { continue };
        let meeting = equation.meetings.get(&variable);
        // All have met only at the last of the joins that leaving a loop makes.
        if meeting.and_then(|meeting| meeting.superseded).is_some_and(|later| later < claim) {
            continue;
        }
        if relevant.as_ref().is_none_or(|relevant| relevant.contains(&variable)) {
            let unchanged = meeting.and_then(Meeting::unchanged);
            let alone = (!matches!(step.kind, StepKind::Phi { .. })).then_some(step.guard);
            let taken = equation.taken(step);
            let is_priced = metric != Metric::Bytes || is_of_file(equation, variable, kind);
            counted.push(Counted { variable, step: index, kind, taken, unchanged, alone, looked_at: None, is_priced });
        }
    }
    counted
}

/// Is it a byte of a crash file, or their number?
fn is_of_file(equation: &Equation, variable: VariableId, kind: DeltaKind) -> bool {
    let name = &equation.variables[variable.0 as usize].name;
    kind == DeltaKind::Input && crash::is_input(name)
}

/// The variables on which the claim of a step depends in whatever execution: the static backward slice.
fn support(equation: &Equation, claim: usize) -> HashSet<VariableId> {
    let step = &equation.steps[claim];
    let mut roots = vec![step.guard];
    if let StepKind::Claim { condition, .. } = step.kind {
        roots.push(condition);
    }
    Definitions::of(equation).dependences(equation, None, &roots).into_iter().collect()
}

/// For each variable that counts, the term that it differs from its value in an execution.
pub fn difference_terms(equation: &mut Equation, counted: &[Counted], from: &Execution) -> Vec<Term> {
    counted.iter().map(|counted| difference_term(equation, counted, from)).collect()
}

fn difference_term(equation: &mut Equation, counted: &Counted, from: &Execution) -> Term {
    let symbol = equation.symbol(counted.variable);
    counting_term(equation, counted.counting(), symbol, from.value(counted.variable), from)
}

/// The term that something counts: a run is compared with an execution, in which a symbol has this value.
pub fn counting_term(equation: &mut Equation, when: Counting, symbol: Term, value: u128, from: &Execution) -> Term {
    let value = equation.terms.constant(equation.terms.width(symbol), value);
    let mut differs = equation.terms.ne(symbol, value);
    if let Some(unchanged) = when.unchanged
        && from.meets(equation, unchanged)
    {
        let changed = equation.terms.not(unchanged);
        differs = equation.terms.and(differs, changed);
    }
    let Some(taken) = when.taken else { return differs };
    let pays = when.alone.is_some_and(|alone| from.meets(equation, alone));
    match (from.meets(equation, taken), pays) {
        (true, true) => equation.terms.implies(taken, differs),
        (true, false) => equation.terms.and(taken, differs),
        (false, _) => match when.alone {
            Some(alone) => equation.terms.and(taken, alone),
            None => equation.terms.fals(),
        },
    }
}

/// Does a variable that counts differ between two executions?
pub fn is_different(equation: &Equation, counted: &Counted, [a, b]: [&Execution; 2]) -> bool {
    let stays = |run: &Execution| counted.unchanged.is_some_and(|unchanged| run.meets(equation, unchanged));
    let differs = a.value(counted.variable) != b.value(counted.variable) && !(stays(a) && stays(b));
    let Some(taken) = counted.taken else { return differs };
    match (a.meets(equation, taken), b.meets(equation, taken)) {
        (true, true) => differs,
        (false, false) => false,
        (only_a, _) => counted.alone.is_some_and(|alone| if only_a { a } else { b }.meets(equation, alone)),
    }
}

/// Has a variable another value, though that does not count? It follows from what does.
pub fn comes_along(equation: &Equation, counted: &Counted, runs: [&Execution; 2]) -> bool {
    runs[0].value(counted.variable) != runs[1].value(counted.variable) && !is_different(equation, counted, runs)
}

/// Is a variable that counts part of a turn that only the second of two executions takes?
pub fn is_of_further_turn(equation: &Equation, counted: &Counted, [a, b]: [&Execution; 2]) -> bool {
    counted.taken.is_some_and(|taken| !a.meets(equation, taken) && b.meets(equation, taken))
}

/// Differences of two executions, in order of execution.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    /// What differs.
    pub deltas: Vec<Delta>,
    /// For each of them the variables that make it.
    pub behind: Vec<Vec<VariableId>>,
    /// For each of them the steps of the equation that set it, in the failing and in the passing run; where runs are
    /// aligned, the two steps that are compared.
    pub set_at: Vec<[Option<usize>; 2]>,
}

impl Differences {
    /// One more.
    pub fn add(&mut self, delta: Delta, behind: Vec<VariableId>, set_at: [Option<usize>; 2]) {
        self.deltas.push(delta);
        self.behind.push(behind);
        self.set_at.push(set_at);
    }

    /// Those that some of these variables make.
    pub fn made_by(&self, variables: &HashSet<VariableId>) -> Vec<Delta> {
        let is_made = |behind: &Vec<VariableId>| behind.iter().any(|variable| variables.contains(variable));
        let deltas = self.deltas.iter().zip(&self.behind);
        deltas.filter(|(_, behind)| is_made(behind)).map(|(delta, _)| delta.clone()).collect()
    }
}

/// The differences of two executions, variable by variable.
pub fn differences(equation: &Equation, counted: &[Counted], failing: &Execution, passing: &Execution) -> Differences {
    let origins = [Origins::new(equation, failing), Origins::new(equation, passing)];
    let differ = |counted: &&Counted| is_different(equation, counted, [failing, passing]);
    let delta = |counted: &Counted| {
        let variable = &equation.variables[counted.variable.0 as usize];
        let executed = match (failing.executed[counted.step], passing.executed[counted.step]) {
            (true, true) => Executed::Both,
            (true, false) => Executed::Failing,
            (false, true) => Executed::Passing,
            (false, false) => Executed::Neither,
        };
        // A predicate is set by whoever last set what it is about.
        let setters = match (counted.kind, variable.definition) {
            (DeltaKind::Predicate, Some(definition)) => {
                let about = equation.terms.support(definition);
                about.iter().filter_map(|symbol| origins[0].definitions.step(*symbol)).collect()
            }
            _ => vec![counted.step],
        };
        let set_at @ [of_failing, of_passing] =
            [0, 1].map(|run| setters.iter().filter_map(|setter| origins[run].of(*setter)).max());
        let origin = &equation.steps[of_failing.or(of_passing).unwrap_or(counted.step)];
        // Memory without a type of its own is called and read as whoever wrote there calls it.
        let (variable_name, ty) = match (&equation.steps[counted.step].kind, &origin.kind) {
            (StepKind::Phi { storage: Storage::Memory, .. }, StepKind::Assign { name, ty, .. }) => (name, *ty),
            _ => (&variable.name, variable.ty),
        };
        let other = of_passing.map(|step| equation.steps[step].span).filter(|span| *span != origin.span);
        let delta = Delta {
            kind: counted.kind,
            name: equation.versioned_name(counted.variable),
            variable: variable_name.to_string(),
            ty,
            failing: told(equation, counted, failing),
            passing: told(equation, counted, passing),
            executed,
            meets: matches!(equation.steps[counted.step].kind, StepKind::Phi { .. }),
            span: origin.span,
            passing_span: other,
            function: origin.function,
            made_at: vec![(origin.function, origin.span)],
            trusted: false,
            texts: None,
            steps: None,
        };
        (delta, set_at)
    };
    let mut differences = Differences::default();
    let mut joins = Vec::new();
    for counted in counted.iter().filter(differ) {
        let (delta, set_at) = delta(counted);
        differences.add(delta, vec![counted.variable], set_at);
        joins.push(set_at != [Some(counted.step); 2]);
    }
    let ahead = counted.iter().map(|counted| counted.step + 1).max().unwrap_or(0);
    let doings = Doings { equation, runs: [failing, passing], ahead };
    doings.find_makers(&mut differences, &joins);
    differences
}

/// What two executions do at statements.
struct Doings<'a> {
    equation: &'a Equation,
    runs: [&'a Execution; 2],
    /// Steps from here on do not count.
    ahead: usize,
}

impl Doings<'_> {
    /// Two values that meet at a join may come from different statements. Often one of them is executed alike in both
    /// runs, and it is the other, which one run alone executes afterwards, that makes the difference. At a join that one
    /// run does not come to, that run has no value: then there may be no such statement at all.
    fn find_makers(&self, differences: &mut Differences, joins: &[bool]) {
        let places = |executed: Executed, set_at: &[Option<usize>; 2]| -> Vec<(FunctionId, Span)> {
            let runs: &[usize] = match executed {
                Executed::Both => &[0, 1],
                Executed::Failing => &[0],
                Executed::Passing => &[1],
                Executed::Neither => &[],
            };
            let mut places: Vec<_> = runs.iter().filter_map(|run| set_at[*run]).map(|step| self.place(step)).collect();
            places.dedup();
            places
        };
        let made = differences.deltas.iter_mut().zip(&differences.set_at).zip(joins).filter(|(_, join)| **join);
        let mut made: Vec<(&mut Delta, Vec<(FunctionId, Span)>)> = made
            .map(|((delta, set_at), _)| {
                let places = places(delta.executed, set_at);
                (delta, places)
            })
            .collect();
        let wanted: HashSet<(FunctionId, Span)> = made.iter().flat_map(|(_, places)| places).copied().collect();
        if made.is_empty() {
            return;
        }
        let [failing, passing] = self.runs.map(|run| self.done(run, &wanted));
        for (delta, places) in &mut made {
            places.retain(|place| failing.get(place) != passing.get(place));
            // A predicate is about several values: whoever set one of them may be wrong though both runs set it alike.
            let is_predicate = delta.kind == DeltaKind::Predicate && delta.executed == Executed::Both;
            if !places.is_empty() || !is_predicate {
                delta.made_at = std::mem::take(places);
            }
        }
    }

    fn place(&self, step: usize) -> (FunctionId, Span) {
        (self.equation.steps[step].function, self.equation.steps[step].span)
    }

    /// Where and what each of these statements sets, in order of execution.
    fn done(&self, run: &Execution, wanted: &HashSet<(FunctionId, Span)>) -> HashMap<(FunctionId, Span), Vec<Done>> {
        let mut done: HashMap<_, Vec<Done>> = HashMap::new();
        let mut evaluator = run.evaluator(self.equation);
        for (index, step) in self.equation.steps[..self.ahead].iter().enumerate() {
            let place = self.place(index);
            // Where paths meet nothing is done.
            if !run.executed[index] || !wanted.contains(&place) || matches!(step.kind, StepKind::Phi { .. }) {
                continue;
            }
            let (target, value) = match &step.kind {
                // Which object matters where there is a choice: a local variable is another one in every call.
                StepKind::Assign { targets, value, .. } => {
                    let at = assigned(targets, &mut evaluator);
                    let at = at.map(|(object, offset)| ((targets.len() > 1).then_some(object), offset));
                    (at, Some(evaluator.value(*value)))
                }
                kind => (None, kind.variable().map(|variable| run.value(variable))),
            };
            done.entry(place).or_default().push((target, value));
        }
        done
    }
}

/// What a step sets: the object, if it could be another, and the place in it; the value.
type Done = (Option<(Option<u32>, u64)>, Option<u128>);

/// The object that an assignment writes to, and where in it.
fn assigned(targets: &[Target], evaluator: &mut Evaluator<'_>) -> Option<(u32, u64)> {
    let target = targets.iter().find(|target| evaluator.holds(target.condition))?;
    let offset = target.parts.iter().fold(target.constant, |offset, (index, stride)| {
        offset.wrapping_add((evaluator.value(*index) as u64).wrapping_mul(*stride))
    });
    Some((target.object, offset))
}

/// Finds the assignment that a value at a join comes from in one execution.
struct Origins<'a> {
    equation: &'a Equation,
    execution: &'a Execution,
    definitions: Definitions,
    /// The assignments to each place of each object that are executed, in order.
    assignments: HashMap<(u32, u64), Vec<usize>>,
}

impl<'a> Origins<'a> {
    fn new(equation: &'a Equation, execution: &'a Execution) -> Origins<'a> {
        let definitions = Definitions::of(equation);
        let mut assignments: HashMap<(u32, u64), Vec<usize>> = HashMap::new();
        let mut evaluator = execution.evaluator(equation);
        for (index, step) in equation.steps.iter().enumerate() {
            if let (StepKind::Assign { targets, .. }, true) = (&step.kind, execution.executed[index])
                && let Some(place) = assigned(targets, &mut evaluator)
            {
                assignments.entry(place).or_default().push(index);
            }
        }
        Origins { equation, execution, definitions, assignments }
    }

    /// For a join: the step that assigned what it passes on, if one did. For any other step: itself.
    fn of(&self, step: usize) -> Option<usize> {
        let mut at = step;
        let mut evaluator = self.execution.evaluator(self.equation);
        loop {
            let StepKind::Phi { variable, object, at: place, .. } = self.equation.steps[at].kind else {
                return Some(at);
            };
            let variable = &self.equation.variables[variable.0 as usize];
            let mut value = variable.definition?;
            while let Node::Ite(condition, yes, no) = self.equation.terms.node(value) {
                value = if evaluator.holds(condition) { yes } else { no };
            }
            match self.definitions.step(value) {
                Some(before) if before < at => at = before,
                // A constant, or some of several elements: the last assignment to that place that was executed.
                _ => {
                    let assignments = self.assignments.get(&(object, place))?;
                    let before = assignments.partition_point(|&index| index < at);
                    return before.checked_sub(1).map(|last| assignments[last]);
                }
            }
        }
    }
}

/// What a variable is in a run. The variable of a pointer that is an input says only whether it is NULL.
fn told(equation: &Equation, counted: &Counted, run: &Execution) -> u128 {
    match equation.steps[counted.step].kind {
        StepKind::Call { variable, value, .. } | StepKind::Content { variable, value, .. }
            if variable == counted.variable =>
        {
            run.evaluator(equation).value(value)
        }
        _ => run.value(counted.variable),
    }
}
