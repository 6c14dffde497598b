//! What names mean: assertions and assumptions of the verifiers, ends of the run, sources of input, output that is
//! left out, and the intrinsics that our models of the library (`../library.c`) are written with.
//!
//! A name has its meaning here only if the user gave it no body.

use super::call::{CallSite, ResultUse};
use super::place::Touch;
use super::{Instance, Lowering, tree};
use crate::c::checkers;
use crate::c::tree::ExprKind;
use crate::c::trial;
use crate::extended::is_extended;
use crate::program::{
    self, BinaryOp, ClaimId, ClaimKind, ExprId, MemoryQuestion, ObjectKind, SiteKind, StatementKind, Storage,
    Terminator, Toward, Type, TypeId, UnaryOp,
};
use crate::source::Span;
use nearmiss_logic::machine::Function as MachineFunction;
use std::rc::Rc;

/// Output and settings: evaluated for the effects of the arguments, the result is 0.
const IGNORED: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "dprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fflush",
    "perror",
    "srand",
    "srandom",
    "srand48",
    "wprintf",
    "fwprintf",
    "vwprintf",
    "vfwprintf",
    "fputws",
    "putwchar",
    "fputwc",
    "putwc",
    "setbuf",
    "setvbuf",
    "syslog",
    "openlog",
    "closelog",
    "fclose",
    "usleep",
    "sleep",
    "sched_yield",
    "write",
    "fwrite",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
];

/// Those of them whose result says how much was written, or whether: nobody knows.
const COUNTED: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "dprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fflush",
    "fclose",
    "write",
    "fwrite",
    "wprintf",
    "fwprintf",
    "vwprintf",
    "vfwprintf",
    "fputws",
    "putwchar",
    "fputwc",
    "putwc",
];

/// Functions that talk to the outside and return 0, or -1 if they fail.
const ZERO_OR_FAILS: &[&str] = &[
    "close",
    "access",
    "unlink",
    "rmdir",
    "chdir",
    "ftruncate",
    "fsync",
    "remove",
    "rename",
    "setenv",
    "unsetenv",
    "fseek",
];

/// What headers call the type of a stream.
const STREAMS: &[&str] = &["FILE", "__FILE", "struct __nearmiss_file", "struct _IO_FILE"];

