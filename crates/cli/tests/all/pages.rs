//! The pages of `check`, `explain` and `focus` in a real browser, beside what the same command says as JSON and as text.
//!
//! Light and dark pictures are kept in `target/tmp`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::driver::{Browser, run};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A line as JSON names it.
type Line = (String, u64);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("there is a root")
}

/// What the tool prints in a folder.
fn answer(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
    let output = command.current_dir(folder).args(args).output().expect("the tool starts");
    String::from_utf8(output.stdout).expect("this is text")
}

fn json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&answer(folder, &[args, &["--format", "json"]].concat())).expect("this is JSON")
}

/// Opens the page that a command writes, from a file that is gone afterwards; its size in bytes.
fn open(browser: &mut Browser, folder: &Path, args: &[&str]) -> usize {
    let place = TempDir::new().expect("there is a place for pages");
    let page = place.path().join("page with a space.html");
    let path = page.display().to_string();
    assert_eq!(answer(folder, &[args, &["--format", "html", "-o", &path]].concat()), "", "all of it is in the file");
    browser.open(&page);
    let size = fs::metadata(&page).expect("the page was written").len();
    println!("the page of {} has {size} bytes", args.join(" "));
    size as usize
}

#[test]
fn two_runs() {
    run(&[
        ("toggles mark the lines that JSON names", toggles_mark_the_lines_that_json_names),
        ("the walk reaches every difference", the_walk_reaches_every_difference),
        ("values stand in the margin", values_stand_in_the_margin),
        ("levels go from the sentence to the trace", levels_go_from_the_sentence_to_the_trace),
    ]);
}

#[test]
fn ways_and_single_runs() {
    run(&[
        ("a way is put onto the source", a_way_is_put_onto_the_source),
        ("a failing run alone", a_failing_run_alone),
        ("nothing fails", nothing_fails),
    ]);
}

#[test]
fn looks_and_sizes() {
    run(&[
        ("dark and light", dark_and_light),
        ("small screens and sheets of paper", small_screens_and_sheets_of_paper),
        ("nothing in the input becomes markup", nothing_in_the_input_becomes_markup),
        ("a hundred thousand steps", a_hundred_thousand_steps),
        ("a thousand lines", a_thousand_lines),
    ]);
}

/// Pages of two runs: several functions and loops, ways out, causes, conditions that are kept.
const EXPLAINED: [&[&str]; 4] = [
    &["explain", "examples/minmax.c", "--no-native"],
    &["explain", "examples/semaphore.c", "--routes", "--no-native"],
    &["explain", "examples/slice.c", "--routes", "--nearest-all", "--no-native"],
    &["explain", "cases/explain/guard_before_loop/sum.c", "--no-native"],
];

/// The lines of some objects of JSON.
fn lines<'a>(objects: impl IntoIterator<Item = &'a Value>) -> BTreeSet<Line> {
    let line = |object: &Value| {
        (object["file"].as_str().expect("a file").to_owned(), object["line"].as_u64().expect("a line"))
    };
    objects.into_iter().map(line).collect()
}

/// What a page lists as differences: the rows of the two runs, or where steps were compared the differences of those.
fn differences(said: &Value) -> Vec<&Value> {
    let deltas = list(&said["nearest"]["deltas"]);
    match deltas.iter().any(|delta| !delta["step"].is_null() || !delta["passing_step"].is_null()) {
        true => deltas.iter().filter(|delta| delta["executed"] != "neither").collect(),
        false => list(&said["nearest"]["rows"]).iter().collect(),
    }
}

fn differing(said: &Value) -> BTreeSet<Line> {
    lines(differences(said))
}

