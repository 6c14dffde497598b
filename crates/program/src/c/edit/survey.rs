//! What may be edited: expressions and statements of the user's that stand in the text as they are, with what is in scope there.

use std::collections::{HashMap, HashSet};

use super::Change;
use crate::c::lower::hidden;
use crate::c::tree::{
    Binary, Expr, ExprId, ExprKind, Function, FunctionId, ObjectId, ObjectKind, StmtId, StmtKind, StorageDuration, Tree,
};
use crate::c::{Options, checkers};
use crate::program::{Type, TypeId};
use crate::source::{FileId, Sources, Span};

/// Words that ask, assume or end the run: what stands in a call of one is never edited.
const WORDS: &[&str] = &[
    "assert",
    "assume",
    "klee_assume",
    "assume_abort_if_not",
    "reach_error",
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "abort",
    "exit",
    "_Exit",
];
/// So begin more of them.
const PREFIXES: &[&str] = &["__CPROVER_", "__VERIFIER_", "__ESBMC_", "__nearmiss_"];

/// How the value of an expression is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// Whether it is zero.
    Truth,
    /// As a value.
    Value,
    /// As the object that is set.
    Target,
    /// Not at all.
    Effect,
}

/// An expression that may be edited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) expr: ExprId,
    pub(super) used: Use,
    pub(super) function: u32,
    /// Number of a scope.
    pub(super) scope: usize,
}

/// A statement that may be edited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) stmt: StmtId,
    pub(super) function: u32,
    /// Number of a scope, before the statement.
    pub(super) scope: usize,
    /// The block that it stands in, if it is one of several.
    pub(super) block: Option<StmtId>,
    /// Within a loop or a `switch`.
    pub(super) breakable: bool,
}

/// A program as edits see it.
pub(super) struct Survey<'t> {
    pub(super) tree: &'t Tree,
    pub(super) sources: &'t Sources,
    hidden: Vec<bool>,
    /// Expressions, each before its parts.
    pub(super) spots: Vec<Spot>,
    pub(super) places: Vec<Place>,
    /// Objects with names that are in scope, globals first.
    scopes: Vec<Vec<ObjectId>>,
    inputs: HashSet<ObjectId>,
    /// Variables that spots set.
    assigned: HashSet<ObjectId>,
    /// The whole expression that each expression is a part of, if it is one value or condition, and how that is used.
    roots: HashMap<ExprId, (ExprId, Use)>,
    /// Functions that set nothing but their own variables.
    pure: Vec<bool>,
    /// Functions whose text may be edited.
    editable: Vec<bool>,
    /// What asks, assumes or takes inputs, in the text of those.
    pub(super) asked: Vec<Span>,
}

/// Where the walk is.
#[derive(Clone, Copy)]
struct Here {
    function: u32,
    breakable: bool,
    block: Option<StmtId>,
    /// The whole expression, and how its value is used.
    root: Option<(ExprId, Use)>,
    /// Only a part of what is set.
    partial: bool,
}

