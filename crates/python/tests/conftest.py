"""Programs and traces that the tests ask about."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

#: It fails by sheer search: long enough to be interrupted, whatever the machine.
LONG = """
/* The product of two primes of 45 bits. */
extern unsigned long long nondet_unsigned_long_long(void);
#include <assert.h>
int main(void) {
    unsigned __int128 a = nondet_unsigned_long_long(), b = nondet_unsigned_long_long();
    if (a > 1 && b > 1 && a < b) assert(a * b != (((unsigned __int128)0x4d105c3 << 64) | 0x8e27a10ff6544e3));
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
