//! Why does the program fail? The failing run beside the nearest passing one, and what that tells.
//!
//! `check` finds the failing run; what follows is a method each: [`method::nearest`](crate::method) and its neighbours.

use std::collections::HashSet;
use std::time::Instant;

use nearmiss_logic::term::Term;

use crate::check::{self, CheckError, CheckOptions, Progress};
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{
    Assumption, AssumptionOrigin, Contrast, Delta, DeltaKind, Explanation, Listing, Metric, Nearest, Slice,
    SliceMethod, Stats, named_inputs,
};
use crate::method::delta::{self, Counted};
use crate::method::nearest::{Answer, Question, Search};
use crate::method::route::{self, Kept, Routes};
use crate::method::slice::{self, Slicer};
use crate::method::suspect::{self, Evidence};
use crate::program::{ClaimId, FunctionId, Program};
use crate::recheck;
use crate::run::Inputs;
use crate::source::Sources;
use crate::symex::{self, Bounds, Watch};

/// What to explain, and how.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// How the failing run is found.
    pub check: CheckOptions,
    /// A failing run that is given (`--counterexample`) instead of found.
    pub given: Option<Inputs>,
    /// What a distance counts.
    pub metric: Metric,
    /// How the slice is computed.
    pub slice: SliceMethod,
    /// Whether to list every minimal slice.
    pub routes: Wanted,
    /// Whether to list every nearest run.
    pub nearest_all: Wanted,
    /// Whether to keep what decides that the check applies.
    pub preconditions: Preconditions,
    /// Between which variables relations are looked for.
    pub hypotheses: Hypotheses,
    /// Functions that are never suspects, by patterns with `*` and `?`.
    pub trust: Vec<String>,
    /// How many more times than the failing run's a loop may be unwound for the passing run; none: as far as it helps.
    pub depth: Option<u32>,
}

/// Is something extra wanted?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// No.
    #[default]
    No,
    /// Yes.
    Yes,
}

/// Whether runs that only avoid the check count as passing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preconditions {
    /// They do not, as long as there are others.
    #[default]
    Kept,
    /// They do.
    Free,
}

/// Between which variables relations are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hypotheses {
    /// None at all.
    None,
    /// Inputs.
    Inputs,
    /// Inputs, and the variables of the program as they are when the claim is reached.
    #[default]
    Source,
    /// Every single assignment that is executed.
    All,
}

/// Explains the failure, if there is one.
pub fn explain(
    program: &Program,
    sources: &Sources,
    options: &ExplainOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    let (mut explanation, bounds) = match &options.given {
        Some(given) => check::given(program, &options.check, given)?,
        None => check::check_within(program, &options.check, progress)?,
    };
    let (Some(counterexample), Some(property)) = (&explanation.counterexample, explanation.property) else {
        return Ok(explanation);
    };
    let watch = Watch { stop: options.check.stop.clone(), deadline: options.check.deadline };
    let failure =
        Failure { program, sources, options, inputs: &counterexample.inputs, claim: ClaimId(property as u32), watch };
    let mut stats = std::mem::take(&mut explanation.stats);
    let contrast = failure.contrast(&bounds, &mut stats, progress)?;
    explanation.stats = stats;
    explanation.contrast = contrast;
    Ok(explanation)
}

/// A failing run to be explained.
struct Failure<'a> {
    program: &'a Program,
    sources: &'a Sources,
    options: &'a ExplainOptions,
    inputs: &'a Inputs,
    claim: ClaimId,
    watch: Watch,
}

