"""Pictures as SVG text, which notebooks draw, and tables as HTML. The engine draws; nothing here needs matplotlib."""

from __future__ import annotations

import base64
import html
import os
from typing import Any, Mapping

import numpy as np
import numpy.typing as npt

from . import _equipoise

__all__ = ["Svg"]


class Svg:
    """A picture: notebooks draw it, `save` writes it, `str` is its text.

    >>> import equipoise as eq
    >>> eq.Range("TT+,AKs").plot()
    <Svg of 'TT+,AKs'>
    """

    __slots__ = ("_text", "_title")

    def __init__(self, text: str, title: str) -> None:
        self._text = text
        self._title = title

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file, whole or not at all."""
        _equipoise.write_text(os.fspath(path), self._text)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Svg of {self._title!r}>"

    def __reduce__(self) -> tuple[type[Svg], tuple[str, str]]:
        return Svg, (self._text, self._title)

    def _repr_svg_(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        # As an image, so that its style stays in it.
        data = base64.b64encode(self._text.encode()).decode()
        return f'<img alt="{html.escape(self._title, quote=True)}" src="data:image/svg+xml;base64,{data}"/>'


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:87] + "…"


def range_svg(weights: npt.NDArray[np.float32], text: str) -> Svg:
    """The grid of a range."""
    return Svg(_equipoise.range_svg(weights, _short(text)), _short(text))


def range_html(weights: npt.NDArray[np.float32], text: str) -> str:
    """The grid of a range in a notebook."""
    return range_svg(weights, text)._repr_html_()


def _cell(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return "" if value != value else f"{value:.6g}"
    if isinstance(value, (list, tuple, np.ndarray)):
        return f"{len(value)} numbers"
    return html.escape(str(value))


def table_html(columns: Mapping[str, npt.NDArray[Any]], caption: str = "", most: int = 20) -> str:
    """A table of columns; of a long one the first rows."""
    length = max((len(column) for column in columns.values()), default=0)
    heads = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_cell(column[row])}</td>" for column in columns.values()) + "</tr>"
        for row in range(min(length, most))
    )
    more = f"<p>and {length - most:,} rows more</p>" if length > most else ""
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}"


def equity_html(columns: Mapping[str, npt.NDArray[Any]], is_exact: bool, deals: int) -> str:
    """The equities of players in a notebook."""
    return table_html(columns, f"{'exact' if is_exact else 'sampled'}: {deals:,} deals")
