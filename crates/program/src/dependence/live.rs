//! Which locals hold something at the head of a loop that anybody may still read.
//!
//! Two states are the same to a program if they differ only in what is dead: what every path writes, or declares anew,
//! before it reads it. The usual backward analysis over blocks; a local that pointers can reach is never dead.

use super::effects::{Effects, Extent, Object, Objects, Read};
use crate::program::{BlockId, FunctionId, LocalId, Program, StatementKind};

/// For each local of a function: may what it holds at the start of the block be read later?
pub(crate) fn live_at(program: &Program, function: FunctionId, block: BlockId) -> Vec<bool> {
    let objects = Objects::of(program);
    let of = program.function(function);
    let mut at_start = vec![vec![false; of.locals.len()]; of.blocks.len()];
    loop {
        let mut changed = false;
        for (index, block) in of.blocks.iter().enumerate().rev() {
            let mut live = vec![false; of.locals.len()];
            for next in Program::successors(&block.end) {
                live.iter_mut().zip(&at_start[next.index()]).for_each(|(live, next)| *live |= next);
            }
            before(&mut live, &objects.end(program, function, &block.end));
            for statement in block.statements.iter().rev() {
                before(&mut live, &objects.effects(program, function, statement));
                if let StatementKind::Call { arguments, .. } = &statement.kind {
                    before(&mut live, &objects.passed(program, function, arguments));
                }
            }
            changed |= live != at_start[index];
            at_start[index] = live;
        }
        if !changed {
            break;
        }
    }
    let mut live = std::mem::take(&mut at_start[block.index()]);
    live.iter_mut().zip(&of.locals).for_each(|(live, local)| *live |= local.address_taken);
    live
}

/// What is live before something happens, from what is live after it.
fn before(live: &mut [bool], effects: &Effects) {
    let mut set = |local: LocalId, value: bool| live[local.index()] = value;
    for write in &effects.writes {
        if let (Object::Local(local), Extent::Whole) = (write.object, write.extent) {
            set(local, false);
        }
    }
    for read in &effects.reads {
        if let Read::Object(Object::Local(local)) = read {
            set(*local, true);
        }
    }
}
