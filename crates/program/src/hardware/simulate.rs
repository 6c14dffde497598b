//! What a model does, bit by bit, as BTOR2 says it. Slow and plain: it judges what [`lower`](super::lower) made of the model,
//! and shares nothing with it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::model::{Bits, Kind, Model, NodeId, Operator, Sort};

/// What comes from outside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stimulus {
    /// What states are in the first cycle that may be anything; not listed: 0.
    pub started: HashMap<NodeId, Bits>,
    /// The same of places of memories.
    pub memories: HashMap<NodeId, BTreeMap<u64, Bits>>,
    /// Per cycle the inputs, and what states become that may become anything; not listed: 0.
    pub cycles: Vec<HashMap<NodeId, Bits>>,
}

/// What a run shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wave {
    /// Per cycle the value of every node that is a word.
    pub cycles: Vec<Vec<Bits>>,
    /// The cycle in which a constraint is broken first.
    pub excluded: Option<usize>,
    /// Per cycle, which of the bad bits are 1.
    pub bad: Vec<Vec<bool>>,
    /// Per cycle the memories that are states.
    pub memories: Vec<BTreeMap<NodeId, Memory>>,
    /// What states are at the start of each cycle, and after the last.
    states: Vec<HashMap<NodeId, Value>>,
}

/// A memory: what was put where, and what is everywhere else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// What was put where.
    pub places: BTreeMap<u64, Bits>,
    /// What is everywhere else.
    pub rest: Bits,
    /// How wide an address is.
    pub index: u32,
}

impl Memory {
    /// What is at an address.
    pub fn at(&self, address: u64) -> &Bits {
        self.places.get(&address).unwrap_or(&self.rest)
    }

    /// Is the same everywhere?
    fn is_same(&self, other: &Memory) -> bool {
        let named: BTreeSet<u64> = self.places.keys().chain(other.places.keys()).copied().collect();
        let all = self.index < 64 && named.len() as u64 == 1 << self.index;
        (all || self.rest == other.rest) && named.iter().all(|address| self.at(*address) == other.at(*address))
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Word(Bits),
    Memory(Memory),
}

impl Wave {
    /// Are all states that matter from then on after the last cycle what they are at the start of this one?
    pub fn comes_back_to(&self, model: &Model, cycle: usize) -> bool {
        let (Some(then), Some(now)) = (self.states.get(cycle), self.states.last()) else { return false };
        let is_state = |id: &NodeId| matches!(model.node(*id).kind, Kind::State { .. });
        let is_same = |id: &NodeId| match (then.get(id), now.get(id)) {
            (Some(Value::Word(then)), Some(Value::Word(now))) => then == now,
            (Some(Value::Memory(then)), Some(Value::Memory(now))) => then.is_same(now),
            _ => false,
        };
        model.running().iter().filter(|id| is_state(id)).all(is_same)
    }