impl Failure<'_> {
    /// The passing run and all that follows from it; none if there was no time even for the equation.
    fn contrast(
        &self,
        bounds: &Bounds,
        stats: &mut Stats,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Contrast>, CheckError> {
        let started = Instant::now();
        let Ok(mut equation) = symex::unwind(self.program, bounds, &self.watch) else { return Ok(None) };
        let failing = self.failing(&equation)?;
        let claim = failing.failed.unwrap_or_default();
        let counted = delta::counted(&equation, claim, self.options.metric);
        let routes = match self.options.preconditions {
            Preconditions::Kept => route::routes(&mut equation, &failing, claim, &|id| self.is_trusted(id)),
            Preconditions::Free => Routes::default(),
        };
        let mut say = |phase| progress(Progress { phase, unwind: equation.unwind, steps: equation.steps.len() as u64 });
        say("looking for the nearest passing run");
        let way = self.nearest(&mut equation, &failing, &counted, &routes);
        stats.seconds.push(("nearest", started.elapsed().as_secs_f64()));
        let mut contrast = Contrast {
            nearest: None,
            none_exists: matches!(way.answer, Answer::None),
            assumptions: Vec::new(),
            only_avoidance: way.only_avoidance,
            slice: None,
            causes: None,
            suspects: Vec::new(),
        };
        let Answer::Found(found) = way.answer else { return Ok(Some(contrast)) };
        let demands: Vec<Term> = way.kept.iter().map(|(kept, _)| kept.term).chain(way.some_route).collect();
        contrast.assumptions = way.kept.iter().map(|(kept, origin)| self.assumption(kept, *origin)).collect();

        let started = Instant::now();
        let run = recheck::passes(self.program, &found.inputs).map_err(CheckError::Internal)?;
        let deltas = delta::deltas(&equation, &counted, &failing, &found.execution);
        if deltas.len() as u64 != found.distance {
            return Err(CheckError::Internal(format!(
                "the nearest passing run should differ in {} variables, but it differs in {}",
                found.distance,
                deltas.len()
            )));
        }
        stats.seconds.push(("replaying", started.elapsed().as_secs_f64()));
        contrast.nearest = Some(Nearest {
            distance: found.distance,
            lower_bound: found.lower_bound,
            proved_minimal: found.proved,
            metric: self.options.metric,
            named: named_inputs(&run),
            inputs: found.inputs,
            run,
            deltas,
            unwind: equation.unwind,
            deeper: 0,
            all: None,
        });
        let started = Instant::now();
        contrast.slice = match self.options.slice {
            SliceMethod::None => None,
            SliceMethod::TwoPhase => {
                let mut slicer =
                    Slicer::two_phase(&mut equation, &counted, &failing, &found.execution, &demands, &self.watch);
                slicer.smallest().map(|slice| {
                    let all = delta::deltas(&equation, &counted, &failing, &found.execution);
                    let pick = |kept: &[usize]| pick(&equation, &counted, &all, kept);
                    let routes = (self.options.routes == Wanted::Yes).then(|| {
                        let (sets, complete) = slicer.all(slice.kept.len());
                        Listing { sets: sets.iter().map(|kept| pick(kept)).collect(), complete }
                    });
                    self.slice(&equation, claim, pick(&slice.kept), slice.proved, routes)
                })
            }
            SliceMethod::OneStep => {
                slice::one_step(&mut equation, &counted, &failing, &demands, &self.watch).map(|one| {
                    let all = delta::deltas(&equation, &counted, &failing, &one.passing);
                    let kept = pick(&equation, &counted, &all, &one.slice.kept);
                    self.slice(&equation, claim, kept, one.slice.proved, None)
                })
            }
        };
        stats.seconds.push(("slicing", started.elapsed().as_secs_f64()));
        let started = Instant::now();
        let nearest = contrast.nearest.as_ref();
        contrast.suspects = suspect::suspects(
            &mut equation,
            &Evidence {
                program: self.program,
                sources: self.sources,
                failing: &failing,
                passing: Some(&found.execution),
                claim,
                deltas: nearest.map_or(&[], |nearest| &nearest.deltas),
                slice: contrast.slice.as_ref().map_or(&[], |slice| &slice.deltas),
                causes: contrast.causes.as_ref(),
                demands: &demands,
                trusted: &|id| self.is_trusted(id),
                watch: &self.watch,
            },
        );
        stats.seconds.push(("ranking", started.elapsed().as_secs_f64()));
        Ok(Some(contrast))
    }

    /// The failing run as an execution of the equation; it must fail there as it does when it is executed.
    fn failing(&self, equation: &Equation) -> Result<Execution, CheckError> {
        let wanted = &self.options.check.properties;
        let passed_over = |claim: ClaimRef| match claim {
            ClaimRef::Program(id) => check::is_passed_over(self.program, id, wanted),
            _ => false,
        };
        let execution = Execution::of(equation, self.inputs).passing_over(equation, passed_over);
        let failed = execution.failed.map(|step| &equation.steps[step].kind);
        match failed {
            Some(StepKind::Claim { claim: ClaimRef::Program(id), .. }) if *id == self.claim => Ok(execution),
            _ => Err(CheckError::Internal(format!(
                "the run that violates {} does not do so in the equation",
                self.program.claims[self.claim.index()].id
            ))),
        }
    }

    fn is_trusted(&self, function: FunctionId) -> bool {
        let name = &self.program.function(function).name;
        self.options.trust.iter().any(|pattern| matches_pattern(pattern, name))
    }

    /// The nearest passing run, of those that explain if there are any.
    fn nearest(&self, equation: &mut Equation, failing: &Execution, counted: &[Counted], routes: &Routes) -> Way {
        let preconditions = routes.preconditions.iter().map(|kept| (kept.clone(), AssumptionOrigin::Precondition));
        let entrances = routes.entrances.iter().map(|kept| (kept.clone(), AssumptionOrigin::Entrance));
        let some_route = (!routes.others.is_empty()).then(|| equation.terms.or_all(&routes.others));
        let mut levels: Vec<(Vec<_>, Option<Term>)> = Vec::new();
        if some_route.is_some() {
            if !routes.entrances.is_empty() {
                levels.push((preconditions.clone().chain(entrances).collect(), some_route));
            }
            if !routes.preconditions.is_empty() {
                levels.push((preconditions.collect(), some_route));
            }
        }
        let explains = levels.len();
        levels.push((Vec::new(), None));
        let has_routes = !routes.preconditions.is_empty();
        let mut answer = Answer::Unknown;
        for (level, (kept, some_route)) in levels.into_iter().enumerate() {
            let demands = kept.iter().map(|(kept, _)| kept.term).chain(some_route).collect();
            let question =
                Question { program: self.program, equation, failing, counted, kept: demands, watch: &self.watch };
            answer = Search::new(question).nearest(&mut |_, _| {});
            if !matches!(answer, Answer::None) {
                let only_avoidance = has_routes && level == explains;
                return Way { answer, kept, some_route, only_avoidance };
            }
        }
        Way { answer, kept: Vec::new(), some_route: None, only_avoidance: false }
    }

    fn assumption(&self, kept: &Kept, origin: AssumptionOrigin) -> Assumption {
        Assumption { text: String::new(), span: kept.span, origin }
    }

    fn slice(
        &self,
        equation: &Equation,
        claim: usize,
        deltas: Vec<Delta>,
        proved_minimal: bool,
        routes: Option<Listing>,
    ) -> Slice {
        let own = equation.steps[claim].span;
        let avoids_check = deltas.iter().all(|delta| delta.kind == DeltaKind::Input || own.contains(delta.span));
        Slice { method: self.options.slice, deltas, proved_minimal, routes, avoids_check }
    }
}

