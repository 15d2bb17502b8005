"""Solutions, and the decisions in them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._progress import Progress, observer
from .errors import SpotError
from .frames import Table
from .pictures import Svg
from .ranges import Range

if TYPE_CHECKING:
    import pandas
    import polars

    from .spots import Spot

__all__ = ["Node", "Solution", "load"]

_STREETS = ("flop", "turn", "river")


class Solution:
    """The average strategies of both players and what they are worth; a handle, read decision by decision.

    >>> import equipoise as eq
    >>> sol = eq.Spot.of_text(eq.SHIPPED_SPOTS["turn-std"]).solve(target=0.5)
    >>> sol.root.actions
    ('check', 'bet:120', 'bet:216', 'allin')
    >>> sol["check bet:120"].player
    'oop'
    >>> round(sum(sol.root.ev.values()), 3)
    200.0
    """

    __slots__ = ("_info", "_solution")

    def __init__(self, solution: _equipoise.Solution) -> None:
        self._solution = solution
        self._info: dict[str, Any] = solution.info()

    @property
    def spot(self) -> Spot:
        """What was solved."""
        from .spots import Spot

        return Spot._of(self._solution.problem())

    @property
    def root(self) -> Node:
        """Where play begins."""
        return Node(self._solution, "")

    @property
    def exploitability(self) -> float:
        """The mean of what both players could gain by the best response, in percent of the pot."""
        return float(self._info["exploitability_pct"])

    @property
    def exploitability_chips(self) -> float:
        """The same in chips."""
        return float(self._info["exploitability_chips"])

    @property
    def iterations(self) -> int:
        """Iterations that were run."""
        return int(self._info["iterations"])

    @property
    def seconds(self) -> float:
        """Time spent in iterations and checks."""
        return float(self._info["seconds"])

    @property
    def converged(self) -> bool:
        """Whether the target was reached."""
        return bool(self._info["converged"])

    @property
    def algorithm(self) -> str:
        """The algorithm with its parameters."""
        return str(self._info["algorithm"])

    @property
    def storage(self) -> str:
        """What regrets and strategies were stored in."""
        return str(self._info["storage"])

    @property
    def contents(self) -> str:
        """What a file keeps (`"full"`, `"no-river"` …), or `"memory"`."""
        return str(self._info["contents"])

    @property
    def path(self) -> str | None:
        """The file, if it is one."""
        path: str | None = self._info["path"]
        return path

    @property
    def history(self) -> Table:
        """A row for each check: iteration, exploitability in percent of the pot, seconds (nan of files)."""
        from .spots import history_table

        return history_table(self._info["history"])

    def __getitem__(self, path: str) -> Node:
        """The node at the end of a path: `"check bet:120 call | 7s | check"`."""
        if not isinstance(path, str):
            raise SpotError(f"a path is text such as 'check bet:120', not {path!r}")
        return Node(self._solution, path)

    def walk(
        self, *, start: str = "", until: str = "river", min_probability: float = 0.0, all_cards: bool = False
    ) -> Iterator[Node]:
        """Every decision below a path, each before those below it; of cards that differ in suits only, one.

        `until` is the last street; decisions that play gets to more rarely than `min_probability` are left out with what
        lies below them. `node.num_runouts` is how many runouts the cards of a node stand for.
        """
        _arrays.one_of(until, _STREETS, "until")
        least = _arrays.real(min_probability, "min_probability")
        waiting = [self[start]]
        while waiting:
            node = waiting.pop()
            if _STREETS.index(node.street) > _STREETS.index(until):
                continue
            if node.kind == "decision":
                if least > 0 and node.probability < least:
                    continue
                yield node
                waiting += [node[action] for action in reversed(node.actions)]
            elif node.kind == "chance" and node.street != until:
                waiting += [node._dealt(card, count) for card, count in reversed(node.next_cards(all_cards=all_cards))]

    def to_parquet(
        self,
        path: str | os.PathLike[str],
        *,
        start: str = "",
        until: str = "river",
        all_cards: bool = False,
        ranges: bool = False,
        threads: int | None = None,
        progress: Progress = None,
    ) -> tuple[int, int]:
        """Writes every decision as a Parquet table (docs/exports.md) that polars, pandas and duckdb open; how many
        decisions and rows it has. `ranges=True` writes the ranges of both players at each decision instead."""
        with observer(progress, "export") as told:
            return self._solution.to_parquet(
                os.fspath(path), start, until, bool(all_cards), bool(ranges), _arrays.thread_count(threads), told
            )

    def save(self, path: str | os.PathLike[str], contents: str | None = None) -> int:
        """Saves the solution; bytes. `contents` is `"full"` (the default), `"no-river"`, `"no-turn"` (streets that are
        left out are re-solved when they are read) or `"resumable"`. A loaded solution is copied."""
        return self._solution.save(os.fspath(path), contents)

    def plot_convergence(self) -> Svg:
        """Exploitability by iteration, as a picture."""
        rows = self._info["history"]
        lines = [(self.algorithm, [(float(row[0]), float(row[1])) for row in rows])]
        board = self.root.board
        return Svg(_equipoise.convergence_svg(f"Convergence on {board}", lines), f"convergence on {board}")

    def _resumable_file(self, folder: str) -> str:
        """A file to start another solve with."""
        if not self._solution.has_solver:
            return str(self._info["path"])
        path = os.path.join(folder, "start.eqp")
        self._solution.save(path, "resumable")
        return path

    def __repr__(self) -> str:
        found = f"{self.exploitability:.4f} % of pot after {self.iterations} iterations"
        return f"<Solution of {self.root.board}: {found}, {self.storage}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is None:
            raise TypeError("a Solution in memory does not pickle: save it, and load the file elsewhere")
        return load, (self.path,)

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>".replace("<Solution", "Solution").replace("bit>", "bit") + self.root._repr_html_()


def load(path: str | os.PathLike[str]) -> Solution:
    """Opens a file of a solution; its parts are read when they are asked for."""
    return Solution(_equipoise.Solution.load(os.fspath(path)))


class Node:
    """A place in a solution: a decision, a card that comes, or the end of the hand.

    `node["bet:120"]` follows an action, `node.deal("7s")` a card. What a player has there is in arrays over all 1,326
    combos (`weights`, `equity`, `evs`); the strategy is over the combos of the player who acts (`combos`).
    """

    __slots__ = ("_decision", "_info", "_solution", "num_runouts")

    num_runouts: int
    """How many runouts the cards of this node stand for, where `Solution.walk` has joined them; otherwise 1."""

    def __init__(self, solution: _equipoise.Solution, path: str, num_runouts: int = 1) -> None:
        self._solution = solution
        self._info: dict[str, Any] = solution.node(path)
        self._decision: dict[str, Any] | None = None
        self.num_runouts = num_runouts

    @property
    def path(self) -> str:
        """The actions and cards that lead here."""
        return str(self._info["path"])

    @property
    def kind(self) -> str:
        """`"decision"`, `"chance"` or `"end"`."""
        return str(self._info["kind"])

    @property
    def player(self) -> str | None:
        """Who acts: `"oop"`, `"ip"`, or nobody."""
        player: str | None = self._info["player"]
        return player

    @property
    def actions(self) -> tuple[str, ...]:
        """What can be done."""
        return tuple(self._info["actions"])

    @property
    def board(self) -> str:
        """The cards on the board, as text."""
        return str(self._info["board"])

    @property
    def street(self) -> str:
        """`"flop"`, `"turn"` or `"river"`."""
        return str(self._info["street"])

    @property
    def pot(self) -> int:
        """The pot in chips, bets on the table included."""
        return int(self._info["pot"])

    @property
    def stacks(self) -> dict[str, int]:
        """What each player has left, in chips."""
        oop, ip = self._info["stacks"]
        return {"oop": int(oop), "ip": int(ip)}

    def _found(self) -> dict[str, Any]:
        if self._decision is None:
            self._decision = self._solution.decision(self.path)
        return self._decision

    @property
    def combos(self) -> npt.NDArray[np.uint16]:
        """The combos of the player who acts: the rows of `strategy` and `action_evs`."""
        combos: npt.NDArray[np.uint16] = self._found()["combos"]
        return combos

    @property
    def strategy(self) -> npt.NDArray[np.float32]:
        """How often each combo takes each action: (combos, actions)."""
        strategy: npt.NDArray[np.float32] = self._found()["strategy"]
        return strategy

    @property
    def action_evs(self) -> npt.NDArray[np.float32]:
        """What each action is worth for each combo, in chips from here on: (combos, actions), nan without matchups."""
        evs: npt.NDArray[np.float32] = self._found()["action_evs"]
        return evs

    @property
    def frequencies(self) -> npt.NDArray[np.float64]:
        """How often the whole range takes each action."""
        frequencies: npt.NDArray[np.float64] = self._found()["frequencies"]
        return frequencies

    @property
    def mean_action_evs(self) -> npt.NDArray[np.float64]:
        """What each action is worth on average for the combos that take it, in chips from here on."""
        evs: npt.NDArray[np.float64] = self._found()["mean_action_evs"]
        return evs

    @property
    def probability(self) -> float:
        """How often play gets here when these cards come."""
        return float(self._found()["probability"])

    @property
    def is_unreliable(self) -> bool:
        """Whether play gets here so rarely that the strategy was hardly trained."""
        return bool(self._found()["is_unreliable"])

    @property
    def resolved(self) -> tuple[float, int] | None:
        """If the file leaves this street out: exploitability of the subgame in percent of its pot, and iterations."""
        found: tuple[float, int] | None = self._found()["resolved"]
        return found

    @property
    def ev(self) -> dict[str, float]:
        """What both ranges get on average, in chips from here on."""
        if self.kind == "decision":
            evs = self._found()["evs"]
        else:
            evs = [self._solution.hands(self.path, player, "evs")["mean"] for player in ("oop", "ip")]
        return {player: float("nan") if ev is None else ev for player, ev in zip(("oop", "ip"), evs)}

    def _hands(self, player: str, what: str) -> dict[str, Any]:
        return self._solution.hands(self.path, _arrays.one_of(player, ("oop", "ip"), "a player"), what)

    def weights(self, player: str) -> npt.NDArray[np.float64]:
        """The weight with which each combo gets here, (1326,): range times own strategy on the way."""
        weights: npt.NDArray[np.float64] = self._hands(player, "weights")["weights"]
        return weights

    def equity(self, player: str) -> npt.NDArray[np.float64]:
        """The equity of each combo against the opponent's range, (1326,); nan where there is none."""
        values: npt.NDArray[np.float64] = self._hands(player, "equities")["values"]
        return values

    def evs(self, player: str) -> npt.NDArray[np.float64]:
        """What each combo gets, in chips from here on, (1326,); nan where there is none."""
        values: npt.NDArray[np.float64] = self._hands(player, "evs")["values"]
        return values

    def range_equity(self, player: str) -> float:
        """The equity of the whole range."""
        mean = self._hands(player, "equities")["mean"]
        return float("nan") if mean is None else float(mean)

    def range(self, player: str) -> Range:
        """The range with which a player gets here."""
        return Range(np.minimum(self.weights(player), 1.0).astype(np.float32))

    def __getitem__(self, action: str) -> Node:
        """The node after an action."""
        if not isinstance(action, str) or action.strip() not in self.actions:
            possible = ", ".join(self.actions) or "none: " + ("deal a card" if self.kind == "chance" else "the hand is over")
            raise SpotError(f"{action!r} is not possible here; possible: {possible}")
        path = self.path
        return Node(self._solution, f"{path} {action.strip()}".strip(), self.num_runouts)

    def __iter__(self) -> Iterator[Node]:
        return (self[action] for action in self.actions)

    def deal(self, card: str | int) -> Node:
        """The node after a card."""
        from .cards import card_text

        text = card if isinstance(card, str) else card_text([card])
        return self._dealt(text.strip(), 1)

    def _dealt(self, card: str, count: int) -> Node:
        if self.kind != "chance":
            raise SpotError(f"after '{self.path}' no card comes")
        return Node(self._solution, f"{self.path} | {card} |", self.num_runouts * count)

    def next_cards(self, *, all_cards: bool = False) -> list[tuple[str, int]]:
        """The cards that can come, one of those that differ in suits only, and how many each stands for."""
        return self._solution.next_cards(self.path, bool(all_cards))

    def runouts(self) -> Table:
        """A row for each card that can come where a street ends: equities and EVs of both, and what is played first."""
        rows = self._solution.runouts(self.path)
        names = list(rows[0]) if rows else []
        return Table({name: np.array([row[name] for row in rows]) for name in names})

    def columns(self) -> Table:
        """The decision as a table with a row for each action of each combo: the columns of docs/exports.md."""
        found = self._solution.columns(self.path)
        length = len(found["combo"])
        return Table(
            {
                "node": np.full(length, self.path),
                "board": np.full(length, self.board),
                "num_runouts": np.full(length, self.num_runouts, np.int32),
                "probability": np.full(length, found["probability"]),
                "player": np.full(length, self.player),
                "pot": np.full(length, self.pot, np.int32),
                "action": np.array(found["action"]),
                "chips": found["chips"].astype(np.int32),
                "combo": np.array(found["combo"]),
                "reach": found["reach"],
                "equity": found["equity"],
                "ev": found["ev"],
                "frequency": found["frequency"],
                "action_ev": found["action_ev"],
            }
        )

    def to_polars(self) -> polars.DataFrame:
        """`columns` as a data frame of polars."""
        return self.columns().to_polars()

    def to_pandas(self) -> pandas.DataFrame:
        """`columns` as a data frame of pandas."""
        return self.columns().to_pandas()

    def plot(self) -> Svg:
        """The strategy as a grid, in the colours of the page."""
        return Svg(self._solution.plot(self.path), f"{self.player} on {self.board}")

    def plot_equity(self) -> Svg:
        """How equity is distributed over both ranges, as a picture."""
        return Svg(self._solution.plot_equity(self.path), f"equity on {self.board}")

    def __repr__(self) -> str:
        who = {"decision": f"{self.player} acts", "chance": "a card comes", "end": "the hand is over"}[self.kind]
        return f"<Node '{self.path}' on {self.board}: {who}, pot {self.pot}>"

    def _repr_html_(self) -> str:
        if self.kind != "decision":
            return f"<p>{repr(self)[1:-1]}</p>"
        return self.plot()._repr_html_()
