"""Whatever is given to a function, it answers or raises an error of the package; the interpreter lives."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import equipoise as eq

FUZZ = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))

DTYPES = st.one_of(
    hnp.integer_dtypes(), hnp.unsigned_integer_dtypes(), hnp.floating_dtypes(), hnp.boolean_dtypes(),
    hnp.complex_number_dtypes(), hnp.datetime64_dtypes(), hnp.byte_string_dtypes(), hnp.unicode_string_dtypes(),
)
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=8)
ARRAYS = hnp.arrays(DTYPES, SHAPES)
SMALL_CARDS = hnp.arrays(st.sampled_from([np.uint8, np.int64, np.int8, np.uint16]), SHAPES, elements=st.integers(0, 60))
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(0, 60), st.floats(), st.text(max_size=20), st.binary(max_size=8),
    st.sampled_from(["AhAd", "KcKs", "Td9d6h", "QQ+,AKs:0.5", "random", "15%", "AKs@50", "[50]AK[/50]", "A♥K♦", ""]),
)
THINGS = st.one_of(
    LEAVES, ARRAYS, SMALL_CARDS, st.lists(LEAVES, max_size=8), st.lists(st.lists(st.integers(-3, 60), max_size=8), max_size=5),
    st.dictionaries(st.text(max_size=4), LEAVES, max_size=2), st.builds(object),
)
VIEWS = st.sampled_from([
    lambda a: a, lambda a: a[::-1] if a.ndim else a, lambda a: a.T, np.asfortranarray,
    lambda a: a[..., ::2] if a.ndim else a, lambda a: a.view(np.ndarray), np.ma.masked_array,
])


def lives(call):
    """Calls, and lets errors pass that say what is wrong with an argument."""
    try:
        return call()
    except (eq.EquipoiseError, TypeError) as error:
        assert str(error), "an error without words"
        assert not isinstance(error, eq.InternalError), error
        return None


@FUZZ
@given(SMALL_CARDS, VIEWS)
def test_arrays_of_cards_in_any_layout(array, view):
    hands = view(array)
    for function in (eq.strengths, eq.board_strengths, eq.combos, eq.cards, eq.card_text, eq.category):
        found = lives(lambda: function(hands))
        if found is not None and function is eq.strengths:
            assert np.asarray(found).shape == hands.shape[:-1] and (np.asarray(found) < 7462).all()


@FUZZ
@given(THINGS)
def test_anything_as_the_only_argument(thing):
    for function in (eq.strengths, eq.board_strengths, eq.combos, eq.cards, eq.card_text, eq.category, eq.describe,
                     eq.Range, eq.deal, eq.Spot.of_text, eq.Plan.of_text, eq.read_hands, eq.cfr.end):
        if function is eq.deal and isinstance(thing, (int, np.integer)) and 10_000 < thing < 2**36:
            continue  # Billions of hands are a wish that takes long, and no mistake.
        lives(lambda: function(thing))


@FUZZ
@given(THINGS, THINGS, THINGS)
def test_anything_as_arguments(a, b, c):
    lives(lambda: eq.equities(a, b, c))
    lives(lambda: eq.features("AhKh", a, b))
    lives(lambda: eq.features(a, "QsJh2h", ["equity"]))
    lives(lambda: eq.icm(a, b))
    lives(lambda: eq.equity("AhAd", "KcKs", board=a, dead=b, samples=100, seed=c))
    lives(lambda: eq.equity("AhAd", "KcKs", threads=a))
    lives(lambda: eq.Range("AA").without(a))
    lives(lambda: eq.Range("AA")[a])
    lives(lambda: eq.Range("AA") | a)
    lives(lambda: eq.cfr.decision(a, b, c))
    lives(lambda: eq.cfr.chance(a))


@FUZZ
@given(st.lists(THINGS, max_size=4))
def test_anything_as_players(players):
    lives(lambda: eq.equity(*players, board="Td9d6h", samples=100))


TABLE_KEYS = st.sampled_from(["stack", "players", "blinds", "ante", "payouts", "others", "table", "boards", "seed", "target",
                              "iterations", "deals", "threads", "progress"])


@FUZZ
@given(TABLE_KEYS, THINGS)
def test_anything_in_a_table_of_jam_or_fold(key, thing):
    if key in ("boards", "deals", "iterations", "players") and isinstance(thing, (int, np.integer)) and thing > 3:
        return  # Many boards or deals are a wish that takes long, and no mistake.
    lives(lambda: eq.push_fold_table(**{**dict(stack=[10, 10, 10], boards=2, iterations=2), key: thing}))


@FUZZ
@given(THINGS, THINGS)
def test_anything_in_jam_or_fold(a, b):
    lives(lambda: eq.push_fold(a, ante=b))
    lives(lambda: eq.push_fold(10, blinds=a, payouts=b))
    try:
        num_stacks = (float(a) - 10) / float(b)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        num_stacks = 0
    # Thousands of stacks are a wish that takes long, and no mistake; more are refused.
    lives(lambda: eq.push_fold_chart(10, a, step=b) if not 5 < num_stacks < 1e5 else None)


PREFLOP_KEYS = st.sampled_from(["stack", "menu", "flops", "minutes", "target", "strengths", "seed", "memory_limit", "threads"])


@FUZZ
@given(PREFLOP_KEYS, THINGS)
def test_anything_in_a_chart_before_the_flop(key, thing):
    """Nothing is solved: the tables would take more than is allowed."""
    lives(lambda: eq.preflop(**{**dict(stack=5, flops=["As7d2c"], boards=16, strengths=1, memory_limit=1), key: thing})
          if key != "memory_limit" or not isinstance(thing, (int, np.integer)) or thing < 1000 else None)


BLUEPRINT_KEYS = st.sampled_from(["game", "path", "buckets", "minutes", "seed", "flops", "resume", "memory_limit", "threads"])


@FUZZ
@given(BLUEPRINT_KEYS, THINGS)
def test_anything_in_a_training(key, thing):
    lives(lambda: eq.Blueprint.train(**{**dict(game="A-5", path="/none/x.eqb", buckets="/none", boards=16), key: thing}))
    lives(lambda: eq.Blueprint(thing))


SPOT = dict(oop="QQ", ip="KK", board="Qd9d6h3c2h", pot=100, stack=200)
KEYS = st.sampled_from(["oop", "ip", "board", "pot", "stack", "bets", "preset", "rake_rate", "rake_cap", "big_blind",
                        "merging_threshold", "add_lines", "target", "iterations", "algorithm", "storage", "solver"])


@FUZZ
@given(KEYS, THINGS)
def test_anything_in_a_spot(key, thing):
    made = lives(lambda: eq.Spot(**{**SPOT, key: thing}))
    if made is not None:
        assert eq.Spot.of_text(made.to_toml()) == made


@FUZZ
@given(THINGS, THINGS)
def test_anything_asked_of_a_solution(river, a, b):
    for call in (lambda: river[a], lambda: river.root[a], lambda: river.root.deal(a), lambda: river.root.weights(a),
                 lambda: river.root.range(a), lambda: list(river.walk(start=a)), lambda: list(river.walk(until=a)),
                 lambda: river.spot.lock(a, b), lambda: river.spot.actions(a), lambda: river.spot.memory(a)):
        lives(call)


@FUZZ
@given(st.lists(st.one_of(
    st.tuples(st.integers(-1, 3), st.integers(-1, 3), st.lists(st.integers(-1, 6), max_size=3)),
    st.tuples(st.lists(st.floats(), max_size=3), st.lists(st.integers(-1, 6), max_size=3)),
    st.tuples(st.floats(), st.floats()),
), max_size=6), st.lists(st.text(max_size=3), max_size=3))
def test_any_game_that_was_walked(positions, names):
    """The extension itself, below the checks of Python."""
    from equipoise import _equipoise

    try:
        tree = _equipoise.GameTree(positions, names)
    except (eq.EquipoiseError, TypeError, OverflowError) as error:
        assert not isinstance(error, eq.InternalError), error
    else:
        _equipoise.Trainer(tree, "dcfr").run(3, None)
