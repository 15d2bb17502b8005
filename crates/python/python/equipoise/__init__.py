"""A Texas hold'em game-theory engine on numpy arrays: hand strengths, equities, ranges, exact postflop equilibria.

Cards are numbers 0 to 51, 4 times the rank plus the suit (c, d, h, s); combos are numbers 0 to 1325 (`COMBOS` has their
names); strengths are numbers 0 to 7461. Text is accepted wherever an array is. Long calls release the interpreter's lock,
take `threads` and `progress`, and stop on Ctrl-C. `docs/python.md` is the guide.
"""

from . import cfr
from ._equipoise import __version__
from .abstraction import Abstraction, features, plot_distribution
from .batch import Batch, BatchJob, Plan
from .blueprints import (
    Blueprint,
    BlueprintNode,
    Exploitability,
    HeadToHead,
    LocalBestResponse,
    Preflop,
    PreflopDecision,
    preflop,
)
from .cards import (
    CARDS,
    CATEGORIES,
    CLASSES,
    COMBO_CARDS,
    COMBOS,
    LISTED,
    board_strengths,
    card_text,
    cards,
    category,
    combos,
    deal,
    describe,
    strengths,
)
from .equity import Equity, equities, equity, equity_matrix
from .errors import (
    ArrayError,
    CardError,
    EquipoiseError,
    FileError,
    InternalError,
    Interrupted,
    RangeError,
    SpotError,
    TooLarge,
)
from .frames import Table
from .pictures import Svg
from .pushfold import (
    PlayedSeat,
    PushFold,
    PushFoldChart,
    PushFoldDecision,
    PushFoldTable,
    make_three_way_table,
    push_fold,
    push_fold_chart,
    push_fold_table,
)
from .ranges import NAMED_RANGES, Range
from .solution import Node, Solution, load
from .spots import SHIPPED_SPOTS, Solver, Spot, resume
from .whole import Hand, Icm, icm, read_hands

__all__ = [
    "Abstraction",
    "ArrayError",
    "Batch",
    "BatchJob",
    "Blueprint",
    "BlueprintNode",
    "CARDS",
    "CATEGORIES",
    "CLASSES",
    "COMBOS",
    "COMBO_CARDS",
    "CardError",
    "EquipoiseError",
    "Equity",
    "Exploitability",
    "FileError",
    "Hand",
    "HeadToHead",
    "Icm",
    "InternalError",
    "Interrupted",
    "LISTED",
    "LocalBestResponse",
    "NAMED_RANGES",
    "Node",
    "Plan",
    "PlayedSeat",
    "Preflop",
    "PreflopDecision",
    "PushFold",
    "PushFoldChart",
    "PushFoldDecision",
    "PushFoldTable",
    "Range",
    "RangeError",
    "SHIPPED_SPOTS",
    "Solution",
    "Solver",
    "Spot",
    "SpotError",
    "Svg",
    "Table",
    "TooLarge",
    "__version__",
    "board_strengths",
    "card_text",
    "cards",
    "category",
    "cfr",
    "combos",
    "deal",
    "describe",
    "equities",
    "equity",
    "equity_matrix",
    "features",
    "icm",
    "load",
    "make_three_way_table",
    "plot_distribution",
    "preflop",
    "push_fold",
    "push_fold_chart",
    "push_fold_table",
    "read_hands",
    "resume",
    "strengths",
]
