//! The two runs side by side: the one model that every form reads.
//!
//! Both runs are told step by step ([`calls::told`]) and aligned once ([`align`]): call by call, round by round. A row has a step
//! of either run or of one alone, and its cells are what these steps did, read off the runs. A difference is a row whose cells
//! differ, at a statement that the explanation names or that writes to another place; it matters if it is what the slice names: that statement with those
//! values. So no row is marked that is the same in both runs, and no cell tells what its run did elsewhere. Linear in the
//! length of the runs, but for a logarithm.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use nearmiss_explain::explanation::{Contrast, Delta, DeltaKind, Executed, Nearest};
use nearmiss_program::program::{Asker, Author, ClaimKind, FunctionId, Program};
use nearmiss_program::run::{Run, RunStep, RunStepKind};
use nearmiss_program::source::Span;

use crate::align::{self, Stretch};
use crate::calls;
use crate::layout::came_out;
use crate::report::{Report, Side};

/// A step that is told.
pub struct Told<'a> {
    /// The step.
    pub step: Cow<'a, RunStep>,
    /// What it did, in words.
    pub text: String,
    /// Which step of its run this is, of those that are told.
    at: usize,
    /// For the how many-th time its statement was executed in this run, from 1.
    pub time: usize,
    /// Where an explanation looks for it: arguments are passed where the call stands.
    pub named_at: Span,
    /// Whether it is compared: what the passing run does once it has passed the claim is not.
    compared: bool,
}

/// A row whose cells differ, at a statement that the explanation names or that writes to another place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The row.
    pub row: usize,
    /// Whether it is in the slice.
    pub matters: bool,
    /// Whether only the place that is written to differs: `a[0] = 9` and `a[1] = 9`. It follows from what the index differs by.
    pub elsewhere: bool,
}

/// The failing and the passing run, side by side.
pub struct Pair<'a> {
    /// Their steps.
    pub runs: [Vec<Told<'a>>; 2],
    /// The rows in short.
    pub stretches: Vec<Stretch>,
    /// Per row the step of the failing and that of the passing run.
    pub rows: Vec<[Option<usize>; 2]>,
    /// What differs, in order of the rows.
    pub differences: Vec<Difference>,
    /// How often each statement is executed by the failing and by the passing run.
    times: BTreeMap<Statement, [usize; 2]>,
}

/// A statement: what kind of step, where, and whose.
type Statement = (u8, Span, FunctionId);

impl<'a> Pair<'a> {
    /// The runs of a report; none where there is no passing run.
    pub fn of(report: &Report<'a>) -> Option<Pair<'a>> {
        let contrast = report.explanation.contrast.as_ref()?;
        let nearest = contrast.nearest.as_ref()?;
        let failing = &report.explanation.counterexample.as_ref()?.run;
        let mut times = BTreeMap::new();
        let claim = same_claim(&failing.steps, &nearest.run.steps).unwrap_or(usize::MAX);
        let old = told(failing, report.failing, usize::MAX, &mut |statement| add(&mut times, statement, 0));
        let mut new = told(&nearest.run, report.passing, claim, &mut |statement| add(&mut times, statement, 1));
        order_parts(&old, &mut new);
        let runs = [old, new];
        let mut numbers: BTreeMap<(Statement, u32, &str), u32> = BTreeMap::new();
        let [first, second] = [&runs[0], &runs[1]].map(|run| {
            let mut steps = Vec::with_capacity(run.len());
            for told in run {
                let (function, depth) = place(&told.step, report.program);
                let statement = (kind(&told.step), told.step.span, function);
                let part = calls::input_name(&told.step).unwrap_or_default();
                let fresh = numbers.len() as u32;
                steps.push((*numbers.entry((statement, depth, part)).or_insert(fresh), depth));
            }
            steps
        });
        let stretches = align::align(&first, &second);
        let rows = rows(&stretches);
        let mut pair = Pair { runs, stretches, rows, differences: Vec::new(), times };
        pair.differences = pair.find(contrast, nearest, report);
        Some(pair)
    }

    /// The steps of a row.
    pub fn steps(&self, row: usize) -> [Option<&Told<'a>>; 2] {
        let [failing, passing] = self.rows[row];
        [failing.map(|at| &self.runs[0][at]), passing.map(|at| &self.runs[1][at])]
    }

    /// What either run did in a row. Where one has no step: that it did not execute it, or not at this point.
    pub fn cells(&self, row: usize) -> [String; 2] {
        let steps = self.steps(row);
        let Some(own) = steps.into_iter().flatten().next() else { return [String::new(), String::new()] };
        let totals = self.totals(own);
        [0, 1].map(|side| match steps[side] {
            Some(told) => told.text.clone(),
            None if totals[side] >= own.time => "not at this point".to_owned(),
            None => self.absent(row, side, own).to_owned(),
        })
    }

    /// What to say of a run that does not do at all what the other one does in a row.
    fn absent(&self, row: usize, side: usize, own: &Told) -> &'static str {
        match own.step.kind {
            RunStepKind::Branch { of, taken } if of.asker == Asker::Case => match (self.switches(row, side), taken) {
                (true, true) => came_out(true, false),
                (true, false) => "not asked",
                (false, _) => "not reached",
            },
            RunStepKind::Branch { .. } => "not reached",
            _ => "not executed",
        }
    }

