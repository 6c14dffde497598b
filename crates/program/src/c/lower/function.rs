//! One function under work: its blocks, its scopes, and the cleaning of what comes out.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Instance, Job, Lowering, display_name};
use crate::c::{tree, versions};
use crate::program::{
    Base, BinaryOp, Block, BlockId, BranchRole, ClaimKind, Decision, ExprId, Function, FunctionId, Local, LocalId,
    Operand, Origin, PlaceId, Program, SiteId, SiteKind, Statement, StatementKind, Terminator, Type, TypeId,
};
use crate::source::Span;
use nearmiss_logic::hash::FxBuild;

/// How an object of the tree lives in the function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// As this local.
    Local(LocalId),
    /// Behind the pointer in this temporary: an array of variable length.
    Pointer(LocalId),
}

/// A block of the text and the locals declared in it so far.
#[derive(Clone)]
pub(super) struct Scope {
    number: u32,
    locals: Vec<LocalId>,
}

/// A loop or `switch` around the text under work.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) break_to: BlockId,
    /// None for a `switch`.
    pub(super) continue_to: Option<BlockId>,
    /// Number of scopes that stay open.
    pub(super) depth: usize,
}

/// A check that was made in the statement under work.
pub(super) struct Checked {
    pub(super) pointer: ExprId,
    pub(super) size: ExprId,
    pub(super) write: bool,
    /// Where its claim stands in the current block.
    pub(super) at: usize,
}

/// A `goto`: the block that it ends, where it goes, and the scopes around it.
struct Jump {
    block: BlockId,
    label: tree::LabelId,
    scopes: Vec<Scope>,
}

/// A `goto *address`, completed when all labels are known.
struct ComputedJump {
    block: BlockId,
    address: ExprId,
    words: String,
    span: Span,
    scopes: Vec<Scope>,
}

pub(super) struct FunctionState {
    pub(super) id: FunctionId,
    /// The user's function that claims and sites belong to.
    pub(super) owner: String,
    pub(super) returns: TypeId,
    /// The number of its unit, if it is the user's.
    pub(super) unit: Option<u32>,
    /// Declared with `noreturn`.
    pub(super) no_return: bool,
    /// The parameter that holds the list of the arguments behind the named ones.
    pub(super) arguments: Option<LocalId>,
    pub(super) instance: Option<Rc<Instance>>,
    pub(super) end: Span,
    pub(super) locals: Vec<Local>,
    /// The object that a local is.
    pub(super) objects: Vec<Option<tree::ObjectId>>,
    pub(super) bindings: HashMap<tree::ObjectId, Binding, FxBuild>,
    pub(super) blocks: Vec<Block>,
    closed: Vec<bool>,
    pub(super) current: BlockId,
    pub(super) exits: Vec<Exit>,
    pub(super) cases: HashMap<tree::StmtId, BlockId, FxBuild>,
    pub(super) checked: Vec<Checked>,
    scopes: Vec<Scope>,
    scope_count: u32,
    labels: HashMap<tree::LabelId, BlockId, FxBuild>,
    label_scopes: HashMap<tree::LabelId, Vec<u32>, FxBuild>,
    jumps: Vec<Jump>,
    computed: Vec<ComputedJump>,
    temporaries: u32,
    /// Objects that end with the expression under work: `f().a` points into one.
    fleeting: Vec<LocalId>,
}

impl FunctionState {
    pub(super) fn new(
        id: FunctionId,
        owner: String,
        returns: TypeId,
        instance: Option<Rc<Instance>>,
        end: Span,
    ) -> FunctionState {
        FunctionState {
            id,
            owner,
            returns,
            unit: None,
            no_return: false,
            arguments: None,
            instance,
            end,
            locals: Vec::new(),
            objects: Vec::new(),
            bindings: HashMap::default(),
            blocks: vec![Block { statements: Vec::new(), end: Terminator::Stop }],
            closed: vec![false],
            current: BlockId(0),
            exits: Vec::new(),
            cases: HashMap::default(),
            checked: Vec::new(),
            scopes: Vec::new(),
            scope_count: 0,
            labels: HashMap::default(),
            label_scopes: HashMap::default(),
            jumps: Vec::new(),
            computed: Vec::new(),
            temporaries: 0,
            fleeting: Vec::new(),
        }
    }
}

