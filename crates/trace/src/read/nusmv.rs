//! Counterexamples as NuSMV and nuXmv print them.
//!
//! A state lists what changed since the state before it; the rest stays. `-> Input: 1.3 <-` stands between the states 1.2
//! and 1.3 and is read into the row of state 1.2: it is what the system is given there, and where the model's own
//! transition relation refers to it. The last state has no inputs: bits are unknown there, and numbers and names stay what
//! they were. A lasso is printed with the first state of its loop again at the end; that row is left out, so that the last
//! row is followed by the row at which the loop starts.

use std::collections::BTreeSet;

use super::csv::{spelled, wide};
use super::error::{Place, ReadError};
use super::table::{Dialect, Meaning, Table};
use crate::wave::BitVector;

/// How NuSMV writes values.
pub(super) const DIALECT: Dialect = Dialect { meaning, label: |text| text };

/// Do these lines look like a counterexample of NuSMV?
pub(super) fn resembles(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii();
        let starts =
            [&b"-> State: "[..], b"Trace Description:", b"-- specification ", b"*** This is N", b"*** This is nuXmv"];
        starts.iter().any(|start| line.starts_with(start))
    })
}

/// The part of a trace that assignments belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Outside,
    State,
    Input,
}

/// Reads the first trace of a file.
pub(super) fn read(text: &str) -> Result<Table, ReadError> {
    let mut steps = Steps::new();
    let (mut part, mut trace, mut traces, mut loops) = (Part::Outside, None, 0, false);
    for (number, line) in text.lines().enumerate() {
        let content = line.trim();
        let error = |message: String| {
            let column = (line.len() - line.trim_start().len()) as u64 + 1;
            ReadError::new(message).at(Place { line: number as u64 + 1, column })
        };
        if let Some((kind, own)) = heading(content) {
            if trace != Some(own) {
                (trace, traces) = (Some(own), traces + 1);
            }
            part = kind;
            if traces == 1 && part == Part::State {
                if std::mem::take(&mut loops) {
                    steps.loop_at(steps.rows());
                }
                steps.state()?;
            }
        } else if content.starts_with("Trace Description:") {
            (trace, part, loops) = (None, Part::Outside, false);
        } else if content == "-- Loop starts here" {
            loops = true;
        } else if content.starts_with("-- ") || !line.starts_with([' ', '\t']) {
            // Verdicts, banners and prompts; assignments are indented.
            part = if content.is_empty() || part == Part::Outside { part } else { Part::Outside };
        } else if part != Part::Outside && traces == 1 && !content.is_empty() {
            let Some((name, value)) = content.split_once(" = ") else {
                return Err(error(format!("`{content}` is no assignment"))
                    .with_help("in a state, every line is `name = value`"));
            };
            steps.assign(name.trim(), value.trim(), part == Part::Input)?;
        }
    }
    if traces == 0 {
        return Err(ReadError::new("there is no trace in this output")
            .with_help("a trace has states, `-> State: 1.1 <-`; does the specification hold?"));
    }
    steps.finish(traces - 1)
}

/// `-> State: 1.2 <-` as its part and the number of the trace.
fn heading(line: &str) -> Option<(Part, u64)> {
    let inside = line.strip_prefix("->")?.strip_suffix("<-")?.trim();
    let (part, number) = match inside.strip_prefix("State:") {
        Some(number) => (Part::State, number),
        None => (Part::Input, inside.strip_prefix("Input:")?),
    };
    Some((part, number.trim().split('.').next()?.parse().ok()?))
}

/// A trace that grows state by state; what the text and the XML have in common.
pub(super) struct Steps {
    table: Table,
    inputs: BTreeSet<String>,
    loop_start: Option<usize>,
}

impl Steps {
    pub(super) fn new() -> Steps {
        Steps { table: Table::new(DIALECT), inputs: BTreeSet::new(), loop_start: None }
    }

    /// Starts a state.
    pub(super) fn state(&mut self) -> Result<(), ReadError> {
        self.table.row()
    }

    /// How many states there are.
    pub(super) fn rows(&self) -> usize {
        self.table.rows()
    }

    /// The loop starts at a row, unless it starts before it already.
    pub(super) fn loop_at(&mut self, row: usize) {
        self.loop_start = self.loop_start.or(Some(row));
    }

    /// A value in the state that was started last, or of an input there.
    pub(super) fn assign(&mut self, name: &str, value: &str, input: bool) -> Result<(), ReadError> {
        let column = self.table.column(name)?;
        if input && !self.inputs.contains(name) {
            self.inputs.insert(name.to_owned());
        }
        let row = self.table.rows().saturating_sub(1);
        self.table.set(column, row, value);
        Ok(())
    }

