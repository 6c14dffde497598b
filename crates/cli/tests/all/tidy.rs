//! The house rules that a machine can check: the crates are those of the drawing, walls between rooms hold however long
//! the way, no rooms lead round in a circle, files open with their idea, functions fit a screen, nothing is left for later.

mod imports;

use std::fs;
use std::path::{Path, PathBuf};

use imports::{Imports, is_below, without_tests};

/// A source file, its path from the root of the repository with `/`.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Lines of code: number from 1 and text, without tests and comments that take a whole line.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = without_tests(&self.text).map(|(i, line)| (i + 1, line.trim()));
        lines.filter(|(_, line)| !line.starts_with("//"))
    }

    fn complain(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("there is a root")
}

fn files() -> Vec<File> {
    let root = root();
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.join("crates"), root.join("fuzz"), root.join("bench")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("folders can be read").flatten() {
            let path = entry.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() && name != "target" {
                folders.push(path);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(&path).expect("sources are text");
                let path = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                found.push(File { path, text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 300, "the walk finds the sources");
    found
}

fn imports(files: &[File]) -> Imports {
    let imports = Imports::of(files.iter().map(|file| (file.path.as_str(), file.text.as_str())));
    let arrows: usize = imports.arrows.values().map(|others| others.len()).sum();
    assert!(arrows > 1000, "the arrows are found: {arrows}");
    imports
}

fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_file_opens_with_its_idea() {
    let silent = files().into_iter().filter(|file| !file.text.starts_with("//!"));
    report(silent.map(|file| file.complain(1, "the file does not open with `//!`")).collect());
}

#[test]
fn long_files_say_why() {
    let mut complaints = Vec::new();
    for file in files() {
        let length = file.text.lines().count();
        let first = file.text.lines().take_while(|line| line.starts_with("//!") && line.trim() != "//!");
        let first = first.map(|line| line.trim_start_matches("//!")).collect::<String>();
        if length > 1000 && !first.contains("Over 1,000 lines because") {
            complaints.push(file.complain(length, "over 1,000 lines; split it, or say why in the first paragraph"));
        }
    }
    report(complaints);
}

#[test]
fn nothing_is_left_for_later() {
    // In pieces, so that this file does not complain of itself.
    let words = [
        concat!("to", "do!"),
        concat!("unimple", "mented!"),
        concat!("FIX", "ME"),
        concat!("X", "XX"),
        concat!("TO", "DO"),
    ];
    let mut complaints = Vec::new();
    for file in files() {
        for (i, line) in file.text.lines().enumerate() {
            if let Some(word) = words.iter().find(|word| line.contains(**word)) {
                complaints.push(file.complain(i + 1, &format!("`{word}`")));
            }
        }
    }
    report(complaints);
}

/// The drawing: each crate and those that it may name, in its manifest and anywhere in it.
const DRAWING: [(&str, &[&str]); 8] = [
    ("logic", &[]),
    ("trace", &["logic"]),
    ("program", &["logic", "trace"]),
    ("explain", &["logic", "trace", "program"]),
    ("suite", &["program"]),
    ("report", &["trace", "program", "explain", "suite"]),
    ("cli", &["logic", "trace", "program", "explain", "suite", "report"]),
    ("python", &["cli"]),
];

#[test]
fn the_crates_are_those_of_the_drawing() {
    let mut crates: Vec<String> = (fs::read_dir(root().join("crates")).expect("there are crates").flatten())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    crates.sort();
    let mut drawn: Vec<&str> = DRAWING.iter().map(|(name, _)| *name).collect();
    drawn.sort_unstable();
    assert_eq!(crates, drawn);
    let mut complaints = Vec::new();
    for (name, below) in DRAWING {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("each crate has a manifest");
        let named = text.lines().filter_map(|line| line.strip_prefix("nearmiss-")?.split([' ', '.', '=']).next());
        let mut named: Vec<&str> = named.collect();
        named.sort_unstable();
        if text.contains("dependencies.nearmiss-") || text.contains("package = \"nearmiss-") {
            complaints.push(format!("crates/{name}/Cargo.toml names a crate of ours in a way that is not read here"));
        }
        let mut below = below.to_vec();
        below.sort_unstable();
        if named != below {
            complaints.push(format!("crates/{name}/Cargo.toml names {named:?}, the drawing {below:?}"));
        }
    }
    report(complaints);
}

#[test]
fn no_rooms_lead_round_in_a_circle() {
    report(imports(&files()).circles());
}

/// From nowhere below one place may a path of imports, however long, come to another.
struct Wall {
    from: &'static [&'static str],
    to: &'static [&'static [&'static str]],
    why: &'static str,
}

/// Everything in `logic` but what numbers and stopping are.
const SOLVING: &[&[&str]] = &[
    &["logic", "bitblast"],
    &["logic", "eval"],
    &["logic", "float"],
    &["logic", "optimise"],
    &["logic", "sat"],
    &["logic", "term"],
    &["logic", "text"],
];

const WALLS: &[Wall] = &[
    Wall {
        from: &["suite"],
        to: &[&["program", "interp"], &["program", "c"], &["trace"], &["logic"]],
        why: "a suite starts this tool; it judges nothing itself",
    },
    Wall {
        from: &["program"],
        to: SOLVING,
        why: "the interpreter judges what the solver found, hence shares nothing with it",
    },
    Wall { from: &["trace", "ltl"], to: SOLVING, why: "the meaning of formulas needs no solver" },
    Wall { from: &["trace", "ltl_eval"], to: SOLVING, why: "the meaning of formulas needs no solver" },
    Wall { from: &["trace", "read"], to: SOLVING, why: "reading a trace needs no solver" },
    Wall {
        from: &["trace", "recheck"],
        to: &[&["trace", "search"], &["trace", "causes"], &["trace", "ltl_eval"], &["logic", "sat"]],
        why: "what checks an answer shares nothing with what found it",
    },
    Wall {
        from: &["explain", "recheck"],
        to: &[
            &["explain", "method"],
            &["explain", "symex"],
            &["explain", "explain"],
            &["explain", "focus"],
            &["explain", "check"],
        ],
        why: "what checks an answer shares nothing with what found it",
    },
    Wall { from: &["explain", "method"], to: &[&["explain", "recheck"]], why: "methods do not judge themselves" },
    Wall {
        from: &["explain", "symex"],
        to: &[&["program", "interp"], &["explain", "method"]],
        why: "the two machines share the program and nothing else",
    },
    Wall {
        from: &["explain", "equation"],
        to: &[&["program", "interp"], &["explain", "symex"]],
        why: "an equation is plain data",
    },
];

#[test]
fn walls_between_rooms_hold_however_long_the_way() {
    let imports = imports(&files());
    let mut complaints = Vec::new();
    for wall in WALLS {
        for place in wall.to.iter().chain([&wall.from]) {
            if !imports.files.keys().any(|module| is_below(module, place)) {
                complaints.push(format!("a wall names {}, which does not exist", place.join("::")));
            }
        }
        let reached = imports.reached(wall.from);
        for (module, way) in reached.iter().filter(|(module, _)| wall.to.iter().any(|to| is_below(module, to))) {
            let way: Vec<String> = way.iter().map(|module| module.join("::")).collect();
            complaints.push(format!("{}: {} ({})", module.join("::"), wall.why, way.join(" -> ")));
        }
    }
    report(complaints);
}

/// These words stand nowhere in the sources of our crates but below these paths.
struct Only {
    words: &'static [&'static str],
    below: &'static [&'static str],
    why: &'static str,
}

const ONLY: &[Only] = &[
    Only {
        words: &["println!", "eprintln!", "print!(", "eprint!(", "std::process", "std::env::"],
        below: &["crates/cli/src/"],
        why: "only the command line speaks with the outside",
    },
    Only {
        words: &["std::fs", "File::open"],
        below: &["crates/cli/src/", "crates/program/src/disk.rs"],
        why: "files are read through the loader that the caller gives",
    },
    Only { words: &["rucc_"], below: &["crates/program/src/c/front"], why: "only c/front knows the front-end crates" },
    Only {
        words: &["wellen::"],
        below: &["crates/trace/src/read/waveform.rs"],
        why: "only one reader knows the waveform crate",
    },
    Only {
        words: &["saphyr_parser"],
        below: &["crates/suite/src/yaml.rs"],
        why: "only one reader knows the crate that parses YAML",
    },
    Only { words: &["cadical_sys"], below: &["crates/logic/src/sat"], why: "only the seam knows the solver" },
    Only {
        words: &["ltl_eval::evaluate", "ltl_eval::matters"],
        below: &["crates/trace/src/search", "crates/trace/src/causes.rs", "crates/program/src/moments.rs"],
        why: "a re-check evaluates formulas by itself",
    },
    Only { words: &["anyhow"], below: &["crates/cli/src/"], why: "libraries have errors of their own" },
];

#[test]
fn words_stand_only_where_they_belong() {
    let files = files();
    let imports = imports(&files);
    let mut complaints = Vec::new();
    for only in ONLY {
        for below in only.below {
            if !root().join(below.trim_end_matches('/')).exists() && !root().join(format!("{below}.rs")).exists() {
                complaints.push(format!("`{}` is allowed in {below}, which does not exist", only.words[0]));
            }
        }
        let elsewhere = |file: &&File| {
            let ours = file.path.starts_with("crates/") && file.path.contains("/src/");
            ours && !only.below.iter().any(|below| file.path.starts_with(below))
        };
        for file in files.iter().filter(elsewhere) {
            // Tests may cross walls: they compare the rooms.
            for (number, line) in file.code() {
                if let Some(word) = only.words.iter().find(|word| line.contains(**word)) {
                    complaints.push(file.complain(number, &format!("`{word}`: {}", only.why)));
                }
            }
            for (path, _) in imports.paths.iter().filter(|(_, of)| *of == file.path) {
                let is_word = |word: &&&str| path == word.trim_end_matches("::") || path.starts_with(**word);
                if let Some(word) = only.words.iter().find(is_word) {
                    complaints.push(file.complain(1, &format!("uses `{path}` (`{word}`): {}", only.why)));
                }
            }
        }
    }
    report(complaints);
}

/// An arrow that cannot be followed is none: no crate of ours is imported whole or under another name.
#[test]
fn every_import_can_be_followed() {
    let mut complaints = Vec::new();
    for file in files().iter().filter(|file| file.path.starts_with("crates/") && file.path.contains("/src/")) {
        for (number, line) in file.code().filter(|(_, line)| line.contains("nearmiss_")) {
            let whole = line.contains("::*") || line.contains("extern crate");
            let renamed = line.split("nearmiss_").skip(1).any(|rest| {
                let name = rest.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_');
                name.starts_with(" as ")
            });
            if whole || renamed {
                complaints.push(file.complain(number, "a crate is imported whole or under another name"));
            }
        }
    }
    report(complaints);
}

/// A function of more lines is one flat `match`, whose arms are short, or is split.
const LONGEST_FUNCTION: usize = 80;
/// An arm of a longer flat `match` has at most so many lines.
const LONGEST_ARM: usize = 12;

#[test]
fn functions_fit_a_screen() {
    let mut complaints = Vec::new();
    for file in files().iter().filter(|file| file.path.starts_with("crates/") && file.path.contains("/src/")) {
        let lines: Vec<&str> = file.text.lines().collect();
        for (start, line) in lines.iter().enumerate().filter(|(_, line)| is_function(line)) {
            let indent = &line[..line.len() - line.trim_start().len()];
            let end = lines[start..].iter().position(|line| *line == format!("{indent}}}"));
            let Some(body) = end.map(|end| &lines[start..=start + end]) else { continue };
            // A declaration or a function of one line has no closing brace of its own.
            let opens = body.iter().position(|line| line.ends_with('{')).unwrap_or(body.len());
            if body[..opens.min(body.len())].iter().any(|line| line.ends_with(';') || line.ends_with('}')) {
                continue;
            }
            if body.len() > LONGEST_FUNCTION && !is_flat_match(&body[opens + 1..body.len() - 1], indent) {
                complaints.push(file.complain(start + 1, &format!("a function of {} lines", body.len())));
            }
        }
    }
    report(complaints);
}

fn is_function(line: &str) -> bool {
    let line = line.trim_start();
    let words = ["pub ", "pub(crate) ", "pub(super) ", "const ", "unsafe "];
    let line = words.iter().fold(line, |line, word| line.strip_prefix(word).unwrap_or(line));
    line.starts_with("fn ")
}

/// A few lines, then a `match` up to the end of which no arm is long.
fn is_flat_match(body: &[&str], indent: &str) -> bool {
    let inner = format!("{indent}    ");
    let is_start = |line: &&str| {
        line.strip_prefix(&inner)
            .is_some_and(|line| !line.starts_with(' ') && line.contains("match ") && line.ends_with('{'))
    };
    let Some(start) = body.iter().position(is_start) else { return false };
    let closes = |line: &&str| line.strip_prefix(&inner).is_some_and(|line| line.starts_with('}'));
    let Some(length) = body[start..].iter().position(closes) else { return false };
    let around = body.len() - length;
    let arm = format!("{inner}    ");
    let starts_arm = |line: &&str| line.strip_prefix(&arm).is_some_and(|line| !line.starts_with([' ', '}', '|']));
    let mut longest = 0;
    let mut current = 0;
    for line in &body[start + 1..start + length] {
        current = if starts_arm(line) { 1 } else { current + 1 };
        longest = longest.max(current);
    }
    around <= 20 && longest <= LONGEST_ARM
}
