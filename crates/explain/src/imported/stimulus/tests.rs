//! Each form by example, and what is said of what is wrong.

use nearmiss_program::hardware::btor2;
use nearmiss_program::source::FileId;

use super::*;

/// Inputs `a` (4 bits) and `go`; `n` starts as anything, `z` as 0, `free` has no next value; `mem` has four words.
const MODEL: &str = "\
1 sort bitvec 4
2 sort bitvec 1
3 sort bitvec 2
4 sort array 3 1
5 input 1 a
6 input 2 go
7 state 1 n
8 state 1 z
9 zero 1
10 init 1 8 9
11 next 1 7 5
12 next 1 8 5
13 state 1 sub.free
14 state 4 mem
15 next 4 14 14
16 constd 3 3
17 read 1 14 16
18 eq 2 17 7
19 eq 2 13 5
20 and 2 18 19
21 and 2 20 6
22 bad 21
";

fn model() -> Model {
    btor2::read(MODEL, FileId(0), "top").expect("it is a model")
}

fn told(text: &str) -> Result<Told, ReadError> {
    read(text.as_bytes().to_vec(), &model(), None)
}

/// A word of something by name: in a cycle, or at the start.
fn value(told: &Told, name: &str, cycle: Option<usize>) -> u32 {
    let model = model();
    let id = (0..model.nodes.len()).find(|id| model.node(*id).name.as_deref() == Some(name)).expect("it has a name");
    let of = cycle.map_or(&told.stimulus.started, |cycle| &told.stimulus.cycles[cycle]);
    of.get(&id).map_or(0, |bits| bits.iter().rev().fold(0, |value, bit| value * 2 + u32::from(*bit)))
}

fn places(told: &Told) -> Vec<(u64, usize)> {
    let places = told.stimulus.memories.values().flatten();
    places.map(|(address, word)| (*address, word.iter().filter(|bit| **bit).count())).collect()
}

/// What all three tests below tell.
fn is_the_run(told: &Told) {
    assert_eq!(told.stimulus.cycles.len(), 2);
    assert_eq!([value(told, "a", Some(0)), value(told, "a", Some(1))], [5, 12]);
    assert_eq!([value(told, "go", Some(0)), value(told, "go", Some(1))], [0, 1]);
    assert_eq!(value(told, "n", None), 9);
    assert_eq!(value(told, "sub.free", None), 2);
    assert_eq!(value(told, "sub.free", Some(0)), 12, "it becomes that in cycle 1");
    assert_eq!(places(told), [(3, 2)]);
    assert_eq!(told.notes, Vec::<String>::new());
}

#[test]
fn a_witness_of_btor2() {
    let text = "sat\nb0\n#0\n0 1001 n#0\n2 0010\n3 [11] 0101 mem\n@0\n0 0101 a@0\n1 0\n#1\n2 1100\n@1\n0 1100\n1 1\n.\n@7\n0 1\n";
    is_the_run(&told(text).expect("it is one"));
}

#[test]
fn a_witness_of_yosys() {
    let text = r#"{"format": "Yosys Witness Trace", "clocks": [], "signals": [
        {"path": ["\\a"], "width": 4, "offset": 0, "init_only": false},
        {"path": ["\\go"], "width": 1, "offset": 0, "init_only": false},
        {"path": ["\\sub", "\\free"], "width": 3, "offset": 1, "init_only": false},
        {"path": ["\\n"], "width": 4, "offset": 0, "init_only": true},
        {"path": ["\\mem", "\\[3]"], "width": 4, "offset": 0, "init_only": true},
        {"path": ["\\other"], "width": 1, "offset": 0, "init_only": true}],
        "steps": [{"bits": "10101100100100101"}, {"bits": "11011100"}]}"#;
    is_the_run(&told(text).expect("it is one"));
}

