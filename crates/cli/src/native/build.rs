//! What the compiler is asked for, and what it answers.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::Characters;
use nearmiss_program::program::{ClaimKind, ExprKind};

use super::harness::PREFIX;
use super::process::{self, Ended};
use super::{Plan, Question, sandbox};

/// Flags of the sanitizers that see a kind of claim; none for assertions, which report themselves.
pub fn sanitizers(kind: ClaimKind) -> &'static [&'static str] {
    match kind {
        ClaimKind::Assertion
        | ClaimKind::Gate
        | ClaimKind::PointerRelation
        | ClaimKind::Output
        | ClaimKind::OutputEnd
        | ClaimKind::ExitStatus => &[],
        ClaimKind::Conversion => &["-fsanitize=float-cast-overflow"],
        ClaimKind::Temporal | ClaimKind::Unwinding | ClaimKind::Alignment => &[],
        ClaimKind::Wraparound | ClaimKind::Narrowing => &[],
        ClaimKind::FloatOverflow | ClaimKind::Nan | ClaimKind::PointerArithmetic => &[],
        ClaimKind::PointerPrimitive | ClaimKind::EnumRange | ClaimKind::MemoryLeak | ClaimKind::ErrorLabel => &[],
        ClaimKind::ArrayBounds => &["-fsanitize=address,bounds,vla-bound"],
        ClaimKind::PointerDereference => &["-fsanitize=address,null,bounds"],
        ClaimKind::Free | ClaimKind::Precondition => &["-fsanitize=address"],
        ClaimKind::DivisionByZero => &["-fsanitize=integer-divide-by-zero"],
        ClaimKind::FloatDivision => &["-fsanitize=float-divide-by-zero"],
        // What a left shift loses is an overflow where nobody asks for the distance. Where overflow traps, GCC does not reason that it cannot happen: `b * 2 == 4` stays what it is.
        ClaimKind::Overflow => &["-fsanitize=signed-integer-overflow,shift", "-ftrapv"],
        ClaimKind::Shift => &["-fsanitize=shift"],
        ClaimKind::Unreachable => &["-fsanitize=unreachable,address"],
    }
}

/// Compiles the harness, then everything.
pub fn build(question: &Question, plan: &Plan, folder: &Path, files: &[PathBuf]) -> io::Result<Ended> {
    if let Some(failed) = build_harness(question, folder)? {
        return Ok(failed);
    }
    let program = |newer: bool| {
        let mut command = process::compiler();
        command.arg("-w").arg("-I").arg(folder.join("include")).arg("-include").arg(folder.join("nearmiss.h"));
        command.args(flags(question, Path::new(".")));
        // Only sanitizers tell lines by it.
        if sanitizers(question.claim.kind).is_empty() {
            command.arg("-g0");
        }
        if newer {
            command.arg("-std=gnu2x");
        }
        if plan.rename_main {
            command.arg(format!("-Dmain={PREFIX}main"));
        }
        command.args(files).arg(folder.join(sandbox::HARNESS)).arg("-o").arg(folder.join("program")).arg("-lm");
        process::finish(command, question.stop)
    };
    // What is no C17 is read as C23, here as there.
    let made = program(false)?;
    let is_made = |made: &Ended| made.status.as_ref().is_ok_and(|status| status.success());
    if is_made(&made) || !undefined_functions(&made.messages).is_empty() {
        return Ok(made);
    }
    let newer = program(true)?;
    Ok(if is_made(&newer) { newer } else { made })
}

