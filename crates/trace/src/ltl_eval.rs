//! Formulas on words: every part at every position, 64 positions per machine word.
//!
//! A *word* (the usual term of temporal logic for a run) gives the truth of each atom at each position, as a slice of [`Truth`]s. [`evaluate`] fills one row of bits per node of the formula,
//! children first; an operator over time is one or a few moves or spreads of rows (`ltl_eval/rows.rs`). Only parts of sequences with
//! repetition over several cycles (cycles through `Next`) go position by position. `matters` walks back from a false formula
//! to the parts whose falsehood has to do with it.
//!
//! Costs: nodes × positions / 64 word operations, times a small constant; bounded operators a logarithm of their
//! width more; parts of sequences nodes × positions.

mod components;
mod rows;

use crate::bits::{Bits, Truth};
use crate::ltl::core::{Core, End, Node, NodeId, Quantifier, Strength};
pub use components::Components;

/// The value of a node beyond the end, where the word has one.
pub(crate) fn beyond(node: &Node, end: End) -> bool {
    use Strength::{Strong, Weak};
    match (end, node) {
        (End::Open, _) => true,
        (End::Due, Node::Until { strength: Weak, .. } | Node::Release { strength: Weak, .. }) => true,
        (End::Due, _) => false,
        // On a loop: where the iteration to the fixed point starts.
        (End::Whole | End::Loop(_), node) => match node {
            Node::Next { strength, .. } | Node::Until { strength, .. } | Node::Release { strength, .. } => {
                *strength != Strong
            }
            Node::Ahead { quantifier, .. } => *quantifier == Quantifier::All,
            _ => true,
        },
    }
}

/// The rows of all nodes of a formula on a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    rows: Vec<Bits>,
    len: usize,
}

