//! Who imports whom, read from the sources: a module per file, an arrow per path that is named.
//!
//! Paths are those of `use` lines and those that start with `crate`, `super`, `self` or the name of one of our crates.
//! A name that a module only passes on (`pub use child::Name`) counts for where it comes from. Tests are left out: they
//! compare the rooms.

use std::collections::{BTreeMap, BTreeSet};

/// A module by its crate and the names on the way to it: `explain`, `method`, `slice`.
pub type Module = Vec<String>;

/// The modules of all crates and their arrows.
pub struct Imports {
    /// Per module: its file.
    pub files: BTreeMap<Module, String>,
    /// Per module: the modules that it names.
    pub arrows: BTreeMap<Module, BTreeSet<Module>>,
    /// Every path of a `use`, groups written out, with the file in which it stands.
    pub paths: Vec<(String, String)>,
}

impl Imports {
    /// From paths like `crates/explain/src/method/slice.rs` and their texts.
    pub fn of<'a>(sources: impl Iterator<Item = (&'a str, &'a str)>) -> Imports {
        let sources: Vec<(Module, &str, String)> =
            sources.filter_map(|(path, text)| Some((module(path)?, path, code(text)))).collect();
        let files: BTreeMap<Module, String> =
            sources.iter().map(|(module, path, _)| (module.clone(), (*path).to_owned())).collect();
        let passed_on: BTreeMap<Module, Vec<Vec<String>>> = (sources.iter())
            .map(|(module, _, text)| (module.clone(), uses(text).filter(|u| u.public).flat_map(|u| u.paths).collect()))
            .collect();
        let all = sources.iter().flat_map(|(_, path, text)| uses(text).flat_map(|u| u.paths).map(move |p| (p, *path)));
        let paths = all.map(|(path, file)| (path.join("::"), file.to_owned())).collect();
        let names = Names { files: &files, passed_on: &passed_on };
        let arrows = sources.iter().map(|(module, _, text)| {
            let all = uses(text).flat_map(|u| u.paths).chain(inline(text));
            let named = all.filter_map(|path| names.meant(&path, module, 0));
            (module.clone(), named.filter(|other| other != module).collect())
        });
        Imports { arrows: arrows.collect(), paths, files }
    }

    /// Every module that is reached from those below a place, with the way to it.
    pub fn reached(&self, from: &[&str]) -> BTreeMap<Module, Vec<Module>> {
        let mut ways: BTreeMap<Module, Vec<Module>> = BTreeMap::new();
        let mut open: Vec<(Module, Vec<Module>)> = Vec::new();
        for module in self.files.keys().filter(|module| is_below(module, from)) {
            open.push((module.clone(), vec![module.clone()]));
        }
        while let Some((module, way)) = open.pop() {
            for other in self.arrows.get(&module).into_iter().flatten() {
                if !is_below(other, from) && !ways.contains_key(other) {
                    let way: Vec<Module> = way.iter().chain([other]).cloned().collect();
                    ways.insert(other.clone(), way.clone());
                    open.push((other.clone(), way));
                }
            }
        }
        ways
    }

    /// Circles between the rooms of each folder: two that lead to each other, with what leads there. Arrows between a
    /// folder's own file and what is in it are one idea, and not looked at.
    pub fn circles(&self) -> Vec<String> {
        let mut circles = Vec::new();
        let folders: BTreeSet<Module> = self.files.keys().map(|module| module[..module.len() - 1].to_vec()).collect();
        for folder in folders.iter().filter(|folder| !folder.is_empty()) {
            let room = |module: &Module| {
                let inside = module.len() > folder.len() && module.starts_with(folder);
                inside.then(|| module[folder.len()].clone())
            };
            let mut between: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
            for (from, others) in &self.arrows {
                for to in others {
                    if let (Some(a), Some(b)) = (room(from), room(to))
                        && a != b
                    {
                        let arrow = format!("{} -> {}", from.join("::"), to.join("::"));
                        between.entry(a).or_default().entry(b).or_insert(arrow);
                    }
                }
            }
            for (a, others) in &between {
                for (b, there) in others.iter().filter(|(b, _)| a < *b) {
                    if let Some(back) = leads(&between, b, a) {
                        circles.push(format!("{}: {a} and {b} ({there}; {})", folder.join("::"), back.join(", ")));
                    }
                }
            }
        }
        circles
    }
}

/// Is a module this place or inside of it?
pub fn is_below(module: &Module, place: &[&str]) -> bool {
    module.len() >= place.len() && module.iter().zip(place).all(|(a, b)| a == b)
}

/// The arrows by which one room leads to another.
fn leads(between: &BTreeMap<String, BTreeMap<String, String>>, from: &str, to: &str) -> Option<Vec<String>> {
    let mut seen = BTreeSet::from([from.to_owned()]);
    let mut open = vec![(from.to_owned(), Vec::new())];
    while let Some((room, way)) = open.pop() {
        for (next, arrow) in between.get(&room).into_iter().flatten() {
            let way: Vec<String> = way.iter().chain([arrow]).cloned().collect();
            if next == to {
                return Some(way);
            }
            if seen.insert(next.clone()) {
                open.push((next.clone(), way));
            }
        }
    }
    None
}

