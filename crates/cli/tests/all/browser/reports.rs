//! Reports to look at, each made by hand: what the evaluator would find is not asked here.

use std::sync::Arc;

use nearmiss_trace::bits::Bits;
use nearmiss_trace::report::{Dot, Exactness, Judged, Lane, TraceCause, TraceFailure, TraceReport, TraceVerdict};
use nearmiss_trace::wave::{BitVector, Enumerator, Kind, Signal, SignalInfo, Value, Values, Wave};

const BIT: Kind = Kind::Bits { width: 1, signed: false, low: 0, descending: true };

fn row(text: &str) -> Bits {
    Bits::from_bools(text.bytes().map(|bit| matches!(bit, b'1' | b'x')))
}

/// A one-bit signal, a character per cycle.
fn bit(name: &str, text: &str) -> Signal {
    let info =
        SignalInfo { name: name.into(), kind: BIT, enumerators: Vec::new(), wire: None, radix: Default::default() };
    let unknown = Bits::from_bools(text.bytes().map(|bit| matches!(bit, b'x' | b'z')));
    Signal { info, values: Values::Bit { value: row(text), unknown } }
}

fn bus(name: &str, kind: Kind, changes: &[(u32, Value)]) -> Signal {
    let info = SignalInfo { name: name.into(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() };
    let (at, value) = changes.iter().cloned().unzip();
    Signal { info, values: Values::Changes { at, value } }
}

fn bits(text: &str) -> Value {
    Value::Bits(BitVector::parse(text).expect("these are bits"))
}

fn number(width: u32, number: u64) -> Value {
    Value::Bits(BitVector::number(width, number))
}

/// A cause that decides alone.
fn cause(atom: &str, signal: usize, time: usize, value: &str) -> TraceCause {
    TraceCause {
        atom: atom.into(),
        time,
        truth: Some(value != "0"),
        dots: vec![Dot { signal, time, value: value.into() }],
        exact: true,
        direct: true,
        responsibility: Some(1),
        others: Vec::new(),
    }
}

/// A part of a formula; the text must occur in it.
fn lane(formula: &str, text: &str, parent: Option<usize>, fails: &str, matters: &str) -> Lane {
    let start = formula.find(text).expect("the part is in the formula");
    Lane { text: text.into(), start, end: start + text.len(), parent, fails: row(fails), matters: row(matters) }
}

fn failure(at: usize, causes: Vec<TraceCause>) -> TraceFailure {
    TraceFailure { start: 0, at, round: 0, loop_start: None, exactness: Exactness::Exact, causes }
}

/// The example of the paper's introduction: a transaction begins before the status of the one before has arrived.
pub fn paper() -> TraceReport {
    let formula = "G((!START & !STATUS_VALID & END) -> X(!START U (STATUS_VALID & READY)))";
    let signals = vec![
        bit("START", "0100000001000"),
        bit("END", "0000100000010"),
        bit("STATUS_VALID", "0000000000100"),
        bit("READY", "0000000000110"),
    ];
    let causes = [("START", 0, 4, "0"), ("END", 1, 4, "1"), ("STATUS_VALID", 2, 4, "0")];
    let mut causes: Vec<TraceCause> = causes.map(|(name, signal, time, value)| cause(name, signal, time, value)).into();
    for time in 5..=9 {
        causes.push(cause("STATUS_VALID", 2, time, "0"));
        let shared = TraceCause {
            responsibility: Some(2),
            others: vec![("STATUS_VALID".into(), time)],
            ..cause("READY", 3, time, "0")
        };
        causes.push(shared);
    }
    causes.push(cause("START", 0, 9, "1"));
    let body = "(!START & !STATUS_VALID & END) -> X(!START U (STATUS_VALID & READY))";
    let lanes = vec![
        lane(formula, formula, None, "1111100000000", "1000000000000"),
        lane(formula, body, Some(0), "0000100000000", "0000100000000"),
        lane(formula, "!START & !STATUS_VALID & END", Some(1), "1111011111101", "0000000000000"),
        lane(formula, "X(!START U (STATUS_VALID & READY))", Some(1), "1000111110000", "0000100000000"),
        lane(formula, "!START U (STATUS_VALID & READY)", Some(3), "0100011111000", "0000011111000"),
        lane(formula, "STATUS_VALID & READY", Some(4), "1111111111011", "0000011111000"),
    ];
    let judged = Judged {
        formula: formula.into(),
        name: Some("no_early_start".into()),
        verdict: TraceVerdict::Fails,
        failures: vec![TraceFailure { start: 4, ..failure(9, causes) }],
        more_failures: 0,
        lanes,
        signals: vec![0, 1, 2, 3],
    };
    let times = (0..13).map(|cycle| 5 + 10 * cycle).collect();
    let wave = Wave { cycles: 13, loop_start: None, times, unit: Some("1ns".into()), signals };
    TraceReport {
        wave,
        formulas: vec![judged],
        notes: vec!["Sampled at rising edges of clk.".into()],
        seconds: Vec::new(),
    }
}

/// A liveness property that is false because a loop is repeated for ever, beside properties that hold or are undecided.
pub fn lasso() -> TraceReport {
    let formula = "G(P1_ACTIVE -> F P2_ACTIVE)";
    let signals = vec![bit("top.arbiter.P1_ACTIVE", "000011000100"), bit("top.arbiter.P2_ACTIVE", "011000000000")];
    let mut causes = vec![cause("P1_ACTIVE", 0, 4, "1")];
    causes.extend((4..12).map(|time| cause("P2_ACTIVE", 1, time, "0")));
    let lanes = vec![
        lane(formula, formula, None, "111111111111", "100000000000"),
        lane(formula, "P1_ACTIVE -> F P2_ACTIVE", Some(0), "000011000100", "000010000000"),
        lane(formula, "F P2_ACTIVE", Some(1), "000111111111", "000010000000"),
    ];
    let fails = |name: &str, failures| Judged {
        formula: formula.into(),
        name: Some(name.into()),
        verdict: TraceVerdict::Fails,
        failures,
        more_failures: 3,
        lanes: lanes.clone(),
        signals: vec![0, 1],
    };
    let first = TraceFailure { start: 4, loop_start: Some(9), ..failure(11, causes) };
    let maybe = TraceCause { exact: false, responsibility: None, ..cause("P2_ACTIVE", 1, 5, "0") };
    let second =
        TraceFailure { start: 5, exactness: Exactness::Superset, loop_start: Some(9), ..failure(11, vec![maybe]) };
    let holds = Judged {
        formula: "F P2_ACTIVE".into(),
        name: None,
        verdict: TraceVerdict::Holds("P2_ACTIVE is 1 at cycle 1".into()),
        failures: Vec::new(),
        more_failures: 0,
        lanes: Vec::new(),
        signals: vec![1],
    };
    let undecided = Judged {
        name: Some("later".into()),
        verdict: TraceVerdict::Undecided("P1_ACTIVE would have to be 0 at cycle 12".into()),
        ..holds.clone()
    };
    let wave = Wave { cycles: 12, loop_start: Some(9), times: Vec::new(), unit: None, signals };
    TraceReport {
        wave,
        formulas: vec![holds, fails("progress", vec![first, second]), undecided],
        notes: Vec::new(),
        seconds: Vec::new(),
    }
}

/// Every kind of value, with unknown and undriven bits.
pub fn mixed() -> TraceReport {
    let kind = |width, signed| Kind::Bits { width, signed, low: 0, descending: true };
    let state_info = SignalInfo {
        name: "top.dut.fsm.state".into(),
        kind: kind(2, false),
        enumerators: [("IDLE", "00"), ("BUSY", "01"), ("DONE", "10")]
            .map(|(name, bits)| Enumerator { name: name.into(), bits: BitVector::parse(bits) })
            .into(),
        wire: None,
        radix: Default::default(),
    };
    let state = Values::Changes { at: vec![0, 3, 9, 14], value: ["00", "01", "10", "00"].map(bits).into() };
    let text = |text: &str| Value::Text(Arc::from(text));
    let signals = vec![
        bit("top.rst_n", "00111111111111111111"),
        bit("top.dut.valid", "xx0011110000zz001111"),
        bus(
            "top.dut.count",
            kind(8, false),
            &[
                (0, bits("xxxxxxxx")),
                (2, number(8, 0)),
                (4, number(8, 1)),
                (5, number(8, 254)),
                (6, number(8, 255)),
                (12, bits("zzzzzzzz")),
                (14, bits("0000xx01")),
                (16, number(8, 7)),
            ],
        ),
        bus("top.dut.offset", kind(8, true), &[(0, number(8, 0)), (7, number(8, 253)), (11, number(8, 5))]),
        Signal { info: state_info, values: state },
        bus("top.dut.wide", kind(128, false), &[(0, bits(&"1".repeat(128))), (10, bits(&"01".repeat(64)))]),
        bus("top.temperature", Kind::Real, &[(0, Value::Real(21.5)), (8, Value::Real(-0.125))]),
        bus("top.loops", Kind::Integer, &[(0, Value::Integer(-3)), (6, Value::Integer(40))]),
        bus("top.mode", Kind::Text, &[(0, text("boot")), (9, text("a rather long name of a mode"))]),
        bit("top.a_scope_with_a_long_name.another_scope_with_a_long_name.the_signal_itself", "01010101010101010101"),
    ];
    let formula = "G(valid -> count != 8'd255)";
    let relation = TraceCause {
        truth: Some(false),
        responsibility: Some(3),
        others: vec![("b".into(), 0), ("c".into(), 0)],
        ..cause("count != 8'd255", 2, 6, "255")
    };
    let causes = vec![cause("valid", 1, 6, "1"), relation];
    let lanes = vec![
        lane(formula, formula, None, "11111110000000000000", "10000000000000000000"),
        lane(formula, "valid -> count != 8'd255", Some(0), "00000011000000000000", "00000010000000000000"),
        lane(formula, "count != 8'd255", Some(1), "00000011111100000000", "00000010000000000000"),
    ];
    let judged = Judged {
        formula: formula.into(),
        name: None,
        verdict: TraceVerdict::Fails,
        failures: vec![failure(6, causes)],
        more_failures: 1,
        lanes,
        signals: (0..signals.len()).collect(),
    };
    let times = (0..20u64).map(|cycle| cycle * cycle * 100 + 50).collect();
    let wave = Wave { cycles: 20, loop_start: None, times, unit: Some("10ps".into()), signals };
    TraceReport { wave, formulas: vec![judged], notes: Vec::new(), seconds: Vec::new() }
}

/// 200 signals of a million cycles: half of them busy, some counters, a failure near the end.
pub fn big() -> TraceReport {
    const CYCLES: usize = 1_000_000;
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut signals = Vec::new();
    for i in 0..200 {
        let name = format!("top.unit{}.signal_{i}", i / 20);
        let info = |kind| SignalInfo {
            name: name.clone(),
            kind,
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        };
        signals.push(match i % 10 {
            0 => {
                let kind = Kind::Bits { width: 32, signed: false, low: 0, descending: true };
                let at: Vec<u32> = (0..CYCLES as u32).step_by(2).collect();
                let value = at.iter().map(|at| number(32, u64::from(*at) / 2)).collect();
                Signal { info: info(kind), values: Values::Changes { at, value } }
            }
            1..5 => {
                let words = (0..CYCLES.div_ceil(64)).map(|_| next()).collect();
                let unknown = Bits::filled(CYCLES, false);
                Signal { info: info(BIT), values: Values::Bit { value: Bits::from_words(words, CYCLES), unknown } }
            }
            _ => {
                let mut value = Bits::filled(CYCLES, false);
                let mut at = 0;
                while at < CYCLES {
                    let end = (at + 1 + (next() % 2000) as usize).min(CYCLES);
                    value.set_range(at, end);
                    at = end + 1 + (next() % 2000) as usize;
                }
                let unknown = Bits::filled(CYCLES, false);
                Signal { info: info(BIT), values: Values::Bit { value, unknown } }
            }
        });
    }
    let at = 987_654;
    let causes = (0..1000).map(|i| {
        let (signal, time) = (5 + (i % 20) * 10, at - i * 3);
        let value = signals[signal].at(time).to_string();
        cause(&signals[signal].info.name, signal, time, &value)
    });
    let mut causes: Vec<TraceCause> = causes.collect();
    causes.reverse();
    let mut fails = Bits::filled(CYCLES, false);
    fails.set_range(0, at);
    let mut matters = Bits::filled(CYCLES, false);
    matters.set(at, true);
    let formula = "G signal_5";
    let lanes = vec![Lane { text: formula.into(), start: 0, end: formula.len(), parent: None, fails, matters }];
    let judged = Judged {
        formula: formula.into(),
        name: None,
        verdict: TraceVerdict::Fails,
        failures: vec![failure(at, causes)],
        more_failures: 0,
        lanes,
        signals: (0..signals.len()).collect(),
    };
    let times = (0..CYCLES as u64).map(|cycle| 5 + cycle * 10).collect();
    let wave = Wave { cycles: CYCLES, loop_start: None, times, unit: Some("1ns".into()), signals };
    TraceReport { wave, formulas: vec![judged], notes: Vec::new(), seconds: Vec::new() }
}

/// Names, values, formulas and notes that try to be markup or script.
pub fn hostile() -> TraceReport {
    let evil = "</script><script>window.pwned = 1</script><img src=x onerror=\"window.pwned = 2\">";
    let text = Value::Text(Arc::from(evil));
    let signals = vec![bus(evil, Kind::Text, &[(0, text)]), bit("<b>bold</b> & \"quoted\" `code`", "01")];
    let mut first = cause(evil, 0, 0, evil);
    first.others = vec![(evil.into(), 1)];
    first.responsibility = Some(2);
    let judged = Judged {
        formula: evil.into(),
        name: Some(evil.into()),
        verdict: TraceVerdict::Fails,
        failures: vec![failure(1, vec![first, cause("<i>", 1, 1, "1")])],
        more_failures: 0,
        lanes: vec![lane(evil, "<script>", None, "11", "01")],
        signals: vec![0, 1],
    };
    let holds = Judged { verdict: TraceVerdict::Holds(evil.into()), failures: Vec::new(), ..judged.clone() };
    let wave = Wave { cycles: 2, loop_start: None, times: Vec::new(), unit: Some(evil.into()), signals };
    TraceReport { wave, formulas: vec![judged, holds], notes: vec![evil.into()], seconds: Vec::new() }
}

/// Nothing at all: no cycles, no signals, no formulas.
pub fn empty() -> TraceReport {
    TraceReport { wave: Wave::default(), formulas: Vec::new(), notes: Vec::new(), seconds: Vec::new() }
}
