//! The front end: small C texts and the trees they become.

mod print;

use nearmiss_program::c::tree::*;
use nearmiss_program::c::{DataModel, Options, front};
use nearmiss_program::program::Type;
use nearmiss_program::source::Sources;
use print::{Files, Read, message, read_files, read_text};

/// The body of `f`.
fn body(text: &str) -> String {
    match read_text(text) {
        Ok(read) => read.body("f"),
        Err(errors) => format!("ERROR {errors}"),
    }
}

/// Every call of a function, as spans' texts: the call, then its arguments.
fn calls(read: &Read, name: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for expr in &read.tree.exprs {
        if let ExprKind::Call { callee, arguments } = &expr.kind
            && let ExprKind::FunctionAddress(function) = read.tree.expr(*callee).kind
            && read.tree.function(function).name == name
        {
            let spans = std::iter::once(expr.span).chain(arguments.iter().map(|a| read.tree.expr(*a).span));
            found.push(spans.map(|span| read.text(span).to_owned()).collect());
        }
    }
    found
}

#[test]
fn a_plain_program() {
    let read = read_text("int f(int a) { int b = a; while (b < 10) b += 2L; return b; }").unwrap();
    assert_eq!(
        read.whole(),
        "int f(int a) { int b = {0+32: `a}; while (Less(`b, 10)) b Add[long]= 2:long; return `b; }\n"
    );
}

#[test]
fn pointers_arrays_and_records() {
    assert_eq!(
        body("int a[4]; int f(int *p, int i) { p++; p -= i; return a[i] + p[1] + *(p + 2) + 1[a] + (int)(p - a); }"),
        "{ p += [1] old; p -= [`i]; return Add(Add(Add(Add(`a[`i], `*((`p + [1]))), `*((`p + [2]))), `a[1]), \
         ((int))Distance(`p, &a)); }"
    );
    assert_eq!(
        body(
            "struct s { int x; struct { int y; }; } g; int f(struct s *p) { struct s t = *p; p->y = t.x; g = t; return (*p).x; }"
        ),
        "{ struct s t = {0+64: `*(`p)}; *(`p)..y = `t.x; g = `t; return `*(`p).x; }"
    );
    assert_eq!(
        body("struct s { int a[2]; }; struct s g(void); int f(int i) { return g().a[i]; }"),
        "{ return `<struct s temporary = {0+64: &g()}>.a[`i]; }"
    );
    assert_eq!(
        body("int g(int); int f(void) { int (*h)(int) = g, (*k)(int) = &g; return h(1) + (*k)(2) + (**g)(3); }"),
        "{ int(int) * h = {0+64: &g}, int(int) * k = {0+64: &g}; return Add(Add(`h(1), `k(2)), &g(3)); }"
    );
}

#[test]
fn conditions_are_any_scalar() {
    assert_eq!(
        body("int f(char *p, double d, int i) { if (p) return !d; return p && i || i ?: 3; }"),
        "{ if (`p) return !(`d); return (((`p && `i) || `i) ?  : 3); }"
    );
    assert_eq!(body("_Bool f(int *p) { return p; }"), "{ return (_Bool)`p; }");
}

#[test]
fn loops_and_jumps() {
    assert_eq!(
        body(
            "int f(int n) { for (int i = 0; i < n; ++i) { if (i == 3) continue; do n--; while (n); goto out; } out: return n; }"
        ),
        "{ for (int i = {0+32: 0}; Less(`i, `n); i += [1]) { if (Equal(`i, 3)) continue; do n -= [1] old; while (`n); goto L0; } \
         L0: return `n; }"
    );
    assert_eq!(
        body("int f(char c) { switch (c) { case 'a' ... 'c': case -1: return 1; default: break; } return 0; }"),
        "{ switch ((int)`c) { case 97...99: case -1: return 1; default: break; } return 0; }"
    );
}

#[test]
fn initialisers() {
    let read = read_text(
        "struct s { int a : 3; unsigned b : 7; int c[3]; } x = { .b = 5, .c = { [1] = 2 } };\n\
         char t[] = \"hi\", u[2] = \"hi\"; int *p = &x.c[1]; int (*q)(void); int r = sizeof x + 'a';\n\
         int f(int n) { struct s y = { n, .c = { 1, n } }; static int z = 4; char v[4] = \"a\"; return z; }",
    )
    .unwrap();
    assert_eq!(
        read.whole().lines().filter(|line| !line.contains("literal")).collect::<Vec<_>>().join("\n"),
        "Static struct s x = {3+7: 5:unsigned int, 64+32: 2}\n\
         Static char[3] t = {0+24: \"hi\"}\n\
         Static char[2] u = {0+16: \"hi\"}\n\
         Static int * p = {0+64: &x+8}\n\
         Static int(void) * q\n\
         Static int r = {0+32: 113}\n\
         Static int z = {0+32: 4}\n\
         int f(int n) { struct s y = {0+3: `n, 32+32: 1, 64+32: `n}; ; char[4] v = {0+16: \"a\"}; return `z; }"
    );
}

