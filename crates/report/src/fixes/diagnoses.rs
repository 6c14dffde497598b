//! Where there is no fix: which lines would have to compute something else. What is told was shown of the known failing runs alone.

use nearmiss_explain::explanation::{Diagnoses, Fixes};
use nearmiss_program::source::{Position, Span};

use super::super::Report;

/// So many lines that suffice alone are told, and so many sets of several.
const MOST_ALONE: usize = 8;
const MOST_TOGETHER: usize = 4;

/// The lines that would have to change, as a sentence or two; none where none are known.
pub(crate) fn told(found: &Fixes, report: &Report) -> Option<String> {
    let known = found.diagnoses.as_ref().filter(|known| !known.sets.is_empty() && known.runs > 0)?;
    let (alone, several): (Vec<_>, Vec<_>) = places(known, report).into_iter().partition(|set| set.len() == 1);
    let failing =
        report.explanation.property.map(|at| report.sources.position(report.explanation.claims[at].span).file);
    let is_plain = alone.iter().chain(&several).flatten().all(|place| Some(&place.file) == failing.as_ref());
    let name = |place: &Position| match is_plain {
        true => place.line.to_string(),
        false => format!("{}:{}", place.file, place.line),
    };
    let names = |set: &[Position]| set.iter().map(name).collect::<Vec<_>>();
    let (one, many) = if is_plain { ("line ", "lines ") } else { ("", "") };
    let alone: Vec<String> = alone.iter().flat_map(|set| names(set)).collect();
    let mut told: Vec<String> = Vec::new();
    match &alone[..] {
        [] => {}
        [only] => told.push(format!("{one}{only} alone")),
        all if all.len() > MOST_ALONE => {
            let rest = all.len() - MOST_ALONE;
            told.push(format!("one of {many}{} and {rest} more", all[..MOST_ALONE].join(", ")));
        }
        all => told.push(format!("one of {many}{}", joined(all, "and"))),
    }
    told.extend(several.iter().take(MOST_TOGETHER).map(|set| format!("{many}{} together", joined(&names(set), "and"))));
    let more = several.len().saturating_sub(MOST_TOGETHER);
    told.extend((more > 0).then(|| format!("one of {more} more such sets")));
    let told = told.join(", or ");
    let saved = match (known.runs, known.of) {
        (1, 1) => "Other values there would save the failing run that is known".to_owned(),
        (some, all) if some < all => {
            format!(
                "Other values there would save {some} of {all} known failing runs; the rest took too long to ask about"
            )
        }
        (all, _) => format!("Other values there would save all {all} failing runs that are known"),
    };
    let rest = if known.complete { "." } else { ". Not all sets of lines were looked at." };
    Some(format!("What would have to change: {told}. {saved}{rest}"))
}

/// The sets with their places.
pub(crate) fn places(known: &Diagnoses, report: &Report) -> Vec<Vec<Position>> {
    let place = |span: &Span| report.sources.position(*span);
    known.sets.iter().map(|set| set.iter().map(place).collect()).collect()
}

/// `1, 2 and 3`.
pub(crate) fn joined(names: &[String], word: &str) -> String {
    match names {
        [rest @ .., last] if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        all => all.concat(),
    }
}
