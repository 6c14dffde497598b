//! Random calls of `scanf` and `sscanf`, of functions that read characters and lines, and of those that read a number in a string, on random text:
//! numbers, what only begins like one, words, white space, and the end of the file anywhere.

use std::fmt::Write;

use nearmiss_program::c::trial::Trial;

use super::Sample;
use crate::common::random::Dice;

/// Ways to read in a program.
const WAYS: u64 = 25;
/// How often each is tried, on other text.
const TRIES: u64 = 4;

fn pick<'a>(dice: &mut Dice, from: &[&'a str]) -> &'a str {
    from[dice.index(from.len())]
}

/// A format, where things go, and how they are shown.
struct Scan {
    format: String,
    declared: String,
    arguments: String,
    shown: String,
}

impl Scan {
    /// A variable of a type that is read and shown so.
    fn take(&mut self, of: &str, start: &str, shown: &str) {
        let name = format!("v{}", self.declared.matches(';').count());
        let _ = writeln!(self.declared, "    {of} {name} = {start};");
        let _ = write!(self.arguments, ", &{name}");
        let _ = writeln!(self.shown, "    printf(\" {shown}\", {name});");
    }

    /// A string of 40 characters at most.
    fn take_string(&mut self) {
        let name = format!("v{}", self.declared.matches(';').count());
        let _ = writeln!(self.declared, "    char {name}[48] = \"????????????????????????????????????????????\";");
        let _ = write!(self.arguments, ", {name}");
        let _ = writeln!(self.shown, "    show({name}, 48);");
    }

    fn conversion(&mut self, dice: &mut Dice) {
        const KINDS: &[&str] =
            &["d", "d", "d", "i", "u", "x", "o", "f", "f", "e", "g", "s", "s", "c", "c", "[", "n", "%"];
        let kind = pick(dice, KINDS);
        self.format.push('%');
        if kind == "%" {
            self.format.push('%');
            return;
        }
        let stores = kind == "n" || dice.below(8) != 0;
        if !stores {
            self.format.push('*');
        }
        let width = match kind {
            "n" => 0,
            "c" => [0, 0, 0, 1, 2, 5][dice.index(6)],
            _ if dice.below(3) == 0 => 1 + dice.below(9),
            "s" | "[" => 40,
            _ => 0,
        };
        if width > 0 {
            let _ = write!(self.format, "{width}");
        }
        match kind {
            "d" | "i" | "u" | "x" | "o" | "n" => {
                let (length, of, shown) = [
                    ("", "int", "%d"),
                    ("", "int", "%d"),
                    ("", "int", "%d"),
                    ("hh", "signed char", "%d"),
                    ("h", "short", "%d"),
                    ("l", "long", "%ld"),
                    ("ll", "long long", "%lld"),
                    ("z", "ssize_t", "%zd"),
                    ("j", "intmax_t", "%jd"),
                    ("t", "ptrdiff_t", "%td"),
                ][dice.index(10)];
                self.format.push_str(length);
                self.format.push_str(kind);
                let unsigned = matches!(kind, "u" | "x" | "o");
                let of = match of {
                    "ssize_t" if unsigned => "size_t".to_owned(),
                    "signed char" if unsigned => "unsigned char".to_owned(),
                    "intmax_t" if unsigned => "uintmax_t".to_owned(),
                    "ptrdiff_t" if unsigned => "size_t".to_owned(),
                    of if unsigned => format!("unsigned {of}"),
                    of => of.to_owned(),
                };
                if stores {
                    self.take(&of, "77", &if unsigned { shown.replace('d', "u") } else { shown.to_owned() });
                }
            }
            "f" | "e" | "g" => {
                let (length, of) = [("", "float"), ("l", "double"), ("l", "double")][dice.index(3)];
                self.format.push_str(length);
                self.format.push_str(kind);
                if stores {
                    self.take(of, "77", "%.17g");
                }
            }
            "[" => {
                self.format
                    .push_str(pick(dice, &["[a-z]", "[^,]", "[0-9.]", "[^ \\n]", "[]x-z]", "[-+0-9]", "[^a-f]"]));
                if stores {
                    self.take_string();
                }
            }
            _ => {
                self.format.push_str(kind);
                if stores {
                    self.take_string();
                }
            }
        }
    }
}

