//! Programs as text, run on inputs.

use proptest::prelude::*;

use super::operators::{binary, convert, unary};
use super::*;
use crate::location::Part;
use crate::program::{BinaryOp, ClaimId, Conversion, SiteId, UnaryOp};
use crate::program_text::parse;
use crate::run::{Content, RunStepKind};
use crate::show;

const TYPES: &str = r#"
type void = void
type _Bool = bool
type int = integer "int" 32 signed
type unsigned = integer "unsigned" 32 unsigned
type char = integer "char" 8 signed character
type uchar = integer "unsigned char" 8 unsigned character
type size_t = integer "unsigned long" 64 unsigned
type float = float "float" 32
type double = float "double" 64
type int_ptr = pointer int
type char_ptr = pointer char
type int_3 = array int 3
type int_2_3 = array int_3 2
type int_8 = array int 8
type pair = struct "struct pair" 8 ("x" int 0 32) ("y" int 32 32)
type pair_ptr = pointer pair
type bits = struct "struct bits" 4 ("a" int 0 3 bitfield) ("b" unsigned 3 13 bitfield) ("c" int 16 16 bitfield)
type word = union "union word" 4 ("i" unsigned 0 32) ("c" chars 0 32) ("f" float 0 32)
type chars = array uchar 4
type big = struct "struct big" 40 ("v" int_8 0 256) ("p" pair 256 64)
type big_ptr = pointer big
type huge = array char 549755813887
site s0 "nondet_int" int call "main"
site s1 "malloc" int allocation "main"
site s2 "nondet_pair" pair call "main"
site s3 "nondet_ptr" int_ptr call "main"
site s4 "nondet_bool" _Bool call "main"
site s5 "e" int_3 extern ""
claim c1 assertion "" "main"
claim c2 assertion "" "main"
start $START
entry main
"#;

