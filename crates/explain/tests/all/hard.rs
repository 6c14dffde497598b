//! A claim that the solver has no answer for leaves the others alone: effort is counted here, so that every machine is as patient.

use crate::common::random;
use nearmiss_explain::Stop;
use nearmiss_explain::check::{CheckOptions, check};
use nearmiss_explain::explanation::{Explanation, Minimised, Status, Verdict};

/// Enough for what is easy, and nowhere near enough to look through all products of two long numbers.
const CONFLICTS: u64 = 150_000;

fn checked(body: &str) -> Explanation {
    let text = format!(
        "#include <assert.h>\nunsigned long nondet_ulong(void);\nint nondet_int(void);\nint main(void) {{ {body} }}\n"
    );
    let (program, _) = random::read(&text, "a hard claim");
    let stop = Stop::default().within(CONFLICTS);
    let options = CheckOptions { minimise: Minimised::None, stop, ..CheckOptions::default() };
    check(&program, &options, &mut |_| {}).expect("it can be checked")
}

fn statuses(found: &Explanation) -> Vec<(&str, Status)> {
    found.claims.iter().map(|claim| (claim.id.as_str(), claim.status)).collect()
}

fn is_noted(found: &Explanation, words: &str) -> bool {
    found.notes.iter().any(|note| note.message.contains(words))
}

const HARD: &str = "unsigned long a = nondet_ulong(), b = nondet_ulong(); unsigned __int128 p = (unsigned __int128)a * b; \
                    assert(a != 5 || a > 4); assert((p >> 64) < a || a == 0);";

#[test]
fn easy_claims_hold_beside_a_hard_one() {
    let found = checked(&format!("{HARD} int r = nondet_int(); assert(r >= 0 || r < 0);"));
    let [first, second, third] = ["main.assertion.1", "main.assertion.2", "main.assertion.3"];
    assert_eq!(statuses(&found), [(first, Status::Holds), (second, Status::Undecided), (third, Status::Holds)]);
    assert_eq!(found.verdict, Verdict::Undecided);
    assert!(is_noted(&found, "main.assertion.2 waits for the solver"), "{:?}", found.notes);
}

#[test]
fn easy_claims_fail_beside_a_hard_one() {
    let found = checked(&format!("{HARD} int r = nondet_int(); assert(r != 3); assert(r != r + 0ul);"));
    let known: Vec<Status> = statuses(&found).into_iter().map(|(_, status)| status).collect();
    assert_eq!(known, [Status::Holds, Status::Undecided, Status::Fails, Status::Fails]);
    assert_eq!(found.verdict, Verdict::Fails);
}

#[test]
fn what_comes_after_a_hard_automatic_claim_waits_for_it() {
    let found = checked(
        "int a = nondet_int(), b = nondet_int(), r = nondet_int(); assert(r < 7 || r > 6); \
         if (b > 1 && a > 0) { long q = (long)(a / b) * b; int c = (int)(q - a + b) * (0x7fffffff / b); assert(r < 9 || r > 8); }",
    );
    let known = statuses(&found).into_iter().filter(|(_, status)| *status != Status::Holds).collect::<Vec<_>>();
    assert_eq!(known, [("main.overflow.2", Status::Undecided), ("main.assertion.2", Status::Undecided)]);
    assert!(is_noted(&found, "main.overflow.2 waits for the solver"), "{:?}", found.notes);
    assert!(is_noted(&found, "main.assertion.2 holds unless a claim is violated before it"), "{:?}", found.notes);
}
