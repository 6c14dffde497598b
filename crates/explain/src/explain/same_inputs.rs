//! Of a model of hardware, with the inputs as they are in the failing run: which register or wire, with another value in one cycle, saves it.
//!
//! A narrow word is made everything else that it can be, and the model is simulated. Of a wide one some values that are likely are tried, and then the
//! solver is asked: in the model where the inputs are those of the run, and this word in this cycle is a register that starts as anything. What
//! is told was simulated.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use nearmiss_program::hardware::model::{Asked, Bits, Kind, Model, Node, NodeId, Operator, Sort};
use nearmiss_program::hardware::simulate::{self, Changes, Stimulus, Wave};
use nearmiss_program::hardware::{self, Hardware, Places};
use nearmiss_program::program::{ClaimId, ClaimKind, Program};
use nearmiss_program::run::Inputs;
use nearmiss_program::source::{FileId, Span};

use super::ExplainOptions;
use crate::check::{self, CheckError, CheckOptions, Progress, ShortBound};
use crate::explanation::{Explanation, Minimised, SameInputs, Saving, Verdict};
use nearmiss_logic::stop::Stop;

/// Words of so many bits take every value.
const NARROW: u32 = 3;
/// So many nodes are simulated, and so many questions are asked.
const MOST_NODES: usize = 60_000_000;
const MOST_QUESTIONS: usize = 300;
/// So many bits of a value are tried to be left as they are.
const MOST_BITS: usize = 64;
/// Conflicts of one question.
const MOST_CONFLICTS: u64 = 2_000;

/// With what would have saved a run of a model of hardware.
pub(super) fn with_same_inputs(
    program: &Program,
    options: &ExplainOptions,
    mut explanation: Explanation,
    progress: &mut dyn FnMut(Progress),
) -> Result<Explanation, CheckError> {
    let narrowed = check::narrow(program, &options.check.properties)?;
    let program = narrowed.as_ref().unwrap_or(program);
    let (Some(found), Some(hardware)) = (&explanation.counterexample, &program.hardware) else {
        return Ok(explanation);
    };
    let is_formula = explanation.property.is_some_and(|at| explanation.claims[at].kind == ClaimKind::Temporal);
    if is_formula {
        let note = "--fixed-inputs looks at what must never be, and this is about what is done over time";
        explanation.notes.push(check::note(note));
        return Ok(explanation);
    }
    progress(Progress { phase: "looking for values that save the run", unwind: explanation.unwind, steps: 0 });
    let started = Instant::now();
    let run = Run { program, hardware, inputs: &found.inputs, stop: &options.check.stop };
    explanation.same_inputs = Some(same_inputs(&run));
    explanation.stats.seconds.push(("same inputs", started.elapsed().as_secs_f64()));
    Ok(explanation)
}

/// The failing run, in which a claim is violated in the last cycle.
struct Run<'a> {
    program: &'a Program,
    hardware: &'a Hardware,
    inputs: &'a Inputs,
    stop: &'a Stop,
}

