//! Fixes: edits of the program with which no claim is violated any more.
//!
//! Edits are proposed by [`nearmiss_program::c::edit`], executed on the runs that are known, and the few that are left are proved for all
//! inputs. A run that an edited program still fails on joins the runs. What is told was shown of the edited text, read anew.
//!
//! (Compare Rothenberg and Grumberg, "Sound and complete mutation-based program repair", FM 2016: edits are theirs, execution before
//! proof is not.)

mod runs;
mod text;

use std::collections::HashSet;

use nearmiss_program::c::edit::{Edit, Editable};
use nearmiss_program::program::{self, ClaimId, ClaimKind};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{FileId, Sources, Span};

use crate::check::{self, CheckError, CheckOptions};
use crate::explain::matches_pattern;
use crate::explanation::{ClaimReport, Explanation, Fix, Fixes, Minimised, Status, Verdict, Verified};
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
        }
    }
}

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
    let mut found = Fixes { candidates: edits.len(), passing: runs.passing(), complete: true, ..Fixes::default() };
    let mut survivors = Vec::new();
    for edit in &edits {
        if found.executed == options.most_executed || options.check.stop.requested() {
            found.complete = false;
            break;
        }
        found.executed += 1;
        let Ok(program) = editable.lowered(&[edit], &sources) else { continue };
        if let Some(changed) = runs.changed_by(&program, 0) {
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
    let proof = Proof { options, others: &others };
    for mut survivor in survivors {
        if found.found.len() == options.enough || found.judged == options.most_proofs || options.check.stop.requested()
        {
            found.complete = false;
            break;
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
                    let (differs_when, same) = (None, Vec::new());
                    found.found.push(Fix { edits, family, verified, changed, differs_when, same });
                }
            }
            Answer::Fails(inputs) => runs.add_failing(original, &survivor.program, &inputs),
            Answer::Unknown => {}
        }
    }
    Ok(found)
}

fn line(sources: &Sources, span: Span) -> (FileId, u32) {
    (span.file, sources.physical_line(span.file, span.start))
}

/// How edited programs are proved.
struct Proof<'a> {
    options: &'a FixOptions,
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
        let verified = if answer.complete { Verified::All } else { Verified::Bound };
        Ok(match (answer.verdict, &answer.counterexample) {
            (Verdict::Holds, _) => Answer::Fixed(verified),
            (Verdict::Fails, _) if answer.claims.iter().all(is_known) => Answer::Fixed(verified),
            (Verdict::Fails, Some(failing)) => Answer::Fails(failing.inputs.clone()),
            _ => Answer::Unknown,
        })
    }
}
