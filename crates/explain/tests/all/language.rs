//! C as people write it: attributes, extensions, C23 and formats, a small program for each in `tests/tables/`.
//!
//! A row is `=== name: what is expected`, then the program. The oracle is the compiler: where `agrees` is expected, the compiled program runs through
//! if and only if we say that it holds. `holds` and `fails` are for what compilers do not know yet or may do anything about, and
//! `refused WORDS` for what we do not take: an error with a place and these words.

use std::fs;
use std::process::Command;

use crate::common::{in_parallel, scratch};
use nearmiss_explain::check::CheckError;
use nearmiss_explain::{Program, Reading, Verdict};
use nearmiss_program::c::Arguments;

struct Row<'a> {
    name: &'a str,
    expected: &'a str,
    text: &'a str,
}

fn rows(table: &str) -> Vec<Row<'_>> {
    let parts = table.split("=== ").skip(1);
    let rows = parts.map(|part| {
        let (head, text) = part.split_once('\n').expect("a program stands below its name");
        let (name, expected) = head.split_once(": ").expect("a name, and what is expected");
        Row { name, expected, text }
    });
    rows.collect()
}

/// What we find, in words.
fn found(text: &str, reading: &Reading) -> String {
    let program = match Program::from_text("row.c", text, reading) {
        Ok(program) => program,
        Err(error) => return format!("refused {error}"),
    };
    match program.check(&Default::default()) {
        Ok(answer) if answer.verdict() == Verdict::Holds => "holds".to_owned(),
        Ok(answer) if answer.verdict() == Verdict::Fails => "fails".to_owned(),
        Ok(_) => "undecided".to_owned(),
        Err(CheckError::Input(errors)) => {
            assert!(errors.iter().all(|error| error.span.is_some()), "it has a place: {errors:?}");
            format!("refused row.c: {}", errors[0].message)
        }
        Err(error) => format!("failed {error}"),
    }
}

/// What the compiled program does.
fn native(row: &Row, table: &str, sanitizers: &[&str]) -> Result<&'static str, String> {
    let folder = scratch("language");
    let (source, binary) =
        (folder.join(format!("{table}_{}.c", row.name)), folder.join(format!("{table}_{}", row.name)));
    fs::write(&source, row.text).map_err(|error| error.to_string())?;
    let compile = |standard: &str| {
        let mut command = Command::new("cc");
        command
            .args([standard, "-w", "-O0", "-fno-builtin"])
            .args(sanitizers)
            .arg("-o")
            .arg(&binary)
            .arg(&source)
            .arg("-lm");
        command.output().is_ok_and(|done| done.status.success())
    };
    if !compile("-std=gnu17") && !compile("-std=gnu2x") {
        return Err("the compiler refuses it".to_owned());
    }
    let ended = Command::new(&binary).output().map_err(|error| error.to_string())?;
    let is_stopped = !sanitizers.is_empty() && !ended.status.success();
    Ok(if ended.status.code().is_some() && !is_stopped { "holds" } else { "fails" })
}

/// What is wrong with a row.
fn complaint(row: &Row, table: &str, reading: &Reading, sanitizers: &[&str]) -> Option<String> {
    let found = found(row.text, reading);
    let wanted = match row.expected {
        "agrees" => match native(row, table, sanitizers) {
            Ok(does) => does,
            Err(why) => return Some(format!("{}: {why}", row.name)),
        },
        other => other,
    };
    let right = match wanted.strip_prefix("refused ") {
        Some(words) => found.starts_with("refused") && found.contains("row.c:") && found.contains(words),
        None => found == wanted,
    };
    (!right).then(|| format!("{}: expected {wanted}, found {found}", row.name))
}

fn check_table(name: &str, table: &str) {
    check_table_with(name, table, &Reading::default(), &[]);
}

fn check_table_with(name: &str, table: &str, reading: &Reading, sanitizers: &[&str]) {
    let rows = rows(table);
    assert!(rows.len() > 10, "{name} has its rows");
    let wrong = in_parallel(&rows, |row| complaint(row, name, reading, sanitizers));
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn functions_without_a_body_write_what_they_can() {
    check_table("unknown", include_str!("../tables/unknown.txt"));
}

#[test]
fn functions_without_a_body_write_nothing_if_one_says_so() {
    let mut reading = Reading::default();
    reading.c.arguments = Arguments::Kept;
    for name in ["a_variable", "an_array_is_written_as_a_whole", "allocated_memory", "a_pointer_that_is_followed"] {
        let rows = rows(include_str!("../tables/unknown.txt"));
        let row = rows.iter().find(|row| row.name == name).expect("there is such a row");
        assert_eq!(found(row.text, &reading), "holds", "{name}");
    }
}

#[test]
fn a_function_that_may_have_written_a_pointer_is_named() {
    let rows = rows(include_str!("../tables/unknown.txt"));
    for row in rows.iter().filter(|row| row.expected == "undecided") {
        let program = Program::from_text("row.c", row.text, &Reading::default()).expect("it is read");
        let answer = program.check(&Default::default()).expect("it is checked");
        let open = &answer.explanation().left_open;
        assert!(!open.is_empty() && open.iter().all(|open| open.function == "get"), "{}: {open:?}", row.name);
    }
}

/// The oracle is the sanitizer of the compiler.
#[test]
fn what_is_aligned_is_what_compilers_say() {
    let mut reading = Reading::default();
    reading.c.checks.alignment = true;
    let sanitizers = ["-fsanitize=alignment", "-fno-sanitize-recover=all"];
    check_table_with("alignment", include_str!("../tables/alignment.txt"), &reading, &sanitizers);
}

/// Pointers to nothing, of which no byte is read or written. The oracle is what the headers of the machine say must not be NULL.
#[test]
fn pointers_are_valid_also_for_no_bytes() {
    let sanitizers = ["-fsanitize=nonnull-attribute", "-fno-sanitize-recover=all"];
    check_table_with("no_bytes", include_str!("../tables/no_bytes.txt"), &Reading::default(), &sanitizers);
}

/// The checks that are off by default. The oracle is a sanitizer, or an assertion that only the compiler sees.
#[test]
fn checks_that_are_asked_for() {
    let mut reading = Reading::default();
    let checks = &mut reading.c.checks;
    (checks.float_overflow, checks.float_div_by_zero, checks.nan) = (true, true, true);
    (checks.pointer_overflow, checks.pointer_primitive) = (true, true);
    (checks.enum_range, checks.memory_leak) = (true, true);
    let sanitizers = ["-fsanitize=float-divide-by-zero", "-fno-sanitize-recover=all"];
    check_table_with("checks", include_str!("../tables/checks.txt"), &reading, &sanitizers);
}

#[test]
fn the_library_does_what_compiled_programs_see() {
    check_table("library", include_str!("../tables/library.txt"));
}

#[test]
fn attributes_and_builtins_are_honoured_or_refused() {
    check_table("attributes", include_str!("../tables/attributes.txt"));
}

#[test]
fn the_language_is_what_compilers_take_it_for() {
    check_table("language", include_str!("../tables/language.txt"));
}

#[test]
fn text_is_made_and_read_by_formats() {
    check_table("formats", include_str!("../tables/formats.txt"));
}
