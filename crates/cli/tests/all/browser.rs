//! The page of causes in a real browser: opened from a file, looked at pixel by pixel, and used with mouse, keys and fingers.
//!
//! `NEARMISS_SCREENSHOTS=DIR` keeps pictures for people to look at.

mod reports;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::driver::{Browser, run};
use nearmiss_report::causes::html;
use nearmiss_trace::report::TraceReport;
use serde_json::json;
use tempfile::TempDir;

/// Opens the page of a report, from a file that is gone afterwards: nothing may be read later.
fn open(browser: &mut Browser, name: &str, report: &TraceReport) {
    let folder = TempDir::new().expect("there is a place for pages");
    let path = folder.path().join("page with a space.html");
    let html = html::render(report, &format!("nearmiss causes {name}.vcd"));
    println!("the page of {name} has {} bytes", html.len());
    fs::write(&path, html).expect("the page can be written");
    browser.open(&path);
    browser.picture(name);
}

#[test]
fn dots_and_values() {
    run(&[
        ("dots are where the report says", dots_are_where_the_report_says),
        ("pointing shows the value and the reason", pointing_shows_the_value_and_the_reason),
        ("values of every kind are written out", values_of_every_kind_are_written_out),
        ("the command's page shows what its JSON says", the_commands_page_shows_what_its_json_says),
    ]);
}

#[test]
fn hands_and_keys() {
    run(&[
        ("zooming and moving keep dots on their cycles", zooming_and_moving_keep_dots_on_their_cycles),
        ("fingers move and spread", fingers_move_and_spread),
        ("keys and links go through the causes", keys_and_links_go_through_the_causes),
        ("parts of the formula fold", parts_of_the_formula_fold),
    ]);
}

#[test]
fn choices_and_looks() {
    run(&[
        ("formulas and failures are chosen from lists", formulas_and_failures_are_chosen_from_lists),
        ("dark and light", dark_and_light),
        ("small screens and sheets of paper", small_screens_and_sheets_of_paper),
    ]);
}

#[test]
fn large_and_hostile_and_empty() {
    run(&[
        ("nothing in the input becomes markup", nothing_in_the_input_becomes_markup),
        ("a report without anything is a page", a_report_without_anything_is_a_page),
        ("a million cycles of 200 signals", a_million_cycles_of_200_signals),
    ]);
}

/// A dot as the page says it painted it.
#[derive(Debug)]
struct Seen {
    signal: String,
    cycle: usize,
    x: f64,
    y: f64,
    full: bool,
}

fn dots(browser: &mut Browser) -> Vec<Seen> {
    let list = browser.eval("window.nearmiss.dots()");
    let seen = |dot: &serde_json::Value| Seen {
        signal: dot["signal"].as_str().expect("a name").to_owned(),
        cycle: dot["cycle"].as_u64().expect("a cycle") as usize,
        x: dot["x"].as_f64().expect("a place"),
        y: dot["y"].as_f64().expect("a place"),
        full: dot["full"].as_bool().expect("dot or ring"),
    };
    list.as_array().expect("a list").iter().map(seen).collect()
}

fn dot(browser: &mut Browser, signal: &str, cycle: usize) -> Seen {
    let found = dots(browser).into_iter().find(|dot| dot.signal == signal && dot.cycle == cycle);
    found.unwrap_or_else(|| panic!("there is a dot on {signal} at {cycle}"))
}

/// The places that the first failure of a formula names.
fn expected(report: &TraceReport, formula: usize) -> BTreeSet<(String, usize)> {
    let dots = report.formulas[formula].failures[0].causes.iter().flat_map(|cause| &cause.dots);
    dots.map(|dot| (report.wave.signals[dot.signal].info.name.clone(), dot.time)).collect()
}

fn places(seen: &[Seen]) -> BTreeSet<(String, usize)> {
    seen.iter().map(|dot| (dot.signal.clone(), dot.cycle)).collect()
}

fn colour(browser: &mut Browser, x: f64, y: f64) -> [u64; 3] {
    let data = browser.eval(&format!("window.nearmiss.colour({x}, {y})"));
    [0, 1, 2].map(|i| data[i].as_u64().expect("a colour"))
}

