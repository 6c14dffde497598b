//! Where another value would have saved this very run.
//!
//! The inputs stay as they are in the failing run; the values that one line computes are free; does some choice of
//! them make the run pass? (Jose and Majumdar, "Cause clue clauses: error localization using maximum satisfiability",
//! PLDI 2011, ask the same of sets of lines.) It complements the nearest run, which leaves the program alone and
//! changes the inputs.

use std::collections::HashSet;

use nearmiss_logic::bitblast::Blaster;
use nearmiss_logic::sat::{Lit, Outcome};
use nearmiss_logic::term::{Term, Terms};

use super::encode;
use crate::equation::{Equation, StepKind};
use crate::execution::Execution;
use nearmiss_logic::stop::Stop;

/// Conflicts for one line, after which it does not count.
const MOST_CONFLICTS: u64 = 5_000;

/// A failing run in which groups of steps may compute something else, each behind a literal.
pub struct Freed {
    /// What must hold for the run to pass.
    pub blaster: Blaster,
    /// One for each group: where it is true, the values of the group are free.
    pub free: Vec<Lit>,
}

/// The failing run with the groups freed, where these terms hold.
pub fn freed(equation: &mut Equation, failing: &Execution, groups: &[Vec<usize>], held: &[Term], stop: &Stop) -> Freed {
    let mut blaster = encode::for_easy_questions(stop);
    blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
    let mut group_of = vec![None; equation.steps.len()];
    for (group, steps) in groups.iter().enumerate() {
        steps.iter().for_each(|step| group_of[*step] = Some(group));
    }
    let free: Vec<Term> = groups.iter().map(|_| equation.terms.fresh("free", 1)).collect();
    let definers = equation.definers();
    for (index, step) in definers.into_iter().enumerate() {
        let (symbol, definition) = (equation.variables[index].symbol, equation.variables[index].definition);
        let group = step.and_then(|step| group_of[step]);
        let value = match (definition, group, step) {
            (None, _, Some(step)) if failing.executed[step] => {
                equation.terms.constant(equation.terms.width(symbol), failing.values[index])
            }
            // An input that the failing run does not come across.
            (None, ..) => continue,
            (Some(definition), Some(group), Some(step)) => {
                let any = equation.terms.fresh("any", equation.terms.width(symbol));
                let any = match equation.steps[step].kind {
                    // A path is taken only where it is reached.
                    StepKind::Guard { .. } => equation.terms.and(equation.steps[step].guard, any),
                    _ => any,
                };
                equation.terms.ite(free[group], any, definition)
            }
            (Some(definition), ..) => definition,
        };
        blaster.define(&equation.terms, symbol, value);
    }
    for term in held {
        blaster.assert(&equation.terms, *term);
    }
    let free: Vec<Lit> = free.iter().map(|free| blaster.literal(&equation.terms, *free)).collect();
    Freed { blaster, free }
}

/// For each group of steps: whether other values there make the failing run pass, if that is found out. `demands` must hold then, too.
///
/// But for what depends on the group, everything is a constant, so each group has a short question of its own.
pub fn repairs(
    equation: &mut Equation,
    failing: &Execution,
    groups: &[Vec<usize>],
    demands: &[Term],
    stop: &Stop,
) -> Vec<Option<bool>> {
    let before = equation.terms.len();
    let mut held: Vec<Term> = equation.held_from(failing.failed).into_iter().map(|(_, held)| held).collect();
    held.extend(demands);
    let mut run = FailingRun::of(equation, failing, &held);
    let mut saved = Vec::with_capacity(groups.len());
    for group in groups {
        saved.push(if stop.requested() { None } else { run.passes_with(equation, group, &held, stop) });
    }
    equation.terms.forget_from(before);
    saved
}

/// What a symbol is.
#[derive(Clone, Copy)]
struct Definition {
    /// In any run, or as it is given in this one.
    value: Term,
    /// The step that sets it; what is given is never open.
    step: Option<usize>,
    /// Where that is a path: when it is reached.
    reached: Option<Term>,
}

/// What each term of an equation is in the failing run.
struct FailingRun {
    /// By term, of symbols.
    definitions: Vec<Option<Definition>>,
    /// The terms in question, each behind those that it depends on.
    order: Vec<Term>,
    /// By term: what it is, and what it is where a group of steps is free.
    fixed: Vec<Term>,
    free: Vec<Term>,
}

