//! Replay by the program itself: it is compiled with `cc`, fed the inputs of the failing run, and must fail at the same
//! claim.
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
//!
//! Everything that the run says nothing of is 0, in the interpreter and, by `-ftrivial-auto-var-init=zero` and the
//! options of the allocators, in the compiled program.
//!
//! How the claim is recognised: `assert` comes from a header of ours that says file and line. The other words of the
//! vocabulary are functions (programs declare them in many ways, so macros would break them); to know *which* call
//! failed, the call of the violated claim is marked in the text, `(here = 1, f(x), here = 0)`. Automatic claims are
//! left to the sanitizers of the compiler, and file and line of their report are compared.
//!
//! A program that ends without failing refutes the run, and that is an internal error. Where a sanitizer may well miss
//! what C leaves undefined, nothing is concluded and the replay counts as skipped, with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nearmiss_explain::explanation::{ClaimReport, Counterexample};
use nearmiss_explain::program::{
    Author, ClaimKind, GlobalInit, INVALID_OBJECT, Program, Site, SiteId, SiteKind, Type, TypeId,
};
use nearmiss_explain::run::{Content, RunStepKind};
use nearmiss_explain::source::{FileId, Sources, Span};

use crate::settings::Settings;

mod entry;
mod harness;
mod process;
mod text;

use harness::{Byte, External, Harness, Listens, PREFIX, Queue};
use process::{Build, Ended};
use text::{Edits, Token};

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replay {
    /// The compiled program violates the same claim.
    Confirmed,
    /// It does not; what it does instead.
    Refuted(String),
    /// It was not run, or nothing can be said; why. Empty if nobody asked.
    Skipped(String),
}

/// What to replay.
pub struct Question<'a> {
    /// How the program was read.
    pub settings: &'a Settings,
    /// Its files.
    pub sources: &'a Sources,
    /// The program.
    pub program: &'a Program,
    /// The failing run.
    pub counterexample: &'a Counterexample,
    /// The claim that it violates.
    pub claim: &'a ClaimReport,
}

/// Compiles the program, feeds it the inputs and looks at how it fails.
pub fn replay(question: &Question) -> Replay {
    let plan = match plan(question) {
        Ok(plan) => plan,
        Err(why) => return Replay::Skipped(why),
    };
    execute(question, plan).unwrap_or_else(|error| Replay::Skipped(format!("it could not be run ({error})")))
}

/// Functions by which a program reaches outside its own memory. Those that only print are harmless.
const OUTSIDE: &str = "\
    open openat creat fopen freopen fdopen popen system fork vfork clone execl execlp execle execv \
    execvp execve posix_spawn socket connect bind listen accept send sendto remove unlink unlinkat \
    rename mkdir rmdir chdir chmod chown link symlink truncate ftruncate kill ptrace ioctl mount reboot \
    sigaction syscall pthread_create";

/// Library functions that write what they read to memory, so that a result alone does not feed them.
const READS_INTO_MEMORY: [&str; 8] = ["scanf", "fscanf", "sscanf", "fgets", "gets", "fread", "read", "getline"];
/// Library functions whose input is whether they fail (`--malloc-may-fail`).
const ALLOCATES: [&str; 7] = ["malloc", "calloc", "realloc", "aligned_alloc", "strdup", "strndup", "reallocarray"];

/// A copied file.
struct Copy<'a> {
    name: &'a str,
    text: &'a str,
    tokens: Vec<Token<'a>>,
    edits: Edits,
    /// Written behind the text.
    appendix: String,
}

/// What is to be compiled.
struct Plan<'a> {
    copies: BTreeMap<FileId, Copy<'a>>,
    harness: Harness,
    /// Whether `main` of the user's gets another name.
    rename_main: bool,
}

