#!/usr/bin/env python3
"""Our optimiser against RC2 (python-sat), clasp and Exact on instances of both kinds that nearmiss has to solve.

    bench/optimise/compare.py [FOLDER] [--limit SECONDS] [--only NAME,...] [--solvers ours,reproof,rc2,clasp,clasp-bb,exact]

Build first: cargo build --release --workspace --examples. Needs: pip install python-sat exact; apt-get install clasp.

Without a FOLDER of .wcnf files the instances are made in a temporary one, from the examples and from programs.py:

- check: the smallest values on a shortest failing path (`nearmiss check --dump wcnf`), prices of powers of two;
- nearest: the run that violates nothing and differs from a failing one in the fewest variables (the example program
  nearest_instances of the explain crate), prices of one, or a few where variables share a literal.

All solvers read the same clauses and prices. Clasp refuses a literal whose prices add up to 2^31 or more, which happens where a
number is counted twice; it gets such a price on a second literal that is defined to be equal. `clasp` is its core-guided
search (usc,oll,stratify), `clasp-bb` its model-guided one (bb,lin). Times are seconds of processor time, since all are single-threaded
and the machine may be busy, from reading the file to the proved minimum: of the whole process for
ours and clasp, from within the process for the Python packages, so that the start of the interpreter and imports do not
count; of these `rc2, solving` and `exact, solving` leave out reading, too, which Python is slow at. The best of five runs where one takes less
than 0.3 s, of two where it takes less than 3 s. `reproof` is ours followed by the proof by a fresh solver. A dash means that the limit was
reached, which counts as the limit. A solver that ends before the limit without an answer ends the run: that is an error of this
script or of the solver, and no time. The solvers must agree on every minimum, or the run ends with status 1.
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
NEAREST = ROOT / "target/release/examples/nearest_instances"
OURS = ROOT / "target/release/examples/wcnf"
CLASP = {"clasp": "usc,oll,stratify", "clasp-bb": "bb,lin"}

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
        for kind, command in [("check", [NEARMISS, "check", "--dump", "wcnf"]), ("nearest", [NEAREST])]:
            made = subprocess.run(command + arguments, cwd=ROOT, capture_output=True, text=True)
            if made.returncode != 0:
                sys.exit(f"{kind} {name}: {made.stderr}")
            (folder / f"{kind}_{name}.wcnf").write_text(with_header(made.stdout))


def with_header(text):
    """The older format with a header, which is the one that clasp reads."""
    lines = [line.split() for line in text.splitlines() if line and line[0] != "c"]
    if lines[0][0] == "p":
        return text
    top = 1 + sum(int(line[0]) for line in lines if line[0] != "h")
    variables = max(abs(int(word)) for line in lines for word in line[1:])
    clauses = [" ".join([str(top) if line[0] == "h" else line[0]] + line[1:]) for line in lines]
    return "\n".join([f"p wcnf {variables} {len(lines)} {top}"] + clauses) + "\n"


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
            if sums.get(literal, 0) + weight >= 1 << 31:
                variables += 1
                hard += [f"{top} -{variables} {literal} 0\n", f"{top} {variables} {-literal} 0\n"]
                literal = variables
            sums[literal] = sums.get(literal, 0) + weight
            soft.append(f"{weight} {literal} 0\n")
    made = pathlib.Path(path).with_suffix(".clasp")
    made.write_text("".join([f"p wcnf {variables} {len(hard) + len(soft)} {top}\n"] + hard + soft))
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


def run_once(solver, path, limit):
    """The minimum, the seconds, and for some the seconds of a part. None if the limit was reached."""
    if solver in ("ours", "reproof"):
        command = [OURS, path, "auto", "3600"] + (["reprove"] if solver == "reproof" else [])
    elif solver in CLASP:
        command = ["clasp", for_clasp(path), f"--opt-strategy={CLASP[solver]}", "--quiet=1,2"]
    else:
        command = [sys.executable, __file__, "--one", solver, path]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        # Processor time cannot be more than this; a loaded machine may need longer for it.
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=lambda: limit_processor_time(limit))
    except subprocess.SubprocessError as error:
        sys.exit(f"{solver} cannot be run: {error}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
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


def run(solver, path, limit):
    best = run_once(solver, path, limit)
    repeats = 0 if not best or best[1] >= 3 else 1 if best[1] >= 0.3 else 4
    for _ in range(repeats):
        again = run_once(solver, path, limit)
        if again and again[1] < best[1]:
            best = again
    return best


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / max(len(numbers), 1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--solvers", default="ours,reproof,rc2,clasp,clasp-bb,exact")
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
        paths = [p for p in sorted(folder.glob("*.wcnf")) if any(part in p.stem for part in options.only.split(","))]
        sys.exit(compare(paths, options.solvers.split(","), options.limit))


def compare(paths, solvers, limit):
    columns = [column for solver in solvers for column in ([solver, f"{solver}, solving"] if solver in ("rc2", "exact") else [solver])]
    times = {column: [] for column in columns}
    disagree = False
    width = max(len(path.stem) for path in paths)
    print(f"{'seconds':<{width}} {'kB':>6} {'minimum':>8}" + "".join(f" {column:>14}" for column in columns))
    for path in paths:
        answers = {solver: run(solver, str(path), limit) for solver in solvers}
        minima = sorted({answer[0] for answer in answers.values() if answer})
        disagree |= len(minima) > 1
        row = f"{path.stem:<{width}} {path.stat().st_size // 1000:>6} {'/'.join(map(str, minima)) or '?':>8}"
        for column in columns:
            answer = answers[column.split(",")[0]]
            seconds = answer and answer[2 if "," in column else 1]
            row += f" {f'{seconds:.4f}' if answer else '–':>14}"
            times[column].append(seconds if answer else limit)
        print(row, flush=True)
    ours = times[columns[0]]
    print(f"\n{'times as long as ' + columns[0]:<{width + 16}}" + "".join(f" {column:>14}" for column in columns))
    for i, path in enumerate(paths):
        print(f"{path.stem:<{width + 16}}" + "".join(f" {times[column][i] / ours[i]:>14.2f}" for column in columns))
    for kind in ("check", "nearest", ""):
        chosen = [i for i, path in enumerate(paths) if path.stem.startswith(kind)]
        if chosen:
            means = [geometric_mean([times[column][i] / ours[i] for i in chosen]) for column in columns]
            name = f"geometric mean of {len(chosen)}{' ' + kind if kind else ''}"
            print(f"{name:<{width + 16}}" + "".join(f" {mean:>14.2f}" for mean in means))
    least = [min(a / b for a, b in zip(times[column], ours)) for column in columns]
    print(f"{'least':<{width + 16}}" + "".join(f" {ratio:>14.2f}" for ratio in least))
    if disagree:
        print("the solvers disagree on a minimum")
    return int(disagree)


if __name__ == "__main__":
    main()
