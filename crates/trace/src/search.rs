//! Which values on a trace make a formula false (Beer, Ben-David, Chockler, Orni, Trefler: Explaining counterexamples
//! using causality, definitions 1 to 4 and algorithm 6).
//!
//! The formula is judged on prefixes of the trace: the first failure is the shortest prefix that fails whatever comes after it,
//! found by bisection over bit-parallel evaluations. On a lasso that fails on no prefix the failure is of the infinite word.
//! A *pair* is an atom at a row. It can be a cause only if it is bottom-valued: false where the atom occurs positively, or
//! true where it occurs under a negation.
//!
//! *Fast*: the pairs from which a path of false parts leads up to the formula (`ltl_eval::matters`). If every atom has one
//! polarity this contains all causes; with mixed polarity it may miss some.
//! *Exact* (`search/exact.rs`): a pair is a cause iff for some set of other bottom-valued pairs, flipping the set leaves the failure
//! and flipping the pair as well removes it. On a lasso a flip changes the row in every round.

mod exact;
mod unfold;

use crate::bits::{Bits, Truth};
use crate::failure::{After, Cause, Failure, Pair, Verdict};
use crate::ltl::core::{AtomId, Core, End, Node, NodeId};
use crate::ltl_eval::{self, Components, Rows};
use crate::report::Exactness;
use nearmiss_logic::stop::Stop;

/// A formula on a trace, with what is computed once.
#[derive(Debug)]
pub struct Question<'a> {
    core: &'a Core,
    components: Components,
    /// The truth of each atom on each row.
    word: &'a [Truth],
    rows: usize,
    after: After,
    /// Per atom, whether it stays what it is on the trace, and so is never a cause.
    fixed: Vec<bool>,
}

/// How hard to look.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Which set is wanted.
    pub mode: Mode,
    /// When to give up (the answer is then that of the fast method).
    pub stop: Stop,
}

/// Which set of causes is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Failing paths only.
    Fast,
    /// Exact within a fixed budget, else fast.
    Budget,
    /// Exact whatever it takes.
    Exact,
}

/// All causes of a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Causes {
    /// By row, then by atom.
    pub causes: Vec<Cause>,
    /// What is known of the set.
    pub exactness: Exactness,
    /// Per node, the positions where its falsehood matters (rows of the loop may come several times).
    pub matters: Vec<Bits>,
}

