"""Checks the packages that `cargo package` has left in the target folder: `make package`.

Each published crate has an archive with both licences and the README, and the server's has the page.
"""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALWAYS = {name: (ROOT / name).read_bytes() for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]}


def page():
    """The built page, as the server's package has to carry it."""
    server = ROOT / "crates" / "server"
    built = [path for path in (server / "page" / "dist").rglob("*") if path.is_file()]
    files = {path.relative_to(server).as_posix(): path.read_bytes() for path in built}
    if "page/dist/index.html" not in files:
        sys.exit("the page has not been built: make web")
    return files


def contents(archive):
    """The files of an archive, by their names below its only folder."""
    with tarfile.open(archive) as tar:
        files = [member for member in tar.getmembers() if member.isfile()]
        return {file.name.split("/", 1)[1]: tar.extractfile(file).read() for file in files}


def main():
    command = [os.environ.get("CARGO", "cargo"), "metadata", "--no-deps", "--offline", "--format-version", "1"]
    metadata = json.loads(subprocess.check_output(command, cwd=ROOT))
    published = [package for package in metadata["packages"] if package["publish"] is None]
    wrong = []
    for package in published:
        name = f"{package['name']}-{package['version']}.crate"
        archive = Path(metadata["target_directory"]) / "package" / name
        if not archive.is_file():
            wrong.append(f"{name} was not packed")
            continue
        packed = contents(archive)
        needed = ALWAYS | (page() if package["name"] == "equipoise-server" else {})
        wrong += [f"{name}: {file} is missing or differs" for file, text in needed.items() if packed.get(file) != text]
        # A registry takes at most 10 MB.
        if archive.stat().st_size > 10_000_000:
            wrong.append(f"{name} is larger than 10 MB")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(published)} packages are complete")


if __name__ == "__main__":
    main()
