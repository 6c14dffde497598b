//! The words of checkers: names to which CBMC, ESBMC and SV-COMP give a meaning and that no header declares.
//!
//! A name with one of their prefixes is a word below, a function that the user gives a body, or an error where it is
//! used. To pass over a word that means something would make verdicts false. What the words mean is in
//! `lower/checkers.rs`, and in C in `library.c`.

use crate::spelling;

/// How the names begin that belong to checkers.
const PREFIXES: [&str; 3] = ["__CPROVER_", "__ESBMC_", "__VERIFIER_"];

/// How the names of functions begin that pick any value of the type that they return.
const PICKS: [&str; 2] = ["__VERIFIER_nondet_", "nondet_"];

/// Types that CBMC knows without a declaration.
pub const TYPES: &str = "\
typedef _Bool __CPROVER_bool;
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;
#define __CPROVER_thread_local _Thread_local
";

/// What CBMC calls the way in which floats are rounded.
pub(super) const MODE_NAME: &str = "__CPROVER_rounding_mode";
/// The only variable of theirs that programs set.
pub(super) const MODE: &str = "extern int __CPROVER_rounding_mode;";

/// Functions with the declaration that they get where the user has none.
pub const WORDS: &[(&str, &str)] = &[
    ("__CPROVER_assert", "void __CPROVER_assert(_Bool, const char *);"),
    ("__CPROVER_assume", "void __CPROVER_assume(_Bool);"),
    ("__CPROVER_precondition", "void __CPROVER_precondition(_Bool, const char *);"),
    ("__CPROVER_postcondition", "void __CPROVER_postcondition(_Bool, const char *);"),
    ("__CPROVER_cover", "void __CPROVER_cover(_Bool);"),
    ("__CPROVER_input", "void __CPROVER_input(const char *, ...);"),
    ("__CPROVER_output", "void __CPROVER_output(const char *, ...);"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(_Bool);"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(_Bool);"),
    ("__VERIFIER_error", "void __VERIFIER_error(void);"),
    ("__ESBMC_assert", "void __ESBMC_assert(_Bool, const char *);"),
    ("__ESBMC_assume", "void __ESBMC_assume(_Bool);"),
    ("__CPROVER_printf", "void __CPROVER_printf(const char *, ...);"),
    ("__CPROVER_atomic_begin", "void __CPROVER_atomic_begin(void);"),
    ("__CPROVER_atomic_end", "void __CPROVER_atomic_end(void);"),
    ("__CPROVER_fence", "void __CPROVER_fence(const char *, ...);"),
    ("__ESBMC_atomic_begin", "void __ESBMC_atomic_begin(void);"),
    ("__ESBMC_atomic_end", "void __ESBMC_atomic_end(void);"),
    ("__VERIFIER_atomic_begin", "void __VERIFIER_atomic_begin(void);"),
    ("__VERIFIER_atomic_end", "void __VERIFIER_atomic_end(void);"),
    ("__ESBMC_no_slice", "void __ESBMC_no_slice();"),
    ("__ESBMC_unroll", "void __ESBMC_unroll(unsigned);"),
    ("__ESBMC_is_little_endian", "_Bool __ESBMC_is_little_endian(void);"),
    ("__CPROVER_r_ok", "_Bool __CPROVER_r_ok(const void *, ...);"),
    ("__CPROVER_w_ok", "_Bool __CPROVER_w_ok(const void *, ...);"),
    ("__CPROVER_rw_ok", "_Bool __CPROVER_rw_ok(const void *, ...);"),
    ("__CPROVER_OBJECT_SIZE", "__CPROVER_size_t __CPROVER_OBJECT_SIZE(const void *);"),
    ("__CPROVER_POINTER_OFFSET", "__CPROVER_ssize_t __CPROVER_POINTER_OFFSET(const void *);"),
    ("__CPROVER_POINTER_OBJECT", "__CPROVER_size_t __CPROVER_POINTER_OBJECT(const void *);"),
    ("__CPROVER_same_object", "_Bool __CPROVER_same_object(const void *, const void *);"),
    ("__CPROVER_DYNAMIC_OBJECT", "_Bool __CPROVER_DYNAMIC_OBJECT(const void *);"),
    ("__CPROVER_LIVE_OBJECT", "_Bool __CPROVER_LIVE_OBJECT(const void *);"),
    ("__CPROVER_WRITEABLE_OBJECT", "_Bool __CPROVER_WRITEABLE_OBJECT(const void *);"),
    ("__ESBMC_r_ok", "_Bool __ESBMC_r_ok(const void *, ...);"),
    ("__ESBMC_same_object", "_Bool __ESBMC_same_object(const void *, const void *);"),
    ("__ESBMC_POINTER_OFFSET", "__CPROVER_ssize_t __ESBMC_POINTER_OFFSET(const void *);"),
    ("__ESBMC_POINTER_OBJECT", "__CPROVER_size_t __ESBMC_POINTER_OBJECT(const void *);"),
    ("__CPROVER_havoc_object", "void __CPROVER_havoc_object(void *);"),
    ("__CPROVER_havoc_slice", "void __CPROVER_havoc_slice(void *, __CPROVER_size_t);"),
    ("__VERIFIER_nondet_memory", "void __VERIFIER_nondet_memory(void *, __CPROVER_size_t);"),
    ("__CPROVER_allocate", "void *__CPROVER_allocate(__CPROVER_size_t, _Bool);"),
    ("__CPROVER_deallocate", "void __CPROVER_deallocate(void *);"),
    ("__CPROVER_array_copy", "void __CPROVER_array_copy(const void *, const void *);"),
    ("__CPROVER_array_replace", "void __CPROVER_array_replace(const void *, const void *);"),
    ("__CPROVER_array_set", "void __CPROVER_array_set(const void *, ...);"),
    ("__CPROVER_array_equal", "_Bool __CPROVER_array_equal(const void *, const void *);"),
    ("__CPROVER_overflow_plus", "_Bool __CPROVER_overflow_plus();"),
    ("__CPROVER_overflow_minus", "_Bool __CPROVER_overflow_minus();"),
    ("__CPROVER_overflow_mult", "_Bool __CPROVER_overflow_mult();"),
    ("__CPROVER_overflow_shl", "_Bool __CPROVER_overflow_shl();"),
    ("__CPROVER_overflow_unary_minus", "_Bool __CPROVER_overflow_unary_minus();"),
    ("__CPROVER_saturating_plus", SATURATING_PLUS),
    ("__CPROVER_saturating_minus", SATURATING_MINUS),
    ("__CPROVER_enum_is_in_range", "_Bool __CPROVER_enum_is_in_range();"),
    ("__CPROVER_pointer_in_range", "_Bool __CPROVER_pointer_in_range(const void *, const void *, const void *);"),
    ("__CPROVER_isnanf", "_Bool __CPROVER_isnanf(float x);"),
    ("__CPROVER_isinff", "_Bool __CPROVER_isinff(float x);"),
    ("__CPROVER_isfinitef", "_Bool __CPROVER_isfinitef(float x);"),
    ("__CPROVER_isnormalf", "_Bool __CPROVER_isnormalf(float x);"),
    ("__CPROVER_signf", "_Bool __CPROVER_signf(float x);"),
    ("__CPROVER_isgreaterf", "int __CPROVER_isgreaterf(float x, float y);"),
    ("__CPROVER_isgreaterequalf", "int __CPROVER_isgreaterequalf(float x, float y);"),
    ("__CPROVER_islessf", "int __CPROVER_islessf(float x, float y);"),
    ("__CPROVER_islessequalf", "int __CPROVER_islessequalf(float x, float y);"),
    ("__CPROVER_islessgreaterf", "int __CPROVER_islessgreaterf(float x, float y);"),
    ("__CPROVER_isunorderedf", "int __CPROVER_isunorderedf(float x, float y);"),
    ("__CPROVER_isequalf", "int __CPROVER_isequalf(float x, float y);"),
    ("__CPROVER_isnand", "_Bool __CPROVER_isnand(double x);"),
    ("__CPROVER_isinfd", "_Bool __CPROVER_isinfd(double x);"),
    ("__CPROVER_isfinited", "_Bool __CPROVER_isfinited(double x);"),
    ("__CPROVER_isnormald", "_Bool __CPROVER_isnormald(double x);"),
    ("__CPROVER_signd", "_Bool __CPROVER_signd(double x);"),
    ("__CPROVER_isgreaterd", "int __CPROVER_isgreaterd(double x, double y);"),
    ("__CPROVER_isgreaterequald", "int __CPROVER_isgreaterequald(double x, double y);"),
    ("__CPROVER_islessd", "int __CPROVER_islessd(double x, double y);"),
    ("__CPROVER_islessequald", "int __CPROVER_islessequald(double x, double y);"),
    ("__CPROVER_islessgreaterd", "int __CPROVER_islessgreaterd(double x, double y);"),
    ("__CPROVER_isunorderedd", "int __CPROVER_isunorderedd(double x, double y);"),
    ("__CPROVER_isequald", "int __CPROVER_isequald(double x, double y);"),
    ("__CPROVER_abs", "int __CPROVER_abs(int x);"),
    ("__CPROVER_labs", "long __CPROVER_labs(long x);"),
    ("__CPROVER_llabs", "long long __CPROVER_llabs(long long x);"),
    ("__CPROVER_fabs", "double __CPROVER_fabs(double x);"),
    ("__CPROVER_fabsf", "float __CPROVER_fabsf(float x);"),
    ("__CPROVER_inf", "double __CPROVER_inf(void);"),
    ("__CPROVER_inff", "float __CPROVER_inff(void);"),
    ("__CPROVER_rounding_mode", MODE),
    ("__CPROVER_round_to_integrald", "double __CPROVER_round_to_integrald(double x, int mode);"),
    ("__CPROVER_round_to_integralf", "float __CPROVER_round_to_integralf(float x, int mode);"),
    ("__ESBMC_init_object", "void __ESBMC_init_object(void *);"),
    ("__ESBMC_yield", "void __ESBMC_yield(void);"),
    ("__ESBMC_alloca", "#define __ESBMC_alloca __builtin_alloca"),
    ("__ESBMC_memset", "#include <string.h>\n#define __ESBMC_memset memset"),
    ("__ESBMC_memcpy", "#include <string.h>\n#define __ESBMC_memcpy memcpy"),
    ("__ESBMC_memmove", "#include <string.h>\n#define __ESBMC_memmove memmove"),
    ("__ESBMC_memchr", "#include <string.h>\n#define __ESBMC_memchr memchr"),
    ("__ESBMC_memcmp", "#include <string.h>\n#define __ESBMC_memcmp memcmp"),
    ("__ESBMC_and", "#define __ESBMC_and(a, b) ((a) & (b))"),
    ("__ESBMC_or", "#define __ESBMC_or(a, b) ((a) | (b))"),
    ("__ESBMC_implies", "#define __ESBMC_implies(a, b) (!(a) | (b))"),
    ("reach_error", "void reach_error(void);"),
    ("assume_abort_if_not", "void assume_abort_if_not(_Bool);"),
    ("klee_assume", "void klee_assume(__UINTPTR_TYPE__);"),
    ("assume", "void assume(_Bool);"),
    ("assert", "#include <assert.h>"),
];

