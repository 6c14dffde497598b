//! The answer of `explain` for a person: first what went wrong, then the two runs side by side, then what follows from
//! that, and last how far it can be trusted.
//!
//! Nobody has to know how it is computed: differences are told in the names and lines of the program.

use nearmiss_explain::explanation::{
    Causes, Contrast, Delta, DeltaKind, Executed, KeptWhen, Listing, Nearest, Slice, Status, Suspect, Weights,
};
use nearmiss_program::program::{Assumption, AssumptionOrigin, Author, ClaimKind, Function, Statement, StatementKind};

use super::layout::{LINE, count, fill, moment, one_line, ordinal, shorten, statement, width};
use super::{Paint, Report, crash, fixes, formula_moments, same_inputs, terminal, versions};
use crate::pair::mattering;
use crate::reasons::Reasons;
use crate::replay::Replay;
use crate::view::Detail;

mod aligned;
pub(crate) mod asked;
pub(crate) mod describe;
mod predicates;
pub(crate) mod sentence;
mod table;
mod tally;

pub(crate) use describe::{at_place, condition, text_of, written};
use tally::Tally;

/// So many suspects are shown.
const MOST_SUSPECTS: usize = 8;
/// A suspect line is cut off here.
const LONGEST_SUSPECT: usize = 44;
/// So many causes are shown.
const MOST_CAUSES: usize = 6;
/// So many ways out, and so many differences of one.
const MOST_SETS: usize = 10;
const MOST_OF_SET: usize = 6;

/// The whole answer.
pub fn render(contrast: &Contrast, report: &Report, detail: Detail, paint: Paint) -> String {
    let mut out = sentence::render(contrast, report, paint);
    if detail == Detail::Quiet {
        return out;
    }
    out += &versions::lines_beside(report, paint);
    out += &versions::blame(report, paint);
    let sections = match &contrast.nearest {
        Some(nearest) => vec![
            crash::section(report, detail, paint),
            side_by_side(contrast, nearest, report, detail, paint),
            formula_moments::forever(report),
            formula_moments::render(report, paint),
            same_inputs::render(report, detail, paint),
            contrast.slice.as_ref().map(|slice| routes(slice, report, detail, paint)).unwrap_or_default(),
            others(nearest, report, detail, paint),
            contrast.causes.as_ref().map(|causes| self::causes(causes, contrast, detail, paint)).unwrap_or_default(),
            asked::render(&contrast.asked, report, paint),
            predicates::render(contrast, report, detail, paint),
            suspects(&contrast.suspects, report, detail, paint),
            assumptions(contrast, report),
            counted(nearest, report, detail, paint),
            trust(nearest, contrast, report),
        ],
        None => vec![
            crash::section(report, detail, paint),
            violation(report, detail, paint),
            formula_moments::forever(report),
            formula_moments::render(report, paint),
            same_inputs::render(report, detail, paint),
            asked::render(&contrast.asked, report, paint),
            predicates::render(contrast, report, detail, paint),
            suspects(&contrast.suspects, report, detail, paint),
            assumptions(contrast, report),
            terminal::replayed(report),
        ],
    };
    for section in sections.iter().filter(|section| !section.is_empty()) {
        out.push('\n');
        out += section;
    }
    if detail >= Detail::Verbose && contrast.nearest.is_some() {
        out += &format!("\n{}\n", paint.strong("The failing run"));
        out += &violation(report, detail, paint);
    }
    if contrast.nearest.is_none() {
        out += &report.explanation.crash.as_ref().map(crash::told).unwrap_or_default();
    }
    out += &terminal::claims(report, detail, paint);
    out += &terminal::notes(report, paint);
    out
}

/// The failing run as `check` shows it.
fn violation(report: &Report, detail: Detail, paint: Paint) -> String {
    format!("{}\n", terminal::violation(report, detail, paint).trim_end())
}

