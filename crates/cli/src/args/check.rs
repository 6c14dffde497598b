//! `nearmiss check`, as it is typed, and what `explain` and `focus` take as well.

use clap::Args;
use nearmiss_program::c::Registers;

use super::cbmc::CbmcArgs;
use super::crash::CrashArgs;
use super::limits::LimitArgs;
use super::output::OutputArgs;
use super::places::loop_bound;
use super::preprocessor::PreprocessorArgs;
use super::reference::ReferenceArgs;
use super::temporal::TemporalArgs;
use super::trials::TestsArgs;

/// What `--help` says below the flags.
pub const EXAMPLES: &str = "\
Examples:
  nearmiss check minmax.c                    is any assertion or check of minmax.c violated?
  nearmiss check a.c b.c -I include -DDEBUG  a program of two files
  nearmiss check --function sort3 sort.c     start in sort3: its parameters are inputs
  nearmiss check --unwind 10 ring.c          evaluate the condition of a loop at most 10 times in a row
  nearmiss check --mmio 0x40021000:0x400 a.c registers at a fixed address: reads give anything
  nearmiss check --format json ring.c        the answer for a script
  nearmiss check --show-properties ring.c    the claims, by the names that --property takes
  nearmiss check --tests tests average.c     NAME.in is read, NAME.out must be printed
  nearmiss check new.c --function f --reference old.c   does f do what it did in old.c?
  nearmiss check --crash crash-1f2e target.c --emit-input small
                                             the bytes of a fuzzer's crash file, made fewer

Inputs are the results of nondet_…() and __VERIFIER_nondet_…() functions and of functions
without a body, uninitialised variables, and the parameters of the function to start in.

Exit codes:
  0   every claim holds (the answer says whether for every execution or up to the bound)
  10  a claim is violated; the failing execution was printed
  5   undecided: time or memory was over, or it was interrupted
  1   the command line is wrong
  2   the input cannot be read
  6   internal error";

/// `nearmiss check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// What all commands on programs take.
    #[command(flatten)]
    pub program: ProgramArgs,

    /// What runs must do over time.
    #[command(flatten)]
    pub temporal: TemporalArgs,
}

/// A program, and what to ask of it.
#[derive(Args, Debug)]
pub struct ProgramArgs {
    /// C files of one program; `-` is standard input
    #[arg(required = true, value_name = "FILE.c")]
    pub files: Vec<String>,

    /// What to look at.
    #[command(flatten)]
    pub scope: ScopeArgs,

    /// Tests.
    #[command(flatten)]
    pub tests: TestsArgs,

    /// Another version.
    #[command(flatten)]
    pub versions: ReferenceArgs,
    /// A crash file.
    #[command(flatten)]
    pub crash: CrashArgs,

    /// The preprocessor.
    #[command(flatten)]
    pub preprocessor: PreprocessorArgs,

    /// Automatic checks.
    #[command(flatten)]
    pub checks: ChecksArgs,

    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Output.
    #[command(flatten)]
    pub output: OutputArgs,

    /// What has no effect here.
    #[command(flatten)]
    pub cbmc: CbmcArgs,

    /// Arguments for the preprocessor: -I, -D, -U and -include
    #[arg(last = true, value_name = "CPP", allow_hyphen_values = true)]
    pub rest: Vec<String>,
}

/// What to look at, and how far.
#[derive(Args, Debug)]
#[command(next_help_heading = "What to check")]
pub struct ScopeArgs {
    /// Start execution in this function instead of main; its parameters are inputs
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,

    /// Check only this claim (see --show-properties); may be repeated
    #[arg(long, value_name = "ID")]
    pub property: Vec<String>,

    /// Check what this property file of SV-COMP says, and nothing else: reachability of reach_error, overflows, memory safety or
    /// memory cleanup
    #[arg(long, value_name = "FILE")]
    pub property_file: Option<String>,

    /// Registers at a fixed address: pointers to them are valid, and every volatile read gives any value; may be repeated
    #[arg(long, value_name = "ADDR:SIZE", value_parser = registers)]
    pub mmio: Vec<Registers>,

    /// Every read of a volatile object gives any value [default: what was written last]
    #[arg(long)]
    pub nondet_volatile: bool,

    /// Static variables hold any value at the start, whatever they are initialised with; those that are const keep their
    /// value, as in CBMC
    #[arg(long)]
    pub nondet_static: bool,

    /// Floats are rounded down until the program calls fesetround [default: to nearest]
    #[arg(long, group = "rounding")]
    pub round_to_minus_inf: bool,

