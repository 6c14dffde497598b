//! Counterexamples of other checkers: damaged and hostile files are read or refused, and so are those that tell of another
//! program; never a panic, never more memory than what matters.

use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::OneFile;
use crate::common::random::Dice;
use nearmiss_explain::check::CheckOptions;
use nearmiss_explain::given::rebuild::{self, Refusal};
use nearmiss_explain::imported::{self, Format, ImportedRun};
use nearmiss_logic::stop::Stop;
use nearmiss_program::c::{self, Options};
use nearmiss_program::program::Program;
use nearmiss_program::source::Sources;
use nearmiss_trace::read::Input;

fn program(text: &str) -> (Program, Sources) {
    let mut sources = Sources::new();
    let loader = OneFile { name: "a.c", bytes: text.as_bytes() };
    let is_entry = |name: &&str| text.contains(&format!("int {name}("));
    let entry = ["keep", "chain"].into_iter().find(is_entry).unwrap_or("main");
    let options = Options { entry: entry.to_owned(), ..Options::default() };
    let program = c::read(&["a.c".to_owned()], &options, &loader, &mut sources).expect("it is C");
    (program, sources)
}

fn read(input: &mut dyn Input) -> Result<ImportedRun, String> {
    let format = imported::recognise(input).map_err(|error| error.to_string())?;
    if format == Format::Own {
        return Err("ours".to_owned());
    }
    imported::read(input, format, &[]).map_err(|error| error.to_string())
}

/// The counterexamples of the golden cases, with their programs.
fn samples() -> Vec<(PathBuf, Vec<u8>, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/explain");
    let mut found = Vec::new();
    for folder in std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        if !["cbmc", "esbmc", "kani", "witness"].iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let minmax = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/minmax.c");
        let is_program = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "c");
        let code = files.iter().find(is_program).cloned().unwrap_or(minmax);
        let told = files.iter().find(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            ["trace.", "output.", "report.", "playback.", "witness."].iter().any(|start| name.starts_with(start))
        });
        found.push((folder, std::fs::read(told.expect("a counterexample")).unwrap(), std::fs::read(code).unwrap()));
    }
    found.sort();
    assert!(found.len() > 10, "the cases are there");
    found
}

#[test]
fn damaged_counterexamples_are_read_or_refused() {
    let words = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "<",
        ">",
        "</",
        "&lt;",
        "&x;",
        "- ",
        ":\n",
        "\t",
        "vec![",
        "0b",
        "-1",
        "1e999",
        "NULL",
        "null",
        "\\result == 5",
        "== ",
        " && ",
        "State 1 file a.c line 1 function main thread 0\n",
        "99999999999999999999",
        "\0",
    ];
    let programs: Vec<_> =
        samples().into_iter().map(|(_, told, code)| (told, String::from_utf8(code).unwrap())).collect();
    let programs: Vec<_> = programs.into_iter().map(|(told, code)| (told, program(&code))).collect();
    let options = CheckOptions {
        unwind: Some(3),
        stop: Stop::at(Instant::now() + Duration::from_secs(4)),
        ..CheckOptions::default()
    };
    let (mut dice, start, mut rebuilt) = (Dice(2026), Instant::now(), 0);
    for _ in 0..2000 {
        if start.elapsed() > Duration::from_secs(4) {
            break;
        }
        let (told, (program, sources)) = &programs[dice.index(programs.len())];
        let mut text = told.clone();
        for _ in 0..=dice.index(3) {
            let at = dice.index(text.len() + 1);
            let end = (at + dice.index(12)).min(text.len());
            match dice.index(4) {
                0 => text.truncate(at),
                1 => drop(text.drain(at..end)),
                2 => drop(text.splice(at..end, words[dice.index(words.len())].bytes())),
                _ if at < text.len() => text[at] = dice.index(256) as u8,
                _ => {}
            }
        }
        if let Ok(told) = read(&mut Cursor::new(text)) {
            match rebuild::rebuild(program, sources, &told, &options) {
                Ok(_) => rebuilt += 1,
                Err(Refusal::Disagreement(what)) => assert!(!what.message.is_empty() && !what.help.is_empty()),
                Err(Refusal::Other(_)) => {}
            }
        }
    }
    assert!(rebuilt > 0, "some damage does not matter");
}

/// A file that is made while it is read: a start, then the same bytes again and again.
struct Endless {
    start: Vec<u8>,
    again: Vec<u8>,
    length: u64,
    at: u64,
    /// How far it was read.
    reached: u64,
}

impl Endless {
    fn new(start: &str, again: &str, length: u64) -> Endless {
        Endless { start: start.into(), again: again.into(), length, at: 0, reached: 0 }
    }
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min((self.length - self.at) as usize);
        for byte in &mut buffer[..length] {
            let at = self.at as usize;
            *byte = *self.start.get(at).unwrap_or_else(|| &self.again[(at - self.start.len()) % self.again.len()]);
            self.at += 1;
        }
        self.reached = self.reached.max(self.at);
        Ok(length)
    }
}

