//! `goto` to another label of the function.

use super::{Drafts, Family, TextEdit};
use crate::c::tree::{LabelId, StmtKind};
use crate::source::Span;

pub(super) fn propose(drafts: &mut Drafts) {
    let survey = drafts.survey;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let labels: Vec<(u32, LabelId, &str)> = survey
        .places
        .iter()
        .filter_map(|place| {
            let stmt = survey.tree.stmt(place.stmt);
            let StmtKind::Label(label, _) = stmt.kind else { return None };
            let (name, rest) = survey.sources.text(stmt.span).split_once(':')?;
            let is_written = name.trim_end().chars().all(is_name) && !rest.starts_with(':');
            is_written.then(|| (place.function, label, name.trim_end()))
        })
        .collect();
    for place in drafts.places() {
        let stmt = survey.tree.stmt(place.stmt);
        let StmtKind::Goto(own) = stmt.kind else { continue };
        let text = survey.sources.text(stmt.span);
        let Some(rest) = text.strip_prefix("goto") else { continue };
        let start = (text.len() - rest.trim_start().len()) as u32;
        let long = rest.trim_start().find(|c| !is_name(c)).unwrap_or(rest.trim_start().len()) as u32;
        let span = Span::new(stmt.span.file, stmt.span.start + start, stmt.span.start + start + long);
        for (function, label, name) in &labels {
            if *function == place.function && *label != own {
                let mut draft = drafts.draft();
                draft.put_stmt(place.stmt, StmtKind::Goto(*label));
                let text = TextEdit { span, new: (*name).to_owned() };
                drafts.push(Family::Name, place.function, text, draft.done());
                if let Some(edit) = drafts.edits.last_mut().filter(|edit| edit.text.span == span) {
                    // There are few labels, so the wrong one is the likelier slip.
                    edit.cost = 2;
                }
            }
        }
    }
}
