"""A slow evaluator of given strategies that shares nothing with the engine: no isomorphism, no tables, every pair of hands.

Strategies, and what both players have invested at each node, are asked from whoever has them; cards, showdowns, card
removal, rake, best responses and means are done here.
"""

import itertools

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]


def five(cards: tuple) -> tuple:
    """The strength of five cards; tuples compare as hands do."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape = [count for count, _ in counts]
    is_flush = len({card[1] for card in cards}) == 1
    straight = None
    if len(counts) == 5:
        if ranks[0] - ranks[4] == 4:
            straight = ranks[0]
        elif ranks == [12, 3, 2, 1, 0]:
            straight = 3
    if straight is not None:
        return (8 if is_flush else 4, straight)
    order = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    category = order[tuple(shape)]
    return (5 if is_flush else category, *(rank for _, rank in counts))


def seven(cards: tuple) -> tuple:
    return max(five(some) for some in itertools.combinations(cards, 5))


def cards_of(hand: str) -> tuple:
    return hand[:2], hand[2:]


class Game:
    """A postflop game with two ranges of hands, `{"AsKs": 0.5, …}`, and rake `(rate, cap)`."""

    def __init__(self, ranges, pot, rake):
        self.hands = [list(weights) for weights in ranges]
        self.weights = [list(weights.values()) for weights in ranges]
        self.pot, self.rake = pot, rake
        self.strengths = {}
        disjoint = lambda one, two: not set(cards_of(one)) & set(cards_of(two))
        self.pairs = [
            (at, other) for at, one in enumerate(self.hands[0]) for other, two in enumerate(self.hands[1]) if disjoint(one, two)
        ]

    def live(self, player: int, board: tuple) -> list:
        """Which hands a board leaves."""
        return [not set(cards_of(hand)) & set(board) for hand in self.hands[player]]

    def strength(self, board: tuple) -> list:
        """Of both players' hands on a river; nothing for those that the board blocks."""
        key = frozenset(board)
        if key not in self.strengths:
            of = lambda hand: None if set(cards_of(hand)) & key else seven(cards_of(hand) + board)
            self.strengths[key] = [[of(hand) for hand in hands] for hands in self.hands]
        return self.strengths[key]

    def raked(self, pot: float) -> float:
        rate, cap = self.rake
        return min(rate * pot, cap if cap is not None else rate * pot)

    def met(self, player: int, reach) -> list:
        """The opponent's reach that each hand of a player can meet."""
        sums = [0.0] * len(self.hands[player])
        for pair in self.pairs:
            sums[pair[player]] += reach[1 - player][pair[1 - player]]
        return sums

    def runouts(self, board: tuple):
        """The boards of five cards that can come for a pair of hands, and how many there are for each pair."""
        missing = 5 - len(board)
        rest = [card for card in DECK if card not in board]
        count = 1 if missing == 0 else 44 if missing == 1 else 45 * 44 / 2
        return [board + more for more in itertools.combinations(rest, missing)], count

    def won(self, player: int, board: tuple, reach) -> list:
        """What each hand wins of the opponent's reach without further betting, ties counted half."""
        sums = [0.0] * len(self.hands[player])
        boards, count = self.runouts(board)
        for final in boards:
            strength = self.strength(final)
            for pair in self.pairs:
                mine, theirs = strength[player][pair[player]], strength[1 - player][pair[1 - player]]
                if mine is not None and theirs is not None:
                    part = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    sums[pair[player]] += part * reach[1 - player][pair[1 - player]] / count
        return sums

    def end(self, player: int, board: tuple, reach, invested, folded) -> list:
        """What each hand gets of the opponent's reach where the hand is over, in chips since the root."""
        pot = self.pot + sum(invested)
        pot -= self.raked(self.pot + 2 * min(invested)) if folded is not None else self.raked(pot)
        met = self.met(player, reach)
        if folded is not None:
            payoff = -invested[player] if folded == player else pot - invested[player]
            return [payoff * weight for weight in met]
        won = self.won(player, board, reach)
        return [share * pot - weight * invested[player] for share, weight in zip(won, met)]


class Evaluator:
    """Values of all nodes under strategies that `tree` has.

    `tree.kind(node)` is 0 or 1 (who decides), "card", ("fold", player) or "end"; `tree.children(node)` the nodes after the
    actions, or after each card `{card: node}`; `tree.invested(node)` chips since the root; `tree.strategy(node)` a list of
    frequencies for each action; `tree.is_locked(node)` whether its strategy is given.
    """

    def __init__(self, game: Game, tree, is_best: int | None = None):
        self.game, self.tree, self.is_best = game, tree, is_best
        self.seen = {}

    def visit(self, node: str, board: tuple, reach) -> list:
        """What both players' hands get of the other's reach from the node on, in chips since the root."""
        game, tree = self.game, self.tree
        kind = tree.kind(node)
        if kind == "card":
            values = self.deal(node, board, reach)
        elif kind == "end" or isinstance(kind, tuple):
            folded = kind[1] if isinstance(kind, tuple) else None
            values = [game.end(player, board, reach, tree.invested(node), folded) for player in (0, 1)]
            self.seen[node] = (board, reach, values, [])
            return values
        else:
            values = self.decide(node, kind, board, reach)
            return values
        self.seen[node] = (board, reach, values, [])
        return values

    def deal(self, node: str, board: tuple, reach) -> list:
        game = self.game
        values = [[0.0] * len(hands) for hands in game.hands]
        count = 48 - len(board)
        for card, child in self.tree.children(node).items():
            after = board + (card,)
            live = [game.live(player, after) for player in (0, 1)]
            next_reach = [[weight if is_live else 0.0 for weight, is_live in zip(reach[p], live[p])] for p in (0, 1)]
            for player, found in enumerate(self.visit(child, after, next_reach)):
                for at, value in enumerate(found):
                    if live[player][at]:
                        values[player][at] += value / count
        return values

    def decide(self, node: str, actor: int, board: tuple, reach) -> list:
        strategy = self.tree.strategy(node)
        values = [[0.0] * len(hands) for hands in self.game.hands]
        by_action = []
        for frequencies, child in zip(strategy, self.tree.children(node)):
            next_reach = list(reach)
            next_reach[actor] = [weight * part for weight, part in zip(reach[actor], frequencies)]
            found = self.visit(child, board, next_reach)
            by_action.append(found[actor])
            other = 1 - actor
            values[other] = [sum(pair) for pair in zip(values[other], found[other])]
            values[actor] = [total + part * value for total, part, value in zip(values[actor], frequencies, found[actor])]
        if self.is_best == actor and not self.tree.is_locked(node):
            values[actor] = [max(options) for options in zip(*by_action)]
        self.seen[node] = (board, reach, values, by_action)
        return values

    def root(self, node: str, board: tuple) -> list:
        """The mean values of both players."""
        reach = [
            [weight if is_live else 0.0 for weight, is_live in zip(self.game.weights[p], self.game.live(p, board))] for p in (0, 1)
        ]
        values = self.visit(node, board, reach)
        deals = sum(reach[0][one] * reach[1][two] for one, two in self.game.pairs)
        return [sum(w * v for w, v in zip(reach[p], values[p])) / deals for p in (0, 1)]
