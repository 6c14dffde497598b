//! Which of the edits that no known run speaks against are fixes: each is executed on some runs more, and then proved for all inputs, two
//! of them at a time where there are threads for that. What another thread has proved early is only used when its turn has come, so that
//! the answer is the same without.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use nearmiss_program::c::edit::{Edit, Editable, TextEdit};
use nearmiss_program::loops;
use nearmiss_program::program::{self, Author, Claim, ClaimId, ClaimKind, FunctionId};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{Sources, Span};

use super::places::Places;
use super::pointing::{self, Place};
use super::runs::{Named, Runs};
use super::text::Edited;
use super::{FixOptions, Mended, Survivor, line, pairs, same, text};
use crate::check::{self, CheckOptions};
use crate::explanation::{
    ClaimReport, Explanation, Fix, Fixes, Minimised, Shared, Status, TriedPairs, Verdict, Verified,
};
use crate::method::rescue::Line;
use crate::reading::Program;

/// So many conflicts are met to find a run that comes to the claim.
const CONFLICTS_TO_COME: u64 = 2_000;
/// So many edits that were not decided are kept.
const MOST_LEFT: usize = 16;
/// So many edits behind one that is proved another is looked for to be proved beside it.
const FAR_AHEAD: usize = 8;

/// Who decides whether an edit is a fix.
pub(super) struct Judge<'a> {
    pub(super) prover: Prover<'a>,
    /// The text as the edits know it.
    pub(super) sources: &'a Sources,
    pub(super) editable: &'a Editable,
    /// Steps and conflicts so far.
    effort: Cell<u64>,
    /// What was neither proved nor refuted, and of how many runs it is known.
    unproved: RefCell<Vec<(Edit, usize)>>,
    /// The user's functions with loops that nothing leads out of, and how many there are: who mends these must not end them. Whether tests
    /// are to end is for them to say.
    endless: Vec<(String, usize)>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(prover: Prover<'a>, sources: &'a Sources, editable: &'a Editable) -> Judge<'a> {
        let endless = match prover.failure.tests {
            Some(_) => Vec::new(),
            None => endless_loops(&prover.program.program),
        };
        Judge { prover, sources, editable, effort: Cell::new(0), unproved: RefCell::default(), endless }
    }

    /// The same judge with less to spend.
    pub(super) fn within(&self, options: &'a FixOptions) -> Judge<'a> {
        let prover = Prover { options, ..self.prover };
        let (effort, unproved, endless) = (self.effort.clone(), self.unproved.clone(), self.endless.clone());
        Judge { prover, effort, unproved, endless, ..*self }
    }

    /// Tries pairs of edits.
    pub(super) fn pairs(
        &self,
        scene: pairs::Scene,
        edits: &[Edit],
        runs: &mut Runs,
        found: &mut Fixes,
        mended: &mut Vec<Mended>,
    ) {
        let options = self.prover.options;
        let mut places = Places::of(scene.original, self.sources, runs, options);
        let mut search = pairs::Search::new(scene, edits, &places, runs);
        let mut pairs = Fixes { complete: true, ..Fixes::default() };
        while pairs.found.is_empty()
            && pairs.judged < options.most_proofs
            && let Some(survivors) = search.stage(&mut places, runs)
        {
            self.survivors(survivors, runs, &mut pairs, mended);
        }
        let complete = search.tried.complete && pairs.complete;
        found.pairs = Some(TriedPairs { judged: pairs.judged, complete, ..search.tried });
        found.found = pairs.found;
    }

    /// Judges edits that passed all runs, in order, until enough fixes are found.
    pub(super) fn survivors(
        &self,
        survivors: Vec<Survivor>,
        runs: &mut Runs,
        found: &mut Fixes,
        mended: &mut Vec<Mended>,
    ) {
        let Prover { program, options, .. } = self.prover;
        let mut queue: VecDeque<Survivor> = survivors.into();
        if !self.endless.is_empty() {
            let before = queue.len();
            queue.retain_mut(|survivor| !self.ends_a_loop(survivor));
            found.ending += before - queue.len();
        }
        while let Some(mut survivor) = queue.pop_front() {
            if self.has_enough(found, runs, options.enough) || self.is_spent(found) || options.check.stop.requested() {
                found.complete = false;
                self.leave([survivor].into_iter().chain(queue));
                break;
            }
            if self.on_line(&survivor, found, runs) >= options.enough_on_line {
                found.complete = false;
                continue;
            }
            if !self.passes(&mut survivor, runs) {
                continue;
            }
            let Some(edited) = survivor.program.take() else { continue };
            if !runs.is_asked_in(&edited) && !self.is_asked_in(&edited, runs) {
                continue;
            }
            if self.prover.failure.tests.is_some() {
                self.of_tests(&survivor, edited, runs, found, mended);
                continue;
            }
            let is_spared = |claim: ClaimId| self.prover.was_open(name_of(&edited.claims, claim.index(), &in_program));
            if let Some(inputs) = runs.refuting(&edited, &is_spared) {
                runs.add_failing(&program.program, &edited, &inputs);
                continue;
            }
            found.judged += 1;
            let known = self.known(&survivor, found, mended);
            if let Some(known) = known
                && let Some(edits) = self.as_text(&survivor, &edited)
            {
                found.found[known].same.push(edits);
                continue;
            }
            let judged = survivor.judged.take();
            let Judged { answer, effort } =
                judged.unwrap_or_else(|| self.judged(&edited, &survivor, &mut queue, runs, found));
            self.effort.set(self.effort.get() + effort);
            match answer {
                Answer::Fixed(shown) => {
                    let Some(fix) = self.fix(&survivor, &edited, shown, runs) else { continue };
                    if let Some(known) = known {
                        found.found[known].same.push(fix.edits);
                        continue;
                    }
                    keep(fix, &survivor, edited, found, mended);
                }
                Answer::Fails(inputs) => runs.add_failing(&program.program, &edited, &inputs),
                Answer::Unknown => self.leave([survivor]),
            }
        }
    }

    /// The tests are all that is asked for, and the edit passes them.
    fn of_tests(
        &self,
        survivor: &Survivor,
        edited: program::Program,
        runs: &Runs,
        found: &mut Fixes,
        mended: &mut Vec<Mended>,
    ) {
        found.judged += 1;
        let shown = Shown { verified: Verified::Tests, whole: true, leaves: Vec::new() };
        if let Some(fix) = self.fix(survivor, &edited, shown, runs) {
            keep(fix, survivor, edited, found, mended);
        }
    }

    /// Whether so many fixes are found.
    fn has_enough(&self, found: &Fixes, runs: &Runs, enough: usize) -> bool {
        best(found, runs).count() >= enough
    }

    /// Whether nothing more is to be spent.
    fn is_spent(&self, found: &Fixes) -> bool {
        found.judged == self.prover.options.most_proofs || self.effort.get() > self.prover.options.most_effort
    }

    /// How many fixes there are on the lines of an edit.
    fn on_line(&self, survivor: &Survivor, found: &Fixes, runs: &Runs) -> usize {
        let here = self.lines(survivor.edits.iter().map(|edit| edit.text.span));
        best(found, runs).filter(|fix| self.lines(fix.edits.iter().map(|edit| edit.span)) == here).count()
    }

    fn lines(&self, spans: impl Iterator<Item = Span>) -> Vec<Line> {
        let mut spans: Vec<Span> = spans.collect();
        spans.sort();
        spans.into_iter().map(|span| line(self.sources, span)).collect()
    }

    /// The edited program; none if there is none.
    fn edited<'s>(&self, survivor: &'s mut Survivor) -> Option<&'s program::Program> {
        if survivor.program.is_none() {
            survivor.program = self.editable.lowered(&survivor.edits, self.sources).ok();
        }
        survivor.program.as_ref()
    }

    /// Whether an edit leads out of a loop that nothing led out of.
    fn ends_a_loop(&self, survivor: &mut Survivor) -> bool {
        let Some(edited) = self.edited(survivor) else { return false };
        let left = endless_loops(edited);
        let many = |name: &str| left.iter().find(|(other, _)| other == name).map_or(0, |(_, many)| *many);
        self.endless.iter().any(|(name, before)| many(name) < *before)
    }

    /// Whether an edit passes the runs that were added since it was executed; it then has its program.
    fn passes(&self, survivor: &mut Survivor, runs: &Runs) -> bool {
        let tested = survivor.tested;
        let Some(edited) = self.edited(survivor) else { return false };
        let passes = tested == runs.len() || runs.changed_by(edited, tested).is_some();
        if passes {
            survivor.tested = runs.len();
        }
        passes
    }

    /// Which fix it is, only written otherwise.
    fn known(&self, survivor: &Survivor, found: &Fixes, mended: &[Mended]) -> Option<usize> {
        let [edit] = survivor.edits[..] else { return None };
        let Prover { program, options, .. } = self.prover;
        found.found.iter().zip(mended).position(|known| same::does_the_same(program, known, edit, options))
    }

    /// Proves an edit, and beside it the next one that is likely to be asked for.
    fn judged(
        &self,
        edited: &program::Program,
        survivor: &Survivor,
        queue: &mut VecDeque<Survivor>,
        runs: &Runs,
        found: &Fixes,
    ) -> Judged {
        let (prover, named) = (self.prover, &runs.named);
        let next = self.next(survivor, queue, runs, found);
        let Some((at, other)) = next.and_then(|at| Some((at, queue[at].program.as_ref()?))) else {
            return prover.answer(edited, named);
        };
        let (beside, here) =
            prover.options.check.threads.both(|| prover.answer(other, named), || prover.answer(edited, named));
        queue[at].judged = Some(beside);
        here
    }

    /// The next edit that will have to be proved if this one is a fix, and passes all runs as well.
    fn next(&self, survivor: &Survivor, queue: &mut VecDeque<Survivor>, runs: &Runs, found: &Fixes) -> Option<usize> {
        let options = self.prover.options;
        if !options.check.threads.are_many() || self.has_enough(found, runs, options.enough.saturating_sub(1)) {
            return None;
        }
        let place = |survivor: &Survivor| survivor.edits.first().map(|edit| edit.whole.unwrap_or(edit.text.span));
        let here = self.lines(survivor.edits.iter().map(|edit| edit.text.span));
        (0..queue.len().min(FAR_AHEAD)).find(|at| {
            let other = &queue[*at];
            // What is on this line is one more there, and what is in this value may be the same fix.
            let is_here = self.lines(other.edits.iter().map(|edit| edit.text.span)) == here;
            let on_line = self.on_line(other, found, runs) + usize::from(is_here);
            let is_wanted =
                other.judged.is_none() && on_line < options.enough_on_line && place(other) != place(survivor);
            is_wanted && self.passes(&mut queue[*at], runs)
        })
    }

    /// Keeps some edits that were not decided.
    fn leave<'e>(&self, survivors: impl IntoIterator<Item = Survivor<'e>>) {
        let alone = survivors.into_iter().filter(|survivor| survivor.edits.len() == 1);
        let mut left = self.unproved.borrow_mut();
        left.extend(alone.take(MOST_LEFT).map(|survivor| (survivor.edits[0].clone(), survivor.tested)));
    }

    /// A few lines with edits that were not decided, and that no later run speaks against.
    pub(super) fn unproved(&self, runs: &Runs) -> Vec<Place> {
        let left = self.unproved.borrow();
        let mut places: Vec<Place> = Vec::new();
        let loader = Edited::unchanged(&self.prover.program.sources);
        let passes = |(edit, tested): &&(Edit, usize)| {
            let reread =
                || self.editable.reread(&[edit], &loader, self.sources, |_, edited| Some(edited)).pop().flatten();
            let lowered = || self.editable.lowered(&[edit], self.sources).ok();
            let edited = || if edit.needs_reading() { reread() } else { lowered() };
            *tested == runs.len() || edited().is_some_and(|edited| runs.changed_by(&edited, *tested).is_some())
        };
        for known in left.iter() {
            let place = Place { span: known.0.text.span, function: self.function(&known.0) };
            let here = |other: &Place| line(self.sources, other.span) == line(self.sources, place.span);
            if !places.iter().any(here) && passes(&known) {
                places.push(place);
            }
            if places.len() == pointing::MOST_UNPROVED {
                break;
            }
        }
        places
    }

    /// The function that an edit changes; the entry function where it is none.
    pub(super) fn function(&self, edit: &Edit) -> FunctionId {
        let original = &self.prover.program.program;
        let function = original.functions.iter().position(|of| of.name == edit.function);
        function.map_or(original.entry, |at| FunctionId(at as u32))
    }

    /// The edits of the text, if it then says what the tree does.
    fn as_text(&self, survivor: &Survivor, edited: &program::Program) -> Option<Vec<TextEdit>> {
        let edits = texts(survivor);
        let read = text::reread(self.prover.program, &edits)?;
        text::is_same(&read, edited).then_some(edits)
    }

    /// What is told of an edit that mends the program, if the text says what the tree does.
    fn fix(&self, survivor: &Survivor, mended: &program::Program, shown: Shown, runs: &Runs) -> Option<Fix> {
        let Shown { verified, whole, leaves } = shown;
        let edits = texts(survivor);
        let edit = survivor.edits[0];
        let read = text::reread(self.prover.program, &edits)?;
        let of_tests = verified == Verified::Tests;
        if of_tests && runs.changed_by(&read, 0).is_none() {
            return None;
        }
        if !of_tests && !text::is_same(&read, mended) {
            // Places in the new text are others, so that claims which were named are not found again.
            let judged = runs.named.is_everything().then(|| self.prover.answer(&read, &runs.named))?;
            self.effort.set(self.effort.get() + judged.effort);
            let Answer::Fixed(_) = judged.answer else { return None };
        }
        let (function, avoids) = (self.function(edit), false);
        let (family, changed, differs, same) = (edit.family, survivor.effect.changed, None, Vec::new());
        let (lost, apart) = (Vec::new(), None);
        let shared = edit.shared.clone().map(|name| Shared { name, uses: edit.uses.clone() });
        Some(Fix {
            edits,
            function,
            family,
            verified,
            whole,
            leaves,
            avoids,
            changed,
            lost,
            differs,
            same,
            shared,
            apart,
        })
    }

    /// Whether some execution of an edited program comes to the claim.
    fn is_asked_in(&self, edited: &program::Program, runs: &Runs) -> bool {
        let Some(asking) = runs.with_claim_false(edited) else { return false };
        let check = self.prover.options.check.clone();
        let stop = check.stop.within(CONFLICTS_TO_COME);
        let properties = vec![asking.0.claims[asking.1].id.clone()];
        let (minimise, one_failure) = (Minimised::None, true);
        let check = CheckOptions { minimise, explained: false, one_failure, properties, stop, ..check };
        let Ok(answer) = check::check(&asking.0, &check, &mut |_| {}) else { return false };
        self.effort.set(self.effort.get() + effort(&answer));
        answer.claims[asking.1].status == Status::Fails
    }
}

