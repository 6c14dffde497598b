//! A formula and the signals of a trace: names looked up, the formula brought to its core.

use super::arena::{Abort, Polarity};
use super::core::{AtomId, Core, Node, NodeId, Strength};
use super::error::error;
use super::expression::{Atom, Expression, Read};
use super::room::with_room;
use super::syntax::{Shape, Temporal, Tree};
use super::translate::{Part, Translator};
use super::typing::Values;
use super::{Formula, FormulaError};
use crate::wave::SignalInfo;

/// A formula over the signals of a trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// What it means.
    pub core: Core,
    /// What its atoms are, by their ids.
    pub atoms: Vec<Atom>,
    /// The signals that it names: indices into those given, in the order of their first use, each once.
    pub signals: Vec<usize>,
    /// Its parts, each after the one it is in. What has the same text as the part around it is left out, and so are sequences'
    /// operators, which have no node of their own.
    pub parts: Vec<Part>,
    /// Where the formula is `G body`: the body.
    pub always: Option<NodeId>,
    /// What its aborts and the reset give up.
    pub given_up: Vec<NodeId>,
    /// The conditions of those that make true what they give up.
    pub savings: Vec<Saving>,
    /// The formula in which sequences below a negation are strong, if it has such a one that is weak because nobody said
    /// otherwise: `not (a ##[1:$] b)`.
    pub strong: Option<Box<Bound>>,
}

/// When something is given up and counts as true: the condition and its opposite, as far as the formula needs them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saving {
    /// The condition.
    pub yes: Option<NodeId>,
    /// Its opposite.
    pub no: Option<NodeId>,
}

/// A signal that takes back all obligations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reset {
    /// The signal: an index into those given.
    pub signal: usize,
    /// Does it do so when it is 0?
    pub active_low: bool,
}

/// Looks up the names of a formula among the signals of a trace, and brings it to its core.
///
/// With a reset, `always p` becomes `always (disable iff (reset) p)`; any other formula starts at the first cycle that is not in reset, and is
/// given up if reset comes again.
///
/// # Errors
///
/// The place in the formula's text of a name that is no signal or several, of values that do not fit together, or of what is
/// not supported.
pub fn bind(formula: &Formula, signals: &[SignalInfo], reset: Option<&Reset>) -> Result<Bound, FormulaError> {
    with_room(formula.tree.height, || {
        if let Some(place) = first_kept(&formula.tree) {
            return error(place, "a local variable needs a trace, which says which values it can get");
        }
        let (mut bound, weak_below_not) = bound(formula, signals, reset, false)?;
        if weak_below_not {
            bound.strong = Some(Box::new(self::bound(formula, signals, reset, true)?.0));
        }
        Ok(bound)
    })
}

/// The first place at which a local variable gets a value.
fn first_kept(tree: &Tree) -> Option<&Tree> {
    if matches!(tree.shape, Shape::Match(..)) {
        return Some(tree);
    }
    tree.shape.children().into_iter().find_map(first_kept)
}

