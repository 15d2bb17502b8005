"""CFR on games of one's own: the rules in Python, walked once; the iterations in Rust.

>>> import equipoise as eq
>>> class Pennies(eq.cfr.Game):
...     def root(self):
...         return ()
...     def turn(self, shown):
...         if len(shown) < 2:
...             return eq.cfr.decision(len(shown), ("first", "second")[len(shown)], 2)
...         return eq.cfr.end(1 if shown[0] == shown[1] else -1)
...     def next(self, shown, action):
...         return shown + (action,)
>>> tree = eq.cfr.compile(Pennies())
>>> tree
<Tree of 7 nodes, 2 information sets>
>>> trainer = eq.cfr.Trainer(tree, "dcfr")
>>> trainer.run(100)
>>> trainer.exploitability() < 1e-9, trainer.average_strategy()["first"].tolist()
(True, [0.5, 0.5])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from . import _arrays, _equipoise
from ._progress import Progress, observer
from .errors import ArrayError, EquipoiseError
from .pictures import Svg

__all__ = [
    "Game",
    "Trainer",
    "Tree",
    "Turn",
    "chance",
    "compile",
    "decision",
    "end",
    "from_open_spiel",
    "kuhn",
    "leduc",
]

State = TypeVar("State")


@dataclass(frozen=True)
class Turn:
    """What happens at a position; `decision`, `chance` and `end` make it."""

    kind: str
    player: int = 0
    infoset: str = ""
    num_actions: int = 0
    probabilities: tuple[float, ...] = ()
    payoffs: tuple[float, float] = (0.0, 0.0)


def decision(player: int, infoset: str, num_actions: int) -> Turn:
    """Player 0 or 1 chooses one of `num_actions` actions, knowing only the information set: any text."""
    player = _arrays.count(player, "a player", 0, 1)
    return Turn("decision", player, str(infoset), _arrays.count(num_actions, "actions", 1))


def chance(probabilities: Sequence[float]) -> Turn:
    """Nature chooses; the probabilities sum to 1."""
    return Turn("chance", probabilities=tuple(_arrays.real(p, "a probability") for p in probabilities))


def end(payoff: float | tuple[float, float]) -> Turn:
    """The game is over: what player 0 wins from player 1, or what each of them wins."""
    if isinstance(payoff, tuple):
        first, second = (_arrays.real(of, "a payoff") for of in payoff)
        return Turn("end", payoffs=(first, second))
    first = _arrays.real(payoff, "a payoff")
    return Turn("end", payoffs=(first, -first))


class Game(Generic[State]):
    """The rules of a finite game of two players with chance, hidden information and perfect recall."""

    def root(self) -> State:
        """The position before anything has happened."""
        raise NotImplementedError

    def turn(self, state: State) -> Turn:
        """What happens at a position."""
        raise NotImplementedError

    def next(self, state: State, action: int) -> State:
        """The position after the action, or nature's outcome, of this number."""
        raise NotImplementedError


class Tree:
    """Every position and information set of a game."""

    __slots__ = ("_infosets", "_tree")

    def __init__(self, tree: _equipoise.GameTree) -> None:
        self._tree = tree
        self._infosets = tree.infosets()

    @property
    def num_nodes(self) -> int:
        """How many positions there are."""
        return self._tree.num_nodes

    @property
    def infosets(self) -> dict[str, tuple[int, int]]:
        """The information sets: player and number of actions by name."""
        return {name: (player, actions) for name, player, _, actions in self._infosets}

    def _split(self, probabilities: npt.NDArray[np.float64]) -> dict[str, npt.NDArray[np.float64]]:
        return {name: probabilities[first : first + actions] for name, _, first, actions in self._infosets}

    def _joined(self, strategy: Mapping[str, Any]) -> npt.NDArray[np.float64]:
        joined = np.empty(self._tree.num_entries)
        for name, _, first, actions in self._infosets:
            if name not in strategy:
                raise ArrayError(f"the strategy has no information set {name!r}")
            row = np.asarray(strategy[name], dtype=np.float64)
            if row.shape != (actions,):
                raise ArrayError(f"the information set {name!r} has {actions} actions, not {row.shape}")
            joined[first : first + actions] = row
        return joined

    def evs(self, strategy: Mapping[str, Any]) -> tuple[float, float]:
        """What both win on average when both play a strategy: probabilities by information set."""
        first, second = self._tree.evs(self._joined(strategy))
        return first, second

    def exploitability(self, strategy: Mapping[str, Any]) -> float:
        """The mean of what both players could gain by the best response."""
        return self._tree.exploitability(self._joined(strategy))

    def __repr__(self) -> str:
        return f"<Tree of {self.num_nodes} nodes, {len(self._infosets)} information sets>"


