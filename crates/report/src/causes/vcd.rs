//! A value change dump of what was sampled: the signals of the formulas, and beside them the causes as signals.
//!
//! Any waveform viewer reads this, also where the trace came from a model checker or a table. Times are those of the file,
//! or numbers of cycles. The scope `nearmiss` has a scope per formula: `cause_<signal>` is 1 where the signal has a dot,
//! `failure` where the formula fails, and `fails_<n>` where its n-th part is false; `loop` is 1 where the trace repeats.
//! Changes are merged from one cursor per signal, so that long traces need no list of all of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::fmt::{self, Write};

use nearmiss_trace::bits::Bits;
use nearmiss_trace::report::TraceReport;
use nearmiss_trace::wave::{Kind, Signal, Value, Values, Wave};

use super::{sentence, value};

/// Cycles at which a variable changes, each with the change as the dump writes it, without the variable's code.
type Changes<'a> = Box<dyn Iterator<Item = (usize, String)> + 'a>;

/// What the dump calls the kinds of variables.
#[derive(Clone, Copy)]
enum VarType {
    /// So many bits.
    Wire(u32),
    /// 64 bits in two's complement.
    Integer,
    Real,
    /// An extension that viewers share: the value is a word of text.
    Text,
}

/// A folder of declarations.
#[derive(Default)]
struct Scope {
    scopes: BTreeMap<String, Scope>,
    lines: Vec<String>,
}

/// Declarations and changes, as they grow together.
#[derive(Default)]
struct Dump<'a> {
    root: Scope,
    changes: Vec<Changes<'a>>,
}

/// The dump.
pub fn render(report: &TraceReport) -> String {
    let wave = &report.wave;
    let mut dump = Dump::default();
    for signal in &wave.signals {
        dump.signal(signal);
    }
    let mut used = HashSet::new();
    for index in 0..report.formulas.len() {
        let name = report.formulas[index].name.as_deref().map_or_else(|| format!("property_{}", index + 1), plain);
        dump.formula(report, index, &unique(name, &mut used));
    }
    if let Some(start) = wave.loop_start {
        let mut row = Bits::filled(wave.cycles, false);
        row.set_range(start.min(wave.cycles), wave.cycles);
        dump.row(&["nearmiss".into()], "loop", row);
    }
    dump.written("causes", wave)
}

/// The dump of signals alone, for the answer of a command.
pub(crate) fn of_wave(command: &str, wave: &Wave) -> String {
    let mut dump = Dump::default();
    for signal in &wave.signals {
        dump.signal(signal);
    }
    dump.written(command, wave)
}

impl<'a> Dump<'a> {
    fn written(self, command: &str, wave: &Wave) -> String {
        let mut text = format!("$version nearmiss {command} $end\n");
        if let Some(unit) = wave.unit.as_deref().filter(|unit| is_timescale(unit)) {
            let _ = writeln!(text, "$timescale {unit} $end");
        }
        self.root.write(&mut text);
        text.push_str("$enddefinitions $end\n");
        write_changes(&mut text, wave, self.changes);
        text
    }

    fn variable(&mut self, scopes: &[String], kind: VarType, name: &str, changes: Changes<'a>) {
        let line = format!("$var {kind} {} {name} $end", code(self.changes.len()));
        self.scope(scopes).lines.push(line);
        self.changes.push(changes);
    }

    fn scope(&mut self, scopes: &[String]) -> &mut Scope {
        scopes.iter().fold(&mut self.root, |scope, name| scope.scopes.entry(name.clone()).or_default())
    }

    fn signal(&mut self, signal: &'a Signal) {
        let mut scopes: Vec<String> = signal.info.name.split('.').map(word).collect();
        let name = scopes.pop().unwrap_or_else(|| word(""));
        let range = value::range(signal.info.kind).map(|range| format!(" {range}")).unwrap_or_default();
        let kind = VarType::of(signal);
        let changes = value::changes(signal).map(move |(cycle, value)| (cycle, change(&value, kind)));
        self.variable(&scopes, kind, &format!("{name}{range}"), Box::new(changes));
    }

