//! The runs that edits are executed on.

use std::collections::HashSet;

use nearmiss_logic::width::low_bits;
use nearmiss_program::interp::{Interpreter, Limits, Oracle, Recording};
use nearmiss_program::program::{ClaimId, ClaimKind, Program, Site, SiteId, Type, TypeId};
use nearmiss_program::run::{Content, Inputs, Outcome, Run, RunStepKind};
use nearmiss_program::source::{FileId, Sources, Span};

use crate::check;

/// So many runs with inputs by chance are tried.
const CHANCES: u64 = 60;
/// So many runs are made of known ones, of so many of these.
const NEIGHBOURS: usize = 400;
const MOST_SEEDS: usize = 12;
/// So many runs of a kind are enough.
const MOST_PASSING: usize = 60;
const MOST_FAILING: usize = 20;
/// So many steps more than the original an edited program may take, and so many times as many.
const MORE_STEPS: u64 = 2_000;
const TIMES_STEPS: u64 = 8;
/// Runs by chance that take more steps are left out.
const MOST_STEPS: u64 = 20_000;

/// A run of the original program.
struct Known {
    inputs: Inputs,
    /// Contents of undefined objects, by what stands in the text.
    contents: Vec<(SiteKey, u32, Vec<Content>)>,
    fails: bool,
    steps: u64,
    /// What it does, if it passes.
    does: Vec<Deed>,
}

/// What tells a site in another program.
#[derive(Clone, PartialEq, Eq)]
struct SiteKey {
    span: Span,
    name: String,
    function: String,
}

impl SiteKey {
    fn of(site: &Site) -> SiteKey {
        SiteKey { span: site.span, name: site.name.clone(), function: site.function.clone() }
    }
}

/// Something that a run does: where, and with which value.
type Deed = (Span, u128);

/// The runs so far.
pub(super) struct Runs {
    known: Vec<Known>,
    /// The claim that must still be come to, by what stands in the text; none where no run that passes comes to it.
    claim: Option<(Span, ClaimKind)>,
    properties: Vec<String>,
}

impl Runs {
    /// The failing run.
    pub(super) fn of(program: &Program, claim: ClaimId, failing: &Inputs, properties: &[String]) -> Runs {
        let of = &program.claims[claim.index()];
        let mut runs =
            Runs { known: Vec::new(), claim: Some((of.span, of.kind.clone())), properties: properties.to_vec() };
        // What is violated wherever it is come to is only passed by not coming there.
        if of.text == "0" || of.text == "false" || of.text.ends_with("() is not called") {
            runs.claim = None;
        }
        let execution = Interpreter::new(program).execute(failing, &Limits::default(), Recording::Outcome);
        runs.push(program, failing, true, execution.steps, Vec::new());
        runs
    }

