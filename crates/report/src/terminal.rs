//! The answer for a person: first one sentence, then the evidence, then how far it can be trusted.

use nearmiss_explain::explanation::{
    ClaimReport, Counterexample, Explanation, InputValue, Minimised, Open, Status, Verdict,
};
use nearmiss_explain::versions::leaves_out;
use nearmiss_program::c::console::STDIN;
use nearmiss_program::c::versions::compares;
use nearmiss_program::program::{Author, ClaimKind, SiteKind, Type};
use nearmiss_program::run::{Run, RunStepKind};
use nearmiss_program::source::{Severity, Sources};

use super::layout::{count, fill, one_line, wrap};
use super::{Paint, Report, crash, cycles, diagnostic, formula_moments, trace, versions};
use crate::replay::{ROUNDS, Replay};
use crate::view::Detail;

/// So many values are shown of one input.
const MOST_VALUES: usize = 40;
/// How many open claims are listed.
const MOST_OPEN: usize = 5;
/// So many inputs are shown.
const MOST_INPUTS: usize = 40;

/// The whole answer.
pub fn render(report: &Report, detail: Detail, paint: Paint) -> String {
    let explanation = report.explanation;
    if let Some(crash) = explanation.crash.as_ref().filter(|_| explanation.verdict != Verdict::Fails) {
        return crash::without_failure(crash, explanation.verdict == Verdict::Holds, paint);
    }
    let mut out = match explanation.verdict {
        Verdict::Fails => fails(report, detail, paint),
        Verdict::Holds => holds(report, paint),
        Verdict::Undecided => undecided(report, paint),
    };
    out += &claims(report, detail, paint);
    out += &notes(report, paint);
    out
}

fn fails(report: &Report, detail: Detail, paint: Paint) -> String {
    let (sources, explanation) = (report.sources, report.explanation);
    let Some(claim) = explanation.property.map(|i| &explanation.claims[i]) else {
        return format!("{}: some claim is violated\n", paint.bad("FAILS"));
    };
    let mut out = match versions::violated(report) {
        Some(what) => {
            format!("{}: {} ({}, {})\n", paint.bad("FAILS"), paint.strong(&what), claim.id, place(claim, sources))
        }
        None => format!(
            "{}: claim {} at {} is violated: {}\n",
            paint.bad("FAILS"),
            claim.id,
            place(claim, sources),
            paint.strong(&one_line(&claim.text))
        ),
    };
    let Some(counterexample) = &explanation.counterexample else {
        if claim.kind == ClaimKind::Unwinding {
            out += "  some execution goes further; raise --unwind, or leave it out to let the bound grow\n";
        }
        return out;
    };
    match &explanation.crash {
        Some(crash) => out += &crash::told(crash),
        None => out += &inputs(counterexample, report, detail),
    }
    if detail == Detail::Quiet {
        return out;
    }
    out += &versions::lines_beside(report, paint);
    out.push('\n');
    if explanation.crash.is_some() {
        out += &format!("{}\n", crash::section(report, detail, paint));
    }
    out += &violation(report, detail, paint);
    for section in [formula_moments::render(report, paint), formula_moments::forever(report)]
        .iter()
        .filter(|section| !section.is_empty())
    {
        out += &format!("{section}\n");
    }
    out += &replayed(report);
    if explanation.crash.is_none() {
        out += &smallness(counterexample, report);
    }
    out
}

/// The answer in one sentence, for forms that have room around it: the claim stands apart from the inputs.
pub fn sentence(report: &Report) -> String {
    let explanation = report.explanation;
    let claim = explanation.property.map(|i| &explanation.claims[i]);
    let (Verdict::Fails, Some(claim), Some(found)) = (explanation.verdict, claim, &explanation.counterexample) else {
        let text = render(report, Detail::Quiet, Paint::Plain);
        return text.split("\n\n").next().unwrap_or(&text).to_owned();
    };
    let inputs = match &explanation.crash {
        Some(crash) => format!("with the {}", crash::of_file(crash)),
        None => one_line(inputs(found, report, Detail::Quiet).trim()),
    };
    let space = if inputs.is_empty() { "" } else { " " };
    let (text, at) = (one_line(&claim.text), place(claim, report.sources));
    if let Some(what) = versions::violated(report) {
        return format!("FAILS: {what} ({}, {at}){space}{inputs}.", claim.id);
    }
    format!("FAILS: `{text}` ({}, {at}) is violated{space}{inputs}.", claim.id)
}

