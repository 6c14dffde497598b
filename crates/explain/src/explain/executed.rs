//! A passing run that was found by executing inputs, beside the failing one: there is no equation, so that nothing is proved of other runs
//! but what was executed, and lines are suspected for what both runs do there.

use std::collections::{BTreeMap, HashSet};

use crate::check::CheckError;
use crate::explanation::{Contrast, Explanation, Metric, Nearest, Reason, Suspect, named_inputs};
use crate::reading::Program;
use crate::recheck;
use nearmiss_program::program::FunctionId;
use nearmiss_program::run::{Inputs, Run};
use nearmiss_program::source::{FileId, Span};

/// So many lines are suspected.
const MOST_SUSPECTS: usize = 8;

/// The contrast of a failing run that is known and a passing one.
pub(crate) fn executed_contrast(
    program: &Program,
    known: &Explanation,
    passing: &Inputs,
    (distance, comes): (u64, bool),
    statements: &[(Span, FunctionId)],
) -> Result<Contrast, CheckError> {
    let run = recheck::passes(&program.program, passing).map_err(CheckError::Internal)?;
    let suspects = suspects(program, known, &run, statements);
    let nearest = Nearest {
        distance,
        // The failing input itself is the only one that differs in none.
        lower_bound: distance.min(1),
        proved_minimal: distance <= 1,
        metric: Metric::Bytes,
        weights: None,
        inputs: passing.clone(),
        named: named_inputs(&run),
        run,
        deltas: Vec::new(),
        unwind: 0,
        deeper: 0,
        all: None,
    };
    Ok(Contrast {
        nearest: Some(nearest),
        none_exists: false,
        depth: None,
        assumptions: Vec::new(),
        kept_when: Vec::new(),
        only_avoidance: !comes,
        elsewhere: false,
        lapsed: Vec::new(),
        lapses: false,
        reaching: false,
        avoiding: None,
        description: None,
        metric_reason: None,
        slice: None,
        causes: None,
        asked: Vec::new(),
        suspects,
    })
}

/// Lines on which the failure depends, the nearest first; those before others that only the failing run comes to.
fn suspects(program: &Program, known: &Explanation, passing: &Run, statements: &[(Span, FunctionId)]) -> Vec<Suspect> {
    let line = |span: Span| (span.file, program.sources.physical_line(span.file, span.start));
    let come: HashSet<(FileId, u32)> = passing.steps.iter().map(|step| line(step.span)).collect();
    let own = known.property.map(|at| line(known.claims[at].span));
    let mut lines: BTreeMap<(FileId, u32), usize> = BTreeMap::new();
    for (at, (span, _)) in statements.iter().enumerate() {
        lines.entry(line(*span)).or_insert(at);
    }
    let mut ranked: Vec<_> = lines.into_iter().collect();
    ranked.sort_by_key(|(_, at)| *at);
    ranked.truncate(MOST_SUSPECTS);
    let suspect = |((file, number), at): ((FileId, u32), usize)| {
        let (span, function) = statements[at];
        let place = (file, number);
        let because = [
            (own == Some(place), Reason::Check),
            (!come.contains(&place), Reason::OnlyFailing),
            (true, Reason::Depends),
        ];
        let because = because.into_iter().filter(|(is, _)| *is).map(|(_, reason)| reason).collect();
        Suspect { span, function, because, rescues: None }
    };
    ranked.into_iter().map(suspect).collect()
}
