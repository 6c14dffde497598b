//! Declarations: one object or function for all declarations of one name, over all units.
//!
//! Names with external linkage are looked up in one table for the program, those with internal linkage in one for the
//! unit, all others are told apart by their declaration. A definition fills in what earlier declarations left open.
//! Two definitions are an error, but for tentative ones and `inline` functions. A unit is either *added*, every
//! definition of it, or it *fills* what the units before it use and leave open. What the unit of a reference defines (`../versions.rs`)
//! is its own: in the table it stands under another name.

use std::collections::{HashMap, HashSet};

use rucc_sema::{DeclFlags, DeclId, DeclKind, Definition, Emission, Linkage, Priority};
use rucc_types::{ArrayLen, Qualifiers, TypeKind, layout};

use super::pragmas;
use super::types::{TypeTable, UnitTypes};
use super::unit::Unit;
use crate::c::tree::{
    Expr, ExprId, ExprKind, Function, FunctionId, InitEntry, Object, ObjectId, ObjectKind, StmtKind, StorageDuration,
    Tree,
};
use crate::c::{DataModel, Errors, Options, Rounding, checkers, standard, trial};
use crate::program::{PointerLayout, Type, TypeId};
use crate::source::{Diagnostic, Sources, Span};

/// Directives of assemblers that define nothing.
const SILENT_DIRECTIVES: &[&str] = &[".file", ".globl", ".global", ".hidden", ".ident", ".symver"];
/// How deep a tree may be. The stages after this one walk it recursively.
const DEPTH: u32 = 5000;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linked {
    Object(ObjectId),
    Function(FunctionId),
}

/// How firmly a thing is defined so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Defined {
    No,
    /// A tentative definition, or one that another may replace (`inline`, `weak`).
    Softly,
    /// In this unit.
    Firmly(u32),
}

/// The tree under construction.
pub(super) struct Linker {
    pub(super) tree: Tree,
    pub(super) table: TypeTable,
    externals: HashMap<String, Linked>,
    pub(super) literals: HashMap<(Vec<u8>, TypeId), ObjectId>,
    object_state: Vec<Defined>,
    function_state: Vec<Defined>,
    unit_names: Vec<String>,
    /// Names that nobody needs to define; their address is then NULL.
    weak: Vec<(Linked, Span)>,
    /// Functions that run by themselves before and after the program's, with their places in that order.
    before: Vec<(u32, FunctionId)>,
    after: Vec<(u32, FunctionId)>,
    pub(super) errors: Vec<Diagnostic>,
    /// Whether an option says how floats are rounded at the start.
    sets_rounding: bool,
    /// Models that run by themselves.
    own: &'static [&'static str],
    /// Labels that must not be reached.
    pub(super) error_labels: Vec<String>,
    /// The number of the unit of a reference.
    reference: Option<u32>,
}

/// One unit on its way into the tree.
pub(super) struct Walk<'a> {
    pub(super) linker: &'a mut Linker,
    pub(super) unit: &'a Unit,
    pub(super) types: UnitTypes,
    internals: HashMap<String, Linked>,
    /// Names that this unit has for itself, since it is the reference.
    own: HashSet<String>,
    decls: HashMap<DeclId, Linked>,
    /// Lengths of arrays of variable length, kept since their declaration.
    pub(super) lengths: HashMap<rucc_sema::ExprId, ObjectId>,
    /// Functions with a body that are used and not yet converted; only kept when filling.
    waiting: Option<Vec<DeclId>>,
    /// The function whose body is converted.
    pub(super) inside: Option<FunctionId>,
    /// How deep in expressions and statements we are.
    depth: u32,
    /// Expressions of the unit that are in the tree as they are written.
    pub(super) seen: HashSet<rucc_sema::ExprId>,
}

