//! The nearest passing run and its slices, by looking at every execution: the oracle of `explain`.
//!
//! Nothing here asks a solver or calls a method. Executions are evaluated on every assignment of the free variables, as
//! far as these can matter, and everything else is read off the definitions: what counts, which run is nearest, which
//! sets of differences turn the failure into success. The price is that the inputs of a program must be few and narrow.

use std::collections::{BTreeSet, HashMap};

use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::equation::{ClaimRef, Equation, Meeting, StepKind, VariableId};
use nearmiss_explain::execution::Execution;
use nearmiss_explain::explanation::{DeltaKind, Executed, Metric};
use nearmiss_explain::symex;
use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::{Node, Term};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{Origin, Program, Type};
use nearmiss_program::run::{Inputs, Outcome};

/// More executions are not looked at.
const MOST_EXECUTIONS: usize = 2048;
/// More partial choices of differences are not looked at.
const MOST_CHOICES: u64 = 60_000;

/// All executions of a program within a bound.
pub struct Space {
    /// The program unwound.
    pub equation: Equation,
    /// Those that violate nothing.
    pub passing: Vec<Execution>,
    /// Those that violate a claim of the program, and nothing before it.
    pub failing: Vec<Execution>,
    /// What must hold in a passing run, with the step that says so.
    held: Vec<(usize, Term)>,
}

/// A variable in which runs are compared.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The variable.
    pub variable: VariableId,
    /// The step that introduces it.
    pub step: usize,
    /// What it is.
    pub kind: DeltaKind,
    /// The term that a run takes the turn that it belongs to.
    pub taken: Option<Term>,
    /// Where a loop is left: the term that its turns have changed nothing.
    pub unchanged: Option<Term>,
}

/// Does a variable count? What belongs to a turn that neither run takes counts nothing; of a turn that one of them takes,
/// what it executes there; of a turn that both take, what differs.
pub fn counts(equation: &Equation, member: &Member, from: &Execution, to: &Execution) -> bool {
    let holds = |term: Term| [from, to].map(|run| run.meets(equation, term));
    let takes = member.taken.map_or([true, true], holds);
    let is_join = matches!(equation.steps[member.step].kind, StepKind::Phi { .. });
    let executes = holds(equation.steps[member.step].guard).map(|executed| executed && !is_join);
    match takes {
        [false, false] => false,
        [true, false] => executes[0],
        [false, true] => executes[1],
        [true, true] => {
            let nothing_changed = member.unchanged.is_some_and(|term| holds(term) == [true, true]);
            from.value(member.variable) != to.value(member.variable) && !nothing_changed
        }
    }
}

/// What is expected of a difference between two runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// What differs.
    pub kind: DeltaKind,
    /// The single assignment.
    pub name: String,
    /// Bits in the failing and in the passing run.
    pub values: (u128, u128),
    /// Where it is executed.
    pub executed: Executed,
}

impl Space {
    /// Every execution of a program; none if there are too many. `fixed` is a bound on loops, without it they have the
    /// bound that a search starts with. The interpreter must agree on how each of them ends.
    pub fn of(program: &Program, fixed: Option<u32>, what: &str) -> Option<Space> {
        let bounds = Bounds { fixed, ..Bounds::default() };
        let stop = Stop::default();
        let mut equation = symex::unwind(program, &bounds, &stop).expect("nobody interrupts");
        let held = equation.held();
        let domains = domains(&equation, &held);
        let size = domains.iter().try_fold(1usize, |all, (_, domain)| all.checked_mul(domain.len()));
        if size.is_none_or(|size| size > MOST_EXECUTIONS) {
            return None;
        }
        let mut space = Space { equation, passing: Vec::new(), failing: Vec::new(), held };
        let interpreter = Interpreter::new(program);
        let mut places = vec![0; domains.len()];
        if domains.iter().any(|(_, domain)| domain.is_empty()) {
            return Some(space);
        }
        loop {
            let mut assignment = Assignment::new();
            for ((symbol, domain), place) in domains.iter().zip(&places) {
                assignment.set(*symbol, domain[*place]);
            }
            space.add(Execution::of_assignment(&space.equation, &assignment), &interpreter, what);
            let Some(next) = (0..places.len()).find(|&at| places[at] + 1 < domains[at].1.len()) else { break };
            places[..next].fill(0);
            places[next] += 1;
        }
        Some(space)
    }

