//! When variables of a function are given a value, or are read, for the first time.
//!
//! Before that, what C leaves in them is nobody's business: whoever looks at a variable along a run waits for it.

use super::effects::{Effects, Objects, Read};
use crate::program::{FunctionId, LocalId, Program, StatementKind};

/// For each block, each of its statements and its end: which of the locals, by their numbers in the list, are given a value, read, or
/// have their address taken (true), and which are declared anew (false). One of which nothing but the declaration is there has its
/// value from then on.
pub(crate) fn given(program: &Program, function: FunctionId, locals: &[LocalId]) -> Vec<Vec<Vec<(usize, bool)>>> {
    let objects = Objects::of(program);
    let of = program.function(function);
    let touched = |effects: &Effects| -> Vec<usize> {
        let is_touched = |local: &LocalId| {
            let object = objects.of_local(function, *local);
            effects.reads.contains(&Read::Object(object))
                || effects.mentions.contains(&object)
                || effects.writes.iter().any(|write| write.object == object)
        };
        (0..locals.len()).filter(|number| is_touched(&locals[*number])).collect()
    };
    let mut changes: Vec<Vec<Vec<(usize, bool)>>> = Vec::with_capacity(of.blocks.len());
    for block in &of.blocks {
        let mut row: Vec<Vec<(usize, bool)>> = Vec::with_capacity(block.statements.len() + 1);
        for statement in &block.statements {
            let effects = objects.effects(program, function, statement);
            let mut change: Vec<(usize, bool)> =
                touched(&effects).into_iter().map(|number| (number, !effects.declares)).collect();
            if let StatementKind::Call { arguments, .. } = &statement.kind {
                change.extend(touched(&objects.passed(program, function, arguments)).into_iter().map(|n| (n, true)));
            }
            row.push(change);
        }
        row.push(touched(&objects.end(program, function, &block.end)).into_iter().map(|n| (n, true)).collect());
        changes.push(row);
    }
    let used: Vec<bool> = (0..locals.len())
        .map(|number| changes.iter().flatten().flatten().any(|change| *change == (number, true)))
        .collect();
    for (number, is_given) in changes.iter_mut().flatten().flatten() {
        *is_given |= !used[*number];
    }
    changes
}
