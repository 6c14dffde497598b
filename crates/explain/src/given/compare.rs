//! Follows a run along a counterexample, and says where they part.
//!
//! Both are lists of what happened, in order, but neither has every step of the other: checkers write down copies that are
//! no assignments of the program and leave out what they find irrelevant. So a fact is looked for among the steps that are
//! still to come: an assignment to that variable in that line must have that value; a line that the program has must be
//! reached; a condition must hold at some step of its line.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::bits_of;
use super::disagreement::{Disagreement, OTHER_PROGRAM, same_file};
use crate::imported::{Comparison, Fact, Format, ImportedRun, Object, Operator, What, When};
use nearmiss_logic::width::sign_extend;
use nearmiss_program::extended;
use nearmiss_program::program::{
    Author, Base, BranchRole, Function, Local, Origin, PlaceId, Program, StatementKind, Terminator, Type, TypeId,
};
use nearmiss_program::run::{Run, RunStep, RunStepKind};
use nearmiss_program::show;
use nearmiss_program::source::{Sources, Span};

/// What is compared.
pub(super) struct Following<'a> {
    pub(super) program: &'a Program,
    pub(super) sources: &'a Sources,
    pub(super) imported_run: &'a ImportedRun,
    pub(super) run: &'a Run,
    /// What calls pass to functions ([`arguments`]).
    pub(super) arguments: &'a HashSet<(u32, &'a str, &'a str)>,
}

/// A fact that the run does not bear out.
pub(super) struct Parting {
    pub(super) disagreement: Disagreement,
    /// Whether a value differs, rather than that something was not reached.
    pub(super) is_value: bool,
}

/// Compares the facts with the run.
pub(super) fn follow(following: &Following) -> Result<(), Parting> {
    let mut walk = Walk::new(following);
    following.imported_run.facts.iter().try_for_each(|fact| walk.fact(fact))
}

struct Walk<'a> {
    on: &'a Following<'a>,
    /// Line and file of every step.
    places: Vec<(u32, Arc<str>)>,
    /// The steps that give a value to a name in a line.
    setters: HashMap<(&'a str, u32), Vec<usize>>,
    /// The last step of every line.
    last: HashMap<u32, usize>,
    /// The lines in which the program does something.
    lines: HashMap<u32, Line<'a>>,
    /// The variables of the program, and whether there is a union in them.
    variables: HashMap<&'a str, bool>,
    /// The next step.
    next: usize,
    /// The line and the variable of the fact before this one, if it was about a part of a variable.
    group: Option<(u32, String)>,
    /// The values of variables after the steps before `next`; `\result` is that of the last input.
    now: HashMap<(Option<&'a str>, &'a str), (TypeId, u128)>,
}