/// Everything that is found.
fn same_inputs(run: &Run<'_>) -> SameInputs {
    let Run { program, hardware, inputs, stop } = *run;
    let (model, cycles) = (&*hardware.model, hardware.cycles(program, inputs));
    let stimulus = hardware.stimulus(inputs, cycles);
    let failing = simulate::simulate(model, &stimulus);
    let seeker = Seeker { model, stimulus: &stimulus, failing: &failing, claimed: Hardware::claimed(program) };
    let (mut savings, mut complete) = (Vec::new(), true);
    let (mut nodes, mut questions) = (MOST_NODES, MOST_QUESTIONS);
    let needed = model.needed();
    let named = |id: &NodeId| needed[*id] && model.node(*id).name.is_some() && model.width(*id) > 0;
    let computed: Vec<NodeId> = (0..model.nodes.len())
        .filter(|id| named(id) && matches!(model.node(*id).kind, Kind::Operation(..) | Kind::State { .. }))
        .collect();
    // Late cycles are nearest to the failure: what there is no room for is far from it.
    for cycle in (0..cycles).rev() {
        for id in &computed {
            if stop.requested() {
                complete = false;
                break;
            }
            // What is chosen from outside is an input, whatever keeps it.
            match model.node(*id).kind {
                Kind::State { init: None, .. } if cycle == 0 => continue,
                Kind::State { init: None, next } if next.is_none_or(|next| next == *id) => continue,
                _ => {}
            }
            let tried = seeker.values(*id, cycle);
            let cost = tried.len() * model.nodes.len() * cycles;
            if cost > nodes {
                complete = false;
                continue;
            }
            nodes -= cost;
            let mut saving = tried.into_iter().find(|value| seeker.saves(*id, cycle, value));
            if saving.is_none() && model.width(*id) > NARROW {
                match questions.checked_sub(1) {
                    Some(left) => {
                        questions = left;
                        match seeker.asked(*id, cycle, stop) {
                            Some(found) => saving = found.filter(|value| seeker.saves(*id, cycle, value)),
                            None => complete = false,
                        }
                    }
                    None => complete = false,
                }
            }
            if let Some(passing) = saving {
                let passing = seeker.nearer(*id, cycle, passing);
                savings.push(Saving { node: *id, cycle, failing: failing.cycles[cycle][*id].clone(), passing });
            }
        }
    }
    savings.sort_by_key(|saving| (saving.cycle, saving.node));
    SameInputs { savings, complete }
}

struct Seeker<'a> {
    model: &'a Model,
    stimulus: &'a Stimulus,
    failing: &'a Wave,
    /// The claims that count.
    claimed: Vec<ClaimId>,
}

