//! Where an atom holds on a trace.
//!
//! An atom that is one bit of the trace is copied by machine words; one over up to three such bits is worked out for every
//! combination of their values and then put together by words. Any other is evaluated once for every stretch of cycles on which
//! nothing that it reads changes. Before the first cycle every signal is unknown. On a trace with a loop, `$past` at the start of the
//! loop reads the cycle before it in the file, in every round.

use std::collections::HashSet;

use super::expression::{Atom, Expression, Read, unknown_value};
use super::value;
use crate::bits::{Bits, Truth};

use crate::wave::{BitVector, Kind, Signal, Value, Values, Wave};

/// The truth of an atom at each cycle. `of` gives for each position in [`Bound::signals`](super::Bound::signals) the index of
/// the signal in the wave.
///
/// # Panics
///
/// If `of` is too short or names signals that the wave does not have.
pub fn truth(atom: &Atom, wave: &Wave, of: &[usize]) -> Truth {
    let truth = known(atom, wave, of);
    match atom.unknown {
        None => truth,
        Some(false) => Truth { no: truth.yes.not(), yes: truth.yes },
        Some(true) => Truth { yes: truth.no.not(), no: truth.no },
    }
}

/// Where it is known to be true, and where to be false.
fn known(atom: &Atom, wave: &Wave, of: &[usize]) -> Truth {
    let signals: Vec<(&Signal, usize)> =
        atom.reads.iter().map(|read| (&wave.signals[of[read.signal]], read.delay as usize)).collect();
    let rows: Option<Vec<Row>> = signals
        .iter()
        .map(|(signal, delay)| match &signal.values {
            Values::Bit { value, unknown } if signals.len() <= 3 => Some(Row::new(value, unknown, *delay, wave.cycles)),
            _ => None,
        })
        .collect();
    match rows {
        Some(rows) if !rows.is_empty() => by_words(&atom.expression, &rows, wave.cycles),
        _ => by_changes(&atom.expression, &signals, wave.cycles),
    }
}

/// A one-bit signal as it is read: what it was some cycles before.
struct Row {
    value: Vec<u64>,
    unknown: Vec<u64>,
}

impl Row {
    fn new(value: &Bits, unknown: &Bits, delay: usize, cycles: usize) -> Row {
        let shifted = |bits: &Bits| {
            let (skip, shift) = (delay / 64, delay % 64);
            let source = bits.words();
            (0..cycles.div_ceil(64))
                .map(|i| {
                    let word = |at: Option<usize>| at.and_then(|at| source.get(at)).copied().unwrap_or(0);
                    let here = word(i.checked_sub(skip)) << shift;
                    let below = if shift == 0 { 0 } else { word(i.checked_sub(skip + 1)) >> (64 - shift) };
                    // Before the start both are 1, which is `x`.
                    let start = i * 64;
                    let before = match delay.saturating_sub(start) {
                        0 => 0,
                        64.. => u64::MAX,
                        some => (1 << some) - 1,
                    };
                    here | below | before
                })
                .collect()
        };
        Row { value: shifted(value), unknown: shifted(unknown) }
    }
}

/// The four values of a bit.
fn four_values() -> [Value; 4] {
    [(false, false), (true, false), (false, true), (true, true)]
        .map(|(value, unknown)| Value::Bits(BitVector::bit(value, unknown)))
}

fn by_words(expression: &Expression, rows: &[Row], cycles: usize) -> Truth {
    let four = four_values();
    let words = cycles.div_ceil(64);
    let (mut yes, mut no) = (vec![0; words], vec![0; words]);
    if matches!(expression, Expression::Read(0)) {
        for i in 0..words {
            let known = !rows[0].unknown[i];
            yes[i] = rows[0].value[i] & known;
            no[i] = !rows[0].value[i] & known;
        }
    } else {
        for combination in 0..1usize << (2 * rows.len()) {
            let pick = |row: usize| combination >> (2 * row) & 3;
            let values: Vec<&Value> = (0..rows.len()).map(|row| &four[pick(row)]).collect();
            let target = match expression.truth(&values) {
                Some(true) => &mut yes,
                Some(false) => &mut no,
                None => continue,
            };
            for (i, word) in target.iter_mut().enumerate() {
                let mut here = u64::MAX;
                for (row, bits) in rows.iter().enumerate() {
                    here &= if pick(row) & 1 == 1 { bits.value[i] } else { !bits.value[i] };
                    here &= if pick(row) & 2 == 2 { bits.unknown[i] } else { !bits.unknown[i] };
                }
                *word |= here;
            }
        }
    }
    Truth { yes: Bits::from_words(yes, cycles), no: Bits::from_words(no, cycles) }
}