impl Linker {
    pub(super) fn new(options: &Options) -> Linker {
        let pointer = match options.model {
            DataModel::Lp64 => PointerLayout::LP64,
            DataModel::Ilp32 | DataModel::CortexM | DataModel::Riscv32 | DataModel::Lp32 => PointerLayout::ILP32,
            // How many of the bits are the offset is known when all objects are.
            DataModel::Avr | DataModel::Msp430 => PointerLayout::SMALL,
        };
        let tree = Tree {
            pointer,
            types: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            exprs: Vec::new(),
            stmts: Vec::new(),
            notes: Vec::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            assembly: false,
            written: Vec::new(),
            statement_uses: HashSet::new(),
            switches: Vec::new(),
            checks: options.checks,
            bounds: HashMap::new(),
        };
        Linker {
            tree,
            table: TypeTable::default(),
            externals: HashMap::new(),
            literals: HashMap::new(),
            object_state: Vec::new(),
            function_state: Vec::new(),
            unit_names: Vec::new(),
            weak: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            errors: Vec::new(),
            sets_rounding: options.rounding != Rounding::Nearest,
            own: match (&options.trials, &options.crash) {
                (None, _) => &[],
                (Some(_), None) => &[trial::BEGIN, trial::END],
                (Some(_), Some(_)) => &[trial::BEGIN],
            },
            error_labels: options.error_labels.clone(),
            reference: options.reference.as_ref().map(|reference| reference.unit),
        }
    }

    /// Takes every definition of a unit.
    pub(super) fn add(&mut self, unit: &Unit) {
        let mut walk = self.walk(unit, None);
        for decl in unit.tast.top_level() {
            walk.top_level(*decl);
        }
        walk.compare_constants();
        for asm in unit.tast.file_asms() {
            let text: String = unit.tast[asm.template].elements.iter().filter_map(|c| char::from_u32(*c)).collect();
            let says_nothing = |line: &str| {
                let word = line.split_whitespace().next().unwrap_or_default();
                word.is_empty() || word.starts_with('#') || SILENT_DIRECTIVES.contains(&word)
            };
            self.tree.assembly |= !text.trim().is_empty();
            if !text.split(['\n', ';']).all(says_nothing) {
                let error = Diagnostic::error(unit.span(asm.span), "not supported: assembly outside of functions");
                self.errors.push(error.with_help("leave it out, and write in C what it defines"));
            }
        }
    }

    /// Takes of a unit what the program so far uses and does not define.
    pub(super) fn fill(&mut self, unit: &Unit) {
        let mut walk = self.walk(unit, Some(Vec::new()));
        let mut by_name = HashMap::new();
        for decl in unit.tast.top_level() {
            let node = &unit.tast[*decl];
            if node.linkage == Linkage::External
                && node.state != Definition::Declared
                && let Some(name) = node.name
            {
                by_name.insert(unit.text(name).to_owned(), *decl);
            }
        }
        let mode = checkers::MODE_NAME.to_owned();
        let mut open: Vec<&String> = walk.linker.externals.keys().filter(|name| by_name.contains_key(*name)).collect();
        if walk.linker.sets_rounding && !walk.linker.externals.contains_key(&mode) {
            open.push(&mode);
        }
        let own: Vec<String> = walk.linker.own.iter().map(|name| (*name).to_owned()).collect();
        open.extend(&own);
        open.sort();
        let open: Vec<DeclId> = open.into_iter().map(|name| by_name[name]).collect();
        for decl in open {
            walk.linked(decl);
        }
        while let Some(decl) = walk.waiting.as_mut().and_then(Vec::pop) {
            walk.define_function(decl);
        }
    }

    fn walk<'a>(&'a mut self, unit: &'a Unit, waiting: Option<Vec<DeclId>>) -> Walk<'a> {
        self.unit_names.push(unit.name.clone());
        self.tree.notes.extend(unit.notes.iter().filter(|_| !unit.system).cloned());
        self.tree.statement_uses.extend(unit.statement_uses());
        self.tree.checks = pragmas::union(self.tree.checks, unit.switches.iter().map(|(_, checks)| *checks));
        self.tree.switches.extend(unit.switches.iter().map(|(span, checks)| (unit.span(*span), *checks)));
        Walk {
            linker: self,
            unit,
            types: UnitTypes::default(),
            internals: HashMap::new(),
            own: own_names(unit),
            decls: HashMap::new(),
            lengths: HashMap::new(),
            waiting,
            inside: None,
            depth: 0,
            seen: HashSet::new(),
        }
    }

