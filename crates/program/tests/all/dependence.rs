//! The oracle of the dependence graph: what a line does not depend on cannot change what happens there.
//!
//! A constant somewhere in a program, or what a static object holds first, is replaced by another value, and both
//! programs are run. At every line to which no way
//! leads from the changed one in the graph, the same must happen in the same order: the same values assigned and
//! returned, the same ways taken (Weiser, "Program slicing", 1984, section 3). A run that ends early, by a violated
//! claim or in a loop, may only be shorter: that another line is still reached is no dependence. The programs are those
//! of `tests/c` and, where csmith is there, random ones; `NEARMISS_CHANGES=500` tries more changes to each. And whatever
//! happens happens because the entry function was entered.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::random::Dice;
use crate::common::{CSMITH_RUNTIME, Disk, has_csmith, in_parallel, scratch};
use nearmiss_program::c::{self, Options};
use nearmiss_program::dependence::{Dependences, Line, dependences};
use nearmiss_program::interp::{self, Limits};
use nearmiss_program::program::{
    Author, Base, ExprId, ExprKind, GlobalId, GlobalInit, InitPiece, MemoryQuestion, Operand, PlaceId, Program,
    Projection, StatementKind, Terminator, Type,
};
use nearmiss_program::run::{Inputs, Outcome, Run, RunStepKind};
use nearmiss_program::source::{Sources, Span};

#[test]
fn what_a_line_does_not_depend_on_does_not_change_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    if has_csmith("the random programs of csmith among those whose dependence graphs are tried") {
        files.extend((1..=12).filter_map(random_program));
    }
    let tried = in_parallel(&files, |path| check(path));
    let failures: Vec<String> = tried.iter().filter_map(|tried| tried.as_ref().err().cloned()).collect();
    assert!(failures.is_empty(), "{} of {} fail\n{}", failures.len(), files.len(), failures.join("\n"));
    let different: usize = tried.iter().filter_map(|tried| tried.as_ref().ok()).sum();
    println!("{different} changes made a difference somewhere");
    assert!(different > 500, "only {different} changes made a difference somewhere");
}

/// A program of csmith's, unless it gives up.
fn random_program(seed: u64) -> Option<PathBuf> {
    let folder = scratch("dependence");
    let source = folder.join(format!("{seed}.c"));
    let mut csmith = Command::new("csmith");
    csmith.current_dir(&folder);
    csmith.args(["--seed", &seed.to_string(), "--max-funcs", "5", "--no-packed-struct", "-o"]).arg(&source);
    csmith.output().ok()?.status.success().then_some(source)
}

/// Tries changes to one program; how many made a difference.
fn check(path: &Path) -> Result<usize, String> {
    let name = path.display();
    let mut sources = Sources::new();
    let options = Options { include: vec![CSMITH_RUNTIME.to_owned()], ..Options::default() };
    let program = c::read(&[path.display().to_string()], &options, &Disk, &mut sources)
        .map_err(|errors| format!("{name}: {}", errors[0].message))?;
    let graph = dependences(&program, &sources);
    let limits = Limits { steps: 300_000, ..Limits::default() };
    let run = |program: &Program| interp::run(program, &Inputs::default(), &limits);
    let usual = run(&program);
    let happens = happenings(&program, &sources, &usual);
    for line in happens.keys() {
        let is_brace = fs::read_to_string(&line.file).is_ok_and(|text| {
            text.lines().nth(line.line as usize - 1).is_some_and(|text| text.trim_start().starts_with('}'))
        });
        if graph.node(line).is_none() && !is_brace {
            return Err(format!("{name}: something happens at {line:?}, which is no node"));
        }
    }

    let entry = line(&sources, program.function(program.entry).span);
    let called = forward(&graph, graph.node(&entry).ok_or_else(|| format!("{name}: the entry is no node"))?);
    for line in happens.keys() {
        if graph.node(line).is_some_and(|node| !called.contains(&node)) {
            return Err(format!("{name}: no way leads from the entry to {line:?}"));
        }
    }

    let mut values = constants(&program, &sources, &graph);
    values.extend(first_values(&program, &sources, &graph));
    let changes = std::env::var("NEARMISS_CHANGES").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let (mut dice, mut different) = (Dice(1), 0);
    for _ in 0..changes {
        let Some((place, changed)) = values.get(dice.index(values.len())) else { break };
        let mut other = program.clone();
        let (value, bits) = place.get(&program);
        let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
        let others = [value ^ 1, value.wrapping_add(1), value << 1, value.wrapping_neg(), 0];
        let value_now = others[dice.index(others.len())] & mask;
        place.set(&mut other, value_now);
        let unusual = run(&other);
        if unusual == usual {
            continue;
        }
        different += 1;
        let affected = forward(&graph, *changed);
        let may_be_shorter = |run: &Run| run.outcome != Outcome::Finished || stops(&program);
        let shorter = may_be_shorter(&usual) || may_be_shorter(&unusual);
        let happens_now = happenings(&program, &sources, &unusual);
        for (at, line) in graph.nodes.iter().enumerate() {
            let nothing = Vec::new();
            let (before, after) = (happens.get(line).unwrap_or(&nothing), happens_now.get(line).unwrap_or(&nothing));
            let common = before.len().min(after.len());
            let same = before[..common] == after[..common] && (shorter || before.len() == after.len());
            if !affected.contains(&at) && !same {
                let from = &graph.nodes[*changed];
                let first = before.iter().zip(after).find(|(before, after)| before != after);
                return Err(format!(
                    "{}:{}: {value} changed to {value_now} matters to line {}: {first:?}, {} and {} times",
                    from.file,
                    from.line,
                    line.line,
                    before.len(),
                    after.len()
                ));
            }
        }
    }
    Ok(different)
}

