//! How good was a localisation? The part of the program that a reader need not look at.
//!
//! A reader starts from the reported lines and follows dependences in both directions, a step at a time, until a faulty
//! line is among what was read. The score is the share of the graph that was left unread (Renieris and Reiss, "Fault
//! localization with nearest neighbor queries", 2003; Groce, Chaki, Kroening, Strichman, "Error explanation with
//! distance metrics", 2006, section 6.3). A large program makes any report look good, hence the second score, which
//! compares with the lines that the failing run executes. One search of the graph.

use nearmiss_program::dependence::Dependences;

/// What was reported and what is true, as nodes of the graph.
#[derive(Clone, Copy, Debug)]
pub struct Localisation<'a> {
    /// The lines that were reported.
    pub reported: &'a [usize],
    /// The lines that are faulty.
    pub faulty: &'a [usize],
    /// The lines that the failing run executes.
    pub executed: &'a [usize],
}

/// How good it was.
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    /// The share of the graph that is left unread, from 0 to 1; 0 if the fault is never met.
    pub of_program: f64,
    /// The same of the failing run, 0 if more was read than it has; none where its lines are not known.
    pub of_run: Option<f64>,
    /// How many lines were read until the fault was met, or in vain.
    pub read: usize,
    /// How many steps along dependences that took; none if the fault is never met.
    pub steps: Option<usize>,
}

/// Follows dependences from the report until the fault is met.
pub fn score(graph: &Dependences, localisation: Localisation) -> Score {
    let layers = graph.grow(localisation.reported);
    let met = layers.iter().position(|layer| layer.iter().any(|node| localisation.faulty.contains(node)));
    let read = layers.iter().take(met.map_or(usize::MAX, |met| met + 1)).map(Vec::len).sum::<usize>();
    let unread = |of: usize| match met {
        Some(_) => (1.0 - read as f64 / of as f64).max(0.0),
        None => 0.0,
    };
    let mut executed = localisation.executed.to_vec();
    executed.sort_unstable();
    executed.dedup();
    Score {
        of_program: unread(graph.nodes.len()),
        of_run: (!executed.is_empty()).then(|| unread(executed.len())),
        read,
        steps: met,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nearmiss_program::dependence::{Edge, Kind, Line};

    /// Lines 0 to 9; each depends on the one before, but for 9, which stands alone.
    fn chain() -> Dependences {
        let nodes = (0..10).map(|line| Line { file: "a.c".to_owned(), line }).collect();
        let edges = (1..9).map(|to| Edge { from: to - 1, to, kind: Kind::Data }).collect();
        Dependences { nodes, edges }
    }

    fn scored(reported: &[usize], faulty: &[usize], executed: &[usize]) -> Score {
        score(&chain(), Localisation { reported, faulty, executed })
    }

    #[test]
    fn a_report_with_the_fault_costs_only_its_lines() {
        let expected = Score { of_program: 0.8, of_run: Some(0.6), read: 2, steps: Some(0) };
        assert_eq!(scored(&[3, 5, 3], &[5], &[0, 1, 2, 3, 5, 5]), expected);
    }

    #[test]
    fn dependences_are_followed_both_ways() {
        let expected = Score { of_program: 0.5, of_run: Some(0.0), read: 5, steps: Some(2) };
        assert_eq!(scored(&[4], &[2], &[0, 1, 2]), expected);
        assert_eq!(scored(&[4], &[6, 0], &[0, 1, 2]), expected);
    }

    #[test]
    fn a_fault_that_is_never_met_scores_nothing() {
        assert_eq!(scored(&[4], &[9], &[4]), Score { of_program: 0.0, of_run: Some(0.0), read: 9, steps: None });
        assert_eq!(scored(&[], &[1], &[]), Score { of_program: 0.0, of_run: None, read: 0, steps: None });
    }

    #[test]
    fn a_report_of_everything_scores_nothing() {
        assert_eq!(scored(&(0..10).collect::<Vec<_>>(), &[1], &[]).of_program, 0.0);
    }
}
