//! Values of signals as short texts inside a page.
//!
//! A million cycles as a JSON array would be megabytes per signal. Instead the cycles at which a signal changes are written
//! as differences in groups of seven bits, in base 64; a bit that changes all the time is cheaper as its plain row of bits.
//! `data.js` reads this back, a signal at a time, when its row comes into view.

use std::collections::HashMap;

use nearmiss_trace::bits::Bits;
use nearmiss_trace::wave::{Radix, Signal, Value, Values};
use serde_json::{Value as Json, json};

use super::value::{Certainty, certainty};

/// Numbers above this are not exact in JavaScript.
const EXACT: u64 = 1 << 52;

/// A signal's values.
pub fn signal(signal: &Signal) -> Json {
    match &signal.values {
        Values::Bit { value, unknown } => row(value, Some(unknown)),
        Values::Changes { at, value } => {
            let mut cycles = Vec::with_capacity(at.len());
            let mut last = 0;
            for at in at {
                number(&mut cycles, u64::from(at - last));
                last = *at;
            }
            let mut packed = json!({"n": at.len(), "at": base64(&cycles)});
            match steps(signal, value) {
                Some(steps) => packed["steps"] = json!(base64(&steps)),
                None => {
                    let (names, index) = dictionary(signal, value);
                    packed["names"] = json!(names);
                    packed["index"] = json!(base64(&index));
                }
            }
            packed
        }
    }
}

/// A row of truth values, some perhaps unknown: states 0, 1, 2 for `z`, 3 for `x`.
pub fn row(value: &Bits, unknown: Option<&Bits>) -> Json {
    let mut runs = Vec::new();
    let (mut count, mut last) = (0, 0);
    let none = Bits::filled(value.len(), false);
    let unknown = unknown.unwrap_or(&none);
    let mut before = [0, 0];
    for (i, (value_word, unknown_word)) in value.words().iter().zip(unknown.words()).enumerate() {
        let turns = |word: u64, before: u64| word ^ (word << 1 | before);
        let mut changed = turns(*value_word, before[0]) | turns(*unknown_word, before[1]) | u64::from(i == 0);
        before = [value_word >> 63, unknown_word >> 63];
        while changed != 0 {
            let cycle = i * 64 + changed.trailing_zeros() as usize;
            changed &= changed - 1;
            if cycle < value.len() {
                let state = u64::from(value.get(cycle)) | u64::from(unknown.get(cycle)) << 1;
                number(&mut runs, (cycle - last) as u64 * 4 + state);
                (count, last) = (count + 1, cycle);
            }
        }
    }
    let plain = value.len().div_ceil(8);
    let planes = if unknown.any() { 2 } else { 1 };
    if runs.len() <= plain * planes {
        return json!({"n": count, "runs": base64(&runs)});
    }
    let bytes = |bits: &Bits| base64(&bits.words().iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
    match planes {
        1 => json!({"n": count, "map": bytes(value)}),
        _ => json!({"n": count, "map": bytes(value), "unknown": bytes(unknown)}),
    }
}

/// The times of the cycles: the first one and the distance where that is always the same.
pub fn times(times: &[u64]) -> Json {
    let [first, rest @ ..] = times else { return Json::Null };
    let step = rest.first().map_or(0, |second| second.saturating_sub(*first));
    if times.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(step)) {
        return json!({"first": first, "step": step});
    }
    let mut packed = Vec::new();
    let mut last = 0;
    for time in times {
        number(&mut packed, time.saturating_sub(last));
        last = *time;
    }
    json!({"deltas": base64(&packed)})
}

/// Numbers as differences from the value before, sign in the lowest bit: what a counter costs a byte per step in. Only
/// where most values are new, all are plain numbers, and none has a name.
fn steps(signal: &Signal, values: &[Value]) -> Option<Vec<u8>> {
    if values.len() < 64 || !signal.info.enumerators.is_empty() || signal.info.radix != Radix::Decimal {
        return None;
    }
    let mut packed = Vec::new();
    let mut last = 0;
    for value in values {
        let shown: i64 = match value {
            Value::Bits(bits) if !bits.has_unknown() => signal.info.text(value).parse().ok()?,
            Value::Integer(number) => i64::try_from(*number).ok()?,
            _ => return None,
        };
        if shown.unsigned_abs() > EXACT {
            return None;
        }
        let step = shown - last;
        number(&mut packed, (step << 1 ^ step >> 63).cast_unsigned());
        last = shown;
    }
    Some(packed)
}

