//! Nets that are one signal under several names: in VCD by one identifier code, in FST by an alias. A formula may use any of the names,
//! and several of them in one formula are one signal.

use std::io::Cursor;

use fst_writer::{FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection, FstVarType};
use nearmiss_trace::causes::{Asked, CausesOptions, explain};
use nearmiss_trace::ltl::{bind, parse};
use nearmiss_trace::read::trace::{self, Sampling};
use nearmiss_trace::report::{TraceReport, TraceVerdict};

const ROWS: [&str; 4] = ["0", "1", "1", "0"];

fn vcd() -> Vec<u8> {
    let mut text = "$timescale 1ns $end $scope module top $end $var wire 1 ! req $end $scope module dut $end \
                    $var wire 1 ! req_i $end $upscope $end $upscope $end $enddefinitions $end\n"
        .to_owned();
    for (row, value) in ROWS.iter().enumerate() {
        text += &format!("#{}\n{value}!\n", row * 10);
    }
    text.into_bytes()
}

fn fst() -> Vec<u8> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -9,
        version: "test".to_owned(),
        date: "today".to_owned(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::write_to_mem(&info).unwrap();
    let bit = FstSignalType::bit_vec(1);
    header.scope("top", "", FstScopeType::Module).unwrap();
    let wire = header.var("req", bit, FstVarType::Wire, FstVarDirection::Implicit, None).unwrap();
    header.scope("dut", "", FstScopeType::Module).unwrap();
    header.var("req_i", bit, FstVarType::Wire, FstVarDirection::Input, Some(wire)).unwrap();
    header.up_scope().unwrap();
    header.up_scope().unwrap();
    let mut body = header.finish().unwrap();
    for (row, value) in ROWS.iter().enumerate() {
        body.time_change(row as u64 * 10).unwrap();
        body.signal_change(wire, value.as_bytes()).unwrap();
    }
    body.finish().unwrap().into_inner()
}

fn judged(file: Vec<u8>, text: &str) -> (usize, TraceReport) {
    let mut trace = trace::open(Cursor::new(file)).unwrap();
    let formula = parse(text).unwrap();
    let bound = bind(&formula, trace.signals(), None).unwrap();
    let wave = trace.load(&bound.signals, &Sampling::default()).unwrap();
    let asked = Asked { formula: &formula, bound: &bound, signals: (0..bound.signals.len()).collect() };
    let report = explain(wave, &[asked], &CausesOptions::default()).unwrap();
    (bound.atoms.len(), report)
}

#[test]
fn several_names_of_one_net_are_one_signal() {
    for file in [vcd(), fst()] {
        let (atoms, report) = judged(file.clone(), "G(top.req -> top.dut.req_i)");
        assert_eq!((atoms, report.wave.signals.len()), (1, 1));
        assert!(matches!(report.formulas[0].verdict, TraceVerdict::Holds(_)), "{:?}", report.formulas[0].verdict);
        // One net that is asked for under both names in two cycles: two causes, on one line of the wave.
        let (atoms, report) = judged(file, "G(req -> X !req_i)");
        assert_eq!((atoms, report.wave.signals.len()), (1, 1));
        let dots: Vec<(usize, usize)> = report.formulas[0].failures[0]
            .causes
            .iter()
            .flat_map(|c| &c.dots)
            .map(|dot| (dot.signal, dot.time))
            .collect();
        assert_eq!(dots, [(0, 1), (0, 2)]);
    }
}
