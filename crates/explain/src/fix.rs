//! Fixes: edits of the program with which no claim is violated any more.
//!
//! Edits are proposed by [`nearmiss_program::c::edit`], executed on the runs that are known, and the few that are left are proved for all
//! inputs. A run that an edited program still fails on joins the runs. What is told was shown of the edited text, read anew.
//!
//! (Compare Rothenberg and Grumberg, "Sound and complete mutation-based program repair", FM 2016: edits are theirs, execution before
//! proof is not.)

mod angel;
mod apart;
mod conditions;
mod differs;
mod further;
mod judge;
mod missing;
mod pairs;
mod places;
pub(crate) mod pointing;
mod reached;
mod rescued;
mod runs;
mod same;
mod text;

use std::collections::{BTreeMap, HashSet};

use nearmiss_program::c::edit::{Edit, Editable, TextEdit, Wanted};
use nearmiss_program::program::{self, Author, ClaimId, ClaimKind, FunctionId};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{FileId, Sources, Span};

use crate::check::CheckOptions;
use crate::explain::{Beside, ExplainOptions, Foretold, matches_pattern};
use crate::explanation::{ClaimReport, Explanation, Fix, Fixes, Status};
use crate::reading::Program;
use crate::trials;
use judge::{Judge, Judged, Prover};
use places::Places;
use pointing::{Place, Pointing};
use runs::{Effect, Named, Runs};
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
    /// Where all that is read has more bytes, they are read again only if nothing else mends the program.
    pub rereads_in: usize,
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
    /// Whether conditions that are missing are looked for also where all fixes are doubtful.
    pub doubts: bool,
    /// Whether lines are looked for that would have to change, where there is no fix.
    pub diagnoses: bool,
    /// Whether the entry function is edited where nothing else does, although it calls others.
    pub edits_harness: bool,
    /// Inputs of more runs that edits are executed on: those beside a crash file.
    pub beside: Vec<Inputs>,
    /// So many statements may executions take; none: it is edits that are counted.
    pub most_steps: Option<u64>,
    /// What it adds to the price of a fix that twice as many passing runs change.
    pub price_of_change: u32,
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
            rereads_in: usize::MAX,
            most_proofs: 120,
            most_effort: 2_000_000,
            most_of_proof: 100_000,
            enough: 12,
            enough_on_line: 3,
            most_told: usize::MAX,
            most_to_tell: (4_000, 20_000),
            edits: 1,
            most_pairs: 40_000,
            doubts: true,
            diagnoses: true,
            edits_harness: true,
            beside: Vec::new(),
            most_steps: None,
            price_of_change: 1,
        }
    }
}

/// In a share, of programs with fewer steps it is told when fixes do something else, of the best, or of more; only of these are three
/// fixes proved, not two, and all of the edits tried that there is room for.
const STEPS_TO_TELL: usize = 300;

impl FixOptions {
    /// So many edits may be executed on these runs.
    fn affordable(&self, runs: &Runs) -> usize {
        self.most_steps.map_or(usize::MAX, |most| runs.affordable(most))
    }

    /// As much as an explanation has time for.
    pub fn share(explain: &ExplainOptions, found: &Explanation) -> FixOptions {
        let steps =
            found.stats.counts.iter().find(|(name, _)| *name == "steps").map_or(0, |(_, steps)| *steps as usize);
        let is_large = steps > STEPS_TO_TELL;
        FixOptions {
            check: explain.check.clone(),
            trust: explain.trust.clone(),
            most_runs: (16, 8),
            most_executed: 6_000,
            most_lowered: if is_large { 600_000 } else { 1_000_000 },
            most_reread: (40, if is_large { 150_000 } else { 300_000 }),
            rereads_in: 20_000,
            most_proofs: 24,
            most_effort: 6_000 + 2 * steps as u64,
            most_of_proof: 3_000 + steps as u64,
            enough: if is_large { 2 } else { 3 },
            // It is for lines to look at, and one edit of a line suffices for that.
            enough_on_line: 1,
            most_told: STEPS_TO_TELL / steps.max(1),
            most_to_tell: (4_000, 1_000),
            doubts: !is_large,
            diagnoses: false,
            edits_harness: false,
            ..FixOptions::default()
        }
    }
}

