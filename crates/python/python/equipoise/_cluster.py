"""What every work on a Dask cluster has in common: a connection that comes back, workers that are checked before anything
starts, rounds as long as a scheduler lives, and an end that saves."""

from __future__ import annotations

import asyncio
import logging
import math
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from typing import Any

from . import _equipoise
from ._storage import Storage
from .errors import EquipoiseError

__all__ = ["LOOK_EVERY", "Connection", "Lost", "Rounds", "asking", "dask", "reason", "states"]

LOOK_EVERY = 0.1

# Of connections that are lost in the middle of a question.
_LOST = (OSError, EOFError, TimeoutError)


def dask() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise EquipoiseError("on= needs Dask: pip install 'equipoise[distributed]'") from error
    return distributed


class Lost(Exception):
    """The scheduler is gone, and with it what it knew."""


class Connection:
    """A client of the scheduler, and another one when the scheduler comes back."""

    def __init__(self, on: Any, security: Any, timeout: float, patience: float) -> None:
        self.security, self.timeout, self.patience = security, timeout, patience
        self.given: Any = None
        self.made: Any = None
        if isinstance(on, dask().Client):
            self.given, self.address = on, on.scheduler.address
            self.security = security or on.security
        elif isinstance(on, str):
            self.address = on
        elif hasattr(on, "scheduler_address"):
            self.address = on.scheduler_address
            self.security = security or getattr(on, "security", None)
        else:
            raise EquipoiseError(f"on= is the address of a Dask scheduler, a Client or a cluster, not {on!r}")
        self.check_tls()

    def check_tls(self) -> None:
        """A client without certificates would fail half made, and its end disturb the next one."""
        if not self.address.startswith(("tls://", "wss://")):
            return
        security = self.security or dask().Security()
        if security.get_connection_args("client").get("ssl_context") is None:
            raise EquipoiseError(
                f"{self.address} takes certificates: security=distributed.Security(require_encryption=True, tls_ca_file=…, "
                "tls_client_cert=…, tls_client_key=…)"
            )

    def open(self, is_first: bool) -> Any:
        """A client that is connected; waits for a scheduler that is gone, not for one that never was there."""
        until = time.monotonic() + (self.timeout if is_first else self.patience)
        while True:
            if self.given is not None and self.given.status == "running":
                return self.given
            if self.given is None or self.given.status in ("closed", "closing"):
                self.close()
                try:
                    self.made = dask().Client(
                        self.address, security=self.security, timeout=min(5.0, self.timeout), set_as_default=False
                    )
                    return self.made
                except _LOST as error:
                    if time.monotonic() > until:
                        raise EquipoiseError(f"no scheduler answers at {self.address}: {error}") from error
                except (TypeError, ValueError, RuntimeError) as error:
                    raise EquipoiseError(f"{self.address} cannot be connected to: {error}") from error
            elif time.monotonic() > until:
                raise EquipoiseError(f"the scheduler at {self.address} does not come back")
            time.sleep(0.5)

    def close(self) -> None:
        if self.made is None:
            return
        # A client that is just trying to connect again would tell at length that it was kept from it.
        log = logging.getLogger("distributed.client")
        was_disabled, log.disabled = log.disabled, True
        try:
            with suppress(Exception):
                self.made.close(timeout=1)
        finally:
            log.disabled = was_disabled
            self.made = None


@contextmanager
def asking() -> Iterator[None]:
    """What fails because the scheduler is gone is asked again of the next one."""
    try:
        yield
    except EquipoiseError:
        # Some are system errors too; the workers' disks are not the scheduler.
        raise
    except (asyncio.CancelledError, CancelledError, *_LOST) as error:
        raise Lost(str(error)) from error