impl Lowering<'_> {
    /// Lowers the body of a function.
    pub(super) fn lower_function(&mut self, job: Job) {
        let function = self.tree.function(job.function);
        let Some(body) = function.body else { return self.lower_action(&job) };
        let (owner, end) = match &job.instance {
            Some(instance) => (instance.owner.clone(), instance.span),
            // What is compared belongs to the function that is.
            None if self.options.reference.is_some() && function.name.starts_with(versions::PREFIX) => {
                (self.options.entry.clone(), function.end)
            }
            None => (display_name(function).to_owned(), function.end),
        };
        self.interner.forget();
        let unit = (job.instance.is_none() && !function.system).then_some(function.unit);
        self.f = FunctionState::new(job.id, owner, function.returns, job.instance, end);
        self.f.unit = unit;
        for parameter in &function.parameters {
            let object = self.tree.object(*parameter);
            let local = self.add_local(object.name.clone(), object.ty, object.span, SiteId(0));
            self.f.objects[local.index()] = Some(*parameter);
            self.f.bindings.insert(*parameter, Binding::Local(local));
        }
        self.f.no_return = function.no_return && !self.in_library();
        if function.lists_arguments {
            let ty = self.list_type();
            let list = self.temporary(ty, function.span);
            self.f.arguments = Some(list);
        }
        self.open_scope();
        self.statement(body);
        if reachable(&self.f.blocks)[self.f.current.index()] {
            let value = self.missing_return_value(&function.name);
            self.claim_no_return(end);
            self.end_block(Terminator::Return { value, span: end });
        }
        self.complete_computed_jumps();
        self.place_kills_of_jumps();
        let result = &mut self.program.functions[job.id.index()];
        result.parameters = function.parameters.len() as u32 + u32::from(function.lists_arguments);
        result.locals = std::mem::take(&mut self.f.locals);
        result.blocks = std::mem::take(&mut self.f.blocks);
    }

    /// A function that is declared not to return does not.
    pub(super) fn claim_no_return(&mut self, span: Span) {
        if self.f.no_return {
            let condition = self.truth_constant(false);
            let text = format!("{}, which is declared noreturn, does not return", self.f.owner);
            self.claim(ClaimKind::Unreachable, condition, text, span);
        }
    }

    /// An action without a body: it does nothing, and its result is an input.
    fn lower_action(&mut self, job: &Job) {
        let function = self.tree.function(job.function);
        let name = display_name(function).to_owned();
        self.interner.forget();
        self.f = FunctionState::new(job.id, name.clone(), function.returns, None, function.span);
        let (returns, span) = (function.returns, function.span);
        let value = match self.program.ty(returns) {
            Type::Void => None,
            _ => {
                let site = self.site(format!("{name}()"), returns, span, SiteKind::Call);
                let local = self.temporary(returns, span);
                let target = self.local_place(local);
                self.emit(StatementKind::Input { target, site, object: None }, span);
                Some(match self.program.is_scalar(returns) {
                    true => Operand::Value(self.load(target)),
                    false => Operand::Object(target),
                })
            }
        };
        let end = if function.no_return { Terminator::Stop } else { Terminator::Return { value, span } };
        self.end_block(end);
        let result = &mut self.program.functions[job.id.index()];
        result.locals = std::mem::take(&mut self.f.locals);
        result.blocks = std::mem::take(&mut self.f.blocks);
        let what = if self.is_void(returns) { "its calls do nothing" } else { "its result is any value" };
        let message = format!("function {name} has no body: {what}");
        self.note_once(&format!("function {name}"), span, message, None);
    }

    /// What a function returns that ends without `return`: `main` 0, others anything.
    pub(super) fn missing_return_value(&mut self, name: &str) -> Option<Operand> {
        let (returns, span) = (self.f.returns, self.f.end);
        match self.program.ty(returns) {
            Type::Void => None,
            Type::Integer { .. } if name == "main" => Some(Operand::Value(self.constant(0, returns))),
            _ => {
                let site = self.site(format!("result of {name}"), returns, span, SiteKind::Uninitialised);
                let local = self.add_local("$result".to_owned(), returns, span, site);
                self.emit(StatementKind::Declare { local }, span);
                let place = self.local_place(local);
                Some(if self.program.is_scalar(returns) {
                    Operand::Value(self.load(place))
                } else {
                    Operand::Object(place)
                })
            }
        }
    }

    /// Every span inside a model of the library is that of the call.
    pub(super) fn span(&self, span: Span) -> Span {
        self.f.instance.as_ref().map_or(span, |instance| instance.span)
    }

    pub(super) fn in_library(&self) -> bool {
        self.f.instance.is_some()
    }

    /// A new local.
    pub(super) fn add_local(&mut self, name: String, ty: TypeId, span: Span, site: SiteId) -> LocalId {
        let span = self.span(span);
        let scope_end = u32::MAX;
        self.f.locals.push(Local { name, ty, span, scope_end, temporary: false, address_taken: false, site });
        self.f.objects.push(None);
        LocalId(self.f.locals.len() as u32 - 1)
    }

    /// A new temporary.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.f.temporaries += 1;
        let name = format!("${}", self.f.temporaries);
        let local = self.add_local(name, ty, span, SiteId(0));
        self.f.locals[local.index()].temporary = true;
        local
    }

    /// Puts a value into a temporary, so that no effect can change it.
    pub(super) fn spill(&mut self, value: ExprId, span: Span) -> ExprId {
        let expr = *self.program.expr(value);
        if expr.bits == 1 {
            let wide = self.widen_truth(value, self.basic.truth);
            let kept = self.spill_as(wide, self.basic.truth, span);
            return self.non_zero(kept);
        }
        let ty = if self.bits_of(expr.ty) == expr.bits && self.program.is_scalar(expr.ty) {
            expr.ty
        } else {
            super::intern(
                &mut self.program,
                Type::Integer {
                    name: format!("unsigned _BitInt({})", expr.bits),
                    bits: expr.bits,
                    signed: false,
                    character: false,
                },
            )
        };
        self.spill_as(value, ty, span)
    }

    fn spill_as(&mut self, value: ExprId, ty: TypeId, span: Span) -> ExprId {
        let local = self.temporary(ty, span);
        let target = self.local_place(local);
        self.emit(StatementKind::Assign { target, value, origin: Origin::Tool }, span);
        self.load(target)
    }

    /// Adds a statement. What was checked before it may have to be checked again.
    pub(super) fn emit(&mut self, mut kind: StatementKind, span: Span) {
        if let StatementKind::Assign { target, origin, .. } | StatementKind::Copy { target, origin, .. } = &mut kind {
            let base = self.program.place(*target).base;
            let ours = matches!(base, Base::Local(local) if self.f.locals[local.index()].temporary);
            if ours || self.in_library() {
                *origin = Origin::Tool;
            }
        }
        let harmless = match &kind {
            StatementKind::Claim { .. } | StatementKind::Assume { .. } => true,
            StatementKind::Assign { origin, .. } => *origin == Origin::Tool,
            _ => false,
        };
        if !harmless {
            self.f.checked.clear();
        }
        let span = self.span(span);
        self.f.blocks[self.f.current.index()].statements.push(Statement { kind, span });
    }

    /// A construct that we do not take: executions end here.
    pub(super) fn unsupported(&mut self, what: impl Into<String>, span: Span) {
        self.emit(StatementKind::Unsupported { what: what.into() }, span);
        self.end_block(Terminator::Stop);
    }

    pub(super) fn assign(&mut self, target: PlaceId, value: ExprId, origin: Origin, span: Span) {
        let bits = self.program.place(target).bits.clamp(1, 128) as u32;
        let ty = self.program.place(target).ty;
        let value = self.resize(value, bits, false, ty);
        self.emit(StatementKind::Assign { target, value, origin }, span);
    }

    /// A block that nothing goes to yet.
    pub(super) fn new_block(&mut self) -> BlockId {
        self.f.blocks.push(Block { statements: Vec::new(), end: Terminator::Stop });
        self.f.closed.push(false);
        BlockId(self.f.blocks.len() as u32 - 1)
    }

    /// Ends the current block; what follows is unreachable until a block is begun.
    pub(super) fn end_block(&mut self, end: Terminator) {
        let end = match end {
            Terminator::Branch { condition, then, otherwise, span, role, decision } => {
                match self.as_constant(condition) {
                    Some(value) => Terminator::Goto(if value == 0 { otherwise } else { then }),
                    None => {
                        let decision = Decision { span: self.span(decision.span), ..decision };
                        Terminator::Branch { condition, then, otherwise, span: self.span(span), role, decision }
                    }
                }
            }
            Terminator::Return { value, span } => Terminator::Return { value, span: self.span(span) },
            other => other,
        };
        let at = self.f.current.index();
        if !self.f.closed[at] {
            self.f.blocks[at].end = end;
            self.f.closed[at] = true;
        }
        let next = self.new_block();
        self.begin(next);
    }

    /// Goes on in this block.
    pub(super) fn begin(&mut self, block: BlockId) {
        self.f.current = block;
        self.f.checked.clear();
    }

    pub(super) fn goto(&mut self, to: BlockId) {
        self.end_block(Terminator::Goto(to));
    }

    pub(super) fn branch_on(
        &mut self,
        condition: ExprId,
        then: BlockId,
        otherwise: BlockId,
        span: Span,
        role: BranchRole,
        decision: Decision,
    ) {
        let role = if self.in_library() && role != BranchRole::Loop { BranchRole::Internal } else { role };
        self.end_block(Terminator::Branch { condition, then, otherwise, span, role, decision });
    }

    pub(super) fn open_scope(&mut self) {
        self.f.scope_count += 1;
        self.f.scopes.push(Scope { number: self.f.scope_count, locals: Vec::new() });
    }

    /// Ends the innermost scope; its locals die.
    pub(super) fn close_scope(&mut self, span: Span) {
        let depth = self.f.scopes.len().saturating_sub(1);
        self.kill_from(depth, span);
        let ended = self.f.scopes.pop();
        let end = self.span(span).end;
        for local in ended.into_iter().flat_map(|scope| scope.locals) {
            self.f.locals[local.index()].scope_end = end;
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.f.scopes.len()
    }

    /// Whether the innermost scope has locals.
    pub(super) fn scope_has_locals(&self) -> bool {
        self.f.scopes.last().is_some_and(|scope| !scope.locals.is_empty())
    }

    /// A local belongs to the innermost scope.
    pub(super) fn enter_scope(&mut self, local: LocalId) {
        if let Some(scope) = self.f.scopes.last_mut()
            && !scope.locals.contains(&local)
        {
            scope.locals.push(local);
        }
    }

    /// The locals of scopes from this depth on die (those that pointers cannot reach are cleaned away later).
    pub(super) fn kill_from(&mut self, depth: usize, span: Span) {
        let locals: Vec<LocalId> =
            self.f.scopes.iter().skip(depth).rev().flat_map(|scope| scope.locals.iter().rev().copied()).collect();
        locals.into_iter().for_each(|local| self.kill(local, span));
    }

    /// A local dies, after the call that its attribute `cleanup` asks for.
    fn kill(&mut self, local: LocalId, span: Span) {
        if self.f.locals[local.index()].temporary && self.f.bindings.values().any(|of| *of == Binding::Pointer(local)) {
            return self.end_array(local, span);
        }
        if let Some(call) = self.cleanup_of(local) {
            self.effect(call);
        }
        self.emit(StatementKind::Kill { local }, span);
    }

    /// The life of an array of variable length ends, if it has begun.
    pub(super) fn end_array(&mut self, pointer: LocalId, span: Span) {
        let place = self.local_place(pointer);
        let pointer = self.load(place);
        self.emit(StatementKind::Free { pointer }, span);
    }

    pub(super) fn has_labels(&self) -> bool {
        !self.f.label_scopes.is_empty()
    }

    /// This object ends with the expression under work.
    pub(super) fn ends_with_expression(&mut self, local: LocalId) {
        self.f.fleeting.push(local);
    }

    /// A full expression, behind which its temporaries are no more (C17 6.2.4).
    pub(super) fn full_expression(&mut self, span: Span, work: impl FnOnce(&mut Self)) {
        let outer = std::mem::take(&mut self.f.fleeting);
        work(self);
        for local in std::mem::replace(&mut self.f.fleeting, outer) {
            self.emit(StatementKind::Kill { local }, span);
        }
    }

    fn cleanup_of(&self, local: LocalId) -> Option<tree::ExprId> {
        self.f.objects[local.index()].and_then(|object| self.tree.object(object).cleanup)
    }

    /// Whether leaving the function calls something.
    pub(super) fn has_cleanups(&self) -> bool {
        self.f.scopes.iter().flat_map(|scope| &scope.locals).any(|local| self.cleanup_of(*local).is_some())
    }

    /// The calls for all open scopes, before the function returns.
    pub(super) fn clean_up_all(&mut self) {
        let locals = self.f.scopes.iter().rev().flat_map(|scope| scope.locals.iter().rev().copied());
        let calls: Vec<tree::ExprId> = locals.filter_map(|local| self.cleanup_of(local)).collect();
        calls.into_iter().for_each(|call| self.effect(call));
    }

    fn label_block(&mut self, label: tree::LabelId) -> BlockId {
        match self.f.labels.get(&label) {
            Some(block) => *block,
            None => {
                let block = self.new_block();
                self.f.labels.insert(label, block);
                block
            }
        }
    }

    /// A label stands here.
    pub(super) fn place_label(&mut self, label: tree::LabelId) {
        let block = self.label_block(label);
        self.f.label_scopes.insert(label, self.f.scopes.iter().map(|s| s.number).collect());
        self.goto(block);
        self.begin(block);
    }

    pub(super) fn jump(&mut self, label: tree::LabelId) {
        let to = self.label_block(label);
        self.f.jumps.push(Jump { block: self.f.current, label, scopes: self.f.scopes.clone() });
        self.goto(to);
    }

    /// `goto *address`: to the label whose address it is.
    pub(super) fn computed_jump(&mut self, address: tree::ExprId, span: Span) {
        let value = self.value(address);
        let value = self.spill(value, span);
        let jump = ComputedJump {
            block: self.f.current,
            address: value,
            words: self.words(address),
            span,
            scopes: self.f.scopes.clone(),
        };
        self.f.computed.push(jump);
        self.end_block(Terminator::Stop);
    }

    /// A choice among the labels of the function, in the order of the text.
    fn complete_computed_jumps(&mut self) {
        let mut labels: Vec<tree::LabelId> = self.f.label_scopes.keys().copied().collect();
        labels.sort();
        for jump in std::mem::take(&mut self.f.computed) {
            self.begin(jump.block);
            self.f.closed[jump.block.index()] = false;
            let ty = self.program.expr(jump.address).ty;
            for label in &labels {
                let (then, otherwise) = (self.new_block(), self.new_block());
                let number = self.constant(label.address(), ty);
                let same = self.binary(BinaryOp::Eq, jump.address, number, ty);
                // No condition of the text: which label it goes to shows in what is executed next.
                let decision = Decision::of_role(jump.span, BranchRole::Internal);
                self.branch_on(same, then, otherwise, jump.span, BranchRole::Internal, decision);
                self.begin(then);
                self.f.jumps.push(Jump { block: then, label: *label, scopes: jump.scopes.clone() });
                let to = self.label_block(*label);
                self.goto(to);
                self.begin(otherwise);
            }
            let never = self.truth_constant(false);
            let text = format!("{} is the address of a label of this function", jump.words);
            self.claim(ClaimKind::PointerDereference, never, text, jump.span);
            self.end_block(Terminator::Stop);
        }
    }

    /// A `goto` kills the locals of the scopes that it leaves; which those are is known once all labels are.
    fn place_kills_of_jumps(&mut self) {
        for jump in std::mem::take(&mut self.f.jumps) {
            let Some(target) = self.f.label_scopes.get(&jump.label) else { continue };
            let left = jump.scopes.iter().filter(|scope| !target.contains(&scope.number));
            let locals: Vec<LocalId> = left.rev().flat_map(|scope| scope.locals.iter().rev().copied()).collect();
            let span = self.f.end;
            self.begin(jump.block);
            self.f.closed[jump.block.index()] = false;
            locals.into_iter().for_each(|local| self.kill(local, span));
            let to = self.label_block(jump.label);
            self.goto(to);
        }
    }
}

