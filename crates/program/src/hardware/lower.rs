//! A model as a program: one function with a loop that nothing leads out of, a turn of it for every cycle.
//!
//! At the head of a turn stand the inputs, then the nodes in their order, those with a name as assignments that a person
//! wrote; what is taken for granted is assumed, what must not be is claimed. Then all next values are computed, and only
//! then stored. What nobody asks about is left out. Memories are arrays: what is read from one that was written or
//! chosen is chosen among what was written, and writing is a store where its conditions hold.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Hardware;
use super::build::{Builder, TOP};
use super::describe;
use super::formula::Wanted;
use super::model::{Kind, Model, NodeId, Operator, Sort};
use super::places::Places;
use super::words::{Word, Words, parts};
use crate::program::temporal::{Cycles, Judged, Meaning, Signal, Temporal};
use crate::program::watched::Watched;
use crate::program::{
    BinaryOp, BlockId, Claim, ClaimId, ClaimKind, ExprId, LocalId, Origin, PlaceId, Program, SiteKind, Statement,
    StatementKind, Terminator, UnaryOp,
};
use crate::source::{Diagnostic, Severity, Span};

/// A memory has at most so many bits.
const LARGEST_MEMORY: u64 = 1 << 26;
/// A memory that starts with the same word everywhere, and that is not zero, has at most so many.
const MOST_STARTED: u64 = 1 << 12;

/// Memories of more than 2 to this number of words are not compared.
const MOST_COMPARED: u32 = 10;

/// A value is held in a variable where it would be an expression of more levels.
const DEEPEST: u32 = 40;

/// Per memory, of what other one it is a copy but for writes, if it is of one: below a choice that is one side if the other stands on it.
fn under(model: &Model) -> Vec<Option<NodeId>> {
    let mut under: Vec<Option<NodeId>> = vec![None; model.nodes.len()];
    for id in (0..model.nodes.len()).filter(|id| model.width(*id) == 0) {
        let Kind::Operation(operator, parts) = &model.node(id).kind else { continue };
        let stands_on = |memory: NodeId, other: NodeId| {
            let mut at = Some(memory);
            while let Some(above) = at.filter(|above| *above > other) {
                at = under[above];
            }
            at == Some(other)
        };
        under[id] = match operator {
            Operator::Write => Some(parts[0]),
            _ if stands_on(parts[1], parts[2]) => Some(parts[2]),
            _ if stands_on(parts[2], parts[1]) => Some(parts[1]),
            _ => None,
        };
    }
    under
}

/// Makes the program. The places say where names are in the text that the model was made from; what is wanted besides is over bits of the model.
///
/// # Errors
///
/// What of the model has no program, and where.
pub fn program(model: &Model, places: &Places, wanted: Option<Wanted>) -> Result<Program, Vec<Diagnostic>> {
    refuse(model, wanted.is_some())?;
    let span = places.of_model(model);
    let mut lowering = Lowering {
        model,
        places,
        builder: Builder::new(&model.name, span),
        values: vec![None; model.nodes.len()],
        stored: vec![Vec::new(); model.nodes.len()],
        needed: model.needed(),
        uses: model.uses(),
        depths: vec![0; model.nodes.len()],
        under: under(model),
        inputs: Vec::new(),
        started: Vec::new(),
    };
    let ty = lowering.builder.word(32);
    let number = lowering.builder.local(None, ty, span);
    let counter = lowering.builder.place(number, 32);
    let zero = lowering.builder.constant(0, 32);
    lowering.builder.assign(counter, zero, Origin::Tool, span);
    lowering.start();
    let head = lowering.builder.fork();
    lowering.builder.end(Terminator::Goto(head));
    lowering.builder.block = head;
    let body = lowering.builder.fork();
    lowering.builder.end(Terminator::Goto(body));
    lowering.builder.block = body;
    let temporal = lowering.cycle(wanted, number);
    let (count, one) = (lowering.builder.load(counter), lowering.builder.constant(1, 32));
    let more = lowering.builder.binary(BinaryOp::Add, count, one);
    lowering.builder.assign(counter, more, Origin::Tool, span);
    lowering.builder.end(Terminator::Goto(head));
    let mut program = lowering.finished(head, body, count);
    program.temporal = temporal.map(Arc::new);
    Ok(program)
}

