//! Formulas: read or refused with a place; printed and read again they are the same; bound to signals, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nearmiss_trace::ltl::{self, FormulaError, Reset};
use nearmiss_trace::wave::{BitVector, Enumerator, Kind, SignalInfo};

/// A signal of each kind.
fn signals() -> Vec<SignalInfo> {
    let bits = |width, signed, descending| Kind::Bits { width, signed, low: 0, descending };
    let info = |name: &str, kind| SignalInfo { name: name.to_owned(), kind, enumerators: Vec::new(), wire: None };
    let mut all = vec![
        info("top.a", bits(1, false, true)),
        info("top.b", bits(1, false, true)),
        info("top.u1.ready", bits(1, false, true)),
        info("top.u2.ready", bits(1, false, true)),
        info("count", bits(8, true, true)),
        info("up", bits(8, false, false)),
        info("wide", bits(130, false, true)),
        info("n", Kind::Integer),
        info("r", Kind::Real),
        info("mode", Kind::Text),
        info("mem[3]", bits(8, false, true)),
    ];
    all[5].enumerators.push(Enumerator { name: "IDLE".to_owned(), bits: Some(BitVector::number(8, 0)) });
    all
}

fn shown(error: &FormulaError, text: &str) {
    assert!(text.get(error.range.clone()).is_some() && !error.message.is_empty());
}

fuzz_target!(|text: &str| {
    let formulas = match ltl::parse_file(text) {
        Ok(formulas) => formulas,
        Err(error) => return shown(&error, text),
    };
    let signals = signals();
    for formula in formulas {
        let again = ltl::parse(&formula.to_string()).expect("what is printed can be read");
        assert_eq!(again.tree, formula.tree);
        for reset in [None, Some(&Reset { signal: 1, active_low: true })] {
            if let Err(error) = ltl::bind(&formula, &signals, reset) {
                shown(&error, &formula.text);
            }
        }
    }
});
