"""ICM, jam or fold, hand histories, blueprints."""

import pickle

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