    /// Whether a run comes to the `switch` of a `case` for which only the other run asks: it takes the case that is asked for
    /// before this one.
    fn switches(&self, row: usize, side: usize) -> bool {
        let Some(at) = self.rows[row][1 - side] else { return false };
        let run = &self.runs[1 - side];
        // One `switch` asks for its cases in the order of the text.
        let switch = |told: &Told| match told.step.kind {
            RunStepKind::Branch { of, .. } if of.asker == Asker::Case => Some(of.span),
            _ => None,
        };
        let own = &run[at];
        let is_before = |told: &Told| switch(told) == switch(own) && told.step.span.start < own.step.span.start;
        at.checked_sub(1).is_some_and(|before| is_before(&run[before]))
            && (0..row)
                .rev()
                .find(|row| self.rows[*row][1 - side] == Some(at - 1))
                .is_some_and(|row| self.rows[row][side].is_some() || self.switches(row, side))
    }

    /// How often the failing and the passing run execute a statement.
    pub fn totals(&self, told: &Told) -> [usize; 2] {
        self.times.get(&statement(&told.step)).copied().unwrap_or_default()
    }

    /// The steps of one run that differ, as the failing (0) or the passing run (1) counts them.
    pub fn differing(&self, side: usize) -> BTreeSet<usize> {
        let steps = self.differences.iter().filter_map(|difference| self.steps(difference.row)[side]);
        steps.map(|told| told.at).collect()
    }

    /// The row at which a difference of the explanation shows, if it does.
    pub fn row_of(&self, delta: &Delta) -> Option<usize> {
        let named = |row: &usize| self.steps(*row).into_iter().flatten().any(|told| names(delta, told));
        let mut rows = self.differences.iter().map(|difference| difference.row).filter(named);
        let first = rows.next();
        let found = rows.chain(first).find(|row| self.fits(*row, delta)).or(first);
        // A predicate may differ where what is set does not.
        found.or_else(|| (0..self.rows.len()).find(named))
    }

    /// Whether a row is at the statement of a difference.
    pub fn is_named(&self, row: usize, delta: &Delta) -> bool {
        self.steps(row).into_iter().flatten().any(|told| names(delta, told))
    }

    /// Whether a row tells of a difference: its statement, with its values.
    pub fn tells(&self, row: usize, delta: &Delta) -> bool {
        self.is_named(row, delta) && self.fits(row, delta)
    }

