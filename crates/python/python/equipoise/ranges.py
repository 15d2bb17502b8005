"""Ranges: a weight for each of the 1,326 combos."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._arrays import CardsLike
from .errors import ArrayError
from .pictures import Svg, range_html, range_svg

__all__ = ["NAMED_RANGES", "Range", "RangeLike"]

NAMED_RANGES: dict[str, str] = {name: text for name, _, text in _equipoise.named_ranges()}
"""Ranges that come with the package, by the name that stands after `@`: `eq.Range("@btn-open")`."""


class Range:
    """A weight between 0 and 1 for each combo; immutable.

    From text, from 1,326 weights by combo number, or from a (13, 13) grid of hand classes (rows and columns A to 2, suited
    above the diagonal). `order="listed"` takes and gives weights in the order of other programs.

    >>> import equipoise as eq
    >>> r = eq.Range("TT+,A2s+:0.5,KQs")
    >>> r
    Range('TT+,A2s+:0.5,KQs')
    >>> r.weights.dtype, r.weights.shape, r.grid.shape
    (dtype('float32'), (1326,), (13, 13))
    >>> (r | eq.Range("15%")) - eq.Range("AA") == r.union("15%").difference("AA")
    True
    >>> eq.Range(r.grid) == r, len(r), float(r.total)
    (True, 82, 58.0)
    """

    __slots__ = ("_weights",)
    _weights: npt.NDArray[np.float32]

    def __init__(self, range: RangeLike, *, order: str = "combo") -> None:
        if order not in ("combo", "listed"):
            raise ArrayError(f"order must be 'combo' or 'listed', not {order!r}")
        if isinstance(range, Range):
            weights = range._weights
        elif isinstance(range, str):
            weights = _equipoise.range_parse(range)
        else:
            weights = _of_array(range, order == "listed")
        weights.setflags(write=False)
        object.__setattr__(self, "_weights", weights)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Range cannot be changed: make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Range cannot be changed: make a new one")

    @property
    def weights(self) -> npt.NDArray[np.float32]:
        """The weights by combo number, (1326,), read-only."""
        return self._weights

    @property
    def listed(self) -> npt.NDArray[np.float32]:
        """The weights in the order in which other programs list combos."""
        listed: npt.NDArray[np.float32] = self._weights[_LISTED]
        return listed

    @property
    def grid(self) -> npt.NDArray[np.float32]:
        """The mean weight of each hand class, (13, 13): rows and columns A to 2, suited above the diagonal."""
        return _equipoise.range_grid(self._weights)

    @property
    def combos(self) -> npt.NDArray[np.uint16]:
        """The combos of weight above 0."""
        return np.flatnonzero(self._weights).astype(np.uint16)

    @property
    def total(self) -> float:
        """The sum of the weights."""
        return float(self._weights.sum(dtype=np.float64))

    def union(self, other: RangeLike) -> Range:
        """Each combo with the larger of its two weights; `|` is the same."""
        return self._combined("union", other)

    def intersection(self, other: RangeLike) -> Range:
        """Each combo with the smaller of its two weights; `&` is the same."""
        return self._combined("intersection", other)

    def difference(self, other: RangeLike) -> Range:
        """What is left outside the other: the smaller of a and 1 - b; `-` is the same."""
        return self._combined("difference", other)

    def complement(self) -> Range:
        """Each combo of weight w at 1 - w; `~` is the same."""
        return _made(_equipoise.range_combine("complement", self._weights))

    def scaled(self, factor: float) -> Range:
        """Every weight times a factor from 0 to 1; `*` is the same."""
        return _made(_equipoise.range_combine("scaled", self._weights, factor=_arrays.real(factor, "the factor")))

    def without(self, cards: CardsLike) -> Range:
        """The range without combos that hold one of these cards."""
        return _made(_equipoise.range_combine("without", self._weights, cards=_arrays.cards(cards, "cards")))

    def plot(self) -> Svg:
        """The grid as a picture."""
        return range_svg(self._weights, str(self))

    def _combined(self, how: str, other: RangeLike) -> Range:
        return _made(_equipoise.range_combine(how, self._weights, Range(other)._weights))

    def __or__(self, other: RangeLike) -> Range:
        return self.union(other)

    def __and__(self, other: RangeLike) -> Range:
        return self.intersection(other)

    def __sub__(self, other: RangeLike) -> Range:
        return self.difference(other)

    def __invert__(self) -> Range:
        return self.complement()

    def __mul__(self, factor: float) -> Range:
        return self.scaled(factor)

    __rmul__ = __mul__

    def __getitem__(self, combo: str | int) -> float:
        """The weight of a combo, by its name or number."""
        if isinstance(combo, str):
            from .cards import combos

            return float(self._weights[int(combos(combo))])
        return float(self._weights[_arrays.count(combo, "a combo", 0, 1325)])

    def __len__(self) -> int:
        return int(np.count_nonzero(self._weights))

    def __bool__(self) -> bool:
        return len(self) > 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and self._weights.tobytes() == other._weights.tobytes()

    def __hash__(self) -> int:
        return hash(self._weights.tobytes())

    def __str__(self) -> str:
        return _equipoise.range_text(self._weights)

    def __repr__(self) -> str:
        return f"Range({str(self)!r})"

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != np.float32:
            raise ValueError("weights are float32: another dtype needs a copy")
        array: npt.NDArray[Any] = self._weights if dtype is None else self._weights.astype(dtype, copy=False)
        return array.copy() if copy else array

    def __reduce__(self) -> tuple[type[Range], tuple[str]]:
        # The text reads back bit for bit; of an empty range there is none but weights of 0.
        return (Range, (str(self),)) if self else (Range, ("AA:0",))

    def _repr_html_(self) -> str:
        return range_html(self._weights, str(self))


RangeLike: TypeAlias = "Range | str | npt.ArrayLike"
"""A range: text, weights, a grid, or a `Range`."""

_LISTED = _equipoise.listed_order()


def _made(weights: npt.NDArray[np.float32]) -> Range:
    made = object.__new__(Range)
    weights.setflags(write=False)
    object.__setattr__(made, "_weights", weights)
    return made


def _of_array(values: Any, is_listed: bool) -> npt.NDArray[np.float32]:
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise ArrayError("a range is text, 1326 weights or a (13, 13) grid") from error
    if array.dtype.kind not in "fiub" or np.ma.isMaskedArray(values):
        raise ArrayError(f"weights must be numbers, not {array.dtype}")
    if array.shape not in ((1326,), (13, 13)):
        raise ArrayError(f"a range has 1326 weights or a (13, 13) grid, not the shape {array.shape}")
    with np.errstate(over="ignore"):  # What is too large becomes infinite, and is refused.
        array = np.ascontiguousarray(array, dtype=np.float32)
    if array.ndim == 2:
        if is_listed:
            raise ArrayError("order='listed' is for 1326 weights, not for a grid")
        return _equipoise.range_of_grid(array)
    if is_listed:
        by_combo = np.empty(1326, np.float32)
        by_combo[_LISTED] = array
        array = by_combo
    return _equipoise.range_of_weights(array)
