//! The values that conditions on one input allow, as ranges that the solver proves.
//!
//! The smallest and the largest allowed value are found bit by bit, starting from the value in the run; where values between
//! them are not allowed, the ranges are walked from one end to the other by halving. What the program assumes anyway is
//! given: values that it excludes may be in a range or not, whichever is simpler to say. Cost: some hundred questions.

use nearmiss_logic::sat::Lit;
use nearmiss_logic::term::Term;
use nearmiss_logic::width::low_bits;

use super::assumption::Prover;
use crate::equation::Equation;

/// So many ranges of values are told.
const MOST_RANGES: usize = 4;

/// Conditions on one integer input.
pub(super) struct Conditions<'a> {
    /// The input.
    pub(super) symbol: Term,
    /// Its width.
    pub(super) bits: u32,
    /// Whether it is signed.
    pub(super) signed: bool,
    /// What is known: what the program assumes, and what is said before.
    pub(super) known: &'a [Lit],
    /// What is asked of the input.
    pub(super) terms: &'a [Term],
    /// A value that is allowed.
    pub(super) now: u128,
}

/// What of the values of an input is allowed.
pub(super) struct Ranges {
    /// Ranges, in order; nothing between two of them is allowed.
    pub(super) all: Vec<(i128, i128)>,
    /// Whether the smallest value need not be said.
    pub(super) is_open_below: bool,
    /// Whether the largest value need not be said.
    pub(super) is_open_above: bool,
}

impl Conditions<'_> {
    /// The only range of values that are allowed, if it is one.
    pub(super) fn range(&self, prover: &mut Prover<'_>, equation: &mut Equation) -> Option<Ranges> {
        prover.interrupted = false;
        let (smallest, largest) = self.extent(prover, equation);
        let is_range = self.holds_within(prover, equation, smallest, largest);
        (is_range && !prover.interrupted).then(|| self.between(prover, equation, vec![(smallest, largest)]))
    }

    /// All ranges of values that are allowed, if they are few.
    pub(super) fn ranges(&self, prover: &mut Prover<'_>, equation: &mut Equation) -> Option<Ranges> {
        prover.interrupted = false;
        let (smallest, largest) = self.extent(prover, equation);
        let mut all: Vec<(i128, i128)> = Vec::new();
        let mut start = smallest;
        while all.len() < MOST_RANGES && !prover.interrupted {
            // The least distance at which something is not allowed: one less is the end.
            let end = start
                + least(largest - start + 1, |distance| !self.holds_within(prover, equation, start, start + distance))
                - 1;
            all.push((start, end));
            if end == largest {
                return (!prover.interrupted).then(|| self.between(prover, equation, all));
            }
            let mut from = self.allowed(prover, equation);
            from.push(!self.below(prover, equation, end));
            start = end
                + 1
                + least(largest - end - 1, |distance| {
                    let bound = self.below(prover, equation, end + 1 + distance);
                    !prover.follows(&from, !bound)
                });
        }
        None
    }

    /// The bits that all allowed values share, if these values are all that share them.
    pub(super) fn shared_bits(&self, prover: &mut Prover<'_>, equation: &mut Equation) -> Option<(u128, u128)> {
        prover.interrupted = false;
        let from = self.allowed(prover, equation);
        let bits = prover.bits(equation, self.symbol);
        let as_now = |place: usize| bits[place].negate_if(self.now >> place & 1 == 0);
        let mut shared = low_bits(self.bits);
        for place in 0..bits.len() {
            if shared >> place & 1 == 1 && !prover.follows(&from, as_now(place)) {
                let differs = prover.model(&bits).map_or(0, |other| other ^ self.now);
                shared &= !(differs | 1 << place);
            }
        }
        let same = (0..bits.len()).filter(|place| shared >> place & 1 == 1).map(as_now);
        let from: Vec<Lit> = self.known.iter().copied().chain(same).collect();
        let all = equation.terms.and_all(self.terms);
        let all = prover.literal(equation, all);
        let is_all = shared != 0 && prover.follows(&from, all) && !prover.interrupted;
        is_all.then_some((shared, self.now & shared))
    }

    /// The smallest and the largest value that are allowed.
    fn extent(&self, prover: &mut Prover<'_>, equation: &Equation) -> (i128, i128) {
        let from = self.allowed(prover, equation);
        (self.outermost(prover, equation, &from, false), self.outermost(prover, equation, &from, true))
    }

    /// The largest value, or the smallest: bit by bit from the top. No comparison is needed for that, which the solver
    /// would carry along in all questions after it.
    fn outermost(&self, prover: &mut Prover<'_>, equation: &Equation, from: &[Lit], largest: bool) -> i128 {
        let bits = prover.bits(equation, self.symbol);
        let (mut known, mut now) = (from.to_vec(), self.now);
        // Whether the number is allowed, and not only its upper bits.
        let mut is_allowed = true;
        for (place, bit) in bits.iter().enumerate().rev() {
            let is_sign = self.signed && place + 1 == bits.len();
            let wanted = largest != is_sign;
            let is_wanted = (now >> place & 1 == 1) == wanted;
            if !is_allowed || !is_wanted {
                let impossible = prover.follows(&known, bit.negate_if(wanted));
                match prover.model(&bits) {
                    Some(model) => (now, is_allowed) = (model, true),
                    None if impossible == is_wanted => (now, is_allowed) = (now ^ 1 << place, false),
                    None => {}
                }
            }
            known.push(bit.negate_if(now >> place & 1 == 0));
        }
        let shift = 128 - self.bits;
        if self.signed { (now << shift) as i128 >> shift } else { now as i128 }
    }

    /// Ranges, and which of the outer bounds need not be said.
    fn between(&self, prover: &mut Prover<'_>, equation: &mut Equation, all: Vec<(i128, i128)>) -> Ranges {
        let ((_, first_end), (last_start, _)) = (all[0], all[all.len() - 1]);
        let (low, high) = self.limits();
        let is_open_below = self.holds_within(prover, equation, low, first_end);
        // Of one range one bound must be said, unless none must.
        let start = if all.len() == 1 && is_open_below { low } else { last_start };
        let is_open_above = self.holds_within(prover, equation, start, high);
        Ranges { all, is_open_below, is_open_above }
    }

    /// The least and the greatest value of the type.
    fn limits(&self) -> (i128, i128) {
        match self.signed {
            true => (-(1i128 << (self.bits - 1)), (1i128 << (self.bits - 1)) - 1),
            false => (0, (1i128 << self.bits) - 1),
        }
    }

    /// What is known of an allowed value.
    fn allowed(&self, prover: &mut Prover<'_>, equation: &Equation) -> Vec<Lit> {
        let terms = self.terms.iter().map(|term| prover.literal(equation, *term));
        self.known.iter().copied().chain(terms).collect()
    }

    /// The literal that the input is at most a value.
    fn below(&self, prover: &mut Prover<'_>, equation: &mut Equation, value: i128) -> Lit {
        let (low, high) = self.limits();
        if value < low || value >= high {
            return Lit::constant(value >= high);
        }
        let constant = equation.terms.constant(self.bits, value as u128 & low_bits(self.bits));
        let term = match self.signed {
            true => equation.terms.sle(self.symbol, constant),
            false => equation.terms.ule(self.symbol, constant),
        };
        prover.literal(equation, term)
    }

    /// Are all values between two allowed?
    fn holds_within(&self, prover: &mut Prover<'_>, equation: &mut Equation, from: i128, to: i128) -> bool {
        let all = equation.terms.and_all(self.terms);
        let all = prover.literal(equation, all);
        let (lower, upper) = (!self.below(prover, equation, from - 1), self.below(prover, equation, to));
        prover.follows(&[self.known, &[lower, upper]].concat(), all)
    }
}

