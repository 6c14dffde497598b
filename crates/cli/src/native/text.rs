//! Edits of C text that keep every line where it is, and the little lexing that they need.

use std::collections::BTreeMap;

/// A word, a number or a single mark; comments, literals and preprocessor lines are skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// The text.
    pub text: &'a str,
    /// Where it starts.
    pub start: usize,
}

impl Token<'_> {
    /// Whether it is an identifier or a keyword.
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }

    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The tokens of a C text. Whatever is not C does no harm.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut at, mut line_start) = (0, true);
    while at < bytes.len() {
        let rest = &text[at..];
        let length = match bytes[at] {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b if b.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += line_length(rest);
                continue;
            }
            b'#' if line_start => {
                at += line_length(rest);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += literal_length(&bytes[at..], quote);
                line_start = false;
                continue;
            }
            b if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 => {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len()).max(1)
            }
            _ => 1,
        };
        let length = (at + length..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len()) - at;
        tokens.push(Token { text: &text[at..at + length], start: at });
        line_start = false;
        at += length;
    }
    tokens
}

/// Length of a logical line, continued by backslashes.
fn line_length(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            break;
        }
    }
    // The end of the line is still to come, so that the next one starts a line.
    if text[..length].ends_with('\n') { length - 1 } else { length }
}

fn literal_length(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += 1 + usize::from(bytes[at] == b'\\');
    }
    (at + 1).min(bytes.len())
}

/// Whether a text declares a function (or defines it): `type name (`.
pub fn declares(tokens: &[Token], name: &str) -> bool {
    const NOT_TYPES: [&str; 6] = ["return", "else", "do", "case", "goto", "sizeof"];
    tokens.windows(2).enumerate().any(|(i, pair)| {
        if pair[0].text != name || pair[1].text != "(" {
            return false;
        }
        let mut before = tokens[..i].iter().rev().take_while(|token| token.is_word() || token.text == "*").peekable();
        let after = tokens[..i].iter().rev().find(|token| !token.is_word() && token.text != "*");
        let typed = before.peek().is_some_and(|token| !NOT_TYPES.contains(&token.text))
            && before.any(|token| token.is_word() && !NOT_TYPES.contains(&token.text));
        typed && after.is_none_or(|token| [";", "}", "{", ")", "]"].contains(&token.text))
    })
}

/// The first of some functions, named in a list of words, that a text calls or declares.
pub fn mentions<'n>(tokens: &[Token], names: &'n str) -> Option<&'n str> {
    let mut calls = tokens.windows(2).filter(|pair| pair[1].text == "(");
    calls.find_map(|pair| names.split_whitespace().find(|name| *name == pair[0].text))
}

/// Whether a call has two arguments with effects, or an assignment a call on either side: C does not say which comes
/// first. Anything that looks like a call with effects counts.
pub fn has_open_order(tokens: &[Token]) -> bool {
    // For each open parenthesis of a call: whether the argument under way has effects, and how many before it have.
    let mut calls: Vec<Option<(bool, u32)>> = Vec::new();
    let mut call_before_assignment = false;
    let mut assigned = false;
    for (i, token) in tokens.iter().enumerate() {
        let previous = i.checked_sub(1).map(|i| tokens[i]);
        let doubled =
            |mark: &str| token.text == mark && previous.is_some_and(|p| p.text == mark && p.end() == token.start);
        let is_call = token.text == "("
            && previous.is_some_and(|p| {
                p.is_word() && !["if", "while", "for", "switch", "return", "sizeof"].contains(&p.text)
            });
        if is_call || doubled("+") || doubled("-") {
            if let Some(Some((effects, _))) = calls.iter_mut().rev().find(|call| call.is_some()) {
                *effects = true;
            }
            if is_call && assigned && call_before_assignment {
                return true;
            }
            call_before_assignment |= is_call && !assigned;
        }
        match token.text {
            "(" => calls.push(is_call.then_some((false, 0))),
            "," => {
                if let Some(Some((effects, before))) = calls.last_mut() {
                    *before += u32::from(std::mem::take(effects));
                }
            }
            ")" => {
                if let Some(Some((effects, before))) = calls.pop()
                    && before + u32::from(effects) > 1
                {
                    return true;
                }
            }
            "=" if previous.is_some_and(|p| p.is_word() || p.text == ")" || p.text == "]") => {
                assigned = tokens.get(i + 1).is_none_or(|next| next.text != "=");
            }
            ";" | "{" | "}" => {
                call_before_assignment = false;
                assigned = false;
            }
            _ => {}
        }
    }
    false
}

/// Is what stands between two offsets, parentheses around it aside, all that a statement computes: assigned, returned or
/// a statement of its own?
pub fn stands_alone(tokens: &[Token], start: usize, end: usize) -> bool {
    let mut before = tokens.partition_point(|token| token.start < start);
    let mut after = tokens.partition_point(|token| token.start < end);
    let text = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.text);
    while text(before.checked_sub(1)) == "(" && text(Some(after)) == ")" {
        (before, after) = (before - 1, after + 1);
    }
    let starts = match text(before.checked_sub(1)) {
        ";" | "{" | "}" | "return" => true,
        // No comparison, and no operator that assigns.
        "=" => before
            .checked_sub(2)
            .and_then(|at| tokens.get(at))
            .is_some_and(|token| token.is_word() || token.text == "]"),
        _ => false,
    };
    starts && matches!(text(Some(after)), ";" | ",")
}

/// Where a local is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declarator {
    /// If the declarator is nothing but the name: where an initialiser can be written.
    pub initialiser: Option<usize>,
    /// One past the semicolon; none in the head of a `for`.
    pub after: Option<usize>,
}

