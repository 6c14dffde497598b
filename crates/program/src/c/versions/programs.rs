//! Two versions of a whole program: both are called, the reference first, on the same standard input, and what they print and how they
//! exit is compared by the models of standard input and output (`../console.rs`).

use std::fmt::Write;

use super::{COMPARE, IN_MEMORY, LEAVES, PREFIX, Pair, READS, is_failure, refused, refused_at};
use crate::c::tree::{ExprKind, Function, Tree};
use crate::c::{Errors, checkers, console, standard, trial};
use crate::program::Type;
use crate::source::Diagnostic;

/// Functions that end a program with a status.
const EXITS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];
/// Functions that say what runs when a program ends, or what runs in between.
const LATER: [&str; 7] = ["atexit", "at_quick_exit", "on_exit", "signal", "sigaction", "raise", "kill"];
/// Functions of `stdio.h` after which the same is printed.
const QUIET: [&str; 4] = ["setbuf", "setvbuf", "setlinebuf", "fflush"];

/// What programs do at their ends.
#[derive(Default)]
pub(super) struct Ends {
    /// The reference may end by `exit`.
    pub(super) leaves: bool,
    /// One of them reads standard input.
    pub(super) reads: bool,
}

impl Pair<'_> {
    /// Refuses what a comparison of programs knows nothing of, and says what they do that others can see.
    pub(super) fn programs(&self, here: &Function, there: &Function) -> Result<Ends, Errors> {
        let mut found = Ends::default();
        for (tree, reach, main) in [(self.new, &self.reach, here), (self.old, &self.reached, there)] {
            let file = self.file_of(tree);
            if !tree.constructors.is_empty() || !tree.destructors.is_empty() {
                let what = format!("a comparison of programs with functions that run before or after main{file}");
                return refused_at(None, &what);
            }
            if !matches!(tree.ty(main.returns), Type::Integer { .. }) {
                return refused_at(
                    self.anchored(tree, main.span),
                    &format!("a comparison of a main that returns no int{file}"),
                );
            }
            for expr in &reach.exprs {
                let (kind, span) = (&tree.expr(*expr).kind, tree.expr(*expr).span);
                if let ExprKind::Object(object) = kind
                    && main.parameters.contains(object)
                {
                    let name = &tree.object(*object).name;
                    let what = format!("a comparison of programs that look at their arguments ({name}{file})");
                    return refused_at(self.anchored(tree, span), &what);
                }
                let ExprKind::FunctionAddress(function) = kind else { continue };
                let of = tree.function(*function);
                if of.body.is_some() {
                    continue;
                }
                found.leaves |= std::ptr::eq(tree, self.old) && EXITS.contains(&of.name.as_str());
                found.reads |= trial::is_reader(&of.name);
                if let Some(why) = objection(of) {
                    let what = format!("a comparison of programs that call {}{file}, {why}", of.name);
                    return refused_at(self.anchored(tree, span), &what);
                }
            }
        }
        Ok(found)
    }

    /// What stands behind the texts of both.
    pub(super) fn program_tails(
        &self,
        here: &Function,
        there: &Function,
        inputs: &[&Function],
    ) -> Result<[String; 2], Errors> {
        let (mut new, mut old) = ("\n".to_owned(), "\n".to_owned());
        let _ = writeln!(old, "int {PREFIX}main(void)\n{{\n    {}\n}}", self.called(self.old, there)?);
        let _ = writeln!(new, "void __nearmiss_assert(_Bool, const char *);");
        for input in inputs {
            self.shared(input, &mut new, &mut old);
        }
        let _ = writeln!(new, "int {PREFIX}main(void);\nvoid {}(int);", console::TURN);
        let _ = writeln!(
            new,
            "int {COMPARE}(void)\n{{\n    {}({PREFIX}main());\n    {}\n}}",
            console::TURN,
            self.called(self.new, here)?
        );
        Ok([new, old])
    }

    /// The call of `main`, which gets nothing but its name.
    fn called(&self, tree: &Tree, main: &Function) -> Result<String, Errors> {
        let names = format!("static char {PREFIX}name[] = \"program\", *{PREFIX}names[] = {{{PREFIX}name, 0}};\n    ");
        match main.parameters.len() {
            0 => Ok("return main();".to_owned()),
            1 => Ok("return main(1);".to_owned()),
            2 => Ok(format!("{names}return main(1, {PREFIX}names);")),
            _ => {
                let file = self.file_of(tree);
                let what = format!("a comparison of programs whose main has more than two parameters{file}");
                match self.anchored(tree, main.span) {
                    Some(span) => refused(span, &what),
                    None => Err(vec![Diagnostic {
                        span: None,
                        ..Diagnostic::error(main.span, format!("not supported: {what}"))
                    }]),
                }
            }
        }
    }
}

/// Why a call of a function of the library cannot be compared, if it cannot.
fn objection(of: &Function) -> Option<&'static str> {
    let name = of.name.as_str();
    let is_stream = standard::header_of(name) == Some("stdio.h");
    let is_text = name.starts_with("snprintf") || IN_MEMORY.contains(&name) || QUIET.contains(&name);
    match name {
        "abort" => None,
        _ if EXITS.contains(&name) => None,
        _ if LEAVES.contains(&name) => Some("which does not return"),
        _ if LATER.contains(&name) => Some("which lets functions run at other times"),
        _ if trial::is_console(name) => None,
        _ if READS.contains(&name) => Some("which would give each something else"),
        _ if trial::is_outside(name) || is_stream && !is_text => Some("which reaches beyond standard input and output"),
        _ if of.no_return && !checkers::is_reserved(name) && !is_failure(name) => Some("which does not return"),
        _ => None,
    }
}
