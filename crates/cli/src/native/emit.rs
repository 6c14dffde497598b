//! `--emit-tests`: the failing and the passing run as C files that compile and run on their own.
//!
//! Each is the user's text with the same small edits as in the replay, and what stands for the inputs behind it: here the
//! values of one run only, without any header, so that nothing can clash with the user's. The few functions of the C library
//! that it needs are left to the library: where the program has one of that name, its own gets another. A failing test ends by its
//! assertion or by a sanitizer; a passing one says at its end that nothing was violated. Both were compiled and run
//! before they count as written.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use nearmiss_program::program::{Author, ClaimKind};

use crate::output::is_same_file;

use super::harness::{self, Byte, External, PREFIX, Queue, Word};
use super::process::{self, Ended};
use super::{Plan, Question, build, has_body, is_assert_included, plan};

/// What a run without violation prints at its end.
const PASSED: &str = "nearmiss: no claim was violated";
/// What a failing run prints at its end if nobody has noticed.
const UNSEEN: &str = "nearmiss: the violation was not seen: it takes the flags in the first lines of the file";
/// What is called of the C library, `printf` perhaps by another name.
const CALLED: [&str; 6] = ["abort", "exit", "malloc", "printf", "putchar", "puts"];

/// Writes the tests into a folder, which is made if need be, and says which files they are.
pub fn emit(question: &Question, folder: &Path) -> Result<Vec<String>, String> {
    if question.claim.kind == ClaimKind::Temporal {
        return Err(
            "the runs cannot be written as C: a formula speaks about whole runs, and no line of them fails".to_owned()
        );
    }
    if question.reference.is_some() {
        return Err("the runs cannot be written as C: they compare two versions".to_owned());
    }
    if question.feeds().any(|(_, feed)| feed.inputs.closing.is_some()) {
        return Err("the runs cannot be written as C: the passing run never ends".to_owned());
    }
    let mut plan = plan(question).map_err(|why| format!("the runs cannot be written as C: {why}"))?;
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let mut written = Vec::new();
    for (run, _) in question.feeds() {
        // Functions that nobody defines are found by the linker; the second time it has them.
        for attempt in 0..2 {
            let test = Test { question, plan: &plan, run, folder };
            let files = test.write()?;
            let built = test.build(&files)?;
            match built.status {
                Ok(status) if status.success() => {
                    test.confirm()?;
                    written.extend(files);
                    break;
                }
                Ok(_) => {}
                Err(late) => return Err(late.of("the compiler")),
            }
            let missing = build::undefined_functions(&built.messages);
            if attempt == 1 || missing.is_empty() {
                return Err(format!("{} does not compile: {}", files[0], build::first_error(&built.messages)));
            }
            plan.harness.stubs = missing;
        }
    }
    Ok(written)
}

/// One run as a program.
struct Test<'a, 'q> {
    question: &'q Question<'a>,
    plan: &'q Plan<'a>,
    run: usize,
    folder: &'q Path,
}

