//! A version that is known to be right, as it is typed.

use clap::Args;

/// What the program is compared with.
#[derive(Args, Debug)]
#[command(next_help_heading = "Versions (one function, compared with another version of it)")]
pub struct ReferenceArgs {
    /// The function must return what it returns in this file, and leave the same behind its pointers and in global variables, for
    /// all inputs. Both files may use the same names. The reference is trusted; inputs for which it does what C leaves undefined
    /// are left out, and the answer says so
    #[arg(long, value_name = "FILE.c", conflicts_with_all = ["tests", "stdin", "expect", "nondet_static", "nondet_volatile", "mmio", "malloc_may_fail", "malloc_fail_null", "malloc_fail_assert"])]
    pub reference: Option<String>,
}
