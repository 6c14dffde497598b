//! The front end: text in, [`Tree`] out.
//!
//! The files of the folder `front` are the only ones that know the `rucc` crates, which preprocess, parse and check one
//! translation unit each. `files` hands them texts (the user's, and headers of our own so that nothing depends on the
//! machine), `unit` runs them, `places` finds the text a person wrote for every token, `types`, `expr` and `stmt`
//! copy what they found into our tree, and `link` makes one object or function of all that share a name.
//!
//! Names that our headers and our prelude declare for lowering to give a meaning to:
//! `void __nearmiss_assert(_Bool, const char *)`, which `assert(e)` calls with `e` and its text.
//!
//! The work is done on a thread of its own with a large stack, because the checker recurses along expressions and so
//! do we; what would be too deep even for that is refused before the recursion starts (see `bounds`).

mod again;
mod atomic;
mod attributes;
mod bounds;
mod expr;
mod extensions;
mod files;
mod folded;
mod link;
mod places;
mod pragmas;
mod prelude;
mod small;
mod stmt;
mod types;
mod unit;
mod variable;
mod vector;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::c::tree::Tree;
use crate::c::{Errors, Loader, Options, promote};
use crate::source::{Diagnostic, Severity, Sources, Span};
pub use again::{Changed, read_again};

/// How much stack the thread of the front end has. Only what is touched costs memory.
const STACK: usize = 1 << 30;
/// How many errors and warnings are worth showing.
const LIMIT: usize = 20;

/// Our headers, by name.
#[cfg(test)]
pub(super) fn own_headers() -> &'static [(&'static str, &'static str)] {
    files::own()
}

/// Preprocesses, parses and checks every file, and links them into one tree.
pub fn read(files: &[String], options: &Options, loader: &dyn Loader, sources: &mut Sources) -> Result<Tree, Errors> {
    read_with_library(files, options, loader, sources, None)
}

/// The same with one more unit, a library of models in C given as its name and text. It comes last, its functions and
/// objects are marked as the system's, and it only fills names that the user's files use and leave undefined.
pub fn read_with_library(
    files: &[String],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
    library: Option<(&str, &str)>,
) -> Result<Tree, Errors> {
    if files.is_empty() {
        return Err(vec![plain_error("no C file was given")]);
    }
    with_files(loader, |client| read_units(files, options, client, sources, library))?
}

/// Does work on the large stack, with the files that a loader has. A panic is an error.
fn with_files<T: Send>(loader: &dyn Loader, work: impl FnOnce(&files::FileClient) -> T + Send) -> Result<T, Errors> {
    let (client, server) = files::file_service();
    std::thread::scope(|scope| {
        let worker =
            std::thread::Builder::new().name("front".to_owned()).stack_size(STACK).spawn_scoped(scope, move || {
                catch_unwind(AssertUnwindSafe(|| work(&client))).map_err(|panic| {
                    vec![plain_error(format!("the front end failed: {}; please report", panic_text(&*panic)))]
                })
            });
        let Ok(worker) = worker else {
            return Err(vec![plain_error("no memory for the front end's stack")]);
        };
        server.serve(loader);
        worker.join().unwrap_or_else(|_| Err(vec![plain_error("the front end failed; please report")]))
    })
}

/// Everything, on the large stack.
fn read_units(
    files: &[String],
    options: &Options,
    client: &files::FileClient,
    sources: &mut Sources,
    library: Option<(&str, &str)>,
) -> Result<Tree, Errors> {
    let mut errors = Vec::new();
    let mut linker = link::Linker::new(options);
    for (index, name) in files.iter().enumerate() {
        let outcome = client.source(name, sources).and_then(|file| {
            let job = unit::Job { file, options, files: client, system: false, index: index as u32 };
            guarded(file, || unit::compile(&job, sources).map(|unit| linker.add(&unit)))
        });
        errors.extend(outcome.err().unwrap_or_default());
    }
    if errors.is_empty()
        && let Some((name, text)) = library
    {
        let file = sources.add(name, text, true);
        let job = unit::Job { file, options, files: client, system: true, index: files.len() as u32 };
        let outcome = guarded(file, || unit::compile(&job, sources).map(|unit| linker.fill(&unit)));
        errors.extend(outcome.err().unwrap_or_default());
    }
    linked(linker, errors, options, sources, library.map(|(name, _)| name))
}

/// The tree of all units, if nothing is wrong with them.
fn linked(
    linker: link::Linker,
    mut errors: Errors,
    options: &Options,
    sources: &Sources,
    library: Option<&str>,
) -> Result<Tree, Errors> {
    let linked = linker.finish(sources);
    errors.extend(linked.as_ref().err().cloned().unwrap_or_default());
    let errors = tidy(errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    linked.and_then(|mut tree| {
        if options.model.has_small_int() {
            let library = sources.files().find(|(_, file)| library.is_some_and(|name| name == file.name));
            let done = promote::promote(&mut tree, options, library.map(|(id, _)| id));
            done.map_err(|what| vec![plain_error(what)])?;
        }
        if let Some(reference) = &options.reference {
            anchor(&mut tree, sources, &reference.function, [reference.home, reference.unit]);
        }
        // The front-end crates leave out parentheses at the ends of expressions.
        for expr in &mut tree.exprs {
            expr.span = sources.balanced(expr.span);
        }
        Ok(Tree { notes: tidy(tree.notes), ..tree })
    })
}

/// Gives everything in what nobody wrote the place of the function that it belongs to.
fn anchor(tree: &mut Tree, sources: &Sources, name: &str, units: [u32; 2]) {
    let place = |unit: u32| {
        let found = tree.functions.iter().find(|of| of.name == name && of.unit == unit && of.body.is_some());
        found.map(|of| of.span)
    };
    let places = units.map(place);
    let anchored = |span: &mut Span| {
        let behind = span.start as usize >= sources.file(span.file).text.len();
        if let Some(place) = places.iter().flatten().find(|place| behind && place.file == span.file) {
            *span = *place;
        }
    };
    tree.exprs.iter_mut().for_each(|of| anchored(&mut of.span));
    tree.stmts.iter_mut().for_each(|of| anchored(&mut of.span));
    tree.objects.iter_mut().for_each(|of| anchored(&mut of.span));
    for of in &mut tree.functions {
        anchored(&mut of.span);
        anchored(&mut of.end);
    }
    tree.notes.iter_mut().filter_map(|of| of.span.as_mut()).for_each(anchored);
}

/// A panic of the front-end crates becomes an error at the file it happened in.
fn guarded<T>(file: crate::source::FileId, work: impl FnOnce() -> Result<T, Errors>) -> Result<T, Errors> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = format!("the front end failed on this file: {}; please report", panic_text(&*panic));
        Err(vec![Diagnostic::error(Span::new(file, 0, 0), message)])
    })
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned())).unwrap_or_else(|| "unknown".to_owned())
}

/// An error about no place in particular.
fn plain_error(message: impl Into<String>) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message: message.into(), span: None, help: None }
}

/// Each message once, and not too many of them.
fn tidy(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if kept.len() < LIMIT && !kept.contains(&diagnostic) {
            kept.push(diagnostic);
        }
    }
    kept
}
