"""Progress of long calls: a callable, a bar, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, Iterator, TypeAlias

from .errors import EquipoiseError

Progress: TypeAlias = "bool | Callable[[Any], object] | None"
"""`True` for a bar, a callable that is told how far the work is, `None` or `False` for nothing."""


class _Bar:
    """A bar by tqdm if it is there, in a notebook its widget if that is there, otherwise a line."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.bar: Any = None
        self.is_drawn = False
        self.done = 0.0
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        shape = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}"
        self.bar = tqdm(total=1.0, desc=name, bar_format=shape, leave=True)

    def show(self, done: float, words: str) -> None:
        # How much is left is a guess until the work is over; the bar does not go back for a worse one.
        done = self.done = max(self.done, min(max(done, 0.0), 1.0))
        if self.bar is not None:
            self.bar.n = done
            self.bar.set_postfix_str(words, refresh=False)
            self.bar.refresh()
        elif sys.stderr is not None and sys.stderr.isatty():
            self.is_drawn = True
            sys.stderr.write(f"\r\x1b[K{self.name}: {100 * done:3.0f} % {words}")
            sys.stderr.flush()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.is_drawn:
            sys.stderr.write("\n")


def _words(state: Any) -> tuple[float, str]:
    """The fraction done, and what else there is to say."""
    if isinstance(state, dict):
        words = [f"iteration {state['iteration']}"] if "iteration" in state else []
        if state.get("exploitability_pct") is not None:
            words.append(f"{state['exploitability_pct']:.3f} % of pot")
        if "boards" in state:
            words.append(f"{state['boards']:,} boards, {state['boards_per_s']:.0f}/s")
        if state.get("exploitability_mbb") is not None:
            words.append(f"{state['exploitability_mbb']:.0f} mbb/hand")
        if "jobs_done" in state:
            words.append(f"{state['jobs_done']} of {state['jobs']} jobs")
        return float(state["fraction"]), ", ".join(words)
    return float(state), ""


@contextmanager
def observer(progress: Progress, name: str) -> Iterator[Callable[[Any], object] | None]:
    """What the extension calls now and then."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar = _Bar(name)
        last: dict[str, Any] = {}

        def show(state: Any) -> None:
            if isinstance(state, dict):
                if state.get("exploitability_pct") is None and "exploitability_pct" in last:
                    state = {**state, "exploitability_pct": last["exploitability_pct"]}
                last.update(state)
            bar.show(*_words(state))

        try:
            yield show
            bar.show(1.0, _words(last)[1] if last else "")
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise EquipoiseError(f"progress must be True, False, None or a callable, not {progress!r}")
