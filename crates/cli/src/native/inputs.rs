//! How each input of the runs gets into the compiled program: by generated functions and by edits of the text.

use std::collections::{BTreeMap, BTreeSet};

use nearmiss_program::c::crash;
use nearmiss_program::program::{
    ClaimKind, GlobalInit, INVALID_OBJECT, Program, Site, SiteId, SiteKind, StaticObject, Type, TypeId,
};
use nearmiss_program::run::{Closing, Content, RunStep, RunStepKind};
use nearmiss_program::source::{Sources, Span};

use super::harness::{self, Byte, External, Order, PREFIX, Queue, Then};
use super::{Feed, Plan, Question, has_body, text};

/// Library functions that write what they read to memory, so that a result alone does not feed them.
const READS_INTO_MEMORY: [&str; 7] = ["sscanf", "localtime", "localtime_r", "mktime", "getenv", "strftime", "strerror"];
/// Those of them that the harness has functions for (`readers.c`): what they read are words of one queue.
const READERS: [&str; 11] =
    ["scanf", "fscanf", "fgets", "gets", "getline", "fread", "read", "time", "remquo", "remquof", "remquol"];
/// Library functions whose input is whether they fail (`--malloc-may-fail`).
const ALLOCATES: [&str; 7] = ["malloc", "calloc", "realloc", "aligned_alloc", "strdup", "strndup", "reallocarray"];

/// Feeds everything but the parameters of the entry function. `Err` says what cannot be fed.
pub fn feed(question: &Question, plan: &mut Plan) -> Result<(), String> {
    let mut called = Vec::new();
    let mut then = Vec::new();
    for (_, feed) in question.feeds() {
        if feed.run.strayed {
            return Err("it does what C says nothing of, where a check is off".to_owned());
        }
        let mut calls = executed_calls(question.program, feed)?;
        then.push(go_round(question.program, feed, &mut calls)?);
        called.push(calls);
    }
    let orders = call_inputs(question, &called, plan)?;
    if question.claim.kind == ClaimKind::Temporal || then.iter().any(|then| *then != Then::Ends) {
        plan.harness.orders = orders.into_iter().zip(then).map(|(reads, then)| Order { reads, then }).collect();
    }
    contents(question, plan)?;
    externals(question, plan);
    Ok(())
}

/// Why an input has no function that could be made to return its value.
fn no_call(site: &Site) -> String {
    format!("the input `{}` comes from no call that is written by name; write it as in `x = nondet_int()`", site.name)
}

/// An input that a run has read, and its value.
type Called<'a> = (SiteId, &'a Site, u128);

/// Sites of kind `Call`, `Parameter` and `Volatile` that a run has executed, with their values.
fn executed_calls<'a>(program: &'a Program, feed: Feed) -> Result<Vec<Called<'a>>, String> {
    let mut calls = Vec::new();
    for step in &feed.run.steps {
        let RunStepKind::Input { site: id, ty, value, .. } = &step.kind else { continue };
        let site = &program.sites[id.index()];
        let is_argument = site.kind == SiteKind::Parameter;
        // The objects that arguments point to are made for the run; functions and globals are not.
        if points_to_object(program, *ty, *value) && (!is_argument || is_static(program, *value)) {
            return Err(format!("the input `{}` is a pointer to an object of the program", site.name));
        }
        if is_address(program, *ty, *value) {
            return Err(format!("the input `{}` is the number of an address, which is another there", site.name));
        }
        // What is behind a pointer that the function got: contents of an object.
        if site.writer.is_some() && (site.kind == SiteKind::Invented || !is_number(program, site)) {
            continue;
        }
        if site.kind.is_read() && program.is_scalar(site.ty) {
            calls.push((*id, site, *value));
        } else if matches!(site.kind, SiteKind::Call | SiteKind::Invented | SiteKind::Volatile) {
            return Err(format!("the input `{}` is no number", site.name));
        }
    }
    let values: Vec<u128> = calls.iter().map(|(_, _, value)| *value).collect();
    let recorded = &feed.inputs.calls;
    let common = values.len().min(recorded.len());
    // A pointer argument is NULL or not; the object that it points to is made for the run.
    let agrees = |at: usize| match program.ty(calls[at].1.ty) {
        Type::Pointer { .. } if calls[at].1.kind == SiteKind::Parameter => (values[at] != 0) == (recorded[at] != 0),
        _ => values[at] == recorded[at],
    };
    if !(0..common).all(agrees) || values[common..].iter().any(|value| *value != 0) {
        return Err("its inputs are not all numbers".to_owned());
    }
    // The bytes of a crash file come from that file.
    calls.retain(|(_, site, _)| !crash::is_input(&site.name));
    Ok(calls)
}