#[test]
fn literals_statement_expressions_and_conditionals() {
    assert_eq!(
        body(
            "struct p { int x, y; }; int g(struct p *); int f(int n) { return g(&(struct p){ n, 2 }) + ({ int k = n; k + 1; }); }"
        ),
        "{ return Add(&g(&<struct p compound = {0+32: `n, 32+32: 2}>), ({ int k = {0+32: `n}; Add(`k, 1); })); }"
    );
    assert_eq!(body("int f(int a, long b) { return a ? a : b; }"), "{ return (int)(`a ? (long)`a : `b); }");
}

#[test]
fn bit_fields_and_unions_are_laid_out() {
    let read = read_text(
        "struct s { char c; int a : 3; unsigned b : 30; union { int i; double d; } u; char tail[]; } x;\n\
         typedef struct { short n; } small; small y; typedef enum { RED, BLUE = 7 } colour; colour z;",
    )
    .unwrap();
    let Type::Record { fields, size, .. } = read.tree.ty(read.object("x").ty) else { panic!("a record") };
    let shown: Vec<_> = fields.iter().map(|f| (f.name.as_str(), f.bit_offset, f.bits, f.bit_field)).collect();
    let expected =
        [("c", 0, 8, false), ("a", 8, 3, true), ("b", 32, 30, true), ("u", 64, 64, false), ("tail", 128, 0, false)];
    assert_eq!(shown, expected);
    assert_eq!(*size, 16);
    assert_eq!(read.ty(read.object("y").ty), "small");
    let Type::Enum { name, members, signed, .. } = read.tree.ty(read.object("z").ty) else { panic!("an enumeration") };
    assert_eq!((name.as_str(), *signed), ("colour", false));
    assert_eq!(members, &[("RED".to_owned(), 0), ("BLUE".to_owned(), 7)]);
}

#[test]
fn wide_bit_fields_are_computed_at_their_width() {
    let text = "struct s { unsigned long long a : 40; int b : 5; } x; int f(void) { x.a += 1; return x.a + x.b > 7; }";
    assert_eq!(
        body(text),
        "{ x.a Add[unsigned long long]= 1:unsigned long long; \
         return Greater(Add((unsigned _BitInt(40))`x.a, (unsigned _BitInt(40))`x.b), 7:unsigned _BitInt(40)); }"
    );
}

#[test]
fn a_record_may_point_to_itself_and_be_shared_by_files() {
    let header = "struct node { struct node *next; int value; }; extern struct node *list;\n";
    let files = [
        ("a.c", "#include \"node.h\"\nstruct node *list; int f(void) { return list->next->value; }"),
        ("b.c", "#include \"node.h\"\nint g(struct node *n) { return n == list; }"),
        ("node.h", header),
    ];
    let read = read_files(&files, &Options::default()).unwrap();
    let records = read.tree.types.iter().filter(|ty| matches!(ty, Type::Record { .. })).count();
    assert_eq!(records, 1);
    assert_eq!(read.sources.files().filter(|(_, file)| file.name == "node.h").count(), 1);
}

#[test]
fn variable_lengths_are_kept_from_the_declaration_on() {
    assert_eq!(
        body("unsigned long f(int n) { int a[n]; n = 0; a[1] = 2; return sizeof a; }"),
        "{ int length = {0+32: `n}, int[0] a sized Multiply((unsigned long)`length, 4:unsigned long); n = 0; a[1] = 2; \
         return Multiply((unsigned long)`length, 4:unsigned long); }"
    );
    let two = body("int f(int n, int m) { int a[n][m]; return a[1][2]; }");
    assert!(two.contains("*((int[0] *)((char *)&a + [Multiply(1:long, (long)Multiply("), "{two}");
}

