//! Garbage in, errors out: examples, printed programs and traces with random damage are read or refused, never a panic.
//!
//! The same few thousand inputs each time; `fuzz/` looks further. A panic inside the front-end crates is caught by our
//! front end, so what counts for C is only that there is an answer and that its spans can be shown.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::OneFile;
use crate::common::random::Dice;
use nearmiss_explain::given::{self, Given};
use nearmiss_explain::imported::inputs;
use nearmiss_logic::term::Terms;
use nearmiss_logic::text;
use nearmiss_program::c::{self, Options};
use nearmiss_program::program_text;
use nearmiss_program::source::Sources;
use nearmiss_trace::ltl;
use nearmiss_trace::read::trace::{self, Edge, Level, Sampling};
use nearmiss_trace::wave::{Enumerator, Kind, SignalInfo};

/// Enough on any machine; a slow one tries fewer inputs.
const TIME: Duration = Duration::from_secs(6);

/// A text with one to four pieces of damage; `words` are what is thrown in.
fn damaged(dice: &mut Dice, seed: &[u8], words: &[&str]) -> Vec<u8> {
    let mut text = seed.to_vec();
    for _ in 0..=dice.index(4) {
        let at = dice.index(text.len() + 1);
        let end = (at + 1 + dice.index(12)).min(text.len());
        match dice.index(7) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..end)),
            2 => drop(text.splice(at..at, words[dice.index(words.len())].bytes())),
            3 => drop(text.splice(at..end, words[dice.index(words.len())].bytes())),
            4 if at < text.len() => text[at] = dice.index(256) as u8,
            5 => {
                let piece = text[at..end].to_vec();
                drop(text.splice(at..at, piece.repeat(1 + dice.index(40))));
            }
            _ => {
                let from = dice.index(seed.len());
                let piece = seed[from..(from + dice.index(200)).min(seed.len())].to_vec();
                drop(text.splice(at..end, piece));
            }
        }
    }
    text
}

/// Reads C; what was accepted comes back as text, what was refused has a reason.
fn read_c(bytes: Vec<u8>) -> Option<String> {
    let mut sources = Sources::new();
    let loader = OneFile { name: "a.c", bytes: &bytes };
    match c::read(&["a.c".to_owned()], &Options::default(), &loader, &mut sources) {
        Ok(program) => Some(program_text::print(&program, Some(&sources))),
        Err(errors) => {
            assert!(!errors.is_empty());
            for span in errors.iter().filter_map(|error| error.span) {
                let _ = (sources.position(span), sources.line_text(span), sources.text(span));
            }
            None
        }
    }
}

fn examples() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut files: Vec<PathBuf> = [root.clone(), root.join("correct")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let read = |path: PathBuf| (path.clone(), std::fs::read(path).unwrap());
    let files: Vec<_> = files.into_iter().map(read).collect();
    assert!(files.len() > 10);
    files
}

/// Programs as text that the examples become.
fn programs() -> Vec<String> {
    let texts: Vec<String> = examples().into_iter().filter_map(|(_, bytes)| read_c(bytes)).collect();
    assert!(texts.len() > 10);
    texts
}

/// Runs until the number or the time is over.
fn times(number: usize, mut body: impl FnMut(&mut Dice)) {
    let (mut dice, start) = (Dice(2026), Instant::now());
    for done in 0..number {
        if start.elapsed() > TIME {
            assert!(done > number / 100, "only {done} inputs in {TIME:?}");
            return;
        }
        body(&mut dice);
    }
}

