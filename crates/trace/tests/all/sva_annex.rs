//! Random properties of SVA and PSL on short random traces, judged by an evaluator that is written from the formal semantics of the
//! SVA standard (IEEE 1800, annex F): tight satisfaction of sequences, properties on finite and infinite words, and the two letters
//! that stand for "anything is true" and "nothing is true" with which a word is continued where it is cut off or aborted.
//!
//! It shares nothing with the translation of formulas: a negation exchanges the two letters, and that is all it knows of duality.
//! Local variables have a test of their own: there a match also says what the variables are where it ends, and a sequence starts with
//! what they are. `NEARMISS_FORMULAS=N` tries N properties instead of some hundreds.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use nearmiss_trace::bits::{Bits, Truth};
use nearmiss_trace::failure::{After, Verdict};
use nearmiss_trace::ltl::core::End;
use nearmiss_trace::ltl::{Reset, bind, local, parse, truth};
use nearmiss_trace::search::Question;
use nearmiss_trace::wave::{Kind, Signal, SignalInfo, Values, Wave};

/// A small generator of numbers, the same everywhere.
struct Dice {
    state: u64,
    /// Are there local variables, and which have got a value so far?
    variables: bool,
    assigned: Vec<usize>,
}

impl Dice {
    fn new(seed: u64, variables: bool) -> Dice {
        Dice { state: seed, variables, assigned: Vec::new() }
    }

    fn roll(&mut self, sides: usize) -> usize {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.state >> 33) % sides as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len())]
    }
}

/// The signals; the last is the one that mostly aborts.
const NAMES: [&str; 4] = ["a", "b", "c", "r"];

/// The local variables, of two bits each, and what they are at some moment.
const VARIABLES: [&str; 2] = ["x", "y"];
type Kept = [Option<u8>; 2];
const NOTHING: Kept = [None; 2];

/// What a variable gets.
#[derive(Clone, Debug)]
enum Value {
    /// `{a, b}`.
    Pair(usize, usize),
    /// `{x[0], b}`.
    Shifted(usize, usize),
    /// `x + 2'd1`.
    More(usize),
}

impl Value {
    fn random(dice: &mut Dice) -> Value {
        match (dice.roll(5), dice.assigned.clone().as_slice()) {
            (0, assigned @ [_, ..]) => Value::Shifted(dice.pick(assigned), dice.roll(3)),
            (1, assigned @ [_, ..]) => Value::More(dice.pick(assigned)),
            _ => Value::Pair(dice.roll(3), dice.roll(3)),
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Pair(high, low) => format!("{{{}, {}}}", NAMES[*high], NAMES[*low]),
            Value::Shifted(high, low) => format!("{{{}[0], {}}}", VARIABLES[*high], NAMES[*low]),
            Value::More(of) => format!("{} + 2'd1", VARIABLES[*of]),
        }
    }

    fn at(&self, row: u8, kept: Kept) -> u8 {
        let is = |name: usize| row >> name & 1;
        let old = |variable: usize| kept[variable].unwrap_or(0);
        match self {
            Value::Pair(high, low) => is(*high) << 1 | is(*low),
            Value::Shifted(high, low) => (old(*high) & 1) << 1 | is(*low),
            Value::More(of) => (old(*of) + 1) & 3,
        }
    }
}

/// A condition on one cycle.
#[derive(Clone, Debug)]
enum Condition {
    True,
    Is(usize),
    Not(usize),
    Both(usize, usize),
    /// A variable is `{b, c}`.
    Same(usize, usize, usize),
    /// A variable is this number.
    Equals(usize, u8),
}

impl Condition {
    fn random(dice: &mut Dice) -> Condition {
        if !dice.assigned.is_empty() && dice.roll(2) == 0 {
            let variable = dice.pick(&dice.assigned.clone());
            return match dice.roll(2) {
                0 => Condition::Same(variable, dice.roll(3), dice.roll(3)),
                _ => Condition::Equals(variable, dice.roll(4) as u8),
            };
        }
        match dice.roll(12) {
            0 => Condition::True,
            1 => Condition::Both(dice.roll(3), dice.roll(3)),
            2..=4 => Condition::Not(dice.roll(3)),
            _ => Condition::Is(dice.roll(3)),
        }
    }

    fn abort(dice: &mut Dice) -> Condition {
        match dice.roll(5) {
            0 => Condition::Is(dice.roll(3)),
            1 => Condition::Not(3),
            _ => Condition::Is(3),
        }
    }

