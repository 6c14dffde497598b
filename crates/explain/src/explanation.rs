//! What the tool has found out: the one value that every method adds to and every renderer reads.
//!
//! Plain data with spans and bits; how it looks in a terminal or as JSON is the renderers' business.

use nearmiss_program::c::edit::{Family, TextEdit};
use nearmiss_program::c::trial::Compare;
use nearmiss_program::hardware::model::{Bits, NodeId};
use nearmiss_program::program::{Assumption, ClaimKind, FunctionId, Program, SiteId, TypeId};
use nearmiss_program::run::{Inputs, Run, RunStep, RunStepKind};
use nearmiss_program::source::{Diagnostic, Span};
use nearmiss_trace::report::TraceReport;

use crate::printed::Both;

/// Does the program fail?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Some claim is violated by the counterexample.
    Fails,
    /// No claim is violated, for every execution if `complete`, else up to the bound.
    Holds,
    /// Time or memory was over, or it was interrupted.
    Undecided,
}

/// What is known of one claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Some execution violates it and nothing before it.
    Fails,
    /// No execution up to the bound violates it.
    Holds,
    /// Not known.
    Undecided,
}

/// A claim of the program, or of the unwinding, and what is known of it.
#[derive(Clone, Debug)]
pub struct ClaimReport {
    /// `main.assertion.1`.
    pub id: String,
    /// What it is about.
    pub kind: ClaimKind,
    /// The condition in the user's words.
    pub text: String,
    /// Where.
    pub span: Span,
    /// In which function.
    pub function: String,
    /// What is known.
    pub status: Status,
    /// No execution was found to violate it, but some execution violates this other claim (its index) and reaches this one
    /// only after that, when C says nothing any more of what happens. Then the status is undecided.
    pub unless: Option<usize>,
    /// It fails, but only in executions that violate another written assertion before; this one (its index) in the
    /// execution that was found.
    pub after: Option<usize>,
}

/// A function without a model or body because of which a claim is undecided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOpen {
    /// The claim, by its index; none if it is open how far loops go.
    pub claim: Option<usize>,
    /// The function.
    pub function: String,
    /// The header that declares it; empty if it is a function of the user's.
    pub header: &'static str,
    /// A call of it on the way to the claim.
    pub span: Span,
    /// Why.
    pub why: Open,
}

/// Why a function leaves a claim open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// It has no model, and the claim fails only with some of its results.
    NoModel,
    /// It has no body and may have written a pointer, which then points to what is not seen.
    WritesPointers,
    /// No function but an input: it may be the address of an object of the run, which it is compared with.
    UnseenPointer,
    /// Only the machine computes it, and too many of its results would have to be looked at.
    ManyPoints,
}

/// How far a counterexample was made small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Minimised {
    /// As the solver gave it.
    None,
    /// Smaller, by a heuristic.
    Greedy,
    /// As small as can be, or as was found in the time given.
    Optimal,
}

/// An input of a counterexample, by name.
#[derive(Clone, PartialEq, Debug)]
pub struct InputValue {
    /// Where it arises; name, place and function are the site's.
    pub site: SiteId,
    /// The part of the site's object: `a[2]`; just the name for a scalar.
    pub name: String,
    /// Type of that part.
    pub ty: TypeId,
    /// Its bits.
    pub value: u128,
    /// Whether the run never looks at it.
    pub idle: bool,
}

/// The inputs of a run by name, in order of execution.
pub fn named_inputs(run: &Run) -> Vec<InputValue> {
    let named = |step: &RunStep| match &step.kind {
        RunStepKind::Input { site, name, ty, value } => {
            Some(InputValue { site: *site, name: name.clone(), ty: *ty, value: *value, idle: step.idle })
        }
        _ => None,
    };
    run.steps.iter().filter_map(named).collect()
}

/// A failing execution.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What to feed to the program to see it fail.
    pub inputs: Inputs,
    /// The same by name, in order of execution.
    pub named: Vec<InputValue>,
    /// What then happens, as the interpreter saw it.
    pub run: Run,
    /// Number of executed statements: written assignments, branches, and the violated claim.
    pub length: u64,
    /// Sum of the magnitudes of executed inputs and written assignments of integer type.
    pub sum: u128,
    /// How far it was made small.
    pub minimised: Minimised,
    /// Whether that was proved to be the least.
    pub proved_minimal: bool,
    /// Where it was to be the least and that is not proved: what is known.
    pub lower_bound: Option<LowerBound>,
}

