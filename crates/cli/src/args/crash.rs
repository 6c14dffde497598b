//! A crash file, as it is typed.

use clap::Args;

/// A file that a fuzzer has found.
#[derive(Args, Debug)]
#[command(next_help_heading = "Crash files (instead of all inputs)")]
pub struct CrashArgs {
    /// Run the program on the bytes of this file, as a fuzzer does: LLVMFuzzerTestOneInput(data, size) gets them, or what
    /// --function names, or else main finds them on standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tests", "stdin", "expect"])]
    pub crash: Option<String>,

    /// Arguments of main, between quotes; @@ stands for the name of a file with the bytes, as in AFL
    #[arg(long, value_name = "'X @@'", allow_hyphen_values = true, requires = "crash")]
    pub arguments: Option<String>,

    /// What ASan, UBSan or a fuzzer printed of the crash: says whether the run violates the claim at that place
    #[arg(long, value_name = "LOG", requires = "crash")]
    pub sanitizer: Option<String>,

    /// Write an input to this file: check, the smaller crash file; explain, the nearest one that passes
    #[arg(long, value_name = "FILE", requires = "crash")]
    pub emit_input: Option<String>,
}