/// Who has done what the failing run does.
pub(crate) fn replayed(report: &Report) -> String {
    let run = report.explanation.counterexample.as_ref().map(|found| &found.run);
    let again = rounds([run, None], [report.failing.replay, report.passing.replay]);
    match report.failing.replay {
        Replay::Confirmed if report.program.hardware.is_some() => {
            let text = "Replayed by the interpreter, simulated from the model bit by bit, and from the Verilog by Icarus Verilog.";
            format!("{}\n", fill(text, 0))
        }
        _ if report.program.hardware.is_some() => {
            "Replayed by the interpreter, and simulated from the model bit by bit.\n".to_owned()
        }
        Replay::Confirmed => {
            format!("{}\n", fill(&format!("Replayed by the interpreter and by the compiled program.{again}"), 0))
        }
        Replay::Refuted(_) | Replay::Skipped(_) => "Replayed by the interpreter.\n".to_owned(),
    }
}

/// What a compiled program has done of what a run repeats for ever.
pub(crate) fn rounds(runs: [Option<&Run>; 2], replays: [&Replay; 2]) -> String {
    let repeats = |(run, replay): (Option<&Run>, &Replay)| {
        *replay == Replay::Confirmed && run.is_some_and(|run| run.repeats_from().is_some())
    };
    match runs.into_iter().zip(replays).any(repeats) {
        true => format!(" What is repeated for ever the latter did {ROUNDS} times."),
        false => String::new(),
    }
}

/// What happens in the failing run, and the claim that it violates.
pub(crate) fn violation(report: &Report, detail: Detail, paint: Paint) -> String {
    let explanation = report.explanation;
    let (Some(counterexample), Some(claim)) = (&explanation.counterexample, explanation.property) else {
        return String::new();
    };
    let claim = &explanation.claims[claim];
    let mut out = String::new();
    let lines = match &report.program.hardware {
        Some(hardware) if detail == Detail::Normal => cycles::table(hardware, report, &counterexample.inputs),
        _ => trace::render(&counterexample.run, report, detail, paint),
    };
    if !lines.is_empty() {
        out += &lines;
        out.push('\n');
    }
    let label = trace::values_in(claim, &counterexample.run.steps, report.failing);
    let label: Vec<String> = label.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let kind = if compares(&claim.id) { "reference" } else { describe(claim.kind) };
    let title = format!("{} ({kind})", one_line(&claim.text));
    out += &diagnostic::snippet(&title, "violated", claim.span, &label.join(", "), report.sources, paint);
    out + "\n\n"
}

/// How small the run is, and how sure we are of it.
pub(crate) fn smallness(counterexample: &Counterexample, report: &Report) -> String {
    let Counterexample { length, sum, .. } = counterexample;
    if let (Some(hardware), Minimised::Optimal, true) =
        (&report.program.hardware, counterexample.minimised, counterexample.proved_minimal)
    {
        let last = hardware.cycles(report.program, &counterexample.inputs).saturating_sub(1);
        let text = format!(
            "No run fails in an earlier cycle than {last}. Of those that fail in it, none sets fewer signals and memories, and none that \
             sets as few has smaller values (their sum is {sum}): proved."
        );
        return format!("{}\n", fill(&text, 0));
    }
    let steps = count(usize::try_from(*length).unwrap_or(usize::MAX), "step");
    let steps = format!("{steps} (assignments, arguments, decisions, the claim; not inputs)");
    let within = if report.explanation.complete { "" } else { " within the bound" };
    match (counterexample.minimised, counterexample.proved_minimal) {
        (Minimised::Optimal, true) if !has_integers(counterexample, report) => {
            format!("No run{within} violates this claim in fewer than {steps}: proved.\n")
        }
        (Minimised::Optimal, true) if *sum == 0 => {
            format!(
                "No run{within} violates this claim in fewer than {steps}, and every integer input and assigned integer in it is 0: proved.\n"
            )
        }
        (Minimised::Optimal, true) => format!(
            "No run{within} violates this claim in fewer than {steps}, and none in {length} with integers that sum \
             up to less than {sum}: proved.\n"
        ),
        (Minimised::Optimal, false) => {
            let known = counterexample.lower_bound.map_or((1, 0), |bound| (u128::from(bound.length), bound.sum));
            if known == (u128::from(*length), *sum) {
                return format!("Length {length}, sum {sum}: found to be the least, but not proved a second time.\n");
            }
            let at_least = |value: u128, least: u128| match value == least {
                true => format!("{value} (the least)"),
                false => format!("{value} (at least {least})"),
            };
            format!(
                "Not proved minimal{within}: length {}, sum {}.\n",
                at_least(u128::from(*length), known.0),
                at_least(*sum, known.1)
            )
        }
        (Minimised::Greedy | Minimised::None, _) => String::new(),
    }
}