/// The result has the type of the first operand; the function gives its bits.
const SATURATING_PLUS: &str = "unsigned long long __CPROVER_saturating_plus();
#define __CPROVER_saturating_plus(a, b) ((__typeof__(a))__CPROVER_saturating_plus(a, b))";
const SATURATING_MINUS: &str = "unsigned long long __CPROVER_saturating_minus();
#define __CPROVER_saturating_minus(a, b) ((__typeof__(a))__CPROVER_saturating_minus(a, b))";

/// Words that say nothing about what is looked at here: covers and output, atomic blocks of the only thread, and hints of
/// what to keep and how far to unroll. Their arguments are evaluated.
pub const SILENT: &[&str] = &[
    "__CPROVER_cover",
    "__CPROVER_input",
    "__CPROVER_output",
    "__CPROVER_printf",
    "__CPROVER_atomic_begin",
    "__CPROVER_atomic_end",
    "__CPROVER_fence",
    "__ESBMC_atomic_begin",
    "__ESBMC_atomic_end",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__ESBMC_no_slice",
    "__ESBMC_unroll",
    "__ESBMC_yield",
];

/// Words that are known and not taken, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("__CPROVER_old", CONTRACTS),
    ("__CPROVER_loop_entry", CONTRACTS),
    ("__CPROVER_return_value", CONTRACTS),
    ("__CPROVER_is_fresh", CONTRACTS),
    ("__CPROVER_is_freeable", CONTRACTS),
    ("__CPROVER_was_freed", CONTRACTS),
    ("__CPROVER_freeable", CONTRACTS),
    ("__CPROVER_pointer_equals", CONTRACTS),
    ("__CPROVER_pointer_in_range_dfcc", CONTRACTS),
    ("__CPROVER_obeys_contract", CONTRACTS),
    ("__CPROVER_object_whole", CONTRACTS),
    ("__CPROVER_object_from", CONTRACTS),
    ("__CPROVER_object_upto", CONTRACTS),
    ("__CPROVER_assignable", CONTRACTS),
    ("__ESBMC_requires", CONTRACTS),
    ("__ESBMC_ensures", CONTRACTS),
    ("__ESBMC_assigns", CONTRACTS),
    ("__ESBMC_old", CONTRACTS),
    ("__ESBMC_return_value", CONTRACTS),
    ("__ESBMC_loop_invariant", CONTRACTS),
    ("__CPROVER_is_invalid_pointer", "which pointers are invalid to CBMC is not defined; ask __CPROVER_r_ok"),
    ("__CPROVER_fixedbv", "fixed-point numbers are not taken"),
    ("__CPROVER_floatbv", "floating-point numbers of other widths than float and double are not taken"),
    ("__CPROVER_integer", "unbounded numbers are not taken"),
    ("__CPROVER_rational", "unbounded numbers are not taken"),
    ("__CPROVER_real", "unbounded numbers are not taken"),
    ("__CPROVER_initialize", "CBMC calls it before main; a program does not"),
    ("__CPROVER_memory_leak", "memory that is never freed is no error here"),
    ("__CPROVER_allocated_memory", "say with --mmio where registers are"),
    ("__CPROVER_is_zero_string", STRINGS),
    ("__CPROVER_zero_string_length", STRINGS),
    ("__CPROVER_buffer_size", STRINGS),
    ("__CPROVER_get_flag", TAINT),
    ("__CPROVER_get_must", TAINT),
    ("__CPROVER_get_may", TAINT),
    ("__CPROVER_set_must", TAINT),
    ("__CPROVER_set_may", TAINT),
    ("__CPROVER_clear_must", TAINT),
    ("__CPROVER_clear_may", TAINT),
    ("__CPROVER_get_field", SHADOW),
    ("__CPROVER_set_field", SHADOW),
    ("__CPROVER_field_decl_local", SHADOW),
    ("__CPROVER_field_decl_global", SHADOW),
    ("__CPROVER_threads_exited", THREADS),
    ("__CPROVER_next_thread_id", THREADS),
    ("__CPROVER_thread_id", THREADS),
    ("__ESBMC_is_fresh", CONTRACTS),
    ("__ESBMC_loop_assigns", CONTRACTS),
    ("__ESBMC_unreachable", "ESBMC claims it only if it is told to; write __ESBMC_assert(0, \"\")"),
    ("__ESBMC_cover", "ESBMC does not take it in C"),
    ("__ESBMC_get_object_size", "ESBMC counts elements of an array; __CPROVER_OBJECT_SIZE counts bytes"),
];