/// Why there is no passing run beside the failing one; none if there is one.
pub(crate) fn absence(contrast: &Contrast, report: &Report) -> Option<String> {
    let explanation = report.explanation;
    if contrast.nearest.is_some() {
        return None;
    }
    let is_formula = explanation.property.is_some_and(|at| explanation.claims[at].kind == ClaimKind::Temporal);
    if let (true, Some(depth)) = (contrast.none_exists, contrast.depth) {
        let turns = match depth {
            0 => "no loop more often".to_owned(),
            1 => "no loop more than once more".to_owned(),
            _ => format!("no loop more than {depth} times more"),
        };
        return Some(format!("every run that goes round {turns} than the failing one fails; a deeper one may pass"));
    }
    Some(match (contrast.none_exists, explanation.complete) {
        (true, _) if is_formula => format!(
            "no run satisfies the formula: up to the bound of {}, every run that ends or repeats itself fails",
            explanation.unwind
        ),
        (true, true) => {
            let others = explanation.claims.iter().enumerate();
            let fails_elsewhere = others
                .filter(|(at, claim)| explanation.property != Some(*at) && claim.status == Status::Fails)
                .any(|(_, claim)| claim.after.is_none());
            let elsewhere = if fails_elsewhere { ", here or at another claim" } else { "" };
            format!("there is no passing run: every execution{} fails{elsewhere}", report.program.arguments)
        }
        (true, false) => format!(
            "no run comes to its end without failing: up to the bound of {}, every execution{} fails or goes on",
            explanation.unwind, report.program.arguments
        ),
        (false, _) => "no passing run was found; there may be one".to_owned(),
    })
}

/// Whether some of the differences that matter arise inside functions of the library, where no row shows them.
fn matters_inside(contrast: &Contrast, nearest: &Nearest, report: &Report) -> bool {
    let is_inside = |delta: &Delta| delta.executed != Executed::Neither && !describe::is_visible(delta, report);
    mattering(contrast, nearest).iter().any(is_inside)
}

/// The source with both runs beside it, and what the marks mean.
fn side_by_side(contrast: &Contrast, nearest: &Nearest, report: &Report, detail: Detail, paint: Paint) -> String {
    let mut writes_elsewhere = false;
    let is_aligned = nearest.deltas.iter().any(|delta| delta.steps.is_some());
    let (text, holds_others, numbers, mattering) = if is_aligned {
        let steps = aligned::render(contrast, nearest, report, detail, paint);
        let visible = |delta: &&Delta| describe::is_visible(delta, report);
        let mattering = mattering(contrast, nearest).iter().filter(visible).count();
        (steps.text, steps.holds_others, steps.numbers, mattering)
    } else {
        let table = table::render(nearest, report, detail, paint);
        writes_elsewhere = table.writes_elsewhere;
        let numbers = " A time as 2nd/3rd: the 2nd in the failing run, the 3rd in the passing one.";
        (table.text, table.holds_others, table.two_times.then_some(numbers), table.mattering)
    };
    let own = one_step(contrast, nearest, report);
    let mut legend = match mattering {
        0 if numbers.is_some() => "  | differs.".to_owned(),
        0 => return text + &own,
        _ if matters_inside(contrast, nearest, report) => {
            "  > matters: together with differences inside library functions this makes it pass.".to_owned()
        }
        // Nothing else is computed anew from them.
        1 => "  > matters: with this and all else as in the failing run it passes.".to_owned(),
        _ => "  > matters: with these and all else as in the failing run it passes.".to_owned(),
    };
    if mattering > 0 {
        legend += match (holds_others, writes_elsewhere) {
            // Of two steps that are beside each other, but not the same turn of a loop, nobody knows whether they must differ.
            (true, _) if is_aligned => " | differs too.",
            (true, true) => " | differs too, but need not; or it writes to another place.",
            (true, false) => " | differs too, but need not.",
            (false, true) => " | writes to another place.",
            (false, false) => "",
        };
    }
    let is_open = is_aligned && holds_others;
    let avoids = contrast.slice.as_ref().is_some_and(|slice| slice.avoids_check);
    if mattering > 0 && avoids && !is_open && !calls_library(report) {
        legend += " Nothing but inputs is marked as mattering: this pair of runs does not tell which line is wrong.";
    }
    legend += numbers.unwrap_or_default();
    format!("{text}{}\n{own}", fill(&legend, 4))
}

