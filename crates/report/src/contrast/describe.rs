//! Differences in words: in the user's names and lines, never in ours.

use std::collections::{BTreeMap, BTreeSet};

use nearmiss_explain::explanation::{ASSERTION_FAILURE, Delta, DeltaKind, Executed, InputValue, Metric, Nearest};
use nearmiss_program::c::console::STDIN;
use nearmiss_program::program::{Asker, ClaimKind, SiteId};
use nearmiss_program::run::{Run, RunStep, RunStepKind};
use nearmiss_program::source::{FileId, Span};

use super::super::layout::{equation, is_case, one_line, ordinal, outcome, short_names, shorten, statement};
use super::super::{Report, Side};
pub(crate) use crate::pair::is_visible;
use crate::{calls, versions};

/// A condition of the program is cut off here.
const LONGEST_CONDITION: usize = 48;

/// `line 12`, or `other.c:12` where the claim is in another file.
pub(crate) fn place(span: Span, report: &Report) -> String {
    let claim = report.explanation.property.map(|i| report.explanation.claims[i].span.file);
    place_from(span, claim, report)
}

/// The same for a reader who looks at some file.
pub(crate) fn place_from(span: Span, seen: Option<FileId>, report: &Report) -> String {
    let at = report.sources.position(span);
    if seen == Some(span.file) {
        return format!("line {}", at.line);
    }
    let files = report.sources.files().filter(|(_, file)| !file.system);
    let short = short_names(files.map(|(_, file)| file.name.as_str()));
    format!("{}:{}", short(&at.file), at.line)
}

/// What a step is about, as it is written: the condition of a branch, else its text.
pub(crate) fn text_of(step: &RunStep, report: &Report) -> String {
    match step.kind {
        RunStepKind::Branch { .. } => condition(step.span, report),
        _ => written(step.span, report),
    }
}

/// The text of a place.
pub(crate) fn written(span: Span, report: &Report) -> String {
    one_line(report.sources.text(report.sources.balanced(span)))
}

/// The text of a statement, or of a condition.
pub(crate) fn at_place(span: Span, report: &Report) -> String {
    match report.sources.hides_condition(span) {
        true => report.sources.condition(span),
        false => one_line(report.sources.text(span)),
    }
}

/// The condition of a branch as it is written; of a case, its label.
pub(crate) fn condition(span: Span, report: &Report) -> String {
    let text = report.sources.condition(span);
    match text.split_once(':') {
        Some((label, _)) if is_case(&text) => label.trim_end().to_owned(),
        _ => text,
    }
}

/// Whether the line of a condition does not say that its truth is meant: it is a part of one, or asked for by an expression, or
/// the line asks for another one as well.
pub(crate) fn is_hidden(step: &RunStep, report: &Report) -> bool {
    match step.kind {
        RunStepKind::Branch { of, .. } => {
            of.asker == Asker::Value || calls::is_part(step) || !is_only_one(step.span, report)
        }
        _ => false,
    }
}

/// Whether a condition stands behind the one word of its line that asks for one, or is a `case`.
fn is_only_one(span: Span, report: &Report) -> bool {
    let line = report.sources.line_text(span);
    let before = &line[..report.sources.position(span).column as usize - 1];
    let asks = |text: &str| {
        let text = statement(text);
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|word| ["if", "while", "for", "switch", "case", "default"].contains(word)).count()
    };
    asks(line) == 1 && (asks(before) == 1 || asks(report.sources.text(span)) == 1) && !statement(line).contains('?')
}

/// The two values of a difference as a person likes them.
pub(crate) fn values(delta: &Delta, report: &Report) -> (String, String) {
    (report.failing.value_for_people(delta.ty, delta.failing), report.passing.value_for_people(delta.ty, delta.passing))
}

/// The function of a variable that stands for what it returned.
pub(crate) fn returning(variable: &str) -> Option<&str> {
    variable.strip_suffix("()")
}

/// What the difference is in the passing run: `x` (line 3) is false; n is 0 instead of 1 (line 4). The line is the one
/// where that run makes it so; none where nobody sets it there.
pub(crate) fn in_passing_run(delta: &Delta, report: &Report) -> String {
    let told = without_place(delta, report);
    let at = match (delta.kind, delta.executed, delta.steps) {
        (DeltaKind::Predicate, Executed::Failing, _) => delta.span,
        (DeltaKind::Predicate, _, Some([_, None])) => return told,
        (DeltaKind::Value | DeltaKind::Predicate, ..) => delta.passing_span.unwrap_or(delta.span),
        _ => return told,
    };
    format!("{told} ({})", place(at, report))
}

