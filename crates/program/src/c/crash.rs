//! A crash file: a run whose bytes are inputs of the program.
//!
//! The bytes become data beside our models of standard input and output (`streams.c`), as those of a trial do (`trial.rs`), and
//! [`Feed`] says which of them are free. What is free is an input of the program called `input[3]`, one byte each, so that every method
//! works on bytes as on any other input. The entry function is a fuzz target, `f(const uint8_t *, size_t)`, which gets an object of
//! exactly that size, or `main`, which finds the bytes on standard input or in the file that an argument names.

use std::fmt::Write;
use std::sync::Arc;

use super::Options;
use super::trial::{Compare, Trial, Trials, literal};

/// The function that libFuzzer and its kin call.
pub const FUZZ_ENTRY: &str = "LLVMFuzzerTestOneInput";
/// What the file is called that `@@` among the arguments stands for.
pub const FILE: &str = "input";
/// The input that is the size, where that is free.
pub const SIZE: &str = "input_size";

/// The inputs that are the bytes one after the other, where they are read in a loop.
pub const EACH: &str = "input[]";

/// The model that makes the bytes.
pub const FEEDER: &str = "feed_crash";

/// The globals with the bytes and how many they are.
pub(super) const DATA: &str = "__nearmiss_crash_data";
pub(super) const LENGTH: &str = "__nearmiss_crash_size";

/// Where the bytes go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Way {
    /// They are arguments of a fuzz target; or on standard input where `main` is the entry function.
    #[default]
    Plain,
    /// They are in a file that `main` opens.
    File,
}

/// The bytes of a file, and how a program is fed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crash {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// Arguments of `main`, without the name of the program.
    pub arguments: Vec<String>,
    /// Where the bytes go.
    pub way: Way,
    /// Which of them are free.
    pub feed: Feed,
}

/// Which bytes are free.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feed {
    /// All, and the size: up to this one. For executions alone, as they are the contents of one object.
    Whole {
        /// The largest size.
        most: usize,
    },
    /// The same, byte by byte, so that it is known who reads which.
    EachByte {
        /// The largest size.
        most: usize,
    },
    /// Those at these places, in order; the others are those of the file, and so is the size.
    Chosen(Vec<usize>),
    /// The size, within these limits, and of the file those at these places; also those beyond its end.
    Sized {
        /// The smallest size.
        least: usize,
        /// The largest.
        most: usize,
        /// The places.
        free: Vec<usize>,
    },
}

impl Options {
    /// These options for a program that is fed a crash file.
    pub fn fed(&self, crash: Crash) -> Options {
        let trial = Trial { arguments: crash.arguments.clone(), ..Trial::default() };
        let trials = Trials { all: vec![trial], compare: Compare::Exact };
        Options { trials: Some(Arc::new(trials)), crash: Some(Arc::new(crash)), ..self.clone() }
    }
}

/// The place of an input that is a byte.
pub fn place(name: &str) -> Option<usize> {
    name.strip_prefix("input[")?.strip_suffix(']')?.parse().ok()
}

/// Is an input of this name part of a crash file?
pub fn is_input(name: &str) -> bool {
    place(name).is_some() || name == SIZE || name == EACH
}

impl Crash {
    /// Whether `main` opens a file with the bytes.
    pub(super) fn is_in_file(&self) -> bool {
        self.way == Way::File
    }

    /// Data and the function that feeds, as C.
    pub(super) fn data(&self) -> String {
        let mut text = String::from("#define NEARMISS_CRASH\n#define NEARMISS_COMPARE 0\n#define NEARMISS_ROOM 1\n");
        text += "struct trial { const char *input; long input_size; const char *expected; long expected_size; int status; int count; char **arguments; };\n";
        text += "unsigned char __nearmiss_input_byte(const char *);\n";
        let mut arguments = String::new();
        for (at, argument) in
            [b"program".as_slice()].into_iter().chain(self.arguments.iter().map(String::as_bytes)).enumerate()
        {
            let _ = writeln!(text, "static char crash_argument_{at}[] = {};", literal(argument));
            let _ = write!(arguments, "crash_argument_{at}, ");
        }
        let count = self.arguments.len() + 1;
        let _ = writeln!(text, "static char *crash_arguments[] = {{{arguments}0}};");
        let _ = writeln!(text, "static struct trial trials[] = {{{{0, 0, \"\", -1, -1, {count}, crash_arguments}}}};");
        let _ = writeln!(text, "unsigned char *{DATA};\nsize_t {LENGTH};");
        let _ = writeln!(text, "#define NEARMISS_CRASH_IN_FILE {}", u8::from(self.way == Way::File));
        if matches!(self.feed, Feed::Chosen(_) | Feed::Sized { .. }) {
            let _ = writeln!(text, "static const unsigned char crash_bytes[] = {};", literal(&self.bytes));
        }
        let _ = writeln!(text, "static void {FEEDER}(_Bool is_text)\n{{\n{}", self.body());
        // What is read as text ends with a 0.
        let _ = writeln!(text, "    if (is_text) {DATA}[{LENGTH}] = 0;\n}}");
        text
    }