/// Where a run repeats something for ever, its inputs are read again in every round.
fn go_round(program: &Program, feed: Feed, calls: &mut Vec<Called<'_>>) -> Result<Then, String> {
    if feed.inputs.closing.is_some_and(Closing::is_horizon) {
        return Ok(if calls.is_empty() { Then::RepeatsSilently } else { Then::Repeats });
    }
    let Some(from) = feed.run.repeats_from() else { return Ok(Then::Ends) };
    let is_call = |step: &&RunStep| match step.kind {
        RunStepKind::Input { site, .. } => {
            let site = &program.sites[site.index()];
            matches!(site.kind, SiteKind::Call | SiteKind::Invented | SiteKind::Volatile)
                || site.kind == SiteKind::Argument && is_number(program, site)
        }
        _ => false,
    };
    let in_round = feed.run.steps[from.min(feed.run.steps.len())..].iter().filter(is_call).count();
    let round = calls[calls.len() - in_round..].to_vec();
    for _ in 1..nearmiss_report::replay::ROUNDS {
        calls.extend_from_slice(&round);
    }
    Ok(if in_round == 0 { Then::RepeatsSilently } else { Then::Repeats })
}

/// A pointer that is neither NULL nor plainly invalid: its number means nothing to a compiled program.
fn points_to_object(program: &Program, ty: TypeId, value: u128) -> bool {
    let (object, _) = program.pointer.decode(value);
    matches!(program.ty(ty), Type::Pointer { .. }) && object > INVALID_OBJECT
}

fn is_static(program: &Program, value: u128) -> bool {
    program.static_object(program.pointer.decode(value).0).is_some()
}

/// A number that is the address of a function or global in the run.
fn is_address(program: &Program, ty: TypeId, value: u128) -> bool {
    let is_word = matches!(program.ty(ty), Type::Integer { bits, .. } if *bits == program.pointer.bits);
    let (object, offset) = program.pointer.decode(value);
    let size = match program.static_object(object) {
        Some(StaticObject::Global(global)) => program.globals[global.index()].size,
        Some(StaticObject::Function(_)) => 0,
        None => return false,
    };
    is_word && offset <= size
}

