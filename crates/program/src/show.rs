//! Values, places and expressions as a person writes them in C.
//!
//! [`value`] is the exact form for machines (plain numbers), [`value_for_people`] the friendly one (characters,
//! enumerators). [`place_text`] and [`expr_text`] write what stands in the program, `a[i].x`; `place_name` names a place
//! with its indices as numbers, the way traces do: `a[2].x`, `p->next`.

use crate::extended;
use crate::program::{
    Base, BinaryOp, Conversion, ExprId, ExprKind, Function, INVALID_OBJECT, MemoryQuestion, ObjectKind, PlaceId,
    Program, Projection, SiteId, StaticObject, Toward, Type, TypeId, UnaryOp,
};
use nearmiss_logic::width::sign_extend;

/// Names of objects that a run creates, by number; nothing for those that it does not know.
pub type ObjectNames<'a> = &'a dyn Fn(u64) -> Option<String>;

/// Which of several times something happens at one place: `5th time`, of a model of hardware `cycle 4`.
pub fn moment(program: &Program, name: &str, time: usize) -> String {
    match &program.hardware {
        Some(hardware) => format!("cycle {}", hardware.cycle_of(name, time)),
        None => format!("{} time", ordinal(time)),
    }
}

/// The same behind a name: `x (5th)`, `x (cycle 4)`.
pub fn at_moment(program: &Program, name: &str, time: usize) -> String {
    match program.hardware {
        Some(_) => format!("({})", moment(program, name, time)),
        None => format!("({})", ordinal(time)),
    }
}

/// `1st`, `2nd`, `13th`.
pub fn ordinal(number: usize) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

/// A scalar in C notation: decimal integers (characters, enumerations and truth values too), floats as short as they
/// can be read back (`INFINITY`, `NAN`), pointers as `NULL`, `&name`, `&name+4` or `invalid`.
pub fn value(program: &Program, ty: TypeId, bits: u128) -> String {
    value_with(program, ty, bits, &|_| None)
}

/// The same with names for the objects that the run created.
pub fn value_with(program: &Program, ty: TypeId, bits: u128, names: ObjectNames<'_>) -> String {
    match program.ty(ty) {
        Type::Float { bits: 32, .. } => float32(f32::from_bits(bits as u32)),
        Type::Float { bits: 64, .. } => float64(f64::from_bits(bits as u64)),
        Type::Float { .. } => extended::show(bits).unwrap_or_else(|| float64(extended::to_double(bits))),
        Type::Pointer { .. } => pointer(program, bits, names),
        Type::Integer { bits: width, signed: true, .. } | Type::Enum { bits: width, signed: true, .. } => {
            sign_extend(bits, *width).to_string()
        }
        _ => bits.to_string(),
    }
}

/// A scalar as a person likes it: `'a' (97)`, `BLUE`, `true`; the rest as [`value`] has it.
pub fn value_for_people(program: &Program, ty: TypeId, bits: u128, names: ObjectNames<'_>) -> String {
    let plain = value_with(program, ty, bits, names);
    match program.ty(ty) {
        Type::Bool => if bits == 0 { "false" } else { "true" }.to_owned(),
        // `unsigned char` and `signed char` are bytes more often than they are text.
        Type::Integer { name, bits: 8, .. } if name == "char" => match character(bits as u8) {
            Some(character) => format!("'{character}' ({plain})"),
            None => plain,
        },
        Type::Enum { bits: width, signed, members, .. } => {
            let number = if *signed { sign_extend(bits, *width) } else { bits as i128 };
            members.iter().find(|(_, value)| *value == number).map_or(plain, |(name, _)| name.clone())
        }
        _ => plain,
    }
}

/// A scalar that C has a name for, as it is written in a program: an enumerator, a character of text. Nothing for numbers.
pub fn named_constant(program: &Program, ty: TypeId, bits: u128) -> Option<String> {
    match program.ty(ty) {
        Type::Integer { name, bits: 8, .. } if name == "char" => {
            character(bits as u8).map(|character| format!("'{character}'"))
        }
        Type::Enum { bits: width, signed, members, .. } => {
            let number = if *signed { sign_extend(bits, *width) } else { bits as i128 };
            members.iter().find(|(_, value)| *value == number).map(|(name, _)| name.clone())
        }
        _ => None,
    }
}

