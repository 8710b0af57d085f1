"""Tables that ship with the app: word sets, templates and what the papers print.

`assets/REGISTRY` lists every table with its SHA-256; a table is read only if its bytes match.
"""

from __future__ import annotations

import csv
import hashlib
import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from core.errors import AssetError

ROOT = Path(__file__).resolve().parent.parent / "assets"

Row = dict[str, str]


def read_table(name: str, *, root: Path = ROOT) -> list[Row]:
    """The rows of one shipped CSV table, as dictionaries by column name.

    Raises
    ------
    AssetError
        The table is not registered, is missing, or its bytes differ from the registered hash.

    Examples
    --------
    >>> read_table("atomic_actions.csv")[0]["action"]
    'smile'
    """
    expected = _registry(root).get(name)
    path = root / name
    if expected is None or not path.is_file():
        raise AssetError(
            expected=f"the table {name} in the assets folder", got="no such file", remedy="install the app again"
        )
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != expected:
        raise AssetError(
            expected=f"{name} as registered",
            got="a file with other content",
            remedy="restore it, or run `make registry` if the change was meant",
        )
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))


def package_lines(package: str, file: str) -> list[str]:
    """Lines of a word list that an installed package brings along, without importing the package.

    Raises
    ------
    AssetError
        It is not installed.
    """
    found = find_spec(package)
    folders = (found.submodule_search_locations if found else None) or ["."]
    try:
        return (Path(folders[0]) / "data" / file).read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise AssetError(
            expected=f"the word list {file} of the package {package}",
            got=str(error),
            remedy="install requirements.txt again",
        ) from error


def column(name: str, field: str, **wanted: str) -> tuple[str, ...]:
    """One column of a shipped table, of the rows whose other columns equal `wanted`.

    Examples
    --------
    >>> column("mcm_verbs.csv", "verb", side="do")[:2]
    ('smile', 'sightsee')
    """
    rows = read_table(name)
    return tuple(row[field] for row in rows if all(row[key] == value for key, value in wanted.items()))


def write_registry(root: Path = ROOT) -> None:
    """Register the tables in `root` as they are now; called by ``make registry``."""
    lines = [f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in sorted(root.glob("*.csv"))]
    (root / "REGISTRY").write_text("".join(lines), encoding="utf-8")
    _registry.cache_clear()


@cache
def _registry(root: Path) -> dict[str, str]:
    try:
        lines = (root / "REGISTRY").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise AssetError(
            expected="the list of shipped tables", got=str(error), remedy="install the app again"
        ) from error
    return dict(line.split(" ", 1) for line in lines)
