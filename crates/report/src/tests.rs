//! Tests for a person: which fail, the first thing that is wrong with what is expected beside it, and where it was printed.

use nearmiss_explain::explanation::{TestRun, Tests, Verdict, Wrong};
use nearmiss_program::c::trial::Compare;
use nearmiss_program::source::Position;
use serde_json::{Value, json};

use crate::contrast;
use crate::fixes;
use crate::layout::{count, fill};
use crate::paint::Paint;
use crate::replay::Replay;
use crate::report::Report;
use crate::terminal;
use crate::view::{Detail, Verb};

/// So many failing tests are shown.
const MOST_SHOWN: usize = 3;
/// So many names are listed.
const MOST_NAMES: usize = 12;
/// So many characters of a line are shown.
const MOST_OF_LINE: usize = 90;

/// The whole answer.
pub(crate) fn render(tests: &Tests, report: &Report, detail: Detail, paint: Paint) -> String {
    let mut out = format!("{}\n", fill(&sentence(tests, report), 2));
    for word in ["FAILS", "UNDECIDED"] {
        out = out.replacen(&format!("{word}:"), &format!("{}:", paint.bad(word)), 1);
    }
    if detail == Detail::Quiet {
        return out;
    }
    let failing: Vec<&TestRun> = tests.all.iter().filter(|test| test.wrong.is_some()).collect();
    let most = if detail >= Detail::Verbose { failing.len() } else { MOST_SHOWN };
    for test in failing.iter().take(most) {
        out += &format!("\n{}", shown(test, tests.compare, report, paint));
    }
    if failing.len() > most {
        let names: Vec<&str> = failing[most..].iter().map(|test| test.name.as_str()).collect();
        out += &format!("\n{}\n", fill(&format!("Also failing: {} (-v shows them)", listed(&names)), 2));
    }
    let found = report.explanation.fixes.as_ref();
    match (report.command, found) {
        (Verb::Fix, Some(found)) => out += &fixes::listed_fixes(found, report, paint),
        (_, Some(_)) => out += &format!("\n{}", contrast::suspects(&tests.suspects, report, detail, paint)),
        (_, None) if tests.suspects.is_empty() => {}
        (_, None) => out += &format!("\n{}", contrast::suspects(&tests.suspects, report, detail, paint)),
    }
    if !failing.is_empty() {
        out += &format!("\n{}", replayed(report));
    }
    out + &terminal::notes(report, paint)
}

/// The answer in a sentence.
pub(crate) fn sentence(tests: &Tests, report: &Report) -> String {
    let (all, failing) = (tests.all.len(), tests.failing());
    match report.explanation.verdict {
        Verdict::Fails if all == 1 => "FAILS: the test fails.".to_owned(),
        Verdict::Fails if failing == 1 => format!("FAILS: 1 of {} fails.", count(all, "test")),
        Verdict::Fails => format!("FAILS: {failing} of {} fail.", count(all, "test")),
        Verdict::Holds if all == 1 => "PASSES: the test passes. Nothing is known of other inputs.".to_owned(),
        Verdict::Holds => format!("PASSES: all {} pass. Nothing is known of other inputs.", count(all, "test")),
        Verdict::Undecided => format!("UNDECIDED: time was over after {all} of {} tests.", tests.given),
    }
}

/// What a test does wrong.
pub(crate) struct Told {
    /// In words.
    pub what: String,
    /// The lines that are told beside each other.
    pub compares: Option<Difference>,
    /// Where it was, and what stands there.
    pub at: Option<(Position, String)>,
}

impl Told {
    /// None for a test that passes.
    pub fn of(test: &TestRun, compare: Compare, report: &Report) -> Option<Told> {
        let wrong = test.wrong?;
        let (what, compares) = match (wrong, first_difference(test, compare)) {
            (Wrong::Printed | Wrong::Missing, Some(difference)) => (difference.told.clone(), Some(difference)),
            (Wrong::Printed, None) => ("prints something else than is expected".to_owned(), None),
            (Wrong::Missing, None) => ("ends before all that is expected is printed".to_owned(), None),
            (Wrong::Status(status), _) => {
                (format!("exits with {status}, where {} is expected", test.status.unwrap_or(0)), None)
            }
            (Wrong::Check(claim), _) => (format!("violates a check: {}", report.explanation.claims[claim].text), None),
            (Wrong::Endless, difference) => {
                ("does not come to its end".to_owned(), difference.filter(|_| !test.printed.is_empty()))
            }
            (Wrong::Excluded, _) => ("does not meet an assumption of the program".to_owned(), None),
        };
        let place = |span| (report.sources.position(span), report.sources.line_text(span).trim().to_owned());
        Some(Told { what, compares, at: test.at.map(|(span, _)| place(span)) })
    }
}

/// What a test does wrong, for a person.
fn shown(test: &TestRun, compare: Compare, report: &Report, paint: Paint) -> String {
    let Some(told) = Told::of(test, compare, report) else { return String::new() };
    let title = paint.strong(&format!("Test {}", test.name));
    let mut out = format!("{title} {}\n", fill(&told.what, 2));
    if let Some(Difference { expected, printed, .. }) = told.compares {
        out += &format!("  expected | {}\n", paint.good(&expected));
        out += &format!("  printed  | {}\n", paint.bad(&printed));
    }
    if let Some((at, text)) = &told.at {
        out += &format!("  {}:{}  {text}\n", at.file, at.line);
    }
    for (name, span) in &test.unset {
        let at = report.sources.position(*span);
        out += &format!("  it depends on `{name}` ({}:{}), which was not set\n", at.file, at.line);
    }
    out
}

