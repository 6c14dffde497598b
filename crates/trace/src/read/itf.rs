//! Traces of Apalache and Quint: the "Informal Trace Format", which is JSON (Apalache, ADR 15).
//!
//! A variable that is a record, a list, a tuple or a map becomes several signals: itself as a text in one canonical form
//! (`{1, 2}` for a set, sorted; `(1, 2)` for a tuple; `{a: 1}` for a record; `{k -> v}` for a map, sorted), and what it holds:
//! `r.field`, `t[0]`, `m[key]` where the key is a number, a truth value or a string. A part that a state does not have, such
//! as a key that a map lacks, has no value there: unknown if it is a bit or a number, the empty text otherwise.
//!
//! `loop` is the position of the state that follows the last one. Where the last state repeats that state, it is left out.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::error::{Place, ReadError};
use super::table::{Dialect, Meaning, Table};

/// Strings are stored with a quote before them, to be no numbers.
const DIALECT: Dialect = Dialect { meaning, label: |text| text.strip_prefix('"').unwrap_or(text) };

fn meaning(text: &str) -> Meaning {
    match text {
        "true" => Meaning::Truth(true),
        "false" => Meaning::Truth(false),
        _ => match text.parse::<i128>() {
            Ok(number) => Meaning::Integer(number),
            Err(_) if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
                text.parse().map_or(Meaning::Text, Meaning::Real)
            }
            Err(_) => Meaning::Text,
        },
    }
}

type Object<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

/// Reads a whole trace.
pub(super) fn read(text: &str) -> Result<Table, ReadError> {
    let place = |part: &str| Place::of(text.as_bytes(), part.as_ptr() as usize - text.as_ptr() as usize);
    let whole: Object = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or("it is broken");
        ReadError::new(format!("this is not JSON: {message}"))
            .at(Place { line: error.line() as u64, column: (error.column() as u64).max(1) })
            .with_help("a trace is a JSON object with `vars` and `states`, as Apalache and Quint write it")
    })?;
    let states = whole.get("states").ok_or_else(|| {
        ReadError::new("this JSON has no `states`").with_help("a trace in ITF is an object with `vars` and `states`")
    })?;
    let states: Vec<&RawValue> = serde_json::from_str(states.get())
        .map_err(|_| ReadError::new("`states` is not an array").at(place(states.get())))?;
    let names: Option<Vec<String>> = match whole.get("vars") {
        None => None,
        Some(vars) => Some(
            serde_json::from_str(vars.get())
                .map_err(|_| ReadError::new("`vars` is not an array of names").at(place(vars.get())))?,
        ),
    };
    let mut rows = Rows { table: Table::new(DIALECT), set: Vec::new(), now: Vec::new() };
    for name in names.iter().flatten() {
        rows.table.column(name)?;
    }
    for raw in states {
        let state: BTreeMap<String, Json> = serde_json::from_str(raw.get()).map_err(|error| {
            let message = match error.to_string() {
                message if message.contains("recursion limit") => "this state is nested too deeply",
                _ => "this state is not an object",
            };
            ReadError::new(message).at(place(raw.get()))
        })?;
        if let Some(missing) = names.iter().flatten().find(|name| !state.contains_key(*name)) {
            return Err(ReadError::new(format!("this state lacks `{missing}`")).at(place(raw.get())));
        }
        rows.table.row()?;
        for (name, value) in state.iter().filter(|(name, _)| !name.starts_with('#')) {
            rows.value(name, value)?;
        }
        rows.end();
    }
    let mut table = rows.table;
    let start = whole.get("loop").filter(|start| start.get() != "null");
    if let (Some(start), Some(last)) = (start, table.rows().checked_sub(1)) {
        let row = serde_json::from_str::<usize>(start.get()).ok().filter(|row| *row <= last).ok_or_else(|| {
            ReadError::new(format!("`loop` is not the position of a state, 0 to {last}")).at(place(start.get()))
        })?;
        table.loop_start = Some(row);
        if row < last && table.same(row, last, |_| true) {
            table.drop_row();
        }
    }
    Ok(table)
}

struct Rows {
    table: Table,
    /// Columns with a value in the row before, sorted.
    set: Vec<usize>,
    /// And in this row.
    now: Vec<usize>,
}

