//! Names in formulas to signals: the full name, or the end of it from a dot on if only one signal ends so.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::parse::{is_letter, letter_help};
use super::syntax::Shape;
use super::{Formula, FormulaError};
use crate::wave::SignalInfo;

/// How many candidates an error lists.
const LISTED: usize = 8;

/// The signals of a trace by their names.
pub(super) struct Names<'a> {
    signals: &'a [SignalInfo],
    full: HashMap<&'a str, usize>,
    found: RefCell<HashMap<String, Resolved>>,
}

/// Which signal a name is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Resolved {
    /// This one.
    One(usize),
    /// None.
    None,
    /// Any of these.
    Several(Vec<usize>),
}

/// The signal that a name stands for, in full or by its end.
///
/// # Errors
///
/// There is none, or there are several; the error's range is the whole name.
pub fn find_signal(name: &str, signals: &[SignalInfo]) -> Result<usize, FormulaError> {
    let names = Names::new(signals);
    match names.find(name) {
        Resolved::One(signal) => Ok(signal),
        Resolved::None => Err(names.unknown(name, 0..name.len())),
        Resolved::Several(candidates) => Err(names.ambiguous(name, &candidates, 0..name.len())),
    }
}

/// Gives the names of a formula that are signals below a scope their full names; the others stay what they are.
pub fn within_scope(formula: &mut Formula, scope: &str, signals: &[SignalInfo]) {
    let names = Names::new(signals);
    let rename = |name: &mut String| {
        if let Resolved::One(signal) = names.find(&format!("{scope}.{name}")) {
            name.clone_from(&signals[signal].name);
        }
    };
    let mut trees = vec![&mut formula.tree];
    while let Some(tree) = trees.pop() {
        if let Shape::Name(name) = &mut tree.shape {
            rename(name);
        }
        trees.extend(tree.shape.children_mut());
    }
    if let Some(clock) = &mut formula.clock {
        rename(&mut clock.signal);
    }
}

