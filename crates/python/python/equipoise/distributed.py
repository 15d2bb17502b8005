"""Batches on many machines, by Dask: `plan.run("s3://bucket/prefix", on="tls://scheduler:8786")`.

Jobs are solved in the processes of the workers, and what they find is written by fsspec, so that machines need no disk in
common. The place where it is written is the only state: whoever dies, the same call goes on with what is left.
docs/distributed.md is the guide. **Whoever reaches a scheduler without TLS runs code on its workers.**
"""

from __future__ import annotations

import math
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _equipoise
from ._cluster import LOOK_EVERY, Connection, Lost, Rounds, asking, dask, reason, states
from ._progress import Progress, observer
from ._storage import Storage, local_path
from ._table import table
from .errors import EquipoiseError, FileError, Interrupted, TooLarge

if TYPE_CHECKING:
    from .batch import Plan

__all__ = ["run"]


def run(
    plan: Plan,
    out: str | os.PathLike[str],
    *,
    on: Any,
    security: Any = None,
    storage_options: Mapping[str, Any] | None = None,
    threads: int | None = None,
    checkpoint: float | None = 180.0,
    progress: Progress = None,
    timeout: float = 60.0,
    patience: float = 600.0,
    retries: int = 3,
) -> Storage:
    """What `Plan.run` does with `on=`; it says what the arguments are."""
    path = os.fspath(out)
    there = local_path(path)
    storage = Storage(path, storage_options) if there is None else Storage.of_folder(there)
    dask()
    show = table if progress is True else observer
    with show(progress, "batch") as told:
        driver = _Driver(plan, storage, told)
        driver.threads, driver.checkpoint, driver.retries = threads, checkpoint, retries
        driver.run(Connection(on, security, timeout, patience))
    return storage