/// What a step sets where its text does not say so: a parameter, a member that is called otherwise.
fn set_under_another_name(variable: &str, value: &str, text: &str) -> String {
    let is_value = !variable.is_empty() && !variable.starts_with('\\') && returning(variable).is_none();
    if is_value && !text.starts_with(variable) { format!(" [{variable} = {value}]") } else { String::new() }
}

/// What a step did in the failing run, and does in the passing one: `x` was true, now false; was x < y, now x >= y. Of a
/// step that one of the runs never takes, that run says nothing.
pub(crate) fn was_and_is(delta: &Delta, report: &Report) -> String {
    let text = match delta.kind {
        DeltaKind::Guard => condition(delta.span, report),
        DeltaKind::Action => written(delta.span, report),
        _ => at_place(delta.span, report),
    };
    let (failing, passing) = values(delta, report);
    let variable = &delta.variable;
    match (delta.kind, delta.executed, &delta.texts) {
        (DeltaKind::Control, executed, _) => {
            let (run, value) = if executed == Executed::Passing { ("passing", passing) } else { ("failing", failing) };
            let asked = if is_case(&text) { "asked " } else { "" };
            format!("{asked}only in the {run} run: {text}{}", set_under_another_name(variable, &value, &text))
        }
        (DeltaKind::Action, _, Some([failing, _])) if failing == ASSERTION_FAILURE => {
            let claim = report.explanation.property.map(|at| &report.explanation.claims[at]);
            match claim.filter(|claim| claim.kind == ClaimKind::Temporal && claim.span == delta.span) {
                Some(formula) => format!("{} was violated, now holds", one_line(&formula.text)),
                None => format!("{text} was violated, now holds"),
            }
        }
        (DeltaKind::Predicate, Executed::Failing, Some([was, _])) => {
            format!("looked at only in the failing run: {was}")
        }
        (DeltaKind::Predicate, Executed::Passing, Some([_, now])) => {
            format!("looked at only in the passing run: {now}")
        }
        (_, _, Some([was, now])) if now.is_empty() => format!("was {was}"),
        (_, _, Some([was, now])) if was.is_empty() => format!("now {now}"),
        (_, _, Some([was, now])) => format!("was {was}, now {now}"),
        (DeltaKind::Guard, Executed::Failing, _) => {
            format!("only in the failing run: {text} is {}", outcome(&text, delta.failing != 0))
        }
        (DeltaKind::Guard, Executed::Passing, _) => {
            format!("only in the passing run: {text} is {}", outcome(&text, delta.passing != 0))
        }
        (DeltaKind::Guard, ..) => {
            let [was, now] = [delta.failing, delta.passing].map(|bits| outcome(&text, bits != 0));
            format!("{text} was {was}, now {now}")
        }
        _ if returning(variable).is_some() => format!("{variable} returned {failing}, now {passing}"),
        _ => format!("{variable} was {failing}, now {passing}"),
    }
}

fn failing_run<'a>(report: &'a Report) -> Option<&'a Run> {
    report.explanation.counterexample.as_ref().map(|found| &found.run)
}

fn passing_run<'a>(report: &'a Report) -> Option<&'a Run> {
    report.explanation.contrast.as_ref()?.nearest.as_ref().map(|nearest| &nearest.run)
}

/// Are runs compared step by step?
fn is_aligned(report: &Report) -> bool {
    let nearest = report.explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref());
    nearest.is_some_and(|nearest| nearest.metric == Metric::Align)
}

/// Does a run come to a place?
fn comes_to(run: &Run, span: Span) -> bool {
    times_at(run, span) > 0
}

/// How many steps a run takes at a place.
fn times_at(run: &Run, span: Span) -> usize {
    run.steps.iter().filter(|step| span.contains(step.span)).count()
}

/// How often the failing and the passing run decide the condition of a difference.
pub(crate) fn decided(delta: &Delta, report: &Report) -> [usize; 2] {
    let is_here = |step: &&RunStep| {
        let here = step.span == delta.span || Some(step.span) == delta.passing_span;
        here && matches!(step.kind, RunStepKind::Branch { .. })
    };
    [failing_run(report), passing_run(report)].map(|run| run.map_or(0, |run| run.steps.iter().filter(is_here).count()))
}

/// What to say of a run that does not execute what a difference is about: not at all, or only not now.
pub(crate) fn absent(delta: &Delta, side: usize, report: &Report) -> &'static str {
    let run = [failing_run(report), passing_run(report)][side];
    match run.is_some_and(|run| comes_to(run, delta.span)) {
        true => "not at this point",
        false if delta.kind == DeltaKind::Guard && is_case(&condition(delta.span, report)) => "not taken",
        false if delta.kind == DeltaKind::Guard => "not reached",
        false => "not executed",
    }
}

