//! What operators and conversions do to bits. Nothing here knows about programs or memory.
//!
//! Floats are those of Rust: IEEE binary32 and binary64, to nearest even; wider ones, and those that are rounded otherwise, are
//! those of `extended`. A NaN that an operation makes is always the quiet positive one, since no two machines agree on its sign;
//! one that is converted stays what it is.

use crate::extended::{self, is_extended, sign_bit};
use crate::program::{BinaryOp, Conversion, Toward, UnaryOp};
use nearmiss_logic::width::{low_bits, sign_extend};
use std::cmp::Ordering;

/// The result of an operator with one operand of `width` bits.
#[inline]
pub(super) fn unary(op: UnaryOp, width: u32, a: u128) -> u128 {
    match op {
        UnaryOp::Not => !a & low_bits(width),
        UnaryOp::Neg => a.wrapping_neg() & low_bits(width),
        UnaryOp::FNeg => a ^ 1 << sign_bit(width),
        UnaryOp::FAbs => a & !(1 << sign_bit(width)) & low_bits(width),
        UnaryOp::FSqrt if is_extended(width) => extended::sqrt(width, Toward::HalfEven, a),
        UnaryOp::FSqrt => float(width, a, a, |a, _| a.sqrt(), |a, _| a.sqrt()),
        UnaryOp::FRound(toward) if is_extended(width) => extended::round_to_whole(a, toward),
        UnaryOp::FRound(toward) => match toward {
            Toward::Below => float(width, a, a, |a, _| a.floor(), |a, _| a.floor()),
            Toward::Above => float(width, a, a, |a, _| a.ceil(), |a, _| a.ceil()),
            Toward::Zero => float(width, a, a, |a, _| a.trunc(), |a, _| a.trunc()),
            Toward::HalfAway => float(width, a, a, |a, _| a.round(), |a, _| a.round()),
            Toward::HalfEven => float(width, a, a, |a, _| a.round_ties_even(), |a, _| a.round_ties_even()),
        },
        UnaryOp::Machine(function) => function.value(width, a, a),
        UnaryOp::FIsNan if is_extended(width) => u128::from(extended::is_nan(a)),
        UnaryOp::FIsInfinite if is_extended(width) => u128::from(extended::is_infinite(a)),
        UnaryOp::FIsNan => u128::from(if width == 32 { f32(a).is_nan() } else { f64(a).is_nan() }),
        UnaryOp::FIsInfinite => u128::from(if width == 32 { f32(a).is_infinite() } else { f64(a).is_infinite() }),
    }
}