impl<'a> Question<'a> {
    /// Asks about a formula on `rows` rows.
    pub fn new(core: &'a Core, word: &'a [Truth], rows: usize, after: After) -> Question<'a> {
        Question { core, components: Components::of(core), word, rows, after, fixed: vec![false; core.atoms] }
    }

    /// These atoms, of all in their order, stay what they are.
    pub fn with_fixed(self, fixed: Vec<bool>) -> Question<'a> {
        Question { fixed, ..self }
    }

    /// Is the formula true, and if not, on which prefix has it failed first?
    pub fn judge(&self) -> Verdict {
        let root = (self.core.root, 0);
        if let Some(failure) = self.first_on_a_prefix(&[root]) {
            return Verdict::Fails(failure);
        }
        let end = match self.after {
            After::Anything => End::Due,
            After::Nothing => End::Whole,
            After::Row(_) => self.lasso_end(),
        };
        let positions = self.positions(end);
        let word = self.unrolled(positions);
        let rows = ltl_eval::evaluate(self.core, &self.components, &word, positions, end);
        match (rows.of(root.0).get(0), end) {
            (true, _) => Verdict::Holds,
            (false, End::Due) => Verdict::Undecided,
            (false, _) => Verdict::Fails(Failure { roots: vec![root], positions, end }),
        }
    }

    /// Is one of the roots of a failure false, on as many positions?
    pub(crate) fn has_failure(&self, failure: &Failure) -> bool {
        let word = self.unrolled(failure.positions);
        let rows = ltl_eval::evaluate(self.core, &self.components, &word, failure.positions, failure.end);
        failure.roots.iter().any(|(node, at)| !rows.of(*node).get(*at))
    }

    /// Where a part is false on the rows of the trace, as far as the trace goes.
    pub(crate) fn fails(&self, nodes: &[NodeId]) -> Vec<Bits> {
        let end = match self.after {
            After::Anything => End::Open,
            After::Nothing => End::Whole,
            After::Row(_) => self.lasso_end(),
        };
        let positions = self.positions(end);
        let word = self.unrolled(positions);
        let rows = ltl_eval::evaluate(self.core, &self.components, &word, positions, end);
        nodes.iter().map(|node| rows.of(*node).prefix(self.rows).not()).collect()
    }

    /// Per node, where it is waited for when the trace ends: false as long as nothing more comes, not yet failed, and the reason why
    /// the formula is undecided.
    pub(crate) fn due(&self) -> Vec<Bits> {
        let evaluate = |end| ltl_eval::evaluate(self.core, &self.components, self.word, self.rows, end);
        let (now, open) = (evaluate(End::Due), evaluate(End::Open));
        let mut waiting = ltl_eval::matters(self.core, &self.components, &now, &[(self.core.root, 0)], End::Due);
        for (i, row) in waiting.iter_mut().enumerate() {
            row.and_with(open.of(NodeId(i as u32)));
        }
        waiting
    }

    /// Every failure of a formula that says `body` always: for each cycle from which on something more is certain to have
    /// failed, the positions of `body` that fail there. At most `limit`, and how many more starts fail.
    pub(crate) fn all_failures(&self, body: NodeId, limit: usize) -> (Vec<Failure>, usize) {
        let positions = self.finite_positions();
        let word = self.unrolled(positions);
        let rows = ltl_eval::evaluate(self.core, &self.components, &word, positions, End::Open);
        let starts: Vec<usize> = rows.of(body).prefix(self.rows.min(positions)).not().ones().collect();
        let mut failures: Vec<Failure> = Vec::new();
        let mut looked_at = 0;
        for start in &starts {
            if failures.len() > limit {
                break;
            }
            looked_at += 1;
            let length = self.shortest(&word, &rows, &[(body, *start)]);
            match failures.iter_mut().find(|failure| failure.positions == length) {
                Some(failure) => failure.roots.push((body, *start)),
                None => failures.push(Failure { roots: vec![(body, *start)], positions: length, end: End::Open }),
            }
        }
        failures.sort_by_key(|failure| failure.positions);
        let more = if failures.len() > limit { starts.len() - looked_at + failures.pop().map_or(0, |_| 1) } else { 0 };
        (failures, more)
    }

    /// The row of a position, and the round of the loop in which it is.
    pub(crate) fn row_of(&self, position: usize) -> (usize, usize) {
        match self.after {
            After::Row(start) if position >= self.rows => {
                let length = self.rows - start;
                (start + (position - start) % length, (position - start) / length)
            }
            _ => (position, 0),
        }
    }

    /// What makes the roots of a failure false.
    pub fn causes(&self, failure: &Failure, effort: &Effort) -> Causes {
        let word = self.unrolled(failure.positions);
        let rows = ltl_eval::evaluate(self.core, &self.components, &word, failure.positions, failure.end);
        let matters = ltl_eval::matters(self.core, &self.components, &rows, &failure.roots, failure.end);
        let polarity = Polarity::of(self.core, &failure.roots, &self.fixed);
        let mut pairs: Vec<Pair> = Vec::new();
        for (node, reached) in self.core.nodes.iter().zip(&matters) {
            if let Node::Literal { atom, .. } = node
                && !self.fixed[atom.0 as usize]
            {
                pairs.extend(reached.ones().map(|at| Pair { row: self.row_of(at).0, atom: *atom }));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        if effort.mode != Mode::Fast
            && let Some((causes, exactness)) = self.exact_causes(&word, failure, &polarity, effort, &pairs)
        {
            return Causes { causes, exactness, matters };
        }
        let exactness = if polarity.is_pure() { Exactness::Superset } else { Exactness::Approximate };
        let causes = pairs
            .into_iter()
            .map(|pair| Cause { pair, exact: false, direct: true, others: None, witness: None })
            .collect();
        Causes { causes, exactness, matters }
    }

    fn exact_causes(
        &self,
        word: &[Truth],
        failure: &Failure,
        polarity: &Polarity,
        effort: &Effort,
        fast: &[Pair],
    ) -> Option<(Vec<Cause>, Exactness)> {
        let limit = if effort.mode == Mode::Exact { usize::MAX } else { unfold::LARGEST };
        let circuit = unfold::unfold(self, word, failure, polarity, limit)?;
        let found = exact::causes(&circuit, effort);
        let mut causes = found.causes;
        causes.iter_mut().for_each(|cause| cause.direct = fast.binary_search(&cause.pair).is_ok());
        if found.complete {
            causes.sort_by_key(|cause| cause.pair);
            return Some((causes, Exactness::Exact));
        }
        // What the exact method knows is kept; for the rest the fast one answers.
        let decided: std::collections::HashSet<Pair> =
            causes.iter().map(|cause| cause.pair).chain(found.innocent.iter().copied()).collect();
        let open = fast.iter().filter(|pair| !decided.contains(pair));
        causes.extend(open.map(|pair| Cause { pair: *pair, exact: false, direct: true, others: None, witness: None }));
        causes.sort_by_key(|cause| cause.pair);
        Some((causes, if polarity.is_pure() { Exactness::Superset } else { Exactness::Approximate }))
    }

    /// The shortest prefix on which one of the roots fails for good.
    fn first_on_a_prefix(&self, roots: &[(NodeId, usize)]) -> Option<Failure> {
        let positions = self.finite_positions();
        let word = self.unrolled(positions);
        let rows = ltl_eval::evaluate(self.core, &self.components, &word, positions, End::Open);
        if roots.iter().all(|(node, at)| rows.of(*node).get(*at)) {
            return None;
        }
        let positions = self.shortest(&word, &rows, roots);
        Some(Failure { roots: roots.to_vec(), positions, end: End::Open })
    }

    /// Bisection: a prefix that fails for good fails however it is continued. `rows` are those of all positions of the word; one of the
    /// roots fails there.
    fn shortest(&self, word: &[Truth], rows: &Rows, roots: &[(NodeId, usize)]) -> usize {
        let fails = |length: usize| {
            let rows = ltl_eval::evaluate(self.core, &self.components, word, length, End::Open);
            roots.iter().any(|(node, at)| *at < length && !rows.of(*node).get(*at))
        };
        // Nothing fails before the first false literal that has to do with it, or the first look back beyond the start, and most
        // failures come soon after.
        let matters = ltl_eval::matters(self.core, &self.components, rows, roots, End::Open);
        let starts_a_failure = |node: &Node| {
            matches!(node, Node::Literal { .. } | Node::Constant(_) | Node::Previous { .. } | Node::Behind { .. })
        };
        let first = (self.core.nodes.iter().zip(&matters))
            .filter_map(|(node, row)| row.ones().next().filter(|_| starts_a_failure(node)))
            .min()
            .unwrap_or(0);
        let (mut low, mut stride) = (first, 1);
        while low + stride < rows.len() && !fails(low + stride) {
            low += stride;
            stride *= 4;
        }
        let mut high = (low + stride).min(rows.len());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if fails(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// The positions to look at for an end.
    fn positions(&self, end: End) -> usize {
        match (end, self.after) {
            (End::Loop(start), After::Row(row)) => start + (self.rows - row),
            _ => self.rows,
        }
    }

    /// So many positions that what has not failed on them fails on no prefix.
    fn finite_positions(&self) -> usize {
        match self.after {
            After::Row(start) => {
                let length = self.rows - start;
                let past = ltl_eval::past_rounds(self.core, &self.components, length) * length;
                self.rows + past + ltl_eval::reach_ahead(self.core, &self.components, length).min(LONGEST_UNROLLED)
            }
            _ => self.rows,
        }
    }

    /// The loop, entered late enough for operators of the past to repeat.
    fn lasso_end(&self) -> End {
        let After::Row(start) = self.after else { return End::Open };
        let length = self.rows - start;
        End::Loop(start + ltl_eval::past_rounds(self.core, &self.components, length) * length)
    }

    /// The truth of the atoms on so many positions.
    fn unrolled(&self, positions: usize) -> std::borrow::Cow<'a, [Truth]> {
        if positions <= self.rows {
            return std::borrow::Cow::Borrowed(self.word);
        }
        let extend = |row: &Bits| {
            let mut bits = row.clone();
            (self.rows..positions).for_each(|at| bits.push(row.get(self.row_of(at).0)));
            bits
        };
        let unroll = |truth: &Truth| Truth { yes: extend(&truth.yes), no: extend(&truth.no) };
        std::borrow::Cow::Owned(self.word.iter().map(unroll).collect())
    }
}

/// Positions beyond the first round that are looked at for a failure on a prefix.
const LONGEST_UNROLLED: usize = 1 << 26;

/// How each atom occurs below some nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polarity {
    positive: Vec<bool>,
    negative: Vec<bool>,
}

impl Polarity {
    /// Of those that are not fixed.
    fn of(core: &Core, roots: &[(NodeId, usize)], fixed: &[bool]) -> Polarity {
        let mut polarity = Polarity { positive: vec![false; core.atoms], negative: vec![false; core.atoms] };
        let mut seen = vec![false; core.nodes.len()];
        let mut stack: Vec<NodeId> = roots.iter().map(|(node, _)| *node).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node.0 as usize], true) {
                continue;
            }
            if let Node::Literal { atom, negated } = core.node(node)
                && !fixed[atom.0 as usize]
            {
                let of_kind = if *negated { &mut polarity.negative } else { &mut polarity.positive };
                of_kind[atom.0 as usize] = true;
            }
            stack.extend(core.node(node).children());
        }
        polarity
    }

    /// Does the atom occur both ways?
    fn is_mixed(&self, atom: AtomId) -> bool {
        self.positive[atom.0 as usize] && self.negative[atom.0 as usize]
    }

    /// May it be flipped at all?
    fn occurs(&self, atom: AtomId) -> bool {
        self.positive[atom.0 as usize] || self.negative[atom.0 as usize]
    }

    /// Does every atom occur one way only?
    fn is_pure(&self) -> bool {
        !self.positive.iter().zip(&self.negative).any(|(positive, negative)| *positive && *negative)
    }
}
