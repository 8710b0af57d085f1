"""The authors' released data: what there is, what of it is here, and how to fetch the rest.

None of this data ships with the app. `assets/datasets.csv` names every data set with its address, licence and credit
line, `assets/dataset_files.csv` every file with its size, SHA-256 and number of records. On disk a file lies where its
authors put it: ``<directory>/<owner>/<name>/<upstream path>``.

`fetch` is the only function of the core that opens a connection (encoders that download say so themselves). Pooch
fetches and checks the small files. It does not resume, so a larger file grows in ``<name>.part``, which survives a
killed process, and moves into place once its hash is right.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast
from urllib.parse import quote

from core import assets
from core.errors import AssetError, InputError

if TYPE_CHECKING:
    from requests import Response, Session

LARGE_FILE = 20_000_000
"""Bytes from which an interrupted download is kept. Ours: half a minute at 5 Mbit/s may be repeated, not more."""

WORKERS = 4
"""Files fetched at a time. Ours: polite to one server, and enough to hide its latency on 351 small files."""

BACKOFF = (1.0, 2.0, 4.0, 8.0)
"""Seconds before each new try after a failure; every byte of progress starts the row again. Ours."""

TIMEOUT = (10.0, 30.0)
"""Seconds to wait for a connection, and for the next byte of an open one. Ours."""

CHUNK = 65_536
"""Bytes read at a time, and so the most that a cut connection loses. Ours."""

PART = ".part"
"""Suffix of a large file that is not yet whole."""

_TICK = 0.1
"""Seconds between two reports of progress while no file is finished. Ours."""

_BUSY_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
"""HTTP answers that mean "later" and not "no" (RFC 9110, section 15; RFC 6585, section 4; RFC 8470, section 5.2)."""

HashOrigin = Literal["computed", "quoted", "unknown"]

DOUBTS = {
    "quoted": "its SHA-256 is quoted from other projects and was not verified here",
    "unknown": "no SHA-256 of it is published, so its content cannot be verified",
}
"""What to say of a file whose hash was not computed from the original."""

Progress = Callable[[int, int, str], None]
"""Told the bytes of the set that are here, the bytes of the whole set, and which file moved last."""


@dataclass(frozen=True)
class DataFile:
    """One released file.

    Parameters
    ----------
    path : str
        Where it lies in its authors' repository, with ``/``.
    bytes : int or None
        Its size; None where no source states it exactly.
    sha256 : str
        Its hash in hexadecimal, empty where none is known.
    hash_origin : {"computed", "quoted", "unknown"}
        Computed from the file, quoted from public projects that use the file, or not known.
    rows : int or None
        Records that a loader should return; None for a text such as a licence.
    licence : str
        The terms of this file.
    address : str
        Where it is fetched from.
    """

    path: str
    bytes: int | None
    sha256: str
    hash_origin: HashOrigin
    rows: int | None
    licence: str
    address: str

    @property
    def verified(self) -> bool:
        """Whether a copy can be compared with a hash that was computed from the original."""
        return self.hash_origin == "computed"


@dataclass(frozen=True)
class Dataset:
    """Files that were released together, or a selection of them.

    `folder` is ``<owner>/<name>``; `licence` and `credit` are sentences to show wherever the data is shown.
    """

    name: str
    title: str
    folder: str
    licence: str
    credit: str
    files: tuple[DataFile, ...]

    @property
    def bytes(self) -> int | None:
        """Size of all files; None if one of them is of unknown size."""
        sizes = [file.bytes for file in self.files if file.bytes is not None]
        return sum(sizes) if len(sizes) == len(self.files) else None

    @property
    def terms(self) -> str:
        """Licence, and what cannot be verified."""
        doubts = dict.fromkeys(DOUBTS[file.hash_origin] for file in self.files if not file.verified)
        return "; ".join([self.licence, *doubts])

    def location(self, directory: Path) -> Path:
        """The folder of this data set below the data directory."""
        return directory / self.folder


@dataclass(frozen=True)
class Status:
    """Which files of a data set are here."""

    dataset: Dataset
    present: tuple[DataFile, ...]
    missing: tuple[DataFile, ...]
    damaged: tuple[DataFile, ...]

    @property
    def complete(self) -> bool:
        """Whether every file is here."""
        return not self.missing and not self.damaged

    @property
    def state(self) -> Literal["present", "missing", "incomplete", "damaged"]:
        """The set in one word."""
        if self.damaged:
            return "damaged"
        if not self.missing:
            return "present"
        return "incomplete" if self.present else "missing"


def default_directory() -> Path:
    """Where the data is kept: ``$MORALSCOPE_DATA``, else the user's data folder."""
    if chosen := os.environ.get("MORALSCOPE_DATA"):
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("moralscope", appauthor=False)