#[test]
fn c_sources() {
    let words = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        "*",
        "&",
        "=",
        "->",
        "...",
        "##",
        "\"",
        "'",
        "/*",
        "\\\n",
        "\0",
        "\u{e9}",
        "struct",
        "union",
        "typedef",
        "static",
        "extern",
        "return",
        "goto",
        "case 1:",
        "default:",
        "sizeof",
        "int",
        "float",
        "_Bool",
        "void",
        "const",
        "0",
        "-1",
        "99999999999999999999",
        "1e999",
        "0x",
        "1 << 64",
        "[-1]",
        "{0}",
        ".x =",
        "#if",
        "#endif",
        "#define a a",
        "#include <",
        "#line 0",
        "#line 4294967295 \"b\"\n",
        "# 7\n",
        "__attribute__((aligned(3)))",
        "__builtin_va_arg",
        "__typeof__(",
        "main",
        "((((((((",
        "? :",
    ];
    let seeds = examples();
    times(1500, |dice| {
        let seed = &seeds[dice.index(seeds.len())].1;
        read_c(damaged(dice, seed, &words));
    });
}

#[test]
fn runs_as_json() {
    let program = "int nondet_int(void); struct s { char c; int flag : 3; int a[2]; };
        int main(void) { struct s s; int a[3]; double d; int n = nondet_int();
        __CPROVER_assert(n != 3 || a[2] != 7 || s.a[1] != 2 || s.flag != 1 || d < 2.0, \"far\"); }";
    let mut sources = Sources::new();
    let loader = OneFile { name: "a.c", bytes: program.as_bytes() };
    let program = c::read(&["a.c".to_owned()], &Options::default(), &loader, &mut sources).expect("it is C");
    let seed = r#"{"schema": "nearmiss/1", "counterexample": {"inputs": [
        {"name": "n", "type": "int", "value": "3", "line": 2}, {"name": "a[2]", "value": 7},
        {"name": "s.a[1]", "value": "0x2", "occurrence": 1}, {"name": "s.flag", "value": "'\u0001'"},
        {"name": "d", "value": "2.5"}]}}"#;
    let words =
        ["{", "}", "[", "]", "\"", ",", ":", "null", "-1", "1e999", "\"name\": ", "a[99999999999999999999]", "0x"];
    times(4000, |dice| {
        let text = String::from_utf8_lossy(&damaged(dice, seed.as_bytes(), &words)).into_owned();
        let file = sources.add("run.json", text.as_str(), false);
        match inputs::read(&text) {
            Err(error) => assert!(error.at as usize <= text.len() && !error.message.is_empty()),
            Ok(entries) => {
                let given = Given { entries: &entries, file, properties: &[] };
                let _ = given::inputs(&program, &sources, &given);
            }
        }
    });
}

#[test]
fn programs_as_text() {
    let words = [
        "(",
        ")",
        "\"",
        "%x",
        "$g",
        "&",
        ":int",
        "/0",
        "/129",
        "0:",
        "-1:int",
        "@0:",
        "@9:9-1",
        "b9",
        "b0:",
        "end",
        "stop",
        "type t = pointer t",
        "type t = array t 4294967296",
        "integer",
        "function",
        "local %x int",
        ".#9",
        "[%x]",
        "{int 0}",
        "s9",
        "\n",
        "~0",
        "é",
        "(add",
        "(eq %x",
        "340282366920938463463374607431768211456",
        "unsigned",
        "size 0",
        "\0",
    ];
    let seeds = programs();
    times(4000, |dice| {
        let seed = &seeds[dice.index(seeds.len())];
        let text = damaged(dice, seed.as_bytes(), &words);
        let Ok(program) = program_text::parse(&String::from_utf8_lossy(&text)) else { return };
        let printed = program_text::print(&program, None);
        let again = program_text::parse(&printed).unwrap_or_else(|error| panic!("{error} in\n{printed}"));
        assert_eq!(program_text::print(&again, None), printed);
    });
}