impl Lowering<'_> {
    /// Lowers the call of a function that has a meaning of its own; None if it has not.
    pub(super) fn vocabulary(&mut self, name: &str, site: &CallSite) -> Option<Option<ExprId>> {
        if let Some(intrinsic) = name.strip_prefix("__nearmiss_") {
            return self.intrinsic(intrinsic, site);
        }
        if let Some(answer) = self.question(name, site) {
            return Some(answer);
        }
        if let Some(given) = trial::is_open(self.options, name) {
            self.unsupported(format!("{name} where {given}: what it does there is not known"), site.span);
            return Some(None);
        }
        match name {
            "__CPROVER_assert"
            | "__CPROVER_precondition"
            | "__CPROVER_postcondition"
            | "__VERIFIER_assert"
            | "__ESBMC_assert"
            | "assert" => self.assertion(site),
            "__CPROVER_assume"
            | "__VERIFIER_assume"
            | "__ESBMC_assume"
            | "assume"
            | "klee_assume"
            | "assume_abort_if_not" => match self.options.checks.assumptions {
                true => self.assumption(site),
                false => self.arguments_only(name, site),
            },
            "__VERIFIER_error" | "reach_error" | "__assert_fail" | "__assert" | "__assert_rtn" => {
                self.arguments_only(name, site);
                self.never(format!("{name}() is not called"), site.span);
            }
            "__CPROVER_array_set" => self.array_set(site),
            "__CPROVER_array_equal" if !self.are_whole_arrays(site) => {
                self.unsupported("__CPROVER_array_equal of anything but two whole arrays of one type", site.span);
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" if self.options.trials.is_some() => {
                self.leave_trial(name, site);
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" | "pthread_exit" => {
                self.arguments_only(name, site);
                self.leave(name, site.span);
            }
            "pthread_create" | "pthread_join" | "thrd_create" | "thrd_join" | "fork" | "vfork" | "clone" => {
                self.unsupported(format!("threads and processes ({name}): check them one at a time"), site.span);
            }
            "setjmp" | "_setjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "_longjmp" => {
                self.unsupported(format!("jumps between functions ({name})"), site.span);
            }
            "scanf" => return Some(self.scan(site, 0)),
            "fscanf" => return Some(self.scan(site, 1)),
            "getchar" | "getc" | "fgetc" | "getchar_unlocked" | "getc_unlocked" => {
                return Some(self.bounded_input(name, site, -1, 255));
            }
            "mrand48" => return Some(self.bounded_input(name, site, i128::from(i32::MIN), i128::from(i32::MAX))),
            "rand" => return Some(self.bounded_input(name, site, 0, self.type_range(self.basic.int).1)),
            "random" | "lrand48" => return Some(self.bounded_input(name, site, 0, i128::from(i32::MAX))),
            "getpid" | "getppid" => {
                return Some(self.bounded_input(name, site, 1, self.type_range(self.basic.int).1));
            }
            "isatty" => return Some(self.bounded_input(name, site, 0, 1)),
            _ if ZERO_OR_FAILS.contains(&name) => return Some(self.bounded_input(name, site, -1, 0)),
            "open" | "socket" | "dup" | "dup2" | "fileno" => {
                return Some(self.bounded_input(name, site, -1, self.type_range(self.basic.int).1));
            }
            "signal" => {
                let message = "handlers of signals are called by raise and abort alone: no signal comes from outside";
                self.note_once("signal", site.span, message.to_owned(), None);
                return None;
            }
            "fopen" | "freopen" | "tmpfile" | "opendir" => {
                self.arguments_only(name, site);
                let message = format!("{name} talks to the outside: its result is any value");
                self.note_once(&format!("function {name}"), site.span, message, None);
                let text = self.call_text(site.span);
                return Some(self.input(site, site.ty, Some(text)));
            }
            _ if IGNORED.contains(&name) && self.counts_characters(name, site) => {
                self.unsupported(format!("{name} that counts characters (%n)"), site.span);
            }
            _ if COUNTED.contains(&name) && !matches!(site.result, ResultUse::Nothing) => {
                return self.call_unmodelled(name, site);
            }
            _ if IGNORED.contains(&name) || checkers::SILENT.contains(&name) => {
                self.arguments_only(name, site);
                return Some(self.zero(site));
            }
            _ => return self.float_function(name, site),
        }
        Some(None)
    }

    /// Evaluates arguments of a function of the library whose values do not matter, but that a stream must not be NULL.
    pub(super) fn arguments_only(&mut self, name: &str, site: &CallSite) {
        for argument in site.arguments {
            // All streams are meant by `fflush(NULL)`.
            if name == "fflush" || !self.options.checks.pointer || !self.is_stream(self.tree.expr(*argument).ty) {
                self.effect(*argument);
                continue;
            }
            let (stream, ty) = (self.value(*argument), self.tree.expr(*argument).ty);
            let null = self.constant(0, ty);
            let condition = self.binary(BinaryOp::Ne, stream, null, ty);
            let text = format!("{name}: {} is not NULL", self.words(*argument));
            self.claim(ClaimKind::Precondition, condition, text, site.span);
        }
    }

    /// `FILE *`.
    fn is_stream(&self, ty: TypeId) -> bool {
        let Type::Pointer { to } = self.program.ty(ty) else { return false };
        matches!(self.program.ty(*to), Type::Record { .. }) && STREAMS.contains(&&*self.program.type_name(*to))
    }

    fn zero(&mut self, site: &CallSite) -> Option<ExprId> {
        if !self.program.is_scalar(site.ty) {
            return None;
        }
        let zero = self.constant(0, site.ty);
        self.deliver(zero, site)
    }

    /// `assert(e)` and its kin.
    fn assertion(&mut self, site: &CallSite) {
        let Some(condition) = site.arguments.first().copied() else { return };
        if !self.options.checks.assertions {
            self.effect(condition);
            return;
        }
        let written = self.words(condition);
        let message = site.arguments.get(1).and_then(|m| self.literal_text(*m)).unwrap_or_default();
        // `__CPROVER_assert(0, "why")`: the message says more than the condition.
        let constant = matches!(self.range(condition), (low, high) if low == high);
        let compares = self.compares();
        let is_told = !message.is_empty() && (constant || written.is_empty() || compares);
        let claim = self.new_claim(ClaimKind::Assertion, if is_told { message } else { written }, site.span);
        if compares {
            self.compared.insert(claim);
        }
        self.require(condition, Requirement::Claim { claim, part: false }, true, site.span);
    }

    fn assumption(&mut self, site: &CallSite) {
        if let Some(condition) = site.arguments.first().copied() {
            self.require(condition, Requirement::Assume, true, site.span);
        }
    }

    /// Claims or assumes that a condition is `wanted`. Where `&&`, `||` or `?:` need control flow, what is required is
    /// required on each way: `assert(p || a[i])` is `if (!p) assert(a[i])`. So the condition keeps its structure, which
    /// explanations read, and no temporary stands between it and the claim.
    pub(super) fn require(&mut self, e: tree::ExprId, what: Requirement, wanted: bool, span: Span) {
        if self.require_each(e, what, wanted, span) {
            return;
        }
        match self.tree.expr(e).kind {
            ExprKind::LogicalNot(x) if self.branches_inside(x) || self.quantifier(x).is_some() => {
                self.require(x, what, !wanted, span)
            }
            ExprKind::Convert { operand, .. } if self.keeps_truth(e) => self.require(operand, what, wanted, span),
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) if self.branches_inside(e) => {
                let and = matches!(self.tree.expr(e).kind, ExprKind::LogicalAnd(..));
                if and == wanted {
                    self.require(a, what.before_more(), wanted, span);
                    self.require(b, what, wanted, span);
                } else {
                    // Only where the left side does not settle it already; where it does, a claim holds.
                    self.two_ways(a, |lowering, taken| match what {
                        _ if taken == and => lowering.require(b, what, wanted, span),
                        Requirement::Claim { claim, part: false } => {
                            let condition = lowering.truth_constant(true);
                            lowering.emit(StatementKind::Claim { claim, condition, part: false }, span);
                        }
                        Requirement::Claim { .. } | Requirement::Assume => {}
                    });
                }
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise }
                if self.needs_flow(then) || self.needs_flow(otherwise) =>
            {
                self.two_ways(condition, |lowering, taken| {
                    lowering.require(if taken { then } else { otherwise }, what, wanted, span);
                });
            }
            _ => {
                let truth = self.truth(e);
                let condition = if wanted { truth } else { self.not(truth) };
                self.emit(
                    match what {
                        Requirement::Claim { claim, part } => StatementKind::Claim { claim, condition, part },
                        Requirement::Assume => StatementKind::Assume { condition },
                    },
                    span,
                );
            }
        }
    }

    /// A place that must not be reached.
    pub(super) fn never(&mut self, text: String, span: Span) {
        if self.options.checks.assertions {
            let condition = self.truth_constant(false);
            self.claim(ClaimKind::Assertion, condition, text, span);
        }
        self.end_block(Terminator::Stop);
    }

    /// An input within bounds, named after the call.
    pub(super) fn bounded_input(&mut self, name: &str, site: &CallSite, least: i128, most: i128) -> Option<ExprId> {
        self.arguments_only(name, site);
        if !self.is_integer(site.ty) {
            return self.input(site, site.ty, None);
        }
        let text = self.call_text(site.span);
        let alone = CallSite { result: ResultUse::Value, ..*site };
        let value = self.input(&alone, site.ty, Some(text))?;
        let (least, most) = (self.constant(least as u128, site.ty), self.constant(most as u128, site.ty));
        let above = self.binary(BinaryOp::SLe, least, value, site.ty);
        let below = self.binary(BinaryOp::SLe, value, most, site.ty);
        let condition = self.and(above, below);
        self.emit(StatementKind::Assume { condition }, site.span);
        self.deliver(value, site)
    }

    /// A function of `float` or `double` that is an operator of programs; None if it is another.
    fn float_function(&mut self, name: &str, site: &CallSite) -> Option<Option<ExprId>> {
        let Type::Float { bits, name: ref of } = *self.program.ty(site.ty) else { return None };
        // The names for `float` end in f, those for `double` are plain, and those for `long double` end in l.
        let name = match bits {
            32 => name.strip_suffix('f')?,
            64 if of != "long double" => name,
            _ => name.strip_suffix('l')?,
        };
        let numbers = site.arguments.iter().all(|a| self.is_float(self.tree.expr(*a).ty));
        let unary = match name {
            "fabs" => UnaryOp::FAbs,
            "sqrt" => UnaryOp::FSqrt,
            "floor" => UnaryOp::FRound(Toward::Below),
            "ceil" => UnaryOp::FRound(Toward::Above),
            "trunc" => UnaryOp::FRound(Toward::Zero),
            "round" => UnaryOp::FRound(Toward::HalfAway),
            "rint" | "nearbyint" | "roundeven" => UnaryOp::FRound(Toward::HalfEven),
            _ if is_extended(bits) => return None,
            _ => UnaryOp::Machine(MachineFunction::named(name)?),
        };
        // A remainder is exact.
        if matches!(unary, UnaryOp::Machine(_)) && name != "fmod" {
            self.need_nearest(name, site.span);
        }
        let values = self.values(site.arguments);
        let value = match (unary, values.as_slice()) {
            (UnaryOp::Machine(function), &[a, b]) if numbers && function.arity() == 2 => {
                self.binary(BinaryOp::Machine(function), a, b, site.ty)
            }
            (UnaryOp::Machine(function), &[a]) if numbers && function.arity() == 1 => self.unary(unary, a),
            (UnaryOp::FAbs | UnaryOp::FSqrt | UnaryOp::FRound(_), &[a]) if numbers => self.unary(unary, a),
            _ => {
                self.unsupported(format!("a call of {name} with other arguments than C says"), site.span);
                return Some(None);
            }
        };
        let mode = if matches!(name, "rint" | "nearbyint") { self.mode() } else { None };
        let value = mode.map_or(value, |mode| self.make(program::ExprKind::Rounded { mode, value }, bits, site.ty));
        Some(self.deliver(value, site))
    }

    /// What the models of the library are written with.
    fn intrinsic(&mut self, name: &str, site: &CallSite) -> Option<Option<ExprId>> {
        match name {
            "assert" => self.assertion(site),
            "assume" => self.assumption(site),
            "stop" => self.end_block(Terminator::Stop),
            "result_is_used" => {
                let is_used = self.f.instance.as_ref().is_some_and(|instance| instance.is_used);
                let value = self.constant(u128::from(is_used), site.ty);
                return Some(self.deliver(value, site));
            }
            "unsupported" => {
                let what = self.instance_text(site.arguments.first().copied());
                self.unsupported(what, site.span);
            }
            "claim" => {
                let [condition, text] = *site.arguments else { return Some(None) };
                let condition = self.truth(condition);
                let text = self.instance_text(Some(text));
                self.claim(ClaimKind::Precondition, condition, text, site.span);
            }
            "claim_stream" => {
                let [stream, text] = *site.arguments else { return Some(None) };
                let condition = self.truth(stream);
                let text = self.instance_text(Some(text));
                if self.options.checks.pointer {
                    self.claim(ClaimKind::Precondition, condition, text, site.span);
                }
            }
            "claim_output" | "claim_output_end" | "claim_exit_status" => {
                let kind = match name {
                    "claim_output" => ClaimKind::Output,
                    "claim_output_end" => ClaimKind::OutputEnd,
                    _ => ClaimKind::ExitStatus,
                };
                let [condition, text] = *site.arguments else { return Some(None) };
                let condition = self.truth(condition);
                let text = self.instance_text(Some(text));
                self.claim(kind, condition, text, site.span);
            }
            "text_of_float" => {
                let values = self.values(site.arguments);
                let ([value, request], Some(function)) = (&*values, MachineFunction::named("__nearmiss_text_of_float"))
                else {
                    return Some(None);
                };
                let character = self.binary(BinaryOp::Machine(function), *value, *request, site.ty);
                return Some(self.deliver(character, site));
            }
            "claim_no_leak" => {
                let [condition, text] = *site.arguments else { return Some(None) };
                let condition = self.truth(condition);
                let text = self.instance_text(Some(text));
                self.claim(ClaimKind::MemoryLeak, condition, text, site.span);
            }
            "claim_readable" => self.claim_range(site, Touch::Read),
            "claim_writable" => self.claim_range(site, Touch::Write),
            "claim_valid" => self.claim_valid_of_nothing(site),
            "claim_valid_string" if self.options.checks.pointer => self.claim_valid_of_nothing(site),
            "claim_valid_string" => {}
            "claim_freeable" => {
                let Some(pointer) = site.arguments.first().copied() else { return Some(None) };
                let pointer = self.value(pointer);
                let condition = self.memory(MemoryQuestion::Freeable(pointer));
                let what = self.instance_text(site.arguments.get(1).copied());
                self.claim(ClaimKind::Free, condition, what, site.span);
            }
            "claim_lives" => {
                let [pointer, text] = *site.arguments else { return Some(None) };
                let pointer = self.value(pointer);
                let condition = self.memory(MemoryQuestion::Lives(pointer, ObjectKind::Writable));
                let text = self.instance_text(Some(text));
                if self.options.checks.pointer {
                    self.claim(ClaimKind::Precondition, condition, text, site.span);
                }
            }
            "allocate" => return Some(self.allocate(site, Storage::Heap)),
            "allocate_stack" => return Some(self.allocate(site, Storage::Stack)),
            "bits_of_double"
            | "double_of_bits"
            | "bits_of_float"
            | "float_of_bits"
            | "bits_of_long_double"
            | "long_double_of_bits" => return self.read_otherwise(site),
            "may_fail" => return Some(self.may_fail(site)),
            "input_int" | "input_char" | "input_bool" | "input_long" => {
                let text = self.call_text(site.span);
                return Some(self.input(site, site.ty, Some(text)));
            }
            "input_size" | "input_character" | "input_byte" => {
                let name = self.instance_text(site.arguments.first().copied());
                return Some(self.input(site, site.ty, Some(name)));
            }
            "unknown_int" | "unknown_character" => {
                let name = self.instance_text(site.arguments.first().copied());
                return Some(self.input_of(site, site.ty, name, SiteKind::Invented));
            }
            "free" => {
                let pointer = self.values(site.arguments);
                if let [pointer] = *pointer {
                    self.emit(StatementKind::Free { pointer }, site.span);
                }
            }
            "copy" => {
                if let [target, source, size] = *self.values(site.arguments) {
                    self.refuse_stray_bytes(&[(target, Touch::Write), (source, Touch::Read)], size, site.span);
                    self.emit(StatementKind::CopyBytes { target, source, size }, site.span);
                }
            }
            "set" => {
                if let [target, value, size] = *self.values(site.arguments) {
                    let value = self.resize(value, 8, false, self.basic.character);
                    self.refuse_stray_bytes(&[(target, Touch::Write)], size, site.span);
                    self.emit(StatementKind::SetBytes { target, value, size }, site.span);
                }
            }
            "object_size" => {
                let pointer = self.values(site.arguments).first().copied()?;
                let size = self.memory(MemoryQuestion::ObjectSize(pointer));
                return Some(self.deliver(size, site));
            }
            _ => return None,
        }
        Some(None)
    }

    /// `(pointer, size, "text")`.
    fn claim_range(&mut self, site: &CallSite, touch: Touch) {
        let [pointer, size, text] = *site.arguments else { return };
        let values = self.values(&[pointer, size]);
        let text = self.instance_text(Some(text));
        let [pointer, size] = &*values else { return };
        // What is asked of every byte of a string is for CBMC the check of a pointer in its model.
        if self.options.checks.pointer || self.as_constant(*size) != Some(1) {
            let write = touch == Touch::Write;
            let valid = self.memory(MemoryQuestion::Valid { pointer: *pointer, size: *size, write });
            // No byte is touched of nothing; what a pointer must be even then says `claim_valid`.
            let some = self.non_zero(*size);
            let none = self.not(some);
            let condition = self.or(none, valid);
            self.claim(ClaimKind::Precondition, condition, text, site.span);
        }
    }

    /// `(pointer, size, argument, text)`: also where the size is 0, the pointer is one into a live object, or behind its end.
    fn claim_valid_of_nothing(&mut self, site: &CallSite) {
        let [pointer, size, argument, text] = *site.arguments else { return };
        let argument = self.range(argument).0 as usize;
        let never_zero = |instance: &Rc<Instance>| instance.never_zero.get(argument - 1).copied();
        if self.f.instance.as_ref().and_then(never_zero) == Some(true) {
            return;
        }
        let values = self.values(&[pointer, size]);
        let text = self.instance_text(Some(text));
        let [pointer, size] = *values else { return };
        let (some, nothing) = (self.non_zero(size), self.size_constant(0));
        let valid = self.memory(MemoryQuestion::Valid { pointer, size: nothing, write: false });
        let condition = self.or(some, valid);
        self.claim(ClaimKind::Precondition, condition, text, site.span);
    }

    /// The text of a claim in a model, with `$1` for the text of the first argument of the user's call.
    fn instance_text(&self, e: Option<tree::ExprId>) -> String {
        let mut text = e.and_then(|e| self.literal_text(e)).unwrap_or_default();
        if let Some(instance) = &self.f.instance {
            for (at, argument) in instance.arguments.iter().enumerate() {
                text = text.replace(&format!("${}", at + 1), argument);
            }
        }
        text
    }

    /// `(size, zeroed)`: a new object; its contents are inputs named after the user's call.
    fn allocate(&mut self, site: &CallSite, storage: Storage) -> Option<ExprId> {
        let size = site.arguments.first().copied()?;
        let size = self.value(size);
        let zeroed = site.arguments.get(1).is_some_and(|z| !self.is_zero(*z));
        let text = self.crash_bytes().unwrap_or_else(|| self.call_text(site.span));
        let span = self.span(site.span);
        let contents = self.site(text, self.basic.character, span, SiteKind::Allocation);
        let local = self.temporary(site.ty, site.span);
        let target = self.local_place(local);
        self.emit(StatementKind::Allocate { target, size, zeroed, storage, site: contents }, site.span);
        let pointer = self.load(target);
        self.deliver(pointer, site)
    }

    /// The same bits as of another type; of a long double, as many as it has.
    fn read_otherwise(&mut self, site: &CallSite) -> Option<Option<ExprId>> {
        let value = self.values(site.arguments).first().copied()?;
        let ty = self.program.expr(value).ty;
        let value = self.resize(value, self.bits_of(site.ty), false, ty);
        let expr = *self.program.expr(value);
        let read = self.make(expr.kind, expr.bits, site.ty);
        Some(self.deliver(read, site))
    }

    /// Whether an allocation fails: an input if the user asked for it.
    fn may_fail(&mut self, site: &CallSite) -> Option<ExprId> {
        let checks = self.options.checks;
        if !checks.malloc_may_fail && !checks.malloc_fail_assert {
            return self.zero(site);
        }
        let call = self.call_text(site.span);
        let fails = self.input(site, site.ty, Some(format!("{call} fails")))?;
        if checks.malloc_fail_assert {
            let zero = self.constant(0, self.program.expr(fails).ty);
            let condition = self.binary(BinaryOp::Eq, fails, zero, self.program.expr(fails).ty);
            self.claim(ClaimKind::Precondition, condition, format!("{call} does not fail"), site.span);
        }
        Some(fails)
    }
}

/// What becomes of a condition that must hold.
#[derive(Clone, Copy)]
pub(super) enum Requirement {
    Claim { claim: ClaimId, part: bool },
    Assume,
}

impl Requirement {
    /// The same of a condition after which another is required.
    pub(super) fn before_more(self) -> Requirement {
        match self {
            Requirement::Claim { claim, .. } => Requirement::Claim { claim, part: true },
            Requirement::Assume => Requirement::Assume,
        }
    }
}
