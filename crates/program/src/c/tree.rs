//! The typed tree of a C program: what the front end hands to lowering.
//!
//! One tree holds all files of the program, linked: one [`Function`] per function however many files declare it, one
//! [`Object`] per variable. Every implicit conversion is a [`ExprKind::Convert`] node, every read of an lvalue is a
//! [`ExprKind::Load`], constants are folded, layouts are known, labels and `case`s are resolved. It says what C says
//! and no more; the order of effects, the checks and the library's meaning are lowering's. Types are those of the
//! [`program`](crate::program), interned by the front end.

use std::collections::{HashMap, HashSet};

use crate::c::Checks;
use crate::program::{PointerLayout, Type, TypeId};
use crate::source::{Diagnostic, Span};

/// Index into [`Tree::objects`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);
/// Index into [`Tree::functions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionId(pub u32);
/// Index into [`Tree::exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);
/// Index into [`Tree::stmts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StmtId(pub u32);
/// A label of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LabelId(pub u32);

/// A whole program.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Pointer width.
    pub pointer: PointerLayout,
    /// Interned types; no type occurs twice (records are told apart by their place in the table).
    pub types: Vec<Type>,
    /// Variables of every storage duration, string literals and compound literals.
    pub objects: Vec<Object>,
    /// Functions, with and without body.
    pub functions: Vec<Function>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// Warnings and notes of the front end.
    pub notes: Vec<Diagnostic>,
    /// Functions that run before the entry function, in order.
    pub constructors: Vec<FunctionId>,
    /// Functions that run when the program ends, in order.
    pub destructors: Vec<FunctionId>,
    /// Whether there is assembly that is not known to do nothing: the program is then not to be compiled and run.
    pub assembly: bool,
    /// Constant numbers that objects with static storage start with, before they are folded: they make claims.
    pub written: Vec<ExprId>,
    /// Uses of macros that stand for more than an expression.
    pub statement_uses: HashSet<Span>,
    /// From each of these places on, in its file, these checks are made.
    pub switches: Vec<(Span, Checks)>,
    /// Checks that are made anywhere.
    pub checks: Checks,
    /// The lengths of arrays of variable length that are a part of something larger, by their lvalues.
    pub bounds: HashMap<ExprId, ExprId>,
}

/// A variable, string literal or compound literal.
#[derive(Clone, Debug)]
pub struct Object {
    /// Name; empty for literals.
    pub name: String,
    /// Whether it is declared outside of functions.
    pub file_scope: bool,
    /// Type, arrays completed by their initialiser. An array of variable length has length 0 and `variable_size`.
    pub ty: TypeId,
    /// Size in bytes with an initialised flexible member; 0 if only known at run time.
    pub size: u64,
    /// Where and how long it lives.
    pub storage: StorageDuration,
    /// The initialiser: after zeroing the whole object, these pieces are assigned in order. None: none was written.
    pub init: Option<Vec<InitEntry>>,
    /// For an array of variable length, and a record with one in it: its size in bytes (`size_t`), evaluated at the declaration.
    pub variable_size: Option<ExprId>,
    /// The declared name in the text (for a literal, the literal).
    pub span: Span,
    /// What kind of thing it is.
    pub kind: ObjectKind,
    /// `const` or a string literal.
    pub read_only: bool,
    /// Declared in a system header or in our library of models.
    pub system: bool,
    /// The call that is made with its address when its block is left (`cleanup`).
    pub cleanup: Option<ExprId>,
}

/// How long an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StorageDuration {
    /// From the start to the end, defined in some file (tentative definitions count).
    Static,
    /// Declared `extern`, defined in no file.
    Extern,
    /// In a block, from its declaration on; a parameter from the call on.
    Automatic,
}

/// What kind of thing an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A declared variable.
    Variable,
    /// A parameter.
    Parameter,
    /// The length of an array of variable length, kept from its declaration on.
    ArrayLength,
    /// A string literal.
    StringLiteral,
    /// A compound literal; it is declared where its expression is evaluated.
    CompoundLiteral,
    /// The record that `f().member` is a member of; it ends with its expression.
    Temporary,
}

