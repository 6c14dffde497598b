//! At which arrivals a missing condition would have to be other than neutral, found by trying: an angel decides, and the run says whether
//! that was right. (Chandra et al., "Angelic debugging", ICSE 2011.)

use std::collections::HashSet;

use nearmiss_logic::stop::Stop;
use nearmiss_logic::width::{low_bits, sign_extend};
use nearmiss_program::c::edit::guards::{self, Gap, Gaps, Term, TermKind, Watching};
use nearmiss_program::c::edit::{Edit, Editable};
use nearmiss_program::interp::{Deed, Interpreter, Recording};
use nearmiss_program::program::{GlobalId, Program};
use nearmiss_program::source::Sources;

use super::MOST_STEPS;
use super::runs::{Prepared, Runs};

/// So many gaps are lowered at once.
const BATCH: usize = 96;
/// So many single arrivals are tried, and so many from which on all are.
const MOST_SINGLE: usize = 8;
const MOST_FROM: usize = 3;
/// So many single ones together, where none is enough.
const MOST_SEVERAL: usize = 4;
/// So many ways to rescue a run are kept.
const MOST_WAYS: usize = 4;
/// So many passing runs are looked at, and so many arrivals of each run.
const MOST_PASSING: usize = 40;
const MOST_ARRIVALS: usize = 24;

/// What is in scope when a gap is come to, and whether its condition is other than neutral there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Arrival {
    pub(super) values: Vec<i128>,
    pub(super) turned: bool,
}

/// What runs say of the condition of a gap.
pub(super) struct Seen {
    /// For each failing run that can be rescued, ways to do so: all arrivals of the rescued run.
    pub(super) rescued: Vec<Vec<Vec<Arrival>>>,
    /// What was in scope in passing runs, each once.
    pub(super) passing: Vec<Vec<i128>>,
    /// Whether terms that call something have their values.
    pub(super) calling: bool,
}

/// Who tries.
pub(super) struct Angel<'a> {
    pub(super) editable: &'a Editable,
    pub(super) gaps: &'a Gaps<'a>,
    pub(super) sources: &'a Sources,
    /// Runs that were tried so far.
    pub(super) executed: usize,
    /// How many steps they took.
    pub(super) steps: u64,
    /// When to stop.
    pub(super) stop: &'a Stop,
}

/// Which arrivals are turned: a bit each, the last one stands for all that follow.
type Script = i64;

