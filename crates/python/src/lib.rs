//! The extension module `nearmiss._nearmiss`: a command line goes in, and what the command tells comes out.
//!
//! It knows nothing of what the words mean; that is the command line's. What it adds is what Python needs: other threads of
//! Python go on while a question is worked on, and Ctrl-C stops it. All else of the package is written in Python.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use nearmiss_cli::{Listed, Question, Takes};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How often Python is asked whether a signal came.
const LOOK: Duration = Duration::from_millis(20);
/// How long somebody who pressed Ctrl-C waits for what is known by then.
const PATIENCE: Duration = Duration::from_millis(600);

/// What a command told.
#[pyclass(frozen, get_all, module = "nearmiss._nearmiss")]
struct Told {
    exit: u8,
    printed: String,
    complaints: Vec<String>,
    errors: Option<String>,
    json: Option<String>,
    page: Option<String>,
    stats: Option<String>,
}

impl From<nearmiss_cli::Told> for Told {
    fn from(told: nearmiss_cli::Told) -> Told {
        let nearmiss_cli::Told { exit, printed, complaints, errors, json, page, stats } = told;
        Told { exit, printed, complaints, errors, json, page, stats }
    }
}

/// Does what the words of a command line say. A signal handler that raises (Ctrl-C) stops it; what is known by then is the attribute
/// `told` of the exception, `None` where that took too long.
#[pyfunction]
fn ask(py: Python<'_>, words: Vec<String>) -> PyResult<Told> {
    let question = Question::ask(words);
    loop {
        if let Some(told) = py.detach(|| question.wait(LOOK)) {
            return Ok(told.into());
        }
        let Err(raised) = py.check_signals() else { continue };
        question.interrupt();
        let known = known_soon(py, &question).map(Told::from);
        // An exception without attributes of its own is raised as it is.
        let _ = raised.value(py).setattr("told", known);
        return Err(raised);
    }
}

/// What is known shortly after an interrupt, unless there is another one.
fn known_soon(py: Python<'_>, question: &Question) -> Option<nearmiss_cli::Told> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(told) = py.detach(|| question.wait(LOOK)) {
            return Some(told);
        }
        if py.check_signals().is_err() {
            break;
        }
    }
    None
}

/// The options of a command, as the command line has them.
#[pyfunction]
fn options<'py>(py: Python<'py>, command: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let as_object = |option: Listed| {
        let Listed { flag, takes, value, words, default, help, opposite } = option;
        let takes = match takes {
            Takes::Nothing => "nothing",
            Takes::One => "one",
            Takes::Many => "many",
        };
        let object = PyDict::new(py);
        object.set_item("flag", flag)?;
        object.set_item("takes", takes)?;
        object.set_item("value", value)?;
        object.set_item("words", words)?;
        object.set_item("default", default)?;
        object.set_item("help", help)?;
        object.set_item("opposite", opposite)?;
        Ok(object)
    };
    nearmiss_cli::options(command).into_iter().map(as_object).collect()
}

/// Says where the tool itself is, which is started to confine programs that are replayed.
#[pyfunction]
fn tool_is_at(path: PathBuf) {
    nearmiss_cli::tool_is_at(path);
}

/// The module.
#[pymodule]
fn _nearmiss(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Told>()?;
    module.add_function(wrap_pyfunction!(ask, module)?)?;
    module.add_function(wrap_pyfunction!(options, module)?)?;
    module.add_function(wrap_pyfunction!(tool_is_at, module)?)
}
