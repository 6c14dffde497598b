//! Conditions that the user wants to be looked at along runs, `--predicate 'x > y'` or `--predicate 'process: y < 0'`, as
//! expressions of a program that has been read already.
//!
//! A condition must be read in the scope of its function, so the program is read once more, with the condition as an
//! assumption after the last of the outermost declarations that it needs. Of that second reading only the
//! expression is kept: it is copied into the first program, variables by their names.

use super::assume::{self, Edited, Placed, Statement};
use super::tree::{ObjectId, StmtId, StmtKind, Tree};
use super::{Errors, Loader, Options, front};
use crate::program::watched::{self, Watched};
use crate::program::{
    Base, Expr, ExprId, ExprKind, Function, FunctionId, GlobalId, LocalId, MemoryQuestion, Place, PlaceId, Program,
    Projection, StatementKind, Type, TypeId,
};
use crate::source::{Diagnostic, Severity, Sources};

/// A condition as it is typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypedCondition {
    /// The function whose variables it is over; none for the entry function.
    pub function: Option<String>,
    /// The condition in C.
    pub condition: String,
    /// What to call it in messages: `--predicate 'x > y'`.
    pub origin: String,
}

impl TypedCondition {
    /// `x > y` or `process: y < 0`, from the named option.
    pub fn new(option: &str, text: &str) -> TypedCondition {
        let origin = format!("{option} '{}'", text.trim());
        let is_name = |name: &str| {
            let mut letters = name.chars();
            letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
                && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        match text.split_once(':') {
            Some((name, condition)) if is_name(name.trim()) => TypedCondition {
                function: Some(name.trim().to_owned()),
                condition: condition.trim().to_owned(),
                origin,
            },
            _ => TypedCondition { function: None, condition: text.trim().to_owned(), origin },
        }
    }
}

/// Adds conditions to a program that was read from these files. The sources are those of the second reading, for its
/// errors.
pub fn add(
    program: &mut Program,
    typed: &[TypedCondition],
    files: &[String],
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
) -> Result<Vec<Watched>, Errors> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let mut first = Sources::new();
    let placed = front::read(files, options, loader, &mut first)
        .and_then(|tree| place(typed, &options.entry, &tree, &first))
        .inspect_err(|_| *sources = first.clone())?;
    let texts = placed.texts(&first);
    let headers = typed.iter().enumerate().map(|(index, typed)| {
        let marker = format!("#line 1 \"{}\"", typed.origin.replace(['"', '\\'], "'"));
        let condition = typed.condition.replace(['\n', '\r'], " ");
        (assume::header(index, false), format!("__CPROVER_assume(\n{marker}\n{condition}\n);\n"))
    });
    let again = super::read(files, options, &Edited { loader, texts: &texts, headers: headers.collect() }, sources)?;
    let mut found = Vec::new();
    let mut errors = Vec::new();
    for (index, typed) in typed.iter().enumerate() {
        let header = assume::header(index, false);
        match condition(&again, &header, &typed.origin, sources)
            .and_then(|(function, condition)| Copier { from: &again, to: program, function }.watched(typed, condition))
        {
            Some(watched) => match outside(program, watched.condition) {
                Some((index, length)) => {
                    let message = format!("index {index} is outside of an array of {length}");
                    errors.push(error(typed, &message, &format!("the last element is number {}", length.max(1) - 1)));
                }
                None => found.push(watched),
            },
            None => errors.push(error(
                typed,
                "is not a condition that can be looked at without executing anything",
                "write a comparison of variables, without calls, assignments and side effects",
            )),
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// A constant index that is outside of its array, and the array's length.
fn outside(program: &Program, condition: ExprId) -> Option<(u128, u64)> {
    watched::places(program, condition).into_iter().find_map(|place| {
        let place = program.place(place);
        let mut ty = place.base_type;
        for projection in &place.path {
            match (projection, program.ty(ty)) {
                (Projection::Index(index), Type::Array { of, length }) => {
                    if let ExprKind::Const(index) = program.expr(*index).kind
                        && index >= u128::from(*length)
                    {
                        return Some((index, *length));
                    }
                    ty = *of;
                }
                (Projection::Field(number), Type::Record { fields, .. }) => ty = fields.get(*number as usize)?.ty,
                _ => return None,
            }
        }
        None
    })
}

fn error(typed: &TypedCondition, message: &str, help: &str) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        message: format!("{}: {message}", typed.origin),
        span: None,
        help: Some(help.to_owned()),
    }
}

/// Does a text have this word?
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

/// A statement before which some variables can be named.
struct Scope {
    at: StmtId,
    braced: bool,
    /// How many of those that are wanted.
    names: usize,
}

/// Each block and loop that declares wanted variables, with its first statement behind them; the outer ones first.
fn find_scopes(tree: &Tree, id: StmtId, is_wanted: &dyn Fn(&ObjectId) -> bool, above: usize, found: &mut Vec<Scope>) {
    let declared = |id: &StmtId| match &tree.stmts[id.0 as usize].kind {
        StmtKind::Declare(objects) => objects.iter().filter(|object| is_wanted(object)).count(),
        _ => 0,
    };
    let kind = &tree.stmts[id.0 as usize].kind;
    let (names, inside) = match kind {
        StmtKind::Block(inside) => {
            let names = above + inside.iter().map(declared).sum::<usize>();
            let behind = inside.iter().rposition(|id| declared(id) > 0).map_or(0, |at| at + 1);
            let at = inside.get(behind).or(inside.last()).filter(|_| names > above);
            found.extend(at.map(|at| Scope { at: *at, braced: false, names }));
            (names, inside.clone())
        }
        StmtKind::For { init, body, .. } => {
            let names = above + init.iter().map(declared).sum::<usize>();
            let (at, braced) = match &tree.stmts[body.0 as usize].kind {
                StmtKind::Block(inside) => (inside.first().copied(), false),
                _ => (Some(*body), true),
            };
            found.extend(at.filter(|_| names > above).map(|at| Scope { at, braced, names }));
            (names, vec![*body])
        }
        kind => (above, kind.parts()),
    };
    inside.into_iter().for_each(|id| find_scopes(tree, id, is_wanted, names, found));
}

/// Where each condition goes: after the last declaration in its function of a variable that it names, in the first block where most of
/// them can be named. (What comes later may never be reached.)
fn place(typed: &[TypedCondition], entry: &str, tree: &Tree, sources: &Sources) -> Result<Placed, Errors> {
    let mut placed = Placed::default();
    let mut errors = Vec::new();
    let functions = || tree.functions.iter().filter(|function| !function.system && function.body.is_some());
    for (index, typed) in typed.iter().enumerate() {
        let name = typed.function.as_deref().unwrap_or(entry);
        let body = functions().find(|f| f.unique_name == name || f.name == name).and_then(|f| f.body);
        let last = body.and_then(|body| {
            let is_named = |object: &ObjectId| mentions(&typed.condition, &tree.objects[object.0 as usize].name);
            let mut scopes = Vec::new();
            find_scopes(tree, body, &is_named, 0, &mut scopes);
            // The first of those with most of the names.
            let best = scopes.into_iter().rev().max_by_key(|scope| scope.names).filter(|scope| scope.names > 0);
            best.or_else(|| match &tree.stmts[body.0 as usize].kind {
                StmtKind::Block(inside) => inside.first().map(|at| Scope { at: *at, braced: false, names: 0 }),
                _ => None,
            })
        });
        if assume::is_assignment(&typed.condition) {
            errors.push(error(typed, "this assigns something, and a condition only looks", "to compare write `==`"));
            continue;
        }
        if !assume::is_one_expression(&typed.condition) {
            errors.push(error(typed, "this is not one expression", "write one condition, for example 'x > y'"));
            continue;
        }
        match (body, last) {
            (_, Some(Scope { at, braced, .. })) => {
                let span = tree.stmts[at.0 as usize].span;
                placed.insert(index, Statement { span, braced }, sources);
            }
            (Some(_), None) => errors.push(error(typed, &format!("`{name}` is empty"), "choose another function")),
            (None, _) => {
                let mut names: Vec<&str> = functions().map(|function| function.unique_name.as_str()).collect();
                names.sort_unstable();
                let help = format!("the functions are {}; write 'FUNCTION: EXPR'", names.join(", "));
                errors.push(error(typed, &format!("there is no function `{name}` with a body"), &help));
            }
        }
    }
    if errors.is_empty() { Ok(placed) } else { Err(errors) }
}

/// The condition that a header assumes, and the function it stands in.
fn condition(program: &Program, header: &str, told: &str, sources: &Sources) -> Option<(FunctionId, ExprId)> {
    let mut found = None;
    for (index, function) in program.functions.iter().enumerate() {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            if let StatementKind::Assume { condition } = statement.kind
                && (sources.file(statement.span.file).name.ends_with(header)
                    || sources.position(statement.span).file == told.replace(['"', '\\'], "'"))
            {
                found = Some((FunctionId(index as u32), condition));
            }
        }
    }
    found
}

