//! Two versions of a program, compared by running both on every short input: the oracle of `--reference` without `--function`.
//!
//! Random programs of a few statements read characters and numbers and call functions without a body, print characters and numbers in
//! several ways, and exit from `main` or from a function that it calls. In a new version some statements are others. A little
//! machine here says what each prints for every text of up to two characters, and whether that is ever different.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use nearmiss_explain::{Checking, Loader, Program, Reading, Verdict};
use nearmiss_program::c::console::{Console, Stdin};

/// Files in memory.
struct Files(HashMap<PathBuf, String>);

impl Loader for Files {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.get(path).map(|text| text.clone().into_bytes()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }
}

fn compared(new: &str, old: &str, input: Stdin) -> Result<Program, String> {
    let mut reading = Reading::default();
    reading.c.system_include.clear();
    reading.c = reading.c.with_console(Console { input, reference: None });
    let files = [("new.c", new), ("old.c", old)];
    let files = Files(files.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect());
    Program::from_versions(&["new.c".to_owned()], "old.c", &reading, &files).map_err(|error| error.to_string())
}

fn verdict(new: &str, old: &str, size: usize) -> Verdict {
    let program = compared(new, old, Stdin::Any(size)).unwrap_or_else(|error| panic!("{error}"));
    program.check(&Checking::default()).unwrap_or_else(|error| panic!("{error:?}\n{new}")).verdict()
}

/// So many characters are read at most.
const SIZE: usize = 2;

/// A statement on `x`, which is 0 to 15, and `c`, the character that was read last.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Statement {
    /// `c = getchar();`
    Read,
    /// A number, where there is one.
    Scan,
    /// Any truth value.
    Choose,
    Add(i32),
    AddCharacter,
    /// `putchar`.
    Put(u8),
    PutSum,
    /// `printf` with one of the formats.
    Print(usize),
    /// `if (c == …) x = x + 1`
    Count(u8),
    /// Leaves, from a function, where x is this.
    Exit(i32),
}

/// Formats with what they print.
const FORMATS: [&str; 5] = ["%d\\n", "%d", "%2d.", "<%x>", "%-2d"];

const HEAD: &str = "\
int printf(const char *, ...);\nint scanf(const char *, ...);\nint putchar(int);\nint getchar(void);\n\
void exit(int);\n_Bool nondet_bool(void);\n\
static int leave(int x, int when)\n{\n    if (x == when)\n        exit(x);\n    return x;\n}\n\
int main(void)\n{\n    int x = 0, c = 0, n;\n";

impl Statement {
    fn text(self) -> String {
        match self {
            Statement::Read => "c = getchar();".to_owned(),
            Statement::Scan => "if (scanf(\"%d\", &n) == 1) x = x + n & 15;".to_owned(),
            Statement::Choose => "x = x + nondet_bool() & 15;".to_owned(),
            Statement::Add(number) => format!("x = x + {number} & 15;"),
            Statement::AddCharacter => "x = x + c & 15;".to_owned(),
            Statement::Put(letter) => format!("putchar('{}');", char::from(letter)),
            Statement::PutSum => "putchar('0' + (x & 7));".to_owned(),
            Statement::Print(format) => format!("printf(\"{}\", x);", FORMATS[format]),
            Statement::Count(letter) => format!("if (c == '{}') x = x + 1 & 15;", char::from(letter)),
            Statement::Exit(when) => format!("x = leave(x, {when});"),
        }
    }
}

fn text(statements: &[Statement]) -> String {
    let lines: String = statements.iter().map(|statement| format!("    {}\n", statement.text())).collect();
    format!("{HEAD}{lines}    return x > 7;\n}}\n")
}

/// What a program prints, and its status, for a text and truth values.
fn run(statements: &[Statement], input: &[u8], choices: u32) -> (String, i32) {
    let (mut x, mut c, mut at, mut chosen) = (0i32, 0i32, 0, 0);
    let mut out = String::new();
    for statement in statements {
        match *statement {
            Statement::Read => {
                c = input.get(at).map_or(-1, |byte| i32::from(*byte));
                at = (at + 1).min(input.len());
            }
            Statement::Scan => {
                if let Some(number) = scanned(input, &mut at) {
                    x = x.wrapping_add(number) & 15;
                }
            }
            Statement::Choose => {
                x = (x + (choices >> chosen & 1) as i32) & 15;
                chosen += 1;
            }
            Statement::Add(number) => x = (x + number) & 15,
            Statement::AddCharacter => x = (x + c) & 15,
            Statement::Put(letter) => out.push(char::from(letter)),
            Statement::PutSum => out.push(char::from(b'0' + (x & 7) as u8)),
            Statement::Print(format) => {
                out += &match format {
                    0 => format!("{x}\n"),
                    1 => format!("{x}"),
                    2 => format!("{x:2}."),
                    3 => format!("<{x:x}>"),
                    _ => format!("{x:<2}"),
                }
            }
            Statement::Count(letter) => x = (x + i32::from(c == i32::from(letter))) & 15,
            Statement::Exit(when) if x == when => return (out, x),
            Statement::Exit(_) => {}
        }
    }
    (out, i32::from(x > 7))
}

