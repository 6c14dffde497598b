//! `nearmiss suite`: plans, does what has changed, tells of each task as it comes, and writes reports of all.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use nearmiss_program::spelling;
use nearmiss_report::suite::{json as suite_json, text};
use nearmiss_report::view::{Detail, Format};
use nearmiss_suite::bugs;
use nearmiss_suite::pattern::is_like;
use nearmiss_suite::plan::{Plan, Planner};
use nearmiss_suite::row::{Found, Row, Stored, Summary, Whole};
use nearmiss_suite::task::{SCHEMA, Task, Verdict};
use serde_json::{Value, json};

use crate::args::suite::Again;
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::paint::{Stream, choose};
use crate::progress::Progress;
use crate::settings::suite::{Part, SuiteSettings, check};
use crate::suite::changed::Changed;
use crate::suite::contents::{self, Contents};
use crate::suite::disk::{OnDisk, told_from_here};
use crate::suite::perform::Workplace;
use crate::suite::process;
use crate::suite::reports;
use crate::suite::store::{Purpose, Store, is_current};
use crate::suite::workers::{self, Done};
use crate::{limits, stats};

/// The names that a manifest has in a folder that is given.
const MANIFESTS: [&str; 4] = ["nearmiss.yml", "nearmiss.yaml", "suite.yml", "suite.yaml"];

/// The largest line of a plan.
const LARGEST_LINE: u64 = 16 << 20;

/// Does what was asked for. `Err` is a file that cannot be written.
pub fn run(settings: &SuiteSettings) -> Result<Exit> {
    let stop = Arc::new(AtomicBool::new(false));
    if settings.part == Part::Perform {
        return perform(settings, &stop);
    }
    let started = Instant::now();
    let tool = std::env::current_exe().context("this tool cannot find itself")?;
    let version = contents::of_tool(&tool).context("this tool cannot be read")?;
    let Some(suite) = Suite::read(settings, tool, version) else { return Ok(Exit::Input) };
    let suite = match suite.selected(settings) {
        Ok(suite) => suite,
        Err(message) => {
            complain(&format!("error: {message}"));
            return Ok(Exit::Usage);
        }
    };
    match settings.part {
        Part::Plan => suite.print_plan(settings),
        _ => suite.done(settings, &stop, started),
    }
}

/// Does one task, for who distributes them.
fn perform(settings: &SuiteSettings, stop: &Arc<AtomicBool>) -> Result<Exit> {
    // A worker that is killed leaves nobody who waits for the result.
    process::end_with_the_suite();
    let mut line = String::new();
    let wrong = |message: String| {
        complain(&format!("error: --perform: {message}"));
        Ok(Exit::Input)
    };
    if let Err(error) = io::stdin().lock().take(LARGEST_LINE).read_to_string(&mut line) {
        return wrong(format!("standard input cannot be read: {error}"));
    }
    let line: Value = match serde_json::from_str(&line) {
        Ok(line) => line,
        Err(error) => return wrong(format!("this is no line of a plan: {error}")),
    };
    let task = match Task::of_json(&line) {
        Ok(task) => task,
        Err(message) => return wrong(message),
    };
    for argv in [Some(&task.argv), task.focus.as_ref()].into_iter().flatten() {
        if let Err(message) = check(argv, &task.files) {
            return wrong(message);
        }
    }
    let folder = PathBuf::from(line["folder"].as_str().unwrap_or_default());
    if !folder.is_dir() {
        return wrong(format!("the folder `{}` is not there", folder.display()));
    }
    let tool = std::env::current_exe().context("this tool cannot find itself")?;
    let version = contents::of_tool(&tool).context("this tool cannot be read")?;
    if line["tool"] != version.as_str() {
        return wrong("the plan is that of another build of nearmiss".to_owned());
    }
    stop_at_signals(stop);
    let workplace = Workplace { tool, version, folder, threads: settings.threads, memory: settings.memory };
    match workplace.perform(&task, stop).context("the task cannot be started")? {
        Some(result) => {
            print(&format!("{result}\n"))?;
            Ok(Exit::Holds)
        }
        None => Ok(Exit::Undecided),
    }
}

