"""Table 9 of Schramowski et al. (2019), turned to point the way the axis does."""

from __future__ import annotations

import numpy as np
import pytest

from core.assets import column
from core.moral.published import ENCODERS, KINDS, table9
from core.moral.seeds import published


@pytest.mark.parametrize("encoder", ENCODERS)
def test_the_do_anchors_lie_above_the_dont_anchors(encoder: str) -> None:
    printed = table9(encoder, "atomic")
    seeds = published()
    place = dict(zip(printed.actions, printed.positions, strict=True))
    assert set(printed.actions) == set(seeds.actions)
    assert min(place[anchor] for anchor in seeds.do) > max(place[anchor] for anchor in seeds.dont)


@pytest.mark.parametrize(("encoder", "kind"), [(encoder, kind) for encoder in ENCODERS for kind in KINDS])
def test_the_printed_sign_is_turned_and_nothing_else(encoder: str, kind: str) -> None:
    printed = column("moral_axis.csv", "m", encoder=encoder, kind=kind)
    np.testing.assert_array_equal(table9(encoder, kind).positions, [-float(value) for value in printed])
    assert len(printed) == {"atomic": 65, "context": 56}[kind]


def test_no_action_in_context_is_a_seed() -> None:
    assert not set(table9("bert", "context").actions) & set(published().actions)
