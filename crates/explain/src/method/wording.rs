//! Conditions as C writes them, for terms that are simple enough: comparisons of what arithmetic makes of variables and
//! constants.

use std::collections::HashMap;

use nearmiss_logic::term::{Node, Term, Terms};
use nearmiss_logic::width::{low_bits, sign_extend};

use crate::equation::Equation;
use nearmiss_program::program::{Program, Type, TypeId};
use nearmiss_program::show;

/// Deeper terms are not for people.
const DEEPEST: u32 = 6;

/// Puts terms into words.
pub struct Wording<'a> {
    program: &'a Program,
    terms: &'a Terms,
    /// The name and the type of each symbol.
    variables: HashMap<Term, (&'a str, TypeId)>,
    /// What variables are called, where that is not their name, and which come first.
    names: HashMap<Term, (u32, String)>,
    deepest: u32,
    /// How wide `int` is.
    int: u32,
}

impl<'a> Wording<'a> {
    /// For an equation.
    pub fn of(program: &'a Program, equation: &'a Equation) -> Wording<'a> {
        let variables = equation.variables.iter();
        let variables = variables.map(|variable| (variable.symbol, (&*variable.name, variable.ty))).collect();
        Wording {
            program,
            terms: &equation.terms,
            variables,
            names: HashMap::new(),
            deepest: DEEPEST,
            int: program.int_bits(),
        }
    }

    /// For terms over other symbols, each with its name and its type.
    pub fn over(
        program: &'a Program,
        terms: &'a Terms,
        symbols: impl Iterator<Item = (Term, (&'a str, TypeId))>,
    ) -> Wording<'a> {
        let int = program.int_bits();
        Wording { program, terms, variables: symbols.collect(), names: HashMap::new(), deepest: 2 * DEEPEST, int }
    }

    /// The same, with places in an order and names for some variables, and deeper terms.
    pub fn with_names(self, names: HashMap<Term, (u32, String)>) -> Wording<'a> {
        Wording { names, deepest: 2 * DEEPEST, ..self }
    }

    /// The same, with names for some variables.
    pub fn calling(self, names: HashMap<Term, (u32, String)>) -> Wording<'a> {
        Wording { names, ..self }
    }

    /// The name of a variable of the program's.
    fn name(&self, symbol: Term) -> Option<&str> {
        if let Some((_, name)) = self.names.get(&symbol) {
            return Some(name);
        }
        self.variables.get(&symbol).map(|(name, _)| *name).filter(|name| !name.starts_with('\\'))
    }

    /// Are numbers that are compared with this one signed?
    fn is_signed(&self, term: Term) -> bool {
        let inputs = self.terms.post_order(&[term]);
        inputs.iter().filter_map(|term| self.variables.get(term)).all(|(_, ty)| self.program.is_signed(*ty))
    }

    /// A condition: `own < other`, `!(a == b)` becomes `a != b`.
    pub fn condition(&self, term: Term) -> Option<String> {
        self.truth(term, true, self.deepest)
    }

    /// What holds where a condition does not: `own >= other`.
    pub fn opposite(&self, term: Term) -> Option<String> {
        self.truth(term, false, self.deepest)
    }

    fn truth(&self, term: Term, positive: bool, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = self.terms;
        let compare = |a: Term, b: Term, yes: &str, no: &str, signed: bool| {
            let (x, y) = (a, b);
            let (a, b) = (self.compared(a, signed, depth)?, self.compared(b, signed, depth)?);
            // Whether numbers as wide as C compares them are equal does not depend on their sign.
            let (a, b) = match yes {
                "==" if terms.width(x) >= self.int => (a, b),
                _ => self.same_sign((x, a), (y, b), signed)?,
            };
            let (a, b) = (self.named_constant(x, y).unwrap_or(a), self.named_constant(y, x).unwrap_or(b));
            // Constants stand on the right, and of variables those that come later.
            let place = |term: Term| self.names.get(&term).map(|(place, _)| *place);
            let later = matches!((place(x), place(y)), (Some(x), Some(y)) if x > y);
            let swapped = terms.as_const(x).is_some() || later;
            let operator = if positive { yes } else { no };
            let mirrored = match operator {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                same => same,
            };
            Some(if swapped { format!("{b} {mirrored} {a}") } else { format!("{a} {operator} {b}") })
        };
        match terms.node(term) {
            Node::Not(inner) => self.truth(inner, !positive, depth),
            Node::Eq(a, b) if terms.width(a) == 1 => {
                let (a, b) = (self.truth(a, true, depth)?, self.truth(b, positive, depth)?);
                Some(format!("({a}) == ({b})"))
            }
            Node::Eq(a, b) => match self.tested_bits(a, b, depth).or_else(|| self.tested_bits(b, a, depth)) {
                Some((bits, value)) => Some(format!("({bits}) {} {value}", if positive { "==" } else { "!=" })),
                None => {
                    let reads = |taken: bool| [a, b].iter().any(|side| self.reads(*side) == Some(taken));
                    let promoted = terms.width(a) >= self.int && reads(true) && !reads(false);
                    let signed = promoted || [a, b].iter().all(|side| self.is_signed(*side) && !self.is_cut(*side));
                    compare(a, b, "==", "!=", signed)
                }
            },
            Node::Xor(a, b) => {
                let (a, b) = (self.truth(a, true, depth)?, self.truth(b, !positive, depth)?);
                Some(format!("({a}) == ({b})"))
            }
            Node::Ite(condition, yes, no) => {
                let condition = self.truth(condition, true, depth)?;
                let (yes, no) = (self.truth(yes, positive, depth)?, self.truth(no, positive, depth)?);
                Some(format!("({condition} ? {yes} : {no})"))
            }
            Node::Slt(a, b) => compare(a, b, "<", ">=", true),
            Node::Ult(a, b) => compare(a, b, "<", ">=", false),
            Node::And(a, b) => {
                let (a, b) = (self.truth(a, positive, depth)?, self.truth(b, positive, depth)?);
                Some(format!("({a} {} {b})", if positive { "&&" } else { "||" }))
            }
            Node::Extract { term: inner, hi, lo } if hi == lo && hi + 1 == terms.width(inner) => {
                let value = self.read_as(inner, self.compared(inner, true, depth)?, true)?;
                Some(format!("{value} {} 0", if positive { "<" } else { ">=" }))
            }
            Node::Extract { term: inner, hi, lo } if hi == lo && terms.width(inner) <= 64 => {
                let bit = number(1 << lo);
                Some(format!(
                    "({} & {bit}) {} 0",
                    self.operand(inner, false, depth)?,
                    if positive { "!=" } else { "==" }
                ))
            }
            Node::Var { .. } => {
                let name = self.name(term)?;
                if let Some((_, ty)) = self.variables.get(&term)
                    && matches!(self.program.ty(*ty), Type::Pointer { .. })
                {
                    return Some(format!("{name} {} NULL", if positive { "!=" } else { "==" }));
                }
                Some(if positive { name.to_owned() } else { format!("!{name}") })
            }
            _ => None,
        }
    }

    /// The name of a constant that is compared with a variable of a type whose constants have names.
    fn named_constant(&self, constant: Term, beside: Term) -> Option<String> {
        let terms = self.terms;
        let value = terms.as_const(constant)?;
        let (variable, signed) = match terms.node(beside) {
            Node::Sext { term, .. } => (term, true),
            Node::Zext { term, .. } => (term, false),
            _ => (beside, false),
        };
        let (_, ty) = self.variables.get(&variable)?;
        let (bits, all) = (terms.width(variable), terms.width(constant));
        let cut = value & low_bits(bits);
        let whole = if signed { sign_extend(cut, bits) as u128 & low_bits(all) } else { cut };
        show::named_constant(self.program, *ty, cut).filter(|_| whole == value)
    }

    /// A number times a power of two, which is a number whose bits stand above zeros: the number and the shift.
    fn multiple(&self, term: Term) -> Option<(Term, u32)> {
        let terms = self.terms;
        let Node::Concat(high, low) = terms.node(term) else { return None };
        let (bits, shift) = (terms.width(term), terms.width(low));
        if terms.as_const(low) != Some(0) || shift > 16 || bits > 64 {
            return None;
        }
        let number = match terms.node(high) {
            Node::Extract { term, hi, lo: 0 } if terms.width(term) == bits && hi + 1 + shift == bits => term,
            Node::Sext { term, .. } | Node::Zext { term, .. } => term,
            _ => return None,
        };
        Some((number, shift))
    }

    fn value(&self, term: Term, signed: bool, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let terms = self.terms;
        if let Some(value) = terms.as_const(term) {
            let shift = 128 - terms.width(term);
            return Some(if signed { ((value << shift) as i128 >> shift).to_string() } else { value.to_string() });
        }
        match terms.node(term) {
            Node::Var { .. } => self.name(term).map(str::to_owned),
            Node::Extract { term: inner, hi, lo } if lo == 0 && is_type(hi + 1) => {
                let ty = show::integer_type(self.int, hi + 1, false)?;
                Some(format!("({ty}){}", self.operand(inner, signed, depth)?))
            }
            Node::Extract { term: inner, hi, lo } if hi - lo < 32 && terms.width(inner) <= 64 => {
                let (inner, mask) = (self.operand(inner, signed, depth)?, number(low_bits(hi - lo + 1)));
                Some(if lo == 0 { format!("{inner} & {mask}") } else { format!("({inner} >> {lo}) & {mask}") })
            }
            Node::Concat(high, low) => match self.multiple(term) {
                Some((number, shift)) => {
                    let wide = matches!(terms.node(high), Node::Sext { .. });
                    let operand = self.operand(number, signed, depth)?;
                    let operand = match terms.node(high) {
                        Node::Extract { .. } => operand,
                        _ => self.read_as(number, operand, wide)?,
                    };
                    let operand = self.widened(term, &[number], operand)?;
                    self.narrowed(term, format!("{} * {operand}", 1u64 << shift))
                }
                None => self.joined(term, high, low, depth),
            },
            Node::Zext { term, .. } => self.read_as(term, self.value(term, signed, depth)?, false),
            Node::Sext { term, .. } => self.read_as(term, self.value(term, signed, depth)?, true),
            Node::Add(a, b) => {
                // Constants last, what is taken away after what it is taken from.
                let (a, b) =
                    if terms.as_const(a).is_some() || matches!(terms.node(a), Node::Neg(_)) { (b, a) } else { (a, b) };
                let left = self.widened(term, &[a, b], self.compared(a, signed, depth)?)?;
                let text = if let Node::Neg(b) = terms.node(b) {
                    format!("{left} - {}", self.operand(b, signed, depth)?)
                } else {
                    let right = self.compared(b, signed || terms.as_const(b).is_some(), depth)?;
                    match right.strip_prefix('-') {
                        Some(right) => format!("{left} - {right}"),
                        None => format!("{left} + {right}"),
                    }
                };
                self.narrowed(term, text)
            }
            Node::Neg(a) => {
                let operand = self.widened(term, &[a], self.operand(a, signed, depth)?)?;
                self.narrowed(term, format!("-{operand}"))
            }
            Node::Mul(a, b) => self.narrowed(term, self.between(a, "*", b, signed, depth)?),
            Node::Udiv(a, b) => self.divided(a, "/", b, false, depth),
            Node::Sdiv(a, b) => self.divided(a, "/", b, true, depth),
            Node::Urem(a, b) => self.divided(a, "%", b, false, depth),
            Node::Srem(a, b) => self.divided(a, "%", b, true, depth),
            Node::And(a, b) => self.between(a, "&", b, false, depth),
            Node::Xor(a, b) => self.between(a, "^", b, false, depth),
            Node::Shl(a, b) => self.narrowed(term, self.between(a, "<<", b, signed, depth)?),
            Node::Lshr(a, b) => self.shifted_right(a, b, false, depth),
            Node::Ashr(a, b) => self.shifted_right(a, b, true, depth),
            Node::Not(a) => {
                if let Some(sides) = self.sides_of_or(a) {
                    return self.either(sides, depth);
                }
                let operand = self.widened(term, &[a], self.operand(a, signed, depth)?)?;
                self.narrowed(term, format!("~{operand}"))
            }
            Node::Ite(condition, yes, no) => {
                let condition = self.truth(condition, true, depth)?;
                let (yes, no) = (self.operand(yes, signed, depth)?, self.operand(no, signed, depth)?);
                Some(format!("({condition} ? {yes} : {no})"))
            }
            _ => None,
        }
    }

    fn between(&self, a: Term, operator: &str, b: Term, signed: bool, depth: u32) -> Option<String> {
        let commutes = matches!(operator, "*" | "&" | "^");
        let (a, b) = if commutes && self.terms.as_const(a).is_some() { (b, a) } else { (a, b) };
        let left = match operator {
            "*" => self.widened(a, &[a, b], self.operand(a, signed, depth)?)?,
            "<<" => self.widened(a, &[a], self.operand(a, signed, depth)?)?,
            // Bits above narrow numbers are copies of their sign.
            _ if self.terms.width(a) < self.int && self.reads(a).zip(self.reads(b)).is_some_and(|(a, b)| a != b) => {
                return None;
            }
            _ => self.operand(a, signed, depth)?,
        };
        let mask = self.terms.as_const(b).filter(|_| matches!(operator, "&" | "^")).map(number);
        Some(format!("{left} {operator} {}", mask.map_or_else(|| self.operand(b, signed, depth), Some)?))
    }

    /// Some bits of a number that are compared with a constant: the number with its other bits masked, and the constant.
    fn tested_bits(&self, bits: Term, constant: Term, depth: u32) -> Option<(String, String)> {
        let terms = self.terms;
        let value = terms.as_const(constant)?;
        let (term, hi, lo) = match terms.node(bits) {
            Node::Extract { term, hi, lo } => (term, hi, lo),
            Node::And(..) if terms.width(bits) >= self.int => {
                return Some((self.value(bits, false, depth)?, number(value)));
            }
            _ => return None,
        };
        if (lo == 0 && is_type(hi + 1)) || terms.width(term) > 64 {
            return None;
        }
        let masked = format!("{} & {}", self.operand(term, false, depth)?, number(low_bits(hi - lo + 1) << lo));
        Some((masked, number(value << lo)))
    }

    /// Bits above others: a number some of whose bits are masked, or shifted parts.
    fn joined(&self, term: Term, high: Term, low: Term, depth: u32) -> Option<String> {
        let terms = self.terms;
        if let Some((number_of, mask)) = self.masked(term) {
            return Some(format!("{} & {}", self.operand(number_of, false, depth)?, number(mask)));
        }
        let (bits, shift) = (terms.width(term), terms.width(low));
        if bits > 64 {
            return None;
        }
        let part = |part: Term| Some(whole(self.read_as(part, self.value(part, false, depth)?, false)?));
        if terms.as_const(high) == Some(0) {
            return part(low);
        }
        let high = part(high)?;
        // As narrow as it is, it would be shifted into a sign.
        let high = match bits {
            bits if bits < self.int => high,
            16 | 32 => format!("({}){high}", show::integer_type(self.int, bits, false)?),
            _ => format!("(unsigned long long){high}"),
        };
        Some(match terms.as_const(low) {
            Some(0) => format!("{high} << {shift}"),
            _ => format!("({high} << {shift}) | {}", part(low)?),
        })
    }

    /// The number of which a term is some bits, at their places, and which; the others are 0.
    fn masked(&self, term: Term) -> Option<(Term, u128)> {
        let terms = self.terms;
        let (mut number, mut mask) = (None, 0);
        let mut open = vec![(term, 0)];
        while let Some((part, at)) = open.pop() {
            match terms.node(part) {
                Node::Concat(high, low) => open.extend([(low, at), (high, at + terms.width(low))]),
                Node::Zext { term, .. } => open.push((term, at)),
                Node::Const { value: 0, .. } => {}
                Node::Extract { term, hi, lo } if lo == at && number.is_none_or(|number| number == term) => {
                    number = Some(term);
                    mask |= low_bits(hi - lo + 1) << lo;
                }
                _ => return None,
            }
        }
        number.filter(|number| terms.width(*number) <= 64).map(|number| (number, mask))
    }

    /// Of `~x & ~y`, which stands below a `~`, what `x | y` is made of: there is no node for it. A constant comes last. Narrow
    /// ones are left alone, which C widens first, and so are those that C would compute in fewer bits.
    fn sides_of_or(&self, denied: Term) -> Option<[Side; 2]> {
        let (terms, bits) = (self.terms, self.terms.width(denied));
        let Node::And(a, b) = terms.node(denied) else { return None };
        let (a, b) = if terms.as_const(a).is_some() { (b, a) } else { (a, b) };
        let side = |term: Term| match terms.node(term) {
            Node::Not(inner) => Some(Side::Value(inner)),
            Node::Const { value, .. } => Some(Side::Constant(!value & low_bits(bits))),
            _ => None,
        };
        let sides = [side(a)?, side(b)?];
        let is_wide = |side: &Side| matches!(side, Side::Value(term) if self.computed_in(*term) >= bits);
        (bits >= self.int && sides.iter().any(is_wide)).then_some(sides)
    }

    fn either(&self, sides: [Side; 2], depth: u32) -> Option<String> {
        let side = |side: Side| match side {
            Side::Value(term) => self.operand(term, false, depth),
            Side::Constant(value) => Some(number(value)),
        };
        let [x, y] = sides.map(side);
        Some(format!("{} | {}", x?, y?))
    }

    /// Is a constant that stands for bits written so that C takes it for unsigned?
    fn is_large_mask(&self, term: Term) -> bool {
        let bits = self.terms.width(term);
        bits >= self.int && self.terms.as_const(term).is_some_and(|value| value >> (bits - 1) == 1)
    }

    /// Is it part of something, or cut off, so that its sign is nobody's?
    fn is_cut(&self, term: Term) -> bool {
        match self.terms.node(term) {
            Node::Concat(..) if self.terms.width(term) >= self.int => self.multiple(term).is_none(),
            Node::Extract { .. } | Node::Concat(..) => true,
            Node::Add(..) | Node::Mul(..) | Node::Neg(_) | Node::Not(_) | Node::Shl(..) => {
                self.terms.width(term) < self.int
            }
            _ => false,
        }
    }

    /// The text of a first operand, with a cast if C would compute in fewer bits than the term.
    fn widened(&self, term: Term, operands: &[Term], text: String) -> Option<String> {
        let bits = self.terms.width(term);
        if bits <= self.int || operands.iter().any(|operand| self.computed_in(*operand) >= bits) {
            return Some(text);
        }
        Some(format!("({}){}", show::integer_type(self.int, bits, true)?, whole(text)))
    }

    /// The text of a value, cut off where C computes in more bits than the term.
    fn narrowed(&self, term: Term, text: String) -> Option<String> {
        let bits = self.terms.width(term);
        Some(match show::integer_type(self.int, bits, false) {
            _ if bits >= self.int => text,
            Some(ty) => format!("({ty}){}", whole(text)),
            None => format!("{} & {}", whole(text), number(low_bits(bits))),
        })
    }

    /// In how many bits C computes with a value, as it is written here.
    fn computed_in(&self, term: Term) -> u32 {
        let terms = self.terms;
        match terms.node(term) {
            Node::Const { value, width } => {
                let signed = (value << (128 - width)) as i128 >> (128 - width);
                let fits = |bits: &u32| matches!(signed >> (bits - 1), 0 | -1);
                [self.int, 32].into_iter().find(fits).unwrap_or(64)
            }
            Node::Zext { term, .. } | Node::Sext { term, .. } => self.computed_in(term),
            Node::And(a, b) | Node::Xor(a, b) | Node::Ite(_, a, b) => self.computed_in(a).max(self.computed_in(b)),
            Node::Concat(..) if terms.width(term) <= self.int => self.int,
            Node::Udiv(a, b) | Node::Urem(a, b) | Node::Sdiv(a, b) | Node::Srem(a, b) => {
                self.computed_in(a).max(self.computed_in(b))
            }
            Node::Lshr(a, _) | Node::Ashr(a, _) => self.computed_in(a),
            _ => terms.width(term).max(self.int),
        }
    }

    /// A value that stands beside an operator.
    fn operand(&self, term: Term, signed: bool, depth: u32) -> Option<String> {
        Some(whole(self.value(term, signed, depth)?))
    }

    /// A value that is compared or added: C binds bits less tightly than a reader thinks.
    fn compared(&self, term: Term, signed: bool, depth: u32) -> Option<String> {
        let value = self.value(term, signed, depth)?;
        let is_of_bits = [" & ", " | ", " ^ ", " << ", " >> "].iter().any(|operator| stands_open(&value, operator));
        Some(if is_of_bits { whole(value) } else { value })
    }

    fn divided(&self, a: Term, operator: &str, b: Term, signed: bool, depth: u32) -> Option<String> {
        let (x, y) = (self.operand(a, signed, depth)?, self.operand(b, signed, depth)?);
        let (x, y) = self.same_sign((a, x), (b, y), signed)?;
        Some(format!("{x} {operator} {y}"))
    }

    fn shifted_right(&self, a: Term, b: Term, signed: bool, depth: u32) -> Option<String> {
        let value = self.read_as(a, self.operand(a, signed, depth)?, signed)?;
        Some(format!("{value} >> {}", self.operand(b, false, depth)?))
    }

    /// Both sides of an operator that tells signed numbers from unsigned ones, with casts where C would take the other.
    fn same_sign(&self, (x, a): (Term, String), (y, b): (Term, String), signed: bool) -> Option<(String, String)> {
        // One unsigned side makes the other unsigned.
        let is_converted = |term: Term| self.terms.width(term) >= self.int && self.reads(term) == Some(false);
        if !signed && (is_converted(x) || is_converted(y)) {
            return Some((a, b));
        }
        // What is small either way may still be written with an unsigned type, which would take a negative number along.
        let alone = |term: Term, text: String, other: Term| {
            let takes_along = signed
                && self.reads(term).is_none()
                && self.is_unsigned(term)
                && self.reads(other).is_some_and(|reads| reads);
            match show::integer_type(self.int, self.terms.width(term), true).filter(|_| takes_along) {
                Some(ty) => Some(format!("({ty}){}", whole(text))),
                None => self.read_as(term, text, signed),
            }
        };
        Some((alone(x, a, y)?, alone(y, b, x)?))
    }

    /// The text of a value, with a cast if C would not read its top bit so.
    fn read_as(&self, term: Term, text: String, signed: bool) -> Option<String> {
        if self.reads(term).is_none_or(|reads| reads == signed) {
            return Some(text);
        }
        let bits = self.terms.width(term);
        let (ty, other) = (show::integer_type(self.int, bits, signed)?, show::integer_type(self.int, bits, !signed)?);
        let cast = text.strip_prefix(&format!("({other})")).filter(|rest| !stands_open(rest, " "));
        Some(format!("({ty}){}", whole(cast.map_or(text.clone(), str::to_owned))))
    }

    /// Does C take a value, as it is written here, for signed? None if that makes no difference.
    fn reads(&self, term: Term) -> Option<bool> {
        let terms = self.terms;
        let bits = terms.width(term);
        let either = |a: Term, b: Term| match (self.reads(a), self.reads(b)) {
            (Some(a), Some(b)) => Some(a && b),
            (a, b) => a.or(b),
        };
        match terms.node(term) {
            Node::Var { .. } => self.variables.get(&term).map(|(_, ty)| self.program.is_signed(*ty)),
            Node::Sext { .. } | Node::Sdiv(..) | Node::Srem(..) | Node::Ashr(..) => Some(true),
            Node::Udiv(..) | Node::Urem(..) | Node::Lshr(..) | Node::Extract { .. } => Some(false),
            Node::Concat(high, _) if bits >= self.int && self.multiple(term).is_some() => match terms.node(high) {
                Node::Sext { .. } => Some(true),
                Node::Extract { term: number, .. } => self.reads(number),
                _ => None,
            },
            Node::Concat(..) => self.masked(term).is_none_or(|(_, mask)| mask >> (bits - 1) == 1).then_some(false),
            Node::Add(..) | Node::Mul(..) | Node::Neg(_) | Node::Not(_) | Node::Shl(..) if bits < self.int => {
                Some(false)
            }
            // What arithmetic makes of numbers that are small either way may have any sign: the types of C decide.
            Node::Add(..) | Node::Mul(..) | Node::Neg(_) | Node::Shl(..) => Some(!self.is_unsigned(term)),
            Node::And(a, b) | Node::Xor(a, b) if self.is_large_mask(a) || self.is_large_mask(b) => Some(false),
            Node::And(a, b) | Node::Xor(a, b) | Node::Ite(_, a, b) => either(a, b),
            Node::Not(a) => match self.sides_of_or(a) {
                Some([Side::Value(x), Side::Value(y)]) => either(x, y),
                Some([_, Side::Constant(value)]) if value >> (bits - 1) == 1 => Some(false),
                Some([Side::Value(x), Side::Constant(_)]) => self.reads(x),
                _ => self.reads(a),
            },
            _ => None,
        }
    }

    /// Has a value, as it is written here, an unsigned type in C, once it is as wide as C computes?
    fn is_unsigned(&self, term: Term) -> bool {
        let terms = self.terms;
        let is_wide = terms.width(term) >= self.int;
        match terms.node(term) {
            Node::Var { .. } => is_wide && self.reads(term) == Some(false),
            // Some bits of a number are written with the type of the number.
            Node::Zext { term: inner, .. } => match terms.node(inner) {
                Node::Extract { term: number, hi, lo } if lo != 0 || !is_type(hi + 1) => {
                    terms.width(number) >= terms.width(term) && self.is_unsigned(number)
                }
                _ => false,
            },
            // A narrower number becomes a signed one, or is cast to one.
            Node::Const { .. } | Node::Sext { .. } => false,
            Node::Extract { hi, lo: 0, .. } if is_type(hi + 1) => is_wide,
            Node::Extract { term: inner, .. } => self.is_unsigned(inner),
            Node::Concat(..) => match (self.multiple(term), self.masked(term)) {
                (Some((number, _)), _) => terms.width(number) == terms.width(term) && self.is_unsigned(number),
                (None, Some((number, _))) => self.is_unsigned(number),
                (None, None) => self.reads(term) == Some(false),
            },
            Node::And(a, b) | Node::Xor(a, b) if self.is_large_mask(a) || self.is_large_mask(b) => true,
            Node::Add(a, b) | Node::Mul(a, b) | Node::And(a, b) | Node::Xor(a, b) | Node::Ite(_, a, b) => {
                is_wide && (self.is_unsigned(a) || self.is_unsigned(b))
            }
            Node::Not(a) if self.sides_of_or(a).is_some() => self.reads(term) == Some(false),
            Node::Neg(a) | Node::Not(a) | Node::Shl(a, _) => is_wide && self.is_unsigned(a),
            _ => is_wide && self.reads(term) == Some(false),
        }
    }
}

