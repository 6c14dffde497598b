//! From files to a [`Program`] that can be asked: everything that has to be read before a question makes sense.
//!
//! Besides C that is what the user adds from outside: assumptions and a condition to be reached, by file and line;
//! predicates that are looked at along runs; a temporal formula, which becomes one more claim.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use nearmiss_program::c::assume::{self, Assumed};
use nearmiss_program::c::console::{Console, Stdin};
use nearmiss_program::c::crash::Crash;
use nearmiss_program::c::formula::{self, Action};
use nearmiss_program::c::predicate::{self, TypedCondition};
use nearmiss_program::c::trial::Trials;
use nearmiss_program::c::versions::{self, Reference};
use nearmiss_program::c::{Errors, Loader, Options};
use nearmiss_program::disk::{self, Disk};
use nearmiss_program::hardware;
use nearmiss_program::program::watched::Watched;
use nearmiss_program::program::{self, Assumption, ClaimId};
use nearmiss_program::source::{Diagnostic, FileId, Position, Severity, Sources, Span};
use nearmiss_program::spelling;
use nearmiss_trace::ltl::{self, FormulaError};

/// The name under which a formula is known in messages.
const FORMULA: &str = "--formula";

/// How a program is read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// How C is read: include folders, definitions, data model, entry function, which claims are made.
    pub c: Options,
    /// Conditions to be assumed at a line.
    pub assume: Vec<Assumed>,
    /// A condition to be reached at a line, for [`Program::focus`].
    pub reach: Option<Assumed>,
    /// Predicates in which runs are compared, besides those that are found.
    pub predicates: Vec<TypedCondition>,
    /// Conditions that may be causes of the failure.
    pub causes: Vec<TypedCondition>,
    /// A temporal formula that every run must satisfy.
    pub formula: Option<String>,
    /// The functions whose calls the formula speaks about.
    pub actions: Vec<Action>,
}

impl Default for Reading {
    /// C as this machine's compiler reads it, with the usual claims and nothing added.
    fn default() -> Reading {
        Reading {
            c: Options { system_include: disk::system_include(), ..Options::default() },
            assume: Vec::new(),
            reach: None,
            predicates: Vec::new(),
            causes: Vec::new(),
            formula: None,
            actions: Vec::new(),
        }
    }
}

/// A program that was read, with its sources: what questions are asked of.
///
/// ```
/// use nearmiss_explain::{Program, Reading, Verdict};
///
/// let text = "int main(void) { unsigned n; __CPROVER_assert(n * 2 != 14, \"not seven\"); }";
/// let program = Program::from_text("seven.c", text, &Reading::default())?;
/// let answer = program.check(&Default::default())?;
/// assert_eq!(answer.verdict(), Verdict::Fails);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) sources: Sources,
    pub(crate) program: program::Program,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) reached: Option<ClaimId>,
    pub(crate) predicates: Vec<Watched>,
    pub(crate) causes: Vec<Watched>,
    origin: Arc<Origin>,
}

/// What a program was read from.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) files: Vec<String>,
    pub(crate) reading: Reading,
}

impl Program {
    /// Reads C files from the disk as one program.
    ///
    /// # Errors
    ///
    /// What is wrong with the files or with what was added to them, and where.
    pub fn from_c<S: Into<String>>(
        files: impl IntoIterator<Item = S>,
        reading: &Reading,
    ) -> Result<Program, Unreadable> {
        let files: Vec<String> = files.into_iter().map(Into::into).collect();
        Program::from_loader(&files, reading, &Disk)
    }

    /// Reads one C file that is in memory; headers come from the disk.
    ///
    /// # Errors
    ///
    /// What is wrong with the text or with what was added to it, and where.
    pub fn from_text(name: &str, text: &str, reading: &Reading) -> Result<Program, Unreadable> {
        Program::from_loader(&[name.to_owned()], reading, &InMemory { name, text })
    }