    /// The linked tree.
    pub(super) fn finish(mut self, sources: &Sources) -> Result<Tree, Errors> {
        self.settle_weak_names();
        for object in self.tree.objects.iter().filter(|object| object.storage == StorageDuration::Extern) {
            if object.name.starts_with("__start_") || object.name.starts_with("__stop_") {
                let message =
                    format!("not supported: {}, which the linker defines as an end of a section", object.name);
                self.errors.push(Diagnostic::error(object.span, message));
            }
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        // Sorting keeps the order of the text where the numbers are equal; what runs at the end runs backwards.
        self.before.sort_by_key(|(order, _)| *order);
        self.after.sort_by_key(|(order, _)| *order);
        self.tree.constructors = self.before.iter().map(|(_, function)| *function).collect();
        self.tree.destructors = self.after.iter().rev().map(|(_, function)| *function).collect();
        self.tree.types = self.table.types;
        // `extern int a[]` in one file is `int a[4]` in another.
        for index in 0..self.tree.exprs.len() {
            if let ExprKind::Object(object) = self.tree.exprs[index].kind {
                let (ours, whole) = (self.tree.exprs[index].ty, self.tree.objects[object.0 as usize].ty);
                if matches!(self.tree.types[ours.0 as usize], Type::Array { length: 0, .. })
                    && matches!(self.tree.types[whole.0 as usize], Type::Array { .. })
                {
                    self.tree.exprs[index].ty = whole;
                }
            }
        }
        let mut uses: HashMap<String, u32> = HashMap::new();
        // Of two versions it is the reference whose names are said in full.
        let is_reference = |function: &Function| Some(function.unit) == self.reference && !function.system;
        for function in self.tree.functions.iter().filter(|function| !is_reference(function)) {
            *uses.entry(function.name.clone()).or_default() += 1;
        }
        for (index, function) in self.tree.functions.iter_mut().enumerate() {
            if is_reference(function) && uses.contains_key(&function.name) {
                let file = &sources.file(function.span.file).name;
                function.unique_name = format!("{}@{file}", function.name);
                continue;
            }
            let external = self.externals.get(&function.name) == Some(&Linked::Function(FunctionId(index as u32)));
            if uses.get(&function.name).is_some_and(|uses| *uses > 1) && !external {
                let file = &sources.file(function.span.file).name;
                function.unique_name = format!("{}@{file}", function.name);
            }
        }
        Ok(self.tree)
    }

    /// The address of a weak function that nothing defines is NULL. What the library or a checker defines has an address that is not
    /// known, and so have objects.
    fn settle_weak_names(&mut self) {
        let mut missing = HashSet::new();
        for (linked, span) in &self.weak {
            let is_open = match linked {
                Linked::Object(object) => self.object_state[object.0 as usize] == Defined::No,
                Linked::Function(function) if self.function_state[function.0 as usize] == Defined::No => {
                    let name = &self.tree.functions[function.0 as usize].name;
                    let checker = checkers::is_reserved(name) || checkers::picks_a_value(name);
                    let others =
                        checker || checkers::declaration(name).is_some() || standard::header_of(name).is_some();
                    if !others {
                        missing.insert(*function);
                    }
                    others
                }
                Linked::Function(_) => false,
            };
            if is_open {
                let message = "not supported: a weak name that nothing defines, so that its address may be NULL";
                let error = Diagnostic::error(*span, message);
                self.errors.push(error.with_help("add a file that defines it"));
            }
        }
        for expr in &mut self.tree.exprs {
            if matches!(expr.kind, ExprKind::FunctionAddress(function) if missing.contains(&function)) {
                expr.kind = ExprKind::Const(0);
            }
        }
    }

    fn twice(&mut self, name: &str, span: Span, first: u32, second: u32) {
        let (first, second) = (&self.unit_names[first as usize], &self.unit_names[second as usize]);
        let message = if first == second {
            format!("{name} is defined twice in {first}")
        } else {
            format!("{name} is defined in both {first} and {second}")
        };
        self.errors.push(Diagnostic::error(span, message).with_help("a program may define each name once"));
    }
}

/// The external names that the unit of a reference defines.
fn own_names(unit: &Unit) -> HashSet<String> {
    if !unit.is_reference {
        return HashSet::new();
    }
    let defined = unit.tast.top_level().iter().map(|decl| &unit.tast[*decl]);
    let defined = defined.filter(|node| node.linkage == Linkage::External);
    let defined = defined
        .filter(|node| node.body.is_some() || node.kind == DeclKind::Object && node.state != Definition::Declared);
    let names = defined.filter_map(|node| node.name).map(|name| unit.text(name).to_owned());
    names.filter(|name| !name.starts_with(checkers::OF_VERSIONS)).collect()
}

impl Walk<'_> {
    /// Does something one level deeper in the tree, or says that the tree is too deep.
    pub(super) fn deeper<T>(&mut self, span: Span, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH {
            let message = format!("expressions and statements are nested more than {DEPTH} levels deep here");
            // One is enough: what is around it is too deep as well.
            if !self.linker.errors.iter().any(|error| error.message == message) {
                self.linker.errors.push(Diagnostic::error(span, message));
            }
            return None;
        }
        self.depth += 1;
        let done = work(self);
        self.depth -= 1;
        Some(done)
    }

