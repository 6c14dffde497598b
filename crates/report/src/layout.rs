//! Text that fits: on one line, in so many columns, wrapped.

pub use nearmiss_program::show::{moment, ordinal};

/// No line of ours is longer, as far as that is up to us.
pub const LINE: usize = 100;

/// The text on one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `1 claim`, `2 claims`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `name = value` that stays on one line.
pub fn equation(name: &str, value: &str) -> String {
    format!("{name}{GLUE}={GLUE}{value}")
}

/// `a`, `a and b`, `a, b and c`.
pub fn enumerate(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    text.chars().count()
}

/// The text, or as much of it as fits.
pub fn shorten(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(std::iter::once('…')).collect()
}

/// The text filled up with spaces; what is painted counts by what is seen of it.
pub fn pad(painted: &str, plain: &str, columns: usize) -> String {
    format!("{painted}{}", " ".repeat(columns.saturating_sub(width(plain))))
}

/// Words on lines of a bearable length, the later ones indented like the first.
pub fn wrap(lead: &str, words: &[String], separator: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    let mut out = lead.to_owned();
    let mut column = lead.len();
    for (i, word) in words.iter().enumerate() {
        let width = width(word) + 1;
        if i > 0 && column + width > LINE {
            out += &format!("\n{}", " ".repeat(lead.len()));
            column = lead.len();
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        if i + 1 < words.len() {
            out += separator;
        }
        column += width;
    }
    out.push('\n');
    out
}

/// A space at which no line is broken; [`fill`] makes a plain one of it.
pub const GLUE: char = '\u{a0}';

/// A sentence on lines of a bearable length, without an end of line. Later lines are indented.
pub fn fill(text: &str, indent: usize) -> String {
    let start = text.len() - text.trim_start_matches(' ').len();
    let mut out = text[..start].to_owned();
    let mut column = start;
    for (at, word) in text[start..].split(' ').enumerate() {
        let width = width(word);
        if at > 0 && column + 1 + width > LINE {
            out += &format!("\n{}", " ".repeat(indent));
            column = indent;
        } else if at > 0 {
            out.push(' ');
            column += 1;
        }
        out += word;
        column += width;
    }
    out.replace(GLUE, " ")
}

/// File names without folders, where that leaves them apart.
pub fn short_names<'a>(names: impl Iterator<Item = &'a str>) -> impl Fn(&str) -> String {
    let base = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    let mut bases: Vec<String> = names.iter().map(|name| base(name)).collect();
    bases.sort_unstable();
    bases.dedup();
    let unique = bases.len() == names.len();
    move |name: &str| if unique { base(name) } else { name.to_owned() }
}

/// A source line without its comments, and without the brace that opens a block.
pub fn statement(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        out += before;
        let length = if from.starts_with("//") {
            from.len()
        } else if from.starts_with("/*") {
            from.find("*/").map_or(from.len(), |end| end + 2)
        } else {
            let quote = from.as_bytes()[0];
            let mut end = 1;
            while quote != b'/' && end < from.len() && from.as_bytes()[end] != quote {
                end += 1 + usize::from(from.as_bytes()[end] == b'\\');
            }
            let end = if quote == b'/' { 1 } else { end + 1 };
            let end = (end.min(from.len())..=from.len()).find(|end| from.is_char_boundary(*end)).unwrap_or(from.len());
            out += &from[..end];
            end
        };
        rest = &from[length..];
    }
    let text = one_line(&(out + rest));
    text.strip_suffix('{').map_or(text.as_str(), str::trim_end).to_owned()
}

/// Whether the text of a condition is the label of a `case`.
pub(crate) fn is_case(text: &str) -> bool {
    text.strip_prefix("case").is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// How the condition with this text came out, in a word.
pub(crate) fn outcome(text: &str, is: bool) -> &'static str {
    came_out(is_case(text), is)
}

/// How a condition came out. A `case` is none to whoever reads it.
pub(crate) fn came_out(is_case: bool, is: bool) -> &'static str {
    match (is_case, is) {
        (true, true) => "taken",
        (true, false) => "not taken",
        (false, true) => "true",
        (false, false) => "false",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_lines_lose_comments_and_braces() {
        assert_eq!(statement("  if (a /* not b */ < 'x')  { // why"), "if (a < 'x')");
        assert_eq!(statement("x = a / b; s = \"/*\\\"\"; /* open"), "x = a / b; s = \"/*\\\"\";");
        assert_eq!(statement("c = '\\'"), "c = '\\'");
    }

    #[test]
    fn inputs_are_wrapped_under_each_other() {
        let words: Vec<String> = (0..9).map(|i| format!("{}{i} = {i}", "x".repeat(20))).collect();
        let text = wrap("  with ", &words, ",");
        assert!(text.lines().all(|line| line.len() <= LINE));
        assert!(text.lines().skip(1).all(|line| line.starts_with("       x")));
        assert!(text.ends_with("x8 = 8\n"));
        assert_eq!(wrap("  with ", &[], ","), "");
    }

    #[test]
    fn sentences_are_filled() {
        let text = fill(&"word ".repeat(50), 2);
        assert!(text.lines().all(|line| line.len() <= LINE));
        assert_eq!(text.lines().count(), 3);
        assert_eq!(fill("  a b", 2), "  a b");
        let glued = fill(&format!("{} {}", "x".repeat(90), equation("name", "value")), 2);
        assert!(glued.ends_with("\n  name = value"));
    }

    #[test]
    fn numbers_have_their_endings() {
        let shown: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 112, 101].into_iter().map(ordinal).collect();
        assert_eq!(shown, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "101st"]);
    }
}
