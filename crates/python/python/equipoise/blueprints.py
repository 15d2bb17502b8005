"""Strategies of the whole heads-up game: trained, read, measured, played against each other; and charts before the flop."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._progress import Progress, observer
from .errors import EquipoiseError, SpotError
from .frames import Table
from .ranges import Range

__all__ = [
    "Blueprint",
    "BlueprintNode",
    "Exploitability",
    "HeadToHead",
    "LocalBestResponse",
    "Preflop",
    "PreflopDecision",
    "preflop",
]

# A training that was interrupted saves what it has; the interpreter does not end before.
atexit.register(_equipoise.finish_saving)


@dataclass(frozen=True)
class Exploitability:
    """What a best response that sees every card wins from a blueprint, in thousandths of a big blind a hand, the mean of
    both seats."""

    estimate: float
    """The exact number, or the middle of the bracket."""
    std_error: float
    """Its standard error over flops; 0 if it is exact."""
    lower: float
    """An expectation of at most the truth."""
    upper: float
    """An expectation of at least the truth."""
    by_seat: tuple[float, float]
    """The gain of the best response as small and as big blind."""
    self_play_bb: float
    """What the hand is worth to the button in self-play, in big blinds."""
    flops: int
    """How many flops were measured."""
    is_exact: bool
    """Whether these are all."""

    def __repr__(self) -> str:
        where = "exactly" if self.is_exact else f"± {1.96 * self.std_error:.0f} on {self.flops} flops"
        return f"<Exploitability {self.estimate:.0f} mbb/hand, {where}>"


@dataclass(frozen=True)
class LocalBestResponse:
    """What a local best response wins: a lower bound on what a best response does."""

    mean: float
    """In thousandths of a big blind a hand."""
    std_error: float
    """Of the mean."""
    hands: int
    """How many hands were played, every other one in each seat."""

    def __repr__(self) -> str:
        return f"<LocalBestResponse {self.mean:+.1f} ± {1.96 * self.std_error:.1f} mbb/hand over {self.hands:,} hands>"


@dataclass(frozen=True)
class HeadToHead:
    """What one blueprint wins from another, in thousandths of a big blind a hand, both seats played on every board."""

    mean: float
    """The mean of both seats."""
    std_error: float
    """Its standard error over boards."""
    by_seat: tuple[float, float]
    """As small and as big blind."""
    boards: int
    """How many boards were dealt."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        return self.mean - 1.96 * self.std_error, self.mean + 1.96 * self.std_error

    def __repr__(self) -> str:
        return f"<HeadToHead {self.mean:+.1f} ± {1.96 * self.std_error:.1f} mbb/hand over {self.boards:,} boards>"


@dataclass(frozen=True, eq=False)
class PreflopDecision:
    """A decision before the flop. Grids are (13, 13) as those of ranges, those by action (13, 13, actions)."""

    line: str
    """The actions that lead there, such as `"r2.5"`."""
    player: str
    """Who acts: `"sb"` or `"bb"`."""
    actions: tuple[str, ...]
    """What can be done: f, x, c, a, `r2.5` (a raise to 2.5 big blinds)."""
    reach: npt.NDArray[np.float64]
    """How often the player's own actions lead there, for each class."""
    strategy: npt.NDArray[np.float64]
    """How often each class takes each action."""
    evs: npt.NDArray[np.float64]
    """What each action is worth in big blinds from the start of the hand, blinds included."""

    def range(self, action: str) -> Range:
        """The hands that get there and take an action."""
        if action not in self.actions:
            raise EquipoiseError(f"{action!r} is no action here; there are {', '.join(self.actions)}")
        grid = self.reach * self.strategy[:, :, self.actions.index(action)]
        return Range(np.clip(grid, 0.0, 1.0))

    def __repr__(self) -> str:
        return f"<PreflopDecision {self.line or 'first'}: {self.player}, {', '.join(self.actions)}>"