/// Functions that return the values of calls: one for each call in the text, one by name for all others. Says in which
/// order the runs call them.
fn call_inputs(question: &Question, called: &[Vec<Called>], plan: &mut Plan) -> Result<Vec<Vec<usize>>, String> {
    let mut orders: Vec<Vec<String>> = vec![Vec::new(); called.len()];
    let mut in_text: BTreeMap<Span, (String, Queue)> = BTreeMap::new();
    let mut by_name: BTreeMap<String, Queue> = BTreeMap::new();
    let mut written: BTreeMap<SiteId, Queue> = BTreeMap::new();
    let mut words = Words {
        queue: Queue::new(harness::WORD.to_owned(), "unsigned long long", called.len()),
        calls: BTreeMap::new(),
    };
    let calls = called.iter().enumerate().flat_map(|(run, calls)| calls.iter().map(move |call| (run, call)));
    for (run, (id, site, value)) in calls.filter(|(_, (_, site, _))| site.kind != SiteKind::Parameter) {
        if site.kind == SiteKind::Argument {
            let ty = c_type(question.program, site.ty).ok_or_else(|| cannot_write(site))?;
            let new = || Queue::new(format!("{PREFIX}input_{}", id.0), ty, called.len());
            let queue = written.entry(*id).or_insert_with(new);
            queue.values[run].push(u64::try_from(*value).map_err(|_| cannot_write(site))?);
            orders[run].push(queue.name.clone());
            continue;
        }
        if site.kind == SiteKind::Volatile {
            let queue = volatile_read(question, plan, *id, called.len())?;
            let queue = &mut in_text.entry(site.span).or_insert((question.sources.text(site.span).to_owned(), queue)).1;
            queue.values[run]
                .push(u64::try_from(*value).map_err(|_| cannot_be_read(site, "it has more than 64 bits"))?);
            orders[run].push(queue.name.clone());
            continue;
        }
        let text = question.sources.text(site.span);
        let written = callee(text).filter(|name| meant(question.sources, name).is_some());
        let callee = called_function(question, site, written)?;
        if ALLOCATES.contains(&callee) && *value == 0 {
            continue;
        }
        if READERS.contains(&callee) && written.is_some() && plan.copies.contains_key(&site.span.file) {
            words.read(site.span, callee, run, *value)?;
            orders[run].push(harness::WORD.to_owned());
            continue;
        }
        if READERS.contains(&callee) || READS_INTO_MEMORY.contains(&callee) || ALLOCATES.contains(&callee) {
            return Err(format!("`{callee}` cannot be told what to give"));
        }
        let ty = c_type(question.program, site.ty).ok_or_else(|| format!("`{callee}` returns no number"))?;
        let value = u64::try_from(*value).map_err(|_| format!("`{callee}` returns more than 64 bits"))?;
        let queue = if written.is_some() && plan.copies.contains_key(&site.span.file) {
            let queue = Queue::new(format!("{PREFIX}input_{}", id.0), ty, called.len());
            &mut in_text.entry(site.span).or_insert((written.unwrap_or(callee).to_owned(), queue)).1
        } else {
            let queue = Queue::new(callee.to_owned(), ty, called.len());
            by_name.entry(callee.to_owned()).or_insert(queue)
        };
        queue.values[run].push(value);
        orders[run].push(queue.name.clone());
    }
    for (id, queue) in written {
        let site = &question.program.sites[id.index()];
        let assigns = if_not_null(site, &format!("{} = {}()", site.name, queue.name));
        before_call(question, plan, site, &assigns)?;
        plan.harness.queues.push(queue);
    }
    fill_written(question, plan)?;
    for (span, (replaced, queue)) in in_text {
        if let Some(copy) = plan.copies.get_mut(&span.file) {
            let is_call = callee(question.sources.text(span)).is_some_and(|name| name == replaced);
            let by = if is_call { queue.name.clone() } else { format!("{}()", queue.name) };
            copy.edits.replace(span.start as usize, replaced.len(), &by);
        }
        plan.harness.queues.push(queue);
    }
    words.feed(plan);
    plan.harness.queues.extend(by_name.into_values());
    let queues = &plan.harness.queues;
    let number = |name: &String| queues.iter().position(|queue| queue.name == *name).unwrap_or(queues.len());
    Ok(orders.iter().map(|names| names.iter().map(number).collect()).collect())
}

/// The function whose call an input comes from, if that is written by name or known otherwise.
fn called_function<'a>(question: &Question<'a>, site: &'a Site, written: Option<&'a str>) -> Result<&'a str, String> {
    let callee = written
        .and_then(|name| meant(question.sources, name))
        .or_else(|| called_by_macro(question, question.sources.text(site.span)))
        .or_else(|| site.name.strip_suffix("()"))
        // Whether memory was found is no result that a call could be given.
        .filter(|callee| !site.name.ends_with(") fails") || ALLOCATES.contains(callee));
    callee.ok_or_else(|| no_call(site))
}

/// What functions read into memory, a word for each input, and their calls in the text.
struct Words<'a> {
    queue: Queue,
    calls: BTreeMap<Span, &'a str>,
}

impl<'a> Words<'a> {
    fn read(&mut self, call: Span, callee: &'a str, run: usize, value: u128) -> Result<(), String> {
        let word = u64::try_from(value).map_err(|_| format!("`{callee}` reads more than 64 bits at once"))?;
        self.queue.values[run].push(word);
        self.calls.insert(call, callee);
        Ok(())
    }

    /// The functions of the harness take their place.
    fn feed(self, plan: &mut Plan) {
        if self.calls.is_empty() {
            return;
        }
        for (call, callee) in self.calls {
            if let Some(copy) = plan.copies.get_mut(&call.file) {
                let written = self::callee(&copy.text[call.start as usize..call.end as usize]).unwrap_or(callee);
                copy.edits.replace(call.start as usize, written.len(), &format!("{PREFIX}{callee}"));
            }
        }
        plan.harness.queues.push(self.queue);
    }
}