impl<'a> Walk<'a> {
    fn new(on: &'a Following<'a>) -> Walk<'a> {
        let mut files: HashMap<String, Arc<str>> = HashMap::new();
        let mut known: HashMap<Span, (u32, Arc<str>)> = HashMap::new();
        let mut place = |span: Span| {
            let found = known.entry(span).or_insert_with(|| {
                let at = on.sources.position(span);
                (at.line, files.entry(at.file).or_insert_with_key(|file| file.as_str().into()).clone())
            });
            found.clone()
        };
        let places: Vec<(u32, Arc<str>)> = on.run.steps.iter().map(|step| place(step.span)).collect();
        let (mut setters, mut last): (HashMap<_, Vec<usize>>, _) = (HashMap::new(), HashMap::new());
        for (index, step) in on.run.steps.iter().enumerate() {
            if let Some((name, ..)) = setting(step) {
                setters.entry((name, places[index].0)).or_default().push(index);
            }
            last.insert(places[index].0, index);
        }
        let own = on.program.functions.iter().filter(|function| function.author == Author::User);
        let locals = own.flat_map(|function| &function.locals).map(|local| (local.name.as_str(), local.ty));
        let globals = on.program.globals.iter().map(|global| (global.name.as_str(), global.ty));
        let mut variables = HashMap::new();
        for (name, ty) in locals.chain(globals) {
            *variables.entry(name).or_insert(false) |= on.program.has_union(ty);
        }
        let lines = lines(on.program, on.sources);
        Walk { on, places, setters, last, lines, variables, next: 0, group: None, now: HashMap::new() }
    }

    /// Takes the steps before one into account.
    fn advance(&mut self, to: usize) {
        while self.next < to {
            let step = &self.on.run.steps[self.next];
            if let Some((name, ty, value)) = setting(step) {
                let scope = self.scope(&self.on.program.function(step.function).name, name);
                self.now.insert((scope, name), (ty, value));
            }
            self.next += 1;
        }
    }

    /// The function that a name belongs to; none for a global.
    fn scope<'n>(&self, function: &'n str, name: &str) -> Option<&'n str> {
        let base = base(name);
        let is_global = self.on.program.globals.iter().any(|global| global.name == base);
        (!is_global).then_some(function)
    }

    fn fact(&mut self, fact: &Fact) -> Result<(), Parting> {
        let Some(line) = fact.line else { return Ok(()) };
        if !matches!(&fact.what, What::Value(name, _) if name.contains(['.', '['])) {
            self.group = None;
        }
        if let What::Object(object) = &fact.what {
            return self.object(fact, line, object);
        }
        match &fact.what {
            What::Value(name, value) => self.value(fact, line, name, value),
            What::Enter(callee) => self.enter(fact, line, callee),
            What::Branch(taken) => self.waypoint(fact, line, |walk, index| match walk.on.run.steps[index].kind {
                // Some tell every part of a condition, others the whole.
                RunStepKind::Branch { taken: own, of } => Some(own == *taken || of.truth == Some(*taken)),
                _ => None,
            }),
            What::Held(comparisons, when) => self.held(fact, line, comparisons, *when),
            What::Result(callee, value) => self.result(fact, line, callee.as_deref(), "", value),
            What::Start(..) | What::Object(_) | What::Next(_) | What::Memory(_) => Ok(()),
        }
    }

    /// Is this step where the fact says?
    fn is_there(&self, fact: &Fact, line: u32, index: usize) -> bool {
        let (own, file) = &self.places[index];
        let step = &self.on.run.steps[index];
        *own == line
            && same_file(fact.file.as_deref(), file)
            && fact
                .function
                .as_deref()
                .is_none_or(|function| *self.on.program.function(step.function).name == *function)
    }

    fn value(&mut self, fact: &Fact, line: u32, name: &str, value: &str) -> Result<(), Parting> {
        let base = base(name);
        if base != name {
            // Where one part is set, checkers tell others, too: what follows may be such a copy.
            let group = (line, base.to_owned());
            let follows = self.group.replace(group.clone()) == Some(group);
            return if follows { Ok(()) } else { self.part(fact, line, name, value) };
        }
        if self.is_argument(fact, line, base) {
            return Ok(());
        }
        let is_alone =
            |line: &Line| !line.sets_anything && !line.open.contains(base) && line.sets.get(base) == Some(&1);
        if !self.lines.get(&line).is_none_or(is_alone) {
            return self.part(fact, line, name, value);
        }
        let own = self.setters.get(&(name, line)).map_or(&[][..], Vec::as_slice);
        let from = own.partition_point(|index| *index < self.next);
        let there = own[from..].iter().copied().filter(|index| self.is_there(fact, line, *index));
        let mut differs = None;
        for index in there {
            let Some((_, ty, bits)) = setting(&self.on.run.steps[index]) else { continue };
            if agrees(self.on.program, ty, bits, value) != Some(false) {
                self.advance(index + 1);
                return Ok(());
            }
            differs.get_or_insert((ty, bits));
            // Only what leaves out steps may mean a later one.
            if self.on.imported_run.format.is_complete() {
                break;
            }
        }
        match differs {
            Some(own) => Err(self.other_value(fact, line, name, value, own)),
            None => self.set_there(fact, line, name),
        }
    }

    /// A part of an object, or what a pointer may point to: the same write may have other names, so some step of its line
    /// that has this name must set this value, whichever that is.
    fn part(&self, fact: &Fact, line: u32, name: &str, value: &str) -> Result<(), Parting> {
        let is_free = self.lines.get(&line).is_some_and(|line| line.sets_anything);
        if self.is_argument(fact, line, base(name)) {
            return Ok(());
        }
        if is_free || self.variables.get(base(name)) == Some(&true) {
            return self.reached(fact, line);
        }
        let own = self.setters.get(&(name, line)).map_or(&[][..], Vec::as_slice).iter();
        let own = own.filter(|index| self.is_there(fact, line, **index));
        let own: Vec<(TypeId, u128)> =
            own.filter_map(|index| setting(&self.on.run.steps[*index]).map(|(_, ty, bits)| (ty, bits))).collect();
        match own.first() {
            None => self.set_there(fact, line, name),
            Some(_) if own.iter().any(|(ty, bits)| agrees(self.on.program, *ty, *bits, value) != Some(false)) => Ok(()),
            Some(_) if self.lines.get(&line).is_some_and(|line| line.open.contains(base(name))) => Ok(()),
            Some(first) => Err(self.other_value(fact, line, name, value, *first)),
        }
    }

    fn object(&mut self, fact: &Fact, line: u32, object: &Object) -> Result<(), Parting> {
        object.parts.iter().try_for_each(|(way, value)| match &object.callee {
            Some(callee) => self.result(fact, line, Some(callee), way, value),
            None => self.part(fact, line, &format!("{}{way}", object.name), value),
        })
    }

    /// Where calls of that line give something, one must give this.
    fn result(&self, fact: &Fact, line: u32, callee: Option<&str>, way: &str, value: &str) -> Result<(), Parting> {
        let mut differs = None;
        for (index, step) in self.on.run.steps.iter().enumerate() {
            let RunStepKind::Input { site, name, ty, value: own } = &step.kind else { continue };
            let site = &self.on.program.sites[site.index()];
            let is_told = |callee: &str| self.on.sources.text(site.span).contains(callee) || site.name.contains(callee);
            let is_part = name.strip_prefix(site.name.as_str()) == Some(way);
            if site.kind.is_call()
                && is_part
                && !self.on.program.has_union(site.ty)
                && self.is_there(fact, line, index)
                && callee.is_none_or(is_told)
            {
                if agrees(self.on.program, *ty, *own, value) != Some(false) {
                    return Ok(());
                }
                differs.get_or_insert((format!("{}{way}", callee.unwrap_or(&site.name)), (*ty, *own)));
            }
        }
        match differs {
            Some((name, own)) => Err(self.other_value(fact, line, &name, value, own)),
            None => Ok(()),
        }
    }

    /// Whether a call in that line passes something to a parameter of that name.
    fn is_argument(&self, fact: &Fact, line: u32, base: &str) -> bool {
        fact.function.as_deref().is_some_and(|function| self.on.arguments.contains(&(line, function, base)))
    }

    fn other_value(&self, fact: &Fact, line: u32, name: &str, value: &str, (ty, bits): (TypeId, u128)) -> Parting {
        let program = self.on.program;
        let told = bits_of(program, ty, value).map_or(value.to_owned(), |bits| show::value(program, ty, bits));
        let message = format!(
            "here `{name}` becomes {told} in {}, but the program makes it {}",
            place(fact, line),
            show::value(program, ty, bits)
        );
        parting(fact, message, true)
    }

    /// A variable that gets a value in a line must be one that the program may set there.
    fn set_there(&self, fact: &Fact, line: u32, name: &str) -> Result<(), Parting> {
        let base = base(name);
        // Checkers have variables of their own.
        let sets = self.lines.get(&line).is_none_or(|line| {
            // In lists of states, arguments of the library's functions look like variables.
            let is_argument = line.calls && !self.on.imported_run.format.is_complete();
            line.sets_anything || line.sets.contains_key(base) || is_argument
        });
        if self.variables.contains_key(base) && !sets {
            let message =
                format!("here `{name}` gets a value in {}, where the program does not set it", place(fact, line));
            return Err(parting(fact, message, true));
        }
        self.reached(fact, line)
    }

    /// The run must come to a line that the counterexample comes to.
    fn reached(&self, fact: &Fact, line: u32) -> Result<(), Parting> {
        // A copy that only the checker knows of may follow the last step of its line.
        if self.last.get(&line).is_some_and(|last| last + 1 >= self.next) {
            return Ok(());
        }
        let there = place(fact, line);
        let message = match self.lines.get(&line) {
            // What initialises a variable is no step of its own.
            Some(line) if !line.shows => return Ok(()),
            Some(_) => format!("here the run is in {there}, but the program does not come there again"),
            None => format!("here the run is in {there}, where the program does nothing"),
        };
        Err(parting(fact, message, false))
    }

    fn enter(&mut self, fact: &Fact, line: u32, callee: &str) -> Result<(), Parting> {
        let program = self.on.program;
        let is_own = |function: &&nearmiss_program::program::Function| {
            function.name == callee && function.author == Author::User && !function.blocks.is_empty()
        };
        if !program.functions.iter().any(|function| is_own(&function)) {
            return Ok(());
        }
        let calls = |step: &RunStep| match step.kind {
            RunStepKind::Call { callee: own } => program.function(own).name == callee,
            _ => false,
        };
        let steps = &self.on.run.steps;
        match (self.next..steps.len()).find(|index| self.is_there(fact, line, *index) && calls(&steps[*index])) {
            Some(index) => {
                self.advance(index + 1);
                Ok(())
            }
            None => {
                let message = format!(
                    "here `{callee}` is called in {}, but the program does not call it there again",
                    place(fact, line)
                );
                Err(parting(fact, message, false))
            }
        }
    }

    /// Looks for a step of that line at which something holds. Where none can tell, nothing is said.
    fn waypoint(
        &mut self,
        fact: &Fact,
        line: u32,
        holds: impl Fn(&Walk<'a>, usize) -> Option<bool>,
    ) -> Result<(), Parting> {
        if !self.lines.contains_key(&line) {
            return self.reached(fact, line);
        }
        let mut told = false;
        for index in self.next..self.on.run.steps.len() {
            if self.is_there(fact, line, index) {
                let held = holds(self, index);
                told |= held.is_some();
                if held == Some(true) {
                    self.advance(index + 1);
                    return Ok(());
                }
            }
        }
        let message = match &fact.what {
            What::Branch(taken) if told => {
                let way = if *taken { "taken" } else { "not taken" };
                format!("here the branch in {} is {way}, but the program goes the other way", place(fact, line))
            }
            _ => return self.reached(fact, line),
        };
        Err(parting(fact, message, true))
    }

    fn held(&mut self, fact: &Fact, line: u32, comparisons: &[Comparison], when: When) -> Result<(), Parting> {
        if !self.lines.contains_key(&line) {
            return self.reached(fact, line);
        }
        let mut differs = None;
        let (before, start) = (self.now.clone(), self.next);
        for index in start..self.on.run.steps.len() {
            if !self.is_there(fact, line, index) {
                continue;
            }
            self.advance(index + usize::from(when == When::After));
            let wrong = comparisons.iter().find_map(|comparison| self.wrong(fact, comparison, index));
            match wrong {
                None => return Ok(()),
                Some(wrong) => drop(differs.get_or_insert(wrong)),
            }
        }
        (self.now, self.next) = (before, start);
        // A graph may speak of lines that the run passes by, if only what it says of them is so.
        if self.on.imported_run.format == Format::WitnessGraphml
            && start > 0
            && comparisons
                .iter()
                .all(|comparison| comparison.name != "\\result" && self.wrong(fact, comparison, start - 1).is_none())
        {
            return Ok(());
        }
        match differs.flatten() {
            Some((name, value)) => {
                let message =
                    format!("this does not hold in {}, where the program has `{name}` = {value}", place(fact, line));
                Err(parting(fact, message, true))
            }
            None => self.reached(fact, line),
        }
    }

    /// What makes a comparison false at a step: the name and its value, if it has one there. None: it is true.
    fn wrong(&self, fact: &Fact, comparison: &Comparison, index: usize) -> Option<Option<(String, String)>> {
        let step = &self.on.run.steps[index];
        let value = if comparison.name == "\\result" {
            match step.kind {
                RunStepKind::Input { site, ty, value, .. } if self.on.program.sites[site.index()].kind.is_call() => {
                    Some((ty, value))
                }
                _ => None,
            }
        } else {
            let function = fact.function.as_deref().unwrap_or(&self.on.program.function(step.function).name);
            let scope = self.scope(function, &comparison.name);
            self.now.get(&(scope, comparison.name.as_str())).copied()
        };
        let Some((ty, bits)) = value else { return Some(None) };
        match holds(self.on.program, ty, bits, comparison) {
            true => None,
            false => Some(Some((comparison.name.clone(), show::value(self.on.program, ty, bits)))),
        }
    }
}

