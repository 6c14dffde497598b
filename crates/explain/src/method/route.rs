//! Ways out of a failure, and which of them only avoid the check.
//!
//! The nearest passing run often changes an input so that the check no longer applies (Groce, Chaki, Kroening,
//! Strichman, "Error explanation with distance metrics", section 6.1, which asks the user to assume that away). Here it
//! is read off the structure:
//!
//! - The violated claim is a disjunction: of what would have kept it from being reached, and of its own parts. In the
//!   failing run all of them are false; each is a *route* out of the failure. A route that is computed from inputs by
//!   straight-line code alone is a *precondition* of the check: to change it is to avoid the check.
//! - Below the claim the same happens once more: the computation that ends in the failure may as a whole be under a
//!   condition. A branch that the failing run takes, that is decided from inputs by straight-line code, is no loop, and
//!   under which all other decisions lie on which the claim depends in the failing run, is an *entrance*: a passing run
//!   that does not enter has not done better, it has not done anything.
//!
//! - What decides whether the claim applies need not be straight-line code: `if (mode == 2) on = 1; … assert(!on || …)`.
//!   That the claim is come to, and the parts of it that are written as conditions (a truth or mode that branches set,
//!   beside a part that compares computed values), are its *antecedents*. A run that keeps them satisfies the claim
//!   itself.
//!
//! - Where the claim compares with what a trusted function returned, that is what was *expected*: a run that passes
//!   because something else is expected does not explain why this was not met.
//!
//! A passing run explains the failure if it leaves all of these as they are in the failing run.

use std::collections::{HashMap, HashSet};

use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::{Node, Term};

use super::definitions::Definitions;
use super::encode;
use super::wording::Wording;
use crate::equation::{ClaimRef, Equation, Step, StepKind};
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;
use nearmiss_program::dependence::{self, Parent};
use nearmiss_program::program::{
    Block, BranchRole, ClaimId, ClaimKind, ExprId, ExprKind, FunctionId, Program, StatementKind, Terminator, Type,
};
use nearmiss_program::source::{Sources, Span};

/// So many branches are found at most by asking the solver, with so many conflicts each.
const MOST_NEEDED: usize = 32;
const MOST_CONFLICTS: u64 = 2_000;

/// Something that a passing run keeps as it is in the failing run.
#[derive(Clone, Debug)]
pub struct Kept {
    /// What holds in the failing run.
    pub term: Term,
    /// The branch that decides it; none for a part of the claim.
    pub branch: Option<usize>,
    /// The branch whose condition the claim is, if it is one: `if (bad) error();`.
    pub stands: Option<usize>,
    /// Whether there is a condition in the program that says it.
    pub told: bool,
    /// Whether the claim may be come to another way, or another time, where it does not hold.
    pub one_of_ways: bool,
    /// What the text of the claim has to do with it.
    pub in_claim: InClaim,
    /// Whether it chooses in the claim which side is asked: `a` in `a ? p : q`. Where it is otherwise, the rest is not asked.
    pub chooses: bool,
}

/// What the text of a claim says of a condition that it may apply under.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InClaim {
    /// Nothing: it is outside.
    Nothing,
    /// That the claim applies only there: `p` in `!p || q`.
    Applies,
    /// It is a part like the others; what it is for is a guess.
    Part,
}

impl Kept {
    /// Something that a branch or the claim says.
    pub fn new(term: Term, branch: Option<usize>) -> Kept {
        Kept { term, branch, stands: None, told: true, one_of_ways: false, in_claim: InClaim::Nothing, chooses: false }
    }
}

/// The ways out of a failure.
#[derive(Clone, Debug, Default)]
pub struct Routes {
    /// What the claim applies under.
    pub preconditions: Vec<Kept>,
    /// What the computation is under, outermost first.
    pub entrances: Vec<Kept>,
    /// What trusted functions told the claim to expect.
    pub expected: Vec<Kept>,
    /// What else the claim applies under, however it is computed.
    pub antecedents: Vec<Kept>,
    /// The routes that are not preconditions: at least one of them is true in a passing run that explains.
    pub others: Vec<Term>,
    /// Those of them that satisfy the claim where it applies.
    pub satisfying: Vec<Term>,
    /// The claim is come to, and applies as in the failing run, where all of these hold.
    pub applies: Vec<Kept>,
}

/// The first step of the failing run within the text of the claim that it violates: parts of `&&`, `||` and `?:` are
/// steps of their own.
pub fn entry(equation: &Equation, failing: &Execution, claim: usize) -> usize {
    let own = &equation.steps[claim];
    let is_text = |at: &usize| {
        let step = &equation.steps[*at];
        step.depth == own.depth && own.span.contains(step.span) && !matches!(step.kind, StepKind::Phi { .. })
    };
    let (first, _) = equation.evaluation(claim).into_inner();
    (first..claim).filter(|at| failing.executed[*at]).find(is_text).unwrap_or(claim)
}

/// What routes are read off.
pub struct Violated<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a Sources,
    /// The failing run.
    pub failing: &'a Execution,
    /// The step of the claim that it violates.
    pub claim: usize,
}

