"""Everything that can go wrong, under one base.

Errors about a text have the text (`text`), the place in it (`at`, characters from 0) and, where there is a cure, `help`;
printed, they point at the place as the command does.

>>> import equipoise as eq
>>> try:
...     eq.Range("QQ+,AKx")
... except eq.RangeError as error:
...     print(error)
unexpected 'x' at byte 6: expected a comma or a blank between groups, or a weight such as :0.5
  QQ+,AKx
        ^
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .spots import Solver

__all__ = [
    "ArrayError",
    "CardError",
    "EquipoiseError",
    "FileError",
    "InternalError",
    "Interrupted",
    "RangeError",
    "SpotError",
    "TooLarge",
]


class EquipoiseError(ValueError):
    """An argument, a text or a file that makes no sense; every error of the package is one."""

    text: str | None = None
    """The text that the error is about, if there is one."""
    at: int | None = None
    """Where in the text the trouble begins: a number of characters, the first being 0."""
    help: str | None = None
    """What to do about it, if that is known."""

    def __str__(self) -> str:
        lines = [super().__str__()]
        if self.text is not None and self.at is not None:
            before = self.text[: self.at]
            start = before.rfind("\n") + 1
            line = self.text[start:].split("\n", 1)[0]
            # Of a very long line the part around the place.
            cut = max(0, self.at - start - 60)
            lines += ["  " + line[cut : cut + 120], "  " + " " * (self.at - start - cut) + "^"]
        if self.help is not None:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)


class CardError(EquipoiseError):
    """A text that names no cards."""


class RangeError(EquipoiseError):
    """A text that is no range, or a weight outside 0 to 1."""


class ArrayError(EquipoiseError, TypeError):
    """An array of another shape, another kind of numbers, or numbers that name nothing."""


class SpotError(EquipoiseError):
    """A spot, a plan or a path that makes no sense; `text` is the TOML."""


class FileError(EquipoiseError, OSError):
    """A file that cannot be read or written, or that is damaged or of another kind."""


class TooLarge(EquipoiseError, MemoryError):
    """A solve that does not fit into memory."""

    needed: int = 0
    """Bytes that it takes."""
    limit: int = 0
    """Bytes that there are."""
    advice: list[str] = []
    """What would fit, each in words."""


class InternalError(EquipoiseError, RuntimeError):
    """A mistake of the engine. Please report it with what you called."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work. What a solve has done so far is in `solver`, which can run on or be saved."""

    solver: Solver | None = None
    """The solve that was interrupted; `None` if the work was none."""
