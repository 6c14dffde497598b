//! A `main` for the compiled program, where execution starts in another function or `main` has parameters.
//!
//! It is written behind the text that defines the entry function, where `static` functions and all types are in sight.

use std::fmt::Write;

use nearmiss_explain::program::{Function, Local, SiteKind, Type};
use nearmiss_explain::run::RunStepKind;

use super::harness::{PREFIX, Queue};
use super::{Plan, Question, bytes, c_type};

/// Adds a `main` to the plan if one is needed.
pub fn plan(question: &Question, plan: &mut Plan) -> Result<(), String> {
    let program = question.program;
    let entry = program.function(program.entry);
    if entry.name == "main" && entry.parameters == 0 {
        return Ok(());
    }
    let mut body = String::new();
    let mut arguments = Vec::new();
    for (i, parameter) in entry.locals.iter().take(entry.parameters as usize).enumerate() {
        let name = format!("{PREFIX}argument_{i}");
        match program.ty(parameter.ty) {
            Type::Pointer { to } => pointer(question, entry, parameter, *to, &name, &mut body, plan)?,
            _ => scalar(question, parameter, &name, &mut body, plan)?,
        }
        arguments.push(name);
    }
    let called = match entry.name.split('@').next() {
        Some("main") | None => format!("{PREFIX}main"),
        Some(name) => name.to_owned(),
    };
    let home = plan.copies.keys().copied().find(|file| *file == entry.span.file);
    let home = home.or_else(|| plan.copies.keys().next().copied());
    if let Some(copy) = home.and_then(|file| plan.copies.get_mut(&file)) {
        copy.appendix = format!(
            "\n#undef main\nint main(void)\n{{\n{body}    {called}({});\n    return 0;\n}}\n",
            arguments.join(", ")
        );
    }
    plan.rename_main = true;
    Ok(())
}

/// A parameter that is a number.
fn scalar(
    question: &Question,
    parameter: &Local,
    name: &str,
    body: &mut String,
    plan: &mut Plan,
) -> Result<(), String> {
    let fail = || format!("the parameter `{}` is no number", parameter.name);
    let ty = c_type(question.program, parameter.ty).ok_or_else(fail)?;
    let value = value_of(question, &parameter.name);
    let value = u64::try_from(value).map_err(|_| fail())?;
    plan.harness.queues.push(Queue { name: format!("{PREFIX}value_of_{name}"), ty, values: vec![value] });
    let _ = writeln!(body, "    {ty} {name} = {PREFIX}value_of_{name}();");
    Ok(())
}

/// A parameter that points to an object of its own, or to nothing.
fn pointer(
    question: &Question,
    entry: &Function,
    parameter: &Local,
    to: nearmiss_explain::program::TypeId,
    name: &str,
    body: &mut String,
    plan: &mut Plan,
) -> Result<(), String> {
    let program = question.program;
    let mut sites = program.sites.iter().enumerate();
    let site = sites.find(|(_, site)| {
        site.kind == SiteKind::Pointee
            && site.function == entry.name
            && site.name.trim_start_matches('*') == parameter.name
    });
    let Some((index, _)) = site else {
        return Err(format!("the parameter `{}` is a pointer", parameter.name));
    };
    let id = nearmiss_explain::program::SiteId(index as u32);
    let size = program.size_bits(to).div_ceil(8).max(1);
    let contents = question.counterexample.inputs.contents.get(&(id, 0));
    plan.harness.bytes.extend(bytes(id, &[(0, contents.map_or(&[][..], Vec::as_slice))]));
    // From the heap, so that sanitizers know its size and the alignment is right for every type.
    let _ = writeln!(body, "    void *{name} = __builtin_malloc({size});");
    let _ = writeln!(body, "    {PREFIX}fill({index}, {name}, {size});");
    Ok(())
}

/// The value that a parameter has in the run.
fn value_of(question: &Question, parameter: &str) -> u128 {
    let steps = question.counterexample.run.steps.iter();
    let mut values = steps.filter_map(|step| match &step.kind {
        RunStepKind::Input { site, value, .. } => {
            let site = &question.program.sites[site.index()];
            (site.kind == SiteKind::Parameter && site.name == parameter).then_some(*value)
        }
        _ => None,
    });
    values.next().unwrap_or(0)
}