/// An integer in hexadecimal, with the bits of its type: `0xff`, `'a' (0x61)`; digits that are the same in decimal stay
/// as they are. Nothing for what is no integer, and for enumerators and truth values, which have better names.
pub fn hexadecimal(program: &Program, ty: TypeId, bits: u128) -> Option<String> {
    let Type::Integer { name, bits: width, .. } = program.ty(ty) else { return None };
    let bits = if *width < 128 { bits & ((1 << width) - 1) } else { bits };
    let number = if bits < 10 { bits.to_string() } else { format!("{bits:#x}") };
    let printed = if name == "char" && bits >= 0x20 { character_of(bits) } else { None };
    Some(printed.map_or(number.clone(), |printed| format!("'{printed}' ({number})")))
}

fn character_of(bits: u128) -> Option<String> {
    u8::try_from(bits).ok().and_then(character)
}

/// What stands between the quotes of a character constant, where that says more than the number.
fn character(byte: u8) -> Option<String> {
    Some(match byte {
        0 => "\\0".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\'' => "\\'".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => return None,
    })
}

fn float32(value: f32) -> String {
    if value.is_finite() { format!("{value:?}") } else { special(f64::from(value)) }
}

fn float64(value: f64) -> String {
    if value.is_finite() { format!("{value:?}") } else { special(value) }
}

fn special(value: f64) -> String {
    let word = if value.is_nan() { "NAN" } else { "INFINITY" };
    if value < 0.0 { format!("-{word}") } else { word.to_owned() }
}

fn pointer(program: &Program, bits: u128, names: ObjectNames<'_>) -> String {
    if bits == 0 {
        return "NULL".to_owned();
    }
    let (object, offset) = program.pointer.decode(bits);
    let name = match program.static_object(object) {
        _ if object == 0 => return format!("{bits:#x}"),
        _ if object == INVALID_OBJECT && offset == 0 => return "invalid".to_owned(),
        _ if object == INVALID_OBJECT => return format!("invalid+{offset}"),
        Some(StaticObject::Function(id)) => program.function(id).name.clone(),
        Some(StaticObject::Global(id)) => match program.globals[id.index()].address {
            Some(address) => return format!("{:#x}", address.wrapping_add(offset)),
            None => program.globals[id.index()].name.clone(),
        },
        None => names(object).unwrap_or_else(|| format!("object{object}")),
    };
    // The bytes that a parameter points to are called `data[]`.
    let (amp, name) = match name.strip_suffix("[]") {
        Some(pointer) => ("", pointer),
        None if name.starts_with('"') => ("", &name[..]),
        None => ("&", &name[..]),
    };
    if offset == 0 { format!("{amp}{name}") } else { format!("{amp}{name}+{offset}") }
}

/// The name of a part of an object of type `ty` that covers `bits` bits from `bit_offset` on: `a[2].x` where a scalar
/// lies exactly there, nothing otherwise. Of a union's members the first that fits is named.
pub fn part_name(program: &Program, name: &str, ty: TypeId, bit_offset: u64, bits: u64) -> Option<(String, TypeId)> {
    match program.ty(ty) {
        Type::Record { fields, .. } => fields.iter().find_map(|field| {
            let inner = bit_offset.checked_sub(field.bit_offset)?;
            if field.bit_field {
                let whole = inner == 0 && bits == field.bits && !field.name.is_empty();
                return whole.then(|| (member_name(name, &field.name), field.ty));
            }
            if inner.checked_add(bits)? > field.bits.max(flexible(program, field.ty)) {
                return None;
            }
            part_name(program, &member_name(name, &field.name), field.ty, inner, bits)
        }),
        Type::Array { of, length } => {
            let size = program.size_bits(*of);
            let index = bit_offset.checked_div(size)?;
            if *length != 0 && index >= *length {
                return None;
            }
            part_name(program, &element_name(name, index), *of, bit_offset % size, bits)
        }
        Type::Void | Type::Function { .. } => None,
        _ => (bit_offset == 0 && bits == program.size_bits(ty)).then(|| (name.to_owned(), ty)),
    }
}

/// The name and the type of a part of the undefined contents that belong to a site.
pub fn content_name(program: &Program, site: SiteId, bit_offset: u64, bits: u64) -> (String, TypeId) {
    let Some(site) = program.sites.get(site.index()) else { return (String::new(), program.bytes_type(bits)) };
    let size = program.size_bits(site.ty);
    // Memory from `malloc` is a row of what the site says that it is.
    let row = || {
        let index = bit_offset.checked_div(size)?;
        part_name(program, &format!("{}[{index}]", site.name), site.ty, bit_offset % size, bits)
    };
    let part = part_name(program, &site.name, site.ty, bit_offset, bits).or_else(row);
    part.unwrap_or_else(|| {
        let last = bit_offset + bits - 1;
        (format!("{} (bits {bit_offset} to {last})", site.name), program.bytes_type(bits))
    })
}

