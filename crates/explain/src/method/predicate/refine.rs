//! Refinement: predicates are added until what the abstract program does is what the program can do (Chaki, Groce,
//! Strichman, "Explaining abstract counterexamples", sections 1 and 3).
//!
//! First the abstract program is asked for a path to the failure. If no run takes it, the reasons are an unsatisfiable
//! core of the path, the candidates are the ways to say these reasons at each moment of the path
//! ([`super::candidate`]), and another core says which of them, at which places, make the path impossible for the
//! abstract program too. Then it is asked for the nearest passing run, and a run that does not exist is treated in the
//! same way: the section 3 of the paper mentions that and does it by blocking instead, which the search for the nearest
//! run still does with what is left over (`super::nearest`).

mod before;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::term::Term;

use super::abstraction::{Abstraction, Location, Point, Truth};
use super::candidate::Sayer;
use super::express;
use super::nearest::{self, Compared};
use super::path::{self, Part, Path, Reality, Verdict};
use super::refute::{self, Pair, Spurious};
use super::vocabulary::{Holders, Named, Symbols, View};
use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::PredicateOrigin;
use crate::method::definitions::Definitions;
use nearmiss_logic::stop::Stop;
use nearmiss_program::program::{ExprId, FunctionId, Program};
use nearmiss_program::source::Span;

/// So many times the abstract program is refined at most.
const MOST_REFINEMENTS: usize = 60;
/// So many predicates are tracked at most.
const MOST_PREDICATES: usize = 48;
/// So many conflicts are spent on one nearest passing run.
const MOST_CONFLICTS: u64 = 20_000;

/// How the truth of a predicate is found at a moment.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A term over the symbols of named scalars.
    Over(Term),
    /// A condition of the user's, by its number.
    Given(usize),
}

/// A predicate that may be tracked.
#[derive(Clone, Debug)]
pub struct Known {
    /// What it means.
    pub meaning: Meaning,
    /// In whose scope; none if only globals are in it.
    pub function: Option<FunctionId>,
    /// What holds where it holds.
    pub text: String,
    /// What holds where it does not.
    pub opposite: String,
    /// Where it comes from.
    pub origin: PredicateOrigin,
    /// The same as an expression of the program.
    pub condition: ExprId,
}

/// A failing run in whose terms predicates are looked for.
pub struct Scene<'a> {
    /// The program; expressions of predicates are added to it.
    pub program: &'a mut Program,
    /// The equation in whose terms the views are.
    pub equation: &'a mut Equation,
    /// What named scalars hold at each moment.
    pub views: &'a [View],
    /// The named scalars.
    pub named: &'a [Named],
    /// Their symbols.
    pub symbols: &'a Symbols,
    /// The failing run.
    pub failing: &'a Execution,
    /// The step of the claim that it violates.
    pub claim: usize,
    /// What a passing run keeps, each with the step at which it is decided.
    pub kept: &'a [(usize, Term)],
    /// Whether there is such a passing run.
    pub may_pass: bool,
    /// Passing runs that must differ from the failing one in more than the claim.
    pub apart: &'a [Execution],
    /// When to stop.
    pub stop: &'a Stop,
}

/// What was found.
pub struct Refined {
    /// Predicates and where they are tracked.
    pub predicates: Vec<(Known, BTreeSet<Location>)>,
    /// How often the abstract program was refined.
    pub refinements: usize,
    /// Where that came to no good end: why.
    pub trouble: Option<Trouble>,
    /// The last path that the abstract program took and no run takes, by the branches on it.
    pub last_excluded: Vec<Span>,
    /// Of the runs that were to be told apart: whether something differs in the last one before the claim.
    pub is_apart: bool,
}

/// Why refinement ended before its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Too many refinements, or too many predicates.
    Limit,
    /// Some path cannot be excluded by predicates over named variables.
    Unsayable,
    /// Time was over.
    Time,
}

