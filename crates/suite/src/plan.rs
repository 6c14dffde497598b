//! From a manifest, a task definition or a folder to tasks: patterns are looked up, files must be there, names must differ,
//! and every command line must be one. All that is wrong is told at once, with file and line.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use nearmiss_program::spelling;

use crate::complaint::{Complaint, Place, Wrong};
use crate::definition;
use crate::folder::{Folder, Kind};
use crate::includes::plain;
use crate::manifest::{self, Entry, Manifest, Shared, What, Written};
use crate::pattern::{below, expand, folder_of, is_pattern, join};
use crate::task::{Command, Expected, Task, Verdict};
use crate::yaml;

/// Files that are programs, or models, of their own.
const PROGRAMS: [&str; 5] = [".c", ".i", ".btor2", ".aag", ".aig"];
/// Files that are task definitions.
const DEFINITIONS: [&str; 2] = [".yml", ".yaml"];
/// What fuzzers put beside crash files.
const NO_CRASH: &str = "README.txt";

/// Says what is wrong with a command line, given the files that it is to be about.
pub type Check<'a> = &'a dyn Fn(&[String], &[String]) -> Result<(), String>;

/// The tasks of a suite.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// In the order of the manifest.
    pub tasks: Vec<Task>,
    /// What was passed over, one sentence each.
    pub notes: Vec<String>,
}

/// What a plan is made from.
#[derive(Clone, Copy)]
pub struct Planner<'a> {
    /// The disk, told from the folder in which tasks run.
    pub folder: &'a dyn Folder,
    /// That folder as the user may name it; empty if it is where the user is.
    pub shown: &'a str,
    /// What is a command line.
    pub check: Check<'a>,
}

/// What is wrong, all of it.
pub type Complaints = Vec<Complaint>;

impl Planner<'_> {
    /// The plan of a file in the folder: a manifest, or one task definition.
    ///
    /// # Errors
    ///
    /// All that is wrong.
    pub fn of_file(&self, name: &str) -> Result<Plan, Complaints> {
        let mut work = self.start();
        let text = self.folder.text(name);
        let text = text.map_err(|error| vec![whole(&work.shown(name), format!("it cannot be read: {error}"))])?;
        let within = |all: Vec<Wrong>| all.into_iter().map(|wrong| wrong.within(&work.shown(name))).collect::<Vec<_>>();
        let node = yaml::read(&text).map_err(within)?;
        if manifest::is_definition(&node) {
            work.definition(name, &Shared::default(), &Shared::default());
        } else {
            let manifest = manifest::of(&node).map_err(within)?;
            work.manifest(name, &manifest);
        }
        work.end()
    }

    /// The plan of a folder without a manifest: its task definitions, and all other programs.
    ///
    /// # Errors
    ///
    /// All that is wrong.
    pub fn of_folder(&self) -> Result<Plan, Complaints> {
        let mut work = self.start();
        work.folder("", &Shared::default());
        if work.wrong.is_empty() && work.tasks.is_empty() {
            let name = if self.shown.is_empty() { "." } else { self.shown };
            work.wrong.push(whole(name, "there are no task definitions and no programs in this folder".to_owned()));
        }
        work.end()
    }

    fn start(&self) -> Work<'_> {
        Work {
            planner: *self,
            tasks: Vec::new(),
            names: BTreeMap::new(),
            wrong: Vec::new(),
            passed_over: BTreeMap::new(),
            file: String::new(),
        }
    }
}

/// Something wrong with a file as a whole.
fn whole(file: &str, message: String) -> Complaint {
    Wrong::new(Place { line: 1, column: 1 }, message).within(file)
}

/// A plan in the making.
struct Work<'a> {
    planner: Planner<'a>,
    tasks: Vec<Task>,
    /// Where each name comes from.
    names: BTreeMap<String, (String, Place)>,
    wrong: Complaints,
    /// How often something was passed over, by what is said of it.
    passed_over: BTreeMap<String, usize>,
    /// What is read, as the user names it.
    file: String,
}

/// A task that is about to be made.
struct Draft<'a> {
    at: Place,
    name: String,
    files: Vec<String>,
    crash: Option<String>,
    expected: Option<Expected>,
    defaults: &'a Shared,
    own: &'a Shared,
    checked: definition::Checked,
}

