//! Traces that are a table of texts: which kind of values a column has, and its values.
//!
//! The readers of text formats give names and, row by row, what is written under them. Texts are stored once, and a
//! column holds only the rows at which it changes. When all rows are there, the kind of a column is the narrowest that all
//! its texts are: bits, whole numbers, floating-point numbers, names. What a text can be is up to the format
//! ([`Meaning`]), because `1` is a bit in one of them and a number in the other.

use std::collections::HashMap;
use std::sync::Arc;

use super::cycles::{self, Recording, Track, X};
use super::error::ReadError;
use crate::wave::{BitVector, Enumerator, Kind, SignalInfo, Value};

/// What a text of a cell says.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Meaning {
    /// Nothing: there is no value in this row.
    Missing,
    /// A truth value.
    Truth(bool),
    /// An unknown bit, or a value of which nothing is known; with the code of its bits.
    Unknown(u8),
    /// 0 or 1, which may be a bit or a number.
    Digit(bool),
    /// Bits of a stated width, perhaps two's complement.
    Word(BitVector, bool),
    /// A whole number.
    Integer(i128),
    /// Any other number.
    Real(f64),
    /// None of these.
    Text,
}

/// How a format understands its texts.
#[derive(Clone, Copy)]
pub(super) struct Dialect {
    /// What a text says.
    pub meaning: fn(&str) -> Meaning,
    /// A text without the marks of the format.
    pub label: fn(&str) -> &str,
}

/// Rows of texts.
pub(super) struct Table {
    dialect: Dialect,
    rows: usize,
    /// The time of each row; empty if there are none.
    pub times: Vec<u64>,
    /// The row that follows the last.
    pub loop_start: Option<usize>,
    /// More traces in the file.
    pub others: usize,
    /// What else to know.
    pub notes: Vec<String>,
    columns: Vec<Column>,
    names: HashMap<Arc<str>, usize>,
    texts: Texts,
}

struct Column {
    name: Arc<str>,
    at: Vec<u32>,
    text: Vec<u32>,
}

#[derive(Default)]
struct Texts {
    all: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl Texts {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let text: Arc<str> = Arc::from(text);
        let number = self.all.len() as u32;
        self.all.push(text.clone());
        self.numbers.insert(text, number);
        number
    }
}

/// The text of a cell without a value; no format can write it.
const MISSING: &str = "\0";
/// Columns with more different names list none of them.
const MOST_ENUMERATORS: usize = 4096;
/// No table has as many columns by intention.
const MOST_COLUMNS: usize = 1 << 20;

