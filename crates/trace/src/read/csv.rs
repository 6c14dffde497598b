//! Comma-separated values (RFC 4180): names in the first line, then a row per cycle.
//!
//! Separators are `,`, `;` or tabs, whichever the header has most of. A cell is `0`, `1`, `x`, `z`, `true`, `false`, a whole
//! number (`42`, `0x2a`), a Verilog literal (`8'hff`), a floating-point number, or any text, in quotes if it holds a separator.
//! A column `time` of increasing whole numbers tells the times of the rows and is no signal.

use smallvec::SmallVec;

use super::cycles::X;
use super::error::{Place, ReadError};
use super::table::{Dialect, Meaning, Table};
use crate::wave::BitVector;

/// Reads a whole table.
pub(super) fn read(text: &str) -> Result<Table, ReadError> {
    let mut cells = Cells { text, at: 0, separator: separator(text), cell: String::new() };
    let mut names = Vec::new();
    while cells.next()? == After::Separator {
        names.push(cells.cell.trim().to_owned());
    }
    names.push(cells.cell.trim().to_owned());
    let mut table = Table::new(Dialect { meaning, label: |text| text });
    for (i, name) in names.iter().enumerate() {
        let number = i + 1;
        if name.is_empty() {
            return Err(ReadError::new(format!("column {number} has no name"))
                .at(Place { line: 1, column: 1 })
                .with_help("the first line of a table names its signals"));
        }
        if table.has(name) {
            return Err(ReadError::new(format!("two columns are called `{name}`")).at(Place { line: 1, column: 1 }));
        }
        table.column(name)?;
    }
    let clock = names.iter().position(|name| name == "time" || name == "#time");
    let mut times = clock.map(|_| Vec::new());
    let mut row_texts = vec![String::new(); names.len()];
    while cells.at < text.len() {
        let start = cells.at;
        let mut width = 0;
        loop {
            let after = cells.next()?;
            if width < names.len() {
                row_texts[width].clear();
                row_texts[width].push_str(cells.cell.trim());
            }
            width += 1;
            if after == After::Row {
                break;
            }
        }
        if text[start..cells.at].trim().is_empty() {
            continue;
        }
        if width != names.len() {
            let expected = names.len();
            return Err(ReadError::new(format!("this row has {width} cells, but there are {expected} names"))
                .at(Place::of(text.as_bytes(), start))
                .with_help("a text that holds the separator stands in double quotes"));
        }
        let row = table.rows();
        table.row()?;
        for (column, text) in row_texts.iter().enumerate() {
            if text.is_empty() {
                table.unset(column, row);
            } else {
                table.set(column, row, text);
            }
        }
        if let (Some(column), Some(known)) = (clock, &mut times) {
            match row_texts[column].parse::<u64>() {
                Ok(time) if known.last().is_none_or(|last| *last < time) => known.push(time),
                _ => times = None,
            }
        }
    }
    if let (Some(column), Some(times)) = (clock, times) {
        table.times = times;
        table.remove(column);
    }
    Ok(table)
}

/// What separates the cells of the first line.
fn separator(text: &str) -> u8 {
    let line = text.lines().next().unwrap_or("");
    let count = |separator: u8| line.bytes().filter(|byte| *byte == separator).count();
    // Of several with the same number the last in this list is taken.
    *[b'\t', b';', b','].iter().max_by_key(|separator| count(**separator)).unwrap_or(&b',')
}

/// What comes after a cell.
#[derive(PartialEq, Eq)]
enum After {
    Separator,
    Row,
}

struct Cells<'a> {
    text: &'a str,
    at: usize,
    separator: u8,
    cell: String,
}

