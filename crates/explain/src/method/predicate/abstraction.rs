//! The abstract program as one question to the solver (Chaki, Groce, Strichman, "Explaining abstract counterexamples",
//! sections 1 and 5).
//!
//! Between one moment and the next the program takes a step: data before, data after. Here every such step has *its own
//! copy* of the data that its definitions and the predicates around it speak of, and two steps have nothing in common
//! but which way branches go and which predicates hold. So each step does what some concrete step does that agrees on
//! the predicates, which is existential abstraction, and exact: no predicate is approximated by others, and no
//! combination of truth values is listed. A model is an abstract run.
//!
//! Most steps change few predicates. The others keep their truth, and a copy holds only predicates that share data, by
//! way of others perhaps, with what is decided in it: the rest was found to be possible where it last changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::sat::{Lit, Model};
use nearmiss_logic::term::Term;

use crate::equation::{Equation, StepKind};
use crate::method::encode;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::FunctionId;
use nearmiss_program::source::Span;

/// The truth of a predicate from the moment that sets it to the moment that changes it: a single assignment of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Truth {
    /// Which predicate.
    pub predicate: usize,
    /// When it holds, over the single assignments of the equation.
    pub term: Term,
}

/// A place in the text where predicates are tracked: function and span of a step.
pub type Location = (FunctionId, Span);

/// A moment, and what is tracked there.
#[derive(Clone, Debug)]
pub struct Point {
    /// The step that comes next.
    pub step: usize,
    /// It comes about iff this is 1.
    pub guard: Term,
    /// The moments that may come right before it.
    pub previous: Vec<usize>,
    /// What is tracked: indices into a list of [`Truth`]s.
    pub tracked: Vec<usize>,
}

/// What is control and what is data, and which moment each variable is set after.
pub struct Layout {
    /// By symbol: its definition if it is data that is computed, and the moment after which it is set.
    data: HashMap<Term, (Option<Term>, usize)>,
}

/// Before the first moment.
const BEFORE: usize = usize::MAX;

impl Layout {
    /// For moments in the order of their steps.
    pub fn new(equation: &Equation, points: &[Point]) -> Layout {
        let definers = equation.definers();
        let mut data = HashMap::new();
        let mut last = BEFORE;
        for (variable, definer) in equation.variables.iter().zip(&definers) {
            if let Some(step) = definer {
                last = points.partition_point(|point| point.step <= *step).checked_sub(1).unwrap_or(BEFORE);
                if matches!(equation.steps[*step].kind, StepKind::Guard { .. }) {
                    continue;
                }
            }
            data.insert(variable.symbol, (variable.definition, last));
        }
        Layout { data }
    }
}

/// Copies of the data around one step.
pub struct Copy<'a> {
    layout: &'a Layout,
    /// What is set after these moments is computed; all other data is free.
    computed: Vec<usize>,
    by: HashMap<Term, Term>,
    free: HashSet<Term>,
}

impl<'a> Copy<'a> {
    /// Nothing is copied yet. `fixed`: what control is known to be.
    pub fn new(layout: &'a Layout, computed: Vec<usize>, fixed: &HashMap<Term, Term>) -> Copy<'a> {
        Copy { layout, computed, by: fixed.clone(), free: HashSet::new() }
    }

    /// A term over the copies.
    pub fn of(&mut self, equation: &mut Equation, term: Term) -> Term {
        let mut wanted: Vec<Term> = Vec::new();
        let mut seen: HashSet<Term> = HashSet::new();
        let mut todo = vec![term];
        while let Some(term) = todo.pop() {
            for symbol in equation.terms.support(term) {
                let Some((definition, moment)) = self.layout.data.get(&symbol) else { continue };
                if self.by.contains_key(&symbol) || !seen.insert(symbol) {
                    continue;
                }
                wanted.push(symbol);
                if let Some(definition) = definition
                    && self.computed.contains(moment)
                {
                    todo.push(*definition);
                }
            }
        }
        // Definitions speak of older symbols.
        wanted.sort_unstable();
        for symbol in wanted {
            let (definition, moment) = self.layout.data[&symbol];
            let copy = match definition {
                Some(definition) if self.computed.contains(&moment) => equation.terms.substitute(definition, &self.by),
                _ => {
                    let copy = equation.terms.fresh("copy", equation.terms.width(symbol));
                    self.free.insert(copy);
                    copy
                }
            };
            self.by.insert(symbol, copy);
        }
        equation.terms.substitute(term, &self.by)
    }
}

/// The abstract program in the solver.
pub struct Abstraction {
    /// The clauses.
    pub blaster: Blaster,
    /// For each truth, the symbol of whether it holds.
    pub holds: Vec<Term>,
    /// For each step that can end a run: the literal that it does not.
    pub held: Vec<(usize, Lit)>,
    /// What a passing run must have in common with the failing one.
    pub kept: Vec<Lit>,
    /// The symbols of both.
    demands: BTreeMap<Demand, Term>,
}

/// Something that a step may be asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Demand {
    /// That the run does not end at the step.
    Held(usize),
    /// What is kept, by number.
    Kept(usize),
}