class Rounds:
    """Sees to it that something is done on a cluster: in rounds, each as long as a scheduler lives."""

    num_workers = 0
    told_at = 0.0

    def __init__(self, told: Callable[[Any], object] | None) -> None:
        self.told = told
        self.name = uuid.uuid4().hex[:12]
        self.engine = _equipoise.engine()[0]

    def num_left(self) -> int:
        """How much there is to do."""
        raise NotImplementedError

    def round(self, client: Any, connection: Connection, is_first: bool) -> None:
        """Until all is done; raises `Lost` if the scheduler is gone."""
        raise NotImplementedError

    def look(self) -> None:
        """Finds what was done though nobody has told of it."""

    def do(self, connection: Connection) -> None:
        is_first = True
        until = math.inf
        try:
            while self.num_left():
                before = self.num_left()
                try:
                    self.round(connection.open(is_first), connection, is_first)
                except Lost as error:
                    until = time.monotonic() + connection.patience if self.num_left() < before or is_first else until
                    if time.monotonic() > until:
                        raise EquipoiseError(f"the scheduler at {connection.address} does not stay: {error}") from error
                    self.look()
                    # A client that was given notices a little later, and connects again by itself.
                    time.sleep(1)
                is_first = False
        finally:
            connection.close()

    def attend(self, client: Any, timeout: float, out: Storage | None) -> None:
        """Waits for workers and checks them before anything starts."""
        from . import _jobs

        try:
            client.wait_for_workers(1, timeout=timeout)
        except TimeoutError as error:
            if client.status != "running":
                raise Lost from error
            raise EquipoiseError(
                f"no worker has come to {client.scheduler.address} within {timeout:.0f} s: start some with "
                f"`equipoise-worker {client.scheduler.address}`"
            ) from error
        found = client.run(_jobs.about, None, out, on_error="return")
        for worker, about in found.items():
            if isinstance(about, (ImportError, AttributeError)):
                raise EquipoiseError(f"the worker {worker} cannot use equipoise {self.engine}: {about}")
            if isinstance(about, Exception):
                raise about
            if about.engine != self.engine:
                raise EquipoiseError(
                    f"the worker {worker} has engine {about.engine}, and here it is {self.engine}: install the same on all"
                )
        try:
            client.get_versions(check=True, packages=["equipoise"])
        except ValueError as error:
            raise EquipoiseError(f"the versions of the cluster do not go together: {error}") from error
        client.register_plugin(_jobs.Attend())

    def memory_there(self, client: Any) -> float:
        """The most megabytes that a worker offers."""
        from . import _jobs

        workers = client.scheduler_info(n_workers=-1)["workers"]
        self.num_workers = len(workers)
        return max((worker["resources"].get(_jobs.MEMORY, 0.0) for worker in workers.values()), default=0.0)

    def take(self, answer: dict[str, Any]) -> bool:
        """Takes what a worker has answered; false for what was stopped."""
        raise NotImplementedError

    def stop(self, client: Any, waiting: dict[str, Any]) -> None:
        """Has the workers save what is under way, and waits for that; a second Ctrl-C does not."""
        from . import _jobs

        with suppress(Exception):
            while waiting and client.status == "running":
                # Workers that have come since, too. What begins later ends at once.
                client.run(_jobs.stop, self.name, on_error="ignore")
                for job, future in list(waiting.items()):
                    if future.status == "pending":
                        continue
                    if future.status == "finished":
                        self.take(future.result(timeout=60))
                    del waiting[job]
                time.sleep(LOOK_EVERY)

    def is_time_to_tell(self, force: bool) -> bool:
        if self.told is None or (not force and time.monotonic() - self.told_at < 0.5):
            return False
        self.told_at = time.monotonic()
        return True


def states(client: Any, waiting: Mapping[str, Any]) -> dict[str, str]:
    """How far each task is; raises `Lost` if the scheduler has forgotten them."""
    found: dict[str, str] = {job: future.status for job, future in waiting.items()}
    if "cancelled" in found.values() or "lost" in found.values() or client.status != "running":
        raise Lost
    return found


def reason(error: BaseException) -> str:
    """Why a task has failed."""
    from distributed import KilledWorker

    if isinstance(error, KilledWorker):
        return f"{error.allowed_failures + 1} workers have died with it, perhaps for want of memory"
    return f"{type(error).__name__}: {error}"
