//! Garbage in, complaints out: manifests and task definitions with random damage are read or refused with places that the
//! text has, and never a panic. The same few thousand each time; `fuzz/` looks further.

use std::collections::BTreeSet;

use crate::complaint::Wrong;
use crate::folder::Listed;
use crate::plan::Planner;
use crate::task::Task;
use crate::{definition, manifest, yaml};

const SEEDS: [&str; 3] = [
    "defaults:\n  command: check\n  flags: --unwind 3 'a b'\n  timeout: 5\ntasks:\n  - a.c\n  - files: [a.c, b.c]\n    \
     name: both\n    expected: fails\n  - harnesses: p/**/*.c\n    files: b.c\n  - crashes: crashes\n    files: a.c\n",
    "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: r.prp\n    expected_verdict: true\noptions:\n  \
     language: C\n  data_model: ILP32\n",
    "tasks: [{files: a.c}, p, {files: b.c, memory: 10, name: 'x y'}, 'crashes/*']\n",
];

const WORDS: [&str; 16] =
    ["- ", ": ", "\n", "  ", "[", "]", "{", "}", "&a ", "*a", "'", "\"", "tasks:", "files:", "**", "\r\u{feff}"];

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn index(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }
}

fn damaged(dice: &mut Dice) -> String {
    let mut text: Vec<char> = SEEDS[dice.index(SEEDS.len())].chars().collect();
    for _ in 0..=dice.index(4) {
        let at = dice.index(text.len() + 1);
        let end = (at + dice.index(12)).min(text.len());
        let word: Vec<char> = WORDS[dice.index(WORDS.len())].chars().collect();
        match dice.index(4) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..end)),
            2 => drop(text.splice(at..end, word)),
            _ => drop(text.splice(at..at, word)),
        }
    }
    text.into_iter().collect()
}

#[test]
fn damaged_manifests_are_read_or_refused_with_places() {
    let mut dice = Dice(1);
    let (mut plans, mut refused) = (0, 0);
    for _ in 0..4000 {
        let text = damaged(&mut dice);
        let lines = text.matches(['\n', '\r']).count() + 2;
        let placed = |wrong: &[Wrong]| {
            let is_placed = |one: &Wrong| (1..=lines).contains(&one.at.line) && one.at.column >= 1;
            assert!(!wrong.is_empty() && wrong.iter().all(is_placed), "{text:?}: {wrong:?}");
        };
        match yaml::read(&text) {
            Ok(node) => {
                let _ = manifest::of(&node).map_err(|wrong| placed(&wrong));
                let _ = definition::of(&node).map_err(|wrong| placed(&wrong));
            }
            Err(wrong) => placed(&wrong),
        }
        let disk = Listed::of(&["a.c", "b.c", "p/c.c", "p/q/d.c", "crashes/1"])
            .with("r.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )")
            .with("suite.yml", &text);
        let planner = Planner { folder: &disk, shown: "", check: &|_, _| Ok(()) };
        let Ok(plan) = planner.of_file("suite.yml") else {
            refused += 1;
            continue;
        };
        plans += 1;
        let names: BTreeSet<&str> = plan.tasks.iter().map(|task| task.name.as_str()).collect();
        assert_eq!(names.len(), plan.tasks.len(), "{text:?}");
        for task in &plan.tasks {
            assert_eq!(Task::of_json(&task.json()).as_ref(), Ok(task));
        }
    }
    assert!(plans > 100 && refused > 100, "{plans} plans, {refused} refused");
}
