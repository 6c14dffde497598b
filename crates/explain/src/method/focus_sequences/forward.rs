//! Summaries of procedures for the forward pass (Basu, Saha, Smolka, section 3.3): a procedure that is called more than
//! once is analysed once, on its own, whatever its callers pass and leave in globals.
//!
//! What is true of that relation between entry and exit is true at every call. A claim of the procedure that no entry at
//! all can violate is proved once, and then neither it nor what its guard is made of is asked about at k calls. A recursive
//! call may leave anything and return anything: that is the greatest fixed point, so what is proved with it is proved for
//! every depth. Then each procedure is cut down, once, to what is wanted of it at its exit. What is left is executed in place.
//!
//! Left alone are procedures that use pointers or memory of their own making (what they may point to is the caller's),
//! that take or return records, or whose loops depend on the entry, and those without claims.

use std::collections::{BTreeSet, HashSet};

use nearmiss_logic::sat::Outcome;
use nearmiss_logic::term::Term;

use crate::bounds::Bounds;
use crate::equation::{ClaimRef, Equation, StepKind};
use crate::method::encode;
use crate::symex;
use nearmiss_logic::stop::Stop;
use nearmiss_program::dependence;
use nearmiss_program::program::{
    Base, BlockId, ClaimId, ClaimKind, Expr, ExprId, ExprKind, Function, FunctionId, Operand, PlaceId, Program,
    Projection, StatementKind, Terminator, Type,
};

/// Conflicts after which a claim counts as not proved.
const MOST_CONFLICTS: u64 = 300;

/// The program without the claims that its procedures keep by themselves, and without what then nobody wants of them
/// ([`dependence::wanted_part`]); none if that is all of it. Statements stay where they are.
pub fn summary(program: &Program, bounds: &Bounds, stop: &Stop) -> Option<Program> {
    let calls = Calls::of(program);
    let mut kept: BTreeSet<ClaimId> = BTreeSet::new();
    for index in 0..program.functions.len() {
        let id = FunctionId(index as u32);
        if calls.times[index] > 1 && !stop.requested() && is_plain(program, &calls, id) {
            kept.extend(kept_claims(program, &calls, id, bounds, stop));
        }
    }
    let relieved = (!kept.is_empty()).then(|| without(program, &kept));
    dependence::wanted_part(relieved.as_ref().unwrap_or(program)).or(relieved)
}

/// The claims of a function that hold whatever it is called with.
fn kept_claims(program: &Program, calls: &Calls, id: FunctionId, bounds: &Bounds, stop: &Stop) -> BTreeSet<ClaimId> {
    let mut own = claims_of(program.function(id));
    if own.is_empty() {
        return own;
    }
    let opaque: HashSet<FunctionId> =
        calls.below[id.index()].iter().copied().filter(|other| calls.is_recursive(*other)).collect();
    let unwound = symex::unwind_alone(program, id, &opaque, bounds, stop);
    let Some(mut equation) = unwound.ok().filter(|all| all.bounds_hit.is_empty() && all.unsupported.is_empty()) else {
        return BTreeSet::new();
    };
    let mut blaster = encode::for_many_questions(stop);
    encode::define(&mut blaster, &equation);
    blaster.solver.set_conflict_limit(Some(MOST_CONFLICTS));
    for (claim, violated) in violations(program, &mut equation) {
        if own.contains(&claim) {
            let literal = blaster.literal(&equation.terms, violated);
            if blaster.solver.solve_only(&[literal]) != Outcome::Unsat {
                own.remove(&claim);
            }
        }
    }
    own
}

/// For every step of a claim that it is violated while no assumption and no automatic claim before it was. (A written
/// assertion is judged also where another one was violated before it.)
fn violations(program: &Program, equation: &mut Equation) -> Vec<(ClaimId, Term)> {
    let mut alive = equation.terms.tru();
    let mut found = Vec::new();
    for (index, held) in equation.held() {
        let claim = match equation.steps[index].kind {
            StepKind::Claim { claim: ClaimRef::Program(claim), .. } => Some(claim),
            _ => None,
        };
        if let Some(claim) = claim {
            let fails = equation.terms.not(held);
            found.push((claim, equation.terms.and(alive, fails)));
        }
        if claim.is_none_or(|claim| program.claims[claim.index()].kind != ClaimKind::Assertion) {
            alive = equation.terms.and(alive, held);
        }
    }
    found
}

fn claims_of(function: &Function) -> BTreeSet<ClaimId> {
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    let claims = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Claim { claim, .. } => Some(*claim),
        _ => None,
    });
    claims.collect()
}

/// The program in which these claims say nothing.
fn without(program: &Program, kept: &BTreeSet<ClaimId>) -> Program {
    let mut program = program.clone();
    let mut nothing: Option<ExprId> = None;
    for block in program.functions.iter_mut().flat_map(|function| &mut function.blocks) {
        for statement in &mut block.statements {
            if let StatementKind::Claim { claim, condition, .. } = &mut statement.kind
                && kept.contains(claim)
            {
                let old = program.exprs[condition.index()];
                *condition = *nothing.get_or_insert_with(|| {
                    program.exprs.push(Expr { kind: ExprKind::Const(1), ..old });
                    ExprId(program.exprs.len() as u32 - 1)
                });
            }
        }
    }
    program
}

/// Who calls whom.
struct Calls {
    /// Per function: called never, once, or more often (2).
    times: Vec<u32>,
    /// Per function: itself, and whatever it may call, directly or not.
    below: Vec<BTreeSet<FunctionId>>,
    /// Per function: what it calls itself.
    direct: Vec<BTreeSet<FunctionId>>,
}

