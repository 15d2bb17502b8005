"""Batches by Dask: a real scheduler and real workers, some of which are killed."""

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import equipoise as eq
from equipoise._equipoise import file_header

pytest.importorskip("distributed")

from clusters import Cluster, children, kill, until  # noqa: E402

FLOPS = ["As7d2c", "Td9d6h", "KhKd4s", "8c5c3c", "QsJd4h", "9h9d2s"]
SPOT = dict(oop="QQ+,AKs,KQs,A5s", ip="JJ-88,AQs,AJs,KQs,AKo", board="As7d2c", pot=200, stack=600,
            bets={"flop": "50%", "turn": "50%", "river": "75%"})
# Kills of workers and schedulers on top: `make soak`.
KILLS = int(os.environ.get("EQUIPOISE_DASK_KILLS", "0"))


def make_plan(target, flops=FLOPS, save="no-turn", **more):
    return eq.Plan(eq.Spot(**{**SPOT, **more}, target=target), flops=flops, save=save, names=["srp"])


@pytest.fixture(scope="module")
def quick():
    return make_plan(5.0, FLOPS[:4], bets={"flop": "50%"})


@pytest.fixture(scope="module")
def slow():
    """Two seconds a job, so that there is time to kill somebody."""
    return make_plan(1.0)


@pytest.fixture(scope="module")
def expected(slow, tmp_path_factory):
    folder = tmp_path_factory.mktemp("one machine")
    slow.run(folder)
    return numbers(folder)


def numbers(folder):
    """Every byte of every solution and every summary, but for times and what depends on threads."""
    found = {}
    for path in sorted((Path(folder) / "jobs").glob("*.json")):
        summary = json.loads(path.read_text())
        strategies = [
            (node.path, node.player, node.strategy.tobytes(), node.action_evs.tobytes())
            for node in eq.load(path.with_suffix(".eqp")).walk(until="flop")
        ]
        told = {key: value for key, value in summary.items() if key not in ("elapsed_s", "memory_bytes", "file_bytes")}
        found[path.stem] = (told, strategies)
    return found


def jobs_in(folder, ending):
    return sorted((Path(folder) / "jobs").glob(f"*.{ending}"))


def is_begun(seen):
    """Whether a worker has told of a solve."""
    return any(state["running"] for state in seen)


class Driver(threading.Thread):
    """Runs a plan on a cluster beside the test."""

    def __init__(self, plan, out, cluster, **more):
        super().__init__(daemon=True)
        self.plan, self.out, self.cluster, self.more = plan, out, cluster, more
        self.seen, self.error, self.batch = [], None, None
        self.start()

    def run(self):
        try:
            self.batch = self.plan.run(self.out, on=self.cluster.address, progress=self.seen.append, **self.more)
        except BaseException as error:
            self.error = error

    def end(self, seconds=120):
        self.join(seconds)
        assert not self.is_alive(), "the run does not end"
        if self.error is not None:
            raise self.error
        return self.batch


