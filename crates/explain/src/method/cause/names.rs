//! Values in the user's words: which single assignments a relation may speak of, and what each is called.
//!
//! Single assignments that always have the same value are one value, called by its best name: an input's before the
//! name of a variable as the claim finds it, and that before values on the way. A name that several values share goes
//! to the one that is visible at the claim; the others say where they are: `a at entry`, `b in line 22`, `c read in line 7`, and
//! which time in the failing run: `i (2nd)`, `r in term() (last)`.

use std::collections::{BTreeMap, HashMap, HashSet};

use nearmiss_logic::term::{Node, Term};

use super::Runs;
use crate::equation::{ClaimRef, Equation, Step, StepKind, VariableId};
use nearmiss_program::program::{
    Author, Base, Function, FunctionId, Global, Local, Origin, Program, SiteKind, StatementKind, Type, TypeId,
};
use nearmiss_program::show::{at_moment, ordinal};
use nearmiss_program::source::Span;

/// What a value is, the easiest to grasp first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// An input.
    Input,
    /// A variable of the program as the claim finds it.
    Source,
    /// A value on the way.
    Passing,
}

/// A value with a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its bits, as the program sees them.
    pub term: Term,
    /// Its type.
    pub ty: TypeId,
    /// What it is called.
    pub text: String,
    /// The variable of the program.
    pub variable: String,
    /// What it is.
    pub class: Class,
    /// Whether the two runs differ in it.
    pub changed: bool,
    /// Whether it is a truth value that was computed.
    pub is_flag: bool,
    /// Whether it is neither an input, nor what a function returned, nor visible at the claim.
    pub is_on_the_way: bool,
    /// The symbol that stands for it in other terms.
    pub symbol: Term,
    /// The steps that set this value under this name, in whichever run: one of them must be executed. Where it takes several
    /// values, one list for each.
    pub set_at: Vec<Vec<usize>>,
}

/// All values that are executed in the failing run before the claim.
pub struct Names {
    /// In order of execution.
    pub values: Vec<Named>,
    by_term: HashMap<Term, usize>,
    meanings: Meanings,
    /// Of steps whose text the failing run comes to several times: where it stands, and which time it is.
    times: HashMap<usize, String>,
}

impl Names {
    /// Names every value that counts.
    pub fn new(runs: &Runs<'_>, equation: &mut Equation) -> Names {
        let meanings = Meanings::new(equation);
        let equation = &*equation;
        let (homes, set_by_name) = homes(runs.program, equation);
        let mut namer = Namer { runs, equation, meanings, homes, set_by_name, values: Vec::new() };
        namer.collect();
        let texts = namer.texts();
        let setters = namer.setters();
        let by_symbol = equation.variables_by_symbol();
        let by_term = namer.values.iter().enumerate().map(|(at, value)| (value.term, at)).collect();
        let values = namer.values.iter().zip(texts).map(|(value, text)| Named {
            term: value.term,
            ty: equation.variables[value.variable.0 as usize].ty,
            text,
            variable: equation.variables[value.variable.0 as usize].name.to_string(),
            class: value.class,
            changed: runs.failing.value(value.variable) != runs.passing.value(value.variable),
            is_flag: value.class != Class::Input && is_flag(equation, &by_symbol, equation.symbol(value.variable)),
            is_on_the_way: value.class == Class::Passing
                && !matches!(equation.steps[value.step].kind, StepKind::Return { .. }),
            symbol: equation.symbol(value.variable),
            set_at: match namer.looked_up(value, &by_symbol) {
                Some(inputs) => inputs.into_iter().map(|step| vec![step]).collect(),
                None => vec![setters[&(value.term, namer.name(value))].clone()],
            },
        });
        Names { values: values.collect(), by_term, meanings: namer.meanings, times: times(runs, equation) }
    }

    /// ` in line 19 (2nd)`, where the text of a step alone would not say which time is meant.
    pub fn when(&self, step: usize) -> &str {
        self.times.get(&step).map_or("", String::as_str)
    }

