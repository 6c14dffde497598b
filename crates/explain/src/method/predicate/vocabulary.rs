//! What predicates can speak of: the scalars of a program that have a name, and what they hold at each moment.
//!
//! Symbolic execution has resolved memory and pointers, so a weakest precondition is found on terms, and the names come
//! last: a term can be said at a moment if its parts are what some variables in scope hold there.

use std::collections::{BTreeMap, HashMap};

use nearmiss_logic::term::{Node, Term, Terms};

use nearmiss_program::program::watched;
use nearmiss_program::program::{
    Author, Base, Expr, ExprId, ExprKind, FunctionId, GlobalId, LocalId, Operand, Place, PlaceId, Program, Projection,
    StatementKind, Terminator, Type, TypeId,
};
use nearmiss_program::show;

/// Of an object with more scalars than this, none is spoken of.
const MOST_PARTS: usize = 16;

/// A scalar that has a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// As C writes it: `region.queue[1]`.
    pub text: String,
    /// Whose local it is; none for a global.
    pub function: Option<FunctionId>,
    /// Its type.
    pub ty: TypeId,
    /// Its width in bits.
    pub bits: u32,
    /// The expression that reads it.
    pub load: ExprId,
}

/// All scalars that have a name, with expressions that read them, which are added to the program: variables and their
/// parts, elements by an index that is not constant where the program reads them (`limit[i]`), and what calls returned
/// (`f()`).
pub fn named(program: &mut Program) -> Vec<Named> {
    let mut found = variables(program);
    for function in 0..program.functions.len() {
        if program.functions[function].author == Author::User {
            elements(program, FunctionId(function as u32), &mut found);
            results(program, FunctionId(function as u32), &mut found);
        }
    }
    found
}

fn variables(program: &mut Program) -> Vec<Named> {
    let mut found = Vec::new();
    for index in 0..program.globals.len() {
        let global = &program.globals[index];
        if !global.read_only {
            let (name, ty) = (global.name.clone(), global.ty);
            add(program, None, Base::Global(GlobalId(index as u32)), name, ty, &mut found);
        }
    }
    for function in 0..program.functions.len() {
        if program.functions[function].author != Author::User {
            continue;
        }
        for local in 0..program.functions[function].locals.len() {
            let declared = &program.functions[function].locals[local];
            if !declared.temporary {
                let (name, ty) = (declared.name.clone(), declared.ty);
                let owner = Some(FunctionId(function as u32));
                add(program, owner, Base::Local(LocalId(local as u32)), name, ty, &mut found);
            }
        }
    }
    found
}

/// Elements that a function reads by an index that is not constant.
fn elements(program: &mut Program, function: FunctionId, found: &mut Vec<Named>) {
    let mut conditions: Vec<ExprId> = Vec::new();
    for block in &program.function(function).blocks {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Assign { value, .. } => conditions.push(*value),
                StatementKind::Assume { condition } | StatementKind::Claim { condition, .. } => {
                    conditions.push(*condition);
                }
                StatementKind::Call { arguments, .. } => conditions.extend(arguments.iter().filter_map(value)),
                _ => {}
            }
        }
        match &block.end {
            Terminator::Branch { condition, .. } => conditions.push(*condition),
            Terminator::Return { value: Some(returned), .. } => conditions.extend(value(returned)),
            _ => {}
        }
    }
    let places = conditions.iter().flat_map(|condition| watched::places(program, *condition));
    let is_indexed = |place: &Place| {
        let is_open = |projection: &Projection| match projection {
            Projection::Index(index) => !matches!(program.expr(*index).kind, ExprKind::Const(_)),
            Projection::Field(_) => false,
        };
        let is_counted = matches!(program.ty(place.ty), Type::Bool | Type::Integer { .. } | Type::Enum { .. });
        is_counted && !matches!(place.base, Base::Deref(_)) && place.path.iter().any(is_open)
    };
    let mut places: Vec<PlaceId> = places.filter(|place| is_indexed(program.place(*place))).collect();
    places.sort_unstable();
    places.dedup();
    for place in places {
        let text = show::place_text(program, program.function(function), place);
        let (ty, bits) = (program.place(place).ty, program.place(place).bits as u32);
        let load = add_expr(program, Expr { kind: ExprKind::Load(place), bits, ty });
        let function = (!watched::is_global(program, load)).then_some(function);
        let is_known = found.iter().any(|named| named.function == function && named.text == text);
        if !text.contains('$') && !is_known {
            found.push(Named { text, function, ty, bits, load });
        }
    }
}

fn value(operand: &Operand) -> Option<ExprId> {
    match operand {
        Operand::Value(value) => Some(*value),
        Operand::Object(_) => None,
    }
}