def test_a_cluster_of_this_machine(quick, tmp_path):
    """Workers that say nothing of their memory, `file://` and `memory://`, and what is done is kept."""
    from distributed import Client, LocalCluster

    alone = quick.run(tmp_path / "alone")
    seen = []
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        batch = quick.run((tmp_path / "as many").as_uri(), on=client, progress=seen.append)
        assert batch.folder == str(tmp_path / "as many") and repr(batch).endswith("4 of 4 jobs done>")
        assert numbers(tmp_path / "as many") == numbers(tmp_path / "alone")
        assert seen[-1]["jobs_done"] == 4 and seen[-1]["fraction"] == 1 and seen[-1]["workers"] == 2
        times = {path: path.stat().st_mtime_ns for path in jobs_in(tmp_path / "as many", "json")}
        quick.run(tmp_path / "as many", on=cluster)
        assert times == {path: path.stat().st_mtime_ns for path in jobs_in(tmp_path / "as many", "json")}
        # What is not done is done, whatever is left of it.
        jobs_in(tmp_path / "as many", "eqp")[0].write_bytes(b"short")
        jobs_in(tmp_path / "as many", "json")[2].unlink()
        quick.run(tmp_path / "as many", on=cluster.scheduler_address)
        assert numbers(tmp_path / "as many") == numbers(tmp_path / "alone")

        there = quick.run("memory://somewhere/batch", on=cluster)
        assert [job.state for job in there] == ["done"] * 4 and there.folder == "memory://somewhere/batch"
        assert there.report()["oop_ev"].tolist() == alone.report()["oop_ev"].tolist()
        assert there.report(node="check").to_polars().equals(alone.report(node="check").to_polars())
        assert there[0].path.startswith("memory://") and there[0].solution().root.board == "As7d2c"
        there.fetch(tmp_path / "fetched")
        assert numbers(tmp_path / "fetched") == numbers(tmp_path / "alone")
        assert not list(tmp_path.glob("as many/probe-*")) and not jobs_in(tmp_path / "as many", "lock")

        with pytest.raises(eq.EquipoiseError, match="are for this machine"):
            quick.run(tmp_path, on=cluster, at_once=2)


def test_a_worker_and_the_scheduler_are_killed(slow, expected, tmp_path):
    """Finished jobs stay, and what was lost is submitted again."""
    out = tmp_path / "out"
    with Cluster(tmp_path) as cluster:
        workers = [cluster.worker(), cluster.worker()]
        driver = Driver(slow, out, cluster)
        until("a solve under way", lambda: is_begun(driver.seen))
        # The process that solves, and then the one that keeps it.
        kill(children(workers[0].pid)[0])
        until("a worker again", lambda: cluster.started() >= 3)
        orphan = children(workers[1].pid)[0]
        kill(workers[1].pid)
        workers[1].wait()
        until("no orphan", lambda: not Path(f"/proc/{orphan}").exists() or "zombie" in status(orphan))
        cluster.worker()
        until("a finished job", lambda: driver.error or jobs_in(out, "json"))
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        done = {path: path.stat().st_mtime_ns for path in jobs_in(out, "json")}
        cluster.start_scheduler()
        batch = driver.end()
        assert [job.state for job in batch] == ["done"] * len(FLOPS)
        for path, written in done.items():
            assert path.stat().st_mtime_ns == written, "a finished job was done again"
        assert numbers(out) == expected
        assert not jobs_in(out, "part.eqp") and not jobs_in(out, "failed.json")


def status(process):
    try:
        return Path(f"/proc/{process}/status").read_text()
    except OSError:
        return "zombie"


def test_what_cannot_be_is_refused_before_anything_starts(quick, tmp_path, monkeypatch):
    """A job too large, another version, no worker, no scheduler, a place that workers do not see."""
    shim = tmp_path / "shim"
    shim.mkdir()
    (shim / "sitecustomize.py").write_text(
        "import equipoise._equipoise as engine\nengine.engine = lambda: ('0.0.1+feedbee', 'avx2')\n"
    )
    with Cluster(tmp_path) as cluster:
        with pytest.raises(eq.EquipoiseError, match="no worker has come"):
            quick.run(tmp_path / "out", on=cluster.address, timeout=0.5)
        worker = cluster.worker(memory="5M")
        with pytest.raises(eq.TooLarge, match="MB") as refused:
            quick.run(tmp_path / "out", on=cluster.address)
        assert refused.value.limit == 5_000_000 < refused.value.needed and "equipoise-worker --memory" in str(refused.value)
        assert "3 of 4 jobs" in str(refused.value) and not jobs_in(tmp_path / "out", "*")
        with pytest.raises(eq.EquipoiseError, match="cannot be opened"):
            quick.run("nosuch://bucket/x", on=cluster.address)
        worker.terminate()
        assert worker.wait(20) == 0
        cluster.worker(env={"PYTHONPATH": str(shim)})
        with pytest.raises(eq.EquipoiseError, match=r"has engine 0\.0\.1\+feedbee"):
            quick.run(tmp_path / "out", on=cluster.address)
        assert not jobs_in(tmp_path / "out", "*")
        address = cluster.address
    with pytest.raises(eq.EquipoiseError, match="no scheduler answers"):
        quick.run(tmp_path / "out", on=address, timeout=0.5)
    for on in [3, None.__class__]:
        with pytest.raises(eq.EquipoiseError, match="on= is"):
            quick.run(tmp_path / "out", on=on)
    with pytest.raises(eq.EquipoiseError, match="say who solves"):
        quick.run("s3://bucket/x")
    with pytest.raises(eq.EquipoiseError, match="absolute"):
        quick.run("file://relative")


