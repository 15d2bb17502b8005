"""Everything that documents show is run: docstrings, docs/python.md, the README's Python lines, the notebook."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import equipoise as eq

ROOT = Path(__file__).resolve().parents[3]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = [name for _, name, _ in pkgutil.iter_modules(eq.__path__) if name != "_equipoise"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(f"equipoise.{name}")
    failed, _ = doctest.testmod(module, optionflags=OPTIONS)
    assert failed == 0


@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_documents(name, tmp_path, monkeypatch):
    """The blocks of a document share their names, and run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks, f"{name} shows no Python"
    names = {}
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, names, f"{name} block {number + 1}", name, 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0 and runner.tries > 3


def test_the_notebook_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(ROOT / "examples" / "python.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not any(output.output_type == "error" for output in shown)
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "image/svg+xml"} <= kinds, kinds
    written = nbformat.read(ROOT / "examples" / "python.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in written.cells), "the notebook is kept without its outputs"


def test_every_public_name_is_documented():
    for name in dir(eq):
        thing = getattr(eq, name)
        if name.startswith("_") or not getattr(thing, "__module__", "").startswith("equipoise"):
            continue
        assert thing.__doc__, name
        if isinstance(thing, type):
            for key, value in vars(thing).items():
                if not key.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{key}"


def test_the_guide_names_every_public_function():
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    exported = [name for name in dir(eq) if not name.startswith("_") and callable(getattr(eq, name))]
    missing = [name for name in exported if not re.search(rf"\b{name}\b", text)]
    assert not missing, missing


def test_the_version_is_that_of_the_workspace():
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    assert f'version = "{eq.__version__}"' in manifest