class _Driver(Rounds):
    """Sees to it that all jobs of a plan are done."""

    threads: int | None = None
    checkpoint: float | None = None
    retries = 3

    def __init__(self, plan: Plan, out: Storage, told: Callable[[Any], object] | None) -> None:
        super().__init__(told)
        self.plan, self.out = plan, out
        self.jobs = plan._plan.jobs()
        self.numbers = {job[0]: number for number, job in enumerate(self.jobs)}
        self.done: set[str] = set()
        self.failed: dict[str, str] = {}
        self.states: dict[str, dict[str, Any]] = {}

    # The state is the folder.

    def run(self, connection: Connection) -> None:
        self.done = self.out.done(self.numbers)
        if len(self.done) == len(self.jobs):
            self.write_list()
            self.tell(force=True)
            return
        self.do(connection)
        self.tell(force=True)
        if self.failed:
            self.refuse_failures()

    def left(self) -> list[str]:
        """Jobs to be done, the largest first."""
        return [job for job in self.numbers if job not in self.done and job not in self.failed]

    def num_left(self) -> int:
        return len(self.left())

    def look(self) -> None:
        self.done |= self.out.done(self.left())

    def write_list(self) -> None:
        with tempfile.TemporaryDirectory(prefix="equipoise-") as folder:
            self.plan._plan.prepare(folder)
            data = Path(folder, "batch.json").read_bytes()
        if self.out.read("batch.json") != data:
            self.out.write("batch.json", data)

    def refuse_failures(self) -> None:
        first, reason = next(iter(self.failed.items()))
        _, spot, board, _ = self.jobs[self.numbers[first]]
        raise EquipoiseError(
            f"{len(self.failed)} of {len(self.jobs)} jobs failed; the first, {spot} on {board}: {reason}"
        )

    # One round: until all is done, or the scheduler is gone.

    def round(self, client: Any, connection: Connection, is_first: bool) -> None:
        with asking():
            needs = self.prepare(client, connection.timeout if is_first else connection.patience)
            client.subscribe_topic(f"equipoise-{self.name}", lambda event: self.note(event[1]))
            waiting = self.submit(client, needs)
        try:
            with asking():
                while waiting:
                    again = self.collect(client, waiting)
                    if again:
                        waiting.update(self.submit(client, needs, again))
                    self.tell()
                    time.sleep(LOOK_EVERY)
        except Lost:
            raise
        except KeyboardInterrupt as error:
            self.stop(client, waiting)
            raise Interrupted("the batch was interrupted; the same call goes on with it") from error
        except BaseException:
            self.stop(client, waiting)
            raise
        finally:
            with suppress(Exception):
                client.unsubscribe_topic(f"equipoise-{self.name}")

    def prepare(self, client: Any, timeout: float) -> list[int]:
        """Checks workers before anything starts; the megabytes that each job takes."""
        self.attend(client, timeout, self.out)
        self.write_list()
        self.check_storage(client)
        return self.check_memory(client)

    def check_storage(self, client: Any) -> None:
        """Whether workers see what the driver writes."""
        from . import _jobs

        if self.out.is_memory:
            most = sum(need[1] for need in self.plan._plan.needs(1))
            there = _equipoise.memory_limit(None)
            if there is not None and most > there:
                error = TooLarge(f"the results may take {_gigabytes(most)}, and the driver has {_gigabytes(there)} of memory left")
                error.needed, error.limit = most, there
                error.help = "write them to s3:// or file://, or keep less: save=\"summary\""
                raise error
            return
        probe = f"probe-{uuid.uuid4().hex}"
        self.out.write(probe, b"equipoise\n")
        try:
            found = client.run(_jobs.about, probe, self.out, on_error="return")
        finally:
            self.out.remove(probe)
        for worker, about in found.items():
            if isinstance(about, Exception):
                raise FileError(f"the worker {worker} cannot use {self.out.url}: {about}") from about
            if not about.sees:
                raise FileError(
                    f"the worker {worker} does not see {self.out.url}: a file:// folder has to be on a disk that all machines share"
                )

    def check_memory(self, client: Any) -> list[int]:
        """Whether the largest job fits into a worker; the megabytes that each job takes."""
        from . import _jobs

        most = self.memory_there(client)
        workers = client.scheduler_info(n_workers=-1)["workers"]
        threads = self.threads or max(worker["nthreads"] for worker in workers.values())
        needs = [math.ceil(memory / 1e6) for memory, _ in self.plan._plan.needs(threads)]
        large = [job for job in self.left() if needs[self.numbers[job]] > most]
        if large:
            largest = max(large, key=lambda job: needs[self.numbers[job]])
            number = self.numbers[largest]
            _, spot, board, _ = self.jobs[number]
            error = TooLarge(
                f"{spot} on {board} takes {needs[number]:,} MB, and no worker has more than {most:,.0f} MB ({_jobs.MEMORY}); "
                f"{len(large)} of {len(self.jobs)} jobs do not fit"
            )
            error.needed, error.limit = needs[number] * 1_000_000, int(most * 1e6)
            error.help = "start a worker with more (`equipoise-worker --memory`), or store less (quantization = \"16bit\")"
            raise error
        return needs

    def submit(self, client: Any, needs: list[int], jobs: list[str] | None = None) -> dict[str, Any]:
        from . import _jobs

        order = sorted(self.left() if jobs is None else jobs, key=lambda job: -needs[self.numbers[job]])
        futures = {}
        for job in order:
            number = self.numbers[job]
            _, spot, _, weight = self.jobs[number]
            part = self.out.read(f"jobs/{job}.part.eqp") if self.out.is_memory else None
            task = _jobs.Task(
                id=job,
                spot=spot,
                text=self.plan._plan.job_text(number),
                weight=weight,
                save=self.plan.save,
                engine=self.engine,
                run=self.name,
                out=self.out,
                memory_bytes=needs[number] * 1_000_000,
                threads=self.threads,
                checkpoint=self.checkpoint,
            )
            futures[job] = client.submit(
                _jobs.solve,
                task,
                # It may have many megabytes, which the scheduler need not see.
                None if part is None else client.scatter(part, hash=False),
                key=f"equipoise-{job}-{self.out.scope}",
                resources={_jobs.MEMORY: needs[number]},
                retries=self.retries,
                pure=False,
            )
        return futures

    def collect(self, client: Any, waiting: dict[str, Any]) -> list[str]:
        """Takes what has ended; jobs that somebody else has stopped, to be submitted again."""
        again = []
        for job, state in states(client, waiting).items():
            if state == "pending":
                continue
            if state == "error":
                self.failed[job] = reason(waiting[job].exception())
            elif not self.take(waiting[job].result(timeout=60)):
                again.append(job)
            del waiting[job]
            self.states.pop(job, None)
        return again

    def take(self, answer: dict[str, Any]) -> bool:
        """Takes what a worker has answered; false for a solve that was stopped."""
        job = answer["id"]
        if answer["ended"] == "failed":
            if self.out.is_memory and answer.get("failure"):
                self.out.write(f"jobs/{job}.failed.json", answer["failure"])
            self.failed[job] = answer["reason"]
            return True
        if answer["ended"] == "stopped":
            if answer.get("part") is not None:
                self.out.write(f"jobs/{job}.part.eqp", answer["part"])
            return False
        if self.out.is_memory:
            if answer["solution"] is not None:
                self.out.write(f"jobs/{job}.eqp", answer["solution"])
            self.out.write(f"jobs/{job}.json", answer["summary"])
            self.out.remove(f"jobs/{job}.part.eqp", f"jobs/{job}.failed.json")
        self.done.add(job)
        return True

    # What is seen of it.

    def note(self, state: dict[str, Any]) -> None:
        self.states[state["id"]] = state

    def tell(self, *, force: bool = False) -> None:
        if self.told is None or not self.is_time_to_tell(force):
            return
        running = [state for job, state in self.states.copy().items() if job not in self.done]
        rows = []
        for state in running:
            _, spot, board, _ = self.jobs[self.numbers[state["id"]]]
            rows.append({**state, "spot": spot, "board": board})
        ended = len(self.done) + len(self.failed)
        fraction = (ended + sum(state["fraction"] for state in running)) / max(1, len(self.jobs))
        self.told(
            {
                "fraction": min(1.0, fraction),
                "jobs_done": len(self.done),
                "jobs_failed": len(self.failed),
                "jobs": len(self.jobs),
                "workers": self.num_workers,
                "running": rows,
            }
        )


def _gigabytes(number: int) -> str:
    return f"{number / 1e9:.1f} GB"