fn plan<'a>(question: &Question<'a>) -> Result<Plan<'a>, String> {
    match question.claim.kind {
        ClaimKind::Unwinding => return Err("a bound on loops is ours, not the program's".to_owned()),
        ClaimKind::Conversion => return Err("the conversion is well defined for a compiler".to_owned()),
        ClaimKind::PointerRelation => return Err("no sanitizer sees how pointers are compared".to_owned()),
        _ => {}
    }
    let harness = Harness { listens_to: listens_to(question), ..Harness::default() };
    let mut plan = Plan { copies: copies(question)?, harness, rename_main: false };
    for copy in plan.copies.values() {
        if let Some(name) = text::mentions(&copy.tokens, OUTSIDE)
            && !has_body(question.program, name)
        {
            return Err(format!("the program calls `{name}`"));
        }
    }
    mark_claim(question, &mut plan);
    let called = executed_calls(question)?;
    call_inputs(question, &called, &mut plan)?;
    contents(question, &mut plan)?;
    externals(question, &mut plan);
    entry::plan(question, &mut plan)?;
    let names = harness::vocabulary().map(str::to_owned);
    let names = names.chain(plan.harness.queues.iter().map(|queue| queue.name.clone()));
    let user = question.sources.files().filter(|(_, file)| !file.system);
    let texts: Vec<Vec<Token>> = user.map(|(_, file)| text::tokens(&file.text)).collect();
    let declared = |name: &str| texts.iter().any(|tokens| text::declares(tokens, name));
    plan.harness.undeclared = names.filter(|name| !name.starts_with(PREFIX) && !declared(name)).collect();
    Ok(plan)
}

/// With `--property` other assertions are passed over, with `--no-assertions` all of them.
fn listens_to(question: &Question) -> Listens {
    if !question.settings.c.checks.assertions {
        return Listens::ToNone;
    }
    if question.settings.properties.is_empty() {
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
        let copy = Copy {
            name: &file.name,
            text: &file.text,
            tokens: text::tokens(&file.text),
            edits: Edits::default(),
            appendix: String::new(),
        };
        copies.insert(id, copy);
    }
    Ok(copies)
}

fn has_body(program: &Program, name: &str) -> bool {
    program.functions.iter().any(|f| f.author == Author::User && f.name == name && !f.blocks.is_empty())
}

/// Marks the call that is the violated claim, if it is a word of the vocabulary and stands in a copied text.
fn mark_claim(question: &Question, plan: &mut Plan) {
    let span = question.claim.span;
    let text = question.sources.text(span);
    let is_call =
        harness::claims().any(|name| text.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('(')));
    if question.claim.kind != ClaimKind::Assertion || !is_call || !text.ends_with(')') {
        return;
    }
    if let Some(copy) = plan.copies.get_mut(&span.file) {
        copy.edits.insert(span.start as usize, &format!("({PREFIX}here = 1, "));
        copy.edits.insert(span.end as usize, &format!(", (void)({PREFIX}here = 0))"));
    }
}

/// Sites of kind `Call` and `Parameter` that the run has executed, with their values.
fn executed_calls<'a>(question: &Question<'a>) -> Result<Vec<(SiteId, &'a Site, u128)>, String> {
    let program = question.program;
    let mut calls = Vec::new();
    for step in &question.counterexample.run.steps {
        let RunStepKind::Input { site: id, ty, value, .. } = &step.kind else { continue };
        let site = &program.sites[id.index()];
        if points_to_object(program, *ty, *value) {
            return Err(format!("the input `{}` is a pointer to an object of the program", site.name));
        }
        if matches!(site.kind, SiteKind::Call | SiteKind::Parameter) && program.is_scalar(site.ty) {
            calls.push((*id, site, *value));
        } else if site.kind == SiteKind::Call {
            return Err(format!("the input `{}` is no number", site.name));
        }
    }
    let values: Vec<u128> = calls.iter().map(|(_, _, value)| *value).collect();
    let recorded = &question.counterexample.inputs.calls;
    let common = values.len().min(recorded.len());
    if values[..common] != recorded[..common] || values[common..].iter().any(|value| *value != 0) {
        return Err("its inputs are not all numbers".to_owned());
    }
    Ok(calls)
}

