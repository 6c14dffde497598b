//! Fixes: edits of the program with which no claim is violated any more.
//!
//! Edits are proposed by [`nearmiss_program::c::edit`], executed on the runs that are known, and the few that are left are proved for all
//! inputs. A run that an edited program still fails on joins the runs. What is told was shown of the edited text, read anew.
//!
//! (Compare Rothenberg and Grumberg, "Sound and complete mutation-based program repair", FM 2016: edits are theirs, execution before
//! proof is not.)

mod angel;
mod conditions;
mod differs;
mod further;
mod missing;
mod pairs;
mod places;
mod pointing;
mod rescued;
mod runs;
mod same;
mod text;

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use nearmiss_program::c::edit::{Edit, Editable, TextEdit, Wanted};
use nearmiss_program::program::{self, Author, ClaimId, ClaimKind, FunctionId};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{FileId, Sources, Span};

use crate::check::{self, CheckError, CheckOptions};
use crate::explain::{ExplainOptions, matches_pattern};
use crate::explanation::{
    ClaimReport, Explanation, Fix, Fixes, Minimised, Shared, Status, TriedPairs, Verdict, Verified,
};
use crate::reading::Program;
use crate::trials;
use places::Places;
use pointing::{Place, Pointing};
use runs::{Named, Runs};
pub use text::{Edited, edited_text};

/// What is wanted.
#[derive(Clone, Debug)]
pub struct FixOptions {
    /// Bounds and claims, as for the failing run.
    pub check: CheckOptions,
    /// Functions that are never edited, by patterns with `*` and `?`.
    pub trust: Vec<String>,
    /// Only edits on these lines, by file and line; none: on all.
    pub at: Vec<(String, u32)>,
    /// So many runs that pass, and so many that fail, are made for edits to be executed on.
    pub most_runs: (usize, usize),
    /// So many edits are executed at most.
    pub most_executed: usize,
    /// So many bytes of text are lowered for that at most.
    pub most_lowered: usize,
    /// So many edits of what is declared or defined are read again at most, and so many bytes of text for that.
    pub most_reread: (usize, usize),
    /// So many are proved, or found not to be fixes, at most.
    pub most_proofs: usize,
    /// So many steps of equations and conflicts may that take.
    pub most_effort: u64,
    /// So many conflicts may one of them meet.
    pub most_of_proof: u64,
    /// So many fixes are enough.
    pub enough: usize,
    /// So many on one line are.
    pub enough_on_line: usize,
    /// Of so many it is told when they do something else than the program.
    pub most_told: usize,
    /// So many steps and conflicts may that take for each.
    pub most_to_tell: (usize, u64),
    /// Edits of a fix at most: 1, or 2 where one does not do.
    pub edits: usize,
    /// So many pairs of edits are executed at most.
    pub most_pairs: usize,
    /// Whether lines are looked for that would have to change, where there is no fix.
    pub diagnoses: bool,
    /// Whether the entry function is edited where nothing else does, although it calls others.
    pub edits_harness: bool,
}

impl Default for FixOptions {
    fn default() -> FixOptions {
        FixOptions {
            check: CheckOptions::default(),
            trust: Vec::new(),
            at: Vec::new(),
            most_runs: (60, 20),
            most_executed: 20_000,
            most_lowered: usize::MAX,
            most_reread: (120, usize::MAX),
            most_proofs: 120,
            most_effort: 2_000_000,
            most_of_proof: 100_000,
            enough: 12,
            enough_on_line: 3,
            most_told: usize::MAX,
            most_to_tell: (4_000, 20_000),
            edits: 1,
            most_pairs: 40_000,
            diagnoses: true,
            edits_harness: true,
        }
    }
}

/// In a share, of programs with fewer steps it is told when fixes do something else: of the best, or of more.
const STEPS_TO_TELL: usize = 300;

impl FixOptions {
    /// As much as an explanation has time for.
    pub fn share(explain: &ExplainOptions, found: &Explanation) -> FixOptions {
        let steps =
            found.stats.counts.iter().find(|(name, _)| *name == "steps").map_or(0, |(_, steps)| *steps as usize);
        FixOptions {
            check: explain.check.clone(),
            trust: explain.trust.clone(),
            most_runs: (16, 8),
            most_executed: 6_000,
            most_lowered: 3_000_000,
            most_reread: (40, 300_000),
            most_proofs: 24,
            most_effort: 6_000 + 2 * steps as u64,
            most_of_proof: 3_000 + steps as u64,
            enough: 3,
            // It is for lines to look at, and one edit of a line suffices for that.
            enough_on_line: 1,
            most_told: STEPS_TO_TELL / steps.max(1),
            most_to_tell: (4_000, 1_000),
            diagnoses: false,
            edits_harness: false,
            ..FixOptions::default()
        }
    }
}

