//! What a model must do in the end: a formula over its signals, or its own `justice` lines.
//!
//! The atoms of a formula become bits of the model, so that whoever executes the model computes them. What a `justice` line says
//! must not come about, all of its bits again and again with all that is `fair`, is such a formula, too: `!(G F a & G F b)`.

use nearmiss_trace::ltl::{self, Asks, Bound, Expression, Formula, FormulaError, Read, unit_steps};
use nearmiss_trace::wave::{Kind as WaveKind, SignalInfo};

use super::expression::Nodes;
use super::model::{Model, NodeId};
use crate::program::temporal::{self, Trigger};
use crate::source::{FileId, Span};

/// A formula that all runs of a model must satisfy, over bits of the model.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// As it was written.
    pub formula: Formula,
    /// What it means; its signals are `bits`, and so are its atoms.
    pub bound: Bound,
    /// What it waits for before it asks for anything.
    pub trigger: Option<Trigger>,
    /// What it speaks of: the text, and the bit of the model.
    pub bits: Vec<(String, NodeId)>,
    /// Whether the model asks for it itself.
    pub by_model: bool,
}

/// Makes the atoms of a formula bits of the model.
///
/// # Errors
///
/// The place in the formula's text, and what is wrong there.
pub fn watch(model: &mut Model, formula: &Formula) -> Result<Wanted, FormulaError> {
    let whole = |message: &str, help: &str| FormulaError {
        range: formula.tree.range.clone(),
        message: message.to_owned(),
        help: Some(help.to_owned()),
    };
    if formula.asks == Asks::Cover {
        let message = "`cover` asks whether something comes about on a trace, and claims nothing of a model";
        return Err(whole(message, "to see a run in which p comes about, claim that it never does: G !p"));
    }
    if formula.clock.is_some() {
        let message = "a step of a model is a cycle of its clock already";
        return Err(whole(message, "leave the clock of the formula out"));
    }
    let named = (0..model.nodes.len()).filter(|id| model.nodes[*id].name.is_some() && model.width(*id) > 0);
    let signals: Vec<NodeId> = named.collect();
    let info = |id: &NodeId| info(model.nodes[*id].name.clone().unwrap_or_default(), model.width(*id));
    let infos: Vec<SignalInfo> = signals.iter().map(info).collect();
    let mut bits = Vec::new();
    let mut bound = bind(model, formula, &infos, &signals, &mut bits)?;
    if !unit_steps::are_few(&bound.core) {
        let message = "the formula looks too many steps ahead or back";
        return Err(whole(message, "use F or G without bounds, or smaller ones"));
    }
    let trigger = temporal::trigger(formula).and_then(|(range, comes_about)| {
        let text = formula.text.get(range)?.to_owned();
        let mut more = bits.clone();
        let bound = bind(model, &comes_about, &infos, &signals, &mut more).ok()?;
        bits = more;
        unit_steps::are_few(&bound.core).then_some(Trigger { text, bound })
    });
    bound.strong = None;
    model.watched = bits.iter().map(|(_, id)| *id).collect();
    Ok(Wanted { formula: formula.clone(), bound, trigger, bits, by_model: false })
}

/// What the `justice` lines of a model ask for, if it has some.
///
/// # Errors
///
/// None that is known: the formula is ours.
pub fn justice(model: &mut Model) -> Result<Option<Wanted>, FormulaError> {
    if model.justice.is_empty() {
        return Ok(None);
    }
    let mut names: Vec<(String, NodeId)> = Vec::new();
    let mut again = |id: NodeId| {
        let name = named(model, id);
        if !names.iter().any(|(known, of)| *known == name && *of == id) {
            names.push((name.clone(), id));
        }
        format!("G F {name}")
    };
    let fair: Vec<String> = model.fair.iter().map(|fair| again(fair.node)).collect();
    let mut parts = Vec::new();
    for justice in &model.justice {
        let all: Vec<String> = justice.nodes.iter().map(|id| again(*id)).chain(fair.iter().cloned()).collect();
        let all = if all.is_empty() { "true".to_owned() } else { all.join(" & ") };
        parts.push(format!("!({all})"));
    }
    let text = parts.join(" & ");
    let formula = ltl::parse(&text)?;
    let infos: Vec<SignalInfo> = names.iter().map(|(name, _)| info(name.clone(), 1)).collect();
    let signals: Vec<NodeId> = names.iter().map(|(_, id)| *id).collect();
    let mut bits = Vec::new();
    let bound = bind(model, &formula, &infos, &signals, &mut bits)?;
    // A run that is not fair is none that passes.
    let trigger = match fair.is_empty() {
        true => None,
        false => {
            let text = fair.join(" & ");
            let bound = bind(model, &ltl::parse(&text)?, &infos, &signals, &mut bits)?;
            Some(Trigger { text, bound })
        }
    };
    model.watched = bits.iter().map(|(_, id)| *id).collect();
    Ok(Some(Wanted { formula, bound, trigger, bits, by_model: true }))
}

/// A name for a bit that a formula can be written with.
fn named(model: &Model, id: NodeId) -> String {
    let node = model.node(id);
    let plain = |name: &&String| {
        let mut letters = name.chars();
        // Single capitals are operators of formulas.
        name.len() > 1
            && letters.next().is_some_and(|first| first.is_ascii_lowercase())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
            && ltl::parse(&format!("G F {name}")).is_ok()
    };
    match node.name.as_ref().filter(plain) {
        Some(name) => name.clone(),
        None => format!("node{}{}", node.number, if node.number == 0 { format!("_{id}") } else { String::new() }),
    }
}

fn info(name: String, width: u32) -> SignalInfo {
    SignalInfo {
        name,
        kind: WaveKind::Bits { width, low: 0, descending: true, signed: false },
        enumerators: Vec::new(),
        wire: None,
        radix: Default::default(),
    }
}

/// The formula over bits of the model alone: each of its atoms is one of `bits`, which it may add to.
fn bind(
    model: &mut Model,
    formula: &Formula,
    infos: &[SignalInfo],
    signals: &[NodeId],
    bits: &mut Vec<(String, NodeId)>,
) -> Result<Bound, FormulaError> {
    // Names are looked up in the model here.
    let in_model =
        |error: FormulaError| FormulaError { message: error.message.replace("the trace", "the model"), ..error };
    let mut bound = ltl::bind(formula, infos, None).map_err(in_model)?;
    let refused = |message: &str, text: &str| {
        let range = formula.text.find(text).map_or(formula.tree.range.clone(), |at| at..at + text.len());
        FormulaError { range, message: format!("`{text}` cannot be asked of a model: {message}"), help: None }
    };
    let first = bits.len();
    for atom in &bound.atoms {
        let mut nodes = Nodes { model: &mut *model, signals, span: Span::new(FileId(0), 0, 0) };
        let node = nodes.atom(atom, &bound.signals).map_err(|message| refused(message, &atom.text))?;
        bits.push((atom.text.clone(), node));
    }
    for (at, atom) in bound.atoms.iter_mut().enumerate() {
        (atom.expression, atom.reads) = (Expression::Read(0), vec![Read { signal: at, delay: 0 }]);
    }
    bound.signals = (first..bits.len()).collect();
    Ok(bound)
}
