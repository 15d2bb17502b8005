"""Prints the schema of a Parquet file, how many rows it has, and some of them, as polars reads it."""

import json
import sys

import polars as pl

path, *places = sys.argv[1:]
table = pl.read_parquet(path)
document = {
    "schema": {name: str(kind) for name, kind in table.schema.items()},
    "height": table.height,
    "sums": {name: table[name].sum() for name in table.columns if table[name].dtype.is_numeric()},
    "rows": [table.row(int(place), named=True) for place in places],
}
print(json.dumps(document, allow_nan=False))
