//! Initialisers: of locals, as assignments; of objects with static storage, as bits.

use std::rc::Rc;

use super::function::FunctionState;
use super::{Instance, Lowering, tree};
use crate::c::Statics;
use crate::c::tree::{ExprKind, InitEntry, ObjectKind, StorageDuration};
use crate::extended::sign_bit;
use crate::program::{
    Base, ByteOrder, Conversion, ExprId, ExprKind as P, GlobalInit, InitPiece, LocalId, Origin, PlaceId, Projection,
    SiteKind, StatementKind, Type, TypeId, UnaryOp,
};
use crate::source::{Diagnostic, Span};
use nearmiss_logic::width::{low_bits, sign_extend};

impl Lowering<'_> {
    /// The pieces of a local's initialiser.
    pub(super) fn initialise(&mut self, object: tree::ObjectId, local: LocalId, entries: &[InitEntry]) {
        let of = self.tree.object(object);
        let target = self.local_place(local);
        let whole = self.program.size_bits(of.ty);
        let span = self.initialiser_span(of.span, entries);
        if let ([entry], true) = (entries, self.program.is_scalar(of.ty)) {
            self.assign_written(target, entry.value, span);
            return;
        }
        if let [entry] = entries
            && entry.bits == whole
            && entry.bit_offset == 0
            && self.tree.expr(entry.value).ty == of.ty
        {
            let source = self.record(entry.value);
            self.emit(StatementKind::Copy { target, source, origin: Origin::Written }, span);
            return;
        }
        self.emit(StatementKind::Clear { target }, span);
        for entry in entries {
            self.initialise_part(target, entry);
        }
    }

    fn initialise_part(&mut self, object: PlaceId, entry: &InitEntry) {
        let expr = self.tree.expr(entry.value);
        if let Some(bytes) = self.string_of(entry.value) {
            // Wide strings have wider elements.
            let element = match self.program.ty(expr.ty) {
                Type::Array { of, .. } => *of,
                _ => self.basic.character,
            };
            let size = self.program.size_bits(element).max(8) / 8;
            for (at, bytes) in bytes.chunks_exact(size as usize).enumerate() {
                let offset = entry.bit_offset + 8 * size * at as u64;
                if offset + 8 * size > entry.bit_offset + entry.bits {
                    break;
                }
                self.initialise_character(object, offset, bytes, element, expr.span);
            }
            return;
        }
        let Some(target) = self.part(object, entry.bit_offset, entry.bits, expr.ty) else {
            self.unsupported("an initialiser of this form", expr.span);
            return;
        };
        let ty = self.program.place(target).ty;
        if !self.program.is_scalar(ty) {
            let source = self.record(entry.value);
            self.emit(StatementKind::Copy { target, source, origin: Origin::Written }, expr.span);
        } else if !self.is_zero(entry.value) {
            let value = self.value(entry.value);
            self.assign(target, value, Origin::Written, expr.span);
        }
    }

    /// An element of a string, of the bytes as they lie in memory; 0 is there already.
    fn initialise_character(&mut self, object: PlaceId, bit_offset: u64, bytes: &[u8], element: TypeId, span: Span) {
        let above = |value: u128, byte: &u8| value << 8 | u128::from(*byte);
        let value = match self.program.order {
            ByteOrder::Little => bytes.iter().rev().fold(0, above),
            ByteOrder::Big => bytes.iter().fold(0, above),
        };
        if value == 0 {
            return;
        }
        let Some(target) = self.part(object, bit_offset, 8 * bytes.len() as u64, element) else {
            self.unsupported("a string as an initialiser of this form", span);
            return;
        };
        let ty = self.program.place(target).ty;
        let value = self.constant(value, ty);
        self.assign(target, value, Origin::Tool, span);
    }

    /// From the declared name to the end of the initialiser; the whole use of a macro whose body is an initialiser and whose argument the name.
    pub(super) fn initialiser_span(&self, name: Span, entries: &[InitEntry]) -> Span {
        let spans = entries.iter().map(|entry| self.tree.expr(entry.value).span);
        let own = spans.filter(|span| span.file == name.file);
        own.fold(name, |whole, span| Span { start: whole.start.min(span.start), end: whole.end.max(span.end), ..whole })
    }

    /// The part of an object at this offset and of this width, of this type if there is one.
    pub(super) fn part(&mut self, object: PlaceId, bit_offset: u64, bits: u64, ty: TypeId) -> Option<PlaceId> {
        let of = self.program.place(object).ty;
        let mut path = Vec::new();
        let found = self.find_part(of, bit_offset, bits, Some(ty), &mut path) || {
            path.clear();
            self.find_part(of, bit_offset, bits, None, &mut path)
        };
        if !found {
            return None;
        }
        let mut place = object;
        for step in path {
            let step = match step {
                Step::Field(n) => Projection::Field(n),
                Step::Index(n) => Projection::Index(self.constant(u128::from(n), self.basic.difference)),
            };
            place = self.project(place, step);
        }
        Some(place)
    }

    /// Finds the way to a part; without a wanted type any scalar of the width will do.
    fn find_part(&self, of: TypeId, bit_offset: u64, bits: u64, wanted: Option<TypeId>, path: &mut Vec<Step>) -> bool {
        let fits = bit_offset == 0 && self.program.size_bits(of) == bits;
        if fits && wanted.map_or(self.program.is_scalar(of), |wanted| wanted == of) {
            return true;
        }
        match self.program.ty(of) {
            Type::Array { of, .. } => {
                let size = self.program.size_bits(*of);
                let Some(index) = bit_offset.checked_div(size) else { return false };
                path.push(Step::Index(index));
                if self.find_part(*of, bit_offset % size, bits, wanted, path) {
                    return true;
                }
                path.pop();
                false
            }
            Type::Record { fields, .. } => fields.iter().enumerate().any(|(n, field)| {
                let flexible = matches!(self.program.ty(field.ty), Type::Array { length: 0, .. });
                let inside =
                    bit_offset >= field.bit_offset && (flexible || bit_offset + bits <= field.bit_offset + field.bits);
                if !inside {
                    return false;
                }
                path.push(Step::Field(n as u32));
                let exact = bit_offset == field.bit_offset && bits == field.bits;
                let found = if field.bit_field {
                    exact && wanted.is_none_or(|wanted| wanted == field.ty)
                } else {
                    self.find_part(field.ty, bit_offset - field.bit_offset, bits, wanted, path)
                };
                if !found {
                    path.pop();
                }
                found
            }),
            _ => false,
        }
    }

    /// What an object with static storage holds at the start.
    pub(super) fn static_init(&mut self, object: tree::ObjectId) -> GlobalInit {
        let of = self.tree.object(object);
        if of.storage == StorageDuration::Extern {
            self.f.owner = String::new();
            let site = self.site(of.name.clone(), of.ty, of.span, SiteKind::Extern);
            if !of.system {
                let message = format!("{} is declared extern and defined nowhere: it holds any value", of.name);
                self.note_once(&format!("object {}", of.name), of.span, message, None);
            }
            return GlobalInit::Unknown(site);
        }
        let is_free = self.options.statics == Statics::Free;
        if is_free && !of.read_only && !of.system && !of.name.is_empty() {
            self.f.owner = String::new();
            return GlobalInit::Unknown(self.site(of.name.clone(), of.ty, of.span, SiteKind::Extern));
        }
        // Initialisers are constant: lowered in a function of nobody, they leave only terms.
        let (owner, arguments, never_zero) = (String::new(), Vec::new(), Vec::new());
        let instance = Instance { call: 0, span: of.span, owner, arguments, never_zero, is_used: true };
        self.interner.forget();
        self.f =
            FunctionState::new(crate::program::FunctionId(0), String::new(), of.ty, Some(Rc::new(instance)), of.span);
        let mut pieces = Vec::new();
        for entry in of.init.iter().flatten() {
            self.static_entry(entry, &of.name, &mut pieces);
        }
        pieces.retain(|piece| piece.value != 0);
        pieces.sort_by_key(|piece| piece.bit_offset);
        GlobalInit::Known(pieces)
    }

    /// The claims that initialisers of objects with static storage make, `int g = INT_MAX + 1;`, whether or not the
    /// program uses these objects: before anything runs. What is constant and true leaves no claim.
    pub(super) fn claim_initialisers(&mut self) {
        let tree = self.tree;
        for value in &tree.written {
            if self.only_claims(*value) {
                self.value(*value);
            }
        }
    }

    fn static_entry(&mut self, entry: &InitEntry, name: &str, pieces: &mut Vec<InitPiece>) {
        let expr = self.tree.expr(entry.value);
        let order = self.program.order;
        let mut add = |bit_offset: u64, bits: u64, value: u128| {
            let bits = bits.min(128) as u32;
            override_bits(order, pieces, InitPiece { bit_offset, bits, value: value & low_bits(bits) });
        };
        if let Some(bytes) = self.string_of(entry.value) {
            let room = (entry.bits / 8) as usize;
            for (at, chunk) in bytes[..bytes.len().min(room)].chunks(16).enumerate() {
                let higher = |value: u128, byte: &u8| value << 8 | u128::from(*byte);
                let value = match order {
                    ByteOrder::Little => chunk.iter().rev().fold(0, higher),
                    ByteOrder::Big => chunk.iter().fold(0, higher),
                };
                add(entry.bit_offset + 128 * at as u64, 8 * chunk.len() as u64, value);
            }
            return;
        }
        // A record by value: the pieces of the constant object it is copied from.
        if !self.program.is_scalar(expr.ty) {
            if let Some(object) = self.constant_object(entry.value) {
                let inner: Vec<InitEntry> = self.tree.object(object).init.iter().flatten().copied().collect();
                for part in inner {
                    let part = InitEntry { bit_offset: entry.bit_offset + part.bit_offset, ..part };
                    self.static_entry(&part, name, pieces);
                }
                return;
            }
        } else {
            let value = self.value(entry.value);
            if let Some(value) = self.static_value(value).filter(|_| self.first_unsupported().is_none()) {
                add(entry.bit_offset, entry.bits, value);
                return;
            }
        }
        let reason = self.first_unsupported().unwrap_or("it is not constant for us");
        let message = format!("not supported: this part of the initialiser of {name} ({reason})");
        self.errors.push(Diagnostic::error(expr.span, message));
    }

    /// Why what was lowered so far cannot be executed.
    fn first_unsupported(&self) -> Option<&str> {
        let statements = self.f.blocks.iter().flat_map(|block| &block.statements);
        let mut reasons = statements.filter_map(|statement| match &statement.kind {
            StatementKind::Unsupported { what } => Some(what.as_str()),
            _ => None,
        });
        reasons.next()
    }

    fn constant_object(&self, e: tree::ExprId) -> Option<tree::ObjectId> {
        match self.tree.expr(e).kind {
            ExprKind::Object(object) => Some(object),
            ExprKind::Load(inner) | ExprKind::Convert { operand: inner, .. } => self.constant_object(inner),
            _ => None,
        }
    }

    /// A term without memory in it, as bits; addresses are numbers.
    fn static_value(&self, e: ExprId) -> Option<u128> {
        let expr = self.program.expr(e);
        let value = match expr.kind {
            P::Const(value) => value,
            P::FunctionAddress(function) => self.program.function_address(function),
            P::AddressOf(place) => {
                let Base::Global(global) = self.program.place(place).base else { return None };
                self.program.global_address(global).wrapping_add(self.byte_offset(place)? as u128)
            }
            P::Unary(UnaryOp::Not, x) => !self.static_value(x)?,
            P::Unary(UnaryOp::Neg, x) => self.static_value(x)?.wrapping_neg(),
            P::Unary(UnaryOp::FNeg, x) => self.static_value(x)? ^ (1 << sign_bit(expr.bits)),
            P::Convert(Conversion::ZeroExtend | Conversion::Truncate, x) => self.static_value(x)?,
            P::Convert(Conversion::SignExtend, x) => {
                sign_extend(self.static_value(x)?, self.program.expr(x).bits) as u128
            }
            P::Binary(op, x, y) => {
                let bits = self.program.expr(x).bits;
                super::build::fold(op, self.static_value(x)?, self.static_value(y)?, bits)?
            }
            P::Ite(c, x, y) => self.static_value(if self.static_value(c)? == 1 { x } else { y })?,
            _ => return None,
        };
        Some(value & low_bits(expr.bits))
    }

    /// Offset in bytes of a place whose indices are constants.
    fn byte_offset(&self, place: PlaceId) -> Option<i128> {
        let place = self.program.place(place);
        let (mut bits, mut ty) = (0i128, place.base_type);
        for step in &place.path {
            match (step, self.program.ty(ty)) {
                (Projection::Field(n), Type::Record { fields, .. }) => {
                    let field = fields.get(*n as usize)?;
                    bits += i128::from(field.bit_offset);
                    ty = field.ty;
                }
                (Projection::Index(index), Type::Array { of, .. }) => {
                    let width = self.program.expr(*index).bits;
                    let index = sign_extend(self.static_value(*index)?, width);
                    bits = bits.checked_add(index.checked_mul(i128::from(self.program.size_bits(*of)))?)?;
                    ty = *of;
                }
                _ => return None,
            }
        }
        Some(bits / 8)
    }

    /// The bytes of a string literal, its terminator included, where the expression is one.
    pub(super) fn string_of(&self, e: tree::ExprId) -> Option<Vec<u8>> {
        match self.tree.expr(e).kind {
            ExprKind::Object(object) => self.string_bytes(object),
            _ => None,
        }
    }

    fn string_bytes(&self, object: tree::ObjectId) -> Option<Vec<u8>> {
        let of = self.tree.object(object);
        if of.kind != ObjectKind::StringLiteral {
            return None;
        }
        let mut bytes = vec![0u8; usize::try_from(of.size).ok().filter(|size| *size < 1 << 28)?];
        for entry in of.init.iter().flatten() {
            let ExprKind::Const(value) = self.tree.expr(entry.value).kind else { return None };
            let start = (entry.bit_offset / 8) as usize;
            let size = (entry.bits / 8) as usize;
            for (at, byte) in value.to_le_bytes().iter().take(size).enumerate() {
                let at = if self.program.order == ByteOrder::Big { size - 1 - at } else { at };
                *bytes.get_mut(start + at)? = *byte;
            }
        }
        Some(bytes)
    }

    /// The text of a string literal that a pointer expression points to.
    pub(super) fn literal_text(&self, e: tree::ExprId) -> Option<String> {
        match self.tree.expr(e).kind {
            ExprKind::AddressOf(inner) | ExprKind::Convert { operand: inner, .. } | ExprKind::Load(inner) => {
                self.literal_text(inner)
            }
            ExprKind::Element { array, index } if self.is_zero(index) => self.literal_text(array),
            ExprKind::Object(object) | ExprKind::ObjectAddress(object, 0) => {
                let bytes = self.string_bytes(object)?;
                // Of a wide one what is ASCII.
                let is_wide = matches!(self.program.ty(self.tree.object(object).ty), Type::Array { of, .. } if self.program.size_bits(*of) > 8);
                if is_wide {
                    return Some(
                        bytes.into_iter().filter(u8::is_ascii).filter(|byte| *byte != 0).map(char::from).collect(),
                    );
                }
                let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                Some(String::from_utf8_lossy(&bytes[..end]).into_owned())
            }
            _ => None,
        }
    }

    /// How a literal is called: `"text"`, or its own text.
    pub(super) fn literal_name(&self, object: tree::ObjectId) -> String {
        match self.string_bytes(object) {
            Some(bytes) => {
                let bytes = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
                format!("\"{}\"", bytes.escape_ascii())
            }
            None => self.text(self.tree.object(object).span),
        }
    }
}

