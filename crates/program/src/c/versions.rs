//! Two versions of a function: the one of the program, and a reference that it must agree with.
//!
//! The file of the reference is one more unit of the program. What it defines is its own (`front/link.rs`), so nobody renames anything.
//! Behind the texts of both units stands some C that nobody wrote: in the reference a *door* to the function, which may be `static`, and to each
//! global that both have; in the unit of the program's function a function that calls the reference, calls the program's, and claims that
//! they did the same. Execution starts there. The same text is compiled where runs are replayed by the compiled program.
//!
//! The reference runs first, on copies of what pointers point to. What it checks is assumed there: where the reference does what C leaves
//! undefined, nothing is compared (`lower.rs`).

mod programs;
mod reach;
mod text;

use std::collections::BTreeSet;
use std::fmt::Write;

use super::tree::{ExprId, ExprKind, Function, FunctionId, Object, StorageDuration, Tree};
use super::{Errors, Loader, Options, checkers, front, standard};
use crate::program::{Type, TypeId};
use crate::source::{Diagnostic, Severity, Sources, Span};
use reach::Reach;
pub use text::without_comments;
use text::{begin, closing};

/// What our names start with.
pub const PREFIX: &str = checkers::OF_VERSIONS;
/// So begin the names of functions that give both versions the same inputs.
pub const NEXT: &str = "nearmiss_reference_next_";
/// So many results of one function are the same for both.
const MOST_SHARED: u32 = 64;
/// The function that compares.
pub const COMPARE: &str = "nearmiss_reference_compare";
/// The word in the names of claims that compare.
pub const WORD: &str = "reference";
/// Stands for the number of a claim.
const NUMBER: &str = "@";
/// How many bytes a string parameter has (`lower/pointees.rs`).
const STRING: u64 = 8;
/// Functions from which nothing comes back.
const LEAVES: [&str; 9] =
    ["exit", "_exit", "_Exit", "quick_exit", "abort", "longjmp", "siglongjmp", "_longjmp", "thrd_exit"];
/// Functions of the library that give something else with every call.
const READS: [&str; 24] = [
    "clock",
    "clock_gettime",
    "drand48",
    "fgetc",
    "fgets",
    "fread",
    "fscanf",
    "getc",
    "getchar",
    "getdelim",
    "getenv",
    "getline",
    "getpid",
    "gets",
    "gettimeofday",
    "lrand48",
    "rand",
    "rand_r",
    "random",
    "read",
    "scanf",
    "time",
    "vfscanf",
    "vscanf",
];
/// Functions of `stdio.h` that write and read strings alone.
const IN_MEMORY: [&str; 5] = ["sprintf", "vsprintf", "vsnprintf", "sscanf", "vsscanf"];
/// Words before a function that do not matter to its type.
const STORAGE: [&str; 7] = ["static", "inline", "extern", "__inline", "__inline__", "_Noreturn", "__extension__"];

/// Another version of the entry function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Its file, as messages call it.
    pub file: String,
    /// The function.
    pub function: String,
    /// The number of its unit.
    pub unit: u32,
    /// The number of the unit with the program's version.
    pub home: u32,
    /// What stands behind the text of either.
    tails: [String; 2],
    /// External names that the reference defines.
    pub own: Vec<String>,
    /// Functions without a body that both versions call.
    pub inputs: Vec<String>,
    /// A function of either that prints or reads: that is not compared.
    pub prints: Option<String>,
    /// Whether these are programs, of which it is compared what they print and how they exit.
    pub programs: bool,
    /// Whether one of these reads standard input.
    pub reads: bool,
    /// Whether a reference that is a program may end by `exit`.
    pub(super) leaves: bool,
}

impl Reference {
    /// Whether a function of the program's units was written by nobody.
    pub(super) fn is_ours(&self, name: &str) -> bool {
        name.starts_with(PREFIX) || self.inputs.iter().any(|input| input == name)
    }

    /// What stands behind the text of a unit.
    pub fn tail(&self, unit: u32) -> &str {
        match unit {
            unit if unit == self.home => &self.tails[0],
            unit if unit == self.unit => &self.tails[1],
            _ => "",
        }
    }
}

