"""A batch on a real Slurm: run.py EQUIPOISE [KILLS]

Munge, slurmctld and two slurmd of Debian's packages are started on loopback, and ended at the end; root is needed. A plan is
submitted, a node dies with its tasks, the controller dies and comes back, all is cancelled and submitted again. In the end
every solution is, to the last byte of an export, what `batch run` gives, and nothing was solved twice without need.
With KILLS, as many tasks, nodes and controllers are killed at random moments on top: `make soak`.
"""

import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel"]
PACKAGES = ["munge", "slurmctld", "slurmd", "slurm-client"]
FLOPS = ["As7d2c", "Td9d6h", "KhKd4s", "8c5c3c", "QsJd4h", "9h9d2s", "AhKd5d", "7s6s3d"]
PLAN = f"""flops = {FLOPS}
save = 'no-turn'
[[spots]]
[spots.ranges]
oop = "22+,A2s+,KTs+,QTs+,JTs,AJo+"
ip = "22+,A2s+,K9s+,QTs+,J9s+,AJo+"
[spots.tree]
starting_pot = 100
effective_stack = 200
[spots.bet_sizes.flop]
oop_bet = "50%"
ip_bet = "50%"
[spots.bet_sizes.turn]
oop_bet = "75%"
[spots.solver]
target_exploitability_pct = 0.1
"""


def say(words):
    print(f"{time.monotonic() - STARTED:6.1f} s  {words}", flush=True)


STARTED = time.monotonic()


def run(*command, check=True, env=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env)
    if check and done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def until(words, seconds, is_so):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            sys.exit(f"not within {seconds} s: {words}")
        time.sleep(0.2)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for number in sockets:
        number.bind(("127.0.0.1", 0))
    ports = [number.getsockname()[1] for number in sockets]
    for number in sockets:
        number.close()
    return ports


