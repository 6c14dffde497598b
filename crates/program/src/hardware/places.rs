//! Where the names of a model are in the text that it was made from.
//!
//! `yosys` says of wires where they are declared, and of registers and assertions nothing. So the text itself is looked
//! at, word by word: a name is driven by the statements that assign to it (`assign full = …`, `count <= …`), and where
//! that is one statement, it is what a person looks for. Registers are reset in one place and change in another: what
//! gives them a number only does not count then. Where this finds nothing, or more than one, the declaration is told, and
//! without a text the line of the model.

use std::collections::HashMap;
use std::path::Path;

use super::model::{Asked, Kind, Model, Node, NodeId};
use crate::c::Loader;
use crate::source::{FileId, Sources, Span};

/// Texts of more bytes are not looked at.
const LARGEST: usize = 4 << 20;

/// What is known of places.
#[derive(Debug)]
pub struct Places {
    model: FileId,
    files: HashMap<String, FileId>,
    modules: Vec<Module>,
    /// Spans of what is said in comments.
    origins: HashMap<String, Span>,
}

/// A module of the text.
#[derive(Debug)]
struct Module {
    name: String,
    span: Span,
    /// Where each name stands first.
    declared: HashMap<String, Span>,
    /// The statements that assign to a name, and whether it is a number that they assign.
    drivers: HashMap<String, Vec<(Span, bool)>>,
    assertions: Vec<Assertion>,
}

/// An assertion in the text.
#[derive(Clone, Debug)]
struct Assertion {
    span: Span,
    /// What it says, if it says it in one expression.
    says: Option<String>,
}

impl Places {
    /// Reads the texts that comments of the model name: as they are named, or else beside the model.
    pub fn read(model: &Model, file: FileId, sources: &mut Sources, loader: &dyn Loader) -> Places {
        let mut places = Places { model: file, files: HashMap::new(), modules: Vec::new(), origins: HashMap::new() };
        let beside = Path::new(&sources.file(file).name).parent().map(Path::to_path_buf).unwrap_or_default();
        let asked = model.bad.iter().chain(&model.constraints).filter_map(|asked| asked.origin.as_deref());
        let origins: Vec<&str> = model.nodes.iter().filter_map(|node| node.origin.as_deref()).chain(asked).collect();
        for part in origins.iter().flat_map(|origin| origin.split(['|', ' '])) {
            let Some(place) = Lines::parse(part) else { continue };
            if !places.files.contains_key(place.file) {
                let named = [Path::new(place.file).to_path_buf(), beside.join(place.file)];
                let found = named.iter().find_map(|path| {
                    let text = String::from_utf8(loader.load(path).ok()?).ok()?;
                    (text.len() <= LARGEST).then(|| (path.to_string_lossy().into_owned(), text))
                });
                let Some((name, text)) = found else { continue };
                let id = sources.add(name, text, false);
                places.files.insert(place.file.to_owned(), id);
                places.modules.extend(modules(&sources.file(id).text, id));
            }
            let span = places.files.get(place.file).and_then(|id| place.span(*id, &sources.file(*id).text));
            places.origins.extend(span.map(|span| (part.to_owned(), span)));
        }
        places
    }

    /// Nothing but the model's own file.
    pub fn none(file: FileId) -> Places {
        Places { model: file, files: HashMap::new(), modules: Vec::new(), origins: HashMap::new() }
    }

    fn origin(&self, origin: Option<&String>) -> Option<Span> {
        origin?.split(['|', ' ']).find_map(|part| self.origins.get(part).copied())
    }

    /// The model as a whole: its module, or the start of its file.
    pub fn of_model(&self, model: &Model) -> Span {
        let module = self.modules.iter().find(|module| module.name == model.name);
        module.map_or(Span::new(self.model, 0, 0), |module| module.span)
    }

