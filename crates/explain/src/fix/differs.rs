//! When do the program and its fix do something else? Exactly when the whole value that the edit is in is another one, somewhere along a
//! run. Where it is in a condition: only when that is decided otherwise, and maybe not even then.
//!
//! So the program is read once more with a claim in the place of that expression, that both texts have the same value there, and every way
//! to violate that claim is looked for, as `focus` does. What is told is the condition of these ways over the inputs.

use nearmiss_program::c::edit::{Edit, TextEdit};
use nearmiss_program::program::{Claim, ClaimKind};
use nearmiss_program::source::Span;

use super::FixOptions;
use super::text::Edited;
use crate::check::CheckOptions;
use crate::explanation::{Differs, Explanation, Status};
use crate::focus::{self, FocusOptions};
use crate::method::focus_sequences::Rest;
use crate::reading::{self, Program};

/// What the claim says, so that it is found again.
const SAME: &str = "nearmiss: the fix does the same";
/// Conditions of more ways, or longer ones, are not read by anybody.
const MOST_WAYS: usize = 4;
const LONGEST: usize = 240;
/// What can be told in a few words.
pub(super) fn differs(program: &Program, edit: &Edit, failure: &Explanation, options: &FixOptions) -> Option<Differs> {
    let found = over_inputs(program, edit, failure, options);
    match (found, &edit.local) {
        (Some(when), _) if edit.is_condition => Some(Differs::OnlyWhen(when)),
        (Some(when), _) => Some(Differs::When(when)),
        (None, Some(local)) => {
            let line = program.sources.position(edit.text.span).line;
            let with = if local.is_empty() { String::new() } else { format!(" with {local}") };
            Some(Differs::OnlyWhen(format!("line {line} is reached{with}")))
        }
        (None, None) => None,
    }
}

fn over_inputs(program: &Program, edit: &Edit, failure: &Explanation, options: &FixOptions) -> Option<String> {
    // After what C says nothing of, nothing can be said of the program as it is.
    if failure.claims.iter().any(|claim| claim.status == Status::Fails && !claim.kind.goes_on()) {
        return None;
    }
    let whole = Whole::of(program, edit)?;
    let same = match &edit.local {
        // A condition that is edited as a whole.
        Some(local) if edit.is_condition && edit.is_whole() && !local.is_empty() => format!("!({local})"),
        _ => whole.compared(&whole.old, &whole.new),
    };
    let asked = TextEdit { span: whole.span, new: asked(&same, &whole.old) };
    let (read, claim) = with_claim(program, asked)?;
    let (most_steps, most_conflicts) = options.most_to_tell;
    let check = CheckOptions {
        properties: vec![read.program.claims[claim].id.clone()],
        explained: false,
        most_steps: Some(most_steps),
        stop: options.check.stop.within(most_conflicts),
        ..options.check.clone()
    };
    let options = FocusOptions { check, most: Some(MOST_WAYS), only_all: true, ..FocusOptions::default() };
    let found = focus::focus(&read.program, &read.sources, &options, &mut |_| {}).ok()?;
    let is_exact = |way: &focus::Way| !way.projected && !way.untold && !way.by_choice && way.quoted.is_empty();
    let all = found.rest == Rest::None && !found.cut_short && found.explanation.complete;
    if !all || found.ways.is_empty() || !found.ways.iter().all(is_exact) {
        return None;
    }
    let ways: Vec<String> = found.ways.iter().map(|way| joined(&way.assumptions)).collect();
    let told = match &ways[..] {
        [one] if one.is_empty() => "always".to_owned(),
        [one] => one.clone(),
        many => many.iter().map(|way| format!("({way})")).collect::<Vec<_>>().join(" || "),
    };
    // Which call is meant could not be told.
    let is_clear = !told.contains(")#");
    (is_clear && told.len() <= LONGEST && !ways[1..].iter().any(String::is_empty)).then_some(told)
}

/// The value or condition that an edit is in.
pub(super) struct Whole {
    pub(super) span: Span,
    /// Its text before the edit, and with it.
    old: String,
    pub(super) new: String,
    is_condition: bool,
    cast: Option<String>,
}

impl Whole {
    /// None where the edit changes more than a value.
    pub(super) fn of(program: &Program, edit: &Edit) -> Option<Whole> {
        let span = edit.whole?;
        let old = program.sources.text(span).to_owned();
        let (before, after) =
            (edit.text.span.start.checked_sub(span.start)?, edit.text.span.end.checked_sub(span.start)?);
        let new = format!("{}{}{}", old.get(..before as usize)?, edit.text.new, old.get(after as usize..)?);
        Some(Whole { span, old, new, is_condition: edit.is_condition, cast: edit.cast.clone() })
    }

    /// That two texts have the same value in its place.
    pub(super) fn compared(&self, one: &str, other: &str) -> String {
        if self.is_condition {
            return format!("!({one}) == !({other})");
        }
        let cast = self.cast.as_ref().map_or(String::new(), |name| format!("({name})"));
        format!("{cast}({one}) == {cast}({other})")
    }
}

/// A text with a claim before it.
pub(super) fn asked(claim: &str, text: &str) -> String {
    format!("(__CPROVER_assert({claim}, \"{SAME}\"), {text})")
}

/// The program with such a text in it, and the number of the claim.
pub(super) fn with_claim(program: &Program, asked: TextEdit) -> Option<(Program, usize)> {
    let loader = Edited::of(&program.sources, &[asked]);
    let origin = program.origin();
    let read = reading::read(&origin.files, &origin.reading, &loader).ok()?;
    let is_it = |claim: &Claim| claim.kind == ClaimKind::Assertion && is_ours(&read, claim);
    let claim = read.program.claims.iter().position(is_it)?;
    Some((read, claim))
}

/// Conditions that hold together; of several, those that bind less are in parentheses.
fn joined(conditions: &[String]) -> String {
    let binds_less = |text: &str| conditions.len() > 1 && [" || ", " ? "].iter().any(|sign| text.contains(sign));
    let part = |text: &String| if binds_less(text) { format!("({text})") } else { text.clone() };
    conditions.iter().map(part).collect::<Vec<_>>().join(" && ")
}

fn is_ours(read: &Program, claim: &Claim) -> bool {
    read.sources.text(claim.span).contains(SAME)
}
