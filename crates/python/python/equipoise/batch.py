"""Batches: one spot over many flops, in a folder that any number of processes may work on."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _arrays, _equipoise
from ._progress import Progress, observer
from ._storage import Storage, cached_file, is_url, local_path
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
        on: Any = None,
        security: Any = None,
        storage_options: Mapping[str, Any] | None = None,
        timeout: float = 60.0,
        patience: float = 600.0,
    ) -> Batch:
        """Solves what is not done yet; the same call goes on after Ctrl-C, or whatever ended it.

        Without `on` this machine does it, as many jobs at once as fit into memory. With `on`, the address of a Dask
        scheduler, a `Client` or a cluster, its workers do (docs/distributed.md), and `folder` may be what fsspec opens:
        `"s3://bucket/prefix"`, `"file:///shared/folder"`, or `"memory://name"`, so that results come back into the memory of
        this process. `threads` are those of each solve then, `security` is Dask's, `storage_options` are fsspec's; it waits
        `timeout` seconds for the first worker, and `patience` seconds for a scheduler that has died.

        Solves are saved every `checkpoint` seconds on the way.
        """
        path = os.fspath(folder)
        threads, checkpoint = _arrays.thread_count(threads), None if checkpoint is None else _arrays.real(checkpoint, "checkpoint")
        if on is not None:
            if memory_limit is not None or at_once is not None:
                raise EquipoiseError("memory_limit= and at_once= are for this machine: workers say what they have")
            from . import distributed

            distributed.run(
                self,
                path,
                on=on,
                security=security,
                storage_options=storage_options,
                threads=threads,
                checkpoint=checkpoint,
                progress=progress,
                timeout=_arrays.real(timeout, "timeout"),
                patience=_arrays.real(patience, "patience"),
            )
            return Batch(path, storage_options=storage_options)
        there = local_path(path)
        if there is None:
            raise EquipoiseError(f"'{path}' is not on this machine: say who solves with on=, such as on=\"tcp://scheduler:8786\"")
        with observer(progress, "batch") as told:
            self._plan.run(
                there,
                threads,
                None if memory_limit is None else str(memory_limit),
                None if at_once is None else _arrays.count(at_once, "at_once", 1),
                checkpoint,
                told,
            )
        return Batch(there)

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
    """The file of its solution, if there is one, or its URL."""
    storage_options: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    """What fsspec needs to open the URL."""

    def solution(self) -> Solution:
        """The solution, if the plan keeps it and it is there; of a URL a copy, for as long as this process lives."""
        if self.path is None:
            raise EquipoiseError(f"there is no file of {self.spot} on {self.board}: it is {self.state}")
        return load(cached_file(self.path, self.storage_options) if is_url(self.path) else self.path)


class Batch:
    """The folder of a batch, or its URL: what is done, and its averages."""

    __slots__ = ("_copy", "_folder", "_storage")

    def __init__(
        self, folder: str | os.PathLike[str], *, storage_options: Mapping[str, Any] | None = None
    ) -> None:
        path = os.fspath(folder)
        there = local_path(path)
        self._folder = path if there is None else there
        self._storage = Storage(path, storage_options) if there is None else None
        # What is known of a folder elsewhere.
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self._listing()  # Whether there is one.

    def _here(self, *, solutions: bool = False) -> tuple[str, bool]:
        """A folder on the disk, and whether it has the solutions."""
        if self._storage is None:
            return self._folder, True
        if self._copy is None:
            self._copy = tempfile.TemporaryDirectory(prefix="equipoise-")
        self._storage.fetch(self._copy.name, solutions=solutions)
        return self._copy.name, solutions

    def _listing(self) -> tuple[dict[str, Any], list[tuple[str, str | None, str | None]]]:
        text, states = _equipoise.batch_listing(*self._here())
        return json.loads(text), states

    @property
    def folder(self) -> str:
        """Where it is."""
        return self._folder

    @property
    def jobs(self) -> list[BatchJob]:
        """The jobs, each with how far it is."""
        listing, states = self._listing()
        jobs = []
        for job, (state, failure, path) in zip(listing["jobs"], states):
            options = None
            if self._storage is not None and path is not None:
                path, options = self._storage.path(f"jobs/{job['id']}.eqp"), self._storage.options
            jobs.append(BatchJob(job["id"], job["spot"], job["board"], job["weight"], state, failure, path, options))
        return jobs

    def report(
        self, by: str = "flop", *, node: str = "", spot: str | None = None, progress: Progress = None
    ) -> Table:
        """Averages by `"flop"`, `"suits"`, `"pairing"`, `"high-card"`, `"connectedness"`, or all of these textures
        (`"texture"`): frequencies, equities, EVs and EQR at the first decision, or at that of `node`, which reads the
        solutions."""
        folder, has_solutions = self._here(solutions=bool(node.strip()))
        with observer(progress, "report") as told:
            names, columns = _equipoise.batch_report(folder, has_solutions, by, node, spot, told)
        return Table({name: np.array(column) for name, column in zip(names, columns)})

    def fetch(self, folder: str | os.PathLike[str]) -> Batch:
        """Copies everything into a folder of this machine, where the command and the page read it; what is there stays."""
        (self._storage or Storage.of_folder(self._folder)).fetch(folder, solutions=True)
        return Batch(folder)

    def __len__(self) -> int:
        return len(self._listing()[0]["jobs"])

    def __getitem__(self, number: int) -> BatchJob:
        return self.jobs[number]

    def __iter__(self) -> Iterator[BatchJob]:
        return iter(self.jobs)

    def __repr__(self) -> str:
        states = [job.state for job in self.jobs]
        return f"<Batch in {self._folder!r}: {states.count('done')} of {len(states)} jobs done>"

    def __reduce__(self) -> tuple[Any, tuple[str, dict[str, Any] | None]]:
        return _batch, (self._folder, self._storage.options if self._storage is not None else None)


def _batch(folder: str, options: dict[str, Any] | None) -> Batch:
    return Batch(folder, storage_options=options)
