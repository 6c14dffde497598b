//! Control under symbolic execution: in which order the blocks of a function run, where paths fork, and where they meet.
//!
//! Blocks run in a weak topological order ([`nearmiss_program::loops`]): a loop's next iteration starts when nothing of
//! this one is left, and what it exits to runs when the loop is done, so every join happens once.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use nearmiss_logic::stop::Interrupted;
use nearmiss_logic::term::Term;

use super::guard::Guard;
use super::memory::Cells;
use super::turn::Extent;
use super::{Frame, Here, State, Symex};
use crate::equation::{Bound, StepKind};
use crate::flow::EventKind;
use nearmiss_program::location::Part;
use nearmiss_program::loops::{self, LoopInfo};
use nearmiss_program::program::temporal::{self, Happens};
use nearmiss_program::program::{Author, BlockId, BranchRole, ExprId, FunctionId, Terminator, Type, TypeId};

/// What is to run next in one activation.
pub(super) struct Schedule<'a> {
    pub(super) info: &'a LoopInfo,
    /// By position in the order.
    pub(super) pending: BTreeMap<u32, State>,
    /// By position of the head: the end of the loop, and what goes around.
    pub(super) again: BTreeMap<u32, (u32, State)>,
    pub(super) rounds: HashMap<u32, Round>,
}

/// How often a loop has gone around.
pub(super) struct Round {
    pub(super) total: u32,
    pub(super) symbolic: u32,
    pub(super) guard: Guard,
    /// The turn that the loop was entered in.
    pub(super) outer: Option<u32>,
    /// The turn that it is in.
    pub(super) turn: Option<u32>,
    /// Where it came by, if runs may close there.
    pub(super) visits: Vec<Visit>,
}

impl Round {
    pub(super) fn new(state: &State) -> Round {
        let (guard, turn) = (state.guard, state.turn);
        Round { total: 1, symbolic: 0, guard, outer: turn, turn, visits: Vec::new() }
    }
}

/// One visit to the head of a loop.
pub(super) struct Visit {
    pub(super) arrival: u32,
    pub(super) cells: Cells,
    /// The first position after it.
    pub(super) position: usize,
    /// How many objects there were.
    pub(super) objects: usize,
}

/// Which ways a path goes at a branch.
enum Fork {
    Then(State),
    Otherwise(State),
    Both(State, State),
}

