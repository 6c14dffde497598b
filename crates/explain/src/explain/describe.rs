//! The passing run in words: where it differs from the failing one, and what was kept.
//!
//! Nothing is told of a run before it was executed, and before the distance was counted again by code that shares
//! nothing with the search.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use nearmiss_logic::term::Term;

use super::deepen::Depth;
use super::{Failure, Scene, Wanted, Way};
use crate::check::CheckError;
use crate::compared::Counted;
use crate::equation::{Step, StepKind};
use crate::execution::Execution;
use crate::explanation::{Delta, DeltaKind, Executed, KeptWhen, Listing, Nearest, named_inputs};
use crate::method::align;
use crate::method::align::sequence::Sequence;
use crate::method::delta::{self, Differences};
use crate::method::nearest::{Answer, NearestRun, Question, Search};
use crate::method::route::{InClaim, Kept};
use crate::method::wording::Wording;
use crate::recheck;
use nearmiss_program::program::{Assumption, AssumptionOrigin, Program, Type, TypeId};
use nearmiss_program::run::Run;
use nearmiss_program::show::at_moment;

impl Failure<'_> {
    /// The passing run, once it has been executed and compared.
    pub(super) fn describe(
        &self,
        scene: &mut Scene,
        found: &NearestRun,
        demands: &[Term],
        depth: Depth,
    ) -> Result<Nearest, CheckError> {
        let run = recheck::passes(self.program, &found.inputs).map_err(CheckError::Internal)?;
        self.recheck_predicates(scene, found)?;
        let deltas = self.differences(scene, &found.execution).deltas;
        let counted = match &scene.aligned {
            None => {
                let runs = [&scene.failing, &found.execution];
                let again = recheck::distance(&scene.equation, &scene.counted, runs);
                again..=again
            }
            Some(sequence) => self.counted_again(scene, sequence, found, &run)?,
        };
        if !counted.contains(&found.distance) {
            return Err(CheckError::Internal(format!(
                "the nearest passing run should be at distance {}, but it is at {}",
                found.distance,
                counted.start()
            )));
        }
        let runs = [&scene.failing, &found.execution];
        let is_further = |counted: &&Counted| {
            let is_different = delta::is_different(&scene.equation, counted, runs);
            is_different && delta::is_of_further_turn(&scene.equation, counted, runs)
        };
        let further = match &scene.aligned {
            None => scene.counted.iter().filter(is_further).count() as u64,
            Some(_) => 0,
        };
        let all = (self.options.nearest_all == Wanted::Yes).then(|| self.every_nearest(scene, found, demands));
        let distance = found.distance;
        let lower_bound = found.lower_bound.min(match depth {
            Depth::Settled | Depth::Given => u64::MAX,
            Depth::Open(known) => known,
        });
        Ok(Nearest {
            distance,
            lower_bound,
            proved_minimal: found.proved && lower_bound == distance,
            metric: self.options.metric,
            weights: scene.aligned.as_ref().map(|sequence| sequence.weights),
            named: named_inputs(&run),
            inputs: found.inputs.clone(),
            run,
            deltas,
            unwind: scene.equation.unwind,
            deeper: further,
            all,
        })
    }

    /// The distance by alignment of the runs as the interpreter shows them.
    fn counted_again(
        &self,
        scene: &Scene,
        sequence: &Sequence,
        found: &NearestRun,
        run: &Run,
    ) -> Result<RangeInclusive<u64>, CheckError> {
        let places = sequence.places(&scene.equation, &found.execution);
        let told = [&sequence.failing_places, &places].map(|places| sequence.told(places));
        let claims = |id| self.is_compared(id);
        let observed = self.described.map(|described| {
            let predicates = described.predicates.iter();
            let predicates = predicates.map(|predicate| (predicate.watched.clone(), predicate.places.clone()));
            let inputs = [self.inputs, &found.inputs];
            recheck::predicate::Observed { predicates: predicates.collect(), inputs, told }
        });
        let runs = recheck::align::Runs { runs: [self.run, run], observed: observed.as_ref() };
        recheck::align::distance(self.program, &runs, places.len(), &claims, &sequence.weights)
            .map_err(CheckError::Internal)
    }

    /// The differences of every nearest run, each set once.
    pub(super) fn every_nearest(&self, scene: &mut Scene, found: &NearestRun, demands: &[Term]) -> Listing {
        let Scene { equation, failing, counted, aligned, .. } = scene;
        let (program, aligned, kept, stop) = (self.program, aligned.as_ref(), demands.to_vec(), &self.stop);
        let conflicts = self.conflicts;
        let question = Question { program, equation, failing, counted, aligned, kept, conflicts, proof: None, stop };
        let mut search = Search::new(question);
        let (runs, complete) = search.all(found.distance);
        let executed = |run: &NearestRun| -> Vec<Delta> {
            let deltas = self.differences(scene, &run.execution).deltas;
            deltas.into_iter().filter(|delta| delta.executed != Executed::Neither).collect()
        };
        let mut seen = HashSet::new();
        let what = |delta: &Delta| (delta.kind as u8, delta.name.clone(), delta.steps);
        let mut is_new = |set: &Vec<Delta>| seen.insert(set.iter().map(what).collect::<Vec<_>>());
        let sets = std::iter::once(found).chain(&runs).map(executed).filter(|set| is_new(set)).collect();
        Listing { sets, complete }
    }

    /// The differences between the failing run and a passing one.
    pub(super) fn differences(&self, scene: &Scene, passing: &Execution) -> Differences {
        let Scene { equation, counted, failing, .. } = scene;
        let mut differences = match &scene.aligned {
            None => self.numbered(scene, passing, delta::differences(equation, counted, failing, passing)),
            Some(sequence) => {
                align::delta::differences(self.program, equation, sequence, [failing, passing]).differences
            }
        };
        let is_pointer = |ty: TypeId| matches!(self.program.ty(ty), Type::Pointer { .. });
        if differences.deltas.iter().any(|delta| is_pointer(delta.ty)) {
            let numbers = [failing, passing].map(|run| run.numbers_of_objects(self.program, equation));
            for delta in differences.deltas.iter_mut().filter(|delta| is_pointer(delta.ty)) {
                for (side, numbers) in [&mut delta.failing, &mut delta.passing].into_iter().zip(&numbers) {
                    let (object, offset) = self.program.pointer.decode(*side);
                    *side = numbers.get(&object).map_or(*side, |own| self.program.pointer.encode(*own, offset));
                }
            }
        }
        for (delta, behind) in differences.deltas.iter_mut().zip(&differences.behind) {
            if let ([variable], DeltaKind::Value | DeltaKind::Input) = (&behind[..], delta.kind) {
                let bits = u64::from(equation.terms.width(equation.symbol(*variable)));
                delta.failing = self.program.widened(delta.ty, bits, delta.failing);
                delta.passing = self.program.widened(delta.ty, bits, delta.passing);
            }
        }
        self.name_places(scene, passing, &mut differences);
        for delta in &mut differences.deltas {
            delta.trusted = self.is_trusted(delta.function);
            delta.texts = self.told(delta).or_else(|| delta.texts.take());
        }
        differences
    }

    /// What was kept, in words: the condition of the branch as it is written, or a part of the claim as C would write
    /// it.
    fn assumption(&self, scene: &Scene, kept: &Kept, origin: AssumptionOrigin) -> Assumption {
        let at = kept.branch.unwrap_or(scene.claim);
        let span = scene.equation.steps[kept.branch.or(kept.stands).unwrap_or(scene.claim)].span;
        let written = self.sources.condition(span);
        let trigger = self.program.temporal.as_ref().and_then(|temporal| temporal.trigger.as_ref());
        let text = match scene.equation.steps[at].kind {
            _ if self.is_formula() => trigger.map_or_else(String::new, |trigger| trigger.text.clone()),
            StepKind::Guard { condition, .. } => {
                let holds = scene.failing.evaluator(&scene.equation).holds(condition);
                if holds { written } else { format!("!({written})") }
            }
            _ => match self.part_in_words(scene, kept.term) {
                Some(text) => text,
                None => format!("a part of {}", self.program.claims[self.claim.index()].text),
            },
        };
        Assumption { text, span, origin }
    }

    /// Where a passing run does not keep what the claim may apply under: what holds instead, and whether the claim's text says
    /// that it does not apply there.
    pub(super) fn lapsed(&self, scene: &mut Scene, passing: &Execution) -> (Vec<String>, bool) {
        let parts = scene.routes.applies.iter().filter(|kept| kept.told && kept.in_claim != InClaim::Nothing);
        let lapsed = parts.filter(|kept| !passing.meets(&scene.equation, kept.term));
        let mut lapsed: Vec<Kept> = lapsed.cloned().collect();
        if let Some(at) = lapsed.iter().position(|kept| kept.chooses) {
            lapsed = vec![lapsed.swap_remove(at)];
        }
        let applies_no_more = lapsed.iter().any(|kept| kept.in_claim == InClaim::Applies);
        let instead = |kept: Kept| {
            let otherwise = scene.equation.terms.not(kept.term);
            match kept.branch.map(|branch| &scene.equation.steps[branch]) {
                Some(Step { kind: StepKind::Guard { condition, .. }, span, .. }) => {
                    let written = self.sources.condition(*span);
                    let holds = scene.failing.evaluator(&scene.equation).holds(*condition);
                    Some(if holds { format!("!({written})") } else { written })
                }
                _ => self.part_in_words(scene, otherwise),
            }
        };
        (lapsed.into_iter().filter_map(instead).collect(), applies_no_more)
    }

    /// A part of the claim as C would write it, if it can be.
    fn part_in_words(&self, scene: &Scene, part: Term) -> Option<String> {
        Wording::of(self.program, &scene.equation).calling(numbered_inputs(self.program, scene)).condition(part)
    }

    /// What was kept, each condition once, and when.
    pub(super) fn assumptions(&self, scene: &Scene, way: &Way) -> Vec<(Assumption, KeptWhen)> {
        let passing = match &way.answer {
            Answer::Found(found) => Some(&found.execution),
            _ => None,
        };
        let mut assumptions: Vec<(Assumption, KeptWhen)> = Vec::new();
        for (kept, origin) in way.kept.iter().filter(|(kept, _)| kept.told) {
            let assumption = self.assumption(scene, kept, *origin);
            let when = kept.branch.map_or_else(KeptWhen::default, |branch| kept_when(scene, passing, branch));
            let guessed = kept.in_claim == InClaim::Part;
            let when = KeptWhen { one_of_ways: kept.one_of_ways, guessed, ..when };
            match assumptions.iter_mut().find(|(known, _)| *known == assumption) {
                Some((_, known)) => {
                    known.times.extend(when.times);
                    known.times.sort_unstable();
                    known.times.dedup();
                }
                None => assumptions.push((assumption, when)),
            }
        }
        assumptions
    }
}

