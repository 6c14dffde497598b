"""A manifest on a cluster: real schedulers and workers, on this machine, some of which are killed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import nearmiss
from nearmiss.asking import TOOL

distributed = pytest.importorskip("distributed")

if "suite" not in subprocess.run([str(TOOL), "--help"], capture_output=True, text=True).stdout:
    pytest.skip("this tool has no `suite`", allow_module_level=True)

FAILS = "#include <assert.h>\nint main(void) {{ int x = nondet_int(); assert(x != {number}); return 0; }}\n"
HOLDS = "#include <assert.h>\nint main(void) {{ int x = nondet_int(); if (x > {number}) assert(x > {number}); return 0; }}\n"


def tasks(folder: Path, many: int) -> Path:
    """A manifest of small programs, each of its own; every third one fails."""
    folder.mkdir()
    for number in range(many):
        text = FAILS if number % 3 == 0 else HOLDS
        (folder / f"t{number:03}.c").write_text(text.format(number=number))
    manifest = folder / "suite.yml"
    manifest.write_text(
        "defaults:\n  command: check\n  flags: --no-native\n  expected: any\n  timeout: 60\ntasks:\n  - harnesses: t*.c\n"
    )
    return manifest


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Any]:
    """A scheduler and workers in processes of their own, as they are started on a cluster."""
    folder.mkdir()
    file = folder / "scheduler.json"
    log = (folder / "log").open("w")

    def start(module: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", "--scheduler-file", str(file), "--no-dashboard", *words]
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)

    started = [start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")]
    try:
        while not file.exists():
            assert started[0].poll() is None
            time.sleep(0.05)
        own = ("--nworkers", str(workers), "--nthreads", "1", "--local-directory", str(folder))
        started.append(start("dask_worker", *own))
        with distributed.Client(scheduler_file=str(file)) as client:
            client.wait_for_workers(workers, timeout=60)
            yield client
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        log.close()


def stored(folder: Path) -> dict[str, Any]:
    """The results in a folder, without the time that they took."""
    results = {path.name: json.loads(path.read_text()) for path in (folder / "tasks").iterdir()}
    for found in results.values():
        del found["seconds"]
    return results


def test_workers_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    """200 tasks, and every now and then a worker is killed: nothing is lost, nothing twice, and all is as in a local run."""
    manifest = tasks(tmp_path / "tasks", 200)
    outcomes: list[nearmiss.suite.Outcome] = []
    killed: list[int] = []
    chance = random.Random(22)
    with cluster(tmp_path / "cluster", 2) as client:

        def kill() -> None:
            """Kills one of the workers, whatever it is doing then."""
            time.sleep(chance.uniform(0, 0.1))
            running = sorted(one for one in client.run(os.getpid, on_error="ignore").values() if isinstance(one, int))
            if running:
                killed.append(chance.choice(running))
                os.kill(killed[-1], signal.SIGKILL)

        def came(outcome: nearmiss.suite.Outcome) -> None:
            # By what was done and not by the clock: however slow the machine is, workers come to do something.
            outcomes.append(outcome)
            if chance.random() < 0.04:
                kill()

        far = nearmiss.suite.run(manifest, client, results=tmp_path / "far", on_result=came)
    assert len(killed) >= 3, "enough were killed for this to show anything"
    assert sorted(outcome.name for outcome in outcomes) == [task.name for task in far.tasks]
    assert len(outcomes) == len(far.tasks) == 200 and outcomes[-1].done == outcomes[-1].of == 200
    near = nearmiss.suite.run(manifest, results=tmp_path / "near")
    assert far.counts["missing"] == 0 and far.counts["fails"] == 67
    assert (far.to_json(), far.exit_code) == (near.to_json(), near.exit_code)
    assert stored(tmp_path / "far") == stored(tmp_path / "near")
    for report in ("suite.json", "suite.sarif", "index.html"):
        assert (tmp_path / "far" / report).read_bytes() == (tmp_path / "near" / report).read_bytes(), report
    assert not [path for path in (tmp_path / "far" / "tasks").iterdir() if path.suffix != ".json"], "no halves are left"


def test_a_second_run_does_what_changed(tmp_path: Path) -> None:
    manifest = tasks(tmp_path / "tasks", 6)
    with cluster(tmp_path / "cluster", 1) as client:
        first = nearmiss.suite.run(manifest, client)
        (manifest.parent / "t001.c").write_text(FAILS.format(number=7))
        outcomes: list[nearmiss.suite.Outcome] = []
        second = nearmiss.suite.run(manifest, client, on_result=outcomes.append)
    assert first.counts["fails"] == 2 and second.counts["fails"] == 3
    assert [(outcome.name, outcome.verdict, outcome.done, outcome.of) for outcome in outcomes] == [("t001.c", "fails", 6, 6)]
    assert second.folder == manifest.parent / ".nearmiss"


def test_a_wrong_manifest_is_an_input_error(tmp_path: Path) -> None:
    manifest = tmp_path / "suite.yml"
    manifest.write_text("tasks:\n  - files: nowhere.c\n    comand: check\n  - harneses: none/*.c\n")
    for client in (None, object()):
        with pytest.raises(nearmiss.InputError) as raised:
            nearmiss.suite.run(manifest, client)  # type: ignore[arg-type]
        assert {error.line for error in raised.value.errors} >= {3, 4}
        assert raised.value.file is not None and raised.value.file.endswith("suite.yml")
    assert not (tmp_path / ".nearmiss").exists(), "nothing was run"


def test_options_that_do_not_go_together(tmp_path: Path) -> None:
    with pytest.raises(nearmiss.UsageError, match="on_result"):
        nearmiss.suite.run(tmp_path, on_result=print)
    with pytest.raises(nearmiss.UsageError, match="jobs"):
        nearmiss.suite.run(tmp_path, object(), jobs=2)  # type: ignore[arg-type]