impl Angel<'_> {
    /// Of some gaps those at which every failing run can be rescued, each with ways to do it by number of the run.
    pub(super) fn rescuing(&mut self, wanted: &[usize], runs: &Runs, most: usize) -> Vec<(usize, Vec<Vec<Script>>)> {
        let mut found = Vec::new();
        for batch in wanted.chunks(BATCH) {
            if self.executed >= most || self.stop.requested() {
                break;
            }
            self.together(batch, runs, Watching::Nothing, &mut |angel, gap, interpreter, prepared, script| {
                let mut ways = vec![Vec::new(); runs.len()];
                let (mut rescued, mut failing) = (0, 0);
                for number in (0..runs.len()).filter(|number| runs.fails(*number)) {
                    failing += 1;
                    let (those, arrivals) = angel.ways(interpreter, prepared, script, runs, number);
                    rescued += usize::from(!those.is_empty());
                    // Of few arrivals all ways were tried.
                    if those.is_empty() && (arrivals < 3 || failing == 1) {
                        return;
                    }
                    ways[number] = those;
                }
                if 2 * rescued > failing {
                    found.push((gap, ways));
                }
            });
        }
        found
    }

    /// Ways to rescue a run, the plainest first; and how often the gap is come to.
    fn ways(
        &mut self,
        interpreter: &mut Interpreter,
        prepared: &Prepared,
        script: GlobalId,
        runs: &Runs,
        number: usize,
    ) -> (Vec<Script>, usize) {
        let mut found = Vec::new();
        let (mut arrivals, mut steps) = (0, 0);
        let mut attempt = |way: Script, found: &mut Vec<Script>, recording| {
            interpreter.start_with(script, u128::from((way << 1) as u64));
            self.executed += 1;
            let (execution, passes) = runs.execute(interpreter, prepared, number, recording);
            self.steps += execution.steps;
            if passes && way != 0 {
                found.push(way);
            }
            let arrivals = execution.deeds.iter().filter(|deed| guards::is_mark(deed.span)).count();
            (arrivals, execution.steps)
        };
        let (with_all, _) = attempt(-1, &mut found, Recording::Deeds);
        if with_all == 0 {
            return (Vec::new(), 0);
        }
        if with_all > 1 || found.is_empty() {
            (arrivals, steps) = attempt(0, &mut Vec::new(), Recording::Deeds);
        }
        if arrivals > 1 || with_all > 1 {
            let last = arrivals.clamp(1, 60) - 1;
            let singles = (0..arrivals.min(MOST_SINGLE)).chain((last >= MOST_SINGLE).then_some(last));
            for at in singles {
                if found.len() < MOST_WAYS {
                    attempt(1 << at, &mut found, Recording::Outcome);
                }
            }
            for at in 1..=MOST_FROM.min(arrivals.saturating_sub(1)) {
                if found.is_empty() {
                    attempt(-1 << at, &mut found, Recording::Outcome);
                }
            }
            // Several, each of which lets the run get further.
            let mut so_far: Script = 0;
            for _ in 0..MOST_SEVERAL {
                let mut best = None;
                for at in 0..(arrivals + so_far.count_ones() as usize).min(MOST_SINGLE) {
                    if found.is_empty() && so_far & 1 << at == 0 {
                        let way = so_far | 1 << at;
                        let (_, further) = attempt(way, &mut found, Recording::Outcome);
                        if further > steps {
                            (best, steps) = (Some(way), further);
                        }
                    }
                }
                let (Some(way), true) = (best, found.is_empty()) else { break };
                so_far = way;
            }
        }
        (found, arrivals.max(1))
    }

    /// What was in scope at gaps, in rescued and in passing runs.
    pub(super) fn look(&mut self, rescuing: &[(usize, Vec<Vec<Script>>)], runs: &Runs) -> Vec<(usize, Seen)> {
        let mut found = self.look_at(rescuing, runs, Watching::All);
        // What a term calls may fail where nobody would have called it.
        let is_seen = |gap: usize| found.iter().any(|(other, _)| *other == gap);
        let rest: Vec<_> = rescuing.iter().filter(|(gap, _)| !is_seen(*gap)).cloned().collect();
        found.extend(self.look_at(&rest, runs, Watching::Uncalled));
        found
    }

    fn look_at(
        &mut self,
        rescuing: &[(usize, Vec<Vec<Script>>)],
        runs: &Runs,
        watching: Watching,
    ) -> Vec<(usize, Seen)> {
        let mut found = Vec::new();
        for batch in rescuing.chunks(BATCH / 4) {
            if self.stop.requested() {
                break;
            }
            let wanted: Vec<usize> = batch.iter().map(|(gap, _)| *gap).collect();
            let ways_of = |gap: usize| batch.iter().find(|(other, _)| *other == gap).map(|(_, ways)| ways);
            self.together(&wanted, runs, watching, &mut |angel, gap, interpreter, prepared, script| {
                let Some(ways) = ways_of(gap) else { return };
                let terms = &angel.gaps.terms[angel.gaps.gaps[gap].terms];
                let calling = watching == Watching::All;
                let mut seen = Seen { rescued: Vec::new(), passing: Vec::new(), calling };
                let mut is_whole = true;
                let mut passing = 0;
                for number in 0..runs.len() {
                    if !runs.fails(number) && passing == MOST_PASSING {
                        continue;
                    }
                    passing += usize::from(!runs.fails(number));
                    let mut arrivals = |way: Script| {
                        interpreter.start_with(script, u128::from((way << 1) as u64));
                        angel.executed += 1;
                        let (execution, passes) = runs.execute(interpreter, prepared, number, Recording::Deeds);
                        angel.steps += execution.steps;
                        passes.then(|| arrivals(&execution.deeds, terms, way)).flatten()
                    };
                    if runs.fails(number) {
                        let ways = ways.get(number).map_or(&[][..], Vec::as_slice);
                        let known: Vec<Vec<Arrival>> = ways.iter().filter_map(|way| arrivals(*way)).collect();
                        is_whole &= known.len() == ways.len();
                        seen.rescued.extend((!known.is_empty()).then_some(known));
                    } else {
                        let rows = arrivals(0).unwrap_or_default();
                        seen.passing.extend(rows.into_iter().map(|arrival| arrival.values));
                    }
                }
                seen.passing.sort_unstable();
                seen.passing.dedup();
                if !seen.rescued.is_empty() && (is_whole || !calling) {
                    found.push((gap, seen));
                }
            });
        }
        found
    }

    /// Does something with each gap, where it has a script.
    fn together(
        &mut self,
        wanted: &[usize],
        runs: &Runs,
        watching: Watching,
        then: &mut dyn FnMut(&mut Self, usize, &mut Interpreter, &Prepared, GlobalId),
    ) {
        let forced = |gap: &usize| {
            let of: &Gap = &self.gaps.gaps[*gap];
            self.gaps.forced(of, watching).map(|edit| (*gap, edit))
        };
        let all: Vec<(usize, Edit)> = wanted.iter().filter_map(forced).collect();
        let all: Vec<&(usize, Edit)> = all.iter().filter(|(_, edit)| self.editable.goes_together(edit)).collect();
        let edits: Vec<Vec<&Edit>> = all.iter().map(|(_, edit)| vec![edit]).collect();
        let Ok(mut together) = self.editable.together(&edits, self.sources) else { return };
        guards::strip(&mut together.program);
        let narrowed = runs.named.narrowed(&together.program);
        let program: &Program = narrowed.as_ref().unwrap_or(&together.program);
        let Some(script) = guards::script(program) else { return };
        let prepared = runs.prepared(program);
        let mut interpreter = Interpreter::new(program);
        for ((gap, _), instead) in all.into_iter().zip(&together.instead) {
            if self.steps > MOST_STEPS {
                break;
            }
            interpreter.enter_instead(instead);
            then(self, *gap, &mut interpreter, &prepared, GlobalId(script as u32));
        }
    }
}