/// Who proves, one edited program apart from the next.
#[derive(Clone, Copy)]
pub(super) struct Prover<'a> {
    pub(super) program: &'a Program,
    pub(super) failure: &'a Explanation,
    pub(super) options: &'a FixOptions,
    /// The claim that is violated.
    pub(super) property: usize,
}

impl Prover<'_> {
    /// Does an edited program violate a claim, for any input?
    pub(super) fn answer(&self, program: &program::Program, named: &Named) -> Judged {
        let unknown = Judged { answer: Answer::Unknown, effort: 0 };
        let Some(properties) = named.within(program) else { return unknown };
        let check = self.options.check.clone();
        let stop = check.stop.within(self.options.most_of_proof);
        // Where no other claim was open before, one that fails now says it all.
        let before = &self.failure.claims;
        let one_failure = !(0..before.len()).any(|claim| self.was_open(name_of(before, claim, &in_report)));
        let options =
            CheckOptions { minimise: Minimised::None, explained: false, one_failure, properties, stop, ..check };
        let Ok(answer) = check::check(program, &options, &mut |_| {}) else { return unknown };
        let effort = effort(&answer);
        let of = &self.program.program.claims[self.property];
        // A claim that nothing comes to any more is not mended.
        let is_it = |claim: &ClaimReport| in_report(claim) == (of.span, of.kind);
        let is_vacuous = |index: &usize| is_it(&answer.claims[*index]) && of.kind == ClaimKind::Assertion;
        if answer.vacuous.iter().any(is_vacuous) {
            return Judged { answer: Answer::Unknown, effort };
        }
        let verified = if answer.complete { Verified::All } else { Verified::Bound };
        let failing = (0..answer.claims.len()).filter(|claim| answer.claims[*claim].status != Status::Holds);
        let failing: Vec<_> = failing.map(|claim| (claim, name_of(&answer.claims, claim, &in_report))).collect();
        let answer = match (answer.verdict, &answer.counterexample) {
            (Verdict::Holds, _) => Answer::Fixed(Shown { verified, whole: true, leaves: Vec::new() }),
            (Verdict::Fails, _) if failing.iter().all(|(_, name)| self.was_open(*name)) => {
                let fails = failing.iter().filter(|(claim, _)| answer.claims[*claim].status == Status::Fails);
                // Edits may make more claims, which are counted.
                let known = |name| (0..before.len()).find(|other| name_of(before, *other, &in_report) == name);
                let leaves = fails.filter_map(|(_, name)| known(*name)).map(|claim| before[claim].id.clone()).collect();
                Answer::Fixed(Shown { verified, whole: false, leaves })
            }
            (Verdict::Fails, Some(failing)) => Answer::Fails(failing.inputs.clone()),
            _ => Answer::Unknown,
        };
        Judged { answer, effort }
    }

    /// Is a claim, by what stands in the text, another one than the violated one, and did it not hold before? What only waited for that one
    /// must hold now.
    fn was_open(&self, claim: ClaimName) -> bool {
        let claims = &self.failure.claims;
        claims.iter().enumerate().any(|(index, other)| {
            let is_open = index != self.property && other.status != Status::Holds && other.unless.is_none();
            is_open && name_of(claims, index, &in_report) == claim
        })
    }
}

