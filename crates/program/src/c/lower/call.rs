//! Calls: of the user's functions, of our models of the library, of functions without a body, and through pointers.

use std::rc::Rc;

use super::{IndirectCall, Instance, Lowering, tree};
use crate::c::checkers;
use crate::c::standard::{self, Without};
use crate::c::tree::{Builtin, ExprKind, StorageDuration};
use crate::c::trial;
use crate::program::{
    BinaryOp, Block, BlockId, BranchRole, ClaimKind, Decision, ExprId, ExprKind as P, FunctionId, Operand, Origin,
    PlaceId, SiteId, SiteKind, Statement, StatementKind, Terminator, Type, TypeId,
};
use crate::source::{Sources, Span};

/// What becomes of the result of a call.
#[derive(Clone, Copy)]
pub(super) enum ResultUse {
    /// It is not used.
    Nothing,
    /// It is used in an expression.
    Value,
    /// It goes there.
    Into(PlaceId),
}

/// A call in the text.
#[derive(Clone, Copy)]
pub(super) struct CallSite<'t> {
    pub(super) arguments: &'t [tree::ExprId],
    /// Type of the result.
    pub(super) ty: TypeId,
    /// The call.
    pub(super) span: Span,
    /// The statement that is the call: the assignment of its result, if there is one.
    pub(super) statement: Span,
    pub(super) result: ResultUse,
}

impl<'a> Lowering<'a> {
    pub(super) fn call_value(&mut self, e: tree::ExprId) -> ExprId {
        let (ty, span) = (self.tree.expr(e).ty, self.tree.expr(e).span);
        let value = self.call(e, ResultUse::Value, span);
        let ty = if self.program.is_scalar(ty) { ty } else { self.basic.int };
        value.unwrap_or_else(|| self.constant(0, ty))
    }

    pub(super) fn call_effect(&mut self, e: tree::ExprId) {
        let span = self.tree.expr(e).span;
        self.call(e, ResultUse::Nothing, span);
    }

    /// A call whose result is a record.
    pub(super) fn call_record(&mut self, e: tree::ExprId) -> PlaceId {
        let (ty, span) = (self.tree.expr(e).ty, self.tree.expr(e).span);
        let local = self.temporary(ty, span);
        let place = self.local_place(local);
        self.call(e, ResultUse::Into(place), span);
        place
    }

    /// If the expression is a call that returns just the type of the place, lets it put its result there.
    pub(super) fn call_into(&mut self, e: tree::ExprId, target: PlaceId, statement: Span) -> bool {
        let expr = self.tree.expr(e);
        let fits = self.program.place(target).ty == expr.ty;
        if !fits || !matches!(expr.kind, ExprKind::Call { .. }) {
            return false;
        }
        self.call(e, ResultUse::Into(target), statement);
        true
    }

    fn call(&mut self, e: tree::ExprId, result: ResultUse, statement: Span) -> Option<ExprId> {
        let tree = self.tree;
        let expr = tree.expr(e);
        let ExprKind::Call { callee, arguments } = &expr.kind else { return None };
        let site = CallSite { arguments, ty: expr.ty, span: expr.span, statement, result };
        if self.is_quantifier(*callee) {
            return self.quantified(self.quantifier(e), &site);
        }
        match self.called_function(*callee) {
            Some(function) => {
                let result = self.direct_call(function, &site);
                self.disturb_errno(function, &site);
                result
            }
            None => self.indirect_call(*callee, &site),
        }
    }

    /// After most functions of the library `errno` may be another number: one that we do not know.
    fn disturb_errno(&mut self, function: tree::FunctionId, site: &CallSite) {
        let of = self.tree.function(function);
        let is_quiet = self.in_library() || self.is_known_stream(&of.name) || !standard::disturbs_errno(&of.name);
        let Some(errno) = self.errno.filter(|_| !is_quiet) else { return };
        if of.body.is_some() && !self.is_library(function) {
            return;
        }
        let ty = self.tree.object(errno).ty;
        let id = self.site(format!("{}()", of.name), ty, self.span(site.span), SiteKind::Invented);
        let target = self.object_place(errno);
        self.emit(StatementKind::Input { target, site: id, object: None }, site.span);
    }

