//! Loops of a function: a weak topological order of its blocks.
//!
//! Bourdoncle ("Efficient chaotic iteration strategies with widenings", 1993, section 3): strongly connected components
//! in topological order, each opened at its head and ordered again without it. In such an order every edge goes
//! forward, except those that go back to the head of a loop around them; the blocks of a loop stand together, so
//! whatever a loop exits to comes after all of it. Irreducible loops (`goto` into a loop) have a head like any other.
//!
//! The cost is that of one search for components per level of nesting. Nothing here recurses.

use std::cmp::Reverse;

use crate::program::{BlockId, BranchRole, Function, FunctionId, Program, Terminator};
use crate::source::Span;

/// The loops of one function.
#[derive(Clone, Debug)]
pub struct LoopInfo {
    /// Blocks that can be reached from the entry; a loop's blocks are contiguous, its head first.
    pub order: Vec<BlockId>,
    /// Position in `order` of each block; `u32::MAX` for one that cannot be reached. An edge goes back exactly if it
    /// does not go to a larger position; it then belongs to the loop whose head it goes to.
    pub position: Vec<u32>,
    /// The loops, by their identifiers.
    pub heads: Vec<LoopHead>,
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopHead {
    /// Where it is entered, and where every back edge goes.
    pub block: BlockId,
    /// One past the position of its last block in the order.
    pub end: u32,
    /// `function.N`, from 0, in order of where the loops end: where their jumps back stand, which CBMC numbers.
    pub id: String,
    /// Its condition, or the first text in its head where it has none.
    pub span: Span,
    /// Whether nothing leads out of it: `while (1)` without a way to leave.
    pub endless: bool,
}

impl LoopInfo {
    /// How many loops nothing leads out of.
    pub fn endless(&self) -> usize {
        self.heads.iter().filter(|head| head.endless).count()
    }

    /// The loop with this head.
    pub fn head(&self, block: BlockId) -> Option<&LoopHead> {
        self.heads.iter().find(|head| head.block == block)
    }

