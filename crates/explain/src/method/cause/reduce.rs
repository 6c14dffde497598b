//! The few causes that carry the others. Questions are about the executions that come to the violated claim; where no cause
//! is lacking in any of these, about all, and those of inputs come first. A cause follows from another if none of them has that one and lacks this one.
//! Runs that go on where loops were not unwound further are among them: of a value that such a run has not set by then anything may hold.
//!
//! Not shown are causes that follow from a shown one; causes that no run lacks that comes to the claim (they say how the
//! check is avoided) or that are the failure itself in other words (whoever comes to the claim with them violates it);
//! truth values and other values on the way; and relations between values that the program never compares; all these
//! only as long as there are others. Inputs are never "the failure in other words". Last of all come causes over
//! just the operands of the claim.
//!
//! Most pairs need no question: every run that was ever come across is kept, and a pair is out as soon as one run has the
//! first cause without the second. Causes that hold in the fewest of these runs come first, and among those the ones
//! that are easiest to read, so that of equivalent ones the readable one is shown.
//!
//! Cost: a question for each cause and each shown one that could imply it.

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::sat::{Lit, Model, Outcome};
use nearmiss_logic::term::Terms;

use super::candidate::Kind;
use super::{Candidate, Search, Verdict};

/// What is shown.
pub struct Reduced {
    /// A cause and those that follow from it, by their numbers. The nearest first, then the one that carries most.
    pub shown: Vec<(usize, Vec<usize>)>,
    /// Whether every question was answered.
    pub complete: bool,
}

/// Which causes are to be shown.
pub fn reduce(
    search: &mut Search,
    terms: &Terms,
    relations: &[Candidate],
    verdicts: &[Verdict],
    says_it_again: &[bool],
) -> Reduced {
    let is_cause = |at: &usize| matches!(verdicts[*at], Verdict::Cause { .. });
    let causes: Vec<usize> = (0..relations.len()).filter(is_cause).collect();
    let models = std::mem::take(&mut search.models);
    let all = Among { ended: search.ended, leaves_after: search.leaves_after };
    let reaching = Among { ended: search.reaches, leaves_after: search.leaves_from };
    let mut reduction = Reduction {
        search,
        terms,
        alone: Blaster::new(),
        relations,
        causes,
        among: reaching,
        runs: Vec::new(),
        leaving: Vec::new(),
        shown: Vec::new(),
        complete: true,
    };
    models.iter().for_each(|model| reduction.learn(model));
    let (mut telling, mut restating, mut idle, mut again) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for cause in 0..reduction.causes.len() {
        if says_it_again[reduction.causes[cause]] {
            again.push(cause);
        } else if reduction.is_idle(cause) {
            idle.push(cause);
        } else if reduction.restates(cause) {
            restating.push(cause);
        } else {
            telling.push(cause);
        }
    }
    let (of_inputs, idle): (Vec<usize>, Vec<usize>) =
        idle.into_iter().partition(|&cause| reduction.relation(cause).ease.is_of_inputs());
    let groups = [(telling, reaching), (restating, reaching), (of_inputs, all), (idle, all), (again, reaching)];
    for (group, among) in groups {
        if among != reduction.among {
            reduction.among = among;
            reduction.runs.clear();
            reduction.leaving.clear();
            models.iter().for_each(|model| reduction.learn(model));
        }
        for kind in [Kind::Compared, Kind::Derived, Kind::Accidental] {
            let nothing_yet = reduction.shown.is_empty();
            let members = group.iter().copied().filter(|&cause| reduction.relation(cause).kind == kind).collect();
            reduction.choose(members, kind, nothing_yet);
        }
        if !reduction.shown.is_empty() {
            break;
        }
    }
    let distance = |at: usize| match verdicts[at] {
        Verdict::Cause { distance } => distance,
        _ => u64::MAX,
    };
    let number = |cause: usize| reduction.causes[cause];
    let mut shown: Vec<(usize, Vec<usize>)> = (reduction.shown.iter())
        .map(|(cause, follow)| {
            let mut follow: Vec<usize> = follow.iter().map(|&cause| number(cause)).collect();
            follow.sort_unstable();
            (number(*cause), follow)
        })
        .collect();
    shown.sort_by_key(|(at, follow)| (distance(*at), std::cmp::Reverse(follow.len()), &relations[*at].ease, *at));
    let complete = reduction.complete;
    search.models = models;
    Reduced { shown, complete }
}

/// The runs that are asked about.
#[derive(Clone, Copy, PartialEq)]
struct Among {
    /// Those that end.
    ended: Lit,
    /// Those that go on where nothing was unwound further, after the step of the claim.
    leaves_after: Lit,
}

struct Reduction<'a> {
    search: &'a mut Search,
    terms: &'a Terms,
    /// Knows of no definition: what values are is left open.
    alone: Blaster,
    relations: &'a [Candidate],
    /// The causes, by their numbers among all relations.
    causes: Vec<usize>,
    among: Among,
    runs: Vec<KnownRun>,
    /// Runs that go on where nothing was unwound further, with what may hold and what may be lacking in them.
    leaving: Vec<KnownRun>,
    /// Causes by their places in `causes`, with those that follow.
    shown: Vec<(usize, Vec<usize>)>,
    complete: bool,
}

/// A run among those.
struct KnownRun {
    /// Which causes hold.
    holds: Vec<bool>,
    /// Which are lacking.
    lacks: Vec<bool>,
    /// Whether the claim does.
    claim: bool,
}

