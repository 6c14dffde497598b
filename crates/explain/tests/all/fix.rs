//! Fixes against brute force: every edit of small programs, on every input.

use nearmiss_explain::explanation::Differs;
use nearmiss_explain::{Fixing, Program, Reading, fix};
use nearmiss_program::c::edit::TextEdit;
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::SiteId;
use nearmiss_program::run::{Content, Inputs, Outcome};

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
    let mut inputs = Inputs::default();
    for (name, value) in [("a", a), ("b", b)] {
        let sites = program.lowered().sites.iter().enumerate();
        for (at, _) in sites.filter(|(_, site)| site.name == name && site.function == "main") {
            let content = Content { bit_offset: 0, bits: 8, value };
            inputs.contents.insert((SiteId(at as u32), 0), vec![content]);
        }
    }
    let limits = Limits { steps: 10_000, ..Limits::default() };
    let execution = Interpreter::new(program.lowered()).execute(&inputs, &limits, Recording::Deeds);
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
            most_reread: most,
            most_proofs: most,
            enough: most,
            enough_on_line: most,
            ..Fixing::default()
        };
        let mut why = program.check(&options.check).expect("a verdict");
        program.fix(&mut why, &options).expect("fixes");
        let found: Vec<String> =
            why.fixes().expect("looked for").found.iter().map(|fix| edited(text, &fix.edits[0])).collect();
        let mut expected = Vec::new();
        for (edit, _) in fix::every_edit(&program, &trust()) {
            let new = edited(text, &edit);
            let Some(mended) = read(&new) else { continue };
            let passes = all_inputs().all(|(a, b)| {
                let (outcome, comes, _) = run(&mended, a, b);
                outcome == Outcome::Finished && comes
            });
            if passes {
                expected.push(new);
            }
        }
        assert!(!expected.is_empty(), "nothing mends {text}");
        let missing: Vec<&String> = expected.iter().filter(|new| !found.contains(new)).collect();
        let wrong: Vec<&String> = found.iter().filter(|new| !expected.contains(new)).collect();
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
                Some(Differs::OnlyWhen(when)) if !when.contains("is reached with") => (when.as_str(), false),
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
    assert!(told > 3, "{told} conditions");
}