class Cluster:
    """Munge, a controller and two nodes, each a process of ours."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = {}
        self.env = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
        host = socket.gethostname().split(".")[0]
        controller, *nodes = free_ports(3)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        for name in ["state", "n1", "n2"]:
            (folder / name).mkdir()
        lines = [
            "ClusterName=loopback",
            f"SlurmctldHost={host}(127.0.0.1)",
            "SlurmUser=root",
            f"SlurmctldPort={controller}",
            "AuthType=auth/munge",
            f"AuthInfo=socket={folder}/munge.socket",
            f"StateSaveLocation={folder}/state",
            f"SlurmdSpoolDir={folder}/%n",
            f"SlurmctldPidFile={folder}/slurmctld.pid",
            f"SlurmdPidFile={folder}/slurmd.%n.pid",
            f"SlurmctldLogFile={folder}/slurmctld.log",
            f"SlurmdLogFile={folder}/slurmd.%n.log",
            "ProctrackType=proctrack/linuxproc",
            "TaskPlugin=task/none",
            "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_Core_Memory",
            "SlurmdParameters=config_overrides",
            "SlurmdTimeout=10",
            "ReturnToService=2",
            "MailProg=/bin/true",
        ]
        for number, port in enumerate(nodes, 1):
            lines.append(f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=4000")
        lines.append("PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP")
        (folder / "slurm.conf").write_text("\n".join(lines) + "\n")

    def start(self, name):
        folder = self.folder
        commands = {
            "munged": ["munged", "--foreground", "--force", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket"]
            + [f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed"],
            "slurmctld": ["slurmctld", "-D"],
            "n1": ["slurmd", "-D", "-N", "n1"],
            "n2": ["slurmd", "-D", "-N", "n2"],
        }
        log = open(folder / f"{name}.out", "ab")
        # Debian puts daemons where users do not look.
        env = {**self.env, "PATH": self.env["PATH"] + ":/usr/sbin:/sbin"}
        self.processes[name] = subprocess.Popen(commands[name], stdout=log, stderr=log, env=env, start_new_session=True)

    def kill(self, name):
        self.processes[name].kill()
        self.processes[name].wait()

    def call(self, *command, check=True):
        return run(*command, check=check, env=self.env)

    def tasks(self, node=None):
        """The processes of tasks: those of this cluster that know their node."""
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                environ = path.read_bytes().split(b"\0")
            except OSError:
                continue
            words = dict(word.split(b"=", 1) for word in environ if b"=" in word)
            is_ours = words.get(b"SLURM_CONF") == str(self.folder / "slurm.conf").encode()
            name = words.get(b"SLURMD_NODENAME", b"").decode()
            if is_ours and name and node in (None, name):
                found.append(int(path.parent.name))
        return found

    def node_dies(self, node):
        """The daemon, its steps and its tasks, all at once."""
        daemon = self.processes[node].pid
        steps = run("pgrep", "--full", "slurmstepd: ", check=False).stdout.split()
        of_node = [int(step) for step in steps if self.spool(int(step)) == node]
        self.kill(node)
        for process in of_node + self.tasks(node):
            if process != daemon:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def spool(self, process):
        """The node that a step belongs to: that of its tasks."""
        try:
            children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        except OSError:
            return None
        for child in children:
            for node in ["n1", "n2"]:
                if int(child) in self.tasks(node):
                    return node
        return None

    def up(self):
        states = self.call("sinfo", "--noheader", "--Node", "--format=%N %T", check=False).stdout.split("\n")
        return [line.split()[0] for line in states if line and line.split()[1].rstrip("*") in ("idle", "mixed", "allocated")]

    def begin_now(self):
        """What is requeued waits two minutes, and what was drained for ever: an administrator would do this."""
        for node in ["n1", "n2"]:
            if self.processes[node].poll() is None and node not in self.up():
                self.call("scontrol", "update", f"nodename={node}", "state=resume", check=False)
        for line in self.call("squeue", "--noheader", "--array", "--states=PENDING", "--format=%i %r", check=False).stdout.splitlines():
            job, reason = line.split(None, 1)
            if "held" in reason.lower():
                self.call("scontrol", "release", job, check=False)
            if "BeginTime" in reason:
                self.call("scontrol", "update", f"jobid={job}", "StartTime=now", check=False)

    def end(self):
        for name in ["n1", "n2", "slurmctld", "munged"]:
            process = self.processes.get(name)
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()
        for process in self.tasks():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass


class Batch:
    def __init__(self, program, plan, folder, env):
        self.program, self.plan, self.folder, self.env = program, plan, folder, env

    def call(self, *words, check=True):
        return run(self.program, "batch", *words, check=check, env=self.env)

    def submit(self, *words):
        return json.loads(
            self.call("submit", self.plan, "-o", self.folder, "--on", "slurm", "--threads", "1", "--json", *words).stdout
        )

    def status(self):
        return json.loads(self.call("status", self.folder, "--json").stdout)

    def done(self):
        return {job["id"] for job in self.status()["jobs"] if job["state"] == "done"}

    def solved(self):
        """How often a log says that a job was solved, and how often that it was done already."""
        words = "".join(path.read_text(errors="replace") for path in (self.folder / "slurm").glob("*.log"))
        return words.count(": solved;"), words.count(": kept;")

    def numbers(self, out):
        """Every decision of every solution, and every summary but for times."""
        self.call("export", self.folder, "-o", out, "--force")
        summaries = []
        for path in sorted((self.folder / "jobs").glob("*.json")):
            summary = json.loads(path.read_text())
            summaries.append({key: value for key, value in summary.items() if key not in ("elapsed_s", "memory_bytes", "file_bytes")})
        return out.read_bytes(), summaries


def main():
    program, kills = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    if not all(shutil.which(name, path=path) for name in PROGRAMS):
        if os.getuid() == 0 and shutil.which("apt-get"):
            run("apt-get", "update", check=False)
            run("apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES)
        if not all(shutil.which(name, path=path) for name in PROGRAMS):
            sys.exit(f"this needs Slurm: apt-get install {' '.join(PACKAGES)}")
    if os.getuid() != 0:
        sys.exit("this needs root: Slurm's daemons change users")
    folder = Path(tempfile.mkdtemp(prefix="equipoise-slurm-"))
    cluster = Cluster(folder)
    try:
        check(program, kills, folder, cluster)
    except BaseException:
        for log in sorted(folder.glob("*.log")) + sorted(folder.glob("*.out")):
            print(f"== {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:]), file=sys.stderr)
        raise
    finally:
        cluster.end()
    shutil.rmtree(folder)


def check(program, kills, folder, cluster):
    plan = folder / "my plan.toml"
    plan.write_text(PLAN)
    expected = Batch(program, plan, folder / "one machine", cluster.env)
    begun = time.monotonic()
    expected.call("run", plan, "-o", expected.folder, "--threads", "2")
    # Two at a time: about as long as one job takes here.
    job_seconds = 2 * (time.monotonic() - begun) / len(FLOPS)
    wanted = expected.numbers(folder / "one.parquet")
    say(f"{len(FLOPS)} jobs solved by `batch run`")
    for name in ["munged", "slurmctld", "n1", "n2"]:
        cluster.start(name)
        if name == "munged":
            until("munge", 10, (folder / "munge.socket").exists)
    until("two nodes", 60, lambda: len(cluster.up()) == 2)
    say("two nodes are up")

    batch = Batch(program, plan, folder / "shared folder", cluster.env)
    sent = batch.submit("--time", "12h")
    assert sum(array["jobs"] for array in sent["arrays"]) == len(FLOPS), sent
    # An array that is queued is not sent again.
    again = batch.submit("--time", "12h")
    assert not again["arrays"] and again["queued"] + again["done"] == len(FLOPS), again
    until("a task on each node", 60, lambda: cluster.tasks("n1") and cluster.tasks("n2"))

    cluster.node_dies("n1")
    say("a node has died with its task")
    until("one node", 60, lambda: cluster.up() == ["n2"])
    cluster.start("n1")
    until("two nodes again", 60, lambda: cluster.begin_now() or len(cluster.up()) == 2)
    say("it is back")

    # Its state is on the disk every few seconds.
    time.sleep(6)
    kept = batch.done()
    cluster.kill("slurmctld")
    say(f"the controller has died; {len(kept)} jobs are done")
    time.sleep(3)
    cluster.start("slurmctld")
    until("the controller again", 60, lambda: cluster.begin_now() or len(cluster.up()) == 2)
    assert kept <= batch.done(), "a finished job was lost"
    say(f"it is back; {len(batch.done())} jobs are done")

    killed = 0
    for number in range(kills):
        killed += one_kill(cluster, batch, random.Random(number), job_seconds)
        if number % 20 == 19 or number == kills - 1:
            say(f"{killed} of {number + 1} random kills hit something")
    before = batch.done()
    if len(before) < len(FLOPS):
        batch.submit("--cancel")
        until("an empty queue", 60, lambda: is_cancelled(cluster, batch))
        assert not cluster.tasks()
        status = batch.status()
        assert before <= batch.done() and status["running"] == 0, status
        say(f"cancelled: {status['done']} jobs are done, {status['begun']} saved on the way")
        sent = batch.submit("--time", "12h")
        assert sum(array["jobs"] for array in sent["arrays"]) == len(FLOPS) - status["done"], sent
    until("all jobs", 240, lambda: cluster.begin_now() or len(batch.done()) == len(FLOPS))
    until("an empty queue", 60, lambda: not cluster.call("squeue", "--noheader").stdout.strip())
    solved, repeated = batch.solved()
    say(f"all jobs are done: {solved} were solved, {repeated} found done")
    # Who is killed between the summary and these words has solved a job that nobody has told of.
    assert solved == len(FLOPS) if not kills else solved <= len(FLOPS), "a job was solved twice"
    found = batch.numbers(folder / "cluster.parquet")
    assert found[1] == wanted[1], "a summary differs from that of `batch run`"
    assert found[0] == wanted[0], "a solution differs from that of `batch run`"
    say(f"every byte of {len(found[0]):,} is that of `batch run`")
    print("slurm: everything holds")


def is_cancelled(cluster, batch):
    """Tasks that Slurm was requeueing come back after a cancellation; a second one, once nothing runs, takes them too."""
    states = set(cluster.call("squeue", "--noheader", "--array", "--format=%T").stdout.split())
    if states == {"PENDING"}:
        batch.submit("--cancel")
    return not states


def one_kill(cluster, batch, chance, job_seconds):
    """Kills a task, or a node and starts it again; finished jobs stay. Some jobs end before somebody is killed."""
    before = batch.done()
    time.sleep(chance.random() * 2 * job_seconds)
    tasks = cluster.tasks()
    hit = bool(tasks)
    if chance.random() < 0.8:
        for process in tasks[:1]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                hit = False
    else:
        cluster.node_dies("n1")
        cluster.start("n1")
        until("two nodes", 90, lambda: cluster.begin_now() or len(cluster.up()) == 2)
    assert before <= batch.done(), "a finished job was lost"
    # A task that was killed alone has failed for Slurm: the next submission sends it.
    if not cluster.call("squeue", "--noheader").stdout.strip():
        if len(batch.done()) == len(FLOPS):
            assert batch.solved()[0] <= len(FLOPS), "a finished job was solved again"
            shutil.rmtree(batch.folder / "jobs")
            for log in (batch.folder / "slurm").glob("*.log"):
                log.unlink()
        batch.submit("--time", "12h")
    cluster.begin_now()
    return hit


if __name__ == "__main__":
    main()