impl<'a> Names<'a> {
    pub fn new(signals: &'a [SignalInfo]) -> Names<'a> {
        let mut full = HashMap::with_capacity(signals.len());
        for (i, signal) in signals.iter().enumerate() {
            full.entry(signal.name.as_str()).or_insert(i);
        }
        Names { signals, full, found: RefCell::default() }
    }

    /// Looks a name up; separators may be `.`, `/` or `::`.
    pub fn find(&self, name: &str) -> Resolved {
        if let Some(found) = self.found.borrow().get(name) {
            return found.clone();
        }
        let found = match self.full.get(name) {
            Some(signal) => Resolved::One(*signal),
            None => {
                let dotted = name.replace("::", ".").replace('/', ".");
                match self.full.get(dotted.as_str()) {
                    Some(signal) => Resolved::One(*signal),
                    None => self.by_end(name, &dotted),
                }
            }
        };
        self.found.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    fn by_end(&self, name: &str, dotted: &str) -> Resolved {
        let ends = |signal: &SignalInfo, end: &str| {
            signal.name.strip_suffix(end).is_some_and(|before| before.ends_with(['.', '/', ':']))
        };
        let fits = |i: &usize| ends(&self.signals[*i], name) || ends(&self.signals[*i], dotted);
        let mut all: Vec<usize> = (0..self.signals.len()).filter(fits).collect();
        // A name that a file declares twice is one name, and several names of one signal (of a port and of what is connected to it)
        // are no choice: the shortest stands for it.
        all.dedup_by_key(|i| &self.signals[*i].name);
        all.sort_by_key(|i| (self.signals[*i].name.len(), *i));
        let mut wires = HashSet::new();
        all.retain(|i| self.signals[*i].wire.is_none_or(|wire| wires.insert(wire)));
        all.sort_unstable();
        match all.len() {
            0 => Resolved::None,
            1 => Resolved::One(all[0]),
            _ => Resolved::Several(all),
        }
    }

    /// Several signals end like this.
    pub fn ambiguous(&self, name: &str, candidates: &[usize], range: Range<usize>) -> FormulaError {
        let listed: Vec<String> =
            candidates.iter().take(LISTED).map(|i| format!("`{}`", self.signals[*i].name)).collect();
        let more = match candidates.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        FormulaError {
            range,
            message: format!("`{name}` may be {}{more}", listed.join(", ")),
            help: Some("write more of the name, from the left".to_owned()),
        }
    }

    /// No signal is called like this.
    pub fn unknown(&self, name: &str, range: Range<usize>) -> FormulaError {
        let near = self.near(name);
        let help = if is_letter(name) {
            Some(letter_help(name))
        } else if near.is_empty() {
            None
        } else {
            Some(format!("near: {}", near.join(", ")))
        };
        FormulaError { range, message: format!("the trace has no signal `{name}`"), help }
    }

    /// Names that differ little, or that this one is a piece of.
    fn near(&self, name: &str) -> Vec<String> {
        let last = |name: &str| name.rsplit(['.', '/', ':']).next().unwrap_or_default().to_lowercase();
        let wanted = last(name);
        let mut near: Vec<(usize, &str)> = Vec::new();
        for signal in self.signals.iter().take(100_000) {
            let other = last(&signal.name);
            let limit = 1 + wanted.len() / 4;
            let distance = if other == wanted {
                0
            } else if other.len().abs_diff(wanted.len()) <= limit {
                edits(&wanted, &other)
            } else if wanted.len() > 2 && other.contains(&wanted) {
                limit
            } else {
                usize::MAX
            };
            if distance <= limit && wanted.len() < 200 {
                near.push((distance, &signal.name));
            }
        }
        near.sort();
        near.dedup();
        near.iter().take(LISTED).map(|(_, name)| format!("`{name}`")).collect()
    }
}

/// Characters to insert, delete or replace, and neighbours to swap (optimal string alignment): letters in the wrong order
/// are one slip.
fn edits(left: &str, right: &str) -> usize {
    let [left, right] = [left, right].map(|name| name.chars().collect::<Vec<char>>());
    // Distances of the start of `left` to every start of `right`: before the last character, before the one before it.
    let mut row: Vec<usize> = (0..=right.len()).collect();
    let mut before = row.clone();
    for i in 0..left.len() {
        let mut next = vec![i + 1];
        for j in 0..right.len() {
            let mut distance = (row[j] + usize::from(left[i] != right[j])).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j] {
                distance = distance.min(before[j - 1] + 1);
            }
            next.push(distance);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wave::Kind;

    #[test]
    fn ends_of_names() {
        let names = ["top.u1.ready", "top.u2.ready", "top.u1.valid", "mem[3]", "top.f[1].x", "ready2"];
        let info = |name: &&str| SignalInfo {
            name: (*name).to_owned(),
            kind: Kind::Integer,
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        };
        let signals: Vec<SignalInfo> = names.iter().map(info).collect();
        let names = Names::new(&signals);
        assert_eq!(names.find("valid"), Resolved::One(2));
        assert_eq!(names.find("u1/valid"), Resolved::One(2));
        assert_eq!(names.find("alid"), Resolved::None);
        assert_eq!(names.find("mem[3]"), Resolved::One(3));
        assert_eq!(names.find("f[1].x"), Resolved::One(4));
        let Resolved::Several(candidates) = names.find("ready") else { panic!("two signals end with ready") };
        let error = names.ambiguous("ready", &candidates, 0..5);
        assert_eq!(error.message, "`ready` may be `top.u1.ready`, `top.u2.ready`");
        assert_eq!(names.unknown("vald", 0..4).help.unwrap(), "near: `top.u1.valid`");
        assert_eq!(edits("kitten", "sitting"), 3);
    }

    #[test]
    fn swapped_letters_are_one_slip() {
        let signal = SignalInfo {
            name: "top.ack".to_owned(),
            kind: Kind::Integer,
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        };
        assert_eq!(find_signal("akc", &[signal]).unwrap_err().help.unwrap(), "near: `top.ack`");
        assert_eq!(edits("ready", "raedy"), 1);
        assert_eq!(edits("ab", "ba"), 1);
        assert_eq!(edits("ca", "abc"), 3);
        assert_eq!(edits("", "ab"), 2);
    }
}