/// Ctrl-C and its kin: tasks are ended, what is done stays. A second one ends all at once.
fn stop_at_signals(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    let _ = ctrlc::set_handler(move || {
        if stop.swap(true, Ordering::SeqCst) {
            Exit::Undecided.leave();
        }
    });
}

/// A suite as it was read.
struct Suite {
    tasks: Vec<Task>,
    /// The name of each result.
    keys: Vec<String>,
    /// Where tasks run.
    disk: OnDisk,
    /// The manifest, if there is one.
    manifest: Option<PathBuf>,
    /// What it is called.
    title: String,
    /// Where results are kept.
    results: PathBuf,
    tool: PathBuf,
    version: String,
    contents: Contents,
}

impl Suite {
    /// Reads the manifest and plans. None: what is wrong was told.
    fn read(settings: &SuiteSettings, tool: PathBuf, version: String) -> Option<Suite> {
        let given = settings.manifest.clone().unwrap_or_default();
        let path = Path::new(&given);
        let manifest = match path.is_dir() {
            true => MANIFESTS.iter().map(|name| path.join(name)).find(|path| path.is_file()),
            false => Some(path.to_path_buf()),
        };
        let folder = match &manifest {
            Some(manifest) => manifest.parent().map(Path::to_path_buf).unwrap_or_default(),
            None => path.to_path_buf(),
        };
        let root = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let root = match fs::canonicalize(root) {
            Ok(root) => root,
            Err(error) => {
                complain(&format!("error: {given} cannot be read: {error}"));
                return None;
            }
        };
        let disk = OnDisk { root };
        let shown = folder.display().to_string();
        let planner = Planner { folder: &disk, shown: &shown, check: &check };
        let name = manifest.as_ref().and_then(|manifest| manifest.file_name()).map(|name| name.to_string_lossy());
        let plan = match &name {
            Some(name) => planner.of_file(name),
            None => planner.of_folder(),
        };
        let Plan { tasks, notes } = match plan {
            Ok(plan) => plan,
            Err(complaints) => {
                complaints.iter().for_each(|complaint| complain(&complaint.to_string()));
                return None;
            }
        };
        if settings.output.detail > Detail::Quiet {
            notes.iter().for_each(|note| complain(&format!("note: {note}")));
        }
        let results = settings.results.as_ref().map_or_else(|| folder.join(".nearmiss"), PathBuf::from);
        let title = format!("nearmiss suite {given}");
        let contents = Contents::default();
        let keys = tasks.iter().map(|task| contents.key(&version, &disk.root, task)).collect();
        Some(Suite { tasks, keys, disk, manifest, title, results, tool, version, contents })
    }

    /// Only those tasks that were asked for. `Err` is an error of usage.
    fn selected(mut self, settings: &SuiteSettings) -> Result<Suite, String> {
        let mut wanted: Vec<bool> = vec![true; self.tasks.len()];
        for pattern in &settings.only {
            if !self.tasks.iter().any(|task| is_like(pattern, &task.name)) {
                let near = spelling::near(self.tasks.iter().map(|task| task.name.as_str()), pattern);
                let near = near.map(|near| format!("; {near}")).unwrap_or_default();
                return Err(format!("--only: no task is called `{pattern}`{near}"));
            }
        }
        if !settings.only.is_empty() {
            let is_called = |task: &Task| settings.only.iter().any(|pattern| is_like(pattern, &task.name));
            wanted = self.tasks.iter().map(is_called).collect();
        }
        let since = settings.since.as_ref().map(|revision| Changed::since(revision, &self.disk.root)).transpose()?;
        let changed = settings.changed.as_deref().map(Changed::of);
        let changed = match (since, changed) {
            (Some(since), Some(changed)) => Some(since.and(changed)),
            (since, changed) => since.or(changed),
        };
        let all = |changed: &Changed| self.manifest.as_ref().is_some_and(|manifest| changed.has(manifest));
        if let Some(changed) = changed.filter(|changed| !all(changed)) {
            let store = Store::look(&self.results);
            for (place, task) in self.tasks.iter().enumerate().filter(|(place, _)| wanted[*place]).collect::<Vec<_>>() {
                let stored = store.load(&self.keys[place]);
                let stored = stored.as_deref().and_then(|text| Stored::of(text, &self.keys[place]));
                wanted[place] = changed.matters_to(task, stored.as_ref(), &self.disk);
            }
        }
        let mut kept = wanted.iter();
        self.tasks.retain(|_| kept.next() == Some(&true));
        let mut kept = wanted.iter();
        self.keys.retain(|_| kept.next() == Some(&true));
        Ok(self)
    }

