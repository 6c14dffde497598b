//! Lines that may be wrong, the most suspect first, each with its reasons.
//!
//! Every line of the user's on which the violated claim depends in the failing run, or where a nearest passing run differs,
//! is judged by evidence of different kinds, none of which knows where the fault is:
//!
//! | evidence | weight |
//! |---|---|
//! | it orders two values whose being equal causes the failure: a wrong boundary looks like this | 3 |
//! | one of the differences that matter arises here | 2 |
//! | another value here would have saved the failing run, and what is kept would have been | 2 |
//! | another value here would have saved the failing run | 1 |
//! | what the claim needs is freed here | 3 |
//! | in the failing run it compares what another cause relates | 1 |
//! | another difference arises here, or one of another passing run that is as near | 1 |
//! | it computes something, rather than passing it on | 1 |
//! | only one of the two runs executes it | 1 |
//! | it is in the neighbourhood of the error whichever way the claim fails, and there is other evidence | 1 |
//! | it only returns a variable | -1 |
//!
//! A difference between two values that meet where paths join arises at the statement that the two runs do not execute
//! alike: that of the failing run's value, that of the passing run's, or both.
//!
//! Of lines with the same weight those with differences that matter come first, and then what the failing run comes
//! across first: that is nearer to where things went wrong. The claim itself, inputs and trusted functions are never suspects.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use nearmiss_logic::eval::Evaluator;
use nearmiss_logic::term::{Node, Term};
use nearmiss_logic::width::sign_extend;

use super::cause::written;
use super::definitions::Definitions;
use super::repair;
use super::rescue::{Did, Line, Rescue};
use crate::compared::Relation;
use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{Cause, Delta, DeltaKind, Executed, Reason, Suspect};
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::{Author, BranchRole, FunctionId, Program, StatementKind};
use nearmiss_program::source::{Sources, Span};

/// So many lines are asked whether they could have saved the run.
const MOST_ASKED: usize = 300;

/// Everything that is known, causes aside.
pub struct Evidence<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a Sources,
    /// The failing run.
    pub failing: &'a Execution,
    /// The passing run, if there is one.
    pub passing: Option<&'a Execution>,
    /// The step of the violated claim.
    pub claim: usize,
    /// All differences.
    pub deltas: &'a [Delta],
    /// Those of other passing runs that are as near.
    pub of_others: &'a [Vec<Delta>],
    /// Those that matter.
    pub slice: &'a [Delta],
    /// Functions that are never suspects.
    pub trusted: &'a dyn Fn(FunctionId) -> bool,
    /// The lines on which the claim depends in the failing run, as it was executed.
    pub lines: &'a BTreeMap<Line, Did>,
}

/// A line and what speaks against it.
struct Judged {
    line: Line,
    span: Span,
    function: FunctionId,
    /// Its steps, in order.
    steps: Vec<usize>,
    reasons: Vec<Reason>,
}

/// Lines, and what was found out by asking about them.
pub struct Asked {
    lines: Vec<Judged>,
    /// For each line whether another value there would have saved the failing run, and what is kept would have been.
    saved: Vec<bool>,
    /// Lines where another value would have saved the failing run.
    rescued: BTreeSet<Line>,
}

/// Asks of every line whether another value there would have saved the failing run; `demands` is what a passing run has in
/// common with it, `rescue` the failing run with any line left open.
pub fn ask(equation: &mut Equation, evidence: &Evidence, demands: &[Term], rescue: &Rescue, stop: &Stop) -> Asked {
    let lines = candidates(equation, evidence);
    let groups: Vec<Vec<usize>> = lines.iter().take(MOST_ASKED).map(|line| line.steps.clone()).collect();
    let answers = repair::repairs(equation, evidence.failing, &groups, demands, stop);
    let mut saved: Vec<bool> = answers.into_iter().map(|answer| answer == Some(true)).collect();
    saved.resize(lines.len(), false);
    let unsaved = lines.iter().zip(&saved).filter(|(line, saved)| !**saved && evidence.lines.contains_key(&line.line));
    let unsaved: Vec<Line> = unsaved.map(|(line, _)| line.line).collect();
    let answers = rescue.saved(&unsaved);
    let rescued = unsaved.into_iter().zip(answers).filter(|(_, saved)| *saved).map(|(line, _)| line).collect();
    Asked { lines, saved, rescued }
}

