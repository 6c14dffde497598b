//! From the typed tree to the program: order of effects, claims, the library.
//!
//! Functions are lowered as they are reached from the start function, which is ours (`start`). A function becomes
//! blocks (`function`) of statements (`stmt`); expressions (`expr`) become pure terms (`build`) as far as they have no
//! effect and make no claim, and control flow with temporaries otherwise (`effects` decides). Assignments are in
//! `assign`, places in `place`, initialisers in `init`, checks in `claims`, what macros hide in `conditions`, calls in `call`, built-ins of compilers in
//! `builtin`, the words of checkers in `checkers`, quantifiers in `quantifier`, what the names of C and of verifiers mean in `library`, reads of `volatile` objects in `volatile`, variable arguments in `variadic`, what runs before and after the program in `ends`, runs of which input and output are known in `trial`, where a reference ends by `exit` in `left`.
//!
//! A function of the library that has a model (`c/library.c`) is lowered anew for every call in the user's text:
//! all spans in that instance are the call's, and its claims belong to the calling function. So a failure inside
//! `strlen` is a failure of the line that called it.
//!
//! What cannot be executed becomes [`Unsupported`](crate::program::StatementKind::Unsupported) at its place. Only initialisers of static objects,
//! which nothing executes, are errors of the whole program.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use crate::c::tree::{self, Tree};
use crate::c::{Checks, Errors, Options, Registers};
use crate::program::{
    Author, BlockId, ClaimId, ExprId, Function, FunctionId, Global, GlobalId, GlobalInit, Operand, PlaceId,
    PointerLayout, Program, Site, SiteId, SiteKind, Type, TypeId,
};
use crate::source::{Diagnostic, FileId, Severity, Sources, Span};
use nearmiss_logic::hash::FxBuild;

mod assign;
mod build;
mod builtin;
mod call;
mod checkers;
mod claims;
mod conditions;
mod effects;
mod ends;
mod expr;
mod function;
mod init;
mod left;
mod library;
mod place;
mod pointees;
mod quantifier;
mod rounding;
mod scan;
mod start;
mod stmt;
mod stray;
mod trial;
mod unknown;
mod variadic;
mod volatile;

pub(super) use conditions::{hidden, sign};

use build::Interner;
use function::FunctionState;
use volatile::FixedAddress;

/// Makes the program.
pub(super) fn lower(tree: &Tree, options: &Options, sources: &mut Sources) -> Result<Program, Errors> {
    let (program, conditions) = lowered(tree, options, sources)?;
    sources.name_conditions(conditions);
    Ok(program)
}

/// The same, with what is decided at places whose text does not say it.
pub(super) fn lowered(
    tree: &Tree,
    options: &Options,
    sources: &Sources,
) -> Result<(Program, Vec<(Span, String)>), Errors> {
    let everywhere = Options { checks: tree.checks, ..options.clone() };
    let mut lowering = begun(tree, options, &everywhere, sources)?;
    lowering.expand_indirect_calls();
    let conditions = lowering.hidden_conditions();
    let errors = std::mem::take(&mut lowering.errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let program = lowering.finish();
    has_room(&program)?;
    Ok((program, conditions))
}

/// The same with functions that nobody calls, each beside one that is: which they are in the program.
pub(super) fn lowered_with(
    tree: &Tree,
    options: &Options,
    sources: &Sources,
    beside: &[(tree::FunctionId, tree::FunctionId)],
) -> Result<(Program, Vec<(FunctionId, FunctionId)>), Errors> {
    let everywhere = Options { checks: tree.checks, ..options.clone() };
    let mut lowering = begun(tree, options, &everywhere, sources)?;
    let ids =
        beside.iter().map(|(own, other)| (lowering.user_function(*own), lowering.user_function(*other))).collect();
    lowering.work();
    lowering.expand_indirect_calls();
    match std::mem::take(&mut lowering.errors) {
        errors if errors.is_empty() => Ok((lowering.finish(), ids)),
        errors => Err(errors),
    }
}

/// A program lowered as far as the entry function reaches.
fn begun<'a>(
    tree: &'a Tree,
    options: &Options,
    everywhere: &'a Options,
    sources: &'a Sources,
) -> Result<Lowering<'a>, Errors> {
    let entry = start::find_entry(tree, options)?;
    let mut lowering = Lowering::new(tree, everywhere, sources);
    lowering.asked = options.checks;
    lowering.declare_registers()?;
    lowering.lower_start(entry);
    lowering.work();
    Ok(lowering)
}

