//! Replay by the program itself: it is compiled with `cc`, fed the inputs of the failing run, and must fail at the same
//! claim; fed those of the passing run, it must come to its end.
//!
//! It is compiled once for both: the generated functions hold the values of either run and look up which one it is.
//!
//! The user's files are copied with small edits that move no line; headers stay where they are. How inputs get in:
//!
//! | input | way in |
//! |---|---|
//! | result of `nondet_int()` or of any function without body | the call in the text is renamed to a generated function that returns the values recorded for this call, so that the order in which a compiler evaluates operands does not matter; where the call is not in the text (a macro, a header) a function of that name is generated |
//! | uninitialised scalar | an initialiser is written behind its name |
//! | other uninitialised local | a call behind its declaration fills it |
//! | contents of memory from `malloc` | the call is renamed to a generated allocator |
//! | parameters of the entry function | a `main` is generated that makes them |
//! | `extern` object without definition | it is generated |
//! | read of a `volatile` object (`--nondet-volatile`) | the read in the text becomes a call of a generated function |
//!
//! Everything that the run says nothing of is 0, in the interpreter and, by `-ftrivial-auto-var-init=zero` and the
//! options of the allocators, in the compiled program.
//!
//! How the claim is recognised: `assert` comes from a header of ours that says file and line. The other words of the
//! vocabulary are functions (programs declare them in many ways, so macros would break them); to know *which* call
//! failed, the call of the violated claim is marked in the text, `(here = 1, f(x), here = 0)`. Automatic claims are
//! left to the sanitizers of the compiler, and file and line of their report are compared.
//!
//! A formula speaks about whole runs: no line fails. Both runs must then read the inputs that they are fed in the order in
//! which ours do, violate no assertion, and come to their ends, or go a few times round what they repeat for ever.
//!
//! A program that ends without failing refutes the run, and that is an internal error. Where a sanitizer may well miss
//! what C leaves undefined, nothing is concluded and the replay counts as skipped, with the reason.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nearmiss_explain::crash;
use nearmiss_explain::explanation::ClaimReport;
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::crash::{Crash, Way};
use nearmiss_program::c::versions::Reference;
use nearmiss_program::c::{DataModel, Statics, assume, checkers};
use nearmiss_program::program::{Author, ByteOrder, ClaimKind, Program};
use nearmiss_program::run::{Inputs, Run};
use nearmiss_program::source::{FileId, Sources, Span};

use nearmiss_report::replay::{Replay, Replays};

use crate::settings::Settings;

mod build;
mod computed;
mod emit;
mod entry;
mod extensions;
mod harness;
mod inputs;
mod judge;
mod process;
mod programs;
pub mod sandbox;
mod text;
pub mod trials;
mod verilog;
mod versions;

pub use emit::emit;
use harness::{Harness, Listens, PREFIX, Then};
use judge::{Lines, base_name, claim_lines};
use process::Compiled;
use sandbox::{Build, Sandbox};
use text::{Edits, Token};

/// A run to replay.
#[derive(Clone, Copy)]
pub struct Feed<'a> {
    /// What the program is fed.
    pub inputs: &'a Inputs,
    /// What it then does.
    pub run: &'a Run,
}

/// What to replay.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// How the program was read.
    pub settings: &'a Settings,
    /// The claims that count; none named means all.
    pub properties: &'a [String],
    /// Its files.
    pub sources: &'a Sources,
    /// The program.
    pub program: &'a Program,
    /// The version that it is compared with.
    pub reference: Option<&'a Reference>,
    /// The crash file that it is fed, if it is.
    pub crash: Option<&'a Crash>,
    /// The failing run, if it is to be seen.
    pub failing: Option<Feed<'a>>,
    /// The passing run, if there is one.
    pub passing: Option<Feed<'a>>,
    /// The claim that the failing run violates.
    pub claim: &'a ClaimReport,
    /// When nobody waits for it any longer.
    pub stop: &'a Stop,
}

impl<'a> Question<'a> {
    /// The runs by their number in the harness.
    fn feeds(&self) -> impl Iterator<Item = (usize, Feed<'a>)> {
        [self.failing, self.passing].into_iter().flatten().enumerate()
    }

    /// Whether the run of this number is the failing one.
    fn fails(&self, number: usize) -> bool {
        number == 0 && self.failing.is_some()
    }

    /// What the compiled program may do.
    fn sandbox(&self) -> Sandbox {
        Sandbox::for_bits(self.program.pointer.bits)
    }

