//! Answers the questions of a program for its inputs from what a counterexample tells.
//!
//! A call is given the next result that was told for its line and its function, or the value that its variable got there. An
//! uninitialised variable has the value that was told at its declaration; parameters of the entry function and `extern`
//! variables that of before the start. What is not told is 0.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::disagreement::{Disagreement, OTHER_PROGRAM, same_file};
use super::{Part, bits_of, candidates, has_object, part};
use crate::imported::{Comparison, Fact, Operator, What, When};
use nearmiss_program::interp::Oracle;
use nearmiss_program::program::{
    Author, Base, LocalId, PlaceId, Program, SiteId, SiteKind, StatementKind, Type, TypeId,
};
use nearmiss_program::run::{Content, Inputs};
use nearmiss_program::show;
use nearmiss_program::source::Sources;

/// How far pointers in what pointers point to are followed, and how many names there may be then: who wrote the file may let them go
/// round in a circle.
const MOST_LEVELS: u32 = 16;
const MOST_STARTS: usize = 10_000;

pub(super) struct Answers<'a> {
    program: &'a Program,
    sources: &'a Sources,
    facts: &'a [Fact],
    /// Results of calls by line: number of the fact, and the value.
    results: HashMap<u32, VecDeque<(usize, &'a str)>>,
    /// Values of variables by name.
    values: BTreeMap<String, VecDeque<(usize, &'a str)>>,
    /// What was given a value as a whole, by line.
    objects: HashMap<u32, VecDeque<usize>>,
    /// The variables that take the result of a call of record type.
    targets: HashMap<SiteId, Vec<String>>,
    /// Values from before the start, with what pointers point to under the name of that.
    starts: BTreeMap<String, (usize, &'a str)>,
    /// Values in order, whatever they are for.
    nexts: Option<VecDeque<usize>>,
    memory: VecDeque<&'a [Content]>,
    /// The names that stand for a part of the objects of a site.
    parts: BTreeMap<SiteId, Vec<(String, Part)>>,
    /// Variables that are set where they are declared.
    initialised: HashSet<SiteId>,
    pub(super) inputs: Inputs,
    /// So many scalars were asked for and not told.
    pub(super) open: usize,
    /// So many objects with unions were told in part.
    pub(super) gaps: usize,
    /// The first value that cannot be used.
    pub(super) disagreement: Option<Disagreement>,
    /// The first pointer to an object that no input can point to; nobody may read it.
    pub(super) pointer: Option<Disagreement>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(program: &'a Program, sources: &'a Sources, facts: &'a [Fact]) -> Answers<'a> {
        let mut answers = Answers {
            program,
            sources,
            facts,
            results: HashMap::new(),
            values: BTreeMap::new(),
            objects: HashMap::new(),
            targets: targets(program),
            starts: BTreeMap::new(),
            nexts: None,
            memory: VecDeque::new(),
            parts: BTreeMap::new(),
            initialised: initialised(program, sources),
            inputs: Inputs::default(),
            open: 0,
            gaps: 0,
            disagreement: None,
            pointer: None,
        };
        for (number, fact) in facts.iter().enumerate() {
            match &fact.what {
                What::Value(name, value) => {
                    answers.values.entry(name.to_string()).or_default().push_back((number, value));
                }
                What::Object(object) => {
                    answers.objects.entry(fact.line.unwrap_or(0)).or_default().push_back(number);
                    if object.callee.is_none() {
                        for (way, value) in &object.parts {
                            let name = format!("{}{way}", object.name);
                            answers.values.entry(name).or_default().push_back((number, value));
                        }
                    }
                }
                What::Start(name, value) => drop(answers.starts.insert(name.to_string(), (number, value))),
                What::Result(_, value) => {
                    answers.results.entry(fact.line.unwrap_or(0)).or_default().push_back((number, value));
                }
                What::Next(_) => answers.nexts.get_or_insert_default().push_back(number),
                What::Memory(contents) => answers.memory.push_back(contents),
                What::Held(comparisons, when) => {
                    for Comparison { name, operator, value } in comparisons {
                        match (operator, name.as_str()) {
                            (Operator::Equal, "\\result") => {
                                let line = fact.line.unwrap_or(0);
                                answers.results.entry(line).or_default().push_back((number, value));
                            }
                            (Operator::Equal, name) if *when == When::After => {
                                answers.values.entry(name.to_owned()).or_default().push_back((number, value));
                            }
                            _ => {}
                        }
                    }
                }
                What::Branch(_) | What::Enter(_) => {}
            }
        }
        answers.name_pointees();
        let names: BTreeSet<String> = answers.values.keys().chain(answers.starts.keys()).cloned().collect();
        for name in names {
            for part in candidates(program, &name) {
                answers.parts.entry(part.site).or_default().push((name.clone(), part));
            }
        }
        for parts in answers.parts.values_mut() {
            parts.sort_by_key(|(_, part)| part.bit_offset);
        }
        answers
    }

    /// The parameter `p` points to `tmp`: what is told of `tmp` is told of `*p`. If that holds pointers, what they point to has names by
    /// these.
    fn name_pointees(&mut self) {
        for _ in 0..MOST_LEVELS {
            let known = self.starts.len();
            self.name_next_pointees();
            if self.starts.len() == known || self.starts.len() > MOST_STARTS {
                break;
            }
        }
    }

    fn name_next_pointees(&mut self) {
        let pointers: Vec<(String, String)> = (self.starts.iter())
            .filter_map(|(name, (_, value))| Some((name.clone(), value.strip_prefix('&')?.to_owned())))
            .collect();
        let mut named = Vec::new();
        for (pointer, object) in pointers {
            let object = object.split('[').next().unwrap_or_default();
            for (name, told) in &self.starts {
                let Some(rest) = name.strip_prefix(object) else { continue };
                let all = format!("*{pointer}");
                match rest.split_at_checked(1) {
                    None if name == object => {
                        named.push((all, *told));
                        named.push((show::element_name(&pointer, 0), *told));
                    }
                    Some((".", member)) => named.push((show::member_name(&all, member), *told)),
                    Some(("[", _)) => named.push((show::path_name(&pointer, rest), *told)),
                    _ => {}
                }
            }
        }
        self.starts.extend(named);
    }

    /// Whether a fact may be about a site.
    fn belongs(&self, fact: &Fact, id: SiteId) -> bool {
        let site = &self.program.sites[id.index()];
        let at = self.sources.position(site.span);
        fact.line.is_none_or(|line| line == at.line)
            && same_file(fact.file.as_deref(), &at.file)
            && fact.function.as_deref().is_none_or(|function| function == site.function)
    }

    /// The bits of a value for a site.
    fn bits(&mut self, fact: usize, text: &str, site: SiteId, ty: TypeId) -> u128 {
        let own = &self.program.sites[site.index()];
        if text.starts_with('&') {
            self.pointer.get_or_insert(Disagreement {
                at: Some(self.facts[fact].at),
                message: format!("here `{}` holds a pointer to an object", own.name),
                help: "pointers that are inputs are taken as NULL or as pointing nowhere; only parameters of the entry function, and \
                       pointers in what they point to, point to objects"
                    .to_owned(),
            });
        }
        let text = if text.starts_with('&') { "invalid" } else { text };
        if let Some(bits) = bits_of(self.program, ty, text) {
            return bits;
        }
        let site = own;
        let message = format!(
            "`{}` is no value for `{}` in line {}, which is of type {}",
            text,
            site.name,
            self.sources.position(site.span).line,
            self.program.type_name(ty)
        );
        self.refuse(fact, message);
        0
    }

    fn refuse(&mut self, fact: usize, message: String) {
        let (at, help) = (Some(self.facts[fact].at), OTHER_PROGRAM.to_owned());
        self.disagreement.get_or_insert(Disagreement { at, message, help });
    }

    /// The next of all values.
    fn next(&mut self, site: SiteId, ty: TypeId) -> Option<u128> {
        let nexts = self.nexts.as_mut()?;
        let Some(number) = nexts.pop_front() else {
            self.open += 1;
            return Some(0);
        };
        let What::Next(content) = &self.facts[number].what else { return None };
        let wanted = self.program.size_bits(ty);
        if u64::from(content.bits) != wanted {
            let site = &self.program.sites[site.index()];
            let message = format!(
                "the next value has {} bytes, but `{}` in line {} is of type {}, which has {}",
                content.bits / 8,
                site.name,
                self.sources.position(site.span).line,
                self.program.type_name(ty),
                wanted / 8
            );
            self.refuse(number, message);
        }
        Some(content.value)
    }

    /// What was told of a call: its result, or the variable that took it, whichever comes first.
    fn call(&mut self, name: &str, id: SiteId) -> Option<(usize, &'a str)> {
        let (result, variable) = (self.result(id), self.variable_at(name, id));
        let first =
            |queue: Option<&VecDeque<(usize, &'a str)>>, at: usize| queue.and_then(|queue| queue.get(at)).copied();
        let line = self.sources.position(self.program.sites[id.index()].span).line;
        let told = result.and_then(|at| first(self.results.get(&line), at));
        let taken = variable.and_then(|at| first(self.values.get(name), at));
        match (told, taken) {
            (Some((number, _)), taken) if taken.is_none_or(|(other, _)| number < other) => {
                // What the variable gets right after is that result.
                if let (Some(at), true) = (variable, taken.is_some_and(|(other, _)| other == number + 1)) {
                    self.values.get_mut(name)?.remove(at);
                }
                self.results.get_mut(&line)?.remove(result?)
            }
            (_, Some(_)) => self.values.get_mut(name)?.remove(variable?),
            _ => None,
        }
    }

    /// Where in its queue the result of a call stands.
    fn result(&self, id: SiteId) -> Option<usize> {
        let site = &self.program.sites[id.index()];
        let line = self.sources.position(site.span).line;
        let text = self.sources.text(site.span);
        let fits = |(number, _): &(usize, &str)| {
            let fact = &self.facts[*number];
            let callee = match &fact.what {
                What::Result(callee, _) => callee.as_deref(),
                _ => None,
            };
            self.belongs(fact, id) && callee.is_none_or(|callee| text.contains(callee) || site.name.contains(callee))
        };
        self.results.get(&line)?.iter().position(fits)
    }

    /// What was told of a variable where the site stands.
    fn variable(&mut self, name: &str, id: SiteId) -> Option<(usize, &'a str)> {
        let at = self.variable_at(name, id)?;
        self.values.get_mut(name)?.remove(at)
    }

    fn variable_at(&self, name: &str, id: SiteId) -> Option<usize> {
        self.values.get(name)?.iter().position(|(number, _)| self.belongs(&self.facts[*number], id))
    }

    /// The contents that a call of record type gave: what was told of its result, or of the variable that took it.
    fn object(&mut self, id: SiteId) -> Vec<Content> {
        let (program, facts) = (self.program, self.facts);
        let site = &program.sites[id.index()];
        let line = self.sources.position(site.span).line;
        let text = self.sources.text(site.span);
        let fits = |number: &usize| {
            let What::Object(object) = &facts[*number].what else { return false };
            self.belongs(&facts[*number], id)
                && match &object.callee {
                    Some(callee) => text.contains(&**callee) || site.name.contains(&**callee),
                    None => {
                        self.targets.get(&id).is_some_and(|targets| targets.iter().any(|t| is_place(t, &object.name)))
                    }
                }
        };
        let at = self.objects.get(&line).and_then(|numbers| numbers.iter().position(fits));
        let number = at.and_then(|at| self.objects.get_mut(&line)?.remove(at));
        let Some((number, What::Object(object))) = number.map(|number| (number, &facts[number].what)) else {
            self.open += 1;
            return Vec::new();
        };
        let (size, mut contents) = (program.size_bits(site.ty), Vec::new());
        for (way, value) in &object.parts {
            let name = format!("{}{way}", site.name);
            if let Some((bit_offset, bits, ty)) = part(program, &site.name, site.ty, 0, size, &name)
                && !self.is_shared(id, ty, value)
            {
                let value = self.bits(number, value, id, ty);
                contents.push(Content { bit_offset, bits: bits as u32, value });
            }
        }
        contents
    }

    /// Whether this is a truth value of a union that is neither true nor false: another member has that byte.
    fn is_shared(&self, id: SiteId, ty: TypeId, text: &str) -> bool {
        matches!(self.program.ty(ty), Type::Bool)
            && bits_of(self.program, ty, text).is_none()
            && self.program.has_union(self.program.sites[id.index()].ty)
    }

    /// Contents of which none lies within another, in order. Of unions one member may be told that is not all of them.
    fn settled(&mut self, id: SiteId, mut contents: Vec<Content>) -> Vec<Content> {
        let ty = self.program.sites[id.index()].ty;
        if !self.program.has_union(ty) {
            return contents;
        }
        contents.sort_by_key(|content| (std::cmp::Reverse(content.bits), content.bit_offset));
        let mut kept: Vec<Content> = Vec::new();
        for content in contents {
            let end = |content: &Content| content.bit_offset + u64::from(content.bits);
            let is_within = |other: &Content| other.bit_offset <= content.bit_offset && end(&content) <= end(other);
            if !kept.iter().any(is_within) {
                kept.push(content);
            }
        }
        kept.sort_by_key(|content| content.bit_offset);
        // CBMC tells one member of what starts undefined, and not always the value that it reads.
        let told: u64 = kept.iter().map(|content| u64::from(content.bits)).sum();
        let is_undefined = self.program.sites[id.index()].kind == SiteKind::Uninitialised;
        self.gaps += usize::from(is_undefined || told < self.program.size_bits(ty));
        kept
    }

    fn told(&mut self, name: &str, id: SiteId) -> Option<(usize, &'a str)> {
        match self.program.sites[id.index()].kind {
            SiteKind::Parameter | SiteKind::Pointee | SiteKind::Extern => self.starts.get(name).copied(),
            _ => self.variable(name, id),
        }
    }
}

impl Oracle for Answers<'_> {
    fn value(&mut self, site: SiteId, ty: TypeId) -> u128 {
        let program = self.program;
        let name = &program.sites[site.index()].name;
        let value = self.next(site, ty).unwrap_or_else(|| {
            let told = match program.sites[site.index()].kind {
                SiteKind::Call | SiteKind::Invented => self.call(name, site),
                // No format tells what such a read gave, or what a function without a body wrote.
                SiteKind::Volatile | SiteKind::Unsaid | SiteKind::Argument => None,
                _ => self.told(name, site),
            };
            let is_argument = has_object(program, site);
            match told {
                // NULL or not: the object that it points to is its own.
                Some((_, text)) if is_argument => u128::from(bits_of(program, ty, text) != Some(0)),
                None if is_argument => 1,
                Some((fact, text)) => self.bits(fact, text, site, ty),
                None => {
                    self.open += 1;
                    0
                }
            }
        });
        self.inputs.calls.push(value);
        value
    }

    fn contents(&mut self, site: SiteId, earlier: u32) -> Vec<Content> {
        let of = &self.program.sites[site.index()];
        let mut contents = Vec::new();
        if of.kind == SiteKind::Allocation && of.name.contains("malloc") {
            contents = self.memory.pop_front().map(<[Content]>::to_vec).unwrap_or_default();
        } else if of.kind.is_call() {
            let told = self.object(site);
            contents = self.settled(site, told);
        } else if !self.initialised.contains(&site) {
            for (name, Part { bit_offset, bits, ty, .. }) in self.parts.get(&site).cloned().unwrap_or_default() {
                if let Some((fact, text)) = self.told(&name, site)
                    && !self.is_shared(site, ty, text)
                {
                    let value = self.bits(fact, text, site, ty);
                    contents.push(Content { bit_offset, bits: bits as u32, value });
                }
            }
            contents = self.settled(site, contents);
        }
        // Members are told by name, and stand as they are declared.
        contents.sort_by_key(|content| content.bit_offset);
        if !contents.is_empty() {
            self.inputs.contents.insert((site, earlier), contents.clone());
        }
        contents
    }
}

/// The variables that take the results of calls of record type, straight or by way of our temporaries.
fn targets(program: &Program) -> HashMap<SiteId, Vec<String>> {
    let mut found: HashMap<SiteId, Vec<String>> = HashMap::new();
    for function in program.functions.iter().filter(|function| function.author == Author::User) {
        let mut copies: HashMap<LocalId, Vec<PlaceId>> = HashMap::new();
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            if let StatementKind::Copy { target, source, .. } = &statement.kind
                && let Base::Local(local) = program.place(*source).base
            {
                copies.entry(local).or_default().push(*target);
            }
        }
        for (number, local) in (0..).map(LocalId).zip(&function.locals) {
            if !program.sites[local.site.index()].kind.is_call() {
                continue;
            }
            let (mut open, mut seen) = (vec![number], HashSet::from([number]));
            while let Some(from) = open.pop() {
                for target in copies.get(&from).into_iter().flatten() {
                    match program.place(*target).base {
                        Base::Local(to) if function.locals[to.index()].temporary => {
                            if seen.insert(to) {
                                open.push(to);
                            }
                        }
                        _ => {
                            let name = show::place_text(program, function, *target);
                            found.entry(local.site).or_default().push(name);
                        }
                    }
                }
            }
        }
    }
    found
}

/// Whether a place with indices as expressions, `a[i].x`, may be the one called so, `a[2].x`.
fn is_place(text: &str, name: &str) -> bool {
    let plain = |text: &str| {
        let mut parts = text.split('[');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |plain, part| plain + "[]" + part.split_once(']').map_or("", |(_, rest)| rest))
    };
    text == name || plain(text) == plain(name)
}

/// The sites of variables that are set in the line of their declaration: what is told there is not what they start with.
fn initialised(program: &Program, sources: &Sources) -> HashSet<SiteId> {
    let mut found = HashSet::new();
    for function in program.functions.iter().filter(|function| function.author == Author::User) {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let target = match &statement.kind {
                StatementKind::Assign { target, .. }
                | StatementKind::Copy { target, .. }
                | StatementKind::Clear { target }
                | StatementKind::Input { target, .. }
                | StatementKind::Call { target: Some(target), .. } => *target,
                _ => continue,
            };
            let target = program.place(target);
            if let (Base::Local(local), true) = (target.base, target.path.is_empty()) {
                let local = &function.locals[local.index()];
                let line = |span| sources.position(span).line;
                if !local.temporary && line(local.span) == line(statement.span) {
                    found.insert(local.site);
                }
            }
        }
    }
    found
}
