"""ICM, jam or fold, hand histories, blueprints."""

import pickle
import signal
import subprocess
import sys

import numpy as np
import pytest

import equipoise as eq


def test_icm_has_the_fractions_of_the_model():
    found = eq.icm([5000, 3000, 2000], [50, 30, 20])
    assert found.equities == pytest.approx([1075 / 28, 131 / 4, 202 / 7])
    assert np.isnan(np.diag(found.bubble_factors)).all() and (found.risk_premiums[0, 1:] > 0).all()
    assert eq.icm(np.array([1, 1]), [1]).equities == pytest.approx([0.5, 0.5])
    for stacks, payouts in [([1], [1]), ([1, 2], []), ([1, -2], [1]), ([1, 2], [1, 2]), ([0, 0], [1]), ("ab", [1]),
                            ([1, float("nan")], [1]), ([[1, 2]], [1]), ([1] * 21, [1])]:
        with pytest.raises(eq.EquipoiseError):
            eq.icm(stacks, payouts)


def test_jam_or_fold_at_ten_big_blinds():
    found = eq.push_fold(10)
    assert found.ev[0] == pytest.approx(-0.045371, abs=1e-6) and max(found.gains) < 1e-6
    assert found.jam.shape == (13, 13) and found.jam[0, 0] == pytest.approx(1)
    assert found.jam_range["AhAd"] == pytest.approx(1) and "<svg" in str(found.plot())
    tight = eq.push_fold(10, blinds=(0.5, 1), payouts=[50, 50], others=[10])
    assert tight.call_share < found.call_share
    for call in [lambda: eq.push_fold(-1), lambda: eq.push_fold([1, 2, 3]), lambda: eq.push_fold(10, others=[3]),
                 lambda: eq.push_fold(float("nan")), lambda: eq.push_fold("x"), lambda: eq.push_fold(10, blinds=(1,)),
                 lambda: eq.push_fold(10, payouts=[])]:
        with pytest.raises(eq.EquipoiseError):
            call()


def test_a_chart_of_stacks():
    chart = eq.push_fold_chart(1, 10, step=0.5)
    assert chart.stacks.num_rows == 19 and chart.jam[0, 0] == 10 and chart.stacks["exploitability_bb"].max() < 1e-6
    at_ten = eq.push_fold(10)
    assert chart.stacks["sb_ev_bb"][-1] == pytest.approx(at_ten.ev[0]) and ((chart.jam == 10) == (at_ten.jam >= 0.5)).all()
    assert not chart.jam_is_monotone[8, 11] and np.isnan(eq.push_fold_chart(20, 20).call).any()
    for call in [lambda: eq.push_fold_chart(5, 1), lambda: eq.push_fold_chart(1, 5, step=0), lambda: eq.push_fold_chart(1, "x"),
                 lambda: eq.push_fold_chart(1, float("nan")), lambda: eq.push_fold_chart(1, 1e9)]:
        with pytest.raises(eq.EquipoiseError):
            call()


def test_jam_or_fold_at_a_table(tmp_path):
    table = eq.push_fold_table(10, boards=400, deals=100_000, seed=1)
    assert table.names == ("BTN", "SB", "BB") and len(table.decisions) == 6 and table.converged
    # Chips are neither made nor lost but for how three hands rank, which is sampled.
    assert table.epsilon == max(table.gains) < 2e-4 and sum(table.ev) == pytest.approx(0, abs=1e-4)
    for ev, seat in zip(table.ev, table.played):
        assert abs(seat.ev - ev) < 4 * seat.std_error + 0.02 and seat.real_gain[0] <= seat.real_gain[1]
    first = table["BTN"]
    assert first.reach == pytest.approx(1) and first.range["AhAd"] == pytest.approx(1) and 0.2 < first.share < 0.6
    assert table["BB", "SB", "BTN"].share < table["BB", "BTN"].share < table["BB", "SB"].share
    # A fold on the button leaves the two blinds their own game, but that what was folded is weak: the big blind holds more.
    assert eq.push_fold(10).jam_share - 0.05 < table["SB"].share < eq.push_fold(10).jam_share
    assert "<svg" in str(table.plot()) and "epsilon" in repr(table)

    prizes = eq.push_fold_table([3000, 2500, 1800], blinds=(50, 100), payouts=[50, 30, 20], boards=400, target=1e-2)
    assert sum(prizes.ev) == pytest.approx(100, abs=0.01) and prizes["BTN"].share < first.share

    made = tmp_path / "three-way.bin"
    std_error = eq.make_three_way_table(made, boards=400)
    read = eq.push_fold_table(10, table=made, threads=1)
    assert read.std_error == std_error == table.std_error and (read.ev == table.ev).all() and read.played is None

    made.write_bytes(made.read_bytes()[:1000])
    for call in [lambda: eq.push_fold_table(10, players=2), lambda: eq.push_fold_table([10, 10]), lambda: eq.push_fold_table(10, players=10),
                 lambda: eq.push_fold_table([10, 10, 10], players=3), lambda: eq.push_fold_table(-1), lambda: eq.push_fold_table(10, others=[3]),
                 lambda: eq.push_fold_table(10, table=made), lambda: eq.push_fold_table(10, table=tmp_path / "none"),
                 lambda: eq.push_fold_table(10, target=0), lambda: eq.push_fold_table(10, blinds=(1, 2, 3)), lambda: table["UTG"],
                 lambda: eq.make_three_way_table(tmp_path / "no" / "folder", boards=2)]:
        with pytest.raises(eq.EquipoiseError):
            call()


