"""Equities, against published numbers and against each other."""

import numpy as np
import pytest

import equipoise as eq


def test_two_pairs_and_three_ranges():
    e = eq.equity("AhAd", "KcKs")
    assert e.is_exact and e.deals == 1_712_304
    assert e.equity == pytest.approx([0.81255, 0.18745], abs=5e-6)
    assert e.win == pytest.approx([0.81065, 0.18554], abs=5e-6) and e.tie == pytest.approx([0.00382] * 2, abs=5e-6)
    e = eq.equity("QQ+,AK", "JJ,TT,AQs", "98s,87s", exact=True)
    assert e.equity == pytest.approx([0.51510, 0.28277, 0.20214], abs=6e-6) and e.deals == 5_526_880_128


def test_arrays_are_as_good_as_text():
    text = eq.equity("QQ+,AKs:0.5", "TT+,AQs", board="Td9d6h", dead="Jc")
    arrays = eq.equity(
        eq.Range("QQ+,AKs:0.5").weights, eq.Range("TT+,AQs"), board=eq.cards("Td9d6h"), dead=[eq.cards("Jc")[0]]
    )
    assert (text.equity == arrays.equity).all()


def test_combos_sum_to_the_range():
    e = eq.equity("QQ+,AKs:0.5", "TT+,AQs", board="Td9d6h")
    table = e.by_combo(0)
    held = eq.Range("QQ+,AKs:0.5").without("Td9d6h").weights > 0
    assert (np.isfinite(table) == held).all()
    assert table[held].min() <= e.equity[0] <= table[held].max()


def test_sampling_is_the_same_at_any_number_of_threads():
    one = eq.equity("random", "random", "random", samples=200_000, seed=3, threads=1)
    two = eq.equity("random", "random", "random", samples=200_000, seed=3, threads=2)
    assert (one.equity == two.equity).all() and not one.is_exact
    assert one.equity.sum() == pytest.approx(1) and (np.abs(one.equity - 1 / 3) < 5 * one.std_error).all()


def test_rows_of_hands():
    heroes, villains, boards = ["AhAd", "7c2d", "JhTh"], ["KcKs", "8c8d", "AsKs"], ["Td9d6h", "QsJh2h", "Qh9h2c"]
    found = eq.equities(heroes, villains, boards)
    for hero, villain, board, share in zip(heroes, villains, boards, found):
        assert share == pytest.approx(eq.equity(hero, villain, board=board, exact=True).equity[0])
    assert eq.equities("AhAd", "KcKs") == pytest.approx(0.81255, abs=5e-6)
    assert eq.equities(heroes[0], villains[0], [board + "2s" for board in boards[:1]]).shape == (1,)
    cards = eq.deal(64, 9, seed=8)
    found = eq.equities(cards[:, :2], cards[:, 2:4], cards[:, 4:])
    ours = eq.strengths(np.delete(cards, [2, 3], axis=1)).astype(int)
    theirs = eq.strengths(cards[:, 2:]).astype(int)
    assert (found == (np.sign(ours - theirs) + 1) / 2).all()


def test_a_matrix_is_all_pairs():
    matrix = eq.equity_matrix("22+,A2s+", "TT+", board="Td9d6h")
    assert matrix.shape == (1326, 1326)
    rows, columns = np.nonzero(np.isfinite(matrix))
    some = slice(None, None, 97)
    pairs = eq.equities(eq.COMBO_CARDS[rows[some]], eq.COMBO_CARDS[columns[some]], "Td9d6h")
    assert matrix[rows[some], columns[some]] == pytest.approx(pairs)
    preflop = eq.equity_matrix("AhAd,7c2d", "KcKs")
    assert preflop[eq.combos("AhAd"), eq.combos("KcKs")] == pytest.approx(0.81255, abs=5e-6)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: eq.equity("AhAd"), "1 player"),
        (lambda: eq.equity("AhAd", "AhKd"), "Ah is there twice"),
        (lambda: eq.equity("AhAd", "KK+x"), "unexpected 'x'"),
        (lambda: eq.equity("AhAd", "KcKs", board="Td9d"), "0, 3, 4 or 5 cards"),
        (lambda: eq.equity("AhAd", "KcKs", samples=0), "zero samples"),
        (lambda: eq.equity("AhAd", "KcKs", samples=5, exact=True), "choose one"),
        (lambda: eq.equity("AhAd", "KcKs", std_error=float("nan"), seed=1), "standard error"),
        (lambda: eq.equity("AhAd", "KcKs", threads=0), "threads"),
        (lambda: eq.equity("AhAd", "KcKs", seed=-1), "seed"),
        (lambda: eq.equity(*["random"] * 24), "24 player"),
        (lambda: eq.equities("AhAd", "AhKs"), "row 0: the card Ah"),
        (lambda: eq.equities(["AhAd"] * 2, ["KcKs"] * 3), "do not fit together"),
        (lambda: eq.equities("AhAd", "KcKs", "Td9d"), "last axis"),
    ],
)
def test_nonsense_is_refused(call, words):
    with pytest.raises(eq.EquipoiseError, match=words):
        call()
