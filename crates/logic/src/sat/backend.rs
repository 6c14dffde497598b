//! What answers the questions: CaDiCaL, which gets its clauses when it is first asked, or the plain solver of `plain.rs`.

use super::plain::Plain;
use super::{Lit, Outcome};
use crate::stop::Stop;
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::RefCell;
use std::rc::Rc;

/// How CaDiCaL is to search.
#[derive(Copy, Clone, Default)]
pub(super) struct Manner {
    /// Do not try a few simple models before each search.
    pub(super) many_calls: bool,
    /// Guess variables that were made early before later ones.
    pub(super) early_first: bool,
    /// Guess that literals are false.
    pub(super) guess_false: bool,
    /// Expect that what looks at all clauses takes longer than the search.
    pub(super) large: bool,
}

pub(super) enum Backend {
    /// Nothing was asked yet: clauses in DIMACS form, each ended by a zero.
    Waiting(Vec<i32>),
    Cadical(CaDiCal),
    Plain(Box<Plain>),
}

/// Limits of one call.
pub(super) struct CallLimits {
    pub(super) conflicts: Option<u64>,
    pub(super) decisions: Option<u64>,
}

impl Backend {
    pub(super) fn add(&mut self, lit: i32) {
        match self {
            Backend::Waiting(clauses) => clauses.push(lit),
            Backend::Cadical(cadical) => cadical.add(lit),
            Backend::Plain(plain) => plain.add(lit),
        }
    }

    /// CaDiCaL, if it has its clauses.
    pub(super) fn cadical(&mut self) -> Option<&mut CaDiCal> {
        if let Backend::Cadical(cadical) = self { Some(cadical) } else { None }
    }

    pub(super) fn plain(&mut self) -> Option<&mut Plain> {
        if let Backend::Plain(plain) = self { Some(plain) } else { None }
    }

    pub(super) fn solve(&mut self, assumptions: &[i32], limits: &CallLimits, stop: &Stop) -> Outcome {
        let cadical = match self {
            Backend::Waiting(_) => return Outcome::Interrupted,
            Backend::Plain(plain) => return plain.solve(assumptions, limits.conflicts, limits.decisions, stop),
            Backend::Cadical(cadical) => cadical,
        };
        for &lit in assumptions {
            cadical.assume(lit);
        }
        for (name, limit) in [("conflicts", limits.conflicts), ("decisions", limits.decisions)] {
            if let Some(limit) = limit {
                cadical.limit(name, i32::try_from(limit).unwrap_or(i32::MAX));
            }
        }
        match cadical.solve() {
            Status::SATISFIABLE => Outcome::Sat,
            Status::UNSATISFIABLE => Outcome::Unsat,
            Status::UNKNOWN => Outcome::Interrupted,
        }
    }

    /// After an unsatisfiable call: is this assumption one of those that contradict the clauses?
    pub(super) fn failed(&mut self, lit: i32) -> bool {
        match self {
            Backend::Waiting(_) => false,
            Backend::Cadical(cadical) => cadical.failed(lit),
            Backend::Plain(plain) => plain.failed(lit),
        }
    }

    /// After a satisfiable call: is a variable true? Those that no clause mentions are unknown to CaDiCaL, and false.
    pub(super) fn value(&mut self, variable: i32) -> bool {
        match self {
            Backend::Waiting(_) => false,
            Backend::Cadical(cadical) => variable <= cadical.vars() && cadical.val(variable) > 0,
            Backend::Plain(plain) => plain.value(variable as usize),
        }
    }

    /// 1 or -1 for what every model is known to agree on, else 0.
    pub(super) fn fixed(&self, lit: i32) -> i8 {
        match self {
            Backend::Waiting(_) => 0,
            Backend::Cadical(cadical) => cadical.fixed(lit).signum() as i8,
            Backend::Plain(plain) => plain.fixed(lit),
        }
    }

    /// Prefer a value for the literal's variable, or none.
    pub(super) fn wish(&mut self, lit: Lit, wish: bool) {
        match (self, wish) {
            (Backend::Waiting(_), _) => {}
            (Backend::Cadical(cadical), true) => cadical.phase(lit.0),
            (Backend::Cadical(cadical), false) => cadical.unphase(lit.0),
            (Backend::Plain(plain), _) => {
                plain.wish(lit.variable(), if wish { lit.0.signum() as i8 } else { 0 });
            }
        }
    }

    pub(super) fn conflicts(&self) -> u64 {
        match self {
            Backend::Waiting(_) => 0,
            Backend::Cadical(cadical) => cadical.get_statistic_value("conflicts").max(0).cast_unsigned(),
            Backend::Plain(plain) => plain.effort(),
        }
    }

    /// Let CaDiCaL ask now and then whether to stop. False if there is none yet; the plain solver is told with each question.
    pub(super) fn connect_stop(&mut self, stop: &Rc<RefCell<Stop>>) -> bool {
        let Backend::Cadical(cadical) = self else { return false };
        cadical.connect_terminator(Rc::clone(stop));
        true
    }
}

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        self.requested()
    }
}

/// Variables are first eliminated after so many conflicts.
const CONFLICTS_BEFORE_ELIMINATION: i32 = 10_000;

/// Among many clauses they are looked at for what could be simplified after so many conflicts: usually it is after a hundred, and at these sizes that
/// takes as long as a thousand.
const CONFLICTS_BEFORE_PROBING: i32 = 1_000;

/// A CaDiCaL without clauses.
pub(super) fn new_cadical(manner: Manner) -> CaDiCal {
    let mut cadical = CaDiCal::new();
    // Few questions meet more conflicts. Where a solver is asked again, what was eliminated comes back.
    cadical.set("elimint", CONFLICTS_BEFORE_ELIMINATION);
    if manner.many_calls || manner.large {
        cadical.set("lucky", 0);
    }
    if manner.large {
        cadical.set("inprobeint", CONFLICTS_BEFORE_PROBING);
    }
    if manner.early_first {
        cadical.set("reverse", 1);
    }
    if manner.guess_false {
        cadical.set("phase", 0);
    }
    cadical
}
