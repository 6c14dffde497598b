"""Answers: what each command tells, as objects.

They are made of the one JSON object that the command prints (`to_json`, `to_dict`); what is not named here is in there. Values of C
are text as C writes them ("-3", "&obj+4", "NULL"); `number` is a value as an `int` where it is one. Lines and columns count from 1.
"""

from __future__ import annotations

import json
import os
from dataclasses import MISSING, dataclass, field, fields
from html import escape
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from .tables import Table

T = TypeVar("T")
Object = dict[str, Any]


def _pick(kind: type[T], found: Object, **more: Any) -> T:
    """An object of what is told of it; keys that it does not know are passed over."""
    values: Object = {}
    for known in fields(kind):  # type: ignore[arg-type]
        if known.name in more:
            values[known.name] = more[known.name]
        elif known.name in found or known.default is MISSING:
            value = found[known.name]
            values[known.name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)


def _table(kind: type[T], found: list[Object] | None) -> Table[T]:
    return Table(kind, (_pick(kind, row) for row in found or []))


def _number(text: str | None) -> int | None:
    try:
        return int(text) if text is not None else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Claim:
    """A claim that the program makes, written or automatic, and whether it holds: "fails", "holds" or "undecided"."""

    id: str
    status: str
    file: str
    line: int
    unless: str | None = None
    after: str | None = None


@dataclass(frozen=True)
class Property:
    """The claim that the answer is about."""

    id: str
    kind: str
    text: str
    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Input:
    """A value that the program reads."""

    name: str
    type: str
    value: str
    file: str
    line: int
    function: str
    occurrence: int | None = None
    cycle: int | None = None

    @property
    def number(self) -> int | None:
        """The value where it is a whole number."""
        return _number(self.value)


@dataclass(frozen=True)
class Step:
    """A step of a run. `kind` is "assign", "branch", "call", "return", "claim" or "input"."""

    kind: str
    file: str
    line: int
    function: str
    text: str
    variable: str | None = None
    value: str | None = None
    taken: bool | None = None
    callee: str | None = None
    claim: str | None = None
    holds: bool | None = None
    differs: bool = False
    cycle: int | None = None


@dataclass(frozen=True)
class Delta:
    """What differs between the failing run and the passing one."""

    kind: str
    name: str
    variable: str
    text: str
    failing: str
    passing: str
    executed: str
    file: str
    line: int
    function: str
    trusted: bool = False


@dataclass(frozen=True)
class Replayed:
    """Who did what we say the program does. `native` is `None` where the compiled program was not run; the notes say why."""

    interpreter: bool
    native: bool | None


@dataclass(frozen=True)
class FailingRun:
    """The failing run: the shortest one with the smallest values, where `proved_minimal` says so."""

    inputs: Table[Input]
    steps: Table[Step]
    replayed: Replayed
    length: int
    sum: str
    minimised: str
    proved_minimal: bool

    @classmethod
    def _of(cls, found: Object) -> FailingRun:
        return _pick(cls, found, **_run(found))


@dataclass(frozen=True)
class PassingRun:
    """The nearest run that passes: no run that passes differs in fewer places, where `proved_minimal` says so."""

    inputs: Table[Input]
    steps: Table[Step]
    replayed: Replayed
    distance: int
    lower_bound: int
    proved_minimal: bool
    metric: str
    state: str
    avoids_check: bool
    deltas: Table[Delta]

    @classmethod
    def _of(cls, found: Object) -> PassingRun:
        return _pick(cls, found, **_run(found), deltas=_table(Delta, found["deltas"]))


def _run(found: Object) -> Object:
    return {
        "inputs": _table(Input, found["inputs"]),
        "steps": _table(Step, found["steps"]),
        "replayed": _pick(Replayed, found["replayed"]),
    }


@dataclass(frozen=True)
class Cause:
    """A relation without which the nearest runs pass."""

    text: str
    variables: tuple[str, ...]
    implies: tuple[str, ...]
    in_passing_run: bool | None = None


