//! A crash file beside an input that passes: a dump of the rows around the bytes that matter, as `xxd` has them, and what of the program
//! looks at each of these bytes.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use nearmiss_explain::explanation::{CrashFile, LookedAt, Metric, Nearest};
use serde_json::{Value, json};

use crate::Paint;
use crate::layout::{count, enumerate, fill, one_line, pad, shorten, width};
use crate::report::Report;
use crate::view::Detail;

/// Bytes in a row, where there are two inputs and where there is one.
const BESIDE: usize = 8;
const ALONE: usize = 16;
/// So many rows are shown.
const MOST_ROWS: usize = 24;
/// So many conditions of a byte are.
const MOST_CONDITIONS: usize = 4;
/// A condition is cut off here.
const LONGEST: usize = 44;

/// `9 bytes`.
fn bytes(number: usize) -> String {
    if number == 1 { "1 byte".to_owned() } else { format!("{number} bytes") }
}

/// `9 bytes of crash-1f2e`.
pub(crate) fn of_file(crash: &CrashFile) -> String {
    format!("{} of {}", bytes(crash.failing.len()), printable(&crash.name))
}

/// So many bytes that differ are named.
const MOST_CHANGES: usize = 4;

/// ` with 05 instead of c8 at 0x2`; none if there is no input that passes.
pub(crate) fn changes(crash: &CrashFile) -> Option<String> {
    let passing = crash.passing.as_ref()?;
    let both = crash.failing.iter().zip(passing).enumerate().filter(|(_, (one, other))| one != other);
    let mut told: Vec<String> =
        both.map(|(at, (one, other))| format!("{other:02x} instead of {one:02x} at {at:#x}")).collect();
    if told.len() > MOST_CHANGES {
        let more = told.len() - MOST_CHANGES;
        told.truncate(MOST_CHANGES);
        told.push(format!("{more} more"));
    }
    let (old, new) = (crash.failing.len(), passing.len());
    match old.cmp(&new) {
        Ordering::Less => told.insert(0, format!("{} appended", bytes(new - old))),
        Ordering::Greater => told.insert(0, format!("the last {} cut off", bytes(old - new))),
        Ordering::Equal => {}
    }
    (!told.is_empty()).then(|| format!(" with {}", enumerate(&told)))
}

/// The answer where nothing is violated, or nothing is known.
pub(crate) fn without_failure(crash: &CrashFile, holds: bool, paint: Paint) -> String {
    let verdict = if holds { paint.good("PASSES") } else { paint.strong("UNDECIDED") };
    format!("{verdict}: {}\n", crash.told.join(" "))
}

/// The dump, with a title.
pub(crate) fn dump(crash: &CrashFile, detail: Detail, paint: Paint) -> String {
    let marked = marked(crash);
    let looked: BTreeSet<usize> = crash.looks.iter().map(|look| look.offset).collect();
    match &crash.passing {
        Some(passing) if passing.len() == crash.failing.len() => {
            beside(crash, passing, &marked, &looked, detail, paint)
        }
        Some(passing) => {
            let title = |name: &str, own: &[u8]| format!("{name}, {}", bytes(own.len()));
            let one =
                alone(&title(&printable(&crash.name), &crash.failing), &crash.failing, &marked, &looked, detail, paint);
            let other = alone(&title("an input that passes", passing), passing, &marked, &looked, detail, paint);
            format!("{one}\n{other}")
        }
        None => {
            let rows: BTreeSet<usize> =
                if looked.is_empty() { (0..crash.failing.len().min(64)).collect() } else { looked };
            let title = format!("{}, {}", printable(&crash.name), bytes(crash.failing.len()));
            alone(&title, &crash.failing, &BTreeSet::new(), &rows, detail, paint)
        }
    }
}

/// Names of files may hold anything.
fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The places that differ; where lengths do, from the first that does.
fn marked(crash: &CrashFile) -> BTreeSet<usize> {
    let Some(passing) = &crash.passing else { return BTreeSet::new() };
    let longest = crash.failing.len().max(passing.len());
    (0..longest).filter(|at| crash.failing.get(*at) != passing.get(*at)).collect()
}

/// ` 4d>c8` and `M.`: the bytes of a row, those that are marked with `>`.
fn row(own: &[u8], from: usize, size: usize, marked: &BTreeSet<usize>, paint: Paint) -> (String, String) {
    let (mut hex, mut text) = (String::new(), String::new());
    for at in from..from + size {
        let Some(byte) = own.get(at) else {
            hex += "   ";
            text.push(' ');
            continue;
        };
        let cell = format!("{byte:02x}");
        hex += &match marked.contains(&at) {
            true => format!(">{}", paint.bad(&cell)),
            false => format!(" {cell}"),
        };
        text.push(if (b' '..=b'~').contains(byte) { *byte as char } else { '.' });
    }
    (hex, text)
}