#[test]
fn terms_as_text() {
    let words = [
        "(",
        ")",
        "|",
        "x:8",
        "x:9",
        "x",
        "x!3",
        "m:4:8",
        ":",
        "%0",
        "%0 =",
        "root",
        "var",
        "array",
        "0:1",
        "-1:128",
        "0x",
        "1:129",
        "(extract 7 0",
        "(zext 128",
        "(concat",
        "(store",
        "(select",
        "(const_array 0",
        "(ite",
        "(mul",
        ";",
        "\n",
        "é",
    ];
    let seeds = [
        "(ult (add x:8 3:8) (select m:4:8 (extract 3 0 x:8)))",
        "(ite (slt x:32 y:32) (mul x:32 8:32) (sdiv (zext 32 z:16) y))",
        "var x 8\narray m 4 8\n%0 = (extract 3 0 x)\n%1 = (store m %0 (ashr x 3:8))\nroot %1\nroot (not x)\n",
        "(concat (extract 15 8 (sext 32 x:8)) (shl x:8 (urem 7:8 y:8)))",
    ];
    times(20_000, |dice| {
        let seed = seeds[dice.index(seeds.len())].as_bytes();
        let text = String::from_utf8_lossy(&damaged(dice, seed, &words)).into_owned();
        let _ = text::parse(&mut Terms::new(), &text);
        let mut terms = Terms::new();
        let Ok(roots) = text::parse_dag(&mut terms, &text) else { return };
        let printed = text::print_dag(&terms, &roots);
        assert_eq!(text::parse_dag(&mut terms, &printed), Ok(roots), "{printed}");
    });
}

/// Opens and loads everything, by every edge of the first signals and without a clock.
fn read_trace(bytes: Vec<u8>) {
    let length = bytes.len();
    let mut trace = match trace::open(Cursor::new(bytes)) {
        Ok(trace) => trace,
        Err(error) => {
            assert!(!error.message.is_empty() && error.at.is_none_or(|at| at.line <= length as u64 + 1), "{error}");
            return;
        }
    };
    let all: Vec<usize> = (0..trace.signals().len().min(50)).collect();
    for clock in [None, Some(0), Some(1)].map(|clock| clock.filter(|signal| *signal < all.len())) {
        let clock = clock.map(|signal| (signal, Edge::Rising));
        let reset = clock.map(|(signal, _)| (signal, Level::Low));
        for reset in [None, reset] {
            let Ok(wave) = trace.load(&all, &Sampling { clock, reset, loop_start: None }) else { continue };
            assert!(wave.cycles > 0 && wave.signals.len() == all.len());
            assert!(wave.times.is_empty() || wave.times.len() == wave.cycles);
            assert!(wave.loop_start.is_none_or(|start| start < wave.cycles));
            for signal in &wave.signals {
                let _ = (signal.at(0).to_string(), signal.at(wave.cycles - 1).to_string());
            }
        }
    }
}

const TRACES: [&str; 6] = [
    "$date today $end $timescale 1 ns $end $scope module top $end $var wire 1 ! clk $end $var reg 8 \" d [7:0] $end
$attrbegin misc 07 st 2 idle busy 0 1 1 $end $attrbegin misc 07 \"\" 1 $end $var wire 1 & s $end
$var real 64 # r $end $var string 1 $ t $end $var event 1 % e $end $upscope $end $enddefinitions $end
#0 $dumpvars 0! bx \" r0.5 # sa\\040b $ $end #5 1! b101 \" 1% #10 0! bz \" $comment no $end #15 1! r1e3 # 1%\n",
    "*** This is NuSMV 2.6.0\n-- specification G a  is false\nTrace Description: LTL Counterexample\nTrace Type: Counterexample
  -> State: 1.1 <-\n    a = TRUE\n    w = 0ud8_255\n    n = -3\n  -> Input: 1.2 <-\n    i = FALSE\n  -- Loop starts here
  -> State: 1.2 <-\n    a = FALSE\n    w = 0sd8_-1\n    s.x[0] = idle\n    f = f'1/2\n  -> State: 1.3 <-\n    a = FALSE\n",
    "<?xml version=\"1.0\"?>\n<counter-example type=\"0\" desc=\"x\"><node><state id=\"1\"><value variable=\"a\">TRUE</value>
<value variable=\"s\">a &amp; b</value></state><input id=\"2\"><value variable=\"i\">0ub4_0101</value></input></node>
<node><state id=\"2\"><value variable=\"a\">FALSE</value></state></node><loops> 1 </loops></counter-example>\n",
    r##"{"#meta": {"format": "ITF"}, "vars": ["b", "m"], "states": [{"b": true, "m": {"#map": [["k", 1], [2, {"#set": [3, 1]}]]}},
{"b": false, "m": {"#map": []}, "r": {"x": {"#bigint": "123456789012345678901234567890"}, "t": {"#tup": [1, "a"]}}},
{"b": true, "m": 1.5}], "loop": 1}"##,
    "time,clk,d,v,t\n0,0,5,8'hff,idle\n5,1,-3,8'b1x0z,\"a,b\"\n10,0,,4'sd7,\"q\"\"q\"\n15,1,0x1f,x,1.5\n",
    "a;b\n1;true\n0;false\n1;x\n",
];

