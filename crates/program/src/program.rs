//! The program as every later room sees it: functions of basic blocks over typed places, with explicit claims.
//!
//! The front end has made every conversion, every check and every order of evaluation explicit. Expressions are pure
//! trees in one arena: they read places and compute bits, nothing else. Whatever has an effect is a [`Statement`].
//! A value is a string of bits of the width its expression says; a pointer is one too (see [`PointerLayout`]), so that
//! casts between pointers and integers, unions and byte-wise copies need no rules of their own.
//!
//! Two machines execute a program: [`interp`](crate::interp) on given inputs, and symbolic execution (in
//! `nearmiss-explain`) on all of them. They share what a program is (this file and those below it), the names of its
//! statements ([`location`](crate::location)) and what is known from its text alone ([`loops`](crate::loops),
//! [`moments`](crate::moments)). What a statement or an expression does, each works out by itself, so that one can judge
//! the other.
//!
//! Start reading at [`Program`], then [`StatementKind`] and [`ExprKind`].

mod assumption;
mod claim;
mod decision;
pub mod hardware;
pub mod model;
mod question;
mod site;
pub mod temporal;
pub mod watched;

use std::sync::Arc;

use nearmiss_logic::machine::Function as MachineFunction;
use nearmiss_logic::width::{low_bits, sign_extend};

use crate::source::{Diagnostic, Span};
pub use assumption::{Assumption, AssumptionOrigin};
pub use claim::ClaimKind;
pub use decision::{Asker, Decision};
use hardware::Hardware;
pub use question::{MemoryQuestion, ObjectKind, Quantified};
pub use site::{Site, SiteKind};
use temporal::Temporal;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Index into [`Program::types`].
    TypeId,
    /// Index into [`Program::functions`].
    FunctionId,
    /// Index into [`Program::globals`].
    GlobalId,
    /// Index into [`Function::locals`].
    LocalId,
    /// Index into [`Function::blocks`].
    BlockId,
    /// Index into [`Program::exprs`].
    ExprId,
    /// Index into [`Program::places`].
    PlaceId,
    /// Index into [`Program::claims`].
    ClaimId,
    /// Index into [`Program::sites`].
    SiteId,
}

/// A whole program, ready to run.
#[derive(Clone, Debug)]
pub struct Program {
    /// Widths of pointers and how they are made of object and offset.
    pub pointer: PointerLayout,
    /// Which end of a value comes first in memory.
    pub order: ByteOrder,
    /// C types, for layouts and for showing values.
    pub types: Vec<Type>,
    /// Objects with static storage: globals, statics, string literals.
    pub globals: Vec<Global>,
    /// Functions. One without a body is never called: lowering turns such calls into inputs.
    pub functions: Vec<Function>,
    /// Arena of expressions.
    pub exprs: Vec<Expr>,
    /// Arena of places.
    pub places: Vec<Place>,
    /// Everything that can be violated, in program order (file, then position), unwinding excepted.
    pub claims: Vec<Claim>,
    /// Every place in the text where an input can arise.
    pub sites: Vec<Site>,
    /// Where execution starts: a function written by lowering that makes the inputs of the entry function, calls it and
    /// stops. It carries the name of the entry function.
    pub start: FunctionId,
    /// The function that the user named (`--function`) or `main`.
    pub entry: FunctionId,
    /// The file of another version of the entry function that it is compared with, if there is one.
    pub reference: Option<String>,
    /// What the entry function is only ever called with, after "every execution". Empty: with anything.
    pub arguments: String,
    /// A formula that every run must satisfy (`--formula`).
    pub temporal: Option<Arc<Temporal>>,
    /// Things that the user should know: functions without a body, assembly that was left out.
    pub notes: Vec<Diagnostic>,
    /// Whether the text holds assembly that is not known to do nothing: it is then not to be compiled and run.
    pub assembly: bool,
    /// Quantifiers of CBMC in the text, with the values that their variables take.
    pub quantifiers: Vec<Quantified>,
    /// What is known of the model that it was made of, if it is one of hardware.
    pub hardware: Option<Arc<Hardware>>,
}

