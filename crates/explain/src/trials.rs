//! Tests as runs: which pass, what the others print instead of what is expected, and where.
//!
//! Nothing is searched and nothing is proved: every test is one execution. What a function leaves uninitialised starts with a pattern,
//! since a compiled program finds whatever was there before. Lines are suspected by what edits of them do to the tests, and by the
//! usual measure of how well "is executed" goes with "fails" (Ochiai: Abreu, Zoeteweij and van Gemund, "On the accuracy of
//! spectrum-based fault localization", 2007), where "is executed" means for a failing test that the first wrong thing depends on it.

use std::collections::{BTreeMap, HashSet};

use nearmiss_logic::stop::Stop;
use nearmiss_logic::width::low_bits;
use nearmiss_program::c::trial::{self, Compare, Trials};
use nearmiss_program::interp::trace::TraceKind;
use nearmiss_program::interp::{Execution, Interpreter, Limits, Oracle, Recording};
use nearmiss_program::program::{
    Author, Claim, ClaimKind, FunctionId, GlobalId, Origin, Program, SiteId, SiteKind, StatementKind, Terminator,
    TypeId,
};
use nearmiss_program::run::{Content, Inputs, Outcome};
use nearmiss_program::source::{Diagnostic, FileId, Sources, Span};

use crate::check::CheckError;
use crate::explain::matches_pattern;
use crate::explanation::{ClaimReport, Explanation, Reason, Stats, Status, Suspect, TestRun, Tests, Verdict, Wrong};

/// A test that takes more steps does not end.
const MOST_STEPS: u64 = 2_000_000;
/// Of one that does not end so many are looked at for what it prints.
const MOST_OF_ENDLESS: u64 = 100_000;
/// So many bytes of what is uninitialised have the pattern.
const MOST_PATTERN: u64 = 4_096;
const PATTERN: u128 = 0x2a2a_2a2a_2a2a_2a2a_2a2a_2a2a_2a2a_2a2a;
/// Functions that print to standard output and do nothing else.
const PRINTERS: [&str; 3] = ["printf", "puts", "putchar"];
/// So many suspects are told.
const MOST_SUSPECTS: usize = 8;

/// How far a test is followed.
pub(crate) fn limits(stop: &Stop) -> Limits {
    Limits { steps: MOST_STEPS, stop: stop.clone(), ..Limits::default() }
}

/// What a test feeds to the program, and what that then does in so many steps.
pub(crate) fn fed(interpreter: &Interpreter, number: usize, steps: u64, stop: &Stop) -> (Inputs, Execution) {
    let program = interpreter.program();
    let users = program.functions.iter().filter(|function| function.author == Author::User);
    let sites = users.flat_map(|function| &function.locals).map(|local| local.site).collect();
    let mut feed = Feed { program, number: number as u128, sites, taken: Inputs::default() };
    let execution = interpreter.ask(&mut feed, &Limits { steps, ..limits(stop) });
    (feed.taken, execution)
}

/// Who feeds a test: its number, zeros, and the pattern.
struct Feed<'a> {
    program: &'a Program,
    number: u128,
    /// The user's variables.
    sites: HashSet<SiteId>,
    taken: Inputs,
}

impl Oracle for Feed<'_> {
    fn value(&mut self, site: SiteId, _: TypeId) -> u128 {
        let site = &self.program.sites[site.index()];
        let value = if site.kind == SiteKind::Parameter && site.name == "test" { self.number } else { 0 };
        self.taken.calls.push(value);
        value
    }

    fn contents(&mut self, site: SiteId, earlier: u32) -> Vec<Content> {
        let of = &self.program.sites[site.index()];
        if of.kind != SiteKind::Uninitialised || !self.sites.contains(&site) {
            return Vec::new();
        }
        let bits = self.program.size_bits(of.ty).min(MOST_PATTERN * 8);
        let content = |at: u64| {
            let bits = (bits - at).min(64) as u32;
            Content { bit_offset: at, bits, value: PATTERN & low_bits(bits) }
        };
        let contents: Vec<Content> = (0..bits).step_by(64).map(content).collect();
        self.taken.contents.insert((site, earlier), contents.clone());
        contents
    }
}

