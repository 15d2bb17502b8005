"""ICM and hand histories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from .errors import EquipoiseError

__all__ = ["Hand", "Icm", "icm", "read_hands"]


@dataclass(frozen=True, eq=False)
class Icm:
    """What stacks are worth in prizes."""

    equities: npt.NDArray[np.float64]
    """The expected prize of each player."""
    bubble_factors: npt.NDArray[np.float64]
    """For each player against each other: prize money lost by losing over that gained by winning; nan against oneself."""
    risk_premiums: npt.NDArray[np.float64]
    """The equity that an all-in needs over one half."""


def icm(stacks: Sequence[float], payouts: Sequence[float]) -> Icm:
    """What tournament stacks are worth in prizes, by the independent chip model, exactly.

    >>> import equipoise as eq
    >>> eq.icm([5000, 3000, 2000], [50, 30, 20]).equities.round(4)
    array([38.3929, 32.75  , 28.8571])
    """
    return Icm(*_equipoise.icm(_arrays.reals(stacks, "stacks"), _arrays.reals(payouts, "payouts")))


class Hand:
    """A hand that was played, replayed by the rules. Amounts are in the history's smallest unit, such as cents."""

    __slots__ = ("_document", "_hand")

    def __init__(self, hand: _equipoise.Hand) -> None:
        self._hand = hand
        self._document: dict[str, Any] = hand.document()

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(self._document["players"])

    @property
    def streets(self) -> list[dict[str, Any]]:
        """For each street its `street`, `board`, `pot`, `behind` and `actions`: player, action, total of the street,
        all-in."""
        streets: list[dict[str, Any]] = self._document["streets"]
        return streets

    @property
    def winnings(self) -> list[int] | None:
        """What each player has won, if that is known."""
        winnings: list[int] | None = self._document["winnings"]
        return winnings

    def to_dict(self) -> dict[str, Any]:
        """Everything, as a dictionary."""
        return dict(self._document)

    def write(self, format: str) -> str:
        """The text of the hand in a format: `"phh"`, `"acpc"` or `"slumbot"`."""
        return self._hand.write(format)

    def __repr__(self) -> str:
        return f"<Hand {self._document['id'] or ''} ({self._document['format']}): {', '.join(self.players)}>"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _read_one, (self.write("phh"),)


def _read_one(text: str) -> Hand:
    return read_hands(text)[0]


def read_hands(
    text: str, *, small_blind: int = 50, big_blind: int = 100, stack: int = 20_000, skip_wrong: bool = False
) -> list[Hand]:
    """The hands of a text: PokerStars' histories, PHH, ACPC logs and match states, Slumbot's action strings.

    Blinds and stack are those of formats that do not say them. A hand that cannot be read is an error, or left out with
    `skip_wrong=True`.

    >>> import equipoise as eq
    >>> hand = eq.read_hands("MATCHSTATE:0:0:cr200c/cc/cc/cc:AhKd|QcQs/Td9d6h/2c/3c")[0]
    >>> [street["street"] for street in hand.streets]
    ['preflop', 'flop', 'turn', 'river']
    """
    if not isinstance(text, str):
        raise EquipoiseError(f"hand histories are text, not {type(text).__name__}")
    stakes = tuple(
        _arrays.count(value, name, 0, 2**53)
        for value, name in ((small_blind, "small_blind"), (big_blind, "big_blind"), (stack, "stack"))
    )
    hands, wrong = _equipoise.read_hands(text, stakes)
    if wrong and not skip_wrong:
        hand, line, words = wrong[0]
        raise EquipoiseError(f"hand {hand}, line {line}: {words}")
    return [Hand(hand) for hand in hands]