fn scan(dice: &mut Dice) -> Scan {
    let mut scan =
        Scan { format: String::new(), declared: String::new(), arguments: String::new(), shown: String::new() };
    for _ in 0..1 + dice.below(3) {
        scan.format.push_str(pick(dice, &["", "", "", " ", " ", ",", ":", "\\n", "x", " , ", "(", "a="]));
        scan.conversion(dice);
    }
    scan.format.push_str(pick(dice, &["", "", "", " ", "\\n", ",", ")"]));
    scan
}

/// A way to read, as the body of a function. How many calls it makes.
fn way(dice: &mut Dice) -> (String, u32) {
    let mut body = String::new();
    let kind = dice.below(12);
    match kind {
        0..=5 => {
            let Scan { format, declared, arguments, shown } = scan(dice);
            body.push_str(&declared);
            let call = match dice.below(4) {
                0 => {
                    body.push_str("    char line[80] = \"\";\n    fgets(line, 80, stdin);\n");
                    format!("sscanf(line, \"{format}\"{arguments})")
                }
                1 => format!("fscanf(stdin, \"{format}\"{arguments})"),
                _ => format!("scanf(\"{format}\"{arguments})"),
            };
            let _ = writeln!(body, "    int n = {call};\n    printf(\"%d\", n);\n{shown}");
            (body, 1)
        }
        6 => {
            let count = 2 + dice.below(20);
            let _ = writeln!(
                body,
                "    char line[24] = \"\";\n    while (fgets(line, {count}, stdin))\n        show(line, 24);\n    printf(\"%d\", feof(stdin) != 0);"
            );
            (body, 1)
        }
        7 => {
            body.push_str(
                "    int c, turns = 0;\n    while ((c = getchar()) != EOF && turns++ < 6)\n        printf(\"%d \", c);\n    \
                 if (c != EOF)\n        ungetc(c, stdin);\n    printf(\"%d\", feof(stdin) != 0);\n",
            );
            (body, 1)
        }
        8 => {
            let (size, count) = (1 + dice.below(3), 1 + dice.below(8));
            let _ = writeln!(
                body,
                "    char line[32] = \"\";\n    printf(\"%d \", (int)fread(line, {size}, {count}, stdin));\n    show(line, 32);"
            );
            (body, 1)
        }
        _ => {
            body.push_str("    char line[80] = \"\", *end = line;\n    fgets(line, 80, stdin);\n    errno = 0;\n");
            let base = ["10", "10", "0", "16", "8", "2", "36"][dice.index(7)];
            let (call, shown) = match dice.below(10) {
                0 => (format!("long n = strtol(line, &end, {base})"), "%ld"),
                1 => (format!("unsigned long n = strtoul(line, &end, {base})"), "%lu"),
                2 => (format!("long long n = strtoll(line, &end, {base})"), "%lld"),
                3 => (format!("unsigned long long n = strtoull(line, &end, {base})"), "%llu"),
                4 => ("int n = atoi(line)".to_owned(), "%d"),
                5 => ("long n = atol(line)".to_owned(), "%ld"),
                6 => ("double n = atof(line)".to_owned(), "%.17g"),
                7 => ("float n = strtof(line, &end)".to_owned(), "%.17g"),
                _ => ("double n = strtod(line, &end)".to_owned(), "%.17g"),
            };
            let _ = writeln!(body, "    {call};\n    printf(\"{shown} %d\", n, (int)(end - line));");
            // What a number that is too small does to errno, nobody models.
            if base != "36" && shown != "%.17g" && !call.contains("ato") {
                body.push_str("    printf(\" %d\", errno);\n");
            }
            (body, 1)
        }
    }
}

