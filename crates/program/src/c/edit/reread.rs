//! Edits of the text that is read again, with every place where it was before: runs and claims are known by their places.

use super::{Edit, Editable, TextEdit};
use crate::c::front::{self, Changed};
use crate::c::tree::Tree;
use crate::c::{LIBRARY, Loader, lower};
use crate::program::Program;
use crate::source::{Sources, Span};

impl Editable {
    /// The program with each of some edits made in the text, if it is one then, given to somebody one after the other. The loader has the
    /// files as they are.
    pub fn reread<T: Send>(
        &self,
        edits: &[&Edit],
        loader: &dyn Loader,
        sources: &Sources,
        mut each: impl FnMut(usize, Program) -> Option<T> + Send,
    ) -> Vec<Option<T>> {
        let changes: Vec<Changed> = edits.iter().map(|edit| changed(&edit.text, sources)).collect();
        front::read_again(&self.files, &self.options, loader, sources, LIBRARY, &changes, |at, mut tree| {
            move_back(&mut tree, &edits[at].text);
            each(at, lower::lowered(&tree, &self.options, sources).ok()?.0)
        })
    }
}

fn changed(edit: &TextEdit, sources: &Sources) -> Changed {
    let mut text = sources.file(edit.span.file).text.clone();
    text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.new);
    Changed { file: edit.span.file, text }
}

/// Gives everything in a tree the place that it had before an edit.
fn move_back(tree: &mut Tree, edit: &TextEdit) {
    let (start, old_end, new_end) = (edit.span.start, edit.span.end, edit.span.start + edit.new.len() as u32);
    // What is new stands where the old text did.
    let moved = |at: u32, within: u32| match at {
        _ if at <= start => at,
        _ if at >= new_end => at - new_end + old_end,
        _ => within,
    };
    let back = |span: &mut Span| {
        if span.file == edit.span.file {
            (span.start, span.end) = (moved(span.start, start), moved(span.end, old_end));
        }
    };
    tree.exprs.iter_mut().for_each(|expr| back(&mut expr.span));
    tree.stmts.iter_mut().for_each(|stmt| back(&mut stmt.span));
    tree.objects.iter_mut().for_each(|object| back(&mut object.span));
    for function in &mut tree.functions {
        back(&mut function.span);
        back(&mut function.end);
    }
    tree.switches.iter_mut().for_each(|(span, _)| back(span));
    let uses = std::mem::take(&mut tree.statement_uses).into_iter();
    tree.statement_uses = uses
        .map(|mut span| {
            back(&mut span);
            span
        })
        .collect();
}
