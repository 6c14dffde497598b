//! Nearer passing runs beyond the bound of the failing one.
//!
//! A passing run may go round a loop more often than the failing run. As long as a run beyond the bound may be nearer
//! than the best so far ([`method::depth`](crate::method::depth)), the bounds that it hits grow, and the nearest run is
//! looked for again. The distance of two runs does not depend on the bound, and a greater bound only adds runs: so the
//! nearest at some bound is the nearest of all depths up to there.
//!
//! Where the user says how deep (`--depth`), a passing run takes so many turns of a loop more than the failing one, or fewer,
//! and none beyond is looked for.

use std::collections::BTreeMap;

use super::{Failure, Scene, Wanted, Way};
use crate::bounds::Bounds;
use crate::check::{CheckError, Progress};
use crate::equation::{Bound, Step, StepKind, Turn};
use crate::method::depth::{self, Beyond};
use crate::method::nearest::Answer;
use nearmiss_logic::stop::Stop;

/// Beyond the bound of the failing run, so many rounds of unwinding are tried.
const MOST_ROUNDS: u32 = 12;
/// Equations beyond the bound have at most so many steps.
const MOST_STEPS: usize = 20_000;

/// What is known of runs beyond the bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// None there is nearer.
    Settled,
    /// The bound is the user's: nobody asks what is beyond.
    Given,
    /// Not known; none is nearer than this.
    Open(u64),
}

/// How deep it was looked so far.
struct Deepening {
    /// Where the nearest run was found.
    best: Scene,
    best_way: Way,
    /// Deeper than the best, and without a nearer run.
    frontier: Option<Scene>,
}

impl Failure<'_> {
    /// Looks beyond the bound as long as a nearer run may be there.
    pub(super) fn deepen(
        &self,
        scene: Scene,
        way: Way,
        stop: &Stop,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Scene, Way, Depth), CheckError> {
        let mut so_far = Deepening { best: scene, best_way: way, frontier: None };
        let is_found = matches!(so_far.best_way.answer, Answer::Found(_));
        let is_given = self.options.depth.is_some() || self.options.within_bound == Wanted::Yes;
        if is_given || is_found && so_far.best.is_as_asked() {
            return Ok(so_far.end(Depth::Given));
        }
        let mut known = 0;
        for round in 0.. {
            if matches!(so_far.best_way.answer, Answer::Unknown) {
                break;
            }
            // A run in which nothing is asked for is taken only if there is no other.
            let distance = so_far.best_way.distance().filter(|_| !self.avoids(&so_far.best_way));
            let hit = match self.beyond(&mut so_far, distance, stop) {
                Beyond::Nothing => return Ok(so_far.end(Depth::Settled)),
                Beyond::Unknown => break,
                Beyond::Something { lower_bound, hit } => {
                    known = lower_bound;
                    hit
                }
            };
            let bounds = match more_room(so_far.deepest(), &hit, distance.map(|_| 1 + round / 2)) {
                Ok(bounds) => bounds,
                Err(Stuck::Asked) => return Ok(so_far.end(Depth::Given)),
                Err(Stuck::TooDeep) => return Ok(so_far.end(Depth::Open(known))),
            };
            if round >= MOST_ROUNDS {
                break;
            }
            let Some(mut next) = self.scene(bounds)? else { break };
            if next.equation.steps.len() > MOST_STEPS {
                break;
            }
            let way = self.nearest(&mut next, stop, progress)?;
            if self.is_nearer(&way, &so_far.best_way) {
                so_far = Deepening { best: next, best_way: way, frontier: None };
            } else {
                so_far.frontier = Some(next);
            }
        }
        let settled = so_far.best_way.distance().is_some_and(|distance| known >= distance);
        Ok(so_far.end(if settled { Depth::Settled } else { Depth::Open(known) }))
    }

    /// The scene that is as deep as the user wants, in which no run is deeper.
    pub(super) fn as_deep_as_wanted(&self, mut scene: Scene) -> Result<Option<Scene>, CheckError> {
        let Some(further) = self.options.depth else { return Ok(Some(scene)) };
        loop {
            let turns = own_turns(&scene);
            let most = |of: &Bound| turns.get(of).copied().unwrap_or(1).saturating_add(further);
            let mut bounds = scene.bounds.clone();
            let hit = scene.equation.bounds_hit.iter().map(|(bound, ..)| bound);
            if hit.filter(|bound| bounds.at_least(bound, most(bound))).count() == 0 {
                let equation = &mut scene.equation;
                let beyond: Vec<Turn> =
                    equation.turns.iter().filter(|turn| turn.number > most(&turn.of)).cloned().collect();
                for turn in beyond {
                    let condition = equation.terms.fals();
                    let Step { span, function, depth, .. } = equation.steps[scene.claim];
                    let kind = StepKind::Assume { condition };
                    equation.steps.push(Step {
                        guard: turn.guard,
                        span,
                        function,
                        depth,
                        turn: None,
                        tally: None,
                        kind,
                    });
                }
                (scene.failing, _) = self.failing(&scene.equation)?;
                return Ok(Some(scene));
            }
            let Some(deeper) = self.scene(bounds)? else { return Ok(None) };
            scene = deeper;
        }
    }

    /// Is there a run beyond the greatest depth so far that may be nearer than the best?
    fn beyond(&self, so_far: &mut Deepening, distance: Option<u64>, stop: &Stop) -> Beyond {
        let (scene, demands) = match &mut so_far.frontier {
            Some(scene) => (scene, Vec::new()),
            None => (&mut so_far.best, so_far.best_way.demands()),
        };
        let orders = self.orders(scene, distance);
        let Scene { equation, failing, counted, aligned, .. } = scene;
        for closed in &orders {
            let beyond = depth::beyond(equation, failing, counted, aligned.as_ref(), &demands, closed, distance, stop);
            if !matches!(beyond, Beyond::Nothing) {
                return beyond;
            }
        }
        Beyond::Nothing
    }

    /// Which bounds runs must not go beyond, question by question.
    ///
    /// A bound that must not grow hides none that may: runs that go beyond it are asked for last. While no run satisfies
    /// a formula, none of its endless loops hides an inner one: those that have grown least come first.
    fn orders(&self, scene: &Scene, distance: Option<u64>) -> Vec<Vec<u32>> {
        let (bounds, hit) = (&scene.bounds, &scene.equation.bounds_hit);
        let all = 0..hit.len() as u32;
        let is_closed = |which: &u32| !bounds.may_grow(&hit[*which as usize].0);
        let mut orders: Vec<Vec<u32>> = vec![all.clone().filter(is_closed).collect()];
        if self.is_formula() && distance.is_none() {
            let most_grown = |which: &u32| bounds.has_grown_most(hit, *which as usize);
            orders.insert(0, all.filter(most_grown).collect());
        }
        orders.push(Vec::new());
        orders.dedup();
        orders.retain(|closed| closed.len() < hit.len());
        orders
    }

    /// Does a passing run only come about because nothing is asked of it?
    fn avoids(&self, way: &Way) -> bool {
        self.is_formula() && way.only_avoidance
    }

    /// Is the first a better passing run than the second?
    fn is_nearer(&self, new: &Way, old: &Way) -> bool {
        match (new.distance(), old.distance()) {
            (Some(_), Some(_)) if self.avoids(new) != self.avoids(old) => self.avoids(old),
            (Some(new), Some(old)) => new < old,
            (new, _) => new.is_some(),
        }
    }
}