/// Inputs that share a name, such as the results of a function that is called several times, by their number in the failing
/// run: `nondet_int() (2nd)`.
fn numbered_inputs(program: &Program, scene: &Scene) -> HashMap<Term, (u32, String)> {
    let Scene { equation, failing, .. } = scene;
    let is_input = |kind: &StepKind| matches!(kind, StepKind::Call { .. } | StepKind::Content { .. });
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let mut inputs = Vec::new();
    for (at, step) in equation.steps.iter().enumerate().filter(|(_, step)| is_input(&step.kind)) {
        if let (true, Some(variable)) = (failing.executed[at], step.kind.variable()) {
            let variable = &equation.variables[variable.0 as usize];
            let count = counts.entry(&*variable.name).or_insert(0);
            *count += 1;
            inputs.push((variable.symbol, &*variable.name, *count));
        }
    }
    let shared = (0..).zip(inputs).filter(|(_, (_, name, _))| counts[name] > 1);
    shared
        .map(|(place, (symbol, name, number))| {
            (symbol, (place, format!("{name} {}", at_moment(program, name, number as usize))))
        })
        .collect()
}

/// When a branch is kept that loops and calls may come to many times.
fn kept_when(scene: &Scene, passing: Option<&Execution>, branch: usize) -> KeptWhen {
    let steps = &scene.equation.steps;
    // Where it is known how a branch goes it is come to all the same.
    let is_same = |step: usize| {
        matches!(steps[step].kind, StepKind::Guard { .. } | StepKind::Branch { .. })
            && (steps[step].span, steps[step].function) == (steps[branch].span, steps[branch].function)
    };
    let same: Vec<usize> = (0..steps.len()).filter(|step| is_same(*step)).collect();
    let come_to = |run: &Execution| -> Vec<usize> { same.iter().copied().filter(|step| run.executed[*step]).collect() };
    let truths = |run: &Execution| -> Vec<bool> {
        let taken = |step: usize| match steps[step].kind {
            StepKind::Guard { condition, .. } => run.evaluator(&scene.equation).holds(condition),
            StepKind::Branch { taken } => taken,
            _ => false,
        };
        come_to(run).into_iter().map(taken).collect()
    };
    let is_each =
        passing.map_or(come_to(&scene.failing).len() == 1, |passing| truths(passing) == truths(&scene.failing));
    if is_each {
        return KeptWhen::default();
    }
    let time = |run: &Execution| come_to(run).iter().position(|step| *step == branch).map(|at| at + 1);
    let times = time(&scene.failing).map(|failing| (failing, passing.and_then(time)));
    KeptWhen { times: times.into_iter().collect(), one_of_ways: false, guessed: false }
}
