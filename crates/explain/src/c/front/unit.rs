//! One translation unit: preprocessed, placed, parsed, checked.
//!
//! Two things are ours. *Places*: the preprocessor knows for every token where it is spelled and which macro use it came
//! out of. A token that stands in the arguments of a macro use keeps its own place; any other token of an expansion gets
//! the whole use, `CHECK(a, b)`, so that every span is a piece of text a person can see. *Names nobody declared*: C17
//! with GNU extensions, where old habits (implicit functions, implicit `int`, pointers from integers) are warnings. If
//! the undeclared functions are ones we know, `nondet_uint` or `malloc`, the unit is read once more with a prelude that
//! declares them.

use std::collections::{HashMap, HashSet};

use rucc_base::Interner;
use rucc_diag::SourceMap;
use rucc_lex::{Convert, Keywords, PpToken};
use rucc_pp::{Predef, Preprocessor, Timestamp, Tok};
use rucc_sema::{Checker, Tast};
use rucc_session::Std;
use rucc_target::{TargetInfo, Triple};
use rucc_types::Types;

use super::files::{OURS, Shelf, missing_header, search_path};
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
    /// Our files, by the number of theirs.
    files: Vec<FileId>,
    main: FileId,
}

impl Unit {
    /// Where a node stands in our sources.
    pub(super) fn span(&self, span: rucc_diag::Span) -> Span {
        place(&self.map, &self.files, span).unwrap_or(Span { file: self.main, start: 0, end: 0 })
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

/// Compiles a unit; the second time with declarations of the names that it lacks.
pub(super) fn compile(job: &Job<'_>, sources: &mut Sources) -> Result<Unit, Errors> {
    let first = attempt(job, "", sources);
    let declarations = prelude::declarations(&first.undeclared);
    if !declarations.is_empty() {
        let second = attempt(job, &declarations, sources);
        if let (Some(unit), true) = (second.unit, second.errors.is_empty()) {
            return Ok(unit);
        }
    }
    match first.unit {
        Some(unit) if first.errors.is_empty() => Ok(unit),
        _ => Err(first.errors),
    }
}

fn attempt(job: &Job<'_>, declarations: &str, sources: &mut Sources) -> Attempt {
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

    let search = search_path(job.options);
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
    let tokens = place_tokens(&tokens, &map, &pp, &names);

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

/// Gives every token the place a person would point at.
fn place_tokens(tokens: &[Tok], map: &SourceMap, pp: &Preprocessor, names: &Interner) -> Vec<PpToken> {
    let in_arguments = |token: &Tok| {
        token.span.lo >= token.expansion.hi
            && !token.span.is_dummy()
            && map.lookup_file(token.span.lo) == map.lookup_file(token.expansion.lo)
    };
    let expanded = || tokens.iter().filter(|token| !token.expansion.is_dummy());
    let with_arguments: HashSet<u32> =
        expanded().filter(|token| in_arguments(token)).map(|token| token.expansion.lo).collect();
    let mut uses: HashMap<u32, rucc_diag::Span> = HashMap::new();
    let mut placed = Vec::with_capacity(tokens.len());
    for token in tokens {
        let span = if token.expansion.is_dummy() || in_arguments(token) {
            token.span
        } else {
            *uses.entry(token.expansion.lo).or_insert_with(|| {
                let function_like =
                    with_arguments.contains(&token.expansion.lo) || takes_arguments(token.expansion, map, pp, names);
                if function_like { whole_use(token.expansion, map) } else { token.expansion }
            })
        };
        placed.push(PpToken { kind: token.kind, flags: token.flags, value: token.value, span });
    }
    placed
}

/// Whether the macro whose name stands here is a function-like one.
fn takes_arguments(name: rucc_diag::Span, map: &SourceMap, pp: &Preprocessor, names: &Interner) -> bool {
    let text = map.lookup_file(name.lo).and_then(|id| {
        let file = map.file(id);
        file.bytes().get((name.lo - file.start) as usize..(name.hi - file.start) as usize)
    });
    let symbol = text.and_then(|text| std::str::from_utf8(text).ok()).and_then(|text| names.find(text));
    symbol.and_then(|symbol| pp.macros().lookup(symbol)).is_some_and(|found| found.function_like)
}

/// From a macro's name to the parenthesis that closes its arguments.
fn whole_use(name: rucc_diag::Span, map: &SourceMap) -> rucc_diag::Span {
    let Some(id) = map.lookup_file(name.lo) else { return name };
    let file = map.file(id);
    let bytes = file.bytes();
    let mut at = (name.hi - file.start) as usize;
    let mut depth = 0usize;
    while let Some(byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                let rest = &bytes[at + 2..];
                at += 3 + rest.windows(2).position(|pair| pair == b"*/").unwrap_or(rest.len());
            }
            (b'/', Some(b'/')) => at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at),
            (quote @ (b'"' | b'\''), _) if depth > 0 => {
                at += 1;
                while bytes.get(at).is_some_and(|b| b != quote && *b != b'\n') {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            (b'(', _) => depth += 1,
            (b')', _) if depth == 1 => return rucc_diag::Span::new(name.lo, file.start + at as u32 + 1),
            (b')', _) => depth = depth.saturating_sub(1),
            (other, _) if depth == 0 && !other.is_ascii_whitespace() && *other != b'\\' => return name,
            _ => {}
        }
        at += 1;
    }
    name
}
