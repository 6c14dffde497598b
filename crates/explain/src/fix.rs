//! Fixes: edits of the program with which no claim is violated any more.
//!
//! Edits are proposed by [`nearmiss_program::c::edit`], executed on the runs that are known, and the few that are left are proved for all
//! inputs. A run that an edited program still fails on joins the runs. What is told was shown of the edited text, read anew.
//!
//! (Compare Rothenberg and Grumberg, "Sound and complete mutation-based program repair", FM 2016: edits are theirs, execution before
//! proof is not.)

mod differs;
mod pairs;
mod places;
mod runs;
mod text;

use nearmiss_program::c::edit::{Edit, Editable, TextEdit};
use nearmiss_program::program::{self, ClaimId, ClaimKind, FunctionId};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{FileId, Sources, Span};

use crate::check::{self, CheckError, CheckOptions};
use crate::explain::{ExplainOptions, matches_pattern};
use crate::explanation::{
    ClaimReport, Explanation, Fix, Fixes, Minimised, Reason, Status, Suspect, TriedPairs, Verdict, Verified,
};
use crate::reading::Program;
use places::Places;
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
    /// So many edits are executed at most.
    pub most_executed: usize,
    /// So many are proved, or found not to be fixes, at most.
    pub most_proofs: usize,
    /// So many fixes are enough.
    pub enough: usize,
    /// So many on one line are.
    pub enough_on_line: usize,
    /// Edits of a fix at most: 1, or 2 where one does not do.
    pub edits: usize,
    /// So many pairs of edits are executed at most.
    pub most_pairs: usize,
    /// Whether lines are looked for that would have to change, where there is no fix.
    pub diagnoses: bool,
}

impl Default for FixOptions {
    fn default() -> FixOptions {
        FixOptions {
            check: CheckOptions::default(),
            trust: Vec::new(),
            at: Vec::new(),
            most_executed: 20_000,
            most_proofs: 120,
            enough: 12,
            enough_on_line: 3,
            edits: 1,
            most_pairs: 40_000,
            diagnoses: true,
        }
    }
}

impl FixOptions {
    /// As much as an explanation has time for.
    pub fn share(explain: &ExplainOptions) -> FixOptions {
        FixOptions {
            check: explain.check.clone(),
            trust: explain.trust.clone(),
            most_executed: 4_000,
            most_proofs: 30,
            enough: 5,
            diagnoses: false,
            ..FixOptions::default()
        }
    }
}

/// Looks for fixes, and puts the lines of those that are found before other suspects.
pub fn point(program: &Program, explanation: &mut Explanation, options: &FixOptions) -> Result<(), CheckError> {
    let found = fixes(program, explanation, options)?;
    if let Some(contrast) = &mut explanation.contrast {
        let mut suspects: Vec<Suspect> = Vec::new();
        for (number, fix) in found.found.iter().enumerate() {
            let here = line(&program.sources, fix.edits[0].span);
            if suspects.iter().any(|suspect| line(&program.sources, suspect.span) == here) {
                continue;
            }
            let known = contrast.suspects.iter().position(|suspect| line(&program.sources, suspect.span) == here);
            let mut suspect = match known {
                Some(at) => contrast.suspects.remove(at),
                None => Suspect { span: fix.edits[0].span, function: fix.function, because: Vec::new() },
            };
            suspect.because.insert(0, Reason::Fix(number));
            suspects.push(suspect);
        }
        suspects.append(&mut contrast.suspects);
        contrast.suspects = suspects;
    }
    explanation.fixes = Some(found);
    Ok(())
}

/// So many edits are lowered at once.
const BATCH: usize = 128;

/// Edits that no run speaks against so far.
struct Survivor<'e> {
    edits: Vec<&'e Edit>,
    program: program::Program,
    /// Of how many runs it is known.
    tested: usize,
    changed: usize,
}

