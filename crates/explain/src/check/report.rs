//! What is told of a check: the claims and bounds, and the failing run, which is replayed before anybody sees it.

use std::collections::{HashMap, VecDeque};

use super::question::{Behind, Findings, Shown};
use super::{CheckError, CheckOptions, ShortBound, Smallness, note};
use crate::equation::Bound;
use crate::explanation::{
    ClaimReport, Counterexample, Explanation, Minimised, Open, Stats, Status, Verdict, named_inputs,
};
use crate::method::formula_causes;
use crate::recheck;
use crate::symex;
use nearmiss_program::interp::Limits;
use nearmiss_program::program::{ClaimId, ClaimKind, GlobalInit, Program, SiteId, Type, TypeId};
use nearmiss_program::run::{Inputs, Run, RunStep, RunStepKind};
use nearmiss_program::show;
use nearmiss_program::source::{Diagnostic, Severity, Span};

/// Puts together what was found.
pub(super) fn report(
    program: &Program,
    options: &CheckOptions,
    findings: Findings,
    stats: Stats,
    smallness: Option<Smallness>,
) -> Result<Explanation, CheckError> {
    let covered = findings.wanted.is_empty() && !findings.interrupted && findings.unsupported.is_none();
    // Where it is open how far loops go, nothing else is settled.
    let reached = findings.unsure.iter().all(|open| open.claim.is_some());
    let settled = (covered || (findings.as_asked && !findings.interrupted)) && reached;
    let complete = covered && reached;
    let mut claims = claims(program, options, &findings, settled);
    let bounds = bounds(options, &findings);
    let insufficient = bounds.iter().position(|bound| bound.status == Status::Fails).map(|at| claims.len() + at);
    claims.extend(bounds);
    let notes = notes(program, &findings, settled);
    let counterexample = match &findings.shown {
        Some(shown) => Some(replayed(program, options, shown, smallness)?),
        None => None,
    };
    let before = before(program, options, &findings, settled)?;
    let dots = match (&program.temporal, &counterexample, &findings.shown) {
        (Some(temporal), Some(found), Some(shown)) if shown.claim == temporal.claim => {
            let stop = options.stop.clone();
            let dots = found.run.word.as_ref().map(|word| formula_causes::formula_causes(temporal, word, stop));
            dots.transpose().map_err(CheckError::Internal)?
        }
        _ => None,
    };
    let property = findings.shown.as_ref().map(|shown| shown.claim.index()).or(insufficient);
    let verdict = match property {
        Some(_) => Verdict::Fails,
        None if settled && (before.is_some() || !findings.unsure.is_empty()) => Verdict::Undecided,
        None if !findings.hard.is_empty() => Verdict::Undecided,
        None if settled && !complete && leaves_open(program, options) => Verdict::Undecided,
        None if settled => Verdict::Holds,
        None => Verdict::Undecided,
    };
    let unwind = findings.unwind;
    let contrast = None;
    let endless = findings.endless.is_some();
    let vacuous = match verdict {
        // Where a bound is too small, it may be the bound that keeps runs away.
        Verdict::Holds if findings.wanted.is_empty() => findings.vacuous.iter().map(|claim| claim.index()).collect(),
        _ => Vec::new(),
    };
    Ok(Explanation {
        verdict,
        complete,
        unwind,
        claims,
        property,
        counterexample,
        dots,
        contrast,
        notes,
        fixes: None,
        same_inputs: None,
        stats,
        left_open: findings.unsure,
        before,
        vacuous,
        endless,
        tests: None,
        changes: None,
        crash: None,
        printed: None,
    })
}

/// Is nothing decided where some execution goes beyond the bound? A formula is always judged up to one.
fn leaves_open(program: &Program, options: &CheckOptions) -> bool {
    let is_given = options.unwind.is_some() || !options.unwindset.is_empty();
    is_given && options.short_bound == ShortBound::LeavesOpen && program.temporal.is_none()
}

/// A run that violates another claim before the one that was asked for, if that alone keeps it undecided.
fn before(
    program: &Program,
    options: &CheckOptions,
    findings: &Findings,
    settled: bool,
) -> Result<Option<Counterexample>, CheckError> {
    if !settled || options.properties.is_empty() || !findings.failing.is_empty() {
        return Ok(None);
    }
    let Some(Behind { first, inputs, .. }) = findings.behind.first() else { return Ok(None) };
    let run = recheck::replay(program, inputs, *first, &Limits::default()).map_err(CheckError::Internal)?;
    Ok(Some(counterexample(program, inputs.clone(), run)))
}