    /// Whether a block lies in a loop.
    pub fn contains(&self, head: &LoopHead, block: BlockId) -> bool {
        let at = self.position[block.index()];
        self.position[head.block.index()] <= at && at < head.end
    }
}

/// Orders the blocks of a function and names its loops.
pub fn analyse(program: &Program, f: FunctionId) -> LoopInfo {
    let function = program.function(f);
    let (order, components) = order(function);
    let mut position = vec![u32::MAX; function.blocks.len()];
    for (at, block) in order.iter().enumerate() {
        position[block.index()] = at as u32;
    }
    let mut heads: Vec<LoopHead> = components
        .iter()
        .map(|component| LoopHead {
            block: component.head,
            end: position[component.head.index()] + component.size,
            id: String::new(),
            span: span_of_loop(function, &order, &position, component, &components),
            endless: {
                let start = position[component.head.index()];
                let inside = start..start + component.size;
                let blocks = &order[start as usize..(start + component.size) as usize];
                blocks.iter().map(|block| Program::successors(&function.blocks[block.index()].end)).all(|successors| {
                    !successors.is_empty() && successors.iter().all(|to| inside.contains(&position[to.index()]))
                })
            },
        })
        .collect();
    heads.sort_by_cached_key(|head| {
        let start = position[head.block.index()];
        let last = end_of_text(function, &order[start as usize..head.end as usize], head.span);
        // Loops of one macro end at one place: then the order of the blocks tells, and an inner loop comes first.
        (head.span.file, last, head.end, Reverse(start))
    });
    for (number, head) in heads.iter_mut().enumerate() {
        head.id = format!("{}.{number}", function.name);
    }
    LoopInfo { order, position, heads }
}

/// A loop as the order has it.
struct Component {
    head: BlockId,
    /// Number of blocks, the head included.
    size: u32,
}

/// What is left to be ordered.
enum Task {
    Emit(BlockId),
    /// The blocks that carry this mark, searched from the successors of a block.
    Region {
        mark: u32,
        from: BlockId,
    },
}

fn order(function: &Function) -> (Vec<BlockId>, Vec<Component>) {
    let mut order = Vec::new();
    let mut components = Vec::new();
    if function.blocks.is_empty() {
        return (order, components);
    }
    let successors: Vec<Vec<BlockId>> = function.blocks.iter().map(|b| Program::successors(&b.end)).collect();
    // Blocks of the region under work carry its mark; the first region is everything.
    let mut marks = vec![0u32; successors.len()];
    let mut next_mark = 1;
    let entry = BlockId(0);
    let mut first = true;
    let mut tasks = vec![Task::Region { mark: 0, from: entry }];
    while let Some(task) = tasks.pop() {
        let (mark, from) = match task {
            Task::Emit(block) => {
                order.push(block);
                continue;
            }
            Task::Region { mark, from } => (mark, from),
        };
        let roots = if std::mem::take(&mut first) { vec![entry] } else { successors[from.index()].clone() };
        // The search ends components from the last in topological order to the first: just right for a stack.
        for component in strong_components(&successors, &marks, mark, &roots) {
            // The root of a component is the block by which the search came in.
            let head = component[0];
            if component.len() > 1 || successors[head.index()].contains(&head) {
                components.push(Component { head, size: component.len() as u32 });
                let inner = next_mark;
                next_mark += 1;
                component[1..].iter().for_each(|b| marks[b.index()] = inner);
                tasks.push(Task::Region { mark: inner, from: head });
            }
            marks[head.index()] = u32::MAX;
            tasks.push(Task::Emit(head));
        }
    }
    (order, components)
}

/// Tarjan's search among the blocks with one mark, its stack kept by hand. Each component starts with its root.
fn strong_components(successors: &[Vec<BlockId>], marks: &[u32], mark: u32, roots: &[BlockId]) -> Vec<Vec<BlockId>> {
    const DONE: u32 = u32::MAX;
    let mut number = std::collections::HashMap::<BlockId, u32>::new();
    let mut low = std::collections::HashMap::<BlockId, u32>::new();
    let mut open: Vec<BlockId> = Vec::new();
    let mut path: Vec<(BlockId, usize)> = Vec::new();
    let mut found = Vec::new();
    // Later successors first, so that among unrelated blocks the order is that of the text.
    for &root in roots.iter().rev() {
        if marks[root.index()] != mark || number.contains_key(&root) {
            continue;
        }
        path.push((root, 0));
        while let Some((block, next)) = path.last_mut() {
            let block = *block;
            if *next == 0 {
                let n = number.len() as u32;
                number.insert(block, n);
                low.insert(block, n);
                open.push(block);
            }
            let follow = &successors[block.index()];
            let to = follow.len().checked_sub(*next + 1).map(|i| follow[i]);
            *next += 1;
            match to {
                Some(to) if marks[to.index()] != mark => {}
                Some(to) => match number.get(&to) {
                    None => path.push((to, 0)),
                    Some(&DONE) => {}
                    Some(&n) => {
                        let l = low.entry(block).or_insert(n);
                        *l = n.min(*l);
                    }
                },
                None => {
                    path.pop();
                    let l = low[&block];
                    if let Some((parent, _)) = path.last() {
                        let above = low.entry(*parent).or_insert(l);
                        *above = l.min(*above);
                    }
                    if l == number[&block] {
                        let at = open.iter().rposition(|b| *b == block).unwrap_or(0);
                        let component = open.split_off(at);
                        component.iter().for_each(|b| {
                            number.insert(*b, DONE);
                        });
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}

/// Where the text of some blocks ends, as far as it is in the file of a loop's own text.
fn end_of_text(function: &Function, blocks: &[BlockId], own: Span) -> u32 {
    let blocks = blocks.iter().map(|block| &function.blocks[block.index()]);
    let spans = blocks.flat_map(|block| {
        let end = match &block.end {
            Terminator::Branch { span, .. } | Terminator::Return { span, .. } => Some(*span),
            Terminator::Goto(_) | Terminator::Stop => None,
        };
        block.statements.iter().map(|statement| statement.span).chain(end)
    });
    spans.filter(|span| span.file == own.file).map(|span| span.end).fold(own.end, u32::max)
}

/// The text that stands for a loop: its condition, which leaves it or goes back to its head, or else what its head
/// does first.
fn span_of_loop(
    function: &Function,
    order: &[BlockId],
    position: &[u32],
    component: &Component,
    components: &[Component],
) -> Span {
    let start = position[component.head.index()];
    let range = start..start + component.size;
    let inside = |block: BlockId| range.contains(&position[block.index()]);
    let mut at = start;
    while at < range.end {
        let block = order[at as usize];
        // What stands in a loop inside this one is that loop's condition.
        let inner = components.iter().find(|c| c.head == block && c.head != component.head);
        if let Some(inner) = inner {
            at += inner.size;
            continue;
        }
        if let Terminator::Branch { then, otherwise, span, role: BranchRole::Loop, .. } =
            &function.blocks[block.index()].end
        {
            let leaves = inside(*then) != inside(*otherwise);
            let back = *then == component.head || *otherwise == component.head;
            if leaves || back {
                return *span;
            }
        }
        at += 1;
    }
    order[start as usize..range.end as usize]
        .iter()
        .find_map(|block| {
            let block = &function.blocks[block.index()];
            let first = block.statements.first().map(|s| s.span);
            first.or(match &block.end {
                Terminator::Branch { span, .. } | Terminator::Return { span, .. } => Some(*span),
                Terminator::Goto(_) | Terminator::Stop => None,
            })
        })
        .unwrap_or(function.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Author, Block, Decision, TypeId};
    use crate::source::FileId;

    fn function(edges: &[&[u32]]) -> Function {
        let span = Span::new(FileId(0), 0, 0);
        let ends = edges.iter().map(|to| match **to {
            [] => Terminator::Stop,
            [one] => Terminator::Goto(BlockId(one)),
            [then, otherwise, ..] => Terminator::Branch {
                condition: crate::program::ExprId(0),
                then: BlockId(then),
                otherwise: BlockId(otherwise),
                span,
                role: BranchRole::Loop,
                decision: Decision::of_role(span, BranchRole::Loop),
            },
        });
        Function {
            name: "f".to_owned(),
            span,
            returns: TypeId(0),
            parameters: 0,
            variadic: false,
            locals: Vec::new(),
            blocks: ends.map(|end| Block { statements: Vec::new(), end }).collect(),
            author: Author::User,
        }
    }

    fn shown(edges: &[&[u32]]) -> (Vec<u32>, Vec<(u32, u32)>) {
        let (order, components) = order(&function(edges));
        (order.iter().map(|b| b.0).collect(), components.iter().map(|c| (c.head.0, c.size)).collect())
    }

    #[test]
    fn straight_code_keeps_the_order_of_the_text() {
        assert_eq!(shown(&[&[1, 2], &[3], &[3], &[]]), (vec![0, 1, 2, 3], vec![]));
    }

    #[test]
    fn an_exit_comes_after_the_whole_loop() {
        // 1 is the head, 2 its body, which may also leave to 3.
        assert_eq!(shown(&[&[1], &[2, 4], &[3, 1], &[4], &[]]).0, [0, 1, 2, 3, 4]);
        // The same with the exit named first.
        assert_eq!(shown(&[&[1], &[4, 2], &[3, 1], &[4], &[]]).0, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn loops_nest() {
        let (order, loops) = shown(&[&[1], &[2, 5], &[3, 4], &[2], &[1], &[]]);
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
        assert_eq!(loops, [(1, 4), (2, 2)]);
    }

    #[test]
    fn bourdoncles_own_example() {
        // Figure 2 of the paper: 1 2 (3 4 (5 6) 7) 8, here from 0.
        let edges: &[&[u32]] = &[&[1], &[2, 7], &[3], &[4, 6], &[5], &[4, 6], &[2, 7], &[]];
        let (order, loops) = shown(edges);
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(loops, [(2, 5), (4, 2)]);
    }

    #[test]
    fn a_goto_into_a_loop_is_ordered_too() {
        let (order, loops) = shown(&[&[1, 2], &[2, 3], &[1], &[]]);
        assert_eq!(order.len(), 4);
        assert_eq!(loops.len(), 1);
        assert_eq!(order[3], 3);
    }
}