    /// Our id of a type of this unit.
    pub(super) fn ty(&mut self, ty: rucc_types::TypeId) -> TypeId {
        self.linker.table.convert(self.unit, &mut self.types, ty)
    }

    /// Size in bytes, 0 if it is not known here.
    pub(super) fn size(&self, ty: rucc_types::TypeId) -> u64 {
        layout(&self.unit.types, ty, &self.unit.target).map_or(0, |layout| layout.size)
    }

    /// Adds an expression.
    pub(super) fn push(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.linker.tree.exprs.push(Expr { kind, ty, span, volatile: false, align: 1 });
        ExprId(self.linker.tree.exprs.len() as u32 - 1)
    }

    /// Adds an object.
    pub(super) fn push_object(&mut self, object: Object) -> ObjectId {
        self.linker.tree.objects.push(object);
        self.linker.object_state.push(Defined::No);
        ObjectId(self.linker.tree.objects.len() as u32 - 1)
    }

    fn top_level(&mut self, decl: DeclId) {
        let node = &self.unit.tast[decl];
        match node.kind {
            DeclKind::Function if node.body.is_some() => self.define_function(decl),
            DeclKind::Object if node.state != Definition::Declared => {
                self.linked(decl);
            }
            _ if node.alias.is_some() => {
                self.linked(decl);
            }
            _ => {}
        }
    }

