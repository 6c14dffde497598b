//! Random traces, written in every format that a test can write, come back as they were; waveforms are also read by `wellen`
//! alone, as an oracle.

use std::fmt::Write as _;
use std::io::Cursor;

use fst_writer::{FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection, FstVarType};
use nearmiss_trace::read::trace::{self, Edge, Format, Level, Sampling, Trace};
use nearmiss_trace::wave::{Kind, Wave};
use proptest::prelude::*;

/// The values of a signal, row by row, as texts of its kind.
#[derive(Clone, Debug)]
enum Column {
    /// Characters `01xz`, most significant first.
    Bits(Vec<String>),
    Integer(Vec<i64>),
    Real(Vec<i32>),
    Text(Vec<String>),
}

fn bits(rows: usize, alphabet: &'static str) -> BoxedStrategy<Column> {
    let width = prop_oneof![3 => Just(1), 2 => 2..9usize, 1 => 60..70usize, 1 => Just(130usize)];
    let value = move |width| proptest::collection::vec(proptest::sample::select(alphabet.as_bytes()), width);
    let column = move |width| proptest::collection::vec(value(width), rows);
    let text = |row: Vec<u8>| String::from_utf8(row).unwrap();
    width.prop_flat_map(column).prop_map(move |rows| Column::Bits(rows.into_iter().map(text).collect())).boxed()
}

fn column(rows: usize, alphabet: &'static str) -> BoxedStrategy<Column> {
    let of = proptest::collection::vec::<BoxedStrategy<i64>>;
    prop_oneof![
        3 => bits(rows, alphabet),
        1 => of((-300..300i64).boxed(), rows).prop_map(Column::Integer),
        1 => of((-8..8i64).boxed(), rows).prop_map(|row| Column::Real(row.into_iter().map(|n| n as i32).collect())),
        1 => of((0..3i64).boxed(), rows).prop_map(|row| Column::Text(row.iter().map(|n| format!("name {n}")).collect())),
    ]
    .boxed()
}

fn table(alphabet: &'static str) -> impl Strategy<Value = (usize, Vec<Column>)> {
    (1..25usize).prop_flat_map(move |rows| (Just(rows), proptest::collection::vec(column(rows, alphabet), 1..6)))
}

/// A value as `Value` shows it.
fn shown(column: &Column, row: usize) -> String {
    match column {
        Column::Bits(rows) => {
            let known = rows[row].bytes().all(|bit| bit < b'2');
            if known && rows[row].trim_start_matches('0').len() <= 64 {
                u64::from_str_radix(&rows[row], 2).map_or_else(|_| "0".to_owned(), |number| number.to_string())
            } else if known {
                let digits = rows[row].trim_start_matches('0');
                let digits = format!("{}{digits}", "0".repeat((4 - digits.len() % 4) % 4));
                let digit = |at: usize| format!("{:x}", u8::from_str_radix(&digits[at..at + 4], 2).unwrap());
                format!("0x{}", (0..digits.len()).step_by(4).map(digit).collect::<String>())
            } else {
                rows[row].clone()
            }
        }
        Column::Integer(rows) => rows[row].to_string(),
        Column::Real(rows) => (f64::from(rows[row]) / 4.0).to_string(),
        Column::Text(rows) => rows[row].clone(),
    }
}

