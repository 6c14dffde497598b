"""The package is typed: a user's file passes `mypy --strict`, and what is wrong does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
#: What is known of other packages is kept from one run to the next.
CACHE = Path(sys.prefix) / "mypy"

RIGHT = """
from pathlib import Path

import nearmiss

why = nearmiss.explain([Path("a.c"), "b.c"], unwind=3, D={"N": 1}, slice="one-step", unwindset={"main.0": 4})
if why.failing is not None and why.passing is not None:
    names: list[str] = [one.name for one in why.failing.inputs]
    distance: int = why.passing.distance
lines: list[tuple[str, int]] = [(suspect.file, suspect.line) for suspect in why.suspects]
try:
    checked = nearmiss.check("a.c", timeout=0.5)
except nearmiss.InputError as error:
    place: tuple[str | None, int | None, int | None] = (error.file, error.line, error.column)
signals: set[str] = {cause.signal for cause in nearmiss.causes("a.vcd", formula="G a").causes}
tasks: list[str] = [task.name for task in nearmiss.suite.run("suite.yml").tasks]
"""

WRONG = {
    'nearmiss.explain("a.c", unwnid=3)': "unwnid",
    'nearmiss.explain("a.c", slice="half")': "slice",
    'nearmiss.check("a.c").suspects': "suspects",
    'nearmiss.check("a.c", unwind="three")': "unwind",
    'nearmiss.causes("a.vcd", unwind=3)': "unwind",
}


def mypy(*words: str, cwd: Path) -> tuple[str, int]:
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(CACHE), *words]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    return ended.stdout + ended.stderr, ended.returncode


def test_a_users_file_is_checked(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "right.py").write_text(RIGHT)
    wrong = "".join(f"{line}\n" for line in WRONG)
    (tmp_path / "wrong.py").write_text(f"import nearmiss\n{wrong}")
    told, _ = mypy("right.py", "wrong.py", cwd=tmp_path)
    complaints = [line for line in told.splitlines() if ": error:" in line]
    assert not [line for line in complaints if not line.startswith("wrong.py:")], told
    for number, (line, word) in enumerate(WRONG.items(), 2):
        assert any(one.startswith(f"wrong.py:{number}:") and word in one for one in complaints), (line, told)


def test_the_package_itself_is_checked() -> None:
    pytest.importorskip("mypy")
    told, code = mypy("-p", "nearmiss", "--config-file", str(HERE.parent / "pyproject.toml"), cwd=HERE)
    assert code == 0, told