/// The numbers of the rows that are shown, and how many are not.
fn rows(places: impl Iterator<Item = usize>, size: usize, detail: Detail) -> (Vec<usize>, usize) {
    let mut rows: Vec<usize> = places.map(|at| at / size).collect();
    rows.sort_unstable();
    rows.dedup();
    let most = if detail >= Detail::Verbose { usize::MAX } else { MOST_ROWS };
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    (rows, more)
}

/// What is behind the last row that is shown.
fn behind(more: usize, is_end: bool) -> String {
    match more {
        0 if is_end => String::new(),
        0 => "  ...\n".to_owned(),
        more => format!("  ... and {} with bytes that matter (-v shows all)\n", count(more, "more row")),
    }
}

fn beside(
    crash: &CrashFile,
    passing: &[u8],
    marked: &BTreeSet<usize>,
    looked: &BTreeSet<usize>,
    detail: Detail,
    paint: Paint,
) -> String {
    let half = 4 * BESIDE + 3;
    let named = |name: &str| format!("{}, {}", printable(name), bytes(crash.failing.len()));
    // Where there is no room for its folders, they were told above.
    let whole = named(&crash.name);
    let is_short = whole.chars().count() <= half;
    let title = if is_short { whole } else { named(crash.name.rsplit('/').next().unwrap_or_default()) };
    let title = shorten(&title, half);
    let mut out = format!("{}\n", paint.strong(&format!("            {} passes", pad(&title, &title, half))));
    let mut last = None;
    let (rows, more) = rows(marked.iter().chain(looked).copied(), BESIDE, detail);
    for number in rows {
        if last.map_or(number > 0, |last| number > last + 1) {
            out += "  ...\n";
        }
        let (one, text) = row(&crash.failing, number * BESIDE, BESIDE, marked, paint);
        let (other, other_text) = row(passing, number * BESIDE, BESIDE, marked, paint);
        out += format!("  {:08x} {one}  {text}  {other}  {other_text}", number * BESIDE).trim_end();
        out.push('\n');
        last = Some(number);
    }
    out + &behind(more, last.is_none_or(|last| (last + 1) * BESIDE >= crash.failing.len()))
}

fn alone(
    title: &str,
    own: &[u8],
    marked: &BTreeSet<usize>,
    looked: &BTreeSet<usize>,
    detail: Detail,
    paint: Paint,
) -> String {
    let mut out = format!("{}\n", paint.strong(title));
    let mut last = None;
    let inside = marked.iter().chain(looked).copied().filter(|at| *at < own.len());
    let (rows, more) = rows(inside, ALONE, detail);
    for number in rows {
        if last.map_or(number > 0, |last| number > last + 1) {
            out += "  ...\n";
        }
        let (hex, text) = row(own, number * ALONE, ALONE, marked, paint);
        out += format!("  {:08x} {hex}  {text}", number * ALONE).trim_end();
        out.push('\n');
        last = Some(number);
    }
    out + &behind(more, last.map_or(own.is_empty(), |last| (last + 1) * ALONE >= own.len()))
}

/// `true`, `false`, `true and false`, or that what was asked there did not depend on the byte.
fn truths(truths: &[bool]) -> String {
    let told: Vec<String> = truths.iter().map(bool::to_string).collect();
    if told.is_empty() { "not of this byte".to_owned() } else { told.join(", then ") }
}

/// A row for each condition that looks at a byte.
pub(crate) fn looks(crash: &CrashFile, report: &Report, detail: Detail, paint: Paint) -> String {
    if crash.looks.is_empty() {
        return String::new();
    }
    let has_passing = crash.passing.is_some();
    let mut lines: Vec<[String; 4]> = Vec::new();
    let mut offset = None;
    let (mut number, mut left_out) = (0, 0);
    let most = if detail >= Detail::Verbose { usize::MAX } else { MOST_CONDITIONS };
    for look in &crash.looks {
        number = if offset == Some(look.offset) { number + 1 } else { 0 };
        if number >= most && !look.is_claim {
            left_out += 1;
            continue;
        }
        let byte = |own: Option<&Vec<u8>>| {
            own.and_then(|own| own.get(look.offset)).map_or("none".to_owned(), |byte| format!("{byte:02x}"))
        };
        let place = match (offset == Some(look.offset), has_passing) {
            (true, _) => String::new(),
            (false, true) if byte(Some(&crash.failing)) != byte(crash.passing.as_ref()) => {
                format!("{:#x}: {} to {}", look.offset, byte(Some(&crash.failing)), byte(crash.passing.as_ref()))
            }
            (false, _) => format!("{:#x}: {}", look.offset, byte(Some(&crash.failing))),
        };
        offset = Some(look.offset);
        let at = report.sources.position(look.span);
        let condition = format!("line {}  {}", at.line, shorten(&one_line(&condition(look, report)), LONGEST));
        let [failing, passing] = match look.is_claim {
            true => {
                ["violated".to_owned(), if look.passing.is_empty() { String::new() } else { truths(&look.passing) }]
            }
            false => [truths(&look.failing), truths(&look.passing)],
        };
        lines.push([place, condition, failing, if has_passing { passing } else { String::new() }]);
    }
    let widest = |column: usize| lines.iter().map(|line| width(&line[column])).max().unwrap_or(0);
    let columns = [widest(0), widest(1), widest(2)];
    let title = if has_passing { "What looks at these bytes (failing, passing)" } else { "What looks at these bytes" };
    let mut out = format!("{}\n", paint.strong(title));
    for [place, condition, failing, passing] in &lines {
        let told = format!(
            "  {}  {}  {}  {passing}",
            pad(place, place, columns[0]),
            pad(condition, condition, columns[1]),
            pad(failing, failing, columns[2])
        );
        out += told.trim_end();
        out.push('\n');
    }
    let more = [(left_out, "more condition"), (crash.unlooked, "more byte")];
    let more = more.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| count(number, what));
    let more: Vec<String> = more.collect();
    if !more.is_empty() {
        out += &format!("  and {} (-v shows all)\n", enumerate(&more));
    }
    out
}