/// A harness that calls `main`, around functions.
fn program(functions: &str) -> Program {
    let text = format!(
        "{}\n{functions}\nfunction begin \"main\" returns int parameters 0 harness\nlocal %r int temporary\n\
         b0:\ncall %r = main\nstop\nend\n",
        TYPES.replace("$START", "begin")
    );
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// `main` with these locals and lines.
fn main_with(locals: &str, body: &str) -> Program {
    let locals: String = locals.lines().map(|line| format!("local {}\n", line.trim())).collect();
    program(&format!("function main returns int parameters 0 user\n{locals}b0:\n{body}\nend"))
}

fn execute(program: &Program, inputs: &Inputs) -> Execution {
    Interpreter::new(program).execute(inputs, &Limits::default(), Recording::Steps)
}

/// What `main` returns as a signed number.
fn returns(program: &Program) -> i128 {
    let execution = execute(program, &Inputs::default());
    assert_eq!(execution.run.outcome, Outcome::Finished);
    sign_extend(execution.returned.unwrap(), 32)
}

/// The steps as text.
fn steps(program: &Program, execution: &Execution) -> Vec<String> {
    let names = |object| execution.object_name(program, object);
    let shown = |name: &str, ty, value| format!("{name} = {}", show::value_with(program, ty, value, &names));
    let text = execution.run.steps.iter().map(|step| {
        let text = match &step.kind {
            RunStepKind::Input { name, ty, value, .. } => format!("input {}", shown(name, *ty, *value)),
            RunStepKind::Assign { name, ty, value } => shown(name, *ty, *value),
            RunStepKind::Branch { taken, .. } => format!("branch {taken}"),
            RunStepKind::Call { callee } => format!("call {}", program.function(*callee).name),
            RunStepKind::Return { value: None } => "return".to_owned(),
            RunStepKind::Return { value: Some((ty, value)) } => shown("return", *ty, *value),
            RunStepKind::Claim { claim, held, .. } => format!("claim {} {held}", program.claims[claim.index()].id),
        };
        format!("{} {text}", step.depth)
    });
    text.collect()
}

#[test]
fn assignments_and_branches() {
    let sum = main_with(
        "%i int\n%s int",
        "%i = 0:int\n%s = 0:int\ngoto b1\nb1:\nbranch (slt %i 10:int) b2 b3 loop\nb2:\n%s = (add %s %i)\n\
         %i = (add %i 1:int)\ngoto b1\nb3:\nreturn %s",
    );
    assert_eq!(returns(&sum), 45);
}

#[test]
fn steps_show_what_a_person_wrote() {
    let p = program(
        "function f returns int parameters 2 user
           local %a int
           local %q pair
         b0:
           return (add %a %q.y)
         end
         function model returns int parameters 1 library
           local %x int
           local %y int
         b0:
           %y = (add %x 1:int)
           claim c1 (slt %y 100:int)
           branch (slt %y 0:int) b1 b1 choice
         b1:
           input %y s0
           return %y
         end
         function main returns int parameters 0 user
           local %p pair
           local %v int_3
           local %t int temporary
           local %r int
           local %ptr pair_ptr
           local %b bits
         b0:
           declare %p
           clear %p
           %p.x = 1:int
           %p.y = -2:int
           call %t = f %p.x object %p
           %v[2:size_t] = %t
           %t = 5:int
           %t := 6:int
           %p.x := 7:int
           call %r = model %t
           %ptr = &%p
           (* %ptr).y = 9:int
           copy (* %ptr) = %p
           %b.a = -1:int/3
           branch (eq %r 0:int) b1 b2 choice
         b1:
           branch (eq %r 0:int) b2 b2 internal
         b2:
           claim c2 0:_Bool/1
           return 0:int
         end",
    );
    let execution = execute(&p, &Inputs { calls: vec![3], ..Inputs::default() });
    assert_eq!(
        steps(&p, &execution),
        [
            "0 call main",
            "1 p.x = 1",
            "1 p.y = -2",
            "1 call f",
            "2 a = 1",
            "2 return = -1",
            "1 v[2] = -1",
            "2 claim c1 true",
            "2 input nondet_int = 3",
            "1 r = 3",
            "1 ptr = &p",
            "1 ptr->y = 9",
            "1 ptr->x = 7",
            "1 ptr->y = 9",
            "1 b.a = -1",
            "1 branch false",
            "1 claim c2 false",
        ]
    );
    assert_eq!(execution.run.outcome, Outcome::Violated(ClaimId(1)));
}

#[test]
fn inputs_run_out_and_are_cut() {
    let p = main_with(
        "%x int\n%b _Bool\n%p int_ptr\n%q int_ptr\n%y int\n%f bits",
        "input %x s0\ninput %b s4\ninput %p s3\ninput %q s3\ninput %f.a s0\ninput %y s0\nreturn %y",
    );
    let calls = vec![0x1_ffff_fffe, 6, 0, 77, 15];
    let execution = execute(&p, &Inputs { calls, ..Inputs::default() });
    assert_eq!(
        steps(&p, &execution)[1..],
        [
            "1 input nondet_int = -2",
            "1 input nondet_bool = 0",
            "1 input nondet_ptr = NULL",
            "1 input nondet_ptr = 0x4d",
            "1 input nondet_int = -1",
            "1 input nondet_int = 0",
            "1 return = 0",
        ]
    );
}

#[test]
fn undefined_contents_come_from_the_inputs() {
    let p = program(
        "site s6 \"a\" int_3 uninitialised \"main\"
         global $e int_3 size 12 unknown s5
         function main returns int parameters 0 user
           local %a int_3 site s6 address
           local %i int
           local %s int
           local %p int_ptr
           local %r pair
         b0:
           %s = 0:int
           goto b1
         b1:
           declare %a
           %s := (add (mul %s 10:int) (add %a[0:size_t] %a[1:size_t]))
           kill %a
           %i := (add %i 1:int)
           branch (slt %i 2:int) b1 b2 internal
         b2:
           allocate %p = 8:size_t heap s1
           %s := (add (mul %s 10:int) (* (add %p 4:size_t)))
           input %r s2
           return (add (mul (add (mul %s 10:int) $e[1:size_t]) 10:int) %r.y)
         end",
    );
    let piece = |bit_offset, value| Content { bit_offset, bits: 32, value };
    let byte = Content { bit_offset: 80, bits: 8, value: 0xab };
    let mut inputs = Inputs::default();
    inputs.contents.insert((SiteId(6), 0), vec![piece(0, 1), piece(32, 2), byte]);
    inputs.contents.insert((SiteId(6), 1), vec![piece(32, 4)]);
    inputs.contents.insert((SiteId(1), 0), vec![piece(32, 5)]);
    inputs.contents.insert((SiteId(5), 0), vec![piece(32, 6)]);
    inputs.contents.insert((SiteId(2), 0), vec![piece(32, 7), piece(64, 9)]);
    let execution = execute(&p, &inputs);
    assert_eq!(
        steps(&p, &execution),
        [
            "0 input e[1] = 6",
            "0 call main",
            "1 s = 0",
            "1 input a[0] = 1",
            "1 input a[1] = 2",
            "1 input a (bits 80 to 87) = 171",
            "1 input a[1] = 4",
            "1 input malloc[1] = 5",
            "1 input nondet_pair.y = 7",
            "1 return = 34567",
        ]
    );
}

#[test]
fn locals_that_nobody_declares_come_to_life_when_touched() {
    let p = program(
        "site s6 \"x\" int uninitialised \"main\"
         function main returns int parameters 0 user
           local %x int site s6
           local %t int site s6 temporary
         b0:
           kill %x
           return (add (add %x %x) (mul %t 100:int))
         end",
    );
    let mut inputs = Inputs::default();
    for occurrence in 0..3 {
        let value = 5 + u128::from(occurrence);
        inputs.contents.insert((SiteId(6), occurrence), vec![Content { bit_offset: 0, bits: 32, value }]);
    }
    assert_eq!(execute(&p, &inputs).returned, Some(10));
}

#[test]
fn arrays_and_paths() {
    let p = main_with(
        "%a int_2_3\n%i size_t\n%g big",
        "%i := 1:size_t\n%a[%i][2:size_t] = 5:int\n%a[0:size_t][5:size_t] := (add %a[1:size_t][2:size_t] 1:int)\n\
         %g.v[7:size_t] = 3:int\n%g.p.y = %g.v[(sub 8:size_t %i)]\nreturn (add (mul %a[%i][%i] 0:int) (add (mul 10:int %a[1:size_t][2:size_t]) %g.p.y))",
    );
    assert_eq!(returns(&p), 63);
}

#[test]
fn outside_reads_are_zero_and_writes_are_lost() {
    let p = main_with(
        "%a int_3\n%b int_3 address\n%p int_ptr\n%n int_ptr\n%x int\n%i size_t",
        "%a[3:size_t] = 1:int\n%a[-1:size_t] = 1:int\n%x = (add %a[3:size_t] %a[-1:size_t])\n%i := 4611686018427387904:size_t\n\
         %a[%i] = 7:int\n%p = (add &%b[0:size_t] 12:size_t)\n(* %p) = 5:int\n(* %n) = 5:int\n\
         (* 0x10000000000:int_ptr) = 5:int\n\
         return (add (add %x (* %p)) (add (* %n) (add (* 0x10000000000:int_ptr) (add %a[0:size_t] %b[0:size_t]))))",
    );
    assert_eq!(returns(&p), 0);
}

#[test]
fn bit_fields_and_unions_share_bits() {
    let p = main_with(
        "%b bits\n%w word\n%x int\n%p char_ptr",
        "%b.c = -1:int/16\n%b.a = 5:int/3\n%b.b = 8191:unsigned/13\n%b.b = 0:unsigned/13\n\
         claim c1 (and (eq %b.a -3:int/3) (and (eq %b.c -1:int/16) (eq %b{unsigned 32} 4294901765:unsigned)))\n\
         %w.f = 1.0:float\nclaim c2 (and (eq %w.i 1065353216:unsigned) (eq %w.c[3:size_t] 63:uchar))\n\
         %w.c[0:size_t] = 255:uchar\nreturn (trunc (zext %w.c[0:size_t]):size_t):int",
    );
    assert_eq!(returns(&p), 255);
}

#[test]
fn pointers_to_locals_dangle_after_their_life() {
    let p = program(
        "function f returns int_ptr parameters 1 user
           local %x int address
         b0:
           claim c1 (writable &%x 4:size_t)
           return &%x
         end
         function main returns int parameters 0 user
           local %p int_ptr
           local %y int address
         b0:
           call %p = f 42:int
           claim c1 (not (valid %p 1:size_t))
           claim c1 (eq (* %p) 0:int)
           declare %y
           %p = &%y
           (* %p) = 3:int
           claim c1 (valid %p 4:size_t)
           claim c1 (not (valid %p 5:size_t))
           claim c1 (valid (add %p 4:size_t) 0:size_t)
           kill %y
           claim c1 (not (valid %p 4:size_t))
           declare %y
           claim c1 (not (valid %p 4:size_t))
           claim c1 (not (same %p &%y))
           return 0:int
         end",
    );
    assert_eq!(returns(&p), 0);
}

#[test]
fn a_local_gets_a_number_although_nobody_announced_it() {
    let p = main_with(
        "%x int\n%g big\n%p int_ptr\n%q int_ptr",
        "%x = 1:int\n%g.v[3:size_t] = 5:int\n%p = &%x\n(* %p) = 7:int\n%q = &%g.v[3:size_t]\n(* %q) = (add (* %q) %x)\n\
         return (add (mul %x 100:int) %g.v[3:size_t])",
    );
    assert_eq!(returns(&p), 712);
}

#[test]
fn heap() {
    let p = main_with(
        "%p int_ptr\n%q int_ptr",
        "allocate %p = 12:size_t heap s1\nallocate %q = 8:size_t heap zeroed s1\n\
         claim c1 (and (freeable %p) (and (freeable 0x0:int_ptr) (not (freeable (add %p 4:size_t)))))\n\
         claim c1 (eq (objectsize (add %p 4:size_t)):size_t 12:size_t)\nclaim c1 (and (same %p (add %p 12:size_t)) (not (same %p %q)))\n\
         (* (add %p 8:size_t)) = 9:int\nfree 0x0:int_ptr\nfree %p\nclaim c1 (eq (objectsize %p):size_t 0:size_t)\n\
         claim c2 (freeable %p)\nreturn 0:int",
    );
    let execution = execute(&p, &Inputs::default());
    assert_eq!(execution.run.outcome, Outcome::Violated(ClaimId(1)));
    let shown = steps(&p, &execution);
    assert_eq!(shown[shown.len() - 3], "1 p[2] = 9");
}

#[test]
fn names_of_allocations_are_counted() {
    let p = main_with(
        "%p int_ptr\n%q int_ptr",
        "allocate %p = 12:size_t heap s1\n%q = %p\nallocate %p = 12:size_t stack s1\n%q = (add %p 4:size_t)\nreturn 0:int",
    );
    let shown = steps(&p, &execute(&p, &Inputs::default()));
    assert_eq!(shown[1..3], ["1 q = &malloc", "1 q = &malloc#2+4"]);
}

#[test]
fn what_a_temporary_points_to_is_named_as_the_object_it_is() {
    let p = main_with(
        "%a int_3 address\n%p int_ptr temporary\n%b big address\n%q pair_ptr temporary\n%h char_ptr temporary",
        "%p := &%a[1:size_t]\n(* %p) = 1:int\n(* (add %p 4:size_t)) = 2:int\n%q := &%b.p\n(* %q).y = 3:int\n\
         allocate %p = 12:size_t heap s1\n(* (add %p 8:size_t)) = 4:int\n(* 0x0:int_ptr) = 5:int\nreturn 0:int",
    );
    let shown = steps(&p, &execute(&p, &Inputs::default()));
    assert_eq!(shown[1..6], ["1 a[1] = 1", "1 a[2] = 2", "1 b.p.y = 3", "1 malloc[2] = 4", "1 *NULL = 5"]);
}

#[test]
fn stack_memory_dies_with_its_function_and_huge_memory_is_cheap() {
    let p = program(
        "function f returns int_ptr parameters 0 user
           local %p int_ptr
         b0:
           allocate %p = 4:size_t stack s1
           claim c1 (and (valid %p 4:size_t) (not (freeable %p)))
           return %p
         end
         function main returns int parameters 0 user
           local %p int_ptr
           local %q char_ptr
           local %h huge
         b0:
           call %p = f
           claim c1 (not (valid %p 4:size_t))
           allocate %p = 549755813888:size_t heap s1
           claim c1 (eq %p 0x0:int_ptr)
           allocate %q = 549755813887:size_t heap s1
           claim c1 (ne %q 0x0:char_ptr)
           (* (add %q 549755813886:size_t)) = 7:char
           %h[549755813880:size_t] = 1:char
           return (sext (add (* (add %q 549755813886:size_t)) %h[549755813880:size_t])):int
         end",
    );
    assert_eq!(returns(&p), 8);
}

#[test]
fn read_only_and_functions() {
    let p = program(
        "global $s \"\\\"hi\\\"\" chars size 3 readonly known (0 8 104) (8 8 105)
         function main returns int parameters 0 user
           local %p char_ptr
         b0:
           claim c1 (and (valid &$s:char_ptr 3:size_t) (not (writable &$s:char_ptr 3:size_t)))
           claim c1 (not (valid (function main):char_ptr 1:size_t))
           claim c1 (not (valid 0x0:char_ptr 0:size_t))
           claim c1 (and (same (function main):char_ptr (function main):char_ptr) (same 0x0:char_ptr 0x0:char_ptr))
           return (zext (* (add &$s:char_ptr 1:size_t) uchar)):int
         end",
    );
    assert_eq!(returns(&p), 105);
}

#[test]
fn bytes_move_also_where_they_overlap() {
    let p = main_with(
        "%p char_ptr\n%q char_ptr\n%i size_t\n%big char_ptr\n%big2 char_ptr",
        "allocate %p = 10000:size_t heap s1\n%q := %p\nsetbytes %p 1:char 5000:size_t\n(* %p) = 9:char\n(* (add %p 4999:size_t)) = 8:char\n\
         copybytes (add %p 1:size_t) %p 5000:size_t\nclaim c1 (and (eq (* (add %p 1:size_t)) 9:char) (eq (* (add %p 5000:size_t)) 8:char))\n\
         copybytes %p (add %p 1:size_t) 5000:size_t\nclaim c1 (and (eq (* %p) 9:char) (eq (* (add %p 4999:size_t)) 8:char))\n\
         claim c1 (eq (* (add %p 2500:size_t)) 1:char)\n\
         setbytes (add %p 9999:size_t) 3:char 99:size_t\nclaim c1 (eq (* (add %p 9999:size_t)) 3:char)\n\
         allocate %big = 8388608:size_t heap s1\nallocate %big2 = 8388608:size_t heap s1\n(* (add %big 8388000:size_t)) = 6:char\n\
         copybytes %big2 %big 8388608:size_t\nreturn (sext (* (add %big2 8388000:size_t))):int",
    );
    assert_eq!(returns(&p), 6);
}

#[test]
fn records_are_passed_and_returned() {
    let p = program(
        "function swap returns pair parameters 1 user
           local %p pair
           local %q pair
         b0:
           %q.x = %p.y
           %q.y = %p.x
           return object %q
         end
         function id returns big parameters 1 user
           local %b big
         b0:
           return object %b
         end
         function main returns int parameters 0 user
           local %p pair
           local %b big
           local %c big address
         b0:
           %p.x = 3:int
           %p.y = 4:int
           call %b.p = swap object %p
           %b.v[5:size_t] = 7:int
           call %c = id object %b
           clear %b
           copy %b = (* &%c:big_ptr)
           return (add (mul 100:int %b.v[5:size_t]) (add (mul 10:int %b.p.x) %b.p.y))
         end",
    );
    assert_eq!(returns(&p), 743);
    let shown = steps(&p, &execute(&p, &Inputs::default()));
    assert!(shown.contains(&"1 b.p.x = 4".to_owned()), "{shown:?}");
    assert!(shown.contains(&"1 c.v[5] = 7".to_owned()), "{shown:?}");
}

#[test]
fn recursion_is_as_deep_as_its_limit() {
    let p = program(
        "function down returns int parameters 1 user
           local %n int
           local %r int
         b0:
           branch (eq %n 0:int) b1 b2 choice
         b1:
           return 0:int
         b2:
           call %r = down (sub %n 1:int)
           return (add %r 1:int)
         end
         function main returns int parameters 0 user
           local %r int
         b0:
           call %r = down 9000:int
           return %r
         end",
    );
    assert_eq!(returns(&p), 9000);
    let limits = Limits { depth: 9001, ..Limits::default() };
    assert_eq!(run(&p, &Inputs::default(), &limits).outcome, Outcome::Exhausted);
    let limits = Limits { depth: 9002, ..Limits::default() };
    assert_eq!(run(&p, &Inputs::default(), &limits).outcome, Outcome::Finished);
}

#[test]
fn limits_end_runs() {
    let spin = main_with("%x int", "goto b1\nb1:\n%x = (add %x 1:int)\ngoto b1");
    let limits = Limits { steps: 1001, ..Limits::default() };
    let execution = Interpreter::new(&spin).execute(&Inputs::default(), &limits, Recording::Outcome);
    assert_eq!((execution.run.outcome, execution.run.steps.len()), (Outcome::Exhausted, 0));
    assert_eq!(execution.steps, 1002);
    let stop = Stop::when(std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true)));
    let limits = Limits { stop, ..Limits::default() };
    assert_eq!(run(&spin, &Inputs::default(), &limits).outcome, Outcome::Exhausted);
    let limits = Limits { memory: 1_000_000, ..Limits::default() };
    assert_eq!(run(&spin, &Inputs::default(), &limits).outcome, Outcome::Exhausted);
    let eat = main_with("%p int_ptr", "goto b1\nb1:\nallocate %p = 100000:size_t heap s1\ngoto b1");
    let limits = Limits { memory: 10_000_000, ..Limits::default() };
    let execution = Interpreter::new(&eat).execute(&Inputs::default(), &limits, Recording::Outcome);
    assert_eq!(execution.run.outcome, Outcome::Exhausted);
    assert!(execution.steps < 300);
    let write = main_with(
        "%p char_ptr",
        "allocate %p = 500000000000:size_t heap s1\nsetbytes %p 1:char 500000000000:size_t\nreturn 0:int",
    );
    let execution = Interpreter::new(&write).execute(&Inputs::default(), &limits, Recording::Outcome);
    assert_eq!(execution.run.outcome, Outcome::Exhausted);
    assert!(execution.steps < 3000);
}

