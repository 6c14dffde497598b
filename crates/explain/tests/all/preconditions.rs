//! Which ways out of a failure only avoid the check, on programs written by hand.
//!
//! For each program the conditions that a passing run must leave as they are stand here, read off the definition by
//! hand. They are tested twice: by the places that `explain` names, and by writing them into the program as an
//! assumption, after which every passing run counts and all executions are looked at.

use crate::common::random;
use crate::enumeration::Space;
use nearmiss_explain::explain::{ExplainOptions, Preconditions, Wanted, explain};
use nearmiss_explain::explanation::Hypotheses;
use nearmiss_explain::explanation::{Contrast, Delta, Explanation, Metric};
use nearmiss_program::program::AssumptionOrigin;
use nearmiss_program::program::Program;
use nearmiss_program::run::Inputs;
use nearmiss_program::source::Sources;

/// A program and what is expected of it. `KEEP;` is where the assumption goes.
struct Case {
    name: &'static str,
    /// The body of `main`, after `struct few u;`.
    body: &'static str,
    /// What must stay as it is, as C; empty if there is nothing.
    keep: &'static str,
    /// The text at the place of each assumption, and where it comes from.
    places: &'static [(&'static str, AssumptionOrigin)],
    /// How far the nearest run is then.
    distance: u64,
    /// Whether there is only avoidance.
    only_avoidance: bool,
}

