//! Every command where a crash file is given: the failing run is that of its bytes.
//!
//! The file is executed first. What is asked of the solver is then asked of the same program fed otherwise
//! ([`Feed`]): with all bytes free where they are few, else with those on which the failure depends. What is told says which.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use nearmiss_explain::check::{CheckError, CheckOptions};
use nearmiss_explain::crash::looked::Looks;
use nearmiss_explain::crash::relevant::Relevant;
use nearmiss_explain::crash::resized::{Resize, Resized, resized};
use nearmiss_explain::crash::smaller::{Smaller, smaller};
use nearmiss_explain::crash::{Did, Runner, bytes_of, executed, inputs_of, looked, relevant};
use nearmiss_explain::explain::{BothRuns, ExplainOptions, Foretold, Wanted};
use nearmiss_explain::explanation::{CrashFile, Explanation, Hypotheses, LookedAt, Metric, Status};
use nearmiss_explain::fix::FixOptions;
use nearmiss_explain::imported::sanitizer;
use nearmiss_explain::{Verdict, Why};
use nearmiss_program::c::crash::{Crash, Feed, Way};
use nearmiss_program::program::ClaimId;
use nearmiss_program::source::{Diagnostic, Severity};
use nearmiss_report::replay::Replay;
use nearmiss_report::view::{Detail, Verb};
use nearmiss_report::{Background, Report};

use super::fix::{self, Otherwise};
use super::focus;
use crate::answer::Answer;
use crate::crash_given::{self, CrashGiven};
use crate::exit::{Exit, Explained};
use crate::given;
use crate::limits::Reason;
use crate::reading::{self, ReadProgram};
use crate::settings::{Contrasting, Task};
use crate::unanswered::Unanswered;
use crate::work::Work;
use crate::{fixed, form, notes, replay};

/// Files of no more bytes have all of them free.
const SMALL: usize = 256;
/// In files of no more bytes the size is free as well where fixes are proved.
const SMALL_FOR_FIXES: usize = 64;
/// Of a larger file so many bytes are free for fixes and ways to fail, and so many are tried with other values.
const MOST_FREE: usize = 8;
const MOST_TRIED: usize = 64;
/// Loops go round so often by conditions that no free byte decides.
const MOST_ROUNDS: u32 = 1 << 24;
/// So many statements may executions of edits take, of a larger file.
const MOST_STEPS_OF_FIXES: u64 = 60_000_000;
/// So many runs beside the failing one edits are executed on.
const MOST_BESIDE: usize = 24;
/// Twice as many passing runs that a fix changes count so much against it: it is to change those that crash.
const PRICE_OF_CHANGE: u32 = 4;
/// Of a larger file no fixes are looked for.
const LARGEST_FIXED: usize = 2_048;
/// So many bytes are removed or inserted at most where no input of the same length passes.
const MOST_RESIZED: usize = 8;
/// So many bytes that matter are told of, those that differ first; and where everything is.
const MOST_LOOKED: usize = 6;
const MOST_LOOKED_AT_ALL: usize = 256;
/// Inputs of so many bytes are asked for first, and files of more bytes are not asked about any further. So many times one may get shorter.
const SIZES_ASKED: [usize; 5] = [4, 8, 16, 32, 48];
const LONGEST_PROVED: usize = 48;
const MOST_SHORTENED: usize = 8;
/// So many statements may programs take that are asked whether a shorter file is enough.
const MOST_STEPS_OF_PROOF: usize = 100_000;
/// What is known of shorter inputs.
enum Shorter {
    Found(Vec<u8>),
    None,
    Unknown,
}

/// A run of more statements than the interpreter executes.
const TOO_LONG: &str = "100,000,000 steps";

/// Of which inputs fixes are proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    /// Of all of up to two bytes more.
    Sizes,
    /// Of all of that size.
    Bytes,
    /// Of those that differ in none but a few bytes.
    Few,
}

impl Scope {
    /// Those that files of a size are asked with, one after the other as long as nothing is found.
    fn all(size: usize) -> &'static [Scope] {
        match size {
            _ if size <= MOST_FREE => &[Scope::Sizes],
            _ if size <= SMALL_FOR_FIXES => &[Scope::Sizes, Scope::Few],
            _ if size <= SMALL => &[Scope::Bytes, Scope::Few],
            _ => &[Scope::Few],
        }
    }
}

