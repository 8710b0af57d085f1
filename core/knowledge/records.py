"""Harms and mitigation as plain records: the one place that names the fields of their exports and of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from core.knowledge.harms import Harms, Intervals, Summary, thresholds
from core.knowledge.mitigation import Mitigation


def harms_record(harms: Harms) -> dict[str, Any]:
    """One classifier: all targets, each category, each target. Shares in percent, disparities in points squared."""
    sure = harms.category_intervals
    return {
        **_summary(harms.overall, harms.intervals),
        "categories": {
            name: {
                "targets": part.targets,
                "statements": part.statements,
                **_summary(part, sure[name]),
                "negative": _kind("negative", part, sure[name]),
                "positive": _kind("positive", part, sure[name]),
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


def _summary(part: Summary, sure: Intervals) -> dict[str, Any]:
    return {
        "overall": _kind("polarised", part, sure),
        "disparity": {
            "representation": part.representation,
            "negative": part.disparity.negative,
            "positive": part.disparity.positive,
            "interval_representation": sure.representation,
            "interval_negative": sure.disparity.negative,
            "interval_positive": sure.disparity.positive,
        },
    }


def _kind(kind: str, part: Summary, sure: Intervals) -> dict[str, Any]:
    return {
        "over_targets": getattr(part.over_targets, kind),
        "pooled": getattr(part.pooled, kind),
        "interval_over_targets": getattr(sure.over_targets, kind),
        "interval_pooled": getattr(sure.pooled, kind),
    }


def _sides(sides: Mapping[str, Any]) -> dict[str, Any]:
    return {name: asdict(found) for name, found in sides.items()}