def compile(game: Game[Any], *, max_nodes: int = 10_000_000) -> Tree:
    """Walks a game once and checks it: probabilities, payoffs, perfect recall."""
    positions: list[Any] = [None]
    infosets: dict[str, int] = {}
    waiting: list[tuple[int, Any]] = [(0, game.root())]
    for at, state in waiting:
        turn = game.turn(state)
        if not isinstance(turn, Turn):
            raise EquipoiseError(f"turn must return decision(…), chance(…) or end(…), not {turn!r}")
        if turn.kind == "end":
            positions[at] = turn.payoffs
            continue
        count = turn.num_actions if turn.kind == "decision" else len(turn.probabilities)
        first = len(positions)
        if first + count > max_nodes:
            raise EquipoiseError(f"the game has more than {max_nodes:,} positions: allow more with max_nodes")
        positions += [None] * count
        after = list(range(first, first + count))
        waiting += [(first + action, game.next(state, action)) for action in range(count)]
        if turn.kind == "decision":
            number = infosets.setdefault(turn.infoset, len(infosets))
            positions[at] = (turn.player, number, after)
        else:
            positions[at] = (list(turn.probabilities), after)
    return Tree(_equipoise.GameTree(positions, list(infosets)))


def kuhn() -> Tree:
    """Kuhn poker: three cards, one bet; the first player wins -1/18 on average."""
    return Tree(_equipoise.GameTree.shipped("kuhn")[0])


def leduc() -> Tree:
    """Leduc poker: six cards, two rounds."""
    return Tree(_equipoise.GameTree.shipped("leduc")[0])


class Trainer:
    """Runs one algorithm on one game: `"dcfr"`, `"cfr+"`, `"pcfr+"`, `"dcfr(1.5,0,2)"` … (docs/algorithms.md)."""

    __slots__ = ("_history", "_tree", "_trainer")

    def __init__(self, tree: Tree, algorithm: str = "dcfr") -> None:
        self._tree = tree
        self._trainer = _equipoise.Trainer(tree._tree, algorithm)
        self._history: list[tuple[float, float]] = []

    def run(
        self,
        iterations: int,
        *,
        every: int | None = None,
        callback: Callable[[Trainer], object] | None = None,
        progress: Progress = None,
    ) -> None:
        """Runs iterations; after each `every` of them the exploitability goes into `history` and `callback` is called."""
        left = _arrays.count(iterations, "iterations")
        step = left if every is None else _arrays.count(every, "every", 1)
        with observer(progress, "cfr") as told:
            while left > 0:
                self._trainer.run(min(step, left), told)
                left -= min(step, left)
                if every is not None:
                    self._history.append((self.iterations, self.exploitability()))
                if callback is not None:
                    callback(self)

    @property
    def iterations(self) -> int:
        """Iterations that are done."""
        return self._trainer.iterations

    @property
    def algorithm(self) -> str:
        """The algorithm with its parameters."""
        return self._trainer.algorithm

    @property
    def history(self) -> list[tuple[float, float]]:
        """Iterations and exploitability, where `run` was told `every`."""
        return list(self._history)

    def exploitability(self) -> float:
        """The exploitability of the average strategy: the mean of what both could gain by the best response."""
        return self._trainer.exploitability()

    def average_strategy(self) -> dict[str, npt.NDArray[np.float64]]:
        """The average strategy, which converges: probabilities by information set."""
        return self._tree._split(self._trainer.average_strategy())

    def current_strategy(self) -> dict[str, npt.NDArray[np.float64]]:
        """The strategy of the next iteration."""
        return self._tree._split(self._trainer.current_strategy())

    def evs(self) -> tuple[float, float]:
        """What both win on average when both play the average strategy."""
        first, second = self._tree._tree.evs(self._trainer.average_strategy())
        return first, second

    def plot_convergence(self) -> Svg:
        """Exploitability by iteration, as far as `history` has it."""
        return Svg(_equipoise.convergence_svg("Convergence", [(self.algorithm, self._history)]), "convergence")

    def __repr__(self) -> str:
        return f"<Trainer {self.algorithm} after {self.iterations} iterations>"


class _OpenSpiel(Game[Any]):
    """A game of OpenSpiel."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def root(self) -> Any:
        return self.game.new_initial_state()

    def turn(self, state: Any) -> Turn:
        if state.is_terminal():
            first, second = state.returns()
            return end((float(first), float(second)))
        if state.is_chance_node():
            return chance([probability for _, probability in state.chance_outcomes()])
        player = state.current_player()
        return decision(player, f"{player}: {state.information_state_string(player)}", len(state.legal_actions()))

    def next(self, state: Any, action: int) -> Any:
        if state.is_chance_node():
            return state.child(state.chance_outcomes()[action][0])
        return state.child(state.legal_actions()[action])


def from_open_spiel(game: Any) -> Game[Any]:
    """A sequential game of two players of OpenSpiel: `eq.cfr.from_open_spiel(pyspiel.load_game("leduc_poker"))`.

    Information sets are named `"player: information state"`; actions are numbered in the order of `legal_actions`.
    """
    if game.num_players() != 2:
        raise EquipoiseError(f"the game has {game.num_players()} players; CFR here is for two")
    return _OpenSpiel(game)
