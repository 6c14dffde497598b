//! The start function: makes the inputs of the entry function, calls it, stops.

use super::function::FunctionState;
use super::pointees::{Made, STRING};
use super::{Lowering, display_name, intern, tree};
use crate::c::tree::Tree;
use crate::c::{Errors, Options, crash, versions};
use crate::program::{
    Author, BinaryOp, ExprId, FunctionId, Operand, Origin, PlaceId, SiteId, SiteKind, StatementKind, Terminator, Type,
    TypeId,
};
use crate::source::{Diagnostic, Severity, Span};

/// The most arguments that `main` gets.
const MOST_ARGUMENTS: u64 = 4;

/// The function where execution starts, or what to do if there is none.
pub(super) fn find_entry(tree: &Tree, options: &Options) -> Result<tree::FunctionId, Errors> {
    let with_body = |f: &&tree::Function| f.body.is_some() && !f.system;
    // A fuzz target comes before a `main` that runs it.
    let target = |f: &tree::Function| f.body.is_some() && f.name == crash::FUZZ_ENTRY;
    if options.crash.is_some()
        && options.entry == "main"
        && let Some(at) = tree.functions.iter().position(target)
    {
        return Ok(tree::FunctionId(at as u32));
    }
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
        self.claim_initialisers();
        self.run_constructors(of.span);
        self.begin_trial(of.name == "main", of.span);
        let parameters = &of.parameters;
        let arguments: Vec<Operand> = match self.is_main_with_arguments(of) {
            _ if self.options.crash.is_some() && of.name != "main" => self.crash_arguments(of),
            // What calls both programs gives them their arguments.
            _ if self.options.console.is_some() && self.options.reference.is_some() => Vec::new(),
            true if self.options.trials.is_some() => self.trial_arguments(),
            true => self.main_arguments(parameters),
            false => {
                let mut made = Made::default();
                let arguments = parameters.iter().map(|p| self.argument(*p, &mut made)).collect();
                self.program.arguments = made.assumed(self.options.never_null);
                arguments
            }
        };
        if let Some(crash) = &self.options.crash {
            self.program.arguments = crash.told();
        }
        if let Some(console) = &self.options.console {
            self.program.arguments = console.told();
        }
        let arguments = match of.lists_arguments && self.options.console.is_none() {
            true => self.with_list(arguments, parameters.len(), of.span),
            false => arguments,
        };
        let target = self.trial_status(of.returns);
        let function = self.comparison().unwrap_or(entry_id);
        self.emit(StatementKind::Call { target, function, arguments }, of.span);
        if of.name == "main" {
            self.run_at_exit(of.end);
        }
        self.end_trial(self.only_return(of).unwrap_or(of.end));
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

    /// The `return` of a function that has one and no more.
    fn only_return(&self, of: &tree::Function) -> Option<Span> {
        // The closing brace may stand for one that is not written.
        let whole = Span::new(of.span.file, of.span.start, of.end.start);
        let is_return =
            |stmt: &&tree::Stmt| matches!(stmt.kind, tree::StmtKind::Return(_)) && whole.contains(stmt.span);
        let mut returns = self.tree.stmts.iter().filter(is_return).map(|stmt| stmt.span);
        let first = returns.next()?;
        returns.all(|other| other == first).then_some(first)
    }

    /// What calls the entry function and compares it with the reference, if there is one.
    fn comparison(&mut self) -> Option<FunctionId> {
        self.options.reference.as_ref()?;
        let at = self.tree.functions.iter().position(|of| of.name == versions::COMPARE)?;
        Some(self.user_function(tree::FunctionId(at as u32)))
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

    /// A local whose contents are inputs.
    pub(super) fn unknown_local(&mut self, name: String, ty: TypeId, span: Span, kind: SiteKind) -> PlaceId {
        let site = self.site(name.clone(), ty, span, kind);
        let local = self.add_local(name, ty, span, site);
        self.emit(StatementKind::Declare { local }, span);
        self.local_place(local)
    }

    /// An input for a parameter.
    pub(super) fn scalar_input(&mut self, name: &str, ty: TypeId, span: Span) -> ExprId {
        self.input_or(name, ty, None, None, span)
    }

    /// The same of a pointer that is NULL or points to this object, in a place of its own or in one that there is.
    pub(super) fn input_or(
        &mut self,
        name: &str,
        ty: TypeId,
        place: Option<PlaceId>,
        object: Option<ExprId>,
        span: Span,
    ) -> ExprId {
        let site = self.site(name, ty, span, SiteKind::Parameter);
        let target = place.unwrap_or_else(|| {
            let local = self.add_local(name.to_owned(), ty, span, site);
            self.local_place(local)
        });
        self.emit(StatementKind::Input { target, site, object }, span);
        self.load(target)
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
        arguments.extend(parameters[2..].iter().map(|p| self.argument(*p, &mut Made::default())));
        arguments
    }
}
