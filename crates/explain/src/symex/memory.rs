//! Memory under symbolic execution: objects cut into cells, each holding a term or something not yet looked at.
//!
//! A cell is a range of bits of one object. Cells are cut where accesses ask for it and not before, so an array of
//! structures is a cell per field, a bit-field a cell of its own, and a buffer nobody reads costs one cell. All cells of
//! all objects live in one persistent ordered map: to fork a path copies nothing, to join two paths looks only at what
//! differs. Bits that no cell covers hold what the object held when it was created.
//!
//! What is written to a large object at an unknown index lies in layers over its cells (`layer.rs`).
//!
//! Undefined contents become inputs when they are read, at the granularity of the declared type. A join at which one
//! side is undefined makes a [`Choice`] that is resolved when it is read, so that dead variables make no inputs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use nearmiss_logic::term::Term;

use super::address::Written;
use super::{Here, Join, Symex};
use crate::equation::{CreationId, Offset, StepKind};
use nearmiss_program::program::{ByteOrder, FunctionId, GlobalId, GlobalInit, Program, Type, TypeId};
use nearmiss_program::show;
use nearmiss_program::source::Span;

/// Index into the table of objects.
pub type ObjectNumber = u32;

/// The shadow of an object, which says who set its bits, is the object of this number more.
pub const SHADOW: ObjectNumber = 1 << 31;

/// Where an object's "has not died yet" bit lives in the map; absent means that it is alive.
pub const ALIVE: u64 = u64::MAX;
/// Where the current instance of a local whose address is taken lives in the map of its slot.
pub const INSTANCE: u64 = u64::MAX - 1;
/// Where the last layer over an object lives in the map; absent means that there is none.
pub const LAYER: u64 = u64::MAX - 2;
/// No access has this offset or more.
pub(super) const FIRST_SPECIAL: u64 = LAYER;

/// The memory of one path.
pub type Cells = OrdMap<(ObjectNumber, u64), Cell>;

/// A range of bits of one object and what it holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// How many bits.
    pub bits: u64,
    /// What they hold.
    pub content: Content,
}

/// What a range of bits holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// This term, of the width of the cell.
    Term(Term),
    /// Zeros.
    Zero,
    /// What the global held at the start, from this bit on.
    Initial(GlobalId, u64),
    /// Undefined contents, from this bit of that creation's object on.
    Undefined(u32, u64),
    /// One of two contents, from this bit on.
    Choice(u32, u64),
    /// What is seen through a layer, from this bit of its object on.
    Layer(u32, u64),
    /// (Only under [`INSTANCE`]) the object that the slot of a local stands for now.
    Instance(ObjectNumber),
    /// (Only in shadows) the number of the event that set these bits of the object.
    Setter(Term),
}

impl Content {
    /// The content that starts some bits later. Terms are cut by the reader, who knows the width.
    pub(super) fn skip(self, bits: u64) -> Content {
        match self {
            Content::Initial(global, at) => Content::Initial(global, at + bits),
            Content::Undefined(id, at) => Content::Undefined(id, at + bits),
            Content::Choice(id, at) => Content::Choice(id, at + bits),
            Content::Layer(id, at) => Content::Layer(id, at + bits),
            same => same,
        }
    }

    /// Is it, or may it be, an input that nobody has read yet, or seen through a layer?
    pub(super) fn is_lazy(self) -> bool {
        matches!(self, Content::Undefined(..) | Content::Choice(..) | Content::Layer(..))
    }
}

/// Undefined contents of one object. Parts become inputs as they are read.
pub struct Undefined {
    /// The creation of which the inputs are part.
    pub creation: CreationId,
    /// Name of the object, for naming the parts.
    pub name: Arc<str>,
    /// Its type; none for memory from `malloc`.
    pub ty: Option<TypeId>,
    /// Where it is declared.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// Number of calls under way there.
    pub depth: u32,
    /// Number of bits of the object.
    pub bits: u64,
    /// What was read at unknown indices, in order.
    pub(super) looks: Vec<Written>,
    pieces: BTreeMap<u64, (u32, Term)>,
}

/// What a range held on two paths that met.
pub struct Choice {
    /// Where they meet.
    here: Here,
    meeting: Option<Join>,
    chooser: Term,
    yes: Content,
    no: Content,
    object: ObjectNumber,
    at: u64,
    known: HashMap<(u64, u32), Term>,
}