    fn find(&self, contrast: &Contrast, nearest: &Nearest, report: &Report) -> Vec<Difference> {
        let mut by_place: BTreeMap<Span, Vec<&Delta>> = BTreeMap::new();
        let visible = |delta: &&Delta| is_visible(delta, report);
        for delta in nearest.deltas.iter().filter(visible) {
            by_place.entry(delta.span).or_default().push(delta);
            by_place.entry(delta.passing_span.unwrap_or(delta.span)).or_default().push(delta);
        }
        // What is undefined at first is an input where it is read; a run knows it where it is declared.
        let is_input = |delta: &&Delta| delta.kind == DeltaKind::Input;
        let inputs: Vec<&Delta> = nearest.deltas.iter().filter(visible).filter(is_input).collect();
        let slice = mattering(contrast, nearest);
        let mut found = Vec::new();
        for row in 0..self.rows.len() {
            let steps = self.steps(row);
            if !steps.iter().flatten().all(|told| told.compared) || self.is_same(row) {
                continue;
            }
            let mut named = steps.iter().flatten().flat_map(|told| {
                let here = by_place.get(&told.named_at).into_iter().flatten().chain(&inputs);
                here.filter(|delta| names(delta, told)).copied().collect::<Vec<_>>()
            });
            let Some(first) = named.next() else {
                let elsewhere = self.writes_elsewhere(row);
                if elsewhere || self.returns_otherwise(row) {
                    found.push(Difference { row, matters: false, elsewhere });
                }
                continue;
            };
            let in_slice = |delta: &Delta| slice.iter().any(|other| same(other, delta)) && self.fits(row, delta);
            let matters = in_slice(first) || named.any(in_slice);
            found.push(Difference { row, matters, elsewhere: false });
        }
        found
    }

    /// Whether both runs execute an assignment, but to another part of the object: `a[0] = 9` and `a[1] = 9`.
    fn writes_elsewhere(&self, row: usize) -> bool {
        let [Some(failing), Some(passing)] = self.steps(row) else { return false };
        let name = |told: &Told| match &told.step.kind {
            RunStepKind::Assign { name, .. } => Some(name.clone()),
            _ => None,
        };
        let [failing, passing] = [name(failing), name(passing)];
        failing.is_some() && passing.is_some() && failing != passing
    }

    /// Whether one run alone executes a `return`, and the other run leaves the same call with another value. Where
    /// that is a constant, no difference of the explanation names it.
    pub fn returns_otherwise(&self, row: usize) -> bool {
        let ([Some(own), None] | [None, Some(own)]) = self.steps(row) else { return false };
        let side = usize::from(self.rows[row][0].is_some());
        let RunStepKind::Return { value: Some(_) } = own.step.kind else { return false };
        let is_in_call = |row: &usize| {
            let mut steps = self.steps(*row).into_iter().flatten();
            steps.all(|told| told.step.depth >= own.step.depth)
        };
        let around = (row + 1..self.rows.len()).take_while(is_in_call).chain((0..row).rev().take_while(is_in_call));
        let mut others = around.filter_map(|row| self.steps(row)[side]);
        let place = |told: &Told| (kind(&told.step), told.step.function, told.step.depth);
        others.find(|told| place(told) == place(own)).is_some_and(|other| other.text != own.text)
    }

    /// Whether both runs do the same in a row.
    fn is_same(&self, row: usize) -> bool {
        matches!(self.steps(row), [Some(failing), Some(passing)] if failing.text == passing.text)
    }

    /// Whether a row has the values of a difference.
    fn fits(&self, row: usize, delta: &Delta) -> bool {
        let [failing, passing] = self.steps(row);
        let has = |told: Option<&Told>, value: u128| told.is_none_or(|told| bits(&told.step) == Some(value));
        delta.kind == DeltaKind::Predicate || (has(failing, delta.failing) && has(passing, delta.passing))
    }
}

/// Whether a difference is something that a person can see: some run executes it, in the user's own text.
pub fn is_visible(delta: &Delta, report: &Report) -> bool {
    delta.executed != Executed::Neither
        && report.program.function(delta.function).author != Author::Library
        && !report.sources.file(delta.span.file).system
}

/// The differences that matter between these two runs. One-step slicing finds a passing run of its own: what differs there
/// says nothing of this one.
pub fn mattering<'c>(contrast: &'c Contrast, nearest: &Nearest) -> &'c [Delta] {
    let slice = contrast.slice.as_ref().map_or(&[][..], |slice| &slice.deltas);
    if slice.iter().all(|delta| nearest.deltas.iter().any(|other| same(other, delta))) { slice } else { &[] }
}