def default_mirror() -> str | None:
    """The base address of a copy of all data sets, ``$MORALSCOPE_MIRROR``; None for the authors' own addresses."""
    return os.environ.get("MORALSCOPE_MIRROR") or None


@cache
def catalogue() -> dict[str, Dataset]:
    """Every data set by name.

    Examples
    --------
    >>> catalogue()["mort"].folder
    'ml-research/MoRT_NMI'
    """
    files: dict[str, list[assets.Row]] = {}
    for row in assets.read_table("dataset_files.csv"):
        files.setdefault(row["dataset"], []).append(row)
    return {
        row["dataset"]: Dataset(
            name=row["dataset"],
            title=row["title"],
            folder=row["folder"],
            licence=row["licence"],
            credit=row["credit"],
            files=tuple(_data_file(file, row["address"]) for file in files[row["dataset"]]),
        )
        for row in assets.read_table("datasets.csv")
    }


def find(name: str) -> Dataset:
    """A data set by its name, or one file of it by its path (with ``<owner>/<name>/`` in front where needed).

    Raises
    ------
    InputError
        No data set and no file is called so, or more than one file is.

    Examples
    --------
    >>> [file.rows for file in find("MoRT/data/user_study/userStudy_yes_no_regional.csv").files]
    [113]
    """
    known = catalogue()
    if name in known:
        return known[name]
    hits = [
        replace(dataset, files=(file,))
        for dataset in known.values()
        for file in dataset.files
        if name in (file.path, f"{dataset.folder}/{file.path}")
    ]
    if not hits:
        raise InputError(
            expected=f"a data set ({', '.join(known)}) or the path of one of their files",
            got=repr(name[:120]),
            remedy="choose one of these names; “data list” describes them",
        )
    if len(hits) > 1:
        raise InputError(
            expected="the path of one file",
            got=f"{name!r}, which is in {', '.join(hit.name for hit in hits)}",
            remedy=f"write its folder in front, as in {hits[0].folder}/{name}",
        )
    return hits[0]


def locate(name: str, directory: Path) -> Path:
    """The folder of a data set, or the place of one file, whether it is there or not."""
    dataset = find(name)
    folder = dataset.location(directory)
    return folder if name in catalogue() else folder / dataset.files[0].path


def require(name: str, directory: Path) -> Path:
    """The folder of a data set, or the place of one file, which must be there in its full size.

    Raises
    ------
    AssetError
        Something of it is missing or damaged; the remedy is the command that fetches it.
    """
    status = inspect(find(name), directory)
    if not status.complete:
        lacking = status.missing + status.damaged
        raise AssetError(
            expected=f"{name} in {directory}",
            got=f"{len(lacking)} file(s) missing or damaged: {_some(file.path for file in lacking)}",
            remedy=f"run `python -m core data get {name}`, or set MORALSCOPE_DATA to the folder that holds it",
        )
    return locate(name, directory)


def inspect(dataset: Dataset, directory: Path, *, hashes: bool = False) -> Status:
    """Which files of a data set are here.

    Parameters
    ----------
    dataset : Dataset
        From `find` or `catalogue`.
    directory : Path
        The data directory.
    hashes : bool, optional
        Compare contents (reads every byte); otherwise sizes only.
    """
    states: dict[str, list[DataFile]] = {"present": [], "missing": [], "damaged": []}
    for file in dataset.files:
        states[_state(file, dataset.location(directory) / file.path, hashes=hashes)].append(file)
    return Status(dataset, *(tuple(states[state]) for state in ("present", "missing", "damaged")))


def fetch(
    wanted: str | Dataset,
    directory: Path,
    *,
    progress: Progress = lambda done, total, path: None,
    should_stop: Callable[[], bool] = lambda: False,
    mirror: str | None = None,
    backoff: Sequence[float] | None = None,
) -> Status:
    """Fetch what is missing or damaged of a data set, as one job.

    Files come over a few connections at once; `progress` and `should_stop` are called in the caller's own thread.
    A file that a server does not have, or that has other content, does not keep the others from coming.

    Parameters
    ----------
    wanted : str or Dataset
        A name that `find` knows, or what it returns.
    directory : Path
        The data directory; made if it is not there.
    progress : callable, optional
        Told bytes here, bytes in all, and the path of the file that moved last.
    should_stop : callable, optional
        Asked about ten times a second; True ends the job and keeps what came.
    mirror : str, optional
        Base address of a copy laid out as the data directory is; the authors' addresses if not given.
    backoff : sequence of float, optional
        Seconds to wait before each further try while nothing comes; `BACKOFF` if not given.

    Returns
    -------
    Status
        What is here now; not `complete` only if `should_stop` said so.

    Raises
    ------
    InputError
        Unknown name, or a mirror that is no web address.
    AssetError
        A file could not be fetched, had another hash (it is deleted), or could not be written. All are named.
    """
    dataset = find(wanted) if isinstance(wanted, str) else wanted
    if mirror is not None and not mirror.startswith(("http://", "https://")):
        raise InputError(
            expected="a mirror address that begins with http:// or https://",
            got=repr(mirror[:80]),
            remedy="correct MORALSCOPE_MIRROR, or unset it",
        )
    with _alone(dataset.location(directory).absolute()):
        status = inspect(dataset, directory, hashes=True)
        if not status.complete:
            _fetch_all(status, directory, mirror, BACKOFF if backoff is None else backoff, progress, should_stop)
    return inspect(dataset, directory)


