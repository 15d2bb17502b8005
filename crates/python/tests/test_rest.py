"""Batches, features, buckets and CFR games."""

import pickle

import numpy as np
import pytest

import equipoise as eq

SPOT = dict(oop="QQ+,AKs", ip="JJ-99,AQs", board="As7d2c", pot=200, stack=300, bets={"flop": "50%"})


def test_a_batch_runs_reports_and_goes_on(tmp_path):
    spot = eq.Spot(**SPOT, target=2.0)
    plan = eq.Plan(spot, flops=["As7d2c", "Td9d6h", "KsKh2s"], save="no-turn", names=["srp"])
    assert pickle.loads(pickle.dumps(plan)) == plan and eq.Plan.of_text(plan.to_toml()).jobs["id"].tolist() == plan.jobs["id"].tolist()
    assert plan.jobs.num_rows == 3 and (plan.jobs["memory_bytes"] > 0).all()
    seen = []
    batch = plan.run(tmp_path / "batch", threads=2, progress=seen.append)
    assert [job.state for job in batch] == ["done"] * 3 and seen[-1]["jobs"] == 3
    again = plan.run(tmp_path / "batch")
    assert len(again) == 3 and "3 of 3" in repr(again)
    solution = batch[0].solution()
    assert solution.contents == "no-turn" and solution.root.board == "As7d2c"
    flops = batch.report(by="flop")
    assert flops.num_rows == 3 and flops["oop_ev"][0] == pytest.approx(solution.root.ev["oop"], abs=1e-3)
    assert batch.report(by="suits")["group"].tolist() and batch.report(by="texture").num_rows > 3
    with pytest.raises(eq.EquipoiseError, match="grouped by"):
        batch.report(by="colour")
    with pytest.raises(eq.FileError, match="no batch"):
        eq.Batch(tmp_path / "none")


def test_plans_are_checked():
    spot = eq.Spot(**SPOT)
    assert len(eq.Plan(spot, flops="49")) == 49
    for flops in ["50", [], ["As7d"], ["As7d2c", "As7d2c"]]:
        with pytest.raises(eq.EquipoiseError):
            eq.Plan(spot, flops=flops)
    with pytest.raises(eq.EquipoiseError):
        eq.Plan(spot, save="everything")
    with pytest.raises(eq.EquipoiseError):
        eq.Plan()


def test_features_are_those_of_the_command():
    found = eq.features("AhKh", "QsJh2h", ["equity", "ehs2", "hs", "ppot", "npot"])
    assert found[0] == pytest.approx(0.76261, abs=5e-6)
    hands = eq.deal(30, 7, seed=6)
    rows = eq.features(hands[:, :2], hands[:, 2:], ["equity", "hs", "histogram", "ochs"])
    assert rows.shape == (30, 60) and (rows[:, 0] == rows[:, 1]).all()
    assert rows[:, 2:52].sum(axis=1) == pytest.approx(1)
    # The equity against a random hand, counted otherwise.
    assert found[0] == pytest.approx(eq.equity("AhKh", "random", board="QsJh2h").equity[0], abs=1e-9)
    for call in [
        lambda: eq.features("AhKh", "QsJh2h", ["luck"]),
        lambda: eq.features("AhKh", "AhJh2h"),
        lambda: eq.features("AhKh", "QsJh2h", []),
        lambda: eq.features(hands[:4, :2], hands[:3, 2:]),
    ]:
        with pytest.raises(eq.EquipoiseError):
            call()
    assert "<svg" in str(eq.plot_distribution("AhKh", "QsJh2h"))


def test_nothing_there_is_an_error(tmp_path):
    with pytest.raises(eq.FileError):
        eq.Abstraction.load(tmp_path)
    with pytest.raises(eq.EquipoiseError):
        eq.Abstraction.build({"flop": ("emd", 10)})
    with pytest.raises(eq.EquipoiseError, match="luck"):
        eq.Abstraction.build({"flop": ("luck", 10), "turn": ("emd", 10), "river": ("equity", 10)})


