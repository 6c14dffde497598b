//! What a statement reads and writes, in terms of whole objects.
//!
//! A local that no pointer can reach belongs to its activation. Everything else is shared: globals, locals whose
//! address is taken, and two objects of our own. *Memory* is what only pointers reach, and every store through a pointer
//! is a write to it; who reads an object whose address is taken therefore also reads memory. *Lives* is which allocated
//! objects live: `free` writes it, and the claim that a pointer is valid reads it. That an address is taken is all that
//! is known of pointers: sound, linear, and enough for lines.

use crate::program::{
    Base, ExprId, ExprKind, Function, FunctionId, GlobalId, GlobalInit, LocalId, MemoryQuestion, Operand, PlaceId,
    Program, Statement, StatementKind, StaticObject, Terminator, Type,
};

/// A variable, as far as dependences tell them apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Object {
    /// A local that only the running activation can reach.
    Local(LocalId),
    /// A number below [`Objects::shared`].
    Shared(usize),
}

/// Something that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read {
    /// An object.
    Object(Object),
    /// Whatever a pointer points to.
    Pointed,
}

/// How much of an object is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// All of it: what it held before is gone.
    Whole,
    /// A part, or perhaps nothing.
    Part,
}

/// An object that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) object: Object,
    pub(super) extent: Extent,
}

/// What happens in a statement: first the reads, then the writes.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub(super) reads: Vec<Read>,
    /// Objects that are named to be written or to take their address.
    pub(super) mentions: Vec<Object>,
    pub(super) writes: Vec<Write>,
    /// Whether the writes are the birth of an object.
    pub(super) declares: bool,
}

/// The numbers of shared objects: memory is 0, then come those that pointers reach, then the others.
pub(super) struct Objects {
    /// How many pointers can reach, memory included.
    pub(super) exposed: usize,
    /// How many there are.
    pub(super) shared: usize,
    globals: Vec<usize>,
    /// For each function and local its number, if pointers can reach it.
    locals: Vec<Vec<Option<usize>>>,
    /// Functions of which several activations may be under way.
    recursive: Vec<bool>,
}

const MEMORY: Object = Object::Shared(0);

impl Objects {
    pub(super) fn of(program: &Program) -> Objects {
        let mut next = 1;
        let mut number = || {
            next += 1;
            next - 1
        };
        let mut globals = vec![usize::MAX; program.globals.len()];
        let reached = reached_globals(program);
        for (global, _) in globals.iter_mut().zip(&reached).filter(|(_, reached)| **reached) {
            *global = number();
        }
        let numbers = |function: &Function, number: &mut dyn FnMut() -> usize| {
            function.locals.iter().map(|local| local.address_taken.then(&mut *number)).collect()
        };
        let locals = program.functions.iter().map(|function| numbers(function, &mut number)).collect();
        let exposed = number();
        for (global, _) in globals.iter_mut().zip(&reached).filter(|(_, reached)| !**reached) {
            *global = number();
        }
        Objects { exposed, shared: number(), globals, locals, recursive: recursive(program) }
    }

    pub(super) fn of_global(&self, id: GlobalId) -> usize {
        self.globals[id.index()]
    }

    pub(super) fn of_local(&self, function: FunctionId, local: LocalId) -> Object {
        self.locals[function.index()][local.index()].map_or(Object::Local(local), Object::Shared)
    }

    /// A write to a local. Where there may be several objects of that name, the others keep what they hold.
    pub(super) fn write_local(&self, function: FunctionId, local: LocalId, extent: Extent) -> Write {
        match self.of_local(function, local) {
            object @ Object::Shared(_) if self.recursive[function.index()] => Write { object, extent: Extent::Part },
            object => Write { object, extent },
        }
    }