    /// The value that a term is, if it has a name.
    pub fn of(&self, term: Term) -> Option<&Named> {
        self.by_term.get(&self.meanings.of(term)).map(|&at| &self.values[at])
    }

    /// Does a variable of this name have several values on the way?
    pub fn is_ambiguous(&self, variable: &str) -> bool {
        let mut values = self.values.iter().filter(|value| root(&value.variable) == variable);
        values.next().is_some_and(|first| values.any(|other| other.variable == first.variable))
    }

    /// A term in which values that are always the same are the same symbol.
    pub fn resolved(&self, equation: &mut Equation, term: Term) -> Term {
        equation.terms.substitute(term, &self.meanings.same)
    }
}

/// Which terms are one value.
struct Meanings {
    /// For a symbol that always has the value of an earlier one: that one.
    same: HashMap<Term, Term>,
    /// The symbol that is defined as a term.
    defined: HashMap<Term, Term>,
    /// What the program sees of an input of one free bit, for that input and for what is defined as that.
    seen: HashMap<Term, Term>,
}

impl Meanings {
    fn new(equation: &mut Equation) -> Meanings {
        let mut meanings = Meanings { same: HashMap::new(), defined: HashMap::new(), seen: HashMap::new() };
        for step in &equation.steps {
            if let StepKind::Call { variable, value, .. } | StepKind::Content { variable, value, .. } = step.kind {
                let symbol = equation.symbol(variable);
                if value != symbol {
                    meanings.seen.insert(symbol, value);
                }
            }
        }
        let views: HashSet<Term> = meanings.seen.values().copied().collect();
        for variable in &equation.variables {
            let Some(definition) = variable.definition else { continue };
            let definition = equation.terms.substitute(definition, &meanings.same);
            if views.contains(&definition) {
                meanings.seen.insert(variable.symbol, definition);
            } else if equation.terms.is_variable(definition) {
                meanings.same.insert(variable.symbol, definition);
            } else if let Some(&earlier) = meanings.defined.get(&definition) {
                meanings.same.insert(variable.symbol, earlier);
            } else {
                meanings.defined.insert(definition, variable.symbol);
            }
        }
        meanings
    }

    /// The one term for a value.
    fn of(&self, term: Term) -> Term {
        let term = self.same.get(&term).copied().unwrap_or(term);
        let term = self.defined.get(&term).copied().unwrap_or(term);
        self.seen.get(&term).copied().unwrap_or(term)
    }
}

/// Which time it is that the failing run comes to a text, where it does so several times.
fn times(runs: &Runs<'_>, equation: &Equation) -> HashMap<usize, String> {
    let mut at: HashMap<(FunctionId, Span), Vec<usize>> = HashMap::new();
    for (index, step) in equation.steps[..=runs.claim].iter().enumerate().filter(|(at, _)| runs.failing.executed[*at]) {
        if matches!(step.kind, StepKind::Guard { .. } | StepKind::Branch { .. } | StepKind::Claim { .. }) {
            at.entry((step.function, step.span)).or_default().push(index);
        }
    }
    let several = at.into_iter().filter(|(_, steps)| steps.len() > 1);
    let told = several.flat_map(|((_, span), steps)| {
        let line = (runs.line)(span);
        (1..).zip(steps).map(move |(time, step)| (step, format!(" in line {line} ({})", ordinal(time))))
    });
    told.collect()
}

/// A value before it has a name.
struct Value {
    term: Term,
    variable: VariableId,
    class: Class,
    step: usize,
    /// The plain name means this value at the claim.
    visible: bool,
}

/// A name, and the function whose local it is.
type Owned<'a> = (Option<FunctionId>, &'a str);

struct Namer<'a> {
    runs: &'a Runs<'a>,
    equation: &'a Equation,
    meanings: Meanings,
    /// The functions whose locals objects are, by their numbers.
    homes: HashMap<u32, FunctionId>,
    /// The locals that are set by their names.
    set_by_name: HashSet<(FunctionId, String)>,
    values: Vec<Value>,
}