    /// What is known of each task, where nothing has changed since.
    fn kept(&self, store: &Store, again: Option<Again>, purpose: Purpose) -> Vec<Option<Found>> {
        let kept = |key: &String| {
            let text = store.load(key)?;
            let stored = Stored::of(&text, key)?;
            let found = stored.found()?;
            let is_wanted_again = match again {
                None => false,
                Some(Again::All) => true,
                Some(Again::Unanswered) => matches!(found.verdict, Verdict::Undecided | Verdict::Error),
            };
            (!is_wanted_again && is_current(&stored, &self.disk.root, &self.contents, purpose)).then_some(found)
        };
        self.keys.iter().map(kept).collect()
    }

    /// Prints what is to be done.
    fn print_plan(&self, settings: &SuiteSettings) -> Result<Exit> {
        let mut lines = String::new();
        let kept = self.kept(&Store::look(&self.results), settings.again, Purpose::Doing);
        for (place, (task, key)) in self.tasks.iter().zip(&self.keys).enumerate() {
            let mut line = json!({"schema": SCHEMA, "task": place});
            if let (Value::Object(line), Value::Object(of_task)) = (&mut line, task.json()) {
                line.extend(of_task);
            }
            line["folder"] = json!(self.disk.root);
            line["key"] = json!(key);
            line["kept"] = json!(kept[place].is_some());
            line["tool"] = json!(self.version);
            lines += &format!("{line}\n");
        }
        settings.output.write(&lines)?;
        Ok(Exit::Holds)
    }

    /// Does what is to be done, and tells.
    fn done(mut self, settings: &SuiteSettings, stop: &Arc<AtomicBool>, started: Instant) -> Result<Exit> {
        let store = match settings.part {
            Part::Collect if !self.results.is_dir() => {
                complain(&format!("error: there are no results in {}", self.results.display()));
                return Ok(Exit::Input);
            }
            _ => Store::open(&self.results)
                .with_context(|| format!("results cannot be kept in {} (--results DIR)", self.results.display()))?,
        };
        let (again, purpose) = match settings.part {
            Part::Collect => (None, Purpose::Telling),
            _ => (settings.again, Purpose::Doing),
        };
        let mut found = self.kept(&store, again, purpose);
        let kept = found.iter().flatten().count();
        if settings.part == Part::Whole {
            stop_at_signals(stop);
            self.work(settings, &store, stop, &mut found);
        }
        let done = found.iter().flatten().count() - kept;
        let rows = self.tasks.iter().zip(&self.keys).zip(found);
        let mut rows: Vec<Row> =
            rows.map(|((task, key), found)| Row { task: task.clone(), key: key.clone(), found, bug: None }).collect();
        let bugs = bugs::group(&mut rows);
        let summary = Summary { rows, bugs };
        let folder = told_from_here(&self.disk.root);
        let written = reports::write(&summary, &store, &self.title, &folder);
        let index = self.results.join(reports::INDEX);
        settings.output.write(&match settings.format {
            Format::Json => suite_json::render(&summary),
            _ => {
                let text = text::render(&summary, settings.output.paint());
                if written.is_ok() { format!("{text}All explanations: {}\n", index.display()) } else { text }
            }
        })?;
        if settings.stats {
            let counts = [("tasks", self.tasks.len()), ("kept", kept), ("done", done)];
            let counts = counts.map(|(name, number)| (name, number as u64));
            complain(&stats::line([("all", started.elapsed().as_secs_f64())], counts));
        }
        if let Err((name, error)) = written {
            return Err(error).with_context(|| format!("{name} cannot be written"));
        }
        if stop.load(Ordering::SeqCst) {
            complain("interrupted: what is done is kept, and the same command goes on from there");
            return Ok(Exit::Undecided);
        }
        Ok(match summary.whole() {
            Whole::Holds => Exit::Holds,
            Whole::Fails => Exit::Fails,
            Whole::Undecided => Exit::Undecided,
        })
    }

