//! Questions and answers: what a program that uses this crate as a library works with.
//!
//! Each question takes the large stack that it needs with it and shares nothing with other questions, so that as many as
//! there are processors can be asked at the same time, from threads of any kind.

use std::time::Instant;

use nearmiss_logic::stop::Stop;
use nearmiss_program::program::{Assumption, FunctionId};
use nearmiss_program::run::Inputs;
use nearmiss_program::show;
use nearmiss_program::source::{Diagnostic, Position, Severity, Sources, Span};

use crate::check::{self, CheckError, CheckOptions, Progress};
use crate::explain::{self, Beside, ExplainOptions, Wanted};
use crate::explanation::{
    Cause, Counterexample, CrashFile, Explanation, Fix, Fixes, InputValue, Nearest, Reason, Verdict,
};
use crate::fix::pointing;
use crate::fix::{self, FixOptions};
use crate::focus::{self, Focus, FocusOptions};
use crate::printed::{self, Both};
use crate::reading::{Program, Unreadable};
use crate::stack;
use crate::trials;
use crate::versions;

/// How often a loop may go round for a formula where nobody says so; how many cycles a model of hardware may take.
const MOST_ROUNDS: u32 = 8;
const MOST_CYCLES: u32 = 32;

impl Program {
    /// What is wrong, with the places that it is about.
    ///
    /// ```
    /// use nearmiss_explain::{Checking, Program, Reading};
    ///
    /// let text = "int main(void) { int x = 0; __asm__(\"incl %0\" : \"+r\"(x)); return x; }";
    /// let program = Program::from_text("a.c", text, &Reading::default())?;
    /// let error = program.check(&Checking::default()).unwrap_err();
    /// assert!(program.located(&error).starts_with("a.c:1:29: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn located(&self, error: &CheckError) -> String {
        match error {
            CheckError::Input(errors) => {
                Unreadable { errors: errors.clone(), sources: self.sources.clone() }.to_string()
            }
            CheckError::Internal(_) => error.to_string(),
        }
    }

    /// Does it fail? The answer has the smallest failing run, if it does.
    ///
    /// # Errors
    ///
    /// What the program reaches that cannot be executed; or an error of ours.
    pub fn check(&self, options: &CheckOptions) -> Result<Why<'_>, CheckError> {
        self.check_watched(options, &mut |_| {})
    }

    /// Executes the tests that the program was read with: which pass, and what the others do wrong; with fixes also looks for edits with
    /// which all pass, and says where to look first.
    ///
    /// # Errors
    ///
    /// What a test reaches that cannot be executed; or an error of ours.
    pub fn test(&self, fixing: Option<&FixOptions>, stop: &Stop) -> Result<Why<'_>, CheckError> {
        let Some(trials) = &self.origin().reading.c.trials else {
            return Err(CheckError::Internal("no tests were given".to_owned()));
        };
        let answer = stack::on_a_large_stack(|| {
            let mut answer = trials::run(&self.program, &self.sources, trials, stop)?;
            if let Some(options) = fixing
                && answer.verdict == Verdict::Fails
            {
                let started = Instant::now();
                fix::point_of_tests(self, &mut answer, options);
                answer.stats.seconds.push(("fixing", started.elapsed().as_secs_f64()));
            }
            Ok(answer)
        })?;
        Ok(Why::new(Asked::Check, self, answer, Vec::new()))
    }

    /// The same, with somebody to be told how far it is.
    ///
    /// # Errors
    ///
    /// As for [`Program::check`].
    pub fn check_watched(
        &self,
        options: &CheckOptions,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Why<'_>, CheckError> {
        let options = self.with_rounds(options.clone(), None);
        let answer = stack::on_a_large_stack(|| check::check(&self.program, &options, progress))?;
        Ok(Why::new(Asked::Check, self, answer, options.properties))
    }

    /// The same, where a failing run is given: it is the one that is told, beside what is known of all claims.
    ///
    /// # Errors
    ///
    /// As for [`Program::check`]; or the run that was given does not fail.
    pub fn check_given(
        &self,
        options: &CheckOptions,
        given: &Inputs,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Why<'_>, CheckError> {
        let options = self.with_rounds(options.clone(), None);
        let answer = stack::on_a_large_stack(|| check::check_given(&self.program, &options, given, progress))?;
        Ok(Why::new(Asked::Check, self, answer, options.properties))
    }

    /// The answer where the run of a crash file violates nothing, or where it is not known whether it does.
    pub fn without_failure(&self, verdict: Verdict, crash: CrashFile) -> Why<'_> {
        let mut answer = trials::nothing_fails(&self.program, verdict);
        answer.crash = Some(crash);
        Why::new(Asked::Check, self, answer, Vec::new())
    }

    /// A failing run that is given, by itself: nothing is found out of other runs.
    ///
    /// # Errors
    ///
    /// The run does not fail.
    pub fn given(&self, options: &CheckOptions, given: &Inputs) -> Result<Why<'_>, CheckError> {
        let answer = stack::on_a_large_stack(|| check::given(&self.program, options, given))?;
        Ok(Why::new(Asked::Check, self, answer, options.properties.clone()))
    }

    /// Two runs that are given, beside each other: the passing one was found by executing inputs that differ in so many bytes of a file.
    /// Nothing is computed but the runs; `statements` is what the failure depends on, the nearest first.
    ///
    /// # Errors
    ///
    /// One of them does something else.
    pub fn given_beside(
        &self,
        options: &CheckOptions,
        [failing, passing]: [&Inputs; 2],
        distance: u64,
        comes: bool,
        statements: &[(Span, FunctionId)],
    ) -> Result<Why<'_>, CheckError> {
        let mut answer = stack::on_a_large_stack(|| check::given(&self.program, options, failing))?;
        let contrast = explain::executed_contrast(self, &answer, passing, (distance, comes), statements)?;
        answer.contrast = Some(contrast);
        Ok(Why::new(Asked::Explain, self, answer, options.properties.clone()))
    }

    /// Looks for fixes of what was explained of the same text, where other inputs are free: those of this program.
    ///
    /// # Errors
    ///
    /// The run does not fail here.
    pub fn fix_for(
        &self,
        why: &mut Why<'_>,
        failing: &Inputs,
        passing: Option<&Inputs>,
        share: &(dyn Fn(&Explanation) -> FixOptions + Sync),
    ) -> Result<(), CheckError> {
        let check = CheckOptions { properties: why.properties.clone(), ..CheckOptions::default() };
        stack::on_a_large_stack(|| {
            let known = check::given(&self.program, &check, failing)?;
            let mut own = Explanation { fixes: None, ..why.explanation.clone() };
            if known.property != own.property {
                return Ok(());
            }
            own.counterexample = known.counterexample;
            let nearest = own.contrast.as_mut().and_then(|contrast| contrast.nearest.as_mut());
            if let (Some(nearest), Some(passing)) = (nearest, passing) {
                nearest.inputs = passing.clone();
            } else if let Some(contrast) = &mut own.contrast {
                contrast.nearest = None;
            }
            let started = Instant::now();
            let share = share(&own);
            fix::point(self, &mut own, &share, &|_| {});
            let executions = Some(self.program.arguments.clone());
            why.explanation.fixes = own.fixes.map(|fixes| crate::explanation::Fixes { executions, ..fixes });
            if let (Some(contrast), Some(own)) = (&mut why.explanation.contrast, own.contrast) {
                contrast.suspects = own.suspects;
            }
            why.explanation.stats.seconds.push(("fixing", started.elapsed().as_secs_f64()));
            Ok(())
        })
    }

    /// Why does it fail? The answer has the nearest passing run beside the failing one, what of their differences
    /// matters, causes, and the lines to look at.
    ///
    /// ```
    /// use nearmiss_explain::{Program, Reading};
    ///
    /// let text = "
    /// int main(void)
    /// {
    ///     int a, b, most = a;
    ///     if (b < a)
    ///         most = b;
    ///     __CPROVER_assert(most >= b, \"no less than either\");
    ///     __CPROVER_assert(most >= a, \"no less than either\");
    /// }";
    /// let program = Program::from_text("most.c", text, &Reading::default())?;
    /// let why = program.explain(&Default::default())?;
    /// let inputs = why.failing_inputs();
    /// assert_eq!((inputs[1].name.as_str(), inputs[1].value.as_str()), ("b", "1"));
    /// assert!(why.passing().is_some());
    /// assert!(why.suspects().any(|suspect| suspect.text == "if (b < a)"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What the program reaches that cannot be executed; or an error of ours.
    pub fn explain(&self, options: &ExplainOptions) -> Result<Why<'_>, CheckError> {
        self.explain_watched(options, &mut |_| {})
    }

    /// The same, with somebody to be told how far it is.
    ///
    /// # Errors
    ///
    /// As for [`Program::explain`].
    pub fn explain_watched(
        &self,
        options: &ExplainOptions,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Why<'_>, CheckError> {
        self.explain_beside(options, progress, &|_| {})
    }

    /// The same, with somebody who is told both runs and the fixes early, to begin something while the rest is worked out, if there are
    /// threads for it.
    ///
    /// # Errors
    ///
    /// As for [`Program::explain`].
    pub fn explain_beside(
        &self,
        options: &ExplainOptions,
        progress: &mut (dyn FnMut(Progress) + Send),
        beside: Beside<'_>,
    ) -> Result<Why<'_>, CheckError> {
        let mut options = options.clone();
        options.check = self.with_rounds(options.check, options.depth);
        options.predicates.extend(self.predicates.iter().cloned());
        options.asked.extend(self.causes.iter().cloned());
        let answer = stack::on_a_large_stack(|| {
            let mut answer = explain::explain_beside(&self.program, &self.sources, &options, progress, beside)?;
            let is_text = self.program.hardware.is_none();
            if options.fixes == Wanted::Yes && answer.counterexample.is_some() && is_text {
                let started = Instant::now();
                progress(Progress { phase: "looking for fixes", unwind: answer.unwind, steps: 0 });
                let share = FixOptions::share(&options, &answer);
                fix::point(self, &mut answer, &share, beside);
                answer.stats.seconds.push(("fixing", started.elapsed().as_secs_f64()));
            }
            Ok(answer)
        })?;
        Ok(Why::new(Asked::Explain, self, answer, options.check.properties))
    }

    /// Edits of the program with which it does not fail any more, each proved. Looked for after [`Program::check`] or
    /// [`Program::explain`], which know the failing run.
    ///
    /// ```
    /// use nearmiss_explain::{Fixing, Program, Reading};
    ///
    /// let text = "
    /// int least(int a, int b)
    /// {
    ///     return a > b ? a : b;
    /// }
    /// int main(void)
    /// {
    ///     int a, b, found = least(a, b);
    ///     __CPROVER_assert(found <= a && found <= b, \"no more than either\");
    /// }";
    /// let program = Program::from_text("least.c", text, &Reading::default())?;
    /// let mut why = program.check(&Default::default())?;
    /// program.fix(&mut why, &Fixing::default())?;
    /// let best = &why.fixes().unwrap().found[0];
    /// assert_eq!((program.sources().text(best.edits[0].span), best.edits[0].new.as_str()), (">", "<"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A formula: its fixes are not looked for.
    pub fn fix(&self, why: &mut Why<'_>, options: &FixOptions) -> Result<(), CheckError> {
        if self.program.hardware.is_some() {
            let error = check::note("fixes are edits of C, and this is a model of hardware").at(Severity::Error);
            return Err(CheckError::Input(vec![error.with_help("`nearmiss explain` tells why it fails")]));
        }
        if self.program.temporal.is_some() && why.verdict() == Verdict::Fails {
            let error = check::note("fixes are not looked for where a formula fails").at(Severity::Error);
            return Err(CheckError::Input(vec![error.with_help("`nearmiss explain` tells why it fails")]));
        }
        let found = stack::on_a_large_stack(|| fix::fixes(self, &why.explanation, options));
        why.explanation.fixes = Some(found);
        Ok(())
    }

    /// Which of the changes since the reference is to blame, where it was read with one and fails.
    pub fn blame(&self, why: &mut Why<'_>, options: &CheckOptions) {
        let explanation = &mut why.explanation;
        if let (Some(_), Some(failing), Verdict::Fails) =
            (self.reference(), &explanation.counterexample, explanation.verdict)
        {
            // Lines move where changes are undone.
            if !self.origin().reading.assume.is_empty() {
                let why = "which change is to blame is not looked for together with --assume";
                explanation.notes.push(check::note(why));
                return;
            }
            let options = self.with_rounds(options.clone(), None);
            explanation.changes = Some(stack::on_a_large_stack(|| versions::to_blame(self, &failing.inputs, &options)));
        }
    }

    /// What is to be known of the reference itself: checks that it violates, and that what is printed is not compared.
    pub fn of_reference(&self, options: &CheckOptions) -> Vec<Diagnostic> {
        let Some(reference) = self.reference() else { return Vec::new() };
        let mut notes = Vec::new();
        let text = |unit: u32| {
            let name = self.origin().files.get(unit as usize)?;
            self.sources.files().find(|(_, file)| file.name == *name).map(|(_, file)| &file.text)
        };
        if text(reference.unit) == text(reference.home) {
            notes.push(check::note("both files are the same text"));
        }
        if let Some(name) = &reference.prints {
            notes.push(check::note(format!("what is read and printed ({name}) is not compared")));
        }
        let options = self.with_rounds(options.clone(), None);
        notes.extend(stack::on_a_large_stack(|| versions::violations(self, reference, &options)));
        notes
    }

    /// Puts what undoes the changes to blame before other fixes.
    pub fn undo_first(&self, why: &mut Why<'_>) {
        let explanation = &mut why.explanation;
        let (Some(changes), Some(fixes)) = (&explanation.changes, &mut explanation.fixes) else { return };
        let undone = changes.fixes(&self.program);
        let texts = |fix: &Fix| -> Vec<String> {
            let files: Vec<_> = self.sources.files().collect();
            files.iter().map(|(id, file)| fix::edited_text(&file.text, *id, &fix.edits)).collect()
        };
        let known: Vec<Vec<String>> = undone.iter().map(texts).collect();
        fixes.found.retain(|fix| !known.contains(&texts(fix)));
        fixes.found.splice(0..0, undone);
    }

    /// Every way in which it fails, with the inputs for which each happens; or, with [`Reading::reach`], every way in
    /// which the condition is reached.
    ///
    /// ```
    /// use nearmiss_explain::{Program, Reading};
    ///
    /// let text = "
    /// int main(void)
    /// {
    ///     int n;
    ///     if (n > 9)
    ///         __CPROVER_assert(0, \"too many\");
    ///     if (n < 0)
    ///         __CPROVER_assert(0, \"too few\");
    /// }";
    /// let program = Program::from_text("range.c", text, &Reading::default())?;
    /// let ways = program.focus(&Default::default())?;
    /// let when: Vec<String> = ways.found().ways.iter().map(|way| way.assumptions.join(" and ")).collect();
    /// assert_eq!(when, ["n > 9", "n < 0"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// [`Reading::reach`]: crate::Reading::reach
    ///
    /// # Errors
    ///
    /// What the program reaches that cannot be executed; or an error of ours.
    pub fn focus(&self, options: &FocusOptions) -> Result<Ways<'_>, CheckError> {
        self.focus_watched(options, &mut |_| {})
    }

    /// The same, with somebody to be told how far it is.
    ///
    /// # Errors
    ///
    /// As for [`Program::focus`].
    pub fn focus_watched(
        &self,
        options: &FocusOptions,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Ways<'_>, CheckError> {
        if self.program.hardware.is_some() {
            let error = check::note("the ways in which a model of hardware fails are not told").at(Severity::Error);
            return Err(CheckError::Input(vec![error.with_help("`nearmiss explain` tells why it fails")]));
        }
        let mut options = options.clone();
        options.check = self.with_rounds(options.check, None);
        if let Some(claim) = self.reached {
            options.check.properties = vec![self.program.claims[claim.index()].id.clone()];
        }
        let mut found = stack::on_a_large_stack(|| focus::focus(&self.program, &self.sources, &options, progress))?;
        found.explanation.notes.extend(self.assumptions.iter().map(note));
        found.explanation.printed = printed_by_both(self, &found.explanation);
        Ok(Ways { program: self, found, properties: options.check.properties })
    }

    /// How far the bound grows by itself for a formula.
    fn with_rounds(&self, mut options: CheckOptions, depth: Option<u32>) -> CheckOptions {
        if self.program.temporal.is_some() && options.most_rounds.is_none() {
            let usual = if self.program.hardware.is_some() { MOST_CYCLES } else { MOST_ROUNDS };
            options.most_rounds = Some(depth.unwrap_or(usual).max(1));
        }
        options
    }
}

