//! Terms as text: pairs of strings, round trips, and errors that say where.

use nearmiss_logic::term::Terms;
use nearmiss_logic::text::{parse, parse_dag, print, print_dag, smt2};

/// What is written, and what the constructors make of it.
const SIMPLIFIED: &[(&str, &str)] = &[
    ("(add x:32 0:32)", "x"),
    ("(add (add x:32 3:32) 4:32)", "(add 7:32 x)"),
    ("(sub (add x:32 y:32) y:32)", "x"),
    ("(sub x:8 y:8)", "(sub x y)"),
    ("(mul x:32 8:32)", "(concat (extract 28 0 x) 0:3)"),
    ("(udiv x:32 8:32)", "(zext 32 (extract 31 3 x))"),
    ("(urem x:32 8:32)", "(zext 32 (extract 2 0 x))"),
    ("(and x:8 15:8)", "(zext 8 (extract 3 0 x))"),
    ("(and x:8 (or x:8 y:8))", "x"),
    ("(or x:8 (and x:8 y:8))", "x"),
    ("(and x:8 (not x:8))", "0:8"),
    ("(xor x:8 (not x:8))", "255:8"),
    ("(ite c:1 true false)", "c"),
    ("(ite c:1 false true)", "(not c)"),
    ("(ite (not c:1) x:8 y:8)", "(ite c y x)"),
    ("(ite c:1 (ite c:1 x:8 y:8) z:8)", "(ite c x z)"),
    ("(ite c:1 (ite d:1 x:8 y:8) y:8)", "(ite (and c d) x y)"),
    ("(eq (ite c:1 3:8 5:8) 5:8)", "(not c)"),
    ("(eq (ite c:1 3:8 5:8) 6:8)", "false"),
    ("(eq (add x:8 1:8) 0:8)", "(eq 255:8 x)"),
    ("(eq (zext 32 c:1) 0:32)", "(not c)"),
    ("(eq (zext 32 x:8) 256:32)", "false"),
    ("(ult (zext 32 x:8) 256:32)", "true"),
    ("(ult (zext 32 x:8) 100:32)", "(ult x 100:8)"),
    ("(slt (zext 32 x:8) -1:32)", "false"),
    ("(slt (sext 32 x:8) 1000:32)", "true"),
    ("(slt (sext 32 x:8) -5:32)", "(slt x 251:8)"),
    ("(slt x:32 0:32)", "(extract 31 31 x)"),
    ("(ult x:8 0:8)", "false"),
    ("(extract 7 0 (extract 15 4 x:32))", "(extract 11 4 x)"),
    ("(extract 7 0 (add (sext 32 x:8) (zext 32 y:8)))", "(add x y)"),
    ("(concat (extract 15 8 x:32) (extract 7 0 x:32))", "(extract 15 0 x)"),
    ("(concat (concat (extract 31 24 x:32) (extract 23 8 x:32)) (extract 7 0 x:32))", "x"),
    ("(concat 0:24 x:8)", "(zext 32 x)"),
    ("(concat (extract 15 8 (sext 32 x:8)) x:8)", "(sext 16 x)"),
    ("(ashr x:8 20:8)", "(sext 8 (extract 7 7 x))"),
    ("(select (store (store m:32:8 1:32 5:8) 2:32 6:8) 1:32)", "5:8"),
    ("(select (store m:32:8 (add i:32 1:32) 5:8) i:32)", "(select m i)"),
    ("(store (store m:32:8 i:32 5:8) i:32 6:8)", "(store m i 6:8)"),
    ("(select (const_array 32 7:8) i:32)", "7:8"),
    ("(ne x:8 y:8)", "(ne x y)"),
    ("(uge x:8 y:8)", "(ule y x)"),
    ("(implies a:1 b:1)", "(implies a b)"),
    ("(sdiv (zext 32 x:16) (zext 32 y:16))", "(udiv (zext 32 x) (zext 32 y))"),
];

#[test]
fn constructors_simplify() {
    for (before, after) in SIMPLIFIED {
        let mut terms = Terms::new();
        let term = parse(&mut terms, before).unwrap();
        assert_eq!(print(&terms, term), *after, "{before}");
        assert_eq!(parse(&mut terms, after), Ok(term), "{after}");
    }
}

