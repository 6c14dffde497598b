//! The failing run as a violation witness of the software verification competition (format 2.0, YAML), which other tools
//! validate and replay: a value for every input, the way of every branch, and where it ends.
//!
//! The form wants a time and an identifier. So that the same input gives the same bytes, the time is what the caller says
//! ([`Origin::seconds`]), and the identifier is made from the contents.

use std::fmt::Write;

use nearmiss_explain::explanation::{ClaimReport, Counterexample};
use nearmiss_program::program::{Asker, Author, ClaimKind, SiteKind};
use nearmiss_program::run::{Condition, RunStep, RunStepKind};
use nearmiss_program::source::{FileId, Span};
use sha2::{Digest, Sha256};

use super::Report;

/// A list of witnesses without any.
pub const NONE: &str = "[]\n";

/// What a witness says of its origin: facts from outside of the explanation.
pub struct Origin<'a> {
    /// The files as they were typed, with their bytes; a file without bytes is hashed as it was read.
    pub files: &'a [(String, Vec<u8>)],
    /// Seconds since 1970 at which it is said to have been made.
    pub seconds: i64,
}

/// The witness; none where nothing fails. The error says why there is none for what fails.
pub fn render(report: &Report, origin: &Origin) -> Result<Option<String>, String> {
    let Some(counterexample) = &report.explanation.counterexample else { return Ok(None) };
    let Some(claim) = report.explanation.property.map(|at| &report.explanation.claims[at]) else { return Ok(None) };
    let Some(property) = property(claim) else {
        return Err(format!(
            "{} fails, but a violation witness cannot say so: its specifications are reachability (assertions, \
             `reach_error`), signed overflow, and memory safety (dereferences, `free`); use --format json",
            claim.id
        ));
    };
    if report.program.int_bits() != 32 {
        return Err("a violation witness is for a machine whose int has 32 bits; use --format json".to_owned());
    }
    let content = content(report, counterexample, claim);
    let mut files: Vec<(&str, String)> = Vec::new();
    for (name, bytes) in origin.files {
        let file = report.sources.files().find(|(_, file)| file.name == *name);
        let hash = match (bytes.is_empty(), file) {
            (true, Some((_, file))) => hash(file.text.as_bytes()),
            _ => hash(bytes),
        };
        files.push((name, hash));
    }
    let entry = &report.program.function(report.program.entry).name;
    let specification = format!("CHECK( init({entry}()), LTL({property}) )");
    let whole = format!("{specification}\n{files:?}\n{content}");
    let mut out = "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n".to_owned();
    let _ = writeln!(out, "    uuid: {}", quoted(&identifier(&whole)));
    let _ = writeln!(out, "    creation_time: {}", quoted(&time(origin.seconds)));
    let _ = writeln!(out, "    producer:\n      name: nearmiss\n      version: {}", quoted(env!("CARGO_PKG_VERSION")));
    out += "    task:\n      input_files:\n";
    for (name, _) in &files {
        let _ = writeln!(out, "      - {}", quoted(name));
    }
    out += "      input_file_hashes:\n";
    for (name, hash) in &files {
        let _ = writeln!(out, "        {}: {}", quoted(name), quoted(hash));
    }
    let model = if report.program.pointer.bits == 32 { "ILP32" } else { "LP64" };
    let _ = writeln!(out, "      specification: {}", quoted(&specification));
    let _ = writeln!(out, "      data_model: {model}\n      language: C\n  content:");
    Ok(Some(out + &content))
}

/// What a claim is in the competition's specifications; none where these cannot say it.
fn property(claim: &ClaimReport) -> Option<&'static str> {
    match claim.kind {
        ClaimKind::Assertion => Some("G ! call(reach_error())"),
        ClaimKind::Overflow => Some("G ! overflow"),
        ClaimKind::ArrayBounds | ClaimKind::PointerDereference => Some("G valid-deref"),
        ClaimKind::Free => Some("G valid-free"),
        ClaimKind::MemoryLeak => Some("G valid-memcleanup"),
        ClaimKind::DivisionByZero
        | ClaimKind::Shift
        | ClaimKind::Conversion
        | ClaimKind::Narrowing
        | ClaimKind::Wraparound
        | ClaimKind::Alignment
        | ClaimKind::FloatDivision
        | ClaimKind::FloatOverflow
        | ClaimKind::Nan
        | ClaimKind::PointerArithmetic
        | ClaimKind::PointerPrimitive
        | ClaimKind::EnumRange
        | ClaimKind::ErrorLabel
        | ClaimKind::PointerRelation
        | ClaimKind::Output
        | ClaimKind::OutputEnd
        | ClaimKind::ExitStatus
        | ClaimKind::Precondition
        | ClaimKind::Unreachable
        | ClaimKind::Gate
        | ClaimKind::Temporal
        | ClaimKind::Unwinding => None,
    }
}