    /// Reads C files through a loader of the caller's.
    ///
    /// # Errors
    ///
    /// What is wrong with the files or with what was added to them, and where.
    pub fn from_loader(
        files: &[String],
        reading: &Reading,
        loader: &(dyn Loader + Sync),
    ) -> Result<Program, Unreadable> {
        crate::stack::on_a_large_stack(|| read(files, reading, loader))
    }

    /// Reads C files, and another version of the entry function that it is to agree with; both may use the same names. Of `main` it is
    /// what is printed and the exit status that agree, with the same text on standard input.
    ///
    /// ```
    /// use nearmiss_explain::{Program, Reading, Verdict};
    /// # use std::{io, path::Path};
    /// # struct Two;
    /// # impl nearmiss_explain::Loader for Two {
    /// #     fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
    /// #         let half = if path.ends_with("old.c") { "x / 2" } else { "x >> 1" };
    /// #         Ok(format!("unsigned half(unsigned x) {{ return {half}; }}").into_bytes())
    /// #     }
    /// #     fn exists(&self, path: &Path) -> bool { path.ends_with("old.c") || path.ends_with("new.c") }
    /// # }
    /// let mut reading = Reading::default();
    /// reading.c.entry = "half".to_owned();
    /// let program = Program::from_versions(&["new.c".to_owned()], "old.c", &reading, &Two)?;
    /// assert_eq!(program.check(&Default::default())?.verdict(), Verdict::Holds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What is wrong with the files, or why the two cannot be compared.
    pub fn from_versions(
        files: &[String],
        reference: &str,
        reading: &Reading,
        loader: &(dyn Loader + Sync),
    ) -> Result<Program, Unreadable> {
        let mut sources = Sources::new();
        let mut reading = reading.clone();
        if reading.c.entry == "main" {
            let console = reading.c.console.as_deref().cloned().unwrap_or_default();
            reading.c = reading.c.with_console(Console { reference: Some(reference.to_owned()), ..console });
        }
        let versions = versions::read(files, reference, &reading.c, loader, &mut sources);
        let versions = versions.map_err(|errors| Unreadable { errors, sources })?;
        if let Some(console) = reading.c.console.clone().filter(|_| !versions.reads) {
            reading.c = reading.c.with_console(Console { input: Stdin::Any(0), ..Console::clone(&console) });
        }
        reading.c.reference = Some(Arc::new(versions));
        let files: Vec<String> = files.iter().cloned().chain([reference.to_owned()]).collect();
        Program::from_loader(&files, &reading, loader)
    }

    /// The files, for places and texts.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The program as it is executed, and the files, to add some that messages speak of: a counterexample, say.
    pub fn parts(&mut self) -> (&program::Program, &mut Sources) {
        (&self.program, &mut self.sources)
    }

    /// The program as it is executed: functions, claims, types.
    pub fn lowered(&self) -> &program::Program {
        &self.program
    }

    /// What it was read from.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// How it was read.
    pub fn reading(&self) -> &Reading {
        &self.origin.reading
    }

    /// The version that it is compared with, if it was read with one.
    pub fn reference(&self) -> Option<&Reference> {
        self.origin.reading.c.reference.as_deref()
    }

    /// The tests that it is to pass, if it was read with some.
    pub fn trials(&self) -> Option<&Arc<Trials>> {
        self.origin.reading.c.trials.as_ref()
    }

    /// The crash file that it is fed, if it was read with one.
    pub fn crash(&self) -> Option<&Arc<Crash>> {
        self.origin.reading.c.crash.as_ref()
    }

    /// What the user assumes.
    pub fn assumptions(&self) -> &[Assumption] {
        &self.assumptions
    }

    /// The claim that the condition to be reached is not.
    pub fn reached(&self) -> Option<ClaimId> {
        self.reached
    }

    /// The user's predicates.
    pub fn predicates(&self) -> &[Watched] {
        &self.predicates
    }
}

