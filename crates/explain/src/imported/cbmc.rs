//! What the steps of CBMC's traces mean, however they are written, and its notation for values and places.
//!
//! Of the steps that are shown to users, assignments tell values; those before the entry function is called, hidden or
//! not, tell how `extern` variables start, and steps of kind `input` the parameters of the entry function. A result of a
//! function without a body is assigned to `return_value_NAME`, with `$0` and so on to tell them apart. Memory from `malloc`
//! is `dynamic_object`, whose contents are known from a step within the model of `malloc`.

use std::collections::BTreeMap;

use super::{Facts, Failure, Scene, What};
use nearmiss_program::run::Content;
use nearmiss_trace::read::error::{Place, ReadError};

/// So many bits of one object are kept.
const MOST_BITS: u64 = 1 << 22;

/// A value.
pub(super) enum Data {
    /// In C notation, or in binary, with its width if that is known.
    Scalar(String, Option<u32>),
    /// By index.
    Array(Vec<(u64, Data)>),
    /// By name, in the order of the memory, fillings included.
    Record(Vec<(String, Data)>),
    /// Not told.
    Unknown,
}

impl Data {
    /// The scalars by the way to them. What fills gaps is none.
    pub(super) fn leaves(&self, way: String, found: &mut BTreeMap<Box<str>, Box<str>>) {
        match self {
            Data::Scalar(text, _) => drop(found.insert(way.into(), text.as_str().into())),
            Data::Array(elements) => {
                elements.iter().for_each(|(index, data)| data.leaves(format!("{way}[{index}]"), found));
            }
            Data::Record(members) => {
                let named = members.iter().filter(|(member, _)| !member.starts_with('$'));
                named.for_each(|(member, data)| data.leaves(format!("{way}.{member}"), found));
            }
            Data::Unknown => {}
        }
    }
}

/// A step of any kind that matters.
pub(super) enum Kind {
    /// To this name this value.
    Assignment(String, Data),
    /// The parameter of the entry function of this name has this value.
    Input(String, Data),
    /// A function of this name is called.
    Call(String),
    /// A claim is violated.
    Failure { id: Option<String>, text: Option<String> },
}

/// A step.
pub(super) struct Step {
    pub(super) kind: Kind,
    pub(super) hidden: bool,
    pub(super) internal: bool,
    pub(super) parameter: bool,
    pub(super) scene: Scene,
    pub(super) at: Place,
}

/// One counterexample of several.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) facts: Facts,
    pub(super) failure: Option<Failure>,
    started: bool,
}

impl Trace {
    pub(super) fn step(&mut self, step: Step) -> Result<(), ReadError> {
        let Step { kind, hidden, internal, parameter, scene, at } = step;
        let outside = scene.file.as_deref().is_none_or(|file| file.starts_with('<'));
        match kind {
            Kind::Assignment(name, data) => {
                let is_memory = name.starts_with("dynamic_object") && !name.contains(['[', '.']);
                if is_memory && internal && scene.function.as_deref() == Some("malloc") {
                    let mut contents = Vec::new();
                    pieces(&data, 0, &mut contents);
                    return self.facts.push(What::Memory(contents), &scene, at);
                }
                if outside || internal || parameter {
                    return Ok(());
                }
                match (hidden, scene.function.is_some()) {
                    (_, false) if !self.started => self.start(&place(&name), &data, &scene, at),
                    (false, _) => self.facts.tell(&place(&name), &data, &scene, at),
                    _ => Ok(()),
                }
            }
            Kind::Input(name, data) => self.start(&place(&name), &data, &scene, at),
            Kind::Call(name) => {
                self.started |= !outside;
                if hidden || outside || scene.function.is_none() {
                    return Ok(());
                }
                let name = self.facts.name(&name);
                self.facts.push(What::Enter(name), &scene, at)
            }
            Kind::Failure { id, text } => {
                let file = scene.file.as_deref().map(|file| self.facts.name(file));
                self.failure = Some(Failure { id, text, file, line: scene.line, at });
                Ok(())
            }
        }
    }

    /// A fact for each scalar that a name has before anything runs.
    fn start(&mut self, name: &str, data: &Data, scene: &Scene, at: Place) -> Result<(), ReadError> {
        let mut leaves = BTreeMap::new();
        data.leaves(name.to_owned(), &mut leaves);
        leaves.into_iter().filter(|(name, _)| !is_own(name)).try_for_each(|(name, value)| {
            let name = self.facts.name(&name);
            self.facts.push(What::Start(name, value), scene, at)
        })
    }

    /// Whether the entry function was called: what is hidden does not matter any more.
    pub(super) fn has_started(&self) -> bool {
        self.started
    }

