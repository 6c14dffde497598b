//! Programs as text: [`print()`] writes a [`Program`] line by line, [`parse()`] reads it back, and printing again gives the
//! same text. A test is a string, and a bug report is a file.
//!
//! ```text
//! pointer 64 40
//! type int = integer "int" 32 signed
//! type _Bool = bool
//! site s0 "x" int call "main" @0:10-20
//! claim main.assertion.1 assertion "x < 3" "main"
//! global $total int size 4 known (0 32 7)
//! start main
//! entry main
//! function main returns int parameters 0 user
//!   local %x int site s0
//! b0:
//!   declare %x
//!   input %x s0
//!   claim main.assertion.1 (slt %x 3:int)
//!   $total = (add $total %x)
//!   branch (eq $total 0:int) b1 b2 choice
//! b1:
//!   stop
//! b2:
//!   stop
//! end
//! ```
//!
//! * A *label* names an item: types, functions and claims bare, locals with `%`, globals with `$`. Where the name in the
//!   program is not the label, it follows in quotes. Printing picks the name itself where that is a word and nobody else
//!   has it, and appends `~` and the number of the item otherwise.
//! * An expression is a constant `3:int`, a place (which is loaded), `&place`, `(function f)`, or an operator in
//!   parentheses. `:type/bits` after it gives its type and width; either is left out where it follows from the operands
//!   (those of the place, or of the first operand), and `/bits` where it is the size of the type.
//! * A place is `%x`, `$g` or `(* pointer)`, then `.field` (by name, or `.#2` by number) and `[index]`.
//!   `(* pointer type)` reads the memory as another type than that the pointer points to, and `{type bits}` at the end
//!   overrides what the path leads to.
//! * `=` is an assignment that a person wrote, `:=` one of ours. `;` starts a comment. A span is `@file:start-end`.
//! * A branch that is only a part of a condition, or not that of an `if` or `while`, tells behind its role `of` whom it is,
//!   what the whole condition is once it is taken and once it is not, and where that stands: `of if open false @0:7-20`.
//! * Two conveniences for writing by hand: a missing span is `@0:0-0`, and a local without `site` gets one of its own.
//!
//! Expressions are printed as trees; sharing in the arena is lost.

mod lex;
mod parse;
mod parse_body;

use std::collections::HashMap;
use std::fmt::Write as _;

pub use lex::ParseError;
pub use parse::parse;

use nearmiss_logic::width::sign_extend;

use crate::program::{
    Asker, Author, Base, BinaryOp, BranchRole, ByteOrder, ClaimKind, Conversion, Decision, ExprId, ExprKind, Function,
    GlobalInit, LocalId, MemoryQuestion, ObjectKind, Operand, Origin, PlaceId, Program, Projection, SiteKind,
    StatementKind, Storage, Terminator, Toward, Type, TypeId, UnaryOp,
};
use crate::source::{FileId, Severity, Sources, Span};

/// The span of things written by hand; it is not printed.
const NOWHERE: Span = Span::new(FileId(0), 0, 0);

/// A span as the text has it: `0:12-17`, and `0:12-17.2` of the second thing that a macro has there.
fn place(span: Span) -> String {
    let Span { file, start, end, part } = span;
    let part = if part == 0 { String::new() } else { format!(".{part}") };
    format!("{}:{start}-{end}{part}", file.0)
}