/// The result of an operator with two operands of `width` bits; as SMT-LIB has it for division by zero and for shifts
/// by the width or more.
#[inline]
pub(super) fn binary(op: BinaryOp, width: u32, a: u128, b: u128) -> u128 {
    let m = low_bits(width);
    // Operands agree in width, but for programs written by hand.
    let (a, b) = (a & m, b & m);
    let signed = |value| sign_extend(value, width);
    match op {
        BinaryOp::Add => a.wrapping_add(b) & m,
        BinaryOp::Sub => a.wrapping_sub(b) & m,
        BinaryOp::Mul => a.wrapping_mul(b) & m,
        BinaryOp::UDiv if b == 0 => m,
        BinaryOp::UDiv if width <= 64 => u128::from(a as u64 / b as u64),
        BinaryOp::UDiv => a / b,
        BinaryOp::URem if b == 0 => a,
        BinaryOp::URem if width <= 64 => u128::from(a as u64 % b as u64),
        BinaryOp::URem => a % b,
        BinaryOp::SDiv if b == 0 => (if signed(a) < 0 { 1 } else { m }) & m,
        BinaryOp::SDiv if width <= 64 => (signed(a) as i64).wrapping_div(signed(b) as i64) as u128 & m,
        BinaryOp::SDiv => signed(a).wrapping_div(signed(b)) as u128 & m,
        BinaryOp::SRem if b == 0 => a,
        BinaryOp::SRem if width <= 64 => (signed(a) as i64).wrapping_rem(signed(b) as i64) as u128 & m,
        BinaryOp::SRem => signed(a).wrapping_rem(signed(b)) as u128 & m,
        BinaryOp::Shl => {
            if b >= u128::from(width) {
                0
            } else {
                a << b & m
            }
        }
        BinaryOp::LShr => {
            if b >= u128::from(width) {
                0
            } else {
                a >> b
            }
        }
        BinaryOp::AShr => (signed(a) >> b.min(u128::from(width) - 1).min(127)) as u128 & m,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Eq => u128::from(a == b),
        BinaryOp::Ne => u128::from(a != b),
        BinaryOp::ULt => u128::from(a < b),
        BinaryOp::ULe => u128::from(a <= b),
        BinaryOp::SLt => u128::from(signed(a) < signed(b)),
        BinaryOp::SLe => u128::from(signed(a) <= signed(b)),
        BinaryOp::SAddOverflows => leaves(signed(a).checked_add(signed(b)), width),
        BinaryOp::SSubOverflows => leaves(signed(a).checked_sub(signed(b)), width),
        BinaryOp::SMulOverflows => leaves(signed(a).checked_mul(signed(b)), width),
        BinaryOp::UAddOverflows => u128::from(a.checked_add(b).is_none_or(|sum| sum > m)),
        BinaryOp::USubOverflows => u128::from(a < b),
        BinaryOp::UMulOverflows => u128::from(a.checked_mul(b).is_none_or(|product| product > m)),
        BinaryOp::FAdd if is_extended(width) => extended::add(width, Toward::HalfEven, a, b),
        BinaryOp::FSub if is_extended(width) => extended::sub(width, Toward::HalfEven, a, b),
        BinaryOp::FMul if is_extended(width) => extended::mul(width, Toward::HalfEven, a, b),
        BinaryOp::FDiv if is_extended(width) => extended::div(width, Toward::HalfEven, a, b),
        BinaryOp::FAdd => float(width, a, b, |a, b| a + b, |a, b| a + b),
        BinaryOp::FSub => float(width, a, b, |a, b| a - b, |a, b| a - b),
        BinaryOp::FMul => float(width, a, b, |a, b| a * b, |a, b| a * b),
        BinaryOp::FDiv => float(width, a, b, |a, b| a / b, |a, b| a / b),
        BinaryOp::Machine(function) => function.value(width, a, b),
        BinaryOp::FEq if is_extended(width) => u128::from(extended::compare(a, b) == Some(Ordering::Equal)),
        BinaryOp::FLt if is_extended(width) => u128::from(extended::compare(a, b) == Some(Ordering::Less)),
        BinaryOp::FLe if is_extended(width) => u128::from(extended::compare(a, b).is_some_and(Ordering::is_le)),
        BinaryOp::FEq => u128::from(if width == 32 { f32(a) == f32(b) } else { f64(a) == f64(b) }),
        BinaryOp::FLt => u128::from(if width == 32 { f32(a) < f32(b) } else { f64(a) < f64(b) }),
        BinaryOp::FLe => u128::from(if width == 32 { f32(a) <= f32(b) } else { f64(a) <= f64(b) }),
    }
}

/// Does an exact result lie outside the signed numbers of this width?
fn leaves(exact: Option<i128>, width: u32) -> u128 {
    u128::from(exact.is_none_or(|value| sign_extend(value as u128, width) != value))
}