fn is_red([red, green, blue]: [u64; 3]) -> bool {
    red > 190 && green < 110 && blue < 125
}

/// Every dot is red in its middle, in the middle of its cycle, and on a line that leads to it.
fn assert_aligned(browser: &mut Browser) {
    let left = browser.number("document.getElementById('wave').getBoundingClientRect().left");
    let view = browser.eval("window.nearmiss.view()");
    let [from, scale, width] = ["from", "scale", "width"].map(|key| view[key].as_f64().expect("a number"));
    // In the dot, on the line to its left, and beside that line.
    let colours = browser.eval(
        "window.nearmiss.dots().map(({x, y}) => [[x, y], [x - 9, y - 0.5], [x - 9, y - 4]].map(([x, y]) => \
         window.nearmiss.colour(x, y).slice(0, 3)))",
    );
    let colours: Vec<[[u64; 3]; 3]> = serde_json::from_value(colours).expect("colours");
    let dots = dots(browser);
    assert_eq!(dots.len(), colours.len());
    for (dot, [inside, line, beside]) in dots.iter().zip(colours) {
        let middle = left + (dot.cycle as f64 + 0.5 - from) * scale;
        assert!((dot.x - middle).abs() < 0.01, "{dot:?} is not in the middle of its cycle, {middle}");
        if dot.x < left + 9.0 || dot.x > left + width - 9.0 {
            continue;
        }
        assert_eq!(is_red(inside), dot.full, "{dot:?} is {inside:?}");
        assert!(scale < 24.0 || line != beside, "{dot:?} is not on a line");
    }
}

/// The lines of bits are high and low where the report says so, in every cycle in sight.
fn assert_levels(browser: &mut Browser, report: &TraceReport, signals: &[usize]) {
    let view = browser.eval("window.nearmiss.view()");
    let [from, scale, width] = ["from", "scale", "width"].map(|key| view[key].as_f64().expect("a number"));
    assert!(scale >= 8.0, "cycles can be told apart");
    let cycles = from.ceil() as usize..((from + width / scale).floor() as usize).min(report.wave.cycles);
    for signal in signals {
        let colours = browser.eval(&format!(
            "(() => {{ const row = window.nearmiss.rows().find((row) => row.key === 's{signal}'); \
             const {{from, scale}} = window.nearmiss.view(); const seen = []; \
             for (let cycle = {}; cycle < {}; cycle++) {{ const x = row.x + (cycle + 0.2 - from) * scale; \
             seen.push([7, 27].map((y) => window.nearmiss.colour(x, row.y + y).slice(0, 3))); }} return seen; }})()",
            cycles.start, cycles.end
        ));
        let colours: Vec<[[u64; 3]; 2]> = serde_json::from_value(colours).expect("colours");
        assert_eq!(colours.len(), cycles.len());
        for (cycle, [high, low]) in cycles.clone().zip(colours) {
            let is_line = |colour: [u64; 3]| colour[0] < 60 && colour[1] > 80;
            let value = report.wave.signals[*signal].at(cycle).to_string();
            let expected = match value.as_str() {
                "1" => [true, false],
                "0" => [false, true],
                _ => continue,
            };
            assert_eq!([is_line(high), is_line(low)], expected, "signal {signal} at {cycle}: {high:?} {low:?}");
        }
    }
}

fn tip(browser: &mut Browser) -> String {
    browser.text("document.getElementById('tip').hidden ? '' : document.getElementById('tip').innerText")
}

fn dots_are_where_the_report_says(browser: &mut Browser) {
    for (name, report) in [("paper", reports::paper()), ("mixed", reports::mixed())] {
        open(browser, name, &report);
        assert_eq!(places(&dots(browser)), expected(&report, 0));
        assert_aligned(browser);
        let bits: Vec<usize> = if name == "paper" { vec![0, 1, 2, 3] } else { vec![0, 1, 9] };
        assert_levels(browser, &report, &bits);
        let rows = browser.number("document.querySelectorAll('section.causes tbody tr').length");
        assert_eq!(rows as usize, report.formulas[0].failures[0].causes.len(), "the table has them all");
    }
}