    /// What a declaration stands for in the program.
    pub(super) fn linked(&mut self, decl: DeclId) -> Linked {
        if let Some(found) = self.decls.get(&decl) {
            return *found;
        }
        let node = &self.unit.tast[decl];
        let function = node.kind == DeclKind::Function;
        let name = node.name.map(|name| self.unit.text(name)).unwrap_or_default();
        let plain = name.strip_prefix("__builtin_").filter(|plain| function && standard::header_of(plain).is_some());
        let name = plain.unwrap_or(name).to_owned();
        let table = match node.linkage {
            Linkage::External => Some(&self.linker.externals),
            Linkage::Internal => Some(&self.internals),
            Linkage::None => None,
        };
        let entry = if self.own.contains(&name) { format!("{name}@{}", self.unit.name) } else { name.clone() };
        let known = table.and_then(|table| table.get(&entry)).copied();
        let known = known.filter(|known| matches!(known, Linked::Function(_)) == function);
        let linked = known.or_else(|| self.alias_target(decl)).unwrap_or_else(|| {
            if function {
                Linked::Function(self.declare_function(decl, &name))
            } else {
                Linked::Object(self.declare_object(decl, &name))
            }
        });
        self.decls.insert(decl, linked);
        self.refuse_other_names(decl, linked);
        match node.linkage {
            Linkage::External => {
                self.linker.externals.entry(entry).or_insert(linked);
            }
            Linkage::Internal => {
                self.internals.entry(entry).or_insert(linked);
            }
            Linkage::None => {}
        }
        match linked {
            Linked::Object(object) => self.define_object(decl, object),
            Linked::Function(_) if node.body.is_some() => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.push(decl);
                }
            }
            Linked::Function(_) => {}
        }
        linked
    }

    /// What a name with the attribute `alias` stands for: a definition of this unit.
    fn alias_target(&mut self, decl: DeclId) -> Option<Linked> {
        let unit = self.unit;
        let node = &unit.tast[decl];
        let wanted = &unit.tast[node.alias?].elements;
        let target = unit.tast.top_level().iter().copied().find(|target| {
            let of = &unit.tast[*target];
            let named = of.name.is_some_and(|name| wanted.iter().copied().eq(unit.text(name).chars().map(u32::from)));
            named && of.kind == node.kind && of.alias.is_none() && *target != decl
        });
        let fits = target.is_some_and(|target| {
            let same = self.ty(unit.tast[target].ty) == self.ty(node.ty);
            same && !node.flags.contains(DeclFlags::WEAK)
        });
        let Some(target) = target.filter(|_| fits) else {
            let span = unit.span(unit.tast.decl_span(decl));
            let message = "not supported: an alias that is weak, of another type, or of nothing that this file defines";
            self.linker.errors.push(Diagnostic::error(span, message));
            return None;
        };
        Some(self.linked(target))
    }

    /// A name that stands for another symbol, for a register or perhaps for nothing.
    fn refuse_other_names(&mut self, decl: DeclId, linked: Linked) {
        let unit = self.unit;
        let node = &unit.tast[decl];
        let place = unit.tast.decl_span(decl);
        if unit.is_system(place) {
            return;
        }
        let span = unit.span(place);
        let label = node.asm_label.map(|label| unit.tast[label].elements.clone());
        let own = |name| {
            label
                .as_ref()
                .is_some_and(|label: &Vec<u32>| label.iter().copied().eq(unit.text(name).chars().map(u32::from)))
        };
        if label.is_some() && !node.name.is_some_and(own) || node.register.is_some() && node.linkage != Linkage::None {
            let error = Diagnostic::error(span, "not supported: a name with an assembler name of its own");
            self.linker.errors.push(error.with_help("give the thing the name that it has for the assembler"));
        }
        if node.flags.contains(DeclFlags::WEAK) {
            self.linker.weak.push((linked, span));
        }
    }

    fn declare_function(&mut self, decl: DeclId, name: &str) -> FunctionId {
        let function = self.function(decl, name);
        self.linker.tree.functions.push(function);
        self.linker.function_state.push(Defined::No);
        FunctionId(self.linker.tree.functions.len() as u32 - 1)
    }

    fn function(&mut self, decl: DeclId, name: &str) -> Function {
        let unit = self.unit;
        let node = &unit.tast[decl];
        let span = unit.span(unit.tast.decl_span(decl));
        let ty = self.ty(node.ty);
        let (mut returns, mut parameter_types, mut variadic) = (ty, Vec::new(), false);
        let mut only_read = Vec::new();
        if let TypeKind::Function(signature) = unit.types.kind(unit.types.canonical(node.ty)) {
            let signature = unit.types.signature(signature);
            returns = self.ty(signature.ret);
            parameter_types = signature.params.iter().map(|ty| self.ty(*ty)).collect();
            only_read = signature.params.iter().map(|ty| unit.points_to_constant(*ty)).collect();
            variadic = signature.variadic;
        }
        Function {
            name: name.to_owned(),
            unique_name: name.to_owned(),
            returns,
            ty,
            parameter_types,
            only_read,
            variadic,
            parameters: Vec::new(),
            body: None,
            span,
            end: span,
            lists_arguments: false,
            no_return: node.flags.contains(DeclFlags::NORETURN),
            system: unit.is_system(unit.tast.decl_span(decl)),
            implicit: unit.undeclared.iter().any(|undeclared| undeclared == name),
            unit: unit.index,
        }
    }

    fn define_function(&mut self, decl: DeclId) {
        let unit = self.unit;
        let node = &unit.tast[decl];
        let Linked::Function(id) = self.linked(decl) else { return };
        let Some(body) = node.body else { return };
        let index = id.0 as usize;
        let name = self.linker.tree.functions[index].name.clone();
        let soft = node.inline == Emission::Inline || node.flags.contains(DeclFlags::WEAK);
        let state = if soft { Defined::Softly } else { Defined::Firmly(unit.index) };
        let span = unit.span(unit.tast.definition_span(decl));
        match (self.linker.function_state[index], state) {
            (Defined::Firmly(_) | Defined::Softly, Defined::Softly) => return,
            // What the user defines wins over the library.
            (Defined::Firmly(_), _) if unit.system => return,
            (Defined::Firmly(first), Defined::Firmly(second)) => {
                self.linker.twice(&name, span, first, second);
                return;
            }
            _ => self.linker.function_state[index] = state,
        }
        let place = |priority: Option<Priority>| match priority? {
            Priority::Numbered(number) => Some(u32::from(number)),
            Priority::Unnumbered => Some(u32::MAX),
        };
        self.linker.before.extend(place(node.startup.before).map(|order| (order, id)));
        self.linker.after.extend(place(node.startup.after).map(|order| (order, id)));
        let mut function = self.function(decl, &name);
        function.no_return |= self.linker.tree.functions[index].no_return;
        function.span = span;
        function.system = unit.is_system(unit.tast.definition_span(decl));
        let params: Vec<DeclId> = unit.tast[node.params].to_vec();
        for param in &params {
            if let Linked::Object(object) = self.linked(*param) {
                self.linker.tree.objects[object.0 as usize].kind = ObjectKind::Parameter;
                function.parameters.push(object);
            }
        }
        if function.parameter_types.is_empty() {
            function.parameter_types = params.iter().map(|param| self.ty(unit.tast[*param].ty)).collect();
        }
        let mut lengths = Vec::new();
        for param in &params {
            self.keep_lengths(unit.tast[*param].ty, &mut lengths);
        }
        // Known before its body is: the body may call it.
        self.linker.tree.functions[index] = function;
        let end = unit.span(unit.tast.stmt_span(body));
        let end = Span { start: end.end.saturating_sub(1).max(end.start), ..end };
        self.inside = Some(id);
        let mut body = self.body(body, lengths);
        if node.flags.contains(DeclFlags::NAKED) {
            // Whoever enters it is beyond C; most are entered by nobody but the machine.
            let why = "a call of a function without its frame (attribute naked)";
            body = self.push_stmt(StmtKind::Unsupported(why.to_owned()), span);
        }
        self.linker.tree.functions[index].body = Some(body);
        self.linker.tree.functions[index].end = end;
    }

    fn declare_object(&mut self, decl: DeclId, name: &str) -> ObjectId {
        let unit = self.unit;
        let node = &unit.tast[decl];
        let decl_span = unit.tast.decl_span(decl);
        let ty = self.ty(node.ty);
        let storage = match (node.duration, node.linkage, node.state) {
            (rucc_sema::StorageDuration::Automatic, ..) => StorageDuration::Automatic,
            (_, Linkage::External | Linkage::Internal, Definition::Declared) => StorageDuration::Extern,
            _ => StorageDuration::Static,
        };
        let object = Object {
            name: name.to_owned(),
            file_scope: node.linkage != Linkage::None,
            ty,
            size: self.size(node.ty),
            storage,
            init: None,
            variable_size: None,
            span: unit.span(decl_span),
            kind: ObjectKind::Variable,
            read_only: unit.types.object_quals(node.ty).has(Qualifiers::CONST),
            system: unit.is_system(decl_span),
            cleanup: None,
        };
        self.push_object(object)
    }

    /// Fills in what this declaration knows about its object.
    fn define_object(&mut self, decl: DeclId, id: ObjectId) {
        let unit = self.unit;
        let node = &unit.tast[decl];
        let index = id.0 as usize;
        let state = match node.state {
            Definition::Declared if node.linkage != Linkage::None => return,
            Definition::Tentative => Defined::Softly,
            _ => Defined::Firmly(unit.index),
        };
        let span = unit.span(unit.tast.definition_span(decl));
        match (self.linker.object_state[index], state) {
            (Defined::Firmly(first), Defined::Firmly(second)) if !unit.system => {
                let name = self.linker.tree.objects[index].name.clone();
                return self.linker.twice(&name, span, first, second);
            }
            (Defined::Firmly(_), _) => return,
            (Defined::Softly, Defined::Softly) => {}
            _ => self.linker.object_state[index] = state,
        }
        let (ty, size) = self.defined_type(decl);
        let system = unit.is_system(unit.tast.definition_span(decl));
        let object = &mut self.linker.tree.objects[index];
        if object.storage == StorageDuration::Extern {
            object.storage = StorageDuration::Static;
        }
        if size >= object.size {
            (object.ty, object.size, object.span, object.system) = (ty, size, span, system);
        }
        let automatic = object.storage == StorageDuration::Automatic;
        if let Some(list) = node.init {
            let entries = self.init_entries(&unit.tast[list], size, automatic);
            self.linker.tree.objects[index].init = Some(entries);
        }
        if automatic {
            let variable = self.variable_size(node.ty, span);
            self.linker.tree.objects[index].variable_size = variable;
        }
    }

    /// The type and size that a definition gives its object: a tentative `int a[];` has one element.
    fn defined_type(&mut self, decl: DeclId) -> (TypeId, u64) {
        let unit = self.unit;
        let node = &unit.tast[decl];
        match unit.types.kind(unit.types.canonical(node.ty)) {
            TypeKind::Array { elem, len: ArrayLen::Unknown } if node.state == Definition::Tentative => {
                let of = self.ty(elem);
                (self.linker.table.intern(Type::Array { of, length: 1 }), self.size(elem))
            }
            _ => (self.ty(node.ty), self.size(node.ty).max(unit.tast.extent(decl))),
        }
    }

    fn init_entries(&mut self, list: &[rucc_sema::InitEntry], size: u64, automatic: bool) -> Vec<InitEntry> {
        let mut entries = Vec::new();
        for entry in list {
            let bit_offset = entry.offset.saturating_mul(8) + u64::from(entry.bit_offset);
            let bits = if entry.is_bit_field() {
                u64::from(entry.bit_width)
            } else {
                let whole = self.size(self.unit.tast[entry.value].ty) * 8;
                // `char s[3] = "abc"` has no room for the terminator.
                if size == 0 { whole } else { whole.min((size * 8).saturating_sub(bit_offset)) }
            };
            let value = if automatic { self.expr(entry.value) } else { self.static_value(entry.value) };
            entries.push(InitEntry { bit_offset, bits, value });
        }
        entries
    }

    /// What an object with static storage starts with: folded, and if that makes a number of it, also kept as it is written.
    fn static_value(&mut self, id: rucc_sema::ExprId) -> ExprId {
        let unit = self.unit;
        let value = self.constant(id);
        let number = matches!(self.linker.tree.expr(value).kind, ExprKind::Const(_));
        let computed = !matches!(unit.tast[id].kind, rucc_sema::ExprKind::Const(_));
        if number && computed && !unit.is_system(unit.tast.expr_span(id)) {
            let written = self.expr(id);
            self.linker.tree.written.push(written);
        }
        value
    }
}
