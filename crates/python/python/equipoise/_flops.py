"""The exploitability of a blueprint on many machines, by Dask: flops are measured by workers and come back as small tables.

The folder of the driver is the only state: whoever dies, the same call goes on with the flops that are not there.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _equipoise
from ._cluster import LOOK_EVERY, Connection, Lost, Rounds, asking, dask, reason, states
from .errors import EquipoiseError, FileError, Interrupted, TooLarge

__all__ = ["Measuring"]

# More flops in a task are less traffic, fewer are more even: so many tasks for each worker, if there are flops enough.
_TASKS_OF_WORKER = 8
_MOST_FLOPS = 16


class Measuring(Rounds):
    """Sees to it that all flops of a measurement are in a folder."""

    threads: int | None = None
    retries = 3
    memory_bytes = 4_000_000_000

    def __init__(
        self,
        blueprint: _equipoise.Blueprint,
        path: str,
        buckets: str,
        flops: int | None,
        seed: int,
        folder: str,
        told: Callable[[Any], object] | None,
    ) -> None:
        dask()
        super().__init__(told)
        self.blueprint, self.path, self.buckets, self.folder = blueprint, path, buckets, folder
        left = blueprint.flops_left(flops, seed, folder)
        self.left = dict(left)
        self.num_flops = max(1, len(left))

    def run(self, connection: Connection) -> None:
        self.do(connection)
        self.tell(force=True)

    def num_left(self) -> int:
        return len(self.left)

    def round(self, client: Any, connection: Connection, is_first: bool) -> None:
        with asking():
            self.attend(client, connection.timeout if is_first else connection.patience, None)
            self.check_workers(client)
            waiting = self.submit(client, list(self.left))
        try:
            with asking():
                while waiting:
                    again = self.collect(client, waiting)
                    if again:
                        waiting.update(self.submit(client, again))
                    self.tell()
                    time.sleep(LOOK_EVERY)
        except Lost:
            raise
        except KeyboardInterrupt as error:
            self.stop(client, waiting)
            raise Interrupted("the measurement was interrupted; the same call goes on with it, if it has a folder") from error
        except BaseException:
            self.stop(client, waiting)
            raise

    def check_workers(self, client: Any) -> None:
        """Whether a worker has the memory, and each the buckets."""
        from . import _jobs

        most = self.memory_there(client)
        if most * 1e6 < self.memory_bytes:
            error = TooLarge(f"a flop may take {self.memory_bytes / 1e6:,.0f} MB, and no worker has more than {most:,.0f} MB ({_jobs.MEMORY})")
            error.needed, error.limit = self.memory_bytes, int(most * 1e6)
            error.help = "start a worker with more (`equipoise-worker --memory`), or say with memory= that a flop takes less"
            raise error
        for worker, sees in client.run(_jobs.sees_folder, self.buckets, on_error="return").items():
            if sees is not True:
                raise FileError(
                    f"the worker {worker} has no buckets at {self.buckets}: put them there on every machine; "
                    "`equipoise abstraction build` with the same arguments makes the same files"
                )

    def submit(self, client: Any, flops: list[str]) -> dict[str, Any]:
        from . import _jobs

        data = Path(self.path).read_bytes()
        name = hashlib.sha256(data).hexdigest()[:12]
        there = client.scatter(data, broadcast=True, hash=False)
        size = math.ceil(len(flops) / (_TASKS_OF_WORKER * max(1, self.num_workers)))
        size = max(1, min(size, _MOST_FLOPS))
        futures = {}
        for first in range(0, len(flops), size):
            some = flops[first : first + size]
            task = _jobs.FlopTask(
                run=self.name,
                engine=self.engine,
                blueprint=name,
                buckets=self.buckets,
                flops=tuple((flop, self.left[flop]) for flop in some),
                memory_bytes=self.memory_bytes,
                threads=self.threads,
            )
            futures[" ".join(some)] = client.submit(
                _jobs.measure,
                task,
                there,
                resources={_jobs.MEMORY: self.memory_bytes / 1e6},
                retries=self.retries,
                pure=False,
            )
        return futures

    def collect(self, client: Any, waiting: dict[str, Any]) -> list[str]:
        """Takes what has ended; flops that were stopped, to be submitted again."""
        again: list[str] = []
        for flops, state in states(client, waiting).items():
            if state == "pending":
                continue
            if state == "error":
                raise EquipoiseError(f"a flop was not measured: {reason(waiting[flops].exception())}")
            self.take(waiting[flops].result(timeout=60))
            again += [flop for flop in flops.split() if flop in self.left]
            del waiting[flops]
        return again

    def take(self, answer: dict[str, Any]) -> bool:
        for name, data in answer["flops"].items():
            unfinished = Path(self.folder, f".{name}.{self.name}.new")
            unfinished.write_bytes(data)
            unfinished.replace(Path(self.folder, name))
        self.left = {flop: name for flop, name in self.left.items() if name not in answer["flops"]}
        return bool(answer["ended"] == "done")

    def tell(self, *, force: bool = False) -> None:
        if self.told is not None and self.is_time_to_tell(force):
            self.told(1 - len(self.left) / self.num_flops)