/// The name of the part of type `want` that starts at `bit_offset` of an object of type `ty`.
fn part_of_type(program: &Program, name: &str, ty: TypeId, bit_offset: u64, want: TypeId) -> Option<String> {
    if bit_offset == 0 && ty == want {
        return Some(name.to_owned());
    }
    match program.ty(ty) {
        Type::Record { fields, .. } => fields.iter().filter(|field| !field.bit_field).find_map(|field| {
            let inner = bit_offset.checked_sub(field.bit_offset)?;
            let inside = inner < field.bits.max(flexible(program, field.ty));
            part_of_type(program, &member_name(name, &field.name), field.ty, inside.then_some(inner)?, want)
        }),
        Type::Array { of, length } => {
            let size = program.size_bits(*of);
            let index = bit_offset.checked_div(size)?;
            let inside = *length == 0 || index < *length;
            part_of_type(program, &element_name(name, index), *of, inside.then_some(bit_offset % size)?, want)
        }
        _ => None,
    }
}

/// The name of a member of the record called `name`: `p->x` where that is `*p`. Anonymous members add nothing.
pub fn member_name(name: &str, field: &str) -> String {
    match name.strip_prefix('*') {
        _ if field.is_empty() => name.to_owned(),
        Some(pointer) if pointer.starts_with('*') => format!("({pointer})->{field}"),
        Some(pointer) => format!("{pointer}->{field}"),
        None => format!("{name}.{field}"),
    }
}

/// The name of a part of what is called `name`, by the way to it: `.x`, `[2].y`.
pub fn path_name(name: &str, path: &str) -> String {
    match (name.strip_prefix('*'), path.strip_prefix('.')) {
        (Some(pointer), Some(rest)) if pointer.starts_with('*') => format!("({pointer})->{rest}"),
        (Some(pointer), Some(rest)) => format!("{pointer}->{rest}"),
        (Some(_), None) if path.starts_with('[') => format!("({name}){path}"),
        _ => format!("{name}{path}"),
    }
}

/// The name of an element of the array called `name`.
pub fn element_name(name: &str, index: u64) -> String {
    if name.starts_with('*') { format!("({name})[{index}]") } else { format!("{name}[{index}]") }
}

/// A flexible member reaches as far as it is used.
fn flexible(program: &Program, ty: TypeId) -> u64 {
    if matches!(program.ty(ty), Type::Array { length: 0, .. }) { u64::MAX } else { 0 }
}

/// The name of a place inside `function` as C writes it, each index a number that `index_value` computes: `a[2].x`,
/// `p->next`, `*p`. Pointer arithmetic becomes an index where it moves by whole elements: `q[3]`. `objects` knows names
/// and types of objects that a run creates: what a temporary of ours points to (the old value in `*p++ = 0`) is then
/// named as the object it is, `a[2]` and not `*$1`.
pub(crate) fn place_name(
    program: &Program,
    function: &Function,
    place: PlaceId,
    index_value: &mut dyn FnMut(ExprId) -> u128,
    objects: &dyn Fn(u64) -> Option<(String, TypeId)>,
) -> String {
    Namer { program, function, index: Some(index_value), objects }.place(place)
}

/// The name of a place with each index as an expression: `a[i].x`.
pub fn place_text(program: &Program, function: &Function, place: PlaceId) -> String {
    Namer { program, function, index: None, objects: &|_| None }.place(place)
}

/// An expression inside `function` in a notation close to C, each operation that C has no sign for as a call.
pub fn expr_text(program: &Program, function: &Function, expr: ExprId) -> String {
    Namer { program, function, index: None, objects: &|_| None }.expr(expr).0
}

/// How tightly the outermost operator of a text binds; more is tighter, as C has it.
type Tightness = u8;

const ATOM: Tightness = 16;
const POSTFIX: Tightness = 15;
const PREFIX: Tightness = 14;

struct Namer<'a> {
    program: &'a Program,
    function: &'a Function,
    /// Without it, indices are shown as expressions.
    index: Option<&'a mut dyn FnMut(ExprId) -> u128>,
    /// Objects that the run created.
    objects: &'a dyn Fn(u64) -> Option<(String, TypeId)>,
}

/// The text, in parentheses where something that binds as `outside` needs them.
fn within((text, tightness): (String, Tightness), outside: Tightness) -> String {
    if tightness < outside { format!("({text})") } else { text }
}

