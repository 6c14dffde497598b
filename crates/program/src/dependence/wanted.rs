//! What of a program can matter to what it claims: each function cut down, once, to what is wanted of it at its exit.
//!
//! Wanted are the objects that a claim, an assumption, an input or the end of a loop reads; and then, until nothing changes,
//! whatever is read by what sets a wanted object, decides whether that happens, or calls the function where it does. There is
//! one set of wanted objects per function, for all of its calls (Basu, Saha, Smolka, "Localizing Program Errors for Cimple
//! Debugging", 2004, section 3.3, ask for one per set; theirs are variables too). The rest does nothing any more: its
//! statements stay where they are and say nothing, its branches go one way.
//!
//! What is left has the same claims in the same order, violated by the same inputs, which arise in the same order: whatever
//! may read something undefined, or memory through a pointer, stays as it is. Each kept statement has all that it reads.

use super::control::{Parent, parents};
use super::effects::{Effects, Extent, Object, Objects, Read};
use crate::program::{
    BlockId, Expr, ExprId, ExprKind, Function, FunctionId, GlobalInit, Program, Statement, StatementKind, Terminator,
};

/// The program cut down to what is wanted; none if that is all of it.
pub fn wanted_part(program: &Program) -> Option<Program> {
    let objects = Objects::of(program);
    let mut search = Search::new(program, &objects);
    while search.round() {}
    search.cut()
}

/// What is known of one function.
struct Known {
    /// Per block and statement, the end of the block last: whether it matters.
    matters: Vec<Vec<bool>>,
    /// Per block and statement, the end last: whether it stays whatever is wanted.
    stays: Vec<Vec<bool>>,
    /// Per local: whether what it holds is wanted.
    locals: Vec<bool>,
    /// Per block: the branches that decide whether it is executed.
    deciders: Vec<Vec<usize>>,
    /// Whether some call of it is kept.
    is_entered: bool,
    /// Whether something in it matters.
    has_matter: bool,
}