/// Looks for fixes of failing tests, and for the lines to look at.
pub fn point_of_tests(
    program: &Program,
    explanation: &mut Explanation,
    options: &FixOptions,
) -> Result<(), CheckError> {
    let Searched { found, mends, .. } = search(program, explanation, options)?;
    let Some(tests) = &mut explanation.tests else { return Ok(()) };
    let ranked = trials::suspects(&program.program, &program.sources, &tests.all, &options.trust, &options.check.stop);
    tests.suspects = pointing::of_tests(&program.sources, ranked, &found, &mends, tests.failing());
    explanation.fixes = Some(found);
    Ok(())
}

/// Looks for fixes, and puts the lines of those that are found before other suspects.
pub fn point(program: &Program, explanation: &mut Explanation, options: &FixOptions) -> Result<(), CheckError> {
    if program.program.temporal.is_some() {
        return Ok(());
    }
    let Searched { found, runs, unproved, .. } = search(program, explanation, options)?;
    if let (Some(contrast), Some(runs), Some(property)) = (&mut explanation.contrast, &runs, explanation.property) {
        let (program, sources) = (&program.program, &program.sources);
        Pointing { program, sources, options, runs, property }.ordered(&mut contrast.suspects, &found, &unproved);
    }
    explanation.fixes = Some(found);
    Ok(())
}

/// Values of constants and tables are edited after those of so many suspects.
const FEW_SUSPECTS: usize = 8;
/// So many conflicts are met to find a run that comes to the claim.
const CONFLICTS_TO_COME: u64 = 2_000;
/// What it adds to the price of a fix that failing runs do not come to the claim any more.
const PRICE_OF_AVOIDING: u32 = 4;
/// So many edits that were not decided are kept.
const MOST_LEFT: usize = 16;
/// So many edits are lowered at once, and about so many bytes of text.
const BATCH: usize = 128;
const BATCH_TEXT: usize = 200_000;

/// The program with a fix, and the edit, if it is a single one.
struct Mended {
    program: program::Program,
    only: Option<Edit>,
    /// How unlikely its edits are.
    cost: u32,
}

/// How unlikely edits are to be what was meant: the slip of a key that changes what many runs do is likelier than a far-fetched condition that
/// changes none.
fn price(cost: u32, changed: usize) -> u32 {
    cost * 2 + (changed + 1).ilog2()
}

/// Edits that no run speaks against so far.
struct Survivor<'e> {
    edits: Vec<&'e Edit>,
    /// The edited program, where it was read again.
    program: Option<program::Program>,
    /// Of how many runs it is known.
    tested: usize,
    changed: usize,
}

/// Looks for fixes of the failure that was found.
pub fn fixes(program: &Program, failure: &Explanation, options: &FixOptions) -> Result<Fixes, CheckError> {
    search(program, failure, options).map(|searched| searched.found)
}

/// What a search gives.
#[derive(Default)]
struct Searched {
    found: Fixes,
    /// The runs that are known then.
    runs: Option<Runs>,
    /// Edits that pass all of these and were neither proved nor refuted, the likeliest first.
    unproved: Vec<Place>,
    /// Of tests: places of edits that make some failing ones pass, how many, and no passing one fail; those of most first.
    mends: Vec<(Place, usize)>,
}

/// Looks for fixes. Where other functions take part, the entry function is mostly the harness: it is edited only
/// where nothing else mends the program.
fn search(program: &Program, failure: &Explanation, options: &FixOptions) -> Result<Searched, CheckError> {
    if failure.tests.is_some() {
        return search_in(program, failure, options);
    }
    let entry = &program.program.function(program.program.entry).name;
    let is_trusted = |name: &str| options.trust.iter().any(|pattern| matches_pattern(pattern, name));
    let takes_part = |function: FunctionId| {
        let of = program.program.function(function);
        of.author == Author::User && of.name != *entry && !is_trusted(&of.name)
    };
    let steps = failure.counterexample.iter().flat_map(|failing| &failing.run.steps);
    let has_others = steps.map(|step| step.function).any(takes_part);
    if !has_others || is_trusted(entry) {
        return search_in(program, failure, options);
    }
    let mut narrow = options.clone();
    narrow.trust.push(entry.clone());
    let first = search_in(program, failure, &narrow)?;
    if !first.found.found.is_empty() || !options.edits_harness || options.check.stop.requested() {
        return Ok(first);
    }
    // Lines of the harness would have to change only where no others do.
    let known = first.found.diagnoses.filter(|known| !known.sets.is_empty());
    let whole = FixOptions { diagnoses: options.diagnoses && known.is_none(), ..options.clone() };
    let mut second = search_in(program, failure, &whole)?;
    if second.found.found.is_empty() {
        second.found.diagnoses = known.or(second.found.diagnoses);
    }
    Ok(second)
}