impl<'a> Namer<'a> {
    fn collect(&mut self) {
        let last = self.last_values();
        let uses = self.first_uses();
        let mut found: BTreeMap<usize, Value> = BTreeMap::new();
        let mut known: HashMap<Term, usize> = HashMap::new();
        let statics = shared_statics(self.runs.program);
        for counted in self.runs.counted.iter().filter(|counted| self.runs.failing.executed[counted.step]) {
            let step = &self.equation.steps[counted.step];
            // Nothing is to be said of constants, nor of what our models keep for themselves.
            let name = &self.equation.variables[counted.variable.0 as usize].name;
            let is_ours = name.starts_with("__nearmiss_");
            // Nor of a `static` in a function that shares its name with another variable: no name says which is meant.
            if statics.contains(root(name)) && local(self.runs.program, self.home(step), name).is_none() {
                continue;
            }
            let is_used = uses.contains_key(&self.equation.symbol(counted.variable));
            if step.tally.is_some() || is_ours || (!is_used && self.is_over(step)) {
                continue;
            }
            let class = match step.kind {
                StepKind::Guard { .. } => continue,
                StepKind::Call { .. } | StepKind::Content { .. } => Class::Input,
                _ if last.contains_key(&counted.variable) => Class::Source,
                _ => Class::Passing,
            };
            let term = self.meanings.of(self.equation.symbol(counted.variable));
            if self.equation.terms.as_const(term).is_some() {
                continue;
            }
            let visible = last.get(&counted.variable).copied().unwrap_or(false);
            let value = Value { term, variable: counted.variable, class, step: counted.step, visible };
            match known.get(&term).map(|at| (*at, found[at].class)) {
                Some((_, better)) if better <= class => {
                    // A copy that nothing else is called like makes no difference; one that is visible does.
                    continue;
                }
                Some((at, _)) => {
                    found.remove(&at);
                }
                None => {}
            }
            known.insert(term, counted.step);
            found.insert(counted.step, value);
        }
        self.values = found.into_values().collect();
    }

    /// The inputs that a function without parameters looks up, if that is all it does: what `limit()` returns can be said of
    /// every run that has these inputs, be it called there or not.
    fn looked_up(&self, value: &Value, by_symbol: &HashMap<Term, VariableId>) -> Option<Vec<usize>> {
        let step = &self.equation.steps[value.step];
        if !matches!(step.kind, StepKind::Return { .. }) || self.runs.program.function(step.function).parameters > 0 {
            return None;
        }
        let definers = self.equation.definers();
        let mut inputs = Vec::new();
        let mut seen: HashSet<VariableId> = HashSet::new();
        let mut open = vec![value.variable];
        while let Some(variable) = open.pop() {
            let step = definers[variable.0 as usize]?;
            match self.equation.steps[step].kind {
                StepKind::Call { .. } | StepKind::Content { .. } => inputs.push(step),
                StepKind::Assign { .. } | StepKind::Return { .. } => {}
                _ => return None,
            }
            let definition = self.equation.variables[variable.0 as usize].definition;
            let support = definition.map(|definition| self.equation.terms.support(definition)).unwrap_or_default();
            for symbol in support {
                let variable = *by_symbol.get(&symbol)?;
                open.extend(seen.insert(variable).then_some(variable));
            }
        }
        inputs.sort_unstable();
        Some(inputs)
    }

    /// Where each value is set under each name: `alim()` is the same number wherever it is called.
    fn setters(&self) -> HashMap<(Term, &'a str), Vec<usize>> {
        let mut setters: HashMap<(Term, &str), Vec<usize>> = HashMap::new();
        for counted in self.runs.counted {
            let term = self.meanings.of(self.equation.symbol(counted.variable));
            let name: &'a str = &self.equation.variables[counted.variable.0 as usize].name;
            setters.entry((term, name)).or_default().push(counted.step);
        }
        setters
    }