    /// Leaves out what comes after so many cycles.
    pub fn cut(&mut self, cycles: usize) {
        self.cycles.truncate(cycles);
        self.bad.truncate(cycles);
        self.memories.truncate(cycles);
        self.states.truncate(cycles + 1);
        self.excluded = self.excluded.filter(|cycle| *cycle < cycles);
    }
}

/// What words are made in some cycles, whatever they would be.
pub type Changes = HashMap<(NodeId, usize), Bits>;

/// Simulates so many cycles as the stimulus has, or up to the first in which a constraint is broken.
pub fn simulate(model: &Model, stimulus: &Stimulus) -> Wave {
    simulate_changed(model, stimulus, &Changes::new()).0
}

/// The same, with some words changed; also which of them would have been something else.
pub fn simulate_changed(model: &Model, stimulus: &Stimulus, changes: &Changes) -> (Wave, Vec<(NodeId, usize)>) {
    let (mut wave, mut forced) = (Wave::default(), Vec::new());
    let mut states: HashMap<NodeId, Value> = HashMap::new();
    for id in model.states() {
        states.insert(id, first(model, id, stimulus, &states));
    }
    for (cycle, inputs) in stimulus.cycles.iter().enumerate() {
        let mut change = |id: NodeId, value: Value| match changes.get(&(id, cycle)) {
            Some(bits) => {
                let changed = Value::Word(bits.clone());
                if changed != value {
                    forced.push((id, cycle));
                }
                changed
            }
            None => value,
        };
        states = states.into_iter().map(|(id, value)| (id, change(id, value))).collect();
        wave.states.push(states.clone());
        let is_state = |id: NodeId| matches!(model.node(id).kind, Kind::State { .. });
        let mut computed = |id: NodeId, value: Value| if is_state(id) { value } else { change(id, value) };
        let values = evaluate(model, inputs, &states, &mut computed);
        let is_set = |id: NodeId| matches!(&values[id], Value::Word(bits) if bits[0]);
        let shown = values.iter().map(|value| match value {
            Value::Word(bits) => bits.clone(),
            Value::Memory(_) => Bits::new(),
        });
        wave.cycles.push(shown.collect());
        let memories = states.iter().filter_map(|(id, value)| match value {
            Value::Memory(memory) => Some((*id, memory.clone())),
            Value::Word(_) => None,
        });
        wave.memories.push(memories.collect());
        if model.constraints.iter().any(|constraint| !is_set(constraint.node)) {
            wave.excluded = Some(cycle);
            return (wave, forced);
        }
        wave.bad.push(model.bad.iter().map(|bad| is_set(bad.node)).collect());
        let next = model.states().into_iter().map(|id| (id, following(model, id, inputs, &values)));
        states = next.collect();
    }
    wave.states.push(states);
    (wave, forced)
}

fn zeros(width: u32) -> Bits {
    vec![false; width as usize]
}

/// What a state is in the first cycle.
fn first(model: &Model, id: NodeId, stimulus: &Stimulus, earlier: &HashMap<NodeId, Value>) -> Value {
    let node = model.node(id);
    let Kind::State { init, .. } = &node.kind else { return Value::Word(Bits::new()) };
    let given = init.map(|init| evaluate_one(model, init, &HashMap::new(), earlier));
    match (node.sort, given) {
        (Sort::Word(width), None) => Value::Word(stimulus.started.get(&id).cloned().unwrap_or_else(|| zeros(width))),
        (Sort::Array { index, element }, None) => {
            let places = stimulus.memories.get(&id).cloned().unwrap_or_default();
            Value::Memory(Memory { places, rest: zeros(element), index })
        }
        (Sort::Array { index, .. }, Some(Value::Word(rest))) => {
            Value::Memory(Memory { places: BTreeMap::new(), rest, index })
        }
        (_, Some(value)) => value,
    }
}

fn following(model: &Model, id: NodeId, inputs: &HashMap<NodeId, Bits>, values: &[Value]) -> Value {
    let Kind::State { next, .. } = &model.node(id).kind else { return Value::Word(Bits::new()) };
    match next {
        Some(next) => values[*next].clone(),
        // Nobody is told of such a memory: it is refused.
        None if model.width(id) == 0 => values[id].clone(),
        None => Value::Word(inputs.get(&id).cloned().unwrap_or_else(|| zeros(model.width(id)))),
    }
}

fn evaluate(
    model: &Model,
    inputs: &HashMap<NodeId, Bits>,
    states: &HashMap<NodeId, Value>,
    change: &mut dyn FnMut(NodeId, Value) -> Value,
) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(model.nodes.len());
    for id in 0..model.nodes.len() {
        let value = node(model, id, inputs, states, &|operand| values[operand].clone());
        values.push(change(id, value));
    }
    values
}

/// One node that stands on constants and states.
fn evaluate_one(model: &Model, id: NodeId, inputs: &HashMap<NodeId, Bits>, states: &HashMap<NodeId, Value>) -> Value {
    let mut values: HashMap<NodeId, Value> = HashMap::new();
    for at in 0..=id {
        let value = node(model, at, inputs, states, &|operand| values[&operand].clone());
        values.insert(at, value);
    }
    values.remove(&id).unwrap_or(Value::Word(Bits::new()))
}

