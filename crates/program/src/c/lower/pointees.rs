//! What the pointers that the entry function gets point to.
//!
//! As in CBMC, each is NULL or points to an object of its own, and so is each pointer in that object. A pointer to a record of
//! which there is one on the way already is followed up to 5 levels deep; there it is NULL. What would be too many objects for one argument
//! is left out level by level: such a pointer is NULL or points to nothing, as are those in unions, in large arrays, and those to
//! functions, to `void` and to what has no size.

use super::{Lowering, intern, tree};
use crate::program::{ExprId, Operand, Origin, PlaceId, Projection, SiteKind, StatementKind, Type, TypeId};
use crate::show;
use crate::source::Span;

/// How many characters a string parameter has, its terminator included.
pub(super) const STRING: u64 = 8;
/// How far a pointer to a record is followed that already stands on the way, as in CBMC (`--max-nondet-tree-depth`).
const MOST_LEVELS: u32 = 5;
/// The most objects for one argument: enough for a binary tree.
const MOST_OBJECTS: u64 = 64;
/// The most pointers in an array that get objects.
const MOST_IN_ARRAY: u64 = 16;

/// Where a pointer is: how many others lead there, and through which records.
#[derive(Clone, Default)]
struct Way {
    depth: u32,
    records: Vec<TypeId>,
    /// Pointers at this depth or below get no objects.
    levels: u32,
}

impl Way {
    /// Behind a pointer.
    fn deeper(&self) -> Way {
        Way { depth: self.depth + 1, ..self.clone() }
    }

    /// In a record.
    fn within(&self, record: TypeId) -> Way {
        let mut way = self.clone();
        way.records.push(record);
        way
    }
}

/// A pointer with an object of its own: an argument, or a part of an object.
struct Pointer {
    name: String,
    ty: TypeId,
    place: Option<PlaceId>,
    way: Way,
}

/// What becomes of a pointer.
#[derive(PartialEq, Eq)]
enum Pointee {
    /// It points to an object of its own, or is NULL.
    Own,
    /// It is NULL.
    Null,
    /// It is NULL or points to nothing.
    Nothing,
}

/// What was made of pointers.
#[derive(Default)]
pub(super) struct Made {
    /// Whether arguments, and whether pointers in what is passed, have objects of their own.
    arguments: bool,
    members: bool,
    /// Whether there are objects of 8 bytes, and others.
    texts: bool,
    others: bool,
    /// How many levels have objects.
    levels: u32,
    /// Whether some end because they are deep enough.
    ends: bool,
    /// Whether some in what is passed point to nothing, some arguments to no function, and some to no object of unknown size.
    nothing: bool,
    functions: bool,
    incomplete: bool,
}