/// What cannot be lowered.
fn refuse(model: &Model, by_formula: bool) -> Result<(), Vec<Diagnostic>> {
    let large = model.nodes.iter().filter_map(|node| match node.sort {
        Sort::Array { index, element } if index > 26 || u64::from(element) << index > LARGEST_MEMORY => {
            let message = format!("a memory of 2^{index} words of {element} bits is too large");
            let help = "make it smaller in the model: with so many words, say, as a run of some cycles can touch";
            Some(Diagnostic::error(node.span, message).with_help(help))
        }
        _ => None,
    });
    let compared = model.nodes.iter().filter_map(|node| match &node.kind {
        Kind::Operation(Operator::Eq | Operator::Neq, operands) => match model.node(operands[0]).sort {
            Sort::Array { index, .. } if index > MOST_COMPARED => {
                let message = format!("memories of 2^{index} words are compared here: too many");
                let help = format!("memories of up to 2^{MOST_COMPARED} words are compared word by word");
                Some(Diagnostic::error(node.span, message).with_help(help))
            }
            _ => None,
        },
        _ => None,
    });
    let started = model.nodes.iter().filter_map(|node| match (&node.kind, node.sort) {
        (Kind::State { init: Some(init), .. }, Sort::Array { index, .. }) if 1 << index > MOST_STARTED => {
            let is_zero = matches!(&model.node(*init).kind, Kind::Constant(bits) if !bits.contains(&true));
            let message = format!("a memory of 2^{index} words that all start as something else than 0 is too large");
            let error = || Diagnostic::error(node.span, message).with_help("at most 2^12 words may");
            (model.width(*init) > 0 && !is_zero).then(error)
        }
        _ => None,
    });
    let free = model.running().into_iter().map(|id| model.node(id)).filter_map(|node| match (&node.kind, node.sort) {
        (Kind::State { next: None, .. }, Sort::Array { .. }) => {
            let message = "a memory that may become anything in each cycle is not supported";
            let help = format!("if it stays as it is, say so: `next SORT {0} {0}`", node.number);
            Some(Diagnostic::error(node.span, message).with_help(help))
        }
        _ => None,
    });
    let mut errors: Vec<Diagnostic> = large.chain(compared).chain(started).chain(free).collect();
    if model.bad.is_empty() && !by_formula {
        let help = "give it a `bad` line (an `assert` in Verilog makes one), or say what is wanted: --formula";
        errors.push(Diagnostic {
            span: model.nodes.last().map(|node| node.span),
            help: Some(help.to_owned()),
            severity: Severity::Error,
            message: "this model asks nothing".to_owned(),
        });
    }
    errors.truncate(20);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

struct Lowering<'m> {
    model: &'m Model,
    places: &'m Places,
    builder: Builder,
    /// Words in this cycle.
    values: Vec<Option<Word>>,
    /// Variables of states: one for each part.
    stored: Vec<Vec<LocalId>>,
    needed: Vec<bool>,
    uses: Vec<u32>,
    /// How many levels the expression of a node has.
    depths: Vec<u32>,
    /// Of what other memory each is a copy but for writes.
    under: Vec<Option<NodeId>>,
    /// Inputs in the order in which a cycle takes them: node and part.
    inputs: Vec<(NodeId, u32)>,
    /// The same of states that may start as anything.
    started: Vec<(NodeId, u32)>,
}