    /// The compiled program, and how it is to run.
    fn compiled(&self, plan: &Plan, program: &'a Path) -> Compiled<'a> {
        let build = if plan.harness.sanitized { Build::Sanitized } else { Build::Plain };
        Compiled { program, sandbox: self.sandbox(), build, stop: self.stop }
    }
}

/// Compiles the program, feeds it the inputs and looks at how it ends.
pub fn replay(question: &Question) -> Replays {
    // A model was simulated wherever a run was made; what it was made of is somebody else's word.
    if let Some(hardware) = &question.program.hardware {
        return verilog::replay(question, hardware);
    }
    if question.reference.is_some_and(|reference| reference.programs) {
        return programs::replay(question);
    }
    match plan(question) {
        Ok(plan) => execute(question, plan).unwrap_or_else(|error| skipped(format!("it could not be run ({error})"))),
        // What stands in the way may be the passing run's.
        Err(why) if question.failing.is_some() && question.passing.is_some() => {
            Replays { passing: Replay::Skipped(why), ..replay(&Question { passing: None, ..*question }) }
        }
        Err(why) => skipped(why),
    }
}

/// Nothing was replayed, for a reason.
fn skipped(why: String) -> Replays {
    Replays { failing: Replay::Skipped(why), ..Replays::nobody_asked() }
}

/// Functions by which a program reaches outside its own memory. Those that only print are harmless.
const OUTSIDE: &str = "\
    open openat creat fopen freopen fdopen popen system fork vfork clone execl execlp execle execv \
    execvp execve posix_spawn socket connect bind listen accept send sendto remove unlink unlinkat \
    rename mkdir rmdir chdir chmod chown link symlink truncate ftruncate kill ptrace ioctl mount reboot \
    sigaction syscall pthread_create";

/// A copied file.
struct Copy<'a> {
    name: &'a str,
    text: &'a str,
    tokens: Vec<Token<'a>>,
    edits: Edits,
    /// Written before the text, and behind it.
    preface: String,
    appendix: String,
}

/// What is to be compiled.
struct Plan<'a> {
    copies: BTreeMap<FileId, Copy<'a>>,
    harness: Harness,
    /// Whether `main` of the user's gets another name.
    rename_main: bool,
    /// A function by which the program may reach outside.
    outside: Option<String>,
    /// Whether the compiler must compute what the claim is about, an overflow.
    computed: bool,
}

fn plan<'a>(question: &Question<'a>) -> Result<Plan<'a>, String> {
    match question.claim.kind {
        ClaimKind::Unwinding => return Err("a bound on loops is ours, not the program's".to_owned()),
        ClaimKind::Alignment => return Err("where objects lie is up to its compiler".to_owned()),
        ClaimKind::Wraparound => return Err("unsigned arithmetic wraps around in C".to_owned()),
        ClaimKind::Narrowing => return Err("no sanitizer objects to the conversion".to_owned()),
        ClaimKind::FloatOverflow | ClaimKind::Nan => return Err("no sanitizer sees infinities and NaNs".to_owned()),
        ClaimKind::PointerArithmetic => return Err("no sanitizer sees pointers that are not used".to_owned()),
        ClaimKind::PointerPrimitive => return Err("a compiled program cannot tell what pointers point to".to_owned()),
        ClaimKind::EnumRange => return Err("no sanitizer for C sees values of enumerations".to_owned()),
        ClaimKind::ErrorLabel => return Err("a label by itself does not show there".to_owned()),
        ClaimKind::Output | ClaimKind::OutputEnd | ClaimKind::ExitStatus => {
            return Err("what is printed is compared by itself".to_owned());
        }
        ClaimKind::MemoryLeak => return Err("what is not freed is not looked for there".to_owned()),
        ClaimKind::PointerRelation => return Err("no sanitizer sees how pointers are compared".to_owned()),
        _ => {}
    }
    if question.program.assembly {
        return Err("it holds assembly, which could do anything".to_owned());
    }
    if question.program.globals.iter().any(|global| global.address.is_some()) {
        return Err("no registers are at the addresses of --mmio here".to_owned());
    }
    if question.settings.reading.c.model == DataModel::Lp32 {
        return Err("the compiler here is for a machine whose int has 32 bits".to_owned());
    }
    if !matches!(question.settings.reading.c.model, DataModel::Lp64 | DataModel::Ilp32) {
        return Err("the compiler here is for another machine than --arch".to_owned());
    }
    if question.program.order == ByteOrder::Big {
        return Err("the compiler here is for a little-endian machine".to_owned());
    }
    if !question.settings.reading.c.checks.assumptions {
        return Err("its assumptions end runs there (--no-assumptions)".to_owned());
    }
    if question.settings.reading.c.statics == Statics::Free {
        return Err("its static variables start as they are initialised there (--nondet-static)".to_owned());
    }
    if let Some(flag) = question.settings.reading.c.rounding.flag() {
        return Err(format!("floats are rounded to nearest there until it calls fesetround ({flag})"));
    }
    if question.sources.position(question.claim.span).file.starts_with("--assume '") {
        return Err("the claim stands in --assume, which is no part of it".to_owned());
    }
    let sites = question.program.sites.len();
    let runs = question.feeds().count();
    let sanitized = !build::sanitizers(question.claim.kind).is_empty();
    let harness = Harness { listens_to: listens_to(question), sites, runs, sanitized, ..Harness::default() };
    let mut plan = Plan { copies: copies(question)?, harness, rename_main: false, outside: None, computed: false };
    plan.outside = reaches_outside(question, &plan);
    // In the sandbox nothing comes of it.
    if let Some(name) = plan.outside.as_ref().filter(|_| question.sandbox() != Sandbox::Whole) {
        return Err(format!("the program calls `{name}`"));
    }
    mark_claim(question, &mut plan);
    let rest = computed::begin(question, &mut plan);
    inputs::feed(question, &mut plan)?;
    computed::end(question, &mut plan, rest);
    entry::plan(question, &mut plan)?;
    versions::plan(question, &mut plan);
    declare(question, &mut plan);
    Ok(plan)
}

