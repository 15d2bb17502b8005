"""Lets pious, a client of the protocol from PyPI, drive `equipoise upi`, and holds its replies against `equipoise show`.

Usage: run.py EQUIPOISE
"""

import contextlib
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pious.conf
from pious.pio import Line, get_all_lines, is_nonterminal
from pious.pio.equity import EquityCalculator
from pious.pio.solver import Solver
from pious.range import Range
from pious.util import PIO_HAND_ORDER

PLAYERS = ("OOP", "IP")
PLACES = {hand: place for place, hand in enumerate(PIO_HAND_ORDER)}
# Files keep frequencies in sixteen bits and values before the river in 32.
FREQUENCY, VALUE = 2e-5, 1e-4

RIVER = {
    "board": "Td9d6hQc2h",
    "pot": 200,
    "stack": 900,
    "oop": "AA,QQ,JTs,KQs,A5s,87s:0.5,KJo",
    "ip": "KK,TT,QJs,T9s,98s,AQo:0.75,54s",
    "lines": ["0 0", "120 400 900", "120 900", "250 900", "0 120 400 900", "0 250 900"],
    "rake": None,
    "rivers": [],
}
TURN = {
    "board": "Qd9d6h3c",
    "pot": 100,
    "stack": 300,
    "oop": "AA,QQ,KQs,JTs,87s",
    "ip": "KK,AQs,T9s,66,76s:0.5",
    "lines": ["0 0 0 80", "50 150 300", "0 50 50 50 120", "50 50 50 130 300", "50 50 300", "0 0 60"],
    "rake": "0.05 8",
    "rivers": ["2h", "Ts"],
}


