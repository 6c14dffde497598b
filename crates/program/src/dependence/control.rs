//! Control dependence: which branch decides whether a block is executed.
//!
//! A block depends on a branch if one way of it always comes to the block and another may pass it by (Ferrante,
//! Ottenstein, Warren 1987, section 3.1): from each successor of a branch the tree of post-dominators is climbed up to
//! the branch's own post-dominator. The tree is found as Cooper, Harvey and Kennedy do ("A simple, fast dominance
//! algorithm", 2001), on the reversed graph. An edge from the entry to the exit makes the entry a branch too. In a loop
//! that nothing leaves, what goes back to its head goes to the exit instead: each of its rounds counts as the last.

use crate::loops;
use crate::program::{FunctionId, Program};

/// What decides whether a block is executed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Parent {
    /// That the function is called.
    Entry,
    /// The branch at the end of this block.
    Block(usize),
}

/// For each block what decides whether it is executed.
pub fn parents(program: &Program, id: FunctionId) -> Vec<Vec<Parent>> {
    let function = program.function(id);
    let blocks = function.blocks.len();
    if blocks == 0 {
        return Vec::new();
    }
    let (entry, exit) = (blocks, blocks + 1);
    let mut successors: Vec<Vec<usize>> = function
        .blocks
        .iter()
        .map(|block| Program::successors(&block.end).iter().map(|to| to.index()).collect())
        .collect();
    successors.iter_mut().filter(|to| to.is_empty()).for_each(|to| to.push(exit));
    successors.push(vec![0, exit]);
    successors.push(Vec::new());
    cut_endless_loops(program, id, &mut successors, exit);
    let order = towards_exit(&successors, exit);
    let above = post_dominators(&successors, &order, exit);

    let mut parents = vec![Vec::new(); blocks];
    for (from, to) in successors.iter().enumerate().filter(|(_, to)| to.len() > 1) {
        let parent = if from == entry { Parent::Entry } else { Parent::Block(from) };
        for start in to {
            let mut block = *start;
            // Code that nothing reaches may be left out of the tree.
            while block != above[from] && block < blocks {
                parents[block].push(parent);
                block = above[block];
            }
        }
    }
    for parents in &mut parents {
        parents.sort_unstable();
        parents.dedup();
    }
    parents
}

/// Makes every block come to the exit.
fn cut_endless_loops(program: &Program, id: FunctionId, successors: &mut [Vec<usize>], exit: usize) {
    let info = loops::analyse(program, id);
    let place = |block: usize| info.position.get(block).copied().unwrap_or(u32::MAX);
    let predecessors = reversed(successors);
    let mut ends = vec![false; successors.len()];
    come_to(&predecessors, exit, &mut ends);
    let mut outer: Vec<_> = info.heads.iter().map(|head| (head.block.index(), head.end)).collect();
    outer.sort_unstable_by_key(|(block, _)| place(*block));
    let mut covered = 0;
    outer.retain(|(block, end)| {
        let is_inner = place(*block) < covered;
        covered = covered.max(*end);
        !is_inner
    });
    // Those that come last lead to no other.
    for (head, end) in outer.into_iter().rev() {
        if ends[head] {
            continue;
        }
        for from in info.order[place(head) as usize..end as usize].iter().map(|block| block.index()) {
            for to in successors[from].iter_mut().filter(|to| **to == head) {
                *to = exit;
                come_to(&predecessors, from, &mut ends);
            }
        }
    }
}

fn reversed(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    for (from, to) in successors.iter().enumerate() {
        to.iter().for_each(|to| predecessors[*to].push(from));
    }
    predecessors
}

/// Adds the nodes from which one comes to a node.
fn come_to(predecessors: &[Vec<usize>], node: usize, found: &mut [bool]) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut found[node], true) {
            open.extend(&predecessors[node]);
        }
    }
}

/// Every node from which one comes to the exit, in reversed postorder of a search from there against the edges.
fn towards_exit(successors: &[Vec<usize>], exit: usize) -> Vec<usize> {
    let predecessors = reversed(successors);
    let mut postorder = Vec::new();
    let mut seen = vec![false; successors.len()];
    let mut path = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((node, next)) = path.last_mut() {
        match predecessors[*node].get(*next) {
            Some(before) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*before], true) {
                    path.push((*before, 0));
                }
            }
            None => {
                postorder.push(*node);
                path.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}

/// For each node the next one that every way to the exit goes through; the exit's is itself.
fn post_dominators(successors: &[Vec<usize>], order: &[usize], exit: usize) -> Vec<usize> {
    const UNKNOWN: usize = usize::MAX;
    let mut rank = vec![0; successors.len()];
    for (at, node) in order.iter().enumerate() {
        rank[*node] = at;
    }
    let mut above = vec![UNKNOWN; successors.len()];
    above[exit] = exit;
    let mut changed = true;
    while changed {
        changed = false;
        for node in order.iter().filter(|node| **node != exit) {
            let known = successors[*node].iter().copied().filter(|to| above[*to] != UNKNOWN);
            let meet = known.reduce(|mut a, mut b| {
                while a != b {
                    if rank[a] > rank[b] { a = above[a] } else { b = above[b] }
                }
                a
            });
            if let Some(meet) = meet
                && above[*node] != meet
            {
                above[*node] = meet;
                changed = true;
            }
        }
    }
    above
}
