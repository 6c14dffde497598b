//! The smallest sets of lines that would have to compute something else for every one of some failing runs to pass.
//!
//! Each failing run is unwound once, with its inputs and with all lines that are asked about left open, each behind a literal
//! (`repair.rs`). Whether other values on some lines save the run is then one question under assumptions. Where they do not, the solver
//! names lines of which at least one would have to be open, too. Every set that saves all runs hits all of these, so the smallest sets are
//! found by a tree of hitting sets, breadth first (Reiter, "A theory of diagnosis from first principles", 1987; for programs and several
//! runs: Orvalho, Janota and Manquinho, "CFaults", FM 2024). Cost: an unwinding for each run, a question for each set and run.

use std::collections::{BTreeSet, HashMap};

use super::repair::{self, Freed};
use super::rescue::Line;
use crate::bounds::Bounds;
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::execution::Execution;
use crate::symex;
use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::stop::Stop;
use nearmiss_logic::term::Term;
use nearmiss_program::program::{ClaimId, ClaimKind, Program, StatementKind};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Sources, Span};

/// So many steps and terms are made for one run.
const MOST_STEPS: usize = 20_000;
const MOST_TERMS_OF_ONE: usize = 60_000;
/// Conflicts for one question, after which it has no answer, and for all.
const MOST_CONFLICTS_OF_ONE: u64 = 2_000;
const MOST_CONFLICTS: u64 = 60_000;
/// So many questions are asked for the sets.
const MOST_QUESTIONS: usize = 20_000;
/// Lines of sets that are looked for, if smaller ones do not do.
const MOST_TOGETHER: usize = 3;

/// Failing runs, and the lines that are asked about.
pub struct Asked<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a Sources,
    /// What each run is fed.
    pub runs: &'a [Inputs],
    /// The lines.
    pub lines: &'a [Line],
    /// How far loops go.
    pub bounds: &'a Bounds,
    /// A run that passes must still come to one of these claims; none: to none.
    pub come: &'a [ClaimId],
    /// So many terms are made for all runs.
    pub most_terms: usize,
    /// When to stop.
    pub stop: &'a Stop,
}

/// For each line how many of the runs other values there would save, and of how many that is known, as far as a fixed effort goes.
pub fn rescues(asked: &Asked) -> Vec<(usize, usize)> {
    let mut rescued = vec![(0, 0); asked.lines.len()];
    let mut left = asked.most_terms;
    let stop = asked.stop.within(MOST_CONFLICTS);
    for (at, inputs) in asked.runs.iter().enumerate() {
        // Where all lines together open too much, fewer do.
        let mut parts: Vec<Vec<usize>> = vec![(0..asked.lines.len()).collect()];
        while let Some(part) = parts.pop() {
            let before = left;
            match Unwound::of(asked, inputs, &part, &mut left, &stop) {
                // What one or two runs say is known without this, or little more.
                Ok(_) if asked.runs.len() < 2 || at == 0 && left < before - before / 4 => return rescued,
                Ok(run) => {
                    for (line, saved) in part.into_iter().zip(run.saved_by_each(asked.come, &stop)) {
                        rescued[line].0 += usize::from(saved == Some(true));
                        rescued[line].1 += usize::from(saved.is_some());
                    }
                }
                Err(Shut::TooLarge) if part.len() > 1 && left > 0 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second.to_vec(), first.to_vec()]);
                }
                Err(_) => {}
            }
        }
    }
    rescued
}

/// The runs with all lines open.
pub struct Opened {
    runs: Vec<OpenRun>,
    lines: Vec<Line>,
    questions: usize,
    /// So many runs there are.
    pub of: usize,
    stop: Stop,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sets {
    /// The smallest sets, by their number of lines and in order of the text: of none does a part suffice.
    pub sets: Vec<Vec<Line>>,
    /// Whether these are all, up to the size of the largest.
    pub complete: bool,
}

impl Opened {
    /// Unwinds the runs, as far as a fixed effort goes.
    pub fn of(asked: &Asked) -> Opened {
        let stop = asked.stop.within(MOST_CONFLICTS);
        let all: Vec<usize> = (0..asked.lines.len()).collect();
        let mut left = asked.most_terms;
        let runs = asked.runs.iter().filter_map(|inputs| OpenRun::of(asked, inputs, &all, &mut left, &stop).ok());
        Opened { runs: runs.collect(), lines: asked.lines.to_vec(), questions: 0, of: asked.runs.len(), stop }
    }

    /// How many of the runs are small enough to be asked about.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether other values on these lines may save every run: false only where that is known.
    pub fn may_save(&mut self, lines: &[Line]) -> bool {
        let index = |line: &Line| self.lines.iter().position(|other| other == line);
        let set: Vec<usize> = lines.iter().filter_map(index).collect();
        self.judged(&set, Loops::Beyond) != Judged::Misses
    }