    /// May several activations of a function be under way, or of one that it calls?
    pub(super) fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[function.index()]
    }

    /// Which allocated objects live.
    fn lives(&self) -> Object {
        Object::Shared(self.exposed)
    }

    /// What a call reads before the function is entered.
    pub(super) fn passed(&self, program: &Program, function: FunctionId, arguments: &[Operand]) -> Effects {
        let mut walk = Walk::new(self, program, function);
        arguments.iter().for_each(|argument| walk.operand(*argument));
        walk.effects
    }

    /// What a statement does; of a call, what happens after it has come back.
    pub(super) fn effects(&self, program: &Program, function: FunctionId, statement: &Statement) -> Effects {
        let mut walk = Walk::new(self, program, function);
        match &statement.kind {
            StatementKind::Assign { target, value, .. } => {
                walk.expr(*value);
                walk.write(*target);
            }
            StatementKind::Copy { target, source, .. } => {
                walk.read(*source);
                walk.write(*target);
            }
            StatementKind::Clear { target } => walk.write(*target),
            StatementKind::Input { target, object, .. } => {
                object.iter().for_each(|object| walk.expr(*object));
                walk.write(*target);
            }
            StatementKind::Declare { local } => {
                walk.effects.writes.push(self.write_local(function, *local, Extent::Whole));
                walk.effects.declares = true;
            }
            StatementKind::Call { target, .. } => target.iter().for_each(|target| walk.write(*target)),
            StatementKind::Assume { condition } | StatementKind::Claim { condition, .. } => walk.expr(*condition),
            StatementKind::Allocate { target, size, .. } => {
                walk.expr(*size);
                walk.write(*target);
                walk.write_part(MEMORY);
                walk.write_part(self.lives());
            }
            StatementKind::Free { pointer } => {
                walk.expr(*pointer);
                walk.write_part(self.lives());
            }
            StatementKind::CopyBytes { target, source, size } => {
                [target, source, size].into_iter().for_each(|expr| walk.expr(*expr));
                walk.effects.reads.push(Read::Pointed);
                walk.write_part(MEMORY);
            }
            StatementKind::SetBytes { target, value, size } => {
                [target, value, size].into_iter().for_each(|expr| walk.expr(*expr));
                walk.write_part(MEMORY);
            }
            StatementKind::Kill { .. } | StatementKind::Unsupported { .. } => {}
        }
        walk.effects
    }

    /// What the end of a block reads.
    pub(super) fn end(&self, program: &Program, function: FunctionId, end: &Terminator) -> Effects {
        let mut walk = Walk::new(self, program, function);
        match end {
            Terminator::Branch { condition, .. } => walk.expr(*condition),
            Terminator::Return { value: Some(value), .. } => walk.operand(*value),
            Terminator::Return { value: None, .. } | Terminator::Goto(_) | Terminator::Stop => {}
        }
        walk.effects
    }
}

/// Collects the effects of one statement.
struct Walk<'a> {
    objects: &'a Objects,
    program: &'a Program,
    function: FunctionId,
    effects: Effects,
}