/// The formula with sequences below a negation weak or strong, and whether there is one that nobody said it of.
fn bound(
    formula: &Formula,
    signals: &[SignalInfo],
    reset: Option<&Reset>,
    strong_below_not: bool,
) -> Result<(Bound, bool), FormulaError> {
    let mut translator = Translator::new(&formula.text, Values::new(signals));
    translator.strong_below_not = strong_below_not;
    let reset = reset.map(|reset| reset_of(&mut translator, signals, reset));
    let tree = &formula.tree;
    let positive = Polarity::Positive;
    let root = match (&tree.shape, reset) {
        // An implied `always` has the text of its operand, which is the more useful part.
        (Shape::Temporal(Temporal::Globally(None, _), body), reset) if reset.is_some() || body.range == tree.range => {
            let body = match reset {
                Some(abort) => translator.aborted(abort, body, positive)?,
                None => translator.formula(body, positive)?,
            };
            let no = translator.arena.constant(positive, false);
            translator.arena.release(positive, no, body, Strength::Weak)
        }
        (_, None) => translator.formula(tree, positive)?,
        (_, Some(abort)) => {
            let body = translator.aborted(abort, tree, positive)?;
            let started = translator.arena.and(positive, &[abort.no, body]);
            translator.arena.until(positive, abort.yes, started, Strength::Weak)
        }
    };
    let Translator { arena, atoms, mut parts, values, given_up, savings, weak_below_not, .. } = translator;
    let (nodes, kept) = reachable(&arena.nodes, root, &parts);
    let place = |id: NodeId| kept[id.0 as usize].expect("it was kept");
    let given_up = given_up.iter().filter_map(|node| kept[node.0 as usize]).collect();
    let left = |node: NodeId| kept[node.0 as usize];
    let savings = savings.into_iter().map(|(yes, no)| Saving { yes: left(yes), no: left(no) }).collect();
    for part in &mut parts {
        part.node = place(part.node);
    }
    let root = place(root);
    let core = Core { nodes, root, atoms: atoms.len() };
    let always = match core.node(root) {
        Node::Release { stop, keep, strength: Strength::Weak } if *core.node(*stop) == Node::Constant(false) => {
            Some(*keep)
        }
        _ => None,
    };
    let bound = Bound { core, atoms, signals: values.used, parts, always, given_up, savings, strong: None };
    Ok((bound, weak_below_not))
}

fn reset_of(translator: &mut Translator, signals: &[SignalInfo], reset: &Reset) -> Abort {
    translator.values.used.push(reset.signal);
    let text = signals[reset.signal].name.clone();
    translator.atoms.push(Atom {
        text,
        expression: Expression::Read(0),
        reads: vec![Read { signal: 0, delay: 0 }],
        unknown: None,
        saving: true,
        kept: None,
    });
    let yes = translator.arena.literal(AtomId(0), reset.active_low);
    let no = translator.arena.literal(AtomId(0), !reset.active_low);
    Abort { accept: true, yes, no }
}

/// The nodes that the root or a part needs, in the same order, and where each has gone.
fn reachable(nodes: &[Node], root: NodeId, parts: &[Part]) -> (Vec<Node>, Vec<Option<NodeId>>) {
    let mut needed = vec![false; nodes.len()];
    let mut stack: Vec<NodeId> = parts.iter().map(|part| part.node).chain([root]).collect();
    while let Some(id) = stack.pop() {
        if !std::mem::replace(&mut needed[id.0 as usize], true) {
            stack.extend(nodes[id.0 as usize].children());
        }
    }
    let mut next = 0;
    let place = |needed: &bool| {
        needed.then(|| {
            next += 1;
            NodeId(next - 1)
        })
    };
    let places: Vec<Option<NodeId>> = needed.iter().map(place).collect();
    let moved = |id: &NodeId| places[id.0 as usize].expect("children of needed nodes are needed");
    let kept = nodes.iter().zip(&needed).filter(|(_, needed)| **needed);
    let kept = kept.map(|(node, _)| match node.clone() {
        Node::And(parts) => Node::And(parts.iter().map(moved).collect()),
        Node::Or(parts) => Node::Or(parts.iter().map(moved).collect()),
        Node::Next { by, body, strength } => Node::Next { by, body: moved(&body), strength },
        Node::Previous { by, body, strength } => Node::Previous { by, body: moved(&body), strength },
        Node::Until { hold, goal, strength } => Node::Until { hold: moved(&hold), goal: moved(&goal), strength },
        Node::Release { stop, keep, strength } => Node::Release { stop: moved(&stop), keep: moved(&keep), strength },
        Node::Since { hold, goal } => Node::Since { hold: moved(&hold), goal: moved(&goal) },
        Node::Trigger { stop, keep } => Node::Trigger { stop: moved(&stop), keep: moved(&keep) },
        Node::Ahead { quantifier, from, to, body } => Node::Ahead { quantifier, from, to, body: moved(&body) },
        Node::Behind { quantifier, from, to, body } => Node::Behind { quantifier, from, to, body: moved(&body) },
        leaf @ (Node::Constant(_) | Node::Literal { .. }) => leaf,
    });
    (kept.collect(), places)
}