/// Looks for fixes everywhere but in what is trusted.
fn search_in(program: &Program, failure: &Explanation, options: &FixOptions) -> Result<Searched, CheckError> {
    let failing = failure.counterexample.as_ref().map(|failing| &failing.inputs);
    let (failing, property) = match (&failure.tests, failing, failure.property) {
        // A test may fail without a claim: it does not end.
        (Some(_), _, property) => (None, property.unwrap_or(0)),
        (None, Some(failing), Some(property)) => (Some(failing), property),
        _ => return Ok(Searched::default()),
    };
    let origin = program.origin();
    let mut sources = Sources::new();
    let loader = Edited::unchanged(&program.sources);
    let Ok(editable) = Editable::read(&origin.files, &origin.reading.c, &loader, &mut sources) else {
        return Ok(Searched::default());
    };
    let original = &program.program;
    let mut runs = match (&failure.tests, failing) {
        (None, Some(failing)) => known_runs(original, failure, (property, failing), &editable.numbers(), options),
        (tests, _) => {
            let all = tests.as_ref().map_or(&[][..], |tests| &tests.all);
            Runs::given(original, all, &options.check.stop)
        }
    };
    let about_bounds = [ClaimKind::ArrayBounds, ClaimKind::PointerDereference, ClaimKind::PointerArithmetic];
    let longer = original.claims.get(property).is_some_and(|claim| about_bounds.contains(&claim.kind));
    // Where tests are given, also edits are told that mend some of them.
    let executed = match failure.tests {
        Some(_) => runs.executed_by_some(original, &sources),
        None => runs.executed(original, &sources),
    };
    // Two edits together may each be of what some failing run executes.
    let mut lines = if options.edits > 1 { runs.executed_by_some(original, &sources) } else { executed.clone() };
    lines.extend(editable.quiet_lines(&sources, &lines));
    let all = wanted(&editable, &sources, options, &lines, longer);
    let quiet = editable.quiet_lines(&sources, &executed);
    let is_executed = |at: &Span| [&executed, &quiet].iter().any(|lines| lines.contains(&line(&sources, *at)));
    let may_help = |edit: &&Edit| edit.is_outside_functions() || edit.uses.iter().any(is_executed);
    let mut edits: Vec<&Edit> = all.iter().filter(may_help).collect();
    let suspects = failure.contrast.iter().flat_map(|contrast| &contrast.suspects);
    let suspects: Vec<_> = suspects.map(|suspect| line(&program.sources, suspect.span)).collect();
    edits.sort_by_key(|edit| {
        let place = |span: &Span| suspects.iter().position(|suspect| *suspect == line(&sources, *span));
        let of_uses = || edit.uses.iter().filter_map(place).min().unwrap_or(FEW_SUSPECTS);
        let elsewhere = || match (edit.is_outside_functions(), edit.needs_reading()) {
            (_, true) => FEW_SUSPECTS + of_uses(),
            (true, false) => FEW_SUSPECTS,
            (false, false) => suspects.len(),
        };
        place(&edit.text.span).unwrap_or_else(elsewhere)
    });
    let (again, edits): (Vec<&Edit>, Vec<&Edit>) = edits.into_iter().partition(|edit| edit.needs_reading());
    let of_tests = failure.tests.is_some();
    let mut found = Fixes { candidates: edits.len() + again.len(), of_tests, ..Fixes::default() };
    let mut survivors = reread(&editable, again, &runs, &loader, &sources, options, &mut found);
    survivors.extend(executed_edits(&editable, &edits, &runs, &sources, options, &mut found));
    found.complete = found.executed == found.candidates;
    survivors.sort_by_key(|survivor| {
        let edit = survivor.edits[0];
        (price(edit.cost, survivor.changed), survivor.changed, edit.text.new.len())
    });
    let judge = Judge {
        program,
        failure,
        options,
        property,
        sources: &sources,
        editable: &editable,
        effort: Cell::new(0),
        unproved: RefCell::default(),
    };
    let mut mended = Vec::new();
    judge.survivors(survivors, &mut runs, &mut found, &mut mended)?;
    if found.found.is_empty() && failure.tests.is_some() {
        judge.further(&mut runs, &mut found, &mut mended)?;
    }
    if found.found.is_empty() && failure.tests.is_none() && options.edits > 1 {
        let scene = pairs::Scene { original, editable: &editable, sources: &sources, options };
        let alike: Vec<Edit> = all.iter().filter(|edit| !edit.needs_reading()).cloned().collect();
        judge.pairs(scene, &alike, &mut runs, &mut found, &mut mended)?;
    }
    if found.found.is_empty() {
        judge.missing(&executed, &mut runs, &mut found, &mut mended)?;
    }
    if found.found.is_empty() && failure.tests.is_none() && options.diagnoses && !options.check.stop.requested() {
        found.diagnoses = Some(Places::of(original, &sources, &runs, options).diagnoses());
    }
    (found.passing, found.failing) = (runs.passing(), runs.len() - runs.passing());
    let fixes = std::mem::take(&mut found.found).into_iter().zip(mended).collect();
    found.found = told(program, failure, fixes, &runs, options);
    let unproved = judge.unproved(&runs);
    let mends = match failure.tests.is_some() && found.found.is_empty() {
        true => judge.mends(&edits, &runs),
        false => Vec::new(),
    };
    Ok(Searched { found, runs: Some(runs), unproved, mends })
}

