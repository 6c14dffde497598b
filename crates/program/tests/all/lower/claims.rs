//! Claims: which are made, what they say, which are violated.

use super::{outcome, outcome_with, read, read_with};
use nearmiss_program::c::{Checks, Options};

/// Every claim as `position id: text`.
fn claims_with(text: &str, checks: Checks) -> Vec<String> {
    let (program, sources) = read_with(text, &Options { checks, ..Options::default() });
    let line = |span| sources.position(span).line;
    program.claims.iter().map(|c| format!("{} {}: {}", line(c.span), c.id, c.text)).collect()
}

fn claims(text: &str) -> Vec<String> {
    claims_with(text, Checks::default())
}

#[test]
fn each_kind_speaks_in_the_words_of_the_text() {
    let found = claims(
        "int nondet_int(void);
         int a[10];
         int main(void) {
             int i = nondet_int(), n = nondet_int(), *p = &n;
             a[i] = 1;
             *p = 2;
             p[i] = 3;
             i = i / n;
             i = i + n;
             i = i >> n;
             i = 1 << n;
             i = -n;
             i++;
             if (p < a) i = p - a;
         }",
    );
    assert_eq!(
        found,
        [
            "5 main.array_bounds.1: index i within 0..9 of a",
            "6 main.pointer_dereference.1: p points to valid memory",
            "7 main.pointer_dereference.2: p[i] lies in valid memory",
            "8 main.division-by-zero.1: divisor n is not 0",
            "8 main.overflow.1: no overflow in i / n",
            "9 main.overflow.2: no overflow in i + n",
            "10 main.undefined-shift.1: shift distance n is within 0..31",
            "11 main.undefined-shift.2: shift distance n is within 0..31 and 1 << n fits in int",
            "12 main.overflow.3: no overflow in -n",
            "13 main.overflow.4: no overflow in i++",
            "14 main.pointer_relation.1: both pointers of p < a point into the same object, or just behind it",
            "14 main.pointer_relation.2: both pointers of p - a point into the same object",
        ]
    );
}

#[test]
fn what_cannot_fail_is_not_claimed() {
    let none = claims(
        "int a[4]; unsigned u; char c; struct { unsigned b : 3; } s;
         int main(void) {
             a[3] = 1; u = u + 1; c++; c = c + 1; u = u << 3; u = u / 3; a[0] = a[0] % 5;
             int k = c - '0'; s.b++; a[s.b & 1] = c * 2;
             int *end = &a[4];
             return !!(&a[0] == end);
         }",
    );
    assert_eq!(none, [""; 0]);
}

#[test]
fn options_add_and_remove_kinds() {
    let text = "unsigned u; char c; int i; int main(void) { u = u + 1; c = i; c = (char)i; i = i + 1; u = -u; }";
    let all = Checks { unsigned_overflow: true, conversion: true, signed_overflow: false, ..Checks::default() };
    assert_eq!(
        claims_with(text, all),
        [
            "1 main.overflow.1: no overflow in u + 1",
            "1 main.conversion.1: i fits in char",
            "1 main.conversion.2: i fits in char",
            "1 main.overflow.2: no overflow in -u"
        ]
    );
    let text = "int i, j; int main(void) { i = i << j; }";
    let distance = Checks { signed_overflow: false, ..Checks::default() };
    let (range, sign) = ("shift distance j is within 0..31", "what is shifted is not negative");
    assert_eq!(claims_with(text, distance), [format!("1 main.undefined-shift.1: {range} and {sign}")]);
    let overflow = Checks { undefined_shift: false, ..Checks::default() };
    assert_eq!(claims_with(text, overflow), ["1 main.overflow.1: no overflow in i << j"]);
    assert_eq!(claims(text), [format!("1 main.undefined-shift.1: {range}, {sign} and i << j fits in int")]);
    let text = "#include <assert.h>\nint main(void) { assert(0); }";
    let silent = Checks { assertions: false, ..Checks::default() };
    assert_eq!(claims_with(text, silent), [""; 0]);
}

#[test]
fn claims_are_numbered_in_the_order_of_the_text() {
    let found = claims(
        "#include <assert.h>
         static int late(int x) { assert(x); return x; }
         int main(void) { for (int i = 0; i < 3; i++) { assert(i < 3); } assert(late(1)); }",
    );
    assert_eq!(
        found,
        [
            "2 late.assertion.1: x",
            "3 main.overflow.1: no overflow in i++",
            "3 main.assertion.1: i < 3",
            "3 main.assertion.2: late(1)",
        ]
    );
}

#[test]
fn one_pointer_is_claimed_once_per_statement() {
    let text = "struct s { int x, y; } g, *p = &g; int main(void) { p->x = p->x * p->x; p->x += 0; p->x++; }";
    let pointers = claims(text).into_iter().filter(|c| c.contains("pointer")).count();
    assert_eq!(pointers, 3);
    // The one claim asks for writing, too.
    let text = "int main(void) { char *s = \"abc\"; *s = *s; }";
    assert_eq!(outcome(text), "main.pointer_dereference.1: s points to valid memory");
}