    fn add(&mut self, execution: Execution, interpreter: &Interpreter<'_>, what: &str) {
        let inputs = self.inputs(&execution);
        let failed = execution.failed.map(|step| &self.equation.steps[step].kind);
        // Nobody waits for a run that goes on beyond the bound.
        if matches!(failed, Some(StepKind::Claim { claim: ClaimRef::Unwinding(_), .. })) {
            return;
        }
        let outcome = interpreter.execute(&inputs, &Limits::default(), Recording::Outcome).run.outcome;
        match execution.failed.map(|step| &self.equation.steps[step].kind) {
            None => {
                assert_eq!(outcome, Outcome::Finished, "{what} on {inputs:?}");
                self.passing.push(execution);
            }
            Some(StepKind::Claim { claim: ClaimRef::Program(claim), .. }) => {
                assert_eq!(outcome, Outcome::Violated(*claim), "{what} on {inputs:?}");
                // What a run does not come across is 0 in the run to be explained.
                self.failing.push(Execution::of(&self.equation, &inputs));
            }
            Some(StepKind::Assume { .. }) => assert_eq!(outcome, Outcome::Excluded, "{what} on {inputs:?}"),
            Some(_) => {}
        }
    }

    /// What to feed to the program for an execution.
    pub fn inputs(&self, execution: &Execution) -> Inputs {
        self.equation.inputs(&mut execution.evaluator(&self.equation))
    }

    /// What counts: inputs, path conditions, what a person assigned, passed or returned, and joins, before the claim.
    pub fn members(&self, claim: usize, metric: Metric) -> Vec<Member> {
        let step = &self.equation.steps[claim];
        let StepKind::Claim { condition, .. } = step.kind else { panic!("no claim") };
        let reach = Reach::of(&self.equation, &[step.guard, condition]);
        let mut members = Vec::new();
        for (index, step) in self.equation.steps.iter().enumerate().take(claim) {
            let (variable, kind) = match &step.kind {
                StepKind::Call { variable, .. } | StepKind::Content { variable, .. } => (*variable, DeltaKind::Input),
                StepKind::Guard { variable, .. } => (*variable, DeltaKind::Guard),
                StepKind::Phi { variable, .. } => (*variable, DeltaKind::Value),
                StepKind::Branch { .. } => match step.tally {
                    Some(variable) => (variable, DeltaKind::Guard),
                    None => continue,
                },
                StepKind::Return { variable: None, .. }
                | StepKind::Assign { variable: None, origin: Origin::Written, .. } => match step.tally {
                    Some(variable) => (variable, DeltaKind::Value),
                    None => continue,
                },
                StepKind::Return { variable: Some(variable), .. } => (*variable, DeltaKind::Value),
                StepKind::Assign { variable: Some(variable), origin: Origin::Written, .. } => {
                    (*variable, DeltaKind::Value)
                }
                _ => continue,
            };
            let meeting = self.equation.meetings.get(&variable);
            if meeting.and_then(|meeting| meeting.superseded).is_some_and(|later| later < claim) {
                continue;
            }
            if metric == Metric::Ssa || reach.variables.contains(&(variable.0 as usize)) {
                let unchanged = meeting.and_then(Meeting::unchanged);
                let taken = step.turn.map(|turn| self.equation.turns[turn as usize].guard);
                members.push(Member { variable, step: index, kind, taken, unchanged });
            }
        }
        members
    }

    /// The differences of two runs.
    pub fn differences(&self, members: &[Member], from: &Execution, to: &Execution) -> Vec<Difference> {
        let differing = members.iter().filter(|member| counts(&self.equation, member, from, to));
        let difference = |member: &Member| Difference {
            kind: member.kind,
            name: self.equation.versioned_name(member.variable),
            values: (from.value(member.variable), to.value(member.variable)),
            executed: match (from.executed[member.step], to.executed[member.step]) {
                (true, true) => Executed::Both,
                (true, false) => Executed::Failing,
                (false, true) => Executed::Passing,
                (false, false) => Executed::Neither,
            },
        };
        differing.map(difference).collect()
    }

