//! SV-COMP violation witnesses, format 1 (GraphML): an automaton whose edges tell lines, assumptions and branches.
//!
//! Of the automaton a shortest path from the entry to a violation is read; most tools write nothing else. An assumption
//! holds after its line was executed; `\result` is what the function in `assumption.resultfunction` gave, and CBMC's
//! `return_value_f` what `f` did. Of the other values in CBMC's graphs some are wrong (constants of earlier rounds of loops).

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::Read;

use super::cbmc::{self, Data};
use super::condition::{Comparison, comparisons};
use super::{Facts, Format, ImportedRun, Scene, What, When};
use nearmiss_trace::read::error::{Place, ReadError};
use nearmiss_trace::read::xml::{Piece, Reader};

/// So many edges are read.
const MOST_EDGES: usize = 1_000_000;

#[derive(Default)]
struct Edge {
    from: usize,
    to: usize,
    at: Option<Place>,
    scene: Scene,
    scope: Option<String>,
    assumption: Option<String>,
    control: Option<bool>,
}

/// The nodes by name, and what is known of them.
#[derive(Default)]
struct Nodes {
    numbers: HashMap<String, usize>,
    entry: Option<usize>,
    violations: Vec<usize>,
}

impl Nodes {
    fn number(&mut self, name: &str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(name.to_owned()).or_insert(next)
    }
}

/// What is read of a file.
#[derive(Default)]
struct Graph {
    nodes: Nodes,
    edges: Vec<Edge>,
    producer: Option<String>,
    /// Where the file says that it is a witness of correctness.
    correctness: Option<Place>,
}

pub(super) fn read(input: impl Read) -> Result<ImportedRun, ReadError> {
    let mut reader = Reader::new(input)?;
    let graph = graph(&mut reader)?;
    if let Some(place) = graph.correctness {
        let error = ReadError::new("this is a witness of correctness, not of a violation").at(place);
        return Err(error.with_help("only witnesses of violations tell a failing run"));
    }
    let Some(path) = path(&graph.nodes, &graph.edges) else {
        let error = ReadError::new("no path leads from the entry of this witness to a violation").at(reader.place());
        return Err(error.with_help("was the whole witness written?"));
    };
    let (mut facts, mut strange) = (Facts::default(), 0);
    for edge in path.into_iter().map(|index| &graph.edges[index]) {
        // What holds before the entry function is called is the program's own.
        if edge.scope.as_deref() != Some("__CPROVER_initialize") {
            strange += usize::from(!edge.tell(&mut facts)?);
        }
    }
    let mut notes = Vec::new();
    if strange > 0 {
        notes.push(format!(
            "{strange} conditions of the witness are more than comparisons with constants and were left out of account"
        ));
    }
    // The violation has no place of its own, only the last edge.
    let failure = super::Failure { id: None, text: None, file: None, line: None, at: reader.place() };
    Ok(ImportedRun {
        format: Format::WitnessGraphml,
        facts: facts.list,
        failure: Some(failure),
        others: 0,
        notes,
        is_sure: !graph.is_cbmc(),
    })
}

/// Reads the whole file.
fn graph(reader: &mut Reader<impl Read>) -> Result<Graph, ReadError> {
    let mut graph = Graph::default();
    let (mut node, mut edge, mut key, mut text) = (None, None::<Edge>, None, String::new());
    while let Some(piece) = reader.piece()? {
        match piece {
            Piece::Open(element) => {
                text.clear();
                match element.name.as_str() {
                    "node" => node = element.attribute("id").map(|id| graph.nodes.number(id)),
                    "edge" => {
                        let (Some(from), Some(to)) = (element.attribute("source"), element.attribute("target")) else {
                            return Err(reader.error("an edge lacks its source or its target"));
                        };
                        let (from, to) = (graph.nodes.number(from), graph.nodes.number(to));
                        edge = Some(Edge { from, to, at: Some(reader.start()), ..Edge::default() });
                    }
                    "data" => key = element.attribute("key").map(str::to_owned),
                    _ => {}
                }
            }
            Piece::Close(name) => match name.as_str() {
                "data" => {
                    let (value, key) = (text.trim(), key.take().unwrap_or_default());
                    match &mut edge {
                        Some(edge) => edge.data(&key, value),
                        None => graph.data(node, &key, value, reader.place()),
                    }
                }
                "node" => node = None,
                "edge" => {
                    graph.edges.extend(edge.take());
                    if graph.edges.len() > MOST_EDGES {
                        return Err(reader.error(format!("more than {MOST_EDGES} edges")));
                    }
                }
                _ => {}
            },
            Piece::Text(more) => text.push_str(&more),
        }
    }
    Ok(graph)
}

