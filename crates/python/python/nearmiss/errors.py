"""What can go wrong, as exceptions. Each says what the command would print; errors of the input also say where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Answer


class Error(Exception):
    """A question that has no answer."""


class UsageError(Error, ValueError):
    """An option has a value that it cannot have, or options do not go together. The command would end with 1."""


class InternalError(Error, RuntimeError):
    """A bug of nearmiss, a failed re-check included. The command would end with 6."""


@dataclass(frozen=True)
class Located:
    """What is wrong with the input, and where."""

    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    help: str | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}\n  help: {self.help}" if self.help else text


class InputError(Error):
    """The input cannot be read. The command would end with 2.

    `file`, `line` and `column` (bytes, from 1) are those of the first error; `errors` has all of them.
    """

    def __init__(self, errors: tuple[Located, ...]) -> None:
        super().__init__("\n".join(str(error) for error in errors))
        self.errors = errors
        first = errors[0] if errors else Located("the input cannot be read")
        self.message = first.message
        self.file = first.file
        self.line = first.line
        self.column = first.column
        self.help = first.help

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Located, ...]]]:
        return (InputError, (self.errors,))


def best_so_far(interrupt: KeyboardInterrupt) -> Answer | None:
    """The best answer so far, where Ctrl-C came during a question; `None` where there was none within a moment.

    The exception is Python's own, so that a script that does not catch it ends as scripts do.
    """
    found: Answer | None = getattr(interrupt, "result", None)
    return found


class Warning(UserWarning):
    """Something that the command says on standard error beside its answer."""