def _decisions(found: list[dict[str, Any]]) -> tuple[PreflopDecision, ...]:
    return tuple(
        PreflopDecision(
            line=one["line"],
            player=one["player"],
            actions=tuple(one["actions"]),
            reach=one["reach"].reshape(13, 13),
            strategy=one["strategy"].reshape(13, 13, -1),
            evs=one["evs"].reshape(13, 13, -1),
        )
        for one in found
    )


@dataclass(frozen=True, eq=False)
class Preflop:
    """A chart of every decision before the flop."""

    decisions: tuple[PreflopDecision, ...]
    """In the order of the betting."""
    exploitability_mbb: float
    """In the game of these flops, exactly, in thousandths of a big blind a hand."""
    by_seat: tuple[float, float]
    """The gain of the best response as small and as big blind."""
    self_play_bb: float
    """What the hand is worth to the button, in big blinds."""
    boards: int
    """How many boards were played."""
    seconds: float
    """How long it took."""
    memory_bytes: int
    """What the tables took."""

    def __getitem__(self, line: str) -> PreflopDecision:
        """The decision after a line such as `"r2.5"`; `""` is the first."""
        words = " ".join(line.split()) if isinstance(line, str) else line
        for decision in self.decisions:
            if decision.line == words:
                return decision
        there_are = ", ".join(repr(decision.line) for decision in self.decisions)
        raise EquipoiseError(f"{line!r} is no decision before the flop; there are {there_are}")

    def __repr__(self) -> str:
        return f"<Preflop: {len(self.decisions)} decisions, {self.exploitability_mbb:.0f} mbb/hand, {self.boards:,} boards>"


def _minutes(minutes: float | None) -> float | None:
    return None if minutes is None else 60 * _arrays.real(minutes, "minutes")


def _optional(value: int | None, name: str, most: int = 2**62) -> int | None:
    return None if value is None else _arrays.count(value, name, 1, most)