    fn text(&self) -> String {
        match self {
            Condition::True => "true".to_owned(),
            Condition::Is(name) => NAMES[*name].to_owned(),
            Condition::Not(name) => format!("!{}", NAMES[*name]),
            Condition::Both(one, other) => format!("({} && !{})", NAMES[*one], NAMES[*other]),
            Condition::Same(variable, high, low) => {
                format!("({} == {{{}, {}}})", VARIABLES[*variable], NAMES[*high], NAMES[*low])
            }
            Condition::Equals(variable, number) => format!("({} == 2'd{number})", VARIABLES[*variable]),
        }
    }

    fn at(&self, row: u8, kept: Kept) -> bool {
        let is = |name: usize| row >> name & 1 == 1;
        match self {
            Condition::True => true,
            Condition::Is(name) => is(*name),
            Condition::Not(name) => !is(*name),
            Condition::Both(one, other) => is(*one) && !is(*other),
            Condition::Same(variable, high, low) => kept[*variable] == Some(Value::Pair(*high, *low).at(row, kept)),
            Condition::Equals(variable, number) => kept[*variable] == Some(*number),
        }
    }
}

/// A sequence in the operators that the annex defines by themselves; the others are brought to these when they are made.
#[derive(Debug)]
enum Sequence {
    /// A condition, or its opposite.
    Is(Condition, bool),
    /// `##1`.
    Then(Box<Sequence>, Box<Sequence>),
    /// `##0`.
    Fusion(Box<Sequence>, Box<Sequence>),
    Or(Box<Sequence>, Box<Sequence>),
    Intersect(Box<Sequence>, Box<Sequence>),
    /// `[*0]`.
    Empty,
    /// `[*1:$]`.
    Plus(Box<Sequence>),
    /// `(r, x = d)`.
    Keep(Box<Sequence>, usize, Value),
}

type Written = (String, Box<dyn Fn() -> Sequence>);

/// How often, or how much later: from, and at most.
type Range = (usize, Option<usize>);

fn then(one: Sequence, other: Sequence) -> Sequence {
    Sequence::Then(Box::new(one), Box::new(other))
}

fn or(one: Sequence, other: Sequence) -> Sequence {
    Sequence::Or(Box::new(one), Box::new(other))
}

fn intersect(one: Sequence, other: Sequence) -> Sequence {
    Sequence::Intersect(Box::new(one), Box::new(other))
}

/// `r[*m:n]`.
fn repeat(make: &dyn Fn() -> Sequence, (from, to): Range) -> Sequence {
    let times = |count: usize| match count {
        0 => Sequence::Empty,
        count => (1..count).fold(make(), |before, _| then(before, make())),
    };
    match to {
        None if from <= 1 => {
            let more = Sequence::Plus(Box::new(make()));
            if from == 0 { or(Sequence::Empty, more) } else { more }
        }
        None => then(times(from - 1), Sequence::Plus(Box::new(make()))),
        Some(to) => (from..to).fold(times(to), |others, count| or(others, times(count))),
    }
}

fn any() -> Sequence {
    Sequence::Is(Condition::True, false)
}

/// `r ##[m:n] s`.
fn delay(one: &dyn Fn() -> Sequence, (from, to): Range, other: &dyn Fn() -> Sequence) -> Sequence {
    let later = |range: Range| then(one(), then(repeat(&any, range), other()));
    let fused = || Sequence::Fusion(Box::new(one()), Box::new(other()));
    match (from, to) {
        (0, Some(0)) => fused(),
        (0, to) => or(fused(), later((0, to.map(|to| to - 1)))),
        (from, to) => later((from - 1, to.map(|to| to - 1))),
    }
}

/// `b[->m:n]`.
fn goto(condition: &Condition, range: Range) -> Sequence {
    let not = || Sequence::Is(condition.clone(), true);
    let one = || then(repeat(&not, (0, None)), Sequence::Is(condition.clone(), false));
    repeat(&one, range)
}

fn range_text((from, to): Range) -> String {
    match to {
        Some(to) if to == from => format!("{from}"),
        Some(to) => format!("{from}:{to}"),
        None => format!("{from}:$"),
    }
}

fn random_range(dice: &mut Dice, least: usize) -> Range {
    let from = least + dice.roll(2);
    (from, if dice.roll(4) == 0 { None } else { Some(from + dice.roll(2)) })
}

