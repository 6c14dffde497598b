//! Every way in which a program fails: `nearmiss focus` (Basu, Saha, Smolka, "Localizing Program Errors for Cimple
//! Debugging", 2004).
//!
//! `check` says whether it fails and how far loops have to go; then all focus sequences up to that bound are found
//! ([`method::focus_sequences`](crate::method::focus_sequences)), described as statements and assumptions over inputs,
//! ranked, and reduced to neighbourhoods of the error. Each sequence was confirmed by the interpreter, and that there are
//! no others by a second solver.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::bounds::Bounds;
use crate::check::{self, CheckError, CheckOptions, Progress};
use crate::equation::{Bound, ClaimRef, Equation, StepKind};
use crate::explanation::{ClaimReport, Counterexample, Explanation, InputValue, Minimised, Status, named_inputs};
use crate::flow::{Event, EventKind, EventNumber, Flow};
use crate::focus_sequence::Sequence;
use crate::method::focus_sequences::assumption::{Assumptions, Prover};
use crate::method::focus_sequences::readable::{Names, Readable, is_balanced};
use crate::method::focus_sequences::{self, Assumption, Cap, FocusSequences, Origin, Rest, forward, reduce};
use crate::recheck;
use crate::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::Term;
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::location::Part;
use nearmiss_program::program::{
    Author, BranchRole, ClaimId, ClaimKind, FunctionId, Origin as Maker, PlaceId, Program, StatementKind, Terminator,
};
use nearmiss_program::run::{Inputs, Run};
use nearmiss_program::source::{FileId, Sources, Span};

/// What to look for.
#[derive(Clone, Debug)]
pub struct FocusOptions {
    /// How far to look, and at which claims.
    pub check: CheckOptions,
    /// Only assumptions on these inputs are told; none named means all.
    pub over: Vec<String>,
    /// So many sequences are described at most; those of all that the effort allows otherwise.
    pub most: Option<usize>,
    /// Whether anything is described only where these are all, and all are known.
    pub only_all: bool,
    /// Whether procedures are analysed once or at every call. The answer is the same.
    pub summaries: Summaries,
}

/// How procedures are analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Summaries {
    /// Once, as far as that is possible; what is found serves every call and every way through them.
    Use,
    /// At every call and for every way anew.
    None,
}

impl Default for FocusOptions {
    fn default() -> FocusOptions {
        FocusOptions {
            check: CheckOptions::default(),
            over: Vec::new(),
            most: None,
            only_all: false,
            summaries: Summaries::Use,
        }
    }
}

/// Sequences are described until they have so many statements together: how many ways that are depends on how long they are.
const MOST_EVENTS: usize = 10_000;
/// So many more are counted.
const COUNTED: usize = 200;
/// So often the bound grows once all ways up to it are known.
const EXTRA_ROUNDS: u32 = 3;
/// It grows while an equation has fewer steps than this.
const CHEAP: usize = 1_500;
/// It grows to where there are at most so many ways: a loop that fails in every round fails in as many.
const MOST_BEYOND: usize = 8;
/// Where only what is common to all ways is wanted, there are so many at most.
const MOST_FOR_COMMON: usize = 32;

/// What was found.
#[derive(Clone, Debug)]
pub struct Focus {
    /// Whether it fails. The claim and the run that are shown are those of the first way.
    pub explanation: Explanation,
    /// The ways in which it fails, the best first.
    pub ways: Vec<Way>,
    /// What is known of others.
    pub rest: Rest,
    /// Whether the time was over before all was known that was asked for.
    pub cut_short: bool,
    /// Claims that fail as well and were not looked at: automatic checks, where a written assertion fails, and what fails
    /// only after another claim.
    pub unlooked: Vec<usize>,
    /// A name that was asked for and that no input has.
    pub unknown: Option<Unknown>,
}

/// A name that no input has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The name.
    pub name: String,
    /// What inputs there are.
    pub inputs: Vec<String>,
}

