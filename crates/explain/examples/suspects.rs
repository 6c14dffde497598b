//! Explains a C file and prints the three lines to look at first: `cargo run --release -p nearmiss-explain --example suspects a.c`.

use std::error::Error;

use nearmiss_explain::{Explaining, Program, Reading, Verdict};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("usage: suspects FILE.c...".into());
    }
    let program = Program::from_c(files, &Reading::default())?;
    let why = program.explain(&Explaining::default())?;
    match why.verdict() {
        Verdict::Holds => println!("no claim fails"),
        Verdict::Undecided => println!("it is not known whether a claim fails"),
        Verdict::Fails if why.suspects().next().is_none() => println!("it fails, and no line is suspected"),
        Verdict::Fails => {
            for (rank, suspect) in why.suspects().take(3).enumerate() {
                println!("{}. {}: {}", rank + 1, suspect.position, suspect.text);
            }
        }
    }
    Ok(())
}