/// A random sequence, as text and as what it means. It matches no empty word where the standard forbids that.
fn sequence(dice: &mut Dice, size: usize) -> Written {
    if size <= 1 {
        let condition = Condition::random(dice);
        return (condition.text(), Box::new(move || Sequence::Is(condition.clone(), false)));
    }
    let left = 1 + dice.roll(size - 1);
    if dice.variables && dice.roll(3) == 0 {
        let (one, variable) = (sequence(dice, size - 1), dice.roll(2));
        let value = Value::random(dice);
        dice.assigned.push(variable);
        let text = format!("({}, {} = {})", one.0, VARIABLES[variable], value.text());
        return (text, Box::new(move || Sequence::Keep(Box::new(one.1()), variable, value.clone())));
    }
    match dice.roll(9) {
        0..=2 => {
            let (one, other, range) = (sequence(dice, left), sequence(dice, size - left), random_range(dice, 0));
            let text = format!("(({}) ##[{}:{}] ({}))", one.0, range.0, high(range), other.0);
            (text, Box::new(move || delay(&one.1, range, &other.1)))
        }
        3 => {
            let (one, range) = (sequence(dice, size - 1), random_range(dice, 1));
            (format!("(({})[*{}])", one.0, range_text(range)), Box::new(move || repeat(&one.1, range)))
        }
        4 => {
            // Perhaps nothing, and then something.
            let (one, other, range) = (sequence(dice, left), sequence(dice, size - left), random_range(dice, 0));
            let text = format!("((({})[*{}]) ##1 ({}))", one.0, range_text(range), other.0);
            (text, Box::new(move || then(repeat(&one.1, range), other.1())))
        }
        5 => {
            let (one, other) = (sequence(dice, left), sequence(dice, size - left));
            (format!("(({}) or ({}))", one.0, other.0), Box::new(move || or(one.1(), other.1())))
        }
        6 => pair(dice, size, left),
        7 => {
            let (condition, range) = (Condition::random(dice), random_range(dice, 1));
            let text = format!("({}[->{}])", condition.text(), range_text(range));
            if dice.roll(2) == 0 {
                return (text, Box::new(move || goto(&condition, range)));
            }
            let text = text.replace("[->", "[=");
            let quiet = condition.clone();
            let tail = move || repeat(&|| Sequence::Is(quiet.clone(), true), (0, None));
            (text, Box::new(move || then(goto(&condition, range), tail())))
        }
        _ => {
            let (one, by) = (sequence(dice, size - 1), 1 + dice.roll(2));
            (format!("(##{by} ({}))", one.0), Box::new(move || then(repeat(&any, (by, Some(by))), one.1())))
        }
    }
}

fn high(range: Range) -> String {
    range.1.map_or("$".to_owned(), |to| to.to_string())
}

/// Two sequences at once.
fn pair(dice: &mut Dice, size: usize, left: usize) -> Written {
    let (one, other) = (sequence(dice, left), sequence(dice, size - left));
    let anything = || repeat(&any, (0, None));
    match dice.roll(4) {
        0 => (format!("(({}) intersect ({}))", one.0, other.0), Box::new(move || intersect(one.1(), other.1()))),
        1 => (
            format!("(({}) and ({}))", one.0, other.0),
            Box::new(move || {
                let shorter = intersect(then(one.1(), anything()), other.1());
                or(shorter, intersect(one.1(), then(other.1(), anything())))
            }),
        ),
        2 => (
            format!("(({}) within ({}))", one.0, other.0),
            Box::new(move || intersect(then(anything(), then(one.1(), anything())), other.1())),
        ),
        _ => {
            let condition = Condition::random(dice);
            let text = format!("({} throughout ({}))", condition.text(), other.0);
            let all = move || repeat(&|| Sequence::Is(condition.clone(), false), (0, None));
            (text, Box::new(move || intersect(all(), other.1())))
        }
    }
}

/// A property in the operators that the annex defines by themselves.
#[derive(Debug)]
enum Property {
    /// A sequence; strong?
    Sequence(Sequence, bool),
    Not(Box<Property>),
    And(Box<Property>, Box<Property>),
    Or(Box<Property>, Box<Property>),
    /// `|->`.
    Suffix(Sequence, Box<Property>),
    /// `nexttime`.
    Next(Box<Property>),
    Always(Box<Property>),
    /// `s_until`.
    Until(Box<Property>, Box<Property>),
    /// `until`.
    WeakUntil(Box<Property>, Box<Property>),
    AcceptOn(Condition, Box<Property>),
}

type WrittenProperty = (String, Box<dyn Fn() -> Property>);

fn not(property: Property) -> Property {
    Property::Not(Box::new(property))
}

fn both(one: Property, other: Property) -> Property {
    Property::And(Box::new(one), Box::new(other))
}

fn either(one: Property, other: Property) -> Property {
    Property::Or(Box::new(one), Box::new(other))
}

/// `nexttime` or `s_nexttime`, so often.
fn later(by: usize, strong: bool, property: Property) -> Property {
    (0..by).fold(property, |property, _| match strong {
        false => Property::Next(Box::new(property)),
        true => not(Property::Next(Box::new(not(property)))),
    })
}

