"""Spots: postflop problems, and solving them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._arrays import CardsLike
from ._progress import Progress, observer
from ._toml import toml_text
from .cards import COMBOS, card_text
from .errors import ArrayError, Interrupted, SpotError
from .frames import Table
from .ranges import Range, RangeLike
from .solution import Solution

__all__ = ["SHIPPED_SPOTS", "Solver", "Spot", "resume"]

SHIPPED_SPOTS: dict[str, str] = {name: text for name, _, text in _equipoise.shipped_spots()}
"""The texts of spots that come with the package, by name: `eq.Spot.of_text(eq.SHIPPED_SPOTS["turn-std"])`."""

Sizes: TypeAlias = "str | Mapping[str, str]"
"""Bet sizes of a street: text for both players' bets and raises, or text by key (`oop_bet`, `ip_raise`, `oop_donk` …)."""
LockLike: TypeAlias = "Mapping[str, Mapping[str, float]] | npt.ArrayLike"
"""What a lock says: actions with frequencies by hands (`"all"`, classes, combos, ranges), or an array."""

_STREETS = ("flop", "turn", "river")


class Spot:
    """A postflop problem: ranges, board, pot, stacks, bet sizes, and how to solve it. Immutable; its text is a spot file.

    Amounts are chips, or text in big blinds (`"5.5bb"`). Bet sizes of a street are text for both players, or a dictionary
    of the keys of spot files. Everything else of a spot file has a keyword: `rake_rate`, `preset`, `algorithm` and so on.

    >>> import equipoise as eq
    >>> spot = eq.Spot(oop="66+,A8s+,KQo", ip="QQ-22,AQs-A2s", board="Td9d6hQc", pot=200, stack=900,
    ...                bets={"turn": "60%, e, a", "river": {"oop_bet": "60%, a", "oop_donk": "50%"}})
    >>> spot
    <Spot Td9d6hQc (turn), pot 200, stack 900, 72 v 94 combos>
    >>> eq.Spot.of_text(spot.to_toml()) == spot
    True
    """

    __slots__ = ("_problem", "_summary")

    def __init__(
        self,
        *,
        oop: RangeLike,
        ip: RangeLike,
        board: CardsLike,
        pot: int | str,
        stack: int | str,
        bets: Mapping[str, Sizes] | None = None,
        preset: str | None = None,
        rake_rate: float | None = None,
        rake_cap: int | str | None = None,
        big_blind: float | None = None,
        add_allin_threshold: float | None = None,
        force_allin_threshold: float | None = None,
        merging_threshold: float | None = None,
        add_allin_without_sizes: bool | None = None,
        add_lines: Sequence[str] | None = None,
        remove_lines: Sequence[str] | None = None,
        target: float | None = None,
        iterations: int | None = None,
        algorithm: str | None = None,
        storage: str | None = None,
        solver: Mapping[str, Any] | None = None,
    ) -> None:
        cards = card_text(board)
        if len(cards) not in (6, 8, 10):
            raise SpotError(f"a spot begins on a board of 3, 4 or 5 cards, not {len(cards) // 2}")
        tree = {
            "big_blind": big_blind,
            "starting_pot": _plain(pot),
            "effective_stack": _plain(stack),
            "rake_rate": rake_rate,
            "rake_cap": _plain(rake_cap),
            "add_allin_threshold": add_allin_threshold,
            "force_allin_threshold": force_allin_threshold,
            "merging_threshold": merging_threshold,
            "add_allin_without_sizes": add_allin_without_sizes,
            "preset": preset,
            "add_lines": _lines(add_lines, "add_lines"),
            "remove_lines": _lines(remove_lines, "remove_lines"),
        }
        how = {
            "target_exploitability_pct": target,
            "max_iterations": iterations,
            "algorithm": algorithm,
            "quantization": storage,
            **_keys(solver),
        }
        text = toml_text(
            {
                "schema_version": 1,
                "ranges": {"oop": _range_text(oop), "ip": _range_text(ip)},
                "cards": {"flop": cards[:6], "turn": cards[6:8] or None, "river": cards[8:] or None},
                "tree": tree,
                "bet_sizes": _bet_sizes({} if bets is None else bets),
                "solver": how,
            }
        )
        self._set(_equipoise.Problem(text))

    def _set(self, problem: _equipoise.Problem) -> None:
        self._problem = problem
        self._summary: dict[str, Any] = problem.summary()

    @classmethod
    def _of(cls, problem: _equipoise.Problem) -> Spot:
        made = object.__new__(cls)
        made._set(problem)
        return made

    @classmethod
    def of_text(cls, text: str) -> Spot:
        """The spot of the text of a spot file (docs/configuration.md)."""
        return cls._of(_equipoise.Problem(_arrays.text(text, "a spot file")))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Spot:
        """The spot of a spot file."""
        return cls.of_text(_equipoise.read_text(os.fspath(path)))

    @classmethod
    def from_other(cls, text: str) -> tuple[Spot, list[str]]:
        """The spot of another program's text (TexasSolver, WASM Postflop, PioSOLVER), and what could not be carried over."""
        toml, notes = _equipoise.import_spot(text)
        words = [f"line {line}: {what}: {why}" if line else f"{what}: {why}" for line, what, why in notes]
        return cls.of_text(toml), words

    def to_toml(self) -> str:
        """The text of the spot file."""
        return self._problem.text

    @property
    def board(self) -> str:
        """The cards on the board, as text."""
        return str(self._summary["board"])

    @property
    def street(self) -> str:
        """Where play begins: `"flop"`, `"turn"` or `"river"`."""
        return str(self._summary["street"])

    @property
    def pot(self) -> int:
        """The starting pot, in chips."""
        return int(self._summary["pot"])

    @property
    def stack(self) -> int:
        """What each player has left, in chips."""
        return int(self._summary["stack"])

    @property
    def oop(self) -> Range:
        """The range of the player out of position, without what the board blocks."""
        return Range(self._summary["oop"])

    @property
    def ip(self) -> Range:
        """The range of the player in position, without what the board blocks."""
        return Range(self._summary["ip"])

    @property
    def num_nodes(self) -> int:
        """Nodes of the public betting tree."""
        return int(self._summary["nodes"])

    @property
    def num_locks(self) -> int:
        """Locked decisions."""
        return int(self._summary["locks"])

    @property
    def target(self) -> float:
        """The exploitability to reach, in percent of the pot."""
        return float(self._summary["target"])

    def actions(self, line: str = "") -> tuple[str, ...]:
        """The actions at the decision that a line leads to: actions, with `|` between streets."""
        return tuple(self._problem.actions_at(_arrays.text(line, "a line")))

    def memory(self, storage: str | None = None) -> int:
        """Bytes that solving takes, known before anything is allocated."""
        return self._problem.memory(None if storage is None else _arrays.text(storage, "the storage"))

    def lock(self, path: str, strategy: LockLike) -> Spot:
        """The same spot with a decision whose strategy is given.

        The path is a line (`"check bet:120"`; it holds whatever cards come), or a path with cards. The strategy says for
        hands how often each action is taken: `{"all": {"fold": 1.0}}`, `{"AKs": {"check": 0.5, "bet:120": 0.5}}`; or it
        is an array of (1326, actions), rows of nan staying free.

        >>> import equipoise as eq
        >>> spot = eq.Spot.of_text(eq.SHIPPED_SPOTS["turn-std"])
        >>> spot.lock("check bet:120", {"all": {"fold": 1.0}}).num_locks
        1
        """
        line, runout = _split_path(path)
        lock: dict[str, Any] = {"line": line, "runout": runout or None}
        if isinstance(strategy, Mapping):
            if not all(isinstance(actions, Mapping) for actions in strategy.values()):
                raise SpotError("a lock says for hands how often each action is taken: {'all': {'check': 1.0}}")
            hands = {str(name): dict(actions) for name, actions in strategy.items()}
            everyone = hands.pop("all", None)
            lock |= {"strategy": everyone, "hands": hands or None}
        else:
            lock["hands"] = self._locked_hands(line, strategy)
        if lock.get("strategy") is None and not lock.get("hands"):
            raise SpotError("a lock must say something: {'all': {'check': 1.0}}")
        text = self.to_toml().rstrip() + "\n\n" + toml_text({"locks": [lock]})
        return Spot.of_text(text)

    def _locked_hands(self, line: str, strategy: Any) -> dict[str, dict[str, float]]:
        actions = self.actions(line)
        try:
            array = np.asarray(strategy)
        except (TypeError, ValueError, OverflowError) as error:
            raise ArrayError("a lock is a dictionary or an array of numbers, (1326, actions)") from error
        if array.dtype.kind not in "iufb":
            raise ArrayError(f"a lock is a dictionary or an array of numbers, (1326, actions), not {array.dtype}")
        array = array.astype(np.float64)
        if array.shape != (1326, len(actions)):
            raise ArrayError(f"a lock there is an array of shape (1326, {len(actions)}), not {array.shape}: {actions}")
        free = np.isnan(array).all(axis=1)
        held = self._summary[_player_at(self, line)] > 0
        rows = np.flatnonzero(~free & held)
        if np.isnan(array[rows]).any():
            raise ArrayError("a row of a lock is all nan, which leaves the combo free, or has no nan")
        if not rows.size and not free.all():
            raise SpotError("the array locks no combo that the player to act has in range")
        return {COMBOS[row]: dict(zip(actions, array[row].tolist())) for row in rows}

    def solver(
        self,
        *,
        target: float | None = None,
        iterations: int | None = None,
        storage: str | None = None,
        algorithm: str | None = None,
        threads: int | None = None,
        memory_limit: int | str | None = None,
        start: Solution | str | os.PathLike[str] | None = None,
    ) -> Solver:
        """A solver before its first iteration, to be run by hand; keywords stand in place of what the spot says.

        `start` is a solution of the same board whose regrets the solve begins with: one from memory, or a file that was
        saved with `contents="resumable"`. Similar spots then need fewer iterations.
        """
        settings = _settings(target, iterations, storage, algorithm, threads, memory_limit)
        if start is None:
            made, _ = _equipoise.Solver.begin(self._problem, settings, None)
            return Solver(made)
        if not isinstance(start, Solution):
            made, why = _equipoise.Solver.begin(self._problem, settings, os.fspath(start))
        else:
            with tempfile.TemporaryDirectory(prefix="equipoise-") as folder:
                made, why = _equipoise.Solver.begin(self._problem, settings, start._resumable_file(folder))
        if why:
            raise SpotError(f"the solve cannot begin with that solution: {why}")
        return Solver(made)

    def solve(
        self,
        *,
        target: float | None = None,
        iterations: int | None = None,
        storage: str | None = None,
        algorithm: str | None = None,
        threads: int | None = None,
        memory_limit: int | str | None = None,
        start: Solution | str | os.PathLike[str] | None = None,
        progress: Progress = None,
    ) -> Solution:
        """Solves the spot until the exploitability is at most `target` percent of the pot, or for `iterations` at most.

        Ctrl-C raises `Interrupted`, whose `solver` has what is done so far. `progress=True` draws a bar; a callable gets
        a dictionary with `iteration`, `exploitability_pct`, `fraction` and more. The answer does not depend on `threads`.

        >>> import equipoise as eq
        >>> sol = eq.Spot.of_text(eq.SHIPPED_SPOTS["river-std"]).solve(target=0.1)
        >>> sol.exploitability <= 0.1, sol.root.player
        (True, 'oop')
        """
        solver = self.solver(
            target=target,
            iterations=iterations,
            storage=storage,
            algorithm=algorithm,
            threads=threads,
            memory_limit=memory_limit,
            start=start,
        )
        solver.run(progress=progress)
        return solver.solution()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spot) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __repr__(self) -> str:
        locks = f", {self.num_locks} locks" if self.num_locks else ""
        held = f"{np.count_nonzero(self._summary['oop'])} v {np.count_nonzero(self._summary['ip'])} combos"
        return f"<Spot {self.board} ({self.street}), pot {self.pot}, stack {self.stack}, {held}{locks}>"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return Spot.of_text, (self.to_toml(),)


