"""The progress of a batch on many machines: a line for each solve under way, in a terminal or a notebook."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from ._progress import Progress

__all__ = ["table", "text"]

# More lines than these move the rest of the screen away.
_LINES = 12


def text(state: dict[str, Any], seconds: float) -> list[str]:
    """The lines of a table.

    >>> row = {"board": "As7d2c", "spot": "srp", "worker": "tcp://10.0.0.2:4711", "iteration": 40, "exploitability_pct": 1.25}
    >>> state = {"fraction": 0.5, "jobs_done": 3, "jobs_failed": 0, "jobs": 8, "workers": 2, "running": [row]}
    >>> print(*text(state, 75), sep="\\n")
    3 of 8 jobs, 50 %, 2 workers, 1:15
      As7d2c  srp  tcp://10.0.0.2:4711  iteration 40, 1.250 % of pot
    """
    failed = f", {state['jobs_failed']} failed" if state["jobs_failed"] else ""
    workers = f"{state['workers']} worker" + ("" if state["workers"] == 1 else "s")
    clock = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
    head = f"{state['jobs_done']} of {state['jobs']} jobs{failed}, {100 * state['fraction']:.0f} %, {workers}, {clock}"
    rows = sorted(state["running"], key=lambda row: (row["worker"], row["board"]))
    lines = [f"  {row['board']}  {row['spot']}  {row['worker']}  {_solve(row)}" for row in rows[:_LINES]]
    more = [f"  and {len(rows) - _LINES} more"] if len(rows) > _LINES else []
    return [head, *lines, *more]


def _solve(row: dict[str, Any]) -> str:
    found = row.get("exploitability_pct")
    return f"iteration {row['iteration']}" + ("" if found is None else f", {found:.3f} % of pot")


def _html(lines: list[str]) -> str:
    rows = "".join(f"<tr><td>{'</td><td>'.join(escape(cell) for cell in line.split('  ') if cell)}</td></tr>" for line in lines[1:])
    return f"<b>{escape(lines[0])}</b><table>{rows}</table>"


def _notebook() -> Callable[[list[str]], None] | None:
    """Shows lines in a notebook, if this is one."""
    try:
        # They have types only in part.
        shell: Any = importlib.import_module("IPython").get_ipython()
        shown: Any = importlib.import_module("IPython.display")
    except ImportError:
        return None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    handle = shown.display(shown.HTML(""), display_id=True)
    return lambda lines: handle.update(shown.HTML(_html(lines)))


@contextmanager
def table(progress: Progress, name: str) -> Iterator[Callable[[Any], object] | None]:
    """A table that is drawn anew in its place; nothing where there is neither a terminal nor a notebook."""
    started = time.monotonic()
    in_notebook = _notebook()
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    drawn = 0

    def show(state: dict[str, Any]) -> None:
        nonlocal drawn
        lines = text(state, time.monotonic() - started)
        if in_notebook is not None:
            in_notebook(lines)
        elif is_terminal:
            up = f"\x1b[{drawn}A" if drawn else ""
            sys.stderr.write(up + "".join(f"\r\x1b[K{line[:150]}\n" for line in lines) + "\x1b[J")
            sys.stderr.flush()
            drawn = len(lines)

    yield show