/// Drops what cannot be reached, steps over empty blocks, joins blocks that follow each other, and drops the deaths of
/// locals that no pointer can reach.
pub(super) fn clean(function: &mut Function) {
    if function.blocks.is_empty() {
        return;
    }
    let locals = &function.locals;
    for block in &mut function.blocks {
        block
            .statements
            .retain(|s| !matches!(s.kind, StatementKind::Kill { local } if !locals[local.index()].address_taken));
    }
    step_over_empty_blocks(&mut function.blocks);
    join_chains(&mut function.blocks);
    drop_unreachable(&mut function.blocks);
}

fn step_over_empty_blocks(blocks: &mut [Block]) {
    let target = |blocks: &[Block], from: BlockId| {
        let mut to = from;
        // Bounded: a loop of empty blocks is a loop of the program.
        for _ in 0..blocks.len() {
            match &blocks[to.index()] {
                Block { statements, end: Terminator::Goto(next) } if statements.is_empty() && *next != to => to = *next,
                _ => return to,
            }
        }
        from
    };
    for at in 0..blocks.len() {
        let mut end = blocks[at].end.clone();
        match &mut end {
            Terminator::Goto(to) => *to = target(blocks, *to),
            Terminator::Branch { then, otherwise, .. } => {
                *then = target(blocks, *then);
                *otherwise = target(blocks, *otherwise);
            }
            Terminator::Return { .. } | Terminator::Stop => {}
        }
        blocks[at].end = end;
    }
}