impl Abstraction {
    /// `kept`: what a passing run must meet, each with the step at which it is decided.
    pub fn new(
        equation: &mut Equation,
        points: &[Point],
        truths: &[Truth],
        kept: &[(usize, Term)],
        stop: &Stop,
    ) -> Abstraction {
        let holds: Vec<Term> = truths.iter().map(|_| equation.terms.fresh("holds", 1)).collect();
        let layout = Layout::new(equation, points);
        let mut blaster = encode::for_many_questions(stop);
        blaster.solver.record_clauses();
        let (held, kept_literals, demands) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut made = Abstraction { blaster, holds, held, kept: kept_literals, demands };
        let starts: Vec<usize> = points.iter().map(|point| point.step).collect();
        let steps = equation.steps.len();
        let nothing = HashMap::new();
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); points.len()];
        for (index, point) in points.iter().enumerate() {
            if let [only] = point.previous[..] {
                successors[only].push(index);
            }
        }
        let new_at = |index: usize, before: &[usize]| -> Vec<usize> {
            let carried = |truth: &usize| before.contains(truth);
            points[index].tracked.iter().copied().filter(|truth| !carried(truth)).collect()
        };
        let own_steps = |index: usize| points[index].step..starts.get(index + 1).copied().unwrap_or(steps);
        let first = starts.first().copied().unwrap_or(steps);
        let mut entry = Copy::new(&layout, vec![BEFORE], &nothing);
        made.decide(equation, &mut entry, truths, &[], &[], std::slice::from_ref(&(0..first)), kept);
        for (index, point) in points.iter().enumerate() {
            if point.previous.len() != 1 {
                let mut before: Vec<usize> =
                    point.previous.iter().flat_map(|previous| points[*previous].tracked.iter().copied()).collect();
                before.sort_unstable();
                before.dedup();
                let everywhere =
                    |truth: &usize| point.previous.iter().all(|previous| points[*previous].tracked.contains(truth));
                let carried: Vec<usize> = before.iter().copied().filter(everywhere).collect();
                let after = new_at(index, &carried);
                let mut computed = point.previous.clone();
                computed.push(index.checked_sub(1).unwrap_or(BEFORE));
                // What the steps before it decide, they decide on the way here.
                let steps: Vec<Range<usize>> = point.previous.iter().map(|previous| own_steps(*previous)).collect();
                // What is seen at some of the moments before says something of the runs that come by these.
                let mut seen = Vec::with_capacity(before.len());
                for truth in before {
                    let by = point.previous.iter().filter(|previous| points[**previous].tracked.contains(&truth));
                    let guards: Vec<Term> = by.map(|previous| points[*previous].guard).collect();
                    let always = guards.len() == point.previous.len();
                    seen.push((truth, (!always).then(|| equation.terms.or_all(&guards))));
                }
                let mut join = Copy::new(&layout, computed, &nothing);
                if !after.is_empty() {
                    made.decide(equation, &mut join, truths, &seen, &after, &steps, kept);
                }
            }
            let mut after: Vec<usize> = Vec::new();
            for successor in &successors[index] {
                after.extend(new_at(*successor, &point.tracked));
            }
            after.sort_unstable();
            after.dedup();
            // What is set right before a moment is set after the last one in the list, be it on another path.
            let mut computed = vec![index];
            computed.extend(successors[index].iter().filter_map(|successor| successor.checked_sub(1)));
            let seen: Vec<(usize, Option<Term>)> = point.tracked.iter().map(|truth| (*truth, None)).collect();
            let mut step = Copy::new(&layout, computed, &nothing);
            made.decide(equation, &mut step, truths, &seen, &after, std::slice::from_ref(&own_steps(index)), kept);
        }
        for (demand, symbol) in std::mem::take(&mut made.demands) {
            let literal = made.blaster.literal(&equation.terms, symbol);
            match demand {
                Demand::Held(step) => made.held.push((step, literal)),
                Demand::Kept(_) => made.kept.push(literal),
            }
        }
        made
    }

    /// What is decided in one step: which predicates hold after it, which way its branches go, whether the run ends.
    /// `before`: the truths before it, with the condition under which they are seen if that is not always.
    #[allow(clippy::too_many_arguments)]
    fn decide(
        &mut self,
        equation: &mut Equation,
        copy: &mut Copy<'_>,
        truths: &[Truth],
        before: &[(usize, Option<Term>)],
        after: &[usize],
        steps: &[Range<usize>],
        kept: &[(usize, Term)],
    ) {
        let mut decided: Vec<(Term, Term)> = Vec::new();
        for truth in after {
            let term = copy.of(equation, truths[*truth].term);
            decided.push((self.holds[*truth], term));
        }
        for index in steps.iter().cloned().flatten() {
            let guard = equation.steps[index].guard;
            match equation.steps[index].kind {
                StepKind::Guard { variable, .. } => {
                    let variable = &equation.variables[variable.0 as usize];
                    if let (symbol, Some(definition)) = (variable.symbol, variable.definition) {
                        let term = copy.of(equation, definition);
                        decided.push((symbol, term));
                    }
                }
                StepKind::Assume { condition } | StepKind::Claim { condition, .. } => {
                    let held = equation.terms.implies(guard, condition);
                    let term = copy.of(equation, held);
                    decided.push((self.demand(equation, Demand::Held(index)), term));
                }
                _ => {}
            }
            for (number, (_, condition)) in kept.iter().enumerate().filter(|(_, (step, _))| *step == index) {
                let term = copy.of(equation, *condition);
                decided.push((self.demand(equation, Demand::Kept(number)), term));
            }
        }
        if decided.is_empty() {
            return;
        }
        let roots: Vec<Term> = decided.iter().map(|(_, term)| *term).collect();
        let conditions: HashMap<usize, Option<Term>> = before.iter().copied().collect();
        let before: Vec<usize> = before.iter().map(|(truth, _)| *truth).collect();
        let around = connected(equation, copy, truths, &before, &roots);
        for (truth, term) in around {
            match conditions.get(&truth) {
                Some(Some(condition)) => {
                    let condition = copy.of(equation, *condition);
                    let same = equation.terms.iff(self.holds[truth], term);
                    let same = equation.terms.implies(condition, same);
                    self.blaster.assert(&equation.terms, same);
                }
                _ => self.blaster.define(&equation.terms, self.holds[truth], term),
            }
        }
        for (symbol, term) in decided {
            self.blaster.define(&equation.terms, symbol, term);
        }
    }

    /// The symbol of whether a demand is met.
    fn demand(&mut self, equation: &mut Equation, demand: Demand) -> Term {
        *self.demands.entry(demand).or_insert_with(|| equation.terms.fresh("met", 1))
    }

    /// The literal of whether a truth holds.
    pub fn literal(&mut self, equation: &Equation, truth: usize) -> Lit {
        self.blaster.literal(&equation.terms, self.holds[truth])
    }

    /// Which truths hold in a model.
    pub fn values(&mut self, equation: &Equation, model: &Model) -> Vec<bool> {
        (0..self.holds.len()).map(|truth| model.value(self.literal(equation, truth))).collect()
    }
}

/// The truths that share data with some copied terms, by way of others perhaps, and their copies.
pub fn connected(
    equation: &mut Equation,
    copy: &mut Copy<'_>,
    truths: &[Truth],
    before: &[usize],
    roots: &[Term],
) -> Vec<(usize, Term)> {
    let mut data: HashSet<Term> = HashSet::new();
    for root in roots {
        data.extend(equation.terms.support(*root).into_iter().filter(|symbol| copy.free.contains(symbol)));
    }
    let mut open: Vec<(usize, Term, Vec<Term>)> = Vec::new();
    for truth in before {
        let term = copy.of(equation, truths[*truth].term);
        let mut support = equation.terms.support(term);
        support.retain(|symbol| copy.free.contains(symbol));
        open.push((*truth, term, support));
    }
    let mut found = Vec::new();
    loop {
        let (touched, rest): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(_, _, support)| support.iter().any(|symbol| data.contains(symbol)));
        if touched.is_empty() {
            break;
        }
        for (truth, term, support) in touched {
            data.extend(support);
            found.push((truth, term));
        }
        open = rest;
    }
    found
}