impl Namer<'_> {
    fn place(&mut self, id: PlaceId) -> String {
        self.place_text(id).0
    }

    fn place_text(&mut self, id: PlaceId) -> (String, Tightness) {
        let place = self.program.place(id);
        let (mut name, mut tight, mut through_pointer) = match place.base {
            Base::Local(local) => {
                let local = self.function.locals.get(local.index());
                (local.map_or_else(|| "?".to_owned(), |local| local.name.clone()), ATOM, false)
            }
            Base::Global(global) => (self.program.globals[global.index()].name.clone(), ATOM, false),
            Base::Deref(pointer) => self.pointee(pointer, place.base_type),
        };
        let mut ty = Some(place.base_type);
        for projection in &place.path {
            match (projection, ty.map(|ty| self.program.ty(ty))) {
                (Projection::Field(number), Some(Type::Record { fields, .. })) => {
                    let Some(field) = fields.get(*number as usize) else { break };
                    ty = Some(field.ty);
                    if field.name.is_empty() {
                        continue;
                    }
                    name = within((name, tight), POSTFIX);
                    name.push_str(if through_pointer { "->" } else { "." });
                    name.push_str(&field.name);
                }
                (Projection::Index(index), at) => {
                    ty = match at {
                        Some(Type::Array { of, .. }) => Some(*of),
                        _ => None,
                    };
                    if through_pointer {
                        (name, tight) = (format!("*{}", within((name, tight), PREFIX)), PREFIX);
                    }
                    let index = self.index_text(*index);
                    name = format!("{}[{index}]", within((name, tight), POSTFIX));
                }
                _ => break,
            }
            (tight, through_pointer) = (POSTFIX, false);
        }
        if through_pointer { (format!("*{}", within((name, tight), PREFIX)), PREFIX) } else { (name, tight) }
    }

    fn index_text(&mut self, index: ExprId) -> String {
        let bits = self.program.expr(index).bits;
        match &mut self.index {
            Some(value) => sign_extend(value(index), bits).to_string(),
            None => match self.program.expr(index).kind {
                ExprKind::Const(value) => sign_extend(value, bits).to_string(),
                _ => self.expr(index).0,
            },
        }
    }

    /// What `pointer` points to, read as `ty`: a name, and whether that still is the pointer.
    fn pointee(&mut self, pointer: ExprId, ty: TypeId) -> (String, Tightness, bool) {
        if self.reads_temporary(pointer) {
            if let Some(address) = self.register(pointer) {
                return (address, ATOM, true);
            }
            if let Some(name) = self.resolve(pointer, ty) {
                return (name, POSTFIX, false);
            }
        }
        let size = i128::from(self.program.size_bits(ty) / 8);
        match self.program.expr(pointer).kind {
            ExprKind::AddressOf(place) => {
                let target = self.program.place(place).ty;
                if target == ty {
                    let (name, tight) = self.place_text(place);
                    return (name, tight, false);
                }
                if let Type::Array { of, .. } = self.program.ty(target)
                    && *of == ty
                {
                    let name = within(self.place_text(place), POSTFIX);
                    return (format!("{name}[0]"), POSTFIX, false);
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), base, offset) if matches!(self.program.ty(self.program.expr(base).ty), Type::Pointer { to } if *to == ty) =>
            {
                let step = match (&mut self.index, self.program.expr(offset).kind) {
                    (Some(value), _) => Some(sign_extend(value(offset), self.program.expr(offset).bits)),
                    (None, ExprKind::Const(value)) => Some(sign_extend(value, self.program.expr(offset).bits)),
                    (None, _) => None,
                };
                let step = step.map(|step| if op == BinaryOp::Sub { step.wrapping_neg() } else { step });
                let index = match step {
                    Some(step) if size != 0 && step % size == 0 => Some((step / size).to_string()),
                    Some(_) => None,
                    None => self.element_index(op, offset, size),
                };
                if let Some(index) = index {
                    let name = self.array_behind(base, ty);
                    return (format!("{name}[{index}]"), POSTFIX, false);
                }
            }
            _ => {}
        }
        let (name, tight) = self.expr(pointer);
        (name, tight, true)
    }

    /// Does a pointer start from a temporary of ours, which has no name that a person knows?
    fn reads_temporary(&self, pointer: ExprId) -> bool {
        match self.program.expr(pointer).kind {
            ExprKind::Load(place) => match self.program.place(place).base {
                Base::Local(local) => self.function.locals.get(local.index()).is_some_and(|local| local.temporary),
                _ => false,
            },
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, base, _) => self.reads_temporary(base),
            _ => false,
        }
    }

    /// The address of the register that a pointer points to in this run.
    fn register(&mut self, pointer: ExprId) -> Option<String> {
        let bits = self.index.as_mut()?(pointer);
        match self.program.static_object(self.program.pointer.decode(bits).0) {
            Some(StaticObject::Global(id)) if self.program.globals[id.index()].address.is_some() => {
                Some(value(self.program, self.program.expr(pointer).ty, bits))
            }
            _ => None,
        }
    }

    /// The part of an object that a pointer points to in this run.
    fn resolve(&mut self, pointer: ExprId, ty: TypeId) -> Option<String> {
        let bits = self.index.as_mut()?(pointer);
        let (object, offset) = self.program.pointer.decode(bits);
        let (name, of) = match self.program.static_object(object) {
            Some(StaticObject::Global(id)) => {
                let global = &self.program.globals[id.index()];
                (global.name.clone(), global.ty)
            }
            Some(StaticObject::Function(_)) => return None,
            None => (self.objects)(object)?,
        };
        let offset = offset.checked_mul(8)?;
        part_of_type(self.program, &name, of, offset, ty).or_else(|| {
            // Allocated memory is a row of what its site says, and of anything if that is bytes.
            let of = if self.program.size_bits(of) == 8 { ty } else { of };
            let size = self.program.size_bits(of);
            let index = offset.checked_div(size)?;
            part_of_type(self.program, &element_name(&name, index), of, offset % size, ty)
        })
    }

    /// The index that lowering multiplied by the size of the element.
    fn element_index(&mut self, op: BinaryOp, offset: ExprId, size: i128) -> Option<String> {
        if op == BinaryOp::Sub {
            return None;
        }
        match self.program.expr(offset).kind {
            ExprKind::Binary(BinaryOp::Mul, index, by) => match self.program.expr(by).kind {
                ExprKind::Const(factor) if factor as i128 == size => Some(self.index_text(index)),
                _ => None,
            },
            _ if size == 1 => Some(self.index_text(offset)),
            _ => None,
        }
    }

    /// The array that a pointer to its first element stands for, or the pointer.
    fn array_behind(&mut self, base: ExprId, element: TypeId) -> String {
        if let ExprKind::AddressOf(place) = self.program.expr(base).kind {
            match self.program.ty(self.program.place(place).ty) {
                Type::Array { of, .. } if *of == element => return within(self.place_text(place), POSTFIX),
                _ => {}
            }
            // `&a[0]`, the decayed form of `a`.
            if let Some(Projection::Index(first)) = self.program.place(place).path.last()
                && self.program.expr(*first).kind == ExprKind::Const(0)
            {
                let name = self.place(place);
                if let Some(array) = name.strip_suffix("[0]") {
                    return array.to_owned();
                }
            }
        }
        within(self.expr(base), POSTFIX)
    }

    fn expr(&mut self, id: ExprId) -> (String, Tightness) {
        let expr = *self.program.expr(id);
        match expr.kind {
            ExprKind::Const(bits) => {
                let text = if expr.bits == 1 { bits.to_string() } else { value(self.program, expr.ty, bits) };
                let tight = if text.starts_with(['-', '&']) { PREFIX } else { ATOM };
                (text, tight)
            }
            ExprKind::Load(place) => self.place_text(place),
            ExprKind::AddressOf(place) => {
                let text = self.place_text(place);
                match text.0.strip_prefix('*') {
                    Some(pointer) if text.1 == PREFIX => (pointer.to_owned(), PREFIX),
                    _ => (format!("&{}", within(text, PREFIX)), PREFIX),
                }
            }
            ExprKind::FunctionAddress(function) => (self.program.function(function).name.clone(), ATOM),
            ExprKind::Unary(op, a) => self.unary(op, a),
            ExprKind::Binary(op, a, b) => self.binary(op, a, b),
            ExprKind::Ite(c, a, b) => {
                let (c, a, b) = (within(self.expr(c), 3), self.expr(a).0, within(self.expr(b), 2));
                (format!("{c} ? {a} : {b}"), 2)
            }
            ExprKind::Convert(how, a) => {
                // A truth value or a widened value means the same without a cast.
                let from = self.program.expr(a);
                if matches!(how, Conversion::ZeroExtend | Conversion::SignExtend) || from.ty == expr.ty {
                    return self.expr(a);
                }
                let name = self.program.type_name(expr.ty);
                (format!("({name}){}", within(self.expr(a), PREFIX)), PREFIX)
            }
            ExprKind::Rounded { value, .. } => self.expr(value),
            ExprKind::Memory(question) => match question {
                MemoryQuestion::Valid { pointer, size, write } => {
                    self.call(if write { "writable" } else { "readable" }, &[pointer, size])
                }
                MemoryQuestion::Freeable(pointer) => self.call("freeable", &[pointer]),
                MemoryQuestion::SameObject(a, b) => self.call("same_object", &[a, b]),
                MemoryQuestion::ObjectSize(pointer) => self.call("object_size", &[pointer]),
                MemoryQuestion::Lives(pointer, ObjectKind::Any) => self.call("lives", &[pointer]),
                MemoryQuestion::Lives(pointer, ObjectKind::Heap) => self.call("is_allocated", &[pointer]),
                MemoryQuestion::Lives(pointer, ObjectKind::Writable) => self.call("is_writable", &[pointer]),
            },
        }
    }

    fn call(&mut self, name: &str, arguments: &[ExprId]) -> (String, Tightness) {
        let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(*argument).0).collect();
        (format!("{name}({})", arguments.join(", ")), POSTFIX)
    }

    fn unary(&mut self, op: UnaryOp, a: ExprId) -> (String, Tightness) {
        let sign = match op {
            UnaryOp::Not if self.program.expr(a).bits == 1 => {
                if let Some(text) = self.negated(a) {
                    return text;
                }
                "!"
            }
            UnaryOp::Not => "~",
            UnaryOp::Neg | UnaryOp::FNeg => "-",
            UnaryOp::FAbs => return self.call("fabs", &[a]),
            UnaryOp::FSqrt => return self.call("sqrt", &[a]),
            UnaryOp::FRound(toward) => {
                let name = match toward {
                    Toward::Below => "floor",
                    Toward::Above => "ceil",
                    Toward::Zero => "trunc",
                    Toward::HalfAway => "round",
                    Toward::HalfEven => "rint",
                };
                return self.call(name, &[a]);
            }
            UnaryOp::Machine(function) => return self.call(function.name(), &[a]),
            UnaryOp::FIsNan => return self.call("isnan", &[a]),
            UnaryOp::FIsInfinite => return self.call("isinf", &[a]),
        };
        let operand = within(self.expr(a), PREFIX);
        // `- -x` must not become `--x`.
        let space = if operand.starts_with(sign) && sign == "-" { " " } else { "" };
        (format!("{sign}{space}{operand}"), PREFIX)
    }

    /// `!(a < b)` is `a >= b` among integers.
    fn negated(&mut self, id: ExprId) -> Option<(String, Tightness)> {
        let ExprKind::Binary(op, a, b) = self.program.expr(id).kind else { return None };
        let (sign, tight) = match op {
            BinaryOp::Eq => ("!=", 8),
            BinaryOp::Ne => ("==", 8),
            BinaryOp::ULt | BinaryOp::SLt => (">=", 9),
            BinaryOp::ULe | BinaryOp::SLe => (">", 9),
            _ => return None,
        };
        let (a, b) = (within(self.expr(a), tight), within(self.expr(b), tight + 1));
        Some((format!("{a} {sign} {b}"), tight))
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> (String, Tightness) {
        let truth = self.program.expr(a).bits == 1;
        let (sign, tight) = match op {
            BinaryOp::Mul | BinaryOp::FMul => ("*", 12),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::FDiv => ("/", 12),
            BinaryOp::URem | BinaryOp::SRem => ("%", 12),
            BinaryOp::Add | BinaryOp::FAdd => ("+", 11),
            BinaryOp::Sub | BinaryOp::FSub => ("-", 11),
            BinaryOp::Shl => ("<<", 10),
            BinaryOp::LShr | BinaryOp::AShr => (">>", 10),
            BinaryOp::ULt | BinaryOp::SLt | BinaryOp::FLt => ("<", 9),
            BinaryOp::Machine(function) => return self.call(function.name(), &[a, b]),
            BinaryOp::ULe | BinaryOp::SLe | BinaryOp::FLe => ("<=", 9),
            BinaryOp::Eq | BinaryOp::FEq => ("==", 8),
            BinaryOp::Ne => ("!=", 8),
            BinaryOp::And if truth => ("&&", 4),
            BinaryOp::Or if truth => ("||", 3),
            BinaryOp::And => ("&", 7),
            BinaryOp::Xor => ("^", 6),
            BinaryOp::Or => ("|", 5),
            BinaryOp::SAddOverflows | BinaryOp::UAddOverflows => return self.call("add_overflows", &[a, b]),
            BinaryOp::SSubOverflows | BinaryOp::USubOverflows => return self.call("sub_overflows", &[a, b]),
            BinaryOp::SMulOverflows | BinaryOp::UMulOverflows => return self.call("mul_overflows", &[a, b]),
        };
        if let (BinaryOp::Add | BinaryOp::Sub, Type::Pointer { to }) = (op, self.program.ty(self.program.expr(a).ty)) {
            // Pointer arithmetic in elements where it is whole elements.
            let size = i128::from(self.program.size_bits(*to) / 8);
            let offset = self.program.expr(b);
            let index = match offset.kind {
                ExprKind::Const(value) if size != 0 && sign_extend(value, offset.bits) % size == 0 => {
                    Some((sign_extend(value, offset.bits) / size).to_string())
                }
                _ => self.element_index(BinaryOp::Add, b, size),
            };
            if let Some(index) = index {
                let index = if index.contains(' ') { format!("({index})") } else { index };
                return (format!("{} {sign} {index}", within(self.expr(a), tight)), tight);
            }
        }
        let (a, b) = (within(self.expr(a), tight), within(self.expr(b), tight + 1));
        (format!("{a} {sign} {b}"), tight)
    }
}