/// Is an input or what is assigned in the run an integer?
fn has_integers(counterexample: &Counterexample, report: &Report) -> bool {
    counterexample.run.steps.iter().any(|step| match &step.kind {
        RunStepKind::Input { ty, .. } | RunStepKind::Assign { ty, .. } => {
            matches!(report.program.ty(*ty), Type::Integer { .. } | Type::Enum { .. } | Type::Bool)
        }
        _ => false,
    })
}

/// The claims that are no bounds.
fn written(explanation: &Explanation) -> impl Iterator<Item = &ClaimReport> {
    explanation.claims.iter().filter(|claim| claim.kind != ClaimKind::Unwinding)
}

/// How many claims hold, as a sentence: all of them that were looked at.
fn all_hold(explanation: &Explanation) -> String {
    let claims = || written(explanation);
    let holding = claims().filter(|claim| claim.status == Status::Holds).count();
    match (claims().count(), holding) {
        (0, _) => "the program makes no claim".to_owned(),
        (1, 1) => "the only claim holds".to_owned(),
        (2, 2) => "both claims hold".to_owned(),
        (all, some) if all == some => format!("all {all} claims hold"),
        (_, 1) => "the claim that was looked at holds".to_owned(),
        (_, some) => format!("all {some} claims that were looked at hold"),
    }
}

fn holds(report: &Report, paint: Paint) -> String {
    let explanation = report.explanation;
    let claims = || written(explanation);
    let holding = claims().filter(|claim| claim.status == Status::Holds).count();
    let what = all_hold(explanation);
    let scope = match (claims().next().is_none(), explanation.complete) {
        (true, _) => String::new(),
        (false, true) => format!(" for every execution{}", report.program.arguments),
        (false, false) if report.program.hardware.is_some() => {
            format!(
                " in runs of at most {} cycles, and in those that repeat themselves within them (--unwind N goes further)",
                explanation.unwind
            )
        }
        (false, false) if claims().any(|claim| claim.kind == ClaimKind::Temporal) => {
            format!(" up to the bound of {} (loops may go on for longer: --unwind N goes further)", explanation.unwind)
        }
        (false, false) => {
            format!(" up to the bound of {} (loops may run longer)", explanation.unwind)
        }
    };
    let mut out = match &report.program.reference {
        Some(file) if claims().next().is_some() => {
            let name = &report.program.function(report.program.entry).name;
            let but =
                if leaves_out(&explanation.notes) { ", where the reference itself violates no check" } else { "" };
            format!("{}: {name} does the same as in {file}{scope}{but}; {what}\n", paint.good("HOLDS"))
        }
        _ => format!("{}: {what}{scope}\n", paint.good("HOLDS")),
    };
    match explanation.vacuous.as_slice() {
        [] => {}
        all if all.len() == holding => {
            out += "  vacuously: the assumptions contradict each other, or what leads here; no execution reaches a claim\n";
        }
        some => {
            let ids: Vec<String> = some.iter().map(|at| explanation.claims[*at].id.clone()).collect();
            out += &wrap("  vacuously, because no execution that meets the assumptions reaches them: ", &ids, ",");
        }
    }
    out
}

