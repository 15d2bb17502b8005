"""The worker's part of work on many machines: one job of a batch, or some flops of a blueprint, in the worker's process."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from . import _equipoise
from ._storage import Storage

__all__ = ["About", "Attend", "FlopTask", "Task", "about", "measure", "sees_folder", "solve", "stop"]

MEMORY = "memory_mb"
"""What workers call the memory that solves may take, in millions of bytes."""

_MEGABYTE = 1_000_000

# What Dask does without being asked when its process takes much of its limit: from 80 % on it pauses, at 95 % it is killed.
_OF_LIMIT = 0.7

_TELL_EVERY = 1.0

# How long a worker that closes waits for its solves to be saved.
_SAVING_S = 120.0


@dataclass(frozen=True)
class Task:
    """A job as it travels to a worker."""

    id: str
    spot: str
    text: str
    weight: float
    save: str
    engine: str
    run: str
    out: Storage
    memory_bytes: int
    threads: int | None
    checkpoint: float | None


@dataclass
class _Running:
    run: str
    worker: str
    stop: _equipoise.Stop


# The jobs of this process: of several workers, if they are threads of one.
_LOCK = threading.Lock()
_RUNNING: dict[int, _Running] = {}
_STOPPED: set[str] = set()
_CLOSING: set[str] = set()


def stop(run: str) -> int:
    """Stops the jobs of a run in this process, and those that begin later; how many were under way."""
    with _LOCK:
        _STOPPED.add(run)
        running = [job for job in _RUNNING.values() if job.run == run]
    for job in running:
        job.stop.set()
    return len(running)


@dataclass(frozen=True)
class About:
    """What a worker says of itself."""

    engine: str
    kernel: str
    sees: bool


def about(probe: str | None, out: Storage | None) -> About:
    """The worker's engine, and whether it sees a file of the folder."""
    engine, kernel = _equipoise.engine()
    sees = probe is None or out is None or out.read(probe) is not None
    return About(engine, kernel, sees)


def sees_folder(path: str) -> bool:
    """Whether the worker has a folder."""
    return os.path.isdir(path)


class Attend(WorkerPlugin):
    """Says how much memory a worker has, if nobody has said it, and saves its solves when it closes."""

    name = "equipoise"
    # A second driver must not take the first one's away: that would stop its solves.
    idempotent = True

    async def setup(self, worker: Worker) -> None:
        if MEMORY not in worker.state.total_resources:
            await worker.set_resources(**{MEMORY: _measured(worker)})

    async def teardown(self, worker: Worker) -> None:
        await save_all(worker.address)


def _measured(worker: Worker) -> float:
    """What a worker may take that says nothing: of its own limit what Dask lets it take in peace, or what there is."""
    limit = worker.memory_manager.memory_limit
    if limit:
        return _OF_LIMIT * limit / _MEGABYTE
    there = _equipoise.memory_limit(None)
    return 0.8 * (there or 0) / _MEGABYTE


async def save_all(address: str) -> None:
    """Stops the jobs of a worker and waits until they are saved."""
    until = time.monotonic() + _SAVING_S
    with _LOCK:
        _CLOSING.add(address)
    while time.monotonic() < until:
        with _LOCK:
            running = [job for job in _RUNNING.values() if job.worker == address]
        if not running:
            return
        for job in running:
            job.stop.set()
        await asyncio.sleep(0.05)


@contextmanager
def _under_way(run: str, worker: Worker) -> Iterator[_equipoise.Stop]:
    """What is stopped with its run, or with its worker."""
    running = _Running(run, worker.address, _equipoise.Stop())
    with _LOCK:
        _RUNNING[id(running)] = running
        if run in _STOPPED or worker.address in _CLOSING:
            running.stop.set()
    try:
        yield running.stop
    finally:
        with _LOCK:
            del _RUNNING[id(running)]


