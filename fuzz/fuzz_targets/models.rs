//! Models of hardware, BTOR2 and AIGER: any bytes are a program or located errors, and a program is one that can be checked.
#![no_main]

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use nearmiss_explain::check::{CheckError, CheckOptions, check};
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::Loader;
use nearmiss_program::hardware;
use nearmiss_program::source::Sources;

/// The only file there is.
const NAME: &str = "fuzz.btor2";

struct One<'a>(&'a [u8]);

impl Loader for One<'_> {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.exists(path) { Ok(self.0.to_vec()) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new(NAME)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut sources = Sources::new();
    let program = match hardware::read(NAME, &One(bytes), &mut sources) {
        Ok(program) => program,
        Err(errors) => {
            assert!(!errors.is_empty(), "refused without a reason");
            for span in errors.iter().filter_map(|error| error.span) {
                let _ = sources.position(span);
            }
            return;
        }
    };
    let stop = Stop::at(Instant::now() + Duration::from_secs(1));
    let options = CheckOptions { unwind: Some(2), stop, ..CheckOptions::default() };
    if let Err(CheckError::Internal(what)) = check(&program, &options, &mut |_| {}) {
        panic!("internal error: {what}");
    }
});