@pytest.fixture(scope="module")
def buckets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("buckets")
    streets = {"flop": ("percentile", 8), "turn": ("percentile", 8), "river": ("percentile", 8)}
    eq.Abstraction.build(streets, samples=2000, seed=3).save(folder)
    return folder


GAME = """stack = 500
[betting]
preset = "A"
[buckets.flop]
view = "texture"
"""


def test_a_blueprint_from_training_to_a_match(buckets, tmp_path):
    told = []
    short, rows = eq.Blueprint.train(GAME, tmp_path / "short.eqb", buckets=buckets, boards=64, seed=1, flops=0, progress=told.append)
    assert rows["boards"].tolist()[-1] == 64 and told[-1]["fraction"] <= 1
    long, rows = eq.Blueprint.train(GAME, tmp_path / "long.eqb", buckets=buckets, boards=1040, seed=1, flops=2, threads=2)
    assert rows["boards"][-1] == 1040 and long.exploitability_mbb == np.nanmin(rows["exploitability_mbb"]) > 0
    # The same bytes in two parts and at another number of threads.
    eq.Blueprint.train(GAME, tmp_path / "parts.eqb", buckets=buckets, boards=512, seed=1, flops=2, threads=1)
    eq.Blueprint.train(GAME, tmp_path / "parts.eqb", buckets=buckets, boards=1040, seed=1, flops=2, threads=1, resume=True)
    assert (tmp_path / "parts.eqb").read_bytes() == (tmp_path / "long.eqb").read_bytes()

    measured = [one.exploit(buckets=buckets, flops=3, seed=7, folder=tmp_path / "flops") for one in (short, long)]
    assert measured[1].estimate < measured[0].estimate and not measured[0].is_exact and measured[0].flops == 3
    assert measured[1] == long.exploit(buckets=buckets, flops=3, seed=7, folder=tmp_path / "flops")
    won, lost = long.play(short, buckets=buckets, boards=256, seed=5), short.play(long, buckets=buckets, boards=256, seed=5)
    assert won.mean == pytest.approx(-lost.mean, abs=0.01) and won.interval[0] < won.mean < won.interval[1]
    assert long.play(long, buckets=buckets, boards=64).mean == pytest.approx(0, abs=0.01)

    found = long.lbr(buckets=buckets, menu="fc", streets=(4, 4), hands=512, seed=3)
    assert found == long.lbr(buckets=buckets, menu="fc", streets=(4, 4), hands=512, seed=3, threads=1) and found.hands == 512
    assert found.std_error > 0 and found != long.lbr(buckets=buckets, streets=(3, 4), hands=512, seed=3)

    first = long.chart(buckets=buckets, flops=2)[0]
    node = long.at("", buckets=buckets)
    assert first.line == "" and first.player == node.player == "sb" and first.actions == node.actions
    aces = eq.combos(["AhAd"])[0]
    assert first.strategy[0, 0] == pytest.approx(node.strategy[aces]) and first.range(first.actions[-1]).total > 0

    # After the flop hands are told apart by texture too, which is in the buckets' numbers.
    call = long.at("c x | Td9d6h", buckets=buckets)
    assert call.player == "bb" and call.strategy.sum(axis=1) == pytest.approx(1) and pickle.loads(pickle.dumps(long)).header == long.header
    other = tmp_path / "other"
    eq.Abstraction.build({street: ("percentile", 5) for street in ("flop", "turn", "river")}, samples=1000, seed=4).save(other)
    for call in [lambda: long.at("c x | Td9d6h"), lambda: long.at("c x | Td9d6h", buckets=other), lambda: long.at("r99"),
                 lambda: long.exploit(buckets=other, flops=1), lambda: long.exploit(buckets=tmp_path / "none", flops=1),
                 lambda: long.play("x", buckets=buckets), lambda: long.play(long, buckets=buckets, boards=31), lambda: first.range("r99"),
                 lambda: long.lbr(buckets=buckets, menu="all"), lambda: long.lbr(buckets=buckets, streets=(4, 3)),
                 lambda: long.lbr(buckets=buckets, streets=(0, 4)), lambda: long.lbr(buckets=buckets, streets=3),
                 lambda: long.lbr(buckets=buckets, hands=3), lambda: long.lbr(buckets=other, hands=16),
                 lambda: eq.Blueprint.train("E-20", tmp_path / "x.eqb", buckets=buckets, boards=16),
                 lambda: eq.Blueprint.train(GAME, tmp_path / "x.eqb", buckets=tmp_path / "none", boards=16),
                 lambda: eq.Blueprint.train(GAME, tmp_path / "new.eqb", buckets=buckets, boards=16, resume=True),
                 lambda: eq.Blueprint.train(GAME, tmp_path / "x.eqb", buckets=buckets, minutes=-1)]:
        with pytest.raises(eq.EquipoiseError):
            call()
    with pytest.raises(eq.TooLarge) as refused:
        eq.Blueprint.train(GAME, tmp_path / "x.eqb", buckets=buckets, boards=16, memory_limit=1000)
    assert refused.value.needed > refused.value.limit == 1000


