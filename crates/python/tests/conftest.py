import signal

import pytest

import equipoise as eq

# Started in the background by a shell, a program ignores Ctrl-C, and hands that on to the programs that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def turn():
    """The turn spot of the README, solved as there."""
    return eq.Spot.of_text(eq.SHIPPED_SPOTS["turn-std"]).solve(target=0.1)


@pytest.fixture(scope="session")
def river():
    return eq.Spot.of_text(eq.SHIPPED_SPOTS["river-std"]).solve(target=0.01)