#[test]
fn a_waveform() {
    let text = "\
$scope module top $end
$var wire 4 a a [3:0] $end
$var wire 1 g go $end
$var wire 4 n n [3:0] $end
$scope module sub $end
$var wire 4 f free [3:0] $end
$var wire 4 q a [3:0] $end
$upscope $end
$var wire 4 m mem(3) $end
$upscope $end
$enddefinitions $end
#0
b0101 a
0g
b1001 n
b0010 f
b0101 m
b1111 q
#10
b1100 a
b1100 f
1g
b0000 n
";
    let mut told = told(text).expect("it is one");
    assert_eq!(told.notes.len(), 1, "every time stamp counts: {:?}", told.notes);
    told.notes.clear();
    is_the_run(&told);
    let clocked = read(text.as_bytes().to_vec(), &model(), Some(&("go".to_owned(), Edge::Rising))).expect("it is one");
    assert_eq!(clocked.stimulus.cycles.len(), 2, "one before the edge, and what is left after it");
    assert_eq!(value(&clocked, "a", Some(0)), 5, "what is sampled is from before the edge");
    assert_eq!([value(&clocked, "a", Some(1)), value(&clocked, "go", Some(1))], [12, 1]);
    assert_eq!(clocked.notes, Vec::<String>::new());
    let early = text.replace("#0\n", "#0\n1g\n#1\n");
    let early = read(early.into_bytes(), &model(), Some(&("go".to_owned(), Edge::Rising))).expect("it is one");
    assert_eq!(early.stimulus.cycles.len(), 2, "at the first edge nothing has a value");
}

#[test]
fn what_we_write_is_the_failing_run() {
    let text = "\
$scope module failing $end
$var wire 4 a a [3:0] $end
$upscope $end
$scope module passing $end
$var wire 4 b a [3:0] $end
$upscope $end
$enddefinitions $end
#0
b0101 a
b1111 b
";
    let told = told(text).expect("it is one");
    assert_eq!(value(&told, "a", Some(0)), 5);
    assert_eq!(told.notes, ["the given run says nothing of `go`: 0 is taken for that"]);
}

#[test]
fn a_witness_of_aiger() {
    let bits = btor2::read(
        "1 sort bitvec 1\n2 input 1 a\n3 input 1 b\n4 state 1 s\n5 next 1 4 2\n6 and 1 3 4\n7 bad 6\n",
        FileId(0),
        "m",
    )
    .expect("it is a model");
    let told = read(b"1\nb0\n1\n01\n1x\n.\n".to_vec(), &bits, None).expect("it is one");
    let set = |values: &HashMap<NodeId, Bits>| {
        let mut set: Vec<NodeId> = values.iter().filter(|(_, bits)| bits[0]).map(|(id, _)| *id).collect();
        set.sort_unstable();
        set
    };
    assert_eq!(set(&told.stimulus.started), [2]);
    assert_eq!(told.stimulus.cycles.iter().map(set).collect::<Vec<_>>(), [[1], [0]]);
    let error = read(b"1\nb0\n1\n011\n.\n".to_vec(), &bits, None).expect_err("a row is too long");
    assert_eq!(
        (error.at.map(|at| at.line), error.message.as_str()),
        (Some(4), "2 digits are expected here, one for each")
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let wrong = |text: &str| {
        let error = told(text).map(|_| ()).expect_err(text);
        format!("{}: {}", error.at.map_or(0, |at| at.line), error.message)
    };
    assert_eq!(wrong("sat\nb0\n#0\n@0\n0 01\n.\n"), "5: `01` is not 4 bits");
    assert_eq!(wrong("sat\nb0\n@0\n9 0\n"), "4: `9 0` is about something that the model does not have");
    assert_eq!(wrong("sat\n0 0\n"), "2: `0 0` is in no frame");
    assert_eq!(wrong("unsat\n"), "1: this says that nothing is violated");
    assert_eq!(wrong("0\nb0\n.\n"), "1: this says that nothing is violated");
    assert_eq!(wrong("@99999999999999999999\n"), "1: `@99999999999999999999` is no number of a frame");
    assert_eq!(wrong("@99999999999\n"), format!("0: it has more than {LONGEST} cycles"));
    assert_eq!(wrong("sat\nb0\n.\n"), "0: it has no cycle");
    assert_eq!(wrong(r#"{"format": "Yosys Witness Trace"}"#), "0: this is no Yosys witness: it has no signals");
    assert!(wrong("$enddefinitions $end\n#0\n").starts_with("0: no signal of it has the name of an input"));
    assert_eq!(wrong("module fifo (\n  input a,\n  input b\n"), "0: this is no run of a model that is known");
    assert_eq!(wrong(""), "0: the file is empty");
}