    /// The trace, if it has a state; `others` were in the file.
    pub(super) fn finish(mut self, others: usize) -> Result<Table, ReadError> {
        let table = &mut self.table;
        table.others = others;
        if table.rows() == 0 {
            return Err(ReadError::new("the trace has no state").with_help("was the model checker stopped?"));
        }
        if others > 0 {
            let plural = if others == 1 { "trace was" } else { "traces were" };
            table.notes.push(format!("The first trace of the file was read; {others} more {plural} not."));
        }
        let last = table.rows() - 1;
        let mut repeated = false;
        if let Some(start) = self.loop_start {
            if start > last {
                return Err(ReadError::new("the loop starts after the last state"));
            }
            repeated = start < last && table.same(start, last, |name| !self.inputs.contains(name));
            if start < last && !repeated {
                table.notes.push(
                    "The last state does not repeat the one at which the loop starts; it was taken as part of the loop."
                        .to_owned(),
                );
            }
            table.loop_start = Some(start);
        }
        if repeated {
            table.drop_row();
        } else {
            for name in &self.inputs {
                let column = table.column(name)?;
                let bits = matches!(table.last(column).map(meaning), Some(Meaning::Truth(_) | Meaning::Word(..)));
                if bits && table.rows() > 1 {
                    table.unset(column, last);
                }
            }
        }
        Ok(self.table)
    }
}

/// What a value of NuSMV is.
fn meaning(text: &str) -> Meaning {
    match text {
        "TRUE" => return Meaning::Truth(true),
        "FALSE" => return Meaning::Truth(false),
        _ => {}
    }
    let (positive, sign) = text.strip_prefix('-').map_or((text, 1), |rest| (rest, -1));
    if let Some((bits, signed)) = word(positive, sign < 0) {
        return Meaning::Word(bits, signed);
    }
    if !text.starts_with('+')
        && let Ok(number) = text.parse::<i128>()
    {
        return Meaning::Integer(number);
    }
    let fraction = text.strip_prefix("f'").or_else(|| text.strip_prefix("F'")).unwrap_or(text);
    let fraction = fraction.strip_prefix('-').unwrap_or(fraction);
    let negative = text.contains('-');
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = match fraction.split_once('/') {
        Some((above, below)) if digits(above) && digits(below) => {
            above.parse::<f64>().ok().zip(below.parse::<f64>().ok()).map(|(above, below)| above / below)
        }
        None if fraction.starts_with(|first: char| first.is_ascii_digit()) => fraction.parse::<f64>().ok(),
        _ => None,
    };
    let value = value.filter(|value| value.is_finite());
    value.map_or(Meaning::Text, |value| Meaning::Real(if negative { -value } else { value }))
}

/// The widest word that is read.
const WIDEST: u32 = 1 << 16;

/// `0ud8_255`, `0sd8_3`, `0ub4_0101`, `0h8_ff`: the bits, and whether they are two's complement.
fn word(text: &str, negative: bool) -> Option<(BitVector, bool)> {
    let rest = text.strip_prefix('0')?;
    let (rest, signed) = match rest.strip_prefix('s') {
        Some(rest) => (rest, true),
        None => (rest.strip_prefix('u').unwrap_or(rest), false),
    };
    let base = rest.get(..1)?;
    let (width, digits) = rest.get(1..)?.split_once('_')?;
    let negative = negative ^ digits.starts_with('-');
    let digits = digits.trim_start_matches('-').replace('_', "");
    let each = match base {
        "b" | "B" => 1,
        "o" | "O" => 3,
        "h" | "H" => 4,
        "d" | "D" => 0,
        _ => return None,
    };
    let width = match width {
        "" => u32::try_from(digits.len()).ok()?.checked_mul(each)?,
        width => width.parse().ok()?,
    };
    if width == 0 || width > WIDEST || digits.contains(['x', 'z', 'X', 'Z']) {
        return None;
    }
    let mut bits = match each {
        0 => decimal(&digits, width)?,
        each => spelled(&digits, each, width)?,
    };
    if negative {
        let mut carry = true;
        for (i, word) in bits.value.iter_mut().enumerate() {
            let (sum, over) = (!*word).overflowing_add(u64::from(carry));
            let left = width as usize - i * 64;
            *word = if left < 64 { sum & ((1 << left) - 1) } else { sum };
            carry = over;
        }
    }
    Some((bits, signed))
}

/// A decimal number of any size, cut to so many bits if it does not fit.
fn decimal(digits: &str, width: u32) -> Option<BitVector> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    if let Ok(number) = digits.parse::<u128>() {
        let mask = if width < 128 { (1 << width) - 1 } else { u128::MAX };
        return wide(width, number & mask);
    }
    let mut bits = wide(width, 0)?;
    for digit in digits.bytes() {
        let mut carry = u128::from(digit - b'0');
        for word in &mut bits.value {
            let product = u128::from(*word) * 10 + carry;
            (*word, carry) = (product as u64, product >> 64);
        }
    }
    if !width.is_multiple_of(64)
        && let Some(last) = bits.value.last_mut()
    {
        *last &= (1 << (width % 64)) - 1;
    }
    Some(bits)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::trace::{self, Format, Sampling, Trace};
    use super::*;
    use crate::wave::{Kind, Wave};

    const LASSO: &str = "*** This is NuSMV 2.6.0 (compiled on Wed)