/// Does the failing run call functions of the library? What they write is no difference of its own.
fn calls_library(report: &Report) -> bool {
    let steps = report.explanation.counterexample.iter().flat_map(|found| &found.run.steps);
    steps.into_iter().any(|step| report.program.function(step.function).author == Author::Library)
}

/// A slice that was found along with a passing run of its own: what differs there.
fn one_step(contrast: &Contrast, nearest: &Nearest, report: &Report) -> String {
    let Some(slice) = &contrast.slice else { return String::new() };
    if slice.deltas.is_empty() || !mattering(contrast, nearest).is_empty() {
        return String::new();
    }
    let visible = slice.deltas.iter().filter(|delta| describe::is_visible(delta, report));
    let mut told: Vec<String> = visible.map(|delta| describe::in_passing_run(delta, report)).collect();
    told.dedup();
    let lead = "What matters was found along with another passing run than this one. There: ";
    format!("{}\n", fill(&format!("{lead}{}.", told.join("; ")), 2))
}

/// With `--routes`: every smallest set of differences that makes it pass.
fn routes(slice: &Slice, report: &Report, detail: Detail, paint: Paint) -> String {
    let Some(routes) = &slice.routes else { return String::new() };
    let number = routes.sets.len();
    let title = match (number, routes.complete) {
        (1, true) => "The only smallest way to make it pass".to_owned(),
        (_, true) => format!("The {number} smallest ways to make it pass, all there are"),
        (_, false) => format!("{} to make it pass; there may be more", count(number, "smallest way")),
    };
    sets(&title, routes, report, detail, paint)
}

/// With `--nearest-all`: every passing run at the same distance.
fn others(nearest: &Nearest, report: &Report, detail: Detail, paint: Paint) -> String {
    let Some(all) = &nearest.all else { return String::new() };
    let number = all.sets.len();
    let title = match (number, all.complete) {
        (1, true) => return "No other passing run is as near.\n".to_owned(),
        (_, true) => format!("The {number} nearest passing runs, all there are"),
        (_, false) => format!("{} as near; there may be more", count(number, "passing run")),
    };
    sets(&title, all, report, detail, paint)
}

fn sets(title: &str, listing: &Listing, report: &Report, detail: Detail, paint: Paint) -> String {
    let all = detail >= Detail::Verbose;
    let mut out = format!("{}\n", paint.strong(title));
    let most = if all { usize::MAX } else { MOST_SETS };
    for (index, set) in listing.sets.iter().take(most).enumerate() {
        let visible: Vec<&Delta> = set.iter().filter(|delta| describe::is_visible(delta, report)).collect();
        // That an assignment is left out shows by its value where paths meet.
        let shows_later = |delta: &Delta| {
            delta.kind == DeltaKind::Value
                && delta.executed != Executed::Both
                && visible.iter().any(|other| {
                    other.executed == Executed::Both && (other.span, &other.variable) == (delta.span, &delta.variable)
                })
        };
        let visible: Vec<&Delta> = visible.iter().copied().filter(|delta| !shows_later(delta)).collect();
        let shown = if all { visible.len() } else { visible.len().min(MOST_OF_SET) };
        let mut told: Vec<String> =
            visible[..shown].iter().map(|delta| describe::in_passing_run(delta, report)).collect();
        if visible.len() > shown {
            told.push(format!("and {} more (-v shows them)", visible.len() - shown));
        }
        let lead = format!("  {:>2}. ", index + 1);
        out += &super::layout::wrap(&lead, &told, ";");
    }
    if listing.sets.len() > most {
        out += &format!("  and {} more (-v shows them)\n", listing.sets.len() - most);
    }
    out
}

