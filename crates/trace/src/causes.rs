//! From a trace and formulas to a report: each formula is judged, its failures are explained, and what was found is checked again.

use std::time::Instant;

use nearmiss_logic::stop::Stop;

use crate::bits::{Bits, Truth};
use crate::ltl::core::{AtomId, Core, End, Node, NodeId};
use crate::ltl::expression::{Comparison, Keeping};
use crate::ltl::syntax::{Shape, Tree};
use crate::ltl::{self, Asks, Atom, Bound, Expression, Formula, Part};

use crate::failure::{After, Cause, Failure, Pair, Verdict};
use crate::recheck;
use crate::report::{Dot, Exactness, Judged, Lane, TraceCause, TraceFailure, TraceReport, TraceVerdict};
use crate::search::{Causes, Effort, Mode, Question};
use crate::wave::{SignalInfo, Value, Wave};

/// A formula whose names were looked up, and where the signals that it names are in the wave.
pub struct Asked<'a> {
    /// As it was written.
    pub formula: &'a Formula,
    /// With its names looked up.
    pub bound: &'a Bound,
    /// Per signal of the formula, its index in the wave.
    pub signals: Vec<usize>,
}

/// Which failures are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failures {
    /// The first.
    First,
    /// All, if the formula says that something holds always.
    All,
}

/// Is it wanted where each part of a formula is false?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lanes {
    /// Yes.
    Wanted,
    /// No.
    Unwanted,
}

/// Can it be a cause that nothing was aborted: that there was no reset?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aborts {
    /// Yes: conditions of aborts and the reset are as any others.
    Causes,
    /// No: they stay what they are on the trace. What takes an obligation back would have saved it, and that explains nothing.
    Given,
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct CausesOptions {
    /// How hard to look.
    pub mode: Mode,
    /// Which failures.
    pub failures: Failures,
    /// Does the run end with the trace?
    pub complete: bool,
    /// What of aborts and the reset?
    pub aborts: Aborts,
    /// Parts of formulas?
    pub lanes: Lanes,
    /// When to give up on what is exact.
    pub stop: Stop,
}

impl Default for CausesOptions {
    /// The first failure, exactly within a fixed effort, of a trace after which anything may come.
    fn default() -> CausesOptions {
        CausesOptions {
            mode: Mode::Budget,
            failures: Failures::First,
            complete: false,
            aborts: Aborts::Given,
            lanes: Lanes::Unwanted,
            stop: Stop::default(),
        }
    }
}

/// Failures beyond this many are only counted.
const MOST_FAILURES: usize = 1000;
/// So many other values of local variables are tried.
const MOST_TRIED: usize = 5_000;

/// Judges the formulas. `Err` is a bug of ours: something found did not stand the check.
pub fn explain(mut wave: Wave, asked: &[Asked], options: &CausesOptions) -> Result<TraceReport, String> {
    show_as_written(&mut wave, asked);
    let mut seconds = Vec::new();
    let judge = |asked: &Asked| judge(&wave, asked, options, &mut seconds);
    let formulas = asked.iter().map(judge).collect::<Result<Vec<Judged>, String>>()?;
    let mut notes: Vec<String> = asked.iter().flat_map(|asked| unseen_values(&wave, asked)).collect();
    let fails = |judged: &Judged| judged.verdict == TraceVerdict::Fails;
    let failing = asked.iter().zip(&formulas).filter(|(_, judged)| fails(judged));
    notes.extend(failing.filter_map(|(asked, _)| weak_below_not(&wave, asked, after(&wave, options))));
    notes.dedup();
    Ok(TraceReport { wave, formulas, notes, seconds })
}

/// Values are shown in the radix in which the formulas write them.
fn show_as_written(wave: &mut Wave, asked: &[Asked]) {
    let infos: Vec<SignalInfo> = wave.signals.iter().map(|signal| signal.info.clone()).collect();
    for (signal, radix) in asked.iter().rev().flat_map(|asked| ltl::radix(asked.formula, &infos)) {
        wave.signals[signal].info.radix = radix;
    }
}