/// The routes out of the failure of a claim. `trusted` functions have no say in what the computation is.
pub fn routes(
    violated: &Violated<'_>,
    equation: &mut Equation,
    trusted: &dyn Fn(FunctionId) -> bool,
    stop: &Stop,
) -> Routes {
    let Violated { program, failing, claim, .. } = *violated;
    let mut reading = Reading::new(program, equation);
    let mut routes = Routes::default();
    let Some(Said { guard, condition, written, stands }) = reading.said(claim) else { return routes };
    let has_more = reading.equation.comes_again(claim);
    // The check is come to where its text begins; how far it is evaluated is a part of what it says.
    let entry = if stands.is_some() { claim } else { entry(reading.equation, failing, claim) };
    let outer = if entry == claim { guard } else { reading.equation.steps[entry].guard };
    let mut to_get_there = Vec::new();
    reading.disjuncts(outer, Polarity::Negative, Written::AsItIs, &mut to_get_there);
    let mut parts = Vec::new();
    let is_evaluated_whole = outer == guard || reading.parts_before(violated, [outer, guard], &mut parts);
    let (said, unsaid): (Vec<_>, Vec<_>) = to_get_there.into_iter().partition(|way| reading.is_said(way));
    if unsaid.iter().any(|disjunct| reading.is_path_condition(disjunct.term)) {
        routes.preconditions = reading.needed_to_reach(failing, entry, outer, stop);
        routes.preconditions.iter_mut().for_each(|kept| kept.one_of_ways = has_more);
    }
    if !unsaid.is_empty() {
        routes.antecedents.push(Kept { told: false, ..Kept::new(outer, None) });
    }
    let blamed = reading.blamed(failing, (condition, Polarity::Positive, written), &mut parts);
    reading.disjuncts(blamed.0, blamed.1, blamed.2, &mut parts);
    reading.mark_plain(claim, &mut parts);
    let (antecedents, mut consequents) =
        if reading.is_plain_check(claim) { (Vec::new(), parts) } else { reading.parted(condition, parts) };
    // What the text does not say is no condition that it sets: it was found by computing.
    let (antecedents, unsaid): (Vec<_>, Vec<_>) =
        antecedents.into_iter().partition(|part| part.branch.is_some() || reading.is_in_text(claim, part.term));
    consequents.extend(unsaid);
    routes.applies.push(Kept { told: false, ..Kept::new(outer, None) });
    let said = said.into_iter().map(|way| (way, true)).chain(antecedents.into_iter().map(|part| (part, false)));
    for (Disjunct { term, branch, denied, chooses, .. }, is_outside) in said {
        let one_of_ways = is_outside && branch.is_some() && has_more;
        let kept = Kept::new(reading.equation.terms.not(term), branch);
        let in_claim = match (is_outside, denied) {
            (true, _) => InClaim::Nothing,
            (false, true) => InClaim::Applies,
            (false, false) => InClaim::Part,
        };
        let kept = Kept { one_of_ways, stands, in_claim, chooses, ..kept };
        routes.applies.push(kept.clone());
        if reading.is_straight_line(term) {
            routes.preconditions.push(kept);
        } else {
            routes.others.push(term);
            routes.antecedents.push(kept);
        }
    }
    routes.satisfying = consequents.into_iter().map(|disjunct| disjunct.term).collect();
    if !is_evaluated_whole {
        let otherwise = reading.equation.terms.not(guard);
        routes.satisfying.push(reading.equation.terms.and(outer, otherwise));
    }
    routes.others.extend(&routes.satisfying);
    routes.expected = reading.expected(failing, condition, trusted);
    routes.entrances = reading.entrances(failing, &routes.others, trusted);
    routes
}

/// Does the text of a claim deny what it asks at some place, and the failing run find it true there: `p` in `!(p && q)`?
fn is_denied(sources: &Sources, claim: Span, asked: Span, holds: bool) -> bool {
    let (text, own) = (sources.text(claim), sources.text(asked));
    let Some(before) = text.get(..asked.start.saturating_sub(claim.start) as usize) else { return false };
    let mut open = Vec::new();
    let mut last = ' ';
    for letter in before.chars().filter(|letter| !letter.is_whitespace()) {
        match letter {
            '(' => open.push(last == '!'),
            ')' => _ = open.pop(),
            _ => {}
        }
        last = letter;
    }
    let denials = open.iter().filter(|denied| **denied).count() + usize::from(last == '!');
    match own.strip_prefix('!') {
        Some(_) => denials % 2 == 0 && !holds,
        None => denials % 2 == 1 && holds,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Positive,
    Negative,
}

/// What a claim says.
struct Said {
    /// When it is come to.
    guard: Term,
    condition: Term,
    written: Written,
    /// The branch whose condition that is.
    stands: Option<usize>,
}

/// How a condition stands in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    AsItIs,
    /// What stands there is its opposite.
    Denied,
}

/// A part of a disjunction: the term, and the branch whose condition it is (part of).
struct Disjunct {
    term: Term,
    branch: Option<usize>,
    /// Whether it says that a truth is off which a variable holds.
    off: bool,
    /// Whether the text denies it: `!p`, or `p` in `!(p && q)`.
    denied: bool,
    /// Whether it is what the text asks before `?`.
    chooses: bool,
    /// Whether it stands in the text just so: `locks == 0` is no denial of `locks`.
    plain: bool,
    /// Whether the text writes it with `!=`, as in `mode != 2 || …`, or before `?`: that may be a denial, or what is checked.
    unequal: bool,
}

