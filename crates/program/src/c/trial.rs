//! Trials: runs of a program whose input and output are known, such as the tests of an exercise.
//!
//! Each has the text on standard input, the arguments, and what must be printed. They become data beside our models of standard
//! input and output (`streams.c`): the number of the trial is the first input of the program, and what is printed is compared
//! as it is printed. So a test is a run like any other, that passes or violates a claim.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::LazyLock;

use super::Options;

/// Some trials, and how what they print is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Trials {
    /// The trials, in order.
    pub all: Vec<Trial>,
    /// How output is compared.
    pub compare: Compare,
}

/// One run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trial {
    /// What it is called.
    pub name: String,
    /// What is on standard input.
    pub input: Vec<u8>,
    /// The arguments, without the name of the program.
    pub arguments: Vec<String>,
    /// What must be printed on standard output; none: anything.
    pub expected: Option<Vec<u8>>,
    /// The exit status; none: any.
    pub status: Option<u8>,
}

/// How what is printed is compared with what is expected.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Compare {
    /// Byte by byte.
    Exact,
    /// Without white space at the ends of lines and at the end.
    Space,
    /// Word by word; two numbers are the same where they differ by no more than one part in a million, or than a millionth.
    Numbers,
}

impl Compare {
    /// Whether what is printed is what is expected.
    pub fn is_same(self, expected: &[u8], printed: &[u8]) -> bool {
        match self {
            Compare::Exact => expected == printed,
            Compare::Space => without_ends(expected) == without_ends(printed),
            Compare::Numbers => {
                let words = |text: &[u8]| -> Vec<String> {
                    String::from_utf8_lossy(text).split_ascii_whitespace().map(str::to_owned).collect()
                };
                let near = |(one, two): (&String, &String)| {
                    let numbers = [one, two].map(|word| word.parse::<f64>().ok());
                    let is_near = |one: f64, two: f64| (one - two).abs() <= 1e-6 * one.abs().max(1.0);
                    one == two || matches!(numbers, [Some(one), Some(two)] if is_near(one, two))
                };
                let (one, two) = (words(expected), words(printed));
                one.len() == two.len() && one.iter().zip(&two).all(near)
            }
        }
    }
}

/// Text without white space at the ends of its lines, and without empty lines at its end.
fn without_ends(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n');
    let mut lines: Vec<&[u8]> = lines.map(<[u8]>::trim_ascii_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines.join(&b'\n')
}

/// The most that a run may print, beyond what is expected, before it is cut.
pub const MOST_PRINTED: usize = 8_192;
/// The global with what a run printed.
pub const PRINTED: &str = "__nearmiss_printed";
/// The global with how many bytes that are.
pub const PRINTED_SIZE: &str = "__nearmiss_printed_size";
/// The global that says whether what is printed is compared (1), as it is where nobody sets it, or kept (0).
pub const COMPARING: &str = "__nearmiss_comparing";
/// The global with how much of what is expected was printed.
pub const REACHED: &str = "__nearmiss_reached";
/// What all models may ask for: whether trials are given, and the sign that the processor gives the NaN of 0.0 / 0.0.
pub(super) const DEFINED: &str = match cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
    true => "#define NEARMISS_TRIALS\n#define NEARMISS_MADE_NAN_IS_NEGATIVE 1\n",
    false => "#define NEARMISS_TRIALS\n#define NEARMISS_MADE_NAN_IS_NEGATIVE 0\n",
};
/// The model that runs before the entry function.
pub(super) const BEGIN: &str = "__nearmiss_begin_trial";
/// The model that runs at the end.
pub(super) const END: &str = "__nearmiss_end_trial";
/// The global with the exit status.
pub const STATUS: &str = "__nearmiss_status";
/// The globals that lowering sets and reads.
pub(super) const NUMBER: &str = "__nearmiss_trial";
pub(super) const COUNT: &str = "__nearmiss_argc";
pub(super) const ARGUMENTS: &str = "__nearmiss_argv";

/// Functions that `streams.c` has a model of: what it defines at the start of a line, for all to call.
static STREAMS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let defined = |line: &'static str| {
        let (head, _) = line.split_once('(').filter(|_| line.starts_with(|c: char| c.is_ascii_lowercase()))?;
        let name = head.rsplit([' ', '*']).next()?;
        (!head.starts_with("static") && !name.starts_with("__nearmiss")).then_some(name)
    };
    include_str!("streams.c").lines().filter_map(defined).collect()
});

/// Those of them that read.
const READERS: &[&str] = &[
    "getchar",
    "getchar_unlocked",
    "fgetc",
    "getc",
    "ungetc",
    "feof",
    "ferror",
    "clearerr",
    "fgets",
    "gets",
    "fread",
    "read",
    "getline",
    "scanf",
    "vscanf",
    "fscanf",
];

/// The same of what is done with a file that is given.
const FILES: &[&str] = &["fopen", "fclose", "fseek", "ftell", "rewind"];

/// Functions that say nothing of their own where tests are given: random numbers, files, output that is not compared.
const OPEN: &[&str] = &[
    "rand",
    "random",
    "lrand48",
    "mrand48",
    "getpid",
    "getppid",
    "fopen",
    "freopen",
    "tmpfile",
    "opendir",
    "open",
    "socket",
    "dup",
    "dup2",
    "fileno",
    "wprintf",
    "fwprintf",
    "vwprintf",
    "vfwprintf",
    "fputws",
    "putwchar",
    "fputwc",
    "putwc",
    "dprintf",
    "fclose",
    "fseek",
    "remove",
    "rename",
];