/// One formula on the wave, while it is explained.
struct Case<'a> {
    wave: &'a Wave,
    asked: &'a Asked<'a>,
    core: &'a Core,
    word: &'a [Truth],
    question: &'a Question<'a>,
    after: After,
}

fn judge(
    wave: &Wave,
    asked: &Asked,
    options: &CausesOptions,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<Judged, String> {
    let mut since = Instant::now();
    let mut spent = |phase: &'static str| {
        seconds.push((phase, since.elapsed().as_secs_f64()));
        since = Instant::now();
    };
    let bound = asked.bound;
    let word: Vec<Truth> = bound.atoms.iter().map(|atom| ltl::truth(atom, wave, &asked.signals)).collect();
    spent("atoms");
    let after = after(wave, options);
    let given = |atom: &Atom| atom.kept.is_some() || atom.saving && options.aborts == Aborts::Given;
    let core = with_one_atom_for_equal_ones(bound, &word, given);
    let fixed = bound.atoms.iter().map(given).collect();
    let question = Question::new(&core, &word, wave.cycles, after).with_fixed(fixed);
    let case = Case { wave, asked, core: &core, word: &word, question: &question, after };
    let mut judged = Judged {
        formula: asked.formula.text.clone(),
        name: asked.formula.name.clone(),
        verdict: TraceVerdict::Fails,
        failures: Vec::new(),
        more_failures: 0,
        lanes: Vec::new(),
        signals: in_order_of_text(wave, asked),
    };
    let effort = Effort { mode: options.mode, stop: options.stop.clone() };
    let mut matters = None;
    let verdict = question.judge();
    spent("judging");
    if asked.formula.asks == Asks::Cover {
        judged.verdict = case.covered(&verdict);
        return Ok(judged);
    }
    match verdict {
        Verdict::Holds => judged.verdict = TraceVerdict::Holds(case.why_it_holds()),
        Verdict::Undecided => judged.verdict = TraceVerdict::Undecided(case.what_is_due()),
        Verdict::Fails(first) => {
            let mut failures = vec![first];
            if let (Failures::All, Some(body)) = (options.failures, bound.always) {
                let (all, more) = question.all_failures(body, MOST_FAILURES);
                if !all.is_empty() {
                    (failures, judged.more_failures) = (all, more);
                }
            }
            for failure in failures {
                let causes = question.causes(&failure, &effort);
                spent("causes");
                let trace = recheck::Trace { core: &core, word: &word, rows: wave.cycles, after };
                recheck::check(&trace, &failure, &causes.causes)
                    .map_err(|message| format!("`{}`: {message}", judged.formula))?;
                spent("checking");
                let mut told = case.failure(&failure, &causes);
                if bound.atoms.iter().any(|atom| atom.kept.is_some()) {
                    told.causes.extend(case.kept_causes(&failure));
                    told.causes.sort_by_key(|cause| cause.time);
                    if told.exactness == Exactness::Exact {
                        told.exactness = Exactness::ExactOnValues;
                    }
                }
                judged.failures.push(told);
                matters.get_or_insert(causes.matters);
            }
        }
    }
    if options.lanes == Lanes::Wanted {
        judged.lanes = case.lanes(matters.as_deref());
        spent("parts");
    }
    Ok(judged)
}

/// What comes after the rows.
fn after(wave: &Wave, options: &CausesOptions) -> After {
    match wave.loop_start {
        Some(row) => After::Row(row),
        None if options.complete => After::Nothing,
        None => After::Anything,
    }
}

/// Of a formula that fails: does it only because a sequence below a negation is weak?
fn weak_below_not(wave: &Wave, asked: &Asked, after: After) -> Option<String> {
    let strong = asked.bound.strong.as_ref()?;
    let word: Vec<Truth> = strong.atoms.iter().map(|atom| ltl::truth(atom, wave, &asked.signals)).collect();
    let verdict = Question::new(&strong.core, &word, wave.cycles, after).judge();
    (!matches!(verdict, Verdict::Fails(_))).then(|| {
        format!(
            "`{}` fails only because a sequence below a negation is weak, as the standards of SVA and PSL have it: it counts as \
             matched as long as it still can be. With strong(…) round the sequence the property does not fail here",
            asked.formula.text.trim()
        )
    })
}

