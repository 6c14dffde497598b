//! How C is read, as it is typed: the preprocessor and the machine.

use clap::Args;

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

    /// long and pointers have 32 bits
    #[arg(long = "32", overrides_with = "lp64")]
    pub ilp32: bool,

    /// long and pointers have 64 bits (default)
    #[arg(long = "64", overrides_with = "ilp32")]
    pub lp64: bool,
}