    /// The nearest passing run: of several the one with the fewest changed inputs, then the fewest changed variables
    /// that are executed in either run, then the smallest change of inputs, then the inputs nearest to zero in order.
    pub fn nearest(&self, program: &Program, members: &[Member], from: &Execution) -> Option<&Execution> {
        self.passing.iter().min_by_key(|to| {
            let differences = self.differences(members, from, to);
            let inputs = differences.iter().filter(|d| d.kind == DeltaKind::Input).count();
            let executed = differences.iter().filter(|d| d.executed != Executed::Neither).count();
            let changed = members.iter().filter(|member| member.kind == DeltaKind::Input);
            let change: u128 = changed.map(|member| self.change(program, member.variable, from, to)).sum();
            (differences.len(), inputs, executed, change, self.order(program, to))
        })
    }

    /// The sets of executed differences of all nearest runs.
    pub fn all_nearest(&self, members: &[Member], from: &Execution) -> BTreeSet<Vec<String>> {
        let differences: Vec<_> = self.passing.iter().map(|to| self.differences(members, from, to)).collect();
        let least = differences.iter().map(Vec::len).min().unwrap_or(0);
        let nearest = differences.into_iter().filter(|differences| differences.len() == least);
        let executed = |d: Vec<Difference>| d.into_iter().filter(|d| d.executed != Executed::Neither);
        nearest.map(|differences| executed(differences).map(|difference| difference.name).collect()).collect()
    }

    /// The number that the bits of an input are; what is not a number does not change by an amount.
    fn number(&self, program: &Program, variable: VariableId, value: u128) -> Option<i128> {
        let symbol = self.equation.symbol(variable);
        let (width, value) = (self.equation.terms.width(symbol), value as i128);
        match program.ty(self.equation.variables[variable.0 as usize].ty) {
            Type::Integer { signed: true, .. } | Type::Enum { signed: true, .. } if value >> (width - 1) & 1 == 1 => {
                Some(value - (1 << width))
            }
            Type::Bool | Type::Integer { .. } | Type::Enum { .. } => Some(value),
            _ => None,
        }
    }

    fn change(&self, program: &Program, input: VariableId, from: &Execution, to: &Execution) -> u128 {
        let number = |run: &Execution| self.number(program, input, run.value(input)).unwrap_or(0);
        number(from).abs_diff(number(to))
    }

    /// Compares runs by their inputs in order: towards zero first, then the smaller.
    fn order(&self, program: &Program, run: &Execution) -> Vec<(u128, i128)> {
        let mut order = Vec::new();
        for step in &self.equation.steps {
            if let StepKind::Call { variable, .. } | StepKind::Content { variable, .. } = step.kind {
                let bits = run.value(variable);
                let number = self.number(program, variable, bits).unwrap_or(bits as i128);
                order.push((number.unsigned_abs(), number));
            }
        }
        order
    }

    /// Every smallest set of differences that turns failure into success, as places among the members; the one whose
    /// members come first is the first. None if there is too much to look at, or none of at most `most` differences.
    pub fn slices(&self, members: &[Member], from: &Execution, to: &Execution, most: usize) -> Slices {
        // What has another value and does not count follows from the rest.
        let follows = |member: &Member| {
            from.value(member.variable) != to.value(member.variable) && !counts(&self.equation, member, from, to)
        };
        let mixer = Mixer::new(self, members, &follows, from, to);
        Space::smallest(mixer, most)
    }

    fn smallest(mut mixer: Mixer<'_>, most: usize) -> Slices {
        let differing = mixer.differing.iter().flatten().count();
        for size in 0..=differing.min(most) {
            mixer.search(0, size, differing);
            if mixer.choices > MOST_CHOICES {
                return Slices::TooMany;
            }
            if !mixer.found.is_empty() {
                return Slices::Of(size, mixer.found);
            }
        }
        Slices::None
    }