/// The text of a program. With `sources`, each span is followed by the position it means, as a comment.
pub fn print(program: &Program, sources: Option<&Sources>) -> String {
    let labels = Labels::new(program);
    let mut out = String::new();
    let p = program;
    let order = if p.order == ByteOrder::Big { " big" } else { "" };
    let _ = writeln!(out, "pointer {} {}{order}", p.pointer.bits, p.pointer.offset_bits);
    for (index, ty) in p.types.iter().enumerate() {
        let _ = writeln!(out, "type {} = {}", labels.types[index], type_text(&labels, ty));
    }
    let mut printer =
        Printer { program, labels: &labels, naturals: Naturals::new(program), sources, function: None, out };
    for (index, site) in p.sites.iter().enumerate() {
        let kind = word_of(&SITE_KINDS, site.kind);
        let ty = &labels.types[site.ty.index()];
        let writer = site.writer.as_ref().map(|name| format!(" {}", quote(name))).unwrap_or_default();
        let (name, function) = (quote(&site.name), quote(&site.function));
        printer.line(&format!("site s{index} {name} {ty} {kind} {function}{writer}"), site.span);
    }
    for (index, claim) in p.claims.iter().enumerate() {
        let name = labelled(&labels.claims[index], &claim.id);
        let text = format!("claim {name} {} {} {}", claim.kind.word(), quote(&claim.text), quote(&claim.function));
        printer.line(&text, claim.span);
    }
    for (index, global) in p.globals.iter().enumerate() {
        let name = labelled(&labels.globals[index], &global.name);
        let mut text = format!("global ${name} {} size {}", labels.types[global.ty.index()], global.size);
        if global.read_only {
            text.push_str(" readonly");
        }
        if global.initialised {
            text.push_str(" initialised");
        }
        if let Some(address) = global.address {
            let _ = write!(text, " at {address}");
        }
        match &global.init {
            GlobalInit::Unknown(site) => {
                let _ = write!(text, " unknown s{}", site.0);
            }
            GlobalInit::Known(pieces) => {
                text.push_str(" known");
                for piece in pieces {
                    let _ = write!(text, " ({} {} {})", piece.bit_offset, piece.bits, piece.value);
                }
            }
        }
        printer.line(&text, global.span);
    }
    for note in &p.notes {
        let mut text = format!("note {} {}", word_of(&SEVERITIES, note.severity), quote(&note.message));
        if let Some(help) = &note.help {
            let _ = write!(text, " {}", quote(help));
        }
        match note.span {
            // A note about nowhere differs from one about the start of the first file.
            Some(NOWHERE) => printer.line(&format!("{text} @0:0-0"), NOWHERE),
            Some(span) => printer.line(&text, span),
            None => printer.line(&text, NOWHERE),
        }
    }
    let _ = writeln!(printer.out, "start {}", labels.functions[p.start.index()]);
    let _ = writeln!(printer.out, "entry {}", labels.functions[p.entry.index()]);
    for (index, function) in p.functions.iter().enumerate() {
        printer.function(index, function);
    }
    printer.out
}

struct Printer<'a> {
    program: &'a Program,
    labels: &'a Labels,
    naturals: Naturals,
    sources: Option<&'a Sources>,
    function: Option<(&'a Function, Vec<String>)>,
    out: String,
}

impl<'a> Printer<'a> {
    fn line(&mut self, text: &str, span: Span) {
        self.out.push_str(text);
        if span != NOWHERE {
            let _ = write!(self.out, " @{}", place(span));
            if let Some(sources) = self.sources
                && sources.files().any(|(id, _)| id == span.file)
            {
                let _ = write!(self.out, " ; {}", sources.position(span).to_string().replace(['\n', '\r'], " "));
            }
        }
        self.out.push('\n');
    }

    fn function(&mut self, index: usize, function: &'a Function) {
        let name = labelled(&self.labels.functions[index], &function.name);
        let mut text = format!(
            "function {name} returns {} parameters {}",
            self.labels.types[function.returns.index()],
            function.parameters
        );
        if function.variadic {
            text.push_str(" variadic");
        }
        let _ = write!(text, " {}", word_of(&AUTHORS, function.author));
        self.line(&text, function.span);
        let locals = local_labels(function);
        for (local, label) in function.locals.iter().zip(&locals) {
            let name = labelled(label, &local.name);
            let ty = &self.labels.types[local.ty.index()];
            let mut text = format!("  local %{name} {ty} site s{}", local.site.0);
            if local.temporary {
                text.push_str(" temporary");
            }
            if local.address_taken {
                text.push_str(" address");
            }
            self.line(&text, local.span);
        }
        self.function = Some((function, locals));
        for (number, block) in function.blocks.iter().enumerate() {
            let _ = writeln!(self.out, "b{number}:");
            for statement in &block.statements {
                let mut text = String::from("  ");
                self.statement(&mut text, &statement.kind);
                self.line(&text, statement.span);
            }
            let mut text = String::from("  ");
            let span = self.terminator(&mut text, &block.end);
            self.line(&text, span);
        }
        self.out.push_str("end\n");
        self.function = None;
    }

