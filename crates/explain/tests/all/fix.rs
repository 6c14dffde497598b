//! Fixes against brute force: every edit of small programs, on every input.

use nearmiss_explain::bounds::Bounds;
use nearmiss_explain::explanation::Differs;
use nearmiss_explain::method::diagnosis::{self, Asked, Opened};
use nearmiss_explain::{Fixing, Program, Reading, Stop, fix};
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::SiteId;
use nearmiss_program::run::{Content, Inputs, Outcome};
use nearmiss_program::source::FileId;

/// Programs with two inputs below 4 each, and one fault.
const PROGRAMS: &[&str] = &[
    "int least(int a, int b) { if (a > b) return a; return b; }
int main(void) {
    unsigned char a, b;
    __CPROVER_assume(a < 4 && b < 4);
    int c = least(a, b);
    __CPROVER_assert(c <= a && c <= b, \"least\");
}
",
    "int near(int a, int b) { return a - b < 2 && b - a < 1; }
int main(void) {
    unsigned char a, b;
    __CPROVER_assume(a < 4 && b < 4);
    int c = near(a, b);
    __CPROVER_assert(c == (a - b <= 1 && b - a <= 1), \"near\");
}
",
    "#define MOST 2
#define OVER(x, y) ((x) + (y) >= MOST)
int cut(int a, int b) { return OVER(a, b) ? MOST : a + b; }
int main(void) {
    unsigned char a, b;
    __CPROVER_assume(a < 4 && b < 4);
    int c = cut(a, b);
    __CPROVER_assert(c <= 3 && (c == a + b || a + b > 3), \"cut\");
}
",
    "int mean(int a, int b) { signed char scaled = 60 * (a + b); return scaled / 120; }
int main(void) {
    unsigned char a, b;
    __CPROVER_assume(a < 4 && b < 4);
    int c = mean(a, b);
    __CPROVER_assert(c == (a + b) / 2, \"mean\");
}
",
];

fn read(text: &str) -> Option<Program> {
    Program::from_text("p.c", text, &Reading::default()).ok()
}

fn edited(text: &str, edit: &TextEdit) -> String {
    fix::edited_text(text, edit.span.file, std::slice::from_ref(edit))
}

/// How a program ends on two inputs, and whether it comes to a written assertion; with what it sets and returns.
fn run(program: &Program, a: u128, b: u128) -> (Outcome, bool, Vec<u128>) {
    run_on(program, &inputs(program, a, b))
}

fn inputs(program: &Program, a: u128, b: u128) -> Inputs {
    let mut inputs = Inputs::default();
    for (name, value) in [("a", a), ("b", b)] {
        let sites = program.lowered().sites.iter().enumerate();
        for (at, _) in sites.filter(|(_, site)| site.name == name && site.function == "main") {
            let content = Content { bit_offset: 0, bits: 8, value };
            inputs.contents.insert((SiteId(at as u32), 0), vec![content]);
        }
    }
    inputs
}

fn run_on(program: &Program, inputs: &Inputs) -> (Outcome, bool, Vec<u128>) {
    let limits = Limits { steps: 10_000, ..Limits::default() };
    let execution = Interpreter::new(program.lowered()).execute(inputs, &limits, Recording::Deeds);
    let claims = program.lowered().claims.iter().zip(&execution.come);
    let comes = claims.filter(|(claim, _)| claim.id.contains("assertion")).any(|(_, come)| *come);
    (execution.run.outcome, comes, execution.deeds.iter().map(|deed| deed.value).collect())
}

fn all_inputs() -> impl Iterator<Item = (u128, u128)> {
    (0..4).flat_map(|a| (0..4).map(move |b| (a, b)))
}

fn trust() -> Vec<String> {
    vec!["main".to_owned()]
}

#[test]
fn the_fixes_are_those_that_brute_force_finds() {
    for text in PROGRAMS {
        let program = read(text).expect("a program");
        let most = usize::MAX;
        let options = Fixing {
            trust: trust(),
            most_executed: most,
            most_reread: (most, usize::MAX),
            most_proofs: most,
            enough: most,
            enough_on_line: most,
            ..Fixing::default()
        };
        let mut why = program.check(&options.check).expect("a verdict");
        program.fix(&mut why, &options).expect("fixes");
        let fixes = &why.fixes().expect("looked for").found;
        let ways = fixes.iter().flat_map(|fix| [&fix.edits].into_iter().chain(&fix.same));
        let found: Vec<String> = ways.map(|edits| edited(text, &edits[0])).collect();
        let passes = |new: &String| {
            let Some(mended) = read(new) else { return false };
            all_inputs().all(|(a, b)| {
                let (outcome, comes, _) = run(&mended, a, b);
                outcome == Outcome::Finished && comes
            })
        };
        let every = fix::every_edit(&program, &trust());
        let expected: Vec<String> =
            every.iter().map(|(edit, _)| edited(text, edit)).filter(|new| passes(new)).collect();
        assert!(!expected.is_empty(), "nothing mends {text}");
        let missing: Vec<&String> = expected.iter().filter(|new| !found.contains(new)).collect();
        // Conditions that no known edit has may be found as well.
        let wrong: Vec<&String> = found.iter().filter(|new| !passes(new)).collect();
        assert!(wrong.is_empty(), "no fixes: {wrong:#?}");
        assert!(missing.is_empty(), "not found: {missing:#?}");
    }
}

/// The condition is one over the inputs, which the programs call a and b.
#[test]
fn fixes_differ_exactly_when_they_say() {
    let mut told = 0;
    for text in PROGRAMS {
        let program = read(text).expect("a program");
        let options = Fixing { trust: trust(), enough: 40, enough_on_line: 40, ..Fixing::default() };
        let mut why = program.check(&options.check).expect("a verdict");
        program.fix(&mut why, &options).expect("fixes");
        for fix in &why.fixes().expect("looked for").found {
            let (when, exactly) = match &fix.differs {
                Some(Differs::When(when)) => (when.as_str(), true),
                Some(Differs::OnlyWhen(when)) if !when.contains("is reached") => (when.as_str(), false),
                _ => continue,
            };
            let when = if when == "always" { "1" } else { when };
            let asked = format!("int main(void) {{ unsigned char a, b; __CPROVER_assert({when}, \"differs\"); }}");
            let asked = read(&asked).unwrap_or_else(|| panic!("{when} is no condition over a and b"));
            let mended = read(&edited(text, &fix.edits[0])).expect("a program");
            for (a, b) in all_inputs() {
                let differs = run(&program, a, b).2 != run(&mended, a, b).2;
                let says = run(&asked, a, b).0 == Outcome::Finished;
                let is_true = if exactly { differs == says } else { says || !differs };
                assert!(is_true, "{} for a = {a}, b = {b}: {when}", fix.edits[0].new);
            }
            told += 1;
        }
    }
    assert!(told >= 3, "{told} conditions");
}

#[test]
fn what_is_told_as_the_same_fix_does_the_same() {
    let mut told = 0;
    for text in PROGRAMS {
        let program = read(text).expect("a program");
        let options = Fixing { trust: trust(), enough: 40, enough_on_line: 40, ..Fixing::default() };
        let mut why = program.check(&options.check).expect("a verdict");
        program.fix(&mut why, &options).expect("fixes");
        for fix in &why.fixes().expect("looked for").found {
            let mended = read(&edited(text, &fix.edits[0])).expect("a program");
            for same in &fix.same {
                let other = read(&edited(text, &same[0])).expect("a program");
                for (a, b) in all_inputs() {
                    assert_eq!(run(&mended, a, b), run(&other, a, b), "{} for a = {a}, b = {b}", same[0].new);
                }
                told += 1;
            }
        }
    }
    assert!(told >= 3, "{told} other ways to write a fix");
}

/// Programs with two faults, which no single edit undoes.
const TWICE: &[&str] = &[
    "int near(int a, int b) { return a - b < 3 && b - a < 1; }
int main(void) {
    unsigned char a, b;
    __CPROVER_assume(a < 4 && b < 4);
    int c = near(a, b);
    __CPROVER_assert(c == (a - b <= 1 && b - a <= 1), \"near\");
}
",
    "int low(int a) { if (a < 2) return 2; return a; }
int high(int b) { if (b > 3) return 2; return b; }
int main(void) {
    unsigned char a, b;
    __CPROVER_assume(a < 4 && b < 4);
    int c = low(a), d = high(b);
    __CPROVER_assert(c == (a < 1 ? 2 : a) && d == (b > 2 ? 2 : b), \"both\");
}
",
];

#[test]
fn two_edits_mend_what_one_does_not() {
    for text in TWICE {
        let program = read(text).expect("a program");
        let options = Fixing { trust: trust(), edits: 2, enough: 40, enough_on_line: 40, ..Fixing::default() };
        let mut why = program.check(&options.check).expect("a verdict");
        program.fix(&mut why, &options).expect("fixes");
        let fixes = why.fixes().expect("looked for");
        assert!(!fixes.found.is_empty(), "no pair mends {text}");
        for fix in &fixes.found {
            assert_eq!(fix.edits.len(), 2, "one edit suffices for {text}");
            let new = fix::edited_text(text, fix.edits[0].span.file, &fix.edits);
            let mended = read(&new).expect("a program");
            for (a, b) in all_inputs() {
                let (outcome, comes, _) = run(&mended, a, b);
                assert!(outcome == Outcome::Finished && comes, "a = {a}, b = {b} in {new}");
            }
        }
    }
}

/// Its lines 4 to 8 can be left open one by one.
const OPEN: &str = "unsigned char p, q, r;
unsigned char nondet_uchar(void);
void work(unsigned char a, unsigned char b) {
    p = a + 1;
    q = p + b;
    r = q;
    if (a > 3)
        p = 0;
}
int main(void) {
    unsigned char a, b;
    __CPROVER_assume(a < 4 && b < 4);
    work(a, b);
    __CPROVER_assert(p == a && r == b, \"kept\");
}
";
const LINES: std::ops::RangeInclusive<u32> = 4..=8;

/// Whether some values on some lines save a run: all of them are tried.
fn is_saved(lines: &[u32], a: u128, b: u128) -> bool {
    let opened = OPEN.lines().enumerate().map(|(at, line)| match line.trim_start() {
        _ if !lines.contains(&(at as u32 + 1)) => line.to_owned(),
        condition if condition.starts_with("if") => "if (nondet_uchar())".to_owned(),
        other => format!("{} = nondet_uchar();", &other[..1]),
    });
    let program = read(&opened.collect::<Vec<_>>().join("\n")).expect("a program");
    let inputs = inputs(&program, a, b);
    // The claim asks for values below 4, and sums are of two.
    let choices = (0..lines.len()).fold(vec![Vec::new()], |known: Vec<Vec<u128>>, _| {
        known.iter().flat_map(|of| (0..8).map(move |value| [&of[..], &[value]].concat())).collect()
    });
    choices.into_iter().any(|calls| run_on(&program, &Inputs { calls, ..inputs.clone() }).0 == Outcome::Finished)
}

#[test]
fn diagnoses_are_those_that_brute_force_finds() {
    let program = read(OPEN).expect("a program");
    let failing: Vec<(u128, u128)> =
        all_inputs().filter(|(a, b)| run(&program, *a, *b).0 != Outcome::Finished).collect();
    let runs: Vec<Inputs> = failing.iter().map(|(a, b)| inputs(&program, *a, *b)).collect();
    let function = program.lowered().functions.iter().find(|function| function.name == "work").expect("it is there");
    let lines: Vec<(FileId, u32)> = LINES.map(|line| (function.span.file, line)).collect();
    let (bounds, stop) = (Bounds::default(), Stop::default());
    let (lowered, sources) = (program.lowered(), program.sources());
    let asked = Asked {
        program: lowered,
        sources,
        runs: &runs,
        lines: &lines,
        bounds: &bounds,
        come: &[],
        most_terms: 400_000,
        stop: &stop,
    };
    let count = |line: u32| failing.iter().filter(|(a, b)| is_saved(&[line], *a, *b)).count();
    let expected = LINES.map(|line| (count(line), failing.len()));
    assert_eq!(diagnosis::rescues(&asked), expected.collect::<Vec<_>>());
    let saves = |set: &[u32]| failing.iter().all(|(a, b)| is_saved(set, *a, *b));
    let mut expected: Vec<Vec<u32>> = LINES.map(|line| vec![line]).filter(|set| saves(set)).collect();
    let alone: Vec<u32> = expected.concat();
    let pairs = LINES.flat_map(|one| (one + 1..=*LINES.end()).map(move |two| vec![one, two]));
    expected.extend(pairs.filter(|pair| !pair.iter().any(|line| alone.contains(line)) && saves(pair)));
    let found = Opened::of(&asked).smallest();
    let found: Vec<Vec<u32>> = found.sets.iter().map(|set| set.iter().map(|(_, line)| *line).collect()).collect();
    assert!(expected.iter().any(|set| set.len() == 2), "{expected:?}");
    assert_eq!(found, expected);
}

/// A queue that takes one value too many, for ever; nothing leads out of its loop.
const QUEUE: &str = "int nondet_int(void);
static unsigned count;
int main(void) {
    while (1) {
        __CPROVER_assert(count <= 2, \"room\");
        unsigned next = count;
        if (nondet_int() && count <= 2)
            next = next + 1;
        if (nondet_int() && count > 0)
            next = next - 1;
        count = next;
    }
}
";

/// Whoever leaves the loop violates nothing any more, but that is no fix: `count = next; break;` was one.
#[test]
fn a_loop_that_never_ends_is_not_mended_by_ending_it() {
    let tried = |text: &str| {
        let program = read(text).expect("it is a program");
        let mut why = program.check(&Default::default()).expect("it fails");
        program.fix(&mut why, &Fixing::default()).expect("fixes are looked for");
        let found = why.fixes().expect("they were").clone();
        let new: Vec<String> = found.found.iter().map(|fix| edited(text, &fix.edits[0])).collect();
        (new, found.ending)
    };
    let (new, ending) = tried(QUEUE);
    assert!(new.is_empty() && ending > 0, "{ending}, {new:?}");
    // Where something leads out of it already, it may be left.
    let (new, ending) = tried(&QUEUE.replace("while (1)", "for (int i = 0; i < 4; i++)"));
    assert!(ending == 0 && new.iter().any(|text| text.contains("count < 2")), "{ending}, {new:?}");
}
