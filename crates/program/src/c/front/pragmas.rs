//! `#pragma CPROVER check`: which automatic checks are made where.
//!
//! `push` and `pop` keep and bring back what holds; `disable "bounds"` and `enable "bounds"` change it, from there on in the
//! order in which the compiler reads the text, headers included.

use rucc_base::Interner;
use rucc_diag::{SourceMap, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};

use crate::c::Checks;
use crate::program::ClaimKind;

/// Names of checks, the claims that they make, and whether they are made.
type Check = (&'static str, &'static [ClaimKind], fn(&Checks) -> bool);

const CHECKS: &[Check] = &[
    ("bounds", &[ClaimKind::ArrayBounds], |checks| checks.bounds),
    ("pointer", &[ClaimKind::PointerDereference, ClaimKind::PointerRelation], |checks| checks.pointer),
    ("div-by-zero", &[ClaimKind::DivisionByZero], |checks| checks.div_by_zero),
    ("signed-overflow", &[ClaimKind::Overflow], |checks| checks.signed_overflow),
    ("unsigned-overflow", &[ClaimKind::Overflow], |checks| checks.unsigned_overflow),
    ("undefined-shift", &[ClaimKind::Shift], |checks| checks.undefined_shift),
    ("conversion", &[ClaimKind::Conversion], |checks| checks.conversion),
    ("pointer-overflow", &[ClaimKind::PointerArithmetic], |checks| checks.pointer_overflow),
    ("pointer-primitive", &[ClaimKind::PointerPrimitive], |checks| checks.pointer_primitive),
    ("float-overflow", &[ClaimKind::FloatOverflow], |checks| checks.float_overflow),
    ("float-div-by-zero", &[ClaimKind::DivisionByZero], |checks| checks.float_div_by_zero),
    ("nan", &[ClaimKind::Nan], |checks| checks.nan),
    ("enum-range", &[ClaimKind::EnumRange], |checks| checks.enum_range),
    ("memory-leak", &[ClaimKind::MemoryLeak], |checks| checks.memory_leak),
    ("memory-cleanup", &[], |_| false),
];

/// From here on, in this file, claims of these kinds are not made.
pub(super) type Silence = (Span, Vec<ClaimKind>);

/// What the pragmas of a unit switch off, or the one that cannot be followed.
pub(super) fn silences(
    tokens: &[PpToken],
    names: &Interner,
    map: &SourceMap,
    checks: &Checks,
) -> Result<Vec<Silence>, (Span, String)> {
    let mut found = Vec::new();
    if names.find("CPROVER").is_none() {
        return Ok(found);
    }
    let (mut off, mut kept): (Vec<ClaimKind>, Vec<Vec<ClaimKind>>) = (Vec::new(), Vec::new());
    let mut file = None;
    for (at, token) in tokens.iter().enumerate() {
        let here = map.lookup_file(token.span.lo);
        let is_pragma = token.kind == PpTokenKind::Punct(Punct::Hash)
            && word(tokens.get(at + 1), names) == Some("pragma")
            && word(tokens.get(at + 2), names) == Some("CPROVER");
        if is_pragma {
            let refuse = |what: String| (token.span, format!("not supported: {what}"));
            match (word(tokens.get(at + 4), names), word(tokens.get(at + 5), names)) {
                (Some("push"), _) => kept.push(off.clone()),
                (Some("pop"), _) => off = kept.pop().unwrap_or_default(),
                (Some(change @ ("disable" | "enable")), Some(name)) => {
                    switch(change == "disable", name.trim_matches('"'), checks, &mut off).map_err(refuse)?;
                }
                _ => return Err(refuse("this pragma of CBMC".to_owned())),
            }
        }
        if is_pragma || (here != file && token.flags.has(TokenFlags::START_OF_LINE)) {
            found.push((token.span, off.clone()));
            file = here;
        }
    }
    Ok(found)
}

/// Switches a check off or on.
fn switch(disable: bool, name: &str, checks: &Checks, off: &mut Vec<ClaimKind>) -> Result<(), String> {
    let Some((_, kinds, is_on)) = CHECKS.iter().find(|(known, ..)| *known == name) else {
        return Err(format!("a pragma about the check {name}, which is not known"));
    };
    if disable && kinds.contains(&ClaimKind::Overflow) && checks.signed_overflow && checks.unsigned_overflow {
        return Err("a pragma that switches off one of two kinds of overflow".to_owned());
    }
    if disable && kinds.contains(&ClaimKind::DivisionByZero) && checks.div_by_zero && checks.float_div_by_zero {
        return Err("a pragma that switches off one of two kinds of division by zero".to_owned());
    }
    if !disable && !is_on(checks) {
        return Err(format!("a pragma that switches on the check {name}; switch it on for the whole program"));
    }
    off.retain(|kind| !kinds.contains(kind));
    if disable && is_on(checks) {
        off.extend(*kinds);
    }
    Ok(())
}

fn word<'a>(token: Option<&PpToken>, names: &'a Interner) -> Option<&'a str> {
    token.and_then(|token| token.value).map(|value| names.resolve(value))
}