/// The lines of those that matter.
fn mattering(said: &Value) -> BTreeSet<Line> {
    let in_slice = |delta: &&Value| list(&said["slice"]["deltas"]).contains(delta);
    lines(differences(said).into_iter().filter(|found| found["matters"] == true || in_slice(found)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The lines of the source that satisfy a condition on their row.
fn rows(browser: &mut Browser, condition: &str) -> BTreeSet<Line> {
    let found = browser.eval(&format!(
        "[...document.querySelectorAll('table.code tbody tr:not(.gap)')].filter((row) => {condition}).map((row) => \
         [row.closest('table').tHead.rows[0].cells[0].textContent, Number(row.cells[3].textContent)])"
    ));
    serde_json::from_value(found).expect("lines")
}

/// The lines with a background of their own.
const TINTED: &str = "!/rgba\\(0, 0, 0, 0\\)|transparent/.test(getComputedStyle(row).backgroundColor)";

fn only(browser: &mut Browser, toggle: &str) {
    browser.eval("for (const button of document.querySelectorAll('[data-toggle][aria-pressed=true]')) button.click()");
    assert_eq!(rows(browser, TINTED), BTreeSet::new(), "nothing is marked");
    if !toggle.is_empty() {
        browser.click_on(&format!("[data-toggle={toggle}]"));
    }
}

fn toggles_mark_the_lines_that_json_names(browser: &mut Browser) {
    let mut seen = [0; 6];
    for args in EXPLAINED {
        let said = json(&root(), args);
        open(browser, &root(), args);
        browser.key("4");
        let executed = |delta: &&Value| delta["executed"] != "neither";
        let routes = list(&said["slice"]["routes"]).iter().chain(list(&said["nearest"]["all"]));
        let routes: Vec<BTreeSet<Line>> = routes.map(|route| lines(list(route).iter().filter(executed))).collect();
        for (n, (toggle, wanted)) in [
            ("differences", differing(&said)),
            ("slice", mattering(&said)),
            ("kept", lines(list(&said["assumptions"]))),
            ("route", routes.first().cloned().unwrap_or_default()),
        ]
        .into_iter()
        .enumerate()
        {
            let exists = browser.eval(&format!("!!document.querySelector('[data-toggle={toggle}]')"));
            assert_eq!(exists, !wanted.is_empty(), "{args:?}: {toggle}");
            seen[n] += wanted.len();
            if !wanted.is_empty() {
                only(browser, toggle);
                assert_eq!(rows(browser, TINTED), wanted, "{args:?}: {toggle}");
            }
        }
        for (number, route) in routes.iter().enumerate() {
            only(browser, "");
            browser.click_on(&format!("[data-route='{number}']"));
            assert_eq!(rows(browser, TINTED), *route, "{args:?}: way out {number}");
        }
        only(browser, "suspects");
        let shown = "row.cells[2].innerText !== ''";
        assert_eq!(rows(browser, shown), lines(list(&said["suspects"])), "{args:?}: suspects");
        only(browser, "");
        assert_eq!(rows(browser, shown), BTreeSet::new());
        seen[4] += routes.len();
        seen[5] += causes_mark_lines(browser, &said);
    }
    assert!(seen.iter().all(|number| *number > 0), "each toggle was tried: {seen:?}");
}

/// A cause marks the executed lines with one of its variables, while it is pointed at or chosen.
fn causes_mark_lines(browser: &mut Browser, said: &Value) -> usize {
    let causes = list(&said["causes"]);
    let steps = list(&said["counterexample"]["steps"]).iter().chain(list(&said["nearest"]["steps"]));
    let executed = lines(steps);
    for (number, cause) in causes.iter().enumerate() {
        let names: Vec<&str> = list(&cause["variables"]).iter().map(|name| name.as_str().expect("a name")).collect();
        let root = |name: &&str| {
            let start = name.find(|c: char| c.is_alphabetic() || c == '_').unwrap_or(0);
            let rest = &name[start..];
            rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())].to_owned()
        };
        let names: Vec<String> = names.iter().map(root).collect();
        let holds = |(file, line): &&Line| {
            let text = fs::read_to_string(root_of(file)).expect("the source is there");
            let text = text.lines().nth(*line as usize - 1).unwrap_or_default().to_owned();
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| names.iter().any(|name| name == word))
        };
        let wanted: BTreeSet<Line> = executed.iter().filter(holds).cloned().collect();
        browser.click_on(&format!("[data-cause='{number}']"));
        assert_eq!(rows(browser, TINTED), wanted, "{cause}");
        browser.click_on(&format!("[data-cause='{number}']"));
        browser.mouse("mouseMoved", 2.0, 2.0);
        browser.settle();
        assert_eq!(rows(browser, TINTED), BTreeSet::new(), "the same once more is none");
    }
    causes.len()
}

