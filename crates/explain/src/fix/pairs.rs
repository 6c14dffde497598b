//! Two edits where one does not do.
//!
//! Each edit is executed alone on the failing runs first. Pairs that between them already pass all of these come first: faults on different
//! ways are mended one by one. Then come pairs of edits that do something there, cheapest first, on lines of which other values may
//! save every failing run ([`super::places`]). Of edits on a line that do the same on all failing runs one stands for the others, until all those
//! are through. A fixed number of pairs is executed.

use std::collections::{HashMap, HashSet};

use nearmiss_program::c::edit::{Edit, Editable};
use nearmiss_program::interp::Interpreter;
use nearmiss_program::program::{self, FunctionId};
use nearmiss_program::source::Sources;

use super::places::Places;
use super::runs::{Effect, MOST_TOLD_APART, OnFailing, Runs};
use super::{BATCH, FixOptions, Survivor, line};
use crate::explanation::TriedPairs;
use crate::method::rescue::Line;

/// Of more edits only those are paired that stand for others and do something on failing runs.
const MOST_PAIRED: usize = 1_000;
/// So many pairs are judged in one go at most.
const MOST_SURVIVORS: usize = 300;
/// After so many executed pairs, those that passed are judged before more are executed.
const IN_ONE_GO: usize = 4_000;

/// What the search is about.
pub(super) struct Scene<'a> {
    pub(super) original: &'a program::Program,
    pub(super) editable: &'a Editable,
    pub(super) sources: &'a Sources,
    pub(super) options: &'a FixOptions,
}

/// Two edits, by their numbers. The first of these pairs are tried first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Pair {
    stage: u8,
    cost: u32,
    edits: [u32; 2],
}

/// The pairs that are left to be executed.
pub(super) struct Search<'a> {
    scene: Scene<'a>,
    edits: &'a [Edit],
    /// The line whose values an edit changes.
    places: Vec<Option<Line>>,
    /// In order, the first one last.
    left: Vec<Pair>,
    /// Whether all pairs are among them.
    all: bool,
    pub(super) tried: TriedPairs,
}

impl<'a> Search<'a> {
    /// Executes each edit alone, and puts pairs in order.
    pub(super) fn new(scene: Scene<'a>, edits: &'a [Edit], places: &Places, runs: &Runs) -> Search<'a> {
        let alone = scene.alone(edits, runs);
        let places = edits.iter().map(|edit| places.of_edit(edit, scene.sources)).collect();
        let mut search = Search { scene, edits, places, left: Vec::new(), all: true, tried: TriedPairs::default() };
        search.order(&alone, runs);
        search
    }

    fn order(&mut self, alone: &[Option<OnFailing>], runs: &Runs) {
        let Scene { original, sources, .. } = self.scene;
        let every = runs.failing().len().min(MOST_TOLD_APART);
        let all_runs = u64::MAX >> (64 - every.clamp(1, 64));
        let idle = runs.on_failing(&Interpreter::new(original), &runs.prepared(original));
        let executed = runs.executed_by_each(original, sources);
        let lines: Vec<Line> = self.edits.iter().map(|edit| line(sources, edit.text.span)).collect();
        let come: Vec<u64> = (self.edits.iter().zip(&lines))
            .map(|(edit, line)| {
                let comes = |lines: &HashSet<Line>| edit.is_outside_functions() || lines.contains(line);
                let bits = executed.iter().take(MOST_TOLD_APART).enumerate();
                bits.fold(0, |bits, (at, lines)| bits | u64::from(comes(lines)) << at)
            })
            .collect();
        let mut by_cost: Vec<usize> = (0..self.edits.len()).filter(|at| alone[*at].is_some()).collect();
        by_cost.sort_by_key(|at| (self.edits[*at].cost, *at));
        let mut seen = HashSet::new();
        let mut first = vec![false; self.edits.len()];
        for at in &by_cost {
            let OnFailing { passes, does } = alone[*at].unwrap_or_default();
            first[*at] = does != idle.does && seen.insert((lines[*at], passes, does));
        }
        let passes = |at: usize| alone[at].unwrap_or_default().passes;
        self.all = by_cost.len() <= MOST_PAIRED && by_cost.len() == self.edits.len();
        for (number, a) in by_cost.iter().copied().enumerate() {
            for b in by_cost[number + 1..].iter().copied() {
                let (one, two) = (passes(a), passes(b));
                let stage = match first[a] && first[b] {
                    _ if one | two == all_runs && one != 0 && two != 0 => 0,
                    true if one | two != 0 => 1,
                    true => 2,
                    false if by_cost.len() > MOST_PAIRED => continue,
                    false => 3,
                };
                if come[a] | come[b] == all_runs && self.edits[a].goes_with(&self.edits[b]) {
                    let cost = self.edits[a].cost + self.edits[b].cost;
                    self.left.push(Pair { stage, cost, edits: [a as u32, b as u32] });
                }
            }
        }
        self.left.sort_unstable_by(|a, b| b.cmp(a));
        self.tried.candidates = self.left.len();
    }

    /// Pairs of the next stage that no run speaks against; none when there is nothing left to try.
    pub(super) fn stage(&mut self, places: &mut Places, runs: &Runs) -> Option<Vec<Survivor<'a>>> {
        let stage = self.left.last()?.stage;
        let (mut found, before) = (Vec::new(), self.tried.executed);
        while (found.is_empty() || self.tried.executed < before + IN_ONE_GO)
            && self.left.last().is_some_and(|pair| pair.stage == stage)
        {
            let room = self.scene.options.most_pairs - self.tried.executed;
            if room == 0 || self.scene.options.check.stop.requested() {
                self.left.clear();
                break;
            }
            let mut batch = Vec::new();
            while batch.len() < BATCH.min(room)
                && let Some(pair) = self.left.pop_if(|pair| pair.stage == stage)
            {
                match pair.edits.map(|at| self.places[at as usize]) {
                    [Some(one), Some(two)] if !places.may_save(&[one, two]) => self.tried.ruled_out += 1,
                    _ => batch.push(pair.edits.map(|at| &self.edits[at as usize])),
                }
            }
            self.tried.executed += batch.len();
            found.extend(self.scene.survivors(&batch, runs));
        }
        found.sort_by_key(|(pair, effect)| {
            (effect.loss, effect.changed, pair[0].cost + pair[1].cost, pair[0].text.new.len() + pair[1].text.new.len())
        });
        self.all &= found.len() <= MOST_SURVIVORS;
        found.truncate(MOST_SURVIVORS);
        let TriedPairs { candidates, executed, ruled_out, .. } = self.tried;
        self.tried.complete = self.all && executed + ruled_out == candidates;
        let survivor = |(pair, effect): ([&'a Edit; 2], Effect)| Survivor::new(pair.to_vec(), runs.len(), effect);
        Some(found.into_iter().map(survivor).collect())
    }
}

