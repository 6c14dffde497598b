//! Where declarations begin and end in a text, without comments and strings.

/// Where the parenthesis that a text starts with is closed: behind it.
pub(super) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Where the declaration begins that a text ends with: behind the last `;`, `}` or directive.
pub(super) fn begin(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut start) = (0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'#' => {
                loop {
                    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
                    let goes_on = text[..end].ends_with('\\');
                    at = (end + 1).min(text.len());
                    if !goes_on || at >= text.len() {
                        break;
                    }
                }
                start = at;
            }
            b';' | b'}' => {
                at += 1;
                start = at;
            }
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    start
}

/// A text with a blank for each comment.
pub fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('/') {
        out += &rest[..at];
        let comment = &rest[at..];
        let length = match comment.as_bytes().get(1) {
            Some(b'*') => comment.find("*/").map_or(comment.len(), |end| end + 2),
            Some(b'/') => comment.find('\n').unwrap_or(comment.len()),
            _ => {
                out.push('/');
                rest = &comment[1..];
                continue;
            }
        };
        out.push(' ');
        rest = &comment[length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::{begin, closing, without_comments};

    #[test]
    fn a_declaration_begins_behind_what_ends_before_it() {
        let rest = |text: &'static str| text[begin(text)..].trim();
        assert_eq!(rest("int a; static int "), "static int");
        assert_eq!(rest("#define X \\\n 1\nint "), "int");
        assert_eq!(rest("int f(void) { return ';'; } /* int x; */ long "), "/* int x; */ long");
        assert_eq!(rest("char *s = \"};\";// }\nunsigned "), "// }\nunsigned");
    }

    #[test]
    fn parentheses_are_closed() {
        assert_eq!(closing("(int (*f)(void)) {"), Some(16));
        assert_eq!(closing("(int"), None);
    }

    #[test]
    fn comments_are_blanks() {
        assert_eq!(without_comments("a/* b */c // d\n/ e"), "a c  \n/ e");
    }
}