/// The whole way: a trace and a formula in, the page of the tool beside its JSON.
fn the_commands_page_shows_what_its_json_says(browser: &mut Browser) {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/causes");
    let transactions = "G((!START & !STATUS_VALID & END) -> X(!START U (STATUS_VALID & READY)))";
    for (trace, formula, more) in [
        ("transactions/bus.vcd", transactions, &["--clock", "clk"][..]),
        ("two_processes/cex.txt", "G(P1_ACTIVE -> F P2_ACTIVE)", &[]),
    ] {
        let answer = |format: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_nearmiss"));
            command.arg("causes").arg(cases.join(trace)).args(["--formula", formula, "--format", format]).args(more);
            command.output().expect("the tool starts").stdout
        };
        let folder = TempDir::new().expect("there is a place for pages");
        let path = folder.path().join("page.html");
        fs::write(&path, answer("html")).expect("the page can be written");
        browser.open(&path);
        let json: serde_json::Value = serde_json::from_slice(&answer("json")).expect("this is JSON");
        let causes = json["failures"][0]["trace_causes"].as_array().expect("there are causes");
        let wanted: BTreeSet<(String, usize)> = causes
            .iter()
            .map(|cause| {
                let signal = cause["signal"].as_str().expect("a name").to_owned();
                (signal, cause["time"].as_u64().expect("a cycle") as usize)
            })
            .collect();
        assert!(!wanted.is_empty());
        assert_eq!(places(&dots(browser)), wanted, "{trace}");
        assert_aligned(browser);
        // Pointing at each dot tells its value.
        for cause in causes {
            let (signal, time) = (cause["signal"].as_str().expect("a name"), cause["time"].as_u64().expect("a cycle"));
            let at = dot(browser, signal, time as usize);
            browser.mouse("mouseMoved", at.x, at.y);
            browser.settle();
            let said = tip(browser);
            let value = format!("{signal} is {}", cause["value"].as_str().expect("a value"));
            assert!(said.contains(&value) && said.contains(&format!("cycle {time}")), "{said}: {value}");
        }
    }
}

fn pointing_shows_the_value_and_the_reason(browser: &mut Browser) {
    open(browser, "pointing", &reports::paper());
    let start = dot(browser, "START", 9);
    browser.mouse("mouseMoved", start.x + 2.0, start.y + 1.0);
    browser.settle();
    let said = tip(browser);
    assert!(said.contains("START is 1") && said.contains("cycle 9, 95 ns"), "{said}");
    assert!(said.contains("START is 1 at cycle 9; it alone decides."), "{said}");
    browser.picture("pointing-start");
    let ready = dot(browser, "READY", 6);
    browser.mouse("mouseMoved", ready.x, ready.y);
    let said = tip(browser);
    assert!(said.contains("with STATUS_VALID at cycle 6 different, this one decides (responsibility 1/2)"), "{said}");
    // Away from all dots there is the value alone.
    let scale = browser.number("window.nearmiss.view().scale");
    browser.mouse("mouseMoved", ready.x + 5.0 * scale, ready.y - 5.0);
    let said = tip(browser);
    assert!(said.contains("READY is 1") && said.contains("cycle 11, 115 ns") && !said.contains("decides"), "{said}");
    // A click puts the cursor there; the values beside the names follow.
    browser.click(ready.x - 5.0 * scale, ready.y);
    assert_eq!(browser.number("window.nearmiss.cursor()"), 1.0);
    let values = browser.text("[...document.querySelectorAll('.row.signal .value')].map((e) => e.textContent).join()");
    assert_eq!(values, "1,0,0,0");
    browser.mouse("mouseMoved", 3.0, 3.0);
    browser.settle();
    assert_eq!(tip(browser), "");
}

