//! Random formulas print and read back; atoms on waves agree with themselves cycle by cycle.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::select;

use super::expression::truth_of;
use super::tests::signals;
use super::{bind, parse, truth};
use crate::bits::Bits;
use crate::wave::{BitVector, Kind, Signal, SignalInfo, Value, Values, Wave};

/// Atoms.
const LEAVES: &[&str] = &[
    "a",
    "b",
    "true",
    "count == 3",
    "count[3]",
    "count[7:4] != 4'b1x0z",
    "state = IDLE",
    "s < -1",
    "n + 1 >= 2 * n",
    "$rose(a)",
    "$past(count, 2) === count",
    "`T`",
    "\\X ",
    "{a, b} == 2'd2",
    "count in {1, 3..5}",
    "r > 1.5e-3",
    "{2{a}} == 3",
    "mode = \"busy\"",
    "&count",
    "^count[3:0]",
    "(a ? count : 8'd1) == '1",
    "count[0 +: 2] == 1",
    "-s == 2",
    "~count == 0",
    "x\"1F\" == count",
    "0ud8_255 = count",
    "$countones(count) <= 0x3",
];

/// What stands before an operand.
const PREFIX: &[&str] = &[
    "!",
    "~",
    "X ",
    "X[!] ",
    "G ",
    "F ",
    "[] ",
    "<> ",
    "Y ",
    "Z ",
    "O ",
    "H ",
    "G[1:3] ",
    "F[2:$] ",
    "next[2] ",
    "next! ",
    "next_a[1:2] ",
    "next_e![1:2] ",
    "always ",
    "never ",
    "eventually! ",
    "s_always [1:2] ",
    "not ",
    "eventually [1:2] ",
    "s_eventually ",
    "nexttime ",
    "##[1:2] ",
    "disable iff (a) ",
    "reject_on (b) ",
    "strong",
    "weak",
    "first_match",
    "if (a) ",
    "next_event(a)[2]",
    "()",
];

/// What stands between two operands.
const INFIX: &[&str] = &[
    "&",
    "&&",
    "and",
    "|",
    "||",
    "or",
    "^",
    "xor",
    "~^",
    "->",
    "<->",
    "implies",
    "iff",
    "U",
    "W",
    "R",
    "M",
    "S",
    "T",
    "V",
    "until",
    "until!",
    "until_",
    "until!_",
    "before",
    "before!",
    "before_",
    "s_until_with",
    "U[1:3]",
    "R[2:5]",
    "|->",
    "|=>",
    "#-#",
    "#=#",
    "##1",
    "##[*]",
    "intersect",
    "within",
    "throughout",
    "abort",
];

/// What stands after an operand.
const SUFFIX: &[&str] = &["[*]", "[+]", "[*2]", "[->2]", "[=1:$]", "[->]"];