/// A piece of an initialiser.
#[derive(Clone, Copy, Debug)]
pub struct InitEntry {
    /// Offset in bits from the start of the object.
    pub bit_offset: u64,
    /// Width in bits of the part (of the bit-field, where it is one).
    pub bits: u64,
    /// The value, converted to the type of the part. For a `char` array it may be the string literal itself (an
    /// `Object` expression of array type): its bytes are copied. For records: an rvalue of record type.
    pub value: ExprId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in C.
    pub name: String,
    /// Set for a `static` function whose name another file uses too: the name with `@file.c`.
    pub unique_name: String,
    /// What it returns.
    pub returns: TypeId,
    /// Its type, a [`Type::Function`] whose name spells the signature.
    pub ty: TypeId,
    /// Types of the parameters as declared (empty and `prototyped == false` for `f()`).
    pub parameter_types: Vec<TypeId>,
    /// Of each declared parameter, whether it is a pointer through which nothing is written: to something `const`.
    pub only_read: Vec<bool>,
    /// Takes `...`.
    pub variadic: bool,
    /// Parameters, where it has a body.
    pub parameters: Vec<ObjectId>,
    /// The body.
    pub body: Option<StmtId>,
    /// The name in the text at its definition (or first declaration).
    pub span: Span,
    /// The closing brace of the body (or the span of the function).
    pub end: Span,
    /// Declared with `noreturn`.
    pub no_return: bool,
    /// Reads the arguments behind the named ones (`va_start`).
    pub lists_arguments: bool,
    /// Called without a declaration, so that its type is a guess.
    pub implicit: bool,
    /// Declared in a system header or in our library of models.
    pub system: bool,
    /// Which translation unit defines it (index of the file given by the user; the library of models is the last).
    pub unit: u32,
}

/// An expression with its type; for lvalues the type of the object designated.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: TypeId,
    /// Its text. Inside a macro's expansion: the argument's own text where it comes from an argument, otherwise the
    /// use of the macro.
    pub span: Span,
    /// Whether it is an lvalue of a `volatile` type.
    pub volatile: bool,
    /// Of an lvalue, to how many bytes its type is aligned.
    pub align: u32,
}

/// Expressions. "Lvalue" nodes designate objects; all others are values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Bits of an integer, enumerator or float constant, cut to the width of the type.
    Const(u128),
    /// Address of `object + offset` bytes, folded by the front end (static initialisers).
    ObjectAddress(ObjectId, i64),
    /// Address of a function (a decayed function designator).
    FunctionAddress(FunctionId),
    /// Lvalue: a variable or literal.
    Object(ObjectId),
    /// Lvalue if `base` is one: a field of a record. Anonymous members are stepped through one field at a time.
    Member {
        /// Of record type.
        base: ExprId,
        /// Number of the field.
        field: u32,
    },
    /// Lvalue: an element of an array lvalue (`a[i]` where `a` designates an array).
    Element {
        /// Lvalue of array type.
        array: ExprId,
        /// Any integer type.
        index: ExprId,
    },
    /// Lvalue: what a pointer points to. `p[i]` for a pointer is `Deref(PointerAdd(p, i))`.
    Deref(ExprId),
    /// Value: the contents of a scalar or record lvalue.
    Load(ExprId),
    /// Value: the address of an lvalue; an array that decays is `AddressOf` of the array lvalue with the type of
    /// pointer to element.
    AddressOf(ExprId),
    /// Value: a call. `callee` is `FunctionAddress` for a plain call. Arguments are converted.
    Call {
        /// Of pointer-to-function type.
        callee: ExprId,
        /// Values, possibly of record type.
        arguments: Vec<ExprId>,
    },
    /// Value: one operand, promoted.
    Unary(Unary, ExprId),
    /// Value: both operands converted to a common type (shifts: each promoted on its own).
    Binary(Binary, ExprId, ExprId),
    /// Value: pointer plus integer index (in elements); the index may be negated by `subtract`.
    PointerAdd {
        /// The pointer.
        pointer: ExprId,
        /// Any integer type.
        index: ExprId,
        /// `p - i`.
        subtract: bool,
    },
    /// Value: difference of two pointers in elements.
    PointerDifference(ExprId, ExprId),
    /// `&&`: an int, 0 or 1; operands are any scalars.
    LogicalAnd(ExprId, ExprId),
    /// `||`.
    LogicalOr(ExprId, ExprId),
    /// `!`: an int, 0 or 1.
    LogicalNot(ExprId),
    /// `?:`; both arms converted to the type, or void, or records. `a ?: b` has no `then`.
    Conditional {
        /// A scalar.
        condition: ExprId,
        /// Arm for non-zero.
        then: Option<ExprId>,
        /// Arm for zero.
        otherwise: ExprId,
    },
    /// `=`: the right side is converted. The value is that of the left side after it.
    Assign {
        /// Lvalue.
        target: ExprId,
        /// Scalar or record value.
        value: ExprId,
    },
    /// `+=` and its kin on arithmetic types: `target = (type)((computation)target op value)`, the target evaluated
    /// once. `value` has type `computation` (shifts: its own promoted type).
    CompoundAssign {
        /// The operator.
        op: Binary,
        /// The type in which it is computed.
        computation: TypeId,
        /// Lvalue.
        target: ExprId,
        /// Value.
        value: ExprId,
    },
    /// `p += i`, `p -= i`, `++p`, `p--`, `++i`, `i--`: add `amount` (elements for pointers; the value of 1 for `++`).
    Step {
        /// Lvalue of scalar type.
        target: ExprId,
        /// Any integer type; for a target of arithmetic type it is the constant 1.
        amount: ExprId,
        /// Subtract instead.
        subtract: bool,
        /// The value is the one before (postfix) rather than the one after.
        old_value: bool,
    },
    /// `a, b`.
    Comma(ExprId, ExprId),
    /// Conversion of a scalar value to the scalar type of the node, or to `void`. From float to integer, between
    /// pointers and integers, to `_Bool` (non-zero becomes 1): what C says. `explicit` for a written cast.
    Convert {
        /// The operand, a value.
        operand: ExprId,
        /// Whether the user wrote a cast.
        explicit: bool,
    },
    /// GNU statement expression: a block; its value is that of the last expression statement.
    StatementExpr(StmtId),
    /// A compiler built-in with a meaning of its own.
    Builtin(Builtin, Vec<ExprId>),
    /// Something valid that we do not take.
    Unsupported(String),
}

