//! Witnesses of AIGER: `1`, what is violated, a line with what latches start as, and a line of inputs for each cycle.

use nearmiss_program::hardware::model::{Model, NodeId};
use nearmiss_trace::read::error::{Place, ReadError};

use super::{Run, Spoken, Told};

pub(super) fn read(text: &str, model: &Model) -> Result<Told, ReadError> {
    let (inputs, states) = (model.inputs(), model.states());
    let mut run = Run::new(model);
    let mut lines = (1..).map(|line| Place { line, column: 1 }).zip(text.lines().map(str::trim));
    match lines.next() {
        Some((_, "1")) => {}
        Some((at, "0")) => return Err(ReadError::new("this says that nothing is violated").at(at)),
        _ => {
            return Err(ReadError::new("this says that nothing is known").with_help("a witness begins with a line `1`"));
        }
    }
    let mut lines = lines.skip_while(|(_, line)| line.starts_with(['b', 'j', 'c']));
    let first = lines.next().ok_or_else(|| ReadError::new("it ends before it says what latches start as"))?;
    row(&mut run, 0, &states, first)?;
    for (cycle, line) in lines.take_while(|(_, line)| *line != ".").enumerate() {
        run.lasts(cycle + 1)?;
        row(&mut run, cycle, &inputs, line)?;
    }
    run.told(Vec::new())
}

/// A digit for each.
fn row(run: &mut Run<'_>, cycle: usize, of: &[NodeId], (at, line): (Place, &str)) -> Result<(), ReadError> {
    if line.len() != of.len() || !line.is_ascii() {
        let message = format!("{} digits are expected here, one for each", of.len());
        return Err(ReadError::new(message).at(at).with_help("is this a run of the model as it is now?"));
    }
    for (column, id) in of.iter().enumerate() {
        run.digits(cycle, Spoken::Word(*id), &line[column..=column], at)?;
    }
    Ok(())
}