class Solver:
    """Works on a spot, run by run.

    >>> import equipoise as eq
    >>> solver = eq.Spot.of_text(eq.SHIPPED_SPOTS["river-std"]).solver()
    >>> solver.run(iterations=50)
    'max_iterations'
    >>> solver.iterations, solver.run(target=0.05)
    (50, 'converged')
    """

    __slots__ = ("_solver",)

    def __init__(self, solver: _equipoise.Solver) -> None:
        self._solver = solver

    def run(self, *, target: float | None = None, iterations: int | None = None, progress: Progress = None) -> str:
        """Runs until the target, in percent of the pot, or for `iterations` more; without either as the spot says.

        Why it ended: `"converged"`, `"max_iterations"` or `"stalled"`.
        """
        goal = None if target is None else _target(target)
        more = None if iterations is None else _arrays.count(iterations, "iterations", 0)
        with observer(progress, "solve") as told:
            try:
                return self._solver.run(goal, more, told)
            except Interrupted as interrupted:
                interrupted.solver = self
                raise

    @property
    def iterations(self) -> int:
        """Iterations that are done."""
        return int(self._solver.status()["iterations"])

    @property
    def exploitability(self) -> float:
        """The exploitability of what there is, in percent of the pot; measured if it is not known."""
        return self._solver.measure()

    @property
    def seconds(self) -> float:
        """Time spent in iterations and checks."""
        return float(self._solver.status()["seconds"])

    @property
    def memory_bytes(self) -> int:
        """Bytes in use."""
        return int(self._solver.status()["memory_bytes"])

    @property
    def history(self) -> Table:
        """A row for each check: iteration, exploitability in percent of the pot, seconds."""
        return history_table(self._solver.history())

    @property
    def spot(self) -> Spot:
        """What is solved."""
        return Spot.of_text(self._solver.text)

    def solution(self) -> Solution:
        """What has been found so far, to be read; later runs do not change it."""
        return Solution(self._solver.solution())

    def save(self, path: str | os.PathLike[str], contents: str = "resumable") -> int:
        """Saves what has been found so far; bytes. `eq.resume` continues a file of `"resumable"`."""
        return self._solver.save(os.fspath(path), contents)

    def __repr__(self) -> str:
        status = self._solver.status()
        known = status["exploitability_pct"]
        words = "not measured" if known is None else f"{known:.4f} % of pot"
        return f"<Solver after {status['iterations']} iterations, {words}>"


