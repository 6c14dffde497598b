//! Counting literals in unary: the totalizer (Bailleux and Boufkhad, CP 2003), with outputs made as they are needed
//! (Martins, Joshi, Manquinho, Lynce, *Incremental cardinality constraints for MaxSAT*, CP 2014).
//!
//! A balanced tree over the inputs. Output k of a node is implied as soon as k of the inputs below are true; nothing is
//! implied in the other direction, which is all that is needed to assume that an output is false, and keeps the
//! definitions conservative: every output may be true in any model. Making outputs up to k costs about k clauses for
//! each sum at each node: O(n k) in all for n inputs while k is small, O(n²) for all outputs.

use crate::sat::{Lit, Solver};

/// A counter of true literals.
pub struct Totalizer {
    /// Children come before their parents; the root is last.
    nodes: Vec<Node>,
}

struct Node {
    children: Option<(usize, usize)>,
    inputs: usize,
    /// `outputs[k - 1]` is implied by k true inputs.
    outputs: Vec<Lit>,
}

impl Totalizer {
    /// A counter of these literals; no clause is made yet.
    pub fn new(inputs: &[Lit]) -> Totalizer {
        assert!(!inputs.is_empty(), "there is something to count");
        let leaf = |&lit: &Lit| Node { children: None, inputs: 1, outputs: vec![lit] };
        let mut nodes: Vec<Node> = inputs.iter().map(leaf).collect();
        let mut level: Vec<usize> = (0..nodes.len()).collect();
        while level.len() > 1 {
            let pairs = level.chunks(2).map(|pair| {
                let &[left, right] = pair else { return pair[0] };
                let inputs = nodes[left].inputs + nodes[right].inputs;
                nodes.push(Node { children: Some((left, right)), inputs, outputs: Vec::new() });
                nodes.len() - 1
            });
            level = pairs.collect();
        }
        Totalizer { nodes }
    }

    /// How many literals are counted.
    pub fn inputs(&self) -> usize {
        self.nodes[self.nodes.len() - 1].inputs
    }

    /// A literal that is implied if at least `count` inputs are true, for a count from 1; false if there are fewer inputs.
    pub fn at_least(&mut self, solver: &mut Solver, count: usize) -> Lit {
        let root = self.nodes.len() - 1;
        if count > self.nodes[root].inputs {
            return Lit::FALSE;
        }
        self.extend(solver, root, count);
        self.nodes[root].outputs[count - 1]
    }

    fn extend(&mut self, solver: &mut Solver, node: usize, count: usize) {
        let count = count.min(self.nodes[node].inputs);
        let made = self.nodes[node].outputs.len();
        let Some((left, right)) = self.nodes[node].children.filter(|_| made < count) else { return };
        self.extend(solver, left, count);
        self.extend(solver, right, count);
        for sum in made + 1..=count {
            let output = solver.new_var();
            let (a, b) = (&self.nodes[left].outputs, &self.nodes[right].outputs);
            for i in sum.saturating_sub(b.len())..=sum.min(a.len()) {
                let mut clause = vec![output];
                clause.extend(i.checked_sub(1).map(|i| !a[i]));
                clause.extend((sum - i).checked_sub(1).map(|j| !b[j]));
                solver.add_clause(&clause);
            }
            if let Some(&fewer) = self.nodes[node].outputs.last() {
                solver.add_clause(&[!output, fewer]);
            }
            self.nodes[node].outputs.push(output);
        }
    }
}