impl Deepening {
    fn deepest(&self) -> &Scene {
        self.frontier.as_ref().unwrap_or(&self.best)
    }

    fn end(self, depth: Depth) -> (Scene, Way, Depth) {
        (self.best, self.best_way, depth)
    }
}

impl Scene {
    /// Has the user said of everything that some run wants more of how far it goes?
    fn is_as_asked(&self) -> bool {
        let mut hit = self.equation.bounds_hit.iter().map(|(bound, ..)| bound);
        hit.all(|bound| *bound != Bound::Depth && !self.bounds.may_grow(bound))
    }
}

/// How many turns the failing run takes of each loop and recursion, where it is more than one.
fn own_turns(scene: &Scene) -> BTreeMap<Bound, u32> {
    let mut turns = BTreeMap::new();
    let taken = scene.equation.turns.iter().filter(|turn| turn.start <= scene.claim);
    for turn in taken.filter(|turn| scene.failing.meets(&scene.equation, turn.guard)) {
        let most = turns.entry(turn.of.clone()).or_insert(turn.number);
        *most = turn.number.max(*most);
    }
    turns
}

/// Why no bound can grow.
enum Stuck {
    /// They are as the user wants them.
    Asked,
    /// Calls are nested as deeply as we go.
    TooDeep,
}

/// Bounds with more room where some run wants it.
fn more_room(scene: &Scene, hit: &[u32], some: Option<u32>) -> Result<Bounds, Stuck> {
    let hit = hit.iter().map(|hit| &scene.equation.bounds_hit[*hit as usize].0);
    let (may, must_not): (Vec<_>, Vec<_>) = hit.partition(|bound| scene.bounds.may_grow(bound));
    if may.is_empty() {
        let given = must_not.iter().all(|bound| **bound != Bound::Depth);
        return Err(if given { Stuck::Asked } else { Stuck::TooDeep });
    }
    let mut bounds = scene.bounds.clone();
    for bound in may {
        // Some more rounds where that may help, many more where there is nothing yet.
        match some {
            Some(rounds) => bounds.grow_by(bound, rounds),
            None => bounds.grow(bound),
        }
    }
    Ok(bounds)
}
