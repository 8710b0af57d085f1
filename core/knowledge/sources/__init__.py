"""Sources of statements, opened by name.

``demo``, the files of the release (``conceptnet``, ``conceptnet-regard``, ``genericskb``, ``comet``, ``csg``), what an
encoder places near (``encoder:NAME``), what a text-generation model writes (``model:NAME``), and a reader's own file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from core import datasets
from core.encoders import catalog
from core.errors import InputError
from core.knowledge import audited, generation
from core.knowledge.sources import beliefs, demo, dumps, large, own, release
from core.knowledge.sources.source import Source
from core.knowledge.sources.stream import Stream, from_source

NAMES = ("demo", *release.FILES)
"""Sources with a fixed name."""

Progress = Callable[[float, str], None]


def open_source(
    name: str,
    *,
    directory: Path | None = None,
    form: str | None = None,
    mapping: Mapping[str, str] | None = None,
    progress: Progress = lambda share, what: None,
) -> Source:
    """Open a source of statements: any that the user of this machine may name, so never by a name that a link brings.

    Parameters
    ----------
    name : str
        One of `NAMES`, ``encoder:NAME``, ``model:NAME`` or the path of a file.
    directory : Path, optional
        The data directory; that of `core.datasets` if not given.
    form : str, optional
        The format of a file (`core.knowledge.sources.own.FORMATS`); from its name if not given.
    mapping : mapping of str to str, optional
        Column by role of a file; guessed if not given.
    progress : callable, optional
        Told the share done of anything slow.

    Raises
    ------
    InputError
        No such name or file, or a file that cannot be used.
    AssetError
        The released file is not here; the remedy is the command that fetches it.
    EncoderError, ModelError
        The encoder or model cannot be loaded.

    Examples
    --------
    >>> open_source("nowhere.csv")
    Traceback (most recent call last):
        ...
    core.errors.InputError: Expected a source (demo, conceptnet, ...
    """
    kind, colon, model = name.partition(":")
    if name == "demo":
        return demo.read()
    if name in release.FILES:
        return release.open_release(name, directory or datasets.default_directory())
    if colon and kind == "encoder":
        return beliefs.read(
            catalog.load(model, catalog.default_cache_dir(), progress=progress, specs=True), progress=progress
        )
    if colon and kind == "model":
        return generation.read(model, progress=progress)
    path = Path(name)
    if audited.is_audit(path):
        return audited.open_audit(path)
    if not path.is_file():
        raise InputError(
            expected=f"a source ({', '.join(NAMES)}, encoder:NAME, model:NAME) or the path of a file",
            got=repr(name[:120]),
            remedy="choose one of these names, or check the path",
        )
    if form is None and mapping is None and (dump := dumps.recognise(path)):
        remedy = f"run `python -m core audit {name} --out DIR`, and name DIR here"
        raise InputError(
            expected="a source that is held as a whole",
            got=f"a full dump: {path.name} is in the format of {dumps.TITLES[dump]}",
            remedy=remedy + ("; a short one is read with --format tsv" if dump == "genericskb" else ""),
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            expected="a readable file", got=f"{error.strerror}: {name}", remedy="check its permissions"
        ) from error
    return own.read(own.cut(content, path.name, form), mapping)


def open_stream(
    name: str,
    *,
    directory: Path | None = None,
    form: str | None = None,
    mapping: Mapping[str, str] | None = None,
    progress: Progress = lambda share, what: None,
) -> Stream:
    """Open a source to be read in chunks, files of any size among them; otherwise as `open_source`.

    A file that is one of the two full dumps (`core.knowledge.sources.dumps`) is known by its first lines.

    Raises
    ------
    InputError, AssetError, EncoderError, ModelError
        As `open_source`.

    Examples
    --------
    >>> open_stream("nowhere.csv")
    Traceback (most recent call last):
        ...
    core.errors.InputError: Expected a source (demo, conceptnet, ...
    """
    path = Path(name)
    if name in NAMES or not path.is_file():
        return from_source(open_source(name, directory=directory, form=form, mapping=mapping, progress=progress))
    dump = dumps.read(path) if form is None and mapping is None else None
    return dump or large.read(path, form, mapping)