impl FailingRun {
    fn of(equation: &mut Equation, failing: &Execution, held: &[Term]) -> FailingRun {
        let definers = equation.definers();
        let mut definitions = vec![None; equation.terms.len()];
        for (index, (variable, step)) in equation.variables.iter().zip(definers).enumerate() {
            definitions[variable.symbol.index()] = match (variable.definition, step) {
                (Some(value), step) => {
                    // A path is taken only where it is reached.
                    let path = step.filter(|step| matches!(equation.steps[*step].kind, StepKind::Guard { .. }));
                    Some(Definition { value, step, reached: path.map(|step| equation.steps[step].guard) })
                }
                (None, Some(step)) if failing.executed[step] => {
                    let width = equation.terms.width(variable.symbol);
                    let value = equation.terms.constant(width, failing.values[index]);
                    Some(Definition { value, step: None, reached: None })
                }
                // An input that the failing run does not come across.
                (None, _) => None,
            };
        }
        definitions.resize(equation.terms.len(), None);
        let order = order(&equation.terms, &definitions, held);
        let fixed: Vec<Term> = equation.terms.all().collect();
        let mut run = FailingRun { definitions, order, free: fixed.clone(), fixed };
        for at in 0..run.order.len() {
            let term = run.order[at];
            run.fixed[term.index()] = run.rebuilt(&mut equation.terms, term, &run.fixed);
        }
        run
    }

    /// A term over what its operands are.
    fn rebuilt(&self, terms: &mut Terms, term: Term, images: &[Term]) -> Term {
        if let Some(Definition { value, .. }) = self.definitions[term.index()] {
            return images[value.index()];
        }
        let operands: Vec<Term> = terms.node(term).operands().iter().map(|operand| images[operand.index()]).collect();
        terms.with_operands(term, &operands)
    }

    /// Whether the run passes with some other values in these steps.
    fn passes_with(&mut self, equation: &mut Equation, group: &[usize], held: &[Term], stop: &Stop) -> Option<bool> {
        let before = equation.terms.len();
        self.leave_open(&mut equation.terms, group);
        let held: Vec<Term> = held.iter().map(|held| self.free[held.index()]).collect();
        let passes = if held.iter().any(|held| equation.terms.is_false(*held)) {
            Some(false)
        } else {
            let mut blaster = encode::for_easy_questions(stop);
            blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
            held.iter().for_each(|held| blaster.assert(&equation.terms, *held));
            match blaster.solver.solve(&[]) {
                Outcome::Sat => Some(true),
                Outcome::Unsat => Some(false),
                Outcome::Interrupted => None,
            }
        };
        equation.terms.forget_from(before);
        passes
    }

    /// What each term is where these steps compute something else.
    fn leave_open(&mut self, terms: &mut Terms, group: &[usize]) {
        let group = HashSet::<usize>::from_iter(group.iter().copied());
        for at in 0..self.order.len() {
            let term = self.order[at];
            let is_open = |set: &Definition| set.step.is_some_and(|step| group.contains(&step));
            self.free[term.index()] = if let Some(set) = self.definitions[term.index()].filter(is_open) {
                let any = terms.fresh("any", terms.width(term));
                match set.reached {
                    Some(reached) => terms.and(self.free[reached.index()], any),
                    None => any,
                }
            } else if self.depends_on_open(terms, term) {
                self.rebuilt(terms, term, &self.free)
            } else {
                self.fixed[term.index()]
            };
        }
    }

    fn depends_on_open(&self, terms: &Terms, term: Term) -> bool {
        let is_other = |of: &Term| self.free[of.index()] != self.fixed[of.index()];
        match &self.definitions[term.index()] {
            Some(Definition { value, .. }) => is_other(value),
            None => terms.node(term).operands().iter().any(is_other),
        }
    }
}