    /// Floats are rounded up until the program calls fesetround
    #[arg(long, group = "rounding")]
    pub round_to_plus_inf: bool,

    /// Floats are rounded toward zero until the program calls fesetround
    #[arg(long, group = "rounding")]
    pub round_to_zero: bool,

    /// From level N on pointers may be NULL: with 1, those that the entry function gets never are, with 2 neither are those in
    /// what they point to [default: 0, they are NULL or point to an object of their own]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub min_null_tree_depth: u32,

    /// A label that must not be reached; may be repeated
    #[arg(long, value_name = "LABEL")]
    pub error_label: Vec<String>,

    /// Functions without a body write nothing through the pointers that they get, as in CBMC [default: what non-const
    /// pointers point to may have any value after the call]
    #[arg(long, overrides_with = "havoc_arguments")]
    pub no_havoc_arguments: bool,
    #[arg(long, hide = true, overrides_with = "no_havoc_arguments")]
    #[allow(missing_docs)]
    pub havoc_arguments: bool,

    /// Come to the head of a loop, or from a function into itself, at most N times in a row, as CBMC counts: a `while` or `for` loop completes N - 1 turns, a `do` loop N [default: the bound grows by itself]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = rounds)]
    pub unwind: Option<u32>,

    /// Bounds for single loops (see --show-loops), for example main.0:5,main.1:9. Loops of a function are numbered as CBMC
    /// does, by where they end: a loop inside another has the smaller number
    #[arg(long, value_name = "L:N", value_delimiter = ',', value_parser = loop_bound)]
    pub unwindset: Vec<(String, u32)>,

    /// Fail if the given bound does not suffice [default: undecided]
    #[arg(long, overrides_with = "no_unwinding_assertions")]
    pub unwinding_assertions: bool,

    /// The claims need to hold only up to the given bound
    #[arg(long, overrides_with = "unwinding_assertions")]
    pub no_unwinding_assertions: bool,

    /// List the claims and stop
    #[arg(long)]
    pub show_properties: bool,

    /// List the loops and stop
    #[arg(long, conflicts_with = "show_properties")]
    pub show_loops: bool,
}

/// Which claims are made without being written. Each flag has its opposite, with or without `no-`; the last one typed
/// wins. Help shows the one that changes something.
#[derive(Args, Debug)]
#[command(next_help_heading = "Checks (each has its opposite, with or without no-)")]
#[allow(missing_docs)]
pub struct ChecksArgs {
    /// Only written assertions, and the checks that are asked for by name
    #[arg(long, overrides_with = "standard_checks")]
    pub no_standard_checks: bool,
    #[arg(long, hide = true, overrides_with = "no_standard_checks")]
    pub standard_checks: bool,

    /// Ignore written assertions
    #[arg(long, overrides_with = "assertions")]
    pub no_assertions: bool,
    #[arg(long, hide = true, overrides_with = "no_assertions")]
    pub assertions: bool,

    /// Ignore written assumptions. Only the interpreter replays runs
    #[arg(long, overrides_with = "assumptions")]
    pub no_assumptions: bool,
    #[arg(long, hide = true, overrides_with = "no_assumptions")]
    pub assumptions: bool,

    /// Array indices may be out of bounds
    #[arg(long, overrides_with = "bounds_check")]
    pub no_bounds_check: bool,
    #[arg(long, hide = true, overrides_with = "no_bounds_check")]
    pub bounds_check: bool,

    /// Bad pointers may be used and freed
    #[arg(long, overrides_with = "pointer_check")]
    pub no_pointer_check: bool,
    #[arg(long, hide = true, overrides_with = "no_pointer_check")]
    pub pointer_check: bool,

    /// Divisors may be zero
    #[arg(long, overrides_with = "div_by_zero_check")]
    pub no_div_by_zero_check: bool,
    #[arg(long, hide = true, overrides_with = "no_div_by_zero_check")]
    pub div_by_zero_check: bool,

    /// Signed arithmetic may wrap around; what C has no value for, the least number / -1 or % -1, is any value
    #[arg(long, overrides_with = "signed_overflow_check")]
    pub no_signed_overflow_check: bool,
    #[arg(long, hide = true, overrides_with = "no_signed_overflow_check")]
    pub signed_overflow_check: bool,

    /// Shifts may be too far
    #[arg(long, overrides_with = "undefined_shift_check")]
    pub no_undefined_shift_check: bool,
    #[arg(long, hide = true, overrides_with = "no_undefined_shift_check")]
    pub undefined_shift_check: bool,

