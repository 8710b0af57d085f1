from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

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


def test_the_line_and_its_band_are_those_of_least_squares() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(-1, 1, 30)
    y = 0.5 * x + rng.normal(0, 0.2, 30)
    found, known = scatter.regression(x, y), stats.linregress(x, y)
    assert (found.slope, found.intercept) == pytest.approx((known.slope, known.intercept))
    low, high = found.band(np.array([0.0]))
    half = stats.t.ppf(0.975, 28) * known.intercept_stderr
    assert (low[0], high[0]) == pytest.approx((known.intercept - half, known.intercept + half))


@given(seed=st.integers(0, 2**32 - 1), at=st.floats(-5, 5))
def test_the_band_holds_the_line_and_is_narrowest_at_the_mean(seed: int, at: float) -> None:
    x, y = np.random.default_rng(seed).standard_normal((2, 12))
    line = scatter.regression(x, y)
    low, high = line.band(np.array([at, x.mean()]))
    np.testing.assert_allclose((low + high) / 2, line.at(np.array([at, x.mean()])))
    assert high[0] - low[0] >= high[1] - low[1] - 1e-12


def test_a_coordinate_that_does_not_vary_is_refused() -> None:
    with pytest.raises(InputError, match="numbers that vary"):
        scatter.relate("abcd", ["do"] * 4, np.ones(4), np.arange(4.0))