fn open(bytes: Vec<u8>) -> Trace {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    trace::open(Cursor::new(bytes)).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn load(bytes: Vec<u8>, format: Format) -> Wave {
    let mut trace = open(bytes);
    assert_eq!(trace.format(), format);
    let all: Vec<usize> = (0..trace.signals().len()).collect();
    trace.load(&all, &Sampling::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn same(wave: &Wave, rows: usize, columns: &[Column]) -> Result<(), TestCaseError> {
    prop_assert_eq!(wave.cycles, rows);
    for (i, column) in columns.iter().enumerate() {
        let signal = wave.signal(&format!("top.s{i}")).or(wave.signal(&format!("s{i}"))).expect("a signal");
        for row in 0..rows {
            prop_assert_eq!(wave.signals[signal].at(row).to_string(), shown(column, row), "s{} row {}", i, row);
        }
    }
    Ok(())
}

/// Only changes are written, vectors without leading zeros, times far apart.
fn vcd(rows: usize, columns: &[Column]) -> String {
    let mut out = "$timescale 1ns $end $scope module top $end\n".to_owned();
    for (i, column) in columns.iter().enumerate() {
        let (kind, size) = match column {
            Column::Bits(rows) => ("wire", rows[0].len()),
            Column::Integer(_) => ("integer", 64),
            Column::Real(_) => ("real", 64),
            Column::Text(_) => ("string", 1),
        };
        let range = if size > 1 && kind == "wire" { format!("[{}:0]", size - 1) } else { String::new() };
        writeln!(out, "$var {kind} {size} i{i} s{i} {range} $end").unwrap();
    }
    out.push_str("$upscope $end $enddefinitions $end\n");
    for row in 0..rows {
        writeln!(out, "#{}", row * 7).unwrap();
        for (i, column) in columns.iter().enumerate() {
            if row > 0 && shown(column, row - 1) == shown(column, row) {
                continue;
            }
            match column {
                Column::Bits(rows) if rows[row].len() == 1 => writeln!(out, "{}i{i}", rows[row]).unwrap(),
                Column::Bits(rows) => {
                    let short = rows[row].trim_start_matches('0');
                    let short = if short.starts_with('1') { short } else { &rows[row] };
                    writeln!(out, "b{short} i{i}").unwrap();
                }
                Column::Integer(rows) => writeln!(out, "b{:b} i{i}", rows[row]).unwrap(),
                Column::Real(_) => writeln!(out, "r{} i{i}", shown(column, row)).unwrap(),
                Column::Text(rows) => writeln!(out, "s{} i{i}", rows[row].replace(' ', "\\040")).unwrap(),
            }
        }
    }
    out
}

/// Whole numbers become bits in waveforms.
fn without_numbers(columns: Vec<Column>) -> Vec<Column> {
    let binary = |column| match column {
        Column::Integer(rows) => Column::Bits(rows.into_iter().map(|n| format!("{n:064b}")).collect()),
        other => other,
    };
    columns.into_iter().map(binary).collect()
}

/// The values of a waveform, as `wellen` alone reads them: per signal the value at each time.
fn oracle(bytes: Vec<u8>) -> Vec<(String, Vec<Option<String>>)> {
    let mut waves = wellen::simple::read_from_reader(Cursor::new(bytes)).unwrap();
    let vars: Vec<_> = waves.hierarchy().all_vars().map(|var| waves.hierarchy()[var].clone()).collect();
    waves.load_signals(&vars.iter().map(wellen::Var::signal_ref).collect::<Vec<_>>());
    let rows = waves.time_table().len() as u32;
    let value = |signal: &wellen::Signal, row| {
        let offset = signal.get_offset(row)?;
        Some(signal.get_value_at(&offset, offset.elements - 1).to_string())
    };
    let values = |var: &wellen::Var| {
        let signal = waves.get_signal(var.signal_ref()).unwrap();
        (var.full_name(waves.hierarchy()), (0..rows).map(|row| value(signal, row)).collect())
    };
    vars.iter().map(values).collect()
}

fn fst(rows: usize, columns: &[Column]) -> Vec<u8> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -9,
        version: "test".to_owned(),
        date: "today".to_owned(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::write_to_mem(&info).unwrap();
    header.scope("top", "", FstScopeType::Module).unwrap();
    let mut signals = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        let Column::Bits(rows) = column else { continue };
        let (kind, name) = (FstSignalType::bit_vec(rows[0].len() as u32), format!("s{i}"));
        let signal = header.var(name, kind, FstVarType::Wire, FstVarDirection::Implicit, None).unwrap();
        signals.push((signal, rows));
    }
    header.up_scope().unwrap();
    let mut body = header.finish().unwrap();
    for row in 0..rows {
        body.time_change(row as u64 * 10).unwrap();
        for (signal, rows) in &signals {
            body.signal_change(*signal, rows[row].as_bytes()).unwrap();
        }
    }
    body.finish().unwrap().into_inner()
}

fn csv(rows: usize, columns: &[Column]) -> String {
    let names: Vec<String> = (0..columns.len()).map(|i| format!("s{i}")).collect();
    let mut out = format!("time,{}\n", names.join(","));
    for row in 0..rows {
        write!(out, "{}", row * 3).unwrap();
        for column in columns {
            let cell = match column {
                Column::Bits(rows) if rows[row].len() > 1 => format!("{}'b{}", rows[row].len(), rows[row]),
                Column::Text(rows) => format!("\"{}\"", rows[row]),
                other => shown(other, row),
            };
            write!(out, ",{cell}").unwrap();
        }
        out.push('\n');
    }
    out
}

fn nusmv(rows: usize, columns: &[Column], loop_start: usize) -> String {
    let mut out = "Trace Description: LTL Counterexample\nTrace Type: Counterexample\n".to_owned();
    for (i, row) in (0..rows).chain([loop_start]).enumerate() {
        if i == loop_start {
            out.push_str("  -- Loop starts here\n");
        }
        writeln!(out, "  -> State: 1.{} <-", i + 1).unwrap();
        for (name, column) in columns.iter().enumerate() {
            let value = match column {
                Column::Bits(rows) if rows[row].len() > 1 => format!("0ub{}_{}", rows[row].len(), rows[row]),
                Column::Bits(rows) => (if rows[row] == "1" { "TRUE" } else { "FALSE" }).to_owned(),
                Column::Real(rows) => format!("f'{}/4", rows[row]),
                other => shown(other, row),
            };
            let before = (i > 0).then(|| shown(column, i.min(rows) - 1));
            if before != Some(shown(column, row)) {
                writeln!(out, "    s{name} = {value}").unwrap();
            }
        }
    }
    out
}

fn itf(rows: usize, columns: &[Column]) -> String {
    let names: Vec<String> = (0..columns.len()).map(|i| format!("\"s{i}\"")).collect();
    let state = |row: usize| {
        let value = |column: &Column| match column {
            Column::Bits(rows) if rows[row].len() == 1 => (rows[row] == "1").to_string(),
            Column::Bits(_) => format!("{{\"#bigint\": \"{}\"}}", shown(column, row)),
            Column::Text(rows) => format!("\"{}\"", rows[row]),
            other => shown(other, row),
        };
        let fields: Vec<String> = columns.iter().zip(&names).map(|(c, name)| format!("{name}: {}", value(c))).collect();
        format!("{{\"#meta\": {{\"index\": {row}}}, {}}}", fields.join(", "))
    };
    let states: Vec<String> = (0..rows).map(state).collect();
    format!("{{\"vars\": [{}], \"states\": [\n{}]}}", names.join(", "), states.join(",\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dumps_come_back((rows, columns) in table("0011xz")) {
        let columns = without_numbers(columns);
        let text = vcd(rows, &columns);
        let wave = load(text.clone().into_bytes(), Format::Vcd);
        same(&wave, rows, &columns)?;
        prop_assert_eq!(&wave.times, &(0..rows as u64).map(|row| row * 7).collect::<Vec<_>>());
        for (name, values) in oracle(text.into_bytes()) {
            let signal = &wave.signals[wave.signal(&name).expect("the same names")];
            for (row, value) in values.iter().enumerate() {
                let ours = match signal.info.kind {
                    Kind::Bits { width, .. } => {
                        let text = value.clone().unwrap_or_else(|| "x".repeat(width as usize));
                        nearmiss_trace::wave::BitVector::parse(&text).unwrap().to_string()
                    }
                    _ => value.clone().unwrap_or_default(),
                };
                prop_assert_eq!(signal.at(row).to_string(), ours);
            }
        }
    }

    #[test]
    fn compressed_waveforms_come_back((rows, columns) in table("0011xz")) {
        let columns: Vec<Column> = columns.into_iter().filter(|column| matches!(column, Column::Bits(_))).collect();
        // The writer leaves out the table of times if there is only the first.
        prop_assume!(!columns.is_empty() && rows > 1);
        let wave = load(fst(rows, &columns), Format::Fst);
        prop_assert_eq!(wave.unit.as_deref(), Some("1ns"));
        same(&wave, rows, &columns)?;
    }

    #[test]
    fn tables_come_back((rows, columns) in table("0011xz")) {
        same(&load(csv(rows, &columns).into_bytes(), Format::Csv), rows, &columns)?;
    }

    #[test]
    fn counterexamples_come_back((rows, columns) in table("01"), start in any::<prop::sample::Index>()) {
        let start = start.index(rows);
        let wave = load(nusmv(rows, &columns, start).into_bytes(), Format::NusmvText);
        prop_assert_eq!(wave.loop_start, Some(start));
        same(&wave, rows, &columns)?;
    }

    #[test]
    fn json_comes_back((rows, columns) in table("01")) {
        let narrow = |column: &Column| !matches!(column, Column::Bits(rows) if rows[0].len() > 64);
        let columns: Vec<Column> = columns.into_iter().filter(narrow).collect();
        prop_assume!(!columns.is_empty());
        same(&load(itf(rows, &columns).into_bytes(), Format::Itf), rows, &columns)?;
    }

    /// Sampling is the same as looking up, for every edge, the value at the time before it.
    #[test]
    fn sampling_looks_before_every_edge(
        clock in proptest::collection::vec(0..4usize, 2..40),
        data in proptest::collection::vec(0..4usize, 40),
        reset in 0..6usize,
    ) {
        let bit = |code: usize| "01xz"[code..=code].to_owned();
        let rows = clock.len();
        let column = |codes: &[usize]| Column::Bits(codes.iter().map(|code| bit(*code)).collect());
        let resets: Vec<usize> = (0..rows).map(|row| usize::from(row < reset)).collect();
        let columns = [column(&clock), column(&data[..rows]), column(&resets)];
        let mut trace = open(vcd(rows, &columns).into_bytes());
        let sampling = Sampling { clock: Some((0, Edge::Rising)), reset: Some((2, Level::High)), loop_start: None };
        let edges = (1..rows).filter(|row| clock[*row] == 1 && clock[row - 1] != 1);
        let all: Vec<usize> = edges.collect();
        let kept: Vec<usize> = all.iter().copied().filter(|row| resets[row - 1] == 0).collect();
        match trace.load(&[1], &sampling) {
            Ok(wave) => {
                prop_assert_eq!(wave.times, kept.iter().map(|row| *row as u64 * 7).collect::<Vec<_>>());
                for (cycle, row) in kept.iter().enumerate() {
                    prop_assert_eq!(wave.signals[0].at(cycle).to_string(), bit(data[row - 1]));
                }
            }
            Err(error) => prop_assert!(kept.is_empty(), "{}", error),
        }
    }
}

#[test]
fn cut_and_foreign_files_are_errors() {
    let whole = fst(9, &[Column::Bits((0..9).map(|i| format!("{i:04b}")).collect())]);
    let mut refused = 0;
    for length in 0..whole.len() {
        let read = trace::open(Cursor::new(whole[..length].to_vec()));
        refused += usize::from(read.and_then(|mut trace| trace.load(&[0], &Sampling::default())).is_err());
    }
    assert!(refused > whole.len() * 3 / 4, "{refused} of {}", whole.len());
    for junk in
        [&b"GHDLwave"[..], b"GHDLwave\n\x10\0\x01\x01\x04\0\0junk junk", b"\x7fELF\0\0\0", b"\xfe\0\0", b"hello"]
    {
        let error = trace::open(Cursor::new(junk.to_vec())).err().expect("no trace");
        assert!(error.help.is_some(), "{error}");
    }
}