/// How often each statement of the user's is executed, as blocks are counted: the trace says it one by one.
#[test]
fn blocks_are_counted_as_statements_are_executed() {
    let p = program(
        "function f returns int parameters 1 user
           local %n int
           local %i int
         b0:
           %i = 0:int
           goto b1
         b1:
           branch (slt %i %n) b2 b3 loop
         b2:
           %i = (add %i 1:int)
           claim c1 (slt %i 3:int)
           %n = %n
           goto b1
         b3:
           return %i
         end
         function main returns int parameters 0 user
           local %s int
         b0:
           %s = 0:int
           call %s = f 2:int
           call %s = f 5:int
           %s = 1:int
           return %s
         end",
    );
    let inputs = Inputs::default();
    let (outcome, trace) = Interpreter::new(&p).follow(&inputs, &Limits::default());
    assert_eq!(outcome, Outcome::Violated(ClaimId(0)));
    for recording in [Recording::Reached, Recording::Deeds] {
        let execution = Interpreter::new(&p).execute(&inputs, &Limits::default(), recording);
        assert_eq!(execution.reached.len(), 2);
        for (function, counts) in &execution.reached {
            for (at, block) in p.function(*function).blocks.iter().enumerate() {
                for index in 0..block.statements.len() {
                    let left = execution
                        .standing
                        .iter()
                        .filter(|(of, standing, from)| (*of, standing.index()) == (*function, at) && index >= *from);
                    // The first is what was there before the run.
                    let events = trace.events.iter().skip(1).filter(|event| {
                        let here = &event.location;
                        (here.function, here.block.index(), here.index as usize) == (*function, at, index)
                            && here.part == Part::Whole
                    });
                    assert_eq!(counts[at] as usize - left.count(), events.count(), "{function:?} b{at} {index}");
                }
            }
        }
    }
}

