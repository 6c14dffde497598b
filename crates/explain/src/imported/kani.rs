//! Kani's concrete playback: the bytes of each nondeterministic value, in the order in which they are asked for.
//!
//!     let concrete_vals: Vec<Vec<u8>> = vec![
//!         // -1
//!         vec![255, 255, 255, 255],
//!     ];
//!
//! The least significant byte comes first. Of several tests the first is read.

use std::io::Read;

use super::{Facts, Format, ImportedRun, Scene, What};
use nearmiss_program::run::Content;
use nearmiss_trace::read::error::ReadError;
use nearmiss_trace::read::scan::Scanner;

/// So many bytes has the largest scalar.
const LARGEST: usize = 16;

pub(super) fn read(input: impl Read) -> Result<ImportedRun, ReadError> {
    let mut scan = Scanner::new(input)?;
    let (mut facts, mut others) = (Facts::default(), 0);
    // How many `vec![` are open, and what the innermost holds so far.
    let (mut open, mut at, mut bytes, mut digits) = (0, scan.place(), Vec::new(), String::new());
    let (mut word, mut tests) = (Vec::new(), 0);
    while let Some(byte) = scan.next_byte()? {
        if byte == b'/' && scan.peek()? == Some(b'/') {
            while scan.peek()?.is_some_and(|byte| byte != b'\n') {
                scan.next_byte()?;
            }
            continue;
        }
        if word.len() == 5 {
            word.remove(0);
        }
        word.push(byte);
        if word == b"vec![" {
            if open == 0 {
                tests += 1;
                others = tests - 1;
            }
            open += 1;
            if open > 2 {
                return Err(scan.error("values are nested too deeply").with_help("a value is `vec![1, 0, 0, 0]`"));
            }
            (at, bytes, digits) = (scan.place(), Vec::new(), String::new());
            continue;
        }
        if open == 0 {
            continue;
        }
        match byte {
            b'0'..=b'9' if open == 2 && digits.len() < 4 => digits.push(byte as char),
            b',' | b']' | b' ' | b'\n' | b'\r' | b'\t' if open == 2 => {
                if !digits.is_empty() {
                    let number: u8 = digits.parse().map_err(|_| scan.error(format!("`{digits}` is not a byte")))?;
                    digits.clear();
                    bytes.push(number);
                }
                if bytes.len() > LARGEST {
                    let error = scan.error(format!("a value of more than {LARGEST} bytes"));
                    return Err(error.with_help("values of arrays and structs are not read, only those of scalars"));
                }
                if byte == b']' {
                    open -= 1;
                    if tests == 1 {
                        let value = bytes.iter().rev().fold(0, |value: u128, byte| value << 8 | u128::from(*byte));
                        let bits = bytes.len() as u32 * 8;
                        facts.push(What::Next(Content { bit_offset: 0, bits, value }), &Scene::default(), at)?;
                    }
                }
            }
            b']' => open -= 1,
            _ if open == 2 => return Err(scan.error("this is not a byte").with_help("a value is `vec![1, 0, 0, 0]`")),
            _ => {}
        }
    }
    if open > 0 {
        return Err(scan.cut_off("the values"));
    }
    Ok(ImportedRun { format: Format::Kani, facts: facts.list, failure: None, others, notes: Vec::new(), is_sure: true })
}
