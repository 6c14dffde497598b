//! The process `nearmiss`: everything it does is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    nearmiss_cli::main()
}