/// How a pointer is a number: the object's number above the byte offset into it. NULL is 0, object 0 does not exist.
///
/// Alignment survives (offset bits are the low bits), arithmetic on `uintptr_t` works, and an offset that leaves its
/// object lands in a neighbour's range far beyond that neighbour's size, hence is never valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerLayout {
    /// Width of a pointer in bits: 64, 32 or 16.
    pub bits: u32,
    /// How many of them are the offset.
    pub offset_bits: u32,
}

impl PointerLayout {
    /// 64-bit pointers: 24 bits of object, 40 of offset.
    pub const LP64: PointerLayout = PointerLayout { bits: 64, offset_bits: 40 };
    /// 32-bit pointers: 12 bits of object, 20 of offset.
    pub const ILP32: PointerLayout = PointerLayout { bits: 32, offset_bits: 20 };
    /// 16-bit pointers: 8 bits of object, 8 of offset. See [`PointerLayout::with_room`].
    pub const SMALL: PointerLayout = PointerLayout { bits: 16, offset_bits: 8 };

    /// With offsets for objects of so many bytes, and as many objects as that leaves.
    pub fn with_room(self, bytes: u64) -> PointerLayout {
        let needed = u64::BITS - bytes.leading_zeros() + 1;
        PointerLayout { offset_bits: self.offset_bits.max(needed).min(self.bits - 2), ..self }
    }

    /// The pointer to byte `offset` of object `object`.
    pub fn encode(self, object: u64, offset: u64) -> u128 {
        let mask = (1u128 << self.bits) - 1;
        ((u128::from(object) << self.offset_bits) + u128::from(offset)) & mask
    }

    /// Object and offset of a pointer.
    pub fn decode(self, pointer: u128) -> (u64, u64) {
        ((pointer >> self.offset_bits) as u64, (pointer & ((1 << self.offset_bits) - 1)) as u64)
    }

    /// The object whose start is nearest, and how far from there the pointer is: a distance backwards is a large number
    /// that [`PointerLayout::encode`] takes back. A number that no object is near to is one near NULL.
    pub fn nearest(self, pointer: u128) -> (u64, u64) {
        let half = 1u128 << (self.offset_bits - 1);
        let mask = (1u128 << self.bits) - 1;
        let pointer = pointer & mask;
        let object = (pointer.wrapping_add(half) & mask) >> self.offset_bits;
        (object as u64, pointer.wrapping_sub(object << self.offset_bits) as u64)
    }

    /// The largest size of an object in bytes; an allocation beyond it fails.
    pub fn max_object_size(self) -> u64 {
        (1 << (self.offset_bits - 1)) - 1
    }

    /// One past the largest number of an object.
    pub fn max_objects(self) -> u64 {
        1 << (self.bits - self.offset_bits)
    }
}

/// Which end of a value comes first in memory. Offsets in bits count from that end: of a big-endian machine bit 0 is the highest bit
/// of byte 0, so that whatever lies behind something else has the greater offset, bit-fields included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteOrder {
    /// The lowest byte.
    Little,
    /// The highest byte.
    Big,
}

/// Number of the object that stands for every invalid pointer (an uninitialised one, say). It has no bytes.
pub const INVALID_OBJECT: u64 = 1;
/// Number of the first object that belongs to the program.
const FIRST_OBJECT: u64 = 2;

/// An object that exists before the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticObject {
    /// A function.
    Function(FunctionId),
    /// A global.
    Global(GlobalId),
}

/// A C type. Qualifiers are gone; names are for people.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`: 8 bits in memory, 0 or 1.
    Bool,
    /// A standard integer type.
    Integer {
        /// As written in C: `unsigned long`.
        name: String,
        /// Width.
        bits: u32,
        /// Signedness.
        signed: bool,
        /// One of the three `char` types.
        character: bool,
    },
    /// An enumeration.
    Enum {
        /// `enum colour`, or the typedef's name, or `enum`.
        name: String,
        /// Width.
        bits: u32,
        /// Signedness of the underlying type.
        signed: bool,
        /// Names and values in order.
        members: Vec<(String, i128)>,
    },
    /// `float`, `double` (IEEE binary32 and binary64).
    Float {
        /// As written in C.
        name: String,
        /// 32 or 64.
        bits: u32,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: TypeId,
    },
    /// An array.
    Array {
        /// Element.
        of: TypeId,
        /// Number of elements; 0 for a flexible member or a length known only at run time.
        length: u64,
    },
    /// A structure or union.
    Record {
        /// `struct node`.
        name: String,
        /// Whether the fields overlap.
        union: bool,
        /// Fields in order of declaration, unnamed ones included.
        fields: Vec<Field>,
        /// Size in bytes, padding included.
        size: u64,
    },
    /// A function, behind a pointer.
    Function {
        /// `int (int, char *)`.
        name: String,
    },
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Name; empty for an anonymous member.
    pub name: String,
    /// Type.
    pub ty: TypeId,
    /// Where it starts, in bits from the start of the record; see [`ByteOrder`].
    pub bit_offset: u64,
    /// Its width in bits: that of the type but for a bit-field.
    pub bits: u64,
    /// Whether it is a bit-field.
    pub bit_field: bool,
}