/// What all commands share.
struct Scene<'a> {
    work: &'a Work<'a>,
    given: &'a CrashGiven,
    /// The program, fed wholly.
    read: &'a ReadProgram,
    crash: &'a Crash,
    runner: Runner<'a>,
    claim: ClaimId,
    told: Vec<String>,
    /// The places of the bytes that matter, the nearest to the failure first, once they are known.
    relevant: OnceCell<Relevant>,
}

/// Executes the file, and does what was asked for with that run.
pub fn run(work: &Work, given: &CrashGiven, read: &ReadProgram) -> Result<Exit, Unanswered> {
    let Some(crash) = read.program.crash().cloned() else {
        return Err(CheckError::Internal("no crash file was read".to_owned()).into());
    };
    let entry = read.program.lowered().function(read.program.lowered().entry);
    if given.way == Way::File && entry.name != "main" {
        let message = format!("`@@` is for main; {} gets the bytes themselves", entry.name);
        return Err(Diagnostic { severity: Severity::Error, message, span: None, help: None }.into());
    }
    work.progress.say("executing the crash file");
    let runner = Runner::new(read.program.lowered(), &work.options().stop);
    let ended = |verdict, told: String| {
        let own = CrashFile {
            name: given.file.clone(),
            failing: crash.bytes.to_vec(),
            told: vec![told],
            ..CrashFile::default()
        };
        let why = read.program.without_failure(verdict, own);
        work.end();
        let background = Background::of_why(&why);
        form::write(work.settings, &Report::of_why(work.settings.command, &why, &background))?;
        Ok(if verdict == Verdict::Holds { Exit::Holds } else { Exit::Undecided })
    };
    let claim = match runner.run(&crash.bytes) {
        Did::Violates(claim) => claim,
        Did::Passes => {
            let takes_arguments = entry.name == "main" && entry.parameters > 0;
            return ended(Verdict::Holds, passes(given, read, &crash, takes_arguments)?);
        }
        Did::Excluded => {
            let told =
                format!("with {} something that the program assumes does not hold: there is no such run", given.file);
            return ended(Verdict::Undecided, told);
        }
        Did::TooLong => {
            let told =
                format!("with {} the program does not come to its end within {TOO_LONG} or the time given", given.file);
            return ended(Verdict::Undecided, told);
        }
        Did::Unsupported(what, at) => {
            let message = format!("not supported: {what}");
            let error = Diagnostic { severity: Severity::Error, message, span: at.map(|(span, _)| span), help: None };
            return Err(error.into());
        }
    };
    let mut scene =
        Scene { work, given, read, crash: &crash, runner, claim, told: Vec::new(), relevant: OnceCell::new() };
    scene.told.extend(scene.reported()?);
    match &work.settings.task {
        Task::Explain(how) => scene.explain(how),
        Task::Fix(task) => {
            let scopes = Scope::all(crash.bytes.len());
            for scope in scopes {
                let fed = scene.for_fixes(*scope)?;
                let is_last = Some(scope) == scopes.last();
                let otherwise = if is_last { Otherwise::Tell } else { Otherwise::AskForLess };
                let crash = fed.program.crash().cloned().unwrap_or(crash.clone());
                let inputs = Some(inputs_of(&crash, &scene.crash.bytes));
                let file = CrashFile { told: scene.told_with(&fed, *scope), ..scene.file(None) };
                let beside = scene.beside(&crash).iter().map(|bytes| inputs_of(&crash, bytes)).collect();
                let own = fix::OfCrash { file, beside, price_of_change: PRICE_OF_CHANGE, otherwise };
                let given = given::Wanted { inputs, ..given::Wanted::default() };
                if let Some(exit) = fix::mended(work, task, &fed, given, Some(own))? {
                    return Ok(exit);
                }
            }
            Err(CheckError::Internal("an answer was withheld".to_owned()).into())
        }
        Task::Focus(task) => {
            let fed = scene.for_fixes(Scope::all(crash.bytes.len())[0])?;
            focus::run(work, task, &fed)
        }
        _ => scene.check(),
    }
}

/// What is told of a file that does not crash.
fn passes(given: &CrashGiven, read: &ReadProgram, crash: &Crash, takes_arguments: bool) -> Result<String, Unanswered> {
    let mut told = format!("with the {} of {} no claim is violated", count(crash.bytes.len()), given.file);
    if takes_arguments && given.way == Way::Plain {
        told += ". The bytes were on standard input; a file that an argument names is given by --arguments '@@'";
    }
    if let Some(out) = &given.emit_input {
        told += &format!(". Nothing was written to {out}");
    }
    if let Some(place) = named(given, read)? {
        told += &format!(". The sanitizer names {place}, where this run violates nothing");
    }
    Ok(told)
}