fn root_of(file: &str) -> PathBuf {
    root().join(file)
}

/// The line of the current step, and that it is the one that the source points at.
fn here(browser: &mut Browser) -> Line {
    let found = rows(browser, "row.classList.contains('current')");
    assert_eq!(found.len(), 1, "one line is current");
    let in_sight = browser.eval(
        "(() => { const box = document.querySelector('tr.current').getBoundingClientRect(); \
         return box.top >= 0 && box.bottom <= innerHeight && box.height > 0; })()",
    );
    assert_eq!(in_sight, true, "the source follows");
    found.into_iter().next().expect("a line")
}

fn the_walk_reaches_every_difference(browser: &mut Browser) {
    for args in EXPLAINED {
        let said = json(&root(), args);
        open(browser, &root(), args);
        browser.key("4");
        // Every step of either run has its row, in order.
        for (run, steps) in [(0, &said["counterexample"]["steps"]), (1, &said["nearest"]["steps"])] {
            let shown = browser.eval(&format!(
                "Array.from({{length: window.nearmiss.rows()}}, (_, i) => window.nearmiss.row(i)).filter((row) => \
                 row.told[{run}] !== null).map((row) => row.line)"
            ));
            let wanted: Vec<&Value> = list(steps).iter().map(|step| &step["line"]).collect();
            assert_eq!(list(&shown).iter().collect::<Vec<_>>(), wanted, "{args:?}: run {run}");
        }
        browser.eval("document.getElementById('steps').focus()");
        browser.key("Home");
        assert_eq!(browser.eval("window.nearmiss.step().row"), 0);
        let mut reached = BTreeSet::new();
        let mut before = json!(-1);
        loop {
            let step = browser.eval("window.nearmiss.step()");
            if step["row"] == before {
                break;
            }
            let is_first = before == -1;
            if step["differs"] == true || !is_first {
                reached.insert(here(browser));
                let failing = browser.text(
                    "(({title, textContent}) => title || textContent)(document.querySelector('.step.current .told'))",
                );
                assert_eq!(failing, step["told"][0].as_str().unwrap_or("not executed"));
            }
            before = step["row"].clone();
            browser.key("n");
        }
        let missing: Vec<Line> = differing(&said).difference(&reached).cloned().collect();
        assert!(missing.is_empty(), "{args:?}: not reached: {missing:?}");
        // Back again, and by the links of the table.
        browser.key("p");
        assert!(browser.number("window.nearmiss.step().row") < before.as_f64().expect("a row"));
        browser.key("End");
        let last = browser.number("window.nearmiss.rows()") - 1.0;
        assert_eq!(browser.number("window.nearmiss.step().row"), last);
        browser.key("ArrowUp");
        browser.key("j");
        browser.key("k");
        assert_eq!(browser.number("window.nearmiss.step().row"), last - 1.0);
        browser.click_on("a[data-difference='0']");
        let first = differences(&said).into_iter().next();
        assert_eq!(
            lines(
                [here(browser)]
                    .iter()
                    .map(|(file, line)| json!({"file": file, "line": line}))
                    .collect::<Vec<_>>()
                    .iter()
            ),
            lines(first),
            "{args:?}"
        );
    }
}