/// What it means to be a cause, and to follow from one.
pub(crate) fn meaning(causes: &Causes, contrast: &Contrast) -> String {
    let bound = if causes.bounded { ", as far as loops were unwound for this" } else { "" };
    let follows = match causes.told().iter().any(|cause| !cause.implies.is_empty()) {
        true => " \"And so\": in runs that come to the check this way.",
        false => "",
    };
    let nearness = contrast.nearness_of_causes();
    format!("True in the failing run; where it is false, the nearest runs{nearness} pass{bound}.{follows}")
}

fn causes(causes: &Causes, contrast: &Contrast, detail: Detail, paint: Paint) -> String {
    if causes.shown.is_empty() {
        return String::new();
    }
    let all = detail >= Detail::Verbose;
    let mut out = format!("{}\n", paint.strong("It fails because"));
    let told = if all { causes.shown.iter().collect() } else { causes.told() };
    let most = if all { told.len() } else { told.len().min(MOST_CAUSES) };
    let widest = told[..most].iter().map(|cause| width(&cause.text)).max().unwrap_or(0);
    for cause in &told[..most] {
        let mut line = format!("  {}", super::layout::pad(&paint.bad(&cause.text), &cause.text, widest));
        if !cause.implies.is_empty() && all {
            line += &format!("\n{}", fill(&format!("    and so {}", cause.implies.join(", ")), 4));
        } else if !cause.implies.is_empty() {
            line += &format!("   and so {}", as_many_as_fit(&cause.implies, LINE - widest - 12));
        }
        out += &format!("{}\n", line.trim_end());
    }
    if told.len() > most {
        out += &format!("  and {} (-v shows them)\n", count(told.len() - most, "more cause"));
    }
    let checked = if causes.complete { "" } else { " Not all could be decided with the effort that is usual." };
    let mut text = format!("  {}{checked}", meaning(causes, contrast));
    if all {
        let (found, candidates) = (causes.found, count(causes.candidates, "relation"));
        let are = if found == 1 { "is" } else { "are" };
        text += &format!(" Of {candidates} between variables and constants that were tried, {found} {are} like that");
        if causes.far > 0 {
            text += &format!(", {} left aside, as no passing run without them is near", causes.far);
        }
        let listed: usize = causes.shown.iter().map(|cause| 1 + cause.implies.len()).sum();
        text += &match found.saturating_sub(listed) {
            0 => ".".to_owned(),
            rest => {
                format!("; {rest} not listed: what repeats the check, says how it is come to, or is never compared.")
            }
        };
    }
    out + &fill(&text, 2) + "\n"
}

/// As many of these as fit, and how many do not.
fn as_many_as_fit(words: &[String], columns: usize) -> String {
    let told = |number: usize| match words.len() - number {
        0 => words.join(", "),
        rest => format!("{} and {rest} more", words[..number].join(", ")),
    };
    let number = (1..=words.len()).rev().find(|number| width(&told(*number)) <= columns);
    number.map_or_else(|| count(words.len(), "other relation"), told)
}

