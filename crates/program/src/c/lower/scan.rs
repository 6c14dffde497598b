//! `scanf` and `fscanf` with a constant format: what is read is input.
//!
//! How many conversions succeed is an input, -1 at the end of the file; each that does stores an input into what its argument
//! points to. The format says how wide that is, not the argument: `scanf("%d", (int *)&byte)` writes four bytes. A width
//! bounds the number: two characters give -9 to 99. Strings are stored by a model in C (`scan_characters` in `../outside.c`), which
//! claims that they fit.

use std::iter::Peekable;
use std::rc::Rc;
use std::str::Chars;

use super::call::{CallSite, ResultUse};
use super::place::{Located, Touch};
use super::{Instance, Lowering, tree};
use crate::c::tree::ExprKind;
use crate::program::{BinaryOp, ClaimKind, ExprId, Operand, SiteKind, StatementKind, Type, TypeId};
use crate::source::Span;

/// Digits of more than this many characters may be any number.
const MOST_DIGITS: u32 = 15;
/// The longest string of a conversion without a width.
const LONGEST: u32 = 1 << 30;

/// A conversion that stores something.
struct Conversion {
    /// `d`, `x`, `c`, …
    letter: char,
    /// `hh`, `l`, …
    size: String,
    /// So many characters at most.
    width: Option<u32>,
    /// Of `%s`, `%[…]` and `%c`: which characters may be read, a bit for each.
    set: [u64; 4],
}

/// What a conversion stores.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Integer(u64),
    Float(u64),
    Pointer,
}

/// Where a conversion stores, evaluated before it does.
enum Kept {
    Place(Located),
    Pointer(ExprId),
    Nothing,
}

