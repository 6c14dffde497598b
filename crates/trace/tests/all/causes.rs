//! Random formulas on short random traces, judged by brute force: the meaning of every operator from its definition on an infinite or
//! cut-off word, the first failure by trying every prefix, the causes by trying every set of flips.
//!
//! `NEARMISS_FORMULAS=N` tries N formulas instead of some hundreds.

use std::collections::{BTreeMap, HashMap};

use nearmiss_trace::bits::{Bits, Truth};
use nearmiss_trace::failure::{After, Pair, Verdict};
use nearmiss_trace::ltl::core::{AtomId, Core, End, Node, NodeId, Quantifier, Strength};
use nearmiss_trace::recheck;
use nearmiss_trace::report::Exactness;
use nearmiss_trace::search::{Effort, Mode, Question};

/// A small generator of numbers, the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % sides as u64) as usize
    }

    fn strength(&mut self) -> Strength {
        if self.roll(2) == 0 { Strength::Weak } else { Strength::Strong }
    }

    fn quantifier(&mut self) -> Quantifier {
        if self.roll(2) == 0 { Quantifier::All } else { Quantifier::Any }
    }
}

/// What formulas are made of in one round of the test.
#[derive(Clone, Copy)]
struct Kinds {
    past: bool,
    cycles: bool,
    mixed: bool,
}

struct Grower<'a> {
    dice: &'a mut Dice,
    kinds: Kinds,
    nodes: Vec<Node>,
    atoms: usize,
}

impl Grower<'_> {
    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn literal(&mut self) -> NodeId {
        let atom = AtomId(self.dice.roll(self.atoms) as u32);
        // Without mixed polarity, even atoms occur positively and odd ones negated.
        let negated = if self.kinds.mixed { self.dice.roll(2) == 0 } else { atom.0 % 2 == 1 };
        self.push(Node::Literal { atom, negated })
    }

    fn grow(&mut self, size: usize) -> NodeId {
        if size <= 1 {
            return if self.dice.roll(20) == 0 {
                let value = self.dice.roll(2) == 0;
                self.push(Node::Constant(value))
            } else {
                self.literal()
            };
        }
        let choices = if self.kinds.past { 14 } else { 9 };
        let node = match self.dice.roll(choices) {
            0 | 1 => Node::And(self.parts(size)),
            2 | 3 => Node::Or(self.parts(size)),
            4 => {
                let body = self.grow(size - 1);
                Node::Next { by: 1 + self.dice.roll(2) as u32, body, strength: self.dice.strength() }
            }
            5 | 6 => {
                let (hold, goal) = self.halves(size);
                Node::Until { hold, goal, strength: self.dice.strength() }
            }
            7 => {
                let (stop, keep) = self.halves(size);
                Node::Release { stop, keep, strength: self.dice.strength() }
            }
            8 if self.kinds.cycles && self.dice.roll(2) == 0 => return self.machine(),
            8 => {
                let body = self.grow(size - 1);
                let from = self.dice.roll(3) as u32;
                Node::Ahead { quantifier: self.dice.quantifier(), from, to: from + self.dice.roll(3) as u32, body }
            }
            9 => {
                let body = self.grow(size - 1);
                Node::Previous { by: 1 + self.dice.roll(2) as u32, body, strength: self.dice.strength() }
            }
            10 | 11 => {
                let (hold, goal) = self.halves(size);
                Node::Since { hold, goal }
            }
            12 => {
                let (stop, keep) = self.halves(size);
                Node::Trigger { stop, keep }
            }
            _ => {
                let body = self.grow(size - 1);
                let from = self.dice.roll(3) as u32;
                Node::Behind { quantifier: self.dice.quantifier(), from, to: from + self.dice.roll(3) as u32, body }
            }
        };
        self.push(node)
    }

    fn halves(&mut self, size: usize) -> (NodeId, NodeId) {
        let left = 1 + self.dice.roll(size - 1);
        (self.grow(left), self.grow(size - left))
    }

    fn parts(&mut self, size: usize) -> Vec<NodeId> {
        let (left, right) = self.halves(size);
        vec![left, right]
    }

    /// Two states that refer to each other, as a sequence with repetition does.
    fn machine(&mut self) -> NodeId {
        let strength = self.dice.strength();
        let universal = self.dice.roll(2) == 0;
        let guards: Vec<NodeId> = (0..4).map(|_| self.literal()).collect();
        let first = self.nodes.len() as u32;
        let join = |universal: bool, parts: Vec<NodeId>| if universal { Node::And(parts) } else { Node::Or(parts) };
        // first: next of state two; two: guarded; three: state one; and so on round.
        let to_second = self.push(Node::Next { by: 1, body: NodeId(first + 5), strength });
        let step = self.push(join(!universal, vec![guards[0], to_second]));
        let one = self.push(join(universal, vec![step, guards[1]]));
        let to_first = self.push(Node::Next { by: 1, body: one, strength });
        let back = self.push(join(!universal, vec![guards[2], to_first]));
        let two = self.push(join(universal, vec![back, guards[3]]));
        assert_eq!(two, NodeId(first + 5));
        one
    }
}

