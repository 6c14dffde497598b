//! What the tests that run C share: reading a file into a program, and running it natively.

#![allow(dead_code, reason = "each crate uses its part")]

pub mod indices;
pub mod pieces;
pub mod procedures;
pub mod random;
pub mod scattered;
pub mod skip;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use nearmiss_program::c::{Loader, Options, read};
use nearmiss_program::program::Program;
use nearmiss_program::source::Sources;

/// Reads files from the disk.
pub struct Disk;

impl Loader for Disk {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// One file that is nowhere on the disk.
pub struct OneFile<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What is in it.
    pub bytes: &'a [u8],
}

impl Loader for OneFile<'_> {
    fn load(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        if self.exists(path) { Ok(self.bytes.to_vec()) } else { Err(std::io::ErrorKind::NotFound.into()) }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new(self.name)
    }
}

/// The program in a file, or the errors in it.
pub fn program(path: &Path) -> Result<Program, String> {
    program_with(path, &Options::default())
}

/// The same with options.
pub fn program_with(path: &Path, options: &Options) -> Result<Program, String> {
    let mut sources = Sources::new();
    read(&[path.display().to_string()], options, &Disk, &mut sources).map_err(|errors| {
        let lines = errors.iter().map(|error| match error.span {
            Some(span) => format!("{}: {}", sources.position(span), error.message),
            None => error.message.clone(),
        });
        lines.collect::<Vec<_>>().join("\n")
    })
}

/// A fresh folder for one test.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a command and gives its standard output.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Where Debian puts csmith's runtime.
pub const CSMITH_RUNTIME: &str = "/usr/include/csmith";

/// Whether csmith and its runtime are there; if not, it is said what is left out.
pub fn has_csmith(left_out: &str) -> bool {
    // Even this writes a file about the machine into the folder that it is run in.
    let answers = Command::new("csmith").arg("--version").current_dir(scratch("csmith")).output().is_ok();
    let there = answers && Path::new(CSMITH_RUNTIME).join("csmith.h").exists();
    if !there {
        skip::skip(left_out, "csmith with its runtime");
    }
    there
}

/// What `main` in a file returns when the machine runs it.
pub fn native(path: &Path) -> Result<i32, String> {
    let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let folder = scratch("run_c");
    let (object, binary, wrapper) =
        (folder.join(format!("{name}.o")), folder.join(&name), folder.join(format!("{name}.wrap.c")));
    // `main` is renamed after it is compiled: only as `main` may it fall off its end.
    fs::write(
        &wrapper,
        "#include <stdio.h>\nint checked(void);\nint main(void) { printf(\"%d\\n\", checked()); return 0; }\n",
    )
    .map_err(|error| error.to_string())?;
    output(Command::new("cc").args(["-w", "-O0", "-c", "-o"]).arg(&object).arg(path))?;
    output(Command::new("objcopy").args(["--redefine-sym", "main=checked"]).arg(&object))?;
    output(Command::new("cc").arg("-o").arg(&binary).arg(&wrapper).arg(&object).arg("-lm"))?;
    let printed = output(&mut Command::new(&binary))?;
    printed.trim().parse().map_err(|_| format!("{name} printed {printed:?}"))
}

/// The results for all items in order, computed on every processor. Threads have a large stack, since expressions are
/// evaluated on it and random ones nest deeply.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            let worker = || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    results.lock().unwrap()[index] = Some(result);
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, worker).unwrap();
        }
    });
    results.into_inner().unwrap().into_iter().flatten().collect()
}