/// Whether two differences are the same one.
pub fn same(one: &Delta, other: &Delta) -> bool {
    (one.kind, &one.name, one.steps) == (other.kind, &other.name, other.steps)
        && (one.failing, one.passing) == (other.failing, other.passing)
}

/// Where the passing run comes to the violated claim for the same time.
pub fn same_claim(failing: &[RunStep], passing: &[RunStep]) -> Option<usize> {
    let RunStepKind::Claim { claim: violated, .. } = &failing.last()?.kind else { return None };
    let is_claim = |step: &RunStep| matches!(&step.kind, RunStepKind::Claim { claim, .. } if claim == violated);
    let times = failing.iter().filter(|step| is_claim(step)).count();
    passing.iter().enumerate().filter(|(_, step)| is_claim(step)).nth(times - 1).map(|(at, _)| at)
}

/// Whether a difference may be that of a step: its statement, and what kind of step it is.
fn names(delta: &Delta, told: &Told) -> bool {
    let here = told.named_at == delta.span || Some(told.named_at) == delta.passing_span;
    match (&told.step.kind, delta.kind) {
        (_, DeltaKind::Predicate | DeltaKind::Control | DeltaKind::Action) => here,
        (RunStepKind::Input { name, .. }, DeltaKind::Input) => here || *name == delta.variable,
        (RunStepKind::Branch { .. }, kind) => here && kind == DeltaKind::Guard,
        (RunStepKind::Assign { .. } | RunStepKind::Input { .. } | RunStepKind::Return { .. }, kind) => {
            here && kind == DeltaKind::Value
        }
        _ => false,
    }
}

/// The steps of a run that are told, with what they did. Those behind a step of the run are not compared.
fn told<'a>(run: &'a Run, side: Side, end: usize, count: &mut dyn FnMut(Statement) -> usize) -> Vec<Told<'a>> {
    let program = side.program;
    let (mut own, mut call) = (0, None);
    // An object that is copied or given is a step for each of its parts: the statement is executed once.
    let mut burst: (Option<Statement>, Vec<String>, usize) = (None, Vec::new(), 0);
    let mut steps = Vec::new();
    for step in calls::told(run, program) {
        let compared = own <= end;
        own += usize::from(matches!(step, Cow::Borrowed(_)));
        if let RunStepKind::Call { .. } = &step.kind {
            call = Some(step.span);
        }
        let Some(text) = what(&step, side).filter(|_| !is_unread(&step, program)) else { continue };
        let statement = statement(&step);
        let part = match &step.kind {
            RunStepKind::Assign { name, .. } | RunStepKind::Input { name, .. } => name.clone(),
            _ => String::new(),
        };
        // So is a claim that is asked part by part.
        let is_claim = matches!(step.kind, RunStepKind::Claim { .. });
        if burst.0 != Some(statement) || (part.is_empty() && !is_claim) || (!is_claim && burst.1.contains(&part)) {
            burst = (Some(statement), Vec::new(), count(statement));
        }
        burst.1.push(part);
        let named_at = if is_parameter(&step, program) { call.unwrap_or(step.span) } else { step.span };
        steps.push(Told { step, text, at: steps.len(), time: burst.2, named_at, compared });
    }
    steps
}

/// Whether a step says what an object holds at first, and the run never looks at it.
fn is_unread(step: &RunStep, program: &Program) -> bool {
    match step.kind {
        RunStepKind::Input { site, .. } => step.idle && !program.sites[site.index()].kind.is_call(),
        _ => false,
    }
}

/// The parts of an input, such as the members of a result, are in each run as they were asked for: those of one run in the
/// order of the other.
fn order_parts(like: &[Told], steps: &mut [Told]) {
    let part = |told: &Told| calls::input_name(&told.step).map(|name| (told.step.span, name.to_owned()));
    let mut ranks = BTreeMap::new();
    for part in like.iter().filter_map(part) {
        let next = ranks.len();
        ranks.entry(part).or_insert(next);
    }
    let is_one = |one: &Told, other: &Told| {
        let both = [one, other].map(|told| (statement(&told.step), told.time, told.step.depth));
        both[0] == both[1] && calls::input_name(&one.step).is_some()
    };
    for parts in steps.chunk_by_mut(is_one) {
        parts.sort_by_key(|told| part(told).and_then(|part| ranks.get(&part).copied()));
    }
}

