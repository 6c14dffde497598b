//! What sequences have in common, and where in each the error is likely to be (Basu, Saha, Smolka, figure 5).
//!
//! An assumption that one sequence makes and one other makes the opposite of, at the same place of the program, does not
//! matter to the failure: it happens either way. Both are removed; sequences that became identical count once; and so on
//! until nothing changes. What remains is projected on each sequence: the first condition that it does not decide is
//! one that does not matter, so the error is in the block around it, or before it. The focus statements of that block are
//! the *neighbourhood of the error*.
//!
//! Which block: the innermost that a branch opens and that holds the condition, or calls the function that does. Around a
//! condition that no branch leads to there is none, and figure 5 would mark everything; the paper's text marks the block
//! that the last decided condition opened (the `if` in line 6 of its figure 2), and so do we. The claim's own parts take part in removing (that is how two sequences
//! of figure 2 become one), but not in projecting: they are the failure, no decision on the way to it. The same holds for a branch that does
//! nothing but report it, `if (bad) assert(0)` or `if (bad) error = 1` (line 62 of figure 7).

use std::collections::{BTreeSet, HashMap};

use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::{Node, Term};

use super::assumption::{Decision, Prover};
use super::{Assumption, Origin};
use crate::equation::Equation;
use crate::flow::{EventKind, EventNumber, Flow};
use crate::focus_sequence::{Sequence, is_never_met};
use nearmiss_program::location::Location;
use nearmiss_program::program::{ClaimId, Program};

/// What is left of the sequences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// For each sequence the numbers of the assumptions that remain.
    pub remaining: Vec<Vec<usize>>,
    /// For each sequence the one that it became identical with, if it did.
    pub same_as: Vec<Option<usize>>,
}

/// Sequences as they are.
pub fn unreduced(sets: &[Vec<Assumption>]) -> Reduced {
    let remaining = sets.iter().map(|set| (0..set.len()).collect()).collect();
    Reduced { remaining, same_as: vec![None; sets.len()] }
}

