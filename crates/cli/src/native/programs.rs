//! Two programs that are compared, each compiled by itself: with the standard input of a run, and with the results of functions without a
//! body, they must print and exit as they do in our machine.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use nearmiss_explain::printed::{self, Both, Seen};
use nearmiss_program::c::console::STDIN;
use nearmiss_program::program::{ClaimKind, SiteKind, Type};
use nearmiss_program::run::RunStepKind;
use nearmiss_report::replay::{Replay, Replays};

use super::process::{Compiled, Late};
use super::sandbox::{Build, Sandbox};
use super::trials;
use super::{Feed, Question, has_body, skipped};

/// What the words of checkers do in a program that is run by itself; what is defined elsewhere comes first.
const WORDS: &str = "\
#include <stdlib.h>\n\
#define WORD __attribute__((weak)) void\n\
WORD __CPROVER_assume(_Bool holds) {}\n\
WORD __VERIFIER_assume(int holds) {}\n\
WORD __ESBMC_assume(_Bool holds) {}\n\
WORD klee_assume(unsigned long holds) {}\n\
WORD __CPROVER_assert(_Bool holds, const char *text) { if (!holds) abort(); }\n\
WORD __VERIFIER_assert(int holds) { if (!holds) abort(); }\n\
WORD reach_error(void) { abort(); }\n";

/// Runs both programs on both runs.
pub fn replay(question: &Question) -> Replays {
    let mut replays = Replays::nobody_asked();
    for (number, feed) in question.feeds() {
        let judged = match judge(question, feed, question.fails(number)) {
            Ok(judged) => judged,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return skipped("there is no C compiler (`cc`, or what CC says)".to_owned());
            }
            Err(error) => Replay::Skipped(format!("it could not be run ({error})")),
        };
        match question.fails(number) {
            true => replays.failing = judged,
            false => replays.passing = judged,
        }
    }
    replays
}

/// What one program did.
struct Ran {
    printed: Vec<u8>,
    /// None: a signal ended it.
    status: Option<i32>,
}

fn judge(question: &Question, feed: Feed, fails: bool) -> io::Result<Replay> {
    let claim = question.claim.kind;
    let is_compared = matches!(claim, ClaimKind::Output | ClaimKind::OutputEnd | ClaimKind::ExitStatus);
    let aborts = fails && claim == ClaimKind::Assertion;
    if fails && !is_compared && !aborts {
        let why = "only what is printed, exit statuses and assertions are looked at where programs are compared";
        return Ok(Replay::Skipped(why.to_owned()));
    }
    let Some(both) = printed::of(question.program, feed.inputs, question.stop).filter(|both| !both.is_cut) else {
        return Ok(Replay::Skipped("what is printed is not known".to_owned()));
    };
    let files = &question.settings.files;
    let Some((reference, own)) = files.split_last() else { return Ok(skipped(String::new()).failing) };
    let run = |files: &[String]| ran(question, (feed, &both.input), files);
    let (new, old) = match (run(own)?, run(std::slice::from_ref(reference))?) {
        (Ok(new), Ok(old)) => (new, old),
        (Err(why), _) | (_, Err(why)) => return Ok(Replay::Skipped(why)),
    };
    Ok(match disagreement(&both, &new, &old, aborts) {
        None => Replay::Confirmed,
        Some(how) if feed.inputs.contents.values().any(|contents| !contents.is_empty()) => {
            Replay::Skipped(format!("{how}, but what it does depends on what is not set"))
        }
        Some(how) => Replay::Refuted(how),
    })
}

/// How the compiled programs differ from our machine, if they do.
fn disagreement(both: &Both, new: &Ran, old: &Ran, aborts: bool) -> Option<String> {
    let differs = |seen: &Seen, ran: &Ran, who: &str| match ran.status {
        None => Some(format!("{who} is ended by a signal")),
        Some(status) if status != i32::from(seen.status) => Some(format!("{who} exits with {status}")),
        Some(_) if ran.printed != seen.printed => {
            Some(format!("{who} prints {:?}", String::from_utf8_lossy(&ran.printed)))
        }
        Some(_) => None,
    };
    let of_new = match aborts {
        true => new.status.map(|status| format!("it exits with {status}")),
        false => differs(&both.new, new, "it"),
    };
    of_new.or_else(|| differs(&both.old, old, "the reference"))
}

/// Compiles some of the files with what they are fed, and runs the program. The inner error says why that cannot be done.
fn ran(question: &Question, (feed, input): (Feed, &[u8]), files: &[String]) -> io::Result<Result<Ran, String>> {
    let folder = tempfile::Builder::new().prefix("nearmiss-").tempdir()?;
    let all = &question.settings.files;
    let texts = question.sources.files().filter(|(_, file)| !file.system);
    let texts: Vec<(String, String)> = texts
        .filter(|(_, file)| !all.contains(&file.name) || files.contains(&file.name))
        .map(|(_, file)| (file.name.clone(), file.text.clone()))
        .collect();
    let fed = fed(question, feed);
    let bits = question.program.pointer.bits;
    let program: PathBuf =
        match trials::compiled(question.settings, &texts, Some(&fed), bits, folder.path(), question.stop)? {
            Ok(program) => program,
            Err(why) => return Ok(Err(why)),
        };
    let room = tempfile::Builder::new().prefix("nearmiss-").tempdir()?;
    let compiled =
        Compiled { program: &program, sandbox: Sandbox::for_bits(bits), build: Build::Plain, stop: question.stop };
    let (ended, printed) = compiled.run_on(room.path(), input, &[])?;
    Ok(match ended.status {
        Ok(status) => Ok(Ran { printed, status: status.code() }),
        Err(Late::Stopped) => Err(Late::Stopped.of("the compiled program")),
        Err(_) => Err("the compiled program did not end in time".to_owned()),
    })
}

/// Functions without a body, as C: the n-th call gives what it gave in the run.
fn fed(question: &Question, feed: Feed) -> String {
    let mut queues: BTreeMap<&str, (String, Vec<u128>)> = BTreeMap::new();
    for step in &feed.run.steps {
        let RunStepKind::Input { site, name, ty, value } = &step.kind else { continue };
        let is_call = question.program.sites[site.index()].kind == SiteKind::Call && name != STDIN;
        let Some(name) = name.strip_suffix("()").filter(|_| is_call) else { continue };
        let name = name.strip_suffix("_of_both").unwrap_or(name);
        let of = match question.program.ty(*ty) {
            Type::Enum { .. } => "int".to_owned(),
            _ => question.program.type_name(*ty).to_string(),
        };
        queues.entry(name).or_insert_with(|| (of, Vec::new())).1.push(*value);
    }
    let mut text = WORDS.to_owned();
    for (name, (of, values)) in &queues {
        if has_body(question.program, name) {
            continue;
        }
        let listed: Vec<String> = values.iter().map(|value| format!("{}ULL", *value as u64)).collect();
        let count = values.len();
        let _ = write!(
            text,
            "{of} {name}()\n{{\n    static const unsigned long long given[] = {{{}}};\n    static unsigned taken;\n    \
             {of} value = 0;\n    if (taken < {count}) __builtin_memcpy(&value, &given[taken++], sizeof value);\n    \
             return value;\n}}\n",
            listed.join(", ")
        );
    }
    text
}