impl Rows {
    /// A value and what it holds.
    fn value(&mut self, name: &str, value: &Json) -> Result<(), ReadError> {
        let column = self.table.column(name)?;
        let row = self.table.rows() - 1;
        self.table.set(column, row, &scalar(value).unwrap_or_else(|| shown(value)));
        self.now.push(column);
        if scalar(value).is_some() {
            return Ok(());
        }
        match value {
            Json::Array(items) => self.items(name, items),
            Json::Object(fields) => match special(value) {
                Some(("#tup", Json::Array(items))) => self.items(name, items),
                Some(("#map", Json::Array(pairs))) => {
                    for pair in pairs.iter().filter_map(Json::as_array) {
                        if let [key, value] = &pair[..]
                            && let Some(key) = scalar(key)
                        {
                            self.value(&format!("{name}[{}]", (DIALECT.label)(&key)), value)?;
                        }
                    }
                    Ok(())
                }
                Some(_) => Ok(()),
                None => fields.iter().try_for_each(|(field, value)| self.value(&format!("{name}.{field}"), value)),
            },
            _ => Ok(()),
        }
    }

    fn items(&mut self, name: &str, items: &[Json]) -> Result<(), ReadError> {
        items.iter().enumerate().try_for_each(|(i, item)| self.value(&format!("{name}[{i}]"), item))
    }

    /// What had a value before and has none now ends.
    fn end(&mut self) {
        let row = self.table.rows() - 1;
        self.now.sort_unstable();
        for column in &self.set {
            if self.now.binary_search(column).is_err() {
                self.table.unset(*column, row);
            }
        }
        self.set.clear();
        std::mem::swap(&mut self.set, &mut self.now);
    }
}

/// `{"#set": …}` and its like as the mark and what it marks.
fn special(value: &Json) -> Option<(&str, &Json)> {
    let fields = value.as_object()?;
    let (mark, inside) = fields.iter().next()?;
    (fields.len() == 1 && mark.starts_with('#')).then_some((mark.as_str(), inside))
}

/// A value that holds no others, as it is stored.
fn scalar(value: &Json) -> Option<String> {
    match (value, special(value)) {
        (Json::Bool(truth), _) => Some(truth.to_string()),
        (Json::Number(number), _) => Some(number.to_string()),
        (Json::String(text), _) => Some(format!("\"{text}")),
        (Json::Null, _) => Some("\"null".to_owned()),
        (_, Some(("#bigint", Json::String(digits)))) => match digits.parse::<i128>() {
            Ok(number) => Some(number.to_string()),
            Err(_) => Some(format!("\"{digits}")),
        },
        (_, Some(("#unserializable", Json::String(text)))) => Some(format!("\"{text}")),
        _ => None,
    }
}