/// Looks for fixes of failing tests, and for the lines to look at.
pub fn point_of_tests(program: &Program, explanation: &mut Explanation, options: &FixOptions) {
    let is_asked = options.enough > 0;
    let Searched { mut found, mends, .. } =
        if is_asked { search(program, explanation, options) } else { Searched::default() };
    apart::tell(program, &mut found, &options.check.stop);
    let Some(tests) = &mut explanation.tests else { return };
    let ranked = trials::suspects(&program.program, &program.sources, &tests.all, &options.trust, &options.check.stop);
    tests.suspects = pointing::of_tests(&program.sources, ranked, &found, &mends, tests.failing());
    explanation.fixes = is_asked.then_some(found);
}

/// Looks for fixes, and puts the lines of those that are found before other suspects.
pub fn point(program: &Program, explanation: &mut Explanation, options: &FixOptions, beside: Beside<'_>) {
    if program.program.temporal.is_some() {
        return;
    }
    let Searched { found, runs, unproved, .. } = search(program, explanation, options);
    if options.check.threads.are_many() && !found.found.is_empty() {
        let fixes = Some(found.clone());
        beside(Foretold::Fixes(Box::new(Explanation { fixes, ..explanation.clone() })));
    }
    if let (Some(contrast), Some(runs), Some(property)) = (&mut explanation.contrast, &runs, explanation.property) {
        let (program, sources) = (&program.program, &program.sources);
        Pointing { program, sources, options, runs, property }.ordered(&mut contrast.suspects, &found, &unproved);
    }
    explanation.fixes = Some(found);
}

/// So many steps may edits of tests take, and so many the search for conditions that are missing.
const MOST_STEPS: u64 = 60_000_000;
/// Values of constants and tables are edited after those of so many suspects.
const FEW_SUSPECTS: usize = 8;
/// Behind so many suspects a line is no more suspicious than any other; and a slip that is less likely by one goes behind the likelier ones of so many
/// more.
const MANY_SUSPECTS: usize = 16;
const PLACES_OF_COST: usize = 2;
/// What it adds to the price of a fix that failing runs do not come to the claim any more.
const PRICE_OF_AVOIDING: u32 = 4;
/// So many edits are lowered at once, and about so many bytes of text.
const BATCH: usize = 128;
const BATCH_TEXT: usize = 200_000;

/// The program with a fix, and the edit, if it is a single one.
struct Mended {
    program: program::Program,
    only: Option<Edit>,
    /// How unlikely its edits are.
    cost: u32,
    /// What they do to the known runs.
    effect: Effect,
}

impl Mended {
    /// Whether a condition that is missing may be what was meant: what is shared by several places, or takes code out of use, mends much; so does
    /// what changes much that passes beside a crash file.
    fn is_doubtful(&self, fix: &Fix, runs: &Runs, options: &FixOptions) -> bool {
        let is_spared = options.beside.is_empty() || self.effect.changed * 4 <= runs.passing();
        fix.shared.is_some() || self.effect.loss > 0 || !is_spared
    }
}

/// How unlikely edits are to be what was meant: the slip of a key that changes what many runs do is likelier than a far-fetched condition that
/// changes none. What is not executed any more makes it unlikely.
fn price(cost: u32, effect: Effect, price_of_change: u32) -> u32 {
    cost * 2 + price_of_change * (effect.changed + 1).ilog2() + effect.loss
}

/// Edits that no run speaks against so far.
struct Survivor<'e> {
    edits: Vec<&'e Edit>,
    /// The edited program, where it was read again.
    program: Option<program::Program>,
    /// Of how many runs it is known.
    tested: usize,
    effect: Effect,
    /// What its proof gave, if that was begun before its turn.
    judged: Option<Judged>,
}

