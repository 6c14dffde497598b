"""From keywords to the words of a command line, and from what the command tells to an answer or an exception.

Nothing here knows what an option means: which options there are, and what they take, is read off the command line's own parser.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from . import _nearmiss
from .errors import InputError, InternalError, Located, UsageError, Warning
from .results import Answer
from .tables import Table

#: The tool itself, which confines programs that are replayed, and is the command `nearmiss`.
TOOL = Path(__file__).resolve().parent / "tool" / "nearmiss"

_nearmiss.tool_is_at(os.fspath(TOOL))

A = TypeVar("A", bound=Answer)

StrPath = str | os.PathLike[str]
Files = StrPath | Iterable[StrPath]


@cache
def options(command: str) -> dict[str, _nearmiss.Option]:
    """The options of a command by their keywords: the name that is typed, with `_` for `-`."""
    return {option["flag"].lstrip("-").replace("-", "_"): option for option in _nearmiss.options(command)}


def words(command: str, given: Mapping[str, Any]) -> list[str]:
    """What would be typed for some keywords. What is `None` is not given."""
    known = options(command)
    typed: list[str] = []
    for keyword, value in given.items():
        if value is not None:
            typed += _typed(command, keyword, known[keyword], value)
    for flag in typed:
        if flag.startswith("--no-") and f"--{flag[5:]}" in typed:
            keyword = flag[5:].replace("-", "_")
            raise UsageError(f"{command}(): {keyword} and no_{keyword} contradict each other")
    return typed


def _typed(command: str, keyword: str, option: _nearmiss.Option, value: Any) -> list[str]:
    """One keyword as words."""
    flag, takes = option["flag"], option["takes"]
    if takes == "nothing":
        if not isinstance(value, bool):
            raise TypeError(f"{command}(): {keyword} is True or False, not {value!r}")
        opposite = option["opposite"]
        return [flag] if value else [opposite] if opposite else []
    glue = "=" if flag.startswith("--") else ""
    if takes == "one":
        if isinstance(value, (list, tuple)):
            value = ",".join(_text(command, keyword, part) for part in value)
        return [f"{flag}{glue}{_text(command, keyword, value)}"]
    if isinstance(value, Mapping):
        between = ":" if ":" in (option["value"] or "") else "="
        value = [str(name) if of is None else f"{name}{between}{of}" for name, of in value.items()]
    elif isinstance(value, (str, bytes, os.PathLike)) or not isinstance(value, Iterable):
        value = [value]
    return [f"{flag}{glue}{_text(command, keyword, part)}" for part in value]


def _text(command: str, keyword: str, value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, (bool, bytes)) or not isinstance(value, (str, int, float, os.PathLike)):
        raise TypeError(f"{command}(): {keyword} cannot be {value!r}")
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def paths(command: str, files: Files) -> list[str]:
    """Names of files as words: none is taken for an option, or for standard input."""
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    named = [_text(command, "files", os.fspath(file)) for file in files]
    return [f"./{name}" if name.startswith("-") else name for name in named]


def ask(kind: type[A], command: str, files: Files, given: Mapping[str, Any], *more: str) -> A:
    """Asks, and waits for the answer. Other threads go on meanwhile."""
    typed = [command, *more, *words(command, given), *paths(command, files)]
    try:
        told = _nearmiss.ask(typed)
    except KeyboardInterrupt as stopped:
        known: _nearmiss.Told | None = stopped.__dict__.pop("told", None)
        stopped.result = answered(kind, known) if known and known.json else None  # type: ignore[attr-defined]
        raise
    except UnicodeEncodeError as odd:
        raise UsageError(f"{command}(): {odd.object!r} is not UTF-8") from None
    wrong = [line for line in told.complaints if line.startswith(("error: ", "internal error: "))]
    if told.exit == 2:
        raise _unreadable(told, wrong)
    if told.exit == 6:
        raise InternalError(_said(wrong))
    if told.exit == 1 or wrong or told.json is None:
        raise UsageError(_said(wrong or told.complaints))
    found = answered(kind, told)
    for line in found.warnings:
        warnings.warn(line, Warning, stacklevel=3)
    return found


def answered(kind: type[A], told: _nearmiss.Told) -> A:
    """What was told, as an object."""
    stats = json.loads(told.stats) if told.stats else None
    assert told.json is not None
    return kind(told.exit, told.printed, tuple(told.complaints), stats, told.json, told.page)


def listed(kind: type[Any], command: str, files: Files, given: Mapping[str, Any], flag: str) -> Table[Any]:
    """What a list of the command holds."""
    from .results import _table

    rows: list[dict[str, Any]] = ask(Answer, command, files, given, flag).to_dict()[flag.removeprefix("--show-")]
    return _table(kind, rows)


def _unreadable(told: _nearmiss.Told, wrong: list[str]) -> InputError:
    """Errors of the input, with their places."""
    found = json.loads(told.errors)["errors"] if told.errors else []
    located = tuple(Located(**{key: error[key] for key in ("message", "file", "line", "column", "help")}) for error in found)
    return InputError(located or (Located(_said(wrong or told.complaints)),))


def _said(lines: list[str]) -> str:
    """What was said, without how it starts and what is about command lines."""
    text = "\n".join(line.removeprefix("internal error: ").removeprefix("error: ") for line in lines)
    return text.partition("\n\nUsage:")[0].partition("\n\nFor more information")[0].strip()