/// Formulas of all languages, as text.
fn formula() -> impl Strategy<Value = String> {
    let leaf = select(LEAVES).prop_map(str::to_owned);
    leaf.prop_recursive(4, 24, 2, |inner| {
        let group = || prop::bool::weighted(0.8);
        prop_oneof![
            (select(PREFIX), inner.clone(), group()).prop_map(|(op, a, group)| {
                if group || op.ends_with(char::is_alphabetic) { format!("{op}({a})") } else { format!("{op}{a}") }
            }),
            (inner.clone(), select(INFIX), inner.clone(), group(), group()).prop_map(|(a, op, b, left, right)| {
                let side = |text: String, group: bool| if group { format!("({text})") } else { text };
                format!("{} {op} {}", side(a, left), side(b, right))
            }),
            (inner.clone(), select(SUFFIX)).prop_map(|(a, op)| format!("({a}){op}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{({a}); ({b})}}")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("a ? ({a}) : ({b})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn what_is_printed_reads_back(text in formula()) {
        let Ok(formula) = parse(&text) else { return Ok(()) };
        let printed = formula.to_string();
        let again = parse(&printed).unwrap_or_else(|error| panic!("{text}\n{printed}\n{error:?}"));
        prop_assert_eq!(&again.tree, &formula.tree, "{}\n{}", &text, &printed);
        prop_assert_eq!(again.to_string(), printed);
        let _ = bind(&formula, &signals(), None);
    }
}

fn one_bit(name: &str, text: &str) -> Signal {
    let kind = Kind::Bits { width: 1, signed: false, low: 0, descending: true };
    let value = Bits::from_bools(text.chars().map(|c| c == '1' || c == 'x'));
    let unknown = Bits::from_bools(text.chars().map(|c| c == 'x' || c == 'z'));
    Signal {
        info: SignalInfo {
            name: name.to_owned(),
            kind,
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        },
        values: Values::Bit { value, unknown },
    }
}

fn changing(name: &str, kind: Kind, values: &[Value]) -> Signal {
    let at = (0..values.len()).filter(|i| *i == 0 || values[*i] != values[i - 1]);
    let (at, value) = at.map(|i| (u32::try_from(i).unwrap(), values[i].clone())).unzip();
    Signal {
        info: SignalInfo {
            name: name.to_owned(),
            kind,
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        },
        values: Values::Changes { at, value },
    }
}

/// `1`, `0` and `x` per cycle.
fn shown(text: &str, wave: &Wave) -> String {
    let infos: Vec<SignalInfo> = wave.signals.iter().map(|signal| signal.info.clone()).collect();
    let bound = bind(&parse(text).unwrap(), &infos, None).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(bound.atoms.len(), 1, "{text}");
    let atom = &bound.atoms[0];
    let truth = truth(atom, wave, &bound.signals);
    // The same by definition, cycle by cycle.
    for cycle in 0..wave.cycles {
        let values: Vec<Value> = atom
            .reads
            .iter()
            .map(|read| {
                let signal = &wave.signals[bound.signals[read.signal]];
                match (cycle.checked_sub(read.delay as usize), signal.info.kind) {
                    (Some(before), _) => signal.at(before),
                    (None, Kind::Bits { width, .. }) => {
                        Value::Bits(BitVector::parse(&"x".repeat(width as usize)).unwrap())
                    }
                    (None, _) => Value::Bits(BitVector::bit(true, true)),
                }
            })
            .collect();
        let expected = truth_of(&atom.expression.evaluate(&values.iter().collect::<Vec<_>>()));
        let found = match (truth.yes.get(cycle), truth.no.get(cycle)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
            both => panic!("{both:?}"),
        };
        assert_eq!(found, expected, "{text} at {cycle}");
    }
    (0..wave.cycles)
        .map(|i| {
            if truth.yes.get(i) {
                '1'
            } else if truth.no.get(i) {
                '0'
            } else {
                'x'
            }
        })
        .collect()
}

fn wave() -> Wave {
    let count = |text: &str| Value::Bits(BitVector::parse(text).unwrap());
    let kind = |width, signed, descending| Kind::Bits { width, signed, low: 0, descending };
    let counts = ["0000", "0001", "0001", "0011", "1x00", "1111", "1111", "0z10"].map(count);
    let integers = [1, 2, 3, i128::MAX, -1, 0, 5, 5].map(Value::Integer);
    let modes =
        ["idle", "idle", "busy", "busy", "idle", "done", "done", "busy"].map(|mode| Value::Text(Arc::from(mode)));
    Wave {
        cycles: 8,
        signals: vec![
            one_bit("a", "0110x1z1"),
            one_bit("b", "00110x11"),
            changing("count", kind(4, false, true), &counts),
            changing("s", kind(4, true, true), &counts),
            changing("up", kind(4, false, false), &counts),
            changing("n", Kind::Integer, &integers),
            changing("r", Kind::Real, &[0.5, 1.5, 1.5, 2.0, 2.0, -1.0, 0.0, 0.0].map(Value::Real)),
            changing("mode", Kind::Text, &modes),
        ],
        ..Wave::default()
    }
}

#[test]
fn truth_of_atoms() {
    let wave = wave();
    let pairs = [
        ("a", "0110x1x1"),
        ("$past(a)", "x0110x1x"),
        ("$past(a, 3)", "xxx0110x"),
        ("$rose(a)", "01000101"),
        ("$fell(a)", "10010000"),
        ("$stable(a)", "00100000"),
        ("a == b", "1010xxx1"),
        ("count", "01111111"),
        ("count == 12", "0000x000"),
        ("count === 4'b1x00", "00001000"),
        ("count < 3", "1110x00x"),
        ("s < 0", "0000x11x"),
        ("s == -1", "00000110"),
        ("count == -1", "00000000"),
        ("count + 1 == 16", "0000x11x"),
        ("count + 4'd1 == 4'd0", "0000x11x"),
        ("count[0]", "01110110"),
        ("up[0]", "00001110"),
        ("count[3:2] == 2'b11", "0000x110"),
        ("up[0:1] == 2'b11", "0000x110"),
        ("$stable(count)", "00100010"),
        ("$past(count) == 1", "x0110000"),
        ("$countones(count) == 2", "00010000"),
        ("$onehot(count)", "0110x00x"),
        ("$isunknown(count)", "00001001"),
        ("^count", "0110x00x"),
        ("&count", "00000110"),
        ("count in {1, [14:15]}", "0110x11x"),
        ("n + 1 > n", "111x1111"),
        ("n == count", "0000x00x"),
        ("n in 1..3", "11100000"),
        ("r > 1", "01111000"),
        ("r == 2", "00011000"),
        ("mode = busy", "00110001"),
        ("$past(mode) = busy", "x0011000"),
        ("count[n]", "000xx1xx"),
        ("{a, b} == 2'b11", "00100xx1"),
        ("(a ? 2'd1 : 2'd1) == 1", "11111111"),
    ];
    for (text, expected) in pairs {
        assert_eq!(shown(text, &wave), expected, "{text}");
    }
}

#[test]
fn long_waves_are_judged_at_every_cycle() {
    let cycles = 1_000_000;
    let row = |step: u64| {
        let words = (0..cycles / 64 + 1).map(|i| (i as u64).wrapping_mul(step)).collect();
        Bits::from_words(words, cycles)
    };
    let mut a = one_bit("a", "0");
    a.values = Values::Bit { value: row(0x9e37_79b9_7f4a_7c15), unknown: Bits::filled(cycles, false) };
    let kind = Kind::Bits { width: 8, signed: false, low: 0, descending: true };
    let values = (0..cycles as u64).map(|i| Value::Bits(BitVector::number(8, i))).collect();
    let info =
        SignalInfo { name: "count".to_owned(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() };
    let count = Signal { info, values: Values::Changes { at: (0..cycles as u32).collect(), value: values } };
    let wave = Wave { cycles, signals: vec![a, count], ..Wave::default() };
    let infos: Vec<SignalInfo> = wave.signals.iter().map(|signal| signal.info.clone()).collect();
    for (text, expected) in [("a", None), ("$rose(a)", None), ("count == 3", Some(3907)), ("count < 128", None)] {
        let bound = bind(&parse(text).unwrap(), &infos, None).unwrap();
        let truth = truth(&bound.atoms[0], &wave, &bound.signals);
        assert_eq!(truth.yes.count() + truth.no.count(), cycles);
        assert!(expected.is_none_or(|expected: usize| truth.yes.count().abs_diff(expected) < 2));
    }
}
