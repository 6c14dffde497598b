//! Diagnostics as rustc shows them: the message, the place, the text, what to do.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Snippet};
use nearmiss_program::source::{Diagnostic, Severity, Sources, Span};

use super::Paint;

/// Longer text is not shown, only where it is.
const LONGEST: usize = 4000;
/// A span of more lines is shown by its first.
const MOST_LINES: usize = 4;

/// One diagnostic, without an end of line.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, paint: Paint) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = level.primary_title(printable(&diagnostic.message)).elements(Vec::<Origin>::new());
    if let Some(span) = diagnostic.span {
        group = place(group, sources, span, None);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    paint.snippets().render(&[group])
}

/// A place with a label under it, without an end of line.
pub(crate) fn snippet(title: &str, name: &str, span: Span, label: &str, sources: &Sources, paint: Paint) -> String {
    let group = Level::ERROR.with_name(name).primary_title(printable(title)).elements(Vec::<Origin>::new());
    paint.snippets().render(&[place(group, sources, span, Some(label))])
}

/// Adds `--> file:line:column` and the text there.
fn place<'a>(group: Group<'a>, sources: &Sources, span: Span, label: Option<&str>) -> Group<'a> {
    let position = sources.position(span);
    let text = &sources.file(span.file).text;
    let Some((excerpt, marked)) = excerpt(text, span.start as usize..span.end as usize) else {
        let origin = Origin::path(position.file).line(position.line as usize);
        return group.element(origin.char_column(position.column as usize));
    };
    let mut annotation = AnnotationKind::Primary.span(marked);
    if let Some(label) = label.filter(|label| !label.is_empty()) {
        annotation = annotation.label(printable(label));
    }
    let snippet = Snippet::source(excerpt).path(position.file).line_start(position.line as usize);
    group.element(snippet.annotation(annotation))
}

/// The lines of a span, and where in them it is; none where a person could not read them.
fn excerpt(text: &str, span: Range<usize>) -> Option<(String, Range<usize>)> {
    let start = floor(text, span.start.min(text.len()));
    let mut end = floor(text, span.end.clamp(start, text.len()));
    let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |newline| from + newline);
    if text[start..end].matches('\n').count() >= MOST_LINES {
        end = line_end(start);
    }
    let first = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let last = line_end(end);
    if last == first || last - first > LONGEST {
        return None;
    }
    Some((printable_same_length(&text[first..last]), start - first..end - first))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Control characters of a file that is not text must not reach the terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

fn printable_same_length(text: &str) -> String {
    let printable = |c: char| !c.is_control() || c == '\n' || c == '\t' || c.len_utf8() > 1;
    text.chars().map(|c| if printable(c) { c } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, start: u32, end: u32) -> String {
        let mut sources = Sources::new();
        let file = sources.add("a.c", text, false);
        let diagnostic = Diagnostic::error(Span::new(file, start, end), "no such variable").with_help("declare it");
        render(&diagnostic, &sources, Paint::Plain)
    }

    #[test]
    fn message_place_text_and_help_are_shown() {
        let expected = "\
error: no such variable
 --> a.c:2:5
  |
2 | y = x + 1;
  |     ^
  |
  = help: declare it";
        assert_eq!(rendered("int y;\ny = x + 1;\n", 11, 12), expected);
    }

    #[test]
    fn presumed_lines_are_shown() {
        assert!(rendered("# 7 \"b.c\"\nz = x;\n", 14, 15).contains("b.c:7:5\n  |\n7 | z = x;"));
    }

    #[test]
    fn long_lines_and_broken_spans_do_no_harm() {
        let long = "x".repeat(1_000_000);
        assert!(rendered(&long, 500_000, 500_001).len() < 2000);
        assert!(rendered(&long, 10, 999_999).len() < 2000);
        rendered("", 0, 0);
        rendered("a", 1, 1);
        rendered("é", 1, 7);
        rendered("a\n\n", 3, 3);
        rendered("a\0\u{1b}[2J\n", 1, 2);
    }
}
