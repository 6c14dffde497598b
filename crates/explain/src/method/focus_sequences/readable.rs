//! Assumptions as a person would write them: over the names of inputs, without what follows from the rest, a range as a
//! range.
//!
//! What the program assumes anyway is not repeated, and what the other conditions decide is put into each. Conditions on one
//! input alone are put together: one value, the bounds that are needed, a few ranges, or the bits that are fixed. A choice
//! that nobody named (`if (nondet_bool())`) is no condition to a reader, who sees the outcome at the branch. A condition
//! that C cannot write over inputs in a line is quoted from where it stands, and labelled as that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::{Node, Term};
use nearmiss_logic::width::low_bits;

use super::assumption::{Assumption, Origin, Prover, conjuncts, inputs};
use super::ranges::Conditions;
use crate::equation::{Bound, ClaimRef, Equation, Step, StepKind, VariableId};
use crate::flow::{Event, EventKind, EventNumber, Flow};
use crate::focus_sequence::Sequence;
use crate::method::wording::Wording;
use nearmiss_program::location::Location;
use nearmiss_program::program::{BinaryOp, BranchRole, ExprKind, Program, Terminator, Type};
use nearmiss_program::show;
use nearmiss_program::source::{Sources, Span};

/// Longer conditions are quoted.
const LONGEST: usize = 120;
/// Longer conditions on one input are told as values, if these are few.
const LONGEST_PLAIN: usize = 40;
/// So many choices between values are told as cases.
const MOST_CHOICES: u32 = 3;

/// Names of the inputs of an equation.
pub struct Names<'a> {
    /// With places in the order of the text.
    by_symbol: HashMap<Term, (u32, String)>,
    variables: HashMap<Term, VariableId>,
    /// Inputs that nobody named, and the calls that they come from.
    choices: BTreeMap<VariableId, Span>,
    flow: &'a Flow,
}