fn note(assumption: &Assumption) -> Diagnostic {
    let message = format!("it is assumed that {}", assumption.text);
    Diagnostic::error(assumption.span, message).at(Severity::Note)
}

/// Which question a [`Why`] answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// [`Program::check`].
    Check,
    /// [`Program::explain`].
    Explain,
}

/// An input of a run, as C writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its name: `n`, `a[2]`, `nondet_int()`.
    pub name: String,
    /// Its value: `-5`, `NULL`.
    pub value: String,
}

/// The answer to [`Program::check`] and [`Program::explain`]: a failing run, and why it fails.
#[derive(Clone, Debug)]
pub struct Why<'p> {
    asked: Asked,
    program: &'p Program,
    explanation: Explanation,
    properties: Vec<String>,
}

/// What both programs print in the failing run, where two are compared.
fn printed_by_both(program: &Program, explanation: &Explanation) -> Option<Both> {
    let failing = explanation.counterexample.as_ref()?;
    program.reference().filter(|reference| reference.programs)?;
    stack::on_a_large_stack(|| printed::of(&program.program, &failing.inputs, &Stop::default()))
}

/// A line that may be wrong, as a person would say it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuspectLine<'a> {
    /// Where it is.
    pub position: Position,
    /// The line, without the spaces around it.
    pub text: &'a str,
    /// Why it is suspected, the strongest reason first.
    pub because: &'a [Reason],
}