/// Is it a number that a function without a body writes?
fn is_number(program: &Program, site: &Site) -> bool {
    let ty = program.ty(site.ty);
    !site.name.ends_with(')') && program.is_scalar(site.ty) && !matches!(ty, Type::Pointer { .. })
}

/// Why a function without a body does not write what the run says.
fn cannot_write(site: &Site) -> String {
    format!("`{}` cannot be told what to write", site.writer.as_deref().unwrap_or(&site.name))
}

/// Does something to what is behind a pointer, if there is anything.
fn if_not_null(site: &Site, what: &str) -> String {
    let pointer = site.name.strip_prefix('*').or_else(|| site.name.split_once("->").map(|(pointer, _)| pointer));
    pointer.map_or_else(|| what.to_owned(), |pointer| format!("({pointer} ? (void)({what}) : (void)0)"))
}

/// Does something just before a call: what the function would do to the memory that it gets pointers to.
fn before_call(question: &Question, plan: &mut Plan, site: &Site, what: &str) -> Result<(), String> {
    let fail = || cannot_write(site);
    let copy = plan.copies.get_mut(&site.span.file).ok_or_else(fail)?;
    let text = question.sources.text(site.span);
    let is_plain = |text: &str| !["(", "=", "++", "--", "\"", "'"].iter().any(|sign| text.contains(sign));
    let name = callee(text).filter(|name| Some(*name) == site.writer.as_deref()).ok_or_else(fail)?;
    let words = text::tokens(text);
    let mut macros = words.iter().filter(|token| token.is_word() && macro_body(question.sources, token.text).is_some());
    if !is_plain(&site.name)
        || !is_plain(text[name.len()..].trim_start().trim_start_matches('('))
        || macros.next().is_some()
    {
        return Err(fail());
    }
    copy.edits.insert(site.span.start as usize, &format!("({what}, "));
    copy.edits.insert(site.span.end as usize, ")");
    Ok(())
}

/// Records and arrays that functions without a body write.
fn fill_written(question: &Question, plan: &mut Plan) -> Result<(), String> {
    let sites: BTreeSet<SiteId> = question.feeds().flat_map(|(_, feed)| feed.run.overwritten.iter().copied()).collect();
    for id in sites {
        let site = &question.program.sites[id.index()];
        // Of bytes without a type nobody says in the text how many there are.
        if site.name.ends_with(')') {
            return Err(cannot_write(site));
        }
        let name = &site.name;
        let fills = if_not_null(site, &format!("{PREFIX}fill({}, (void *)&({name}), sizeof({name}))", id.0));
        before_call(question, plan, site, &fills)?;
        plan.harness.bytes.extend(bytes(id, &said(question, id)));
    }
    Ok(())
}

/// Why a read of a `volatile` object gets no value.
fn cannot_be_read(site: &Site, why: &str) -> String {
    format!("the volatile `{}` cannot be given the value that was read: {why}", site.name)
}

/// The values of a read of a `volatile` object: in the copied text a call stands where it is read, and only read. What a
/// macro stands for may be more than the object.
fn volatile_read(question: &Question, plan: &Plan, id: SiteId, runs: usize) -> Result<Queue, String> {
    let site = &question.program.sites[id.index()];
    let fail = |why: &str| cannot_be_read(site, why);
    let copy = plan.copies.get(&site.span.file).ok_or_else(|| fail("it is not read in a file that was given"))?;
    let text = question.sources.text(site.span);
    if text::tokens(text).iter().any(|token| token.is_word() && macro_body(question.sources, token.text).is_some()) {
        return Err(fail("a macro reads it"));
    }
    let before = copy.text[..site.span.start as usize].trim_end();
    let after = copy.text[site.span.end as usize..].trim_start();
    let operator = after.trim_start_matches(['<', '>', '+', '-', '*', '/', '%', '&', '|', '^']);
    let assigns = operator.starts_with('=')
        && after.len() > operator.len()
        && !after.starts_with("<=")
        && !after.starts_with(">=");
    let steps = before.ends_with("++") || before.ends_with("--") || after.starts_with("++") || after.starts_with("--");
    if steps || assigns {
        return Err(fail("the same operator writes it"));
    }
    let ty = c_type(question.program, site.ty).ok_or_else(|| fail("it is no number"))?;
    Ok(Queue::new(format!("{PREFIX}input_{}", id.0), ty, runs))
}

