//! The C that is compiled beside the user's: it feeds the inputs and reports which claim fails.
//!
//! What is the same for every program is in `harness.c`; here is what varies, the tables before it and the functions
//! behind it. They hold the inputs of one or two runs; a variable of the environment says which one is wanted.
//!
//! It becomes a shared library, and what the user defines is hidden from all of those: a program with an `open`, an `exit` or a
//! `malloc` of its own must not get in the way of what stands behind it. A run that needs more memory than there is
//! says so, because it is then no witness for or against anything.

use std::fmt::Write;

use nearmiss_program::c::checkers;

/// Prefix of everything that could clash with a name of the user's.
pub const PREFIX: &str = "nearmiss__";
/// Where a failed claim is written, in the folder in which the program runs.
pub const REPORT: &str = "nearmiss-report";
/// The variable of the environment that holds the number of the run.
pub const RUN: &str = "NEARMISS_RUN";
/// Exit code of a program that has reported its end, if it could.
pub const REPORTED: i32 = 77;
/// What the report says before anything else happens.
pub const STARTED: &str = "started";
/// What it says of a run for which there is not enough memory.
pub const MEMORY: &str = "memory";

/// A function that returns one recorded value after the other, then 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Queue {
    /// Name of the function.
    pub name: String,
    /// C type that it returns.
    pub ty: &'static str,
    /// The values of each run, as bits.
    pub values: Vec<Vec<u64>>,
}

impl Queue {
    /// One without values yet.
    pub fn new(name: String, ty: &'static str, runs: usize) -> Queue {
        Queue { name, ty, values: vec![Vec::new(); runs] }
    }
}

/// A byte of the initial contents of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Byte {
    /// Number of the run.
    pub run: usize,
    /// Number of the site.
    pub site: u32,
    /// Number of objects of that site before this one.
    pub occurrence: u32,
    /// Offset in the object.
    pub offset: u64,
    /// Its value.
    pub value: u8,
}

/// An object that no file of the user's defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its contents in each run, where they are not 0: offset and value.
    pub bytes: Vec<Vec<(u64, u8)>>,
}

/// Which failing assertions end the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Listens {
    /// All.
    #[default]
    ToAll,
    /// Those in these lines of a file, and the one that is marked.
    To {
        /// The name without folders.
        file: String,
        /// First line.
        first: u32,
        /// Last line.
        last: u32,
    },
    /// None.
    ToNone,
}

/// In which order a run reads its inputs. A formula speaks about whole runs, so that is what is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// The queues by their numbers, one for each input.
    pub reads: Vec<usize>,
    /// What comes then.
    pub then: Then,
}

/// What a run does when all its inputs are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Then {
    /// It comes to its end.
    #[default]
    Ends,
    /// It goes on reading for ever.
    Repeats,
    /// It goes on for ever and reads no more.
    RepeatsSilently,
}

/// Everything that is generated.
#[derive(Clone, Debug, Default)]
pub struct Harness {
    /// Which failing assertions end the program.
    pub listens_to: Listens,
    /// How many sites there are.
    pub sites: usize,
    /// How many runs.
    pub runs: usize,
    /// Functions that return inputs.
    pub queues: Vec<Queue>,
    /// Functions that allocate memory with contents: name and site.
    pub allocators: Vec<(String, u32)>,
    /// Functions that give memory any contents: name and site.
    pub havocs: Vec<(String, u32)>,
    /// Contents of objects.
    pub bytes: Vec<Byte>,
    /// Objects that are only declared.
    pub externals: Vec<External>,
    /// Functions that are only declared and whose result nobody uses.
    pub stubs: Vec<String>,
    /// The types of checkers, if the program names one.
    pub types: &'static str,
    /// Words of checkers that the program has.
    pub words: Vec<&'static str>,
    /// Names from the outside that the user does not declare.
    pub undeclared: Vec<String>,
    /// Whether sanitizers look at crashes.
    pub sanitized: bool,
    /// Whether it reads the bytes of a crash file for a fuzz target.
    pub reads_crash: bool,
    /// For a formula: the order of inputs in each run.
    pub orders: Vec<Order>,
}

