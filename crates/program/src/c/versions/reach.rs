//! What a function may come to: the functions that it calls, directly or not, and the expressions in them. Whose address is taken on the
//! way may be called.

use std::collections::{BTreeSet, HashSet};

use crate::c::tree::{ExprId, ExprKind, FunctionId, ObjectId, StmtKind, Tree};

/// What was reached.
#[derive(Default)]
pub(super) struct Reach {
    pub(super) functions: BTreeSet<FunctionId>,
    pub(super) exprs: Vec<ExprId>,
    seen: HashSet<ExprId>,
    objects: HashSet<ObjectId>,
}

impl Reach {
    /// What a function reaches, itself included.
    pub(super) fn of(tree: &Tree, function: FunctionId) -> Reach {
        let mut reach = Reach::default();
        reach.functions.insert(function);
        let mut waiting = vec![function];
        while let Some(function) = waiting.pop() {
            let mut stmts: Vec<_> = tree.function(function).body.into_iter().collect();
            let mut exprs = Vec::new();
            while let Some(stmt) = stmts.pop() {
                let kind = &tree.stmt(stmt).kind;
                stmts.extend(kind.parts());
                exprs.extend(kind.exprs());
                if let StmtKind::Declare(objects) = kind {
                    objects.iter().for_each(|object| reach.object(tree, *object, &mut exprs));
                }
                reach.walk(tree, &mut exprs, &mut stmts, &mut waiting);
            }
        }
        reach
    }

    fn object(&mut self, tree: &Tree, object: ObjectId, exprs: &mut Vec<ExprId>) {
        if self.objects.insert(object) {
            let of = tree.object(object);
            exprs.extend(of.init.iter().flatten().map(|entry| entry.value));
            exprs.extend(of.variable_size);
        }
    }

    fn walk(
        &mut self,
        tree: &Tree,
        exprs: &mut Vec<ExprId>,
        stmts: &mut Vec<crate::c::tree::StmtId>,
        waiting: &mut Vec<FunctionId>,
    ) {
        while let Some(expr) = exprs.pop() {
            if !self.seen.insert(expr) {
                continue;
            }
            self.exprs.push(expr);
            let kind = &tree.expr(expr).kind;
            exprs.extend(kind.operands());
            match kind {
                ExprKind::FunctionAddress(function) => {
                    waiting.extend(self.functions.insert(*function).then_some(*function));
                }
                ExprKind::Object(object) | ExprKind::ObjectAddress(object, _) => self.object(tree, *object, exprs),
                ExprKind::StatementExpr(stmt) => stmts.push(*stmt),
                _ => {}
            }
        }
    }
}