/// An object with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Name; `"text"` for a string literal.
    pub name: String,
    /// Type, with the length of the array completed.
    pub ty: TypeId,
    /// Size in bytes; more than the type's if a flexible member is initialised.
    pub size: u64,
    /// What it holds at the start.
    pub init: GlobalInit,
    /// Whether a person wrote that, as an initialiser.
    pub initialised: bool,
    /// Where it is declared: the name, to the end of the initialiser.
    pub span: Span,
    /// Whether writing to it is undefined (string literals; `const` objects).
    pub read_only: bool,
    /// Where it lies in memory, for registers at a fixed address (`--mmio`). Casts between pointers into it and integers
    /// go by this address.
    pub address: Option<u64>,
}

/// What an object with static storage holds at the start.
#[derive(Clone, Debug)]
pub enum GlobalInit {
    /// Zero but for these pieces, sorted by offset, not overlapping.
    Known(Vec<InitPiece>),
    /// Declared `extern` and defined nowhere, or free by `--nondet-static`: its contents are inputs of this site.
    Unknown(SiteId),
}

/// Some bits of an initial value.
#[derive(Clone, Copy, Debug)]
pub struct InitPiece {
    /// Offset in bits.
    pub bit_offset: u64,
    /// Width in bits, at most 128.
    pub bits: u32,
    /// The bits; addresses are already numbers, see [`Program::global_address`].
    pub value: u128,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name; `static` functions of the same name in two files are `f` and `f@file.c`.
    pub name: String,
    /// The name and parameter list in the text.
    pub span: Span,
    /// The type that it returns.
    pub returns: TypeId,
    /// The first locals are the parameters.
    pub parameters: u32,
    /// Whether it takes `...`.
    pub variadic: bool,
    /// Objects of one activation.
    pub locals: Vec<Local>,
    /// Basic blocks; the first is the entry. Empty: no body.
    pub blocks: Vec<Block>,
    /// Who wrote it.
    pub author: Author,
}

/// Who wrote a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Author {
    /// The user.
    User,
    /// Lowering: the start function.
    Harness,
    /// Our model of a library function. Spans inside it are those of the user's call.
    Library,
}

/// An object of an activation.
#[derive(Clone, Debug)]
pub struct Local {
    /// Name; temporaries have names like `$3`.
    pub name: String,
    /// Type, always of known size.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
    /// Up to where in the text its name means it, unless another one of that name is declared in between.
    pub scope_end: u32,
    /// Whether lowering made it.
    pub temporary: bool,
    /// Whether some place takes its address (or decays it): only then can pointers reach it.
    pub address_taken: bool,
    /// Where the input arises if it is read before it is written.
    pub site: SiteId,
}

/// Straight-line code.
#[derive(Clone, Debug)]
pub struct Block {
    /// What is done.
    pub statements: Vec<Statement>,
    /// Where it goes next.
    pub end: Terminator,
}

/// The end of a block.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// Always there.
    Goto(BlockId),
    /// Two ways.
    Branch {
        /// One bit.
        condition: ExprId,
        /// Taken when it is 1.
        then: BlockId,
        /// Taken when it is 0.
        otherwise: BlockId,
        /// The condition in the text.
        span: Span,
        /// What kind of text it is.
        role: BranchRole,
        /// The condition in the text that it decides, alone or with others.
        decision: Decision,
    },
    /// Back to the caller; the value, if any, was put into the returned operand.
    Return {
        /// What is returned.
        value: Option<Operand>,
        /// The `return` statement, or the closing brace.
        span: Span,
    },
    /// The program ends normally here: `exit`, `abort`, the end of the start function.
    Stop,
}

