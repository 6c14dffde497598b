//! Statements, one by one.

use rucc_sema::{Asm, Conversion, DeclId, DeclKind, Stmt as Theirs};

use super::link::{Linked, Walk};
use crate::c::checkers;
use crate::c::tree::{ExprKind, LabelId, ObjectId, Stmt, StmtId, StmtKind, StorageDuration};
use crate::source::{Diagnostic, Severity, Span};

/// Instructions that change nothing a program can see.
const IDLE: &[&str] = &["", "nop", "pause", "rep; nop", "rep;nop", "mfence", "lfence", "sfence", "yield"];
/// First words of instructions that wait, order memory, or switch interrupts on and off: what they change is nothing that we model.
const WAITING: &[&str] = &[
    "cli", "clrwdt", "cpsid", "cpsie", "csdb", "di", "dint", "dmb", "dsb", "ei", "eieio", "eint", "esb", "fence",
    "fence.i", "hint", "hlt", "isb", "isync", "lfence", "lwsync", "mfence", "nop", "pause", "sei", "sev", "sevl",
    "sfence", "sleep", "sti", "sync", "wdr", "wfe", "wfi", "yield",
];

impl Walk<'_> {
    /// The body of a function, after the lengths of its parameters' types.
    pub(super) fn body(&mut self, body: rucc_sema::StmtId, lengths: Vec<ObjectId>) -> StmtId {
        let converted = self.stmt(body);
        if lengths.is_empty() {
            return converted;
        }
        let span = self.linker.tree.stmt(converted).span;
        let declare = self.push_stmt(StmtKind::Declare(lengths), span);
        self.push_stmt(StmtKind::Block(vec![declare, converted]), span)
    }

    /// Adds a statement.
    pub(super) fn push_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.linker.tree.stmts.push(Stmt { kind, span });
        StmtId(self.linker.tree.stmts.len() as u32 - 1)
    }

    /// Converts a statement.
    pub(super) fn stmt(&mut self, id: rucc_sema::StmtId) -> StmtId {
        let span = self.unit.span(self.unit.tast.stmt_span(id));
        let kind = self.deeper(span, |walk| walk.stmt_kind(id)).unwrap_or(StmtKind::Empty);
        self.push_stmt(kind, span)
    }

    fn stmt_kind(&mut self, id: rucc_sema::StmtId) -> StmtKind {
        let unit = self.unit;
        match unit.tast[id] {
            Theirs::Error => StmtKind::Unsupported("a statement in error".to_owned()),
            Theirs::Empty => StmtKind::Empty,
            Theirs::Expr(expr) => StmtKind::Expr(self.effect(expr)),
            Theirs::Block(list) => StmtKind::Block(unit.tast[list].iter().map(|stmt| self.stmt(*stmt)).collect()),
            Theirs::Decls(list) => self.declare(&unit.tast[list]),
            Theirs::If { cond, then, otherwise } => StmtKind::If {
                condition: self.condition(cond),
                then: self.stmt(then),
                otherwise: otherwise.map(|stmt| self.stmt(stmt)),
            },
            Theirs::While { cond, body } => StmtKind::While { condition: self.condition(cond), body: self.stmt(body) },
            Theirs::DoWhile { body, cond } => {
                let body = self.stmt(body);
                StmtKind::DoWhile { body, condition: self.condition(cond) }
            }
            Theirs::For { init, cond, step, body } => StmtKind::For {
                init: init.map(|stmt| self.stmt(stmt)),
                condition: cond.map(|cond| self.condition(cond)),
                step: step.map(|step| self.effect(step)),
                body: self.stmt(body),
            },
            Theirs::Switch { cond, body, .. } => StmtKind::Switch { value: self.expr(cond), body: self.stmt(body) },
            Theirs::Case { case, body } => {
                let case = unit.tast[case];
                StmtKind::Case { low: case.low, high: case.high, body: self.stmt(body) }
            }
            Theirs::Default { body } => StmtKind::Default(self.stmt(body)),
            Theirs::Label { label, body } => {
                let objection = checkers::label_objection(unit.text(unit.tast[label].name));
                let body = match objection {
                    Some(why) => self.push_stmt(StmtKind::Unsupported(why), unit.span(unit.tast.stmt_span(id))),
                    None => self.stmt(body),
                };
                let name = unit.text(unit.tast[label].name);
                let body = match self.linker.error_labels.iter().any(|label| label == name) {
                    true => {
                        let what = StmtKind::ErrorLabel(name.to_owned(), body);
                        self.push_stmt(what, unit.span(unit.tast.stmt_span(id)))
                    }
                    false => body,
                };
                StmtKind::Label(LabelId(label.raw()), body)
            }
            Theirs::Goto(label) => StmtKind::Goto(LabelId(label.raw())),
            Theirs::IndirectGoto(address) => StmtKind::GotoAddress(self.expr(address)),
            Theirs::Asm(asm) => {
                let span = unit.span(unit.tast.stmt_span(id));
                self.assembly(&unit.tast[asm], span)
            }
            Theirs::Break => StmtKind::Break,
            Theirs::Continue => StmtKind::Continue,
            Theirs::Return(value) => StmtKind::Return(value.map(|value| self.expr(value))),
        }
    }

    /// An expression whose value is dropped.
    fn effect(&mut self, id: rucc_sema::ExprId) -> crate::c::tree::ExprId {
        let node = self.unit.tast[id];
        match node.kind {
            rucc_sema::ExprKind::Convert { kind: Conversion::Void, operand } => self.effect(operand),
            rucc_sema::ExprKind::Convert { kind: Conversion::Lvalue, operand } if self.is_variable(node.ty) => {
                self.effect(operand)
            }
            _ => self.expr(id),
        }
    }

    /// The automatic objects of a declaration. Static ones only need to exist.
    fn declare(&mut self, decls: &[DeclId]) -> StmtKind {
        let unit = self.unit;
        let mut declared = Vec::new();
        for decl in decls {
            let node = &unit.tast[*decl];
            if node.kind == DeclKind::Function && node.body.is_some() {
                return StmtKind::Unsupported("a function inside a function".to_owned());
            }
            if node.register.is_some() {
                return StmtKind::Unsupported("a variable in a register of its own".to_owned());
            }
            self.keep_lengths(node.ty, &mut declared);
            if node.kind != DeclKind::Object {
                continue;
            }
            if let Linked::Object(object) = self.linked(*decl)
                && self.linker.tree.object(object).storage == StorageDuration::Automatic
            {
                declared.push(object);
                self.clean_up(*decl, object);
            }
        }
        if declared.is_empty() { StmtKind::Empty } else { StmtKind::Declare(declared) }
    }

    /// `cleanup(f)`: the call `f(&object)`.
    fn clean_up(&mut self, decl: DeclId, object: ObjectId) {
        let Some(handler) = self.unit.tast[decl].cleanup else { return };
        let Linked::Function(function) = self.linked(handler) else { return };
        let (ty, span) = (self.linker.tree.object(object).ty, self.linker.tree.object(object).span);
        let of = self.linker.tree.function(function);
        let (returns, function_type) = (of.returns, of.ty);
        let pointer = self.linker.table.pointer(ty);
        let lvalue = self.push(ExprKind::Object(object), ty, span);
        let address = self.push(ExprKind::AddressOf(lvalue), pointer, span);
        let callee_type = self.linker.table.pointer(function_type);
        let callee = self.push(ExprKind::FunctionAddress(function), callee_type, span);
        let call = self.push(ExprKind::Call { callee, arguments: vec![address] }, returns, span);
        self.linker.tree.objects[object.0 as usize].cleanup = Some(call);
    }

    /// Assembly that does nothing but tell the compiler to leave things alone is nothing; so is, with a note, what waits or
    /// switches interrupts and has no operands.
    fn assembly(&mut self, asm: &Asm, span: Span) -> StmtKind {
        let tast = &self.unit.tast;
        let text = |id| -> String {
            let literal: &rucc_lex::StringLiteral = &tast[id];
            literal.elements.iter().filter_map(|c| char::from_u32(*c)).collect()
        };
        let template = text(asm.template);
        let template = template.trim().trim_end_matches(';');
        let kept =
            tast[asm.outputs].iter().all(|operand| template.is_empty() && text(operand.constraint).contains('+'));
        if IDLE.contains(&template) && kept && tast[asm.labels].is_empty() {
            return StmtKind::Empty;
        }
        self.linker.tree.assembly = true;
        let mut instructions = template.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
        let waits = instructions.all(|line| {
            let word = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
            WAITING.contains(&word.as_str())
        });
        let alone = tast[asm.outputs].is_empty() && tast[asm.inputs].is_empty() && tast[asm.labels].is_empty();
        if !(waits && alone) {
            return StmtKind::Unsupported("assembly".to_owned());
        }
        let note =
            Diagnostic::error(span, format!("assembly `{template}` is taken to change nothing: no interrupt comes"));
        self.linker.tree.notes.push(note.at(Severity::Note));
        StmtKind::Empty
    }
}
