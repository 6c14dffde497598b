//! What `explain` adds to the answer: the passing run, the differences, and what follows from them.

use nearmiss_explain::explanation::{
    Asked, Cause, Contrast, Delta, DeltaKind, Described, Executed, Judgement, Listing, Metric, Nearest,
    PredicateOrigin, Reason, Slice, SliceMethod, Suspect,
};
use nearmiss_program::program::AssumptionOrigin;
use nearmiss_program::program::{Author, Function};
use nearmiss_program::run::Closing;
use serde_json::{Map, Value, json};

use super::super::contrast::{at_place, condition, text_of, written};
use super::super::layout::{one_line, statement};
use super::super::pair::{Difference, Pair, mattering};
use super::super::reasons::Reasons;
use super::{Report, inputs, repeated, replayed, steps};

/// The keys; they are there even where nothing fails.
pub(crate) fn keys(contrast: Option<&Contrast>, report: &Report) -> Map<String, Value> {
    let slice = contrast.and_then(|contrast| contrast.slice.as_ref());
    let causes = contrast.and_then(|contrast| contrast.causes.as_ref());
    let causes_shown: Vec<Value> = causes.iter().flat_map(|causes| &causes.shown).map(cause).collect();
    let reasons = Reasons::of(report);
    let suspects = contrast.iter().flat_map(|contrast| &contrast.suspects).enumerate();
    let suspects: Vec<Value> = suspects.map(|(index, found)| suspect(index + 1, found, &reasons, report)).collect();
    let nearest_run = contrast.and_then(|contrast| Some((contrast, contrast.nearest.as_ref()?)));
    let own_run = slice.is_some_and(|slice| {
        !slice.deltas.is_empty() && nearest_run.is_some_and(|(found, run)| mattering(found, run).is_empty())
    });
    let all = json!({
        "nearest": contrast.and_then(|contrast| Some(nearest(contrast.nearest.as_ref()?, contrast, report))),
        "slice": slice.map(|found| self::slice(found, own_run, report)),
        "assumptions": contrast.map(|contrast| assumptions(contrast, report)).unwrap_or_default(),
        "causes": causes_shown,
        "hypotheses": causes.map(|causes| {
            json!({"candidates": causes.candidates, "causes": causes.found, "far": causes.far, "complete": causes.complete})
        }),
        "suspects": suspects,
    });
    let mut all = all;
    if let Some(contrast) = contrast.filter(|contrast| !contrast.asked.is_empty()) {
        all["asked"] = contrast.asked.iter().map(|asked| self::asked(asked, report)).collect();
    }
    if let Some(contrast) = contrast
        && let Some(description) = &contrast.description
    {
        all["predicates"] = description.predicates.iter().map(|found| predicate(found, report)).collect();
        all["refinements"] = json!(description.refinements);
        all["spurious"] = json!(description.spurious);
        all["predicate_notes"] = json!(description.notes);
        all["metric_reason"] = json!(contrast.metric_reason);
    }
    match all {
        Value::Object(keys) => keys,
        _ => Map::new(),
    }
}

fn nearest(found: &Nearest, contrast: &Contrast, report: &Report) -> Value {
    let pair = Pair::of(report);
    let differing = pair.as_ref().map(|pair| pair.differing(1)).unwrap_or_default();
    let mut object = json!({
        "distance": found.distance,
        "lower_bound": found.lower_bound,
        "proved_minimal": found.proved_minimal,
        "metric": match found.metric {
            Metric::Ssa => "ssa",
            Metric::Slice => "slice",
            Metric::Align => "align",
            Metric::Bytes => "bytes",
        },
        "state": if contrast.description.is_some() { "predicates" } else { "values" },
        "avoids_check": contrast.only_avoidance,
        "unwind": found.unwind,
        "deeper": found.deeper,
        "inputs": inputs(&found.named, &found.inputs, report.passing, report.sources),
        "steps": steps(&found.run, report.passing, report.sources, &differing),
        "replayed": replayed(report.passing.replay),
        "deltas": deltas(&found.deltas, report),
        "rows": pair.as_ref().map(|pair| rows(pair, report)).unwrap_or_default(),
    });
    if found.inputs.closing.is_some_and(Closing::is_horizon) {
        object["horizon"] = json!(found.unwind);
    } else if report.program.temporal.is_some() || found.inputs.closing.is_some() {
        object["loop"] = repeated(&found.run, report.passing, report.sources);
    }
    if let Some(depth) = contrast.depth {
        object["depth"] = json!(depth);
    }
    if let Some(weights) = found.weights {
        object["weights"] = json!([weights.component, weights.action, weights.control]);
    }
    if let Some(run) = &contrast.avoiding {
        let inputs = inputs(&run.named, &run.inputs, report.passing, report.sources);
        object["avoiding"] = json!({"distance": run.distance, "inputs": inputs, "guessed": run.guessed});
    }
    if let Some(all) = &found.all {
        object["all"] = sets(all, report);
        object["all_complete"] = json!(all.complete);
    }
    object
}