/// The variable that a name is a part of.
fn base(name: &str) -> &str {
    name.split(['.', '[', '-']).next().unwrap_or(name)
}

/// What calls pass to functions: the line, the function that calls, and the parameter. Checkers tell that in the line of
/// the call, as if the caller set a variable of that name.
pub(super) fn arguments<'a>(program: &'a Program, sources: &Sources) -> HashSet<(u32, &'a str, &'a str)> {
    let mut passed = HashSet::new();
    for function in program.functions.iter().filter(|function| function.author == Author::User) {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            if let StatementKind::Call { function: callee, .. } = &statement.kind {
                let callee = program.function(*callee);
                let line = sources.position(statement.span).line;
                let parameters = callee.locals.iter().take(callee.parameters as usize);
                passed.extend(parameters.map(|parameter| (line, function.name.as_str(), parameter.name.as_str())));
            }
        }
    }
    passed
}

/// What a step sets.
fn setting(step: &RunStep) -> Option<(&str, TypeId, u128)> {
    match &step.kind {
        RunStepKind::Input { name, ty, value, .. } | RunStepKind::Assign { name, ty, value } => {
            Some((name, *ty, *value))
        }
        _ => None,
    }
}

/// Whether bits of a type are what a text says; none if that cannot be told.
fn agrees(program: &Program, ty: TypeId, bits: u128, text: &str) -> Option<bool> {
    if let Type::Pointer { .. } = program.ty(ty) {
        // Other checkers have other objects.
        return match text {
            "NULL" | "0" => Some(bits == 0),
            _ if text.starts_with('&') => Some(bits != 0),
            _ => None,
        };
    }
    if text.starts_with('&') {
        return None;
    }
    let told = bits_of(program, ty, text);
    if let (Type::Float { bits: width, .. }, Some(told)) = (program.ty(ty), told) {
        let number = |bits: u128| match width {
            32 => f64::from(f32::from_bits(bits as u32)),
            64 => f64::from_bits(bits as u64),
            _ => extended::to_double(bits),
        };
        let (own, told) = (number(bits), number(told));
        // Decimal digits are often rounded to six.
        let near = !text.starts_with("0b") && (own - told).abs() <= own.abs() * 1e-5;
        return Some(own == told || near || (own.is_nan() && told.is_nan()));
    }
    match told {
        Some(told) => Some(told == bits),
        // A byte that is neither true nor false.
        None if matches!(program.ty(ty), Type::Bool) => None,
        None => text.starts_with("0b").then_some(false),
    }
}