const CONTRACTS: &str = "contracts are not checked; write assumptions and assertions";
const STRINGS: &str = "CBMC's abstraction of strings is not taken";
const TAINT: &str = "the marks of goto-analyzer are not taken";
const SHADOW: &str = "CBMC's shadow memory is not taken";
const THREADS: &str = "threads are not taken";

/// Clauses of contracts, which stand where C has no place for a call. CBMC alone reads past them.
const CLAUSES: [&str; 8] = [
    "__CPROVER_requires",
    "__CPROVER_requires_contract",
    "__CPROVER_ensures",
    "__CPROVER_ensures_contract",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_decreases",
];

/// Other words that C has no place for.
const MISPLACED: [&str; 3] = ["__CPROVER_fixedbv", "__CPROVER_floatbv", "__CPROVER_return_value"];

/// Whether a name belongs to checkers.
pub fn is_reserved(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// So begin names of our own in a program that is compared with another version of it.
pub const OF_VERSIONS: &str = "nearmiss_reference_";

/// Whether a function of this name picks any value.
pub fn picks_a_value(name: &str) -> bool {
    PICKS.iter().any(|prefix| name.starts_with(prefix))
}

/// What stands behind `nondet_` in the name of a function that picks any value.
pub(super) fn picked(name: &str) -> Option<&str> {
    PICKS.iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// The declaration of a word.
pub fn declaration(name: &str) -> Option<&'static str> {
    WORDS.iter().find(|(word, _)| *word == name).map(|(_, declaration)| *declaration)
}

/// Whether a name starts a clause of a contract.
pub(super) fn is_clause(name: &str) -> bool {
    CLAUSES.contains(&name)
}

/// Whether a name is a word that C has no place for, so that it must be refused before it is parsed.
pub(super) fn is_misplaced(name: &str) -> bool {
    MISPLACED.contains(&name)
}

/// What a label of this name means to checkers, if it means something: CBMC starts a thread there.
pub(super) fn label_objection(name: &str) -> Option<String> {
    name.starts_with("__CPROVER_ASYNC_").then(|| format!("{name}: {THREADS}"))
}

/// Whether a variable of this name has a meaning for checkers whoever defines it.
pub(super) fn is_refused(name: &str) -> bool {
    REFUSED.iter().any(|(word, _)| *word == name)
}

/// Why a name of checkers is not taken.
pub(super) fn objection(name: &str) -> String {
    if let Some((_, why)) = REFUSED.iter().find(|(word, _)| *word == name) {
        return format!("{name}: {why}");
    }
    let near = spelling::near(WORDS.iter().map(|(word, _)| *word).filter(|word| is_reserved(word)), name);
    let near = near.map(|near| format!("; {near}")).unwrap_or_default();
    format!("{name}: this name of a checker is not known{near}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_checkers_are_told_from_others() {
        assert!(is_reserved("__CPROVER_assert") && is_reserved("__VERIFIER_x") && is_reserved("__ESBMC_x"));
        assert!(!is_reserved("CPROVER_assert") && !is_reserved("reach_error"));
    }

    #[test]
    fn no_word_is_both_taken_and_refused() {
        assert!(WORDS.iter().all(|(word, _)| !is_refused(word)));
        assert!(MISPLACED.iter().all(|word| is_refused(word)));
        assert!(CLAUSES.iter().all(|word| !is_refused(word) && declaration(word).is_none()));
    }

    #[test]
    fn objections_name_the_nearest_word() {
        assert!(objection("__CPROVER_asume").ends_with("did you mean `__CPROVER_assume`?"));
        assert!(objection("__CPROVER_is_fresh").contains("contracts"));
        assert!(objection("__CPROVER_xyz").ends_with("is not known"));
    }
}
