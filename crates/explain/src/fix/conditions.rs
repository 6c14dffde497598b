//! The smallest conditions that are right at all known arrivals of a gap.
//!
//! An arrival is a row of values. Where a failing run is rescued, it is known at which arrivals the condition must be other than neutral and
//! at which it must not; in passing runs it need not be, and had better not. Comparisons are made of what is seen: a threshold lies between
//! the rows on both sides, and of the numbers there those come first that the program has a name for.

use std::collections::HashSet;

use nearmiss_program::c::edit::guards::{Atom, Condition, Number, Relation, Right, Term, TermKind};

use super::angel::{Arrival, Seen};

/// So many conditions are kept for a gap.
const MOST_CONDITIONS: usize = 40;
/// So many of these are ones that passing runs speak against.
const MOST_DOUBTFUL: usize = 12;
/// So many comparisons are combined.
const MOST_COMBINED: usize = 60;
/// So many rows of passing runs are looked at.
const MOST_ROWS: usize = 160;
/// Sums of terms with larger numbers are not asked for, unless the program has them.
const NEAR: i128 = 1;

/// A condition, and how well it fits: fewer rows of passing runs that it turns, and less to say.
#[derive(Clone, Debug)]
pub(super) struct Fitting {
    pub(super) condition: Condition,
    pub(super) turned: usize,
    pub(super) cost: u32,
}

/// Conditions that hold where the truth must be turned, the best first.
pub(super) fn fitting(seen: &Seen, terms: &[Term], numbers: &[Number]) -> Vec<Fitting> {
    let mut found: Vec<Fitting> = Vec::new();
    let mut done: HashSet<Vec<usize>> = HashSet::new();
    for choice in [choose(seen, |_| 0), choose(seen, fewest), choose(seen, |ways| ways.len() - 1)] {
        if done.insert(choice.clone()) {
            let rows = Rows::of(seen, &choice);
            found.extend(rows.conditions(terms, numbers));
        }
    }
    found.sort_by_key(|fitting| (fitting.turned, fitting.cost));
    let mut known = HashSet::new();
    found.retain(|fitting| known.insert(fitting.condition.clone()));
    let (mut sure, mut doubtful): (Vec<Fitting>, Vec<Fitting>) =
        found.into_iter().partition(|fitting| fitting.turned == 0);
    doubtful.sort_by_key(|fitting| (fitting.cost as usize + fitting.turned.ilog2() as usize, fitting.turned));
    doubtful.truncate(MOST_DOUBTFUL);
    sure.truncate(MOST_CONDITIONS - doubtful.len());
    sure.extend(doubtful);
    sure
}

/// Of the ways to rescue each run one.
fn choose(seen: &Seen, of: impl Fn(&[Vec<Arrival>]) -> usize) -> Vec<usize> {
    seen.rescued.iter().map(|ways| of(ways)).collect()
}

fn fewest(ways: &[Vec<Arrival>]) -> usize {
    let turned = |way: &Vec<Arrival>| way.iter().filter(|arrival| arrival.turned).count();
    (0..ways.len()).min_by_key(|at| turned(&ways[*at])).unwrap_or(0)
}

/// What a condition must say.
struct Rows<'a> {
    /// Here it holds.
    yes: Vec<&'a [i128]>,
    /// Here it does not.
    no: Vec<&'a [i128]>,
    /// Here it had better not.
    rather_not: Vec<&'a [i128]>,
    /// Whether terms that call something may be asked for.
    calling: bool,
}

/// A comparison, with the rows at which it holds.
struct Tried {
    atom: Atom,
    cost: u32,
    no: Vec<bool>,
    rather_not: Vec<bool>,
}

impl<'a> Rows<'a> {
    fn of(seen: &'a Seen, choice: &[usize]) -> Rows<'a> {
        let (mut yes, mut no) = (HashSet::new(), HashSet::new());
        for (ways, at) in seen.rescued.iter().zip(choice) {
            for arrival in &ways[*at] {
                if arrival.turned {
                    yes.insert(&arrival.values[..])
                } else {
                    no.insert(&arrival.values[..])
                };
            }
        }
        let step = seen.passing.len().div_ceil(MOST_ROWS).max(1);
        let rather_not = seen.passing.iter().step_by(step).map(|row| &row[..]);
        // In the same order every time.
        let sorted = |rows: HashSet<&'a [i128]>| {
            let mut rows: Vec<&[i128]> = rows.into_iter().collect();
            rows.sort_unstable();
            rows
        };
        let (yes, no, rather_not) = (sorted(yes), sorted(no), rather_not.collect());
        Rows { yes, no, rather_not, calling: seen.calling }
    }

