//! Types of operators anew, for a machine whose `int` has 16 bits.
//!
//! The front end was told that what the text calls `int` is a `short` (`front/small`), so whatever is declared has its right
//! type, and operators promoted it to 32 bits. Here every operator gets the type that C gives it on the machine (6.3.1.1 and
//! 6.3.1.8) from the types of its operands, from the inside out: conversions that were made for an operator go, and are
//! made anew. Conversions to what is declared stay.

use std::collections::HashMap;

use super::tree::{Binary, Builtin, Expr, ExprId, ExprKind, StmtId, StmtKind, Tree};
use super::{DataModel, Options};
use crate::program::{Type, TypeId};
use crate::source::FileId;

/// The name of the front end's own `int` of 32 bits, signed or not, which no object has.
pub(super) const WIDE_INT: &str = "int of 32 bits";

/// What an integer type is to arithmetic: types of the same width are of the same rank here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    pub bits: u32,
    pub signed: bool,
    /// The front end's `int`.
    wide: bool,
}

impl Shape {
    pub(super) const INT: Shape = Shape::new(16, true);
    pub(super) const BOOL: Shape = Shape::new(1, false);

    pub(super) const fn new(bits: u32, signed: bool) -> Shape {
        Shape { bits, signed, wide: false }
    }

    pub(super) const fn wide_int(signed: bool) -> Shape {
        Shape { bits: 32, signed, wide: true }
    }

    pub(super) const fn is_wide_int(self) -> bool {
        self.wide
    }

    /// The type that a constant has. Literals say it; sizes are unsigned, enumerators `int` or else of the type of their
    /// enumeration, which is unsigned unless it has negative values.
    pub(super) fn or_of_constant(self, value: i128) -> Shape {
        if !self.wide {
            return self;
        }
        let types = [Shape::INT, Shape::new(16, false), Shape::new(32, false), Shape::new(32, true)];
        let mut fitting = types.into_iter().skip(usize::from(!self.signed));
        fitting.find(|ty| ty.wrap(value) == value).unwrap_or(Shape::new(32, true))
    }

    pub(super) fn promoted(self) -> Shape {
        if self.bits < 16 { Shape::INT } else { self }
    }

    /// The type of an operator on two promoted numbers.
    pub(super) fn common(self, other: Shape) -> Shape {
        match self.bits.cmp(&other.bits) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => Shape { signed: self.signed && other.signed, ..self },
        }
    }

    /// A number as one of this type.
    pub(super) fn wrap(self, value: i128) -> i128 {
        let unused = 128 - self.bits.clamp(1, 128);
        let raised = value << unused;
        if self.signed { raised >> unused } else { (raised as u128 >> unused) as i128 }
    }
}

/// Gives every operator of the tree its type on the machine, and pointers room for its objects.
pub(super) fn promote(tree: &mut Tree, options: &Options, library: Option<FileId>) -> Result<(), String> {
    let model = options.model;
    if let Some(name) = misplaced(tree).filter(|_| model == DataModel::Msp430) {
        return Err(format!("not supported: a member of {name}, which takes 4 bytes, on MSP430"));
    }
    let before: Vec<TypeId> = tree.exprs.iter().map(|expr| expr.ty).collect();
    let mut pass = Pass { done: vec![false; before.len()], before, interned: HashMap::new(), tree, model, library };
    for index in 0..pass.before.len() {
        pass.expr(ExprId(index as u32));
    }
    for index in 0..pass.before.len() {
        pass.fold(ExprId(index as u32));
    }
    pass.labels();
    pass.refuse_rest();
    if tree.pointer.bits == 16 {
        tree.pointer = tree.pointer.with_room(largest(tree, options));
    }
    Ok(())
}

