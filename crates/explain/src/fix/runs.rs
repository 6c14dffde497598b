//! The runs that edits are executed on.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use nearmiss_logic::stop::Stop;
use nearmiss_logic::width::low_bits;
use nearmiss_program::c::edit::{Edit, Editable};
use nearmiss_program::interp::{self, Deed, Execution, Interpreter, Limits, Oracle, Recording};
use nearmiss_program::program::{
    Claim, ClaimId, ClaimKind, Expr, ExprId, ExprKind, Program, Site, SiteId, StatementKind, Type, TypeId,
};
use nearmiss_program::run::{Content, Inputs, Outcome, RunStepKind};
use nearmiss_program::source::{FileId, Sources, Span};

use super::reached::{Reached, Tally};
use super::{FixOptions, Survivor};
use crate::chance::Chance;
use crate::check;
use crate::explanation::{TestRun, Wrong};
use crate::trials;

/// So many runs with inputs by chance are tried.
const CHANCES: u64 = 60;
/// So many runs are made of known ones, of so many of these.
const NEIGHBOURS: usize = 400;
const MOST_SEEDS: usize = 12;
/// So many steps more than the original an edited program may take, and so many times as many: a run that failed early goes on when it is mended.
/// A long one is not followed that much further.
const MORE_STEPS: u64 = 20_000;
const TIMES_STEPS: u64 = 8;
const TIMES_STEPS_OF_LONG: u64 = 2;
const LONG: u64 = 50_000;
/// A test that does not end would take so many, if it did, where no test passes that takes more.
const FEW_STEPS: u64 = 3_000;
/// Runs by chance that take more steps are left out.
const MOST_STEPS: u64 = 20_000;
/// So many runs are made of known ones to refute an edit, and they take so many steps together.
const ATTACKS: usize = 200;
const STEPS_OF_ATTACKS: u64 = 60_000;
/// Fewer passing runs say nothing of how much an edit changes.
const FEW_PASSING: usize = 8;
/// Where sequences of changes begin.
const NEIGHBOURING: u64 = 0x2545_f491_4f6c_dd1d;
const ATTACKING: u64 = 0x9e6c_63d0_876a_3f6b;

/// So many failing runs are told apart where edits are put together.
pub(super) const MOST_TOLD_APART: usize = 32;

/// A run of the original program.
struct Known {
    inputs: Inputs,
    /// Contents of undefined objects, by what stands in the text.
    contents: Vec<(SiteKey, u32, Vec<Content>)>,
    fails: bool,
    steps: u64,
    /// So many more it may take in an edited program.
    more: u64,
    /// What it does, if it passes.
    deeds: Vec<Deed>,
}

/// What tells a site in another program.
struct SiteKey {
    span: Span,
    name: String,
    function: String,
}

impl SiteKey {
    fn of(site: &Site) -> SiteKey {
        SiteKey { span: site.span, name: site.name.clone(), function: site.function.clone() }
    }

    fn is(&self, site: &Site) -> bool {
        self.span == site.span && self.name == site.name && self.function == site.function
    }
}

/// The runs so far.
pub(super) struct Runs {
    known: Vec<Known>,
    /// The claim that is violated, by what stands in the text.
    claim: (Span, ClaimKind),
    /// Whether a run that violates it must still come to it.
    must_come: bool,
    /// Whether some run must.
    some_comes: bool,
    /// Other claims that were violated before: a run that got as far as one of them is not to blame.
    pub(super) open: Vec<(Span, ClaimKind)>,
    /// The claims that were asked for.
    pub(super) named: Named,
    /// Numbers that the text has.
    numbers: Vec<u128>,
    /// What all of them execute.
    tally: Tally,
    reached: Reached,
}

/// What an edit does to the known runs.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Effect {
    /// How many passing ones do something else.
    pub(super) changed: usize,
    /// What it adds to the price that statements are not executed any more.
    pub(super) loss: u32,
}

/// What all known runs do with an edit.
#[derive(Default)]
struct DoneByAll {
    /// How many passing ones do something else.
    changed: usize,
    /// What they execute.
    tally: Tally,
}

