//! One translation unit: preprocessed, placed, parsed, checked.
//!
//! The language is C17 with GNU extensions, where old habits (implicit functions, implicit `int`, pointers from
//! integers) are warnings. What is no C17 is tried as C23, with a note. If the undeclared functions are ones we know, `nondet_uint` or `malloc`, the unit is read
//! once more with a prelude that declares them.

use std::collections::HashMap;

use rucc_base::Interner;
use rucc_diag::SourceMap;
use rucc_lex::{Convert, Keywords, PpToken};
use rucc_pp::{Predef, Preprocessor, Timestamp};
use rucc_sema::{Checked, Checker, Tast};
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};
use rucc_types::Types;

use super::attributes;
use super::bounds;
use super::extensions;
use super::files::{FileClient, Headers, OURS, missing_header, search_path};
use super::places::{Uses, place_tokens};
use super::pragmas::{self, Switch};
use super::prelude;
use super::small;
use super::{LIMIT, plain_error};
use crate::c::{Characters, DataModel, Errors, Options, Rounding};
use crate::program::ByteOrder;
use crate::source::{Diagnostic, FileId, Severity, Sources, Span};

/// The dialects, in the order in which they are tried; GNU extensions come on top.
const STANDARDS: [Std; 2] = [Std::C17, Std::C23];

/// How one attempt at a unit is made.
#[derive(Clone, Copy)]
struct Way {
    standard: Std,
    headers: Headers,
}

/// What to compile.
pub(super) struct Job<'a> {
    /// The file, already registered.
    pub file: FileId,
    /// How.
    pub options: &'a Options,
    /// Where headers come from.
    pub files: &'a FileClient,
    /// Whether it is our library rather than the user's file.
    pub system: bool,
    /// Its number among the units.
    pub index: u32,
}

impl Job<'_> {
    /// What is read behind the text.
    fn tail(&self) -> &str {
        let reference = self.options.reference.as_ref().filter(|_| !self.system);
        reference.map_or("", |reference| reference.tail(self.index))
    }
}

/// A checked unit, with everything that its ids point into.
pub(super) struct Unit {
    pub tast: Tast,
    pub types: Types,
    pub names: Interner,
    pub target: TargetInfo,
    pub index: u32,
    pub system: bool,
    /// Whether it is the version that others are compared with.
    pub is_reference: bool,
    /// Whether there is one.
    pub is_compared: bool,
    /// The machine.
    pub model: DataModel,
    /// Name of the file as the user gave it.
    pub name: String,
    /// Warnings.
    pub notes: Vec<Diagnostic>,
    /// Functions that were called without a declaration.
    pub undeclared: Vec<String>,
    /// Where pragmas change which checks are made.
    pub switches: Vec<Switch>,
    map: SourceMap,
    uses: Uses,
    /// Our files, by the number of theirs.
    files: Vec<FileId>,
    main: FileId,
}

impl Unit {
    /// Where a node stands in our sources.
    pub(super) fn span(&self, span: rucc_diag::Span) -> Span {
        place(&self.map, &self.files, self.uses.widen(span)).unwrap_or(Span::new(self.main, 0, 0))
    }

    /// The file that was given.
    pub(super) fn file(&self) -> FileId {
        self.main
    }

    /// Whether it reads a file.
    pub(super) fn reads(&self, file: FileId) -> bool {
        self.files.contains(&file)
    }

    /// The uses of macros that stand for more than an expression.
    pub(super) fn statement_uses(&self) -> impl Iterator<Item = Span> {
        self.uses.statements.iter().filter_map(|span| place(&self.map, &self.files, *span))
    }

    /// Whether a place is in a header of the system or of ours (or the whole unit is).
    pub(super) fn is_system(&self, span: rucc_diag::Span) -> bool {
        self.system || self.map.is_system(span.lo)
    }

    /// Whether a type is a pointer to something `const`.
    pub(super) fn points_to_constant(&self, ty: rucc_types::TypeId) -> bool {
        match self.types.kind(self.types.canonical(ty)) {
            rucc_types::TypeKind::Pointer(to) => {
                self.types.object_quals(self.types.canonical(to)).has(rucc_types::Qualifiers::CONST)
            }
            _ => false,
        }
    }

    /// The spelling of a name.
    pub(super) fn text(&self, name: rucc_base::Symbol) -> &str {
        self.names.resolve(name)
    }
}

/// One attempt at a unit.
struct Attempt {
    unit: Option<Unit>,
    errors: Vec<Diagnostic>,
    /// Functions that were called without a declaration.
    undeclared: Vec<String>,
}