impl ExprKind {
    /// The expressions that it is made of.
    pub fn operands(&self) -> Vec<ExprId> {
        match self {
            ExprKind::Const(_)
            | ExprKind::ObjectAddress(..)
            | ExprKind::FunctionAddress(_)
            | ExprKind::Object(_)
            | ExprKind::StatementExpr(_)
            | ExprKind::Unsupported(_) => Vec::new(),
            ExprKind::Member { base: x, .. }
            | ExprKind::Deref(x)
            | ExprKind::Load(x)
            | ExprKind::AddressOf(x)
            | ExprKind::Unary(_, x)
            | ExprKind::LogicalNot(x)
            | ExprKind::Convert { operand: x, .. } => vec![*x],
            ExprKind::Element { array: x, index: y }
            | ExprKind::Binary(_, x, y)
            | ExprKind::PointerAdd { pointer: x, index: y, .. }
            | ExprKind::PointerDifference(x, y)
            | ExprKind::LogicalAnd(x, y)
            | ExprKind::LogicalOr(x, y)
            | ExprKind::Assign { target: x, value: y }
            | ExprKind::CompoundAssign { target: x, value: y, .. }
            | ExprKind::Step { target: x, amount: y, .. }
            | ExprKind::Comma(x, y) => vec![*x, *y],
            ExprKind::Conditional { condition, then, otherwise } => {
                then.iter().chain([condition, otherwise]).copied().collect()
            }
            ExprKind::Call { callee, arguments } => arguments.iter().chain([callee]).copied().collect(),
            ExprKind::Builtin(_, arguments) => arguments.clone(),
        }
    }
}