/// A macro that asks whether an operator leaves the type that C computes it in.
macro_rules! overflows {
    ($word:literal, $builtin:literal, $operator:literal) => {
        concat!(
            "#define __CPROVER_overflow_",
            $word,
            "(a, b) __extension__({ __typeof__((a) ",
            $operator,
            " (b)) nearmiss__a = (a), nearmiss__b = (b); __builtin_",
            $builtin,
            "_overflow(nearmiss__a, nearmiss__b, &nearmiss__a); })"
        )
    };
}

/// A word of checkers, as the harness defines it.
#[derive(Clone, Copy)]
pub struct Word {
    /// Its name.
    pub name: &'static str,
    /// What it returns.
    pub returns: &'static str,
    /// Parameters and body.
    pub rest: &'static str,
}

/// A word for a claim or an assumption.
const fn says(name: &'static str, rest: &'static str) -> Word {
    Word { name, returns: "void", rest }
}

/// A word that has a value.
const fn gives(returns: &'static str, name: &'static str, rest: &'static str) -> Word {
    Word { name, returns, rest }
}

/// The vocabulary of checkers, as far as a program can know it.
const VOCABULARY: &[Word] = &[
    says("assert", "(int holds) { if (!holds) nearmiss__failed(\"\", 0); }"),
    says("__CPROVER_assert", "(int holds, const char *text) { if (!holds) nearmiss__failed(\"\", 0); }"),
    says("__CPROVER_precondition", "(int holds, const char *text) { if (!holds) nearmiss__failed(\"\", 0); }"),
    says("__CPROVER_postcondition", "(int holds, const char *text) { if (!holds) nearmiss__failed(\"\", 0); }"),
    says("__ESBMC_assert", "(int holds, const char *text) { if (!holds) nearmiss__failed(\"\", 0); }"),
    says("__VERIFIER_assert", "(int holds) { if (!holds) nearmiss__failed(\"\", 0); }"),
    says("__VERIFIER_error", "(void) { nearmiss__failed(\"\", 0); __builtin_exit(0); }"),
    says("reach_error", "(void) { nearmiss__failed(\"\", 0); __builtin_exit(0); }"),
    says("__CPROVER_assume", "(int holds) { if (!holds) nearmiss__assumption(); }"),
    says("__VERIFIER_assume", "(int holds) { if (!holds) nearmiss__assumption(); }"),
    says("__ESBMC_assume", "(int holds) { if (!holds) nearmiss__assumption(); }"),
    says("assume_abort_if_not", "(int holds) { if (!holds) nearmiss__assumption(); }"),
    says("assume", "(int holds) { if (!holds) nearmiss__assumption(); }"),
    says("klee_assume", "(unsigned long holds) { if (!holds) nearmiss__assumption(); }"),
    gives("_Bool", "__CPROVER_isnanf", "(float x) { return __builtin_isnan(x); }"),
    gives("_Bool", "__CPROVER_isinff", "(float x) { return __builtin_isinf(x); }"),
    gives("_Bool", "__CPROVER_isfinitef", "(float x) { return __builtin_isfinite(x); }"),
    gives(
        "_Bool",
        "__CPROVER_isnormalf",
        "(float x) { return __builtin_isfinite(x) && (x >= 0x1p-126f || x <= -0x1p-126f); }",
    ),
    gives("_Bool", "__CPROVER_signf", "(float x) { return __builtin_signbit(x) != 0; }"),
    gives("int", "__CPROVER_isgreaterf", "(float x, float y) { return x > y; }"),
    gives("int", "__CPROVER_isgreaterequalf", "(float x, float y) { return x >= y; }"),
    gives("int", "__CPROVER_islessf", "(float x, float y) { return x < y; }"),
    gives("int", "__CPROVER_islessequalf", "(float x, float y) { return x <= y; }"),
    gives("int", "__CPROVER_islessgreaterf", "(float x, float y) { return x < y || x > y; }"),
    gives("int", "__CPROVER_isunorderedf", "(float x, float y) { return x != x || y != y; }"),
    gives("int", "__CPROVER_isequalf", "(float x, float y) { return x == y; }"),
    gives("_Bool", "__CPROVER_isnand", "(double x) { return __builtin_isnan(x); }"),
    gives("_Bool", "__CPROVER_isinfd", "(double x) { return __builtin_isinf(x); }"),
    gives("_Bool", "__CPROVER_isfinited", "(double x) { return __builtin_isfinite(x); }"),
    gives(
        "_Bool",
        "__CPROVER_isnormald",
        "(double x) { return __builtin_isfinite(x) && (x >= 0x1p-1022 || x <= -0x1p-1022); }",
    ),
    gives("_Bool", "__CPROVER_signd", "(double x) { return __builtin_signbit(x) != 0; }"),
    gives("int", "__CPROVER_isgreaterd", "(double x, double y) { return x > y; }"),
    gives("int", "__CPROVER_isgreaterequald", "(double x, double y) { return x >= y; }"),
    gives("int", "__CPROVER_islessd", "(double x, double y) { return x < y; }"),
    gives("int", "__CPROVER_islessequald", "(double x, double y) { return x <= y; }"),
    gives("int", "__CPROVER_islessgreaterd", "(double x, double y) { return x < y || x > y; }"),
    gives("int", "__CPROVER_isunorderedd", "(double x, double y) { return x != x || y != y; }"),
    gives("int", "__CPROVER_isequald", "(double x, double y) { return x == y; }"),
    gives("int", "__CPROVER_abs", "(int x) { return __builtin_abs(x); }"),
    gives("long", "__CPROVER_labs", "(long x) { return __builtin_labs(x); }"),
    gives("long long", "__CPROVER_llabs", "(long long x) { return __builtin_llabs(x); }"),
    gives("double", "__CPROVER_fabs", "(double x) { return __builtin_fabs(x); }"),
    gives("float", "__CPROVER_fabsf", "(float x) { return __builtin_fabsf(x); }"),
    gives("double", "__CPROVER_inf", "(void) { return __builtin_inf(); }"),
    gives("float", "__CPROVER_inff", "(void) { return __builtin_inff(); }"),
    gives("double", "__CPROVER_round_to_integrald", ROUNDED),
    gives("float", "__CPROVER_round_to_integralf", ROUNDED_FLOAT),
    gives("void *", "__CPROVER_allocate", "(__SIZE_TYPE__ size, _Bool zeroed) { return __builtin_calloc(1, size); }"),
    says("__CPROVER_deallocate", "(void *object) { __builtin_free(object); }"),
    gives("_Bool", "__ESBMC_is_little_endian", "(void) { return 1; }"),
];