def test_control_c_keeps_a_training(buckets, tmp_path):
    """The interpreter ends only after the state is saved, and the training goes on from there."""
    program = f"""
import equipoise as eq
def told(state):
    if state["boards"] >= 48:
        print(state["boards"], flush=True)
eq.Blueprint.train({GAME!r}, {str(tmp_path / "x.eqb")!r}, buckets={str(buckets)!r}, minutes=60, flops=0, seed=1, progress=told)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert int(child.stdout.readline()) >= 48, child.stderr.read()
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert "Interrupted" in errors, errors
    _, rows = eq.Blueprint.train(GAME, tmp_path / "x.eqb", buckets=buckets, boards=100_000, minutes=0.001, flops=0, seed=1, resume=True)
    assert rows["boards"][-1] >= 48


def test_a_chart_before_the_flop():
    chart = eq.preflop(5, flops=["As7d2c", "Td9d6h:12"], boards=128, strengths=4, threads=1)
    assert chart.boards == 128 and chart.exploitability_mbb > 0 and chart.memory_bytes > 0
    first = chart[""]
    assert first.player == "sb" and first.strategy.sum(axis=2) == pytest.approx(1) and (first.reach == 1).all()
    raised = chart["a"]
    assert raised.player == "bb" and raised.actions == ("f", "c") and raised.evs[0, 0, 1] > raised.evs[0, 0, 0]
    assert raised.range("c")["AhAd"] > 0.9
    for call in [lambda: chart["r99"], lambda: eq.preflop(1), lambda: eq.preflop(5, menu="E"), lambda: eq.preflop(5, flops=["AsAs2c"], boards=16),
                 lambda: eq.preflop(5, flops=[], boards=16), lambda: eq.preflop(5, minutes=float("nan")), lambda: eq.preflop(5, target=-1),
                 lambda: eq.preflop(5, strengths=0), lambda: eq.preflop(5, flops="26")]:
        with pytest.raises(eq.EquipoiseError):
            call()
    with pytest.raises(eq.TooLarge):
        eq.preflop(20, flops=["As7d2c"], boards=16, memory_limit=1)


STATE = "MATCHSTATE:0:0:cr200c/cc/cc/cc:AhKd|QcQs/Td9d6h/2c/3c"


def test_histories():
    hand = eq.read_hands(STATE)[0]
    assert [street["pot"] for street in hand.streets] == [150, 400, 400, 400]
    assert sum(hand.winnings) == 0 and hand.to_dict()["is_over"]
    again = eq.read_hands(hand.write("phh"))[0]
    assert again.winnings == hand.winnings and pickle.loads(pickle.dumps(hand)).winnings == hand.winnings
    for text in ["nonsense", STATE.replace("cr200c", "cr2c"), 3]:
        with pytest.raises(eq.EquipoiseError):
            eq.read_hands(text)
    assert eq.read_hands(STATE + "\n" + STATE.replace("cr200c", "cr2c"), skip_wrong=True)
    with pytest.raises(eq.EquipoiseError):
        hand.write("pdf")


def test_what_is_no_blueprint_is_refused(tmp_path):
    with pytest.raises(eq.FileError):
        eq.Blueprint(tmp_path / "none.eqb")
    (tmp_path / "x.eqb").write_bytes(b"EQPBLUE" * 100)
    with pytest.raises(eq.FileError):
        eq.Blueprint(tmp_path / "x.eqb")