/// The claims of the program, in order.
fn claims(program: &Program, options: &CheckOptions, findings: &Findings, settled: bool) -> Vec<ClaimReport> {
    let claims = program.claims.iter().enumerate();
    let is_unsure = |index: usize| {
        let id = ClaimId(index as u32);
        findings.hard.contains(&id)
            || findings.behind_hard.contains(&id)
            || findings.unsure.iter().any(|open| open.claim == Some(index))
    };
    claims
        .map(|(index, claim)| {
            let behind = findings.behind.iter().find(|behind| behind.claim.index() == index);
            (index, claim, behind.filter(|_| settled && is_wanted(&claim.id, &options.properties)))
        })
        .map(|(index, claim, behind)| ClaimReport {
            id: claim.id.clone(),
            kind: claim.kind,
            text: claim.text.clone(),
            span: claim.span,
            function: claim.function.clone(),
            status: match findings.failing.binary_search(&ClaimId(index as u32)) {
                Ok(_) => Status::Fails,
                Err(_) if behind.is_some() || is_unsure(index) => Status::Undecided,
                Err(_) if settled && is_wanted(&claim.id, &options.properties) => Status::Holds,
                Err(_) => Status::Undecided,
            },
            unless: behind.map(|behind| behind.first.index()),
            after: (findings.after.iter()).find(|(claim, _)| claim.index() == index).map(|(_, first)| first.index()),
        })
        .collect()
}

/// The bounds that were hit, as claims that they suffice.
fn bounds(options: &CheckOptions, findings: &Findings) -> Vec<ClaimReport> {
    let claim = |(bound, span, function): &(Bound, Span, String)| {
        let (id, text) = match bound {
            Bound::Loop(id) => {
                let (name, number) = id.rsplit_once('.').unwrap_or((id, "0"));
                (format!("{name}.unwind.{number}"), format!("the loop {id} ends within the bound"))
            }
            Bound::Recursion(name) => {
                (format!("{name}.recursion"), format!("the recursion of {name} ends within the bound"))
            }
            Bound::Depth => (format!("{function}.depth"), format!("at most {} calls are under way", symex::MOST_CALLS)),
            Bound::Allocation => {
                (format!("{function}.allocation"), "sizes of objects that are inputs stay within the bound".to_owned())
            }
        };
        let is_wanted = findings.wanted.contains(bound);
        let behind = findings.wanted_behind.iter().find(|(behind, _)| behind == bound).filter(|_| !is_wanted);
        let status = match is_wanted {
            true if options.short_bound == ShortBound::Fails => Status::Fails,
            true => Status::Undecided,
            false if findings.interrupted || behind.is_some() => Status::Undecided,
            false => Status::Holds,
        };
        ClaimReport {
            id,
            kind: ClaimKind::Unwinding,
            text,
            span: *span,
            function: function.clone(),
            status,
            unless: behind.map(|(_, first)| first.index()),
            after: None,
        }
    };
    findings.hit.iter().map(claim).collect()
}

/// What a reader should know besides.
fn notes(program: &Program, findings: &Findings, settled: bool) -> Vec<Diagnostic> {
    let mut notes = program.notes.clone();
    if findings.shown.is_none() {
        notes.extend(findings.renewed.iter().map(|span| {
            let message =
                "this loop allocates in each round; a run that keeps what it allocated is not seen to repeat itself";
            Diagnostic::error(*span, message).at(Severity::Note)
        }));
    }
    if !findings.failing.is_empty() {
        notes.extend(findings.unsure.iter().map(|open| {
            let rest = match open.why {
                Open::WritesPointers | Open::UnseenPointer => "the other claims",
                Open::NoModel | Open::ManyPoints => "how far loops go",
            };
            let what = open.claim.map_or(rest, |index| &program.claims[index].id);
            let of = if open.header.is_empty() { String::new() } else { format!(" of {}", open.header) };
            let message = format!("{}{of} leaves {what} undecided", open.function);
            Diagnostic::error(open.span, message).at(Severity::Note)
        }));
    }
    notes.extend(findings.hard.iter().map(|id| {
        let claim = &program.claims[id.index()];
        let message = format!("{} waits for the solver, which had no answer in time", claim.id);
        Diagnostic::error(claim.span, message).at(Severity::Note)
    }));
    notes.extend(findings.behind_hard.iter().filter(|_| settled).map(|id| {
        let claim = &program.claims[id.index()];
        let message = format!(
            "{} holds unless a claim is violated before it for which the solver had no answer in time",
            claim.id
        );
        Diagnostic::error(claim.span, message).at(Severity::Note)
    }));
    notes.extend(findings.refused.iter().map(|span| {
        let most = program.pointer.max_object_size();
        let message = format!("what is allocated here has at most {most} bytes; an allocation of more gives NULL");
        Diagnostic::error(*span, message).at(Severity::Note)
    }));
    notes.extend(findings.endless.clone());
    if findings.wanted.contains(&Bound::Depth) {
        let most = symex::MOST_CALLS;
        notes.push(note(format!("some execution has more than {most} calls under way, which is as deep as we go")));
    }
    if let (Some((what, span)), false) = (&findings.unsupported, findings.failing.is_empty()) {
        notes.push(Diagnostic::error(*span, format!("not supported: {what}")).at(Severity::Note));
    }
    notes
}