/// What a branch is in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchRole {
    /// `if`, `?:`, `&&`, `||`.
    Choice,
    /// The condition of a loop.
    Loop,
    /// A `case` of a `switch`.
    Case,
    /// Made by lowering (a call through a pointer, a model of the library).
    Internal,
}

/// A scalar value or a whole object: what is passed and returned.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A scalar.
    Value(ExprId),
    /// An object of record type, copied.
    Object(PlaceId),
}

/// One effect.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What happens.
    pub kind: StatementKind,
    /// The text it comes from.
    pub span: Span,
}

/// Who made an assignment: only what a person wrote counts in distances and is shown in traces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// An assignment, an initialiser, a parameter, a return value.
    Written,
    /// A temporary or bookkeeping of ours.
    Tool,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Store a scalar. The width of `value` is the width of the target (bits of a bit-field).
    Assign {
        /// Where to.
        target: PlaceId,
        /// What.
        value: ExprId,
        /// Who wrote it.
        origin: Origin,
    },
    /// Copy a whole object of record (or array) type.
    Copy {
        /// Where to.
        target: PlaceId,
        /// From where; same type.
        source: PlaceId,
        /// Who wrote it.
        origin: Origin,
    },
    /// Set every byte of an object to 0 (before the pieces of its initialiser are assigned).
    Clear {
        /// Which.
        target: PlaceId,
    },
    /// A local comes to life with undefined contents: inputs, if they are read before they are written.
    Declare {
        /// Which.
        local: LocalId,
    },
    /// A local's life ends; pointers to it dangle.
    Kill {
        /// Which.
        local: LocalId,
    },
    /// An input: `nondet_int()`, a parameter of the entry function, `getchar()`, a function without a body.
    Input {
        /// Where it goes.
        target: PlaceId,
        /// Where it arises.
        site: SiteId,
        /// A pointer is NULL or this. Without it, a pointer that is not NULL points to nothing that is seen here.
        object: Option<ExprId>,
    },
    /// Call a function that has a body.
    Call {
        /// Where its result goes.
        target: Option<PlaceId>,
        /// Which function. A call through a pointer is lowered to a claim and branches on the pointer's value.
        function: FunctionId,
        /// One for each parameter, in order. Extra variadic arguments follow.
        arguments: Vec<Operand>,
    },
    /// Executions in which this is 0 do not exist.
    Assume {
        /// One bit.
        condition: ExprId,
    },
    /// It is an error, and the run ends here, if this is 0.
    Claim {
        /// Which claim.
        claim: ClaimId,
        /// One bit.
        condition: ExprId,
        /// Whether another part of it follows where this holds: of `a && b` a run tells once that it holds.
        part: bool,
    },
    /// A new object of `size` bytes; the target gets a pointer to it, or NULL where the size is beyond the largest.
    Allocate {
        /// Where the pointer goes.
        target: PlaceId,
        /// Number of bytes, of the width of a pointer.
        size: ExprId,
        /// Whether its bytes start as 0 (`calloc`) or as inputs of the site.
        zeroed: bool,
        /// Where its life ends.
        storage: Storage,
        /// Where the contents arise if they are read before they are written.
        site: SiteId,
    },
    /// The object that `pointer` points to dies: one of the heap (its validity was claimed before), or an array of variable length.
    Free {
        /// The pointer; NULL does nothing.
        pointer: ExprId,
    },
    /// `memmove` of bytes whose validity was claimed before.
    CopyBytes {
        /// Pointer to the first byte written.
        target: ExprId,
        /// Pointer to the first byte read.
        source: ExprId,
        /// Number of bytes, of the width of a pointer.
        size: ExprId,
    },
    /// `memset` of bytes whose validity was claimed before.
    SetBytes {
        /// Pointer to the first byte written.
        target: ExprId,
        /// 8 bits.
        value: ExprId,
        /// Number of bytes, of the width of a pointer.
        size: ExprId,
    },
    /// A construct that we cannot execute. It is an error of the input if an execution reaches it.
    Unsupported {
        /// What it is and what to do.
        what: String,
    },
}

