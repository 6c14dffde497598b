"""Explains why a C program, a trace or a model of hardware fails: the commands of nearmiss as functions.

    import nearmiss

    why = nearmiss.explain("minmax.c", unwind=5)
    why.verdict, why.failing, why.passing, why.suspects, why.fixes

Options have the names of the command line, with `_` for `-`; `help(nearmiss.explain)` lists them. What is wrong is an
exception (`nearmiss.errors`). Ctrl-C is a `KeyboardInterrupt`, of which `best_so_far` gives the best answer so far.
"""

from __future__ import annotations

from . import errors, results, suite, tables
from ._nearmiss import __version__
from .errors import Error, InputError, InternalError, UsageError, Warning, best_so_far
from .functions import causes, check, explain, fix, focus, loops, properties, signals
from .results import Answer, Check, Explanation, Fixing, Focus, TraceCauses
from .tables import Table

__all__ = [
    "Answer",
    "Check",
    "Error",
    "Explanation",
    "Fixing",
    "Focus",
    "InputError",
    "InternalError",
    "Table",
    "TraceCauses",
    "UsageError",
    "Warning",
    "__version__",
    "best_so_far",
    "causes",
    "check",
    "errors",
    "explain",
    "fix",
    "focus",
    "loops",
    "properties",
    "results",
    "signals",
    "suite",
    "tables",
]