impl Seeker<'_> {
    /// Other values of a word: those that are likely, and all others of a narrow one.
    fn values(&self, id: NodeId, cycle: usize) -> Vec<Bits> {
        let (own, width) = (&self.failing.cycles[cycle][id], self.model.width(id));
        let step = |up: bool| {
            let mut value = own.clone();
            for bit in &mut value {
                *bit = !*bit;
                if *bit == up {
                    break;
                }
            }
            value
        };
        let before = cycle.checked_sub(1).map(|before| self.failing.cycles[before][id].clone());
        let mut values: Vec<Bits> = before.into_iter().chain([step(true), step(false)]).collect();
        values.push(vec![false; width as usize]);
        if width <= NARROW {
            values
                .extend((0..1u32 << width).map(|value| (0..width).map(|bit| value >> bit & 1 == 1).collect::<Bits>()));
        }
        let mut seen = vec![own.clone()];
        values.retain(|value| {
            !seen.contains(value) && {
                seen.push(value.clone());
                true
            }
        });
        values
    }

    /// The same with fewer bits changed, as far as one after the other can be left as it is.
    fn nearer(&self, id: NodeId, cycle: usize, mut value: Bits) -> Bits {
        let own = &self.failing.cycles[cycle][id];
        for bit in 0..own.len().min(MOST_BITS) {
            if value[bit] != own[bit] {
                value[bit] = own[bit];
                if value == *own || !self.saves(id, cycle, &value) {
                    value[bit] = !own[bit];
                }
            }
        }
        value
    }

    /// Does the run pass if a word is this in a cycle?
    fn saves(&self, id: NodeId, cycle: usize, value: &Bits) -> bool {
        let changes: Changes = [((id, cycle), value.clone())].into_iter().collect();
        let wave = simulate::simulate_changed(self.model, self.stimulus, &changes).0;
        let violates = |bad: &Vec<bool>| self.claimed.iter().any(|claim| bad.get(claim.index()) == Some(&true));
        wave.excluded.is_none() && !wave.bad.iter().any(violates)
    }

    /// Some value of a word in a cycle with which the run passes, if there is one; nothing if that is not found out.
    fn asked(&self, id: NodeId, cycle: usize, stop: &Stop) -> Option<Option<Bits>> {
        let (model, free) = self.opened(id, cycle);
        let places = Places::none(model.nodes[0].span.file);
        let program = hardware::lower::program(&model, &places, None).ok()?;
        let cycles = self.failing.cycles.len() as u32;
        let options = CheckOptions {
            unwind: Some(cycles),
            minimise: Minimised::None,
            short_bound: ShortBound::Suffices,
            stop: stop.within(MOST_CONFLICTS),
            ..CheckOptions::default()
        };
        let answer = check::check(&program, &options, &mut |_| {}).ok()?;
        match answer.counterexample {
            Some(found) => {
                let stimulus = program.hardware.as_ref()?.stimulus(&found.inputs, 1);
                Some(stimulus.started.get(&free).cloned())
            }
            None if answer.verdict == Verdict::Holds => Some(None),
            None => None,
        }
    }

    /// The model in which all but one word is what it is in the failing run, or follows. Its only claim is violated where the
    /// run passes; the register is what the word is.
    fn opened(&self, id: NodeId, cycle: usize) -> (Model, NodeId) {
        let cycles = self.failing.cycles.len();
        let model = Model { name: "opened".to_owned(), ..Model::default() };
        let mut opened = Opened { model, count: 0, cycles: HashMap::new() };
        let width = usize::BITS - cycles.leading_zeros() + 1;
        let count = opened.push(Kind::State { init: None, next: None }, width);
        opened.count = count;
        let (zero, more) = (opened.number(0, width), opened.number(1, width));
        let next = opened.operation(Operator::Add, &[count, more], width);
        opened.model.nodes[count].kind = Kind::State { init: Some(zero), next: Some(next) };
        let own = self.model.width(id);
        let free = opened.push(Kind::State { init: None, next: None }, own);
        opened.model.nodes[free].kind = Kind::State { init: None, next: Some(free) };
        let (passed, yes) = (opened.push(Kind::State { init: None, next: None }, 1), opened.number(1, 1));
        let started = |(at, node): (NodeId, &Node)| match node.kind {
            Kind::State { init: None, .. } => Some((at, opened.memory(self.stimulus.memories.get(&at), node.sort)?)),
            _ => None,
        };
        let memories: HashMap<NodeId, NodeId> = self.model.nodes.iter().enumerate().filter_map(started).collect();
        // Nodes by those of the model, in their order; the word itself under what it would be.
        let mut of: HashMap<NodeId, NodeId> = HashMap::new();
        for (at, node) in self.model.nodes.iter().enumerate() {
            let made = match &node.kind {
                Kind::Constant(bits) => opened.push(Kind::Constant(bits.clone()), node.sort.width()),
                Kind::Operation(operator, operands) => {
                    let operands = operands.iter().map(|operand| of[operand]).collect();
                    opened.node(Kind::Operation(*operator, operands), node.sort)
                }
                Kind::Input => opened.script(node.sort.width(), &self.row(at)),
                Kind::State { next: None, .. } if node.sort.width() > 0 => {
                    opened.script(node.sort.width(), &self.row(at))
                }
                Kind::State { .. } => opened.node(Kind::State { init: None, next: None }, node.sort),
            };
            let made = match at == id {
                true => {
                    let here = opened.is_cycle(cycle);
                    opened.operation(Operator::Ite, &[here, free, made], own)
                }
                false => made,
            };
            of.insert(at, made);
        }
        for (at, node) in self.model.nodes.iter().enumerate() {
            let Kind::State { next: Some(next), init } = node.kind else { continue };
            let state = match at == id {
                true => opened.operand(of[&at], 2),
                false => of[&at],
            };
            let init = match (init, node.sort) {
                (Some(init), _) => of[&init],
                (None, Sort::Array { .. }) => memories[&at],
                (None, Sort::Word(width)) => match self.stimulus.started.get(&at) {
                    Some(bits) => opened.push(Kind::Constant(bits.clone()), width),
                    None => opened.number(0, width),
                },
            };
            opened.model.nodes[state].kind = Kind::State { init: Some(init), next: Some(of[&next]) };
        }
        for constraint in &self.model.constraints {
            opened.model.constraints.push(Asked { node: of[&constraint.node], name: None, ..constraint.clone() });
        }
        let mut good = passed;
        for claim in &self.claimed {
            let Some(bad) = self.model.bad.get(claim.index()) else { continue };
            let not = opened.operation(Operator::Not, &[of[&bad.node]], 1);
            good = opened.operation(Operator::And, &[good, not], 1);
        }
        opened.model.nodes[passed].kind = Kind::State { init: Some(yes), next: Some(good) };
        let last = opened.is_cycle(cycles - 1);
        let done = opened.operation(Operator::And, &[last, good], 1);
        let span = self.model.nodes[id].span;
        opened.model.bad.push(Asked { node: done, name: None, span, origin: None });
        (opened.model, free)
    }

    /// What a word is in each cycle of the failing run.
    fn row(&self, id: NodeId) -> Vec<Bits> {
        self.failing.cycles.iter().map(|values| values[id].clone()).collect()
    }
}

