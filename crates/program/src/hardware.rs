//! Models of hardware as programs.
//!
//! [`btor2`] reads a model as it is ([`model`]), [`lower`] makes a [`Program`] of it, with a turn of a
//! loop for every cycle, so that whatever is known of programs is known of models. [`places`] finds names in the text
//! that the model was made from. [`simulate`] says, from the model alone, what a run does: the judge of both machines.

pub mod aiger;
pub mod btor2;
mod build;
mod describe;
mod expression;
pub mod formula;
pub mod lower;
mod operators;
pub mod places;
pub mod simulate;
pub mod why;
mod words;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::c::{Errors, Loader};

use crate::interp::{Interpreter, Limits, Recording};
use crate::moments;
pub use crate::program::hardware::Hardware;
pub use crate::program::model;
use crate::program::temporal::{Cycles, Judged, Temporal};
use crate::program::{
    BinaryOp, Block, BlockId, BranchRole, ClaimId, Decision, Expr, ExprId, ExprKind, Program, StatementKind, Terminator,
};
use crate::run::{Content, Inputs, Position, Word};
use crate::source::{Diagnostic, FileId, Severity, Sources, Span};
use build::TOP;
use model::{Bits, Model, NodeId};
pub use places::Places;
use simulate::{Stimulus, Wave};
use words::{PART, parts};

/// No run that is looked at has more cycles.
pub const LONGEST: usize = 1 << 20;

/// Is it a file of a model, by its name?
pub fn is_model(file: &str) -> bool {
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["btor2", "btor", "aag", "aig"].contains(&extension.to_ascii_lowercase().as_str())
}

/// Reads a model as a program that makes the model's own claims.
///
/// # Errors
///
/// What is wrong with the file, and where.
pub fn read(file: &str, loader: &dyn Loader, sources: &mut Sources) -> Result<Program, Errors> {
    let (mut model, id) = read_model(file, loader, sources)?;
    let places = Places::read(&model, id, sources, loader);
    let wanted = formula::justice(&mut model).map_err(|error| {
        vec![Diagnostic { severity: Severity::Error, message: error.message, span: None, help: error.help }]
    })?;
    lower::program(&model, &places, wanted)
}

/// Reads a model; the file is added to the sources.
///
/// # Errors
///
/// What is wrong with the file, and where.
pub fn read_model(file: &str, loader: &dyn Loader, sources: &mut Sources) -> Result<(Model, FileId), Errors> {
    let unreadable = |what: String| {
        let message = format!("cannot read {file}: {what}");
        vec![Diagnostic { severity: Severity::Error, message, span: None, help: None }]
    };
    let bytes = loader.load(Path::new(file)).map_err(|error| unreadable(error.to_string()))?;
    let name =
        Path::new(file).file_stem().map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let is_aiger = [b"aag", b"aig"].iter().any(|format| bytes.starts_with(*format));
    if is_aiger {
        let id = sources.add(file, aiger::shown(&bytes), false);
        return Ok((aiger::read(&bytes, id, &name)?, id));
    }
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is no text".to_owned()))?;
    let id = sources.add(file, text.clone(), false);
    Ok((btor2::read(&text, id, &name)?, id))
}

impl Hardware {
    /// What comes from outside in a run of so many cycles.
    pub fn stimulus(&self, inputs: &Inputs, cycles: usize) -> Stimulus {
        let mut values = inputs.calls.iter().copied().chain(std::iter::repeat(0));
        let mut stimulus = Stimulus::default();
        let mut put = |into: &mut HashMap<NodeId, Bits>, (id, part): (NodeId, u32)| {
            let (width, value) = (self.model.width(id), values.next().unwrap_or(0));
            let own = parts(width)[part as usize];
            let bits = into.entry(id).or_insert_with(|| vec![false; width as usize]);
            for bit in 0..own {
                bits[(part * PART + bit) as usize] = value >> bit & 1 == 1;
            }
        };
        self.started.iter().for_each(|taken| put(&mut stimulus.started, *taken));
        for _ in 0..cycles {
            let mut cycle = HashMap::new();
            self.inputs.iter().for_each(|taken| put(&mut cycle, *taken));
            stimulus.cycles.push(cycle);
        }
        self.contents(inputs, &mut stimulus);
        stimulus
    }