impl<'a> Names<'a> {
    /// Inputs of the same name are numbered. What has no name of its own has that of the place that it is stored in.
    pub fn of(program: &Program, equation: &Equation, flow: &'a Flow) -> Names<'a> {
        let mut counts: HashMap<String, u32> = HashMap::new();
        let called: BTreeSet<&str> = (equation.steps.iter())
            .filter_map(|step| match &step.kind {
                StepKind::Call { variable, stored, .. } => {
                    Some(stored.as_deref().unwrap_or(&equation.variables[variable.0 as usize].name))
                }
                _ => None,
            })
            .collect();
        let mut choices = BTreeMap::new();
        let mut order = Vec::new();
        for step in &equation.steps {
            let (variable, place) = match &step.kind {
                StepKind::Call { variable, site, stored, .. } => {
                    let site = &program.sites[site.index()];
                    let is_function = site.name.starts_with("nondet_")
                        || site.name.starts_with("__VERIFIER_nondet_")
                        || program.functions.iter().any(|function| function.name == site.name);
                    if site.kind.is_call() && is_function {
                        choices.insert(*variable, step.span);
                    }
                    (*variable, stored.as_deref().filter(|_| is_function))
                }
                StepKind::Content { variable, .. } => (*variable, None),
                _ => continue,
            };
            let own = &*equation.variables[variable.0 as usize].name;
            // What is not set in one function is no result of a call that is kept in another under the same name.
            let name = match (place, &step.kind) {
                (None, StepKind::Content { .. }) if called.contains(own) => {
                    format!("{own} in {}()", program.function(step.function).name)
                }
                _ => place.unwrap_or(own).to_owned(),
            };
            let count = counts.entry(name.clone()).or_insert(0);
            *count += 1;
            order.push((step.span, variable, name, *count));
        }
        order.sort_by_key(|(span, variable, ..)| (span.file, span.start, *variable));
        let named = (0..).zip(order).map(|(place, (_, variable, name, number))| {
            let numbered = if counts[&name] > 1 { format!("{name}#{number}") } else { name };
            (equation.symbol(variable), (place, numbered))
        });
        Names { by_symbol: named.collect(), variables: equation.variables_by_symbol(), choices, flow }
    }

    /// The inputs that an assumption speaks of.
    pub fn inputs(&self, equation: &Equation, assumption: &Assumption) -> BTreeSet<VariableId> {
        inputs(equation, &self.variables, &[assumption.term])
    }

    /// What all inputs are called, in the order of the text.
    pub fn all(&self) -> Vec<String> {
        let mut names: Vec<&(u32, String)> = self.by_symbol.values().collect();
        names.sort_unstable();
        names.into_iter().map(|(_, name)| name.clone()).collect()
    }

    /// Is it just how a choice came out that nobody named: of a call in the condition of a branch, `if (nondet_bool())`?
    /// What was stored before it is tested is no choice.
    pub fn is_choice(&self, equation: &Equation, assumption: &Assumption) -> bool {
        let terms = &equation.terms;
        let term = match terms.node(assumption.term) {
            Node::Not(inner) => inner,
            _ => assumption.term,
        };
        let chosen = match terms.node(term) {
            Node::Eq(a, b) if terms.as_const(b) == Some(0) => a,
            Node::Eq(a, b) if terms.as_const(a) == Some(0) => b,
            _ => term,
        };
        let call = self.variables.get(&chosen).and_then(|input| self.choices.get(input));
        let Some(call) = call else { return false };
        let tests = |event: &Event| {
            let span = event.span;
            let is_inside = span.file == call.file && span.start <= call.start && call.end <= span.end;
            is_inside && matches!(event.kind, EventKind::Branch(..))
        };
        match assumption.origin {
            Origin::Branch(branch) | Origin::Apart { branch, .. } => tests(self.flow.event(branch)),
            Origin::Cell(_) | Origin::Claim(_) | Origin::Reach | Origin::Before(_) => {
                self.flow.events.iter().any(tests)
            }
        }
    }

    /// What an input is called.
    pub fn name(&self, equation: &Equation, input: VariableId) -> String {
        self.by_symbol.get(&equation.symbol(input)).map(|(_, name)| name.clone()).unwrap_or_default()
    }

    /// Is an input meant by a name, numbered or not, its own or that of an object that it is a part of?
    pub fn is_called(&self, equation: &Equation, input: VariableId, name: &str) -> bool {
        let is_meant = |own: &str| {
            let rest = own.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.', '#']))
        };
        is_meant(&self.name(equation, input)) || is_meant(&equation.variables[input.0 as usize].name)
    }
}

/// What is needed to put assumptions into words.
pub struct Readable<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub sources: &'a Sources,
    /// Names of inputs.
    pub names: &'a Names<'a>,
}

/// An assumption in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// The words.
    pub text: String,
    /// Whether they are no condition over inputs but quoted from the program.
    pub is_quoted: bool,
}