/// Looks for fixes of the failure that was found.
pub fn fixes(program: &Program, failure: &Explanation, options: &FixOptions) -> Result<Fixes, CheckError> {
    let (Some(failing), Some(property)) = (&failure.counterexample, failure.property) else {
        return Ok(Fixes::default());
    };
    let origin = program.origin();
    let mut sources = Sources::new();
    let loader = Edited::unchanged(&program.sources);
    let Ok(editable) = Editable::read(&origin.files, &origin.reading.c, &loader, &mut sources) else {
        return Ok(Fixes::default());
    };
    let original = &program.program;
    let named = Named::of(original, &options.check.properties);
    let mut runs = Runs::of(original, ClaimId(property as u32), &failing.inputs, named);
    if let Some(nearest) = failure.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref()) {
        runs.add_passing(original, &nearest.inputs);
    }
    runs.add_by_chance(original);
    runs.add_neighbours(original, &editable.numbers());
    let executed = runs.executed(original, &sources);
    let all = wanted(&editable, &sources, options);
    let is_executed = |edit: &Edit| edit.is_outside_functions() || executed.contains(&line(&sources, edit.text.span));
    let edits: Vec<Edit> = all.iter().filter(|edit| is_executed(edit)).cloned().collect();
    let mut found = Fixes { candidates: edits.len(), ..Fixes::default() };
    let mut survivors = Vec::new();
    for batch in edits[..edits.len().min(options.most_executed)].chunks(BATCH) {
        if options.check.stop.requested() {
            break;
        }
        found.executed += batch.len();
        let batch: Vec<&Edit> = batch.iter().collect();
        for (edit, changed) in runs.survivors(&editable, &batch, &sources) {
            let Ok(program) = editable.lowered(&[edit], &sources) else { continue };
            survivors.push(Survivor { edits: vec![edit], program, tested: runs.len(), changed });
        }
    }
    found.complete = found.executed == edits.len();
    survivors.sort_by_key(|survivor| (survivor.changed, survivor.edits[0].cost, survivor.edits[0].text.new.len()));
    let judge = Judge { program, failure, options, property, sources: &sources };
    judge.survivors(survivors, &mut runs, &mut found)?;
    if found.found.is_empty() && (options.edits > 1 || options.diagnoses) && !options.check.stop.requested() {
        let scene = pairs::Scene { original, editable: &editable, sources: &sources, options };
        judge.beyond_one_edit(scene, &all, &mut runs, &mut found)?;
    }
    Ok(found)
}

/// The edits of what may be edited.
fn wanted(editable: &Editable, sources: &Sources, options: &FixOptions) -> Vec<Edit> {
    let trusted = |name: &str| options.trust.iter().any(|pattern| matches_pattern(pattern, name));
    let mut edits = editable.edits(sources, &trusted);
    edits.retain(|edit| {
        let position = sources.position(edit.text.span);
        let is_there = |(file, line): &(String, u32)| position.line == *line && position.file == *file;
        options.at.is_empty() || options.at.iter().any(is_there)
    });
    edits
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
}

