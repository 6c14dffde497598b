//! The words of CBMC, ESBMC and SV-COMP: for each a program that holds, one that fails, and where it is not taken one that is
//! refused with the reason. What they mean is told by the manuals of those tools; `main` is written around each row.

use nearmiss_explain::{Program, Reading, Verdict};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Expected {
    Holds,
    Fails,
    /// With this in the message.
    Refused(&'static str),
}

use Expected::{Fails, Holds, Refused};

/// What a program is found to do, in words.
fn outcome(text: &str) -> String {
    let program = match Program::from_text("word.c", text, &Reading::default()) {
        Ok(program) => program,
        Err(error) => return format!("refused: {error:?}"),
    };
    match program.check(&Default::default()) {
        Ok(answer) if answer.verdict() == Verdict::Holds => "holds".to_owned(),
        Ok(answer) if answer.verdict() == Verdict::Fails => "fails".to_owned(),
        Ok(_) => "undecided".to_owned(),
        Err(error) => format!("refused: {error:?}"),
    }
}

/// Checks every row: what stands before `main`, what stands in it, and what is expected.
fn check_all(rows: &[(&str, &str, Expected)]) {
    let mut wrong = String::new();
    for (before, body, expected) in rows {
        let text = format!("{before}\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n");
        let found = outcome(&text);
        let right = match expected {
            Holds => found == "holds",
            Fails => found == "fails",
            Refused(why) => found.starts_with("refused") && found.contains(why),
        };
        if !right {
            let _ = writeln!(wrong, "{before} {body}\n    expected {expected:?}, found {found}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The same for rows with nothing before `main`.
fn check_bodies(rows: &[(&str, Expected)]) {
    let rows: Vec<(&str, &str, Expected)> = rows.iter().map(|(body, expected)| ("", *body, *expected)).collect();
    check_all(&rows);
}

#[test]
fn a_name_of_checkers_that_is_not_known_is_refused() {
    let x = "int x;";
    check_all(&[
        ("void __CPROVER_asume(_Bool);", "__CPROVER_asume(0);", Refused("did you mean `__CPROVER_assume`?")),
        (x, "__CPROVER_no_such_thing(x);", Refused("__CPROVER_no_such_thing: this name of a checker is not known")),
        (x, "__ESBMC_no_such_thing(x);", Refused("not known")),
        (x, "__VERIFIER_no_such_thing(x);", Refused("not known")),
        ("void __CPROVER_mine(int x) { __CPROVER_assert(x, \"\"); }", "__CPROVER_mine(1);", Holds),
        ("void __CPROVER_mine(int x) { __CPROVER_assert(x, \"\"); }", "__CPROVER_mine(0);", Fails),
        // Nobody comes here.
        (x, "if (x) __CPROVER_no_such_thing(x);", Holds),
        ("", "int x = __VERIFIER_nondet_thing();", Refused("declare it")),
        ("char __VERIFIER_nondet_thing(void);", "__CPROVER_assert(__VERIFIER_nondet_thing() < 128, \"\");", Holds),
        ("char __VERIFIER_nondet_thing(void);", "__CPROVER_assert(__VERIFIER_nondet_thing() < 127, \"\");", Fails),
        ("extern unsigned __CPROVER_threads_exited;", "return __CPROVER_threads_exited;", Refused("threads")),
        ("extern int __CPROVER_something;", "return __CPROVER_something;", Refused("not known")),
        ("void __CPROVER_assume(_Bool);", "void (*f)(_Bool) = __CPROVER_assume; f(0);", Refused("the address of")),
        ("void reach_error(void);", "void (*f)(void) = reach_error; f();", Refused("the address of")),
    ]);
}

#[test]
fn the_mode_of_rounding() {
    let (modes, x) = ("extern int __CPROVER_rounding_mode;", "double x = 0.1; float a = x;");
    let [below, above, zero] = [1, 2, 3].map(|mode| format!("{x} __CPROVER_rounding_mode = {mode}; float b = x;"));
    let check = |body: &str, claim: &str| format!("{body} __CPROVER_assert({claim}, \"\");");
    let rows = [
        (check(&below, "b < a && b < x"), Holds),
        (check(&above, "a == b && b > x"), Holds),
        (check(&zero, "b < x"), Holds),
        (check(&zero, "a == b"), Fails),
        (check("int m; __CPROVER_rounding_mode = m; float b = 1.0f / 3;", "b < 0.33333334f"), Fails),
        (check("int m; __CPROVER_rounding_mode = m; float b = 1.0f / 4;", "b == 0.25f"), Holds),
    ];
    let rows: Vec<(&str, &str, Expected)> = rows.iter().map(|(body, expected)| (modes, &**body, *expected)).collect();
    check_all(&rows);
    check_all(&[
        ("", "float x; __CPROVER_assert(__CPROVER_rounding_mode == 0, \"\");", Holds),
        (
            "int __CPROVER_rounding_mode;",
            "__CPROVER_rounding_mode = 1; __CPROVER_assert((float)0.3 > 0.3, \"\");",
            Fails,
        ),
        ("int __CPROVER_rounding_mode = 2;", "__CPROVER_assert((float)0.3 > 0.3, \"\");", Holds),
        ("int __CPROVER_rounding_mode = 1;", "__CPROVER_assert((float)0.3 > 0.3, \"\");", Fails),
    ]);
}

#[test]
fn clauses_of_contracts_are_left_out_and_other_words_refused() {
    check_all(&[
        ("int f(int x) __CPROVER_requires(x > 0) { return x; }", "f(0);", Holds),
        ("int f(int x) __CPROVER_ensures(__CPROVER_return_value > 0) { return x; }", "f(0);", Holds),
        (
            "int f(int x) __CPROVER_requires((x > 0)) __CPROVER_assigns() { return x; }",
            "__CPROVER_assert(f(0), \"\");",
            Fails,
        ),
        ("", "int i = 0; while (i < 3) __CPROVER_loop_invariant(i <= 3) __CPROVER_decreases(3 - i) { i++; }", Holds),
        ("", "int i = 0; while (i < 3) { __ESBMC_loop_invariant(i <= 3); i++; }", Refused("contracts")),
        ("", "int *p; __CPROVER_assume(__CPROVER_is_fresh(p, 4));", Refused("contracts")),
        ("", "int *p; __CPROVER_assert(__CPROVER_is_freeable(p), \"\");", Refused("contracts")),
        // A program may do without them.
        ("#define __CPROVER_requires(x)\nint f(int x) __CPROVER_requires(x > 0) { return x; }", "f(0);", Holds),
    ]);
}

#[test]
fn memory_that_can_be_read() {
    check_all(&[
        ("", "char a[4]; __CPROVER_assert(__CPROVER_r_ok(a, 4), \"\");", Holds),
        ("", "char a[4]; __CPROVER_assert(__CPROVER_r_ok(a, 5), \"\");", Fails),
        ("", "char a[4]; __CPROVER_assert(__CPROVER_r_ok(a + 2, 2) && !__CPROVER_r_ok(a + 2, 3), \"\");", Holds),
        ("", "char a[4]; __CPROVER_assert(__CPROVER_r_ok(a + 4, 0) && !__CPROVER_r_ok(a + 4, 1), \"\");", Holds),
        ("", "char a[4]; __CPROVER_assert(!__CPROVER_r_ok(a + 5, 0), \"\");", Fails),
        ("", "__CPROVER_assert(!__CPROVER_r_ok((void *)0, 1) && !__CPROVER_r_ok((void *)0, 0), \"\");", Holds),
        (
            "",
            "const char *s = \"abc\"; __CPROVER_assert(__CPROVER_w_ok(s, 4), \"to CBMC all memory is writable\");",
            Holds,
        ),
        ("", "int a[2]; __CPROVER_assert(__CPROVER_rw_ok(a + 1) && !__CPROVER_w_ok(a + 2), \"\");", Holds),
        ("", "int a[2]; __CPROVER_assert(__CPROVER_r_ok(a + 2), \"\");", Fails),
        ("", "void *p = 0; __CPROVER_assert(__CPROVER_r_ok(p), \"\");", Refused("these arguments")),
        ("void free(void *);", "char *p = malloc(2); free(p); __CPROVER_assert(!__CPROVER_r_ok(p, 1), \"\");", Fails),
        (
            "",
            "unsigned n; __CPROVER_assume(n < 9); char *p = malloc(n); __CPROVER_assert(__CPROVER_r_ok(p, n), \"\");",
            Holds,
        ),
        (
            "",
            "unsigned n; __CPROVER_assume(n < 9); char *p = malloc(n); __CPROVER_assert(!__CPROVER_r_ok(p, 8), \"\");",
            Fails,
        ),
        ("", "char a[4]; __CPROVER_assert(__ESBMC_r_ok(a, 4) && !__ESBMC_r_ok(a, 5), \"\");", Holds),
        (
            "_Bool __CPROVER_r_ok(const void *, unsigned long);",
            "int x; __CPROVER_assert(__CPROVER_r_ok(&x, 5), \"\");",
            Fails,
        ),
    ]);
}

#[test]
fn pointers_and_their_objects() {
    let two = "int x, y; static const int c = 1; char *p = malloc(8);";
    let row = |assertion: &str| format!("{two} __CPROVER_assert({assertion}, \"\"); free(p);");
    for (assertion, expected) in [
        ("__CPROVER_OBJECT_SIZE(p + 3) == 8 && __CPROVER_OBJECT_SIZE(&x) == 4", Holds),
        ("__CPROVER_OBJECT_SIZE((void *)0) == 0", Holds),
        ("__CPROVER_OBJECT_SIZE(p) == 9", Fails),
        ("__CPROVER_POINTER_OFFSET(p + 3) == 3 && __CPROVER_POINTER_OFFSET(p - 1) == -1", Holds),
        ("__CPROVER_POINTER_OFFSET(p + 3) == 0", Fails),
        ("__CPROVER_same_object(p, p + 8) && !__CPROVER_same_object(&x, &y)", Holds),
        ("__CPROVER_same_object(&x, &y)", Fails),
        ("__ESBMC_same_object(p, p + 1) && __ESBMC_POINTER_OFFSET(p + 1) == 1", Holds),
        ("__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(p + 1)", Holds),
        ("__CPROVER_POINTER_OBJECT(&x) != __CPROVER_POINTER_OBJECT(&y)", Holds),
        ("__CPROVER_POINTER_OBJECT(&x) == __CPROVER_POINTER_OBJECT(&y)", Fails),
        ("__CPROVER_POINTER_OBJECT(&x) == 3", Refused("the number of an object")),
        ("__CPROVER_DYNAMIC_OBJECT(p + 2) && !__CPROVER_DYNAMIC_OBJECT(&x) && !__CPROVER_DYNAMIC_OBJECT(0)", Holds),
        ("__CPROVER_DYNAMIC_OBJECT(&x)", Fails),
        ("__CPROVER_LIVE_OBJECT(p) && __CPROVER_LIVE_OBJECT(\"abc\") && !__CPROVER_LIVE_OBJECT(0)", Holds),
        ("__CPROVER_LIVE_OBJECT((void *)0)", Fails),
        ("__CPROVER_WRITEABLE_OBJECT(p) && __CPROVER_WRITEABLE_OBJECT(&x)", Holds),
        ("__CPROVER_WRITEABLE_OBJECT(&c)", Fails),
        ("__CPROVER_WRITEABLE_OBJECT(\"abc\")", Fails),
        ("__CPROVER_is_invalid_pointer(p)", Refused("which pointers are invalid")),
        ("__ESBMC_get_object_size(p) == 8", Refused("counts elements")),
    ] {
        check_bodies(&[(&row(assertion), expected)]);
    }
    check_bodies(&[
        ("char *p = malloc(8); free(p); __CPROVER_assert(!__CPROVER_LIVE_OBJECT(p), \"\");", Holds),
        ("const int c = 1; __CPROVER_assert(__CPROVER_WRITEABLE_OBJECT(&c), \"\");", Refused("a local constant")),
        ("int *p; { int x; p = &x; } __CPROVER_assert(__CPROVER_LIVE_OBJECT(p), \"\");", Fails),
    ]);
}

#[test]
fn memory_that_gets_any_contents() {
    check_bodies(&[
        ("int a[3] = {1, 2, 3}; __CPROVER_havoc_object(a + 1); __CPROVER_assert(a[0] == 1, \"\");", Fails),
        ("int a[3] = {1, 2, 3}, b = 4; __CPROVER_havoc_object(a); __CPROVER_assert(b == 4, \"\");", Holds),
        ("int x = 1; __CPROVER_havoc_object(&x); __CPROVER_assert(x == 1, \"\");", Fails),
        ("int *p = 0; __CPROVER_havoc_object(p);", Fails),
        (
            "int a[3] = {1, 2, 3}; __CPROVER_havoc_slice(a + 1, 4); __CPROVER_assert(a[0] == 1 && a[2] == 3, \"\");",
            Holds,
        ),
        ("int a[3] = {1, 2, 3}; __CPROVER_havoc_slice(a + 1, 4); __CPROVER_assert(a[1] == 2, \"\");", Fails),
        ("int a[3]; __CPROVER_havoc_slice(a + 1, 12);", Fails),
        ("int x = 1; __VERIFIER_nondet_memory(&x, sizeof x); __CPROVER_assert(x == 1, \"\");", Fails),
        ("int x = 1, y = 2; __VERIFIER_nondet_memory(&x, sizeof x); __CPROVER_assert(y == 2, \"\");", Holds),
    ]);
}

#[test]
fn memory_that_is_allocated_and_arrays_as_wholes() {
    check_bodies(&[
        ("char *p = __CPROVER_allocate(4, 1); __CPROVER_assert(p[3] == 0, \"\");", Holds),
        ("char *p = __CPROVER_allocate(4, 0); __CPROVER_assert(p[3] == 0, \"\");", Fails),
        ("char *p = __CPROVER_allocate(4, 0); p[4] = 1;", Fails),
        ("char *p = malloc(4); __CPROVER_deallocate(p); __CPROVER_assert(!__CPROVER_LIVE_OBJECT(p), \"\");", Holds),
        ("char *p = malloc(4); __CPROVER_deallocate(p); *p = 1;", Fails),
        ("int a[3] = {0}, b[3] = {1, 2, 3}; __CPROVER_array_copy(a, b); __CPROVER_assert(a[2] == 3, \"\");", Holds),
        ("int a[3] = {0}, b[2] = {1, 2}; __CPROVER_array_copy(a, b); __CPROVER_assert(a[1] == 2, \"\");", Holds),
        ("int a[3] = {0}, b[2] = {1, 2}; __CPROVER_array_copy(a, b); __CPROVER_assert(a[2] == 0, \"\");", Fails),
        (
            "int a[3] = {0}, b[2] = {1, 2}; __CPROVER_array_replace(a, b); __CPROVER_assert(a[1] == 2 && a[2] == 0, \"\");",
            Holds,
        ),
        ("int a[3] = {0}, b[2] = {1, 2}; __CPROVER_array_replace(a, b); __CPROVER_assert(a[0] == 0, \"\");", Fails),
        ("int a[3] = {1, 2, 3}; __CPROVER_array_set(a, 0); __CPROVER_assert(a[0] == 0 && a[2] == 0, \"\");", Holds),
        ("char a[3]; __CPROVER_array_set(a, 'x'); __CPROVER_assert(a[0] == 'x' && a[2] == 'x', \"\");", Holds),
        ("char a[3]; __CPROVER_array_set(a, 'x'); __CPROVER_assert(a[1] == 'y', \"\");", Fails),
        ("short a[3]; __CPROVER_array_set(a, 65543); __CPROVER_assert(a[0] == 7 && a[2] == 7, \"\");", Holds),
        ("int a[3]; __CPROVER_array_set(a, 7); __CPROVER_assert(a[1] == 0, \"\");", Fails),
        ("int a[3]; int *p = a; __CPROVER_array_set(p, 1);", Refused("no bytes")),
        ("int a[2] = {1, 2}, b[2] = {1, 2}; __CPROVER_assert(__CPROVER_array_equal(a, b), \"\");", Holds),
        ("int a[2] = {1, 2}, b[2] = {1, 3}; __CPROVER_assert(__CPROVER_array_equal(a, b), \"\");", Fails),
        (
            "int a[2] = {1, 2}, b[3] = {1, 2}; __CPROVER_assert(__CPROVER_array_equal(a, b), \"\");",
            Refused("two whole arrays"),
        ),
    ]);
}

#[test]
fn implications() {
    check_bodies(&[
        ("int x; __CPROVER_assert(x > 3 ==> x > 2, \"\");", Holds),
        ("int x; __CPROVER_assert(x > 2 ==> x > 3, \"\");", Fails),
        ("int x; __CPROVER_assert(0 || x > 3 ==> x > 2 || 0, \"weaker than or\");", Holds),
        ("__CPROVER_assert(0 ==> 1 ==> 0, \"to the right\");", Holds),
        ("__CPROVER_assert((0 ==> 1) ==> 0, \"\");", Fails),
        ("int x; _Bool r = x > 3 ==> x > 2; __CPROVER_assert(r, \"\");", Holds),
        ("int x; __CPROVER_assert(x ? x != 0 ==> 1 : 0 ==> 0, \"\");", Holds),
        ("int x; if (x == 1 ==> x == 2) __CPROVER_assert(x != 1, \"\");", Holds),
    ]);
    check_all(&[
        ("int f(int x) { return x > 3 ==> x > 2; }", "int x; __CPROVER_assert(f(x), \"\");", Holds),
        ("int f(int x) { if (x) return x > 3 ==> x > 4; return 1; }", "int x; __CPROVER_assert(f(x), \"\");", Fails),
        ("#define IMPLIES(a, b) ((a) ==> (b))", "int x; __CPROVER_assert(IMPLIES(x > 3, x > 2), \"\");", Holds),
    ]);
}

#[test]
fn quantifiers() {
    let a = "int a[4] = {1, 2, 3, 4};";
    let row = |text: &str| format!("{a} {text}");
    for (text, expected) in [
        ("__CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] == i + 1 }, \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] < 4 }, \"\");", Fails),
        ("__CPROVER_assert(__CPROVER_exists { int i; (0 <= i && i < 4) && a[i] == 3 }, \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_exists { int i; (0 <= i && i < 4) && a[i] == 5 }, \"\");", Fails),
        ("__CPROVER_assert(!__CPROVER_exists { int i; (0 <= i && i < 4) && a[i] == 3 }, \"\");", Fails),
        ("__CPROVER_assert(__CPROVER_forall { unsigned i; i < sizeof a / sizeof *a ==> a[i] > 0 }, \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_forall { int i; i < sizeof a / sizeof *a ==> a[i] > 1 }, \"unsigned\");", Fails),
        ("__CPROVER_assert(__CPROVER_forall { int i; 4 > i && !(i < 0) ==> a[i] > 0 }, \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_forall { int i; i < 0 || i > 3 || a[i] > 0 }, \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_forall { unsigned char c; c <= 255 }, \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_forall { signed char c; c < 127 }, \"\");", Fails),
        ("__CPROVER_assert(__CPROVER_forall { int i; i == 5 ==> i == 6 }, \"\");", Fails),
        ("__CPROVER_assert(__CPROVER_forall { int i; (3 < i && i < 3) ==> 0 }, \"empty\");", Holds),
        ("__CPROVER_assert(__CPROVER_exists { int i; (3 < i && i < 3) && 1 }, \"empty\");", Fails),
        ("__CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i <= 4) ==> a[i] > 0 }, \"out of bounds\");", Fails),
        (
            "unsigned char n; __CPROVER_assume(n <= 4); __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] > 0 }, \"\");",
            Holds,
        ),
        (
            "int n; __CPROVER_assume(n <= 4); __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] > 0 }, \"\");",
            Holds,
        ),
        (
            "int n; __CPROVER_assume(n <= 5); __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] > 0 }, \"\");",
            Fails,
        ),
        (
            "unsigned n; __CPROVER_assume(n < 4); __CPROVER_assert(__CPROVER_exists { unsigned i; i <= n && a[i] == 4 }, \"\");",
            Fails,
        ),
        (
            "int n; __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> i / 4 || a[i] > 0 }, \"\");",
            Refused("known only in a run"),
        ),
        (
            "__CPROVER_assert(__CPROVER_forall { int i; __CPROVER_forall { int j; (0 <= i && i < j && j < 4) ==> a[i] < a[j] } }, \"\");",
            Refused("range is not known"),
        ),
        (
            "__CPROVER_assert(__CPROVER_forall { int i; __CPROVER_forall { int j; (0 <= i && i < 4 && 0 <= j && j < i) ==> a[i] > a[j] } }, \"\");",
            Holds,
        ),
        (
            "__CPROVER_assert(__CPROVER_forall { int i; __CPROVER_forall { int j; (0 <= i && i < 4 && 0 <= j && j < 4) ==> i <= j || a[i] > a[j] } }, \"\");",
            Holds,
        ),
        ("__CPROVER_assert(__CPROVER_forall { int i; a[i & 3] > 0 }, \"\");", Refused("range is not known")),
        (
            "__CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 2) ==> a[i]++ }, \"\");",
            Refused("does something"),
        ),
        (
            "int b[4]; __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 4) ==> b[i] > a[i] }); __CPROVER_assert(b[3] > 4, \"\");",
            Holds,
        ),
        (
            "int b[4]; __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 4) ==> b[i] > a[i] }); __CPROVER_assert(b[3] > 5, \"\");",
            Fails,
        ),
        (
            "int b[4]; __CPROVER_assume(__CPROVER_exists { int i; (0 <= i && i < 4) && b[i] == 7 }); __CPROVER_assert(b[3] == 7, \"\");",
            Fails,
        ),
        (
            "_Bool all = __CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] < 4 }; __CPROVER_assert(!all, \"\");",
            Holds,
        ),
        ("if (__CPROVER_exists { int i; (0 <= i && i < 4) && a[i] == 3 }) __CPROVER_assert(0, \"\");", Fails),
        (
            "__CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 4) ==> __CPROVER_exists { int j; (0 <= j && j < 4) && a[j] == i + 1 } }, \"\");",
            Holds,
        ),
        (
            "__CPROVER_assert(__CPROVER_exists { int i; (0 <= i && i < 4) && __CPROVER_forall { int j; (0 <= j && j < 4) ==> a[i] > a[j] } }, \"\");",
            Fails,
        ),
        (
            "int x; __CPROVER_assert(x != 5 || __CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] != x }, \"\");",
            Holds,
        ),
        (
            "int x; __CPROVER_assert(x == 5 || __CPROVER_forall { int i; (0 <= i && i < 4) ==> a[i] != x }, \"\");",
            Fails,
        ),
    ] {
        check_bodies(&[(&row(text), expected)]);
    }
}

#[test]
fn assertions_without_their_header() {
    check_all(&[
        ("", "int x; assert(x < 3);", Fails),
        ("", "int x; if (x < 3) assert(x < 3);", Holds),
        ("void assert(int);", "int x; assert(x < 3);", Fails),
        ("extern void assert(_Bool);", "int x; if (x < 3) assert(x < 3);", Holds),
        ("extern void assert(_Bool);", "int x; assert(x < 3);", Fails),
        ("void assert(int c) { }", "int x; assert(x < 3);", Holds),
        ("", "int x; __CPROVER_postcondition(x < 3, \"\");", Fails),
        ("", "int x; __CPROVER_precondition(x < 3, \"\");", Fails),
        ("", "int x; __CPROVER_assume(x == 2), __CPROVER_assert(x < 3, \"\");", Holds),
    ]);
}

#[test]
fn arithmetic_that_leaves_its_type() {
    check_bodies(&[
        ("int x; __CPROVER_assume(!__CPROVER_overflow_plus(x, 1)); __CPROVER_assert(x + 1 > x, \"\");", Holds),
        ("int x; __CPROVER_assert(!__CPROVER_overflow_plus(x, 1), \"\");", Fails),
        ("unsigned x; __CPROVER_assert(__CPROVER_overflow_plus(x, 1u) == (x + 1 == 0), \"\");", Holds),
        ("int x; __CPROVER_assume(!__CPROVER_overflow_minus(x, 1)); x = x - 1;", Holds),
        ("unsigned x; __CPROVER_assert(__CPROVER_overflow_minus(x, 5u) == (x < 5), \"\");", Holds),
        ("unsigned x; __CPROVER_assert(!__CPROVER_overflow_minus(x, 5u), \"\");", Fails),
        ("int x; __CPROVER_assume(!__CPROVER_overflow_mult(x, 3)); x = x * 3;", Holds),
        ("int x; __CPROVER_assume(!__CPROVER_overflow_mult(x, 2)); x = x * 3;", Fails),
        ("signed char x; __CPROVER_assert(!__CPROVER_overflow_plus(x, x), \"promoted to int\");", Holds),
        ("int x; long y = 1; __CPROVER_assert(!__CPROVER_overflow_plus(x, y), \"computed in long\");", Holds),
        ("int x; __CPROVER_assume(!__CPROVER_overflow_unary_minus(x)); x = -x;", Holds),
        ("int x; __CPROVER_assert(!__CPROVER_overflow_unary_minus(x), \"\");", Fails),
        ("unsigned x; __CPROVER_assert(!__CPROVER_overflow_unary_minus(x), \"\");", Refused("unsigned number")),
        ("int x; __CPROVER_assert(!__CPROVER_overflow_shl(x, 1), \"\");", Fails),
        ("__CPROVER_assert(__CPROVER_overflow_shl(1, 31) && !__CPROVER_overflow_shl(1, 30), \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_overflow_shl(-2, 31) && !__CPROVER_overflow_shl(-1, 31), \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_overflow_shl(1u, 32) && !__CPROVER_overflow_shl(0u, 33), \"\");", Holds),
        ("signed char c = 64; __CPROVER_assert(!__CPROVER_overflow_shl(c, 24), \"\");", Holds),
        ("signed char c = 64; __CPROVER_assert(__CPROVER_overflow_shl(c, 25), \"\");", Holds),
        ("__CPROVER_assert(__CPROVER_abs(-3) + __CPROVER_labs(-3) + __CPROVER_llabs(3) == 9, \"\");", Holds),
        ("int x = __CPROVER_saturating_plus(2147483647, 1); __CPROVER_assert(x == 2147483647, \"\");", Holds),
        (
            "unsigned char a, b; int x = __CPROVER_saturating_plus(a, b); __CPROVER_assert(x <= 255 && x >= a, \"\");",
            Holds,
        ),
        ("unsigned char a, b; __CPROVER_assert(__CPROVER_saturating_plus(a, b) != 255, \"\");", Fails),
        ("unsigned a, b; __CPROVER_assert(__CPROVER_saturating_minus(a, b) <= a, \"\");", Holds),
        ("signed char a, b; __CPROVER_assert(__CPROVER_saturating_minus(a, b) != -128 || a == -128, \"\");", Fails),
        ("float x = __CPROVER_saturating_plus(1.0f, 1.0f);", Refused("with these arguments")),
        ("__CPROVER_assert(__builtin_add_overflow_p(2147483647, 1, (int)0), \"\");", Holds),
        ("__CPROVER_assert(__builtin_add_overflow_p(2147483647, 1, (long)0), \"\");", Fails),
        ("int a, b; __CPROVER_assert(!__builtin_mul_overflow_p(a, b, (char)0), \"\");", Fails),
        ("struct { int b : 3; } v = {0}; __builtin_add_overflow_p(3, 1, v.b);", Refused("for a bit-field")),
        ("__CPROVER_assert(__builtin_sub_overflow_p(0u, 1u, (unsigned)0), \"\");", Holds),
    ]);
}

#[test]
fn floating_point() {
    for (ty, s) in [("float", "f"), ("double", "d")] {
        for (assertion, expected) in [
            ("__CPROVER_isnan?(x) == (x != x)", Holds),
            ("!__CPROVER_isnan?(x)", Fails),
            ("!__CPROVER_isinf?(x) || x > 1 || x < -1", Holds),
            ("!__CPROVER_isinf?(x)", Fails),
            ("__CPROVER_isfinite?(x) == (!__CPROVER_isnan?(x) && !__CPROVER_isinf?(x))", Holds),
            ("__CPROVER_isfinite?(x)", Fails),
            ("!__CPROVER_isnormal?(x) || (__CPROVER_isfinite?(x) && x != 0)", Holds),
            ("__CPROVER_isnormal?(x) || !__CPROVER_isfinite?(x) || x == 0", Fails),
            ("!(x < 0) || __CPROVER_sign?(x)", Holds),
            ("!__CPROVER_sign?(x) || x < 0 || x != x", Fails),
            ("__CPROVER_isgreater?(x, y) == (x > y) && __CPROVER_isgreaterequal?(x, y) == (x >= y)", Holds),
            ("__CPROVER_isless?(x, y) || __CPROVER_islessequal?(y, x)", Fails),
            ("__CPROVER_islessgreater?(x, y) || __CPROVER_isunordered?(x, y) || __CPROVER_isequal?(x, y)", Holds),
            ("!__CPROVER_isunordered?(x, y)", Fails),
        ] {
            let body = format!("{ty} x, y; __CPROVER_assert({}, \"\");", assertion.replace('?', s));
            check_bodies(&[(&body, expected)]);
        }
    }
    check_bodies(&[
        ("double x; __CPROVER_assert(!(__CPROVER_fabs(x) < 0), \"\");", Holds),
        ("float x; __CPROVER_assert(__CPROVER_fabsf(x) > 0, \"\");", Fails),
        ("__CPROVER_assert(__CPROVER_inf() > 1e308 && __CPROVER_inff() > 3e38f, \"\");", Holds),
        ("long double x; __CPROVER_assert(__CPROVER_isnanld(x), \"\");", Refused("")),
    ]);
}

#[test]
fn types_of_checkers() {
    check_all(&[
        ("", "__CPROVER_bool b; __CPROVER_assert(b == 0 || b == 1, \"\");", Holds),
        ("", "__CPROVER_size_t n; __CPROVER_assert(n + 1 > n, \"\");", Fails),
        (
            "typedef __typeof__(sizeof(int)) __CPROVER_size_t;",
            "__CPROVER_ssize_t n = -1; __CPROVER_assert(n < 0, \"\");",
            Holds,
        ),
        ("", "__CPROVER_bitvector[8] x = 127; x++; __CPROVER_assert(x == -128, \"signed\");", Holds),
        ("", "unsigned __CPROVER_bitvector[16] x = 65535; x++; __CPROVER_assert(x == 0, \"\");", Holds),
        ("", "__CPROVER_bitvector[64] x; __CPROVER_assert(x < 1000, \"\");", Fails),
        ("", "__CPROVER_bitvector[5] x;", Refused("of another width")),
        ("", "__CPROVER_floatbv[16][10] x;", Refused("floating-point numbers")),
        ("", "__CPROVER_fixedbv[16][8] x;", Refused("fixed-point numbers")),
    ]);
}

#[test]
fn enumerations_and_ranges() {
    let e = "enum e { A, B, C = 5 };";
    check_all(&[
        (
            e,
            "enum e x; __CPROVER_assume(__CPROVER_enum_is_in_range(x)); __CPROVER_assert(x < 2 || x == C, \"\");",
            Holds,
        ),
        (e, "enum e x = 3; __CPROVER_assert(__CPROVER_enum_is_in_range(x), \"\");", Fails),
        (e, "int x = 1; __CPROVER_assert(__CPROVER_enum_is_in_range(x), \"\");", Refused("with these arguments")),
        ("", "int a[3]; __CPROVER_assert(__CPROVER_pointer_in_range(a, a + 1, a + 2), \"\");", Holds),
        ("", "int a[3]; __CPROVER_assert(__CPROVER_pointer_in_range(a + 1, a, a + 2), \"\");", Fails),
        ("", "int a[3], b[3]; __CPROVER_assert(__CPROVER_pointer_in_range(a, b + 1, a + 2), \"\");", Fails),
    ]);
}

#[test]
fn words_of_esbmc() {
    check_bodies(&[
        ("int a[2] = {1, 2}; __ESBMC_init_object(a); __ESBMC_assert(a[1] == 2, \"\");", Fails),
        ("int a = 1, b = 2; __ESBMC_init_object(&a); __ESBMC_assert(b == 2, \"\");", Holds),
        ("char *p = __ESBMC_alloca(4); p[3] = 1;", Holds),
        ("char *p = __ESBMC_alloca(4); p[4] = 1;", Fails),
        ("char p[4]; __ESBMC_memset(p, 1, 4); __ESBMC_assert(p[3] == 1, \"\");", Holds),
        ("char p[4]; __ESBMC_memset(p, 1, 5);", Fails),
        ("int x; __ESBMC_assert(__ESBMC_implies(x > 3, x > 2), \"\");", Holds),
        ("int x; __ESBMC_assert(__ESBMC_implies(x > 2, x > 3), \"\");", Fails),
        ("int x; if (x == 3) __ESBMC_unreachable();", Refused("only if it is told to")),
    ]);
}

#[test]
fn threads_and_shadow_memory_are_refused() {
    check_all(&[
        ("int x;", "__CPROVER_ASYNC_1: x = 1; __CPROVER_assert(x == 1, \"\");", Refused("threads")),
        ("", "__CPROVER_HIDE:; int x = 1; __CPROVER_assert(x == 1, \"\");", Holds),
        ("__CPROVER_thread_local int x;", "__CPROVER_assert(x == 0, \"\");", Holds),
        ("__CPROVER_thread_local int x;", "__CPROVER_assert(x == 1, \"\");", Fails),
        ("int x;", "__CPROVER_set_field(&x, \"f\", 1);", Refused("shadow memory")),
    ]);
}

#[test]
fn words_that_say_nothing_here() {
    check_bodies(&[
        ("int x = 1; __CPROVER_cover(x == 2); __CPROVER_input(\"x\", x); __CPROVER_output(\"x\", x);", Holds),
        ("int x = 1; __CPROVER_printf(\"%d\", x++); __CPROVER_assert(x == 1, \"arguments are evaluated\");", Fails),
        ("int x = 1; __CPROVER_atomic_begin(); x++; __CPROVER_atomic_end(); __CPROVER_assert(x == 2, \"\");", Holds),
        ("int x = 1; __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); __ESBMC_assert(x == 1, \"\");", Fails),
        ("int x = 1; __ESBMC_atomic_begin(); __ESBMC_atomic_end(); __CPROVER_fence(\"WWfence\");", Holds),
        (
            "int n; __ESBMC_unroll(3); for (int i = 0; i < 5; i++) n = i; __ESBMC_no_slice(n); __ESBMC_assert(n == 4, \"\");",
            Holds,
        ),
        ("int n; __ESBMC_unroll(3); for (int i = 0; i < 5; i++) n = i; __ESBMC_assert(n == 3, \"\");", Fails),
        ("__ESBMC_assert(__ESBMC_is_little_endian(), \"\");", Holds),
        ("int x; __ESBMC_assume(x > 3); __ESBMC_assert(x > 2, \"\");", Holds),
        ("int x; __VERIFIER_assume(x > 3); if (x == 7) __VERIFIER_error();", Fails),
        ("__CPROVER_initialize();", Refused("before main")),
    ]);
    check_all(&[(
        "extern const void *__CPROVER_memory_leak;",
        "return __CPROVER_memory_leak != 0;",
        Refused("never freed"),
    )]);
}

#[test]
fn pragmas_switch_checks_off_and_on() {
    let on = |name: &str| format!("\n#pragma CPROVER check push\n#pragma CPROVER check enable \"{name}\"\n");
    let off = |name: &str| format!("\n#pragma CPROVER check push\n#pragma CPROVER check disable \"{name}\"\n");
    let (pop, overflow) = ("\n#pragma CPROVER check pop\n", "x = x + 1;");
    check_bodies(&[
        (&format!("int x; {} {overflow}", off("signed-overflow")), Holds),
        (&format!("int x, y; {} y = 1; {pop} {overflow}", off("signed-overflow")), Fails),
        (&format!("int x; {} {overflow}", off("bounds")), Fails),
        (
            &format!(
                "int x; {} \n#pragma CPROVER check enable \"signed-overflow\"\n {overflow}",
                off("signed-overflow")
            ),
            Fails,
        ),
        (&format!("int a[2], i; {} a[i] = 1;", off("bounds")), Holds),
        (&format!("int a[2], i; {} i = 0; {pop} a[i] = 1; i = 2; a[i] = 1;", off("bounds")), Fails),
        (&format!("int *p = 0; {} *p = 1;", off("pointer")), Holds),
        (&format!("int x, y; {} x = 4 / y;", off("div-by-zero")), Holds),
        (&format!("int x, y; {} x = 4u << y;", off("undefined-shift")), Holds),
        (&format!("int x; {} __CPROVER_assert(x, \"\");", off("pointer-primitive")), Fails),
        (&format!("int x; {} x = 1;", off("no-such-check")), Refused("not known")),
        (&format!("unsigned x; {} x = x + 1;", on("unsigned-overflow")), Fails),
        (&format!("unsigned x; {} x = 1; {pop} x = x + 1;", on("unsigned-overflow")), Holds),
        (&format!("unsigned x; x = -x; {} x = 1; {pop} x = x - 1;", on("unsigned-overflow")), Holds),
        (&format!("unsigned x; {} x = -x;", on("unsigned-overflow")), Fails),
        (&format!("unsigned x; {} x = x + 1;", off("unsigned-overflow")), Holds),
        // One of two kinds of overflow, or of division by zero, is off while the other is on.
        (&format!("int x; {} {} x = x + 1;", on("unsigned-overflow"), off("signed-overflow")), Holds),
        (&format!("int x; {} {} x = x / -1;", on("unsigned-overflow"), off("signed-overflow")), Holds),
        (&format!("unsigned x; {} {} x = x + 1;", on("unsigned-overflow"), off("signed-overflow")), Fails),
        (&format!("int x; {} {} x = 4 / x;", on("float-div-by-zero"), off("div-by-zero")), Holds),
        (&format!("double x; {} {} x = 4 / x;", on("float-div-by-zero"), off("div-by-zero")), Fails),
        (&format!("double x; {} x = 1; {pop} x = 4 / x; x = 0 / x;", on("float-div-by-zero")), Holds),
        (&format!("int x; {} {} x = x << 33;", off("signed-overflow"), off("undefined-shift")), Holds),
        (&format!("int x; {} signed char c = x;", on("conversion")), Fails),
        (&format!("int x; {} x = 1; {pop} int y; signed char c = y;", on("conversion")), Holds),
        (&format!("double x; {} x = x - x;", on("nan")), Fails),
        (&format!("double x; {} x = 1; {pop} double y; y = y - y;", on("nan")), Holds),
        (&format!("int a[2], *p = a; {} p = p + 3;", on("pointer-overflow")), Fails),
        (&format!("int a[2], *p = a; {} int i = 1; {pop} p = p + 3;", on("pointer-overflow")), Holds),
        (&format!("int x; {} x = 1;", on("memory-leak")), Refused("for the whole program")),
    ]);
}