impl<'p> Why<'p> {
    fn new(asked: Asked, program: &'p Program, mut explanation: Explanation, properties: Vec<String>) -> Why<'p> {
        match &mut explanation.contrast {
            Some(contrast) => contrast.assumptions.extend(program.assumptions.iter().cloned()),
            None => explanation.notes.extend(program.assumptions.iter().map(note)),
        }
        explanation.printed = printed_by_both(program, &explanation);
        Why { asked, program, explanation, properties }
    }

    /// Which question this answers.
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// Does it fail?
    pub fn verdict(&self) -> Verdict {
        self.explanation.verdict
    }

    /// The failing run, if it fails: inputs, steps, and how far it was made small.
    pub fn failing(&self) -> Option<&Counterexample> {
        self.explanation.counterexample.as_ref()
    }

    /// The nearest passing run, if it was asked for and there is one.
    pub fn passing(&self) -> Option<&Nearest> {
        self.explanation.contrast.as_ref().and_then(|contrast| contrast.nearest.as_ref())
    }

    /// What to feed to the program to see it fail, in order.
    pub fn failing_inputs(&self) -> Vec<Named> {
        self.named(self.failing().map_or(&[], |failing| &failing.named))
    }

    /// What to feed to the program to see it pass, in order.
    pub fn passing_inputs(&self) -> Vec<Named> {
        self.named(self.passing().map_or(&[], |passing| &passing.named))
    }

    fn named(&self, inputs: &[InputValue]) -> Vec<Named> {
        let value = |input: &InputValue| show::value(&self.program.program, input.ty, input.value);
        inputs.iter().map(|input| Named { name: input.name.clone(), value: value(input) }).collect()
    }

    /// The relations between variables that cause the failure.
    pub fn causes(&self) -> &[Cause] {
        let causes = self.explanation.contrast.as_ref().and_then(|contrast| contrast.causes.as_ref());
        causes.map_or(&[], |causes| &causes.shown)
    }

    /// The lines to look at, the most suspect first.
    pub fn suspects(&self) -> impl Iterator<Item = SuspectLine<'_>> {
        let sources = &self.program.sources;
        let suspects = self.explanation.contrast.iter().flat_map(|contrast| &contrast.suspects);
        suspects.map(|suspect| SuspectLine {
            position: sources.position(suspect.span),
            text: sources.line_text(suspect.span).trim(),
            because: &suspect.because,
        })
    }