    /// The size of the smallest slice of any passing run. None if there is too much to look at.
    pub fn one_step(&self, members: &[Member], from: &Execution) -> Option<usize> {
        let mut least = usize::MAX;
        for to in &self.passing {
            match self.slices(members, from, to, least.saturating_sub(1)) {
                Slices::Of(size, _) => least = least.min(size),
                Slices::None => {}
                Slices::TooMany => return None,
            }
        }
        Some(least)
    }
}

/// What came of the search for slices.
#[derive(Debug)]
pub enum Slices {
    /// The size of the smallest, and all of that size.
    Of(usize, Vec<Vec<usize>>),
    /// There is none of the size asked for.
    None,
    /// Nobody knows.
    TooMany,
}

/// Mixes the values of two runs: each difference takes the failing run's value, or the passing run's if that is what
/// its definition gives.
struct Mixer<'a> {
    space: &'a Space,
    from: &'a Execution,
    to: &'a Execution,
    /// By the number of a variable: its place among the members.
    place: Vec<Option<usize>>,
    /// By the number of a variable: its place among the members if the runs differ in it.
    differing: Vec<Option<usize>>,
    /// What must hold, by the number of the last variable in it.
    due: Vec<Vec<Term>>,
    mixed: Assignment,
    taken: Vec<usize>,
    choices: u64,
    found: Vec<Vec<usize>>,
}

impl<'a> Mixer<'a> {
    fn new(
        space: &'a Space,
        members: &[Member],
        follows: &dyn Fn(&Member) -> bool,
        from: &'a Execution,
        to: &'a Execution,
    ) -> Mixer<'a> {
        let variables = space.equation.variables.len();
        let mut place = vec![None; variables];
        for (at, member) in members.iter().enumerate().filter(|(_, member)| !follows(member)) {
            place[member.variable.0 as usize] = Some(at);
        }
        let differing = |variable: usize| place[variable].filter(|_| from.values[variable] != to.values[variable]);
        let differing = (0..variables).map(differing).collect();
        let by_symbol = by_symbol(&space.equation);
        let mut due = vec![Vec::new(); variables];
        for (_, held) in &space.held {
            let last = direct(&space.equation, &by_symbol, *held).into_iter().max();
            // What depends on nothing holds in the passing run, and so here.
            if let Some(last) = last {
                due[last].push(*held);
            }
        }
        let (mixed, taken, found) = (Assignment::new(), Vec::new(), Vec::new());
        Mixer { space, from, to, place, differing, due, mixed, taken, choices: 0, found }
    }

    fn value(&self, term: Term) -> u128 {
        Evaluator::new(&self.space.equation.terms, &self.mixed).value(term)
    }

    /// Values of the variables from `start` on, `size` of `left` differences taken from the passing run.
    fn search(&mut self, start: usize, size: usize, left: usize) {
        self.choices += 1;
        if size > left || self.choices > MOST_CHOICES {
            return;
        }
        let equation = &self.space.equation;
        for index in start..equation.variables.len() {
            let variable = &equation.variables[index];
            let definition = variable.definition;
            if let Some(place) = self.differing[index] {
                let new = self.to.values[index];
                if size > 0 && definition.is_none_or(|definition| self.value(definition) == new) {
                    self.mixed.set(variable.symbol, new);
                    if self.holds(index) {
                        self.taken.push(place);
                        self.search(index + 1, size - 1, left - 1);
                        self.taken.pop();
                    }
                }
                self.mixed.set(variable.symbol, self.from.values[index]);
                if self.holds(index) {
                    self.search(index + 1, size, left - 1);
                }
                return;
            }
            let value = match (self.place[index], definition) {
                (Some(_), _) => self.from.values[index],
                // What does not count follows from what does.
                (None, Some(definition)) => self.value(definition),
                (None, None) => self.to.values[index],
            };
            self.mixed.set(variable.symbol, value);
            if !self.holds(index) {
                return;
            }
        }
        if size == 0 {
            let mut taken = self.taken.clone();
            taken.sort_unstable();
            self.found.push(taken);
        }
    }

    fn holds(&self, index: usize) -> bool {
        self.due[index].iter().all(|term| self.value(*term) == 1)
    }
}