/// Copies an expression from one reading of a program into another.
struct Copier<'a> {
    from: &'a Program,
    to: &'a mut Program,
    function: FunctionId,
}

impl Copier<'_> {
    fn watched(mut self, typed: &TypedCondition, condition: ExprId) -> Option<Watched> {
        let function = self.function(self.function)?;
        let condition = self.expr(function, condition)?;
        let global = watched::is_global(self.to, condition);
        Some(Watched { text: typed.condition.clone(), function: (!global).then_some(function), condition })
    }

    /// The function of the same name; the start function has the name of the entry.
    fn function(&self, id: FunctionId) -> Option<FunctionId> {
        let wanted = self.from.function(id);
        let is_same = |other: &Function| other.name == wanted.name && other.author == wanted.author;
        self.to.functions.iter().position(is_same).map(|index| FunctionId(index as u32))
    }

    fn expr(&mut self, function: FunctionId, id: ExprId) -> Option<ExprId> {
        let expr = *self.from.expr(id);
        let kind = match expr.kind {
            ExprKind::Const(value) => ExprKind::Const(value),
            ExprKind::Load(place) => ExprKind::Load(self.place(function, place)?),
            ExprKind::AddressOf(place) => ExprKind::AddressOf(self.place(function, place)?),
            ExprKind::FunctionAddress(whose) => ExprKind::FunctionAddress(self.function(whose)?),
            ExprKind::Unary(op, a) => ExprKind::Unary(op, self.expr(function, a)?),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, self.expr(function, a)?, self.expr(function, b)?),
            ExprKind::Ite(a, b, c) => {
                ExprKind::Ite(self.expr(function, a)?, self.expr(function, b)?, self.expr(function, c)?)
            }
            ExprKind::Convert(how, a) => ExprKind::Convert(how, self.expr(function, a)?),
            ExprKind::Rounded { mode, value } => {
                ExprKind::Rounded { mode: self.expr(function, mode)?, value: self.expr(function, value)? }
            }
            ExprKind::Memory(MemoryQuestion::SameObject(a, b)) => {
                ExprKind::Memory(MemoryQuestion::SameObject(self.expr(function, a)?, self.expr(function, b)?))
            }
            ExprKind::Memory(_) => return None,
        };
        let ty = self.ty(expr.ty)?;
        self.to.exprs.push(Expr { kind, bits: expr.bits, ty });
        Some(ExprId(self.to.exprs.len() as u32 - 1))
    }

    fn place(&mut self, function: FunctionId, id: PlaceId) -> Option<PlaceId> {
        let place = self.from.place(id).clone();
        let base = match place.base {
            Base::Local(local) => Base::Local(self.local(function, local)?),
            Base::Global(global) => Base::Global(self.global(global)?),
            Base::Deref(pointer) => Base::Deref(self.expr(function, pointer)?),
        };
        let mut path = Vec::with_capacity(place.path.len());
        for projection in place.path {
            path.push(match projection {
                Projection::Field(number) => Projection::Field(number),
                Projection::Index(index) => Projection::Index(self.expr(function, index)?),
            });
        }
        let (base_type, ty) = (self.ty(place.base_type)?, self.ty(place.ty)?);
        self.to.places.push(Place { base, base_type, path, ty, bits: place.bits });
        Some(PlaceId(self.to.places.len() as u32 - 1))
    }

    /// The local of the same name; of several the one with the same number among them. Temporaries hold what was executed.
    fn local(&self, function: FunctionId, local: LocalId) -> Option<LocalId> {
        let (old, new) = (&self.from.function(self.function).locals, &self.to.function(function).locals);
        let wanted = &old[local.index()];
        let number = old[..local.index()].iter().filter(|other| other.name == wanted.name).count();
        let mut same = new.iter().enumerate().filter(|(_, other)| other.name == wanted.name);
        let (index, _) = same.nth(number).filter(|_| !wanted.temporary)?;
        Some(LocalId(index as u32))
    }

    fn global(&self, global: GlobalId) -> Option<GlobalId> {
        let wanted = &self.from.globals[global.index()];
        let number = self.from.globals[..global.index()].iter().filter(|other| other.name == wanted.name).count();
        let mut same = self.to.globals.iter().enumerate().filter(|(_, other)| other.name == wanted.name);
        let (index, _) = same.nth(number).filter(|_| !wanted.name.starts_with('"'))?;
        Some(GlobalId(index as u32))
    }

    fn ty(&mut self, ty: TypeId) -> Option<TypeId> {
        let found = (0..self.to.types.len()).find(|index| self.is_same(TypeId(*index as u32), ty, 6));
        if let Some(index) = found {
            return Some(TypeId(index as u32));
        }
        let new = match self.from.ty(ty) {
            Type::Pointer { to } => Type::Pointer { to: self.ty(*to)? },
            Type::Array { .. } | Type::Record { .. } => return None,
            scalar => scalar.clone(),
        };
        self.to.types.push(new);
        Some(TypeId(self.to.types.len() as u32 - 1))
    }

    /// Are two types the same, as far as one can tell by looking so deep?
    fn is_same(&self, new: TypeId, old: TypeId, depth: u32) -> bool {
        let deeper = |new: TypeId, old: TypeId| depth == 0 || self.is_same(new, old, depth - 1);
        match (self.to.ty(new), self.from.ty(old)) {
            (Type::Pointer { to: a }, Type::Pointer { to: b }) => deeper(*a, *b),
            (Type::Array { of: a, length: x }, Type::Array { of: b, length: y }) => x == y && deeper(*a, *b),
            (Type::Record { name: a, fields: x, size: s, .. }, Type::Record { name: b, fields: y, size: t, .. }) => {
                let fields = || x.iter().zip(y);
                (a, s, x.len()) == (b, t, y.len()) && fields().all(|(x, y)| x.name == y.name && deeper(x.ty, y.ty))
            }
            (Type::Pointer { .. } | Type::Array { .. } | Type::Record { .. }, _) => false,
            (a, b) => a == b,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::*;

    const TEXT: &str = "\
int nondet_int(void);
int limit = 3;
struct pair { int low, high; } p;
static int twice(int n) { int r = n * 2; return r; }
int main(void)
{
    int n = nondet_int();
    int sum = 0;
    if (n > limit)
        n = limit;
    p.low = n;
    sum = twice(n);
    return sum;
}
";

    struct One;

    impl Loader for One {
        fn load(&self, _: &Path) -> io::Result<Vec<u8>> {
            Ok(TEXT.as_bytes().to_vec())
        }

        fn exists(&self, path: &Path) -> bool {
            path == Path::new("a.c")
        }
    }

    fn added(texts: &[&str]) -> Result<(Program, Vec<Watched>), String> {
        let (files, mut sources) = (["a.c".to_owned()], Sources::new());
        let mut program =
            crate::c::read(&files, &Options::default(), &One, &mut sources).map_err(|e| e[0].message.clone())?;
        let typed: Vec<TypedCondition> = texts.iter().map(|text| TypedCondition::new("--predicate", text)).collect();
        let watched = add(&mut program, &typed, &files, &Options::default(), &One, &mut sources);
        watched.map(|watched| (program, watched)).map_err(|errors| {
            let at = errors[0].span.map(|span| sources.position(span).file).unwrap_or_default();
            format!("{at} {}", errors[0].message)
        })
    }

    #[test]
    fn bad_conditions_are_told() {
        assert_eq!(added(&["m > 0"]).unwrap_err().split(' ').next(), Some("--predicate"));
        assert!(added(&["n > 0; n"]).unwrap_err().contains("not one expression"));
        assert!(added(&["thrice: n > 0"]).unwrap_err().contains("no function `thrice`"));
        assert!(added(&["twice(n) > 0"]).unwrap_err().contains("without executing"));
        assert!(added(&["n++ > 0"]).unwrap_err().contains("without executing"));
        assert!(added(&["n = 0"]).unwrap_err().contains("assigns"));
        assert!(added(&["n <<= 1"]).unwrap_err().contains("assigns"));
        assert!(added(&["n >= '=' && n <= 9 && n != 3"]).is_ok());
    }
}