impl Disjunct {
    fn of(term: Term) -> Disjunct {
        Disjunct { term, branch: None, off: false, denied: false, plain: false, chooses: false, unequal: false }
    }

    /// Says the text that it is off, or another?
    fn is_off(&self) -> bool {
        !self.plain && (self.off || self.denied || self.unequal)
    }
}

/// What a part of a claim says of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// A truth is off, a mode is another: `!on`, `mode != 2`.
    Off,
    /// A truth is on, a mode is this one.
    On,
    /// Something else.
    Other,
}

/// What is looked up again and again.
struct Reading<'a> {
    program: &'a Program,
    equation: &'a mut Equation,
    definitions: Definitions,
    straight: HashMap<Term, bool>,
}

impl<'a> Reading<'a> {
    fn new(program: &'a Program, equation: &'a mut Equation) -> Reading<'a> {
        let definitions = Definitions::of(equation);
        Reading { program, equation, definitions, straight: HashMap::new() }
    }

    /// The step that defines a symbol, and its definition.
    fn definer(&self, symbol: Term) -> Option<(usize, Term)> {
        Some((self.definitions.step(symbol)?, self.definitions.definition(self.equation, symbol)?))
    }

    /// Where paths have met, "not reached" is no single condition; those that the unwinding cut off are among them.
    fn is_said(&self, way: &Disjunct) -> bool {
        let is_and = matches!(self.equation.terms.node(way.term), Node::And(..));
        way.branch.is_some() && !(is_and && self.is_path_condition(way.term))
    }

    /// What the text of a claim asks before the part that is violated. Whether that is all that keeps a run from coming to
    /// that part.
    fn parts_before(&mut self, violated: &Violated<'_>, [outer, guard]: [Term; 2], parts: &mut Vec<Disjunct>) -> bool {
        let (mut outside, mut all) = (Vec::new(), Vec::new());
        self.disjuncts(outer, Polarity::Negative, Written::AsItIs, &mut outside);
        self.disjuncts(guard, Polarity::Negative, Written::AsItIs, &mut all);
        all.retain(|way| !outside.iter().any(|other| other.term == way.term));
        let claim = self.equation.steps[violated.claim].span;
        let function = self.equation.steps[violated.claim].function;
        let mut are_all = true;
        for way in all {
            let step = way.branch.map(|branch| &self.equation.steps[branch]);
            match step.map(|step| (step, &step.kind)) {
                Some((step, StepKind::Guard { condition, .. }))
                    if self.is_said(&way) && step.function == function && claim.contains(step.span) =>
                {
                    let holds = violated.failing.evaluator(self.equation).holds(*condition);
                    let denied = is_denied(violated.sources, claim, step.span, holds);
                    parts.push(Disjunct { denied, ..way });
                }
                _ => are_all = false,
            }
        }
        are_all
    }

    /// When a claim is come to, and what it says. `if (bad) error();` says what the branch does: the claim is that it is
    /// not taken.
    fn said(&mut self, at: usize) -> Option<Said> {
        let step = &self.equation.steps[at];
        let StepKind::Claim { condition, claim, .. } = step.kind else { return None };
        let guard = step.guard;
        let own = Said { guard, condition, written: Written::AsItIs, stands: None };
        let is_never_met = self.is_never_met(step.function, claim) && !self.is_decided_by_constant(at, claim);
        let terms = &self.equation.terms;
        let not_taken = |term: Term| match terms.node(term) {
            Node::Not(inner) => self.guard_step(inner),
            _ => None,
        };
        let branch = match terms.node(guard) {
            _ if self.guard_step(guard).is_some() => self.guard_step(guard).map(|step| (step, true)),
            Node::Not(_) => not_taken(guard).map(|step| (step, false)),
            // What is reached where an inner branch is not taken.
            Node::And(a, b) => [(a, b), (b, a)].into_iter().find_map(|(outer, side)| {
                let step = not_taken(side).filter(|step| self.equation.steps[*step].guard == outer)?;
                Some((step, false))
            }),
            _ => None,
        };
        let Some((step, taken)) = branch else { return Some(own) };
        let StepKind::Guard { condition: asked, .. } = self.equation.steps[step].kind else { return Some(own) };
        let (guard, stands) = (self.equation.steps[step].guard, Some(step));
        let said = match taken {
            true => Said { guard, condition: self.equation.terms.not(asked), written: Written::Denied, stands },
            false => Said { guard, condition: asked, written: Written::AsItIs, stands },
        };
        // `if (!(c)) { errors++; assert(c); }` cannot hold either.
        let is_denied = taken && said.condition == condition;
        Some(if is_never_met || is_denied { said } else { own })
    }

    /// Is a claim written so that it cannot hold: `assert(0)`, `reach_error()`?
    fn is_never_met(&self, function: FunctionId, wanted: ClaimRef) -> bool {
        let blocks = &self.program.function(function).blocks;
        blocks.iter().flat_map(|block| &block.statements).any(|statement| match statement.kind {
            StatementKind::Claim { claim, condition, .. } => {
                let is_false = matches!(self.program.expr(condition).kind, ExprKind::Const(0));
                is_false && ClaimRef::Program(claim) == wanted
            }
            _ => false,
        })
    }

    /// Is it a check of ours that a value fits? It always applies, however many ways there are to meet it.
    fn is_plain_check(&self, claim: usize) -> bool {
        let StepKind::Claim { claim: ClaimRef::Program(id), .. } = self.equation.steps[claim].kind else {
            return false;
        };
        let kind = self.program.claims[id.index()].kind;
        let checks = [ClaimKind::Overflow, ClaimKind::Conversion, ClaimKind::Shift, ClaimKind::DivisionByZero];
        checks.contains(&kind) || kind.has_path_behind()
    }

    /// Is a constant what decides, last of all, that a claim is come to? `if (!(y < 2)) error();` where y is always 3.
    fn is_decided_by_constant(&self, at: usize, claim: ClaimRef) -> bool {
        let ClaimRef::Program(claim) = claim else { return false };
        let steps = &self.equation.steps;
        let deciding = deciding(self.program, steps[at].function, claim);
        let is_deciding = |step: &&Step| deciding.contains(&(step.function, step.span));
        let last = steps[..at].iter().rev().filter(|step| step.guard == steps[at].guard).find(is_deciding);
        last.is_some_and(|step| matches!(step.kind, StepKind::Branch { .. }))
    }

    /// The parts of a claim that say when it applies, and those that say what must hold then. What the text denies comes
    /// before what it says (`!(m & 1) || y == 1`), what it writes with `!=` before what it does not, truths that are off
    /// before values (`!on || y <= 10`), as do truths that branches set; of what is left, what is computed from inputs by
    /// straight-line code comes before what is not. Where nothing tells them apart, all must hold.
    /// Where what must hold never does, nothing but conditions is left of the claim.
    fn parted(&mut self, claim: Term, parts: Vec<Disjunct>) -> (Vec<Disjunct>, Vec<Disjunct>) {
        let is_rest = self.is_rest(claim);
        let are_conditions = parts.iter().all(|part| part.is_off() || self.is_of_flag(part.term));
        if is_rest && are_conditions {
            return (parts, Vec::new());
        }
        let last = parts.last().map(|part| part.term);
        let (mut before, mut left) = (Vec::new(), parts);
        let rules: [fn(&mut Reading<'a>, &Disjunct) -> bool; 5] = [
            |_, part| part.denied,
            |_, part| part.unequal,
            |reading, part| {
                let is_of_flag = reading.says(part.term) == Says::Off && reading.is_of_flag(part.term);
                !part.plain && (part.off || is_of_flag)
            },
            |reading, part| reading.is_of_flag(part.term),
            |reading, part| reading.is_straight_line(part.term),
        ];
        for rule in rules {
            let (yes, no): (Vec<_>, Vec<_>) = left.into_iter().partition(|part| rule(self, part));
            if no.is_empty() {
                left = yes;
            } else {
                before.extend(yes);
                left = no;
            }
        }
        if before.is_empty() && left.len() > 1 {
            let is_off = |part: &Disjunct| part.is_off() || (!part.plain && self.says(part.term) == Says::Off);
            let (off, other): (Vec<_>, Vec<_>) = left.into_iter().partition(is_off);
            let are_truths = off.iter().all(|part| part.off || self.is_of_flag(part.term));
            match (other.is_empty(), are_truths) {
                (false, _) => (before, left) = (off, other),
                // `!(p && q)`: the last one written is what must not be.
                (true, true) => {
                    before = off;
                    left = before.pop().into_iter().collect();
                }
                (true, false) => left = off,
            }
        }
        // `a || !(p && q)`: where only what was asked earlier is left, what is asked last must not be.
        let is_earlier = |part: &Disjunct| part.branch.is_some();
        if left.iter().all(is_earlier) && before.last().is_some_and(|part| Some(part.term) == last && !is_earlier(part))
        {
            left.extend(before.pop());
        }
        (before, left)
    }

    /// Is a truth what is left of one whose other parts never hold? Looked at through the variables that it is passed on by.
    fn is_rest(&self, truth: Term) -> bool {
        let terms = &self.equation.terms;
        let mut term = truth;
        loop {
            if self.equation.rests.contains(&term) {
                return true;
            }
            term = match terms.node(term) {
                Node::Not(inner) => inner,
                Node::Zext { term, .. } => term,
                Node::Eq(a, b) if terms.as_const(a) == Some(0) => b,
                Node::Eq(a, b) if terms.as_const(b) == Some(0) => a,
                _ => match self.definer(term) {
                    Some((step, definition)) if !matches!(self.equation.steps[step].kind, StepKind::Phi { .. }) => {
                        definition
                    }
                    _ => return false,
                },
            };
        }
    }

    /// Does the text of a claim speak of all that a part of it is about?
    fn is_in_text(&self, claim: usize, part: Term) -> bool {
        let StepKind::Claim { claim: ClaimRef::Program(id), .. } = self.equation.steps[claim].kind else { return true };
        let text = &self.program.claims[id.index()].text;
        if self.is_never_met(self.equation.steps[claim].function, ClaimRef::Program(id)) {
            return true;
        }
        // Names of calls count as well: an input may go by one.
        let words = |text: &str| -> HashSet<String> {
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned);
            words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_')).collect()
        };
        let said = words(text);
        let wording = Wording::of(self.program, self.equation).condition(part);
        // A truth is called by the variable that holds it.
        let terms = &self.equation.terms;
        let bare = |term: Term| match terms.node(term) {
            Node::Not(inner) => inner,
            _ => term,
        };
        let holds = |definition: Term| match terms.node(definition) {
            Node::Zext { term, .. } if terms.width(term) == 1 => bare(term) == bare(part),
            _ => bare(definition) == bare(part),
        };
        let mut variables = self.equation.variables.iter().filter(|variable| said.contains(&*variable.name));
        wording.is_none_or(|wording| words(&wording).is_subset(&said))
            || variables.any(|variable| variable.definition.is_some_and(holds))
    }

    /// Which parts that look like denials stand in the text of a claim just so? `(a & 1) == 0` of an input may be what it
    /// applies under all the same.
    fn mark_plain(&mut self, claim: usize, parts: &mut [Disjunct]) {
        let StepKind::Claim { claim: ClaimRef::Program(id), .. } = self.equation.steps[claim].kind else { return };
        let bare = |text: &str| -> String { text.chars().filter(|letter| !letter.is_whitespace()).collect() };
        let text = bare(&self.program.claims[id.index()].text);
        for part in parts.iter_mut().filter(|part| part.branch.is_none()) {
            let wording = Wording::of(self.program, self.equation).condition(part.term);
            if wording.is_some_and(|wording| text.contains(&bare(&wording))) {
                let is_guess = part.denied && self.is_straight_line(part.term);
                (part.plain, part.denied) = (!is_guess, false);
                part.unequal |= is_guess;
            }
        }
    }

    /// The value that a part of a claim compares with a constant, and what it says of it.
    fn compared(&self, term: Term) -> Option<(Term, Says)> {
        let terms = &self.equation.terms;
        let (inner, positive) = match terms.node(term) {
            Node::Not(inner) => (inner, false),
            _ => (term, true),
        };
        let (value, is_off) = match terms.node(inner) {
            Node::Eq(a, b) => match (terms.as_const(a), terms.as_const(b)) {
                (Some(constant), None) => (b, positive == (constant == 0)),
                (None, Some(constant)) => (a, positive == (constant == 0)),
                _ => return None,
            },
            _ if terms.is_variable(inner) => (inner, !positive),
            _ => return None,
        };
        Some((value, if is_off { Says::Off } else { Says::On }))
    }

    fn says(&self, term: Term) -> Says {
        self.compared(term).map_or(Says::Other, |(_, says)| says)
    }

    /// Does it compare a value that branches choose among constants and truths?
    fn is_of_flag(&self, term: Term) -> bool {
        let Some((value, _)) = self.compared(term) else { return false };
        let terms = &self.equation.terms;
        let mut todo = vec![value];
        let mut seen = HashSet::new();
        let mut is_chosen = false;
        while let Some(term) = todo.pop() {
            if !seen.insert(term) || terms.as_const(term).is_some() {
                continue;
            }
            match (self.definer(term), terms.node(term)) {
                (Some((_, definition)), _) => todo.push(definition),
                (None, Node::Ite(_, yes, no)) => {
                    is_chosen = true;
                    todo.extend([yes, no]);
                }
                (None, Node::Zext { term, .. }) if terms.width(term) == 1 => {}
                _ if terms.width(term) == 1 && !terms.is_variable(term) => is_chosen = true,
                _ => return false,
            }
        }
        is_chosen
    }

    /// What of a claim the failing run violates: of `p && (m != 2 || q)` the one side that does not hold, of `a ? p : q` the side
    /// that it comes to, where `a` may be what that applies under. A passing run satisfies the rest of the claim in any case.
    fn blamed(
        &mut self,
        failing: &Execution,
        whole: (Term, Polarity, Written),
        asked: &mut Vec<Disjunct>,
    ) -> (Term, Polarity, Written) {
        let (mut blamed, mut at) = (whole, whole);
        loop {
            let (term, polarity, written) = at;
            let is_met = |term: Term, equation: &Equation| failing.meets(equation, term);
            if self.equation.wholes.contains(&term) {
                return blamed;
            }
            let told = self.as_written(term, polarity, written);
            at = match (self.equation.terms.node(term), polarity) {
                (Node::Not(inner), Polarity::Positive) => (inner, Polarity::Negative, written),
                (Node::Not(inner), Polarity::Negative) => (inner, Polarity::Positive, written),
                (Node::And(a, b), Polarity::Positive) => {
                    match [is_met(a, self.equation), is_met(b, self.equation)] {
                        [true, false] => blamed = (b, polarity, told),
                        [false, true] => blamed = (a, polarity, told),
                        _ => return blamed,
                    }
                    blamed
                }
                (Node::And(..), Polarity::Negative) => return blamed,
                _ => match (self.chosen(term), self.written_out(term)) {
                    (Some([choice, yes, no]), _) => {
                        let holds = is_met(choice, self.equation);
                        let otherwise = if holds { self.equation.terms.not(choice) } else { choice };
                        let part = Disjunct { chooses: true, unequal: true, ..Disjunct::of(otherwise) };
                        asked.push(part);
                        blamed = (if holds { yes } else { no }, polarity, told);
                        blamed
                    }
                    (None, Some(inside)) => (inside, polarity, told),
                    (None, None) => return blamed,
                },
            };
        }
    }

    /// What a condition says that compares a truth of its own text, which no variable holds.
    fn written_out(&mut self, term: Term) -> Option<Term> {
        let operands = self.equation.terms.node(term).operands();
        let is_named = self.definer(term).is_some() || operands.iter().any(|side| self.definer(*side).is_some());
        if is_named { None } else { self.seen_through(term, None).map(|(inside, _)| inside) }
    }

    /// What a truth `a ? p : q` is made of, if it is one.
    fn chosen(&mut self, term: Term) -> Option<[Term; 3]> {
        match self.equation.terms.node(term) {
            Node::Ite(choice, yes, no) if self.equation.terms.width(yes) == 1 => Some([choice, yes, no]),
            Node::Eq(a, b) => {
                let (constant, choice) = if self.equation.terms.as_const(a).is_some() { (a, b) } else { (b, a) };
                let Node::Ite(choice, yes, no) = self.equation.terms.node(choice) else { return None };
                let are_truths = [constant, yes, no].into_iter().all(|value| self.is_truth(value));
                let terms = &mut self.equation.terms;
                are_truths.then(|| [choice, terms.eq(constant, yes), terms.eq(constant, no)])
            }
            _ => None,
        }
        .filter(|[_, yes, no]| [*yes, *no].into_iter().all(|side| self.equation.terms.as_const(side).is_none()))
    }

    /// Splits a term, or its negation, into the disjuncts that it is made of. What the text does not divide is one.
    fn disjuncts(&mut self, term: Term, polarity: Polarity, written: Written, found: &mut Vec<Disjunct>) {
        let mut todo = vec![(term, polarity, None, (false, written))];
        let mut seen = HashSet::new();
        while let Some((term, polarity, branch, (off, written))) = todo.pop() {
            if self.equation.terms.as_const(term).is_some() || !seen.insert((term, polarity == Polarity::Positive)) {
                continue;
            }
            let told = (off, self.as_written(term, polarity, written));
            match (self.equation.terms.node(term), polarity) {
                // The same condition, so the text is looked at below.
                (Node::Not(inner), Polarity::Positive) => {
                    todo.push((inner, Polarity::Negative, branch, (off, written)));
                }
                (Node::Not(inner), Polarity::Negative) => {
                    todo.push((inner, Polarity::Positive, branch, (off, written)));
                }
                (Node::And(a, b), Polarity::Negative) if !self.equation.wholes.contains(&term) => {
                    todo.extend([(b, polarity, branch, told), (a, polarity, branch, told)]);
                }
                _ => match self.seen_through(term, branch) {
                    Some((inside, branch)) => {
                        let wanted = if polarity == Polarity::Positive { Says::Off } else { Says::On };
                        let off = off || self.says(term) == wanted;
                        todo.push((inside, polarity, branch, (off, told.1)));
                    }
                    None => {
                        let negated = polarity == Polarity::Negative;
                        let term = if negated { self.equation.terms.not(term) } else { term };
                        let denied = told.1 == Written::Denied;
                        let unequal = !denied && self.equation.unequals.contains(&term);
                        found.push(Disjunct { branch, off, denied, unequal, ..Disjunct::of(term) });
                    }
                },
            }
        }
    }

    /// How a condition stands in the text below a `!`, if it stands below one.
    fn as_written(&mut self, term: Term, polarity: Polarity, written: Written) -> Written {
        let opposite = self.equation.terms.not(term);
        // What stands in the text is the condition itself, or its opposite where that is denied.
        let stands = match (polarity == Polarity::Positive, written) {
            (true, Written::AsItIs) | (false, Written::Denied) => term,
            (false, Written::AsItIs) | (true, Written::Denied) => opposite,
        };
        match (self.equation.denials.contains(&stands), written) {
            (false, written) => written,
            (true, Written::AsItIs) => Written::Denied,
            (true, Written::Denied) => Written::AsItIs,
        }
    }

    /// What a Boolean term says if the variable in it is replaced by its definition, where that is a Boolean in turn: a
    /// path condition, or a truth value kept in a variable.
    fn seen_through(&mut self, term: Term, branch: Option<usize>) -> Option<(Term, Option<usize>)> {
        if self.equation.wholes.contains(&term) {
            return None;
        }
        if let Some((step, definition)) = self.definer(term) {
            return match self.equation.steps[step].kind {
                StepKind::Guard { .. } => Some((definition, Some(step))),
                StepKind::Phi { .. } => None,
                _ => Some((definition, branch)),
            };
        }
        let Node::Eq(a, b) = self.equation.terms.node(term) else { return None };
        let (constant, symbol) = match (self.equation.terms.as_const(a), self.equation.terms.as_const(b)) {
            (Some(_), None) => (a, b),
            (None, Some(_)) => (b, a),
            _ => return None,
        };
        // `p || f()`, where only one side is a constant: a truth that no variable of the program holds.
        if let Node::Ite(choice, yes, no) = self.equation.terms.node(symbol) {
            if ![constant, yes, no].into_iter().all(|value| self.is_truth(value)) {
                return None;
            }
            let terms = &mut self.equation.terms;
            let (yes, no) = (terms.eq(constant, yes), terms.eq(constant, no));
            let is_settled = terms.as_const(yes).is_some() || terms.as_const(no).is_some();
            return is_settled.then(|| (self.equation.terms.ite(choice, yes, no), branch));
        }
        let (step, definition) = self.definer(symbol)?;
        if matches!(self.equation.steps[step].kind, StepKind::Phi { .. }) {
            return None;
        }
        let is_copy = self.definer(definition).is_some();
        let is_truth = self.equation.terms.as_const(definition).is_none() && self.is_truth(definition);
        (is_copy || is_truth).then(|| (self.equation.terms.eq(constant, definition), branch))
    }

    /// Is a value, whatever its width, one of 0 and 1 by the way it is made?
    fn is_truth(&self, value: Term) -> bool {
        let terms = &self.equation.terms;
        match terms.node(value) {
            Node::Zext { term, .. } => terms.width(term) == 1,
            _ => terms.width(value) == 1 || terms.as_const(value).is_some_and(|value| value <= 1),
        }
    }

    /// Is a term computed from inputs by straight-line code alone? Values that meet where the program's branches join
    /// are not; neither is what is chosen by a path condition.
    fn is_straight_line(&mut self, term: Term) -> bool {
        enum Visit {
            Enter(Term),
            Leave(Term),
        }
        let mut todo = vec![Visit::Enter(term)];
        while let Some(visit) = todo.pop() {
            let (term, entering) = match visit {
                Visit::Enter(term) => (term, true),
                Visit::Leave(term) => (term, false),
            };
            let definer = self.definer(term);
            let node = self.equation.terms.node(term);
            let operands = node.operands();
            let mut below = operands.iter().copied().chain(definer.map(|(_, definition)| definition));
            if !entering {
                let all = below.all(|term| self.straight[&term]);
                self.straight.insert(term, all);
            } else if !self.straight.contains_key(&term) {
                let is_phi = |step: usize| matches!(self.equation.steps[step].kind, StepKind::Phi { .. });
                let joins = match node {
                    Node::Ite(condition, ..) => self.is_path_condition(condition) || self.is_callee(condition),
                    _ => definer.is_some_and(|(step, _)| is_phi(step)),
                };
                if joins {
                    self.straight.insert(term, false);
                    continue;
                }
                todo.push(Visit::Leave(term));
                todo.extend(below.map(Visit::Enter));
            }
        }
        self.straight[&term]
    }

    fn is_path_condition(&self, term: Term) -> bool {
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            match self.equation.terms.node(term) {
                Node::Not(inner) => todo.push(inner),
                Node::And(a, b) => todo.extend([a, b]),
                _ if self.guard_step(term).is_some() => return true,
                _ => {}
            }
        }
        false
    }

    /// Does a condition say which function a pointer selects?
    fn is_callee(&self, condition: Term) -> bool {
        let Node::Eq(a, b) = self.equation.terms.node(condition) else { return false };
        [a, b].into_iter().filter_map(|term| self.definitions.variable(term)).any(|variable| {
            let Type::Pointer { to } = *self.program.ty(self.equation.variables[variable.0 as usize].ty) else {
                return false;
            };
            matches!(self.program.ty(to), Type::Function { .. })
        })
    }

    fn guard_step(&self, symbol: Term) -> Option<usize> {
        let (step, _) = self.definer(symbol)?;
        matches!(self.equation.steps[step].kind, StepKind::Guard { .. }).then_some(step)
    }

    /// What trusted functions returned that a condition looks at, directly or through copies.
    fn expected(&mut self, failing: &Execution, condition: Term, trusted: &dyn Fn(FunctionId) -> bool) -> Vec<Kept> {
        let mut expected = Vec::new();
        for term in self.equation.terms.post_order(&[condition]) {
            let mut symbol = term;
            while let Some((index, definition)) = self.definer(symbol) {
                let step = &self.equation.steps[index];
                if matches!(step.kind, StepKind::Return { .. }) && trusted(step.function) {
                    let value = failing.evaluator(self.equation).value(symbol);
                    let value = self.equation.terms.constant(self.equation.terms.width(symbol), value);
                    expected.push(Kept::new(self.equation.terms.eq(symbol, value), None));
                    break;
                }
                symbol = definition;
            }
        }
        expected
    }

    /// Branches decided from inputs by straight-line code that every execution that reaches a step takes as the failing
    /// run does, loops that go beyond the bound aside. The solver is asked, one branch at a time.
    fn needed_to_reach(&mut self, failing: &Execution, step: usize, guard: Term, stop: &Stop) -> Vec<Kept> {
        let mut blaster = encode::for_easy_questions(stop);
        encode::define(&mut blaster, self.equation);
        for (index, held) in self.equation.held() {
            if matches!(self.equation.steps[index].kind, StepKind::Claim { claim: ClaimRef::Unwinding(_), .. }) {
                blaster.assert(&self.equation.terms, held);
            }
        }
        let reached = blaster.literal(&self.equation.terms, guard);
        let mut needed = Vec::new();
        let branches = (0..step).filter(|branch| failing.executed[*branch]);
        let branches: Vec<usize> = branches.filter(|branch| self.is_choice(*branch)).collect();
        for branch in branches {
            let StepKind::Guard { variable, condition, .. } = self.equation.steps[branch].kind else { continue };
            if stop.requested() {
                break;
            }
            if needed.len() == MOST_NEEDED || !self.is_straight_line(condition) {
                continue;
            }
            let symbol = self.equation.symbol(variable);
            let as_is = if failing.value(variable) == 1 { symbol } else { self.equation.terms.not(symbol) };
            let otherwise = !blaster.literal(&self.equation.terms, as_is);
            blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
            let is_needed = blaster.solver.solve(&[reached, otherwise]) == Outcome::Unsat;
            // What no run does otherwise decides nothing.
            blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
            if is_needed && blaster.solver.solve(&[otherwise]) == Outcome::Sat {
                needed.push(Kept::new(as_is, Some(branch)));
            }
        }
        needed
    }

    fn is_choice(&self, step: usize) -> bool {
        matches!(self.equation.steps[step].kind, StepKind::Guard { role: BranchRole::Choice, .. })
    }

    /// The branches under which the whole computation lies, outermost first.
    fn entrances(&mut self, failing: &Execution, of: &[Term], trusted: &dyn Fn(FunctionId) -> bool) -> Vec<Kept> {
        let mut decisions = self.decisions(failing, of);
        decisions.retain(|step| !trusted(self.equation.steps[*step].function));
        let mut entrances = Vec::new();
        // In order of execution, the outermost comes first.
        while let Some((&first, others)) = decisions.split_first() {
            let step = &self.equation.steps[first];
            let StepKind::Guard { variable, condition, role } = step.kind else { break };
            let symbol = self.equation.symbol(variable);
            let qualifies = role == BranchRole::Choice
                && failing.value(variable) == 1
                && !others.is_empty()
                && self.is_straight_line(condition)
                && self.are_under(others, symbol);
            if !qualifies {
                break;
            }
            entrances.push(Kept::new(symbol, Some(first)));
            decisions.remove(0);
        }
        entrances
    }

    /// The branches on which some terms depend in an execution, in order.
    fn decisions(&self, execution: &Execution, of: &[Term]) -> Vec<usize> {
        let depends = self.definitions.dependences(self.equation, Some(execution), of);
        let mut decisions: Vec<usize> =
            depends.into_iter().filter_map(|variable| self.guard_step(self.equation.symbol(variable))).collect();
        decisions.sort_unstable();
        decisions
    }

    /// Are all these branches reached only where a path condition holds?
    fn are_under(&self, steps: &[usize], guard: Term) -> bool {
        // Of guards that are met on the way up only those are remembered that lie under it.
        let mut under = HashSet::from([guard]);
        for step in steps {
            let start = self.equation.steps[*step].guard;
            let mut todo = vec![start];
            let mut found = false;
            while let Some(term) = todo.pop() {
                if under.contains(&term) {
                    found = true;
                    break;
                }
                match self.equation.terms.node(term) {
                    Node::And(a, b) => todo.extend([a, b]),
                    _ => todo.extend(self.guard_step(term).map(|step| self.equation.steps[step].guard)),
                }
            }
            if !found {
                return false;
            }
            under.insert(start);
            if let StepKind::Guard { variable, .. } = self.equation.steps[*step].kind {
                under.insert(self.equation.symbol(variable));
            }
        }
        true
    }
}

