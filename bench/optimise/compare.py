#!/usr/bin/env python3
"""Our optimiser against RC2 (python-sat), clasp and Exact on instances of both kinds that nearmiss has to solve.

    bench/optimise/compare.py [FOLDER] [--limit SECONDS] [--only NAME,...] [--solvers ours,reproof,rc2,clasp,clasp-usc,exact]

Build first: cargo build --release --workspace --bins --examples. Needs: pip install python-sat exact; apt-get install clasp.

Without a FOLDER of .wcnf files the instances are made in a temporary one, from the examples and from programs.py:

- check: the smallest values on a shortest failing path (`nearmiss check --dump wcnf`), prices of powers of two;
- nearest: the run that violates nothing and differs from a failing one in the fewest variables (`nearmiss explain --dump wcnf`),
  prices of one, or a few where variables share a literal.

All solvers read the same clauses and prices. The comments of the files, which only ours reads, say what nearmiss knows before it
minimises: a failing run for check, and the inputs of the failing run as values to prefer for nearest; --cold leaves them out.
Clasp refuses a literal whose prices add up to 2^31 or more, as happens with numbers of 32 bits; it gets such prices on
further literals that are defined to be equal. `clasp` is as it comes, which is its model-guided search (bb,lin); `clasp-usc` is its
core-guided one (usc,oll,stratify). `reproof` is ours followed by the proof by a fresh solver.

Times are seconds of processor time, since all are single-threaded and the machine may be busy. The first table is the time from
clauses in memory to the proved minimum, giving the clauses to the solver included. For ours and clasp it is the time of the
process less that of a run that only reads: ours has a way to ask for that, clasp gets a file of the same length whose clauses are all
true and is told not to search. For the Python packages the clock is in the process. For RC2 it starts when the formula is read; for Exact, which is
given clause after clause by Python, only once it has them all. The second table is the time with reading, and with starting the
process for ours and clasp. The least of seven runs where one takes less than 0.05 s, of five below 0.3 s, of two below 3 s.

A dash means that the limit was reached, which counts as the limit. A solver that ends before the limit without an answer ends the
run: that is an error of this script or of the solver, and no time. The solvers must agree on every minimum, or the run ends with
status 1.
"""
import argparse
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import programs

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEARMISS = ROOT / "target/release/nearmiss"
OURS = ROOT / "target/release/examples/wcnf"
CLASP = {"clasp": [], "clasp-usc": ["--opt-strategy=usc,oll,stratify"]}

EXAMPLES = {
    "sort3": ["--function", "sort3", "examples/sort3.c"],
    "semaphore": ["examples/semaphore.c"],
    "ring": ["examples/ring.c"],
    "list": ["examples/list.c"],
    "adpcm": ["examples/adpcm.c"],
    "overflow": ["examples/overflow.c"],
    "divide": ["examples/divide.c"],
    "tcas_1_P1B": ["-DP1B", "examples/tcas/tcas_fault1.c"],
    "tcas_31_P4": ["-DP4", "examples/tcas/tcas_fault31.c"],
    "tcas_41_P3": ["-DP3", "examples/tcas/tcas_fault41.c"],
}
GENERATED = {
    "sort": [6, 8],
    "checksum": [8, 16],
    "crc": [8],
    "machine": [12, 24],
    "matrix": [2, 3],
    "accounts": [4, 8],
    "queue": [7],
    "average": [4, 8],
}


def make_instances(folder):
    sources = dict(EXAMPLES)
    for name, sizes in GENERATED.items():
        for size in sizes:
            path = folder / f"{name}_{size}.c"
            path.write_text(getattr(programs, name)(size))
            sources[path.stem] = [str(path)]
    for name, arguments in sources.items():
        for kind, verb in [("check", "check"), ("nearest", "explain")]:
            made = subprocess.run([NEARMISS, verb, "--dump", "wcnf"] + arguments, cwd=ROOT, capture_output=True, text=True)
            if made.returncode != 0:
                sys.exit(f"{kind} {name}: {made.stderr}")
            (folder / f"{kind}_{name}.wcnf").write_text(made.stdout)


def for_clasp(path):
    """The path of an equivalent file in which the prices of every literal add up to less than 2^31."""
    hard, soft, sums = [], [], {}
    for line in open(path):
        words = line.split()
        if words[0] == "c":
            continue
        if words[0] == "p":
            variables, top = int(words[2]), words[4]
        elif words[0] == top:
            hard.append(line)
        else:
            weight, literal = int(words[0]), int(words[1])
            assert len(words) == 3, "prices are on literals"
            while weight > 0:
                part = min(weight, 1 << 30)
                weight -= part
                if sums.get(literal, 0) + part >= 1 << 31:
                    variables += 1
                    hard += [f"{top} -{variables} {literal} 0\n", f"{top} {variables} {-literal} 0\n"]
                    literal = variables
                sums[literal] = sums.get(literal, 0) + part
                soft.append(f"{part} {literal} 0\n")
    made = pathlib.Path(path).with_suffix(".clasp")
    made.write_text("".join([f"p wcnf {variables} {len(hard) + len(soft)} {top}\n"] + hard + soft))
    return str(made)


