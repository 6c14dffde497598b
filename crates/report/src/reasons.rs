//! Why a line is suspected, in words. Of its differences the rows of the two runs decide: a line matters where one of its rows is
//! marked so, and differs where it has other marked rows.

use std::collections::BTreeMap;

use nearmiss_explain::explanation::{Nearest, Reason, Suspect};
use nearmiss_program::source::{FileId, Span};

use crate::pair::{Pair, mattering};
use crate::report::Report;

/// What the rows say of lines.
pub struct Reasons<'a> {
    report: &'a Report<'a>,
    /// For each line with marked rows whether one of them matters. None where runs are not told in rows, or what matters was
    /// found along with another passing run.
    rows: Option<BTreeMap<(FileId, u32), bool>>,
}

impl<'a> Reasons<'a> {
    /// Of the lines of a report.
    pub fn of(report: &'a Report<'a>) -> Reasons<'a> {
        let mut reasons = Reasons { report, rows: None };
        if is_told_in_rows(report)
            && let Some(pair) = Pair::of(report)
        {
            let mut rows = BTreeMap::new();
            for difference in &pair.differences {
                // What is passed to a function has its row where the parameter stands.
                for span in
                    pair.steps(difference.row).into_iter().flatten().flat_map(|told| [told.step.span, told.named_at])
                {
                    *rows.entry(reasons.line(span)).or_default() |= difference.matters;
                }
            }
            reasons.rows = Some(rows);
        }
        reasons
    }

    /// In words; nothing is said that is true of most suspects.
    pub fn words(&self, suspect: &Suspect) -> Vec<String> {
        let row = self.rows.as_ref().map(|rows| rows.get(&self.line(suspect.span)));
        let differs = match row {
            Some(Some(true)) => Some("matters"),
            Some(Some(false)) => Some("differs"),
            Some(None) | None => None,
        };
        let (mut words, mut rest): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut of_differences = differs.map(str::to_owned);
        for reason in &suspect.because {
            let text = match reason {
                Reason::Slice | Reason::Difference | Reason::DifferenceElsewhere if of_differences.is_some() => {
                    continue;
                }
                Reason::Slice if row.is_some() => "matters, without a row",
                Reason::Slice => "matters",
                Reason::Difference if row.is_some() => "differs, without a row",
                Reason::Difference => "differs",
                Reason::DifferenceElsewhere => "differs in another passing run as near",
                Reason::Cause(text) => {
                    let line = self.report.sources.line_text(suspect.span);
                    let how = if asks(line, text) { "decides on" } else { "compares the values of" };
                    words.push(format!("{how} {text}"));
                    continue;
                }
                Reason::OnlyFailing => "only the failing run gets here",
                Reason::OnlyPassing => "only the passing run gets here",
                Reason::Repair if suspect.rescues.is_some() => continue,
                Reason::Repair => "another value here and it passes",
                Reason::Freed => "frees what the check needs",
                Reason::Focus => continue,
                Reason::Edit(of) => {
                    let runs =
                        if *of == 1 { "the failing run".to_owned() } else { format!("all {of} failing runs tried") };
                    let what = if suspect.rescues == Some((*of, *of)) {
                        "an edit here, or another value,"
                    } else {
                        "an edit here"
                    };
                    rest.push(format!("{what} saves {runs}, though that is no proof"));
                    continue;
                }
                Reason::Check => "the violated check stands here",
                Reason::Depends => "the failure depends on it",
                Reason::Fix(_) if self.report.explanation.tests.is_some() => "an edit here makes all tests pass",
                Reason::Fix(_) => "an edit here was proved to mend it",
                Reason::Mends(saved, of) => {
                    rest.push(format!("an edit here makes {saved} of {of} failing tests pass"));
                    continue;
                }
                Reason::Tests { failing: (some, all), passing: (passing, of) } => {
                    let failing = match (some, all) {
                        (1, 1) => "the failing test depends on it".to_owned(),
                        (some, all) if some == all => format!("all {all} failing tests depend on it"),
                        (some, all) => format!("{some} of {all} failing tests depend on it"),
                    };
                    let passing = match (passing, of) {
                        (_, 0) => String::new(),
                        (0, _) => ", and no passing test comes here".to_owned(),
                        (some, of) => format!(", {some} of {of} passing ones come here"),
                    };
                    rest.push(failing + &passing);
                    continue;
                }
            };
            rest.push(text.to_owned());
        }
        words.extend(of_differences.take());
        words.extend(rest);
        let is_told = |of: usize| suspect.because.contains(&Reason::Edit(of));
        words.extend(match suspect.rescues {
            Some((saved, of)) if saved == of && is_told(of) => None,
            Some((saved, of)) if saved == of => Some(format!("another value here saves all {of} failing runs tried")),
            Some((saved, of)) if saved > 0 => {
                Some(format!("another value here saves {saved} of {of} failing runs tried"))
            }
            _ => None,
        });
        words
    }

    fn line(&self, span: Span) -> (FileId, u32) {
        (span.file, self.report.sources.physical_line(span.file, span.start))
    }
}