    /// The function that a callee names, through the decorations that C allows.
    pub(super) fn called_function(&self, callee: tree::ExprId) -> Option<tree::FunctionId> {
        match self.tree.expr(callee).kind {
            ExprKind::FunctionAddress(function) => Some(function),
            ExprKind::Deref(inner) | ExprKind::AddressOf(inner) => self.called_function(inner),
            ExprKind::Convert { operand, .. } => self.called_function(operand),
            _ => None,
        }
    }

    fn direct_call(&mut self, function: tree::FunctionId, site: &CallSite<'a>) -> Option<ExprId> {
        let of = self.tree.function(function);
        let library = self.is_library(function);
        let seen = of.body.is_none() && self.options.actions.contains(&of.name);
        if (of.body.is_some() || seen) && !library {
            let id = self.user_function(function);
            if seen && self.may_write(of, site.arguments) {
                if site.arguments.iter().any(|argument| self.has_effect(*argument)) {
                    let what =
                        format!("a call of {}, which has no body, with arguments that change something", of.name);
                    self.unsupported(what, site.span);
                    return None;
                }
                self.pass_to_unknown(of, site);
            }
            return self.call_body(function, id, site);
        }
        let is_modelled = library && self.is_known_stream(&of.name);
        if !is_modelled && let Some(done) = self.vocabulary(&of.name, site) {
            return done;
        }
        // C23 has it in stddef.h.
        if of.implicit && of.name == "unreachable" {
            self.builtin(Builtin::Unreachable, &[], site.ty, site.span);
            return None;
        }
        // Who declares one with other parameters means a function of his own.
        let fits = of.variadic || of.parameters.len() == site.arguments.len();
        if library && fits {
            let instance =
                if trial::is_shared(self.options, &of.name) { self.shared_instance() } else { self.instance_for(site) };
            let id = self.library_function(function, instance);
            return self.call_body(function, id, site);
        }
        if let Some(objection) = self.objection(of) {
            self.unsupported(objection, site.span);
            return None;
        }
        self.call_unknown(function, site)
    }

    /// The call of the user that a model belongs to: this one, or the one that the model under work belongs to.
    fn instance_for(&mut self, site: &CallSite) -> Rc<Instance> {
        if let Some(instance) = &self.f.instance {
            return instance.clone();
        }
        self.calls += 1;
        Rc::new(Instance {
            call: self.calls,
            span: site.span,
            owner: self.f.owner.clone(),
            arguments: site.arguments.iter().map(|a| self.words(*a)).collect(),
            never_zero: site.arguments.iter().map(|a| self.is_never_zero(*a)).collect(),
            is_used: !matches!(site.result, ResultUse::Nothing),
        })
    }

    fn is_never_zero(&self, e: tree::ExprId) -> bool {
        let (least, most) = self.range(e);
        least > 0 || most < 0
    }

    fn call_body(&mut self, function: tree::FunctionId, id: FunctionId, site: &CallSite) -> Option<ExprId> {
        let of = self.tree.function(function);
        let parameters: Vec<TypeId> = of.parameters.iter().map(|p| self.tree.object(*p).ty).collect();
        if let Some(mismatch) = self.mismatch(of, &parameters, site) {
            self.unsupported(format!("a call of {} {mismatch}", of.name), site.span);
            return None;
        }
        let arguments = self.operands(site.arguments, &parameters);
        let arguments =
            if of.lists_arguments { self.with_list(arguments, parameters.len(), site.span) } else { arguments };
        let target = match site.result {
            ResultUse::Into(place) if self.program.size_bits(of.returns) == self.program.place(place).bits => {
                Some(place)
            }
            ResultUse::Nothing => None,
            _ => self.result_place(site, of.returns),
        };
        let target = target.filter(|_| !self.is_void(of.returns));
        self.emit(StatementKind::Call { target, function: id, arguments }, site.statement);
        if !of.system {
            self.return_if_left(site.span);
        }
        match (site.result, target) {
            (ResultUse::Value, Some(place)) if self.program.is_scalar(of.returns) => {
                let value = self.load(place);
                Some(self.convert(value, of.returns, site.ty))
            }
            _ => None,
        }
    }