/// Compiles a unit. Where that fails with our headers, perhaps because they were mixed with the system's, it is tried
/// with the system's alone; the errors that are shown are those of the first attempt.
pub(super) fn compile(job: &Job<'_>, sources: &mut Sources) -> Result<Unit, Errors> {
    let mut shown = None;
    for standard in STANDARDS {
        // Headers of the system are for the machine that we run on.
        let small = job.options.model.has_small_int();
        let own_only = job.system || small || job.options.system_include.is_empty();
        for headers in [Headers::Ours, Headers::System] {
            if headers == Headers::System && own_only {
                continue;
            }
            match compile_with(job, Way { standard, headers }, sources) {
                Ok(mut unit) => {
                    if standard != STANDARDS[0] {
                        let what = Diagnostic::error(Span::new(job.file, 0, 0), "read as C23: it is no C17");
                        unit.notes.push(what.at(Severity::Note));
                    }
                    return Ok(unit);
                }
                Err(errors) => shown = shown.or(Some(errors)),
            }
        }
        // Our models are C17.
        if job.system {
            break;
        }
    }
    Err(shown.unwrap_or_default())
}

/// Compiles a unit; the second time with declarations of the names that it lacks.
fn compile_with(job: &Job<'_>, way: Way, sources: &mut Sources) -> Result<Unit, Errors> {
    let first = attempt(job, way, "", sources);
    let declarations = prelude::declarations(&first.undeclared);
    if !declarations.is_empty() {
        let second = attempt(job, way, &declarations, sources);
        if let (Some(unit), true) = (second.unit, second.errors.is_empty()) {
            return Ok(unit);
        }
    }
    match first.unit {
        Some(unit) if first.errors.is_empty() => Ok(unit),
        _ => Err(first.errors),
    }
}

fn attempt(job: &Job<'_>, way: Way, declarations: &str, sources: &mut Sources) -> Attempt {
    read(job, way, declarations, sources).unwrap_or_else(|error| Attempt {
        unit: None,
        errors: vec![error],
        undeclared: Vec::new(),
    })
}

/// One attempt, or why it could not even be parsed.
fn read(job: &Job<'_>, way: Way, declarations: &str, sources: &mut Sources) -> Result<Attempt, Diagnostic> {
    let mut target = target(job.options.model)?;
    target.little_endian = job.options.order == ByteOrder::Little;
    target.char_is_signed &= job.options.characters != Characters::Unsigned;
    let mut names = Interner::new();
    let keywords = Keywords::new(&mut names, way.standard, true);
    let mut texts = Texts::new(job, declarations, sources)?;
    let preprocessed = preprocess(job, way, &target, &mut names, &mut texts)?;
    if let Some((span, reason)) = bounds::excess(&preprocessed.tokens, &names) {
        let files = register(&texts.map, job.file, sources);
        let span = place(&texts.map, &files, span).unwrap_or(Span::new(job.file, 0, 0));
        return Err(Diagnostic::error(span, reason));
    }
    let Preprocessed { tokens, uses, mut diagnostics } = preprocessed;
    let switches = pragmas::switches(&tokens, &names, &texts.map, job.options.checks);
    let translated = switches.and_then(|switches| {
        let (tokens, contracts) = extensions::translate(tokens, &mut names)?;
        let tokens = small::translate(tokens, job.options.model, &texts.map, &mut names)?;
        Ok((switches, (tokens, contracts)))
    });
    let (switches, (tokens, contracts)) = translated.map_err(|(span, reason)| {
        let files = register(&texts.map, job.file, sources);
        let span = place(&texts.map, &files, uses.widen(span)).unwrap_or(Span::new(job.file, 0, 0));
        Diagnostic::error(span, reason)
    })?;
    let short_enums = job.options.model == DataModel::CortexM || job.options.model.has_small_int();
    let dialect = Dialect { standard: way.standard, short_enums };
    let remarks = attributes::remarks(&tokens, &names);
    let tokens = attributes::without_interrupts(tokens, &mut names);
    let checked = check(&tokens, &keywords, &names, &target, dialect, &mut diagnostics);

    let files = register(&texts.map, job.file, sources);
    let placed = |found: Vec<(rucc_diag::Span, String)>| -> Vec<Diagnostic> {
        let own = found.into_iter().filter(|(span, _)| !texts.map.is_system(span.lo));
        own.filter_map(|(span, why)| place(&texts.map, &files, span).map(|span| Diagnostic::error(span, why))).collect()
    };
    let (refused, read_past) = (placed(remarks.refused), placed([remarks.notes, contracts].concat()));
    let undeclared: Vec<String> = diagnostics
        .iter()
        .filter_map(|d| d.message.strip_prefix("implicit declaration of function '")?.strip_suffix('\''))
        .map(str::to_owned)
        .collect();
    let (mut errors, mut notes) = translate(diagnostics, &texts.map, &files);
    notes.retain(|note| !small::is_of_wide_int(&note.message, job.options.model));
    errors = errors.into_iter().map(|error| small::as_computed(error, job.options.model)).collect();
    errors.extend(refused);
    notes.extend(read_past.into_iter().map(|note| note.at(Severity::Note)));
    let unit = checked.map(|done| Unit {
        tast: done.tast,
        types: done.types,
        names,
        target,
        index: job.index,
        system: job.system,
        is_reference: job.options.reference.as_ref().is_some_and(|reference| reference.unit == job.index),
        is_compared: job.options.reference.is_some(),
        model: job.options.model,
        name: texts.name,
        notes,
        undeclared: undeclared.clone(),
        switches,
        map: texts.map,
        uses,
        files,
        main: job.file,
    });
    Ok(Attempt { unit, errors, undeclared })
}