#[test]
fn traces() {
    let words = [
        "$end",
        "$var wire 1 ! a $end",
        "$scope module m $end",
        "$upscope $end",
        "$enddefinitions $end",
        "$comment",
        "#7",
        "#0",
        "#18446744073709551615",
        "b1 !",
        "bx \"",
        "0!",
        "r1 #",
        "s\\xff $",
        "$var event 0 ! e $end",
        "$dumpoff",
        "-> State: 1.2 <-",
        "-> Input: 1.9 <-",
        "-- Loop starts here\n",
        "    a = 0ud99999999_1\n",
        " = ",
        "0sd1_-1",
        "f'1/0",
        "TRUE",
        "<state id=\"9\">",
        "</state>",
        "<value variable=\"\">",
        "<loops>0</loops>",
        "&#x110000;",
        "<!--",
        "/>",
        "{",
        "}",
        "[",
        "]",
        "\"",
        ",",
        ";",
        "\n",
        "null",
        "-1",
        "1e999",
        "\"#map\": ",
        "\"#set\": [",
        "\"loop\": 0",
        "time",
        "8'hx",
        "1'sb1",
        "70000'h1",
        "é",
        "\0",
        "340282366920938463463374607431768211456",
        "\t",
        "\r\n",
        "[7:0]",
        "[0:99]",
    ];
    times(30_000, |dice| {
        let seed = TRACES[dice.index(TRACES.len())].as_bytes();
        read_trace(damaged(dice, seed, &words));
    });
    for seed in TRACES {
        read_trace(seed.as_bytes().to_vec());
    }
}

/// Panics of the crate that reads these are caught.
#[test]
fn compressed_waveforms() {
    use fst_writer::{FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection, FstVarType};
    let (version, date) = ("test".to_owned(), "today".to_owned());
    let info = FstInfo { start_time: 0, timescale_exponent: -9, version, date, file_type: FstFileType::Verilog };
    let mut header = FstHeaderWriter::write_to_mem(&info).expect("a header");
    header.scope("top", "", FstScopeType::Module).expect("a scope");
    let mut variable = |name: &str, width: u32| {
        let kind = FstSignalType::bit_vec(width);
        header.var(name, kind, FstVarType::Wire, FstVarDirection::Implicit, None).expect("a variable")
    };
    let (clock, data) = (variable("clk", 1), variable("data", 9));
    header.up_scope().expect("a scope");
    let mut body = header.finish().expect("a body");
    for time in 0..40u64 {
        body.time_change(time).expect("a time");
        body.signal_change(clock, if time % 2 == 0 { b"0" } else { b"1" }).expect("a change");
        body.signal_change(data, format!("{:09b}", time * 11).as_bytes()).expect("a change");
    }
    let seed = body.finish().expect("a file").into_inner();
    times(1000, |dice| {
        let mut bytes = damaged(dice, &seed, &["\0", "\x01", "\x7f", "\0\0\0\0"]);
        // What makes it one of these stays.
        let start = bytes.len().min(9);
        bytes[..start].copy_from_slice(&seed[..start]);
        read_trace(bytes);
    });
}