/// For every free variable the values that it can have in an execution that is not excluded, and that matter.
fn domains(equation: &Equation, held: &[(usize, Term)]) -> Vec<(Term, Vec<u128>)> {
    let by_symbol = by_symbol(equation);
    let mut used: BTreeSet<usize> = BTreeSet::new();
    for variable in &equation.variables {
        used.extend(variable.definition.iter().flat_map(|term| direct(equation, &by_symbol, *term)));
    }
    for step in &equation.steps {
        used.extend(direct(equation, &by_symbol, step.guard));
        if let StepKind::Assume { condition } | StepKind::Claim { condition, .. } = step.kind {
            used.extend(direct(equation, &by_symbol, condition));
        }
    }
    let assumed = |(step, _): &&(usize, Term)| matches!(equation.steps[*step].kind, StepKind::Assume { .. });
    let conjuncts = held.iter().filter(assumed).flat_map(|(_, term)| conjuncts(equation, *term));
    let conjuncts: Vec<(Term, Reach)> = conjuncts.map(|term| (term, Reach::of(equation, &[term]))).collect();
    let mut domains = Vec::new();
    for (index, variable) in equation.variables.iter().enumerate() {
        if variable.definition.is_some() {
            continue;
        }
        let width = equation.terms.width(variable.symbol);
        // A variable that nothing depends on is never changed: in these tests it is 0.
        let size = if !used.contains(&index) { 1 } else { 1 << width.min(16) };
        let mut domain: Vec<u128> = (0..size).collect();
        for (conjunct, reach) in &conjuncts {
            if reach.free(equation) == [index] {
                domain.retain(|value| reach.evaluate(equation, variable.symbol, *value, *conjunct) == 1);
            }
        }
        // Too wide to be looked at: more than is allowed in all.
        if width > 16 && used.contains(&index) {
            domain = vec![0; MOST_EXECUTIONS + 1];
        }
        domains.push((variable.symbol, domain));
    }
    domains
}

fn conjuncts(equation: &Equation, term: Term) -> Vec<Term> {
    match equation.terms.node(term) {
        Node::And(a, b) => [conjuncts(equation, a), conjuncts(equation, b)].concat(),
        _ => vec![term],
    }
}

fn by_symbol(equation: &Equation) -> HashMap<Term, usize> {
    equation.variables.iter().enumerate().map(|(index, variable)| (variable.symbol, index)).collect()
}

/// The variables in a term.
fn direct(equation: &Equation, by_symbol: &HashMap<Term, usize>, term: Term) -> BTreeSet<usize> {
    let (mut todo, mut seen, mut found) = (vec![term], BTreeSet::new(), BTreeSet::new());
    while let Some(term) = todo.pop() {
        if seen.insert(term) {
            found.extend(by_symbol.get(&term));
            todo.extend(equation.terms.node(term).operands().iter());
        }
    }
    found
}

/// All variables that terms depend on, through definitions.
struct Reach {
    variables: BTreeSet<usize>,
}

impl Reach {
    fn of(equation: &Equation, terms: &[Term]) -> Reach {
        let by_symbol = by_symbol(equation);
        let mut variables = BTreeSet::new();
        let mut todo: Vec<usize> = terms.iter().flat_map(|term| direct(equation, &by_symbol, *term)).collect();
        while let Some(index) = todo.pop() {
            if variables.insert(index) {
                let definition = equation.variables[index].definition;
                todo.extend(definition.iter().flat_map(|term| direct(equation, &by_symbol, *term)));
            }
        }
        Reach { variables }
    }

    fn free(&self, equation: &Equation) -> Vec<usize> {
        let is_free = |index: &usize| equation.variables[*index].definition.is_none();
        self.variables.iter().copied().filter(is_free).collect()
    }

    /// The value of a term that depends on one free variable.
    fn evaluate(&self, equation: &Equation, free: Term, value: u128, term: Term) -> u128 {
        let mut values = Assignment::new();
        values.set(free, value);
        for index in &self.variables {
            let variable = &equation.variables[*index];
            if let Some(definition) = variable.definition {
                let value = Evaluator::new(&equation.terms, &values).value(definition);
                values.set(variable.symbol, value);
            }
        }
        Evaluator::new(&equation.terms, &values).value(term)
    }
}