/// The function that a text of the form `name(…)` calls.
fn callee(text: &str) -> Option<&str> {
    let length = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(length);
    (!name.is_empty() && rest.trim_start().starts_with('(') && rest.ends_with(')')).then_some(name)
}

/// The function that a name means in a call: itself, or the one that a macro without parameters is another name of. None
/// where a macro is more than that, or is defined more than once.
fn meant<'a>(sources: &'a Sources, name: &'a str) -> Option<&'a str> {
    let mut name = name;
    // Macros may use macros, but not for ever.
    for _ in 0..20 {
        let Some(body) = macro_body(sources, name) else { return Some(name) };
        let lines = sources.files().filter(|(_, file)| !file.system).flat_map(|(_, file)| file.text.lines());
        let is_word = body.starts_with(char::is_whitespace)
            && body.trim().chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !body.trim().is_empty();
        if !is_word || lines.filter(|line| definition(line, name).is_some()).count() != 1 {
            return None;
        }
        name = body.trim();
    }
    None
}

/// What stands behind the name, in a line that defines a macro.
fn definition<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix('#').map(str::trim_start)?.strip_prefix("define")?;
    let rest = rest.trim_start().strip_prefix(name)?;
    (!rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')).then_some(rest)
}

/// What a macro of the user's stands for: the lines of its definition behind its name.
pub fn macro_body<'a>(sources: &'a Sources, name: &str) -> Option<&'a str> {
    let body = |line: &'a str| definition(line, name);
    let mut files = sources.files().filter(|(_, file)| !file.system);
    files.find_map(|(_, file)| {
        let mut rest = file.text.as_str();
        while let Some((line, after)) = rest.split_once('\n') {
            if let Some(first) = body(line) {
                let more = after.split_inclusive('\n');
                let mut ends = std::iter::once(first).chain(more).scan(true, |open, line| {
                    let was_open = std::mem::replace(open, line.trim_end().ends_with('\\'));
                    was_open.then_some(line.len())
                });
                // The first line has lost its end.
                let length = ends.by_ref().sum::<usize>() + 1;
                let start = line.len() - first.len();
                return rest.get(start..start + length);
            }
            rest = after;
        }
        body(rest)
    })
}

/// The only function without a body that the macro at the start of a text calls.
fn called_by_macro<'a>(question: &Question<'a>, text: &'a str) -> Option<&'a str> {
    let mut names = vec![text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?];
    let mut called = BTreeSet::new();
    // Macros may use macros, but not for ever.
    for at in 0..20 {
        let Some(body) = names.get(at).and_then(|name| macro_body(question.sources, name)) else { continue };
        let tokens = text::tokens(body);
        let parameters = body.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("", |(list, _)| list);
        for (i, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_word()) {
            let is_called = tokens.get(i + 1).is_some_and(|next| next.text == "(");
            if is_called && parameters.split(',').any(|parameter| parameter.trim() == token.text) {
                return None;
            }
            if macro_body(question.sources, token.text).is_some() {
                names.push(token.text);
            } else if is_called && !has_body(question.program, token.text) && !harness::is_word(token.text) {
                called.insert(token.text);
            }
        }
    }
    called.first().copied().filter(|_| called.len() == 1)
}

fn declared_by_system(sources: &Sources, name: &str) -> bool {
    // Words in our models are no declarations.
    let mut headers = sources.files().filter(|(_, file)| file.system && file.name != "<library>");
    headers.any(|(_, file)| text::tokens(&file.text).iter().any(|token| token.text == name))
}

/// What the runs say of the objects of a site: number of the run, number of the object, contents.
type Said<'a> = Vec<(usize, u32, &'a [Content])>;

/// What the runs say of the objects of a site.
pub fn said<'a>(question: &Question<'a>, id: SiteId) -> Said<'a> {
    let of_run = |(run, feed): (usize, Feed<'a>)| {
        let objects = feed.inputs.contents.range((id, 0)..=(id, u32::MAX));
        objects.map(move |((_, occurrence), contents)| (run, *occurrence, contents.as_slice()))
    };
    question.feeds().flat_map(of_run).collect()
}