/// What no failing run is below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LowerBound {
    /// No run is shorter.
    pub length: u64,
    /// No run that is at most as long as the one shown has a smaller sum.
    pub sum: u128,
}

/// Which variables a distance counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Metric {
    /// Every single assignment before the violated claim.
    #[default]
    Ssa,
    /// Those on which the violated claim depends.
    Slice,
    /// Executed steps, once the two runs are aligned.
    Align,
    /// The bytes of a crash file alone.
    Bytes,
}

/// What is compared of two runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum State {
    /// Values of variables.
    #[default]
    Values,
    /// Truth of predicates.
    Predicates,
}

/// What each kind of difference between aligned runs costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// A component that differs at an aligned step.
    pub component: u64,
    /// Another action at an aligned step.
    pub action: u64,
    /// A step that is not aligned; at least 1.
    pub control: u64,
}

impl Weights {
    /// Those of a component, an action and a step.
    pub fn of([component, action, control]: [u64; 3]) -> Weights {
        Weights { component, action, control }
    }

    /// Those that are usual: it is better to compare two steps than not to, whatever differs there.
    pub fn for_components(most: usize) -> Weights {
        Weights { component: 1, action: 1, control: most as u64 + 2 }
    }
}

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeltaKind {
    /// An input.
    Input,
    /// A value: an assignment, a parameter, a returned value, or what is left of them where paths meet.
    Value,
    /// The condition of a branch, together with whether it is reached.
    Guard,
    /// The truth of a predicate.
    Predicate,
    /// What is done at a step: a call that a property speaks of, the violation of a claim.
    Action,
    /// A step that only one of the runs has.
    Control,
}

/// In which of the two runs something is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executed {
    /// In both.
    Both,
    /// In the failing one.
    Failing,
    /// In the passing one.
    Passing,
    /// In neither.
    Neither,
}

/// The action of a step that violates its claim.
pub const ASSERTION_FAILURE: &str = "assertion_failure";

/// A difference between the failing and the passing run.
#[derive(Clone, PartialEq, Debug)]
pub struct Delta {
    /// What differs.
    pub kind: DeltaKind,
    /// The single assignment: `most#6`.
    pub name: String,
    /// The variable of the program: `most`; `\\guard` for a condition.
    pub variable: String,
    /// Type of its values.
    pub ty: TypeId,
    /// Bits in the failing run.
    pub failing: u128,
    /// Bits in the passing run.
    pub passing: u128,
    /// Where it is executed.
    pub executed: Executed,
    /// Whether it is what is left of values where paths meet: the runs have no step of their own for it.
    pub meets: bool,
    /// The text it comes from. Where paths meet: the assignment that gave the value in the failing run, or in the
    /// passing run if there is none.
    pub span: Span,
    /// The text that the passing run's value comes from, where that is another.
    pub passing_span: Option<Span>,
    /// In which function.
    pub function: FunctionId,
    /// The statements that make the difference: of the two that the values come from, those at which the runs do not do
    /// the same. None where only one run comes to where the values would meet, and nothing before differs.
    pub made_at: Vec<(FunctionId, Span)>,
    /// Whether that function is trusted, so that nothing can be wrong there.
    pub trusted: bool,
    /// How the two sides are told where they are no values: `most < least` in the failing run, `least <= most` in the
    /// passing one. Empty where a run has nothing.
    pub texts: Option<[String; 2]>,
    /// The numbers of the steps that are compared, from 0, in the failing and in the passing run.
    pub steps: Option<[Option<u32>; 2]>,
}

/// A passing run as near as can be.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// Number of variables that differ, those that exist only at a larger depth included; or what the alignment costs.
    pub distance: u64,
    /// No passing run (of those that count, see [`Contrast::assumptions`]) is nearer than this.
    pub lower_bound: u64,
    /// Whether the two were proved to be the same.
    pub proved_minimal: bool,
    /// What was counted.
    pub metric: Metric,
    /// Where runs are aligned: what differences cost.
    pub weights: Option<Weights>,
    /// What to feed to the program to see it pass.
    pub inputs: Inputs,
    /// The same by name, in order of execution.
    pub named: Vec<InputValue>,
    /// What then happens, as the interpreter saw it.
    pub run: Run,
    /// The differences, in order of execution.
    pub deltas: Vec<Delta>,
    /// How often loops were unwound for it.
    pub unwind: u32,
    /// Variables that exist only because it needs loops to be unwound further than the failing run.
    pub deeper: u64,
    /// With `--nearest-all`: the executed differences of every passing run at this distance, this one first.
    pub all: Option<Listing>,
}

