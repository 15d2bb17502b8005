"""Holds every number that the program shows of a solution against a slow evaluator that shares nothing with it.

Random spots with symmetric and broken suits, in every storage mode, solved cold, warm, resumed, with locks, and after locks
that told suits apart, are saved.
Their strategies are read over UPI for every card that can come. What these are worth, `oracle.py` finds; `solve`, `show`,
`tree`, `runouts`, `export`, the HTTP API and UPI must say the same.

Usage: run.py EQUIPOISE [NUM_SPOTS [FIRST_SEED]]
"""

import csv
import io
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from oracle import DECK, RANKS, SUITS, Evaluator, Game

PLAYERS = ("oop", "ip")
STORAGES = [("32bit", {}), ("16bit", {}), ("8bit", {}), ("4bit", {}), ("8bit", {"log_encoding": "true"}), ("4bit", {"log_encoding": "true"})]
WAYS = ("cold", "warm", "resumed", "locked", "unlocked")
BOARDS = ["Ts9s2h5s", "Qd9d6h3d", "8c4c5cKd", "AsKs2s7s", "JhTd9h8d", "7c7d2s2h", "Qs9h6d3c", "KdKh4s4c2d", "Ah7c5c3s9c"]
# Of the pot at a node for values, of 1 for everything else.
CLOSE = 1e-5
# Hands that meet less than this share of the opponent's weight are not compared: files have no values below 1e-7.
LEAST_SHARE = 2e-7


def hands_of(hand_class: str) -> list[str]:
    """The hands of AKs, AKo or 77, the higher card first."""
    high, low = hand_class[0], hand_class[1]
    if high == low:
        return [high + SUITS[a] + low + SUITS[b] for a in range(4) for b in range(a)]
    return [high + a + low + b for a in SUITS for b in SUITS if (a == b) == hand_class.endswith("s")]