/// Counts an execution; the how many-th it is.
fn add(times: &mut BTreeMap<Statement, [usize; 2]>, statement: Statement, side: usize) -> usize {
    let times = times.entry(statement).or_default();
    times[side] += 1;
    times[side]
}

fn statement(step: &RunStep) -> Statement {
    (kind(step), step.span, step.function)
}

fn kind(step: &RunStep) -> u8 {
    match &step.kind {
        RunStepKind::Assign { .. } => 0,
        RunStepKind::Branch { .. } => 1,
        RunStepKind::Call { .. } => 2,
        RunStepKind::Return { .. } => 3,
        RunStepKind::Claim { .. } => 4,
        RunStepKind::Input { .. } => 5,
    }
}

/// The function of a step and the number of calls under way. What is made for the entry function belongs to it.
fn place(step: &RunStep, program: &Program) -> (FunctionId, u32) {
    match program.function(step.function).author {
        Author::Harness => (program.entry, step.depth + 1),
        _ => (step.function, step.depth),
    }
}

fn is_parameter(step: &RunStep, program: &Program) -> bool {
    let function = program.function(step.function);
    let parameters = &function.locals[..function.parameters as usize];
    matches!(step.kind, RunStepKind::Assign { .. }) && parameters.iter().any(|local| local.span == step.span)
}

fn rows(stretches: &[Stretch]) -> Vec<[Option<usize>; 2]> {
    let (mut i, mut j, mut rows) = (0, 0, Vec::new());
    for stretch in stretches {
        rows.extend((0..stretch.both).map(|n| [Some(i + n), Some(j + n)]));
        (i, j) = (i + stretch.both, j + stretch.both);
        rows.extend((0..stretch.failing).map(|n| [Some(i + n), None]));
        rows.extend((0..stretch.passing).map(|n| [None, Some(j + n)]));
        (i, j) = (i + stretch.failing, j + stretch.passing);
    }
    rows
}

/// What a step did, in words; none for what happens inside the library and for automatic claims that held.
pub fn what(step: &RunStep, side: Side) -> Option<String> {
    let program = side.program;
    let author = program.function(step.function).author;
    let set = |name: &str, ty, bits| format!("{name} = {}", side.value_of(name, step.span, ty, bits));
    Some(match &step.kind {
        RunStepKind::Claim { claim, held, .. } => {
            let claim = &program.claims[claim.index()];
            if *held && (claim.kind != ClaimKind::Assertion || author != Author::User) {
                return None;
            }
            if *held { "holds" } else { "violated" }.to_owned()
        }
        RunStepKind::Input { name, ty, value, .. } => set(name, *ty, *value),
        _ if author != Author::User => return None,
        RunStepKind::Assign { name, ty, value } => set(name, *ty, *value),
        RunStepKind::Branch { taken, of } => came_out(of.asker == Asker::Case, *taken).to_owned(),
        RunStepKind::Call { .. } | RunStepKind::Return { value: None } => String::new(),
        RunStepKind::Return { value: Some((ty, bits)) } => format!("returns {}", side.value_for_people(*ty, *bits)),
    })
}

/// The bits that a step set, returned or decided.
fn bits(step: &RunStep) -> Option<u128> {
    match &step.kind {
        RunStepKind::Assign { value, .. } | RunStepKind::Input { value, .. } => Some(*value),
        RunStepKind::Return { value } => value.map(|(_, bits)| bits),
        RunStepKind::Branch { taken, .. } => Some(u128::from(*taken)),
        RunStepKind::Call { .. } | RunStepKind::Claim { .. } => None,
    }
}

/// Whether a difference is executed by the failing and by the passing run.
pub fn executed(delta: &Delta) -> [bool; 2] {
    [
        matches!(delta.executed, Executed::Both | Executed::Failing),
        matches!(delta.executed, Executed::Both | Executed::Passing),
    ]
}