fn undecided(report: &Report, paint: Paint) -> String {
    let explanation = report.explanation;
    if let Some(before) = &explanation.before {
        return unless(report, before, paint);
    }
    if !explanation.left_open.is_empty() {
        return left_open(report, paint);
    }
    if let Some(short) = short_bound(report) {
        return format!("{}: {short}", paint.unsure("UNDECIDED"));
    }
    let mut out = format!("{}: no claim was found to be violated", paint.unsure("UNDECIDED"));
    let is_model = report.program.hardware.is_some();
    if is_model {
        out += &format!(" in the first {} cycles", explanation.unwind);
    } else if explanation.unwind > 1 {
        out += &format!(" up to the bound of {}", explanation.unwind);
    }
    out += match explanation.complete {
        true => ", but not every claim is decided\n",
        false if is_model => "; what comes later was not looked at\n",
        false => ", but not every execution was covered\n",
    };
    for note in report.notes {
        out += &format!("  {note}\n");
    }
    out += &waiting(report);
    out += match explanation.endless {
        true => "  some run never ends, so no bound covers all; --unwind N looks as far as you say\n",
        false if report.program.reference.is_some() && report.program.arguments.contains("on standard input") => {
            "  try a smaller --stdin-size, a longer --timeout, or one claim at a time with --property\n"
        }
        false => "  try a longer --timeout, a smaller --unwind, or one claim at a time with --property\n",
    };
    out
}

/// Which claims are open, and what they wait for: loops, recursion and sizes that go beyond the bound, or else the solver.
fn waiting(report: &Report) -> String {
    let is_open = |claim: &&ClaimReport| claim.status == Status::Undecided;
    let (bounds, claims): (Vec<&ClaimReport>, Vec<&ClaimReport>) =
        report.explanation.claims.iter().filter(is_open).partition(|claim| claim.kind == ClaimKind::Unwinding);
    let listed = |of: &[&ClaimReport], name: fn(&ClaimReport) -> &str| {
        let told = of.iter().take(MOST_OPEN).map(|claim| format!("{} ({})", name(claim), place(claim, report.sources)));
        let more = of.len().saturating_sub(MOST_OPEN);
        told.chain((more > 0).then(|| format!("{more} more (-v)"))).collect::<Vec<_>>()
    };
    let mut out = String::new();
    // Claims that were not asked for are open as well.
    if !report.passes_over_claims {
        out += &wrap("  open: ", &listed(&claims, |claim| &claim.id), ",");
    }
    // A model never ends: that its loop goes on is nothing that anybody waits for.
    if report.program.hardware.is_some() {
        return out;
    }
    // Loops of the models of library functions are nobody's to look at.
    let is_written = |claim: &&&ClaimReport| {
        let mut of_name = report.program.functions.iter().filter(|function| function.name == claim.function).peekable();
        of_name.peek().is_none() || of_name.any(|function| function.author == Author::User)
    };
    let written: Vec<&ClaimReport> = bounds.iter().filter(is_written).copied().collect();
    out += &wrap("  waiting for ", &listed(&written, what_is_bounded), ",");
    if written.len() < bounds.len() {
        out += "  waiting for loops inside library functions\n";
    }
    if bounds.is_empty() {
        let phases = report.explanation.stats.seconds.iter().map(|(phase, _)| *phase);
        out += match phases.rev().find(|phase| ["unwinding", "solving"].contains(phase)) {
            Some("unwinding") => "  waiting for the program to be unwound\n",
            _ => "  waiting for the solver\n",
        };
    }
    out
}

/// What a bound is on.
fn what_is_bounded(claim: &ClaimReport) -> &str {
    let text = claim.text.as_str();
    if claim.id.ends_with(".depth") {
        return "calls that lie deeper than we go";
    }
    text.strip_suffix(" ends within the bound").or(text.strip_suffix(" stay within the bound")).unwrap_or(text)
}

/// That everything holds up to the bound that was given, where some execution goes beyond it.
fn short_bound(report: &Report) -> Option<String> {
    let explanation = report.explanation;
    let all_hold_so_far = written(explanation).any(|claim| claim.status == Status::Holds);
    let is_open = |claim: &&ClaimReport| claim.kind == ClaimKind::Unwinding && claim.status == Status::Undecided;
    let open: Vec<&ClaimReport> = explanation.claims.iter().filter(is_open).collect();
    let (first, others) = open.split_first().filter(|_| all_hold_so_far)?;
    if report.program.hardware.is_some() {
        return Some(format!(
            "{} in the first {} cycles; what comes later was not looked at\n  raise --unwind for more, or leave it \
             out: then it grows until the time is over (--timeout)\n",
            all_hold(explanation),
            explanation.unwind
        ));
    }
    let what = what_is_bounded(first);
    let more = match others.len() {
        0 => String::new(),
        number => format!(", and {number} more (-v)"),
    };
    Some(format!(
        "{} up to the bound of {}, but some execution goes further: {what} at {}{more}\n  raise --unwind, or leave it out \
         and the bound grows by itself; --no-unwinding-assertions asks for no more\n",
        all_hold(explanation),
        explanation.unwind,
        place(first, report.sources),
    ))
}