#[test]
fn files_are_linked() {
    let files = [
        (
            "a.c",
            "extern int shared[]; static int own = 1; int g(int); static int h(void) { return own; }\n\
                 int main(void) { return g(shared[1]) + h(); } int tentative; void unused(void);",
        ),
        (
            "b.c",
            "int shared[3] = { 1, 2 }; static int own = 2; static int h(void) { return own; }\n\
                 int g(int a) { return a + h(); } int tentative = 5;",
        ),
    ];
    let read = read_files(&files, &Options::default()).unwrap();
    assert_eq!(
        read.whole(),
        "Static int own = {0+32: 1}\n\
         Static int[3] shared = {0+32: 1, 32+32: 2}\n\
         Static int tentative = {0+32: 5}\n\
         Static int own = {0+32: 2}\n\
         int h@a.c() { return `own; }\n\
         int main() { return Add(&g(`shared[1]), &h@a.c()); }\n\
         int g(int a) { return Add(`a, &h@b.c()); }\n\
         int h@b.c() { return `own; }\n"
    );
    assert_eq!(read.function("g").unit, 1);
    let shared = read
        .tree
        .exprs
        .iter()
        .filter(|e| matches!(e.kind, ExprKind::Object(o) if read.tree.object(o).name == "shared"));
    assert!(shared.into_iter().all(|e| read.ty(e.ty) == "int[3]"));
}

#[test]
fn two_definitions_are_an_error() {
    let files = [("a.c", "int f(void) { return 1; } int v = 1;"), ("b.c", "int v = 2;\nint f(void) { return 2; }")];
    assert_eq!(
        read_files(&files, &Options::default()).err().unwrap(),
        "b.c:1:5: v is defined in both a.c and b.c (a program may define each name once)\n\
         b.c:2:5: f is defined in both a.c and b.c (a program may define each name once)"
    );
    let header = "static inline int f(void) { return 1; } inline int g(void) { return 2; }\n";
    let files = [
        ("a.c", "#include \"h.h\"\nint a(void) { return f() + g(); }"),
        ("b.c", "#include \"h.h\"\nint b(void) { return f() + g(); }"),
        ("h.h", header),
    ];
    let read = read_files(&files, &Options::default()).unwrap();
    assert_eq!(read.tree.functions.iter().filter(|f| f.name == "g").count(), 1);
}

#[test]
fn an_assertion_keeps_the_place_of_its_condition() {
    let text = "#include <assert.h>\n#define CHECK(a, limit) assert((a) < limit)\nint x;\n\
                int main(void) {\n  assert( x >  1 && x );\n  CHECK(x + 1, 7);\n}\n";
    let read = read_text(text).unwrap();
    assert_eq!(
        calls(&read, "__nearmiss_assert"),
        [
            vec!["assert( x >  1 && x )", "x >  1 && x", "assert( x >  1 && x )"],
            vec!["CHECK(x + 1, 7)", "CHECK(x + 1, 7)", "CHECK(x + 1, 7)"],
        ]
    );
    let sum = read.tree.exprs.iter().find(|e| matches!(e.kind, ExprKind::Binary(Binary::Add, ..))).unwrap();
    assert_eq!(read.text(sum.span), "x + 1");
    assert_eq!(read.sources.position(sum.span).to_string(), "a.c:6:9");
}

#[test]
fn macros_inside_of_arguments_keep_their_places() {
    let text = "#include <assert.h>\n#define LIMIT (N + 2)\n#define N 7\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n\
                #define SAME assert\nint x, y;\nint main(void) {\n  assert(x < LIMIT);\n  assert(N != x && y != N);\n\
                \x20 assert(MAX(x, y) == MAX(y, N));\n  SAME(x);\n}\n";
    let read = read_text(text).unwrap();
    let conditions: Vec<String> = calls(&read, "__nearmiss_assert").into_iter().map(|call| call[1].clone()).collect();
    assert_eq!(conditions, ["x < LIMIT", "N != x && y != N", "MAX(x, y) == MAX(y, N)", "x"]);
    let texts = |wanted: fn(&ExprKind) -> bool| -> Vec<&str> {
        read.tree.exprs.iter().filter(|e| wanted(&e.kind)).map(|e| read.text(e.span)).collect()
    };
    assert_eq!(texts(|kind| matches!(kind, ExprKind::Binary(Binary::Add, ..))), ["LIMIT"]);
    assert_eq!(texts(|kind| matches!(kind, ExprKind::Conditional { .. })), ["MAX(x, y)", "MAX(y, N)"]);
    assert_eq!(texts(|kind| matches!(kind, ExprKind::Binary(Binary::NotEqual, ..))), ["N != x", "y != N"]);
}

