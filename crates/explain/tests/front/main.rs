//! The front end: small C texts and the trees they become.

mod print;

use print::read_text;

#[test]
fn a_plain_program() {
    let read = read_text("int f(int a) { int b = a; while (b < 10) b += 2L; return b; }").unwrap();
    assert_eq!(
        read.whole(),
        "int f(int a) { int b = {0+32: `a}; while (Less(`b, 10)) b Add[long]= 2:long; return `b; }\n"
    );
}
