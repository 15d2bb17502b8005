"""Ranges as text, arrays and grids."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import equipoise as eq

WEIGHTS = hnp.arrays(np.float32, 1326, elements=st.sampled_from([0.0, 0.0, 0.0, 0.25, 0.5, 1.0, np.float32(0.1)]))


@settings(max_examples=60, deadline=None)
@given(WEIGHTS)
def test_text_and_pickles_read_back_bit_for_bit(weights):
    made = eq.Range(weights)
    assert (made.weights == weights).all()
    assert pickle.loads(pickle.dumps(made)) == made == copy.deepcopy(made)
    if made:
        assert eq.Range(str(made)) == made == eval(repr(made), {"Range": eq.Range})


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(np.float32, (13, 13), elements=st.floats(0, 1, width=32)))
def test_grids_read_back(grid):
    made = eq.Range(grid)
    assert (made.grid == grid + np.float32(0)).all() and eq.Range(made.grid) == made


@settings(max_examples=30, deadline=None)
@given(WEIGHTS, WEIGHTS)
def test_sets_are_what_numpy_says(a, b):
    first, second = eq.Range(a), eq.Range(b)
    assert ((first | second).weights == np.maximum(a, b)).all()
    assert ((first & second).weights == np.minimum(a, b)).all()
    assert ((first - second).weights == np.minimum(a, 1 - b)).all()
    assert ((~first).weights == 1 - a).all() and ((0.5 * first).weights == a * np.float32(0.5)).all()
    assert eq.Range(first.listed, order="listed") == first


def test_grid_has_suited_above_the_diagonal():
    grid = eq.Range("AKs,QJo:0.5,77").grid
    assert grid[0, 1] == 1 and grid[1, 0] == 0 and grid[3, 2] == 0.5 and grid[7, 7] == 1


def test_arrays_share_memory_and_cannot_be_written():
    made = eq.Range("TT+")
    assert np.asarray(made) is made.weights and not made.weights.flags.writeable
    assert np.array(made, copy=True).flags.writeable
    with pytest.raises(ValueError):
        made.weights[0] = 1
    with pytest.raises(AttributeError):
        made._weights = 1
    weights = np.zeros(1326, np.float32)
    kept = eq.Range(weights)
    weights[:] = 1
    assert not kept and len({kept, eq.Range(np.zeros(1326))}) == 1


def test_small_things():
    made = eq.Range("TT+,AKs:0.5")
    assert len(made) == 34 and made["AhKh"] == 0.5 and made[1323] == 1 and made.total == 32
    assert made.without("Ah")["AhAd"] == 0 and eq.Range("@btn-open") and "btn-open" in eq.NAMED_RANGES
    assert "<img" in made._repr_html_() and str(made.plot()).startswith("<svg")


@pytest.mark.parametrize(
    "value",
    ["", "QQ+,AKx", np.zeros(1325), np.full(1326, 1.5), np.full(1326, np.nan), np.full(1326, -1), np.zeros((13, 12)),
     np.full((13, 13), np.inf), np.full(1326, 1e300), np.zeros(1326, complex), np.array(["a"] * 1326), None, 3, [[1], [1, 2]],
     {"AA": 1}],
)
def test_nonsense_is_refused(value):
    with pytest.raises(eq.EquipoiseError):
        eq.Range(value)


def test_factors_are_checked():
    for factor in [-0.5, 1.5, float("nan"), "x", None]:
        with pytest.raises((eq.EquipoiseError, TypeError)):
            eq.Range("AA") * factor
