"""TOML of plain values: what spot files and plans need."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import SpotError


def _key(key: str) -> str:
    is_bare = key != "" and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if is_bare else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, (np.integer, np.floating, np.bool_)):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        # Strings of JSON are strings of TOML, but for this character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {_value(of)}" for key, of in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise SpotError(f"{value!r} cannot stand in a spot: it takes text, numbers, True and False")


def toml_text(sections: Mapping[str, Any], prefix: str = "") -> str:
    """The text of a table whose values are plain, tables, or lists of tables; what is `None` is left out."""
    plain, tables = [], []
    for key, value in sections.items():
        if value is None:
            continue
        name = prefix + _key(key)
        if isinstance(value, Mapping) and not (prefix and "locks" in prefix):
            inner = toml_text(value, name + ".")
            lines = [line for line in inner.splitlines() if line]
            if lines:
                head = "" if lines[0].startswith("[") else f"[{name}]\n"
                tables.append(head + inner)
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            for item in value:
                given = {key: of for key, of in item.items() if of is not None}
                rows = "".join(f"{_key(key)} = {_value(of)}\n" for key, of in given.items())
                tables.append(f"[[{name}]]\n{rows}")
        else:
            plain.append(f"{_key(key)} = {_value(value)}\n")
    return "".join(plain) + ("\n" if plain and tables else "") + "\n".join(tables)
