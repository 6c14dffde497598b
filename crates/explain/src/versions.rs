//! Which of the changes between two versions is to blame: the fewest that, undone in the new version, make it do what the reference does.
//!
//! A change is a difference of some lines (`lines`). A version with some changes undone is executed on the runs that are known to fail
//! first, and what passes them is proved for all inputs by `check`, as the two versions were. Every smallest set of changes is looked for
//! among sets of up to three; beyond that one set of which no change can be left out. Changes of several statements that are to blame are then
//! taken apart, and the same is asked of their statements (compare Zeller, "Yesterday, my program worked",
//! 1999, whose tests are given; here each answer is proved). What is kept beside an undone set is harmless by that same proof.

pub mod lines;

use std::ops::Range;

use nearmiss_program::c::console::{Console, STDIN, quoted};
use nearmiss_program::c::versions::{Reference, without_comments};
use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program;
use nearmiss_program::run::{Inputs, Outcome};
use nearmiss_program::show;
use nearmiss_program::source::{Diagnostic, FileId, Span};

use crate::check::{self, CheckOptions};
use crate::explanation::{Change, Changes, InputValue, Minimised, Status, Verdict, Verified};
use crate::fix::Edited;
use crate::reading::{self, Program, Reading};
use lines::Hunk;

/// Sets of up to so many changes are all looked at.
const MOST_TOGETHER: usize = 3;
/// So many versions are read and executed at most, and so many proved.
const MOST_EXECUTED: usize = 400;
const MOST_PROVED: usize = 60;
/// So many conflicts may a proof meet.
const MOST_CONFLICTS: u64 = 200_000;
/// So many inputs are told of a run of the reference.
const MOST_VALUES: usize = 6;
/// So many sets are told.
const MOST_SETS: usize = 8;
/// So many statements of changes that are to blame are looked at.
const MOST_PARTS: usize = 8;

/// Looks for the changes to blame of a run that fails.
pub fn to_blame(program: &Program, failing: &Inputs, options: &CheckOptions) -> Changes {
    let Some(reference) = program.reference() else { return Changes::default() };
    let file = |unit: u32| {
        let name = program.origin().files.get(unit as usize)?;
        program.sources.files().find(|(_, file)| file.name == *name).map(|(id, _)| id)
    };
    let (Some(old), Some(new)) = (file(reference.unit), file(reference.home)) else { return Changes::default() };
    let texts = Texts::of(program, old, new);
    let all = texts.changes();
    let mut search = Search {
        program,
        options: CheckOptions {
            minimise: Minimised::None,
            one_failure: true,
            explained: false,
            patient: false,
            properties: Vec::new(),
            ..options.clone()
        },
        runs: vec![failing.clone()],
        found: Changes { all, complete: true, ..Changes::default() },
    };
    search.run();
    search.refine(&texts);
    search.found
}

/// How notes end on inputs for which nothing is compared.
const LEFT_OUT: &str = ": such inputs are left out";

/// Whether notes say that inputs are left out.
pub fn leaves_out(notes: &[Diagnostic]) -> bool {
    notes.iter().any(|note| note.message.ends_with(LEFT_OUT))
}

/// Checks that the reference violates by itself: for such inputs nothing is compared.
pub fn violations(program: &Program, reference: &Reference, options: &CheckOptions) -> Vec<Diagnostic> {
    let origin = program.origin();
    let mut reading = Reading { formula: None, ..origin.reading.clone() };
    (reading.c.reference, reading.assume, reading.predicates, reading.causes) =
        (None, Vec::new(), Vec::new(), Vec::new());
    if let Some(console) = reading.c.console.clone() {
        reading.c = reading.c.with_console(Console { reference: None, ..Console::clone(&console) });
    }
    let loader = Edited::unchanged(&program.sources);
    let unknown =
        || vec![check::note("whether the reference itself violates a check is not known: such inputs are left out")];
    let Ok(alone) = reading::read(std::slice::from_ref(&reference.file), &reading, &loader) else { return unknown() };
    let stop = options.stop.within(MOST_CONFLICTS);
    let options = CheckOptions { properties: Vec::new(), explained: false, patient: false, stop, ..options.clone() };
    let Ok(answer) = check::check(&alone.program, &options, &mut |_| {}) else { return unknown() };
    let told = |at: usize| {
        let claim = &answer.claims[at];
        let place = alone.sources.position(claim.span);
        let of_run = answer.counterexample.as_ref().filter(|_| answer.property == Some(at));
        let named = || of_run.iter().flat_map(|run| &run.named);
        let characters = named().filter(|input| input.name == STDIN).map(|input| input.value as u8);
        let read: Vec<u8> = characters.take_while(|character| *character != 0).collect();
        let shown =
            |input: &InputValue| format!("{} = {}", input.name, show::value(&alone.program, input.ty, input.value));
        let of_text = named().any(|input| input.name == STDIN).then(|| format!("{STDIN} = {}", quoted(&read)));
        let others = named().filter(|input| input.name != STDIN).take(MOST_VALUES).map(shown);
        let values: Vec<String> = of_text.into_iter().chain(others).collect();
        let with = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
        let message = format!(
            "the reference itself violates `{}` ({}:{}){with}: such inputs are left out",
            claim.text, place.file, place.line
        );
        check::note(&message)
    };
    let failing = (0..answer.claims.len()).filter(|at| answer.claims[*at].status == Status::Fails);
    match answer.verdict {
        Verdict::Undecided => unknown(),
        _ => failing.map(told).collect(),
    }
}

