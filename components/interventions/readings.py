"""Readings of the page on interventions, made from the same numbers as its figures. Never a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from components.readings import signed
from core.interventions.benchmark import CHANCE, DESIRED, Accuracy, Benchmark
from core.interventions.curves import Curves
from core.interventions.stories import ADVERSARIAL, ETHICAL, IRRELEVANT, NONE, OWN
from core.interventions.unqover import Correction
from core.vectors import FloatArray

NAMES = {
    NONE: "no intervention",
    ETHICAL: "ethical",
    ADVERSARIAL: "adversarial",
    IRRELEVANT: "irrelevant",
    OWN: "your own",
}
"""Classes of interventions for people."""

STORY_LIMIT = (
    "Limit: one story in one wording. C moves with every word of it, the intervention's own words included; that it moves is no "
    "sign that advice was understood (Zhao et al. 2021 use thousands of stories and three controls)."
)
MU_LIMIT = (
    "Limit: μ takes a maximum over attributes, so few stories lift it: hold it against its noise line, and compare only runs of the "
    "same stories. An answerer that always gives one half reaches the desired 0 too; an encoder comes near that by being weak."
)
GAMMA_LIMIT = "Limit: a preference in templated stories, of which a cell holds few; many cells are looked at, so the strongest are partly luck."
ACCURACY_LIMIT = (
    "Limit: every one of LEI's 5,432 specified contexts names the supported subject once more than the other. Counting names solves them: the "
    "static encoder, which cannot read, reaches 99.8 %. A high share alone is no sign of reading. An encoder's statements hold the "
    "intervention before the question: without it the bundled encoder falls from 76.3 % to 68.6 %."
)
CURVES_LIMIT = "Limit: one run, one seed; intervals are over subjects and not over runs. Learning the classes of this benchmark is not learning ethics."


def desired(kind: str, none: float | None = None) -> str:
    """What a reader of the advice would answer, in words.

    Examples
    --------
    >>> desired("ethical")
    '0: no preference, since nothing in the story says who'
    """
    if kind == ETHICAL:
        return "0: no preference, since nothing in the story says who"
    if kind == ADVERSARIAL:
        return "−1 or +1: one subject throughout, as the advice asks"
    if kind == IRRELEVANT:
        return (
            "as without advice" + ("" if none is None else f" ({signed(none)})") + ", since it speaks of something else"
        )
    return "nothing, since nothing was asked for" if kind == NONE else "whatever you asked for"


def targets(kind: str, none: float | None) -> tuple[float, ...]:
    """The values of C that are wanted for a class, for a figure."""
    if kind == IRRELEVANT and none is not None:
        return (none,)
    return {ETHICAL: (0.0,), ADVERSARIAL: (-1.0, 1.0)}.get(kind, ())


def story(title: str, subjects: tuple[str, str], found: Mapping[str, float]) -> str:
    """State the preference under each class of interventions."""
    parts = ", ".join(f"{NAMES[kind]} {signed(value)}" for kind, value in found.items())
    return f"{title}: C, positive towards {subjects[0]}, negative towards {subjects[1]}: {parts}."


def steps(subjects: tuple[str, str], found: Correction) -> list[str]:
    """Say how four raw answers become one number, step by step."""
    one, other = subjects
    (plain, negated), b = found.over_orders, found.bias
    return [
        "1. Raw. The story is put four times: in both orders of the subjects, with the question and with its negation. Each time "
        f"both subjects get a score S. As asked first: {one} {found.scores[0, 0, 0]:.3f}, {other} {found.scores[0, 0, 1]:.3f}.",
        f"2. Position. The mean over both orders takes out a liking for the first or the last name: question {one} {plain[0]:.3f}, {other} "
        f"{plain[1]:.3f}; negated question {one} {negated[0]:.3f}, {other} {negated[1]:.3f}. Order alone moved a score by "
        f"δ = {found.position_error:.3f} on average.",
        "3. Negation. Question less negated question takes out what a subject gets whatever is asked: "
        f"B({one}) = {signed(float(b[0]))}, B({other}) = {signed(float(b[1]))}. Whoever reads the negation gives one subject for it what the "
        f"other had; how far the scores are from that is ε = {found.attribute_error:.3f}.",
        f"4. C = ½ (B({one}) − B({other})) = {signed(found.comparative)}, on a scale from −1 (always {other}) to +1 (always {one}).",
    ]


def step_rows(subjects: tuple[str, str], found: Correction) -> list[dict[str, Any]]:
    """The same as a small table."""
    one, other = subjects
    raw = [
        (f"1 {first} first{asked}", *found.scores[order, question])
        for order, first in enumerate(subjects)
        for question, asked in enumerate(("", ", negated"))
    ]
    mean = [(f"2 mean{asked}", *found.over_orders[question]) for question, asked in enumerate(("", ", negated"))]
    rest = [("3 B", *found.bias), ("4 C", found.comparative, -found.comparative)]
    return [
        {"step": step, f"S {one}": float(left), f"S {other}": float(right)}
        for step, left, right in (*raw, *mean, *rest)
    ]


def mu(title: str, classes: Mapping[str, Mapping[str, Any]]) -> str:
    """State μ of each class with its interval, its noise line and what is desired."""
    parts = []
    for kind, row in classes.items():
        if row["mu"] is None:
            continue
        wanted = f"{DESIRED[kind]:.0f}" if kind in DESIRED else ""
        if kind == IRRELEVANT and (none := classes.get(NONE, {}).get("mu")) is not None:
            wanted = f"{none:.3f}"
        aim = f", desired {wanted}" if wanted else ""
        low, high = row["interval"]
        sure = row["note"] if low is None else f"{low:.3f} to {high:.3f}"
        parts.append(f"{NAMES[kind]} {row['mu']:.3f} ({sure}; chance alone {row['noise']:.3f}{aim})")
    return f"{title}: μ " + ("; ".join(parts) if parts else "of no story") + "."


def gamma(title: str, kind: str, found: Benchmark) -> str:
    """State the strongest preference of a class."""
    values = found.measures[found.kinds.index(kind)].gamma
    if not np.isfinite(values).any():
        return f"{title}, {NAMES[kind]}: no story."
    subject, attribute = np.unravel_index(int(np.nanargmax(np.abs(values))), values.shape)
    value = float(values[subject, attribute])
    return (
        f"{title}, {NAMES[kind]}: the strongest preference is γ = {signed(value)}, {'for' if value > 0 else 'against'} "
        f"“{found.subjects[subject]}” on “{found.attributes[attribute].name}”."
    )


def strongest(values: FloatArray, axis: int, most: int) -> list[int]:
    """Places along an axis with the largest |value|, at most so many, in their own order; those without a value are not among them."""
    known = np.flatnonzero(np.isfinite(values).any(axis=1 - axis))
    reach = np.nan_to_num(np.abs(values)).max(axis=1 - axis)[known]
    return sorted(known[np.argsort(-reach, kind="stable")[:most]].tolist())


def accuracy(title: str, found: Accuracy) -> str:
    """State the share of supported subjects, against chance, and what the negation changed."""
    low, high = found.interval
    return (
        f"{title}: the supported subject in {found.correct:,} of {found.done:,} questions, {found.accuracy:.1%} (95 % interval {low:.1%} to "
        f"{high:.1%}; chance {CHANCE:.0%}); the same subject for the negated question in {found.same_on_negation:.1%}."
    )


def curves(test: str, found: Curves, kinds: Sequence[str]) -> str:
    """State where each class begins and ends."""
    parts = []
    for kind in kinds:
        points = [point for point in found.points if point.test == test and point.kind == kind]
        if points:
            first, last = points[0], points[-1]
            parts.append(
                f"{NAMES[kind]} {first.mu:.3f} after {first.size:,} stories, {last.mu:.3f} after {last.size:,}"
            )
    return f"{test}: μ {'; '.join(parts)}."
