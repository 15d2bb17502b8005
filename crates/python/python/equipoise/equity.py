"""Equities: of players, of rows of hands, of all combos of two ranges."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._arrays import CardsLike, HandsLike
from ._progress import Progress, observer
from .errors import ArrayError
from .pictures import equity_html
from .ranges import Range, RangeLike

__all__ = ["Equity", "equities", "equity", "equity_matrix"]


@dataclass(frozen=True, eq=False)
class Equity:
    """The equities of all players, as arrays by player."""

    players: tuple[str, ...]
    """What is known of each player, as text."""
    equity: npt.NDArray[np.float64]
    """The expected share of the pot: a tie of k players pays 1/k to each."""
    win: npt.NDArray[np.float64]
    """The probability of winning alone."""
    tie: npt.NDArray[np.float64]
    """The probability of sharing."""
    std_error: npt.NDArray[np.float64]
    """The standard error of the equity; 0 if exact."""
    combos: tuple[int, ...]
    """How many combos each player may hold."""
    is_exact: bool
    """Whether every deal was counted."""
    deals: int
    """How many deals were counted or sampled."""
    seconds: float
    """How long it took."""
    _query: dict[str, Any] = field(repr=False, default_factory=dict)

    def by_combo(self, player: int) -> npt.NDArray[np.float64]:
        """The equity of each combo of a player, (1326,); nan where the player cannot hold it."""
        player = _arrays.count(player, "a player", 0, len(self.players) - 1)
        if "by_combo" not in self._query:
            found = _equipoise.equity(**self._query["call"], by_combo=True, progress=None)
            self._query["by_combo"] = found["by_combo"]
        table: npt.NDArray[np.float64] = self._query["by_combo"][player]
        return table

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """A table with a row for each player."""
        return {
            "player": np.array(self.players),
            "equity": self.equity,
            "win": self.win,
            "tie": self.tie,
            "std_error": self.std_error,
        }

    def __repr__(self) -> str:
        shares = ", ".join(f"{player} {100 * share:.3f} %" for player, share in zip(self.players, self.equity))
        how = "exact" if self.is_exact else f"sampled, ± {100 * float(self.std_error.max()):.3f} %"
        return f"<Equity {shares}; {how}, {self.deals:,} deals>"

    def _repr_html_(self) -> str:
        return equity_html(self.columns(), self.is_exact, self.deals)


def equity(
    *players: RangeLike,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    exact: bool = False,
    samples: int | None = None,
    std_error: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress = None,
) -> Equity:
    """The equities of 2 to 23 players: cards, one card, `"random"`, or ranges with weights.

    Exact where counting takes at most about two seconds of one core, otherwise sampled to a standard error of 0.0005;
    `exact=True`, `samples=` and `std_error=` choose. Sampling gives the same answer for a seed at any number of threads.

    >>> import equipoise as eq
    >>> e = eq.equity("AhAd", "KcKs")
    >>> e
    <Equity AhAd 81.255 %, KcKs 18.745 %; exact, 1,712,304 deals>
    >>> e = eq.equity("AhAd", "QQ+,AKs:0.5", board="Td9d6h", dead="Jc")
    >>> e.is_exact, e.by_combo(0).shape
    (True, (1326,))
    """
    seats = [player.strip() if isinstance(player, str) else Range(player).weights for player in players]
    names = [player if isinstance(player, str) else str(Range(player)) for player in players]
    call: dict[str, Any] = {
        "seats": seats,
        "cards": _arrays.cards(board, "board"),
        "dead": _arrays.cards(dead, "dead"),
        "exact": bool(exact),
        "samples": None if samples is None else _arrays.count(samples, "samples", 0, 2**63),
        "std_error": None if std_error is None else _arrays.real(std_error, "std_error"),
        "seed": _arrays.seed_number(seed),
        "threads": _arrays.thread_count(threads),
    }
    with observer(progress, "equity") as told:
        found = _equipoise.equity(**call, by_combo=False, progress=told)
    return Equity(
        players=tuple(names),
        equity=found["equity"],
        win=found["win"],
        tie=found["tie"],
        std_error=found["std_error"],
        combos=tuple(found["combos"]),
        is_exact=found["is_exact"],
        deals=found["deals"],
        seconds=found["seconds"],
        _query={"call": call},
    )


def equities(
    heroes: HandsLike,
    villains: HandsLike,
    boards: HandsLike | None = None,
    *,
    threads: int | None = None,
    progress: Progress = None,
) -> Any:
    """The exact equity of each hero against the villain of the same row: (n, 2), (n, 2) and (n, 0, 3, 4 or 5) cards to
    (n,). One row stands for all; without boards none is dealt.

    >>> import equipoise as eq
    >>> eq.equities(["AhAd", "7c2d"], "KcKs", "Td9d6h").round(4)
    array([0.9015, 0.2167])
    """
    none = np.zeros((1, 0), np.uint8)
    (hero, h), (villain, v), (board, b) = (
        _arrays.card_rows(heroes, (2,), "heroes"),
        _arrays.card_rows(villains, (2,), "villains"),
        (none, ()) if boards is None else _arrays.card_rows(boards, (0, 3, 4, 5), "boards"),
    )
    try:
        shape = np.broadcast_shapes(h, v, b)
    except ValueError as error:
        raise ArrayError(f"heroes, villains and boards of shapes {h}, {v} and {b} do not fit together") from error
    size = int(np.prod(shape))

    def rows(array: npt.NDArray[np.uint8], own: tuple[int, ...]) -> npt.NDArray[np.uint8]:
        wide = np.broadcast_to(array.reshape(*own, array.shape[1]), (*shape, array.shape[1]))
        return np.ascontiguousarray(wide.reshape(size, array.shape[1]))

    with observer(progress, "equities") as told:
        found = _equipoise.equities(
            rows(hero, h), rows(villain, v), rows(board, b), _arrays.thread_count(threads), told
        ).reshape(shape)
    return found if shape else found[()]


def equity_matrix(
    heroes: RangeLike,
    villains: RangeLike,
    *,
    board: CardsLike | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.float64]:
    """The exact equity of each combo of a range against each of another: (1326, 1326), nan where one of them cannot be.

    >>> import equipoise as eq
    >>> matrix = eq.equity_matrix("22+,A2s+", "TT+", board="Td9d6h")
    >>> float(matrix[eq.combos("AhAd"), eq.combos("KcKs")].round(4))
    0.9015
    """
    with observer(progress, "equity matrix") as told:
        return _equipoise.equity_matrix(
            Range(heroes).weights,
            Range(villains).weights,
            _arrays.cards(board, "board"),
            _arrays.thread_count(threads),
            told,
        )
