//! C programs read, lowered and executed.
//!
//! Start with [`c::read`], which turns C text into a [`Program`](program::Program), and [`interp::run`], which executes it
//! on given inputs and returns a [`Run`](run::Run): every step, and how it ended. There is no solver here, nothing prints,
//! and files are read only through a [`Loader`](c::Loader) that the caller gives: [`disk`] has the usual one.
//!
//! ```
//! use nearmiss_program::{c, interp, run::Inputs, run::Outcome, source::Sources};
//! use std::{io, path::Path};
//!
//! struct OneFile(&'static str);
//!
//! impl c::Loader for OneFile {
//!     fn load(&self, _: &Path) -> io::Result<Vec<u8>> {
//!         Ok(self.0.into())
//!     }
//!     fn exists(&self, path: &Path) -> bool {
//!         path == Path::new("small.c")
//!     }
//! }
//!
//! let file = OneFile("#include <assert.h>\nint main(void) { int x = nondet_int(); assert(x < 10); }");
//! let mut sources = Sources::new();
//! let program = c::read(&["small.c".to_owned()], &c::Options::default(), &file, &mut sources).unwrap();
//!
//! let inputs = Inputs { calls: vec![12], ..Inputs::default() };
//! let run = interp::run(&program, &inputs, &interp::Limits::default());
//! let Outcome::Violated(claim) = run.outcome else { panic!("12 is too large") };
//! assert_eq!(program.claims[claim.index()].text, "x < 10");
//! ```
//!
//! What else is known of a program from its text: [`dependence`] says which line can matter to which, [`loops`] where it
//! repeats. [`show`] writes values as C does, [`program_text`] whole programs, for tests.

pub mod c;
pub mod dependence;
pub mod disk;
pub mod extended;
pub mod hardware;
pub mod interp;
pub mod location;
pub mod loops;
pub mod moments;
pub mod program;
pub mod program_text;
pub mod run;
pub mod show;
pub mod source;
pub mod spelling;