/// The condition, or the text of the claim.
fn condition(look: &LookedAt, report: &Report) -> String {
    let claim = report.explanation.property.filter(|_| look.is_claim).map(|at| &report.explanation.claims[at]);
    claim.map_or_else(|| report.sources.condition(look.span), |claim| claim.text.clone())
}

/// What else is known.
pub(crate) fn told(crash: &CrashFile) -> String {
    crash.told.iter().map(|told| format!("{}\n", fill(told, 2))).collect()
}

/// The dump and what looks at it.
pub(crate) fn section(report: &Report, detail: Detail, paint: Paint) -> String {
    let Some(crash) = &report.explanation.crash else { return String::new() };
    let looks = looks(crash, report, detail, paint);
    let between = if looks.is_empty() { "" } else { "\n" };
    format!("{}{between}{looks}", dump(crash, detail, paint))
}

/// How near the passing input is, as a sentence; `keeping` says of which runs.
pub(crate) fn nearness(crash: &CrashFile, [distance, least]: [u64; 2], is_proved: bool, keeping: &str) -> String {
    let scope = &crash.scope;
    let differs = match crash.passing.as_ref().is_some_and(|passing| passing.len() != crash.failing.len()) {
        true => {
            let passing = crash.passing.as_ref().map_or(0, Vec::len);
            let length = format!("has {} instead of {}", bytes(passing), crash.failing.len());
            match distance.saturating_sub(1) {
                0 => length,
                others => format!("{length}, and {} other", bytes(others as usize)),
            }
        }
        false => format!("differs in {}", bytes(distance as usize)),
    };
    match is_proved {
        true if distance == 1 && crash.scope.contains("none but") => {
            format!("The passing input {differs}, and none can differ in fewer.")
        }
        true => format!("The passing input {differs}; no passing input{scope}{keeping} differs in fewer: proved."),
        false if least <= 1 => {
            format!("The passing input {differs}; whether another{scope} is nearer was not found out.")
        }
        false => format!(
            "The passing input {differs}, any other{scope} in at least {least}: near, but not proved to be the nearest."
        ),
    }
}

/// The same with what else is known, where inputs are compared byte by byte.
pub(crate) fn how_near(report: &Report, nearest: &Nearest, keeping: &str) -> Option<String> {
    let crash = report.explanation.crash.as_ref().filter(|_| nearest.metric == Metric::Bytes)?;
    let told = nearness(crash, [nearest.distance, nearest.lower_bound], nearest.proved_minimal, keeping);
    Some(format!("{told} {}", crash.told.join(" ")).trim_end().to_owned())
}

/// For scripts.
pub(crate) fn json(crash: &CrashFile, report: &Report) -> Value {
    let hex = |own: &[u8]| own.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut places = marked(crash);
    places.extend(crash.looks.iter().map(|look| look.offset));
    let byte = |at: usize| {
        let looked_at: Vec<Value> = (crash.looks.iter().filter(|look| look.offset == at))
            .map(|look| {
                let position = report.sources.position(look.span);
                json!({"file": position.file, "line": position.line, "condition": condition(look, report),
                    "failing": look.failing, "passing": look.passing, "claim": look.is_claim})
            })
            .collect();
        let passing = crash.passing.as_ref().map_or(Value::Null, |passing| json!(passing.get(at)));
        json!({"offset": at, "failing": crash.failing.get(at), "passing": passing, "looked_at": looked_at})
    };
    json!({
        "file": crash.name,
        "size": crash.failing.len(),
        "bytes": places.into_iter().map(byte).collect::<Vec<_>>(),
        "failing_input": hex(&crash.failing),
        "passing_input": crash.passing.as_deref().map(hex),
        "told": crash.told,
        "dump": dump(crash, Detail::Verbose, Paint::Plain),
    })
}
