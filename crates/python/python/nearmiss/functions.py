"""The commands as functions. Their options are those of the command line, and mean what they mean there."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

from . import asking
from .results import Answer, Check, ClaimName, Explanation, Fixing, Focus, Loop, Signal, TraceCauses
from .tables import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .asking import Files, StrPath
    from .options import CausesOptions, CheckOptions, ExplainOptions, FixOptions, FocusOptions

F = TypeVar("F", bound=Callable[..., Any])

COMMANDS = ("check", "explain", "focus", "fix", "causes")

#: What has a function of its own here, or is about a terminal.
ELSEWHERE = {
    "dump": "the command line has it",
    "show_loops": "nearmiss.loops() lists them",
    "show_properties": "nearmiss.properties() lists them",
    "show_signals": "nearmiss.signals() lists them",
}


def _command(command: str) -> Callable[[F], F]:
    """Tells Python, and who asks for help, which options there are."""

    def told(function: F) -> F:
        options = {keyword: option for keyword, option in asking.options(command).items() if keyword not in ELSEWHERE}
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        kind = inspect.Parameter.KEYWORD_ONLY
        keywords = [inspect.Parameter(name, kind, default=None) for name in options]
        function.__signature__ = signature.replace(parameters=[*own, *keywords])  # type: ignore[attr-defined]
        lines = [inspect.cleandoc(function.__doc__ or ""), "", "Options, as of the command line:", ""]
        for keyword, option in options.items():
            value = f"={option['value']}" if option["value"] else "=True"
            lines += [f"{keyword}{value}", textwrap.indent(textwrap.fill(option["help"], 90), "    ")]
        function.__doc__ = "\n".join(lines)
        return function

    return told


def _known(command: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuses what is no option here."""
    options = asking.options(command)
    for keyword in given:
        if keyword in ELSEWHERE and keyword in options:
            raise TypeError(f"{command}() has no option {keyword}: {ELSEWHERE[keyword]}")
        if keyword in options:
            continue
        owners = [f"{other}()" for other in COMMANDS if keyword in asking.options(other) and keyword not in ELSEWHERE]
        near = get_close_matches(keyword, options, 1)
        tip = f"; did you mean {near[0]}?" if near else ""
        tip = f"; it is one of {', '.join(owners)}" if owners else tip
        raise TypeError(f"{command}() has no option {keyword}{tip}")
    return given


@_command("check")
def check(files: Files, **options: Unpack[CheckOptions]) -> Check:
    """Does it fail? The verdict, and the smallest failing run.

    `files` is a C file, or those of one program; or a model of hardware (.btor2, .aag, .aig).
    """
    return asking.ask(Check, "check", files, _known("check", options))


@_command("explain")
def explain(files: Files, **options: Unpack[ExplainOptions]) -> Explanation:
    """Why does it fail? The failing run beside the nearest one that passes, causes, suspects, fixes.

    `files` is a C file, or those of one program; or a model of hardware (.btor2, .aag, .aig).
    """
    return asking.ask(Explanation, "explain", files, _known("explain", options))


@_command("focus")
def focus(files: Files, **options: Unpack[FocusOptions]) -> Focus:
    """In which ways does it fail? Each as its statements and the inputs for which it happens.

    `files` is a C file, or those of one program.
    """
    return asking.ask(Focus, "focus", files, _known("focus", options))


@_command("fix")
def fix(files: Files, **options: Unpack[FixOptions]) -> Fixing:
    """Which edits make it right? Each is proved.

    `files` is a C file, or those of one program.
    """
    return asking.ask(Fixing, "fix", files, _known("fix", options))


@_command("causes")
def causes(trace: StrPath, **options: Unpack[CausesOptions]) -> TraceCauses:
    """Which values on a trace make a formula false?

    `trace` is a file: VCD, FST, GHW, a counterexample of NuSMV or nuXmv, ITF or CSV.
    """
    return asking.ask(TraceCauses, "causes", trace, _known("causes", options))


@_command("check")
def properties(files: Files, **options: Unpack[CheckOptions]) -> Table[ClaimName]:
    """The claims of a program, by the names that `property=` takes."""
    return asking.listed(ClaimName, "check", files, _known("check", options), "--show-properties")


@_command("check")
def loops(files: Files, **options: Unpack[CheckOptions]) -> Table[Loop]:
    """The loops of a program, by the names that `unwindset=` takes."""
    return asking.listed(Loop, "check", files, _known("check", options), "--show-loops")


def signals(trace: StrPath) -> Table[Signal]:
    """The signals of a trace, as formulas name them."""
    return asking.listed(Signal, "causes", trace, {}, "--show-signals")


__all__ = ["Answer", "causes", "check", "explain", "fix", "focus", "loops", "properties", "signals"]
