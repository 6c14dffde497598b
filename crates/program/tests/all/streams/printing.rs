//! Random calls of `printf`, `snprintf` and `sprintf`: every flag, width, precision, length and conversion, and values at the edges.

use std::fmt::Write;

use nearmiss_program::c::trial::Trial;

use super::Sample;
use crate::common::random::Dice;

/// Calls in a program.
const CALLS: u32 = 100;

const INTEGERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "-8",
    "42",
    "99",
    "100",
    "-100",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "32767",
    "32768",
    "-32768",
    "65535",
    "65536",
    "2147483647",
    "-2147483647 - 1",
    "4294967295",
    "4294967296",
    "-4294967297",
    "1234567890123",
    "9223372036854775807",
    "-9223372036854775807 - 1",
    "18446744073709551615u",
    "0x0123456789abcdef",
];

const FLOATS: &[&str] = &[
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "1.5",
    "2.5",
    "3.5",
    "0.1",
    "0.125",
    "2.675",
    "1.005",
    "-2.005",
    "9.5",
    "9.995",
    "99.95",
    "999999.4",
    "9999995.0",
    "123456.0",
    "1234567.0",
    "100000.0",
    "0.0001",
    "0.00001",
    "0.00009999995",
    "3.14159265358979",
    "1e10",
    "1e15",
    "1e16",
    "1e17",
    "1e22",
    "1e23",
    "1e100",
    "-1e100",
    "1e-5",
    "1e-10",
    "1e-100",
    "1.7976931348623157e308",
    "2.2250738585072014e-308",
    "0x1p-1074",
    "0x1.8p-1070",
    "0x1.fffffffffffffp-1023",
    "4503599627370496.5",
    "0x1.00001p+0",
    "0x1.fffffep+0",
    "0x1.08p+3",
    "0x1.8p+0",
    "0x1.fp-5",
    "1.0 / 3",
    "-2.0 / 3",
    "100.0 / 7",
    "1e6 / 7",
];

/// Infinities and NaNs, which have a sign. A NaN that is written is taken for one that an operation made (docs/guide/src/limits.md).
const ODD: &[&str] = &["HUGE_VAL", "-HUGE_VAL", "zero / zero", "-(zero / zero)", "HUGE_VAL - HUGE_VAL"];

const STRINGS: &[&str] =
    &["\"\"", "\"a\"", "\"word\"", "\"two words\"", "\"line\\nline\"", "\"100%\"", "\"\\t\\x7f\\xff\"", "raw"];

fn pick<'a>(dice: &mut Dice, from: &[&'a str]) -> &'a str {
    from[dice.index(from.len())]
}

fn integer(dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => format!("{}", dice.below(2000) as i64 - 1000),
        1 => format!("{}", (dice.below(1 << 31) << 33 | dice.below(1 << 31) << 2) >> dice.below(64)),
        _ => pick(dice, INTEGERS).to_owned(),
    }
}

/// A number with a point, of few digits or of random bits.
fn float(dice: &mut Dice) -> String {
    match dice.below(8) {
        0 => pick(dice, ODD).to_owned(),
        1 => format!("{}.{:03}", dice.below(2000) as i64 - 1000, dice.below(1000)),
        2 => format!("{}.{}e{}", dice.below(10), dice.below(1000), dice.below(60) as i64 - 30),
        3 => {
            let bits = dice.below(1 << 31) << 33 | dice.below(1 << 31) << 2 | dice.below(4);
            match f64::from_bits(bits) {
                number if number.is_finite() => format!("{number:e}"),
                _ => "1.25".to_owned(),
            }
        }
        _ => pick(dice, FLOATS).to_owned(),
    }
}

/// The first digit of a number that is not 0; of a binary one it is not known, and is taken for a 9.
fn leading_digit(number: &str) -> Option<char> {
    if number.contains('x') { Some('9') } else { number.chars().find(|c| ('1'..='9').contains(c)) }
}

