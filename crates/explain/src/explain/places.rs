//! What is written to by an index or a pointer is called as the runs call it: `a[0]`, not `a[j]`.
//!
//! An equation names the place that a statement writes to by its text, or by a temporary where the index is a call. The
//! interpreter knows which element it is. So the steps of both runs are counted, statement by statement, and where all
//! that write a value call the place the same, the difference has that name.

use std::collections::HashMap;

use super::{Failure, Scene};
use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use crate::explanation::{Delta, DeltaKind};
use crate::method::delta::Differences;
use crate::recheck;
use nearmiss_program::program::{FunctionId, Origin};
use nearmiss_program::run::{Run, RunStepKind};
use nearmiss_program::source::Span;

/// What stands for an index that nobody can name.
const SOME: &str = "[…]";

impl Failure<'_> {
    /// Gives places the names that they have in the runs, where these have one name for it.
    pub(super) fn name_places(&self, scene: &Scene, passing: &Execution, differences: &mut Differences) {
        let is_open = |delta: &Delta| {
            matches!(delta.kind, DeltaKind::Value | DeltaKind::Control) && has_open_index(&delta.variable)
        };
        if !differences.deltas.iter().any(is_open) {
            return;
        }
        let equation = &scene.equation;
        let inputs = equation.inputs(&mut passing.evaluator(equation));
        let Ok(run) = recheck::passes(self.program, &inputs) else { return };
        let writes = [Writes::of(self.run), Writes::of(&run)];
        let executions = [&scene.failing, passing];
        for (delta, set_at) in differences.deltas.iter_mut().zip(&differences.set_at) {
            if !is_open(delta) {
                continue;
            }
            let values = [delta.failing, delta.passing];
            let mut names = (0..2).filter_map(|side| {
                let step = set_at[side].filter(|step| executions[side].executed[*step])?;
                Some(writes[side].name(equation, executions[side], step, values[side]))
            });
            let first = names.next().flatten();
            let name = match first.filter(|first| names.all(|other| other == Some(first))) {
                Some(name) => name.to_owned(),
                None => without_temporaries(&delta.variable),
            };
            delta.variable = name;
        }
    }
}

/// The assignments of a run, statement by statement: names and values.
struct Writes<'a> {
    by_place: HashMap<(FunctionId, Span), Vec<(&'a str, u128)>>,
}

impl<'a> Writes<'a> {
    fn of(run: &'a Run) -> Writes<'a> {
        let mut by_place: HashMap<_, Vec<_>> = HashMap::new();
        for step in &run.steps {
            if let RunStepKind::Assign { name, value, .. } = &step.kind {
                by_place.entry((step.function, step.span)).or_default().push((name.as_str(), *value));
            }
        }
        Writes { by_place }
    }

    /// What the place is called that a step of the equation writes this value to.
    fn name(&self, equation: &Equation, execution: &Execution, step: usize, value: u128) -> Option<&'a str> {
        let place = |at: usize| (equation.steps[at].function, equation.steps[at].span);
        let is_write = |at: &usize| {
            let written = matches!(equation.steps[*at].kind, StepKind::Assign { origin: Origin::Written, .. });
            written && execution.executed[*at] && place(*at) == place(step)
        };
        let before = (0..step).filter(is_write).count();
        let (name, written) = self.by_place.get(&place(step))?.get(before)?;
        (*written == value).then_some(*name)
    }
}

/// Is there an index that is no number?
fn has_open_index(name: &str) -> bool {
    name.contains('$') || name.split('[').skip(1).any(|index| !index.starts_with(|c: char| c.is_ascii_digit()))
}

/// The name with what is no index of the user's left open.
fn without_temporaries(name: &str) -> String {
    let mut parts = name.split('[');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((index, rest)) if index.contains('$') => text += &format!("{SOME}{rest}"),
            _ => text += &format!("[{part}"),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{has_open_index, without_temporaries};

    #[test]
    fn indices_are_open_unless_they_are_numbers() {
        assert!(has_open_index("a[i].x") && has_open_index("t[2][$1]") && has_open_index("*$3"));
        assert!(!has_open_index("a[2].x") && !has_open_index("p->next") && !has_open_index("*p"));
    }

    #[test]
    fn temporaries_are_never_named() {
        assert_eq!(without_temporaries("t[$1].x[i]"), "t[…].x[i]");
        assert_eq!(without_temporaries("a[j]"), "a[j]");
    }
}
