//! Task definitions of SV-COMP, read as they are (format 1.0 and 2.0): input files, properties, expected verdicts, the data
//! model. And property files: which of our checks answer them.

use crate::complaint::Wrong;
use crate::manifest::Written;
use crate::task::{Expected, Verdict};
use crate::yaml::{Node, Value};

/// A task definition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Definition {
    /// Files, told from the folder of the definition.
    pub inputs: Vec<Written>,
    /// What is asked of them.
    pub properties: Vec<Asked>,
    /// The flag for the data model, if one is named.
    pub model: Option<&'static str>,
    /// Another language than C.
    pub language: Option<String>,
}

/// A property of a task definition.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// Its file, told from the folder of the definition.
    pub file: Written,
    /// What should come out.
    pub expected: Expected,
}

/// Reads a task definition from its tree. Keys that mean nothing here are passed over, as the format asks for.
///
/// # Errors
///
/// All that is wrong, in the order of the text.
pub fn of(node: &Node) -> Result<Definition, Vec<Wrong>> {
    let mut wrong = Vec::new();
    let mut definition = Definition::default();
    let Value::Map(entries) = &node.value else {
        return Err(vec![Wrong::new(node.at, "this is no task definition: it has no keys")]);
    };
    let find = |name: &str| entries.iter().find(|(key, _)| key.text == name).map(|(_, value)| value);
    match find("format_version").map(text) {
        Some(Some("1.0" | "2.0" | "2.1")) => {}
        Some(_) => {
            let at = find("format_version").map_or(node.at, |value| value.at);
            wrong.push(Wrong::new(at, "only task definitions of formats 1.0, 2.0 and 2.1 are read"));
        }
        None => wrong.push(Wrong::new(node.at, "this is no task definition: it has no `format_version`")),
    }
    match find("input_files").map(texts) {
        Some(Some(inputs)) if !inputs.is_empty() => definition.inputs = inputs,
        _ => wrong.push(Wrong::new(node.at, "`input_files` must name a file or a list of files")),
    }
    for item in find("properties").map(items).unwrap_or_default() {
        match asked(item) {
            Ok(property) => definition.properties.push(property),
            Err(error) => wrong.push(error),
        }
    }
    if let Some(options) = find("options") {
        match option(options, "data_model") {
            None => {}
            Some((_, Some("ILP32"))) => definition.model = Some("--32"),
            Some((_, Some("LP64"))) => definition.model = Some("--64"),
            Some((value, _)) => wrong.push(Wrong::new(value.at, "`data_model` is ILP32 or LP64")),
        }
        let language = option(options, "language").and_then(|(_, language)| language);
        definition.language = language.filter(|language| *language != "C").map(str::to_owned);
    }
    wrong.sort_by_key(|wrong| wrong.at);
    if wrong.is_empty() { Ok(definition) } else { Err(wrong) }
}

fn option<'a>(options: &'a Node, name: &str) -> Option<(&'a Node, Option<&'a str>)> {
    let Value::Map(entries) = &options.value else { return None };
    entries.iter().find(|(key, _)| key.text == name).map(|(_, value)| (value, text(value)))
}

fn asked(node: &Node) -> Result<Asked, Wrong> {
    let file = option(node, "property_file");
    let Some((at, Some(file))) = file.map(|(node, text)| (node.at, text)) else {
        return Err(Wrong::new(node.at, "a property names its `property_file`"));
    };
    let expected = match option(node, "expected_verdict") {
        None => Expected::Any,
        Some((value, said)) => match said.map(str::to_lowercase).as_deref() {
            Some("true") => Expected::This(Verdict::Holds),
            Some("false") => Expected::This(Verdict::Fails),
            _ => return Err(Wrong::new(value.at, "`expected_verdict` is true or false")),
        },
    };
    Ok(Asked { file: Written { at, is: file.to_owned() }, expected })
}

fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// The items of a list, or the only one.
fn items(node: &Node) -> Vec<&Node> {
    match &node.value {
        Value::List(items) => items.iter().collect(),
        Value::Nothing => Vec::new(),
        _ => vec![node],
    }
}

fn texts(node: &Node) -> Option<Vec<Written>> {
    let written = |item: &Node| text(item).map(|is| Written { at: item.at, is: is.to_owned() });
    items(node).into_iter().map(written).collect()
}

/// How a property is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The flags that ask for it.
    pub flags: Vec<String>,
    /// Kinds of claims whose violation alone decides nothing.
    pub open: Vec<String>,
}