/// Looks for the names that the program uses and does not declare.
fn declare(question: &Question, plan: &mut Plan) {
    let user: Vec<_> = question.sources.files().filter(|(_, file)| !file.system).map(|(_, file)| &file.text).collect();
    let tokens: Vec<Vec<Token>> = user.iter().map(|text| text::tokens(text)).collect();
    let declared = |name: &str| tokens.iter().any(|tokens| text::declares(tokens, name));
    let mentioned = |name: &str| user.iter().any(|text| text.contains(name));
    // The macro says which line fails; without a declaration it is the header's that is meant.
    let written = mentioned("assert.h") || inputs::macro_body(question.sources, "assert").is_some();
    let header = is_assert_included(question.sources) && !written;
    let words = checkers::WORDS.iter().map(|(name, _)| *name);
    let words = words.filter(|name| mentioned(name) && (*name != "assert" || header)).map(str::to_owned);
    let names = words.chain(plan.harness.queues.iter().map(|queue| queue.name.clone()));
    plan.harness.words = harness::vocabulary().map(|word| word.name).filter(|name| mentioned(name)).collect();
    plan.harness.undeclared = names.filter(|name| !name.starts_with(PREFIX) && !declared(name)).collect();
    if mentioned("__CPROVER_") {
        plan.harness.types = checkers::TYPES;
    }
}

/// A function by which the program may reach outside, as its files and headers write it or as macros put it together.
fn reaches_outside(question: &Question, plan: &Plan) -> Option<String> {
    let headers = question.sources.files().filter(|(id, file)| !file.system && !plan.copies.contains_key(id));
    let headers: Vec<Vec<Token>> = headers.map(|(_, file)| text::tokens(&file.text)).collect();
    let texts = plan.copies.values().map(|copy| &copy.tokens).chain(&headers);
    let written = texts.filter_map(|tokens| text::mentions(tokens, OUTSIDE)).map(str::to_owned);
    let linked = question.program.functions.iter().map(|function| function.name.clone());
    let linked = linked.filter(|name| OUTSIDE.split_whitespace().any(|outside| outside == name));
    written.chain(linked).find(|name| !has_body(question.program, name))
}

/// With `--property` other assertions are passed over, with `--no-assertions` all of them.
fn listens_to(question: &Question) -> Listens {
    if !question.settings.reading.c.checks.assertions {
        return Listens::ToNone;
    }
    if question.properties.is_empty() {
        return Listens::ToAll;
    }
    let Lines { file, first, last } = claim_lines(question);
    Listens::To { file: base_name(&file).to_owned(), first, last }
}