/// The same, without the line of a value.
pub(crate) fn without_place(delta: &Delta, report: &Report) -> String {
    let at = place(delta.span, report);
    let (failing, passing) = values(delta, report);
    let variable = &delta.variable;
    let condition = shorten(&condition(delta.span, report), LONGEST_CONDITION);
    let statement = shorten(&at_place(delta.span, report), LONGEST_CONDITION);
    let told = |delta: &Delta, side: usize| delta.texts.as_ref().map(|told| told[side].clone()).unwrap_or_default();
    let executions =
        || [failing_run(report), passing_run(report)].map(|run| run.map_or(0, |run| times_at(run, delta.span)));
    match (delta.kind, delta.executed) {
        (DeltaKind::Guard, executed) if is_case(&condition) => {
            let now = outcome(&condition, delta.passing != 0 && executed != Executed::Failing);
            format!("`{condition}` ({at}) is {now}")
        }
        // The run that does not come there now may do so at another time.
        (DeltaKind::Guard, Executed::Failing) => match decided(delta, report) {
            [_, 0] => format!("`{condition}` ({at}) is not reached"),
            [failing, passing] if passing < failing => format!("`{condition}` ({at}) is reached less often"),
            _ => format!("`{condition}` ({at}) is reached at another point"),
        },
        (DeltaKind::Guard, Executed::Passing) => match decided(delta, report) {
            [0, _] => format!("`{condition}` ({at}) is reached, and {}", delta.passing != 0),
            [failing, passing] if failing < passing => format!("`{condition}` ({at}) is reached more often"),
            _ => format!("`{condition}` ({at}) is reached at another point"),
        },
        (DeltaKind::Guard, _) => format!("`{condition}` ({at}) is {}", outcome(&condition, delta.passing != 0)),
        // Steps that are aligned are executed in both runs.
        (DeltaKind::Predicate, Executed::Failing) if is_aligned(report) => {
            format!("`{}` cannot be told", told(delta, 0))
        }
        (DeltaKind::Predicate, Executed::Failing) => match executions() {
            [_, 0] => format!("`{statement}` is not executed"),
            [failing, passing] if passing < failing => format!("`{statement}` is executed less often"),
            _ => format!("`{statement}` is executed at another point"),
        },
        (DeltaKind::Predicate, _) => told(delta, 1),
        (DeltaKind::Action, _) => match told(delta, 0).as_str() {
            ASSERTION_FAILURE => {
                format!("`{}` ({at}) holds", shorten(&written(delta.span, report), LONGEST_CONDITION))
            }
            _ => told(delta, 1),
        },
        (DeltaKind::Control, Executed::Passing) => match executions() {
            [0, _] => format!("`{statement}` ({at}) is executed"),
            [failing, passing] if failing < passing => format!("`{statement}` ({at}) is executed more often"),
            _ => format!("`{statement}` ({at}) is executed at another point"),
        },
        (DeltaKind::Control, _) => match executions() {
            [_, 0] => format!("`{statement}` ({at}) is not executed"),
            [failing, passing] if passing < failing => format!("`{statement}` ({at}) is executed less often"),
            _ => format!("`{statement}` ({at}) is executed at another point"),
        },
        // What is not set there may be set elsewhere.
        (_, Executed::Failing) if delta.passing_span.is_none() => {
            match [failing_run(report), passing_run(report)].map(|run| run.map_or(0, |run| times_set(run, variable))) {
                [_, 0] => format!("{variable} is not set"),
                [failing, passing] if passing < failing => format!("{variable} is set less often"),
                _ => format!("{variable} is set at another point"),
            }
        }
        (DeltaKind::Value, Executed::Passing) if delta.passing_span.is_none() && returning(variable).is_some() => {
            format!("{variable} returns {passing}")
        }
        (_, Executed::Passing) if delta.passing_span.is_none() => format!("{variable} is set to {passing}"),
        (DeltaKind::Value, _) if returning(variable).is_some() => {
            format!("{variable} returns {passing} instead of {failing}")
        }
        _ => format!("{variable} is {passing} instead of {failing}"),
    }
}

/// How often a run sets a variable.
fn times_set(run: &Run, variable: &str) -> usize {
    let sets = |step: &&RunStep| match &step.kind {
        RunStepKind::Assign { name, .. } | RunStepKind::Input { name, .. } => name == variable,
        _ => false,
    };
    run.steps.iter().filter(sets).count()
}