    /// Truth values, one per cycle.
    fn row(&mut self, scopes: &[String], name: &str, row: Bits) {
        let changes = (0..row.len()).filter_map(move |cycle| {
            let value = row.get(cycle);
            let text = if value { "1" } else { "0" };
            (cycle == 0 || value != row.get(cycle - 1)).then(|| (cycle, text.to_owned()))
        });
        self.variable(scopes, VarType::Wire(1), name, Box::new(changes));
    }

    fn formula(&mut self, report: &TraceReport, index: usize, name: &str) {
        let scopes = ["nearmiss".to_owned(), name.to_owned()];
        let cycles = report.wave.cycles;
        let judged = &report.formulas[index];
        let about = format!("{} {}", sentence::verdict(&judged.verdict), judged.formula);
        self.scope(&scopes).lines.push(comment(&about));
        let mut failures = Bits::filled(cycles, false);
        let mut dots: BTreeMap<usize, Bits> = BTreeMap::new();
        for failure in &judged.failures {
            failures.set_range(failure.at, (failure.at + 1).min(cycles));
            for dot in failure.causes.iter().flat_map(|cause| &cause.dots) {
                let row = dots.entry(dot.signal).or_insert_with(|| Bits::filled(cycles, false));
                row.set_range(dot.time, (dot.time + 1).min(cycles));
            }
        }
        self.row(&scopes, "failure", failures);
        let mut used = HashSet::new();
        for (signal, row) in dots {
            let Some(signal) = report.wave.signals.get(signal) else { continue };
            let name = unique(format!("cause_{}", plain(&signal.info.name)), &mut used);
            self.row(&scopes, &name, row);
        }
        for (i, lane) in judged.lanes.iter().enumerate() {
            self.scope(&scopes).lines.push(comment(&format!("fails_{i}: {}", lane.text)));
            self.row(&scopes, &format!("fails_{i}"), lane.fails.clone());
        }
    }
}

impl VarType {
    fn of(signal: &Signal) -> VarType {
        match (signal.info.kind, &signal.values) {
            (Kind::Bits { width, .. }, _) => VarType::Wire(width.max(1)),
            (Kind::Real, _) => VarType::Real,
            (Kind::Integer, Values::Changes { value, .. }) if value.iter().all(is_short) => VarType::Integer,
            (Kind::Integer | Kind::Text, _) => VarType::Text,
        }
    }
}

/// Type and width.
impl fmt::Display for VarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VarType::Wire(width) => write!(f, "wire {width}"),
            VarType::Integer => f.write_str("integer 64"),
            VarType::Real => f.write_str("real 64"),
            VarType::Text => f.write_str("string 1"),
        }
    }
}

fn is_short(value: &Value) -> bool {
    matches!(value, Value::Integer(number) if i64::try_from(*number).is_ok())
}

/// A change of a variable to a value; what is followed by the variable's code after a space ends with one.
fn change(value: &Value, kind: VarType) -> String {
    match (value, kind) {
        (Value::Bits(bits), VarType::Wire(1)) => bits.digits(),
        (Value::Bits(bits), VarType::Wire(_)) => format!("b{} ", bits.digits()),
        (Value::Integer(number), VarType::Integer) => format!("b{:064b} ", *number as i64),
        (Value::Real(number), VarType::Real) => format!("r{number} "),
        _ => format!("s{} ", escaped(&value.to_string())),
    }
}

/// Text as one word, with the escapes of C.
fn escaped(text: &str) -> String {
    let mut word = String::new();
    for character in text.chars() {
        match character {
            '\\' => word.push_str("\\\\"),
            _ if character.is_ascii() && (character <= ' ' || character == '\x7f') => {
                let _ = write!(word, "\\x{:02x}", u32::from(character));
            }
            _ if character.is_whitespace() => word.push('_'),
            _ => word.push(character),
        }
    }
    word
}