pub(crate) fn suspects(suspects: &[Suspect], report: &Report, detail: Detail, paint: Paint) -> String {
    let fix = fixes::best(report, paint);
    if suspects.is_empty() && fix.is_empty() {
        return String::new();
    }
    let most = if detail >= Detail::Verbose { suspects.len() } else { suspects.len().min(MOST_SUSPECTS) };
    let shown = &suspects[..most];
    let positions: Vec<_> = shown.iter().map(|suspect| report.sources.position(suspect.span)).collect();
    let short = super::layout::short_names(positions.iter().map(|at| at.file.as_str()));
    let places: Vec<String> = positions.iter().map(|at| format!("{}:{}", short(&at.file), at.line)).collect();
    let texts: Vec<String> = shown
        .iter()
        .map(|suspect| shorten(&statement(report.sources.line_text(suspect.span)), LONGEST_SUSPECT))
        .collect();
    let widest = |texts: &[String]| texts.iter().map(|text| width(text)).max().unwrap_or(0);
    let (places_width, texts_width) = (widest(&places), widest(&texts));
    let mut out = format!("{}\n", paint.strong("Look here first"));
    let reasons = Reasons::of(report);
    for (index, suspect) in shown.iter().enumerate() {
        let why = reasons.words(suspect).join("; ");
        let head = format!("  {:>2}. {:places_width$}  ", index + 1, places[index]);
        let (text, column) = (&texts[index], width(&head) + texts_width + 3);
        if column + width(&why) <= LINE {
            out += &format!("{head}{}   {why}\n", super::layout::pad(&paint.strong(text), text, texts_width));
        } else {
            let under = " ".repeat(width(&head));
            let why = fill(&format!("{under}{why}"), width(&head));
            out += &format!("{head}{}\n{why}\n", paint.strong(text));
        }
    }
    if suspects.len() > most {
        out += &format!("  and {} (-v shows them)\n", count(suspects.len() - most, "more line"));
    }
    out + &fix
}

/// What the two runs have in common by our demand.
pub(crate) fn assumptions(contrast: &Contrast, report: &Report) -> String {
    let mut out = String::new();
    let explanation = report.explanation;
    let is_formula = explanation.property.is_some_and(|at| explanation.claims[at].kind == ClaimKind::Temporal);
    let applies = "Kept as in the failing run, because it decides whether the check applies:";
    let this_way = "Kept as in the failing run, because it decides whether the check is come to this way:";
    let guess = "Kept as in the failing run, because it may be what the check applies under:";
    let when = |one_of_ways: bool, guessed: bool| KeptWhen { one_of_ways, guessed, ..KeptWhen::default() };
    for (origin, kind, why) in [
        (AssumptionOrigin::Precondition, when(false, false), applies),
        (AssumptionOrigin::Precondition, when(true, false), this_way),
        (AssumptionOrigin::Precondition, when(false, true), guess),
        (
            AssumptionOrigin::Expected,
            when(false, false),
            "Kept as in the failing run, because it is what was expected:",
        ),
        (
            AssumptionOrigin::Entrance,
            when(false, false),
            "Kept as in the failing run, because it decides whether the computation happens:",
        ),
        (AssumptionOrigin::User, when(false, false), "Assumed, because you said so:"),
    ] {
        let is_it = |(assumption, when): &(&Assumption, KeptWhen)| {
            assumption.origin == origin && (when.one_of_ways, when.guessed) == (kind.one_of_ways, kind.guessed)
        };
        let told: Vec<String> = (with_times(contrast).filter(is_it))
            .map(|(assumption, when)| {
                let text = shorten(&one_line(&assumption.text), LINE / 2);
                if is_formula && origin == AssumptionOrigin::Precondition {
                    return format!("`{text}` comes about");
                }
                // What a check says through a variable or a call stands elsewhere.
                let is_there = is_written_in(&describe::written(assumption.span, report), &assumption.text);
                let checked = if is_there || origin != AssumptionOrigin::Precondition { "" } else { "checked in " };
                let place = describe::place(assumption.span, report);
                format!("`{text}` ({checked}{place}{})", kept_when(&when, contrast.nearest.is_some(), report))
            })
            .collect();
        if !told.is_empty() {
            out += &fill(&format!("{why} {}.", told.join(", ")), 2);
            out.push('\n');
        }
    }
    out
}

/// Do the words of a condition, or of what it denies, stand in a text?
fn is_written_in(text: &str, condition: &str) -> bool {
    let bare = |text: &str| text.chars().filter(|letter| !" ()!".contains(*letter)).collect::<String>();
    bare(text).contains(&bare(condition))
}