impl Cells<'_> {
    /// Reads a cell and what ends it.
    fn next(&mut self) -> Result<After, ReadError> {
        self.cell.clear();
        let bytes = self.text.as_bytes();
        let start = self.at;
        if bytes.get(self.at) == Some(&b'"') {
            loop {
                self.at += 1;
                let Some(length) = self.text[self.at..].find('"') else {
                    return Err(ReadError::new("this quoted text has no end")
                        .at(Place::of(bytes, start))
                        .with_help("a quote inside of a quoted text is written twice"));
                };
                self.cell.push_str(&self.text[self.at..self.at + length]);
                self.at += length + 1;
                if bytes.get(self.at) != Some(&b'"') {
                    break;
                }
                self.cell.push('"');
            }
        }
        let rest = &bytes[self.at..];
        let length = rest.iter().position(|byte| *byte == self.separator || *byte == b'\n').unwrap_or(rest.len());
        self.cell.push_str(&self.text[self.at..self.at + length]);
        let after = if rest.get(length) == Some(&self.separator) { After::Separator } else { After::Row };
        self.at = (self.at + length + 1).min(bytes.len());
        Ok(after)
    }
}

/// What a cell says.
fn meaning(text: &str) -> Meaning {
    match text {
        "0" => return Meaning::Digit(false),
        "1" => return Meaning::Digit(true),
        "x" | "X" => return Meaning::Unknown(X),
        "z" | "Z" => return Meaning::Unknown(2),
        "true" | "TRUE" | "True" => return Meaning::Truth(true),
        "false" | "FALSE" | "False" => return Meaning::Truth(false),
        _ => {}
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u128::from_str_radix(digits, 16)
            .ok()
            .filter(|_| !digits.starts_with('+'))
            .and_then(|number| i128::try_from(number).ok())
            .map_or(Meaning::Text, Meaning::Integer);
    }
    if let Some((width, digits)) = text.split_once('\'') {
        return literal(width, digits).unwrap_or(Meaning::Text);
    }
    if let Ok(number) = text.parse::<i128>() {
        return Meaning::Integer(number);
    }
    let digits = text.trim_start_matches(['-', '+']);
    let numeric = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    text.parse::<f64>().ok().filter(|_| numeric).map_or(Meaning::Text, Meaning::Real)
}

/// The widest literal that is read.
const WIDEST: u32 = 1 << 16;

/// `8'hff`, `4'b1x0z`, `8'sd255`, in parts around the quote.
fn literal(width: &str, digits: &str) -> Option<Meaning> {
    let width: u32 = width.parse().ok().filter(|width| (1..=WIDEST).contains(width))?;
    let signed = digits.starts_with(['s', 'S']);
    let digits = digits.trim_start_matches(['s', 'S']);
    let (base, digits) = (digits.get(..1)?, digits.get(1..)?.replace('_', ""));
    let bits = match base {
        "b" | "B" => spelled(&digits, 1, width)?,
        "o" | "O" => spelled(&digits, 3, width)?,
        "h" | "H" => spelled(&digits, 4, width)?,
        "d" | "D" => {
            let number: u128 = digits.parse().ok()?;
            wide(width, number)?
        }
        _ => return None,
    };
    Some(Meaning::Word(bits, signed))
}

/// Bits of digits that stand for so many each.
pub(super) fn spelled(digits: &str, bits_each: u32, width: u32) -> Option<BitVector> {
    let mut bits = String::new();
    for digit in digits.chars() {
        match digit {
            'x' | 'X' | 'z' | 'Z' => bits.extend(std::iter::repeat_n(digit, bits_each as usize)),
            _ => {
                let digit = digit.to_digit(1 << bits_each)?;
                bits.extend((0..bits_each).rev().map(|bit| if digit >> bit & 1 == 1 { '1' } else { '0' }));
            }
        }
    }
    let first = bits.chars().next()?;
    let missing = (width as usize).saturating_sub(bits.len());
    let fill = if matches!(first, '0' | '1') { '0' } else { first };
    let excess = bits.len().saturating_sub(width as usize);
    if bits[..excess].contains('1') {
        return None;
    }
    BitVector::parse(&format!("{}{}", fill.to_string().repeat(missing), &bits[excess..]))
}

