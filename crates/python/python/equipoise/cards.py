"""Cards, combos and the strengths of hands, on arrays."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._arrays import CardsLike, HandsLike
from .errors import ArrayError

__all__ = [
    "CARDS",
    "CATEGORIES",
    "CLASSES",
    "COMBOS",
    "COMBO_CARDS",
    "LISTED",
    "board_strengths",
    "card_text",
    "cards",
    "category",
    "combos",
    "deal",
    "describe",
    "strengths",
]

CARDS: tuple[str, ...] = tuple(_equipoise.card_names())
"""The names of the 52 cards by number: 4 times the rank (2 is 0, an ace 12) plus the suit (c, d, h, s)."""
COMBOS: tuple[str, ...] = tuple(_equipoise.combo_names())
"""The names of the 1,326 combos by number."""
CLASSES: tuple[str, ...] = tuple(_equipoise.class_names())
"""The names of the 169 hand classes, row by row of the grid: AA, AKs … AKo, KK …"""
CATEGORIES: tuple[str, ...] = tuple(_equipoise.category_names())
"""The names of the nine categories of `category`, weakest first."""
COMBO_CARDS: npt.NDArray[np.uint8] = _equipoise.combo_cards()
"""The two cards of each combo: (1326, 2)."""
COMBO_CARDS.setflags(write=False)
LISTED: npt.NDArray[np.uint16] = _equipoise.listed_order()
"""The order in which other programs list combos: `weights[eq.LISTED]` is in that order."""
LISTED.setflags(write=False)


def cards(text: CardsLike) -> npt.NDArray[np.uint8]:
    """The numbers of cards.

    >>> import equipoise as eq
    >>> eq.cards("Td9d6h")
    array([33, 29, 18], dtype=uint8)
    """
    return _arrays.cards(text, "cards")


def card_text(cards: CardsLike) -> str:
    """The text of cards.

    >>> import equipoise as eq
    >>> eq.card_text([33, 29, 18])
    'Td9d6h'
    """
    return "".join(CARDS[card] for card in _arrays.cards(cards, "cards"))


def combos(hands: HandsLike) -> npt.NDArray[np.uint16]:
    """The numbers of combos: (..., 2) cards to (...).

    >>> import equipoise as eq
    >>> eq.combos(["AhAd", "2d2c"])
    array([1323,    0], dtype=uint16)
    >>> eq.COMBOS[1323]
    'AhAd'
    """
    rows, shape = _arrays.card_rows(hands, (2,), "hands")
    high, low = rows.max(axis=1, initial=0).astype(np.int64), rows.min(axis=1, initial=51)
    if rows.size and (int(rows.max()) > 51 or bool((rows[:, 0] == rows[:, 1]).any())):
        raise ArrayError("hands must be two different cards, 0 to 51")
    found: npt.NDArray[np.uint16] = _COMBO_OF[high, low].reshape(shape)
    return found


_COMBO_OF = np.zeros((52, 52), np.uint16)
_COMBO_OF[COMBO_CARDS[:, 0], COMBO_CARDS[:, 1]] = np.arange(1326)
_COMBO_OF[COMBO_CARDS[:, 1], COMBO_CARDS[:, 0]] = np.arange(1326)


def deal(num_hands: int, width: int = 7, *, seed: int = 0, threads: int | None = None) -> npt.NDArray[np.uint8]:
    """Random hands of different cards, each from a full deck; the same seed deals the same at any number of threads.

    >>> import equipoise as eq
    >>> eq.deal(1_000_000, 7, seed=1).shape
    (1000000, 7)
    """
    num_hands = _arrays.count(num_hands, "the number of hands", 0, 2**40)
    width = _arrays.count(width, "the number of cards", 1, 52)
    return _equipoise.deal(num_hands, width, _arrays.seed_number(seed), _arrays.thread_count(threads))


@overload
def strengths(hands: str, *, threads: int | None = None) -> np.uint16: ...
@overload
def strengths(hands: HandsLike, *, threads: int | None = None) -> Any: ...
def strengths(hands: HandsLike, *, threads: int | None = None) -> Any:
    """How strong hands of five, six or seven cards are: (..., 5 to 7) cards to (...), 0 to 7461.

    >>> import equipoise as eq
    >>> eq.strengths(["AhKhQhJhTh", "7c5d4h3s2c"])
    array([7461,    0], dtype=uint16)
    >>> eq.describe(eq.strengths("AhAdTd9d6h2c2s"))
    'two pair, aces and deuces, ten kicker'
    """
    rows, shape = _arrays.card_rows(hands, (5, 6, 7), "hands")
    found = _equipoise.strengths(rows, _arrays.thread_count(threads)).reshape(shape)
    return found if shape else found[()]


def board_strengths(boards: HandsLike, *, threads: int | None = None) -> np.ma.MaskedArray[Any, np.dtype[np.uint16]]:
    """The strengths of all 1,326 combos on boards of five cards: (..., 5) to (..., 1326), masked where the board has a
    card of the combo.

    >>> import equipoise as eq
    >>> found = eq.board_strengths("Td9d6hQc2h")
    >>> found.shape, int(found.mask.sum()), eq.describe(found.max())
    ((1326,), 245, 'straight, king high')
    """
    rows, shape = _arrays.card_rows(boards, (5,), "boards")
    found = _equipoise.board_strengths(rows, _arrays.thread_count(threads)).reshape(*shape, 1326)
    made: np.ma.MaskedArray[Any, np.dtype[np.uint16]] = np.ma.MaskedArray(
        found, mask=found == 65535, fill_value=np.uint16(65535)
    )
    return made


def describe(strength: Any) -> str:
    """A strength in words.

    >>> import equipoise as eq
    >>> eq.describe(7461)
    'royal flush'
    """
    array = _arrays.numbers(strength, "strengths", 7461, np.uint16)
    if array.size != 1:
        raise ArrayError(f"describe takes one strength, not an array of shape {array.shape}")
    return _equipoise.describe(int(array.reshape(-1)[0]))


def category(strengths: Any) -> npt.NDArray[np.uint8]:
    """The categories of strengths: 0 (high card) to 8 (straight flush), named by `CATEGORIES`.

    >>> import equipoise as eq
    >>> eq.CATEGORIES[eq.category(7461)]
    'straight flush'
    """
    array = _arrays.numbers(strengths, "strengths", 7461, np.uint16)
    found = _equipoise.categories(array.reshape(-1)).reshape(array.shape)
    return found if array.shape else found[()]