/// Functions of the C library because of which it is undecided.
fn left_open(report: &Report, paint: Paint) -> String {
    let (sources, explanation) = (report.sources, report.explanation);
    let mut out = String::new();
    for open in &explanation.left_open {
        let at = sources.position(open.span);
        let claim = open.claim.map(|index| &explanation.claims[index]);
        let why = match (open.why, claim) {
            (Open::NoModel, Some(claim)) => format!("it has no model, and {} fails with some of its results", claim.id),
            (Open::NoModel, None) => "it has no model".to_owned(),
            (Open::WritesPointers, _) => "it has no body, and a pointer is read that it may have written".to_owned(),
            (Open::UnseenPointer, _) => {
                "it may point to an object that the program compares it with or asks about, and such runs are not looked at".to_owned()
            }
            (Open::ManyPoints, Some(claim)) => format!("for {}, too many of its results matter", claim.id),
            (Open::ManyPoints, None) => "too many of its results matter".to_owned(),
        };
        let header = if open.header.is_empty() { String::new() } else { format!(" ({})", open.header) };
        out += &format!(
            "{} because of `{}`{header} at {}:{}: {why}\n",
            paint.unsure("UNDECIDED"),
            open.function,
            at.file,
            at.line
        );
        if let Some(claim) = claim {
            out += &format!("  {} at {}\n", paint.strong(&one_line(&claim.text)), place(claim, sources));
        }
    }
    for note in report.notes {
        out += &format!("  {note}\n");
    }
    out
}

/// A claim that holds unless another one is violated before it.
fn unless(report: &Report, before: &Counterexample, paint: Paint) -> String {
    let claims = &report.explanation.claims;
    let reach = report.ways.and_then(|(_, view)| view.reach.as_ref());
    let mut out = String::new();
    let written = || claims.iter().filter(|claim| claim.kind != ClaimKind::Unwinding);
    for claim in written() {
        let Some(first) = claim.unless.map(|first| &claims[first]) else { continue };
        let what = match reach {
            Some(reach) => format!("`{}` is not reached at {}:{}", reach.condition, reach.file, reach.line),
            None => format!("{} holds", claim.id),
        };
        out += &format!(
            "{}: {what} unless {} at {} is violated first: {}\n",
            paint.unsure("UNDECIDED"),
            first.id,
            place(first, report.sources),
            paint.strong(&one_line(&first.text))
        );
    }
    let values = before.named.iter().map(|input| {
        format!("{} = {}", input.name, nearmiss_program::show::value(report.program, input.ty, input.value))
    });
    let values: Vec<String> = values.take(MOST_INPUTS).collect();
    let first = written().find_map(|claim| claim.unless).map(|first| &claims[first].id);
    let first = first.map_or("", String::as_str);
    if !values.is_empty() {
        out += &wrap(&format!("  {first} is violated with "), &values, ",");
    }
    let shown = match reach {
        Some(_) => format!("`nearmiss check --property {first}`"),
        None => format!("--property {first}"),
    };
    out += &format!("  C does not say what the program does after that; {shown} shows the run\n");
    out
}

/// Which claim is violated before another one is known of one run: where several are, it may be another one of these.
fn such_as(explanation: &Explanation) -> &'static str {
    let written = explanation.claims.iter().filter(|claim| claim.status == Status::Fails && claim.kind.goes_on());
    if written.count() > 2 { "another, such as " } else { "" }
}

