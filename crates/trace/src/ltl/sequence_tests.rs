//! Sequences against a matcher that knows nothing of cores: on all short words, over random sequences.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use proptest::sample::select;

use super::core::{Core, Node, NodeId, Quantifier, Strength};
use super::syntax::{Bounds, Combine, Repeat, Shape, Spelling, Tree, Unary};
use super::tests::{core, signals};
use super::{bind, parse};

/// Per cycle, the values of `a` and `b`.
type Word = Vec<[bool; 2]>;

/// A core on a whole finite word, by definition.
struct Evaluator<'a> {
    core: &'a Core,
    /// Which of `a` and `b` each atom is.
    atoms: Vec<usize>,
    word: &'a Word,
    known: HashMap<(NodeId, usize), bool>,
}

impl Evaluator<'_> {
    fn at(&mut self, id: NodeId, i: usize) -> bool {
        if let Some(value) = self.known.get(&(id, i)) {
            return *value;
        }
        let length = self.word.len();
        let beyond = |strength: &Strength| *strength == Strength::Weak;
        let value = match self.core.node(id).clone() {
            Node::Constant(value) => value,
            Node::Literal { atom, negated } => self.word[i][self.atoms[atom.0 as usize]] != negated,
            Node::And(parts) => parts.iter().all(|part| self.at(*part, i)),
            Node::Or(parts) => parts.iter().any(|part| self.at(*part, i)),
            Node::Next { by, body, strength } => match i + by as usize {
                later if later < length => self.at(body, later),
                _ => beyond(&strength),
            },
            Node::Until { hold, goal, strength } => {
                self.at(goal, i)
                    || self.at(hold, i) && if i + 1 < length { self.at(id, i + 1) } else { beyond(&strength) }
            }
            Node::Release { stop, keep, strength } => {
                self.at(keep, i)
                    && (self.at(stop, i) || if i + 1 < length { self.at(id, i + 1) } else { beyond(&strength) })
            }
            Node::Ahead { quantifier, from, to, body } => {
                let mut window = i + from as usize..(i + to as usize + 1).min(length);
                match quantifier {
                    Quantifier::All => window.all(|j| self.at(body, j)),
                    Quantifier::Any => window.any(|j| self.at(body, j)),
                }
            }
            node => unreachable!("no past in sequences: {node:?}"),
        };
        self.known.insert((id, i), value);
        value
    }
}

fn holds(text: &str, word: &Word) -> bool {
    let bound = bind(&parse(text).unwrap_or_else(|error| panic!("{text}: {error}")), &signals(), None)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let atoms = bound.atoms.iter().map(|atom| usize::from(atom.text == "b")).collect();
    let root = bound.core.root;
    Evaluator { core: &bound.core, atoms, word, known: HashMap::new() }.at(root, 0)
}

/// Is a condition true in a cycle?
fn condition(tree: &Tree, at: [bool; 2]) -> bool {
    match &tree.shape {
        Shape::Boolean(value) => *value,
        Shape::Name(name) => at[usize::from(name == "b")],
        Shape::Unary(Unary::Not, body) => !condition(body, at),
        Shape::Braces(body) => condition(body, at),
        Shape::And(_, parts) => parts.iter().all(|part| condition(part, at)),
        Shape::Or(_, parts) => parts.iter().any(|part| condition(part, at)),
        shape => unreachable!("not a condition: {shape:?}"),
    }
}

fn within(count: usize, bounds: Bounds) -> bool {
    count >= bounds.from as usize && bounds.to.is_none_or(|to| count <= to as usize)
}