    /// Leaves out the fixes that an explanation has.
    pub fn withdraw_fixes(&mut self) {
        self.explanation.fixes = None;
        let suspects = self.explanation.contrast.iter_mut().flat_map(|contrast| &mut contrast.suspects);
        suspects.for_each(|suspect| suspect.because.retain(|reason| !matches!(reason, Reason::Fix(_))));
    }

    /// Leaves out some of the fixes of tests, by their numbers: lines that only these pointed at lose their place.
    pub fn withdraw(&mut self, is_refuted: &dyn Fn(usize) -> bool) {
        let Some(fixes) = &mut self.explanation.fixes else { return };
        let all = fixes.found.len();
        if all > 0 && is_refuted(0) {
            // The others were told from this one.
            fixes.found.iter_mut().for_each(|fix| fix.apart = None);
        }
        let mut number = 0..all;
        fixes.found.retain(|_| !number.next().is_some_and(is_refuted));
        if let Some(tests) = self.explanation.tests.as_mut().filter(|_| fixes.found.len() < all) {
            pointing::withdrawn(&self.program.sources, &mut tests.suspects, fixes);
        }
    }

    /// The fixes, if they were looked for.
    pub fn fixes(&self) -> Option<&Fixes> {
        self.explanation.fixes.as_ref()
    }

