"""The demonstration set that ships with the app: written for it, and evidence of nothing."""

from __future__ import annotations

from core.assets import read_table
from core.knowledge.sources.source import Collector, Source, Table
from core.knowledge.targets import published

FILE = "demo_statements.csv"


def read() -> Source:
    """The demonstration statements.

    Raises
    ------
    AssetError
        The table is missing or damaged.
    """
    rows = read_table(FILE)
    found = Collector(published())
    for number, row in enumerate(rows):
        code = found.targets.code(row["target"])
        found.add(number, [] if code is None else [code], row["statement"])
    return found.source(
        "demo",
        "Demonstration set",
        "Written for this app to show how it works. An illustration, not evidence of anything.",
        Table(tuple(rows[0]), [tuple(row.values()) for row in rows]),
        occurring=True,
    )