def only_to_read(path):
    """The path of a file that takes as long to read, and then leaves nothing to do: every clause that must hold has a literal
    and its negation. A clause of one literal becomes longer by one."""
    lines = []
    for line in open(path):
        words = line.split()
        if words[0] == "p":
            top = words[4]
        elif words[0] == top:
            opposite = words[1][1:] if words[1][0] == "-" else "-" + words[1]
            line = " ".join(words[:2] + [opposite] + words[3:]) + (" 0\n" if len(words) == 3 else "\n")
        lines.append(line)
    made = pathlib.Path(path).with_suffix(".read")
    made.write_text("".join(lines))
    return str(made)


def constant(path):
    """What is paid always; only our reader knows of it."""
    with open(path) as lines:
        first = next(lines).split()
    return int(first[2]) if first[:2] == ["c", "constant"] else 0


def rc2(path):
    """The settings of its entry in the MaxSAT Evaluation, version B."""
    from pysat.examples.rc2 import RC2Stratified
    from pysat.formula import WCNF

    start = time.process_time()
    formula = WCNF(from_file=path)
    read = time.process_time()
    with RC2Stratified(formula, solver="g3", adapt=True, exhaust=True, minz=True, blo="div") as solver:
        solver.compute()
        print("minimum", solver.cost, "seconds", time.process_time() - start, time.process_time() - read)


def exact(path):
    import exact

    start = time.process_time()
    solver = exact.Exact()
    prices, offset = [], 0
    for line in open(path):
        words = line.split()
        if words[0] == "c":
            continue
        if words[0] == "p":
            top = words[4]
            for variable in range(1, int(words[2]) + 1):
                solver.addVariable(str(variable), 0, 1)
        elif words[0] == top:
            negative = [word[1:] for word in words[1:-1] if word[0] == "-"]
            positive = [word for word in words[1:-1] if word[0] != "-"]
            terms = [(1, name) for name in positive] + [(-1, name) for name in negative]
            solver.addConstraint(terms, True, 1 - len(negative))
        else:
            weight, literal = int(words[0]), words[1]
            assert len(words) == 3, "prices are on literals"
            if literal[0] == "-":
                prices.append((weight, literal[1:]))
            else:
                offset += weight
                prices.append((-weight, literal))
    solver.setObjective(prices, True, offset)
    read = time.process_time()
    solver.runFull(True)
    print("minimum", solver.getBestSoFar(), "seconds", time.process_time() - start, time.process_time() - read)


