//! Several edits for failing tests, one after another: first those with which some test prints more of what is expected and none less, then the
//! same again from there.
//!
//! What a test prints has an order, so a program with two slips mostly gets further with one of them mended. The best few sets are kept (a
//! beam search); all edits are tried beside each of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use nearmiss_program::c::edit::{Edit, Editable, Wanted};
use nearmiss_program::c::trial;
use nearmiss_program::interp::{Interpreter, Recording};
use nearmiss_program::source::{FileId, Sources};

use super::judge::Judge;
use super::pointing::Place;
use super::runs::{Effect, Runs};
use super::{BATCH, Mended, Survivor, is_wanted, line};
use crate::explain::matches_pattern;
use crate::explanation::Fixes;

/// So many edits a set has at most.
const MOST_EDITS: usize = 3;
/// So many sets are kept, and so many of them that begin on the same line.
const BEAM: usize = 8;
const BEAM_OF_LINE: usize = 2;
/// So many steps are executed.
const MOST_STEPS: u64 = 30_000_000;

/// How far each failing test comes.
type Reached = Vec<u64>;

/// Edits with which tests get further.
struct Step<'e> {
    edits: Vec<&'e Edit>,
    reached: Reached,
}

impl Judge<'_> {
    /// Looks for sets of edits with which all tests pass.
    pub(super) fn further(&self, runs: &mut Runs, found: &mut Fixes, mended: &mut Vec<Mended>) {
        let (editable, sources, options) = (self.editable, self.sources, self.prover.options);
        let trusted = |name: &str| options.trust.iter().any(|pattern| matches_pattern(pattern, name));
        let mut every = editable.edits(sources, &Wanted { trusted: &trusted, lines: None, longer: false });
        every.retain(|edit| editable.goes_together(edit) && is_wanted(sources, options, edit.text.span));
        every.sort_by_key(|edit| edit.cost);
        let nothing = [Vec::new()];
        let mut left = MOST_STEPS;
        let Some(reached) = reached_by(editable, &nothing, runs, sources, &mut left).pop().flatten() else {
            return;
        };
        let mut beam = vec![Step { edits: Vec::new(), reached }];
        for _ in 0..MOST_EDITS {
            let mut next: Vec<Step> = Vec::new();
            let mut whole: Vec<Survivor> = Vec::new();
            for step in &beam {
                let lines = self.lines_of_failing(step, runs);
                let fits = |edit: &&Edit| {
                    let here = line(sources, edit.text.span);
                    let ordered = step.edits.iter().all(|other| edit.goes_with(other));
                    ordered && (lines.contains(&here) || edit.is_outside_functions())
                };
                let sets: Vec<Vec<&Edit>> =
                    every.iter().filter(fits).map(|edit| [&step.edits[..], &[edit]].concat()).collect();
                for sets in sets.chunks(BATCH) {
                    if left == 0 || options.check.stop.requested() {
                        return;
                    }
                    for (edits, to) in sets.iter().zip(reached_by(editable, sets, runs, sources, &mut left)) {
                        let Some(to) = to else { continue };
                        let is_further =
                            to.iter().zip(&step.reached).all(|(new, old)| new >= old) && to != step.reached;
                        let passes = to.iter().all(|reached| *reached == u64::MAX);
                        if passes && edits.len() > 1 {
                            whole.push(Survivor::new(edits.clone(), 0, Effect::default()));
                        } else if is_further {
                            next.push(Step { edits: edits.clone(), reached: to });
                        }
                    }
                }
            }
            whole.sort_by_key(|survivor| survivor.edits.iter().map(|edit| edit.cost).sum::<u32>());
            self.survivors(whole, runs, found, mended);
            if !found.found.is_empty() {
                return;
            }
            beam = self.best(next);
        }
    }

    /// Where edits make some failing tests pass and no passing one fail, each line once.
    pub(super) fn mends(&self, edits: &[&Edit], runs: &Runs) -> Vec<(Place, usize)> {
        let mut best: BTreeMap<(FileId, u32), (Place, usize)> = BTreeMap::new();
        let options = self.prover.options;
        for edits in edits[..edits.len().min(options.most_executed)].chunks(BATCH) {
            if options.check.stop.requested() {
                break;
            }
            for (edit, saved) in runs.saving(self.editable, edits, self.sources) {
                let place = Place { span: edit.text.span, function: self.function(edit) };
                let entry = best.entry(line(self.sources, place.span)).or_insert((place, 0));
                if saved > entry.1 {
                    *entry = (place, saved);
                }
            }
        }
        let mut all: Vec<_> = best.into_values().collect();
        all.sort_by_key(|(place, saved)| (Reverse(*saved), place.span));
        all
    }

    /// The sets that get the furthest.
    fn best<'e>(&self, mut all: Vec<Step<'e>>) -> Vec<Step<'e>> {
        let passing = |step: &Step| step.reached.iter().filter(|reached| **reached == u64::MAX).count();
        let printed = |step: &Step| step.reached.iter().map(|reached| (*reached).min(1 << 32)).sum::<u64>();
        let cost = |step: &Step| step.edits.iter().map(|edit| edit.cost).sum::<u32>();
        all.sort_by_key(|step| (Reverse(passing(step)), Reverse(printed(step)), cost(step)));
        let mut kept: Vec<Step> = Vec::new();
        for step in all {
            let of = |step: &Step| step.edits.last().map(|edit| line(self.sources, edit.text.span));
            if kept.iter().filter(|other| of(other) == of(&step)).count() < BEAM_OF_LINE {
                kept.push(step);
            }
            if kept.len() == BEAM {
                break;
            }
        }
        kept
    }

    /// The lines that all tests execute that still fail with some edits.
    fn lines_of_failing(&self, step: &Step, runs: &Runs) -> HashSet<(FileId, u32)> {
        let program = self.editable.lowered(&step.edits, self.sources);
        let Ok(program) = program else { return HashSet::new() };
        let lines = runs.executed_by_each(&program, self.sources).into_iter().zip(&step.reached);
        let lines = lines.filter(|(_, reached)| **reached != u64::MAX).map(|(lines, _)| lines);
        lines.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default()
    }
}

/// How far tests come with each set of edits; none for sets with which a test fails that passed, and where no steps are left.
fn reached_by(
    editable: &Editable,
    sets: &[Vec<&Edit>],
    runs: &Runs,
    sources: &Sources,
    left: &mut u64,
) -> Vec<Option<Reached>> {
    let Ok(together) = editable.together(sets, sources) else { return vec![None; sets.len()] };
    let program = &together.program;
    let prepared = runs.prepared(program);
    let mut interpreter = Interpreter::new(program);
    let mut all = Vec::new();
    for instead in together.instead {
        if *left == 0 {
            all.push(None);
            continue;
        }
        interpreter.enter_instead(&instead);
        let mut reached = Vec::new();
        let mut breaks = false;
        for number in 0..runs.len() {
            let (execution, passes) = runs.execute(&interpreter, &prepared, number, Recording::Outcome);
            *left = left.saturating_sub(execution.steps);
            if runs.fails(number) {
                let printed = execution.global(program, trial::REACHED).unwrap_or(0) as u64;
                reached.push(if passes { u64::MAX } else { printed });
            } else if !passes {
                breaks = true;
                break;
            }
        }
        all.push((!breaks).then_some(reached));
    }
    all
}