    fn statement(&self, out: &mut String, kind: &StatementKind) {
        let arrow = |origin: Origin| if origin == Origin::Written { "=" } else { ":=" };
        match kind {
            StatementKind::Assign { target, value, origin } => {
                self.place(out, *target);
                let _ = write!(out, " {} ", arrow(*origin));
                self.expr(out, *value);
            }
            StatementKind::Copy { target, source, origin } => {
                out.push_str("copy ");
                self.place(out, *target);
                let _ = write!(out, " {} ", arrow(*origin));
                self.place(out, *source);
            }
            StatementKind::Clear { target } => {
                out.push_str("clear ");
                self.place(out, *target);
            }
            StatementKind::Declare { local } => {
                let _ = write!(out, "declare {}", self.local(*local));
            }
            StatementKind::Kill { local } => {
                let _ = write!(out, "kill {}", self.local(*local));
            }
            StatementKind::Input { target, site, object } => {
                out.push_str("input ");
                self.place(out, *target);
                let _ = write!(out, " s{}", site.0);
                if let Some(object) = object {
                    out.push_str(" or ");
                    self.expr(out, *object);
                }
            }
            StatementKind::Call { target, function, arguments } => {
                out.push_str("call ");
                if let Some(target) = target {
                    self.place(out, *target);
                    out.push_str(" = ");
                }
                out.push_str(&self.labels.functions[function.index()]);
                for argument in arguments {
                    out.push(' ');
                    self.operand(out, *argument);
                }
            }
            StatementKind::Assume { condition } => {
                out.push_str("assume ");
                self.expr(out, *condition);
            }
            StatementKind::Claim { claim, condition, part } => {
                let word = if *part { "part" } else { "claim" };
                let _ = write!(out, "{word} {} ", self.labels.claims[claim.index()]);
                self.expr(out, *condition);
            }
            StatementKind::Allocate { target, size, zeroed, storage, site } => {
                out.push_str("allocate ");
                self.place(out, *target);
                out.push_str(" = ");
                self.expr(out, *size);
                let _ = write!(out, " {}", word_of(&STORAGES, *storage));
                if *zeroed {
                    out.push_str(" zeroed");
                }
                let _ = write!(out, " s{}", site.0);
            }
            StatementKind::Free { pointer } => {
                out.push_str("free ");
                self.expr(out, *pointer);
            }
            StatementKind::CopyBytes { target, source, size } => {
                self.list(out, "copybytes", &[*target, *source, *size])
            }
            StatementKind::SetBytes { target, value, size } => self.list(out, "setbytes", &[*target, *value, *size]),
            StatementKind::Unsupported { what } => {
                let _ = write!(out, "unsupported {}", quote(what));
            }
        }
    }