/// Several sets of differences, each a list.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The sets.
    pub sets: Vec<Vec<Delta>>,
    /// Whether these are all there are.
    pub complete: bool,
}

/// How a slice was computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SliceMethod {
    /// The nearest run first, then what of it matters.
    #[default]
    TwoPhase,
    /// A run and what matters of it at once.
    OneStep,
    /// No slice.
    None,
}

/// The differences that matter: the fewest that still turn failure into success.
#[derive(Clone, Debug)]
pub struct Slice {
    /// How it was computed.
    pub method: SliceMethod,
    /// The differences.
    pub deltas: Vec<Delta>,
    /// Whether no smaller set does.
    pub proved_minimal: bool,
    /// With `--routes`: every set of this size that does.
    pub routes: Option<Listing>,
    /// Whether nothing is left but inputs and the claim's own statement.
    pub avoids_check: bool,
}

/// Between which variables relations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hypotheses {
    /// None at all.
    None,
    /// Inputs.
    Inputs,
    /// Inputs, and the variables of the program as they are when the claim is reached.
    #[default]
    Source,
    /// Every single assignment that is executed.
    All,
}

/// A relation that holds in the failing run and without which, in the nearest runs, nothing fails.
#[derive(Clone, PartialEq, Debug)]
pub struct Cause {
    /// As C writes it: `down == threshold`.
    pub text: String,
    /// The variables in it.
    pub variables: Vec<String>,
    /// Causes that follow from this one, and are not listed for that.
    pub implies: Vec<String>,
    /// Whether it is true in the passing run that is shown as well: only others as near are without it.
    pub in_passing_run: bool,
}

impl Causes {
    /// Those that a person is told: what is true in both runs makes nobody wiser, where there is another one.
    pub fn told(&self) -> Vec<&Cause> {
        let told: Vec<&Cause> = self.shown.iter().filter(|cause| !cause.in_passing_run).collect();
        if told.is_empty() { self.shown.iter().collect() } else { told }
    }
}

/// What was found out about relations.
#[derive(Clone, Debug, Default)]
pub struct Causes {
    /// The few that carry the rest: those first of which the nearest runs are rid, then those from which most follow.
    pub shown: Vec<Cause>,
    /// How many relations were looked at.
    pub candidates: usize,
    /// How many of them are causes.
    pub found: usize,
    /// How many were left aside: no passing run without them is near.
    pub far: usize,
    /// Whether every candidate was decided.
    pub complete: bool,
    /// Whether some run goes on where loops were not unwound further: nothing is said of it.
    pub bounded: bool,
}

/// What came of a hypothesis of the user's.
#[derive(Clone, Debug)]
pub struct Asked {
    /// As it was typed.
    pub text: String,
    /// Is it a cause?
    pub judgement: Judgement,
    /// The statement before which it was looked at, if that is not the claim: there all of it had a value last.
    pub before: Option<Span>,
    /// Whether runs that take loops further than was looked at could tell otherwise.
    pub bounded: bool,
}

/// Is a condition a cause of the failure?
#[derive(Clone, Debug)]
pub enum Judgement {
    /// It is: the nearest runs without it all pass, this one among them.
    Cause(Without),
    /// It is not: this run without it fails, and none without it is nearer.
    StillFails(Without),
    /// It is not: it does not hold in the failing run.
    DoesNotHold,
    /// It is not: every run within the bound that comes to where it is looked at has it.
    Invariant {
        /// Whether the claim may be come to another way or another time, where this is not looked at.
        one_of_ways: bool,
    },
    /// It cannot be looked at when the claim is come to, nor before.
    NeverSeen,
    /// That was not found out with the effort that is spent on it.
    Unknown,
}

/// A run in which a condition does not hold.
#[derive(Clone, Debug)]
pub struct Without {
    /// How far it is from the failing run.
    pub distance: u64,
    /// What to feed to the program.
    pub inputs: Inputs,
    /// The same by name, in order of execution.
    pub named: Vec<InputValue>,
    /// Does it come to the violated claim?
    pub comes_there: bool,
}

