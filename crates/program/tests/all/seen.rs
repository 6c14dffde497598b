//! What a claim sees is what its variables hold, whoever wrote there: the library, a pointer, a copy, or nobody at all. The
//! program prints the same for the compiler.

use std::fs;
use std::process::Command;

use nearmiss_program::interp::{self, Limits};
use nearmiss_program::run::{Inputs, RunStepKind, Seen};
use nearmiss_program::show;

use crate::common::{output, program, scratch};

const PROGRAM: &str = r#"
#include <assert.h>
#include <string.h>
struct part { int x; short y[2]; } part, other;
int untouched, hidden = 8;
static void put(short *at) { at[1] = 9; }
int main(void) {
  int word = 3, value = 5, hidden = 1;
  unsigned char bytes[4] = {1, 1, 1, 1};
  memcpy(&word, &value, sizeof word);
  memset(bytes, 7, 3);
  put(part.y);
  other = part;
  { int word = 2; word++; other.x = word; }
  for (int value = 0; value < 2; value++) { int hidden = value; other.x += hidden; }
  assert(word + bytes[2] + bytes[3] + other.y[1] + untouched + hidden + value > 100);
}
"#;

const NAMES: [&str; 7] = ["word", "bytes[2]", "bytes[3]", "other.y[1]", "untouched", "hidden", "value"];

/// What the violated claim saw of these names.
fn seen() -> Vec<String> {
    let path = scratch("seen").join("seen.c");
    fs::write(&path, PROGRAM).unwrap();
    let run = interp::run(&program(&path).unwrap(), &Inputs::default(), &Limits::default());
    let Some(RunStepKind::Claim { seen, held: false, .. }) = run.steps.last().map(|step| &step.kind) else {
        panic!("{:?}", run.outcome)
    };
    let value =
        |name: &&str| seen.0.iter().find(|Seen { name: own, .. }| own == name).map(|seen| seen.value.to_string());
    NAMES.iter().map(|name| value(name).unwrap_or_else(|| panic!("{name} is not seen: {seen:?}"))).collect()
}

/// What the compiled program prints for them.
fn printed() -> Vec<String> {
    let folder = scratch("seen_printed");
    let prints: String = NAMES.iter().map(|name| format!("printf(\"%d \", (int)({name}));")).collect();
    let start = PROGRAM.find("  assert(").unwrap();
    fs::write(folder.join("told.c"), format!("#include <stdio.h>\n{}{prints}}}\n", &PROGRAM[..start])).unwrap();
    output(Command::new("cc").current_dir(&folder).args(["-w", "-o", "told", "told.c"])).unwrap();
    let text = output(&mut Command::new(folder.join("told"))).unwrap();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_claim_sees_what_the_compiled_program_holds() {
    assert_eq!(seen(), printed());
}

#[test]
fn the_variables_of_a_text_are_found() {
    assert_eq!(show::variables("a[i].x == p->next && f(n) > 0x1F"), ["a", "i", "p", "n"]);
    assert_eq!(show::variables("strcmp(s, \"a \\\" b\") == 'c'"), ["s"]);
}