/// A pointer that is neither NULL nor plainly invalid: its number means nothing to a compiled program.
fn points_to_object(program: &Program, ty: TypeId, value: u128) -> bool {
    let (object, _) = program.pointer.decode(value);
    matches!(program.ty(ty), Type::Pointer { .. }) && object > INVALID_OBJECT
}

/// Functions that return the values of calls: one for each call in the text, one by name for all others.
fn call_inputs(question: &Question, called: &[(SiteId, &Site, u128)], plan: &mut Plan) -> Result<(), String> {
    let mut in_text: BTreeMap<Span, (String, Queue)> = BTreeMap::new();
    let mut by_name: BTreeMap<String, Queue> = BTreeMap::new();
    for (id, site, value) in called.iter().filter(|(_, site, _)| site.kind == SiteKind::Call) {
        let text = question.sources.text(site.span);
        let callee = callee(text).filter(|name| !is_macro(question.sources, name));
        let callee = callee.ok_or_else(|| format!("the call behind the input `{}` is not in the text", site.name))?;
        if ALLOCATES.contains(&callee) && *value == 0 {
            continue;
        }
        if READS_INTO_MEMORY.contains(&callee) || ALLOCATES.contains(&callee) {
            return Err(format!("`{callee}` cannot be told what to give"));
        }
        let ty = c_type(question.program, site.ty).ok_or_else(|| format!("`{callee}` returns no number"))?;
        let value = u64::try_from(*value).map_err(|_| format!("`{callee}` returns more than 64 bits"))?;
        let queue = if plan.copies.contains_key(&site.span.file) {
            let queue = Queue { name: format!("{PREFIX}input_{}", id.0), ty, values: Vec::new() };
            &mut in_text.entry(site.span).or_insert((callee.to_owned(), queue)).1
        } else {
            let queue = Queue { name: callee.to_owned(), ty, values: Vec::new() };
            by_name.entry(callee.to_owned()).or_insert(queue)
        };
        queue.values.push(value);
    }
    for (span, (name, queue)) in in_text {
        if let Some(copy) = plan.copies.get_mut(&span.file) {
            copy.edits.replace(span.start as usize, name.len(), &queue.name);
        }
        plan.harness.queues.push(queue);
    }
    plan.harness.queues.extend(by_name.into_values());
    Ok(())
}

/// The function that a text of the form `name(…)` calls.
fn callee(text: &str) -> Option<&str> {
    let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(length);
    (!name.is_empty() && rest.trim_start().starts_with('(') && rest.ends_with(')')).then_some(name)
}

fn is_macro(sources: &Sources, name: &str) -> bool {
    let defines = |line: &str| {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start)?.strip_prefix("define")?.trim_start();
        rest.strip_prefix(name).map(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    };
    let mut files = sources.files().filter(|(_, file)| !file.system);
    files.any(|(_, file)| file.text.lines().any(|line| defines(line) == Some(true)))
}

fn declared_by_system(sources: &Sources, name: &str) -> bool {
    let mut headers = sources.files().filter(|(_, file)| file.system);
    headers.any(|(_, file)| text::tokens(&file.text).iter().any(|token| token.text == name))
}