/// The runs that edits are executed on at first.
fn known_runs(
    original: &program::Program,
    failure: &Explanation,
    (property, failing): (usize, &Inputs),
    numbers: &[u128],
    options: &FixOptions,
) -> Runs {
    let named = Named::of(original, &options.check.properties);
    let mut runs = Runs::of(original, ClaimId(property as u32), failing, named);
    let is_open = |(at, claim): &(usize, &ClaimReport)| {
        *at != property && claim.status == Status::Fails && claim.unless.or(claim.after).is_none()
    };
    let open = failure.claims.iter().enumerate().filter(is_open);
    runs.open = open.map(|(_, claim)| (claim.span, claim.kind)).collect();
    if options.trust.iter().any(|pattern| matches_pattern(pattern, &original.claims[property].function)) {
        runs.asked_by_others();
    }
    if let Some(nearest) = failure.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref()) {
        runs.add_passing(original, &nearest.inputs);
    }
    runs.add_by_chance(original, options.most_runs);
    runs.add_neighbours(original, numbers, options.most_runs);
    runs
}

/// The fixes as they are told: the best first, each once, with when they do something else than the program.
fn told(
    program: &Program,
    failure: &Explanation,
    mut fixes: Vec<(Fix, Mended)>,
    runs: &Runs,
    options: &FixOptions,
) -> Vec<Fix> {
    for (fix, mended) in &mut fixes {
        // Later runs tell of earlier fixes, too.
        fix.changed = runs.changed_by(&mended.program, 0).unwrap_or(fix.changed);
        fix.avoids = runs.avoids(&mended.program);
    }
    fixes.sort_by_key(|(fix, mended)| {
        let price = price(mended.cost, fix.changed) + if fix.avoids { PRICE_OF_AVOIDING } else { 0 };
        (fix.leaves.len(), price, fix.changed)
    });
    fixes.truncate(options.enough);
    let most_told = if failure.tests.is_some() { 0 } else { options.most_told };
    for (fix, mended) in fixes.iter_mut().take(most_told) {
        let differs = |edit| differs::differs(program, edit, failure, options);
        fix.differs = mended.only.as_ref().and_then(differs);
    }
    fixes.into_iter().map(|(fix, _)| fix).collect()
}