#[test]
fn objects_run_out() {
    let text = "pointer 16 8\ntype size_t = integer \"size_t\" 16 unsigned\ntype p = pointer size_t\ntype _Bool = bool\nsite s0 \"m\" size_t allocation \"f\"\n\
                start f\nfunction f returns size_t parameters 0 user\nlocal %p p\nb0:\nallocate %p = 127:size_t heap s0\nbranch (eq %p 0x0:p) b1 b0 choice\nb1:\nstop\nend";
    let p = parse(text).unwrap();
    let execution = Interpreter::new(&p).execute(&Inputs::default(), &Limits::default(), Recording::Outcome);
    assert_eq!(execution.run.outcome, Outcome::Exhausted);
    assert!(execution.steps < 600);
    let p = parse(&text.replace("127", "128")).unwrap();
    assert_eq!(run(&p, &Inputs::default(), &Limits::default()).outcome, Outcome::Finished);
}

#[test]
fn other_ends() {
    let outcome = |body: &str| run(&main_with("%x int", body), &Inputs::default(), &Limits::default()).outcome;
    assert_eq!(outcome("assume (slt %x 0:int)\nclaim c1 0:_Bool/1\nreturn 0:int"), Outcome::Excluded);
    assert_eq!(outcome("claim c1 (slt %x 0:int)\nassume 0:_Bool/1\nreturn 0:int"), Outcome::Violated(ClaimId(0)));
    assert_eq!(outcome("unsupported \"asm\"\nreturn 0:int"), Outcome::Unsupported("asm".to_owned()));
    assert_eq!(outcome("stop"), Outcome::Finished);
    let p = program(
        "function g returns void parameters 0 user\nend\nfunction main returns int parameters 0 user\nb0:\ncall g\nreturn 0:int\nend",
    );
    assert!(matches!(run(&p, &Inputs::default(), &Limits::default()).outcome, Outcome::Unsupported(_)));
}