impl<'t> Survey<'t> {
    /// With a reference, only the units before that are edited.
    pub(super) fn of(
        tree: &'t Tree,
        sources: &'t Sources,
        options: &Options,
        trusted: &dyn Fn(&str) -> bool,
    ) -> Survey<'t> {
        let globals: Vec<ObjectId> = (0..tree.objects.len() as u32)
            .map(ObjectId)
            .filter(|id| {
                let object = tree.object(*id);
                let is_global = object.storage == StorageDuration::Static || object.storage == StorageDuration::Extern;
                is_global && object.kind == ObjectKind::Variable && !object.system && !object.name.is_empty()
            })
            .collect();
        let hidden = hidden(tree);
        let (spots, places, inputs, roots) = (Vec::new(), Vec::new(), HashSet::new(), HashMap::new());
        let pure = vec![true; tree.functions.len()];
        let mut survey = Survey {
            tree,
            sources,
            hidden,
            spots,
            places,
            scopes: vec![globals],
            inputs,
            assigned: HashSet::new(),
            roots,
            pure,
            editable: vec![false; tree.functions.len()],
            asked: Vec::new(),
        };
        if let Some(reference) = &options.reference {
            // Headers may be read by both.
            let units = tree.functions.iter().filter(|of| of.body.is_some() && of.unit < reference.unit && !of.system);
            let own: HashSet<FileId> = units.map(|of| of.span.file).filter(|file| !is_header(sources, *file)).collect();
            let others = sources.files().filter(|(id, _)| !own.contains(id));
            survey.asked = others.map(|(id, file)| Span::new(id, 0, file.text.len() as u32 + 1)).collect();
        }
        survey.find_inputs();
        survey.find_pure();
        for (number, function) in (0..).zip(&tree.functions) {
            let Some(body) = function.body else { continue };
            if function.system || is_untouchable(&function.name) || trusted(&function.name) {
                continue;
            }
            if survey.asked.iter().any(|asked| asked.contains(function.span))
                || options.reference.as_ref().is_some_and(|reference| reference.is_ours(&function.name))
            {
                continue;
            }
            survey.editable[number as usize] = true;
            let mut scope = survey.scopes[0].clone();
            scope.extend(&function.parameters);
            survey.scopes.push(scope);
            survey
                .statement(body, Here { function: number, breakable: false, block: None, root: None, partial: false });
        }
        survey.initial_values();
        let targets = survey.spots.iter().filter(|spot| spot.used == Use::Target);
        let objects = targets.filter_map(|spot| match tree.expr(spot.expr).kind {
            ExprKind::Object(object) => Some(object),
            _ => None,
        });
        survey.assigned = objects.collect();
        survey
    }

    /// Whether the text of a function may be edited.
    pub(super) fn is_editable(&self, function: u32) -> bool {
        self.editable[function as usize]
    }

    /// Constants that objects with static storage start with.
    fn initial_values(&mut self) {
        let tree = self.tree;
        for object in &tree.objects {
            let is_table = object.storage == StorageDuration::Static && !object.system && !object.name.is_empty();
            let is_off = self.asked.iter().any(|asked| asked.contains(object.span));
            for entry in object.init.iter().flatten().filter(|_| is_table && !is_off) {
                if !self.hidden[entry.value.0 as usize] {
                    self.spots.push(Spot { expr: entry.value, used: Use::Value, function: u32::MAX, scope: 0 });
                }
            }
        }
    }

    fn scope(&self) -> usize {
        self.scopes.len() - 1
    }

    fn statement(&mut self, id: StmtId, here: Here) {
        let tree = self.tree;
        let stmt = tree.stmt(id);
        if self.is_about_failure(id) {
            self.asked.push(stmt.span);
            return;
        }
        let (scope, block) = (self.scope(), here.block);
        self.places.push(Place { stmt: id, function: here.function, scope, block, breakable: here.breakable });
        let inner = Here { block: None, ..here };
        let within = Here { breakable: true, ..inner };
        match &stmt.kind {
            StmtKind::Block(parts) => {
                let before = self.scopes.last().cloned().unwrap_or_default();
                for part in parts {
                    self.statement(*part, Here { block: Some(id), ..here });
                }
                self.scopes.push(before);
            }
            StmtKind::Declare(objects) => {
                for object in objects {
                    self.declaration(*object, here);
                }
            }
            StmtKind::If { condition, then, otherwise } => {
                // What only guards an error is a part of the claim.
                let guards_error = |part: &StmtId| self.is_failure(*part);
                if !guards_error(then) && !otherwise.as_ref().is_some_and(guards_error) {
                    self.expression(*condition, Use::Truth, here);
                } else {
                    self.asked.push(tree.expr(*condition).span);
                }
                self.statement(*then, inner);
                otherwise.iter().for_each(|otherwise| self.statement(*otherwise, inner));
            }
            StmtKind::For { init, condition, step, body } => {
                let before = self.scopes.last().cloned().unwrap_or_default();
                init.iter().for_each(|init| self.statement(*init, inner));
                condition.iter().for_each(|condition| self.expression(*condition, Use::Truth, here));
                step.iter().for_each(|step| self.expression(*step, Use::Effect, here));
                self.statement(*body, within);
                self.scopes.push(before);
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => {
                self.expression(*condition, Use::Truth, here);
                self.statement(*body, within);
            }
            StmtKind::Switch { value, body } => {
                self.expression(*value, Use::Value, here);
                self.statement(*body, within);
            }
            StmtKind::Expr(e) => self.expression(*e, Use::Effect, here),
            kind => {
                kind.exprs().into_iter().for_each(|e| self.expression(e, Use::Value, here));
                kind.parts().into_iter().for_each(|part| self.statement(part, here));
            }
        }
    }

    fn declaration(&mut self, id: ObjectId, here: Here) {
        let object = self.tree.object(id);
        for entry in object.init.iter().flatten().filter(|entry| !self.holds_input(entry.value)).collect::<Vec<_>>() {
            self.expression(entry.value, Use::Value, here);
        }
        let mut scope = self.scopes.last().cloned().unwrap_or_default();
        let name = &object.name;
        if !name.is_empty() {
            // It hides what has the same name.
            scope.retain(|other| self.tree.object(*other).name != *name);
            scope.push(id);
        }
        self.scopes.push(scope);
    }

    /// Takes an expression and its parts.
    fn expression(&mut self, e: ExprId, used: Use, here: Here) {
        let tree = self.tree;
        let expr = tree.expr(e);
        if self.takes_input(e) {
            self.asked.push(expr.span);
            return;
        }
        // A whole condition or value; what only has effects has none.
        let is_whole = matches!(used, Use::Truth | Use::Value) && !here.partial;
        let root = here.root.filter(|_| !here.partial).or_else(|| is_whole.then_some((e, used)));
        let here = Here { root, ..here };
        if let Some(root) = root {
            self.roots.insert(e, root);
        }
        // What is set, and where, is no value.
        let apart = Here { root: None, ..here };
        if !self.hidden[e.0 as usize] && !self.sources.file(expr.span.file).system {
            self.spots.push(Spot { expr: e, used, function: here.function, scope: self.scope() });
        }
        match &expr.kind {
            ExprKind::LogicalAnd(x, y) | ExprKind::LogicalOr(x, y) => {
                self.expression(*x, Use::Truth, here);
                self.expression(*y, Use::Truth, here);
            }
            ExprKind::LogicalNot(x) => self.expression(*x, Use::Truth, here),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expression(*condition, Use::Truth, here);
                then.iter().for_each(|then| self.expression(*then, Use::Value, here));
                self.expression(*otherwise, Use::Value, here);
            }
            ExprKind::Assign { target, value } => {
                self.expression(*target, Use::Target, apart);
                self.expression(*value, Use::Value, here);
            }
            ExprKind::CompoundAssign { target, value, .. } => {
                self.expression(*target, Use::Target, apart);
                // Another value there may make no difference to what is set.
                self.expression(*value, Use::Value, Here { partial: true, ..here });
            }
            ExprKind::Step { target, .. } => self.expression(*target, Use::Target, apart),
            ExprKind::Call { callee, arguments } => {
                self.expression(*callee, Use::Value, here);
                // What a function gets is a value of its own: with another one it may do something else and return the same.
                let apart = Here { partial: false, ..apart };
                arguments.iter().for_each(|argument| self.expression(*argument, Use::Value, apart));
            }
            ExprKind::Convert { operand, explicit: false } if used == Use::Effect => {
                self.expression(*operand, Use::Effect, here);
            }
            ExprKind::StatementExpr(body) => self.statement(*body, Here { block: None, ..apart }),
            kind => kind.operands().into_iter().for_each(|operand| self.expression(operand, Use::Value, here)),
        }
    }

    /// The function that a call calls by its name.
    pub(super) fn called(&self, e: ExprId) -> Option<FunctionId> {
        match &self.tree.expr(e).kind {
            ExprKind::Call { callee, .. } => match self.tree.expr(*callee).kind {
                ExprKind::FunctionAddress(function) => Some(function),
                _ => None,
            },
            ExprKind::Convert { operand, .. } => self.called(*operand),
            _ => None,
        }
    }

    /// Is an expression an input, a word of a checker, or an assignment of one?
    pub(super) fn takes_input(&self, e: ExprId) -> bool {
        match &self.tree.expr(e).kind {
            ExprKind::Call { .. } => self.called(e).is_some_and(|function| {
                let function = self.tree.function(function);
                is_untouchable(&function.name) || function.body.is_none() && !function.system
            }),
            ExprKind::Assign { value, .. } => self.holds_input(*value),
            ExprKind::Convert { operand, .. } => self.takes_input(*operand),
            _ => false,
        }
    }

    /// Is an input a part of an expression?
    fn holds_input(&self, e: ExprId) -> bool {
        self.takes_input(e) || self.tree.expr(e).kind.operands().into_iter().any(|operand| self.holds_input(operand))
    }

    /// Whether the functions that may be edited set a variable already, or it is one of their own: to set another one may change
    /// what trusted functions read.
    pub(super) fn may_be_set(&self, object: ObjectId) -> bool {
        let of = self.tree.object(object);
        let is_own = of.storage == StorageDuration::Automatic;
        // What is declared without a value, and never set, is an input.
        let is_open = of.init.is_none() && !self.is_parameter(object) && !self.assigned.contains(&object);
        (is_own && !is_open || self.assigned.contains(&object)) && !self.is_input(object)
    }

    fn is_parameter(&self, object: ObjectId) -> bool {
        self.tree.functions.iter().any(|function| function.parameters.contains(&object))
    }

    /// Variables that inputs are assigned to: nothing else is.
    fn find_inputs(&mut self) {
        for expr in &self.tree.exprs {
            if let ExprKind::Assign { target, value } = expr.kind
                && let ExprKind::Object(object) = self.tree.expr(target).kind
                && self.holds_input(value)
            {
                self.inputs.insert(object);
            }
        }
        let declared = self
            .tree
            .objects
            .iter()
            .enumerate()
            .filter(|(_, object)| object.init.iter().flatten().any(|entry| self.holds_input(entry.value)));
        self.inputs.extend(declared.map(|(number, _)| ObjectId(number as u32)).collect::<Vec<_>>());
    }

    /// Finds functions that set nothing but their own variables and take no input: to call one twice is to call it once.
    fn find_pure(&mut self) {
        loop {
            let is_pure = |function: &Function| match function.body {
                Some(body) => !function.system && self.is_pure_stmt(body),
                None => false,
            };
            let next: Vec<bool> = self.tree.functions.iter().map(is_pure).collect();
            if next == self.pure {
                return;
            }
            self.pure = next;
        }
    }

    fn is_pure_stmt(&self, s: StmtId) -> bool {
        let kind = &self.tree.stmt(s).kind;
        let declared = match kind {
            StmtKind::Declare(objects) => objects.clone(),
            StmtKind::Unsupported(_) => return false,
            _ => Vec::new(),
        };
        let is_set = |object: &ObjectId| {
            let object = self.tree.object(*object);
            object.init.iter().flatten().all(|entry| self.is_pure(entry.value)) && object.cleanup.is_none()
        };
        declared.iter().all(is_set)
            && kind.exprs().into_iter().all(|e| self.is_pure(e))
            && kind.parts().into_iter().all(|part| self.is_pure_stmt(part))
    }

    /// Whether to call a function with a body sets nothing that others see.
    pub(super) fn is_pure_function(&self, function: FunctionId) -> bool {
        self.pure[function.0 as usize] && !is_untouchable(&self.tree.function(function).name)
    }

    /// Whether to evaluate an expression sets nothing at all.
    pub(super) fn only_reads(&self, e: ExprId) -> bool {
        self.is_pure(e) && !self.assigns(e)
    }

    /// Whether to evaluate an expression sets nothing that others see.
    fn is_pure(&self, e: ExprId) -> bool {
        let kind = &self.tree.expr(e).kind;
        let fits = match kind {
            ExprKind::Call { .. } => self.called(e).is_some_and(|function| self.pure[function.0 as usize]),
            ExprKind::Assign { target, .. }
            | ExprKind::CompoundAssign { target, .. }
            | ExprKind::Step { target, .. } => match self.tree.expr(*target).kind {
                ExprKind::Object(object) => self.tree.object(object).storage == StorageDuration::Automatic,
                _ => false,
            },
            ExprKind::StatementExpr(_) | ExprKind::Unsupported(_) | ExprKind::Builtin(..) => false,
            _ => true,
        };
        fits && kind.operands().into_iter().all(|operand| self.is_pure(operand))
    }

    /// The whole expression that an edited one is a part of, and whether only its truth is used. None where that is no value, or where to
    /// compute it twice is not the same as once.
    pub(super) fn compared(&self, e: ExprId) -> (Option<Span>, bool, Option<String>) {
        let Some((root, used)) = self.roots.get(&e).copied() else { return (None, false, None) };
        let expr = self.tree.expr(root);
        let is_scalar = matches!(self.tree.ty(expr.ty), Type::Integer { .. } | Type::Bool | Type::Pointer { .. });
        let is_value = is_scalar && self.is_pure(root) && !self.assigns(root) && self.text(root).is_some();
        // What the text computes may be wider than what becomes of it.
        let cast = match (&expr.kind, self.tree.ty(expr.ty)) {
            (ExprKind::Convert { explicit: false, .. }, Type::Integer { name, .. }) => Some(name.clone()),
            (ExprKind::Convert { explicit: false, .. }, Type::Bool) => Some("_Bool".to_owned()),
            _ => None,
        };
        (is_value.then_some(expr.span), used == Use::Truth, cast)
    }

    /// The condition or truth of which a change can only change the truth, and nothing else.
    pub(super) fn turned(&self, change: &Change) -> Option<ExprId> {
        let [(edited, new)] = &change.exprs[..] else { return None };
        let (root, used) = self.roots.get(edited).copied()?;
        let says = |kind: &ExprKind| match kind {
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) | ExprKind::LogicalNot(_) => true,
            ExprKind::Binary(op, ..) => op.is_relation(),
            _ => false,
        };
        let expr = self.tree.expr(root);
        let stays = says(&expr.kind) && Some(expr.ty) == self.int() && (*edited != root || says(&new.kind));
        let added = change.added_exprs.iter().chain([new]);
        let is_quiet = |expr: &Expr| match expr.kind {
            ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Step { .. }
            | ExprKind::StatementExpr(_)
            | ExprKind::Builtin(..)
            | ExprKind::Unsupported(_) => false,
            ExprKind::FunctionAddress(function) => self.is_pure_function(function),
            _ => true,
        };
        let is_steady = change.stmts.is_empty() && change.added_stmts.is_empty() && added.into_iter().all(is_quiet);
        let is_plain = self.is_pure(root) && !self.assigns(root) && self.text(root).is_some();
        (is_steady && is_plain && (used == Use::Truth || stays)).then_some(root)
    }

    fn assigns(&self, e: ExprId) -> bool {
        let kind = &self.tree.expr(e).kind;
        matches!(
            kind,
            ExprKind::Assign { .. }
                | ExprKind::CompoundAssign { .. }
                | ExprKind::Step { .. }
                | ExprKind::FunctionAddress(_)
        ) || !matches!(kind, ExprKind::Call { .. }) && kind.operands().into_iter().any(|operand| self.assigns(operand))
            || matches!(kind, ExprKind::Call { arguments, .. } if arguments.iter().any(|argument| self.assigns(*argument)))
    }

    /// The variable that a plain assignment copies, or copies to, where this is its other side: `x = x` says nothing.
    pub(super) fn other_side(&self, e: ExprId) -> Option<ObjectId> {
        let object = |e: ExprId| match self.tree.expr(e).kind {
            ExprKind::Object(object) => Some((e, object)),
            ExprKind::Load(x) => match self.tree.expr(x).kind {
                ExprKind::Object(object) => Some((x, object)),
                _ => None,
            },
            _ => None,
        };
        self.tree.exprs.iter().find_map(|expr| {
            let ExprKind::Assign { target, value } = expr.kind else { return None };
            let ((to, target), (from, value)) = (object(target)?, object(value)?);
            if to == e { Some(value) } else { (from == e).then_some(target) }
        })
    }

    /// Whether a variable holds an input, so that setting it would be to change the question.
    pub(super) fn is_input(&self, object: ObjectId) -> bool {
        self.inputs.contains(&object)
    }

    /// Is a statement an assertion, an assumption or their like?
    fn is_about_failure(&self, s: StmtId) -> bool {
        match self.tree.stmt(s).kind {
            StmtKind::Expr(e) => {
                self.called(e).is_some_and(|function| is_untouchable(&self.tree.function(function).name))
            }
            _ => false,
        }
    }

    /// Does a statement do nothing but fail?
    fn is_failure(&self, s: StmtId) -> bool {
        match &self.tree.stmt(s).kind {
            StmtKind::Block(parts) => parts.first().is_some_and(|part| self.is_failure(*part)),
            StmtKind::ErrorLabel(..) => true,
            StmtKind::Label(_, body) => self.is_failure(*body),
            StmtKind::Expr(e) => {
                let Some(function) = self.called(*e) else { return false };
                let name = &self.tree.function(function).name;
                let fails = matches!(name.as_str(), "reach_error" | "__VERIFIER_error" | "abort" | "__assert_fail");
                fails || is_untouchable(name) && self.first_argument(*e).is_some_and(|first| self.is_zero(first))
            }
            _ => false,
        }
    }

    fn first_argument(&self, e: ExprId) -> Option<ExprId> {
        match &self.tree.expr(e).kind {
            ExprKind::Call { arguments, .. } => arguments.first().copied(),
            ExprKind::Convert { operand, .. } => self.first_argument(*operand),
            _ => None,
        }
    }

    fn is_zero(&self, e: ExprId) -> bool {
        match &self.tree.expr(e).kind {
            ExprKind::Const(value) => *value == 0,
            ExprKind::Convert { operand, .. } => self.is_zero(*operand),
            ExprKind::Binary(Binary::NotEqual, x, y) => self.is_zero(*x) && self.is_zero(*y),
            _ => false,
        }
    }

    /// The text of an expression, if it stands there as it is.
    pub(super) fn text(&self, e: ExprId) -> Option<&'t str> {
        let span = self.tree.expr(e).span;
        (!self.hidden[e.0 as usize]).then(|| self.sources.text(span)).filter(|text| !text.is_empty())
    }

    pub(super) fn span(&self, e: ExprId) -> Span {
        self.tree.expr(e).span
    }

    /// The text of an expression, in parentheses unless it is one word, call or access.
    pub(super) fn operand(&self, e: ExprId) -> Option<String> {
        let text = self.text(e)?;
        Some(if self.is_primary(e) { text.to_owned() } else { format!("({text})") })
    }

    fn is_primary(&self, e: ExprId) -> bool {
        match &self.tree.expr(e).kind {
            ExprKind::Load(x) | ExprKind::Convert { operand: x, explicit: false } => self.is_primary(*x),
            ExprKind::Object(_) | ExprKind::Call { .. } | ExprKind::Member { .. } | ExprKind::Element { .. } => true,
            ExprKind::Const(_) => self.text(e).is_some_and(is_word),
            ExprKind::Deref(_) => self.text(e).is_some_and(|text| text.ends_with(']')),
            ExprKind::AddressOf(x) => self.is_primary(*x) && self.text(e).is_some_and(is_word),
            _ => false,
        }
    }

    /// Do parentheses, commas or the ends of a statement stand on both sides of a text?
    pub(super) fn is_enclosed(&self, span: Span) -> bool {
        let text = &self.sources.file(span.file).text;
        let before = text[..span.start as usize].trim_end();
        let after = text[span.end as usize..].trim_start();
        let opens = before.ends_with(['(', ',', ';', '{', '[']) || before.ends_with("return");
        let sets = before.ends_with('=') && !["==", "!=", "<=", ">="].iter().any(|sign| before.ends_with(sign));
        (opens || sets) && after.starts_with([')', ',', ';', '}', ']'])
    }

    /// A text in the place of an expression, in parentheses where something else stands beside it.
    pub(super) fn fitting(&self, span: Span, text: String) -> String {
        if self.is_enclosed(span) { text } else { format!("({text})") }
    }

    /// Where the operator between two expressions stands, if it does.
    pub(super) fn operator(&self, x: ExprId, y: ExprId, sign: &str) -> Option<Span> {
        let (left, right) = (self.span(x), self.span(y));
        if left.file != right.file || left.end > right.start {
            return None;
        }
        let between = self.sources.text(Span::new(left.file, left.end, right.start));
        let rest = between.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
        if rest != sign {
            return None;
        }
        let start = left.end + between.find(sign)? as u32;
        Some(Span::new(left.file, start, start + sign.len() as u32))
    }

    pub(super) fn in_scope(&self, scope: usize) -> &[ObjectId] {
        &self.scopes[scope]
    }

    /// The type of a function's address, which is where it is called already.
    pub(super) fn pointer_to(&self, ty: TypeId) -> TypeId {
        let is_it = |other: &Type| matches!(other, Type::Pointer { to } if *to == ty);
        self.tree.types.iter().position(is_it).map_or(ty, |at| TypeId(at as u32))
    }

    /// The type `int`.
    pub(super) fn int(&self) -> Option<TypeId> {
        let is_int = |ty: &Type| matches!(ty, Type::Integer { name, .. } if name == "int");
        self.tree.types.iter().position(is_int).map(|at| TypeId(at as u32))
    }

    /// Width and sign of an integer type that is no truth value.
    pub(super) fn integer(&self, ty: TypeId) -> Option<(u32, bool)> {
        match self.tree.ty(ty) {
            Type::Integer { bits, signed, .. } => Some((*bits, *signed)),
            _ => None,
        }
    }

    /// Whether a variable in an expression is declared with a `const`, as far as the text before its name says.
    pub(super) fn is_of_const(&self, e: ExprId) -> bool {
        let is_const = |object: &ObjectId| {
            let of = self.tree.object(*object);
            let before = &self.sources.file(of.span.file).text[..of.span.start as usize];
            let start = before.rfind([';', '{', '}', '(', ',']).unwrap_or(0);
            before[start..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "const")
        };
        self.reads(e).is_some_and(|objects| objects.iter().any(is_const))
    }

    /// The variables that an expression reads, unless it does more than reading.
    pub(super) fn reads(&self, e: ExprId) -> Option<Vec<ObjectId>> {
        let expr = self.tree.expr(e);
        match &expr.kind {
            ExprKind::Object(object) => {
                let of = self.tree.object(*object);
                matches!(of.kind, ObjectKind::Variable | ObjectKind::Parameter).then(|| vec![*object])
            }
            ExprKind::Call { .. }
            | ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Step { .. }
            | ExprKind::StatementExpr(_)
            | ExprKind::Builtin(..)
            | ExprKind::Unsupported(_) => None,
            kind => {
                let mut found = Vec::new();
                for operand in kind.operands() {
                    found.extend(self.reads(operand)?);
                }
                Some(found)
            }
        }
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a file is included by others, as its name says.
fn is_header(sources: &Sources, file: FileId) -> bool {
    [".h", ".hh", ".inc", ".def"].iter().any(|end| sources.file(file).name.ends_with(end))
}

/// Is a function one of those that ask, assume or pick values?
pub(super) fn is_untouchable(name: &str) -> bool {
    WORDS.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || checkers::picks_a_value(name)
}