/// What is known of all claims: in a word, or each on its line.
pub(crate) fn claims(report: &Report, detail: Detail, paint: Paint) -> String {
    let explanation = report.explanation;
    // One run says nothing of other claims.
    if detail == Detail::Quiet || explanation.crash.is_some() {
        return String::new();
    }
    let mut out = String::new();
    if detail >= Detail::Verbose {
        out += &format!("\n{}\n", paint.strong("Claims"));
        let ids = explanation.claims.iter().map(|claim| claim.id.chars().count()).max().unwrap_or(0);
        let places = explanation.claims.iter().map(|claim| place(claim, report.sources).chars().count()).max();
        for claim in &explanation.claims {
            let status = match claim.status {
                Status::Fails => paint.bad("fails    "),
                Status::Holds => paint.good("holds    "),
                Status::Undecided if claim.unless.is_some() => paint.unsure("holds    "),
                Status::Undecided => paint.unsure("undecided"),
            };
            let (place, places) = (place(claim, report.sources), places.unwrap_or(0));
            let first = claim.after.or(claim.unless).map(|first| &explanation.claims[first].id);
            let when = match (first, claim.after) {
                (None, _) => String::new(),
                (Some(first), Some(_)) => format!("  (only after {}{first})", such_as(explanation)),
                (Some(first), None) => format!("  (unless {first} is violated first)"),
            };
            out += &format!("  {status}  {:ids$}  {place:places$}  {}{when}\n", claim.id, one_line(&claim.text));
        }
        return out;
    }
    let others = |status: Status| {
        let others = explanation.claims.iter().enumerate();
        // Loops that may run longer than they were looked at are only a failure where that was asked for.
        let others = others.filter(|(_, claim)| claim.kind != ClaimKind::Unwinding);
        others.filter(move |(i, claim)| {
            claim.status == status && claim.unless.is_none() && explanation.property != Some(*i)
        })
    };
    let formula = explanation.claims.iter().enumerate().find(|(i, claim)| {
        claim.kind == ClaimKind::Temporal && claim.status != Status::Fails && explanation.property != Some(*i)
    });
    if let (Some((_, formula)), Verdict::Fails) = (formula, explanation.verdict) {
        let what = match (formula.status, explanation.complete) {
            (Status::Undecided, _) => "is undecided",
            (_, true) => "holds on every run that violates no other claim",
            (_, false) => "holds up to the bound, on every run that violates no other claim",
        };
        out += &format!("The formula {} {what}.\n", one_line(&formula.text));
    }
    for (_, claim) in others(Status::Fails) {
        let lead = match claim.after {
            Some(first) => format!("Violated only after {}{}", such_as(explanation), explanation.claims[first].id),
            None => "Also violated".to_owned(),
        };
        out += &format!("{lead}: {} at {}: {}\n", claim.id, place(claim, report.sources), one_line(&claim.text));
    }
    let is_told = |claim: &ClaimReport| formula.is_some_and(|(_, told)| told.id == claim.id);
    let holding = others(Status::Holds).filter(|(_, claim)| !is_told(claim)).count();
    // Where nothing but the bound leaves it open, the verdict has told of them.
    let is_bound_alone = explanation.before.is_none() && explanation.left_open.is_empty();
    let are_told = explanation.verdict == Verdict::Undecided && is_bound_alone && short_bound(report).is_some();
    if explanation.verdict != Verdict::Holds && holding > 0 && !are_told {
        let scope = if explanation.complete { "" } else { " up to the bound" };
        let verb = if holding == 1 { "holds" } else { "hold" };
        out += &format!("{} {verb}{scope}.\n", count(holding, "other claim"));
    }
    let is_behind = |claim: &&ClaimReport| claim.unless.is_some() && claim.kind != ClaimKind::Unwinding;
    let behind = explanation.claims.iter().filter(is_behind).count();
    if explanation.verdict == Verdict::Fails && behind > 0 {
        let verb = if behind == 1 { "holds" } else { "hold" };
        let scope = if explanation.complete { "" } else { " up to the bound" };
        out += &format!("{} {verb}{scope} unless another is violated first.\n", count(behind, "other claim"));
    }
    let open = others(Status::Undecided).filter(|(_, claim)| !is_told(claim)).count();
    let are_listed = explanation.verdict == Verdict::Undecided && is_bound_alone;
    if explanation.verdict != Verdict::Holds && open > 0 && !report.passes_over_claims && !are_listed {
        let verb = if open == 1 { "is" } else { "are" };
        out += &format!("{} {verb} undecided; -v lists them.\n", count(open, "claim"));
    }
    out
}

