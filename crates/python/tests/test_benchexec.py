"""BenchExec understands the tool-info module, and takes its verdicts off the tool's answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nearmiss.asking import TOOL

template = pytest.importorskip("benchexec.tools.template")
result = pytest.importorskip("benchexec.result")
util = pytest.importorskip("benchexec.util")
yaml = pytest.importorskip("yaml")

TASKS = Path("bench/benchexec/tasks")


def tool() -> Any:
    from nearmiss.benchexec import Tool

    return Tool()


def verdict(task: str, property_file: str, *options: str) -> str:
    """What BenchExec takes for the verdict of a task, from a run of the tool."""
    definition = yaml.safe_load((TASKS / task).read_text())
    asked = template.BaseTool2.Task.with_files(
        [str(TASKS / definition["input_files"])], property_file=str(TASKS / property_file), options=definition["options"]
    )
    limits = template.BaseTool2.ResourceLimits(cputime=60, memory=2_000_000_000)
    cmdline = tool().cmdline(str(TOOL), list(options), asked, limits)
    ended = subprocess.run(cmdline, capture_output=True, text=True)
    output = template.BaseTool2.RunOutput([line + "\n" for line in ended.stdout.splitlines()])
    run = template.BaseTool2.Run(cmdline, util.ProcessExitCode.create(value=ended.returncode), output, None)
    told: str = tool().determine_result(run)
    return told


def test_its_own_checker_passes(tmp_path: Path) -> None:
    """It prints what it thinks of a tool-info module; what it does not like is a warning. It asks about a property file that is not there."""
    (tmp_path / "nearmiss").symlink_to(TOOL)
    (tmp_path / "PROPERTY.PRP").write_text((TASKS / "unreach-call.prp").read_text())
    command = [sys.executable, "-m", "benchexec.test_tool_info", "nearmiss.benchexec", "--no-container", "--tool-directory", "."]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    told = ended.stdout + ended.stderr
    assert ended.returncode == 0, told
    assert "“nearmiss”" in told and "Traceback" not in told, told
    complaints = [line for line in told.splitlines() if "WARNING" in line or "does not support" in line]
    assert complaints == [], told


@pytest.mark.parametrize(
    "task",
    [(path.name, one) for path in sorted(Path(__file__).parents[3].joinpath(TASKS).glob("*.yml")) for one in yaml.safe_load(path.read_text())["properties"]],
    ids=lambda task: f"{task[0]} {task[1]['property_file']}",
)
def test_verdicts_are_those_expected(task: tuple[str, dict[str, Any]]) -> None:
    name, wanted = task
    expected = str(wanted["expected_verdict"]).lower()
    if expected == "false":
        expected = f"false({wanted.get('subproperty', wanted['property_file'].removesuffix('.prp'))})"
    assert verdict(name, wanted["property_file"], "--no-native") == expected


def test_what_is_not_known_of_all_executions_is_unknown(tmp_path: Path) -> None:
    assert verdict("middle.yml", "unreach-call.prp", "--unwind", "1", "--no-unwinding-assertions") == "true", "no loop"
    loop = tmp_path / "loop.c"
    loop.write_text("extern int nondet_int(void); int main(void) { for (int i = nondet_int(); i > 0; i--) ; return 0; }\n")
    main = tmp_path / "main.c"
    main.write_text("#include <assert.h>\nint main(int argc, char **argv) { assert(argc < 1000); return 0; }\n")
    for path, options in ((loop, ["--unwind", "2", "--no-unwinding-assertions"]), (main, [])):
        cmdline = [str(TOOL), "check", "--format", "json", *options, str(path)]
        ended = subprocess.run(cmdline, capture_output=True, text=True)
        run = SimpleNamespace(cmdline=cmdline, output=[ended.stdout], exit_code=SimpleNamespace(value=ended.returncode))
        assert tool().determine_result(run) == result.RESULT_UNKNOWN, ended.stdout[:300]


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.c"
    wrong.write_text("int main(void) { return }\n")
    cmdline = [str(TOOL), "check", "--format", "json", str(wrong)]
    ended = subprocess.run(cmdline, capture_output=True, text=True)
    run = SimpleNamespace(cmdline=cmdline, output=[ended.stdout], exit_code=SimpleNamespace(value=2))
    assert tool().determine_result(run).startswith("ERROR (")


def test_other_properties_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "termination.prp"
    other.write_text("CHECK( init(main()), LTL(F end) )\n")
    cmdline = [str(TOOL), "check", "--format", "json", "--property-file", str(other), str(TASKS / "middle.c")]
    ended = subprocess.run(cmdline, capture_output=True, text=True)
    run = SimpleNamespace(cmdline=cmdline, output=[ended.stdout], exit_code=SimpleNamespace(value=ended.returncode))
    assert tool().determine_result(run) == "ERROR (usage)" and "nothing else" in ended.stderr


def test_memory_that_is_not_freed(tmp_path: Path) -> None:
    """valid-memcleanup forbids it; valid-memtrack may or may not."""
    leak = tmp_path / "leak.c"
    leak.write_text("#include <stdlib.h>\nint main(void) { char *p = malloc(3); return p == 0; }\n")
    for name, expected in (("valid-memcleanup", "false(valid-memcleanup)"), ("valid-memtrack", "unknown")):
        file = tmp_path / f"{name}.prp"
        file.write_text(f"CHECK( init(main()), LTL(G {name}) )\n")
        cmdline = [str(TOOL), "check", "--format", "json", "--property-file", str(file), str(leak)]
        ended = subprocess.run(cmdline, capture_output=True, text=True)
        run = SimpleNamespace(cmdline=cmdline, output=[ended.stdout], exit_code=SimpleNamespace(value=ended.returncode))
        assert tool().determine_result(run) == expected, ended.stdout


def test_the_benchmark_definition_is_one() -> None:
    """BenchExec's own reader takes it, and finds a task for every property."""
    import xml.etree.ElementTree

    root = xml.etree.ElementTree.parse("bench/benchexec/nearmiss.xml").getroot()
    assert root.attrib["tool"] == "nearmiss.benchexec"
    for tasks in root.iter("tasks"):
        name = tasks.findtext("propertyfile")
        files = [path for path in TASKS.glob("*.yml") if str(name).removeprefix("tasks/") in path.read_text()]
        assert files and Path("bench/benchexec", str(name)).is_file()