/// Conditions and truths that no run needs turned: some failing run comes to it once at most, and fails whatever it says. All edits that do no
/// more than turn one fail there, too.
pub(super) fn idle(
    editable: &Editable,
    turned: &[(u32, u32)],
    trusted: &dyn Fn(&str) -> bool,
    runs: &Runs,
    sources: &Sources,
    stop: &Stop,
) -> HashSet<(u32, u32)> {
    let Some(gaps) = editable.turns(sources, trusted, turned) else { return HashSet::new() };
    let scripted = editable.scripted();
    let mut angel = Angel { editable: &scripted, gaps: &gaps, sources, executed: 0, steps: 0, stop };
    // Of each gap the failing runs that it does not mend.
    let mut unmended: Vec<HashSet<usize>> = vec![HashSet::new(); gaps.gaps.len()];
    let all: Vec<usize> = (0..gaps.gaps.len()).collect();
    for batch in all.chunks(BATCH) {
        angel.together(batch, runs, Watching::Nothing, &mut |angel, gap, interpreter, prepared, script| {
            for number in (0..runs.len()).filter(|number| runs.fails(*number)) {
                interpreter.start_with(script, u128::from((-2i64) as u64));
                let (execution, passes) = runs.execute(interpreter, prepared, number, Recording::Deeds);
                angel.steps += execution.steps;
                let arrivals = execution.deeds.iter().filter(|deed| guards::is_mark(deed.span)).count();
                if !passes && arrivals <= 1 {
                    unmended[gap].insert(number);
                }
            }
        });
    }
    let both = unmended.chunks(2).zip(turned);
    both.filter(|(either, _)| !either[0].is_disjoint(&either[1])).map(|(_, turned)| *turned).collect()
}

/// What was taken down at each arrival: the terms in order, and then the script.
fn arrivals(deeds: &[Deed], terms: &[Term], way: Script) -> Option<Vec<Arrival>> {
    let marked: Vec<u128> = deeds.iter().filter(|deed| guards::is_mark(deed.span)).map(|deed| deed.value).collect();
    let each = terms.len() + 1;
    if !marked.len().is_multiple_of(each) {
        return None;
    }
    let row = |(number, chunk): (usize, &[u128])| {
        let value = |(term, bits): (&Term, &u128)| match term.kind {
            TermKind::Number(64, false) => (*bits & low_bits(64)) as i128,
            _ => sign_extend(*bits & low_bits(64), 64),
        };
        let values = terms.iter().zip(chunk).map(value).collect();
        Arrival { values, turned: way >> number.min(62) & 1 == 1 }
    };
    Some(marked.chunks(each).enumerate().take(MOST_ARRIVALS).map(row).collect())
}
