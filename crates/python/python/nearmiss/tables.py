"""Rows of one kind: a sequence, shown as a table, and a pandas frame where pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row")


class Table(Sequence[Row], Generic[Row]):
    """Rows that cannot be changed, all of one kind."""

    __slots__ = ("_kind", "_rows")

    def __init__(self, kind: type[Row], rows: Iterable[Row] = ()) -> None:
        self._kind = kind
        self._rows = tuple(rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Table[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Table[Row]:
        if isinstance(index, slice):
            return Table(self._kind, self._rows[index])
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Table):
            return self._rows == other._rows
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Table, (self._kind, self._rows))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what each row has."""
        return tuple(field.name for field in fields(self._kind) if field.repr) if is_dataclass(self._kind) else ()

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary for each row; tables in rows become lists."""
        return [{name: _plain(getattr(row, name)) for name in self.columns} for row in self._rows]

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a frame of pandas, with its columns even where there is no row."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("to_pandas() needs pandas: pip install pandas (to_dicts() works without)") from missing
        return pandas.DataFrame(self.to_dicts(), columns=list(self.columns))

    def __repr__(self) -> str:
        if not self._rows:
            return f"no {self._kind.__name__}"
        return "\n".join(_lines([self._shown(), *(self._cells(row) for row in self._rows)]))

    def _repr_html_(self) -> str:
        def row(cells: Iterable[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag} style='text-align:left'>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        head, body = row(self._shown(), "th"), "".join(row(self._cells(one), "td") for one in self._rows)
        return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"

    def _shown(self) -> list[str]:
        """Columns that say anything in any row, and are no tables themselves."""
        values = {name: [getattr(row, name) for row in self._rows] for name in self.columns}
        said = {name: [value for value in column if value not in (None, ())] for name, column in values.items()}
        return [
            name for name, column in said.items() if column and not any(isinstance(value, (Table, dict)) for value in column)
        ]

    def _cells(self, row: Row) -> list[str]:
        return [_cell(getattr(row, name)) for name in self._shown()]


def _plain(value: Any) -> Any:
    if isinstance(value, Table):
        return value.to_dicts()
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value) if field.repr}
    return value


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "; ".join(_cell(part) for part in value)
    return str(value)


def _lines(rows: list[list[str]]) -> Iterator[str]:
    """Cells below each other."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