/// The branches that decide whether a claim is come to in its function or, if none does, whether that is called.
fn deciding(program: &Program, mut function: FunctionId, claim: ClaimId) -> HashSet<(FunctionId, Span)> {
    // Where a side of `||` settles it, what is left of the claim is not come to.
    let is_settled = |condition: ExprId| matches!(program.expr(condition).kind, ExprKind::Const(1));
    let is_claim = |kind: &StatementKind| matches!(kind, StatementKind::Claim { claim: own, condition, .. } if *own == claim && !is_settled(*condition));
    let mut found = branches_above(program, function, &is_claim);
    let mut seen = HashSet::new();
    while found.is_empty() && seen.insert(function) {
        let called = function;
        let is_call =
            |kind: &StatementKind| matches!(kind, StatementKind::Call { function, .. } if *function == called);
        let calls = |id: &FunctionId| {
            let blocks = &program.function(*id).blocks;
            blocks.iter().flat_map(|block| &block.statements).any(|statement| is_call(&statement.kind))
        };
        let mut callers = (0..program.functions.len() as u32).map(FunctionId).filter(calls);
        let (Some(caller), None) = (callers.next(), callers.next()) else { break };
        function = caller;
        found = branches_above(program, function, &is_call);
    }
    found
}

/// The branches that decide whether some statements of a function are executed.
fn branches_above(
    program: &Program,
    function: FunctionId,
    wanted: &dyn Fn(&StatementKind) -> bool,
) -> HashSet<(FunctionId, Span)> {
    let blocks = &program.function(function).blocks;
    let parents = dependence::parents(program, function);
    let has_it = |block: &Block| block.statements.iter().any(|statement| wanted(&statement.kind));
    let above = blocks.iter().zip(&parents).filter(|(block, _)| has_it(block)).flat_map(|(_, parents)| parents);
    let span = |parent: &Parent| match parent {
        Parent::Block(block) => match blocks[*block].end {
            Terminator::Branch { span, .. } => Some((function, span)),
            _ => None,
        },
        Parent::Entry => None,
    };
    above.filter_map(span).collect()
}