impl Choice {
    /// Its condition and both contents, from a bit on.
    pub(super) fn sides(&self, at: u64) -> (Term, Content, Content) {
        (self.chooser, self.yes.skip(at), self.no.skip(at))
    }

    /// Has exactly this part been read before?
    pub fn has(&self, at: u64, bits: u64) -> bool {
        u32::try_from(bits).is_ok_and(|bits| self.known.contains_key(&(at, bits)))
    }
}

/// How long an object lives, and what may be done to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// Always.
    Static,
    /// Until its function returns or its block ends.
    Activation,
    /// Until it is freed.
    Heap,
}

/// An object.
pub struct Object {
    /// Name, for variables and for showing pointers.
    pub name: Arc<str>,
    /// Type, where it has one.
    pub ty: Option<TypeId>,
    /// Number of bits; the most it can have, if its size is an input.
    pub bits: u64,
    /// Its size in bytes, of the width of a pointer.
    pub size: Term,
    /// What it holds where no cell says otherwise.
    pub initial: Content,
    /// How long it lives.
    pub lifetime: Lifetime,
    /// Whether writing to it is an error.
    pub read_only: bool,
    /// Whether it belongs to the user's text: only then do joins make variables of its contents.
    pub visible: bool,
    /// Its number in pointers, once its address is taken.
    pub address: Option<u64>,
    /// Where it is among the births, if it is no global and pointers may reach it.
    pub birth: Option<u32>,
}