    /// What a call does not have as the definition asks for. Calls through a prototype are converted to it, so there is something to say only
    /// where the text declares no parameters, or others than it defines.
    fn mismatch(&self, of: &tree::Function, parameters: &[TypeId], site: &CallSite) -> Option<&'static str> {
        if site.arguments.len() < parameters.len() {
            return Some("with too few arguments");
        }
        if of.system {
            return None;
        }
        if site.arguments.len() > parameters.len() && !of.variadic {
            return Some("with too many arguments");
        }
        let arguments = site.arguments.iter().map(|argument| self.tree.expr(*argument).ty);
        if arguments
            .zip(parameters)
            .any(|(ty, parameter)| ty != *parameter && self.promoted(ty) != self.promoted(*parameter))
        {
            return Some("with an argument of another type than its parameter");
        }
        let used = !matches!(site.result, ResultUse::Nothing);
        (used && self.promoted(site.ty) != self.promoted(of.returns))
            .then_some("whose result is taken for another type")
    }

    /// What default promotions make of a type, as far as calls tell types apart.
    fn promoted(&self, ty: TypeId) -> (u8, u64) {
        let bits = self.program.size_bits(ty);
        match self.program.ty(ty) {
            Type::Void => (0, 0),
            Type::Float { .. } => (1, bits.max(64)),
            Type::Pointer { .. } | Type::Array { .. } | Type::Function { .. } => (2, 0),
            Type::Record { .. } => (3, bits),
            _ => (4, bits.max(self.program.size_bits(self.basic.int))),
        }
    }

    /// The named arguments, and the address of a list of the others.
    pub(super) fn with_list(&mut self, mut arguments: Vec<Operand>, named: usize, span: Span) -> Vec<Operand> {
        let others = arguments.split_off(named);
        let list = self.pack_arguments(&others, span);
        arguments.push(Operand::Value(list));
        arguments
    }

    /// Where a result goes: where it is wanted, or into a temporary.
    fn result_place(&mut self, site: &CallSite, ty: TypeId) -> Option<PlaceId> {
        match site.result {
            ResultUse::Into(place) => Some(place),
            _ if self.is_void(ty) => None,
            _ => {
                let local = self.temporary(ty, site.span);
                Some(self.local_place(local))
            }
        }
    }

    /// Hands over a value that was computed here.
    pub(super) fn deliver(&mut self, value: ExprId, site: &CallSite) -> Option<ExprId> {
        match site.result {
            ResultUse::Into(place) => {
                self.assign(place, value, Origin::Written, site.statement);
                None
            }
            ResultUse::Value => Some(value),
            ResultUse::Nothing => None,
        }
    }

    /// Arguments, from left to right, in the widths of the parameters.
    fn operands(&mut self, arguments: &[tree::ExprId], parameters: &[TypeId]) -> Vec<Operand> {
        let mut operands: Vec<Operand> = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            if self.has_effect(*argument) {
                for operand in &mut operands {
                    *operand = self.keep_operand(*operand, *argument);
                }
            }
            let ty = self.tree.expr(*argument).ty;
            operands.push(if self.program.is_scalar(ty) {
                let value = self.value(*argument);
                match parameters.get(at) {
                    Some(to) if self.program.is_scalar(*to) && *to != ty => {
                        Operand::Value(self.convert(value, ty, *to))
                    }
                    _ => Operand::Value(value),
                }
            } else if self.is_void(ty) {
                self.effect(*argument);
                Operand::Value(self.constant(0, self.basic.int))
            } else {
                Operand::Object(self.record(*argument))
            });
        }
        operands
    }

    /// An argument that is already evaluated, safe from what a later one does.
    fn keep_operand(&mut self, operand: Operand, later: tree::ExprId) -> Operand {
        let span = self.tree.expr(later).span;
        match operand {
            Operand::Value(value) if self.disturbs(later, value) => Operand::Value(self.spill(value, span)),
            Operand::Object(_) => self.kept(operand, span),
            kept => kept,
        }
    }

    /// A value or record of its own, whatever happens to where it came from.
    pub(super) fn kept(&mut self, operand: Operand, span: Span) -> Operand {
        match operand {
            Operand::Value(value) => Operand::Value(self.spill(value, span)),
            Operand::Object(source) => {
                let ty = self.program.place(source).ty;
                let local = self.temporary(ty, span);
                let target = self.local_place(local);
                self.emit(StatementKind::Copy { target, source, origin: Origin::Tool }, span);
                Operand::Object(target)
            }
        }
    }

    /// A function of the C library without a model. None if it is no such function, or one whose result comes from outside.
    pub(super) fn call_unmodelled(&mut self, name: &str, site: &CallSite) -> Option<Option<ExprId>> {
        let header = standard::header_of(name)?;
        match standard::without_model(name) {
            Without::Model => return None,
            Without::Writes => {
                self.unsupported(format!("{name} of {header}, which writes through a pointer"), site.span);
                return Some(None);
            }
            Without::Result => {}
        }
        self.arguments_only(name, site);
        if self.is_void(site.ty) {
            let message = format!("{name} of {header} has no model: its calls do nothing");
            self.note_once(&format!("function {name}"), site.span, message, None);
            return Some(None);
        }
        if !self.program.is_scalar(site.ty) {
            self.unsupported(format!("{name} of {header}, which returns a structure"), site.span);
            return Some(None);
        }
        let message =
            format!("{name} of {header} has no model: what fails only with some of its results is left undecided");
        self.note_once(&format!("function {name}"), site.span, message, None);
        Some(self.input_of(site, site.ty, format!("{name}()"), SiteKind::Invented))
    }

    /// A function that only a header of the system declares: as little is known of it as of one of the C library without a model.
    fn call_of_system(&mut self, of: &tree::Function, site: &CallSite) -> Option<ExprId> {
        let name = &of.name;
        if self.may_write(of, site.arguments) {
            self.unsupported(format!("{name} of the system, which may write through a pointer"), site.span);
            return None;
        }
        if !self.is_void(site.ty) && !self.program.is_scalar(site.ty) {
            self.unsupported(format!("{name} of the system, which returns a structure"), site.span);
            return None;
        }
        site.arguments.iter().for_each(|a| self.effect(*a));
        if of.no_return {
            self.end_block(Terminator::Stop);
            return None;
        }
        let what = match self.is_void(site.ty) {
            true => "its calls do nothing",
            false => "what fails only with some of its results is left undecided",
        };
        self.note_once(
            &format!("function {name}"),
            site.span,
            format!("{name} of the system has no model: {what}"),
            None,
        );
        if self.is_void(site.ty) {
            return None;
        }
        self.input_of(site, site.ty, format!("{name}()"), SiteKind::Invented)
    }

    /// A function without a body: its result is an input.
    fn call_unknown(&mut self, function: tree::FunctionId, site: &CallSite) -> Option<ExprId> {
        let of = self.tree.function(function);
        if let Some(header) = standard::header_of(&of.name).filter(|_| of.implicit)
            && standard::without_model(&of.name) == Without::Result
        {
            // It would count as one that returns an int.
            self.unsupported(format!("{} of {header}, which is not declared", of.name), site.span);
            return None;
        }
        if let Some(done) = self.call_unmodelled(&of.name, site) {
            return done;
        }
        let picks = checkers::picks_a_value(&of.name);
        if of.system && !picks && standard::header_of(&of.name).is_none() {
            return self.call_of_system(of, site);
        }
        let pointers = site.arguments.iter().any(|a| self.is_pointer(self.tree.expr(*a).ty));
        // Functions of the library whose results come from outside write nothing that a program looks at.
        let known = picks || of.no_return || standard::header_of(&of.name).is_some();
        let writes = !known && self.may_write(of, site.arguments);
        if writes {
            self.pass_to_unknown(of, site);
        } else {
            self.arguments_only(&of.name, site);
        }
        if !picks {
            let result = match (self.is_void(site.ty), pointers) {
                (true, _) if writes => "what its pointers point to is any value after a call",
                (false, _) if writes => "its result is any value, and so is what its pointers point to after a call",
                (true, false) => "its calls do nothing",
                (true, true) => "its calls do nothing, and nothing is written through the pointers it gets",
                (false, false) => "its result is any value",
                (false, true) => "its result is any value, and nothing is written through the pointers it gets",
            };
            let message = format!("function {} has no body: {result}", of.name);
            self.note_once(&format!("function {}", of.name), site.span, message, None);
        }
        if of.no_return {
            self.end_block(Terminator::Stop);
            return None;
        }
        // What both versions read stands nowhere in the text.
        let name = self.compares().then(|| format!("{}()", of.name));
        self.input(site, site.ty, name)
    }

    /// An input of a type, from a call.
    pub(super) fn input(&mut self, site: &CallSite, ty: TypeId, name: Option<String>) -> Option<ExprId> {
        if self.is_void(ty) {
            return None;
        }
        let name = name.or_else(|| self.variable_name(site.result)).unwrap_or_else(|| self.call_text(site.span));
        self.input_of(site, ty, name, SiteKind::Call)
    }

    pub(super) fn input_of(&mut self, site: &CallSite, ty: TypeId, name: String, kind: SiteKind) -> Option<ExprId> {
        let span = self.span(site.span);
        let id = self.site(name, ty, span, kind);
        if !self.program.is_scalar(ty) {
            return self.record_input(site, ty, id);
        }
        let direct = matches!(site.result, ResultUse::Into(place) if self.program.place(place).ty == ty);
        let target = if direct {
            self.result_place(site, ty)?
        } else {
            // An unused result is an input all the same: the program that is replayed asks for it.
            let local = self.temporary(ty, site.span);
            self.local_place(local)
        };
        self.emit(StatementKind::Input { target, site: id, object: None }, site.statement);
        if direct || matches!(site.result, ResultUse::Nothing) {
            return None;
        }
        let value = self.load(target);
        let value = self.convert(value, ty, site.ty);
        self.deliver(value, site)
    }

    /// A record from nowhere: an object whose contents are undefined.
    fn record_input(&mut self, site: &CallSite, ty: TypeId, id: crate::program::SiteId) -> Option<ExprId> {
        if let ResultUse::Into(target) = site.result {
            let name = self.program.sites[id.index()].name.clone();
            let local = self.add_local(name, ty, site.span, id);
            self.enter_scope(local);
            self.emit(StatementKind::Declare { local }, site.statement);
            let source = self.local_place(local);
            self.emit(StatementKind::Copy { target, source, origin: Origin::Written }, site.statement);
        }
        None
    }

    /// The name of the variable that a result goes to.
    fn variable_name(&self, result: ResultUse) -> Option<String> {
        let ResultUse::Into(place) = result else { return None };
        let place = self.program.place(place);
        match place.base {
            crate::program::Base::Local(local) if place.path.is_empty() => {
                let local = &self.f.locals[local.index()];
                (!local.temporary).then(|| local.name.clone())
            }
            crate::program::Base::Global(global) if place.path.is_empty() => {
                Some(self.program.globals[global.index()].name.clone())
            }
            _ => None,
        }
    }

    /// The text of a call, or of the user's call that a model belongs to.
    pub(super) fn call_text(&self, span: Span) -> String {
        self.text(self.span(span))
    }

    /// The address of a function: it may be called through a pointer.
    pub(super) fn function_address(&mut self, function: tree::FunctionId, ty: TypeId, span: Span) -> ExprId {
        let of = self.tree.function(function);
        if of.body.is_none() && (checkers::is_reserved(&of.name) || checkers::declaration(&of.name).is_some()) {
            self.unsupported(format!("the address of {}, which is a word of checkers and no function", of.name), span);
            return self.constant(0, ty);
        }
        let id = if self.is_library(function) {
            let known = self.targets.iter().find(|(of, _)| *of == function).map(|(_, id)| *id);
            known.unwrap_or_else(|| {
                let names = self.tree.function(function).parameters.iter();
                let arguments = names.map(|p| self.tree.object(*p).name.clone()).collect();
                self.calls += 1;
                let (span, owner) = (self.span(span), self.f.owner.clone());
                let never_zero = Vec::new();
                let instance = Instance { call: self.calls, span, owner, arguments, never_zero, is_used: true };
                self.library_function(function, Rc::new(instance))
            })
        } else {
            self.user_function(function)
        };
        if !self.targets.contains(&(function, id)) {
            self.targets.push((function, id));
        }
        let bits = self.program.pointer.bits;
        self.make(P::FunctionAddress(id), bits, ty)
    }

    /// A call through a pointer: the block ends here and is completed when all functions are known.
    fn indirect_call(&mut self, callee: tree::ExprId, site: &CallSite) -> Option<ExprId> {
        let mut pointer = self.value(callee);
        if site.arguments.iter().any(|a| self.disturbs(*a, pointer)) {
            pointer = self.spill(pointer, site.span);
        }
        let arguments = self.operands(site.arguments, &[]);
        pointer = self.chosen(callee, pointer);
        let target = match site.result {
            ResultUse::Nothing => None,
            _ => self.result_place(site, site.ty),
        };
        let ty = match self.program.ty(self.tree.expr(callee).ty) {
            Type::Pointer { to } => *to,
            _ => self.tree.expr(callee).ty,
        };
        let silenced = self.is_silenced(ClaimKind::PointerDereference, site.span);
        let checked = self.options.checks.pointer && !self.in_library() && !silenced;
        let claim = checked.then(|| {
            let text = format!("{} points to a function that can be called", self.words(callee));
            self.new_claim(ClaimKind::PointerDereference, text, site.span)
        });
        let span = self.span(site.span);
        let scalar = self.program.is_scalar(site.ty);
        let input = scalar.then(|| self.site(self.text(span), site.ty, span, SiteKind::Call));
        let (block, next) = (self.f.current, self.new_block());
        self.indirect.push(IndirectCall {
            function: self.f.id,
            block,
            next,
            pointer,
            ty,
            returns: site.ty,
            target,
            arguments,
            span: self.span(site.statement),
            claim,
            site: input,
        });
        self.goto(next);
        self.begin(next);
        self.return_if_left(site.span);
        match (site.result, target) {
            (ResultUse::Value, Some(place)) if scalar => Some(self.load(place)),
            _ => None,
        }
    }

    /// Which function is called is a decision that runs are compared by: a value of its own, `*table[i]`.
    fn chosen(&mut self, callee: tree::ExprId, pointer: ExprId) -> ExprId {
        let ty = self.program.expr(pointer).ty;
        if self.in_library() || !matches!(self.program.ty(ty), Type::Pointer { .. }) {
            return pointer;
        }
        let words = self.words(callee);
        let name = format!("*{}", words.trim_start_matches('*'));
        let span = self.tree.expr(callee).span;
        let local = self.add_local(name, ty, span, SiteId(0));
        let target = self.local_place(local);
        self.emit(StatementKind::Assign { target, value: pointer, origin: Origin::Written }, span);
        self.load(target)
    }

    /// Turns every call through a pointer into a claim and a choice among the functions that it may mean.
    pub(super) fn expand_indirect_calls(&mut self) {
        for call in std::mem::take(&mut self.indirect) {
            self.interner.forget();
            self.expand(&call);
        }
    }

    fn expand(&mut self, call: &IndirectCall) {
        let targets = self.candidates(call);
        let bits = self.program.pointer.bits;
        let pointer_type = self.program.expr(call.pointer).ty;
        let mut known = self.truth_constant(false);
        let mut conditions = Vec::new();
        for (_, id) in &targets {
            let address = self.make(P::FunctionAddress(*id), bits, pointer_type);
            let same = self.binary(BinaryOp::Eq, call.pointer, address, pointer_type);
            known = self.or(known, same);
            conditions.push(same);
        }
        let span = call.span;
        if let Some(claim) = call.claim {
            let kind = StatementKind::Claim { claim, condition: known, part: false };
            self.block_of(call, call.block).statements.push(Statement { kind, span });
        }
        let mut at = call.block;
        for ((function, id), condition) in targets.iter().zip(conditions) {
            let (then, otherwise) = (self.add_block(call), self.add_block(call));
            self.block_of(call, at).end = Terminator::Branch {
                condition,
                then,
                otherwise,
                span,
                role: BranchRole::Internal,
                decision: Decision::of_role(span, BranchRole::Internal),
            };
            let statements = self.one_target(call, *function, *id);
            let block = self.block_of(call, then);
            block.statements = statements;
            block.end = Terminator::Goto(call.next);
            at = otherwise;
        }
        let what = "a call through a pointer to none of the program's functions".to_owned();
        let block = self.block_of(call, at);
        block.statements.push(Statement { kind: StatementKind::Unsupported { what }, span });
        block.end = Terminator::Stop;
    }

    fn one_target(&mut self, call: &IndirectCall, function: tree::FunctionId, id: FunctionId) -> Vec<Statement> {
        let of = self.tree.function(function);
        let span = call.span;
        let target = call.target.filter(|_| !self.is_void(of.returns));
        if of.lists_arguments {
            let what = format!("a call through a pointer of {}, which reads a variable number of arguments", of.name);
            return vec![Statement { kind: StatementKind::Unsupported { what }, span }];
        }
        if of.body.is_some() {
            let kind = StatementKind::Call { target, function: id, arguments: call.arguments.clone() };
            return vec![Statement { kind, span }];
        }
        let unmodelled = standard::header_of(&of.name).map(|header| (header, standard::without_model(&of.name)));
        if let Some((header, Without::Writes)) = unmodelled {
            let what = format!("{} of {header}, which writes through a pointer", of.name);
            return vec![Statement { kind: StatementKind::Unsupported { what }, span }];
        }
        if let (None, Some(what)) = (unmodelled, self.writes_from_afar(of, &call.arguments)) {
            return vec![Statement { kind: StatementKind::Unsupported { what }, span }];
        }
        let site = match (call.site, unmodelled) {
            (Some(_), Some((_, Without::Result))) => {
                Some(self.site(format!("{}()", of.name), call.returns, span, SiteKind::Invented))
            }
            (site, _) => site,
        };
        match (target, site) {
            (Some(target), Some(site)) => {
                vec![Statement { kind: StatementKind::Input { target, site, object: None }, span }]
            }
            _ => Vec::new(),
        }
    }

    fn block_of(&mut self, call: &IndirectCall, block: BlockId) -> &mut Block {
        &mut self.program.functions[call.function.index()].blocks[block.index()]
    }

    fn add_block(&mut self, call: &IndirectCall) -> BlockId {
        let blocks = &mut self.program.functions[call.function.index()].blocks;
        blocks.push(Block { statements: Vec::new(), end: Terminator::Stop });
        BlockId(blocks.len() as u32 - 1)
    }

    /// The functions whose address is taken and whose type fits that of the pointer; if there are none, those that take
    /// and give values of the same widths.
    fn candidates(&self, call: &IndirectCall) -> Vec<(tree::FunctionId, FunctionId)> {
        let fitting = self.targets.iter().copied().filter(|(function, _)| self.accepts(call, *function));
        let (same, other): (Vec<_>, Vec<_>) =
            fitting.partition(|(function, _)| self.are_compatible(self.tree.function(*function).ty, call.ty));
        if same.is_empty() { other } else { same }
    }

    /// Whether two types of functions are the same, or one is `int ()`, which says nothing of its parameters.
    fn are_compatible(&self, a: TypeId, b: TypeId) -> bool {
        let (Type::Function { name: a }, Type::Function { name: b }) = (self.program.ty(a), self.program.ty(b)) else {
            return a == b;
        };
        let is_open = |open: &str, other: &str| {
            open.strip_suffix("()")
                .is_some_and(|returns| other.strip_prefix(returns).is_some_and(|rest| rest.starts_with('(')))
        };
        a == b || is_open(a, b) || is_open(b, a)
    }

    fn accepts(&self, call: &IndirectCall, function: tree::FunctionId) -> bool {
        let of = self.tree.function(function);
        let parameters: Vec<TypeId> = if of.body.is_some() {
            of.parameters.iter().map(|p| self.tree.object(*p).ty).collect()
        } else {
            of.parameter_types.clone()
        };
        let enough = call.arguments.len() == parameters.len()
            || (call.arguments.len() > parameters.len() && (of.variadic || of.body.is_none()));
        let widths = parameters.iter().zip(&call.arguments).all(|(parameter, argument)| match argument {
            Operand::Value(value) => {
                self.program.is_scalar(*parameter) && self.bits_of(*parameter) == self.program.expr(*value).bits
            }
            Operand::Object(place) => self.program.place(*place).ty == *parameter,
        });
        let result = call.target.is_none()
            || (self.program.size_bits(of.returns) == self.program.size_bits(call.returns)
                && self.program.is_scalar(of.returns) == self.program.is_scalar(call.returns));
        enough && widths && result
    }
}

/// `errno`, if a text of the user's names it.
pub(super) fn errno_of(tree: &tree::Tree, sources: &Sources) -> Option<tree::ObjectId> {
    let is_errno = |of: &tree::Object| of.name == "errno" && of.storage != StorageDuration::Automatic;
    let errno = tree::ObjectId(tree.objects.iter().position(is_errno)? as u32);
    let named = tree.exprs.iter().filter(|expr| matches!(expr.kind, ExprKind::Object(object) if object == errno));
    named.into_iter().any(|expr| !sources.file(expr.span.file).system).then_some(errno)
}
