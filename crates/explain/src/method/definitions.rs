//! What a value depends on, in any execution or in a given one.

use std::collections::{HashMap, HashSet};

use nearmiss_logic::term::{Node, Term};

use crate::equation::{Equation, VariableId};
use crate::execution::Execution;

/// From symbols to the steps that define them.
pub struct Definitions {
    by_symbol: HashMap<Term, VariableId>,
    definers: Vec<Option<usize>>,
}

impl Definitions {
    /// Those of an equation.
    pub fn of(equation: &Equation) -> Definitions {
        Definitions { by_symbol: equation.variables_by_symbol(), definers: equation.definers() }
    }

    /// The step that defines or introduces a symbol.
    pub fn step(&self, symbol: Term) -> Option<usize> {
        self.definers[self.by_symbol.get(&symbol)?.0 as usize]
    }

    /// What a symbol is defined as; none for inputs.
    pub fn definition(&self, equation: &Equation, symbol: Term) -> Option<Term> {
        equation.variables[self.by_symbol.get(&symbol)?.0 as usize].definition
    }

    /// The variable of a symbol.
    pub fn variable(&self, symbol: Term) -> Option<VariableId> {
        self.by_symbol.get(&symbol).copied()
    }

    /// The variables on which some terms depend, in order. With an execution: as it happened there, where of a choice
    /// only what chose and what was chosen count.
    pub fn dependences(&self, equation: &Equation, execution: Option<&Execution>, of: &[Term]) -> Vec<VariableId> {
        let mut evaluator = execution.map(|execution| execution.evaluator(equation));
        let mut todo = of.to_vec();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        while let Some(term) = todo.pop() {
            if !seen.insert(term) {
                continue;
            }
            found.extend(self.variable(term));
            todo.extend(self.definition(equation, term));
            match (equation.terms.node(term), &mut evaluator) {
                (Node::Ite(condition, yes, no), Some(evaluator)) => {
                    todo.extend([condition, if evaluator.holds(condition) { yes } else { no }]);
                }
                (node, _) => todo.extend(node.operands().iter()),
            }
        }
        found.sort_unstable();
        found
    }
}