/// Objects that start undefined: what the run says of their contents.
fn contents(question: &Question, plan: &mut Plan) -> Result<(), String> {
    let (program, inputs) = (question.program, &question.counterexample.inputs);
    let mut sites: BTreeSet<SiteId> = inputs.contents.keys().map(|(site, _)| *site).collect();
    for step in &question.counterexample.run.steps {
        if let RunStepKind::Input { site, .. } = &step.kind {
            sites.insert(*site);
        }
    }
    for id in sites {
        let site = &program.sites[id.index()];
        let range = (id, 0)..=(id, u32::MAX);
        let contents: Vec<(u32, &[Content])> =
            inputs.contents.range(range).map(|((_, occurrence), c)| (*occurrence, c.as_slice())).collect();
        let known = contents.iter().any(|(_, contents)| contents.iter().any(|content| content.value != 0));
        match site.kind {
            SiteKind::Uninitialised => uninitialised(question, id, site, &contents, plan)?,
            SiteKind::Allocation if known => allocation(question, id, site, &contents, plan)?,
            SiteKind::Allocation | SiteKind::Call | SiteKind::Parameter | SiteKind::Pointee | SiteKind::Extern => {}
        }
    }
    Ok(())
}

fn uninitialised(
    question: &Question,
    id: SiteId,
    site: &Site,
    contents: &[(u32, &[Content])],
    plan: &mut Plan,
) -> Result<(), String> {
    let fail = || format!("the uninitialised `{}` cannot be given its value in the text", site.name);
    let copy = plan.copies.get_mut(&site.span.file).ok_or_else(fail)?;
    if question.sources.text(site.span) != site.name {
        return Err(fail());
    }
    let declarator = text::declarator(&copy.tokens, site.span.start as usize).ok_or_else(fail)?;
    match (declarator.initialiser, c_type(question.program, site.ty)) {
        (Some(at), Some(ty)) => {
            let name = format!("{PREFIX}initial_{}", id.0);
            copy.edits.insert(at, &format!(" = {name}()"));
            let last = contents.last().map_or(0, |(occurrence, _)| occurrence + 1);
            let mut values = vec![0u64; last as usize];
            for (occurrence, contents) in contents {
                values[*occurrence as usize] = number(contents);
            }
            plan.harness.queues.push(Queue { name, ty, values });
        }
        _ => {
            let at = declarator.after.ok_or_else(fail)?;
            let name = &site.name;
            copy.edits.insert(at, &format!(" {PREFIX}fill({}, (void *)&{name}, sizeof {name});", id.0));
            plan.harness.bytes.extend(bytes(id, contents));
        }
    }
    Ok(())
}

fn allocation(
    question: &Question,
    id: SiteId,
    site: &Site,
    contents: &[(u32, &[Content])],
    plan: &mut Plan,
) -> Result<(), String> {
    let fail = || "memory that is not set before it is read cannot be given its contents".to_owned();
    let copy = plan.copies.get_mut(&site.span.file).ok_or_else(fail)?;
    let text = question.sources.text(site.span);
    plan.harness.bytes.extend(bytes(id, contents));
    if callee(text) == Some("malloc") {
        let name = format!("{PREFIX}malloc_{}", id.0);
        copy.edits.replace(site.span.start as usize, "malloc".len(), &name);
        plan.harness.allocators.push((name, id.0));
        return Ok(());
    }
    // An array of variable length.
    let declarator = text::declarator(&copy.tokens, site.span.start as usize).filter(|_| text == site.name);
    let at = declarator.and_then(|declarator| declarator.after).ok_or_else(fail)?;
    copy.edits.insert(at, &format!(" {PREFIX}fill({}, (void *){text}, sizeof {text});", id.0));
    Ok(())
}

/// Objects that are declared and nowhere defined.
fn externals(question: &Question, plan: &mut Plan) {
    for global in &question.program.globals {
        let GlobalInit::Unknown(site) = global.init else { continue };
        let contents = question.counterexample.inputs.contents.get(&(site, 0));
        let bytes = bytes(site, &[(0, contents.map_or(&[][..], Vec::as_slice))]);
        let bytes = bytes.into_iter().map(|byte| (byte.offset, byte.value)).collect();
        // Those that the system's library defines are not ours to define.
        if !declared_by_system(question.sources, &global.name) {
            plan.harness.externals.push(External { name: global.name.clone(), size: global.size, bytes });
        }
    }
}