class Spot:
    """A random problem; the same seed makes the same one."""

    def __init__(self, seed: int, is_broken: bool = False):
        dice = random.Random(seed)
        self.board = BOARDS[seed % len(BOARDS)]
        self.storage, self.options = STORAGES[seed % len(STORAGES)]
        self.way = WAYS[(seed + seed // len(STORAGES)) % len(WAYS)]
        self.cards = tuple(self.board[at : at + 2] for at in range(0, len(self.board), 2))
        is_symmetric = dice.random() < 0.7
        self.ranges = [self.draw_range(dice, is_symmetric) for _ in PLAYERS]
        self.pot, self.stack = dice.choice([20, 100, 333]), dice.choice([60, 150, 700])
        self.rake = dice.choice([(0.0, None), (0.0, None), (0.05, 3.0), (0.05, None)])
        bets, raises = dice.choice(["50%", "33%, 100%", "75%, a"]), dice.choice(["a", "2.5x", ""])
        self.sizes = {key: bets if key.endswith("bet") else raises for key in ("oop_bet", "ip_bet", "oop_raise", "ip_raise")}
        # What IP does after a check, by action.
        self.lock: dict[str, float] = {}
        if is_broken:
            self.ranges = [{hand: weight * (1.0, 0.4, 0.1)[at % 3] for at, (hand, weight) in enumerate(weights.items())} for weights in self.ranges]

    def draw_range(self, dice: random.Random, is_symmetric: bool) -> dict[str, float]:
        weights: dict[str, float] = {}
        while len(weights) < 6:
            high, low = sorted((dice.choice(RANKS), dice.choice(RANKS)), key=RANKS.index, reverse=True)
            hands = hands_of(high + low + ("" if high == low else dice.choice("sssso")))
            if not is_symmetric:
                hands = dice.sample(hands, 2)
            weight = dice.choice([1.0, 1.0, 0.5, 0.25])
            weights.update({hand: weight for hand in hands if not {hand[:2], hand[2:]} & set(self.cards)})
        return weights

    def toml(self, iterations: int) -> str:
        text = io.StringIO()
        print("[ranges]", file=text)
        for player, weights in zip(PLAYERS, self.ranges):
            print(f'{player} = "{",".join(f"{hand}:{weight}" for hand, weight in weights.items())}"', file=text)
        print(f'[cards]\nflop = "{self.board[:6]}"', file=text)
        for at, street in ((6, "turn"), (8, "river")):
            if len(self.board) > at:
                print(f'{street} = "{self.board[at:at + 2]}"', file=text)
        print(f"[tree]\nstarting_pot = {self.pot}\neffective_stack = {self.stack}\nrake_rate = {self.rake[0]}", file=text)
        if self.rake[1] is not None:
            print(f"rake_cap = {self.rake[1]}", file=text)
        for street in ("turn", "river"):
            if street == "river" or len(self.board) < 10:
                print(f"[bet_sizes.{street}]", file=text)
                for key, menu in self.sizes.items():
                    print(f'{key} = "{menu}"', file=text)
        print(f'[solver]\nmax_iterations = {iterations}\ntarget_exploitability_pct = 0.0\nquantization = "{self.storage}"', file=text)
        for key, value in self.options.items():
            print(f"{key} = {value}", file=text)
        if self.lock:
            strategy = ", ".join(f'"{action}" = {frequency}' for action, frequency in self.lock.items())
            print(f'[[locks]]\nline = "check"\nstrategy = {{ {strategy} }}', file=text)
        return text.getvalue()


class Program:
    """The program, its server and its text protocol."""

    def __init__(self, path: str, folder: str):
        self.path, self.folder = path, folder
        command = [path, "serve", "--port", "0", "--library", folder, "--json"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.base = json.loads(self.server.stdout.readline())["url"] + "api/v1"

    def close(self) -> None:
        self.server.terminate()
        self.server.wait()

    def text(self, *args: str, codes=(0,)) -> str:
        done = subprocess.run([self.path, *args], capture_output=True, text=True, check=False, cwd=self.folder)
        assert done.returncode in codes, (args, done.returncode, done.stderr)
        return done.stdout

    def json(self, *args: str) -> dict:
        return json.loads(self.text(*args, "--json"))

    def get(self, resource: str, **query: str) -> dict:
        url = f"{self.base}{resource}?{urllib.parse.urlencode(query)}"
        return json.load(urllib.request.urlopen(url, timeout=300))


class Upi:
    """A conversation over UPI about one saved solution; also the tree that the oracle walks."""

    def __init__(self, program: Program, file: str, game: Game, stack: int, locked):
        self.talk = subprocess.Popen([program.path, "upi"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=program.folder)
        self.ask("set_end_string END")
        self.order = self.ask("show_hand_order")[0].split()
        places = {hand: at for at, hand in enumerate(self.order)}
        self.places = [[places[hand] for hand in hands] for hands in game.hands]
        assert self.ask(f"load_tree {file}") == ["load_tree ok!"]
        self.stack, self.locked, self.nodes = stack, locked, {}

    def ask(self, line: str) -> list[str]:
        self.talk.stdin.write(line + "\n")
        self.talk.stdin.flush()
        answer = []
        for heard in self.talk.stdout:
            heard = heard.rstrip("\n")
            if heard == "END":
                return answer
            answer.append(heard)
            if line.startswith("set_end_string"):
                continue
        raise EOFError(line)

    def rows(self, line: str) -> list[list[float]]:
        return [[float(word) for word in row.split()] for row in self.ask(line)]

    def of(self, player: int, row: list[float]) -> list[float]:
        return [row[at] for at in self.places[player]]

    def node(self, name: str) -> tuple:
        """Kind, children, chips invested by both."""
        if name not in self.nodes:
            _, kind, _, pot, *_ = self.ask(f"show_node {name}")
            invested = [int(chips) for chips in pot.split()][:2]
            listed = self.ask(f"show_children {name}")
            children = [line.strip() for line in listed if line.strip().startswith(name + ":")]
            if kind == "END_NODE" and name.endswith(":f"):
                parent = self.node(name[: -len(":f")])
                kind = ("fold", parent[0])
            else:
                kind = {"OOP_DEC": 0, "IP_DEC": 1, "SPLIT_NODE": "card", "END_NODE": "end"}[kind]
            if kind == "card":
                children = {child.rsplit(":", 1)[1]: child for child in children}
            self.nodes[name] = (kind, children, invested)
        return self.nodes[name]

    def kind(self, name: str):
        return self.node(name)[0]

    def children(self, name: str):
        return self.node(name)[1]

    def invested(self, name: str):
        return self.node(name)[2]

    def strategy(self, name: str) -> list[list[float]]:
        return [self.of(self.kind(name), row) for row in self.rows(f"show_strategy {name}")]

    def is_locked(self, name: str) -> bool:
        return name in self.locked

    def path(self, name: str) -> str:
        """`r:0:c:b50:c:2h` as `check bet:50 call | 2h |`: bets are totals of the whole hand there, of the street here."""
        words, invested, base, player = [], [0, 0], 0, 0
        for part in name.split(":")[2:]:
            own, other = invested[player], invested[1 - player]
            if part == "f":
                words.append("fold")
            elif part == "c":
                words.append("check" if own == other else "call")
                invested[player] = other
            elif part[0] == "b" and part[1:].isdigit():
                total = int(part[1:])
                kind = "allin" if total == self.stack else ("bet" if own == other else "raise")
                words.append(kind if kind == "allin" else f"{kind}:{total - base}")
                invested[player] = total
            else:
                words += ["|", part, "|"]
                base, player = invested[0], 1
            player = 1 - player
        return " ".join(words)

    def close(self) -> None:
        self.talk.stdin.close()
        self.talk.wait()


class Expected:
    """What is to be shown at a decision."""

    def __init__(self, game: Game, upi: Upi, name: str, seen: tuple, all_deals):
        board, reach, values, by_action = seen
        self.name, self.path, self.board = name, upi.path(name), board
        self.actor = upi.kind(name)
        self.actions = [upi.path(child).split(" ")[-1] for child in upi.children(name)]
        self.invested, self.pot = upi.invested(name), game.pot + sum(upi.invested(name))
        self.weights, self.strategy = reach, upi.strategy(name)
        self.is_live = [game.live(player, board) for player in (0, 1)]
        self.met = [game.met(player, reach) for player in (0, 1)]
        self.deals = sum(reach[0][one] * reach[1][two] for one, two in game.pairs)
        self.probability = self.deals / all_deals(board)
        self.is_reached = self.deals > 0.0
        per = lambda p, sums, more: [s / m + more if m > 0.0 else None for s, m in zip(sums, self.met[p])]
        self.evs = [per(p, values[p], self.invested[p]) for p in (0, 1)]
        self.equities = [per(p, game.won(p, board, reach), 0.0) for p in (0, 1)]
        self.action_evs = [per(self.actor, sums, self.invested[self.actor]) for sums in by_action]
        self.shares = [[w * (m if self.is_reached else 1.0) for w, m in zip(reach[p], self.met[p])] for p in (0, 1)]

    def met_share(self, player: int, at: int) -> float:
        """How much of the opponent's weight a hand can meet."""
        total = sum(self.weights[1 - player])
        return self.met[player][at] / total if total > 0.0 and self.is_live[player][at] else 0.0

    def is_met(self, player: int, at: int) -> bool:
        """Whether a hand meets enough of the opponent's weight to have values."""
        return self.met_share(player, at) > LEAST_SHARE

    def close_to(self, player: int, at: int) -> float:
        """How close the value of a hand has to be, in chips."""
        return CLOSE * self.pot

    def mean(self, player: int, numbers, shares=None):
        """Over the hands of a range that have one."""
        shares = self.shares[player] if shares is None else shares
        some = [(share, number) for share, number in zip(shares, numbers) if share > 0.0 and number is not None]
        total = sum(share for share, _ in some)
        return sum(share * number for share, number in some) / total if total > 0.0 else None

    def frequency(self, action: int) -> float:
        return self.mean(self.actor, self.strategy[action]) or 0.0

    def action_ev(self, action: int):
        taken = [share * part for share, part in zip(self.shares[self.actor], self.strategy[action])]
        return self.mean(self.actor, self.action_evs[action], taken)


class Check:
    """Compares, and counts what it has compared."""

    def __init__(self, what: str):
        self.what, self.count = what, 0

    def near(self, found, expected, close: float, *what) -> None:
        self.count += 1
        if found is None or expected is None:
            return self.same(found, expected, *what)
        assert abs(found - expected) <= close, (self.what, *what, found, expected)

    def same(self, found, expected, *what) -> None:
        self.count += 1
        assert found == expected, (self.what, *what, found, expected)

    def document(self, node: dict, expected: Expected, *what) -> None:
        """What `show`, `export`, `runouts` and the API have in a node."""
        where = (*what, expected.path)
        self.same([node["path"], node["board"], node["player"]], [expected.path, "".join(expected.board), PLAYERS[expected.actor]], *where)
        self.same(node["pot"], expected.pot, *where)
        self.same(node["unreached"], not expected.is_reached, *where, "unreached")
        self.near(node["probability"], expected.probability, 1e-6, *where, "probability")
        names = [action["name"] for action in node["actions"]]
        self.same(sorted(names), sorted(expected.actions), *where)
        for action in node["actions"]:
            at = expected.actions.index(action["name"])
            self.near(action["frequency"], expected.frequency(at), CLOSE, *where, action["name"], "frequency")
            if expected.frequency(at) > 1e-3:
                self.near(action["ev"], expected.action_ev(at), CLOSE * expected.pot, *where, action["name"], "ev")
        for player, name in enumerate(PLAYERS):
            held = node["players"][name]
            self.near(held["weighted_combos"], sum(expected.weights[player]), 1e-5, *where, name, "weight")
            if not expected.is_reached:
                self.same([held["ev"], held["equity"]], [None, None], *where, name)
                continue
            self.near(held["equity"], expected.mean(player, expected.equities[player]), CLOSE, *where, name, "equity")
            self.near(held["ev"], expected.mean(player, expected.evs[player]), CLOSE * expected.pot, *where, name, "ev")

    def combo(self, expected: Expected, game: Game, player: int, hand: str, found: dict, *what) -> None:
        """One hand: weight, equity, ev, frequencies and values by action, as far as they are there."""
        at = game.hands[player].index(hand)
        where = (*what, expected.path, PLAYERS[player], hand)
        is_met = expected.is_met(player, at)
        self.near(found["weight"], expected.weights[player][at], 1e-6, *where, "weight")
        if is_met:
            self.near(found["equity"], expected.equities[player][at], CLOSE, *where, "equity")
            self.near(found["ev"], expected.evs[player][at], expected.close_to(player, at), *where, "ev")
        if player != expected.actor:
            return
        for action, (frequency, ev) in found["actions"].items():
            place = expected.actions.index(action)
            self.near(frequency, expected.strategy[place][at], 1e-6, *where, action, "frequency")
            if is_met:
                self.near(ev, expected.action_evs[place][at], expected.close_to(player, at), *where, action, "ev")

    def held(self, expected: Expected, game: Game, player: int, hands, *what) -> None:
        """Exactly the hands that get there are listed."""
        shares = zip(game.hands[player], expected.shares[player])
        self.same(sorted(hands), sorted(hand for hand, share in shares if share > 0.0), *what, expected.path, PLAYERS[player], "hands")


def solve(program: Program, spot: Spot, seed: int) -> tuple[str, dict]:
    """Saves a solution; its file and what `solve` printed last."""
    name = f"s{seed}.eqp"
    pathlib.Path(program.folder, "spot.toml").write_text(spot.toml(15))
    if spot.way == "warm":
        pathlib.Path(program.folder, "old.toml").write_text(Spot(seed, is_broken=True).toml(25))
        program.text("solve", "old.toml", "-o", "old.eqp", "--save", "resumable")
        return name, program.json("solve", "spot.toml", "--from", "old.eqp", "-o", name, "--save", "resumable")
    if spot.way == "locked":
        program.text("solve", "spot.toml", "-o", "unlocked.eqp")
        rows = program.json("tree", "unlocked.eqp", "--node", "check", "--depth", "1")["actions"]
        parts = [1 + random.Random(seed).randrange(9) for _ in rows]
        spot.lock = {row["action"]: part / sum(parts) for row, part in zip(rows, parts)}
        pathlib.Path(program.folder, "spot.toml").write_text(spot.toml(15))
    said = program.json("solve", "spot.toml", "-o", name, "--save", "resumable")
    if spot.way == "unlocked":
        return name, unlock(program, spot, seed, name)
    if spot.way == "resumed":
        said = program.json("resume", name, "--max-iterations", "28")
    return name, said


def unlock(program: Program, spot: Spot, seed: int, name: str) -> dict:
    """Resumes over UPI with a lock that tells suits apart, then without it, and saves that."""
    upi = Upi(program, name, Game(spot.ranges, spot.pot, spot.rake), spot.stack, set())
    dice, actions = random.Random(seed), len(upi.children("r:0"))
    parts = [[1 + dice.randrange(9) for _ in range(actions)] for _ in upi.order]
    rows = [str(hand[action] / sum(hand)) for action in range(actions) for hand in parts]
    for line in (f"set_strategy r:0 {' '.join(rows)}", "lock_node r:0", "go 10 steps", "wait_for_solver", "unlock_node r:0", "go 12 steps", "wait_for_solver"):
        answer = upi.ask(line)
        assert answer and not answer[0].startswith("ERROR"), (line[:40], answer)
    # A file of the same name is what was loaded.
    assert upi.ask("dump_tree unlocked.eqp full") == ["dump_tree ok!"]
    upi.close()
    pathlib.Path(program.folder, "unlocked.eqp").replace(pathlib.Path(program.folder, name))
    shown = program.json("show", name)
    return {"exploitability": shown["solution"]["exploitability"], "players": shown["node"]["players"]}


def check_spot(program: Program, seed: int) -> int:
    spot = Spot(seed)
    check = Check(f"seed {seed}, {spot.board}, {spot.storage} {spot.options}, {spot.way}")
    file, said = solve(program, spot, seed)
    game = Game(spot.ranges, spot.pot, spot.rake)
    upi = Upi(program, file, game, spot.stack, {"r:0:c"} if spot.lock else set())
    evaluator = Evaluator(game, upi)
    means = evaluator.root("r:0", spot.cards)
    best = [Evaluator(game, upi, player).root("r:0", spot.cards)[player] for player in (0, 1)]

    exploitability = sum(best[p] - means[p] for p in (0, 1)) / 2
    check.near(said["exploitability"]["chips"], exploitability, CLOSE * spot.pot, "exploitability")
    check.near(program.json("show", file)["solution"]["exploitability"]["chips"], exploitability, CLOSE * spot.pot, "exploitability of the file")
    for player, name in enumerate(PLAYERS):
        check.near(said["players"][name]["ev"], means[player], CLOSE * spot.pot, name, "ev")
    if spot.rake[0] == 0.0:
        check.near(sum(said["players"][name]["ev"] for name in PLAYERS), spot.pot, CLOSE * spot.pot, "sum of evs")

    def all_deals(board: tuple) -> float:
        live = [game.live(player, board) for player in (0, 1)]
        return sum(game.weights[0][one] * game.weights[1][two] for one, two in game.pairs if live[0][one] and live[1][two])

    dice = random.Random(seed)
    decisions = [name for name in evaluator.seen if upi.kind(name) in (0, 1)]
    rivers = dice.sample([card for card in DECK if card not in spot.cards], 3)
    chosen = {name for name in decisions if len(evaluator.seen[name][0]) == len(spot.cards) or evaluator.seen[name][0][-1] in rivers}
    expected = {upi.path(name): Expected(game, upi, name, evaluator.seen[name], all_deals) for name in decisions}
    some = dice.sample(sorted(chosen), min(6, len(chosen)))
    for name in some:
        check_decision(check, program, upi, game, file, expected[upi.path(name)])
    check_tree(check, program, file, expected)
    check_runouts(check, program, upi, file, expected)
    check_export(check, program, game, file, expected)
    upi.close()
    return check.count


def check_decision(check: Check, program: Program, upi: Upi, game: Game, file: str, expected: Expected) -> None:
    asked = program.get(f"/solutions/{file}/node", path=expected.path)
    check.document(asked["node"], expected, "api")
    for player, name in enumerate(PLAYERS):
        shown = program.json("show", file, "--node", expected.path, "--player", name, "--all")
        check.document(shown["node"], expected, "show")
        check.held(expected, game, player, [combo["combo"] for combo in shown["combos"]], "show")
        for combo in shown["combos"]:
            actions = {action["name"]: (action["frequency"], action["ev"]) for action in combo.get("actions", [])}
            check.combo(expected, game, player, combo["combo"], {**combo, "actions": actions}, "show")
        check.held(expected, game, player, [row["combo"] for row in asked["combos"][name]], "api")
        for row in asked["combos"][name]:
            names = [action["name"] for action in asked["node"]["actions"]]
            actions = dict(zip(names, zip(row["frequencies"], row["action_evs"])))
            check.combo(expected, game, player, row["combo"], {**row, "actions": actions}, "api")
        weights = upi.of(player, upi.rows(f"show_range {PLAYERS[player].upper()} {expected.name}")[0])
        evs, met = upi.rows(f"calc_ev {name.upper()} {expected.name}")
        equities, _, total = upi.rows(f"calc_eq_node {name.upper()} {expected.name}")
        real = lambda number: None if math.isnan(number) else number
        for hand, weight, ev, matchups, equity, at in zip(game.hands[player], weights, upi.of(player, evs), upi.of(player, met), upi.of(player, equities), range(len(weights))):
            where = ("upi", expected.path, name, hand)
            check.near(weight, expected.weights[player][at], 1e-6, *where, "weight")
            check.near(matchups, expected.weights[player][at] * expected.met[player][at], 1e-6, *where, "matchups")
            if expected.is_met(player, at):
                check.near(real(equity), expected.equities[player][at], CLOSE, *where, "equity")
                check.near(ev + expected.invested[player], expected.evs[player][at], expected.close_to(player, at), *where, "ev")
        check.near(real(total[0]), expected.mean(player, expected.equities[player]), CLOSE, "upi", expected.path, name, "equity of the range")
    check.near(upi.rows(f"calc_global_freq {expected.name}")[0][0], expected.probability, 1e-6, "upi", expected.path, "frequency")


def check_tree(check: Check, program: Program, file: str, expected: dict) -> None:
    for row in program.json("tree", file)["actions"]:
        before = expected[" ".join(row["path"].split(" ")[:-1])]
        action = before.actions.index(row["action"])
        check.same([row["player"], row["unreached"]], [PLAYERS[before.actor], not before.is_reached], "tree", row["path"])
        check.near(row["frequency"], before.frequency(action), CLOSE, "tree", row["path"], "frequency")
        check.near(row["reached"], before.probability * before.frequency(action), CLOSE, "tree", row["path"], "reached")
        if before.frequency(action) > 1e-3:
            check.near(row["ev"], before.action_ev(action), CLOSE * before.pot, "tree", row["path"], "ev")


def check_runouts(check: Check, program: Program, upi: Upi, file: str, expected: dict) -> None:
    for name in [name for name in upi.nodes if upi.kind(name) == "card"][:2]:
        for source, found in (("runouts", program.json("runouts", file, "--node", upi.path(name))), ("api", program.get(f"/solutions/{file}/runouts", path=upi.path(name)))):
            check.same(sorted(row["card"] for row in found["runouts"]), sorted(upi.children(name)), source)
            for row in found["runouts"]:
                if "node" in row:
                    check.document(row["node"], expected[f"{upi.path(name)} | {row['card']} |"], source, row["card"])


def check_export(check: Check, program: Program, game: Game, file: str, expected: dict) -> None:
    lines = [json.loads(line) for line in program.text("export", file, "--equity").splitlines()]
    for line in lines[1:]:
        here = expected[line["path"]]
        check.document(line, here, "export")
        names = [action["name"] for action in line["actions"]]
        for player, name in enumerate(PLAYERS):
            lists = line["ranges"][name]
            check.held(here, game, player, lists["combos"], "export")
            for at, hand in enumerate(lists["combos"]):
                actions = {}
                if player == here.actor:
                    strategy = line["strategy"]
                    actions = {action: (strategy["frequencies"][i][at], strategy["evs"][i][at]) for i, action in enumerate(names)}
                found = {"weight": lists["weights"][at], "ev": lists["evs"][at], "equity": lists["equities"][at], "actions": actions}
                check.combo(here, game, player, hand, found, "export")
    real = lambda text: float(text) if text else None
    rows = list(csv.DictReader(io.StringIO(program.text("export", file, "--equity", "--format", "csv"))))
    # A row for each action of each hand that the JSON lines have.
    actors = [(line, line["ranges"][line["player"]]["combos"]) for line in lines[1:]]
    check.same(len(rows), sum(len(line["actions"]) * len(hands) for line, hands in actors), "csv")
    for row in rows:
        here = expected[row["node"]]
        found = {"weight": real(row["reach"]), "ev": real(row["ev"]), "equity": real(row["equity"])}
        found["actions"] = {row["action"]: (real(row["frequency"]), real(row["action_ev"]))}
        check.combo(here, game, here.actor, row["combo"], found, "csv")


def main(equipoise: str, num_spots: int, first_seed: int) -> int:
    began, count = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(equipoise, folder)
        try:
            for seed in range(first_seed, first_seed + num_spots):
                count += check_spot(program, seed)
                if sys.stderr.isatty():
                    print(f"\r{seed + 1 - first_seed} of {num_spots} spots", end="", file=sys.stderr)
        finally:
            program.close()
    print(f"{count} numbers of {num_spots} spots agree, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    arguments = [int(text) for text in sys.argv[2:4]]
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve()), *(arguments + [24, 0][len(arguments) :])))
