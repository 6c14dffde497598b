//! `#pragma CPROVER check`: which automatic checks are made where.
//!
//! `push` and `pop` keep and bring back what holds; `disable "bounds"` and `enable "bounds"` change it, from there on in the
//! order in which the compiler reads the text, headers included.

use rucc_base::Interner;
use rucc_diag::{SourceMap, Span};
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};

use crate::c::Checks;

/// Names of checks.
type Check = (&'static str, fn(&mut Checks) -> &mut bool);

const CHECKS: &[Check] = &[
    ("bounds", |checks| &mut checks.bounds),
    ("pointer", |checks| &mut checks.pointer),
    ("div-by-zero", |checks| &mut checks.div_by_zero),
    ("signed-overflow", |checks| &mut checks.signed_overflow),
    ("unsigned-overflow", |checks| &mut checks.unsigned_overflow),
    ("undefined-shift", |checks| &mut checks.undefined_shift),
    ("conversion", |checks| &mut checks.conversion),
    ("pointer-overflow", |checks| &mut checks.pointer_overflow),
    ("pointer-primitive", |checks| &mut checks.pointer_primitive),
    ("float-overflow", |checks| &mut checks.float_overflow),
    ("float-div-by-zero", |checks| &mut checks.float_div_by_zero),
    ("nan", |checks| &mut checks.nan),
    ("enum-range", |checks| &mut checks.enum_range),
];

/// These are about the end of the program, and no place in the text has them.
const OF_THE_END: [&str; 2] = ["memory-leak", "memory-cleanup"];

/// From here on, in this file, these checks are made.
pub(super) type Switch = (Span, Checks);

/// Where the pragmas of a unit change which checks are made, or the one that cannot be followed.
pub(super) fn switches(
    tokens: &[PpToken],
    names: &Interner,
    map: &SourceMap,
    asked: Checks,
) -> Result<Vec<Switch>, (Span, String)> {
    let mut found = Vec::new();
    if names.find("CPROVER").is_none() {
        return Ok(found);
    }
    let (mut checks, mut kept): (Checks, Vec<Checks>) = (asked, Vec::new());
    let mut file = None;
    for (at, token) in tokens.iter().enumerate() {
        let here = map.lookup_file(token.span.lo);
        let is_pragma = token.kind == PpTokenKind::Punct(Punct::Hash)
            && word(tokens.get(at + 1), names) == Some("pragma")
            && word(tokens.get(at + 2), names) == Some("CPROVER");
        if is_pragma {
            let refuse = |what: String| (token.span, format!("not supported: {what}"));
            match (word(tokens.get(at + 4), names), word(tokens.get(at + 5), names)) {
                (Some("push"), _) => kept.push(checks),
                (Some("pop"), _) => checks = kept.pop().unwrap_or(asked),
                (Some(change @ ("disable" | "enable")), Some(name)) => {
                    switch(change == "enable", name.trim_matches('"'), &mut checks).map_err(refuse)?;
                }
                _ => return Err(refuse("this pragma of CBMC".to_owned())),
            }
        }
        if is_pragma || (here != file && token.flags.has(TokenFlags::START_OF_LINE)) {
            found.push((token.span, checks));
            file = here;
        }
    }
    Ok(found)
}

/// Switches a check on or off.
fn switch(on: bool, name: &str, checks: &mut Checks) -> Result<(), String> {
    if OF_THE_END.contains(&name) {
        return Err(format!("a pragma about the check {name}; say it for the whole program, with --{name}-check"));
    }
    let Some((_, check)) = CHECKS.iter().find(|(known, _)| *known == name) else {
        return Err(format!("a pragma about the check {name}, which is not known"));
    };
    *check(checks) = on;
    Ok(())
}

/// The checks that are made anywhere.
pub(super) fn union(asked: Checks, switches: impl Iterator<Item = Checks>) -> Checks {
    switches.fold(asked, |mut all, mut here| {
        CHECKS.iter().for_each(|(_, check)| *check(&mut all) |= *check(&mut here));
        all
    })
}

fn word<'a>(token: Option<&PpToken>, names: &'a Interner) -> Option<&'a str> {
    token.and_then(|token| token.value).map(|value| names.resolve(value))
}
