//! An overflow is seen only where it is computed. GCC drops a statement without effect, `x + 1;`, and multiplies in the narrower type
//! where the product is made narrower, `int f(long a, long b) { return a * b; }`, before its sanitizer looks.
//!
//! So the expression of the violated claim gets a variable of its own, `({ __auto_type v = a * b; v; })`, and `t *= v` becomes an assignment
//! of one. Where the text does not allow that, a run that ends well is no evidence.

use nearmiss_program::program::ClaimKind;
use nearmiss_program::source::Sources;

use super::harness::PREFIX;
use super::text::Token;
use super::{Plan, Question, inputs};

/// Makes the compiler compute what overflows: what is still to be written behind it, after whatever else is. None where that cannot be done.
pub fn begin(question: &Question, plan: &mut Plan) -> Option<String> {
    let span = question.claim.span;
    let copy = plan.copies.get_mut(&span.file).filter(|_| question.claim.kind == ClaimKind::Overflow)?;
    let (start, end) = (span.start as usize, span.end as usize);
    let first = copy.tokens.partition_point(|token| token.start < start);
    let behind = copy.tokens.partition_point(|token| token.start < end);
    let written = &copy.tokens[first..behind];
    if !in_block(&copy.tokens[..first], question.sources) || is_call(written) {
        return None;
    }
    let name = format!("{PREFIX}computed");
    let [before, after] = [format!("({{ __auto_type {name} = "), format!("; {name}; }})")];
    let Some(at) = assignment(written) else {
        copy.edits.insert(start, &before);
        return Some(after);
    };
    // The target is written twice, so that nothing may happen in it.
    let target = copy.text[start..written[at].start].trim_end();
    if written[..at].iter().any(|token| ["(", "+", "-", "="].contains(&token.text)) {
        return None;
    }
    copy.edits.replace(written[at].start, 2, &format!("= {before}{target} {} (", written[at].text));
    Some(format!("){after}"))
}

/// Writes what `begin` has left.
pub fn end(question: &Question, plan: &mut Plan, rest: Option<String>) {
    let span = question.claim.span;
    if let (Some(copy), Some(rest)) = (plan.copies.get_mut(&span.file), rest) {
        copy.edits.insert(span.end as usize, &rest);
        plan.computed = true;
    }
}

/// Is it inside of a block, and of no macro's argument, which may come anywhere?
fn in_block(before: &[Token], sources: &Sources) -> bool {
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in before.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    let previous = |at: usize| at.checked_sub(1).map_or("", |at| before[at].text);
    let in_macro = |at: usize| before[at].text == "(" && inputs::macro_body(sources, previous(at)).is_some();
    // An initialiser in braces outside of functions is no block.
    let in_function = open.first().is_some_and(|at| before[*at].text == "{" && previous(*at) != "=");
    in_function && !open.into_iter().any(in_macro)
}

/// A word alone, or with parentheses up to the end: a call, or the use of a macro.
fn is_call(written: &[Token]) -> bool {
    let Some((name, rest)) = written.split_first().filter(|(name, _)| name.is_word()) else { return false };
    let mut depth = 0u32;
    let closes = rest.iter().position(|token| {
        depth = match token.text {
            "(" => depth + 1,
            ")" => depth.saturating_sub(1),
            _ => depth,
        };
        depth == 0
    });
    name.text != "sizeof" && closes.is_none_or(|at| at + 1 == rest.len() && rest[at].text == ")")
}

/// Where `+=`, `-=` or `*=` stands outside of parentheses.
fn assignment(written: &[Token]) -> Option<usize> {
    let mut depth = 0i32;
    written.windows(2).position(|pair| {
        depth += match pair[0].text {
            "(" | "[" | "{" => 1,
            ")" | "]" | "}" => -1,
            _ => 0,
        };
        let joined = pair[1].text == "=" && pair[0].start + 1 == pair[1].start;
        depth == 0 && joined && ["+", "-", "*"].contains(&pair[0].text)
    })
}

#[cfg(test)]
mod tests {
    use super::super::text::tokens;
    use super::*;

    #[test]
    fn calls_are_told_from_what_has_calls_in_it() {
        for call in ["f(x)", "M", "f((a) + (b), c)"] {
            assert!(is_call(&tokens(call)), "{call}");
        }
        for other in ["x + 1", "f(x) + g(y)", "-x", "(a) * (b)", "x++", "a[f(x)]--"] {
            assert!(!is_call(&tokens(other)), "{other}");
        }
    }

    #[test]
    fn operators_that_assign_are_found() {
        let found = |text| assignment(&tokens(text));
        assert_eq!(found("s *= l"), Some(1));
        assert_eq!(found("a[b += 1] -= c"), Some(7));
        assert_eq!(found("a * b"), None);
        assert_eq!(found("a + (b *= c)"), None);
    }
}