/// A random formula; its root is its last node unless a machine says otherwise.
fn formula(dice: &mut Dice, kinds: Kinds, atoms: usize, size: usize) -> Core {
    let mut grower = Grower { dice, kinds, nodes: Vec::new(), atoms };
    let root = grower.grow(size);
    Core { nodes: grower.nodes, root, atoms }
}

/// A word on which pairs can be flipped, and its meaning by definition.
struct Meaning<'a> {
    core: &'a Core,
    word: &'a [Truth],
    rows: usize,
    after: After,
    flips: BTreeMap<Pair, bool>,
    /// The positions there are; on a lasso, infinitely many.
    cut: Option<(usize, End)>,
    known: HashMap<(NodeId, usize, usize), bool>,
}

impl Meaning<'_> {
    /// Positions from which on everything repeats with the loop: far more than it takes.
    fn settled(&self) -> usize {
        let After::Row(start) = self.after else { return usize::MAX };
        start + (self.core.nodes.len() + 6) * (self.rows - start)
    }

    fn row(&self, at: usize) -> usize {
        match self.after {
            After::Row(start) if at >= self.rows => start + (at - start) % (self.rows - start),
            _ => at,
        }
    }

    /// `Err` is the value beyond the end.
    fn beyond(&self, at: usize, weak: bool, bounded: bool) -> Option<bool> {
        let (positions, end) = self.cut?;
        (at >= positions).then(|| match end {
            End::Open => true,
            End::Whole => weak,
            End::Due => weak && !bounded,
            End::Loop(_) => unreachable!("a lasso is not cut off"),
        })
    }

    fn holds(&mut self, id: NodeId, at: usize, fuel: usize) -> bool {
        // What is far out is as one round before.
        let at = match (self.cut, self.after) {
            (None, After::Row(start)) if at >= self.settled() => {
                let length = self.rows - start;
                self.settled() - length + (at - self.settled()) % length
            }
            _ => at,
        };
        if let Some(known) = self.known.get(&(id, at, fuel)) {
            return *known;
        }
        let horizon = match self.cut {
            Some((positions, _)) => positions,
            // Once the past has settled, two rounds show all there is.
            None => self.settled().max(at) + 2 * self.rows,
        };
        let value = match self.core.node(id).clone() {
            Node::Constant(value) => value,
            Node::Literal { atom, negated } => {
                let row = self.row(at);
                match self.flips.get(&Pair { row, atom }) {
                    Some(to) => *to != negated,
                    None if negated => self.word[atom.0 as usize].no.get(row),
                    None => self.word[atom.0 as usize].yes.get(row),
                }
            }
            Node::And(parts) => parts.iter().all(|part| self.holds(*part, at, fuel)),
            Node::Or(parts) => parts.iter().any(|part| self.holds(*part, at, fuel)),
            Node::Next { by, body, strength } => {
                let weak = strength == Strength::Weak;
                match self.beyond(at + by as usize, weak, true) {
                    Some(value) => value,
                    None if body >= id && fuel == 0 => weak,
                    None => self.holds(body, at + by as usize, fuel - usize::from(body >= id)),
                }
            }
            Node::Previous { by, body, strength } => match at.checked_sub(by as usize) {
                Some(at) => self.holds(body, at, fuel),
                None => strength == Strength::Weak,
            },
            Node::Until { hold, goal, strength } => {
                let weak = strength == Strength::Weak;
                let mut answer = None;
                for j in at..horizon {
                    if self.holds(goal, j, fuel) {
                        answer = Some(true);
                    } else if !self.holds(hold, j, fuel) {
                        answer = Some(false);
                    }
                    if answer.is_some() {
                        break;
                    }
                }
                answer.unwrap_or_else(|| self.beyond(horizon, weak, false).unwrap_or(weak))
            }
            Node::Release { stop, keep, strength } => {
                let weak = strength == Strength::Weak;
                let mut answer = None;
                for j in at..horizon {
                    if !self.holds(keep, j, fuel) {
                        answer = Some(false);
                    } else if self.holds(stop, j, fuel) {
                        answer = Some(true);
                    }
                    if answer.is_some() {
                        break;
                    }
                }
                answer.unwrap_or_else(|| self.beyond(horizon, weak, false).unwrap_or(weak))
            }
            Node::Since { hold, goal } => {
                (0..=at).rev().any(|j| self.holds(goal, j, fuel) && (j + 1..=at).all(|m| self.holds(hold, m, fuel)))
            }
            Node::Trigger { stop, keep } => {
                (0..=at).rev().all(|j| self.holds(keep, j, fuel) || (j + 1..=at).any(|m| self.holds(stop, m, fuel)))
            }
            Node::Ahead { quantifier, from, to, body } => {
                let mut values = Vec::new();
                for by in from..=to {
                    let there = at + by as usize;
                    let value = match self.beyond(there, quantifier == Quantifier::All, true) {
                        Some(value) => value,
                        None => self.holds(body, there, fuel),
                    };
                    values.push(value);
                }
                match quantifier {
                    Quantifier::All => values.iter().all(|value| *value),
                    Quantifier::Any => values.iter().any(|value| *value),
                }
            }
            Node::Behind { quantifier, from, to, body } => {
                let there: Vec<usize> = (from..=to).filter_map(|by| at.checked_sub(by as usize)).collect();
                match quantifier {
                    Quantifier::All => there.iter().all(|at| self.holds(body, *at, fuel)),
                    Quantifier::Any => there.iter().any(|at| self.holds(body, *at, fuel)),
                }
            }
        };
        self.known.insert((id, at, fuel), value);
        value
    }
}

