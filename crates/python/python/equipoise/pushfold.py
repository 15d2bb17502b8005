"""Jam or fold before the flop: between the blinds, at a table, and for a row of stacks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._progress import Progress, observer
from .errors import ArrayError, EquipoiseError
from .frames import Table
from .pictures import Svg
from .ranges import Range

__all__ = [
    "PlayedSeat",
    "PushFold",
    "PushFoldChart",
    "PushFoldDecision",
    "PushFoldTable",
    "make_three_way_table",
    "push_fold",
    "push_fold_chart",
    "push_fold_table",
]


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
    stacks = _arrays.reals([stack, stack] if isinstance(stack, (int, float, np.number)) else stack, "stacks")
    if len(stacks) != 2:
        raise EquipoiseError(f"jam or fold here is for two stacks, not {len(stacks)}")
    if payouts is None and len(others) > 0:
        raise EquipoiseError("stacks of others count only where prizes are played for: name the payouts")
    small, big = _blinds(blinds)
    stake = f"stacks {stacks[0]:g}" + ("" if stacks[0] == stacks[1] else f" and {stacks[1]:g}")
    found = _equipoise.push_fold(
        stacks,
        small,
        big,
        _arrays.real(ante, "the ante"),
        None if payouts is None else _arrays.reals(payouts, "payouts"),
        _arrays.reals(others, "others"),
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


def _blinds(blinds: Sequence[float]) -> tuple[float, float]:
    numbers = _arrays.reals(blinds, "blinds")
    if len(numbers) != 2:
        raise EquipoiseError(f"blinds are two numbers, the small and the big blind, not {len(numbers)}")
    return numbers[0], numbers[1]


@dataclass(frozen=True, eq=False)
class PushFoldChart:
    """The deepest stack at which each hand is played at least half of the time, in big blinds."""

    jam: npt.NDArray[np.float64]
    """For the small blind's jams, (13, 13) as the grids of ranges; nan for never."""
    call: npt.NDArray[np.float64]
    """For the big blind's calls."""
    jam_is_monotone: npt.NDArray[np.bool_]
    """Whether it is jammed at every stack up to that; otherwise it is folded at some shallower one."""
    call_is_monotone: npt.NDArray[np.bool_]
    """The same of calls."""
    stacks: Table
    """For each stack `stack_bb`, `jam` and `call` (parts of all combos), `sb_ev_bb` and `exploitability_bb`."""

    def __repr__(self) -> str:
        stacks = self.stacks["stack_bb"]
        return f"<PushFoldChart of {len(stacks)} stacks, {stacks[0]:g} to {stacks[-1]:g} bb>"


def push_fold_chart(
    shallowest: float,
    deepest: float,
    *,
    step: float = 1.0,
    small_blind: float = 0.5,
    ante: float = 0.0,
    threads: int | None = None,
) -> PushFoldChart:
    """Solves jam or fold between the blinds for a row of stacks, in big blinds.

    >>> import equipoise as eq
    >>> chart = eq.push_fold_chart(1, 12)
    >>> chart
    <PushFoldChart of 12 stacks, 1 to 12 bb>
    >>> float(chart.jam[0, 0]), bool(chart.jam_is_monotone[8, 11])      # aces, and 63s
    (12.0, False)
    """
    depths = [_arrays.real(value, name) for value, name in ((shallowest, "shallowest"), (deepest, "deepest"), (step, "step"))]
    blind, paid = _arrays.real(small_blind, "small_blind"), _arrays.real(ante, "the ante")
    found = _equipoise.push_fold_chart(depths, blind, paid, _arrays.thread_count(threads))
    rows = np.array(found["rows"], dtype=np.float64).reshape(-1, 5)
    return PushFoldChart(
        jam=found["jam"],
        call=found["call"],
        jam_is_monotone=found["jam_is_monotone"] == 1,
        call_is_monotone=found["call_is_monotone"] == 1,
        stacks=Table(dict(zip(("stack_bb", "jam", "call", "sb_ev_bb", "exploitability_bb"), rows.T.copy()))),
    )