fn copies<'a>(question: &Question<'a>) -> Result<BTreeMap<FileId, Copy<'a>>, String> {
    let mut copies = BTreeMap::new();
    for name in &question.settings.files {
        let mut files = question.sources.files();
        let (id, file) =
            files.find(|(_, file)| file.name == *name).ok_or_else(|| format!("the text of {name} is lost"))?;
        let mut copy = Copy {
            name: &file.name,
            text: &file.text,
            tokens: text::tokens(&file.text),
            edits: Edits::default(),
            preface: String::new(),
            appendix: String::new(),
        };
        extensions::rewrite(&copy.tokens, |q| q.span.file == id, question.program, &mut copy.edits);
        copies.insert(id, copy);
    }
    Ok(copies)
}

fn has_body(program: &Program, name: &str) -> bool {
    program.functions.iter().any(|f| f.author == Author::User && f.name == name && !f.blocks.is_empty())
}

/// Whether `assert` is that of its header, which our front end includes where nobody declares it.
fn is_assert_included(sources: &Sources) -> bool {
    sources
        .files()
        .any(|(_, file)| file.system && Path::new(&file.name).file_name().is_some_and(|name| name == "assert.h"))
}

/// Marks the call that is the violated claim, if it is a word of the vocabulary and stands in a copied text. Where others are
/// passed over, the macro with such a word in it is marked as well, be it a statement or an expression of any type.
fn mark_claim(question: &Question, plan: &mut Plan) {
    let span = question.claim.span;
    let text = question.sources.text(span);
    let mut claims = harness::claims().filter(|name| *name != "assert" || !is_assert_included(question.sources));
    let is_call = claims.any(|name| text.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')));
    if question.claim.kind != ClaimKind::Assertion || !text.ends_with(')') {
        return;
    }
    let Some(copy) = plan.copies.get_mut(&span.file) else { return };
    let [before, after] = match is_call {
        true => [format!("({PREFIX}here = 1, "), format!(", (void)({PREFIX}here = 0))")],
        false if question.properties.is_empty() => return,
        false if is_statement(copy, span) => {
            [format!("do {{ {PREFIX}here = 1; "), format!("; {PREFIX}here = 0; }} while (0)")]
        }
        // The value is kept, or 0 for none. Of the three copies one is evaluated.
        false => {
            let is_void = format!("__builtin_types_compatible_p(__typeof__({text}), void)");
            let ty = format!("__typeof__(__builtin_choose_expr({is_void}, 0, ({text})))");
            let value = format!("{ty} {PREFIX}value = __builtin_choose_expr({is_void}, (({text}), 0), (");
            [format!("({{ {PREFIX}here = 1; {value}"), format!(")); {PREFIX}here = 0; {PREFIX}value; }})")]
        }
    };
    copy.edits.insert(span.start as usize, &before);
    copy.edits.insert(span.end as usize, &after);
}

/// Whether a place in a text is a statement by itself, up to its semicolon.
fn is_statement(copy: &Copy, span: Span) -> bool {
    let before = copy.tokens.iter().rev().find(|token| token.start < span.start as usize);
    let after = copy.tokens.iter().find(|token| token.start >= span.end as usize);
    before.is_some_and(|token| [";", "{", "}", ")", "else", ":"].contains(&token.text))
        && after.is_some_and(|token| token.text == ";")
}

/// Writes, compiles, runs and judges.
fn execute(question: &Question, mut plan: Plan) -> io::Result<Replays> {
    let folder = tempfile::Builder::new().prefix("nearmiss-").tempdir()?;
    let files = write(&plan, folder.path())?;
    write_headers(question, &plan, folder.path())?;
    if let Some(why) = compile(question, &mut plan, folder.path(), &files)? {
        return Ok(skipped(why));
    }
    let excuse = judge::excuse(question, &plan);
    let mut replays = Replays::nobody_asked();
    for (number, feed) in question.feeds() {
        let judged = match judge_run(question, &plan, folder.path(), (number, feed))? {
            Replay::Refuted(how) => match excuse.clone().or_else(|| judge::excuse_of_run(question, feed)) {
                Some(why) => Replay::Skipped(format!("{how}, but {why}")),
                None => Replay::Refuted(how),
            },
            judged => judged,
        };
        match question.fails(number) {
            true => replays.failing = judged,
            false => replays.passing = judged,
        }
    }
    Ok(replays)
}

/// Writes everything but the harness, and says which files are the user's.
fn write(plan: &Plan, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let include = folder.join("include");
    fs::create_dir(&include)?;
    fs::write(include.join("assert.h"), harness::ASSERT_H)?;
    fs::write(folder.join("nearmiss.h"), plan.harness.header())?;
    let mut files = Vec::new();
    for (number, copy) in plan.copies.values().enumerate() {
        let path = folder.join(format!("{number}.c"));
        let edited = copy.edits.apply(copy.text);
        fs::write(&path, format!("{}#line 1 {:?}\n{edited}{}", copy.preface, copy.name, copy.appendix))?;
        files.push(path);
        // Assumptions are ours: the program runs without them.
        for (name, contents) in assume::harmless_headers(copy.text) {
            fs::write(include.join(name), contents)?;
        }
    }
    Ok(files)
}

/// Headers that were read otherwise than they are on the disk, because an edit is tried, stand beside the files that include them.
fn write_headers(question: &Question, plan: &Plan, folder: &Path) -> io::Result<()> {
    let headers = question.sources.files().filter(|(id, file)| !file.system && !plan.copies.contains_key(id));
    for (_, file) in headers {
        let path = Path::new(&file.name);
        let is_changed = fs::read(path).is_ok_and(|bytes| bytes != file.text.as_bytes());
        let own = path.file_name().map(|name| folder.join(name)).filter(|own| is_changed && !own.exists());
        if let Some(own) = own {
            fs::write(own, format!("#line 1 {:?}\n{}", file.name, file.text))?;
        }
    }
    Ok(())
}

/// Compiles everything, or says why that cannot be done.
fn compile(question: &Question, plan: &mut Plan, folder: &Path, files: &[PathBuf]) -> io::Result<Option<String>> {
    // Functions that nobody defines are found by the linker; the second time it has them.
    for attempt in 0..2 {
        fs::write(folder.join("harness.c"), plan.harness.source())?;
        let built = match build::build(question, plan, folder, files) {
            Ok(built) => built,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Some("there is no C compiler (`cc`, or what CC says)".to_owned()));
            }
            Err(error) => return Err(error),
        };
        match built.status {
            Ok(status) if status.success() => break,
            Ok(_) => {}
            Err(late) => return Ok(Some(late.of("the compiler"))),
        }
        let missing = build::undefined_functions(&built.messages);
        if attempt == 1 || missing.is_empty() {
            return Ok(Some(format!("it does not compile ({})", build::first_error(&built.messages))));
        }
        // Macros may put a word together.
        let (words, missing): (Vec<String>, Vec<String>) = missing.into_iter().partition(|name| harness::is_word(name));
        if !words.is_empty() {
            plan.harness.words = harness::vocabulary().map(|word| word.name).collect();
        }
        // A function that does nothing is no substitute for a word that means something.
        let is_word = |name: &&String| checkers::is_reserved(name) && !checkers::SILENT.contains(&name.as_str());
        if let Some(word) = missing.iter().find(is_word) {
            return Ok(Some(format!("a compiled program cannot tell what `{word}` says")));
        }
        plan.harness.stubs = missing;
    }
    Ok(None)
}