impl Work<'_> {
    fn end(mut self) -> Result<Plan, Complaints> {
        if !self.wrong.is_empty() {
            let mut known = BTreeSet::new();
            self.wrong.retain(|one| known.insert((one.file.clone(), one.wrong.at, one.wrong.message.clone())));
            return Err(self.wrong);
        }
        let note = |(what, times): (String, usize)| match times {
            1 => what,
            times => format!("{what} ({times} times)"),
        };
        Ok(Plan { tasks: self.tasks, notes: self.passed_over.into_iter().map(note).collect() })
    }

    /// A name in the folder as the user may type it.
    fn shown(&self, name: &str) -> String {
        join(self.planner.shown, name)
    }

    fn complain(&mut self, wrong: Wrong) {
        let file = self.file.clone();
        self.wrong.push(wrong.within(&file));
    }

    fn manifest(&mut self, name: &str, manifest: &Manifest) {
        self.file = self.shown(name);
        for entry in &manifest.entries {
            self.entry(entry, &manifest.defaults);
        }
        if self.wrong.is_empty() && self.tasks.is_empty() {
            self.complain(Wrong::new(Place { line: 1, column: 1 }, "no task is left that can be checked"));
        }
    }

    fn entry(&mut self, entry: &Entry, defaults: &Shared) {
        let own = &entry.shared;
        let named = entry.name.as_ref().map(|name| name.is.as_str());
        match &entry.what {
            What::Program(written) => {
                let files = self.files(written, &[]);
                let Some(first) = files.first() else { return };
                let name = named.unwrap_or(first).to_owned();
                self.draft(Draft { files, ..Draft::of(entry, name, defaults) });
            }
            What::Harnesses(each, with) => {
                let with = if with.is_empty() { Vec::new() } else { self.files(with, &[]) };
                for written in each {
                    for file in self.files(std::slice::from_ref(written), &PROGRAMS) {
                        let name = within(named, &written.is, &file);
                        let files: Vec<String> = [file].into_iter().chain(with.iter().cloned()).collect();
                        self.draft(Draft { at: written.at, files, ..Draft::of(entry, name, defaults) });
                    }
                }
            }
            What::Crashes(each, with) => {
                let files = self.files(with, &[]);
                for written in each {
                    let crashes = self.files(std::slice::from_ref(written), &[""]);
                    for crash in crashes.into_iter().filter(|crash| !crash.ends_with(NO_CRASH)) {
                        let name = within(named, &written.is, &crash);
                        let (files, crash) = (files.clone(), Some(crash));
                        self.draft(Draft { at: written.at, files, crash, ..Draft::of(entry, name, defaults) });
                    }
                }
            }
            What::Definitions(written) => {
                for file in self.files(written, &DEFINITIONS) {
                    self.definition(&file, defaults, own);
                }
            }
            What::Short(written) if self.planner.folder.kind(&written.is) == Kind::Folder => {
                let before = self.tasks.len() + self.wrong.len();
                self.folder(&written.is, defaults);
                if before == self.tasks.len() + self.wrong.len() {
                    self.complain(Wrong::new(written.at, format!("there are no tasks in `{}`", written.is)));
                }
            }
            What::Short(written) => {
                for file in self.files(std::slice::from_ref(written), &[]) {
                    if DEFINITIONS.iter().any(|ending| file.ends_with(ending)) {
                        self.definition(&file, defaults, own);
                    } else {
                        let name = file.clone();
                        self.draft(Draft { files: vec![file], ..Draft::of(entry, name, defaults) });
                    }
                }
            }
        }
    }

    /// The files that are written. A folder stands for all files below it with one of these endings, if there are any.
    fn files(&mut self, written: &[Written], endings: &[&str]) -> Vec<String> {
        let mut files = Vec::new();
        for one in written {
            let folder = self.planner.folder;
            let found = match folder.kind(&one.is) {
                Kind::File => Ok(vec![one.is.clone()]),
                Kind::Folder if !endings.is_empty() => below(&one.is, endings, folder),
                Kind::Nothing if is_pattern(&one.is) => expand(&one.is, folder),
                other => {
                    self.missing(one, other);
                    continue;
                }
            };
            match found {
                Ok(found) if found.is_empty() => {
                    self.complain(Wrong::new(one.at, format!("`{}` stands for no file", one.is)));
                }
                Ok(found) => files.extend(found),
                Err((folder, error)) => self.unreadable(one.at, &folder, &error),
            }
        }
        files
    }

    fn unreadable(&mut self, at: Place, folder: &str, error: &io::Error) {
        let name = if folder.is_empty() { "." } else { folder };
        self.complain(Wrong::new(at, format!("the folder `{name}` cannot be read: {error}")));
    }

    fn missing(&mut self, written: &Written, kind: Kind) {
        let path = &written.is;
        let wrong = match kind {
            Kind::Folder => {
                let help = "`harnesses` makes a task of each file in a folder".to_owned();
                Wrong::new(written.at, format!("`{path}` is a folder; a file is needed")).with_help(help)
            }
            Kind::Other => Wrong::new(written.at, format!("`{path}` is no file that can be read more than once")),
            _ => {
                let (folder, name) = (folder_of(path), path.rsplit('/').next().unwrap_or_default());
                let beside = self.planner.folder.entries(folder).unwrap_or_default();
                let help = spelling::near(beside.iter().map(|(name, _)| name.as_str()), name).or_else(|| {
                    (!folder.is_empty() && self.planner.folder.kind(folder) == Kind::Nothing)
                        .then(|| format!("there is no folder `{folder}`, told from the folder of the manifest"))
                });
                Wrong::new(written.at, format!("there is no file `{path}`")).with_help(help)
            }
        };
        self.complain(wrong);
    }

    /// The tasks of a folder: its definitions, and the programs that none of these names.
    fn folder(&mut self, path: &str, defaults: &Shared) {
        let folder = self.planner.folder;
        let named = if path.is_empty() { "." } else { path };
        let outer = if self.file.is_empty() { self.shown(named) } else { self.file.clone() };
        let found = below(path, &DEFINITIONS, folder).and_then(|yaml| Ok((yaml, below(path, &PROGRAMS, folder)?)));
        let (definitions, programs) = match found {
            Ok(found) => found,
            Err((name, error)) => {
                let message = format!("the folder `{name}` cannot be read: {error}");
                return self.wrong.push(whole(&outer, message));
            }
        };
        let mut taken = BTreeSet::new();
        for file in definitions {
            // Other YAML may lie there, too: what is no task definition is none of ours.
            let node = folder.text(&file).ok().and_then(|text| yaml::read(&text).ok());
            let Some(node) = node.filter(manifest::is_definition) else { continue };
            if let Ok(definition) = definition::of(&node) {
                taken.extend(definition.inputs.iter().map(|input| plain(&join(folder_of(&file), &input.is))));
            }
            self.definition(&file, defaults, &Shared::default());
        }
        let entry_place = Place { line: 1, column: 1 };
        let nothing = Shared::default();
        self.file = outer.clone();
        for file in programs.into_iter().filter(|file| !taken.contains(&plain(file))) {
            let name = file.clone();
            self.draft(Draft {
                at: entry_place,
                name,
                files: vec![file],
                crash: None,
                expected: None,
                defaults,
                own: &nothing,
                checked: unasked(),
            });
        }
    }

    /// The tasks of a task definition: one for each property that is checked.
    fn definition(&mut self, file: &str, defaults: &Shared, own: &Shared) {
        let shown = self.shown(file);
        let outer = std::mem::replace(&mut self.file, shown);
        if let Err(wrong) = self.properties(file, defaults, own) {
            for wrong in wrong {
                self.complain(wrong);
            }
        }
        self.file = outer;
    }

    fn properties(&mut self, file: &str, defaults: &Shared, own: &Shared) -> Result<(), Vec<Wrong>> {
        let start = Place { line: 1, column: 1 };
        let cannot = |error: io::Error| vec![Wrong::new(start, format!("it cannot be read: {error}"))];
        let text = self.planner.folder.text(file).map_err(cannot)?;
        let definition = definition::of(&yaml::read(&text)?)?;
        if let Some(language) = definition.language {
            self.pass_over(format!("task definitions for {language} are left out"));
            return Ok(());
        }
        let beside = |written: &Written| Written { at: written.at, is: join(folder_of(file), &written.is) };
        let inputs: Vec<Written> = definition.inputs.iter().map(beside).collect();
        let inputs = self.files(&inputs, &[]);
        for asked in &definition.properties {
            let path = beside(&asked.file);
            let property = match self.planner.folder.text(&path.is) {
                Ok(property) => property,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.missing(&path, Kind::Nothing);
                    continue;
                }
                Err(error) => {
                    self.complain(Wrong::new(path.at, format!("`{}` cannot be read: {error}", path.is)));
                    continue;
                }
            };
            let word = path.is.rsplit('/').next().unwrap_or_default().trim_end_matches(".prp").to_owned();
            let Some(mut checked) = definition::checked(&property) else {
                self.pass_over(format!("the property {word} is not checked, and left out"));
                continue;
            };
            checked.flags.extend(definition.model.map(str::to_owned));
            let stem = DEFINITIONS.iter().find_map(|ending| file.strip_suffix(ending)).unwrap_or(file);
            // What the benchmark says is what is expected.
            let expected = Some(asked.expected);
            let (name, files) = (format!("{stem} ({word})"), inputs.clone());
            self.draft(Draft { at: asked.file.at, name, files, crash: None, expected, defaults, own, checked });
        }
        if definition.properties.is_empty() {
            self.pass_over("task definitions without properties are left out".to_owned());
        }
        Ok(())
    }

    fn pass_over(&mut self, what: String) {
        *self.passed_over.entry(what).or_default() += 1;
    }

    /// Makes a task, if its files are there and its name is new.
    fn draft(&mut self, draft: Draft) {
        if draft.files.is_empty() {
            // Why was already said.
            return;
        }
        if let Some((file, first)) = self.names.get(&draft.name) {
            let where_ =
                if *file == self.file { format!("in line {}", first.line) } else { format!("{file}:{}", first.line) };
            let message = format!("a second task is called `{}`; the first is {where_}", draft.name);
            let help = "give one of them a `name` of its own".to_owned();
            return self.complain(Wrong::new(draft.at, message).with_help(help));
        }
        self.names.insert(draft.name.clone(), (self.file.clone(), draft.at));
        let task = draft.task();
        let wrong = draft.wrong(&task, self.planner.check);
        if !wrong.is_empty() {
            return wrong.into_iter().for_each(|wrong| self.complain(wrong));
        }
        self.tasks.push(task);
    }
}