/// Where a predicate comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateOrigin {
    /// It is part of the violated claim.
    Claim,
    /// Without it the abstract program does what the program cannot.
    Refinement,
    /// The user's.
    User,
}

/// A predicate that describes the failure.
#[derive(Clone, Debug)]
pub struct Described {
    /// As C writes it: `high < low`.
    pub text: String,
    /// Whose variables it is over; none for globals alone.
    pub function: Option<FunctionId>,
    /// Where it comes from.
    pub origin: PredicateOrigin,
    /// The steps before which it is looked at, in order of the text.
    pub places: Vec<(FunctionId, Span)>,
}

/// A description of the program by the predicates on which its failure depends.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The predicates.
    pub predicates: Vec<Described>,
    /// How often the abstract program was refined until it had them.
    pub refinements: usize,
    /// How many nearest passing runs of the abstract program were none of the program's.
    pub spurious: usize,
    /// What is to be known of it: that refinement did not come to its end, that the equation had to help.
    pub notes: Vec<String>,
}

/// Why a line is suspected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// One of the differences that matter arises here.
    Slice,
    /// Another difference arises here.
    Difference,
    /// Not in the passing run that is shown, but in another one that is as near, a difference arises here.
    DifferenceElsewhere,
    /// It is executed in the failing run and not in the passing one.
    OnlyFailing,
    /// It is executed in the passing run and not in the failing one.
    OnlyPassing,
    /// It compares what a cause relates: the cause.
    Cause(String),
    /// Had another value been computed here, the failing run would have passed.
    Repair,
    /// What the claim needs is freed here.
    Freed,
    /// It is in the neighbourhood of the error, whichever way the claim fails.
    Focus,
    /// An edit here passes all the failing runs that are known, so many, and what passes, but it was not proved.
    Edit(usize),
    /// The violated check stands here.
    Check,
    /// The failure depends on it in the failing run.
    Depends,
    /// An edit here was proved to mend it: its place among the fixes.
    Fix(usize),
    /// An edit here makes so many of the failing tests pass, of so many, and no other fail.
    Mends(usize, usize),
    /// So many of the failing tests, of so many, depend on it, and so many of the passing ones, of so many, execute it.
    Tests {
        /// The failing ones.
        failing: (usize, usize),
        /// The passing ones.
        passing: (usize, usize),
    },
}

/// A line that may be wrong.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// Some text on that line.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// The evidence, the strongest first.
    pub because: Vec<Reason>,
    /// How many of the failing runs that are known another value here would save, and of how many that was asked.
    pub rescues: Option<(usize, usize)>,
}

/// What was shown of a fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verified {
    /// No execution violates a claim.
    All,
    /// None does up to the bound.
    Bound,
    /// All given tests pass; nothing is known of other inputs.
    Tests,
}

/// When a program and its fix do something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Differs {
    /// Exactly then: a condition over the inputs, or `always`.
    When(String),
    /// Never otherwise: the edit is in a condition, which is decided otherwise then, or what is told is how its line is reached.
    OnlyWhen(String),
}

/// Edits with which the claim is not violated any more, nor any other that held before.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The changes of the text.
    pub edits: Vec<TextEdit>,
    /// The function that is changed; the entry function where it is none.
    pub function: FunctionId,
    /// What kind of change it is.
    pub family: Family,
    /// What was shown of it.
    pub verified: Verified,
    /// Whether no claim at all is violated with it.
    pub whole: bool,
    /// Claims that were violated and still are.
    pub leaves: Vec<String>,
    /// Whether some known failing run does not come to the violated assertion any more, but to others and to the end.
    pub avoids: bool,
    /// When the two programs do something else; none where that was not found out.
    pub differs: Option<Differs>,
    /// How many of the passing runs that were looked at have other results with it: of what the outermost function gets and sets, and what
    /// other functions leave behind.
    pub changed: usize,
    /// Statements that some known run executes, and with it none.
    pub lost: Vec<Span>,
    /// Other edits that were shown to do the same.
    pub same: Vec<Vec<TextEdit>>,
    /// What it changes wherever it is used, if that is a macro or a type.
    pub shared: Option<Shared>,
    /// Of tests: how it can be told from the first fix.
    pub apart: Option<Apart>,
}