/// The different values, each after a letter that says whether it is known, and which one is where.
fn dictionary(signal: &Signal, values: &[Value]) -> (Vec<String>, Vec<u8>) {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    let mut index = Vec::new();
    for value in values {
        let letter = match certainty(value) {
            Certainty::Known => '=',
            Certainty::Unknown => 'x',
            Certainty::Undriven => 'z',
        };
        let name = format!("{letter}{}", signal.info.text(value));
        let place = *places.entry(name).or_insert_with_key(|name| {
            names.push(name.clone());
            names.len() - 1
        });
        number(&mut index, place as u64);
    }
    (names, index)
}

/// Seven bits per byte, lowest first; the eighth says that more follow.
fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Base 64 with the usual letters and padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..three.len()].copy_from_slice(three);
        let group = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for i in 0..4 {
            let letter = LETTERS[(group >> (18 - 6 * i) & 63) as usize] as char;
            text.push(if i <= three.len() { letter } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use nearmiss_trace::wave::{BitVector, Kind, SignalInfo};

    use super::*;

    fn bus(values: Vec<Value>, signed: bool) -> Signal {
        let kind = Kind::Bits { width: 8, signed, low: 0, descending: true };
        let info =
            SignalInfo { name: "n".into(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() };
        let at = (0..values.len() as u32).map(|i| i * 3).collect();
        Signal { info, values: Values::Changes { at, value: values } }
    }

    #[test]
    fn base_64_pads() {
        let packed = ["", "a", "ab", "abc", "abcd"].map(|text| base64(text.as_bytes()));
        assert_eq!(packed, ["", "YQ==", "YWI=", "YWJj", "YWJjZA=="]);
    }

    #[test]
    fn numbers_take_seven_bits_a_byte() {
        let mut bytes = Vec::new();
        number(&mut bytes, 5);
        number(&mut bytes, 300);
        number(&mut bytes, u64::MAX);
        assert_eq!(bytes[..3], [5, 172, 2]);
        assert_eq!(bytes.len(), 3 + 10);
    }

    #[test]
    fn a_quiet_row_is_its_changes_across_words() {
        let mut value = Bits::filled(1000, false);
        value.set_range(64, 130);
        // At 0 state 0, after 64 state 1, after 66 more state 0.
        assert_eq!(row(&value, None), json!({"n": 3, "runs": base64(&[0, 129, 2, 136, 2])}));
        assert_eq!(row(&Bits::filled(0, false), None), json!({"n": 0, "runs": ""}));
    }

    #[test]
    fn a_busy_row_is_its_bits() {
        let value = Bits::from_bools((0..128).map(|i| i % 2 == 0));
        let packed = row(&value, None);
        assert_eq!(packed["n"], 128);
        assert_eq!(packed["map"], base64(&[0x55; 16]));
    }

    #[test]
    fn unknown_bits_are_states_of_their_own() {
        let value = Bits::from_bools([true, true, false]);
        let unknown = Bits::from_bools([false, true, true]);
        assert_eq!(row(&value, Some(&unknown))["n"], 3);
    }

    #[test]
    fn a_counter_is_its_steps() {
        let count = |i: u64| Value::Bits(BitVector::number(8, i));
        let packed = signal(&bus((0..100).map(count).collect(), false));
        assert_eq!(packed["n"], 100);
        assert_eq!(packed["steps"].as_str().map(str::len), Some(136));
        let few = signal(&bus((0..3).map(count).collect(), false));
        assert_eq!(few["names"], json!(["=0", "=1", "=2"]));
    }

    #[test]
    fn values_say_whether_they_are_known() {
        let values =
            ["00000001", "xxxx0000", "zzzzzzzz", "00000001"].map(|bits| Value::Bits(BitVector::parse(bits).unwrap()));
        let packed = signal(&bus(values.to_vec(), false));
        assert_eq!(packed["names"], json!(["=1", "xxxxx0000", "zzzzzzzzz"]));
        assert_eq!(packed["index"], base64(&[0, 1, 2, 0]));
    }

    #[test]
    fn even_times_are_two_numbers() {
        assert_eq!(times(&[]), Json::Null);
        assert_eq!(times(&[5, 15, 25]), json!({"first": 5, "step": 10}));
        assert_eq!(times(&[5, 15, 26]), json!({"deltas": base64(&[5, 10, 11])}));
    }
}