/// Nothing is asked for by a property.
fn unasked() -> definition::Checked {
    definition::Checked { flags: Vec::new(), open: Vec::new() }
}

/// The name of one of many: the file, or what is left of it below the start of the pattern, under the name that is given.
fn within(named: Option<&str>, written: &str, file: &str) -> String {
    let Some(named) = named else { return file.to_owned() };
    let fixed: Vec<&str> = written.split('/').take_while(|part| !is_pattern(part)).collect();
    let fixed = fixed.join("/");
    let rest = file.strip_prefix(fixed.as_str()).map(|rest| rest.trim_start_matches('/'));
    let rest = rest.filter(|rest| !rest.is_empty()).unwrap_or_else(|| file.rsplit('/').next().unwrap_or(file));
    format!("{named}/{rest}")
}

impl<'a> Draft<'a> {
    fn of(entry: &'a Entry, name: String, defaults: &'a Shared) -> Draft<'a> {
        let (own, at) = (&entry.shared, entry.at);
        Draft { at, name, files: Vec::new(), crash: None, expected: None, defaults, own, checked: unasked() }
    }

    fn command(&self) -> Command {
        let said = self.own.command.as_ref().or(self.defaults.command.as_ref());
        said.map_or(Command::Explain, |said| said.is)
    }

    fn task(&self) -> Task {
        let command = self.command();
        let files: Vec<String> = self.files.iter().map(|file| no_flag(file)).collect();
        let argv = self.argv(command, &files, &[self.defaults, self.own]);
        // What fails for another reason is another bug: a crash file alone does not say under which condition it fails.
        let focus = (self.crash.is_some() && command != Command::Focus)
            .then(|| self.argv(Command::Focus, &files, &[self.defaults, self.own]));
        let expected = self.own.expected.or(self.expected).or(self.defaults.expected);
        Task {
            name: self.name.clone(),
            command,
            argv,
            files: self.files.clone(),
            crash: self.crash.clone(),
            focus,
            expected: expected.unwrap_or(Expected::This(Verdict::Holds)),
            open: self.checked.open.clone(),
        }
    }

    /// The command line: files first, since `--` may stand among the flags; of two flags that do not go together the last
    /// one counts, so what is special comes later.
    fn argv(&self, command: Command, files: &[String], shared: &[&Shared]) -> Vec<String> {
        let mut argv = vec![command.name().to_owned()];
        argv.extend_from_slice(files);
        for (flag, value) in [("--timeout", self.timeout()), ("--memory", self.memory(command))] {
            argv.extend(value.map(|value| format!("{flag}={value}")));
        }
        argv.extend(self.crash.iter().map(|crash| format!("--crash={crash}")));
        argv.extend(self.checked.flags.iter().cloned());
        for flags in shared.iter().filter_map(|shared| shared.flags.as_ref()) {
            argv.extend(flags.is.iter().cloned());
        }
        argv
    }

    fn timeout(&self) -> Option<&str> {
        let said = self.own.timeout.as_ref().or(self.defaults.timeout.as_ref());
        said.map(|said| said.is.as_str())
    }

    /// `causes` has no such flag: what is said of all tasks is not said of those.
    fn memory(&self, command: Command) -> Option<&str> {
        let shared = self.defaults.memory.as_ref().filter(|_| command != Command::Causes);
        self.own.memory.as_ref().or(shared).map(|said| said.is.as_str())
    }

    /// What is wrong with its command lines, at the flags that are to blame: each of the two places by itself, or both
    /// together.
    fn wrong(&self, task: &Task, check: Check) -> Vec<Wrong> {
        let commands = [Some(task.command), task.focus.as_ref().map(|_| Command::Focus)];
        let commands = || commands.into_iter().flatten();
        let files: Vec<String> = self.files.iter().map(|file| no_flag(file)).collect();
        let told = |shared: &[&Shared]| {
            commands().find_map(|command| check(&self.argv(command, &files, shared), &self.files).err())
        };
        let Some(message) = told(&[self.defaults, self.own]) else { return Vec::new() };
        let of = |shared: &Shared| shared.flags.as_ref().map(|flags| flags.at);
        if let Some(message) = told(&[]) {
            return vec![Wrong::new(self.at, message)];
        }
        let places = [self.defaults, self.own].into_iter();
        let alone = places.filter_map(|shared| Some(Wrong::new(of(shared)?, told(&[shared])?)));
        let alone: Vec<Wrong> = alone.collect();
        let together = || Wrong::new(of(self.own).or(of(self.defaults)).unwrap_or(self.at), message);
        if alone.is_empty() { vec![together()] } else { alone }
    }
}