impl Lowering<'_> {
    /// An argument for a parameter of the entry function: any value.
    pub(super) fn argument(&mut self, parameter: tree::ObjectId, made: &mut Made) -> Operand {
        let object = self.tree.object(parameter);
        let (ty, span) = (object.ty, object.span);
        let name = if object.name.is_empty() { "parameter".to_owned() } else { object.name.clone() };
        let way = Way { levels: self.levels(ty), ..Way::default() };
        match *self.program.ty(ty) {
            Type::Pointer { to } if self.becomes(to, true, &way) == Pointee::Own => {
                Operand::Value(self.pointer(&Pointer { name, ty, place: None, way }, span, made))
            }
            Type::Pointer { to } => {
                let is_function = matches!(self.program.ty(to), Type::Function { .. });
                made.functions |= is_function;
                made.incomplete |= !is_function;
                Operand::Value(self.scalar_input(&name, ty, span))
            }
            _ if self.program.is_scalar(ty) => Operand::Value(self.scalar_input(&name, ty, span)),
            _ => {
                let place = self.unknown_local(name.clone(), ty, span, SiteKind::Parameter);
                for pointer in self.pointers_in(place, &name, span, &way, made) {
                    self.pointer(&pointer, span, made);
                }
                Operand::Object(place)
            }
        }
    }

    /// How many levels of objects an argument has.
    fn levels(&self, ty: TypeId) -> u32 {
        let count = |levels| self.count_objects(ty, true, &Way { levels, ..Way::default() });
        let mut levels = 0;
        while count(levels + 1) > count(levels) && count(levels + 1) <= MOST_OBJECTS {
            levels += 1;
        }
        levels
    }

    /// How many objects the pointers in a value of this type have, or more than the most.
    fn count_objects(&self, ty: TypeId, is_argument: bool, way: &Way) -> u64 {
        match self.program.ty(ty) {
            Type::Pointer { to } if self.becomes(*to, is_argument, way) == Pointee::Own => {
                1 + self.count_objects(*to, false, &way.deeper())
            }
            Type::Array { of, length } if self.is_small(ty) => {
                length.saturating_mul(self.count_objects(*of, false, way))
            }
            Type::Record { union: false, fields, .. } => {
                let way = way.within(ty);
                let add = |sum: u64, ty: TypeId| match sum > MOST_OBJECTS {
                    true => sum,
                    false => sum.saturating_add(self.count_objects(ty, false, &way)),
                };
                fields.iter().fold(0, |sum, field| add(sum, field.ty))
            }
            _ => 0,
        }
    }

    /// What becomes of a pointer to this type.
    fn becomes(&self, to: TypeId, is_argument: bool, way: &Way) -> Pointee {
        let has_object = match self.program.ty(to) {
            Type::Function { .. } => false,
            Type::Void => is_argument,
            _ => self.program.size_bits(to) > 0,
        };
        match has_object {
            true if way.depth >= MOST_LEVELS && way.records.contains(&to) => Pointee::Null,
            true if way.depth < way.levels => Pointee::Own,
            _ => Pointee::Nothing,
        }
    }

    /// Are there pointers in an array, and not too many?
    fn is_small(&self, array: TypeId) -> bool {
        (1..=MOST_IN_ARRAY).contains(&self.count_pointers(array))
    }

    /// How many parts of a type are pointers.
    fn count_pointers(&self, ty: TypeId) -> u64 {
        match self.program.ty(ty) {
            Type::Pointer { .. } => 1,
            Type::Array { of, length } => self.count_pointers(*of).saturating_mul(*length),
            Type::Record { fields, .. } => {
                fields.iter().fold(0, |sum, field| sum.saturating_add(self.count_pointers(field.ty)))
            }
            _ => 0,
        }
    }

    /// Gives a pointer its value: NULL, or the address of an object that is made here with what the pointers in it point to.
    fn pointer(&mut self, pointer: &Pointer, span: Span, made: &mut Made) -> ExprId {
        let Pointer { name, ty, place, way } = pointer;
        made.arguments |= place.is_none();
        made.members |= place.is_some();
        made.levels = made.levels.max(way.depth + 1);
        let object = self.object(pointer, span, made);
        let address = self.address(object, *ty);
        let may_be_null = way.depth >= self.options.never_null;
        let value = match place {
            _ if may_be_null => self.input_or(name, *ty, *place, Some(address), span),
            Some(place) => {
                self.assign(*place, address, Origin::Tool, span);
                address
            }
            None => address,
        };
        let inner = self.pointers_in(object, &format!("*{name}"), span, &way.deeper(), made);
        // Where there is no object, nobody reads what it holds, and it is no input.
        for Pointer { ty, place, .. } in inner.iter().filter(|_| may_be_null) {
            let null = self.constant(0, *ty);
            place.iter().for_each(|place| self.assign(*place, null, Origin::Tool, span));
        }
        if !inner.is_empty() {
            let is_there = if may_be_null { self.truth_of(value, *ty) } else { self.truth_constant(true) };
            self.only_if(is_there, span, |this| {
                for pointer in &inner {
                    this.pointer(pointer, span, made);
                }
            });
        }
        value
    }

    /// The pointers in a place that have objects of their own. Those that are NULL are set.
    fn pointers_in(&mut self, place: PlaceId, name: &str, span: Span, way: &Way, made: &mut Made) -> Vec<Pointer> {
        let ty = self.program.place(place).ty;
        let mut inner = Vec::new();
        match self.program.ty(ty).clone() {
            Type::Pointer { to } => match self.becomes(to, false, way) {
                Pointee::Own => {
                    inner.push(Pointer { name: name.to_owned(), ty, place: Some(place), way: way.clone() });
                }
                Pointee::Null => {
                    made.ends = true;
                    let null = self.constant(0, ty);
                    self.assign(place, null, Origin::Tool, span);
                }
                Pointee::Nothing => made.nothing = true,
            },
            Type::Array { length, .. } if self.is_small(ty) => {
                for at in 0..length {
                    let element = self.element_of(place, at);
                    inner.extend(self.pointers_in(element, &show::element_name(name, at), span, way, made));
                }
            }
            Type::Record { union: false, fields, .. } => {
                for (at, field) in fields.iter().enumerate() {
                    let member = self.project(place, Projection::Field(at as u32));
                    let name = show::member_name(name, &field.name);
                    inner.extend(self.pointers_in(member, &name, span, &way.within(ty), made));
                }
            }
            _ => made.nothing |= self.count_pointers(ty) > 0,
        }
        inner
    }

    /// A fresh object for a pointer: one of its type, or a string of a few characters.
    fn object(&mut self, Pointer { name, ty, .. }: &Pointer, span: Span, made: &mut Made) -> PlaceId {
        let object = format!("*{name}");
        let to = match *self.program.ty(*ty) {
            Type::Pointer { to } => to,
            _ => *ty,
        };
        let of = match self.program.ty(to) {
            Type::Void => self.basic.character,
            Type::Integer { character: true, .. } => to,
            _ => {
                made.others = true;
                return self.unknown_local(object, to, span, SiteKind::Pointee);
            }
        };
        made.texts = true;
        let place = self.characters(object, name, of, span);
        if of == to {
            self.terminate(place, span);
        }
        place
    }

    /// Some characters that a pointer points to: an object, and the name of what it holds.
    pub(super) fn characters(&mut self, object: String, name: &str, of: TypeId, span: Span) -> PlaceId {
        let ty = intern(&mut self.program, Type::Array { of, length: STRING });
        let site = self.site(name, ty, span, SiteKind::Pointee);
        let local = self.add_local(object, ty, span, site);
        self.emit(StatementKind::Declare { local }, span);
        self.local_place(local)
    }

    pub(super) fn terminate(&mut self, string: PlaceId, span: Span) {
        let last = self.element_of(string, STRING - 1);
        let zero = self.constant(0, self.program.place(last).ty);
        self.assign(last, zero, Origin::Tool, span);
    }

    pub(super) fn element_of(&mut self, array: PlaceId, index: u64) -> PlaceId {
        let index = self.constant(u128::from(index), self.basic.difference);
        self.project(array, Projection::Index(index))
    }
}