impl Scope {
    fn write(&self, text: &mut String) {
        for line in &self.lines {
            let _ = writeln!(text, "{line}");
        }
        for (name, scope) in &self.scopes {
            let _ = writeln!(text, "$scope module {name} $end");
            scope.write(text);
            text.push_str("$upscope $end\n");
        }
    }
}

/// Merges the changes of all variables by time.
fn write_changes(text: &mut String, wave: &Wave, mut changes: Vec<Changes>) {
    let mut pending: Vec<Option<String>> = Vec::new();
    let mut heap = BinaryHeap::new();
    for (i, changes) in changes.iter_mut().enumerate() {
        let first = changes.next();
        heap.extend(first.iter().map(|(cycle, _)| Reverse((*cycle, i))));
        pending.push(first.map(|(_, change)| change));
    }
    let mut now = None;
    while let Some(Reverse((cycle, i))) = heap.pop() {
        if now != Some(cycle) {
            let _ = writeln!(text, "#{}", wave.time(cycle).unwrap_or(cycle as u64));
            now = Some(cycle);
        }
        let _ = writeln!(text, "{}{}", pending[i].take().unwrap_or_default(), code(i));
        if let Some((cycle, change)) = changes[i].next() {
            heap.push(Reverse((cycle, i)));
            pending[i] = Some(change);
        }
    }
    // The last cycle has a width too: as long as the one before.
    if let Some(last) = wave.cycles.checked_sub(1) {
        let time = |cycle: usize| wave.time(cycle).unwrap_or(cycle as u64);
        let step = last.checked_sub(1).map_or(1, |before| time(last).saturating_sub(time(before)).max(1));
        let _ = writeln!(text, "#{}", time(last) + step);
    }
}

/// A short name that a variable has among the changes: printable characters, `!` first.
fn code(mut index: usize) -> String {
    let mut code = String::new();
    loop {
        code.push((b'!' + (index % 94) as u8) as char);
        match index / 94 {
            0 => return code,
            rest => index = rest - 1,
        }
    }
}

/// A name as one word that cannot be taken for a keyword.
fn word(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    match word.strip_prefix('$') {
        Some(rest) => format!("_{rest}"),
        None if word.is_empty() => "_".into(),
        None => word,
    }
}

/// A name of letters, digits and underscores.
fn plain(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.is_empty() { "_".into() } else { plain }
}

/// A name that was not used yet.
fn unique(name: String, used: &mut HashSet<String>) -> String {
    let mut free = name.clone();
    for i in 2.. {
        if used.insert(free.clone()) {
            break;
        }
        free = format!("{name}_{i}");
    }
    free
}

fn comment(text: &str) -> String {
    let text: Vec<&str> = text.split_whitespace().collect();
    format!("$comment {} $end", text.join(" ").replace("$end", "$ end"))
}

