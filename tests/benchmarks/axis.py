"""`axis_fit` and `axis_one_seed`: the evidence for an axis on remembered embeddings, and after one seed was edited."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from core.encoders.cache import CachedEncoder
from core.moral import axis
from core.moral.representation import represent
from core.moral.seeds import published
from core.moral.study import study
from core.moral.templates import published as templates
from core.moral.templates import questions
from tests.benchmarks.figures import bundled, report, take_turns
from tests.benchmarks.texts import VERBS

ROUNDS = len(VERBS)

if __name__ == "__main__":
    encoder, seeds = bundled(), published()
    asked = questions(seeds.actions, templates())
    remembering = CachedEncoder(encoder)
    vectors = represent(remembering, seeds.actions).per_template

    def fit() -> None:
        """The axis, its bootstrap, and what leaving out seeds and templates does to it."""
        axis.stability(axis.fit(vectors.mean(axis=1), seeds.do_rows, seeds.dont_rows), vectors)

    edits = iter(VERBS)

    def edit() -> None:
        """Another verb in place of the eighth seed each time."""
        actions = (*seeds.actions[:7], next(edits), *seeds.actions[8:])
        study(remembering, replace(seeds, actions=actions))

    for name, work, what in (
        ("axis_fit", fit, "fit with all stability figures, embeddings at hand"),
        ("axis_one_seed", edit, "the same after one seed was edited, its ten questions encoded"),
    ):
        ours, encodings = (median(times) for times in take_turns(work, lambda: encoder.encode(asked), rounds=ROUNDS))
        report(
            name,
            ours / encodings,
            "x",
            f"median of {ROUNDS}: {what} {ours * 1e3:.0f} ms / encoding the {len(asked)} seed questions "
            f"{encodings * 1e3:.0f} ms",
        )
