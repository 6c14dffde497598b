//! Which claims can stand behind another one in an execution, read off the program and not off the values of a run.
//!
//! A stray access, a division by zero and their like (`ClaimKind::strays`) give no one knows what, so no value tells which
//! branches are taken after them.

use std::collections::{BTreeSet, HashSet};

use nearmiss_program::program::{BlockId, ClaimId, FunctionId, Program, StatementKind, Terminator};

/// Where execution goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Point {
    function: FunctionId,
    block: usize,
    statement: usize,
    /// In a function that the claim stands in, or in one that called it: its return is followed. What is called later
    /// returns to where its call was seen.
    returns: bool,
}

/// The claims that execution can come to after this one.
pub(super) fn followers(program: &Program, first: ClaimId) -> BTreeSet<ClaimId> {
    let is_first = |kind: &StatementKind| matches!(kind, StatementKind::Claim { claim, .. } if *claim == first);
    let mut open = after(program, &is_first);
    let mut seen: HashSet<Point> = open.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some(point) = open.pop() {
        let block = &program.function(point.function).blocks[point.block];
        let start = |block: BlockId| Point { block: block.index(), statement: 0, ..point };
        let mut next = Vec::new();
        for statement in &block.statements[point.statement..] {
            match statement.kind {
                StatementKind::Claim { claim, .. } => _ = found.insert(claim),
                StatementKind::Call { function, .. } => {
                    next.push(Point { function, block: 0, statement: 0, returns: false });
                }
                _ => {}
            }
        }
        match block.end {
            Terminator::Goto(to) => next.push(start(to)),
            Terminator::Branch { then, otherwise, .. } => next.extend([start(then), start(otherwise)]),
            Terminator::Return { .. } if point.returns => {
                let calls = |kind: &StatementKind| matches!(kind, StatementKind::Call { function, .. } if *function == point.function);
                next.extend(after(program, &calls));
            }
            Terminator::Return { .. } | Terminator::Stop => {}
        }
        open.extend(next.into_iter().filter(|point| seen.insert(*point)));
    }
    found
}

/// The points right after statements of a kind.
fn after(program: &Program, is_it: &dyn Fn(&StatementKind) -> bool) -> Vec<Point> {
    let mut found = Vec::new();
    for (function, of) in program.functions.iter().enumerate() {
        let function = FunctionId(function as u32);
        for (block, of) in of.blocks.iter().enumerate() {
            let here = of.statements.iter().enumerate().filter(|(_, statement)| is_it(&statement.kind));
            found.extend(here.map(|(at, _)| Point { function, block, statement: at + 1, returns: true }));
        }
    }
    found
}