/// A formula, a trace, and all that brute force says about them.
struct Trial {
    /// Per atom: is it given, so that it cannot be flipped?
    fixed: Vec<bool>,
    core: Core,
    word: Vec<Truth>,
    rows: usize,
    after: After,
}

impl Trial {
    fn holds(&self, cut: Option<(usize, End)>, flips: &[(Pair, bool)]) -> bool {
        let flips = flips.iter().copied().collect();
        let (core, word) = (&self.core, &self.word[..]);
        let mut meaning = Meaning { core, word, rows: self.rows, after: self.after, flips, cut, known: HashMap::new() };
        let onward = |(i, node): (usize, &Node)| matches!(node, Node::Next { body, .. } if body.0 as usize >= i);
        let cyclic = self.core.nodes.iter().enumerate().any(onward);
        // How often a cycle may be entered again: two states, each at every position that there is.
        let fuel = if cyclic { 2 + cut.map_or(3 * self.rows, |(positions, _)| positions) } else { 0 };
        meaning.holds(self.core.root, 0, fuel)
    }

    /// The first prefix that fails (how many positions), or the end with which the whole fails.
    fn verdict(&self) -> Result<Option<(usize, Option<End>)>, &'static str> {
        let longest = match self.after {
            After::Row(start) => self.rows + (self.core.nodes.len() + 3) * (self.rows - start) + 40,
            _ => self.rows,
        };
        if let Some(positions) = (1..=longest).find(|positions| !self.holds(Some((*positions, End::Open)), &[])) {
            return Ok(Some((positions, Some(End::Open))));
        }
        match self.after {
            After::Anything if !self.holds(Some((self.rows, End::Due)), &[]) => Err("undecided"),
            After::Nothing if !self.holds(Some((self.rows, End::Whole)), &[]) => {
                Ok(Some((self.rows, Some(End::Whole))))
            }
            After::Row(_) if !self.holds(None, &[]) => Ok(Some((0, None))),
            _ => Ok(None),
        }
    }

    /// The pairs that are bottom-valued on the rows up to `last`, with the values that each can be given.
    fn bottom_valued(&self, last: usize) -> Vec<(Pair, Vec<bool>)> {
        let mut occurs = vec![[false; 2]; self.core.atoms];
        let mut stack = vec![self.core.root];
        let mut seen = vec![false; self.core.nodes.len()];
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node.0 as usize], true) {
                continue;
            }
            if let Node::Literal { atom, negated } = self.core.node(node) {
                occurs[atom.0 as usize][usize::from(*negated)] = true;
            }
            stack.extend(self.core.node(node).children());
        }
        let mut pairs = Vec::new();
        for row in 0..=last.min(self.rows - 1) {
            for (atom, [positive, negative]) in occurs.iter().enumerate().filter(|(atom, _)| !self.fixed[*atom]) {
                let (yes, no) = (self.word[atom].yes.get(row), self.word[atom].no.get(row));
                if (*positive && !yes) || (*negative && !no) {
                    let pair = Pair { row, atom: AtomId(atom as u32) };
                    let values = [false, true].into_iter().filter(|to| if *to { !yes } else { !no }).collect();
                    pairs.push((pair, values));
                }
            }
        }
        pairs
    }

    /// Per cause, the size of the smallest set of other flips.
    fn causes(&self, cut: Option<(usize, End)>, pairs: &[(Pair, Vec<bool>)]) -> BTreeMap<Pair, usize> {
        let mut truth: BTreeMap<Vec<Option<bool>>, bool> = BTreeMap::new();
        let mut set = vec![None; pairs.len()];
        loop {
            let flips: Vec<(Pair, bool)> = pairs
                .iter()
                .zip(&set)
                .filter_map(|((pair, _), to): (&(Pair, Vec<bool>), &Option<bool>)| to.map(|to| (*pair, to)))
                .collect();
            truth.insert(set.clone(), self.holds(cut, &flips));
            // The next combination.
            let mut i = 0;
            while i < pairs.len() {
                let values = &pairs[i].1;
                let now = set[i].map_or(0, |to| 1 + values.iter().position(|value| *value == to).unwrap());
                set[i] = values.get(now).copied();
                if set[i].is_some() {
                    break;
                }
                i += 1;
            }
            if i == pairs.len() {
                break;
            }
        }
        let mut causes = BTreeMap::new();
        for (set, holds) in &truth {
            if *holds {
                continue;
            }
            let size = set.iter().filter(|to| to.is_some()).count();
            for (i, (pair, values)) in pairs.iter().enumerate() {
                if set[i].is_some() {
                    continue;
                }
                for value in values {
                    let mut more = set.clone();
                    more[i] = Some(*value);
                    if truth[&more] {
                        let least = causes.entry(*pair).or_insert(size);
                        *least = size.min(*least);
                    }
                }
            }
        }
        causes
    }
}