/// A side of `x | y`.
#[derive(Clone, Copy)]
enum Side {
    Value(Term),
    Constant(u128),
}

/// Has C integers of so many bits?
fn is_type(bits: u32) -> bool {
    show::integer_type(32, bits, false).is_some()
}

/// A number that stands for bits.
fn number(bits: u128) -> String {
    if bits < 16 { bits.to_string() } else { format!("{bits:#x}") }
}

/// A text that can stand beside any operator.
fn whole(text: String) -> String {
    if stands_open(&text, " ") { format!("({text})") } else { text }
}

/// Does something stand in a text outside of parentheses and brackets?
fn stands_open(text: &str, what: &str) -> bool {
    let mut depth = 0;
    text.char_indices().any(|(at, letter)| {
        depth += i32::from(matches!(letter, '(' | '[')) - i32::from(matches!(letter, ')' | ']'));
        depth == 0 && text[at..].starts_with(what)
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use nearmiss_logic::eval::Assignment;

    use super::*;
    use crate::bounds::Bounds;
    use crate::equation::StepKind;
    use crate::execution::Execution;
    use crate::symex;
    use nearmiss_logic::stop::Stop;
    use nearmiss_program::c::{self, DataModel, Loader, Options};
    use nearmiss_program::source::Sources;

    struct Text<'a>(&'a str);

    impl Loader for Text<'_> {
        fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
            if self.exists(path) { Ok(self.0.into()) } else { Err(io::ErrorKind::NotFound.into()) }
        }

        fn exists(&self, path: &Path) -> bool {
            path == Path::new("t.c")
        }
    }

    #[test]
    fn conditions_read_as_they_were_written() {
        let text = "void __CPROVER_assume(int);
            struct { unsigned a : 2; } u;
            int main(int x, int y, unsigned char b) {
                int z; struct { unsigned a : 2; } v;
                __CPROVER_assume(x == 5); __CPROVER_assume(y > -1); __CPROVER_assume(!(y < x));
                __CPROVER_assume(v.a == 3); __CPROVER_assume(b != 200); __CPROVER_assume(z + 2 <= y);
            }";
        let expected = ["x == 5", "y >= 0", "y >= x", "v.a == 3", "b != 200", "y >= z + 2"];
        assert_eq!(assumed(text), expected);
    }
    #[test]
    fn operators_on_bits_stand_in_parentheses() {
        let text = "void __CPROVER_assume(int);
            int main(int x, int y, unsigned u) {
                __CPROVER_assume((x & 5) <= 0); __CPROVER_assume((x ^ 3) < y); __CPROVER_assume((x & 6) + y == 4);
                __CPROVER_assume(((u & 12) ^ 3) < 9);
            }";
        let expected = ["(x & 5) <= 0", "(x ^ 3) < y", "y + (x & 6) == 4", "((u & 12) ^ 3) < 9"];
        assert_eq!(assumed(text), expected);
    }

    #[test]
    fn numbers_are_cast_where_c_would_take_their_sign_otherwise() {
        let text = "void __CPROVER_assume(int);
            int main(int x, unsigned u, unsigned char b) {
                __CPROVER_assume((int)u < 7); __CPROVER_assume((unsigned)x < 7); __CPROVER_assume(b < 7);
                __CPROVER_assume(x < u); __CPROVER_assume((signed char)b < 7); __CPROVER_assume(u / 3 < 7);
            }";
        let expected = ["(int)u < 7", "(unsigned)x < 7", "b < 7", "x < u", "(signed char)b < 7", "u / 3 < 7"];
        assert_eq!(assumed(text), expected);
    }

    /// Conditions with and without casts, masks and parts of numbers; their meaning is what a reader takes them for.
    const CONDITIONS: &str = "
        (u & 3) == 2; (x & 3) != 2; (u & 0x30) == 0x20; ((x >> 4) & 7) == 5; u >> 28 == 5; x >> 28 == -2; (char)x == 65;
        (unsigned char)x == 200; (signed char)u < -3; (short)x < y; (unsigned short)x < 7; (int)l < x; (unsigned char)(b + 1) == 0;
        (signed char)(b + c) < 3; b + c == -1; b == c; (b << 8 | (u & 255)) == 4660; (unsigned)(b << 24) > u; (u & 0xf0f0) > 17;
        (x & 0x80000000) != 0; (x & 0x40000000) != 0; !(x & 8); (long)x + y > 2147483647; (long)x * y < -5000000000; l + x < 3;
        (l >> 32) == u; (l & 0xffff00000000) == 0; ~b == -1; (unsigned char)~b == 1; -c > 5; (b ^ c) == 0; (b & c) == 3;
        s.low == 5; s.low + s.sign == 3; s.sign < -2; (s.high & 3) == 2; ((b & 15) << 4 | (b >> 4)) == 18; (short)(b << 8) < 0;
        (x & -16) == 32; (u | 3) == 7; (b != 0) == (c < 0); (unsigned)x / 3 < u; (x % 8) == -1; (u % 8) == 1;
        (short)(x + y) == (short)u; (x ^ y) < 0; 2 * x == y; 4 * u < 100; 2 * b == c; 8 * c < -17; 2 * (x + y) > 9; 2 * (unsigned)c > u;
        (int)((u & 3) - 2) >= c; (u & 3) - 2 >= b; (unsigned)(b - 2) < 5; b - 2 < c; (int)(u * 3) < x; (u & 7) * 3 - 9 < u; -(int)(u & 3) < c;
        (int)((u & 3) + c) < x; (unsigned)((b & 3) - c) > 7; (b & 3) - 2 >= c; (long)(u & 3) - 2 < c; ((u & 3) - 2) * 2 > 8; (int)(-(u & 3)) < -1;
        (long)x * 2 > y; 2 * l < 50; (short)(2 * y) == x; (unsigned char)(4 * b) == 12; (x < y) != (u > 5);
        (int)(u & 3) < c; (int)(u & 3) >= x; (int)(u >> 4 & 7) > y; (long)(u & 3) < x; (int)(u & 3) + 1 < x";

    #[test]
    fn what_is_written_means_what_it_stands_for() {
        let unwritten = compare_meanings(DataModel::Lp64, &[]);
        assert!(unwritten.is_empty(), "{unwritten:#?}");
    }

    #[test]
    fn what_is_written_means_it_also_where_int_has_16_bits() {
        // Shifts by more bits than there are mean nothing.
        let unwritten = compare_meanings(DataModel::Avr, &["<< 24", ">> 28", "l >> 32"]);
        assert!(unwritten.len() < 10, "{unwritten:#?}");
    }

    /// Compares conditions with what they are written as; which cannot be written.
    fn compare_meanings(model: DataModel, without: &[&str]) -> Vec<&'static str> {
        let read = |condition: &str| {
            let text = format!(
                "void __CPROVER_assume(int); struct bits {{ unsigned low : 3, high : 5; int sign : 4; }};
                int main(int x, int y, unsigned u, unsigned char b, signed char c, unsigned long l, struct bits s)
                {{ __CPROVER_assume({condition}); }}"
            );
            let (program, equation) = unwound_on(model, &text);
            let assumed = equation.steps.iter().find_map(|step| match step.kind {
                StepKind::Assume { condition } => Some(condition),
                _ => None,
            });
            (program, equation, assumed.unwrap_or_else(|| panic!("{condition} is assumed")))
        };
        let mut state: u64 = 1;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        let (mut wrong, mut unwritten) = (std::collections::BTreeSet::new(), Vec::new());
        for condition in CONDITIONS.split(';').map(str::trim) {
            if without.iter().any(|part| condition.contains(part)) {
                continue;
            }
            let (program, equation, meant) = read(condition);
            let wording = Wording::of(&program, &equation).with_names(HashMap::new());
            // What cannot be written is quoted by whoever asks.
            let Some(written) = wording.condition(meant) else {
                unwritten.push(condition);
                continue;
            };
            let (_, other, taken) = read(&written);
            for _ in 0..2_000 {
                let mut values: HashMap<String, u128> = HashMap::new();
                let mut assigned = |equation: &Equation| {
                    let mut assignment = Assignment::new();
                    for variable in equation.variables.iter().filter(|variable| variable.definition.is_none()) {
                        let value = values.entry(variable.name.to_string()).or_insert_with(|| {
                            // Small, near a border, or anything.
                            let any = u128::from(random()) << 32 | u128::from(random());
                            match random() % 4 {
                                0 => any,
                                1 => any & 0xffff,
                                2 => any % 40,
                                _ => (any % 40).wrapping_sub(20),
                            }
                        });
                        let shift = 128 - equation.terms.width(variable.symbol);
                        assignment.set(variable.symbol, *value << shift >> shift);
                    }
                    assignment
                };
                let (one, two) = (assigned(&equation), assigned(&other));
                let one = Execution::of_assignment(&equation, &one).meets(&equation, meant);
                let two = Execution::of_assignment(&other, &two).meets(&other, taken);
                if one != two {
                    wrong.insert(format!("{condition} is written as {written}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        unwritten
    }

    fn unwound(text: &str) -> (Program, Equation) {
        unwound_on(DataModel::Lp64, text)
    }

    fn unwound_on(model: DataModel, text: &str) -> (Program, Equation) {
        let mut sources = Sources::new();
        let options = Options { model, ..Options::default() };
        let program = c::read(&["t.c".to_owned()], &options, &Text(text), &mut sources);
        let program = program.unwrap_or_else(|errors| panic!("{text} is C: {errors:?}"));
        let stop = Stop::default();
        let equation = symex::unwind(&program, &Bounds::default(), &stop).expect("there is time");
        (program, equation)
    }

    fn assumed(text: &str) -> Vec<String> {
        let (program, equation) = unwound(text);
        let wording = Wording::of(&program, &equation);
        let conditions = equation.steps.iter().filter_map(|step| match step.kind {
            StepKind::Assume { condition } => Some(wording.condition(condition).unwrap_or_default()),
            _ => None,
        });
        conditions.collect()
    }
}