impl Readable<'_> {
    /// Some assumptions of a sequence, in words.
    ///
    /// What is quoted means what it means on this way, and its text alone says less. So nothing else is left out because it
    /// follows from that.
    pub fn words(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequence: &Sequence,
        assumptions: &[&Assumption],
    ) -> Vec<Said> {
        let background = prover.assumed(equation, sequence);
        let mut plain: Vec<&Assumption> =
            assumptions.iter().copied().filter(|assumption| !self.names.is_choice(equation, assumption)).collect();
        let mut quoted: Vec<&Assumption> = Vec::new();
        let mut words = loop {
            let (words, too_long) = self.plain_words(prover, equation, sequence, background, &plain);
            if too_long.is_empty() {
                break words;
            }
            let (long, short) = plain.into_iter().partition(|assumption| too_long.contains(&assumption.origin));
            plain = short;
            quoted.extend::<Vec<_>>(long);
        };
        let terms: Vec<Term> = plain.iter().map(|assumption| assumption.term).collect();
        for assumption in quoted {
            if prover.follows_from_others(equation, sequence, background, &terms, assumption.term) {
                continue;
            }
            for origin in std::iter::once(&assumption.origin).chain(&assumption.also) {
                let said = Said { text: self.quoted(prover, equation, sequence, *origin), is_quoted: true };
                if !words.contains(&said) {
                    words.push(said);
                }
            }
        }
        words
    }

    /// Assumptions in words over inputs, and where those come from for which there are none.
    fn plain_words(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequence: &Sequence,
        background: Lit,
        named: &[&Assumption],
    ) -> (Vec<Said>, Vec<Origin>) {
        let kept = needed(prover, equation, sequence, background, named);
        let joined = joined(equation, kept);
        let kept = in_context(prover, equation, sequence, background, joined);
        let kept = in_parts(prover, equation, sequence, background, kept);
        let kept = self.in_cases(prover, equation, sequence, background, kept);
        let mut alone: BTreeMap<VariableId, Vec<Term>> = BTreeMap::new();
        for assumption in &kept {
            let inputs = self.names.inputs(equation, assumption);
            if let (1, Some(input)) = (inputs.len(), inputs.first()) {
                alone.entry(*input).or_default().push(assumption.term);
            }
        }
        let (mut words, mut too_long): (Vec<Said>, Vec<Origin>) = (Vec::new(), Vec::new());
        // Inputs whose conditions were looked at together, and whether they could be told so.
        let mut together: BTreeMap<VariableId, bool> = BTreeMap::new();
        // Each condition is read where those before it hold, as the program is.
        let mut known = vec![background];
        for assumption in &kept {
            let inputs = self.names.inputs(equation, assumption);
            let alone = inputs.first().filter(|_| inputs.len() == 1).map(|input| (*input, &alone[input]));
            let text = match alone.map(|(input, terms)| (input, terms, together.get(&input))) {
                Some((_, _, Some(true))) => continue,
                Some((input, terms, None)) => {
                    let of_one = self.of_one(prover, equation, sequence, &known, input, terms);
                    together.insert(input, of_one.is_some());
                    if of_one.is_some() {
                        known.extend(terms.iter().map(|term| prover.literal(equation, *term)));
                    }
                    of_one.or_else(|| self.condition(equation, assumption.term))
                }
                Some((_, _, Some(false))) | None => self.condition(equation, assumption.term),
            };
            known.push(prover.literal(equation, assumption.term));
            match text.filter(|text| text.len() <= LONGEST) {
                Some(text) => {
                    let said = Said { text, is_quoted: false };
                    if !words.contains(&said) {
                        words.push(said);
                    }
                }
                None => too_long.extend(std::iter::once(&assumption.origin).chain(&assumption.also).copied()),
            }
        }
        (words, too_long)
    }

    /// Conditions on one input alone, as simply as they can be said.
    fn of_one(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequence: &Sequence,
        known: &[Lit],
        input: VariableId,
        conditions: &[Term],
    ) -> Option<String> {
        let name = self.names.name(equation, input);
        let plain = match conditions {
            [condition] => self.condition(equation, *condition).filter(|text| text.matches(&name).count() == 1),
            _ => None,
        };
        // `x < 5` is as simple as it gets.
        if let Some(plain) = plain.as_ref().filter(|plain| plain.starts_with(&name) && plain.split(' ').count() <= 3) {
            return Some(plain.clone());
        }
        let bits = self.bits(prover, equation, known, input, conditions);
        if bits.is_some() {
            return bits;
        }
        let Some((symbol, bits, signed)) = self.integer(equation, input) else { return plain };
        let now = sequence.execution.value(input);
        let asked = Conditions { symbol, bits, signed, known, terms: conditions, now };
        if let Some(range) = asked.range(prover, equation) {
            return Some(range.text(&name, &|value| self.shown(equation, input, value)));
        }
        if plain.as_ref().is_some_and(|plain| plain.len() <= LONGEST_PLAIN) {
            return plain;
        }
        if let Some((mask, value)) = asked.shared_bits(prover, equation) {
            return Some(masked(&name, mask, value));
        }
        let ranges = asked.ranges(prover, equation);
        ranges.map(|ranges| ranges.text(&name, &|value| self.shown(equation, input, value))).or(plain)
    }

    /// Conditions that cannot be said in a line, or choose between values, as cases, where that can be said.
    fn in_cases(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequence: &Sequence,
        background: Lit,
        mut assumptions: Vec<Assumption>,
    ) -> Vec<Assumption> {
        let is_plain = |text: &Option<String>| text.as_ref().is_some_and(|t| t.len() <= LONGEST && !t.contains('?'));
        for index in (0..assumptions.len()).rev() {
            let is_of_one = self.names.inputs(equation, &assumptions[index]).len() == 1;
            if is_of_one || is_plain(&self.condition(equation, assumptions[index].term)) {
                continue;
            }
            let mut from = vec![background];
            for other in (0..assumptions.len()).filter(|other| *other != index) {
                from.push(prover.literal(equation, assumptions[other].term));
            }
            let term = assumptions[index].term;
            let Some(cases) = prover.in_cases(equation, sequence, &from, term, MOST_CHOICES) else { continue };
            let parts = conjuncts(equation, cases);
            if parts.iter().all(|part| is_plain(&self.condition(equation, *part))) {
                let part = |term: Term| Assumption { term, ..assumptions[index].clone() };
                let parts: Vec<Assumption> = parts.into_iter().map(part).collect();
                assumptions.splice(index..=index, parts);
            }
        }
        assumptions
    }

    fn condition(&self, equation: &Equation, term: Term) -> Option<String> {
        // How the bits of a floating-point number compare tells nobody anything.
        let ty = |input: &VariableId| self.program.ty(equation.variables[input.0 as usize].ty);
        let speaks_of = inputs(equation, &self.names.variables, &[term]);
        if speaks_of.iter().any(|input| matches!(ty(input), Type::Float { .. })) {
            return None;
        }
        let wording = Wording::of(self.program, equation).with_names(self.names.by_symbol.clone());
        let text = wording.condition(term)?;
        let whole = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        Some(whole.filter(|inner| is_balanced(inner)).map_or(text.clone(), str::to_owned))
    }

    /// The symbol of an integer input, its width and whether it is signed.
    fn integer(&self, equation: &Equation, input: VariableId) -> Option<(Term, u32, bool)> {
        let variable = &equation.variables[input.0 as usize];
        let bits = equation.terms.width(variable.symbol);
        let is_integer = matches!(self.program.ty(variable.ty), Type::Integer { .. } | Type::Enum { .. });
        (is_integer && bits <= 64).then(|| (variable.symbol, bits, self.program.is_signed(variable.ty)))
    }

    fn shown(&self, equation: &Equation, input: VariableId, value: i128) -> String {
        let ty = equation.variables[input.0 as usize].ty;
        let bits = value as u128 & low_bits(self.program.size_bits(ty).min(128) as u32);
        show::named_constant(self.program, ty, bits).unwrap_or_else(|| show::value(self.program, ty, bits))
    }

    /// Several tests of bits as one: `(n & 0xf) == 5`.
    fn bits(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        known: &[Lit],
        input: VariableId,
        conditions: &[Term],
    ) -> Option<String> {
        let (symbol, bits, _) = self.integer(equation, input).filter(|_| conditions.len() > 1)?;
        let (mut mask, mut value) = (0u128, 0u128);
        for condition in conditions {
            let (tested, wanted) = bits_tested(equation, symbol, *condition)?;
            mask |= tested;
            value |= wanted;
        }
        let name = self.names.name(equation, input);
        // Where the program allows no other bits, it is the number.
        let constant = equation.terms.constant(bits, value);
        let is_value = equation.terms.eq(symbol, constant);
        let is_value = prover.literal(equation, is_value);
        let mut from = known.to_vec();
        for condition in conditions {
            from.push(prover.literal(equation, *condition));
        }
        Some(match mask == low_bits(bits) || prover.follows(&from, is_value) {
            true => format!("{name} == {}", self.shown(equation, input, value as i128)),
            false => masked(&name, mask, value),
        })
    }

    /// The function that a branch of a call through a pointer asks for.
    fn called(&self, event: &Event) -> Option<&str> {
        let Location { function, block, .. } = event.location;
        let block = &self.program.function(function).blocks[block.index()];
        let Terminator::Branch { condition, role: BranchRole::Internal, .. } = block.end else { return None };
        let ExprKind::Binary(BinaryOp::Eq, a, b) = self.program.expr(condition).kind else { return None };
        let function = [a, b].into_iter().find_map(|side| match self.program.expr(side).kind {
            ExprKind::FunctionAddress(function) => Some(function),
            _ => None,
        })?;
        Some(&self.program.function(function).name)
    }

    /// The text that a condition comes from.
    fn quoted(&self, prover: &Prover<'_>, equation: &Equation, sequence: &Sequence, origin: Origin) -> String {
        let line = |span: Span| self.sources.position(span).line;
        let flow = prover.flow();
        let is_own = |step: &Step| {
            matches!(step.kind,
            StepKind::Claim { claim: ClaimRef::Program(claim), .. } if claim == sequence.claim)
        };
        match origin {
            Origin::Branch(branch) | Origin::Apart { branch, reader: None, .. } => {
                let event = flow.event(branch);
                let EventKind::Branch(term, _) = event.kind else { return String::new() };
                let holds = sequence.execution.meets(equation, term);
                let text = self.sources.condition(event.span);
                let (is, of) = match self.called(event) {
                    // All times of the call count, not only those at which it is asked whether it means this function.
                    Some(function) => (calls(function, holds), asked_first(flow, equation, sequence, branch)),
                    None => (format!("is {holds}"), branch),
                };
                let when = time(flow, equation, sequence, of);
                format!("`{text}` {is}{when} (line {})", line(event.span))
            }
            // It may well be executed, and set something else: in another turn or call, through another pointer.
            Origin::Apart { setter, reader: Some(reader), .. } => {
                let Event { span, location, .. } = *flow.event(setter);
                let (text, at, by) = (self.sources.text(span), line(span), line(flow.event(reader).span));
                match sequence.events.iter().any(|event| flow.event(*event).location == location) {
                    true => format!("`{text}` does not set at another point what line {by} reads (line {at})"),
                    false => format!("`{text}` does not set what line {by} reads (line {at})"),
                }
            }
            Origin::Cell(number) => {
                let span = flow.event(number).span;
                let when = time(flow, equation, sequence, number);
                format!("`{}` reads what it reads here{when} (line {})", self.sources.text(span), line(span))
            }
            Origin::Claim(_) | Origin::Reach => {
                let span = equation.steps[sequence.step].span;
                let claim = &self.program.claims[sequence.claim.index()];
                let evaluation = equation.evaluation(sequence.step);
                let others =
                    || equation.steps.iter().enumerate().filter(|(at, step)| *at != sequence.step && is_own(step));
                let of = if others().any(|(at, _)| evaluation.contains(&at)) { "a part of " } else { "" };
                let when = if others().any(|(at, _)| !evaluation.contains(&at)) { " in the end" } else { "" };
                format!("{of}`{}` does not hold{when} (line {})", claim.text, line(span))
            }
            Origin::Before(step) => {
                let at = line(equation.steps[step].span);
                let is_violated = is_own(&equation.steps[step]);
                let is_part = is_violated && equation.evaluation(sequence.step).contains(&step);
                let of = if is_part { "an earlier part of " } else { "" };
                let when = if is_violated && !is_part { " before" } else { "" };
                let text = match equation.steps[step].kind {
                    StepKind::Claim { claim: ClaimRef::Program(claim), .. } => &self.program.claims[claim.index()].text,
                    StepKind::Claim { claim: ClaimRef::Unwinding(bound), .. } => {
                        return match equation.bounds_hit[bound as usize].0 {
                            Bound::Loop(_) => format!("the loop in line {at} ends within the bound"),
                            Bound::Recursion(_) => format!("the recursion in line {at} ends within the bound"),
                            Bound::Allocation => format!("what is allocated in line {at} is within the bound"),
                            Bound::Depth => format!("calls in line {at} end within the bound"),
                        };
                    }
                    _ => self.sources.text(equation.steps[step].span),
                };
                format!("{of}`{text}` holds{when} (line {at})")
            }
        }
    }
}