/// Of some edits those that no run speaks against.
fn executed_edits<'e>(
    editable: &Editable,
    edits: &[&'e Edit],
    runs: &Runs,
    sources: &Sources,
    options: &FixOptions,
    found: &mut Fixes,
) -> Vec<Survivor<'e>> {
    let mut survivors = Vec::new();
    let tested = runs.len();
    let edits = &may_turn(editable, edits, runs, sources, options, found);
    let (mut left, mut bytes) = (&edits[..edits.len().min(options.most_executed)], 0);
    while !left.is_empty() && bytes < options.most_lowered && !options.check.stop.requested() {
        let (one, rest, of_one) = batch(editable, left);
        let (other, rest, of_other) = batch(editable, rest);
        (left, bytes) = (rest, bytes + of_one + of_other);
        found.executed += one.len() + other.len();
        let survivors_of = |batch| runs.survivors(editable, batch, sources);
        let (one, other) = options.check.threads.both(|| survivors_of(one), || survivors_of(other));
        let alive = one.into_iter().chain(other);
        survivors.extend(alive.map(|(edit, changed)| Survivor { edits: vec![edit], program: None, tested, changed }));
    }
    survivors
}

/// So many edits in a condition are worth a look at whether it matters.
const WORTH_TURNING: usize = 6;

/// Some edits without those that only turn a condition which some run fails with and without.
fn may_turn<'e>(
    editable: &Editable,
    edits: &[&'e Edit],
    runs: &Runs,
    sources: &Sources,
    options: &FixOptions,
    found: &mut Fixes,
) -> Vec<&'e Edit> {
    let mut counts: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for turned in edits.iter().filter_map(|edit| edit.turns()) {
        *counts.entry(turned).or_default() += 1;
    }
    counts.retain(|_, count| *count >= WORTH_TURNING);
    let turned: Vec<(u32, u32)> = counts.into_keys().collect();
    let trusted = |name: &str| options.trust.iter().any(|pattern| matches_pattern(pattern, name));
    let (one, other) = turned.split_at(turned.len() / 2);
    let idle_of = |turned| angel::idle(editable, turned, &trusted, runs, sources, &options.check.stop);
    let (one, other) = options.check.threads.both(|| idle_of(one), || idle_of(other));
    let is_idle = |edit: &&&Edit| edit.turns().is_some_and(|turned| one.contains(&turned) || other.contains(&turned));
    let left: Vec<&Edit> = edits.iter().filter(|edit| !is_idle(edit)).copied().collect();
    found.executed += edits.len() - left.len();
    left
}

/// So many of some edits as are lowered at once, the others, and the bytes of text that these take.
fn batch<'a, 'e>(editable: &Editable, edits: &'a [&'e Edit]) -> (&'a [&'e Edit], &'a [&'e Edit], usize) {
    let (mut many, mut bytes) = (0, 0);
    while many < edits.len().min(BATCH) && bytes < BATCH_TEXT {
        bytes += editable.weight(edits[many]);
        many += 1;
    }
    let (batch, rest) = edits.split_at(many);
    (batch, rest, bytes)
}

/// Of edits that have to be read again those that no run speaks against, the likeliest ones tried first.
fn reread<'e>(
    editable: &Editable,
    mut first: Vec<&'e Edit>,
    runs: &Runs,
    loader: &Edited,
    sources: &Sources,
    options: &FixOptions,
    found: &mut Fixes,
) -> Vec<Survivor<'e>> {
    first.sort_by_key(|edit| edit.cost);
    let (most, bytes) = options.most_reread;
    first.truncate(most.min(bytes / editable.weight_of_all().max(1)));
    found.executed += first.len();
    let tried = |edits: &[&'e Edit]| {
        editable.reread(edits, loader, sources, |_, program| {
            let changed = runs.changed_by(&program, 0)?;
            Some((program, changed))
        })
    };
    let (one, other) = first.split_at(first.len() / 2);
    let (one, other) = options.check.threads.both(|| tried(one), || tried(other));
    let tried = one.into_iter().chain(other);
    let survivor = |(edit, left): (&'e Edit, Option<_>)| {
        let (program, changed) = left?;
        Some(Survivor { edits: vec![edit], program: Some(program), tested: runs.len(), changed })
    };
    first.into_iter().zip(tried).filter_map(survivor).collect()
}

/// The edits of what may be edited.
fn wanted(
    editable: &Editable,
    sources: &Sources,
    options: &FixOptions,
    lines: &HashSet<(FileId, u32)>,
    longer: bool,
) -> Vec<Edit> {
    let trusted = |name: &str| options.trust.iter().any(|pattern| matches_pattern(pattern, name));
    let mut edits = editable.edits(sources, &Wanted { trusted: &trusted, lines: Some(lines), longer });
    edits.retain(|edit| is_wanted(sources, options, edit.text.span));
    edits
}

