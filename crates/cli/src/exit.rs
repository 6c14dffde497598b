//! How the process ends.

use nearmiss_explain::explanation::Verdict;
use nearmiss_trace::report::{TraceReport, TraceVerdict};

/// How the process ends; the numbers are those of CBMC where it has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Every claim holds (the answer says whether for every execution or up to the bound), or a list was printed.
    Holds = 0,
    /// The command line is wrong.
    Usage = 1,
    /// The input cannot be read: the message says where and what to do.
    Input = 2,
    /// Time or memory was over, or it was interrupted; what is known was printed.
    Undecided = 5,
    /// A bug of ours, a failed replay included.
    Internal = 6,
    /// A claim is violated; the failing execution was printed.
    Fails = 10,
}

/// Whether a failure was explained as far as was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explained {
    /// It was.
    Whole,
    /// It was not: somebody interrupted, or there was too much of it.
    InPart,
}

impl Exit {
    /// For an answer about a program.
    pub fn of(verdict: Verdict, explained: Explained) -> Exit {
        match (verdict, explained) {
            (Verdict::Holds, _) => Exit::Holds,
            (Verdict::Fails, Explained::Whole) => Exit::Fails,
            (Verdict::Fails, Explained::InPart) | (Verdict::Undecided, _) => Exit::Undecided,
        }
    }

    /// For an answer about a trace: the worst that is said of any formula.
    pub fn of_trace(report: &TraceReport, explained: Explained) -> Exit {
        let any = |wanted: fn(&TraceVerdict) -> bool| report.formulas.iter().any(|judged| wanted(&judged.verdict));
        let verdict = if any(|verdict| matches!(verdict, TraceVerdict::Fails)) {
            Verdict::Fails
        } else if any(|verdict| matches!(verdict, TraceVerdict::Undecided(_))) {
            Verdict::Undecided
        } else {
            Verdict::Holds
        };
        Exit::of(verdict, explained)
    }

    /// Ends the process here and now.
    pub fn leave(self) -> ! {
        std::process::exit(i32::from(self as u8))
    }
}
