//! Round trips of every kind of thing, and texts that are wrong.

use proptest::prelude::*;

use super::*;

/// One of everything.
const ALL: &str = r#"pointer 64 40
type void = void
type _Bool = bool
type int = integer "int" 32 signed
type char = integer "char" 8 signed character
type unsigned_long = integer "unsigned long" 64 unsigned
type enum_colour = enum "enum colour" 32 unsigned ("RED" 0) ("BLUE" 7) ("LOW" -1)
type float = float "float" 32
type double = float "double" 64
type int_ptr = pointer int
type int_3 = array int 3
type struct_node = struct "struct node" 24 ("next" struct_node_ptr 0 64) ("a" int 64 3 bitfield) ("" int 67 5 bitfield) ("v" int_3 96 96)
type struct_node_ptr = pointer struct_node
type union_u = union "union u" 4 ("i" int 0 32) ("c" char 0 8)
type int_int = function "int (int)"
type int_int_ptr = pointer int_int
type int_ptrptr = pointer int_ptr
type int~16 = integer "int" 32 signed
site s0 "x" int uninitialised "main" @0:10-20
site s1 "nondet_int" int call "main"
site s2 "p" int_ptr parameter "main"
site s3 "*p" int pointee "main"
site s4 "malloc" int allocation "main"
site s5 "e" int extern ""
claim main.assertion.1 assertion "x < \"3\"\\\n" "main" @0:1-2
claim main.division-by-zero.1 division-by-zero "x != 0" "main" @1:1-2
global $_text "\"text\"" char size 5 readonly known (0 8 116) (8 8 101)
global $e int size 4 unknown s5 @0:3-4
global $n struct_node size 24 initialised known
note warning "no body: é" "give one" @0:0-0
note note "nowhere"
start main~0
entry main~1
function main~0 "main" returns int parameters 0 harness
  local %$1 int site s1 temporary
b0:
  input %$1 s1 @0:4-5
  call %$1 = main~1 %$1
  stop
end
function main~1 "main" returns int parameters 1 user @0:1-9
  local %x int site s0 address @0:2-3
  local %p~1 "p" int_ptr site s2
  local %p~2 "p" struct_node_ptr site s2
  local %d double site s0
  local %b _Bool site s0
  local %n struct_node site s0
  local %u union_u site s0
  local %f int_int_ptr site s0
  local %l unsigned_long site s0
  local %r float site s0
b0:
  declare %x
  kill %x
  clear %n
  copy %n = (* %p~2)
  copy $n := %n
  %x = -3:int @0:5-6
  %x := (add (sub (mul %x 2:int) (udiv %x 3:int)) (sdiv %x (urem %x (srem %x 1:int))))
  %x := (shl %x (lshr %x (ashr %x (and %x (or %x (xor %x %x))))))
  assume (or (eq %x 1:int) (or (ne %x 1:int) (or (ult %x 1:int) (or (ule %x 1:int) (or (slt %x 1:int) (sle %x 1:int))))))
  assume (or (sadd_overflows %x %x) (or (ssub_overflows %x %x) (or (smul_overflows %x %x) (or (uadd_overflows %x %x) (or (usub_overflows %x %x) (umul_overflows %x %x))))))
  %d = (fadd (fsub %d 1.5:double) (fmul %d (fdiv -0.0:double 1e300:double)))
  %d = 0x7ff0000000000000:double
  %r = 0.1:float
  %d = (fneg (fabs (fsqrt (ftof %r):double)))
  assume (or (feq %d %d) (or (flt %d %d) (or (fle %d %d) (or (fisnan %d) (fisinf %d)))))
  %x = (ftosi %d):int
  %l = (ftoui %d):unsigned_long
  %d = (sitof %x):double
  %d = (uitof %l):double
  %l = (zext %x):unsigned_long
  %l = (sext %x):unsigned_long
  %x = (trunc %l):int
  %x = (not (neg %x))
  %b = (zext (not (slt %x 1:int))):_Bool
  %x = (ite (trunc %b):_Bool/1 %x 5:int)
  %n.a = (trunc %x):int/3
  %n.#2 = 1:int/5
  %n.v[1:unsigned_long] = (* %p~2).v[(sext %x):unsigned_long]
  %u.c = (* (add &%u.i 1:unsigned_long) char)
  (* %p~1) = (* (* &%p~1))
  %x<char> = 1:char
  %u{int 32} = %u{int 32}
  %f = (function main~1):int_int_ptr
  %p~2 = &%n
  %p~1 = 0x20000000000:int_ptr
  assume (and (valid %p~1 4:unsigned_long) (and (writable %p~1 4:unsigned_long) (and (freeable %p~1) (same %p~1 %p~1))))
  %l = (objectsize %p~1):unsigned_long
  input %p~2 s2 or &%n
  allocate %p~1 = 4:unsigned_long heap s4
  allocate %p~1 = 4:unsigned_long stack zeroed s4 @0:1-2
  free %p~1
  copybytes %p~1 %p~1 4:unsigned_long
  setbytes %p~1 0:char 4:unsigned_long
  claim main.assertion.1 (slt %x 3:int)
  call main~1 %x
  branch (slt %x 1:int) b1 b2 choice @0:7-8
b1:
  unsupported "assembly"
  branch (slt %x 1:int) b1 b3 loop
b2:
  branch (slt %x 1:int) b1 b3 case