/// Executes every test.
pub(crate) fn run(
    program: &Program,
    sources: &Sources,
    trials: &Trials,
    stop: &Stop,
) -> Result<Explanation, CheckError> {
    let comparing = program.globals.iter().position(|global| global.name == trial::COMPARING);
    let mut interpreter = Interpreter::new(program);
    let mut all: Vec<TestRun> = Vec::new();
    let mut claims: Vec<ClaimReport> = program.claims.iter().map(holding).collect();
    for (number, trial) in trials.all.iter().enumerate() {
        let (inputs, executed) = fed(&interpreter, number, MOST_STEPS, stop);
        let status = executed.global(program, trial::STATUS).unwrap_or(0) as u8;
        let run = executed.run;
        if stop.requested() {
            break;
        }
        let place = executed.ended_at;
        if let Outcome::Violated(claim) = run.outcome {
            claims[claim.index()].status = Status::Fails;
        }
        let wrong = wrong(program, &run.outcome, status).map_err(|what| {
            let span = place.map_or(program.function(program.entry).span, |(span, _)| span);
            let message = format!("test {} cannot be executed; not supported: {what}", trial.name);
            CheckError::Input(vec![Diagnostic::error(span, message)])
        })?;
        let (printed, is_cut) = match (&wrong, comparing) {
            (Some(_), Some(comparing)) => {
                interpreter.start_with(GlobalId(comparing as u32), 0);
                let kept = printed(&interpreter, program, (&inputs, wrong == Some(Wrong::Endless)), stop);
                interpreter.start_with(GlobalId(comparing as u32), 1);
                kept
            }
            _ => (Vec::new(), false),
        };
        let claim = match run.outcome {
            Outcome::Violated(claim) => Some(claim.index()),
            _ => None,
        };
        let at = match claim.map(|claim| &program.claims[claim]) {
            // What is claimed in a model that all calls share belongs to the call under way.
            Some(claim) if !claim.function.is_empty() => {
                Some((claim.span, place.map_or(program.entry, |(_, function)| function)))
            }
            _ => place.filter(|_| wrong.is_some() && wrong != Some(Wrong::Endless)),
        };
        let at = match (wrong, at) {
            // Where it stands at the end of main, the last `return` says which status it is.
            (Some(Wrong::Status(_)), Some((span, _))) if sources.text(span) == "}" => {
                last_return(&interpreter, &inputs, stop).or(at)
            }
            _ => at,
        };
        let steps = if wrong == Some(Wrong::Endless) { MOST_OF_ENDLESS } else { MOST_STEPS };
        let unset = unset(&mut interpreter, &inputs, comparing, &Limits { steps, ..limits(stop) });
        let (name, expected, status) = (trial.name.clone(), trial.expected.clone(), trial.status);
        all.push(TestRun { name, wrong, printed, is_cut, expected, status, unset, at, claim, inputs });
    }
    let tests = Tests { all, given: trials.all.len(), compare: trials.compare, suspects: Vec::new() };
    Ok(answer(claims, tests))
}

/// What is known when the tests have been executed.
fn answer(claims: Vec<ClaimReport>, tests: Tests) -> Explanation {
    let verdict = match (tests.failing() > 0, tests.all.len() == tests.given) {
        (true, _) => Verdict::Fails,
        (false, true) => Verdict::Holds,
        (false, false) => Verdict::Undecided,
    };
    let property = tests.all.iter().find_map(|test| test.claim);
    Explanation {
        verdict,
        complete: false,
        unwind: 0,
        claims,
        property,
        counterexample: None,
        dots: None,
        contrast: None,
        notes: Vec::new(),
        fixes: None,
        same_inputs: None,
        stats: Stats::default(),
        left_open: Vec::new(),
        before: None,
        vacuous: Vec::new(),
        endless: false,
        tests: Some(tests),
        changes: None,
        crash: None,
        printed: None,
    }
}

/// An answer without a failing run, of which no claim is known.
pub(crate) fn nothing_fails(program: &Program, verdict: Verdict) -> Explanation {
    let claims = program.claims.iter().map(holding).collect();
    let no_tests = Tests { all: Vec::new(), given: 0, compare: Compare::Exact, suspects: Vec::new() };
    Explanation { verdict, tests: None, ..answer(claims, no_tests) }
}

/// Where the entry function was left.
fn last_return(interpreter: &Interpreter, inputs: &Inputs, stop: &Stop) -> Option<(Span, FunctionId)> {
    let entry = interpreter.program().entry;
    let (_, trace) = interpreter.follow(inputs, &limits(stop));
    let mut events = trace.events.iter().rev();
    let left = events.find(|event| event.kind == TraceKind::Return && event.location.function == entry)?;
    Some((left.span, entry))
}