/// The size of the largest object that the text and the options tell of, lists of arguments included.
fn largest(tree: &Tree, options: &Options) -> u64 {
    let registers = options.registers.iter().map(|registers| registers.size);
    let objects = tree.objects.iter().map(|object| object.size);
    let records = tree.types.iter().map(|ty| if let Type::Record { size, .. } = ty { *size } else { 0 });
    let lists = tree.exprs.iter().map(|expr| match &expr.kind {
        ExprKind::Call { arguments, .. } => 16 * (arguments.len() as u64 + 1),
        _ => 0,
    });
    objects.chain(registers).chain(records).chain(lists).max().unwrap_or(0)
}

/// An enumeration of 32 bits that is a member of something: the front end aligns it to 4 bytes.
fn misplaced(tree: &Tree) -> Option<&str> {
    let fields = tree.types.iter().filter_map(|ty| match ty {
        Type::Record { fields, .. } => Some(fields),
        _ => None,
    });
    fields.flatten().filter(|field| !field.bit_field).find_map(|field| {
        let mut of = tree.ty(field.ty);
        while let Type::Array { of: element, .. } = of {
            of = tree.ty(*element);
        }
        match of {
            Type::Enum { name, bits, .. } if *bits > 16 => Some(name.as_str()),
            _ => None,
        }
    })
}

struct Pass<'a> {
    tree: &'a mut Tree,
    model: DataModel,
    /// The file of our models.
    library: Option<FileId>,
    /// Types as the front end gave them.
    before: Vec<TypeId>,
    done: Vec<bool>,
    interned: HashMap<Shape, TypeId>,
}

