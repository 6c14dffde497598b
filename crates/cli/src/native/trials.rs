//! Tests by the compiled program: it reads what the test gives and prints what it prints.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nearmiss_logic::stop::Stop;
use nearmiss_program::c::trial::Trial;

use super::process::{self, Compiled, Late};
use super::sandbox::{Build, Sandbox};
use crate::settings::Settings;

/// What a test did.
pub struct Ran {
    /// The beginning of what it printed.
    pub printed: Vec<u8>,
    /// Its exit status; none: a signal ended it, or nobody waited.
    pub status: Option<i32>,
    /// Whether it did not come to its end.
    pub is_late: bool,
}

/// Compiles the program, some texts of which are others than on the disk, and runs the tests. The error says why that cannot be done.
pub fn run(
    settings: &Settings,
    texts: &[(String, String)],
    trials: &[Trial],
    bits: u32,
    stop: &Stop,
) -> Result<Vec<Ran>, String> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "there is no C compiler (`cc`, or what CC says)".to_owned(),
        _ => format!("it could not be run ({error})"),
    };
    let folder = tempfile::Builder::new().prefix("nearmiss-").tempdir().map_err(failed)?;
    let program = compiled(settings, texts, None, bits, folder.path(), stop).map_err(failed)??;
    let mut all = Vec::new();
    for trial in trials {
        let room = tempfile::Builder::new().prefix("nearmiss-").tempdir().map_err(failed)?;
        let compiled = Compiled { program: &program, sandbox: Sandbox::for_bits(bits), build: Build::Plain, stop };
        let ran = compiled.run_on(room.path(), &trial.input, &trial.arguments).map_err(failed)?;
        if ran.0.status.as_ref().is_err_and(|late| *late == Late::Stopped) {
            return Err(Late::Stopped.of("the compiled program"));
        }
        let status = ran.0.status.as_ref().ok().and_then(|status| status.code());
        all.push(Ran { printed: ran.1, status, is_late: ran.0.status.is_err() });
    }
    Ok(all)
}

/// The program that some texts and what is added to them make; or why it does not compile.
pub(super) fn compiled(
    settings: &Settings,
    texts: &[(String, String)],
    added: Option<&str>,
    bits: u32,
    folder: &Path,
    stop: &Stop,
) -> io::Result<Result<PathBuf, String>> {
    let mut command = process::compiler();
    command.args(["-w", "-std=gnu17", "-O0", "-g0", "-fno-strict-aliasing", "-ffp-contract=off", "-fwrapv"]);
    if super::build::has_zero_initialisation(stop) {
        command.arg("-ftrivial-auto-var-init=zero");
    }
    if bits == 32 {
        command.arg("-m32");
    }
    let options = &settings.reading.c;
    let parents = settings.files.iter().filter_map(|file| Path::new(file).parent());
    // Headers that are edited stand beside.
    command.arg("-iquote").arg(folder);
    for parent in parents {
        command.arg("-iquote").arg(if parent == Path::new("") { Path::new(".") } else { parent });
    }
    command.args(options.include.iter().map(|include| format!("-I{include}")));
    command.args(options.define.iter().map(|define| format!("-D{define}")));
    command.args(options.undefine.iter().map(|name| format!("-U{name}")));
    for (number, (name, text)) in texts.iter().enumerate() {
        let is_unit = settings.files.contains(name);
        let own = match Path::new(name).file_name().filter(|_| !is_unit) {
            Some(own) => folder.join(own),
            None => folder.join(format!("{number}.c")),
        };
        fs::write(&own, format!("#line 1 {name:?}\n{text}"))?;
        if is_unit {
            command.arg(&own);
        }
    }
    if let Some(added) = added {
        let own = folder.join("added.c");
        fs::write(&own, added)?;
        command.arg(&own);
    }
    let program = folder.join("program");
    command.arg("-o").arg(&program).arg("-lm");
    let made = process::finish(command, stop)?;
    Ok(match made.status {
        Ok(status) if status.success() => Ok(program),
        Ok(_) => Err(format!("it does not compile ({})", super::build::first_error(&made.messages))),
        Err(late) => Err(late.of("the compiler")),
    })
}