/// Refinement under way.
struct Refinement<'a> {
    scene: Scene<'a>,
    definitions: Definitions,
    known: Vec<Known>,
    by_meaning: HashMap<Term, Option<usize>>,
    tracked: BTreeMap<usize, BTreeSet<Location>>,
    terms_at: HashMap<(usize, usize), Vec<Term>>,
    reality: Reality,
    refinements: usize,
    trouble: Option<Trouble>,
    /// Paths and runs that predicates cannot exclude: what must not be together.
    blocked: Vec<Vec<(Blocked, bool)>>,
    refuted: Vec<Refuted>,
    last_excluded: Vec<Span>,
}

#[derive(Clone, Copy, Debug)]
enum Blocked {
    Symbol(Term),
    Truth(Truth),
    Held(usize),
}

/// A path that was excluded.
struct Refuted {
    path: Path,
    kept: bool,
    given: Vec<(Truth, bool)>,
}

/// Finds the predicates that describe a failure. `given` are those that are tracked from the start, everywhere.
pub fn refine(scene: Scene<'_>, given: Vec<Known>) -> Refined {
    let definitions = Definitions::of(scene.equation);
    let reality = Reality::new(scene.equation, scene.stop);
    let mut refinement = Refinement {
        definitions,
        reality,
        known: Vec::new(),
        by_meaning: HashMap::new(),
        tracked: BTreeMap::new(),
        terms_at: HashMap::new(),
        refinements: 0,
        trouble: None,
        blocked: Vec::new(),
        refuted: Vec::new(),
        last_excluded: Vec::new(),
        scene,
    };
    for known in given {
        refinement.known.push(known);
        let everywhere = refinement.everywhere(refinement.known.len() - 1);
        refinement.tracked.insert(refinement.known.len() - 1, everywhere);
    }
    refinement.claim_itself();
    refinement.returned_values();
    refinement.failing_paths();
    if refinement.scene.may_pass {
        refinement.passing_runs();
    }
    refinement.drop_what_is_not_needed();
    let mut is_apart = true;
    for passing in refinement.scene.apart {
        is_apart = refinement.tell_apart(passing);
    }
    let Refinement { known, tracked, refinements, trouble, last_excluded, .. } = refinement;
    let predicates = tracked.into_iter().map(|(predicate, places)| (known[predicate].clone(), places)).collect();
    Refined { predicates, refinements, trouble, last_excluded, is_apart }
}