/// The failing run, once it was executed, without what nothing depends on.
fn replayed(
    program: &Program,
    options: &CheckOptions,
    shown: &Shown,
    smallness: Option<Smallness>,
) -> Result<Counterexample, CheckError> {
    // Not to be interrupted: a failing run is worth nothing before it was replayed.
    let limits = Limits::default();
    let run = recheck::replay(program, &shown.inputs, shown.claim, &limits).map_err(CheckError::Internal)?;
    let read = without_idle_contents(program, &shown.inputs, &run);
    let mut made = None;
    // What is left out must change nothing that happens.
    for inputs in [without_registers(program, &read), read] {
        let fewer = recheck::replay(program, &inputs, shown.claim, &limits);
        if let Some(fewer) = fewer.ok().filter(|fewer| events(fewer) == events(&run)) {
            made = Some(counterexample(program, inputs, fewer));
            break;
        }
    }
    let made = made.unwrap_or_else(|| counterexample(program, shown.inputs.clone(), run));
    Ok(match smallness {
        Some(Smallness { lower_bound, .. }) => Counterexample { minimised: options.minimise, lower_bound, ..made },
        None => made,
    })
}

/// The inputs without the undefined contents that the failing run never reads: they would be noise. (A symbolic index or a
/// join looks at contents that the failing run itself does not come to.)
fn without_idle_contents(program: &Program, inputs: &Inputs, run: &Run) -> Inputs {
    let mut steps: HashMap<SiteId, VecDeque<(&str, bool)>> = HashMap::new();
    for step in &run.steps {
        if let RunStepKind::Input { site, name, .. } = &step.kind {
            steps.entry(*site).or_default().push_back((name, step.idle));
        }
    }
    let mut kept = inputs.clone();
    // In the order in which objects of a site come to life, and in that of their pieces.
    for (&(site, _), pieces) in &mut kept.contents {
        let Some(steps) = steps.get_mut(&site) else {
            pieces.clear();
            continue;
        };
        pieces.retain(|piece| {
            let (name, _) = show::content_name(program, site, piece.bit_offset, u64::from(piece.bits));
            // What the run does not come to has no step.
            let own = steps.front().filter(|(told, _)| *told == name).copied();
            own.is_some_and(|(_, idle)| steps.pop_front().is_some() && !idle)
        });
    }
    kept.contents.retain(|_, pieces| !pieces.is_empty());
    kept
}

/// What happens in a run, its inputs aside.
fn events(run: &Run) -> Vec<&RunStep> {
    run.steps.iter().filter(|step| !matches!(step.kind, RunStepKind::Input { .. })).collect()
}

/// The inputs without what registers hold at first: each read of one is an input of its own.
fn without_registers(program: &Program, inputs: &Inputs) -> Inputs {
    let registers = program.globals.iter().filter(|global| global.address.is_some());
    let sites: Vec<SiteId> = registers
        .filter_map(|global| match global.init {
            GlobalInit::Unknown(site) => Some(site),
            GlobalInit::Known(_) => None,
        })
        .collect();
    let mut fewer = inputs.clone();
    fewer.contents.retain(|(site, _), _| !sites.contains(site));
    fewer
}

fn is_wanted(id: &String, properties: &[String]) -> bool {
    properties.is_empty() || properties.contains(id)
}

/// A failing run with its size, before anybody has made it small.
pub(crate) fn counterexample(program: &Program, inputs: Inputs, run: Run) -> Counterexample {
    let (mut length, mut sum) = (0, 0u128);
    for step in &run.steps {
        let counted = match &step.kind {
            RunStepKind::Input { ty, value, .. } => Some((*ty, *value)),
            RunStepKind::Assign { ty, value, .. } => {
                length += 1;
                Some((*ty, *value))
            }
            RunStepKind::Branch { .. } | RunStepKind::Claim { held: false, .. } => {
                length += 1;
                None
            }
            RunStepKind::Call { .. } | RunStepKind::Return { .. } | RunStepKind::Claim { .. } => None,
        };
        if let Some((ty, value)) = counted {
            sum = sum.saturating_add(magnitude(program, ty, value));
        }
    }
    let named = named_inputs(&run);
    let (minimised, proved_minimal, lower_bound) = (Minimised::None, false, None);
    Counterexample { inputs, named, run, length, sum, minimised, proved_minimal, lower_bound }
}

/// |x| of an integer; 0 for everything else.
fn magnitude(program: &Program, ty: TypeId, value: u128) -> u128 {
    match program.ty(ty) {
        Type::Integer { bits, signed: true, .. } | Type::Enum { bits, signed: true, .. } => {
            let shift = 128 - bits;
            ((value << shift) as i128 >> shift).unsigned_abs()
        }
        Type::Integer { .. } | Type::Enum { .. } | Type::Bool => value,
        _ => 0,
    }
}
