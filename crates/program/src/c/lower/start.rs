//! The start function: makes the inputs of the entry function, calls it, stops.

use super::function::FunctionState;
use super::{Lowering, display_name, intern, tree};
use crate::c::tree::Tree;
use crate::c::{Errors, NullArguments, Options};
use crate::program::{
    Author, BinaryOp, ExprId, Operand, Origin, PlaceId, Projection, SiteId, SiteKind, StatementKind, Terminator, Type,
    TypeId,
};
use crate::source::{Diagnostic, Severity, Span};

/// How many characters a string parameter has, its terminator included.
const STRING: u64 = 8;
/// The most arguments that `main` gets.
const MOST_ARGUMENTS: u64 = 4;

/// The function where execution starts, or what to do if there is none.
pub(super) fn find_entry(tree: &Tree, options: &Options) -> Result<tree::FunctionId, Errors> {
    let with_body = |f: &&tree::Function| f.body.is_some() && !f.system;
    let found = tree.functions.iter().position(|f| f.body.is_some() && display_name(f) == options.entry);
    let found =
        found.or_else(|| tree.functions.iter().position(|f| f.body.is_some() && !f.system && f.name == options.entry));
    if let Some(at) = found {
        return Ok(tree::FunctionId(at as u32));
    }
    let names: Vec<&str> = tree.functions.iter().filter(with_body).map(display_name).collect();
    let shown = names.iter().take(10).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > 10 { ", …" } else { "" };
    let help = if names.is_empty() {
        "the files define no function".to_owned()
    } else {
        format!("choose one with --function NAME: {shown}{more}")
    };
    Err(vec![Diagnostic {
        severity: Severity::Error,
        message: format!("there is no function {} to start from", options.entry),
        span: None,
        help: Some(help),
    }])
}

