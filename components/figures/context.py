"""Scores of actions in context, as a heatmap with the numbers in its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from components.figures import heatmap
from core.moral.compass import PhraseScores
from core.text import Phrase

BARE = "(no context)"


@dataclass(frozen=True)
class Cell:
    """An action in a context: the score of both together, and what the context changed."""

    action: str
    context: str
    text: str
    score: float
    effect: float


def cells(pairs: Sequence[Phrase], scores: PhraseScores, *, factor: float) -> list[Cell]:
    """Cells of the actions that have a context; effect = score(action with context) − score(bare action).

    Parameters
    ----------
    pairs : sequence of Phrase
        What was asked, bare actions included.
    factor : float
        1 for means over templates, the number of templates for sums.
    """
    found = dict(zip(scores.texts, (scores.choice.mean * factor).tolist(), strict=True))
    with_context = {pair.action for pair in pairs if pair.context}
    return [
        Cell(pair.action, pair.context, pair.text, found[pair.text], found[pair.text] - found[pair.action])
        for pair in pairs
        if pair.action in with_context
    ]


def figure(found: Sequence[Cell], *, as_effect: bool, poles: str, limit: float) -> go.Figure:
    """Draw actions as columns and contexts as rows; a pair that was not asked for stays empty.

    Parameters
    ----------
    found : sequence of Cell
        What to draw.
    as_effect : bool
        Draw effects of contexts instead of scores; bare actions have none.
    poles : str
        Names of both ends of the scale.
    limit : float
        End of the colour scale on both sides, so that colours mean the same in figures side by side.
    """
    drawn = [cell for cell in found if cell.context or not as_effect]
    actions = list(dict.fromkeys(cell.action for cell in drawn))
    contexts = list(dict.fromkeys(cell.context for cell in drawn))
    by_pair = {(cell.action, cell.context): cell.effect if as_effect else cell.score for cell in drawn}
    return heatmap.figure(
        [[by_pair.get((action, context)) for action in actions] for context in contexts],
        actions,
        [context or BARE for context in contexts],
        title=f"{'context effect' if as_effect else 'bias'}<br>{poles}",
        limit=limit,
    )
