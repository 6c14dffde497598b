//! Values and signals as hardware people write them: names of states, signs, ranges of bits.
//!
//! A waveform viewer finds a signal by its name with the range of its bits, and a person finds a state by its name: both
//! are in what the trace says of a signal, beside its values.

use nearmiss_trace::wave::{BitVector, Kind, Signal, Value, Values, Wave};

/// Is a value known, and if not, how?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// Every bit is 0 or 1, or it is not made of bits.
    Known,
    /// Some bit is `x`, or some are driven and some are not.
    Unknown,
    /// No bit is driven: all are `z`.
    Undriven,
}

/// Is it known?
pub fn certainty(value: &Value) -> Certainty {
    match value {
        Value::Bits(bits) if bits.has_unknown() => {
            let unknown: u32 = bits.unknown.iter().map(|word| word.count_ones()).sum();
            let undriven = unknown == bits.width && bits.value.iter().all(|word| *word == 0);
            if undriven { Certainty::Undriven } else { Certainty::Unknown }
        }
        _ => Certainty::Known,
    }
}

/// The range of a signal's bits as it stands behind its name, `[7:0]`; none for a single bit without a number.
pub fn range(kind: Kind) -> Option<String> {
    match kind {
        Kind::Bits { width: 0, .. } => None,
        Kind::Bits { width: 1, low: 0, .. } => None,
        Kind::Bits { width: 1, low, .. } => Some(format!("[{low}]")),
        Kind::Bits { width, low, descending, .. } => {
            let high = low + i64::from(width) - 1;
            Some(if descending { format!("[{high}:{low}]") } else { format!("[{low}:{high}]") })
        }
        Kind::Integer | Kind::Real | Kind::Text => None,
    }
}

/// The time in the file of a cycle, with its unit: time 12 of `10ps` is `120 ps`.
pub fn time(wave: &Wave, cycle: usize) -> Option<String> {
    let time = wave.time(cycle)?;
    let unit = wave.unit.as_deref().unwrap_or_default().trim();
    let digits = unit.len() - unit.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, name) = unit.split_at(digits);
    Some(match (number.parse::<u128>(), name.trim()) {
        (Ok(number), name) if !name.is_empty() => format!("{} {name}", u128::from(time) * number),
        _ => time.to_string(),
    })
}

/// The cycles at which a signal has another value than before, the first one included, each with its value.
pub fn changes(signal: &Signal) -> Box<dyn Iterator<Item = (usize, Value)> + '_> {
    match &signal.values {
        Values::Changes { at, value } => Box::new(at.iter().map(|at| *at as usize).zip(value.iter().cloned())),
        Values::Bit { value, unknown } => {
            let cycles = value.len();
            let state = |cycle: usize| (value.get(cycle), unknown.get(cycle));
            let new = move |cycle: &usize| *cycle == 0 || state(*cycle) != state(*cycle - 1);
            let value = move |cycle: usize| Value::Bits(BitVector::bit(state(cycle).0, state(cycle).1));
            Box::new((0..cycles).filter(new).map(move |cycle| (cycle, value(cycle))))
        }
    }
}

#[cfg(test)]
mod tests {
    use nearmiss_trace::bits::Bits;
    use nearmiss_trace::wave::SignalInfo;

    use super::*;

    fn info(kind: Kind) -> SignalInfo {
        SignalInfo { name: "top.x".into(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() }
    }

    fn bits(width: u32, signed: bool) -> Kind {
        Kind::Bits { width, signed, low: 0, descending: true }
    }

    fn parsed(text: &str) -> Value {
        Value::Bits(BitVector::parse(text).expect("these are bits"))
    }

    #[test]
    fn only_all_z_is_undriven() {
        assert_eq!(certainty(&parsed("zz")), Certainty::Undriven);
        assert_eq!(certainty(&parsed("z1")), Certainty::Unknown);
        assert_eq!(certainty(&parsed("xz")), Certainty::Unknown);
        assert_eq!(certainty(&parsed("01")), Certainty::Known);
        assert_eq!(certainty(&Value::Text("x".into())), Certainty::Known);
    }

    #[test]
    fn times_have_their_unit() {
        let wave = |unit: Option<&str>| Wave { times: vec![5, 12], unit: unit.map(Into::into), ..Wave::default() };
        assert_eq!(time(&wave(Some("10ps")), 1).as_deref(), Some("120 ps"));
        assert_eq!(time(&wave(Some("1 ns")), 0).as_deref(), Some("5 ns"));
        assert_eq!(time(&wave(None), 1).as_deref(), Some("12"));
        assert_eq!(time(&wave(None), 2), None);
    }

    #[test]
    fn ranges_stand_as_declared() {
        assert_eq!(range(bits(1, false)), None);
        assert_eq!(range(bits(8, false)).as_deref(), Some("[7:0]"));
        let odd = |width, low, descending| Kind::Bits { width, signed: false, low, descending };
        assert_eq!(range(odd(4, 4, true)).as_deref(), Some("[7:4]"));
        assert_eq!(range(odd(8, 0, false)).as_deref(), Some("[0:7]"));
        assert_eq!(range(odd(1, 3, true)).as_deref(), Some("[3]"));
        assert_eq!(range(Kind::Real), None);
    }

    #[test]
    fn a_bit_changes_where_its_value_or_its_certainty_does() {
        let value = Bits::from_bools([false, false, true, true, false]);
        let unknown = Bits::from_bools([false, false, false, true, false]);
        let signal = Signal { info: info(bits(1, false)), values: Values::Bit { value, unknown } };
        let found: Vec<(usize, String)> = changes(&signal).map(|(at, value)| (at, value.to_string())).collect();
        assert_eq!(found, [(0, "0".into()), (2, "1".into()), (3, "x".into()), (4, "0".into())]);
    }
}