    fn terminator(&self, out: &mut String, end: &Terminator) -> Span {
        match end {
            Terminator::Goto(to) => {
                let _ = write!(out, "goto b{}", to.0);
                NOWHERE
            }
            Terminator::Branch { condition, then, otherwise, span, role, decision } => {
                out.push_str("branch ");
                self.expr(out, *condition);
                let _ = write!(out, " b{} b{} {}", then.0, otherwise.0, word_of(&ROLES, *role));
                if *decision != Decision::of_role(*span, *role) {
                    let Decision { span, asker, then, otherwise } = *decision;
                    let [then, otherwise] = [then, otherwise].map(|known| word_of(&KNOWN, known));
                    let asker = word_of(&ASKERS, asker);
                    let _ = write!(out, " of {asker} {then} {otherwise} @{}", place(span));
                }
                *span
            }
            Terminator::Return { value, span } => {
                out.push_str("return");
                if let Some(value) = value {
                    out.push(' ');
                    self.operand(out, *value);
                }
                *span
            }
            Terminator::Stop => {
                out.push_str("stop");
                NOWHERE
            }
        }
    }

    fn operand(&self, out: &mut String, operand: Operand) {
        match operand {
            Operand::Value(value) => self.expr(out, value),
            Operand::Object(place) => {
                out.push_str("object ");
                self.place(out, place);
            }
        }
    }

    fn list(&self, out: &mut String, word: &str, operands: &[ExprId]) {
        out.push_str(word);
        for operand in operands {
            out.push(' ');
            self.expr(out, *operand);
        }
    }

    fn local(&self, id: LocalId) -> String {
        let label = self.function.as_ref().and_then(|(_, labels)| labels.get(id.index()));
        label.map_or_else(|| format!("%{}", id.0), |label| format!("%{label}"))
    }

    fn expr(&self, out: &mut String, id: ExprId) {
        let expr = self.program.expr(id);
        match expr.kind {
            ExprKind::Const(value) => out.push_str(&self.constant(value, expr.bits, expr.ty)),
            ExprKind::Load(place) => self.place(out, place),
            ExprKind::AddressOf(place) => {
                out.push('&');
                self.place(out, place);
            }
            ExprKind::FunctionAddress(function) => {
                let _ = write!(out, "(function {})", self.labels.functions[function.index()]);
            }
            ExprKind::Unary(UnaryOp::Machine(function), a) => self.call(out, function.name(), &[a]),
            ExprKind::Binary(BinaryOp::Machine(function), a, b) => self.call(out, function.name(), &[a, b]),
            ExprKind::Unary(op, a) => self.call(out, word_of(&UNARY, op), &[a]),
            ExprKind::Binary(op, a, b) => self.call(out, word_of(&BINARY, op), &[a, b]),
            ExprKind::Ite(c, a, b) => self.call(out, "ite", &[c, a, b]),
            ExprKind::Convert(how, a) => self.call(out, word_of(&CONVERSIONS, how), &[a]),
            ExprKind::Rounded { mode, value } => self.call(out, "rounded", &[mode, value]),
            ExprKind::Memory(question) => match question {
                MemoryQuestion::Valid { pointer, size, write } => {
                    self.call(out, if write { "writable" } else { "valid" }, &[pointer, size]);
                }
                MemoryQuestion::Freeable(pointer) => self.call(out, "freeable", &[pointer]),
                MemoryQuestion::SameObject(a, b) => self.call(out, "same", &[a, b]),
                MemoryQuestion::ObjectSize(pointer) => self.call(out, "objectsize", &[pointer]),
                MemoryQuestion::Lives(pointer, ObjectKind::Any) => self.call(out, "lives", &[pointer]),
                MemoryQuestion::Lives(pointer, ObjectKind::Heap) => self.call(out, "livesonheap", &[pointer]),
                MemoryQuestion::Lives(pointer, ObjectKind::Writable) => self.call(out, "liveswritable", &[pointer]),
            },
        }
        let natural = natural(self.program, &self.naturals, &expr.kind);
        if natural != Some((expr.bits, expr.ty)) {
            let _ = write!(out, ":{}", self.labels.types[expr.ty.index()]);
            if self.program.size_bits(expr.ty) != u64::from(expr.bits) {
                let _ = write!(out, "/{}", expr.bits);
            }
        }
    }

    fn call(&self, out: &mut String, word: &str, operands: &[ExprId]) {
        out.push('(');
        self.list(out, word, operands);
        out.push(')');
    }

