//! Graphs written out by hand, and what must hold for every graph.
//!
//! A graph is a text with one line for each node: its number, the lines that it gets values from, and behind `|` the
//! lines that decide whether it is executed.

use std::io;
use std::path::Path;

use super::*;
use crate::c::{self, Loader, Options};

struct Text(&'static str);

impl Loader for Text {
    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.exists(path) { Ok(self.0.into()) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new("t.c")
    }
}

/// The graph of a text whose first line is empty, so that line 2 is the first one written.
fn graph(text: &'static str) -> Dependences {
    let mut sources = Sources::new();
    let program = c::read(&["t.c".to_owned()], &Options::default(), &Text(text), &mut sources);
    dependences(&program.expect("it is C"), &sources)
}

fn shown(graph: &Dependences) -> Vec<String> {
    let causes = |to: usize, kind: Kind| {
        let causes = graph.edges.iter().filter(move |edge| edge.to == to && edge.kind == kind);
        causes.map(|edge| graph.nodes[edge.from].line.to_string()).collect::<Vec<_>>().join(" ")
    };
    let node = |to: usize| {
        let (data, control) = (causes(to, Kind::Data), causes(to, Kind::Control));
        let bar = if control.is_empty() { "" } else { " | " };
        let space = if data.is_empty() { "" } else { " " };
        format!("{}:{space}{data}{bar}{control}", graph.nodes[to].line)
    };
    (0..graph.nodes.len()).map(node).collect()
}

#[track_caller]
fn check(text: &'static str, expected: &[&str]) {
    assert_eq!(shown(&graph(text)), expected, "{text}");
}

#[test]
fn straight_line() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = nondet_int();
            int y = x + 1;
            int z;
            z = 2;
            x = y;
            return x + z;
        }";
    check(text, &["3:", "4: | 3", "5: 4 | 3", "6: | 3", "7: 6 | 3", "8: 5 | 3", "9: 7 8 | 3"]);
}

#[test]
fn if_and_else() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = nondet_int();
            int y = 0;
            if (x > 0)
                y = 1;
            else
                x = 2;
            return x + y;
        }";
    check(text, &["3:", "4: | 3", "5: | 3", "6: 4 | 3", "7: | 6", "9: | 6", "10: 4 5 7 9 | 3"]);
}

#[test]
fn a_loop() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int n = nondet_int();
            int sum = 0;
            int i = 0;
            while (i < n) {
                sum += i;
                i++;
            }
            return sum;
        }";
    let expected = ["3:", "4: | 3", "5: | 3", "6: | 3", "7: 4 6 9 | 3", "8: 5 6 9 | 7", "9: 6 | 7", "11: 5 8 | 3"];
    check(text, &expected);
}

#[test]
fn an_early_return_decides_what_follows() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = nondet_int();
            if (x > 3)
                return 1;
            x = 4;
            return x;
        }";
    check(text, &["3:", "4: | 3", "5: 4 | 3", "6: | 5", "7: | 5", "8: 7 | 5"]);
}

#[test]
fn a_goto_decides_what_it_jumps_over() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = nondet_int();
            int y = 1;
            if (x)
                goto end;
            y = 2;
        end:
            return y;
        }";
    check(text, &["3:", "4: | 3", "5: | 3", "6: 4 | 3", "8: | 6", "10: 5 8 | 3"]);
}

#[test]
fn a_loop_that_never_ends_decides_nothing_before_it() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = 1;
            int y = 0;
            for (;;) {
                y = y + x;
                if (nondet_int())
                    x = y;
            }
        }";
    check(text, &["3:", "4: | 3", "5: | 3", "7: 4 5 9 | 3", "8: | 3", "9: 7 | 8"]);
}

#[test]
fn a_switch_falls_through() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = nondet_int();
            int y = 0;
            switch (x) {
            case 1:
                y = 1;
            case 2:
                y = y + 1;
                break;
            default:
                y = 7;
            }
            return y;
        }";
    let expected =
        ["3:", "4: | 3", "5: | 3", "7: 4 | 3", "8: | 7", "9: 4 | 7", "10: 5 8 | 7 9", "13: | 9", "15: 10 13 | 3"];
    check(text, &expected);
}