/// When an allocated object dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// When it is freed.
    Heap,
    /// When the function returns: `alloca`, arrays of variable length.
    Stack,
}

/// A pure expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// Width of the result, 1 to 128. Truth values have 1, `_Bool` in memory has 8.
    pub bits: u32,
    /// C type, for showing; a truth value has type `_Bool`.
    pub ty: TypeId,
}

/// What an expression computes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExprKind {
    /// These bits.
    Const(u128),
    /// The bits of a scalar place. Its validity was claimed before.
    Load(PlaceId),
    /// Pointer to the first byte of a place.
    AddressOf(PlaceId),
    /// Pointer to a function.
    FunctionAddress(FunctionId),
    /// One operand.
    Unary(UnaryOp, ExprId),
    /// Two operands.
    Binary(BinaryOp, ExprId, ExprId),
    /// `condition ? then : otherwise`, both harmless to evaluate.
    Ite(ExprId, ExprId, ExprId),
    /// To another width or between integers and floats.
    Convert(Conversion, ExprId),
    /// What an operator or a conversion gives, its result rounded as a number says that the program may change: 0 to nearest
    /// (even), 1 below, 2 above, 4 to nearest (away from zero), others toward zero. Everywhere else it is to nearest even.
    Rounded {
        /// That number.
        mode: ExprId,
        /// The operator or the conversion, as if it were the only one: what it is computed from has its own mode.
        value: ExprId,
    },
    /// A question about memory; one bit, except where said.
    Memory(MemoryQuestion),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Each bit. On one bit: logical not.
    Not,
    /// Two's complement.
    Neg,
    /// IEEE sign flip.
    FNeg,
    /// IEEE absolute value.
    FAbs,
    /// IEEE square root.
    FSqrt,
    /// One bit: is it a NaN?
    FIsNan,
    /// One bit: is it an infinity?
    FIsInfinite,
    /// To an integral value.
    FRound(Toward),
    /// A function of one number that the machine's library computes.
    Machine(MachineFunction),
}

/// Where a float that is no integral value is rounded to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Toward {
    /// `floor`.
    Below,
    /// `ceil`.
    Above,
    /// `trunc`.
    Zero,
    /// `round`: the nearest; a half goes away from zero.
    HalfAway,
    /// `rint` and `nearbyint`: the nearest; a half goes to the even one.
    HalfEven,
}

/// Operators with two operands of the same width. Comparisons and overflow questions give one bit, the rest the
/// operands' width. Shift distances have the width of the left operand. Division by zero and shifts by the width or
/// more are claimed against before; with the claim switched off they follow SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    SAddOverflows,
    SSubOverflows,
    SMulOverflows,
    UAddOverflows,
    USubOverflows,
    UMulOverflows,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FEq,
    FLt,
    FLe,
    /// A function of two numbers that the machine's library computes.
    Machine(MachineFunction),
}

/// Conversions; the result's width is that of the expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// Wider, zeros above.
    ZeroExtend,
    /// Wider, sign above.
    SignExtend,
    /// Narrower: the low bits.
    Truncate,
    /// Signed integer to float, to nearest even.
    SignedToFloat,
    /// Unsigned integer to float, to nearest even.
    UnsignedToFloat,
    /// Float to signed integer, toward zero; 0x80…0 where it does not fit.
    FloatToSigned,
    /// Float to unsigned integer, toward zero; where it does not fit, that of the signed conversion to twice the
    /// width, truncated.
    FloatToUnsigned,
    /// Between binary32 and binary64, to nearest even.
    FloatToFloat,
}

/// A place that can be read and written: a base and a path into its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Where it starts.
    pub base: Base,
    /// Type at the base: that of the variable, or what the pointer points to.
    pub base_type: TypeId,
    /// The way from there.
    pub path: Vec<Projection>,
    /// Type at the end of the path.
    pub ty: TypeId,
    /// Width at the end of the path: that of the type in bits, or of the bit-field.
    pub bits: u64,
}

