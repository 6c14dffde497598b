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
    /// How its values are shown, where they have no names.
    pub radix: Radix,
}

/// How numbers of several bits are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Radix {
    /// `255`.
    #[default]
    Decimal,
    /// `8'hff`.
    Hexadecimal,
    /// `8'o377`.
    Octal,
    /// `8'b11111111`.
    Binary,
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
    /// Its value at a cycle as people write it: by its name where it has one, in the signal's radix.
    pub fn text_at(&self, cycle: usize) -> String {
        self.info.text(&self.at(cycle))
    }

    /// Its value at a cycle as programs read it: by its name where it has one, otherwise as a decimal number.
    pub fn decimal_at(&self, cycle: usize) -> String {
        self.info.decimal(&self.at(cycle))
    }
}

impl SignalInfo {
    /// How a value of the signal is shown: by the name that it has, otherwise in the signal's radix.
    pub fn text(&self, value: &Value) -> String {
        match value {
            Value::Bits(bits) if bits.width > 1 && self.name_of(bits).is_none() => {
                bits.in_radix(self.radix).unwrap_or_else(|| self.decimal(value))
            }
            _ => self.decimal(value),
        }
    }

    /// The same, and a number without a name as a decimal one with the sign that the signal gives it.
    pub fn decimal(&self, value: &Value) -> String {
        let Value::Bits(bits) = value else { return value.to_string() };
        match (self.name_of(bits), self.kind) {
            (Some(name), _) => name.to_owned(),
            (None, Kind::Bits { signed: true, .. }) => {
                bits.to_i64().map_or_else(|| bits.to_string(), |number| number.to_string())
            }
            _ => bits.to_string(),
        }
    }

    fn name_of(&self, bits: &BitVector) -> Option<&str> {
        let named = self.enumerators.iter().find(|named| named.bits.as_ref() == Some(bits));
        named.map(|named| named.name.as_str())
    }
}

impl BitVector {
    /// As Verilog writes it: `8'hff`, `3'b10x`. `None` for decimal numbers. A digit of which only some bits are known makes it binary.
    pub fn in_radix(&self, radix: Radix) -> Option<String> {
        let (letter, bits) = match radix {
            Radix::Decimal => return None,
            Radix::Hexadecimal => ('h', 4),
            Radix::Octal => ('o', 3),
            Radix::Binary => ('b', 1),
        };
        let all = self.digits().into_bytes();
        let digit = |bits: &[u8]| match bits[0] {
            unknown @ (b'x' | b'z') if bits.iter().all(|bit| *bit == unknown) => Some(unknown as char),
            _ => {
                let text = std::str::from_utf8(bits).ok()?;
                u32::from_str_radix(text, 2).ok().and_then(|number| char::from_digit(number, 16))
            }
        };
        let digits: Option<String> = all.rchunks(bits).rev().map(digit).collect();
        Some(match digits {
            Some(digits) => format!("{}'{letter}{digits}", self.width),
            None => format!("{}'b{}", self.width, self.digits()),
        })
    }

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
        SignalInfo { name: "top.x".into(), kind, enumerators: Vec::new(), wire: None, radix: Default::default() }
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
    fn values_are_shown_in_the_radix_that_is_wanted() {
        let shown = |radix, text: &str| SignalInfo { radix, ..info(8, true) }.text(&parsed(text));
        assert_eq!(shown(Radix::Hexadecimal, "11111010"), "8'hfa");
        assert_eq!(shown(Radix::Hexadecimal, "1010"), "4'ha");
        assert_eq!(shown(Radix::Hexadecimal, "011010"), "6'h1a");
        assert_eq!(shown(Radix::Hexadecimal, "xxxx1010"), "8'hxa");
        assert_eq!(shown(Radix::Hexadecimal, "1xxx1010"), "8'b1xxx1010");
        assert_eq!(shown(Radix::Octal, "11111010"), "8'o372");
        assert_eq!(shown(Radix::Binary, "11z"), "3'b11z");
        assert_eq!(shown(Radix::Decimal, "11111010"), "-6");
        assert_eq!(shown(Radix::Binary, "1"), "-1");
        assert_eq!(SignalInfo { radix: Radix::Binary, ..info(8, true) }.decimal(&parsed("11111010")), "-6");
    }

    #[test]
    fn a_named_value_is_shown_by_its_name() {
        let idle = Enumerator { name: "IDLE".into(), bits: BitVector::parse("01") };
        let info = SignalInfo { enumerators: vec![idle], ..info(2, false) };
        assert_eq!(info.text(&parsed("01")), "IDLE");
        assert_eq!(info.text(&parsed("10")), "2");
    }
}
