"""Plays random hands in pokerkit and in `equipoise history`, both ways, and compares the winnings.

Usage: run.py EQUIPOISE [HANDS] [SEED]
"""

import io
import json
import random
import subprocess
import sys
import warnings

from pokerkit import Automation, HandHistory, NoLimitTexasHoldem

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
# It warns of cards that it would not deal itself.
warnings.simplefilter("ignore")

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def equipoise(program, arguments, text):
    done = subprocess.run([program, "history", "-", *arguments], input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def random_game(rng):
    """Stakes of two to six players; now and then a stack that hardly pays the blinds."""
    count = rng.choice([2, 2, 2, 3, 6])
    big = rng.choice([2, 10, 100])
    ante = rng.choice([0, 0, max(1, big // 10)])
    stacks = [rng.choice([rng.randint(1, 3 * big), rng.randint(3 * big, 30 * big), 200 * big]) for _ in range(count)]
    blinds = [big // 2, big] + [0] * (count - 2)
    return [ante] * count, blinds, big, stacks


def play(rng, antes, blinds, big, stacks):
    """A random hand of pokerkit."""
    game = NoLimitTexasHoldem(AUTOMATIONS, True, tuple(antes), tuple(blinds), big)
    state = game(tuple(stacks), len(stacks))
    deck = rng.sample(DECK, len(DECK))
    while state.status:
        if state.can_deal_hole():
            state.deal_hole(deck.pop() + deck.pop())
        elif state.can_deal_board():
            count = state.board_dealing_count
            state.deal_board("".join(deck.pop() for _ in range(count)))
        else:
            choices = ["cc", "cc"]
            if state.can_fold():
                choices.append("f")
            if state.can_complete_bet_or_raise_to():
                choices += ["min", "max", "any"]
            choice = rng.choice(choices)
            if choice == "f":
                state.fold()
            elif choice == "cc":
                state.check_or_call()
            else:
                low = state.min_completion_betting_or_raising_to_amount
                high = state.max_completion_betting_or_raising_to_amount
                total = {"min": low, "max": high}.get(choice) or rng.randint(low, high)
                state.complete_bet_or_raise_to(total)
    return game, state


def main():
    program = sys.argv[1]
    hands = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    want, sections = [], []
    for number in range(1, hands + 1):
        game, state = play(rng, *random_game(rng))
        buffer = io.BytesIO()
        HandHistory.from_game_state(game, state, ante_trimming_status=True).dump(buffer)
        sections.append(f"[{number}]\n{buffer.getvalue().decode()}")
        want.append([int(payoff) for payoff in state.payoffs])
    text = "\n".join(sections)
    # Its hands here.
    document = json.loads(equipoise(program, ["--json"], text))
    found = [hand["winnings"] for hand in document["hands"]]
    assert len(found) == hands
    for number, (ours, theirs) in enumerate(zip(found, want), 1):
        assert ours == theirs, f"hand {number}: {ours} here, {theirs} in pokerkit\n{sections[number - 1]}"
    # Ours there.
    written = equipoise(program, ["--to", "phh"], text)
    histories = HandHistory.load_all(io.BytesIO(written.encode()))
    for number, (history, theirs) in enumerate(zip(histories, want, strict=True), 1):
        *_, last = history
        payoffs = [int(payoff) for payoff in last.payoffs]
        assert payoffs == theirs, f"hand {number}: {payoffs} from what was written, {theirs} played"
    print(f"{hands} hands have the same winnings here and in pokerkit, both ways")


if __name__ == "__main__":
    main()