#[test]
fn globals_are_read_at_the_end() {
    let p = program(
        "global $g int size 4 known (0 32 5)\nfunction main returns int parameters 0 user\nb0:\n$g = (mul $g 3:int)\nreturn 0:int\nend",
    );
    assert_eq!(run_and_read(&p, &Inputs::default(), &Limits::default(), "g").1, Some(15));
    assert_eq!(run_and_read(&p, &Inputs::default(), &Limits::default(), "h").1, None);
}

#[test]
fn expressions_of_every_kind() {
    for (expr, value) in [
        ("(ite (slt -1:int 0:int) 7:int 8:int)", 7),
        ("(ite (ult -1:int 0:int) 7:int 8:int)", 8),
        ("(ftosi (fadd 1.5:double 2.25:double)):int", 3),
        ("(ftosi (fdiv (fsub 1.0:float 4.0:float) (fmul 2.0:float 0.5:float))):int", -3),
        ("(ftosi (fsqrt (fabs (fneg 16.0:double)))):int", 4),
        (
            "(ite (fisnan (fdiv 0.0:double 0.0:double)) (ite (fisinf (fdiv 1.0:double -0.0:double)) 1:int 2:int) 3:int)",
            1,
        ),
        (
            "(ite (and (feq 0.0:double -0.0:double) (and (flt 1.0:float 2.0:float) (fle 2.0:float 2.0:float))) 1:int 2:int)",
            1,
        ),
        ("(ftosi (ftof (ftof 0.1:double):float):double):int", 0),
        ("(ftosi (sitof -7:int):double):int", -7),
        ("(ftosi (fdiv (uitof -1:int):double 1000.0:double)):int", 4294967),
        ("(trunc (ftoui 3e9:double):size_t):int", 3_000_000_000u32 as i32 as i128),
        ("(sext (trunc 511:int):char):int", -1),
        ("(zext (trunc 511:int):uchar):int", 255),
        ("(zext (slt 1:int 2:int)):int", 1),
        ("(not 5:int)", -6),
        ("(neg -2147483648:int)", -2_147_483_648),
    ] {
        assert_eq!(returns(&main_with("%x int", &format!("return {expr}"))), value, "{expr}");
    }
}