/// Compiles the harness, unless the same one was compiled before, for another fix of the same run; what the compiler said where it fails.
fn build_harness(question: &Question, folder: &Path) -> io::Result<Option<Ended>> {
    static KNOWN: Mutex<Vec<(bool, String, Vec<u8>)>> = Mutex::new(Vec::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let (source, target) = (folder.join("harness.c"), folder.join(sandbox::HARNESS));
    let (is_small, text) = (question.program.pointer.bits == 32, fs::read_to_string(&source)?);
    let made =
        known().iter().find(|(small, other, _)| *small == is_small && *other == text).map(|known| known.2.clone());
    if let Some(made) = made {
        fs::write(target, made)?;
        return Ok(None);
    }
    let mut command = process::compiler();
    command.args(["-shared", "-fPIC", "-w", "-fno-builtin"]).args(is_small.then_some("-m32"));
    command.arg("-o").arg(&target).arg(source);
    let ended = process::finish(command, question.stop)?;
    if !ended.status.as_ref().is_ok_and(|status| status.success()) {
        return Ok(Some(ended));
    }
    known().push((is_small, text, fs::read(target)?));
    Ok(None)
}

/// How the user's text is compiled such that the violated claim shows, by a compiler that runs in some folder.
pub fn flags(question: &Question, from: &Path) -> Vec<String> {
    let options = &question.settings.reading.c;
    let mut flags = vec!["-std=gnu17", "-O0", "-g", "-fno-strict-aliasing", "-ffp-contract=off"];
    // What the user defines is what it says, also if it is called `abs`, and nobody else's, also if it is called `write`.
    flags.extend(["-fno-builtin", "-fvisibility=hidden"]);
    if question.program.pointer.bits == 32 {
        flags.push("-m32");
    }
    if options.characters == Characters::Unsigned {
        flags.push("-funsigned-char");
    }
    // Where arithmetic wraps around, these are no failures to the sanitizers.
    if !matches!(question.claim.kind, ClaimKind::Overflow | ClaimKind::Shift) {
        flags.push("-fwrapv");
    }
    // What is constant is rounded when it is computed, not when it is compiled.
    if question.program.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Rounded { .. })) {
        flags.push("-frounding-math");
    }
    flags.extend(sanitizers(question.claim.kind));
    if !sanitizers(question.claim.kind).is_empty() {
        flags.extend(["-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]);
    }
    if has_zero_initialisation(question.stop) {
        flags.push("-ftrivial-auto-var-init=zero");
    }
    let mut folders: Vec<&Path> = question.settings.files.iter().filter_map(|file| Path::new(file).parent()).collect();
    folders.dedup();
    let folders = folders.into_iter().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    let flags = flags.into_iter().map(str::to_owned);
    let seen = |folder: &Path| seen_from(from, folder).display().to_string();
    let flags = flags.chain(folders.flat_map(|folder| ["-iquote".to_owned(), seen(folder)]));
    let flags = flags.chain(options.include.iter().map(|folder| format!("-I{}", seen(Path::new(folder)))));
    let flags = flags.chain(options.define.iter().map(|define| format!("-D{define}")));
    flags.chain(options.undefine.iter().map(|name| format!("-U{name}"))).collect()
}

/// A path from here as one from another folder.
fn seen_from(folder: &Path, path: &Path) -> PathBuf {
    let (Ok(folder), Ok(whole)) = (folder.canonicalize(), path.canonicalize()) else { return path.to_owned() };
    if path.is_absolute() || Path::new(".").canonicalize().is_ok_and(|here| here == folder) {
        return path.to_owned();
    }
    let common = folder.components().zip(whole.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(whole.components().skip(common)).collect();
    if seen.as_os_str().is_empty() { PathBuf::from(".") } else { seen }
}

/// Whether the compiler can be asked to set uninitialised locals to zero (GCC from 12 on, Clang from 16 on).
pub(super) fn has_zero_initialisation(stop: &Stop) -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        let mut command = process::compiler();
        command.args(["-ftrivial-auto-var-init=zero", "-E", "-x", "c", "/dev/null"]);
        process::finish(command, stop).is_ok_and(|ended| ended.status.is_ok_and(|status| status.success()))
    })
}

/// Names in a linker's messages: undefined reference to `f'.
pub fn undefined_functions(messages: &str) -> Vec<String> {
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
pub fn first_error(messages: &str) -> String {
    let error = messages.lines().find_map(|line| line.split_once("error: ").map(|(_, error)| error));
    match error {
        Some(error) if !error.contains('/') => error.to_owned(),
        _ if messages.contains("asan") || messages.contains("ubsan") => "the sanitizers are not installed".to_owned(),
        _ => "the linker fails".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_functions_are_read_from_the_linker() {
        let messages = "/usr/bin/ld: /tmp/a.o: in function `main':\na.c:3: undefined reference to `log_it'\n\
                        a.c:9: undefined reference to `log_it'\nundefined reference to `__asan_init'\n";
        assert_eq!(undefined_functions(messages), ["log_it"]);
    }
}