    fn push(&mut self, program: &Program, inputs: &Inputs, fails: bool, steps: u64, does: Vec<Deed>) {
        let key = |site: &SiteId| SiteKey::of(&program.sites[site.index()]);
        let contents = inputs.contents.iter().map(|((site, count), of)| (key(site), *count, of.clone())).collect();
        self.known.push(Known { inputs: inputs.clone(), contents, fails, steps, does });
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn passing(&self) -> usize {
        self.known.iter().filter(|known| !known.fails).count()
    }

    /// Adds a run of the original program that passes.
    pub(super) fn add_passing(&mut self, program: &Program, inputs: &Inputs) {
        let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
        let execution = Interpreter::new(program).execute(inputs, &limits, Recording::Steps);
        if execution.run.outcome == Outcome::Finished && inputs.closing.is_none() {
            self.push(program, inputs, false, execution.steps, deeds(&execution.run));
        }
    }

    /// Adds runs with inputs by chance, those that fail too.
    pub(super) fn add_by_chance(&mut self, program: &Program) {
        let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
        for seed in 0..CHANCES {
            let mut chance =
                Chance { program, state: 0x9e37_79b9_7f4a_7c15 ^ (seed << 32 | seed), seed, drawn: Inputs::default() };
            let outcome = Interpreter::new(program).ask(&mut chance, &limits).run.outcome;
            let inputs = chance.drawn;
            match outcome {
                Outcome::Finished => self.add_passing(program, &inputs),
                Outcome::Violated(claim) if self.is_meant(program, claim) => {
                    let steps = Interpreter::new(program).execute(&inputs, &limits, Recording::Outcome).steps;
                    self.push(program, &inputs, true, steps, Vec::new());
                }
                _ => {}
            }
        }
    }

    /// Adds runs whose inputs are those of known runs but for one or two, which are numbers of the text, or one beside.
    pub(super) fn add_neighbours(&mut self, program: &Program, numbers: &[u128]) {
        let limits = Limits { steps: MOST_STEPS, ..Limits::default() };
        let seeds: Vec<Inputs> = self.known.iter().take(MOST_SEEDS).map(|known| known.inputs.clone()).collect();
        let mut chance = Chance { program, state: 0x2545_f491_4f6c_dd1d, seed: u64::MAX, drawn: Inputs::default() };
        let (mut passing, mut failing) = (self.passing(), self.len() - self.passing());
        for number in 0..NEIGHBOURS {
            let mut inputs = seeds[number % seeds.len()].clone();
            for _ in 0..1 + chance.random() % 2 {
                chance.change(&mut inputs, numbers);
            }
            let outcome = Interpreter::new(program).execute(&inputs, &limits, Recording::Outcome).run.outcome;
            match outcome {
                Outcome::Finished if passing < MOST_PASSING => {
                    self.add_passing(program, &inputs);
                    passing += 1;
                }
                Outcome::Violated(claim) if failing < MOST_FAILING && self.is_meant(program, claim) => {
                    let steps = Interpreter::new(program).execute(&inputs, &limits, Recording::Outcome).steps;
                    self.push(program, &inputs, true, steps, Vec::new());
                    failing += 1;
                }
                _ => {}
            }
        }
    }

    /// The lines that every failing run executes.
    pub(super) fn executed(&self, program: &Program, sources: &Sources) -> HashSet<(FileId, u32)> {
        let interpreter = Interpreter::new(program);
        let mut lines: Option<HashSet<(FileId, u32)>> = None;
        for known in self.known.iter().filter(|known| known.fails) {
            let (_, trace) = interpreter.follow(&known.inputs, &Limits::default());
            let mut here = HashSet::new();
            for event in &trace.events {
                let (first, last) = (event.span.start, event.span.end);
                let of = |at: u32| sources.physical_line(event.span.file, at);
                here.extend((of(first)..=of(last)).map(|line| (event.span.file, line)));
            }
            lines = Some(match lines {
                Some(lines) => lines.intersection(&here).copied().collect(),
                None => here,
            });
        }
        lines.unwrap_or_default()
    }

    fn is_meant(&self, program: &Program, claim: ClaimId) -> bool {
        let of = &program.claims[claim.index()];
        self.claim.as_ref().is_none_or(|(span, kind)| (of.span, &of.kind) == (*span, kind))
    }

    /// Adds a run that an edited program fails on, if the original one takes it.
    pub(super) fn add_failing(&mut self, original: &Program, edited: &Program, inputs: &Inputs) {
        let mut own = Inputs { calls: inputs.calls.clone(), ..Inputs::default() };
        for ((site, count), contents) in &inputs.contents {
            let key = SiteKey::of(&edited.sites[site.index()]);
            if let Some(at) = original.sites.iter().position(|site| SiteKey::of(site) == key) {
                own.contents.insert((SiteId(at as u32), *count), contents.clone());
            }
        }
        let execution = Interpreter::new(original).execute(&own, &Limits::default(), Recording::Steps);
        match execution.run.outcome {
            Outcome::Finished => self.push(original, &own, false, execution.steps, deeds(&execution.run)),
            Outcome::Violated(_) => self.push(original, &own, true, execution.steps, Vec::new()),
            _ => {}
        }
    }

    /// How many passing runs, from this one on, an edited program changes; none if some run speaks against it.
    pub(super) fn changed_by(&self, edited: &Program, from: usize) -> Option<usize> {
        let narrowed = check::narrow(edited, &self.properties).ok()?;
        let edited = narrowed.as_ref().unwrap_or(edited);
        let interpreter = Interpreter::new(edited);
        let is_claim = |(span, kind): &(Span, ClaimKind)| {
            edited.claims.iter().position(|claim| claim.span == *span && claim.kind == *kind)
        };
        let claim = self.claim.as_ref().map(is_claim);
        let mut changed = 0;
        for known in &self.known[from.min(self.known.len())..] {
            let inputs = known.inputs_of(edited);
            let steps = known.steps * TIMES_STEPS + MORE_STEPS;
            let limits = Limits { steps, ..Limits::default() };
            let recording = if known.fails { Recording::Outcome } else { Recording::Steps };
            let execution = interpreter.execute(&inputs, &limits, recording);
            if execution.run.outcome != Outcome::Finished || execution.run.strayed {
                return None;
            }
            // Not to come to the claim any more is no fix.
            if known.fails && claim.is_some_and(|claim| claim.is_none_or(|claim| !execution.come[claim])) {
                return None;
            }
            changed += usize::from(!known.fails && deeds(&execution.run) != known.does);
        }
        Some(changed)
    }
}

impl Known {
    /// The same inputs for another program.
    fn inputs_of(&self, program: &Program) -> Inputs {
        let mut inputs = Inputs { calls: self.inputs.calls.clone(), ..Inputs::default() };
        for (key, count, contents) in &self.contents {
            if let Some(at) = program.sites.iter().position(|site| SiteKey::of(site) == *key) {
                inputs.contents.insert((SiteId(at as u32), *count), contents.clone());
            }
        }
        inputs
    }
}

/// What a run does: what it sets and returns.
fn deeds(run: &Run) -> Vec<Deed> {
    let deed = |step: &nearmiss_program::run::RunStep| match &step.kind {
        RunStepKind::Assign { value, .. } => Some((step.span, *value)),
        RunStepKind::Return { value: Some((_, value)) } => Some((step.span, *value)),
        _ => None,
    };
    run.steps.iter().filter_map(deed).collect()
}

/// Inputs by chance, the same ones every time.
struct Chance<'p> {
    program: &'p Program,
    state: u64,
    seed: u64,
    drawn: Inputs,
}