    /// The module that a name is in, if that is certain, and the last part of the name.
    fn module_of<'n>(&self, name: &'n str, known: impl Fn(&Module, &str) -> bool) -> Option<(&Module, &'n str)> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let mut modules = self.modules.iter().filter(|module| known(module, last));
        let first = modules.next()?;
        modules.next().is_none().then_some((first, last))
    }

    fn driver(&self, name: &str) -> Option<Span> {
        let (module, name) = self.module_of(name, |module, name| module.drivers.contains_key(name))?;
        let drivers = &module.drivers[name];
        let computed: Vec<Span> = drivers.iter().filter(|(_, number)| !number).map(|(span, _)| *span).collect();
        match (&computed[..], &drivers[..]) {
            ([one], _) | ([], [(one, _)]) => Some(*one),
            _ => None,
        }
    }

    /// Where a signal is declared, or else where the node stands.
    pub fn of_name(&self, node: &Node) -> Span {
        let declared = |name: &String| {
            let (module, name) = self.module_of(name, |module, name| module.declared.contains_key(name))?;
            module.declared.get(name).copied()
        };
        self.origin(node.origin.as_ref()).or_else(|| declared(node.name.as_ref()?)).unwrap_or(node.span)
    }

    /// Where a node is computed.
    pub fn of_node(&self, node: &Node) -> Span {
        let driver = node.name.as_ref().and_then(|name| self.driver(name));
        driver.unwrap_or_else(|| self.of_name(node))
    }

    /// Where the next value of a state is computed.
    pub fn of_next(&self, id: NodeId, model: &Model) -> Span {
        let node = model.node(id);
        let line = match &node.kind {
            Kind::State { next: Some(next), .. } => model.node(*next).span,
            _ => node.span,
        };
        let driver = node.name.as_ref().and_then(|name| self.driver(name));
        driver.unwrap_or_else(|| {
            let declared = self.of_name(node);
            if declared == node.span { line } else { declared }
        })
    }

    /// Where something is asked.
    pub fn of_asked(&self, asked: &Asked, model: &Model) -> Span {
        let mut assertions = self.modules.iter().flat_map(|module| &module.assertions);
        let only = (model.bad.len() == 1).then(|| assertions.next().filter(|_| assertions.next().is_none()));
        let labelled = || {
            let (module, name) =
                self.module_of(asked.name.as_ref()?, |module, name| module.declared.contains_key(name))?;
            let label = module.declared.get(name)?;
            module.assertions.iter().map(|assertion| assertion.span).find(|assertion| assertion.contains(*label))
        };
        let only = only.flatten().map(|assertion| assertion.span);
        self.origin(asked.origin.as_ref()).or_else(labelled).or(only).unwrap_or(asked.span)
    }
}

impl Places {
    /// What an assertion at this place says, in its own words.
    pub fn says(&self, at: Span) -> Option<&str> {
        let mut assertions = self.modules.iter().flat_map(|module| &module.assertions);
        assertions.find(|assertion| assertion.span.contains(at)).and_then(|assertion| assertion.says.as_deref())
    }
}

/// `fifo.v:3.23-3.26`.
struct Lines<'a> {
    file: &'a str,
    from: (u32, u32),
    to: (u32, u32),
}

