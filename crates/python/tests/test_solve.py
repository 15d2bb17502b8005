"""Spots, solves, walks, locks and files; the numbers are those of the README."""

import pickle
import threading

import numpy as np
import pytest

import equipoise as eq

SPOT = dict(oop="66+,A8s+,KQo", ip="QQ-22,AQs-A2s", board="Td9d6hQc", pot=200, stack=900)
SMALL = dict(oop="AA,QQ,JTs", ip="KK,AQs", board="Qd9d6h3c", pot=100, stack=150, preset="simple")


def test_the_spot_of_the_readme(turn):
    root = turn.root
    assert turn.iterations == 206 and turn.exploitability == pytest.approx(0.0960, abs=5e-5) and turn.converged
    assert root.player == "oop" and root.pot == 200 and root.stacks == {"oop": 900, "ip": 900}
    assert root.actions == ("check", "bet:120", "bet:216", "allin")
    assert root.frequencies == pytest.approx([0.95103, 0.04226, 0.00671, 0], abs=6e-6)
    assert root.ev == pytest.approx({"oop": 91.9, "ip": 108.1}, abs=0.05)
    assert root.range_equity("oop") == pytest.approx(0.53060, abs=5e-6)
    assert len(root.combos) == 167 and root.strategy.shape == (167, 4) == root.action_evs.shape


def test_arrays_agree_with_each_other(turn):
    root = turn.root
    assert root.combos.dtype == np.uint16 and root.strategy.dtype == np.float32
    assert root.strategy.sum(axis=1) == pytest.approx(1, abs=1e-6)
    weights, evs = root.weights("oop"), root.evs("oop")
    assert weights.shape == evs.shape == (1326,) and (np.flatnonzero(weights) == root.combos).all()
    mixed = (root.strategy * root.action_evs).sum(axis=1)
    assert mixed == pytest.approx(evs[root.combos], abs=1e-3)
    assert root.range("oop") == turn.spot.oop
    after = root["check"]
    assert after.range("ip") == turn.spot.ip
    assert after.weights("oop")[root.combos] == pytest.approx(root.strategy[:, 0], abs=1e-6)


def test_paths_and_keys_lead_to_the_same_node(turn):
    by_keys = turn.root["check"]["bet:120"]["call"].deal("7s")
    by_path = turn["check bet:120 call | 7s |"]
    assert by_keys.path == by_path.path and by_keys.board == "Td9d6hQc7s" and by_keys.street == "river"
    assert (by_keys.strategy == by_path.strategy).all()
    chance = turn["check check"]
    assert chance.kind == "chance" and chance.player is None and chance.actions == ()
    assert sum(chance.ev.values()) == pytest.approx(200, abs=0.05)
    assert turn["check bet:120 fold"].kind == "end" and turn["check bet:120 fold"].ev["ip"] == pytest.approx(320)
    assert sum(count for _, count in chance.next_cards()) == 48 == len(chance.next_cards(all_cards=True))
    table = chance.runouts()
    assert table.num_rows == 48 and set(table) >= {"card", "oop_ev", "ip_equity", "check"}


def test_walks_visit_each_decision_once(turn):
    nodes = list(turn.walk(until="turn"))
    assert len({node.path for node in nodes}) == len(nodes) and all(node.street == "turn" for node in nodes)
    assert nodes[0].path == "" and "check" in {node.path for node in nodes}
    some = {node.path for node in turn.walk(until="turn", min_probability=0.05)}
    assert some == {node.path for node in nodes if node.probability >= 0.05}
    rivers = list(turn.walk(start="check check", min_probability=0.2))
    assert rivers and {node.street for node in rivers} == {"river"}


def test_tables(turn):
    columns = turn.root.columns()
    assert list(columns) == ["node", "board", "num_runouts", "probability", "player", "pot", "action", "chips", "combo",
                             "reach", "equity", "ev", "frequency", "action_ev"]
    assert columns.num_rows == 4 * 167
    polars = pytest.importorskip("polars")
    frame = turn.root.to_polars()
    shares = frame.filter(polars.col("combo") == "AhAd")["frequency"].sum()
    assert frame.shape == (668, 14) and shares == pytest.approx(1, abs=1e-6)
    pytest.importorskip("pandas")
    assert turn.root.to_pandas().shape == (668, 14)


def test_parquet_has_the_same_numbers(turn, tmp_path):
    polars = pytest.importorskip("polars")
    decisions, rows = turn.to_parquet(tmp_path / "x.parquet", until="turn")
    table = polars.read_parquet(tmp_path / "x.parquet")
    assert table.height == rows and table["node"].n_unique() == decisions == len(list(turn.walk(until="turn")))
    ours = turn["check"].columns()
    theirs = table.filter(polars.col("node") == "check")
    for name in ["frequency", "ev", "equity", "reach", "action_ev"]:
        assert np.allclose(ours[name], theirs[name].to_numpy(), atol=1e-6, equal_nan=True), name