/// Objects that start undefined: what the runs say of their contents.
fn contents(question: &Question, plan: &mut Plan) -> Result<(), String> {
    let mut sites: BTreeSet<SiteId> = BTreeSet::new();
    for (_, feed) in question.feeds() {
        sites.extend(feed.inputs.contents.keys().map(|(site, _)| *site));
        sites.extend(feed.run.steps.iter().filter_map(|step| match &step.kind {
            RunStepKind::Input { site, .. } => Some(*site),
            _ => None,
        }));
    }
    // What is overwritten is 0 where the runs say nothing of it.
    let overwrites =
        |site: &Site| site.kind == SiteKind::Allocation && havoc(question.sources.text(site.span)).is_some();
    let all = question.program.sites.iter().enumerate();
    sites.extend(all.filter(|(_, site)| overwrites(site)).map(|(index, _)| SiteId(index as u32)));
    for id in sites {
        let site = &question.program.sites[id.index()];
        let contents = said(question, id);
        let known = contents.iter().any(|(_, _, contents)| contents.iter().any(|content| content.value != 0));
        match site.kind {
            SiteKind::Uninitialised => uninitialised(question, id, site, &contents, plan)?,
            SiteKind::Allocation if known || havoc(question.sources.text(site.span)).is_some() => {
                allocation(question, id, site, &contents, plan)?
            }
            SiteKind::Allocation
            | SiteKind::Call
            | SiteKind::Invented
            | SiteKind::Argument
            | SiteKind::Parameter
            | SiteKind::Pointee
            | SiteKind::Extern => {}
            SiteKind::Volatile | SiteKind::Unsaid => {}
        }
    }
    Ok(())
}

fn uninitialised(question: &Question, id: SiteId, site: &Site, contents: &Said, plan: &mut Plan) -> Result<(), String> {
    let fail = || format!("the uninitialised `{}` cannot be given its value in the text", site.name);
    let copy = plan.copies.get_mut(&site.span.file).ok_or_else(fail)?;
    if question.sources.text(site.span) != site.name {
        return Err(fail());
    }
    let declarator = text::declarator(&copy.tokens, site.span.start as usize).ok_or_else(fail)?;
    match (declarator.initialiser, c_type(question.program, site.ty)) {
        (Some(at), Some(ty)) => {
            let name = format!("{PREFIX}initial_{}", id.0);
            copy.edits.insert(at, &format!(" = {name}()"));
            let mut queue = Queue::new(name, ty, plan.harness.runs);
            for (run, occurrence, contents) in contents {
                let values = &mut queue.values[*run];
                values.resize(*occurrence as usize + 1, 0);
                values[*occurrence as usize] = number(contents);
            }
            plan.harness.queues.push(queue);
        }
        _ => {
            let at = declarator.after.ok_or_else(fail)?;
            let name = &site.name;
            copy.edits.insert(at, &format!(" {PREFIX}fill({}, (void *)&{name}, sizeof {name});", id.0));
            plan.harness.bytes.extend(bytes(id, contents));
        }
    }
    Ok(())
}

fn allocation(question: &Question, id: SiteId, site: &Site, contents: &Said, plan: &mut Plan) -> Result<(), String> {
    let fail = || "memory that is not set before it is read cannot be given its contents".to_owned();
    let copy = plan.copies.get_mut(&site.span.file).ok_or_else(fail)?;
    let text = question.sources.text(site.span);
    plan.harness.bytes.extend(bytes(id, contents));
    if let Some(written) = callee(text).filter(|name| meant(question.sources, name) == Some("malloc")) {
        let name = format!("{PREFIX}malloc_{}", id.0);
        copy.edits.replace(site.span.start as usize, written.len(), &name);
        plan.harness.allocators.push((name, id.0));
        return Ok(());
    }
    if let Some(replaced) = havoc(text) {
        let name = format!("{PREFIX}havoc_{}", id.0);
        copy.edits.replace(site.span.start as usize, replaced.len(), &name);
        if let Some(variable) = whole_variable(text) {
            copy.edits.insert(site.span.end as usize - 1, &format!(", sizeof {variable}"));
        }
        plan.harness.havocs.push((name, id.0));
        return Ok(());
    }
    // An array of variable length, or a record with one in it.
    let is_name = text == site.name && callee(text).is_none();
    let declarator = text::declarator(&copy.tokens, site.span.start as usize).filter(|_| is_name);
    let at = declarator.and_then(|declarator| declarator.after).ok_or_else(fail)?;
    copy.edits.insert(at, &format!(" {PREFIX}fill({}, (void *)&{text}, sizeof {text});", id.0));
    Ok(())
}