/// One conversion, and what goes with it.
fn conversion(dice: &mut Dice, format: &mut String, arguments: &mut String) {
    const KINDS: &[&str] =
        &["d", "d", "i", "u", "x", "X", "o", "c", "s", "s", "f", "f", "F", "e", "E", "g", "g", "G", "a", "A", "p", "%"];
    let kind = pick(dice, KINDS);
    format.push('%');
    if kind == "%" {
        format.push('%');
        return;
    }
    let mut flags = String::new();
    for flag in ['-', '0', '+', ' ', '#'] {
        // C does not say what becomes of # and 0 with these.
        let is_said = match kind {
            "d" | "i" | "u" => flag != '#',
            "c" | "s" | "p" => flag == '-',
            _ => true,
        };
        if is_said && dice.below(4) == 0 {
            flags.push(flag);
        }
    }
    format.push_str(&flags);
    let starred = |dice: &mut Dice, arguments: &mut String, least: i64, most: u64| {
        let number = least + dice.below(most) as i64;
        let _ = write!(arguments, ", {number}");
    };
    match dice.below(4) {
        0 => {
            let _ = write!(format, "{}", 1 + dice.below(24));
        }
        1 => {
            format.push('*');
            starred(dice, arguments, -15, 36);
        }
        _ => {}
    }
    let precision = match dice.below(4) {
        _ if matches!(kind, "c" | "p") => None,
        0 => {
            format.push('.');
            Some(0)
        }
        1 => {
            let most = if dice.below(8) == 0 { 60 } else { 12 };
            let precision = dice.below(most);
            let _ = write!(format, ".{precision}");
            Some(precision)
        }
        2 => {
            format.push_str(".*");
            starred(dice, arguments, -2, 14);
            None
        }
        _ => None,
    };
    let argument = match kind {
        "d" | "i" | "u" | "x" | "X" | "o" => {
            let (length, signed, unsigned) = [
                ("", "int", "unsigned"),
                ("", "int", "unsigned"),
                ("hh", "int", "unsigned"),
                ("h", "int", "unsigned"),
                ("l", "long", "unsigned long"),
                ("ll", "long long", "unsigned long long"),
                ("z", "ssize_t", "size_t"),
                ("t", "ptrdiff_t", "size_t"),
                ("j", "intmax_t", "uintmax_t"),
            ][dice.index(9)];
            format.push_str(length);
            let of = if matches!(kind, "d" | "i") { signed } else { unsigned };
            format!("({of})({})", integer(dice))
        }
        "c" => format!("{}", [65, 97, 48, 37, 32, 10, 0, 255, 321][dice.index(9)]),
        "s" => match pick(dice, STRINGS) {
            // It is not terminated.
            "raw" if precision.is_none_or(|precision| precision > 4) => "\"raw\"".to_owned(),
            string => string.to_owned(),
        },
        "p" => "(void *)0".to_owned(),
        "a" | "A" => float(dice),
        // The usual library prints 1.e+06 for 999999.5 with %#g, where C asks for 1.00000e+06: nothing that is rounded up to a power of ten.
        "g" | "G" if flags.contains('#') => loop {
            let number = float(dice);
            if number.contains(|c: char| c.is_ascii_digit())
                && !number.contains('/')
                && leading_digit(&number) != Some('9')
            {
                break number;
            }
        },
        _ => match dice.below(8) {
            0 => {
                format.push('L');
                format!("(long double)(double)({})", float(dice))
            }
            1 => {
                format.push('l');
                float(dice)
            }
            2 => format!("(float)({})", float(dice)),
            _ => float(dice),
        },
    };
    format.push_str(kind);
    let _ = write!(arguments, ", {argument}");
}

/// A format and its arguments.
fn format(dice: &mut Dice) -> (String, String) {
    let (mut format, mut arguments) = (String::new(), String::new());
    for _ in 0..1 + dice.below(3) {
        format.push_str(pick(dice, &["", " ", "x = ", "|", "\\n", "%%", ", "]));
        conversion(dice, &mut format, &mut arguments);
    }
    format.push_str(pick(dice, &["", "|", "\\n", "."]));
    (format, arguments)
}

/// A program that prints, and what each call returns.
pub(super) fn sample(seed: u64) -> Sample {
    let mut dice = Dice::new(seed);
    let mut text = String::from(
        "#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/types.h>\n\
         static char raw[4] = {'r', 'a', 'w', '!'}, room[64], large[4096];\n\nint main(void)\n{\n    double zero = 0;\n",
    );
    for number in 0..CALLS {
        let (format, arguments) = format(&mut dice);
        let call = match dice.below(8) {
            0 => {
                let size = dice.below(60);
                format!(
                    "memset(room, '?', 64); n = snprintf(room, {size}, \"{format}\"{arguments}); fwrite(room, 1, 64, stdout)"
                )
            }
            1 => format!("n = sprintf(large, \"{format}\"{arguments}); fputs(large, stdout)"),
            2 => format!("n = fprintf(stdout, \"{format}\"{arguments})"),
            _ => format!("n = printf(\"{format}\"{arguments})"),
        };
        let _ =
            writeln!(text, "    {{\n        int n;\n        {call};\n        printf(\"<{number}: %d\\n\", n);\n    }}");
    }
    text.push_str("    return 0;\n}\n");
    Sample { text, runs: vec![(Trial { name: "one".to_owned(), ..Trial::default() }, CALLS)] }
}