/// A number of so many bits, if it fits.
pub(super) fn wide(width: u32, number: u128) -> Option<BitVector> {
    if width < 128 && number >> width != 0 {
        return None;
    }
    let words = (width as usize).div_ceil(64).max(1);
    let mut value: SmallVec<[u64; 1]> = SmallVec::from_elem(0, words);
    for (i, word) in value.iter_mut().enumerate().take(2) {
        *word = (number >> (64 * i)) as u64;
    }
    Some(BitVector { width, value, unknown: SmallVec::from_elem(0, words) })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::trace::{self, Sampling};
    use super::*;
    use crate::wave::{Kind, Wave};

    fn loaded(text: &str) -> Result<Wave, ReadError> {
        let mut trace = trace::open(Cursor::new(text.as_bytes().to_vec()))?;
        let all: Vec<usize> = (0..trace.signals().len()).collect();
        trace.load(&all, &Sampling::default())
    }

    fn column(text: &str) -> (Kind, String) {
        let wave =
            loaded(&format!("a,b\n{}", text.lines().map(|line| format!("{line},0\n")).collect::<String>())).unwrap();
        let values: Vec<String> = (0..wave.cycles).map(|cycle| wave.signals[0].at(cycle).to_string()).collect();
        (wave.signals[0].info.kind, values.join(" "))
    }

    #[test]
    fn cells_decide_the_kind_of_a_column() {
        let bits = |width, signed| Kind::Bits { width, signed, low: 0, descending: true };
        assert_eq!(column("0\nx\n1\nZ\n"), (bits(1, false), "0 x 1 z".to_owned()));
        assert_eq!(column("true\nFalse\n"), (bits(1, false), "1 0".to_owned()));
        assert_eq!(column("0\n-12\n0x1f"), (Kind::Integer, "0 -12 31".to_owned()));
        assert_eq!(column("8'hff\n8'b1x\nx\n8'd7"), (bits(8, false), "255 0000001x xxxxxxxx 7".to_owned()));
        assert_eq!(column("5\n\n7"), (bits(3, false), "5 xxx 7".to_owned()));
        assert_eq!(column("1.5\n-2"), (Kind::Real, "1.5 -2".to_owned()));
        assert_eq!(column("idle\n8'hgg\n\"a,\"\"b\"\"\""), (Kind::Text, "idle 8'hgg a,\"b\"".to_owned()));
        assert_eq!(column("4'b0001\n3'sb100"), (bits(4, true), "1 12".to_owned()));
    }

    #[test]
    fn separators_and_times() {
        let wave = loaded("#time;a b;c\r\n5; 1 ;x\r\n\r\n9;0;1,5\r\n").unwrap();
        assert_eq!(wave.times, [5, 9]);
        let names: Vec<_> = wave.signals.iter().map(|signal| &*signal.info.name).collect();
        assert_eq!(names, ["a b", "c"]);
        assert_eq!(loaded("time\ta\n5\t1\n5\t1\n").unwrap().signals.len(), 2, "these are no times");
    }

    #[test]
    fn errors_have_places() {
        let problem = |text: &str| loaded(text).unwrap_err().to_string();
        assert_eq!(problem("a,b\n1,2\n1\n"), "3:1: this row has 1 cells, but there are 2 names");
        assert_eq!(problem("a,b\n1,\"x\n"), "2:3: this quoted text has no end");
        assert_eq!(problem("a,a\n1,2\n"), "1:1: two columns are called `a`");
        assert_eq!(problem("a,\n1,2\n"), "1:1: column 2 has no name");
        assert_eq!(problem("a,b\n"), "the trace has no cycle");
        assert_eq!(problem("a,b\n1.5,1\n,1\n"), "`a` has no value in row 1");
        assert_eq!(problem("  \n"), "the file is empty");
    }
}