def test_kuhn_and_leduc_have_their_published_values():
    for tree, value in [(eq.cfr.kuhn(), -1 / 18), (eq.cfr.leduc(), -0.085606424078)]:
        trainer = eq.cfr.Trainer(tree, "dcfr")
        trainer.run(600, every=200)
        assert trainer.evs()[0] == pytest.approx(value, abs=2e-3) and trainer.exploitability() < 1e-2
        assert len(trainer.history) == 3 and "<svg" in str(trainer.plot_convergence())
        strategy = trainer.average_strategy()
        assert tree.exploitability(strategy) == pytest.approx(trainer.exploitability())
        assert set(strategy) == set(tree.infosets)


class Kuhn(eq.cfr.Game):
    """Kuhn poker by its rules: two of three cards, then pass and bet."""

    DEALS = [(a, b) for a in range(3) for b in range(3) if a != b]

    def root(self):
        return None

    def turn(self, state):
        if state is None:
            return eq.cfr.chance([1 / 6] * 6)
        cards, actions = state
        if actions in ("pp", "bb", "pbb"):
            return eq.cfr.end((1 if actions == "pp" else 2) * (1 if cards[0] > cards[1] else -1))
        if actions in ("bp", "pbp"):
            return eq.cfr.end(1 if actions == "bp" else -1)
        player = len(actions) % 2
        return eq.cfr.decision(player, f"{player}:{cards[player]}{actions}", 2)

    def next(self, state, action):
        return (self.DEALS[action], "") if state is None else (state[0], state[1] + "pb"[action])


def test_rules_in_python():
    tree = eq.cfr.compile(Kuhn())
    assert tree.num_nodes == 55 and len(tree.infosets) == 12 == len(eq.cfr.kuhn().infosets)
    trainer = eq.cfr.Trainer(tree, "cfr+")
    seen = []
    trainer.run(400, every=100, callback=lambda trainer: seen.append(trainer.iterations))
    assert seen == [100, 200, 300, 400] and trainer.evs()[0] == pytest.approx(-1 / 18, abs=1e-3)
    uniform = {name: np.full(actions, 1 / actions) for name, (_, actions) in tree.infosets.items()}
    assert tree.evs(uniform)[0] == pytest.approx(0.125) and tree.exploitability(uniform) == pytest.approx(0.4583333)


def test_rules_that_make_no_sense_are_refused():
    class Broken(eq.cfr.Game):
        def __init__(self, *turns):
            self.turns = turns

        def root(self):
            return 0

        def turn(self, state):
            return self.turns[min(state, len(self.turns) - 1)]

        def next(self, state, action):
            return state + 1

    end = eq.cfr.end(0)
    for game, words in [
        (Broken(eq.cfr.chance([0.5, 0.4]), end), "sum to 0.9"),
        (Broken(eq.cfr.end(float("inf"))), "payoff"),
        (Broken(eq.cfr.decision(0, "a", 2), eq.cfr.decision(1, "a", 2), end), "differs between its nodes"),
        (Broken(eq.cfr.decision(0, "a", 2)), "more than"),
        (Broken("nonsense"), "must return"),
    ]:
        with pytest.raises(eq.EquipoiseError, match=words):
            eq.cfr.compile(game, max_nodes=100)
    for wrong in [lambda: eq.cfr.decision(2, "a", 2), lambda: eq.cfr.decision(0, "a", 0), lambda: eq.cfr.end("x"),
                  lambda: eq.cfr.Trainer(eq.cfr.kuhn(), "magic"), lambda: eq.cfr.kuhn().evs({})]:
        with pytest.raises(eq.EquipoiseError):
            wrong()


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_games_of_open_spiel(name):
    pyspiel = pytest.importorskip("pyspiel")
    tree = eq.cfr.compile(eq.cfr.from_open_spiel(pyspiel.load_game(name)))
    trainer = eq.cfr.Trainer(tree)
    trainer.run(500)
    expected = {"kuhn_poker": -1 / 18, "leduc_poker": -0.085606424078}[name]
    assert trainer.evs()[0] == pytest.approx(expected, abs=2e-3)
