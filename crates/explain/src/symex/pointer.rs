//! What a pointer can point to: value sets, and what follows from them.
//!
//! The objects that a pointer term can reach are read off its structure, through the definitions of variables, once per
//! term. An access through it is then a choice between those objects. Sums are folded in any order, so a constant may be a pointer
//! that is on its way into an object from before its start (`(s - 1) + n`): it belongs to the object whose start is nearest. A term from which nothing can be read off (an
//! integer input cast to a pointer) points to no object, except those that it is compared with (`symex/aim.rs`): every other access through it violates its claim.

use std::sync::Arc;

use nearmiss_logic::term::{Node, Term};

use super::Symex;
use super::memory::{Cells, Lifetime, ObjectNumber};
use nearmiss_program::program::{INVALID_OBJECT, ObjectKind, StaticObject};

/// In a value set: what the words of other objects than those listed are.
pub(super) const ELSEWHERE: u64 = u64::MAX;
/// More constant offsets into one object than this are no longer told apart.
const MOST_OFFSETS: usize = 32;
/// Definitions are followed this far to find the alignment of an offset.
const ALIGNMENT_DEPTH: u32 = 200;

/// Objects by their number in pointers, with the offset in bytes where it is known. Sorted.
pub type ValueSet = Arc<[(u64, Option<u64>)]>;

/// One of the objects that a pointer may point to.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// It does iff this is 1.
    pub condition: Term,
    /// What it points to.
    pub referent: Referent,
    /// How far into it, in bytes, of the width of a pointer.
    pub delta: Term,
}

/// What is at the other end of a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Referent {
    /// Nothing: NULL, a number, or a function read as data.
    Nothing {
        /// Whether the object part of the pointer is that of NULL.
        null: bool,
    },
    /// An object.
    Object(ObjectNumber),
}