/// `crates/explain/src/method/slice.rs` is `explain::method::slice`; none for what is not a module of a crate.
fn module(path: &str) -> Option<Module> {
    let (name, inside) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let inside = inside.strip_suffix(".rs")?;
    let mut module: Module = vec![name.to_owned()];
    module.extend(inside.split('/').filter(|part| !["lib", "mod"].contains(part)).map(str::to_owned));
    (!module.last()?.ends_with("tests")).then_some(module)
}

/// The lines without those that are for tests only, by their numbers from 0. Such an item is one line (`mod tests;`), or ends
/// with a brace of its own.
pub fn without_tests(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        loop {
            let (number, line) = lines.next()?;
            if line.trim() != "#[cfg(test)]" {
                return Some((number, line));
            }
            let indent = &line[..line.len() - line.trim_start().len()];
            let (_, item) = lines.by_ref().find(|(_, line)| !line.trim_start().starts_with('#'))?;
            if item.ends_with('{') {
                lines.by_ref().find(|(_, line)| *line == format!("{indent}}}"));
            }
        }
    })
}

/// The text without comments and tests.
fn code(text: &str) -> String {
    let lines = without_tests(text).filter(|(_, line)| !line.trim_start().starts_with("//"));
    lines.map(|(_, line)| line.to_owned() + "\n").collect()
}

struct Use {
    public: bool,
    paths: Vec<Vec<String>>,
}

/// Every `use`, its groups written out.
fn uses(text: &str) -> impl Iterator<Item = Use> + '_ {
    let starts = text.match_indices("use ").filter(|(at, _)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default().trim_start();
        line.is_empty() || (line.starts_with("pub") && !line.contains('='))
    });
    starts.filter_map(|(at, word)| {
        let tree = text[at + word.len()..].split(';').next()?;
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let mut paths = Vec::new();
        expand(tree.trim(), &mut Vec::new(), &mut paths);
        Some(Use { public: line.contains("pub"), paths })
    })
}

fn expand(tree: &str, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let depth = before.len();
    match tree.split_once('{') {
        None => {
            let path = tree.split(" as ").next().unwrap_or_default().trim();
            let parts = path.split("::").filter(|part| *part != "self" || before.is_empty()).map(str::to_owned);
            paths.push(before.iter().cloned().chain(parts).filter(|part| !part.is_empty()).collect());
        }
        Some((head, rest)) => {
            before.extend(head.split("::").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()));
            let body = rest.rsplit_once('}').map_or(rest, |(body, _)| body);
            let (mut level, mut start) = (0, 0);
            for (at, c) in body.char_indices().chain([(body.len(), ',')]) {
                match c {
                    '{' => level += 1,
                    '}' => level -= 1,
                    ',' if level == 0 => {
                        let part = body[start..at].trim();
                        if !part.is_empty() {
                            expand(part, before, paths);
                        }
                        start = at + 1;
                    }
                    _ => {}
                }
            }
            before.truncate(depth);
        }
    }
}

/// Paths that stand in expressions and types.
fn inline(text: &str) -> impl Iterator<Item = Vec<String>> + '_ {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    text.split(move |c: char| !is_part(c)).filter(|path| path.contains("::")).filter_map(|path| {
        let parts: Vec<String> = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let first = parts.first()?;
        let ours = ["crate", "super", "self"].contains(&first.as_str()) || first.starts_with("nearmiss_");
        ours.then_some(parts)
    })
}

struct Names<'a> {
    files: &'a BTreeMap<Module, String>,
    passed_on: &'a BTreeMap<Module, Vec<Vec<String>>>,
}

impl Names<'_> {
    /// The module that a path names something of, seen from another.
    fn meant(&self, path: &[String], from: &Module, depth: usize) -> Option<Module> {
        let mut rest = path;
        let mut at: Module = match path.first()?.as_str() {
            "crate" => vec![from[0].clone()],
            "self" => from.clone(),
            "super" => from.clone(),
            first => match first.strip_prefix("nearmiss_") {
                Some(other) => vec![other.to_owned()],
                None => {
                    let child: Module = from.iter().chain([path.first()?]).cloned().collect();
                    return self.files.contains_key(&child).then(|| self.within(child, &path[1..], depth));
                }
            },
        };
        if path[0] != "super" {
            rest = &rest[1..];
        }
        while rest.first().is_some_and(|part| part == "super") {
            at.pop()?;
            rest = &rest[1..];
        }
        Some(self.within(at, rest, depth))
    }

    /// Down as far as the path names modules, and on where the next name is only passed on.
    fn within(&self, mut at: Module, mut rest: &[String], depth: usize) -> Module {
        while let Some(next) = rest.first() {
            let child: Module = at.iter().chain([next]).cloned().collect();
            if !self.files.contains_key(&child) {
                break;
            }
            (at, rest) = (child, &rest[1..]);
        }
        let passed_on = self.passed_on.get(&at).into_iter().flatten();
        let source = rest.first().and_then(|name| passed_on.clone().find(|path| path.last() == Some(name)));
        match source {
            Some(path) if depth < 8 => self.meant(path, &at, depth + 1).unwrap_or(at),
            _ => at,
        }
    }
}
