//! The start function, inputs, and what is said about functions without a body.

use super::{blocks, lines, read, read_with, try_read};
use nearmiss_program::c::Options;
use nearmiss_program::program::{Program, SiteKind};

/// The blocks of the start function of a program.
fn start(text: &str, entry: &str) -> String {
    let (mut program, _) = read_with(text, &Options { entry: entry.to_owned(), ..Options::default() });
    let at = program.start.index();
    program.functions[at].name = "start".to_owned();
    blocks(&program, "start")
}

fn sites(program: &Program) -> Vec<(&str, SiteKind)> {
    program.sites.iter().skip(1).map(|s| (s.name.as_str(), s.kind)).collect()
}

#[test]
fn parameters_of_the_entry_are_inputs() {
    let text = "struct s { int a; }; int f(int n, struct s r, struct s *p, char *t, int *q) { return n; }";
    assert_eq!(
        start(text, "f"),
        lines(
            "b0:
             input %n s1
             declare %r
             declare %ptrp
             input %p s4 or &%ptrp
             declare %ptrt
             %ptrt[7:long] := 0:char
             input %t s6 or &%ptrt:char_ptr
             declare %ptrq
             input %q s8 or &%ptrq
             call f %n object %r %p %t %q
             stop"
        )
    );
    let (program, _) = read_with(text, &Options { entry: "f".to_owned(), ..Options::default() });
    assert_eq!(
        sites(&program),
        [
            ("n", SiteKind::Parameter),
            ("r", SiteKind::Parameter),
            ("*p", SiteKind::Pointee),
            ("p", SiteKind::Parameter),
            ("t", SiteKind::Pointee),
            ("t", SiteKind::Parameter),
            ("*q", SiteKind::Pointee),
            ("q", SiteKind::Parameter),
        ]
    );
}

/// What is assumed of the arguments of `f`.
fn assumed(text: &str, never_null: u32) -> String {
    let (program, _) = read_with(text, &Options { entry: "f".to_owned(), never_null, ..Options::default() });
    program.arguments
}

#[test]
fn pointers_in_what_is_passed_have_objects_of_their_own() {
    let text = "struct s { int a; struct s *n; void *v; }; int f(int **p, struct s r) { return 1; }";
    let shown = start(text, "f");
    let begin = "b0:
             declare %ptrp
             input %p s2 or &%ptrp
             %ptrp := 0x0:int_ptr
             branch (ne %p 0x0:int_ptrptr) b1 b2 internal
             b1:
             declare %ptrptrp
             input %ptrp s4 or &%ptrptrp
             goto b2
             b2:
             declare %r
             declare %ptrr_n
             input %r.n s7 or &%ptrr_n
";
    assert!(shown.starts_with(&lines(begin)), "{shown}");
    let last = shown.lines().filter(|line| line.contains(".n := 0x0")).count();
    assert_eq!(last, 5, "every record behind the first, the last of them for good: {shown}");
}

#[test]
fn what_is_assumed_of_pointers_is_what_is_made() {
    let own = "is NULL or points to one object of its own";
    let both = "each pointer argument and each pointer in objects that are passed";
    let list = "struct s { struct s *n; };";
    let nothing = "pointers in objects that are passed point to nothing";
    assert_eq!(assumed("int f(int x) { return x; }", 0), "");
    assert_eq!(assumed("int f(int *p) { return 1; }", 0), format!(" in which each pointer argument {own}"));
    assert_eq!(
        assumed("int f(char **p) { return 1; }", 0),
        format!(" in which {both} {own}, for char and void of 8 bytes")
    );
    assert_eq!(
        assumed(&format!("{list} int f(struct s *p) {{ return 1; }}"), 0),
        format!(" in which {both} {own} and lists and trees end after 5 pointers")
    );
    assert_eq!(
        assumed(&format!("{list} int f(struct s *p) {{ return 1; }}"), 2),
        format!(" in which {both} {own}, none of the first 2 levels is NULL and lists and trees end after 5 pointers")
    );
    assert_eq!(
        assumed("struct s { int *q; }; int f(struct s p) { return 1; }", 1),
        " in which each pointer in objects that are passed points to one object of its own"
    );
    assert_eq!(
        assumed("int f(void **p) { return 1; }", 0),
        format!(" in which each pointer argument {own} and {nothing}")
    );
    // More than 16 in an array, and more than 64 in all.
    assert_eq!(
        assumed("struct s { int *q[17]; }; int f(struct s *p) { return 1; }", 0),
        format!(" in which each pointer argument {own} and {nothing}")
    );
    assert_eq!(
        assumed("struct s { struct s *q[4]; }; int f(struct s *p) { return 1; }", 0),
        format!(" in which {both}, except for some that point to nothing, {own}")
    );
    assert_eq!(
        assumed("union u { int *q; long n; }; int f(union u *p, int (*g)(void)) { return 1; }", 0),
        format!(" in which each pointer argument {own}, {nothing} and pointers to functions point to none")
    );
}

#[test]
fn main_gets_up_to_four_strings() {
    let shown = start("int main(int argc, char **argv) { return 0; }", "main");
    assert!(shown.contains("assume (and (sle 0:int %argc) (sle %argc 4:int))\n"), "{shown}");
    assert!(shown.contains("%argv[1:long] := (ite (slt 1:int %argc) &%argv_1:char_ptr 0x0:char_ptr)\n"), "{shown}");
    assert!(shown.contains("%argv[4:long] := 0x0:char_ptr\n"), "{shown}");
}

#[test]
fn inputs_are_named_as_people_would() {
    let (program, _) = read(
        "#include <stdio.h>
         #include <stdlib.h>
         int nondet_int(void); int unknown(int *);
         int main(void) {
             int x = nondet_int(), y, *p = malloc(4);
             if (nondet_int()) x = getchar();
             scanf(\"%d %*d\", &y);
             return unknown(&x);
         }",
    );
    let of_calls = |kind| sites(&program).into_iter().filter(|s| s.1 == kind).map(|s| s.0).collect::<Vec<_>>();
    assert_eq!(
        of_calls(SiteKind::Call),
        ["x", "nondet_int()", "getchar()", "scanf(\"%d %*d\", &y)", "y", "unknown(&x)"]
    );
    assert_eq!(of_calls(SiteKind::Argument), ["x"]);
    assert_eq!(of_calls(SiteKind::Allocation), ["malloc(4)"]);
    assert_eq!(
        program.notes.iter().map(|n| n.message.as_str()).collect::<Vec<_>>(),
        ["function unknown has no body: its result is any value, and so is what its pointers point to after a call"]
    );
}

#[test]
fn a_missing_entry_is_an_error_that_lists_the_choices() {
    let errors =
        try_read("int f(void) { return 1; } static int g(void) { return 2; }", &Options::default()).unwrap_err();
    assert_eq!(errors[0].message, "there is no function main to start from");
    assert_eq!(errors[0].help.as_deref(), Some("choose one with --function NAME: f, g"));
}

#[test]
fn main_returns_0_by_itself_and_others_return_anything() {
    let (program, _) = read("int f(int x) { if (x) return 1; } int main(void) { f(0); }");
    assert!(blocks(&program, "main").ends_with("return 0:int\n"));
    assert!(blocks(&program, "f").ends_with("declare %$result\nreturn %$result\n"), "{}", blocks(&program, "f"));
}