/// One past the last cycle of every match that starts at `i`.
fn ends(tree: &Tree, word: &Word, i: usize) -> BTreeSet<usize> {
    let length = word.len();
    let mut found = BTreeSet::new();
    if !tree.is_sequence() {
        if i < length && condition(tree, word[i]) {
            found.insert(i + 1);
        }
        return found;
    }
    match &tree.shape {
        Shape::Braces(body) => return ends(body, word, i),
        Shape::Or(_, parts) => parts.iter().for_each(|part| found.extend(ends(part, word, i))),
        Shape::Delay(first, bounds, second) => {
            let firsts = match first {
                Some(first) => ends(first, word, i),
                None if i < length => BTreeSet::from([i + 1]),
                None => BTreeSet::new(),
            };
            for (end, by) in firsts.iter().flat_map(|end| (0..=length + 1).map(move |by| (*end, by))) {
                if !within(by, *bounds) || end == i && by == 0 {
                    continue;
                }
                let start = end + by - 1;
                if start > length {
                    continue;
                }
                found.extend(ends(second, word, start).into_iter().filter(|last| *last > start || by > 0));
            }
        }
        Shape::Repeat(Repeat::Consecutive, bounds, body) => {
            let mut now = BTreeSet::from([i]);
            for count in 0..=bounds.to.unwrap_or(bounds.from + length as u32 + 1) {
                if within(count as usize, *bounds) {
                    found.extend(&now);
                }
                now = now.iter().flat_map(|start| ends(body, word, *start)).collect();
            }
        }
        Shape::Repeat(repeat, bounds, body) => {
            let mut count = 0;
            if bounds.from == 0 {
                found.insert(i);
            }
            for (j, at) in word.iter().enumerate().skip(i) {
                let here = condition(body, *at);
                count += usize::from(here);
                if within(count, *bounds) && (here || *repeat == Repeat::NonConsecutive) {
                    found.insert(j + 1);
                }
            }
        }
        Shape::Combine(Combine::Intersect, first, second) => {
            found = ends(first, word, i).intersection(&ends(second, word, i)).copied().collect();
        }
        Shape::And(spelling, parts) => {
            found = ends(&parts[0], word, i);
            for part in &parts[1..] {
                let other = ends(part, word, i);
                found = found
                    .iter()
                    .flat_map(|a| other.iter().map(move |b| (*a, *b)))
                    .filter(|(a, b)| *spelling != Spelling::Double || a == b)
                    .map(|(a, b)| a.max(b))
                    .collect();
            }
        }
        Shape::Combine(Combine::Within, first, second) => {
            let inside = |end: &usize| (i..=*end).any(|start| ends(first, word, start).range(..=*end).next().is_some());
            found = ends(second, word, i).into_iter().filter(inside).collect();
        }
        Shape::Combine(Combine::Throughout, first, second) => {
            let all = |end: &usize| word[i..*end].iter().all(|at| condition(first, *at));
            found = ends(second, word, i).into_iter().filter(all).collect();
        }
        shape => unreachable!("not a sequence: {shape:?}"),
    }
    found
}

fn words(longest: usize) -> Vec<Word> {
    let mut all = vec![Vec::new()];
    let mut last: Vec<Word> = all.clone();
    for _ in 0..longest {
        let letters = [[false, false], [false, true], [true, false], [true, true]];
        last = last.iter().flat_map(|word| letters.map(|letter| [word.as_slice(), &[letter]].concat())).collect();
        all.extend(last.iter().cloned());
    }
    all.remove(0);
    all
}

