"""`equipoise-worker`: a Dask worker for batches, with its memory measured, that is started again when it dies.

The same as `python -m equipoise.worker`. TERM or Ctrl-C saves what is being solved, and ends it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from . import __version__, _equipoise
from .errors import EquipoiseError

__all__ = ["main"]

_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 30.0

# Of what is free when the worker starts, this part is offered: the rest is for the interpreter and its neighbours.
_OFFERED = 0.9

_EXAMPLES = """\
examples:
  equipoise-worker tcp://10.0.0.1:8786
  equipoise-worker tls://10.0.0.1:8786 --tls-ca ca.pem --tls-cert worker.pem --tls-key worker.key
  equipoise-worker tcp://10.0.0.1:8786 --threads 8 --memory 24G --folder /scratch

Without TLS whoever reaches the scheduler or a worker runs code here: bind it to a network of your own.
Exit codes: 0 after TERM or Ctrl-C, 1 if the worker fails for good, 2 for arguments that make no sense."""


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="equipoise-worker",
        description="Solve jobs of batches for a Dask scheduler, until TERM or Ctrl-C.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("scheduler", help="its address, such as tcp://10.0.0.1:8786")
    parser.add_argument("--threads", type=int, metavar="N", help="threads of all solves together [default: all processors]")
    parser.add_argument("--memory", metavar="SIZE", help="memory of all solves together, such as 24G [default: what is free]")
    parser.add_argument("--folder", metavar="DIR", help="where solves are kept while they run [default: Dask's temporary folder]")
    parser.add_argument("--name", help="what the scheduler calls it [default: its address]")
    parser.add_argument("--tls-ca", metavar="FILE", help="the certificate of the authority")
    parser.add_argument("--tls-cert", metavar="FILE", help="the certificate of the worker")
    parser.add_argument("--tls-key", metavar="FILE", help="its key")
    parser.add_argument("--once", action="store_true", help="end when the scheduler does, rather than wait for the next one")
    parser.add_argument("--version", action="version", version=f"equipoise {__version__}")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    if args.threads is not None and not 1 <= args.threads <= 1024:
        parser.error(f"--threads {args.threads}: from 1 to 1024")
    if not args.scheduler.startswith(("tcp://", "tls://", "ws://", "wss://")):
        parser.error(f"'{args.scheduler}' is no address of a scheduler: write tcp://host:8786 or tls://host:8786")
    given = [file for file in (args.tls_ca, args.tls_cert, args.tls_key) if file]
    for file in given:
        if not os.path.isfile(file):
            parser.error(f"{file} is no file")
    if given and len(given) < 3:
        parser.error("TLS takes all of --tls-ca, --tls-cert and --tls-key")
    if args.scheduler.startswith(("tls://", "wss://")) and not given:
        parser.error(f"{args.scheduler} takes --tls-ca, --tls-cert and --tls-key")
    if args.folder is not None and not os.path.isdir(args.folder):
        parser.error(f"{args.folder} is no folder")
    try:
        args.memory_bytes = _equipoise.memory_limit(args.memory)
    except EquipoiseError as error:
        parser.error(f"--memory {args.memory}: {error}")
    return args


def main(words: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    args = _arguments(words)
    try:
        import distributed  # noqa: F401
    except ImportError:
        print("error: this needs Dask: pip install 'equipoise[distributed]'", file=sys.stderr)
        return 1
    if args.serve:
        return asyncio.run(_serve(args))
    return _Keeper(list(sys.argv[1:] if words is None else words), args).run()


class _Keeper:
    """Starts the worker again when it dies, and ends it when it is told to."""

    def __init__(self, words: list[str], args: argparse.Namespace) -> None:
        self.command = [sys.executable, "-m", "equipoise.worker", "--serve", *words]
        self.is_once = args.once
        self.child: subprocess.Popen[bytes] | None = None
        self.is_ended = threading.Event()

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.end)
        wait = _FIRST_WAIT_S
        while not self.is_ended.is_set():
            started = time.monotonic()
            # The worker ends when this pipe does: with its keeper, however that dies.
            self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, start_new_session=True)
            if self.is_ended.is_set():
                self.child.terminate()
            code = self.child.wait()
            if code == 2 or (self.is_once and not self.is_ended.is_set()):
                return code if code >= 0 else 1
            wait = _FIRST_WAIT_S if time.monotonic() - started > 60 else min(2 * wait, _LONGEST_WAIT_S)
            if not self.is_ended.is_set():
                print(f"equipoise-worker: the worker has ended ({code}); starting it again in {wait:.0f} s", file=sys.stderr, flush=True)
                self.is_ended.wait(wait)
        return 0

    def end(self, *_: object) -> None:
        self.is_ended.set()
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()


async def _serve(args: argparse.Namespace) -> int:
    import distributed

    from ._jobs import MEMORY, save_all

    dask: Any = distributed  # It has types only in part.

    security: Any = None
    if args.tls_ca:
        security = dask.Security(
            require_encryption=True,
            tls_ca_file=args.tls_ca,
            tls_worker_cert=args.tls_cert,
            tls_worker_key=args.tls_key,
        )
    offered = args.memory_bytes or 0
    if args.memory is None:
        offered = int(offered * _OFFERED)
    worker = dask.Worker(
        args.scheduler,
        nthreads=args.threads,
        name=args.name,
        # Dask would kill the process for what the solves take; they are counted by the resource.
        memory_limit=0,
        resources={MEMORY: offered // 1_000_000},
        local_directory=args.folder,
        security=security,
        death_timeout=30,
    )
    loop = asyncio.get_running_loop()
    closing: list[asyncio.Task[None]] = []

    async def close() -> None:
        await save_all(worker.address)
        await worker.close(reason="equipoise-worker was told to end")

    def end() -> None:
        if not closing:
            closing.append(loop.create_task(close()))

    def wait_for_keeper() -> None:
        while os.read(0, 1):
            pass
        loop.call_soon_threadsafe(end)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end)
    threading.Thread(target=wait_for_keeper, name="keeper", daemon=True).start()
    try:
        await worker
    except (OSError, TimeoutError) as error:
        print(f"equipoise-worker: no scheduler answers at {args.scheduler}: {error}", file=sys.stderr)
        return 1
    print(f"equipoise-worker: {worker.address} with {worker.state.nthreads} threads and {offered / 1e9:.1f} GB", file=sys.stderr, flush=True)
    await worker.finished()
    for task in closing:
        await task
    return 0 if closing else 1


if __name__ == "__main__":
    sys.exit(main())