/// What is wrong with how a test ended, with this exit status. The error is what cannot be executed.
fn wrong(program: &Program, outcome: &Outcome, status: u8) -> Result<Option<Wrong>, String> {
    Ok(match outcome {
        Outcome::Finished => None,
        Outcome::Violated(claim) => {
            let of = &program.claims[claim.index()];
            Some(match of.kind {
                ClaimKind::Output => Wrong::Printed,
                ClaimKind::OutputEnd => Wrong::Missing,
                ClaimKind::ExitStatus => Wrong::Status(status),
                _ => Wrong::Check(claim.index()),
            })
        }
        Outcome::Exhausted => Some(Wrong::Endless),
        Outcome::Excluded => Some(Wrong::Excluded),
        Outcome::Unsupported(what) => return Err(what.clone()),
    })
}

/// A claim of which nothing is known but that no test violates it so far.
fn holding(claim: &Claim) -> ClaimReport {
    let Claim { id, kind, text, span, function, .. } = claim;
    let (id, text, function) = (id.clone(), text.clone(), function.clone());
    ClaimReport { id, kind: *kind, text, span: *span, function, status: Status::Undecided, unless: None, after: None }
}

/// What a run prints where nobody compares, and whether that was cut.
fn printed(
    interpreter: &Interpreter,
    program: &Program,
    (inputs, is_endless): (&Inputs, bool),
    stop: &Stop,
) -> (Vec<u8>, bool) {
    let steps = if is_endless { MOST_OF_ENDLESS } else { MOST_STEPS };
    let kept = interpreter.execute(inputs, &Limits { steps, ..limits(stop) }, Recording::Outcome);
    let size = kept.global(program, trial::PRINTED_SIZE).unwrap_or(0) as u64;
    let room = program.globals.iter().find(|global| global.name == trial::PRINTED).map_or(0, |global| global.size);
    let bytes = kept.global_bytes(program, trial::PRINTED, size).unwrap_or_default();
    (bytes, size > 0 && size == room)
}

/// The variables that are not set and without whose contents the run would do something else: their names and where they are declared.
fn unset(
    interpreter: &mut Interpreter,
    inputs: &Inputs,
    comparing: Option<usize>,
    limits: &Limits,
) -> Vec<(String, Span)> {
    let program = interpreter.program();
    let Some(comparing) = comparing.filter(|_| !inputs.contents.is_empty()) else { return Vec::new() };
    interpreter.start_with(GlobalId(comparing as u32), 0);
    let does = |inputs: &Inputs| {
        let execution = interpreter.execute(inputs, limits, Recording::Outcome);
        let size = execution.global(program, trial::PRINTED_SIZE).unwrap_or(0) as u64;
        (execution.run.outcome.clone(), execution.global_bytes(program, trial::PRINTED, size))
    };
    let own = does(inputs);
    let mut found = Vec::new();
    // Mostly none of them matters.
    let without = Inputs { contents: Default::default(), ..inputs.clone() };
    if does(&without) == own {
        interpreter.start_with(GlobalId(comparing as u32), 1);
        return found;
    }
    // Of each variable alone.
    for key in inputs.contents.keys() {
        let mut other = inputs.clone();
        other.contents.remove(key);
        let site = &program.sites[key.0.index()];
        let variable = (site.name.clone(), site.span);
        if !found.contains(&variable) && does(&other) != own {
            found.push(variable);
        }
    }
    interpreter.start_with(GlobalId(comparing as u32), 1);
    found
}

/// A line of the program.
type Line = (FileId, u32);

/// Lines of the user's that do nothing but print.
fn only_printing(program: &Program, sources: &Sources) -> HashSet<Line> {
    let line = |span: Span| (span.file, sources.physical_line(span.file, span.start));
    let (mut prints, mut does_more) = (HashSet::new(), HashSet::new());
    let users = program.functions.iter().filter(|function| function.author == Author::User);
    for block in users.flat_map(|function| &function.blocks) {
        for statement in &block.statements {
            let at = line(statement.span);
            match &statement.kind {
                StatementKind::Call { function, .. } => {
                    let of = program.function(*function);
                    let is_printer = of.author == Author::Library && PRINTERS.contains(&of.name.as_str());
                    if is_printer {
                        prints.insert(at)
                    } else {
                        does_more.insert(at)
                    };
                }
                StatementKind::Assign { origin: Origin::Tool, .. }
                | StatementKind::Declare { .. }
                | StatementKind::Kill { .. }
                | StatementKind::Claim { .. } => {}
                _ => {
                    does_more.insert(at);
                }
            }
        }
        if let Terminator::Branch { span, .. } | Terminator::Return { span, .. } = &block.end {
            does_more.insert(line(*span));
        }
    }
    &prints - &does_more
}