/// The modes of CBMC: to nearest, down, up, towards 0.
macro_rules! rounded {
    ($ty:literal) => {
        concat!(
            "(",
            $ty,
            " x, int mode) { return mode == 0 ? __builtin_nearbyint(x) : mode == 1 ? __builtin_floor(x) \
             : mode == 2 ? __builtin_ceil(x) : __builtin_trunc(x); }"
        )
    };
}

const ROUNDED: &str = rounded!("double");
const ROUNDED_FLOAT: &str = rounded!("float");

/// Arithmetic in the type of the first operand that stops at its ends.
macro_rules! saturates {
    ($word:literal, $operator:literal) => {
        concat!(
            "#define __CPROVER_saturating_",
            $word,
            "(a, b) __extension__({ __typeof__(a) nearmiss__a = (a), nearmiss__b = (b); \
             _Bool nearmiss__s = (__typeof__(a))-1 < 0; \
             __int128 nearmiss__r = (__int128)nearmiss__a ",
            $operator,
            " nearmiss__b, nearmiss__m = ~0ULL >> (64 - 8 * sizeof(nearmiss__a) + nearmiss__s), \
             nearmiss__l = nearmiss__s ? -nearmiss__m - 1 : 0; \
             (__typeof__(a))(nearmiss__r > nearmiss__m ? nearmiss__m : nearmiss__r < nearmiss__l ? nearmiss__l : \
             nearmiss__r); })"
        )
    };
}

