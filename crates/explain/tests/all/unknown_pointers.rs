//! Pointers of which nothing is known: wherever they come from, they may be any address that the program compares them with, and an access
//! through them is valid just where such a comparison says so. And pointers to what is no more.

use nearmiss_explain::{Program, Reading, Verdict};

/// What a program is found to do. That a run does what was found is checked by the interpreter on the way.
fn verdict(text: &str) -> Verdict {
    let program =
        Program::from_text("unknown.c", text, &Reading::default()).unwrap_or_else(|e| panic!("{text}\n{e:?}"));
    program.check(&Default::default()).unwrap_or_else(|error| panic!("{text}\n{error:?}")).verdict()
}

const BEFORE: &str = "#include <stdlib.h>
    struct S { int n; int *p; }; union U { int *p; char c[8]; }; int *get(void); struct S get_s(void); extern int *there;
    int g, a[3]; struct { int first, second; } t;";

/// Where a pointer comes from, and whether it is a pointer all along: numbers have no runs in which they are addresses of locals.
const SOURCES: [(&str, bool); 8] = [
    ("int *p;", true),
    ("int *p = get();", true),
    ("struct S s; int *p = s.p;", true),
    ("int *p = get_s().p;", true),
    ("int *p = there;", true),
    ("int **q = malloc(sizeof *q); int *p = *q;", false),
    ("unsigned long u; int *p = (int *)u;", false),
    ("int *p; __CPROVER_havoc_object(&p);", false),
];

/// Objects: what makes them, the object, and whether it is there all the time.
const OBJECTS: [(&str, &str, bool); 6] = [
    ("", "g", true),
    ("", "a[1]", true),
    ("unsigned i; __CPROVER_assume(i < 3);", "a[i]", true),
    ("", "t.second", true),
    ("int x;", "x", false),
    ("int *h = malloc(8);", "h[1]", false),
];

/// What is done with the pointer and the object, and what is expected of it.
const USES: [(&str, Verdict); 7] = [
    ("if (p == &OBJECT) __CPROVER_assert(0, \"\");", Verdict::Fails),
    ("__CPROVER_assume(&OBJECT == p); __CPROVER_assert(0, \"\");", Verdict::Fails),
    ("if (p + 1 == &OBJECT + 1) { OBJECT = 2; *p = 3; __CPROVER_assert(OBJECT == 3, \"\"); }", Verdict::Holds),
    ("if (p == &OBJECT) { OBJECT = 2; *p = 3; __CPROVER_assert(OBJECT == 2, \"\"); }", Verdict::Fails),
    ("if (p != &OBJECT) *p = 3;", Verdict::Fails),
    ("OBJECT = 5; *p = 3;", Verdict::Fails),
    ("if (p == &OBJECT) { __CPROVER_assert(p != 0, \"\"); }", Verdict::Holds),
];

