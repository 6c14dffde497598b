//! Where to look first: lines of proved fixes, then lines where an edit passes every run that is known though it was not proved, then lines
//! of which other values save all failing runs, whether the violated claim was seen to depend on them or not.
//!
//! (That edits which mend failing runs are mostly near the fault: Papadakis and Le Traon, "Metallaxis-FL", 2015.)

use std::collections::{BTreeMap, HashSet};

use nearmiss_program::program::{Author, ClaimKind, FunctionId, Program, StatementKind, Terminator};
use nearmiss_program::source::{Sources, Span};

use super::rescued::{self, share};
use super::runs::Runs;
use super::{FixOptions, line};
use crate::explain::matches_pattern;
use crate::explanation::{Fix, Fixes, Reason, Suspect};
use crate::method::rescue::Line;

/// So many lines of edits that were not proved are told.
pub(super) const MOST_UNPROVED: usize = 4;
/// So many lines that are not suspect yet are asked about.
const MOST_ASKED: usize = 24;

/// A place in a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) span: Span,
    pub(super) function: FunctionId,
}

/// What the lines are judged by.
pub(super) struct Pointing<'a> {
    pub(super) program: &'a Program,
    pub(super) sources: &'a Sources,
    pub(super) options: &'a FixOptions,
    pub(super) runs: &'a Runs,
    /// The claim that is violated.
    pub(super) property: usize,
}

/// The suspects of failing tests: lines of fixes, then lines of edits that mend the most tests, then the others.
pub(super) fn of_tests(
    sources: &Sources,
    ranked: Vec<Suspect>,
    found: &Fixes,
    mends: &[(Place, usize)],
    failing: usize,
) -> Vec<Suspect> {
    let fix =
        |(number, fix): (usize, &Fix)| (Place { span: fix.edits[0].span, function: fix.function }, Reason::Fix(number));
    let fixes = found.found.iter().enumerate().map(fix);
    let mends = mends.iter().take(MOST_UNPROVED).map(|(place, saved)| (*place, Reason::Mends(*saved, failing)));
    let mut suspects: Vec<Suspect> = Vec::new();
    for (place, reason) in fixes.chain(mends) {
        let here = line(sources, place.span);
        if !suspects.iter().any(|suspect| line(sources, suspect.span) == here) {
            let because = vec![reason];
            suspects.push(Suspect { span: place.span, function: place.function, because, rescues: None });
        }
    }
    for suspect in ranked {
        let here = line(sources, suspect.span);
        match suspects.iter_mut().find(|other| line(sources, other.span) == here) {
            Some(known) => known.because.extend(suspect.because),
            None => suspects.push(suspect),
        }
    }
    suspects
}

/// The same when some fixes turned out to be none: lines that a fix is left for come first, then those that edits of mend some tests; what nothing is
/// known of any more is no suspect.
pub(crate) fn withdrawn(sources: &Sources, suspects: &mut Vec<Suspect>, found: &Fixes) {
    for suspect in suspects.iter_mut() {
        let here = line(sources, suspect.span);
        let left = found.found.iter().position(|fix| line(sources, fix.edits[0].span) == here);
        suspect.because.retain(|reason| !matches!(reason, Reason::Fix(_)));
        suspect.because.splice(0..0, left.map(Reason::Fix));
    }
    suspects.retain(|suspect| !suspect.because.is_empty());
    let of_tests = |reason: &Reason| match reason {
        Reason::Tests { failing: (of, _), passing: (beside, _) } => Some((*of, *beside)),
        _ => None,
    };
    suspects.sort_by(|one, two| {
        let place = |suspect: &Suspect| match suspect.because[0] {
            Reason::Fix(number) => (0, number),
            Reason::Mends(saved, of) => (1, of - saved.min(of)),
            _ => (2, 0),
        };
        let suspicion = |suspect: &Suspect| {
            let (failing, passing) = suspect.because.iter().find_map(of_tests).unwrap_or_default();
            failing as f64 / ((failing + passing).max(1) as f64).sqrt()
        };
        place(one).cmp(&place(two)).then(suspicion(two).total_cmp(&suspicion(one)))
    });
}

