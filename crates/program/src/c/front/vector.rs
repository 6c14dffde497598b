//! Vectors of GNU C: operators work on each lane.
//!
//! A vector is a record of one array without a name ([`TypeTable::lanes`](super::types::TypeTable::lanes)), so that it is assigned, passed and
//! returned as records are, and neither lowering nor a machine knows of it. An operator becomes a block: its operands in objects of their own,
//! and an object that is initialised lane by lane. A lane is computed in its own type, without promotions, and claims what C claims of it.

use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, ExprKind as Theirs};
use rucc_types::{is_vector, is_void};

use super::expr::plain;
use super::link::Walk;
use crate::c::tree::{Binary, ExprId, ExprKind, InitEntry, ObjectId, StmtKind, Unary};
use crate::extended;
use crate::program::{Field, Type, TypeId};
use crate::source::Span;

impl Walk<'_> {
    /// Converts an expression that makes a vector or takes one apart; none if it does neither, or does it as any record.
    pub(super) fn vector(&mut self, id: rucc_sema::ExprId) -> Option<ExprId> {
        let unit = self.unit;
        let node = unit.tast[id];
        let span = unit.span(unit.tast.expr_span(id));
        let vector = |ty| is_vector(&unit.types, ty);
        let of = |id: rucc_sema::ExprId| unit.types.canonical(unit.tast[id].ty);
        match node.kind {
            Theirs::Cast(x) | Theirs::Convert { operand: x, kind: Conversion::Arithmetic | Conversion::Pointer } => {
                let changes = of(x) != unit.types.canonical(node.ty) && !is_void(&unit.types, node.ty);
                (changes && (vector(of(x)) || vector(node.ty))).then(|| self.same_bytes(id, x))
            }
            Theirs::Cond { cond, .. } if vector(of(cond)) => Some(self.refuse(id, "a choice between lanes of vectors")),
            _ if !vector(node.ty) => None,
            Theirs::Convert { kind: Conversion::Broadcast, operand } => {
                let operands = [self.expr(operand)];
                Some(self.lanewise(id, &operands, |_, lanes, _| lanes[0]))
            }
            Theirs::Unary { op: UnaryOp::Plus, operand } => Some(self.expr(operand)),
            Theirs::Unary { op: op @ (UnaryOp::Minus | UnaryOp::BitNot), operand } => {
                let op = if op == UnaryOp::Minus { Unary::Minus } else { Unary::Complement };
                let operands = [self.expr(operand)];
                Some(self.lanewise(id, &operands, |walk, lanes, ty| walk.push(ExprKind::Unary(op, lanes[0]), ty, span)))
            }
            Theirs::Unary { op, operand } => {
                let (op, old_value) = match op {
                    UnaryOp::PreInc => (Binary::Add, false),
                    UnaryOp::PreDec => (Binary::Subtract, false),
                    UnaryOp::PostInc => (Binary::Add, true),
                    UnaryOp::PostDec => (Binary::Subtract, true),
                    _ => return None,
                };
                let one = self.one(id);
                Some(self.update(id, operand, op, one, old_value))
            }
            Theirs::Binary { op, lhs, rhs } => {
                let op = plain(op)?;
                let operands = [self.expr(lhs), self.expr(rhs)];
                Some(self.lanewise(id, &operands, |walk, lanes, ty| walk.of_lanes(op, lanes, ty, span)))
            }
            Theirs::Assign { op: Some(op), lhs, rhs, .. } => {
                let op = plain(op)?;
                let value = self.expr(rhs);
                Some(self.update(id, lhs, op, value, false))
            }
            Theirs::ConvertVector { operand } => {
                let operands = [self.expr(operand)];
                Some(self.lanewise(id, &operands, |walk, lanes, ty| {
                    walk.push(ExprKind::Convert { operand: lanes[0], explicit: true }, ty, span)
                }))
            }
            Theirs::Shuffle { lhs, rhs, mask } => {
                let sources = [Some(lhs), rhs].into_iter().flatten().map(|source| self.expr(source)).collect();
                let mask = self.expr(mask);
                Some(self.shuffle(id, sources, mask))
            }
            Theirs::ShuffleVector { operands } => self.shuffle_by_numbers(id, &unit.tast[operands]),
            _ => None,
        }
    }

    /// A lane of a vector as an lvalue.
    pub(super) fn lane(&mut self, vector: ExprId, index: ExprId, span: Span) -> ExprId {
        let ty = self.linker.tree.expr(vector).ty;
        let Some((array, of, _)) = self.linker.table.lanes(ty) else { return vector };
        let array = self.push(ExprKind::Member { base: vector, field: 0 }, array, span);
        self.push(ExprKind::Element { array, index }, of, span)
    }

    /// The value of a lane of an object of our own; of an object that is no vector, its value.
    fn lane_of(&mut self, object: ObjectId, at: u64) -> ExprId {
        let (ty, span) = (self.linker.tree.object(object).ty, self.linker.tree.object(object).span);
        let Some((_, of, _)) = self.linker.table.lanes(ty) else { return self.load_object(object, span) };
        let int = self.linker.table.integer(self.unit, rucc_types::IntKind::Int);
        let index = self.number(i128::from(at), int, span);
        let vector = self.push(ExprKind::Object(object), ty, span);
        let lane = self.lane(vector, index, span);
        self.push(ExprKind::Load(lane), of, span)
    }

    /// A vector of the type of an expression, each lane of it from the lanes of the operands.
    fn lanewise(
        &mut self,
        id: rucc_sema::ExprId,
        operands: &[ExprId],
        lane: impl Fn(&mut Self, &[ExprId], TypeId) -> ExprId,
    ) -> ExprId {
        let mut declared = Vec::new();
        let operands: Vec<ObjectId> =
            operands.iter().map(|operand| self.keep_whole("operand", *operand, &mut declared)).collect();
        self.lanes_of(id, declared, |walk, at, ty| {
            let lanes: Vec<ExprId> = operands.iter().map(|operand| walk.lane_of(*operand, at)).collect();
            lane(walk, &lanes, ty)
        })
    }

    /// A vector of the type of an expression, given lane by lane, behind objects that are declared for it.
    fn lanes_of(
        &mut self,
        id: rucc_sema::ExprId,
        mut declared: Vec<ObjectId>,
        mut lane: impl FnMut(&mut Self, u64, TypeId) -> ExprId,
    ) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        let ty = self.ty(self.unit.tast[id].ty);
        let Some((_, of, count)) = self.linker.table.lanes(ty) else { return self.refuse(id, "this vector") };
        let bits = u64::from(self.bits(of));
        let init = (0..count).map(|at| InitEntry { bit_offset: at * bits, bits, value: lane(self, at, of) }).collect();
        declared.push(self.own_object("lanes", ty, count * bits / 8, init, span));
        let result = declared[declared.len() - 1];
        let block = vec![self.push_stmt(StmtKind::Declare(declared), span)];
        let answer = self.load_object(result, span);
        self.answer(block, answer, ty, span)
    }

    /// An operator on two lanes. What a comparison says is all bits set, or none.
    fn of_lanes(&mut self, op: Binary, lanes: &[ExprId], ty: TypeId, span: Span) -> ExprId {
        let compares = matches!(
            op,
            Binary::Less
                | Binary::Greater
                | Binary::LessEqual
                | Binary::GreaterEqual
                | Binary::Equal
                | Binary::NotEqual
        );
        if !compares {
            return self.push(ExprKind::Binary(op, lanes[0], lanes[1]), ty, span);
        }
        let int = self.linker.table.integer(self.unit, rucc_types::IntKind::Int);
        let condition = self.push(ExprKind::Binary(op, lanes[0], lanes[1]), int, span);
        let (all, none) = (self.number(-1, ty, span), self.number(0, ty, span));
        self.push(ExprKind::Conditional { condition, then: Some(all), otherwise: none }, ty, span)
    }

    /// `v += w`, `v++` and their kin.
    fn update(
        &mut self,
        id: rucc_sema::ExprId,
        target: rucc_sema::ExprId,
        op: Binary,
        value: ExprId,
        old_value: bool,
    ) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        let ty = self.ty(self.unit.tast[id].ty);
        let mut declared = Vec::new();
        let lvalue = self.expr(target);
        let pointer = self.linker.table.pointer(ty);
        let address = self.push(ExprKind::AddressOf(lvalue), pointer, span);
        let place = self.keep("target", address, &mut declared);
        let value = self.keep_whole("operand", value, &mut declared);
        let here = self.deref(place, ty, span);
        let old = self.push(ExprKind::Load(here), ty, span);
        let old = self.keep_whole("old", old, &mut declared);
        let mut block = vec![self.push_stmt(StmtKind::Declare(declared), span)];
        let new = self.lanes_of(id, Vec::new(), |walk, at, of| {
            let lanes = [walk.lane_of(old, at), walk.lane_of(value, at)];
            walk.of_lanes(op, &lanes, of, span)
        });
        let target = self.deref(place, ty, span);
        let assign = self.push(ExprKind::Assign { target, value: new }, ty, span);
        block.push(self.push_stmt(StmtKind::Expr(assign), span));
        let answer = if old_value {
            self.load_object(old, span)
        } else {
            let here = self.deref(place, ty, span);
            self.push(ExprKind::Load(here), ty, span)
        };
        self.answer(block, answer, ty, span)
    }

    /// 1 in the type of the lanes of an expression.
    fn one(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        let ty = self.ty(self.unit.tast[id].ty);
        let of = self.linker.table.lanes(ty).map_or(ty, |(_, of, _)| of);
        match self.linker.table.types[of.0 as usize] {
            Type::Float { bits: 32, .. } => self.push(ExprKind::Const(u128::from(1f32.to_bits())), of, span),
            Type::Float { bits: 64, .. } => self.push(ExprKind::Const(u128::from(1f64.to_bits())), of, span),
            Type::Float { .. } => self.push(ExprKind::Const(extended::from_double(1.0)), of, span),
            _ => self.number(1, of, span),
        }
    }

    /// A cast between a vector and something of the same size: the bytes stay.
    fn same_bytes(&mut self, id: rucc_sema::ExprId, operand: rucc_sema::ExprId) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        let size = self.size(self.unit.tast[id].ty);
        let to = self.ty(self.unit.tast[id].ty);
        let value = self.expr(operand);
        let from = self.linker.tree.expr(value).ty;
        let field = |ty| Field { name: String::new(), ty, bit_offset: 0, bits: size * 8, bit_field: false };
        let fields = vec![field(from), field(to)];
        let both = self.linker.table.push(Type::Record { name: "union".to_owned(), union: true, fields, size });
        let init = vec![InitEntry { bit_offset: 0, bits: size * 8, value }];
        let object = self.own_object("bytes", both, size, init, span);
        let block = vec![self.push_stmt(StmtKind::Declare(vec![object]), span)];
        let base = self.push(ExprKind::Object(object), both, span);
        let member = self.push(ExprKind::Member { base, field: 1 }, to, span);
        let answer = self.push(ExprKind::Load(member), to, span);
        self.answer(block, answer, to, span)
    }

    /// `__builtin_shuffle`: each lane of the mask says which lane of the sources, laid end to end, is meant; only its low bits count.
    fn shuffle(&mut self, id: rucc_sema::ExprId, sources: Vec<ExprId>, mask: ExprId) -> ExprId {
        let span = self.unit.span(self.unit.tast.expr_span(id));
        let mut declared = Vec::new();
        let sources: Vec<ObjectId> =
            sources.into_iter().map(|source| self.keep_whole("source", source, &mut declared)).collect();
        let mask = self.keep_whole("mask", mask, &mut declared);
        let int = self.linker.table.integer(self.unit, rucc_types::IntKind::Int);
        let count = self.linker.table.lanes(self.linker.tree.object(mask).ty).map_or(1, |(_, _, count)| count);
        self.lanes_of(id, declared, |walk, at, of| {
            let number = walk.lane_of(mask, at);
            let number_type = walk.linker.tree.expr(number).ty;
            let masked = |walk: &mut Self, mask: u64| {
                let mask = walk.number(i128::from(mask), number_type, span);
                walk.push(ExprKind::Binary(Binary::And, number, mask), number_type, span)
            };
            let from = |walk: &mut Self, source: ObjectId| {
                let index = masked(walk, count - 1);
                let ty = walk.linker.tree.object(source).ty;
                let vector = walk.push(ExprKind::Object(source), ty, span);
                let lane = walk.lane(vector, index, span);
                walk.push(ExprKind::Load(lane), of, span)
            };
            let first = from(walk, sources[0]);
            let Some(second) = sources.get(1) else { return first };
            let second = from(walk, *second);
            let high = masked(walk, count);
            let zero = walk.number(0, number_type, span);
            let condition = walk.push(ExprKind::Binary(Binary::NotEqual, high, zero), int, span);
            walk.push(ExprKind::Conditional { condition, then: Some(second), otherwise: first }, of, span)
        })
    }

    /// `__builtin_shufflevector`: the numbers of lanes are constants. None where one is left open.
    fn shuffle_by_numbers(&mut self, id: rucc_sema::ExprId, operands: &[rucc_sema::ExprId]) -> Option<ExprId> {
        let (sources, numbers) = operands.split_at_checked(2)?;
        let mut lanes = Vec::new();
        for number in numbers {
            let number = self.constant(*number);
            let ExprKind::Const(number) = self.linker.tree.expr(number).kind else { return None };
            lanes.push(u64::try_from(number).ok()?);
        }
        let mut declared = Vec::new();
        let mut sources: Vec<ObjectId> = sources
            .iter()
            .map(|source| {
                let source = self.expr(*source);
                self.keep_whole("source", source, &mut declared)
            })
            .collect();
        let second = sources.pop()?;
        let first = sources.pop()?;
        let count = self.linker.table.lanes(self.linker.tree.object(first).ty)?.2;
        if lanes.iter().any(|lane| *lane >= 2 * count) {
            return None;
        }
        Some(self.lanes_of(id, declared, |walk, at, _| {
            let lane = lanes[at as usize];
            walk.lane_of(if lane < count { first } else { second }, lane % count)
        }))
    }

    /// An object of our own that holds a value of any type.
    fn keep_whole(&mut self, name: &str, value: ExprId, declared: &mut Vec<ObjectId>) -> ObjectId {
        let ty = self.linker.tree.expr(value).ty;
        match self.linker.table.lanes(ty) {
            Some((_, of, count)) => {
                let size = count * u64::from(self.bits(of)) / 8;
                self.keep_sized(name, value, size, declared)
            }
            None => self.keep(name, value, declared),
        }
    }
}