    fn constant(&self, value: u128, bits: u32, ty: TypeId) -> String {
        let fits = bits >= 128 || value >> bits == 0;
        match self.program.ty(ty) {
            Type::Float { bits: 64, .. } if bits == 64 && fits && f64::from_bits(value as u64).is_finite() => {
                format!("{:?}", f64::from_bits(value as u64))
            }
            Type::Float { bits: 32, .. } if bits == 32 && fits && f32::from_bits(value as u32).is_finite() => {
                format!("{:?}", f32::from_bits(value as u32))
            }
            Type::Float { .. } | Type::Pointer { .. } => format!("{value:#x}"),
            _ if fits && bits > 1 && self.program.is_signed(ty) => sign_extend(value, bits).to_string(),
            _ => value.to_string(),
        }
    }

    fn place(&self, out: &mut String, id: PlaceId) {
        let place = self.program.place(id);
        let expected = match place.base {
            Base::Local(local) => {
                out.push_str(&self.local(local));
                self.function.as_ref().and_then(|(f, _)| f.locals.get(local.index())).map(|l| l.ty)
            }
            Base::Global(global) => {
                let _ = write!(out, "${}", self.labels.globals[global.index()]);
                Some(self.program.globals[global.index()].ty)
            }
            Base::Deref(pointer) => {
                out.push_str("(* ");
                self.expr(out, pointer);
                let to = match self.program.ty(self.program.expr(pointer).ty) {
                    Type::Pointer { to } => Some(*to),
                    _ => None,
                };
                if to != Some(place.base_type) {
                    let _ = write!(out, " {}", self.labels.types[place.base_type.index()]);
                }
                out.push(')');
                Some(place.base_type)
            }
        };
        if expected != Some(place.base_type) {
            let _ = write!(out, "<{}>", self.labels.types[place.base_type.index()]);
        }
        let mut at = Some((place.base_type, self.program.size_bits(place.base_type)));
        for projection in &place.path {
            match projection {
                Projection::Field(number) => match at.and_then(|(ty, _)| field_label(self.program, ty, *number)) {
                    Some(name) => {
                        let _ = write!(out, ".{name}");
                    }
                    None => {
                        let _ = write!(out, ".#{number}");
                    }
                },
                Projection::Index(index) => {
                    out.push('[');
                    self.expr(out, *index);
                    out.push(']');
                }
            }
            at = at.and_then(|(ty, _)| step(self.program, ty, projection));
        }
        if at != Some((place.ty, place.bits)) {
            let _ = write!(out, "{{{} {}}}", self.labels.types[place.ty.index()], place.bits);
        }
    }
}

/// Where one projection leads: type and width in bits.
fn step(program: &Program, ty: TypeId, projection: &Projection) -> Option<(TypeId, u64)> {
    match (program.ty(ty), projection) {
        (Type::Record { fields, .. }, Projection::Field(number)) => {
            fields.get(*number as usize).map(|field| (field.ty, field.bits))
        }
        (Type::Array { of, .. }, Projection::Index(_)) => Some((*of, program.size_bits(*of))),
        _ => None,
    }
}

/// The name of a field where it says which field is meant.
fn field_label(program: &Program, ty: TypeId, number: u32) -> Option<&str> {
    let Type::Record { fields, .. } = program.ty(ty) else { return None };
    let name = fields.get(number as usize)?.name.as_str();
    let unique = fields.iter().filter(|field| field.name == name).count() == 1;
    let word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    (unique && word).then_some(name)
}

/// Tables from which types that are left out follow.
struct Naturals {
    pointer_to: HashMap<TypeId, TypeId>,
    truth: Option<TypeId>,
}