#[test]
fn errors_say_where() {
    for (text, error) in [
        ("(add x:32\n  y:16)", "1:2: add cannot be applied to [BitVec(32), BitVec(16)]"),
        ("(add x:32\n  y)", "2:3: y is not known; write y:32 to introduce it with 32 bits"),
        ("(frob 1:2 1:2)", "1:2: frob is no operator"),
        ("(not 1:2 1:2)", "1:2: not takes 0 numbers and 1 operands, not 0 and 2"),
        ("(not 1:2", "1:9: the text ends in the middle of an expression"),
        (")", "1:1: a ) without its ("),
        ("5", "1:1: a constant is written value:width"),
        ("5:129", "1:1: expected a width from 1 to 128, not 129"),
        ("|x", "1:1: a name opened with | is never closed"),
        ("(extract 8 0 x:8)", "1:2: no such bits in a word of 8"),
        ("(select x:8 x:8)", "1:2: select cannot be applied to [BitVec(8), BitVec(8)]"),
        ("x:8 x", "1:5: nothing more expected after the expression"),
        ("", "1:1: the text ends in the middle of an expression"),
    ] {
        let mut terms = Terms::new();
        assert_eq!(parse(&mut terms, text).unwrap_err().to_string(), error);
    }
}

#[test]
fn names_that_repeat_or_look_odd_survive() {
    let mut terms = Terms::new();
    let names = ["x", "x", "x!1", "a b", "|", "\\", "true", "5", "%0", "", "é", "main::x@2", "a!", "!"];
    for name in names {
        let term = terms.fresh(name, 8);
        let text = print(&terms, term);
        assert_eq!(parse(&mut terms, &text), Ok(term), "{name:?} as {text}");
    }
}

/// The number of a repeated name is that of the arena it was printed from; the reader took it for one of its own.
#[test]
fn repeated_names_are_read_in_another_arena() {
    let mut terms = Terms::new();
    terms.fresh("unused", 8);
    let [x, other, unnamed, array] =
        [terms.fresh("x", 8), terms.fresh("x", 8), terms.fresh("", 8), terms.fresh_array("", 8, 8)];
    let product = terms.mul(x, other);
    let element = terms.select(array, unnamed);
    let printed = print_dag(&terms, &[product, element]);
    let mut again = Terms::new();
    let read = parse_dag(&mut again, &printed).unwrap();
    assert_eq!(again.support(read[0]).len(), 2, "{printed}");
    assert_eq!(again.variables().len(), 4, "{printed}");
    assert_eq!(parse(&mut again, "(add !9:8 !9)").map(|term| again.support(term).len()), Ok(1));
}

#[test]
fn shared_terms_print_in_linear_space() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", 32);
    let mut term = x;
    for _ in 0..200 {
        let square = terms.mul(term, term);
        term = terms.xor(square, term);
    }
    let text = print_dag(&terms, &[term]);
    assert_eq!(text.lines().count(), 402);
    assert_eq!(parse_dag(&mut terms, &text), Ok(vec![term]));
    let one = terms.eq(term, x);
    assert!(smt2(&terms, &[one]).lines().count() < 410);
}

#[test]
fn smt2_script() {
    let mut terms = Terms::new();
    let term = parse(&mut terms, "(ult (add x:8 3:8) (select m:4:8 (extract 3 0 x:8)))").unwrap();
    let script = "\
(set-logic QF_ABV)
(declare-fun |x| () (_ BitVec 8))
(define-fun %4 () (_ BitVec 8) (bvadd (_ bv3 8) |x|))
(declare-fun |m| () (Array (_ BitVec 4) (_ BitVec 8)))
(define-fun %6 () (_ BitVec 4) ((_ extract 3 0) |x|))
(define-fun %7 () (_ BitVec 8) (select |m| %6))
(define-fun %8 () (_ BitVec 1) (ite (bvult %4 %7) #b1 #b0))
(assert (= %8 #b1))
(check-sat)
";
    assert_eq!(smt2(&terms, &[term]), script);
}

#[test]
fn deep_input_is_read_without_recursion() {
    let depth = 200_000;
    let text = format!("{}x:8{}", "(mul x:8 (add y:8 ".repeat(depth), "))".repeat(depth));
    let mut terms = Terms::new();
    let term = parse(&mut terms, &text).unwrap();
    let printed = print(&terms, term);
    assert_eq!(parse(&mut terms, &printed), Ok(term));
    assert!(parse(&mut terms, &"(".repeat(depth)).is_err());
    assert!(parse(&mut terms, &"(not ".repeat(depth)).is_err());
}