    /// Does all tasks of which nothing is known. Tasks that ask the same are done once.
    fn work(&mut self, settings: &SuiteSettings, store: &Store, stop: &AtomicBool, found: &mut [Option<Found>]) {
        let mut asked: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut order: Vec<usize> = Vec::new();
        for place in (0..self.tasks.len()).filter(|place| found[*place].is_none()) {
            let same = asked.entry(&self.keys[place]).or_default();
            if same.is_empty() {
                order.push(place);
            }
            same.push(place);
        }
        let jobs = settings.jobs.map(usize::from).or_else(|| thread::available_parallelism().ok().map(usize::from));
        let jobs = jobs.unwrap_or(1).min(order.len()).max(1);
        let usual =
            || limits::usual_memory().map(|bytes| (bytes >> 20) / jobs as u64).filter(|megabytes| *megabytes > 0);
        let workplace = Workplace {
            tool: self.tool.clone(),
            version: self.version.clone(),
            folder: self.disk.root.clone(),
            threads: settings.threads,
            memory: settings.memory.or_else(usual),
        };
        let total = asked.values().map(Vec::len).sum();
        let teller = Teller::start(settings, [self.tasks.len(), total, jobs]);
        let tasks: Vec<&Task> = order.iter().map(|place| &self.tasks[*place]).collect();
        let mut renamed: Vec<(usize, String)> = Vec::new();
        let mut count = 0;
        workers::run(&tasks, &workplace, store, (jobs, stop), &mut |done: Done| {
            let first = order[done.place];
            let result = match done.found {
                Ok(result) => result,
                Err(why) => unstarted(why),
            };
            for place in &asked[self.keys[first].as_str()] {
                found[*place] = Some(result.clone());
                renamed.push((*place, done.key.clone()));
                let row = Row {
                    task: self.tasks[*place].clone(),
                    key: String::new(),
                    found: Some(result.clone()),
                    bug: None,
                };
                count += 1;
                teller.tell(count, &row);
            }
            if let Some(why) = done.unsaved {
                teller.complain(&self.tasks[first], &why);
            }
        });
        // Files that changed meanwhile made another question of it.
        for (place, key) in renamed {
            self.keys[place] = key;
        }
    }
}

/// What is said of a task whose process could not be started.
fn unstarted(sentence: String) -> Found {
    Found {
        verdict: Verdict::Error,
        why: Some("internal".to_owned()),
        sentence,
        seconds: 0.0,
        property: None,
        suspects: Vec::new(),
        condition: None,
    }
}

/// Tells of each task as it comes, on standard error.
struct Teller {
    progress: Progress,
    settings: SuiteSettings,
    total: usize,
}

impl Teller {
    /// Begins. The numbers are those of all tasks, of those that are to be done, and of workers.
    fn start(settings: &SuiteSettings, [all, total, jobs]: [usize; 3]) -> Teller {
        let progress = Progress::start(&settings.output);
        let teller = Teller { progress, settings: settings.clone(), total };
        let workers = if jobs == 1 { "1 worker".to_owned() } else { format!("{jobs} workers") };
        let kept = if total < all { "; nothing has changed for the others" } else { "" };
        match total {
            0 => teller.say("nothing has changed: no task is done again"),
            _ => teller.say(&format!("{total} of {all} tasks are to be done, by {workers}{kept}")),
        }
        teller
    }

    fn say(&self, what: &str) {
        if self.settings.output.detail > Detail::Quiet {
            self.progress.tell(what);
        }
    }

    fn tell(&self, count: usize, row: &Row) {
        let paint = choose(self.settings.output.color, Stream::Error);
        let (total, width) = (self.total, self.total.to_string().len());
        self.say(&format!("[{count:>width$}/{total}] {}", text::line(row, paint)));
        self.progress.say(&format!("{count} of {total} tasks are done"));
    }

    fn complain(&self, task: &Task, why: &str) {
        self.progress.tell(&format!("warning: the result of {} is not kept: {why}", task.name));
    }
}
