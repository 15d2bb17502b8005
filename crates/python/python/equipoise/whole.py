"""The whole hand: ICM, jam or fold, hand histories and blueprints."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from .errors import ArrayError, EquipoiseError, SpotError
from .pictures import Svg
from .ranges import Range

__all__ = ["Blueprint", "BlueprintNode", "Hand", "Icm", "PushFold", "icm", "push_fold", "read_hands"]


def _numbers(values: Any, name: str) -> list[float]:
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise ArrayError(f"{name} must be a list of numbers") from error
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iuf"):
        raise ArrayError(f"{name} must be a list of numbers, not {values!r}")
    return [float(value) for value in array]


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
    return Icm(*_equipoise.icm(_numbers(stacks, "stacks"), _numbers(payouts, "payouts")))


@dataclass(frozen=True, eq=False)
class PushFold:
    """An equilibrium of jam or fold, heads-up. Grids are (13, 13) as those of ranges; values are in the unit of the
    stacks, or of the prizes."""

    jam: npt.NDArray[np.float64]
    """How often the small blind jams each class."""
    call: npt.NDArray[np.float64]
    """How often the big blind calls with each class."""
    ev_jam: npt.NDArray[np.float64]
    """What a jam is worth to the small blind."""
    ev_call: npt.NDArray[np.float64]
    """What a call is worth to the big blind, given a jam."""
    ev_fold: tuple[float, float]
    """What a fold is worth: the small blind's, and the big blind's given a jam."""
    ev: tuple[float, float]
    """What the hand is worth to both."""
    gains: tuple[float, float]
    """What each would gain by the best response."""
    jam_share: float
    """The part of all combos that the small blind jams."""
    call_share: float
    """The part of all combos that the big blind calls with."""
    _svg: str = ""

    @property
    def jam_range(self) -> Range:
        """What the small blind jams, as a range."""
        return Range(self.jam)

    @property
    def call_range(self) -> Range:
        """What the big blind calls with, as a range."""
        return Range(self.call)

    def plot(self) -> Svg:
        """Both grids as a picture."""
        return Svg(self._svg, "jam or fold")

    def __repr__(self) -> str:
        return f"<PushFold: jams {100 * self.jam_share:.2f} %, calls {100 * self.call_share:.2f} %, EV {self.ev[0]:.4f}>"

    def _repr_html_(self) -> str:
        return self.plot()._repr_html_()


def push_fold(
    stack: float | Sequence[float],
    *,
    blinds: tuple[float, float] = (0.5, 1.0),
    ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    others: Sequence[float] = (),
) -> PushFold:
    """Solves jam or fold between the blinds, exactly: for chips, or for prizes with the stacks of the others.

    `stack` is what both have before posting, or what the small and the big blind have.

    >>> import equipoise as eq
    >>> eq.push_fold(10)
    <PushFold: jams 58.28 %, calls 37.38 %, EV -0.0454>
    """
    stacks = _numbers([stack, stack] if isinstance(stack, (int, float, np.number)) else stack, "stacks")
    if len(stacks) != 2:
        raise EquipoiseError(f"jam or fold here is for two stacks, not {len(stacks)}")
    if payouts is None and len(others) > 0:
        raise EquipoiseError("stacks of others count only where prizes are played for: name the payouts")
    small, big = _numbers(blinds, "blinds")[:2] if len(blinds) == 2 else (float("nan"),) * 2
    stake = f"stacks {stacks[0]:g}" + ("" if stacks[0] == stacks[1] else f" and {stacks[1]:g}")
    found = _equipoise.push_fold(
        stacks,
        small,
        big,
        _arrays.real(ante, "the ante"),
        None if payouts is None else _numbers(payouts, "payouts"),
        _numbers(others, "others"),
        f"jam or fold, {stake}, blinds {small:g}/{big:g}",
    )
    return PushFold(
        jam=found["jam"],
        call=found["call"],
        ev_jam=found["ev_jam"],
        ev_call=found["ev_call"],
        ev_fold=tuple(found["ev_fold"]),
        ev=tuple(found["ev"]),
        gains=tuple(found["gains"]),
        jam_share=found["jam_share"],
        call_share=found["call_share"],
        _svg=found["svg"],
    )


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


@dataclass(frozen=True, eq=False)
class BlueprintNode:
    """A decision of a blueprint."""

    line: str
    """The actions and cards that lead there."""
    board: str
    """The cards on the board."""
    pot_bb: float
    """The pot, in big blinds."""
    behind_bb: float
    """What each has left, in big blinds."""
    player: str | None
    """Who acts: `"sb"` or `"bb"`; nobody where a card comes or the hand is over."""
    actions: tuple[str, ...]
    """What can be done: f, x, c, a, `r2.5` (a raise to 2.5 big blinds), `b75` (a bet of 75 % of the pot)."""
    reach: npt.NDArray[np.float64]
    """How often each combo gets there by its own actions, (1326,); empty where nobody acts."""
    strategy: npt.NDArray[np.float64]
    """How often each combo takes each action, (1326, actions)."""


class Blueprint:
    """A strategy of the whole heads-up game, of `equipoise blueprint train`."""

    __slots__ = ("_blueprint", "_header", "_path")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._blueprint = _equipoise.Blueprint.load(self._path)
        self._header: dict[str, Any] = json.loads(self._blueprint.header())

    @property
    def header(self) -> dict[str, Any]:
        """What the file says about itself: the game, buckets, algorithm, boards, exploitability."""
        return dict(self._header)

    @property
    def exploitability_mbb(self) -> float | None:
        """Thousandths of a big blind a hand, if it was measured."""
        found = self._header["exploitability"]
        return None if found is None else float(found["mbb"])

    def at(self, line: str = "", *, buckets: str | os.PathLike[str] | None = None) -> BlueprintNode:
        """The decision after a line such as `"r2.5 c | Td9d6h | x"`; after the flop the folder of the buckets is needed."""
        if not isinstance(line, str):
            raise SpotError(f"a line is text such as 'r2.5 c', not {line!r}")
        found = self._blueprint.line(line, None if buckets is None else os.fspath(buckets))
        actions = tuple(found["actions"])
        return BlueprintNode(
            line=line,
            board=found["board"],
            pot_bb=found["pot_bb"],
            behind_bb=found["behind_bb"],
            player=found["player"],
            actions=actions,
            reach=found.get("reach", np.zeros(0)),
            strategy=found.get("strategy", np.zeros((0, len(actions)))),
        )

    def __repr__(self) -> str:
        return f"<Blueprint of {self._header['boards']:,} boards: {self._path}>"

    def __reduce__(self) -> tuple[type[Blueprint], tuple[str]]:
        return Blueprint, (self._path,)