/// What one line of a property file asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Formula {
    Unreachable,
    NoOverflow,
    ValidFree,
    ValidDeref,
    ValidMemtrack,
    ValidMemcleanup,
}

const FORMULAS: [(&str, Formula); 7] = [
    ("G!call(reach_error())", Formula::Unreachable),
    ("G!call(__VERIFIER_error())", Formula::Unreachable),
    ("G!overflow", Formula::NoOverflow),
    ("Gvalid-free", Formula::ValidFree),
    ("Gvalid-deref", Formula::ValidDeref),
    ("Gvalid-memtrack", Formula::ValidMemtrack),
    ("Gvalid-memcleanup", Formula::ValidMemcleanup),
];

/// How a property file is checked; none if it asks for something that is not checked here.
pub fn checked(property: &str) -> Option<Checked> {
    let mut formulas = Vec::new();
    let mut entry = None;
    for line in property.lines() {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if line.is_empty() {
            continue;
        }
        let inside = line.strip_prefix("CHECK(init(")?.strip_suffix("))")?;
        let (function, formula) = inside.split_once("()),LTL(")?;
        if *entry.get_or_insert_with(|| function.to_owned()) != function {
            return None;
        }
        formulas.push(FORMULAS.iter().find(|(text, _)| *text == formula)?.1);
    }
    let mut flags: Vec<&str> = vec!["--no-standard-checks"];
    let mut open = Vec::new();
    let has = |wanted: Formula| formulas.contains(&wanted);
    if !has(Formula::Unreachable) {
        flags.push("--no-assertions");
    }
    if has(Formula::NoOverflow) {
        flags.push("--signed-overflow-check");
    }
    if has(Formula::ValidFree) || has(Formula::ValidDeref) || has(Formula::ValidMemtrack) {
        flags.extend(["--bounds-check", "--pointer-check"]);
    }
    if has(Formula::ValidMemtrack) || has(Formula::ValidMemcleanup) {
        flags.push("--memory-leak-check");
    }
    // Memory that is never freed may still be pointed to at the end, which this property allows.
    if has(Formula::ValidMemtrack) && !has(Formula::ValidMemcleanup) {
        open.push("memory-leak".to_owned());
    }
    let entry = entry?;
    let mut flags: Vec<String> = flags.into_iter().map(str::to_owned).collect();
    if entry != "main" {
        flags.extend(["--function".to_owned(), entry]);
    }
    Some(Checked { flags, open })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    #[test]
    fn a_definition_reads_as_it_is() {
        let text = "
format_version: '2.0'
input_files: 'a.i'
additional: {x: [1]}
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../properties/termination.prp
options:
  language: C
  data_model: ILP32
";
        let definition = of(&yaml::read(text).expect("reads")).expect("is one");
        assert_eq!((definition.inputs[0].is.as_str(), definition.model), ("a.i", Some("--32")));
        let expected: Vec<&str> = definition.properties.iter().map(|asked| asked.expected.name()).collect();
        assert_eq!(expected, ["fails", "fails", "any"]);
        assert_eq!(definition.language, None);
    }

    #[test]
    fn what_is_wrong_with_a_definition_has_lines() {
        let text = "
format_version: '9'
properties:
  - expected_verdict: true
  - property_file: a.prp
    expected_verdict: maybe
options: {data_model: LP32}
";
        let wrong = of(&yaml::read(text).expect("reads")).expect_err("is none");
        let lines: Vec<usize> = wrong.iter().map(|wrong| wrong.at.line).collect();
        assert_eq!(lines, [2, 2, 4, 6, 7]);
    }

    #[test]
    fn properties_become_flags() {
        let flags = |text: &str| checked(text).map(|checked| checked.flags.join(" "));
        let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n";
        assert_eq!(flags(reach).as_deref(), Some("--no-standard-checks"));
        assert_eq!(
            flags("CHECK( init(f()), LTL(G ! overflow) )").as_deref(),
            Some("--no-standard-checks --no-assertions --signed-overflow-check --function f")
        );
        let safety = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let checked = super::checked(safety).expect("is checked");
        assert_eq!(checked.open, ["memory-leak"]);
        assert!(checked.flags.contains(&"--memory-leak-check".to_owned()));
        for other in
            ["CHECK( init(main()), LTL(F end) )", "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )", ""]
        {
            assert_eq!(flags(other), None, "{other}");
        }
    }
}
