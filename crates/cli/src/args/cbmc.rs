//! Flags of CBMC that say how it works and not what it is asked: taken, so that its command lines carry over, and told to
//! have no effect. A flag that asks for something that is not done here is an error that says what to do instead.

use clap::Args;

/// What to do instead of a flag of CBMC.
const INSTEAD: &[(&[&str], &str)] = &[
    (
        &["partial-loops"],
        "it follows executions that leave loops too early, which no program has; without it the bound grows by itself",
    ),
    (&["depth"], "it ends executions after so many steps; bound loops with --unwind N"),
    (&["unwind-min", "unwind-max"], "give one bound with --unwind N, or none: it grows by itself"),
    (&["json-ui", "json-interface"], "its answers have a form of their own: --format json"),
    (&["xml-ui", "xml-interface"], "there is no XML: --format json"),
    (
        &["cover", "cover-failed-assertions", "show-test-suite", "symex-coverage-report"],
        "tests for coverage are not made; `nearmiss focus --reach 'FILE:LINE: CONDITION'` says which inputs lead to a line",
    ),
    (
        &["LLP64", "ILP64", "win32", "winx64", "i386-win32", "i386-macos", "ppc-macos", "os"],
        "types are those of gcc on Linux; --arch and --32 say for which machine",
    ),
    (&["assert-to-assume"], "leave assertions out with --no-assertions, and write what is to be assumed"),
    (&["no-built-in-assertions"], "switch checks off by name, or all of them with --no-standard-checks"),
    (&["no-library"], "functions of the library always have their models; a body of yours takes their place"),
    (
        &["max-nondet-tree-depth"],
        "records that lead to others of their kind are followed 5 levels deep; write a main that builds more",
    ),
    (&["preprocess", "test-preprocessor"], "use `cc -E`"),
    (
        &[
            "show-parse-tree",
            "show-symbol-table",
            "show-goto-functions",
            "list-goto-functions",
            "export-symex-ready-goto",
        ],
        "the program as it was read is --dump program",
    ),
    (
        &[
            "program-only",
            "show-vcc",
            "show-byte-ops",
            "show-goto-symex-steps",
            "show-points-to-sets",
            "show-array-constraints",
        ],
        "the question to the solver is --dump equation",
    ),
    (&["dimacs"], "use --dump cnf"),
    (&["outfile", "dump-smt-formula"], "use --dump smt2 -o FILE"),
    (&["graphml-witness"], "use --format witness -o FILE"),
    (&["write-solver-stats-to"], "use --stats"),
    (
        &["paths", "show-symex-strategies", "symex-complexity-limit", "symex-complexity-failed-child-loops-limit"],
        "all paths are looked at together; leave it out",
    ),
    (&["mm"], "there is one thread"),
    (&["string-abstraction", "string-printable"], "strings are arrays of characters; leave it out"),
    (&["cpp98", "cpp03", "cpp11"], "only C is read"),
    (&["timestamp"], "leave it out; --stats has the times"),
];

/// What to do instead of a flag of CBMC that is not taken, if it is one.
pub fn instead(name: &str) -> Option<&'static str> {
    INSTEAD.iter().find(|(names, _)| names.contains(&name)).map(|(_, what)| *what)
}

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
    #[arg(long, hide = true, group = "rounding")]
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
    #[arg(long, hide = true, group = "rounding")]
    round_to_even: bool,
    #[arg(long, hide = true)]
    c17: bool,
    #[arg(long, hide = true)]
    refine_strings: bool,
    #[arg(long, hide = true)]
    bitwuzla: bool,
    #[arg(long, hide = true)]
    boolector: bool,
    #[arg(long, hide = true)]
    cprover_smt2: bool,
    #[arg(long, hide = true)]
    cvc3: bool,
    #[arg(long, hide = true)]
    cvc4: bool,
    #[arg(long, hide = true)]
    cvc5: bool,
    #[arg(long, hide = true)]
    mathsat: bool,
    #[arg(long, hide = true)]
    yices: bool,
    #[arg(long, hide = true)]
    z3: bool,
    #[arg(long, hide = true)]
    smt1: bool,
    #[arg(long, hide = true)]
    smt2: bool,
    #[arg(long, hide = true)]
    fpa: bool,
    #[arg(long, hide = true)]
    trace_json_extended: bool,
    #[arg(long, hide = true)]
    ignore_properties_before_unwind_min: bool,
    #[arg(long, hide = true)]
    dfcc_debug_lib: bool,
    #[arg(long, hide = true)]
    dfcc_simple_invalid_pointer_model: bool,
    #[arg(long, hide = true, value_name = "SOLVER")]
    sat_solver: Option<String>,
    #[arg(long, hide = true, value_name = "COMMAND")]
    external_sat_solver: Option<String>,
    #[arg(long, hide = true, value_name = "COMMAND")]
    incremental_smt2_solver: Option<String>,
    #[arg(long, hide = true, value_name = "L")]
    incremental_loop: Option<String>,
    #[arg(long, hide = true, value_name = "N")]
    max_node_refinement: Option<String>,
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
            (self.round_to_even, "--round-to-even"),
            (self.c17, "--c17"),
            (self.refine_strings, "--refine-strings"),
            (self.bitwuzla, "--bitwuzla"),
            (self.boolector, "--boolector"),
            (self.cprover_smt2, "--cprover-smt2"),
            (self.cvc3, "--cvc3"),
            (self.cvc4, "--cvc4"),
            (self.cvc5, "--cvc5"),
            (self.mathsat, "--mathsat"),
            (self.yices, "--yices"),
            (self.z3, "--z3"),
            (self.smt1, "--smt1"),
            (self.smt2, "--smt2"),
            (self.fpa, "--fpa"),
            (self.trace_json_extended, "--trace-json-extended"),
            (self.ignore_properties_before_unwind_min, "--ignore-properties-before-unwind-min"),
            (self.dfcc_debug_lib, "--dfcc-debug-lib"),
            (self.dfcc_simple_invalid_pointer_model, "--dfcc-simple-invalid-pointer-model"),
            (self.sat_solver.is_some(), "--sat-solver"),
            (self.external_sat_solver.is_some(), "--external-sat-solver"),
            (self.incremental_smt2_solver.is_some(), "--incremental-smt2-solver"),
            (self.incremental_loop.is_some(), "--incremental-loop"),
            (self.max_node_refinement.is_some(), "--max-node-refinement"),
        ];
        flags.into_iter().filter(|(given, _)| *given).map(|(_, name)| name).collect()
    }
}
