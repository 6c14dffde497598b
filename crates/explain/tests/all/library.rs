//! Functions of the C library: what the equation says of them for inputs is what they are, and one without a model is never the
//! reason of a failure.

use nearmiss_explain::explanation::{Open, Verdict};
use nearmiss_explain::{Checking, Program, Reading};

type Function = fn(f64) -> f64;

fn check(text: &str, look: impl FnOnce(nearmiss_explain::Why)) {
    let text = format!(
        "#include <assert.h>\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n{text}"
    );
    let program = Program::from_text("library.c", &text, &Reading::default()).unwrap();
    look(program.check(&Checking::default()).unwrap_or_else(|error| panic!("{text}: {error}")));
}

fn verdict(text: &str, expected: Verdict) {
    check(&format!("int main(void) {{ {text} }}"), |why| assert_eq!(why.verdict(), expected, "{text}"));
}

/// The equation of an input and the machine agree, at a point that the solver has to find.
#[test]
fn the_equation_knows_results() {
    let functions: [(&str, Function); 9] = [
        ("floor", f64::floor),
        ("ceil", f64::ceil),
        ("trunc", f64::trunc),
        ("round", f64::round),
        ("rint", f64::round_ties_even),
        ("sqrt", f64::sqrt),
        ("sin", f64::sin),
        ("exp", f64::exp),
        ("atan", f64::atan),
    ];
    for (name, function) in functions {
        for k in [-9i32, -2, -1, 0, 1, 3, 10, 77] {
            let result = function(f64::from(k) * 0.25).to_bits();
            let bits = |of: &str| format!("union {{ double x; unsigned long long bits; }} u; u.x = {of};");
            let input = format!("signed char k; double x = k * 0.25; {}", bits(&format!("{name}(x)")));
            let at = format!("if (k == {k} && u.x == u.x) assert(u.bits == {result}ULL);");
            verdict(&format!("{input} {at}"), Verdict::Holds);
            if !f64::from_bits(result).is_nan() {
                verdict(&format!("{input} assert(u.bits != {result}ULL || k != {k});"), Verdict::Fails);
            }
        }
    }
}

#[test]
fn facts_of_all_floats() {
    for text in [
        "float x; if (x > -1000 && x < 1000) assert(floorf(x) <= x && ceilf(x) >= x);",
        "float x, y; assert(!(fmaxf(x, y) < fminf(x, y)));",
        "float x; int e; if (isfinite(x)) assert(ldexpf(frexpf(x, &e), e) == x);",
        "double x; assert(isnan(x) || copysign(x, -1.0) <= 0);",
        "double x; assert(!(fabs(sin(x)) > 1) && !(exp(x) < 0));",
        "double x; assert(isnan(x) == (fpclassify(x) == FP_NAN));",
        "double x, y; if (isfinite(x) && isfinite(y) && y != 0) assert(fabs(fmod(x, y)) < fabs(y));",
        "char s[3]; s[2] = 0; assert(atoi(s) > -10 && atoi(s) < 100);",
        "int a; if (a > -100 && a < 100) { div_t d = div(a, 7); assert(d.quot * 7 + d.rem == a); }",
        "clock_t a = clock(), b = clock(); assert(a <= b);",
    ] {
        verdict(text, Verdict::Holds);
    }
    for text in [
        "double x; assert(sin(x) < 0.5);",
        "float x; assert(roundf(x) != 3);",
        "char s[3]; s[2] = 0; assert(atoi(s) != 42);",
        "time_t t = 5; time(&t); assert(t == 5);",
        "double (*f)(double) = floor; double x; assert(f(x) != -2);",
    ] {
        verdict(text, Verdict::Fails);
    }
}

#[test]
fn what_has_no_model_leaves_claims_open() {
    verdict("int n = mblen(\"a\", 1); assert(n == n);", Verdict::Holds);
    verdict("int n = mblen(\"a\", 1), x; assert(x != 3); return n;", Verdict::Fails);
    verdict("int n = mblen(\"a\", 1), x; if (n > 1) x = 3; assert(x != 3);", Verdict::Fails);
    verdict("int n = mblen(\"a\", 1), x; if (x) assert(n == 1);", Verdict::Undecided);
    verdict("int (*f)(const char *, size_t) = mblen; assert(f(\"a\", 1) == 1);", Verdict::Undecided);
    check("int main(void) { double a = erf(0), b = cbrt(8); assert(b == 2); return a; }", |why| {
        let [open] = why.explanation().left_open.as_slice() else { panic!("one claim is open") };
        assert_eq!((open.function.as_str(), open.header, open.why), ("cbrt", "math.h", Open::NoModel));
    });
    check("int main(void) { double x; int y; assert(tan(x) != 0.123); assert(y != 2); }", |why| {
        assert_eq!(why.verdict(), Verdict::Fails);
        let [open] = why.explanation().left_open.as_slice() else { panic!("one claim is open") };
        assert_eq!((open.function.as_str(), open.claim, open.why), ("tan", Some(0), Open::ManyPoints));
    });
}