/// Lines by suspicion, without what edits tell: what failing tests depend on and passing ones do not execute comes first, and last what only printed
/// what is right: the first wrong piece comes later.
pub(crate) fn suspects(
    program: &Program,
    sources: &Sources,
    tests: &[TestRun],
    trust: &[String],
    stop: &Stop,
) -> Vec<Suspect> {
    let interpreter = Interpreter::new(program);
    let is_trusted = |name: &str| trust.iter().any(|pattern| matches_pattern(pattern, name));
    let line = |span: Span| (span.file, sources.physical_line(span.file, span.start));
    // By line: a place on it, how many failing and passing tests are about it, and how late the failing ones come to it.
    let mut lines: BTreeMap<Line, (Span, FunctionId, usize, usize, usize)> = BTreeMap::new();
    let (mut failing, mut passing) = (0, 0);
    let printing = only_printing(program, sources);
    let mut in_doubt: HashSet<Line> = HashSet::new();
    let most = Limits { steps: 200_000, stop: stop.clone(), ..Limits::default() };
    for test in tests {
        let (outcome, trace) = interpreter.follow(&test.inputs, &most);
        let fails = test.wrong.is_some();
        // What takes too long to be followed is not counted.
        if outcome == Outcome::Exhausted && test.wrong != Some(Wrong::Endless) {
            continue;
        }
        if fails {
            failing += 1
        } else {
            passing += 1
        }
        let last = trace.events.len();
        let events: Vec<u32> = match (fails && test.claim.is_some(), last) {
            (_, 0) => Vec::new(),
            (true, last) => trace.slice(last as u32 - 1).into_iter().collect(),
            (false, last) => (0..last as u32).collect(),
        };
        if fails {
            // What printed the wrong piece, or the one before it.
            let wrong = test.at.map(|(span, _)| line(span));
            let lines = events.iter().rev().map(|number| line(trace.events[*number as usize].span));
            let before = lines.into_iter().find(|at| printing.contains(at) && Some(*at) != wrong);
            in_doubt.extend(wrong.into_iter().chain(before));
        }
        let mut seen: HashSet<Line> = HashSet::new();
        for number in events {
            let event = &trace.events[number as usize];
            let function = event.location.function;
            let of = program.function(function);
            if of.author != Author::User || is_trusted(&of.name) {
                continue;
            }
            let at = line(event.span);
            let entry = lines.entry(at).or_insert((event.span, function, 0, 0, 0));
            if fails {
                entry.4 = entry.4.max(number as usize);
            }
            if seen.insert(at) {
                if fails { entry.2 += 1 } else { entry.3 += 1 }
            }
        }
    }
    // Nobody wrote anything in a line that only closes a block.
    let is_written = |span: Span| !matches!(sources.line_text(span).trim(), "}" | "};");
    let is_suspect =
        |(span, _, of_failing, ..): &(Span, FunctionId, usize, usize, usize)| *of_failing > 0 && is_written(*span);
    let mut ranked: Vec<_> = lines.into_values().filter(is_suspect).collect();
    let ochiai = |of_failing: usize, of_passing: usize| {
        of_failing as f64 / ((failing * (of_failing + of_passing)) as f64).sqrt()
    };
    let is_right = |span: Span| printing.contains(&line(span)) && !in_doubt.contains(&line(span));
    ranked.sort_by(|one, two| {
        let by_tests = ochiai(two.2, two.3).total_cmp(&ochiai(one.2, one.3));
        is_right(one.0).cmp(&is_right(two.0)).then(by_tests).then(two.4.cmp(&one.4)).then(one.0.cmp(&two.0))
    });
    ranked.truncate(MOST_SUSPECTS);
    let suspect = |(span, function, of_failing, of_passing, _)| {
        let because = vec![Reason::Tests { failing: (of_failing, failing), passing: (of_passing, passing) }];
        Suspect { span, function, because, rescues: None }
    };
    ranked.into_iter().map(suspect).collect()
}