impl Chance<'_> {
    fn random(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }

    /// Another value for one of the inputs.
    fn change(&mut self, inputs: &mut Inputs, numbers: &[u128]) {
        let value = match numbers.len() {
            0 => self.number(128),
            many => {
                let near = numbers[self.random() as usize % many];
                match self.random() % 4 {
                    0 => near.wrapping_add(1),
                    1 => near.wrapping_sub(1),
                    2 => self.number(64),
                    _ => near,
                }
            }
        };
        let all = inputs.calls.len() + inputs.contents.len();
        let Some(at) = (self.random() as usize).checked_rem(all) else { return };
        match at.checked_sub(inputs.calls.len()) {
            // Its width is not known here: the machine cuts it.
            None => inputs.calls[at] = value & low_bits(64),
            Some(at) => {
                if let Some(content) = inputs.contents.values_mut().nth(at).and_then(|contents| contents.first_mut()) {
                    content.value = value & low_bits(content.bits);
                }
            }
        }
    }

    /// Small numbers, characters, and anything.
    fn number(&mut self, bits: u32) -> u128 {
        let kind = if self.seed < 8 { 0 } else { self.random() % 5 };
        let value = match kind {
            0 => self.random() % 4,
            1 => 32 + self.random() % 96,
            2 => self.random() % 16,
            3 => self.random() % 1024,
            _ => self.random(),
        };
        u128::from(value) & low_bits(bits)
    }
}

impl Oracle for Chance<'_> {
    fn value(&mut self, _: SiteId, ty: TypeId) -> u128 {
        let value = match self.program.ty(ty) {
            // NULL, or a pointer to what the site makes.
            Type::Pointer { .. } => 0,
            _ => self.number(self.program.size_bits(ty).min(128) as u32),
        };
        self.drawn.calls.push(value);
        value
    }

    fn contents(&mut self, site: SiteId, earlier: u32) -> Vec<Content> {
        let ty = self.program.sites[site.index()].ty;
        let bits = self.program.size_bits(ty);
        let value = match self.program.ty(ty) {
            Type::Integer { .. } => self.number(bits.min(128) as u32),
            _ => 0,
        };
        let contents =
            vec![Content { bit_offset: 0, bits: bits.min(64) as u32, value: value & low_bits(bits.min(64) as u32) }];
        self.drawn.contents.insert((site, earlier), contents.clone());
        contents
    }
}