fn zooming_and_moving_keep_dots_on_their_cycles(browser: &mut Browser) {
    open(browser, "zooming", &reports::paper());
    let scale = |browser: &mut Browser| browser.number("window.nearmiss.view().scale");
    let from = |browser: &mut Browser| browser.number("window.nearmiss.view().from");
    let start = dot(browser, "START", 9);
    let first = scale(browser);
    browser.wheel(start.x, start.y, -150.0);
    assert!(scale(browser) > first * 1.3);
    assert_aligned(browser);
    let after = dot(browser, "START", 9);
    assert!((after.x - start.x).abs() < 1.0, "what is under the pointer stays there");
    browser.picture("zoomed");
    let before = from(browser);
    browser.drag([800.0, after.y], [900.0, after.y]);
    assert!(from(browser) < before, "dragging to the right shows what was earlier");
    assert_aligned(browser);
    browser.eval("document.getElementById('wave').focus()");
    for (key, changes) in
        [("+", scale as fn(&mut Browser) -> f64), ("-", scale), ("ArrowRight", from), ("ArrowLeft", from)]
    {
        let before = changes(browser);
        browser.key(key);
        assert_ne!(changes(browser), before, "{key}");
        assert_aligned(browser);
    }
    browser.key("f");
    assert_eq!((scale(browser), from(browser)), (first, 0.0));
    browser.click_on("[data-do=in]");
    assert!(scale(browser) > first);
    browser.click_on("[data-do=fit]");
    assert_eq!(scale(browser), first);
}

fn fingers_move_and_spread(browser: &mut Browser) {
    open(browser, "fingers", &reports::paper());
    browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true, "maxTouchPoints": 2}));
    let start = dot(browser, "START", 9);
    let before = browser.eval("window.nearmiss.view()");
    browser.touch("touchStart", &[[700.0, start.y], [800.0, start.y]]);
    for spread in [20.0, 40.0, 60.0] {
        browser.touch("touchMove", &[[700.0 - spread, start.y], [800.0 + spread, start.y]]);
    }
    browser.touch("touchEnd", &[]);
    browser.settle();
    let after = browser.eval("window.nearmiss.view()");
    assert!(after["scale"].as_f64() > before["scale"].as_f64(), "{before} {after}");
    browser.touch("touchStart", &[[700.0, start.y]]);
    for x in [720.0, 760.0, 800.0] {
        browser.touch("touchMove", &[[x, start.y]]);
    }
    browser.touch("touchEnd", &[]);
    browser.settle();
    assert!(browser.number("window.nearmiss.view().from") < after["from"].as_f64().expect("a number"));
    assert_aligned(browser);
    let seen = dot(browser, "END", 4);
    browser.touch("touchStart", &[[seen.x, seen.y]]);
    browser.touch("touchEnd", &[]);
    browser.settle();
    assert!(tip(browser).contains("END is 1 at cycle 4"), "a tap shows the reason");
}

fn keys_and_links_go_through_the_causes(browser: &mut Browser) {
    open(browser, "walking", &reports::paper());
    browser.key("n");
    assert_eq!(browser.number("window.nearmiss.cursor()"), 4.0);
    assert!(tip(browser).contains("START is 0 at cycle 4"));
    browser.key("n");
    assert!(tip(browser).contains("END is 1 at cycle 4"));
    browser.key("p");
    browser.key("p");
    assert!(tip(browser).contains("START is 1 at cycle 9"), "the last one comes before the first");
    assert!(browser.text("document.getElementById('said').textContent").contains("it alone decides"));
    let current = browser.text("document.querySelector('tr.current').innerText");
    assert!(current.contains("START is 1 at cycle 9"), "{current}");
    browser.click_on("a[data-cause='4']");
    assert_eq!(browser.number("window.nearmiss.cursor()"), 5.0);
    assert!(tip(browser).contains("READY is 0 at cycle 5"), "{}", tip(browser));
    browser.key("Escape");
    assert_eq!(tip(browser), "");
    browser.click_on("[data-do=failure]");
    assert_eq!(browser.number("window.nearmiss.cursor()"), 9.0);
    // Without a mouse: rows by arrows, cycles by comma and full stop.
    browser.eval("document.getElementById('wave').focus()");
    browser.key("ArrowDown");
    browser.key(",");
    assert_eq!(browser.number("window.nearmiss.cursor()"), 8.0);
    assert!(tip(browser).contains("cycle 8"), "{}", tip(browser));
}