    /// The same of a run that may repeat itself: beyond its end it does.
    pub fn repeated(&self, inputs: &Inputs, cycles: usize) -> Stimulus {
        let Some(closing) = inputs.closing.filter(|closing| !closing.is_horizon()) else {
            return self.stimulus(inputs, cycles);
        };
        let (back, at) = (closing.back as usize, closing.at as usize);
        let mut stimulus = self.stimulus(inputs, at.max(cycles));
        for cycle in at..cycles {
            stimulus.cycles[cycle] = stimulus.cycles[back + (cycle - back) % (at - back)].clone();
        }
        stimulus.cycles.truncate(cycles);
        stimulus
    }

    fn contents(&self, inputs: &Inputs, stimulus: &mut Stimulus) {
        for (site, id, part) in &self.memories {
            let model::Sort::Array { element, .. } = self.model.node(*id).sort else { continue };
            let own = parts(element)[*part as usize];
            let stride = u64::from(own.next_power_of_two().max(8));
            for content in inputs.contents.get(&(*site, 0)).into_iter().flatten() {
                for bit in 0..u64::from(content.bits) {
                    let (at, value) = (content.bit_offset + bit, content.value >> bit & 1 == 1);
                    let (address, within) = (at / stride, at % stride);
                    if within >= u64::from(own) {
                        continue;
                    }
                    let memory = stimulus.memories.entry(*id).or_default();
                    let word = memory.entry(address).or_insert_with(|| vec![false; element as usize]);
                    word[(u64::from(*part * PART) + within) as usize] = value;
                }
            }
        }
    }

    /// What a run shows of the model: the value of every node in every cycle.
    pub fn wave(&self, program: &Program, inputs: &Inputs) -> Wave {
        let cycles = self.cycles(program, inputs);
        simulate::simulate(&self.model, &self.stimulus(inputs, cycles))
    }

    /// The other way round: what a run takes, one value after the other.
    pub fn taken(&self, stimulus: &Stimulus) -> Inputs {
        let part_of = |of: &HashMap<NodeId, Bits>, (id, part): (NodeId, u32)| {
            let from = (part * PART) as usize;
            let own = parts(self.model.width(id))[part as usize] as usize;
            of.get(&id).map_or(0, |bits| number(&bits[from..from + own]))
        };
        let mut inputs = Inputs::default();
        inputs.calls.extend(self.started.iter().map(|taken| part_of(&stimulus.started, *taken)));
        for cycle in &stimulus.cycles {
            inputs.calls.extend(self.inputs.iter().map(|taken| part_of(cycle, *taken)));
        }
        for (site, id, part) in &self.memories {
            let (model::Sort::Array { element, .. }, Some(places)) =
                (self.model.node(*id).sort, stimulus.memories.get(id))
            else {
                continue;
            };
            let (from, own) = ((part * PART) as usize, parts(element)[*part as usize]);
            let stride = u64::from(own.next_power_of_two().max(8));
            let contents = places.iter().map(|(address, word)| Content {
                bit_offset: address * stride,
                bits: own,
                value: number(&word[from..from + own as usize]),
            });
            inputs.contents.insert((*site, 0), contents.collect());
        }
        inputs
    }

    /// What comes from outside and what the model does, up to the first cycle in which it violates a claim. Nothing, if
    /// that does not come about.
    pub fn violation(&self, inputs: &Inputs, claim: ClaimId) -> Option<(Stimulus, simulate::Wave)> {
        let mut most = 16;
        while most <= LONGEST {
            let mut stimulus = self.stimulus(inputs, most);
            let mut wave = simulate::simulate(&self.model, &stimulus);
            if let Some(cycle) = wave.bad.iter().position(|bad| bad.get(claim.index()).copied().unwrap_or(false)) {
                stimulus.cycles.truncate(cycle + 1);
                wave.cut(cycle + 1);
                return Some((stimulus, wave));
            }
            if wave.excluded.is_some() {
                return None;
            }
            most *= 4;
        }
        None
    }

    /// The claims that a program of the model still makes, in order.
    pub fn claimed(program: &Program) -> Vec<ClaimId> {
        let statements = program.function(TOP).blocks.iter().flat_map(|block| &block.statements);
        let claimed = statements.filter_map(|statement| match statement.kind {
            StatementKind::Claim { claim, .. } => Some(claim),
            _ => None,
        });
        claimed.collect()
    }

    /// How many cycles a run begins.
    pub fn cycles(&self, program: &Program, inputs: &Inputs) -> usize {
        let execution = Interpreter::new(program).execute(inputs, &Limits::default(), Recording::Reached);
        let of_model = execution.reached.iter().find(|(function, _)| *function == TOP);
        of_model.and_then(|(_, blocks)| blocks.get(self.body.index())).map_or(0, |times| *times as usize)
    }

