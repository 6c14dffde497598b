//! A program under construction: types by width, locals, expressions and blocks, without a text in C behind them.

use std::collections::HashMap;

use nearmiss_logic::width::low_bits;

use crate::program::{
    Author, Base, BinaryOp, Block, BlockId, BranchRole, ByteOrder, Conversion, Decision, Expr, ExprId, ExprKind,
    Function, FunctionId, Local, LocalId, Origin, Place, PlaceId, PointerLayout, Program, Projection, Site, SiteId,
    SiteKind, Statement, StatementKind, Terminator, Type, TypeId, UnaryOp,
};
use crate::source::Span;

/// Number of the function that is one model.
pub(super) const TOP: FunctionId = FunctionId(1);

/// The program so far, and where the next statement goes.
pub(super) struct Builder {
    pub(super) program: Program,
    words: HashMap<u32, TypeId>,
    truth: TypeId,
    /// The block under work.
    pub(super) block: BlockId,
    temporaries: u32,
}

impl Builder {
    /// A program with a start function that calls the model's.
    pub(super) fn new(name: &str, span: Span) -> Builder {
        let types = vec![Type::Void, Type::Bool];
        let (void, truth) = (TypeId(0), TypeId(1));
        let function = |author, blocks| Function {
            name: name.to_owned(),
            span,
            returns: void,
            parameters: 0,
            variadic: false,
            locals: Vec::new(),
            blocks,
            author,
        };
        let call = StatementKind::Call { target: None, function: TOP, arguments: Vec::new() };
        let start = Block { statements: vec![Statement { kind: call, span }], end: Terminator::Stop };
        let first = Block { statements: Vec::new(), end: Terminator::Stop };
        let program = Program {
            pointer: PointerLayout::LP64,
            order: ByteOrder::Little,
            types,
            globals: Vec::new(),
            functions: vec![function(Author::Harness, vec![start]), function(Author::User, vec![first])],
            exprs: Vec::new(),
            places: Vec::new(),
            claims: Vec::new(),
            sites: Vec::new(),
            start: FunctionId(0),
            entry: TOP,
            reference: None,
            arguments: String::new(),
            temporal: None,
            notes: Vec::new(),
            assembly: false,
            quantifiers: Vec::new(),
            hardware: None,
        };
        Builder { program, words: HashMap::new(), truth, block: BlockId(0), temporaries: 0 }
    }

    /// The type of words so wide: in memory the next larger row of bytes.
    pub(super) fn word(&mut self, width: u32) -> TypeId {
        if let Some(ty) = self.words.get(&width) {
            return *ty;
        }
        let name = if width == 1 { "bit".to_owned() } else { format!("bit [{}:0]", width - 1) };
        let bits = width.next_power_of_two().max(8);
        let id = self.new_type(Type::Integer { name, bits, signed: false, character: false });
        self.words.insert(width, id);
        id
    }

    /// The type of memories of so many words so wide.
    pub(super) fn memory(&mut self, width: u32, length: u64) -> TypeId {
        let of = self.word(width);
        let wanted = Type::Array { of, length };
        match self.program.types.iter().position(|ty| *ty == wanted) {
            Some(at) => TypeId(at as u32),
            None => self.new_type(wanted),
        }
    }

    fn new_type(&mut self, ty: Type) -> TypeId {
        self.program.types.push(ty);
        TypeId(self.program.types.len() as u32 - 1)
    }

    /// A variable of the model. Those of ours have no name.
    pub(super) fn local(&mut self, name: Option<&str>, ty: TypeId, span: Span) -> LocalId {
        let temporary = name.is_none();
        let name = match name {
            Some(name) => name.to_owned(),
            None => {
                self.temporaries += 1;
                format!("${}", self.temporaries)
            }
        };
        let site = self.site(&name, ty, span, SiteKind::Uninitialised);
        let scope_end = u32::MAX;
        let locals = &mut self.program.functions[TOP.index()].locals;
        locals.push(Local { name, ty, span, scope_end, temporary, address_taken: false, site });
        LocalId(locals.len() as u32 - 1)
    }

