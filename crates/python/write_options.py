"""Writes `nearmiss/options.py`, the types of all options, from what the command line's parser knows.

    python write_options.py     prints it

`tests/test_options.py` compares it with the file; with UPDATE=1 it writes the file.
"""

from __future__ import annotations

import textwrap
from typing import Any

from nearmiss import _nearmiss
from nearmiss.asking import options
from nearmiss.functions import ELSEWHERE

HEAD = '''"""The options of each command with their types. Written by `write_options.py` from the command line's parser: do not edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypedDict

from .asking import StrPath
'''

PROGRAMS = ("check", "explain", "focus", "fix")

NUMBERS = {"N": "int", "MB": "int", "S": "float"}
FILES = {"DIR", "FILE", "FILE.c", "LOG"}
PAIRS = {"NAME[=VALUE]": "object", "L:N": "int", "FUNCTION=NAME": "str"}


def type_of(option: _nearmiss.Option) -> str:
    """The type of a keyword."""
    value = option["value"] or ""
    if option["takes"] == "nothing":
        return "bool | None"
    one = NUMBERS.get(value, "StrPath" if value in FILES else "str")
    if option["words"]:
        one = f"Literal[{', '.join(repr(word) for word in option['words'])}]".replace("'", '"')
    if value == "P,A,C":
        one = "str | tuple[int, int, int]"
    if option["takes"] == "one":
        return f"{one} | None"
    pairs = f" | Mapping[str, {PAIRS[value]}]" if value in PAIRS else ""
    return f"{one} | Iterable[{one}]{pairs} | None"


def field(keyword: str, option: _nearmiss.Option) -> list[str]:
    """A key with what it says of itself."""
    told = textwrap.wrap(option["help"], 110)
    return [f"    #: {line}" for line in told] + [f"    {keyword}: {type_of(option)}"]


def written() -> str:
    """The whole file."""
    all_options: dict[str, dict[str, Any]] = {
        command: {keyword: option for keyword, option in options(command).items() if keyword not in ELSEWHERE}
        for command in (*PROGRAMS, "causes")
    }
    first = all_options["check"]
    common = [
        keyword
        for keyword, option in first.items()
        if all(all_options[command].get(keyword) == option for command in PROGRAMS)
    ]
    lines = [HEAD, "", "class ProgramOptions(TypedDict, total=False):", '    """What all commands on programs take."""', ""]
    for keyword in common:
        lines += field(keyword, first[keyword])
    for command, own in all_options.items():
        base = "ProgramOptions" if command in PROGRAMS else "TypedDict"
        lines += ["", "", f"class {command.capitalize()}Options({base}, total=False):", f'    """What `{command}` takes."""', ""]
        for keyword, option in own.items():
            if base == "TypedDict" or keyword not in common:
                lines += field(keyword, option)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(written(), end="")