/// A model under construction.
struct Opened {
    model: Model,
    /// The register that counts cycles.
    count: NodeId,
    /// The bits that it is some cycle.
    cycles: HashMap<usize, NodeId>,
}

impl Opened {
    fn node(&mut self, kind: Kind, sort: Sort) -> NodeId {
        let (number, span) = (self.model.nodes.len() as u64 + 1, Span::new(FileId(0), 0, 0));
        self.model.nodes.push(Node { number, sort, kind, name: None, span, origin: None });
        self.model.nodes.len() - 1
    }

    fn push(&mut self, kind: Kind, width: u32) -> NodeId {
        self.node(kind, Sort::Word(width))
    }

    fn operation(&mut self, operator: Operator, operands: &[NodeId], width: u32) -> NodeId {
        self.push(Kind::Operation(operator, operands.to_vec()), width)
    }

    fn number(&mut self, value: usize, width: u32) -> NodeId {
        let bits = (0..width).map(|bit| bit < usize::BITS && value >> bit & 1 == 1).collect();
        self.push(Kind::Constant(bits), width)
    }

    fn is_cycle(&mut self, cycle: usize) -> NodeId {
        if let Some(known) = self.cycles.get(&cycle) {
            return *known;
        }
        let number = self.number(cycle, self.model.width(self.count));
        let made = self.operation(Operator::Eq, &[self.count, number], 1);
        self.cycles.insert(cycle, made);
        made
    }

    /// A word that is one after the other of these.
    fn script(&mut self, width: u32, row: &[Bits]) -> NodeId {
        let mut word: Option<NodeId> = None;
        for (cycle, bits) in row.iter().enumerate().rev() {
            let value = self.push(Kind::Constant(bits.clone()), width);
            word = Some(match word {
                None => value,
                Some(later) => {
                    let here = self.is_cycle(cycle);
                    self.operation(Operator::Ite, &[here, value, later], width)
                }
            });
        }
        word.unwrap_or_else(|| self.number(0, width))
    }

    /// The operand of a node.
    fn operand(&self, of: NodeId, which: usize) -> NodeId {
        match &self.model.nodes[of].kind {
            Kind::Operation(_, operands) => operands[which],
            _ => of,
        }
    }

    /// What a memory starts as: 0 but for some places.
    fn memory(&mut self, places: Option<&BTreeMap<u64, Bits>>, sort: Sort) -> Option<NodeId> {
        let Sort::Array { index, element } = sort else { return None };
        let zero = self.number(0, element);
        let Some(places) = places else { return Some(zero) };
        // A memory that is only there to be started from.
        let mut memory = self.node(Kind::State { init: Some(zero), next: None }, sort);
        for (address, bits) in places {
            let (address, word) =
                (self.number(*address as usize, index), self.push(Kind::Constant(bits.clone()), element));
            memory = self.node(Kind::Operation(Operator::Write, vec![memory, address, word]), sort);
        }
        Some(memory)
    }
}