    /// The variables that hold the last value of their name in the failing run, and whether that name means it at the
    /// claim.
    fn last_values(&self) -> HashMap<VariableId, bool> {
        let program = self.runs.program;
        let here = self.equation.steps[self.runs.claim].function;
        let mut last: BTreeMap<Owned<'_>, (Option<VariableId>, usize)> = BTreeMap::new();
        let mut indirect = if writes_unseen(program) { Some(usize::MAX) } else { None };
        for (index, step) in self.equation.steps[..self.runs.claim].iter().enumerate() {
            if !self.runs.failing.executed[index] {
                continue;
            }
            let name: &str = match &step.kind {
                StepKind::Assign { origin: Origin::Written, name, .. } => name,
                StepKind::Phi { variable, .. }
                | StepKind::Call { variable, .. }
                | StepKind::Content { variable, .. } => &self.equation.variables[variable.0 as usize].name,
                _ => continue,
            };
            let home = self.home(step);
            if !is_direct(program, home, name) {
                indirect = indirect.max(Some(index));
                continue;
            }
            let owner = local(program, home, name).map(|_| home);
            last.retain(|(of, other), _| *of != owner || !is_under_another(program, home, [*other, name]));
            last.insert((owner, name), (step.kind.variable(), index));
        }
        let mut found = HashMap::new();
        for ((owner, name), (variable, index)) in last {
            // A constant has no variable.
            let Some(variable) = variable else { continue };
            let in_scope = match owner {
                Some(owner) => owner == here,
                None => local(program, here, name).is_none(),
            };
            let in_scope = in_scope && !is_shared(program, owner.unwrap_or(here), name);
            // What can be written without its name may have another value by now.
            let exposed = match owner.and_then(|owner| local(program, owner, name).map(|at| (owner, at))) {
                Some((owner, at)) => program.function(owner).locals[at].address_taken || root(name) != name,
                None => true,
            };
            let is_last = !exposed || indirect.is_none_or(|indirect| indirect < index);
            if is_last {
                found.insert(variable, in_scope);
            }
        }
        found
    }