/// The first place in the files of the program that the sanitizer names, if one was given.
fn named(given: &CrashGiven, read: &ReadProgram) -> Result<Option<String>, Unanswered> {
    let Some(log) = &given.sanitizer else { return Ok(None) };
    let text = crash_given::bytes(log, sanitizer::LARGEST as u64)?;
    let files = read.sources().files().filter(|(_, file)| !file.system);
    let own: BTreeSet<&str> = files.map(|(_, file)| base(&file.name)).collect();
    let places = sanitizer::places(&text);
    let named = places.iter().find(|place| own.contains(place.file.as_str()));
    Ok(named.map(|named| format!("{}:{}", named.file, named.line)))
}

fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn count(bytes: usize) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

impl Scene<'_> {
    fn options(&self) -> CheckOptions {
        self.work.options()
    }

    /// The program fed otherwise.
    fn fed(&self, bytes: &[u8], feed: Feed) -> Result<ReadProgram, Unanswered> {
        let crash = Crash { bytes: bytes.into(), feed, ..self.crash.clone() };
        reading::read_fed(self.work.settings, self.read, crash).map_err(|unreadable| {
            Unanswered::None(CheckError::Internal(format!("the program cannot be read again: {unreadable}")))
        })
    }

    fn file(&self, passing: Option<Vec<u8>>) -> CrashFile {
        CrashFile {
            name: self.given.file.clone(),
            failing: self.crash.bytes.to_vec(),
            passing,
            told: self.told.clone(),
            ..CrashFile::default()
        }
    }

    /// What is known of which inputs fixes and ways are about.
    fn told_with(&self, fed: &ReadProgram, scope: Scope) -> Vec<String> {
        let mut told = self.told.clone();
        if scope != Scope::Sizes {
            let of = fed.program.lowered().arguments.trim().to_owned();
            told.push(format!("What is said of executions is said of those {of}."));
        }
        told
    }

    /// Whether a sanitizer names the place that the run violates.
    fn reported(&self) -> Result<Option<String>, Unanswered> {
        let Some(log) = &self.given.sanitizer else { return Ok(None) };
        let claim = &self.read.program.lowered().claims[self.claim.index()];
        let at = self.read.sources().position(claim.span);
        let Some(place) = named(self.given, self.read)? else {
            return Ok(Some(format!("{log} names no place in the files of the program.")));
        };
        Ok(Some(match place == format!("{}:{}", base(&at.file), at.line) {
            true => format!("The sanitizer names the same place, {place}."),
            false => format!(
                "The sanitizer names another place, {place}: this run violates the claim in line {} of {} first.",
                at.line,
                base(&at.file)
            ),
        }))
    }

    /// Of so many bytes it is told what looks at them.
    fn most_looked(&self) -> usize {
        if self.work.settings.output.detail >= Detail::Verbose { MOST_LOOKED_AT_ALL } else { MOST_LOOKED }
    }

    fn relevant(&self) -> Result<&Relevant, Unanswered> {
        if let Some(known) = self.relevant.get() {
            return Ok(known);
        }
        let found = self.find_relevant()?;
        Ok(self.relevant.get_or_init(|| found))
    }

    fn find_relevant(&self) -> Result<Relevant, Unanswered> {
        self.work.progress.say("looking for the bytes that matter");
        let bytes = &self.crash.bytes;
        let each = self.fed(bytes, Feed::EachByte { most: bytes.len() })?;
        let own = each.program.crash().cloned();
        let stop = self.options().stop;
        let sliced =
            own.and_then(|own| relevant::sliced(each.program.lowered(), &inputs_of(&own, bytes), self.claim, &stop));
        Ok(match sliced {
            Some(found) => found,
            None => {
                let bytes = relevant::irreplaceable(&self.runner, bytes, self.claim).unwrap_or_default();
                Relevant { bytes, ..Relevant::default() }
            }
        })
    }

    /// The program as fixes are proved of it.
    fn for_fixes(&self, scope: Scope) -> Result<ReadProgram, Unanswered> {
        let bytes = &self.crash.bytes;
        let size = bytes.len();
        let feed = match scope {
            Scope::Sizes => Feed::Sized { least: 0, most: size + 2, free: (0..size).collect() },
            Scope::Bytes => Feed::Chosen((0..size).collect()),
            Scope::Few => Feed::Chosen(sorted(self.relevant()?.bytes.iter().copied().take(MOST_FREE).collect())),
        };
        self.fed(bytes, feed)
    }

    fn check(mut self) -> Result<Exit, Unanswered> {
        self.work.fixing();
        self.work.progress.say("making the crash file smaller");
        let mut found = smaller(&self.runner, &self.crash.bytes, self.claim);
        let proof = self.shortest(&mut found)?;
        let free = if found.bytes.len() <= SMALL { (0..found.bytes.len()).collect() } else { Vec::new() };
        let fed = self.fed(&found.bytes, Feed::Chosen(free))?;
        let own = fed.program.crash().cloned();
        let inputs = own.map(|own| inputs_of(&own, &found.bytes)).unwrap_or_default();
        let answered = fed.program.given(&self.options(), &inputs);
        let stopped_by = self.work.settle();
        let mut why = answered?;
        let old = self.crash.bytes.len();
        self.told.insert(
            0,
            match found.bytes.len() {
                new if new == old && *found.bytes == *self.crash.bytes => {
                    format!("{} has {}; fewer were not found to violate this claim.", self.given.file, count(old))
                }
                new if new == old => format!(
                    "{} has {}; fewer were not found to violate this claim, and more of them are readable now.",
                    self.given.file,
                    count(old)
                ),
                new => format!(
                    "{} has {}; {new} are enough to violate the same claim at the same place.",
                    self.given.file,
                    count(old)
                ),
            },
        );
        self.told.insert(1, proof);
        let own = CrashFile { failing: found.bytes.clone(), ..self.file(None) };
        why.tell_crash(own);
        let answer = Answer::of_why(self.work, &fed, &why, stopped_by);
        let replays = replay::confirmed(&answer, || replay::compiled(&answer))?;
        let mut notes = notes::of(&answer, &replays);
        notes.extend(self.emitted(Some(&found.bytes))?);
        let background = Background::of_why(&why).replayed(replays).noting(notes);
        form::write(self.work.settings, &Report::of_why(Verb::Check, &why, &background))?;
        Ok(Exit::of(why.verdict(), Explained::Whole))
    }

    /// Asks whether an input with fewer bytes violates the claim, as long as that is not much work. Says what is known.
    fn shortest(&self, found: &mut Smaller) -> Result<String, Unanswered> {
        // Bytes that only go together, as a length and a checksum do, are not found by leaving some out.
        let mut least = 0;
        for most in SIZES_ASKED {
            if most >= found.bytes.len() || self.runner.is_late() {
                break;
            }
            match self.within(most)? {
                Shorter::None => least = most + 1,
                Shorter::Unknown => break,
                Shorter::Found(shorter) => {
                    *found = smaller(&self.runner, &shorter, self.claim);
                    break;
                }
            }
        }
        for _ in 0..MOST_SHORTENED {
            let size = found.bytes.len();
            if size == 0 {
                return Ok("There is none shorter.".to_owned());
            }
            if size == least {
                return Ok(format!("No input of fewer than {} violates this claim: proved.", count(size)));
            }
            if size > LONGEST_PROVED || self.runner.is_late() {
                break;
            }
            match self.within(size - 1)? {
                Shorter::None => least = size,
                Shorter::Unknown => break,
                Shorter::Found(shorter) => *found = smaller(&self.runner, &shorter, self.claim),
            }
        }
        let settled =
            if found.is_settled { "no single byte of these can be left out" } else { "it was not tried further" };
        let none = match least {
            0 | 1 => String::new(),
            least => format!(" No input of fewer than {} violates this claim: proved.", count(least)),
        };
        let tried = found.tried;
        Ok(format!("{tried} candidates were executed: {settled}. That it is the shortest is not proved.{none}"))
    }

    /// An input of at most so many bytes that violates the claim.
    fn within(&self, most: usize) -> Result<Shorter, Unanswered> {
        self.work.progress.say("asking whether fewer bytes are enough");
        let feed = Feed::Sized { least: 0, most, free: (0..most).collect() };
        let fed = self.fed(&self.crash.bytes[..most], feed)?;
        let id = self.read.program.lowered().claims[self.claim.index()].id.clone();
        let options = CheckOptions { most_steps: Some(MOST_STEPS_OF_PROOF), properties: vec![id], ..self.options() };
        let options = CheckOptions { stop: options.stop.halfway(), ..options };
        let Ok(why) = fed.program.check(&options) else { return Ok(Shorter::Unknown) };
        let claim = &why.explanation().claims[self.claim.index()];
        let is_whole = why.explanation().complete && claim.unless.is_none() && claim.after.is_none();
        let run = why.failing().map(|run| &run.inputs).filter(|_| claim.status == Status::Fails);
        if let Some((own, run)) = fed.program.crash().zip(run) {
            let shorter = bytes_of(own, run);
            let is_one = shorter.len() <= most && self.runner.run(&shorter) == Did::Violates(self.claim);
            return Ok(if is_one { Shorter::Found(shorter) } else { Shorter::Unknown });
        }
        Ok(if claim.status == Status::Holds && is_whole { Shorter::None } else { Shorter::Unknown })
    }

    /// Writes the input that was asked for.
    fn emitted(&self, bytes: Option<&[u8]>) -> Result<Option<String>, Unanswered> {
        let Some(path) = &self.given.emit_input else { return Ok(None) };
        let read: Vec<&String> =
            self.work.settings.files.iter().chain([&self.given.file]).chain(&self.given.sanitizer).collect();
        Ok(Some(match bytes {
            Some(bytes) => crash_given::emit(path, bytes, &read)?,
            None => format!("--emit-input: nothing was written to {path}, because no input that passes was found"),
        }))
    }

    fn explain(mut self, how: &Contrasting) -> Result<Exit, Unanswered> {
        let bytes = self.crash.bytes.clone();
        let size = bytes.len();
        if size > SMALL {
            return self.explain_by_execution(how);
        }
        let all: Vec<usize> = (0..size).collect();
        let program = self.fed(&bytes, Feed::Chosen(all.clone()))?;
        let early = replay::Early::default();
        let best = self.explained(how, &program, &early)?.map(|why| (&program, why, early));
        // Where none of the same length passes, the length may.
        if best.as_ref().is_none_or(|(_, why, _)| why.passing().is_none())
            && let Some((feed, _)) = self.other_length(&bytes, &all)
        {
            let proved = best.as_ref().and_then(|(_, why, _)| why.explanation().contrast.as_ref());
            let none = if proved.is_some_and(|contrast| contrast.none_exists) {
                "No input of the same length passes: proved."
            } else {
                "No input of the same length that passes was found."
            };
            let fed = self.fed(&bytes, feed)?;
            let early = replay::Early::default();
            if let Some(why) = self.explained(how, &fed, &early)?.filter(|why| why.passing().is_some()) {
                self.told.push(none.to_owned());
                return self.told_of(why, how, &fed, early);
            }
        }
        let is_open = |why: &Why| {
            let contrast = why.explanation().contrast.as_ref();
            why.passing().is_none() && !contrast.is_some_and(|contrast| contrast.none_exists)
        };
        match best.filter(|(_, why, _)| !is_open(why)) {
            Some((fed, why, early)) => self.told_of(why, how, fed, early),
            None => {
                self.told.push("The solver found none in its time, so inputs were executed.".to_owned());
                self.explain_by_execution(how)
            }
        }
    }

    /// The same of a large file, or where the solver takes too long: other inputs are executed, with other values of the bytes on which the failure depends.
    fn explain_by_execution(mut self, how: &Contrasting) -> Result<Exit, Unanswered> {
        let bytes = self.crash.bytes.clone();
        let relevant = self.relevant()?.clone();
        self.work.fixing();
        self.work.progress.say("looking for the nearest input that passes");
        let places = &relevant.bytes[..relevant.bytes.len().min(MOST_TRIED)];
        let found = executed::passing(&self.runner, &bytes, self.claim, places);
        let inputs = format!("{} inputs were executed", found.tried);
        let of = relevant.bytes.len();
        let Some(passing) = &found.passing else {
            let fed = self.fed(&bytes, Feed::Chosen(Vec::new()))?;
            let own = fed.program.crash().cloned();
            let given = own.map(|own| inputs_of(&own, &bytes)).unwrap_or_default();
            let why = fed.program.given(&self.options(), &given)?;
            self.told.push(format!(
                "No input that passes was found: {inputs}. The failure depends on {}; {} of them were tried with every value.",
                count(of),
                found.whole
            ));
            return self.told_of(why, how, &fed, replay::Early::default());
        };
        let changed: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != passing[*at]).collect();
        let whole = match found.whole {
            0 => String::new(),
            whole => format!(", {} with every value", count(whole)),
        };
        self.told.push(format!(
            "The failure depends on {}. Those nearest to it were changed first: {inputs}{whole}.",
            count(of)
        ));
        if changed.len() > 1 {
            let whole = match found.whole {
                0 => String::new(),
                whole => format!(" No other value of one of these {whole} passes and comes to the check."),
            };
            self.told.push(format!("That two changes are the fewest is not proved.{whole}"));
        }
        let mut free: BTreeSet<usize> = changed.iter().copied().collect();
        free.extend(relevant.bytes.iter().take(self.most_looked()));
        let fed = self.fed(&bytes, Feed::Chosen(free.into_iter().collect()))?;
        let Some(own) = fed.program.crash().cloned() else {
            return Err(CheckError::Internal("no crash file was read".to_owned()).into());
        };
        let runs = [inputs_of(&own, &bytes), inputs_of(&own, passing)];
        let distance = changed.len() as u64;
        let statements = &relevant.statements;
        let why = fed.program.given_beside(&self.options(), [&runs[0], &runs[1]], distance, found.comes, statements)?;
        self.told_of(why, how, &fed, replay::Early::default())
    }

    /// Inputs of other lengths, where some pass: how the program is fed with them, and the first that was found.
    fn other_length(&self, bytes: &[u8], all: &[usize]) -> Option<(Feed, Resize)> {
        let Resized { found: Some(found), .. } = resized(&self.runner, bytes, MOST_RESIZED) else { return None };
        let size = bytes.len();
        let (least, most) = (size.saturating_sub(found.count()), size + found.count());
        (size <= SMALL).then(|| (Feed::Sized { least, most, free: all.to_vec() }, found))
    }

    /// The failing run beside the nearest passing one of a program; none if that takes too much.
    fn explained<'p>(
        &self,
        how: &Contrasting,
        fed: &'p ReadProgram,
        early: &replay::Early,
    ) -> Result<Option<Why<'p>>, Unanswered> {
        let own = fed.program.crash().cloned();
        let given = own.map(|own| inputs_of(&own, &self.crash.bytes));
        // Where no run is found in half of the time, inputs are executed in the other half.
        let stop = self.options().stop.halfway();
        let check = CheckOptions { constant: Some(MOST_ROUNDS), stop, ..self.options() };
        let metric = if how.options.metric == Metric::Ssa { Metric::Bytes } else { how.options.metric };
        let other_metric = Wanted::No;
        // Relations between bytes that only lie beside each other are no reasons to a reader.
        let usual = how.options.hypotheses == Hypotheses::default();
        let hypotheses = if usual { Hypotheses::None } else { how.options.hypotheses };
        let fixes = Wanted::No;
        let options = ExplainOptions { check, given, metric, other_metric, hypotheses, fixes, ..how.options.clone() };
        let work = self.work;
        let answered = thread::scope(|scope| {
            let replay = |runs: BothRuns| early.replay(work, fed, &options.check.properties, runs);
            let beside = |known| {
                if let Foretold::Runs(runs) = known {
                    scope.spawn(move || replay(*runs));
                }
            };
            fed.program.explain_beside(&options, &mut work.watch(), &beside)
        })?;
        Ok(answered.explanation().contrast.is_some().then_some(answered))
    }

    /// Everything else that is known of both runs, and the report.
    fn told_of(
        mut self,
        mut why: Why<'_>,
        how: &Contrasting,
        fed: &ReadProgram,
        early: replay::Early,
    ) -> Result<Exit, Unanswered> {
        let bytes = self.crash.bytes.clone();
        let own = fed.program.crash().map_or_else(|| self.crash.clone(), |own| (**own).clone());
        let passing = why.passing().map(|run| bytes_of(&own, &run.inputs));
        if how.options.fixes == Wanted::Yes && bytes.len() > LARGEST_FIXED {
            let smaller = "`nearmiss check --crash FILE --emit-input SMALL` makes a file smaller";
            self.told.push(format!("No fix was looked for, because the file is large; {smaller}."));
        } else if how.options.fixes == Wanted::Yes {
            self.work.fixing();
            self.fix(&mut why, how, passing.as_deref())?;
        }
        let stopped_by = self.work.settle();
        if let [Replay::Refuted(_)] = fixed::compiled(&Answer::of_why(self.work, fed, &why, stopped_by), 1)[..] {
            why.withdraw_fixes();
        }
        if let Some(passing) = passing.as_deref().filter(|passing| passing.len() == bytes.len()) {
            self.told.extend(self.other_ways(&bytes, passing));
        }
        // What only decides that the check is come to is no cause of a crash.
        let is_kept = |place: usize| passing.as_ref().is_some_and(|passing| passing.get(place) == bytes.get(place));
        why.leave_out_causes(&|variables| {
            variables.iter().all(|name| nearmiss_program::c::crash::place(name).is_some_and(is_kept))
        });
        let relevant = self.relevant()?.bytes.clone();
        let (looks, unlooked) = self.looks(&why, fed, passing.as_deref(), &relevant);
        let scope = scope(&own, bytes.len());
        why.tell_crash(CrashFile { scope, looks, unlooked, ..self.file(passing.clone()) });
        let answer = Answer::of_why(self.work, fed, &why, stopped_by);
        let replays = replay::confirmed(&answer, || early.finished(&answer))?;
        let mut notes = notes::of(&answer, &replays);
        notes.extend(self.emitted(passing.as_deref())?);
        let background = Background::of_why(&why).replayed(replays).noting(notes);
        form::write(self.work.settings, &Report::of_why(Verb::Explain, &why, &background))?;
        let explained = if stopped_by == Some(Reason::Interrupt) { Explained::InPart } else { Explained::Whole };
        Ok(Exit::of(why.verdict(), explained))
    }

    /// Looks for fixes, where their proofs say most.
    fn fix(&self, why: &mut Why<'_>, how: &Contrasting, passing: Option<&[u8]>) -> Result<(), Unanswered> {
        for scope in Scope::all(self.crash.bytes.len()) {
            self.fix_within(*scope, why, how, passing)?;
            if why.fixes().is_some_and(|found| found.complete || !found.found.is_empty()) {
                break;
            }
        }
        Ok(())
    }

    /// The same for some inputs.
    fn fix_within(
        &self,
        scope: Scope,
        why: &mut Why<'_>,
        how: &Contrasting,
        passing: Option<&[u8]>,
    ) -> Result<(), Unanswered> {
        let fed = self.for_fixes(scope)?;
        let Some(own) = fed.program.crash().cloned() else { return Ok(()) };
        let failing = inputs_of(&own, &self.crash.bytes);
        let passing = passing.map(|passing| inputs_of(&own, passing));
        let beside: Vec<_> = self.beside(&own).iter().map(|bytes| inputs_of(&own, bytes)).collect();
        let usual = self.options();
        let is_last = Scope::all(self.crash.bytes.len()).last() == Some(&scope);
        let stop = if is_last { usual.stop } else { usual.stop.halfway() };
        let options = ExplainOptions { check: CheckOptions { stop, ..usual }, ..how.options.clone() };
        let is_large = self.crash.bytes.len() > SMALL;
        let share = |found: &Explanation| {
            let share = FixOptions::share(&options, found);
            let (most_steps, most_runs) =
                if is_large { (Some(MOST_STEPS_OF_FIXES), (4, 2)) } else { (None, share.most_runs) };
            let check = CheckOptions { constant: Some(MOST_ROUNDS), ..share.check };
            FixOptions {
                check,
                beside: beside.clone(),
                most_steps,
                most_runs,
                price_of_change: PRICE_OF_CHANGE,
                ..share
            }
        };
        Ok(fed.program.fix_for(why, &failing, passing.as_ref(), &share)?)
    }

    /// Inputs that pass although they are as the crash file but for one byte that is free, of each byte no more than two; and, where the
    /// size is free, shorter and longer ones.
    fn beside(&self, own: &Crash) -> Vec<Vec<u8>> {
        let bytes = &self.crash.bytes;
        let free: Vec<usize> = match &own.feed {
            Feed::Chosen(free) | Feed::Sized { free, .. } => free.clone(),
            Feed::Whole { .. } | Feed::EachByte { .. } => Vec::new(),
        };
        let most = if bytes.len() > SMALL { MOST_BESIDE / 4 } else { MOST_BESIDE };
        let mut found = Vec::new();
        for at in free.into_iter().rev() {
            let old = bytes[at];
            let new = [old.wrapping_sub(1), old.wrapping_add(1), 0, 1, 4, old / 2, b'a', 255];
            let with = |byte: u8| [&bytes[..at], &[byte], &bytes[at + 1..]].concat();
            let passing = new.into_iter().filter(|byte| *byte != old).map(with);
            found.extend(passing.filter(|bytes| self.runner.run(bytes) == Did::Passes).take(2));
            if found.len() >= most {
                break;
            }
        }
        if let Feed::Sized { least, most, .. } = own.feed {
            let size = bytes.len();
            let sizes: BTreeSet<usize> = [0, 1, 2, 3, size / 2, size.wrapping_sub(1), size + 1, size + 2].into();
            let sized = |size: usize| bytes.iter().copied().chain([0; 2]).take(size).collect::<Vec<u8>>();
            let sizes = sizes.into_iter().filter(|other| *other != size && (least..=most).contains(other));
            found.extend(sizes.map(sized).filter(|bytes| self.runner.run(bytes) == Did::Passes));
        }
        found
    }

    /// Where more than one byte is changed: whether fewer removed or inserted do as well.
    fn other_ways(&self, bytes: &[u8], passing: &[u8]) -> Option<String> {
        let changed = bytes.iter().zip(passing).filter(|(one, other)| one != other).count();
        if changed < 2 {
            return None;
        }
        let Resized { found, tried, .. } = resized(&self.runner, bytes, 1);
        if found.is_none() && tried == 0 {
            return None;
        }
        Some(match found {
            Some(Resize::Removed { at, .. }) => format!("It also passes with one byte removed, that at {at:#x}."),
            Some(Resize::Inserted { at, bytes }) => {
                format!("It also passes with one byte inserted at {at:#x}, {:02x}.", bytes[0])
            }
            None => format!(
                "With a single byte removed or inserted it was not found to pass ({tried} such inputs were executed)."
            ),
        })
    }

    /// What of the program looks at the bytes that differ, and at others on which the failure depends; and how many more there are.
    fn looks(
        &self,
        why: &Why<'_>,
        fed: &ReadProgram,
        passing: Option<&[u8]>,
        relevant: &[usize],
    ) -> (Vec<LookedAt>, usize) {
        let bytes = &self.crash.bytes;
        let most = self.most_looked();
        let differs = |at: &usize| passing.is_some_and(|passing| bytes.get(*at) != passing.get(*at));
        let longest = bytes.len().max(passing.map_or(0, <[u8]>::len));
        let all: BTreeSet<usize> = (0..longest).filter(differs).chain(relevant.iter().copied()).collect();
        let mut at: BTreeSet<usize> = (0..longest).filter(differs).take(most).collect();
        for byte in relevant {
            if at.len() < most {
                at.insert(*byte);
            }
        }
        let more = all.len() - at.len();
        let stop = self.work.last_moment();
        let inputs = [why.failing().map(|run| &run.inputs), why.passing().map(|run| &run.inputs)];
        let [failing, passing] = inputs
            .map(|inputs| inputs.and_then(|inputs| looked::looks(fed.program.lowered(), inputs, &at, &stop)))
            .map(Option::unwrap_or_default);
        (both(&failing, &passing), more)
    }
}

