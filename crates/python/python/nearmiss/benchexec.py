"""How BenchExec runs nearmiss: a tool-info module, named `nearmiss.benchexec` in a benchmark definition.

Tasks are SV-COMP's: the property file says which checks are on, and the data model of the task which machine it is. `bench/benchexec` has a benchmark
definition. The verdict is read off the JSON answer: "true" is said only of all executions, however large the bound.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import benchexec.result as result
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task
from benchexec.tools.template import BaseTool2

COMMANDS = ("check", "explain", "focus", "fix")

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
            own += ["--property-file", task.property_file]
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


def violated(answer: dict[str, Any], words: list[str]) -> str:
    """Which property of SV-COMP the violated claim belongs to."""
    if "--property-file" not in words:
        return str(result.RESULT_FALSE_PROP)
    property_file = Path(words[words.index("--property-file") + 1])
    kind = answer["property"]["kind"]
    if kind == "memory-leak" and "valid-memcleanup" not in property_file.read_text(encoding="utf-8"):
        # Memory that is never freed may still be pointed to in the end, which valid-memtrack allows.
        return str(result.RESULT_UNKNOWN)
    kinds = {
        "assertion": result.RESULT_FALSE_REACH,
        "overflow": result.RESULT_FALSE_OVERFLOW,
        "free": result.RESULT_FALSE_FREE,
        "array_bounds": result.RESULT_FALSE_DEREF,
        "pointer_dereference": result.RESULT_FALSE_DEREF,
        "precondition": result.RESULT_FALSE_DEREF,
        "memory-leak": result.RESULT_FALSE_MEMCLEANUP,
    }
    return str(kinds.get(kind, result.RESULT_FALSE_PROP))