const HEAD: &str = "#include <assert.h>
struct few { unsigned a : 2; int b : 2; int c : 3; };
static const int table[4] = {0, 5, 1, 7};
static int above(int v) { return v > 1; }
static int largest(int v, int w) { if (v > w) return v; return w; }
int main(void) {
    struct few u;
    int level = 0;
";

use AssumptionOrigin::{Entrance, Precondition};

const CASES: [Case; 16] = [
    // Without the assumption u.a alone would change, and `on` with it.
    Case {
        name: "not both",
        body: "_Bool on = u.a > 1; KEEP; if (u.b) level = u.c; assert(!(on && level == 0));",
        keep: "on",
        places: &[("assert(!(on && level == 0))", Precondition)],
        // u.b, the branch, the join; u.c is 0 in the failing run and must differ.
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "not the one or the other",
        body: "_Bool on = u.a > 1; KEEP; if (u.b) level = u.c; assert(!on || level != 0);",
        keep: "on",
        places: &[("assert(!on || level != 0)", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "one or else nothing",
        body: "_Bool on = u.a > 1; KEEP; if (u.b) level = u.c; assert(on ? level != 0 : 1);",
        keep: "on",
        places: &[("assert(on ? level != 0 : 1)", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "only if",
        body: "_Bool on = u.a > 1; KEEP; if (u.b) level = u.c; if (on) assert(level != 0);",
        keep: "on",
        places: &[("on", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "nested branches",
        body: "KEEP; if (u.b) level = u.c; if (u.a > 1) { if (u.a != 3) assert(level != 0); }",
        keep: "u.a > 1 && u.a != 3",
        places: &[("u.a > 1", Precondition), ("u.a != 3", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "nested conditions",
        body: "KEEP; if (u.b) level = u.c; assert(!(u.a > 1 && !(u.a == 3 || level != 0)));",
        keep: "u.a > 1 && u.a != 3",
        places: &[
            ("assert(!(u.a > 1 && !(u.a == 3 || level != 0)))", Precondition),
            ("assert(!(u.a > 1 && !(u.a == 3 || level != 0)))", Precondition),
        ],
        distance: 5,
        only_avoidance: false,
    },
    // What decides is itself decided by a branch.
    Case {
        name: "not straight",
        body: "int on = 1; if (u.a > 1) on = 0; KEEP; if (u.b) level = u.c; assert(!on || level != 0);",
        keep: "on",
        places: &[("assert(!on || level != 0)", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "all straight",
        body: "KEEP; assert(!(u.a < 2 && u.c == 0));",
        keep: "u.a < 2",
        places: &[("assert(!(u.a < 2 && u.c == 0))", Precondition)],
        distance: 1,
        only_avoidance: false,
    },
    Case {
        name: "a table of constants",
        body: "int v = table[u.a]; KEEP; if (u.b) level = u.c; if (v == 5) assert(level != 0);",
        keep: "v == 5",
        places: &[("v == 5", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "a function without branches",
        body: "int on = above(u.a); KEEP; if (u.b) level = u.c; if (on) assert(level != 0);",
        keep: "on",
        places: &[("on", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    // The function has a branch, so its result is no straight-line code.
    Case {
        name: "a function with branches",
        body: "int m = largest(u.a, 1); KEEP; if (u.b) level = u.c; if (m < 2) assert(level != 0);",
        keep: "m < 2",
        places: &[("m < 2", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    // Nothing but avoidance repairs it: the level is 0 whatever happens.
    Case {
        name: "nothing else helps",
        body: "KEEP; if (u.b) level = u.c & 0; if (u.a > 1) assert(level != 0);",
        keep: "",
        places: &[],
        distance: 2,
        only_avoidance: true,
    },
    Case {
        name: "early return",
        body: "KEEP; if (u.a < 2) return 0; if (u.b) level = u.c; assert(level != 0);",
        keep: "u.a >= 2",
        places: &[("u.a < 2", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    // The branches on the level are all inside another one, which inputs decide: to leave it is to do nothing.
    Case {
        name: "the whole computation is inside",
        body: "KEEP; level = 4; if (u.a > 1) { if (u.b) level = u.c + 4; else level = 7; } assert(level < 6);",
        keep: "u.a > 1",
        places: &[("u.a > 1", Entrance)],
        distance: 3,
        only_avoidance: false,
    },
    Case {
        name: "in a switch",
        body: "KEEP; if (u.b) level = u.c; switch (u.a) { case 0: break; case 1: assert(level != 0); break; default: break; }",
        keep: "u.a == 1",
        places: &[("case 0:", Precondition), ("case 1:", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
    Case {
        name: "in a loop",
        body: "KEEP; if (u.b) level = u.c; for (unsigned i = 0; i < u.a; i++) assert(i != 1 || level != 0);",
        keep: "u.a > 1",
        // That of both rounds, said once.
        places: &[("i < u.a", Precondition)],
        distance: 5,
        only_avoidance: false,
    },
];

fn explained(
    (program, sources): &(Program, Sources),
    given: Option<&Inputs>,
    preconditions: Preconditions,
    what: &str,
) -> Explanation {
    let options = ExplainOptions {
        given: given.cloned(),
        routes: Wanted::Yes,
        preconditions,
        hypotheses: Hypotheses::None,
        within_bound: Wanted::Yes,
        ..ExplainOptions::default()
    };
    explain(program, sources, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{what}: {error:?}"))
}

fn contrast(explanation: Explanation, what: &str) -> Contrast {
    explanation.contrast.unwrap_or_else(|| panic!("{what}: nothing was explained"))
}

fn names(deltas: &[Delta]) -> Vec<&str> {
    deltas.iter().map(|delta| delta.name.as_str()).collect()
}

#[test]
fn preconditions_are_those_found_by_hand() {
    for case in &CASES {
        let what = case.name;
        let text = |keep: &str| format!("{HEAD}    {}\n    return 0;\n}}\n", case.body.replace("KEEP;", keep));
        let original = text("");
        let program = random::read(&original, what);
        let explanation = explained(&program, None, Preconditions::Kept, what);
        let inputs = explanation.counterexample.as_ref().unwrap_or_else(|| panic!("{what} fails")).inputs.clone();
        let kept = contrast(explanation, what);
        let places: Vec<(&str, AssumptionOrigin)> = (kept.assumptions.iter())
            .map(|assumption| {
                (&original[assumption.span.start as usize..assumption.span.end as usize], assumption.origin)
            })
            .collect();
        assert_eq!(places, case.places, "{what}");
        assert_eq!(kept.only_avoidance, case.only_avoidance, "{what}");
        let nearest = kept.nearest.as_ref().unwrap_or_else(|| panic!("{what} has passing runs"));
        assert_eq!(nearest.distance, case.distance, "{what}: {:?}", names(&nearest.deltas));

        // The same with the assumption written into the program.
        let keep = if case.keep.is_empty() { String::new() } else { format!("__CPROVER_assume({});", case.keep) };
        let assumed = random::read(&text(&keep), what);
        let free = contrast(explained(&assumed, Some(&inputs), Preconditions::Free, what), what);
        let expected = free.nearest.as_ref().unwrap_or_else(|| panic!("{what} has passing runs"));
        assert_eq!(names(&nearest.deltas), names(&expected.deltas), "{what}");
        assert_eq!(nearest.inputs, expected.inputs, "{what}");
        let (slice, wanted) = (kept.slice.expect("wanted"), free.slice.expect("wanted"));
        assert_eq!(names(&slice.deltas), names(&wanted.deltas), "{what}");
        let sets = |slice: &nearmiss_explain::explanation::Slice| -> Vec<Vec<String>> {
            let routes = slice.routes.as_ref().expect("wanted");
            routes.sets.iter().map(|set| names(set).iter().map(|name| name.to_string()).collect()).collect()
        };
        assert_eq!(sets(&slice), sets(&wanted), "{what}");

        // And by looking at every execution.
        let space = Space::of(&assumed.0, None, what).expect("few executions");
        let failing = nearmiss_explain::execution::Execution::of(&space.equation, &inputs);
        let members = space.members(failing.failed.expect("it fails"), Metric::Ssa);
        let passing = space.nearest(&assumed.0, &members, &failing).expect("there are passing runs");
        assert_eq!(nearest.distance, space.differences(&members, &failing, passing).len() as u64, "{what}");
        assert_eq!(nearest.inputs, space.inputs(passing), "{what}");
    }
}