impl Reduction<'_> {
    fn relation(&self, cause: usize) -> &Candidate {
        &self.relations[self.causes[cause]]
    }

    fn holds(&self, cause: usize) -> Lit {
        self.search.holds[self.causes[cause]]
    }

    fn lacks(&self, cause: usize) -> Lit {
        self.search.lacks[self.causes[cause]]
    }

    /// Adds the members of a group that are to be shown.
    fn choose(&mut self, mut members: Vec<usize>, kind: Kind, nothing_yet: bool) {
        let strength = |cause: &usize| self.runs.iter().filter(|run| run.holds[*cause]).count();
        members.sort_by_cached_key(|cause| (strength(cause), self.relation(*cause).ease.clone(), *cause));
        let before = self.shown.len();
        let is_shown = kind == Kind::Compared || nothing_yet;
        members.into_iter().for_each(|cause| self.place(cause, is_shown));
        // The order was a guess: a later one may imply an earlier one.
        for at in (before..self.shown.len()).rev() {
            let weaker = self.shown[at].0;
            if (at + 1..self.shown.len()).any(|other| self.follows(self.shown[other].0, weaker)) {
                // What followed from it need not follow from the other: a run may leave the values of just this one unset.
                let (_, follow) = self.shown.remove(at);
                std::iter::once(weaker).chain(follow).for_each(|cause| self.place(cause, is_shown));
            }
        }
    }

    /// Puts a cause with one that it follows from, or else on its own.
    fn place(&mut self, cause: usize, is_shown: bool) {
        match (0..self.shown.len()).find(|&at| self.follows(self.shown[at].0, cause)) {
            Some(carrier) => self.shown[carrier].1.push(cause),
            None if is_shown => self.shown.push((cause, Vec::new())),
            None => {}
        }
    }

    fn learn(&mut self, model: &Model) {
        if model.value(self.among.ended) {
            let [holds, lacks] = [&self.search.holds, &self.search.lacks]
                .map(|literals| self.causes.iter().map(|&at| model.value(literals[at])).collect());
            self.runs.push(KnownRun { holds, lacks, claim: model.value(self.search.claim) });
        }
    }

    fn follows(&mut self, stronger: usize, weaker: usize) -> bool {
        !self.runs.iter().any(|run| run.holds[stronger] && run.lacks[weaker])
            && self.is_impossible(&[self.holds(stronger), self.lacks(weaker)])
            && self.follows_beyond(stronger, weaker)
    }

    /// Does it follow in runs that go on where nothing was unwound further?
    fn follows_beyond(&mut self, stronger: usize, weaker: usize) -> bool {
        if [self.search.leaves_before, self.among.leaves_after] == [Lit::FALSE; 2] {
            return true;
        }
        if self.leaving.iter().any(|run| run.holds[stronger] && run.lacks[weaker]) {
            return self.follows_alone(stronger, weaker);
        }
        // Whoever has come to the claim has set by then what it sets.
        let after = [self.among.leaves_after, self.holds(stronger), self.lacks(weaker)];
        let before = [self.search.leaves_before, !self.lacks(stronger), !self.holds(weaker)];
        for (question, is_known) in [(after, true), (before, false)] {
            match self.search.ask(&question) {
                Some(None) => {}
                Some(Some(model)) => {
                    let value = |literals: &[Lit]| -> Vec<bool> {
                        self.causes.iter().map(|&at| model.value(literals[at])).collect()
                    };
                    let (holds, lacks) = (value(&self.search.holds), value(&self.search.lacks));
                    let not = |values: &[bool]| values.iter().map(|value| !value).collect();
                    let [holds, lacks] = if is_known { [holds, lacks] } else { [not(&lacks), not(&holds)] };
                    self.leaving.push(KnownRun { holds, lacks, claim: false });
                    return self.follows_alone(stronger, weaker);
                }
                None => {
                    self.complete = false;
                    return false;
                }
            }
        }
        true
    }

    /// Does it follow whatever the values are: `x <= y` from `x < y`?
    fn follows_alone(&mut self, stronger: usize, weaker: usize) -> bool {
        let [stronger, weaker] = [stronger, weaker].map(|cause| self.relation(cause).relation.term);
        let [stronger, weaker] = [stronger, weaker].map(|term| self.alone.literal(self.terms, term));
        self.alone.solver.solve(&[stronger, !weaker]) == Outcome::Unsat
    }

    /// Is no run that comes to the claim without it?
    fn is_idle(&mut self, cause: usize) -> bool {
        !self.runs.iter().any(|run| run.lacks[cause]) && self.is_impossible(&[self.lacks(cause)])
    }

    /// Does every run that comes to the claim with it violate the claim?
    fn restates(&mut self, cause: usize) -> bool {
        !self.relation(cause).ease.is_of_inputs()
            && !self.runs.iter().any(|run| run.holds[cause] && run.claim)
            && self.is_impossible(&[self.holds(cause), self.search.claim])
    }

    /// Is there no run among those that are asked about with all of these? An answer that takes too long is no.
    fn is_impossible(&mut self, wanted: &[Lit]) -> bool {
        let assumptions: Vec<Lit> = wanted.iter().copied().chain([self.among.ended]).collect();
        match self.search.ask(&assumptions) {
            Some(Some(model)) => {
                self.learn(&model);
                false
            }
            Some(None) => true,
            None => {
                self.complete = false;
                false
            }
        }
    }
}
