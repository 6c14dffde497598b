//! One translation unit: preprocessed, placed, parsed, checked.
//!
//! The language is C17 with GNU extensions, where old habits (implicit functions, implicit `int`, pointers from
//! integers) are warnings. If the undeclared functions are ones we know, `nondet_uint` or `malloc`, the unit is read
//! once more with a prelude that declares them.

use std::collections::HashMap;

use rucc_base::Interner;
use rucc_diag::SourceMap;
use rucc_lex::{Convert, Keywords};
use rucc_pp::{Predef, Preprocessor, Timestamp};
use rucc_sema::{Checker, Tast};
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};
use rucc_types::Types;

use super::bounds;
use super::files::{Headers, OURS, Shelf, missing_header, search_path};
use super::places::{Uses, place_tokens};
use super::prelude;
use super::{LIMIT, plain_error};
use crate::c::{DataModel, Errors, Options};
use crate::source::{Diagnostic, FileId, Severity, Sources, Span};

/// What to compile.
pub(super) struct Job<'a> {
    /// The file, already registered.
    pub file: FileId,
    /// How.
    pub options: &'a Options,
    /// Where headers come from.
    pub shelf: &'a Shelf,
    /// Whether it is our library rather than the user's file.
    pub system: bool,
    /// Its number among the units.
    pub index: u32,
}

/// A checked unit, with everything that its ids point into.
pub(super) struct Unit {
    pub tast: Tast,
    pub types: Types,
    pub names: Interner,
    pub target: TargetInfo,
    pub index: u32,
    pub system: bool,
    /// Name of the file as the user gave it.
    pub name: String,
    /// Warnings.
    pub notes: Vec<Diagnostic>,
    map: SourceMap,
    uses: Uses,
    /// Our files, by the number of theirs.
    files: Vec<FileId>,
    main: FileId,
}

impl Unit {
    /// Where a node stands in our sources.
    pub(super) fn span(&self, span: rucc_diag::Span) -> Span {
        place(&self.map, &self.files, self.uses.widen(span)).unwrap_or(Span { file: self.main, start: 0, end: 0 })
    }

