//! A run of a model of hardware as a table: a signal in a row, a cycle in a column, one run below the other where there are two.

use nearmiss_program::hardware::Hardware;
use nearmiss_program::hardware::model::{Bits, NodeId};
use nearmiss_program::hardware::simulate::Wave;
use nearmiss_program::run::Inputs;

use super::Report;
use super::layout::{pad, width};

/// So wide a table is at most.
const WIDEST: usize = 100;
/// So many signals are shown at most.
const MOST_SIGNALS: usize = 40;
/// A value of more digits is cut.
const LONGEST_VALUE: usize = 18;

/// The failing run, signal by signal; the last cycles where not all fit.
pub(crate) fn table(hardware: &Hardware, report: &Report, inputs: &Inputs) -> String {
    let wave = hardware.wave(report.program, inputs);
    let mut signals = hardware.signals();
    let left_out = signals.len().saturating_sub(MOST_SIGNALS);
    signals.truncate(MOST_SIGNALS);
    let rows: Vec<(String, Vec<String>)> = signals.iter().map(|id| row(hardware, &wave, *id)).collect();
    let names = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0).max("cycle".len());
    let cycles = wave.cycles.len();
    let widths: Vec<usize> = (0..cycles)
        .map(|at| rows.iter().map(|(_, values)| width(&values[at])).max().unwrap_or(1).max(at.to_string().len()))
        .collect();
    let mut first = cycles;
    let mut room = WIDEST.saturating_sub(names + 4);
    while first > 0 && widths[first - 1] + 2 <= room {
        first -= 1;
        room -= widths[first] + 2;
    }
    let first = first.min(cycles.saturating_sub(1));
    let mut out = String::new();
    let mut line = |name: &str, values: &mut dyn Iterator<Item = String>| {
        let cells: Vec<String> = values.collect();
        let cells = cells.iter().enumerate().map(|(at, value)| format!("{value:>width$}", width = widths[first + at]));
        let row = format!("  {}  {}", pad(name, name, names), cells.collect::<Vec<_>>().join("  "));
        out += row.trim_end();
        out.push('\n');
    };
    line("cycle", &mut (first..cycles).map(|at| at.to_string()));
    for (name, values) in &rows {
        line(name, &mut values[first..].iter().cloned());
    }
    if let Some(closing) = inputs.closing.filter(|closing| !closing.is_horizon()) {
        out += &match closing.back as usize + 1 == cycles {
            true => format!("  (cycle {} again and again, for ever)\n", closing.back),
            false => format!("  (cycles {} to {} again and again, for ever)\n", closing.back, cycles - 1),
        };
    }
    if first > 0 {
        out += &format!("  (cycles 0 to {} are left out; --trace shows every step)\n", first - 1);
    }
    if left_out > 0 {
        out += &format!("  (and {left_out} more signals)\n");
    }
    out
}

/// `cycle 4`, `cycles 2-4`, `cycles 2, 4`.
pub(crate) fn range(of: &[usize]) -> String {
    match of {
        [only] => format!("cycle {only}"),
        [first, .., last] if last - first + 1 == of.len() => format!("cycles {first}-{last}"),
        [first, .., last] if of.len() > 4 => format!("{} cycles from {first} to {last}", of.len()),
        _ => format!("cycles {}", of.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn row(hardware: &Hardware, wave: &Wave, id: NodeId) -> (String, Vec<String>) {
    let name = hardware.model.node(id).name.clone().unwrap_or_default();
    (name, wave.cycles.iter().map(|values| value(&values[id])).collect())
}

/// A word: a number, or hexadecimal digits where it is wide.
pub(crate) fn value(bits: &Bits) -> String {
    if bits.len() <= 32 {
        return bits.iter().rev().fold(0u64, |value, bit| value << 1 | u64::from(*bit)).to_string();
    }
    let digit = |four: &[bool]| four.iter().rev().fold(0u32, |value, bit| value << 1 | u32::from(*bit));
    let digits: String = bits.chunks(4).rev().filter_map(|four| char::from_digit(digit(four), 16)).collect();
    let short = digits.trim_start_matches('0');
    match short.len() {
        0 => "0".to_owned(),
        length if length > LONGEST_VALUE => format!("0x{}..{}", &short[..8], &short[length - 8..]),
        _ => format!("0x{short}"),
    }
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_numbers_and_wide_ones_hexadecimal() {
        let word = |number: u128, width: usize| (0..width).map(|bit| number >> bit & 1 == 1).collect::<Vec<bool>>();
        assert_eq!(value(&word(200, 8)), "200");
        assert_eq!(value(&word(0xdead_beef, 40)), "0xdeadbeef");
        assert_eq!(value(&word(u128::MAX, 120)), "0xffffffff..ffffffff");
        assert_eq!(value(&word(0, 64)), "0");
    }
}