    /// How much this is what is wanted: that of a named property, of a claim, of a bound or of a missing function.
    pub(super) fn rank(&self, id: Option<&str>, properties: &[String]) -> u32 {
        rank(id.or(self.failure.as_ref().and_then(|failure| failure.id.as_deref())).unwrap_or_default(), properties)
    }
}

/// The same of an identifier.
pub(super) fn rank(id: &str, properties: &[String]) -> u32 {
    match id {
        id if properties.iter().any(|property| property == id) => 0,
        id if [".no-body.", ".unwind.", ".recursion"].iter().any(|part| id.contains(part)) => 2,
        _ => 1,
    }
}

/// The contents of an object in its order; returns where it ends. What is not told leaves the rest unknown.
fn pieces(data: &Data, at: u64, found: &mut Vec<Content>) -> Option<u64> {
    match data {
        Data::Scalar(text, Some(bits)) if at < MOST_BITS => {
            let value = text.strip_prefix("0b").and_then(|digits| u128::from_str_radix(digits, 2).ok())?;
            found.push(Content { bit_offset: at, bits: *bits, value });
            Some(at + u64::from(*bits))
        }
        Data::Array(elements) => elements.iter().try_fold(at, |at, (_, data)| pieces(data, at, found)),
        Data::Record(members) => members.iter().try_fold(at, |at, (_, data)| pieces(data, at, found)),
        _ => None,
    }
}

/// The function whose result a name stands for: `return_value_f$0` of CBMC, `return_value$_f$1` of ESBMC.
pub(super) fn callee(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("return_value")?;
    let rest = rest.strip_prefix("$_").or_else(|| rest.strip_prefix('_'))?;
    let number = rest.rfind('$').filter(|at| rest[at + 1..].bytes().all(|byte| byte.is_ascii_digit()));
    Some(&rest[..number.unwrap_or(rest.len())]).filter(|name| !name.is_empty())
}

/// Whether a name is one that only the checker knows: `goto_symex$$return_value$$f`.
pub(super) fn is_own(name: &str) -> bool {
    name.starts_with("__CPROVER") || name.contains("return_value")
}

/// The name of a place with plain indices: `a[0l]` and `a[(signed long int)0]` become `a[0]`.
pub(super) fn place(name: &str) -> String {
    let mut parts = name.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (index, rest) = part.split_once(']').unwrap_or((part, ""));
        let index = index.rsplit(')').next().unwrap_or_default().trim();
        plain += &format!("[{}]{rest}", index.trim_end_matches(['u', 'U', 'l', 'L']));
    }
    plain
}

/// Bits as a binary number of as many digits; spaces between them are passed over.
pub(super) fn bits(text: &str) -> Option<(String, u32)> {
    let mut digits = String::from("0b");
    for byte in text.bytes().filter(|byte| *byte != b' ') {
        if !matches!(byte, b'0' | b'1') || digits.len() >= 2 + 128 {
            return None;
        }
        digits.push(byte as char);
    }
    let width = digits.len() as u32 - 2;
    (width > 0).then_some((digits, width))
}

/// A scalar in C notation, from CBMC's: `TRUE`, `4ul`, `/*enum*/GREEN`, `((int *)NULL)`, `&a!0@1[0]`, `+INFINITY`.
pub(super) fn scalar(text: &str) -> String {
    let mut text = text.trim();
    while let Some(comment) = text.strip_prefix("/*") {
        text = comment.split_once("*/").map_or("", |(_, rest)| rest.trim());
    }
    while let Some(inside) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        // `(a)(b)` is not in parentheses as a whole.
        if inside.find(')').is_some_and(|close| inside.find('(').is_none_or(|open| close < open)) {
            break;
        }
        text = inside.trim();
    }
    match text {
        "TRUE" | "true" => "1".to_owned(),
        "FALSE" | "false" => "0".to_owned(),
        "+INFINITY" | "INFINITY" | "+inf" | "inf" => "INFINITY".to_owned(),
        "+NAN" | "NAN" | "nan" => "NAN".to_owned(),
        "invalid" => "invalid".to_owned(),
        _ if text.ends_with("NULL") => "NULL".to_owned(),
        // A cast before a pointer, or a number: `(signed int *)0`.
        _ if text.starts_with('(') => match text.split_once(')') {
            Some((cast, rest)) if cast.contains('*') && rest.trim() == "0" => "NULL".to_owned(),
            Some((_, rest)) if !rest.trim().is_empty() => scalar(rest),
            _ => text.to_owned(),
        },
        // `x!0@1` is the first `x` of the first thread.
        _ => text.split('!').next().unwrap_or(text).to_owned(),
    }
}