#[test]
fn a_call_gives_values_and_gets_one() {
    let text = "
        int nondet_int(void);
        int add(int a,
                int b) {
            int sum = a;
            sum += b;
            return sum;
        }
        int main(void) {
            int x = nondet_int();
            int y = add(x, 1);
            add(2,
                x);
            return y;
        }";
    check(
        text,
        &[
            "3: 11 12 | 11 12",
            "4: 11 12 | 3",
            "5: 3 | 3",
            "6: 4 5 | 3",
            "7: 6 | 3",
            "9:",
            "10: | 9",
            "11: 7 10 | 9",
            "12: 10 | 9",
            "14: 11 | 9",
        ],
    );
}

#[test]
fn a_global_is_written_in_a_function() {
    let text = "
        int nondet_int(void);
        int g = 5;
        int h;
        static void set(void) {
            g = h;
        }
        int main(void) {
            h = nondet_int();
            int before = g;
            set();
            int after = g;
            g = 1;
            return before + after + g;
        }";
    // Lines 6 and 9 are the first to assign what lines 3 and 4 declare; line 6 hides line 3 from line 13.
    let expected = [
        "3:",
        "4:",
        "5: | 11",
        "6: 3 9 | 5",
        "8:",
        "9: 4 | 8",
        "10: 3 | 8",
        "11: | 8",
        "12: 6 | 8",
        "13: | 8",
        "14: 10 12 13 | 8",
    ];
    check(text, &expected);
}

#[test]
fn a_global_that_is_perhaps_written_keeps_its_value() {
    let text = "
        int nondet_int(void);
        int g = 0;
        static void set(int on) {
            if (on)
                g = 2;
        }
        int main(void) {
            set(nondet_int());
            return g;
        }";
    check(text, &["3:", "4: 9 | 9", "5: 4 | 4", "6: 3 | 5", "8:", "9: | 8", "10: 3 6 | 8"]);
}

#[test]
fn a_store_through_a_pointer() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = 1;
            int other = 2;
            int *p = &x;
            *p = other;
            other = *p;
            return x + other;
        }";
    // `other` is not reached by the pointer, and the store does not hide the initial value of `x`.
    check(text, &["3:", "4: | 3", "5: | 3", "6: | 3", "7: 5 6 | 3", "8: 4 6 7 | 3", "9: 4 7 8 | 3"]);
}

#[test]
fn memory_from_malloc_and_its_end() {
    let text = "
        void *malloc(unsigned long);
        void free(void *);
        int main(void) {
            int *p = malloc(4);
            *p = 1;
            free(p);
            return *p;
        }";
    check(text, &["4:", "5: | 4", "6: 5 | 4", "7: 5 | 4", "8: 5 6 7 | 4"]);
}

#[test]
fn an_array_is_one_variable() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int a[3] = {0};
            int i = nondet_int() & 1;
            a[i] = 1;
            a[2] = 2;
            return a[0];
        }";
    check(text, &["3:", "4: | 3", "5: | 3", "6: 5 | 3", "7: | 3", "8: 4 6 7 | 3"]);
}

#[test]
fn recursion() {
    let text = "
        int nondet_int(void);
        int down(int n) {
            if (n == 0)
                return 0;
            return 1 + down(n - 1);
        }
        int main(void) {
            return down(3);
        }";
    check(text, &["3: 6 9 | 6 9", "4: 3 | 3", "5: | 4", "6: 3 5 | 4", "8:", "9: 5 6 | 8"]);
}

#[test]
fn an_activation_does_not_hide_the_object_of_another() {
    let text = "
        int nondet_int(void);
        static int *first;
        static void down(int n) {
            int x;
            x = n;
            if (n == 1)
                first = &x;
            if (n > 0)
                down(n - 1);
            else
                n = *first;
        }
        int main(void) {
            down(2);
            return 0;
        }";
    let graph = graph(text);
    let found = shown(&graph);
    assert!(found.contains(&"12: 3 5 6 8 | 9".to_owned()), "{found:?}");
}