impl Calls {
    fn of(program: &Program) -> Calls {
        let count = program.functions.len();
        let sites: Vec<Vec<(FunctionId, u32)>> = program.functions.iter().map(call_sites).collect();
        let mut times = vec![0; count];
        times[program.start.index()] = 1;
        loop {
            let mut now = vec![0u32; count];
            now[program.start.index()] = 1;
            for (caller, sites) in sites.iter().enumerate() {
                for (callee, rounds) in sites {
                    now[callee.index()] = (now[callee.index()] + times[caller] * rounds).min(2);
                }
            }
            if now == times {
                break;
            }
            times = now;
        }
        let direct: Vec<BTreeSet<FunctionId>> =
            sites.iter().map(|sites| sites.iter().map(|(callee, _)| *callee).collect()).collect();
        let below = (0..count).map(|index| reached([FunctionId(index as u32)].into(), &direct)).collect();
        Calls { times, below, direct }
    }

    fn is_recursive(&self, id: FunctionId) -> bool {
        self.direct[id.index()].iter().any(|callee| self.below[callee.index()].contains(&id))
    }
}

fn reached(from: BTreeSet<FunctionId>, direct: &[BTreeSet<FunctionId>]) -> BTreeSet<FunctionId> {
    let mut open: Vec<FunctionId> = from.iter().copied().collect();
    let mut found = from;
    while let Some(id) = open.pop() {
        open.extend(direct[id.index()].iter().filter(|callee| found.insert(**callee)));
    }
    found
}

/// The calls in a function, with 2 for those in a loop and 1 for others.
fn call_sites(function: &Function) -> Vec<(FunctionId, u32)> {
    let mut found = Vec::new();
    for (index, block) in function.blocks.iter().enumerate() {
        let mut rounds = None;
        for statement in &block.statements {
            if let StatementKind::Call { function: callee, .. } = statement.kind {
                let rounds = *rounds.get_or_insert_with(|| 1 + u32::from(is_in_loop(function, BlockId(index as u32))));
                found.push((callee, rounds));
            }
        }
    }
    found
}

fn is_in_loop(function: &Function, block: BlockId) -> bool {
    let next = |block: BlockId| match function.blocks[block.index()].end {
        Terminator::Goto(to) => vec![to],
        Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Return { .. } | Terminator::Stop => Vec::new(),
    };
    let mut open = next(block);
    let mut seen = BTreeSet::new();
    while let Some(at) = open.pop() {
        if seen.insert(at) {
            open.extend(next(at));
        }
    }
    seen.contains(&block)
}

/// Are numbers in variables all that a function and those below it deal with?
fn is_plain(program: &Program, calls: &Calls, id: FunctionId) -> bool {
    calls.below[id.index()].iter().all(|id| {
        let function = program.function(*id);
        let parameters = &function.locals[..function.parameters as usize];
        let returns_plainly = program.is_scalar(function.returns) || *program.ty(function.returns) == Type::Void;
        returns_plainly
            && parameters.iter().all(|parameter| program.is_scalar(parameter.ty))
            && function.blocks.iter().all(|block| {
                block.statements.iter().all(|statement| is_plain_statement(program, &statement.kind))
                    && match &block.end {
                        Terminator::Branch { condition, .. } => is_plain_expr(program, *condition),
                        Terminator::Return { value: Some(value), .. } => is_plain_operand(program, *value),
                        Terminator::Goto(_) | Terminator::Return { value: None, .. } | Terminator::Stop => true,
                    }
            })
    })
}

fn is_plain_statement(program: &Program, kind: &StatementKind) -> bool {
    let place = |id: &PlaceId| is_plain_place(program, *id);
    match kind {
        StatementKind::Assign { target, value, .. } => place(target) && is_plain_expr(program, *value),
        StatementKind::Copy { target, source, .. } => place(target) && place(source),
        StatementKind::Clear { target } => place(target),
        StatementKind::Input { target, object, .. } => {
            place(target) && object.iter().all(|object| is_plain_expr(program, *object))
        }
        StatementKind::Declare { .. } | StatementKind::Kill { .. } => true,
        StatementKind::Call { target, arguments, .. } => {
            target.iter().all(place) && arguments.iter().all(|argument| is_plain_operand(program, *argument))
        }
        StatementKind::Assume { condition } | StatementKind::Claim { condition, .. } => {
            is_plain_expr(program, *condition)
        }
        StatementKind::Allocate { .. }
        | StatementKind::Free { .. }
        | StatementKind::CopyBytes { .. }
        | StatementKind::SetBytes { .. }
        | StatementKind::Unsupported { .. } => false,
    }
}

fn is_plain_operand(program: &Program, operand: Operand) -> bool {
    match operand {
        Operand::Value(value) => is_plain_expr(program, value),
        Operand::Object(_) => false,
    }
}

fn is_plain_place(program: &Program, id: PlaceId) -> bool {
    let place = program.place(id);
    let index = |step: &Projection| match step {
        Projection::Index(index) => is_plain_expr(program, *index),
        Projection::Field(_) => true,
    };
    !matches!(place.base, Base::Deref(_)) && place.path.iter().all(index)
}

fn is_plain_expr(program: &Program, id: ExprId) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match program.expr(id).kind {
            ExprKind::Const(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load(place) if is_plain_place(program, place) => {}
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => open.push(a),
            ExprKind::Binary(_, a, b) | ExprKind::Rounded { mode: a, value: b } => open.extend([a, b]),
            ExprKind::Ite(a, b, c) => open.extend([a, b, c]),
            ExprKind::Load(_) | ExprKind::AddressOf(_) | ExprKind::Memory(_) => return false,
        }
    }
    true
}
