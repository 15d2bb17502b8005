"""Folders of batches that are elsewhere: what fsspec opens (`s3://`, `gcs://`, `memory://`, `file://`, ...).

The layout is that of a folder on the disk (docs/batch.md), so that a copy of it is one. A summary is written after its
solution: with it the job is done.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from .errors import EquipoiseError, FileError

__all__ = ["Storage", "cached_file", "is_url"]

# Where a file appears as a whole or not at all; elsewhere it is written under another name and moved.
_ATOMIC = {"s3", "s3a", "gcs", "gs", "abfs", "abfss", "az", "oci", "oss", "memory"}


def is_url(path: str) -> bool:
    """Whether this is a place for fsspec rather than a folder."""
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.replace("+", "").isalnum()


def local_path(url: str) -> str | None:
    """The folder of a `file://` URL or a path; nothing for other places."""
    if not is_url(url):
        return url
    scheme, _, rest = url.partition("://")
    if scheme not in ("file", "local"):
        return None
    if not rest.startswith("/"):
        raise EquipoiseError(f"'{url}' is no folder: write file:///absolute/path")
    return unquote(rest)


class Storage:
    """A folder of a batch, here or elsewhere. Small, and pickles; it connects where it is used."""

    def __init__(self, url: str, options: Mapping[str, Any] | None = None) -> None:
        self.url: str = url.rstrip("/")
        self.options: dict[str, Any] = dict(options or {})
        self._opened: tuple[Any, str] | None = None

    @classmethod
    def of_folder(cls, folder: str | os.PathLike[str]) -> Storage:
        """That of a folder on the disk; its name is taken as it is, without the escapes of URLs."""
        return cls(f"file://{Path(folder).absolute()}")

    def __reduce__(self) -> tuple[type[Storage], tuple[str, dict[str, Any]]]:
        return Storage, (self.url, self.options)

    def __repr__(self) -> str:
        return f"<Storage {self.url}>"

    @property
    def is_memory(self) -> bool:
        """Whether it is in the memory of the process that asks, so that workers cannot reach it."""
        return self.url.startswith("memory://")

    @property
    def scope(self) -> str:
        """A short name for this place."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:12]

    def _open(self) -> tuple[Any, str]:
        if self._opened is None:
            try:
                import fsspec
            except ImportError as error:
                raise EquipoiseError(
                    f"'{self.url}' needs fsspec: pip install 'equipoise[distributed]', and s3fs for s3://"
                ) from error
            try:
                fs, root = fsspec.core.url_to_fs(self.url, **self.options)
            except (ImportError, ValueError) as error:
                raise EquipoiseError(f"'{self.url}' cannot be opened: {error}") from error
            self._opened = fs, root.rstrip("/")
        return self._opened

    def _is_atomic(self) -> bool:
        return self.url.partition("://")[0] in _ATOMIC

    def path(self, name: str) -> str:
        """The URL of a file of the folder."""
        return f"{self.url}/{name}"

    def write(self, name: str, data: bytes) -> None:
        """Writes a file, as a whole or not at all."""
        with tempfile.NamedTemporaryFile(prefix="equipoise-") as file:
            file.write(data)
            file.flush()
            self.put(file.name, name)

    def put(self, source: str | os.PathLike[str], name: str) -> None:
        """Copies a file of this machine there, as a whole or not at all."""
        folder = self.url.removeprefix("file://") if self.url.startswith("file://") else None
        try:
            if folder is not None:
                _copy(Path(source), Path(folder) / name)
                return
            fs, root = self._open()
            if self._is_atomic():
                fs.put_file(os.fspath(source), f"{root}/{name}")
                return
            parent = name.rpartition("/")[0]
            fs.makedirs(f"{root}/{parent}" if parent else root, exist_ok=True)
            unfinished = f"{root}/{name}.{uuid.uuid4().hex}.new"
            fs.put_file(os.fspath(source), unfinished)
            fs.mv(unfinished, f"{root}/{name}")
        except EquipoiseError:
            raise
        except Exception as error:
            raise FileError(f"{self.path(name)} cannot be written: {_words(error)}") from error

    def read(self, name: str) -> bytes | None:
        """A file, or nothing if it is not there."""
        fs, root = self._open()
        try:
            data = fs.cat_file(f"{root}/{name}")
        except FileNotFoundError:
            return None
        except Exception as error:
            raise FileError(f"{self.path(name)} cannot be read: {_words(error)}") from error
        return bytes(data)

    def get(self, name: str, target: str | os.PathLike[str]) -> bool:
        """Copies a file to this machine, as a whole or not at all; whether it was there."""
        fs, root = self._open()
        unfinished = f"{os.fspath(target)}.{uuid.uuid4().hex}.new"
        try:
            fs.get_file(f"{root}/{name}", unfinished)
            os.replace(unfinished, target)
        except FileNotFoundError:
            return False
        except Exception as error:
            raise FileError(f"{self.path(name)} cannot be read: {_words(error)}") from error
        finally:
            Path(unfinished).unlink(missing_ok=True)
        return True

    def remove(self, *names: str) -> None:
        """Removes files that may be there."""
        fs, root = self._open()
        for name in names:
            try:
                fs.rm_file(f"{root}/{name}")
            except FileNotFoundError:
                pass
            except Exception as error:
                raise FileError(f"{self.path(name)} cannot be removed: {_words(error)}") from error

    def sizes(self) -> dict[str, int]:
        """The files of the jobs and their bytes."""
        fs, root = self._open()
        fs.invalidate_cache()
        try:
            found = fs.ls(f"{root}/jobs", detail=True)
        except FileNotFoundError:
            return {}
        except Exception as error:
            raise FileError(f"{self.path('jobs')} cannot be listed: {_words(error)}") from error
        return {entry["name"].rpartition("/")[2]: int(entry["size"] or 0) for entry in found}

    def done(self, ids: Iterable[str]) -> set[str]:
        """Which of these jobs are done: those whose summary is there, is of this job, and has its solution."""
        sizes = self.sizes()
        names = {job: f"{job}.json" for job in ids if f"{job}.json" in sizes}
        texts = self._read_all([f"jobs/{name}" for name in names.values()])
        return {job for job, name in names.items() if _is_done(job, texts.get(f"jobs/{name}"), sizes)}

    def is_done(self, job: str) -> bool:
        """Whether a job is done."""
        fs, root = self._open()
        text = self.read(f"jobs/{job}.json")
        if text is None:
            return False
        fs.invalidate_cache()
        try:
            sizes = {f"{job}.eqp": int(fs.size(f"{root}/jobs/{job}.eqp") or 0)}
        except FileNotFoundError:
            sizes = {}
        return _is_done(job, text, sizes)

    def _read_all(self, names: list[str]) -> dict[str, bytes]:
        """Many files at once, where the place can do that."""
        if not names:
            return {}
        fs, root = self._open()
        paths = [f"{root}/{name}" for name in names]
        try:
            found = fs.cat(paths, on_error="omit")
        except Exception as error:
            raise FileError(f"{self.url} cannot be read: {_words(error)}") from error
        if len(paths) == 1 and isinstance(found, bytes):
            return {names[0]: found}
        # Some leave a slash out, or add one.
        by_end = {path.strip("/"): bytes(data) for path, data in found.items()}
        return {name: by_end[path.strip("/")] for name, path in zip(names, paths) if path.strip("/") in by_end}

    def fetch(self, folder: str | os.PathLike[str], *, solutions: bool) -> None:
        """Brings a folder on the disk up to date: the list, summaries and failures, and solutions if they are wanted."""
        jobs = Path(folder) / "jobs"
        jobs.mkdir(parents=True, exist_ok=True)
        if not self.get("batch.json", Path(folder) / "batch.json"):
            raise FileError(f"there is no batch in {self.url}")
        sizes = self.sizes()
        small = [name for name in sizes if name.endswith(".json")]
        texts = self._read_all([f"jobs/{name}" for name in small])
        for there in jobs.glob("*.json"):
            if there.name not in sizes:
                there.unlink()
        for name in sizes:
            # That a solve was begun is all that is asked of a checkpoint.
            if name.endswith(".part.eqp"):
                (jobs / name).touch()
            elif solutions and name.endswith(".eqp"):
                target = jobs / name
                if not target.exists() or target.stat().st_size != sizes[name]:
                    self.get(f"jobs/{name}", target)
        for there in jobs.glob("*.part.eqp"):
            if there.name not in sizes:
                there.unlink()
        for name in small:
            if f"jobs/{name}" in texts:
                (jobs / name).write_bytes(texts[f"jobs/{name}"])