#[test]
fn an_undefined_variable_that_is_read_is_where_it_is_declared() {
    let text = "
        int main(void) {
            int x, y;
            y = 1;
            return x + y;
        }";
    check(text, &["2:", "3: | 2", "4: 3 | 2", "5: 3 4 | 2"]);
}

#[test]
fn a_declaration_reaches_what_no_assignment_hides() {
    let text = "
        extern int outside;
        static int zero;
        int unmentioned;
        int main(void) {
            int a[2];
            int unused;
            int late;
            static int kept;
            int *p = &late;
            a[0] = zero;
            a[1] = kept++;
            if (outside)
                late = 1;
            late = 2;
            late = 3;
            return a[0] + *p;
        }";
    // Nothing decides a static object. The elements do not hide their array, but line 15 hides line 8 from line 16.
    let expected = [
        "2:",
        "3:",
        "5:",
        "6: | 5",
        "7: | 5",
        "8: | 5",
        "9:",
        "10: 8 | 5",
        "11: 3 6 | 5",
        "12: 6 9 | 5",
        "13: 2 | 5",
        "14: 8 | 13",
        "15: 8 | 5",
        "16: | 5",
        "17: 6 10 11 12 16 | 5",
    ];
    check(text, &expected);
}

#[test]
fn an_entry_stands_where_the_name_stands() {
    let text = "
        static int
        twice(int n)
        {
            return 2 * n;
        }
        int
        main(void)
        {
            return twice(3);
        }";
    check(text, &["3: 10 | 10", "5: 3 | 3", "8:", "10: 5 | 8"]);
}

#[test]
fn a_function_that_is_never_called_stands_apart() {
    let text = "
        static int g;
        static void set(void) {
            g = 3;
        }
        int main(void) {
            void (*later)(void) = set;
            return later == 0;
        }";
    check(text, &["2:", "3:", "4: | 3", "6:", "7: | 6", "8: 7 | 6"]);
}

#[test]
fn the_address_of_a_global_mentions_it() {
    let text = "
        static int g;
        int main(void) {
            int *p = &g;
            return p == 0;
        }";
    check(text, &["2:", "3:", "4: 2 | 3", "5: 4 | 3"]);
}

#[test]
fn a_model_of_the_library_stands_at_its_call() {
    let text = "
        unsigned long strlen(const char *);
        int main(void) {
            char text[4];
            text[0] = 'a';
            text[1] = 0;
            return strlen(text);
        }";
    check(text, &["3:", "4: | 3", "5: 4 | 3", "6: 4 | 3", "7: 4 5 6 | 3"]);
}

#[test]
fn conditions_with_calls_stand_where_they_stand() {
    let text = "
        int nondet_int(void);
        static int positive(int n) {
            return n > 0;
        }
        int main(void) {
            int x = nondet_int();
            int y = positive(x)
                    && positive(x + 1);
            return y;
        }";
    check(text, &["3: 8 9 | 8 9", "4: 3 | 3", "6:", "7: | 6", "8: 4 7 | 6 9", "9: 4 7 | 8", "10: 8 | 6"]);
}

#[test]
fn growth_goes_both_ways_in_layers() {
    let text = "
        int nondet_int(void);
        int main(void) {
            int x = nondet_int();
            int y = x + 1;
            int z = y + 1;
            int other = 1;
            return z;
        }";
    let graph = graph(text);
    let at = |line: u32| graph.node(&Line { file: "t.c".to_owned(), line }).expect("a node");
    let lines = |nodes: &[usize]| nodes.iter().map(|node| graph.nodes[*node].line).collect::<Vec<_>>();
    let layers: Vec<Vec<u32>> = graph.grow(&[at(5)]).iter().map(|layer| lines(layer)).collect();
    assert_eq!(layers, [vec![5], vec![3, 4, 6], vec![7, 8]]);
    assert_eq!(lines(&graph.backward(&[at(6)])), [3, 4, 5, 6]);
    assert!(graph.grow(&[]).is_empty());
    assert_eq!(graph.node(&Line { file: "t.c".to_owned(), line: 1 }), None);
}
