"""Strengths of arrays."""

import itertools
import math

import numpy as np
import pytest

import equipoise as eq


def test_every_hand_of_five_has_its_category():
    """The published counts of the 2,598,960 hands."""
    hands = np.fromiter(itertools.chain.from_iterable(itertools.combinations(range(52), 5)), np.uint8).reshape(-1, 5)
    found = eq.strengths(hands)
    counts = np.bincount(eq.category(found), minlength=9)
    assert counts.tolist() == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
    assert len(np.unique(found)) == 7462


def test_order_agrees_with_another_evaluator():
    phevaluator = pytest.importorskip("phevaluator")
    hands = eq.deal(20_000, 7, seed=5)
    theirs = np.array([phevaluator.evaluate_cards(*hand) for hand in hands.tolist()])  # 1 is best.
    assert (np.argsort(eq.strengths(hands), kind="stable") == np.argsort(-theirs, kind="stable")).all()


def test_text_rows_and_higher_dimensions_agree():
    texts = ["AhKhQhJhTh2c3d", "7c5d4h3s2c9dKc"]
    assert eq.strengths(texts).tolist() == [int(eq.strengths(text)) for text in texts]
    cube = eq.deal(24, 6, seed=2).reshape(2, 3, 4, 6)
    assert eq.strengths(cube).shape == (2, 3, 4)
    assert (eq.strengths(cube).ravel() == eq.strengths(cube.reshape(-1, 6))).all()


def test_no_rows_have_no_strengths():
    for nothing in (np.array([], dtype="<U1"), np.empty((0, 7), np.uint8)):
        assert eq.strengths(nothing).shape == (0,)


def test_memory_layout_and_type_make_no_difference():
    hands = eq.deal(1000, 7, seed=3)
    expected = eq.strengths(hands)
    wide = np.zeros((2000, 14), np.int64)
    wide[::2, ::2] = hands
    read_only = hands.copy()
    read_only.setflags(write=False)
    for same in [np.asfortranarray(hands), wide[::2, ::2], hands.astype(np.int32), hands.astype(">u2"), read_only]:
        assert (eq.strengths(same) == expected).all()
    assert (eq.strengths(hands[::-1]) == expected[::-1]).all()
    assert (eq.strengths(hands, threads=1) == expected).all()


def test_boards_at_once_are_hands_one_by_one():
    boards = eq.deal(40, 5, seed=9)
    found = eq.board_strengths(boards)
    assert found.shape == (40, 1326) and found.dtype == np.uint16
    for board, row in zip(boards, found):
        live = ~row.mask
        assert live.sum() == math.comb(47, 2)
        combos = eq.COMBO_CARDS[live]
        hands = np.concatenate([np.tile(board, (len(combos), 1)), combos], axis=1)
        assert (eq.strengths(hands) == row[live]).all()
    assert eq.board_strengths("Td9d6hQc2h").shape == (1326,)


def test_deals_are_different_cards_and_depend_on_the_seed_only():
    hands = eq.deal(50_000, 7, seed=1)
    assert (np.diff(np.sort(hands, axis=1), axis=1) > 0).all() and hands.max() < 52
    assert (hands == eq.deal(50_000, 7, seed=1, threads=1)).all()
    assert (hands != eq.deal(50_000, 7, seed=2)).any()


def test_names():
    assert eq.CARDS[51] == "As" and eq.card_text(eq.cards("Td9d6h")) == "Td9d6h"
    assert eq.cards(["Td", "9d"]).tolist() == eq.cards("Td9d").tolist()
    assert (eq.combos(eq.COMBO_CARDS) == np.arange(1326)).all()
    assert [int(eq.combos(name)) for name in eq.COMBOS] == list(range(1326))
    assert sorted(eq.LISTED) == list(range(1326)) and eq.COMBOS[eq.LISTED[2]] == "2h2d"
    assert eq.CLASSES[:2] == ("AA", "AKs") and len(eq.CLASSES) == 169


@pytest.mark.parametrize(
    "hands, words",
    [
        (np.full((1, 7), 52, np.uint8), "52 is no card"),
        (np.array([[0, 1, 2, 3, 4, 5, 256]]), "0 to 51"),
        (np.array([[0, 1, 2, 3, 4, 5, -1]]), "0 to 51; there is -1"),
        (np.array([[0, 1, 2, 3, 4, 5, 5]], np.uint8), "row 0: the card 3d is there twice"),
        (np.zeros((3, 4), np.uint8), "last axis must have 5, 6 or 7"),
        (np.zeros((3, 7)), "whole numbers or text, not float64"),
        (np.zeros((3, 7), bool), "not bool"),
        (np.uint8(3), "last axis"),
        ([[1, 2, 3, 4, 5], [1, 2]], "different lengths"),
        (["AhKh", "AhKhQh"], "same number of cards"),
        (np.array([["Ah", "Kh"]], object), "last axis"),
        (None, "whole numbers or text"),
    ],
)
def test_wrong_hands_are_refused_before_any_cast(hands, words):
    with pytest.raises(eq.EquipoiseError, match=words):
        eq.strengths(hands)


def test_the_row_is_named_however_late_it_comes():
    hands = eq.deal(3_000_000, 7, seed=4)
    hands[2_999_990, 6] = hands[2_999_990, 0]
    with pytest.raises(eq.ArrayError, match="row 2999990"):
        eq.strengths(hands)


def test_errors_point_at_their_place():
    with pytest.raises(eq.CardError) as error:
        eq.strengths("AhAdTd9d6hXc2s")
    assert error.value.at == 10 and error.value.text == "AhAdTd9d6hXc2s"
    assert str(error.value).endswith("  AhAdTd9d6hXc2s\n            ^")
    with pytest.raises(eq.EquipoiseError):
        eq.describe(7462)
    with pytest.raises(eq.EquipoiseError):
        eq.deal(1, 53)
    with pytest.raises(eq.TooLarge, match="in parts"):
        eq.deal(2**40, 52)


def test_errors_pickle():
    import pickle

    with pytest.raises(eq.CardError) as error:
        eq.cards("AhXd")
    again = pickle.loads(pickle.dumps(error.value))
    assert str(again) == str(error.value) and (again.at, again.text) == (2, "AhXd")