impl Symex<'_> {
    /// The cell that covers a bit: where it starts, and the cell. Gaps are cells of initial contents.
    pub(super) fn cell_at(&self, cells: &Cells, object: ObjectNumber, at: u64) -> (u64, Cell) {
        let before = cells.range(..=(object, at)).next_back().filter(|((o, _), _)| *o == object);
        if let Some(((_, start), cell)) = before
            && at < start + cell.bits
        {
            return (*start, *cell);
        }
        let after = cells.range((object, at + 1)..(object, FIRST_SPECIAL)).next();
        let end = after.map_or(FIRST_SPECIAL - 1, |((_, start), _)| *start);
        let content = self.objects[object as usize].initial.skip(at);
        (at, Cell { bits: end - at, content })
    }

    /// Reads some bits at a known offset.
    pub fn read_bits(&mut self, cells: &Cells, object: ObjectNumber, at: u64, bits: u32) -> Term {
        if let Some(Cell { bits: width, content: Content::Term(term) }) = cells.get(&(object, at))
            && *width == u64::from(bits)
        {
            return *term;
        }
        let end = at + u64::from(bits);
        let mut position = at;
        let mut result: Option<Term> = None;
        while position < end {
            let (start, cell) = self.cell_at(cells, object, position);
            let take = (start + cell.bits).min(end) - position;
            let part = self.materialise(cell, position - start, take as u32);
            result = Some(self.followed_by(result, part));
            position += take;
        }
        result.expect("accesses have at least one bit")
    }

    /// Some bits of what a cell holds, as far from its start as `skip` says.
    fn part_of(&mut self, term: Term, skip: u64, bits: u32) -> Term {
        let low = match self.program.order {
            ByteOrder::Little => skip as u32,
            ByteOrder::Big => self.eq.terms.width(term) - skip as u32 - bits,
        };
        self.eq.terms.extract(term, low + bits - 1, low)
    }

    /// Bits and those that lie behind them in memory.
    fn followed_by(&mut self, before: Option<Term>, part: Term) -> Term {
        match (before, self.program.order) {
            (None, _) => part,
            (Some(before), ByteOrder::Little) => self.eq.terms.concat(part, before),
            (Some(before), ByteOrder::Big) => self.eq.terms.concat(before, part),
        }
    }

    /// Some bits of a cell as a term.
    fn materialise(&mut self, cell: Cell, skip: u64, bits: u32) -> Term {
        match cell.content {
            Content::Term(term) => self.part_of(term, skip, bits),
            Content::Zero | Content::Instance(_) | Content::Setter(_) => self.eq.terms.constant(bits, 0),
            Content::Initial(global, at) => {
                let value = initial_bits(self.program, global, at + skip, bits);
                self.eq.terms.constant(bits, value)
            }
            Content::Undefined(id, at) => self.undefined_bits(id, at + skip, bits),
            Content::Choice(id, at) => self.chosen_bits(id, at + skip, bits),
            Content::Layer(id, at) => self.layer_bits(id, at + skip, bits),
        }
    }

    fn chosen_bits(&mut self, id: u32, at: u64, bits: u32) -> Term {
        let choice = &self.choices[id as usize];
        if let Some(known) = choice.known.get(&(at, bits)) {
            return *known;
        }
        let Choice { here, meeting, chooser, yes, no, object, at: start, .. } = *choice;
        let width = u64::from(bits) + at;
        let yes = self.materialise(Cell { bits: width, content: yes }, at, bits);
        let no = self.materialise(Cell { bits: width, content: no }, at, bits);
        // A run that passes by where they meet has neither value.
        let (reader, reading) = (self.here, self.meeting);
        let guard = self.eq.terms.and(reader.guard, here.guard);
        (self.here, self.meeting) = (Here { guard, ..here }, meeting);
        let term = self.phi(chooser, yes, no, object, start + at);
        (self.here, self.meeting) = (reader, reading);
        self.choices[id as usize].known.insert((at, bits), term);
        term
    }

    /// Some bits of undefined contents: inputs, made where there are none yet.
    fn undefined_bits(&mut self, id: u32, at: u64, bits: u32) -> Term {
        if let Some((width, term)) = self.undefined[id as usize].pieces.get(&at)
            && *width == bits
        {
            return *term;
        }
        let end = at + u64::from(bits);
        let mut position = at;
        let mut result: Option<Term> = None;
        while position < end {
            let (start, width, term) = self.undefined_piece(id, position, end - position);
            let take = (start + u64::from(width)).min(end) - position;
            let part = self.part_of(term, position - start, take as u32);
            result = Some(self.followed_by(result, part));
            position += take;
        }
        result.expect("accesses have at least one bit")
    }

    /// The input that covers a bit of undefined contents; a new one covers the whole part that the type has there, or
    /// as much as is wanted and free where there is no type.
    fn undefined_piece(&mut self, id: u32, at: u64, wanted: u64) -> (u64, u32, Term) {
        let undefined = &self.undefined[id as usize];
        if let Some((start, (width, term))) = undefined.pieces.range(..=at).next_back()
            && at < start + u64::from(*width)
        {
            return (*start, *width, *term);
        }
        let free = undefined.pieces.range(at..).next().map_or(u64::MAX, |(next, _)| *next) - at;
        let leaf = undefined.ty.and_then(|ty| leaf_at(self.program, ty, at));
        let (start, bits, ty, path) = match leaf {
            Some(leaf) => (at - leaf.into, leaf.bits, leaf.ty, leaf.path),
            None => {
                let bits = wanted.min(free).min(64);
                let site = self.eq.creations[undefined.creation.0 as usize].site;
                let (_, ty) = show::content_name(self.program, site, at, bits);
                (at, bits as u32, ty, format!("[{}]", at / 8))
            }
        };
        let name: Arc<str> = show::path_name(&undefined.name, &path).into();
        let (creation, span, function, depth) =
            (undefined.creation, undefined.span, undefined.function, undefined.depth);
        let site = self.eq.creations[creation.0 as usize].site;
        let (variable, fresh) = self.free_variable(name, ty, bits, site);
        let found = self.is_fed(ty).then(|| self.fed_content(variable, creation, start, bits)).flatten();
        let fresh = found.map_or(fresh, |found| self.eq.terms.constant(bits, found));
        let (value, again) = self.looked_at_from(id, start, fresh);
        let crate::equation::Creation { guard, turn, .. } = self.eq.creations[creation.0 as usize];
        let kind = StepKind::Content { variable, value, creation, offset: Offset::constant(start), again };
        self.eq.steps.push(crate::equation::Step { guard, span, function, depth, turn, tally: None, kind });
        self.undefined[id as usize].pieces.insert(start, (bits, value));
        (start, bits, value)
    }

    /// Writes some bits at a known offset.
    pub fn write_bits(&mut self, cells: &mut Cells, object: ObjectNumber, at: u64, bits: u64, content: Content) {
        self.put_bits(cells, object, at, bits, content);
        self.follow_write(cells, object, at, bits);
    }

    /// Puts some bits at a known offset; none are none (an empty cell would hide the one that starts there).
    pub fn put_bits(&mut self, cells: &mut Cells, object: ObjectNumber, at: u64, bits: u64, content: Content) {
        if bits == 0 {
            return;
        }
        if cells.get(&(object, at)).is_none_or(|cell| cell.bits != bits) {
            self.clear_range(cells, object, at, at + bits);
        }
        cells.insert((object, at), Cell { bits, content });
    }

    /// Cuts a range out of the cells; what it held there is forgotten.
    fn clear_range(&mut self, cells: &mut Cells, object: ObjectNumber, at: u64, end: u64) {
        let mut overlapping: Vec<(u64, Cell)> = Vec::new();
        if let Some(((o, start), cell)) = cells.range(..(object, at)).next_back()
            && *o == object
            && *start < FIRST_SPECIAL
            && start + cell.bits > at
        {
            overlapping.push((*start, *cell));
        }
        overlapping.extend(cells.range((object, at)..(object, end)).map(|((_, start), cell)| (*start, *cell)));
        for (start, cell) in overlapping {
            cells.remove(&(object, start));
            let finish = start + cell.bits;
            if start < at {
                let content = self.cut(cell, 0, at - start);
                cells.insert((object, start), Cell { bits: at - start, content });
            }
            if finish > end {
                let content = self.cut(cell, end - start, finish - end);
                cells.insert((object, end), Cell { bits: finish - end, content });
            }
        }
    }

    /// Part of a cell's content.
    fn cut(&mut self, cell: Cell, skip: u64, bits: u64) -> Content {
        match cell.content {
            Content::Term(term) => Content::Term(self.part_of(term, skip, bits as u32)),
            other => other.skip(skip),
        }
    }

    /// The cells of a range, cut to it, with offsets from its start.
    pub fn cells_of(&mut self, cells: &Cells, object: ObjectNumber, at: u64, bits: u64) -> Vec<(u64, Cell)> {
        let end = at + bits;
        let mut position = at;
        let mut result = Vec::new();
        while position < end {
            let (start, cell) = self.cell_at(cells, object, position);
            let take = (start + cell.bits).min(end) - position;
            let content = self.cut(cell, position - start, take);
            result.push((position - at, Cell { bits: take, content }));
            position += take;
        }
        result
    }

    /// Forgets everything about an object's contents.
    pub fn forget(&mut self, cells: &mut Cells, object: ObjectNumber) {
        let shadow = object | SHADOW;
        let both = cells.range((object, 0)..=(object, ALIVE)).chain(cells.range((shadow, 0)..=(shadow, ALIVE)));
        let keys: Vec<_> = both.map(|(key, _)| *key).collect();
        for key in keys {
            cells.remove(&key);
        }
    }

    /// One bit: has the object not died?
    pub fn alive(&mut self, cells: &Cells, object: ObjectNumber) -> Term {
        match cells.get(&(object, ALIVE)) {
            Some(Cell { content: Content::Term(term), .. }) => *term,
            _ => self.eq.terms.tru(),
        }
    }

    /// The object dies where `when` is 1.
    pub fn kill(&mut self, cells: &mut Cells, object: ObjectNumber, when: Term) {
        let alive = self.alive(cells, object);
        let spared = self.eq.terms.not(when);
        let term = self.eq.terms.and(alive, spared);
        cells.insert((object, ALIVE), Cell { bits: 1, content: Content::Term(term) });
        self.follow_kill(cells, object, when);
    }

    /// The memory after a join: that of `a` where `chooser` is 1, that of `b` elsewhere.
    pub fn join_cells(&mut self, chooser: Term, a: &Cells, b: &Cells) -> Cells {
        let mut joined = a.clone();
        let mut ragged: BTreeMap<ObjectNumber, Vec<(u64, u64)>> = BTreeMap::new();
        let mut same_shape = Vec::new();
        let mut layered = BTreeSet::new();
        for item in a.diff(b) {
            match item {
                DiffItem::Update { old: (key, _), .. } | DiffItem::Add(key, _) | DiffItem::Remove(key, _)
                    if key.0 & SHADOW != 0 => {}
                DiffItem::Update { old: (key, _), .. } if key.1 == LAYER => {
                    layered.insert(key.0);
                }
                DiffItem::Add(key, _) | DiffItem::Remove(key, _) if key.1 == LAYER => {
                    layered.insert(key.0);
                    ragged.entry(key.0).or_default();
                }
                DiffItem::Update { old: (key, x), new: (_, y) } if x.bits == y.bits => same_shape.push((*key, *x, *y)),
                DiffItem::Update { old: (key, x), new: (_, y) } => {
                    ragged.entry(key.0).or_default().push((key.1, key.1 + x.bits.max(y.bits)));
                }
                DiffItem::Add(key, cell) | DiffItem::Remove(key, cell) => {
                    let end = if key.1 >= FIRST_SPECIAL { key.1 } else { key.1 + cell.bits };
                    ragged.entry(key.0).or_default().push((key.1, end));
                }
            }
        }
        for ((object, at), x, y) in same_shape {
            if layered.contains(&object) && at < FIRST_SPECIAL {
                continue;
            }
            let content = self.join_contents(chooser, object, at, x, y);
            joined.insert((object, at), Cell { bits: x.bits, content });
        }
        for (object, ranges) in ragged {
            let is_static = self.objects[object as usize].lifetime == Lifetime::Static;
            let exists = |cells: &Cells| cells.range((object, 0)..=(object, ALIVE)).next().is_some();
            if !is_static && !exists(a) {
                layered.remove(&object);
                let created: Vec<_> = b.range((object, 0)..=(object, ALIVE)).map(|(k, c)| (*k, *c)).collect();
                joined.extend(created);
            } else if !is_static && !exists(b) {
                layered.remove(&object);
            } else {
                let (special, plain): (Vec<_>, Vec<_>) = ranges.into_iter().partition(|range| range.0 >= FIRST_SPECIAL);
                for (at, _) in special {
                    self.join_special(chooser, (object, at), a, b, &mut joined);
                }
                if !layered.contains(&object) {
                    self.join_ranges(chooser, object, plain, [a, b], &mut joined);
                }
            }
        }
        for object in layered {
            self.join_layers(chooser, object, a, b, &mut joined);
        }
        self.join_shadows(chooser, a, b, &mut joined);
        joined
    }

    /// Ranges of an object after a join in which cells lie differently.
    fn join_ranges(
        &mut self,
        chooser: Term,
        object: ObjectNumber,
        mut ranges: Vec<(u64, u64)>,
        [a, b]: [&Cells; 2],
        joined: &mut Cells,
    ) {
        ranges.sort_unstable();
        let mut done = 0;
        for (from, to) in ranges {
            let mut position = from.max(done);
            while position < to {
                let (start_a, cell_a) = self.cell_at(a, object, position);
                let (start_b, cell_b) = self.cell_at(b, object, position);
                let mut take = (start_a + cell_a.bits).min(start_b + cell_b.bits).min(to) - position;
                let content_a = self.cut(cell_a, position - start_a, take);
                let content_b = self.cut(cell_b, position - start_b, take);
                let lazy = content_a.is_lazy() || content_b.is_lazy();
                if content_a != content_b && !lazy && take > 64 {
                    take = 64;
                }
                let (x, y) = (Cell { bits: take, content: content_a }, Cell { bits: take, content: content_b });
                let content = self.join_contents(chooser, object, position, x, y);
                self.put_bits(joined, object, position, take, content);
                position += take;
            }
            done = done.max(to);
        }
    }

    fn join_special(&mut self, chooser: Term, key: (u32, u64), a: &Cells, b: &Cells, joined: &mut Cells) {
        if key.1 == ALIVE {
            let (x, y) = (self.alive(a, key.0), self.alive(b, key.0));
            let term = self.eq.terms.ite(chooser, x, y);
            joined.insert(key, Cell { bits: 1, content: Content::Term(term) });
        } else if let (None, Some(cell)) = (a.get(&key), b.get(&key)) {
            joined.insert(key, *cell);
        }
    }

    fn join_contents(&mut self, chooser: Term, object: ObjectNumber, at: u64, x: Cell, y: Cell) -> Content {
        match (x.content, y.content) {
            (a, b) if a == b => a,
            // Two lives of a local of which at most one is still in scope: the younger.
            (Content::Instance(a), Content::Instance(b)) => Content::Instance(a.max(b)),
            (yes, no) if yes.is_lazy() || no.is_lazy() || x.bits > 128 => {
                self.choices.push(Choice {
                    here: self.here,
                    meeting: self.meeting,
                    chooser,
                    yes,
                    no,
                    object,
                    at,
                    known: HashMap::new(),
                });
                Content::Choice(self.choices.len() as u32 - 1, 0)
            }
            _ => {
                let yes = self.materialise(x, 0, x.bits as u32);
                let no = self.materialise(y, 0, y.bits as u32);
                if at == ALIVE {
                    return Content::Term(self.eq.terms.ite(chooser, yes, no));
                }
                Content::Term(self.phi(chooser, yes, no, object, at))
            }
        }
    }
}