/// A few words, numbers, and what looks like one.
fn text(dice: &mut Dice) -> Vec<u8> {
    const WORDS: &[&str] = &[
        "0",
        "1",
        "-1",
        "+5",
        "42",
        "007",
        "0x1f",
        "0X",
        "0x",
        "0xg",
        "1f",
        "-",
        "+",
        "--3",
        "+-2",
        "2147483647",
        "-2147483648",
        "2147483648",
        "4294967295",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "99999999999999999999999",
        "127",
        "128",
        "255",
        "256",
        "-129",
        "32768",
        "1.5",
        "-2.25",
        ".5",
        "5.",
        ".",
        "-.5e-3",
        "1e5",
        "1e",
        "1e+",
        "2E-3x",
        "1e400",
        "1e-400",
        "-1e400",
        "3.14159265358979323846",
        "0.1",
        "123456789.123456789",
        "0x1p3",
        "0x.8",
        "0x1.8p+1",
        "inf",
        "-inf",
        "INFINITY",
        "infinit",
        "in",
        "nan",
        "-nan",
        "NaN",
        "na",
        "nan(12)",
        "nanx",
        "abc",
        "xyz",
        "a=5",
        "x7",
        "hello",
        "1,2",
        "3:4",
        "(9)",
        "%",
        "%5",
        "]",
        "e5",
        "E",
        "1 000",
        "12abc",
        "0b101",
        "08",
        "0777",
        "1.2.3",
        "4..5",
        "1-2",
        "é",
        "0.30000000000000004",
        "1e22",
        "1e23",
        "7e-5",
        "00000000000000000000012",
        "1.7976931348623157e308",
        "4.9e-324",
        "8.5e-46",
        "16777217",
        "3.4028236e38",
    ];
    const BETWEEN: &[&str] = &[" ", " ", " ", "\n", "\n", "\t", "  ", "", ",", ", ", ":", " \n ", "\n\n", "\r\n"];
    let mut text = String::new();
    if dice.below(4) == 0 {
        text.push_str(pick(dice, BETWEEN));
    }
    for _ in 0..dice.below(6) {
        match dice.below(4) {
            0 => {
                let _ = write!(text, "{}", dice.below(200) as i64 - 100);
            }
            1 => {
                let _ = write!(text, "{}.{}", dice.below(200) as i64 - 100, dice.below(1000));
            }
            _ => text.push_str(pick(dice, WORDS)),
        }
        text.push_str(pick(dice, BETWEEN));
    }
    text.truncate(text.floor_char_boundary(70));
    text.into_bytes()
}

/// A program that reads in several ways, each on its own or two one after the other, and what is on standard input.
pub(super) fn sample(seed: u64) -> Sample {
    let mut dice = Dice::new(seed);
    let mut program = String::from(
        "#include <errno.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <sys/types.h>\n\n\
         static void show(const char *bytes, int size)\n{\n    printf(\" [\");\n    for (int i = 0; i < size && bytes[i] != 0; i++)\n        \
         printf(bytes[i] >= ' ' && bytes[i] <= '~' ? \"%c\" : \"\\\\%d\", bytes[i]);\n    printf(\"]\");\n}\n",
    );
    let mut ways = String::new();
    let mut runs = Vec::new();
    for number in 0..WAYS {
        let (body, calls) = way(&mut dice);
        let _ = writeln!(program, "\nstatic void way{number}(void)\n{{\n{body}    printf(\"\\n\");\n}}");
        let _ = writeln!(ways, "    case {number}: way{number}(); break;");
        for _ in 0..TRIES {
            let mut arguments = vec![number.to_string()];
            // Often another one goes on where this one stopped.
            if number > 0 && dice.below(2) == 0 {
                arguments.push(dice.below(number).to_string());
            }
            let calls = calls * arguments.len() as u32;
            let trial = Trial { name: number.to_string(), input: text(&mut dice), arguments, ..Trial::default() };
            runs.push((trial, calls));
        }
    }
    let _ = write!(
        program,
        "\nint main(int argc, char **argv)\n{{\n    int c;\n    for (int i = 1; i < argc; i++) {{\n        switch (atoi(argv[i])) {{\n{ways}        \
         }}\n    }}\n    while ((c = getchar()) != EOF)\n        printf(\"%d \", c);\n    return 0;\n}}\n"
    );
    Sample { text: program, runs }
}
