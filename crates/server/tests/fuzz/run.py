"""Starts the server in an empty folder, solves a river, and lets schemathesis make up requests from openapi.json.

Usage: run.py EQUIPOISE SCHEMATHESIS
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

EXAMPLES = 6
# Seconds that an answer of the server may take.
LIMIT = 10
CONFIG = pathlib.Path(__file__).resolve().with_name("schemathesis.toml")


def main(equipoise: str, schemathesis: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        # Whatever is not done by the limit is answered with 503: however busy the machine is, an answer comes in time.
        command = [equipoise, "serve", "--port", "0", "--library", folder, "--memory-limit", "200M",
                   "--request-limit", str(LIMIT), "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                base = json.loads(server.stdout.readline())["url"] + "api/v1"
                solve_a_river(base)
                checked = subprocess.run(
                    [schemathesis, "--config-file", str(CONFIG), "run", base + "/openapi.json", "--url", base, "--max-examples", str(EXAMPLES),
                     "--phases", "examples,coverage,fuzzing", "--seed", "1", "--workers", "1",
                     "--request-timeout", str(2 * LIMIT), "--exclude-path-regex", "/events$", "--no-color",
                     "--exclude-checks", "positive_data_acceptance,unsupported_method"],
                    cwd=folder, check=False)
                # Whatever it was sent, it still answers.
                get(base + "/status")
                return checked.returncode
            finally:
                server.terminate()


def solve_a_river(base: str) -> None:
    """Puts a solution and a job where requests may find them."""
    toml = get(base + "/spots/examples")["examples"][0]["toml"]
    body = json.dumps({"toml": toml, "name": "river"}).encode()
    request = urllib.request.Request(base + "/jobs", body, {"content-type": "application/json"})
    job = json.load(urllib.request.urlopen(request))
    while job["state"] != "done":
        time.sleep(0.05)
        job = get(f"{base}/jobs/{job['id']}")


def get(url: str) -> dict:
    return json.load(urllib.request.urlopen(url, timeout=2 * LIMIT))


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve()), str(pathlib.Path(sys.argv[2]).resolve())))
