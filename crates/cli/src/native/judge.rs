//! Did the compiled program fail at the claim, and did it pass where it should? And if not, is that evidence against us?

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{
    Author, BinaryOp, ClaimKind, ExprId, ExprKind, INVALID_OBJECT, Operand, Program, StatementKind, Type, TypeId,
};
use nearmiss_program::run::{Closing, Content, Outcome};
use nearmiss_program::source::Span;

use super::harness::{MEMORY, REPORTED, STARTED, Then};
use super::process::{Ended, Late};
use super::{Feed, Plan, Question, Replay, has_body, sandbox, text};

/// A signal by which a program ends itself, which is not a failure of ours to explain.
const ABORT: i32 = 6;
/// The signal of a system that has had enough of it.
const KILL: i32 = 9;

/// Functions that a compiler calls without being asked to.
const COPIES: [&str; 4] = ["memcpy", "memmove", "memset", "memcmp"];

/// Compares how the program ended with how the passing run ends: no claim is violated, nothing crashes.
pub fn passing(question: &Question, ended: &Ended, report: Option<&str>) -> Replay {
    let status = match end(ended, report) {
        Ok(status) => status,
        Err(why) => return Replay::Skipped(why),
    };
    if let Some(reported) = report.and_then(Reported::read) {
        // Behind a claim that is mended there may be assumptions about inputs that the run never had.
        let is_excluded = question.passing.is_some_and(|feed| feed.run.outcome == Outcome::Excluded);
        if reported.what == "assumption" && is_excluded {
            return Replay::Confirmed;
        }
        return Replay::Refuted(match reported.what {
            "assumption" => "an assumption does not hold".to_owned(),
            _ if reported.file.is_empty() => "a claim fails".to_owned(),
            _ => format!("the assertion at {}:{} fails", base_name(reported.file), reported.line),
        });
    }
    let checks = question.settings.reading.c.checks;
    // Without these checks of ours it may well crash, or do what sanitizers do not like.
    let all_checked =
        checks.bounds && checks.pointer && checks.div_by_zero && checks.signed_overflow && checks.undefined_shift;
    let refuted = |how: String| if all_checked { Replay::Refuted(how) } else { Replay::Skipped(how) };
    if let Some((file, line)) = sanitizer_places(&ended.messages).first() {
        return refuted(format!("the sanitizers see a failure at {}:{line}", base_name(file)));
    }
    match status.signal() {
        None => Replay::Confirmed,
        Some(ABORT) if ended.messages.is_empty() => Replay::Confirmed,
        Some(_) => refuted("it crashes".to_owned()),
    }
}

/// Compares a run that a formula is about with what the program did: it reads the same inputs and goes on as the run does.
pub fn whole(question: &Question, feed: Feed, then: Then, ended: &Ended, report: Option<&str>) -> Replay {
    // Objects of later rounds may hold something that no run tells of, and nothing is said of what is beyond a horizon.
    let is_open = then != Then::Ends
        && (feed.inputs.contents.values().any(|contents| !contents.is_empty())
            || feed.inputs.closing.is_some_and(Closing::is_horizon));
    match judged(question, then, ended, report) {
        Replay::Refuted(how) if is_open => {
            Replay::Skipped(format!("{how}, but what it repeats may read what nobody has set"))
        }
        judged => judged,
    }
}

fn judged(question: &Question, then: Then, ended: &Ended, report: Option<&str>) -> Replay {
    let what = report.and_then(Reported::read).map(|reported| reported.what);
    match (then, ended.status, what) {
        (_, _, Some("order")) => Replay::Refuted("it reads its inputs in another order".to_owned()),
        (Then::Repeats, _, Some("enough")) | (Then::RepeatsSilently, Err(Late::TooSlow), None) => Replay::Confirmed,
        (_, _, Some("enough")) => Replay::Refuted("it reads more inputs than the run".to_owned()),
        (Then::Ends, ..) | (_, _, Some(_)) | (_, Err(_), _) => passing(question, ended, report),
        (_, Ok(_), None) => Replay::Refuted("it comes to an end".to_owned()),
    }
}

