"""Tables: dictionaries of numpy columns that become data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .pictures import table_html

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Table"]


class Table(Mapping[str, "npt.NDArray[Any]"]):
    """Columns of equal length by name, read-only; `to_polars` and `to_pandas` make data frames.

    >>> import equipoise as eq
    >>> table = eq.Table({"combo": eq.COMBOS[:3], "number": range(3)})
    >>> table
    <Table of 3 rows: combo, number>
    >>> list(table), table["number"].tolist()
    (['combo', 'number'], [0, 1, 2])
    """

    __slots__ = ("_columns",)

    def __init__(self, columns: Mapping[str, Any]) -> None:
        made: dict[str, npt.NDArray[Any]] = {}
        for name, column in columns.items():
            array = np.asarray(column)
            if array.base is None and array.flags.owndata:
                array.setflags(write=False)
            made[name] = array
        self._columns = made

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return max((len(column) for column in self._columns.values()), default=0)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns as a dictionary."""
        return dict(self._columns)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows one by one."""
        for row in range(self.num_rows):
            yield {name: column[row].item() for name, column in self._columns.items()}

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars."""
        import polars

        return polars.DataFrame(dict(self._columns))

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas."""
        import pandas

        return pandas.DataFrame(dict(self._columns))

    def __repr__(self) -> str:
        return f"<Table of {self.num_rows} rows: {', '.join(self._columns)}>"

    def __reduce__(self) -> tuple[type[Table], tuple[dict[str, Any]]]:
        return Table, (dict(self._columns),)

    def _repr_html_(self) -> str:
        return table_html(self._columns)