impl<'e> Survivor<'e> {
    /// The likeliest come first.
    fn place(&self, options: &FixOptions) -> (u32, usize, usize) {
        let edit = self.edits[0];
        let price = price(edit.cost, self.effect, options.price_of_change);
        (price, self.effect.changed, edit.text.new.len())
    }

    fn new(edits: Vec<&'e Edit>, tested: usize, effect: Effect) -> Survivor<'e> {
        Survivor { edits, program: None, tested, effect, judged: None }
    }
}

/// Looks for fixes of the failure that was found.
pub fn fixes(program: &Program, failure: &Explanation, options: &FixOptions) -> Fixes {
    search(program, failure, options).found
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
fn search(program: &Program, failure: &Explanation, options: &FixOptions) -> Searched {
    if failure.tests.is_some() || program.reference().is_some() {
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
    let first = search_in(program, failure, &narrow);
    if !first.found.found.is_empty() || !options.edits_harness || options.check.stop.requested() {
        return first;
    }
    // Lines of the harness would have to change only where no others do.
    let known = first.found.diagnoses.filter(|known| !known.sets.is_empty());
    let whole = FixOptions { diagnoses: options.diagnoses && known.is_none(), ..options.clone() };
    let mut second = search_in(program, failure, &whole);
    if second.found.found.is_empty() {
        second.found.diagnoses = known.or(second.found.diagnoses);
    }
    second
}

/// The inputs of the failing run, unless they are those of tests, and the number of the claim.
fn failing(failure: &Explanation) -> Option<(Option<&Inputs>, usize)> {
    match (&failure.tests, &failure.counterexample) {
        // A test may fail without a claim: it does not end.
        (Some(_), _) => Some((None, failure.property.unwrap_or(0))),
        (None, Some(failing)) => Some((Some(&failing.inputs), failure.property?)),
        (None, None) => None,
    }
}

fn is_about_bounds(program: &program::Program, property: usize) -> bool {
    let kinds = [ClaimKind::ArrayBounds, ClaimKind::PointerDereference, ClaimKind::PointerArithmetic];
    program.claims.get(property).is_some_and(|claim| kinds.contains(&claim.kind))
}

/// Looks for fixes everywhere but in what is trusted.
fn search_in(program: &Program, failure: &Explanation, options: &FixOptions) -> Searched {
    let Some((failing, property)) = failing(failure) else { return Searched::default() };
    let origin = program.origin();
    let mut sources = Sources::new();
    let loader = Edited::unchanged(&program.sources);
    let Ok(editable) = Editable::read(&origin.files, &origin.reading.c, &loader, &mut sources) else {
        return Searched::default();
    };
    let original = &program.program;
    let mut runs = match (&failure.tests, failing) {
        (None, Some(failing)) => known_runs(original, failure, (property, failing), editable.numbers(), options),
        (tests, _) => {
            let all = tests.as_ref().map_or(&[][..], |tests| &tests.all);
            Runs::given(original, all, &options.check.stop)
        }
    };
    // Where tests are given, also edits are told that mend some of them.
    let executed = match failure.tests {
        Some(_) => runs.executed_by_some(original, &sources),
        None => runs.executed(original, &sources),
    };
    // Two edits together may each be of what some failing run executes.
    let mut lines = if options.edits > 1 { runs.executed_by_some(original, &sources) } else { executed.clone() };
    lines.extend(editable.quiet_lines(&sources, &lines));
    let all = wanted(&editable, &sources, options, &lines, is_about_bounds(original, property));
    let quiet = editable.quiet_lines(&sources, &executed);
    let is_executed = |at: &Span| [&executed, &quiet].iter().any(|lines| lines.contains(&line(&sources, *at)));
    let may_help = |edit: &&Edit| edit.is_outside_functions() || edit.uses.iter().any(is_executed);
    let mut edits: Vec<&Edit> = all.iter().filter(may_help).collect();
    by_suspicion(&mut edits, program, failure, &sources);
    let (again, edits): (Vec<&Edit>, Vec<&Edit>) = edits.into_iter().partition(|edit| edit.needs_reading());
    let of_tests = failure.tests.is_some();
    let most_executed = options.most_executed.min(options.affordable(&runs));
    let options = &FixOptions { most_executed, ..options.clone() };
    let mut found = Fixes { candidates: edits.len() + again.len(), of_tests, ..Fixes::default() };
    let reread =
        |edits, runs: &Runs, found: &mut Fixes| reread(&editable, edits, runs, &loader, &sources, options, found);
    let (again, later) =
        if editable.weight_of_all() > options.rereads_in { (Vec::new(), again) } else { (again, Vec::new()) };
    let mut survivors = reread(again, &runs, &mut found);
    survivors.extend(executed_edits(&editable, &edits, &runs, &sources, options, &mut found));
    found.complete = found.executed == found.candidates;
    found.aside = runs.set_aside(&mut survivors, options);
    survivors.sort_by_key(|survivor| survivor.place(options));
    let prover = Prover { program, failure, options, property };
    let judge = Judge::new(prover, &sources, &editable);
    let mut mended = Vec::new();
    judge.survivors(survivors, &mut runs, &mut found, &mut mended);
    if found.found.is_empty() && !later.is_empty() {
        let mut survivors = reread(later, &runs, &mut found);
        survivors.sort_by_key(|survivor| survivor.place(options));
        judge.survivors(survivors, &mut runs, &mut found, &mut mended);
    }
    if found.found.is_empty() && of_tests {
        judge.further(&mut runs, &mut found, &mut mended);
    }
    if found.found.is_empty() && !of_tests && options.edits > 1 {
        let scene = pairs::Scene { original, editable: &editable, sources: &sources, options };
        let alike: Vec<Edit> =
            all.iter().filter(|edit| !edit.needs_reading() && edit.shared.is_none()).cloned().collect();
        judge.pairs(scene, &alike, &mut runs, &mut found, &mut mended);
    }
    let is_doubtful = |(fix, mended): (&Fix, &Mended)| mended.is_doubtful(fix, &runs, options);
    let doubts = options.doubts && !of_tests && found.found.iter().zip(&mended).all(is_doubtful);
    if doubts || found.found.is_empty() {
        judge.missing(&executed, &mut runs, &mut found, &mut mended);
    }
    if found.found.is_empty() && !of_tests && options.diagnoses && !options.check.stop.requested() {
        found.diagnoses = Some(Places::of(original, &sources, &runs, options).diagnoses());
    }
    (found.passing, found.failing) = (runs.passing(), runs.len() - runs.passing());
    let fixes = std::mem::take(&mut found.found).into_iter().zip(mended).collect();
    found.found = told(program, failure, fixes, &runs, options);
    let unproved = judge.unproved(&runs);
    let mends = match of_tests && found.found.is_empty() {
        true => judge.mends(&edits, &runs),
        false => Vec::new(),
    };
    Searched { found, runs: Some(runs), unproved, mends }
}

/// Puts likely slips on suspected lines first, what is shared or read again later, as not all edits may be affordable. Of tests nothing is suspected yet.
fn by_suspicion(edits: &mut [&Edit], program: &Program, failure: &Explanation, sources: &Sources) {
    if failure.tests.is_some() {
        return edits.sort_by_key(|edit| edit.cost);
    }
    let suspects = failure.contrast.iter().flat_map(|contrast| &contrast.suspects);
    let suspects: Vec<_> = suspects.map(|suspect| line(&program.sources, suspect.span)).collect();
    edits.sort_by_cached_key(|edit| {
        let place = |span: &Span| suspects.iter().position(|suspect| *suspect == line(sources, *span));
        let of_uses = || edit.uses.iter().filter_map(place).min().unwrap_or(FEW_SUSPECTS);
        let elsewhere = || match edit.is_outside_functions() {
            _ if edit.shared.is_some() || edit.needs_reading() => FEW_SUSPECTS + of_uses(),
            true => FEW_SUSPECTS,
            false => suspects.len(),
        };
        let place = place(&edit.text.span).unwrap_or_else(elsewhere);
        place.min(MANY_SUSPECTS) + PLACES_OF_COST * edit.cost as usize
    });
}

/// The runs that edits are executed on at first.
fn known_runs(
    original: &program::Program,
    failure: &Explanation,
    (property, failing): (usize, &Inputs),
    numbers: Vec<u128>,
    options: &FixOptions,
) -> Runs {
    let named = Named::of(original, &options.check.properties);
    let mut runs = Runs::of(original, ClaimId(property as u32), failing, named, numbers);
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
    for inputs in &options.beside {
        runs.add_passing(original, inputs);
    }
    let most = options.most_steps.map_or(usize::MAX, |most| runs.affordable(most / 8));
    runs.add_by_chance(original, options.most_runs, most);
    runs.add_neighbours(original, options.most_runs, most);
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
        let effect = runs.effect_of(&mended.program, &spans(fix));
        mended.effect = effect.unwrap_or(mended.effect);
        fix.avoids = runs.avoids(&mended.program);
    }
    fixes.sort_by_key(|(fix, mended)| {
        let price =
            price(mended.cost, mended.effect, options.price_of_change) + if fix.avoids { PRICE_OF_AVOIDING } else { 0 };
        (fix.leaves.len(), price, mended.effect.changed)
    });
    fixes.truncate(options.enough);
    for (fix, mended) in &mut fixes {
        (fix.changed, fix.lost) = runs.other_results(&mended.program, &spans(fix));
    }
    let most = if failure.tests.is_some() { 0 } else { options.most_told.min(fixes.len()) };
    let (one, other) = fixes[..most].split_at_mut(most / 2);
    let tell = |fixes: &mut [(Fix, Mended)]| {
        for (fix, mended) in fixes {
            let differs = |edit| differs::differs(program, edit, failure, options);
            fix.differs = mended.only.as_ref().and_then(differs);
        }
    };
    options.check.threads.both(|| tell(one), || tell(other));
    fixes.into_iter().map(|(fix, _)| fix).collect()
}

/// What a fix changes.
fn spans(fix: &Fix) -> Vec<Span> {
    fix.edits.iter().map(|edit| edit.span).collect()
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
    let (most_steps, mut steps) = (if found.of_tests { MOST_STEPS } else { u64::MAX }, 0);
    while !left.is_empty() && bytes < options.most_lowered && steps < most_steps && !options.check.stop.requested() {
        let (one, rest, of_one) = batch(editable, left);
        let (other, rest, of_other) = batch(editable, rest);
        (left, bytes) = (rest, bytes + of_one + of_other);
        // Each half has its own share, so that the answer does not depend on who is faster.
        let most_of_each = (most_steps - steps) / 2;
        let survivors_of = |batch| runs.survivors(editable, batch, sources, most_of_each);
        let (one, other) = options.check.threads.both(|| survivors_of(one), || survivors_of(other));
        found.executed += one.number + other.number;
        steps += one.steps + other.steps;
        let alive = one.found.into_iter().chain(other.found);
        survivors.extend(alive.map(|(edit, effect)| Survivor::new(vec![edit], tested, effect)));
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
        editable.reread(edits, loader, sources, |at, program| {
            let effect = runs.effect_of(&program, &[edits[at].text.span])?;
            Some((program, effect))
        })
    };
    let (one, other) = first.split_at(first.len() / 2);
    let (one, other) = options.check.threads.both(|| tried(one), || tried(other));
    let tried = one.into_iter().chain(other);
    let survivor = |(edit, left): (&'e Edit, Option<_>)| {
        let (program, effect) = left?;
        Some(Survivor { program: Some(program), ..Survivor::new(vec![edit], runs.len(), effect) })
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