impl Pass<'_> {
    fn shape(&self, ty: TypeId) -> Option<Shape> {
        match self.tree.ty(ty) {
            Type::Bool => Some(Shape::BOOL),
            Type::Integer { name, signed, .. } if name == WIDE_INT => Some(Shape::wide_int(*signed)),
            Type::Integer { bits, signed, .. } | Type::Enum { bits, signed, .. } => Some(Shape::new(*bits, *signed)),
            _ => None,
        }
    }

    /// The type of so many bits; one that no declaration has is that of a wide bit-field.
    fn type_of(&mut self, shape: Shape) -> TypeId {
        if let Some(id) = self.interned.get(&shape) {
            return *id;
        }
        let unsigned = if shape.signed { "" } else { "unsigned " };
        let name = match shape.bits {
            16 => format!("{unsigned}int"),
            32 => format!("{unsigned}long"),
            64 => format!("{unsigned}long long"),
            bits => format!("{unsigned}_BitInt({bits})"),
        };
        let ty = Type::Integer { name, bits: shape.bits, signed: shape.signed, character: false };
        let known = self.tree.types.iter().position(|other| *other == ty);
        let id = TypeId(known.unwrap_or(self.tree.types.len()) as u32);
        if known.is_none() {
            self.tree.types.push(ty);
        }
        self.interned.insert(shape, id);
        id
    }

    fn is_wide(&self, ty: TypeId) -> bool {
        self.shape(ty).is_some_and(Shape::is_wide_int)
    }

    /// The type of the machine for one that a declaration of the compiler's own has: `int` for `int`.
    fn narrow(&mut self, ty: TypeId) -> TypeId {
        match self.shape(ty) {
            Some(shape) if shape.wide => self.type_of(Shape::new(16, shape.signed)),
            _ => ty,
        }
    }

    /// An expression, after those that it is made of.
    fn expr(&mut self, id: ExprId) {
        let index = id.0 as usize;
        if std::mem::replace(&mut self.done[index], true) {
            return;
        }
        let kind = self.tree.exprs[index].kind.clone();
        for operand in kind.operands() {
            self.expr(operand);
        }
        let ty = self.tree.exprs[index].ty;
        let int = self.type_of(Shape::INT);
        match kind {
            ExprKind::Const(bits) => self.constant(id, bits),
            ExprKind::Convert { operand, explicit } => self.conversion(id, operand, explicit),
            ExprKind::Unary(op, operand) => {
                let bare = self.bare(operand);
                let Some(shape) = self.promoted(bare) else { return };
                let operand = self.converted(bare, shape);
                self.set(id, ExprKind::Unary(op, operand), shape);
            }
            ExprKind::Binary(op, left, right) => self.binary(id, op, left, right),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::LogicalNot(_) => self.retype(id, int),
            ExprKind::Conditional { condition, then, otherwise } => self.conditional(id, condition, then, otherwise),
            ExprKind::Comma(_, right) if self.is_wide(ty) => self.retype(id, self.tree.expr(right).ty),
            ExprKind::StatementExpr(block) if self.is_wide(ty) => {
                if let Some(last) = self.last_of(block) {
                    self.expr(last);
                    self.retype(id, self.tree.expr(last).ty);
                }
            }
            ExprKind::CompoundAssign { op, computation, target, value } => {
                self.compound(id, op, computation, target, value);
            }
            ExprKind::PointerDifference(..) => {
                let ty = self.narrow(ty);
                self.retype(id, ty);
            }
            ExprKind::Builtin(builtin, arguments) => self.builtin(id, builtin, arguments),
            _ => {}
        }
    }

    fn retype(&mut self, id: ExprId, ty: TypeId) {
        self.tree.exprs[id.0 as usize].ty = ty;
    }

    fn set(&mut self, id: ExprId, kind: ExprKind, shape: Shape) {
        let ty = self.type_of(shape);
        let expr = &mut self.tree.exprs[id.0 as usize];
        (expr.kind, expr.ty) = (kind, ty);
    }

    /// A constant; those with another type than the front end's `int` say it in the text.
    fn constant(&mut self, id: ExprId, bits: u128) {
        let Some(shape) = self.shape(self.tree.expr(id).ty).filter(|shape| shape.wide) else { return };
        let value = Shape::new(32, shape.signed).wrap(bits as i128);
        let shape = shape.or_of_constant(value);
        self.set(id, ExprKind::Const(cut(value, shape.bits)), shape);
    }

    fn conversion(&mut self, id: ExprId, operand: ExprId, explicit: bool) {
        let to = self.tree.expr(id).ty;
        let from = self.tree.expr(operand).ty;
        let (Some(source), Some(target)) = (self.shape(from), self.shape(to)) else { return };
        if target.wide && explicit {
            return;
        }
        let target = if target.wide { self.promoted(operand).unwrap_or(source) } else { target };
        let ty = if self.is_wide(to) { self.type_of(target) } else { to };
        self.retype(id, ty);
        if ty == from {
            // Nothing changes: it is what it converts.
            let Expr { kind, .. } = self.tree.expr(operand).clone();
            self.tree.exprs[id.0 as usize].kind = kind;
        }
    }

    /// A literal has the type it is used at, unless that changes it. Not before operators have looked at what it was.
    fn fold(&mut self, id: ExprId) {
        let Expr { kind: ExprKind::Convert { operand, explicit: false }, ty, .. } = *self.tree.expr(id) else { return };
        let ExprKind::Const(bits) = self.tree.expr(operand).kind else { return };
        let (Some(source), Some(target)) = (self.shape(self.tree.expr(operand).ty), self.shape(ty)) else { return };
        let value = source.wrap(bits as i128);
        if !matches!(self.tree.ty(ty), Type::Bool) && target.wrap(value) == value {
            self.tree.exprs[id.0 as usize].kind = ExprKind::Const(cut(value, target.bits));
        }
    }

    /// An operand without the conversions that an operator asked for.
    fn bare(&self, mut id: ExprId) -> ExprId {
        while let Expr { kind: ExprKind::Convert { operand, explicit: false }, ty, .. } = self.tree.expr(id)
            && !matches!(self.tree.ty(*ty), Type::Bool)
            && self.shape(*ty).is_some()
            && self.shape(self.tree.expr(*operand).ty).is_some()
        {
            id = *operand;
        }
        id
    }

    /// The promoted type of a value, if it is an integer; of a bit-field, by its width.
    fn promoted(&self, id: ExprId) -> Option<Shape> {
        let shape = self.shape(self.tree.expr(id).ty)?;
        let shape = match self.width_of_field(id) {
            Some(width) if width < shape.bits => Shape::new(width, shape.signed),
            _ => shape,
        };
        Some(shape.promoted())
    }

    /// How many bits the bit-field has that a value is read from or was assigned to.
    fn width_of_field(&self, id: ExprId) -> Option<u32> {
        match &self.tree.expr(id).kind {
            ExprKind::Load(x)
            | ExprKind::Comma(_, x)
            | ExprKind::Assign { target: x, .. }
            | ExprKind::CompoundAssign { target: x, .. }
            | ExprKind::Step { target: x, .. } => self.width_of_field(*x),
            ExprKind::StatementExpr(block) => self.width_of_field(self.last_of(*block)?),
            ExprKind::Member { base, field } => match self.tree.ty(self.tree.expr(*base).ty) {
                Type::Record { fields, .. } => {
                    let field = fields.get(*field as usize)?;
                    field.bit_field.then_some(field.bits as u32)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A value as one of a type.
    fn converted(&mut self, id: ExprId, shape: Shape) -> ExprId {
        let ty = self.type_of(shape);
        if self.tree.expr(id).ty == ty {
            return id;
        }
        let (span, align) = (self.tree.expr(id).span, 1);
        let kind = ExprKind::Convert { operand: id, explicit: false };
        self.tree.exprs.push(Expr { kind, ty, span, volatile: false, align });
        let made = ExprId(self.tree.exprs.len() as u32 - 1);
        self.fold(made);
        made
    }

    fn binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) {
        let compares = is_comparison(op);
        let (a, b) = (self.bare(left), self.bare(right));
        let (Some(x), Some(y)) = (self.promoted(a), self.promoted(b)) else {
            if compares {
                let int = self.type_of(Shape::INT);
                self.retype(id, int);
            }
            return;
        };
        let shifts = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
        let (of_left, of_right) = if shifts { (x, y) } else { (x.common(y), x.common(y)) };
        let (a, b) = (self.converted(a, of_left), self.converted(b, of_right));
        self.set(id, ExprKind::Binary(op, a, b), if compares { Shape::INT } else { of_left });
    }

    fn conditional(&mut self, id: ExprId, condition: ExprId, then: Option<ExprId>, otherwise: ExprId) {
        if self.shape(self.tree.expr(id).ty).is_none() {
            return;
        }
        let (a, b) = (self.bare(then.unwrap_or(condition)), self.bare(otherwise));
        let (Some(x), Some(y)) = (self.promoted(a), self.promoted(b)) else { return };
        let shape = x.common(y);
        let otherwise = self.converted(b, shape);
        let then = then.map(|_| self.converted(a, shape));
        self.set(id, ExprKind::Conditional { condition, then, otherwise }, shape);
    }

    fn compound(&mut self, id: ExprId, op: Binary, computation: TypeId, target: ExprId, value: ExprId) {
        if self.shape(computation).is_none() {
            return;
        }
        let value = self.bare(value);
        let (Some(x), Some(y)) = (self.promoted(target), self.promoted(value)) else { return };
        let shifts = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
        let (shape, of_value) = if shifts { (x, y) } else { (x.common(y), x.common(y)) };
        let (computation, value) = (self.type_of(shape), self.converted(value, of_value));
        self.tree.exprs[id.0 as usize].kind = ExprKind::CompoundAssign { op, computation, target, value };
    }

    /// Built-ins are declared: `int` and `unsigned` are meant, but for those that have their width in their name.
    fn builtin(&mut self, id: ExprId, builtin: Builtin, mut arguments: Vec<ExprId>) {
        let exact = builtin == Builtin::ByteSwap;
        let meant = |signed| Shape::new(if exact { 32 } else { 16 }, signed);
        let counts = matches!(
            builtin,
            Builtin::ByteSwap
                | Builtin::LeadingZeros
                | Builtin::TrailingZeros
                | Builtin::PopCount
                | Builtin::Parity
                | Builtin::RedundantSignBits
                | Builtin::FindFirstSet
                | Builtin::Abs
        );
        for argument in arguments.iter_mut().filter(|_| counts) {
            let Some(declared) = self.shape(self.before[argument.0 as usize]).filter(|shape| shape.wide) else {
                continue;
            };
            let bare = self.bare(*argument);
            *argument = self.converted(bare, meant(declared.signed));
        }
        self.tree.exprs[id.0 as usize].kind = ExprKind::Builtin(builtin, arguments);
        if let Some(shape) = self.shape(self.tree.expr(id).ty).filter(|shape| shape.wide) {
            let ty = self.type_of(meant(shape.signed));
            self.retype(id, ty);
        }
    }

    /// The expression that the value of a block is.
    fn last_of(&self, block: StmtId) -> Option<ExprId> {
        match &self.tree.stmt(block).kind {
            StmtKind::Expr(value) => Some(*value),
            StmtKind::Block(inner) => self.last_of(*inner.last()?),
            StmtKind::Label(_, inner) => self.last_of(*inner),
            _ => None,
        }
    }

    /// Values of `case` are those of the promoted type of their `switch`.
    fn labels(&mut self) {
        let switches: Vec<(ExprId, StmtId)> = (self.tree.stmts.iter())
            .filter_map(|stmt| match stmt.kind {
                StmtKind::Switch { value, body } => Some((value, body)),
                _ => None,
            })
            .collect();
        for (value, body) in switches {
            let Some(shape) = self.shape(self.tree.expr(value).ty) else { continue };
            let mut open = vec![body];
            while let Some(id) = open.pop() {
                let kind = &mut self.tree.stmts[id.0 as usize].kind;
                if let StmtKind::Case { low, high, .. } = kind {
                    (*low, *high) = (shape.wrap(*low), shape.wrap(*high));
                }
                open.extend(inside(kind));
            }
        }
    }

    /// What still has the front end's `int` was never declared, and AVR has no 64-bit `double`: neither can be used.
    fn refuse_rest(&mut self) {
        let avr = self.model == DataModel::Avr;
        let allowed = self.passed_doubles();
        for (index, may_be_double) in allowed.into_iter().enumerate() {
            let ty = self.tree.exprs[index].ty;
            let what = match self.tree.ty(ty) {
                Type::Integer { name, .. } if name == WIDE_INT => {
                    "an int that no declaration names (typeof, or no type at all) where int has 16 bits"
                }
                Type::Float { bits: 64, .. } if avr && !may_be_double => "what the library computes in double on AVR",
                _ => continue,
            };
            self.tree.exprs[index].kind = ExprKind::Unsupported(what.to_owned());
        }
    }

    /// Expressions that may be a `double` on AVR: numbers that are passed to `printf`, and what our models compute.
    fn passed_doubles(&self) -> Vec<bool> {
        let mut allowed = vec![false; self.tree.exprs.len()];
        for expr in &self.tree.exprs {
            if let ExprKind::Call { arguments, .. } = &expr.kind {
                for argument in arguments {
                    let kind = &self.tree.expr(*argument).kind;
                    allowed[argument.0 as usize] = matches!(kind, ExprKind::Convert { explicit: false, .. });
                }
            }
        }
        for (at, expr) in self.tree.exprs.iter().enumerate() {
            allowed[at] |= self.library == Some(expr.span.file);
        }
        allowed
    }
}

/// The statements of the same `switch` in a statement.
fn inside(kind: &StmtKind) -> Vec<StmtId> {
    match kind {
        StmtKind::Block(inner) => inner.clone(),
        StmtKind::If { then, otherwise, .. } => [Some(*then), *otherwise].into_iter().flatten().collect(),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Case { body, .. }
        | StmtKind::Default(body)
        | StmtKind::Label(_, body)
        | StmtKind::ErrorLabel(_, body) => vec![*body],
        _ => Vec::new(),
    }
}

fn is_comparison(op: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

/// The bits of a number.
fn cut(value: i128, bits: u32) -> u128 {
    value as u128 & (u128::MAX >> (128 - bits.clamp(1, 128)))
}