/// One way to fail.
#[derive(Clone, Debug)]
pub struct Way {
    /// From 1.
    pub rank: usize,
    /// The violated claim: index into the claims of the explanation.
    pub claim: usize,
    /// What it depends on, in order of execution.
    pub statements: Vec<FocusStatement>,
    /// When it happens, over inputs.
    pub assumptions: Vec<String>,
    /// Those of them that could not be said over inputs, and are quoted from the program.
    pub quoted: Vec<String>,
    /// Whether others were left out, as they speak of inputs that were not asked for: then it happens only when these hold, but
    /// not always.
    pub projected: bool,
    /// Whether there was no time to find out when it happens: it is known only for the run.
    pub untold: bool,
    /// Whether it also takes choices that nobody named, as they came out at the branches.
    pub by_choice: bool,
    /// What is left of that when what does not matter is removed.
    pub reduced: Vec<String>,
    /// The rank of the way that this one is the same as, once reduced.
    pub same_as: Option<usize>,
    /// A run that fails so: what to feed to the program.
    pub inputs: Inputs,
    /// The same by name.
    pub named: Vec<InputValue>,
    /// What then happens.
    pub run: Run,
}

/// A statement of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FocusStatement {
    /// The text.
    pub span: Span,
    /// In which function; none for what is initialised before the start.
    pub function: Option<FunctionId>,
    /// How a branch came out.
    pub outcome: Option<bool>,
    /// Whether it belongs to the sequence or keeps something out of it.
    pub role: Role,
    /// Whether it is in the neighbourhood of the error.
    pub nest: bool,
}

/// What a statement has to do with a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The failure depends on it.
    Focus,
    /// A branch that the failure does not depend on as it came out; the other way something in it would be overwritten.
    Apart,
    /// The violated claim.
    Claim,
}

