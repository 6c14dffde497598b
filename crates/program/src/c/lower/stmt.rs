//! Statements: control flow, scopes, declarations.

use super::function::{Binding, Exit};
use super::{Lowering, tree};
use crate::c::tree::{ExprKind, ObjectKind, StmtKind};
use crate::program::{
    Asker, BinaryOp, BlockId, BranchRole, ClaimKind, Decision, ExprId, ExprKind as P, Operand, Origin, SiteKind,
    StatementKind, Storage, Terminator, Type, TypeId,
};
use crate::source::Span;
use nearmiss_logic::width::low_bits;

/// A `case` of a `switch`.
struct Case {
    low: i128,
    high: i128,
    block: BlockId,
    span: Span,
}

impl Lowering<'_> {
    /// The label of a statement, without the statement.
    pub(super) fn label(&mut self, labelled: tree::StmtId) {
        let stmt = self.tree.stmt(labelled);
        // What was checked on one way here was not on another.
        self.f.checked.clear();
        match &stmt.kind {
            StmtKind::Label(label, _) => self.place_label(*label),
            StmtKind::ErrorLabel(name, _) => {
                let condition = self.truth_constant(false);
                self.claim(ClaimKind::ErrorLabel, condition, format!("label {name} is not reached"), stmt.span);
            }
            _ => {}
        }
    }

    pub(super) fn statement(&mut self, s: tree::StmtId) {
        let tree = self.tree;
        let stmt = tree.stmt(s);
        self.f.checked.clear();
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.full_expression(stmt.span, |lowering| lowering.effect(*e)),
            StmtKind::Block(statements) => {
                self.open_scope();
                statements.iter().for_each(|s| self.statement(*s));
                self.close_scope(end_of(stmt.span));
            }
            StmtKind::Declare(objects) => {
                for object in objects {
                    self.full_expression(self.tree.object(*object).span, |lowering| lowering.declare(*object));
                }
            }
            StmtKind::If { condition, then, otherwise } => self.choice(*condition, *then, *otherwise),
            StmtKind::While { condition, body } => self.while_loop(*condition, *body),
            StmtKind::DoWhile { body, condition } => self.do_while_loop(*body, *condition),
            StmtKind::For { init, condition, step, body } => {
                self.open_scope();
                if let Some(init) = init {
                    self.statement(*init);
                }
                self.for_loop(*condition, *step, *body);
                self.close_scope(end_of(stmt.span));
            }
            StmtKind::Switch { value, body } => self.switch(*value, *body),
            StmtKind::Case { body, .. } | StmtKind::Default(body) => {
                if let Some(block) = self.f.cases.get(&s).copied() {
                    self.goto(block);
                    self.begin(block);
                }
                self.statement(*body);
            }
            StmtKind::Label(_, body) | StmtKind::ErrorLabel(_, body) => {
                self.label(s);
                self.statement(*body);
            }
            StmtKind::Goto(label) => self.jump(*label),
            StmtKind::GotoAddress(address) => self.computed_jump(*address, stmt.span),
            StmtKind::Break => {
                if let Some(exit) = self.f.exits.last().copied() {
                    self.kill_from(exit.depth, stmt.span);
                    self.goto(exit.break_to);
                }
            }
            StmtKind::Continue => {
                let exit = self.f.exits.iter().rev().find(|exit| exit.continue_to.is_some()).copied();
                if let Some(Exit { continue_to: Some(to), depth, .. }) = exit {
                    self.kill_from(depth, stmt.span);
                    self.goto(to);
                }
            }
            StmtKind::Return(value) => self.return_statement(*value, stmt.span),
            StmtKind::Unsupported(what) => self.unsupported(what.clone(), stmt.span),
        }
    }

    /// `if`, with or without `else`.
    fn choice(&mut self, condition: tree::ExprId, then: tree::StmtId, otherwise: Option<tree::StmtId>) {
        let (yes, end) = (self.new_block(), self.new_block());
        let no = if otherwise.is_some() { self.new_block() } else { end };
        self.branch(condition, [yes, no], BranchRole::Choice, Asker::If);
        self.arm(yes, then, end);
        if let Some(otherwise) = otherwise {
            self.arm(no, otherwise, end);
        }
        self.begin(end);
    }

    fn while_loop(&mut self, condition: tree::ExprId, body: tree::StmtId) {
        let (head, inside, end) = (self.new_block(), self.new_block(), self.new_block());
        self.goto(head);
        self.begin(head);
        self.branch(condition, [inside, end], BranchRole::Loop, Asker::While);
        self.begin(inside);
        self.loop_body(body, end, head);
        self.goto(head);
        self.begin(end);
    }

    fn do_while_loop(&mut self, body: tree::StmtId, condition: tree::ExprId) {
        let (head, test, end) = (self.new_block(), self.new_block(), self.new_block());
        self.goto(head);
        self.begin(head);
        self.loop_body(body, end, test);
        self.goto(test);
        self.begin(test);
        self.branch(condition, [head, end], BranchRole::Loop, Asker::Do);
        self.begin(end);
    }

    /// A `for` after its initialiser, which lives as long as the loop.
    fn for_loop(&mut self, condition: Option<tree::ExprId>, step: Option<tree::ExprId>, body: tree::StmtId) {
        let (head, inside, next, end) = (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.goto(head);
        self.begin(head);
        match condition {
            Some(condition) => self.branch(condition, [inside, end], BranchRole::Loop, Asker::For),
            None => self.goto(inside),
        }
        self.begin(inside);
        self.loop_body(body, end, next);
        self.goto(next);
        self.begin(next);
        if let Some(step) = step {
            self.effect(step);
        }
        self.goto(head);
        self.begin(end);
    }

    fn arm(&mut self, block: BlockId, body: tree::StmtId, end: BlockId) {
        self.begin(block);
        self.statement(body);
        self.goto(end);
    }

    fn loop_body(&mut self, body: tree::StmtId, break_to: BlockId, continue_to: BlockId) {
        let depth = self.depth();
        self.f.exits.push(Exit { break_to, continue_to: Some(continue_to), depth });
        self.statement(body);
        self.f.exits.pop();
    }

    fn return_statement(&mut self, value: Option<tree::ExprId>, span: Span) {
        let returns = self.f.returns;
        let value = match value {
            Some(e) if self.is_void(returns) => {
                self.effect(e);
                None
            }
            Some(e) if self.program.is_scalar(returns) => {
                let value = self.value(e);
                let (bits, sign) = (self.bits_of(returns), self.is_signed(self.tree.expr(e).ty));
                Some(Operand::Value(self.resize(value, bits, sign, returns)))
            }
            Some(e) => Some(Operand::Object(self.record(e))),
            None => {
                let name = self.f.owner.clone();
                self.missing_return_value(&name)
            }
        };
        let value = if self.has_cleanups() { value.map(|value| self.kept(value, span)) } else { value };
        self.clean_up_all();
        self.claim_no_return(span);
        self.end_block(Terminator::Return { value, span });
    }

    /// A chain of comparisons; the `case`s in the body are blocks of their own.
    fn switch(&mut self, value: tree::ExprId, body: tree::StmtId) {
        let ty = self.tree.expr(value).ty;
        let subject = self.value(value);
        let end = self.new_block();
        let mut cases = Vec::new();
        let mut default = None;
        self.collect_cases(body, &mut cases, &mut default);
        for case in &cases {
            let condition = self.case_condition(subject, ty, case);
            let next = self.new_block();
            let decision = Decision::whole(self.tree.expr(value).span, Asker::Case);
            self.branch_on(condition, case.block, next, case.span, BranchRole::Case, decision);
            self.begin(next);
        }
        self.goto(default.unwrap_or(end));
        let depth = self.depth();
        self.f.exits.push(Exit { break_to: end, continue_to: None, depth });
        self.statement(body);
        self.f.exits.pop();
        self.goto(end);
        self.begin(end);
    }

    fn case_condition(&mut self, subject: ExprId, ty: TypeId, case: &Case) -> ExprId {
        let bits = self.program.expr(subject).bits;
        let constant =
            |lowering: &mut Self, value: i128| lowering.make(P::Const(value as u128 & low_bits(bits)), bits, ty);
        let low = constant(self, case.low);
        if case.low == case.high {
            return self.binary(BinaryOp::Eq, subject, low, ty);
        }
        let high = constant(self, case.high);
        let less = if self.is_signed(ty) { BinaryOp::SLe } else { BinaryOp::ULe };
        let above = self.binary(less, low, subject, ty);
        let below = self.binary(less, subject, high, ty);
        self.and(above, below)
    }

    /// The labels of this `switch`, not of those inside it.
    fn collect_cases(&mut self, s: tree::StmtId, cases: &mut Vec<Case>, default: &mut Option<BlockId>) {
        let tree = self.tree;
        let stmt = tree.stmt(s);
        match &stmt.kind {
            StmtKind::Case { low, high, body } => {
                let block = self.new_block();
                self.f.cases.insert(s, block);
                let span = self.label_span(stmt.span, tree.stmt(*body).span);
                cases.push(Case { low: *low, high: *high, block, span });
                self.collect_cases(*body, cases, default);
            }
            StmtKind::Default(body) => {
                let block = self.new_block();
                self.f.cases.insert(s, block);
                *default = Some(block);
                self.collect_cases(*body, cases, default);
            }
            StmtKind::Block(statements) => statements.iter().for_each(|s| self.collect_cases(*s, cases, default)),
            StmtKind::If { then, otherwise, .. } => {
                self.collect_cases(*then, cases, default);
                if let Some(otherwise) = otherwise {
                    self.collect_cases(*otherwise, cases, default);
                }
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::Label(_, body)
            | StmtKind::ErrorLabel(_, body) => self.collect_cases(*body, cases, default),
            StmtKind::Empty
            | StmtKind::Expr(_)
            | StmtKind::Declare(_)
            | StmtKind::Switch { .. }
            | StmtKind::Goto(_)
            | StmtKind::GotoAddress(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Unsupported(_) => {}
        }
    }

    /// `case 3:` of `case 3: x = 1;`
    fn label_span(&self, whole: Span, body: Span) -> Span {
        if whole.file != body.file || body.start <= whole.start || body.start > whole.end {
            return whole;
        }
        let label = Span { end: body.start, ..whole };
        let trimmed = self.sources.text(label).trim_end().len() as u32;
        if trimmed == 0 { whole } else { Span { end: whole.start + trimmed, ..label } }
    }

    /// Brings an automatic object to life and initialises it.
    pub(super) fn declare(&mut self, object: tree::ObjectId) {
        let of = self.tree.object(object);
        match self.binding(object) {
            Binding::Pointer(pointer) => {
                let Some(size) = of.variable_size else { return };
                let from = self.tree.expr(size).ty;
                let bytes = self.value(size);
                let bytes = self.convert(bytes, from, self.basic.size);
                let target = self.local_place(pointer);
                let span = self.span(of.span);
                let site = self.site(of.name.clone(), of.ty, span, SiteKind::Allocation);
                let storage = Storage::Stack;
                self.enter_scope(pointer);
                if self.has_labels() {
                    // Who jumps back before its declaration leaves it.
                    self.end_array(pointer, of.span);
                }
                // The only initialiser that C has for it is `{}`.
                let zeroed = of.init.is_some();
                self.emit(StatementKind::Allocate { target, size: bytes, zeroed, storage, site }, of.span);
            }
            Binding::Local(local) => {
                self.enter_scope(local);
                self.emit(StatementKind::Declare { local }, of.span);
                if let Some(init) = &of.init {
                    self.initialise(object, local, init);
                    if of.kind == ObjectKind::ArrayLength && !self.in_library() {
                        self.claim_length(local, of);
                    }
                } else if self.in_library() && matches!(self.program.ty(of.ty), Type::Array { .. }) {
                    // What a model fills before it reads it is no input.
                    let target = self.local_place(local);
                    self.emit(StatementKind::Clear { target }, of.span);
                }
            }
        }
    }

    /// An array of variable length has at least one element (C17 6.7.6.2).
    fn claim_length(&mut self, length: crate::program::LocalId, of: &tree::Object) {
        if !self.options.checks.bounds {
            return;
        }
        let place = self.local_place(length);
        let (length, none) = (self.load(place), self.constant(0, of.ty));
        let less = if self.is_signed(of.ty) { BinaryOp::SLt } else { BinaryOp::ULt };
        let condition = self.binary(less, none, length, of.ty);
        let text = format!("{}, the length of an array, is positive", self.text(of.span));
        self.claim(ClaimKind::ArrayBounds, condition, text, of.span);
    }

    /// Assigns a scalar its written value; a call puts its result there itself.
    pub(super) fn assign_written(&mut self, target: crate::program::PlaceId, value: tree::ExprId, span: Span) {
        if self.call_into(value, target, span) {
            return;
        }
        let x = self.value(value);
        self.assign(target, x, Origin::Written, span);
    }

    /// Is it the literal 0, of whatever type?
    pub(super) fn is_zero(&self, e: tree::ExprId) -> bool {
        match &self.tree.expr(e).kind {
            ExprKind::Const(0) => true,
            ExprKind::Convert { operand, .. } => self.is_zero(*operand),
            _ => false,
        }
    }
}

/// The closing brace.
fn end_of(span: Span) -> Span {
    Span { start: span.end.saturating_sub(1).max(span.start), ..span }
}