#[test]
fn division_by_zero_and_wide_shifts_follow_smt_lib() {
    use BinaryOp::*;
    for (op, a, b, want) in [
        (UDiv, 7, 0, 0xff),
        (URem, 7, 0, 7),
        (SDiv, 7, 0, 0xff),
        (SDiv, 0xf9, 0, 1),
        (SRem, 0xf9, 0, 0xf9),
        (SDiv, 0x80, 0xff, 0x80),
        (SRem, 0x80, 0xff, 0),
        (Shl, 1, 8, 0),
        (LShr, 0x80, 200, 0),
        (AShr, 0x80, 200, 0xff),
        (AShr, 0x40, 8, 0),
    ] {
        assert_eq!(binary(op, 8, a, b), want, "{op:?} {a} {b}");
    }
    assert_eq!(binary(AShr, 128, 1 << 127, u128::MAX), u128::MAX);
    assert_eq!(binary(SDiv, 1, 1, 0), 1);
}

#[test]
fn floats_that_do_not_fit_integers() {
    let double = |value: f64| u128::from(value.to_bits());
    let signed = |value, to| convert(Conversion::FloatToSigned, 64, to, double(value));
    let unsigned = |value, to| convert(Conversion::FloatToUnsigned, 64, to, double(value));
    assert_eq!(signed(2147483648.0, 32), 0x8000_0000);
    assert_eq!(signed(2147483647.9, 32), 0x7fff_ffff);
    assert_eq!(signed(-2147483648.9, 32), 0x8000_0000);
    assert_eq!(signed(f64::NAN, 32), 0x8000_0000);
    assert_eq!(signed(f64::INFINITY, 128), 1 << 127);
    assert_eq!(signed(-1e30, 128), (-1e30 as i128) as u128);
    assert_eq!(unsigned(-1.0, 32), 0xffff_ffff);
    assert_eq!(unsigned(4294967296.0 + 5.0, 32), 5);
    assert_eq!(unsigned(1e30, 32), 0);
    assert_eq!(unsigned(1.8446744073709552e19, 64), 0);
    assert_eq!(unsigned(18446744073709549568.0, 64), 18446744073709549568);
    assert_eq!(unsigned(f64::NAN, 64), 0);
    assert_eq!(unsigned(-0.5, 64), 0);
    assert_eq!(convert(Conversion::FloatToFloat, 64, 32, double(f64::NAN)), 0x7fc0_0000);
}