/// A value as CBMC and ESBMC print it: a scalar, or `{ 1, 2 }`, or `{ .x=1, .y={ 2, 3 } }`.
pub(super) fn data(text: &str) -> Data {
    // Deeper texts than any type of a program are not told.
    const DEEPEST: usize = 32;
    let text = text.trim();
    let deep = text.bytes().scan(0usize, |depth, byte| {
        match byte {
            b'{' => *depth += 1,
            b'}' => *depth = depth.saturating_sub(1),
            _ => {}
        }
        Some(*depth)
    });
    if deep.max().is_some_and(|depth| depth > DEEPEST) {
        return Data::Unknown;
    }
    let Some(inside) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return if text.is_empty() { Data::Unknown } else { Data::Scalar(scalar(text), None) };
    };
    let items: Vec<&str> = split(inside);
    if items.iter().any(|item| item.trim_start().starts_with('.')) {
        let members = items.iter().filter_map(|item| item.trim().strip_prefix('.')?.split_once('='));
        return Data::Record(members.map(|(name, value)| (name.trim().to_owned(), data(value))).collect());
    }
    Data::Array((0..).zip(items).map(|(index, item)| (index, data(item))).collect())
}

/// The items of a list, at commas outside of braces and quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut items, mut depth, mut quote, mut start, mut escaped) = (Vec::new(), 0i64, None, 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match (byte, quote) {
            _ if escaped => escaped = false,
            (b'\\', Some(_)) => escaped = true,
            (byte, Some(mark)) if byte == mark => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'{', None) => depth += 1,
            (b'}', None) => depth -= 1,
            (b',', None) if depth == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    items.retain(|item| !item.trim().is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_lose_what_only_cbmc_writes() {
        assert_eq!(place("a[0l].x[(signed long int)12]"), "a[0].x[12]");
        assert_eq!(callee("return_value_nondet_int$0"), Some("nondet_int"));
        assert_eq!(callee("return_value$___VERIFIER_nondet_int$2"), Some("__VERIFIER_nondet_int"));
        assert_eq!(callee("returned"), None);
        let shown =
            ["/*enum*/GREEN", "((struct node *)NULL)", "(signed int *)0", "&tmp$0!0@1", "4ul", "TRUE", "-1", "'x'"];
        assert_eq!(shown.map(scalar), ["GREEN", "NULL", "NULL", "&tmp$0", "4ul", "1", "-1", "'x'"]);
        assert_eq!(bits("00000000 00000101"), Some(("0b0000000000000101".to_owned(), 16)));
        assert_eq!((bits(""), bits("012")), (None, None));
    }

    #[test]
    fn lists_are_taken_apart() {
        let mut leaves = BTreeMap::new();
        data("{ .x=4, .y={ 0, '{' }, .$pad=9 }").leaves("p".to_owned(), &mut leaves);
        let shown: Vec<String> = leaves.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        assert_eq!(shown, ["p.x = 4", "p.y[0] = 0", "p.y[1] = '{'"]);
        assert!(matches!(data(&"{".repeat(100_000)), Data::Unknown));
    }

    #[test]
    fn an_object_is_told_once() {
        let (mut facts, place) = (Facts::default(), Place { line: 1, column: 1 });
        let scene = Scene { line: Some(3), ..Scene::default() };
        let told = [
            ("u", "{ .w=256 }"),
            ("u.w", "256"),
            ("u.b", "{ 0, 1 }"),
            ("u.b[1]", "1"),
            ("u.b[1]", "7"),
            ("return_value_f", "{ .x=1 }"),
            ("return_value_f.x", "1"),
            ("return_value_f", "{ .x=1 }"),
            ("return_value_g", "5"),
        ];
        for (name, value) in told {
            facts.tell(name, &data(value), &scene, place).unwrap();
        }
        let shown: Vec<String> = (facts.list.iter())
            .map(|fact| match &fact.what {
                What::Object(object) => {
                    let parts: Vec<String> = object.parts.iter().map(|(way, value)| format!("{way}={value}")).collect();
                    format!("{}: {}", object.callee.as_ref().unwrap_or(&object.name), parts.join(" "))
                }
                What::Value(name, value) => format!("{name} = {value}"),
                What::Result(callee, value) => format!("{callee:?} gives {value}"),
                other => format!("{other:?}"),
            })
            .collect();
        let expected = ["u: .b[0]=0 .b[1]=1 .w=256", "u.b[1] = 7", "f: .x=1", "f: .x=1", "Some(\"g\") gives 5"];
        assert_eq!(shown, expected);
    }
}