#[test]
fn an_assertion_takes_any_scalar_and_ndebug() {
    let text = "#include <assert.h>\nvoid f(char *p, double d, long l) { assert(p); assert(d); assert(l); }";
    assert_eq!(
        body(text),
        "{ &__nearmiss_assert((_Bool)`p, &\"p\"); &__nearmiss_assert((_Bool)`d, &\"d\"); &__nearmiss_assert((_Bool)`l, &\"l\"); }"
    );
    let options = Options { define: vec!["NDEBUG".to_owned()], ..Options::default() };
    let read = read_files(&[("a.c", text)], &options).unwrap();
    assert_eq!(read.body("f"), "{ 0; 0; 0; }");
}

#[test]
fn names_have_places() {
    let text = "static int count;\nint\nf(int a,\n  int b)\n{\n  int c = a;\n  return c + count;\n}\n";
    let read = read_text(text).unwrap();
    let place = |span| format!("{} {:?}", read.sources.position(span), read.text(span));
    let f = read.function("f");
    assert_eq!(place(f.span), "a.c:3:1 \"f\"");
    assert_eq!(place(f.end), "a.c:8:1 \"}\"");
    assert_eq!(place(read.object("count").span), "a.c:1:12 \"count\"");
    assert_eq!(place(read.object("b").span), "a.c:4:7 \"b\"");
    assert_eq!(place(read.object("c").span), "a.c:6:7 \"c\"");
    let spans: Vec<&str> = read.tree.stmts.iter().map(|s| read.text(s.span)).collect();
    assert!(spans.contains(&"int c = a;"), "{spans:?}");
    assert!(spans.contains(&"return c + count;"), "{spans:?}");
}

#[test]
fn undeclared_names_that_we_know() {
    let read = read_text(
        "int main(void) {\n  unsigned long n = nondet_ulong(); void *p = malloc(n); float d = __VERIFIER_nondet_float();\n\
         __CPROVER_assume(p); __VERIFIER_assume(n > 1); assert(n > 0); reach_error(); return nondet_bool() + (d > 0);\n}",
    )
    .unwrap();
    assert_eq!(
        read.body("main"),
        "{ unsigned long n = {0+64: &nondet_ulong()}; void * p = {0+64: &malloc(`n)}; \
         float d = {0+32: &__VERIFIER_nondet_float()}; &__CPROVER_assume((_Bool)`p); \
         &__VERIFIER_assume((_Bool)Greater(`n, 1:unsigned long)); \
         &__nearmiss_assert((_Bool)Greater(`n, 0:unsigned long), &\"n > 0\"); &reach_error(); \
         return Add((int)&nondet_bool(), Greater(`d, (float)0)); }"
    );
}

#[test]
fn old_c_is_read_with_warnings() {
    let read =
        read_text("f(a, b) int a; char *b; { return g(a, *b); }\nmain() { f(1, \"\"); h(3); }\nh(x) { return x; }")
            .unwrap();
    assert_eq!(read.body("f"), "{ return &g(`a, (int)`*(`b)); }");
    assert!(read.notes().contains("implicit declaration of function 'g'"), "{}", read.notes());
    assert_eq!(read.ty(read.tree.object(read.function("f").parameters[1]).ty), "char *");
}

#[test]
fn errors_are_located() {
    let error = |text| read_text(text).err().unwrap();
    assert_eq!(error("int f(void) {\n  return x + 1;\n}\n"), "a.c:2:10: 'x' undeclared (first use in this function)");
    assert!(error("int f(void) { return 1 }\n").starts_with("a.c:1:"), "{}", error("int f(void) { return 1 }\n"));
    assert_eq!(
        error("#include <no/such.h>\n"),
        "a.c:1:1: header no/such.h not found (give the folder that holds it with -I)"
    );
    let files = [("a.c", "#include \"b.h\"\n"), ("b.h", "\nint x = y;\n")];
    assert!(read_files(&files, &Options::default()).err().unwrap().starts_with("b.h:2:9: "));
    let marked = error("int a;\n# 40 \"orig.c\"\nint b = c;\n");
    assert!(marked.starts_with("orig.c:40:9: "), "{marked}");
}