/// An input that no test has and with which two programs that pass all tests print something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Apart {
    /// What is on standard input.
    pub input: Vec<u8>,
    /// The test whose arguments it has, if it has any.
    pub like: Option<String>,
    /// What the program with this fix prints.
    pub printed: Vec<u8>,
    /// What that with the first fix does.
    pub of_first: Vec<u8>,
}

/// A macro or a type that a fix changes.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Its name.
    pub name: String,
    /// Where it is used, in the order of the text.
    pub uses: Vec<Span>,
}

/// The fixes that were found, and what was tried.
#[derive(Clone, Debug, Default)]
pub struct Fixes {
    /// The best first.
    pub found: Vec<Fix>,
    /// So many passing runs were looked at.
    pub passing: usize,
    /// So many failing runs were.
    pub failing: usize,
    /// So many edits there are.
    pub candidates: usize,
    /// So many were executed.
    pub executed: usize,
    /// So many passed every known run and were judged for all inputs.
    pub judged: usize,
    /// So many were not, as they change most of what passes beside a crash file.
    pub aside: usize,
    /// So many were not, as a loop that nothing leads out of can be left with them.
    pub ending: usize,
    /// Whether all edits were tried.
    pub complete: bool,
    /// Whether tests were given, and that is all that was asked for.
    pub of_tests: bool,
    /// What was tried of pairs, where no single edit is a fix and pairs were asked for.
    pub pairs: Option<TriedPairs>,
    /// Where there is no fix: what would have to change.
    pub diagnoses: Option<Diagnoses>,
    /// Of which executions fixes are proved, where it is not those that the failing run is one of: ` with an input of up to 20 bytes`.
    pub executions: Option<String>,
}

/// What was tried of two edits together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TriedPairs {
    /// So many pairs were looked at.
    pub candidates: usize,
    /// Of so many it is known that no values on their lines save every failing run.
    pub ruled_out: usize,
    /// So many were executed.
    pub executed: usize,
    /// So many passed every known run and were judged for all inputs.
    pub judged: usize,
    /// Whether all pairs were tried.
    pub complete: bool,
}

/// Lines of which other values save failing runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnoses {
    /// Some text on each line of each set; of none does a part suffice. The smallest come first.
    pub sets: Vec<Vec<Span>>,
    /// So many failing runs are saved by each.
    pub runs: usize,
    /// So many failing runs are known; the others took too long to be asked about.
    pub of: usize,
    /// Whether these are all sets of at most two lines, or of three where there is none of those.
    pub complete: bool,
}

/// A nearer run, which does not keep what the check may apply under.
#[derive(Clone, Debug)]
pub struct Avoiding {
    /// How far it is from the failing run, counted as for the nearest run.
    pub distance: u64,
    /// What to feed to the program.
    pub inputs: Inputs,
    /// The same by name, in order of execution.
    pub named: Vec<InputValue>,
    /// Whether all that it does not keep are parts of the claim like the others: it may well come to the check as it is meant.
    pub guessed: bool,
}

/// When the passing run keeps the condition of a branch as it is in the failing run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptWhen {
    /// At these times of those that the failing run comes to it, counted from 1, and which time that is in the passing
    /// run, if it comes to it then; empty: each time, in both runs.
    pub times: Vec<(usize, Option<usize>)>,
    /// Whether, otherwise, the claim may still be come to, another way or another time.
    pub one_of_ways: bool,
    /// Whether it is a part of the claim, and a guess that the claim applies only where it holds.
    pub guessed: bool,
}

/// The failing run beside the passing run.
#[derive(Clone, Debug)]
pub struct Contrast {
    /// The passing run; none if there is none, or none was found.
    pub nearest: Option<Nearest>,
    /// Without a passing run: whether it was proved that there is none, for every execution up to the bound.
    pub none_exists: bool,
    /// How many more turns than the failing run's it may take of a loop, if that was asked for.
    pub depth: Option<u32>,
    /// What the two runs have in common by our demand.
    pub assumptions: Vec<Assumption>,
    /// When each of them is kept, in the same order; what the user assumes comes after them, and has none.
    pub kept_when: Vec<KeptWhen>,
    /// Whether the passing run only avoids the check, because no other was found: it does not come to the violated
    /// claim, or what the claim applies under is otherwise there.
    pub only_avoidance: bool,
    /// Whether the passing run does not come to the claim where the failing one violates it: in that turn, by that call.
    /// It may come to it elsewhere.
    pub elsewhere: bool,
    /// Where parts of the claim may say when it applies, and the passing run is not like that: what holds there instead.
    pub lapsed: Vec<String>,
    /// Whether the claim's text says of one of them that it applies only there.
    pub lapses: bool,
    /// Whether the passing run was made to come to the claim, where no single condition of the program says so.
    pub reaching: bool,
    /// A nearer run, which does not keep what the check may apply under.
    pub avoiding: Option<Avoiding>,
    /// The predicates in which the runs are compared, if it is predicates.
    pub description: Option<Description>,
    /// Why this metric was picked, if it was not the user who did.
    pub metric_reason: Option<String>,
    /// What matters of the differences.
    pub slice: Option<Slice>,
    /// Relations that cause the failure, if they were looked for.
    pub causes: Option<Causes>,
    /// What came of the user's own hypotheses, in their order.
    pub asked: Vec<Asked>,
    /// Lines by suspicion, the most suspect first.
    pub suspects: Vec<Suspect>,
}