/// Does a line ask for a relation: as it is, turned round, or for its opposite?
fn asks(line: &str, relation: &str) -> bool {
    const OPERATORS: [(&str, &str, &str); 6] = [
        ("==", "==", "!="),
        ("!=", "!=", "=="),
        ("<", ">", ">="),
        (">", "<", "<="),
        ("<=", ">=", ">"),
        (">=", "<=", "<"),
    ];
    let found = OPERATORS.iter().find_map(|(operator, turned, opposite)| {
        let (left, right) = relation.split_once(&format!(" {operator} "))?;
        Some((left, right, [*operator, *opposite], [*turned, OPERATORS.iter().find(|o| o.0 == *opposite)?.1]))
    });
    let Some((left, right, straight, turned)) = found else { return false };
    let forms = straight.map(|sign| format!("{left}{sign}{right}")).into_iter();
    let mut forms = forms.chain(turned.map(|sign| format!("{right}{sign}{left}")));
    let line: String = line.replace("return ", ";").chars().filter(|c| !c.is_whitespace()).collect();
    forms.any(|form| {
        let form: String = form.chars().filter(|c| !c.is_whitespace()).collect();
        line.match_indices(&form).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + form.len()..]);
            let assigned = before.strip_suffix('=').is_some_and(|rest| !rest.ends_with(['=', '!', '<', '>']));
            (assigned || ends_term(before.chars().next_back())) && ends_term(after.chars().next())
        })
    })
}

/// Does no operator bind what stands beside this character to it?
fn ends_term(beside: Option<char>) -> bool {
    beside.is_none_or(|c| matches!(c, '(' | ')' | '&' | '|' | '?' | ':' | ';' | '{' | '}' | ',' | '!'))
}

fn is_told_in_rows(report: &Report) -> bool {
    let Some(contrast) = &report.explanation.contrast else { return false };
    let is_aligned = |nearest: &Nearest| nearest.deltas.iter().any(|delta| delta.steps.is_some());
    let has_own_run = |nearest: &Nearest| {
        contrast.slice.as_ref().is_some_and(|slice| !slice.deltas.is_empty()) && mattering(contrast, nearest).is_empty()
    };
    contrast.nearest.as_ref().is_some_and(|nearest| !is_aligned(nearest) && !has_own_run(nearest))
}

#[cfg(test)]
mod tests {
    use super::asks;

    #[test]
    fn a_line_decides_on_what_it_asks() {
        for line in ["if (x > 5)", "while (5<x && y)", "if (x <= 5) return;", "return 5 >= x;", "z = 5 < x;"] {
            assert!(asks(line, "x > 5"), "{line}");
        }
        for line in ["if (x > 50)", "if (x >= 5)", "if (xx > 5)", "if (a + x > 5)", "if (x > 5 + y)", "x = 5;"] {
            assert!(!asks(line, "x > 5"), "{line}");
        }
    }
}
