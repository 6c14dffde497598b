//! Assumptions as a person would write them: over the names of inputs, without what follows from the rest, a range as a
//! range.
//!
//! What the program assumes anyway is not repeated, and what the other conditions decide is put into each. Conditions on one
//! input alone are put together: one value, the bounds that are needed, a few ranges, or the bits that are fixed. A choice
//! that nobody named (`if (nondet_bool())`) is no condition to a reader, who sees the outcome at the branch. A condition
//! that C cannot write over inputs in a line is quoted from where it stands, and labelled as that.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::{Node, Term};
use nearmiss_logic::width::low_bits;

use super::assumption::{Assumption, Origin, Prover, inputs};
use crate::equation::{Bound, ClaimRef, Equation, StepKind, VariableId};
use crate::flow::{Event, EventKind, Flow};
use crate::focus_sequence::Sequence;
use crate::method::wording::Wording;
use nearmiss_program::program::{Program, SiteKind, Type};
use nearmiss_program::show;
use nearmiss_program::source::{Sources, Span};

/// Longer conditions are quoted.
const LONGEST: usize = 120;
/// Longer conditions on one input are told as values, if these are few.
const LONGEST_PLAIN: usize = 40;
/// So many values of an input are tried.
const MOST_TRIED: i128 = 4_096;
/// So many ranges of values are told.
const MOST_RANGES: usize = 4;

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
        let mut counts: HashMap<&str, u32> = HashMap::new();
        let mut choices = BTreeMap::new();
        let mut order = Vec::new();
        for step in &equation.steps {
            let (variable, place) = match &step.kind {
                StepKind::Call { variable, site, stored, .. } => {
                    let site = &program.sites[site.index()];
                    let is_function = site.name.starts_with("nondet_")
                        || site.name.starts_with("__VERIFIER_nondet_")
                        || program.functions.iter().any(|function| function.name == site.name);
                    if site.kind == SiteKind::Call && is_function {
                        choices.insert(*variable, step.span);
                    }
                    (*variable, stored.as_deref().filter(|_| is_function))
                }
                StepKind::Content { variable, .. } => (*variable, None),
                _ => continue,
            };
            let own = &*equation.variables[variable.0 as usize].name;
            let name = place.unwrap_or(own);
            let count = counts.entry(name).or_insert(0);
            *count += 1;
            order.push((step.span, variable, name, *count));
        }
        order.sort_by_key(|(span, variable, ..)| (span.file, span.start, *variable));
        let named = (0..).zip(order).map(|(place, (_, variable, name, number))| {
            let numbered = if counts[name] > 1 { format!("{name}#{number}") } else { name.to_owned() };
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

/// Conditions on one input: what of its values they allow.
struct Extent {
    smallest: i128,
    largest: i128,
    /// Whether all between are allowed, and whether one bound says as much.
    is_range: bool,
    upper_is_enough: bool,
    lower_is_enough: bool,
}

impl Readable<'_> {
    /// Some assumptions of a sequence, in words.
    pub fn words(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequence: &Sequence,
        assumptions: &[&Assumption],
    ) -> Vec<Said> {
        let background = prover.assumed(equation, sequence);
        let named: Vec<&Assumption> =
            assumptions.iter().copied().filter(|assumption| !self.names.is_choice(equation, assumption)).collect();
        let kept = needed(prover, equation, sequence, background, &named);
        let joined = joined(equation, kept);
        let kept = in_context(prover, equation, sequence, background, joined);
        let mut alone: BTreeMap<VariableId, Vec<Term>> = BTreeMap::new();
        for assumption in &kept {
            let inputs = self.names.inputs(equation, assumption);
            if let (1, Some(input)) = (inputs.len(), inputs.first()) {
                alone.entry(*input).or_default().push(assumption.term);
            }
        }
        let mut words: Vec<Said> = Vec::new();
        let mut told: BTreeSet<VariableId> = BTreeSet::new();
        for assumption in &kept {
            let inputs = self.names.inputs(equation, assumption);
            let text = match (inputs.len(), inputs.first()) {
                (1, Some(input)) if told.contains(input) => continue,
                (1, Some(input)) => {
                    let of_one = self.of_one(prover, equation, sequence, background, *input, &alone[input]);
                    told.extend(of_one.is_some().then_some(*input));
                    of_one.or_else(|| self.condition(equation, assumption.term))
                }
                _ => self.condition(equation, assumption.term),
            };
            let said = match text.filter(|text| text.len() <= LONGEST) {
                Some(text) => Said { text, is_quoted: false },
                None => Said { text: self.quoted(prover, equation, sequence, assumption), is_quoted: true },
            };
            if !words.contains(&said) {
                words.push(said);
            }
        }
        words
    }

    /// Conditions on one input alone, as simply as they can be said.
    fn of_one(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequence: &Sequence,
        background: Lit,
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
        let bits = self.bits(equation, input, conditions);
        if bits.is_some() {
            return bits;
        }
        let extent = self.extent(prover, equation, sequence, background, input, conditions);
        if let Some(extent) = extent.as_ref().filter(|extent| extent.is_range) {
            return Some(self.range(equation, input, extent));
        }
        if plain.as_ref().is_some_and(|plain| plain.len() <= LONGEST_PLAIN) {
            return plain;
        }
        let ranges = extent.and_then(|extent| self.ranges(prover, equation, background, input, conditions, &extent));
        ranges.or(plain)
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

    /// The values that conditions on one integer input allow.
    fn extent(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        sequence: &Sequence,
        background: Lit,
        input: VariableId,
        conditions: &[Term],
    ) -> Option<Extent> {
        let (symbol, bits, signed) = self.integer(equation, input)?;
        prover.interrupted = false;
        let mut from = vec![background];
        for condition in conditions {
            from.push(prover.literal(equation, *condition));
        }
        let at = |equation: &mut Equation, value: i128| equation.terms.constant(bits, value as u128 & low_bits(bits));
        let below = |prover: &mut Prover<'_>, equation: &mut Equation, value: i128| {
            let constant = at(equation, value);
            let term = if signed { equation.terms.sle(symbol, constant) } else { equation.terms.ule(symbol, constant) };
            prover.literal(equation, term)
        };
        let now = sequence.execution.value(input);
        let now = if signed { (now << (128 - bits)) as i128 >> (128 - bits) } else { now as i128 };
        let (least_of_type, greatest) =
            if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        let largest = now
            + least(greatest - now, |distance| {
                let bound = below(prover, equation, now + distance);
                prover.follows(&from, bound)
            });
        let smallest = now
            - least(now - least_of_type, |distance| {
                let bound = below(prover, equation, now - distance - 1);
                prover.follows(&from, !bound)
            });
        if prover.interrupted {
            return None;
        }
        let all = equation.terms.and_all(conditions);
        let all = prover.literal(equation, all);
        let upper = below(prover, equation, largest);
        let lower =
            if smallest == least_of_type { Lit::constant(true) } else { !below(prover, equation, smallest - 1) };
        let is_range = prover.follows(&[background, upper, lower], all);
        let upper_is_enough = is_range && prover.follows(&[background, upper], all);
        let lower_is_enough = is_range && prover.follows(&[background, lower], all);
        Some(Extent { smallest, largest, is_range, upper_is_enough, lower_is_enough })
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

    /// One value, or the bounds that are needed.
    fn range(&self, equation: &Equation, input: VariableId, extent: &Extent) -> String {
        let name = self.names.name(equation, input);
        let shown = |value: i128| self.shown(equation, input, value);
        if extent.smallest == extent.largest {
            format!("{name} == {}", shown(extent.smallest))
        } else if extent.upper_is_enough {
            format!("{name} <= {}", shown(extent.largest))
        } else if extent.lower_is_enough {
            format!("{name} >= {}", shown(extent.smallest))
        } else {
            format!("{} <= {name} && {name} <= {}", shown(extent.smallest), shown(extent.largest))
        }
    }

    /// A few ranges, where there are few values to try.
    fn ranges(
        &self,
        prover: &mut Prover<'_>,
        equation: &mut Equation,
        background: Lit,
        input: VariableId,
        conditions: &[Term],
        extent: &Extent,
    ) -> Option<String> {
        let (symbol, bits, _) = self.integer(equation, input)?;
        if extent.largest - extent.smallest > MOST_TRIED {
            return None;
        }
        let all = equation.terms.and_all(conditions);
        let mut ranges: Vec<(i128, i128)> = Vec::new();
        for value in extent.smallest..=extent.largest {
            let mut inputs = Assignment::new();
            inputs.set(symbol, value as u128 & low_bits(bits));
            if !Evaluator::new(&equation.terms, &inputs).holds(all) {
                continue;
            }
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == value => *last = value,
                _ => ranges.push((value, value)),
            }
        }
        // Everything but one value.
        if let [(_, before), (after, _)] = ranges[..]
            && before + 2 == after
        {
            let constant = equation.terms.constant(bits, (before + 1) as u128 & low_bits(bits));
            let other = equation.terms.ne(symbol, constant);
            let (other, all) = (prover.literal(equation, other), prover.literal(equation, all));
            if prover.follows(&[background, other], all) {
                let name = self.names.name(equation, input);
                return Some(format!("{name} != {}", self.shown(equation, input, before + 1)));
            }
        }
        let name = self.names.name(equation, input);
        let shown = |value: i128| self.shown(equation, input, value);
        let texts: Vec<String> = (ranges.iter())
            .map(|(first, last)| match first == last {
                true => format!("{name} == {}", shown(*first)),
                false => format!("({} <= {name} && {name} <= {})", shown(*first), shown(*last)),
            })
            .collect();
        (!texts.is_empty() && texts.len() <= MOST_RANGES).then(|| texts.join(" || "))
    }

    /// Several tests of bits as one: `(n & 0xf) == 5`.
    fn bits(&self, equation: &Equation, input: VariableId, conditions: &[Term]) -> Option<String> {
        let (symbol, bits, _) = self.integer(equation, input).filter(|_| conditions.len() > 1)?;
        let (mut mask, mut value) = (0u128, 0u128);
        for condition in conditions {
            let terms = &equation.terms;
            let (test, holds) = match terms.node(*condition) {
                Node::Not(inner) => (inner, false),
                _ => (*condition, true),
            };
            let (lo, width, wanted) = match terms.node(test) {
                Node::Extract { term, hi, lo } if term == symbol && hi == lo => (lo, 1, u128::from(holds)),
                Node::Eq(a, b) if holds => match (terms.node(a), terms.as_const(b)) {
                    (Node::Extract { term, hi, lo }, Some(wanted)) if term == symbol => (lo, hi - lo + 1, wanted),
                    _ => return None,
                },
                _ => return None,
            };
            mask |= low_bits(width) << lo;
            value |= wanted << lo;
        }
        let name = self.names.name(equation, input);
        Some(match mask == low_bits(bits) {
            true => format!("{name} == {}", self.shown(equation, input, value as i128)),
            false => format!("({name} & {mask:#x}) == {value:#x}"),
        })
    }

    /// The text that an assumption comes from.
    fn quoted(&self, prover: &Prover<'_>, equation: &Equation, sequence: &Sequence, assumption: &Assumption) -> String {
        let line = |span: Span| self.sources.position(span).line;
        let flow = prover.flow();
        match assumption.origin {
            Origin::Branch(number) => {
                let event = flow.event(number);
                let at = sequence.events.iter().position(|event| *event == number);
                let holds = at.and_then(|at| sequence.key.statements[at].1).unwrap_or(true);
                let text = self.sources.text(event.span);
                format!("`{text}` is {holds} (line {})", line(event.span))
            }
            Origin::Apart { setter, .. } => {
                let span = flow.event(setter).span;
                format!("`{}` is not executed (line {})", self.sources.text(span), line(span))
            }
            Origin::Cell(number) => {
                let span = flow.event(number).span;
                format!("`{}` reads what it reads here (line {})", self.sources.text(span), line(span))
            }
            Origin::Claim(_) | Origin::Reach => {
                let span = equation.steps[sequence.step].span;
                let claim = &self.program.claims[sequence.claim.index()];
                format!("`{}` does not hold (line {})", claim.text, line(span))
            }
            Origin::Before(step) => {
                let at = line(equation.steps[step].span);
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
                format!("`{text}` holds (line {})", line(equation.steps[step].span))
            }
        }
    }
}

/// The least number up to `most` for which something holds that holds for all above it, and for `most`: near 0 and at
/// the end it is likely to be, so one looks there first, then in growing strides, then by halving.
fn least(most: i128, mut holds: impl FnMut(i128) -> bool) -> i128 {
    if most == 0 || holds(0) {
        return 0;
    }
    if !holds(most - 1) {
        return most;
    }
    let (mut low, mut high, mut stride) = (1, most - 1, 1);
    while low + stride < high {
        if holds(low + stride) {
            high = low + stride;
        } else {
            low += stride + 1;
            stride *= 2;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
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
        all[a.min(b)].term = term;
        all.remove(a.max(b));
    }
    all
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
