//! `cbmc --xml-ui --trace`: `result` elements, those of violated properties with a `goto_trace` of steps.
//!
//! Values of arrays and structs are texts (`{ .x=4, .y={ 0, 0 } }`); scalars have their bits beside them. Steps that only
//! CBMC knows are not marked as in the JSON; their names tell.

use std::io::Read;

use super::cbmc::{self, Data, Kind, Step, Trace};
use super::{Format, ImportedRun, Scene};
use nearmiss_trace::read::error::{Place, ReadError};
use nearmiss_trace::read::xml::{Element, Piece, Reader};

pub(super) fn read(input: impl Read, properties: &[String]) -> Result<ImportedRun, ReadError> {
    let mut reader = Reader::new(input)?;
    let (mut best, mut traces): (Option<(u32, Trace)>, usize) = (None, 0);
    let (mut id, mut trace, mut open) = (None, None::<Trace>, None::<Opened>);
    let mut text = String::new();
    while let Some(piece) = reader.piece()? {
        match piece {
            Piece::Open(element) => {
                text.clear();
                match (&mut open, element.name.as_str()) {
                    (None, "result") => id = element.attribute("property").map(str::to_owned),
                    (None, "goto_trace") => trace = Some(Trace::default()),
                    (None, "assignment" | "input" | "function_call" | "failure") if trace.is_some() => {
                        open = Some(Opened::new(&element, reader.start()));
                    }
                    (Some(step), _) => step.part(&element),
                    _ => {}
                }
            }
            Piece::Close(name) => {
                match (&mut open, name.as_str()) {
                    (Some(step), name) if name == step.name => {
                        let step = open.take().and_then(Opened::finish);
                        if let (Some(step), Some(trace)) = (step, &mut trace) {
                            trace.step(step)?;
                        }
                    }
                    (Some(step), name) => step.text(name, &text),
                    (None, "goto_trace") => {
                        if let Some(mut done) = trace.take() {
                            traces += 1;
                            let rank = done.rank(id.as_deref(), properties);
                            if let (Some(failure), Some(_)) = (&mut done.failure, &id) {
                                failure.id = id.clone();
                            }
                            if best.as_ref().is_none_or(|(best, _)| rank < *best) {
                                best = Some((rank, done));
                            }
                        }
                    }
                    (None, "result") => id = None,
                    _ => {}
                }
                text.clear();
            }
            Piece::Text(more) => text.push_str(&more),
        }
    }
    let trace = best.map(|(_, trace)| trace).unwrap_or_default();
    let (facts, failure, others) = (trace.facts.list, trace.failure, traces.saturating_sub(1));
    Ok(ImportedRun { format: Format::CbmcXml, facts, failure, others, notes: Vec::new(), is_sure: true })
}

/// A step whose end is still to come.
struct Opened {
    name: String,
    at: Place,
    hidden: bool,
    parameter: bool,
    scene: Scene,
    id: Option<String>,
    reason: Option<String>,
    /// The name on the left, of the input, or of the function.
    left: Option<String>,
    bits: Option<String>,
    value: Option<Data>,
    /// `location` of a function's own is not that of the step.
    in_function: bool,
}

impl Opened {
    fn new(element: &Element, at: Place) -> Opened {
        let said = |name: &str| element.attribute(name).map(str::to_owned);
        Opened {
            name: element.name.clone(),
            at,
            hidden: element.attribute("hidden") == Some("true"),
            parameter: element.attribute("assignment_type") == Some("actual_parameter"),
            scene: Scene::default(),
            id: said("property"),
            reason: said("reason"),
            left: None,
            bits: None,
            value: None,
            in_function: false,
        }
    }

    fn part(&mut self, element: &Element) {
        let said = |name: &str| element.attribute(name).map(str::to_owned);
        match element.name.as_str() {
            "location" if !self.in_function => {
                let line = element.attribute("line").and_then(|line| line.parse().ok());
                self.scene = Scene { file: said("file"), line, function: said("function") };
            }
            "function" => {
                self.in_function = true;
                self.left = said("display_name");
            }
            "full_lhs_value" => self.bits = said("binary"),
            _ => {}
        }
    }

    fn text(&mut self, name: &str, text: &str) {
        match name {
            "full_lhs" | "input_id" => self.left = Some(text.trim().to_owned()),
            "full_lhs_value" | "value" => {
                // All bits of a union are no scalar.
                let bits = self.bits.take().filter(|_| !text.trim_start().starts_with('{'));
                let bits = bits.and_then(|bits| cbmc::bits(&bits));
                self.value =
                    Some(bits.map_or_else(|| cbmc::data(text), |(text, width)| Data::Scalar(text, Some(width))));
            }
            "function" => self.in_function = false,
            _ => {}
        }
    }

    fn finish(self) -> Option<Step> {
        let Opened { name, at, hidden, parameter, scene, id, reason, left, value, .. } = self;
        let kind = match name.as_str() {
            "assignment" => Kind::Assignment(left?, value?),
            "input" => Kind::Input(left?, value?),
            "function_call" => Kind::Call(left?),
            _ => Kind::Failure { id, text: reason },
        };
        Some(Step { kind, hidden, internal: false, parameter, scene, at })
    }
}