@dataclass(frozen=True)
class Suspect:
    """A line to look at, the likeliest first. `because` has the reasons as single words, `reasons` as they are told."""

    rank: int
    file: str
    line: int
    function: str
    text: str
    because: tuple[str, ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assumption:
    """What both runs were to satisfy."""

    text: str
    file: str
    line: int
    origin: str


@dataclass(frozen=True)
class Edit:
    """A change of the text: `old` from `line`:`column` to `end_line`:`end_column` becomes `new`. Columns count bytes from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    old: str
    new: str


@dataclass(frozen=True)
class Fix:
    """Edits with which nothing fails: for all inputs ("all"), up to the bound ("bound") or for the tests ("tests")."""

    edits: Table[Edit]
    verified: str
    family: str
    differs_when: str | None
    replayed: Replayed

    @classmethod
    def _of(cls, found: Object) -> Fix:
        return _pick(cls, found, edits=_table(Edit, found["edits"]), replayed=_pick(Replayed, found["replayed"]))


@dataclass(frozen=True)
class Statement:
    """A statement of a way to fail. `outcome` is what a decision comes out as."""

    file: str
    line: int
    function: str | None
    text: str
    outcome: bool | None
    role: str


@dataclass(frozen=True)
class Place:
    """A line."""

    file: str
    line: int


@dataclass(frozen=True)
class Way:
    """A way to fail: its statements, and the inputs for which exactly this happens, of those that the program itself assumes."""

    rank: int
    property: str
    statements: Table[Statement]
    assumptions: tuple[str, ...]
    reduced_assumptions: tuple[str, ...]
    nest: Table[Place]
    inputs: Table[Input]
    same_as: int | None = None

    @classmethod
    def _of(cls, found: Object) -> Way:
        return _pick(
            cls,
            found,
            statements=_table(Statement, found["statements"]),
            nest=_table(Place, found["nest"]),
            inputs=_table(Input, found["inputs"]),
        )


@dataclass(frozen=True)
class Test:
    """A test, and what is wrong with it."""

    __test__: ClassVar[bool] = False

    name: str
    passes: bool
    expected: str | None
    printed: str | None
    wrong: str | None
    file: str | None
    line: int | None


@dataclass(frozen=True)
class Formula:
    """A formula, and whether it holds: "fails", "holds", "undecided", "covered" or "not covered"."""

    formula: str
    name: str | None
    verdict: str
    reason: str | None
    summary: str


@dataclass(frozen=True)
class TraceCause:
    """A value on the trace that makes a formula false. `time` is a cycle, from 0; `timestamp` the time in the file."""

    signal: str
    time: int
    timestamp: int | None
    value: str | None
    atom: str
    exact: bool
    direct: bool
    responsibility: str | None


@dataclass(frozen=True)
class Failure:
    """A failure of a formula, at the first cycle after which nothing could save it, and its causes."""

    formula: str
    name: str | None
    at: int
    timestamp: int | None
    loop_start: int | None
    exact: bool
    causes: Table[TraceCause]

    @classmethod
    def _of(cls, found: Object) -> Failure:
        return _pick(cls, found, causes=_table(TraceCause, found["trace_causes"]))


@dataclass(frozen=True)
class ClaimName:
    """A claim by the name that `property=` takes."""

    id: str
    kind: str
    text: str
    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Loop:
    """A loop by the name that `unwindset=` takes."""

    id: str
    text: str
    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Signal:
    """A signal of a trace, as formulas name it. `kind` is "bits", "integer", "real" or "text"."""

    name: str
    kind: str
    range: str | None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Answer:
    """What every command tells. `print(answer)` prints what the command prints; in a notebook it is shown as the page."""

    exit_code: int
    text: str
    warnings: tuple[str, ...]
    stats: Object | None
    _json: str = field(repr=False)
    _page: str | None = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        first = self.text.partition("\n")[0]
        return f"<{type(self).__name__}: {first}>"

    def __bool__(self) -> bool:
        raise TypeError("an answer is neither true nor false: ask .fails, .holds or .verdict")

    def to_json(self) -> str:
        """The one JSON object that `--format json` prints, byte for byte."""
        return self._json

    def to_dict(self) -> Object:
        """The same as a dictionary of its own."""
        found: Object = json.loads(self._json)
        return found

    def to_html(self) -> str:
        """The page: one file without anything from elsewhere."""
        if self._page is None:
            raise ValueError("there is no page of this answer; text and JSON are all there is")
        return self._page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the answer into a file: a page if its name ends in .html, JSON for .json, else what the command prints."""
        path = Path(path)
        forms = {".html": self.to_html, ".htm": self.to_html, ".json": self.to_json}
        path.write_text(forms.get(path.suffix, self.__str__)(), encoding="utf-8")

    def _repr_html_(self) -> str:
        if self._page is None:
            return f"<pre>{escape(self.text)}</pre>"
        style = "width:100%;height:70vh;min-height:30em;border:1px solid #8884"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(self._page)}"></iframe>'

    @property
    def verdict(self) -> str:
        """ "fails", "holds" or "undecided"."""
        verdict: str = self._found["verdict"]
        return verdict

    @property
    def fails(self) -> bool:
        """Whether a claim is violated or a formula is false."""
        return self.verdict == "fails"

    @property
    def holds(self) -> bool:
        """Whether nothing fails; `complete` says whether for every execution or up to the bound."""
        return self.verdict == "holds"

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know beyond the answer."""
        return tuple(self._found["notes"])

    @property
    def _found(self) -> Object:
        # Parsed once; the object is frozen for users alone.
        found: Object | None = self.__dict__.get("_parsed")
        if found is None:
            found = self.to_dict()
            self.__dict__["_parsed"] = found
        return found


class Check(Answer):
    """Does it fail? The verdict and, where it does, the smallest failing run."""

    @property
    def complete(self) -> bool:
        """Whether the verdict is about every execution, not only those up to the bound."""
        complete: bool = self._found["complete"]
        return complete

    @property
    def unwind(self) -> int:
        """How far loops were unwound."""
        unwind: int = self._found["bound"]["unwind"]
        return unwind

    @property
    def claims(self) -> Table[Claim]:
        """All claims, with their status."""
        return _table(Claim, self._found["claims"])

    @property
    def claim(self) -> Property | None:
        """The claim that the answer is about (`property` in JSON); none where nothing fails."""
        found = self._found["property"]
        return _pick(Property, found) if found else None

    @property
    def failing(self) -> FailingRun | None:
        """The failing run; none where nothing fails."""
        found = self._found["counterexample"]
        return FailingRun._of(found) if found else None

    @property
    def tests(self) -> Table[Test]:
        """The tests, where some were given."""
        return _table(Test, self._found.get("tests"))


class Fixing(Check):
    """Which edits make it right?"""

    @property
    def fixes(self) -> Table[Fix]:
        """Proved edits, the likeliest slip first."""
        return Table(Fix, (Fix._of(found) for found in self._found.get("fixes", [])))

    @property
    def tried(self) -> Object:
        """How much was tried; empty where nothing fails."""
        tried: Object = self._found.get("tried", {})
        return tried


class Explanation(Fixing):
    """Why does it fail? The failing run beside the nearest one that passes, and what follows from that."""

    @property
    def passing(self) -> PassingRun | None:
        """The nearest passing run; none where nothing fails or none was found, and then the notes say so."""
        found = self._found.get("nearest")
        return PassingRun._of(found) if found else None

    @property
    def matters(self) -> Table[Delta]:
        """The fewest differences that turn failure into success (`slice.deltas` in JSON)."""
        return _table(Delta, (self._found.get("slice") or {}).get("deltas"))

    @property
    def causes(self) -> Table[Cause]:
        """Relations without which the nearest runs pass."""
        return _table(Cause, self._found.get("causes"))

    @property
    def suspects(self) -> Table[Suspect]:
        """Lines to look at, the likeliest first."""
        return _table(Suspect, self._found.get("suspects"))

    @property
    def assumptions(self) -> Table[Assumption]:
        """What both runs were to satisfy."""
        return _table(Assumption, self._found.get("assumptions"))


class Focus(Check):
    """In which ways does it fail?"""

    @property
    def ways(self) -> Table[Way]:
        """Every way to fail that was found, the simplest first (`sequences` in JSON)."""
        return Table(Way, (Way._of(found) for found in self._found.get("sequences", [])))

    @property
    def exhaustive(self) -> bool:
        """Whether these are all ways there are, up to the bound."""
        exhaustive: bool = self._found.get("exhaustive", False)
        return exhaustive


class TraceCauses(Answer):
    """Which values on a trace make formulas false?"""

    @property
    def formulas(self) -> Table[Formula]:
        """The formulas, each with its verdict."""
        return _table(Formula, self._found["formulas"])

    @property
    def failures(self) -> Table[Failure]:
        """Where they fail, and because of which values."""
        return Table(Failure, (Failure._of(found) for found in self._found["failures"]))

    @property
    def causes(self) -> Table[TraceCause]:
        """The causes of all failures, one after the other."""
        return Table(TraceCause, (cause for failure in self.failures for cause in failure.causes))