/// Edits that were executed.
#[derive(Default)]
pub(super) struct Executed<'e> {
    /// Those that no run speaks against.
    pub(super) found: Vec<(&'e Edit, Effect)>,
    /// How many were executed.
    pub(super) number: usize,
    /// How many steps that took.
    pub(super) steps: u64,
}

impl Executed<'_> {
    fn add(&mut self, steps: u64) {
        self.number += 1;
        self.steps += steps;
    }
}

impl Runs {
    /// The failing run.
    pub(super) fn of(program: &Program, claim: ClaimId, failing: &Inputs, named: Named, numbers: Vec<u128>) -> Runs {
        let of = &program.claims[claim.index()];
        let mut runs = Runs {
            known: Vec::new(),
            claim: (of.span, of.kind),
            must_come: true,
            some_comes: true,
            open: Vec::new(),
            named,
            numbers,
            tally: Tally::default(),
            reached: Reached::default(),
        };
        // What is violated wherever it is come to is only passed by not coming there.
        // The same is true of what C forbids: a guard before a division is a fix.
        let is_written = of.kind == ClaimKind::Assertion;
        if !is_written || of.text == "0" || of.text == "false" || of.text.ends_with("() is not called") {
            (runs.must_come, runs.some_comes) = (false, false);
        }
        runs.push(program, failing);
        runs
    }

    /// Runs that are given, and nothing else is asked for; the failing ones come first.
    pub(super) fn given(program: &Program, tests: &[TestRun], stop: &Stop) -> Runs {
        let limits = trials::limits(stop);
        let mut tally = Tally::default();
        let known = |test: &TestRun| {
            let execution = Interpreter::new(program).execute(&test.inputs, &limits, Recording::Deeds);
            tally.add(&execution, test.wrong.is_some());
            let inputs = test.inputs.clone();
            let contents = contents_of(program, &inputs);
            let (fails, steps, more) = (test.wrong.is_some(), execution.steps, MORE_STEPS);
            Known { inputs, contents, fails, steps, more, deeds: execution.deeds }
        };
        let mut known: Vec<Known> = tests.iter().map(known).collect();
        // One that does not end may take as long as the others.
        let longest = known.iter().filter(|known| !known.fails).map(|known| known.steps).max().unwrap_or(0);
        for (known, test) in known.iter_mut().zip(tests) {
            // One that ends too early had better not take much longer than those that pass: most edits that do never end.
            if longest > 0 {
                known.more = (longest * TIMES_STEPS + FEW_STEPS).min(MORE_STEPS);
            }
            if test.wrong == Some(Wrong::Endless) {
                known.steps = longest.max(FEW_STEPS);
            }
        }
        // The shorter ones speak against most edits already.
        known.sort_by_key(|known| (!known.fails, known.steps));
        let nowhere = (program.function(program.entry).span, ClaimKind::Output);
        let (named, open, numbers) = (Named(None), Vec::new(), Vec::new());
        let reached = tally.reached(program);
        let (claim, must_come, some_comes) = (nowhere, false, false);
        Runs { known, claim, must_come, some_comes, open, named, numbers, tally, reached }
    }

    /// How far a known run is followed in an edited program.
    fn limits(known: &Known) -> Limits {
        let steps = (known.steps * TIMES_STEPS).min(LONG * TIMES_STEPS).max(known.steps * TIMES_STEPS_OF_LONG);
        Limits { steps: steps + known.more, ..Limits::default() }
    }

    /// Where the claim is in code that is not edited, whether that asks is a part of what it says.
    pub(super) fn asked_by_others(&mut self) {
        self.must_come = false;
    }

    /// Whether some run of an edited program comes to the claim, if one must.
    pub(super) fn is_asked_in(&self, edited: &Program) -> bool {
        let narrowed = self.named.narrowed(edited);
        let edited = narrowed.as_ref().unwrap_or(edited);
        let (interpreter, claims) = (Interpreter::new(edited), self.claims_of(edited));
        !self.some_comes || self.known.iter().any(|known| self.comes(&interpreter, &claims, known))
    }