/// An input that differs.
pub(crate) struct InputChange {
    /// Its name.
    pub name: String,
    /// Which of several of that name, from 1; none if it is the only one.
    pub number: Option<usize>,
    /// In which cycle of a model of hardware it is.
    pub cycle: Option<usize>,
    /// In the failing run, if it is read there.
    pub failing: Option<String>,
    /// In the passing run, if it is read there.
    pub passing: Option<String>,
}

impl InputChange {
    /// `second`, or `the 2nd event`.
    pub(crate) fn name(&self) -> String {
        match self.number {
            Some(number) if self.cycle.is_none() => format!("the {} {}", ordinal(number), self.name),
            _ => self.name.clone(),
        }
    }

    fn when(&self) -> String {
        self.cycle.map_or_else(String::new, |cycle| format!(" in cycle {cycle}"))
    }

    /// `the 2nd event = 3`, `push = 1 in cycle 4`.
    pub(crate) fn with(&self, value: &str) -> String {
        equation(&self.name(), value) + &self.when()
    }

    /// `second = 0 instead of -1`; none where only one of the runs reads it.
    pub(crate) fn in_words(&self) -> Option<String> {
        let (failing, passing) = (self.failing.as_ref()?, self.passing.as_ref()?);
        Some(format!("{} instead of {failing}{}", equation(&self.name(), passing), self.when()))
    }
}

/// Is an input read? A call gives its value to whoever makes it; what an object holds at first may stay unseen.
fn is_read(input: &InputValue, report: &Report) -> bool {
    !input.idle || report.program.sites[input.site.index()].kind.is_call()
}

/// Does a value come from a call of this function?
fn is_call(site: SiteId, called: &str, report: &Report) -> bool {
    let site = &report.program.sites[site.index()];
    let text = report.sources.text(site.span);
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let is_word = |at: usize| !text[..at].ends_with(is_letter) && !text[at + called.len()..].starts_with(is_letter);
    site.kind.is_call() && text.match_indices(called).any(|(at, _)| is_word(at))
}

/// The values of an input in either run, one after the other.
pub(crate) struct InputRow {
    /// Its name.
    pub name: String,
    /// In the failing run, if it is read there.
    pub failing: Option<String>,
    /// In the passing run, if it is read there.
    pub passing: Option<String>,
}

/// Inputs of one call or variable: its name for people, its values in the order in which they are read.
pub(crate) struct Group<'a> {
    /// Where it arises, and which part of it.
    pub key: (SiteId, &'a str),
    /// The name; calls that look alike are told apart by their lines.
    pub name: String,
    /// The values.
    pub values: Vec<String>,
}

/// The inputs of both runs by call or variable, in order of execution.
pub(crate) struct Groups<'a> {
    /// Those of the failing run.
    pub failing: Vec<Group<'a>>,
    /// Those of the passing run.
    pub passing: Vec<Group<'a>>,
    /// Is it a model of hardware, where the how many-th time is a cycle?
    of_cycles: bool,
}