pub(crate) fn read(files: &[String], reading: &Reading, loader: &dyn Loader) -> Result<Program, Unreadable> {
    let mut reading = reading.clone();
    reading.c.actions.extend(reading.actions.iter().map(|action| action.function.clone()));
    let mut sources = Sources::new();
    match read_into(files, &reading, loader, &mut sources) {
        Ok((program, assumptions, reached, mut predicates)) => {
            let causes = predicates.split_off(reading.predicates.len());
            let origin = Arc::new(Origin { files: files.to_vec(), reading });
            Ok(Program { sources, program, assumptions, reached, predicates, causes, origin })
        }
        Err(errors) => Err(Unreadable { errors, sources }),
    }
}

type Parts = (program::Program, Vec<Assumption>, Option<ClaimId>, Vec<Watched>);

fn read_into(files: &[String], reading: &Reading, loader: &dyn Loader, sources: &mut Sources) -> Result<Parts, Errors> {
    if let Some(file) = files.iter().find(|file| hardware::is_model(file)) {
        only_a_model(files, reading)?;
        return Ok((model(file, reading.formula.as_deref(), loader, sources)?, Vec::new(), None, Vec::new()));
    }
    let reach = reading.reach.as_ref();
    let (mut program, assumptions, reached) =
        assume::read_reaching(files, &reading.c, &reading.assume, reach, loader, sources)?;
    let mut again = Sources::new();
    // Predicates first, then what may be a cause.
    let typed = [&reading.predicates[..], &reading.causes].concat();
    let predicates = predicate::add(&mut program, &typed, files, &reading.c, loader, &mut again)
        .inspect_err(|_| *sources = again)?;
    if let Some(text) = &reading.formula {
        claim(text, files, reading, loader, &mut program, sources)?;
    }
    Ok((program, assumptions, reached, predicates))
}

