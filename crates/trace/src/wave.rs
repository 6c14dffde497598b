//! A hardware trace: signals by cycles, as a simulator or a model checker wrote them.
//!
//! A signal is stored as the cycles at which it changes and its values from there on; one-bit signals, which are most of
//! what formulas name, as two rows of bits. Only the signals that somebody asked for are in a [`Wave`].

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::bits::Bits;

/// Some signals of a trace over all its cycles.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Wave {
    /// How many cycles (rows) there are.
    pub cycles: usize,
    /// The last row is followed by this one, for ever.
    pub loop_start: Option<usize>,
    /// The time in the file of each cycle; empty where the file has none but the number of the cycle.
    pub times: Vec<u64>,
    /// What one step of time is, such as `1ns`, if the file says so.
    pub unit: Option<String>,
    /// The signals.
    pub signals: Vec<Signal>,
}

/// One signal over all cycles.
#[derive(Clone, PartialEq, Debug)]
pub struct Signal {
    /// What it is.
    pub info: SignalInfo,
    /// Its values.
    pub values: Values,
}

/// What a trace says of a signal without its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignalInfo {
    /// The full name, scopes before it, joined by `.`; without the range of its bits.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// The names that its values can have, where the file says so: the name and, if it stands for a number, its bits as
    /// the file writes them.
    pub enumerators: Vec<Enumerator>,
    /// Names with the same number are names of one signal, where the file says so.
    pub wire: Option<u32>,
}

/// A named value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: String,
    /// The bits it stands for; none where the trace itself has the name as value.
    pub bits: Option<BitVector>,
}

/// What the values of a signal are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// So many bits, the lowest of which has the number `low` (`[7:4]` has 4 bits and `low` 4). `descending` is false for `[0:7]`,
    /// where the bit numbered 0 is the most significant one.
    Bits {
        /// How many.
        width: u32,
        /// Are they two's complement?
        signed: bool,
        /// The smallest number of a bit.
        low: i64,
        /// Does the most significant bit have the largest number?
        descending: bool,
    },
    /// Whole numbers without a width.
    Integer,
    /// Floating-point numbers.
    Real,
    /// Names and texts.
    Text,
}

/// The values of a signal over all cycles.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// A one-bit signal: per cycle its value, and whether it is unknown (then a value of 1 means `x`, of 0 `z`).
    Bit {
        /// The value.
        value: Bits,
        /// Unknown?
        unknown: Bits,
    },
    /// Everything else: from cycle `at[i]` on the value is `value[i]`. `at[0]` is 0 unless there are no cycles, and `at` increases.
    Changes {
        /// The cycles.
        at: Vec<u32>,
        /// The values.
        value: Vec<Value>,
    },
}

/// One value of a signal or of an expression over signals.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Bits, some perhaps unknown.
    Bits(BitVector),
    /// A whole number.
    Integer(i128),
    /// A floating-point number.
    Real(f64),
    /// A name or a text.
    Text(Arc<str>),
}

/// Bits of which some may be unknown (`x`) or not driven (`z`), encoded as in Verilog's own interface: an unknown bit with
/// value 1 is `x`, with value 0 `z`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitVector {
    /// How many bits.
    pub width: u32,
    /// The values, lowest word first; bits beyond the width are 0.
    pub value: SmallVec<[u64; 1]>,
    /// The unknown ones; of the same length.
    pub unknown: SmallVec<[u64; 1]>,
}

impl Wave {
    /// The signal with this full name.
    pub fn signal(&self, name: &str) -> Option<usize> {
        self.signals.iter().position(|signal| signal.info.name == name)
    }

    /// The time in the file of a cycle.
    pub fn time(&self, cycle: usize) -> Option<u64> {
        self.times.get(cycle).copied()
    }
}

impl Signal {
    /// Its value at a cycle.
    pub fn at(&self, cycle: usize) -> Value {
        match &self.values {
            Values::Bit { value, unknown } => Value::Bits(BitVector::bit(value.get(cycle), unknown.get(cycle))),
            Values::Changes { at, value } => value[at.partition_point(|at| *at as usize <= cycle) - 1].clone(),
        }
    }
}

impl Signal {
    /// Its value at a cycle as people write it: by its name where it has one, with a sign where it is signed.
    pub fn text_at(&self, cycle: usize) -> String {
        self.info.text(&self.at(cycle))
    }
}

impl SignalInfo {
    /// How a value of the signal is written: by the name that it has, otherwise as a number with the sign that the signal gives it.
    pub fn text(&self, value: &Value) -> String {
        let Value::Bits(bits) = value else { return value.to_string() };
        let named = self.enumerators.iter().find(|named| named.bits.as_ref() == Some(bits));
        match (named, self.kind) {
            (Some(named), _) => named.name.clone(),
            (None, Kind::Bits { signed: true, .. }) => {
                bits.to_i64().map_or_else(|| bits.to_string(), |number| number.to_string())
            }
            _ => bits.to_string(),
        }
    }
}

