//! Rows of truth values, 64 to a machine word: what formulas over long traces are computed on.
//!
//! Bits beyond the length are always 0, so that counting and comparing need no care.

/// A row of truth values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// `len` times the same value.
    pub fn filled(len: usize, value: bool) -> Bits {
        let mut bits = Bits { words: vec![if value { u64::MAX } else { 0 }; len.div_ceil(64)], len };
        bits.trim();
        bits
    }

    /// From single values.
    pub fn from_bools(values: impl IntoIterator<Item = bool>) -> Bits {
        let mut bits = Bits::default();
        for value in values {
            bits.push(value);
        }
        bits
    }

    /// From words of which the first `len` bits count.
    pub fn from_words(mut words: Vec<u64>, len: usize) -> Bits {
        words.resize(len.div_ceil(64), 0);
        let mut bits = Bits { words, len };
        bits.trim();
        bits
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The machine words, lowest position first.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Appends one.
    pub(crate) fn push(&mut self, value: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        if value {
            self.set(self.len - 1, true);
        }
    }

    /// The one at `at`.
    pub fn get(&self, at: usize) -> bool {
        assert!(at < self.len, "position {at} of {}", self.len);
        self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// Changes the one at `at`.
    pub fn set(&mut self, at: usize, value: bool) {
        assert!(at < self.len, "position {at} of {}", self.len);
        let mask = 1 << (at % 64);
        if value {
            self.words[at / 64] |= mask;
        } else {
            self.words[at / 64] &= !mask;
        }
    }

    /// Sets all of `from..to`.
    pub fn set_range(&mut self, from: usize, to: usize) {
        assert!(to <= self.len, "position {to} of {}", self.len);
        if from >= to {
            return;
        }
        let (first, last) = (from / 64, (to - 1) / 64);
        let low = u64::MAX << (from % 64);
        let high = u64::MAX >> (63 - (to - 1) % 64);
        if first == last {
            self.words[first] |= low & high;
        } else {
            self.words[first] |= low;
            self.words[first + 1..last].fill(u64::MAX);
            self.words[last] |= high;
        }
    }

    /// The first `len` of them.
    pub(crate) fn prefix(&self, len: usize) -> Bits {
        assert!(len <= self.len, "position {len} of {}", self.len);
        Bits::from_words(self.words[..len.div_ceil(64)].to_vec(), len)
    }

    /// Every value turned round.
    pub fn not(&self) -> Bits {
        let mut bits = Bits { words: self.words.iter().map(|word| !word).collect(), len: self.len };
        bits.trim();
        bits
    }

    /// Both.
    pub(crate) fn and_with(&mut self, other: &Bits) {
        debug_assert_eq!(self.len, other.len);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Either.
    pub(crate) fn or_with(&mut self, other: &Bits) {
        debug_assert_eq!(self.len, other.len);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Is any of them true?
    pub fn any(&self) -> bool {
        self.words.iter().any(|word| *word != 0)
    }

    /// How many are true.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Positions of the true ones, in order.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let at = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(i * 64 + at)
            })
        })
    }

    /// The words, to be changed in place; whoever sets bits beyond the length calls [`Bits::trim`].
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Clears what lies beyond the length.
    pub(crate) fn trim(&mut self) {
        if !self.len.is_multiple_of(64)
            && let Some(last) = self.words.last_mut()
        {
            *last &= u64::MAX >> (64 - self.len % 64);
        }
    }
}

/// Where an atom is known to be true, and where it is known to be false. An unknown value is neither.
///
/// One `Truth` per atom of a formula is a *word*, the usual term of temporal logic for a run: a sequence of positions, and at each
/// of them the truth of every atom. Parameters and fields called `word` are this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    /// Known to be true.
    pub yes: Bits,
    /// Known to be false.
    pub no: Bits,
}