/// Looks at the declaration of the name at an offset.
pub fn declarator(tokens: &[Token], offset: usize) -> Option<Declarator> {
    let at = tokens.binary_search_by_key(&offset, |token| token.start).ok()?;
    let next = tokens.get(at + 1)?;
    let initialiser = matches!(next.text, "," | ";").then_some(tokens[at].end());
    let mut open = Vec::new();
    for token in &tokens[..at] {
        match token.text {
            "(" | "[" | "{" => open.push(token.text),
            ")" | "]" | "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    let mut depth = 0usize;
    let mut after = None;
    for token in &tokens[at + 1..] {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            ";" if depth == 0 => {
                after = Some(token.end());
                break;
            }
            _ => {}
        }
    }
    let in_block = open.last() == Some(&"{");
    Some(Declarator { initialiser, after: after.filter(|_| in_block) })
}

/// Replacements in one text, none of which overlap.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// By start: how many bytes go, and what comes.
    replacements: BTreeMap<usize, (usize, String)>,
}

impl Edits {
    /// Writes text at a place, after what was already written there.
    pub fn insert(&mut self, at: usize, text: &str) {
        self.replacements.entry(at).or_default().1 += text;
    }

    /// Writes text instead of some bytes.
    pub fn replace(&mut self, at: usize, length: usize, text: &str) {
        let entry = self.replacements.entry(at).or_default();
        entry.0 = length;
        entry.1 += text;
    }

    /// The text with the edits made.
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 1024);
        let mut from = 0;
        for (at, (length, replacement)) in &self.replacements {
            out += text.get(from..*at).unwrap_or_default();
            out += replacement;
            from = at + length;
        }
        out + text.get(from..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, name: &str) -> Option<Declarator> {
        declarator(&tokens(text), text.find(name)?)
    }

    #[test]
    fn comments_literals_and_directives_are_skipped() {
        let text = "#define f(x) \\\n  g(x)\nint /* f( */ a; // b\nchar *s = \"f(\\\"\", c = '\\''; f(1);";
        let words: Vec<&str> = tokens(text).iter().map(|token| token.text).collect();
        assert_eq!(words.join(" "), "int a ; char * s = , c = ; f ( 1 ) ;");
    }

    #[test]
    fn declarations_are_told_from_calls() {
        let declared = |text: &str| declares(&tokens(text), "f");
        assert!(declared("int f(void);"));
        assert!(declared("extern char *f();"));
        assert!(declared("int g(void) { return 1; } unsigned f(int x) { return x; }"));
        assert!(!declared("int g(void) { return f(1); }"));
        assert!(!declared("int g(void) { if (1) f(); else f(); x = y * f(); }"));
    }

    #[test]
    fn open_orders_are_seen() {
        let open = |text: &str| has_open_order(&tokens(text));
        assert!(open("int main(void) { return f(g(), h()); }"));
        assert!(open("void k(void) { f(i++, i); g(a, b++, c--); }"));
        assert!(open("void k(void) { a[f()] = g(); }"));
        assert!(!open("int f(int a, int b) { return g(a, h(b)); }"));
        assert!(!open("void k(void) { x = f(); y = g(f(1)); if (f(x) == g(y)) ; }"));
        assert!(!open("for (int i = 0; i < n; i++) f(i, n);"));
    }

    #[test]
    fn what_is_part_of_something_larger_does_not_stand_alone() {
        let alone = |text: &str| {
            let start = text.find("a + b").expect("it is in the text");
            stands_alone(&tokens(text), start, start + "a + b".len())
        };
        assert!(alone("void f(void) { x = a + b; }"));
        assert!(alone("int f(void) { return ((a + b)); }"));
        assert!(alone("int f(void) { int c[2], d = a + b, e; }"));
        assert!(alone("int f(void) { a + b; }"));
        assert!(!alone("int f(void) { x = (a + b) * 0; }"));
        assert!(!alone("int f(void) { if (a + b) ; }"));
        assert!(!alone("int f(void) { return a + b == 3; }"));
        assert!(!alone("int f(void) { x = 3 == a + b; }"));
        assert!(!alone("int f(void) { x *= a + b; }"));
        assert!(!alone("a + b"));
    }

    #[test]
    fn the_end_of_a_declaration_is_found() {
        let text = "void g(void) { int a, b[2] = {1, (2)}, cc; }";
        assert_eq!(at(text, "a,").and_then(|d| d.initialiser), text.find(", b"));
        assert_eq!(at(text, "b[").map(|d| d.initialiser), Some(None));
        assert_eq!(at(text, "cc").and_then(|d| d.after), text.find(" }").map(|_| text.len() - 2));
        let text = "void g(void) { for (int i, j = 0; i < 3; i++) ; }";
        assert_eq!(at(text, "i,"), Some(Declarator { initialiser: text.find(", j"), after: None }));
        assert_eq!(at("int f(int x) { return x; }", "x)"), None);
    }

    #[test]
    fn edits_are_applied_in_order_of_the_text() {
        let mut edits = Edits::default();
        edits.replace(4, 3, "xy");
        edits.insert(0, "<");
        edits.insert(0, "=");
        edits.insert(7, ">");
        assert_eq!(edits.apply("abc def ghi"), "<=abc xy> ghi");
    }

    #[test]
    fn garbage_has_tokens_too() {
        for text in ["é\u{a0}\"", "'", "/*", "#", "\\", "a\\\n", "\"\\", "(]{;", "// \\\n"] {
            tokens(text);
        }
    }
}
