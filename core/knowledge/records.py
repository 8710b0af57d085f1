"""Harms and mitigation as plain records: the one place that names the fields of their exports and of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.knowledge.harms import Harms, Summary, thresholds
from core.knowledge.mitigation import Mitigation


def harms_record(harms: Harms) -> dict[str, Any]:
    """One classifier: all targets, each category, each target. Shares in percent, disparities in points squared."""
    return {
        **_summary(harms.overall),
        "categories": {
            name: {
                "targets": part.targets,
                "statements": part.statements,
                **_summary(part),
                "negative": {"over_targets": part.over_targets.negative, "pooled": part.pooled.negative},
                "positive": {"over_targets": part.over_targets.positive, "pooled": part.pooled.positive},
                "thresholds": dict(zip(("negative", "positive"), thresholds(harms, [name]), strict=True)),
            }
            for name, part in harms.categories.items()
        },
        "per_target": target_records(harms),
    }


def target_records(harms: Harms) -> list[dict[str, Any]]:
    """One record per target, in the order of the list."""
    columns = (
        harms.targets.names,
        harms.targets.categories,
        harms.n.tolist(),
        harms.negative.tolist(),
        harms.positive.tolist(),
        harms.interval_negative.tolist(),
        harms.interval_positive.tolist(),
    )
    fields = ("target", "category", "n", "negative", "positive", "interval_negative", "interval_positive")
    return [dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True)]


def mitigation_record(found: Mitigation) -> dict[str, Any]:
    """Before, after and cost, by classifier."""
    return {
        "before": _sides(found.before),
        "after": _sides(found.after),
        "cost": {
            "statements": found.statements,
            "statements_lost": found.statements_lost,
            "targets": found.targets,
            "targets_lost": found.targets_lost,
            "records": len(found.records),
            "records_lost": found.records_lost,
        },
    }


def _summary(part: Summary) -> dict[str, Any]:
    return {
        "overall": {"over_targets": part.over_targets.polarised, "pooled": part.pooled.polarised},
        "disparity": {
            "representation": part.representation,
            "negative": part.disparity.negative,
            "positive": part.disparity.positive,
        },
    }


def _sides(sides: Mapping[str, Any]) -> dict[str, Any]:
    return {name: asdict(found) for name, found in sides.items()}
