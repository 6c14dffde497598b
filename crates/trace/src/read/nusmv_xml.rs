//! Counterexamples as NuSMV and nuXmv write them in XML.
//!
//! A node has a state, and the inputs of a transition together with what depends on them (`combinatorial`). Some versions
//! write these after the state that the transition leaves, others before the one that it leads to; either way they belong
//! to the last state so far. States in `loops` count from 1. Loops, inputs and the last row are read as in the text
//! ([`super::nusmv`]).

use super::error::ReadError;
use super::nusmv::Steps;
use super::table::Table;
use super::xml::{Piece, Reader};

/// Reads the first trace of a document.
pub(super) fn read(text: &str) -> Result<Table, ReadError> {
    let mut reader = Reader::new(text.as_bytes())?;
    match document(&mut reader) {
        Ok(table) => Ok(table),
        Err(mut error) => {
            // What is wrong with a value has no place of its own.
            error.at = error.at.or(Some(reader.place()));
            Err(error)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    None,
    State,
    /// Inputs and what depends on them.
    Transition,
}

fn document(reader: &mut Reader<&[u8]>) -> Result<Table, ReadError> {
    let mut steps = Steps::new();
    let (mut section, mut variable, mut value, mut loops) = (Section::None, None, String::new(), String::new());
    let (mut traces, mut states) = (0, 0);
    while let Some(piece) = reader.piece()? {
        match piece {
            Piece::Open(element) => match element.name.as_str() {
                "counter-example" => traces += 1,
                name if traces == 0 => return Err(reader.error(format!("`{name}` is not a counterexample"))),
                "state" if traces == 1 => {
                    steps.state()?;
                    states += 1;
                    section = Section::State;
                }
                "input" | "combinatorial" if traces == 1 => section = Section::Transition,
                "value" => {
                    let name =
                        element.attribute("variable").ok_or_else(|| reader.error("a value lacks its variable"))?;
                    variable = Some(name.to_owned());
                    value.clear();
                }
                _ => {}
            },
            Piece::Close(name) => match name.as_str() {
                "value" => {
                    if let Some(variable) = variable.take().filter(|_| traces == 1) {
                        match section {
                            Section::State => steps.assign(&variable, value.trim(), false)?,
                            Section::Transition => steps.assign(&variable, value.trim(), true)?,
                            Section::None => return Err(reader.error("a value stands outside of a state")),
                        }
                    }
                }
                "state" | "input" | "combinatorial" => section = Section::None,
                "loops" if traces == 1 => {
                    let first = loops.split([',', ' ', '\n', '\t', '\r']).find(|number| !number.is_empty());
                    if let Some(first) = first {
                        let number: usize = first
                            .parse()
                            .ok()
                            .filter(|number| (1..=states).contains(number))
                            .ok_or_else(|| reader.error(format!("`{first}` is not the number of a state")))?;
                        steps.loop_at(number - 1);
                    }
                }
                _ => {}
            },
            Piece::Text(text) => match reader.inside() {
                Some("value") => value.push_str(&text),
                Some("loops") if traces == 1 => loops.push_str(&text),
                _ if !text.trim().is_empty() => {
                    return Err(reader.error("there is text where elements are expected"));
                }
                _ => {}
            },
        }
    }
    if traces == 0 {
        return Err(reader.error("there is no counterexample"));
    }
    steps.finish(traces - 1)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::trace::{self, Format, Sampling};

    const LASSO: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<counter-example type="0" desc="LTL &lt;Counterexample&gt;" >
  <node>
    <state id="1"><value variable="a">FALSE</value><value variable='m.n'>3</value></state>
    <combinatorial id="2"></combinatorial>
    <input id="2"><value variable="i">TRUE</value></input>
  </node>
  <node><state id="2"><value variable="a">TRUE</value><value variable="s&#46;t">x &amp; y</value></state>
    <input id="3"><value variable="i">FALSE</value></input></node>
  <node><state id="3"><value variable="m.n">4</value></state></node>
  <node><state id="4"><value variable="m.n">3</value></state></node>
  <loops> 2 ,4 </loops>
</counter-example>
"#;

    #[test]
    fn a_lasso() {
        let mut trace = trace::open(Cursor::new(LASSO.as_bytes().to_vec())).unwrap();
        assert_eq!((trace.format(), trace.notes().len()), (Format::NusmvXml, 0));
        let names: Vec<_> = trace.signals().iter().map(|signal| signal.name.clone()).collect();
        assert_eq!(names, ["a", "m.n", "i", "s.t"]);
        let wave = trace.load(&[0, 1, 2, 3], &Sampling::default()).unwrap();
        assert_eq!((wave.cycles, wave.loop_start), (3, Some(1)));
        let row = |i: usize| (0..3).map(|cycle| wave.signals[i].at(cycle).to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(
            (row(0), row(1), row(2), row(3)),
            ("0 1 1".into(), "3 3 4".into(), "1 0 0".into(), " x & y x & y".into())
        );
    }

    #[test]
    fn what_is_not_a_counterexample_is_an_error_with_a_place() {
        let problem = |text: &str| trace::open(Cursor::new(text.as_bytes().to_vec())).err().unwrap().to_string();
        assert_eq!(problem("<html>\n</html>"), "1:7: `html` is not a counterexample");
        assert_eq!(problem("<counter-example>\n<node>"), "2:7: `<node>` is not closed");
        assert_eq!(problem("<counter-example>\n</node>"), "2:8: `</node>` closes nothing that is open");
        assert_eq!(problem("<!DOCTYPE a [<!ENTITY b \"c\">]>"), "1:1: declarations in XML are not read");
        assert_eq!(problem("<counter-example>\n&b;</counter-example>"), "2:1: `&b;` is not an entity that is read");
        assert_eq!(problem("<counter-example></counter-example>"), "1:36: the trace has no state");
        assert!(problem(&"<counter-example>".repeat(100)).ends_with("elements are nested too deeply"));
        let loops = "<counter-example><node><state id='1'/></node><loops>7</loops></counter-example>";
        assert!(problem(loops).ends_with("`7` is not the number of a state"));
    }
}
