//! The text that a sanitizer or a fuzzer prints of a crash: which places of which files it names, the innermost first.
//!
//! Two kinds of lines are read, whatever stands around them: `a.c:12:3: runtime error: …` of UBSan, and frames of a stack,
//! `    #0 0x55… in parse /src/a.c:12:3`. Nothing of the text is ever printed but names of files that the program has, and numbers.

/// A text has at most so many bytes.
pub const LARGEST: usize = 64 << 20;
/// So many places are kept.
const MOST_PLACES: usize = 256;

/// A place that is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name of the file, without folders.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// The places of the first report in a text, in order.
pub fn places(text: &[u8]) -> Vec<Named> {
    let text = String::from_utf8_lossy(&text[..text.len().min(LARGEST)]);
    let mut places: Vec<Named> = Vec::new();
    let mut frames = 0;
    for line in text.lines().map(str::trim) {
        if let Some((at, _)) = line.split_once(": runtime error: ") {
            places.extend(place(at));
        } else if let Some(rest) = line.strip_prefix('#') {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, rest) = rest.split_at(digits);
            let Ok(number) = number.parse::<u32>() else { continue };
            // A second stack tells where memory was allocated or freed.
            if number < frames {
                break;
            }
            frames = number + 1;
            places.extend(rest.rsplit(char::is_whitespace).next().and_then(place));
        }
        if places.len() >= MOST_PLACES {
            break;
        }
    }
    places
}

/// `/src/a.c:12:3`, also without the column.
fn place(text: &str) -> Option<Named> {
    let mut parts = text.rsplitn(3, ':');
    let (last, middle, first) = (parts.next()?, parts.next()?, parts.next());
    let number = |text: &str| text.parse::<u32>().ok();
    let (file, line) = match (first, number(middle), number(last)) {
        (Some(file), Some(line), Some(_)) => (file.to_owned(), line),
        (Some(file), None, Some(line)) => (format!("{file}:{middle}"), line),
        (None, _, Some(line)) => (middle.to_owned(), line),
        _ => return None,
    };
    let file = file.rsplit('/').next()?.to_owned();
    (!file.is_empty()).then_some(Named { file, line })
}

#[cfg(test)]
mod tests {
    use super::{Named, places};

    fn told(text: &str) -> Vec<(String, u32)> {
        places(text.as_bytes()).into_iter().map(|Named { file, line }| (file, line)).collect()
    }

    #[test]
    fn frames_of_the_first_stack_are_places() {
        let text = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6 at pc 0x5\n\
                    READ of size 1 at 0x6 thread T0\n    #0 0x55 in parse /src/a.c:12:3\n    #1 0x56 in main /src/b.c:7\n\n\
                    0x6 is located 0 bytes after\nallocated by thread T0 here:\n    #0 0x57 in malloc (/lib/x.so+0x1)\n    #1 0x58 in g /src/c.c:1:1\n";
        assert_eq!(told(text), [("a.c".to_owned(), 12), ("b.c".to_owned(), 7)]);
    }

    #[test]
    fn runtime_errors_are_places() {
        let text = "x/a.c:9:20: runtime error: signed integer overflow: 1 + 2 cannot be\n";
        assert_eq!(told(text), [("a.c".to_owned(), 9)]);
    }

    #[test]
    fn other_text_names_nothing() {
        assert_eq!(told("# a\n#1\n#99999999999999999999 0x in f a.c:1:1\n: runtime error: \n\u{1b}[31m"), []);
    }
}