    /// Simulates the model itself, and insists that it does what a run did: it violates this claim in its last cycle, or none at all.
    ///
    /// # Errors
    ///
    /// What the model does instead.
    pub fn confirm(&self, program: &Program, inputs: &Inputs, violated: Option<ClaimId>) -> Result<(), String> {
        let wave = self.wave(program, inputs);
        let cycles = self.cycles(program, inputs);
        if let Some(cycle) = wave.excluded {
            return Err(format!("the model breaks a constraint in cycle {cycle} when it is simulated"));
        }
        if let Some(temporal) = &program.temporal {
            self.confirm_formula(temporal, &wave, inputs, violated)?;
        }
        let claimed = Hardware::claimed(program);
        let violated = violated.filter(|claim| claimed.contains(claim));
        for (cycle, bad) in wave.bad.iter().enumerate() {
            let is_last = cycle + 1 == cycles;
            for claim in &claimed {
                let expected = is_last && violated == Some(*claim);
                let known = bad.get(claim.index()).copied().unwrap_or(false);
                if known != expected && (!is_last || violated.is_none() || expected) {
                    let (id, what) =
                        (&program.claims[claim.index()].id, if known { "violates" } else { "does not violate" });
                    return Err(format!("the model {what} {id} in cycle {cycle} when it is simulated"));
                }
            }
        }
        Ok(())
    }

    /// Does the formula say of the simulated run what the program said of its own? If it repeats itself, the model must, too.
    fn confirm_formula(
        &self,
        temporal: &Temporal,
        wave: &Wave,
        inputs: &Inputs,
        violated: Option<ClaimId>,
    ) -> Result<(), String> {
        let told = violated == Some(temporal.claim);
        if violated.is_some() && !told {
            return Ok(());
        }
        let closing = inputs.closing.filter(|closing| !closing.is_horizon());
        let loop_start = closing.map(|closing| closing.back as usize);
        if let Some(start) = loop_start
            && !wave.comes_back_to(&self.model, start)
        {
            return Err(format!("the model does not come back to cycle {start} when it is simulated"));
        }
        let truth = |values: &Vec<Bits>| self.model.watched.iter().map(|id| values[*id][0]).collect();
        let span = Span::new(FileId(0), 0, 0);
        let positions = wave.cycles.iter().map(|values| Position { span, truth: truth(values) }).collect();
        let word = Word { positions, loop_start, ..Word::default() };
        match moments::holds(temporal, &word) {
            holds if holds == told => {
                let what = if holds { "holds" } else { "does not hold" };
                Err(format!("`{}` {what} when the model is simulated", temporal.formula.text))
            }
            _ => Ok(()),
        }
    }

    /// The program whose runs end after so many cycles: those that come there pass.
    pub fn ending(&self, program: &Program, cycles: u64) -> Program {
        let mut ending = program.clone().judging(Judged::Ending);
        let mut expr = |kind, like: ExprId, bits| {
            let ty = ending.expr(like).ty;
            ending.exprs.push(Expr { kind, bits, ty });
            ExprId(ending.exprs.len() as u32 - 1)
        };
        let width = program.expr(self.count).bits;
        let last = expr(ExprKind::Const(u128::from(cycles)), self.count, width);
        let condition = expr(ExprKind::Binary(BinaryOp::Eq, self.count, last), self.count, 1);
        let function = &mut ending.functions[TOP.index()];
        let span = function.span;
        let then = BlockId(function.blocks.len() as u32);
        function.blocks.push(Block { statements: Vec::new(), end: Terminator::Return { value: None, span } });
        let (role, decision) = (BranchRole::Internal, Decision::of_role(span, BranchRole::Internal));
        function.blocks[self.head.index()].end =
            Terminator::Branch { condition, then, otherwise: self.body, span, role, decision };
        ending
    }
}

impl Program {
    /// The same, of a model with a formula, where other runs are judged.
    #[must_use]
    pub fn judging(mut self, judged: Judged) -> Program {
        if let Some(temporal) = &self.temporal
            && let Some(cycles) = temporal.cycles
        {
            let cycles = Some(Cycles { judged, ..cycles });
            self.temporal = Some(Arc::new(Temporal { cycles, ..Temporal::clone(temporal) }));
        }
        self
    }
}

/// The number that at most 128 bits are.
fn number(bits: &[bool]) -> u128 {
    bits.iter().rev().fold(0, |value, bit| value << 1 | u128::from(*bit))
}