/// A signal on the way through its changes.
struct Cursor<'a> {
    values: &'a Values,
    delay: usize,
    /// The change that comes next, in a list of changes.
    position: usize,
    /// The cycle at which the value is another one.
    next: usize,
}

impl<'a> Cursor<'a> {
    /// The value from `cycle` on; finds the next change.
    fn load(&mut self, cycle: usize, four: &'a [Value; 4], cycles: usize) -> &'a Value {
        let at = cycle - self.delay;
        match self.values {
            Values::Bit { value, unknown } => {
                let now = (value.get(at), unknown.get(at));
                self.next = next_change(value, unknown, at, now).saturating_add(self.delay).min(cycles);
                &four[usize::from(now.0) | usize::from(now.1) << 1]
            }
            Values::Changes { at: changes, value } => {
                let here = self.position;
                self.position += 1;
                self.next = changes.get(self.position).map_or(cycles, |change| *change as usize + self.delay);
                &value[here]
            }
        }
    }
}

/// The first position after `at` with another value.
fn next_change(value: &Bits, unknown: &Bits, at: usize, now: (bool, bool)) -> usize {
    let fill = |one: bool| if one { u64::MAX } else { 0 };
    let (value_words, unknown_words) = (value.words(), unknown.words());
    let mut word = at / 64;
    let mut differs =
        ((value_words[word] ^ fill(now.0)) | (unknown_words[word] ^ fill(now.1))) & (u64::MAX << (at % 64));
    while differs == 0 {
        word += 1;
        if word >= value_words.len() {
            return value.len();
        }
        differs = (value_words[word] ^ fill(now.0)) | (unknown_words[word] ^ fill(now.1));
    }
    (word * 64 + differs.trailing_zeros() as usize).min(value.len())
}

fn by_changes(expression: &Expression, signals: &[(&Signal, usize)], cycles: usize) -> Truth {
    let mut truth = Truth { yes: Bits::filled(cycles, false), no: Bits::filled(cycles, false) };
    if let [(Signal { values: Values::Changes { at, value }, .. }, 0)] = signals {
        // The usual case, without the bookkeeping of several signals.
        for (i, value) in value.iter().enumerate() {
            let end = at.get(i + 1).map_or(cycles, |end| *end as usize);
            match expression.truth(&[value]) {
                Some(true) => truth.yes.set_range(at[i] as usize, end),
                Some(false) => truth.no.set_range(at[i] as usize, end),
                None => {}
            }
        }
        return truth;
    }
    let mut note = |values: &[&Value], from: usize, to: usize| match expression.truth(values) {
        Some(true) => truth.yes.set_range(from, to),
        Some(false) => truth.no.set_range(from, to),
        None => {}
    };
    by_stretches(signals, cycles, &mut note);
    truth
}

/// The different values that an expression has on a trace, in the order of their first cycles.
pub(super) fn values(expression: &Expression, reads: &[Read], wave: &Wave, of: &[usize]) -> Vec<Value> {
    let signals: Vec<(&Signal, usize)> =
        reads.iter().map(|read| (&wave.signals[of[read.signal]], read.delay as usize)).collect();
    let (mut found, mut seen): (Vec<Value>, HashSet<String>) = (Vec::new(), HashSet::new());
    by_stretches(&signals, wave.cycles, &mut |values, _, _| {
        let value = expression.evaluate(values).into_owned();
        if seen.insert(format!("{value:?}")) {
            found.push(value);
        }
    });
    found
}

/// Goes through the stretches of cycles on which nothing changes: the values there, the first cycle, and the one after the last.
fn by_stretches(signals: &[(&Signal, usize)], cycles: usize, visit: &mut dyn FnMut(&[&Value], usize, usize)) {
    let four = four_values();
    let before: Vec<Value> = signals
        .iter()
        .map(|(signal, _)| match signal.info.kind {
            Kind::Bits { width, .. } => Value::Bits(value::unknown(width)),
            _ => unknown_value(),
        })
        .collect();
    let mut cursors: Vec<Cursor> = signals
        .iter()
        .map(|(signal, delay)| Cursor { values: &signal.values, delay: *delay, position: 0, next: *delay })
        .collect();
    let mut values: Vec<&Value> = before.iter().collect();
    let mut cycle = 0;
    while cycle < cycles {
        for (cursor, value) in cursors.iter_mut().zip(&mut values) {
            if cursor.next == cycle {
                *value = cursor.load(cycle, &four, cycles);
            }
        }
        let end = cursors.iter().map(|cursor| cursor.next).min().unwrap_or(cycles).clamp(cycle + 1, cycles);
        visit(&values, cycle, end);
        cycle = end;
    }
}