impl Symex<'_> {
    /// Runs the blocks of a function; the joined state of all returns.
    pub(super) fn blocks(&mut self, state: State, frame: &Frame) -> Result<Option<State>, Interrupted> {
        let function = self.program.function(frame.function);
        let info = self.loops_of(frame.function);
        let mut run =
            Schedule { info: &info, pending: BTreeMap::new(), again: BTreeMap::new(), rounds: HashMap::new() };
        let mut returned: Option<State> = None;
        run.pending.insert(info.position[0], state);
        while let Some((position, state)) = self.next_block(&mut run, frame) {
            self.tick()?;
            let id = info.order[position as usize];
            if self.word.is_some() && info.head(id).is_some() {
                self.enter_loop(&mut run, position, frame, &state);
            }
            let Some(mut state) = self.statements(state, frame, id)? else { continue };
            match &function.blocks[id.index()].end {
                Terminator::Goto(to) => self.go(&mut run, frame, position, *to, state),
                Terminator::Branch { condition, then, otherwise, span, role, .. } => {
                    self.stand_at(&state, frame, *span);
                    match self.fork(state, frame, id, *condition, *role) {
                        Fork::Then(state) => self.go(&mut run, frame, position, *then, state),
                        Fork::Otherwise(state) => self.go(&mut run, frame, position, *otherwise, state),
                        Fork::Both(yes, no) => {
                            self.go(&mut run, frame, position, *then, yes);
                            self.go(&mut run, frame, position, *otherwise, no);
                        }
                    }
                }
                Terminator::Return { value, span } => {
                    self.stand_at(&state, frame, *span);
                    self.event(&state, frame, Part::Whole, *span, EventKind::Return);
                    self.put_result(&mut state, frame, *value);
                    self.leave(&mut state, frame, u32::MAX);
                    returned = Some(match returned.take() {
                        None => state,
                        Some(other) => self.join(other, state),
                    });
                }
                Terminator::Stop if self.keep_end => {
                    self.end = Some(match self.end.take() {
                        None => state,
                        Some(other) => self.join(other, state),
                    });
                }
                Terminator::Stop => {
                    self.here.guard = self.guards.term(state.guard);
                    self.position(&mut state, Happens::Step);
                }
            }
        }
        Ok(returned)
    }

    /// The loops of a function, found once.
    fn loops_of(&mut self, function: FunctionId) -> Arc<LoopInfo> {
        let known = &mut self.loops[function.index()];
        known.get_or_insert_with(|| Arc::new(loops::analyse(self.program, function))).clone()
    }

    /// Runs the statements of a block. None: no path gets beyond them.
    fn statements(&mut self, mut state: State, frame: &Frame, id: BlockId) -> Result<Option<State>, Interrupted> {
        let function = self.program.function(frame.function);
        let block = &function.blocks[id.index()];
        for (index, statement) in block.statements.iter().enumerate() {
            self.tick()?;
            self.next_event(id, index);
            self.stand_at(&state, frame, statement.span);
            self.observe(&mut state);
            let Some(next) = self.statement(state, frame, statement)? else { return Ok(None) };
            state = next;
            self.passes(&mut state, frame, id, index);
            if self.word.is_some()
                && let Some(happens) = temporal::position_of(self.program, function, &statement.kind)
            {
                self.position(&mut state, happens);
            }
        }
        self.next_event(id, block.statements.len());
        self.observe(&mut state);
        self.passes(&mut state, frame, id, block.statements.len());
        Ok(Some(state))
    }

    /// A path comes to the branch at the end of a block.
    fn fork(&mut self, mut state: State, frame: &Frame, block: BlockId, condition: ExprId, role: BranchRole) -> Fork {
        self.event(&state, frame, Part::Whole, self.here.span, EventKind::Effect);
        let test = self.follow.is_some().then(|| self.test_of(&mut state, frame, condition));
        let silent = role == BranchRole::Internal;
        let condition = self.silently(silent, |this| this.eval(&mut state, frame, condition));
        if let Some(test) = test {
            self.is_event(EventKind::Branch(condition, test));
        }
        self.follow_branch(&mut state, frame, block);
        let condition = self.branch_alike(condition, is_shown(frame, role), role);
        let is_hidden = is_shown(frame, role) && self.eq.terms.as_const(condition).is_some() && self.is_open();
        let condition = match is_hidden {
            true => {
                let (variable, _) = self.opened("\\open", condition);
                self.eq.symbol(variable)
            }
            false => condition,
        };
        let constant = self.eq.terms.as_const(condition);
        if is_shown(frame, role) {
            self.position(&mut state, Happens::Step);
            if let Some(constant) = constant {
                self.step(StepKind::Branch { taken: constant != 0 });
            }
        }
        match constant {
            Some(0) => Fork::Otherwise(state),
            Some(_) => Fork::Then(state),
            None => {
                let (yes, no) = self.branch(state, frame, condition, role);
                Fork::Both(yes, no)
            }
        }
    }

    /// Both ways of a branch whose condition is not constant.
    fn branch(&mut self, state: State, frame: &Frame, condition: Term, role: BranchRole) -> (State, State) {
        let path = self.guards.term(state.guard);
        let taken = self.eq.terms.and(path, condition);
        let counts = is_shown(frame, role);
        let constant = self.eq.terms.as_const(taken);
        let taken = if let (Some(constant), true) = (constant, counts) {
            // Whenever it is reached, the path itself decides it.
            self.step(StepKind::Branch { taken: constant != 0 });
            taken
        } else if counts {
            let ty = self.program.types.iter().position(|ty| *ty == Type::Bool).unwrap_or(0);
            let variable = self.new_variable("\\guard".into(), TypeId(ty as u32), 1, Some(taken));
            self.step(StepKind::Guard { variable, condition, role });
            self.eq.symbol(variable)
        } else {
            taken
        };
        let (yes, no) = self.guards.branch(&mut self.eq.terms, state.guard, taken);
        (State { guard: yes, ..state.clone() }, State { guard: no, ..state })
    }

    /// The next block to run, with everything that arrived there. A loop goes around when nothing in it is left.
    fn next_block(&mut self, run: &mut Schedule<'_>, frame: &Frame) -> Option<(u32, State)> {
        loop {
            let first = run.pending.keys().next().copied().unwrap_or(u32::MAX);
            // Innermost first: the largest head whose loop has nothing pending.
            let ready = run.again.iter().rev().find(|(_, (end, _))| *end <= first).map(|(head, _)| *head);
            let Some(head) = ready else { break };
            let (_, mut state) = run.again.remove(&head).expect("found above");
            if self.word.is_some() {
                state = self.go_round(run, head, frame, state);
            }
            let round = run.rounds.entry(head).or_insert_with(|| Round::new(&state));
            round.total += 1;
            let block = run.info.order[head as usize];
            let info = run.info.head(block).expect("back edges go to heads");
            // An endless loop has no condition that could tell how often it goes around.
            if round.guard != state.guard || info.endless {
                round.symbolic += 1;
                round.guard = state.guard;
                let extent = Extent { frame: frame.base, blocks: head..info.end };
                let of = Bound::Loop(info.id.clone());
                round.turn = Some(self.new_turn(&state, of, round.total, round.outer, Some(extent)));
            }
            state.turn = round.turn;
            self.here = Here { turn: state.turn, guard: self.guards.term(state.guard), span: info.span, ..self.here };
            if !self.bounds.allow(&info.id, round.total, round.symbolic) {
                self.stop_at_horizon(run, head, &state);
                let condition = self.eq.terms.fals();
                self.hit(Bound::Loop(info.id.clone()), condition);
                continue;
            }
            self.eq.unwind = self.eq.unwind.max(round.total);
            run.pending.insert(head, state);
        }
        run.pending.pop_first()
    }

    /// Sends a path to a block.
    fn go(&mut self, run: &mut Schedule<'_>, frame: &Frame, from: u32, to: BlockId, mut state: State) {
        let position = run.info.position[to.index()];
        if position <= from {
            let end = run.info.head(to).map_or(position + 1, |head| head.end);
            let state = match run.again.remove(&position) {
                None => State { came: state.turn, chain: None, ..state },
                Some((_, other)) => self.join(other, State { came: state.turn, chain: None, ..state }),
            };
            run.again.insert(position, (end, state));
            return;
        }
        self.leave(&mut state, frame, position);
        if run.info.head(to).is_some() && !run.pending.contains_key(&position) {
            run.rounds.insert(position, Round::new(&state));
        }
        let state = match run.pending.remove(&position) {
            None => state,
            Some(other) => self.join(other, state),
        };
        if let Some(round) = run.rounds.get_mut(&position) {
            (round.guard, round.outer, round.turn) = (state.guard, state.turn, state.turn);
        }
        run.pending.insert(position, state);
    }
}

/// Is a branch one that a person sees?
fn is_shown(frame: &Frame, role: BranchRole) -> bool {
    frame.author == Author::User && role != BranchRole::Internal
}