/// A random property, as text and as what it means.
fn property(dice: &mut Dice, size: usize) -> WrittenProperty {
    if size <= 1 {
        let condition = Condition::random(dice);
        let is = condition.clone();
        return (condition.text(), Box::new(move || Property::Sequence(Sequence::Is(is.clone(), false), false)));
    }
    match dice.roll(14) {
        0 => {
            let made = sequence(dice, size);
            let (text, strong) = dice.pick(&[("", false), ("weak", false), ("strong", true)]);
            (format!("({text}({}))", made.0), Box::new(move || Property::Sequence(made.1(), strong)))
        }
        1 | 2 => {
            let one = property(dice, size - 1);
            (format!("(not ({}))", one.0), Box::new(move || not(one.1())))
        }
        3 | 4 => two(dice, size),
        5..=7 => suffix(dice, size),
        8 => window(dice, size),
        9 => until(dice, size),
        10 => {
            let (made, body) = (sequence(dice, size - 1), dice.roll(2));
            let text = if body == 0 { format!("(never {{{}}})", made.0) } else { format!("(never ({}))", made.0) };
            let never = move || Property::Always(Box::new(not(Property::Sequence(made.1(), true))));
            (text, Box::new(never))
        }
        _ => abort(dice, size),
    }
}

/// Two properties.
fn two(dice: &mut Dice, size: usize) -> WrittenProperty {
    let left = 1 + dice.roll(size - 1);
    let (one, other) = (property(dice, left), property(dice, size - left));
    match dice.roll(5) {
        0 => (format!("(({}) and ({}))", one.0, other.0), Box::new(move || both(one.1(), other.1()))),
        1 => (format!("(({}) or ({}))", one.0, other.0), Box::new(move || either(one.1(), other.1()))),
        2 => (format!("(({}) implies ({}))", one.0, other.0), Box::new(move || either(not(one.1()), other.1()))),
        3 => (
            format!("(({}) iff ({}))", one.0, other.0),
            Box::new(move || both(either(not(one.1()), other.1()), either(not(other.1()), one.1()))),
        ),
        _ => {
            let condition = Condition::random(dice);
            let text = format!("(if ({}) ({}) else ({}))", condition.text(), one.0, other.0);
            let when = move |no: bool, property: Property| {
                Property::Suffix(Sequence::Is(condition.clone(), no), Box::new(property))
            };
            (text, Box::new(move || both(when(false, one.1()), when(true, other.1()))))
        }
    }
}

/// A sequence, and what follows.
fn suffix(dice: &mut Dice, size: usize) -> WrittenProperty {
    let left = 1 + dice.roll(size - 1);
    let (one, other) = (sequence(dice, left), property(dice, size - left));
    let (op, next, dual) =
        dice.pick(&[("|->", false, false), ("|=>", true, false), ("#-#", false, true), ("#=#", true, true)]);
    let text = format!("(({}) {op} ({}))", one.0, other.0);
    let make = move || {
        let seen = if next { then(one.1(), any()) } else { one.1() };
        let body = Box::new(if dual { not(other.1()) } else { other.1() });
        let suffix = Property::Suffix(seen, body);
        if dual { not(suffix) } else { suffix }
    };
    (text, Box::new(make))
}

/// A property some cycles later.
fn window(dice: &mut Dice, size: usize) -> WrittenProperty {
    let one = property(dice, size - 1);
    let (from, more) = (dice.roll(3), dice.roll(3));
    let to = from + more;
    let names = [
        "nexttime",
        "s_nexttime",
        "always",
        "s_eventually",
        "always [",
        "s_always [",
        "eventually [",
        "s_eventually [",
    ];
    let kind = dice.roll(names.len());
    let name = names[kind];
    let text =
        if name.ends_with('[') { format!("({name}{from}:{to}] ({}))", one.0) } else { format!("({name} ({}))", one.0) };
    let strong = name.starts_with("s_");
    let make = move || {
        let each = |join: fn(Property, Property) -> Property| {
            (from..to).fold(later(to, strong, one.1()), |all, by| join(all, later(by, strong, one.1())))
        };
        match kind {
            0 | 1 => later(1, strong, one.1()),
            2 => Property::Always(Box::new(one.1())),
            3 => {
                let yes = Property::Sequence(any(), false);
                Property::Until(Box::new(yes), Box::new(one.1()))
            }
            4 | 5 => each(both),
            _ => each(either),
        }
    };
    (text, Box::new(make))
}

fn until(dice: &mut Dice, size: usize) -> WrittenProperty {
    let left = 1 + dice.roll(size - 1);
    let (one, other) = (property(dice, left), property(dice, size - left));
    let (op, strong, with) = dice.pick(&[
        ("until", false, false),
        ("s_until", true, false),
        ("until_with", false, true),
        ("s_until_with", true, true),
    ]);
    let text = format!("(({}) {op} ({}))", one.0, other.0);
    let make = move || {
        let goal = if with { both(one.1(), other.1()) } else { other.1() };
        let (hold, goal) = (Box::new(one.1()), Box::new(goal));
        if strong { Property::Until(hold, goal) } else { Property::WeakUntil(hold, goal) }
    };
    (text, Box::new(make))
}