/// What looks at bytes in either run, the failing one first.
fn both(failing: &Looks, passing: &Looks) -> Vec<LookedAt> {
    let mut found = Vec::new();
    let places: BTreeSet<usize> = failing.keys().chain(passing.keys()).copied().collect();
    for offset in places {
        let of = |looks: &Looks| looks.get(&offset).cloned().unwrap_or_default();
        let (one, other) = (of(failing), of(passing));
        let truths: BTreeMap<_, _> = other.iter().map(|(span, look)| (*span, look.truths.clone())).collect();
        for (span, look) in &one {
            let passing = truths.get(span).cloned().unwrap_or_default();
            found.push(LookedAt {
                offset,
                span: *span,
                failing: look.truths.clone(),
                passing,
                is_claim: look.is_claim,
            });
        }
        for (span, look) in other.iter().filter(|(span, _)| !one.iter().any(|(own, _)| own == span)) {
            let (failing, passing) = (Vec::new(), look.truths.clone());
            found.push(LookedAt { offset, span: *span, failing, passing, is_claim: false });
        }
    }
    found
}

/// Which inputs a passing one is the nearest of.
fn scope(own: &Crash, size: usize) -> String {
    match &own.feed {
        Feed::Chosen(free) if free.len() == size => " of the same length".to_owned(),
        Feed::Chosen(free) => {
            let bytes = if free.len() == 1 { "byte on which" } else { "bytes on which" };
            format!(" that differs in none but the {} {bytes} the failure depends most directly", free.len())
        }
        Feed::Sized { least, most, .. } => format!(" of {least} to {}", count(*most)),
        Feed::Whole { .. } | Feed::EachByte { .. } => String::new(),
    }
}

fn sorted(mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    places
}