#[test]
fn unknown_pointers_are_what_they_are_compared_with() {
    let mut wrong = String::new();
    for (source, is_pointer) in SOURCES {
        for (made, object, is_static) in OBJECTS {
            for (done, expected) in USES {
                let body = done.replace("OBJECT", object);
                let text = format!("{BEFORE}\nint main(void)\n{{\n{made}\n{source}\n{body}\nreturn 0;\n}}\n");
                let (found, left_out) = (verdict(&text), !is_pointer && !is_static && done.contains("== "));
                let expected = if left_out { Verdict::Undecided } else { expected };
                if found != expected {
                    wrong += &format!("{made} {source} {body}: expected {expected:?}, found {found:?}\n");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Checks every row: what stands before `main`, what stands in it, and what is expected.
fn check_all(rows: &[(&str, &str, Verdict)]) {
    let mut wrong = String::new();
    for (before, body, expected) in rows {
        let found = verdict(&format!("{before}\nint main(void)\n{{\n{body}\nreturn 0;\n}}\n"));
        if found != *expected {
            wrong += &format!("{before} {body}: expected {expected:?}, found {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn unknown_pointers_beside_each_other_and_as_numbers() {
    use Verdict::{Fails, Holds, Undecided};
    let (get, two) = ("char *get(void);", "int f(int x) { return x; } int g(int x) { return -x; }");
    check_all(&[
        (get, "char *p = get(), *q = get(); if (p && q && p != q) __CPROVER_assert(0, \"\");", Fails),
        (get, "char *p = get(); char *q = p; __CPROVER_assert(p == q, \"\");", Holds),
        (get, "unsigned long u = (unsigned long)get(); __CPROVER_assert(u % 2 == 0, \"\");", Fails),
        (get, "unsigned long u = (unsigned long)get(); __CPROVER_assert(u != 12345, \"\");", Fails),
        ("int *get(void);", "unsigned long u = (unsigned long)get(); __CPROVER_assert(u % 4 == 0, \"\");", Holds),
        (two, "int (*p)(int); __CPROVER_assume(p == f || p == g); __CPROVER_assert(p(3) == 3, \"\");", Fails),
        (two, "int (*p)(int); __CPROVER_assume(p == f); __CPROVER_assert(p(3) == 3, \"\");", Holds),
        (two, "int (*p)(int); if (p) p(3);", Fails),
        // One of several things, of which some are known.
        ("int g, h;", "int c; unsigned long u; int *p = c ? &h : (int *)u; __CPROVER_assert(p != &g, \"\");", Fails),
        (
            "int g, h;",
            "int c, *u; int *p = c ? &h : u; if (p == &g) { *p = 3; __CPROVER_assert(g == 0, \"\"); }",
            Fails,
        ),
        ("int g, h;", "int c, x; unsigned long u; int *p = c ? &x : (int *)u; __CPROVER_assert(p != &x, \"\");", Fails),
        (
            "int g, h;",
            "int c, x; unsigned long u; int *p = c ? &h : (int *)u; __CPROVER_assert(p != &x, \"\");",
            Undecided,
        ),
        // An object that comes later, bytes, and questions about whatever is behind a pointer.
        (get, "char *p = get(); if (!p) return 0; char c; if (p == &c) __CPROVER_assert(0, \"\");", Undecided),
        (
            "int x;",
            "char b[8]; int *p; for (int i = 0; i < 8; i++) ((char *)&p)[i] = b[i]; __CPROVER_assert(p != &x, \"\");",
            Undecided,
        ),
        (get, "char *p = get(); if (p && __CPROVER_r_ok(p, 1)) __CPROVER_assert(0, \"\");", Fails),
    ]);
}

#[test]
fn what_is_no_more() {
    use Verdict::{Fails, Holds};
    let record = "struct S { int a[2]; }; struct S f(void) { struct S s = { { 1, 2 } }; return s; }";
    check_all(&[
        ("", "int *k; int n = 3; { int a[n]; k = a; } *k = 1;", Fails),
        (
            "",
            "int *k, s = 0; for (int i = 1; i < 4; i++) { int a[i]; a[i - 1] = i; s += a[i - 1]; k = a; } __CPROVER_assert(s == 6, \"\");",
            Holds,
        ),
        ("", "int *k; for (int i = 1; i < 4; i++) { int a[i]; k = a; } *k = 1;", Fails),
        (
            "",
            "int *k = 0; for (int i = 1; i < 4; i++) { if (k) *k = 1; int a[i]; k = a; if (i == 2) continue; }",
            Fails,
        ),
        ("", "int n = 2; int *k = 0; again:; int a[n]; if (k) *k = 1; k = a; if (n++ < 3) goto again;", Fails),
        (
            "",
            "int n = 2, s = 0; again:; int a[n]; a[n - 1] = n; s += a[n - 1]; if (n++ < 3) goto again; __CPROVER_assert(s == 5, \"\");",
            Holds,
        ),
        (
            "",
            "int n = 2; { int a[n]; a[0] = 1; { int b[n]; b[0] = 2; } a[0]++; __CPROVER_assert(a[0] == 2, \"\"); }",
            Holds,
        ),
        ("", "int *k = ({ int x = 3; &x; }); *k = 1;", Fails),
        ("", "char *s = ({ char b[3] = \"ab\"; b; }); return s[0];", Fails),
        ("", "int x = 1; int *k = ({ int y = 3; &x; }); *k = 2; __CPROVER_assert(x == 2, \"\");", Holds),
        (record, "int *p = f().a; *p = 3;", Fails),
        (record, "int x = f().a[1] + *f().a; __CPROVER_assert(x == 3, \"\");", Holds),
        (record, "int x = 0; for (int i = 0; i < 2; i++) x += f().a[i]; __CPROVER_assert(x == 3, \"\");", Holds),
        (record, "int *p, x; x = (p = f().a, p[1]); __CPROVER_assert(x == 2, \"\");", Holds),
        (record, "int *p, x; p = f().a; x = p[1];", Fails),
    ]);
}