/// What calls in a function returned, while it is under way to where it is wanted.
fn results(program: &mut Program, function: FunctionId, found: &mut Vec<Named>) {
    let mut targets: Vec<(PlaceId, FunctionId)> = Vec::new();
    for statement in program.function(function).blocks.iter().flat_map(|block| &block.statements) {
        if let StatementKind::Call { target: Some(target), function: called, .. } = statement.kind
            && program.function(called).author == Author::User
            && let Place { base: Base::Local(local), path, ty, .. } = program.place(target)
            && program.function(function).locals[local.index()].temporary
            && path.is_empty()
            && matches!(program.ty(*ty), Type::Bool | Type::Integer { .. } | Type::Enum { .. })
        {
            targets.push((target, called));
        }
    }
    for (target, called) in targets {
        let text = format!("{}()", program.function(called).name);
        let (ty, bits) = (program.place(target).ty, program.place(target).bits as u32);
        let load = add_expr(program, Expr { kind: ExprKind::Load(target), bits, ty });
        found.push(Named { text, function: Some(function), ty, bits, load });
    }
}

fn add(
    program: &mut Program,
    function: Option<FunctionId>,
    base: Base,
    name: String,
    ty: TypeId,
    found: &mut Vec<Named>,
) {
    if program.scalars(ty, MOST_PARTS).is_none() {
        return;
    }
    let whole = Place { base, base_type: ty, path: Vec::new(), ty, bits: program.size_bits(ty) };
    let mut todo = vec![(name, whole)];
    while let Some((text, place)) = todo.pop() {
        match program.ty(place.ty).clone() {
            Type::Void | Type::Function { .. } | Type::Float { .. } | Type::Record { union: true, .. } => {}
            Type::Record { fields, .. } => {
                let fields = fields.iter().enumerate().rev();
                for (number, field) in fields.filter(|(_, field)| !field.name.is_empty()) {
                    let mut part = place.clone();
                    part.path.push(Projection::Field(number as u32));
                    (part.ty, part.bits) = (field.ty, field.bits);
                    todo.push((format!("{text}.{}", field.name), part));
                }
            }
            Type::Array { of, length } => {
                for index in (0..length).rev() {
                    let number = Expr { kind: ExprKind::Const(u128::from(index)), bits: program.pointer.bits, ty: of };
                    let number = add_expr(program, number);
                    let mut part = place.clone();
                    part.path.push(Projection::Index(number));
                    (part.ty, part.bits) = (of, program.size_bits(of));
                    todo.push((format!("{text}[{index}]"), part));
                }
            }
            _ => {
                let (ty, bits) = (place.ty, place.bits as u32);
                program.places.push(place);
                let place = PlaceId(program.places.len() as u32 - 1);
                let load = add_expr(program, Expr { kind: ExprKind::Load(place), bits, ty });
                found.push(Named { text, function, ty, bits, load });
            }
        }
    }
}

/// The expression, added to the program if it is not there among the last ones.
pub fn add_expr(program: &mut Program, expr: Expr) -> ExprId {
    program.exprs.push(expr);
    ExprId(program.exprs.len() as u32 - 1)
}

/// A symbol for each scalar that has a name: what predicates are terms over, whatever the moment.
pub struct Symbols {
    /// In the order of the scalars.
    pub all: Vec<Term>,
    /// And back.
    pub number: HashMap<Term, usize>,
}

impl Symbols {
    /// New symbols.
    pub fn new(terms: &mut Terms, named: &[Named]) -> Symbols {
        let all: Vec<Term> = named.iter().map(|named| terms.fresh(&named.text, named.bits)).collect();
        let number = all.iter().enumerate().map(|(number, symbol)| (*symbol, number)).collect();
        Symbols { all, number }
    }
}

/// What the named scalars hold at one moment.
#[derive(Clone, Debug)]
pub struct View {
    /// The step that comes next.
    pub step: usize,
    /// It comes about iff this is 1.
    pub guard: Term,
    /// The moments that may come right before it, by their numbers.
    pub previous: Vec<usize>,
    /// What globals hold, by number.
    pub globals: BTreeMap<usize, Term>,
    /// What is in scope besides: nothing at first, then the locals of each activation, the innermost last.
    pub scopes: Vec<Scope>,
    /// The user's conditions, by number.
    pub given: Vec<(usize, Term)>,
}

/// The locals of an activation.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The function; none for no activation.
    pub function: Option<FunctionId>,
    /// What its locals hold, by number.
    pub held: BTreeMap<usize, Term>,
}

/// What each term is called at one moment, in the scope of one activation.
pub struct Holders {
    names: HashMap<Term, Term>,
}

impl Holders {
    /// `held`: scalars by number, and what they hold. The first of several that hold the same is taken.
    pub fn new(terms: &mut Terms, symbols: &Symbols, held: impl Iterator<Item = (usize, Term)>) -> Holders {
        let mut names = HashMap::new();
        for (number, term) in held {
            if terms.as_const(term).is_some() {
                continue;
            }
            let symbol = symbols.all[number];
            names.entry(term).or_insert(symbol);
            // A truth value in memory, or a pointer that is one free bit: the bit is "not zero".
            let bit = match terms.node(term) {
                Node::Zext { term: bit, .. } if terms.width(bit) == 1 => Some(bit),
                Node::Ite(bit, _, no) if terms.is_variable(bit) && terms.as_const(no) == Some(0) => Some(bit),
                _ => None,
            };
            if let Some(bit) = bit {
                let is_set = terms.is_nonzero(symbol);
                names.entry(bit).or_insert(is_set);
            }
        }
        Holders { names }
    }

    /// What a term is called.
    pub fn name(&self, term: Term) -> Option<Term> {
        self.names.get(&term).copied()
    }
}