impl Test<'_, '_> {
    /// What it prints if it comes to its end.
    fn end(&self) -> &'static str {
        if self.run == 0 { UNSEEN } else { PASSED }
    }

    fn name(&self) -> &'static str {
        if self.run == 0 { "failing" } else { "passing" }
    }

    /// The files, the one with `main` and the inputs first.
    fn write(&self) -> Result<Vec<String>, String> {
        let mut files = Vec::new();
        for (number, copy) in self.plan.copies.values().enumerate() {
            let name = match number {
                0 => format!("{}.c", self.name()),
                _ => format!("{}-{}.c", self.name(), number + 1),
            };
            let mut text = if number == 0 { self.comment() } else { String::new() };
            text += &self.prototypes();
            if self.plan.rename_main {
                let _ = writeln!(text, "#define main {PREFIX}main");
            }
            for name in self.taken() {
                let _ = writeln!(text, "#define {name} {PREFIX}own_{name}");
            }
            let edited = without_assumptions(&copy.edits.apply(copy.text));
            let _ = write!(text, "#line 1 {:?}\n{edited}{}", copy.name, copy.appendix);
            if number == 0 {
                let taken = self.taken().map(|name| format!("#undef {name}\n")).collect::<String>();
                let name = self.name();
                let _ = write!(text, "\n#undef main\n{taken}#line 1 \"inputs of the {name} run\"\n{}", self.inputs());
            }
            let path = self.folder.join(&name);
            if self.question.sources.files().any(|(_, file)| is_same_file(Path::new(&file.name), &path)) {
                return Err(format!("{} is a file of the program, and would be overwritten", path.display()));
            }
            fs::write(&path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
            files.push(path.display().to_string());
        }
        Ok(files)
    }

    /// What it is and how to compile it.
    fn comment(&self) -> String {
        let claim = self.question.claim;
        let at = self.question.sources.position(claim.span);
        let what = match self.run {
            0 => "This run violates the claim",
            _ => "This run, the nearest one to the failing run, violates nothing. The claim was",
        };
        let flags = build::flags(self.question, self.folder).join(" ");
        let files = (2..=self.plan.copies.len()).map(|number| format!(" {}-{number}.c", self.name()));
        format!(
            "/* {what} `{}` ({}, {}:{}).\n *\n *     cc {flags} {name}.c{} -o {name} -lm && ./{name}\n *\n * {} */\n",
            harmless(&claim.text),
            claim.id,
            harmless(&at.file),
            at.line,
            files.collect::<String>(),
            match self.run {
                0 => "It ends with the violation.".to_owned(),
                _ => format!("It ends with \"{PASSED}\"."),
            },
            name = self.name(),
        )
    }

    /// What the edited text uses and does not declare.
    fn prototypes(&self) -> String {
        let mut out = String::new();
        for line in self.plan.harness.header().lines() {
            let name = line.split('(').next().and_then(|start| start.rsplit([' ', '*']).next()).unwrap_or_default();
            if name.starts_with(PREFIX) || self.mentions(name) {
                let _ = writeln!(out, "{line}");
            }
        }
        out
    }

    /// Names of the library's functions that we call and that the program has for something of its own.
    fn taken(&self) -> impl Iterator<Item = &'static str> {
        let program = self.question.program;
        let functions = program.functions.iter().filter(|function| function.author == Author::User);
        let functions = functions.filter(|function| !function.blocks.is_empty()).map(|function| &function.name);
        let names = functions.chain(program.globals.iter().map(|global| &global.name));
        // What is known in one file only has a number behind its name.
        let names: BTreeSet<&str> = names.filter_map(|name| name.split('@').next()).collect();
        CALLED.into_iter().filter(move |name| names.contains(name))
    }

    fn mentions(&self, name: &str) -> bool {
        self.plan.copies.values().any(|copy| copy.tokens.iter().any(|token| token.text == name))
    }

    /// Everything that stands for the inputs of this run, and the vocabulary of claims.
    fn inputs(&self) -> String {
        let harness = &self.plan.harness;
        let mut out = self.books() + &self.vocabulary() + &self.contents();
        for (number, queue) in harness.queues.iter().enumerate() {
            out += &self.queue(number, queue);
        }
        for (number, (name, site)) in harness.allocators.iter().enumerate() {
            out += &allocator(number, name, *site);
        }
        for (name, site) in &harness.havocs {
            out += &harness::havoc(name, *site);
        }
        out += &self.externals();
        for (number, name) in harness.stubs.iter().enumerate() {
            let own = format!("{PREFIX}stub_{number}");
            let _ = writeln!(out, "\nlong {own}(void) __asm__(\"{name}\");\nlong {own}(void) {{ return 0; }}");
        }
        out
    }

    /// What the rest calls, and what it says at its end.
    fn books(&self) -> String {
        format!(
            "\
int {PREFIX}here;

void {PREFIX}failed(const char *file, int line)
{{
    __builtin_printf(\"nearmiss: a claim is violated\\n\");
    __builtin_abort();
}}

static void {PREFIX}assumption(void)
{{
    __builtin_printf(\"nearmiss: an assumption does not hold\\n\");
    __builtin_exit(3);
}}

void *{PREFIX}allocate(__SIZE_TYPE__ size)
{{
    return __builtin_malloc(size);
}}

static __attribute__((destructor)) void {PREFIX}end(void)
{{
    __builtin_printf(\"{}\\n\");
}}
",
            self.end()
        )
    }

    /// The words for claims and assumptions that the program uses and does not define.
    fn vocabulary(&self) -> String {
        let mut out = String::new();
        let words = harness::vocabulary()
            .filter(|word| self.mentions(word.name) && !has_body(self.question.program, word.name))
            .filter(|word| word.name != "assert" || !is_assert_included(self.question.sources));
        for (number, Word { name, returns, rest }) in words.enumerate() {
            let parameters = &rest[..=rest.find(')').unwrap_or(rest.len() - 1)];
            let own = format!("{PREFIX}word_{number}");
            let _ = writeln!(out, "__attribute__((weak)) {returns} {own}{parameters} __asm__(\"{name}\");");
            let _ = writeln!(out, "{returns} {own}{rest}");
        }
        out
    }

    /// A function that returns one recorded value after the other.
    fn queue(&self, number: usize, queue: &Queue) -> String {
        let Queue { name, ty, values } = queue;
        let values = &values[self.run];
        let listed: String = values.iter().map(|value| format!("{value:#x}ULL, ")).collect();
        let own = format!("{PREFIX}queue_{number}");
        format!(
            "
{ty} {own}(void) __asm__(\"{name}\");
{ty} {own}(void)
{{
    static const unsigned long long values[] = {{ {listed}0 }};
    static unsigned next;
    unsigned long long bits = next < {count} ? values[next++] : 0;
    {ty} value;
    for (unsigned i = 0; i < sizeof value; i++)
        ((char *)&value)[i] = ((char *)&bits)[i];
    return value;
}}
",
            count = values.len(),
        )
    }

    /// Objects that nobody defines, and what they hold in this run.
    fn externals(&self) -> String {
        let (mut out, mut start) = (String::new(), String::new());
        for (number, External { name, size, bytes }) in self.plan.harness.externals.iter().enumerate() {
            let own = format!("{PREFIX}extern_{number}");
            let size = (*size).max(1);
            let _ = writeln!(out, "\n_Alignas(16) unsigned char {own}[{size}] __asm__(\"{name}\");");
            for (at, byte) in &bytes[self.run] {
                let _ = writeln!(start, "    {own}[{at}] = {byte};");
            }
        }
        if !start.is_empty() {
            let _ = write!(out, "\nstatic __attribute__((constructor)) void {PREFIX}start(void)\n{{\n{start}}}\n");
        }
        out
    }

    /// What objects hold that start undefined.
    fn contents(&self) -> String {
        let harness = &self.plan.harness;
        let own: Vec<&Byte> = harness.bytes.iter().filter(|byte| byte.run == self.run).collect();
        let rows: String = (own.iter())
            .map(|byte| format!("    {{ {}, {}, {}, {} }},\n", byte.site, byte.occurrence, byte.offset, byte.value))
            .collect();
        format!(
            "
static const struct {{ unsigned site, occurrence; __SIZE_TYPE__ offset; unsigned char value; }} {PREFIX}contents[] = {{
{rows}    {{ ~0u, 0, 0, 0 }}
}};

void {PREFIX}fill(unsigned site, void *object, __SIZE_TYPE__ size)
{{
    static unsigned seen[{sites}];
    for (__SIZE_TYPE__ i = 0; i < size; i++)
        ((unsigned char *)object)[i] = 0;
    for (unsigned i = 0; i < {number}; i++)
        if ({PREFIX}contents[i].site == site && {PREFIX}contents[i].occurrence == seen[site] && {PREFIX}contents[i].offset < size)
            ((unsigned char *)object)[{PREFIX}contents[i].offset] = {PREFIX}contents[i].value;
    seen[site]++;
}}
",
            sites = harness.sites.max(1),
            number = own.len(),
        )
    }

    /// Compiles it where nobody sees it.
    fn build(&self, files: &[String]) -> Result<Ended, String> {
        let mut command = process::compiler();
        // As its comment says, in its folder.
        let names = files.iter().filter_map(|file| Path::new(file).file_name());
        command.args(build::flags(self.question, self.folder)).arg("-w").args(names);
        command.arg("-o").arg(format!("{}.out", self.name())).arg("-lm").current_dir(self.folder);
        process::finish(command, self.question.stop)
            .map_err(|error| format!("there is no C compiler (`cc`, or what CC says): {error}"))
    }

    fn program(&self) -> std::path::PathBuf {
        self.folder.join(format!("{}.out", self.name()))
    }

    /// Runs it: it must end as its comment says.
    fn confirm(&self) -> Result<(), String> {
        let program = fs::canonicalize(self.program()).map_err(|error| error.to_string())?;
        let ended = self.question.compiled(self.plan, &program).run_and_read().map_err(|error| error.to_string());
        // It was made for this; nobody asked for it.
        let _ = fs::remove_file(&program);
        let (ended, printed) = ended?;
        let passed = printed.contains(self.end());
        let failed = !passed && ended.status.is_ok_and(|status| !status.success());
        match self.run {
            0 if failed => Ok(()),
            0 => Err("the failing run does not fail when it is compiled as a file of its own".to_owned()),
            _ if passed => Ok(()),
            _ => Err("the passing run does not pass when it is compiled as a file of its own".to_owned()),
        }
    }
}

/// A function that allocates memory with contents.
fn allocator(number: usize, name: &str, site: u32) -> String {
    let own = format!("{PREFIX}allocator_{number}");
    format!(
        "
void *{own}(__SIZE_TYPE__ size) __asm__(\"{name}\");
void *{own}(__SIZE_TYPE__ size)
{{
    void *object = {PREFIX}allocate(size);
    if (object)
        {PREFIX}fill({site}, object, size);
    return object;
}}
"
    )
}

/// A text that cannot end the comment it is in.
fn harmless(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}

/// Assumptions are the tool's: the program runs without them.
fn without_assumptions(text: &str) -> String {
    let headers = nearmiss_program::c::assume::harmless_headers(text);
    headers
        .into_iter()
        .fold(text.to_owned(), |text, (name, contents)| text.replace(&format!("#include \"{name}\"\n"), contents))
}
