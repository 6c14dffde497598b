//! Two versions in one compiled program: names that the reference defines are others for the linker, and what compares the versions stands
//! behind their texts, as the interpreter has it.

use std::fmt::Write;

use super::harness::PREFIX;
use super::{Plan, Question};

/// Adds what compares the versions, if there are two.
pub fn plan(question: &Question, plan: &mut Plan) {
    let Some(reference) = question.reference else { return };
    let names = question.settings.files.iter().map(String::as_str);
    for (unit, name) in (0..).zip(names) {
        let Some(copy) = plan.copies.values_mut().find(|copy| copy.name == name) else { continue };
        let tail = reference.tail(unit);
        if unit == reference.unit {
            for own in &reference.own {
                let _ = writeln!(copy.preface, "#undef {own}\n#define {own} {PREFIX}own_{own}");
            }
        }
        let judge = if unit == reference.home { judge(question) } else { String::new() };
        copy.appendix = format!("{judge}{tail}{}", copy.appendix);
    }
}

/// What the claims that compare call: the one that is meant is told from others.
fn judge(question: &Question) -> String {
    let others = match question.properties.is_empty() {
        true => format!("{PREFIX}failed(\"\", 0);"),
        false => String::new(),
    };
    format!(
        "\nvoid __nearmiss_assert(_Bool holds, const char *text)\n{{\n    if (holds) return;\n    \
         if (__builtin_strcmp(text, {:?}) == 0) {{ {PREFIX}here = 1; {PREFIX}failed(\"\", 0); }}\n    {others}\n}}\n",
        question.claim.text
    )
}
