"""Scores as plain records: the one place that names the fields of the exports and of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.encoders.health import Health
from core.encoders.protocol import Provenance
from core.moral.compass import Compass, PhraseScores
from core.moral.study import Study
from core.statistics import Correlation
from core.vectors import FloatArray


def encoder_record(name: str, made_by: Provenance) -> dict[str, Any]:
    """Which encoder, as in every export."""
    return {"name": name, "model": made_by.model, "revision": made_by.revision, "dimension": made_by.dimension}


def correlation(found: Correlation) -> dict[str, Any]:
    """Give a correlation with its interval, as in every export."""
    return {"r": found.r, "interval": [found.low, found.high]}


def health_record(card: Health) -> dict[str, Any]:
    """Describe the health of an encoder; what was not measured is null."""
    made_by = card.provenance
    return {
        "encoder": {
            **encoder_record(card.encoder_name, made_by),
            "licence": made_by.licence,
            "runtime": made_by.runtime,
            "note": made_by.note,
        },
        "yes_no": card.yes_no,
        "negation": card.negation and correlation(card.negation),
        "weat": card.weat and correlation(card.weat),
        "variance_explained": card.variance_explained,
        "random_line": card.random_line,
        "people": {
            "mcm": card.people_bias and correlation(card.people_bias),
            "axis": card.people_axis and correlation(card.people_axis),
        },
        "texts_per_second": card.texts_per_second,
        "concerns": list(card.concerns),
    }


def axis_record(made: Study, texts: Sequence[str], vectors: FloatArray | None) -> dict[str, Any]:
    """Describe an axis with its evidence, its seeds, and the phrases placed on it."""
    stability = made.stability
    return {
        "encoder": encoder_record(made.encoder_name, made.provenance),
        "variance_explained": made.axis.variance_explained.tolist(),
        "random_line": list(made.axis.random_line),
        "beats_random": made.axis.beats_random,
        "stability": {
            "without_seed": dict(zip(made.seeds.actions, stability.without_seed.tolist(), strict=True)),
            "without_template": {
                template.question: float(value)
                for template, value in zip(made.templates, stability.without_template, strict=False)
            },
            "bootstrap": {
                "median": float(np.median(stability.bootstrap)),
                "low": float(np.quantile(stability.bootstrap, 0.05)),
            },
        },
        "seeds": _positions(made, made.seeds.actions, made.axis.seeds),
        "phrases": _positions(made, texts, vectors) if vectors is not None else [],
    }


def _positions(made: Study, texts: Sequence[str], vectors: FloatArray) -> list[dict[str, Any]]:
    columns = (made.axis.position(vectors), made.axis.raw(vectors), *made.axis.interval(vectors))
    return [
        {"action": text, "position": float(position), "raw": float(raw), "interval": [float(low), float(high)]}
        for text, position, raw, low, high in zip(texts, *columns, strict=True)
    ]


def score_records(compass: Compass, scores: PhraseScores) -> list[dict[str, Any]]:
    """One nested record per phrase, in the order asked; numbers at full precision."""
    return [_score_record(compass, scores, index) for index in range(len(scores.texts))]


def flat(encoder_name: str, record: dict[str, Any]) -> dict[str, Any]:
    """One flat row of a phrase's record, for tables and CSV."""
    return {
        "action": record["action"],
        "encoder": encoder_name,
        "bias": record["bias"],
        "bias_low": record["interval"][0],
        "bias_high": record["interval"][1],
        "sign_agreement": record["sign_agreement"],
        "negated_bias": record["negated_bias"],
        "rank": record["rank"],
        "of": record["of"],
        "axis_position": record["axis"]["position"],
        "axis_low": record["axis"]["interval"][0],
        "axis_high": record["axis"]["interval"][1],
        "axis_raw": record["axis"]["raw"],
    }


def bias_rows(compass: Compass, scores: PhraseScores, factor: float, unit: str) -> list[dict[str, Any]]:
    """The table behind the figure of biases: typed phrases and published verbs, one column per question.

    Parameters
    ----------
    factor : float
        What means are multiplied by; `unit` names it.
    """
    choice = scores.choice
    typed = [
        {
            "encoder": compass.encoder_name,
            "kind": "typed",
            "action": text,
            "unit": unit,
            "bias": float(choice.mean[row]) * factor,
            "bias_low": float(choice.low[row]) * factor,
            "bias_high": float(choice.high[row]) * factor,
            "sign_agreement": float(choice.sign_agreement[row]),
            "negated_bias": float(scores.negated[row]) * factor,
            "rank": int(scores.rank[row]),
            "of": scores.of,
        }
        | {
            template.question: float(value)
            for template, value in zip(compass.templates, choice.biases[row], strict=True)
        }
        for row, text in enumerate(scores.texts)
    ]
    empty: dict[str, Any] = dict.fromkeys(typed[0]) if typed else {}
    published = [
        empty
        | {
            "encoder": compass.encoder_name,
            "kind": f"published {side}",
            "action": verb,
            "unit": unit,
            "bias": float(value) * factor,
        }
        for verb, side, value in zip(compass.verbs, compass.sides, compass.reference, strict=True)
    ]
    return typed + published


def axis_rows(compass: Compass, scores: PhraseScores) -> list[dict[str, Any]]:
    """The table behind the axis strip: typed phrases, then seeds."""
    axis = compass.axis
    low, high = axis.interval(axis.seeds)
    parts = (
        ("typed", scores.texts, scores.position, scores.position_low, scores.position_high, scores.raw),
        ("seed", compass.seeds, axis.position(axis.seeds), low, high, axis.raw(axis.seeds)),
    )
    return [
        {
            "encoder": compass.encoder_name,
            "kind": kind,
            "action": text,
            "position": float(at),
            "low": float(below),
            "high": float(above),
            "raw": float(raw),
        }
        for kind, texts, *columns in parts
        for text, at, below, above, raw in zip(texts, *columns, strict=True)
    ]


def safe_cell(value: Any) -> Any:
    """A cell as it goes into a CSV file: text that a spreadsheet would run as a formula gets a leading apostrophe.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell("kill time"), safe_cell(-0.5)
    ("'=1+1", 'kill time', -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.lstrip().startswith(_FORMULA_STARTS) else value


_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def _score_record(compass: Compass, scores: PhraseScores, index: int) -> dict[str, Any]:
    text, choice = scores.texts[index], scores.choice
    return {
        "action": text,
        "bias": float(choice.mean[index]),
        "interval": [float(choice.low[index]), float(choice.high[index])],
        "sign_agreement": float(choice.sign_agreement[index]),
        "negated_bias": float(scores.negated[index]),
        "rank": int(scores.rank[index]),
        "of": scores.of,
        "templates": [
            {"question": template.fill(text), "bias": float(value)}
            for template, value in zip(compass.templates, choice.biases[index], strict=True)
        ],
        "axis": {
            "position": float(scores.position[index]),
            "raw": float(scores.raw[index]),
            "interval": [float(scores.position_low[index]), float(scores.position_high[index])],
        },
    }