def test_interrupted_solves_are_saved_and_go_on(slow, expected, tmp_path):
    """Ctrl-C of the driver, then TERM of a worker: what is under way is in the folder, and resumes."""
    out = tmp_path / "out"
    (tmp_path / "plan.toml").write_text(slow.to_toml())
    with Cluster(tmp_path) as cluster:
        worker = cluster.worker()
        program = f"""
            import equipoise as eq
            def told(state):
                if state["running"]:
                    print("working", flush=True)
            try:
                eq.Plan.read({str(tmp_path / "plan.toml")!r}).run({str(out)!r}, on={cluster.address!r}, progress=told)
            except eq.Interrupted as error:
                print("interrupted", error, flush=True)
        """
        child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "working\n"
        child.send_signal(signal.SIGINT)
        words, _ = child.communicate(timeout=60)
        assert "interrupted the batch was interrupted; the same call goes on" in words
        saved = jobs_in(out, "part.eqp")
        assert len(saved) == 1 and len(jobs_in(out, "json")) < len(FLOPS), "no solve was saved"
        iterations = json.loads(file_header(str(saved[0])))["iterations"]
        assert iterations > 0

        driver = Driver(slow, out, cluster)
        until("a solve under way", lambda: is_begun(driver.seen))
        # It goes on where it was stopped.
        told = [row for state in driver.seen for row in state["running"] if saved[0].stem.startswith(row["id"])]
        assert told[0]["iteration"] >= iterations, (told[0], iterations)
        done = len(jobs_in(out, "json"))
        worker.terminate()
        assert worker.wait(60) == 0
        assert jobs_in(out, "part.eqp") or len(jobs_in(out, "json")) > done
        cluster.worker()
        driver.end()
        assert numbers(out) == expected


def test_a_callback_that_fails_ends_the_run_and_keeps_the_work(slow, tmp_path):
    def told(state):
        if state["running"]:
            raise ZeroDivisionError("of the callback")

    with Cluster(tmp_path) as cluster:
        cluster.worker()
        with pytest.raises(ZeroDivisionError, match="of the callback"):
            slow.run("memory://interrupted", on=cluster.address, progress=told)
        states = [job.state for job in eq.Batch("memory://interrupted")]
        assert "begun" in states, states
        assert [job.state for job in slow.run("memory://interrupted", on=cluster.address)] == ["done"] * len(FLOPS)


@pytest.fixture(scope="module")
def blueprint(tmp_path_factory):
    """A blueprint of three big blinds, and the folder of its buckets."""
    folder = tmp_path_factory.mktemp("blueprint")
    streets = {street: ("percentile", 5) for street in ("flop", "turn", "river")}
    eq.Abstraction.build(streets, samples=100).save(folder / "buckets")
    trained, _ = eq.Blueprint.train('stack = 300\n[betting]\npreset = "A"\n', folder / "x.eqb", buckets=folder / "buckets", boards=32, seed=1, flops=0)
    return trained, folder / "buckets"


class Measurement(threading.Thread):
    """Measures a blueprint on a cluster beside the test."""

    def __init__(self, blueprint, **more):
        super().__init__(daemon=True)
        self.blueprint, self.more, self.told, self.found, self.error = blueprint, more, [], None, None
        self.start()

    def run(self):
        try:
            self.found = self.blueprint.exploit(progress=self.told.append, memory=200_000_000, **self.more)
        except BaseException as error:
            self.error = error