b3:
  branch (slt %x 1:int) b1 b4 internal
b4:
  goto b5
b5:
  return %x @0:8-9
end
function no_body "no body" returns struct_node parameters 0 variadic library
end
"#;

#[test]
fn everything_round_trips() {
    // `int~16` has a namesake, so both get numbers.
    let renamed = print(&parse(ALL).unwrap(), None);
    assert_eq!(print(&parse(&renamed).unwrap(), None), renamed);
    let back = renamed.replace("int~2", "int").lines().map(str::to_owned).collect::<Vec<_>>();
    for (got, want) in back.iter().zip(ALL.lines()) {
        assert_eq!(got, want);
    }
    assert_eq!(back.len(), ALL.lines().count());
}

#[test]
fn what_is_left_out_is_filled_in() {
    let program = parse(
        "type int = integer \"int\" 32 signed\nsite s0 \"x\" int call \"f\"\n\
         function f returns int parameters 0 user\nlocal %a int ; a comment\nb0:\nstop\nend\nstart f",
    )
    .unwrap();
    assert_eq!(program.functions[0].locals[0].site.0, 1);
    assert_eq!(program.sites[1].name, "a");
    assert_eq!(program.entry, program.start);
    let again = print(&program, None);
    assert_eq!(print(&parse(&again).unwrap(), None), again);
}

#[test]
fn positions_follow_as_comments() {
    let mut sources = Sources::new();
    sources.add("a.c", "int x;\nint y;\n", false);
    let text = "type int = integer \"int\" 32 signed\nglobal $y int size 4 known @0:11-12\n\
                function f returns int parameters 0 user\nb0:\nstop\nend\nstart f\n";
    let printed = print(&parse(text).unwrap(), Some(&sources));
    assert!(printed.contains("global $y int size 4 known @0:11-12 ; a.c:2:5\n"), "{printed}");
    assert!(parse(&printed).is_ok());
}

#[test]
fn errors_say_where() {
    let int = "type int = integer \"int\" 32 signed\n";
    let body = |line: &str| {
        format!("{int}start f\nfunction f returns int parameters 0 user\nlocal %x int\nb0:\n{line}\nstop\nend\n")
    };
    for (text, error) in [
        (String::new(), "1:1: missing `start`"),
        (
            "nonsense".to_owned(),
            "1:1: expected a declaration: pointer, type, site, claim, global, note, start, entry or function",
        ),
        ("start f".to_owned(), "1:7: there is no function `f`"),
        ("type a = pointer b".to_owned(), "1:18: there is no type `b`"),
        ("type a = pointer a".to_owned(), "1:6: this type contains itself, or too many others"),
        ("type a = struct \"a\" 4 (\"x\" a 0 32)".to_owned(), "1:6: this type contains itself, or too many others"),
        ("type a = integer \"a\" 129 signed".to_owned(), "1:22: a width is 1 to 128 bits"),
        (format!("{int}type int = void"), "2:6: `int` is declared twice"),
        ("note note \"abc".to_owned(), "1:11: unfinished string"),
        ("function f returns".to_owned(), "1:10: this function has no `end`"),
        (body("%x = (add %x)"), "6:13: expected a place: %local, $global or (* pointer)"),
        (body("%x = (plus %x %x)"), "6:7: there is no operator `plus`"),
        (body("%x = %y"), "6:6: there is no `y` here"),
        (body("%x.y = 1:int"), "6:3: there is no field `y`"),
        (body("%x = 1"), "6:7: expected `:` and a type"),
        (body("%x = 1:int 2"), "6:12: expected the end of the line"),
        (body("goto b7"), "6:6: there is no block `b7`"),
        (body("%x = \u{e9}"), "6:6: unexpected 'é'"),
    ] {
        assert_eq!(parse(&text).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let text = format!(
        "type int = integer \"int\" 32 signed\nstart f\nfunction f returns int parameters 0 user\nlocal %x int\nb0:\n%x = {}",
        "(neg ".repeat(1_000_000)
    );
    let error = parse(&format!("{text}\nstop\nend")).unwrap_err();
    assert_eq!((error.line, error.message.as_str()), (6, "nested deeper than 500"));
    let chain: String = (0..10_000).map(|i| format!("type t{i} = array t{} 1\n", i + 1)).collect();
    assert!(parse(&format!("{chain}type t10000 = void")).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_text_panics(text in "[ -~\n]{0,200}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_damaged_program_panics(at in 0..ALL.len(), length in 0usize..6, insert in "[ -~\n]{0,3}") {
        // With its assumptions weakened, so that it runs to its end.
        let weak = ALL.lines().map(|line| match line.strip_prefix("  assume ") {
            Some(condition) => format!("  assume (or 1:_Bool/1 {condition})\n"),
            None => format!("{line}\n"),
        });
        let mut text = weak.collect::<String>().into_bytes();
        let end = (at + length).min(text.len());
        text.splice(at..end, insert.into_bytes());
        if let Ok(program) = parse(&String::from_utf8_lossy(&text)) {
            let printed = print(&program, None);
            let again = parse(&printed).map(|program| print(&program, None));
            prop_assert_eq!(again, Ok(printed));
            let limits = crate::interp::Limits { steps: 500, memory: 1 << 24, ..Default::default() };
            let _ = crate::interp::run(&program, &crate::run::Inputs::default(), &limits);
        }
    }
}