/// Reads both versions and writes what compares them. `files` are those of the program.
pub fn read(
    files: &[String],
    reference: &str,
    options: &Options,
    loader: &dyn Loader,
    sources: &mut Sources,
) -> Result<Reference, Errors> {
    let new = front::read(files, options, loader, sources)?;
    let old = front::read(&[reference.to_owned()], options, loader, sources)?;
    let name = options.entry.as_str();
    let with_body = |tree: &Tree| {
        let found = tree.functions.iter().position(|of| of.body.is_some() && !of.system && of.name == name);
        found.map(|at| FunctionId(at as u32))
    };
    let Some(mine) = with_body(&new) else { return Err(missing(&files.join(", "), name, &new)) };
    let Some(theirs) = with_body(&old) else { return Err(missing(reference, name, &old)) };
    let (here, there) = (new.function(mine), old.function(theirs));
    let (reach, reached) = (Reach::of(&new, mine), Reach::of(&old, theirs));
    let pair = Pair { new: &new, old: &old, reach, reached, file: reference, sources };
    let are_programs = options.console.is_some();
    let (mut prints, mut ends) = (None, programs::Ends::default());
    if are_programs {
        ends = pair.programs(here, there)?;
    } else {
        pair.same_signature(here, there)?;
        prints = pair.outside()?;
    }
    pair.writes_its_own()?;
    let inputs = pair.inputs()?;
    let tails = match are_programs {
        true => pair.program_tails(here, there, &inputs)?,
        false => pair.tails(here, there, &inputs)?,
    };
    let own = old.functions.iter().filter(|of| of.body.is_some() && !of.system).map(|of| of.name.clone());
    let objects = old.objects.iter().filter(|of| of.file_scope && !of.system && of.storage == StorageDuration::Static);
    let inputs: Vec<String> = inputs.into_iter().map(|of| of.name.clone()).collect();
    let own: BTreeSet<String> = own.chain(objects.map(|of| of.name.clone())).chain(inputs.iter().cloned()).collect();
    Ok(Reference {
        file: reference.to_owned(),
        function: name.to_owned(),
        unit: files.len() as u32,
        home: here.unit,
        tails,
        own: own.into_iter().collect(),
        inputs,
        prints,
        programs: are_programs,
        reads: ends.reads,
        leaves: ends.leaves,
    })
}

/// There is no such function in a file.
fn missing(file: &str, name: &str, tree: &Tree) -> Errors {
    let names: Vec<&str> =
        tree.functions.iter().filter(|of| of.body.is_some() && !of.system).map(|of| of.name.as_str()).collect();
    let help = match &names[..] {
        [] => "it defines no function".to_owned(),
        names if names.len() > 10 => format!("it defines {}, …", names[..10].join(", ")),
        names => format!("it defines {}", names.join(", ")),
    };
    let message = format!("there is no function {name} in {file}");
    vec![Diagnostic { severity: Severity::Error, message, span: None, help: Some(help) }]
}

/// A part of what is compared: what it is called, and the condition.
struct Compared {
    what: String,
    condition: String,
    /// What must be computed before.
    before: String,
}

/// Both versions, each read by itself.
struct Pair<'a> {
    new: &'a Tree,
    old: &'a Tree,
    reach: Reach,
    reached: Reach,
    file: &'a str,
    sources: &'a Sources,
}

impl<'a> Pair<'a> {
    /// Refuses calls after which nothing can be compared, and says which function prints or reads, if one does.
    fn outside(&self) -> Result<Option<String>, Errors> {
        let mut prints = None;
        for (tree, reach) in [(self.new, &self.reach), (self.old, &self.reached)] {
            for expr in &reach.exprs {
                let (expr, span) = (&tree.expr(*expr).kind, tree.expr(*expr).span);
                let ExprKind::FunctionAddress(function) = expr else { continue };
                let of = tree.function(*function);
                if of.body.is_some() {
                    continue;
                }
                let name = of.name.as_str();
                if LEAVES.contains(&name) || of.no_return && !checkers::is_reserved(name) && !is_failure(name) {
                    return refused_at(
                        self.anchored(tree, span),
                        &format!(
                            "a comparison of versions that call {name}, which does not return{}",
                            self.file_of(tree)
                        ),
                    );
                }
                if READS.contains(&name) {
                    let file = self.file_of(tree);
                    let what = format!(
                        "a comparison of versions that call {name}, which would give each something else{file}"
                    );
                    return refused_at(self.anchored(tree, span), &what);
                }
                let is_stream = standard::header_of(name) == Some("stdio.h")
                    && !name.starts_with("snprintf")
                    && !IN_MEMORY.contains(&name);
                if is_stream {
                    prints = prints.or(Some(name.to_owned()));
                }
            }
        }
        Ok(prints)
    }