impl Pointing<'_> {
    /// The suspects in a better order, and some more.
    pub(super) fn ordered(&self, suspects: &mut Vec<Suspect>, found: &Fixes, unproved: &[Place]) {
        rescued::by_runs(self.program, self.sources, suspects, self.runs, self.options);
        let failing = self.runs.failing().len();
        if found.found.is_empty() {
            self.add_unsuspected(suspects);
        }
        self.add_check(suspects);
        let unproved = self.lines(unproved);
        for place in unproved.into_iter().rev() {
            self.first(suspects, place, Reason::Edit(failing));
        }
        let proved: Vec<Place> =
            (found.found.iter()).map(|fix| Place { span: fix.edits[0].span, function: fix.function }).collect();
        for place in self.lines(&proved).into_iter().rev() {
            let here = line(self.sources, place.span);
            let number = proved.iter().position(|fix| line(self.sources, fix.span) == here);
            self.first(suspects, place, Reason::Fix(number.unwrap_or(0)));
        }
    }

    /// The first place on each line.
    fn lines(&self, places: &[Place]) -> Vec<Place> {
        let mut seen = HashSet::new();
        places.iter().copied().filter(|place| seen.insert(line(self.sources, place.span))).collect()
    }

    /// Puts a line first, for a reason.
    fn first(&self, suspects: &mut Vec<Suspect>, place: Place, reason: Reason) {
        let here = line(self.sources, place.span);
        let known = suspects.iter().position(|suspect| line(self.sources, suspect.span) == here);
        let mut suspect = match known {
            Some(at) => suspects.remove(at),
            None => Suspect { span: place.span, function: place.function, because: Vec::new(), rescues: None },
        };
        suspect.because.retain(|other| !matches!(other, Reason::Edit(_)));
        suspect.because.insert(0, reason);
        suspects.insert(0, suspect);
    }

    /// Behind the lines that save all runs.
    fn behind_saving(suspects: &[Suspect]) -> usize {
        suspects.iter().take_while(|suspect| share(suspect) == 1_000).count()
    }

    /// Adds lines that every failing run executes and that save all of them, though the claim was not seen to depend on them: what is not
    /// executed because of them is in no slice.
    fn add_unsuspected(&self, suspects: &mut Vec<Suspect>) {
        let executed = self.runs.executed(self.program, self.sources);
        let known: HashSet<Line> = suspects.iter().map(|suspect| line(self.sources, suspect.span)).collect();
        let places = self.done().into_iter().filter(|(at, _)| executed.contains(at) && !known.contains(at));
        let suspect =
            |place: Place| Suspect { span: place.span, function: place.function, because: Vec::new(), rescues: None };
        let mut more: Vec<Suspect> = places.map(|(_, place)| suspect(place)).take(MOST_ASKED).collect();
        rescued::by_runs(self.program, self.sources, &mut more, self.runs, self.options);
        more.retain(|suspect| suspect.rescues.is_some_and(|(saved, of)| saved == of));
        more.iter_mut().for_each(|suspect| suspect.because.push(Reason::Repair));
        let at = Self::behind_saving(suspects);
        suspects.splice(at..at, more);
    }

    /// A check that C makes may stand where the fault is: what overflows is computed there.
    fn add_check(&self, suspects: &mut Vec<Suspect>) {
        let claim = &self.program.claims[self.property];
        let here = line(self.sources, claim.span);
        let is_known = suspects.iter().any(|suspect| line(self.sources, suspect.span) == here);
        // What users add from outside has a place of its own.
        let is_outside = self.sources.position(claim.span).file.starts_with("--");
        if claim.kind == ClaimKind::Assertion || is_known || is_outside {
            return;
        }
        let is_it =
            |kind: &StatementKind| matches!(kind, StatementKind::Claim { claim, .. } if claim.index() == self.property);
        let function = self.editable().find(|(_, function)| {
            function.blocks.iter().flat_map(|block| &block.statements).any(|statement| is_it(&statement.kind))
        });
        if let Some((function, _)) = function {
            let because = vec![Reason::Check];
            let at = Self::behind_saving(suspects);
            suspects.insert(at, Suspect { span: claim.span, function, because, rescues: None });
        }
    }

    /// The user's functions that are not trusted.
    fn editable(&self) -> impl Iterator<Item = (FunctionId, &nearmiss_program::program::Function)> {
        let trusted = |name: &str| self.options.trust.iter().any(|pattern| matches_pattern(pattern, name));
        let all = self.program.functions.iter().enumerate();
        all.filter(move |(_, function)| function.author == Author::User && !trusted(&function.name))
            .map(|(at, function)| (FunctionId(at as u32), function))
    }

    /// What each line computes or decides, in the order of the text.
    fn done(&self) -> BTreeMap<Line, Place> {
        let mut places = BTreeMap::new();
        let mut spoken = HashSet::new();
        for (function, of) in self.editable() {
            for block in &of.blocks {
                for statement in &block.statements {
                    let here = line(self.sources, statement.span);
                    match statement.kind {
                        StatementKind::Claim { claim, .. }
                            if self.program.claims[claim.index()].kind == ClaimKind::Assertion =>
                        {
                            spoken.insert(here);
                        }
                        StatementKind::Assume { .. } => {
                            spoken.insert(here);
                        }
                        StatementKind::Assign { .. } | StatementKind::Call { .. } => {
                            places.entry(here).or_insert(Place { span: statement.span, function });
                        }
                        _ => {}
                    }
                }
                if let Terminator::Branch { span, .. } | Terminator::Return { span, .. } = &block.end {
                    places.entry(line(self.sources, *span)).or_insert(Place { span: *span, function });
                }
            }
        }
        places.retain(|line, _| !spoken.contains(line));
        places
    }
}