impl Lowering<'_> {
    /// A call of `scanf`, with so many arguments before the format.
    pub(super) fn scan(&mut self, site: &CallSite, skip: usize) -> Option<ExprId> {
        let format = site.arguments.get(skip).and_then(|f| self.literal_text(*f));
        let conversions = format.as_deref().and_then(conversions);
        let targets = site.arguments.get(skip + 1..).unwrap_or_default();
        let Some(conversions) = conversions.filter(|c| c.len() <= targets.len()) else {
            self.unsupported("scanf with a format that is not a plain constant", site.span);
            return None;
        };
        self.arguments_only("fscanf", &CallSite { arguments: &site.arguments[..skip], ..*site });
        if conversions.iter().any(|conversion| conversion.letter == 'n') {
            self.unsupported("scanf that counts characters (%n)", site.span);
            return None;
        }
        // Arguments that change something are evaluated before anything is read.
        let early = targets.iter().any(|target| self.has_effect(*target));
        let mut kept = Vec::new();
        for (at, target) in targets.iter().enumerate().filter(|_| early) {
            match conversions.get(at) {
                Some(conversion) => kept.push(self.keep_target(*target, conversion, site.span)),
                None => self.effect(*target),
            }
        }
        let alone = CallSite { result: ResultUse::Value, arguments: &[], ..*site };
        let count = self.bounded_input("scanf", &alone, -1, conversions.len() as i128)?;
        let count = self.spill(count, site.span);
        // A word, or a character, can only be missing at the end of the file.
        if format.as_deref().is_some_and(|format| !may_mismatch(format)) {
            let condition = self.non_zero(count);
            self.emit(StatementKind::Assume { condition }, site.span);
        }
        for (at, (target, conversion)) in targets.iter().zip(&conversions).enumerate() {
            let before = self.constant(at as u128, site.ty);
            let succeeds = self.binary(BinaryOp::SLt, before, count, site.ty);
            let kept = kept.get(at);
            self.only_if(succeeds, site.span, |lowering| match conversion.characters() {
                Some(lengths) => lowering.scan_characters(*target, kept, conversion, lengths, site),
                None => lowering.scan_into(*target, kept, conversion, site),
            });
        }
        self.deliver(count, site)
    }

    /// Evaluates an argument once and for all.
    fn keep_target(&mut self, target: tree::ExprId, conversion: &Conversion, span: Span) -> Kept {
        if conversion.characters().is_some() {
            let value = self.value(target);
            return Kept::Pointer(self.spill(value, span));
        }
        let Some(pointer) = self.aimed(target, conversion) else {
            self.effect(target);
            return Kept::Nothing;
        };
        let located = self.pointee(pointer);
        let place = self.stabilise(located.place, span);
        Kept::Place(Located { place, ..located })
    }

    /// The argument, or what a cast in it makes a pointer of: what points to as much as the conversion stores.
    fn aimed(&self, target: tree::ExprId, conversion: &Conversion) -> Option<tree::ExprId> {
        let mut pointer = target;
        while let ExprKind::Convert { operand, .. } = self.tree.expr(pointer).kind
            && self.is_pointer(self.tree.expr(operand).ty)
        {
            pointer = operand;
        }
        let stored = self.stored(conversion)?;
        // The variable itself where it has that width, or else what the cast makes of it.
        [pointer, target].into_iter().find(|pointer| self.takes(*pointer, stored))
    }

    /// Characters, so many at least and at most.
    fn scan_characters(
        &mut self,
        target: tree::ExprId,
        kept: Option<&Kept>,
        of: &Conversion,
        (least, most): (u32, u32),
        site: &CallSite,
    ) {
        let model = |of: &tree::Function| of.system && of.body.is_some() && of.name == "scan_characters";
        let ty = self.tree.expr(target).ty;
        let (Some(at), true) = (self.tree.functions.iter().position(model), self.is_pointer(ty)) else {
            return self.unsupported(format!("scanf with %{}{} into this", of.size, of.letter), site.span);
        };
        let name = self.call_text(site.span).split('(').next().unwrap_or_default().trim().to_owned();
        self.calls += 1;
        let arguments = vec![self.words(target), name];
        let owner = self.f.owner.clone();
        let never_zero = Vec::new();
        let instance = Instance { call: self.calls, span: site.span, owner, arguments, never_zero, is_used: true };
        let function = self.library_function(tree::FunctionId(at as u32), Rc::new(instance));
        let parameters = &self.tree.functions[at].parameters;
        let types: Vec<TypeId> = parameters.iter().map(|parameter| self.tree.object(*parameter).ty).collect();
        let pointer = match kept {
            Some(Kept::Pointer(pointer)) => *pointer,
            _ => self.value(target),
        };
        let pointer = self.convert(pointer, ty, types[0]);
        let numbers = [u64::from(least), u64::from(most), u64::from(of.letter != 'c')].into_iter().chain(of.set);
        let mut arguments = vec![Operand::Value(pointer)];
        for (number, ty) in numbers.zip(&types[1..]) {
            arguments.push(Operand::Value(self.constant(u128::from(number), *ty)));
        }
        self.emit(StatementKind::Call { target: None, function, arguments }, site.span);
    }

    fn scan_into(&mut self, target: tree::ExprId, kept: Option<&Kept>, conversion: &Conversion, site: &CallSite) {
        if self.stored(conversion).is_none() {
            return self.unsupported(format!("scanf with %{}{}", conversion.size, conversion.letter), site.span);
        }
        let Some(pointer) = self.aimed(target, conversion) else {
            let never = self.truth_constant(false);
            let text = "the arguments are those that the format asks for".to_owned();
            return self.claim(ClaimKind::Precondition, never, text, site.span);
        };
        let located = match kept {
            Some(Kept::Place(located)) => *located,
            _ => self.pointee(pointer),
        };
        self.access(&located, Touch::Write, self.tree.expr(pointer).span);
        let name = match self.tree.expr(pointer).kind {
            ExprKind::AddressOf(lvalue) => self.words(lvalue),
            _ => format!("*{}", self.words(pointer)),
        };
        let ty = self.program.place(located.place).ty;
        let span = self.span(site.span);
        let id = self.site(name, ty, span, SiteKind::Call);
        self.emit(StatementKind::Input { target: located.place, site: id, object: None }, site.span);
        if let Some(condition) = conversion.range().and_then(|range| {
            let value = self.load_scalar(located.place);
            self.within(value, range, ty)
        }) {
            self.emit(StatementKind::Assume { condition }, site.span);
        }
    }

    /// Is a number in a range, as its type has it? None where every number is.
    fn within(&mut self, value: ExprId, (least, most): (i128, i128), ty: TypeId) -> Option<ExprId> {
        let (bits, signed) = match *self.program.ty(ty) {
            Type::Integer { bits, signed, .. } => (bits, signed),
            _ => return None,
        };
        let limit = 1i128 << (bits - u32::from(signed)).min(100);
        if most >= limit {
            return None;
        }
        let (low, high) = (self.constant(least as u128, ty), self.constant(most as u128, ty));
        Some(match (signed, least) {
            (true, _) => {
                let (above, below) =
                    (self.binary(BinaryOp::SLe, low, value, ty), self.binary(BinaryOp::SLe, value, high, ty));
                self.and(above, below)
            }
            (false, 0) => self.binary(BinaryOp::ULe, value, high, ty),
            // What is negative is stored as a large number.
            (false, _) => {
                let (below, above) =
                    (self.binary(BinaryOp::ULe, value, high, ty), self.binary(BinaryOp::ULe, low, value, ty));
                self.or(below, above)
            }
        })
    }

    /// What a conversion stores on this machine.
    fn stored(&self, conversion: &Conversion) -> Option<Stored> {
        let bits_of = |name: &str| {
            let is_it = |ty: &&Type| matches!(ty, Type::Integer { name: own, .. } if own == name);
            self.program.types.iter().find(is_it).and_then(|ty| match ty {
                Type::Integer { bits, .. } => Some(u64::from(*bits)),
                _ => None,
            })
        };
        let word = u64::from(self.program.pointer.bits);
        Some(match conversion.letter {
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => Stored::Integer(match conversion.size.as_str() {
                "hh" => 8,
                "h" => 16,
                "" => self.program.size_bits(self.basic.int),
                "l" => bits_of("long").unwrap_or(word),
                "ll" | "q" | "j" | "L" => 64,
                "z" | "t" => word,
                _ => return None,
            }),
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => Stored::Float(match conversion.size.as_str() {
                "" => 32,
                "l" => 64,
                _ => return None,
            }),
            'c' if conversion.size.is_empty() && conversion.width.is_none_or(|width| width == 1) => Stored::Integer(8),
            'p' if conversion.size.is_empty() => Stored::Pointer,
            _ => return None,
        })
    }

    /// Does a pointer point to what a conversion stores?
    fn takes(&self, pointer: tree::ExprId, stored: Stored) -> bool {
        let Type::Pointer { to } = *self.program.ty(self.tree.expr(pointer).ty) else { return false };
        match *self.program.ty(to) {
            Type::Integer { bits, .. } | Type::Enum { bits, .. } => stored == Stored::Integer(u64::from(bits)),
            Type::Float { bits, .. } => stored == Stored::Float(u64::from(bits)),
            Type::Pointer { .. } => stored == Stored::Pointer,
            _ => false,
        }
    }

    /// Does a call of `printf` or one of its kin store how much was written?
    pub(super) fn counts_characters(&self, name: &str, site: &CallSite) -> bool {
        let at = match name {
            "printf" | "wprintf" => 0,
            "fprintf" | "dprintf" | "syslog" | "fwprintf" => 1,
            _ => return false,
        };
        let format = site.arguments.get(at).and_then(|format| self.literal_text(*format));
        let conversions = format.as_deref().and_then(conversions);
        conversions.is_some_and(|conversions| conversions.iter().any(|conversion| conversion.letter == 'n'))
    }
}