impl Naturals {
    fn new(program: &Program) -> Naturals {
        let mut pointer_to = HashMap::new();
        for (index, ty) in program.types.iter().enumerate() {
            if let Type::Pointer { to } = ty {
                pointer_to.entry(*to).or_insert(TypeId(index as u32));
            }
        }
        let truth = program.types.iter().position(|ty| *ty == Type::Bool).map(|index| TypeId(index as u32));
        Naturals { pointer_to, truth }
    }
}

/// Width and type that follow from the operands: those of a loaded place; one bit of `_Bool` for questions; those of
/// the first operand (the second for `ite`) otherwise. `&place` is the first pointer type in the table that fits.
/// Constants, conversions, addresses of functions and `objectsize` always say theirs.
fn natural(program: &Program, naturals: &Naturals, kind: &ExprKind) -> Option<(u32, TypeId)> {
    let of = |id: ExprId| Some((program.expr(id).bits, program.expr(id).ty));
    let truth = naturals.truth.map(|ty| (1, ty));
    match kind {
        ExprKind::Const(_) | ExprKind::FunctionAddress(_) | ExprKind::Convert(..) => None,
        ExprKind::Memory(MemoryQuestion::ObjectSize(_)) => None,
        ExprKind::Memory(_) => truth,
        ExprKind::Load(place) => {
            let place = program.place(*place);
            u32::try_from(place.bits).ok().filter(|bits| (1..=128).contains(bits)).map(|bits| (bits, place.ty))
        }
        ExprKind::AddressOf(place) => {
            naturals.pointer_to.get(&program.place(*place).ty).map(|ty| (program.pointer.bits, *ty))
        }
        ExprKind::Unary(UnaryOp::FIsNan | UnaryOp::FIsInfinite, _) => truth,
        ExprKind::Unary(_, a) => of(*a),
        ExprKind::Binary(op, a, _) => {
            use BinaryOp::*;
            match op {
                Eq | Ne | ULt | ULe | SLt | SLe | FEq | FLt | FLe | SAddOverflows | SSubOverflows | SMulOverflows
                | UAddOverflows | USubOverflows | UMulOverflows => truth,
                Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub
                | FMul | FDiv | Machine(_) => of(*a),
            }
        }
        ExprKind::Ite(_, a, _) | ExprKind::Rounded { value: a, .. } => of(*a),
    }
}

/// The label of every item outside functions.
struct Labels {
    types: Vec<String>,
    globals: Vec<String>,
    functions: Vec<String>,
    claims: Vec<String>,
}

impl Labels {
    fn new(program: &Program) -> Labels {
        let types = (0..program.types.len()).map(|index| program.type_name(TypeId(index as u32)));
        // A bare word must not look like a global.
        let bare = |name: &str, also: &str| {
            let label = word(name, also);
            if label.starts_with('$') { format!("_{label}") } else { label }
        };
        Labels {
            types: unique(types.map(|name| bare(&name, "")).collect()),
            globals: unique(program.globals.iter().map(|global| word(&global.name, "")).collect()),
            functions: unique(program.functions.iter().map(|function| bare(&function.name, "@.")).collect()),
            claims: unique(program.claims.iter().map(|claim| bare(&claim.id, "@.-")).collect()),
        }
    }
}

fn local_labels(function: &Function) -> Vec<String> {
    unique(function.locals.iter().map(|local| word(&local.name, "")).collect())
}

/// A label close to `name`: what cannot stand in a word becomes `_`, and it starts like a name in C.
fn word(name: &str, also: &str) -> String {
    let mut label = String::new();
    for c in name.chars().take(40) {
        match c {
            c if c.is_ascii_alphanumeric() || c == '_' || c == '$' => label.push(c),
            c if also.contains(c) && !label.is_empty() => label.push(c),
            '*' => label.push_str("ptr"),
            _ if label.ends_with('_') => {}
            _ => label.push('_'),
        }
    }
    let trimmed = label.trim_end_matches('_');
    if trimmed.is_empty() || trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{trimmed}")
    } else if name.ends_with('_') {
        label
    } else {
        trimmed.to_owned()
    }
}