impl Contrast {
    /// How runs are compared for causes, where the passing run is the nearest by something else.
    pub fn nearness_of_causes(&self) -> &'static str {
        let otherwise = self.nearest.as_ref().is_some_and(|nearest| nearest.metric != Metric::Ssa);
        if otherwise || self.description.is_some() { " by single assignments" } else { "" }
    }
}

/// Times and sizes, for `--stats`. Never part of standard output.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Seconds per phase, in order.
    pub seconds: Vec<(&'static str, f64)>,
    /// Sizes: steps, terms, variables, clauses, solver calls, …
    pub counts: Vec<(&'static str, u64)>,
}

/// The answer of `check`, and the first part of that of `explain`.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// Does it fail?
    pub verdict: Verdict,
    /// Is the unwinding proved sufficient?
    pub complete: bool,
    /// The largest number of times that any loop was unwound.
    pub unwind: u32,
    /// All claims in program order, unwinding claims at the end.
    pub claims: Vec<ClaimReport>,
    /// The claim that the counterexample violates: index into `claims`.
    pub property: Option<usize>,
    /// The failing run.
    pub counterexample: Option<Counterexample>,
    /// Where the failing run violates a formula: which of its moments make that false. Cycles are positions of its word.
    pub dots: Option<TraceReport>,
    /// What `explain` adds: the passing run beside it.
    pub contrast: Option<Contrast>,
    /// Things to know: functions without body, bounds on allocations, why it is undecided.
    pub notes: Vec<Diagnostic>,
    /// With the inputs as they are, values that would have saved the run, if they were looked for.
    pub same_inputs: Option<SameInputs>,
    /// Edits that make it hold, if they were looked for.
    pub fixes: Option<Fixes>,
    /// Times and sizes.
    pub stats: Stats,
    /// Functions of the C library that leave claims open.
    pub left_open: Vec<LeftOpen>,
    /// Where a claim that was asked for is undecided only because another one can be violated before it: such a run.
    pub before: Option<Counterexample>,
    /// Claims (their indices) that hold because no execution that meets the assumptions comes to them.
    pub vacuous: Vec<usize>,
    /// Whether some run was found never to end; a note tells which.
    pub endless: bool,
    /// Where tests are given: what came of them.
    pub tests: Option<Tests>,
    /// Where the program is compared with a reference and fails: which of the changes is to blame.
    pub changes: Option<Changes>,
    /// Where a crash file is given: its bytes.
    pub crash: Option<CrashFile>,
    /// Where programs are compared: what both print in the failing run, and how they exit.
    pub printed: Option<Both>,
}

/// Of a model of hardware: which single values would have saved the failing run, with the inputs as they are.
#[derive(Clone, Debug, Default)]
pub struct SameInputs {
    /// Those that were found, by cycle.
    pub savings: Vec<Saving>,
    /// Whether these are all: for every word with a name in every cycle it is known.
    pub complete: bool,
}

/// A value with which the failing run passes.
#[derive(Clone, Debug)]
pub struct Saving {
    /// The wire or register.
    pub node: NodeId,
    /// In which cycle.
    pub cycle: usize,
    /// What it is.
    pub failing: Bits,
    /// What saves the run.
    pub passing: Bits,
}

/// A change between the versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The new lines, in the file of the program; nothing where lines only went.
    pub span: Span,
    /// The old lines.
    pub old: String,
    /// Where these are, in the file of the reference.
    pub old_span: Span,
}