/// A scalar part of a type.
pub struct Leaf {
    /// How far into the part the bit is that was asked for.
    pub into: u64,
    /// Width of the part.
    pub bits: u32,
    /// Its type.
    pub ty: TypeId,
    /// The way to it as C writes it: `[2].x`.
    pub path: String,
}

/// The scalar that a type has at a bit. None in padding and beyond the end. Of a union, the first member that is as
/// wide as any counts.
pub fn leaf_at(program: &Program, ty: TypeId, at: u64) -> Option<Leaf> {
    match program.ty(ty) {
        Type::Array { of, .. } => {
            let element = program.size_bits(*of);
            let index = at.checked_div(element)?;
            let leaf = leaf_at(program, *of, at % element)?;
            Some(Leaf { path: format!("[{index}]{}", leaf.path), ..leaf })
        }
        Type::Record { union, fields, .. } => {
            let covers = |f: &&nearmiss_program::program::Field| f.bit_offset <= at && at < f.bit_offset + f.bits;
            let field = if *union {
                fields.iter().filter(covers).rev().max_by_key(|f| f.bits)?
            } else {
                fields.iter().find(covers)?
            };
            let prefix = if field.name.is_empty() { String::new() } else { format!(".{}", field.name) };
            let into = at - field.bit_offset;
            if field.bit_field {
                return Some(Leaf { into, bits: field.bits as u32, ty: field.ty, path: prefix });
            }
            let leaf = leaf_at(program, field.ty, into)?;
            Some(Leaf { path: prefix + &leaf.path, ..leaf })
        }
        Type::Void | Type::Function { .. } => None,
        _ => {
            let bits = program.size_bits(ty);
            (at < bits).then(|| Leaf { into: at, bits: bits as u32, ty, path: String::new() })
        }
    }
}