/// Whether a comparison is true of bits of a type.
fn holds(program: &Program, ty: TypeId, bits: u128, comparison: &Comparison) -> bool {
    if matches!(comparison.operator, Operator::Equal | Operator::Different) {
        let equal = agrees(program, ty, bits, &comparison.value) == Some(true);
        return equal == (comparison.operator == Operator::Equal);
    }
    let Some(told) = bits_of(program, ty, &comparison.value) else { return false };
    let width = program.size_bits(ty).clamp(1, 128) as u32;
    let ordered = match program.ty(ty) {
        Type::Float { bits: 32, .. } => f32::from_bits(bits as u32).partial_cmp(&f32::from_bits(told as u32)),
        Type::Float { bits: 64, .. } => f64::from_bits(bits as u64).partial_cmp(&f64::from_bits(told as u64)),
        Type::Float { .. } => extended::compare(bits, told),
        _ if program.is_signed(ty) => {
            let number = |bits| sign_extend(bits, width);
            Some(number(bits).cmp(&number(told)))
        }
        _ => Some(bits.cmp(&told)),
    };
    ordered.is_some_and(|order| match comparison.operator {
        Operator::Less => order.is_lt(),
        Operator::AtMost => order.is_le(),
        Operator::Greater => order.is_gt(),
        Operator::AtLeast => order.is_ge(),
        Operator::Equal | Operator::Different => false,
    })
}