/// Contents of a scalar as one number.
fn number(contents: &[Content]) -> u64 {
    let all = contents.iter().filter(|content| content.bit_offset < 64);
    all.fold(0, |number, content| number | (low_bits(content) << content.bit_offset) as u64)
}

/// Contents of objects, byte by byte.
fn bytes(site: SiteId, contents: &[(u32, &[Content])]) -> Vec<Byte> {
    let mut bytes: BTreeMap<(u32, u64), u8> = BTreeMap::new();
    for (occurrence, contents) in contents {
        for content in *contents {
            for bit in (0..u64::from(content.bits)).filter(|bit| low_bits(content) >> bit & 1 == 1) {
                let at = content.bit_offset + bit;
                *bytes.entry((*occurrence, at / 8)).or_default() |= 1 << (at % 8);
            }
        }
    }
    let bytes = bytes.into_iter();
    bytes.map(|((occurrence, offset), value)| Byte { site: site.0, occurrence, offset, value }).collect()
}

fn low_bits(content: &Content) -> u128 {
    if content.bits >= 128 { content.value } else { content.value & ((1 << content.bits) - 1) }
}

/// A C type of the same representation, for scalars of up to 64 bits.
fn c_type(program: &Program, ty: TypeId) -> Option<&'static str> {
    Some(match program.ty(ty) {
        Type::Bool => "_Bool",
        Type::Integer { bits, signed, .. } | Type::Enum { bits, signed, .. } => match (bits, signed) {
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (64, true) => "long long",
            (64, false) => "unsigned long long",
            _ => return None,
        },
        Type::Float { bits: 32, .. } => "float",
        Type::Float { bits: 64, .. } => "double",
        Type::Pointer { .. } => "void *",
        _ => return None,
    })
}

/// Flags of the sanitizers that see a kind of claim; none for assertions, which report themselves.
fn sanitizers(kind: ClaimKind) -> &'static [&'static str] {
    match kind {
        ClaimKind::Assertion | ClaimKind::Conversion | ClaimKind::PointerRelation | ClaimKind::Unwinding => &[],
        ClaimKind::ArrayBounds => &["-fsanitize=address,bounds"],
        ClaimKind::PointerDereference => &["-fsanitize=address,null,bounds"],
        ClaimKind::Free | ClaimKind::Precondition => &["-fsanitize=address"],
        ClaimKind::DivisionByZero => &["-fsanitize=integer-divide-by-zero,float-divide-by-zero"],
        ClaimKind::Overflow => &["-fsanitize=signed-integer-overflow"],
        ClaimKind::Shift => &["-fsanitize=shift"],
        ClaimKind::Unreachable => &["-fsanitize=unreachable,address"],
    }
}

fn execute(question: &Question, mut plan: Plan) -> io::Result<Replay> {
    let folder = tempfile::Builder::new().prefix("nearmiss-").tempdir()?;
    let inside = |name: &str| folder.path().join(name);
    fs::create_dir(inside("include"))?;
    fs::create_dir(inside("run"))?;
    fs::write(inside("include/assert.h"), harness::ASSERT_H)?;
    fs::write(inside("nearmiss.h"), plan.harness.header())?;
    let mut files = Vec::new();
    for (number, copy) in plan.copies.values().enumerate() {
        let path = inside(&format!("{number}.c"));
        fs::write(&path, format!("#line 1 {:?}\n{}{}", copy.name, copy.edits.apply(copy.text), copy.appendix))?;
        files.push(path);
    }
    // Functions that nobody defines are found by the linker; the second time it has them.
    for attempt in 0..2 {
        fs::write(inside("harness.c"), plan.harness.source())?;
        let built = match build(question, &plan, folder.path(), &files) {
            Ok(built) => built,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Replay::Skipped("there is no C compiler (`cc`, or what CC says)".to_owned()));
            }
            Err(error) => return Err(error),
        };
        if built.status.is_some_and(|status| status.success()) {
            break;
        }
        let missing = undefined_functions(&built.messages);
        if attempt == 1 || missing.is_empty() {
            return Ok(Replay::Skipped(format!("it does not compile ({})", first_error(&built.messages))));
        }
        plan.harness.stubs = missing;
    }
    let sanitized = !sanitizers(question.claim.kind).is_empty();
    let build = if sanitized { Build::Sanitized } else { Build::Plain };
    let ended = process::run(&inside("program"), &inside("run"), build)?;
    let report = fs::read_to_string(inside("run").join(harness::REPORT)).ok();
    Ok(judge(question, &ended, report.as_deref()))
}