/// What differs at the statements of the differences, as the two runs did it: null where a run did not.
fn rows(pair: &Pair, report: &Report) -> Value {
    let row = |difference: &Difference| {
        let steps = pair.steps(difference.row);
        let told = steps.into_iter().flatten().next()?;
        let at = report.sources.position(told.step.span);
        let [failing, passing] = steps.map(|step| step.map(|told| told.text.as_str()));
        let [failing_time, passing_time] = steps.map(|step| step.map(|told| told.time));
        Some(json!({
            "file": at.file,
            "line": at.line,
            "function": report.program.function(told.step.function).name,
            "text": text_of(&told.step, report),
            "failing": failing,
            "passing": passing,
            "failing_time": failing_time,
            "passing_time": passing_time,
            "matters": difference.matters,
        }))
    };
    pair.differences.iter().filter_map(row).collect()
}

/// A hypothesis of the user's. `cause` is null where that is not known.
fn asked(asked: &Asked, report: &Report) -> Value {
    let (cause, run) = match &asked.judgement {
        Judgement::Cause(run) => (Some(true), Some(run)),
        Judgement::StillFails(run) => (Some(false), Some(run)),
        Judgement::DoesNotHold | Judgement::Invariant { .. } => (Some(false), None),
        Judgement::NeverSeen | Judgement::Unknown => (None, None),
    };
    let why = match &asked.judgement {
        Judgement::Cause(_) => "the nearest runs without it pass",
        Judgement::StillFails(_) => "the nearest run without it still fails",
        Judgement::DoesNotHold => "it does not hold in the failing run",
        Judgement::Invariant { one_of_ways: false } => "every run that comes to where it can be looked at has it",
        Judgement::Invariant { one_of_ways: true } => "every run that comes to the check this way, this time, has it",
        Judgement::NeverSeen => "the failing run never comes to a place where all of it has a value",
        Judgement::Unknown => "not found out",
    };
    let without = run.map(|run| {
        let inputs = inputs(&run.named, &run.inputs, report.passing, report.sources);
        json!({"distance": run.distance, "inputs": inputs, "comes_to_the_check": run.comes_there})
    });
    let before = asked.before.map(|span| report.sources.position(span));
    let before = before.map(|at| json!({"file": at.file, "line": at.line}));
    json!({"text": asked.text, "cause": cause, "why": why, "without": without, "before": before})
}

fn predicate(found: &Described, report: &Report) -> Value {
    let mut lines: Vec<u32> = found.places.iter().map(|(_, span)| report.sources.position(*span).line).collect();
    lines.sort_unstable();
    lines.dedup();
    let first = found.places.iter().map(|(_, span)| report.sources.position(*span)).min_by_key(|at| at.line);
    json!({
        "function": found.function.map(|function| report.program.function(function).name.clone()),
        "text": found.text,
        "file": first.as_ref().map(|at| at.file.clone()),
        "line": first.as_ref().map(|at| at.line),
        "lines": lines,
        "origin": match found.origin {
            PredicateOrigin::Claim => "claim",
            PredicateOrigin::Refinement => "refinement",
            PredicateOrigin::User => "user",
        },
    })
}

/// What matters. `own_run`: it was found along with a passing run of its own, and the values are that run's.
fn slice(found: &Slice, own_run: bool, report: &Report) -> Value {
    let mut object = json!({
        "method": match found.method {
            SliceMethod::TwoPhase => "two-phase",
            SliceMethod::OneStep => "one-step",
            SliceMethod::None => "none",
        },
        "deltas": deltas(&found.deltas, report),
        "routes": found.routes.as_ref().map_or_else(|| json!([]), |routes| sets(routes, report)),
        "avoids_check": found.avoids_check,
        "proved_minimal": found.proved_minimal,
        "own_run": own_run,
    });
    if let Some(routes) = &found.routes {
        object["routes_complete"] = json!(routes.complete);
    }
    object
}

fn sets(listing: &Listing, report: &Report) -> Value {
    listing.sets.iter().map(|set| deltas(set, report)).collect()
}

fn deltas(found: &[Delta], report: &Report) -> Value {
    found.iter().map(|found| delta(found, report)).collect()
}

/// What differs, in a word.
pub(crate) fn kind(kind: DeltaKind) -> &'static str {
    match kind {
        DeltaKind::Input => "input",
        DeltaKind::Value => "value",
        DeltaKind::Guard => "guard",
        DeltaKind::Predicate => "predicate",
        DeltaKind::Action => "action",
        DeltaKind::Control => "control",
    }
}

