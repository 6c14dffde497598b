"""How BenchExec runs nearmiss: a tool-info module, named `nearmiss.benchexec` in a benchmark definition.

Tasks are SV-COMP's: the property file says which checks are on, and the data model of the task which machine it is. `bench/benchexec` has a benchmark
definition. The verdict is read off the JSON answer: "true" is said only of all executions, however large the bound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

COMMANDS = ("check", "explain", "focus", "fix")

#: A property as SV-COMP writes it, what it is called there, and the checks that it wants.
PROPERTIES = {
    "G ! call(reach_error())": ("unreach-call", ["--no-standard-checks"]),
    "G ! call(__VERIFIER_error())": ("unreach-call", ["--no-standard-checks"]),
    "G ! overflow": ("no-overflow", ["--no-standard-checks", "--no-assertions", "--signed-overflow-check"]),
    "G valid-free": ("valid-free", ["--no-standard-checks", "--no-assertions", "--bounds-check", "--pointer-check"]),
    "G valid-deref": ("valid-deref", ["--no-standard-checks", "--no-assertions", "--bounds-check", "--pointer-check"]),
    "G valid-memtrack": (
        "valid-memtrack",
        ["--no-standard-checks", "--no-assertions", "--bounds-check", "--pointer-check", "--memory-leak-check"],
    ),
    "G valid-memcleanup": ("valid-memcleanup", ["--no-standard-checks", "--no-assertions", "--memory-leak-check"]),
}

CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((.*)\)\s*\)\s*$")


class Tool(BaseTool2):  # type: ignore[misc]
    """nearmiss explains why a program fails: the nearest passing run, the differences that matter, the causes."""

    def executable(self, tool_locator: Any) -> str:
        executable: str = tool_locator.find_executable("nearmiss")
        return executable

    def name(self) -> str:
        return "nearmiss"

    def version(self, executable: str) -> str:
        version: str = self._version_from_tool(executable, line_prefix="nearmiss")
        return version

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        command = [] if options and options[0] in COMMANDS else ["check"]
        own = ["--format", "json"]
        machine = get_data_model_from_task(task, {ILP32: "--32", LP64: "--64"})
        if machine:
            own.append(machine)
        if task.property_file:
            with open(task.property_file, encoding="utf-8") as file:
                own += flags_of(file)
        # What is known when time or memory is over is told before BenchExec ends the run.
        seconds = rlimits.walltime or rlimits.cputime
        if seconds and "--timeout" not in options:
            own += ["--timeout", str(max(1, int(seconds * 0.95) - 1))]
        if rlimits.memory and "--memory" not in options:
            own += ["--memory", str(max(1, int(rlimits.memory * 0.9) // 1_000_000))]
        return [executable, *command, *options, *own, *task.input_files_or_identifier]

    def determine_result(self, run: Any) -> str:
        said = "".join(run.output)
        try:
            answer = json.loads(said[said.index("{") :])
        except ValueError:
            return str(result.RESULT_ERROR if run.exit_code.value != 1 else "ERROR (usage)")
        verdict = answer["verdict"]
        if verdict == "fails":
            return violated(answer, list(run.cmdline))
        # Of `main` with arguments only some executions are looked at; and a bound that is given may be too small.
        if verdict == "holds" and answer["complete"] and "arguments" not in answer:
            return str(result.RESULT_TRUE_PROP)
        if verdict == "error":
            return f"ERROR ({answer['errors'][0]['message']})" if answer["errors"] else str(result.RESULT_ERROR)
        return str(result.RESULT_UNKNOWN)


def flags_of(lines: Iterable[str]) -> list[str]:
    """The flags that check what a property file says."""
    flags: list[str] = []
    for line in filter(None, (line.strip() for line in lines)):
        match = CHECK.match(line)
        wanted = PROPERTIES.get(" ".join(match[2].split())) if match else None
        if match is None or wanted is None:
            raise UnsupportedFeatureException(f"nearmiss does not check the property `{line}`")
        flags += [flag for flag in wanted[1] if flag not in flags]
        if match[1] != "main" and "--function" not in flags:
            flags += ["--function", match[1]]
    return flags


def violated(answer: dict[str, Any], words: list[str]) -> str:
    """Which property of SV-COMP the violated claim belongs to."""
    kind = answer["property"]["kind"]
    if "--no-assertions" not in words:
        is_reached = kind == "assertion"
        return str(result.RESULT_FALSE_REACH if is_reached else result.RESULT_FALSE_PROP)
    if kind == "memory-leak":
        # A leak is memory that was never freed, which may well be pointed to in the end: valid-memtrack allows that.
        return str(result.RESULT_UNKNOWN if "--pointer-check" in words else result.RESULT_FALSE_MEMCLEANUP)
    kinds = {
        "overflow": result.RESULT_FALSE_OVERFLOW,
        "free": result.RESULT_FALSE_FREE,
        "array_bounds": result.RESULT_FALSE_DEREF,
        "pointer_dereference": result.RESULT_FALSE_DEREF,
        "precondition": result.RESULT_FALSE_DEREF,
    }
    return str(kinds.get(kind, result.RESULT_FALSE_PROP))
