"""Installs the wheels into a new environment and runs what the README shows: `make python`.

Usage: install.py WHEEL…
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def main():
    wheels = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        # Without the folder of the package on the path, whatever is installed elsewhere.
        venv.create(folder, with_pip=True)
        bin = Path(folder) / "bin"
        # As on a machine without Rust: nothing but the environment is on the path.
        env = {**os.environ, "PATH": str(bin)}
        assert shutil.which("cargo", path=env["PATH"]) is None
        pip = [bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        subprocess.run([*pip, *wheels], check=True, env=env)
        blocks = re.findall(r"^```pycon\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
        assert blocks, "the README shows no Python"
        script = Path(folder) / "readme.py"
        script.write_text(
            "import doctest, sys\n"
            f"test = doctest.DocTestParser().get_doctest({''.join(blocks)!r}, {{}}, 'README.md', None, 0)\n"
            "runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)\n"
            "runner.run(test)\n"
            "sys.exit(runner.failures)\n"
        )
        subprocess.run([bin / "python", script], check=True, cwd=folder, env=env)
        help = subprocess.run([bin / "equipoise-worker", "--help"], check=True, capture_output=True, text=True, env=env)
        assert "Dask" in help.stdout, help.stdout
        if any("equipoise_cli" in wheel for wheel in wheels):
            said = subprocess.run([bin / "equipoise", "equity", "AhAd", "KcKs"], check=True, capture_output=True, text=True, env=env)
            assert "81.255 %" in said.stdout, said.stdout
            version = subprocess.run([bin / "equipoise", "--version"], check=True, capture_output=True, text=True, env=env)
            print(version.stdout.strip(), "as a wheel")
    print("the wheels install and the README's lines run")


if __name__ == "__main__":
    main()