def test_the_exploitability_of_a_blueprint(blueprint, tmp_path):
    """Flops on workers; one of them is killed, then the scheduler: the answer is that of one machine."""
    blueprint, buckets = blueprint
    alone = blueprint.exploit(buckets=buckets, flops=8, seed=7)
    assert 0 < alone.lower <= alone.upper and alone.flops == 8
    folder = tmp_path / "flops"
    what = dict(buckets=buckets, flops=8, seed=7, folder=folder)
    with Cluster(tmp_path) as cluster:
        with pytest.raises(eq.EquipoiseError, match="no worker has come"):
            blueprint.exploit(**what, on=cluster.address, timeout=0.5)
        worker = cluster.worker()
        with pytest.raises(eq.TooLarge, match="a flop may take 9,000 MB") as refused:
            blueprint.exploit(**what, on=cluster.address, memory=9_000_000_000)
        assert 600_000_000 < refused.value.limit < 700_000_000
        with pytest.raises(eq.FileError, match="no buckets at"):
            blueprint.exploit(**{**what, "buckets": tmp_path / "none"}, on=cluster.address, memory=1_000_000)
        assert not list(folder.iterdir())
        measuring = Measurement(blueprint, on=cluster.address, **what)
        until("a flop", lambda: measuring.error or any(told > 0 for told in measuring.told))
        kill(children(worker.pid)[0])
        before = len(list(folder.iterdir()))
        until("another flop", lambda: measuring.error or len(list(folder.iterdir())) > before)
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        done = {path: path.stat().st_mtime_ns for path in folder.iterdir() if not path.name.startswith(".")}
        cluster.start_scheduler()
        measuring.join(120)
        assert not measuring.is_alive() and measuring.error is None, measuring.error
        assert measuring.found == alone and measuring.told[-1] == 1
        for path, written in done.items():
            assert path.stat().st_mtime_ns == written, "a flop was measured again"
        # What is there needs no cluster, and without a folder nothing stays.
        assert blueprint.exploit(**what, on="tcp://127.0.0.1:1") == alone
        few = blueprint.exploit(buckets=buckets, flops=2, seed=7, on=cluster.address, memory=200_000_000)
        assert few == blueprint.exploit(buckets=buckets, flops=2, seed=7)
    with pytest.raises(eq.EquipoiseError, match="name a scheduler"):
        blueprint.exploit(buckets=buckets, memory=1)


