//! Which moments of a failing run make the formula false: its word as a trace, given to the search for causes on traces.

use nearmiss_logic::stop::Stop;

use nearmiss_program::program::temporal::Temporal;
use nearmiss_program::run::Word;
use nearmiss_trace::bits::Bits;
use nearmiss_trace::causes::{self, Aborts, Asked, CausesOptions, Failures, Lanes};
use nearmiss_trace::report::TraceReport;
use nearmiss_trace::search::Mode;
use nearmiss_trace::wave::{Kind, Signal, SignalInfo, Values, Wave};

/// The causes on a word that the formula is false on. Cycles are positions of the word. `Err` is a bug of ours.
pub fn formula_causes(temporal: &Temporal, word: &Word, stop: Stop) -> Result<TraceReport, String> {
    let cycles = word.positions.len();
    let signal = |index: usize| Signal {
        info: SignalInfo {
            name: temporal.signals[index].text.clone(),
            kind: Kind::Bits { width: 1, low: 0, descending: true, signed: false },
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
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
        complete: word.loop_start.is_none() && temporal.cycles.is_none(),
        aborts: Aborts::Given,
        lanes: Lanes::Unwanted,
        stop,
    };
    let mut report = causes::explain(wave, &[asked], &options)?;
    // What a condition is before its variables have values, it is because of what it is when they have.
    let known = |atom: &str, time: usize| {
        let signal = temporal.signals.iter().position(|signal| signal.text == atom);
        signal.and_then(|signal| word.known_from.get(signal)).map_or(time, |from| time.max(*from))
    };
    for failure in report.formulas.iter_mut().flat_map(|formula| &mut formula.failures) {
        for cause in &mut failure.causes {
            cause.time = known(&cause.atom, cause.time);
            cause.others.iter_mut().for_each(|(atom, time)| *time = known(atom, *time));
        }
        let mut seen = std::collections::HashSet::new();
        failure.causes.retain(|cause| seen.insert((cause.atom.clone(), cause.time, cause.truth)));
    }
    Ok(report)
}