    /// The program that was asked.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Everything that was found out.
    pub fn explanation(&self) -> &Explanation {
        &self.explanation
    }

    /// Says of which crash file this is told.
    pub fn tell_crash(&mut self, crash: CrashFile) {
        self.explanation.crash = Some(crash);
    }

    /// Leaves out causes by their variables.
    pub fn leave_out_causes(&mut self, are_left_out: &dyn Fn(&[String]) -> bool) {
        let Some(contrast) = &mut self.explanation.contrast else { return };
        let Some(causes) = &mut contrast.causes else { return };
        let (out, shown) =
            std::mem::take(&mut causes.shown).into_iter().partition(|cause| are_left_out(&cause.variables));
        causes.shown = shown;
        let out: Vec<Cause> = out;
        for suspect in &mut contrast.suspects {
            let is_out = |text: &String| out.iter().any(|cause| cause.text == *text);
            suspect.because.retain(|reason| !matches!(reason, Reason::Cause(text) if is_out(text)));
        }
    }

    /// Adds things to know about it.
    pub fn note(&mut self, notes: impl IntoIterator<Item = Diagnostic>) {
        self.explanation.notes.extend(notes);
    }

    /// The claims that were asked about; none named means all.
    pub fn properties(&self) -> &[String] {
        &self.properties
    }

    /// The files, for places and texts.
    pub fn sources(&self) -> &'p Sources {
        &self.program.sources
    }
}

/// The answer to [`Program::focus`].
#[derive(Clone, Debug)]
pub struct Ways<'p> {
    program: &'p Program,
    found: Focus,
    properties: Vec<String>,
}

impl<'p> Ways<'p> {
    /// The ways, and what is known of others.
    pub fn found(&self) -> &Focus {
        &self.found
    }

    /// The program that was asked.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The claims that were asked about; none named means all.
    pub fn properties(&self) -> &[String] {
        &self.properties
    }
}