/// What happens at each line, in order. Pointers are left out: their numbers depend on how many objects there were before.
fn happenings(program: &Program, sources: &Sources, run: &Run) -> BTreeMap<Line, Vec<(&'static str, u128)>> {
    let is_pointer = |ty| matches!(program.ty(ty), Type::Pointer { .. });
    let mut found: BTreeMap<Line, Vec<(&'static str, u128)>> = BTreeMap::new();
    for step in &run.steps {
        if sources.file(step.span.file).system || program.function(step.function).author == Author::Harness {
            continue;
        }
        let what = match step.kind {
            RunStepKind::Assign { ty, .. } if is_pointer(ty) => ("pointer", 0),
            RunStepKind::Assign { value, .. } => ("assign", value),
            RunStepKind::Branch { taken, .. } => ("branch", u128::from(taken)),
            RunStepKind::Return { value: Some((ty, value)) } if !is_pointer(ty) => ("return", value),
            RunStepKind::Return { .. } => ("return", 0),
            RunStepKind::Call { .. } => ("call", 0),
            RunStepKind::Input { value, .. } => ("input", value),
            // Claims are made beside the statements; the run says enough about them.
            RunStepKind::Claim { .. } => continue,
        };
        found.entry(line(sources, step.span)).or_default().push(what);
    }
    found
}

fn line(sources: &Sources, span: Span) -> Line {
    let position = sources.position(span);
    Line { file: position.file, line: position.line }
}

/// Can the program end by `exit`?
fn stops(program: &Program) -> bool {
    let written = program.functions.iter().filter(|function| function.author != Author::Harness);
    written.flat_map(|function| &function.blocks).any(|block| matches!(block.end, Terminator::Stop))
}

/// The nodes that depend on a node.
fn forward(graph: &Dependences, node: usize) -> BTreeSet<usize> {
    let mut reversed = graph.clone();
    for edge in &mut reversed.edges {
        std::mem::swap(&mut edge.from, &mut edge.to);
    }
    reversed.backward(&[node]).into_iter().collect()
}

/// A number in a program.
enum Number {
    Constant(ExprId),
    /// The first piece of what a static object holds first.
    First(GlobalId),
}

impl Number {
    /// The number and its width.
    fn get(&self, program: &Program) -> (u128, u32) {
        match self {
            Number::Constant(id) => match program.expr(*id).kind {
                ExprKind::Const(value) => (value, program.expr(*id).bits),
                _ => unreachable!("only constants are chosen"),
            },
            Number::First(id) => match &program.globals[id.index()].init {
                GlobalInit::Known(pieces) if !pieces.is_empty() => (pieces[0].value, pieces[0].bits),
                _ => (0, ZEROS),
            },
        }
    }

    fn set(&self, program: &mut Program, value: u128) {
        match self {
            Number::Constant(id) => program.exprs[id.index()].kind = ExprKind::Const(value),
            Number::First(id) => match &mut program.globals[id.index()].init {
                GlobalInit::Known(pieces) if !pieces.is_empty() => pieces[0].value = value,
                init => *init = GlobalInit::Known(vec![InitPiece { bit_offset: 0, bits: ZEROS, value }]),
            },
        }
    }
}

/// How many bits are changed of an object that holds only zeros.
const ZEROS: u32 = 8;

/// The user's static objects that do not start with a pointer, with the nodes of their declarations.
fn first_values(program: &Program, sources: &Sources, graph: &Dependences) -> Vec<(Number, usize)> {
    let mut found = Vec::new();
    for (number, global) in program.globals.iter().enumerate() {
        let is_number = match &global.init {
            GlobalInit::Known(pieces) if !pieces.is_empty() => pieces[0].bits < program.pointer.bits,
            GlobalInit::Known(_) => matches!(program.ty(global.ty), Type::Integer { .. }),
            GlobalInit::Unknown(_) => false,
        };
        // The text of a literal is no declaration.
        if is_number && !global.name.starts_with('"') && !sources.file(global.span.file).system {
            let node = graph.node(&line(sources, global.span));
            found.push((Number::First(GlobalId(number as u32)), node.expect("a declaration is a node")));
        }
    }
    found
}

/// Constants of the user's statements that occur on one line only, with their nodes.
fn constants(program: &Program, sources: &Sources, graph: &Dependences) -> Vec<(Number, usize)> {
    let mut found: BTreeMap<ExprId, BTreeSet<Option<usize>>> = BTreeMap::new();
    for function in &program.functions {
        for block in &function.blocks {
            let node = |span: Span| {
                let is_written = function.author == Author::User && !sources.file(span.file).system;
                is_written.then(|| graph.node(&line(sources, span))).flatten()
            };
            let mut add = |span: Span, exprs: Vec<ExprId>| {
                for expr in all(program, exprs) {
                    found.entry(expr).or_default().insert(node(span));
                }
            };
            for statement in &block.statements {
                let place = |place: &PlaceId| way(program, *place);
                let exprs = match &statement.kind {
                    StatementKind::Assign { target, value, .. } => [place(target), vec![*value]].concat(),
                    StatementKind::Copy { target, source, .. } => [place(target), place(source)].concat(),
                    StatementKind::Call { target, arguments, .. } => {
                        let values = arguments.iter().filter_map(|argument| match argument {
                            Operand::Value(value) => Some(*value),
                            Operand::Object(_) => None,
                        });
                        target.iter().flat_map(place).chain(values).collect()
                    }
                    StatementKind::Claim { condition, .. } | StatementKind::Assume { condition } => vec![*condition],
                    _ => Vec::new(),
                };
                add(statement.span, exprs);
            }
            match &block.end {
                Terminator::Branch { condition, span, .. } => add(*span, vec![*condition]),
                Terminator::Return { value: Some(Operand::Value(value)), span } => add(*span, vec![*value]),
                _ => {}
            }
        }
    }
    let is_number = |expr: &ExprId| {
        let expr = program.expr(*expr);
        matches!(expr.kind, ExprKind::Const(_)) && !matches!(program.ty(expr.ty), Type::Pointer { .. })
    };
    let one = |nodes: &BTreeSet<Option<usize>>| if nodes.len() == 1 { nodes.first().copied().flatten() } else { None };
    let numbers = found.iter().filter(|(expr, _)| is_number(expr));
    numbers.filter_map(|(expr, at)| one(at).map(|at| (Number::Constant(*expr), at))).collect()
}

fn way(program: &Program, place: PlaceId) -> Vec<ExprId> {
    let place = program.place(place);
    let pointer = if let Base::Deref(pointer) = place.base { Some(pointer) } else { None };
    let index = |step: &Projection| if let Projection::Index(index) = step { Some(*index) } else { None };
    pointer.into_iter().chain(place.path.iter().filter_map(index)).collect()
}

/// The expressions and what they are made of.
fn all(program: &Program, mut open: Vec<ExprId>) -> BTreeSet<ExprId> {
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        found.insert(id);
        match program.expr(id).kind {
            ExprKind::Const(_) | ExprKind::FunctionAddress(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => open.extend(way(program, place)),
            ExprKind::Unary(_, a) | ExprKind::Convert(_, a) => open.push(a),
            ExprKind::Binary(_, a, b) | ExprKind::Rounded { mode: a, value: b } => open.extend([a, b]),
            ExprKind::Ite(a, b, c) => open.extend([a, b, c]),
            ExprKind::Memory(MemoryQuestion::Valid { pointer, size, .. }) => open.extend([pointer, size]),
            ExprKind::Memory(MemoryQuestion::SameObject(a, b)) => open.extend([a, b]),
            ExprKind::Memory(
                MemoryQuestion::Freeable(a) | MemoryQuestion::ObjectSize(a) | MemoryQuestion::Lives(a, _),
            ) => open.push(a),
        }
    }
    found
}