impl<'a> Lines<'a> {
    fn parse(text: &'a str) -> Option<Lines<'a>> {
        let (file, lines) = text.rsplit_once(':')?;
        let (from, to) = lines.split_once('-')?;
        let place = |text: &str| {
            let (line, column) = text.split_once('.')?;
            Some((line.parse().ok()?, column.parse().ok()?))
        };
        Some(Lines { file, from: place(from)?, to: place(to)? })
    }

    fn span(&self, file: FileId, text: &str) -> Option<Span> {
        let at = |(line, column): (u32, u32)| {
            let start = match line {
                0 => return None,
                1 => 0,
                _ => text.match_indices('\n').nth(line as usize - 2)?.0 + 1,
            };
            let at = start + (column as usize).checked_sub(1)?;
            (at <= text.len()).then_some(at as u32)
        };
        let (start, end) = (at(self.from)?, at(self.to)?);
        (start <= end && text.get(start as usize..end as usize).is_some()).then_some(Span::new(file, start, end))
    }
}

/// A text in which every assertion is an empty statement. Lines stay where they are.
pub fn without_assertions(text: &str) -> String {
    let (tokens, mut out) = (tokens(text), text.as_bytes().to_vec());
    for (at, token) in tokens.iter().enumerate() {
        let follows = tokens.get(at + 1).is_some_and(|next| ["(", "property"].contains(&next.text));
        if !["assert", "assume", "cover", "restrict"].contains(&token.text) || !follows {
            continue;
        }
        let labelled = at >= 2 && tokens[at - 1].text == ":";
        let from = tokens[if labelled { at - 2 } else { at }].start;
        let end = tokens[statement_end(&tokens, at)].start;
        out[from..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The edges of a signal that a text waits for; true where it is the falling one.
pub fn edges(text: &str, signal: &str) -> Vec<bool> {
    let tokens = tokens(text);
    let edges = tokens.windows(2).filter(|pair| pair[1].text == signal);
    edges.filter(|pair| ["posedge", "negedge"].contains(&pair[0].text)).map(|pair| pair[0].text == "negedge").collect()
}

/// A word of the text: where it starts and ends.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    start: usize,
}

/// Words, numbers and marks; comments, strings and directives are left out.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (bytes, mut at, mut tokens) = (text.as_bytes(), 0, Vec::new());
    let until = |at: usize, mark: &str| text[at..].find(mark).map_or(text.len(), |found| at + found + mark.len());
    while at < bytes.len() {
        let byte = bytes[at];
        let start = at;
        if byte.is_ascii_whitespace() || !byte.is_ascii() {
            at += 1;
            while !text.is_char_boundary(at) {
                at += 1;
            }
            continue;
        }
        match byte {
            b'/' if text[at..].starts_with("//") => at = until(at, "\n"),
            b'/' if text[at..].starts_with("/*") => at = until(at + 2, "*/"),
            b'(' if text[at..].starts_with("(*") && !text[at..].starts_with("(*)") => at = until(at + 2, "*)"),
            b'"' => at = until(at + 1, "\""),
            b'`' => at = until(at, "\n"),
            _ if is_word(byte) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                tokens.push(Token { text: &text[start..at], start });
            }
            _ => {
                let two = text.get(at..at + 2).filter(|two| ["<=", "==", "!=", ">=", "&&", "||"].contains(two));
                at += two.map_or(1, str::len);
                tokens.push(Token { text: &text[start..at], start });
            }
        }
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\'')
}

/// The modules of a text.
fn modules(text: &str, file: FileId) -> Vec<Module> {
    let tokens = tokens(text);
    let mut modules: Vec<Module> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].text != "module" {
            at += 1;
            continue;
        }
        let end = (at..tokens.len()).find(|end| tokens[*end].text == "endmodule").unwrap_or(tokens.len());
        if let Some(name) = tokens.get(at + 1) {
            modules.push(module(text, &tokens[at + 2..end], name, file));
        }
        at = end + 1;
    }
    modules
}