/// Things to know, one line each. Warnings have been shown on standard error with their text.
pub(crate) fn notes(report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    for note in &report.explanation.notes {
        let place = note.span.map(|span| report.sources.position(span));
        let place = place.map(|at| format!("{}:{}: ", at.file, at.line)).unwrap_or_default();
        let word = if note.severity == Severity::Note { "note" } else { "warning" };
        out += &format!("{}: {place}{}\n", paint.strong(word), note.message);
        if let Some(help) = &note.help {
            out += &format!("      {help}\n");
        }
    }
    if report.explanation.verdict != Verdict::Undecided {
        for note in report.notes {
            out += &format!("{}: {note}\n", paint.strong("note"));
        }
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}

fn place(claim: &ClaimReport, sources: &Sources) -> String {
    let at = sources.position(claim.span);
    format!("{}:{}", at.file, at.line)
}

/// What kind of claim it is, in words.
fn describe(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Assertion | ClaimKind::Gate => "assertion",
        ClaimKind::ArrayBounds => "index of an array",
        ClaimKind::PointerDereference => "use of a pointer",
        ClaimKind::Free => "freeing memory",
        ClaimKind::DivisionByZero | ClaimKind::FloatDivision => "division by zero",
        ClaimKind::Overflow | ClaimKind::Wraparound => "arithmetic overflow",
        ClaimKind::Shift => "distance of a shift",
        ClaimKind::Conversion | ClaimKind::Narrowing => "conversion that changes the value",
        ClaimKind::Alignment => "alignment of a pointer",
        ClaimKind::FloatOverflow => "overflow of a floating-point number",
        ClaimKind::Nan => "result that is no number",
        ClaimKind::PointerArithmetic => "pointer that leaves its object",
        ClaimKind::PointerPrimitive => "question about a pointer",
        ClaimKind::EnumRange => "value of an enumeration",
        ClaimKind::MemoryLeak => "memory leak",
        ClaimKind::ErrorLabel => "label that must not be reached",
        ClaimKind::PointerRelation => "order or difference of pointers",
        ClaimKind::Output | ClaimKind::OutputEnd => "output",
        ClaimKind::ExitStatus => "exit status",
        ClaimKind::Precondition => "precondition of a library function",
        ClaimKind::Unreachable => "code that must not be reached",
        ClaimKind::Temporal => "formula",
        ClaimKind::Unwinding => "the bound on loops",
    }
}

/// `with a = 1, b = 2`; values of the same call are put together in the order in which they are used.
fn inputs(counterexample: &Counterexample, report: &Report, detail: Detail) -> String {
    let mut groups: Vec<(&str, nearmiss_program::program::SiteId, Vec<String>)> = Vec::new();
    for input in &counterexample.named {
        let place = report.program.sites[input.site.index()].span;
        let shown = report.failing.value_of(&input.name, place, input.ty, input.value);
        match groups.iter_mut().find(|(name, site, _)| *site == input.site && *name == input.name) {
            Some((name, ..)) if *name == STDIN => {}
            Some((_, _, values)) => values.push(shown),
            None if input.name == STDIN => {
                let all: Vec<&InputValue> = counterexample.named.iter().collect();
                groups.push((STDIN, input.site, vec![versions::standard_input(&all)]));
            }
            None => groups.push((&input.name, input.site, vec![shown])),
        }
    }
    let all = detail >= Detail::Verbose;
    let mut words: Vec<String> = Vec::new();
    let number = if all { groups.len() } else { MOST_INPUTS };
    for (name, site, values) in groups.iter().take(number) {
        let site = &report.program.sites[site.index()];
        let left_out = if all { 0 } else { values.len().saturating_sub(MOST_VALUES) };
        let mut list = values[..values.len() - left_out].join(", ");
        if left_out > 0 {
            list += &format!(" and {left_out} more");
        }
        let name = match site.kind {
            SiteKind::Call | SiteKind::Invented if !name.ends_with(')') => (*name).to_owned(),
            SiteKind::Call | SiteKind::Invented | SiteKind::Volatile | SiteKind::Unsaid => {
                format!("{name} in line {}", report.sources.position(site.span).line)
            }
            _ => (*name).to_owned(),
        };
        words.push(format!("{name} = {list}"));
    }
    if groups.len() > number {
        words.push(format!("and {} (-v shows them)", count(groups.len() - number, "more input")));
    }
    let separator = if groups.iter().any(|(_, _, values)| values.len() > 1) { ";" } else { "," };
    wrap("  with ", &words, separator)
}