fn build(question: &Question, plan: &Plan, folder: &Path, files: &[PathBuf]) -> io::Result<Ended> {
    let options = &question.settings.c;
    let machine: &[&str] = if question.program.pointer.bits == 32 { &["-m32"] } else { &[] };
    let mut harness = process::compiler();
    harness.args(["-c", "-w", "-fno-builtin"]).args(machine);
    harness.arg("-o").arg(folder.join("harness.o")).arg(folder.join("harness.c"));
    let made = process::finish(harness)?;
    if !made.status.is_some_and(|status| status.success()) {
        return Ok(made);
    }
    let mut command = process::compiler();
    command.args(["-std=gnu17", "-O0", "-g", "-w", "-fno-strict-aliasing", "-ffp-contract=off"]).args(machine);
    if question.claim.kind != ClaimKind::Overflow {
        command.arg("-fwrapv");
    }
    command.args(sanitizers(question.claim.kind));
    if !sanitizers(question.claim.kind).is_empty() {
        command.args(["-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]);
    }
    if has_zero_initialisation() {
        command.arg("-ftrivial-auto-var-init=zero");
    }
    command.arg("-I").arg(folder.join("include")).arg("-include").arg(folder.join("nearmiss.h"));
    let mut folders: Vec<&Path> = question.settings.files.iter().filter_map(|file| Path::new(file).parent()).collect();
    folders.dedup();
    for folder in folders.into_iter().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder }) {
        command.arg("-iquote").arg(folder);
    }
    command.args(options.include.iter().map(|folder| format!("-I{folder}")));
    command.args(options.define.iter().map(|define| format!("-D{define}")));
    command.args(options.undefine.iter().map(|name| format!("-U{name}")));
    if plan.rename_main {
        command.arg(format!("-Dmain={PREFIX}main"));
    }
    command.args(files).arg(folder.join("harness.o")).arg("-o").arg(folder.join("program")).arg("-lm");
    process::finish(command)
}

/// Whether the compiler can be asked to set uninitialised locals to zero (GCC from 12 on, Clang from 16 on).
fn has_zero_initialisation() -> bool {
    let mut command = process::compiler();
    command.args(["-ftrivial-auto-var-init=zero", "-E", "-x", "c", "/dev/null"]);
    process::finish(command).is_ok_and(|ended| ended.status.is_some_and(|status| status.success()))
}

