//! Fixes: edits of the program with which no claim is violated any more.
//!
//! Edits are proposed by [`nearmiss_program::c::edit`], executed on the runs that are known, and the few that are left are proved for all
//! inputs. A run that an edited program still fails on joins the runs. What is told was shown of the edited text, read anew.
//!
//! (Compare Rothenberg and Grumberg, "Sound and complete mutation-based program repair", FM 2016: edits are theirs, execution before
//! proof is not.)

mod differs;
mod runs;
mod text;

use std::collections::HashSet;

use nearmiss_program::c::edit::{Edit, Editable, TextEdit};
use nearmiss_program::program::{self, ClaimId, ClaimKind, FunctionId};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{FileId, Sources, Span};

use crate::check::{self, CheckError, CheckOptions};
use crate::explain::{ExplainOptions, matches_pattern};
use crate::explanation::{ClaimReport, Explanation, Fix, Fixes, Minimised, Reason, Status, Suspect, Verdict, Verified};
use crate::reading::Program;
use runs::Runs;
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

/// An edit that no run speaks against so far.
struct Survivor<'e> {
    edit: &'e Edit,
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
    let claim = ClaimId(property as u32);
    let origin = program.origin();
    let loader = Edited::unchanged(&program.sources);
    let mut sources = Sources::new();
    let Ok(editable) = Editable::read(&origin.files, &origin.reading.c, &loader, &mut sources) else {
        return Ok(Fixes::default());
    };
    let trusted = |name: &str| options.trust.iter().any(|pattern| matches_pattern(pattern, name));
    let mut edits = editable.edits(&sources, &trusted);
    let is_wanted = |edit: &Edit| {
        let position = sources.position(edit.text.span);
        options.at.is_empty() || options.at.iter().any(|(file, line)| position.line == *line && position.file == *file)
    };
    edits.retain(|edit| is_wanted(edit));
    let original = &program.program;
    let mut runs = Runs::of(original, claim, &failing.inputs, &options.check.properties);
    if let Some(nearest) = failure.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref()) {
        runs.add_passing(original, &nearest.inputs);
    }
    runs.add_by_chance(original);
    runs.add_neighbours(original, &editable.numbers());
    let executed = runs.executed(original, &sources);
    edits.retain(|edit| edit.is_outside_functions() || executed.contains(&line(&sources, edit.text.span)));
    let (passing, failing) = (runs.passing(), runs.len() - runs.passing());
    let mut found = Fixes { candidates: edits.len(), passing, failing, ..Fixes::default() };
    let stop = &options.check.stop;
    let tested: Vec<&Edit> = edits.iter().take(options.most_executed).collect();
    found.complete = tested.len() == edits.len();
    let mut survivors = Vec::new();
    for batch in tested.chunks(BATCH) {
        if stop.requested() {
            found.complete = false;
            break;
        }
        found.executed += batch.len();
        for (edit, changed) in runs.survivors(&editable, batch, &sources) {
            let Ok(program) = editable.lowered(&[edit], &sources) else { continue };
            survivors.push(Survivor { edit, program, tested: runs.len(), changed });
        }
    }
    survivors.sort_by_key(|survivor| (survivor.changed, survivor.edit.cost, survivor.edit.text.new.len()));
    let others: HashSet<(Span, ClaimKind)> = failure
        .claims
        .iter()
        .enumerate()
        .filter(|(index, other)| *index != property && other.status != Status::Holds)
        .map(|(_, other)| (other.span, other.kind.clone()))
        .collect();
    let of = &original.claims[property];
    let proof = Proof { options, claim: (of.span, of.kind.clone()), others: &others };
    for mut survivor in survivors {
        if found.found.len() == options.enough || found.judged == options.most_proofs || options.check.stop.requested()
        {
            found.complete = false;
            break;
        }
        let on_line = found
            .found
            .iter()
            .filter(|fix| line(&sources, fix.edits[0].span) == line(&sources, survivor.edit.text.span));
        if on_line.count() == options.enough_on_line {
            continue;
        }
        if survivor.tested < runs.len() {
            match runs.changed_by(&survivor.program, survivor.tested) {
                Some(changed) => survivor.changed += changed,
                None => continue,
            }
        }
        found.judged += 1;
        match proof.of(&survivor.program)? {
            Answer::Fixed(verified) => {
                let edits = vec![survivor.edit.text.clone()];
                let Some(read) = text::reread(program, &edits) else { continue };
                // What is told of the text is shown of the text.
                if text::is_same(&read, &survivor.program) || matches!(proof.of(&read)?, Answer::Fixed(_)) {
                    let (family, changed) = (survivor.edit.family, survivor.changed);
                    let differs_when = differs::differs_when(program, survivor.edit, failure, &options.check);
                    let same = Vec::new();
                    let name = &survivor.edit.function;
                    let function = original.functions.iter().position(|of| of.name == *name);
                    let function = function.map_or(original.entry, |at| FunctionId(at as u32));
                    found.found.push(Fix { edits, function, family, verified, changed, differs_when, same });
                }
            }
            Answer::Fails(inputs) => runs.add_failing(original, &survivor.program, &inputs),
            Answer::Unknown => {}
        }
    }
    Ok(found)
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

/// How edited programs are proved.
struct Proof<'a> {
    options: &'a FixOptions,
    /// The claim that is violated.
    claim: (Span, ClaimKind),
    /// Other claims that do not hold in the program as it is.
    others: &'a HashSet<(Span, ClaimKind)>,
}

/// What came of it.
enum Answer {
    Fixed(Verified),
    Fails(Inputs),
    Unknown,
}

impl Proof<'_> {
    fn of(&self, program: &program::Program) -> Result<Answer, CheckError> {
        let options = CheckOptions { minimise: Minimised::None, explained: false, ..self.options.check.clone() };
        let Ok(answer) = check::check(program, &options, &mut |_| {}) else { return Ok(Answer::Unknown) };
        let is_known = |claim: &ClaimReport| {
            claim.status == Status::Holds || self.others.contains(&(claim.span, claim.kind.clone()))
        };
        // A claim that nothing comes to any more is not mended.
        let is_it = |index: &usize| {
            let claim = &answer.claims[*index];
            (claim.span, &claim.kind) == (self.claim.0, &self.claim.1) && claim.kind == ClaimKind::Assertion
        };
        if answer.vacuous.iter().any(is_it) {
            return Ok(Answer::Unknown);
        }
        let verified = if answer.complete { Verified::All } else { Verified::Bound };
        Ok(match (answer.verdict, &answer.counterexample) {
            (Verdict::Holds, _) => Answer::Fixed(verified),
            (Verdict::Fails, _) if answer.claims.iter().all(is_known) => Answer::Fixed(verified),
            (Verdict::Fails, Some(failing)) => Answer::Fails(failing.inputs.clone()),
            _ => Answer::Unknown,
        })
    }
}