/// How C calls the integers of so many bits where `int` has `int` of them.
pub fn integer_type(int: u32, bits: u32, signed: bool) -> Option<&'static str> {
    Some(match (bits, signed) {
        (16, true) if int == 16 => "int",
        (16, false) if int == 16 => "unsigned",
        (32, true) if int == 16 => "long",
        (32, false) if int == 16 => "unsigned long",
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

/// The names in a text of C that may be variables: no calls, no members, nothing in quotes.
pub fn variables(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut at, bytes) = (0, text.as_bytes());
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at += 1;
            }
            byte if is_word(byte) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                let is_member = start > 0 && (bytes[start - 1] == b'.' || text[..start].ends_with("->"));
                let is_call = bytes.get(at) == Some(&b'(');
                if !is_member && !is_call && !byte.is_ascii_digit() {
                    found.push(&text[start..at]);
                }
            }
            _ => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{StatementKind, TypeId};
    use crate::program_text::parse;

    const HEAD: &str = r#"
type _Bool = bool
type int = integer "int" 32 signed
type char = integer "char" 8 signed character
type size_t = integer "unsigned long" 64 unsigned
type float = float "float" 32
type double = float "double" 64
type colour = enum "enum colour" 32 signed ("RED" 0) ("LOW" -1)
type int_ptr = pointer int
type int_3 = array int 3
type node = struct "struct node" 24 ("next" node_ptr 0 64) ("flag" int 64 3 bitfield) ("v" int_3 96 96)
type node_ptr = pointer node
type nodes = array node 0
type open = struct "struct open" 8 ("" inner 0 32) ("tail" nodes 64 0)
type inner = struct "" 4 ("n" int 0 32)
type int_3_ptr = pointer int_3
global $g int size 4 known
global $s "\"hi\"" char size 3 readonly known
start f
function f returns int parameters 0 user
  local %x int
  local %i size_t
  local %p int_ptr
  local %a int_3
  local %q node_ptr
  local %m int_3_ptr
  local %n node
  local %d double
