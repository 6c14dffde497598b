//! Many ways to fail on a page: what all of them assume is said once, what a line itself says of its loop or `switch` is not
//! told again, and ways through the same lines stand together.

use std::collections::BTreeSet;

use nearmiss_explain::focus::{FocusStatement, Role, Way};
use nearmiss_program::source::Span;

use super::Report;
use super::layout::is_case;

/// Of so many ways what is common is said once.
const MANY: usize = 3;

/// What all of many ways assume, in the order of the first.
pub fn common(ways: &[&Way]) -> Vec<String> {
    let [first, others @ ..] = ways else { return Vec::new() };
    if ways.len() < MANY || ways.iter().any(|way| way.untold || way.projected) {
        return Vec::new();
    }
    let is_common = |text: &&String| others.iter().all(|way| way.assumptions.contains(text));
    first.assumptions.iter().filter(is_common).cloned().collect()
}

/// The statements without those that the line of another says as well: how a `for` starts and goes on, and the cases of a
/// `switch` that were passed on the way to the one that was taken.
pub fn essential(statements: &[FocusStatement], report: &Report) -> Vec<FocusStatement> {
    let heads: BTreeSet<Span> =
        statements.iter().filter(|row| row.outcome.is_some()).filter_map(|row| loop_head(row.span, report)).collect();
    let is_label = |row: &FocusStatement| row.outcome.is_some() && is_case(&report.sources.condition(row.span));
    let is_told = |at: usize| {
        let row = &statements[at];
        let is_step = row.role == Role::Focus && row.outcome.is_none();
        let in_head = is_step && heads.iter().any(|head| head.contains(row.span));
        let next = statements.get(at + 1);
        let is_passed = row.outcome == Some(false)
            && is_label(row)
            && next.is_some_and(|next| is_label(next) && next.function == row.function);
        !in_head && !is_passed
    };
    (0..statements.len()).filter(|at| is_told(*at)).map(|at| statements[at].clone()).collect()
}

/// The head of the `for` whose condition this is: all between its parentheses.
fn loop_head(condition: Span, report: &Report) -> Option<Span> {
    let text = &report.sources.file(condition.file).text;
    let before = text.get(..condition.start as usize)?;
    // From the condition back to the parenthesis that is not closed.
    let mut depth = 0;
    let open = before.char_indices().rev().find_map(|(at, c)| {
        depth += i32::from(c == ')') - i32::from(c == '(');
        (depth < 0).then_some(at)
    })?;
    if !before[..open].trim_end().ends_with("for") {
        return None;
    }
    let mut depth = 0;
    let length = text[open..].char_indices().find_map(|(at, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (depth == 0).then_some(at)
    })?;
    Some(Span::new(condition.file, open as u32, (open + length + 1) as u32))
}