/// Whether small pointers tell all objects apart.
fn has_room(program: &Program) -> Result<(), Errors> {
    let PointerLayout { bits, offset_bits } = program.pointer;
    let error = |span: Span, what: String| Err(vec![Diagnostic::error(span, format!("not supported: {what}"))]);
    if bits > 16 {
        return Ok(());
    }
    let globals = program.globals.iter().map(|global| (global.span, &global.name, global.size));
    let locals = program.functions.iter().flat_map(|function| &function.locals);
    let locals = locals.map(|local| (local.span, &local.name, program.size_bits(local.ty) / 8));
    for (span, name, size) in globals.chain(locals) {
        if size > program.pointer.max_object_size() {
            return error(span, format!("{name} has {size} bytes, more than pointers of {bits} bits have here"));
        }
    }
    if program.first_dynamic_object() >= program.pointer.max_objects() {
        let (functions, globals) = (program.functions.len(), program.globals.len());
        let left = bits - offset_bits;
        let what = format!(
            "{functions} functions (each call of the library is one) and {globals} variables and strings on this machine: the \
             largest object leaves {left} of the {bits} bits of a pointer to tell them apart"
        );
        return error(program.function(program.entry).span, what);
    }
    Ok(())
}

/// A call of a library function in the user's text.
struct Instance {
    /// Which call.
    call: u32,
    /// The call in the text.
    span: Span,
    /// The user's function that it stands in.
    owner: String,
    /// Source text of the arguments.
    arguments: Vec<String>,
    /// Which of them are never 0, as far as the text tells.
    never_zero: Vec<bool>,
    /// Whether somebody uses what the call returns.
    is_used: bool,
}

/// A function that must still be lowered.
struct Job {
    function: tree::FunctionId,
    id: FunctionId,
    instance: Option<Rc<Instance>>,
}

/// A call through a pointer, expanded when every function whose address is taken is known.
struct IndirectCall {
    function: FunctionId,
    /// The block that ends with the call, and the one that goes on after it.
    block: BlockId,
    next: BlockId,
    pointer: ExprId,
    /// The type of the function pointed to.
    ty: TypeId,
    returns: TypeId,
    target: Option<PlaceId>,
    arguments: Vec<Operand>,
    span: Span,
    claim: Option<ClaimId>,
    site: Option<SiteId>,
}

/// Types that lowering needs by itself.
#[derive(Clone, Copy)]
struct Basic {
    truth: TypeId,
    int: TypeId,
    /// 32 bits, for numbers of our own.
    code: TypeId,
    character: TypeId,
    size: TypeId,
    difference: TypeId,
    void: TypeId,
}

struct Lowering<'a> {
    tree: &'a Tree,
    /// The checks among them are those that are made anywhere; `checks_at` says which are made at a place.
    options: &'a Options,
    /// The checks that were asked for, whatever pragmas say.
    asked: Checks,
    sources: &'a Sources,
    program: Program,
    basic: Basic,
    interner: Interner,
    /// What is known about expressions of the tree, see `effects`.
    flags: Vec<u8>,
    /// Expressions of the tree whose place does not say what they are, see `conditions`.
    hidden: Vec<bool>,
    /// Per place in the text, what the bodies of macros decide and set there.
    numbered: BTreeMap<Span, Vec<tree::ExprId>>,
    /// What they decide.
    decided: BTreeMap<Span, tree::ExprId>,
    /// Variables of the tree whose address is taken somewhere.
    exposed: Vec<bool>,
    /// `errno`, if the user's text reads or sets it.
    errno: Option<tree::ObjectId>,
    /// The mode that floats are rounded in, if the user's text sets it.
    rounding: Option<rounding::Mode>,
    /// The function under work.
    f: FunctionState,
    functions: HashMap<tree::FunctionId, FunctionId, FxBuild>,
    instances: HashMap<(u32, tree::FunctionId), FunctionId, FxBuild>,
    calls: u32,
    jobs: VecDeque<Job>,
    globals: HashMap<tree::ObjectId, GlobalId, FxBuild>,
    global_jobs: VecDeque<(tree::ObjectId, GlobalId)>,
    /// Functions whose address is taken, in order.
    targets: Vec<(tree::FunctionId, FunctionId)>,
    indirect: Vec<IndirectCall>,
    /// Objects at fixed addresses.
    registers: Vec<(GlobalId, Registers)>,
    /// Integers that the text makes pointers of, where no object is.
    addresses: Vec<FixedAddress>,
    noted: HashSet<String>,
    /// Claims that versions of a function do the same.
    compared: HashSet<ClaimId>,
    /// What makes the whole program one that we do not take.
    errors: Errors,
}