impl Seek for Endless {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.at = at;
        }
        Ok(self.at)
    }
}

#[test]
fn hostile_files_are_refused_early() {
    const GIGABYTE: u64 = 1 << 30;
    let early = |start: &str, again: &str, expected: &str| {
        let mut file = BufReader::new(Endless::new(start, again, GIGABYTE));
        let format = imported::recognise(&mut file).unwrap();
        let error = imported::read(&mut file, format, &[]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.at.is_some(), "{error} has no place");
        assert!(file.get_ref().reached < 4 << 20, "{error}: {} bytes were read", file.get_ref().reached);
    };
    early("", "[", "values are nested too deeply");
    early("", "{\"a\":", "values are nested too deeply");
    early("[{\"program\": \"CBMC 6\"}, {\"messageText\": ", "[", "values are nested too deeply");
    early("[{\"messageText\": \"\", \"trace\": [{\"stepType\": ", "{\"a\":", "values are nested too deeply");
    early("<cprover>", "<a>", "elements are nested too deeply");
    early("<graphml>", "<a b='c'>", "elements are nested too deeply");
    early("<cprover ", "a='b' ", "too many attributes");
    early("<cprover>", "x", "a text of more than 1 MB");
    early("<cprover><", "a", "a text of more than 1 MB");
    early("<!DOCTYPE a [<!ENTITY b 'c'>]><cprover>", "&b;", "declarations in XML are not read");
    early("<cprover>", "&b;", "`&b;` is not an entity that is read");
    early("let concrete_vals = vec![", "vec![", "this is not a byte");
    early("let concrete_vals = vec![ vec![", "1, ", "a value of more than 16 bytes");
}

#[test]
fn large_files_are_passed_over() {
    // A text of a gigabyte would be one of these, only longer.
    let megabytes =
        |start: &str, again: &str| read(&mut BufReader::new(Endless::new(start, again, 8 << 20))).unwrap_err();
    assert!(megabytes("", "This is not a counterexample.\n").contains("no counterexample"));
    assert!(megabytes("[{\"messageText\": \"", "x").contains("the file ends within a text"));
    assert!(megabytes("[{\"messageText\": 1}", ", {\"a\": [1, 2]}").contains("the file ends within"));
    assert!(megabytes("<cprover>       ", "<abcd/>\n").contains("`<cprover>` is not closed"));
    assert!(megabytes("- entry_type: ", "[").contains("nested too deeply"));
    assert!(megabytes("- entry_type: ", "- ").len() < 2000);
    assert!(megabytes("State 1 file a.c line 3 function main thread 0\n", "  x = 5\n").contains("a violated property"));
    assert!(megabytes("\u{0}", "\u{0}").contains("no counterexample"));
    assert!(read(&mut Cursor::new(b"\xff\xfe[\0{\0".to_vec())).unwrap_err().contains("UTF-16"));
    assert!(read(&mut Cursor::new(b"<cprover>\xff\xff</cprover>".to_vec())).unwrap_err().contains("not UTF-8"));
    assert!(read(&mut Cursor::new(Vec::new())).unwrap_err().contains("the file is empty"));
}

/// Every sample that a case explains is rebuilt, from the first byte to the last; cut off anywhere, it is refused or it
/// still says the same.
#[test]
fn samples_that_are_cut_off_do_not_tell_another_run() {
    for (folder, told, code) in samples() {
        let (program, sources) = program(&String::from_utf8(code).unwrap());
        let expected = std::fs::read_to_string(folder.join("expected.code")).unwrap();
        // The files of the samples have names of their own.
        let told = String::from_utf8(told).unwrap();
        let files = [
            "door.c",
            "minmax.c",
            "parcel.c",
            "keep.c",
            "chain.c",
            "account.c",
            "rent.c",
            "struct_result.c",
            "union.c",
            "reading.c",
        ];
        let told = files.iter().fold(told, |t, name| t.replace(name, "a.c"));
        let whole = read(&mut Cursor::new(told.clone().into_bytes()));
        let rebuilt = whole.map(|told| rebuild::rebuild(&program, &sources, &told, &CheckOptions::default()));
        let fails = matches!(rebuilt, Ok(Ok(_)));
        assert_eq!(fails, expected.trim() == "10", "{}: {rebuilt:?}", folder.display());
        for part in 1..12 {
            let cut = told[..told.len() * part / 12].trim_end().as_bytes().to_vec();
            if let Ok(told) = read(&mut Cursor::new(cut)) {
                let says_nothing_of_its_end = matches!(told.format, Format::Kani | Format::WitnessYaml);
                assert!(told.failure.is_some() || says_nothing_of_its_end, "{}", folder.display());
            }
        }
    }
}