/// 1, 10 or 100 of a unit of time.
fn is_timescale(unit: &str) -> bool {
    let name = unit.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &unit[..unit.len() - name.len()];
    matches!(number, "1" | "10" | "100") && matches!(name.trim(), "s" | "ms" | "us" | "ns" | "ps" | "fs")
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::Arc;

    use wellen::simple;

    use super::super::sample;
    use super::*;

    #[test]
    fn signals_and_causes() {
        let expected = r#"$version nearmiss causes $end
$timescale 1ns $end
$scope module nearmiss $end
$var wire 1 , loop $end
$scope module ok $end
$comment fails G(req -> count != 3) $end
$var wire 1 ' failure $end
$var wire 1 ( cause_top_req $end
$var wire 1 ) cause_top_dut_count $end
$comment fails_0: count != 3 $end
$var wire 1 * fails_0 $end
$upscope $end
$scope module property_2 $end
$comment holds F state == IDLE | mode $end
$var wire 1 + failure $end
$upscope $end
$upscope $end
$scope module top $end
$var wire 1 ! req $end
$var wire 4 # state [7:4] $end
$var real 64 $ level $end
$var string 1 % mode $end
$var integer 64 & loops $end
$scope module dut $end
$var wire 8 " count [7:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#5
z!
bxxxxxxxx "
b1111 #
r0.5 $
swarm\x20up %
b1111111111111111111111111111111111111111111111111111111111111111 &
0'
0(
0)
0*
0+
0,
#15
1!
b00000010 "
#25
b00000011 "
r-2 $
1'
1(
1)
1*
#40
x!
b0000 #
0'
0(
0)
1,
#55
"#;
        assert_eq!(render(&sample::report()), expected);
    }

    /// The changes of a variable, as another reader sees them: time and value.
    fn read_back(text: &str, name: &str) -> Vec<(u64, String)> {
        let mut wave = simple::read_from_reader(Cursor::new(text.to_owned().into_bytes())).expect("it can be read");
        let hierarchy = wave.hierarchy();
        let found = hierarchy.all_vars().map(|var| &hierarchy[var]).find(|var| var.full_name(hierarchy) == name);
        let reference = found.unwrap_or_else(|| panic!("there is {name}")).signal_ref();
        wave.load_signals(&[reference]);
        let signal = wave.get_signal(reference).expect("it was loaded");
        let time = |index: u32| wave.time_table()[index as usize];
        signal.iter_changes().map(|(index, value)| (time(index), value.to_string())).collect()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = render(&sample::report());
        let read = |name: &str| {
            let changes = read_back(&text, name);
            changes.iter().map(|(time, value)| format!("{time}:{value}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read("top.req"), "5:z 15:1 40:x");
        assert_eq!(read("top.dut.count"), "5:xxxxxxxx 15:00000010 25:00000011");
        assert_eq!(read("top.state"), "5:1111 40:0000");
        assert_eq!(read("top.level"), "5:0.5 25:-2");
        assert_eq!(read("nearmiss.ok.failure"), "5:0 25:1 40:0");
        assert_eq!(read("nearmiss.ok.cause_top_dut_count"), "5:0 25:1 40:0");
        assert_eq!(read("nearmiss.ok.fails_0"), "5:0 25:1");
        assert_eq!(read("nearmiss.loop"), "5:0 40:1");
        assert_eq!(read("top.loops"), format!("5:{}", "1".repeat(64)));
    }

    #[test]
    fn odd_names_and_values_do_not_break_it() {
        let mut report = sample::report();
        report.formulas[0].name = Some("a b $end".into());
        report.formulas[0].formula = "a $end $var".into();
        report.formulas[1].name = Some("a_b__end".into());
        report.wave.signals[0].info.name = "top.$end.x y".into();
        let text = Value::Text(Arc::from("two words\n$end"));
        report.wave.signals[4].values = Values::Changes { at: vec![0], value: vec![text] };
        let text = render(&report);
        assert_eq!(read_back(&text, "top._end.x_y").len(), 3);
        assert_eq!(read_back(&text, "nearmiss.a_b__end.failure").len(), 3);
        assert_eq!(read_back(&text, "nearmiss.a_b__end_2.failure").len(), 1);
        assert!(text.contains("stwo\\x20words\\x0a$end "));
    }

    #[test]
    fn codes_are_short_and_differ() {
        let codes: HashSet<String> = (0..20_000).map(code).collect();
        assert_eq!(codes.len(), 20_000);
        assert_eq!([code(0), code(93), code(94)], ["!", "~", "!!"]);
    }

    #[test]
    fn nothing_is_a_dump_too() {
        let report =
            TraceReport { wave: Wave::default(), formulas: Vec::new(), notes: Vec::new(), seconds: Vec::new() };
        assert_eq!(render(&report), "$version nearmiss causes $end\n$enddefinitions $end\n");
    }
}
