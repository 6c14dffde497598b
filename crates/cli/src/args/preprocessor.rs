//! How C is read, as it is typed: the preprocessor and the machine.

use clap::Args;
use nearmiss_program::c::DataModel;

use super::choice::{Words, find};

/// What `--arch` takes.
const MACHINES: Words<DataModel> = &[
    ("x86_64", DataModel::Lp64),
    ("i386", DataModel::Ilp32),
    ("cortex-m", DataModel::CortexM),
    ("riscv32", DataModel::Riscv32),
    ("avr", DataModel::Avr),
    ("msp430", DataModel::Msp430),
];

/// A machine by its name.
fn machine(typed: &str) -> Result<DataModel, String> {
    find(MACHINES, typed)
}

/// How the text is preprocessed and for which machine.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reading C")]
pub struct PreprocessorArgs {
    /// Look for headers in DIR
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Define a macro, as 1 where no value is given
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,

    /// Include FILE before every file, as `-include` after `--` does
    #[arg(long = "include", value_name = "FILE")]
    pub force_include: Vec<String>,

    /// `char` has no sign, whatever the machine has
    #[arg(long)]
    pub unsigned_char: bool,

    /// Widths, alignments and signs of types as gcc has them for x86_64, i386, cortex-m, riscv32, avr or msp430. Only the
    /// interpreter replays runs of the last four [default: x86_64]
    #[arg(long, value_name = "MACHINE", value_parser = machine, hide_possible_values = true, conflicts_with_all = ["ilp32", "lp64", "lp32"])]
    pub arch: Option<DataModel>,

    /// The highest byte of a value comes first in memory, and bit-fields start at the highest bit. Only the interpreter
    /// replays runs [default: the lowest byte]
    #[arg(long, overrides_with = "little_endian")]
    pub big_endian: bool,

    /// The lowest byte of a value comes first in memory (default)
    #[arg(long, overrides_with = "big_endian")]
    pub little_endian: bool,

    /// int has 16 bits, long and pointers 32, as CBMC has them. Only the interpreter replays runs
    #[arg(long = "16", alias = "LP32", overrides_with_all = ["ilp32", "lp64"])]
    pub lp32: bool,

    /// long and pointers have 32 bits, as on i386
    #[arg(long = "32", aliases = ["ILP32", "i386-linux"], overrides_with_all = ["lp32", "lp64"])]
    pub ilp32: bool,

    /// long and pointers have 64 bits (default)
    #[arg(long = "64", alias = "LP64", overrides_with_all = ["lp32", "ilp32"])]
    pub lp64: bool,
}
