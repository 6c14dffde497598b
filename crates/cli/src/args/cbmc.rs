//! Flags of CBMC that say how it works and not what it is asked: taken, so that its command lines carry over, and told to
//! have no effect. A flag that asks for something that is not done here stays an error.

use clap::Args;

/// Those flags.
#[derive(Args, Debug)]
pub struct CbmcArgs {
    #[arg(long, hide = true)]
    slice_formula: bool,
    #[arg(long, hide = true)]
    stop_on_fail: bool,
    #[arg(long, hide = true)]
    compact_trace: bool,
    #[arg(long, hide = true)]
    drop_unused_functions: bool,
    #[arg(long, hide = true)]
    reachability_slice: bool,
    #[arg(long, hide = true)]
    full_slice: bool,
    #[arg(long, hide = true)]
    no_simplify: bool,
    #[arg(long, hide = true)]
    beautify: bool,
    #[arg(long, hide = true)]
    refine: bool,
    #[arg(long, hide = true)]
    arrays_uf_always: bool,
    #[arg(long, hide = true)]
    floatbv: bool,
    #[arg(long, hide = true)]
    round_to_nearest: bool,
    #[arg(long, hide = true)]
    c99: bool,
    #[arg(long, hide = true)]
    c11: bool,
    #[arg(long, hide = true, value_name = "N")]
    object_bits: Option<u32>,
    #[arg(long, hide = true, value_name = "N")]
    verbosity: Option<u32>,
}

impl CbmcArgs {
    /// Those that were given.
    pub fn given(&self) -> Vec<&'static str> {
        let flags = [
            (self.slice_formula, "--slice-formula"),
            (self.stop_on_fail, "--stop-on-fail"),
            (self.compact_trace, "--compact-trace"),
            (self.drop_unused_functions, "--drop-unused-functions"),
            (self.reachability_slice, "--reachability-slice"),
            (self.full_slice, "--full-slice"),
            (self.no_simplify, "--no-simplify"),
            (self.beautify, "--beautify"),
            (self.refine, "--refine"),
            (self.arrays_uf_always, "--arrays-uf-always"),
            (self.floatbv, "--floatbv"),
            (self.round_to_nearest, "--round-to-nearest"),
            (self.c99, "--c99"),
            (self.c11, "--c11"),
            (self.object_bits.is_some(), "--object-bits"),
            (self.verbosity.is_some(), "--verbosity"),
        ];
        flags.into_iter().filter(|(given, _)| *given).map(|(_, name)| name).collect()
    }
}