/// What the user's functions do in a line.
#[derive(Default)]
struct Line<'a> {
    /// The variables that are set, and by how many statements.
    sets: HashMap<&'a str, usize>,
    /// Those of them that also get values that no step of that name shows: by a call, or because they start undefined.
    open: HashSet<&'a str>,
    /// Something is set through a pointer.
    sets_anything: bool,
    /// A function is called.
    calls: bool,
    /// A run that comes there has a step of it.
    shows: bool,
}

/// The variable that a place lies in.
fn variable<'a>(program: &'a Program, function: &'a Function, place: PlaceId) -> Option<&'a str> {
    match program.place(place).base {
        Base::Local(local) => Some(&function.locals[local.index()].name),
        Base::Global(global) => Some(&program.globals[global.index()].name),
        Base::Deref(_) => None,
    }
}

/// Whether the declaration of a local gives it a value: that statement starts where the declaration does.
fn is_initialised(program: &Program, function: &Function, local: &Local) -> bool {
    function.blocks.iter().flat_map(|block| &block.statements).any(|statement| {
        let target = match &statement.kind {
            StatementKind::Assign { target, .. }
            | StatementKind::Copy { target, .. }
            | StatementKind::Clear { target }
            | StatementKind::Call { target: Some(target), .. } => *target,
            _ => return false,
        };
        statement.span.start == local.span.start
            && matches!(program.place(target).base, Base::Local(own) if function.locals[own.index()].span == local.span)
    })
}