/// Words that take any types, and the macro that says in which line an assertion fails.
const MACROS: [(&str, &str); 8] = [
    ("assert", ASSERT_H),
    ("__CPROVER_overflow_plus", overflows!("plus", "add", "+")),
    ("__CPROVER_overflow_minus", overflows!("minus", "sub", "-")),
    ("__CPROVER_overflow_mult", overflows!("mult", "mul", "*")),
    ("__CPROVER_saturating_plus", saturates!("plus", "+")),
    ("__CPROVER_saturating_minus", saturates!("minus", "-")),
    (
        "__CPROVER_overflow_shl",
        "#define __CPROVER_overflow_shl(a, b) __extension__({ __typeof__((a) + 0) nearmiss__a = (a); \
         __int128 nearmiss__d = (b), nearmiss__w = 8 * (int)sizeof(nearmiss__a); \
         nearmiss__d < 0 || nearmiss__d >= nearmiss__w ? nearmiss__a != 0 : \
         (__typeof__(nearmiss__a))(nearmiss__a * ((__int128)1 << nearmiss__d)) != nearmiss__a * ((__int128)1 << nearmiss__d); })",
    ),
    (
        "__CPROVER_overflow_unary_minus",
        "#define __CPROVER_overflow_unary_minus(a) __extension__({ __typeof__(-(a)) nearmiss__0 = 0, nearmiss__a = (a); \
         __builtin_sub_overflow(nearmiss__0, nearmiss__a, &nearmiss__0); })",
    ),
];

/// What the harness defines.
pub fn vocabulary() -> impl Iterator<Item = Word> {
    VOCABULARY.iter().copied()
}

/// Is this a word that the harness can define?
pub fn is_word(name: &str) -> bool {
    vocabulary().any(|word| word.name == name)
}

/// Names of functions that fail a claim when they are called, or when their argument is 0.
pub fn claims() -> impl Iterator<Item = &'static str> {
    let words = vocabulary().filter(|word| word.rest.contains("nearmiss__failed"));
    words.map(|word| word.name).chain(["__assert_fail"])
}

/// `assert.h`, first on the search path.
pub const ASSERT_H: &str = include_str!("assert.h");

/// The queue of what functions read into memory.
pub const WORD: &str = "nearmiss__word";

/// What such functions are called in the text that is compiled.
const READERS_H: &str = "\
int nearmiss__scanf(const char *, ...);
int nearmiss__fscanf(void *, const char *, ...);
char *nearmiss__fgets(char *, int, void *);
char *nearmiss__gets(char *);
long nearmiss__read(int, void *, __SIZE_TYPE__);
__SIZE_TYPE__ nearmiss__fread(void *, __SIZE_TYPE__, __SIZE_TYPE__, void *);
long nearmiss__getline(char **, __SIZE_TYPE__ *, void *);
long nearmiss__time(long *);
double nearmiss__remquo(double, double, int *);
float nearmiss__remquof(float, float, int *);
long double nearmiss__remquol(long double, long double, int *);
";

/// Functions that read into memory, where a program calls one.
const READERS: &str = include_str!("readers.c");

/// What is the same for every program.
const FIXED: &str = include_str!("harness.c");