/// Steps 1 to 3 of the algorithm, for all sequences there are. `statements` says which sequences have the same statements,
/// `claims` which of them end at the same claim: that one claim fails either way says nothing of another.
pub fn reduce(
    equation: &Equation,
    sets: &[Vec<Assumption>],
    statements: &[Vec<(Location, Option<bool>)>],
    claims: &[ClaimId],
) -> Reduced {
    let mut reduced = unreduced(sets);
    loop {
        let mut changed = false;
        for claim in claims.iter().collect::<BTreeSet<_>>() {
            let of_claim: Vec<usize> = (0..sets.len()).filter(|which| claims[*which] == *claim).collect();
            while let Some((term, opposite)) = complementary(equation, sets, &reduced, &of_claim) {
                for which in &of_claim {
                    reduced.remaining[*which].retain(|at| {
                        let assumption = &sets[*which][*at];
                        (assumption.place, assumption.term) != term && (assumption.place, assumption.term) != opposite
                    });
                }
                changed = true;
            }
        }
        for later in 0..sets.len() {
            let earlier = (0..later).find(|&earlier| {
                reduced.same_as[earlier].is_none()
                    && statements[earlier] == statements[later]
                    && terms(sets, &reduced, earlier) == terms(sets, &reduced, later)
            });
            if reduced.same_as[later].is_none() && earlier.is_some() {
                reduced.same_as[later] = earlier;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // What one became the same as may have become the same as another since; those are earlier.
    for which in 0..sets.len() {
        if let Some(of_other) = reduced.same_as[which].and_then(|other| reduced.same_as[other]) {
            reduced.same_as[which] = Some(of_other);
        }
    }
    reduced
}

type Placed = ((Location, u32), Term);

fn terms(sets: &[Vec<Assumption>], reduced: &Reduced, which: usize) -> BTreeSet<Placed> {
    reduced.remaining[which].iter().map(|at| (sets[which][*at].place, sets[which][*at].term)).collect()
}

/// A condition that exactly one of some sets has, and its negation at the same place, that exactly one other has.
fn complementary(
    equation: &Equation,
    sets: &[Vec<Assumption>],
    reduced: &Reduced,
    some: &[usize],
) -> Option<(Placed, Placed)> {
    let live: Vec<(usize, BTreeSet<Placed>)> = (some.iter().copied())
        .filter(|which| reduced.same_as[*which].is_none())
        .map(|which| (which, terms(sets, reduced, which)))
        .collect();
    let mut owners: HashMap<Placed, Vec<usize>> = HashMap::new();
    // The negation of a condition, by the condition; the other way round its node tells.
    let mut negations: HashMap<Placed, Placed> = HashMap::new();
    for (which, set) in &live {
        for condition in set {
            owners.entry(*condition).or_default().push(*which);
            if let Node::Not(inner) = equation.terms.node(condition.1) {
                negations.insert((condition.0, inner), *condition);
            }
        }
    }
    for (which, set) in &live {
        for condition in set {
            let opposite = match equation.terms.node(condition.1) {
                Node::Not(inner) => (condition.0, inner),
                _ => match negations.get(condition) {
                    Some(negation) => *negation,
                    None => continue,
                },
            };
            let others = owners.get(&opposite).map(Vec::as_slice).unwrap_or_default();
            if owners[condition].len() == 1 && others.len() == 1 && others[0] != *which {
                return Some((*condition, opposite));
            }
        }
    }
    None
}

/// Steps 4 and 5: the events of a sequence where the error is likely to be; all of them if nothing tells.
pub fn neighbourhood(
    program: &Program,
    prover: &mut Prover<'_>,
    equation: &mut Equation,
    sequence: &Sequence,
    decisions: &[Decision],
    remaining: &[&Assumption],
) -> Vec<EventNumber> {
    let mut from = vec![prover.background(equation, sequence)];
    let reports = Family { equation, flow: prover.flow(), sequence }.reports(program);
    for assumption in remaining {
        let is_failure = match assumption.origin {
            Origin::Branch(branch) | Origin::Apart { branch, .. } => reports.contains(&branch),
            Origin::Claim(_) | Origin::Reach | Origin::Before(_) => true,
            Origin::Cell(_) => false,
        };
        if !is_failure {
            from.push(prover.literal(equation, assumption.term));
        }
    }
    let is_decided = |prover: &mut Prover<'_>, decision: &Decision| {
        let literal: Lit = prover.literal(equation, decision.term);
        // The run of the sequence meets what remains, so no condition that it meets can be refuted.
        prover.follows(&from, literal)
    };
    let mut ordered: Vec<&Decision> = decisions.iter().filter(|decision| !reports.contains(&decision.branch)).collect();
    ordered.sort_by_key(|decision| decision.branch);
    let mut decided: Vec<EventNumber> = Vec::new();
    let mut undecided = None;
    for decision in ordered {
        if is_decided(prover, decision) {
            decided.push(decision.branch);
        } else {
            undecided = Some(decision.branch);
            break;
        }
    }
    let Some(undecided) = undecided else { return sequence.events.clone() };
    let family = Family { equation, flow: prover.flow(), sequence };
    // A function is called from a block: what decides in its body decides for that block.
    let is_branch = |event: EventNumber| matches!(family.flow.event(event).kind, EventKind::Branch(..));
    let mut opener = family.decider(undecided);
    while opener != 0 && !is_branch(opener) {
        opener = family.decider(opener);
    }
    let block = if opener == 0 { decided.last().copied() } else { Some(opener) };
    if let Some(block) = block {
        let inside: Vec<EventNumber> =
            sequence.events.iter().copied().filter(|event| family.is_under(*event, block)).collect();
        if !inside.is_empty() {
            return inside;
        }
    }
    sequence.events.clone()
}

/// What decided about what, in the run of a sequence.
struct Family<'a> {
    equation: &'a Equation,
    flow: &'a Flow,
    sequence: &'a Sequence,
}

impl Family<'_> {
    fn decider(&self, event: EventNumber) -> EventNumber {
        let control = self.flow.event(event).control;
        self.sequence.execution.value_of(self.equation, control) as EventNumber
    }

    /// The branches that do nothing but report the failure: one that leads to a claim that is never met, or one that sets
    /// what the claim reads to a constant; nothing else in the sequence hangs on it.
    fn reports(&self, program: &Program) -> Vec<EventNumber> {
        let Some(&claim) = self.sequence.events.last() else { return Vec::new() };
        let event = self.flow.event(claim);
        let mut reporting = vec![claim];
        if !is_never_met(program, event.location) {
            for read in &event.reads {
                let setter = self.sequence.execution.value_of(self.equation, *read) as EventNumber;
                if setter == 0 || !self.flow.event(setter).reads.is_empty() {
                    return Vec::new();
                }
                reporting.push(setter);
            }
            reporting.remove(0);
        }
        let is_branch = |event: &EventNumber| matches!(self.flow.event(*event).kind, EventKind::Branch(..));
        let branches = reporting.iter().map(|event| self.decider(*event)).filter(is_branch);
        let alone = |branch: &EventNumber| {
            let under = self.sequence.events.iter().filter(|event| self.decider(**event) == *branch);
            under.into_iter().all(|event| reporting.contains(event) || *event == claim)
        };
        branches.filter(alone).collect()
    }

    /// Did `above` decide about an event, directly or not?
    fn is_under(&self, event: EventNumber, above: EventNumber) -> bool {
        let mut at = event;
        while at > above {
            at = self.decider(at);
            if at == above {
                return true;
            }
        }
        false
    }
}