    /// A place where inputs arise.
    pub(super) fn site(&mut self, name: &str, ty: TypeId, span: Span, kind: SiteKind) -> SiteId {
        let function = self.program.functions[TOP.index()].name.clone();
        self.program.sites.push(Site { name: name.to_owned(), ty, span, function, kind, writer: None });
        SiteId(self.program.sites.len() as u32 - 1)
    }

    /// The first bits of a variable.
    pub(super) fn place(&mut self, local: LocalId, width: u32) -> PlaceId {
        let ty = self.program.functions[TOP.index()].locals[local.index()].ty;
        self.new_place(Place { base: Base::Local(local), base_type: ty, path: Vec::new(), ty, bits: u64::from(width) })
    }

    /// All of a memory.
    pub(super) fn whole(&mut self, local: LocalId) -> PlaceId {
        let ty = self.program.functions[TOP.index()].locals[local.index()].ty;
        let bits = self.program.size_bits(ty);
        self.new_place(Place { base: Base::Local(local), base_type: ty, path: Vec::new(), ty, bits })
    }

    /// A word of a memory.
    pub(super) fn element(&mut self, memory: LocalId, width: u32, address: ExprId) -> PlaceId {
        let base_type = self.program.functions[TOP.index()].locals[memory.index()].ty;
        let (path, ty) = (vec![Projection::Index(address)], self.word(width));
        self.new_place(Place { base: Base::Local(memory), base_type, path, ty, bits: u64::from(width) })
    }

    fn new_place(&mut self, place: Place) -> PlaceId {
        self.program.places.push(place);
        PlaceId(self.program.places.len() as u32 - 1)
    }

