//! Claims that a function of the C library leaves open.
//!
//! Two kinds of functions do. One without a model has a result that we invent (`SiteKind::Invented`): a claim that fails after such a
//! call fails for certain only if it does whatever the function returns, all other inputs being as they are. One that only
//! the machine computes is known to the solver point by point (`sat/points.rs` in `nearmiss-logic`), and a question that would take too many points
//! is given up. In both cases the claim is undecided, and the function is named. A function of the user's without a body does
//! the same where it may have written a pointer: what that points to is nothing that we see.

use nearmiss_logic::eval::{Assignment, Evaluator};
use nearmiss_logic::machine::Function;
use nearmiss_logic::term::Term;

use super::question::{Findings, Question};
use crate::equation::ClaimRef;
use crate::explanation::{LeftOpen, Open};
use nearmiss_program::c::header_of;
use nearmiss_program::program::{
    BinaryOp, ClaimId, ClaimKind, ExprId, ExprKind, Program, Site, StatementKind, Terminator, Type, UnaryOp,
};
use nearmiss_program::source::Span;

impl Question<'_> {
    /// Claims that fail after a result was invented.
    pub(super) fn ask_invented(&mut self, wanted: &dyn Fn(ClaimRef) -> bool, findings: &mut Findings) -> Option<()> {
        for (claim, way) in self.invented.clone() {
            let ClaimRef::Program(id) = claim else { continue };
            if !wanted(claim) || findings.failing.contains(&id) {
                continue;
            }
            let model = match self.some_execution(&[way], &[]) {
                Some(Some(model)) => model,
                Some(None) => continue,
                None => {
                    findings.unsure.push(self.given_up(Some(id))?);
                    continue;
                }
            };
            if !self.is_about_pointers(id) && self.fails_anyway(claim, way, &model)? {
                self.found(id, &model, findings);
            } else {
                let open = self.inventor(way, &model, id)?;
                findings.unsure.extend(open);
            }
        }
        Some(())
    }

    /// Do the other inputs of a model make a claim fail whatever is returned? A written assertion may do so after another one was violated.
    fn fails_anyway(&mut self, claim: ClaimRef, way: Term, model: &Assignment) -> Option<bool> {
        let results: Vec<Term> = self.inventions().map(|(_, result, _)| result).collect();
        let apart = self.invented_apart.iter().find(|(own, _)| *own == claim).map(|(_, way)| *way);
        for way in [Some(way), apart].into_iter().flatten() {
            if self.fails_whatever_is_returned(way, model, &results)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Do the other inputs of a model make the claim fail, whatever these results are?
    fn fails_whatever_is_returned(&mut self, way: Term, model: &Assignment, results: &[Term]) -> Option<bool> {
        let mut fixed = Vec::new();
        for variable in self.equation.variables.iter().filter(|variable| variable.definition.is_none()) {
            if results.contains(&variable.symbol) {
                continue;
            }
            let value = model.get(variable.symbol);
            let bits = self.blaster.bits(&self.equation.terms, variable.symbol);
            fixed.extend(bits.iter().enumerate().map(|(at, bit)| bit.negate_if(value >> at & 1 == 0)));
        }
        let mut asked = vec![self.equation.terms.not(way)];
        asked.extend(self.equation.aimed.values().map(|aimed| aimed.domain));
        asked.sort_unstable();
        let otherwise = self.equation.terms.and_all(&asked);
        Some(self.some_execution_with(&[otherwise], &fixed)?.is_none())
    }

    /// Is it a claim about a pointer, in a program where functions without a body write pointers, or those of the library without a model return
    /// some? That it fails with every pointer that we know says nothing of those.
    fn is_about_pointers(&self, claim: ClaimId) -> bool {
        use ClaimKind::{Alignment, Free, PointerDereference, PointerRelation, Precondition};
        let kind = self.program.claims[claim.index()].kind;
        matches!(kind, Alignment | Free | PointerDereference | PointerRelation | Precondition)
            && self.inventions().any(|(_, _, site)| site.writer.is_some() || self.is_pointer(site))
    }

    fn is_pointer(&self, site: &Site) -> bool {
        matches!(self.program.ty(site.ty), Type::Pointer { .. })
    }

    /// Results that are invented: guard, symbol, site.
    fn inventions(&self) -> impl Iterator<Item = (Term, Term, &Site)> {
        self.equation.steps.iter().filter_map(|step| {
            let (variable, site) = self.equation.invention(self.program, step)?;
            Some((step.guard, self.equation.symbol(variable), &self.program.sites[site.index()]))
        })
    }

    /// A pointer that a function without a body may have written may point to what we do not see, and no claim is known to hold that can depend
    /// on it: all claims are left open that do not fail.
    pub(super) fn ask_written_pointers(&mut self, findings: &mut Findings) {
        let read =
            self.inventions().find(|(guard, _, site)| site.writer.is_some() && !self.equation.terms.is_false(*guard));
        if let Some(site) = read.map(|(_, _, site)| site.clone()) {
            findings.unsure.push(LeftOpen {
                claim: None,
                function: site.writer.unwrap_or_default(),
                header: "",
                span: site.span,
                why: Open::WritesPointers,
            });
        }
    }

    /// Runs were left out in which an input points to a local or allocated object, so no claim is known to hold.
    pub(super) fn ask_unseen_pointers(&mut self, findings: &mut Findings) {
        let sites = self.equation.unseen.iter().map(|site| &self.program.sites[site.index()]);
        // What functions without a body write is left open anyway.
        for site in sites.filter(|site| site.writer.is_none()) {
            let function = site.name.clone();
            findings.unsure.push(LeftOpen {
                claim: None,
                function,
                header: "",
                span: site.span,
                why: Open::UnseenPointer,
            });
        }
    }

    /// The function to name: the first that decides alone whether the claim fails, or the first on the way.
    fn inventor(&mut self, way: Term, model: &Assignment, claim: ClaimId) -> Option<Option<LeftOpen>> {
        let mut evaluator = Evaluator::new(&self.equation.terms, model);
        let called: Vec<(Term, Site)> = (self.inventions().filter(|(guard, ..)| evaluator.holds(*guard)))
            .map(|(_, result, site)| (result, site.clone()))
            .collect();
        let mut named = called.first();
        for one in &called {
            if !self.fails_whatever_is_returned(way, model, &[one.0])? {
                named = Some(one);
                break;
            }
        }
        Some(named.map(|(_, site)| {
            let claim = Some(claim.index());
            if let Some(function) = site.writer.clone() {
                return LeftOpen { claim, function, header: "", span: site.span, why: Open::WritesPointers };
            }
            let function = site.name.trim_end_matches("()").to_owned();
            let header = header_of(&function).unwrap_or_default();
            LeftOpen { claim, function, header, span: site.span, why: Open::NoModel }
        }))
    }

    /// What the last question was given up for; None if it was interrupted.
    pub(super) fn given_up(&self, claim: Option<ClaimId>) -> Option<LeftOpen> {
        let function = self.blaster.solver.gave_up_on()?;
        Some(LeftOpen {
            claim: claim.map(ClaimId::index),
            function: function.name().to_owned(),
            header: header_of(function.name()).unwrap_or_default(),
            span: call_of(self.program, function)?,
            why: Open::ManyPoints,
        })
    }

    /// Does some work that may be interrupted; what is given up for a function of the machine is left open instead.
    pub(super) fn or_left_open(
        &mut self,
        findings: &mut Findings,
        work: impl FnOnce(&mut Self, &mut Findings) -> Option<()>,
    ) -> Option<()> {
        work(self, findings).or_else(|| {
            findings.unsure.push(self.given_up(None)?);
            Some(())
        })
    }
}

/// Where a function of the machine is first called.
fn call_of(program: &Program, wanted: Function) -> Option<Span> {
    let mut applies = vec![false; program.exprs.len()];
    for (at, expr) in program.exprs.iter().enumerate() {
        let of = |id: ExprId| applies[id.index()];
        applies[at] = match expr.kind {
            ExprKind::Unary(UnaryOp::Machine(function), a) => function == wanted || of(a),
            ExprKind::Binary(BinaryOp::Machine(function), a, b) => function == wanted || of(a) || of(b),
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) | ExprKind::Rounded { value: a, .. } => of(a),
            ExprKind::Binary(_, a, b) => of(a) || of(b),
            ExprKind::Ite(a, b, c) => of(a) || of(b) || of(c),
            _ => false,
        };
    }
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let mut spans = blocks.flat_map(|block| {
        let statements = block.statements.iter().filter_map(|statement| {
            let value = match &statement.kind {
                StatementKind::Assign { value, .. } => Some(*value),
                StatementKind::Assume { condition } | StatementKind::Claim { condition, .. } => Some(*condition),
                _ => None,
            };
            Some((value?, statement.span))
        });
        let end = match &block.end {
            Terminator::Branch { condition, span, .. } => Some((*condition, *span)),
            _ => None,
        };
        statements.chain(end)
    });
    let found = spans.find(|(expr, _)| applies[expr.index()]).map(|(_, span)| span);
    found.or_else(|| program.functions.get(program.entry.index()).map(|function| function.span))
}