fn reachable(blocks: &[Block]) -> Vec<bool> {
    let mut seen = vec![false; blocks.len()];
    let mut open = vec![BlockId(0)];
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            open.extend(Program::successors(&blocks[block.index()].end));
        }
    }
    seen
}

fn join_chains(blocks: &mut [Block]) {
    let seen = reachable(blocks);
    let mut entries = vec![0u32; blocks.len()];
    entries[0] = 1;
    for (block, _) in blocks.iter().zip(&seen).filter(|(_, seen)| **seen) {
        Program::successors(&block.end).iter().for_each(|to| entries[to.index()] += 1);
    }
    for at in 0..blocks.len() {
        if !seen[at] {
            continue;
        }
        while let Terminator::Goto(next) = blocks[at].end {
            // A block that was joined away is reached by nothing but the block it went into.
            if next.index() == at || entries[next.index()] != 1 || next == BlockId(0) {
                break;
            }
            let joined =
                std::mem::replace(&mut blocks[next.index()], Block { statements: Vec::new(), end: Terminator::Stop });
            entries[next.index()] = 0;
            blocks[at].statements.extend(joined.statements);
            blocks[at].end = joined.end;
        }
    }
}

/// Keeps what can be reached, in an order in which people read: a block before what it goes to, `then` first.
fn drop_unreachable(blocks: &mut Vec<Block>) {
    let order = reading_order(blocks);
    let mut numbers = vec![BlockId(0); blocks.len()];
    for (number, block) in order.iter().enumerate() {
        numbers[block.index()] = BlockId(number as u32);
    }
    let nothing = Block { statements: Vec::new(), end: Terminator::Stop };
    let kept = order.iter().map(|block| std::mem::replace(&mut blocks[block.index()], nothing.clone()));
    *blocks = kept.collect();
    for block in blocks {
        match &mut block.end {
            Terminator::Goto(to) => *to = numbers[to.index()],
            Terminator::Branch { then, otherwise, .. } => {
                *then = numbers[then.index()];
                *otherwise = numbers[otherwise.index()];
            }
            Terminator::Return { .. } | Terminator::Stop => {}
        }
    }
}

/// Reverse postorder, the last successor visited first.
fn reading_order(blocks: &[Block]) -> Vec<BlockId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut path = vec![(BlockId(0), Program::successors(&blocks[0].end))];
    seen[0] = true;
    while let Some((block, left)) = path.last_mut() {
        match left.pop() {
            Some(next) if seen[next.index()] => {}
            Some(next) => {
                seen[next.index()] = true;
                path.push((next, Program::successors(&blocks[next.index()].end)));
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}