impl Rows {
    /// Where a node is true.
    pub fn of(&self, node: NodeId) -> &Bits {
        &self.rows[node.0 as usize]
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

/// Evaluates a formula on the first `len` positions of a word. On a loop, atoms and operators of the past must have come
/// to their periodic values by the start of the loop (see [`past_rounds`]).
pub fn evaluate(core: &Core, components: &Components, word: &[Truth], len: usize, end: End) -> Rows {
    let mut rows = Rows { rows: vec![Bits::default(); core.nodes.len()], len };
    for component in components.children_first() {
        match component {
            [node] if !components.is_cyclic(*node) => rows.rows[node.0 as usize] = row(core, word, &rows, *node, end),
            nodes => components::evaluate(core, nodes, &mut rows.rows, len, end),
        }
    }
    rows
}

/// The row of one node from those of its children.
fn row(core: &Core, word: &[Truth], rows: &Rows, id: NodeId, end: End) -> Bits {
    let len = rows.len;
    let node = core.node(id);
    let beyond = beyond(node, end);
    let ahead = |row: &Bits, by: usize| match end {
        End::Loop(start) => rows::around(row, by, start),
        _ => rows::down(row, by, beyond),
    };
    let fold = |parts: &[NodeId], start: bool, join: fn(&mut Bits, &Bits)| {
        let mut parts = parts.iter().map(|part| rows.of(*part));
        let Some(mut joined) = parts.next().cloned() else { return Bits::filled(len, start) };
        parts.for_each(|part| join(&mut joined, part));
        joined
    };
    match node {
        Node::Constant(value) => Bits::filled(len, *value),
        Node::Literal { atom, negated } => {
            let truth = &word[atom.0 as usize];
            if *negated { truth.no.prefix(len) } else { truth.yes.prefix(len) }
        }
        Node::And(parts) => fold(parts, true, Bits::and_with),
        Node::Or(parts) => fold(parts, false, Bits::or_with),
        Node::Next { by, body, .. } => ahead(rows.of(*body), *by as usize),
        Node::Previous { by, body, strength } => rows::up(rows.of(*body), *by as usize, *strength == Strength::Weak),
        Node::Until { hold, goal, .. } => {
            let spread = |beyond| rows::spread_down(rows.of(*hold), rows.of(*goal), beyond);
            spread_to_the_end(spread, beyond, end)
        }
        Node::Release { stop, keep, .. } => {
            let mut goal = rows.of(*keep).clone();
            goal.and_with(rows.of(*stop));
            let spread = |beyond| rows::spread_down(rows.of(*keep), &goal, beyond);
            spread_to_the_end(spread, beyond, end)
        }
        Node::Since { hold, goal } => rows::spread_up(rows.of(*hold), rows.of(*goal), false),
        Node::Trigger { stop, keep } => {
            let mut goal = rows.of(*keep).clone();
            goal.and_with(rows.of(*stop));
            rows::spread_up(rows.of(*keep), &goal, true)
        }
        Node::Ahead { quantifier, from, to, body } => {
            rows::window(rows.of(*body), *from as usize, *to as usize, ahead, join(*quantifier))
        }
        Node::Behind { quantifier, from, to, body } => {
            let fill = *quantifier == Quantifier::All;
            let shift = |row: &Bits, by: usize| rows::up(row, by, fill);
            rows::window(rows.of(*body), *from as usize, *to as usize, shift, join(*quantifier))
        }
    }
}

fn join(quantifier: Quantifier) -> fn(&mut Bits, &Bits) {
    match quantifier {
        Quantifier::All => Bits::and_with,
        Quantifier::Any => Bits::or_with,
    }
}

/// A spread towards the start; on a loop, what it gives at the start of the loop is what lies beyond its end.
fn spread_to_the_end(spread: impl Fn(bool) -> Bits, beyond: bool, end: End) -> Bits {
    let once = spread(beyond);
    match end {
        End::Loop(start) if once.get(start) != beyond => spread(once.get(start)),
        _ => once,
    }
}

/// Per node, the positions at which it is false and from which a path of false parts leads up to the false `roots`: what the
/// falsehood of the roots comes from. `rows` are those of [`evaluate`] with the same end.
pub(crate) fn matters(
    core: &Core,
    components: &Components,
    rows: &Rows,
    roots: &[(NodeId, usize)],
    end: End,
) -> Vec<Bits> {
    let len = rows.len;
    let fails: Vec<Bits> = rows.rows.iter().map(Bits::not).collect();
    let mut reached = vec![Bits::filled(len, false); core.nodes.len()];
    for (node, at) in roots {
        if fails[node.0 as usize].get(*at) {
            reached[node.0 as usize].set(*at, true);
        }
    }
    let components_parents_first: Vec<&[NodeId]> = components.children_first().collect();
    for component in components_parents_first.into_iter().rev() {
        match component {
            [node] if !components.is_cyclic(*node) => reach(core, &fails, &mut reached, *node, end),
            nodes => components::reach(core, nodes, &fails, &mut reached, end),
        }
    }
    reached
}

/// Hands what is reached of a node on to its children.
fn reach(core: &Core, fails: &[Bits], reached: &mut [Bits], id: NodeId, end: End) {
    let mine = reached[id.0 as usize].clone();
    if !mine.any() {
        return;
    }
    let failing = |node: NodeId| &fails[node.0 as usize];
    let mut hand_on = |child: NodeId, mut row: Bits| {
        row.and_with(failing(child));
        reached[child.0 as usize].or_with(&row);
    };
    let onward = |row: &Bits, by: usize| match end {
        End::Loop(start) => into_the_loop(row, by, start),
        _ => rows::up(row, by, false),
    };
    match core.node(id) {
        Node::Constant(_) | Node::Literal { .. } => {}
        Node::And(parts) | Node::Or(parts) => parts.iter().for_each(|part| hand_on(*part, mine.clone())),
        Node::Next { by, body, .. } => hand_on(*body, onward(&mine, *by as usize)),
        Node::Previous { by, body, .. } => hand_on(*body, rows::down(&mine, *by as usize, false)),
        Node::Until { hold, goal, .. } => {
            let spread = spread_onward(failing(id), None, mine, end);
            hand_on(*goal, spread.clone());
            hand_on(*hold, spread);
        }
        Node::Release { stop, keep, .. } => {
            let spread = spread_onward(failing(id), Some(failing(*stop)), mine, end);
            hand_on(*keep, spread.clone());
            // `stop` counts only where going on fails as well.
            let mut both = match end {
                End::Loop(start) => rows::around(failing(id), 1, start),
                _ => rows::down(failing(id), 1, !beyond(core.node(id), end)),
            };
            both.and_with(&spread);
            hand_on(*stop, both);
        }
        Node::Since { hold, goal } => {
            let spread = rows::spread_down(failing(id), &mine, false);
            hand_on(*goal, spread.clone());
            hand_on(*hold, spread);
        }
        Node::Trigger { stop, keep } => {
            let mut chain = rows::down(failing(*stop), 1, false);
            chain.and_with(failing(id));
            let spread = rows::spread_down(&chain, &mine, false);
            hand_on(*keep, spread.clone());
            let mut both = rows::up(failing(id), 1, false);
            both.and_with(&spread);
            hand_on(*stop, both);
        }
        Node::Ahead { from, to, body, .. } => {
            let row = rows::window(&mine, *from as usize, *to as usize, onward, |row, moved| row.or_with(moved));
            hand_on(*body, row);
        }
        Node::Behind { from, to, body, .. } => {
            let back = |row: &Bits, by: usize| rows::down(row, by, false);
            let row = rows::window(&mine, *from as usize, *to as usize, back, |row, moved| row.or_with(moved));
            hand_on(*body, row);
        }
    }
}

/// Row `r` that is true where `row[i - by]` is for any way to come to `i` in `by` steps, on a lasso.
fn into_the_loop(row: &Bits, by: usize, start: usize) -> Bits {
    let len = row.len();
    let mut moved = rows::up(row, by, false);
    for i in len.saturating_sub(by)..len {
        if row.get(i) {
            moved.set(start + (i + by - len) % (len - start), true);
        }
    }
    moved
}

/// From where a recursive part is reached, on through positions where it is false (and, for a release, `gate` was false
/// one before), to all where it is reached.
fn spread_onward(fails: &Bits, gate: Option<&Bits>, reached: Bits, end: End) -> Bits {
    let mut chain = fails.clone();
    if let Some(gate) = gate {
        chain.and_with(&rows::up(gate, 1, false));
    }
    let once = rows::spread_up(&chain, &reached, false);
    match end {
        End::Loop(start) => {
            let last = once.len() - 1;
            let wraps = once.get(last) && fails.get(start) && gate.is_none_or(|gate| gate.get(last));
            if !wraps || once.get(start) {
                return once;
            }
            let mut again = once;
            again.set(start, true);
            rows::spread_up(&chain, &again, false)
        }
        _ => once,
    }
}

/// How many more rounds of the loop operators of the past need until their values repeat, for a loop of this length.
pub fn past_rounds(core: &Core, components: &Components, length: usize) -> usize {
    deepest(core, components, |node, _| match node {
        Node::Previous { by, .. } => (*by as usize).div_ceil(length),
        Node::Behind { to, .. } => (*to as usize).div_ceil(length),
        Node::Since { .. } | Node::Trigger { .. } => 1,
        _ => 0,
    })
}

/// How far beyond a position its node may have to look to fail for good, for a loop of this length: if it has not failed then, it
/// never fails on a finite prefix.
pub(crate) fn reach_ahead(core: &Core, components: &Components, length: usize) -> usize {
    deepest(core, components, |node, cyclic| match node {
        // A cycle comes back to the same state at the same row after a round per state.
        Node::Next { by, .. } if cyclic => length.saturating_mul(*by as usize),
        Node::Next { by, .. } => *by as usize,
        Node::Ahead { to, .. } => *to as usize,
        Node::Until { .. } | Node::Release { .. } => length,
        _ => 0,
    })
}

/// The largest sum of what nodes add along a path of the formula; nodes that depend on each other are all on the path.
fn deepest(core: &Core, components: &Components, own: impl Fn(&Node, bool) -> usize) -> usize {
    let mut depth = vec![0usize; core.nodes.len()];
    for component in components.children_first() {
        let children = component.iter().flat_map(|id| core.node(*id).children());
        let below = children.map(|child| depth[child.0 as usize]).max().unwrap_or(0);
        let own = component.iter().map(|id| own(core.node(*id), components.is_cyclic(*id)));
        let sum = own.fold(below, usize::saturating_add);
        component.iter().for_each(|id| depth[id.0 as usize] = sum);
    }
    depth.into_iter().max().unwrap_or(0)
}