impl Harness {
    /// The header that is included before everything else.
    pub fn header(&self) -> String {
        let mut out = "\
void nearmiss__failed(const char *file, int line);
void nearmiss__fill(unsigned site, void *object, __SIZE_TYPE__ size);
void *nearmiss__allocate(__SIZE_TYPE__ size);
extern int nearmiss__here;
"
        .to_owned();
        for queue in
            self.queues.iter().filter(|queue| queue.name.starts_with(PREFIX) || self.is_undeclared(&queue.name))
        {
            let _ = writeln!(out, "{} {}();", queue.ty, queue.name);
        }
        if self.reads() {
            out += READERS_H;
        }
        for (name, _) in &self.allocators {
            let _ = writeln!(out, "void *{name}();");
        }
        for (name, _) in &self.havocs {
            let _ = writeln!(out, "void {name}(void *, __SIZE_TYPE__);");
        }
        out += self.types;
        for (name, declaration) in checkers::WORDS.iter().filter(|(name, _)| self.is_undeclared(name)) {
            let known = MACROS.iter().find(|(word, _)| word == name).map(|(_, text)| *text);
            let _ = writeln!(out, "{}", known.unwrap_or(declaration));
        }
        out
    }

    /// The file that is linked to the user's.
    pub fn source(&self) -> String {
        let mut out = self.constants() + &self.contents() + &self.orders() + FIXED;
        out += &self.listening();
        for Word { name, returns, rest } in vocabulary().filter(|word| self.words.contains(&word.name)) {
            let _ = writeln!(out, "WEAK {returns} {name}{rest}");
        }
        for (number, queue) in self.queues.iter().enumerate() {
            out += &self.queue(number, queue);
        }
        if self.reads() {
            out += READERS;
        }
        if self.reads_crash {
            out += READS_CRASH;
        }
        for (name, site) in &self.allocators {
            out += &allocator(name, *site);
        }
        for (name, site) in &self.havocs {
            out += &havoc(name, *site);
        }
        out += &self.externals();
        for name in &self.stubs {
            let _ = writeln!(out, "\nWEAK long {name}(void) {{ return 0; }}");
        }
        out
    }

    /// Does it have functions that read into memory?
    fn reads(&self) -> bool {
        self.queues.iter().any(|queue| queue.name == WORD)
    }

    /// Words and numbers by the names that `harness.c` has for them.
    fn constants(&self) -> String {
        format!(
            "\
#define NEARMISS_REPORT \"{REPORT}\"
#define NEARMISS_REPORTED {REPORTED}
#define NEARMISS_STARTED \"{STARTED}\"
#define NEARMISS_MEMORY \"{MEMORY}\"
#define NEARMISS_RUN \"{RUN}\"
#define NEARMISS_RUNS {runs}
#define NEARMISS_SITES {sites}
#define NEARMISS_SANITIZED {sanitized}

",
            runs = self.runs.max(1),
            sites = self.sites.max(1),
            sanitized = u8::from(self.sanitized),
        )
    }