struct Search<'a> {
    program: &'a Program,
    objects: &'a Objects,
    functions: Vec<Known>,
    /// Per shared object.
    shared: Vec<bool>,
    changed: bool,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program, objects: &'a Objects) -> Search<'a> {
        let functions = (0..program.functions.len()).map(|index| known(program, objects, FunctionId(index as u32)));
        Search { program, objects, functions: functions.collect(), shared: vec![false; objects.shared], changed: false }
    }

    /// Goes through everything once. Was there something new?
    fn round(&mut self) -> bool {
        self.changed = false;
        let program = self.program;
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            // Backward, as values come from before.
            for (at, block) in function.blocks.iter().enumerate().rev() {
                self.end(id, at, &block.end);
                for (number, statement) in block.statements.iter().enumerate().rev() {
                    self.statement(id, at, number, statement);
                }
            }
        }
        self.changed
    }

    fn statement(&mut self, id: FunctionId, at: usize, number: usize, statement: &Statement) {
        let known = &self.functions[id.index()];
        let effects = self.objects.effects(self.program, id, statement);
        let sets = !effects.declares && effects.writes.iter().any(|write| self.is_wanted(id, write.object));
        let calls = match &statement.kind {
            StatementKind::Call { function, .. } => self.functions[function.index()].has_matter,
            _ => false,
        };
        if !(known.matters[at][number] || known.stays[at][number] || sets || calls) {
            return;
        }
        self.it_matters(id, at, number, &effects);
        if let StatementKind::Call { function, arguments, .. } = &statement.kind {
            let passed = self.objects.passed(self.program, id, arguments);
            self.want_reads(id, &passed);
            let is_entered = &mut self.functions[function.index()].is_entered;
            self.changed |= !std::mem::replace(is_entered, true);
        }
    }

    fn end(&mut self, id: FunctionId, at: usize, end: &Terminator) {
        let known = &self.functions[id.index()];
        let last = known.matters[at].len() - 1;
        // By which return it is left is part of every slice that the call is part of.
        let returns = known.is_entered && matches!(end, Terminator::Return { .. });
        if known.matters[at][last] || known.stays[at][last] || returns {
            let effects = self.objects.end(self.program, id, end);
            self.it_matters(id, at, last, &effects);
        }
    }

    fn it_matters(&mut self, id: FunctionId, at: usize, number: usize, effects: &Effects) {
        let known = &mut self.functions[id.index()];
        if !known.matters[at][number] {
            known.matters[at][number] = true;
            known.has_matter = true;
            self.changed = true;
            for decider in known.deciders[at].clone() {
                let last = known.stays[decider].len() - 1;
                known.stays[decider][last] = true;
            }
        }
        self.want_reads(id, effects);
    }

    fn want_reads(&mut self, id: FunctionId, effects: &Effects) {
        for read in &effects.reads {
            match *read {
                Read::Object(Object::Local(local)) => {
                    let wanted = &mut self.functions[id.index()].locals[local.index()];
                    self.changed |= !std::mem::replace(wanted, true);
                }
                Read::Object(Object::Shared(object)) => {
                    self.want_shared(object);
                    if object < self.objects.exposed {
                        self.want_shared(0);
                    }
                }
                Read::Pointed => (0..self.objects.exposed).for_each(|object| self.want_shared(object)),
            }
        }
    }

    fn want_shared(&mut self, object: usize) {
        self.changed |= !std::mem::replace(&mut self.shared[object], true);
    }

    fn is_wanted(&self, id: FunctionId, object: Object) -> bool {
        match object {
            Object::Local(local) => self.functions[id.index()].locals[local.index()],
            Object::Shared(object) => self.shared[object],
        }
    }

    fn cut(&self) -> Option<Program> {
        let mut cut = self.program.clone();
        let nothing = ExprId(cut.exprs.len() as u32);
        let mut any = None;
        for (function, known) in cut.functions.iter_mut().zip(&self.functions) {
            for (block, matters) in function.blocks.iter_mut().zip(&known.matters) {
                for (statement, matters) in block.statements.iter_mut().zip(matters) {
                    let is_idle = match &statement.kind {
                        StatementKind::Declare { local } => {
                            !known.locals[local.index()] && !function.locals[local.index()].address_taken
                        }
                        StatementKind::Kill { .. } | StatementKind::Claim { .. } | StatementKind::Assume { .. } => {
                            false
                        }
                        _ => true,
                    };
                    if !matters && is_idle {
                        any = any.or(condition_type(self.program));
                        statement.kind = StatementKind::Assume { condition: nothing };
                    }
                }
                if let (Terminator::Branch { then, .. }, Some(false)) = (&block.end, matters.last()) {
                    block.end = Terminator::Goto(*then);
                }
            }
        }
        let like = any?;
        cut.exprs.push(Expr { kind: ExprKind::Const(1), bits: 1, ..like });
        Some(cut)
    }
}

/// Some condition: what has its type is one bit.
fn condition_type(program: &Program) -> Option<Expr> {
    program.exprs.iter().find(|expr| expr.bits == 1).copied()
}

/// What matters in a function to begin with.
fn known(program: &Program, objects: &Objects, id: FunctionId) -> Known {
    let function = program.function(id);
    let undefined = Undefined::of(program, objects, id);
    let mut stays: Vec<Vec<bool>> = Vec::new();
    for (at, block) in function.blocks.iter().enumerate() {
        let mut set = undefined.at_start[at].clone();
        let mut row = Vec::new();
        for statement in &block.statements {
            let mut effects = objects.effects(program, id, statement);
            if let StatementKind::Call { arguments, .. } = &statement.kind {
                effects.reads.extend(objects.passed(program, id, arguments).reads);
            }
            row.push(
                id == program.start
                    || stays_anyway(objects, statement, program)
                    || undefined.may_matter(&effects, &set),
            );
            undefined.step(&effects, &mut set);
        }
        let end = objects.end(program, id, &block.end);
        let ends = matches!(block.end, Terminator::Stop);
        row.push(ends || leaves_loop(function, at) || undefined.may_matter(&end, &set));
        stays.push(row);
    }
    let deciders = parents(program, id).into_iter().map(|parents| {
        let decider = |parent: &Parent| match parent {
            Parent::Block(block) => Some(*block),
            Parent::Entry => None,
        };
        parents.iter().filter_map(decider).collect()
    });
    Known {
        matters: stays.iter().map(|row| vec![false; row.len()]).collect(),
        stays,
        locals: vec![false; function.locals.len()],
        deciders: deciders.collect(),
        is_entered: false,
        has_matter: false,
    }
}

