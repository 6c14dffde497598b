//! What a claim of a model says, in the operators of Verilog.

use super::model::{Asked, Kind, Model, NodeId, Operator};

/// Longer conditions are told by their name.
const LONGEST: usize = 100;

/// What must hold: that the bit is 0. In the words of the text that the model was made from, if they are known.
pub(super) fn claim(model: &Model, bad: &Asked, says: Option<&str>) -> String {
    // Inner modules have other names for their signals.
    let is_inner = bad.name.as_ref().is_some_and(|name| name.contains('.'));
    if let Some(says) = says.filter(|says| says.len() <= LONGEST && !is_inner) {
        return match &bad.name {
            Some(name) => format!("{name}: {says}"),
            None => says.to_owned(),
        };
    }
    let named = |name: &str| format!("{name} holds");
    let fallback = || match &bad.name {
        Some(name) => named(name),
        None => format!("the condition of line {} is 0", model.node(bad.node).number),
    };
    let told = Teller { model, left: 40 }.told(bad.node, true);
    match told {
        Some(text) if text.len() <= LONGEST => {
            let text = bare(&text);
            match &bad.name {
                Some(name) => format!("{name}: {text}"),
                None => text.to_owned(),
            }
        }
        _ => fallback(),
    }
}

/// Without parentheses around all of it.
fn bare(text: &str) -> &str {
    let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut open = 0i32;
    let closes_early = inside.chars().any(|letter| {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        open < 0
    });
    if closes_early { text } else { inside }
}

struct Teller<'m> {
    model: &'m Model,
    left: u32,
}

impl Teller<'_> {
    /// A node as an expression, negated if so wanted; none where it is too long.
    fn told(&mut self, id: NodeId, negated: bool) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        let node = self.model.node(id);
        let not = |text: String| if negated { format!("!{text}") } else { text };
        if let Some(name) = &node.name {
            return Some(not(name.clone()));
        }
        match &node.kind {
            Kind::Input | Kind::State { .. } => Some(not(format!("node{}", node.number))),
            Kind::Constant(bits) => {
                let value = bits
                    .iter()
                    .rev()
                    .try_fold(0u64, |value, bit| value.checked_mul(2)?.checked_add(u64::from(*bit)))?;
                let value = if negated { u64::from(value == 0) } else { value };
                Some(value.to_string())
            }
            Kind::Operation(operator, operands) => self.operation(*operator, operands, node.sort.width(), negated),
        }
    }

    /// The bit that a node always is.
    fn constant(&self, id: NodeId) -> Option<bool> {
        match &self.model.node(id).kind {
            Kind::Constant(bits) if bits.len() == 1 => Some(bits[0]),
            Kind::Operation(Operator::Not, operands) => self.constant(operands[0]).map(|bit| !bit),
            _ => None,
        }
    }

    fn operation(&mut self, operator: Operator, operands: &[NodeId], width: u32, negated: bool) -> Option<String> {
        use Operator as O;
        let bit = width == 1;
        if let (O::And | O::Or, true, [one, other]) = (operator, bit, operands) {
            let neutral = Some(operator == O::And);
            for (constant, rest) in [(one, other), (other, one)] {
                if self.constant(*constant) == neutral {
                    return self.told(*rest, negated);
                }
            }
        }
        match operator {
            O::Not if bit => return self.told(operands[0], !negated),
            O::And | O::Or if bit && negated => {
                let word = if operator == O::And { "||" } else { "&&" };
                return self.joined(word, operands, true, true);
            }
            _ => {}
        }
        let opposite = [(O::Eq, "!="), (O::Neq, "=="), (O::Ult, ">="), (O::Ulte, ">"), (O::Ugt, "<="), (O::Ugte, "<")];
        if let Some((_, word)) = opposite.iter().find(|(other, _)| *other == operator && negated) {
            return self.joined(word, operands, false, false);
        }
        let plain = self.plain(operator, operands, bit)?;
        Some(if negated { format!("!{plain}") } else { plain })
    }

    fn plain(&mut self, operator: Operator, operands: &[NodeId], bit: bool) -> Option<String> {
        use Operator as O;
        let word = match operator {
            O::Uext | O::Sext => return self.told(operands[0], false),
            O::Not => return Some(format!("~{}", self.told(operands[0], false)?)),
            O::Redor => return Some(format!("|{}", self.told(operands[0], false)?)),
            O::Redand => return Some(format!("&{}", self.told(operands[0], false)?)),
            O::Redxor => return Some(format!("^{}", self.told(operands[0], false)?)),
            O::Slice(from) => {
                let of = self.told(operands[0], false)?;
                return Some(format!("{of}[{from}]")).filter(|_| bit && !of.contains(' '));
            }
            O::Ite => {
                let [condition, yes, no] = operands else { return None };
                let (condition, yes) = (self.told(*condition, false)?, self.told(*yes, false)?);
                return Some(format!("({condition} ? {yes} : {})", self.told(*no, false)?));
            }
            O::Read => return Some(format!("{}[{}]", self.told(operands[0], false)?, self.told(operands[1], false)?)),
            O::And => {
                if bit {
                    "&&"
                } else {
                    "&"
                }
            }
            O::Or => {
                if bit {
                    "||"
                } else {
                    "|"
                }
            }
            O::Implies => "->",
            O::Xor => "^",
            O::Eq | O::Iff => "==",
            O::Neq => "!=",
            O::Ult => "<",
            O::Ulte => "<=",
            O::Ugt => ">",
            O::Ugte => ">=",
            O::Add => "+",
            O::Sub => "-",
            O::Mul => "*",
            _ => return None,
        };
        self.joined(word, operands, false, false)
    }

    fn joined(&mut self, word: &str, operands: &[NodeId], first: bool, second: bool) -> Option<String> {
        let (left, right) = (self.told(operands[0], first)?, self.told(operands[1], second)?);
        Some(format!("({left} {word} {right})"))
    }
}
