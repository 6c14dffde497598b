//! The page of causes in a real browser.

#[allow(dead_code, reason = "only the page is looked at here")]
#[path = "../src/render/causes/mod.rs"]
mod causes;
#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/reports.rs"]
mod reports;

use std::fs;
use std::path::{Path, PathBuf};

use driver::Browser;
use nearmiss_explain::trace_report::TraceReport;

fn page(name: &str, report: &TraceReport) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    fs::create_dir_all(&folder).expect("there is a place for pages");
    let path = folder.join(format!("{name}.html"));
    fs::write(&path, causes::html::render(report, &format!("nearmiss causes: {name}")))
        .expect("the page can be written");
    path
}

#[test]
fn looks() {
    let mut browser = Browser::start();
    for (name, report) in [
        ("paper", reports::paper()),
        ("lasso", reports::lasso()),
        ("mixed", reports::mixed()),
        ("hostile", reports::hostile()),
        ("empty", reports::empty()),
        ("big", reports::big()),
    ] {
        let page = page(name, &report);
        let now = std::time::Instant::now();
        browser.open(&page);
        eprintln!("{name} {:?} {}", now.elapsed(), fs::metadata(&page).unwrap().len());
        browser.picture(name);
        browser.prefer("dark");
        browser.picture(&format!("{name}-dark"));
        browser.prefer("light");
        eprintln!("{:?}", browser.complaints());
    }
}