fn abort(dice: &mut Dice, size: usize) -> WrittenProperty {
    let (one, condition) = (property(dice, size - 1), Condition::abort(dice));
    let name = dice.pick(&["accept_on", "reject_on", "sync_accept_on", "sync_reject_on", "disable iff", "abort"]);
    let text = match name {
        "abort" => format!("(({}) abort {})", one.0, condition.text()),
        name => format!("({name} ({}) ({}))", condition.text(), one.0),
    };
    let make = move || match name.ends_with("reject_on") {
        false => Property::AcceptOn(condition.clone(), Box::new(one.1())),
        true => not(Property::AcceptOn(condition.clone(), Box::new(not(one.1())))),
    };
    (text, Box::new(make))
}

/// A word: rows, perhaps with a loop, perhaps cut off.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Word {
    /// From here on only one of the two letters: that which satisfies everything, or that which satisfies nothing.
    cut: Option<(usize, bool)>,
    /// From here on, whatever else there is, the letter that satisfies everything.
    open: Option<usize>,
}

impl Word {
    fn barred(self) -> Word {
        Word { cut: self.cut.map(|(at, all)| (at, !all)), ..self }
    }
}

/// What is asked for, by its address: on which word, where, and with which values of variables.
type Asked<T> = (*const T, Word, usize, Kept);

/// By what the variables are where a match ends: its lengths, as bits.
type Lengths = BTreeMap<Kept, u128>;

/// Longer matches are not looked for.
const LONGEST: usize = 120;
/// So much of a loop shows all there is.
const ROUND: usize = 45;

/// A trace, and what is true on it.
struct Meaning<'a> {
    rows: &'a [u8],
    loop_start: Option<usize>,
    /// Lengths of matches.
    matches: RefCell<HashMap<Asked<Sequence>, Lengths>>,
    known: RefCell<HashMap<Asked<Property>, bool>>,
}

