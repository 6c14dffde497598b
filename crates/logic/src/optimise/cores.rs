//! From below, by unsatisfiable cores: OLL with strata, hardening and delayed counters.
//!
//! Assume of every price that it is not paid. While that is unsatisfiable, the core says that at least one of its
//! literals is paid: the lower bound rises by the least weight in the core, each literal's weight falls by as much, and
//! the rest of the core's freedom is kept by a counter: "two of them are paid" becomes a price of its own, of the same
//! weight, and when that one falls into a core, "three of them" (OLL, Andres et al. 2012, Morgado et al. 2014). When all
//! prices left can be avoided together, the model found costs exactly the lower bound.
//!
//! What makes it work on weights of all sizes:
//! - strata (Ansótegui et al. 2012): only prices of at least a threshold are assumed, and the threshold falls when
//!   those can all be avoided; each stratum ends with a model, so the upper bound falls too;
//! - hardening (ibid.): a price no less than the gap between the bounds cannot be paid by a better model, so it is
//!   forbidden, under a selector that is switched off in the end;
//! - weight-aware extraction (Berg and Järvisalo, *Weight-aware core extraction in SAT-based MaxSAT solving*, CP 2017):
//!   the counters of the cores found are made only when no core is left among the weights that remain, so that the
//!   cores of a round do not touch each other's counters;
//! - small cores, where questions are hard: a core is asked for again while it shrinks, then literals are left out one
//!   by one within a few conflicts; a new counter is raised while the solver shows quickly that more of its inputs are
//!   paid (exhaustion: Ignatiev, Morgado, Marques-Silva, *RC2*, JSAT 2019).

use super::search::{Probe, Search, Turn};
use super::totalizer::Totalizer;
use crate::hash::FxBuild;
use crate::sat::{Lit, Outcome};
use std::collections::{BTreeMap, HashMap};

/// The state between turns.
pub(super) struct Cores {
    /// The prices left, original and of counters. With `lower`, they say what a model costs.
    weights: BTreeMap<Lit, u128>,
    lower: u128,
    counters: Vec<Totalizer>,
    /// Of an output in use: its counter, and how many inputs it counts.
    outputs: HashMap<Lit, (usize, usize), FxBuild>,
    /// Cores whose counters are not made yet, and outputs to be followed by the next of their counter; with weights.
    delayed: Vec<(Vec<Lit>, u128)>,
    delayed_next: Vec<(usize, usize, u128)>,
    /// Prices below this are not assumed yet.
    threshold: u128,
    /// Forbids what is hardened.
    selector: Option<Lit>,
}

impl Cores {
    pub(super) fn new(search: &Search) -> Cores {
        let weights: BTreeMap<Lit, u128> = search.prices.weights.iter().copied().collect();
        let mut cores = Cores {
            weights,
            lower: search.prices.constant,
            counters: Vec::new(),
            outputs: HashMap::default(),
            delayed: Vec::new(),
            delayed_next: Vec::new(),
            threshold: u128::MAX,
            selector: None,
        };
        cores.lower_threshold();
        cores
    }

    pub(super) fn run(&mut self, search: &mut Search) -> Turn {
        while !search.closed() {
            self.harden(search);
            let assumptions = self.assumptions();
            match search.solve(&assumptions) {
                Outcome::Sat => {
                    if self.delayed.is_empty() && self.delayed_next.is_empty() {
                        if self.threshold <= 1 || !self.lower_threshold() {
                            search.raise_lower(self.lower);
                            debug_assert!(search.closed(), "a model that pays nothing costs the lower bound");
                            return Turn::Closed;
                        }
                    } else {
                        self.make_counters(search);
                    }
                }
                Outcome::Unsat => {
                    let core = self.core(search);
                    if core.is_empty() {
                        // Only what a better model cannot pay is forbidden.
                        search.close();
                        return Turn::Closed;
                    }
                    let core = self.minimise(search, core);
                    search.learn_core();
                    self.relax(core);
                    search.raise_lower(self.lower);
                }
                Outcome::Interrupted => return Turn::Over,
            }
        }
        Turn::Closed
    }

    /// The prices of the stratum, the heaviest first, as not paid.
    fn assumptions(&self) -> Vec<Lit> {
        let mut active: Vec<(Lit, u128)> = self.weights.iter().map(|(&lit, &weight)| (lit, weight)).collect();
        active.retain(|&(_, weight)| weight >= self.threshold);
        active.sort_by_key(|&(lit, weight)| (std::cmp::Reverse(weight), lit.variable()));
        self.selector.into_iter().chain(active.into_iter().map(|(lit, _)| !lit)).collect()
    }

    /// The prices in the solver's core.
    fn core(&self, search: &Search) -> Vec<Lit> {
        search.core.iter().map(|&lit| !lit).filter(|lit| self.weights.contains_key(lit)).collect()
    }