    /// Whether some failing run of the program does not come to the claim with the edit, though one should.
    pub(super) fn avoids(&self, edited: &Program) -> bool {
        let narrowed = self.named.narrowed(edited);
        let edited = narrowed.as_ref().unwrap_or(edited);
        let (interpreter, claims) = (Interpreter::new(edited), self.claims_of(edited));
        let avoids = |known: &&Known| !self.comes(&interpreter, &claims, known);
        self.some_comes && self.known.iter().filter(|known| known.fails).any(|known| avoids(&known))
    }

    /// Whether a run of an edited program comes to one of some claims.
    fn comes(&self, interpreter: &Interpreter, claims: &[usize], known: &Known) -> bool {
        let inputs = known.inputs_of(interpreter.program());
        let come = interpreter.execute(&inputs, &Self::limits(known), Recording::Outcome).come;
        claims.iter().any(|claim| come[*claim])
    }

    /// An edited program in which the claim is violated wherever it is come to, and the number of the claim; none if it is gone.
    pub(super) fn with_claim_false(&self, edited: &Program) -> Option<(Program, usize)> {
        let claims = self.claims_of(edited);
        let mut program = edited.clone();
        let statements =
            program.functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.statements);
        let truth = statements.into_iter().find_map(|statement| match statement.kind {
            StatementKind::Claim { condition, .. } => Some(*program.expr(condition)),
            _ => None,
        })?;
        let never = ExprId(program.exprs.len() as u32);
        program.exprs.push(Expr { kind: ExprKind::Const(0), ..truth });
        for block in program.functions.iter_mut().flat_map(|function| &mut function.blocks) {
            for statement in &mut block.statements {
                if let StatementKind::Claim { claim, condition, .. } = &mut statement.kind
                    && claims.contains(&claim.index())
                {
                    *condition = never;
                }
            }
        }
        claims.first().map(|claim| (program, *claim))
    }

    fn push(&mut self, program: &Program, inputs: &Inputs) {
        let inputs = &as_taken(program, inputs);
        let execution = Interpreter::new(program).execute(inputs, &Limits::default(), Recording::Deeds);
        let fails = match execution.run.outcome {
            Outcome::Finished => false,
            Outcome::Violated(_) => true,
            _ => return,
        };
        let contents = contents_of(program, inputs);
        let mut inputs = inputs.clone();
        inputs.calls.truncate(execution.taken);
        let is_known = |known: &Known| known.inputs == inputs;
        // Inputs that nobody asks for make no other run.
        if !self.known.iter().any(is_known) {
            self.tally.add(&execution, fails);
            self.reached = self.tally.reached(program);
            let (steps, deeds) = (execution.steps, execution.deeds);
            self.known.push(Known { inputs, contents, fails, steps, more: MORE_STEPS, deeds });
        }
    }

    /// Takes away edits that change most of the runs that pass beside a crash file: what rejects nearly everything mends any crash. Says how many.
    pub(super) fn set_aside(&self, survivors: &mut Vec<Survivor>, options: &FixOptions) -> usize {
        let (before, passing) = (survivors.len(), self.passing());
        if !options.beside.is_empty() && passing >= FEW_PASSING {
            survivors.retain(|survivor| survivor.effect.changed * 2 <= passing);
        }
        before - survivors.len()
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn passing(&self) -> usize {
        self.known.iter().filter(|known| !known.fails).count()
    }

    /// Adds a run of the original program that passes.
    pub(super) fn add_passing(&mut self, program: &Program, inputs: &Inputs) {
        if inputs.closing.is_none() {
            self.push(program, inputs);
        }
    }

    /// Adds runs with inputs by chance, those that fail too.
    pub(super) fn add_by_chance(&mut self, program: &Program, most: (usize, usize), tries: usize) {
        let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
        for seed in 0..CHANCES.min(tries as u64) {
            let passing = self.passing();
            let is_enough = [passing >= most.0, self.len() - passing >= most.1];
            let mut chance = Chance::new(program, 0x9e37_79b9_7f4a_7c15 ^ (seed << 32 | seed), seed < 8);
            let outcome = Interpreter::new(program).ask(&mut chance, &limits).run.outcome;
            let inputs = chance.drawn;
            match outcome {
                Outcome::Finished if !is_enough[0] => self.add_passing(program, &inputs),
                Outcome::Violated(claim) if !is_enough[1] && self.is_meant(program, claim) => {
                    self.push(program, &inputs);
                }
                _ => {}
            }
        }
    }

    /// Adds runs whose inputs are those of known runs but for one or two, which are numbers of the text, or one beside.
    pub(super) fn add_neighbours(&mut self, program: &Program, most: (usize, usize), tries: usize) {
        let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
        let seeds: Vec<Inputs> = self.known.iter().take(MOST_SEEDS).map(|known| known.inputs.clone()).collect();
        let mut chance = Chance::new(program, NEIGHBOURING, false);
        let (mut passing, mut failing) = (self.passing(), self.len() - self.passing());
        for number in 0..NEIGHBOURS.min(tries) {
            let mut inputs = seeds[number % seeds.len()].clone();
            for _ in 0..1 + chance.random() % 2 {
                chance.change(&mut inputs, &self.numbers);
            }
            let outcome = Interpreter::new(program).execute(&inputs, &limits, Recording::Outcome).run.outcome;
            match outcome {
                Outcome::Finished if passing < most.0 => {
                    self.add_passing(program, &inputs);
                    passing += 1;
                }
                Outcome::Violated(claim) if failing < most.1 && self.is_meant(program, claim) => {
                    self.push(program, &inputs);
                    failing += 1;
                }
                _ => {}
            }
        }
    }

    /// The lines that every failing run executes.
    pub(super) fn executed(&self, program: &Program, sources: &Sources) -> HashSet<(FileId, u32)> {
        let common = |a: HashSet<_>, b: HashSet<_>| a.intersection(&b).copied().collect();
        self.executed_by_each(program, sources).into_iter().reduce(common).unwrap_or_default()
    }

    /// The lines that some failing run executes.
    pub(super) fn executed_by_some(&self, program: &Program, sources: &Sources) -> HashSet<(FileId, u32)> {
        self.executed_by_each(program, sources).into_iter().flatten().collect()
    }

    /// The lines that each failing run executes.
    pub(super) fn executed_by_each(&self, program: &Program, sources: &Sources) -> Vec<HashSet<(FileId, u32)>> {
        let interpreter = Interpreter::new(program);
        let lines = self.known.iter().filter(|known| known.fails).map(|known| {
            // One that does not end is long enough to have been everywhere.
            let limits = Limits { steps: known.steps + MOST_STEPS, ..Limits::default() };
            let (_, trace) = interpreter.follow(&known.inputs, &limits);
            let mut here = HashSet::new();
            for event in &trace.events {
                let (first, last) = (event.span.start, event.span.end);
                let of = |at: u32| sources.physical_line(event.span.file, at);
                here.extend((of(first)..=of(last)).map(|line| (event.span.file, line)));
            }
            here
        });
        lines.collect()
    }

    fn is_meant(&self, program: &Program, claim: ClaimId) -> bool {
        let of = &program.claims[claim.index()];
        (of.span, &of.kind) == (self.claim.0, &self.claim.1)
    }

    /// Adds a run that an edited program fails on, if the original one takes it.
    pub(super) fn add_failing(&mut self, original: &Program, edited: &Program, inputs: &Inputs) {
        let mut own = Inputs { calls: inputs.calls.clone(), ..Inputs::default() };
        for ((site, count), contents) in &inputs.contents {
            let key = SiteKey::of(&edited.sites[site.index()]);
            if let Some(at) = original.sites.iter().position(|site| key.is(site)) {
                own.contents.insert((SiteId(at as u32), *count), contents.clone());
            }
        }
        self.push(original, &own);
    }

    /// Inputs that an edited program fails on, looked for beside those of known runs, the latest first: what is found so need not be asked for.
    pub(super) fn refuting(&self, edited: &Program, is_spared: &dyn Fn(ClaimId) -> bool) -> Option<Inputs> {
        let narrowed = self.named.narrowed(edited);
        let edited = narrowed.as_ref().unwrap_or(edited);
        let interpreter = Interpreter::new(edited);
        let mut chance = Chance::new(edited, ATTACKING, false);
        let mut left = STEPS_OF_ATTACKS;
        for number in 0..ATTACKS {
            let mut inputs = self.known[self.known.len() - 1 - number % self.known.len()].inputs_of(edited);
            for _ in 0..1 + chance.random() % 2 {
                chance.change(&mut inputs, &self.numbers);
            }
            let execution =
                interpreter.execute(&inputs, &Limits { steps: left, ..Limits::default() }, Recording::Outcome);
            left = left.saturating_sub(execution.steps);
            match execution.run.outcome {
                Outcome::Violated(claim) if !is_spared(claim) => return Some(inputs),
                _ if left == 0 => break,
                _ => {}
            }
        }
        None
    }

    /// Of some edits those that no run speaks against, each with what it does to all runs. No more are executed once so many steps are.
    pub(super) fn survivors<'e>(
        &self,
        editable: &Editable,
        edits: &[&'e Edit],
        sources: &Sources,
        most_steps: u64,
    ) -> Executed<'e> {
        let (mut left, mut done) = (Vec::new(), Executed::default());
        let (with_others, alone): (Vec<&Edit>, Vec<&Edit>) =
            edits.iter().partition(|edit| editable.goes_together(edit));
        let sets: Vec<Vec<&Edit>> = with_others.iter().map(|edit| vec![*edit]).collect();
        match editable.together(&sets, sources) {
            Ok(together) => {
                let narrowed = self.named.narrowed(&together.program);
                let program = narrowed.as_ref().unwrap_or(&together.program);
                let prepared = self.prepared(program);
                let mut interpreter = Interpreter::new(program);
                // What spoke against an edit last is asked first.
                let mut order: Vec<usize> = (0..self.known.len()).collect();
                for (edit, instead) in with_others.into_iter().zip(together.instead) {
                    if done.steps > most_steps {
                        return done;
                    }
                    interpreter.enter_instead(&instead);
                    let (done_by_all, steps) = self.done_in(&interpreter, &prepared, &order);
                    done.add(steps);
                    match done_by_all {
                        Ok(all) => done.found.push((edit, self.effect(&all, program, &[edit.text.span]))),
                        Err(at) => order[..=at].rotate_right(1),
                    }
                }
            }
            Err(_) => left = with_others,
        }
        for edit in left.into_iter().chain(alone) {
            if done.steps > most_steps {
                break;
            }
            let Ok(program) = editable.lowered(&[edit], sources) else {
                done.add(0);
                continue;
            };
            let narrowed = self.named.narrowed(&program);
            let program = narrowed.as_ref().unwrap_or(&program);
            let (interpreter, prepared) = (Interpreter::new(program), self.prepared(program));
            let order: Vec<usize> = (0..self.known.len()).collect();
            let (done_by_all, steps) = self.done_in(&interpreter, &prepared, &order);
            done.add(steps);
            if let Ok(all) = done_by_all {
                done.found.push((edit, self.effect(&all, program, &[edit.text.span])));
            }
        }
        done
    }

    /// Of some edits those that make some failing run pass and no passing one fail, each with how many.
    pub(super) fn saving<'e>(
        &self,
        editable: &Editable,
        edits: &[&'e Edit],
        sources: &Sources,
    ) -> Vec<(&'e Edit, usize)> {
        let with_others: Vec<&Edit> = edits.iter().filter(|edit| editable.goes_together(edit)).copied().collect();
        let sets: Vec<Vec<&Edit>> = with_others.iter().map(|edit| vec![*edit]).collect();
        let Ok(together) = editable.together(&sets, sources) else { return Vec::new() };
        let prepared = self.prepared(&together.program);
        let mut interpreter = Interpreter::new(&together.program);
        let mut found = Vec::new();
        for (edit, instead) in with_others.into_iter().zip(together.instead) {
            interpreter.enter_instead(&instead);
            let passes = |number: &usize| self.execute(&interpreter, &prepared, *number, Recording::Outcome).1;
            let saved = self.failing().iter().filter(|number| passes(number)).count();
            if saved > 0 && (0..self.len()).filter(|number| !self.fails(*number)).all(|number| passes(&number)) {
                found.push((edit, saved));
            }
        }
        found
    }

    /// How many edits can be executed with so many steps, where each fails at the longest run.
    pub(super) fn affordable(&self, steps: u64) -> usize {
        let longest = self.known.iter().map(|known| known.steps).max().unwrap_or(0);
        (steps / longest.max(1)) as usize
    }

    /// How many passing runs, from this one on, an edited program changes; none if some run speaks against it.
    pub(super) fn changed_by(&self, edited: &Program, from: usize) -> Option<usize> {
        let narrowed = self.named.narrowed(edited);
        let edited = narrowed.as_ref().unwrap_or(edited);
        let order: Vec<usize> = (from..self.known.len()).collect();
        self.done_in(&Interpreter::new(edited), &self.prepared(edited), &order).0.ok().map(|all| all.changed)
    }

    /// What an edited program does to all runs; none if some run speaks against it.
    pub(super) fn effect_of(&self, edited: &Program, edits: &[Span]) -> Option<Effect> {
        let narrowed = self.named.narrowed(edited);
        let edited = narrowed.as_ref().unwrap_or(edited);
        let order: Vec<usize> = (0..self.known.len()).collect();
        let all = self.done_in(&Interpreter::new(edited), &self.prepared(edited), &order).0.ok()?;
        Some(self.effect(&all, edited, edits))
    }

    /// What an edited program does, as all runs were executed.
    fn effect(&self, all: &DoneByAll, edited: &Program, edits: &[Span]) -> Effect {
        Effect { changed: all.changed, loss: self.reached.price(&all.tally.reached(edited), edits) }
    }

    /// What it adds to the price of edits that statements are not executed any more.
    pub(super) fn loss_in(&self, interpreter: &Interpreter, prepared: &Prepared, edits: &[Span]) -> u32 {
        self.reached.price(&self.reached_in(interpreter, prepared), edits)
    }

    /// What all runs execute of an edited program.
    fn reached_in(&self, interpreter: &Interpreter, prepared: &Prepared) -> Reached {
        let mut tally = Tally::default();
        for number in 0..self.known.len() {
            let (execution, _) = self.execute(interpreter, prepared, number, Recording::Reached);
            tally.add(&execution, self.fails(number));
        }
        tally.reached(interpreter.program())
    }

    /// What runs in some order do; if one speaks against the edit, which one of these. And how many steps that took.
    fn done_in(
        &self,
        interpreter: &Interpreter,
        prepared: &Prepared,
        order: &[usize],
    ) -> (Result<DoneByAll, usize>, u64) {
        let (mut all, mut steps) = (DoneByAll::default(), 0);
        for (at, number) in order.iter().enumerate() {
            let (does_other, execution) = self.does_other(interpreter, prepared, *number);
            steps += execution.steps;
            let Some(does_other) = does_other else { return (Err(at), steps) };
            all.changed += usize::from(does_other);
            all.tally.add(&execution, self.fails(*number));
        }
        (Ok(all), steps)
    }

    /// A run of an edited program, and whether nothing speaks against it.
    pub(super) fn execute(
        &self,
        interpreter: &Interpreter,
        prepared: &Prepared,
        number: usize,
        recording: Recording,
    ) -> (Execution, bool) {
        let known = &self.known[number];
        let execution = interpreter.execute(&prepared.inputs[number], &Self::limits(known), recording);
        // Behind the claim there may be assumptions about inputs that the failing run never had.
        let goes_on = known.fails && execution.run.outcome == Outcome::Excluded;
        let is_open = |claim: &Claim| self.open.contains(&(claim.span, claim.kind));
        let goes_on = goes_on
            || match execution.run.outcome {
                Outcome::Violated(claim) => known.fails && is_open(&interpreter.program().claims[claim.index()]),
                _ => false,
            };
        let ends = execution.run.outcome == Outcome::Finished || goes_on;
        // Not to come to the claim any more is no fix.
        let comes = |claims: &Vec<usize>| claims.iter().any(|claim| execution.come[*claim]);
        let is_left = known.fails && prepared.claims.as_ref().is_some_and(|claims| !comes(claims));
        let passes = ends && !execution.run.strayed && !is_left;
        (execution, passes)
    }

    /// Whether a run of the original fails.
    pub(super) fn fails(&self, number: usize) -> bool {
        self.known[number].fails
    }

    /// Whether a run does something else than it did, none if it speaks against what is executed; and what it does.
    pub(super) fn does_other(
        &self,
        interpreter: &Interpreter,
        prepared: &Prepared,
        index: usize,
    ) -> (Option<bool>, Execution) {
        let known = &self.known[index];
        let recording = if known.fails { Recording::Reached } else { Recording::Deeds };
        let (execution, passes) = self.execute(interpreter, prepared, index, recording);
        let does_other = passes.then(|| !known.fails && !values(&execution.deeds).eq(values(&known.deeds)));
        (does_other, execution)
    }

    /// In how many passing runs an edited program has other results, and what known runs execute that it does not execute in any.
    pub(super) fn other_results(&self, edited: &Program, edits: &[Span]) -> (usize, Vec<Span>) {
        let narrowed = self.named.narrowed(edited);
        let edited = narrowed.as_ref().unwrap_or(edited);
        let (interpreter, prepared) = (Interpreter::new(edited), self.prepared(edited));
        let (mut others, mut tally) = (0, Tally::default());
        for (number, known) in self.known.iter().enumerate() {
            let recording = if known.fails { Recording::Reached } else { Recording::Deeds };
            let (execution, _) = self.execute(&interpreter, &prepared, number, recording);
            let is_other = !known.fails && !results(&execution.deeds).eq(results(&known.deeds));
            others += usize::from(is_other);
            tally.add(&execution, known.fails);
        }
        (others, self.reached.lost(&tally.reached(edited), edits))
    }

    /// What an edited program does on the failing runs.
    pub(super) fn on_failing(&self, interpreter: &Interpreter, prepared: &Prepared) -> OnFailing {
        let (mut passes, mut does) = (0, DefaultHasher::new());
        for (at, index) in self.failing().into_iter().enumerate().take(MOST_TOLD_APART) {
            let (execution, is_passed) = self.execute(interpreter, prepared, index, Recording::Deeds);
            passes |= u64::from(is_passed) << at;
            values(&execution.deeds).for_each(|value| value.hash(&mut does));
            std::mem::discriminant(&execution.run.outcome).hash(&mut does);
        }
        OnFailing { passes, does: does.finish() }
    }

    /// The numbers of the failing runs.
    pub(super) fn failing(&self) -> Vec<usize> {
        (0..self.known.len()).filter(|index| self.known[*index].fails).collect()
    }

    /// What a run is fed.
    pub(super) fn inputs(&self, index: usize) -> &Inputs {
        &self.known[index].inputs
    }

    /// The claims that a run must still come to.
    pub(super) fn must_come(&self, program: &Program) -> Vec<ClaimId> {
        let all = (0..program.claims.len() as u32).map(ClaimId);
        all.filter(|claim| self.must_come && self.is_meant(program, *claim)).collect()
    }

    /// What is the same for every run of a program.
    pub(super) fn prepared(&self, program: &Program) -> Prepared {
        let inputs = self.known.iter().map(|known| known.inputs_of(program)).collect();
        Prepared { inputs, claims: self.must_come.then(|| self.claims_of(program)) }
    }

    /// The numbers of the claim in a program.
    fn claims_of(&self, program: &Program) -> Vec<usize> {
        let is_it = |claim: &Claim| (claim.span, &claim.kind) == (self.claim.0, &self.claim.1);
        (0..program.claims.len()).filter(|index| is_it(&program.claims[*index])).collect()
    }
}