/// Checks every operator at one width against Rust's own integers.
macro_rules! agrees_with_rust {
    ($u:ty, $i:ty) => {
        proptest! {
            #[test]
            fn integers(a in any::<$u>(), b in prop_oneof![any::<$u>(), 0..=130 as $u]) {
                const WIDTH: u32 = <$u>::BITS;
                let op = |op, a: $u, b: $u| binary(op, WIDTH, u128::from(a), u128::from(b)) as $u;
                let truth = |which, a: $u, b: $u| binary(which, WIDTH, u128::from(a), u128::from(b)) == 1;
                let (sa, sb) = (a as $i, b as $i);
                prop_assert_eq!(op(BinaryOp::Add, a, b), a.wrapping_add(b));
                prop_assert_eq!(op(BinaryOp::Sub, a, b), a.wrapping_sub(b));
                prop_assert_eq!(op(BinaryOp::Mul, a, b), a.wrapping_mul(b));
                if b != 0 {
                    prop_assert_eq!(op(BinaryOp::UDiv, a, b), a / b);
                    prop_assert_eq!(op(BinaryOp::URem, a, b), a % b);
                    prop_assert_eq!(op(BinaryOp::SDiv, a, b), sa.wrapping_div(sb) as $u);
                    prop_assert_eq!(op(BinaryOp::SRem, a, b), sa.wrapping_rem(sb) as $u);
                }
                let shift = b % WIDTH as $u;
                prop_assert_eq!(op(BinaryOp::Shl, a, shift), a << shift);
                prop_assert_eq!(op(BinaryOp::LShr, a, shift), a >> shift);
                prop_assert_eq!(op(BinaryOp::AShr, a, shift), (sa >> shift) as $u);
                prop_assert_eq!(op(BinaryOp::And, a, b), a & b);
                prop_assert_eq!(op(BinaryOp::Or, a, b), a | b);
                prop_assert_eq!(op(BinaryOp::Xor, a, b), a ^ b);
                prop_assert_eq!(truth(BinaryOp::Eq, a, b), a == b);
                prop_assert_eq!(truth(BinaryOp::Ne, a, b), a != b);
                prop_assert_eq!(truth(BinaryOp::ULt, a, b), a < b);
                prop_assert_eq!(truth(BinaryOp::ULe, a, b), a <= b);
                prop_assert_eq!(truth(BinaryOp::SLt, a, b), sa < sb);
                prop_assert_eq!(truth(BinaryOp::SLe, a, b), sa <= sb);
                prop_assert_eq!(truth(BinaryOp::SAddOverflows, a, b), sa.checked_add(sb).is_none());
                prop_assert_eq!(truth(BinaryOp::SSubOverflows, a, b), sa.checked_sub(sb).is_none());
                prop_assert_eq!(truth(BinaryOp::SMulOverflows, a, b), sa.checked_mul(sb).is_none());
                prop_assert_eq!(truth(BinaryOp::UAddOverflows, a, b), a.checked_add(b).is_none());
                prop_assert_eq!(truth(BinaryOp::USubOverflows, a, b), a.checked_sub(b).is_none());
                prop_assert_eq!(truth(BinaryOp::UMulOverflows, a, b), a.checked_mul(b).is_none());
                prop_assert_eq!(unary(UnaryOp::Not, WIDTH, u128::from(a)) as $u, !a);
                prop_assert_eq!(unary(UnaryOp::Neg, WIDTH, u128::from(a)) as $u, a.wrapping_neg());
                prop_assert_eq!(convert(Conversion::SignExtend, WIDTH, 128, u128::from(a)), sa as i128 as u128);
                prop_assert_eq!(convert(Conversion::Truncate, WIDTH, 5, u128::from(a)), u128::from(a) & 31);
                let wide = |bits: u128| f64::from_bits(bits as u64);
                prop_assert_eq!(wide(convert(Conversion::SignedToFloat, WIDTH, 64, u128::from(a))), sa as f64);
                prop_assert_eq!(wide(convert(Conversion::UnsignedToFloat, WIDTH, 64, u128::from(a))), a as f64);
            }

            /// Where the number fits; what happens elsewhere is ours to say.
            #[test]
            fn floats(value in any::<f64>(), small in -1e6..1e6f64) {
                const WIDTH: u32 = <$u>::BITS;
                for value in [value, small] {
                    let bits = u128::from(value.to_bits());
                    if value > -1.0 && (value as $u) < <$u>::MAX {
                        prop_assert_eq!(convert(Conversion::FloatToUnsigned, 64, WIDTH, bits) as $u, value as $u);
                    }
                    if (value as $i) < <$i>::MAX && (value as $i) > <$i>::MIN && !value.is_nan() {
                        prop_assert_eq!(convert(Conversion::FloatToSigned, 64, WIDTH, bits) as $i, value as $i);
                    }
                }
            }
        }
    };
}

mod at_8_bits {
    use super::*;
    agrees_with_rust!(u8, i8);
}

mod at_16_bits {
    use super::*;
    agrees_with_rust!(u16, i16);
}

mod at_32_bits {
    use super::*;
    agrees_with_rust!(u32, i32);
}

mod at_64_bits {
    use super::*;
    agrees_with_rust!(u64, i64);
}

mod at_128_bits {
    use super::*;
    agrees_with_rust!(u128, i128);
}
