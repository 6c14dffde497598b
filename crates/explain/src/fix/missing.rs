//! Conditions that are missing, and stand nowhere in the program: for each gap that could rescue the failing runs the conditions that fit
//! what is seen there. A run that a condition still fails on tells more of it, and the search goes on.

use std::collections::HashSet;

use nearmiss_program::c::edit::{Edit, TextEdit};
use nearmiss_program::source::FileId;

use super::angel::Angel;
use super::conditions::fitting;
use super::judge::Judge;
use super::runs::{Effect, Runs};
use super::{BATCH, FixOptions, Mended, Survivor, is_wanted, line, price};
use crate::explain::matches_pattern;
use crate::explanation::Fixes;

/// So many times what was learnt leads to other conditions.
const ROUNDS: usize = 4;
/// So many gaps have their conditions looked for.
const MOST_GAPS: usize = 160;
/// So many conditions of a round are judged.
const MOST_JUDGED: usize = 10;
/// So many of one gap.
const MOST_OF_GAP: usize = 3;
/// So many conditions of a gap are executed in a round.
const MOST_OF_ROUND: usize = 16;
/// So much is spent on a proof.
const MOST_CONFLICTS: u64 = 20_000;
/// So many fixes of this kind are enough.
const ENOUGH: usize = 3;

impl Judge<'_> {
    /// Looks for fixes that add a condition which the program does not have.
    pub(super) fn missing(
        &self,
        executed: &HashSet<(FileId, u32)>,
        runs: &mut Runs,
        found: &mut Fixes,
        mended: &mut Vec<Mended>,
    ) {
        let (options, sources, editable) = (self.prover.options, self.sources, self.editable);
        let trusted = |name: &str| options.trust.iter().any(|pattern| matches_pattern(pattern, name));
        let Some(gaps) = editable.gaps(sources, &trusted) else { return };
        let scripted = editable.scripted();
        let stop = &options.check.stop;
        let mut angel = Angel { editable: &scripted, gaps: &gaps, sources, executed: 0, steps: 0, stop };
        let all = (0..gaps.gaps.len()).filter(|gap| {
            let span = gaps.gaps[*gap].span;
            executed.contains(&line(sources, span)) && is_wanted(sources, options, span)
        });
        let most_of_proof = MOST_CONFLICTS.min(options.most_of_proof);
        let before = found.found.len();
        let narrow = FixOptions { most_of_proof, enough: before + ENOUGH.min(options.enough), ..options.clone() };
        let judge = self.within(&narrow);
        let mut alive: Vec<usize> = all.collect();
        alive.sort_by_key(|gap| gaps.gaps[*gap].cost);
        let mut judged: HashSet<TextEdit> = HashSet::new();
        for _ in 0..ROUNDS {
            if options.check.stop.requested() {
                break;
            }
            let known = runs.len();
            let mut rescuing = angel.rescuing(&alive, runs, options.most_executed * 2);
            rescuing.truncate(MOST_GAPS);
            alive = rescuing.iter().map(|(gap, _)| *gap).collect();
            let mut edits: Vec<(usize, Edit)> = Vec::new();
            for (gap, seen) in angel.look(&rescuing, runs) {
                let of = &gaps.gaps[gap];
                let mut left = MOST_OF_ROUND;
                for fitting in fitting(&seen, &gaps.terms[of.terms], &gaps.numbers) {
                    let turned = fitting.condition.opposite();
                    let condition = if of.neutral { turned } else { fitting.condition };
                    let Some(mut edit) = gaps.filled(of, &condition) else { continue };
                    edit.cost += fitting.cost;
                    if left > 0 && !judged.contains(&edit.text) {
                        left -= 1;
                        edits.push((gap, edit));
                    }
                }
            }
            found.candidates += edits.len();
            found.executed += edits.len();
            let mut survivors = self.first(&edits, runs);
            found.aside += runs.set_aside(&mut survivors, options);
            judged.extend(survivors.iter().map(|survivor| survivor.edits[0].text.clone()));
            judge.survivors(survivors, runs, found, mended);
            if found.found.len() > before || runs.len() == known || alive.is_empty() {
                break;
            }
        }
    }

    /// The best few edits that no run speaks against.
    fn first<'e>(&self, edits: &'e [(usize, Edit)], runs: &Runs) -> Vec<Survivor<'e>> {
        let mut left: Vec<(usize, &Edit, Effect)> = Vec::new();
        for batch in edits.chunks(BATCH) {
            let those: Vec<&Edit> = batch.iter().map(|(_, edit)| edit).collect();
            for (edit, effect) in runs.survivors(self.editable, &those, self.sources, u64::MAX).found {
                let gap = batch.iter().find(|(_, other)| std::ptr::eq(other, edit)).map_or(0, |(gap, _)| *gap);
                left.push((gap, edit, effect));
            }
        }
        // Here what is short is likelier than what changes little.
        left.sort_by_key(|(_, edit, effect)| (price(edit.cost, *effect, 1), edit.text.span.start, edit.text.new.len()));
        let (mut survivors, mut of_gap) = (Vec::new(), std::collections::HashMap::new());
        for (gap, edit, effect) in left {
            let count: &mut usize = of_gap.entry(gap).or_default();
            *count += 1;
            if *count > MOST_OF_GAP || survivors.len() == MOST_JUDGED {
                continue;
            }
            survivors.push(Survivor::new(vec![edit], runs.len(), effect));
        }
        survivors
    }
}
