//! C: any bytes as one file are a program or located errors; a program can be printed, read back and checked.
//!
//! A panic inside the front-end crates is caught by our front end and reported as an error, which is what a user
//! would see, so it does not count here; with `NEARMISS_STRICT=1` in the environment it does.
#![no_main]

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::abort;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use nearmiss_explain::check::{CheckError, CheckOptions, check};
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::{self, Loader, Options};
use nearmiss_program::program_text;
use nearmiss_program::source::Sources;

/// The only file there is.
const NAME: &str = "fuzz.c";

struct One<'a>(&'a [u8]);

impl Loader for One<'_> {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.exists(path) { Ok(self.0.to_vec()) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new(NAME)
    }
}

/// What the last panic said, and where it was.
static LAST: Mutex<String> = Mutex::new(String::new());

fuzz_target!(
    init: {
        // libFuzzer's own hook ends the process at every panic, also at one that is caught.
        if std::env::var_os("NEARMISS_STRICT").is_none() {
            std::panic::set_hook(Box::new(|panic| *LAST.lock().unwrap() = panic.to_string()));
        }
    },
    |bytes: &[u8]| {
        if catch_unwind(AssertUnwindSafe(|| one(bytes))).is_err() {
            eprintln!("{}", LAST.lock().unwrap());
            abort();
        }
    }
);

fn one(bytes: &[u8]) {
    let mut sources = Sources::new();
    let program = match c::read(&[NAME.to_owned()], &Options::default(), &One(bytes), &mut sources) {
        Ok(program) => program,
        Err(errors) => {
            assert!(!errors.is_empty(), "refused without a reason");
            for span in errors.iter().filter_map(|error| error.span) {
                let _ = sources.position(span);
            }
            return;
        }
    };
    let printed = program_text::print(&program, None);
    let again = program_text::parse(&printed).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
    assert_eq!(program_text::print(&again, None), printed);

    let stop = Stop::at(Instant::now() + Duration::from_secs(1));
    let options = CheckOptions { unwind: Some(3), stop, ..CheckOptions::default() };
    if let Err(CheckError::Internal(what)) = check(&program, &options, &mut |_| {}) {
        panic!("internal error: {what}");
    }
}
