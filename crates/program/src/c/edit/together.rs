//! Many edits lowered at once: each edited function becomes one more function, and a run says which of them it takes.
//!
//! To lower a whole program for each edit costs a hundred times what a run does. So the functions that edits change are copied, edited and
//! lowered beside the others; nobody calls them, but the interpreter can be told to enter one where the text calls the other.

use std::collections::{BTreeMap, HashMap};

use super::{Change, Edit, Editable};
use crate::c::tree::{Expr, ExprId, ExprKind, FunctionId, Object, ObjectId, Stmt, StmtId, StmtKind, Tree};
use crate::c::{Errors, lower};
use crate::program::{self, Program};
use crate::source::Sources;

/// A program with edited functions beside its own.
pub struct Together {
    /// The program.
    pub program: Program,
    /// For each set of edits the functions that it changes, each with itself as it is then.
    pub instead: Vec<Vec<(program::FunctionId, program::FunctionId)>>,
}

impl Editable {
    /// Whether an edit can be lowered beside others.
    pub fn goes_together(&self, edit: &Edit) -> bool {
        // Lengths of arrays are known by their expressions, and small pointers have few numbers for functions.
        let is_in_function = |(of, _): &(u32, Change)| (*of as usize) < self.tree.functions.len();
        self.tree.bounds.is_empty() && self.tree.pointer.bits > 16 && edit.changes.iter().all(is_in_function)
    }

    /// The program with a function more for each set of edits; those of a set are all of one function.
    ///
    /// # Errors
    ///
    /// What cannot be lowered.
    pub fn together(&self, sets: &[Vec<&Edit>], sources: &Sources) -> Result<Together, Errors> {
        let mut tree = self.tree.clone();
        let mut functions = Vec::new();
        let mut counts = Vec::new();
        for edits in sets {
            let mut changes: BTreeMap<u32, Vec<&Change>> = BTreeMap::new();
            for (of, change) in edits.iter().flat_map(|edit| &edit.changes) {
                changes.entry(*of).or_default().push(change);
            }
            counts.push(changes.len());
            for (of, changes) in changes {
                let change = Change::joined(&changes, &self.tree);
                let mut copy = Copy { before: &self.tree, change: &change, tree: &mut tree, objects: HashMap::new() };
                let body = self.tree.functions[of as usize].body.map(|body| copy.stmt(body));
                let mut function = self.tree.functions[of as usize].clone();
                function.body = body;
                tree.functions.push(function);
                functions.push((FunctionId(of), FunctionId(tree.functions.len() as u32 - 1)));
            }
        }
        let (program, ids) = lower::lowered_with(&tree, &self.options, sources, &functions)?;
        let mut ids = ids.into_iter();
        let instead = counts.into_iter().map(|count| ids.by_ref().take(count).collect()).collect();
        Ok(Together { program, instead })
    }
}

/// A function being copied with edits made.
struct Copy<'a> {
    before: &'a Tree,
    change: &'a Change,
    tree: &'a mut Tree,
    objects: HashMap<ObjectId, ObjectId>,
}

impl Copy<'_> {
    fn edited_stmt(&self, id: StmtId) -> Stmt {
        let change = self.change;
        if let Some(added) = (id.0 as usize).checked_sub(self.before.stmts.len()) {
            return change.added_stmts[added].clone();
        }
        let replaced = change.stmts.iter().find(|(other, _)| *other == id);
        replaced.map_or_else(|| self.before.stmt(id).clone(), |(_, stmt)| stmt.clone())
    }

    fn edited_expr(&self, id: ExprId) -> Expr {
        let change = self.change;
        if let Some(added) = (id.0 as usize).checked_sub(self.before.exprs.len()) {
            return change.added_exprs[added].clone();
        }
        let replaced = change.exprs.iter().find(|(other, _)| *other == id);
        replaced.map_or_else(|| self.before.expr(id).clone(), |(_, expr)| expr.clone())
    }

    fn stmt(&mut self, id: StmtId) -> StmtId {
        let mut stmt = self.edited_stmt(id);
        match &mut stmt.kind {
            StmtKind::Declare(objects) => {
                // A name may be read in its own initialiser.
                for object in objects.iter_mut() {
                    *object = self.object(*object);
                }
            }
            StmtKind::Block(parts) => parts.iter_mut().for_each(|part| *part = self.stmt(*part)),
            kind => {
                // In the order of the text: declarations come before what reads them.
                let (exprs, parts) = (kind.exprs(), kind.parts());
                let first = matches!(kind, StmtKind::For { .. });
                let mut new_parts: Vec<StmtId> = Vec::new();
                if first {
                    new_parts = parts.iter().map(|part| self.stmt(*part)).collect();
                }
                let mut new_exprs = exprs.iter().map(|e| self.expr(*e)).collect::<Vec<_>>().into_iter();
                if !first {
                    new_parts = parts.iter().map(|part| self.stmt(*part)).collect();
                }
                let mut new_parts = new_parts.into_iter();
                kind.map_parts(&mut |e| new_exprs.next().unwrap_or(e), &mut |s| new_parts.next().unwrap_or(s));
            }
        }
        self.tree.stmts.push(stmt);
        StmtId(self.tree.stmts.len() as u32 - 1)
    }

    /// A variable of the function for that of the copy.
    fn object(&mut self, id: ObjectId) -> ObjectId {
        let new = ObjectId(self.tree.objects.len() as u32);
        self.objects.insert(id, new);
        let object = self.before.object(id).clone();
        self.tree.objects.push(object);
        let Object { mut init, mut variable_size, mut cleanup, .. } = self.before.object(id).clone();
        for entry in init.iter_mut().flatten() {
            entry.value = self.expr(entry.value);
        }
        variable_size = variable_size.map(|size| self.expr(size));
        cleanup = cleanup.map(|call| self.expr(call));
        let own = &mut self.tree.objects[new.0 as usize];
        (own.init, own.variable_size, own.cleanup) = (init, variable_size, cleanup);
        new
    }

    fn expr(&mut self, id: ExprId) -> ExprId {
        let mut expr = self.edited_expr(id);
        match &mut expr.kind {
            ExprKind::Object(object) => *object = self.objects.get(object).copied().unwrap_or(*object),
            ExprKind::StatementExpr(body) => *body = self.stmt(*body),
            kind => {
                let new: Vec<ExprId> = kind.operands().into_iter().map(|operand| self.expr(operand)).collect();
                let old = kind.operands();
                kind.map_operands(&mut |operand| {
                    let at = old.iter().position(|other| *other == operand);
                    at.map_or(operand, |at| new[at])
                });
            }
        }
        self.tree.exprs.push(expr);
        ExprId(self.tree.exprs.len() as u32 - 1)
    }
}