b0:
"#;

    fn program(body: &str) -> Program {
        parse(&format!("{HEAD}{body}\nstop\nend")).unwrap()
    }

    fn type_id(program: &Program, name: &str) -> TypeId {
        let found = (0..program.types.len()).find(|i| program.type_name(TypeId(*i as u32)) == name);
        TypeId(found.unwrap() as u32)
    }

    #[test]
    fn values() {
        let program = program("");
        let show = |ty: &str, bits: u128| value(&program, type_id(&program, ty), bits);
        let people = |ty: &str, bits| value_for_people(&program, type_id(&program, ty), bits, &|_| None);
        assert_eq!(show("int", 0xffff_fffd), "-3");
        assert_eq!(show("char", 97), "97");
        assert_eq!(people("char", 97), "'a' (97)");
        assert_eq!(people("char", 0x80), "-128");
        assert_eq!(show("enum colour", 0xffff_ffff), "-1");
        assert_eq!(people("enum colour", 0xffff_ffff), "LOW");
        assert_eq!(people("enum colour", 5), "5");
        assert_eq!((show("_Bool", 1), people("_Bool", 1)), ("1".into(), "true".into()));
        assert_eq!(show("double", u128::from(0.1f64.to_bits())), "0.1");
        assert_eq!(show("float", u128::from(0.1f32.to_bits())), "0.1");
        assert_eq!(show("double", u128::from(f64::NEG_INFINITY.to_bits())), "-INFINITY");
        assert_eq!(show("double", u128::from(f64::NAN.to_bits())), "NAN");
        assert_eq!(show("int *", 0), "NULL");
        assert_eq!(show("int *", 5), "0x5");
        assert_eq!(show("int *", program.pointer.encode(1, 0)), "invalid");
        assert_eq!(show("int *", program.function_address(crate::program::FunctionId(0))), "&f");
        let g = program.global_address(crate::program::GlobalId(0));
        assert_eq!((show("int *", g), show("int *", g + 4)), ("&g".into(), "&g+4".into()));
        assert_eq!(show("int *", program.global_address(crate::program::GlobalId(1))), "\"hi\"");
        let far = program.pointer.encode(program.first_dynamic_object() + 3, 8);
        let named = value_with(&program, type_id(&program, "int *"), far, &|_| Some("x".into()));
        assert_eq!(named, "&x+8");
    }

    #[test]
    fn parts() {
        let program = program("");
        let part = |ty: &str, offset, bits| {
            part_name(&program, "o", type_id(&program, ty), offset, bits).map(|(name, _)| name)
        };
        assert_eq!(part("int[3]", 64, 32).as_deref(), Some("o[2]"));
        assert_eq!(part("int[3]", 96, 32), None);
        assert_eq!(part("struct node", 128, 32).as_deref(), Some("o.v[1]"));
        assert_eq!(part("struct node", 64, 3).as_deref(), Some("o.flag"));
        assert_eq!(part("struct node", 8, 8), None);
        assert_eq!(part("struct open", 0, 32).as_deref(), Some("o.n"));
        assert_eq!(part("struct open", 64 + 192, 64).as_deref(), Some("o.tail[1].next"));
    }

    #[test]
    fn places_and_expressions() {
        for (place, with_numbers, as_written) in [
            ("%x", "x", "x"),
            ("%a[%i]", "a[2]", "a[i]"),
            ("(* %p)", "*p", "*p"),
            ("(* %q).next", "q->next", "q->next"),
            ("(* (* %q).next).v[1:size_t]", "q->next->v[1]", "q->next->v[1]"),
            ("%n.v[-1:size_t]", "n.v[-1]", "n.v[-1]"),
            ("(* (add %p (mul %i 4:size_t)))", "p[2]", "p[i]"),
            ("(* (add &%a:int_ptr 8:size_t))", "a[2]", "a[2]"),
            ("(* &%a:int_ptr int)", "a[0]", "a[0]"),
            ("(* &%n).flag", "n.flag", "n.flag"),
            ("(* %m)[%i]", "(*m)[2]", "(*m)[i]"),
            ("(* (add %q 24:size_t)).next", "q[1].next", "q[1].next"),
            ("(* (sub %p 4:size_t))", "p[-1]", "p[-1]"),
            ("(* (add %p 3:size_t))", "*(p + 3)", "*(p + 3)"),
        ] {
            let program = program(&format!("%p = &{place}:int_ptr"));
            let StatementKind::Assign { value, .. } = program.functions[0].blocks[0].statements[0].kind else {
                panic!("not an assignment")
            };
            let ExprKind::AddressOf(id) = program.expr(value).kind else { panic!("not an address") };
            let mut index = |expr: ExprId| match program.expr(expr).kind {
                ExprKind::Const(value) => value,
                ExprKind::Binary(..) => 8,
                _ => 2,
            };
            assert_eq!(place_name(&program, &program.functions[0], id, &mut index, &|_| None), with_numbers, "{place}");
            assert_eq!(
                Namer { program: &program, function: &program.functions[0], index: None, objects: &|_| None }.place(id),
                as_written
            );
        }
    }

    #[test]
    fn expressions() {
        for (expr, text) in [
            ("(mul (add %x 1:int) (neg %x))", "(x + 1) * -x"),
            ("(sub %x (sub %x -1:int))", "x - (x - -1)"),
            ("(zext (and (slt %x 3:int) (not (eq %x 0:int)))):int", "x < 3 && x != 0"),
            ("(ite (ult %x 1:int) %x (and %x (shl %x 2:int)))", "x < 1 ? x : x & x << 2"),
            ("(trunc (sext %x):size_t):char", "(char)x"),
            ("(ftosi (fsqrt %d)):int", "(int)sqrt(d)"),
            ("(zext (not (valid %p 4:size_t))):int", "!readable(p, 4)"),
            ("(trunc (add %p (mul %i 4:size_t))):int", "(int)(p + i)"),
            ("(neg (neg %x))", "- -x"),
            ("(trunc &(* %p)):int", "(int)p"),
        ] {
            let program = program(&format!("%x = {expr}"));
            let StatementKind::Assign { value, .. } = program.functions[0].blocks[0].statements[0].kind else {
                panic!("not an assignment")
            };
            assert_eq!(expr_text(&program, &program.functions[0], value), text, "{expr}");
        }
    }
}
