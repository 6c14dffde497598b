//! Where a statement stands in a program, and conditions in the parts that C evaluates one by one.
//!
//! Both machines and whoever compares them speak of statements by these names. How the parts of a condition make up its
//! truth is here too; what each part is, the caller says.

use crate::program::{BinaryOp, BlockId, ExprId, ExprKind, FunctionId, Program, UnaryOp};

/// A statement of the program: the function, its block, its place in the block, and which of its parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// In which function.
    pub function: FunctionId,
    /// In which block.
    pub block: BlockId,
    /// The statement; one more than the last is the end of the block.
    pub index: u32,
    /// Calls have parts: one per argument, then the call, then the assignment of the result.
    pub part: Part,
}

/// Part of a statement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// No statement: the initialiser of the global whose number stands for a statement's.
    Initialiser,
    /// An argument is passed.
    Argument(u32),
    /// The statement itself; of a call, that the function is entered.
    Whole,
    /// The result of a call is stored.
    Result,
}

/// A condition, split at `&&`, `||` and `!`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test<T> {
    /// Something else.
    Atom(T),
    /// `!`.
    Not(Box<Test<T>>),
    /// `&&`.
    And(Box<Test<T>>, Box<Test<T>>),
    /// `||`.
    Or(Box<Test<T>>, Box<Test<T>>),
}

impl Test<ExprId> {
    /// A condition of a program in parts.
    pub fn of(program: &Program, id: ExprId) -> Test<ExprId> {
        let expr = program.expr(id);
        match expr.kind {
            ExprKind::Unary(UnaryOp::Not, a) if expr.bits == 1 => Test::Not(Box::new(Test::of(program, a))),
            ExprKind::Binary(BinaryOp::And, a, b) if expr.bits == 1 => {
                Test::And(Box::new(Test::of(program, a)), Box::new(Test::of(program, b)))
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if expr.bits == 1 => {
                Test::Or(Box::new(Test::of(program, a)), Box::new(Test::of(program, b)))
            }
            _ => Test::Atom(id),
        }
    }
}

impl<T: Copy> Test<T> {
    /// The same with other atoms.
    pub fn map<U>(&self, f: &mut dyn FnMut(T) -> U) -> Test<U> {
        match self {
            Test::Atom(atom) => Test::Atom(f(*atom)),
            Test::Not(a) => Test::Not(Box::new(a.map(f))),
            Test::And(a, b) => Test::And(Box::new(a.map(f)), Box::new(b.map(f))),
            Test::Or(a, b) => Test::Or(Box::new(a.map(f)), Box::new(b.map(f))),
        }
    }

    /// Evaluates as C does, from left to right and no further than needed; the atoms that were looked at, by their place
    /// in the condition, with what they were.
    pub fn evaluate(&self, holds: &mut dyn FnMut(T) -> bool) -> (bool, Vec<(u32, T, bool)>) {
        let mut seen = Vec::new();
        let (truth, _) = self.walk(0, holds, &mut seen);
        (truth, seen)
    }

    fn walk(&self, first: u32, holds: &mut dyn FnMut(T) -> bool, seen: &mut Vec<(u32, T, bool)>) -> (bool, u32) {
        match self {
            Test::Atom(atom) => {
                let truth = holds(*atom);
                seen.push((first, *atom, truth));
                (truth, first + 1)
            }
            Test::Not(a) => {
                let (truth, next) = a.walk(first, holds, seen);
                (!truth, next)
            }
            Test::And(a, b) | Test::Or(a, b) => {
                let (left, middle) = a.walk(first, holds, seen);
                if left == matches!(self, Test::And(..)) {
                    b.walk(middle, holds, seen)
                } else {
                    (left, middle + b.atoms())
                }
            }
        }
    }

    fn atoms(&self) -> u32 {
        match self {
            Test::Atom(_) => 1,
            Test::Not(a) => a.atoms(),
            Test::And(a, b) | Test::Or(a, b) => a.atoms() + b.atoms(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_evaluated_no_further_than_needed() {
        let atom = |name: char| Box::new(Test::Atom(name));
        // !(a && b) || c
        let test = Test::Or(Box::new(Test::Not(Box::new(Test::And(atom('a'), atom('b'))))), atom('c'));
        let on = |facts: &'static str| test.evaluate(&mut |name| facts.contains(name));
        assert_eq!(on(""), (true, vec![(0, 'a', false)]));
        assert_eq!(on("ab"), (false, vec![(0, 'a', true), (1, 'b', true), (2, 'c', false)]));
        assert_eq!(on("abc"), (true, vec![(0, 'a', true), (1, 'b', true), (2, 'c', true)]));
    }
}
