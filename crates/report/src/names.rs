//! Names for the objects that a run creates, so that pointers can be shown.
//!
//! A run keeps no objects, so the interpreter executes it once more and is asked for the names at its end.

use std::collections::BTreeMap;

use nearmiss_program::interp::{Interpreter, Limits, Recording};
use nearmiss_program::program::{Program, StatementKind};
use nearmiss_program::run::Inputs;

/// Names by number of the object.
pub type Names = BTreeMap<u64, String>;

/// Runs the program once more and asks for the names. With `--property` the other assertions are passed over.
pub fn of_objects(program: &Program, inputs: &Inputs, properties: &[String]) -> Names {
    // A model makes no objects, and by itself never ends.
    if program.hardware.is_some() {
        return Names::default();
    }
    let mut narrowed = None;
    if !properties.is_empty() {
        let program = narrowed.insert(program.clone());
        let claims = &program.claims;
        let passed_over = |kind: &StatementKind| match kind {
            StatementKind::Claim { claim, .. } => {
                let claim = &claims[claim.index()];
                claim.kind.goes_on() && !properties.contains(&claim.id)
            }
            _ => false,
        };
        for block in program.functions.iter_mut().flat_map(|function| &mut function.blocks) {
            block.statements.retain(|statement| !passed_over(&statement.kind));
        }
    }
    let program = narrowed.as_ref().unwrap_or(program);
    let execution = Interpreter::new(program).execute(inputs, &Limits::default(), Recording::Outcome);
    let first = program.first_dynamic_object();
    let mut allocated: BTreeMap<String, u32> = BTreeMap::new();
    let names = (first..).map_while(|object| execution.object_name(program, object).map(|name| (object, name)));
    names
        .map(|(object, name)| match name.split_once('(') {
            // `malloc(sizeof *p)#2` is more than a person wants to read in every line: `malloc#3` is the third of all.
            Some((callee, _)) => {
                let number = allocated.entry(callee.trim().to_owned()).or_default();
                *number += 1;
                (object, format!("{}#{number}", callee.trim()))
            }
            None => (object, name),
        })
        .collect()
}
