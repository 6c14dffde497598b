//! Blocks: what is a term and what is control flow, temporaries, the order of statements.

use super::{lines, read_with, shape, unchecked};
use nearmiss_program::c::Options;

fn same(text: &str, expected: &str) {
    assert_eq!(shape(text), lines(expected), "{text}");
}

#[test]
fn conditions_are_truth_values() {
    same(
        "int f(int a, int b) { if (!(a < b)) return 1; if (a) return 2; if (!a) return 3; return (a < b) != 0; }",
        "b0:
         branch (not (slt %a %b)) b1 b2 choice
         b1:
         return 1:int
         b2:
         branch (ne %a 0:int) b3 b4 choice
         b3:
         return 2:int
         b4:
         branch (eq %a 0:int) b5 b6 choice
         b5:
         return 3:int
         b6:
         return (zext (slt %a %b)):int",
    );
}

#[test]
fn logical_operators_without_effects_are_terms() {
    same(
        "int f(int a, int b) { int x = a && b > 2 || !b; return x ? a : b; }",
        "b0:
         declare %x
         %x = (zext (or (and (ne %a 0:int) (slt 2:int %b)) (eq %b 0:int))):int
         return (ite (ne %x 0:int) %a %b)",
    );
}

#[test]
fn logical_operators_with_effects_branch() {
    same(
        "int g(void); int f(int a) { if (a > 1 && g()) a = 2; return a; }",
        "b0:
         branch (slt 1:int %a) b1 b3 choice of if open false
         b1:
         input %$1 s2
         branch (ne %$1 0:int) b2 b3 choice of if true false
         b2:
         %a = 2:int
         goto b3
         b3:
         return %a",
    );
    same(
        "int g(void); int f(int a) { a = a || g(); a = a ? g() : 7; return a; }",
        "b0:
         branch (ne %a 0:int) b2 b1 choice of value true open
         b1:
         input %$2 s2
         branch (ne %$2 0:int) b2 b3 choice of value true false
         b2:
         %$1 := 1:_Bool
         goto b4
         b3:
         %$1 := 0:_Bool
         goto b4
         b4:
         %a = (zext (ne %$1 0:_Bool)):int
         branch (ne %a 0:int) b5 b6 choice of value true false
         b5:
         input %$3 s3
         goto b7
         b6:
         %$3 := 7:int
         goto b7
         b7:
         %a = %$3
         return %a",
    );
}

#[test]
fn an_assertion_keeps_its_structure_where_it_branches() {
    let options = Options { entry: "f".to_owned(), ..Options::default() };
    let text = "#include <assert.h>\nint t[4]; void f(int a) { assert(!(a > 1 && t[a] > 2)); assert(a > 1 || a < 0); }";
    let (program, _) = read_with(text, &options);
    assert_eq!(
        super::blocks(&program, "f"),
        lines(
            "b0:
             branch (slt 1:int %a) b1 b2 choice of value true false
             b1:
             claim f.array_bounds.1 (ult (sext %a):long 4:long)
             claim f.assertion.1 (not (slt 2:int $t[(sext %a):long]))
             goto b3
             b2:
             claim f.assertion.1 1:_Bool/1
             goto b3
             b3:
             claim f.assertion.2 (or (slt 1:int %a) (slt %a 0:int))
             return"
        )
    );
}

#[test]
fn a_value_that_a_later_operand_may_change_is_kept() {
    same(
        "int g; int h(int); int change(void) { g = 2; return 1; }
         int f(int a) { int x = g + change(); x = a + change(); x = a + a++; return x; }",
        "b0:
         declare %x
         %$1 := $g
         call %$2 = change
         %x = (add %$1 %$2)
         call %$3 = change
         %x = (add %a %$3)
         %$4 := %a
         %$5 := %a
         %a = (add %$5 1:int)
         %x = (add %$4 %$5)
         return %x",
    );
}