fn values_stand_in_the_margin(browser: &mut Browser) {
    let args = &["explain", "examples/minmax.c", "--no-native"];
    open(browser, &root(), args);
    let sentence = browser.text("document.querySelector('.sentence').textContent");
    let text = answer(&root(), args);
    let first = text.split("\n\n").next().unwrap_or_default().replace('`', "");
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    assert_eq!(words(&sentence), words(&first).replacen("fails:", "fails", 1), "the sentence of the terminal");
    let cell = |browser: &mut Browser, line: usize, column: usize| {
        browser.text(&format!(
            "document.querySelector('table.code').tBodies[0].rows[0].parentElement.querySelectorAll(\
             'tr:not(.gap)')[{line} - 1].cells[{column}].innerText.replace(/\\n/g, '; ')"
        ))
    };
    assert_eq!(cell(browser, 14, 5), "first = 0; second = -1; third = 0");
    assert_eq!(cell(browser, 14, 6), "first = 0; second = 0; third = 0");
    assert_eq!([cell(browser, 22, 5), cell(browser, 22, 6)], ["true", "false"]);
    assert_eq!([cell(browser, 23, 5), cell(browser, 23, 6)], ["high = -1", ""]);
    assert_eq!(cell(browser, 26, 5), "violated; low = 0; high = -1");
    assert_eq!(cell(browser, 26, 6), "holds; low = 0; high = 0");
    let only_failing = rows(browser, "row.matches('.f:not(.p)')");
    assert_eq!(only_failing, [("examples/minmax.c".to_owned(), 23)].into());
    // Without scripts as well.
    let page = answer(&root(), &[&args[..], &["--format", "html"]].concat());
    assert!(page.contains("<td>        high = second;<td><div class=\"x\">high = -1</div><td>\n"));
    // Variables at a step: what it sets comes first, then what differs.
    browser.click_on("a[data-difference='2']");
    let variables = browser.text("document.getElementById('variables').innerText");
    let variables: Vec<&str> = variables.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(variables[..3], ["Variables in main", "high\t-1\t0", "second\t-1\t0"], "{variables:?}");
}

fn levels_go_from_the_sentence_to_the_trace(browser: &mut Browser) {
    let args = &["explain", "examples/semaphore.c", "--no-native"];
    let said = json(&root(), args);
    open(browser, &root(), args);
    assert_eq!(browser.number("window.nearmiss.level()"), 1.0, "what matters comes first");
    assert_eq!(browser.eval("window.nearmiss.step().matters"), true, "and a step that matters");
    browser.key("4");
    let shown = |browser: &mut Browser| rows(browser, "row.offsetHeight > 0");
    let all = shown(browser);
    browser.key("3");
    let differing = shown(browser);
    let deltas = self::differing(&said);
    assert!(deltas.is_subset(&differing) && differing.len() < all.len());
    let steps = browser.number("window.nearmiss.step().shown");
    assert!(steps < browser.number("window.nearmiss.rows()"));
    browser.key("2");
    let mattering = shown(browser);
    let slice = self::mattering(&said);
    assert!(slice.is_subset(&mattering) && mattering.is_subset(&differing) && mattering.len() < differing.len());
    assert!(browser.number("window.nearmiss.step().shown") < steps);
    browser.picture_in(Path::new(env!("CARGO_TARGET_TMPDIR")), "semaphore-matters");
    browser.key("1");
    assert_eq!(shown(browser), BTreeSet::new(), "the sentence alone");
    assert_eq!(browser.eval("document.querySelector('.sentence').offsetHeight > 0"), true);
    browser.key("n");
    browser.click_on("#levels button:last-child");
    assert_eq!(shown(browser), all);
    // A gap opens.
    browser.click_on("tr.gap button");
    assert!(shown(browser).len() > all.len());
}