/// The lines in which the user's functions do something.
fn lines<'a>(program: &'a Program, sources: &Sources) -> HashMap<u32, Line<'a>> {
    let mut found: HashMap<u32, Line> = HashMap::new();
    let mut line = |span: Span, shows: bool, sets: Option<&'a str>, by: usize| {
        let line = found.entry(sources.position(span).line).or_default();
        line.shows |= shows;
        sets.into_iter().for_each(|name| *line.sets.entry(name).or_default() += by);
    };
    let (mut anything, mut calls, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for function in program.functions.iter().filter(|function| function.author == Author::User) {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let (shows, target) = match &statement.kind {
                StatementKind::Assign { target, origin, .. } => (*origin == Origin::Written, Some(*target)),
                StatementKind::Input { target, .. } => {
                    open.extend(variable(program, function, *target).map(|name| (statement.span, name)));
                    (true, Some(*target))
                }
                StatementKind::Copy { target, .. } | StatementKind::Clear { target } => (false, Some(*target)),
                StatementKind::Call { target, function: callee, .. } => {
                    calls.push(statement.span);
                    (program.function(*callee).author == Author::User, *target)
                }
                StatementKind::Claim { part, .. } => (!part, None),
                StatementKind::Declare { local } | StatementKind::Kill { local } => {
                    let local = &function.locals[local.index()];
                    line(statement.span, false, Some(&local.name), 0);
                    if matches!(statement.kind, StatementKind::Declare { .. })
                        && !is_initialised(program, function, local)
                    {
                        open.push((statement.span, &local.name));
                    }
                    continue;
                }
                StatementKind::CopyBytes { .. } | StatementKind::SetBytes { .. } => {
                    anything.push(statement.span);
                    (false, None)
                }
                _ => (false, None),
            };
            match target.map(|target| program.place(target).base) {
                Some(Base::Local(local)) => {
                    let local = &function.locals[local.index()];
                    line(statement.span, shows && !local.temporary, Some(&local.name), 1);
                }
                Some(Base::Global(global)) => {
                    line(statement.span, shows, Some(&program.globals[global.index()].name), 1);
                }
                Some(Base::Deref(_)) => {
                    line(statement.span, shows, None, 0);
                    anything.push(statement.span);
                }
                None => line(statement.span, shows, None, 0),
            }
        }
        for block in &function.blocks {
            match &block.end {
                Terminator::Branch { span, role, .. } => line(*span, *role != BranchRole::Internal, None, 0),
                Terminator::Return { span, .. } => line(*span, true, None, 0),
                _ => {}
            }
        }
    }
    for site in &program.sites {
        line(site.span, false, Some(&site.name), 0);
    }
    for (span, name) in open {
        found.entry(sources.position(span).line).or_default().open.insert(name);
    }
    for span in calls {
        found.entry(sources.position(span).line).or_default().calls = true;
    }
    for span in anything {
        found.entry(sources.position(span).line).or_default().sets_anything = true;
    }
    found
}

fn place(fact: &Fact, line: u32) -> String {
    match fact.file.as_deref() {
        Some(file) => format!("{}:{line}", file.rsplit(['/', '\\']).next().unwrap_or(file)),
        None => format!("line {line}"),
    }
}

fn parting(fact: &Fact, message: String, is_value: bool) -> Parting {
    let disagreement = Disagreement { at: Some(fact.at), message, help: OTHER_PROGRAM.to_owned() };
    Parting { disagreement, is_value }
}
