#!/usr/bin/env python3
"""Our optimiser against RC2 (python-sat), clasp and Exact on every .wcnf file of a folder.

    python3 bench/optimise/compare.py FOLDER [--limit SECONDS] [--only NAME,...] [--solvers auto,cores,bits,rc2,clasp,exact]

Build first: cargo build --release -p nearmiss-logic --examples; generate instances with
target/release/examples/instances FOLDER. Needs: pip install python-sat exact; apt-get install clasp.
Times are seconds of processor time of one process, solving only: reading the file is left out for ours, RC2 and Exact,
and taken from clasp's own report. A dash means that the limit was reached. Every pair of finished solvers must agree on the
minimum; a disagreement ends the run with status 1. Ratios are geometric means over the instances, a timeout counted as
the limit.
"""
import argparse, math, pathlib, re, resource, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ("auto", "cores", "bits")


def read(path):
    """Hard clauses, soft unit literals with weights (true is free), the constant."""
    hard, soft, constant, top, variables = [], [], 0, None, 0
    for line in open(path):
        words = line.split()
        if not words or words[0] == "c":
            if words[1:2] == ["constant"]:
                constant = int(words[2])
        elif words[0] == "p":
            variables, top = int(words[2]), int(words[4])
        else:
            clause = [int(word) for word in words[1:-1]]
            variables = max([variables] + [abs(lit) for lit in clause])
            if words[0] == "h" or int(words[0]) == top:
                hard.append(clause)
            else:
                soft.append((clause, int(words[0])))
    return hard, soft, constant, variables


def rc2(path):
    from pysat.examples.rc2 import RC2Stratified
    from pysat.formula import WCNF

    hard, soft, constant, _ = read(path)
    formula = WCNF()
    for clause in hard:
        formula.append(clause)
    for clause, weight in soft:
        formula.append(clause, weight=weight)
    start = time.process_time()
    with RC2Stratified(formula, adapt=True, exhaust=True, minz=True) as solver:
        solver.compute()
        print("minimum", solver.cost + constant, "seconds", time.process_time() - start)


def exact(path):
    import exact

    hard, soft, constant, variables = read(path)
    solver = exact.Exact()
    for variable in range(1, variables + 1):
        solver.addVariable(str(variable), 0, 1)

    def terms(clause):
        return [(1 if lit > 0 else -1, str(abs(lit))) for lit in clause]

    def at_least_one(clause):
        return 1 - sum(lit < 0 for lit in clause)

    for clause in hard:
        solver.addConstraint(terms(clause), True, at_least_one(clause))
    prices, offset = [], constant
    for i, (clause, weight) in enumerate(soft):
        if len(clause) == 1:
            lit = clause[0]
            offset += weight if lit > 0 else 0
            prices.append((-weight if lit > 0 else weight, str(abs(lit))))
        else:
            solver.addVariable(f"r{i}", 0, 1)
            solver.addConstraint(terms(clause) + [(1, f"r{i}")], True, at_least_one(clause))
            prices.append((weight, f"r{i}"))
    solver.setObjective(prices, True, offset)
    start = time.process_time()
    solver.runFull(True)
    print("minimum", solver.getBestSoFar(), "seconds", time.process_time() - start)


def run(solver, path, limit):
    """The minimum and the seconds, or None."""
    if solver in OURS:
        command = [ROOT / "target/release/examples/wcnf", path, solver, str(limit)]
    elif solver == "clasp":
        command = ["clasp", path, "--opt-strategy=usc,oll,stratify", "--quiet=1,1", f"--time-limit={math.ceil(limit)}"]
    else:
        command = [sys.executable, __file__, "--one", solver, path]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        # A loaded machine may need twice the time.
        out = subprocess.run(command, capture_output=True, text=True, timeout=limit * 2 + 20).stdout
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime
    if solver in OURS:
        found = re.search(r"^Sat .*upper (\d+) seconds ([\d.]+)", out)
        answer = found and (int(found[1]), min(float(found[2]), used))
    elif solver == "clasp":
        found = re.findall(r"^o (\d+)", out, re.M)
        constant = next((int(line.split()[2]) for line in open(path) if line.startswith("c constant")), 0)
        solving = re.search(r"Solving: ([\d.]+)s", out)
        done = "OPTIMUM FOUND" in out and found
        answer = done and (int(found[-1]) + constant, min(used, float(solving[1]) if solving else used))
    else:
        found = re.search(r"minimum (\d+) seconds ([\d.]+)", out)
        answer = found and (int(found[1]), float(found[2]))
    return answer if answer and answer[1] <= limit else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--solvers", default="auto,cores,bits,rc2,clasp,exact")
    parser.add_argument("--one", nargs=2)
    options = parser.parse_args()
    if options.one:
        {"rc2": rc2, "exact": exact}[options.one[0]](options.one[1])
        return
    solvers = options.solvers.split(",")
    paths = sorted(pathlib.Path(options.folder).glob("*.wcnf"))
    paths = [p for p in paths if not options.only or any(part in p.stem for part in options.only.split(","))]
    times = {solver: [] for solver in solvers}
    wrong = False
    print("| instance | minimum | " + " | ".join(solvers) + " |")
    print("|---" * (len(solvers) + 2) + "|")
    for path in paths:
        answers = {solver: run(solver, str(path), options.limit) for solver in solvers}
        minima = {answer[0] for answer in answers.values() if answer}
        wrong |= len(minima) > 1
        cells = [f"{answer[1]:.2f}" if answer else "–" for answer in answers.values()]
        print(f"| {path.stem} | {'/'.join(map(str, sorted(minima))) or '?'} | " + " | ".join(cells) + " |", flush=True)
        for solver, answer in answers.items():
            times[solver].append(max(answer[1], 0.001) if answer else options.limit)
    mean = {solver: math.exp(sum(map(math.log, all)) / max(len(all), 1)) for solver, all in times.items()}
    first = solvers[0]
    print(f"| geometric mean | | " + " | ".join(f"{mean[solver]:.2f}" for solver in solvers) + " |")
    print(f"| times {first} | | " + " | ".join(f"{mean[solver] / mean[first]:.2f}" for solver in solvers) + " |")
    worst = {s: max(a / b for a, b in zip(times[first], times[s])) for s in solvers if s != first}
    print(f"| {first}'s worst | | | " + " | ".join(f"{worst[solver]:.2f}" for solver in solvers[1:]) + " |")
    if wrong:
        sys.exit("solvers disagree on a minimum")


if __name__ == "__main__":
    main()