@dataclass(frozen=True, eq=False)
class PushFoldDecision:
    """What a player does after given all-ins. Grids are (13, 13) as those of ranges."""

    player: str
    """Who acts, such as `"BTN"`."""
    after: tuple[str, ...]
    """Who is all-in before."""
    reach: float
    """How often it comes to this."""
    share: float
    """The part of all combos that goes all-in or calls."""
    play: npt.NDArray[np.float64]
    """How often each class does."""
    ev_play: npt.NDArray[np.float64]
    """What that is worth, given that it comes to this."""
    ev_fold: npt.NDArray[np.float64]
    """What a fold is worth."""

    @property
    def range(self) -> Range:
        """What is played, as a range."""
        return Range(self.play)

    def __repr__(self) -> str:
        after = f" after {', '.join(self.after)}" if self.after else ""
        return f"<PushFoldDecision {self.player}{after}: {100 * self.share:.2f} %>"


@dataclass(frozen=True, eq=False)
class PlayedSeat:
    """What a seat wins where the solution is played with real deals, which are not approximated."""

    ev: float
    """The mean of a hand."""
    std_error: float
    """Its standard error."""
    real_gain: tuple[float, float]
    """Bounds of what the best response would gain."""
    fourth_gain: tuple[float, float]
    """Bounds of what going all-in after three all-ins would gain, where the solution folds."""


@dataclass(frozen=True, eq=False)
class PushFoldTable:
    """An equilibrium of jam or fold of three players or more, up to ε. Values are in the unit of the stacks, or of the
    prizes; seats are in the order in which they act."""

    names: tuple[str, ...]
    """The seats, from the first to act to the big blind."""
    ev: npt.NDArray[np.float64]
    """What a hand is worth to each."""
    gains: npt.NDArray[np.float64]
    """What each would gain by the best response."""
    epsilon: float
    """The largest of these gains. It is no exploitability: the game is not zero-sum between two."""
    converged: bool
    """Whether the target was reached."""
    iterations: int
    """How many iterations were done."""
    std_error: float
    """The standard error of an equity of three hands: how they rank is sampled."""
    decisions: tuple[PushFoldDecision, ...]
    """Every decision."""
    played: tuple[PlayedSeat, ...] | None
    """What each seat wins with real deals, if any were played."""
    after_three: float | None
    """How often somebody acts after three all-ins, in these deals."""
    _svg: str = ""

    def __getitem__(self, place: str | tuple[str, ...]) -> PushFoldDecision:
        """The decision of a player, after those who are all-in: `table["BTN"]`, `table["BB", "BTN", "SB"]`."""
        player, *after = (place,) if isinstance(place, str) else tuple(place)
        for decision in self.decisions:
            if decision.player == player and set(decision.after) == set(after):
                return decision
        there_are = ", ".join(repr(decision)[18:].split(":")[0] for decision in self.decisions[:12])
        raise EquipoiseError(f"there is no decision {place!r}; there are {there_are}, …")

    def plot(self) -> Svg:
        """The grids of all decisions of three players, and of the first jams of more, as a picture."""
        return Svg(self._svg, "jam or fold")

    def __repr__(self) -> str:
        evs = ", ".join(f"{name} {ev:+.4f}" for name, ev in zip(self.names, self.ev))
        return f"<PushFoldTable: EV {evs}; epsilon {self.epsilon:.1e}>"

    def _repr_html_(self) -> str:
        return self.plot()._repr_html_()