    /// Of which inputs the program has an execution, as in "every execution with an input of 9 bytes".
    pub(super) fn told(&self) -> String {
        let bytes = |number: usize| if number == 1 { "1 byte".to_owned() } else { format!("{number} bytes") };
        let size = self.bytes.len();
        match &self.feed {
            Feed::Whole { most } | Feed::EachByte { most } => format!(" with an input of up to {}", bytes(*most)),
            Feed::Chosen(free) if free.len() == size => format!(" with an input of {}", bytes(size)),
            Feed::Chosen(free) => {
                format!(" with an input that differs from the file in none but {} of its bytes", free.len())
            }
            Feed::Sized { least: 0, most, free } if free.len() == size => {
                format!(" with an input of up to {}", bytes(*most))
            }
            Feed::Sized { least, most, free } if free.len() >= size => {
                format!(" with an input of {least} to {}", bytes(*most))
            }
            Feed::Sized { least, most, free } => {
                format!(
                    " with an input of {least} to {} that differs from the file in none but {} of its bytes, or is longer or shorter",
                    bytes(*most),
                    free.len()
                )
            }
        }
    }

    fn body(&self) -> String {
        let allocate = format!("    {DATA} = __nearmiss_allocate({LENGTH} + is_text, 0);\n");
        let mut text = String::new();
        match &self.feed {
            Feed::Whole { most } => {
                // What the object holds at first is an input.
                let _ = writeln!(text, "    {LENGTH} = __nearmiss_input_size(\"{SIZE}\");");
                let _ = writeln!(text, "    __nearmiss_assume({LENGTH} <= {most});");
                text += &allocate;
            }
            Feed::EachByte { most } => {
                let _ = writeln!(text, "    {LENGTH} = __nearmiss_input_size(\"{SIZE}\");");
                let _ = writeln!(text, "    __nearmiss_assume({LENGTH} <= {most});");
                text += &allocate;
                let next = format!("{DATA}[i] = __nearmiss_input_byte(\"{EACH}\")");
                let _ = writeln!(text, "    for (size_t i = 0; i < {LENGTH}; i++)\n        {next};");
            }
            Feed::Chosen(free) => {
                let _ = writeln!(text, "    {LENGTH} = {};", self.bytes.len());
                text += &allocate;
                let mut from = 0;
                for at in free.iter().copied().chain([self.bytes.len()]) {
                    if at > from {
                        let _ = writeln!(
                            text,
                            "    __nearmiss_copy({DATA} + {from}, crash_bytes + {from}, {});",
                            at - from
                        );
                    }
                    if at < self.bytes.len() {
                        let _ = writeln!(text, "    {DATA}[{at}] = __nearmiss_input_byte(\"input[{at}]\");");
                    }
                    from = at + 1;
                }
            }
            Feed::Sized { least, most, free } => {
                let _ = writeln!(text, "    {LENGTH} = __nearmiss_input_size(\"{SIZE}\");");
                let _ = writeln!(text, "    __nearmiss_assume({least} <= {LENGTH} && {LENGTH} <= {most});");
                text += &allocate;
                for at in 0..*most {
                    let is_free = at >= self.bytes.len() || free.binary_search(&at).is_ok();
                    let value = match is_free {
                        true => format!("__nearmiss_input_byte(\"input[{at}]\")"),
                        false => self.bytes[at].to_string(),
                    };
                    let guard = if at < *least { String::new() } else { format!("if ({LENGTH} > {at}) ") };
                    let _ = writeln!(text, "    {guard}{DATA}[{at}] = {value};");
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Crash, Feed, Way, place};

    fn body(feed: Feed) -> String {
        Crash { bytes: b"abc".as_slice().into(), arguments: Vec::new(), way: Way::Plain, feed }.body()
    }

    #[test]
    fn what_is_not_free_is_copied_in_pieces() {
        let text = body(Feed::Chosen(vec![1]));
        assert!(text.contains("copy(__nearmiss_crash_data + 0, crash_bytes + 0, 1)"), "{text}");
        assert!(text.contains("__nearmiss_crash_data[1] = __nearmiss_input_byte(\"input[1]\")"), "{text}");
        assert!(text.contains("copy(__nearmiss_crash_data + 2, crash_bytes + 2, 1)"), "{text}");
    }

    #[test]
    fn what_need_not_be_there_is_guarded() {
        let text = body(Feed::Sized { least: 1, most: 4, free: vec![0] });
        assert!(text.contains("\n    __nearmiss_crash_data[0] = __nearmiss_input_byte"), "{text}");
        assert!(text.contains("if (__nearmiss_crash_size > 1) __nearmiss_crash_data[1] = 98;"), "{text}");
        assert!(
            text.contains("if (__nearmiss_crash_size > 3) __nearmiss_crash_data[3] = __nearmiss_input_byte"),
            "{text}"
        );
    }

    #[test]
    fn bytes_are_known_by_their_names() {
        assert_eq!((place("input[12]"), place("input_size"), place("input[x]")), (Some(12), None, None));
    }
}