/// Both texts by lines.
struct Texts<'a> {
    files: [FileId; 2],
    texts: [&'a str; 2],
    lines: [Vec<&'a str>; 2],
}

impl<'a> Texts<'a> {
    fn of(program: &'a Program, old: FileId, new: FileId) -> Texts<'a> {
        let texts = [old, new].map(|file| program.sources.file(file).text.as_str());
        Texts { files: [old, new], texts, lines: texts.map(|text| text.split_inclusive('\n').collect()) }
    }

    /// Where lines begin and end.
    fn bytes(&self, side: usize, range: &Range<usize>) -> Range<usize> {
        let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
        let start = length(&self.lines[side][..range.start]);
        start..start + length(&self.lines[side][range.clone()])
    }

    /// What a hunk changes, if that is more than comments and layout.
    fn change(&self, hunk: &Hunk) -> Option<Change> {
        let (from, to) = (self.bytes(0, &hunk.old), self.bytes(1, &hunk.new));
        let [before, after] = self.texts;
        if bare(&before[from.clone()]) == bare(&after[to.clone()]) {
            return None;
        }
        let mut text = before[from.clone()].to_owned();
        // The last line of a file may have no end.
        if !text.is_empty() && !text.ends_with('\n') && to.end < after.len() {
            text.push('\n');
        }
        let [old, new] = self.files;
        Some(Change {
            span: Span::new(new, to.start as u32, to.end as u32),
            old: text,
            old_span: Span::new(old, from.start as u32, from.end as u32),
        })
    }

    /// The lines of a change.
    fn hunk(&self, change: &Change) -> Hunk {
        let line = |side: usize, at: u32| self.texts[side][..at as usize].matches('\n').count();
        let lines = |side: usize, span: Span| {
            let start = line(side, span.start);
            start..start + self.texts[side][span.start as usize..span.end as usize].split_inclusive('\n').count()
        };
        Hunk { old: lines(0, change.old_span), new: lines(1, change.span) }
    }

    /// What differs in more than comments and layout.
    fn changes(&self) -> Vec<Change> {
        let hunks = lines::hunks(&self.lines[0], &self.lines[1]);
        hunks.iter().filter_map(|hunk| self.change(hunk)).collect()
    }

    /// The same within a change, by statements.
    fn parts(&self, change: &Change) -> Vec<Change> {
        let parts = lines::parts(&self.lines[0], &self.lines[1], &self.hunk(change));
        parts.iter().filter_map(|hunk| self.change(hunk)).collect()
    }
}

/// A text without comments and layout; where there are strings, only without what stands at the ends of lines.
fn bare(text: &str) -> String {
    let text = without_comments(text);
    match text.contains(['"', '\'']) {
        true => text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"),
        false => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// What is known of a version.
enum Judged {
    /// It does the same.
    Same(Verified),
    /// It is no program, or fails.
    Differs,
    /// Nothing is known.
    Open,
}

struct Search<'a> {
    program: &'a Program,
    options: CheckOptions,
    /// Inputs with which some version fails, as the new one takes them.
    runs: Vec<Inputs>,
    found: Changes,
}

impl Search<'_> {
    fn run(&mut self) {
        let number = self.found.all.len();
        for size in 1..=number.min(MOST_TOGETHER) {
            let mut set: Vec<usize> = (0..size).collect();
            loop {
                if !self.may_go_on() {
                    self.found.complete = false;
                    return self.greedy(number);
                }
                match self.judge(&set) {
                    Judged::Same(verified) => self.take(set.clone(), verified),
                    Judged::Differs => {}
                    Judged::Open => self.found.complete = false,
                }
                if self.found.sets.len() >= MOST_SETS {
                    self.found.complete = false;
                    return;
                }
                if !next(&mut set, number) {
                    break;
                }
            }
            if !self.found.sets.is_empty() {
                return;
            }
        }
        if number > MOST_TOGETHER {
            self.greedy(number);
        }
    }

    /// Takes the changes to blame apart, where fewer of their statements do.
    fn refine(&mut self, texts: &Texts) {
        let ([set], Some(known)) = (&self.found.sets[..], self.found.verified) else { return };
        let (set, before) = (set.clone(), self.found.clone());
        let mut all: Vec<Change> = Vec::new();
        let mut parts: Vec<usize> = Vec::new();
        for (at, change) in before.all.iter().enumerate() {
            let own = if set.contains(&at) { texts.parts(change) } else { vec![change.clone()] };
            if set.contains(&at) {
                parts.extend(all.len()..all.len() + own.len());
            }
            all.extend(own);
        }
        if parts.len() == set.len() || parts.len() > MOST_PARTS {
            return;
        }
        self.found = Changes { all, sets: Vec::new(), verified: None, ..before.clone() };
        for size in 1..parts.len() {
            let mut chosen: Vec<usize> = (0..size).collect();
            loop {
                let undone: Vec<usize> = chosen.iter().map(|at| parts[*at]).collect();
                match self.may_go_on().then(|| self.judge(&undone)) {
                    Some(Judged::Same(verified)) => self.take(undone, verified),
                    Some(Judged::Differs) => {}
                    Some(Judged::Open) => self.found.complete = false,
                    None => break,
                }
                if self.found.sets.len() >= MOST_SETS || !next(&mut chosen, parts.len()) {
                    break;
                }
            }
            if !self.found.sets.is_empty() {
                return;
            }
        }
        // They are needed together. What was tried counts.
        let Changes { executed, judged, .. } = self.found;
        self.found = Changes { executed, judged, verified: Some(known), ..before };
    }

    fn may_go_on(&self) -> bool {
        self.found.executed < MOST_EXECUTED && self.found.judged < MOST_PROVED && !self.options.stop.requested()
    }

    fn take(&mut self, set: Vec<usize>, verified: Verified) {
        // What is known of all is what is known of each.
        let known = self.found.verified.unwrap_or(verified);
        self.found.verified = Some(if known == Verified::Bound { known } else { verified });
        self.found.sets.push(set);
    }

    /// One set of which no change can be left out.
    fn greedy(&mut self, number: usize) {
        if !self.found.sets.is_empty() {
            return;
        }
        let mut set: Vec<usize> = (0..number).collect();
        let Judged::Same(mut verified) = self.judge(&set) else {
            self.found.complete = false;
            return;
        };
        for change in 0..number {
            if self.options.stop.requested() {
                self.found.complete = false;
                break;
            }
            let less: Vec<usize> = set.iter().copied().filter(|other| *other != change).collect();
            match self.judge(&less) {
                Judged::Same(shown) => (set, verified) = (less, shown),
                Judged::Differs => {}
                Judged::Open => self.found.complete = false,
            }
        }
        // Larger sets were not all looked at.
        self.found.complete = false;
        self.take(set, verified);
    }

    fn judge(&mut self, set: &[usize]) -> Judged {
        let edits = self.found.undone(set);
        let loader = Edited::of(&self.program.sources, &edits);
        let origin = self.program.origin();
        let Ok(version) = reading::read(&origin.files, &origin.reading, &loader) else { return Judged::Differs };
        self.found.executed += 1;
        for inputs in &self.runs {
            let own = moved(inputs, &self.program.program, &version.program);
            let limits = Limits { stop: self.options.stop.clone(), ..Limits::default() };
            let run = Interpreter::new(&version.program).execute(&own, &limits, Recording::Outcome);
            if matches!(run.run.outcome, Outcome::Violated(_)) {
                return Judged::Differs;
            }
        }
        self.found.judged += 1;
        let options = CheckOptions { stop: self.options.stop.within(MOST_CONFLICTS), ..self.options.clone() };
        let Ok(answer) = check::check(&version.program, &options, &mut |_| {}) else { return Judged::Open };
        match (answer.verdict, answer.counterexample) {
            (Verdict::Holds, _) if answer.complete => Judged::Same(Verified::All),
            (Verdict::Holds, _) => Judged::Same(Verified::Bound),
            (Verdict::Fails, Some(failing)) => {
                self.runs.push(moved(&failing.inputs, &version.program, &self.program.program));
                Judged::Differs
            }
            (Verdict::Fails, None) => Judged::Differs,
            (Verdict::Undecided, _) => Judged::Open,
        }
    }
}

/// The next set of as many numbers; none is left where it says no.
fn next(set: &mut [usize], number: usize) -> bool {
    let size = set.len();
    for at in (0..size).rev() {
        if set[at] + (size - at) < number {
            set[at] += 1;
            for later in at + 1..size {
                set[later] = set[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

/// The same inputs for another version: contents go to the objects of the same name in the same function.
fn moved(inputs: &Inputs, before: &program::Program, after: &program::Program) -> Inputs {
    let mut own = Inputs { contents: Default::default(), ..inputs.clone() };
    for ((site, count), contents) in &inputs.contents {
        let Some(site) = before.sites.get(site.index()) else { continue };
        let same = after
            .sites
            .iter()
            .position(|other| (other.kind, &other.name, &other.function) == (site.kind, &site.name, &site.function));
        if let Some(same) = same {
            own.contents.insert((program::SiteId(same as u32), *count), contents.clone());
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn every_set_is_looked_at_once() {
        let mut set = vec![0, 1];
        let mut all = vec![set.clone()];
        while next(&mut set, 4) {
            all.push(set.clone());
        }
        assert_eq!(all, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert!(!next(&mut [0], 1));
    }
}