    /// Refuses a reference that writes what both share.
    fn writes_its_own(&self) -> Result<(), Errors> {
        for at in written(self.old, &self.reached.exprs) {
            let of = &self.old.objects[at];
            if of.storage == StorageDuration::Extern {
                let message =
                    format!("a comparison with a version that writes {}, which {} does not define", of.name, self.file);
                return refused_at(None, &message);
            }
        }
        Ok(())
    }

    /// Which version is meant, where no place tells it.
    fn file_of(&self, tree: &Tree) -> String {
        if std::ptr::eq(tree, self.old) { format!(", in {}", self.file) } else { String::new() }
    }

    /// A place of the program itself; one of the reference is in another list of files.
    fn anchored(&self, tree: &Tree, span: Span) -> Option<Span> {
        std::ptr::eq(tree, self.new).then_some(span)
    }

    fn same_signature(&self, here: &Function, there: &Function) -> Result<(), Errors> {
        let alike = |one: TypeId, other: TypeId| self.alike(one, other, &mut Vec::new());
        let is_same = here.parameter_types.len() == there.parameter_types.len()
            && here.variadic == there.variadic
            && alike(here.returns, there.returns)
            && here.parameter_types.iter().zip(&there.parameter_types).all(|(one, other)| alike(*one, *other));
        if !is_same {
            let (one, other) = (spelled(self.new, here.ty), spelled(self.old, there.ty));
            let message = match one == other {
                true => format!("types of {} have other members in {}", here.name, self.file),
                false => format!("{} has another type in {}: {other} there, {one} here", here.name, self.file),
            };
            return Err(vec![
                Diagnostic::error(here.span, message).with_help("versions are compared on the same arguments"),
            ]);
        }
        if here.variadic {
            return refused(here.span, "a comparison of functions with any number of arguments (...)");
        }
        Ok(())
    }

    /// Whether types of both versions are laid out alike and have the same names for their parts.
    fn alike(&self, one: TypeId, other: TypeId, open: &mut Vec<(TypeId, TypeId)>) -> bool {
        if open.contains(&(one, other)) {
            return true;
        }
        open.push((one, other));
        match (self.new.ty(one), self.old.ty(other)) {
            (Type::Pointer { to: one }, Type::Pointer { to: other }) => self.alike(*one, *other, open),
            (Type::Array { of: one, length }, Type::Array { of: other, length: same }) => {
                length == same && self.alike(*one, *other, open)
            }
            (
                Type::Record { name, union, fields, size },
                Type::Record { name: other, union: kind, fields: others, size: whole },
            ) => {
                let is_same = name == other && union == kind && size == whole && fields.len() == others.len();
                is_same
                    && fields.iter().zip(others).all(|(one, other)| {
                        let place = (one.bit_offset, one.bits, one.bit_field);
                        one.name == other.name
                            && place == (other.bit_offset, other.bits, other.bit_field)
                            && self.alike(one.ty, other.ty, open)
                    })
            }
            (Type::Enum { bits, signed, .. }, Type::Enum { bits: wide, signed: negative, .. })
            | (Type::Integer { bits, signed, .. }, Type::Integer { bits: wide, signed: negative, .. }) => {
                bits == wide && signed == negative
            }
            (one, other) => one == other,
        }
    }

    /// What stands behind the texts of both.
    fn tails(&self, here: &Function, there: &Function, inputs: &[&Function]) -> Result<[String; 2], Errors> {
        let [mine, theirs] = [self.prologue(here)?, self.prologue(there)?];
        let door = format!("{PREFIX}{}", here.name);
        let (mut new, mut old) = ("\n".to_owned(), "\n".to_owned());
        let is_void = matches!(self.new.ty(here.returns), Type::Void);
        let names = |tree: &Tree, of: &Function| -> Vec<String> {
            of.parameters.iter().map(|parameter| tree.object(*parameter).name.clone()).collect()
        };
        let passes = names(self.old, there).join(", ");
        let gives = if is_void { "" } else { "return " };
        let _ = writeln!(old, "{}\n{{\n    {gives}{}({passes});\n}}", theirs.named(&door), there.name);
        let _ = writeln!(new, "void __nearmiss_assert(_Bool, const char *);\n{};", mine.named(&door));
        let globals = self.globals();
        for (mine, theirs) in &globals {
            let name = &mine.name;
            let _ = writeln!(old, "void *{PREFIX}global_{name}(void)\n{{\n    return (void *)&{};\n}}", theirs.name);
            let _ = writeln!(new, "void *{PREFIX}global_{name}(void);");
        }
        for input in inputs {
            self.shared(input, &mut new, &mut old);
        }
        let _ = writeln!(new, "{}\n{{", mine.comparing());
        new += &self.body(here, &names(self.new, here), &globals, is_void)?;
        new += "}\n";
        Ok([new, old])
    }