def _is_done(job: str, text: bytes | None, sizes: Mapping[str, int]) -> bool:
    try:
        summary = json.loads(text or b"")
        return summary["id"] == job and summary["file_bytes"] in (0, sizes.get(f"{job}.eqp", -1))
    except (ValueError, KeyError, TypeError):
        return False


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _copy(source: Path, target: Path) -> None:
    """Copies a file into a folder that others look at."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_name(f".{target.name}.{uuid.uuid4().hex}.new")
    try:
        with open(source, "rb") as reading, open(unfinished, "wb") as writing:
            shutil.copyfileobj(reading, writing, 1 << 20)
            writing.flush()
            os.fsync(writing.fileno())
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


_CACHE: list[str] = []


def cached_file(url: str, options: Mapping[str, Any] | None) -> str:
    """A copy of a file for as long as this process lives."""
    if not _CACHE:
        _CACHE.append(tempfile.mkdtemp(prefix="equipoise-"))
        atexit.register(shutil.rmtree, _CACHE[0], ignore_errors=True)
    folder, _, name = url.rpartition("/")
    target = Path(_CACHE[0]) / f"{hashlib.sha256(folder.encode()).hexdigest()[:12]}-{name}"
    if not target.exists() and not Storage(folder, options).get(name, target):
        raise FileError(f"{url} is not there")
    return str(target)