impl BitVector {
    /// Two's complement, where all bits are known and there are at most 64 of them.
    pub(crate) fn to_i64(&self) -> Option<i64> {
        let number = self.to_u64().filter(|_| (1..=64).contains(&self.width))?;
        let above = 64 - self.width;
        Some((number << above).cast_signed() >> above)
    }

    /// One bit.
    pub fn bit(value: bool, unknown: bool) -> BitVector {
        BitVector {
            width: 1,
            value: SmallVec::from_elem(u64::from(value), 1),
            unknown: SmallVec::from_elem(u64::from(unknown), 1),
        }
    }

    /// A number of at most 64 bits; what does not fit is cut off.
    pub fn number(width: u32, number: u64) -> BitVector {
        let words = (width as usize).div_ceil(64).max(1);
        let mut value = SmallVec::from_elem(0, words);
        value[0] = if width >= 64 { number } else { number & ((1 << width) - 1) };
        BitVector { width, value, unknown: SmallVec::from_elem(0, words) }
    }

    /// From the characters that traces use, most significant first: `0 1 x z` and, from VHDL, `u w l h -`. `None` at any other.
    pub fn parse(text: &str) -> Option<BitVector> {
        let width = u32::try_from(text.len()).ok()?;
        let words = text.len().div_ceil(64).max(1);
        let mut bits =
            BitVector { width, value: SmallVec::from_elem(0, words), unknown: SmallVec::from_elem(0, words) };
        for (i, character) in text.bytes().rev().enumerate() {
            let (value, unknown) = match character {
                b'0' | b'l' | b'L' => (0, 0),
                b'1' | b'h' | b'H' => (1, 0),
                b'x' | b'X' | b'u' | b'U' | b'w' | b'W' | b'-' => (1, 1),
                b'z' | b'Z' => (0, 1),
                _ => return None,
            };
            bits.value[i / 64] |= value << (i % 64);
            bits.unknown[i / 64] |= unknown << (i % 64);
        }
        Some(bits)
    }

    /// The bits as a dump writes them, most significant first: `0 1 x z`.
    pub fn digits(&self) -> String {
        let digit = |i: u32| {
            let (word, shift) = ((i / 64) as usize, i % 64);
            match (self.unknown[word] >> shift & 1, self.value[word] >> shift & 1) {
                (0, 0) => '0',
                (0, _) => '1',
                (_, 0) => 'z',
                _ => 'x',
            }
        };
        (0..self.width).rev().map(digit).collect()
    }

    /// Is any bit unknown or not driven?
    pub fn has_unknown(&self) -> bool {
        self.unknown.iter().any(|word| *word != 0)
    }

    /// The number, where no bit is unknown and it fits.
    pub(crate) fn to_u64(&self) -> Option<u64> {
        (!self.has_unknown() && self.value[1..].iter().all(|word| *word == 0)).then(|| self.value[0])
    }
}

/// As hardware people write it: a decimal number up to 64 bits that are all known, otherwise the bits or, for wide known
/// ones, hexadecimal digits.
impl fmt::Display for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.has_unknown() {
            return f.write_str(&self.digits());
        }
        match self.to_u64() {
            Some(number) => write!(f, "{number}"),
            None => {
                let words: Vec<String> = self.value.iter().rev().map(|word| format!("{word:016x}")).collect();
                write!(f, "0x{}", words.concat().trim_start_matches('0'))
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bits(bits) => bits.fmt(f),
            Value::Integer(number) => number.fmt(f),
            Value::Real(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(width: u32, signed: bool) -> SignalInfo {
        let kind = Kind::Bits { width, signed, low: 0, descending: true };
        SignalInfo { name: "top.x".into(), kind, enumerators: Vec::new(), wire: None }
    }

    fn parsed(text: &str) -> Value {
        Value::Bits(BitVector::parse(text).expect("these are bits"))
    }

    #[test]
    fn signed_values_have_a_sign() {
        assert_eq!(info(4, true).text(&parsed("1111")), "-1");
        assert_eq!(info(4, true).text(&parsed("0111")), "7");
        assert_eq!(info(4, false).text(&parsed("1111")), "15");
        assert_eq!(info(4, true).text(&parsed("1x11")), "1x11");
        assert_eq!(info(64, true).text(&Value::Bits(BitVector::number(64, u64::MAX))), "-1");
    }

    #[test]
    fn a_named_value_is_shown_by_its_name() {
        let idle = Enumerator { name: "IDLE".into(), bits: BitVector::parse("01") };
        let info = SignalInfo { enumerators: vec![idle], ..info(2, false) };
        assert_eq!(info.text(&parsed("01")), "IDLE");
        assert_eq!(info.text(&parsed("10")), "2");
    }
}