fn target(model: DataModel) -> Result<TargetInfo, Diagnostic> {
    let triple = match model {
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
        DataModel::CortexM => "armv7m-none-eabi",
        DataModel::Riscv32 | DataModel::Avr | DataModel::Msp430 | DataModel::Lp32 => "riscv32-none-elf",
    };
    let info = match model {
        DataModel::Lp64 | DataModel::Ilp32 => triple.parse::<Triple>().ok().map(TargetInfo::new),
        _ => triple.parse().ok().map(TargetInfo::for_tuple),
    };
    let info = info.map(|mut info| {
        small::describe(&mut info, model);
        info
    });
    info.ok_or_else(|| plain_error(format!("the front end does not know {triple}")))
}

/// The texts of a unit: its file, and what we declare before it. Headers join them when they are included.
struct Texts {
    map: SourceMap,
    main: rucc_diag::FileId,
    prelude: rucc_diag::FileId,
    /// Name of the file.
    name: String,
}

impl Texts {
    fn new(job: &Job<'_>, declarations: &str, sources: &Sources) -> Result<Texts, Diagnostic> {
        let file = sources.file(job.file);
        if let Some((start, end)) = bounds::long_directive(&file.text) {
            let span = Span::new(job.file, start, end);
            return Err(Diagnostic::error(span, "this condition is too long to be evaluated"));
        }
        let mut map = SourceMap::new();
        let added = map.add(&*file.name, format!("{}{}", file.text, job.tail()).into_bytes()).and_then(|main| {
            let prelude = format!("{}{}{declarations}", small::declarations(job.options.model), prelude::always());
            map.add(format!("{OURS}/prelude.h"), prelude.into_bytes()).map(|prelude| (main, prelude))
        });
        let (main, prelude) = added.map_err(|_| too_large(&file.name))?;
        map.mark_system(prelude);
        if job.system {
            map.mark_system(main);
        }
        Ok(Texts { map, main, prelude, name: file.name.clone() })
    }
}

/// What is left when directives and macros are gone.
struct Preprocessed {
    tokens: Vec<PpToken>,
    uses: Uses,
    diagnostics: Vec<rucc_diag::Diagnostic>,
}

fn preprocess(
    job: &Job<'_>,
    way: Way,
    target: &TargetInfo,
    names: &mut Interner,
    texts: &mut Texts,
) -> Result<Preprocessed, Diagnostic> {
    let search = search_path(job.options, way.headers);
    let mut pp = Preprocessor::new();
    let mut cx = rucc_pp::Context::new(names, &mut texts.map, job.files, &search);
    cx.lex = rucc_lex::Options::for_dialect(way.standard, true, false);
    let checks = &job.options.checks;
    let leaks = (checks.memory_leak || checks.memory_cleanup).then(|| "NEARMISS_LEAKS".to_owned());
    let rounding = job.options.rounding;
    let rounding = (rounding != Rounding::Nearest).then(|| format!("NEARMISS_ROUNDING={}", rounding as u32));
    let defines = match job.system {
        true => leaks.into_iter().chain(rounding).collect(),
        false => job.options.define.clone(),
    };
    let predef = Predef {
        std: way.standard,
        timestamp: Timestamp::from_unix(0),
        // Our models are not the user's text.
        defines: job.options.model.macros().iter().map(|name| (*name).to_owned()).chain(defines).collect(),
        undefines: if job.system { Vec::new() } else { job.options.undefine.clone() },
        ..Predef::new()
    };
    if pp.predefine(target, &predef, &mut cx).is_err() {
        return Err(too_large(&texts.name));
    }
    let mut tokens = pp.run(texts.prelude, &mut cx);
    tokens.extend(pp.run(texts.main, &mut cx));
    let diagnostics = pp.take_diagnostics();
    let (tokens, uses) = place_tokens(&tokens, &texts.map, &pp, names);
    Ok(Preprocessed { tokens, uses, diagnostics })
}

