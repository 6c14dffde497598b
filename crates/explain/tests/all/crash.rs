//! Crash files: the nearest input by brute force over all inputs of that length, and smaller files.

use nearmiss_explain::crash::smaller::smaller;
use nearmiss_explain::crash::{Did, Runner, bytes_of, inputs_of};
use nearmiss_explain::explain::Preconditions;
use nearmiss_explain::explanation::{Hypotheses, Metric, SliceMethod};
use nearmiss_explain::{Explaining, Program, Reading, Stop};
use nearmiss_program::c::crash::{Crash, Feed, Way};

const SIZE: usize = 2;

/// A small parser by chance: some branches over two bytes, and indices that may be outside.
fn parser(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut dice = |most: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most
    };
    let mut body = String::new();
    for _ in 0..2 + dice(2) {
        let (at, value, mask) = (dice(2), dice(256), [255, 15, 240, 3][dice(4) as usize]);
        let relation = ["<", ">", "==", "!="][dice(4) as usize];
        body += &match dice(3) {
            0 => format!("    if ((data[{at}] & {mask}) {relation} {value}) sum += data[{}];\n", 1 - at),
            1 => format!("    if (data[0] + data[1] {relation} {}) return 0;\n", value * 2),
            _ => format!("    if (data[{at}] {relation} {value}) sum ^= {mask};\n"),
        };
    }
    let most = 8 + dice(60);
    format!(
        "int f(const unsigned char *data, unsigned long size)\n{{\n    int table[{most}];\n    unsigned sum = 0;\n    \
         if (size < 2) return 0;\n{body}    table[sum] = 1;\n    return table[sum];\n}}\n"
    )
}

fn fed(text: &str, bytes: &[u8], feed: Feed) -> Program {
    let usual = Reading::default();
    let crash = Crash { bytes: bytes.into(), arguments: Vec::new(), way: Way::Plain, feed };
    let mut reading = Reading { c: usual.c.fed(crash), ..usual };
    reading.c.entry = "f".to_owned();
    Program::from_text("f.c", text, &reading).expect("the parser can be read")
}

fn differ(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).filter(|(one, other)| one != other).count()
}

#[test]
fn the_nearest_input_is_the_nearest_of_all() {
    let (mut one, mut two, mut none) = (0, 0, 0);
    for seed in 1..24 {
        let text = parser(seed);
        let whole = fed(&text, &[0; SIZE], Feed::Whole { most: SIZE });
        let runner = Runner::new(whole.lowered(), &Stop::default());
        let all: Vec<([u8; SIZE], Did)> =
            (0..=u16::MAX).map(|input| (input.to_le_bytes(), runner.run(&input.to_le_bytes()))).collect();
        let Some((failing, _)) = all.iter().rev().find(|(_, did)| matches!(did, Did::Violates(_))) else { continue };
        let passing = all.iter().filter(|(_, did)| *did == Did::Passes);
        let least = passing.map(|(bytes, _)| differ(failing, bytes)).min();
        let program = fed(&text, failing, Feed::Chosen((0..SIZE).collect()));
        let crash = program.crash().expect("it is fed").clone();
        let options = Explaining {
            given: Some(inputs_of(&crash, failing)),
            metric: Metric::Bytes,
            preconditions: Preconditions::Free,
            hypotheses: Hypotheses::None,
            slice: SliceMethod::None,
            ..Explaining::default()
        };
        let why = program.explain(&options).expect("it fails");
        let found = why.passing().map(|run| (run.distance as usize, bytes_of(&crash, &run.inputs), run.proved_minimal));
        match (least, found) {
            (None, None) => none += 1,
            (Some(least), Some((distance, bytes, is_proved))) => {
                assert_eq!((distance, differ(failing, &bytes)), (least, least), "seed {seed}\n{text}");
                assert!(is_proved, "seed {seed}\n{text}");
                assert_eq!(runner.run(&bytes), Did::Passes, "seed {seed}\n{text}");
                if least == 1 { one += 1 } else { two += 1 }
            }
            (least, found) => panic!("seed {seed}: {least:?} and {found:?}\n{text}"),
        }
    }
    assert!(one > 5, "{one} at 1, {two} at 2, {none} without a passing input");
}

#[test]
fn a_smaller_file_violates_the_same_claim() {
    let text = "int f(const unsigned char *data, unsigned long size)\n{\n    int table[4] = {0};\n    for (unsigned long i = 0; i + 1 < size; i++)\n        \
                if (data[i] == '<' && data[i + 1] > 'x') return table[data[i + 1]];\n    return 0;\n}\n";
    let bytes = b"some text and <<z more of it, which does not matter at all";
    let whole = fed(text, bytes, Feed::Whole { most: bytes.len() });
    let runner = Runner::new(whole.lowered(), &Stop::default());
    let Did::Violates(claim) = runner.run(bytes) else { panic!("it passes") };
    let small = smaller(&runner, bytes, claim);
    assert_eq!(small.bytes, b"<z");
    assert!(small.is_settled);
    assert_eq!(runner.run(&small.bytes), Did::Violates(claim));
}