class Test:
    """A folder with the solver where the client looks for it."""

    def __init__(self, equipoise: str, folder: str):
        self.equipoise, self.folder, self.compared = equipoise, folder, 0
        for name in ("Equipoise", "PioSOLVER3-edge"):
            launcher = pathlib.Path(folder, name + ".exe")
            launcher.write_text(f'#!/bin/sh\nexec "{equipoise}" upi\n')
            launcher.chmod(0o755)

    def client(self) -> Solver:
        return Solver(self.folder, "Equipoise")

    def run(self, *args: str) -> dict:
        done = subprocess.run([self.equipoise, *args, "--json"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (args, done.stderr)
        return json.loads(done.stdout)

    def show(self, file: str, path: str, player: str) -> dict:
        return self.run("show", file, "--node", path, "--player", player.lower(), "--all")

    def near(self, found: float, want: float | None, within: float, what) -> None:
        """NaN stands for nothing."""
        self.compared += 1
        if want is None:
            assert math.isnan(found), (what, found)
        else:
            assert abs(found - want) <= within, (what, found, want)

    def compare(self, solver: Solver, file: str, node: str, stack: int) -> None:
        """Every reply about a decision against the document of the saved solution."""
        seen = solver.show_node(node)
        path = path_of(node, stack)
        children = solver.show_children(node)
        actions = [name_of(child.node_id, stack) for child in children]
        assert seen.num_children == len(children), node
        strategy = solver.show_strategy(node)
        for place, player in enumerate(PLAYERS):
            document = self.show(file, path, player)
            held = document["node"]
            assert "".join(seen.board) == held["board"], node
            assert seen.node_type == held["player"].upper() + "_DEC", node
            assert sum(seen.pot) == held["pot"], node
            assert stack - seen.pot[place] == held["stacks"][player.lower()], node
            assert sorted(actions) == sorted(action["name"] for action in held["actions"]), node
            self.near(solver.calc_global_freq(node), held["probability"], 1e-6, (node, "freq"))
            weights = solver.show_range(player, node)
            held_weights = np.array([weights[at] for at in range(len(PLACES))])
            evs, met = solver.calc_ev(player, node)
            equities, deals, total = solver.calc_eq_node(player, node)
            mine = held["players"][player.lower()]
            self.near(total, mine["equity"], 1e-9, (node, player, "equity"))
            mean = mean_of(evs, met) + seen.pot[place]
            self.near(mean, mine["ev"], VALUE * 10, (node, player, "ev"))
            for combo in document["combos"]:
                at, what = PLACES[combo["combo"]], (node, player, combo["combo"])
                self.near(weights[at], combo["weight"], FREQUENCY, (what, "weight"))
                self.near(equities[at], combo["equity"], 1e-9, (what, "equity"))
                self.near(evs[at] + seen.pot[place], combo["ev"], VALUE * held["pot"], (what, "ev"))
                for parts in (met, deals):
                    # Where play never gets, combos meet nobody, and count by what they weigh.
                    parts = parts if parts.sum() > 0 else held_weights
                    self.near(parts[at] / parts.sum(), combo["share"], FREQUENCY, (what, "share"))
                for action in combo["actions"]:
                    child = actions.index(action["name"])
                    self.near(strategy[child][at], action["frequency"], FREQUENCY, (what, action["name"]))
            shown = {combo["combo"] for combo in document["combos"]}
            # Left out are hands that never get there, and those that meet nobody.
            assert all(met[at] < 1e-6 for hand, at in PLACES.items() if hand not in shown), node
            if held["player"] == player.lower():
                self.compare_actions(solver, document, node, [child.node_id for child in children], actions, place)

    def compare_actions(self, solver, document, node, children, actions, place) -> None:
        """What each action is worth: the EV at the node that it leads to, whatever kind of node that is."""
        paid = solver.show_node(node).pot[place]
        for child, name in zip(children, actions):
            evs, _ = solver.calc_ev(PLAYERS[place], child)
            for combo in document["combos"]:
                action = next(action for action in combo["actions"] if action["name"] == name)
                at = PLACES[combo["combo"]]
                if not math.isnan(evs[at]):
                    within = VALUE * document["node"]["pot"]
                    self.near(evs[at] + paid, action["ev"], within, (node, name, combo["combo"], "action ev"))


def path_of(node: str, stack: int) -> str:
    """`r:0:c:b50:c:2h` as `check bet:50 call | 2h |`: bets are totals of the whole hand there, of the street here."""
    words, invested, base, player = [], [0, 0], 0, 0
    for part in node.split(":")[2:]:
        own, other = invested[player], invested[1 - player]
        if part == "f":
            words.append("fold")
        elif part == "c":
            words.append("check" if own == other else "call")
            invested[player] = other
        elif part[0] == "b":
            total = int(part[1:])
            kind = "allin" if total == stack else ("bet" if own == other else "raise")
            words.append(kind if kind == "allin" else f"{kind}:{total - base}")
            invested[player] = total
        else:
            words += ["|", part, "|"]
            base, player = invested[0], 1
        player = 1 - player
    return " ".join(words)


def name_of(node: str, stack: int) -> str:
    return path_of(node, stack).split(" ")[-1]


def mean_of(evs: np.ndarray, met: np.ndarray) -> float:
    return np.nansum(evs * met) / met.sum() if met.sum() > 0 else math.nan


def set_up(solver: Solver, spot: dict) -> None:
    assert solver.set_range("OOP", Range(spot["oop"])) == "set_range ok!"
    assert solver.set_range("IP", list(Range(spot["ip"]).range_array)) == "set_range ok!"
    assert solver.set_board(spot["board"]) == "set_board ok!"
    assert solver.set_eff_stack(spot["stack"]) == "set_eff_stack ok!"
    assert solver.set_pot(0, 0, spot["pot"]) == "set_pot ok!"
    assert solver.set_isomorphism(True, True) == "set_isomorphism ok!"
    if spot["rake"]:
        assert solver._run("set_rake", spot["rake"]) == "set_rake ok!"
    assert solver.clear_lines() == "clear_lines ok!"
    for line in spot["lines"] + ["0 77 150"]:
        assert solver.add_line(line.split(" ")) == "add_line ok!"
    assert solver.remove_line("0 77".split(" ")) == "remove_line ok!"
    assert solver.build_tree() == "build_tree ok!"


def decisions(solver: Solver, spot: dict) -> list[str]:
    """The decisions of the first street, and those after some of the cards."""
    found, pending = [], ["r:0"]
    while pending:
        node = solver.show_node(pending.pop())
        if node.node_type.endswith("_DEC"):
            found.append(node.node_id)
            pending += [child.node_id for child in solver.show_children(node)]
        elif node.node_type == "SPLIT_NODE":
            cards = {child.last_action for child in solver.show_children(node)}
            assert len(cards) == node.num_children == 52 - len(node.board)
            pending += [f"{node.node_id}:{card}" for card in spot["rivers"] if card in cards]
    return found


def check_spot(test: Test, spot: dict, name: str) -> None:
    solver, stack = test.client(), spot["stack"]
    assert solver.show_hand_order() == list(PIO_HAND_ORDER)
    assert solver.echo("some", "words") == "some words"
    set_up(solver, spot)
    solver.set_accuracy(0.002, "fraction")
    heard = solver.go(quiet=True)
    assert "SOLVER: started" in heard and "SOLVER: stopped (required accuracy reached)" in heard, heard
    file = str(pathlib.Path(test.folder, name + ".eqp"))
    assert solver.dump_tree(file, "full") == "dump_tree ok!"
    assert test.show(file, "", "OOP")["solution"]["exploitability"]["pct_pot"] <= 0.2

    nodes = decisions(solver, spot)
    for node in nodes:
        test.compare(solver, file, node, stack)
    check_tree(solver, spot)

    # One who folds too much, and the tree solved around him.
    before = mean_of(*solver.calc_ev("OOP", "r:0"))
    bet = solver.show_children("r:0")[0].node_id
    folds = solver.show_children_actions(bet).index("f")
    locked = [[0.7 * part for part in row] for row in solver.show_strategy(bet)]
    locked[folds] = [part + 0.3 for part in locked[folds]]
    assert solver.set_strategy(bet, [part for row in locked for part in row]) == "set_strategy ok!"
    # It shows at once, in what it is worth too.
    folded = solver.calc_global_freq(f"{bet}:f")
    weights, strategy = solver.show_range("IP", bet).range_array, solver.show_strategy(bet)
    assert np.allclose(np.array(strategy)[:, weights > 0], np.array(locked)[:, weights > 0], atol=1e-12)
    assert solver.lock_node(bet) == "lock_node ok!"
    assert solver.calc_global_freq(f"{bet}:f") == folded > 0.0
    locked = solver.show_strategy(bet)
    assert "LOCKED" in solver.show_node(bet).flags
    solver.go(quiet=True)
    for row, kept in zip(solver.show_strategy(bet), locked):
        assert np.allclose(row, kept, atol=1e-9), "a locked decision is unchanged"
    after = mean_of(*solver.calc_ev("OOP", "r:0"))
    assert after > before + 0.1, (before, after)
    again = str(pathlib.Path(test.folder, name + " locked.eqp"))
    solver.dump_tree(f'"{again}"', "full")
    test.compare(solver, again, bet, stack)
    test.compare(solver, again, "r:0", stack)

    # Read back by another one: the same replies; then unlocked and solved as at first.
    other = test.client()
    other.load_tree(again)
    assert other.root_node_info.board == tuple(spot["board"][at : at + 2] for at in range(0, len(spot["board"]), 2))
    for node in nodes[:5]:
        test.compare(other, again, node, stack)
        assert other.show_strategy(node) == solver.show_strategy(node), node
    assert max(other.show_strategy(bet)[folds]) == max(locked[folds])
    other.unlock_node(bet)
    other.set_accuracy(0.002, "fraction")
    other.go(quiet=True)
    back = mean_of(*other.calc_ev("OOP", "r:0"))
    assert abs(back - before) < 0.01 * spot["pot"], (before, back)

    # Rivers that a file leaves out are re-solved on request.
    small = str(pathlib.Path(test.folder, name + "-small.eqp"))
    other.dump_tree(small, "small")
    other.load_tree(small, "fast")
    other.load_all_nodes()
    test.compare(other, small, "r:0", stack)


def check_tree(solver: Solver, spot: dict) -> None:
    info = solver.show_tree_info()
    assert (info["Pot"], info["EffectiveStacks"]) == (spot["pot"], spot["stack"]), info
    assert "".join(info["Board"]) == spot["board"] and info["Rake.Enabled"] is (spot["rake"] is not None)
    assert solver.show_effective_stack() == spot["stack"]
    assert solver.show_board().replace(" ", "") == spot["board"]
    lines = get_all_lines(solver)
    assert len(lines) + 1 == len(solver.show_all_lines())
    assert any(line.line_str == "r:0:c" for line in lines) and all(isinstance(line, Line) for line in lines)
    assert not any("b77" in line.line_str for line in lines), "the line that was removed"
    assert any(is_nonterminal(line) for line in lines)
    for nonsense in ("r:0:b1", "x", "r:0:c:Zz"):
        try:
            solver.show_node(nonsense)
        except ValueError:
            continue
        raise AssertionError(nonsense)
    assert solver.show_children("nowhere") == []
    assert "Exploitable for:" in solver.calc_results()


def check_background(test: Test) -> None:
    """A solve that would never end answers on the way and stops when it is told."""
    solver = test.client()
    set_up(solver, TURN)
    solver._run("set_accuracy", "0")
    solver._run("set_info_freq", "1000")
    assert "go ok!" in solver._run("go")
    shares = np.array(solver.show_strategy("r:0")[-2:])
    assert np.allclose(shares.sum(axis=0)[PLACES["AsAh"]], 1.0)
    assert "SOLVER: stopped (requested)\nstop ok!" in solver.stop()
    assert solver.wait_for_solver() == "wait_for_solver ok!"
    assert "required number of steps reached" in solver.go(3, "steps", quiet=True)


def check_equities(test: Test) -> None:
    """The client's equity calculator against our own."""
    pious.conf.pious_conf.pio_install_directory = test.folder
    for board in ("Td9d6h", "Td9d6hQc", "Td9d6hQc2h"):
        calculator = EquityCalculator(board, "AA,KQs,76s", "TT,AQo:0.5,JTs")
        document = test.run("equity", "AA,KQs,76s", "TT,AQo:0.5,JTs", "--board", board, "--exact")
        for found, player in zip(calculator.compute_equities(), document["players"]):
            test.near(found, player["equity"], 1e-9, board)


def main(equipoise: str) -> int:
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        test = Test(equipoise, folder)
        check_spot(test, RIVER, "river")
        check_spot(test, TURN, "turn")
        check_background(test)
        check_equities(test)
    print(f"pious and equipoise show agree on {test.compared:,} numbers")
    return 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