fn node(
    model: &Model,
    id: NodeId,
    inputs: &HashMap<NodeId, Bits>,
    states: &HashMap<NodeId, Value>,
    value: &dyn Fn(NodeId) -> Value,
) -> Value {
    let node = model.node(id);
    let unknown = || match node.sort {
        Sort::Word(width) => Value::Word(zeros(width)),
        Sort::Array { index, element } => {
            Value::Memory(Memory { places: BTreeMap::new(), rest: zeros(element), index })
        }
    };
    match &node.kind {
        Kind::Constant(bits) => Value::Word(bits.clone()),
        Kind::Input => Value::Word(inputs.get(&id).cloned().unwrap_or_else(|| zeros(node.sort.width()))),
        Kind::State { .. } => states.get(&id).cloned().unwrap_or_else(unknown),
        Kind::Operation(operator, operands) => {
            let operands: Vec<Value> = operands.iter().map(|operand| value(*operand)).collect();
            operation(*operator, &operands, node.sort.width())
        }
    }
}

fn operation(operator: Operator, operands: &[Value], width: u32) -> Value {
    match (operator, operands) {
        (Operator::Read, [Value::Memory(memory), Value::Word(address)]) => {
            Value::Word(memory.at(number(address)).clone())
        }
        (Operator::Write, [Value::Memory(memory), Value::Word(address), Value::Word(word)]) => {
            let mut memory = memory.clone();
            memory.places.insert(number(address), word.clone());
            Value::Memory(memory)
        }
        (Operator::Eq | Operator::Neq, [Value::Memory(one), Value::Memory(other)]) => {
            Value::Word(vec![one.is_same(other) == (operator == Operator::Eq)])
        }
        (Operator::Ite, [Value::Word(condition), yes, no]) => {
            if condition[0] {
                yes.clone()
            } else {
                no.clone()
            }
        }
        _ => {
            let word = |value: &Value| match value {
                Value::Word(bits) => bits.clone(),
                Value::Memory(_) => Bits::new(),
            };
            let words: Vec<Bits> = operands.iter().map(word).collect();
            Value::Word(computed(operator, &words, width as usize))
        }
    }
}

/// Addresses have at most 64 bits.
fn number(bits: &Bits) -> u64 {
    bits.iter().rev().fold(0, |value, bit| value << 1 | u64::from(*bit))
}

fn computed(operator: Operator, words: &[Bits], width: usize) -> Bits {
    use Operator as O;
    let x = &words[0];
    let y = words.get(1).unwrap_or(x);
    let each = |of: &dyn Fn(bool, bool) -> bool| x.iter().zip(y).map(|(x, y)| of(*x, *y)).collect::<Bits>();
    match operator {
        O::Not => not(x),
        O::Inc => plus(x, &zeros(width as u32), true).0,
        O::Dec => plus(x, &vec![true; width], false).0,
        O::Neg => minus(&zeros(width as u32), x).0,
        O::Sext | O::Uext => extended(x, width, operator == O::Sext),
        O::Slice(from) => x[from as usize..from as usize + width].to_vec(),
        O::And => each(&|x, y| x && y),
        O::Nand => each(&|x, y| !(x && y)),
        O::Or => each(&|x, y| x || y),
        O::Nor => each(&|x, y| !(x || y)),
        O::Xor => each(&|x, y| x != y),
        O::Xnor => each(&|x, y| x == y),
        O::Rol | O::Ror => turned(x, y, operator == O::Rol),
        O::Sll | O::Srl | O::Sra => shifted(x, y, operator),
        O::Add => plus(x, y, false).0,
        O::Sub => minus(x, y).0,
        O::Mul => times(x, y, width),
        O::Udiv => divided(x, y).0,
        O::Urem => divided(x, y).1,
        O::Sdiv => divided_signed(x, y).0,
        O::Srem => divided_signed(x, y).1,
        O::Smod => {
            let rest = divided_signed(x, y).1;
            let differ = sign(&rest) != sign(y) && rest.contains(&true);
            if differ { plus(&rest, y, false).0 } else { rest }
        }
        O::Concat => y.iter().chain(x).copied().collect(),
        _ => vec![asked(operator, x, y)],
    }
}