def size_in_words(size: int | None) -> str:
    """Bytes as people read them.

    Examples
    --------
    >>> size_in_words(37_512), size_in_words(497_963_447), size_in_words(None)
    ('38 kB', '498.0 MB', 'unknown size')
    """
    if size is None:
        return "unknown size"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _data_file(row: assets.Row, address: str) -> DataFile:
    return DataFile(
        path=row["path"],
        bytes=int(row["bytes"]) if row["bytes"] else None,
        sha256=row["sha256"],
        hash_origin=cast("HashOrigin", row["hash"]),
        rows=int(row["rows"]) if row["rows"] else None,
        licence=row["licence"],
        address=address.replace("{path}", quote(row["path"])),
    )


def _state(file: DataFile, path: Path, *, hashes: bool) -> Literal["present", "missing", "damaged"]:
    try:
        if not path.is_file():
            return "missing"
        size = path.stat().st_size
        if size != file.bytes if file.bytes is not None else size == 0:
            return "damaged"
        return "damaged" if hashes and file.sha256 and digest(path) != file.sha256 else "present"
    except OSError as error:
        raise AssetError(
            expected=f"a readable file {path}", got=error.strerror or str(error), remedy="check its permissions"
        ) from error


def _some(names: Iterator[str], most: int = 3) -> str:
    listed = list(names)
    rest = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {rest} more" if rest > 0 else "")