    /// Unsigned arithmetic must not wrap around
    #[arg(long, overrides_with = "no_unsigned_overflow_check")]
    pub unsigned_overflow_check: bool,
    #[arg(long, hide = true, overrides_with = "unsigned_overflow_check")]
    pub no_unsigned_overflow_check: bool,

    /// Conversions must not change the value, casts included; numbers with fractions must fit without these
    #[arg(long, overrides_with = "no_conversion_check")]
    pub conversion_check: bool,
    #[arg(long, hide = true, overrides_with = "conversion_check")]
    pub no_conversion_check: bool,

    /// What is read or written through a pointer must lie at a multiple of what its type is aligned to
    #[arg(long, overrides_with = "no_alignment_check")]
    pub alignment_check: bool,
    #[arg(long, hide = true, overrides_with = "alignment_check")]
    pub no_alignment_check: bool,

    /// Arithmetic on floating-point numbers must not make an infinity of finite ones
    #[arg(long, overrides_with = "no_float_overflow_check")]
    pub float_overflow_check: bool,
    #[arg(long, hide = true, overrides_with = "float_overflow_check")]
    pub no_float_overflow_check: bool,

    /// Divisors of floating-point numbers must not be zero
    #[arg(long, overrides_with = "no_float_div_by_zero_check")]
    pub float_div_by_zero_check: bool,
    #[arg(long, hide = true, overrides_with = "float_div_by_zero_check")]
    pub no_float_div_by_zero_check: bool,

    /// Arithmetic on floating-point numbers must not make a NaN of what is none
    #[arg(long, overrides_with = "no_nan_check")]
    pub nan_check: bool,
    #[arg(long, hide = true, overrides_with = "nan_check")]
    pub no_nan_check: bool,

    /// A pointer that is computed must point into its object, or just behind it
    #[arg(long, overrides_with = "no_pointer_overflow_check")]
    pub pointer_overflow_check: bool,
    #[arg(long, hide = true, overrides_with = "pointer_overflow_check")]
    pub no_pointer_overflow_check: bool,

    #[arg(long, hide = true, overrides_with = "no_pointer_primitive_check")]
    pub pointer_primitive_check: bool,
    /// Let pointers that __CPROVER_r_ok and its kin are asked about be neither NULL nor valid
    #[arg(long, overrides_with = "pointer_primitive_check")]
    pub no_pointer_primitive_check: bool,

    /// What is read as an enumeration must be one of its named values
    #[arg(long, overrides_with = "no_enum_range_check")]
    pub enum_range_check: bool,
    #[arg(long, hide = true, overrides_with = "enum_range_check")]
    pub no_enum_range_check: bool,

    /// All memory must be freed when the entry function returns
    #[arg(long, overrides_with = "no_memory_leak_check")]
    pub memory_leak_check: bool,
    #[arg(long, hide = true, overrides_with = "memory_leak_check")]
    pub no_memory_leak_check: bool,

    /// All memory must be freed when exit, _Exit or abort ends the program
    #[arg(long, overrides_with = "no_memory_cleanup_check")]
    pub memory_cleanup_check: bool,
    #[arg(long, hide = true, overrides_with = "memory_cleanup_check")]
    pub no_memory_cleanup_check: bool,

    /// malloc and its kin may return NULL, as in CBMC 6 without a flag [default: they succeed, but for sizes that no object
    /// has]
    #[arg(long, overrides_with = "no_malloc_may_fail")]
    pub malloc_may_fail: bool,
    #[arg(long, hide = true, overrides_with_all = ["malloc_may_fail", "malloc_fail_null", "malloc_fail_assert"])]
    pub no_malloc_may_fail: bool,

    /// The same: an allocation that fails always returns NULL
    #[arg(long, overrides_with = "no_malloc_may_fail")]
    pub malloc_fail_null: bool,

    /// malloc and its kin may fail, and to do so violates a claim: none may be executed
    #[arg(long, overrides_with_all = ["no_malloc_may_fail", "malloc_fail_null"])]
    pub malloc_fail_assert: bool,
}

/// `0x40021000:0x400`.
fn registers(text: &str) -> Result<Registers, String> {
    let number = |text: &str| match text.trim().strip_prefix("0x").or(text.trim().strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.trim().parse().ok(),
    };
    let parts = text.split_once(':').and_then(|(address, size)| Some((number(address)?, number(size)?)));
    let (address, size) = parts.ok_or("write ADDRESS:BYTES, for example 0x40021000:0x400")?;
    Ok(Registers { address, size })
}

/// How often the head of a loop may be come to.
fn rounds(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("a number from 0 to {} is needed", u32::MAX))
}