    fn make(&mut self, kind: ExprKind, width: u32) -> ExprId {
        let ty = if width == 1 { self.truth } else { self.word(width) };
        self.program.exprs.push(Expr { kind, bits: width, ty });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    pub(super) fn width(&self, e: ExprId) -> u32 {
        self.program.expr(e).bits
    }

    pub(super) fn constant(&mut self, value: u128, width: u32) -> ExprId {
        self.make(ExprKind::Const(value & low_bits(width)), width)
    }

    pub(super) fn as_constant(&self, e: ExprId) -> Option<u128> {
        match self.program.expr(e).kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn load(&mut self, place: PlaceId) -> ExprId {
        let width = self.program.place(place).bits as u32;
        self.make(ExprKind::Load(place), width)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, x: ExprId) -> ExprId {
        let (width, known) = (self.width(x), self.as_constant(x));
        match (op, self.program.expr(x).kind, known) {
            (UnaryOp::Not, _, Some(value)) => self.constant(!value, width),
            (UnaryOp::Not, ExprKind::Unary(UnaryOp::Not, inner), _) => inner,
            _ => self.make(ExprKind::Unary(op, x), width),
        }
    }

    /// Two operands of the same width.
    pub(super) fn binary(&mut self, op: BinaryOp, x: ExprId, y: ExprId) -> ExprId {
        use BinaryOp::{And, Eq, Ne, Or, SLe, SLt, ULe, ULt};
        let question = matches!(op, Eq | Ne | ULt | ULe | SLt | SLe);
        let width = self.width(x);
        let all = low_bits(width);
        match (op, self.as_constant(x), self.as_constant(y)) {
            (And, Some(value), _) if value == all => return y,
            (And, _, Some(value)) if value == all => return x,
            (And, Some(0), _) | (Or, _, Some(0)) => return x,
            (And, _, Some(0)) | (Or, Some(0), _) => return y,
            _ => {}
        }
        self.make(ExprKind::Binary(op, x, y), if question { 1 } else { width })
    }

    pub(super) fn choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        match self.as_constant(condition) {
            Some(1) => yes,
            Some(_) => no,
            None if yes == no => yes,
            None => self.make(ExprKind::Ite(condition, yes, no), self.width(yes)),
        }
    }

    pub(super) fn widened(&mut self, x: ExprId, width: u32, signed: bool) -> ExprId {
        let (from, known) = (self.width(x), self.as_constant(x));
        match known {
            _ if from == width => x,
            Some(value) if !signed || value >> (from - 1) & 1 == 0 => self.constant(value, width),
            Some(value) => self.constant(value | !low_bits(from), width),
            None => {
                let how = if signed { Conversion::SignExtend } else { Conversion::ZeroExtend };
                self.make(ExprKind::Convert(how, x), width)
            }
        }
    }

    /// The low bits.
    pub(super) fn low(&mut self, x: ExprId, width: u32) -> ExprId {
        match self.as_constant(x) {
            _ if self.width(x) == width => x,
            Some(value) => self.constant(value, width),
            None => self.make(ExprKind::Convert(Conversion::Truncate, x), width),
        }
    }

    /// Some bits.
    pub(super) fn part(&mut self, x: ExprId, from: u32, width: u32) -> ExprId {
        let shifted = match (from, self.as_constant(x)) {
            (0, _) => x,
            (_, Some(value)) => self.constant(value >> from, self.width(x)),
            _ => {
                let by = self.constant(u128::from(from), self.width(x));
                self.binary(BinaryOp::LShr, x, by)
            }
        };
        self.low(shifted, width)
    }

    /// One word above another, at most 128 bits together.
    pub(super) fn joined(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let below = self.width(low);
        let width = self.width(high) + below;
        if let (Some(high), Some(low)) = (self.as_constant(high), self.as_constant(low)) {
            return self.constant(high << below | low, width);
        }
        let (high, low) = (self.widened(high, width, false), self.widened(low, width, false));
        let by = self.constant(u128::from(below), width);
        let shifted = self.binary(BinaryOp::Shl, high, by);
        self.binary(BinaryOp::Or, shifted, low)
    }

    pub(super) fn say(&mut self, kind: StatementKind, span: Span) {
        let blocks = &mut self.program.functions[TOP.index()].blocks;
        blocks[self.block.index()].statements.push(Statement { kind, span });
    }

    pub(super) fn assign(&mut self, target: PlaceId, value: ExprId, origin: Origin, span: Span) {
        self.say(StatementKind::Assign { target, value, origin }, span);
    }

    /// A value that is used more than once.
    pub(super) fn held(&mut self, value: ExprId, span: Span) -> ExprId {
        if self.as_constant(value).is_some() || matches!(self.program.expr(value).kind, ExprKind::Load(_)) {
            return value;
        }
        let width = self.width(value);
        let ty = self.word(width);
        let local = self.local(None, ty, span);
        let place = self.place(local, width);
        self.assign(place, value, Origin::Tool, span);
        self.load(place)
    }

    /// A new block.
    pub(super) fn fork(&mut self) -> BlockId {
        let blocks = &mut self.program.functions[TOP.index()].blocks;
        blocks.push(Block { statements: Vec::new(), end: Terminator::Stop });
        BlockId(blocks.len() as u32 - 1)
    }

    pub(super) fn end(&mut self, end: Terminator) {
        self.program.functions[TOP.index()].blocks[self.block.index()].end = end;
    }

    /// What follows happens only where a condition holds, up to what `otherwise` is.
    pub(super) fn guarded(&mut self, condition: ExprId, span: Span, inside: impl FnOnce(&mut Builder)) {
        let (then, otherwise) = (self.fork(), self.fork());
        let (role, decision) = (BranchRole::Internal, Decision::of_role(span, BranchRole::Internal));
        self.end(Terminator::Branch { condition, then, otherwise, span, role, decision });
        self.block = then;
        inside(self);
        self.end(Terminator::Goto(otherwise));
        self.block = otherwise;
    }
}