impl Place {
    /// What has to be computed to find it: its pointer and its indices.
    pub(crate) fn way(&self) -> Vec<ExprId> {
        let pointer = match self.base {
            Base::Deref(pointer) => Some(pointer),
            Base::Local(_) | Base::Global(_) => None,
        };
        let index = |projection: &Projection| match projection {
            Projection::Index(index) => Some(*index),
            Projection::Field(_) => None,
        };
        pointer.into_iter().chain(self.path.iter().filter_map(index)).collect()
    }
}

/// Where a place starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Base {
    /// A local of the running activation.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// What a pointer points to.
    Deref(ExprId),
}

/// One step into a type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Projection {
    /// A field of a record, by number.
    Field(u32),
    /// An element of an array; the index is signed and has the width of a pointer.
    Index(ExprId),
}

/// A scalar part of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// The way to it: `[2].x`.
    pub path: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it starts.
    pub bit_offset: u64,
    /// Its width.
    pub bits: u64,
}

/// Something that must hold.
#[derive(Clone, Debug)]
pub struct Claim {
    /// `function.kind.number`, for example `main.assertion.1`.
    pub id: String,
    /// What it is about.
    pub kind: ClaimKind,
    /// The condition as the user would write it: `least <= most`, `index i in bounds of a[10]`.
    pub text: String,
    /// Where: for `assert(e)` the call.
    pub span: Span,
    /// The function of the user's text that it stands in.
    pub function: String,
}

impl Program {
    /// How wide `int` is.
    pub fn int_bits(&self) -> u32 {
        let int = |ty: &Type| match ty {
            Type::Integer { name, bits, .. } if name == "int" => Some(*bits),
            _ => None,
        };
        self.types.iter().find_map(int).unwrap_or(32)
    }

