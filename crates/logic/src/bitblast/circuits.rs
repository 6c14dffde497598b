//! Circuits over words: sums, comparisons, shifts, products and quotients, least significant bit first.
//!
//! Sums and comparisons ripple, which unit propagation follows well. Products add shifted partial products, skipping
//! those known to be zero, with a constant factor recoded to signed digits first. Quotients are not computed but
//! characterised by a product. Constants need no cases of their own: the gates fold them away.

use super::Blaster;
use crate::sat::Lit;

/// How the words of a division are read.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Signedness {
    Unsigned,
    Signed,
}

impl Blaster {
    /// `a + b + carry`, modulo two to the width.
    pub(super) fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
            sum.push(self.parity(a, b, carry));
            // The last carry goes nowhere.
            if i + 1 < sum.capacity() {
                carry = self.majority(a, b, carry);
            }
        }
        sum
    }

    /// `a - b`.
    pub(super) fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let b: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
        self.add(a, &b, Lit::TRUE)
    }

    /// `-a`.
    pub(super) fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        self.subtract(&vec![Lit::FALSE; a.len()], a)
    }

    /// `-a` if `condition`, else `a`: flip the bits and add one, in one adder.
    fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        self.add(&flipped, &vec![Lit::FALSE; a.len()], condition)
    }

    /// Bit by bit, `yes` if `condition`, else `no`.
    pub(super) fn choose(&mut self, condition: Lit, yes: &[Lit], no: &[Lit]) -> Vec<Lit> {
        yes.iter().zip(no).map(|(&yes, &no)| self.mux(condition, yes, no)).collect()
    }

    /// `a = b`.
    pub(super) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        // A first look for a difference saves making gates that no one reads.
        if a.iter().zip(b).any(|(&a, &b)| a == !b) {
            return Lit::FALSE;
        }
        let same = a.iter().zip(b).map(|(&a, &b)| !self.xor(a, b)).collect();
        self.all(same)
    }

    /// `a < b`, unsigned: the borrow of `a - b`.
    pub(super) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        a.iter().zip(b).fold(Lit::FALSE, |borrow, (&a, &b)| self.majority(!a, b, borrow))
    }

    /// `a` shifted towards its least significant bit, `fill` coming in.
    pub(super) fn shift_down(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut word = a.to_vec();
        let mut stage = 0;
        while stage < by.len() && 1 << stage < width {
            let distance = 1 << stage;
            word = (0..width)
                .map(|i| {
                    let from = word.get(i + distance).copied().unwrap_or(fill);
                    self.mux(by[stage], from, word[i])
                })
                .collect();
            stage += 1;
        }
        let beyond = self.any(by[stage..].iter().copied());
        self.choose(beyond, &vec![fill; width], &word)
    }

    /// `a * b`, modulo two to the width.
    pub(super) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        // The factor whose bits select the partial products: the one with more of them zero or alike.
        let (by, word) = if rows(a) <= rows(b) { (a, b) } else { (b, a) };
        let width = word.len();
        let mut product = vec![Lit::FALSE; width];
        if by.iter().all(|bit| bit.is_constant()) {
            for (i, digit) in signed_digits(by).into_iter().enumerate() {
                match digit {
                    0 => {}
                    1 => self.accumulate(&mut product, i, &word[..width - i]),
                    _ => self.diminish(&mut product, i, &word[..width - i]),
                }
            }
            return product;
        }
        // A run of equal top bits s from position k up is worth -s * 2^k: one subtraction for a sign extension.
        let run = top_run(by);
        for (i, &bit) in by[..run].iter().enumerate() {
            if bit != Lit::FALSE {
                let row: Vec<Lit> = word[..width - i].iter().map(|&other| self.and(bit, other)).collect();
                self.accumulate(&mut product, i, &row);
            }
        }
        if by[run] != Lit::FALSE {
            let row: Vec<Lit> = word[..width - run].iter().map(|&other| self.and(by[run], other)).collect();
            self.diminish(&mut product, run, &row);
        }
        product
    }

    fn accumulate(&mut self, product: &mut [Lit], from: usize, row: &[Lit]) {
        let sum = self.add(&product[from..], row, Lit::FALSE);
        product[from..].copy_from_slice(&sum);
    }

    fn diminish(&mut self, product: &mut [Lit], from: usize, row: &[Lit]) {
        let difference = self.subtract(&product[from..], row);
        product[from..].copy_from_slice(&difference);
    }

    /// Quotient and remainder, with SMT-LIB's answers for a zero divisor.
    pub(super) fn divide(&mut self, a: &[Lit], b: &[Lit], signedness: Signedness) -> (Vec<Lit>, Vec<Lit>) {
        match signedness {
            Signedness::Unsigned => self.divide_unsigned(a, b),
            Signedness::Signed => {
                let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
                let (size_a, size_b) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
                let (quotient, remainder) = self.divide_unsigned(&size_a, &size_b);
                let differ = self.xor(sign_a, sign_b);
                (self.negate_if(differ, &quotient), self.negate_if(sign_a, &remainder))
            }
        }
    }

    /// Division by its definition: a fresh quotient and remainder with `quotient * b + remainder = a`, nothing
    /// overflowing, and `remainder < b`. Half the size of a restoring divider, and what programs rely on is a clause
    /// instead of a theorem: at 32 bits `a % b >= b` is refuted at once, a matter of many seconds with that divider.
    /// With `b` zero the equation leaves the remainder `a`, and the quotient is set to all ones, as SMT-LIB wants.
    fn divide_unsigned(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let nonzero = self.any(b.iter().copied());
        let (length_a, length_b) = (length(a), length(b));
        // Neither exceeds the dividend, and the remainder stays below a divisor that is not zero.
        let quotient: Vec<Lit> =
            (0..width).map(|i| if i < length_a { self.solver.new_var() } else { !nonzero }).collect();
        let mut remainder = vec![Lit::FALSE; width];
        for (i, bit) in remainder.iter_mut().enumerate().take(length_a) {
            *bit = if i < length_b { self.solver.new_var() } else { self.and(!nonzero, a[i]) };
        }
        let mut sum = remainder.clone();
        for i in 0..length_a {
            self.solver.add_clause(&[nonzero, quotient[i]]);
            for &bit in &b[width - i..] {
                self.solver.add_clause(&[!quotient[i], !bit]);
            }
            let row: Vec<Lit> = b[..width - i].iter().map(|&bit| self.and(quotient[i], bit)).collect();
            // Carry out of the top would be an overflow.
            let mut carry = Lit::FALSE;
            for (sum, &bit) in sum[i..].iter_mut().zip(&row) {
                let next = self.majority(*sum, bit, carry);
                *sum = self.parity(*sum, bit, carry);
                carry = next;
            }
            self.solver.add_clause(&[!carry]);
        }
        self.equate(&sum, a);
        let below = self.less(&remainder, b);
        self.solver.add_clause(&[!nonzero, below]);
        (quotient, remainder)
    }
}