fn module(text: &str, tokens: &[Token<'_>], name: &Token<'_>, file: FileId) -> Module {
    let span = |from: &Token<'_>, to: &Token<'_>| Span::new(file, from.start as u32, (to.start + to.text.len()) as u32);
    let mut module = Module {
        name: name.text.to_owned(),
        span: span(name, name),
        declared: HashMap::new(),
        drivers: HashMap::new(),
        assertions: Vec::new(),
    };
    for (at, token) in tokens.iter().enumerate() {
        let first = token.text.as_bytes()[0];
        if !(first.is_ascii_alphabetic() || first == b'_') {
            continue;
        }
        module.declared.entry(token.text.to_owned()).or_insert_with(|| span(token, token));
        if token.text == "assert" {
            let labelled = at >= 2 && tokens[at - 1].text == ":";
            let end = statement_end(tokens, at);
            let (first, last) = (&tokens[if labelled { at - 2 } else { at }], &tokens[end]);
            module.assertions.push(Assertion { span: span(first, last), says: said(text, &tokens[at + 1..end]) });
        }
        let Some(equals) = assigned(tokens, at) else { continue };
        let end = statement_end(tokens, at);
        let is_digit = |text: &str| text.starts_with(|first: char| first.is_ascii_digit() || first == '\'');
        let number = end == equals + 2 && is_digit(tokens[equals + 1].text);
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        let from = before.filter(|before| before.text == "assign").unwrap_or(token);
        // Without the semicolon.
        let last = &tokens[end.saturating_sub(1).max(equals)];
        module.drivers.entry(token.text.to_owned()).or_default().push((span(from, last), number));
    }
    module
}

/// What stands in the parentheses of an assertion.
fn said(text: &str, tokens: &[Token<'_>]) -> Option<String> {
    let first = tokens.iter().position(|token| token.text == "(")?;
    let mut open = 0;
    let last = tokens.iter().skip(first).position(|token| {
        open += i32::from(token.text == "(") - i32::from(token.text == ")");
        open == 0
    })?;
    let inside = text.get(tokens[first].start + 1..tokens[first + last].start)?;
    Some(inside.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|inside| !inside.is_empty())
}

/// Where the statement of a token ends: its semicolon.
fn statement_end(tokens: &[Token<'_>], at: usize) -> usize {
    (at..tokens.len()).find(|end| tokens[*end].text == ";").unwrap_or(tokens.len() - 1)
}

/// Is a name assigned to here? Then where its `=` or `<=` stands.
fn assigned(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).map_or(";", |before| tokens[before].text);
    let starts = [";", "begin", "end", "else", ")", ":", "assign", "wire", "reg", "logic", "]", "default"];
    if !starts.contains(&before) {
        return None;
    }
    let mut next = at + 1;
    while tokens.get(next)?.text == "[" {
        let mut open = 0;
        loop {
            match tokens.get(next)?.text {
                "[" => open += 1,
                "]" => open -= 1,
                _ => {}
            }
            next += 1;
            if open == 0 {
                break;
            }
        }
    }
    let mark = tokens.get(next)?.text;
    (mark == "<=" || mark == "=").then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module m (input wire a, output wire full);\n  reg [2:0] count; // count <= 9;\n  assign full = count >= 4;\n  always @(posedge a) begin\n    if (full) count <= 0;\n    else count <= count + 1;\n    mem[count] <= 3;\n  end\n  small: assert (count <= 4);\nendmodule\n";

    fn told(name: &str) -> Option<&'static str> {
        let modules = modules(TEXT, FileId(0));
        let drivers = modules[0].drivers.get(name)?;
        let computed: Vec<&Span> = drivers.iter().filter(|(_, number)| !number).map(|(span, _)| span).collect();
        computed.first().map(|span| &TEXT[span.start as usize..span.end as usize])
    }

    #[test]
    fn a_name_is_driven_where_it_is_assigned_to() {
        assert_eq!(told("full"), Some("assign full = count >= 4"));
        assert_eq!(told("count"), Some("count <= count + 1"), "neither a comment, a reset nor a comparison");
        assert_eq!(told("mem"), None, "a number says nothing");
        let modules = modules(TEXT, FileId(0));
        let assertion = &modules[0].assertions[0];
        assert_eq!(assertion.says.as_deref(), Some("count <= 4"));
        let assertion = assertion.span;
        assert_eq!(&TEXT[assertion.start as usize..assertion.end as usize], "small: assert (count <= 4);");
    }

    #[test]
    fn lines_and_columns_become_spans() {
        let lines = Lines::parse("m.v:3.10-3.14").unwrap();
        let span = lines.span(FileId(0), TEXT).unwrap();
        assert_eq!(&TEXT[span.start as usize..span.end as usize], "full");
        assert!(Lines::parse("nonsense").is_none());
        assert!(Lines::parse("m.v:99.1-99.2").unwrap().span(FileId(0), TEXT).is_none());
    }
}