/// Bits of the initial value of a global.
fn initial_bits(program: &Program, global: GlobalId, at: u64, bits: u32) -> u128 {
    let GlobalInit::Known(pieces) = &program.globals[global.index()].init else { return 0 };
    let end = at + u64::from(bits);
    let first = pieces.partition_point(|piece| piece.bit_offset + u64::from(piece.bits) <= at);
    let mut value = 0u128;
    for piece in pieces[first..].iter().take_while(|piece| piece.bit_offset < end) {
        let finish = piece.bit_offset + u64::from(piece.bits);
        value |= match program.order {
            ByteOrder::Little if piece.bit_offset >= at => piece.value << (piece.bit_offset - at),
            ByteOrder::Little => piece.value >> (at - piece.bit_offset),
            ByteOrder::Big if finish <= end => piece.value << (end - finish),
            ByteOrder::Big => piece.value >> (finish - end),
        };
    }
    if bits < 128 { value & ((1 << bits) - 1) } else { value }
}

/// Are some bits of the initial value of a global zeros, as nothing is said of them?
pub(super) fn initial_is_zero(program: &Program, global: GlobalId, at: u64, bits: u64) -> bool {
    let GlobalInit::Known(pieces) = &program.globals[global.index()].init else { return true };
    let first = pieces.partition_point(|piece| piece.bit_offset + u64::from(piece.bits) <= at);
    pieces.get(first).is_none_or(|piece| piece.bit_offset >= at + bits)
}

