"""The options of each command with their types. Written by `write_options.py` from the command line's parser: do not edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypedDict

from .asking import StrPath


class ProgramOptions(TypedDict, total=False):
    """What all commands on programs take."""

    #: Start execution in this function instead of main; its parameters are inputs
    function: str | None
    #: Check only this claim (see --show-properties); may be repeated
    property: str | Iterable[str] | None
    #: Check what this property file of SV-COMP says, and nothing else: reachability of reach_error, overflows,
    #: memory safety or memory cleanup
    property_file: StrPath | None
    #: Registers at a fixed address: pointers to them are valid, and every volatile read gives any value; may be
    #: repeated
    mmio: str | Iterable[str] | None
    #: Every read of a volatile object gives any value [default: what was written last]
    nondet_volatile: bool | None
    #: Static variables hold any value at the start, whatever they are initialised with; those that are const keep
    #: their value, as in CBMC
    nondet_static: bool | None
    #: Floats are rounded down until the program calls fesetround [default: to nearest]
    round_to_minus_inf: bool | None
    #: Floats are rounded up until the program calls fesetround
    round_to_plus_inf: bool | None
    #: Floats are rounded toward zero until the program calls fesetround
    round_to_zero: bool | None
    #: From level N on pointers may be NULL: with 1, those that the entry function gets never are, with 2 neither are
    #: those in what they point to [default: 0, they are NULL or point to an object of their own]
    min_null_tree_depth: int | None
    #: A label that must not be reached; may be repeated
    error_label: str | Iterable[str] | None
    #: Functions without a body write nothing through the pointers that they get, as in CBMC [default: what non-const
    #: pointers point to may have any value after the call]
    no_havoc_arguments: bool | None
    #: The opposite of `--no-havoc-arguments`
    havoc_arguments: bool | None
    #: Come to the head of a loop, or from a function into itself, at most N times in a row, as CBMC counts: a
    #: `while` or `for` loop completes N - 1 turns, a `do` loop N [default: the bound grows by itself]
    unwind: int | None
    #: Bounds for single loops (see --show-loops), for example main.0:5,main.1:9. Loops of a function are numbered as
    #: CBMC does, by where they end: a loop inside another has the smaller number
    unwindset: str | Iterable[str] | Mapping[str, int] | None
    #: Fail if the given bound does not suffice [default: undecided]
    unwinding_assertions: bool | None
    #: The claims need to hold only up to the given bound
    no_unwinding_assertions: bool | None
    #: Run main on the tests in this folder: NAME.in is what it reads, NAME.out what it must print; NAME.args
    #: (arguments) and NAME.code (exit status) may be there, too; or NAME/input, NAME/output, NAME/args, NAME/code
    tests: StrPath | None
    #: Run main once, with this file on standard input [default with --expect: nothing]
    stdin: StrPath | None
    #: What it must then print is in this file [default with --stdin: anything, so that it fails by its checks alone]
    expect: StrPath | None
    #: How that is compared: exact, space (white space at the ends of lines and at the end does not count) or numbers
    #: (word by word, and numbers by their values, up to one part in a million, below 1 up to a millionth)
    compare: Literal["exact", "space", "numbers"] | None
    #: The program must print what the one in this file prints and end with the same exit status, for all inputs;
    #: with --function, the function must return what it returns there, and leave the same behind its pointers and in
    #: global variables. Both files may use the same names. The reference is trusted; inputs for which it does what C
    #: leaves undefined are left out, and the answer says so. With --stdin FILE both programs read that text
    reference: StrPath | None
    #: Both programs read any text of up to so many characters on standard input, at most 64 [default: 8]
    stdin_size: int | None
    #: Run the program on the bytes of this file, as a fuzzer does: LLVMFuzzerTestOneInput(data, size) gets them, or
    #: what --function names, or else main finds them on standard input
    crash: StrPath | None
    #: Arguments of main, between quotes; @@ stands for the name of a file with the bytes, as in AFL
    arguments: str | None
    #: What ASan, UBSan or a fuzzer printed of the crash: says whether the run violates the claim at that place
    sanitizer: StrPath | None
    #: Write an input to this file: check, the smaller crash file; explain, the nearest one that passes
    emit_input: StrPath | None
    #: Look for headers in DIR
    I: StrPath | Iterable[StrPath] | None
    #: Define a macro, as 1 where no value is given
    D: str | Iterable[str] | Mapping[str, object] | None
    #: Undefine a macro
    U: str | Iterable[str] | None
    #: Include FILE before every file, as `-include` after `--` does
    include: StrPath | Iterable[StrPath] | None
    #: `char` has no sign, whatever the machine has
    unsigned_char: bool | None
    #: Widths, alignments and signs of types as gcc has them for x86_64, i386, cortex-m, riscv32, avr or msp430. Only
    #: the interpreter replays runs of the last four [default: x86_64]
    arch: str | None
    #: The highest byte of a value comes first in memory, and bit-fields start at the highest bit. Only the
    #: interpreter replays runs [default: the lowest byte]
    big_endian: bool | None
    #: The lowest byte of a value comes first in memory (default)
    little_endian: bool | None
    #: int has 16 bits, long and pointers 32, as CBMC has them. Only the interpreter replays runs
    LP32: bool | None
    #: long and pointers have 32 bits, as on i386
    ILP32: bool | None
    #: long and pointers have 64 bits (default)
    LP64: bool | None
    #: Only written assertions, and the checks that are asked for by name
    no_standard_checks: bool | None
    #: The opposite of `--no-standard-checks`
    standard_checks: bool | None
    #: Ignore written assertions
    no_assertions: bool | None
    #: The opposite of `--no-assertions`
    assertions: bool | None
    #: Ignore written assumptions. Only the interpreter replays runs
    no_assumptions: bool | None
    #: The opposite of `--no-assumptions`
    assumptions: bool | None
    #: Array indices may be out of bounds
    no_bounds_check: bool | None
    #: The opposite of `--no-bounds-check`
    bounds_check: bool | None
    #: Bad pointers may be used and freed
    no_pointer_check: bool | None
    #: The opposite of `--no-pointer-check`
    pointer_check: bool | None
    #: Divisors may be zero
    no_div_by_zero_check: bool | None
    #: The opposite of `--no-div-by-zero-check`
    div_by_zero_check: bool | None
    #: Signed arithmetic may wrap around; what C has no value for, the least number / -1 or % -1, is any value
    no_signed_overflow_check: bool | None
    #: The opposite of `--no-signed-overflow-check`
    signed_overflow_check: bool | None
    #: Shifts may be too far
    no_undefined_shift_check: bool | None
    #: The opposite of `--no-undefined-shift-check`
    undefined_shift_check: bool | None
    #: Unsigned arithmetic must not wrap around
    unsigned_overflow_check: bool | None
    #: The opposite of `--unsigned-overflow-check`
    no_unsigned_overflow_check: bool | None
    #: Conversions must not change the value, casts included; numbers with fractions must fit without these
    conversion_check: bool | None
    #: The opposite of `--conversion-check`
    no_conversion_check: bool | None
    #: What is read or written through a pointer must lie at a multiple of what its type is aligned to
    alignment_check: bool | None
    #: The opposite of `--alignment-check`
    no_alignment_check: bool | None
    #: Arithmetic on floating-point numbers must not make an infinity of finite ones
    float_overflow_check: bool | None
    #: The opposite of `--float-overflow-check`
    no_float_overflow_check: bool | None
    #: Divisors of floating-point numbers must not be zero
    float_div_by_zero_check: bool | None
    #: The opposite of `--float-div-by-zero-check`
    no_float_div_by_zero_check: bool | None
    #: Arithmetic on floating-point numbers must not make a NaN of what is none
    nan_check: bool | None
    #: The opposite of `--nan-check`
    no_nan_check: bool | None
    #: A pointer that is computed must point into its object, or just behind it
    pointer_overflow_check: bool | None
    #: The opposite of `--pointer-overflow-check`
    no_pointer_overflow_check: bool | None
    #: The opposite of `--no-pointer-primitive-check`
    pointer_primitive_check: bool | None
    #: Let pointers that __CPROVER_r_ok and its kin are asked about be neither NULL nor valid
    no_pointer_primitive_check: bool | None
    #: What is read as an enumeration must be one of its named values
    enum_range_check: bool | None
    #: The opposite of `--enum-range-check`
    no_enum_range_check: bool | None
    #: All memory must be freed when the entry function returns
    memory_leak_check: bool | None
    #: The opposite of `--memory-leak-check`
    no_memory_leak_check: bool | None
    #: All memory must be freed when exit, _Exit or abort ends the program
    memory_cleanup_check: bool | None
    #: The opposite of `--memory-cleanup-check`
    no_memory_cleanup_check: bool | None
    #: malloc and its kin may return NULL, as in CBMC 6 without a flag [default: they succeed, but for sizes that no
    #: object has]
    malloc_may_fail: bool | None
    #: The opposite of `--malloc-may-fail`
    no_malloc_may_fail: bool | None
    #: The same: an allocation that fails always returns NULL
    malloc_fail_null: bool | None
    #: malloc and its kin may fail, and to do so violates a claim: none may be executed
    malloc_fail_assert: bool | None
    #: Stop after S seconds with what is known; 0 is no limit
    timeout: float | None
    #: Stop when MB megabytes of memory are in use [default: half of what the machine has]
    memory: int | None
    #: 1: do everything in turn; 2 or more: up to five things at once. What is told does not depend on it [default:
    #: as many as there are cores]
    threads: int | None
    #: How small to make the failing execution: optimal, greedy or none. [default: optimal, as far as that is quick;
    #: given by name it goes on until it is proved or the time is over]
    minimise: Literal["optimal", "greedy", "none"] | None
    #: Do not compile and run the program to confirm a failing execution
    no_native: bool | None
    #: Write the answer to FILE instead of standard output
    o: StrPath | None
    #: Write the failing run of a model of hardware as a witness: FILE.wit (BTOR2), FILE.yw (Yosys) or FILE.aiw
    #: (AIGER)
    emit_witness: StrPath | None
    #: Print every step of a failing execution
    trace: bool | None
    #: Say more: every claim, every branch
    verbose: bool | None
    #: The verdict and little more; no progress, no warnings
    quiet: bool | None
    #: When to colour
    color: Literal["auto", "always", "never"] | None
    #: Times and sizes, as JSON on standard error
    stats: bool | None


class CheckOptions(ProgramOptions, total=False):
    """What `check` takes."""

    #: text, json, html (a page for a browser), sarif (code-scanning views, editors), markdown (pull requests) or
    #: witness (violation witness, YAML); of models of hardware also vcd (both runs), gtkw (GTKWave) or surfer
    #: (Surfer)
    format: Literal["text", "json", "html", "sarif", "markdown", "witness", "vcd", "gtkw", "surfer"] | None
    #: Every run must satisfy this formula (LTL, PSL or SVA) over actions: 'G(lock -> F unlock)'
    formula: str | None
    #: Functions whose calls the formula speaks about, under which names: Lock=lock,Unlock=unlock; `lock.return` is
    #: their return
    action: str | Iterable[str] | Mapping[str, str] | None


class ExplainOptions(ProgramOptions, total=False):
    """What `explain` takes."""

    #: text, json, html (a page for a browser), sarif (code-scanning views, editors), markdown (pull requests) or
    #: witness (violation witness, YAML); of models of hardware also vcd (both runs), gtkw (GTKWave) or surfer
    #: (Surfer)
    format: Literal["text", "json", "html", "sarif", "markdown", "witness", "vcd", "gtkw", "surfer"] | None
    #: Every run must satisfy this formula (LTL, PSL or SVA) over actions: 'G(lock -> F unlock)'
    formula: str | None
    #: Functions whose calls the formula speaks about, under which names: Lock=lock,Unlock=unlock; `lock.return` is
    #: their return
    action: str | Iterable[str] | Mapping[str, str] | None
    #: Explain the run in this file instead of looking for one: ours, CBMC's, ESBMC's, Kani's, or an SV-COMP witness
    counterexample: StrPath | None
    #: A cycle of the waveform in --counterexample is a rising (or falling) edge of this signal, with the values just
    #: before it [default: a time stamp]
    clock: str | None
    #: Of a model of hardware: also tell which register or wire, with another value in one cycle, saves the failing
    #: run with the same inputs
    fixed_inputs: bool | None
    #: Write both runs into DIR as C files that compile and run on their own: failing.c and passing.c
    emit_tests: StrPath | None
    #: Look only at runs, failing and passing, in which EXPR holds before the statement at that line; may be repeated
    assume: str | Iterable[str] | None
    #: Let the passing run escape by inputs for which the check does not apply
    no_preconditions: bool | None
    #: The fault is not in functions whose names match, with * and ?; may be repeated
    trust: str | Iterable[str] | None
    #: What counts as a difference: ssa (every assignment), slice (what the claim depends on) or align (executed
    #: steps, aligned) [default: ssa]
    metric: Literal["ssa", "slice", "align"] | None
    #: What is compared: values of variables, or predicates such as x < y that are found on the way
    state: Literal["values", "predicates"] | None
    #: Look at this predicate too, over variables of the entry function or of FUNCTION; may be repeated
    predicate: str | Iterable[str] | None
    #: Prices of a predicate (or value), an action and a step that differ, for --metric align [default: 1,1,and the
    #: most predicates at a step plus 2]
    weights: str | tuple[int, int, int] | None
    #: Let a passing run take at most N turns of a loop more than the failing run [default: as far as it helps, with
    #: --formula until a loop goes round 8 times]
    depth: int | None
    #: List every passing run that is as near
    nearest_all: bool | None
    #: How to find the differences that matter: two-phase, one-step or none
    slice: Literal["two-phase", "one-step", "none"] | None
    #: List every smallest set of differences that matter
    routes: bool | None
    #: Look for causes among: none, inputs, source (variables at the claim too) or all
    hypotheses: Literal["none", "inputs", "source", "all"] | None
    #: Look for no fixes; else the lines of proved ones come first
    no_fixes: bool | None
    #: Is EXPR a cause of the failure, and if not, why not? Over variables of the entry function or of FUNCTION, as
    #: they are when the claim is come to; may be repeated
    cause: str | Iterable[str] | None


class FocusOptions(ProgramOptions, total=False):
    """What `focus` takes."""

    #: text, json, html (a page for a browser), sarif (code-scanning views, editors), markdown (pull requests) or
    #: witness (violation witness, YAML); of models of hardware also vcd (both runs), gtkw (GTKWave) or surfer
    #: (Surfer)
    format: Literal["text", "json", "html", "sarif", "markdown", "witness", "vcd", "gtkw", "surfer"] | None
    #: How much to tell: trace (every step), sequences, ranked, or reduced
    level: Literal["trace", "sequences", "ranked", "reduced"] | None
    #: Tell all ways, however many there are
    all: bool | None
    #: Tell only what is assumed of these inputs alone: what must hold for the failure, and need not suffice
    over: str | Iterable[str] | None
    #: Ask for the ways in which EXPR holds before the statement at that line, instead of violated claims
    reach: str | None
    #: Look only at runs in which EXPR holds before the statement at that line; may be repeated
    assume: str | Iterable[str] | None
    #: Analyse functions anew at every call and for every way: the same answer, more slowly (to compare times)
    no_summaries: bool | None


class FixOptions(ProgramOptions, total=False):
    """What `fix` takes."""

    #: Every run must satisfy this formula (LTL, PSL or SVA) over actions: 'G(lock -> F unlock)'
    formula: str | None
    #: Functions whose calls the formula speaks about, under which names: Lock=lock,Unlock=unlock; `lock.return` is
    #: their return
    action: str | Iterable[str] | Mapping[str, str] | None
    #: Mend the run in this file, and what else fails: ours, CBMC's, ESBMC's, Kani's, or an SV-COMP witness
    counterexample: StrPath | None
    #: How many edits a fix may have: 1, or 2 where no single edit does
    edits: int | None
    #: Edit only this line; may be repeated
    at: str | Iterable[str] | None
    #: Show at most N fixes
    most: int | None
    #: Write fix N into its file
    apply: int | None
    #: Look only at runs in which EXPR holds before the statement at that line; may be repeated
    assume: str | Iterable[str] | None
    #: The fault is not in functions whose names match, with * and ?; may be repeated
    trust: str | Iterable[str] | None
    #: text, json, patch (unified diff of the first fix), html (a page for a browser), sarif (editors can make its
    #: fixes) or markdown (pull requests)
    format: Literal["text", "json", "patch", "html", "sarif", "markdown"] | None


class CausesOptions(TypedDict, total=False):
    """What `causes` takes."""

    #: The property, in LTL, PSL or SVA; may be repeated
    formula: str | Iterable[str] | None
    #: A file of properties, one per statement, each perhaps with a name before it (`name: …`); may be repeated
    formula_file: StrPath | Iterable[StrPath] | None
    #: Only exact answers, however long they take [default: exact within a fixed budget, else fast]
    exact: bool | None
    #: The linear method: all causes and perhaps more (with a signal of both polarities perhaps less)
    fast: bool | None
    #: Which failures: first or all
    failures: Literal["first", "all"] | None
    #: The last cycle is followed by cycle N, for ever
    loop: int | None
    #: A cycle per rising (or falling) edge of this signal, with the values just before it [default: a cycle per time
    #: stamp]
    clock: str | None
    #: Cycles in reset do not count: leading ones are left out, later ones cancel what is still due
    reset: str | None
    #: The run ends with the trace: what is still due at its end (F, U, next!) has failed
    complete: bool | None
    #: Look names up below this scope first (top.cpu); what is not there is looked up as without it
    scope: str | None
    #: The model of the design (BTOR2, AIGER): also tells where the values come from, back through their drivers to
    #: inputs
    model: str | None
    #: The conditions of `disable iff`, `accept_on`, `abort` and --reset may be causes too: that nothing was given up
    abort_causes: bool | None
    #: Stop the exact method after S seconds; 0 is no limit
    timeout: float | None
    #: text, json, html, gtkw (GTKWave), surfer (Surfer commands) or vcd (with cause_… signals)
    format: Literal["text", "json", "html", "gtkw", "surfer", "vcd"] | None
    #: Write the answer to FILE instead of standard output
    o: StrPath | None
    #: No progress, no notes
    quiet: bool | None
    #: When to colour
    color: Literal["auto", "always", "never"] | None
    #: Times and sizes, as JSON on standard error
    stats: bool | None