/// The user's functions with loops that nothing leads out of, and how many there are.
fn endless_loops(program: &program::Program) -> Vec<(String, usize)> {
    let functions = program.functions.iter().enumerate().filter(|(_, function)| function.author == Author::User);
    let loops = functions.map(|(at, function)| {
        let known = loops::analyse(program, FunctionId(at as u32));
        (function.name.clone(), known.endless())
    });
    loops.filter(|(_, endless)| *endless > 0).collect()
}

/// The steps and conflicts that an answer took.
fn effort(answer: &Explanation) -> u64 {
    let counted = |name: &str| matches!(name, "steps" | "solver_conflicts");
    answer.stats.counts.iter().filter(|(name, _)| counted(name)).map(|(_, count)| count).sum()
}

/// One fix more.
fn keep(fix: Fix, survivor: &Survivor, edited: program::Program, found: &mut Fixes, mended: &mut Vec<Mended>) {
    let only = if let [only] = survivor.edits[..] { Some(only.clone()) } else { None };
    let cost = survivor.edits.iter().map(|edit| edit.cost).sum();
    found.found.push(fix);
    mended.push(Mended { program: edited, only, cost, effect: survivor.effect });
}

/// A claim by what stands in the text; a call may have several preconditions, so by its number among those of a kind at a place, too.
type ClaimName = (Span, ClaimKind, usize);