#[test]
fn calls_and_inputs_put_their_results_where_they_belong() {
    same(
        "int nondet_int(void); int g(int x) { return x; }
         int f(int a) { int x = nondet_int(); x = g(a); a = g(x) + nondet_int(); char c = nondet_int(); return c; }",
        "b0:
         declare %x
         input %x s3
         call %x = g %a
         call %$1 = g %x
         input %$2 s4
         %a = (add %$1 %$2)
         declare %c
         input %$3 s6
         %c = (trunc %$3):char
         return (sext %c):int",
    );
}

#[test]
fn a_switch_is_a_chain_that_falls_through() {
    same(
        "int f(int a) { switch (a) { case 1: a = 5; case 2 ... 3: a = 6; break; default: a = 7; } return a; }",
        "b0:
         branch (eq %a 1:int) b1 b2 case of case true false
         b1:
         %a = 5:int
         goto b3
         b2:
         branch (and (sle 2:int %a) (sle %a 3:int)) b3 b4 case of case true false
         b3:
         %a = 6:int
         goto b5
         b4:
         %a = 7:int
         goto b5
         b5:
         return %a",
    );
}

#[test]
fn loops_carry_their_condition() {
    same(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; while (s > 9) s--; do s++; while (s < 3); return s; }",
        "b0:
         declare %s
         %s = 0:int
         declare %i
         %i = 0:int
         goto b1
         b1:
         branch (slt %i %n) b2 b3 loop of for true false
         b2:
         %s = (add %s %i)
         %i = (add %i 1:int)
         goto b1
         b3:
         branch (slt 9:int %s) b4 b5 loop
         b4:
         %s = (sub %s 1:int)
         goto b3
         b5:
         %s = (add %s 1:int)
         branch (slt %s 3:int) b5 b6 loop of do true false
         b6:
         return %s",
    );
}

#[test]
fn objects_live_and_die_with_their_scope() {
    same(
        "void f(int n) { while (n) { int x = n, y[2] = {0, 5}; int *p = &x; if (x) continue; n--; } }",
        "b0:
         goto b1
         b1:
         branch (ne %n 0:int) b2 b5 loop
         b2:
         declare %x
         %x = %n
         declare %y
         clear %y
         %y[1:long] = 5:int
         declare %p
         %p = &%x
         branch (ne %x 0:int) b3 b4 choice
         b3:
         kill %x
         goto b1
         b4:
         %n = (sub %n 1:int)
         kill %x
         goto b1
         b5:
         return",
    );
}

#[test]
fn a_call_through_a_pointer_is_a_choice() {
    let options = Options { entry: "f".to_owned(), ..Options::default() };
    let text = "static int one(int x) { return x; } static int two(int x) { return 2; } static void other(void) {}
        int (*p)(int) = one; void (*q)(void) = other;
        int f(int n) { if (n) p = two; return p(n); }";
    let (program, _) = read_with(text, &options);
    assert_eq!(
        super::blocks(&program, "f"),
        lines(
            "b0:
             branch (ne %n 0:int) b1 b2 choice
             b1:
             $p = (function two):int_int_ptr
             goto b2
             b2:
             %ptrp = $p
             claim f.pointer_dereference.1 (or (eq %ptrp (function two):int_int_ptr) (eq %ptrp (function one):int_int_ptr))
             branch (eq %ptrp (function two):int_int_ptr) b3 b4 internal
             b3:
             call %$1 = two %n
             goto b6
             b4:
             branch (eq %ptrp (function one):int_int_ptr) b5 b7 internal
             b5:
             call %$1 = one %n
             goto b6
             b6:
             return %$1
             b7:
             unsupported \"a call through a pointer to none of the program's functions\"
             stop"
        )
    );
}

#[test]
fn only_what_is_reached_is_kept() {
    let (program, _) = read_with("int unused(void) { return 1; } int g, h; int main(void) { return h; }", &unchecked());
    assert_eq!(program.functions.len(), 2);
    assert_eq!(program.globals.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["h"]);
}