fn a_way_is_put_onto_the_source(browser: &mut Browser) {
    let ways: [&[&str]; 2] = [
        &["focus", "cases/focus/lock/lock.c", "--unwind", "2", "--no-native"],
        &["focus", "examples/minmax.c", "--no-native"],
    ];
    let mut stronger = 0;
    for args in ways {
        let said = json(&root(), args);
        open(browser, &root(), args);
        let sequences = list(&said["sequences"]);
        assert_eq!(browser.number("document.querySelectorAll('[data-way]').length") as usize, sequences.len());
        for (number, way) in sequences.iter().enumerate() {
            browser.click_on(&format!("[data-way='{number}']"));
            let statements = list(&way["statements"]);
            assert_eq!(rows(browser, TINTED), lines(statements), "{args:?}: way {number}");
            let focus = || statements.iter().filter(|statement| statement["role"] == "focus");
            let nest = lines(list(&way["nest"]));
            let is_local = focus().any(|statement| lines([statement]).is_disjoint(&nest));
            let wanted: BTreeSet<Line> =
                lines(focus()).into_iter().filter(|line| is_local && nest.contains(line)).collect();
            stronger += wanted.len();
            assert_eq!(rows(browser, "row.classList.contains('nest')"), wanted, "{args:?}: neighbourhood of {number}");
            for (place, statement) in statements.iter().enumerate() {
                let step = browser.eval(&format!("window.nearmiss.row({place})"));
                assert_eq!(step["line"], statement["line"]);
                let outcome = match (&statement["outcome"], statement["role"].as_str()) {
                    (_, Some("claim")) => "violated".to_owned(),
                    (Value::Bool(outcome), _) => outcome.to_string(),
                    _ => String::new(),
                };
                assert_eq!(step["told"][0], json!(outcome));
            }
            browser.eval("document.getElementById('steps').focus()");
            browser.key("End");
            let [claim] = &statements[statements.len() - 1..] else { panic!("there is a claim") };
            assert_eq!(lines([claim]), [here(browser)].into());
        }
        let text = browser.text("document.querySelector('.card.ways').innerText");
        for assumption in sequences.iter().flat_map(|way| list(&way["assumptions"])) {
            assert!(text.replace('\u{a0}', " ").contains(assumption.as_str().expect("text")), "{text}: {assumption}");
        }
        browser.key("4");
        assert!(browser.number("window.nearmiss.rows()") >= list(&sequences[0]["statements"]).len() as f64);
    }
    assert!(stronger > 0);
    browser.picture_in(Path::new(env!("CARGO_TARGET_TMPDIR")), "focus");
}

fn a_failing_run_alone(browser: &mut Browser) {
    let args = &["check", "examples/ring.c", "--no-native"];
    let said = json(&root(), args);
    open(browser, &root(), args);
    assert_eq!(browser.number("window.nearmiss.rows()") as usize, list(&said["counterexample"]["steps"]).len());
    assert_eq!(rows(browser, "row.classList.contains('f')"), lines(list(&said["counterexample"]["steps"])));
    assert_eq!(browser.text("document.querySelector('.step.current .told').textContent"), "violated");
    assert_eq!(browser.number("document.querySelectorAll('thead .good').length"), 0.0, "there is no passing run");
    browser.key("k");
    browser.key("n");
    let always = &["explain", "always.c", "--no-native"];
    open(browser, &root().join("cases/explain/no_passing_run"), always);
    assert!(browser.text("document.querySelector('.notes').innerText").contains("no passing run"));
}

fn nothing_fails(browser: &mut Browser) {
    for args in [&["explain", "holds.c", "--no-native"], &["focus", "holds.c", "--no-native"]] {
        open(browser, &root().join("cases/explain/holds"), args);
        assert_eq!(browser.text("document.querySelector('.badge').textContent"), "holds");
        for key in ["j", "k", "n", "p", "1", "3", "Home"] {
            browser.key(key);
        }
    }
}