impl Scene<'_> {
    /// What each edit alone does on the failing runs; none where it cannot be made.
    fn alone(&self, edits: &[Edit], runs: &Runs) -> Vec<Option<OnFailing>> {
        let mut alone = vec![None; edits.len()];
        let numbers: Vec<usize> = (0..edits.len()).collect();
        for batch in numbers.chunks(BATCH) {
            let sets: Vec<Vec<&Edit>> = batch.iter().map(|at| vec![&edits[*at]]).collect();
            self.execute(&sets, runs, &mut |set, interpreter, prepared| {
                alone[batch[set]] = Some(runs.on_failing(interpreter, prepared));
            });
        }
        alone
    }

    /// Of some pairs those that no run speaks against, each with what it does to all runs.
    fn survivors<'e>(&self, pairs: &[[&'e Edit; 2]], runs: &Runs) -> Vec<([&'e Edit; 2], Effect)> {
        let sets: Vec<Vec<&Edit>> = pairs.iter().map(|pair| pair.to_vec()).collect();
        let (mut found, mut killer) = (Vec::new(), 0);
        self.execute(&sets, runs, &mut |set, interpreter, prepared| {
            // What spoke against the last one probably speaks against this one.
            let mut changed = 0;
            let order = std::iter::once(killer).chain((0..runs.len()).filter(|index| *index != killer));
            for index in order {
                match runs.does_other(interpreter, prepared, index).0 {
                    Some(does_other) => changed += usize::from(does_other),
                    None => {
                        killer = index;
                        return;
                    }
                }
            }
            let loss = runs.loss_in(interpreter, prepared, &pairs[set].map(|edit| edit.text.span));
            found.push((pairs[set], Effect { changed, loss }));
        });
        found
    }

    /// Makes sets of edits, and shows each with the program that it makes; those that cannot be made are left out.
    fn execute(
        &self,
        sets: &[Vec<&Edit>],
        runs: &Runs,
        show: &mut dyn FnMut(usize, &Interpreter, &super::runs::Prepared),
    ) {
        let mut alone = Vec::new();
        let mut functions = Functions::default();
        for (set, edits) in sets.iter().enumerate() {
            match edits.iter().all(|edit| self.editable.goes_together(edit)) {
                true => functions.add(set, edits),
                false => alone.push(set),
            }
        }
        match self.editable.together(&functions.sets, self.sources) {
            Ok(together) => {
                let narrowed = runs.named.narrowed(&together.program);
                let program = narrowed.as_ref().unwrap_or(&together.program);
                let prepared = runs.prepared(program);
                let mut interpreter = Interpreter::new(program);
                for (set, used) in &functions.used {
                    let instead: Vec<(FunctionId, FunctionId)> =
                        used.iter().flat_map(|at| together.instead[*at].clone()).collect();
                    interpreter.enter_instead(&instead);
                    show(*set, &interpreter, &prepared);
                }
            }
            Err(_) => alone = (0..sets.len()).collect(),
        }
        for set in alone {
            let Ok(lowered) = self.editable.lowered(&sets[set], self.sources) else { continue };
            let narrowed = runs.named.narrowed(&lowered);
            let program = narrowed.as_ref().unwrap_or(&lowered);
            show(set, &Interpreter::new(program), &runs.prepared(program));
        }
    }
}

/// The edited functions that sets of edits need.
#[derive(Default)]
struct Functions<'e> {
    sets: Vec<Vec<&'e Edit>>,
    known: HashMap<*const Edit, usize>,
    /// For each set its functions.
    used: Vec<(usize, Vec<usize>)>,
}

impl<'e> Functions<'e> {
    fn add(&mut self, set: usize, edits: &[&'e Edit]) {
        let used = match edits {
            [one, two] if one.is_beside(two) => vec![self.push(edits.to_vec())],
            _ => edits.iter().map(|edit| self.single(edit)).collect(),
        };
        self.used.push((set, used));
    }

    fn push(&mut self, edits: Vec<&'e Edit>) -> usize {
        self.sets.push(edits);
        self.sets.len() - 1
    }

    /// One edited function is enough for all pairs that it is in.
    fn single(&mut self, edit: &'e Edit) -> usize {
        let key = std::ptr::from_ref(edit);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let at = self.push(vec![edit]);
        self.known.insert(key, at);
        at
    }
}