/// One step of the way to a part.
#[derive(Clone, Copy)]
enum Step {
    Field(u32),
    Index(u64),
}

/// Adds a piece; where it lies over earlier ones, it replaces their bits.
fn override_bits(order: ByteOrder, pieces: &mut Vec<InitPiece>, new: InitPiece) {
    let new_end = new.bit_offset + u64::from(new.bits);
    // Initialisers come in order nearly always.
    let overlaps = |old: &InitPiece| old.bit_offset < new_end && new.bit_offset < old.bit_offset + u64::from(old.bits);
    if pieces.last().is_some_and(|last| last.bit_offset + u64::from(last.bits) > new.bit_offset)
        && pieces.iter().any(overlaps)
    {
        let (over, mut kept): (Vec<InitPiece>, Vec<InitPiece>) = pieces.drain(..).partition(overlaps);
        for old in over {
            let end = old.bit_offset + u64::from(old.bits);
            if old.bit_offset < new.bit_offset {
                let bits = (new.bit_offset - old.bit_offset) as u32;
                let value = match order {
                    ByteOrder::Little => old.value & low_bits(bits),
                    ByteOrder::Big => old.value >> (old.bits - bits),
                };
                kept.push(InitPiece { bits, value, ..old });
            }
            if end > new_end {
                let bits = (end - new_end) as u32;
                let value = match order {
                    ByteOrder::Little => old.value >> (new_end - old.bit_offset),
                    ByteOrder::Big => old.value & low_bits(bits),
                };
                kept.push(InitPiece { bit_offset: new_end, bits, value });
            }
        }
        *pieces = kept;
        pieces.sort_by_key(|piece| piece.bit_offset);
    }
    pieces.push(new);
    let sorted = pieces.len() < 2 || pieces[pieces.len() - 2].bit_offset <= new.bit_offset;
    if !sorted {
        pieces.sort_by_key(|piece| piece.bit_offset);
    }
}