/// Which C it is.
#[derive(Clone, Copy)]
struct Dialect {
    standard: Std,
    /// Whether an enumeration is as small as its values allow.
    short_enums: bool,
}

/// Parses the tokens, and checks what they say unless something was wrong before that.
fn check(
    tokens: &[PpToken],
    keywords: &Keywords,
    names: &Interner,
    target: &TargetInfo,
    dialect: Dialect,
    diagnostics: &mut Vec<rucc_diag::Diagnostic>,
) -> Option<Checked> {
    let convert = Convert { keywords, interner: names, target, std: dialect.standard, gnu: true, pedantic: false };
    let (tokens, more) = rucc_lex::convert(tokens, &convert);
    diagnostics.extend(more);
    let type_names: Vec<_> = target.type_names().iter().filter_map(|(name, _)| names.find(name)).collect();
    let parse = rucc_parse::Context { type_names: &type_names, ..rucc_parse::Context::new(names, dialect.standard) };
    let parsed = rucc_parse::parse(&tokens, parse);
    let unparsed = parsed.failed() || diagnostics.iter().any(|d| d.severity.is_fatal());
    diagnostics.extend(parsed.diagnostics);
    if unparsed {
        return None;
    }
    let check = rucc_sema::Context {
        permissive: true,
        builtins: false,
        short_enums: dialect.short_enums,
        error_limit: LIMIT,
        ..rucc_sema::Context::new(names, target, dialect.standard)
    };
    let mut checker = Checker::new(&parsed.ast, check);
    checker.check_unit();
    let mut checked = checker.finish();
    diagnostics.append(&mut checked.diagnostics);
    Some(checked)
}

fn too_large(name: &str) -> Diagnostic {
    plain_error(format!("{name} is too large"))
}

/// Our files for theirs. A header that two units read is registered once; what we declare before a unit has one name and many texts.
fn register(map: &SourceMap, main: FileId, sources: &mut Sources) -> Vec<FileId> {
    let mut known: HashMap<String, Vec<FileId>> = HashMap::new();
    for (id, file) in sources.files() {
        known.entry(file.name.clone()).or_default().push(id);
    }
    let mut ids = Vec::new();
    for (index, file) in map.files().iter().enumerate() {
        let text = String::from_utf8_lossy(file.bytes());
        let same =
            known.get(&file.name).and_then(|ids| ids.iter().rfind(|id| sources.file(**id).text == text)).copied();
        ids.push(match same {
            _ if index == 0 => main,
            Some(id) => id,
            None => {
                let id = sources.add(&*file.name, text, file.name.starts_with('<') || file.system_from.is_some());
                known.entry(file.name.clone()).or_default().push(id);
                id
            }
        });
    }
    ids
}

/// A span of theirs as one of ours.
fn place(map: &SourceMap, files: &[FileId], span: rucc_diag::Span) -> Option<Span> {
    if span.is_dummy() {
        return None;
    }
    let theirs = map.lookup_file(span.lo)?;
    let file = map.file(theirs);
    // A node that starts in one file and ends in another has its place where it starts.
    let end = if span.hi <= file.end { span.hi } else { span.lo };
    Some(Span::new(*files.get(theirs.index())?, span.lo - file.start, end - file.start))
}

/// Splits messages into errors and the user's warnings, in our words where we have better ones.
fn translate(
    diagnostics: Vec<rucc_diag::Diagnostic>,
    map: &SourceMap,
    files: &[FileId],
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut errors, mut notes) = (Vec::new(), Vec::new());
    // What clang warns of without being asked, gcc with -Wall: not of a `switch` that has no `default`.
    let mut usual = rucc_diag::Named::default();
    usual.flag("all");
    for diagnostic in diagnostics {
        let fatal = diagnostic.severity.is_fatal();
        // Pragmas of CBMC are followed (`pragmas`).
        let followed = diagnostic.message.contains("#pragma CPROVER");
        if !fatal && (followed || map.is_system(diagnostic.span.lo) || usual.silenced(&diagnostic)) {
            continue;
        }
        let span = place(map, files, diagnostic.span);
        let message = small::spelled(&diagnostic.message.replace('`', "'"));
        let help = diagnostic.children.iter().find(|child| child.severity == rucc_diag::Severity::Help);
        let ours = span.and_then(|span| missing_header(&diagnostic.message, span));
        let ours = ours.unwrap_or_else(|| Diagnostic {
            severity: if fatal { Severity::Error } else { Severity::Warning },
            message: message.trim_end_matches('.').to_owned(),
            span,
            help: help.map(|child| child.message.clone()),
        });
        if fatal { &mut errors } else { &mut notes }.push(ours);
    }
    (errors, notes)
}
