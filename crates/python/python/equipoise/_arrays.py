"""Text, lists and arrays of any kind as the arrays that the extension takes, checked before any cast."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _equipoise
from .errors import ArrayError

CardsLike: TypeAlias = "str | Sequence[str] | Sequence[int] | npt.NDArray[Any]"
"""Cards: text such as `"Td9d6h"`, names, numbers 0 to 51, or an array of numbers."""
HandsLike: TypeAlias = "str | Sequence[str] | Sequence[Sequence[int]] | npt.NDArray[Any]"
"""Rows of cards: text of one row, a list of texts, or an array whose last axis is the cards."""


def numbers(
    values: Any, name: str, most: int, dtype: type[np.unsignedinteger[Any]], *, is_checked_later: bool = False
) -> npt.NDArray[Any]:
    """Whole numbers from 0 to `most`, of whatever integer type; those that need no cast may be checked by the extension."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise ArrayError(f"{name}: rows of different lengths, or no numbers at all") from error
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(dtype)  # An empty list, which numpy takes for floats.
    if array.dtype.kind not in "iu":
        raise ArrayError(f"{name} must be whole numbers or text, not {array.dtype}")
    if array.size and not (is_checked_later and array.dtype == dtype):
        low, high = int(array.min()), int(array.max())
        if low < 0 or high > most:
            raise ArrayError(f"{name} must be 0 to {most}; there is {low if low < 0 else high}")
    if np.ma.isMaskedArray(array):
        raise ArrayError(f"{name} must not be masked: drop what is masked, as with .compressed()")
    return np.asarray(array, dtype=dtype, order="C")


def is_texts(values: Any) -> bool:
    """Whether this is a list or an array of texts."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "UT" or (values.dtype == object and all(isinstance(v, str) for v in values.flat))
    return isinstance(values, Sequence) and len(values) > 0 and all(isinstance(value, str) for value in values)


def cards(values: CardsLike | None, name: str) -> npt.NDArray[np.uint8]:
    """A list of cards."""
    if values is None:
        return np.zeros(0, np.uint8)
    if isinstance(values, str):
        return _equipoise.parse_cards(values)
    if is_texts(values):
        return _equipoise.parse_cards(" ".join(str(value) for value in values))
    array = numbers(values, name, 51, np.uint8)
    if array.ndim != 1:
        raise ArrayError(f"{name} must be a list of cards, not an array of shape {array.shape}")
    return array


def card_rows(values: HandsLike, widths: Sequence[int], name: str) -> tuple[npt.NDArray[np.uint8], tuple[int, ...]]:
    """Rows of cards, and the shape of what has one value for each row."""
    if isinstance(values, str):
        array = _equipoise.parse_cards(values)
    elif is_texts(values):
        texts = np.asarray(values)
        rows = [_equipoise.parse_cards(str(text)) for text in texts.flat]
        if len({len(row) for row in rows}) > 1:
            raise ArrayError(f"{name}: all rows must have the same number of cards")
        # No rows have any number of cards.
        width = len(rows[0]) if rows else widths[0]
        array = np.array(rows, np.uint8).reshape(*texts.shape, width)
    else:
        array = numbers(values, name, 51, np.uint8, is_checked_later=True)
    if array.ndim == 0 or array.shape[-1] not in widths:
        allowed = " or ".join(", ".join(str(width) for width in widths).rsplit(", ", 1))
        raise ArrayError(f"{name}: the last axis must have {allowed} cards; the shape is {array.shape}")
    shape = array.shape[:-1]
    return np.ascontiguousarray(array.reshape(int(np.prod(shape)), array.shape[-1])), shape


def seed_number(seed: int) -> int:
    """A seed."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ArrayError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return int(seed)


def count(value: int, name: str, least: int = 0, most: int = 2**32 - 1) -> int:
    """A whole number of something."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise ArrayError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return int(value)


def thread_count(threads: int | None) -> int | None:
    """A number of threads, or all."""
    return None if threads is None else count(threads, "threads", 1, 1024)


def real(value: float, name: str) -> float:
    """A number."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ArrayError(f"{name} must be a number, not {value!r}")
    return float(value)


def reals(values: Any, name: str) -> list[float]:
    """A list of numbers."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise ArrayError(f"{name} must be a list of numbers") from error
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iuf"):
        raise ArrayError(f"{name} must be a list of numbers, not {values!r}")
    return [float(value) for value in array]


def path(value: str | os.PathLike[str], name: str) -> str:
    """A path as text."""
    if not isinstance(value, (str, os.PathLike)):
        raise ArrayError(f"{name} must be a path, not {value!r}")
    found = os.fspath(value)
    if not isinstance(found, str) or "\0" in found or not found:
        raise ArrayError(f"{name} must be a path as text, not {value!r}")
    return found


def text(value: str, name: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ArrayError(f"{name} must be text, not {type(value).__name__}")
    return value


def one_of(value: str, choices: Sequence[str], name: str) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in choices:
        raise ArrayError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value