_fetching: set[Path] = set()
_fetching_lock = threading.Lock()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep two sessions of one server from writing to the same part of a file."""
    with _fetching_lock:
        if folder in _fetching:
            raise AssetError(
                expected="one download of this data set at a time",
                got="another one that is still running",
                remedy="wait until it ends, or stop it",
            )
        _fetching.add(folder)
    try:
        yield
    finally:
        _fetching.discard(folder)


def _fetch_all(
    status: Status,
    directory: Path,
    mirror: str | None,
    backoff: Sequence[float],
    progress: Progress,
    should_stop: Callable[[], bool],
) -> None:
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    import requests

    dataset, wanted = status.dataset, status.missing + status.damaged
    here = sum(file.bytes or 0 for file in status.present)
    failures: list[tuple[DataFile, AssetError]] = []
    with requests.Session() as session, ThreadPoolExecutor(WORKERS) as pool:
        transfer = _Transfer(session, dataset, directory, mirror, backoff)
        pending = {pool.submit(transfer.fetch, file): file for file in wanted}
        try:
            while pending:
                for future in wait(pending, timeout=_TICK, return_when=FIRST_COMPLETED).done:
                    file = pending.pop(future)
                    try:
                        future.result()
                    except AssetError as error:
                        failures.append((file, error))
                total = here + sum(transfer.sizes.get(file.path, file.bytes or 0) for file in wanted)
                done = here + sum(list(transfer.received.values()))
                progress(done, max(done, total), transfer.latest)
                if should_stop():
                    transfer.stop.set()
        finally:
            transfer.stop.set()
    if len(failures) == 1:
        raise failures[0][1]
    if failures:
        raise AssetError(
            expected=f"{len(wanted)} files of {dataset.name}",
            got=f"{len(failures)} failures: " + _some(f"{file.path} ({error.got})" for file, error in failures),
            remedy=failures[0][1].remedy,
        )


class _StoppedError(Exception):
    """The caller, or a failure that concerns every file, ended the job."""


class _TryAgainError(Exception):
    """A try that may succeed when repeated; the argument says what happened."""


class _Transfer:
    """The files of one job: where they come from, where they go, how far they are.

    The dictionaries are written by one worker per key and read by the caller of `fetch`.
    """

    def __init__(
        self, session: Session, dataset: Dataset, directory: Path, mirror: str | None, backoff: Sequence[float]
    ) -> None:
        self._session, self._backoff = session, backoff
        self._folder = dataset.location(directory)
        self._base = mirror and f"{mirror.rstrip('/')}/{dataset.folder}"
        self.stop = threading.Event()
        self.received: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        self.latest = ""

    def fetch(self, file: DataFile) -> None:
        """Put one file into place; returns without it if the job was stopped."""
        if self.stop.is_set():
            return
        target = self._folder / file.path
        small = file.bytes is not None and file.bytes <= LARGE_FILE
        try:
            self._fetch_small(file, target) if small else self._fetch_large(file, target)
        except _StoppedError:
            return
        except OSError as error:
            self.stop.set()
            raise AssetError(
                expected=f"to write {target}",
                got=error.strerror or str(error),
                remedy="make room or choose another folder with MORALSCOPE_DATA, then fetch again",
            ) from error

    def _fetch_small(self, file: DataFile, target: Path) -> None:
        import pooch

        pooch.get_logger().setLevel("WARNING")
        try:
            pooch.retrieve(
                self._address(file),
                known_hash=file.sha256 or None,
                fname=target.name,
                path=target.parent,
                downloader=lambda address, output, _: self._download(file, Path(output)),
            )
        except ValueError as error:  # pooch found another hash, and deleted the file
            raise self._other_content(file) from error

    def _fetch_large(self, file: DataFile, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + PART)
        self._download(file, part)
        if _state(file, part, hashes=True) != "present":
            found = digest(part)
            part.unlink()
            raise self._other_content(file, f" (SHA-256 {found})")
        part.replace(target)

    def _download(self, file: DataFile, output: Path) -> None:
        """Make `output` whole, continuing what is in it, however often the connection breaks."""
        import requests
        import urllib3

        furthest = _size(output)
        waits = iter(self._backoff)
        while True:
            try:
                return self._receive(file, output)
            except _TryAgainError as error:
                reason = str(error)
            except (requests.Timeout, urllib3.exceptions.TimeoutError):
                reason = "no answer in time"
            except requests.RequestException as error:
                reason = f"no connection ({type(error).__name__})"
            except urllib3.exceptions.HTTPError:
                reason = "a connection that was cut"
            if (size := _size(output)) > furthest:
                furthest, waits = size, iter(self._backoff)
            pause = next(waits, None)
            if pause is None:
                self.stop.set()
                raise AssetError(
                    expected=f"{file.path} from {self._address(file)}",
                    got=f"{reason}, {len(self._backoff) + 1} times in a row",
                    remedy="check the connection and fetch again: what came is kept",
                )
            if self.stop.wait(pause):
                raise _StoppedError

    def _receive(self, file: DataFile, output: Path) -> None:
        """Ask once for what `output` lacks, and append it."""
        start = _size(output)
        if start and start == file.bytes:
            return
        headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={start}-"} if start else {})
        with self._session.get(self._address(file), headers=headers, stream=True, timeout=TIMEOUT) as response:
            start = self._accepted(response, file, output, start)
            self.received[file.path], self.latest = start, file.path
            self.sizes[file.path] = file.bytes or start + int(response.headers.get("Content-Length", 0))
            with output.open("ab" if start else "wb") as stream:
                for chunk in response.raw.stream(CHUNK, decode_content=False):
                    if self.stop.is_set():
                        raise _StoppedError
                    stream.write(chunk)
                    self.received[file.path] += len(chunk)
                    if file.bytes is not None and self.received[file.path] > file.bytes:
                        return  # more than the whole file: the hash will tell
        if file.bytes is not None and self.received[file.path] < file.bytes:
            raise _TryAgainError(f"an end after {self.received[file.path]:,} of {file.bytes:,} bytes")

    def _accepted(self, response: Response, file: DataFile, output: Path, start: int) -> int:
        """The position at which this answer begins: `start`, or 0 if the server sends the whole file."""
        status = response.status_code
        if status == 200:
            if not file.sha256 and response.headers.get("Content-Type", "").startswith("text/html"):
                raise AssetError(
                    expected=f"{file.path} from {response.url}",
                    got="a web page",
                    remedy="open the address in a browser and save the file into the data folder",
                )
            return 0
        if status == 206 and response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
            return start
        if status in (206, 416):  # the rest cannot be had: begin again
            output.write_bytes(b"")
            raise _TryAgainError(f"another part than asked for (HTTP {status})")
        if status in _BUSY_STATUS:
            raise _TryAgainError(f"HTTP {status}")
        raise AssetError(
            expected=f"{file.path} from {response.url}",
            got=f"HTTP {status}",
            remedy="try again later, or set MORALSCOPE_MIRROR to the address of a copy",
        )

    def _address(self, file: DataFile) -> str:
        return f"{self._base}/{quote(file.path)}" if self._base else file.address

    def _other_content(self, file: DataFile, found: str = "") -> AssetError:
        quoted = " (a hash quoted from other projects, not computed here)" if file.hash_origin == "quoted" else ""
        return AssetError(
            expected=f"{file.path} with SHA-256 {file.sha256 or 'unknown'}{quoted}",
            got=f"other content{found} from {self._address(file)}, which was deleted",
            remedy="fetch again; if it stays so, the source has changed: use a copy with MORALSCOPE_MIRROR",
        )


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