fn dark_and_light(browser: &mut Browser) {
    let size = json!({"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", size);
    open(browser, &root(), &["explain", "examples/minmax.c", "--no-native"]);
    let brightness = |browser: &mut Browser| {
        browser.number(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0)",
        )
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    assert!(brightness(browser) > 700.0);
    browser.picture_in(folder, "explain-light");
    browser.prefer("dark");
    assert!(brightness(browser) < 120.0, "the system's choice is followed");
    browser.picture_in(folder, "explain-dark");
    browser.click_on("#theme");
    assert!(brightness(browser) > 700.0, "the button overrides it");
    let [light, dark] =
        ["light", "dark"].map(|name| fs::read(folder.join(format!("explain-{name}.png"))).expect("a picture"));
    assert!(light.len() > 10_000 && dark.len() > 10_000 && light != dark);
}

fn small_screens_and_sheets_of_paper(browser: &mut Browser) {
    for args in [EXPLAINED[1], &["focus", "cases/focus/lock/lock.c", "--unwind", "2", "--no-native"]] {
        browser.reset();
        open(browser, &root(), args);
        let size = json!({"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": true});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser.settle();
        browser.picture(&format!("{}-phone", args[0]));
        let beyond = browser.number("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(beyond, 0.0, "nothing stands out to the right");
        browser.reset();
        browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
        browser.settle();
        for hidden in [".tools", ".stepper", "#theme"] {
            let display = browser.text(&format!("getComputedStyle(document.querySelector('{hidden}')).display"));
            assert_eq!(display, "none", "{hidden} is not printed");
        }
        assert_eq!(browser.eval("document.querySelector('table.code').offsetHeight > 100"), true);
        let paper = browser.call("Page.printToPDF", json!({}));
        assert!(paper["data"].as_str().is_some_and(|data| data.len() > 10_000));
    }
}

/// A name, a comment, a string, a character and a claim that try to be markup or script.
const HOSTILE: &str = r#"#include <assert.h>
#include <string.h>
int nondet_int(void);
/* <!-- </style></script><script>window.pwned = 1</script> <b>bold</b> ]]> */
int main(void)
{
    const char *text = "</script><script>window.pwned = 2</script><img src=x onerror='window.pwned = 3'>&amp;";
    char sign = '<';
    int n = nondet_int();
    if (n == 7 && sign == '<')
        sign = '&';
    assert(sign != '&' || !"</script><script>alert(1)</script>&lt;\"'");
    return text[0];
}
"#;

fn nothing_in_the_input_becomes_markup(browser: &mut Browser) {
    let folder = TempDir::new().expect("there is a place for programs");
    let name = "<script>window.pwned = 4<b>&amp;'\".c";
    fs::write(folder.path().join(name), HOSTILE).expect("a file may have such a name");
    for command in ["explain", "check", "focus"] {
        let args = &[command, name, "--no-native"];
        let said = json(folder.path(), args);
        assert_eq!(said["verdict"], "fails", "{said}");
        open(browser, folder.path(), args);
        for key in ["n", "n", "p", "2", "3", "4", "j"] {
            browser.key(key);
        }
        assert_eq!(browser.eval("window.pwned === undefined"), true);
        assert_eq!(browser.number("document.querySelectorAll('main img, main script, main style').length"), 0.0);
        assert_eq!(
            browser.number("document.querySelectorAll('b').length"),
            browser.number("document.querySelectorAll('.choices b, .code b, .legend b').length")
        );
        assert_eq!(browser.number("document.scripts.length"), 2.0);
        assert!(browser.text("document.title").ends_with(name));
        assert_eq!(browser.text("document.querySelector('.code thead th').textContent"), name);
        let code = browser.text(
            "[...document.querySelectorAll('table.code tbody tr:not(.gap)')].map((row) => row.cells[4].textContent).join('\\n')",
        );
        assert_eq!(code, HOSTILE.trim_end(), "the source is shown as it is");
        let claim = said["property"]["text"].as_str().expect("a claim");
        assert!(browser.text("document.querySelector('.sentence').textContent").contains(claim));
    }
}

fn a_hundred_thousand_steps(browser: &mut Browser) {
    let folder = TempDir::new().expect("there is a place for programs");
    let text = "#include <assert.h>\nint nondet_int(void);\nint main(void)\n{\n    int sum = 0, n = nondet_int();\n    \
                for (int i = 0; i < 33400; i++)\n        sum ^= i;\n    assert(n != 7);\n    return sum;\n}\n";
    fs::write(folder.path().join("long.c"), text).expect("a program can be written");
    open(browser, folder.path(), &["explain", "long.c", "--minimise", "none", "--no-native"]);
    browser.key("4");
    assert!(browser.number("window.nearmiss.rows()") > 100_000.0);
    browser.eval("document.getElementById('steps').focus()");
    let elements = |browser: &mut Browser| browser.number("document.querySelectorAll('.step').length");
    for key in ["Home", "j", "PageDown", "End", "k", "p", "n"] {
        browser.key(key);
        assert!(elements(browser) < 100.0, "only rows in sight are elements");
        assert_eq!(browser.eval("!!document.querySelector('.step.current')"), true, "{key}");
    }
    for share in [0.2, 0.5, 0.9] {
        browser.eval(&format!("(() => {{ const list = document.getElementById('steps'); list.scrollTop = list.scrollHeight * {share}; }})()"));
        browser.settle();
        assert!((10.0..100.0).contains(&elements(browser)));
        let seen = browser.eval(
            "(() => { const box = document.getElementById('steps').getBoundingClientRect(); \
             return document.elementFromPoint(box.left + 80, box.top + box.height / 2).closest('.step') !== null; })()",
        );
        assert_eq!(seen, true, "where it was scrolled to there is a row");
    }
    let all = |browser: &mut Browser| browser.number("document.querySelectorAll('*').length");
    assert!(all(browser) < 1000.0);
    // A screen per frame through the list, and step by step where everything that came before counts.
    let scrolling = frames(
        browser,
        "const list = document.getElementById('steps'); list.scrollTop = (n * 7919 * 24) % list.scrollHeight",
    );
    browser.key("End");
    let press = "document.getElementById('steps').dispatchEvent(new KeyboardEvent('keydown', {key: 'k', bubbles: true, cancelable: true}))";
    let stepping = frames(browser, press);
    assert!(all(browser) < 1000.0, "the page does not grow");
    // For people: how long a frame takes is up to the machine.
    println!(
        "100,000 steps: a frame takes {scrolling:.1} ms while scrolling, {stepping:.1} ms while stepping (medians)"
    );
}

/// Does something in each of a hundred frames; the median of their times in milliseconds.
fn frames(browser: &mut Browser, what: &str) -> f64 {
    browser.number(&format!(
        "new Promise((done) => {{ const times = []; let n = 0, last = performance.now(); const step = () => {{ \
         const now = performance.now(); times.push(now - last); last = now; {{ {what} }} \
         if (++n < 100) requestAnimationFrame(step); else done(times.sort((a, b) => a - b)[50]); }}; requestAnimationFrame(step); }})"
    ))
}

/// A program of a thousand lines, each of which is executed.
fn long_program() -> String {
    let mut text = String::from("#include <assert.h>\nint nondet_int(void);\n\n");
    for n in 0..62 {
        let _ = write!(
            text,
            "static int stage_{n}(int value, int limit)\n{{\n    int low = value & 15;\n    int high = value >> 4;\n    \
             int sum = 0;\n    for (int i = 0; i < 3; i++) {{\n        if (low > limit)\n            sum += low - limit;\n        \
             else\n            sum += high & {n};\n        low = (low + 1) & 15;\n    }}\n    if (sum > 90)\n        \
             sum = 90;\n    return (value + sum) & 1023;\n}}\n\n"
        );
        text.truncate(text.len() - 1);
    }
    text += "int main(void)\n{\n    int first = nondet_int();\n    int value = 12;\n";
    for n in 0..62 {
        let _ = writeln!(text, "    value = stage_{n}(value, {});", n % 16);
    }
    text + "    assert(first != 77 || value < 0);\n    return 0;\n}\n"
}

fn a_thousand_lines(browser: &mut Browser) {
    let folder = TempDir::new().expect("there is a place for programs");
    let text = long_program();
    assert!(text.lines().count() >= 1000, "{} lines", text.lines().count());
    fs::write(folder.path().join("long.c"), text).expect("a program can be written");
    let size = open(browser, folder.path(), &["explain", "long.c", "--no-native"]);
    assert!(size < 500_000, "{size} bytes");
    assert!(browser.number("window.nearmiss.rows()") > 1000.0);
    browser.picture("thousand");
}
