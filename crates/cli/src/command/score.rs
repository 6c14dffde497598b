//! `nearmiss score`: a report, the program it is about, and where the fault is.
//!
//! The report is what `--format json` printed, perhaps elsewhere and by another version: parts that are not asked for may
//! be missing, and names of files may be longer or shorter than those of the program read now, as long as it is clear
//! which is meant.

use std::collections::BTreeSet;
use std::fs;

use nearmiss_explain::method::score::{self, Localisation};
use nearmiss_program::dependence::{Dependences, Line, dependences};
use nearmiss_program::program::Program;
use nearmiss_program::source::{Diagnostic, Severity, Sources};
use nearmiss_report::score::{Part, Scored, render};
use serde_json::Value;

use crate::exit::Exit;
use crate::reading::ReadProgram;
use crate::settings::ScoreTask;
use crate::unanswered::Unanswered;
use crate::work::Work;

/// How many lines are named to somebody who named a wrong one.
const NEAREST: usize = 4;

/// Scores a report, renders.
pub fn run(work: &Work, task: &ScoreTask, read: &ReadProgram) -> Result<Exit, Unanswered> {
    work.end();
    let scored = score(task, read.program.lowered(), read.sources())?;
    work.settings.output.write(&render(&scored, work.settings.format))?;
    Ok(Exit::Holds)
}

/// Scores a report. `Err` says what is wrong with the report or the faulty lines.
fn score(task: &ScoreTask, program: &Program, sources: &Sources) -> Result<Scored, Diagnostic> {
    let report = read(&task.report)?;
    let (over, lines) = reported(&report, task)?;
    let graph = dependences(program, sources);
    let names = Names::of(&graph);
    let faults = task.faults.iter().map(|(file, line)| names.fault(file, *line)).collect::<Result<Vec<_>, _>>()?;
    let (reported, ignored) = names.nodes(&lines);
    let (executed, _) = names.nodes(&places(report.pointer("/counterexample/steps")).unwrap_or_default());
    let localisation = Localisation { reported: &reported, faulty: &faults, executed: &executed };
    Ok(Scored {
        score: score::score(&graph, localisation),
        over,
        nodes: graph.nodes.len(),
        reported: reported.len(),
        executed: executed.len(),
        ignored,
        faults: faults.iter().map(|node| graph.nodes[*node].clone()).collect(),
    })
}

fn error(message: String, help: impl Into<String>) -> Diagnostic {
    Diagnostic { severity: Severity::Error, message, span: None, help: Some(help.into()) }
}

fn read(path: &str) -> Result<Value, Diagnostic> {
    let help = "the report is what `nearmiss explain --format json` prints";
    let text = fs::read_to_string(path).map_err(|why| error(format!("cannot read {path}: {why}"), help))?;
    let report: Value =
        serde_json::from_str(&text).map_err(|why| error(format!("{path} is not a report: {why}"), help))?;
    match report.get("schema").and_then(Value::as_str) {
        Some("nearmiss/1") => Ok(report),
        Some(other) => Err(error(format!("{path} has schema `{other}`, not `nearmiss/1`"), help)),
        None => Err(error(format!("{path} is not a report: it has no schema"), help)),
    }
}

/// The part of the report that counts, and its lines.
fn reported(report: &Value, task: &ScoreTask) -> Result<(Part, Vec<Line>), Diagnostic> {
    let part = |over: Part| match over {
        Part::Suspects => places(report.get("suspects")),
        Part::Slice => places(report.pointer("/slice/deltas")),
        Part::Nearest => places(report.pointer("/nearest/deltas")),
        Part::Counterexample => places(report.pointer("/counterexample/steps")),
    };
    if let Some(over) = task.over {
        let help = "leave --over out to score the first part that is there";
        let missing = || error(format!("{} has no {}", task.report, over.name()), help);
        return part(over).map(|lines| (over, lines)).ok_or_else(missing);
    }
    let order = [Part::Suspects, Part::Slice, Part::Counterexample];
    let first = order.into_iter().find_map(|over| part(over).filter(|lines| !lines.is_empty()).map(|l| (over, l)));
    let help = "only a failing run that was explained can be scored";
    first.ok_or_else(|| error(format!("{} has neither suspects nor slice nor counterexample", task.report), help))
}

/// The lines of an array of things with places. What neither run executes is no part of an explanation, nor is what
/// was trusted; and that an input differs says nothing of the line that reads it (in the papers' reports inputs have no
/// line at all).
fn places(things: Option<&Value>) -> Option<Vec<Line>> {
    let place = |thing: &Value| {
        let word = |key: &str| thing.get(key).and_then(Value::as_str);
        let explains = match word("executed") {
            Some("neither") => false,
            Some(_) if thing.get("trusted") == Some(&Value::Bool(true)) => false,
            Some(_) => word("kind") != Some("input"),
            None => true,
        };
        let file = thing.get("file")?.as_str()?.to_owned();
        let line = u32::try_from(thing.get("line")?.as_u64()?).ok()?;
        explains.then_some(Line { file, line })
    };
    Some(things?.as_array()?.iter().filter_map(place).collect())
}