/// A few signals of each kind.
fn signals() -> Vec<SignalInfo> {
    let kinds = [("top.a", 1), ("top.b", 1), ("top.u1.ready", 1), ("top.u2.ready", 1), ("count", 8), ("wide", 130)];
    let bits = |width| Kind::Bits { width, signed: width == 8, low: 0, descending: true };
    let info = |name: &str, kind| SignalInfo {
        name: name.to_owned(),
        kind,
        enumerators: Vec::new(),
        wire: None,
        radix: Default::default(),
    };
    let mut all: Vec<SignalInfo> = kinds.iter().map(|(name, width)| info(name, bits(*width))).collect();
    all.extend([info("n", Kind::Integer), info("r", Kind::Real), info("mode", Kind::Text)]);
    all[4].enumerators.push(Enumerator { name: "IDLE".to_owned(), bits: None });
    all
}

#[test]
fn formulas() {
    let words = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "[*",
        "[->2]",
        "[=1:$]",
        "[*0]",
        "[*1:3]",
        "##",
        "##[1:$]",
        "##0",
        "|->",
        "|=>",
        "#-#",
        ";",
        ":",
        "?",
        "X ",
        "G[1:2]",
        " U ",
        " until_ ",
        " before! ",
        "next_event(a)[3]",
        "always ",
        "never ",
        "!",
        "~",
        "-",
        "&",
        "|",
        "^",
        "==",
        "<",
        "=",
        "$past(",
        "$rose(",
        "count",
        "n",
        "r",
        "mode",
        "ready",
        "wide",
        "8'd255",
        "4'bx",
        "'1",
        "\"01\"",
        "0x",
        "1e9",
        "99999999999999999999999999999999999999999",
        "`",
        "\\X ",
        "@(posedge a)",
        "disable iff (b)",
        "accept_on(a)",
        " within ",
        " intersect ",
        " throughout ",
        "first_match(",
        "strong(",
        "\n",
        "--",
        "/*",
        "\u{e9}",
        "\0",
        " in {1,[2:3]}",
        "**",
        ">>>",
        "{3{",
        "F[0:4294967295]",
        "[7:0]",
        "[n]",
    ];
    let seeds = [
        "G (a -> F[2:5] b) & (count[7:4] + 1 == 3 | mode = busy)",
        "always ({a; b[*]; !a} |=> next_event(b)[2](count != IDLE))",
        "assert property (@(posedge a) disable iff (b) a ##[1:3] b[*2] |-> (a[->2] within b[=1:4]) or $past(count, 2) > 8'hf0);",
        "p: (a until! b) abort $fell(u1.ready)\nLTLSPEC NAME q := O[0,3] (n in 0..3 & r < 1.5)\nH (a S b) <-> Y wide[129]",
        "(a ? {count, 4'b1x0z} : 12'd3) === -n ** 2 && &count ^ $onehot(wide) >>> 3",
    ];
    let signals = signals();
    times(20_000, |dice| {
        let seed = seeds[dice.index(seeds.len())].as_bytes();
        let text = String::from_utf8_lossy(&damaged(dice, seed, &words)).into_owned();
        let shown = |error: &ltl::FormulaError, text: &str| {
            assert!(text.get(error.range.clone()).is_some() && !error.message.is_empty(), "{error:?} in\n{text}");
        };
        let formulas = match ltl::parse_file(&text) {
            Ok(formulas) => formulas,
            Err(error) => return shown(&error, &text),
        };
        for formula in formulas {
            let printed = formula.to_string();
            let again = ltl::parse(&printed).unwrap_or_else(|error| panic!("{error} in\n{printed}\n{text}"));
            assert_eq!(again.tree, formula.tree, "{printed}\n{text}");
            if let Err(error) = ltl::bind(&formula, &signals, None) {
                shown(&error, &formula.text);
            }
        }
    });
}