/// The way points in order, a segment each.
fn content(report: &Report, counterexample: &Counterexample, claim: &ClaimReport) -> String {
    let mut out = String::new();
    let steps = &counterexample.run.steps;
    for (index, step) in steps.iter().enumerate() {
        match &step.kind {
            RunStepKind::Input { site, name, ty, value } => {
                let value = report.failing.value(*ty, *value);
                let site = &report.program.sites[site.index()];
                let called = site.kind.is_call() && report.sources.text(site.span).ends_with(')');
                if called {
                    let end = Span { start: site.span.end - 1, ..site.span };
                    let constraint = format!("\\result == {value}");
                    out += &waypoint("function_return", end, &site.function, Some(&constraint), report);
                } else if matches!(site.kind, SiteKind::Volatile | SiteKind::Unsaid) {
                    // A condition over it would read it once more.
                    continue;
                } else if let Some(next) = next_statement(steps, index) {
                    let function = &report.program.function(next.function).name;
                    let constraint = format!("{name} == {value}");
                    out +=
                        &waypoint("assumption", start_of_line(next.span, report), function, Some(&constraint), report);
                }
            }
            RunStepKind::Branch { of, .. } if report.program.function(step.function).author == Author::User => {
                if let (Some(truth), Some(keyword)) = (of.truth, keyword(of, report)) {
                    let function = &report.program.function(step.function).name;
                    let way = if truth { "true" } else { "false" };
                    out += &waypoint("branching", keyword, function, Some(way), report);
                }
            }
            _ => {}
        }
    }
    out + &waypoint("target", claim.span, &claim.function, None, report)
}

/// The first statement of the user's after some step; what is assumed of a variable holds before it.
fn next_statement(steps: &[RunStep], index: usize) -> Option<&RunStep> {
    steps[index + 1..].iter().find(|step| !matches!(step.kind, RunStepKind::Input { .. } | RunStepKind::Call { .. }))
}

/// Where the statement starts that something in a line belongs to: at the first letter of the line.
fn start_of_line(span: Span, report: &Report) -> Span {
    let text = &report.sources.file(span.file).text;
    let start = text[..span.start as usize].rfind('\n').map_or(0, |newline| newline + 1);
    let blank = text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len();
    let start = (start + blank) as u32;
    Span { start, end: span.end.max(start), ..span }
}

/// The `if` or `while` that asks for a condition, if it stands right before it.
fn keyword(of: &Condition, report: &Report) -> Option<Span> {
    let (condition, word) = match of.asker {
        Asker::If => (of.span, "if"),
        Asker::While => (of.span, "while"),
        Asker::Do | Asker::For | Asker::Case | Asker::Value => return None,
    };
    let text = &report.sources.file(condition.file).text;
    // The condition may stand in parentheses of its own.
    let before = text.get(..condition.start as usize)?.trim_end().trim_end_matches(['(', ' ', '\t', '\n']);
    let start = before.strip_suffix(word)?.len();
    let joined = before[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (!joined).then_some(Span::new(condition.file, start as u32, before.len() as u32))
}

fn waypoint(kind: &str, at: Span, function: &str, constraint: Option<&str>, report: &Report) -> String {
    let position = report.sources.position(at);
    let mut out = format!("  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n");
    if let Some(constraint) = constraint {
        let _ = writeln!(out, "        constraint:\n          value: {}", quoted(constraint));
        if kind != "branching" {
            out += "          format: c_expression\n";
        }
    }
    let _ = writeln!(out, "        location:\n          file_name: {}", quoted(&name(at.file, report)));
    let _ = writeln!(out, "          line: {}\n          column: {}", position.line, position.column);
    let _ = writeln!(out, "          function: {}", quoted(function));
    out
}

fn name(file: FileId, report: &Report) -> String {
    report.sources.file(file).name.clone()
}

/// A string of YAML; JSON writes them the same way.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A universally unique identifier, of the kind that is made from contents (version 8).
fn identifier(text: &str) -> String {
    let mut bytes: Vec<u8> = Sha256::digest(text.as_bytes())[..16].to_vec();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..])
}

/// A time in the form of ISO 8601.
fn time(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 1 March 0000, in cycles of 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_their_form() {
        let id = identifier("x");
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "8");
        assert_eq!(id, identifier("x"));
        assert_ne!(id, identifier("y"));
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(quoted("\\result == -1"), "\"\\\\result == -1\"");
    }
}
