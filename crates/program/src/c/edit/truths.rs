//! Which values are 0 or 1 whatever happens: of such a value an edit may make a part of a condition.

use std::collections::HashMap;

use crate::c::tree::{ExprId, ExprKind, FunctionId, ObjectId, StmtId, StmtKind, StorageDuration, Tree};

/// So far it is looked: through calls and variables.
const DEPTH: usize = 4;

pub(super) struct Truths<'t> {
    tree: &'t Tree,
    /// All values of a local variable; none where it may get others.
    values: HashMap<ObjectId, Option<Vec<ExprId>>>,
    /// What a function returns.
    returned: Vec<Vec<ExprId>>,
}

impl<'t> Truths<'t> {
    pub(super) fn of(tree: &'t Tree) -> Truths<'t> {
        let mut values: HashMap<ObjectId, Option<Vec<ExprId>>> = HashMap::new();
        for (number, object) in (0..).zip(&tree.objects) {
            if object.storage == StorageDuration::Automatic {
                let first = object.init.iter().flatten().map(|entry| entry.value);
                values.insert(ObjectId(number), Some(first.collect()));
            }
        }
        for object in tree.functions.iter().flat_map(|function| &function.parameters) {
            values.insert(*object, None);
        }
        let variable = |place: ExprId| match tree.expr(place).kind {
            ExprKind::Object(object) => Some(object),
            _ => None,
        };
        for expr in &tree.exprs {
            match expr.kind {
                ExprKind::Assign { target, value } => {
                    let of = variable(target).and_then(|object| values.get_mut(&object));
                    of.into_iter().flatten().for_each(|known| known.push(value));
                }
                ExprKind::CompoundAssign { target, .. }
                | ExprKind::Step { target, .. }
                | ExprKind::AddressOf(target) => {
                    variable(target).and_then(|object| values.insert(object, None));
                }
                _ => {}
            }
        }
        let returned = tree.functions.iter().map(|function| {
            let mut found = Vec::new();
            function.body.into_iter().for_each(|body| returns(tree, body, &mut found));
            found
        });
        Truths { tree, values, returned: returned.collect() }
    }

    pub(super) fn is_truth(&self, e: ExprId) -> bool {
        self.is_truth_within(e, DEPTH)
    }

    /// Whether all that a function returns is.
    pub(super) fn answers(&self, function: FunctionId) -> bool {
        let returned = &self.returned[function.0 as usize];
        !returned.is_empty() && returned.iter().all(|value| self.is_truth(*value))
    }

    fn is_truth_within(&self, e: ExprId, depth: usize) -> bool {
        let Some(deeper) = depth.checked_sub(1) else { return false };
        let all =
            |values: &[ExprId]| !values.is_empty() && values.iter().all(|value| self.is_truth_within(*value, deeper));
        match &self.tree.expr(e).kind {
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::LogicalNot(_) => true,
            ExprKind::Binary(op, ..) => op.is_relation(),
            ExprKind::Const(value) => *value <= 1,
            ExprKind::Convert { operand, .. } => self.is_truth_within(*operand, depth),
            ExprKind::Conditional { then: Some(then), otherwise, .. } => all(&[*then, *otherwise]),
            ExprKind::Load(place) => match self.tree.expr(*place).kind {
                ExprKind::Object(object) => self.values.get(&object).and_then(Option::as_deref).is_some_and(all),
                _ => false,
            },
            ExprKind::Call { callee, .. } => match self.tree.expr(*callee).kind {
                ExprKind::FunctionAddress(function) => all(&self.returned[function.0 as usize]),
                _ => false,
            },
            _ => false,
        }
    }
}

/// What the return statements in a statement return.
fn returns(tree: &Tree, s: StmtId, found: &mut Vec<ExprId>) {
    let kind = &tree.stmt(s).kind;
    if let StmtKind::Return(Some(value)) = kind {
        found.push(*value);
    }
    kind.parts().into_iter().for_each(|part| returns(tree, part, found));
}