/// ` the 2nd time`, where an event may happen at other points, too, and all runs of the way have come there as often before.
fn time(flow: &Flow, equation: &Equation, sequence: &Sequence, number: EventNumber) -> String {
    let location = flow.event(number).location;
    let others = (0..flow.events.len() as EventNumber).filter(|other| flow.event(*other).location == location);
    let constant = |other: EventNumber| equation.terms.as_const(flow.event(other).guard);
    let others: Vec<EventNumber> = others.filter(|other| constant(*other) != Some(0)).collect();
    let before: Vec<EventNumber> = others.iter().copied().filter(|other| *other < number).collect();
    let is_sure = |other: &EventNumber| constant(*other) == Some(1) || sequence.events.contains(other);
    match others.len() {
        1 => String::new(),
        _ if before.iter().all(is_sure) => format!(" the {} time", show::ordinal(before.len() + 1)),
        _ => " at one point".to_owned(),
    }
}

fn calls(function: &str, holds: bool) -> String {
    match holds {
        true => format!("calls {function}()"),
        false => format!("does not call {function}()"),
    }
}

/// Of the branches that a call through a pointer is, the first.
fn asked_first(flow: &Flow, equation: &Equation, sequence: &Sequence, number: EventNumber) -> EventNumber {
    let span = flow.event(number).span;
    let mut first = number;
    loop {
        let above = sequence.execution.value_of(equation, flow.event(first).control) as EventNumber;
        match flow.event(above) {
            Event { kind: EventKind::Branch(..), span: other, .. } if *other == span => first = above,
            _ => return first,
        }
    }
}

