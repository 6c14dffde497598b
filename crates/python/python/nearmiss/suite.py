"""Many tasks: a manifest, here (`run(manifest)`) or on a Dask cluster (`run(manifest, client)`).

The command line plans, performs and collects; a cluster only carries lines of the plan to workers and results back:

    nearmiss suite MANIFEST --plan        what is to be done, a line per task
    nearmiss suite --perform              does one line, on a worker; prints the result
    nearmiss suite MANIFEST --collect     makes the reports of what is stored

A result is stored as soon as it comes, under the name of its content, by a rename; so a run that breaks off is taken up where it was, and
results are those of a local run. Workers see the same files at the same paths, and have the same version of this package.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .asking import TOOL, StrPath
from .errors import Error, InputError, InternalError, Located, UsageError
from .results import Object, _table
from .tables import Table

#: So often a task is sent out again whose worker was lost. Dask itself tries a few times before it says so.
MOST_LOSSES = 20

#: `FILE:LINE:COLUMN: error: what is wrong`
LOCATED = re.compile(r"^(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?: error: (?P<message>.*)$")


class Client(Protocol):
    """A `distributed.Client`, as far as it is used here."""

    def submit(self, *work: Any, **how: Any) -> Any:
        """Sends work to a worker."""

    def cancel(self, *futures: Any, **how: Any) -> Any:
        """Gives it up."""


@dataclass(frozen=True)
class Outcome:
    """A task as it comes in: its name, what became of it, and how many are done."""

    name: str
    verdict: str
    sentence: str
    done: int
    of: int


@dataclass(frozen=True)
class Task:
    """A task in the end. `verdict` is "holds", "fails", "undecided", "error" or "missing"."""

    name: str
    command: str
    verdict: str
    expected: str
    as_expected: bool
    why: str | None
    sentence: str | None
    suspects: tuple[str, ...] = ()
    condition: str | None = None
    bug: int | None = None
    key: str | None = None


@dataclass(frozen=True)
class Bug:
    """Tasks that fail for the same reason: same suspects, same focus condition."""

    bug: int
    tasks: tuple[str, ...]
    suspects: tuple[str, ...]
    condition: str | None
    sentence: str | None


@dataclass(frozen=True, repr=False)
class Suite:
    """What became of all tasks. `folder` has the reports: index.html, suite.sarif, junit.xml, suite.csv and suite.json."""

    exit_code: int
    folder: Path
    _json: str

    def __repr__(self) -> str:
        return f"<Suite: {self.verdict}, {', '.join(f'{count} {what}' for what, count in self.counts.items() if count)}>"

    def __bool__(self) -> bool:
        raise TypeError("a suite is neither true nor false: ask .as_expected or .verdict")

    def to_json(self) -> str:
        """The object that `nearmiss suite --format json` prints."""
        return self._json

    def to_dict(self) -> Object:
        """The same as a dictionary."""
        found: Object = json.loads(self._json)
        return found

    @property
    def verdict(self) -> str:
        """ "holds", "fails" or "undecided", of the whole."""
        verdict: str = self.to_dict()["verdict"]
        return verdict

    @property
    def as_expected(self) -> bool:
        """Whether every task came out as the manifest expects."""
        return self.exit_code == 0

    @property
    def counts(self) -> dict[str, int]:
        """How many tasks there are, and how many of each verdict."""
        counts: dict[str, int] = self.to_dict()["counts"]
        return counts

    @property
    def tasks(self) -> Table[Task]:
        """The tasks, in the order of the manifest."""
        return _table(Task, self.to_dict()["tasks"])

    @property
    def bugs(self) -> Table[Bug]:
        """Failures by what they have in common."""
        return _table(Bug, self.to_dict()["bugs"])

    def _repr_html_(self) -> str:
        return self.tasks._repr_html_()


def run(
    manifest: StrPath,
    client: Client | None = None,
    *,
    results: StrPath | None = None,
    since: str | None = None,
    changed: Iterable[StrPath] | None = None,
    only: str | Iterable[str] | None = None,
    again: str | None = None,
    jobs: int | None = None,
    threads: int | None = None,
    memory: int | None = None,
    on_result: Callable[[Outcome], object] | None = None,
) -> Suite:
    """Performs the tasks of a manifest whose results are not stored yet, and makes the reports.

    With a `client` (`distributed.Client`) they are performed by the workers of its cluster, else by processes on this machine (`jobs`
    at once). `results` is the folder of results (`.nearmiss` beside the manifest). `since`, `changed`, `only` and `again` choose tasks as on
    the command line. `threads` is how many threads a task may have (one), `memory` how many megabytes. `on_result` is
    called with an `Outcome` for each result as it comes; only with a client.

    What is wrong with the manifest is an `InputError` with all errors, and nothing is run. Ctrl-C leaves what is stored: the next
    run goes on from there.
    """
    choice = _choice(results, since, changed, only, again)
    limits = [f"--{name}={value}" for name, value in (("threads", threads), ("memory", memory)) if value is not None]
    if client is None:
        if on_result is not None:
            raise UsageError("run(): on_result is for runs with a client; the reports have everything")
        own = [f"--jobs={jobs}"] if jobs is not None else []
        return _reported(manifest, results, [*choice, *own, *limits])
    if jobs is not None:
        raise UsageError("run(): jobs is for runs without a client; a cluster has its workers")
    plan = [json.loads(line) for line in _said(["suite", os.fspath(manifest), "--plan", *choice], (0,)).splitlines()]
    folder = _folder(manifest, results)
    # Tasks with the same content have one result.
    missing = {task["key"]: task for task in plan if not task["kept"]}
    names = {key: [task["name"] for task in plan if task["key"] == key] for key in missing}
    done = len(plan) - sum(map(len, names.values()))
    for key, result in _performed(client, missing, limits):
        _store(folder, result)
        for name in names[key]:
            done += 1
            if on_result is not None:
                on_result(Outcome(name, result["verdict"], result["sentence"], done, len(plan)))
    return _reported(manifest, results, [*choice, "--collect"])


def perform(line: str, limits: list[str]) -> Object:
    """Performs a line of a plan. This is what workers do."""
    result: Object = json.loads(_said(["suite", "--perform", *limits], (0,), line))
    return result


def _performed(client: Client, tasks: dict[str, Object], limits: list[str]) -> Iterable[tuple[str, Object]]:
    """Sends tasks out and yields results as they come; a task whose worker is lost goes out again."""
    # Not by `import`: who checks types would check all of Dask as well.
    try:
        distributed = importlib.import_module("distributed")
    except ImportError as missing:
        raise ImportError("run() with a client needs Dask: pip install dask distributed") from missing
    lost = (distributed.KilledWorker, importlib.import_module("distributed.client").FutureCancelledError)
    losses = dict.fromkeys(tasks, 0)

    def send(key: str) -> Any:
        line = json.dumps(tasks[key])
        return client.submit(perform, line, limits, key=f"nearmiss-{key}-{losses[key]}", pure=False)

    waiting = {future.key: (key, future) for key, future in ((key, send(key)) for key in tasks)}
    coming = distributed.as_completed(future for _, future in waiting.values())
    try:
        for future in coming:
            key, _ = waiting.pop(future.key)
            try:
                result = future.result()
            except lost:
                losses[key] += 1
                if losses[key] > MOST_LOSSES:
                    raise Error(f"{tasks[key]['name']}: {losses[key]} workers were lost while they performed it") from None
                again = send(key)
                waiting[again.key] = (key, again)
                coming.add(again)
                continue
            finally:
                # Neither the scheduler nor a worker keeps what is stored.
                future.release()
            yield key, result
    finally:
        client.cancel([future for _, future in waiting.values()], force=True)


def _store(folder: Path, result: Object) -> None:
    """Writes a result where the command looks for it: wholly or not at all. Where files changed meanwhile it has another key."""
    key = result["key"]
    tasks = folder / "tasks"
    tasks.mkdir(parents=True, exist_ok=True)
    fresh = tasks / f".{key}.{os.getpid()}.new"
    try:
        fresh.write_text(json.dumps(result, ensure_ascii=False), encoding="utf-8")
        fresh.replace(tasks / f"{key}.json")
    finally:
        fresh.unlink(missing_ok=True)


def _reported(manifest: StrPath, results: StrPath | None, more: list[str]) -> Suite:
    """The reports, as an object."""
    command = ["suite", os.fspath(manifest), "--format=json", *more]
    ended = _ended(command, None)
    if ended.returncode not in (0, 5, 10) or not ended.stdout:
        raise _wrong(command, ended)
    return Suite(ended.returncode, _folder(manifest, results), ended.stdout)


def _folder(manifest: StrPath, results: StrPath | None) -> Path:
    """Where results are."""
    if results is not None:
        return Path(results)
    path = Path(manifest)
    return (path if path.is_dir() else path.parent) / ".nearmiss"


def _choice(
    results: StrPath | None,
    since: str | None,
    changed: Iterable[StrPath] | None,
    only: str | Iterable[str] | None,
    again: str | None,
) -> list[str]:
    """What the plan and the reports are about, as words."""
    one = {"--results": None if results is None else os.fspath(results), "--since": since, "--again": again}
    patterns = [only] if isinstance(only, str) else list(only or [])
    words = [f"{flag}={value}" for flag, value in one.items() if value is not None]
    words += [f"--changed={os.fspath(file)}" for file in changed or []]
    return words + [f"--only={pattern}" for pattern in patterns]


def _said(words: list[str], well: tuple[int, ...], line: str | None = None) -> str:
    """What a command prints that ends well."""
    ended = _ended(words, line)
    if ended.returncode not in well:
        raise _wrong(words, ended)
    return ended.stdout


def _ended(words: list[str], line: str | None) -> subprocess.CompletedProcess[str]:
    """Runs the tool to its end. At Ctrl-C it ends, too."""
    return subprocess.run([os.fspath(TOOL), *words], input=line or "", capture_output=True, text=True, encoding="utf-8")


def _wrong(words: list[str], ended: subprocess.CompletedProcess[str]) -> Exception:
    """Why a command did not do what it was to do."""
    code, said = ended.returncode, ended.stderr.strip()
    if code == 2:
        found = [match for match in map(LOCATED.match, said.splitlines()) if match]
        located = tuple(
            Located(one["message"], one["file"], int(one["line"]), int(one["column"]) if one["column"] else None)
            for one in found
        )
        return InputError(located or (Located(said.removeprefix("error: ")),))
    if code == 1:
        return UsageError(said.removeprefix("error: ").partition("\n\nUsage:")[0])
    if code == 6:
        return InternalError(said)
    return Error(f"`nearmiss {' '.join(words)}` ended with {code}: {said}")


__all__: list[Any] = ["Bug", "Outcome", "Suite", "Task", "perform", "run"]