/// The names of the files in a graph.
struct Names<'a> {
    graph: &'a Dependences,
    files: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(graph: &'a Dependences) -> Names<'a> {
        Names { graph, files: graph.nodes.iter().map(|line| line.file.as_str()).collect() }
    }

    /// The files that a name can mean: the one that is called so, or those that end in it or in which it ends.
    fn meant(&self, name: &str) -> Vec<&'a str> {
        if let Some(same) = self.files.get(name) {
            return vec![same];
        }
        let ends = |path: &str, end: &str| {
            let end = end.trim_start_matches("./");
            path == end || path.strip_suffix(end).is_some_and(|rest| rest.ends_with('/'))
        };
        self.files.iter().copied().filter(|file| ends(file, name) || ends(name, file)).collect()
    }

    /// The nodes of lines, each once, and the lines that are none.
    fn nodes(&self, lines: &[Line]) -> (Vec<usize>, Vec<Line>) {
        let (mut nodes, mut others) = (BTreeSet::new(), BTreeSet::new());
        for line in lines {
            let node = match self.meant(&line.file).as_slice() {
                [file] => self.graph.node(&Line { file: (*file).to_owned(), line: line.line }),
                _ => None,
            };
            match node {
                Some(node) => nodes.insert(node),
                None => others.insert(line.clone()),
            };
        }
        (nodes.into_iter().collect(), others.into_iter().collect())
    }

    fn fault(&self, name: &str, line: u32) -> Result<usize, Diagnostic> {
        let file = match self.meant(name).as_slice() {
            [file] => (*file).to_owned(),
            [] => {
                let files: Vec<&str> = self.files.iter().copied().collect();
                return Err(error(
                    format!("no file of the program is called {name}"),
                    format!("its files are {}", list(&files)),
                ));
            }
            several => {
                return Err(error(format!("{name} can be several files"), format!("write one of {}", list(several))));
            }
        };
        let wanted = Line { file, line };
        self.graph.node(&wanted).ok_or_else(|| {
            let mut lines: Vec<u32> =
                self.graph.nodes.iter().filter(|node| node.file == wanted.file).map(|node| node.line).collect();
            lines.sort_by_key(|other| other.abs_diff(line));
            lines.truncate(NEAREST);
            lines.sort_unstable();
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            error(
                format!("nothing is done or declared at {}:{line}", wanted.file),
                format!("the nearest lines where something is are {}", list(&lines)),
            )
        })
    }
}

/// `a, b and c`.
fn list<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(files: &[&str]) -> Dependences {
        let nodes = files.iter().flat_map(|file| [3, 5, 9].map(|line| Line { file: (*file).to_owned(), line }));
        let mut nodes: Vec<Line> = nodes.collect();
        nodes.sort();
        Dependences { nodes, edges: Vec::new() }
    }

    #[test]
    fn files_are_known_by_the_ends_of_their_paths() {
        let graph = graph(&["src/a.c", "lib/a.c", "src/main.c"]);
        let names = Names::of(&graph);
        assert_eq!(names.meant("main.c"), ["src/main.c"]);
        assert_eq!(names.meant("./src/main.c"), ["src/main.c"]);
        assert_eq!(names.meant("/home/x/src/main.c"), ["src/main.c"]);
        assert_eq!(names.meant("a.c"), ["lib/a.c", "src/a.c"]);
        assert_eq!(names.meant("lib/a.c"), ["lib/a.c"]);
        assert!(names.meant("in.c").is_empty() && names.meant("b.c").is_empty());
    }

    #[test]
    fn a_line_that_does_nothing_is_answered_with_lines_that_do() {
        let graph = graph(&["a.c"]);
        let error = Names::of(&graph).fault("a.c", 6).expect_err("no such line");
        assert_eq!(error.help.as_deref(), Some("the nearest lines where something is are 3, 5 and 9"));
        assert!(Names::of(&graph).fault("b.c", 5).is_err());
    }

    #[test]
    fn parts_that_are_missing_are_told_from_empty_ones() {
        let report = serde_json::json!({
            "suspects": [],
            "slice": {"deltas": [
                {"file": "a.c", "line": 3, "executed": "both"},
                {"file": "a.c", "line": 9, "executed": "neither"},
                {"file": "a.c", "line": 1, "executed": "both", "kind": "input"},
                {"file": "a.c"},
            ]},
        });
        let task = |over| ScoreTask { report: "r.json".to_owned(), faults: Vec::new(), over };
        let (over, lines) = reported(&report, &task(None)).expect("there is a slice");
        assert_eq!((over, lines.len()), (Part::Slice, 1));
        assert_eq!(reported(&report, &task(Some(Part::Suspects))).expect("it is empty").1, []);
        assert!(reported(&report, &task(Some(Part::Nearest))).is_err());
        assert!(reported(&serde_json::json!([]), &task(None)).is_err());
    }
}
