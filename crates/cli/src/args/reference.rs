//! A version that is known to be right, as it is typed.

use clap::Args;

/// What the program is compared with.
#[derive(Args, Debug)]
#[command(next_help_heading = "Versions (one function, or a program, compared with another version of it)")]
pub struct ReferenceArgs {
    /// The program must print what the one in this file prints and end with the same exit status, for all inputs; with --function,
    /// the function must return what it returns there, and leave the same behind its pointers and in global variables. Both files may
    /// use the same names. The reference is trusted; inputs for which it does what C leaves undefined are left out, and the answer
    /// says so. With --stdin FILE both programs read that text
    #[arg(long, value_name = "FILE.c", conflicts_with_all = ["tests", "expect", "nondet_static", "nondet_volatile", "mmio", "malloc_may_fail", "malloc_fail_null", "malloc_fail_assert"])]
    pub reference: Option<String>,

    /// Both programs read any text of up to so many characters on standard input, at most 64 [default: 8]
    #[arg(long, value_name = "N", requires = "reference", conflicts_with = "stdin")]
    pub stdin_size: Option<usize>,
}