impl Meaning<'_> {
    /// Does the letter at a position satisfy a condition? `None` beyond the end.
    fn letter(&self, word: Word, at: usize, condition: &Condition, negated: bool, kept: Kept) -> Option<bool> {
        if word.open.is_some_and(|open| at >= open) {
            return Some(true);
        }
        match (word.cut, self.loop_start) {
            (Some((cut, all)), _) if at >= cut => Some(all),
            (_, None) if at >= self.rows.len() => None,
            _ => Some(condition.at(self.rows[self.row(at)], kept) != negated),
        }
    }

    /// The row of a position that there is.
    fn row(&self, at: usize) -> usize {
        match self.loop_start {
            Some(start) if at >= self.rows.len() => start + (at - start) % (self.rows.len() - start),
            _ => at,
        }
    }

    fn exists(&self, word: Word, at: usize) -> bool {
        word.cut.is_some() || word.open.is_some() || self.loop_start.is_some() || at < self.rows.len()
    }

    /// The position that is the same as this one, as early as possible.
    fn settled(&self, word: Word, at: usize) -> usize {
        let from = word.open.or(word.cut.map(|(cut, _)| cut));
        match (from, self.loop_start) {
            (Some(from), _) if word.open.is_none() || word.cut.is_none() => at.min(from),
            (Some(_), _) => at,
            (None, Some(start)) if at >= self.rows.len() => start + (at - start) % (self.rows.len() - start),
            _ => at,
        }
    }

    /// The value at a position; whatever it is where everything is satisfied, nobody asks.
    fn value(&self, word: Word, at: usize, value: &Value, kept: Kept) -> u8 {
        let cut = word.open.into_iter().chain(word.cut.map(|(cut, _)| cut)).min();
        match (cut, self.loop_start) {
            (Some(cut), _) if at >= cut => 0,
            (_, None) if at >= self.rows.len() => 0,
            _ => value.at(self.rows[self.row(at)], kept),
        }
    }

    /// The lengths of the words from here on that the sequence matches tightly, by what the variables then are.
    fn lengths(&self, sequence: &Sequence, word: Word, at: usize, kept: Kept) -> Lengths {
        let at = self.settled(word, at);
        let key = (std::ptr::from_ref(sequence), word, at, kept);
        if let Some(known) = self.matches.borrow().get(&key) {
            return known.clone();
        }
        let ones = |bits: u128| (0..=LONGEST).filter(move |length| bits >> length & 1 == 1);
        let limit = (1u128 << (LONGEST + 1)) - 1;
        let mut all = Lengths::new();
        let mut add = |kept: Kept, lengths: u128| *all.entry(kept).or_default() |= lengths & limit;
        match sequence {
            Sequence::Is(condition, negated) => {
                add(kept, u128::from(self.letter(word, at, condition, *negated, kept) == Some(true)) << 1);
            }
            Sequence::Empty => add(kept, 1),
            Sequence::Or(one, other) => {
                for (kept, lengths) in [one, other].into_iter().flat_map(|part| self.lengths(part, word, at, kept)) {
                    add(kept, lengths);
                }
            }
            Sequence::Intersect(one, other) => {
                let others = self.lengths(other, word, at, kept);
                for (first, lengths) in self.lengths(one, word, at, kept) {
                    for (second, more) in &others {
                        // No variable gets a value in both.
                        let both = [0, 1].map(|v| if first[v] != kept[v] { first[v] } else { second[v] });
                        add(both, lengths & more);
                    }
                }
            }
            Sequence::Then(one, other) => {
                for (between, lengths) in self.lengths(one, word, at, kept) {
                    for length in ones(lengths) {
                        for (after, rest) in self.lengths(other, word, at + length, between) {
                            add(after, rest << length);
                        }
                    }
                }
            }
            Sequence::Fusion(one, other) => {
                for (between, lengths) in self.lengths(one, word, at, kept) {
                    for length in ones(lengths & !1) {
                        for (after, rest) in self.lengths(other, word, at + length - 1, between) {
                            add(after, (rest & !1) << (length - 1));
                        }
                    }
                }
            }
            Sequence::Keep(one, variable, value) => {
                for (mut before, lengths) in self.lengths(one, word, at, kept) {
                    for length in ones(lengths & !1) {
                        let new = Some(self.value(word, at + length - 1, value, before));
                        let old = std::mem::replace(&mut before[*variable], new);
                        add(before, 1 << length);
                        before[*variable] = old;
                    }
                }
            }
            Sequence::Plus(one) => {
                for (kept, lengths) in self.lengths(one, word, at, kept) {
                    add(kept, lengths);
                }
                for length in 1..=LONGEST {
                    let here: Vec<Kept> =
                        all.iter().filter(|(_, lengths)| **lengths >> length & 1 == 1).map(|(kept, _)| *kept).collect();
                    for kept in here {
                        for (after, rest) in self.lengths(one, word, at + length, kept) {
                            *all.entry(after).or_default() |= rest << length & limit;
                        }
                    }
                }
            }
        }
        all.retain(|_, lengths| *lengths != 0);
        self.matches.borrow_mut().insert(key, all.clone());
        all
    }

    /// Positions from here on, as many as show all there is.
    fn positions(&self, word: Word, at: usize) -> impl Iterator<Item = usize> {
        let last = match word.cut {
            Some((cut, _)) => cut.max(at) + 1,
            None if self.loop_start.is_some() => at + 2 * self.rows.len(),
            None => self.rows.len().saturating_sub(1),
        };
        at..=last
    }

    fn holds(&self, property: &Property, word: Word, at: usize, kept: Kept) -> bool {
        let at = self.settled(word, at);
        let key = (std::ptr::from_ref(property), word, at, kept);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let value = match property {
            Property::Sequence(sequence, true) => !self.lengths(sequence, word, at, kept).is_empty(),
            // Whatever has been seen can be continued to a match. With more letters that gets no easier: the last is enough.
            Property::Sequence(sequence, false) => {
                let last = match word.cut {
                    Some((cut, _)) => cut.max(at) + 1,
                    None if self.loop_start.is_some() => at + ROUND,
                    None => self.rows.len() - 1,
                };
                !self.lengths(sequence, Word { open: Some(last + 1), ..word }, at, kept).is_empty()
            }
            Property::Not(body) => !self.holds(body, word.barred(), at, kept),
            Property::And(one, other) => self.holds(one, word, at, kept) && self.holds(other, word, at, kept),
            Property::Or(one, other) => self.holds(one, word, at, kept) || self.holds(other, word, at, kept),
            Property::Suffix(sequence, body) => {
                self.lengths(sequence, word.barred(), at, kept).into_iter().all(|(after, lengths)| {
                    (1..=LONGEST)
                        .filter(|length| lengths >> length & 1 == 1)
                        .all(|length| self.holds(body, word, at + length - 1, after))
                })
            }
            Property::Next(body) => !self.exists(word, at + 1) || self.holds(body, word, at + 1, kept),
            Property::Always(body) => self.positions(word, at).all(|at| self.holds(body, word, at, kept)),
            Property::Until(hold, goal) | Property::WeakUntil(hold, goal) => {
                let mut positions = self.positions(word, at);
                let end = positions.find(|at| self.holds(goal, word, *at, kept) || !self.holds(hold, word, *at, kept));
                match end {
                    Some(at) => self.holds(goal, word, at, kept),
                    None => matches!(property, Property::WeakUntil(..)),
                }
            }
            Property::AcceptOn(condition, body) => {
                self.holds(body, word, at, kept)
                    || self.positions(word, at).any(|cut| {
                        word.cut.is_none_or(|(before, _)| cut < before)
                            && self.letter(word, cut, condition, false, kept) == Some(true)
                            && self.holds(body, Word { cut: Some((cut, true)), ..word }, at, kept)
                    })
                    // Where everything is satisfied, so is the condition.
                    || word.cut.is_some_and(|(_, all)| all) && self.holds(body, word, at, kept)
            }
        };
        self.known.borrow_mut().insert(key, value);
        value
    }
}

