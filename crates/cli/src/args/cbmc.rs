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
    #[arg(long, hide = true)]
    reachability_slice_fb: bool,
    #[arg(long, hide = true)]
    refine_arrays: bool,
    #[arg(long, hide = true)]
    refine_arithmetic: bool,
    #[arg(long, hide = true)]
    arrays_uf_never: bool,
    #[arg(long, hide = true)]
    no_sat_preprocessor: bool,
    #[arg(long, hide = true)]
    validate_goto_model: bool,
    #[arg(long, hide = true)]
    validate_ssa_equation: bool,
    #[arg(long, hide = true)]
    retain_trivial_checks: bool,
    #[arg(long, hide = true)]
    localize_faults: bool,
    #[arg(long, hide = true)]
    c89: bool,
    #[arg(long, hide = true)]
    c23: bool,
    #[arg(long, hide = true)]
    gcc: bool,
    #[arg(long, hide = true)]
    no_array_field_sensitivity: bool,
    #[arg(long, hide = true)]
    no_self_loops_to_assumptions: bool,
    #[arg(long, hide = true)]
    symex_cache_dereferences: bool,
    #[arg(long, hide = true)]
    flush: bool,
    #[arg(long, hide = true)]
    stack_trace: bool,
    #[arg(long, hide = true)]
    trace_hex: bool,
    #[arg(long, hide = true)]
    trace_show_function_calls: bool,
    #[arg(long, hide = true)]
    trace_show_code: bool,
    #[arg(long, hide = true)]
    no_propagation: bool,
    #[arg(long, hide = true, value_name = "N")]
    max_field_sensitivity_array_size: Option<u32>,
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
            (self.reachability_slice_fb, "--reachability-slice-fb"),
            (self.refine_arrays, "--refine-arrays"),
            (self.refine_arithmetic, "--refine-arithmetic"),
            (self.arrays_uf_never, "--arrays-uf-never"),
            (self.no_sat_preprocessor, "--no-sat-preprocessor"),
            (self.validate_goto_model, "--validate-goto-model"),
            (self.validate_ssa_equation, "--validate-ssa-equation"),
            (self.retain_trivial_checks, "--retain-trivial-checks"),
            (self.localize_faults, "--localize-faults"),
            (self.c89, "--c89"),
            (self.c23, "--c23"),
            (self.gcc, "--gcc"),
            (self.no_array_field_sensitivity, "--no-array-field-sensitivity"),
            (self.no_self_loops_to_assumptions, "--no-self-loops-to-assumptions"),
            (self.symex_cache_dereferences, "--symex-cache-dereferences"),
            (self.flush, "--flush"),
            (self.stack_trace, "--stack-trace"),
            (self.trace_hex, "--trace-hex"),
            (self.trace_show_function_calls, "--trace-show-function-calls"),
            (self.trace_show_code, "--trace-show-code"),
            (self.no_propagation, "--no-propagation"),
            (self.max_field_sensitivity_array_size.is_some(), "--max-field-sensitivity-array-size"),
            (self.object_bits.is_some(), "--object-bits"),
            (self.verbosity.is_some(), "--verbosity"),
        ];
        flags.into_iter().filter(|(given, _)| *given).map(|(_, name)| name).collect()
    }
}