    fn texts(&self) -> Vec<String> {
        let mut sharing: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, value) in self.values.iter().enumerate() {
            sharing.entry(self.name(value)).or_default().push(at);
        }
        let uses = self.first_uses();
        let mut texts: Vec<String> = (self.values.iter())
            .map(|value| {
                let sharing = &sharing[self.name(value)];
                let all_inputs = sharing.iter().all(|&at| self.values[at].class == Class::Input);
                match sharing.len() {
                    _ if self.is_in_lines(value) => self.qualified(value, &uses),
                    1 if !self.means_another(value) && !self.is_overwritten(value) => self.name(value).to_owned(),
                    2.. if all_inputs => self.name(value).to_owned(),
                    _ if value.visible => self.name(value).to_owned(),
                    _ => self.qualified(value, &uses),
                }
            })
            .collect();
        let mut taken: HashMap<String, usize> = HashMap::new();
        for text in &texts {
            *taken.entry(text.clone()).or_default() += 1;
        }
        for (text, value) in texts.iter_mut().zip(&self.values) {
            let (time, is_only) = self.time(value, &uses, text.contains(" in line "));
            if taken[text] > 1 || (!is_only && !value.visible && !text.ends_with("(last)")) {
                let name = match self.runs.program.hardware {
                    Some(_) => text.split(" in line ").next().unwrap_or(text).to_owned(),
                    None => text.clone(),
                };
                *text = format!("{name} {}", at_moment(self.runs.program, &name, time));
            }
        }
        texts
    }

    /// Is a value what a call gives that stands in several lines of the failing run? They are told apart by their lines.
    fn is_in_lines(&self, value: &Value) -> bool {
        let (steps, line) = (&self.equation.steps, |step: &Step| (self.runs.line)(step.span));
        let own = &steps[value.step];
        let is_call = |step: &Step| matches!(step.kind, StepKind::Call { .. });
        let is_same = |step: &Step| {
            step.kind
                .variable()
                .is_some_and(|id| self.equation.variables[id.0 as usize].name.as_ref() == self.name(value))
        };
        is_call(own)
            && self.name(value).ends_with(')')
            && steps
                .iter()
                .zip(&self.runs.failing.executed)
                .any(|(step, executed)| *executed && is_call(step) && is_same(step) && line(step) != line(own))
    }

    /// Is the variable of a value set to another one before the claim is come to?
    fn is_overwritten(&self, value: &Value) -> bool {
        let (program, name) = (self.runs.program, self.name(value));
        let owner = |step: &Step| local(program, self.home(step), name).map(|_| self.home(step));
        let own = owner(&self.equation.steps[value.step]);
        let later = self.equation.steps.iter().enumerate().take(self.runs.claim).skip(value.step + 1);
        let executed = later.filter(|(at, _)| self.runs.failing.executed[*at]);
        let mut sets = executed.filter_map(|(_, step)| match &step.kind {
            StepKind::Assign { origin: Origin::Written, name, .. } if owner(step) == own => Some((step, &**name)),
            _ => None,
        });
        sets.any(|(step, other)| {
            let term = step.kind.variable().map(|variable| self.meanings.of(self.equation.symbol(variable)));
            (other == name && term != Some(value.term)) || is_under_another(program, self.home(step), [other, name])
        })
    }

    /// Does the name of a value, as it stands, mean something else at the claim?
    fn means_another(&self, value: &Value) -> bool {
        let (program, name) = (self.runs.program, self.name(value));
        let step = &self.equation.steps[value.step];
        let here = self.equation.steps[self.runs.claim].function;
        let home = self.home(step);
        let is_elsewhere = home != here && local(program, home, name).is_some();
        let is_known_here = local(program, here, name).is_some() || is_global(program, name);
        let is_set = matches!(step.kind, StepKind::Assign { .. } | StepKind::Phi { .. });
        let is_known = is_known_here || self.has_namesake(home, name);
        is_set && !value.visible && ((is_elsewhere && is_known) || is_shared(program, home, name))
    }

    /// Does another function that the failing run comes to have a local of the same name?
    fn has_namesake(&self, home: FunctionId, name: &str) -> bool {
        let steps = self.equation.steps[..self.runs.claim].iter().zip(&self.runs.failing.executed);
        let mut others = steps.filter(|(step, executed)| **executed && step.function != home);
        others.any(|(step, _)| local(self.runs.program, step.function, name).is_some())
    }

    /// The function that a step's variable is a local of, if it is one: where paths meet in a function, values of its callers do, too.
    fn home(&self, step: &Step) -> FunctionId {
        match step.kind {
            StepKind::Phi { object, variable, .. } => self.homes.get(&object).copied().unwrap_or_else(|| {
                let variable = &self.equation.variables[variable.0 as usize];
                self.likely_home(step.function, &variable.name, variable.ty)
            }),
            _ => step.function,
        }
    }

    /// Whose local it is that no step sets by its name: it was declared without a value, and is set through pointers alone.
    fn likely_home(&self, here: FunctionId, name: &str, ty: TypeId) -> FunctionId {
        let program = self.runs.program;
        let is_it = |function: FunctionId| {
            local(program, function, name).is_some_and(|at| {
                let own = program.function(function).locals[at].ty;
                let may_be = match name == root(name) {
                    true => own == ty,
                    false => !matches!(program.ty(own), Type::Pointer { .. }),
                };
                may_be && !self.set_by_name.contains(&(function, root(name).to_owned()))
            })
        };
        let users =
            (0..).map(FunctionId).zip(&program.functions).filter(|(_, function)| function.author == Author::User);
        let mut others = users.map(|(id, _)| id).filter(|id| is_it(*id));
        match others.next() {
            Some(other) if !is_it(here) => other,
            _ => here,
        }
    }

    /// Do paths meet where nothing means the variable any more: behind the loop that it is declared in?
    fn is_over(&self, step: &Step) -> bool {
        let StepKind::Phi { variable, .. } = step.kind else { return false };
        let (program, home) = (self.runs.program, self.home(step));
        let name = &self.equation.variables[variable.0 as usize].name;
        let claim = &self.equation.steps[self.runs.claim];
        let locals = &program.function(home).locals;
        let is_formula = program.temporal.as_ref().is_some_and(|temporal| match claim.kind {
            StepKind::Claim { claim: ClaimRef::Program(claim), .. } => claim == temporal.claim,
            _ => false,
        });
        // A formula is claimed where the function ends.
        let end = match is_formula {
            true => locals.iter().filter(|local| !local.temporary).map(|local| local.scope_end).max().unwrap_or(0),
            false => claim.span.start,
        };
        claim.function == home && local(program, home, name).is_some_and(|at| locals[at].scope_end < end)
    }

    /// How often a local is set in the failing run.
    fn times_set(&self, function: FunctionId, wanted: &str) -> usize {
        let steps = self.equation.steps[..self.runs.claim].iter().zip(&self.runs.failing.executed);
        let sets = |step: &Step| match &step.kind {
            StepKind::Assign { name, origin: Origin::Written, .. } => &**name == wanted && step.function == function,
            _ => false,
        };
        steps.filter(|(step, executed)| **executed && sets(step)).count()
    }

    /// Which time it is in the failing run that such a value is set, or, where paths meet, used; and whether it is this value
    /// every time.
    fn time(&self, value: &Value, uses: &HashMap<Term, usize>, is_by_line: bool) -> (usize, bool) {
        let at = self.place(value, uses);
        let own = &self.equation.steps[at];
        let name = |step: &Step| step.kind.variable().map(|id| &self.equation.variables[id.0 as usize].name);
        let line = |step: &Step| (self.runs.line)(step.span);
        let is_like = |step: &Step| match (&own.kind, &step.kind) {
            (StepKind::Call { .. }, StepKind::Call { .. }) | (StepKind::Content { .. }, StepKind::Content { .. }) => {
                name(own) == name(step) && (!is_by_line || line(own) == line(step))
            }
            (StepKind::Return { .. }, StepKind::Return { .. }) => own.function == step.function,
            (StepKind::Assign { name, .. }, StepKind::Assign { name: other, .. }) => {
                (name, line(own), own.function) == (other, line(step), step.function)
            }
            // A condition whose value is known is as good as one that is not.
            (StepKind::Guard { .. }, StepKind::Guard { .. } | StepKind::Branch { .. }) => {
                (own.span, own.function) == (step.span, step.function)
            }
            _ => false,
        };
        let steps = self.equation.steps[..self.runs.claim.max(at + 1)].iter().enumerate();
        let like: Vec<usize> = steps
            .filter(|(index, step)| self.runs.failing.executed[*index] && is_like(step))
            .map(|(index, _)| index)
            .collect();
        let term = |variable: VariableId| self.meanings.of(self.equation.symbol(variable));
        let is_it = |index: &usize| {
            let variable = self.equation.steps[*index].kind.variable();
            *index == at || variable.is_some_and(|variable| term(variable) == value.term)
        };
        (like.iter().filter(|index| **index <= at).count().max(1), like.iter().all(is_it))
    }

    /// The step by which a value is called: the one that sets it, or, where paths meet, the first that uses it.
    fn place(&self, value: &Value, uses: &HashMap<Term, usize>) -> usize {
        match self.equation.steps[value.step].kind {
            StepKind::Phi { variable, .. } if value.class == Class::Passing => {
                uses.get(&self.equation.symbol(variable)).copied().unwrap_or(value.step)
            }
            _ => value.step,
        }
    }

    fn name(&self, value: &Value) -> &'a str {
        &self.equation.variables[value.variable.0 as usize].name
    }

    fn qualified(&self, value: &Value, uses: &HashMap<Term, usize>) -> String {
        let (program, name) = (self.runs.program, self.name(value));
        let step = &self.equation.steps[value.step];
        let here = self.equation.steps[self.runs.claim].function;
        match step.kind {
            StepKind::Call { site, .. } if program.sites[site.index()].kind == SiteKind::Parameter => {
                format!("{name} at entry")
            }
            StepKind::Return { .. } => name.to_owned(),
            _ if value.class == Class::Source => match (local(program, self.home(step), name), self.home(step)) {
                (Some(_), home) if home != here => {
                    let last = if self.times_set(home, name) > 1 { " (last)" } else { "" };
                    format!("{name} in {}(){last}", program.function(home).name)
                }
                (_, home) if is_shared(program, home, name) => {
                    format!("{name} in line {}", (self.runs.line)(step.span))
                }
                _ => name.to_owned(),
            },
            // Where paths meet there is no text; the value is found where it is used first.
            StepKind::Phi { .. } => {
                let used = self.place(value, uses);
                format!("{name} read in line {}", (self.runs.line)(self.equation.steps[used].span))
            }
            _ => format!("{name} in line {}", (self.runs.line)(step.span)),
        }
    }

    /// For each symbol the first executed step, joins aside, whose terms have it.
    fn first_uses(&self) -> HashMap<Term, usize> {
        let mut seen: HashSet<Term> = HashSet::new();
        let mut uses = HashMap::new();
        for (index, root) in roots(self.runs, self.equation) {
            let mut stack = vec![root];
            while let Some(term) = stack.pop() {
                if seen.insert(term) {
                    let node = self.equation.terms.node(term);
                    if matches!(node, Node::Var { .. }) {
                        uses.insert(term, index);
                    }
                    stack.extend(node.operands().iter());
                }
            }
        }
        uses
    }
}

