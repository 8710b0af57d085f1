"""The demonstration set: enough of everything, every statement about its target."""

from __future__ import annotations

import re
from collections import Counter

from core.assets import column, read_table

ROWS = read_table("demo_statements.csv")


def test_there_are_enough_targets_and_statements_of_each() -> None:
    counts = Counter(row["target"] for row in ROWS)
    assert len(counts) >= 60
    assert min(counts.values()) >= 12
    assert len(set(counts.values())) > 2
    assert {row["category"] for row in ROWS} == {"origin", "gender", "religion", "profession"}


def test_every_target_is_a_published_one_of_its_category() -> None:
    for category in ("origin", "gender", "religion", "profession"):
        used = {row["target"] for row in ROWS if row["category"] == category}
        assert used <= set(column("targets.csv", "target", category=category))


def test_every_statement_names_its_target_as_a_word_and_stands_once() -> None:
    missing = [
        row for row in ROWS if not re.search(rf"\b{re.escape(row['target'])}\b", row["statement"], re.IGNORECASE)
    ]
    assert missing == []
    assert len({row["statement"] for row in ROWS}) == len(ROWS)