impl Undefined {
    /// Undefined contents of which nothing was read yet.
    pub fn new(
        creation: CreationId,
        name: Arc<str>,
        ty: Option<TypeId>,
        span: Span,
        function: FunctionId,
        depth: u32,
        bits: u64,
    ) -> Undefined {
        let (looks, pieces) = (Vec::new(), BTreeMap::new());
        Undefined { creation, name, ty, span, function, depth, bits, looks, pieces }
    }

    /// The parts that were read at known places and meet a range: where they start, and their terms.
    pub(super) fn pieces_within(&self, from: u64, to: u64) -> Vec<(u64, Term)> {
        let before = self.pieces.range(..from).next_back();
        let before = before.filter(|(start, (width, _))| *start + u64::from(*width) > from);
        before.into_iter().chain(self.pieces.range(from..to)).map(|(start, (_, term))| (*start, *term)).collect()
    }

    /// Has all of this part been read before?
    pub fn has(&self, at: u64, bits: u64) -> bool {
        let (mut position, end) = (at, at.saturating_add(bits));
        while position < end {
            let before = self.pieces.range(..=position).next_back();
            match before.map(|(start, (width, _))| start + u64::from(*width)) {
                Some(next) if next > position => position = next,
                _ => return false,
            }
        }
        true
    }
}