    /// Functions without a body that both versions call: what they return is an input of both, the same in the same order.
    fn inputs(&self) -> Result<Vec<&'a Function>, Errors> {
        let is_input = |of: &&Function| {
            let picks = checkers::picks_a_value(&of.name);
            let is_known = checkers::is_reserved(&of.name) || checkers::declaration(&of.name).is_some();
            of.body.is_none() && (picks || !of.system && !is_known && standard::header_of(&of.name).is_none())
        };
        let mut found = Vec::new();
        let called = |tree: &'a Tree, reach: &Reach| -> Vec<&'a Function> {
            reach.functions.iter().map(|id| tree.function(*id)).filter(is_input).collect()
        };
        let theirs = called(self.old, &self.reached);
        for of in called(self.new, &self.reach) {
            let Some(other) = theirs.iter().find(|other| other.name == of.name) else {
                continue;
            };
            if matches!(self.new.ty(of.returns), Type::Void) && of.parameter_types.is_empty() {
                continue;
            }
            let is_pointer = |ty: &TypeId| matches!(self.new.ty(*ty), Type::Pointer { .. });
            let written = of.parameter_types.iter().zip(&of.only_read).any(|(ty, read)| is_pointer(ty) && !read);
            if written || self.scalar(of.returns).is_none() || of.variadic {
                let what = format!(
                    "a comparison of versions that both call {}, which has no body and takes or returns more than numbers",
                    of.name
                );
                return refused(of.span, &what);
            }
            if !self.alike(of.returns, other.returns, &mut Vec::new()) {
                return Err(vec![Diagnostic::error(
                    of.span,
                    format!("{} returns another type in {}", of.name, self.file),
                )]);
            }
            found.push(of);
        }
        Ok(found)
    }

    /// Lets both versions read the same results of a function without a body: those that the reference was given are kept for the other.
    fn shared(&self, of: &Function, new: &mut String, old: &mut String) {
        let (name, returns) = (&of.name, self.scalar(of.returns).unwrap_or_default());
        let types: Vec<String> = of.parameter_types.iter().map(|ty| self.type_name(*ty)).collect();
        let parameters = match &types[..] {
            [] => "void".to_owned(),
            types => types.iter().enumerate().map(|(at, ty)| format!("{ty} a{at}")).collect::<Vec<_>>().join(", "),
        };
        let next = format!("{NEXT}{name}");
        let _ = write!(
            new,
            "{returns} {name}_of_both(void);\nstatic {returns} {PREFIX}kept_{name}[{MOST_SHARED}];\n\
             static int {PREFIX}known_{name}, {PREFIX}taken_{name};\n\
             {returns} {next}(int {PREFIX}old)\n{{\n    \
             if (!{PREFIX}old && {PREFIX}taken_{name} < {PREFIX}known_{name})\n        \
             return {PREFIX}kept_{name}[{PREFIX}taken_{name}++];\n    \
             {returns} {PREFIX}given = {name}_of_both();\n    \
             if ({PREFIX}old) {{\n        \
             __nearmiss_assert({PREFIX}known_{name} < {MOST_SHARED}, \"at most {MOST_SHARED} results of {name} are the same in {}\");\n        \
             {PREFIX}kept_{name}[{PREFIX}known_{name}++] = {PREFIX}given;\n    }}\n    \
             return {PREFIX}given;\n}}\n\
             {returns} {name}({parameters})\n{{\n    return {next}(0);\n}}\n",
            self.file
        );
        let _ = write!(old, "{returns} {next}(int);\n{returns} {name}({parameters})\n{{\n    return {next}(1);\n}}\n");
    }

    /// A type as C writes it.
    fn type_name(&self, ty: TypeId) -> String {
        match self.new.ty(ty) {
            Type::Pointer { to } => format!("const {} *", self.type_name(*to)),
            Type::Record { name, .. } => name.clone(),
            Type::Void => "void".to_owned(),
            _ => self.scalar(ty).unwrap_or_else(|| "void".to_owned()),
        }
    }

    /// What the function that compares does.
    fn body(
        &self,
        of: &Function,
        names: &[String],
        globals: &[(&Object, &Object)],
        is_void: bool,
    ) -> Result<String, Errors> {
        let (mut text, mut passed, mut compared) = (String::new(), Vec::new(), Vec::new());
        let mut copies = Vec::new();
        for (name, parameter) in names.iter().zip(&of.parameters) {
            let object = self.new.object(*parameter);
            if let Type::Pointer { to } = self.new.ty(object.ty) {
                let copy = format!("{PREFIX}copy_of_{name}");
                copies.push((name.clone(), copy.clone(), self.copied(name, &copy, *to, object.span, &mut text)?));
                let _ = writeln!(
                    text,
                    "    __typeof__({name}) {PREFIX}{name} = {name} ? (__typeof__({name}))(void *)&{copy} : 0;"
                );
                passed.push(format!("{PREFIX}{name}"));
                self.behind(name, &copy, *to, &mut compared);
            } else if self.has_pointers(object.ty) {
                return refused(object.span, "a comparison of versions that get pointers inside of records");
            } else {
                passed.push(name.clone());
            }
        }
        let old = format!("{PREFIX}{}({})", of.name, passed.join(", "));
        let new = format!("{}({})", of.name, names.join(", "));
        let mut all = Vec::new();
        if is_void {
            let _ = writeln!(text, "    {old};\n    {new};");
        } else {
            let _ = writeln!(text, "    __typeof__({old}) {PREFIX}old = {old};");
            let _ = writeln!(text, "    __typeof__({old}) {PREFIX}new = {new};");
            self.returned(of, &copies, &mut all)?;
        }
        all.append(&mut compared);
        for (mine, theirs) in globals {
            let name = &mine.name;
            if names.contains(name) {
                let what = format!("a comparison of versions that have a variable and a parameter called {name}");
                return refused(of.span, &what);
            }
            let _ = writeln!(text, "    __typeof__({name}) *{PREFIX}at_{name} = {PREFIX}global_{name}();");
            debug_assert_eq!(mine.size, theirs.size);
            self.same(&Place::global(name), &format!("(*{PREFIX}at_{name})"), mine.ty, "1", &mut all);
        }
        if all.is_empty() {
            let message = format!("{} returns nothing and leaves nothing that could be compared", of.name);
            return Err(vec![Diagnostic::error(of.span, message)]);
        }
        for (at, Compared { what, condition, before }) in all.into_iter().enumerate() {
            let number = (at + 1).to_string();
            let _ = write!(text, "{}", before.replace(NUMBER, &number));
            let condition = condition.replace(NUMBER, &number);
            let _ = writeln!(text, "    __nearmiss_assert({condition}, \"{what}\");");
        }
        Ok(text)
    }

    /// Makes a copy of what a pointer parameter points to, and says how many bytes that has.
    fn copied(&self, name: &str, copy: &str, to: TypeId, span: Span, text: &mut String) -> Result<u64, Errors> {
        let size = self.size(to);
        let is_text = matches!(self.new.ty(to), Type::Void | Type::Integer { character: true, .. });
        if is_text {
            let _ = writeln!(
                text,
                "    char {copy}[{STRING}] = {{0}};\n    if ({name}) __builtin_memcpy({copy}, {name}, {STRING});"
            );
            return Ok(STRING);
        }
        if size == 0 {
            return refused(
                span,
                "a comparison of versions that get pointers to functions, or to what has no known size",
            );
        }
        if self.has_pointers(to) {
            return refused(span, "a comparison of versions that get pointers to what holds pointers");
        }
        // An array, so that what it holds may be written where what is pointed to is constant.
        let _ = writeln!(
            text,
            "    _Alignas(16) char {copy}[{size}] = {{0}};\n    if ({name}) __builtin_memcpy({copy}, {name}, {size});"
        );
        Ok(size)
    }

    /// What is left behind a pointer parameter.
    fn behind(&self, name: &str, copy: &str, to: TypeId, compared: &mut Vec<Compared>) {
        let what = format!("*{name} is left as in {}", self.file);
        if let Some(of) = self.character(to) {
            let code = [format!("((const {of} *){name})"), format!("((const {of} *){copy})")];
            compared.push(first_difference(what, &code, &of, STRING, &format!("{name} != 0")));
            return;
        }
        let other = format!("(*(__typeof__({name})){copy})");
        self.same(&Place::behind(name), &other, to, &format!("{name} != 0"), compared);
    }

    /// That both return the same.
    fn returned(&self, of: &Function, copies: &[(String, String, u64)], all: &mut Vec<Compared>) -> Result<(), Errors> {
        let (old, new) = (format!("{PREFIX}old"), format!("{PREFIX}new"));
        let what = format!("{} returns the same as in {}", of.name, self.file);
        let Type::Pointer { to } = self.new.ty(of.returns) else {
            if self.has_pointers(of.returns) {
                return refused(of.span, "a comparison of versions that return pointers inside of records");
            }
            match self.new.ty(of.returns) {
                Type::Record { .. } => {
                    let place = Place { shown: format!("{}()", of.name), code: new };
                    self.same(&place, &old, of.returns, "1", all);
                }
                _ => self.same(&Place { shown: what, code: new }, &old, of.returns, "1", all),
            }
            return Ok(());
        };
        let elsewhere = match self.new.ty(*to) {
            Type::Integer { character: true, .. } => {
                format!("{new} != 0 && __builtin_strcmp((const char *){new}, (const char *){old}) == 0")
            }
            _ if self.scalar(*to).is_some() => format!("{new} != 0 && *{new} == *{old}"),
            _ => return refused(of.span, "a comparison of versions that return pointers of this type"),
        };
        let number = |pointer: &str| format!("(__UINTPTR_TYPE__){pointer}");
        let mut condition = elsewhere;
        for (name, copy, size) in copies.iter().rev() {
            let distance = format!("{} - {}", number(&old), number(copy));
            let is_inside = format!("{name} != 0 && {distance} <= {size}");
            let same = format!("{} - {} == {distance}", number(&new), number(name));
            condition = format!("{is_inside} ? {same} : ({condition})");
        }
        all.push(Compared {
            what,
            condition: format!("{old} == 0 ? {new} == 0 : ({condition})"),
            before: String::new(),
        });
        Ok(())
    }

    /// That two objects of a type hold the same, where `exists`: a claim for each member, and one for an array.
    fn same(&self, place: &Place, other: &str, ty: TypeId, exists: &str, all: &mut Vec<Compared>) {
        let code = &place.code;
        let what = match () {
            () if place.shown.contains(" the same as in ") => place.shown.clone(),
            () if place.shown.contains("()") => format!("{} is the same as in {}", place.shown, self.file),
            () => format!("{} is left as in {}", place.shown, self.file),
        };
        match self.new.ty(ty) {
            Type::Record { union: false, fields, .. } => {
                for field in fields {
                    let is_nameless = field.name.is_empty();
                    if is_nameless && !matches!(self.new.ty(field.ty), Type::Record { .. }) {
                        continue;
                    }
                    let inner = if is_nameless { place.clone() } else { place.member(&field.name) };
                    let other = if is_nameless { other.to_owned() } else { format!("{other}.{}", field.name) };
                    self.same(&inner, &other, field.ty, exists, all);
                }
            }
            Type::Array { of, length } => {
                let code = [code.clone(), other.to_owned()];
                all.push(match self.scalar(*of) {
                    Some(of) => first_difference(what, &code, &of, *length, exists),
                    None => bytes(what, &code, self.size(ty), exists),
                });
            }
            Type::Record { .. } => {
                all.push(bytes(what, &[code.clone(), other.to_owned()], self.size(ty), exists));
            }
            _ => {
                let Some(of) = self.scalar(ty) else { return };
                let [new, old] = [seen("new"), seen("old")];
                let before = format!("    {of} {new} = {exists} ? {code} : 0, {old} = {exists} ? {other} : 0;\n");
                let condition = match self.new.ty(ty) {
                    Type::Float { .. } => format!("{new} == {old} || ({new} != {new} && {old} != {old})"),
                    _ => format!("{new} == {old}"),
                };
                all.push(Compared { what, condition, before });
            }
        }
    }

    /// How C writes the type of a number.
    fn scalar(&self, ty: TypeId) -> Option<String> {
        Some(match self.new.ty(ty) {
            Type::Bool => "_Bool".to_owned(),
            Type::Integer { name, .. } | Type::Float { name, .. } => name.clone(),
            Type::Enum { name, .. } if name == "enum" => "int".to_owned(),
            Type::Enum { name, .. } => name.clone(),
            _ => return None,
        })
    }

    /// The characters that a pointer to this type points to.
    fn character(&self, to: TypeId) -> Option<String> {
        match self.new.ty(to) {
            Type::Void => Some("char".to_owned()),
            Type::Integer { character: true, name, .. } => Some(name.clone()),
            _ => None,
        }
    }

    fn has_pointers(&self, ty: TypeId) -> bool {
        match self.new.ty(ty) {
            Type::Pointer { .. } => true,
            Type::Array { of, .. } => self.has_pointers(*of),
            Type::Record { fields, .. } => fields.iter().any(|field| self.has_pointers(field.ty)),
            _ => false,
        }
    }

    /// In bytes.
    fn size(&self, ty: TypeId) -> u64 {
        match self.new.ty(ty) {
            Type::Void | Type::Function { .. } => 0,
            Type::Bool => 1,
            Type::Integer { bits, .. } | Type::Enum { bits, .. } | Type::Float { bits, .. } => {
                u64::from(*bits).div_ceil(8)
            }
            Type::Pointer { .. } => u64::from(self.new.pointer.bits) / 8,
            Type::Array { of, length } => self.size(*of) * length,
            Type::Record { size, .. } => *size,
        }
    }

    /// Variables that both versions have under the same name and type and that one of them writes.
    fn globals(&self) -> Vec<(&Object, &Object)> {
        let is_global = |of: &&Object| {
            of.file_scope && !of.system && of.storage == StorageDuration::Static && !of.read_only && !of.name.is_empty()
        };
        let (mine, theirs) = (written(self.new, &self.reach.exprs), written(self.old, &self.reached.exprs));
        let mut found = Vec::new();
        for (at, object) in self.new.objects.iter().enumerate().filter(|(_, object)| is_global(object)) {
            let other = self.old.objects.iter().enumerate().filter(|(_, other)| is_global(other));
            let other = other
                .filter(|(_, other)| other.name == object.name)
                .find(|(_, other)| self.alike(object.ty, other.ty, &mut Vec::new()) && !self.has_pointers(object.ty));
            if let Some((number, other)) = other
                && (mine.contains(&at) || theirs.contains(&number))
            {
                found.push((object, other));
            }
        }
        found
    }

    /// How a function begins in the text.
    fn prologue(&self, of: &Function) -> Result<Prologue, Errors> {
        let text = &self.sources.file(of.span.file).text;
        let odd =
            || refused(of.span, "a comparison of a function whose definition is no plain `type name(parameters) {`");
        let Some(name) = text.get(of.span.start as usize..).filter(|rest| rest.starts_with(&of.name)) else {
            return odd();
        };
        let rest = &name[of.name.len()..];
        let trimmed = rest.trim_start();
        if !trimmed.starts_with('(') {
            return odd();
        }
        let Some(end) = closing(trimmed) else { return odd() };
        if !trimmed[end..].trim_start().starts_with('{') {
            return odd();
        }
        let start = begin(&text[..of.span.start as usize]);
        let before = without_comments(&text[start..of.span.start as usize]);
        let words: Vec<&str> = before.split_whitespace().filter(|word| !STORAGE.contains(word)).collect();
        if words.is_empty() {
            return odd();
        }
        Ok(Prologue { before: words.join(" "), parameters: trimmed[..end].to_owned() })
    }
}