/// What the harness has written before it ended the program.
struct Reported<'a> {
    what: &'a str,
    line: u32,
    file: &'a str,
}

impl Reported<'_> {
    /// None if all that is known is that it started.
    fn read(report: &str) -> Option<Reported<'_>> {
        let mut words = report.trim_end().splitn(3, ' ');
        let what = words.next().filter(|what| *what != STARTED)?;
        let line = words.next().and_then(|line| line.parse().ok()).unwrap_or(0);
        Some(Reported { what, line, file: words.next().unwrap_or_default() })
    }
}

/// How the program ended, or why nothing can be said of it that does not lie in it but in how it is run.
fn end(ended: &Ended, report: Option<&str>) -> Result<ExitStatus, String> {
    let status = ended.status.map_err(|late| late.to_string())?;
    if status.code() == Some(sandbox::NOT_SET_UP) && report.is_none() {
        return Err("the sandbox for it could not be set up".to_owned());
    }
    if status.signal() == Some(sandbox::FORBIDDEN) {
        return Err("it was stopped: it makes a system call that no program may make here".to_owned());
    }
    let report = report.ok_or("it does not start")?;
    match Reported::read(report) {
        Some(reported) if reported.what == MEMORY => Err("it needs more memory than it is given".to_owned()),
        None if status.code() == Some(REPORTED) => Err("what it reports cannot be written".to_owned()),
        _ if status.signal() == Some(KILL) => Err("it was stopped by the system".to_owned()),
        _ => Ok(status),
    }
}

/// Compares how the program ended with how the failing run ends.
pub fn failing(question: &Question, plan: &Plan, ended: &Ended, report: Option<&str>) -> Replay {
    let lines = claim_lines(question);
    let status = match end(ended, report) {
        Ok(status) => status,
        Err(why) => return Replay::Skipped(why),
    };
    let is_claim =
        |file: &str, line: u32| base_name(file) == base_name(&lines.file) && (lines.first..=lines.last).contains(&line);
    if let Some(Reported { what, line, file }) = report.and_then(Reported::read) {
        return match what {
            "here" => Replay::Confirmed,
            "claim" if is_claim(file, line) => Replay::Confirmed,
            // The call could not be marked: it stands in a macro or a header.
            "claim" if file.is_empty() && question.claim.kind == ClaimKind::Assertion => Replay::Confirmed,
            "claim" if file.is_empty() => elsewhere(question, plan, "another claim fails before".to_owned()),
            "claim" => elsewhere(question, plan, format!("the assertion at {}:{line} fails before", base_name(file))),
            _ => elsewhere(question, plan, "an assumption does not hold".to_owned()),
        };
    }
    let places = sanitizer_places(&ended.messages);
    if places.iter().any(|(file, line)| is_claim(file, *line)) {
        return Replay::Confirmed;
    }
    let Some((file, line)) = places.first() else {
        return unconfirmed(question, plan, status.success() || status.code().is_some());
    };
    Replay::Skipped(format!("the sanitizers see a failure at {}:{line} instead", base_name(file)))
}

/// It ended at another place. That is evidence against us only if it cannot have gone on from the claim unseen.
fn elsewhere(question: &Question, plan: &Plan, how: String) -> Replay {
    match unconfirmed(question, plan, true) {
        Replay::Refuted(_) => Replay::Refuted(how),
        unseen => unseen,
    }
}