    /// The smallest sets of lines of which other values save every run.
    pub fn smallest(&mut self) -> Sets {
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut frontier: BTreeSet<Vec<usize>> = [Vec::new()].into();
        let mut complete = true;
        for size in 0..=MOST_TOGETHER {
            let mut next = BTreeSet::new();
            for set in std::mem::take(&mut frontier) {
                if found.iter().any(|smaller| smaller.iter().all(|line| set.contains(line))) {
                    continue;
                }
                match self.judged(&set, Loops::Within) {
                    Judged::Saves => found.push(set),
                    Judged::Unknown => complete = false,
                    Judged::Misses => {
                        for line in self.missed(&set).unwrap_or_default() {
                            let mut larger = set.clone();
                            larger.push(line);
                            larger.sort_unstable();
                            next.insert(larger);
                        }
                    }
                }
            }
            frontier = next;
            // Three lines are asked for only where neither one nor two suffice.
            if size + 1 == MOST_TOGETHER && !found.is_empty() {
                break;
            }
        }
        let sets = found.into_iter().map(|set| set.into_iter().map(|line| self.lines[line]).collect()).collect();
        Sets { sets, complete }
    }

    fn judged(&mut self, set: &[usize], loops: Loops) -> Judged {
        let mut unknown = self.runs.is_empty();
        for run in &mut self.runs {
            let is_over = self.questions == MOST_QUESTIONS || self.stop.requested();
            let answer = match run.known(set, loops) {
                None if is_over => None,
                None => {
                    self.questions += 1;
                    run.saved(set, loops)
                }
                known => known,
            };
            match answer {
                Some(true) => {}
                Some(false) => return Judged::Misses,
                None => unknown = true,
            }
        }
        if unknown { Judged::Unknown } else { Judged::Saves }
    }

    /// Lines of which one must be open as well, if that is known.
    fn missed(&self, set: &[usize]) -> Option<Vec<usize>> {
        let all = self.runs.iter().flat_map(|run| &run.within.hit);
        let missed = all.filter(|hit| !hit.iter().any(|line| set.contains(line)));
        missed.min_by_key(|hit| hit.len()).cloned()
    }
}

/// What is known of a set of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Judged {
    Saves,
    Misses,
    Unknown,
}

/// Why a run is not asked about.
enum Shut {
    /// Its unwinding takes more than there is.
    TooLarge,
    /// It ends otherwise with lines open, or needs other bounds.
    Otherwise,
}

/// How far a run that passes may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Loops {
    /// As far as loops are unwound.
    Within,
    /// Further, too: what it does there is not known, and it counts as passing.
    Beyond,
}

/// A failing run, unwound with lines open, and their steps.
struct Unwound {
    equation: Equation,
    failing: Execution,
    groups: Vec<Vec<usize>>,
}

/// The same behind literals, to be asked about any of the lines together.
struct OpenRun {
    freed: Freed,
    /// Of each group its line.
    lines: Vec<usize>,
    /// That the run may go on where loops are not unwound.
    beyond: Lit,
    within: Known,
    further: Known,
}

/// Answers of a run.
#[derive(Default)]
struct Known {
    /// One line of each of these must be open for the run to pass.
    hit: Vec<Vec<usize>>,
    /// Other values on all lines of one of these make it pass.
    saving: Vec<Vec<usize>>,
}

impl Unwound {
    /// Unwinds a run with some of the lines open.
    fn of(asked: &Asked, inputs: &Inputs, part: &[usize], left: &mut usize, stop: &Stop) -> Result<Unwound, Shut> {
        let Asked { program, sources, .. } = *asked;
        let spoken = spoken(program);
        let groups_of: HashMap<Line, usize> =
            part.iter().enumerate().map(|(at, line)| (asked.lines[*line], at)).collect();
        let group_of = |span: Span| {
            let group = groups_of.get(&(span.file, sources.physical_line(span.file, span.start))).copied();
            group.filter(|_| !spoken.iter().any(|other| other.contains(span)))
        };
        let open = |span: Span| group_of(span).is_some();
        let mut bounds = Bounds { most_steps: MOST_STEPS, ..asked.bounds.clone() };
        let (equation, failing) = loop {
            bounds.most_terms = MOST_TERMS_OF_ONE.min(*left);
            if bounds.most_terms == 0 || stop.requested() {
                return Err(Shut::TooLarge);
            }
            let unwound = symex::unwind_open(program, &bounds, stop, Some(inputs), &open);
            *left = left.saturating_sub(unwound.as_ref().map_or(bounds.most_terms, |equation| equation.terms.len()));
            let equation = unwound.ok_or(Shut::TooLarge)?;
            let failing = Execution::of(&equation, inputs);
            match failing.failed.map(|step| &equation.steps[step].kind) {
                Some(StepKind::Claim { claim: ClaimRef::Program(_), .. }) => break (equation, failing),
                // Loops whose conditions are left open go on by conditions that are not constant.
                Some(StepKind::Claim { claim: ClaimRef::Unwinding(index), .. }) => {
                    let bound = equation.bounds_hit[*index as usize].0.clone();
                    if !bounds.may_grow(&bound) {
                        return Err(Shut::Otherwise);
                    }
                    bounds.grow(&bound);
                }
                _ => return Err(Shut::Otherwise),
            }
        };
        let mut groups = vec![Vec::new(); part.len()];
        for (at, step) in equation.steps.iter().enumerate() {
            let computes =
                matches!(step.kind, StepKind::Assign { .. } | StepKind::Return { .. } | StepKind::Guard { .. });
            if let Some(group) = group_of(step.span).filter(|_| computes) {
                groups[group].push(at);
            }
        }
        Ok(Unwound { equation, failing, groups })
    }

