"""Errors of the input say where."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import nearmiss


def test_an_error_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "wrong.c"
    path.write_text("int main(void) {\n    int x = ;\n    return x;\n}\n")
    with pytest.raises(nearmiss.InputError) as raised:
        nearmiss.check(path)
    error = raised.value
    assert (error.file, error.line, error.column) == (str(path), 2, 13)
    assert str(error).startswith(f"{path}:2:13: ")
    again = pickle.loads(pickle.dumps(error))
    assert (again.errors, str(again)) == (error.errors, str(error))


def test_every_error_is_told(tmp_path: Path) -> None:
    path = tmp_path / "wrong.c"
    path.write_text("int main(void) { return here + there; }\n")
    with pytest.raises(nearmiss.InputError) as raised:
        nearmiss.explain(path)
    assert [error.line for error in raised.value.errors] == [1, 1]
    assert "here" in raised.value.errors[0].message and "there" in raised.value.errors[1].message


def test_a_missing_file_is_named() -> None:
    with pytest.raises(nearmiss.InputError, match="nowhere.c") as raised:
        nearmiss.check("nowhere.c")
    assert raised.value.line is None


def test_a_wrong_formula_has_its_place(trace: Path) -> None:
    with pytest.raises(nearmiss.InputError) as raised:
        nearmiss.causes(trace, formula="G(req -> nothing)")
    assert (raised.value.file, raised.value.line, raised.value.column) == ("--formula", 1, 10)


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(nearmiss.UsageError, match="UTF-8"):
        nearmiss.check("\udcff.c")


def test_what_cannot_be_written_is_an_error(minmax: Path) -> None:
    with pytest.raises(nearmiss.InputError, match="cannot be written"):
        nearmiss.check(minmax, o="/nowhere/at/all.txt")


def test_time_is_over(long: Path) -> None:
    answer = nearmiss.check(long, timeout=0.3)
    assert (answer.verdict, answer.exit_code) == ("undecided", 5)
    assert any("--timeout" in note for note in answer.notes)
