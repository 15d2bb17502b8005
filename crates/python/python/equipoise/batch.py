"""Batches: one spot over many flops, in a folder that any number of processes may work on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _arrays, _equipoise
from ._progress import Progress, observer
from ._toml import toml_text
from .errors import EquipoiseError, SpotError
from .frames import Table
from .solution import Solution, load
from .spots import Spot

__all__ = ["Batch", "BatchJob", "Plan"]


class Plan:
    """Spots and their flops, and what is kept of each solve. Immutable; its text is the file of `equipoise batch`.

    `flops` is `"25"`, `"49"`, `"95"` (subsets that stand for all), `"all"`, or a list of flops.

    >>> import equipoise as eq
    >>> spot = eq.Spot(oop="QQ+", ip="JJ-99,AK", board="As7d2c", pot=200, stack=400, preset="simple")
    >>> plan = eq.Plan(spot, flops=["As7d2c", "Td9d6h"], save="summary")
    >>> plan
    <Plan of 2 jobs, save summary>
    >>> plan.jobs["board"].tolist()
    ['As7d2c', 'Td9d6h']
    """

    __slots__ = ("_plan",)

    def __init__(
        self, *spots: Spot, flops: str | Sequence[str] = "95", save: str = "no-turn", names: Sequence[str] | None = None
    ) -> None:
        if not spots:
            raise SpotError("a plan needs a spot")
        if names is not None and len(names) != len(spots):
            raise SpotError(f"{len(spots)} spots and {len(names)} names")
        head = {"schema_version": 1, "flops": flops if isinstance(flops, str) else list(flops), "save": save}
        parts = [toml_text(head)]
        for number, spot in enumerate(spots):
            name = names[number] if names is not None else None
            parts.append("\n[[spots]]\n" + (f"name = {json.dumps(name)}\n" if name is not None else ""))
            parts.append(_as_section(spot.to_toml()))
        self._plan = _equipoise.Plan("".join(parts), "plan.toml")

    @classmethod
    def of_text(cls, text: str, path: str = "plan.toml") -> Plan:
        """The plan of the text of a plan file (docs/batch.md); files that it names lie beside `path`."""
        made = object.__new__(cls)
        made._plan = _equipoise.Plan(text, path)
        return made

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Plan:
        """The plan of a file."""
        return cls.of_text(_equipoise.read_text(os.fspath(path)), os.fspath(path))

    def to_toml(self) -> str:
        """The text of the plan."""
        return self._plan.text

    @property
    def save(self) -> str:
        """What is kept of each solve: `"full"`, `"no-river"`, `"no-turn"`, `"resumable"` or `"summary"`."""
        return self._plan.save

    @property
    def notes(self) -> list[str]:
        """What the author may not have meant, and flops on which a spot cannot be played."""
        return self._plan.notes()

    @property
    def jobs(self) -> Table:
        """A row for each job: id, spot, board, weight, and bytes of memory and disk that it takes."""
        jobs = self._plan.jobs()
        needs = self._plan.needs(1)
        return Table(
            {
                "id": np.array([job[0] for job in jobs], dtype=np.str_),
                "spot": np.array([job[1] for job in jobs], dtype=np.str_),
                "board": np.array([job[2] for job in jobs], dtype=np.str_),
                "weight": np.array([job[3] for job in jobs], dtype=np.float64),
                "memory_bytes": np.array([need[0] for need in needs], dtype=np.uint64),
                "disk_bytes": np.array([need[1] for need in needs], dtype=np.uint64),
            }
        )

    def spot(self, number: int) -> Spot:
        """The spot of a job."""
        return Spot.of_text(self._plan.job_text(_arrays.count(number, "a job")))

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        threads: int | None = None,
        memory_limit: int | str | None = None,
        at_once: int | None = None,
        checkpoint: float | None = 180.0,
        progress: Progress = None,
    ) -> Batch:
        """Solves what is not done yet, as many jobs at once as fit into memory; the same call goes on after Ctrl-C.

        Solves are saved every `checkpoint` seconds on the way.
        """
        with observer(progress, "batch") as told:
            self._plan.run(
                os.fspath(folder),
                _arrays.thread_count(threads),
                None if memory_limit is None else str(memory_limit),
                None if at_once is None else _arrays.count(at_once, "at_once", 1),
                None if checkpoint is None else _arrays.real(checkpoint, "checkpoint"),
                told,
            )
        return Batch(folder)

    def __len__(self) -> int:
        return len(self._plan.jobs())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.to_toml() == other.to_toml() and self._plan.path == other._plan.path

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __repr__(self) -> str:
        return f"<Plan of {len(self)} jobs, save {self.save}>"

    def __reduce__(self) -> tuple[Any, tuple[str, str]]:
        return Plan.of_text, (self.to_toml(), self._plan.path)


def _as_section(text: str) -> str:
    """The text of a spot file below `[[spots]]`; its board goes, since the plan says the flops."""
    lines = []
    is_dropped = True  # What stands before the first section is the version of the format.
    for line in text.splitlines():
        if line.startswith("[["):
            is_dropped = False
            line = "[[spots." + line[2:]
        elif line.startswith("["):
            is_dropped = line.startswith("[cards]")
            line = "[spots." + line[1:]
        if not is_dropped:
            lines.append(line)
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class BatchJob:
    """One spot on one board."""

    id: str
    """Its name, which follows from the problem."""
    spot: str
    """What the plan calls the spot."""
    board: str
    """The cards where it begins."""
    weight: float
    """How much it counts in averages."""
    state: str
    """`"done"`, `"running"`, `"begun"`, `"failed"` or `"waiting"`."""
    failure: str | None
    """Why it failed when it was tried last."""
    path: str | None
    """The file of its solution, if there is one."""

    def solution(self) -> Solution:
        """The solution, if the plan keeps it and it is there."""
        if self.path is None:
            raise EquipoiseError(f"there is no file of {self.spot} on {self.board}: it is {self.state}")
        return load(self.path)


class Batch:
    """The folder of a batch: what is done, and its averages."""

    __slots__ = ("_folder",)

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)
        self._listing()  # Whether there is one.

    def _listing(self) -> tuple[dict[str, Any], list[tuple[str, str | None, str | None]]]:
        text, states = _equipoise.batch_listing(self._folder)
        return json.loads(text), states

    @property
    def folder(self) -> str:
        """Where it is."""
        return self._folder

    @property
    def jobs(self) -> list[BatchJob]:
        """The jobs, each with how far it is."""
        listing, states = self._listing()
        return [
            BatchJob(job["id"], job["spot"], job["board"], job["weight"], *state)
            for job, state in zip(listing["jobs"], states)
        ]

    def report(
        self, by: str = "flop", *, node: str = "", spot: str | None = None, progress: Progress = None
    ) -> Table:
        """Averages by `"flop"`, `"suits"`, `"pairing"`, `"high-card"`, `"connectedness"`, or all of these textures
        (`"texture"`): frequencies, equities, EVs and EQR at the first decision, or at that of `node`."""
        with observer(progress, "report") as told:
            names, columns = _equipoise.batch_report(self._folder, by, node, spot, told)
        return Table({name: np.array(column) for name, column in zip(names, columns)})

    def __len__(self) -> int:
        return len(self._listing()[0]["jobs"])

    def __getitem__(self, number: int) -> BatchJob:
        return self.jobs[number]

    def __iter__(self) -> Iterator[BatchJob]:
        return iter(self.jobs)

    def __repr__(self) -> str:
        states = [job.state for job in self.jobs]
        return f"<Batch in {self._folder!r}: {states.count('done')} of {len(states)} jobs done>"

    def __reduce__(self) -> tuple[type[Batch], tuple[str]]:
        return Batch, (self._folder,)