fn asked(operator: Operator, x: &Bits, y: &Bits) -> bool {
    use Operator as O;
    let width = x.len();
    let fits = |exact: &Bits, signed: bool| extended(&exact[..width].to_vec(), exact.len(), signed) == *exact;
    let wide = |of: &Bits, signed: bool| extended(of, 2 * width + 1, signed);
    match operator {
        O::Redand => x.iter().all(|bit| *bit),
        O::Redor => x.contains(&true),
        O::Redxor => x.iter().filter(|bit| **bit).count() % 2 == 1,
        O::Iff | O::Eq => x == y,
        O::Implies => !x[0] || y[0],
        O::Neq => x != y,
        O::Ult => below(x, y),
        O::Ugt => below(y, x),
        O::Ulte => !below(y, x),
        O::Ugte => !below(x, y),
        O::Slt => below_signed(x, y),
        O::Sgt => below_signed(y, x),
        O::Slte => !below_signed(y, x),
        O::Sgte => !below_signed(x, y),
        O::Saddo => !fits(&plus(&wide(x, true), &wide(y, true), false).0, true),
        O::Uaddo => !fits(&plus(&wide(x, false), &wide(y, false), false).0, false),
        O::Ssubo => !fits(&minus(&wide(x, true), &wide(y, true)).0, true),
        O::Usubo => below(x, y),
        O::Smulo => !fits(&times(&wide(x, true), &wide(y, true), 2 * width + 1), true),
        O::Umulo => !fits(&times(&wide(x, false), &wide(y, false), 2 * width + 1), false),
        // The least number by minus one.
        _ => sign(x) && !x[..width - 1].contains(&true) && !y.contains(&false),
    }
}

fn not(x: &Bits) -> Bits {
    x.iter().map(|bit| !bit).collect()
}

fn sign(x: &Bits) -> bool {
    x[x.len() - 1]
}

fn extended(x: &Bits, width: usize, signed: bool) -> Bits {
    let fill = signed && sign(x);
    (0..width).map(|at| x.get(at).copied().unwrap_or(fill)).collect()
}

/// The sum, and what is carried out of it.
fn plus(x: &Bits, y: &Bits, carry: bool) -> (Bits, bool) {
    let mut carry = carry;
    let mut sum = Bits::new();
    for (x, y) in x.iter().zip(y) {
        let ones = u8::from(*x) + u8::from(*y) + u8::from(carry);
        sum.push(ones & 1 == 1);
        carry = ones > 1;
    }
    (sum, carry)
}

/// The difference, and whether nothing was borrowed.
fn minus(x: &Bits, y: &Bits) -> (Bits, bool) {
    plus(x, &not(y), true)
}

fn below(x: &Bits, y: &Bits) -> bool {
    !minus(x, y).1
}

fn below_signed(x: &Bits, y: &Bits) -> bool {
    if sign(x) == sign(y) { below(x, y) } else { sign(x) }
}

fn times(x: &Bits, y: &Bits, width: usize) -> Bits {
    let mut total = vec![false; width];
    for at in (0..width).filter(|at| y[*at]) {
        let moved: Bits = (0..width).map(|bit| bit >= at && x[bit - at]).collect();
        total = plus(&total, &moved, false).0;
    }
    total
}

/// By zero: all ones, and the dividend.
fn divided(x: &Bits, y: &Bits) -> (Bits, Bits) {
    let width = x.len();
    if !y.contains(&true) {
        return (vec![true; width], x.clone());
    }
    let (mut quotient, mut rest) = (vec![false; width], vec![false; width + 1]);
    let divisor = extended(y, width + 1, false);
    for at in (0..width).rev() {
        rest.rotate_right(1);
        rest[0] = x[at];
        if !below(&rest, &divisor) {
            rest = minus(&rest, &divisor).0;
            quotient[at] = true;
        }
    }
    rest.truncate(width);
    (quotient, rest)
}

fn divided_signed(x: &Bits, y: &Bits) -> (Bits, Bits) {
    let none = vec![false; x.len()];
    let size = |of: &Bits| if sign(of) { minus(&none, of).0 } else { of.clone() };
    let (quotient, rest) = divided(&size(x), &size(y));
    let signed = |negative: bool, of: Bits| if negative { minus(&none, &of).0 } else { of };
    (signed(sign(x) != sign(y), quotient), signed(sign(x), rest))
}

/// A distance; the width where it is that or more.
fn distance(by: &Bits, width: usize) -> usize {
    let mut value = 0usize;
    for bit in by.iter().rev() {
        value = (value * 2 + usize::from(*bit)).min(2 * width);
    }
    value
}

