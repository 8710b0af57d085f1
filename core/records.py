"""Scores as plain records: the one place that names the fields of the exports and of the command line."""

from __future__ import annotations

from typing import Any

from core.moral.compass import Compass, PhraseScores


def encoder_record(compass: Compass) -> dict[str, Any]:
    """Which encoder, as in every export."""
    made_by = compass.provenance
    return {
        "name": compass.encoder_name,
        "model": made_by.model,
        "revision": made_by.revision,
        "dimension": made_by.dimension,
    }


def score_records(compass: Compass, scores: PhraseScores) -> list[dict[str, Any]]:
    """One nested record per phrase, in the order asked; numbers at full precision."""
    return [_score_record(compass, scores, index) for index in range(len(scores.texts))]


def score_rows(compass: Compass, scores: PhraseScores) -> list[dict[str, Any]]:
    """One flat row per phrase, for tables and CSV."""
    return [
        {
            "action": record["action"],
            "encoder": compass.encoder_name,
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
        for record in score_records(compass, scores)
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