    /// What objects hold that start undefined.
    fn contents(&self) -> String {
        let rows: String = (self.bytes.iter())
            .map(|Byte { run, site, occurrence, offset, value }| {
                format!("    {{ {run}, {site}, {occurrence}, {offset}, {value} }},\n")
            })
            .collect();
        format!(
            "\
static const struct {{
    unsigned run, site, occurrence;
    __SIZE_TYPE__ offset;
    unsigned char value;
}} contents[] = {{
{rows}    {{ ~0u, ~0u, 0, 0, 0 }}
}};

"
        )
    }

    /// In which order the runs read their inputs, as far as that is looked at.
    fn orders(&self) -> String {
        let mut out = String::new();
        for (run, order) in self.orders.iter().enumerate() {
            let reads: String = order.reads.iter().map(|queue| format!("{queue}, ")).collect();
            let _ = writeln!(out, "static const unsigned order{run}[] = {{ {reads}0 }};");
        }
        let orders: String = (0..self.orders.len()).map(|run| format!("order{run}, ")).collect();
        let numbers: String = self.orders.iter().map(|order| format!("{}, ", order.reads.len())).collect();
        let _ = writeln!(out, "static const unsigned *const nearmiss__orders[] = {{ {orders}0 }};");
        let _ = writeln!(out, "static const unsigned nearmiss__reads[] = {{ {numbers}0 }};\n");
        out
    }

    /// Which failing assertions end the program.
    fn listening(&self) -> String {
        let condition = match &self.listens_to {
            Listens::ToAll => "1".to_owned(),
            Listens::ToNone => "0".to_owned(),
            Listens::To { file, first, last } => {
                format!("strcmp(name, {file:?}) == 0 && {first} <= line && line <= {last}")
            }
        };
        format!("\nstatic int nearmiss__listens(const char *name, int line)\n{{\n    return {condition};\n}}\n\n")
    }

    /// A function that returns one recorded value after the other.
    fn queue(&self, number: usize, queue: &Queue) -> String {
        let Queue { name, ty, values } = queue;
        let mut out = format!("\nWEAK {ty} {name}(void)\n{{\n");
        for (run, values) in values.iter().enumerate() {
            let values: String = values.iter().map(|value| format!("{value:#x}ULL, ")).collect();
            let _ = writeln!(out, "    static const unsigned long long run{run}[] = {{ {values}0 }};");
        }
        let runs: Vec<String> = (0..values.len()).map(|run| format!("run{run}")).collect();
        let numbers: Vec<String> = values.iter().map(|values| values.len().to_string()).collect();
        let _ = write!(
            out,
            "    static const unsigned long long *const values[] = {{ {runs} }};
    static const unsigned numbers[] = {{ {numbers} }};
    static unsigned next;
    {looked_at}unsigned long long bits = next < numbers[run] ? values[run][next++] : 0;
    {ty} value;
    memcpy(&value, &bits, sizeof value);
    return value;
}}
",
            runs = runs.join(", "),
            numbers = numbers.join(", "),
            looked_at = match self.orders.iter().any(|order| order.reads.contains(&number)) {
                true => format!("reads({number});\n    "),
                false => String::new(),
            },
        );
        out
    }

    /// Objects that nobody defines, and what they hold in each run.
    fn externals(&self) -> String {
        let (mut defined, mut set) = (String::new(), String::new());
        for External { name, size, bytes } in &self.externals {
            let _ = writeln!(defined, "\nWEAK _Alignas(16) unsigned char {name}[{}];", (*size).max(1));
            for (run, bytes) in bytes.iter().enumerate() {
                for (at, byte) in bytes {
                    let _ = writeln!(set, "    if (run == {run})\n        {name}[{at}] = {byte};");
                }
            }
        }
        format!("{defined}\nstatic void nearmiss__set_externals(void)\n{{\n{set}}}\n")
    }

    fn is_undeclared(&self, name: &str) -> bool {
        self.undeclared.iter().any(|undeclared| undeclared == name)
    }
}

/// The bytes of a crash file, in memory of exactly that size.
const READS_CRASH: &str = "
void *nearmiss__crash(size_t *size)
{
    FILE *file = fopen(\"input\", \"rb\");
    long end;
    unsigned char *data;
    if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0)
        exit(99);
    rewind(file);
    data = malloc(end);
    *size = fread(data, 1, end, file);
    fclose(file);
    return data;
}
";

/// A function that gives memory any contents.
pub fn havoc(name: &str, site: u32) -> String {
    format!(
        "
void {name}(void *object, __SIZE_TYPE__ size)
{{
    nearmiss__fill({site}, object, size);
}}
"
    )
}

/// A function that allocates memory with contents.
fn allocator(name: &str, site: u32) -> String {
    format!(
        "
void *{name}(size_t size)
{{
    void *object = malloc(size);
    if (object)
        nearmiss__fill({site}, object, size);
    return object;
}}
"
    )
}
