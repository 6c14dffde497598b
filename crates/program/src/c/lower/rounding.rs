//! How floats are rounded: to nearest, or as a number of the program says that `fesetround` sets.
//!
//! The number is a global of our models (`library.c`), numbered as CBMC does, so that its own name for it means the same. Where no
//! text of the user's sets it, and no option says how it starts, it is 0 in every run and nothing reads it. Else every operator and conversion that may round is
//! an [`ExprKind::Rounded`], in the models of the library, too, as in the library itself.

use super::{Lowering, tree};
use crate::c::checkers;
use crate::c::tree::ExprKind as Tree;
use crate::program::{BinaryOp, Conversion, ExprId, ExprKind, UnaryOp};
use crate::source::{Sources, Span};

/// Functions that set it.
const SETTERS: [&str; 3] = ["fesetround", "fesetenv", "feupdateenv"];

/// The mode as a variable.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    object: tree::ObjectId,
    /// Whether a text of the user's has its name.
    named: bool,
}

/// The mode, if a text of the user's names it or what sets it, or an option says how it starts.
pub(super) fn mode_of(tree: &tree::Tree, sources: &Sources) -> Option<Mode> {
    let object = tree::ObjectId(tree.objects.iter().position(|of| of.name == checkers::MODE_NAME)? as u32);
    let written = || tree.exprs.iter().filter(|expr| !sources.file(expr.span.file).system);
    let is_given = tree.object(object).init.is_some();
    let own = !sources.file(tree.object(object).span.file).system;
    let named = is_given && own || written().any(|expr| matches!(expr.kind, Tree::Object(of) if of == object));
    let is_setter = |expr: &tree::Expr| match expr.kind {
        Tree::FunctionAddress(function) => SETTERS.contains(&&*tree.function(function).name),
        _ => false,
    };
    (named || is_given || written().any(is_setter)).then_some(Mode { object, named })
}

impl Lowering<'_> {
    /// The mode that a value is rounded in, if it may be rounded and the program sets modes.
    pub(super) fn mode_for(&mut self, kind: &ExprKind, bits: u32) -> Option<ExprId> {
        use Conversion::{FloatToFloat, SignedToFloat, UnsignedToFloat};
        self.rounding?;
        let precision = match bits {
            32 => 24,
            64 => 53,
            _ => 64,
        };
        let rounds = match *kind {
            ExprKind::Binary(BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv, ..) => true,
            ExprKind::Unary(UnaryOp::FSqrt, _) => true,
            ExprKind::Convert(FloatToFloat, x) => self.bits(x) > bits,
            ExprKind::Convert(SignedToFloat, x) => self.bits(x) > precision + 1,
            ExprKind::Convert(UnsignedToFloat, x) => self.bits(x) > precision,
            _ => false,
        };
        if rounds { self.mode() } else { None }
    }

    /// The mode now.
    pub(super) fn mode(&mut self) -> Option<ExprId> {
        let place = self.object_place(self.rounding?.object);
        Some(self.load(place))
    }

    /// What reports call it, if it is the mode and nobody else names it: something of ours.
    pub(super) fn name_of_mode(&self, object: tree::ObjectId) -> Option<&'static str> {
        self.rounding.filter(|mode| mode.object == object && !mode.named).map(|_| "__nearmiss_rounding_mode")
    }

    /// What the machine's library computes is known where it rounds to nearest.
    pub(super) fn need_nearest(&mut self, name: &str, span: Span) {
        let Some(mode) = self.mode() else { return };
        let otherwise = self.non_zero(mode);
        let by = self.options.rounding.flag().map_or("fesetround".to_owned(), |flag| format!("{flag} or fesetround"));
        let what = format!("{name} where floats are not rounded to nearest ({by})");
        self.only_if(otherwise, span, |lowering| lowering.unsupported(what, span));
    }
}