#[test]
fn written_assertions_of_every_dialect() {
    let found = claims(
        "#include <assert.h>
         int main(void) {
             int x = 3;
             assert(x > 2);
             __CPROVER_assert(x > 2, \"x is big\");
             __VERIFIER_assert(x);
             __ESBMC_assert(x != 0, \"x\");
             if (x > 5) __CPROVER_assert(0, \"never here\");
             if (x > 5) reach_error();
             if (x > 5) __VERIFIER_error();
         }",
    );
    assert_eq!(
        found,
        [
            "4 main.assertion.1: x > 2",
            "5 main.assertion.2: x > 2",
            "6 main.assertion.3: x",
            "7 main.assertion.4: x != 0",
            "8 main.assertion.5: never here",
            "9 main.assertion.6: reach_error() is not called",
            "10 main.assertion.7: __VERIFIER_error() is not called",
        ]
    );
}

#[test]
fn a_body_of_the_user_is_the_meaning() {
    let text = "#include <assert.h>
        void reach_error(void) { assert(0); }
        void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); } }
        int main(void) { __VERIFIER_assert(1); __VERIFIER_assert(2 > 3); }";
    assert_eq!(outcome(text), "reach_error.assertion.1: 0");
}

#[test]
fn what_goes_wrong_is_found() {
    let cases = [
        ("int a[3]; int i = 3; int main(void) { a[i] = 1; }", "main.array_bounds.1: index i within 0..2 of a"),
        ("int *p; int main(void) { *p = 1; }", "main.pointer_dereference.1: p points to valid memory"),
        ("int x = 2147483647; int main(void) { x++; }", "main.overflow.1: no overflow in x++"),
        ("int x; int main(void) { return 3 % x; }", "main.division-by-zero.1: divisor x is not 0"),
        (
            "int x = -1; int main(void) { return x << 1; }",
            "main.undefined-shift.1: what is shifted is not negative and x << 1 fits in int",
        ),
        (
            "int *keep(void) { int x = 1; int *p = &x; return p; } int main(void) { return *keep(); }",
            "main.pointer_dereference.1: keep() points to valid memory",
        ),
        (
            "int main(void) { int *p; { int x = 1; p = &x; } return *p; }",
            "main.pointer_dereference.1: p points to valid memory",
        ),
        (
            "int main(void) { int *p; for (int i = 0; i < 3; i++) { int x = i; p = &x; if (i == 1) break; } return *p; }",
            "main.pointer_dereference.1: p points to valid memory",
        ),
        (
            "int main(void) { int *p; { int x = 1; p = &x; goto out; } out: return *p; }",
            "main.pointer_dereference.1: p points to valid memory",
        ),
        (
            "struct s { int n; int tail[]; }; struct s g = {1, {2, 3}}; int i = 2;
             int main(void) { return g.tail[1] + g.tail[i]; }",
            "main.pointer_dereference.2: g.tail[i] lies in valid memory",
        ),
        (
            "int n = 3, i = 3; int main(void) { int a[n]; a[i] = 1; }",
            "main.pointer_dereference.1: a[i] lies in valid memory",
        ),
        (
            "int (*f)(int); int main(void) { return f(1); }",
            "main.pointer_dereference.1: f points to a function that can be called",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(outcome(text), expected, "{text}");
    }
}

#[test]
fn a_failure_in_the_library_is_one_of_the_call() {
    let cases = [
        (
            "#include <string.h>\nint main(void) { char s[2] = {'a', 'b'}; return strlen(s); }",
            "main.precondition.1: strlen: s points to a terminated string",
        ),
        (
            "#include <string.h>\nint main(void) { char s[3]; strcpy(s, \"abc\"); }",
            "main.precondition.2: strcpy: \"abc\" fits into s",
        ),
        (
            "#include <string.h>\nint a[2], b[2]; int main(void) { memcpy(a, b, 9); }",
            "main.precondition.1: memcpy: 9 bytes can be read from b",
        ),
        (
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); free(p); }",
            "main.free.2: free: p is NULL or the start of allocated memory that is not freed yet",
        ),
        (
            "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }",
            "main.pointer_dereference.1: p points to valid memory",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(outcome(text), expected, "{text}");
    }
    let (program, sources) =
        read("#include <string.h>\nint f(char *s) { return\n  strlen(s); }\nint main(void) { f(\"\"); }");
    let claim = &program.claims[0];
    assert_eq!((claim.function.as_str(), sources.position(claim.span).line), ("f", 3));
}

#[test]
fn malloc_may_fail_if_asked() {
    let text = "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; }";
    let checks = Checks { malloc_may_fail: true, ..Checks::default() };
    let options = Options { checks, ..Options::default() };
    assert_eq!(outcome_with(text, &options, &[0]), "finished");
    assert_eq!(outcome_with(text, &options, &[1]), "main.pointer_dereference.1: p points to valid memory");
}

#[test]
fn what_we_do_not_take_ends_the_run_where_it_stands() {
    let text = "int pthread_create(); int main(void) { pthread_create(); return 1 / 0; }";
    assert!(outcome(text).starts_with("Unsupported(\"threads"), "{}", outcome(text));
    let text = "#include <setjmp.h>\njmp_buf b; int main(void) { if (0) longjmp(b, 1); return 0; }";
    assert_eq!(outcome(text), "finished");
}
