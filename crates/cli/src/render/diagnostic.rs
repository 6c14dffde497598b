//! Diagnostics as rustc shows them: the message, the place, the text, what to do.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Snippet};
use nearmiss_explain::source::{Diagnostic, Severity, Sources, Span};

use super::Paint;

/// Lines longer than this are shown in part: a person cannot read them anyway.
const LONGEST_LINE: usize = 240;
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
pub fn snippet(title: &str, name: &str, span: Span, label: &str, sources: &Sources, paint: Paint) -> String {
    let group = Level::ERROR.with_name(name).primary_title(printable(title)).elements(Vec::<Origin>::new());
    paint.snippets().render(&[place(group, sources, span, Some(label))])
}

/// Adds `--> file:line:column` and the text there.
fn place<'a>(group: Group<'a>, sources: &Sources, span: Span, label: Option<&str>) -> Group<'a> {
    let position = sources.position(span);
    let origin = Origin::path(position.file).line(position.line as usize).char_column(position.column as usize);
    let group = group.element(origin);
    let text = &sources.file(span.file).text;
    let Some((excerpt, marked)) = excerpt(text, span.start as usize..span.end as usize) else { return group };
    let mut annotation = AnnotationKind::Primary.span(marked);
    if let Some(label) = label.filter(|label| !label.is_empty()) {
        annotation = annotation.label(printable(label));
    }
    group.element(Snippet::source(excerpt).line_start(position.line as usize).annotation(annotation))
}

/// The lines of a span, and where in them it is.
fn excerpt(text: &str, span: Range<usize>) -> Option<(String, Range<usize>)> {
    let start = floor(text, span.start.min(text.len()));
    let end = floor(text, span.end.clamp(start, text.len()));
    if text.is_empty() {
        return None;
    }
    let first = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |newline| from + newline);
    let (mut end, mut last) = (end, line_end(end));
    if text[start..end].matches('\n').count() >= MOST_LINES {
        end = line_end(start);
        last = end;
    }
    let (mut from, mut to) = (first, last);
    if to - from > LONGEST_LINE {
        from = floor(text, start.saturating_sub(LONGEST_LINE / 2).max(first));
        to = floor(text, (from + LONGEST_LINE).min(last));
        end = end.min(to);
    }
    Some((printable_same_length(&text[from..to]), start - from..end.max(start) - from))
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
        let diagnostic = Diagnostic::error(Span { file, start, end }, "no such variable").with_help("declare it");
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