/// Contents of undefined objects, by what stands in the text.
fn contents_of(program: &Program, inputs: &Inputs) -> Vec<(SiteKey, u32, Vec<Content>)> {
    let key = |site: &SiteId| SiteKey::of(&program.sites[site.index()]);
    inputs.contents.iter().map(|((site, count), of)| (key(site), *count, of.clone())).collect()
}

/// Inputs as a run takes them: cut to their types, and without what nobody asks for or reads.
fn as_taken(program: &Program, inputs: &Inputs) -> Inputs {
    let mut fed =
        Fed { program, inputs, taken: Inputs { calls: Vec::new(), contents: Default::default(), ..inputs.clone() } };
    Interpreter::new(program).ask(&mut fed, &Limits::default());
    let mut taken = fed.taken;
    if !taken.contents.is_empty() {
        let steps = interp::run(program, &taken, &Limits::default()).steps;
        let read = steps.iter().filter(|step| !step.idle).filter_map(|step| match step.kind {
            RunStepKind::Input { site, .. } => Some(site),
            _ => None,
        });
        let read: HashSet<SiteId> = read.collect();
        taken.contents.retain(|(site, _), _| read.contains(site));
    }
    taken
}

/// Who feeds a run and takes down what it takes.
struct Fed<'a> {
    program: &'a Program,
    inputs: &'a Inputs,
    taken: Inputs,
}