impl<'a> Walk<'a> {
    fn new(objects: &'a Objects, program: &'a Program, function: FunctionId) -> Walk<'a> {
        Walk { objects, program, function, effects: Effects::default() }
    }

    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Value(value) => self.expr(value),
            Operand::Object(place) => self.read(place),
        }
    }

    /// Everything that computing an expression reads. Expressions can be deep, hence no recursion.
    fn expr(&mut self, root: ExprId) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let expr = self.program.expr(id);
            match expr.kind {
                // The address of a global is a number.
                ExprKind::Const(value) if matches!(self.program.ty(expr.ty), Type::Pointer { .. }) => {
                    let global = address(self.program, value);
                    self.effects.mentions.extend(global.map(|global| Object::Shared(self.objects.of_global(global))));
                }
                ExprKind::Const(_) | ExprKind::FunctionAddress(_) => {}
                ExprKind::Load(place) => {
                    self.read_base(place);
                    open.extend(self.program.place(place).way());
                }
                ExprKind::AddressOf(place) => {
                    self.effects.mentions.extend(self.named(place));
                    open.extend(self.program.place(place).way());
                }
                ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => open.push(a),
                ExprKind::Binary(_, a, b) | ExprKind::Rounded { mode: a, value: b } => open.extend([a, b]),
                ExprKind::Ite(a, b, c) => open.extend([a, b, c]),
                ExprKind::Memory(MemoryQuestion::SameObject(a, b)) => open.extend([a, b]),
                ExprKind::Memory(MemoryQuestion::Valid { pointer, size, .. }) => {
                    self.effects.reads.push(Read::Object(self.objects.lives()));
                    open.extend([pointer, size]);
                }
                ExprKind::Memory(
                    MemoryQuestion::Freeable(pointer)
                    | MemoryQuestion::ObjectSize(pointer)
                    | MemoryQuestion::Lives(pointer, _),
                ) => {
                    self.effects.reads.push(Read::Object(self.objects.lives()));
                    open.push(pointer);
                }
            }
        }
    }

    /// The contents of a place.
    fn read(&mut self, place: PlaceId) {
        self.read_base(place);
        self.program.place(place).way().into_iter().for_each(|expr| self.expr(expr));
    }

    fn read_base(&mut self, place: PlaceId) {
        self.effects.reads.push(self.named(place).map_or(Read::Pointed, Read::Object));
    }

    /// The object whose name a place starts with; none if it starts with a pointer.
    fn named(&self, place: PlaceId) -> Option<Object> {
        match self.program.place(place).base {
            Base::Local(local) => Some(self.objects.of_local(self.function, local)),
            Base::Global(global) => Some(Object::Shared(self.objects.of_global(global))),
            Base::Deref(_) => None,
        }
    }

    fn write(&mut self, id: PlaceId) {
        self.program.place(id).way().into_iter().for_each(|expr| self.expr(expr));
        self.effects.mentions.extend(self.named(id));
        let place = self.program.place(id);
        let extent = if place.path.is_empty() { Extent::Whole } else { Extent::Part };
        let write = match place.base {
            Base::Local(local) => self.objects.write_local(self.function, local, extent),
            Base::Global(global) => Write { object: Object::Shared(self.objects.of_global(global)), extent },
            Base::Deref(_) => Write { object: MEMORY, extent: Extent::Part },
        };
        self.effects.writes.push(write);
    }

    fn write_part(&mut self, object: Object) {
        self.effects.writes.push(Write { object, extent: Extent::Part });
    }
}

/// Which globals have an address that the program computes or starts with.
fn reached_globals(program: &Program) -> Vec<bool> {
    let mut reached = vec![false; program.globals.len()];
    let addresses = program.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::AddressOf(place) => match program.place(place).base {
            Base::Global(global) => Some(global),
            Base::Local(_) | Base::Deref(_) => None,
        },
        ExprKind::Const(value) if matches!(program.ty(expr.ty), Type::Pointer { .. }) => address(program, value),
        _ => None,
    });
    // Any number that looks like an address counts as one.
    let initial = program.globals.iter().flat_map(|global| match &global.init {
        GlobalInit::Known(pieces) => pieces.as_slice(),
        GlobalInit::Unknown(_) => &[],
    });
    let initial = initial.filter(|piece| piece.bits >= program.pointer.bits);
    for global in addresses.chain(initial.filter_map(|piece| address(program, piece.value))) {
        reached[global.index()] = true;
    }
    reached
}

/// The global that a number points to.
fn address(program: &Program, value: u128) -> Option<GlobalId> {
    match program.static_object(program.pointer.decode(value).0) {
        Some(StaticObject::Global(global)) => Some(global),
        Some(StaticObject::Function(_)) | None => None,
    }
}

/// Which functions may come to call themselves, and those from which such a function can be called, which does no harm:
/// what is left when functions that call only removed ones are removed.
fn recursive(program: &Program) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    let mut waiting = vec![0usize; program.functions.len()];
    for (caller, function) in program.functions.iter().enumerate() {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            if let StatementKind::Call { function: callee, .. } = statement.kind {
                callers[callee.index()].push(caller);
                waiting[caller] += 1;
            }
        }
    }
    let mut removed: Vec<usize> = (0..waiting.len()).filter(|function| waiting[*function] == 0).collect();
    while let Some(function) = removed.pop() {
        for caller in &callers[function] {
            waiting[*caller] -= 1;
            if waiting[*caller] == 0 {
                removed.push(*caller);
            }
        }
    }
    waiting.into_iter().map(|waiting| waiting > 0).collect()
}
