"""How answers look in a notebook, and tables with pandas and without."""

from __future__ import annotations

import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import nearmiss


def test_a_notebook_shows_the_page(minmax: Path) -> None:
    answer = nearmiss.explain(minmax)
    shown = answer._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts"')
    inside = shown[shown.index('srcdoc="') + len('srcdoc="') : shown.rindex('"></iframe>')]
    assert '"' not in inside, "nothing gets out of the attribute"
    assert unescape(inside) == answer.to_html()
    assert repr(answer).startswith("<Explanation: FAILS: `low <= high`")


def test_tables_are_shown(minmax: Path) -> None:
    suspects = nearmiss.explain(minmax).suspects
    html = suspects._repr_html_()
    assert html.count("<tr>") == len(suspects) + 1 and "if (second &lt; low)" in html
    first, *rows = repr(suspects).splitlines()
    assert first.split() == ["rank", "file", "line", "function", "text", "because", "reasons"] and len(rows) == len(suspects)
    assert repr(suspects[:0]) == "no Suspect"


def test_tables_are_frames(minmax: Path, holding: Path) -> None:
    pandas = pytest.importorskip("pandas")
    answer = nearmiss.explain(minmax)
    frame = answer.suspects.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["line"]) == [suspect.line for suspect in answer.suspects]
    empty = nearmiss.explain(holding).suspects.to_pandas()
    assert list(empty.columns) == list(frame.columns) and len(empty) == 0
    assert list(answer.fixes.to_pandas()["verified"])[0] == "all"


def test_without_pandas_all_else_works(minmax: Path) -> None:
    script = """
import sys
sys.modules["pandas"] = None  # As if it were not installed.
import nearmiss
suspects = nearmiss.explain(sys.argv[1]).suspects
print(suspects.to_dicts()[0]["line"])
try:
    suspects.to_pandas()
except ImportError as error:
    print(error)
"""
    ended = subprocess.run([sys.executable, "-c", script, str(minmax)], capture_output=True, text=True, check=True)
    line, error = ended.stdout.splitlines()
    assert int(line) > 0 and error == "to_pandas() needs pandas: pip install pandas (to_dicts() works without)"


def test_rows_are_like_a_sequence(minmax: Path) -> None:
    claims = nearmiss.check(minmax).claims
    assert claims[0] in claims and list(reversed(claims))[-1] == claims[0] and claims[:1] == claims[:1]
    assert claims.columns[:2] == ("id", "status") and claims.to_dicts()[0]["id"] == claims[0].id
