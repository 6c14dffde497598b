//! Formulas as pairs of strings: what is written, and the core it becomes; errors with their places.

use super::core::NodeId;
use super::{Bound, Formula, FormulaError, Reset, bind, core_text, parse, parse_file};
use crate::wave::{BitVector, Enumerator, Kind, SignalInfo};

fn bits(name: &str, width: u32) -> SignalInfo {
    let kind = Kind::Bits { width, signed: false, low: 0, descending: true };
    SignalInfo { name: name.to_owned(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() }
}

/// Signals of many kinds.
pub(super) fn signals() -> Vec<SignalInfo> {
    let mut all: Vec<SignalInfo> =
        ["a", "b", "c", "d", "rst", "clk", "top.u1.ready", "top.u2.ready", "top.u1.valid", "T"]
            .iter()
            .map(|name| bits(name, 1))
            .collect();
    all.push(bits("top.count", 8));
    let state = ["IDLE", "BUSY"].iter().zip(0u64..);
    let state = state.map(|(name, n)| Enumerator { name: (*name).to_owned(), bits: Some(BitVector::number(2, n)) });
    all.push(SignalInfo { enumerators: state.collect(), ..bits("state", 2) });
    let kind = Kind::Bits { width: 8, signed: true, low: 0, descending: true };
    all.push(SignalInfo { name: "s".to_owned(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() });
    let kind = Kind::Bits { width: 4, signed: false, low: 4, descending: false };
    all.push(SignalInfo {
        name: "up".to_owned(),
        kind,
        enumerators: Vec::new(),
        wire: None,
        radix: Default::default(),
    });
    for (name, kind) in [("n", Kind::Integer), ("r", Kind::Real), ("mode", Kind::Text)] {
        all.push(SignalInfo {
            name: name.to_owned(),
            kind,
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        });
    }
    all.push(bits("mem[3]", 8));
    all.push(bits("wide", 70));
    all.push(SignalInfo { kind: Kind::Text, ..bits("owner", 1) });
    all.push(bits("owner[a]", 1));
    all
}

fn bound(text: &str) -> Result<Bound, FormulaError> {
    bind(&parse(text)?, &signals(), None)
}

fn printed(bound: &Bound) -> String {
    let atoms: Vec<String> = bound.atoms.iter().map(|atom| atom.text.clone()).collect();
    core_text::print(&bound.core, &atoms)
}

pub(super) fn core(text: &str) -> String {
    match bound(text) {
        Ok(bound) => printed(&bound),
        Err(error) => format!("{error} at {:?}", text.get(error.range.clone()).unwrap_or("?")),
    }
}

#[track_caller]
fn check(pairs: &[(&str, &str)]) {
    for (text, expected) in pairs {
        assert_eq!(core(text), *expected, "{text}");
    }
}

#[test]
fn linear_temporal_logic() {
    check(&[
        ("G (a -> F b)", "G (!a | (F b))"),
        ("[] (a -> <> b)", "G (!a | (F b))"),
        ("!(a U b)", "!a R !b"),
        ("!(a R b)", "!a U !b"),
        ("a W b & c", "(a W b) & c"),
        ("a V b", "a R b"),
        ("a M b", "a M b"),
        ("a U b U c", "a U (b U c)"),
        ("X a & b", "(X a) & b"),
        ("X[!] a", "X! a"),
        ("X! a", "X! a"),
        ("X!a", "X !a"),
        ("X[3] !a", "X[3] !a"),
        ("! X a", "X! !a"),
        ("() a", "X a"),
        ("F[2:5] a", "F[2:5] a"),
        ("G [1,3] a", "G[1:3] a"),
        ("F[<=5] a", "F[0:5] a"),
        ("F[2:$] a", "X![2] (F a)"),
        ("a U[0:5] b", "(a U b) & (F[0:5] b)"),
        ("a U[2:5] b", "(G[0:1] a) & (X![2] ((a U b) & (F[0:3] b)))"),
        ("a R[2:5] b", "(F[0:1] a) | (X[2] ((a R b) | (G[0:3] b)))"),
        ("Y a & Z b", "(Y a) & (Z b)"),
        ("H O a", "H (O a)"),
        ("!(a S b)", "!a T !b"),
        ("O[0,3] a", "O[0:3] a"),
        ("a S[1:2] b", "a & (Y ((a S b) & (O[0:1] b)))"),
        ("a <-> b", "(a & b) | (!a & !b)"),
        ("a xor X b", "(a & (X! !b)) | (!a & (X b))"),
        ("a -> b -> c", "!a | (!b | c)"),
        ("a | b & c", "a | (b & c)"),
        ("a || b | c && d", "a | ((b | c) & d)"),
        ("a /\\ ~b \\/ c", "(a & !b) | c"),
        ("a ∧ ¬b → ◇ c", "(!a | b) | (F c)"),
        ("true & a", "a"),
        ("G TRUE", "true"),
        ("c ? a : b", "(!c | a) & (c | b)"),
        ("T == 1", "T"),
        ("a T T", "a T T"),
        ("G a = b", "G (a = b)"),
    ]);
}

#[test]
fn property_specification_language() {
    check(&[
        ("always (a -> next b)", "G (!a | (X b))"),
        ("always a -> next! b until c", "G (!a | ((X! b) W c))"),
        ("never a & b", "G (!a | !b)"),
        ("always a -> b until! c", "G (!a | (b U c))"),
        ("a until_ b", "b R a"),
        ("a until!_ b", "b M a"),
        ("a before b", "!b W (a & !b)"),
        ("a before!_ b", "!b U a"),
        ("next[3] a", "X[3] a"),
        ("next_a[1:3] a", "G[1:3] a"),
        ("next_a![1:3] a", "(G[1:2] a) & (X![3] a)"),
        ("next_e![1:3] a", "F[1:3] a"),
        ("next_e[1:3] a", "(F[1:2] a) | (X[3] a)"),
        ("next_event(a)(b)", "!a W (a & b)"),
        ("next_event!(a)[2](b)", "!a U (a & (X! (!a U (a & b))))"),
        ("eventually! a & b", "F (a & b)"),
        ("(always (a -> next b)) abort c", "(c R ((!a | (X (b | c))) | c)) | c"),
    ]);
}

#[test]
fn system_verilog_properties() {
    check(&[
        ("assert property (@(posedge clk) disable iff (rst) a -> b);", "G ((!a | b) | rst)"),
        ("assert property (a)", "G a"),
        ("a |-> b", "G (!a | b)"),
        ("a |=> b", "G (!a | (X b))"),
        ("a #=# b", "a & (X! b)"),
        ("always (a |=> b until c)", "G (!a | (X (b W c)))"),
        ("a |-> s_eventually b", "G (!a | (F b))"),
        ("a |-> nexttime [2] b", "G (!a | (X[2] b))"),
        ("s_nexttime a", "X! a"),
        ("s_always [1:2] a", "(X a) & (X![2] a)"),
        ("eventually [1:2] a", "(X! a) | (X[2] a)"),
        ("a s_until_with b", "b M a"),
        ("a implies b iff c", "!a | ((b & c) | (!b & !c))"),
        ("if (a) b else X c", "(!a | b) & (a | (X c))"),
        ("not a or b", "!a | b"),
        ("accept_on (c) X[3] a", "((X[3] (a | c)) | (F[0:2] c)) | c"),
        ("reject_on (c) X[3] a", "((X[3] (a & !c)) & (G[0:2] !c)) & !c"),
        ("!accept_on (c) a", "!a & !c"),
        ("accept_on (c) G a", "(c R (a | c)) | c"),
        ("disable iff (rst) a |=> b", "G ((!a | (X (b | rst))) | rst)"),
    ]);
}

#[test]
fn atoms_are_normalised() {
    check(&[
        ("count != 3 | count == 3", "!(count == 3) | (count == 3)"),
        ("count >= 3", "!(count < 3)"),
        ("count <= 3 & count > 3", "!(count > 3) & (count > 3)"),
        ("a == 1 & a = TRUE & a != 1'b0 & !(a == 0)", "a"),
        ("state = IDLE | state == 2'd0", "(state = IDLE)"),
        ("state == BUSY", "(state == BUSY)"),
        ("mode = idle & mode != \"busy\"", "(mode = idle) & !(mode == \"busy\")"),
        ("count", "count"),
        ("!count[3] & count[7:4] == 2", "!count[3] & (count[7:4] == 2)"),
        ("count & 8'h0f", "(count & 8'h0f)"),
        ("a & count == 3", "a & (count == 3)"),
        ("valid -> u1.ready", "!valid | u1.ready"),
        ("mem[3] == 1", "(mem[3] == 1)"),
        ("$changed(count) | $stable(count)", "!$stable(count) | $stable(count)"),
        ("3 == 3", "true"),
        ("1'bx", "false"),
        ("!1'bx", "false"),
        ("count in {1, 3..5} & count inside {1, [3:5]}", "(count in {1, 3..5})"),
        ("{a, b} == 2'b10", "({a, b} == 2'b10)"),
        ("n + 1 < 2 ** 3", "(n + 1 < 2 ** 3)"),
        ("G (r > 1.5e0)", "G (r > 1.5e0)"),
    ]);
}

#[test]
fn an_element_of_a_map_is_a_signal_by_its_key() {
    check(&[("!owner[a]", "!owner[a]"), ("owner[\"a\"] & owner = x", "owner[\"a\"] & (owner = x)")]);
}

#[test]
fn errors_have_a_place_and_an_expectation() {
    let error = |text: &str| {
        let error = bound(text).unwrap_err();
        format!("{}..{} {}", error.range.start, error.range.end, error.message)
    };
    assert_eq!(error("a ->"), "4..4 expected an operand after `->`");
    assert_eq!(error("a -> )"), "5..6 expected an operand after `->`, found `)`");
    assert_eq!(error("G (a & b"), "2..3 `(` is never closed: expected `)`");
    assert_eq!(error("G (a & b]"), "8..9 expected an operator or `)`, found `]`");
    assert_eq!(error("a b"), "2..3 expected an operator or the end of the formula, found `b`");
    assert_eq!(error(""), "0..0 expected a formula");
    assert_eq!(error("F[5:2] a"), "2..5 the first bound is larger than the second");
    assert_eq!(error("a & ready"), "4..9 `ready` may be `top.u1.ready`, `top.u2.ready`");
    assert_eq!(error("a & vald"), "4..8 the trace has no signal `vald`");
    assert_eq!(error("state = IDEL"), "8..12 the trace has neither a signal nor a value `IDEL`");
    assert_eq!(error("count[8]"), "6..7 `count` has no bit 8: its bits are [7:0]");
    assert_eq!(error("up[7:4] == 1"), "3..4 the bits of this signal are numbered the other way round: swap the two");
    assert_eq!(error("mode"), "0..4 a text is neither true nor false: compare it with something");
    assert_eq!(error("count + X a == 3"), "8..16 this is about more than one cycle, and cannot be a part of a value");
    assert_eq!(error("8'q3"), "1..2 expected a base after `'`: one of `b o d h`");
    assert_eq!(error("a ; b"), "4..5 expected an operator or the end of the formula, found `b`");
    assert!(bound("G U a").unwrap_err().help.unwrap().contains("is an operator"));
}

/// Deep formulas are read by recursion, up to a limit: on whatever stack the caller has.
#[test]
fn what_is_too_deep_or_too_large_is_refused() {
    let judge = || {
        assert!(parse(&"(".repeat(100_000)).unwrap_err().message.contains("within each other"));
        assert!(parse(&"!".repeat(100_000)).unwrap_err().message.contains("within each other"));
        assert!(parse(&format!("a{}", " + a".repeat(100_000))).unwrap_err().message.contains("within each other"));
        assert!(bound(&format!("a{}", " & a".repeat(100_000))).is_ok());
        assert!(bound(&format!("a{}", " <-> b".repeat(200))).is_ok(), "each side is asked for twice, but made once");
        assert!(bound(&format!("a{} |-> b", "[*1:3]".repeat(40))).is_err());
        assert!(bound(&format!("n{}", " in 0..3".repeat(40))).is_err());
        assert!(bound("accept_on(a) accept_on(b) X[1000000000] c").unwrap_err().message.contains("so many cycles"));
        let deep = format!("{}a{}", "(".repeat(290), ")".repeat(290));
        assert!(bound(&deep).is_ok());
        let deep = format!("{}a", "X (!".repeat(70)) + &")".repeat(70);
        assert!(bound(&parse(&deep).unwrap().to_string()).is_ok());
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(judge).unwrap().join().unwrap();
}

#[test]
fn files() {
    let text = "-- a comment\n# another\nreq: G (a ->\n  F b)\nG a\n  & b // and so on\n\nLTLSPEC NAME n1 := F a;\nINVARSPEC !c\n\
                p1: assert property (@(negedge clk) a |-> b) else $error(\"no\");\n\
                property p2; @(posedge clk) a |=> b; endproperty\nassert property (p2);\nassert always a;\n";
    let formulas = parse_file(text).unwrap();
    let show = |f: &Formula| format!("{} | {}", f.name.as_deref().unwrap_or("-"), f.text.replace('\n', " "));
    let shown: Vec<String> = formulas.iter().map(show).collect();
    assert_eq!(
        shown,
        [
            "req | G (a ->   F b)",
            "- | G a   & b",
            "n1 | F a",
            "- | !c",
            "p1 | @(negedge clk) a |-> b",
            "p2 | @(posedge clk) a |=> b",
            "- | always a",
        ]
    );
    assert!(formulas[4].clock.as_ref().is_some_and(|clock| clock.negedge && clock.signal == "clk"));
    let error = parse_file("G a\nG (b\nG c").unwrap_err();
    assert_eq!((error.range, error.message.as_str()), (9..10, "expected an operator or `)`, found `G`"));
}

#[test]
fn what_has_a_name_is_used_by_it() {
    let text = "sequence pair(x, logic [3:0] y); @(posedge clk) x ##1 y == 3; endsequence : pair\n\
                property both(p, q); pair(p, count) |-> q; endproperty\n\
                assert property (both(a, $sampled(b)));\n\
                property same; a |=> b; endproperty\n\
                assert property (c |-> same);\n";
    let formulas = parse_file(text).unwrap();
    let cores: Vec<String> =
        formulas.iter().map(|formula| printed(&bind(formula, &signals(), None).unwrap())).collect();
    assert_eq!(cores, ["G (!a | (X (!(count == 3) | $sampled(b))))", "G (!a | (X b))", "G (!c | (!a | (X b)))"],);
    assert_eq!(formulas[0].clock.as_ref().map(|clock| clock.signal.as_str()), Some("clk"));
    let error = |text: &str| parse_file(text).unwrap_err().message;
    assert_eq!(error("sequence s(x); x ##1 a; endsequence\nassert property (s |-> b);"), "`s` takes 1 argument");
    assert!(parse_file("property p(x); int v; x |-> v == 1; endproperty").unwrap().is_empty());
}

#[test]
fn defaults_count_for_what_follows() {
    let text = "default clocking cb @(negedge clk); endclocking\ndefault disable iff (rst);\n\
                assert property (a |=> b);\nassert property (disable iff (c) a);\nG a\n\
                vunit u (top) {\n  default clock = rising_edge(clk);\n  assert always a;\n}\nG b\n";
    let formulas = parse_file(text).unwrap();
    let cores: Vec<String> =
        formulas.iter().map(|formula| printed(&bind(formula, &signals(), None).unwrap())).collect();
    assert_eq!(cores, ["G ((!a | (X (b | rst))) | rst)", "G (a | c)", "G a", "G a", "G b"]);
    let edges: Vec<bool> = formulas.iter().map(|formula| formula.clock.as_ref().unwrap().negedge).collect();
    assert_eq!(edges, [true, true, true, false, false]);
}

#[test]
fn a_clock_at_the_start_of_a_line_is_that_of_a_new_formula() {
    let clocked = |text: &str| -> Vec<String> { parse_file(text).unwrap().iter().map(ToString::to_string).collect() };
    for clock in ["@(posedge clk)", "@rising_edge(clk)", "@clk", "@(rising_edge(clk))"] {
        let both = ["@(posedge `clk`) G (`a` |=> `b`)", "@(posedge `clk`) G (!`c`)"].map(str::to_owned);
        assert_eq!(clocked(&format!("{clock} a |=> b\n{clock} (G !c)\n")), both);
        assert_eq!(clocked(&format!("a |=> b\n  {clock}\nG !c {clock};")), both);
    }
}

#[test]
fn parts_lead_to_nodes() {
    let text = "G (a -> X (b & count == 3))";
    let bound = bound(text).unwrap();
    let parts: Vec<(&str, Option<usize>, bool)> =
        bound.parts.iter().map(|part| (&text[part.range.clone()], part.parent, part.negated)).collect();
    assert_eq!(
        parts,
        [
            ("G (a -> X (b & count == 3))", None, false),
            ("a -> X (b & count == 3)", Some(0), false),
            ("a", Some(1), true),
            ("X (b & count == 3)", Some(1), false),
            ("b & count == 3", Some(3), false),
            ("b", Some(4), false),
            ("count == 3", Some(4), false),
        ]
    );
    assert_eq!(bound.always, Some(bound.parts[1].node));
    assert_eq!(bound.signals, [0, 1, 10]);
    assert_ne!(bound.core.root, NodeId(0));
}

#[test]
fn resets() {
    let reset = Reset { signal: 4, active_low: true };
    let with = |text: &str| printed(&bind(&parse(text).unwrap(), &signals(), Some(&reset)).unwrap());
    assert_eq!(with("G (a -> X b)"), "G ((!a | (X (b | !rst))) | !rst)");
    assert_eq!(with("a |=> b"), "G ((!a | (X (b | !rst))) | !rst)");
    assert_eq!(with("F a"), "!rst W (rst & ((F (a | !rst)) | !rst))");
}
