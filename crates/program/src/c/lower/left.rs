//! Where a reference that is a program ends by `exit`: not the whole run ends there, but the reference. So the call sets its status
//! and a sign, and every function of the reference that is under way returns as soon as it sees the sign; the program that is
//! compared with it is next (`../console.rs`).

use super::Lowering;
use crate::c::console;
use crate::program::{BranchRole, Decision, Operand, Origin, PlaceId, StatementKind, Terminator, Type};
use crate::source::Span;

impl Lowering<'_> {
    /// Whether the function under work is one of a reference that is a program.
    pub(super) fn is_in_reference(&self) -> bool {
        let is_ours = |console: &console::Console| console.reference.is_some();
        let Some(reference) = self.options.reference.as_ref() else { return false };
        self.options.console.as_deref().is_some_and(is_ours) && self.f.unit == Some(reference.unit)
    }

    /// Ends the reference, where it has set its status.
    pub(super) fn leave_reference(&mut self, span: Span) {
        if self.in_library() {
            return self.unsupported("exit of a reference in a function that the C library calls", span);
        }
        if let Some(left) = self.of_trial(console::LEFT) {
            let yes = self.constant(1, self.program.place(left).ty);
            self.assign(left, yes, Origin::Tool, span);
        }
        self.return_nothing(span);
    }

    /// Returns behind a call in which the reference may have ended.
    pub(super) fn return_if_left(&mut self, span: Span) {
        let may_leave = self.options.reference.as_ref().is_some_and(|reference| reference.leaves);
        let is_called_back = self.in_library();
        if !may_leave || !is_called_back && !self.is_in_reference() {
            return;
        }
        let Some(left) = self.of_trial(console::LEFT) else { return };
        let value = self.load(left);
        let condition = self.non_zero(value);
        let (gone, on) = (self.new_block(), self.new_block());
        let decision = Decision::of_role(span, BranchRole::Internal);
        self.branch_on(condition, gone, on, span, BranchRole::Internal, decision);
        self.begin(gone);
        match is_called_back {
            true => self.unsupported("exit of a reference in a function that the C library calls", span),
            false => self.return_nothing(span),
        }
        self.begin(on);
    }

    /// Returns a value that nobody looks at.
    fn return_nothing(&mut self, span: Span) {
        let returns = self.f.returns;
        let value = match self.program.ty(returns) {
            Type::Void => None,
            _ if self.program.is_scalar(returns) => Some(Operand::Value(self.constant(0, returns))),
            _ => Some(Operand::Object(self.empty_record(span))),
        };
        self.end_block(Terminator::Return { value, span });
    }

    fn empty_record(&mut self, span: Span) -> PlaceId {
        let local = self.temporary(self.f.returns, span);
        self.emit(StatementKind::Declare { local }, span);
        self.local_place(local)
    }
}
