"""Keywords mean what the words of the command line mean."""

from __future__ import annotations

import inspect
import keyword
import os
from pathlib import Path
from typing import get_type_hints

import pytest

import nearmiss
from nearmiss import asking, functions

HERE = Path(__file__).resolve().parent


def test_the_types_are_those_of_the_command_line() -> None:
    """`UPDATE=1` writes them anew."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("write_options", HERE.parent / "write_options.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    file = HERE.parent / "python" / "nearmiss" / "options.py"
    if os.environ.get("UPDATE"):
        file.write_text(module.written())
    assert file.read_text() == module.written()


@pytest.mark.parametrize("name", functions.COMMANDS)
def test_every_option_is_a_keyword(name: str) -> None:
    from nearmiss import options

    keys = get_type_hints(getattr(options, f"{name.capitalize()}Options"), vars(asking) | vars(options))
    known = set(asking.options(name)) - set(functions.ELSEWHERE)
    assert set(keys) == known
    assert all(one.isidentifier() and not keyword.iskeyword(one) for one in known)
    signature = inspect.signature(getattr(nearmiss, name))
    assert set(signature.parameters) == known | {"trace" if name == "causes" else "files"}
    assert "unwind=N" in (nearmiss.explain.__doc__ or "")


def test_keywords_become_words() -> None:
    given = {
        "unwind": 3,
        "timeout": 0.5,
        "unwindset": {"main.0": 4, "main.1": 9},
        "property": "main.assertion.1",
        "assume": ["a.c:3: n > 0", "a.c:4: m > 0"],
        "D": {"N": 3, "DEBUG": None},
        "I": Path("include"),
        "weights": (1, 1, 5),
        "routes": True,
        "no_native": False,
        "bounds_check": False,
        "depth": None,
    }
    assert asking.words("explain", given) == [
        "--unwind=3",
        "--timeout=0.5",
        "--unwindset=main.0:4",
        "--unwindset=main.1:9",
        "--property=main.assertion.1",
        "--assume=a.c:3: n > 0",
        "--assume=a.c:4: m > 0",
        "-DN=3",
        "-DDEBUG",
        "-Iinclude",
        "--weights=1,1,5",
        "--routes",
        "--no-bounds-check",
    ]


def test_names_of_files_are_no_options(tmp_path: Path, minmax: Path) -> None:
    odd = tmp_path / "-x.c"
    odd.write_text(minmax.read_text())
    os.chdir(tmp_path)
    assert nearmiss.check("-x.c").fails
    with pytest.raises(nearmiss.InputError, match=r"\./-"):
        nearmiss.check("-")


def test_options_have_their_effect(minmax: Path) -> None:
    assert nearmiss.check(minmax, no_assertions=True).holds
    assert nearmiss.check(minmax, assertions=False).holds
    assert nearmiss.check(minmax, assertions=True).fails
    assert not len(nearmiss.explain(minmax, no_fixes=True).fixes)
    assert nearmiss.explain(minmax, metric="align").passing.metric == "align"  # type: ignore[union-attr]
    assert nearmiss.check([minmax], trace=True).text.count("\n") > nearmiss.check(minmax).text.count("\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unwnid": 3}, "did you mean unwind"),
        ({"apply": 1}, r"it is one of fix\(\)"),
        ({"show_loops": True}, r"nearmiss\.loops\(\)"),
        ({"slice_formula": True}, "has no option slice_formula"),
        ({"routes": 1}, "routes is True or False"),
        ({"unwind": True}, "unwind cannot be True"),
        ({"property": b"x"}, "property cannot be"),
    ],
)
def test_wrong_keywords_are_type_errors(minmax: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        nearmiss.explain(minmax, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unwind": -1}, "a number from 0"),
        ({"slice": "half"}, "use two-phase, one-step or none"),
        ({"property": "nothing"}, "there is no claim `nothing`"),
        ({"weights": (1, 2)}, "three whole numbers"),
        ({"bounds_check": True, "no_bounds_check": True}, "contradict"),
        ({"verbose": True, "quiet": True}, "cannot be used with"),
        ({"stdin": "x", "tests": "y"}, "cannot be used with"),
    ],
)
def test_wrong_values_are_usage_errors(minmax: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(nearmiss.UsageError, match=message) as raised:
        nearmiss.explain(minmax, **options)  # type: ignore[arg-type]
    assert isinstance(raised.value, ValueError) and "Usage:" not in str(raised.value)


def test_no_file_is_an_error() -> None:
    with pytest.raises(nearmiss.UsageError, match="FILE.c"):
        nearmiss.check([])