impl ExprKind {
    /// Puts other expressions in the place of those that it is made of.
    pub fn map_operands(&mut self, to: &mut dyn FnMut(ExprId) -> ExprId) {
        match self {
            ExprKind::Const(_)
            | ExprKind::ObjectAddress(..)
            | ExprKind::FunctionAddress(_)
            | ExprKind::Object(_)
            | ExprKind::StatementExpr(_)
            | ExprKind::Unsupported(_) => {}
            ExprKind::Member { base: x, .. }
            | ExprKind::Deref(x)
            | ExprKind::Load(x)
            | ExprKind::AddressOf(x)
            | ExprKind::Unary(_, x)
            | ExprKind::LogicalNot(x)
            | ExprKind::Convert { operand: x, .. } => *x = to(*x),
            ExprKind::Element { array: x, index: y }
            | ExprKind::Binary(_, x, y)
            | ExprKind::PointerAdd { pointer: x, index: y, .. }
            | ExprKind::PointerDifference(x, y)
            | ExprKind::LogicalAnd(x, y)
            | ExprKind::LogicalOr(x, y)
            | ExprKind::Assign { target: x, value: y }
            | ExprKind::CompoundAssign { target: x, value: y, .. }
            | ExprKind::Step { target: x, amount: y, .. }
            | ExprKind::Comma(x, y) => (*x, *y) = (to(*x), to(*y)),
            ExprKind::Conditional { condition, then, otherwise } => {
                *condition = to(*condition);
                *then = then.map(&mut *to);
                *otherwise = to(*otherwise);
            }
            ExprKind::Call { callee, arguments } => {
                *callee = to(*callee);
                arguments.iter_mut().for_each(|argument| *argument = to(*argument));
            }
            ExprKind::Builtin(_, arguments) => arguments.iter_mut().for_each(|argument| *argument = to(*argument)),
        }
    }
}

/// Operators with one operand on promoted arithmetic types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-`, integers and floats.
    Minus,
    /// `~`.
    Complement,
}

/// Arithmetic, bitwise and comparison operators; comparisons of pointers too. Signedness and floatness are those of
/// the operands' type. Comparisons give an int.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Binary {
    /// Whether it compares.
    pub fn is_relation(self) -> bool {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(self, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
    }
}

