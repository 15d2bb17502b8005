"""Against other packages, one thread each: answers first, then times in alternation, then the ratios that must hold.

Run by `make bench-python`. Times are processor seconds, the best of some rounds.
"""

import sys
import time

import eval7
import numpy as np
import phevaluator
import pokerkit
import treys
from pokerfast.equity import equity as pokerfast_equity

import equipoise as eq

ROUNDS = 7


def seconds(work):
    begun = time.process_time()
    work()
    return time.process_time() - begun


def alternate(ours, theirs, rounds=ROUNDS):
    """The best times of both, measured in turn."""
    ours(), theirs()
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        best = [min(best[0], seconds(ours)), min(best[1], seconds(theirs))]
    return best


def repeated(work, count):
    return lambda: [work() for _ in range(count)]


def same_order(a, b):
    """Whether two lists of numbers order hands alike."""
    return (np.argsort(a, kind="stable") == np.argsort(b, kind="stable")).all()


def check_answers(hands):
    ours = eq.strengths(hands[:20_000])
    texts = [[eq.CARDS[card] for card in hand] for hand in hands[:20_000].tolist()]
    evaluator = treys.Evaluator()
    theirs = {
        "eval7": [eval7.evaluate([eval7.Card(card) for card in hand]) for hand in texts],
        "phevaluator": [-phevaluator.evaluate_cards(*hand) for hand in hands[:20_000].tolist()],
        "treys": [-evaluator.evaluate([], [treys.Card.new(card) for card in hand]) for hand in texts[:2000]],
    }
    for name, found in theirs.items():
        assert same_order(ours[: len(found)], np.array(found)), f"{name} orders hands otherwise"
    kit = [pokerkit.StandardHighHand.from_game("".join(hand[:2]), "".join(hand[2:])) for hand in texts[:300]]
    for i in range(299):
        assert (kit[i] < kit[i + 1]) == (ours[i] < ours[i + 1]), "pokerkit orders hands otherwise"
    for players in (["AhAd", "KcKs"], ["QQ+,AKs,AKo", "TT+,AQs+,AQo+"], ["QQ+,AK", "JJ,TT,AQs", "98s,87s"]):
        mine = eq.equity(*players, exact=True).equity
        other = pokerfast_equity(players, exact=True)
        assert np.allclose(mine, other, atol=1e-9), (players, mine, other)


def main():
    hands = eq.deal(1_000_000, 7, seed=1)
    check_answers(hands)
    print("answers agree\n")
    few = hands[:100_000]
    cards = [[eval7.Card(eq.CARDS[card]) for card in hand] for hand in few.tolist()]
    numbers = few.tolist()
    evaluator = treys.Evaluator()
    ints = [[treys.Card.new(eq.CARDS[card]) for card in hand] for hand in few[:10_000].tolist()]
    texts = [("".join(eq.CARDS[card] for card in hand[:2]), "".join(eq.CARDS[card] for card in hand[2:])) for hand in few[:300].tolist()]
    of_hands = lambda: eq.strengths(hands, threads=1)
    two, three = ("AhAd", "KcKs"), ("QQ+,AK", "JJ,TT,AQs", "98s,87s")
    rows = [
        # what, peer, ours and theirs with how many times more ours does, the ratio that must hold
        ("hands of seven", "eval7", of_hands, lambda: [eval7.evaluate(hand) for hand in cards], 10, 40),
        ("hands of seven", "phevaluator", of_hands, lambda: [phevaluator.evaluate_cards(*hand) for hand in numbers], 10, None),
        ("hands of seven", "treys", of_hands, lambda: [evaluator.evaluate([], hand) for hand in ints], 100, None),
        ("hands of seven", "pokerkit", of_hands, lambda: [pokerkit.StandardHighHand.from_game(*text) for text in texts], 1e6 / 300, None),
        ("AhAd v KcKs, exact", "pokerfast", repeated(lambda: eq.equity(*two, exact=True, threads=1), 100),
         repeated(lambda: pokerfast_equity(list(two), exact=True), 10), 10, 10),
        ("three ranges, exact", "pokerfast", lambda: eq.equity(*three, exact=True, threads=1),
         lambda: pokerfast_equity(list(three), exact=True), 1, 5),
    ]
    failed = []
    print(f"{'what':<22} {'peer':<12} {'ours':>10} {'theirs':>10} {'ratio':>8}  must")
    for what, peer, ours, theirs, more, must in rows:
        mine, other = alternate(ours, theirs, 3 if peer == "pokerfast" and must == 5 else ROUNDS)
        ratio = other * more / mine
        print(f"{what:<22} {peer:<12} {1e3 * mine:>7.2f} ms {1e3 * other * more:>7.0f} ms {ratio:>7.1f}×  {must or ''}")
        if must and ratio < must:
            failed.append(f"{what} against {peer}: {ratio:.1f}×, must be {must}×")
    boards = eq.deal(10_000, 5, seed=2)
    spent = min(seconds(lambda: eq.board_strengths(boards, threads=1)) for _ in range(ROUNDS))
    print(f"\nall 1,326 strengths of 10,000 boards: {1e3 * spent:.1f} ms, no peer")
    some = eq.deal(200, 7, seed=3)
    spent = seconds(lambda: eq.features(some[:, :2], some[:, 2:6], ["equity", "histogram"], threads=1))
    print(f"exact features of 200 turn hands: {1e3 * spent:.1f} ms, no peer")
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