/// Finds every way in which the program fails.
pub fn focus(
    program: &Program,
    sources: &Sources,
    options: &FocusOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Focus, CheckError> {
    let stop = options.check.stop.clone();
    let check = CheckOptions { minimise: Minimised::None, ..options.check.clone() };
    let narrowed = check::narrow(program, &check.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let started = Instant::now();
    let summary = match options.summaries {
        Summaries::Use => forward::summary(program, &check.initial_bounds(), &stop),
        Summaries::None => None,
    };
    let summing = started.elapsed().as_secs_f64();
    let (mut explanation, unwound) = checked(program, summary.as_ref(), &check, progress)?;
    explanation.stats.seconds.push(("procedures", summing));
    let (Some(counterexample), Some(property)) = (&explanation.counterexample, explanation.property) else {
        let unknown = unknown_anywhere(program, options);
        return Ok(Focus { unknown, ..Focus::without_ways(explanation, Rest::None) });
    };
    let (is_whole, unwound) = (unwound.is_none(), unwound.unwrap_or(program));
    let Some(bounds) = check::bounds_for(unwound, &check, &counterexample.inputs)? else {
        return Ok(Focus::without_ways(explanation, Rest::Unknown));
    };
    progress(Progress { phase: "looking for every way to fail", unwind: explanation.unwind, steps: 0 });
    let started = Instant::now();
    let (wanted, unlooked) = wanted(&explanation, property);
    let search = Search { program, wanted: &wanted };
    let cap = Cap { most: options.most.unwrap_or(usize::MAX), events: MOST_EVENTS, counted: COUNTED };
    let Some(mut round) = search.round(unwound, &bounds, cap, &stop)? else {
        return Ok(Focus::without_ways(explanation, Rest::Unknown));
    };
    let names = Names::of(program, &round.equation, &round.flow);
    if let Some(unknown) = unknown(program, &names, &round.equation, &options.over) {
        return Ok(Focus { unknown: Some(unknown), ..Focus::without_ways(explanation, Rest::Unknown) });
    }
    // Which of very many ways come first is the solver's choice, and hangs on all that it is told.
    if !is_whole
        && matches!(round.found.rest, Rest::AtLeast(_))
        && let Some(whole) = search.round(program, &bounds, cap, &stop)?
    {
        round = whole;
    }
    if options.only_all && round.found.rest != Rest::None {
        return Ok(Focus::without_ways(explanation, round.found.rest));
    }
    let holds = |index: &usize| explanation.claims[*index].status == Status::Holds;
    let proved = (0..program.claims.len()).filter(holds).map(|index| ClaimId(index as u32)).collect();
    let (Round { mut equation, flow, found }, proved) = search.beyond(round, proved, bounds, &stop)?;
    for sequence in &found.sequences {
        recheck::focus_sequence::check(program, sequence).map_err(CheckError::Internal)?;
    }
    explanation.unwind = equation.unwind;
    explanation.complete =
        equation.bounds_hit.is_empty() || (found.rest == Rest::None && is_covered(&mut equation, &flow, &stop));
    explanation.stats.seconds.push(("sequences", started.elapsed().as_secs_f64()));
    explanation.stats.counts.push(("events", flow.events.len() as u64));
    explanation.stats.counts.push(("sequences", found.sequences.len() as u64));
    explanation.stats.counts.push(("sequence_solver_calls", found.calls));
    if options.only_all && (found.interrupted || !explanation.complete) {
        return Ok(Focus::without_ways(explanation, Rest::Unknown));
    }
    let started = Instant::now();
    let describer = Describer { program, sources, options, flow: &flow, proved };
    let (ways, calls) = describer.ways(&mut equation, &found, &stop);
    if let Some(first) = ways.first() {
        explanation.property = Some(first.claim);
        explanation.counterexample = Some(check::counterexample(program, first.inputs.clone(), first.run.clone()));
    }
    explanation.stats.seconds.push(("assumptions", started.elapsed().as_secs_f64()));
    explanation.stats.counts.push(("assumption_solver_calls", calls));
    let cut_short = found.interrupted || ways.iter().any(|way| way.untold);
    Ok(Focus { explanation, ways, rest: found.rest, cut_short, unlooked, unknown: None })
}

/// All ways up to a bound.
struct Round {
    equation: Equation,
    flow: Flow,
    found: FocusSequences,
}

/// What is looked for.
struct Search<'a> {
    program: &'a Program,
    wanted: &'a BTreeSet<ClaimId>,
}

impl Search<'_> {
    /// All ways up to a bound, of the program or of what summaries leave of it. None if there was no time to unwind.
    fn round(&self, unwound: &Program, bounds: &Bounds, cap: Cap, stop: &Stop) -> Result<Option<Round>, CheckError> {
        let Ok((mut equation, flow)) = symex::unwind_with_flow(unwound, bounds, stop) else { return Ok(None) };
        let is_wanted = |claim: ClaimId| self.wanted.contains(&claim);
        let found = focus_sequences::sequences(self.program, &mut equation, &flow, &is_wanted, cap, stop);
        Ok(Some(Round { equation, flow, found: found.map_err(CheckError::Internal)? }))
    }

    /// The bound suffices for one failing run. There may be other ways beyond it, as far as it is cheap to look; which
    /// claims are proved is known only up to the bound.
    fn beyond(
        &self,
        mut round: Round,
        mut proved: BTreeSet<ClaimId>,
        mut bounds: Bounds,
        stop: &Stop,
    ) -> Result<(Round, BTreeSet<ClaimId>), CheckError> {
        let cap = Cap { most: MOST_BEYOND, events: usize::MAX, counted: 1 };
        for _ in 0..EXTRA_ROUNDS {
            if !round.may_go_on(&mut bounds) {
                break;
            }
            match self.round(self.program, &bounds, cap, stop)? {
                Some(next) if next.found.rest == Rest::None => (round, proved) = (next, BTreeSet::new()),
                _ => break,
            }
        }
        Ok((round, proved))
    }
}

impl Round {
    /// Gives more room to what needs it, if all ways up to here are known and a larger bound is cheap.
    fn may_go_on(&self, bounds: &mut Bounds) -> bool {
        let hit = self.equation.bounds_hit.iter().map(|(bound, ..)| bound);
        let more: BTreeSet<&Bound> = hit.filter(|bound| bounds.may_grow(bound)).collect();
        let is_cheap = self.equation.steps.len() < CHEAP && self.found.sequences.len() < MOST_BEYOND;
        if self.found.rest != Rest::None || !is_cheap || more.is_empty() || more.contains(&Bound::Allocation) {
            return false;
        }
        more.into_iter().for_each(|bound| bounds.grow(bound));
        true
    }
}

/// Does no run come to a bound before it fails? In doubt, some may.
fn is_covered(equation: &mut Equation, flow: &Flow, stop: &Stop) -> bool {
    let executed = equation.executed();
    let mut further = Vec::new();
    for (at, step) in equation.steps.iter().enumerate() {
        if let StepKind::Claim { claim: ClaimRef::Unwinding(_), condition, .. } = step.kind {
            further.push((executed[at], condition));
        }
    }
    let further: Vec<Term> = (further.into_iter())
        .map(|(executed, suffices)| {
            let wants_more = equation.terms.not(suffices);
            equation.terms.and(executed, wants_more)
        })
        .collect();
    let mut prover = Prover::new(equation, flow, stop);
    further.into_iter().all(|goes_on| {
        let goes_on = prover.literal(equation, goes_on);
        prover.follows(&[], !goes_on)
    })
}