fn parts_of_the_formula_fold(browser: &mut Browser) {
    open(browser, "folding", &reports::paper());
    let lanes = "document.querySelectorAll('.row.lane').length";
    assert_eq!(browser.number(lanes), 6.0);
    browser.click_on(".row.lane[data-key=l3] .fold");
    assert_eq!(browser.number(lanes), 4.0, "two parts are inside");
    assert_eq!(browser.text("document.activeElement.getAttribute('aria-expanded')"), "false");
    browser.picture("folded");
    browser.click_on(".row.lane[data-key=l3] code");
    assert_eq!(browser.number(lanes), 6.0);
    browser.eval("document.getElementById('wave').focus()");
    for _ in 0..5 {
        browser.key("ArrowDown");
    }
    browser.key("Enter");
    assert_eq!(browser.number(lanes), 1.0, "the whole formula is folded");
    browser.key("Enter");
    // Strong where it matters, light where it is only false, and the part is marked in the formula.
    let row = browser.eval("window.nearmiss.rows().find((row) => row.key === 'l5')");
    let [x, y, width] = ["x", "y", "width"].map(|key| row[key].as_f64().expect("a number"));
    let at = |cycle: f64| x + width / 13.0 * (cycle + 0.3);
    let [light, strong, none] = [1.0, 6.0, 10.0].map(|cycle| colour(browser, at(cycle), y + 12.0));
    assert!(strong[1] < light[1] && light[1] < none[1], "{strong:?} {light:?} {none:?}");
    browser.mouse("mouseMoved", at(6.0), y + 12.0);
    assert!(tip(browser).contains("has a part in the failure"));
    assert_eq!(browser.text("document.querySelector('.formula mark').textContent"), "STATUS_VALID & READY");
}

fn formulas_and_failures_are_chosen_from_lists(browser: &mut Browser) {
    let report = reports::lasso();
    open(browser, "lasso", &report);
    assert_eq!(browser.eval("window.nearmiss.chosen()")["formula"], 1, "the first one that fails");
    assert_eq!(places(&dots(browser)), expected(&report, 1));
    assert_aligned(browser);
    let row = browser.eval("window.nearmiss.rows()[1]");
    let [x, y, width] = ["x", "y", "width"].map(|key| row[key].as_f64().expect("a number"));
    let scale = browser.number("window.nearmiss.view().scale");
    assert!(scale * 12.0 < width, "short traces are not stretched");
    let [loop_colour, before] = [10.3, 7.3].map(|cycle| colour(browser, x + cycle * scale, y + 5.0));
    assert_ne!(loop_colour, before, "the loop is shaded");
    browser.click_on("button[data-failure='1']");
    assert_eq!(places(&dots(browser)), [("top.arbiter.P2_ACTIVE".to_owned(), 5)].into());
    let unproved = dots(browser).remove(0);
    assert!(!is_red(colour(browser, unproved.x, unproved.y)), "what is not proved is a ring");
    assert!(is_red(colour(browser, unproved.x - 4.0, unproved.y)));
    assert!(browser.eval("document.getElementById('key-maybe').hidden") == false);
    browser.click_on("a[data-formula='0']");
    assert_eq!(dots(browser).len(), 0);
    let shown = browser.text("[...document.querySelectorAll('section.verdict')].find((e) => !e.hidden).innerText");
    assert!(shown.contains("holds on this trace (P2_ACTIVE is 1 at cycle 1)."), "{shown}");
    browser.key("n");
    browser.key("g");
}

