//! Runs of which input and output are known (`../trial.rs`): which of them it is, is the first input; the models of `../streams.c` do the rest.
//!
//! Models whose names start with `shared_` are lowered once, not for every call: an edit of a function that prints is lowered with the
//! few lines that are the call's own.

use std::rc::Rc;

use super::call::CallSite;
use super::{Instance, Lowering, tree};
use crate::c::trial;
use crate::program::{ClaimKind, Operand, Origin, PlaceId, Terminator, TypeId};
use crate::source::Span;

/// The call that shared models belong to.
const SHARED: u32 = 0;

impl Lowering<'_> {
    /// The instance of shared models.
    pub(super) fn shared_instance(&mut self) -> Rc<Instance> {
        let span = self.program.function(self.program.start).span;
        let arguments = vec!["the input".to_owned(), "the format".to_owned()];
        Rc::new(Instance { call: SHARED, span, owner: String::new(), arguments, never_zero: Vec::new() })
    }

    /// What a model keeps between calls, if tests are given.
    fn of_trial(&mut self, name: &str) -> Option<PlaceId> {
        self.options.trials.as_ref()?;
        let at = self.tree.objects.iter().position(|object| object.name == name)?;
        Some(self.object_place(tree::ObjectId(at as u32)))
    }

    /// Whether a function of the library has its model of runs that are known.
    pub(super) fn is_known_stream(&self, name: &str) -> bool {
        self.options.trials.is_some() && trial::is_stream(name)
    }

    /// Asks which run it is, and begins it.
    pub(super) fn begin_trial(&mut self, span: Span) {
        if let Some(number) = self.of_trial(trial::NUMBER) {
            self.input_or("test", self.basic.int, Some(number), None, span);
            self.run_registered(trial::BEGIN, span);
        }
    }

    /// `argc` and `argv`.
    pub(super) fn trial_arguments(&mut self) -> Vec<Operand> {
        let kept = [trial::COUNT, trial::ARGUMENTS].map(|name| self.of_trial(name));
        kept.into_iter().flatten().map(|place| Operand::Value(self.load(place))).collect()
    }

    /// Where the exit status goes, if the entry function returns one.
    pub(super) fn trial_status(&mut self, returns: TypeId) -> Option<PlaceId> {
        let place = self.of_trial(trial::STATUS)?;
        (self.is_integer(returns) && self.program.size_bits(returns) == self.program.place(place).bits).then_some(place)
    }

    /// Looks at what was printed, and at the exit status.
    pub(super) fn end_trial(&mut self, span: Span) {
        if self.options.trials.is_some() {
            self.run_registered(trial::END, span);
        }
    }

    /// A call that ends the program.
    pub(super) fn leave_trial(&mut self, name: &str, site: &CallSite) {
        if name == "abort" {
            self.run_registered("run_abort_handler", site.span);
            let never = self.truth_constant(false);
            self.claim(ClaimKind::Unreachable, never, "abort() is not called".to_owned(), site.span);
            self.end_block(Terminator::Stop);
            return;
        }
        if let (Some(status), [code]) = (self.of_trial(trial::STATUS), site.arguments) {
            let code = self.value(*code);
            self.assign(status, code, Origin::Tool, site.span);
        }
        match name {
            "exit" => self.run_at_exit(site.span),
            "quick_exit" => self.run_registered("run_quick_exit_functions", site.span),
            _ => {}
        }
        self.end_trial(site.span);
        self.end_block(Terminator::Stop);
    }
}
