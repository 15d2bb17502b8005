"""A Dask scheduler and workers as processes on loopback, for tests that kill them."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path


def until(words, is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not within {seconds} s: {words}"
        time.sleep(0.05)


def free_port():
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return there.getsockname()[1]


class Cluster:
    """Ended with everything that it has started."""

    def __init__(self, folder, tls=None):
        self.folder, self.tls = Path(folder), tls
        self.port = free_port()
        self.address = f"{'tls' if tls else 'tcp'}://127.0.0.1:{self.port}"
        self.scheduler = None
        self.workers = []

    def __enter__(self):
        self.start_scheduler()
        return self

    def __exit__(self, *_):
        for process in [self.scheduler, *self.workers]:
            if process is not None and process.poll() is None:
                for child in children(process.pid):
                    kill(child)
                process.kill()
                process.wait()

    def start_scheduler(self):
        words = ["--host", self.address.rpartition(":")[0], "--port", str(self.port), "--no-dashboard", "--no-jupyter"]
        if self.tls:
            words += ["--tls-ca-file", self.tls["ca"], "--tls-cert", self.tls["cert"], "--tls-key", self.tls["key"]]
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler", *words]
        self.scheduler = subprocess.Popen(command, stdout=self.log("scheduler"), stderr=subprocess.STDOUT)

        def answers():
            assert self.scheduler.poll() is None, (self.folder / "scheduler.log").read_text()
            with socket.socket() as there:
                return there.connect_ex(("127.0.0.1", self.port)) == 0

        until("a scheduler", answers)

    def log(self, name):
        return open(self.folder / f"{name}.log", "ab")

    def worker(self, memory="600M", env=None, words=()):
        """An `equipoise-worker`."""
        number = len(self.workers)
        scratch = self.folder / f"scratch-{number}"
        scratch.mkdir()
        if self.tls:
            words = [*words, "--tls-ca", self.tls["ca"], "--tls-cert", self.tls["cert"], "--tls-key", self.tls["key"]]
        command = [sys.executable, "-m", "equipoise.worker", self.address, "--threads", "1", "--memory", memory]
        command += ["--folder", str(scratch), *words]
        log = self.log(f"worker-{number}")
        self.workers.append(subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(env or {})}))
        return self.workers[-1]

    def words(self):
        """What all have said."""
        return "".join(path.read_text(errors="replace") for path in sorted(self.folder.glob("*.log")))

    def started(self):
        """How often a worker has come."""
        return len(re.findall(r"equipoise-worker: t(?:cp|ls)://", self.words()))


def children(process):
    """The processes that one has started."""
    try:
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def kill(process, number=signal.SIGKILL):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass
