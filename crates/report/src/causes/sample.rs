//! A small report for the tests of the files beside this one: a bit, a counter, a named state, a real and a text.

use nearmiss_trace::bits::Bits;
use nearmiss_trace::report::{Dot, Exactness, Judged, Lane, TraceCause, TraceFailure, TraceReport, TraceVerdict};
use nearmiss_trace::wave::{BitVector, Enumerator, Kind, Signal, SignalInfo, Value, Values, Wave};

fn info(name: &str, kind: Kind) -> SignalInfo {
    SignalInfo { name: name.into(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() }
}

fn changes(info: SignalInfo, changes: &[(u32, Value)]) -> Signal {
    let (at, value) = changes.iter().cloned().unzip();
    Signal { info, values: Values::Changes { at, value } }
}

/// `ok: G(req -> count != 3)` fails at cycle 2; a second formula holds.
pub fn report() -> TraceReport {
    let bits = |width| Kind::Bits { width, signed: false, low: 0, descending: true };
    let parsed = |text| Value::Bits(BitVector::parse(text).expect("these are bits"));
    let request = Values::Bit {
        value: Bits::from_bools([false, true, true, true]),
        unknown: Bits::from_bools([true, false, false, true]),
    };
    let idle = Enumerator { name: "IDLE".into(), bits: BitVector::parse("0") };
    let mut state = info("top.state", Kind::Bits { width: 4, signed: true, low: 4, descending: true });
    state.enumerators.push(idle);
    let signals = vec![
        Signal { info: info("top.req", bits(1)), values: request },
        changes(
            info("top.dut.count", bits(8)),
            &[(0, parsed("xxxxxxxx")), (1, parsed("00000010")), (2, parsed("00000011"))],
        ),
        changes(state, &[(0, parsed("1111")), (3, parsed("0000"))]),
        changes(info("top.level", Kind::Real), &[(0, Value::Real(0.5)), (2, Value::Real(-2.0))]),
        changes(info("top.mode", Kind::Text), &[(0, Value::Text("warm up".into()))]),
        changes(info("top.loops", Kind::Integer), &[(0, Value::Integer(-1))]),
    ];
    let formula = "G(req -> count != 3)";
    let cause = |atom: &str, signal, value: &str, truth| TraceCause {
        atom: atom.into(),
        time: 2,
        truth: Some(truth),
        dots: vec![Dot { signal, time: 2, value: value.into() }],
        exact: true,
        direct: true,
        responsibility: Some(1),
        others: Vec::new(),
    };
    let failure = TraceFailure {
        start: 2,
        at: 2,
        round: 0,
        loop_start: None,
        exactness: Exactness::Exact,
        causes: vec![cause("req", 0, "1", true), cause("count != 3", 1, "3", false)],
    };
    let lane = Lane {
        text: "count != 3".into(),
        start: 9,
        end: 19,
        parent: None,
        fails: Bits::from_bools([false, false, true, true]),
        matters: Bits::from_bools([false, false, true, false]),
    };
    let fails = Judged {
        formula: formula.into(),
        name: Some("ok".into()),
        verdict: TraceVerdict::Fails,
        failures: vec![failure],
        more_failures: 0,
        lanes: vec![lane],
        signals: vec![0, 1],
    };
    let holds = Judged {
        formula: "F state == IDLE\n  | mode".into(),
        name: None,
        verdict: TraceVerdict::Holds("it is 0 at cycle 3".into()),
        failures: Vec::new(),
        more_failures: 0,
        lanes: Vec::new(),
        signals: vec![2, 3, 4, 5],
    };
    let wave = Wave { cycles: 4, loop_start: Some(3), times: vec![5, 15, 25, 40], unit: Some("1ns".into()), signals };
    TraceReport { wave, formulas: vec![fails, holds], notes: Vec::new(), seconds: Vec::new() }
}