/// A name that is no flag.
fn no_flag(file: &str) -> String {
    if file.starts_with('-') { format!("./{file}") } else { file.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Listed;

    fn plan(disk: &Listed, text: &str) -> Result<Plan, Vec<String>> {
        let check = |argv: &[String], _: &[String]| match argv.iter().find(|word| word.contains("bad")) {
            Some(word) => Err(format!("no flag {word}")),
            None => Ok(()),
        };
        let disk = disk.clone().with("suite.yml", text);
        let planner = Planner { folder: &disk, shown: "ci", check: &check };
        planner.of_file("suite.yml").map_err(|all| all.iter().map(ToString::to_string).collect())
    }

    fn names(plan: &Plan) -> Vec<&str> {
        plan.tasks.iter().map(|task| task.name.as_str()).collect()
    }

    fn disk() -> Listed {
        let definition = "format_version: '2.0'\ninput_files: p.c\nproperties:\n  - property_file: r.prp\n    \
                          expected_verdict: false\n  - {property_file: t.prp}\noptions: {data_model: ILP32}\n";
        Listed::of(&["a.c", "b.c", "h/x.c", "h/y.c", "h/.z.c", "crashes/1", "crashes/README.txt", "sv/p.c", "sv/q.c"])
            .with("sv/p.yml", definition)
            .with("sv/other.yml", "steps: []\n")
            .with("sv/r.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )")
            .with("sv/t.prp", "CHECK( init(main()), LTL(F end) )")
    }

    #[test]
    fn entries_become_tasks() {
        let text = "
defaults: {command: check, flags: --unwind 3, timeout: 5}
tasks:
  - {files: [a.c, b.c], flags: --32}
  - {harnesses: h, files: b.c, name: proofs}
  - {crashes: crashes, files: a.c, command: explain}
  - sv
";
        let plan = plan(&disk(), text).expect("is one");
        assert_eq!(names(&plan), ["a.c", "proofs/x.c", "proofs/y.c", "crashes/1", "sv/p (r)", "sv/q.c"]);
        let argv: Vec<String> = plan.tasks.iter().map(|task| task.argv.join(" ")).collect();
        assert_eq!(argv[0], "check a.c b.c --timeout=5 --unwind 3 --32");
        assert_eq!(argv[1], "check h/x.c b.c --timeout=5 --unwind 3");
        assert_eq!(argv[3], "explain a.c --timeout=5 --crash=crashes/1 --unwind 3");
        assert_eq!(argv[4], "check sv/p.c --timeout=5 --no-standard-checks --32 --unwind 3");
        let focus = plan.tasks[3].focus.as_ref().expect("crash files are asked").join(" ");
        assert_eq!(focus, "focus a.c --timeout=5 --crash=crashes/1 --unwind 3");
        assert_eq!(plan.tasks[4].expected, Expected::This(Verdict::Fails));
        assert_eq!(plan.notes, ["the property t is not checked, and left out"]);
    }

    #[test]
    fn all_that_is_wrong_is_told_with_file_and_line() {
        let text = "
defaults: {flags: --fine}
tasks:
  - {files: c.c}
  - a.c
  - a.c
  - {files: h}
  - {files: b.c, flags: --bad}
  - {files: '*.h'}
  - {harnesses: nowhere/*.c}
  - {definitions: sv/other.yml}
  - {files: x/y.c}
";
        assert_eq!(
            plan(&disk(), text).expect_err("is none"),
            [
                "ci/suite.yml:4:13: error: there is no file `c.c`\n  help: did you mean `a.c`?",
                "ci/suite.yml:6:5: error: a second task is called `a.c`; the first is in line 5\n  help: give one of them a `name` of its own",
                "ci/suite.yml:7:13: error: `h` is a folder; a file is needed\n  help: `harnesses` makes a task of each file in a folder",
                "ci/suite.yml:8:25: error: no flag --bad",
                "ci/suite.yml:9:13: error: `*.h` stands for no file",
                "ci/suite.yml:10:17: error: `nowhere/*.c` stands for no file",
                "ci/sv/other.yml:1:1: error: this is no task definition: it has no `format_version`",
                "ci/sv/other.yml:1:1: error: `input_files` must name a file or a list of files",
                "ci/suite.yml:12:13: error: there is no file `x/y.c`\n  help: there is no folder `x`, told from the folder of the manifest",
            ]
        );
    }

    #[test]
    fn a_wrong_flag_of_all_tasks_is_told_once() {
        let text = "\ndefaults: {flags: --bad}\ntasks: [a.c, b.c, {files: h/x.c, flags: --worse-bad}]\n";
        let wrong = plan(&disk(), text).expect_err("is none");
        let expected = ["ci/suite.yml:2:19: error: no flag --bad", "ci/suite.yml:3:41: error: no flag --worse-bad"];
        assert_eq!(wrong, expected);
    }

    #[test]
    fn files_that_look_like_flags_are_none() {
        let plan = plan(&Listed::of(&["-x.c"]), "tasks: [-x.c]").expect("is one");
        assert_eq!(plan.tasks[0].argv, ["explain", "./-x.c"]);
    }

    #[test]
    fn a_folder_and_a_definition_are_suites() {
        let disk = disk();
        let planner = Planner { folder: &disk, shown: "", check: &|_, _| Ok(()) };
        let all = planner.of_folder().expect("is one");
        assert_eq!(names(&all), ["sv/p (r)", "a.c", "b.c", "h/x.c", "h/y.c", "sv/q.c"]);
        assert_eq!(names(&planner.of_file("sv/p.yml").expect("is one")), ["sv/p (r)"]);
        let empty = Planner { folder: &Listed::of(&["README"]), ..planner };
        assert!(empty.of_folder().is_err());
    }
}
