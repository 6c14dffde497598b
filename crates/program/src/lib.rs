//! C programs read, lowered and executed.
//!
//! [`c`] turns C text into a [`program`](program::Program); [`interp`] runs it on given inputs and gives a
//! [`run`](run::Run); [`dependence`] says which line can matter to which, [`show`] writes values as C does. There is no
//! solver here, nothing prints, and files are read only through a loader that the caller gives: [`disk`] has the usual one.

pub mod c;
pub mod dependence;
pub mod disk;
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
