//! What an unknown pointer may point to: NULL, nothing, or what the program compares it with.
//!
//! An input of pointer type is at first one free bit: NULL or invalid. If it is compared with an address, it may be
//! that address, too: the program is unwound again, and wherever such an input arises it is a free word among the addresses that it was compared with
//! (its *aims*). So an access through it is valid exactly where a condition on the way makes it so, and programs that compare nothing cost what they did. The same
//! goes for numbers that are read as pointers: they are free words anyway, and only what they may point to has to be known.
//!
//! Locals and allocated objects have other numbers in runs than in equations. Pointers are translated (`Equation::aimed`) if the object was there before
//! the input; numbers are not, nor are bytes of pointers. Runs in which such an input is the address are left out, and the equation says so (`Equation::unseen`).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use nearmiss_logic::stop::Interrupted;
use nearmiss_logic::term::{Node, Term};

use super::Symex;
use super::memory::ObjectNumber;
use super::pointer::{ELSEWHERE, ValueSet};
use crate::equation::{Aimed, Step, StepKind, VariableId};
use nearmiss_program::program::{BinaryOp, ExprId, INVALID_OBJECT, Program, SiteId, StaticObject, Type, TypeId};

/// So often a program is unwound to find what its inputs are compared with.
const MOST_ROUNDS: u32 = 8;
/// An input that is compared with more places in one object may be any place in it.
const MOST_PLACES: usize = 4;

/// Among aims: the objects that come to life, by their order.
const FIRST_BORN: u64 = 1 << 62;

/// Objects that the inputs of a site are compared with, each with the offset, or None for any place in it.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Aims(BTreeMap<SiteId, BTreeSet<(u64, Option<u64>)>>);

impl Aims {
    fn insert(&mut self, site: SiteId, object: u64, offset: Option<u64>) {
        let aims = self.0.entry(site).or_default();
        if aims.contains(&(object, None)) {
            return;
        }
        aims.insert((object, offset));
        let places = aims.iter().filter(|(other, _)| *other == object).count();
        if offset.is_none() || places > MOST_PLACES {
            aims.retain(|(other, _)| *other != object);
            aims.insert((object, None));
        }
    }
}

/// What an input is that a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// A pointer.
    Pointer,
    /// A number as wide as a pointer.
    Word,
    /// A narrower number: a byte of a pointer.
    Part,
}

/// An input that a pointer may come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Input {
    site: SiteId,
    origin: Origin,
    term: Term,
}

/// What is known of unknown pointers in one unwinding.
#[derive(Default)]
pub(super) struct Unknown {
    /// What inputs are aimed at in this unwinding, and what they turn out to be compared with.
    aims: Aims,
    met: Aims,
    /// Where the terms that inputs are come from: pointers, and numbers of a byte or more.
    pointers: HashMap<Term, SiteId>,
    numbers: HashMap<Term, SiteId>,
    /// Aims that were not there when an input arose.
    unborn: HashSet<(SiteId, u64)>,
    /// Whether nobody asks what is compared: the tool does it.
    silent: bool,
}

/// Unwinds as often as it takes to know what inputs are compared with.
pub(super) fn settled<'p, T>(
    mut unwinding: impl FnMut() -> Symex<'p>,
    mut unwind: impl FnMut(&mut Symex<'p>) -> Result<T, Interrupted>,
) -> Result<(T, Symex<'p>), Interrupted> {
    let mut aims = Aims::default();
    let mut rounds = 0;
    loop {
        let mut symex = unwinding();
        (symex.unknown.aims, symex.unknown.met) = (aims.clone(), aims.clone());
        let result = unwind(&mut symex)?;
        rounds += 1;
        if symex.unknown.met == aims || rounds == MOST_ROUNDS {
            symex.leave_unsettled(&aims);
            return Ok((result, symex));
        }
        aims = std::mem::take(&mut symex.unknown.met);
    }
}