/// The suspects; causes come with what each of them is about.
pub fn suspects(
    equation: &Equation,
    evidence: &Evidence,
    asked: Asked,
    neighbourhood: &BTreeSet<Line>,
    causes: (&[Cause], &[Relation]),
) -> Vec<Suspect> {
    let Asked { lines, saved, rescued } = asked;
    let definitions = Definitions::of(equation);
    let returns = calls_under_way(equation, evidence);
    let mut weighed: Vec<(i32, Judged)> = Vec::new();
    for (mut line, is_saved) in lines.into_iter().zip(saved) {
        let is_here = |(_, span): &(FunctionId, Span)| evidence.line(*span) == line.line;
        let at = |delta: &&Delta| delta.made_at.iter().any(is_here) && delta.kind != DeltaKind::Input;
        let is_executed = |delta: &Delta| delta.executed != Executed::Neither;
        let cause = compared_cause(equation, &definitions, evidence, causes, &line.steps);
        let mut weight = 0;
        let mut give = |reason: Reason, points: i32| {
            weight += points;
            line.reasons.push(reason);
        };
        if let Some(cause) = cause {
            let points = if is_equality(cause) { 3 } else { 1 };
            give(Reason::Cause(cause.text.clone()), points);
        }
        if evidence.slice.iter().any(|delta| at(&delta)) {
            give(Reason::Slice, 2);
        } else if evidence.deltas.iter().filter(at).any(is_executed) {
            give(Reason::Difference, 1);
        } else if evidence.of_others.iter().flatten().filter(at).any(is_executed) {
            give(Reason::DifferenceElsewhere, 1);
        }
        if evidence.lines.get(&line.line).is_some_and(|did| did.freed) {
            give(Reason::Freed, 3);
        }
        if is_saved {
            give(Reason::Repair, 2);
        } else if rescued.contains(&line.line) {
            give(Reason::Repair, 1);
        }
        // A run may ask for a `case` without coming to its line, and come there without asking.
        let come: Vec<usize> =
            line.steps.iter().copied().filter(|step| !is_case(&equation.steps[*step].kind)).collect();
        let runs = |execution: &Execution| come.iter().any(|step| execution.executed[*step]);
        // What is constant is no step.
        match (runs(evidence.failing), evidence.passing.map(runs)) {
            _ if come.is_empty() => {}
            (true, Some(false)) => give(Reason::OnlyFailing, 1),
            (false, Some(true)) if !come.iter().any(|step| returns.contains(step)) => give(Reason::OnlyPassing, 1),
            _ => {}
        }
        if weight > 0 {
            if neighbourhood.contains(&line.line) {
                weight += 1;
                line.reasons.push(Reason::Focus);
            }
            weight += match work(equation, &line.steps) {
                Work::Computes => 1,
                Work::PassesOn => 0,
                Work::Returns => -1,
            };
            weighed.push((weight, line));
        }
    }
    // Stable: what is alike in this stays in order of execution.
    weighed.sort_by_key(|(weight, line)| std::cmp::Reverse((*weight, line.reasons.contains(&Reason::Slice))));
    let suspect = |(_, line): (i32, Judged)| Suspect {
        span: line.span,
        function: line.function,
        because: line.reasons,
        rescues: None,
    };
    weighed.into_iter().map(suspect).collect()
}

/// The failing run comes to the calls that it fails in, though no step says so: what would be its next step after each.
fn calls_under_way(equation: &Equation, evidence: &Evidence) -> BTreeSet<usize> {
    let (_, later) = equation.steps.split_at(evidence.claim);
    let mut depth = later[0].depth;
    let mut found = BTreeSet::new();
    for (index, step) in later.iter().enumerate().filter(|(_, step)| counts(&step.kind)) {
        if step.depth < depth && evidence.failing.meets(equation, step.guard) {
            found.insert(evidence.claim + index);
            depth = step.depth;
        }
    }
    found
}

impl Evidence<'_> {
    /// The differences of all nearest runs.
    fn all_deltas(&self) -> impl Iterator<Item = &Delta> {
        self.deltas.iter().chain(self.of_others.iter().flatten())
    }

    fn line(&self, span: Span) -> Line {
        (span.file, self.sources.physical_line(span.file, span.start))
    }

    /// Is it in the text of a trusted function? What an argument is set to there belongs to the function that is called.
    fn is_in_trusted(&self, span: Span) -> bool {
        let functions =
            self.program.functions.iter().enumerate().filter(|(_, function)| function.author == Author::User);
        let trusted = functions.filter(|(number, _)| (self.trusted)(FunctionId(*number as u32)));
        let mut statements = trusted.flat_map(|(_, function)| &function.blocks).flat_map(|block| &block.statements);
        let is_call = |kind: &StatementKind| matches!(kind, StatementKind::Call { .. });
        statements.any(|statement| is_call(&statement.kind) && statement.span.contains(span))
    }

    fn may_be_wrong(&self, equation: &Equation, function: FunctionId, span: Span) -> bool {
        self.program.function(function).author == Author::User
            && !(self.trusted)(function)
            && !self.is_in_trusted(span)
            && !self.sources.file(span.file).system
            && !equation.steps[self.claim].span.contains(span)
    }
}