/// Comparisons with a name that no cycle has: perhaps it is misspelt.
fn unseen_values<'a>(wave: &'a Wave, asked: &'a Asked) -> impl Iterator<Item = String> + 'a {
    let is_text = |side: &Expression| matches!(side, Expression::Constant(Value::Text(_)));
    asked.bound.atoms.iter().filter_map(move |atom| {
        let Expression::Compare(Comparison::Equal, _, left, right) = &atom.expression else { return None };
        let unseen = (is_text(left) || is_text(right)) && !ltl::truth(atom, wave, &asked.signals).yes.any();
        unseen.then(|| {
            format!("`{}` is true at no cycle of the trace; is the name spelt as the trace has it?", atom.text)
        })
    })
}

/// Atoms that differ only in what an unknown value counts as are one where no value is unknown; those that are given stay apart.
fn with_one_atom_for_equal_ones(bound: &Bound, word: &[Truth], given: impl Fn(&Atom) -> bool) -> Core {
    let mut core = bound.core.clone();
    for node in &mut core.nodes {
        if let Node::Literal { atom, .. } = node {
            let this = atom.0 as usize;
            let same = |other: &usize| {
                let (a, b) = (&bound.atoms[*other], &bound.atoms[this]);
                a.expression == b.expression && a.reads == b.reads && given(a) == given(b) && word[*other] == word[this]
            };
            if let Some(first) = (0..this).find(same) {
                *atom = AtomId(first as u32);
            }
        }
    }
    core
}

/// The signals of a formula in the order in which a reader comes across them.
fn in_order_of_text(wave: &Wave, asked: &Asked) -> Vec<usize> {
    let place = |signal: &usize| {
        let name = &wave.signals[*signal].info.name;
        let last = name.rsplit('.').next().unwrap_or(name);
        asked.formula.text.find(last).unwrap_or(usize::MAX)
    };
    let mut signals = asked.signals.clone();
    signals.sort_by_key(place);
    signals
}

/// Is there a sequence that may go on for as long as it likes?
fn has_no_limit(tree: &Tree) -> bool {
    let here = match &tree.shape {
        Shape::Delay(_, bounds, _) | Shape::Repeat(_, bounds, _) => bounds.to.is_none(),
        _ => false,
    };
    here || tree.shape.children().into_iter().any(has_no_limit)
}

/// How often, and where first.
fn how_often(cycles: &Bits) -> String {
    let first = cycles.ones().next().unwrap_or(0);
    match cycles.count() {
        1 => format!("once (at cycle {first})"),
        2 => format!("twice (first at cycle {first})"),
        count => format!("{count} times (first at cycle {first})"),
    }
}