fn sequence() -> impl Strategy<Value = String> {
    let leaf = select(vec!["a", "b", "!a", "true", "a && !b"]).prop_map(|leaf| leaf.to_owned());
    leaf.prop_recursive(3, 10, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair.clone(), select(vec!["##0", "##1", "##2", "##[0:2]", "##[1:3]", "##[1:$]", "##[*]"]))
                .prop_map(|((a, b), delay)| format!("(({a}) {delay} ({b}))")),
            (inner.clone(), select(vec!["[*2]", "[*0:1]", "[*1:2]", "[*]", "[+]", "[*2:$]", "[*0]"]))
                .prop_map(|(a, times)| format!("(({a}){times})")),
            select(vec![
                "a[->]", "a[->2]", "b[->1:2]", "a[->1:$]", "b[=1]", "b[=0:1]", "a[=2:$]", "b[=0]", "a[*2]", "b[*]",
                "b[+]", "a[*1:2]"
            ])
            .prop_map(|text| format!("({text})")),
            (pair, select(vec!["or", "and", "intersect", "within"]))
                .prop_map(|((a, b), op)| format!("(({a}) {op} ({b}))")),
            inner.clone().prop_map(|a| format!("(b throughout ({a}))")),
            inner.clone().prop_map(|a| format!("(##1 ({a}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{{{{a}}} ; {{{b}}}}}")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("{{{{{a}}} : {{{b}}} }}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn matches_are_those_of_the_definition(text in sequence()) {
        let tree = parse(&text).unwrap().tree;
        let forms = [
            format!("strong({text})"),
            format!("weak({text})"),
            format!("({text}) #-# b"),
            format!("({text}) #=# b"),
        ];
        let implied = bind(&parse(&format!("(({text}) |-> b) && true")).unwrap(), &signals(), None).unwrap();
        let later = bind(&parse(&format!("(({text}) |=> b) && true")).unwrap(), &signals(), None).unwrap();
        for word in words(4) {
            let ends = ends(&tree, &word, 0);
            let matched = !ends.is_empty();
            let sequence = tree.is_sequence();
            let strong = if sequence { holds(&forms[0], &word) } else { matched };
            prop_assert_eq!(strong, matched, "strong {} on {:?}", &text, &word);
            prop_assert!(!matched || holds(&forms[1], &word), "weak {} on {:?}", &text, &word);
            let same = ends.iter().any(|end| *end > 0 && word[*end - 1][1]);
            prop_assert_eq!(holds(&forms[2], &word), same, "{} #-# b on {:?}", &text, &word);
            let next = ends.iter().any(|end| word.get(*end).is_some_and(|at| at[1]));
            prop_assert_eq!(holds(&forms[3], &word), next, "{} #=# b on {:?}", &text, &word);
            let run = |bound: &super::Bound| {
                let atoms = bound.atoms.iter().map(|atom| usize::from(atom.text == "b")).collect();
                // Below `always`, which the implication brings along.
                let body = bound.always.unwrap_or(bound.core.root);
                Evaluator { core: &bound.core, atoms, word: &word, known: HashMap::new() }.at(body, 0)
            };
            let all = ends.iter().all(|end| *end == 0 || word[*end - 1][1]);
            prop_assert_eq!(run(&implied), all, "{} |-> b on {:?}", &text, &word);
            let all = ends.iter().all(|end| word.get(*end).is_none_or(|at| at[1]));
            prop_assert_eq!(run(&later), all, "{} |=> b on {:?}", &text, &word);
        }
    }
}

#[test]
fn sequences_become_few_nodes() {
    let pairs = [
        ("a |-> ##[1:3] b", "G (!a | ((F[1:2] b) | (X[3] b)))"),
        ("a |-> strong(##[1:3] b)", "G (!a | (F[1:3] b))"),
        ("a |-> ##2 b", "G (!a | (X[2] b))"),
        ("a ##1 b |-> c", "G (!a | (X (!b | c)))"),
        ("{a; b[*]; c} |=> d", "G (!a | ((X (((!c | (X d)) R !b) ... "),
        ("a |-> b[*3] ##1 c", "G (!a | ((G[0:2] b) & (X[2] (X c))))"),
        ("a[->2] |-> b", "G (a R (!a | (X (a R (!a | b)))))"),
        ("strong(a[+] ##1 b)", "(X! b) M a"),
        ("{a; b}!", "a & (X! b)"),
        ("not (a ##1 b)", "!a | (X! !b)"),
        ("a ##[1:$] b", "a"),
        ("a |-> strong(##[1:$] b)", "G (!a | (X! (F b)))"),
        ("first_match(a ##[1:2] b)", "a & ((X! b) | (X[2] b))"),
        ("disable iff (c) a |-> ##2 b", "G ((!a | ((X[2] (b | c)) | (F[0:1] c))) | c)"),
    ];
    for (text, expected) in pairs {
        if expected.ends_with("... ") {
            assert!(core(text).starts_with("G (!a"), "{}", core(text));
        } else {
            assert_eq!(core(text), expected, "{text}");
        }
    }
    assert!(core("strong((a ##1 b)[+] ##1 c)").contains("X! @"), "{}", core("strong((a ##1 b)[+] ##1 c)"));
    assert_eq!(core("first_match(a ##[1:2] b) |-> c").split(' ').next(), Some("`first_match`"));
    assert!(core("(a ##[1:100000] b) intersect c[*]").contains("more than 5000 states"));
    assert!(core("(a ##1 b)[*1000000] |-> c").contains("repetitions are not supported here"));
}
