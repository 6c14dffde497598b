//! Which moments of a failing run make the formula false: its word as a trace, given to the search for causes on traces.

use nearmiss_logic::sat::Stop;

use super::Temporal;
use crate::bits::Bits;
use crate::causes::{self, Asked, CausesOptions, Failures, Lanes};
use crate::method::trace_cause::Mode;
use crate::run::Word;
use crate::trace_report::TraceReport;
use crate::wave::{Kind, Signal, SignalInfo, Values, Wave};

/// The causes on a word that the formula is false on. Cycles are positions of the word. `Err` is a bug of ours.
pub fn dots(temporal: &Temporal, word: &Word, stop: Stop) -> Result<TraceReport, String> {
    let cycles = word.positions.len();
    let signal = |index: usize| Signal {
        info: SignalInfo {
            name: temporal.signals[index].text.clone(),
            kind: Kind::Bits { width: 1, low: 0, descending: true, signed: false },
            enumerators: Vec::new(),
            wire: None,
        },
        values: Values::Bit {
            value: Bits::from_bools(word.positions.iter().map(|position| position.truth[index])),
            unknown: Bits::filled(cycles, false),
        },
    };
    let wave = Wave {
        cycles,
        loop_start: word.loop_start,
        times: Vec::new(),
        unit: None,
        signals: (0..temporal.signals.len()).map(signal).collect(),
    };
    let signals = temporal.bound.signals.clone();
    let asked = Asked { formula: &temporal.formula, bound: &temporal.bound, signals };
    let options = CausesOptions {
        mode: Mode::Budget,
        failures: Failures::First,
        complete: word.loop_start.is_none(),
        lanes: Lanes::Unwanted,
        stop,
    };
    causes::explain(wave, &[asked], &options)
}