    /// For each line whether other values there save it; none where that takes too long.
    fn saved_by_each(mut self, come: &[ClaimId], stop: &Stop) -> Vec<Option<bool>> {
        let comes = if come.is_empty() { self.equation.terms.tru() } else { comes(&mut self.equation, come) };
        repair::repairs(&mut self.equation, &self.failing, &self.groups, &[comes], stop)
    }
}

impl OpenRun {
    /// Unwinds a run with some of the lines open.
    fn of(asked: &Asked, inputs: &Inputs, part: &[usize], left: &mut usize, stop: &Stop) -> Result<OpenRun, Shut> {
        let Unwound { mut equation, failing, groups } = Unwound::of(asked, inputs, part, left, stop)?;
        let beyond = equation.terms.fresh("beyond", 1);
        let held = held(&mut equation, failing.failed, asked.come, beyond);
        let mut freed = repair::freed(&mut equation, &failing, &groups, &held, stop);
        freed.blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS_OF_ONE));
        let beyond = freed.blaster.literal(&equation.terms, beyond);
        Ok(OpenRun { freed, lines: part.to_vec(), beyond, within: Known::default(), further: Known::default() })
    }

    /// Whether other values on these lines save it, if earlier answers say so.
    fn known(&self, set: &[usize], loops: Loops) -> Option<bool> {
        let known = if loops == Loops::Within { &self.within } else { &self.further };
        if known.saving.iter().any(|saving| saving.iter().all(|line| set.contains(line))) {
            return Some(true);
        }
        let misses = known.hit.iter().any(|hit| !hit.iter().any(|line| set.contains(line)));
        misses.then_some(false)
    }

    /// Whether other values on these lines save it; none where that takes too long.
    fn saved(&mut self, set: &[usize], loops: Loops) -> Option<bool> {
        if let Some(known) = self.known(set, loops) {
            return Some(known);
        }
        let Freed { blaster, free } = &mut self.freed;
        let shut = free.iter().zip(&self.lines).filter(|(_, line)| !set.contains(line));
        let mut assumptions: Vec<Lit> = shut.map(|(free, _)| free.negate_if(true)).collect();
        assumptions.extend((loops == Loops::Within).then(|| self.beyond.negate_if(true)));
        match blaster.solver.solve(&assumptions) {
            Outcome::Sat => {
                let known = if loops == Loops::Within { &mut self.within } else { &mut self.further };
                known.saving.push(set.to_vec());
                Some(true)
            }
            Outcome::Unsat => {
                let core = blaster.solver.core();
                let named = free.iter().zip(&self.lines).filter(|(free, _)| core.contains(&free.negate_if(true)));
                let hit: Vec<usize> = named.map(|(_, line)| *line).collect();
                if !core.contains(&self.beyond.negate_if(true)) {
                    self.further.hit.push(hit.clone());
                }
                self.within.hit.push(hit);
                Some(false)
            }
            _ => None,
        }
    }
}

/// What must hold for the run to pass: every claim and assumption, and that one of these claims is come to, if there are some. Where loops
/// go further than they are unwound, only if that is beyond.
fn held(equation: &mut Equation, failed: Option<usize>, come: &[ClaimId], beyond: Term) -> Vec<Term> {
    let mut terms = Vec::new();
    for (step, held) in equation.held_from(failed) {
        let is_bound = matches!(equation.steps[step].kind, StepKind::Claim { claim: ClaimRef::Unwinding(_), .. });
        terms.push(if is_bound { equation.terms.or(held, beyond) } else { held });
    }
    if !come.is_empty() {
        let comes = comes(equation, come);
        terms.push(equation.terms.or(comes, beyond));
    }
    terms
}

/// That one of some claims is come to.
fn comes(equation: &mut Equation, claims: &[ClaimId]) -> Term {
    let mut comes = equation.terms.fals();
    for step in &equation.steps {
        let is_it = match step.kind {
            StepKind::Claim { claim: ClaimRef::Program(claim), .. } | StepKind::Held { claim } => {
                claims.contains(&claim)
            }
            _ => false,
        };
        if is_it {
            comes = equation.terms.or(comes, step.guard);
        }
    }
    comes
}

/// The text of written assertions and of assumptions: what these compute is not left open.
fn spoken(program: &Program) -> Vec<Span> {
    let claims = program.claims.iter().filter(|claim| claim.kind == ClaimKind::Assertion).map(|claim| claim.span);
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let statements = blocks.flat_map(|block| &block.statements);
    let assumed = statements.filter(|of| matches!(of.kind, StatementKind::Assume { .. })).map(|of| of.span);
    claims.chain(assumed).collect()
}
