//! Standard input and output of programs that are compared with a reference (`versions.rs`): both read the same text from its start,
//! and what the one prints is compared with what the other printed (`streams.c`).
//!
//! The text is any text without zero bytes up to a size, and then each character is an input of the program called `stdin`, up to and
//! with a zero that ends it; or it is given.

use std::fmt::Write;
use std::sync::Arc;

use super::Options;
use super::trial::{Compare, Trial, Trials, literal};

/// The inputs that are the characters on standard input, and the zero that ends them.
pub const STDIN: &str = "stdin";
/// So many characters are read where nobody says how many.
pub const USUAL_SIZE: usize = 8;
/// The most that may be asked for.
pub const LARGEST_SIZE: usize = 64;
/// The global with the exit status of the reference.
pub const REFERENCE_STATUS: &str = "__nearmiss_reference_status";
/// The global with how much of what is printed is of the reference.
pub const REFERENCE_PRINTED: &str = "__nearmiss_reference_printed";
/// The globals with the text on standard input, ended by a zero: where it is any text, and where it is given.
pub const TEXT: &str = "__nearmiss_console_text";
/// The same.
pub const GIVEN: &str = "__nearmiss_console_given";
/// The global that says that the reference ended by `exit`.
pub(super) const LEFT: &str = "__nearmiss_left";
/// The model between both programs.
pub(super) const TURN: &str = "nearmiss_reference_turn";

/// What both programs read, and what the one is compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Console {
    /// What is on standard input.
    pub input: Stdin,
    /// The file that the reference is in; none: what is printed does not matter.
    pub reference: Option<String>,
}

/// What is on standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stdin {
    /// Any text of up to so many bytes, none of them zero.
    Any(usize),
    /// This text.
    Given(Arc<[u8]>),
}

/// A text as C writes it.
pub fn quoted(text: &[u8]) -> String {
    let mut out = String::new();
    for byte in text {
        match byte {
            b'\n' => out += "\\n",
            b'\t' => out += "\\t",
            b'\r' => out += "\\r",
            b'"' | b'\\' => out.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    format!("\"{out}\"")
}

impl Default for Console {
    fn default() -> Console {
        Console { input: Stdin::Any(USUAL_SIZE), reference: None }
    }
}

impl Options {
    /// These options for a program with this console.
    pub fn with_console(&self, console: Console) -> Options {
        let trials = Trials { all: vec![Trial::default()], compare: Compare::Exact };
        Options { trials: Some(Arc::new(trials)), console: Some(Arc::new(console)), ..self.clone() }
    }
}

impl Console {
    /// What all models may ask for: that two programs are compared, and how much they may read.
    pub(super) fn defined(&self) -> String {
        let size = match &self.input {
            Stdin::Any(most) => *most,
            Stdin::Given(bytes) => bytes.len(),
        };
        format!("#define NEARMISS_VERSIONS\n#define NEARMISS_INPUT_SIZE {size}\n")
    }

    /// Data and the function that feeds, as C.
    pub(super) fn data(&self) -> String {
        let mut text = String::from("#define NEARMISS_COMPARE 0\n#define NEARMISS_ROOM 65536\n");
        match &self.reference {
            Some(file) => {
                let _ = writeln!(text, "#define NEARMISS_REFERENCE {}", literal(file.as_bytes()));
            }
            None => text += "#define NEARMISS_ALONE\n#define NEARMISS_REFERENCE \"\"\n",
        }
        text += "struct trial { const char *input; long input_size; const char *expected; long expected_size; int status; int count; char **arguments; };\n";
        text +=
            "static char console_program[] = \"program\";\nstatic char *console_arguments[] = {console_program, 0};\n";
        match &self.input {
            Stdin::Any(most) => {
                let _ = writeln!(text, "static char {TEXT}[{}];", most + 1);
                text += "#define console_text __nearmiss_console_text\nstatic struct trial trials[] = {{console_text, 0, \"\", -1, -1, 1, console_arguments}};\n";
                text += "char __nearmiss_input_character(const char *);\n";
                let _ = writeln!(
                    text,
                    "static _Bool feed_character(void)\n{{\n    char c = __nearmiss_input_character(\"{STDIN}\");"
                );
                text += "    console_text[trials[0].input_size] = c;\n    if (c == 0)\n        return 0;\n";
                text += "    trials[0].input_size++;\n    return 1;\n}\n";
                let all = vec!["feed_character()"; *most].join("\n        && ");
                let _ = writeln!(
                    text,
                    "static void feed_console(void)\n{{\n    (void)({}{all});\n}}",
                    if *most == 0 { "0" } else { "" }
                );
            }
            Stdin::Given(bytes) => {
                let size = bytes.len();
                let _ = writeln!(text, "static const char {GIVEN}[] = {};", literal(bytes));
                let _ = writeln!(
                    text,
                    "static struct trial trials[] = {{{{{GIVEN}, {size}, \"\", -1, -1, 1, console_arguments}}}};"
                );
                text += "static void feed_console(void) {}\n";
            }
        }
        text
    }

    /// Of which inputs the program has an execution.
    pub(super) fn told(&self) -> String {
        match &self.input {
            // Nobody reads.
            Stdin::Any(0) => String::new(),
            Stdin::Any(1) => " with up to 1 character on standard input".to_owned(),
            Stdin::Any(most) => format!(" with up to {most} characters on standard input"),
            Stdin::Given(_) => " with the given text on standard input".to_owned(),
        }
    }
}