/// Nothing was reported. Is that evidence against us?
fn unconfirmed(question: &Question, plan: &Plan, ended_normally: bool) -> Replay {
    let checks = question.settings.reading.c.checks;
    match question.claim.kind {
        ClaimKind::Assertion | ClaimKind::DivisionByZero | ClaimKind::FloatDivision if ended_normally => {
            Replay::Refuted("it ends without failing".to_owned())
        }
        ClaimKind::Overflow if ended_normally && !(plan.computed && is_alone(question) && is_computed(question)) => {
            Replay::Skipped("it does not fail here, but the compiler may have simplified the expression".to_owned())
        }
        ClaimKind::Overflow if ended_normally => Replay::Refuted("it ends without failing".to_owned()),
        // Whoever calls abort() ends by a signal.
        ClaimKind::Assertion if question.claim.text == "abort() is not called" => Replay::Confirmed,
        ClaimKind::Assertion if checks.pointer && checks.bounds => Replay::Refuted("it crashes before".to_owned()),
        ClaimKind::Unreachable | ClaimKind::PointerDereference if !ended_normally => Replay::Confirmed,
        _ if !ended_normally => Replay::Skipped("it crashes before".to_owned()),
        ClaimKind::Conversion => Replay::Skipped("no sanitizer objects to the conversion".to_owned()),
        _ => Replay::Skipped("the sanitizers do not see this failure".to_owned()),
    }
}

/// Does the claim hold or not by what a run computes? Compilers fold what is constant, `INT_MAX + 1`.
fn is_computed(question: &Question) -> bool {
    let program = question.program;
    let statements = program.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.statements);
    let conditions = statements.filter_map(|statement| match statement.kind {
        StatementKind::Claim { claim, condition, .. } if program.claims[claim.index()].id == question.claim.id => {
            Some(program.expr(condition).kind)
        }
        _ => None,
    });
    conditions.into_iter().any(|condition| !matches!(condition, ExprKind::Const(_)))
}

/// Is what the claim is about all that a statement computes? Not where it is part of something larger, `(a + b) * 0`.
fn is_alone(question: &Question) -> bool {
    let span = question.claim.span;
    let mut files = question.sources.files();
    let file = files.find(|(id, _)| *id == span.file);
    file.is_some_and(|(_, file)| text::stands_alone(&text::tokens(&file.text), span.start as usize, span.end as usize))
}

/// Reasons for which a correct compiler may run the program otherwise than we do.
pub fn excuse(question: &Question, plan: &Plan) -> Option<String> {
    let open_order = plan.copies.values().any(|copy| text::has_open_order(&copy.tokens));
    if open_order {
        return Some("C leaves the order open in which it evaluates some operands".to_owned());
    }
    if COPIES.iter().any(|name| has_body(question.program, name)) {
        return Some("compilers call a function of its own to copy and clear memory".to_owned());
    }
    if let Some(name) = &plan.outside {
        return Some(format!("what `{name}` does is made up"));
    }
    if question.sources.files().any(|(_, file)| !file.system && file.text.contains("CPROVER check")) {
        return Some("a pragma says which checks are made".to_owned());
    }
    uses_addresses(question.program).then(|| "it depends on addresses as numbers".to_owned())
}

/// The same for what one run does.
pub fn excuse_of_run(question: &Question, feed: Feed) -> Option<String> {
    let pointer = question.program.pointer;
    // The numbers of our addresses mean nothing there.
    let may_point =
        |content: &Content| content.bits == pointer.bits && pointer.decode(content.value).0 > INVALID_OBJECT;
    if feed.inputs.contents.values().flatten().any(may_point) {
        return Some("memory that nobody has set may be a pointer here, which cannot be fed".to_owned());
    }
    let execution = Interpreter::new(question.program).execute(feed.inputs, &Limits::default(), Recording::Outcome);
    execution.odd_truth.then(|| "it reads a `_Bool` whose byte is neither 0 nor 1, of which C says nothing".to_owned())
}