/// A passing run and what it was made to have in common with the failing one.
struct Way {
    answer: Answer,
    kept: Vec<(Kept, AssumptionOrigin)>,
    some_route: Option<Term>,
    only_avoidance: bool,
}

/// Some of the differences, by the places of their variables among those that count.
fn pick(equation: &Equation, counted: &[Counted], deltas: &[Delta], kept: &[usize]) -> Vec<Delta> {
    let names: HashSet<String> = kept.iter().map(|&at| equation.versioned_name(counted[at].variable)).collect();
    deltas.iter().filter(|delta| names.contains(&delta.name)).cloned().collect()
}

/// Does a name match a pattern with `*` (anything) and `?` (one character)?
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*' {
            (p, n) = (p + 1, n + 1);
        } else if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if let Some((at, from)) = star {
            (p, n) = (at + 1, from + 1);
            star = Some((at, from + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn patterns_match_as_in_a_shell() {
        assert!(matches_pattern("ref_*", "ref_advise"));
        assert!(matches_pattern("*", ""));
        assert!(matches_pattern("a?c*e", "abcdde"));
        assert!(!matches_pattern("ref_*", "advise"));
        assert!(!matches_pattern("a?c", "ac"));
        assert!(matches_pattern("*a*b", "xaxbxb"));
    }
}