/// What is said of C says nothing of a model of hardware.
fn only_a_model(files: &[String], reading: &Reading) -> Result<(), Errors> {
    let error = |message: String, help: &str| {
        let help = Some(help.to_owned());
        Err(vec![Diagnostic { severity: Severity::Error, message, span: None, help }])
    };
    if let [first, second, ..] = files {
        return error(
            format!("a model of hardware is explained alone, not with others ({first}, {second})"),
            "give one file",
        );
    }
    let given = [
        ("--assume", !reading.assume.is_empty()),
        ("--reach", reading.reach.is_some()),
        ("--predicate", !reading.predicates.is_empty()),
        ("--cause", !reading.causes.is_empty()),
        ("--action", !reading.actions.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((option, _)) => error(
            format!("{option} speaks of programs in C, and this is a model of hardware"),
            "say it in the model: an `assert` or an `assume` in Verilog becomes a part of it",
        ),
        None => Ok(()),
    }
}

/// A model of hardware, with a formula of the user's.
fn model(
    file: &str,
    formula: Option<&str>,
    loader: &dyn Loader,
    sources: &mut Sources,
) -> Result<program::Program, Errors> {
    let Some(text) = formula else { return hardware::read(file, loader, sources) };
    let (mut model, id) = hardware::read_model(file, loader, sources)?;
    let places = hardware::Places::read(&model, id, sources, loader);
    let at = sources.add(FORMULA, text, false);
    let formula = ltl::parse(text).map_err(|error| vec![located(with_help(error, text), at, 0)])?;
    let offset = text.find(formula.text.as_str()).unwrap_or(0);
    let wanted = hardware::formula::watch(&mut model, &formula).map_err(|error| vec![located(error, at, offset)])?;
    hardware::lower::program(&model, &places, Some(wanted))
}

/// Makes the formula a claim of the program.
fn claim(
    text: &str,
    files: &[String],
    reading: &Reading,
    loader: &dyn Loader,
    program: &mut program::Program,
    sources: &mut Sources,
) -> Result<(), Errors> {
    let file = sources.add(FORMULA, text, false);
    let formula = ltl::parse(text).map_err(|error| vec![located(with_help(error, text), file, 0)])?;
    let offset = text.find(formula.text.as_str()).unwrap_or(0);
    // A function that is declared and never called is not part of the program.
    let is_called = |name: &str, program: &program::Program| formula::functions(program, name).next().is_some();
    let unknown = |name: &&str| !is_called(name, program) && !is_mentioned(name, sources);
    if let Some(name) = reading.actions.iter().map(|action| action.function.as_str()).find(unknown) {
        let help = spelling::near(program.functions.iter().map(|function| function.name.as_str()), name);
        let message = format!("there is no function `{name}` for '--action'");
        return Err(vec![Diagnostic { severity: Severity::Error, message, span: None, help }]);
    }
    for action in &reading.actions {
        if !is_called(&action.function, program) {
            let message = format!("function {} is never called", action.function);
            program.notes.push(Diagnostic { severity: Severity::Note, message, span: None, help: None });
        }
    }
    let draft = formula::read(program, &formula, &reading.actions);
    let draft = draft.map_err(|error| vec![located(error, file, offset)])?;
    let mut again = Sources::new();
    let conditions = predicate::add(program, &draft.conditions(), files, &reading.c, loader, &mut again)
        .inspect_err(|_| *sources = again)?;
    formula::claim(program, draft, conditions).map_err(|error| vec![located(error, file, offset)])
}

/// An error in a formula that stands in a file from this byte on.
pub fn located(error: FormulaError, file: FileId, offset: usize) -> Diagnostic {
    let span = Span::new(file, (offset + error.range.start) as u32, (offset + error.range.end) as u32);
    Diagnostic { severity: Severity::Error, message: error.message, span: Some(span), help: error.help }
}

/// Says what to write instead, where somebody writes another logic, or C.
fn with_help(error: FormulaError, text: &str) -> FormulaError {
    let word = text.get(error.range.clone()).unwrap_or_default();
    let is_called = text.get(error.range.end..).is_some_and(|rest| rest.trim_start().starts_with('('));
    let is_name = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let help = match word {
        "AG" | "AF" | "AX" => format!("this is LTL, and means every run: write {} for {word}", &word[1..]),
        "EG" | "EF" | "EX" => format!("this is LTL, and means every run: it cannot say {word}"),
        "." => "what this language cannot read goes in backquotes: `a[i].f == 0`".to_owned(),
        _ if is_called && is_name => {
            format!("calls have no arguments here: `{word}`, with --action {word}, is true where it is called")
        }
        _ => return error,
    };
    FormulaError { help: error.help.or(Some(help)), ..error }
}

/// Does a file of the user's declare or call this function?
fn is_mentioned(name: &str, sources: &Sources) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name =
        |text: &str, at: usize| !text[..at].ends_with(is_part) && text[at + name.len()..].trim_start().starts_with('(');
    let has = |text: &str| text.match_indices(name).any(|(at, _)| is_name(text, at));
    sources.files().any(|(_, file)| !file.system && file.name != FORMULA && has(&file.text))
}

/// One file that is not on the disk.
struct InMemory<'a> {
    name: &'a str,
    text: &'a str,
}

impl Loader for InMemory<'_> {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new(self.name) { Ok(self.text.as_bytes().to_vec()) } else { Disk.load(path) }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new(self.name) || Disk.exists(path)
    }
}

/// Why a program could not be read: at least one error, and the files that they speak of.
///
/// ```
/// use nearmiss_explain::{Program, Reading};
///
/// let error = Program::from_text("a.c", "int main(void) { return missing; }", &Reading::default()).unwrap_err();
/// assert!(error.to_string().starts_with("a.c:1:25: "), "{error}");
/// ```
#[derive(Clone)]
pub struct Unreadable {
    /// The errors, in the order in which they were found.
    pub errors: Errors,
    /// The files.
    pub sources: Sources,
}

impl Unreadable {
    /// Where the first error is, if it is at a place.
    pub fn position(&self) -> Option<Position> {
        self.errors.iter().find_map(|error| error.span).map(|span| self.sources.position(span))
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            if let Some(span) = error.span {
                write!(f, "{}: ", self.sources.position(span))?;
            }
            f.write_str(&error.message)?;
            if let Some(help) = &error.help {
                write!(f, " ({help})")?;
            }
        }
        Ok(())
    }
}

/// What is wrong, not the files: who unwraps it wants to read it.
impl fmt::Debug for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Unreadable {}