impl Lowering<'_> {
    /// Makes the start function and asks for the entry function.
    pub(super) fn lower_start(&mut self, entry: tree::FunctionId) {
        let of = self.tree.function(entry);
        let start = self.declare_function(entry, Author::Harness, of.span);
        let entry_id = self.user_function(entry);
        self.program.start = start;
        self.program.entry = entry_id;
        self.interner.forget();
        self.f = FunctionState::new(start, display_name(of).to_owned(), self.basic.void, None, of.span);
        self.open_scope();
        self.run_constructors(of.span);
        let parameters = &of.parameters;
        let arguments: Vec<Operand> = match self.is_main_with_arguments(of) {
            true => self.main_arguments(parameters),
            false => {
                self.program.arguments = self.assumed_of_pointers(parameters);
                parameters.iter().map(|p| self.argument(*p)).collect()
            }
        };
        let arguments = match of.lists_arguments {
            true => self.with_list(arguments, parameters.len(), of.span),
            false => arguments,
        };
        self.emit(StatementKind::Call { target: None, function: entry_id, arguments }, of.span);
        if of.name == "main" {
            self.run_at_exit(of.end);
        }
        if self.options.checks.memory_leak {
            self.run_registered("claim_no_leak", of.end);
        }
        self.end_block(Terminator::Stop);
        let result = &mut self.program.functions[start.index()];
        result.returns = self.basic.void;
        result.variadic = false;
        result.locals = std::mem::take(&mut self.f.locals);
        result.blocks = std::mem::take(&mut self.f.blocks);
    }

    fn is_main_with_arguments(&self, of: &tree::Function) -> bool {
        let [count, strings, ..] = *of.parameters else { return false };
        let pointee = |ty: TypeId| match self.program.ty(ty) {
            Type::Pointer { to } => Some(*to),
            _ => None,
        };
        let characters = pointee(self.tree.object(strings).ty).and_then(pointee);
        of.name == "main"
            && self.is_integer(self.tree.object(count).ty)
            && characters.is_some_and(|ty| self.program.size_bits(ty) == 8)
    }

    /// What is assumed of the objects that arguments point to.
    fn assumed_of_pointers(&self, parameters: &[tree::ObjectId]) -> String {
        let types = || parameters.iter().map(|p| self.tree.object(*p).ty);
        let pointees = types().filter_map(|ty| match self.program.ty(ty) {
            Type::Pointer { to } => Some(*to),
            _ => None,
        });
        let (functions, objects): (Vec<TypeId>, Vec<TypeId>) =
            pointees.partition(|ty| matches!(self.program.ty(*ty), Type::Function { .. }));
        let mut assumed = Vec::new();
        if !objects.is_empty() {
            let is_text =
                |ty: &TypeId| matches!(self.program.ty(*ty), Type::Void | Type::Integer { character: true, .. });
            let length = if objects.iter().any(is_text) { format!(", of {STRING} bytes") } else { String::new() };
            let or_null = match self.options.null_arguments {
                NullArguments::Possible => "is NULL or ",
                NullArguments::Never => "",
            };
            assumed.push(format!("each pointer argument {or_null}points to one object of its own{length}"));
        }
        let records = types().filter(|ty| !matches!(self.program.ty(*ty), Type::Pointer { .. }));
        if objects.iter().copied().chain(records).any(|ty| self.holds_pointers(ty)) {
            assumed.push("pointers in objects that are passed point to nothing".to_owned());
        }
        if !functions.is_empty() {
            assumed.push("pointers to functions point to none".to_owned());
        }
        if assumed.is_empty() { String::new() } else { format!(" in which {}", assumed.join(" and ")) }
    }

    /// Has a type parts that are pointers?
    fn holds_pointers(&self, ty: TypeId) -> bool {
        match self.program.ty(ty) {
            Type::Pointer { .. } => true,
            Type::Array { of, .. } => self.holds_pointers(*of),
            Type::Record { fields, .. } => fields.iter().any(|field| self.holds_pointers(field.ty)),
            _ => false,
        }
    }

    /// A local whose contents are inputs.
    fn unknown_local(&mut self, name: String, ty: TypeId, span: Span, kind: SiteKind) -> PlaceId {
        let site = self.site(name.clone(), ty, span, kind);
        let local = self.add_local(name, ty, span, site);
        self.emit(StatementKind::Declare { local }, span);
        self.local_place(local)
    }

    /// An input for a parameter.
    fn scalar_input(&mut self, name: &str, ty: TypeId, span: Span) -> ExprId {
        self.input_or(name, ty, None, span)
    }

    /// The same of a pointer that is NULL or points to this object.
    fn input_or(&mut self, name: &str, ty: TypeId, object: Option<ExprId>, span: Span) -> ExprId {
        let site = self.site(name, ty, span, SiteKind::Parameter);
        let local = self.add_local(name.to_owned(), ty, span, site);
        let target = self.local_place(local);
        self.emit(StatementKind::Input { target, site, object }, span);
        self.load(target)
    }

    fn argument(&mut self, parameter: tree::ObjectId) -> Operand {
        let object = self.tree.object(parameter);
        let (ty, span) = (object.ty, object.span);
        let name = if object.name.is_empty() { "parameter".to_owned() } else { object.name.clone() };
        match *self.program.ty(ty) {
            Type::Pointer { to } => Operand::Value(self.pointer_argument(&name, to, ty, span)),
            _ if self.program.is_scalar(ty) => Operand::Value(self.scalar_input(&name, ty, span)),
            _ => Operand::Object(self.unknown_local(name, ty, span, SiteKind::Parameter)),
        }
    }

    /// A pointer parameter is NULL or points to a fresh object of its type: one, or a string of a few characters.
    fn pointer_argument(&mut self, name: &str, to: TypeId, ty: TypeId, span: Span) -> ExprId {
        let bits = self.program.size_bits(to);
        let place = match self.program.ty(to) {
            Type::Function { .. } => return self.scalar_input(name, ty, span),
            Type::Void => self.characters(format!("*{name}"), name, self.basic.character, span),
            Type::Integer { character: true, .. } => {
                let place = self.characters(format!("*{name}"), name, to, span);
                self.terminate(place, span);
                place
            }
            _ if bits == 0 => return self.scalar_input(name, ty, span),
            _ => self.unknown_local(format!("*{name}"), to, span, SiteKind::Pointee),
        };
        let object = self.address(place, ty);
        match self.options.null_arguments {
            NullArguments::Possible => self.input_or(name, ty, Some(object), span),
            NullArguments::Never => object,
        }
    }

    /// Some characters that a pointer points to: an object, and the name of what it holds.
    fn characters(&mut self, object: String, name: &str, of: TypeId, span: Span) -> PlaceId {
        let ty = intern(&mut self.program, Type::Array { of, length: STRING });
        let site = self.site(name, ty, span, SiteKind::Pointee);
        let local = self.add_local(object, ty, span, site);
        self.emit(StatementKind::Declare { local }, span);
        self.local_place(local)
    }

    fn terminate(&mut self, string: PlaceId, span: Span) {
        let last = self.element_of(string, STRING - 1);
        let zero = self.constant(0, self.program.place(last).ty);
        self.assign(last, zero, Origin::Tool, span);
    }

    fn element_of(&mut self, array: PlaceId, index: u64) -> PlaceId {
        let index = self.constant(u128::from(index), self.basic.difference);
        self.project(array, Projection::Index(index))
    }

    /// `main(argc, argv)`: at most four strings, then NULL.
    fn main_arguments(&mut self, parameters: &[tree::ObjectId]) -> Vec<Operand> {
        let object = |at: usize| self.tree.object(parameters[at]);
        let (count, strings) = (object(0), object(1));
        let argc = self.scalar_input(&count.name, count.ty, count.span);
        self.program.arguments =
            format!(" with at most {MOST_ARGUMENTS} arguments, each of at most {} characters", STRING - 1);
        let (least, most) = (self.constant(0, count.ty), self.constant(u128::from(MOST_ARGUMENTS), count.ty));
        let above = self.binary(BinaryOp::SLe, least, argc, count.ty);
        let below = self.binary(BinaryOp::SLe, argc, most, count.ty);
        let condition = self.and(above, below);
        self.emit(StatementKind::Assume { condition }, count.span);

        let span = strings.span;
        let (Type::Pointer { to: string }, length) = (self.program.ty(strings.ty).clone(), MOST_ARGUMENTS + 1) else {
            return vec![Operand::Value(argc)];
        };
        let character = match *self.program.ty(string) {
            Type::Pointer { to } => to,
            _ => self.basic.character,
        };
        let array = intern(&mut self.program, Type::Array { of: string, length });
        let local = self.add_local(strings.name.clone(), array, span, SiteId(0));
        self.emit(StatementKind::Declare { local }, span);
        let vector = self.local_place(local);
        let null = self.constant(0, string);
        for at in 0..length {
            let mut value = null;
            if at < MOST_ARGUMENTS {
                let name = format!("{}[{at}]", strings.name);
                let text = self.characters(name.clone(), &name, character, span);
                self.terminate(text, span);
                let address = self.address(text, string);
                let number = self.constant(u128::from(at), count.ty);
                let given = self.binary(BinaryOp::SLt, number, argc, count.ty);
                value = self.ite(given, address, null);
            }
            let element = self.element_of(vector, at);
            self.assign(element, value, Origin::Tool, span);
        }
        let address = self.address(vector, strings.ty);
        let mut arguments = vec![Operand::Value(argc), Operand::Value(address)];
        arguments.extend(parameters[2..].iter().map(|p| self.argument(*p)));
        arguments
    }
}