impl Conversion {
    /// How many characters it stores, where it stores characters one behind the other.
    fn characters(&self) -> Option<(u32, u32)> {
        match (self.letter, self.width) {
            _ if !self.size.is_empty() => None,
            ('s' | '[', Some(width)) => Some((1, width)),
            ('s' | '[', None) => Some((1, LONGEST)),
            ('c', Some(width)) if width != 1 => Some((width, width)),
            _ => None,
        }
    }

    /// The numbers that its width allows.
    fn range(&self) -> Option<(i128, i128)> {
        let base: i128 = match self.letter {
            'd' | 'u' | 'i' => 10,
            'x' | 'X' => 16,
            'o' => 8,
            _ => return None,
        };
        let width = self.width.filter(|width| (1..=MOST_DIGITS).contains(width))?;
        Some((1 - base.pow(width - 1), base.pow(width) - 1))
    }
}

/// The conversions of a format that store something; None where the format is beyond us.
fn conversions(format: &str) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let mut stores = true;
        let (mut digits, mut size) = (String::new(), String::new());
        while let Some(c) = rest.next_if(|c| c.is_ascii_digit() || "*hlLjztq-+ #.'".contains(*c)) {
            match c {
                '*' => stores = false,
                '0'..='9' => digits.push(c),
                'h' | 'l' | 'L' | 'j' | 'z' | 't' | 'q' => size.push(c),
                _ => {}
            }
        }
        let letter = rest.next()?;
        let set = match letter {
            's' => set_of(|c| !matches!(c, b' ' | b'\t'..=b'\r')),
            '[' => bracketed(&mut rest)?,
            _ => set_of(|_| true),
        };
        if letter != '%' && (stores || letter == 'n') {
            found.push(Conversion { letter, size, width: digits.parse().ok(), set });
        }
    }
    Some(found)
}

/// May what is read first be something else than the format asks for?
fn may_mismatch(format: &str) -> bool {
    let Some(first) = format.trim_start().strip_prefix('%') else { return true };
    let letter = first.trim_start_matches(|c: char| c.is_ascii_digit());
    !letter.starts_with(['s', 'c'])
}

/// The characters that satisfy a condition, a bit for each.
fn set_of(holds: impl Fn(u8) -> bool) -> [u64; 4] {
    let mut set = [0; 4];
    for c in (0..=u8::MAX).filter(|c| holds(*c)) {
        set[usize::from(c / 64)] |= 1 << (c % 64);
    }
    set
}

/// The set of `%[a-z_]` behind its bracket. A bracket or a `-` that comes first stands for itself.
fn bracketed(rest: &mut Peekable<Chars>) -> Option<[u64; 4]> {
    let negated = rest.next_if_eq(&'^').is_some();
    let mut text = vec![rest.next()?];
    loop {
        match rest.next()? {
            ']' => break,
            c => text.push(c),
        }
    }
    let text: Vec<u8> = text.into_iter().map(|c| u8::try_from(c).ok().filter(u8::is_ascii)).collect::<Option<_>>()?;
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let is_range = at + 2 < text.len() && text[at + 1] == b'-';
        let last = if is_range { text[at + 2] } else { text[at] };
        ranges.push(text[at]..=last);
        at += if is_range { 3 } else { 1 };
    }
    Some(set_of(|c| ranges.iter().any(|range| range.contains(&c)) != negated))
}