/// A number as `%d` reads it.
fn scanned(input: &[u8], at: &mut usize) -> Option<i32> {
    let is = |at: usize, test: fn(u8) -> bool| input.get(at).is_some_and(|byte| test(*byte));
    while is(*at, |byte| byte == b' ' || (9..=13).contains(&byte)) {
        *at += 1;
    }
    let minus = is(*at, |byte| byte == b'-');
    if minus || is(*at, |byte| byte == b'+') {
        *at += 1;
    }
    let start = *at;
    let mut value = 0;
    while is(*at, |byte| byte.is_ascii_digit()) {
        value = value * 10 + i32::from(input[*at] - b'0');
        *at += 1;
    }
    (*at > start).then_some(if minus { -value } else { value })
}

/// An input for which two programs differ.
fn difference(one: &[Statement], other: &[Statement]) -> Option<(Vec<u8>, u32)> {
    let choices = one.iter().chain(other).filter(|statement| **statement == Statement::Choose).count().min(4) as u32;
    let first = (1..=u8::MAX).map(|byte| vec![byte]);
    let both = (1..=u8::MAX).flat_map(|byte| (1..=u8::MAX).map(move |next| vec![byte, next]));
    let mut inputs = [Vec::new()].into_iter().chain(first).chain(both);
    inputs.find_map(|input| {
        let differs = |choices: &u32| run(one, &input, *choices) != run(other, &input, *choices);
        (0..1 << choices).find(differs).map(|choices| (input.clone(), choices))
    })
}

struct Random(u64);

impl Random {
    fn below(&mut self, number: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % number
    }

    fn statement(&mut self) -> Statement {
        match self.below(14) {
            0..=2 => Statement::Read,
            3 => Statement::Scan,
            4 => Statement::Choose,
            5 => Statement::Add([1, 3, 8][self.below(3)]),
            6 => Statement::AddCharacter,
            7 => Statement::Put(b"a1 "[self.below(3)]),
            8 => Statement::PutSum,
            9..=11 => Statement::Print(self.below(FORMATS.len())),
            12 => Statement::Count(b"a "[self.below(2)]),
            _ => Statement::Exit([0, 1, 9][self.below(3)]),
        }
    }
}

/// Another way to write the same, or another statement.
fn changed(statements: &[Statement], random: &mut Random) -> Vec<Statement> {
    let mut new = statements.to_vec();
    for _ in 0..1 + random.below(2) {
        let at = random.below(new.len());
        match random.below(4) {
            0 => new[at] = random.statement(),
            // Neighbours that may not mind.
            1 if at + 1 < new.len() => new.swap(at, at + 1),
            2 => new.insert(at, Statement::Count(b'a')),
            _ => new.insert(at, [Statement::Add(8), Statement::Add(8)][random.below(2)]),
        }
    }
    new
}