/// `(n & 0xf) == 5`, in one notation for both numbers.
fn masked(name: &str, mask: u128, value: u128) -> String {
    match mask {
        0..16 => format!("({name} & {mask}) == {value}"),
        _ => format!("({name} & {mask:#x}) == {value:#x}"),
    }
}

/// Which bits of an input a condition is about, and what they are; none if it says anything else.
fn bits_tested(equation: &Equation, symbol: Term, condition: Term) -> Option<(u128, u128)> {
    let terms = &equation.terms;
    let (test, holds) = match terms.node(condition) {
        Node::Not(inner) => (inner, false),
        _ => (condition, true),
    };
    let (mask, wanted) = match terms.node(test) {
        Node::Extract { term, hi, lo } if term == symbol && hi == lo => (1 << lo, 1 << lo),
        Node::Eq(a, b) => {
            let (part, constant) = if terms.as_const(a).is_some() { (b, a) } else { (a, b) };
            let constant = terms.as_const(constant)?;
            match terms.node(part) {
                Node::Extract { term, hi, lo } if term == symbol => (low_bits(hi - lo + 1) << lo, constant << lo),
                Node::And(a, b) => {
                    let (number, mask) = if terms.as_const(a).is_some() { (b, a) } else { (a, b) };
                    (terms.as_const(mask).filter(|_| number == symbol)?, constant)
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    match holds {
        true => Some((mask, wanted)),
        // One bit is the other if it is not this.
        false => (mask.is_power_of_two()).then_some((mask, mask & !wanted)),
    }
}

/// Each assumption as it can be said where the others hold: the large ones first, so that what is simple stays.
fn in_context(
    prover: &mut Prover<'_>,
    equation: &mut Equation,
    sequence: &Sequence,
    background: Lit,
    mut assumptions: Vec<Assumption>,
) -> Vec<Assumption> {
    let size = |equation: &Equation, term: Term| equation.terms.post_order(&[term]).len();
    let mut order: Vec<usize> = (0..assumptions.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(size(equation, assumptions[*index].term)));
    for index in order {
        let term = assumptions[index].term;
        // A variable, a constant, and how they compare.
        if size(equation, term) <= 4 {
            continue;
        }
        let mut from = vec![background];
        for other in (0..assumptions.len()).filter(|other| *other != index) {
            from.push(prover.literal(equation, assumptions[other].term));
        }
        let simple = prover.in_context(equation, sequence, &from, term);
        if equation.terms.as_const(simple).is_none() {
            assumptions[index].term = simple;
        }
    }
    assumptions
}

/// The assumptions that do not follow from the others.
fn needed<'s>(
    prover: &mut Prover<'_>,
    equation: &Equation,
    sequence: &Sequence,
    background: Lit,
    assumptions: &[&'s Assumption],
) -> Vec<&'s Assumption> {
    let mut kept = vec![true; assumptions.len()];
    for index in 0..assumptions.len() {
        let others = (0..assumptions.len()).filter(|other| kept[*other] && *other != index);
        let others: Vec<Term> = others.map(|other| assumptions[other].term).collect();
        let what = assumptions[index].term;
        kept[index] = !prover.follows_from_others(equation, sequence, background, &others, what);
    }
    assumptions.iter().zip(kept).filter(|(_, kept)| *kept).map(|(assumption, _)| *assumption).collect()
}

/// `x >= y` and `x <= y` are `x == y`; `x >= y` and `x != y` are `x > y`.
fn joined(equation: &mut Equation, assumptions: Vec<&Assumption>) -> Vec<Assumption> {
    let mut all: Vec<Assumption> = assumptions.into_iter().cloned().collect();
    let pairs = |count: usize| (0..count).flat_map(move |a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b);
    while let Some((a, b, term)) =
        pairs(all.len()).find_map(|(a, b)| Some((a, b, join(equation, all[a].term, all[b].term)?)))
    {
        let other = all.remove(a.max(b));
        let one = &mut all[a.min(b)];
        one.term = term;
        one.also.push(other.origin);
        one.also.extend(other.also);
    }
    all
}

/// What consists of several conditions apart, without those that follow from the rest.
fn in_parts(
    prover: &mut Prover<'_>,
    equation: &mut Equation,
    sequence: &Sequence,
    background: Lit,
    assumptions: Vec<Assumption>,
) -> Vec<Assumption> {
    let mut parts: Vec<Assumption> = Vec::new();
    for assumption in &assumptions {
        let terms = conjuncts(equation, assumption.term);
        parts.extend(terms.into_iter().map(|term| Assumption { term, ..assumption.clone() }));
    }
    if parts.len() == assumptions.len() {
        return assumptions;
    }
    let parts: Vec<&Assumption> = parts.iter().collect();
    let parts = needed(prover, equation, sequence, background, &parts);
    let parts = joined(equation, parts);
    in_context(prover, equation, sequence, background, parts)
}

fn join(equation: &mut Equation, a: Term, b: Term) -> Option<Term> {
    let (Node::Not(a), Node::Not(b)) = (equation.terms.node(a), equation.terms.node(b)) else { return None };
    let terms = &mut equation.terms;
    match (terms.node(a), terms.node(b)) {
        (Node::Slt(x, y), Node::Slt(z, w)) | (Node::Ult(x, y), Node::Ult(z, w)) if (x, y) == (w, z) => {
            Some(terms.eq(x, y))
        }
        (Node::Slt(x, y), Node::Eq(z, w)) if (x, y) == (z, w) || (x, y) == (w, z) => Some(terms.slt(y, x)),
        (Node::Ult(x, y), Node::Eq(z, w)) if (x, y) == (z, w) || (x, y) == (w, z) => Some(terms.ult(y, x)),
        _ => None,
    }
}

/// Has every parenthesis of a text its counterpart?
pub fn is_balanced(text: &str) -> bool {
    let mut depth = 0;
    for letter in text.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
