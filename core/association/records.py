"""Association results as plain records: names the fields of their exports and of the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.association.affect import validate
from core.association.scatter import Scatter
from core.association.verbs import Extraction, overlap
from core.association.weat import Outcome
from core.moral.choice import MIN_TEMPLATES
from core.moral.poles import PoleScores


def weat_record(outcome: Outcome) -> dict[str, Any]:
    """One word test; what has no p (fewer than four words a side) or no null band says null."""
    weat, found = outcome.weat, outcome.weat.significance
    values = (*weat.associations.tolist(), *weat.attributes.tolist())
    words = [(word, role) for role, words in zip("XYAB", outcome.test.sets, strict=True) for word in words.words]
    return {
        "s": weat.statistic,
        "d": weat.effect,
        "ddof": weat.ddof,
        "p_one_sided": found.one_sided if found else None,
        "p_two_sided": found.two_sided if found else None,
        "exact": found.exact if found else None,
        "null_band": list(outcome.null_band) if outcome.null_band else None,
        "words": [
            {"word": word, "set": role, "s": value, "d_without": without}
            for (word, role), value, without in zip(words, values, weat.without.tolist(), strict=True)
        ],
        "missing": list(outcome.missing),
    }


def verbs_record(extraction: Extraction) -> dict[str, Any]:
    """A verb extraction with its check by AFINN and its overlap with the published lists."""
    dos, donts = ([verb for verb, _ in side] for side in (extraction.dos, extraction.donts))
    return {
        "dos": [{"verb": verb, "weat": value} for verb, value in extraction.dos],
        "donts": [{"verb": verb, "weat": value} for verb, value in extraction.donts],
        "afinn": asdict(validate(dos, donts)),
        "overlap": asdict(overlap(extraction)),
    }


def scatter_record(scatter: Scatter) -> dict[str, Any]:
    """Two measures of the same verbs: r with its 95 % interval and two-sided p, and the points."""
    found = scatter.correlation
    columns = (scatter.verbs, scatter.sides, scatter.weat.tolist(), scatter.bias.tolist())
    return {
        "r": found.r,
        "interval": [found.low, found.high],
        "p": found.p,
        "n": found.n,
        "points": [
            {"verb": verb, "side": side, "weat": weat, "bias": bias}
            for verb, side, weat, bias in zip(*columns, strict=True)
        ],
    }


def pole_records(scores: PoleScores) -> list[dict[str, Any]]:
    """One record per word, nearest to the first pole first; too few templates for an interval give null."""
    choice = scores.choice
    few = choice.biases.shape[1] < MIN_TEMPLATES
    return [
        {
            "word": scores.words[place],
            "bias": float(choice.mean[place]),
            "interval": None if few else [float(choice.low[place]), float(choice.high[place])],
            "sign_agreement": float(choice.sign_agreement[place]),
            "templates": [
                {"question": question, "bias": float(value)}
                for question, value in zip(scores.questions[place], choice.biases[place], strict=True)
            ],
        }
        for place in scores.order.tolist()
    ]