/// The same for a program that does not fail, as far as it goes without unwinding more: which number an input has, `x#3`,
/// is not looked at.
fn unknown_anywhere(program: &Program, options: &FocusOptions) -> Option<Unknown> {
    let stop = options.check.stop.clone();
    let over: Vec<String> =
        options.over.iter().map(|name| name.split('#').next().unwrap_or_default().to_owned()).collect();
    let (equation, flow) = match over.is_empty() {
        true => return None,
        false => symex::unwind_with_flow(program, &options.check.initial_bounds(), &stop).ok()?,
    };
    unknown(program, &Names::of(program, &equation, &flow), &equation, &over)
}

/// The lines that are in the neighbourhood of the error in every way in which a claim fails; none if there are more ways
/// than are described, or no time.
pub(crate) fn common_neighbourhood(
    program: &Program,
    sources: &Sources,
    bounds: &Bounds,
    claim: ClaimId,
    stop: &Stop,
) -> Option<BTreeSet<(FileId, u32)>> {
    let (mut equation, flow) = symex::unwind_with_flow(program, bounds, stop).ok()?;
    let cap = Cap { most: MOST_FOR_COMMON, events: usize::MAX, counted: 1 };
    let found = focus_sequences::sequences(program, &mut equation, &flow, &|other| other == claim, cap, stop).ok()?;
    if found.rest != Rest::None {
        return None;
    }
    let sequences = &found.sequences;
    let mut prover = Prover::new(&equation, &flow, stop).with_summaries();
    let assumed: Option<Vec<Assumptions>> =
        sequences.iter().map(|sequence| prover.assumptions(program, &mut equation, sequence)).collect();
    let assumed = assumed?;
    let sets: Vec<_> = assumed.iter().map(Assumptions::own).collect();
    let statements: Vec<_> = sequences.iter().map(|sequence| sequence.key.statements.clone()).collect();
    let reduced = reduce::reduce(&equation, &sets, &statements, &vec![claim; sets.len()]);
    let mut common: Option<BTreeSet<(FileId, u32)>> = None;
    for (index, sequence) in sequences.iter().enumerate() {
        let remaining: Vec<&Assumption> = reduced.remaining[index].iter().map(|at| &sets[index][*at]).collect();
        let decisions = &assumed[index].decisions;
        let nest = reduce::neighbourhood(program, &mut prover, &mut equation, sequence, decisions, &remaining);
        let spans = nest.iter().map(|event| flow.event(*event).span);
        let lines = spans.map(|span| (span.file, sources.physical_line(span.file, span.start))).collect();
        common = Some(match common {
            Some(before) => before.intersection(&lines).copied().collect(),
            None => lines,
        });
    }
    common.filter(|_| !stop.requested())
}

/// Whether it fails: asked of what the summaries leave of it, which comes back too where that cannot change the answer.
fn checked<'s>(
    program: &Program,
    summary: Option<&'s Program>,
    options: &CheckOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Explanation, Option<&'s Program>), CheckError> {
    let Some(summary) = summary else { return Ok((check::check(program, options, progress)?, None)) };
    let mut explanation = check::check(summary, options, progress)?;
    // How far loops are followed depends on the effort, and that on the whole program.
    if explanation.claims.iter().any(|claim| claim.kind == ClaimKind::Unwinding) {
        return Ok((check::check(program, options, progress)?, None));
    }
    // What is shown is a run of the whole program.
    if let Some(Counterexample { inputs, .. }) = explanation.counterexample {
        let run = interp::run(program, &inputs, &Limits::default());
        explanation.counterexample = Some(check::counterexample(program, inputs, run));
    }
    Ok((explanation, Some(summary)))
}

/// The first name that is neither that of an input nor of a place where there may be one.
fn unknown(program: &Program, names: &Names<'_>, equation: &Equation, over: &[String]) -> Option<Unknown> {
    let is_known = |name: &String| {
        let inputs = names.all();
        let is_plain =
            equation.variables.iter().any(|variable| variable.definition.is_none() && *variable.name == **name);
        inputs.contains(name) || is_plain || program.sites.iter().any(|site| site.name == *name)
    };
    let name = over.iter().find(|name| !is_known(name))?.clone();
    Some(Unknown { name, inputs: names.all() })
}