impl Table {
    pub(super) fn new(dialect: Dialect) -> Table {
        Table {
            dialect,
            rows: 0,
            times: Vec::new(),
            loop_start: None,
            others: 0,
            notes: Vec::new(),
            columns: Vec::new(),
            names: HashMap::new(),
            texts: Texts::default(),
        }
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Starts a row, in which every column has the value of the row before.
    pub(super) fn row(&mut self) -> Result<(), ReadError> {
        self.rows += 1;
        if self.rows >= u32::MAX as usize {
            return Err(ReadError::new("there are more than 4 billion rows"));
        }
        Ok(())
    }

    /// The column of a name, a new one if need be; without a value in the rows that are there already.
    pub(super) fn column(&mut self, name: &str) -> Result<usize, ReadError> {
        if let Some(column) = self.names.get(name) {
            return Ok(*column);
        }
        if self.columns.len() == MOST_COLUMNS {
            return Err(ReadError::new("there are more than a million signals"));
        }
        let name: Arc<str> = Arc::from(name);
        self.names.insert(name.clone(), self.columns.len());
        self.columns.push(Column { name, at: Vec::new(), text: Vec::new() });
        Ok(self.columns.len() - 1)
    }

    /// Is there a column of this name?
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The value of a column in a row, which must be the last that it has a value in or a later one, and from there on.
    pub(super) fn set(&mut self, column: usize, row: usize, text: &str) {
        let number = self.texts.number(text);
        let column = &mut self.columns[column];
        if column.at.last() == Some(&(row as u32)) {
            column.at.pop();
            column.text.pop();
        }
        if column.text.last() != Some(&number) {
            column.at.push(row as u32);
            column.text.push(number);
        }
    }

    /// The value that a column had last.
    pub(super) fn last(&self, column: usize) -> Option<&str> {
        self.columns[column].text.last().map(|text| &*self.texts.all[*text as usize])
    }

    /// A column has no value in a row and from there on.
    pub(super) fn unset(&mut self, column: usize, row: usize) {
        self.set(column, row, MISSING);
    }

    /// Do two rows have the same values, in columns that pass the test?
    pub(super) fn same(&self, a: usize, b: usize, counts: impl Fn(&str) -> bool) -> bool {
        let text = |column: &Column, row: usize| {
            let change = column.at.partition_point(|at| *at as usize <= row);
            change.checked_sub(1).map(|change| column.text[change])
        };
        self.columns.iter().filter(|column| counts(&column.name)).all(|column| text(column, a) == text(column, b))
    }

    /// Takes away the last row.
    pub(super) fn drop_row(&mut self) {
        self.rows -= 1;
        self.times.truncate(self.rows);
        for column in &mut self.columns {
            if column.at.last() == Some(&(self.rows as u32)) {
                column.at.pop();
                column.text.pop();
            }
        }
    }

    /// Takes away a column; those after it get other numbers.
    pub(super) fn remove(&mut self, column: usize) {
        self.columns.remove(column);
        self.names.retain(|_, number| *number != column);
        self.names.values_mut().filter(|number| **number > column).for_each(|number| *number -= 1);
    }

    /// Finds the kinds.
    pub(super) fn finish(self) -> (Table, Vec<SignalInfo>) {
        let mut seen = vec![usize::MAX; self.texts.all.len()];
        let infos = self.columns.iter().enumerate().map(|(index, column)| {
            let mut own = Vec::new();
            if column.at.first() != Some(&0) {
                own.push(MISSING);
            }
            for text in &column.text {
                if std::mem::replace(&mut seen[*text as usize], index) != index {
                    own.push(&*self.texts.all[*text as usize]);
                }
            }
            let kind = kind(own.iter().map(|text| self.meaning(text)));
            let mut enumerators = Vec::new();
            if kind == Kind::Text && own.len() <= MOST_ENUMERATORS {
                let names =
                    own.iter().filter(|text| **text != MISSING).map(|text| (self.dialect.label)(text).to_owned());
                enumerators.extend(names.map(|name| Enumerator { name, bits: None }));
            }
            SignalInfo { name: column.name.to_string(), kind, enumerators, wire: None, radix: Default::default() }
        });
        let infos = infos.collect();
        (self, infos)
    }

    fn meaning(&self, text: &str) -> Meaning {
        if text == MISSING { Meaning::Missing } else { (self.dialect.meaning)(text) }
    }

    /// The changes of some columns.
    pub(super) fn record(&self, columns: &[usize], infos: &[SignalInfo]) -> Result<Recording, ReadError> {
        let tracks = columns.iter().map(|column| self.track(*column, &infos[*column]));
        Ok(Recording {
            steps: self.rows,
            times: self.times.clone(),
            unit: None,
            loop_start: self.loop_start,
            tracks: tracks.collect::<Result<_, _>>()?,
            track_of: (0..columns.len()).collect(),
        })
    }

    fn track(&self, column: usize, info: &SignalInfo) -> Result<Track, ReadError> {
        let column = &self.columns[column];
        let changes = column.at.iter().zip(column.text.iter().map(|text| &self.texts.all[*text as usize]));
        let mut track = Track::new(info.kind);
        let first_missing = column.at.first().is_none_or(|at| *at > 0) && self.rows > 0;
        let missing = |row: u32| {
            ReadError::new(format!("`{}` has no value in row {row}", info.name))
                .with_help("rows are numbered from 0; give it a value there, or leave the signal out of the formula")
        };
        match &mut track {
            Track::Bit { at, code } => {
                for (row, text) in changes {
                    at.push(*row);
                    code.push(match self.meaning(text) {
                        Meaning::Truth(bit) | Meaning::Digit(bit) => u8::from(bit),
                        Meaning::Word(bits, _) => (bits.value[0] | bits.unknown[0] << 1) as u8,
                        Meaning::Unknown(code) => code,
                        Meaning::Integer(number) => (number & 1) as u8,
                        _ => X,
                    });
                }
            }
            Track::Vector { width, at, words } => {
                for (row, text) in changes {
                    at.push(*row);
                    word(&self.meaning(text), *width, words);
                }
            }
            Track::Other { at, value, .. } => {
                if first_missing && info.kind == Kind::Real {
                    return Err(missing(0));
                }
                for (row, text) in changes {
                    at.push(*row);
                    value.push(match (info.kind, self.meaning(text)) {
                        (Kind::Integer, Meaning::Integer(number)) => Value::Integer(number),
                        (Kind::Integer, Meaning::Digit(bit)) => Value::Integer(i128::from(bit)),
                        (Kind::Real, Meaning::Real(number)) => Value::Real(number),
                        (Kind::Real, Meaning::Integer(number)) => Value::Real(number as f64),
                        (Kind::Real, Meaning::Digit(bit)) => Value::Real(f64::from(u8::from(bit))),
                        (Kind::Real, _) => return Err(missing(*row)),
                        (_, Meaning::Missing) => Value::Text(Arc::from("")),
                        _ if (self.dialect.label)(text).len() == text.len() => Value::Text(text.clone()),
                        _ => Value::Text(Arc::from((self.dialect.label)(text))),
                    });
                }
            }
            Track::Event { .. } => {}
        }
        Ok(track)
    }
}

/// The kind of a column by what its texts say, `Missing` where there is none.
fn kind(meanings: impl Iterator<Item = Meaning>) -> Kind {
    let (mut known, mut unknown, mut bits, mut words, mut numbers, mut reals) = (false, false, true, true, true, true);
    let (mut width, mut signed, mut stated) = (1, false, false);
    for meaning in meanings {
        known |= !matches!(meaning, Meaning::Missing);
        match meaning {
            Meaning::Missing | Meaning::Unknown(_) => {
                unknown = true;
                reals &= meaning == Meaning::Missing;
            }
            Meaning::Truth(_) => (words, numbers, reals) = (false, false, false),
            Meaning::Digit(_) => {}
            Meaning::Word(word, two) => {
                (bits, numbers, reals, stated) = (bits && word.width == 1, false, false, true);
                (width, signed) = (width.max(word.width), signed | two);
            }
            Meaning::Integer(number) => {
                bits = false;
                signed |= number < 0;
                width = width.max(needed(number));
            }
            Meaning::Real(_) => (bits, words, numbers) = (false, false, false),
            Meaning::Text => (bits, words, numbers, reals) = (false, false, false, false),
        }
    }
    let of = |width, signed| Kind::Bits { width, signed, low: 0, descending: true };
    match () {
        () if !known => Kind::Text,
        () if bits => of(1, false),
        () if words && stated => of(width, signed),
        // Whole numbers without a width cannot be unknown, hence they get one.
        () if numbers && unknown => of(width + u32::from(signed), signed),
        () if numbers => Kind::Integer,
        () if reals => Kind::Real,
        () => Kind::Text,
    }
}

/// So many bits does a number have, the sign apart.
fn needed(number: i128) -> u32 {
    let magnitude = if number < 0 { !number } else { number };
    (128 - magnitude.leading_zeros()).max(1)
}

/// Appends the words of a value of so many bits.
fn word(meaning: &Meaning, width: u32, words: &mut Vec<u64>) {
    let half = (width as usize).div_ceil(64);
    let start = words.len();
    words.extend(cycles::unknown(width));
    let all = words[start..start + half].to_vec();
    let added = &mut words[start..];
    match meaning {
        Meaning::Digit(_) | Meaning::Integer(_) => {
            let number = match meaning {
                Meaning::Integer(number) => *number,
                other => i128::from(*other == Meaning::Digit(true)),
            };
            for (i, mask) in all.iter().enumerate() {
                let part = if i < 2 { (number >> (64 * i)) as u64 } else { (number >> 127) as u64 };
                (added[i], added[half + i]) = (part & mask, 0);
            }
        }
        Meaning::Word(bits, signed) => {
            let sign = bits.width - 1;
            let (last, shift) = ((sign / 64) as usize, sign % 64);
            let extend = |words: &[u64]| {
                let ones = *signed && words[last] >> shift & 1 == 1;
                let words: Vec<u64> = words.to_vec();
                move |i: usize| {
                    let mut word = words.get(i).copied().unwrap_or(0);
                    if ones && i >= last {
                        word |= if i > last { u64::MAX } else { u64::MAX << shift };
                    }
                    word
                }
            };
            let (value, unknown) = (extend(&bits.value), extend(&bits.unknown));
            for (i, mask) in all.iter().enumerate() {
                (added[i], added[half + i]) = (value(i) & mask, unknown(i) & mask);
            }
        }
        Meaning::Unknown(2) => added[..half].fill(0),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: u32, signed: bool) -> Kind {
        Kind::Bits { width, signed, low: 0, descending: true }
    }

    #[test]
    fn the_narrowest_kind_that_fits_all_texts() {
        use Meaning::{Digit, Integer, Missing, Real, Text, Truth, Unknown};
        let word = |text: &str, signed| Meaning::Word(BitVector::parse(text).unwrap(), signed);
        let cases = [
            (vec![Digit(false), Unknown(X), Missing], of(1, false)),
            (vec![Truth(false), Missing], of(1, false)),
            (vec![Digit(false), Integer(7)], Kind::Integer),
            (vec![Integer(7), Unknown(X)], of(3, false)),
            (vec![Integer(-8), Digit(true), Missing], of(4, true)),
            (vec![Integer(7), Real(0.5)], Kind::Real),
            (vec![Integer(7), Real(0.5), Unknown(X)], Kind::Text),
            (vec![word("0101", false), Unknown(X), Digit(true)], of(4, false)),
            (vec![word("0101", true), Truth(true)], Kind::Text),
            (vec![Text, Digit(true)], Kind::Text),
            (vec![Missing], Kind::Text),
        ];
        for (meanings, expected) in cases {
            assert_eq!(kind(meanings.iter().cloned()), expected, "{meanings:?}");
        }
    }

    #[test]
    fn words_are_extended_by_their_sign() {
        let mut words = Vec::new();
        word(&Meaning::Word(BitVector::parse("10").unwrap(), true), 4, &mut words);
        word(&Meaning::Word(BitVector::parse("10").unwrap(), false), 4, &mut words);
        word(&Meaning::Word(BitVector::parse("x0").unwrap(), true), 4, &mut words);
        word(&Meaning::Integer(-2), 4, &mut words);
        word(&Meaning::Unknown(2), 4, &mut words);
        assert_eq!(words, [14, 0, 2, 0, 14, 14, 14, 0, 0, 15]);
        words.clear();
        word(&Meaning::Integer(-2), 130, &mut words);
        assert_eq!(words, [u64::MAX - 1, u64::MAX, 3, 0, 0, 0]);
    }

    #[test]
    fn a_row_that_is_taken_away_leaves_nothing() {
        let mut table = Table::new(Dialect { meaning: |_| Meaning::Text, label: |text| text });
        let a = table.column("a").unwrap();
        for (row, text) in ["p", "q", "p"].iter().enumerate() {
            table.row().unwrap();
            table.set(a, row, text);
        }
        assert!(table.same(0, 2, |_| true) && !table.same(0, 1, |_| true));
        table.drop_row();
        assert_eq!((table.rows(), table.columns[a].at.len()), (2, 2));
    }
}