impl Symex<'_> {
    /// Inputs that would have to be aimed at something else once more.
    fn leave_unsettled(&mut self, aims: &Aims) {
        let sites: Vec<SiteId> = self.unknown.met.0.keys().copied().collect();
        for site in sites {
            if self.unknown.met.0.get(&site) != aims.0.get(&site) {
                self.unseen(site);
            }
        }
    }

    /// Runs are left out in which an input of this site is the address of an object.
    fn unseen(&mut self, site: SiteId) {
        if !self.eq.unseen.contains(&site) {
            self.eq.unseen.push(site);
        }
    }

    /// Does something without asking what is compared.
    pub(super) fn silently<T>(&mut self, silent: bool, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.unknown.silent;
        self.unknown.silent |= silent;
        let result = work(self);
        self.unknown.silent = before;
        result
    }

    /// An input that is no pointer: what it points to where it is read as one.
    pub(super) fn note_number(&mut self, symbol: Term, site: SiteId) {
        self.unknown.numbers.insert(symbol, site);
        if let Some(aims) = self.unknown.aims.0.get(&site) {
            let objects: BTreeSet<u64> = aims.iter().map(|(object, _)| *object).collect();
            let listed = objects.into_iter().filter(|object| *object > INVALID_OBJECT).chain([ELSEWHERE]);
            let set: ValueSet = listed.map(|object| (object, None)).collect();
            self.value_sets.insert(symbol, set);
        }
    }

    /// An input of pointer type that is NULL or invalid.
    pub(super) fn note_pointer(&mut self, value: Term, site: SiteId) {
        self.unknown.pointers.insert(value, site);
    }

    /// An input of pointer type that is compared with something: a free word among what that is.
    pub(super) fn aimed_pointer(&mut self, name: &Arc<str>, ty: TypeId, site: SiteId) -> Option<(VariableId, Term)> {
        let mut aims = self.objects_of(site)?;
        for nothing in [0, INVALID_OBJECT] {
            if !aims.contains(&(nothing, None)) {
                aims.insert((nothing, Some(0)));
            }
        }
        let layout = self.program.pointer;
        let variable = self.new_variable(name.clone(), ty, layout.bits, None);
        let word = self.eq.symbol(variable);
        let zeros = zeros_of(self.program, ty);
        let mut ways = Vec::with_capacity(aims.len());
        for (object, offset) in &aims {
            ways.push(self.is_at(word, *object, *offset, zeros));
        }
        let condition = self.eq.terms.or_all(&ways);
        let (births, first) = (self.eq.births.len(), self.program.first_dynamic_object());
        self.eq.aimed.insert(variable, Aimed { births, first, pointer: layout, domain: condition });
        let (guard, here) = (self.eq.terms.tru(), self.here);
        let kind = StepKind::Assume { condition };
        let (span, function, depth) = (here.span, here.function, here.depth);
        self.eq.steps.push(Step { guard, span, function, depth, turn: None, tally: None, kind });
        let aligned = aims.iter().map(|(_, offset)| offset.map_or(zeros, |at| at.trailing_zeros())).min();
        self.alignments.insert(word, aligned.unwrap_or(0).min(layout.offset_bits));
        self.value_sets.insert(word, aims.into_iter().collect());
        self.unknown.pointers.insert(word, site);
        Some((variable, word))
    }

    /// What the inputs of a site are aimed at, by the numbers that objects have here.
    fn objects_of(&mut self, site: SiteId) -> Option<BTreeSet<(u64, Option<u64>)>> {
        let mut objects = BTreeSet::new();
        for (aim, offset) in self.unknown.aims.0.get(&site)?.clone() {
            let Some(birth) = aim.checked_sub(FIRST_BORN) else {
                objects.insert((aim, offset));
                continue;
            };
            let born = self.objects.iter().rposition(|object| object.birth.map(u64::from) == Some(birth));
            match born {
                Some(object) => {
                    let address = self.object_address(object as ObjectNumber);
                    let number = self.eq.terms.as_const(address).map(|address| self.program.pointer.decode(address).0);
                    objects.extend(number.map(|number| (number, offset)));
                }
                None => {
                    self.unknown.unborn.insert((site, aim));
                }
            }
        }
        Some(objects)
    }

    /// One bit: a word is this place, or any in the object that so many zeros fit. In a run in which the object is not there, it is not.
    fn is_at(&mut self, word: Term, object: u64, offset: Option<u64>, zeros: u32) -> Term {
        let layout = self.program.pointer;
        let born = self.by_address.get(&object).map(|number| &self.objects[*number as usize]);
        let is_there = born.and_then(|object| Some(self.eq.births[object.birth? as usize].guard));
        let is_there = is_there.unwrap_or(self.eq.terms.tru());
        if let Some(offset) = offset {
            let place = self.eq.terms.constant(layout.bits, layout.encode(object, offset));
            let is_place = self.eq.terms.eq(word, place);
            return self.eq.terms.and(is_place, is_there);
        }
        let size = match (self.program.static_object(object), born) {
            (Some(StaticObject::Global(global)), _) => self.program.globals[global.index()].size,
            (Some(StaticObject::Function(_)), _) => 0,
            (None, Some(object)) => object.bits / 8,
            (None, None) => layout.max_object_size(),
        };
        let terms = &mut self.eq.terms;
        let (high, low) =
            (terms.extract(word, layout.bits - 1, layout.offset_bits), terms.extract(word, layout.offset_bits - 1, 0));
        let number = terms.constant(layout.bits - layout.offset_bits, u128::from(object));
        let last = terms.constant(layout.offset_bits, u128::from(size));
        let (is_in, is_within) = (terms.eq(high, number), terms.ule(low, last));
        let mut all = vec![is_there, is_in, is_within];
        if zeros > 0 {
            let (rest, none) = (terms.extract(low, zeros - 1, 0), terms.constant(zeros, 0));
            all.push(terms.eq(rest, none));
        }
        terms.and_all(&all)
    }

    /// Two values are compared, or computed with: what unknown pointers among them may be for that.
    pub(super) fn compare(&mut self, op: BinaryOp, ids: [ExprId; 2], values: [Term; 2]) {
        use BinaryOp::{Eq, Ne, Sub, ULe, ULt};
        let width = self.eq.terms.width(values[0]);
        let nothing = self.unknown.pointers.is_empty() && self.unknown.numbers.is_empty();
        if self.unknown.silent || nothing || width != self.program.pointer.bits {
            return;
        }
        let is_pointer = |id: ExprId| matches!(self.program.ty(self.program.expr(id).ty), Type::Pointer { .. });
        let [first, second] = ids.map(is_pointer);
        let [a, b] = values;
        match op {
            Eq | Ne if first && second => {
                self.meet(a, b, false);
                self.meet(b, a, false);
            }
            ULt | ULe | Sub if first && second => {
                self.meet(a, b, true);
                self.meet(b, a, true);
            }
            // A pointer and a distance.
            _ if first || second => {}
            Eq | Ne if self.is_static_address(b) => self.meet(a, b, false),
            Eq | Ne if self.is_static_address(a) => self.meet(b, a, false),
            BinaryOp::Add | Sub => {}
            _ => {
                self.is_number(a);
                self.is_number(b);
            }
        }
    }

    /// The objects of two pointers are compared.
    pub(super) fn compare_objects(&mut self, a: Term, b: Term) {
        if !self.unknown.silent {
            self.meet(a, b, true);
            self.meet(b, a, true);
        }
    }

    /// The program asks of what is behind a pointer. Of an unknown one that may be any object.
    pub(super) fn ask_behind(&mut self, pointer: Term) {
        if self.unknown.silent {
            return;
        }
        let own = self.value_set(pointer);
        // An index that is an input points nowhere.
        let is_bare = own.iter().all(|(object, _)| *object == 0);
        if is_bare || self.is_unknown(pointer) {
            for Input { site, .. } in self.origins(pointer) {
                self.unseen(site);
            }
        }
    }

    /// The address of a global or function.
    fn is_static_address(&self, term: Term) -> bool {
        let object = self.eq.terms.as_const(term).map(|value| self.program.pointer.decode(value).0);
        object.is_some_and(|object| self.program.static_object(object).is_some())
    }

    /// A pointer is compared with another, which it may be, or the object of which it may point into.
    fn meet(&mut self, pointer: Term, other: Term, anywhere: bool) {
        if self.eq.terms.as_const(pointer).is_some() || self.eq.terms.as_const(other) == Some(0) {
            return;
        }
        let (own, met) = (self.value_set(pointer), self.value_set(other));
        // A number that is read as a pointer, or what was computed from one.
        let is_bare = own.iter().all(|(object, _)| *object == 0);
        let is_unknown = is_bare || self.is_unknown(pointer);
        if !is_unknown || met.iter().all(|(object, _)| *object == 0) {
            return;
        }
        let is_whole = own.contains(&(INVALID_OBJECT, Some(0)));
        let others: Vec<Term> = self.origins(other).into_iter().map(|input| input.term).collect();
        for Input { site, origin, term } in self.origins(pointer) {
            for (object, offset) in met.iter().copied().filter(|(object, _)| ![0, ELSEWHERE].contains(object)) {
                let offset = offset.filter(|at| is_whole && !anywhere && *at < self.program.pointer.max_object_size());
                let is_static = self.program.static_object(object).is_some();
                match (self.aim_of(object), origin) {
                    (Some(aim), Origin::Pointer) if !self.unknown.unborn.contains(&(site, aim)) => {
                        self.unknown.met.insert(site, aim, offset);
                    }
                    (Some(aim), Origin::Word) if is_static => self.unknown.met.insert(site, aim, offset),
                    (Some(_), _) => {
                        self.unseen(site);
                        match origin {
                            Origin::Pointer => {}
                            Origin::Word => self.never_at(term, object),
                            Origin::Part if is_bare => self.never_at(pointer, object),
                            Origin::Part => {}
                        }
                    }
                    // Two inputs: they may be different, and none NULL.
                    (None, Origin::Pointer) if others.iter().any(|other| *other != term) => {
                        self.unknown.met.insert(site, INVALID_OBJECT, None);
                    }
                    (None, _) => {}
                }
            }
        }
    }

    /// What an input is aimed at that may be the address of this object.
    fn aim_of(&self, object: u64) -> Option<u64> {
        let born = self.by_address.get(&object).and_then(|number| self.objects[*number as usize].birth);
        match self.program.static_object(object) {
            Some(_) => Some(object),
            None => born.map(|birth| FIRST_BORN + u64::from(birth)),
        }
    }

    /// No run is looked at in which a word points into this object.
    fn never_at(&mut self, word: Term, object: u64) {
        let layout = self.program.pointer;
        let high = self.eq.terms.extract(word, layout.bits - 1, layout.offset_bits);
        let number = self.eq.terms.constant(layout.bits - layout.offset_bits, u128::from(object));
        let condition = self.eq.terms.ne(high, number);
        if !self.eq.terms.is_true(condition) {
            self.step(StepKind::Assume { condition });
        }
    }

    /// The program computes with a pointer as with a number: an invalid one may be any.
    fn is_number(&mut self, value: Term) {
        if self.unknown.pointers.is_empty() || self.eq.terms.as_const(value).is_some() {
            return;
        }
        if self.value_set(value).iter().any(|(object, _)| *object == INVALID_OBJECT) {
            for Input { site, .. } in self.origins(value).into_iter().filter(|input| input.origin == Origin::Pointer) {
                self.unknown.met.insert(site, 0, None);
                self.unknown.met.insert(site, INVALID_OBJECT, None);
            }
        }
    }

    /// The inputs that a term may be.
    fn origins(&self, term: Term) -> Vec<Input> {
        let (mut todo, mut seen, mut found) = (vec![term], HashSet::from([term]), BTreeSet::new());
        while let Some(term) = todo.pop() {
            if let Some(site) = self.unknown.pointers.get(&term) {
                found.insert(Input { site: *site, origin: Origin::Pointer, term });
                continue;
            }
            if let Some(site) = self.unknown.numbers.get(&term) {
                let is_word = self.eq.terms.width(term) == self.program.pointer.bits;
                let origin = if is_word { Origin::Word } else { Origin::Part };
                found.insert(Input { site: *site, origin, term });
                continue;
            }
            let mut inner = self.pointer_operands(term);
            // Of a pointer and a distance the pointer.
            if matches!(self.eq.terms.node(term), Node::Add(..)) && inner.iter().any(|inner| self.is_unknown(*inner)) {
                inner.retain(|inner| self.is_unknown(*inner));
            }
            todo.extend(inner.into_iter().filter(|inner| seen.insert(*inner)));
        }
        found.into_iter().collect()
    }

    /// May a term of which this was asked be an unknown pointer?
    fn is_unknown(&self, term: Term) -> bool {
        let set = self.value_sets.get(&term);
        set.is_some_and(|set| set.iter().any(|(object, _)| [INVALID_OBJECT, ELSEWHERE].contains(object)))
    }
}

/// How many low bits of a pointer of this type are 0, as what it points to is aligned.
fn zeros_of(program: &Program, pointer: TypeId) -> u32 {
    match program.ty(pointer) {
        Type::Pointer { to } => alignment(program, *to).trailing_zeros(),
        _ => 0,
    }
}

/// To how many bytes a type is aligned at least.
fn alignment(program: &Program, ty: TypeId) -> u64 {
    match program.ty(ty) {
        Type::Array { of, .. } => alignment(program, *of),
        Type::Record { fields, size, .. } => {
            let of = fields
                .iter()
                .filter(|field| !field.bit_field)
                .map(|field| (field.bit_offset / 8, alignment(program, field.ty)));
            let of: Vec<(u64, u64)> = of.collect();
            let most = of.iter().map(|(_, align)| *align).max().unwrap_or(1);
            let is_packed = of.iter().any(|(at, align)| !at.is_multiple_of(*align)) || !size.is_multiple_of(most);
            if is_packed { 1 } else { most }
        }
        Type::Void | Type::Function { .. } => 1,
        _ => (program.size_bits(ty) / 8).clamp(1, u64::from(program.pointer.bits / 8)).next_power_of_two(),
    }
}
