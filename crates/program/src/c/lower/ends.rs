//! What runs by itself: constructors before the entry function, functions given to `atexit` and destructors when the program ends.
//!
//! The models of `atexit` and `at_quick_exit` (`../library.c`) keep their functions in a table, and each comes with a function that runs
//! them, the last one first. A program that never calls `atexit` has neither.

use std::rc::Rc;

use super::{Instance, Lowering, tree};
use crate::program::{StatementKind, Terminator};
use crate::source::Span;

impl Lowering<'_> {
    /// The functions that run before the entry function.
    pub(super) fn run_constructors(&mut self, span: Span) {
        for function in &self.tree.constructors {
            self.run(*function, span);
        }
    }

    /// What runs when `main` returns or `exit` is called.
    pub(super) fn run_at_exit(&mut self, span: Span) {
        self.run_registered("run_exit_functions", span);
        for function in &self.tree.destructors {
            self.run(*function, span);
        }
    }

    /// Ends the program where a function that does so is called.
    pub(super) fn leave(&mut self, name: &str, span: Span) {
        match name {
            "exit" => self.run_at_exit(span),
            "quick_exit" => self.run_registered("run_quick_exit_functions", span),
            "abort" => self.run_registered("run_abort_handler", span),
            _ => {}
        }
        if self.options.checks.memory_cleanup {
            self.run_registered("claim_no_leak", span);
        }
        self.end_block(Terminator::Stop);
    }

    /// The functions that a model has kept, if the program uses that model.
    pub(super) fn run_registered(&mut self, runner: &str, span: Span) {
        let is_runner = |of: &tree::Function| of.system && of.body.is_some() && of.name == runner;
        let Some(at) = self.tree.functions.iter().position(is_runner) else { return };
        let instance = self.f.instance.clone().unwrap_or_else(|| {
            self.calls += 1;
            let (owner, arguments, never_zero) = (self.f.owner.clone(), Vec::new(), Vec::new());
            Rc::new(Instance { call: self.calls, span, owner, arguments, never_zero, is_used: false })
        });
        let function = self.library_function(tree::FunctionId(at as u32), instance);
        self.emit(StatementKind::Call { target: None, function, arguments: Vec::new() }, span);
    }

    fn run(&mut self, function: tree::FunctionId, span: Span) {
        let function = self.user_function(function);
        self.emit(StatementKind::Call { target: None, function, arguments: Vec::new() }, span);
    }
}