/// Whether edits here were asked for.
fn is_wanted(sources: &Sources, options: &FixOptions, span: Span) -> bool {
    let position = sources.position(span);
    let is_there = |(file, line): &(String, u32)| position.line == *line && position.file == *file;
    options.at.is_empty() || options.at.iter().any(is_there)
}

/// Who decides whether an edit is a fix.
struct Judge<'a> {
    program: &'a Program,
    failure: &'a Explanation,
    options: &'a FixOptions,
    /// The claim that is violated.
    property: usize,
    /// The text as the edits know it.
    sources: &'a Sources,
    editable: &'a Editable,
    /// Steps and conflicts so far.
    effort: Cell<u64>,
    /// What was neither proved nor refuted, and of how many runs it is known.
    unproved: RefCell<Vec<(Edit, usize)>>,
}

impl Judge<'_> {
    /// Tries pairs of edits.
    fn pairs(
        &self,
        scene: pairs::Scene,
        edits: &[Edit],
        runs: &mut Runs,
        found: &mut Fixes,
        mended: &mut Vec<Mended>,
    ) -> Result<(), CheckError> {
        let mut places = Places::of(scene.original, self.sources, runs, self.options);
        let mut search = pairs::Search::new(scene, edits, &places, runs);
        let mut pairs = Fixes { complete: true, ..Fixes::default() };
        while pairs.found.is_empty()
            && pairs.judged < self.options.most_proofs
            && let Some(survivors) = search.stage(&mut places, runs)
        {
            self.survivors(survivors, runs, &mut pairs, mended)?;
        }
        let complete = search.tried.complete && pairs.complete;
        found.pairs = Some(TriedPairs { judged: pairs.judged, complete, ..search.tried });
        found.found = pairs.found;
        Ok(())
    }

    /// Judges edits that passed all runs, in order, until enough fixes are found.
    fn survivors(
        &self,
        survivors: Vec<Survivor>,
        runs: &mut Runs,
        found: &mut Fixes,
        mended: &mut Vec<Mended>,
    ) -> Result<(), CheckError> {
        let (options, original) = (self.options, &self.program.program);
        let mut survivors = survivors.into_iter();
        while let Some(mut survivor) = survivors.next() {
            let is_spent = found.judged == options.most_proofs || self.effort.get() > options.most_effort;
            // Better than one that leaves other claims violated is one that leaves none.
            let least = found.found.iter().map(|fix| fix.leaves.len()).min().unwrap_or(0);
            let best = |fix: &&Fix| fix.leaves.len() == least && least == 0 || runs.open.is_empty();
            let is_enough = found.found.iter().filter(best).count() >= options.enough || is_spent;
            if is_enough || options.check.stop.requested() {
                found.complete = false;
                self.leave([survivor].into_iter().chain(survivors));
                break;
            }
            let lines = |mut edits: Vec<Span>| {
                edits.sort();
                edits.into_iter().map(|span| line(self.sources, span)).collect::<Vec<_>>()
            };
            let here = lines(survivor.edits.iter().map(|edit| edit.text.span).collect());
            let is_here = |fix: &&Fix| lines(fix.edits.iter().map(|edit| edit.span).collect()) == here;
            let on_line = found.found.iter().filter(best).filter(is_here).count();
            if on_line >= options.enough_on_line {
                found.complete = false;
                continue;
            }
            let edited =
                survivor.program.take().map_or_else(|| self.editable.lowered(&survivor.edits, self.sources), Ok);
            let Ok(edited) = edited else { continue };
            if survivor.tested < runs.len() && runs.changed_by(&edited, survivor.tested).is_none() {
                continue;
            }
            if !runs.is_asked_in(&edited) && !self.is_asked_in(&edited, runs) {
                continue;
            }
            found.judged += 1;
            match self.answer(&edited, &runs.named)? {
                Answer::Fixed(shown) => {
                    let Some(fix) = self.fix(&survivor, &edited, shown, runs)? else { continue };
                    let only = if let [only] = survivor.edits[..] { Some(only.clone()) } else { None };
                    let cost = survivor.edits.iter().map(|edit| edit.cost).sum();
                    let new = Mended { program: edited, only, cost };
                    let does_the_same = |(known, other): &(&mut Fix, &Mended)| {
                        self.failure.tests.is_none()
                            && same::does_the_same(self.program, (known, other), (&fix, &new), options)
                    };
                    match found.found.iter_mut().zip(&*mended).find(does_the_same) {
                        Some((known, _)) => known.same.push(fix.edits),
                        None => {
                            found.found.push(fix);
                            mended.push(new);
                        }
                    }
                }
                Answer::Fails(inputs) => runs.add_failing(original, &edited, &inputs),
                Answer::Unknown => self.leave([survivor]),
            }
        }
        Ok(())
    }

    /// Keeps some edits that were not decided.
    fn leave<'e>(&self, survivors: impl IntoIterator<Item = Survivor<'e>>) {
        let alone = survivors.into_iter().filter(|survivor| survivor.edits.len() == 1);
        let mut left = self.unproved.borrow_mut();
        left.extend(alone.take(MOST_LEFT).map(|survivor| (survivor.edits[0].clone(), survivor.tested)));
    }

    /// A few lines with edits that were not decided, and that no later run speaks against.
    fn unproved(&self, runs: &Runs) -> Vec<Place> {
        let left = self.unproved.borrow();
        let mut places: Vec<Place> = Vec::new();
        let loader = Edited::unchanged(&self.program.sources);
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

    /// Where edits make some failing tests pass and no passing one fail, each line once.
    fn mends(&self, edits: &[&Edit], runs: &Runs) -> Vec<(Place, usize)> {
        let mut best: BTreeMap<(FileId, u32), (Place, usize)> = BTreeMap::new();
        for edits in edits[..edits.len().min(self.options.most_executed)].chunks(BATCH) {
            if self.options.check.stop.requested() {
                break;
            }
            for (edit, saved) in runs.saving(self.editable, edits, self.sources) {
                let place = Place { span: edit.text.span, function: self.function(edit) };
                let entry = best.entry(line(self.sources, place.span)).or_insert((place, 0));
                if saved > entry.1 {
                    *entry = (place, saved);
                }
            }
        }
        let mut all: Vec<_> = best.into_values().collect();
        all.sort_by_key(|(place, saved)| (Reverse(*saved), place.span));
        all
    }

    /// The function that an edit changes; the entry function where it is none.
    fn function(&self, edit: &Edit) -> FunctionId {
        let original = &self.program.program;
        let function = original.functions.iter().position(|of| of.name == edit.function);
        function.map_or(original.entry, |at| FunctionId(at as u32))
    }

    /// What is told of an edit that mends the program, if the text says what the tree does.
    fn fix(
        &self,
        survivor: &Survivor,
        mended: &program::Program,
        Shown { verified, whole, leaves }: Shown,
        runs: &Runs,
    ) -> Result<Option<Fix>, CheckError> {
        let Survivor { edits: made, changed, .. } = survivor;
        let mut edits: Vec<TextEdit> = made.iter().map(|edit| edit.text.clone()).collect();
        edits.sort();
        let edit = made[0];
        let Some(read) = text::reread(self.program, &edits) else { return Ok(None) };
        let is_shown = || match runs.named.is_everything() {
            true if self.failure.tests.is_some() => Ok(runs.changed_by(&read, 0).is_some()),
            true => Ok(matches!(self.answer(&read, &runs.named)?, Answer::Fixed(_))),
            // Places in the new text are others, so that claims are not found again.
            false => Ok(false),
        };
        if !text::is_same(&read, mended) && !is_shown()? {
            return Ok(None);
        }
        let (function, avoids) = (self.function(edit), false);
        let (family, changed, differs, same) = (edit.family, *changed, None, Vec::new());
        let shared = edit.shared.clone().map(|name| Shared { name, uses: edit.uses.clone() });
        Ok(Some(Fix { edits, function, family, verified, whole, leaves, avoids, changed, differs, same, shared }))
    }

    /// Whether some execution of an edited program comes to the claim.
    fn is_asked_in(&self, edited: &program::Program, runs: &Runs) -> bool {
        let Some(asking) = runs.with_claim_false(edited) else { return false };
        let check = self.options.check.clone();
        let stop = check.stop.within(CONFLICTS_TO_COME);
        let check = CheckOptions { minimise: Minimised::None, explained: false, properties: Vec::new(), stop, ..check };
        let answer = check::check(&asking.0, &check, &mut |_| {});
        answer.is_ok_and(|answer| answer.claims[asking.1].status == Status::Fails)
    }

    /// Does an edited program violate a claim, for any input?
    fn answer(&self, program: &program::Program, named: &Named) -> Result<Answer, CheckError> {
        if self.failure.tests.is_some() {
            // The runs are all that is asked for.
            return Ok(Answer::Fixed(Shown { verified: Verified::Tests, whole: true, leaves: Vec::new() }));
        }
        let Some(properties) = named.within(program) else { return Ok(Answer::Unknown) };
        let check = self.options.check.clone();
        let stop = check.stop.within(self.options.most_of_proof);
        let options = CheckOptions { minimise: Minimised::None, explained: false, properties, stop, ..check };
        let Ok(answer) = check::check(program, &options, &mut |_| {}) else { return Ok(Answer::Unknown) };
        let counted = |name: &str| matches!(name, "steps" | "solver_conflicts");
        let effort: u64 = answer.stats.counts.iter().filter(|(name, _)| counted(name)).map(|(_, count)| count).sum();
        self.effort.set(self.effort.get() + effort);
        let of = &self.program.program.claims[self.property];
        // A claim that nothing comes to any more is not mended.
        let is_it = |claim: &ClaimReport| (claim.span, &claim.kind) == (of.span, &of.kind);
        let is_vacuous = |index: &usize| is_it(&answer.claims[*index]) && of.kind == ClaimKind::Assertion;
        if answer.vacuous.iter().any(is_vacuous) {
            return Ok(Answer::Unknown);
        }
        let verified = if answer.complete { Verified::All } else { Verified::Bound };
        let is_as_before = |claim: &ClaimReport| claim.status == Status::Holds || self.was_open(claim);
        Ok(match (answer.verdict, &answer.counterexample) {
            (Verdict::Holds, _) => Answer::Fixed(Shown { verified, whole: true, leaves: Vec::new() }),
            (Verdict::Fails, _) if answer.claims.iter().all(is_as_before) => {
                let fails = answer.claims.iter().filter(|claim| claim.status == Status::Fails);
                // Edits may make more claims, which are counted.
                let before = |claim: &ClaimReport| self.failure.claims.iter().find(|other| is_same(other, claim));
                let leaves = fails.filter_map(before).map(|claim| claim.id.clone()).collect();
                Answer::Fixed(Shown { verified, whole: false, leaves })
            }
            (Verdict::Fails, Some(failing)) => Answer::Fails(failing.inputs.clone()),
            _ => Answer::Unknown,
        })
    }

    /// Is a claim another one than the violated one, and did it not hold before? What only waited for that one must hold now.
    fn was_open(&self, claim: &ClaimReport) -> bool {
        self.failure.claims.iter().enumerate().any(|(index, other)| {
            index != self.property && other.status != Status::Holds && other.unless.is_none() && is_same(other, claim)
        })
    }
}