#[test]
fn missing_and_unreadable_files_are_errors() {
    let read = |names: &[&str]| {
        let files = Files::new(&[("bin.c", "\0\u{1}")]);
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let mut sources = Sources::new();
        let errors = front::read(&names, &Options::default(), &files, &mut sources).err().unwrap();
        errors.iter().map(|e| message(e, &sources)).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(read(&[]), "no C file was given");
    assert_eq!(read(&["gone.c"]), "cannot read gone.c: no such file");
    assert_eq!(read(&["bin.c"]), "bin.c is not a text file: it contains a NUL byte");
}

#[test]
fn latin_one_is_read() {
    let mut files = Files::default();
    files.0.insert("a.c".to_owned(), b"int x; // caf\xe9\nint y;".to_vec());
    let mut sources = Sources::new();
    let tree = front::read(&["a.c".to_owned()], &Options::default(), &files, &mut sources).unwrap();
    assert_eq!(sources.text(tree.objects[1].span), "y");
}

#[test]
fn what_we_do_not_take_says_so() {
    assert_eq!(
        body("double f(_Float128 x) { return x * 2; }"),
        "{ return (double)UNSUPPORTED[arithmetic in _Float128]; }"
    );
    assert_eq!(body("double f(void) { return 2.5f128; }"), "{ return 2.5; }");
    assert_eq!(
        body("int f(int x) { asm volatile(\"\" ::: \"memory\"); asm(\"bswap %0\" : \"+r\"(x)); return x; }"),
        "{ ; UNSUPPORTED[assembly] return `x; }"
    );
    assert!(
        body("#include <setjmp.h>\njmp_buf b; int f(void) { return setjmp(b); }")
            .contains("UNSUPPORTED[jumps between functions (setjmp)]")
    );
}

#[test]
fn addresses_of_labels_and_lists_of_arguments() {
    let jump = body("int f(void) { void *p = &&out; goto *p; out: return 0; }");
    assert!(jump.ends_with("goto *`p; L0: return 0; }") && !jump.contains("UNSUPPORTED"), "{jump}");
    let variadic = "#include <stdarg.h>\nint f(int n, ...) { va_list l; va_start(l, n); n = va_arg(l, int); va_end(l); return n; }";
    let variadic = body(variadic);
    assert!(variadic.contains("VariadicStart(") && variadic.contains("n = VariadicNext("), "{variadic}");
}

#[test]
fn built_ins() {
    assert_eq!(
        body(
            "int f(unsigned x, int a, int b) { int r; return __builtin_expect(a, 1) + __builtin_popcount(x) + \
              __builtin_add_overflow(a, b, &r) + __builtin_constant_p(a); }"
        ),
        "{ int r; return (int)Add(Add(Add((long)`a, (long)PopCount(`x)), (long)AddOverflow(`a, `b, &r)), (long)ConstantP(`a)); }"
    );
    assert_eq!(
        body(
            "void *memcpy(void *, const void *, unsigned long); void f(int *a, int *b) { __builtin_memcpy(a, b, 4); }"
        ),
        "{ &memcpy((void *)`a, (void *)`b, 4:unsigned long); }"
    );
}

#[test]
fn atomic_operations_are_done_step_by_step() {
    assert_eq!(
        body("unsigned f(unsigned *p) { return __atomic_fetch_sub(p, 2, 5); }"),
        "{ return ({ unsigned int * target = {0+64: `p}, unsigned int operand = {0+32: 2:unsigned int}, \
         unsigned int old = {0+32: `*(`target)}; \
         *(`target) = ((unsigned int))Subtract(((unsigned int))`old, ((unsigned int))`operand); `old; }); }"
    );
    assert_eq!(
        body("int f(int *p, int *e) { return __atomic_compare_exchange_n(p, e, 3, 0, 5, 5); }"),
        "{ return (int)({ int * target = {0+64: `p}, int * operand = {0+64: `e}, int operand = {0+32: 3}, \
         int old = {0+32: `*(`target)}; int equal = {0+32: Equal(`old, `*(`operand))}; \
         if (`equal) *(`target) = `operand; else *(`operand) = `old; (_Bool)`equal; }); }"
    );
}

#[test]
fn the_library_fills_what_is_left_open() {
    let files = Files::new(&[(
        "a.c",
        "#include <string.h>\nint strcmp(const char *a, const char *b) { return a == b; }\n\
         int main(void) { return strlen(\"a\") + strcmp(\"a\", \"b\"); }",
    )]);
    let library = "typedef __SIZE_TYPE__ size_t; static int used; static size_t step(size_t n) { used++; return n + 1; }\n\
                   size_t strlen(const char *s) { size_t n = 0; while (s[n]) n = step(n); return n; }\n\
                   int strcmp(const char *a, const char *b) { return 0; } void other(void) {}";
    let mut sources = Sources::new();
    let library = Some(("library.c", library));
    let tree =
        front::read_with_library(&["a.c".to_owned()], &Options::default(), &files, &mut sources, library).unwrap();
    let read = Read { tree, sources };
    assert_eq!(
        read.body("strlen"),
        "{ unsigned long n = {0+64: 0:unsigned long}; while (`*((`s + [`n]))) n = &step(`n); return `n; }"
    );
    assert_eq!(read.body("strcmp"), "{ return Equal(`a, `b); }");
    assert!(read.tree.functions.iter().all(|f| f.name != "other"));
    let system: Vec<_> = read.tree.functions.iter().map(|f| (f.name.as_str(), f.system, f.unit)).collect();
    assert_eq!(system, [("strcmp", false, 0), ("main", false, 0), ("strlen", true, 1), ("step", true, 1)]);
    assert!(read.object("used").system);
}

#[test]
fn thirty_two_bits() {
    let options = Options { model: DataModel::Ilp32, ..Options::default() };
    let read =
        read_files(&[("a.c", "long a; char *p; unsigned long s = sizeof(p) + sizeof(long);")], &options).unwrap();
    assert_eq!(read.object("a").size, 4);
    assert_eq!(read.tree.pointer.bits, 32);
    assert!(read.whole().contains("s = {0+32: 8:unsigned long}"), "{}", read.whole());
}

#[test]
fn every_header_of_ours_can_be_read_in_every_model() {
    let headers = [
        "assert.h",
        "ctype.h",
        "errno.h",
        "inttypes.h",
        "limits.h",
        "malloc.h",
        "math.h",
        "memory.h",
        "pthread.h",
        "setjmp.h",
        "signal.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "strings.h",
        "sys/types.h",
        "time.h",
        "unistd.h",
        "stdarg.h",
        "stdbool.h",
        "stddef.h",
        "float.h",
        "stdatomic.h",
        "iso646.h",
        "stdalign.h",
    ];
    let mut text: String = headers.iter().map(|header| format!("#include <{header}>\n")).collect();
    text += "int main(void) { printf(\"%\" PRIu64, (uint64_t)LLONG_MAX); return isnan(NAN) + INT_MIN + errno; }";
    let (large, small) = (
        [DataModel::Lp64, DataModel::Ilp32, DataModel::CortexM, DataModel::Riscv32],
        [DataModel::Avr, DataModel::Msp430, DataModel::Lp32],
    );
    for model in large.into_iter().chain(small) {
        let read = read_files(&[("a.c", &text)], &Options { model, ..Options::default() });
        assert_eq!(read.as_ref().err(), None);
        assert_eq!(read.map(|read| read.notes()).unwrap_or_default(), "");
    }
}

#[test]
fn nothing_makes_it_overflow_or_hang() {
    let deep = |open: &str, middle: &str, close: &str, n: usize| {
        format!("int a; int main(void) {{ return {}{middle}{}; }}", open.repeat(n), close.repeat(n))
    };
    let texts = [
        deep("(", "1", ")", 10_000),
        deep("-", "a", "", 10_000),
        deep("!", "a", "", 1_000_000),
        deep("a ? a : ", "a", "", 40_000),
        deep("", "a", " + a", 1_000_000),
        deep("a = ", "a", "", 60_000),
        format!("int main(void) {{ {} }}", "if (1) ; else ".repeat(30_000) + ";"),
        format!("int main(void) {{ {}{} }}", "{".repeat(100_000), "}".repeat(100_000)),
        format!("int {}p;", "*".repeat(100_000)),
        format!("int a{};", "[1]".repeat(100_000)),
        format!("#if {}1\n#endif\nint x;", "!".repeat(3_000_000)),
        "#include \"a.c\"\n".to_owned(),
        "#define A A B\n#define B A\nint main(void) { A }".to_owned(),
        "int main(void) { /* ".to_owned(),
        "char *s = \"".to_owned(),
        "#if 1\n".to_owned(),
    ];
    for text in &texts {
        let shown: String = text.chars().take(60).collect();
        assert!(read_text(text).is_err(), "{shown}");
    }
    let long = format!("int a; /* {} */ int b;", "x".repeat(10_000_000));
    assert_eq!(read_text(&long).unwrap().tree.objects.len(), 2);
}