impl Oracle for Fed<'_> {
    fn value(&mut self, _: SiteId, ty: TypeId) -> u128 {
        let value = self.inputs.calls.get(self.taken.calls.len()).copied().unwrap_or(0);
        let bits = match self.program.ty(ty) {
            Type::Bool => 1,
            _ => self.program.size_bits(ty).min(128) as u32,
        };
        self.taken.calls.push(value & low_bits(bits));
        value & low_bits(bits)
    }

    fn contents(&mut self, site: SiteId, earlier: u32) -> Vec<Content> {
        let contents = self.inputs.contents.get(&(site, earlier)).cloned().unwrap_or_default();
        let told: Vec<Content> = contents.iter().filter(|content| content.value != 0).cloned().collect();
        if !told.is_empty() {
            self.taken.contents.insert((site, earlier), told);
        }
        contents
    }
}

/// Claims that were asked for, by what stands in the text: names of claims are counted, and edits may make more.
pub(super) struct Named(Option<Vec<(Span, ClaimKind)>>);

impl Named {
    pub(super) fn of(program: &Program, properties: &[String]) -> Named {
        let is_named = |claim: &&Claim| properties.contains(&claim.id);
        let named = program.claims.iter().filter(is_named).map(|claim| (claim.span, claim.kind));
        Named((!properties.is_empty()).then(|| named.collect()))
    }