def push_fold_table(
    stack: float | Sequence[float],
    *,
    players: int | None = None,
    blinds: tuple[float, float] = (0.5, 1.0),
    ante: float = 0.0,
    payouts: Sequence[float] | None = None,
    others: Sequence[float] = (),
    table: str | os.PathLike[str] | None = None,
    boards: int = 4000,
    seed: int = 1,
    target: float = 1e-4,
    iterations: int = 1000,
    deals: int = 0,
    threads: int | None = None,
    progress: Progress = None,
) -> PushFoldTable:
    """Solves jam or fold of three to nine players, with calls and overcalls, for chips or for prizes.

    `stack` is that of each player before posting, from the first to act to the button, the small and the big blind; or
    one for all `players`. How three hands rank is read from the `table` of `make_three_way_table`, or sampled on random
    `boards`. With `deals` the solution is also played with as many real deals (docs/whole-hand.md says what is
    approximated). `target` is a part of the blinds and antes.

    >>> import equipoise as eq
    >>> table = eq.push_fold_table([3000, 2500, 1800], blinds=(50, 100), payouts=[50, 30, 20], boards=400, target=1e-2)
    >>> table.names, table["BB", "BTN"].range["AhAd"]
    (('BTN', 'SB', 'BB'), 1.0)
    """
    if isinstance(stack, (int, float, np.number)):
        stacks = [_arrays.real(stack, "stack")] * _arrays.count(3 if players is None else players, "players", 3, 9)
    elif players is None:
        stacks = _arrays.reals(stack, "stacks")
    else:
        raise EquipoiseError("players repeats one stack: leave it out where every stack is named")
    if len(stacks) < 3:
        raise EquipoiseError(f"a table has three players or more, not {len(stacks)}: use push_fold for two")
    if payouts is None and len(others) > 0:
        raise EquipoiseError("stacks of others count only where prizes are played for: name the payouts")
    if not 0 < _arrays.real(target, "target") < 1:
        raise ArrayError(f"target must be between 0 and 1, not {target!r}")
    small, big = _blinds(blinds)
    with observer(progress, "jam or fold") as told:
        found = _equipoise.push_fold_table(
            stacks,
            [small, big],
            _arrays.real(ante, "the ante"),
            None if payouts is None else _arrays.reals(payouts, "payouts"),
            _arrays.reals(others, "others"),
            None if table is None else _arrays.path(table, "table"),
            _arrays.count(boards, "boards", 2, 1_000_000),
            _arrays.seed_number(seed),
            (float(target), _arrays.count(iterations, "iterations", 1, 1_000_000)),
            _arrays.count(deals, "deals", 0, 1_000_000_000),
            f"jam or fold, stacks {', '.join(f'{stack:g}' for stack in stacks)}, blinds {small:g}/{big:g}",
            _arrays.thread_count(threads),
            told,
        )
    _, after_three, seats = found.get("played", (0, None, None))
    return PushFoldTable(
        names=tuple(found["names"]),
        ev=np.array(found["ev"]),
        gains=np.array(found["gains"]),
        epsilon=found["epsilon"],
        converged=found["converged"],
        iterations=found["iterations"],
        std_error=found["std_error"],
        decisions=tuple(PushFoldDecision(**{**one, "after": tuple(one["after"])}) for one in found["decisions"]),
        played=None if seats is None else tuple(PlayedSeat(ev, error, tuple(real), tuple(fourth)) for ev, error, real, fourth in seats),
        after_three=after_three,
        _svg=found["svg"],
    )


def make_three_way_table(
    path: str | os.PathLike[str],
    *,
    boards: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress = None,
) -> float:
    """Makes the file that `push_fold_table` takes as `table`, and returns the standard error of an equity in it.

    All boards that differ by more than suits are drawn twice, which takes six minutes of one core and 21 MB; `boards`
    samples as many random ones instead.
    """
    with observer(progress, "three-way table") as told:
        return _equipoise.make_three_way_table(
            _arrays.path(path, "path"),
            None if boards is None else _arrays.count(boards, "boards", 2, 1_000_000),
            _arrays.seed_number(seed),
            _arrays.thread_count(threads),
            told,
        )