fn name_of<C>(claims: &[C], index: usize, of: &dyn Fn(&C) -> (Span, ClaimKind)) -> ClaimName {
    let (span, kind) = of(&claims[index]);
    (span, kind, claims[..index].iter().filter(|claim| of(claim) == (span, kind)).count())
}

fn in_report(claim: &ClaimReport) -> (Span, ClaimKind) {
    (claim.span, claim.kind)
}

fn in_program(claim: &Claim) -> (Span, ClaimKind) {
    (claim.span, claim.kind)
}

/// Fixes that count: better than one that leaves other claims violated is one that leaves none.
fn best<'f>(found: &'f Fixes, runs: &Runs) -> impl Iterator<Item = &'f Fix> {
    let is_any = runs.open.is_empty();
    found.found.iter().filter(move |fix| is_any || fix.leaves.is_empty())
}

/// What an edit changes in the text, in order.
fn texts(survivor: &Survivor) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = survivor.edits.iter().map(|edit| edit.text.clone()).collect();
    edits.sort();
    edits
}

/// What came of a proof, and its steps and conflicts.
pub(super) struct Judged {
    pub(super) answer: Answer,
    effort: u64,
}

/// What was shown of an edited program.
pub(super) struct Shown {
    verified: Verified,
    /// Whether no claim is violated.
    whole: bool,
    /// Claims that were violated before and still are.
    leaves: Vec<String>,
}

/// What came of it.
pub(super) enum Answer {
    Fixed(Shown),
    Fails(Inputs),
    Unknown,
}