/// For each object that is a local of some function and is set by its name: which function that is. And all these names.
fn homes(program: &Program, equation: &Equation) -> (HashMap<u32, FunctionId>, HashSet<(FunctionId, String)>) {
    let (mut homes, mut set_by_name) = (HashMap::new(), HashSet::new());
    for step in &equation.steps {
        if let StepKind::Assign { name, targets, .. } = &step.kind
            && let [target] = &targets[..]
            && local(program, step.function, name).is_some()
            && is_direct(program, step.function, name)
        {
            homes.insert(target.object, step.function);
            set_by_name.insert((step.function, root(name).to_owned()));
        }
    }
    (homes, set_by_name)
}

/// The terms that the failing run computes on its way to the claim, the claim's own included: step and term.
pub fn roots(runs: &Runs<'_>, equation: &Equation) -> Vec<(usize, Term)> {
    let mut roots = Vec::new();
    for (index, step) in equation.steps[..=runs.claim].iter().enumerate() {
        if !runs.failing.executed[index] {
            continue;
        }
        match step.kind {
            StepKind::Guard { condition, .. } => roots.push((index, condition)),
            StepKind::Assign { value, origin: Origin::Written, .. } | StepKind::Return { value, .. } => {
                roots.push((index, value));
            }
            StepKind::Claim { condition, .. } if index == runs.claim => roots.push((index, condition)),
            _ => {}
        }
    }
    roots
}

