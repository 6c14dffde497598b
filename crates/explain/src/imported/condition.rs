//! The conditions of witnesses, as far as they compare a variable with a constant.
//!
//! `x == 5 && \result < 3` and GraphML's `x = 5; y = 6;` are conjunctions of such comparisons. Anything else is C that
//! would have to be evaluated in its scope; it is left out, and the reader of the answer is told.

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `==`
    Equal,
    /// `!=`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// A variable, or `\result`, against a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The variable on the left.
    pub name: String,
    /// How they compare.
    pub operator: Operator,
    /// The constant on the right, in C notation.
    pub value: String,
}

/// Longer conditions are not taken apart.
const LONGEST: usize = 1 << 16;

/// The comparisons of a condition; the second is whether that is all of it.
pub(super) fn comparisons(text: &str) -> (Vec<Comparison>, bool) {
    if text.len() > LONGEST {
        return (Vec::new(), false);
    }
    let (mut found, mut whole) = (Vec::new(), true);
    let mut open = vec![text];
    while let Some(part) = open.pop() {
        let part = unwrapped(part);
        let pieces = conjuncts(part);
        if pieces.len() > 1 {
            open.extend(pieces.into_iter().rev());
        } else if !part.is_empty() && !matches!(part, "1" | "true") {
            match comparison(part) {
                Some(comparison) => found.push(comparison),
                None => whole = false,
            }
        }
    }
    (found, whole)
}

/// Without the parentheses around it.
fn unwrapped(mut text: &str) -> &str {
    loop {
        text = text.trim().trim_end_matches(';').trim();
        let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
        let mut depth = 0i64;
        let closes_early = inside.bytes().any(|byte| {
            depth += i64::from(byte == b'(') - i64::from(byte == b')');
            depth < 0
        });
        if closes_early {
            return text;
        }
        text = inside;
    }
}

/// The parts between `&&` and `;` that stand outside of parentheses.
fn conjuncts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i64, 0);
    let bytes = text.as_bytes();
    for at in 0..bytes.len() {
        depth += i64::from(bytes[at] == b'(') - i64::from(bytes[at] == b')');
        let length = match bytes[at] {
            b';' => 1,
            b'&' if bytes.get(at + 1) == Some(&b'&') => 2,
            _ => continue,
        };
        if depth == 0 && at >= start {
            parts.push(&text[start..at]);
            start = at + length;
        }
    }
    parts.push(&text[start..]);
    parts
}

fn comparison(text: &str) -> Option<Comparison> {
    const SIGNS: [(&str, Operator); 7] = [
        ("==", Operator::Equal),
        ("!=", Operator::Different),
        ("<=", Operator::AtMost),
        (">=", Operator::AtLeast),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("=", Operator::Equal),
    ];
    // The arrow of a pointer holds a `>` that compares nothing.
    let hidden = text.replace("->", "..");
    let (at, sign, operator) =
        SIGNS.iter().find_map(|(sign, operator)| hidden.find(sign).map(|at| (at, *sign, *operator)))?;
    let (left, right) = (unwrapped(&text[..at]), unwrapped(&text[at + sign.len()..]));
    if is_constant(right) && is_place(left) {
        return Some(Comparison { name: plain(left), operator, value: plain(right) });
    }
    let turned = match operator {
        Operator::Less => Operator::Greater,
        Operator::Greater => Operator::Less,
        Operator::AtMost => Operator::AtLeast,
        Operator::AtLeast => Operator::AtMost,
        same => same,
    };
    (is_constant(left) && is_place(right)).then(|| Comparison {
        name: plain(right),
        operator: turned,
        value: plain(left),
    })
}

fn plain(text: &str) -> String {
    super::cbmc::place(&super::cbmc::scalar(text))
}

/// A number, a character, `NULL`, `TRUE`; casts may stand before it.
fn is_constant(text: &str) -> bool {
    let text = super::cbmc::scalar(text);
    let digits = text.strip_prefix('-').unwrap_or(&text);
    matches!(text.as_str(), "NULL" | "INFINITY" | "-INFINITY")
        || digits.starts_with('\'')
        || (digits.starts_with(|first: char| first.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-')))
}

fn is_place(text: &str) -> bool {
    let name = text.strip_prefix('\\').unwrap_or(text).replace("->", ".");
    let starts = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '*');
    starts
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'[' | b']' | b'*' | b'$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> (String, bool) {
        let (found, whole) = comparisons(text);
        let shown = found.iter().map(|c| format!("{} {:?} {}", c.name, c.operator, c.value)).collect::<Vec<_>>();
        (shown.join(", "), whole)
    }

    #[test]
    fn conjunctions_of_comparisons_are_understood() {
        assert_eq!(shown("x == 5"), ("x Equal 5".into(), true));
        assert_eq!(shown("((\\result==-1))"), ("\\result Equal -1".into(), true));
        assert_eq!(shown("x = 5; a[2l] = (-3);"), ("x Equal 5, a[2] Equal -3".into(), true));
        assert_eq!(shown("(x < 5U) && 3 <= p->y"), ("x Less 5U, p->y AtLeast 3".into(), true));
        assert_eq!(shown("1"), (String::new(), true));
    }

    #[test]
    fn the_rest_is_left_out() {
        assert_eq!(shown("x == y && z != 0"), ("z Different 0".into(), false));
        assert_eq!(shown("x + 1 == 2"), (String::new(), false));
        assert_eq!(shown("x == 1 || y == 2"), (String::new(), false));
        assert_eq!(shown(&"(".repeat(100_000)), (String::new(), false));
    }
}