impl Refinement<'_> {
    fn location(&self, view: usize) -> Location {
        let step = &self.scene.equation.steps[self.scene.views[view].step];
        (step.function, step.span)
    }

    /// Every place where a predicate has a truth.
    fn everywhere(&mut self, predicate: usize) -> BTreeSet<Location> {
        let mut places = BTreeSet::new();
        for view in 0..self.scene.views.len() {
            if !self.terms_of(predicate, view).is_empty() {
                places.insert(self.location(view));
            }
        }
        places
    }

    /// What a predicate comes to at a moment, in every activation that it can be said in; constants left out.
    fn terms_of(&mut self, predicate: usize, view: usize) -> Vec<Term> {
        if let Some(known) = self.terms_at.get(&(predicate, view)) {
            return known.clone();
        }
        let seen = &self.scene.views[view];
        let terms = &mut self.scene.equation.terms;
        let known = &self.known[predicate];
        let mut found: Vec<Term> = match known.meaning {
            Meaning::Given(number) => {
                seen.given.iter().filter(|(at, _)| *at == number).map(|(_, term)| *term).collect()
            }
            Meaning::Over(template) => {
                let numbers: Vec<usize> =
                    terms.support(template).iter().map(|symbol| self.scene.symbols.number[symbol]).collect();
                let scopes = seen.scopes.iter().filter(|scope| scope.function == known.function);
                let mut found = Vec::new();
                for scope in scopes {
                    let held = numbers.iter().map(|number| {
                        let held = scope.held.get(number).or_else(|| seen.globals.get(number));
                        held.map(|term| (self.scene.symbols.all[*number], *term))
                    });
                    if let Some(by) = held.collect::<Option<HashMap<Term, Term>>>() {
                        found.push(terms.substitute(template, &by));
                    }
                }
                found
            }
        };
        found.retain(|term| terms.as_const(*term).is_none());
        found.sort_unstable();
        found.dedup();
        self.terms_at.insert((predicate, view), found.clone());
        found
    }

    /// Moments with truths that are tracked there. `also`: those of these predicates that are only tried.
    fn points(&mut self, also: &BTreeMap<usize, BTreeSet<usize>>) -> (Vec<Point>, Vec<Truth>) {
        let mut truths: Vec<Truth> = Vec::new();
        let mut number: HashMap<Truth, usize> = HashMap::new();
        let mut points = Vec::with_capacity(self.scene.views.len());
        for view in 0..self.scene.views.len() {
            let location = self.location(view);
            let here = self.tracked.iter().filter(|(_, places)| places.contains(&location)).map(|(p, _)| *p);
            let tried = also.iter().filter(|(_, views)| views.contains(&view)).map(|(p, _)| *p);
            let predicates: BTreeSet<usize> = here.chain(tried).collect();
            let mut tracked = Vec::new();
            for predicate in predicates {
                for term in self.terms_of(predicate, view) {
                    let truth = Truth { predicate, term };
                    tracked.push(*number.entry(truth).or_insert_with(|| {
                        truths.push(truth);
                        truths.len() - 1
                    }));
                }
            }
            let View { step, guard, previous, .. } = &self.scene.views[view];
            points.push(Point { step: *step, guard: *guard, previous: previous.clone(), tracked });
        }
        (points, truths)
    }

    fn abstraction(&mut self, points: &[Point], truths: &[Truth]) -> Abstraction {
        let (kept, stop) = (self.scene.kept, self.scene.stop);
        let mut made = Abstraction::new(self.scene.equation, points, truths, kept, stop);
        for block in &self.blocked {
            let mut clause = Vec::new();
            for (what, value) in block {
                let literal = match what {
                    Blocked::Symbol(symbol) => made.blaster.literal(&self.scene.equation.terms, *symbol),
                    Blocked::Truth(truth) => match truths.iter().position(|known| known == truth) {
                        Some(truth) => made.literal(self.scene.equation, truth),
                        None => continue,
                    },
                    Blocked::Held(step) => match made.held.iter().find(|(at, _)| at == step) {
                        Some((_, literal)) => *literal,
                        None => continue,
                    },
                };
                clause.push(literal.negate_if(*value));
            }
            made.blaster.solver.add_clause(&clause);
        }
        made
    }

    /// The claim's own condition is what the explanation is about.
    fn claim_itself(&mut self) {
        let StepKind::Claim { condition, .. } = self.scene.equation.steps[self.scene.claim].kind else { return };
        let Some(view) = self.scene.views.iter().position(|view| view.step == self.scene.claim) else { return };
        let location = self.location(view);
        for predicate in self.say(view, &HashMap::new(), &[condition], PredicateOrigin::Claim) {
            self.tracked.entry(predicate).or_default().insert(location);
        }
    }

    /// The ways to say some conditions at a moment: predicates, those that are new included.
    fn say(
        &mut self,
        view: usize,
        path: &HashMap<Term, bool>,
        conditions: &[Term],
        origin: PredicateOrigin,
    ) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut left: Vec<Term> = conditions.to_vec();
        let scopes = self.scene.views[view].scopes.len();
        // The innermost scope in which a condition can be said.
        for scope in (0..scopes).rev() {
            let seen = &self.scene.views[view];
            let globals = seen.globals.iter().map(|(number, term)| (*number, *term));
            let held = seen.scopes[scope].held.iter().map(|(number, term)| (*number, *term)).chain(globals);
            let held: Vec<(usize, Term)> = held.collect();
            let terms = &mut self.scene.equation.terms;
            let holders = Holders::new(terms, self.scene.symbols, held.into_iter());
            let mut unsaid = Vec::new();
            for condition in left {
                let mut sayer = Sayer::new(self.scene.equation, &self.definitions, path, &holders);
                let atoms = sayer.atoms(condition);
                let said: Vec<usize> = atoms.into_iter().filter_map(|atom| self.know(atom, origin)).collect();
                if said.is_empty() {
                    unsaid.push(condition);
                }
                found.extend(said);
            }
            left = unsaid;
        }
        found
    }

    /// The predicate of an atom; none if it is not for people.
    fn know(&mut self, atom: Term, origin: PredicateOrigin) -> Option<usize> {
        if let Some(known) = self.by_meaning.get(&atom) {
            return *known;
        }
        let known = self.know_anew(atom, origin).map(|known| {
            self.known.push(known);
            self.known.len() - 1
        });
        self.by_meaning.insert(atom, known);
        known
    }

    fn know_anew(&mut self, atom: Term, origin: PredicateOrigin) -> Option<Known> {
        let Scene { program, equation, named, symbols, .. } = &mut self.scene;
        let support = equation.terms.support(atom);
        let numbers: Vec<usize> =
            support.iter().map(|symbol| symbols.number.get(symbol).copied()).collect::<Option<_>>()?;
        if numbers.is_empty() {
            return None;
        }
        let function = numbers.iter().find_map(|number| named[*number].function);
        let (text, opposite) = express::texts(program, &equation.terms, named, symbols, atom)?;
        let condition = express::expression(program, &equation.terms, named, symbols, atom)?;
        Some(Known { meaning: Meaning::Over(atom), function, text, opposite, origin, condition })
    }

    fn limit_reached(&mut self) -> bool {
        if self.scene.stop.requested() {
            self.trouble = Some(Trouble::Time);
        } else if self.refinements >= MOST_REFINEMENTS || self.tracked.len() >= MOST_PREDICATES {
            self.trouble = Some(Trouble::Limit);
        }
        self.trouble.is_some_and(|trouble| trouble != Trouble::Unsayable)
    }

    /// Until the abstract program fails only as the program does, or at least where it was asked.
    fn failing_paths(&mut self) {
        let claim = self.scene.claim;
        while !self.limit_reached() {
            let (points, truths) = self.points(&BTreeMap::new());
            let mut abstraction = self.abstraction(&points, &truths);
            let assumed: Vec<Lit> = abstraction
                .held
                .iter()
                .filter(|(step, _)| *step <= claim)
                .map(|(step, literal)| literal.negate_if(*step == claim))
                .collect();
            match abstraction.blaster.solver.solve(&assumed) {
                Outcome::Sat => {}
                // Cannot be, as the failing run is one; with time over it may.
                Outcome::Unsat | Outcome::Interrupted => return,
            }
            let model = abstraction.blaster.solver.model();
            let path = Path::of(self.scene.equation, &mut abstraction, &model, Some(claim));
            if !self.exclude(&path, &points, &truths, &[]) {
                return;
            }
        }
    }

    /// Until the nearest passing run of the abstract program is one of the program's.
    fn passing_runs(&mut self) {
        let claim = self.scene.claim;
        while !self.limit_reached() {
            let (points, truths) = self.points(&BTreeMap::new());
            let mut abstraction = self.abstraction(&points, &truths);
            let run = Compared { failing: self.scene.failing, claim, points: &points, truths: &truths };
            let stop = self.scene.stop;
            let equation = &mut *self.scene.equation;
            let counted = nearest::counted(equation, &points, &truths, claim, run.failing);
            let nearest = nearest::cheapest(equation, &mut abstraction, &run, &counted, MOST_CONFLICTS, stop);
            let Some(model) = nearest.model else { return };
            let path = Path::of(self.scene.equation, &mut abstraction, &model, None);
            let given = abstraction.values(self.scene.equation, &model);
            if !self.exclude(&path, &points, &truths, &given) {
                return;
            }
        }
    }

    /// Makes a path impossible that no run takes. False if some run takes it, or there was no time.
    fn exclude(&mut self, path: &Path, points: &[Point], truths: &[Truth], given: &[bool]) -> bool {
        let given = path.tracked(self.scene.equation, points, given);
        let parts = path.parts(self.scene.equation, truths, &given, self.scene.kept);
        let core = match self.reality.judge(self.scene.equation, &parts) {
            Verdict::Possible => return false,
            Verdict::Unknown => {
                self.trouble = Some(Trouble::Time);
                return false;
            }
            Verdict::Impossible(core) => core,
        };
        self.refinements += 1;
        self.last_excluded = self.branches(path, points);
        let reasons = path::reasons(self.scene.equation, path, &parts, self.scene.stop);
        let given = given.iter().filter(|(truth, _)| {
            let truth = Part::Truth(*truth);
            core.contains(&truth) || reasons.contains(&truth)
        });
        let given = given.map(|(truth, value)| (truths[*truth], *value)).collect();
        let refuted = Refuted { path: path.clone(), kept: path.fails.is_none(), given };
        if self.learn(&refuted, &reasons, truths) {
            self.refuted.push(refuted);
        } else {
            self.block(path, &core, truths, &refuted.given);
        }
        true
    }

    /// The branches on a path, in order.
    fn branches(&mut self, path: &Path, points: &[Point]) -> Vec<Span> {
        let route = path::moments(self.scene.equation, points, path);
        let steps = route.iter().map(|point| &self.scene.equation.steps[points[*point].step]);
        steps.filter(|step| matches!(step.kind, StepKind::Guard { .. })).map(|step| step.span).collect()
    }

    /// The terms that are decided by parts of a path.
    fn conditions(&self, core: &[Part], truths: &[Truth]) -> Vec<Term> {
        let steps = &self.scene.equation.steps;
        let mut found: Vec<Term> = core
            .iter()
            .filter_map(|part| match part {
                Part::Branch(step) | Part::Held(step) => match steps[*step].kind {
                    StepKind::Guard { condition, .. }
                    | StepKind::Assume { condition }
                    | StepKind::Claim { condition, .. } => Some(condition),
                    _ => None,
                },
                Part::Kept(number) => Some(self.scene.kept[*number].1),
                Part::Truth(truth) => Some(truths[*truth].term),
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Finds predicates that exclude a path, and tracks them where they are needed. False if there are none.
    fn learn(&mut self, refuted: &Refuted, core: &[Part], truths: &[Truth]) -> bool {
        let conditions = self.conditions(core, truths);
        let nothing = BTreeMap::new();
        let (points, _) = self.points(&nothing);
        let route = path::moments(self.scene.equation, &points, &refuted.path);
        let mut candidates: BTreeSet<usize> = BTreeSet::new();
        for view in &route {
            candidates.extend(self.say(*view, &refuted.path.taken, &conditions, PredicateOrigin::Refinement));
        }
        let on_route: BTreeSet<usize> = route.iter().copied().collect();
        let also: BTreeMap<usize, BTreeSet<usize>> =
            candidates.iter().map(|predicate| (*predicate, on_route.clone())).collect();
        let free = self.pairs();
        let Some(needed) = self.refutation(refuted, &also, &free) else { return false };
        let mut added = false;
        for (predicate, place) in needed {
            added |= self.tracked.entry(predicate).or_default().insert(place);
        }
        added
    }

    /// What is tracked where.
    fn pairs(&self) -> BTreeSet<Pair> {
        let tracked = self.tracked.iter();
        tracked.flat_map(|(predicate, places)| places.iter().map(|place| (*predicate, *place))).collect()
    }

    /// What excludes a path, of what is tracked and what is tried, besides what is `free`.
    fn refutation(
        &mut self,
        refuted: &Refuted,
        also: &BTreeMap<usize, BTreeSet<usize>>,
        free: &BTreeSet<Pair>,
    ) -> Option<Vec<Pair>> {
        let (points, truths) = self.points(also);
        let places: Vec<Location> = (0..points.len()).map(|view| self.location(view)).collect();
        let given: Vec<(usize, bool)> = refuted
            .given
            .iter()
            .filter_map(|(truth, value)| Some((truths.iter().position(|known| known == truth)?, *value)))
            .collect();
        // Long ones and late ones go first.
        let predicates: BTreeSet<usize> = truths.iter().map(|truth| truth.predicate).collect();
        let mut dear: Vec<usize> = predicates.into_iter().collect();
        dear.sort_by_key(|predicate| {
            let is_new = !self.tracked.contains_key(predicate);
            std::cmp::Reverse((is_new, self.known[*predicate].text.len(), *predicate))
        });
        let spurious = Spurious {
            points: &points,
            places: &places,
            truths: &truths,
            path: &refuted.path,
            kept: if refuted.kept { self.scene.kept } else { &[] },
            given: &given,
            free,
            dear: &dear,
        };
        refute::refute(self.scene.equation, &spurious, self.scene.stop)
    }

    /// Excludes what predicates cannot.
    fn block(&mut self, path: &Path, core: &[Part], truths: &[Truth], given: &[(Truth, bool)]) {
        let mut block = Vec::new();
        for part in core {
            match part {
                Part::Branch(step) => {
                    if let StepKind::Guard { variable, .. } = self.scene.equation.steps[*step].kind {
                        let symbol = self.scene.equation.symbol(variable);
                        block.push((Blocked::Symbol(symbol), path.taken[&symbol]));
                    }
                }
                Part::Held(step) => block.push((Blocked::Held(*step), path.fails != Some(*step))),
                Part::Truth(truth) => {
                    let value = given.iter().find(|(known, _)| *known == truths[*truth]).is_some_and(|(_, v)| *v);
                    block.push((Blocked::Truth(truths[*truth]), value));
                }
                // It holds in every passing run that is looked for, and no other run is.
                Part::Kept(_) => {}
            }
        }
        self.trouble = self.trouble.or(Some(Trouble::Unsayable));
        self.blocked.push(block);
    }

    /// A run that was excluded by what it says of predicates cannot even be told without these, where it says it last.
    fn told(&mut self, refuted: &Refuted) -> Vec<Pair> {
        let (points, _) = self.points(&BTreeMap::new());
        let route = path::moments(self.scene.equation, &points, &refuted.path);
        let mut told = Vec::new();
        for (Truth { predicate, term }, _) in &refuted.given {
            let is_tracked = |view: &usize| {
                let places = self.tracked.get(predicate);
                places.is_some_and(|places| places.contains(&self.location(*view)))
            };
            let tracked: Vec<usize> = route.iter().copied().filter(is_tracked).collect();
            let last = tracked.into_iter().rev().find(|view| self.terms_of(*predicate, *view).contains(term));
            told.extend(last.map(|view| (*predicate, self.location(view))));
        }
        told
    }

    /// What is needed to exclude every path that was excluded; the rest is not tracked any more.
    fn drop_what_is_not_needed(&mut self) {
        let nothing = BTreeMap::new();
        let mut needed: BTreeSet<Pair> = self.pairs();
        needed.retain(|(predicate, _)| self.known[*predicate].origin != PredicateOrigin::Refinement);
        let refuted = std::mem::take(&mut self.refuted);
        for path in refuted.iter().rev() {
            needed.extend(self.told(path));
            match self.refutation(path, &nothing, &needed) {
                Some(more) => needed.extend(more),
                // No time is left to find out.
                None => return,
            }
        }
        self.tracked.clear();
        for (predicate, place) in needed {
            self.tracked.entry(predicate).or_default().insert(place);
        }
    }
}