impl Property {
    /// Has each sequence a match at all, on some word? The standard refuses others (16.12.22).
    fn is_allowed(&self) -> bool {
        let all = Word { cut: Some((0, true)), open: None };
        let meaning = Meaning { rows: &[], loop_start: None, matches: RefCell::default(), known: RefCell::default() };
        let matches =
            |sequence: &Sequence| meaning.lengths(sequence, all, 0, NOTHING).values().any(|lengths| *lengths > 1);
        match self {
            Property::Sequence(sequence, _) => matches(sequence),
            Property::Suffix(sequence, body) => matches(sequence) && body.is_allowed(),
            Property::Not(body) | Property::Next(body) | Property::Always(body) | Property::AcceptOn(_, body) => {
                body.is_allowed()
            }
            Property::And(one, other)
            | Property::Or(one, other)
            | Property::Until(one, other)
            | Property::WeakUntil(one, other) => one.is_allowed() && other.is_allowed(),
        }
    }
}

fn wave(rows: &[u8]) -> Wave {
    let signal = |name: usize| Signal {
        info: SignalInfo {
            name: NAMES[name].to_owned(),
            kind: Kind::Bits { width: 1, signed: false, low: 0, descending: true },
            enumerators: Vec::new(),
            wire: None,
            radix: Default::default(),
        },
        values: Values::Bit {
            value: Bits::from_bools(rows.iter().map(|row| row >> name & 1 == 1)),
            unknown: Bits::filled(rows.len(), false),
        },
    };
    Wave { cycles: rows.len(), signals: (0..NAMES.len()).map(signal).collect(), ..Wave::default() }
}

/// What the definitions say of a formula.
struct Expected<'a> {
    meaning: Meaning<'a>,
    /// The body of `always`.
    body: Property,
    /// Without `always`, and with a reset: from the first cycle on that is not in reset.
    once: Option<Condition>,
}

impl Expected<'_> {
    fn holds(&self, cut: Option<(usize, bool)>) -> bool {
        Expected::judged(&self.meaning, &self.body, self.once.as_ref(), cut)
    }

    fn judged(meaning: &Meaning, body: &Property, once: Option<&Condition>, cut: Option<(usize, bool)>) -> bool {
        let word = Word { cut, open: None };
        let Some(reset) = once else {
            return meaning.positions(word, 0).all(|at| meaning.holds(body, word, at, NOTHING));
        };
        let start = meaning.positions(word, 0).find(|at| meaning.letter(word, *at, reset, true, NOTHING) == Some(true));
        start.is_none_or(|at| meaning.holds(body, word, at, NOTHING))
    }
}

impl Expected<'_> {
    /// The letter that satisfies everything satisfies `!true` as well, and ends what is weak and unbounded. So the standard sees later
    /// than we do, or never, that such a thing has failed: then it must fail whatever row comes for ever.
    fn fails_however_it_goes_on(&self, positions: usize) -> bool {
        let all: Vec<usize> = (0..positions).map(|at| self.meaning.row(at)).collect();
        (0..16).all(|last| {
            let rows: Vec<u8> = all.iter().map(|row| self.meaning.rows[*row]).chain([last]).collect();
            let loop_start = Some(positions);
            let meaning = Meaning { rows: &rows, loop_start, matches: RefCell::default(), known: RefCell::default() };
            !Expected::judged(&meaning, &self.body, self.once.as_ref(), None)
        })
    }
}

