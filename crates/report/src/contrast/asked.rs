//! What came of the user's own hypotheses (`--cause`), a sentence for each.

use nearmiss_explain::explanation::{Asked, Contrast, Judgement, Without};

use super::super::layout::{count, fill, one_line};
use super::super::{Paint, Report};
use super::{describe, sentence};

/// The sentences.
pub(crate) fn render(asked: &[Asked], report: &Report, paint: Paint) -> String {
    if asked.is_empty() {
        return String::new();
    }
    let mut out = format!("{}\n", paint.strong("You asked"));
    for asked in asked {
        out += &format!("{}\n", fill(&format!("  `{}` {}.", one_line(&asked.text), told(asked, report)), 4));
    }
    out
}

/// Whether it is a cause, and what that is known from.
pub(crate) fn told(asked: &Asked, report: &Report) -> String {
    let within = if asked.bounded { ", as far as loops were unwound for this" } else { "" };
    let place = asked.before.map(|span| describe::place(span, report));
    let before = place.map_or_else(String::new, |place| format!("before {place}, where it could be looked at last, "));
    before + &judged(asked, within, report)
}

fn judged(asked: &Asked, within: &str, report: &Report) -> String {
    match &asked.judgement {
        Judgement::Cause(run) => format!(
            "is a cause{within}: it holds in the failing run, and the nearest runs without it pass, {}{}",
            without(run, report),
            if run.comes_there { "" } else { "; that run avoids the check: it does not come there" }
        ),
        Judgement::StillFails(run) => {
            format!(
                "is no cause{within}: of the runs that come to where it is looked at, and lack it, one as near as any fails, {}",
                without(run, report)
            )
        }
        Judgement::DoesNotHold => "is no cause: it does not hold in the failing run".to_owned(),
        Judgement::Invariant { one_of_ways: false } => {
            format!("is no cause{within}: every run that comes to where it can be looked at has it")
        }
        Judgement::Invariant { one_of_ways: true } => {
            format!("is no cause{within}: every run that comes to the check this way, this time, has it")
        }
        Judgement::NeverSeen => {
            "cannot be judged: the failing run never comes to a place where all of it has a value".to_owned()
        }
        Judgement::Unknown => "may be a cause: that could not be found out with the effort spent on it".to_owned(),
    }
}

fn without(run: &Without, report: &Report) -> String {
    let with = sentence::with_inputs(&describe::Groups::with(&run.named, report).changes());
    let nearness = report.explanation.contrast.as_ref().map_or("", Contrast::nearness_of_causes);
    let differs = format!("{} away{nearness}", count(run.distance as usize, "difference"));
    if with.is_empty() { differs } else { format!("{} ({differs})", with.trim_start()) }
}