/// The claims that fail, of the kind that is looked at first: written assertions, or else automatic checks. Then the
/// others that fail.
fn wanted(explanation: &Explanation, property: usize) -> (BTreeSet<ClaimId>, Vec<usize>) {
    let is_written = |claim: &ClaimReport| claim.kind == ClaimKind::Assertion;
    let kind = is_written(&explanation.claims[property]);
    let claims = explanation.claims.iter().enumerate();
    let failing = claims.filter(|(_, claim)| claim.status == Status::Fails);
    // What fails only after another claim has no way of its own.
    let is_wanted = |claim: &ClaimReport| is_written(claim) == kind && claim.after.is_none();
    let (wanted, others): (Vec<_>, Vec<_>) = failing.partition(|(_, claim)| is_wanted(claim));
    let wanted = wanted.into_iter().map(|(index, _)| ClaimId(index as u32)).collect();
    (wanted, others.into_iter().map(|(index, _)| index).collect())
}

impl Focus {
    fn without_ways(explanation: Explanation, rest: Rest) -> Focus {
        let cut_short = rest == Rest::Unknown;
        Focus { explanation, ways: Vec::new(), rest, cut_short, unlooked: Vec::new(), unknown: None }
    }

    /// How many sequences remain when those that reduction made identical count once.
    pub fn distinct(&self) -> usize {
        self.ways.iter().filter(|way| way.same_as.is_none()).count()
    }
}

/// Puts sequences into words.
struct Describer<'a> {
    program: &'a Program,
    sources: &'a Sources,
    options: &'a FocusOptions,
    flow: &'a Flow,
    /// Claims that hold in all that was unwound.
    proved: BTreeSet<ClaimId>,
}

/// Which sequence, what it assumes, and its lines.
type Assumed = (usize, Assumptions, Vec<Row>);