/// Whether a function is modelled in `streams.c`, with these options. What a crash file makes a program print does not matter.
pub(super) fn is_stream(options: &Options, name: &str) -> bool {
    match (&options.trials, &options.crash) {
        (None, _) => false,
        (Some(_), None) => STREAMS.contains(name) && !FILES.contains(&name),
        (Some(_), Some(crash)) => READERS.contains(&name) || crash.is_in_file() && FILES.contains(&name),
    }
}

/// Whether a program may call it where it is compared with another one: it reads or writes standard streams alone.
pub(super) fn is_console(name: &str) -> bool {
    STREAMS.contains(name) && !FILES.contains(&name)
}

/// Whether it reads standard input.
pub(super) fn is_reader(name: &str) -> bool {
    READERS.contains(&name)
}

/// Whether it reaches beyond standard streams, or is never the same twice.
pub(super) fn is_outside(name: &str) -> bool {
    OPEN.contains(&name) || FILES.contains(&name)
}

/// Whether nobody knows what a function without a model does where tests or a crash file are given: what is given there.
pub(super) fn is_open(options: &Options, name: &str) -> Option<&'static str> {
    match (&options.trials, &options.crash) {
        (Some(_), None) if OPEN.contains(&name) && options.console.is_some() => Some("programs are compared"),
        (Some(_), None) if OPEN.contains(&name) => Some("tests are given"),
        (Some(_), Some(_)) if OPEN.contains(&name) && !SILENT.contains(&name) => Some("a crash file is given"),
        _ => None,
    }
}

/// Those of them that only print or close.
const SILENT: &[&str] =
    &["wprintf", "fwprintf", "vwprintf", "vfwprintf", "fputws", "putwchar", "fputwc", "putwc", "dprintf", "fclose"];

/// Whether a model is lowered once for all calls.
pub(super) fn is_shared(options: &Options, model: &str) -> bool {
    // Each of two programs that are compared has its own.
    model.starts_with("shared_") && options.console.is_none()
}

impl Trials {
    /// Data for the models, as C.
    pub(super) fn data(&self) -> String {
        let compare = match self.compare {
            Compare::Exact => 0,
            Compare::Space => 1,
            Compare::Numbers => 2,
        };
        let longest = self.all.iter().filter_map(|trial| trial.expected.as_ref()).map(Vec::len).max().unwrap_or(0);
        let room = longest + MOST_PRINTED;
        let mut text = format!("#define NEARMISS_COMPARE {compare}\n#define NEARMISS_ROOM {room}\n");
        let mut rows = String::new();
        for (number, trial) in self.all.iter().enumerate() {
            let expected = trial.expected.as_deref().map(|expected| self.normal(expected));
            let mut arguments = String::new();
            for (at, argument) in
                [b"program".as_slice()].into_iter().chain(trial.arguments.iter().map(String::as_bytes)).enumerate()
            {
                let _ = writeln!(text, "static char trial_{number}_argument_{at}[] = {};", literal(argument));
                let _ = write!(arguments, "trial_{number}_argument_{at}, ");
            }
            let count = trial.arguments.len() + 1;
            let _ = writeln!(text, "static char *trial_{number}_arguments[] = {{{arguments}0}};");
            let of = |what: &str, bytes: &[u8], text: &mut String| {
                let _ = writeln!(text, "static const char trial_{number}_{what}[] = {};", literal(bytes));
            };
            of("input", &trial.input, &mut text);
            of("expected", expected.as_deref().unwrap_or_default(), &mut text);
            let size = expected.as_ref().map_or(-1, |expected| expected.len() as i64);
            let status = trial.status.map_or(-1, i32::from);
            let input = trial.input.len();
            let _ = writeln!(
                rows,
                "    {{trial_{number}_input, {input}, trial_{number}_expected, {size}, {status}, {count}, trial_{number}_arguments}},"
            );
        }
        let _ = writeln!(
            text,
            "struct trial {{ const char *input; long input_size; const char *expected; long expected_size; int status; int count; char **arguments; }};"
        );
        let _ = writeln!(text, "static const struct trial trials[] = {{\n{rows}}};");
        text
    }

    /// What is expected, as it is compared.
    fn normal(&self, expected: &[u8]) -> Vec<u8> {
        match self.compare {
            Compare::Space => without_ends(expected),
            Compare::Exact | Compare::Numbers => expected.to_vec(),
        }
    }
}

/// A string of C with these bytes.
pub(super) fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' | b'?' => {
                let _ = write!(text, "\\{}", *byte as char);
            }
            b' '..=b'~' => text.push(*byte as char),
            _ => {
                let _ = write!(text, "\\{byte:03o}");
            }
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::{Compare, STREAMS, Trials, literal};

    #[test]
    fn bytes_are_literals() {
        assert_eq!(literal(b"a\"\\\n\x001"), "\"a\\\"\\\\\\012\\0001\"");
    }

    #[test]
    fn models_of_streams_are_known_by_their_text() {
        let all = ["printf", "vprintf", "fgets", "getline", "puts", "scanf", "ungetc", "write", "perror"];
        assert!(all.iter().all(|name| STREAMS.contains(name)));
        assert!(
            !["must_be", "shared_put", "strlen", "__nearmiss_begin_trial"].iter().any(|name| STREAMS.contains(name))
        );
    }

    #[test]
    fn white_space_at_ends_does_not_count() {
        let trials = Trials { all: Vec::new(), compare: Compare::Space };
        assert_eq!(trials.normal(b"a  \n b\t\n\n"), b"a\n b");
    }
}