    fn conditions(&self, terms: &[Term], numbers: &[Number]) -> Vec<Fitting> {
        let mut found = Vec::new();
        // The same row cannot be both.
        if self.yes.is_empty() || self.yes.iter().any(|row| self.no.binary_search(row).is_ok()) {
            return found;
        }
        let atoms = self.atoms(terms, numbers);
        let count = |rows: &[bool]| rows.iter().filter(|holds| **holds).count();
        for tried in atoms.iter().filter(|tried| count(&tried.no) == 0) {
            let condition = Condition { atoms: vec![tried.atom.clone()], any: false };
            found.push(Fitting { condition, turned: count(&tried.rather_not), cost: tried.cost });
        }
        if found.iter().filter(|fitting| fitting.turned == 0).count() < 3 {
            found.extend(self.both(&atoms));
            found.extend(self.either(terms, numbers));
        }
        found
    }

    /// Two comparisons that hold together.
    fn both(&self, atoms: &[Tried]) -> Vec<Fitting> {
        let count = |rows: &[bool]| rows.iter().filter(|holds| **holds).count();
        let excludes =
            |tried: &Tried| self.no.len() * 4 + self.rather_not.len() - count(&tried.no) * 4 - count(&tried.rather_not);
        let mut useful: Vec<&Tried> = atoms.iter().filter(|tried| excludes(tried) > 0).collect();
        useful.sort_by_key(|tried| (std::cmp::Reverse(excludes(tried)), tried.cost));
        useful.truncate(MOST_COMBINED);
        let mut found = Vec::new();
        for (at, one) in useful.iter().enumerate() {
            for other in &useful[at + 1..] {
                let held = |one: &[bool], other: &[bool]| one.iter().zip(other).filter(|(a, b)| **a && **b).count();
                let turned = held(&one.rather_not, &other.rather_not);
                let least = count(&one.rather_not).min(count(&other.rather_not));
                // Each must say something more.
                let is_more = turned < least || held(&one.no, &other.no) < count(&one.no).min(count(&other.no));
                if held(&one.no, &other.no) == 0 && is_more && turned * 4 <= self.rather_not.len() {
                    let (first, second) = if is_test(&other.atom) { (other, one) } else { (one, other) };
                    let atoms = vec![first.atom.clone(), second.atom.clone()];
                    let cost = one.cost + other.cost + 2;
                    found.push(Fitting { condition: Condition { atoms, any: false }, turned, cost });
                }
            }
        }
        found.sort_by_key(|fitting| (fitting.turned, fitting.cost));
        found.truncate(MOST_CONDITIONS);
        found
    }

    /// Two of which one holds: the opposite of two that hold together where it must not.
    fn either(&self, terms: &[Term], numbers: &[Number]) -> Vec<Fitting> {
        let no: Vec<&[i128]> = self.no.iter().chain(&self.rather_not).copied().collect();
        if no.is_empty() || self.yes.len() < 2 {
            return Vec::new();
        }
        let turned = Rows { yes: no, no: self.yes.clone(), rather_not: Vec::new(), calling: self.calling };
        let atoms = turned.atoms(terms, numbers);
        let mut found = turned.both(&atoms);
        found.iter_mut().for_each(|fitting| fitting.condition = fitting.condition.opposite());
        found
    }

    /// Comparisons that hold wherever they must.
    fn atoms(&self, terms: &[Term], numbers: &[Number]) -> Vec<Tried> {
        let mut found = Vec::new();
        for (left, term) in terms.iter().enumerate().filter(|(_, term)| self.calling || !term.calls) {
            match term.kind {
                TermKind::Pointer => {
                    // It is NULL that is forgotten.
                    for (relation, cost) in [(Relation::False, 0), (Relation::True, 4)] {
                        let atom = Atom { left, relation, right: Right::Nothing };
                        self.attempt(atom, term.cost + cost, numbers, &mut found);
                    }
                }
                TermKind::Truth | TermKind::Number(..) if term.kind == TermKind::Truth || self.is_truth(term, left) => {
                    for relation in [Relation::True, Relation::False] {
                        self.attempt(Atom { left, relation, right: Right::Nothing }, term.cost, numbers, &mut found);
                    }
                }
                _ => {
                    let of = |row: &&[i128]| row[left];
                    let column = Column::of(self, of);
                    for (relation, value) in column.bounds(numbers, |_| true) {
                        let (right, cost) = said(value, numbers);
                        self.attempt(Atom { left, relation, right }, term.cost + cost, numbers, &mut found);
                    }
                }
            }
        }
        for (left, one) in terms.iter().enumerate() {
            for (right, other) in terms.iter().enumerate().skip(left + 1) {
                let are_numbers =
                    [one, other].iter().all(|term| matches!(term.kind, TermKind::Number(..)) && !term.calls);
                let is_part = one.text.contains(&other.text) || other.text.contains(&one.text);
                if !are_numbers || is_part || one.cost + other.cost > 3 {
                    continue;
                }
                let of = |row: &&[i128]| row[left].wrapping_sub(row[right]);
                let column = Column::of(self, of);
                let is_near = |value: i128| value.abs() <= NEAR;
                for (relation, value) in column.bounds(numbers, is_near) {
                    let is_known = numbers.iter().any(|number| number.value == value.abs() && value.abs() < 64);
                    if is_near(value) || is_known {
                        let cost = one.cost + other.cost + 1 + 2 * u32::from(value != 0) + u32::from(!is_near(value));
                        let right = Right::Term(right, value);
                        self.attempt(Atom { left, relation, right }, cost, numbers, &mut found);
                    }
                }
            }
        }
        found
    }