def preflop(
    stack: int = 20,
    *,
    menu: str = "A",
    flops: str | Sequence[str] = "25",
    boards: int | None = None,
    minutes: float | None = None,
    target: float = 0.0,
    strengths: int = 48,
    seed: int = 0,
    memory_limit: int | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Preflop:
    """Solves the betting before the flop, heads-up, together with a subset of flops (`"25"`, `"49"`, `"95"`) or a list of
    flops that stand for all: what `equipoise preflop` does.

    Stops after `boards`, after `minutes` (10 unless `boards` is given), or at a `target` in thousandths of a big blind.

    >>> import equipoise as eq
    >>> chart = eq.preflop(5, flops=["As7d2c"], boards=64, strengths=4)
    >>> chart[""].actions[0], chart[""].strategy.shape[:2]
    ('f', (13, 13))
    """
    if boards is None and minutes is None:
        minutes = 10.0
    names = [flops] if isinstance(flops, str) else list(flops)
    if not all(isinstance(name, str) for name in names):
        raise EquipoiseError("flops are texts such as 'As7d2c', or one of 25, 49 and 95")
    mbb = _arrays.real(target, "target")
    if not 0 <= mbb < float("inf"):
        raise EquipoiseError(f"target is thousandths of a big blind, 0 or more, not {target!r}")
    with observer(progress, "preflop") as told:
        found = _equipoise.preflop(
            _arrays.count(stack, "stack", 2, 1000),
            _arrays.text(menu, "menu"),
            names,
            _optional(boards, "boards"),
            _minutes(minutes),
            mbb,
            _arrays.count(strengths, "strengths", 1, 1081),
            _arrays.seed_number(seed),
            _optional(memory_limit, "memory_limit"),
            _arrays.thread_count(threads),
            told,
        )
    return Preflop(
        decisions=_decisions(found["decisions"]),
        exploitability_mbb=found["exploitability_mbb"],
        by_seat=tuple(found["by_seat"]),
        self_play_bb=found["self_play_bb"],
        boards=found["boards"],
        seconds=found["seconds"],
        memory_bytes=found["memory_bytes"],
    )


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
        self._path = _arrays.path(path, "path")
        self._blueprint = _equipoise.Blueprint.load(self._path)
        self._header: dict[str, Any] = json.loads(self._blueprint.header())

    @staticmethod
    def train(
        game: str | os.PathLike[str],
        path: str | os.PathLike[str],
        *,
        buckets: str | os.PathLike[str],
        boards: int | None = None,
        minutes: float | None = None,
        seed: int | None = None,
        flops: int = 8,
        resume: bool = False,
        memory_limit: int | None = None,
        threads: int | None = None,
        progress: Progress = None,
    ) -> tuple[Blueprint, Table]:
        """Trains a game in the buckets of a folder and writes the best strategy to `path`: what `equipoise blueprint
        train` does. Returns the blueprint and its checkpoints: `boards`, `seconds`, `exploitability_mbb` (nan: not measured).

        `game` is a name such as `"A-20"`, a TOML file or its text. Stops at `boards` in all, or after `minutes` (60 unless
        `boards` is given). Exploitability is measured on `flops`, none if 0. Ctrl-C keeps everything in a file beside
        `path`; `resume=True` goes on.
        """
        text = os.fspath(game) if isinstance(game, os.PathLike) else _arrays.text(game, "game")
        if isinstance(game, os.PathLike) or ("\n" not in text and "\0" not in text and os.path.isfile(text)):
            text = _equipoise.read_text(text)
        if boards is None and minutes is None:
            minutes = 60.0
        if not isinstance(resume, bool):
            raise EquipoiseError(f"resume must be True or False, not {resume!r}")
        file = _arrays.path(path, "path")
        with observer(progress, "training") as told:
            rows, _ = _equipoise.train_blueprint(
                text,
                file,
                _arrays.path(buckets, "buckets"),
                _optional(boards, "boards"),
                _minutes(minutes),
                None if seed is None else _arrays.seed_number(seed),
                _arrays.count(flops, "flops", 0, 22_100),
                resume,
                _optional(memory_limit, "memory_limit"),
                _arrays.thread_count(threads),
                told,
            )
        columns = np.array(rows, dtype=np.float64).reshape(-1, 3).T.copy()
        table = {"boards": columns[0].astype(np.int64), "seconds": columns[1], "exploitability_mbb": columns[2]}
        return Blueprint(file), Table(table)

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
        found = self._blueprint.line(line, None if buckets is None else _arrays.path(buckets, "buckets"))
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

    def exploit(
        self,
        *,
        buckets: str | os.PathLike[str],
        flops: int | None = 32,
        seed: int = 0,
        folder: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
        on: Any = None,
        security: Any = None,
        memory: int | None = None,
        timeout: float = 60.0,
        patience: float = 600.0,
    ) -> Exploitability:
        """How exploitable it is in the real game: on some flops that are drawn, or exactly on all with `flops=None`.

        With a `folder` the result of each flop is kept there, and taken if it is there: the same call goes on after Ctrl-C.
        `on=` is the address of a Dask scheduler, a `Client` or a cluster, whose workers measure the flops: the blueprint is sent
        to them, the buckets have to be at the same place on each. `security`, `timeout` and `patience` are those of
        `Plan.run`; `memory` is what a flop may take in bytes (4 GB). docs/distributed.md says what happens when something dies.
        """
        place = _arrays.path(buckets, "buckets")
        count = None if flops is None else _arrays.count(flops, "flops", 1, 22_100)
        start, cores = _arrays.seed_number(seed), _arrays.thread_count(threads)
        if on is None and (security is not None or memory is not None):
            raise EquipoiseError("security= and memory= are for many machines: name a scheduler with on=")
        with contextlib.ExitStack() as ends:
            kept = None if folder is None else _arrays.path(folder, "folder")
            if on is not None:
                from ._cluster import Connection
                from ._flops import Measuring

                if kept is None:
                    kept = ends.enter_context(tempfile.TemporaryDirectory(prefix="equipoise-"))
                told = ends.enter_context(observer(progress, "best response"))
                measuring = Measuring(self._blueprint, self._path, os.path.abspath(place), count, start, kept, told)
                measuring.threads = cores
                if memory is not None:
                    measuring.memory_bytes = _arrays.count(memory, "memory", 1, 2**62)
                measuring.run(Connection(on, security, timeout, patience))
                told = None
            else:
                told = ends.enter_context(observer(progress, "best response"))
            found = self._blueprint.exploit(place, count, start, kept, cores, told)
        return Exploitability(**{**found, "by_seat": tuple(found["by_seat"])})

    def chart(
        self,
        *,
        buckets: str | os.PathLike[str],
        flops: int = 16,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress = None,
    ) -> tuple[PreflopDecision, ...]:
        """Every decision before the flop, with EVs valued on flops that are drawn."""
        with observer(progress, "chart") as told:
            found = self._blueprint.chart(
                _arrays.path(buckets, "buckets"),
                _arrays.count(flops, "flops", 1, 22_100),
                _arrays.seed_number(seed),
                _arrays.thread_count(threads),
                told,
            )
        return _decisions(found)

    def play(
        self,
        other: Blueprint,
        *,
        buckets: str | os.PathLike[str],
        other_buckets: str | os.PathLike[str] | None = None,
        boards: int = 10_000,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress = None,
    ) -> HeadToHead:
        """What it wins from another blueprint of the same game: all hands and betting lines on every board at once, seats
        swapped. `other_buckets` are those of the other, if they differ."""
        if not isinstance(other, Blueprint):
            raise EquipoiseError(f"a blueprint plays against a Blueprint, not {type(other).__name__}")
        own = _arrays.path(buckets, "buckets")
        with observer(progress, "match") as told:
            dealt, mean, std_error, small, big = self._blueprint.play(
                other._blueprint,
                [own, own if other_buckets is None else _arrays.path(other_buckets, "other_buckets")],
                _arrays.count(boards, "boards", 32, 2**62),
                _arrays.seed_number(seed),
                _arrays.thread_count(threads),
                told,
            )
        return HeadToHead(mean, std_error, (small, big), dealt)

    def lbr(
        self,
        *,
        buckets: str | os.PathLike[str],
        menu: str = "fcpa",
        streets: tuple[int, int] = (1, 4),
        hands: int = 10_000,
        seed: int = 0,
        threads: int | None = None,
        progress: Progress = None,
    ) -> LocalBestResponse:
        """What a local best response wins from it, which knows its strategy: what `equipoise lbr` measures.

        It considers folding and calling (`"fc"`), or a bet of the pot and all-in as well (`"fcpa"`), on `streets` from 1
        (before the flop) to 4 (the river), and checks and calls on others.
        """
        if not isinstance(streets, (tuple, list)) or len(streets) != 2:
            raise EquipoiseError(f"streets are the first and the last, such as (3, 4), not {streets!r}")
        first, last = (_arrays.count(street, "a street", 1, 4) for street in streets)
        with observer(progress, "lbr") as told:
            played, mean, std_error = _equipoise.lbr(
                self._blueprint,
                _arrays.path(buckets, "buckets"),
                _arrays.one_of(menu, ["fc", "fcpa"], "menu"),
                (first, last),
                _arrays.count(hands, "hands", 4, 2**40),
                _arrays.seed_number(seed),
                _arrays.thread_count(threads),
                told,
            )
        return LocalBestResponse(mean, std_error, played)

    def __repr__(self) -> str:
        return f"<Blueprint of {self._header['boards']:,} boards: {self._path}>"

    def __reduce__(self) -> tuple[type[Blueprint], tuple[str]]:
        return Blueprint, (self._path,)
