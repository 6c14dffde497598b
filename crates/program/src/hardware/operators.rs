//! The operators of BTOR2: their names, how many operands they have, and of which sorts.

use super::model::{Operator, Sort};

/// Which sorts go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A word to one as wide.
    Same,
    /// A word to a bit.
    Reduced,
    /// A word to a wider one.
    Extended,
    /// Some bits of a word.
    Slice,
    /// Two bits to a bit.
    Truths,
    /// Two of the same sort to a bit.
    Compared,
    /// Two words of the same width to a bit.
    Question,
    /// Two words to one as wide.
    Two,
    /// Two words, the first above the second.
    Joined,
    /// A memory and an address.
    Read,
    /// A bit and two of the same sort.
    Choice,
    /// A memory, an address and a word.
    Write,
}

impl Shape {
    /// How many operands there are.
    pub fn operands(self) -> usize {
        match self {
            Shape::Same | Shape::Reduced | Shape::Extended | Shape::Slice => 1,
            Shape::Choice | Shape::Write => 3,
            _ => 2,
        }
    }

    /// Do these sorts go together?
    pub fn check(self, sort: Sort, operands: &[Sort]) -> Result<(), &'static str> {
        let first = operands[0];
        let words = |of: &[Sort]| of.iter().all(|sort| matches!(sort, Sort::Word(_)));
        let bit = Sort::Word(1);
        let fits = match self {
            Shape::Same => words(operands) && first == sort,
            Shape::Reduced => words(operands) && sort == bit,
            Shape::Extended | Shape::Slice => words(operands) && words(&[sort]),
            Shape::Truths => sort == bit && operands.iter().all(|operand| *operand == bit),
            Shape::Compared => sort == bit && first == operands[1],
            Shape::Question => sort == bit && words(operands) && first == operands[1],
            Shape::Two => words(operands) && first == operands[1] && first == sort,
            Shape::Joined => {
                words(operands) && u64::from(first.width()) + u64::from(operands[1].width()) == u64::from(sort.width())
            }
            Shape::Read => match first {
                Sort::Array { index, element } => operands[1] == Sort::Word(index) && sort == Sort::Word(element),
                Sort::Word(_) => return Err("only a memory can be read"),
            },
            Shape::Choice => first == bit && operands[1] == sort && operands[2] == sort,
            Shape::Write => match first {
                Sort::Array { index, element } => {
                    sort == first && operands[1] == Sort::Word(index) && operands[2] == Sort::Word(element)
                }
                Sort::Word(_) => return Err("only a memory can be written"),
            },
        };
        if fits { Ok(()) } else { Err("the sorts of its operands and its own do not go together") }
    }
}

/// The operator of this name.
pub fn operator(name: &str) -> Option<(Operator, Shape)> {
    use Operator as O;
    Some(match name {
        "not" => (O::Not, Shape::Same),
        "inc" => (O::Inc, Shape::Same),
        "dec" => (O::Dec, Shape::Same),
        "neg" => (O::Neg, Shape::Same),
        "redand" => (O::Redand, Shape::Reduced),
        "redor" => (O::Redor, Shape::Reduced),
        "redxor" => (O::Redxor, Shape::Reduced),
        "sext" => (O::Sext, Shape::Extended),
        "uext" => (O::Uext, Shape::Extended),
        "slice" => (O::Slice(0), Shape::Slice),
        "iff" => (O::Iff, Shape::Truths),
        "implies" => (O::Implies, Shape::Truths),
        "eq" => (O::Eq, Shape::Compared),
        "neq" => (O::Neq, Shape::Compared),
        "sgt" => (O::Sgt, Shape::Question),
        "ugt" => (O::Ugt, Shape::Question),
        "sgte" => (O::Sgte, Shape::Question),
        "ugte" => (O::Ugte, Shape::Question),
        "slt" => (O::Slt, Shape::Question),
        "ult" => (O::Ult, Shape::Question),
        "slte" => (O::Slte, Shape::Question),
        "ulte" => (O::Ulte, Shape::Question),
        "saddo" => (O::Saddo, Shape::Question),
        "uaddo" => (O::Uaddo, Shape::Question),
        "sdivo" => (O::Sdivo, Shape::Question),
        "smulo" => (O::Smulo, Shape::Question),
        "umulo" => (O::Umulo, Shape::Question),
        "ssubo" => (O::Ssubo, Shape::Question),
        "usubo" => (O::Usubo, Shape::Question),
        "concat" => (O::Concat, Shape::Joined),
        "read" => (O::Read, Shape::Read),
        "ite" => (O::Ite, Shape::Choice),
        "write" => (O::Write, Shape::Write),
        _ => (two(name)?, Shape::Two),
    })
}

/// Operators of two words as wide as what they give.
fn two(name: &str) -> Option<Operator> {
    use Operator as O;
    Some(match name {
        "and" => O::And,
        "nand" => O::Nand,
        "nor" => O::Nor,
        "or" => O::Or,
        "xnor" => O::Xnor,
        "xor" => O::Xor,
        "rol" => O::Rol,
        "ror" => O::Ror,
        "sll" => O::Sll,
        "sra" => O::Sra,
        "srl" => O::Srl,
        "add" => O::Add,
        "mul" => O::Mul,
        "sdiv" => O::Sdiv,
        "udiv" => O::Udiv,
        "smod" => O::Smod,
        "srem" => O::Srem,
        "urem" => O::Urem,
        "sub" => O::Sub,
        _ => return None,
    })
}
