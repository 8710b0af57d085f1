from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.batches import pad, plan

lengths = st.lists(st.integers(1, 300), max_size=80)


@given(lengths, st.integers(1, 9), st.integers(1, 4))
def test_every_text_is_in_one_batch_and_no_batch_is_larger_than_allowed(
    tokens: list[int], rows: int, lanes: int
) -> None:
    batches = plan(tokens, rows=rows, lanes=lanes)
    assert sorted(position for batch in batches for position in batch) == list(range(len(tokens)))
    assert all(1 <= len(batch) <= rows for batch in batches)


@given(lengths)
def test_batches_go_from_long_to_short_texts(tokens: list[int]) -> None:
    in_order = [tokens[position] for batch in plan(tokens) for position in batch]
    assert in_order == sorted(tokens, reverse=True)


def test_a_short_request_is_cut_so_that_every_lane_has_work() -> None:
    assert [len(batch) for batch in plan([5] * 10, rows=32, lanes=2)] == [5, 5]


@given(st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=7), min_size=1, max_size=6))
def test_padding_adds_zeros_that_the_mask_hides_and_loses_nothing(sequences: list[list[int]]) -> None:
    ids, mask = pad(sequences)
    assert ids.shape == mask.shape == (len(sequences), max(map(len, sequences)))
    for sequence, row, real in zip(sequences, ids, mask, strict=True):
        assert row[real == 1].tolist() == sequence
        assert not row[real == 0].any()
        assert np.all(np.diff(real) <= 0)  # padding stands at the end