def _share_of_threads(worker: Worker, memory_bytes: int) -> int:
    """As many as are left to each job, if as many run as fit into memory. No result depends on it."""
    all_threads: int = worker.state.nthreads
    memory = worker.state.total_resources.get(MEMORY, 0) * _MEGABYTE
    at_once = max(1, min(all_threads, int(memory // max(1, memory_bytes))))
    return max(1, all_threads // at_once)


def _scratch(worker: Worker, scope: str) -> Path:
    """A folder that outlives the worker, whose own does not: the next one on this machine goes on there."""
    return Path(worker.local_directory).parent / "equipoise" / scope


def solve(task: Task, part: bytes | None) -> dict[str, Any]:
    """Does a job, from what was saved of it. What is found goes to its folder, the summary last; or back as bytes, if that is
    in the driver's memory."""
    worker = get_worker()
    _equipoise.check_engine(task.engine)
    with _under_way(task.run, worker) as stop:
        return _Job(task, part, worker, stop).do()


@dataclass(frozen=True)
class FlopTask:
    """Flops of a blueprint as they travel to a worker."""

    run: str
    engine: str
    blueprint: str
    """A name for its contents."""
    buckets: str
    flops: tuple[tuple[str, str], ...]
    """Each with the name of its file."""
    memory_bytes: int
    threads: int | None


def measure(task: FlopTask, blueprint: bytes) -> dict[str, Any]:
    """What a blueprint loses on some flops; the file of each comes back as bytes. What is stopped ends after its flop."""
    worker = get_worker()
    _equipoise.check_engine(task.engine)
    with _under_way(task.run, worker) as stop:
        folder = _scratch(worker, f"flops-{task.blueprint}")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / "blueprint.eqb"
        if not path.exists():
            _put_bytes(blueprint, path)
        flops = [flop for flop, _ in task.flops]
        threads = task.threads or _share_of_threads(worker, task.memory_bytes)
        opened = _equipoise.Blueprint.load(os.fspath(path))
        done = opened.measure_flops(task.buckets, flops, os.fspath(folder), threads, stop)
        names = [name for _, name in task.flops[:done]]
        found = {name: (folder / name).read_bytes() for name in names}
        for name in names:
            (folder / name).unlink(missing_ok=True)
        return {"ended": "stopped" if done < len(flops) else "done", "flops": found}


def _put_bytes(data: bytes, path: Path) -> None:
    """Writes a file as a whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.new")
    unfinished.write_bytes(data)
    os.replace(unfinished, path)


class _Job:
    """A job under way."""

    def __init__(self, task: Task, part: bytes | None, worker: Worker, stop: _equipoise.Stop) -> None:
        self.task, self.part, self.worker, self.stop = task, part, worker, stop
        self.folder = _scratch(worker, task.out.scope)
        self.told = 0.0
        self.uploaded = time.monotonic()
        self.upload_took = 0.0
        self.part_time = 0

    def file(self, ending: str) -> Path:
        return self.folder / "jobs" / f"{self.task.id}.{ending}"

    def name(self, ending: str) -> str:
        return f"jobs/{self.task.id}.{ending}"

    def do(self) -> dict[str, Any]:
        task = self.task
        if self.stop.is_set:
            return self.answer("stopped")
        if self.is_done():
            return self.answer("kept")
        self.file("").parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.bring_part()
        while True:
            _, ended, reason = _equipoise.solve_job(
                os.fspath(self.folder),
                task.spot,
                task.text,
                task.weight,
                task.save,
                task.threads or _share_of_threads(self.worker, task.memory_bytes),
                task.memory_bytes,
                task.checkpoint,
                self.stop,
                self.watch,
            )
            if ended != "busy":
                break
            # Another worker of this machine is at it, of which the scheduler may know nothing any more.
            time.sleep(0.5)
            if self.is_done():
                return self.answer("kept")
            if self.stop.is_set:
                return self.answer("stopped")
        if ended in ("solved", "kept"):
            return self.deliver(ended)
        if ended == "stopped":
            return self.keep_part()
        return self.report_failure(reason)

    def is_done(self) -> bool:
        return not self.task.out.is_memory and self.task.out.is_done(self.task.id)

    def answer(self, ended: str, **more: Any) -> dict[str, Any]:
        return {"id": self.task.id, "ended": ended, "worker": self.worker.address, **more}

    def bring_part(self) -> None:
        """What an earlier worker has saved of the job."""
        part = self.file("part.eqp")
        if part.exists():
            return
        if self.part is not None:
            _put_bytes(self.part, part)
        elif not self.task.out.is_memory:
            self.task.out.get(self.name("part.eqp"), part)

    def deliver(self, ended: str) -> dict[str, Any]:
        """The solution, then the summary."""
        solution, summary = self.file("eqp"), self.file("json")
        if self.task.out.is_memory:
            files = {"summary": summary.read_bytes(), "solution": solution.read_bytes() if solution.exists() else None}
            answer = self.answer(ended, **files)
        else:
            if solution.exists():
                self.task.out.put(solution, self.name("eqp"))
            self.task.out.put(summary, self.name("json"))
            self.task.out.remove(self.name("part.eqp"), self.name("failed.json"))
            answer = self.answer(ended)
        for path in (summary, solution):
            path.unlink(missing_ok=True)
        return answer

    def keep_part(self) -> dict[str, Any]:
        """What a solve has found that was stopped."""
        part = self.file("part.eqp")
        if not part.exists():
            return self.answer("stopped")
        if self.task.out.is_memory:
            # The file stays as well: whoever closes the worker does not wait for the answer.
            return self.answer("stopped", part=part.read_bytes())
        self.task.out.put(part, self.name("part.eqp"))
        part.unlink(missing_ok=True)
        return self.answer("stopped")

    def report_failure(self, reason: str | None) -> dict[str, Any]:
        failed = self.file("failed.json")
        if not self.task.out.is_memory and failed.exists():
            self.task.out.put(failed, self.name("failed.json"))
        answer = self.answer("failed", reason=reason)
        if self.task.out.is_memory and failed.exists():
            answer["failure"] = failed.read_bytes()
        failed.unlink(missing_ok=True)
        return answer

    def watch(self, state: dict[str, Any]) -> None:
        """Tells the driver how far the solve is, and saves its checkpoints where the next worker finds them."""
        now = time.monotonic()
        if now - self.told < _TELL_EVERY:
            return
        self.told = now
        told = {key: state[key] for key in ("fraction", "iteration", "exploitability_pct", "seconds")}
        self.worker.log_event(f"equipoise-{self.task.run}", {"id": self.task.id, "worker": self.worker.address, **told})
        if not self.task.out.is_memory:
            self.upload_part(now)

    def upload_part(self, now: float) -> None:
        # Traffic takes a tenth of the time at most.
        if now - self.uploaded < 10 * self.upload_took:
            return
        try:
            written = self.file("part.eqp").stat().st_mtime_ns
        except OSError:
            return
        if written == self.part_time:
            return
        try:
            self.task.out.put(self.file("part.eqp"), self.name("part.eqp"))
        except OSError:
            # The solve goes on; the next checkpoint is tried again.
            pass
        self.part_time = written
        self.uploaded = time.monotonic()
        self.upload_took = self.uploaded - now
