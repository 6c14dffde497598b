//! Which radix a formula writes the values of a signal in: `count == 8'hff` shows `count` in hexadecimal.
//!
//! It is read off the literals that a signal is compared with, as they stand in the text; the first one counts.

use super::Formula;
use super::names::{Names, Resolved};
use super::syntax::{Binary, Function, Literal, Shape, Tree};
use crate::wave::{Radix, SignalInfo};

/// Gives the signals that a formula compares with literals the radix of these.
pub fn radix(formula: &Formula, signals: &[SignalInfo]) -> Vec<(usize, Radix)> {
    let names = Names::new(signals);
    let mut found: Vec<(usize, Radix)> = Vec::new();
    let mut open = vec![&formula.tree];
    while let Some(tree) = open.pop() {
        let pairs: Vec<(&Tree, &Tree)> = match &tree.shape {
            Shape::Binary(op, left, right) if is_comparison(*op) => vec![(left, right), (right, left)],
            Shape::Member(value, items) => items.iter().map(|(low, _)| (&**value, low)).collect(),
            _ => Vec::new(),
        };
        for (value, literal) in pairs {
            let (Some(name), Some(radix)) = (name_of(value), radix_of(formula, literal)) else { continue };
            if let Resolved::One(signal) = names.find(name)
                && found.iter().all(|(known, _)| *known != signal)
            {
                found.push((signal, radix));
            }
        }
        open.extend(tree.shape.children().into_iter().rev());
    }
    found
}

fn is_comparison(op: Binary) -> bool {
    use Binary::{AtLeast, AtMost, Differs, Equal, Greater, Less, Same, Unequal};
    matches!(op, AtLeast | AtMost | Differs | Equal | Greater | Less | Same | Unequal)
}

/// The signal that a value is, or is a part of.
fn name_of(tree: &Tree) -> Option<&str> {
    match &tree.shape {
        Shape::Name(name) => Some(name),
        Shape::Slice(base, ..) => name_of(base),
        Shape::Call(Function::Past, arguments) => name_of(&arguments[0]),
        _ => None,
    }
}

fn radix_of(formula: &Formula, tree: &Tree) -> Option<Radix> {
    let Shape::Literal(Literal::Bits { .. } | Literal::Integer(_)) = &tree.shape else { return None };
    let text = formula.text.get(tree.range.clone())?.to_ascii_lowercase();
    let base = match text.split_once('\'') {
        Some((_, rest)) => rest.trim_start_matches('s').chars().next(),
        None => text.strip_prefix('0').and_then(|rest| rest.chars().next()).or(text.chars().next()),
    };
    match base? {
        'h' | 'x' => Some(Radix::Hexadecimal),
        'o' => Some(Radix::Octal),
        'b' => Some(Radix::Binary),
        _ => None,
    }
}
