//! A manifest of a suite, or a task definition: read or refused with places that the text has. What was read becomes a plan
//! or complaints, on a disk that has a few files; each task of a plan reads back from its line, and no two have one name.
#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use nearmiss_suite::complaint::Wrong;
use nearmiss_suite::folder::Listed;
use nearmiss_suite::plan::Planner;
use nearmiss_suite::task::Task;
use nearmiss_suite::{definition, manifest, yaml};

fuzz_target!(|text: &str| {
    // YAML ends lines at carriage returns, too.
    let lines = text.matches(['\n', '\r']).count() + 1;
    let placed = |wrong: &[Wrong]| {
        assert!(!wrong.is_empty());
        for one in wrong {
            assert!(one.at.line >= 1 && one.at.line <= lines + 1 && one.at.column >= 1, "{one:?}");
        }
    };
    match yaml::read(text) {
        Ok(node) => {
            if let Err(wrong) = manifest::of(&node) {
                placed(&wrong);
            }
            if let Err(wrong) = definition::of(&node) {
                placed(&wrong);
            }
        }
        Err(wrong) => placed(&wrong),
    }
    // A property file, for all that is known.
    let _ = definition::checked(text);
    let disk = Listed::of(&["a.c", "b.c", "p/c.c", "p/q/d.c", "crashes/1"])
        .with("r.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )")
        .with("suite.yml", text);
    let planner = Planner { folder: &disk, shown: "", check: &|_, _| Ok(()) };
    let Ok(plan) = planner.of_file("suite.yml") else { return };
    let names: BTreeSet<&str> = plan.tasks.iter().map(|task| task.name.as_str()).collect();
    assert_eq!(names.len(), plan.tasks.len());
    for task in &plan.tasks {
        assert_eq!(Task::of_json(&task.json()).as_ref(), Ok(task));
    }
});