/// What a run finds in a file or on standard input.
struct Fed<'a> {
    bytes: Vec<u8>,
    crash: &'a Crash,
}

/// Runs the compiled program in a folder of its own and looks at how it ends.
fn judge_run(question: &Question, plan: &Plan, folder: &Path, (number, feed): (usize, Feed)) -> io::Result<Replay> {
    let inside = folder.join(format!("run{number}"));
    fs::create_dir(&inside)?;
    let then = plan.harness.orders.get(number).map(|order| order.then);
    let time = if then == Some(Then::RepeatsSilently) { process::TIME_OF_SILENCE } else { process::TIME };
    let fed = question.crash.map(|crash| Fed { bytes: crash::bytes_of(crash, feed.inputs), crash });
    if let Some(fed) = &fed {
        fs::write(inside.join(nearmiss_program::c::crash::FILE), &fed.bytes)?;
    }
    let program = folder.join("program");
    let input = fed.as_ref().map_or(&[][..], |fed| if fed.crash.way == Way::File { &[] } else { &fed.bytes });
    let arguments = fed.as_ref().map_or(&[][..], |fed| &fed.crash.arguments);
    let ended = question.compiled(plan, &program).run(&inside, number, (input, arguments), time)?;
    let report = fs::read_to_string(inside.join(harness::REPORT)).ok();
    Ok(match (then, question.fails(number)) {
        // What violates an assertion stops there.
        (Some(Then::Ends), true) if question.claim.kind != ClaimKind::Temporal => {
            judge::failing(question, plan, &ended, report.as_deref())
        }
        (Some(then), _) => judge::whole(question, feed, then, &ended, report.as_deref()),
        (None, true) => judge::failing(question, plan, &ended, report.as_deref()),
        (None, false) => judge::passing(question, &ended, report.as_deref()),
    })
}