def test_results_in_s3(quick, tmp_path, monkeypatch):
    moto = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    for name, value in {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(name, value)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        endpoint = "http://{}:{}".format(*server.get_host_and_port())
        boto3.client("s3", endpoint_url=endpoint).create_bucket(Bucket="bucket")
        options = {"endpoint_url": endpoint}
        with Cluster(tmp_path) as cluster:
            cluster.worker()
            cluster.worker()
            with pytest.raises(eq.FileError, match="bucket-that-is-none"):
                quick.run("s3://bucket-that-is-none/x", on=cluster.address, storage_options=options)
            batch = quick.run("s3://bucket/some/prefix", on=cluster.address, storage_options=options)
            names = {found["Key"] for found in boto3.client("s3", endpoint_url=endpoint).list_objects(Bucket="bucket")["Contents"]}
            jobs = {f"some/prefix/jobs/{job.id}.{ending}" for job in batch for ending in ("eqp", "json")}
            assert names == jobs | {"some/prefix/batch.json"}
            quick.run("s3://bucket/some/prefix", on=cluster.address, storage_options=options)
        alone = quick.run(tmp_path / "alone")
        assert batch.report(by="suits").to_polars().equals(alone.report(by="suits").to_polars())
        assert batch[2].solution().root.board == "KhKd4s" and batch[2].state == "done"
        batch.fetch(tmp_path / "fetched")
        assert numbers(tmp_path / "fetched") == numbers(tmp_path / "alone")
        assert len(eq.Batch("s3://bucket/some/prefix", storage_options=options)) == 4
        with pytest.raises(eq.FileError, match="no batch"):
            eq.Batch("s3://bucket/elsewhere", storage_options=options)
    finally:
        server.stop()


def test_a_cluster_with_tls(quick, tmp_path):
    """As the guide says first: who has no certificate reaches nobody."""
    pytest.importorskip("cryptography")
    from distributed import Security

    made = Security.temporary()
    tls = {"ca": made.tls_ca_file, "cert": made.tls_worker_cert, "key": made.tls_worker_key}
    for name, text in tls.items():
        path = tmp_path / f"{name}.pem"
        path.write_text(text)
        tls[name] = str(path)
    one = make_plan(5.0, flops=FLOPS[:1])
    with Cluster(tmp_path, tls) as cluster:
        cluster.worker()
        security = Security(require_encryption=True, tls_ca_file=tls["ca"], tls_client_cert=tls["cert"], tls_client_key=tls["key"])
        assert len(one.run(tmp_path / "out", on=cluster.address, security=security)) == 1
        for address, said in [(cluster.address, "takes certificates"), (cluster.address.replace("tls", "tcp"), "no scheduler answers")]:
            with pytest.raises(eq.EquipoiseError, match=said):
                one.run(tmp_path / "other", on=address, timeout=1)


@pytest.mark.parametrize(
    "words, said",
    [
        ([], "required"),
        (["here:8786"], "no address"),
        (["tcp://x:1", "--threads", "0"], "from 1 to 1024"),
        (["tcp://x:1", "--memory", "lots"], "such as 8G"),
        (["tcp://x:1", "--folder", "/nowhere"], "no folder"),
        (["tls://x:1"], "--tls-ca"),
        (["tcp://x:1", "--tls-ca", "/nowhere"], "no file"),
    ],
)
def test_arguments_of_a_worker_are_checked(words, said):
    done = subprocess.run([sys.executable, "-m", "equipoise.worker", *words], capture_output=True, text=True)
    assert done.returncode == 2 and said in done.stderr, done


def test_the_table_of_a_terminal():
    from equipoise import _table

    row = {"board": "As7d2c", "spot": "srp", "worker": "tcp://w:1", "iteration": 7, "exploitability_pct": None}
    state = {"fraction": 0.25, "jobs_done": 1, "jobs_failed": 2, "jobs": 40, "workers": 1, "running": [row] * 20}
    lines = _table.text(state, 61)
    assert lines[0] == "1 of 40 jobs, 2 failed, 25 %, 1 worker, 1:01"
    assert len(lines) == 14 and lines[1].endswith("iteration 7") and lines[-1] == "  and 8 more"


@pytest.mark.skipif(KILLS == 0, reason="make soak")
def test_many_kills(slow, expected, tmp_path, monkeypatch):
    """Workers and the scheduler, at random moments: no finished job is lost, none is done again, every byte stays."""
    # One job may meet many of them.
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "1000")
    chance = random.Random(KILLS)
    hit = rounds = 0
    with Cluster(tmp_path) as cluster:
        cluster.worker()
        cluster.worker()
        while hit < KILLS:
            out = tmp_path / f"out-{rounds}"
            driver = Driver(slow, out, cluster, checkpoint=0.5)
            done = {}
            while driver.is_alive() and hit < KILLS:
                time.sleep(chance.random())
                for path, written in done.items():
                    assert path.stat().st_mtime_ns == written, "a finished job was done again"
                done = {path: path.stat().st_mtime_ns for path in jobs_in(out, "json")}
                if chance.random() < 0.85:
                    found = [child for worker in cluster.workers if worker.poll() is None for child in children(worker.pid)]
                    if found:
                        kill(chance.choice(found))
                        hit += 1
                else:
                    cluster.scheduler.kill()
                    cluster.scheduler.wait()
                    cluster.start_scheduler()
                    hit += 1
                # Workers come back after two seconds, or more if they do not last.
                time.sleep(4)
            driver.end(300)
            assert numbers(out) == expected
            rounds += 1
    print(f"{hit} kills in {rounds} batches")
