//! From a formula as the user wrote it to a claim of the program: names of actions become one-bit signals.
//!
//! `lock` is true where the function is called that `--action Lock=lock` says, `lock.return` where it returns, and
//! `lock.return == -1` where it returns that.

use std::sync::Arc;

use super::{Comparison, Meaning, Signal, Temporal};
use crate::ltl::syntax::{Binary, Literal, Shape, Tree, Unary};
use crate::ltl::{self, Formula, FormulaError};
use crate::program::{Claim, ClaimId, ClaimKind, FunctionId, Program};
use crate::wave::{Kind, SignalInfo};

/// A function whose calls a formula speaks about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name in C.
    pub function: String,
    /// Its name in the formula.
    pub atom: String,
}

/// Makes the formula a claim of the program, the last one.
///
/// # Errors
///
/// The place in the formula's text, and what is wrong there.
pub fn claim(program: &mut Program, formula: &Formula, actions: &[Action]) -> Result<(), FormulaError> {
    let mut reader = Reader { program, actions, signals: Vec::new() };
    let mut named = formula.clone();
    reader.replace(&mut named.tree)?;
    let signals = reader.signals;
    let one_bit = |index: usize| SignalInfo {
        name: internal_name(index),
        kind: Kind::Bits { width: 1, low: 0, descending: true, signed: false },
        enumerators: Vec::new(),
        wire: None,
    };
    let infos: Vec<SignalInfo> = (0..signals.len()).map(one_bit).collect();
    let bound = ltl::bind(&named, &infos, None)?;
    let claim = ClaimId(program.claims.len() as u32);
    let entry = program.function(program.entry);
    program.claims.push(Claim {
        id: format!("{}.{}.1", entry.name, ClaimKind::Temporal.name()),
        kind: ClaimKind::Temporal,
        text: formula.text.clone(),
        span: entry.span,
        function: entry.name.clone(),
    });
    program.temporal = Some(Arc::new(Temporal { claim, formula: formula.clone(), bound, signals }));
    Ok(())
}

/// What a signal is called when its name is looked up; users see its text.
fn internal_name(index: usize) -> String {
    format!("signal {index}")
}

struct Reader<'a> {
    program: &'a Program,
    actions: &'a [Action],
    signals: Vec<Signal>,
}

impl Reader<'_> {
    /// Puts names of signals in place of what they stand for.
    fn replace(&mut self, tree: &mut Tree) -> Result<(), FormulaError> {
        if let Some((text, meaning)) = self.meaning(tree)? {
            let signal = Signal { text, meaning };
            let known = self.signals.iter().position(|other| *other == signal);
            let index = known.unwrap_or_else(|| {
                self.signals.push(signal);
                self.signals.len() - 1
            });
            tree.shape = Shape::Name(internal_name(index));
            return Ok(());
        }
        if !is_connective(&tree.shape) {
            return Err(self.unknown(tree, &tree.to_string()));
        }
        tree.shape.children_mut().into_iter().try_for_each(|child| self.replace(child))
    }

    /// What a part of the formula stands for as a whole.
    fn meaning(&self, tree: &Tree) -> Result<Option<(String, Meaning)>, FormulaError> {
        match &tree.shape {
            Shape::Name(name) => match self.name(name) {
                Some(meaning) => Ok(Some((name.clone(), meaning))),
                None => Err(self.unknown(tree, name)),
            },
            Shape::Binary(operator, left, right) => {
                let Some(how) = comparison(*operator) else { return Ok(None) };
                let (Shape::Name(name), Some(number)) = (&left.shape, number(right)) else { return Ok(None) };
                let Some(Meaning::Return(them, None)) = self.name(name) else { return Ok(None) };
                Ok(Some((tree.to_string(), Meaning::Return(them, Some((how, number))))))
            }
            _ => Ok(None),
        }
    }

    fn name(&self, name: &str) -> Option<Meaning> {
        let functions = |atom: &str| {
            let them: Vec<FunctionId> = (self.actions.iter())
                .filter(|action| action.atom == atom)
                .flat_map(|action| functions(self.program, &action.function))
                .collect();
            (!them.is_empty()).then_some(them)
        };
        functions(name).map(Meaning::Call).or_else(|| {
            let returning = name.strip_suffix(".return")?;
            functions(returning).map(|them| Meaning::Return(them, None))
        })
    }

    fn unknown(&self, tree: &Tree, name: &str) -> FormulaError {
        let known: Vec<String> = self.actions.iter().map(|action| format!("`{}`", action.atom)).collect();
        let help = match known.is_empty() {
            true => "name the functions that the formula speaks about: --action Lock=lock,Unlock=unlock".to_owned(),
            false => format!("the actions are {}; --action FUNCTION={name} names another", known.join(", ")),
        };
        let message = format!("`{name}` is no action");
        FormulaError { range: tree.range.clone(), message, help: Some(help) }
    }
}

/// The functions of the program with this name in the text: models of the library are one per call.
pub fn functions<'a>(program: &'a Program, name: &'a str) -> impl Iterator<Item = FunctionId> + 'a {
    let of_name = move |(index, function): (usize, &crate::program::Function)| {
        let same = function.name.split('@').next() == Some(name);
        (same && index != program.start.index()).then_some(FunctionId(index as u32))
    };
    program.functions.iter().enumerate().filter_map(of_name)
}

fn comparison(operator: Binary) -> Option<Comparison> {
    Some(match operator {
        Binary::Equal | Binary::Same => Comparison::Equal,
        Binary::Unequal | Binary::Differs => Comparison::Unequal,
        Binary::Less => Comparison::Less,
        Binary::AtMost => Comparison::AtMost,
        Binary::Greater => Comparison::Greater,
        Binary::AtLeast => Comparison::AtLeast,
        _ => return None,
    })
}

fn number(tree: &Tree) -> Option<i128> {
    match &tree.shape {
        Shape::Literal(Literal::Integer(number)) => Some(*number),
        Shape::Unary(Unary::Minus, body) => number(body).and_then(i128::checked_neg),
        Shape::Braces(body) => number(body),
        _ => None,
    }
}

/// Does it join parts that are true or false by themselves?
fn is_connective(shape: &Shape) -> bool {
    !matches!(
        shape,
        Shape::Name(_)
            | Shape::Literal(_)
            | Shape::Binary(..)
            | Shape::Unary(Unary::Minus | Unary::ReduceAnd | Unary::ReduceOr | Unary::ReduceXor, _)
            | Shape::Select(..)
            | Shape::Slice(..)
            | Shape::Join(_)
            | Shape::Replicate(..)
            | Shape::Member(..)
            | Shape::Call(..)
    )
}
