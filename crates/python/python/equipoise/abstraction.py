"""Card abstraction: exact features of hands, and buckets of hands that are alike."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._arrays import HandsLike
from ._progress import Progress, observer
from .errors import ArrayError, EquipoiseError
from .pictures import Svg

__all__ = ["Abstraction", "features", "plot_distribution"]


def _hands(
    combos: HandsLike, boards: HandsLike | None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], tuple[int, ...]]:
    """Rows of combos and boards, as many of each, and the shape of the answer."""
    hole, h = _arrays.card_rows(combos, (2,), "hands")
    board: npt.NDArray[np.uint8] = np.zeros((1, 0), np.uint8)
    b: tuple[int, ...] = ()
    if boards is not None:
        board, b = _arrays.card_rows(boards, (0, 3, 4, 5), "boards")
    try:
        shape = np.broadcast_shapes(h, b)
    except ValueError as error:
        raise ArrayError(f"hands and boards of shapes {h} and {b} do not fit together") from error
    size = int(np.prod(shape))

    def rows(array: npt.NDArray[np.uint8], own: tuple[int, ...]) -> npt.NDArray[np.uint8]:
        wide = np.broadcast_to(array.reshape(*own, array.shape[1]), (*shape, array.shape[1]))
        return np.ascontiguousarray(wide.reshape(size, array.shape[1]))

    return rows(hole, h), rows(board, b), shape


def features(
    combos: HandsLike,
    boards: HandsLike | None = None,
    names: str | Sequence[str] = ("equity", "ehs2", "ppot", "npot"),
    *,
    threads: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.float64]:
    """Exact features of hands, side by side: (n, 2) cards and (n, 0, 3, 4 or 5) to (n, numbers).

    `"hs"` (beaten now), `"equity"`, `"ehs2"` (mean of the squared river strength), `"ppot"`, `"npot"`, `"histogram"` (50
    numbers: how river strength is distributed) and `"ochs"` (8: equity against clusters of opponents). What a street does
    not have is nan. Before the flop all boards are counted, which takes seconds.

    >>> import equipoise as eq
    >>> eq.features(["AhKh", "7c2d"], "QsJh2h", ["equity", "ppot"]).round(4)
    array([[0.7626, 0.5752],
           [0.5169, 0.1731]])
    >>> eq.features("AhKh", "QsJh2h", "histogram").shape
    (50,)
    """
    wanted = [names] if isinstance(names, str) else list(names)
    if not wanted or not all(isinstance(name, str) for name in wanted):
        raise EquipoiseError("name at least one feature, as in ['equity', 'ppot']")
    hole, board, shape = _hands(combos, boards)
    with observer(progress, "features") as told:
        found = _equipoise.features(hole, board, wanted, _arrays.thread_count(threads), told)
    return found.reshape(*shape, found.shape[1])


def plot_distribution(combo: HandsLike, board: HandsLike | None = None) -> Svg:
    """How the strength of a hand on the river is distributed over the runouts, as a picture."""
    hole, rows, shape = _hands(combo, board)
    if shape not in ((), (1,)):
        raise ArrayError(f"a picture is of one hand, not of {shape}")
    return Svg(_equipoise.distribution_svg(hole, rows), "distribution of river strength")


class Abstraction:
    """The bucket of every hand on every street: the 169 classes before the flop, learned buckets after it."""

    __slots__ = ("_abstraction",)

    def __init__(self, abstraction: _equipoise.Abstraction) -> None:
        self._abstraction = abstraction

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Abstraction:
        """Opens a folder of `equipoise abstraction build`, or of `save`; files are mapped into memory."""
        return cls(_equipoise.Abstraction.load(os.fspath(folder)))

    @classmethod
    def build(
        cls,
        streets: Mapping[str, tuple[str, int]],
        *,
        samples: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Abstraction:
        """Learns buckets: `{"flop": ("emd", 200), "turn": ("emd", 200), "river": ("ochs", 100)}`. Methods are in
        docs/buckets.md. All of the river are 123 million hands, which take minutes."""
        if set(streets) != {"flop", "turn", "river"}:
            raise EquipoiseError("name a method and a number of buckets for flop, turn and river")
        wanted = []
        for street in ("flop", "turn", "river"):
            method, buckets = streets[street]
            wanted.append((str(method), _arrays.count(buckets, f"buckets of the {street}", 0, 65535)))
        with observer(progress, "buckets") as told:
            made = _equipoise.Abstraction.build(
                wanted,
                None if samples is None else _arrays.count(samples, "samples"),
                _arrays.seed_number(seed),
                _arrays.thread_count(threads),
                told,
            )
        return cls(made)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes a file for each street to a folder."""
        self._abstraction.save(os.fspath(folder))

    def buckets(self, combos: HandsLike, boards: HandsLike | None = None, *, threads: int | None = None) -> Any:
        """The buckets of hands: (n, 2) cards and (n, 0, 3, 4 or 5) to (n,)."""
        hole, board, shape = _hands(combos, boards)
        found = self._abstraction.buckets(hole, board, _arrays.thread_count(threads)).reshape(shape)
        return found if shape else found[()]

    def num_buckets(self, street: str) -> int:
        """How many buckets a street has."""
        return int(self._abstraction.street(street)["num_buckets"])

    def method(self, street: str) -> str:
        """How the buckets of a street were made."""
        return str(self._abstraction.street(street)["method"])

    def sizes(self, street: str) -> npt.NDArray[np.uint64]:
        """How many deals are in each bucket of a street."""
        return self._abstraction.sizes(street)

    def plot_sizes(self, street: str) -> Svg:
        """The sizes of a street's buckets as a picture."""
        return Svg(self._abstraction.plot_sizes(street), f"bucket sizes on the {street}")

    def __repr__(self) -> str:
        counts = ", ".join(f"{street} {self.num_buckets(street)}" for street in ("flop", "turn", "river"))
        return f"<Abstraction: buckets {counts}>"