impl Judge<'_> {
    /// Tries pairs of edits, if they are asked for. Where there is no fix then, looks for the lines that would have to change.
    fn beyond_one_edit(
        &self,
        scene: pairs::Scene,
        edits: &[Edit],
        runs: &mut Runs,
        found: &mut Fixes,
    ) -> Result<(), CheckError> {
        let mut places = Places::of(scene.original, self.sources, runs, self.options);
        if self.options.edits > 1 {
            let mut search = pairs::Search::new(scene, edits, &places, runs);
            let mut pairs = Fixes { complete: true, ..Fixes::default() };
            while pairs.found.is_empty()
                && pairs.judged < self.options.most_proofs
                && let Some(survivors) = search.stage(&mut places, runs)
            {
                self.survivors(survivors, runs, &mut pairs)?;
            }
            let complete = search.tried.complete && pairs.complete;
            found.pairs = Some(TriedPairs { judged: pairs.judged, complete, ..search.tried });
            (found.passing, found.failing, found.found) = (pairs.passing, pairs.failing, pairs.found);
        }
        if found.found.is_empty() && self.options.diagnoses {
            found.diagnoses = Some(places.diagnoses());
        }
        Ok(())
    }

    /// Judges edits that passed all runs, in order, until enough fixes are found.
    fn survivors(&self, survivors: Vec<Survivor>, runs: &mut Runs, found: &mut Fixes) -> Result<(), CheckError> {
        let (options, original) = (self.options, &self.program.program);
        let mut mended = Vec::new();
        for survivor in survivors {
            let is_enough = found.found.len() == options.enough || found.judged == options.most_proofs;
            if is_enough || options.check.stop.requested() {
                found.complete = false;
                break;
            }
            let lines = |mut edits: Vec<Span>| {
                edits.sort();
                edits.into_iter().map(|span| line(self.sources, span)).collect::<Vec<_>>()
            };
            let here = lines(survivor.edits.iter().map(|edit| edit.text.span).collect());
            let is_here = |fix: &&Fix| lines(fix.edits.iter().map(|edit| edit.span).collect()) == here;
            let on_line = found.found.iter().filter(is_here).count();
            if on_line == options.enough_on_line {
                found.complete = false;
                continue;
            }
            if survivor.tested < runs.len() && runs.changed_by(&survivor.program, survivor.tested).is_none() {
                continue;
            }
            found.judged += 1;
            match self.answer(&survivor.program, &runs.named)? {
                Answer::Fixed(verified) => {
                    if let Some(fix) = self.fix(&survivor, verified, runs)? {
                        found.found.push(fix);
                        mended.push(survivor.program);
                    }
                }
                Answer::Fails(inputs) => runs.add_failing(original, &survivor.program, &inputs),
                Answer::Unknown => {}
            }
        }
        (found.passing, found.failing) = (runs.passing(), runs.len() - runs.passing());
        for (fix, program) in found.found.iter_mut().zip(&mended) {
            // Later runs tell of earlier fixes, too.
            fix.changed = runs.changed_by(program, 0).unwrap_or(fix.changed);
        }
        found.found.sort_by_key(|fix| fix.changed);
        Ok(())
    }

    /// What is told of an edit that mends the program, if the text says what the tree does.
    fn fix(&self, survivor: &Survivor, verified: Verified, runs: &Runs) -> Result<Option<Fix>, CheckError> {
        let Survivor { edits: made, program: mended, changed, .. } = survivor;
        let mut edits: Vec<TextEdit> = made.iter().map(|edit| edit.text.clone()).collect();
        edits.sort();
        let edit = made[0];
        let Some(read) = text::reread(self.program, &edits) else { return Ok(None) };
        let is_shown = || match runs.named.is_everything() {
            true => Ok(matches!(self.answer(&read, &runs.named)?, Answer::Fixed(_))),
            // Places in the new text are others, so that claims are not found again.
            false => Ok(false),
        };
        if !text::is_same(&read, mended) && !is_shown()? {
            return Ok(None);
        }
        let original = &self.program.program;
        let function = original.functions.iter().position(|of| of.name == edit.function);
        let function = function.map_or(original.entry, |at| FunctionId(at as u32));
        let differs = match made[..] {
            [_] => differs::differs(self.program, edit, self.failure, &self.options.check),
            _ => None,
        };
        let (family, changed, same) = (edit.family, *changed, Vec::new());
        Ok(Some(Fix { edits, function, family, verified, changed, differs, same }))
    }

    /// Does an edited program violate a claim, for any input?
    fn answer(&self, program: &program::Program, named: &Named) -> Result<Answer, CheckError> {
        let Some(properties) = named.within(program) else { return Ok(Answer::Unknown) };
        let check = self.options.check.clone();
        let options = CheckOptions { minimise: Minimised::None, explained: false, properties, ..check };
        let Ok(answer) = check::check(program, &options, &mut |_| {}) else { return Ok(Answer::Unknown) };
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
            (Verdict::Holds, _) => Answer::Fixed(verified),
            (Verdict::Fails, _) if answer.claims.iter().all(is_as_before) => Answer::Fixed(verified),
            (Verdict::Fails, Some(failing)) => Answer::Fails(failing.inputs.clone()),
            _ => Answer::Unknown,
        })
    }

    /// Is a claim another one than the violated one, and did it not hold before? What only waited for that one must hold now.
    fn was_open(&self, claim: &ClaimReport) -> bool {
        self.failure.claims.iter().enumerate().any(|(index, other)| {
            index != self.property
                && other.status != Status::Holds
                && other.unless.is_none()
                && (other.span, &other.kind) == (claim.span, &claim.kind)
        })
    }
}

/// What came of it.
enum Answer {
    Fixed(Verified),
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
    let mut all = Vec::new();
    for edit in editable.edits(&sources, &trusted) {
        let read = text::reread(program, std::slice::from_ref(&edit.text));
        let same =
            read.map(|read| editable.lowered(&[&edit], &sources).is_ok_and(|lowered| text::is_same(&read, &lowered)));
        all.push((edit.text, same));
    }
    all
}

fn line(sources: &Sources, span: Span) -> (FileId, u32) {
    (span.file, sources.physical_line(span.file, span.start))
}