impl Made {
    /// What is assumed of pointers, for sentences about every execution.
    pub(super) fn assumed(&self, never_null: u32) -> String {
        let mut assumed = Vec::new();
        let who = match (self.arguments, self.members) {
            (true, true) => "each pointer argument and each pointer in objects that are passed",
            (true, false) => "each pointer argument",
            (false, _) => "each pointer in objects that are passed",
        };
        if self.levels > 0 {
            let except = if self.members && self.nothing { ", except for some that point to nothing," } else { "" };
            let or_null = if never_null < self.levels { "is NULL or " } else { "" };
            let length = match (self.texts, self.others) {
                (true, false) => format!(", of {STRING} bytes"),
                (true, true) => format!(", for char and void of {STRING} bytes"),
                (false, _) => String::new(),
            };
            assumed.push(format!("{who}{except} {or_null}points to one object of its own{length}"));
        }
        match never_null {
            0 => {}
            _ if never_null >= self.levels => {}
            1 => assumed.push("none of the first level is NULL".to_owned()),
            levels => assumed.push(format!("none of the first {levels} levels is NULL")),
        }
        if self.ends {
            assumed.push(format!("lists and trees end after {MOST_LEVELS} pointers"));
        }
        if self.nothing && !self.members {
            assumed.push("pointers in objects that are passed point to nothing".to_owned());
        }
        if self.functions {
            assumed.push("pointers to functions point to none".to_owned());
        }
        if self.incomplete {
            assumed.push("pointers to incomplete types point to nothing".to_owned());
        }
        match assumed.pop() {
            None => String::new(),
            Some(last) if assumed.is_empty() => format!(" in which {last}"),
            Some(last) => format!(" in which {} and {last}", assumed.join(", ")),
        }
    }
}