/// Names in a linker's messages: undefined reference to `f'.
fn undefined_functions(messages: &str) -> Vec<String> {
    let names = messages.lines().filter_map(|line| {
        let (_, name) = line.split_once("undefined reference to ").or_else(|| line.split_once("undefined symbol: "))?;
        let name: String = name
            .trim_start_matches(['`', '\''])
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        (!name.is_empty() && !name.starts_with("__asan") && !name.starts_with("__ubsan")).then_some(name)
    });
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

/// What a compiler complains of first, without the names of temporary files.
fn first_error(messages: &str) -> String {
    let error = messages.lines().find_map(|line| line.split_once("error: ").map(|(_, error)| error));
    match error {
        Some(error) if !error.contains('/') => error.to_owned(),
        _ if messages.contains("asan") || messages.contains("ubsan") => "the sanitizers are not installed".to_owned(),
        _ => "the linker fails".to_owned(),
    }
}

/// Compares how the program ended with how it should have.
fn judge(question: &Question, ended: &Ended, report: Option<&str>) -> Replay {
    let lines = claim_lines(question);
    let Some(status) = ended.status else {
        return Replay::Skipped("it did not end within 10 s".to_owned());
    };
    let is_claim =
        |file: &str, line: u32| base_name(file) == base_name(&lines.file) && (lines.first..=lines.last).contains(&line);
    if let Some(report) = report {
        let mut words = report.trim_end().splitn(3, ' ');
        let what = words.next().unwrap_or_default();
        let line = words.next().and_then(|line| line.parse().ok()).unwrap_or(0);
        let file = words.next().unwrap_or_default();
        return match what {
            "here" => Replay::Confirmed,
            "claim" if is_claim(file, line) => Replay::Confirmed,
            // The call could not be marked: it stands in a macro or a header.
            "claim" if file.is_empty() && question.claim.kind == ClaimKind::Assertion => Replay::Confirmed,
            "claim" if file.is_empty() => Replay::Refuted("another claim fails before".to_owned()),
            "claim" => Replay::Refuted(format!("the assertion at {}:{line} fails before", base_name(file))),
            _ => Replay::Refuted("an assumption does not hold".to_owned()),
        };
    }
    let places = sanitizer_places(&ended.messages);
    if places.iter().any(|(file, line)| is_claim(file, *line)) {
        return Replay::Confirmed;
    }
    let Some((file, line)) = places.first() else {
        return unconfirmed(question, status.success() || status.code().is_some());
    };
    Replay::Skipped(format!("the sanitizers see a failure at {}:{line} instead", base_name(file)))
}

/// Nothing was reported. Is that evidence against us?
fn unconfirmed(question: &Question, ended_normally: bool) -> Replay {
    let checks = question.settings.c.checks;
    match question.claim.kind {
        ClaimKind::Assertion | ClaimKind::DivisionByZero if ended_normally => {
            Replay::Refuted("it ends without failing".to_owned())
        }
        ClaimKind::Overflow if ended_normally && !checks.unsigned_overflow => {
            Replay::Refuted("it ends without failing".to_owned())
        }
        ClaimKind::Overflow if ended_normally => Replay::Skipped("unsigned arithmetic wraps around in C".to_owned()),
        ClaimKind::Assertion if checks.pointer && checks.bounds => Replay::Refuted("it crashes before".to_owned()),
        ClaimKind::Unreachable | ClaimKind::PointerDereference if !ended_normally => Replay::Confirmed,
        _ if !ended_normally => Replay::Skipped("it crashes before".to_owned()),
        _ => Replay::Skipped("the sanitizers do not see this failure".to_owned()),
    }
}

/// The lines of the claim.
struct Lines {
    file: String,
    first: u32,
    last: u32,
}

fn claim_lines(question: &Question) -> Lines {
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

fn base_name(path: &str) -> &str {
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

    #[test]
    fn missing_functions_are_read_from_the_linker() {
        let messages = "/usr/bin/ld: /tmp/a.o: in function `main':\na.c:3: undefined reference to `log_it'\n\
                        a.c:9: undefined reference to `log_it'\nundefined reference to `__asan_init'\n";
        assert_eq!(undefined_functions(messages), ["log_it"]);
    }

    #[test]
    fn contents_become_bytes_and_numbers() {
        let contents =
            [Content { bit_offset: 4, bits: 8, value: 0xff }, Content { bit_offset: 32, bits: 16, value: 0x0100 }];
        let found = bytes(SiteId(7), &[(2, &contents)]);
        let found: Vec<(u64, u8)> = found.into_iter().map(|byte| (byte.offset, byte.value)).collect();
        assert_eq!(found, [(0, 0xf0), (1, 0x0f), (5, 0x01)]);
        assert_eq!(number(&contents), 0x0100_0000_0ff0);
    }
}