/// Built-ins that headers and programs use. Arguments are values unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `__builtin_expect(v, hint)`: v. Already converted to the node's type.
    Expect,
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// `__builtin_constant_p(e)` that did not fold: 0.
    ConstantP,
    /// `__builtin_object_size(p, kind)`: unknown, hence -1 or 0.
    ObjectSize,
    /// `__builtin_alloca(n)`.
    Alloca,
    /// `__builtin_add_overflow(a, b, result*)` and kin: operands of any integer types, result pointer; the value says
    /// whether it does not fit.
    AddOverflow,
    /// See `AddOverflow`.
    SubtractOverflow,
    /// See `AddOverflow`.
    MultiplyOverflow,
    /// `__builtin_bswap16/32/64`.
    ByteSwap,
    /// `__builtin_clz`, at the operand's width.
    LeadingZeros,
    /// `__builtin_ctz`.
    TrailingZeros,
    /// `__builtin_popcount`.
    PopCount,
    /// `__builtin_parity`.
    Parity,
    /// `__builtin_clrsb`.
    RedundantSignBits,
    /// `__builtin_ffs`.
    FindFirstSet,
    /// `__builtin_abs` and kin.
    Abs,
    /// `__builtin_fabs`.
    FloatAbs,
    /// `__builtin_isnan`.
    IsNan,
    /// `__builtin_isinf`.
    IsInfinite,
    /// `__builtin_isfinite`.
    IsFinite,
    /// `__builtin_signbit`.
    SignBit,
    /// `__builtin_isnormal`.
    IsNormal,
    /// `__builtin_isinf_sign`: -1, 0 or 1.
    InfiniteSign,
    /// `__builtin_islessgreater(a, b)`.
    LessGreater,
    /// `__builtin_fpclassify`: the number, and what to say of a NaN, an infinity, a normal number, a subnormal one, and zero.
    FloatClass,
    /// `__builtin_copysign(a, b)`.
    CopySign,
    /// Atomic load, `(pointer)`: sequential programs read plainly.
    AtomicLoad,
    /// Atomic store, `(pointer, value)`.
    AtomicStore,
    /// A record of variable length is assigned: `(target's address, source's address, size)`.
    CopyRecord,
    /// `va_end`, prefetching: nothing.
    Nothing,
    /// `va_start(address of the list)`.
    VariadicStart,
    /// `va_arg(address of the list)`, of the node's type.
    VariadicNext,
    /// `va_copy(address of the target, address of the source)`.
    VariadicCopy,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its text.
    pub span: Span,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// For its effects.
    Expr(ExprId),
    /// `{ … }`, a scope.
    Block(Vec<StmtId>),
    /// Declarations of automatic objects, initialised in order. (Static ones are only in [`Tree::objects`].)
    Declare(Vec<ObjectId>),
    /// `if`.
    If {
        /// Any scalar.
        condition: ExprId,
        /// Then.
        then: StmtId,
        /// Else.
        otherwise: Option<StmtId>,
    },
    /// `while`.
    While {
        /// Any scalar.
        condition: ExprId,
        /// Body.
        body: StmtId,
    },
    /// `do … while`.
    DoWhile {
        /// Body.
        body: StmtId,
        /// Any scalar.
        condition: ExprId,
    },
    /// `for`, a scope.
    For {
        /// Expression statement or declaration.
        init: Option<StmtId>,
        /// Any scalar; none means 1.
        condition: Option<ExprId>,
        /// For its effects.
        step: Option<ExprId>,
        /// Body.
        body: StmtId,
    },
    /// `switch`; the `Case` and `Default` statements stand in the body.
    Switch {
        /// Promoted integer.
        value: ExprId,
        /// Body.
        body: StmtId,
    },
    /// `case low ... high:` of the innermost enclosing switch; `low == high` but for GNU ranges.
    Case {
        /// Lowest value, as a number of the promoted type.
        low: i128,
        /// Highest value.
        high: i128,
        /// The statement behind it.
        body: StmtId,
    },
    /// `default:`.
    Default(StmtId),
    /// `name:`.
    Label(LabelId, StmtId),
    /// Behind a label that must not be reached (`--error-label`): its name, and the statement.
    ErrorLabel(String, StmtId),
    /// `goto`.
    Goto(LabelId),
    /// `goto *address`.
    GotoAddress(ExprId),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`; the value is converted to the return type.
    Return(Option<ExprId>),
    /// Something valid that we do not take (assembly with effects).
    Unsupported(String),
}

impl StmtKind {
    /// The expressions that it evaluates itself, in the order of the text.
    pub fn exprs(&self) -> Vec<ExprId> {
        let (mut kind, mut found) = (self.clone(), Vec::new());
        let mut see = |e| {
            found.push(e);
            e
        };
        kind.map_parts(&mut see, &mut |s| s);
        found
    }

    /// The statements that it is made of, in the order of the text.
    pub fn parts(&self) -> Vec<StmtId> {
        let (mut kind, mut found) = (self.clone(), Vec::new());
        let mut see = |s| {
            found.push(s);
            s
        };
        kind.map_parts(&mut |e| e, &mut see);
        found
    }

    /// Puts other expressions and statements in the place of those that it is made of.
    pub fn map_parts(&mut self, expr: &mut dyn FnMut(ExprId) -> ExprId, stmt: &mut dyn FnMut(StmtId) -> StmtId) {
        match self {
            StmtKind::Empty
            | StmtKind::Declare(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Unsupported(_) => {}
            StmtKind::Expr(e) | StmtKind::GotoAddress(e) | StmtKind::Return(Some(e)) => *e = expr(*e),
            StmtKind::Block(parts) => parts.iter_mut().for_each(|part| *part = stmt(*part)),
            StmtKind::If { condition, then, otherwise } => {
                *condition = expr(*condition);
                *then = stmt(*then);
                *otherwise = otherwise.map(stmt);
            }
            StmtKind::While { condition, body } => (*condition, *body) = (expr(*condition), stmt(*body)),
            StmtKind::DoWhile { body, condition } => (*body, *condition) = (stmt(*body), expr(*condition)),
            StmtKind::For { init, condition, step, body } => {
                *init = init.map(&mut *stmt);
                *condition = condition.map(&mut *expr);
                *step = step.map(expr);
                *body = stmt(*body);
            }
            StmtKind::Switch { value, body } => (*value, *body) = (expr(*value), stmt(*body)),
            StmtKind::Case { body, .. }
            | StmtKind::Default(body)
            | StmtKind::Label(_, body)
            | StmtKind::ErrorLabel(_, body) => *body = stmt(*body),
        }
    }
}

impl LabelId {
    /// The number that `&&label` is: the address of no object, another one for each label, and so small that nobody takes it
    /// for that of a register.
    pub fn address(self) -> u128 {
        8 + 8 * u128::from(self.0)
    }
}

impl Tree {
    /// The expression behind an id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// The statement behind an id.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }

    /// The object behind an id.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// The function behind an id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The type behind an id.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }
}
