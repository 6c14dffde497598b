//! Claims that take the solver long are put off until all others are decided.
//!
//! All claims are one question at first. If that takes too many conflicts, each is asked for alone, and given up after fewer. What is known of the
//! others does not wait for those: it is asked as if they might be violated. Only then they have all the time that is left. Efforts are counted, so
//! that the same claims are put off on every machine.

use nearmiss_logic::term::Term;

use super::question::{Findings, Question, begun, rank};
use crate::equation::ClaimRef;
use nearmiss_logic::eval::Assignment;

/// Conflicts for the question about all claims.
const TOGETHER: u64 = 20_000;
/// Conflicts for each claim alone, and for each question about what comes behind.
const ALONE: u64 = 1_500;
/// Conflicts for all of them, one after the other.
const ALL_ALONE: u64 = 20_000;

impl Question<'_> {
    /// All questions in turn, easy claims first; None if one is interrupted, and nothing is known of the claims that do not fail.
    pub(super) fn ask_easy_first(&mut self, wanted: &dyn Fn(ClaimRef) -> bool, findings: &mut Findings) -> Option<()> {
        self.ask_apart(wanted, findings);
        if self.has_enough(findings) {
            return None;
        }
        let known = findings.known();
        let is_open = |claim: ClaimRef| wanted(claim) && !known.contains(&claim);
        let open = self.first.iter().copied().filter(|(claim, _)| is_open(*claim)).collect();
        let open = self.with_limit(TOGETHER, |own| own.ask_first(open, findings));
        let hard = self.put_off_hard(open, findings);
        if self.has_enough(findings) {
            return None;
        }
        if hard.is_empty() {
            return self.ask_others(wanted, findings);
        }
        self.put_off = hard.iter().map(|(claim, _)| *claim).collect();
        let known =
            Findings { failing: findings.failing.clone(), shown: findings.shown.clone(), ..Findings::default() };
        let mut apart = Findings { hit: findings.hit.clone(), unwind: findings.unwind, ..known };
        let answered = self.with_limit(ALONE, |own| own.ask_others(wanted, &mut apart)).is_some();
        let left = self.ask_first(hard, findings);
        self.put_off.clear();
        if left.is_empty() {
            return self.ask_others(wanted, findings);
        }
        if !answered {
            return None;
        }
        self.take(apart, &left, findings);
        Some(())
    }

    /// What was found of the others, and the claims that are left.
    fn take(&mut self, apart: Findings, left: &[(ClaimRef, Term)], findings: &mut Findings) {
        findings.failing.extend(&apart.failing);
        findings.failing.sort_unstable();
        findings.failing.dedup();
        findings.shown = match (findings.shown.take(), apart.shown) {
            (Some(own), Some(other)) if other.rank < own.rank => Some(other),
            (own, other) => own.or(other),
        };
        let failing = &findings.failing;
        findings.hard = (left.iter())
            .filter_map(|(claim, _)| if let ClaimRef::Program(id) = claim { Some(*id) } else { None })
            .filter(|id| !failing.contains(id))
            .collect();
        findings.unsupported = apart.unsupported;
        (findings.wanted, findings.wanted_behind) = (apart.wanted, apart.wanted_behind);
        (findings.behind, findings.after) = (apart.behind, apart.after);
        findings.unsure.extend(apart.unsure);
        findings.behind_hard = apart.behind_hard;
        findings.hard.sort_by_key(|id| rank(self.program, *id));
    }

    /// Asks for each claim alone, of a solver that has not heard of the others. Those that are given up are left.
    fn put_off_hard(&mut self, open: Vec<(ClaimRef, Term)>, findings: &mut Findings) -> Vec<(ClaimRef, Term)> {
        if open.len() == 1 {
            return open;
        }
        let (mut spent, mut hard) = (0, Vec::new());
        for (claim, way) in open {
            let ClaimRef::Program(id) = claim else { continue };
            if self.has_enough(findings) {
                break;
            }
            if spent >= ALL_ALONE {
                hard.push((claim, way));
                continue;
            }
            let alone = begun(self.equation, self.blaster.with_the_same_definitions(), &self.stop);
            let shared = std::mem::replace(&mut self.blaster, alone);
            match self.with_limit(ALONE, |own| own.some_execution(&[way], &[])) {
                Some(Some(model)) => self.found(id, &model, findings),
                Some(None) => {}
                None => match self.given_up(Some(id)) {
                    Some(open) => findings.unsure.push(open),
                    None => hard.push((claim, way)),
                },
            }
            spent += self.blaster.solver.stats().conflicts;
            self.blaster = shared;
        }
        hard
    }

    /// Of claims that may be reached after another was violated those for which the solver tells whether; the rest is noted. None if nothing was put off.
    pub(super) fn without_hard(
        &mut self,
        open: Vec<(ClaimRef, Term)>,
        findings: &mut Findings,
    ) -> Option<Vec<(ClaimRef, Term)>> {
        if self.put_off.is_empty() || self.blaster.solver.gave_up_on().is_some() {
            return None;
        }
        let mut reached = Vec::new();
        let begun = self.blaster.solver.stats().conflicts;
        for (claim, way) in open {
            let ClaimRef::Program(id) = claim else { continue };
            let may_ask = self.blaster.solver.stats().conflicts - begun < ALL_ALONE;
            match may_ask.then(|| self.some_execution(&[way], &[])).flatten() {
                Some(Some(_)) => reached.push((claim, way)),
                Some(None) => {}
                None => findings.behind_hard.push(id),
            }
        }
        Some(reached)
    }

    /// A claim that was put off is violated in a model that was asked for something else.
    pub(super) fn found_put_off(&mut self, claim: Option<ClaimRef>, model: &Assignment, findings: &mut Findings) {
        if let Some(claim @ ClaimRef::Program(id)) = claim
            && self.put_off.contains(&claim)
            && !findings.failing.contains(&id)
        {
            self.found(id, model, findings);
        }
    }

    /// Does work in which each question is given up after so many conflicts.
    fn with_limit<T>(&mut self, conflicts: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        self.blaster.solver.set_conflict_limit(Some(conflicts));
        let done = work(self);
        self.blaster.solver.set_conflict_limit(None);
        done
    }
}