def resume(
    path: str | os.PathLike[str],
    *,
    target: float | None = None,
    iterations: int | None = None,
    threads: int | None = None,
    memory_limit: int | str | None = None,
    progress: Progress = None,
) -> Solution:
    """Continues the solve of a file that was saved with `contents="resumable"`, as if it had not been interrupted."""
    settings = _settings(target, None, None, None, threads, memory_limit)
    solver = Solver(_equipoise.Solver.resume(os.fspath(path), settings))
    solver.run(target=target, iterations=iterations, progress=progress)
    return solver.solution()


def history_table(rows: npt.NDArray[np.float64]) -> Table:
    """Checks as a table."""
    return Table(
        {"iteration": rows[:, 0].astype(np.int64), "exploitability_pct": rows[:, 1].copy(), "seconds": rows[:, 2].copy()}
    )


def _settings(
    target: float | None,
    iterations: int | None,
    storage: str | None,
    algorithm: str | None,
    threads: int | None,
    memory_limit: int | str | None,
) -> dict[str, Any]:
    return {
        "target": None if target is None else _target(target),
        "iterations": None if iterations is None else _arrays.count(iterations, "iterations", 0),
        "storage": storage,
        "algorithm": algorithm,
        "memory_limit": None if memory_limit is None else str(memory_limit),
        "threads": _arrays.thread_count(threads),
    }