impl Lowering<'_> {
    fn span(&self, id: NodeId) -> Span {
        self.places.of_node(self.model.node(id))
    }

    fn words(&mut self, span: Span) -> Words<'_> {
        Words { builder: &mut self.builder, span }
    }

    /// Variables for a word, one for each part; named after the bits that they are.
    fn variables(&mut self, id: NodeId, width: u32, length: Option<u64>) -> Vec<LocalId> {
        let (span, widths) = (self.places.of_name(self.model.node(id)), parts(width));
        let name = self.model.node(id).name.clone();
        let (mut low, several, mut locals) = (0, widths.len() > 1, Vec::new());
        for width in widths {
            let ty = match length {
                Some(length) => self.builder.memory(width, length),
                None => self.builder.word(width),
            };
            let name = name.as_ref().map(|name| match several {
                true => format!("{name}[{}:{low}]", low + width - 1),
                false => name.clone(),
            });
            locals.push(self.builder.local(name.as_deref(), ty, span));
            low += width;
        }
        locals
    }

    fn places_of(&mut self, id: NodeId, locals: &[LocalId]) -> Vec<PlaceId> {
        let widths = parts(self.model.width(id));
        locals.iter().zip(widths).map(|(local, width)| self.builder.place(*local, width)).collect()
    }

    fn loads(&mut self, places: &[PlaceId]) -> Word {
        places.iter().map(|place| self.builder.load(*place)).collect()
    }

    /// States and what they are first.
    fn start(&mut self) {
        for id in self.model.states().into_iter().filter(|id| self.needed[*id]).collect::<Vec<_>>() {
            let span = self.places.of_name(self.model.node(id));
            let Kind::State { init, .. } = &self.model.node(id).kind else { continue };
            let init = *init;
            match self.model.node(id).sort {
                Sort::Word(width) => {
                    let locals = self.variables(id, width, None);
                    self.stored[id] = locals.clone();
                    let places = self.places_of(id, &locals);
                    match init {
                        Some(value) => {
                            let value = self.value(value);
                            self.store(&places, &value, self.origin(id), span);
                        }
                        None => self.input(id, &places, span, true),
                    }
                }
                Sort::Array { index, element } => {
                    let locals = self.variables(id, element, Some(1 << index));
                    for local in &locals {
                        self.builder.say(StatementKind::Declare { local: *local }, span);
                    }
                    self.stored[id] = locals;
                    if let Some(init) = init {
                        self.start_memory(id, init, span);
                    }
                }
            }
        }
        self.values.fill(None);
    }

    fn origin(&self, id: NodeId) -> Origin {
        if self.model.node(id).name.is_some() { Origin::Written } else { Origin::Tool }
    }

    fn start_memory(&mut self, id: NodeId, init: NodeId, span: Span) {
        let Sort::Array { index, element } = self.model.node(id).sort else { return };
        if self.model.width(init) == 0 {
            self.commit(id, init, None, None, span);
            return;
        }
        let value = self.value(init);
        let zero = value.iter().all(|part| self.builder.as_constant(*part) == Some(0));
        for (local, (value, width)) in self.stored[id].clone().into_iter().zip(value.into_iter().zip(parts(element))) {
            let whole = self.builder.whole(local);
            if zero {
                self.builder.say(StatementKind::Clear { target: whole }, span);
                continue;
            }
            for address in 0..(1u64 << index).min(MOST_STARTED) {
                let address = self.builder.constant(u128::from(address), 64);
                let place = self.builder.element(local, width, address);
                self.builder.assign(place, value, Origin::Tool, span);
            }
        }
    }

    /// A value that may be anything.
    fn input(&mut self, id: NodeId, places: &[PlaceId], span: Span, first: bool) {
        let name = self.model.node(id).name.clone().unwrap_or_default();
        let several = places.len() > 1;
        let mut low = 0;
        for (part, target) in places.iter().enumerate() {
            let (ty, width) = (self.builder.program.place(*target).ty, self.builder.program.place(*target).bits);
            let name = match several {
                true => format!("{name}[{}:{low}]", low + width - 1),
                false => name.clone(),
            };
            low += width;
            let kind = if name.is_empty() { SiteKind::Unsaid } else { SiteKind::Parameter };
            let site = self.builder.site(&name, ty, span, kind);
            self.builder.say(StatementKind::Input { target: *target, site, object: None }, span);
            let taken = if first { &mut self.started } else { &mut self.inputs };
            taken.push((id, part as u32));
        }
    }

    fn store(&mut self, places: &[PlaceId], value: &Word, origin: Origin, span: Span) {
        for (place, value) in places.iter().zip(value) {
            self.builder.assign(*place, *value, origin, span);
        }
    }

    /// The word that a node is in this cycle.
    fn value(&mut self, id: NodeId) -> Word {
        // Nodes come after what they are computed from, so that this goes one step down where it goes down at all.
        let mut open = vec![id];
        while let Some(at) = open.last().copied() {
            let missing = self.operands(at).into_iter().find(|operand| self.values[*operand].is_none());
            match missing {
                Some(operand) => open.push(operand),
                None => {
                    open.pop();
                    if self.values[at].is_none() {
                        self.values[at] = Some(self.computed(at));
                    }
                }
            }
        }
        self.values[id].clone().unwrap_or_default()
    }

    /// The words that a node is computed from; of a memory that is read all that decides what is there.
    fn operands(&self, id: NodeId) -> Vec<NodeId> {
        let Kind::Operation(operator, operands) = &self.model.node(id).kind else { return Vec::new() };
        let words = operands.iter().copied().filter(|operand| self.model.width(*operand) > 0);
        let mut wanted: Vec<NodeId> = words.collect();
        let memories: Vec<NodeId> =
            operands.iter().copied().filter(|operand| self.model.width(*operand) == 0).collect();
        if matches!(operator, Operator::Read | Operator::Eq | Operator::Neq) {
            let (mut open, mut seen) = (memories, HashSet::new());
            while let Some(memory) = open.pop() {
                if !seen.insert(memory) {
                    continue;
                }
                let Kind::Operation(_, parts) = &self.model.node(memory).kind else { continue };
                let (memories, words): (Vec<NodeId>, Vec<NodeId>) =
                    parts.iter().partition(|part| self.model.width(**part) == 0);
                wanted.extend(words);
                open.extend(memories);
            }
        }
        wanted
    }

    fn computed(&mut self, id: NodeId) -> Word {
        let (node, span) = (self.model.node(id), self.span(id));
        let width = node.sort.width();
        let of = |this: &Self, operand: NodeId| this.values[operand].clone().unwrap_or_default();
        let value = match &node.kind {
            Kind::Constant(bits) => return self.words(span).constant(bits),
            Kind::Input => return Word::new(),
            Kind::State { .. } if width == 0 => return Word::new(),
            Kind::State { .. } => {
                let locals = self.stored[id].clone();
                let places = self.places_of(id, &locals);
                return self.loads(&places);
            }
            Kind::Operation(Operator::Read, operands) => {
                let address = of(self, operands[1]);
                let address = address.iter().map(|part| self.builder.held(*part, span)).collect();
                self.read(operands[0], &address, span, &mut HashMap::new())
            }
            Kind::Operation(..) if width == 0 => return Word::new(),
            Kind::Operation(operator, operands) if self.model.width(operands[0]) == 0 => {
                let same = self.same_memory(operands[0], operands[1], span);
                vec![if *operator == Operator::Neq { self.builder.unary(UnaryOp::Not, same) } else { same }]
            }
            Kind::Operation(operator, operands) => {
                let operands: Vec<Word> = operands.iter().map(|operand| of(self, *operand)).collect();
                self.words(span).computed(*operator, &operands, width)
            }
        };
        self.named_or_held(id, value, span)
    }

    /// A value with a name is assigned to it; one that is used again is held.
    fn named_or_held(&mut self, id: NodeId, value: Word, span: Span) -> Word {
        if self.model.node(id).name.is_some() {
            let locals = self.variables(id, self.model.width(id), None);
            let places = self.places_of(id, &locals);
            self.store(&places, &value, Origin::Written, span);
            return self.loads(&places);
        }
        let below = self.operands(id).into_iter().map(|operand| self.depths[operand]).max().unwrap_or(0);
        match self.uses[id] {
            0 | 1 if below < DEEPEST => {
                self.depths[id] = below + 1;
                value
            }
            _ => value.into_iter().map(|part| self.builder.held(part, span)).collect(),
        }
    }

    /// What is at an address of a memory; what was read already is known.
    fn read(&mut self, memory: NodeId, address: &Word, span: Span, known: &mut HashMap<NodeId, Word>) -> Word {
        if let Some(word) = known.get(&memory) {
            return word.clone();
        }
        let word = match &self.model.node(memory).kind {
            Kind::Operation(Operator::Write, parts) => {
                let at = self.values[parts[1]].clone().unwrap_or_default();
                let value = self.values[parts[2]].clone().unwrap_or_default();
                let before = self.read(parts[0], address, span, known);
                let here = self.words(span).equal(&at, address);
                self.words(span).choose(here, &value, &before)
            }
            Kind::Operation(_, parts) => {
                let condition = self.values[parts[0]].clone().unwrap_or_default();
                let yes = self.read(parts[1], address, span, known);
                let no = self.read(parts[2], address, span, known);
                self.words(span).choose(condition[0], &yes, &no)
            }
            _ => {
                let Sort::Array { element, .. } = self.model.node(memory).sort else { return Word::new() };
                let places = self.elements(memory, element, address);
                self.loads(&places)
            }
        };
        let word: Word = word.into_iter().map(|part| self.builder.held(part, span)).collect();
        known.insert(memory, word.clone());
        word
    }

    /// Are two memories the same, word by word?
    fn same_memory(&mut self, one: NodeId, other: NodeId, span: Span) -> ExprId {
        let Sort::Array { index, .. } = self.model.node(one).sort else { return self.builder.constant(1, 1) };
        let mut same = self.builder.constant(1, 1);
        for address in 0..1u128 << index {
            let address = vec![self.builder.constant(address, index)];
            let [one, other] = [one, other].map(|memory| self.read(memory, &address, span, &mut HashMap::new()));
            let equal = self.words(span).equal(&one, &other);
            let both = self.builder.binary(BinaryOp::And, same, equal);
            same = self.builder.held(both, span);
        }
        same
    }

    fn elements(&mut self, memory: NodeId, element: u32, address: &Word) -> Vec<PlaceId> {
        let address = self.builder.widened(address[0], 64, false);
        let locals = self.stored[memory].clone();
        locals
            .into_iter()
            .zip(parts(element))
            .map(|(local, width)| self.builder.element(local, width, address))
            .collect()
    }

    /// One cycle.
    fn cycle(&mut self, wanted: Option<Wanted>, counter: LocalId) -> Option<Temporal> {
        for id in self.model.inputs().into_iter().filter(|id| self.needed[*id]).collect::<Vec<_>>() {
            let span = self.places.of_name(self.model.node(id));
            let locals = self.variables(id, self.model.width(id), None);
            let places = self.places_of(id, &locals);
            self.input(id, &places, span, false);
            self.values[id] = Some(self.loads(&places));
        }
        for id in 0..self.model.nodes.len() {
            if self.needed[id] && self.model.width(id) > 0 {
                self.value(id);
            }
        }
        for constraint in &self.model.constraints {
            let condition = self.value(constraint.node)[0];
            let span = self.places.of_asked(constraint, self.model);
            self.builder.say(StatementKind::Assume { condition }, span);
        }
        for at in 0..self.model.bad.len() {
            self.claim(at);
        }
        let temporal = wanted.map(|wanted| self.wanted(wanted, counter));
        self.step();
        temporal
    }

    /// The claim that a formula holds: its bits are assigned, and then that the cycle has come so far.
    fn wanted(&mut self, wanted: Wanted, counter: LocalId) -> Temporal {
        let span = self.places.of_model(self.model);
        let Wanted { formula, bound, trigger, bits, by_model } = wanted;
        let mut signals = Vec::new();
        for (text, id) in bits {
            let value = self.value(id)[0];
            let condition = self.fixed(value, span);
            let watched = Watched { text: text.clone(), function: Some(TOP), condition };
            signals.push(Signal { text, meaning: Meaning::Condition(watched) });
        }
        let (ty, zero) = (self.builder.word(1), self.builder.constant(0, 1));
        let mark = self.builder.local(None, ty, span);
        let place = self.builder.place(mark, 1);
        self.builder.assign(place, zero, Origin::Tool, span);
        let claim = ClaimId(self.builder.program.claims.len() as u32);
        let asked = self.model.justice.first().filter(|_| by_model).map(|justice| justice.span);
        let (function, word) = (self.model.name.clone(), if by_model { "justice" } else { ClaimKind::Temporal.name() });
        self.builder.program.claims.push(Claim {
            id: format!("{function}.{word}.1"),
            kind: ClaimKind::Temporal,
            text: formula.text.clone(),
            span: asked.unwrap_or(span),
            function,
        });
        let cycles = Some(Cycles { mark, counter, judged: Judged::Any });
        Temporal { claim, formula, bound, signals, only_closes: false, cycles, trigger }
    }

    fn claim(&mut self, at: usize) {
        let bad = &self.model.bad[at];
        let mut value = self.value(bad.node)[0];
        let span = self.places.of_asked(bad, self.model);
        if !self.is_counted() {
            // Else a cycle would cost nothing, and the failing run could be longer than it need be.
            let (ty, number) = (self.builder.word(1), at);
            let name = bad.name.clone().unwrap_or_else(|| format!("bad{number}"));
            let local = self.builder.local(Some(&name), ty, span);
            let place = self.builder.place(local, 1);
            self.builder.assign(place, value, Origin::Written, span);
            value = self.builder.load(place);
        }
        let condition = self.builder.unary(UnaryOp::Not, value);
        let claim = ClaimId(self.builder.program.claims.len() as u32);
        let function = self.model.name.clone();
        let text = describe::claim(self.model, bad, self.places.says(span));
        let id = format!("{function}.assertion.{}", at + 1);
        self.builder.program.claims.push(Claim { id, kind: ClaimKind::Assertion, text, span, function });
        self.builder.say(StatementKind::Claim { claim, condition, part: false }, span);
    }

    /// Is something with a name set in every cycle, besides inputs?
    fn is_counted(&self) -> bool {
        let named = self.model.nodes.iter().zip(&self.needed).filter(|(node, needed)| **needed && node.name.is_some());
        let mut words = named.map(|(node, _)| node).filter(|node| node.sort.width() > 0);
        words.any(|node| matches!(node.kind, Kind::Operation(..) | Kind::State { next: Some(_), .. }))
    }

    /// From this cycle to the next: all is computed before anything is stored.
    fn step(&mut self) {
        let states: Vec<NodeId> = self.model.states().into_iter().filter(|id| self.needed[*id]).collect();
        let mut nexts = Vec::new();
        for id in &states {
            let Kind::State { next, .. } = self.model.node(*id).kind else { continue };
            let (span, width) = (self.places.of_next(*id, self.model), self.model.width(*id));
            match next {
                Some(next) if width > 0 => {
                    let value = self.value(next);
                    let held = value.into_iter().map(|part| self.fixed(part, span)).collect();
                    nexts.push((*id, Some(held), span));
                }
                None if width > 0 => nexts.push((*id, None, span)),
                _ => {}
            }
        }
        for id in &states {
            let Kind::State { next: Some(next), .. } = self.model.node(*id).kind else { continue };
            if self.model.width(*id) == 0 {
                self.commit(*id, next, None, None, self.places.of_next(*id, self.model));
            }
        }
        for (id, value, span) in nexts {
            let locals = self.stored[id].clone();
            let places = self.places_of(id, &locals);
            match value {
                Some(value) => self.store(&places, &value, self.origin(id), span),
                None => self.input(id, &places, span, false),
            }
        }
    }

    /// A value that what is stored later does not change.
    fn fixed(&mut self, value: ExprId, span: Span) -> ExprId {
        if self.builder.as_constant(value).is_some() {
            return value;
        }
        let width = self.builder.width(value);
        let ty = self.builder.word(width);
        let local = self.builder.local(None, ty, span);
        let place = self.builder.place(local, width);
        self.builder.assign(place, value, Origin::Tool, span);
        self.builder.load(place)
    }

    /// Stores into a memory what makes it another one, where a condition holds. Down to `until` all is stored already.
    fn commit(&mut self, state: NodeId, value: NodeId, until: Option<NodeId>, condition: Option<ExprId>, span: Span) {
        if until == Some(value) || value == state {
            return;
        }
        match &self.model.node(value).kind {
            Kind::Operation(Operator::Write, parts) => {
                self.commit(state, parts[0], until, condition, span);
                let Sort::Array { element, .. } = self.model.node(state).sort else { return };
                let (address, word) = (self.value(parts[1]), self.value(parts[2]));
                let places = self.elements(state, element, &address);
                let origin = self.origin(state);
                let store = |builder: &mut Builder| {
                    for (place, part) in places.iter().zip(&word) {
                        builder.assign(*place, *part, origin, span);
                    }
                };
                match condition {
                    Some(condition) => self.builder.guarded(condition, span, store),
                    None => store(&mut self.builder),
                }
            }
            Kind::Operation(_, parts) => {
                let below = self.under[value];
                if let Some(below) = below {
                    self.commit(state, below, until, condition, span);
                }
                let chosen = self.value(parts[0])[0];
                let not = self.builder.unary(UnaryOp::Not, chosen);
                for (when, memory) in [(chosen, parts[1]), (not, parts[2])] {
                    let both = condition.map_or(when, |condition| self.builder.binary(BinaryOp::And, condition, when));
                    self.commit(state, memory, below.or(until), Some(both), span);
                }
            }
            _ => self.copy(state, value, condition, span),
        }
    }

    /// A memory becomes what another one is.
    fn copy(&mut self, state: NodeId, other: NodeId, condition: Option<ExprId>, span: Span) {
        let pairs: Vec<(LocalId, LocalId)> =
            self.stored[state].iter().copied().zip(self.stored[other].iter().copied()).collect();
        let copied = |builder: &mut Builder| {
            for (to, from) in pairs {
                let (target, source) = (builder.whole(to), builder.whole(from));
                builder.say(StatementKind::Copy { target, source, origin: Origin::Tool }, span);
            }
        };
        match condition {
            Some(condition) => self.builder.guarded(condition, span, copied),
            None => copied(&mut self.builder),
        }
    }

    fn finished(mut self, head: BlockId, body: BlockId, count: ExprId) -> Program {
        let memories = self.model.states().into_iter().filter(|id| self.model.width(*id) == 0);
        let memories = memories.flat_map(|id| {
            let locals = self.stored[id].iter().enumerate();
            let of = |local: &LocalId| self.builder.program.functions[TOP.index()].locals[local.index()].site;
            locals.map(move |(part, local)| (of(local), id, part as u32)).collect::<Vec<_>>()
        });
        let memories = memories.collect();
        // A first value that stands elsewhere, or is an input, is not one of the times that the register is set.
        let is_late = |id: &NodeId| {
            let node = self.model.node(*id);
            let starts = matches!(node.kind, Kind::State { init: Some(_), .. }) && node.sort.width() > 0;
            !(starts && self.places.of_name(node) == self.places.of_next(*id, self.model))
        };
        let late = self.model.states().into_iter().filter(is_late);
        let late = late.filter_map(|id| self.model.node(id).name.clone()).collect();
        let hardware = Hardware {
            model: Arc::new(self.model.clone()),
            head,
            body,
            count,
            started: self.started,
            inputs: self.inputs,
            late,
            memories,
        };
        // Statements of the start block stand where the model does.
        let whole = self.places.of_model(self.model);
        for Statement { span, .. } in &mut self.builder.program.functions[0].blocks[0].statements {
            *span = whole;
        }
        self.builder.program.hardware = Some(Arc::new(hardware));
        self.builder.program
    }
}
