//! From a formula as the user wrote it to a claim of the program: actions and conditions become one-bit signals.
//!
//! `lock` is true where the function is called that `--action Lock=lock` says, `lock.return` where it returns, and
//! `lock.return == -1` where it returns that. Whatever else stands below the formula's own connectives is a condition in C over globals and
//! the outermost variables of the entry function; what the formula language cannot read stands in backquotes.

use std::sync::Arc;

use crate::c::predicate::TypedCondition;
use crate::program::temporal::{self, Comparison, Meaning, Signal, Temporal, Trigger};
use crate::program::watched::Watched;
use crate::program::{Claim, ClaimId, ClaimKind, FunctionId, Program, Type};
use crate::spelling::is_one_edit;
use nearmiss_trace::ltl::syntax::{Binary, Literal, Shape, Tree, Unary};
use nearmiss_trace::ltl::unit_steps;
use nearmiss_trace::ltl::{self, Asks, Formula, FormulaError};
use nearmiss_trace::wave::{Kind, SignalInfo};

/// A function whose calls a formula speaks about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name in C.
    pub function: String,
    /// Its name in the formula.
    pub atom: String,
}

/// A formula whose actions are known and whose conditions are still text.
#[derive(Clone, Debug)]
pub struct Draft {
    formula: Formula,
    /// The same with names of signals.
    named: Formula,
    signals: Vec<(String, Option<Meaning>)>,
}

impl Draft {
    /// The conditions in C, over globals and variables of the entry function.
    pub fn conditions(&self) -> Vec<TypedCondition> {
        let conditions = self.signals.iter().filter(|(_, meaning)| meaning.is_none());
        conditions
            .map(|(text, _)| TypedCondition {
                function: None,
                condition: text.clone(),
                origin: format!("--formula '{text}'"),
            })
            .collect()
    }
}

/// Tells actions from conditions.
///
/// # Errors
///
/// The place in the formula's text, and what is wrong there.
pub fn read(program: &Program, formula: &Formula, actions: &[Action]) -> Result<Draft, FormulaError> {
    if formula.asks == Asks::Cover {
        let message =
            "`cover` asks whether something comes about on a trace, and claims nothing of a program".to_owned();
        let help = Some("to see a run in which p comes about, claim that it never does: G !p".to_owned());
        return Err(FormulaError { range: formula.tree.range.clone(), message, help });
    }
    if formula.tree.keeps_values() {
        let message = "local variables get their values from a trace, and cannot be used on programs".to_owned();
        return Err(FormulaError { range: formula.tree.range.clone(), message, help: None });
    }
    let mut reader = Reader { program, formula, actions, signals: Vec::new() };
    let mut named = formula.clone();
    reader.replace(&mut named.tree)?;
    Ok(Draft { formula: formula.clone(), named, signals: reader.signals })
}

/// Makes the formula a claim of the program, the last one. The conditions are those of the draft.
///
/// # Errors
///
/// The place in the formula's text, and what is wrong there.
pub fn claim(program: &mut Program, draft: Draft, conditions: Vec<Watched>) -> Result<(), FormulaError> {
    let trigger = temporal::trigger(&draft.named);
    let mut conditions = conditions.into_iter();
    let mut signals = Vec::with_capacity(draft.signals.len());
    for (text, meaning) in draft.signals {
        let meaning = meaning.or_else(|| conditions.next().map(Meaning::Condition));
        signals.extend(meaning.map(|meaning| Signal { text, meaning }));
    }
    let one_bit = |index: usize| SignalInfo {
        name: internal_name(index),
        kind: Kind::Bits { width: 1, low: 0, descending: true, signed: false },
        enumerators: Vec::new(),
        wire: None,
        radix: Default::default(),
    };
    let infos: Vec<SignalInfo> = (0..signals.len()).map(one_bit).collect();
    let bound = ltl::bind(&draft.named, &infos, None)?;
    if !unit_steps::are_few(&bound.core) {
        let message = "the formula looks too many steps ahead or back".to_owned();
        let help = Some("use F or G without bounds, or smaller ones".to_owned());
        return Err(FormulaError { range: draft.formula.tree.range.clone(), message, help });
    }
    let claim = ClaimId(program.claims.len() as u32);
    let entry = program.function(program.entry);
    program.claims.push(Claim {
        id: format!("{}.{}.1", entry.name, ClaimKind::Temporal.name()),
        kind: ClaimKind::Temporal,
        text: draft.formula.text.clone(),
        span: entry.span,
        function: entry.name.clone(),
    });
    let trigger = trigger.and_then(|(range, formula)| {
        let text = draft.formula.text.get(range)?.to_owned();
        let bound = ltl::bind(&formula, &infos, None).ok()?;
        unit_steps::are_few(&bound.core).then_some(Trigger { text, bound })
    });
    let (only_closes, cycles) = (false, None);
    let formula = draft.formula;
    program.temporal = Some(Arc::new(Temporal { claim, formula, bound, signals, only_closes, cycles, trigger }));
    Ok(())
}

