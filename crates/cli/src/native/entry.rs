//! A `main` for the compiled program, where execution starts in another function or `main` has parameters.
//!
//! It is written behind the text that defines the entry function, where `static` functions and all types are in sight.

use std::fmt::Write;

use nearmiss_program::program::{Local, Program, Site, SiteId, SiteKind, Type, TypeId};
use nearmiss_program::run::RunStepKind;
use nearmiss_program::show;

use nearmiss_program::c::versions::COMPARE;

use super::harness::{Harness, PREFIX, Queue};
use super::inputs::{bytes, c_type, said};
use super::{Feed, Plan, Question};

/// Adds a `main` to the plan if one is needed.
pub fn plan(question: &Question, plan: &mut Plan) -> Result<(), String> {
    let program = question.program;
    let entry = program.function(program.entry);
    if entry.name == "main" && entry.parameters == 0 {
        return Ok(());
    }
    if question.crash.is_some() {
        fuzz_target(question, plan);
        return Ok(());
    }
    let mut main = Main { question, harness: &mut plan.harness, body: String::new() };
    let mut arguments = Vec::new();
    for (i, parameter) in entry.locals.iter().take(entry.parameters as usize).enumerate() {
        let name = format!("{PREFIX}argument_{i}");
        main.argument(parameter, &name)?;
        arguments.push(name);
    }
    let body = main.body;
    let called = match entry.name.split('@').next() {
        _ if question.reference.is_some() => COMPARE.to_owned(),
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

/// A `main` that hands a fuzz target the bytes of a file, in memory of exactly that size. Another `main` reads them by itself.
fn fuzz_target(question: &Question, plan: &mut Plan) {
    let program = question.program;
    let entry = program.function(program.entry);
    if entry.name == "main" {
        return;
    }
    plan.harness.reads_crash = true;
    let home = plan.copies.keys().copied().find(|file| *file == entry.span.file);
    let home = home.or_else(|| plan.copies.keys().next().copied());
    let name = entry.name.split('@').next().unwrap_or(&entry.name);
    if let Some(copy) = home.and_then(|file| plan.copies.get_mut(&file)) {
        copy.appendix = format!(
            "\n#undef main\nvoid *{PREFIX}crash(__SIZE_TYPE__ *size);\nint main(void)\n{{\n    __SIZE_TYPE__ {PREFIX}size;\n    \
             void *{PREFIX}data = {PREFIX}crash(&{PREFIX}size);\n    {name}({PREFIX}data, {PREFIX}size);\n    return 0;\n}}\n"
        );
    }
    plan.rename_main = true;
}

/// The function that is being written.
struct Main<'a, 'q> {
    question: &'q Question<'a>,
    harness: &'q mut Harness,
    body: String,
}

impl<'a> Main<'a, '_> {
    /// Makes one argument of the entry function.
    fn argument(&mut self, parameter: &Local, name: &str) -> Result<(), String> {
        let program = self.question.program;
        let is_pointer = matches!(program.ty(parameter.ty), Type::Pointer { .. });
        if is_pointer && self.site(SiteKind::Pointee, &format!("{}[0]", parameter.name)).is_some() {
            self.strings(parameter, name);
            return Ok(());
        }
        if is_pointer && self.pointer(&parameter.name, name, None) {
            return Ok(());
        }
        if let Some(ty) = c_type(program, parameter.ty) {
            let mut queue = Queue::new(format!("{PREFIX}value_of_{name}"), ty, self.harness.runs);
            for (run, feed) in self.question.feeds() {
                let value = u64::try_from(self.value(&parameter.name, feed));
                let value = value.map_err(|_| format!("the parameter `{}` has more than 64 bits", parameter.name))?;
                queue.values[run].push(value);
            }
            let _ = writeln!(self.body, "    {ty} {name} = {}();", queue.name);
            self.harness.queues.push(queue);
        } else {
            let Some((id, _)) = self.site(SiteKind::Parameter, &parameter.name) else {
                return Err(format!("the parameter `{}` is no number", parameter.name));
            };
            let _ = writeln!(self.body, "    {} {name};", program.type_name(parameter.ty));
            let _ = writeln!(self.body, "    {PREFIX}fill({}, (void *)&{name}, sizeof {name});", id.0);
            self.contents(id);
            self.members(parameter.ty, &parameter.name, (name, &format!("&{name}")), None);
        }
        Ok(())
    }

    /// Makes what a pointer points to, called `name` in the text that is written, and says whether there is something. In an object
    /// that need not be there, it is only if that is.
    fn pointer(&mut self, pointer: &str, name: &str, inside: Option<&str>) -> bool {
        let pointee = format!("*{pointer}");
        let found = self.site(SiteKind::Pointee, &pointee).or_else(|| self.text(pointer));
        let Some((id, site)) = found else { return false };
        let exists = self.not_null(pointer, name);
        let exists: Vec<&str> = inside.into_iter().chain(exists.as_deref()).collect();
        self.object(id, site, name, (!exists.is_empty()).then(|| exists.join(" && ")).as_deref());
        self.members(site.ty, &pointee, (name, name), Some(name));
        true
    }

    /// Makes what the pointers in an object point to: one of this type, called `object` in C. In the text that is written,
    /// `name` is what names begin with, and the other its address.
    fn members(&mut self, ty: TypeId, object: &str, (name, address): (&str, &str), inside: Option<&str>) {
        let mut pointers = Vec::new();
        pointers_in(self.question.program, ty, object, 0, &mut pointers);
        for (at, (pointer, offset)) in pointers.into_iter().enumerate() {
            let member = format!("{name}_{at}");
            if self.pointer(&pointer, &member, inside) {
                let condition = inside.map(|inside| format!("if ({inside}) ")).unwrap_or_default();
                let _ = writeln!(
                    self.body,
                    "    {condition}__builtin_memcpy((char *){address} + {offset}, &{member}, sizeof {member});"
                );
            }
        }
    }

    /// What says whether a pointer argument is not NULL, if it may be.
    fn not_null(&mut self, parameter: &str, name: &str) -> Option<String> {
        self.site(SiteKind::Parameter, parameter)?;
        let mut queue = Queue::new(format!("{PREFIX}exists_{name}"), "_Bool", self.harness.runs);
        for (run, feed) in self.question.feeds() {
            queue.values[run].push(u64::from(self.value(parameter, feed) != 0));
        }
        let asked = format!("{}()", queue.name);
        self.harness.queues.push(queue);
        Some(asked)
    }

    /// An object of its own for a pointer, from the heap: sanitizers then know its size, and it is aligned for any type. NULL
    /// if there is to be none.
    fn object(&mut self, id: SiteId, site: &Site, name: &str, exists: Option<&str>) {
        let program = self.question.program;
        let size = program.size_bits(site.ty).div_ceil(8).max(1);
        let exists = exists.unwrap_or("1");
        // What a static variable points to is no leak to the sanitizers.
        let _ = writeln!(self.body, "    static void *{name};");
        let _ = writeln!(self.body, "    {name} = {exists} ? {PREFIX}allocate({size}) : (void *)0;");
        let _ = writeln!(self.body, "    if ({name}) {PREFIX}fill({}, {name}, {size});", id.0);
        if let Type::Array { of, .. } = program.ty(site.ty)
            && matches!(program.ty(*of), Type::Integer { character: true, .. })
        {
            let _ = writeln!(self.body, "    if ({name}) ((char *){name})[{size} - 1] = 0;");
        }
        self.contents(id);
    }

    /// `argv`: as many strings as the first parameter says, then NULL.
    fn strings(&mut self, parameter: &Local, name: &str) {
        let mut strings = Vec::new();
        while let Some((id, site)) = self.site(SiteKind::Pointee, &format!("{}[{}]", parameter.name, strings.len())) {
            let string = format!("{name}_{}", strings.len());
            self.object(id, site, &string, None);
            let at = strings.len();
            strings.push(format!("{at} < {PREFIX}argument_0 ? {string} : (void *)0"));
        }
        strings.push("(void *)0".to_owned());
        let _ = writeln!(self.body, "    char *{name}[] = {{ {} }};", strings.join(", "));
    }

    fn contents(&mut self, id: SiteId) {
        let first = said(self.question, id).into_iter().filter(|(_, occurrence, _)| *occurrence == 0).collect();
        self.harness.bytes.extend(bytes(id, &first));
    }

    fn site(&self, kind: SiteKind, name: &str) -> Option<(SiteId, &'a Site)> {
        let mut sites = self.question.program.sites.iter().enumerate();
        let found = sites.find(|(_, site)| site.kind == kind && site.name == name);
        found.map(|(index, site)| (SiteId(index as u32), site))
    }

    /// Characters are called by the pointer to them, and that may be the name of an object.
    fn text(&self, pointer: &str) -> Option<(SiteId, &'a Site)> {
        let program = self.question.program;
        let is_text = |ty: TypeId| matches!(program.ty(ty), Type::Array { of, .. } if program.size_bits(*of) == 8);
        let mut sites = program.sites.iter().enumerate();
        let found = sites.find(|(_, site)| site.kind == SiteKind::Pointee && site.name == pointer && is_text(site.ty));
        found.map(|(index, site)| (SiteId(index as u32), site))
    }

    /// The value that a parameter has in a run.
    fn value(&self, parameter: &str, feed: Feed) -> u128 {
        let mut values = feed.run.steps.iter().filter_map(|step| match &step.kind {
            RunStepKind::Input { site, value, .. } => {
                let site = &self.question.program.sites[site.index()];
                (site.kind == SiteKind::Parameter && site.name == parameter).then_some(*value)
            }
            _ => None,
        });
        values.next().unwrap_or(0)
    }
}

/// The pointers in an object of this type: their names in C, and where they are in bytes.
fn pointers_in(program: &Program, ty: TypeId, name: &str, offset: u64, found: &mut Vec<(String, u64)>) {
    match program.ty(ty) {
        Type::Pointer { .. } => found.push((name.to_owned(), offset)),
        // Larger ones have no objects of their own.
        Type::Array { of, length } if *length <= program.sites.len() as u64 => {
            let size = program.size_bits(*of) / 8;
            for at in 0..*length {
                pointers_in(program, *of, &show::element_name(name, at), offset + at * size, found);
            }
        }
        Type::Record { union: false, fields, .. } => {
            for field in fields {
                let member = show::member_name(name, &field.name);
                pointers_in(program, field.ty, &member, offset + field.bit_offset / 8, found);
            }
        }
        _ => {}
    }
}