/// A variable of the number of a claim, which its run is asked for: what the new version gives, what the old one does, and where in an array.
fn seen(what: &str) -> String {
    format!("{PREFIX}{what}_{NUMBER}")
}

/// The name of such a variable, of a claim by its number among those that compare.
pub fn seen_name(what: &str, number: u16) -> String {
    format!("{PREFIX}{what}_{number}")
}

/// Whether a claim compares versions: the word in its name says so.
pub fn compares(id: &str) -> bool {
    id.rsplit('.').nth(1) == Some(WORD)
}

/// That two arrays of numbers hold the same: the first element that differs is known.
fn first_difference(what: String, [code, other]: &[String; 2], of: &str, length: u64, exists: &str) -> Compared {
    let [new, old, at] = [seen("new"), seen("old"), seen("at")];
    let mut before = format!("    {of} {new} = 0, {old} = 0;\n    int {at} = -1;\n    if ({exists})\n");
    let _ = write!(
        before,
        "        for (int {PREFIX}i = 0; {PREFIX}i < {length}; {PREFIX}i++)\n            \
         if ({at} < 0 && {code}[{PREFIX}i] != {other}[{PREFIX}i])\n                \
         {new} = {code}[{PREFIX}i], {old} = {other}[{PREFIX}i], {at} = {PREFIX}i;\n"
    );
    Compared { what, condition: format!("{at} < 0"), before }
}