def test_locks(turn):
    spot = turn.spot
    folds = spot.lock("check bet:120", {"all": {"fold": 1.0}})
    solved = folds.solve(target=0.1, start=turn)
    assert solved["check bet:120"].frequencies == pytest.approx([1, 0, 0], abs=1e-6)
    assert solved.root.ev["ip"] > turn.root.ev["ip"] + 1
    # The same lock by an array; combos whose rows are nan are solved.
    array = np.full((1326, 3), np.nan)
    array[turn["check bet:120"].combos] = [1, 0, 0]
    again = spot.lock("check bet:120", array).solve(target=0.1)
    assert again.root.ev["ip"] == pytest.approx(solved.root.ev["ip"], abs=0.5)
    some = spot.lock("", {"AKs": {"check": 0.5, "bet:120": 0.5}, "QQ+": {"check": 1.0}})
    root = some.solve(iterations=20).root
    row = list(root.combos).index(int(eq.combos("AhKh")))
    assert root.strategy[row] == pytest.approx([0.5, 0.5, 0, 0], abs=1e-4)
    river = spot.lock("check check | 7s |", {"all": {"check": 1.0}})
    assert river.num_locks == 1 and "runout" in river.to_toml()
    for path, lock, words in [
        ("chek", {"all": {"check": 1}}, "chek"),
        ("check", {"all": {"bet:121": 1}}, "not possible"),
        ("check", {"all": {"check": 0.4}}, "sum to"),
        ("", {"72o": {"check": 1}}, "none of its combos"),
        ("", {}, "must say something"),
        ("", np.zeros((1326, 2)), r"shape \(1326, 4\)"),
        ("", "fold", "array of numbers"),
    ]:
        with pytest.raises(eq.EquipoiseError, match=words):
            spot.lock(path, lock)


def test_files(turn, tmp_path):
    path = tmp_path / "x.eqp"
    assert turn.save(path) == path.stat().st_size
    loaded = eq.load(path)
    assert loaded.exploitability == pytest.approx(turn.exploitability) and loaded.contents == "full" and loaded.spot == turn.spot
    assert (loaded.root.strategy == turn.root.strategy).all()
    assert (loaded["check check | 7s |"].strategy == turn["check check | 7s |"].strategy).all()
    assert (pickle.loads(pickle.dumps(loaded)).root.strategy == turn.root.strategy).all()
    loaded.save(tmp_path / "copy.eqp")
    assert (tmp_path / "copy.eqp").read_bytes() == path.read_bytes()
    with pytest.raises(eq.FileError, match="keeps 'full'"):
        loaded.save(tmp_path / "y.eqp", contents="no-river")
    turn.save(tmp_path / "small.eqp", contents="no-river")
    small = eq.load(tmp_path / "small.eqp")["check check | 7s |"]
    assert small.resolved is not None and small.frequencies == pytest.approx(
        turn["check check | 7s |"].frequencies, abs=0.05
    )
    with pytest.raises(TypeError, match="save it"):
        pickle.dumps(turn)
    for wrong in [tmp_path / "none.eqp", tmp_path]:
        with pytest.raises(eq.FileError):
            eq.load(wrong)
    (tmp_path / "bad.eqp").write_bytes(path.read_bytes()[:1000])
    with pytest.raises(OSError):
        eq.load(tmp_path / "bad.eqp")


def test_resuming_gives_the_answer_of_a_solve_without_interruption(tmp_path):
    spot = eq.Spot(**SMALL)
    whole = spot.solve(target=0.001, iterations=400)
    solver = spot.solver()
    solver.run(iterations=10)
    solver.save(tmp_path / "part.eqp")
    resumed = eq.resume(tmp_path / "part.eqp", target=0.001)
    assert resumed.iterations == whole.iterations and (resumed.root.strategy == whole.root.strategy).all()


def test_solvers_run_by_hand():
    solver = eq.Spot(**SMALL).solver()
    assert solver.iterations == 0 and solver.exploitability > 1
    assert solver.run(iterations=50) == "max_iterations" and solver.iterations == 50
    early = solver.solution()
    assert solver.run(target=0.01) == "converged" and solver.exploitability <= 0.01
    assert early.iterations == 50 and solver.solution().exploitability <= 0.01 < early.exploitability
    assert solver.history["exploitability_pct"][-1] <= 0.01 and "iterations" in repr(solver)
    assert "<svg" in str(solver.solution().plot_convergence())


def test_progress_is_told_and_exceptions_come_through():
    seen = []
    eq.Spot(**SPOT, preset="simple").solve(target=0.05, progress=seen.append)
    assert all(set(state) >= {"iteration", "fraction", "exploitability_pct", "seconds"} for state in seen)
    assert [state["iteration"] for state in seen] == sorted(state["iteration"] for state in seen)

    class Mine(Exception):
        pass

    def stop(state):
        raise Mine(state["iteration"])

    solver = eq.Spot(**SPOT, preset="wide").solver(target=0.0, iterations=100_000)
    with pytest.raises(Mine):
        solver.run(progress=stop)
    done = solver.iterations  # It waits for the iteration that was on its way.
    assert 0 < done < 100_000 and solver.run(iterations=1) == "max_iterations" and solver.iterations == done + 1