impl Describer<'_> {
    fn ways(&self, equation: &mut Equation, found: &FocusSequences, stop: &Stop) -> (Vec<Way>, u64) {
        let sequences = &found.sequences;
        let prover = Prover::new(equation, self.flow, stop);
        let mut prover = match self.options.summaries {
            Summaries::Use => prover.with_summaries(),
            Summaries::None => prover,
        };
        let names = Names::of(self.program, equation, self.flow);
        let words = Readable { program: self.program, sources: self.sources, names: &names };
        let (mut order, untold) = self.assumed(&mut prover, equation, sequences);
        // Shorter first, then fewer variables (definition 2 of the paper), then by what comes first in the program.
        let variables = |assumptions: &Assumptions| {
            let all = assumptions.all.iter().filter(|assumption| !names.is_choice(equation, assumption));
            all.flat_map(|assumption| names.inputs(equation, assumption)).collect::<BTreeSet<_>>().len()
        };
        order.sort_by_cached_key(|(index, assumptions, rows)| {
            let length = rows.iter().filter(|row| row.statement.role != Role::Apart).count();
            (untold.contains(index), length, variables(assumptions), sequences[*index].key.clone())
        });
        let sets: Vec<_> = order.iter().map(|(_, assumptions, _)| assumptions.own()).collect();
        let statements: Vec<_> = order.iter().map(|(index, ..)| sequences[*index].key.statements.clone()).collect();
        let claims: Vec<ClaimId> = order.iter().map(|(index, ..)| sequences[*index].claim).collect();
        // Which assumption is the only one of its kind is known only where all ways are.
        let reduced = match found.rest {
            Rest::None if untold.is_empty() => reduce::reduce(equation, &sets, &statements, &claims),
            _ => reduce::unreduced(&sets),
        };
        let mut ways = Vec::new();
        for (rank, (index, assumptions, rows)) in order.iter().enumerate() {
            let sequence = &sequences[*index];
            let remaining: Vec<&Assumption> = reduced.remaining[rank].iter().map(|at| &sets[rank][*at]).collect();
            let nest = match untold.contains(index) {
                false => {
                    let decisions = &assumptions.decisions;
                    reduce::neighbourhood(self.program, &mut prover, equation, sequence, decisions, &remaining)
                }
                true => sequence.events.clone(),
            };
            let all: Vec<&Assumption> = assumptions.all.iter().collect();
            let projected = self.projected(equation, &names, all.clone()).len() < all.len();
            let [all, remaining] = [all, remaining].map(|set| {
                let set = self.projected(equation, &names, set);
                words.words(&mut prover, equation, sequence, &set)
            });
            let run = interp::run(self.program, &sequence.inputs, &Limits::default());
            let statements = rows.iter().map(|row| FocusStatement {
                nest: row.statement.role != Role::Apart && row.events.iter().any(|event| nest.contains(event)),
                ..row.statement.clone()
            });
            ways.push(Way {
                rank: rank + 1,
                claim: sequence.claim.index(),
                statements: statements.collect(),
                quoted: all.iter().filter(|said| said.is_quoted).map(|said| said.text.clone()).collect(),
                assumptions: all.into_iter().map(|said| said.text).collect(),
                projected,
                untold: untold.contains(index),
                by_choice: assumptions.all.iter().any(|assumption| names.is_choice(equation, assumption)),
                reduced: remaining.into_iter().map(|said| said.text).collect(),
                same_as: reduced.same_as[rank].map(|other| other + 1),
                inputs: sequence.inputs.clone(),
                named: named_inputs(&run),
                run,
            });
        }
        (ways, prover.calls)
    }

    /// What each sequence assumes, with its lines; and those for which there was no time.
    fn assumed(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequences: &[Sequence],
    ) -> (Vec<Assumed>, BTreeSet<usize>) {
        // Short ones first: they are ranked first, and there may be no time for all.
        let mut shortest: Vec<usize> = (0..sequences.len()).collect();
        shortest.sort_by_key(|index| sequences[*index].events.len());
        let mut order: Vec<Assumed> = Vec::new();
        let mut untold: BTreeSet<usize> = BTreeSet::new();
        for index in shortest {
            let sequence = &sequences[index];
            let found = prover.assumptions(self.program, equation, sequence);
            let found =
                found.and_then(|found| prover.where_nothing_fails_before(equation, sequence, found, &self.proved));
            let assumptions = found.unwrap_or_else(|| {
                untold.insert(index);
                Assumptions::default()
            });
            let rows = self.rows(equation, &sequences[index], &assumptions);
            order.push((index, assumptions, rows));
        }
        (order, untold)
    }

    /// The assumptions that speak of nothing but the inputs that were asked for.
    fn projected<'s>(&self, equation: &Equation, names: &Names, set: Vec<&'s Assumption>) -> Vec<&'s Assumption> {
        if self.options.over.is_empty() {
            return set;
        }
        let asked = |assumption: &&Assumption| {
            let inputs = names.inputs(equation, assumption);
            inputs.iter().all(|input| self.options.over.iter().any(|name| names.is_called(equation, *input, name)))
        };
        set.into_iter().filter(asked).collect()
    }

    /// The statements of a sequence that a person wrote, with the branches that keep others out.
    fn rows(&self, equation: &Equation, sequence: &Sequence, assumptions: &Assumptions) -> Vec<Row> {
        let mut numbered: Vec<(EventNumber, Role, Option<bool>)> = Vec::new();
        let claim = sequence.events.last().copied();
        for (number, (_, outcome)) in sequence.events.iter().zip(&sequence.key.statements) {
            let role = if Some(*number) == claim { Role::Claim } else { Role::Focus };
            if role == Role::Claim || self.is_shown(*number) {
                numbered.push((*number, role, *outcome));
            }
        }
        let mut evaluator = sequence.execution.evaluator(equation);
        for assumption in &assumptions.all {
            if let Origin::Apart { branch, .. } = assumption.origin
                && let EventKind::Branch(term, _) = &self.flow.event(branch).kind
                && evaluator.holds(self.flow.event(branch).guard)
                && self.is_shown(branch)
                && !numbered.iter().any(|(number, ..)| *number == branch)
            {
                numbered.push((branch, Role::Apart, Some(evaluator.holds(*term))));
            }
        }
        // A return that such a branch leads to is how it keeps things out.
        let apart: Vec<EventNumber> =
            numbered.iter().filter(|(_, role, _)| *role == Role::Apart).map(|(number, ..)| *number).collect();
        for number in 0..claim.unwrap_or(0) {
            let event = self.flow.event(number);
            if matches!(event.kind, EventKind::Return)
                && evaluator.holds(event.guard)
                && apart.contains(&(evaluator.value(event.control) as EventNumber))
                && self.is_shown(number)
                && !numbered.iter().any(|(other, ..)| *other == number)
            {
                numbered.push((number, Role::Apart, None));
            }
        }
        numbered.sort_unstable_by_key(|(number, ..)| *number);
        let mut rows: Vec<Row> = Vec::new();
        for (number, role, outcome) in numbered {
            let event = self.flow.event(number);
            let is_outside = event.location.part == Part::Initialiser;
            let (span, function) = (self.whole(number), (!is_outside).then_some(event.location.function));
            let line = |span: Span| (span.file, self.sources.physical_line(span.file, span.start));
            if let Some(last) = rows.last_mut()
                && (last.statement.outcome, outcome, role) == (None, None, Role::Focus)
                && last.statement.function == function
                && (line(last.statement.span) == line(span) || last.statement.span == span)
                && let both = together(last.statement.span, span)
                && is_balanced(self.sources.text(both))
                && !self.stands_between(last.statement.span, span)
            {
                last.events.push(number);
                last.statement.span = both;
                continue;
            }
            rows.push(Row {
                events: vec![number],
                statement: FocusStatement { span, function, outcome, role, nest: false },
            });
        }
        rows
    }

    /// Does anything but the type and the commas of a declaration stand between two texts?
    fn stands_between(&self, a: Span, b: Span) -> bool {
        let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
        let between = Span { start: first.end.min(second.start), end: second.start, ..second };
        self.sources.text(between).contains(|c: char| c.is_alphanumeric() || c == '_')
    }

    /// The text of an event; of a part of an initialiser in braces, all of that.
    fn whole(&self, number: EventNumber) -> Span {
        let Event { location, span, .. } = *self.flow.event(number);
        if location.part == Part::Initialiser {
            return span;
        }
        let block = &self.program.function(location.function).blocks[location.block.index()];
        let before = block.statements.iter().take(location.index as usize).rev();
        let holds = |other: Span| other.file == span.file && other.start <= span.start && span.end <= other.end;
        let mut starts = before.filter(|statement| matches!(statement.kind, StatementKind::Clear { .. }));
        starts.find(|statement| holds(statement.span)).map_or(span, |statement| statement.span)
    }

    /// Did a person write the statement of an event?
    fn is_shown(&self, number: EventNumber) -> bool {
        let location = self.flow.event(number).location;
        if location.part == Part::Initialiser {
            return true;
        }
        let function = self.program.function(location.function);
        if function.author != Author::User {
            return false;
        }
        let block = &function.blocks[location.block.index()];
        let is_temporary = |place: PlaceId| match self.program.place(place).base {
            nearmiss_program::program::Base::Local(local) => function.locals[local.index()].temporary,
            _ => false,
        };
        match (block.statements.get(location.index as usize).map(|statement| &statement.kind), location.part) {
            (_, Part::Argument(_)) => false,
            (Some(StatementKind::Call { .. }), Part::Whole) => true,
            (Some(StatementKind::Call { target, .. }), _) => target.is_some_and(|target| !is_temporary(target)),
            (Some(StatementKind::Assign { target, origin, .. } | StatementKind::Copy { target, origin, .. }), _) => {
                *origin == Maker::Written && !is_temporary(*target)
            }
            (Some(StatementKind::Input { target, .. } | StatementKind::Clear { target }), _) => !is_temporary(*target),
            (
                Some(
                    StatementKind::Allocate { .. }
                    | StatementKind::Free { .. }
                    | StatementKind::CopyBytes { .. }
                    | StatementKind::SetBytes { .. },
                ),
                _,
            ) => true,
            (Some(_), _) => false,
            (None, _) => match &block.end {
                Terminator::Branch { role, .. } => *role != BranchRole::Internal,
                Terminator::Return { value, span } => value.is_some() || self.sources.text(*span).starts_with("return"),
                Terminator::Goto(_) | Terminator::Stop => false,
            },
        }
    }
}

/// From where the first of two texts starts to where the last ends.
fn together(a: Span, b: Span) -> Span {
    Span { start: a.start.min(b.start), end: a.end.max(b.end), ..b }
}

/// A statement and its events.
struct Row {
    events: Vec<EventNumber>,
    statement: FocusStatement,
}