    /// Whether a place is in a header of the system or of ours (or the whole unit is).
    pub(super) fn is_system(&self, span: rucc_diag::Span) -> bool {
        self.system || self.map.is_system(span.lo)
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
    compile_with(job, Headers::Ours, sources).or_else(|errors| {
        if job.system || job.options.system_include.is_empty() {
            return Err(errors);
        }
        compile_with(job, Headers::System, sources).map_err(|_| errors)
    })
}

/// Compiles a unit; the second time with declarations of the names that it lacks.
fn compile_with(job: &Job<'_>, headers: Headers, sources: &mut Sources) -> Result<Unit, Errors> {
    let first = attempt(job, headers, "", sources);
    let declarations = prelude::declarations(&first.undeclared);
    if !declarations.is_empty() {
        let second = attempt(job, headers, &declarations, sources);
        if let (Some(unit), true) = (second.unit, second.errors.is_empty()) {
            return Ok(unit);
        }
    }
    match first.unit {
        Some(unit) if first.errors.is_empty() => Ok(unit),
        _ => Err(first.errors),
    }
}

fn attempt(job: &Job<'_>, headers: Headers, declarations: &str, sources: &mut Sources) -> Attempt {
    let failed = |errors| Attempt { unit: None, errors, undeclared: Vec::new() };
    let triple = match job.options.model {
        DataModel::Lp64 => "x86_64-unknown-linux-gnu",
        DataModel::Ilp32 => "i686-unknown-linux-gnu",
    };
    let Ok(triple) = triple.parse::<Triple>() else {
        return failed(vec![plain_error(format!("the front end does not know {triple}"))]);
    };
    let target = TargetInfo::new(triple);
    let std = Std::C17;
    let mut names = Interner::new();
    let keywords = Keywords::new(&mut names, std, true);
    let mut map = SourceMap::new();
    if let Some((start, end)) = bounds::long_directive(&sources.file(job.file).text) {
        let span = Span { file: job.file, start, end };
        return failed(vec![Diagnostic::error(span, "this condition is too long to be evaluated")]);
    }
    let (name, text) = (sources.file(job.file).name.clone(), sources.file(job.file).text.clone());
    let added = map.add(&*name, text.into_bytes()).and_then(|main| {
        let prelude = format!("{}{declarations}", prelude::MACROS);
        map.add(format!("{OURS}/prelude.h"), prelude.into_bytes()).map(|prelude| (main, prelude))
    });
    let Ok((main, prelude)) = added else {
        return failed(vec![plain_error(format!("{name} is too large"))]);
    };
    map.mark_system(prelude);
    if job.system {
        map.mark_system(main);
    }

    let search = search_path(job.options, headers);
    let mut pp = Preprocessor::new();
    let mut cx = rucc_pp::Context::new(&mut names, &mut map, job.shelf, &search);
    cx.lex = rucc_lex::Options::for_dialect(std, true, false);
    let predef = Predef {
        std,
        timestamp: Timestamp::from_unix(0),
        defines: job.options.define.clone(),
        undefines: job.options.undefine.clone(),
        ..Predef::new()
    };
    if pp.predefine(&target, &predef, &mut cx).is_err() {
        return failed(vec![plain_error(format!("{name} is too large"))]);
    }
    let mut tokens = pp.run(prelude, &mut cx);
    tokens.extend(pp.run(main, &mut cx));
    let mut diagnostics = pp.take_diagnostics();
    let (tokens, uses) = place_tokens(&tokens, &map, &pp, &names);
    if let Some((span, reason)) = bounds::excess(&tokens, &names) {
        let files = register(&map, job.file, sources);
        let span = place(&map, &files, span).unwrap_or(Span { file: job.file, start: 0, end: 0 });
        return failed(vec![Diagnostic::error(span, reason)]);
    }

    let convert = Convert { keywords: &keywords, interner: &names, target: &target, std, gnu: true, pedantic: false };
    let (tokens, more) = rucc_lex::convert(&tokens, &convert);
    diagnostics.extend(more);
    let type_names: Vec<_> = target.type_names().iter().filter_map(|(name, _)| names.find(name)).collect();
    let parse = rucc_parse::Context { type_names: &type_names, ..rucc_parse::Context::new(&names, std) };
    let parsed = rucc_parse::parse(&tokens, parse);
    let unparsed = parsed.failed() || diagnostics.iter().any(|d| d.severity.is_fatal());
    diagnostics.extend(parsed.diagnostics);
    let mut checked = None;
    if !unparsed {
        let check = rucc_sema::Context {
            permissive: true,
            builtins: false,
            error_limit: LIMIT,
            ..rucc_sema::Context::new(&names, &target, std)
        };
        let mut checker = Checker::new(&parsed.ast, check);
        checker.check_unit();
        let mut done = checker.finish();
        diagnostics.append(&mut done.diagnostics);
        checked = Some(done);
    }

    let files = register(&map, job.file, sources);
    let undeclared = diagnostics
        .iter()
        .filter_map(|d| d.message.strip_prefix("implicit declaration of function '")?.strip_suffix('\''))
        .map(str::to_owned)
        .collect();
    let (errors, notes) = translate(diagnostics, &map, &files);
    let unit = checked.map(|done| Unit {
        tast: done.tast,
        types: done.types,
        names,
        target,
        index: job.index,
        system: job.system,
        name,
        notes,
        map,
        uses,
        files,
        main: job.file,
    });
    Attempt { unit, errors, undeclared }
}

/// Our files for theirs. A header that two units read is registered once.
fn register(map: &SourceMap, main: FileId, sources: &mut Sources) -> Vec<FileId> {
    let mut known: HashMap<String, FileId> = sources.files().map(|(id, file)| (file.name.clone(), id)).collect();
    let mut ids = Vec::new();
    for (index, file) in map.files().iter().enumerate() {
        let text = String::from_utf8_lossy(file.bytes());
        let same = known.get(&file.name).copied().filter(|id| sources.file(*id).text == text);
        ids.push(match same {
            _ if index == 0 => main,
            Some(id) => id,
            None => {
                let id = sources.add(&*file.name, text, file.name.starts_with('<') || file.system_from.is_some());
                known.insert(file.name.clone(), id);
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
    Some(Span { file: *files.get(theirs.index())?, start: span.lo - file.start, end: end - file.start })
}

/// Splits messages into errors and the user's warnings, in our words where we have better ones.
fn translate(
    diagnostics: Vec<rucc_diag::Diagnostic>,
    map: &SourceMap,
    files: &[FileId],
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut errors, mut notes) = (Vec::new(), Vec::new());
    for diagnostic in diagnostics {
        let fatal = diagnostic.severity.is_fatal();
        if !fatal && map.is_system(diagnostic.span.lo) {
            continue;
        }
        let span = place(map, files, diagnostic.span);
        let message = diagnostic.message.replace('`', "'");
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