/// Is it more than putting values into variables?
fn stays_anyway(objects: &Objects, statement: &Statement, program: &Program) -> bool {
    match &statement.kind {
        StatementKind::Assign { .. }
        | StatementKind::Copy { .. }
        | StatementKind::Clear { .. }
        | StatementKind::Declare { .. }
        | StatementKind::Kill { .. } => false,
        StatementKind::Call { function, .. } => objects.is_recursive(*function),
        StatementKind::Claim { condition, .. } | StatementKind::Assume { condition } => {
            program.expr(*condition).kind != ExprKind::Const(1)
        }
        StatementKind::Input { .. }
        | StatementKind::Allocate { .. }
        | StatementKind::Free { .. }
        | StatementKind::CopyBytes { .. }
        | StatementKind::SetBytes { .. }
        | StatementKind::Unsupported { .. } => true,
    }
}

/// Does a branch decide whether to go round again?
fn leaves_loop(function: &Function, at: usize) -> bool {
    let block = BlockId(at as u32);
    let returns = |from: BlockId| {
        let mut open = vec![from];
        let mut seen = vec![false; function.blocks.len()];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut seen[at.index()], true) {
                open.extend(Program::successors(&function.blocks[at.index()].end));
            }
        }
        seen[block.index()]
    };
    match function.blocks[at].end {
        Terminator::Branch { then, otherwise, .. } => returns(then) != returns(otherwise),
        _ => false,
    }
}

/// Which locals surely hold something: only what reads no others can be left out without leaving out inputs.
struct Undefined<'a> {
    objects: &'a Objects,
    /// Globals that nobody defines.
    unknown: Vec<usize>,
    /// Per block and local: whether it surely holds something when the block starts.
    at_start: Vec<Vec<bool>>,
}

impl<'a> Undefined<'a> {
    fn of(program: &Program, objects: &'a Objects, id: FunctionId) -> Undefined<'a> {
        let function = program.function(id);
        let globals = program.globals.iter().enumerate();
        let unknown = globals.filter(|(_, global)| matches!(global.init, GlobalInit::Unknown(_)));
        let unknown = unknown.map(|(index, _)| objects.of_global(crate::program::GlobalId(index as u32))).collect();
        let at_start = vec![vec![true; function.locals.len()]; function.blocks.len()];
        let mut undefined = Undefined { objects, unknown, at_start };
        if let Some(first) = undefined.at_start.first_mut() {
            first.iter_mut().skip(function.parameters as usize).for_each(|local| *local = false);
        }
        let mut open: Vec<usize> = (0..function.blocks.len()).rev().collect();
        while let Some(at) = open.pop() {
            let mut set = undefined.at_start[at].clone();
            for statement in &function.blocks[at].statements {
                undefined.step(&objects.effects(program, id, statement), &mut set);
            }
            for next in Program::successors(&function.blocks[at].end) {
                let start = &mut undefined.at_start[next.index()];
                let met: Vec<bool> = start.iter().zip(&set).map(|(a, b)| *a && *b).collect();
                if *start != met {
                    *start = met;
                    open.push(next.index());
                }
            }
        }
        undefined
    }

    fn step(&self, effects: &Effects, set: &mut [bool]) {
        for write in &effects.writes {
            if let (Object::Local(local), Extent::Whole) = (write.object, write.extent) {
                set[local.index()] = !effects.declares;
            }
        }
    }

    /// May something undefined be read, or something that pointers reach be read or set?
    fn may_matter(&self, effects: &Effects, set: &[bool]) -> bool {
        let is_exposed = |object: usize| object <= self.objects.exposed;
        let reads = effects.reads.iter().any(|read| match read {
            Read::Pointed => true,
            Read::Object(Object::Local(local)) => !set[local.index()],
            Read::Object(Object::Shared(object)) => is_exposed(*object) || self.unknown.contains(object),
        });
        let writes = effects.writes.iter().any(|write| match write.object {
            Object::Local(_) => false,
            Object::Shared(object) => is_exposed(object),
        });
        reads || (writes && !effects.declares)
    }
}