    /// Were all claims asked for?
    pub(super) fn is_everything(&self) -> bool {
        self.0.is_none()
    }

    /// Their names in an edited program; none if it has none of them.
    pub(super) fn within(&self, program: &Program) -> Option<Vec<String>> {
        let Some(named) = &self.0 else { return Some(Vec::new()) };
        let is_named = |claim: &&Claim| named.iter().any(|(span, kind)| (claim.span, &claim.kind) == (*span, kind));
        let found: Vec<String> = program.claims.iter().filter(is_named).map(|claim| claim.id.clone()).collect();
        (!found.is_empty()).then_some(found)
    }

    /// A program in which other written assertions are passed over, if some were asked for.
    pub(super) fn narrowed(&self, program: &Program) -> Option<Program> {
        check::narrow(program, &self.within(program)?).ok().flatten()
    }
}

/// What became of the failing runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct OnFailing {
    /// A bit for each that passes.
    pub(super) passes: u64,
    /// What they do, as a number.
    pub(super) does: u64,
}

/// The runs for a program.
pub(super) struct Prepared {
    inputs: Vec<Inputs>,
    /// One of these must be come to.
    claims: Option<Vec<usize>>,
}

impl Known {
    /// The same inputs for another program.
    fn inputs_of(&self, program: &Program) -> Inputs {
        let mut inputs = Inputs { calls: self.inputs.calls.clone(), ..Inputs::default() };
        for (key, count, contents) in &self.contents {
            for (at, _) in program.sites.iter().enumerate().filter(|(_, site)| key.is(site)) {
                inputs.contents.insert((SiteId(at as u32), *count), contents.clone());
            }
        }
        inputs
    }
}

/// What was set and returned, in whichever function.
fn values(deeds: &[Deed]) -> impl Iterator<Item = (Span, u128)> {
    deeds.iter().map(|deed| (deed.span, deed.value))
}

/// The same as far as the outermost function gets it: what it sets and is returned, and what all others leave behind.
fn results(deeds: &[Deed]) -> impl Iterator<Item = (Span, u128)> {
    deeds.iter().filter(|deed| !deed.own).map(|deed| (deed.span, deed.value))
}