    /// The expression behind an id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The place behind an id.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.index()]
    }

    /// The type behind an id.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The function behind an id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// Size of a type in bits as it lies in memory; `void` and functions count as one byte, as GNU C has it.
    pub fn size_bits(&self, id: TypeId) -> u64 {
        match self.ty(id) {
            Type::Void | Type::Bool | Type::Function { .. } => 8,
            Type::Integer { bits, .. } | Type::Enum { bits, .. } | Type::Float { bits, .. } => u64::from(*bits),
            Type::Pointer { .. } => u64::from(self.pointer.bits),
            Type::Array { of, length } => self.size_bits(*of).saturating_mul(*length),
            Type::Record { size, .. } => size.saturating_mul(8),
        }
    }

    /// An integer type of this width, for showing bytes that have no type; unsigned if there is one.
    pub fn bytes_type(&self, width: u64) -> TypeId {
        let of_width = |ty: &Type| match ty {
            Type::Integer { bits, signed, .. } if u64::from(*bits) == width => Some(!signed),
            _ => None,
        };
        let unsigned = self.types.iter().position(|ty| of_width(ty) == Some(true));
        let signed = || self.types.iter().position(|ty| of_width(ty).is_some());
        let any = || self.types.iter().position(|ty| matches!(ty, Type::Integer { .. }));
        TypeId(unsigned.or_else(signed).or_else(any).unwrap_or(0) as u32)
    }

    /// Is it an integer, enumeration, `_Bool`, float or pointer?
    pub fn is_scalar(&self, id: TypeId) -> bool {
        !matches!(self.ty(id), Type::Void | Type::Array { .. } | Type::Record { .. } | Type::Function { .. })
    }

    /// Are values of this type compared and shown as signed?
    pub fn is_signed(&self, id: TypeId) -> bool {
        matches!(self.ty(id), Type::Integer { signed: true, .. } | Type::Enum { signed: true, .. })
    }

    /// Is there a union in values of this type?
    pub fn has_union(&self, id: TypeId) -> bool {
        match self.ty(id) {
            Type::Record { fields, union, .. } => *union || fields.iter().any(|field| self.has_union(field.ty)),
            Type::Array { of, .. } => self.has_union(*of),
            _ => false,
        }
    }

    /// A bit-field's bits as bits of its type.
    pub fn widened(&self, ty: TypeId, bits: u64, value: u128) -> u128 {
        let width = self.size_bits(ty).min(128);
        match self.is_signed(ty) && (1..width).contains(&bits) {
            true => sign_extend(value & low_bits(bits as u32), bits as u32) as u128 & low_bits(width as u32),
            false => value,
        }
    }

    /// The scalars of a type in order, of a union its first member's; none if there are more than `most`.
    pub fn scalars(&self, ty: TypeId, most: usize) -> Option<Vec<Scalar>> {
        let mut scalars = Vec::new();
        self.collect_scalars(ty, String::new(), 0, self.size_bits(ty), most, &mut scalars).then_some(scalars)
    }

    fn collect_scalars(
        &self,
        ty: TypeId,
        path: String,
        bit_offset: u64,
        bits: u64,
        most: usize,
        scalars: &mut Vec<Scalar>,
    ) -> bool {
        match self.ty(ty) {
            Type::Record { fields, union, .. } => {
                let named = fields.iter().filter(|field| !(field.bit_field && field.name.is_empty()));
                named.take(if *union { 1 } else { usize::MAX }).all(|field| {
                    let dot = if field.name.is_empty() { "" } else { "." };
                    let path = format!("{path}{dot}{}", field.name);
                    let offset = bit_offset.saturating_add(field.bit_offset);
                    self.collect_scalars(field.ty, path, offset, field.bits, most, scalars)
                })
            }
            Type::Array { of, length } => {
                let size = self.size_bits(*of);
                *length <= most as u64
                    && (0..*length).all(|index| {
                        let offset = bit_offset.saturating_add(index.saturating_mul(size));
                        self.collect_scalars(*of, format!("{path}[{index}]"), offset, size, most, scalars)
                    })
            }
            Type::Void | Type::Function { .. } => true,
            _ => {
                scalars.push(Scalar { path, ty, bit_offset, bits });
                scalars.len() <= most
            }
        }
    }

    /// Number of the object that is a function. Functions and globals alternate, so that numbers stay as they are while
    /// lowering adds more of either.
    fn function_object(&self, id: FunctionId) -> u64 {
        FIRST_OBJECT + 2 * u64::from(id.0)
    }

    /// Number of the object that is a global.
    pub fn global_object(&self, id: GlobalId) -> u64 {
        FIRST_OBJECT + 2 * u64::from(id.0) + 1
    }

    /// What static object a number stands for.
    pub fn static_object(&self, object: u64) -> Option<StaticObject> {
        let index = object.checked_sub(FIRST_OBJECT)?;
        let id = u32::try_from(index / 2).ok()?;
        if index % 2 == 0 {
            (id < self.functions.len() as u32).then_some(StaticObject::Function(FunctionId(id)))
        } else {
            (id < self.globals.len() as u32).then_some(StaticObject::Global(GlobalId(id)))
        }
    }

    /// Number of the first object that a run creates.
    pub fn first_dynamic_object(&self) -> u64 {
        FIRST_OBJECT + 2 * self.functions.len().max(self.globals.len()) as u64
    }

    /// The address of a function as bits.
    pub fn function_address(&self, id: FunctionId) -> u128 {
        self.pointer.encode(self.function_object(id), 0)
    }

    /// The address of a global as bits.
    pub fn global_address(&self, id: GlobalId) -> u128 {
        self.pointer.encode(self.global_object(id), 0)
    }

    /// A type as C writes it, declarator left out: `int[3]`, `struct node *`.
    pub fn type_name(&self, id: TypeId) -> String {
        match self.ty(id) {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Integer { name, .. }
            | Type::Enum { name, .. }
            | Type::Float { name, .. }
            | Type::Record { name, .. }
            | Type::Function { name } => name.clone(),
            Type::Pointer { to } => {
                let inner = self.type_name(*to);
                if inner.ends_with('*') { format!("{inner}*") } else { format!("{inner} *") }
            }
            Type::Array { .. } => {
                let (mut of, mut lengths) = (id, String::new());
                while let Type::Array { of: element, length } = self.ty(of) {
                    lengths.push_str(&format!("[{length}]"));
                    of = *element;
                }
                self.type_name(of) + &lengths
            }
        }
    }

    /// Every block that a terminator can go to, in order.
    pub(crate) fn successors(end: &Terminator) -> Vec<BlockId> {
        match end {
            Terminator::Goto(to) => vec![*to],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Return { .. } | Terminator::Stop => Vec::new(),
        }
    }
}