/// A value in one canonical form; strings inside of others are quoted.
fn shown(value: &Json) -> String {
    if let Some(text) = scalar(value) {
        return if text.starts_with('"') { format!("{text}\"") } else { text };
    }
    let list = |items: &[Json]| items.iter().map(shown).collect::<Vec<_>>();
    match (value, special(value)) {
        (Json::Array(items), _) => format!("[{}]", list(items).join(", ")),
        (_, Some(("#tup", Json::Array(items)))) => format!("({})", list(items).join(", ")),
        (_, Some(("#set", Json::Array(items)))) => {
            let mut items: Vec<(Option<i128>, String)> =
                list(items).into_iter().map(|item| (item.parse().ok(), item)).collect();
            items.sort();
            items.dedup();
            format!("{{{}}}", items.into_iter().map(|(_, item)| item).collect::<Vec<_>>().join(", "))
        }
        (_, Some(("#map", Json::Array(pairs)))) => {
            let pair = |pair: &Json| match pair.as_array().map(Vec::as_slice) {
                Some([key, value]) => (key.as_i64(), format!("{} -> {}", shown(key), shown(value))),
                _ => (None, shown(pair)),
            };
            let mut pairs: Vec<(Option<i64>, String)> = pairs.iter().map(pair).collect();
            pairs.sort();
            format!("{{{}}}", pairs.into_iter().map(|(_, pair)| pair).collect::<Vec<_>>().join(", "))
        }
        (Json::Object(fields), _) => {
            let fields: BTreeMap<_, _> = fields.iter().collect();
            let field = |(name, value): (&String, &Json)| format!("{name}: {}", shown(value));
            format!("{{{}}}", fields.into_iter().map(field).collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::trace::{self, Format, Sampling};
    use super::*;
    use crate::wave::Wave;

    fn loaded(text: &str) -> Result<Wave, ReadError> {
        let mut trace = trace::open(Cursor::new(text.as_bytes().to_vec()))?;
        assert_eq!(trace.format(), Format::Itf);
        let all: Vec<usize> = (0..trace.signals().len()).collect();
        trace.load(&all, &Sampling::default())
    }

    fn row(wave: &Wave, name: &str) -> String {
        let signal = &wave.signals[wave.signal(name).unwrap_or_else(|| panic!("{name}"))];
        (0..wave.cycles).map(|cycle| signal.at(cycle).to_string()).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn every_kind_of_value() {
        let text = r##"{"#meta": {"format": "ITF"}, "vars": ["b", "n", "s", "r", "m"], "states": [
            {"#meta": {"index": 0}, "b": true, "n": {"#bigint": "-12"}, "s": "idle",
             "r": {"x": 1, "t": {"#tup": [true, "a"]}}, "m": {"#map": [["k", {"#set": [10, 9, 9]}], [2, 5]]}},
            {"b": false, "n": 7, "s": "5", "r": {"x": 2, "t": {"#tup": [false, "b"]}}, "m": {"#map": [[2, 6]]}},
            {"b": false, "n": 8, "s": "5", "r": {"x": 2, "t": {"#tup": [false, "b"]}}, "m": {"#map": []}}],
            "loop": 1}"##;
        let wave = loaded(text).unwrap();
        assert_eq!((wave.cycles, wave.loop_start), (3, Some(1)));
        assert_eq!(row(&wave, "b"), "1; 0; 0");
        assert_eq!(row(&wave, "n"), "-12; 7; 8");
        assert_eq!(row(&wave, "s"), "idle; 5; 5");
        assert_eq!(row(&wave, "r"), "{t: (true, \"a\"), x: 1}; {t: (false, \"b\"), x: 2}; {t: (false, \"b\"), x: 2}");
        assert_eq!(row(&wave, "r.x"), "1; 2; 2");
        assert_eq!((row(&wave, "r.t[0]"), row(&wave, "r.t[1]")), ("1; 0; 0".to_owned(), "a; b; b".to_owned()));
        assert_eq!(row(&wave, "m"), "{\"k\" -> {9, 10}, 2 -> 5}; {2 -> 6}; {}");
        assert_eq!(row(&wave, "m[k]"), "{9, 10}; ; ");
        assert_eq!(row(&wave, "m[2]"), "5; 6; xxx");
    }

    #[test]
    fn a_repeated_last_state_is_left_out() {
        let wave = loaded(r#"{"vars": ["a"], "states": [{"a": 1}, {"a": 2}, {"a": 1}], "loop": 0}"#).unwrap();
        assert_eq!((wave.cycles, wave.loop_start), (2, Some(0)));
    }

    #[test]
    fn errors_have_places() {
        let problem = |text: &str| loaded(text).unwrap_err().to_string();
        assert_eq!(problem("{\n"), "2:1: this is not JSON: EOF while parsing an object");
        assert_eq!(problem("{}"), "this JSON has no `states`");
        assert_eq!(problem("{\"states\": 1}"), "1:12: `states` is not an array");
        assert_eq!(problem("{\"vars\": [\"a\"],\n \"states\": [{}]}"), "2:13: this state lacks `a`");
        assert_eq!(problem("{\"states\": [{}], \"loop\": 1}"), "1:26: `loop` is not the position of a state, 0 to 0");
        let deep = format!("{{\"states\": [{{\"a\": {}1{}}}]}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(problem(&deep), "1:13: this state is nested too deeply");
        assert!(problem(&format!("{{\"states\": {}", "[".repeat(1_000_000))).contains("this is not JSON"));
        assert_eq!(problem("{\"states\": []}"), "the trace has no cycle");
    }
}