/// The lines in question, in order of execution, with all their steps.
fn candidates(equation: &Equation, evidence: &Evidence) -> Vec<Judged> {
    let definitions = Definitions::of(equation);
    let step = &equation.steps[evidence.claim];
    let mut roots = vec![step.guard];
    if let StepKind::Claim { condition, .. } = step.kind {
        roots.push(condition);
    }
    let depends = definitions.dependences(equation, Some(evidence.failing), &roots);
    let mut wanted: HashMap<Line, usize> = HashMap::new();
    let mut lines: Vec<Judged> = Vec::new();
    let mut want = |function: FunctionId, span: Span| {
        if evidence.may_be_wrong(equation, function, span) {
            let line = evidence.line(span);
            wanted.entry(line).or_insert_with(|| {
                lines.push(Judged { line, span, function, steps: Vec::new(), reasons: Vec::new() });
                lines.len() - 1
            });
        }
    };
    for variable in depends {
        if let Some(index) = definitions.step(equation.symbol(variable)) {
            let step = &equation.steps[index];
            if counts(&step.kind) {
                want(step.function, step.span);
            }
        }
    }
    for did in evidence.lines.values() {
        want(did.function, did.span);
    }
    for delta in evidence.all_deltas().filter(|d| d.kind != DeltaKind::Input && d.executed != Executed::Neither) {
        for (function, span) in &delta.made_at {
            want(*function, *span);
        }
    }
    for (index, step) in equation.steps.iter().enumerate().filter(|(_, step)| counts(&step.kind)) {
        if let Some(at) = wanted.get(&evidence.line(step.span)) {
            lines[*at].steps.push(index);
        }
    }
    let first = |line: &Judged| line.steps.iter().find(|step| evidence.failing.executed[**step]).copied();
    lines.sort_by_key(|line| (first(line).unwrap_or(usize::MAX), line.line));
    lines
}

fn counts(kind: &StepKind) -> bool {
    matches!(kind, StepKind::Assign { .. } | StepKind::Return { .. } | StepKind::Guard { .. } | StepKind::Branch { .. })
}

fn is_case(kind: &StepKind) -> bool {
    matches!(kind, StepKind::Guard { role: BranchRole::Case, .. })
}

/// What a line does.
#[derive(PartialEq, Eq)]
enum Work {
    /// A new value or truth.
    Computes,
    /// It assigns or tests what was computed elsewhere.
    PassesOn,
    /// It returns a variable.
    Returns,
}

fn work(equation: &Equation, steps: &[usize]) -> Work {
    let mut returns_only = true;
    for step in steps {
        let value = match &equation.steps[*step].kind {
            StepKind::Guard { condition, .. } => Some(*condition),
            StepKind::Assign { value, .. } | StepKind::Return { value, .. } => Some(*value),
            _ => None,
        };
        returns_only &= matches!(equation.steps[*step].kind, StepKind::Return { .. });
        if value.is_some_and(|value| !is_passed_on(equation, value)) {
            return Work::Computes;
        }
    }
    if returns_only { Work::Returns } else { Work::PassesOn }
}

/// Is a value just a variable or a constant, or whether one is zero?
fn is_passed_on(equation: &Equation, value: Term) -> bool {
    let terms = &equation.terms;
    let plain = |term: Term| terms.is_variable(term) || terms.as_const(term).is_some();
    match terms.node(value) {
        Node::Not(inner) => is_passed_on(equation, inner),
        Node::Eq(a, b) => (terms.as_const(a) == Some(0) && plain(b)) || (terms.as_const(b) == Some(0) && plain(a)),
        _ => plain(value),
    }
}

fn is_equality(cause: &Cause) -> bool {
    cause.text.contains(" == ")
}