/// Whether some number is made of a pointer, other than by a difference of two.
fn uses_addresses(program: &Program) -> bool {
    let is_pointer = |ty: TypeId| matches!(program.ty(ty), Type::Pointer { .. });
    let is_number = |ty: TypeId| matches!(program.ty(ty), Type::Integer { .. });
    let of_pointer = |id: ExprId| is_pointer(program.expr(id).ty);
    let computed = program.exprs.iter().filter(|expr| is_number(expr.ty)).any(|expr| match expr.kind {
        ExprKind::Load(place) => is_pointer(program.place(place).ty),
        ExprKind::AddressOf(_) | ExprKind::FunctionAddress(_) => true,
        ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => of_pointer(a),
        ExprKind::Binary(op, a, b) => op != BinaryOp::Sub && (of_pointer(a) || of_pointer(b)),
        ExprKind::Ite(_, a, b) => of_pointer(a) || of_pointer(b),
        ExprKind::Const(_) | ExprKind::Memory(_) | ExprKind::Rounded { .. } => false,
    });
    // A cast between types of the same width leaves no trace but where it is stored.
    let users = program.functions.iter().filter(|function| function.author == Author::User);
    let mut statements = users.flat_map(|function| &function.blocks).flat_map(|block| &block.statements);
    computed
        || statements.any(|statement| match &statement.kind {
            StatementKind::Assign { target, value, .. } => is_number(program.place(*target).ty) && of_pointer(*value),
            StatementKind::Call { function, arguments, .. } => {
                let parameters = &program.function(*function).locals;
                arguments.iter().zip(parameters).any(|(argument, parameter)| match argument {
                    Operand::Value(value) => is_number(parameter.ty) && of_pointer(*value),
                    Operand::Object(_) => false,
                })
            }
            _ => false,
        })
}

/// The lines of the claim.
pub struct Lines {
    /// The file, as a person says it.
    pub file: String,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

/// Where the claim stands.
pub fn claim_lines(question: &Question) -> Lines {
    let span = question.claim.span;
    let first = question.sources.position(span);
    let end = span.end.max(span.start + 1) - 1;
    let last = question.sources.position(Span { start: end, ..span });
    Lines { file: first.file, first: first.line, last: last.line.max(first.line) }
}

/// Places in the reports of sanitizers, the innermost first: `f.c:3:5: runtime error: …` and
/// `#0 0x55 in f /folder/f.c:3`. Only the stack of the failing access counts, not those of allocation and release.
fn sanitizer_places(messages: &str) -> Vec<(String, u32)> {
    let mut places = Vec::new();
    let mut in_report = false;
    for line in messages.lines() {
        let place = if let Some((place, _)) = line.split_once(": runtime error: ") {
            Some(place)
        } else if line.contains("ERROR: AddressSanitizer") {
            in_report = true;
            None
        } else if in_report && line.trim_start().starts_with('#') {
            line.split_once(" in ").and_then(|(_, rest)| rest.split_once(' ')).map(|(_, place)| place)
        } else {
            in_report &= places.is_empty();
            None
        };
        places.extend(place.and_then(file_and_line));
    }
    places
}

/// `file:line` or `file:line:column`.
fn file_and_line(place: &str) -> Option<(String, u32)> {
    let mut parts = place.trim().rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    match (middle.parse(), first) {
        (Ok(line), Some(file)) => Some((file.to_owned(), line)),
        _ => last.parse().ok().map(|line| (middle.to_owned(), line)),
    }
}

/// A path without its folders.
pub fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_from_reports() {
        let undefined = "t.c:3:14: runtime error: signed integer overflow: 1 + 2\n";
        assert_eq!(sanitizer_places(undefined), [("t.c".to_owned(), 3)]);
        let address = "\
==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1
READ of size 4 at 0x1 thread T0
    #0 0x55 in add_up examples/freed.c:41
    #1 0x56 in main /tmp/x/examples/freed.c:60
    #2 0x57 in start (/lib/libc.so.6+0x1)

0x1 is located 0 bytes inside of 16-byte region
freed by thread T0 here:
    #0 0x58 in free
    #1 0x59 in drop examples/freed.c:30
";
        let expected = [("examples/freed.c".to_owned(), 41), ("/tmp/x/examples/freed.c".to_owned(), 60)];
        assert_eq!(sanitizer_places(address), expected);
    }
}
