//! The house rules that a machine can check: files open with their idea, walls between rooms hold, nothing is left for
//! later.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file, its path from the root of the repository with `/`.
struct File {
    path: String,
    text: String,
}

impl File {
    /// Lines of code: number from 1 and text, without comments that take a whole line.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
        lines.filter(|(_, line)| !line.starts_with("//"))
    }

    fn complain(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }
}

fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("there is a root");
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.join("crates")];
    folders.extend(["fuzz", "bench"].map(|name| root.join(name)).into_iter().filter(|folder| folder.is_dir()));
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
    assert!(found.len() > 10, "the walk finds the sources");
    found
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
    let words = [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("FIX", "ME"), concat!("X", "XX")];
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

/// Files whose path starts with `inside` (and with none of `except`) must not contain any of `words` in their code.
struct Wall {
    inside: &'static [&'static str],
    except: &'static [&'static str],
    words: &'static [&'static str],
    why: &'static str,
}

const WALLS: [Wall; 10] = [
    Wall {
        inside: &["crates/logic/"],
        except: &[],
        words: &["nearmiss_explain"],
        why: "solving knows nothing of programs",
    },
    Wall {
        inside: &["crates/logic/src/", "crates/explain/src/"],
        except: &[],
        words: &["println!", "eprintln!", "print!(", "eprint!(", "std::process"],
        why: "only the command line prints",
    },
    Wall {
        inside: &["crates/explain/src/"],
        except: &[],
        words: &["std::fs", "File::open", "std::env"],
        why: "files are read through the loader that the caller gives",
    },
    Wall {
        inside: &["crates/"],
        except: &["crates/explain/src/c/front", "crates/cli/tests/tidy.rs"],
        words: &["rucc_"],
        why: "only c/front knows the front-end crates",
    },
    Wall {
        inside: &["crates/explain/src/symex", "crates/explain/src/memory", "crates/explain/src/equation"],
        except: &[],
        words: &["crate::interp", "super::interp"],
        why: "the two machines share the program and nothing else",
    },
    Wall {
        inside: &["crates/explain/src/interp"],
        except: &[],
        words: &["nearmiss_logic", "crate::symex", "crate::memory", "crate::equation", "crate::check", "ltl_terms"],
        why: "the interpreter judges what the solver found, hence shares nothing with it",
    },
    Wall {
        inside: &["crates/logic/src/", "crates/explain/src/", "crates/cli/src/"],
        except: &["crates/explain/src/read/"],
        words: &["wellen::"],
        why: "only the readers of traces know the waveform crate",
    },
    Wall {
        inside: &["crates/explain/src/recheck"],
        except: &["crates/explain/src/recheck/cause.rs", "crates/explain/src/recheck/focus.rs"],
        words: &["crate::method", "ltl_eval::evaluate", "ltl_eval::matters"],
        why: "what checks an answer shares nothing with what found it",
    },
    Wall {
        inside: &["crates/explain/src/recheck/cause.rs"],
        except: &[],
        words: &["method::cause", "method::nearest", "method::encode", "method::{"],
        why: "of the methods it knows only what counts as a difference",
    },
    Wall {
        inside: &["crates/explain/src/recheck/focus.rs"],
        except: &[],
        words: &[
            "method::focus::find",
            "method::focus::condition",
            "method::encode",
            "crate::symex",
            "crate::equation",
        ],
        why: "of the method it knows only the sequence that it checks",
    },
];

#[test]
fn walls_between_rooms_hold() {
    let files = files();
    let mut complaints = Vec::new();
    for wall in &WALLS {
        let starts = |file: &&File, with: &[&str]| with.iter().any(|start| file.path.starts_with(start));
        let rooms = files.iter().filter(|file| starts(file, wall.inside) && !starts(file, wall.except));
        for file in rooms {
            // Tests at the end of a file may cross walls: they compare the rooms.
            for (number, line) in file.code().take_while(|(_, line)| *line != "#[cfg(test)]") {
                if let Some(word) = wall.words.iter().find(|word| line.contains(**word)) {
                    complaints.push(file.complain(number, &format!("`{word}`: {}", wall.why)));
                }
            }
        }
    }
    report(complaints);
}