/// The first line that is wrong.
pub(crate) struct Difference {
    pub told: String,
    pub expected: String,
    pub printed: String,
    pub line: usize,
}

/// Where what is printed and what is expected part.
fn first_difference(test: &TestRun, compare: Compare) -> Option<Difference> {
    difference(test.expected.as_ref()?, &test.printed, compare)
}

/// Where what is printed and what is expected part.
pub(crate) fn difference(expected: &[u8], printed: &[u8], compare: Compare) -> Option<Difference> {
    let [expected, printed] = [expected, printed].map(|text| String::from_utf8_lossy(text).into_owned());
    let (wanted, got): (Vec<&str>, Vec<&str>) =
        (expected.split_inclusive('\n').collect(), printed.split_inclusive('\n').collect());
    let same = wanted.iter().zip(&got).take_while(|(one, two)| compare.is_same(one.as_bytes(), two.as_bytes())).count();
    let (one, two) = (wanted.get(same).copied(), got.get(same).copied());
    let line = same + 1;
    let visible = |text: Option<&str>| text.map_or("nothing more".to_owned(), in_sight);
    let difference = |told: String| Difference { told, expected: visible(one), printed: visible(two), line };
    Some(difference(match (one, two) {
        (None, None) => return None,
        (None, Some(_)) => format!("prints more than is expected, from line {line} on"),
        (Some(_), None) => format!("ends before line {line} of what is expected"),
        (Some(one), Some(two)) if one.trim_end_matches('\n') == two => {
            format!("prints line {line} without the line break at its end")
        }
        (Some(one), Some(two)) if one == two.trim_end_matches('\n') => {
            format!("prints a line break behind line {line}, where none is expected")
        }
        (Some(one), Some(two)) if one.split_whitespace().eq(two.split_whitespace()) => {
            format!("prints line {line} with other white space")
        }
        (Some(one), Some(two)) if one.eq_ignore_ascii_case(two) => {
            format!("prints line {line} with other capital letters")
        }
        _ => format!("prints line {line} wrong"),
    }))
}

/// A line as it can be seen: white space at its end and control characters are written out.
fn in_sight(text: &str) -> String {
    let line = text.strip_suffix('\n').unwrap_or(text);
    let body = line.trim_end_matches([' ', '\t', '\r']);
    let mut out = String::new();
    for (at, c) in line.char_indices() {
        match c {
            ' ' if at >= body.len() => out.push('·'),
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            c if c.is_control() => out += &format!("\\x{:02x}", c as u32),
            c => out.push(c),
        }
    }
    if out.chars().count() > MOST_OF_LINE {
        out = out.chars().take(MOST_OF_LINE).collect::<String>() + "…";
    }
    if !text.ends_with('\n') {
        out += " (no line break)";
    }
    out
}

/// What the compiled program did with the tests.
pub(crate) fn replayed(report: &Report) -> String {
    let by = match report.failing.replay {
        Replay::Confirmed => "The tests were executed by the interpreter and by the compiled program.",
        _ => "The tests were executed by the interpreter.",
    };
    format!("{by}\n")
}

fn listed(names: &[&str]) -> String {
    let rest = names.len().saturating_sub(MOST_NAMES);
    let first = names[..names.len().min(MOST_NAMES)].join(", ");
    if rest > 0 { format!("{first} and {rest} more") } else { first }
}

/// The tests as JSON.
pub(crate) fn json(tests: &Tests, report: &Report) -> Value {
    let test = |test: &TestRun| {
        let told = Told::of(test, tests.compare, report);
        let difference = first_difference(test, tests.compare).filter(|_| test.wrong.is_some());
        let claim = test.claim.map(|claim| report.explanation.claims[claim].id.clone());
        let at = told.as_ref().and_then(|told| told.at.as_ref());
        let function = test.at.map(|(_, function)| &report.program.function(function).name);
        json!({
            "name": test.name,
            "passes": test.wrong.is_none(),
            "told": told.as_ref().map(|told| &told.what),
            "compares": told.as_ref().map(|told| told.compares.is_some()),
            "expected": difference.as_ref().map(|difference| difference.expected.clone()),
            "printed": difference.as_ref().map(|difference| difference.printed.clone()),
            "printed_line": difference.as_ref().map(|difference| difference.line),
            "wrong": test.wrong.map(word),
            "unset": test.unset.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "property": claim,
            "file": at.map(|(at, _)| &at.file),
            "line": at.map(|(at, _)| at.line),
            "function": function,
            "text": at.map(|(_, text)| text),
        })
    };
    tests.all.iter().map(test).collect()
}

fn word(wrong: Wrong) -> &'static str {
    match wrong {
        Wrong::Printed => "output",
        Wrong::Missing => "missing-output",
        Wrong::Status(_) => "status",
        Wrong::Check(_) => "check",
        Wrong::Endless => "endless",
        Wrong::Excluded => "assumption",
    }
}