/// Is it the same claim, by what stands in the text?
fn is_same(one: &ClaimReport, other: &ClaimReport) -> bool {
    (one.span, &one.kind) == (other.span, &other.kind)
}

/// What was shown of an edited program.
struct Shown {
    verified: Verified,
    /// Whether no claim is violated.
    whole: bool,
    /// Claims that were violated before and still are.
    leaves: Vec<String>,
}

/// What came of it.
enum Answer {
    Fixed(Shown),
    Fails(Inputs),
    Unknown,
}

/// All edits of a program that are tried, with what tree and text say of each: none where the text is no program.
pub fn every_edit(program: &Program, trust: &[String]) -> Vec<(TextEdit, Option<bool>)> {
    let origin = program.origin();
    let mut sources = Sources::new();
    let loader = Edited::unchanged(&program.sources);
    let Ok(editable) = Editable::read(&origin.files, &origin.reading.c, &loader, &mut sources) else {
        return Vec::new();
    };
    let trusted = |name: &str| trust.iter().any(|pattern| matches_pattern(pattern, name));
    let edits = editable.edits(&sources, &Wanted { trusted: &trusted, lines: None, longer: true });
    let again: Vec<&Edit> = edits.iter().filter(|edit| edit.needs_reading()).collect();
    let mut reread = editable.reread(&again, &loader, &sources, |_, program| Some(program)).into_iter();
    let mut all = Vec::new();
    for edit in &edits {
        let read = text::reread(program, std::slice::from_ref(&edit.text));
        let lowered = match edit.needs_reading() {
            true => reread.next().flatten(),
            false => editable.lowered(&[edit], &sources).ok(),
        };
        let same = read.map(|read| lowered.is_some_and(|lowered| text::is_same(&read, &lowered)));
        all.push((edit.text.clone(), same));
    }
    all
}

fn line(sources: &Sources, span: Span) -> (FileId, u32) {
    (span.file, sources.physical_line(span.file, span.start))
}