/// That two objects hold the same bytes.
fn bytes(what: String, [code, other]: &[String; 2], size: u64, exists: &str) -> Compared {
    let code = [format!("((const unsigned char *)&{code})"), format!("((const unsigned char *)&{other})")];
    let Compared { what, condition, before } = first_difference(what, &code, "unsigned char", size, exists);
    // A byte says nothing to a reader.
    Compared { what, condition: condition.replace("at_", "byte_"), before: before.replace("at_", "byte_") }
}

/// A place in C, and as it is shown.
#[derive(Clone)]
struct Place {
    shown: String,
    code: String,
}

impl Place {
    fn global(name: &str) -> Place {
        Place { shown: name.to_owned(), code: name.to_owned() }
    }

    fn behind(name: &str) -> Place {
        Place { shown: format!("*{name}"), code: format!("(*{name})") }
    }

    fn member(&self, name: &str) -> Place {
        let shown = match self.shown.strip_prefix('*') {
            Some(pointer) if !pointer.contains(['.', '>']) => format!("{pointer}->{name}"),
            _ => format!("{}.{name}", self.shown),
        };
        Place { shown, code: format!("{}.{name}", self.code) }
    }
}

/// What stands before the name of a function, and its parameters.
struct Prologue {
    before: String,
    parameters: String,
}

