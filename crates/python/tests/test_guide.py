"""What the guide shows is what comes out."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest


def test_the_guide_tells_the_truth() -> None:
    pytest.importorskip("pandas")
    page = Path("docs/guide/src/python.md").resolve()
    options = doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=options)
    assert tried >= 20 and failed == 0