/// Bits up to the last that may be set.
fn length(word: &[Lit]) -> usize {
    word.iter().rposition(|&bit| bit != Lit::FALSE).map_or(0, |last| last + 1)
}

/// Where the run of equal bits at the top starts.
fn top_run(word: &[Lit]) -> usize {
    let top = word[word.len() - 1];
    word.iter().rposition(|&bit| bit != top).map_or(0, |last| last + 1)
}

/// How many partial products a factor makes.
fn rows(word: &[Lit]) -> usize {
    let run = top_run(word);
    word[..=run].iter().filter(|&&bit| bit != Lit::FALSE).count()
}

/// A constant word in the digits -1, 0, 1 with no two neighbours both non-zero, the fewest possible.
fn signed_digits(word: &[Lit]) -> Vec<i8> {
    let mut digits = Vec::with_capacity(word.len());
    let mut carry = 0;
    for (i, &bit) in word.iter().enumerate() {
        let next = u8::from(word.get(i + 1) == Some(&Lit::TRUE));
        let value = u8::from(bit == Lit::TRUE) + carry;
        // An odd value below another one starts a run: take one away here and add one above the run.
        match (value, next) {
            (1, 1) => {
                digits.push(-1);
                carry = 1;
            }
            (1, _) => {
                digits.push(1);
                carry = 0;
            }
            (value, _) => {
                digits.push(0);
                carry = value / 2;
            }
        }
    }
    digits
}