def _target(target: float) -> float:
    number = _arrays.real(target, "the target")
    if not 0 <= number < float("inf"):
        raise SpotError(f"the target of {number} % of the pot must be 0 or more")
    return number


def _plain(amount: Any) -> Any:
    if isinstance(amount, (np.integer, np.floating)):
        return amount.item()
    return amount


def _range_text(range: RangeLike) -> str:
    return range if isinstance(range, str) else str(Range(range))


def _lines(lines: Sequence[str] | None, name: str) -> list[str] | None:
    if lines is None:
        return None
    if not isinstance(lines, (list, tuple)) or not all(isinstance(line, str) for line in lines):
        raise SpotError(f"{name} is a list of lines such as 'bet:70 raise:300', not {lines!r}")
    return list(lines)


def _keys(solver: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if solver is None:
        return {}
    if not isinstance(solver, Mapping) or not all(isinstance(key, str) for key in solver):
        raise SpotError(f"solver is a dictionary of keys of spot files, not {solver!r}")
    return solver


def _bet_sizes(bets: Mapping[str, Sizes]) -> dict[str, dict[str, str]]:
    if not isinstance(bets, Mapping):
        raise SpotError(f"bets are a dictionary of streets, such as {{'flop': '60%'}}, not {bets!r}")
    made: dict[str, dict[str, str]] = {}
    for street, sizes in bets.items():
        if isinstance(sizes, str):
            # One text is for both players' bets and raises.
            sizes = {key: sizes for key in ("oop_bet", "oop_raise", "ip_bet", "ip_raise")}
        elif not isinstance(sizes, Mapping):
            raise SpotError(f"bet sizes of the {street} are text or a dictionary, not {sizes!r}")
        made[street] = dict(sizes)
    return made


def _split_path(path: str) -> tuple[str, str]:
    """The line and the cards of a path; a line alone may leave the cards out."""
    parts = _arrays.text(path, "a path").split("|")
    cards = [part.strip() for part in parts[1::2]]
    if len(parts) > 1 and all(len(card) == 2 and card[0].upper() in "23456789TJQKA" for card in cards):
        return " | ".join(part.strip() for part in parts[0::2]).strip(), "".join(cards)
    return path.strip(), ""


def _player_at(spot: Spot, line: str) -> str:
    """Who acts after a line: on each street the player out of position begins."""
    last = line.split("|")[-1].split()
    return ("oop", "ip")[len(last) % 2]
