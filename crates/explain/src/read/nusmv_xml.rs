//! Counterexamples as NuSMV and nuXmv write them in XML, and the little of XML that this takes.
//!
//! A node has a state, and the inputs of a transition together with what depends on them (`combinatorial`). Some versions
//! write these after the state that the transition leaves, others before the one that it leads to; either way they belong
//! to the last state so far. States in `loops` count from 1. Loops, inputs and the last row are read as in the text
//! ([`super::nusmv`]).
//!
//! Of XML there are elements, attributes, texts, comments, and the predefined and numeric entities; anything a document
//! could use to make itself larger than its file is an error.

use super::nusmv::Steps;
use super::table::Table;
use super::trace::{Place, TraceError};

/// Deeper elements are an error.
const DEEPEST: usize = 64;

/// Reads the first trace of a document.
pub(super) fn read(text: &str) -> Result<Table, TraceError> {
    let mut reader = Reader { text, at: 0, pending: None };
    match document(&mut reader) {
        Ok(table) => Ok(table),
        Err(mut error) => {
            // What is wrong with a value has no place of its own.
            error.at = error.at.or(Some(Place::of(text.as_bytes(), reader.at)));
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

fn document(reader: &mut Reader<'_>) -> Result<Table, TraceError> {
    let mut open: Vec<String> = Vec::new();
    let mut steps = Steps::new();
    let (mut section, mut variable, mut value, mut loops) = (Section::None, None, String::new(), String::new());
    let (mut traces, mut states) = (0, 0);
    while let Some(piece) = reader.piece()? {
        match piece {
            Piece::Open { name, attributes } => {
                let attribute =
                    |wanted: &str| attributes.iter().find(|(name, _)| name == wanted).map(|(_, v)| v.as_str());
                match name.as_str() {
                    "counter-example" => traces += 1,
                    _ if traces == 0 => return Err(reader.error(format!("`{name}` is not a counterexample"))),
                    "state" if traces == 1 => {
                        steps.state()?;
                        states += 1;
                        section = Section::State;
                    }
                    "input" | "combinatorial" if traces == 1 => section = Section::Transition,
                    "value" => {
                        let name = attribute("variable").ok_or_else(|| reader.error("a value lacks its variable"))?;
                        variable = Some(name.to_owned());
                        value.clear();
                    }
                    _ => {}
                }
                open.push(name);
                if open.len() > DEEPEST {
                    return Err(reader.error("elements are nested too deeply"));
                }
            }
            Piece::Close(name) => {
                if open.pop().as_deref() != Some(&name) {
                    return Err(reader.error(format!("`</{name}>` closes nothing that is open")));
                }
                match name.as_str() {
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
                }
            }
            Piece::Text(text) => match open.last().map(String::as_str) {
                Some("value") => value.push_str(&text),
                Some("loops") if traces == 1 => loops.push_str(&text),
                _ if !text.trim().is_empty() => {
                    return Err(reader.error("there is text where elements are expected"));
                }
                _ => {}
            },
        }
    }
    if let Some(name) = open.last() {
        return Err(reader.error(format!("`<{name}>` is not closed")).with_help("is the file cut off?"));
    }
    if traces == 0 {
        return Err(reader.error("there is no counterexample"));
    }
    steps.finish(traces - 1)
}

/// One step through a document.
enum Piece {
    Open { name: String, attributes: Vec<(String, String)> },
    Close(String),
    Text(String),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// An element that closed itself.
    pending: Option<String>,
}

impl<'a> Reader<'a> {
    fn error(&self, message: impl Into<String>) -> TraceError {
        TraceError::new(message).at(Place::of(self.text.as_bytes(), self.at))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips to the end of what ends with `end`.
    fn skip(&mut self, end: &str) -> Result<(), TraceError> {
        let length = self.rest().find(end).ok_or_else(|| self.error(format!("the end `{end}` is missing")))?;
        self.at += length + end.len();
        Ok(())
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn name(&mut self) -> Result<String, TraceError> {
        let stops = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '<' | '/' | '"' | '\'' | '&');
        let length = self.rest().find(stops).unwrap_or(self.rest().len());
        if length == 0 {
            return Err(self.error("a name is missing"));
        }
        let name = self.rest()[..length].to_owned();
        self.at += length;
        Ok(name)
    }

    fn expect(&mut self, what: &str) -> Result<(), TraceError> {
        if !self.rest().starts_with(what) {
            return Err(self.error(format!("`{what}` is missing")));
        }
        self.at += what.len();
        Ok(())
    }

    /// The next opening, closing or text; `None` at the end.
    fn piece(&mut self) -> Result<Option<Piece>, TraceError> {
        if let Some(name) = self.pending.take() {
            return Ok(Some(Piece::Close(name)));
        }
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return Ok(None);
            } else if rest.starts_with("<!--") {
                self.skip("-->")?;
            } else if rest.starts_with("<?") {
                self.skip("?>")?;
            } else if rest.starts_with("<!") {
                return Err(self.error("declarations in XML are not read").with_help("remove `<!…>` from the file"));
            } else if rest.starts_with("</") {
                self.at += 2;
                let name = self.name()?;
                self.space();
                self.expect(">")?;
                return Ok(Some(Piece::Close(name)));
            } else if rest.starts_with('<') {
                self.at += 1;
                return self.opening().map(Some);
            } else {
                let length = rest.find('<').unwrap_or(rest.len());
                let text = self.plain(&rest[..length])?;
                self.at += length;
                return Ok(Some(Piece::Text(text)));
            }
        }
    }

    /// The rest of an opening after its `<`.
    fn opening(&mut self) -> Result<Piece, TraceError> {
        let name = self.name()?;
        let mut attributes = Vec::new();
        loop {
            self.space();
            if self.rest().starts_with("/>") {
                self.at += 2;
                self.pending = Some(name.clone());
                return Ok(Piece::Open { name, attributes });
            }
            if self.rest().starts_with('>') {
                self.at += 1;
                return Ok(Piece::Open { name, attributes });
            }
            let attribute = self.name()?;
            self.space();
            self.expect("=")?;
            self.space();
            let quote = if self.rest().starts_with('\'') { "'" } else { "\"" };
            self.expect(quote)?;
            let length = self.rest().find(quote).ok_or_else(|| self.error("a value has no end"))?;
            let value = self.plain(&self.rest()[..length])?;
            self.at += length + 1;
            attributes.push((attribute, value));
        }
    }

    /// A text without its entities.
    fn plain(&self, text: &str) -> Result<String, TraceError> {
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('&') {
            plain.push_str(before);
            let (entity, after) = after.split_once(';').unwrap_or((after, ""));
            let code = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
            let character = match entity {
                "lt" => Some('<'),
                "gt" => Some('>'),
                "amp" => Some('&'),
                "quot" => Some('"'),
                "apos" => Some('\''),
                _ => match (entity.strip_prefix("#x"), entity.strip_prefix('#')) {
                    (Some(digits), _) => code(digits, 16),
                    (None, Some(digits)) => code(digits, 10),
                    (None, None) => None,
                },
            };
            let shown: String = entity.chars().take(20).collect();
            let offset = before.as_ptr() as usize - self.text.as_ptr() as usize + before.len();
            plain.push(character.ok_or_else(|| {
                TraceError::new(format!("`&{shown};` is not an entity that is read"))
                    .at(Place::of(self.text.as_bytes(), offset))
            })?);
            rest = after;
        }
        plain.push_str(rest);
        Ok(plain)
    }
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