def test_the_answer_does_not_depend_on_threads():
    one, two = (eq.Spot(**SMALL).solve(iterations=30, target=0, threads=threads) for threads in (1, 2))
    assert (one.root.strategy == two.root.strategy).all() and one.exploitability == two.exploitability


def test_spots_are_their_text(tmp_path):
    spot = eq.Spot(**SPOT, bets={"turn": "60%, e, a", "river": {"oop_bet": "60%, a", "oop_donk": "50%"}}, target=0.2)
    (tmp_path / "spot.toml").write_text(spot.to_toml())
    assert eq.Spot.read(tmp_path / "spot.toml") == spot == pickle.loads(pickle.dumps(spot))
    assert spot.street == "turn" and spot.target == 0.2 and spot.oop == eq.Range(SPOT["oop"]).without(SPOT["board"])
    assert spot.memory("16bit") < spot.memory("32bit") == spot.memory()
    arrays = eq.Spot(**{**SPOT, "oop": eq.Range(SPOT["oop"]).weights, "board": eq.cards(SPOT["board"])}, preset="simple")
    assert arrays.oop == spot.oop
    assert eq.Spot(**{**SPOT, "pot": "5.5bb", "stack": "97.5bb"}).pot == 550


@pytest.mark.parametrize(
    "change, words",
    [
        ({"oop": "QQ+,AKx"}, "unexpected 'x'"),
        ({"pot": 0}, "starting_pot"),
        ({"pot": 1.5}, "starting_pot"),
        ({"stack": -1}, "effective_stack"),
        ({"board": "Td9d"}, "3, 4 or 5 cards"),
        ({"board": "Td9d9d"}, "there twice"),
        ({"bets": {"trun": "60%"}}, "did you mean `turn`"),
        ({"bets": {"turn": "60x%"}}, "bet_sizes"),
        ({"bets": {"turn": 60}}, "text or a dictionary"),
        ({"preset": "simpel"}, "simple"),
        ({"rake_rate": float("nan")}, "rake"),
        ({"algorithm": "dfcr"}, "dcfr"),
        ({"solver": {"quantisation": "8bit"}}, "quantization"),
        ({"solver": {"x": object()}}, "cannot stand in a spot"),
        ({"target": -1}, "target"),
        ({"storage": "12bit"}, "12bit"),
    ],
)
def test_nonsense_is_refused_with_its_place(change, words):
    with pytest.raises(eq.EquipoiseError, match=words):
        eq.Spot(**{**SPOT, **change})


def test_what_cannot_be_read_is_said(turn):
    for path, words in [("chek", "chek"), ("check | 7x |", "no card"), ("check check | Td |", "has been dealt"),
                        ("check bet:121", "bet:121")]:
        with pytest.raises(eq.SpotError, match=words):
            turn[path]
    with pytest.raises(eq.SpotError, match="possible: check, bet:120"):
        turn.root["fold"]
    with pytest.raises(eq.SpotError, match="a card comes"):
        turn["check check"].strategy
    with pytest.raises(eq.SpotError):
        turn.root.deal("7s")
    with pytest.raises(eq.EquipoiseError):
        turn.root.weights("utg")
    with pytest.raises(eq.EquipoiseError):
        next(turn.walk(until="preflop"))


def test_what_does_not_fit_is_refused_with_advice():
    spot = eq.Spot(**SPOT, preset="wide")
    with pytest.raises(eq.TooLarge) as error:
        spot.solve(memory_limit="1M")
    assert isinstance(error.value, MemoryError) and error.value.needed > error.value.limit == 1 << 20
    assert error.value.advice
    with pytest.raises(eq.EquipoiseError):
        spot.solve(memory_limit="lots")
    with pytest.raises(eq.EquipoiseError):
        spot.solve(target=float("nan"))


def test_eight_threads_read_one_solution(turn):
    paths = [node.path for node in turn.walk(until="turn")] * 4 + [f"check check | {card} |" for card in ("7s", "2h", "Ah")]
    expected = {path: turn[path].strategy for path in set(paths)}
    wrong = []

    def read(first):
        for path in paths[first::8] + paths:
            if not (turn[path].strategy == expected[path]).all():
                wrong.append(path)

    threads = [threading.Thread(target=read, args=(first,)) for first in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not wrong


def test_pictures(turn):
    svg = str(turn.root.plot())
    assert svg.startswith("<svg") and "#088562" in svg  # The page's colour of a check.
    assert "mean" in str(turn.root.plot_equity())
    assert "<img" in turn.root._repr_html_() and "<img" in turn._repr_html_()
    assert "a card comes" in turn["check check"]._repr_html_()
