"""Programs and traces that the tests ask about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

#: It fails by sheer search: long enough to be interrupted, whatever the machine.
LONG = """
extern unsigned nondet_unsigned(void);
#include <assert.h>
int main(void) {
    unsigned long long a = nondet_unsigned(), b = nondet_unsigned();
    if (a > 1 && b > 1 && a < b) assert(a * b != 4611685975477714963ull);
    return 0;
}
"""


@pytest.fixture
def minmax() -> Path:
    """A program that fails, and for which a fix is known."""
    return ROOT / "examples" / "minmax.c"


@pytest.fixture
def holding(tmp_path: Path) -> Path:
    """A program that does not."""
    path = tmp_path / "holds.c"
    path.write_text("#include <assert.h>\nint main(void) { int x = nondet_int(); assert(x <= 2147483647); }\n")
    return path


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A program on which somebody may lose patience."""
    path = tmp_path / "long.c"
    path.write_text(LONG)
    return path


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """A trace on which a request is not answered."""
    path = tmp_path / "trace.csv"
    path.write_text("req,ack\n0,0\n1,0\n0,0\n0,0\n")
    return path


@pytest.fixture(autouse=True)
def at_the_root() -> None:
    """Names of files are told from the root of the repository, in the command and here."""
    os.chdir(ROOT)