fn delta(found: &Delta, report: &Report) -> Value {
    let at = report.sources.position(found.span);
    let (failing, passing) = match (found.kind, &found.texts) {
        (_, Some([failing, passing])) => (failing.clone(), passing.clone()),
        (DeltaKind::Guard, _) => (found.failing.to_string(), found.passing.to_string()),
        (DeltaKind::Control, _) => {
            let taken = |executed: Executed| u8::from(found.executed == executed).to_string();
            (taken(Executed::Failing), taken(Executed::Passing))
        }
        _ => (report.failing.value(found.ty, found.failing), report.passing.value(found.ty, found.passing)),
    };
    let mut object = json!({
        "kind": kind(found.kind),
        "name": found.name,
        "variable": found.variable,
        "text": match found.kind {
            DeltaKind::Guard => condition(found.span, report),
            DeltaKind::Action => written(found.span, report),
            DeltaKind::Predicate => found.variable.clone(),
            _ => at_place(found.span, report),
        },
        "failing": failing,
        "passing": passing,
        "executed": match found.executed {
            Executed::Both => "both",
            Executed::Failing => "failing",
            Executed::Passing => "passing",
            Executed::Neither => "neither",
        },
        "file": at.file,
        "line": at.line,
        "function": report.program.function(found.function).name,
    });
    if let Some([failing, passing]) = found.steps {
        object["step"] = json!(failing);
        object["passing_step"] = json!(passing);
    }
    if let Some(span) = found.passing_span {
        let at = report.sources.position(span);
        object["passing_file"] = json!(at.file);
        object["passing_line"] = json!(at.line);
    }
    if found.trusted {
        object["trusted"] = json!(true);
    }
    object
}

fn assumptions(contrast: &Contrast, report: &Report) -> Value {
    let shown = crate::contrast::with_times(contrast).map(|(assumption, when)| {
        let at = report.sources.position(assumption.span);
        let mut object = json!({
            "text": one_line(&assumption.text),
            "file": at.file,
            "line": at.line,
            "origin": match assumption.origin {
                AssumptionOrigin::Precondition | AssumptionOrigin::Expected | AssumptionOrigin::Entrance => "precondition",
                AssumptionOrigin::User => "user",
            },
        });
        if assumption.origin == AssumptionOrigin::Entrance {
            object["entrance"] = json!(true);
        }
        if !when.times.is_empty() {
            object["times"] = json!(when.times.iter().map(|(failing, _)| failing).collect::<Vec<_>>());
        }
        if when.one_of_ways {
            object["one_of_ways"] = json!(true);
        }
        object
    });
    shown.collect()
}

fn cause(found: &Cause) -> Value {
    let Cause { text, variables, implies, in_passing_run } = found;
    json!({"text": text, "variables": variables, "implies": implies, "in_passing_run": in_passing_run})
}

/// The function around a line: what is passed to a function stands in the one that calls it.
fn around<'r>(found: &Suspect, report: &'r Report) -> &'r Function {
    let before = |function: &&Function| {
        function.author == Author::User
            && function.span.file == found.span.file
            && function.span.start <= found.span.start
            && !function.blocks.is_empty()
    };
    let nearest = report.program.functions.iter().filter(before).max_by_key(|function| function.span.start);
    nearest.unwrap_or_else(|| report.program.function(found.function))
}

pub(super) fn suspect(rank: usize, found: &Suspect, reasons: &Reasons, report: &Report) -> Value {
    let at = report.sources.position(found.span);
    let because: Vec<&str> = (found.because.iter())
        .map(|reason| match reason {
            Reason::Slice => "slice",
            Reason::Difference => "difference",
            Reason::DifferenceElsewhere => "difference-elsewhere",
            Reason::OnlyFailing => "only-failing",
            Reason::OnlyPassing => "only-passing",
            Reason::Cause(_) => "cause",
            Reason::Repair => "repair",
            Reason::Freed => "freed",
            Reason::Focus => "focus",
            Reason::Edit(_) => "edit",
            Reason::Check => "check",
            Reason::Depends => "depends",
            Reason::Fix(_) => "fix",
            Reason::Mends(..) => "mends",
            Reason::Tests { .. } => "tests",
        })
        .collect();
    let causes: Vec<&String> = (found.because.iter())
        .filter_map(|reason| match reason {
            Reason::Cause(text) => Some(text),
            _ => None,
        })
        .collect();
    let mut object = json!({
        "rank": rank,
        "file": at.file,
        "line": at.line,
        "function": around(found, report).name,
        "text": statement(report.sources.line_text(found.span)),
        "because": because,
        "rescues": found.rescues.map(|(saved, of)| json!({"failing_runs": saved, "of": of})),
        "reasons": reasons.words(found),
    });
    if !causes.is_empty() {
        object["causes"] = json!(causes);
    }
    object
}