fn values_of_every_kind_are_written_out(browser: &mut Browser) {
    open(browser, "kinds", &reports::mixed());
    let values = "[...document.querySelectorAll('.row.signal .value')].map((e) => e.textContent).join('|')";
    let wide = format!("0x{}", "f".repeat(32));
    assert_eq!(browser.text(values), format!("1|1|255|0|BUSY|{wide}|21.5|40|boot|0"));
    let row = browser.eval("window.nearmiss.rows()[0]");
    let [x, y] = ["x", "y"].map(|key| row[key].as_f64().expect("a number"));
    let scale = browser.number("window.nearmiss.view().scale");
    browser.click(x + 12.5 * scale, y + 10.0);
    let fives = format!("0x{}", "5".repeat(32));
    let there = format!("1|z|zzzzzzzz|5|DONE|{fives}|-0.125|40|a rather long name of a mode|0");
    assert_eq!(browser.text(values), there);
    browser.click(x + 14.5 * scale, y + 10.0);
    assert!(browser.text(values).contains("|0000xx01|"));
    assert!(tip(browser).contains("cycle 14, 196,500 ps"), "{}", tip(browser));
    browser.click(x + 8.5 * scale, y + 10.0);
    browser.key("h");
    assert_eq!(browser.text(values), format!("1|0|0xff|0xfd|BUSY|{wide}|-0.125|40|boot|0"), "in hexadecimal");
    browser.picture("hexadecimal");
}

fn dark_and_light(browser: &mut Browser) {
    open(browser, "themes", &reports::lasso());
    let row = browser.eval("window.nearmiss.rows()[0]");
    let [x, y] = ["x", "y"].map(|key| row[key].as_f64().expect("a number"));
    let brightness = |browser: &mut Browser| colour(browser, x + 30.0, y + 3.0).iter().sum::<u64>();
    assert!(brightness(browser) > 700);
    browser.prefer("dark");
    assert!(brightness(browser) < 120, "the system's choice is followed");
    assert_aligned(browser);
    browser.picture("lasso-dark");
    browser.click_on("#theme");
    assert!(brightness(browser) > 700, "the button overrides it");
    browser.prefer("light");
    browser.click_on("#theme");
    assert!(brightness(browser) < 120);
    browser.call("Page.printToPDF", json!({}));
    assert_eq!(browser.text("document.documentElement.dataset.theme"), "dark", "printing is light, and only that");
}