/// One property on one trace; the error says what differs.
fn trial(dice: &mut Dice) -> Result<Option<&'static str>, String> {
    let size = 2 + dice.roll(6);
    dice.assigned.clear();
    let (inner, make) = property(dice, size);
    if dice.variables && dice.assigned.is_empty() {
        return Ok(None);
    }
    if !make().is_allowed() {
        return Ok(None);
    }
    let rows: Vec<u8> =
        (0..1 + dice.roll(5)).map(|_| (dice.roll(8) + if dice.roll(4) == 0 { 8 } else { 0 }) as u8).collect();
    let after = match dice.roll(3) {
        0 => After::Anything,
        1 => After::Nothing,
        _ => After::Row(dice.roll(rows.len())),
    };
    let reset = (dice.roll(4) == 0).then(|| Reset { signal: 3, active_low: dice.roll(3) == 0 });
    let once = reset.is_some() && dice.roll(3) == 0 && !inner.contains("disable iff");
    let text = if once { format!("nexttime ({inner})") } else { format!("assert property ({inner});") };
    let wave = wave(&rows);
    let infos: Vec<SignalInfo> = wave.signals.iter().map(|signal| signal.info.clone()).collect();
    let formula = parse(&text).map_err(|error| format!("{text}: {error}"))?;
    let named: Vec<usize> = (0..infos.len()).collect();
    let unfolded = local::on_trace(&formula, &infos, &wave, &named);
    let bound = match unfolded.and_then(|formula| bind(&formula, &infos, reset.as_ref())) {
        Ok(bound) => bound,
        // A use that no assignment comes before, or one of what the documentation says is refused.
        Err(error)
            if dice.variables
                && ["local variable", "no signal `x`", "no signal `y`"]
                    .iter()
                    .any(|why| error.message.contains(why)) =>
        {
            return Ok(None);
        }
        Err(error) if ["too large", "not supported", "states"].iter().any(|why| error.message.contains(why)) => {
            return Ok(None);
        }
        Err(error) => return Err(format!("{text}: {error}")),
    };
    let word: Vec<Truth> = bound.atoms.iter().map(|atom| truth(atom, &wave, &bound.signals)).collect();
    let loop_start = if let After::Row(start) = after { Some(start) } else { None };
    let condition = reset.map(|reset| if reset.active_low { Condition::Not(3) } else { Condition::Is(3) });
    let body = if once { Property::Next(Box::new(make())) } else { make() };
    let body = match &condition {
        Some(condition) => Property::AcceptOn(condition.clone(), Box::new(body)),
        None => body,
    };
    let meaning = Meaning { rows: &rows, loop_start, matches: RefCell::default(), known: RefCell::default() };
    let expected = Expected { meaning, body, once: condition.filter(|_| once) };
    let found = Question::new(&bound.core, &word, rows.len(), after).judge();
    let complain = |what: String| {
        let shown: Vec<String> = rows.iter().map(|row| format!("{row:04b}")).collect();
        Err(format!("{text}\nrows (rcba) {} {after:?} reset {reset:?}\n{what}, found {found:?}", shown.join(" ")))
    };
    let open = Some((rows.len(), true));
    let holds = expected.holds(if after == After::Anything { open } else { None });
    match (&found, after) {
        (Verdict::Fails(failure), After::Anything) if holds && expected.fails_however_it_goes_on(failure.positions) => {
        }
        (Verdict::Fails(_), _) if holds => return complain("it holds".to_owned()),
        (Verdict::Holds | Verdict::Undecided, _) if !holds => return complain("it fails".to_owned()),
        (Verdict::Undecided, After::Anything) if expected.holds(Some((rows.len(), false))) => {
            return complain("it holds whatever comes".to_owned());
        }
        (Verdict::Fails(failure), _) if failure.end == End::Open => {
            let first = (1..=failure.positions).find(|cut| !expected.holds(Some((*cut, true))));
            let earlier = failure.positions - 1;
            let too_early = earlier > 0 && first.is_some_and(|first| first <= earlier);
            if too_early || first.is_none() && !expected.fails_however_it_goes_on(failure.positions) {
                return complain(format!("it fails on {first:?} positions"));
            }
        }
        _ => {}
    }
    Ok(Some(if holds { "holds" } else { "fails" }))
}

/// So many properties; one in `seldom` must hold, and one fail.
fn try_all(mut dice: Dice, usual: usize, seldom: usize) {
    let count = std::env::var("NEARMISS_FORMULAS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut wrong = Vec::new();
    let mut tried = 0;
    while tried < count {
        match trial(&mut dice) {
            Ok(None) => {}
            Ok(Some(verdict)) => {
                tried += 1;
                *seen.entry(verdict).or_default() += 1;
            }
            Err(complaint) => {
                tried += 1;
                wrong.push(complaint);
            }
        }
    }
    wrong.sort_by_key(String::len);
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n\n"));
    assert!(seen["holds"] > count / seldom && seen["fails"] > count / seldom, "{seen:?}");
}

#[test]
fn properties_mean_what_the_standard_says() {
    try_all(Dice::new(7, false), 600, 5);
}

#[test]
fn local_variables_mean_what_the_standard_says() {
    try_all(Dice::new(11, true), 80, 8);
}