-- specification  G (F !(s = busy))  is false
-- as demonstrated by the following execution sequence
Trace Description: LTL Counterexample 
Trace Type: Counterexample 
  -> State: 1.1 <-
    go = FALSE
    s = idle
    m.count[0] = 3
    w = 0ud8_255
    half = f'1/2
  -> Input: 1.2 <-
    push = TRUE
    key = 7
  -- Loop starts here
  -> State: 1.2 <-
    go = TRUE
    s = busy
    w = 0sd8_-3
  -> Input: 1.3 <-
    push = FALSE
  -> State: 1.3 <-
    m.count[0] = -4
  -> State: 1.4 <-
    m.count[0] = 3
-- specification AG TRUE  is true
Trace Description: CTL Counterexample 
  -> State: 2.1 <-
    other = 1
";

    fn opened(text: &str) -> Result<Trace, ReadError> {
        trace::open(Cursor::new(text.as_bytes().to_vec()))
    }

    fn loaded(text: &str) -> Wave {
        let mut trace = opened(text).unwrap();
        let all: Vec<usize> = (0..trace.signals().len()).collect();
        trace.load(&all, &Sampling::default()).unwrap()
    }

    fn row(wave: &Wave, name: &str) -> String {
        let signal = &wave.signals[wave.signal(name).unwrap()];
        (0..wave.cycles).map(|cycle| signal.at(cycle).to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_lasso_without_its_repeated_state() {
        let trace = opened(LASSO).unwrap();
        assert_eq!((trace.format(), trace.others()), (Format::NusmvText, 1));
        assert!(trace.signals().iter().all(|signal| signal.name != "other"));
        let wave = loaded(LASSO);
        assert_eq!((wave.cycles, wave.loop_start), (3, Some(1)));
        assert_eq!(row(&wave, "go"), "0 1 1");
        assert_eq!(row(&wave, "s"), "idle busy busy");
        assert_eq!(row(&wave, "m.count[0]"), "3 3 -4");
        assert_eq!(row(&wave, "w"), "255 253 253");
        assert_eq!(row(&wave, "half"), "0.5 0.5 0.5");
        assert_eq!(row(&wave, "push"), "1 0 0", "an input stands in the row of the state before it");
        let s = &wave.signals[wave.signal("s").unwrap()].info;
        assert_eq!(s.enumerators.iter().map(|e| &*e.name).collect::<Vec<_>>(), ["idle", "busy"]);
    }

    #[test]
    fn the_last_state_has_no_inputs() {
        let text =
            "-> State: 1.1 <-\n  a = TRUE\n-> Input: 1.2 <-\n  i = TRUE\n  k = 5\n-> State: 1.2 <-\n  a = FALSE\n";
        let wave = loaded(text);
        assert_eq!((row(&wave, "i"), row(&wave, "k")), ("1 x".to_owned(), "5 5".to_owned()));
    }

    #[test]
    fn a_loop_that_is_not_closed_is_noted() {
        let text =
            "-> State: 1.1 <-\n -- Loop starts here\n-> State: 1.2 <-\n  a = TRUE\n-> State: 1.3 <-\n  a = FALSE\n";
        assert_eq!(opened(text).unwrap().notes().len(), 1);
        let wave = loaded(text);
        assert_eq!((wave.cycles, wave.loop_start), (3, Some(1)));
    }

    #[test]
    fn values_of_every_type() {
        let bits = |text: &str, signed| Meaning::Word(BitVector::parse(text).unwrap(), signed);
        let cases = [
            ("0ub4_0101", bits("0101", false)),
            ("0b_11", bits("11", false)),
            ("0uh8_fE", bits("11111110", false)),
            ("-0sd4_3", bits("1101", true)),
            ("0sd4_-8", bits("1000", true)),
            ("0ud65_36893488147419103231", bits(&"1".repeat(65), false)),
            ("12", Meaning::Integer(12)),
            ("-12", Meaning::Integer(-12)),
            ("F'-3/4", Meaning::Real(-0.75)),
            ("1/0", Meaning::Text),
            ("1.5", Meaning::Real(1.5)),
            ("READ(WRITE(CONST(0), 1, 2))", Meaning::Text),
            ("0ud0_1", Meaning::Text),
            ("é", Meaning::Text),
            ("0é", Meaning::Text),
        ];
        for (text, expected) in cases {
            assert_eq!(meaning(text), expected, "{text}");
        }
        let wide = "0ud130_1361129467683753853853498429727072845823";
        let Meaning::Word(bits, false) = meaning(wide) else { panic!() };
        assert_eq!(bits, BitVector::parse(&"1".repeat(130)).unwrap());
    }

    #[test]
    fn errors_say_where_or_what() {
        let problem = |text: &str| opened(text).err().unwrap().to_string();
        assert_eq!(problem("  -> State: 1.1 <-\n    a TRUE\n"), "2:5: `a TRUE` is no assignment");
        assert_eq!(problem("-- specification AG a  is true\n"), "there is no trace in this output");
        let kind = loaded("-> State: 1.1 <-\n  a = 1\n").signals[0].info.kind;
        assert_eq!(kind, Kind::Integer, "a number is not a truth value");
    }
}
