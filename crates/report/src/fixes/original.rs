//! A file as its owner has it: what was read, without the lines that were put into it to force a header (`-include`) or to
//! assume a condition (`--assume`).

use nearmiss_program::c::assume;
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::source::{FileId, Sources, Span};

/// The text of a file, and how places of what was read are found in it.
pub struct Original {
    file: FileId,
    /// The text.
    pub text: String,
    /// What was put into it, as ranges of what was read, in order.
    added: Vec<(usize, usize)>,
}

impl Original {
    /// That of a file.
    pub fn of(sources: &Sources, file: FileId) -> Original {
        let read = &sources.file(file).text;
        let added = added(sources, file);
        let (mut text, mut done) = (String::new(), 0);
        for (start, end) in &added {
            text += &read[done..*start];
            done = *end;
        }
        text += &read[done..];
        Original { file, text, added }
    }

    /// Where a byte of what was read stands.
    pub fn offset(&self, read: u32) -> usize {
        let read = read as usize;
        let before = self.added.iter().take_while(|(start, _)| *start < read);
        read - before.map(|(start, end)| read.min(*end) - start).sum::<usize>()
    }

    /// The edits of this file as edits of its text, in order.
    pub fn edits(&self, edits: &[TextEdit]) -> Vec<TextEdit> {
        let own = edits.iter().filter(|edit| edit.span.file == self.file);
        let ends = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut own: Vec<TextEdit> = own
            .map(|edit| {
                let [start, end] = [edit.span.start, edit.span.end].map(|at| self.offset(at) as u32);
                TextEdit { span: Span::new(self.file, start, end), new: edit.new.replace('\n', ends) }
            })
            .collect();
        own.sort_by_key(|edit| (edit.span.start, edit.span.end));
        own
    }
}

/// What was put into a file.
fn added(sources: &Sources, file: FileId) -> Vec<(usize, usize)> {
    let text = &sources.file(file).text;
    let forced = forced(text, &sources.file(file).name);
    let mut found: Vec<(usize, usize)> = forced.map(|end| (0, end)).into_iter().collect();
    for (name, _) in assume::harmless_headers(text) {
        let include = format!("#include \"{name}\"\n#line ");
        found.extend(text.match_indices(&include).filter_map(|(at, _)| assumed(sources, file, at, at + include.len())));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Where the headers end that were put in front of a file.
fn forced(text: &str, name: &str) -> Option<usize> {
    let mut at = 0;
    while text[at..].starts_with("#include \"") {
        at += text[at..].find('\n')? + 1;
    }
    let marker = format!("#line 1 {name:?}\n");
    (at > 0 && text[at..].starts_with(&marker)).then_some(at + marker.len())
}

/// What belongs to an assumption whose header is included from a byte on; the number of its line marker stands at another.
/// Where the assumption stands inside of a line, the line was broken there, and blanks keep the columns of its rest.
fn assumed(sources: &Sources, file: FileId, start: usize, number: usize) -> Option<(usize, usize)> {
    let text = &sources.file(file).text;
    let end = number + text[number..].find('\n')? + 1;
    let line: u32 = text[number..end].split(' ').next()?.parse().ok()?;
    let Some(broken) = start.checked_sub(1) else { return Some((start, end)) };
    let before = &text[text[..broken].rfind('\n').map_or(0, |newline| newline + 1)..broken];
    let columns = before.chars().count();
    let blank: String = text[end..].chars().take(columns).collect();
    let is_inside = sources.position(Span::new(file, broken as u32, start as u32)).line == line
        && blank.chars().count() == columns
        && blank.chars().all(|letter| letter == ' ' || letter == '\t');
    Some(if is_inside { (broken, end + blank.len()) } else { (start, end) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearmiss_program::c::assume::Assumed;
    use nearmiss_program::c::{Loader, Options};
    use std::io;
    use std::path::Path;

    const TEXT: &str = "\
int nondet_int(void);
int main(void)
{
    int n = nondet_int();
    if (n > 3)
        n = 1; else n = 2;
    return n;
}
";

    struct One;

    impl Loader for One {
        fn load(&self, _: &Path) -> io::Result<Vec<u8>> {
            Ok(TEXT.as_bytes().to_vec())
        }

        fn exists(&self, path: &Path) -> bool {
            path == Path::new("a.c")
        }
    }

    #[test]
    fn what_was_put_into_a_file_is_taken_out() {
        for lines in [&[4][..], &[6], &[5, 7], &[6, 6], &[7, 7]] {
            let assume = |line: &u32| Assumed { file: "a.c".to_owned(), line: *line, condition: "1".to_owned() };
            let assumed: Vec<Assumed> = lines.iter().map(assume).collect();
            let mut sources = Sources::new();
            let files = ["a.c".to_owned()];
            assume::read(&files, &Options::default(), &assumed, &One, &mut sources).expect("it is C");
            let (id, file) = sources.files().find(|(_, file)| file.name == "a.c").expect("it was read");
            assert!(file.text.contains("nearmiss-assumption"), "{lines:?}");
            let original = Original::of(&sources, id);
            assert_eq!(original.text, TEXT, "{lines:?}");
            let at = file.text.rfind("return").expect("it is there") as u32;
            assert!(TEXT[original.offset(at)..].starts_with("return n;"), "{lines:?}");
        }
    }

    #[test]
    fn headers_in_front_are_taken_out() {
        let mut sources = Sources::new();
        let id = sources.add("a.c", "#include \"b.h\"\n#line 1 \"a.c\"\nint a;\n", false);
        let original = Original::of(&sources, id);
        assert_eq!((original.text.as_str(), original.offset(29)), ("int a;\n", 0));
        let own = sources.add("c.c", "#include \"b.h\"\nint a;\n", false);
        assert_eq!(Original::of(&sources, own).text, "#include \"b.h\"\nint a;\n");
    }
}