/// The word by which a call gives memory any contents, if the text says how much memory that is.
fn havoc(text: &str) -> Option<&str> {
    let told = |name: &&str| match *name {
        "__CPROVER_havoc_slice" | "__VERIFIER_nondet_memory" => true,
        "__CPROVER_havoc_object" => whole_variable(text).is_some(),
        _ => false,
    };
    callee(text).filter(told)
}

/// The variable `x` of `__CPROVER_havoc_object(&x)`.
fn whole_variable(text: &str) -> Option<&str> {
    let argument = text.strip_prefix("__CPROVER_havoc_object")?.trim_start().strip_prefix('(')?.strip_suffix(')')?;
    let name = argument.trim().strip_prefix('&')?.trim();
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then_some(name)
}

/// Objects that are declared and nowhere defined.
fn externals(question: &Question, plan: &mut Plan) {
    for global in &question.program.globals {
        let GlobalInit::Unknown(site) = global.init else { continue };
        let mut of_runs = vec![Vec::new(); plan.harness.runs];
        for byte in bytes(site, &said(question, site)).iter().filter(|byte| byte.occurrence == 0) {
            of_runs[byte.run].push((byte.offset, byte.value));
        }
        // Those that the system's library defines are not ours to define.
        if !declared_by_system(question.sources, &global.name) {
            plan.harness.externals.push(External { name: global.name.clone(), size: global.size, bytes: of_runs });
        }
    }
}

/// Contents of a scalar as one number.
fn number(contents: &[Content]) -> u64 {
    let all = contents.iter().filter(|content| content.bit_offset < 64);
    all.fold(0, |number, content| number | (low_bits(content) << content.bit_offset) as u64)
}

/// Contents of objects, byte by byte.
pub fn bytes(site: SiteId, contents: &Said) -> Vec<Byte> {
    let mut bytes: BTreeMap<(usize, u32, u64), u8> = BTreeMap::new();
    for (run, occurrence, contents) in contents {
        for content in *contents {
            for bit in (0..u64::from(content.bits)).filter(|bit| low_bits(content) >> bit & 1 == 1) {
                let at = content.bit_offset + bit;
                *bytes.entry((*run, *occurrence, at / 8)).or_default() |= 1 << (at % 8);
            }
        }
    }
    let bytes = bytes.into_iter();
    bytes.map(|((run, occurrence, offset), value)| Byte { run, site: site.0, occurrence, offset, value }).collect()
}

fn low_bits(content: &Content) -> u128 {
    content.value & nearmiss_logic::width::low_bits(content.bits)
}

/// A C type of the same representation, for scalars of up to 64 bits.
pub fn c_type(program: &Program, ty: TypeId) -> Option<&'static str> {
    Some(match program.ty(ty) {
        Type::Bool => "_Bool",
        Type::Integer { bits, signed, .. } | Type::Enum { bits, signed, .. } => {
            nearmiss_program::show::integer_type(program.int_bits(), *bits, *signed)?
        }
        Type::Float { bits: 32, .. } => "float",
        Type::Float { bits: 64, .. } => "double",
        Type::Pointer { .. } => "void *",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_become_bytes_and_numbers() {
        let contents =
            [Content { bit_offset: 4, bits: 8, value: 0xff }, Content { bit_offset: 32, bits: 16, value: 0x0100 }];
        let found = bytes(SiteId(7), &vec![(0, 2, &contents[..])]);
        let found: Vec<(u64, u8)> = found.into_iter().map(|byte| (byte.offset, byte.value)).collect();
        assert_eq!(found, [(0, 0xf0), (1, 0x0f), (5, 0x01)]);
        assert_eq!(number(&contents), 0x0100_0000_0ff0);
    }
}