/// Is a value always 0 or 1, and computed?
fn is_flag(equation: &Equation, by_symbol: &HashMap<Term, VariableId>, value: Term) -> bool {
    let mut seen: HashSet<Term> = HashSet::new();
    let mut stack = vec![value];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let definition = by_symbol.get(&term).and_then(|variable| equation.variables[variable.0 as usize].definition);
        match equation.terms.node(definition.unwrap_or(term)) {
            Node::Var { .. } if definition.is_some() => stack.extend(definition),
            Node::Ite(_, yes, no) => stack.extend([yes, no]),
            Node::Zext { term, .. } if equation.terms.width(term) == 1 => {}
            Node::Const { value: 0 | 1, .. } => {}
            _ => return false,
        }
    }
    true
}

/// The variable that a part belongs to: `a` for `a[3].x`.
fn root(name: &str) -> &str {
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    &name[..end]
}

/// The local of a function that a name speaks of.
pub(super) fn local(program: &Program, function: FunctionId, name: &str) -> Option<usize> {
    let locals = &program.function(function).locals;
    locals.iter().position(|local| !local.temporary && local.name == root(name))
}

/// Is there a global of a name?
fn is_global(program: &Program, name: &str) -> bool {
    program.globals.iter().any(|global| global.name == root(name))
}