def limit_processor_time(limit):
    """Of the process about to start. Two seconds are for starting an interpreter."""
    seconds = math.ceil(limit) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def start(command, limit):
    """What a process printed, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        # Processor time cannot be more than this; a loaded machine may need longer for it.
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: limit_processor_time(limit))
    except subprocess.SubprocessError as error:
        sys.exit(f"{command} cannot be run: {error}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run_once(solver, path, limit):
    """The minimum, the seconds with reading, and those without where the solver says so itself. None if the limit was reached."""
    if solver in ("ours", "reproof"):
        command = [OURS, path, "auto", "3600"] + (["reprove"] if solver == "reproof" else [])
    elif solver in CLASP:
        command = ["clasp", pathlib.Path(path).with_suffix(".clasp"), "--quiet=1,2"] + CLASP[solver]
    else:
        command = [sys.executable, __file__, "--one", solver, path]
    done, whole = start(command, limit)
    out = done.stdout
    answer = None
    if solver in ("ours", "reproof"):
        found = re.search(r"^Sat .*upper (\d+)", out)
        if found and (solver == "ours" or "Proved" in out):
            answer = (int(found[1]), whole, None)
    elif solver in CLASP:
        found = re.search(r"Optimization *: (\d+)", out)
        if found and "OPTIMUM FOUND" in out:
            answer = (int(found[1]) + constant(path), whole, None)
    else:
        found = re.search(r"minimum (\d+) seconds ([\d.e-]+) ([\d.e-]+)", out)
        if found:
            answer = (int(found[1]) + constant(path), float(found[2]), float(found[3]))
    if not answer and whole < limit:
        sys.exit(f"{solver} has no answer for {path} after {whole:.2f} s:\n{out}{done.stderr}")
    return answer if answer and answer[1] <= limit else None


def read_once(solver, path, limit):
    """The seconds of a process that only reads."""
    if solver in CLASP:
        clauses = pathlib.Path(path).with_suffix(".read")
        return start(["clasp", clauses, "--sat-prepro=0", "--solve-limit=0", "--quiet=2,2"], limit)[1]
    return start([OURS, path, "read"], limit)[1]


def run(solver, path, limit):
    """The minimum, the seconds without reading and with it."""
    if solver in CLASP:
        only_to_read(for_clasp(path))
    first = run_once(solver, path, limit)
    if not first:
        return None
    repeats = 0 if first[1] >= 3 else 1 if first[1] >= 0.3 else 4 if first[1] >= 0.05 else 6
    answers = [first] + [answer for _ in range(repeats) if (answer := run_once(solver, path, limit))]
    whole = min(answer[1] for answer in answers)
    if first[2] is not None:
        return first[0], min(answer[2] for answer in answers), whole
    reading = min(read_once(solver, path, limit) for _ in range(repeats + 1))
    # Where there is next to nothing to do the difference is noise.
    return first[0], max(whole - reading, 1e-4), whole


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / max(len(numbers), 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--solvers", default="ours,reproof,rc2,clasp,clasp-usc,exact")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--one", nargs=2)
    options = parser.parse_args()
    if options.one:
        {"rc2": rc2, "exact": exact}[options.one[0]](options.one[1])
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder
        if not folder:
            folder = pathlib.Path(temporary)
            make_instances(folder)
        if options.cold:
            # A copy, so that the folder stays as it is.
            folder = without_hints(folder, pathlib.Path(temporary) / "cold")
        paths = [p for p in sorted(folder.glob("*.wcnf")) if any(part in p.stem for part in options.only.split(","))]
        sys.exit(compare(paths, options.solvers.split(","), options.limit))


def without_hints(folder, copies):
    copies.mkdir()
    for path in folder.glob("*.wcnf"):
        lines = [line for line in open(path) if not line.startswith(("c model ", "c prefer "))]
        (copies / path.name).write_text("".join(lines))
    return copies


def compare(paths, solvers, limit):
    answers = []
    disagree = False
    width = max(len(path.stem) for path in paths)
    print(f"{'seconds, solving':<{width}} {'kB':>6} {'minimum':>10}" + "".join(f" {solver:>9}" for solver in solvers))
    for path in paths:
        answers.append({solver: run(solver, str(path), limit) for solver in solvers})
        minima = sorted({answer[0] for answer in answers[-1].values() if answer})
        disagree |= len(minima) > 1
        row = f"{path.stem:<{width}} {path.stat().st_size // 1000:>6} {'/'.join(map(str, minima)) or '?':>10}"
        row += "".join(f" {f'{answer[1]:.4f}' if answer else '–':>9}" for answer in answers[-1].values())
        print(row, flush=True)
    names = [path.stem for path in paths]
    for column, title in [(1, "solving"), (2, "with reading")]:
        times = {solver: [row[solver][column] if row[solver] else limit for row in answers] for solver in solvers}
        if column == 2:
            print(f"\n{'seconds, with reading':<{width + 18}}" + "".join(f" {solver:>9}" for solver in solvers))
            for i, name in enumerate(names):
                cells = [f"{times[solver][i]:.4f}" if answers[i][solver] else "–" for solver in solvers]
                print(f"{name:<{width + 18}}" + "".join(f" {cell:>9}" for cell in cells))
        ratios(names, times, f"{title}, times {solvers[0]}", width + 18)
    if disagree:
        print("the solvers disagree on a minimum")
    return int(disagree)


def ratios(names, times, title, width):
    ours = next(iter(times.values()))
    print(f"\n{title:<{width}}" + "".join(f" {solver:>9}" for solver in times))
    for i, name in enumerate(names):
        print(f"{name:<{width}}" + "".join(f" {column[i] / ours[i]:>9.2f}" for column in times.values()))
    for kind in ("check", "nearest", ""):
        chosen = [i for i, name in enumerate(names) if name.startswith(kind)]
        if chosen:
            means = [geometric_mean([column[i] / ours[i] for i in chosen]) for column in times.values()]
            name = f"geometric mean of {len(chosen)}{' ' + kind if kind else ''}"
            print(f"{name:<{width}}" + "".join(f" {mean:>9.2f}" for mean in means))
    least = [min(a / b for a, b in zip(column, ours)) for column in times.values()]
    print(f"{'least':<{width}}" + "".join(f" {ratio:>9.2f}" for ratio in least))


if __name__ == "__main__":
    main()