impl Case<'_> {
    fn failure(&self, failure: &Failure, causes: &Causes) -> TraceFailure {
        let (at, round) = self.question.row_of(failure.positions - 1);
        let of_the_loop = matches!(failure.end, End::Loop(_));
        TraceFailure {
            start: failure.roots.iter().map(|(_, at)| self.question.row_of(*at).0).min().unwrap_or(0),
            at: if of_the_loop { self.wave.cycles - 1 } else { at },
            round: if of_the_loop { 0 } else { round },
            loop_start: self.wave.loop_start.filter(|_| of_the_loop),
            exactness: causes.exactness,
            causes: causes.causes.iter().map(|cause| self.cause(cause)).collect(),
        }
    }

    fn cause(&self, cause: &Cause) -> TraceCause {
        let atom = self.atom(cause.pair.atom.0);
        let truth = &self.word[cause.pair.atom.0 as usize];
        let row = cause.pair.row;
        let mut dots: Vec<Dot> = Vec::new();
        for read in &atom.reads {
            let signal = self.asked.signals[read.signal];
            let Some(time) = row.checked_sub(read.delay as usize) else { continue };
            if !dots.iter().any(|dot| dot.signal == signal && dot.time == time) {
                dots.push(Dot { signal, time, value: self.wave.signals[signal].text_at(time) });
            }
        }
        TraceCause {
            atom: atom.text.clone(),
            time: row,
            truth: match (truth.yes.get(row), truth.no.get(row)) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
            dots,
            exact: cause.exact,
            direct: cause.direct,
            responsibility: cause.others.map(|others| others as u32 + 1),
            others: (cause.witness.iter().flat_map(|(flips, _)| flips))
                .map(|flip| (self.atom(flip.pair.atom.0).text.clone(), flip.pair.row))
                .collect(),
        }
    }

    /// Values that local variables keep and in whose place another value of the trace would have saved the formula. Values that the trace does not
    /// have are not tried.
    fn kept_causes(&self, failure: &Failure) -> Vec<TraceCause> {
        let atoms = &self.asked.bound.atoms;
        let value = |atom: &Atom| match &atom.expression {
            Expression::Compare(_, _, body, constant) if atom.kept == Some(Keeping::This) => {
                Some((body.clone(), constant.clone()))
            }
            _ => None,
        };
        let all: Vec<_> = atoms.iter().enumerate().filter_map(|(i, atom)| Some((i, value(atom)?))).collect();
        let mut left = MOST_TRIED;
        let mut found: Vec<TraceCause> = Vec::new();
        for row in 0..failure.positions.min(self.wave.cycles) {
            for (i, (body, constant)) in &all {
                let is_told = |cause: &TraceCause| cause.time == row && cause.atom == atoms[*i].text;
                if !self.word[*i].yes.get(row) || found.iter().any(is_told) {
                    continue;
                }
                let same = |other: &usize| (&all[*other].1.0, &atoms[all[*other].0].reads) == (body, &atoms[*i].reads);
                let alike: Vec<usize> = (0..all.len()).filter(same).collect();
                let mut tried: Vec<&Expression> = vec![constant];
                for other in &alike {
                    let instead = &*all[*other].1.1;
                    if tried.contains(&instead) || left == 0 {
                        continue;
                    }
                    tried.push(instead);
                    left -= 1;
                    let mut word = self.word.to_vec();
                    for each in &alike {
                        let is = *all[*each].1.1 == *instead;
                        let truth = &mut word[all[*each].0];
                        truth.yes.set(row, is);
                        truth.no.set(row, !is);
                    }
                    if !Question::new(self.core, &word, self.wave.cycles, self.after).has_failure(failure) {
                        let pair = Pair { row, atom: AtomId(*i as u32) };
                        let cause = Cause { pair, exact: true, direct: true, others: None, witness: None };
                        found.push(self.cause(&cause));
                        break;
                    }
                }
            }
        }
        found
    }

    fn atom(&self, id: u32) -> &Atom {
        &self.asked.bound.atoms[id as usize]
    }

    fn text(&self, part: &Part) -> &str {
        self.asked.formula.text.get(part.range.clone()).unwrap_or_default()
    }

    /// What became of a `cover`, of which the formula says that it never comes about.
    fn covered(&self, verdict: &Verdict) -> TraceVerdict {
        let (Verdict::Fails(_), Some(body)) = (verdict, self.asked.bound.always) else {
            return TraceVerdict::Uncovered("it does not come about on this trace".to_owned());
        };
        let (failures, more) = self.question.all_failures(body, MOST_FAILURES);
        let starts: usize = failures.iter().map(|failure| failure.roots.len()).sum::<usize>() + more;
        let Some(first) = failures.first() else {
            return TraceVerdict::Covered("it comes about in the loop".to_owned());
        };
        let (at, round) = self.question.row_of(first.positions - 1);
        let start = first.roots.iter().map(|(_, at)| *at).min().unwrap_or(0);
        let mut text = match starts {
            1 => format!("it comes about once, at cycle {at}"),
            2 => format!("it comes about twice, first at cycle {at}"),
            _ => format!("it comes about {starts} times, first at cycle {at}"),
        };
        if round > 0 {
            text += &format!(" in round {} of the loop", round + 1);
        }
        if start != first.positions - 1 {
            text += &format!(" (begun at cycle {start})");
        }
        TraceVerdict::Covered(text)
    }

    /// Why the formula could not fail: what it promises was never asked for, or how often it was.
    fn why_it_holds(&self) -> String {
        let bound = self.asked.bound;
        let cannot_fail = |node: NodeId| *self.core.node(node) == Node::Constant(true);
        if cannot_fail(self.core.root) || bound.always.is_some_and(cannot_fail) {
            let weak = if has_no_limit(&self.asked.formula.tree) {
                ": a sequence without a limit may always still match, and is weak unless strong(…) stands round it"
            } else {
                ""
            };
            return format!("vacuous: no trace makes it fail{weak}");
        }
        let promised = self.promised();
        // Where a local variable alone decides, what it decides has no node of its own, and nobody can say how often it was asked for.
        let is_constant = |part: &&Part| {
            let mut copies = bound.parts.iter().filter(|other| other.range == part.range);
            copies.any(|copy| matches!(self.core.node(copy.node), Node::Constant(_)))
        };
        if promised.iter().any(is_constant) {
            return "satisfied: it is true on this trace".to_owned();
        }
        for (i, part) in promised.iter().enumerate() {
            let core = self.without(part);
            let question = Question::new(&core, self.word, self.wave.cycles, self.after);
            if question.judge() == Verdict::Holds {
                return match i.checked_sub(1) {
                    None => self.vacuous(part, core),
                    Some(wider) => self.held_otherwise(promised[wider], part),
                };
            }
        }
        let asked = bound.always.zip(promised.first()).map(|(body, part)| {
            let core = self.without(part);
            let question = Question::new(&core, self.word, self.wave.cycles, self.after);
            (part, question.fails(&[body]).remove(0))
        });
        let Some((part, asked)) = asked.filter(|(_, asked)| asked.any()) else {
            return "satisfied: it is true on this trace".to_owned();
        };
        format!("satisfied: `{}` was asked for {} and held", self.text(part), how_often(&asked))
    }

    /// What was asked for held, and would have held without this part of it: what is weak need not come, or another part was enough.
    fn held_otherwise(&self, wider: &Part, part: &Part) -> String {
        let core = self.without(wider);
        let question = Question::new(&core, self.word, self.wave.cycles, self.after);
        let asked = self.asked.bound.always.map(|body| question.fails(&[body]).remove(0)).filter(Bits::any);
        let often = asked.map(|asked| format!(" {}", how_often(&asked))).unwrap_or_default();
        let (wider, text) = (self.text(wider), self.text(part));
        format!("satisfied: `{wider}` was asked for{often} and held, as it would even if `{text}` were never true")
    }

    /// What the formula promises, the widest first. That is under no negation and no condition of an abort; what is promised last is
    /// what the formula is about. The whole of what an abort gives up counts only if it has no such parts: vacuity is a matter of what is
    /// below the abort.
    fn promised(&self) -> Vec<&Part> {
        let bound = self.asked.bound;
        let promises = |part: &Part| {
            !part.negated && !part.aborting && part.node != self.core.root && Some(part.node) != bound.always
        };
        let last =
            (0..bound.parts.len()).filter(|i| promises(&bound.parts[*i])).max_by_key(|i| bound.parts[*i].range.start);
        let ancestors = std::iter::successors(last, |i| bound.parts[*i].parent);
        let mut promised: Vec<&Part> = ancestors.map(|i| &bound.parts[i]).filter(|part| promises(part)).collect();
        promised.reverse();
        while promised.len() > 1 && bound.given_up.contains(&promised[0].node) {
            promised.remove(0);
        }
        promised
    }

    /// The formula with a part that is never true, for whichever values of local variables it was made.
    fn without(&self, part: &Part) -> Core {
        let mut core = self.core.clone();
        for copy in self.asked.bound.parts.iter().filter(|other| other.range == part.range) {
            core.nodes[copy.node.0 as usize] = Node::Constant(copy.negated);
        }
        core
    }

    /// Without this part the formula holds too: because nothing asks for it, or because that was taken back.
    fn vacuous(&self, part: &Part, mut without: Core) -> String {
        for saving in &self.asked.bound.savings {
            for (node, value) in [(saving.yes, false), (saving.no, true)] {
                if let Some(node) = node
                    && !matches!(without.node(node), Node::Constant(_))
                {
                    without.nodes[node.0 as usize] = Node::Constant(value);
                }
            }
        }
        let text = self.text(part);
        let question = Question::new(&without, self.word, self.wave.cycles, self.after);
        match self.asked.bound.always.map(|body| question.fails(&[body]).remove(0)) {
            Some(asked) if !self.asked.bound.savings.is_empty() && asked.any() => format!(
                "vacuous: it would hold even if `{text}` were never true, because what asks for it, {}, was given up by an abort \
                 or reset each time",
                how_often(&asked)
            ),
            None if !self.asked.bound.savings.is_empty() => {
                format!(
                    "vacuous: it would hold even if `{text}` were never true, because an abort or reset gives it up"
                )
            }
            _ => format!(
                "vacuous: it would hold even if `{text}` were never true, because nothing on this trace asks for it"
            ),
        }
    }

    /// What the trace is too short for: the innermost part that waits, and since when.
    fn what_is_due(&self) -> String {
        let bound = self.asked.bound;
        let waiting = self.question.due();
        let reaches_ahead = |node: NodeId| {
            matches!(
                bound.core.node(node),
                Node::Next { .. } | Node::Until { .. } | Node::Release { .. } | Node::Ahead { .. }
            )
        };
        let last = self.wave.cycles - 1;
        let due = bound.parts.iter().rev().find_map(|part| {
            let rows = waiting.get(part.node.0 as usize).filter(|_| !part.negated && reaches_ahead(part.node))?;
            rows.ones().next().map(|since| (part, since))
        });
        match due {
            Some((part, since)) => {
                format!(
                    "the trace ends at cycle {last} while `{}`, asked for at cycle {since}, is still due",
                    self.text(part)
                )
            }
            None => format!("the trace ends at cycle {last} with something still due"),
        }
    }

    fn lanes(&self, matters: Option<&[Bits]>) -> Vec<Lane> {
        let bound = self.asked.bound;
        // A part with local variables is true or false per value of these, and not per cycle.
        let once = |part: &Part| bound.parts.iter().filter(|other| other.range == part.range).count() == 1;
        let kept: Vec<usize> = (0..bound.parts.len()).filter(|i| once(&bound.parts[*i])).collect();
        let lane_of = |part: usize| kept.iter().position(|kept| *kept == part);
        let parent =
            |part: &Part| std::iter::successors(part.parent, |parent| bound.parts[*parent].parent).find_map(lane_of);
        let nodes: Vec<NodeId> = kept.iter().map(|part| bound.parts[*part].node).collect();
        let rows = self.question.fails(&nodes);
        let to_rows = |positions: &Bits| {
            let mut bits = Bits::filled(self.wave.cycles, false);
            positions.ones().for_each(|at| bits.set(self.question.row_of(at).0, true));
            bits
        };
        let lane = |(part, fails): (&Part, Bits)| Lane {
            text: self.text(part).to_owned(),
            start: part.range.start,
            end: part.range.end,
            parent: parent(part),
            fails: if part.negated { fails.not() } else { fails },
            matters: matters.map_or_else(
                || Bits::filled(self.wave.cycles, false),
                |matters| to_rows(&matters[part.node.0 as usize]),
            ),
        };
        kept.iter().map(|part| &bound.parts[*part]).zip(rows).map(lane).collect()
    }
}