/// What was kept, and when; what the user assumes comes last, and is no matter of times.
pub(crate) fn with_times(contrast: &Contrast) -> impl Iterator<Item = (&Assumption, KeptWhen)> {
    let times = contrast.kept_when.iter().cloned().chain(std::iter::repeat_with(KeptWhen::default));
    contrast.assumptions.iter().zip(times)
}

/// `, the 1st and the 3rd time`, where it is not each time.
fn kept_when(when: &KeptWhen, has_passing: bool, report: &Report) -> String {
    let times: Vec<String> = (when.times.iter())
        .map(|(failing, passing)| match passing {
            _ if report.program.hardware.is_some() => format!("in {}", moment(report.program, "", *failing)),
            Some(passing) if passing != failing => format!("the {}/{} time", ordinal(*failing), ordinal(*passing)),
            None if has_passing => format!("the {} time, if it comes to that", ordinal(*failing)),
            _ => format!("the {} time", ordinal(*failing)),
        })
        .collect();
    if times.is_empty() { String::new() } else { format!(", {}", times.join(" and ")) }
}

/// Differences that no step of a run shows, where steps or predicates are compared.
fn without_rows(nearest: &Nearest, report: &Report) -> String {
    let unexecuted = nearest.deltas.iter().filter(|delta| delta.executed == Executed::Neither).count() as u64;
    let places = [
        (unexecuted, "in code that neither run executes"),
        (nearest.deeper, "in turns of loops that only the passing run takes"),
        (aligned::told_with_others(nearest, report) as u64, "told in a line with another, where paths have met"),
    ];
    let told = places.iter().map(|(number, place)| match number {
        0 => String::new(),
        1 => format!(" One of them is {place}."),
        _ => format!(" {number} of them are {place}."),
    });
    told.collect()
}

/// Does the user's text call a function of the library that copies or sets bytes?
fn moves_bytes(report: &Report) -> bool {
    fn statements(function: &Function) -> impl Iterator<Item = &Statement> {
        function.blocks.iter().flat_map(|block| &block.statements)
    }
    let moves = |statement: &Statement| {
        matches!(statement.kind, StatementKind::CopyBytes { .. } | StatementKind::SetBytes { .. })
    };
    let called = |statement: &Statement| match statement.kind {
        StatementKind::Call { function, .. } => Some(report.program.function(function)),
        _ => None,
    };
    let own = report.program.functions.iter().filter(|function| function.author == Author::User);
    let mut library = own.flat_map(statements).filter_map(called).filter(|callee| callee.author == Author::Library);
    library.any(|callee| statements(callee).any(moves))
}

/// With `-v`: the differences that count and have no row.
fn counted(nearest: &Nearest, report: &Report, detail: Detail, paint: Paint) -> String {
    let listed = match detail {
        Detail::Verbose | Detail::Trace => Tally::of(nearest, report).map(|tally| tally.listed(report)),
        _ => None,
    };
    let listed = listed.filter(|listed| !listed.is_empty());
    listed.map(|listed| format!("{}\n{listed}", paint.strong("Counted without a row"))).unwrap_or_default()
}

/// How sentences on a distance begin. Which predicates are found depends on the bound: a distance is one in those of the report.
fn compared_by(contrast: &Contrast) -> Option<String> {
    let predicates = contrast.description.as_ref().map_or(0, |description| description.predicates.len());
    (predicates > 0).then(|| format!("Compared by {}", count(predicates, "predicate")))
}