    /// A smaller core, if it is quickly found.
    fn minimise(&self, search: &mut Search, mut core: Vec<Lit>) -> Vec<Lit> {
        let ask = |search: &mut Search, core: &[Lit]| {
            let assumptions: Vec<Lit> = self.selector.into_iter().chain(core.iter().map(|&lit| !lit)).collect();
            search.probe(&assumptions)
        };
        for _ in 0..3 {
            if core.len() <= 1 {
                return core;
            }
            core.reverse();
            if ask(search, &core) != Probe::Unsat {
                break;
            }
            let smaller = self.core(search);
            let shrunk = smaller.len() < core.len();
            core = smaller;
            if !shrunk {
                break;
            }
        }
        // The lightest first: they limit what the core is worth.
        core.sort_by_key(|lit| (self.weights[lit], lit.variable()));
        let mut i = 0;
        while i < core.len() && core.len() > 1 {
            let mut fewer = core.clone();
            fewer.remove(i);
            match ask(search, &fewer) {
                Probe::Unsat => {
                    let found = self.core(search);
                    i = fewer[..i].iter().filter(|lit| found.contains(lit)).count();
                    fewer.retain(|lit| found.contains(lit));
                    core = fewer;
                }
                Probe::Shallow => i += 1,
                Probe::Hard => break,
            }
        }
        core
    }

    /// One literal of the core is paid.
    fn relax(&mut self, core: Vec<Lit>) {
        let Some(weight) = core.iter().map(|lit| self.weights[lit]).min() else { return };
        self.lower += weight;
        for lit in &core {
            let left = self.weights[lit] - weight;
            if left == 0 {
                self.weights.remove(lit);
            } else {
                self.weights.insert(*lit, left);
            }
            if let Some(&(counter, count)) = self.outputs.get(lit) {
                self.delayed_next.push((counter, count + 1, weight));
            }
        }
        if core.len() > 1 {
            self.delayed.push((core, weight));
        }
    }

    /// Make what is delayed, and raise new counters as far as is quickly shown.
    fn make_counters(&mut self, search: &mut Search) {
        for (counter, count, weight) in std::mem::take(&mut self.delayed_next) {
            self.price_output(search, counter, count, weight);
        }
        for (core, weight) in std::mem::take(&mut self.delayed) {
            let mut counter = Totalizer::new(&core);
            let mut count = 2;
            while count <= core.len() {
                let more = counter.at_least(search.solver, count);
                let assumptions: Vec<Lit> = self.selector.into_iter().chain([!more]).collect();
                if search.probe(&assumptions) != Probe::Unsat {
                    break;
                }
                search.learn_core();
                self.lower += weight;
                count += 1;
            }
            self.counters.push(counter);
            self.price_output(search, self.counters.len() - 1, count, weight);
        }
        search.raise_lower(self.lower);
    }

    fn price_output(&mut self, search: &mut Search, counter: usize, count: usize, weight: u128) {
        if count <= self.counters[counter].inputs() {
            let output = self.counters[counter].at_least(search.solver, count);
            search.solver.set_phase(!output);
            self.outputs.insert(output, (counter, count));
            *self.weights.entry(output).or_default() += weight;
        }
    }

    /// Take in the next lower weights: those down to the first weight that enough others share (the diversity of
    /// Ansótegui, Bonet, Gabàs, Levy, CP 2012). False if there is none.
    fn lower_threshold(&mut self) -> bool {
        let mut weights: Vec<u128> = self.weights.values().copied().collect();
        weights.sort_unstable_by_key(|&weight| std::cmp::Reverse(weight));
        let (mut seen, mut distinct) = (0, 0);
        let mut next = None;
        for group in weights.chunk_by(|a, b| a == b) {
            seen += group.len();
            distinct += 1;
            if group[0] < self.threshold {
                next = Some(group[0]);
                if seen * 4 > distinct * 5 {
                    break;
                }
            }
        }
        self.threshold = next.unwrap_or(1);
        next.is_some()
    }

    /// Forbid what a better model cannot pay.
    fn harden(&mut self, search: &mut Search) {
        let Some(gap) = search.upper().map(|upper| upper.saturating_sub(self.lower)) else { return };
        let heavy: Vec<Lit> = self.weights.iter().filter(|&(_, &weight)| weight >= gap).map(|(&lit, _)| lit).collect();
        for lit in heavy {
            let selector = *self.selector.get_or_insert_with(|| search.solver.new_var());
            search.solver.add_clause(&[!selector, !lit]);
            self.weights.remove(&lit);
        }
    }

    /// Switch off what only this search may assume, and leave no preference behind.
    pub(super) fn retire(self, search: &mut Search) {
        if let Some(selector) = self.selector {
            search.solver.add_clause(&[!selector]);
        }
        #[expect(clippy::iter_over_hash_type, reason = "each is cleared by itself")]
        for &output in self.outputs.keys() {
            search.solver.clear_phase(output);
        }
    }
}