    /// Whether a function that is called answers yes or no.
    fn is_truth(&self, term: &Term, at: usize) -> bool {
        let all = self.yes.iter().chain(&self.no).chain(&self.rather_not);
        term.calls && all.into_iter().all(|row| row[at] == 0 || row[at] == 1)
    }

    /// A comparison, if it holds wherever it must, and not everywhere.
    fn attempt(&self, atom: Atom, cost: u32, numbers: &[Number], found: &mut Vec<Tried>) {
        let holds = |row: &&[i128]| {
            let right = match atom.right {
                Right::Nothing => 0,
                Right::Named(at) => numbers[at].value,
                Right::Number(value) => value,
                Right::Term(other, more) => row[other].wrapping_add(more),
            };
            atom.relation.holds(row[atom.left], right)
        };
        if self.yes.iter().all(holds) {
            let (no, rather_not) = (self.no.iter().map(holds).collect(), self.rather_not.iter().map(holds).collect());
            found.push(Tried { atom, cost, no, rather_not });
        }
    }
}

/// A value at all rows.
struct Column {
    yes: Vec<i128>,
    others: Vec<i128>,
    no: Vec<i128>,
}

impl Column {
    fn of(rows: &Rows, of: impl Fn(&&[i128]) -> i128) -> Column {
        let column = |rows: &[&[i128]]| {
            let mut values: Vec<i128> = rows.iter().map(&of).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let (yes, no) = (column(&rows.yes), column(&rows.no));
        let others: Vec<i128> = no.iter().copied().chain(column(&rows.rather_not)).collect();
        Column { yes, others, no }
    }

    /// Comparisons with numbers that hold of all its values: tight ones, loose ones, and those with numbers of the program.
    fn bounds(&self, numbers: &[Number], is_likely: impl Fn(i128) -> bool) -> Vec<(Relation, i128)> {
        let (Some(least), Some(most)) = (self.yes.first().copied(), self.yes.last().copied()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if least == most {
            found.push((Relation::Equal, least));
        }
        for value in [self.no.first(), self.others.first()].into_iter().flatten() {
            if !self.yes.contains(value) && self.others.iter().filter(|other| !self.yes.contains(other)).count() == 1 {
                found.push((Relation::NotEqual, *value));
            }
        }
        let below = self.others.iter().copied().filter(|value| *value < least).max();
        let above = self.others.iter().copied().filter(|value| *value > most).min();
        let mut values: Vec<i128> = numbers.iter().map(|number| number.value).chain(-NEAR..=NEAR).collect();
        values.extend(below.into_iter().chain(above).chain([least, most, least - 1, most + 1]));
        values.sort_unstable();
        values.dedup();
        for value in values.into_iter().filter(|value| is_likely(*value) || (*value - least).abs() < 64) {
            let is_below = below.is_none_or(|below| value > below);
            let is_above = above.is_none_or(|above| value < above);
            if below.is_some() && is_below && value <= least {
                found.push((Relation::GreaterEqual, value));
            }
            if below.is_some_and(|below| value >= below) && value < least {
                found.push((Relation::Greater, value));
            }
            if above.is_some() && is_above && value >= most {
                found.push((Relation::LessEqual, value));
            }
            if above.is_some_and(|above| value <= above) && value > most {
                found.push((Relation::Less, value));
            }
        }
        found.dedup();
        found
    }
}

/// How a number is written, and its price: names first.
fn said(value: i128, numbers: &[Number]) -> (Right, u32) {
    let known = |is_name: bool| numbers.iter().position(|number| number.value == value && number.is_name == is_name);
    match value {
        0 => (Right::Number(0), 0),
        _ if known(true).is_some() => (Right::Named(known(true).unwrap_or_default()), 1),
        1 | -1 => (Right::Number(value), 1),
        _ if known(false).is_some() => (Right::Number(value), 2),
        _ => (Right::Number(value), 4),
    }
}

/// Must it come first, as what comes behind may only be asked for then?
fn is_test(atom: &Atom) -> bool {
    atom.right == Right::Nothing
}
