"""Texts to encode: questions about the phrases of the papers and more of our own, and statements of our own."""

from __future__ import annotations

import random

from core.assets import column
from core.moral.templates import published, questions

VERBS, THINGS, PEOPLE, LINKS = (
    line.split()
    for line in (
        "paint carry find wash repair borrow draw move lift open close sell buy hide share clean fold visit weigh",
        "chair table lamp bridge garden letter basket bottle window door road boat bicycle blanket kettle ladder map "
        "mirror orchard piano rope saddle shelf spoon tent umbrella violin wagon wheel yard",
        "teacher baker nurse farmer pilot cook driver singer painter student neighbour gardener",
        "near behind beside under above without after before while because and with",
    )
)


def phrases() -> list[str]:
    """Distinct phrases: those of the papers, then every verb of ours with every thing."""
    theirs = (
        *column("mcm_verbs.csv", "verb"),
        *column("atomic_actions.csv", "action"),
        *column("context_actions.csv", "phrase"),
    )
    ours = [f"{verb} the {thing}" for verb in VERBS for thing in THINGS]
    return list(dict.fromkeys([*theirs, *ours]))


def short_questions(count: int) -> list[str]:
    """Distinct questions in mixed order."""
    templates = published()
    asked = questions(phrases()[: -(-count // len(templates))], templates)[:count]
    random.Random(1).shuffle(asked)
    return asked


def statements(count: int) -> list[str]:
    """Distinct statements of 5 to 20 words in mixed order."""
    draw = random.Random(2)
    found: dict[str, None] = {}
    while len(found) < count:
        words: list[str] = []
        while len(words) < 20:
            words += [
                "the",
                draw.choice(PEOPLE),
                f"{draw.choice(VERBS)}s",
                "the",
                draw.choice(THINGS),
                draw.choice(LINKS),
            ]
        found[" ".join(words[: draw.randint(5, 20)]).capitalize() + "."] = None
    return list(found)