/// The names of variables that are `static` in a function and share their names with others.
fn shared_statics(program: &Program) -> HashSet<&str> {
    let users = || program.functions.iter().filter(|function| function.author == Author::User);
    let is_inside = |global: &Global, function: &Function| {
        let statements = function.blocks.iter().flat_map(|block| &block.statements);
        let ends = statements.map(|statement| statement.span).filter(|span| span.file == function.span.file);
        let end = ends.map(|span| span.end).max().unwrap_or(0);
        global.span.file == function.span.file && (function.span.start..end).contains(&global.span.start)
    };
    let is_shared = |global: &Global| {
        program.globals.iter().filter(|other| other.name == global.name).count() > 1
            || users().any(|function| function.locals.iter().any(|l| !l.temporary && l.name == global.name))
    };
    let shared = program.globals.iter().filter(|global| is_shared(global));
    shared.filter(|global| users().any(|function| is_inside(global, function))).map(|global| &*global.name).collect()
}

/// Does a name mean several variables in one function: a local in a block and one around it, or a global?
fn is_shared(program: &Program, function: FunctionId, name: &str) -> bool {
    let locals = program.function(function).locals.iter();
    let own: Vec<&Local> = locals.filter(|local| !local.temporary && local.name == root(name)).collect();
    let meet = |a: &Local, b: &Local| a.span.start < b.scope_end && b.span.start < a.scope_end;
    let is_within = own.iter().enumerate().any(|(at, one)| own[..at].iter().any(|other| meet(one, other)));
    is_within || (!own.is_empty() && is_global(program, name))
}

/// Does a name say which bits it means, whatever the values of others: `a`, `a[3].x`, but not `*p`, `p->x`, `a[i]`?
fn is_direct(program: &Program, function: FunctionId, name: &str) -> bool {
    let rest = &name[root(name).len()..];
    let indices_known = rest.split('[').skip(1).all(|index| index.starts_with(|c: char| c.is_ascii_digit()));
    let ty = root_type(program, function, name);
    let through_pointer = ty.is_some_and(|ty| matches!(program.ty(ty), Type::Pointer { .. })) && !rest.is_empty();
    !root(name).is_empty() && indices_known && !rest.contains("->") && !rest.contains('(') && !through_pointer
}

/// The type of the variable that a name begins with.
fn root_type(program: &Program, function: FunctionId, name: &str) -> Option<TypeId> {
    match local(program, function, name) {
        Some(at) => Some(program.function(function).locals[at].ty),
        None => program.globals.iter().find(|global| global.name == root(name)).map(|global| global.ty),
    }
}

/// May two names of one function mean the same bytes, as members of a union do?
fn is_under_another(program: &Program, function: FunctionId, [a, b]: [&str; 2]) -> bool {
    let has_union = || root_type(program, function, a).is_some_and(|ty| program.has_union(ty));
    a != b && root(a) == root(b) && has_union()
}

/// Can objects change without a step that names them: by models of the library?
fn writes_unseen(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        function.blocks.iter().flat_map(|block| &block.statements).any(|statement| match &statement.kind {
            StatementKind::CopyBytes { .. } | StatementKind::SetBytes { .. } => true,
            StatementKind::Assign { target, .. } => {
                function.author == Author::Library && matches!(program.place(*target).base, Base::Deref(_))
            }
            _ => false,
        })
    })
}
