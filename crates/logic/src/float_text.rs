//! The text that `printf` makes of a float: `%f`, `%e`, `%g`, `%a` with a precision (C17, 7.21.6.1), without its sign.
//!
//! Rust writes every digit of a number exactly and rounds half to even, as the usual libraries of C do; the rest is layout.

use std::cell::RefCell;

/// So many characters a text has at most.
const MOST: u32 = 2048;
/// One more than the largest precision.
const PRECISIONS: u32 = 1024;

/// A character of the text of a number, 0 behind its end. The request is ((kind + 8 other form) * 1024 + precision) * 2048 + index, where kinds are
/// `f F e E g G a A`.
pub(crate) fn character(value: f64, request: f64) -> f64 {
    let request = request as u32;
    let (index, rest) = (request % MOST, request / MOST);
    let (precision, kind) = (rest % PRECISIONS, rest / PRECISIONS);
    LAST.with_borrow_mut(|last| {
        // Characters of a text are asked for one after the other.
        let asked = (value.to_bits(), rest);
        if last.0 != asked {
            *last = (asked, text(value, kind, precision as usize));
        }
        last.1.as_bytes().get(index as usize).map_or(0.0, |byte| f64::from(*byte))
    })
}

thread_local! {
    /// The text that was asked for last: of which number, and how.
    static LAST: RefCell<((u64, u32), String)> =
        const { RefCell::new(((0, u32::MAX), String::new())) };
}

fn text(value: f64, kind: u32, precision: usize) -> String {
    let (value, other_form) = (value.abs(), kind / 8 == 1);
    let text = match kind % 8 / 2 {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        0 => pointed(format!("{value:.precision$}"), other_form),
        1 => scientific(value, precision, other_form),
        2 => shorter(value, precision.max(1), other_form),
        _ => hexadecimal(value, precision, other_form),
    };
    if kind % 2 == 1 { text.to_uppercase() } else { text }
}

/// Binary: a digit before the point, 1 unless the number is 0 or denormal. The largest precision stands for as many digits as there are.
fn hexadecimal(value: f64, precision: usize, other_form: bool) -> String {
    const DIGITS: usize = 13;
    let bits = value.to_bits();
    let (raised, fraction) = (bits >> 52, bits & (u64::MAX >> 12));
    let exponent = match (raised, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        (raised, _) => raised as i64 - 1023,
    };
    let mut all = u64::from(raised != 0) << 52 | fraction;
    if precision < DIGITS {
        // Half to even.
        let dropped = 4 * (DIGITS - precision);
        let (half, rest) = (1 << (dropped - 1), all & ((1 << dropped) - 1));
        all >>= dropped;
        all += u64::from(rest > half || (rest == half && all & 1 == 1));
        all <<= dropped;
    }
    let digits = format!("{:013x}", all & (u64::MAX >> 12));
    let digits = match precision {
        precision if precision + 1 == PRECISIONS as usize => digits.trim_end_matches('0').to_owned(),
        precision if precision < DIGITS => digits[..precision].to_owned(),
        precision => format!("{digits:0<precision$}"),
    };
    let point = if other_form || !digits.is_empty() { "." } else { "" };
    format!("0x{}{point}{digits}p{exponent:+}", all >> 52)
}

/// With a point at its end, if one is wanted and there is none.
fn pointed(text: String, wanted: bool) -> String {
    if wanted && !text.contains('.') { text + "." } else { text }
}

/// The digits and the exponent to ten.
fn parts(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

fn with_exponent(digits: String, exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

fn scientific(value: f64, precision: usize, other_form: bool) -> String {
    let (digits, exponent) = parts(value, precision);
    with_exponent(pointed(digits, other_form), exponent)
}

/// The shorter of both, with so many digits that say something; zeros at the end are left out.
fn shorter(value: f64, digits: usize, other_form: bool) -> String {
    let exponent = parts(value, digits - 1).1;
    let is_plain = exponent >= -4 && exponent < digits as i32;
    let text = match is_plain {
        true => format!("{value:.*}", (digits as i32 - 1 - exponent) as usize),
        false => parts(value, digits - 1).0,
    };
    let text = match other_form {
        true => pointed(text, true),
        false if text.contains('.') => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    };
    if is_plain { text } else { with_exponent(text, exponent) }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn numbers_are_written_as_c_does() {
        let of = |value: f64, kind: char, precision| text(value, "fFeEgG".find(kind).unwrap_or(0) as u32, precision);
        assert_eq!(of(2.5, 'f', 0), "2");
        assert_eq!(of(3.5, 'f', 0), "4");
        assert_eq!(of(2.675, 'f', 2), "2.67");
        assert_eq!(of(-1e22, 'f', 1), "10000000000000000000000.0");
        assert_eq!(of(0.0, 'e', 2), "0.00e+00");
        assert_eq!(of(123456.0, 'E', 3), "1.235E+05");
        assert_eq!(of(1e100, 'e', 0), "1e+100");
        assert_eq!(of(0.0001, 'g', 6), "0.0001");
        assert_eq!(of(0.00001, 'g', 6), "1e-05");
        assert_eq!(of(1234567.0, 'g', 6), "1.23457e+06");
        assert_eq!(of(100000.0, 'g', 6), "100000");
        assert_eq!(of(f64::INFINITY, 'G', 6), "INF");
        assert_eq!(text(1.0, 12, 6), "1.00000");
        assert_eq!(text(1.0, 8, 0), "1.");
        assert_eq!(text(0.1, 6, 1023), "0x1.999999999999ap-4");
        assert_eq!(text(10.0, 7, 0), "0X1P+3");
    }
}
