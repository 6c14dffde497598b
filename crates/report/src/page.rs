//! What pages share: the frame of a document, and the two ways by which text from the input gets into it.
//!
//! A page is one file without anything from elsewhere; its policy forbids the browser to load more. Text goes through
//! [`escape`] into elements and attributes, or through [`embed`] into the data that scripts read, never around them.

use std::fmt::Write;

use serde_json::Value as Json;

const STYLE: &str = include_str!("page/base.css");
const SCRIPT: &str = include_str!("page/base.js");

/// A page in parts.
pub struct Document<'a> {
    /// What the tab of the browser says.
    pub title: &'a str,
    /// What this kind of page adds to the style of all.
    pub style: &'a str,
    /// Everything between the heading and the data, as HTML.
    pub body: &'a str,
    /// What stands beside the title, as text.
    pub size: &'a str,
    /// What scripts read.
    pub data: &'a Json,
    /// Scripts of this kind of page, in the order in which they use each other.
    pub scripts: &'a [&'a str],
}

/// The whole page.
pub fn document(document: &Document) -> String {
    open(document) + &close(document)
}

/// A page up to the end of its body: more may follow.
pub fn open(document: &Document) -> String {
    let mut page = String::new();
    let title = escape(document.title);
    page.push_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n",
    );
    let _ = writeln!(page, "<title>{title}</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>", document.style);
    let _ = writeln!(
        page,
        "<header class=\"top\">\n<h1>{title}</h1>\n<p class=\"size\">{}</p>\n\
         <button type=\"button\" id=\"theme\" aria-label=\"Switch between dark and light\">Dark</button>\n</header>\n<main>",
        escape(document.size)
    );
    page.push_str(document.body);
    page
}

/// What stands behind the body of a page.
pub fn close(document: &Document) -> String {
    let mut page = String::from("</main>\n");
    let _ = writeln!(page, "<script type=\"application/json\" id=\"report\">{}</script>", embed(document.data));
    let _ = writeln!(
        page,
        "<script>\n(() => {{\n\"use strict\";\n{SCRIPT}{}}})();\n</script>\n</body>\n</html>",
        document.scripts.concat()
    );
    page
}

/// The section of things to know; nothing where there is nothing.
pub fn notes(notes: &[String]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let notes: Vec<String> = notes.iter().map(|note| format!("<li>{}</li>\n", escape(note))).collect();
    format!("<section class=\"notes\">\n<h2>Notes</h2>\n<ul>\n{}</ul>\n</section>\n", notes.concat())
}

/// Text inside an element or between the quotes of an attribute.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\0' => safe.push('\u{fffd}'),
            _ => safe.push(character),
        }
    }
    safe
}

/// JSON inside a script element, which would end at the first `</script>`: these characters occur only in strings, where
/// they can be written as numbers.
fn embed(json: &Json) -> String {
    let text = json.to_string();
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A number with its thousands set apart.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn data_cannot_end_its_script() {
        let evil = "</script><!--<script>&";
        let text = embed(&serde_json::json!({ evil: evil }));
        assert!(!text.contains(['<', '>', '&']));
        let read: Json = serde_json::from_str(&text).expect("it is still JSON");
        assert_eq!(read[evil], evil);
    }
}
