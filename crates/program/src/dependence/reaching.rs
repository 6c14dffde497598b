//! Reaching definitions: which write may have made the value that is read.
//!
//! The program is segments of straight code with edges between them; a segment is a list of reads and writes of objects
//! with numbers. The usual forward analysis (Aho, Sethi, Ullman, "Compilers", section 10.5) keeps one bit for each
//! definition at each segment. Definitions are sorted by object, so that "every definition of this object" and "every
//! definition of what pointers reach" are ranges of bits.

use std::ops::Range;

use super::LineNumber;
use super::effects::Extent;

/// A write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    pub(super) object: usize,
    /// Where; a write without a line hides others and is nobody's cause.
    pub(super) line: Option<LineNumber>,
    pub(super) extent: Extent,
    /// Whether it is a declaration, which assignments depend on too.
    pub(super) declares: bool,
}

#[derive(Clone, Copy)]
enum Event {
    Read {
        object: usize,
        line: LineNumber,
    },
    ReadExposed {
        line: LineNumber,
    },
    Mention {
        object: usize,
        line: LineNumber,
    },
    /// A position in the definitions.
    Write(usize),
}

/// Straight code with edges. The first object is memory that pointers reach where there are exposed objects at all.
pub(super) struct Flow {
    /// For each segment where it goes next.
    pub(super) successors: Vec<Vec<usize>>,
    events: Vec<Vec<Event>>,
    definitions: Vec<Definition>,
    objects: usize,
    /// The first objects, which pointers reach.
    exposed: usize,
}

impl Flow {
    pub(super) fn new(objects: usize, exposed: usize) -> Flow {
        Flow { successors: Vec::new(), events: Vec::new(), definitions: Vec::new(), objects, exposed }
    }

    /// A new segment.
    pub(super) fn segment(&mut self) -> usize {
        self.successors.push(Vec::new());
        self.events.push(Vec::new());
        self.events.len() - 1
    }

    /// An object is read.
    pub(super) fn read(&mut self, segment: usize, object: usize, line: LineNumber) {
        self.events[segment].push(Event::Read { object, line });
    }

    /// Any object that pointers reach is read.
    pub(super) fn read_exposed(&mut self, segment: usize, line: LineNumber) {
        self.events[segment].push(Event::ReadExposed { line });
    }

    /// An object is named without being read: only its declaration matters.
    pub(super) fn mention(&mut self, segment: usize, object: usize, line: LineNumber) {
        self.events[segment].push(Event::Mention { object, line });
    }

    /// An object is written.
    pub(super) fn write(&mut self, segment: usize, definition: Definition) {
        self.events[segment].push(Event::Write(self.definitions.len()));
        self.definitions.push(definition);
    }

    /// Pairs of lines: what the first writes, the second may read, or what it declares, the second mentions. Sorted.
    pub(super) fn dependences(&self) -> Vec<(LineNumber, LineNumber)> {
        let order = Order::of(self);
        let reaching = self.reaching(&order);
        let mut found = Vec::new();
        for (events, mut here) in self.events.iter().zip(reaching) {
            for event in events {
                let (ranges, line) = match event {
                    Event::Write(definition) => {
                        self.apply(&order, *definition, &mut here);
                        continue;
                    }
                    Event::Read { object, line } => {
                        let memory = if *object > 0 && *object < self.exposed { order.of_object(0) } else { 0..0 };
                        ([order.of_object(*object), memory], *line)
                    }
                    Event::ReadExposed { line } => ([0..order.starts[self.exposed], 0..0], *line),
                    Event::Mention { object, line } => ([order.declarations_of(*object), 0..0], *line),
                };
                for bit in ranges.into_iter().flat_map(|range| here.within(range)) {
                    found.extend(order.lines[bit].map(|from| (from, line)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The definitions that reach the start of each segment.
    fn reaching(&self, order: &Order) -> Vec<Bits> {
        let mut reaching = vec![Bits::none(self.definitions.len()); self.events.len()];
        // From the last, because a stack gives back the first.
        let mut open: Vec<usize> = (0..self.events.len()).rev().collect();
        let mut is_open = vec![true; self.events.len()];
        while let Some(segment) = open.pop() {
            is_open[segment] = false;
            let mut here = reaching[segment].clone();
            for event in &self.events[segment] {
                if let Event::Write(definition) = event {
                    self.apply(order, *definition, &mut here);
                }
            }
            for next in &self.successors[segment] {
                if reaching[*next].add(&here) && !is_open[*next] {
                    is_open[*next] = true;
                    open.push(*next);
                }
            }
        }
        reaching
    }

    fn apply(&self, order: &Order, definition: usize, here: &mut Bits) {
        let Definition { object, extent, .. } = self.definitions[definition];
        if extent == Extent::Whole {
            here.clear(order.of_object(object));
        }
        here.set(order.bits[definition]);
    }
}

/// Definitions sorted by object, declarations first.
struct Order {
    /// The bit of each definition.
    bits: Vec<usize>,
    /// The line of each bit.
    lines: Vec<Option<LineNumber>>,
    /// The first bit of each object, and one past the last.
    starts: Vec<usize>,
    /// For each object one past the last declaration.
    declared: Vec<usize>,
}

impl Order {
    fn of(flow: &Flow) -> Order {
        let mut starts = vec![0; flow.objects + 1];
        for definition in &flow.definitions {
            starts[definition.object + 1] += 1;
        }
        for object in 0..flow.objects {
            starts[object + 1] += starts[object];
        }
        let mut next = starts.clone();
        let mut lines = vec![None; flow.definitions.len()];
        let mut bits = vec![0; flow.definitions.len()];
        let mut place = |declares: bool| {
            for (bit, definition) in bits.iter_mut().zip(&flow.definitions).filter(|(_, d)| d.declares == declares) {
                *bit = next[definition.object];
                next[definition.object] += 1;
                lines[*bit] = definition.line;
            }
            next.clone()
        };
        let declared = place(true);
        place(false);
        Order { bits, lines, starts, declared }
    }

    fn of_object(&self, object: usize) -> Range<usize> {
        self.starts[object]..self.starts[object + 1]
    }

    fn declarations_of(&self, object: usize) -> Range<usize> {
        self.starts[object]..self.declared[object]
    }
}

/// A set of definitions.
#[derive(Clone)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    fn none(bits: usize) -> Bits {
        Bits { words: vec![0; bits.div_ceil(64)] }
    }

    fn set(&mut self, bit: usize) {
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    /// Adds another set of the same size; says whether that changed anything.
    fn add(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    fn clear(&mut self, range: Range<usize>) {
        for (word, mask) in masks(range) {
            self.words[word] &= !mask;
        }
    }

    fn within(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        masks(range).flat_map(|(word, mask)| {
            let found = self.words[word] & mask;
            (0..64).filter(move |bit| found >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        })
    }
}

/// The words that a range of bits touches, each with its bits.
fn masks(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let (first, last) = (range.start / 64, range.end.div_ceil(64));
    let words = if range.is_empty() { 0..0 } else { first..last };
    words.map(move |word| {
        let from = range.start.saturating_sub(word * 64).min(63);
        let to = (range.end - word * 64).min(64);
        (word, u64::MAX << from & u64::MAX >> (64 - to))
    })
}