/// A cause whose variables a line compares with each other in the failing run, with the values that the cause is about; equalities
/// before others.
fn compared_cause<'a>(
    equation: &Equation,
    definitions: &Definitions,
    evidence: &Evidence,
    (causes, relations): (&'a [Cause], &[Relation]),
    steps: &[usize],
) -> Option<&'a Cause> {
    let mut reading = Reading { equation, definitions, evaluator: evidence.failing.evaluator(equation) };
    let mut compared: Vec<Compared> = Vec::new();
    for step in steps.iter().filter(|step| evidence.failing.executed[**step]) {
        let is_users = evidence.program.function(equation.steps[*step].function).author == Author::User;
        match &equation.steps[*step].kind {
            _ if !is_users => {}
            StepKind::Guard { condition: value, .. }
            | StepKind::Assign { value, .. }
            | StepKind::Return { value, .. } => {
                // What decided before which value is read here is not compared here.
                let chooses = written::chooses(evidence.program, equation, *step);
                compared.extend(reading.comparisons(*value, chooses));
            }
            _ => {}
        }
    }
    let mut relates = |(cause, relation): &(&Cause, &Relation)| {
        // `x == 50`: the constant is the last word.
        let constant = cause.text.rsplit(' ').next().filter(|_| cause.variables.len() == 1);
        let words: Vec<&str> = cause.variables.iter().map(String::as_str).chain(constant).collect();
        let of_cause = reading.read(&[relation.term], false);
        let is_it = |compared: &Compared| {
            words.iter().all(|word| compared.words.contains(*word)) && of_cause.values.is_subset(&compared.values)
        };
        words.len() == 2 && compared.iter().any(is_it)
    };
    let mut related: Vec<(&Cause, &Relation)> = causes.iter().zip(relations).collect();
    related.retain(|pair| relates(pair));
    related.sort_by_key(|(cause, _)| !is_equality(cause));
    related.first().map(|(cause, _)| *cause)
}

/// What a comparison reads.
#[derive(Default)]
struct Compared {
    /// The names of variables, and constants.
    words: BTreeSet<String>,
    /// The values, whoever has copied them.
    values: BTreeSet<Term>,
}

/// What is read in the failing run.
struct Reading<'a> {
    equation: &'a Equation,
    definitions: &'a Definitions,
    evaluator: Evaluator<'a>,
}

impl Reading<'_> {
    /// The comparisons in a term; those that choose between its parts may be among them.
    fn comparisons(&mut self, term: Term, choosing: bool) -> Vec<Compared> {
        let mut found = Vec::new();
        for part in self.parts(&[term], choosing) {
            if let Node::Eq(a, b) | Node::Ult(a, b) | Node::Slt(a, b) = self.equation.terms.node(part) {
                found.push(self.read(&[a, b], choosing));
            }
        }
        found
    }

    /// What some terms read.
    fn read(&mut self, terms: &[Term], choosing: bool) -> Compared {
        let mut compared = Compared::default();
        for part in self.parts(terms, choosing) {
            if let Some(variable) = self.definitions.variable(part) {
                compared.words.insert(self.equation.variables[variable.0 as usize].name.to_string());
                compared.values.insert(self.value(part));
            } else if let Some(number) = self.equation.terms.as_const(part) {
                compared.words.insert(sign_extend(number, self.equation.terms.width(part)).to_string());
            }
        }
        compared
    }

    /// The parts of terms; where there is a choice, what is chosen, and maybe what chooses.
    fn parts(&mut self, of: &[Term], choosing: bool) -> Vec<Term> {
        let (mut parts, mut seen) = (Vec::new(), HashSet::new());
        let mut stack = of.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            parts.push(term);
            match self.equation.terms.node(term) {
                Node::Ite(condition, yes, no) => {
                    stack.extend(choosing.then_some(condition));
                    stack.push(if self.evaluator.holds(condition) { yes } else { no });
                }
                // Of `a && b` that is false, what is false decides.
                Node::And(a, b) if self.equation.terms.width(term) == 1 && !self.evaluator.holds(term) => {
                    stack.extend([a, b].into_iter().filter(|part| !self.evaluator.holds(*part)));
                }
                node => stack.extend(node.operands().iter()),
            }
        }
        parts
    }

    /// The value of a variable: what is copied, chosen or widened is what it was before.
    fn value(&mut self, variable: Term) -> Term {
        let (mut value, mut known) = (variable, variable);
        loop {
            let node = self.equation.terms.node(value);
            value = match (node, self.definitions.definition(self.equation, value)) {
                (Node::Ite(condition, yes, no), _) => {
                    if self.evaluator.holds(condition) {
                        yes
                    } else {
                        no
                    }
                }
                (Node::Zext { term, .. } | Node::Sext { term, .. }, _) => term,
                (_, Some(definition)) => {
                    let is_number = self.equation.terms.as_const(definition).is_some();
                    known = if is_number { value } else { definition };
                    definition
                }
                // The same number may be another value; what is looked up twice is one.
                (Node::Const { .. }, None) => return known,
                (_, None) => return value,
            };
        }
    }
}