fn small_screens_and_sheets_of_paper(browser: &mut Browser) {
    for (name, report) in
        [("phone", reports::paper()), ("phone-mixed", reports::mixed()), ("phone-lasso", reports::lasso())]
    {
        browser.reset();
        open(browser, name, &report);
        let size = json!({"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": true});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser.settle();
        browser.picture(name);
        let beyond = browser.number("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(beyond, 0.0, "nothing stands out to the right");
        browser.key("n");
        assert_aligned(browser);
        let tip = browser.eval(
            "(() => { const box = document.getElementById('tip').getBoundingClientRect(); \
            return box.width > 0 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; })()",
        );
        assert_eq!(tip, true, "the tip is all in sight");
        browser.picture(&format!("{name}-tip"));
        browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
        browser.settle();
        let hidden = "getComputedStyle(document.querySelector('.tools')).display";
        assert_eq!(browser.text(hidden), "none", "buttons are not printed");
        let shown =
            "[...document.querySelectorAll('section.verdict, section.causes')].every((e) => e.clientHeight > 0)";
        assert_eq!(browser.eval(shown), true, "all that is said is printed");
        let sheet = json!({"width": 794, "height": 1100, "deviceScaleFactor": 1, "mobile": false});
        browser.call("Emulation.setDeviceMetricsOverride", sheet);
        browser.settle();
        browser.picture(&format!("{name}-print"));
    }
}

fn a_million_cycles_of_200_signals(browser: &mut Browser) {
    let report = reports::big();
    let now = Instant::now();
    open(browser, "big", &report);
    let opening = now.elapsed();
    assert_aligned(browser);
    let mut slowest = Duration::ZERO;
    let mut timed = |browser: &mut Browser, what: &dyn Fn(&mut Browser)| {
        let now = Instant::now();
        what(browser);
        slowest = slowest.max(now.elapsed());
    };
    browser.eval("document.getElementById('wave').focus()");
    for key in ["f", "+", "ArrowRight", "+", "+", "ArrowLeft", "n", "p", "g", "-", "End"] {
        timed(browser, &|browser| browser.key(key));
    }
    browser.picture("big-keys");
    // Bits that were packed as they are (1 to 4) and as their changes (6 to 8), far into the trace.
    for cycle in [0, 500_000, 999_990] {
        browser.eval("document.getElementById('scroller').scrollTop = 0");
        let x = format!("const box = wave.getBoundingClientRect(); const x = box.left + box.width * {cycle} / 1e6");
        browser.key("f");
        browser.eval(&format!(
            "(() => {{ const wave = document.getElementById('wave'); {x}; for (let i = 0; i < 40; i++) \
             wave.dispatchEvent(new WheelEvent('wheel', {{deltaY: -100, clientX: x, cancelable: true}})); }})()"
        ));
        browser.settle();
        assert_levels(browser, &report, &[1, 2, 3, 4, 6, 7, 8]);
    }
    for delta in [900.0, 900.0, -400.0] {
        timed(browser, &|browser| browser.wheel(800.0, 500.0, delta));
    }
    browser.key("f");
    browser.picture("big-fit");
    for top in [2000, 4000, 6000, 0] {
        timed(browser, &|browser| {
            browser.eval(&format!("document.getElementById('scroller').scrollTop = {top}"));
            browser.settle();
        });
    }
    browser.key("c");
    let caused =
        browser.eval("window.nearmiss.rows().filter((row) => row.key[0] === 's').map((row) => row.key).join()");
    assert!(caused.as_str().is_some_and(|keys| keys.starts_with("s5,s15,s25,")), "{caused}: only signals with causes");
    browser.picture("big-only");
    browser.key("c");
    let rows = browser.number("document.querySelectorAll('.row').length");
    assert!(rows < 60.0, "only rows in sight are elements, not {rows}");
    let frames = browser.eval(
        "new Promise((done) => { const wave = document.getElementById('wave'); const start = performance.now(); let n = 0; \
         const step = () => { wave.dispatchEvent(new WheelEvent('wheel', {deltaX: 40 * (n % 2 ? 1 : -1), cancelable: true})); \
         if (++n < 40) requestAnimationFrame(step); else done((performance.now() - start) / n); }; step(); })",
    );
    // For people; bounds are generous because machines differ.
    println!("opened in {opening:?}, slowest answer {slowest:?}, a frame while panning all of it takes {frames} ms");
    assert!(opening < Duration::from_secs(60), "{opening:?}");
    assert!(slowest < Duration::from_secs(20), "{slowest:?}");
}

fn nothing_in_the_input_becomes_markup(browser: &mut Browser) {
    open(browser, "hostile", &reports::hostile());
    assert_eq!(browser.eval("window.pwned === undefined"), true);
    assert_eq!(browser.number("document.querySelectorAll('img, b, i:not(.key)').length"), 0.0);
    assert_eq!(browser.number("document.scripts.length"), 2.0);
    let formula = browser.text("document.querySelector('.formula').textContent");
    assert!(formula.starts_with("</script><script>window.pwned = 1"), "{formula}");
    browser.key("n");
    assert!(tip(browser).contains("</script>"), "{}", tip(browser));
    let row = browser.eval("window.nearmiss.rows().find((row) => row.key === 'l0')");
    let [x, y] = ["x", "y"].map(|key| row[key].as_f64().expect("a number"));
    browser.mouse("mouseMoved", x + 20.0, y + 10.0);
    assert_eq!(browser.text("document.querySelector('.formula mark').textContent"), "<script>");
    browser.click_on("a[data-formula='1']");
    assert_eq!(browser.eval("window.pwned === undefined"), true);
}

fn a_report_without_anything_is_a_page(browser: &mut Browser) {
    open(browser, "empty", &reports::empty());
    for key in ["n", "p", "g", "f", "+", "-", ".", "End"] {
        browser.key(key);
    }
    assert_eq!(browser.text("document.getElementById('window').textContent"), "no cycles");
}