impl Ranges {
    /// In C, over the name of the input, with values as they are shown.
    pub(super) fn text(&self, name: &str, shown: &dyn Fn(i128) -> String) -> String {
        let gaps: Vec<(i128, i128)> = self.all.windows(2).map(|pair| (pair[0].1 + 1, pair[1].0 - 1)).collect();
        let (smallest, largest) = (self.all[0].0, self.all[self.all.len() - 1].1);
        let bounds = match (self.is_open_below, self.is_open_above) {
            (true, true) => None,
            (true, false) => Some(format!("{name} <= {}", shown(largest))),
            (false, true) => Some(format!("{name} >= {}", shown(smallest))),
            (false, false) => Some(format!("{} <= {name} && {name} <= {}", shown(smallest), shown(largest))),
        };
        // Everything but a few values.
        if !gaps.is_empty() && gaps.iter().all(|(from, to)| from == to) {
            let values = gaps.iter().map(|(value, _)| format!("{name} != {}", shown(*value)));
            let all: Vec<String> = values.chain(bounds).collect();
            return all.join(" && ");
        }
        let last = self.all.len() - 1;
        let texts: Vec<String> = (self.all.iter().enumerate())
            .map(|(at, (from, to))| {
                match (from == to, at == 0 && self.is_open_below, at == last && self.is_open_above) {
                    (true, ..) => format!("{name} == {}", shown(*from)),
                    (false, true, false) => format!("{name} <= {}", shown(*to)),
                    (false, false, true) => format!("{name} >= {}", shown(*from)),
                    _ if last == 0 => format!("{} <= {name} && {name} <= {}", shown(*from), shown(*to)),
                    _ => format!("({} <= {name} && {name} <= {})", shown(*from), shown(*to)),
                }
            })
            .collect();
        texts.join(" || ")
    }
}

/// The least number up to `most` for which something holds that holds for all above it, and for `most`: near 0 and at
/// the end it is likely to be, so one looks there first, then in growing strides, then by halving.
fn least(most: i128, mut holds: impl FnMut(i128) -> bool) -> i128 {
    if most == 0 || holds(0) {
        return 0;
    }
    if !holds(most - 1) {
        return most;
    }
    let (mut low, mut high, mut stride) = (1, most - 1, 1);
    while low + stride < high {
        if holds(low + stride) {
            high = low + stride;
        } else {
            low += stride + 1;
            stride *= 2;
        }
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