/// Makes runs of a program close where they come back to a state that they were in. Nothing more is claimed.
///
/// # Errors
///
/// None that is known: the formula that every run satisfies is always understood.
pub fn let_runs_close(program: &mut Program) -> Result<(), FormulaError> {
    let formula = ltl::parse("true")?;
    let bound = ltl::bind(&formula, &[], None)?;
    // No step claims it, so it is no claim of the program's.
    let claim = ClaimId(u32::MAX);
    let (signals, only_closes, cycles, trigger) = (Vec::new(), true, None, None);
    program.temporal = Some(Arc::new(Temporal { claim, formula, bound, signals, only_closes, cycles, trigger }));
    Ok(())
}

/// What a signal is called when its name is looked up; users see its text.
fn internal_name(index: usize) -> String {
    format!("signal {index}")
}

struct Reader<'a> {
    program: &'a Program,
    formula: &'a Formula,
    actions: &'a [Action],
    signals: Vec<(String, Option<Meaning>)>,
}

impl Reader<'_> {
    /// Puts names of signals in place of what they stand for.
    fn replace(&mut self, tree: &mut Tree) -> Result<(), FormulaError> {
        if is_connective(&tree.shape) {
            return tree.shape.children_mut().into_iter().try_for_each(|child| self.replace(child));
        }
        let signal = match self.action(tree) {
            Some((text, Meaning::Return(them, Some(_)))) if self.is_void(&them) => {
                let message = format!("`{text}`: the function returns no value");
                let help = Some("without the comparison it is true where the function returns".to_owned());
                return Err(FormulaError { range: tree.range.clone(), message, help });
            }
            Some((text, meaning)) => (text, Some(meaning)),
            None => (self.condition(tree)?, None),
        };
        let known = self.signals.iter().position(|other| *other == signal);
        let index = known.unwrap_or_else(|| {
            self.signals.push(signal);
            self.signals.len() - 1
        });
        tree.shape = Shape::Name(internal_name(index));
        Ok(())
    }

    fn is_void(&self, functions: &[FunctionId]) -> bool {
        let is_void = |id: &FunctionId| matches!(self.program.ty(self.program.function(*id).returns), Type::Void);
        !functions.is_empty() && functions.iter().all(is_void)
    }

    /// The action that a part of the formula stands for as a whole.
    fn action(&self, tree: &Tree) -> Option<(String, Meaning)> {
        match &tree.shape {
            Shape::Name(name) => self.name(name).map(|meaning| (name.clone(), meaning)),
            Shape::Binary(operator, left, right) => {
                let how = comparison(*operator)?;
                let (Shape::Name(name), number) = (&left.shape, number(right)?) else { return None };
                let Meaning::Return(them, None) = self.name(name)? else { return None };
                Some((self.text(tree), Meaning::Return(them, Some((how, number)))))
            }
            _ => None,
        }
    }

    /// Whatever is no action is a condition in C, in the user's own words.
    fn condition(&self, tree: &Tree) -> Result<String, FormulaError> {
        let mut open = vec![tree];
        while let Some(part) = open.pop() {
            if let Some((action, _)) = self.action(part) {
                let message = format!("`{action}` is an action: it is true or false, and nothing else");
                let function = action.split('.').next().unwrap_or_default();
                let is_void = matches!(self.name(function), Some(Meaning::Call(them)) if self.is_void(&them));
                let help = Some(match is_void {
                    true => format!("`{function}` alone is true where the function is called"),
                    false => format!("a value that it returns is `{function}.return == 0`"),
                });
                return Err(FormulaError { range: part.range.clone(), message, help });
            }
            if let Shape::Name(name) = &part.shape
                && !self.variables().any(|variable| variable == name.split('.').next().unwrap_or_default())
            {
                if is_identifier(name) {
                    return Err(self.unknown(part, name));
                }
                if let Some((action, _)) = name.split_once('.')
                    && is_identifier(action)
                    && self.name(action).is_some()
                {
                    let message = format!("`{name}`: an action has no such part");
                    let help = Some(format!("`{action}.return` is true where it returns"));
                    return Err(FormulaError { range: part.range.clone(), message, help });
                }
            }
            open.extend(part.shape.children());
        }
        Ok(match &tree.shape {
            // In backquotes, anything that C can say.
            Shape::Name(name) => name.clone(),
            _ => self.text(tree),
        })
    }

    fn text(&self, tree: &Tree) -> String {
        self.formula.text.get(tree.range.clone()).map_or_else(|| tree.to_string(), str::to_owned)
    }

    /// Names that a condition may have.
    fn variables(&self) -> impl Iterator<Item = &str> {
        let program = self.program;
        let locals = program.function(program.entry).locals.iter().filter(|local| !local.temporary);
        let enumerators = program.types.iter().flat_map(|ty| match ty {
            Type::Enum { members, .. } => members.as_slice(),
            _ => &[],
        });
        let globals = program.globals.iter().map(|global| global.name.as_str());
        globals.chain(locals.map(|local| local.name.as_str())).chain(enumerators.map(|(name, _)| name.as_str()))
    }

    fn name(&self, name: &str) -> Option<Meaning> {
        // One that nobody calls is an action all the same.
        let functions = |atom: &str| -> Option<Vec<FunctionId>> {
            let named: Vec<&Action> = self.actions.iter().filter(|action| action.atom == atom).collect();
            let them = named.iter().flat_map(|action| functions(self.program, &action.function));
            (!named.is_empty()).then(|| them.collect())
        };
        functions(name).map(Meaning::Call).or_else(|| {
            let returning = name.strip_suffix(".return")?;
            functions(returning).map(|them| Meaning::Return(them, None))
        })
    }

    fn unknown(&self, tree: &Tree, name: &str) -> FormulaError {
        let actions = self.actions.iter().map(|action| action.atom.as_str());
        let near = actions
            .clone()
            .chain(self.variables())
            .find(|known| known.eq_ignore_ascii_case(name) || is_one_edit(known, name));
        let called: Vec<String> = actions.map(|action| format!("`{action}`")).collect();
        let text = &self.formula.text;
        let is_pointed = text.get(..tree.range.start).is_some_and(|before| before.ends_with("->"))
            || text.get(tree.range.end..).is_some_and(|after| after.starts_with("->") && !after.starts_with("-> "));
        let help = match near {
            _ if is_pointed => {
                "`->` is an implication; a member behind a pointer goes in backquotes: `p->v == 0`".to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None if functions(self.program, name).next().is_some() => {
                format!("to speak of its calls, add --action {name}")
            }
            None if called.is_empty() => {
                "name the functions that the formula speaks about: --action Lock=lock,Unlock=unlock".to_owned()
            }
            None => format!("the actions are {}", called.join(", ")),
        };
        let entry = &self.program.function(self.program.entry).name;
        let message = format!("`{name}` is no action, and no variable of the program or of {entry}");
        FormulaError { range: tree.range.clone(), message, help: Some(help) }
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
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