impl Prologue {
    fn named(&self, name: &str) -> String {
        format!("{} {name}{}", self.before, self.parameters)
    }

    fn comparing(&self) -> String {
        format!("void {COMPARE}{}", self.parameters)
    }
}

/// Not supported, at a place if it is known.
fn refused_at<T>(span: Option<Span>, what: &str) -> Result<T, Errors> {
    Err(vec![Diagnostic { severity: Severity::Error, message: format!("not supported: {what}"), span, help: None }])
}

/// Whether a function says that a check is violated.
fn is_failure(name: &str) -> bool {
    name.starts_with("__nearmiss_") || ["reach_error", "__assert_fail", "__assert", "__assert_rtn"].contains(&name)
}

fn refused<T>(span: Span, what: &str) -> Result<T, Errors> {
    Err(vec![Diagnostic::error(span, format!("not supported: {what}"))])
}

fn spelled(tree: &Tree, ty: TypeId) -> String {
    match tree.ty(ty) {
        Type::Function { name } => name.clone(),
        _ => "a function".to_owned(),
    }
}

/// The numbers of objects that a program may write.
fn written(tree: &Tree, exprs: &[ExprId]) -> BTreeSet<usize> {
    let root = |mut lvalue: super::tree::ExprId| loop {
        lvalue = match tree.expr(lvalue).kind {
            ExprKind::Object(object) => return Some(object.0 as usize),
            ExprKind::Member { base, .. } => base,
            ExprKind::Element { array, .. } => array,
            ExprKind::Deref(pointer) => match tree.expr(pointer).kind {
                ExprKind::AddressOf(inner) => inner,
                ExprKind::PointerAdd { pointer, .. } => match tree.expr(pointer).kind {
                    ExprKind::AddressOf(inner) => inner,
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        }
    };
    let exprs = || exprs.iter().map(|id| tree.expr(*id));
    let targets = exprs().filter_map(|of| match of.kind {
        ExprKind::Assign { target, .. } | ExprKind::CompoundAssign { target, .. } | ExprKind::Step { target, .. } => {
            root(target)
        }
        ExprKind::Call { .. } => None,
        _ => None,
    });
    // What is passed to a function may be written there.
    let passed = exprs().filter_map(|of| match &of.kind {
        ExprKind::Call { arguments, .. } => {
            Some(arguments.iter().filter_map(|argument| match tree.expr(*argument).kind {
                ExprKind::AddressOf(inner) => root(inner),
                _ => None,
            }))
        }
        _ => None,
    });
    targets.chain(passed.flatten()).collect()
}
