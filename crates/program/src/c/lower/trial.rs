//! Runs of which input and output are known (`../trial.rs`): which of them it is, is the first input; the models of `../streams.c` do the rest.
//!
//! Models whose names start with `shared_` are lowered once, not for every call: an edit of a function that prints is lowered with the
//! few lines that are the call's own.

use std::rc::Rc;

use super::call::CallSite;
use super::{Instance, Lowering, tree};
use crate::c::{crash, trial};
use crate::program::{ClaimKind, Operand, Origin, PlaceId, Terminator, Type, TypeId};
use crate::source::Span;

/// The call that shared models belong to.
const SHARED: u32 = 0;

impl Lowering<'_> {
    /// The instance of shared models.
    pub(super) fn shared_instance(&mut self) -> Rc<Instance> {
        let span = self.program.function(self.program.start).span;
        let arguments = vec!["the input".to_owned(), "the format".to_owned()];
        let (owner, never_zero) = (String::new(), Vec::new());
        Rc::new(Instance { call: SHARED, span, owner, arguments, never_zero, is_used: true })
    }

    /// What a model keeps between calls, if tests are given.
    pub(super) fn of_trial(&mut self, name: &str) -> Option<PlaceId> {
        self.options.trials.as_ref()?;
        let at = self.tree.objects.iter().position(|object| object.name == name)?;
        Some(self.object_place(tree::ObjectId(at as u32)))
    }

    /// Whether a function of the library has its model of runs that are known.
    pub(super) fn is_known_stream(&self, name: &str) -> bool {
        trial::is_stream(self.options, name)
    }

    /// Asks which run it is, and begins it.
    pub(super) fn begin_trial(&mut self, is_main: bool, span: Span) {
        if self.options.console.is_some() {
            self.run_registered(trial::BEGIN, span);
        } else if self.options.crash.is_some() {
            if let Some(place) = self.of_trial(trial::NUMBER) {
                let target = self.constant(u128::from(!is_main), self.basic.int);
                self.assign(place, target, Origin::Tool, span);
            }
            self.run_registered(trial::BEGIN, span);
        } else if let Some(number) = self.of_trial(trial::NUMBER) {
            self.input_or("test", self.basic.int, Some(number), None, span);
            self.run_registered(trial::BEGIN, span);
        }
    }

    /// `argc` and `argv`.
    pub(super) fn trial_arguments(&mut self) -> Vec<Operand> {
        let kept = [trial::COUNT, trial::ARGUMENTS].map(|name| self.of_trial(name));
        kept.into_iter().flatten().map(|place| Operand::Value(self.load(place))).collect()
    }

    /// What a fuzz target gets: the bytes, and how many.
    pub(super) fn crash_arguments(&mut self, of: &tree::Function) -> Vec<Operand> {
        let types: Vec<TypeId> = of.parameters.iter().map(|at| self.tree.object(*at).ty).collect();
        let is_bytes = |ty: TypeId| match self.program.ty(ty) {
            Type::Pointer { to } => self.program.size_bits(*to) == 8,
            _ => false,
        };
        let [data, size] = *types else { return self.no_fuzz_target(of) };
        if !is_bytes(data) || !self.is_integer(size) {
            return self.no_fuzz_target(of);
        }
        let places = [crash::DATA, crash::LENGTH].map(|name| self.of_trial(name));
        let given = places.into_iter().flatten().zip([data, size]);
        given
            .map(|(place, ty)| {
                let from = self.program.place(place).ty;
                let value = self.load(place);
                Operand::Value(self.convert(value, from, ty))
            })
            .collect()
    }

    /// The name of the object with the bytes that a fuzz target gets, while that is made: `data[]`, by the parameter.
    pub(super) fn crash_bytes(&self) -> Option<String> {
        self.options.crash.as_ref()?;
        if self.program.function(self.f.id).name != crash::FEEDER {
            return None;
        }
        let (entry, _) = self.functions.iter().find(|(_, id)| **id == self.program.entry)?;
        let of = self.tree.function(*entry);
        let data = of.parameters.first().filter(|_| of.name != "main")?;
        Some(format!("{}[]", self.tree.object(*data).name))
    }

    fn no_fuzz_target(&mut self, of: &tree::Function) -> Vec<Operand> {
        let shape = "a crash file is for main, or for a function that takes its bytes and how many they are, as in (const uint8_t *data, size_t size)";
        self.unsupported(format!("{} with these parameters: {shape}", of.name), of.span);
        Vec::new()
    }

    /// Where the exit status goes, if the entry function returns one.
    pub(super) fn trial_status(&mut self, returns: TypeId) -> Option<PlaceId> {
        let place = self.of_trial(trial::STATUS)?;
        (self.is_integer(returns) && self.program.size_bits(returns) == self.program.place(place).bits).then_some(place)
    }

    /// Looks at what was printed, and at the exit status.
    pub(super) fn end_trial(&mut self, span: Span) {
        let compares = self.options.console.as_ref().is_none_or(|console| console.reference.is_some());
        if self.options.trials.is_some() && self.options.crash.is_none() && compares {
            self.run_registered(trial::END, span);
        }
    }

    /// A call that ends the program.
    pub(super) fn leave_trial(&mut self, name: &str, site: &CallSite) {
        if name == "abort" {
            self.run_registered("run_abort_handler", site.span);
            let never = self.truth_constant(false);
            let kind = if self.options.tests().is_none() { ClaimKind::Assertion } else { ClaimKind::Unreachable };
            self.claim(kind, never, "abort() is not called".to_owned(), site.span);
            self.end_block(Terminator::Stop);
            return;
        }
        if let (Some(status), [code]) = (self.of_trial(trial::STATUS), site.arguments) {
            let code = self.value(*code);
            self.assign(status, code, Origin::Tool, site.span);
        }
        if self.is_in_reference() {
            return self.leave_reference(site.span);
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
