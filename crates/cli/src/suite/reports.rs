//! The reports of a suite, written task by task: of each result only one is in memory.

use std::io;

use nearmiss_report::suite::{csv, json, junit, page, sarif};
use nearmiss_suite::row::{Stored, Summary};
use serde_json::Value;

use super::store::Store;

/// The page with all explanations.
pub const INDEX: &str = "index.html";

/// Writes all of them. `title` names the suite, and `folder` is where its tasks run, told from where the user is. The error
/// names the file that cannot be written.
pub fn write(summary: &Summary, store: &Store, title: &str, folder: &str) -> Result<(), (String, io::Error)> {
    let of = |name: &'static str| move |error: io::Error| (store.folder.join(name).display().to_string(), error);
    large(summary, store, title, folder).map_err(|(name, error)| of(name)(error))?;
    store.write("suite.csv", |out| out.write_all(csv::render(summary).as_bytes())).map_err(of("suite.csv"))?;
    store.write("suite.json", |out| out.write_all(json::render(summary).as_bytes())).map_err(of("suite.json"))
}

/// Those that hold something large of each task.
fn large(summary: &Summary, store: &Store, title: &str, folder: &str) -> Result<(), (&'static str, io::Error)> {
    const NAMES: [&str; 3] = [INDEX, "junit.xml", "suite.sarif"];
    let begin = |name| store.begin().map_err(|error| (name, error));
    let mut files = [begin(NAMES[0])?, begin(NAMES[1])?, begin(NAMES[2])?];
    let mut merged = sarif::Merged::new(folder);
    let mut add = |texts: [String; 3]| {
        for ((file, name), text) in files.iter_mut().zip(NAMES).zip(texts) {
            file.add(&text).map_err(|error| (name, error))?;
        }
        Ok(())
    };
    add([page::open(summary, title), junit::open(summary), merged.open()])?;
    for (place, row) in summary.rows.iter().enumerate() {
        let stored = row.found.as_ref().and_then(|_| store.load(&row.key));
        let stored = stored.as_deref().and_then(|text| Stored::of(text, &row.key));
        let part = |part: &str| stored.as_ref().map(|stored| stored.value(part)).unwrap_or(Value::Null);
        let text = part("text");
        let text = text.as_str().unwrap_or_default();
        let log = merged.add(summary, place, part("sarif"));
        add([page::section(place, row, text), junit::case(row, text), log])?;
    }
    add([page::close(), junit::CLOSE.to_owned(), merged.close(summary)])?;
    for (file, name) in files.into_iter().zip(NAMES) {
        file.end(store, name).map_err(|error| (name, error))?;
    }
    Ok(())
}