impl<'a> Groups<'a> {
    /// The inputs of the failing run and of this passing run.
    pub(crate) fn of(nearest: Option<&'a Nearest>, report: &'a Report) -> Groups<'a> {
        Groups::with(nearest.map_or(&[][..], |nearest| &nearest.named), report)
    }

    /// The inputs of the failing run and those of another one.
    pub(crate) fn with(passing: &'a [InputValue], report: &'a Report) -> Groups<'a> {
        let named = report.explanation.counterexample.as_ref().map_or(&[][..], |found| &found.named);
        let mut sites: BTreeMap<&str, BTreeSet<SiteId>> = BTreeMap::new();
        for input in named.iter().chain(passing) {
            sites.entry(&input.name).or_default().insert(input.site);
        }
        // What a run reads more often than once is numbered.
        let mut several: BTreeSet<(SiteId, &str)> = BTreeSet::new();
        for run in [named, passing] {
            let mut seen = BTreeSet::new();
            let keys = run.iter().map(|input| (input.site, input.name.as_str()));
            several.extend(keys.filter(|key| !seen.insert(*key)));
        }
        let name = |(site, name): (SiteId, &str)| {
            let span = report.program.sites[site.index()].span;
            // A number counts all calls of that name, or else those of the line that is told.
            let called = returning(name).filter(|_| several.contains(&(site, name)));
            let calls = (0..report.program.sites.len() as u32).map(SiteId);
            let calls = calls.filter(|other| called.is_some_and(|called| is_call(*other, called, report)));
            let named_so = sites.get(name).into_iter().flatten().copied();
            let alike: BTreeSet<SiteId> = named_so.chain(calls).collect();
            let at = |site: &SiteId| report.program.sites[site.index()].span;
            let mut in_line: Vec<Span> =
                alike.iter().map(at).filter(|other| place(*other, report) == place(span, report)).collect();
            in_line.sort_by_key(|span| span.start);
            match (alike.len(), in_line.len()) {
                (0 | 1, _) => name.to_owned(),
                (_, 0 | 1) => format!("{name} in {}", place(span, report)),
                _ => {
                    let number = in_line.iter().position(|other| *other == span).unwrap_or(0) + 1;
                    format!("{name} in {} ({})", place(span, report), ordinal(number))
                }
            }
        };
        // What is in the other run alone is told only if that run looks at it.
        let both = |input: &&InputValue| named.iter().any(|own| (own.site, &own.name) == (input.site, &input.name));
        let told = passing.iter().filter(|input| is_read(input, report) || both(input));
        let (failing, passing) = (grouped(named.iter(), report.failing, &name), grouped(told, report.passing, &name));
        Groups { failing, passing, of_cycles: report.program.hardware.is_some() }
    }

    /// Every input with its values in either run, in order of execution.
    pub(crate) fn beside(&self) -> Vec<InputRow> {
        let mut seen = BTreeSet::new();
        let all = self.failing.iter().chain(&self.passing).filter(|group| seen.insert(group.key));
        let values = |groups: &[Group], key: (SiteId, &str)| {
            groups.iter().find(|other| other.key == key).map(|other| other.values.join(", "))
        };
        let row = |group: &Group| InputRow {
            name: group.name.clone(),
            failing: values(&self.failing, group.key),
            passing: values(&self.passing, group.key),
        };
        all.map(row).collect()
    }

    /// The inputs that differ, in order of execution.
    pub(crate) fn changes(&self) -> Vec<InputChange> {
        let mut changes = Vec::new();
        let mut seen = BTreeSet::new();
        for group in self.failing.iter().chain(&self.passing).filter(|group| seen.insert(group.key)) {
            let values = |groups: &[Group]| {
                groups.iter().find(|other| other.key == group.key).map(|other| other.values.clone()).unwrap_or_default()
            };
            let (old, new) = (values(&self.failing), values(&self.passing));
            let times = old.len().max(new.len());
            for at in (0..times).filter(|at| old.get(*at) != new.get(*at)) {
                changes.push(InputChange {
                    name: group.name.clone(),
                    number: (times > 1).then_some(at + 1),
                    cycle: self.of_cycles.then_some(at),
                    failing: old.get(at).cloned(),
                    passing: new.get(at).cloned(),
                });
            }
        }
        changes
    }
}

fn grouped<'a>(
    named: impl Iterator<Item = &'a InputValue>,
    side: Side,
    name: &dyn Fn((SiteId, &str)) -> String,
) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut index: BTreeMap<(SiteId, &str), usize> = BTreeMap::new();
    let all: Vec<&InputValue> = named.collect();
    for input in all.iter().copied() {
        let key = (input.site, input.name.as_str());
        let at = *index.entry(key).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Group { key, name: name(key), values: Vec::new() });
        }
        let is_first = groups[at].values.is_empty();
        match input.name == STDIN {
            // Characters on standard input are a text.
            true if is_first => groups[at].values.push(versions::standard_input(&all)),
            true => {}
            false => groups[at].values.push(side.value_for_people(input.ty, input.value)),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::super::layout::GLUE;
    use super::*;

    #[test]
    fn inputs_are_compared_one_by_one() {
        let group = |name: &'static str, values: &[&str]| {
            let values = values.iter().map(|value| (*value).to_owned()).collect();
            Group { key: (SiteId(0), name), name: name.to_owned(), values }
        };
        let failing = vec![group("event", &["0", "0", "1"]), group("size", &["4"])];
        let passing = vec![group("event", &["0", "1"]), group("size", &["5"]), group("extra", &["7"])];
        let changes = Groups { failing, passing, of_cycles: false }.changes();
        let words: Vec<String> = changes.iter().filter_map(InputChange::in_words).collect();
        let words: Vec<String> = words.iter().map(|word| word.replace(GLUE, " ")).collect();
        assert_eq!(words, ["the 2nd event = 1 instead of 0", "size = 5 instead of 4"]);
        assert_eq!(changes.len(), 4, "the 3rd event is read by the failing run only, extra by the passing one");
    }
}
