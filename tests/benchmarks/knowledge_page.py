"""`knowledge_page`: the page Knowledge harms with 100,000 statements, from their labels to the first figure."""

from __future__ import annotations

import numpy as np
import pandas as pd

from components import resources
from components.knowledge import overview
from components.knowledge.labelled import Labelled
from core.knowledge.sources.source import Lines, Report, Source
from core.knowledge.statements import build
from core.knowledge.targets import published
from tests.benchmarks.figures import report, take_turns

STATEMENTS, ROUNDS = 100_000, 21


def source() -> Source:
    """Short sentences about every target, some much more often than others."""
    rng = np.random.default_rng(1)
    targets = published()
    weights = 1 / np.arange(1, len(targets) + 1)
    codes = rng.choice(len(targets), size=STATEMENTS, p=weights / weights.sum())
    texts = [f"this person is number {number}" for number in range(STATEMENTS)]
    ids = [str(number) for number in range(STATEMENTS)]
    statements = build(texts, codes.tolist(), targets=targets, source="made", ids=ids, masked=texts)
    return Source("made", "Made", "", statements, Report(STATEMENTS, STATEMENTS), np.arange(STATEMENTS), Lines(texts))


if __name__ == "__main__":
    made = source()
    labels = np.random.default_rng(2).choice(np.array([-1, 0, 1], dtype=np.int8), size=STATEMENTS, p=(0.1, 0.8, 0.1))
    frame = pd.DataFrame({"target": made.statements.frame["target"], "label": labels})
    categories = published().in_order

    def drawn(categories: tuple[str, ...]) -> object:
        """What the page computes for its first figure: both panels, what is read out with them, and their table."""
        measured = {"sentiment": resources.measured("made", "sentiment", False, made, labels)}
        item = Labelled("made", made, {"sentiment": labels}, measured, categories, 10)
        return overview.panels([item]), overview.per_target(item)

    def first_figure() -> object:
        resources.measured.clear()
        return drawn(categories)

    def again() -> object:
        """The same after another choice, such as a category."""
        return drawn(categories[:2])

    def grouped() -> object:
        """Shares by one group-by, as a script of pandas has them."""
        return frame.groupby(["target", "label"], observed=False).size().unstack()

    first_figure(), grouped()
    ours, theirs = take_turns(first_figure, grouped, rounds=ROUNDS)
    redraw, _ = take_turns(again, grouped, rounds=ROUNDS)
    for name, seconds in (("knowledge_page", ours), ("knowledge_page_redraw", redraw)):
        report(
            name,
            min(seconds) / min(theirs),
            "x",
            f"fastest of {ROUNDS}, {STATEMENTS:,} statements: {min(seconds) * 1e3:.1f} ms / one pandas group-by "
            f"{min(theirs) * 1e3:.1f} ms; at most 3 asked",
        )