impl Graph {
    /// What is said of a node, or of the whole.
    fn data(&mut self, node: Option<usize>, key: &str, value: &str, at: Place) {
        match (node, key) {
            (Some(node), "entry") if value == "true" => self.nodes.entry = Some(node),
            (Some(node), "violation") if value == "true" => self.nodes.violations.push(node),
            (None, "producer") => self.producer = Some(value.to_owned()),
            (None, "witness-type") if value == "correctness_witness" => self.correctness = Some(at),
            _ => {}
        }
    }

    /// The graphs of CBMC name no producer, unless somebody puts it in.
    fn is_cbmc(&self) -> bool {
        self.producer.as_ref().is_none_or(|producer| producer.starts_with("CBMC"))
            && self.nodes.numbers.contains_key("sink")
    }
}

impl Edge {
    /// Tells what happens on it. False: its assumption is more than comparisons with constants.
    fn tell(&self, facts: &mut Facts) -> Result<bool, ReadError> {
        let at = self.at.unwrap_or(Place { line: 1, column: 1 });
        let mut scene = self.scene.clone();
        scene.function = self.scope.clone().filter(|scope| !scope.starts_with("__CPROVER"));
        if let Some(taken) = self.control {
            facts.push(What::Branch(taken), &Scene { function: None, ..scene.clone() }, at)?;
        }
        let Some(assumption) = &self.assumption else { return Ok(true) };
        let (mut found, whole) = comparisons(assumption);
        // CBMC has variables of its own for what calls give.
        let mut results: BTreeMap<String, Data> = BTreeMap::new();
        for Comparison { name, value, .. } in found.extract_if(.., |comparison| cbmc::is_own(&comparison.name)) {
            let (base, way) = name.split_at(name.find(['.', '[']).unwrap_or(name.len()));
            let value = Data::Scalar(value, None);
            match (results.get_mut(base), way.strip_prefix('.')) {
                (Some(Data::Record(parts)), Some(way)) => parts.push((way.to_owned(), value)),
                (_, Some(way)) => drop(results.insert(base.to_owned(), Data::Record(vec![(way.to_owned(), value)]))),
                (_, None) => drop(results.insert(name, value)),
            }
        }
        results.iter().try_for_each(|(name, data)| facts.tell(&cbmc::place(name), data, &scene, at))?;
        if !found.is_empty() {
            facts.push(What::Held(found, When::After), &scene, at)?;
        }
        Ok(whole)
    }

    fn data(&mut self, key: &str, value: &str) {
        match key {
            "originfile" => self.scene.file = Some(value.to_owned()),
            "startline" => self.scene.line = value.parse().ok(),
            "assumption" => self.assumption = Some(value.to_owned()),
            "assumption.scope" => self.scope = Some(value.to_owned()),
            "control" => {
                self.control = match value {
                    "condition-true" => Some(true),
                    "condition-false" => Some(false),
                    _ => None,
                };
            }
            _ => {}
        }
    }
}

/// The edges of a shortest path from the entry to a violation.
fn path(nodes: &Nodes, edges: &[Edge]) -> Option<Vec<usize>> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); nodes.numbers.len()];
    for (index, edge) in edges.iter().enumerate() {
        leaving[edge.from].push(index);
    }
    let entry = nodes.entry?;
    let mut by: Vec<Option<usize>> = vec![None; leaving.len()];
    let mut seen = vec![false; leaving.len()];
    seen[entry] = true;
    let mut open = VecDeque::from([entry]);
    while let Some(node) = open.pop_front() {
        if nodes.violations.contains(&node) {
            let (mut found, mut node) = (Vec::new(), node);
            while let Some(index) = by[node] {
                found.push(index);
                node = edges[index].from;
            }
            found.reverse();
            return Some(found);
        }
        for &index in &leaving[node] {
            let to = edges[index].to;
            if !std::mem::replace(&mut seen[to], true) {
                by[to] = Some(index);
                open.push_back(to);
            }
        }
    }
    None
}