/// How often things happened.
#[derive(Default, Debug)]
struct Tally {
    failing: usize,
    of_the_loop: usize,
    holds: usize,
    undecided: usize,
    pure: usize,
    mixed: usize,
    /// Fast and exact differ.
    pure_differs: usize,
    mixed_differs: usize,
    /// Fast lacks a cause.
    mixed_misses: usize,
}

fn random_word(dice: &mut Dice, atoms: usize, rows: usize, unknown: bool) -> Vec<Truth> {
    let mut word = Vec::new();
    for _ in 0..atoms {
        let values: Vec<usize> = (0..rows).map(|_| dice.roll(if unknown { 7 } else { 6 })).collect();
        word.push(Truth {
            yes: Bits::from_bools(values.iter().map(|value| *value < 3)),
            no: Bits::from_bools(values.iter().map(|value| (3..6).contains(value))),
        });
    }
    word
}

fn run(seed: u64, trials: usize, tally: &mut Tally) {
    let mut dice = Dice(seed);
    for number in 0..trials {
        let kinds = Kinds { past: dice.roll(3) == 0, cycles: dice.roll(2) == 0, mixed: dice.roll(2) == 0 };
        let atoms = 1 + dice.roll(3);
        let size = 1 + dice.roll(7);
        let core = formula(&mut dice, kinds, atoms, size);
        let rows = 1 + dice.roll(if atoms == 3 { 3 } else { 5 });
        let unknown = dice.roll(4) == 0;
        let word = random_word(&mut dice, atoms, rows, unknown);
        let after = match dice.roll(4) {
            0 => After::Nothing,
            1 | 2 => After::Row(dice.roll(rows)),
            _ => After::Anything,
        };
        let given = dice.roll(3) == 0;
        let fixed = (0..atoms).map(|_| given && dice.roll(2) == 0).collect();
        let trial = Trial { fixed, core, word, rows, after };
        check(&trial, tally, &format!("trial {number} of seed {seed}"));
    }
}