#[test]
fn programs_agree_where_all_inputs_say_so() {
    let number = std::env::var("NEARMISS_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(24);
    let (mut same, mut differing) = (0, 0);
    for seed in 0..number {
        let mut random = Random(seed * 7_919 + 3);
        let length = 2 + random.below(5);
        let old: Vec<Statement> = (0..length).map(|_| random.statement()).collect();
        let new = changed(&old, &mut random);
        let (one, other) = (text(&new), text(&old));
        let what = format!("seed {seed}\n{other}\n{one}");
        let program = compared(&one, &other, Stdin::Any(SIZE)).unwrap_or_else(|error| panic!("{error}\n{what}"));
        let why = program.check(&Checking::default()).unwrap_or_else(|error| panic!("{error:?}\n{what}"));
        let Some(found) = difference(&old, &new) else {
            assert_eq!(why.verdict(), Verdict::Holds, "{what}");
            same += 1;
            continue;
        };
        assert_eq!(why.verdict(), Verdict::Fails, "{found:?}\n{what}");
        differing += 1;
        let both = why.explanation().printed.clone().expect("a run differs");
        let choices = why.failing_inputs().into_iter().filter(|input| input.name == "nondet_bool_of_both()");
        let choices =
            choices.enumerate().map(|(at, input)| u32::from(input.value == "true" || input.value == "1") << at);
        let choices = choices.sum();
        let (mine, theirs) = (run(&new, &both.input, choices), run(&old, &both.input, choices));
        assert_ne!(mine, theirs, "{both:?}\n{what}");
        let told = |seen: &nearmiss_explain::printed::Seen| {
            (String::from_utf8_lossy(&seen.printed).into_owned(), i32::from(seen.status))
        };
        assert_eq!((told(&both.new), told(&both.old)), (mine, theirs), "{both:?}\n{what}");
    }
    assert!(same > 0 && differing > 0, "{same} agree, {differing} do not");
}

const PLAIN: &str = "int printf(const char *, ...); int putchar(int); int puts(const char *); int getchar(void); void exit(int); void abort(void);";

fn plain(body: &str) -> String {
    format!("{PLAIN}\n{body}\n")
}

#[test]
fn the_same_text_may_be_printed_in_other_pieces() {
    let old = plain("int main(void) { int c = getchar(); printf(\"%d%c\", c, 'x'); puts(\"!\"); return 0; }");
    let new = plain(
        "int main(void) { int c = getchar(); if (c < 0) printf(\"-1\"); else printf(\"%u\", (unsigned)c); \
         putchar('x'); printf(\"%s\\n\", \"!\"); return 0; }",
    );
    assert_eq!(verdict(&new, &old, 1), Verdict::Holds);
    assert_eq!(verdict(&new.replace("putchar('x')", "putchar('y')"), &old, 1), Verdict::Fails);
    assert_eq!(verdict(&new.replace("-1", "-2"), &old, 1), Verdict::Fails);
}

#[test]
fn numbers_that_run_into_each_other_are_compared_by_their_digits() {
    let old = plain("int main(void) { printf(\"%d\", 1); printf(\"%d\", 23); return 0; }");
    let new = plain("int main(void) { printf(\"%d\", 12); printf(\"%d\", 3); return 0; }");
    assert_eq!(verdict(&new, &old, 0), Verdict::Holds);
    assert_eq!(verdict(&new.replace("12", "13"), &old, 0), Verdict::Fails);
    assert_eq!(verdict(&new.replace("3)", "34)"), &old, 0), Verdict::Fails);
}

#[test]
fn a_program_ends_where_exit_is_called() {
    let old = plain(
        "static int pick(int c) { if (c == 'q') exit(3); return c; } static int twice(int c) { return pick(c) + 1; } \
         int main(void) { int c = twice(getchar()); puts(c == 'b' ? \"a\" : \"no\"); return 0; }",
    );
    let new = plain(
        "int main(void) { int c = getchar(); if (c == 'q') return 3; if (c != 'a') { puts(\"no\"); exit(0); } \
         puts(\"a\"); return 0; }",
    );
    assert_eq!(verdict(&new, &old, 1), Verdict::Holds);
    assert_eq!(verdict(&old, &new, 1), Verdict::Holds);
    assert_eq!(verdict(&new.replace("return 3", "return 4"), &old, 1), Verdict::Fails);
    assert_eq!(verdict(&old.replace("exit(3)", "exit(259)"), &new, 1), Verdict::Holds, "a status has eight bits");
}

#[test]
fn what_aborts_fails_by_itself_and_is_left_out_of_the_reference() {
    let old = plain("int main(void) { if (getchar() == 'a') abort(); return 0; }");
    let new = plain("int main(void) { return getchar() == 'a'; }");
    assert_eq!(verdict(&new, &old, 1), Verdict::Holds);
    assert_eq!(verdict(&old, &new, 1), Verdict::Fails);
}

#[test]
fn what_programs_do_beyond_text_is_refused() {
    let old = plain("int main(void) { return 0; }");
    let said = |new: &str, what: &str| {
        let error = compared(&plain(new), &old, Stdin::Any(1)).expect_err("it cannot be compared");
        assert!(error.contains(what) && error.starts_with("new.c:"), "{error}");
    };
    said(
        "struct f; struct f *fopen(const char *, const char *); int main(void) { return fopen(\"a\", \"r\") == 0; }",
        "fopen",
    );
    said("int rand(void); int main(void) { return rand(); }", "rand");
    said("int atexit(void (*)(void)); static void f(void) {} int main(void) { return atexit(f); }", "atexit");
    said("int main(int argc, char **argv) { return argc; }", "argc");
    assert!(compared(&plain("int main(int argc, char **argv) { return 0; }"), &old, Stdin::Any(1)).is_ok());
}