/// The changes, and what was found out about them.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// All that differ in more than comments and layout, in the order of the text.
    pub all: Vec<Change>,
    /// Sets of as few as there are that, undone, make the versions do the same: their numbers.
    pub sets: Vec<Vec<usize>>,
    /// What was shown of each set.
    pub verified: Option<Verified>,
    /// Whether every set of this size, or smaller, was decided.
    pub complete: bool,
    /// So many versions were executed.
    pub executed: usize,
    /// So many passed the known runs and were judged for all inputs.
    pub judged: usize,
}

impl Changes {
    /// Whether a change is in one of the sets.
    pub fn is_to_blame(&self, change: usize) -> bool {
        self.sets.iter().any(|set| set.contains(&change))
    }

    /// What undoes a set.
    pub fn undone(&self, set: &[usize]) -> Vec<TextEdit> {
        let undo = |change: &Change| TextEdit { span: change.span, new: change.old.clone() };
        set.iter().map(|at| undo(&self.all[*at])).collect()
    }

    /// The sets as fixes of a program.
    pub fn fixes(&self, program: &Program) -> Vec<Fix> {
        let Some(verified) = self.verified else { return Vec::new() };
        let fix = |set: &Vec<usize>| Fix {
            edits: self.undone(set),
            function: program.entry,
            family: Family::Undone,
            verified,
            whole: true,
            leaves: Vec::new(),
            avoids: false,
            differs: None,
            changed: 0,
            lost: Vec::new(),
            same: Vec::new(),
            shared: None,
            apart: None,
        };
        self.sets.iter().map(fix).collect()
    }
}

/// A crash file beside an input that passes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrashFile {
    /// What the file is called.
    pub name: String,
    /// The bytes of the failing run; of a file that does not crash, its own.
    pub failing: Vec<u8>,
    /// The bytes of the passing run.
    pub passing: Option<Vec<u8>>,
    /// Which inputs the passing one is the nearest of, as in "no passing input …".
    pub scope: String,
    /// What of the program looks at bytes that matter, byte by byte.
    pub looks: Vec<LookedAt>,
    /// So many more bytes matter, of which that is not told.
    pub unlooked: usize,
    /// What else is known, a sentence each.
    pub told: Vec<String>,
}

/// A condition that depends on a byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LookedAt {
    /// Where the byte is.
    pub offset: usize,
    /// The condition.
    pub span: Span,
    /// How it came out in the failing run, each way once; none: it was not asked.
    pub failing: Vec<bool>,
    /// The same of the passing run.
    pub passing: Vec<bool>,
    /// Whether it is the claim.
    pub is_claim: bool,
}

/// What came of tests.
#[derive(Clone, Debug)]
pub struct Tests {
    /// Those that were executed, in their order.
    pub all: Vec<TestRun>,
    /// So many were given.
    pub given: usize,
    /// How what is printed is compared.
    pub compare: Compare,
    /// Lines by suspicion.
    pub suspects: Vec<Suspect>,
}

impl Tests {
    /// How many fail.
    pub fn failing(&self) -> usize {
        self.all.iter().filter(|test| test.wrong.is_some()).count()
    }
}

/// What came of a test.
#[derive(Clone, PartialEq, Debug)]
pub struct TestRun {
    /// What it is called.
    pub name: String,
    /// What is wrong; none: it passes.
    pub wrong: Option<Wrong>,
    /// What it prints, if something is wrong.
    pub printed: Vec<u8>,
    /// Whether it prints more than that.
    pub is_cut: bool,
    /// What it should print, if that matters.
    pub expected: Option<Vec<u8>>,
    /// The exit status that it should have, if that matters.
    pub status: Option<u8>,
    /// Variables on which what it does depends although they are not set: their names and where they are declared.
    pub unset: Vec<(String, Span)>,
    /// Where it was in the user's text when that happened.
    pub at: Option<(Span, FunctionId)>,
    /// The claim that it violates: index into the claims.
    pub claim: Option<usize>,
    /// What it feeds to the program.
    pub inputs: Inputs,
}

/// What is wrong with a test that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// Something else is printed than is expected.
    Printed,
    /// It ends before all that is expected is printed.
    Missing,
    /// The exit status is this one.
    Status(u8),
    /// It violates another claim: index into the claims.
    Check(usize),
    /// It does not come to its end.
    Endless,
    /// It does not meet an assumption of the program.
    Excluded,
}
