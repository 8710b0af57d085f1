from __future__ import annotations

import numpy as np
import pytest

from core.association import scatter
from core.encoders.cache import CachedEncoder
from core.errors import InputError
from core.moral.compass import Compass
from core.statistics import pearson


def test_the_published_points_have_the_published_correlation() -> None:
    found = scatter.published_points()
    assert found.correlation.r == pytest.approx(0.73, abs=0.005)
    assert found.correlation.p < 1e-15
    smile = found.verbs.index("smile")
    assert (found.sides[smile], found.weat[smile]) == ("do", 0.116)
    assert found.bias[smile] == pytest.approx(0.0348)  # the mean over ten templates, not their sum


def test_the_bundled_encoder_agrees_with_the_published_associations(bundled: CachedEncoder, compass: Compass) -> None:
    printed = scatter.published_points()
    own = scatter.own_bias(bundled, printed.verbs)
    np.testing.assert_allclose(own.mean, compass.reference, atol=1e-6)
    assert pearson(printed.weat, own.mean).r == pytest.approx(0.60, abs=0.005)
    assert pearson(printed.weat, scatter.own_weat(bundled, printed.verbs)).r == pytest.approx(0.85, abs=0.006)


def test_a_coordinate_that_does_not_vary_is_refused() -> None:
    with pytest.raises(InputError, match="numbers that vary"):
        scatter.relate("abcd", ["do"] * 4, np.ones(4), np.arange(4.0))