/// All that some terms depend on, and they, each behind what it depends on.
fn order(terms: &Terms, definitions: &[Option<Definition>], roots: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut is_found = vec![false; terms.len()];
    let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|root| (*root, false)).collect();
    while let Some((term, is_ready)) = stack.pop() {
        if is_found[term.index()] {
            continue;
        }
        if is_ready {
            is_found[term.index()] = true;
            found.push(term);
            continue;
        }
        stack.push((term, true));
        let set = definitions[term.index()].into_iter();
        stack.extend(set.flat_map(|set| [Some(set.value), set.reached]).flatten().map(|on| (on, false)));
        stack.extend(terms.node(term).operands().iter().map(|operand| (*operand, false)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Execution, FailingRun, Lit, Outcome, Stop, Term, freed, repairs};
    use crate::bounds::Bounds;
    use crate::check::{CheckOptions, check};
    use crate::equation::StepKind;
    use crate::symex;
    use crate::{Program, Reading};

    const FAILING: [&str; 7] = [
        "int nondet_int(void); int main(void) { int n = nondet_int(); int half = n / 2; if (n > 3) half = half + 1;
            int twice = half * 2; __CPROVER_assert(twice <= n, \"a\"); return 0; }",
        "int nondet_int(void); int main(void) { int a[3]; for (int i = 0; i < 3; i++) a[i] = nondet_int() % 4;
            int sum = 0; for (int i = 0; i < 3; i++) if (a[i] > 1) sum += a[i]; __CPROVER_assert(sum < 9, \"a\"); return 0; }",
        "int nondet_int(void); int get(int k) { if (k < 0) return nondet_int(); return k; } int main(void) {
            int k = nondet_int(), limit = 4; __CPROVER_assume(k >= 0 && k < 9); int v = get(k - limit + 4);
            __CPROVER_assume(v != 7); if (v > limit) limit = v - 1; __CPROVER_assert(v <= limit, \"a\"); return 0; }",
        "unsigned char nondet_uchar(void); int main(void) { unsigned char t[4] = {1, 2, 3, 4}, i = nondet_uchar() % 4;
            unsigned char j = i + 1; t[j % 4] = 9; __CPROVER_assert(t[i] != 4 && t[3] < 9, \"a\"); return 0; }",
        "int nondet_int(void); int main(void) { int n = nondet_int(), seen = 0, kind = 0; __CPROVER_assume(n >= 0 && n < 4);
            for (int i = 0; i < 4; i++) { switch (kind) { case 0: if (i == n) kind = 1; break; case 1: seen++; kind = 2; break;
            default: if (seen > 2) goto out; seen += 2; continue; } if (seen > 3) break; }
            out: __CPROVER_assert(seen < 3, \"a\"); return 0; }",
        "int nondet_int(void); int main(void) { int a[3], found = 0, at = 0; for (int i = 0; i < 3; i++) a[i] = nondet_int();
            for (int i = 0; i < 3; i++) { if (a[i] == 7) { found = 1; at = i; break; } if (a[i] < 0) { found = 2; break; }
            if (a[i] == 9) return 0; } if (found) { at++; if (found == 1) at++; } __CPROVER_assert(at < 4, \"a\"); return 0; }",
        "int nondet_int(void); int main(void) { int n = nondet_int(), m = 0, on = 1; if (n > 5) { if (on) m = n; else m = 1; }
            if (n > 5) { if (n > 6) m++; } while (on) { m++; on = 0; } __CPROVER_assert(m < 8, \"a\"); return 0; }",
    ];

    #[test]
    fn short_questions_have_the_answers_of_the_long_one() {
        for text in FAILING {
            let saved = agreed(text).expect("it fails");
            assert!(saved > 0, "{text}");
        }
    }

    #[test]
    fn so_they_have_for_random_programs() {
        let (mut failing, mut saving) = (0, 0);
        for seed in 1..=60 {
            let text = Random(seed * 0x9e37_79b9_7f4a_7c15).program();
            if let Some(saved) = agreed(&text) {
                failing += 1;
                saving += usize::from(saved > 0);
            }
        }
        assert!(failing >= 30 && saving >= 20, "{failing} fail, of {saving} some line saves the run");
    }

    /// Asks about the failing run of a program both ways; how many lines save it, or none where nothing fails.
    fn agreed(text: &str) -> Option<usize> {
        let read = Program::from_text("a.c", text, &Reading::default()).expect("it is a program");
        let (program, stop) = (&read.program, Stop::default());
        let answer = check(program, &CheckOptions::default(), &mut |_| {}).expect("it is decided");
        let inputs = answer.counterexample?.inputs;
        let mut equation = symex::unwind(program, &Bounds::default(), &stop).expect("it is unwound");
        let failing = Execution::of(&equation, &inputs);
        let may_be_free = |kind: &StepKind| !matches!(kind, StepKind::Assume { .. } | StepKind::Claim { .. });
        let steps = (0..equation.steps.len()).filter(|step| may_be_free(&equation.steps[*step].kind));
        let alone: Vec<Vec<usize>> = steps.map(|step| vec![step]).collect();
        let held: Vec<Term> = equation.held_from(failing.failed).into_iter().map(|(_, held)| held).collect();
        let run = FailingRun::of(&mut equation, &failing, &held);
        for (at, term) in run.order.iter().enumerate() {
            let reached = run.definitions[term.index()].and_then(|set| set.reached);
            let is_before = |of: Term| run.order[..at].contains(&of);
            assert!(reached.is_none_or(is_before), "what says that a path is reached comes first: {text}");
        }
        let mut saved = 0;
        for groups in [alone.chunks(3).map(<[_]>::concat).collect(), alone] {
            let short = repairs(&mut equation, &failing, &groups, &[], &stop);
            let held: Vec<Term> = equation.held_from(failing.failed).into_iter().map(|(_, held)| held).collect();
            let mut long = freed(&mut equation, &failing, &groups, &held, &stop);
            let asked: Vec<Option<bool>> = (0..groups.len())
                .map(|group| {
                    let free = long.free.iter().enumerate();
                    let assumptions: Vec<Lit> = free.map(|(other, free)| free.negate_if(other != group)).collect();
                    Some(long.blaster.solver.solve(&assumptions) == Outcome::Sat)
                })
                .collect();
            assert_eq!(short, asked, "{text}");
            saved = short.iter().filter(|answer| **answer == Some(true)).count();
        }
        Some(saved)
    }

    /// Random programs on three bytes and a table: sums, branches, short loops with ways out, a function, an assertion at the end.
    struct Random(u64);

    impl Random {
        fn below(&mut self, number: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) % number
        }

        fn variable(&mut self) -> String {
            match self.below(5) {
                0 => format!("t[{} & 3]", ["a", "b", "c"][self.below(3) as usize]),
                number => ["a", "b", "c", "a"][number as usize - 1].to_owned(),
            }
        }

        fn value(&mut self) -> String {
            let (one, number) = (self.variable(), self.below(9) + 1);
            match self.below(6) {
                0 => number.to_string(),
                1 => format!("{one} / {number}"),
                2 => format!("twice({one})"),
                3 => format!("{one} ^ {}", self.variable()),
                4 => format!("{one} - {number}"),
                _ => format!("{one} + {}", self.variable()),
            }
        }

        fn condition(&mut self) -> String {
            let relation = ["<", "<=", "==", "!=", ">"][self.below(5) as usize];
            format!("{} {relation} {}", self.variable(), self.below(12))
        }

        fn statement(&mut self, depth: u32) -> String {
            match self.below(if depth == 0 { 3 } else { 6 }) {
                0..=2 => format!("{} = {};", self.variable(), self.value()),
                3 => {
                    let (condition, then) = (self.condition(), self.statement(depth - 1));
                    format!("if ({condition}) {{ {then} }} else {{ {} }}", self.statement(depth - 1))
                }
                4 => format!("if ({}) {{ {} }}", self.condition(), self.statement(depth - 1)),
                _ => {
                    let (turns, out) = (self.below(3) + 1, self.condition());
                    let body = self.statement(depth - 1);
                    format!("for (int i{depth} = 0; i{depth} < {turns}; i{depth}++) {{ if ({out}) break; {body} }}")
                }
            }
        }

        fn program(&mut self) -> String {
            let statements: Vec<String> = (0..3 + self.below(4)).map(|_| self.statement(2)).collect();
            format!(
                "unsigned char nondet_uchar(void); static unsigned char twice(unsigned char k) {{ if (k > 100) return k; \
                 return k * 2; }} int main(void) {{ unsigned char t[4] = {{1, 2, 3, 4}}, a = nondet_uchar(), b = nondet_uchar() % 8, c = 5; \
                 {} __CPROVER_assert({} {}, \"a\"); return 0; }}",
                statements.join(" "),
                self.variable(),
                ["!= 7", "< 9", "> 2"][self.below(3) as usize],
            )
        }
    }
}