impl<'a> Lowering<'a> {
    fn new(tree: &'a Tree, options: &'a Options, sources: &'a Sources) -> Lowering<'a> {
        let nowhere = Span::new(FileId(0), 0, 0);
        let mut program = Program {
            pointer: tree.pointer,
            types: tree.types.clone(),
            globals: Vec::new(),
            functions: Vec::new(),
            exprs: Vec::new(),
            places: Vec::new(),
            claims: Vec::new(),
            sites: Vec::new(),
            start: FunctionId(0),
            entry: FunctionId(0),
            reference: options.reference.as_ref().map(|reference| reference.file.clone()),
            arguments: String::new(),
            temporal: None,
            notes: tree.notes.clone(),
            order: options.order,
            assembly: tree.assembly,
            quantifiers: Vec::new(),
            hardware: None,
        };
        let basic = Basic::find(&mut program, options.model.has_small_int());
        // Temporaries are always written before they are read; their site only fills the field.
        program.sites.push(Site {
            name: "$".to_owned(),
            ty: basic.int,
            span: nowhere,
            function: String::new(),
            kind: SiteKind::Uninitialised,
            writer: None,
        });
        Lowering {
            tree,
            options,
            asked: options.checks,
            sources,
            program,
            basic,
            interner: Interner::default(),
            flags: vec![effects::UNKNOWN; tree.exprs.len()],
            hidden: conditions::hidden(tree),
            numbered: BTreeMap::new(),
            decided: BTreeMap::new(),
            exposed: effects::exposed_objects(tree),
            errno: call::errno_of(tree, sources),
            rounding: rounding::mode_of(tree, sources),
            f: FunctionState::new(FunctionId(0), String::new(), basic.void, None, nowhere),
            functions: HashMap::default(),
            instances: HashMap::default(),
            calls: 0,
            jobs: VecDeque::new(),
            globals: HashMap::default(),
            global_jobs: VecDeque::new(),
            targets: Vec::new(),
            indirect: Vec::new(),
            registers: Vec::new(),
            addresses: Vec::new(),
            noted: HashSet::new(),
            compared: HashSet::new(),
            errors: Vec::new(),
        }
    }

    /// Lowers whatever was reached, until nothing new is.
    fn work(&mut self) {
        loop {
            if let Some(job) = self.jobs.pop_front() {
                self.lower_function(job);
            } else if let Some((object, id)) = self.global_jobs.pop_front() {
                let init = self.static_init(object);
                self.program.globals[id.index()].init = init;
            } else {
                return;
            }
        }
    }

    /// A function id without a body yet.
    fn declare_function(&mut self, function: tree::FunctionId, author: Author, span: Span) -> FunctionId {
        let of = self.tree.function(function);
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(Function {
            name: display_name(of).to_owned(),
            span,
            returns: of.returns,
            parameters: 0,
            variadic: of.variadic,
            locals: Vec::new(),
            blocks: Vec::new(),
            author,
        });
        id
    }

    /// The function of the program that a function of the user is; it is lowered later.
    fn user_function(&mut self, function: tree::FunctionId) -> FunctionId {
        if let Some(id) = self.functions.get(&function) {
            return *id;
        }
        let of = self.tree.function(function);
        let author = if self.is_trusted(of) { Author::Harness } else { Author::User };
        let id = self.declare_function(function, author, of.span);
        self.functions.insert(function, id);
        if of.body.is_some() || self.options.actions.contains(&of.name) {
            self.jobs.push_back(Job { function, id, instance: None });
        }
        id
    }

    /// Whether a function is of the reference, or compares with it.
    fn is_trusted(&self, of: &tree::Function) -> bool {
        let reference = self.options.reference.as_ref().filter(|_| !of.system);
        reference.is_some_and(|reference| of.unit == reference.unit || reference.is_ours(&of.name) && of.body.is_some())
    }

    /// The instance of a library function for a call.
    fn library_function(&mut self, function: tree::FunctionId, instance: Rc<Instance>) -> FunctionId {
        if let Some(id) = self.instances.get(&(instance.call, function)) {
            return *id;
        }
        let id = self.declare_function(function, Author::Library, instance.span);
        self.instances.insert((instance.call, function), id);
        self.jobs.push_back(Job { function, id, instance: Some(instance) });
        id
    }

    /// Whether its body is one of our models (or of a system header) rather than the user's.
    fn is_library(&self, function: tree::FunctionId) -> bool {
        let of = self.tree.function(function);
        of.system && of.body.is_some()
    }

    /// The global that an object with static storage is.
    fn global(&mut self, object: tree::ObjectId) -> GlobalId {
        if let Some(id) = self.globals.get(&object) {
            return *id;
        }
        let of = self.tree.object(object);
        let id = GlobalId(self.program.globals.len() as u32);
        let name = if of.name.is_empty() { self.literal_name(object) } else { of.name.clone() };
        let name = self.name_of_mode(object).map_or(name, str::to_owned);
        self.program.globals.push(Global {
            name,
            ty: of.ty,
            size: of.size,
            init: GlobalInit::Known(Vec::new()),
            initialised: of.init.is_some() && !of.name.is_empty() && !of.system,
            span: self.initialiser_span(of.span, of.init.as_deref().unwrap_or_default()),
            read_only: of.read_only,
            address: None,
        });
        self.globals.insert(object, id);
        self.global_jobs.push_back((object, id));
        id
    }

    /// A new place where inputs arise.
    fn site(&mut self, name: impl Into<String>, ty: TypeId, span: Span, kind: SiteKind) -> SiteId {
        let id = SiteId(self.program.sites.len() as u32);
        let function = self.f.owner.clone();
        self.program.sites.push(Site { name: name.into(), ty, span, function, kind, writer: None });
        id
    }

    /// A note for the user, once per key.
    fn note_once(&mut self, key: &str, span: Span, message: impl Into<String>, help: Option<&str>) {
        if self.noted.insert(key.to_owned()) {
            let note = Diagnostic::error(span, message).at(Severity::Note);
            self.program.notes.push(match help {
                Some(help) => note.with_help(help),
                None => note,
            });
        }
    }

    /// Source text on one line.
    fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Source text of an expression.
    fn words(&self, e: tree::ExprId) -> String {
        self.text(self.tree.expr(e).span)
    }

    fn finish(mut self) -> Program {
        for function in &mut self.program.functions {
            function::clean(function);
        }
        if self.options.reference.is_some() {
            self.trust_reference();
        }
        self.number_claims();
        self.note_addresses();
        self.program
    }
}

impl Basic {
    fn find(program: &mut Program, small: bool) -> Basic {
        let pointer = program.pointer.bits;
        let int = if small { 16 } else { 32 };
        // The names of C for its own types of this width, but where other types have them.
        let (size, difference) = if small { ("size_t", "ptrdiff_t") } else { ("unsigned long", "long") };
        let integer =
            |name: &str, bits, signed, character| Type::Integer { name: name.to_owned(), bits, signed, character };
        Basic {
            truth: intern(program, Type::Bool),
            int: intern(program, integer("int", int, true, false)),
            code: intern(program, integer(if small { "long" } else { "int" }, 32, true, false)),
            character: intern(program, integer("char", 8, true, true)),
            size: intern(program, integer(size, pointer, false, false)),
            difference: intern(program, integer(difference, pointer, true, false)),
            void: intern(program, Type::Void),
        }
    }
}

/// The id of a type, added if it is new.
fn intern(program: &mut Program, ty: Type) -> TypeId {
    let at = program.types.iter().position(|t| *t == ty).unwrap_or_else(|| {
        program.types.push(ty);
        program.types.len() - 1
    });
    TypeId(at as u32)
}

/// The name under which a function is shown.
fn display_name(function: &tree::Function) -> &str {
    if function.unique_name.is_empty() { &function.name } else { &function.unique_name }
}