/// The result of a conversion from `from` bits to `to` bits.
#[inline]
pub(super) fn convert(how: Conversion, from: u32, to: u32, a: u128) -> u128 {
    match how {
        Conversion::ZeroExtend | Conversion::Truncate => a & low_bits(to),
        Conversion::SignExtend => sign_extend(a, from) as u128 & low_bits(to),
        Conversion::SignedToFloat | Conversion::UnsignedToFloat if is_extended(to) => {
            convert_toward(how, Toward::HalfEven, from, to, a)
        }
        Conversion::SignedToFloat if to == 32 => bits32(sign_extend(a, from) as f32),
        Conversion::SignedToFloat => bits64(sign_extend(a, from) as f64),
        Conversion::UnsignedToFloat if to == 32 => bits32(a as f32),
        Conversion::UnsignedToFloat => bits64(a as f64),
        Conversion::FloatToSigned => to_integer(from, a, to - 1, to).unwrap_or(1 << (to - 1)),
        Conversion::FloatToUnsigned => to_integer(from, a, 2 * to - 1, to).unwrap_or(0),
        Conversion::FloatToFloat if from == to => a,
        Conversion::FloatToFloat if is_extended(from.max(to)) => convert_toward(how, Toward::HalfEven, from, to, a),
        Conversion::FloatToFloat if to == 32 && !f64(a).is_nan() => bits32(f64(a) as f32),
        Conversion::FloatToFloat if to != 32 && !f32(a).is_nan() => bits64(f64::from(f32(a))),
        Conversion::FloatToFloat => extended::convert(from, to, Toward::HalfEven, a),
    }
}

/// Where results are rounded to in a mode of the program.
pub(super) fn toward(mode: u128) -> Toward {
    match mode {
        0 => Toward::HalfEven,
        1 => Toward::Below,
        2 => Toward::Above,
        4 => Toward::HalfAway,
        _ => Toward::Zero,
    }
}

/// The same as [`unary`], rounded there.
pub(super) fn unary_toward(op: UnaryOp, toward: Toward, width: u32, a: u128) -> u128 {
    match op {
        UnaryOp::FSqrt => extended::sqrt(width, toward, a),
        UnaryOp::FRound(Toward::HalfEven) => unary(UnaryOp::FRound(toward), width, a),
        _ => unary(op, width, a),
    }
}

/// The same as [`binary`], rounded there.
pub(super) fn binary_toward(op: BinaryOp, toward: Toward, width: u32, a: u128, b: u128) -> u128 {
    match op {
        BinaryOp::FAdd => extended::add(width, toward, a, b),
        BinaryOp::FSub => extended::sub(width, toward, a, b),
        BinaryOp::FMul => extended::mul(width, toward, a, b),
        BinaryOp::FDiv => extended::div(width, toward, a, b),
        _ => binary(op, width, a, b),
    }
}

/// The same as [`convert`], rounded there.
pub(super) fn convert_toward(how: Conversion, toward: Toward, from: u32, to: u32, a: u128) -> u128 {
    match how {
        Conversion::SignedToFloat => {
            let value = sign_extend(a, from);
            extended::from_integer(to, toward, value < 0, value.unsigned_abs())
        }
        Conversion::UnsignedToFloat => extended::from_integer(to, toward, false, a),
        Conversion::FloatToFloat => extended::convert(from, to, toward, a),
        _ => convert(how, from, to, a),
    }
}

/// The low `keep` bits of a float cut to an integer, where that lies within -2^limit to 2^limit - 1.
fn to_integer(width: u32, bits: u128, limit: u32, keep: u32) -> Option<u128> {
    if is_extended(width) {
        return extended::to_integer(bits, limit, keep);
    }
    let value = if width == 32 { f64::from(f32(bits)) } else { f64(bits) }.trunc();
    let bound = 2f64.powi(limit as i32);
    if value.is_nan() || value >= bound || value < -bound {
        return None;
    }
    let raw = value.abs().to_bits();
    let exponent = (raw >> 52) as i32 - 1075;
    let mantissa = u128::from(raw & ((1 << 52) - 1) | 1 << 52);
    let size = match exponent {
        _ if value == 0.0 => 0,
        128.. => 0,
        0.. => mantissa << exponent,
        _ => mantissa >> -exponent,
    };
    Some(if value < 0.0 { size.wrapping_neg() } else { size } & low_bits(keep))
}

fn f32(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn bits32(value: f32) -> u128 {
    u128::from(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() })
}

fn bits64(value: f64) -> u128 {
    u128::from(if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() })
}

fn float(width: u32, a: u128, b: u128, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> u128 {
    if width == 32 { bits32(single(f32(a), f32(b))) } else { bits64(double(f64(a), f64(b))) }
}