/// How near the passing run is, and who has executed it.
pub(crate) fn trust(nearest: &Nearest, contrast: &Contrast, report: &Report) -> String {
    let distance = nearest.distance;
    let values = match (&contrast.description, distance) {
        (None, 1) => "value or decision",
        (None, _) => "values and decisions",
        (Some(_), 1) => "predicate or decision",
        (Some(_), _) => "predicates and decisions",
    };
    let one = if contrast.description.is_some() { "predicate" } else { "value or decision" };
    let keeping = match (contrast.assumptions.is_empty(), contrast.reaching) {
        (true, false) => "",
        (true, true) => " that comes to the check",
        (false, _) => " that keeps these",
    };
    let within = match (contrast.depth, report.explanation.complete) {
        (Some(_), _) => " within the depth asked for",
        (None, true) => "",
        (None, false) => " within the bound",
    };
    let by = compared_by(contrast);
    let the_passing = by.as_ref().map_or("The passing".to_owned(), |by| format!("{by}, the passing"));
    let up_to = by.map_or("Up to".to_owned(), |by| format!("{by} up to"));
    let of_bytes = crash::how_near(report, nearest, &format!("{keeping}{within}"));
    let mut text = match (nearest.weights, nearest.proved_minimal) {
        _ if of_bytes.is_some() => of_bytes.clone().unwrap_or_default(),
        (None, true) => format!(
            "{the_passing} run differs in {distance} {values}, and no passing run{keeping}{within} differs in fewer: \
             proved."
        ),
        (None, false) if nearest.lower_bound <= 1 => {
            format!("{the_passing} run differs in {distance} {values}; whether another is nearer was not found out.")
        }
        (None, false) => format!(
            "{the_passing} run differs in {distance} {values}, any other in at least {}: near, but not proved to be the \
             nearest.",
            nearest.lower_bound
        ),
        (Some(weights), proved) => {
            let Weights { component, action, control } = weights;
            let actions = match nearest.deltas.iter().any(aligned::is_return) {
                true => "for the violation and for another value that is returned",
                false => "for the violation",
            };
            let prices = format!(
                "{up_to} the failure, what differs adds up to {distance}: {component} for a {one}, {action} \
                 {actions}, {control} for a step that only one run takes"
            );
            match proved {
                true => format!("{prices}. No passing run{keeping}{within} is nearer: proved."),
                false if nearest.lower_bound == 0 => {
                    format!("{prices}. Whether another run is nearer was not found out.")
                }
                false => format!(
                    "{prices}. For any other run it is at least {}: near, but not proved to be the nearest.",
                    nearest.lower_bound
                ),
            }
        }
    };
    match Tally::of(nearest, report) {
        _ if of_bytes.is_some() => {}
        Some(tally) => text += &tally.sentence(),
        None => text += &without_rows(nearest, report),
    }
    if of_bytes.is_none() && moves_bytes(report) {
        text += " What is copied or set byte by byte (`memcpy`, `memset`) is not counted.";
    }
    if contrast.slice.as_ref().is_some_and(|slice| !slice.proved_minimal) {
        text += " Fewer differences may suffice to make it pass; that was not proved.";
    }
    let replayed = replayed(report);
    let runs = [report.explanation.counterexample.as_ref().map(|found| &found.run), Some(&nearest.run)];
    let again = terminal::rounds(runs, [report.failing.replay, report.passing.replay]);
    format!("{}\n{}\n", fill(&text, 0), fill(&format!("{replayed}{again}"), 0))
}

/// Who did again what both runs do.
fn replayed(report: &Report) -> &'static str {
    match (report.failing.replay, report.passing.replay) {
        (Replay::Confirmed, Replay::Confirmed) if report.program.hardware.is_some() => {
            "Both were replayed by the interpreter, simulated from the model bit by bit, and from the Verilog by Icarus Verilog."
        }
        _ if report.program.hardware.is_some() => {
            "Both were replayed by the interpreter, and simulated from the model bit by bit."
        }
        (Replay::Confirmed, Replay::Confirmed) => "Both were replayed by the interpreter and by the compiled program.",
        (Replay::Confirmed, _) => "Both were replayed by the interpreter, the failing one by the compiled program too.",
        (_, Replay::Confirmed) => "Both were replayed by the interpreter, the passing one by the compiled program too.",
        _ => "Both were replayed by the interpreter.",
    }
}