impl Symex<'_> {
    /// Everything that a term can point to.
    pub fn value_set(&mut self, pointer: Term) -> ValueSet {
        let mut todo = vec![pointer];
        while let Some(term) = todo.last().copied() {
            if self.value_sets.contains_key(&term) {
                todo.pop();
                continue;
            }
            let depends = self.pointer_operands(term);
            let missing: Vec<Term> = depends.iter().copied().filter(|t| !self.value_sets.contains_key(t)).collect();
            if missing.is_empty() {
                let set = self.combine(term, &depends);
                self.value_sets.insert(term, set);
                todo.pop();
            } else {
                todo.extend(missing);
            }
        }
        self.value_sets[&pointer].clone()
    }

    /// The terms on which a value set depends.
    pub(super) fn pointer_operands(&self, term: Term) -> Vec<Term> {
        match self.eq.terms.node(term) {
            Node::Const { .. } => Vec::new(),
            Node::Var { .. } => self.definition(term).into_iter().collect(),
            Node::Ite(_, yes, no) => vec![yes, no],
            Node::Eq(..) | Node::Ult(..) | Node::Slt(..) => Vec::new(),
            node => node.operands().iter().copied().filter(|t| self.eq.terms.width(*t) >= 8).collect(),
        }
    }

    fn combine(&mut self, term: Term, depends: &[Term]) -> ValueSet {
        let layout = self.program.pointer;
        let sets: Vec<ValueSet> = depends.iter().map(|t| self.value_sets[t].clone()).collect();
        match self.eq.terms.node(term) {
            Node::Const { width, value } if width == layout.bits => {
                Arc::new([layout.nearest(value)].map(|(object, offset)| (object, Some(offset))))
            }
            Node::Const { .. } => Arc::new([]),
            Node::Var { .. } => sets.first().cloned().unwrap_or_else(|| Arc::new([])),
            Node::Ite(..) => {
                let is_object = |set: &ValueSet| set.iter().any(|(object, _)| *object > 0);
                // One side is an object, the other a number of which nothing is known.
                let is_word = self.eq.terms.width(term) == layout.bits;
                let mixed = is_word && sets.iter().any(is_object) && sets.iter().any(|set| set.is_empty());
                let elsewhere: ValueSet = Arc::new([(ELSEWHERE, None)]);
                union(&if mixed { [sets, vec![elsewhere]].concat() } else { sets }, false)
            }
            Node::Add(a, b) => {
                let real = |set: &ValueSet| set.iter().any(|(object, _)| *object > 0);
                let (pointer, other) = if real(&sets[0]) || !real(&sets[1]) { (0, b) } else { (1, a) };
                match self.eq.terms.as_const(other) {
                    Some(distance) => {
                        let moved = sets[pointer].iter().map(|(object, offset)| {
                            let moved = offset.map(|o| layout.encode(*object, o).wrapping_add(distance));
                            match moved.map(|m| layout.nearest(m)) {
                                Some((o, at)) if o == *object => (*object, Some(at)),
                                _ => (*object, None),
                            }
                        });
                        moved.collect()
                    }
                    None if real(&sets[0]) && real(&sets[1]) => union(&sets, true),
                    None => union(std::slice::from_ref(&sets[pointer]), true),
                }
            }
            node => {
                let all = union(&sets, true);
                let all: ValueSet = all.iter().copied().filter(|(object, _)| *object > 0).collect();
                let is_word = self.eq.terms.width(term) == layout.bits;
                let is_pieced = matches!(
                    node,
                    Node::Concat(..)
                        | Node::Zext { .. }
                        | Node::And(..)
                        | Node::Xor(..)
                        | Node::Not(_)
                        | Node::Shl(..)
                        | Node::Lshr(..)
                );
                if is_word && is_pieced { self.pieced_together(term, &all) } else { all }
            }
        }
    }

    /// The objects behind a pointer, each with the condition under which it is that one. Conditions exclude each
    /// other, and cover all that a pointer can be.
    pub fn targets(&mut self, pointer: Term) -> Vec<Target> {
        // A sum points where its pointer part points, further on: conditions on the part are simpler.
        if let Node::Add(a, b) = self.eq.terms.node(pointer) {
            let (set_a, set_b) = (self.value_set(a), self.value_set(b));
            let real = |set: &ValueSet| set.iter().any(|(object, _)| *object > 0);
            let split = match (real(&set_a), real(&set_b)) {
                (true, false) => Some((a, b)),
                (false, true) => Some((b, a)),
                _ => None,
            };
            if let Some((part, distance)) = split {
                let mut targets = self.targets(part);
                for target in &mut targets {
                    target.delta = self.eq.terms.add(target.delta, distance);
                }
                return targets;
            }
        }
        let layout = self.program.pointer;
        let set = self.value_set(pointer);
        let mut targets = Vec::with_capacity(set.len());
        for (object, offset) in set.iter().copied().filter(|(object, _)| *object != ELSEWHERE) {
            let condition = match offset {
                _ if set.len() == 1 => self.eq.terms.tru(),
                Some(offset) => {
                    let value = self.eq.terms.constant(layout.bits, layout.encode(object, offset));
                    self.eq.terms.eq(pointer, value)
                }
                None => {
                    // The object whose start is nearest: a part of a sum may lie before it.
                    let half = self.eq.terms.constant(layout.bits, 1 << (layout.offset_bits - 1));
                    let moved = self.eq.terms.add(pointer, half);
                    let high = self.eq.terms.extract(moved, layout.bits - 1, layout.offset_bits);
                    let number = self.eq.terms.constant(layout.bits - layout.offset_bits, u128::from(object));
                    self.eq.terms.eq(high, number)
                }
            };
            if self.eq.terms.is_false(condition) {
                continue;
            }
            let delta = match offset {
                Some(offset) => self.eq.terms.constant(layout.bits, u128::from(offset)),
                None => {
                    let base = self.eq.terms.constant(layout.bits, layout.encode(object, 0));
                    self.eq.terms.sub(pointer, base)
                }
            };
            targets.push(Target { condition, referent: self.referent(object), delta });
        }
        targets
    }

    fn referent(&mut self, number: u64) -> Referent {
        match number {
            0 => Referent::Nothing { null: true },
            INVALID_OBJECT => Referent::Nothing { null: false },
            _ => match self.program.static_object(number) {
                Some(StaticObject::Global(global)) => Referent::Object(self.global_object(global)),
                Some(StaticObject::Function(_)) => Referent::Nothing { null: false },
                None => match self.by_address.get(&number) {
                    Some(object) => Referent::Object(*object),
                    None => Referent::Nothing { null: false },
                },
            },
        }
    }

    /// An answer depends on which of the objects have died.
    fn reads_lives(&mut self, cells: &Cells, targets: &[Target]) {
        let object = |target: &Target| match target.referent {
            Referent::Object(object) => Some((target.condition, object)),
            Referent::Nothing { .. } => None,
        };
        let objects: Vec<_> = targets.iter().filter_map(object).collect();
        self.reads_life(cells, &objects);
    }

    /// One bit: can `size` bytes be accessed there?
    pub fn valid(&mut self, cells: &Cells, pointer: Term, size: Term, write: bool) -> Term {
        let mut ways = Vec::new();
        let targets = self.targets(pointer);
        self.reads_lives(cells, &targets);
        for target in targets {
            let Referent::Object(number) = target.referent else { continue };
            let object = &self.objects[number as usize];
            if write && object.read_only {
                continue;
            }
            let object_size = object.size;
            let alive = self.alive(cells, number);
            let terms = &mut self.eq.terms;
            let fits = terms.ule(size, object_size);
            let last = terms.sub(object_size, size);
            let reaches = terms.ule(target.delta, last);
            let all = terms.and_all(&[target.condition, alive, fits, reaches]);
            ways.push(all);
        }
        self.eq.terms.or_all(&ways)
    }

    /// Does it belong to a live object of this kind?
    pub fn belongs_to_live(&mut self, cells: &Cells, pointer: Term, kind: ObjectKind) -> Term {
        let mut ways = Vec::new();
        let targets = self.targets(pointer);
        self.reads_lives(cells, &targets);
        for target in targets {
            let Referent::Object(number) = target.referent else { continue };
            let object = &self.objects[number as usize];
            let wanted = match kind {
                ObjectKind::Any => true,
                ObjectKind::Heap => object.lifetime == Lifetime::Heap,
                ObjectKind::Writable => !object.read_only,
            };
            if wanted {
                let alive = self.alive(cells, number);
                ways.push(self.eq.terms.and_all(&[target.condition, alive]));
            }
        }
        self.eq.terms.or_all(&ways)
    }

    /// One bit: may this be handed to `free`?
    pub fn freeable(&mut self, cells: &Cells, pointer: Term) -> Term {
        let zero = self.eq.terms.constant(self.program.pointer.bits, 0);
        let mut ways = vec![self.eq.terms.eq(pointer, zero)];
        let targets = self.targets(pointer);
        self.reads_lives(cells, &targets);
        for target in targets {
            let Referent::Object(number) = target.referent else { continue };
            if self.objects[number as usize].lifetime != Lifetime::Heap {
                continue;
            }
            let alive = self.alive(cells, number);
            let at_start = self.eq.terms.eq(target.delta, zero);
            ways.push(self.eq.terms.and_all(&[target.condition, alive, at_start]));
        }
        self.eq.terms.or_all(&ways)
    }

    /// Size in bytes of the live object that is pointed into, 0 where there is none.
    pub fn object_size(&mut self, cells: &Cells, pointer: Term) -> Term {
        let mut size = self.eq.terms.constant(self.program.pointer.bits, 0);
        let targets = self.targets(pointer);
        self.reads_lives(cells, &targets);
        for target in targets {
            if let Referent::Object(number) = target.referent {
                let alive = self.alive(cells, number);
                let this = self.objects[number as usize].size;
                let here = self.eq.terms.and_all(&[target.condition, alive]);
                size = self.eq.terms.ite(here, this, size);
            }
        }
        size
    }

    /// If every value that a pointer can have is known, and none is `constant`, they cannot be equal.
    pub fn cannot_equal(&mut self, pointer: Term, constant: u128) -> bool {
        let set = self.value_set(pointer);
        let wanted = self.program.pointer.nearest(constant);
        !set.is_empty()
            && set.iter().all(|(object, _)| *object != ELSEWHERE)
            && set.iter().all(|(object, offset)| *object != wanted.0 || offset.is_some_and(|o| o != wanted.1))
    }

    /// A number of low bits that are certainly 0.
    pub fn trailing_zeros(&mut self, term: Term) -> u32 {
        self.aligned(term, 0)
    }

    fn aligned(&mut self, term: Term, depth: u32) -> u32 {
        if let Some(known) = self.alignments.get(&term) {
            return *known;
        }
        let width = self.eq.terms.width(term);
        if depth > ALIGNMENT_DEPTH {
            return 0;
        }
        let next = depth + 1;
        let zeros = match self.eq.terms.node(term) {
            Node::Const { value: 0, .. } => width,
            Node::Const { value, .. } => value.trailing_zeros(),
            Node::Var { .. } => match self.definition(term) {
                Some(definition) => self.aligned(definition, next),
                None => 0,
            },
            Node::Concat(high, low) => match self.aligned(low, next) {
                all if all == self.eq.terms.width(low) => all + self.aligned(high, next),
                some => some,
            },
            Node::Add(a, b) | Node::Xor(a, b) | Node::Ite(_, a, b) => self.aligned(a, next).min(self.aligned(b, next)),
            Node::Mul(a, b) => self.aligned(a, next) + self.aligned(b, next),
            Node::And(a, b) => self.aligned(a, next).max(self.aligned(b, next)),
            Node::Neg(a) | Node::Zext { term: a, .. } | Node::Sext { term: a, .. } => self.aligned(a, next),
            Node::Extract { term: a, lo: 0, .. } => self.aligned(a, next),
            _ => 0,
        };
        let zeros = zeros.min(width);
        self.alignments.insert(term, zeros);
        zeros
    }
}

/// Everything in any of the sets; offsets are forgotten if asked, or if there are too many.
fn union(sets: &[ValueSet], forget_offsets: bool) -> ValueSet {
    let mut all: Vec<(u64, Option<u64>)> = sets.iter().flat_map(|set| set.iter().copied()).collect();
    if forget_offsets {
        all.iter_mut().for_each(|entry| entry.1 = None);
    }
    all.sort_unstable();
    all.dedup();
    let mut result: Vec<(u64, Option<u64>)> = Vec::with_capacity(all.len());
    for group in all.chunk_by(|a, b| a.0 == b.0) {
        if group.len() > MOST_OFFSETS || group[0].1.is_none() {
            result.push((group[0].0, None));
        } else {
            result.extend_from_slice(group);
        }
    }
    result.into()
}
