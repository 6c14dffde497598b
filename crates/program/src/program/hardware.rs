//! What is known of the model that a program was made of, as plain data: who makes and executes it is in
//! [`hardware`](crate::hardware).

use std::collections::HashSet;
use std::sync::Arc;

use super::model::{Kind, Model, NodeId};
use super::{BlockId, ExprId, SiteId};

/// What a program that was made of a model knows of it.
#[derive(Clone, Debug)]
pub struct Hardware {
    /// The model.
    pub model: Arc<Model>,
    /// The head of the loop over cycles, empty.
    pub(crate) head: BlockId,
    /// Where a cycle begins.
    pub(crate) body: BlockId,
    /// How many cycles are over.
    pub(crate) count: ExprId,
    /// States that may start as anything, in the order of their inputs: node, and which part of its word.
    pub(crate) started: Vec<(NodeId, u32)>,
    /// What a cycle takes, in order.
    pub(crate) inputs: Vec<(NodeId, u32)>,
    /// Registers whose first value is set at another place than the others.
    pub(crate) late: HashSet<String>,
    /// Memories, by where their contents arise.
    pub(crate) memories: Vec<(SiteId, NodeId, u32)>,
}

impl Hardware {
    /// The signals with names, memories left out: inputs, then states, then what is computed.
    pub fn signals(&self) -> Vec<NodeId> {
        let named = (0..self.model.nodes.len()).filter(|id| {
            let node = self.model.node(*id);
            node.name.is_some() && node.sort.width() > 0
        });
        let mut signals: Vec<NodeId> = named.collect();
        signals.sort_by_key(|id| match self.model.node(*id).kind {
            Kind::Input => 0,
            Kind::State { .. } => 1,
            _ => 2,
        });
        signals
    }

    /// The cycle in which a value can be seen that is set for the how many-th time at its place. What a register becomes is
    /// seen in the cycle after.
    pub fn cycle_of(&self, name: &str, time: usize) -> usize {
        let base = name.split('[').next().unwrap_or(name);
        if self.late.contains(base) { time } else { time.saturating_sub(1) }
    }
}