fn shifted(x: &Bits, by: &Bits, operator: Operator) -> Bits {
    let width = x.len();
    let by = distance(by, width).min(width);
    let fill = operator == Operator::Sra && sign(x);
    let at = |bit: usize| match operator {
        Operator::Sll => bit >= by && x[bit - by],
        _ => x.get(bit + by).copied().unwrap_or(fill),
    };
    (0..width).map(at).collect()
}

fn turned(x: &Bits, by: &Bits, up: bool) -> Bits {
    let width = x.len();
    let by = by.iter().rev().fold(0, |value, bit| (value * 2 + usize::from(*bit)) % width);
    let from = |bit: usize| if up { bit + width - by } else { bit + by };
    (0..width).map(|bit| x[from(bit) % width]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(value: i64, width: u32) -> Bits {
        (0..width).map(|bit| value >> bit & 1 == 1).collect()
    }

    /// What BTOR2 says, in numbers: unsigned ones from 0, signed ones around it.
    fn expected(operator: Operator, x: i64, y: i64, width: u32) -> Option<i64> {
        use Operator as O;
        let size = 1i64 << width;
        let signed = |of: i64| if of >= size / 2 { of - size } else { of };
        let (sx, sy) = (signed(x), signed(y));
        let (least, most) = (-size / 2, size / 2 - 1);
        let leaves = |of: i64| i64::from(of < least || of > most);
        Some(match operator {
            O::Add => x + y,
            O::Sub => x - y,
            O::Mul => x * y,
            O::Udiv => {
                if y == 0 {
                    size - 1
                } else {
                    x / y
                }
            }
            O::Urem => {
                if y == 0 {
                    x
                } else {
                    x % y
                }
            }
            O::Sdiv => match (sy, sx < 0) {
                (0, true) => 1,
                (0, false) => -1,
                _ => sx / sy,
            },
            O::Srem => {
                if sy == 0 {
                    sx
                } else {
                    sx % sy
                }
            }
            O::Smod => {
                if sy == 0 {
                    sx
                } else {
                    (sx % sy + sy) % sy
                }
            }
            O::Sll => {
                if y >= i64::from(width) {
                    0
                } else {
                    x << y
                }
            }
            O::Srl => {
                if y >= i64::from(width) {
                    0
                } else {
                    x >> y
                }
            }
            O::Sra => sx >> y.min(62),
            O::Rol => (x << (y % i64::from(width))) | (x >> (i64::from(width) - y % i64::from(width))),
            O::Ror => (x >> (y % i64::from(width))) | (x << (i64::from(width) - y % i64::from(width))),
            O::Ult => i64::from(x < y),
            O::Slte => i64::from(sx <= sy),
            O::Sgt => i64::from(sx > sy),
            O::Saddo => leaves(sx + sy),
            O::Ssubo => leaves(sx - sy),
            O::Smulo => leaves(sx * sy),
            O::Uaddo => i64::from(x + y >= size),
            O::Usubo => i64::from(x < y),
            O::Umulo => i64::from(x * y >= size),
            O::Sdivo => i64::from(sx == least && sy == -1),
            O::Nand => !(x & y),
            O::Xnor => !(x ^ y),
            _ => return None,
        })
    }

    #[test]
    fn operators_are_those_of_numbers() {
        use Operator as O;
        let two = [
            O::Add,
            O::Sub,
            O::Mul,
            O::Udiv,
            O::Urem,
            O::Sdiv,
            O::Srem,
            O::Smod,
            O::Sll,
            O::Srl,
            O::Sra,
            O::Rol,
            O::Ror,
            O::Nand,
            O::Xnor,
        ];
        let bits = [O::Ult, O::Slte, O::Sgt, O::Saddo, O::Ssubo, O::Smulo, O::Uaddo, O::Usubo, O::Umulo, O::Sdivo];
        for width in 1..=4u32 {
            for (x, y) in (0..1i64 << width).flat_map(|x| (0..1i64 << width).map(move |y| (x, y))) {
                for (operator, own) in two.map(|of| (of, width)).into_iter().chain(bits.map(|of| (of, 1))) {
                    let found = computed(operator, &[word(x, width), word(y, width)], own as usize);
                    let wanted = expected(operator, x, y, width).expect("a number");
                    assert_eq!(found, word(wanted, own), "{operator:?} of {x} and {y} in {width} bits");
                }
            }
        }
    }
}