/// Makes labels differ by their number where they would not.
fn unique(labels: Vec<String>) -> Vec<String> {
    let mut count: HashMap<String, usize> = HashMap::new();
    for label in &labels {
        *count.entry(label.clone()).or_default() += 1;
    }
    let number = |(index, label): (usize, String)| if count[&label] == 1 { label } else { format!("{label}~{index}") };
    labels.into_iter().enumerate().map(number).collect()
}

/// The label, and the name where it is another.
fn labelled(label: &str, name: &str) -> String {
    if label == name { label.to_owned() } else { format!("{label} {}", quote(name)) }
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn type_text(labels: &Labels, ty: &Type) -> String {
    let sign = |signed: bool| if signed { "signed" } else { "unsigned" };
    let label = |id: TypeId| &labels.types[id.index()];
    match ty {
        Type::Void => "void".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Integer { name, bits, signed, character } => {
            let character = if *character { " character" } else { "" };
            format!("integer {} {bits} {}{character}", quote(name), sign(*signed))
        }
        Type::Enum { name, bits, signed, members } => {
            let mut text = format!("enum {} {bits} {}", quote(name), sign(*signed));
            for (name, value) in members {
                let _ = write!(text, " ({} {value})", quote(name));
            }
            text
        }
        Type::Float { name, bits } => format!("float {} {bits}", quote(name)),
        Type::Pointer { to } => format!("pointer {}", label(*to)),
        Type::Array { of, length } => format!("array {} {length}", label(*of)),
        Type::Record { name, union, fields, size } => {
            let mut text = format!("{} {} {size}", if *union { "union" } else { "struct" }, quote(name));
            for field in fields {
                let bit_field = if field.bit_field { " bitfield" } else { "" };
                let _ = write!(
                    text,
                    " ({} {} {} {}{bit_field})",
                    quote(&field.name),
                    label(field.ty),
                    field.bit_offset,
                    field.bits
                );
            }
            text
        }
        Type::Function { name } => format!("function {}", quote(name)),
    }
}

/// The word for a thing; every table names every kind.
fn word_of<T: Copy + PartialEq>(table: &[(&'static str, T)], thing: T) -> &'static str {
    table.iter().find(|(_, other)| *other == thing).map_or("?", |(word, _)| word)
}

const SITE_KINDS: [(&str, SiteKind); 10] = [
    ("uninitialised", SiteKind::Uninitialised),
    ("parameter", SiteKind::Parameter),
    ("pointee", SiteKind::Pointee),
    ("call", SiteKind::Call),
    ("invented", SiteKind::Invented),
    ("argument", SiteKind::Argument),
    ("allocation", SiteKind::Allocation),
    ("extern", SiteKind::Extern),
    ("volatile", SiteKind::Volatile),
    ("unsaid", SiteKind::Unsaid),
];

const SEVERITIES: [(&str, Severity); 3] =
    [("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Note)];

const AUTHORS: [(&str, Author); 3] =
    [("user", Author::User), ("harness", Author::Harness), ("library", Author::Library)];

const ROLES: [(&str, BranchRole); 4] = [
    ("choice", BranchRole::Choice),
    ("loop", BranchRole::Loop),
    ("case", BranchRole::Case),
    ("internal", BranchRole::Internal),
];

const ASKERS: [(&str, Asker); 6] = [
    ("if", Asker::If),
    ("while", Asker::While),
    ("do", Asker::Do),
    ("for", Asker::For),
    ("case", Asker::Case),
    ("value", Asker::Value),
];

/// What is known of a condition once one of its parts was looked at.
const KNOWN: [(&str, Option<bool>); 3] = [("true", Some(true)), ("false", Some(false)), ("open", None)];

const STORAGES: [(&str, Storage); 2] = [("heap", Storage::Heap), ("stack", Storage::Stack)];

const CLAIM_KINDS: [ClaimKind; 28] = [
    ClaimKind::Assertion,
    ClaimKind::ArrayBounds,
    ClaimKind::PointerDereference,
    ClaimKind::Free,
    ClaimKind::DivisionByZero,
    ClaimKind::Overflow,
    ClaimKind::Wraparound,
    ClaimKind::Shift,
    ClaimKind::Conversion,
    ClaimKind::Narrowing,
    ClaimKind::Alignment,
    ClaimKind::FloatDivision,
    ClaimKind::FloatOverflow,
    ClaimKind::Nan,
    ClaimKind::PointerArithmetic,
    ClaimKind::PointerPrimitive,
    ClaimKind::EnumRange,
    ClaimKind::MemoryLeak,
    ClaimKind::PointerRelation,
    ClaimKind::ErrorLabel,
    ClaimKind::Output,
    ClaimKind::OutputEnd,
    ClaimKind::ExitStatus,
    ClaimKind::Precondition,
    ClaimKind::Unreachable,
    ClaimKind::Gate,
    ClaimKind::Temporal,
    ClaimKind::Unwinding,
];

const UNARY: [(&str, UnaryOp); 12] = [
    ("not", UnaryOp::Not),
    ("neg", UnaryOp::Neg),
    ("fneg", UnaryOp::FNeg),
    ("fabs", UnaryOp::FAbs),
    ("fsqrt", UnaryOp::FSqrt),
    ("floor", UnaryOp::FRound(Toward::Below)),
    ("ceil", UnaryOp::FRound(Toward::Above)),
    ("ftrunc", UnaryOp::FRound(Toward::Zero)),
    ("round", UnaryOp::FRound(Toward::HalfAway)),
    ("rint", UnaryOp::FRound(Toward::HalfEven)),
    ("fisnan", UnaryOp::FIsNan),
    ("fisinf", UnaryOp::FIsInfinite),
];

const BINARY: [(&str, BinaryOp); 32] = [
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("mul", BinaryOp::Mul),
    ("udiv", BinaryOp::UDiv),
    ("sdiv", BinaryOp::SDiv),
    ("urem", BinaryOp::URem),
    ("srem", BinaryOp::SRem),
    ("shl", BinaryOp::Shl),
    ("lshr", BinaryOp::LShr),
    ("ashr", BinaryOp::AShr),
    ("and", BinaryOp::And),
    ("or", BinaryOp::Or),
    ("xor", BinaryOp::Xor),
    ("eq", BinaryOp::Eq),
    ("ne", BinaryOp::Ne),
    ("ult", BinaryOp::ULt),
    ("ule", BinaryOp::ULe),
    ("slt", BinaryOp::SLt),
    ("sle", BinaryOp::SLe),
    ("sadd_overflows", BinaryOp::SAddOverflows),
    ("ssub_overflows", BinaryOp::SSubOverflows),
    ("smul_overflows", BinaryOp::SMulOverflows),
    ("uadd_overflows", BinaryOp::UAddOverflows),
    ("usub_overflows", BinaryOp::USubOverflows),
    ("umul_overflows", BinaryOp::UMulOverflows),
    ("fadd", BinaryOp::FAdd),
    ("fsub", BinaryOp::FSub),
    ("fmul", BinaryOp::FMul),
    ("fdiv", BinaryOp::FDiv),
    ("feq", BinaryOp::FEq),
    ("flt", BinaryOp::FLt),
    ("fle", BinaryOp::FLe),
];

const CONVERSIONS: [(&str, Conversion); 8] = [
    ("zext", Conversion::ZeroExtend),
    ("sext", Conversion::SignExtend),
    ("trunc", Conversion::Truncate),
    ("sitof", Conversion::SignedToFloat),
    ("uitof", Conversion::UnsignedToFloat),
    ("ftosi", Conversion::FloatToSigned),
    ("ftoui", Conversion::FloatToUnsigned),
    ("ftof", Conversion::FloatToFloat),
];

#[cfg(test)]
mod tests;