fn check(trial: &Trial, tally: &mut Tally, name: &str) {
    let question = Question::new(&trial.core, &trial.word, trial.rows, trial.after).with_fixed(trial.fixed.clone());
    let verdict = question.judge();
    let describe = || format!("{name}\n{:?} rows {} {:?}\n{:?}", trial.core, trial.rows, trial.after, trial.word);
    let (positions, end) = match (trial.verdict(), &verdict) {
        (Ok(None), Verdict::Holds) => {
            tally.holds += 1;
            return;
        }
        (Err(_), Verdict::Undecided) => {
            tally.undecided += 1;
            return;
        }
        (Ok(Some(expected)), Verdict::Fails(_)) => expected,
        (expected, found) => panic!("expected {expected:?}, found {found:?}\n{}", describe()),
    };
    let Verdict::Fails(failure) = &verdict else { unreachable!() };
    tally.failing += 1;
    if let Some(end) = end {
        assert_eq!((failure.positions, failure.end), (positions, end), "{}", describe());
    } else {
        assert!(matches!(failure.end, End::Loop(_)), "{}", describe());
        tally.of_the_loop += 1;
    }
    let last = if end.is_some() { failure.positions - 1 } else { trial.rows - 1 };
    let pairs = trial.bottom_valued(last);
    if pairs.iter().map(|(_, values)| values.len() + 1).product::<usize>() > 3000 {
        return;
    }
    let cut = end.map(|end| (failure.positions, end));
    let expected = trial.causes(cut, &pairs);
    let stop = nearmiss_logic::stop::Stop::default();
    let exact = question.causes(failure, &Effort { mode: Mode::Exact, stop: stop.clone() });
    assert_eq!(exact.exactness, Exactness::Exact, "{}", describe());
    let found: BTreeMap<Pair, usize> =
        exact.causes.iter().map(|cause| (cause.pair, cause.others.expect("small parts are counted"))).collect();
    assert_eq!(found, expected, "expected on the right\n{}", describe());
    let trace = recheck::Trace { core: &trial.core, word: &trial.word, rows: trial.rows, after: trial.after };
    if let Err(message) = recheck::check(&trace, failure, &exact.causes) {
        panic!("{message}\n{}", describe());
    }
    let fast = question.causes(failure, &Effort { mode: Mode::Fast, stop });
    let fast_pairs: Vec<Pair> = fast.causes.iter().map(|cause| cause.pair).collect();
    let missing = expected.keys().filter(|pair| !fast_pairs.contains(pair)).count();
    let differs = usize::from(missing > 0 || fast_pairs.len() != expected.len());
    if fast.exactness == Exactness::Superset {
        assert_eq!(missing, 0, "fast lacks a cause\n{}", describe());
        tally.pure += 1;
        tally.pure_differs += differs;
    } else {
        tally.mixed += 1;
        tally.mixed_differs += differs;
        tally.mixed_misses += usize::from(missing > 0);
    }
}

#[test]
fn brute_force_agrees_on_verdicts_causes_and_responsibility() {
    let trials = std::env::var("NEARMISS_FORMULAS").ok().and_then(|text| text.parse().ok()).unwrap_or(3000);
    let mut tally = Tally::default();
    run(1, trials, &mut tally);
    println!("{tally:?}");
    assert!(tally.failing * 5 > trials && tally.of_the_loop > 0 && tally.undecided > 0 && tally.holds > 0, "{tally:?}");
    assert!(tally.mixed_misses > 0, "mixed polarity makes fast miss some, as is known: {tally:?}");
}
