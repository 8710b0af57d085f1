from __future__ import annotations

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Provenance
from core.encoders.static import StaticEncoder

TABLE = np.array([[9, 9], [1, 0], [0, 1], [3, 4]], dtype=np.float32)


@pytest.fixture
def words() -> StaticEncoder:
    vocabulary = {"[UNK]": 0, "kill": 1, "time": 2, "smile": 3}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return StaticEncoder("words", TABLE.copy(), tokenizer, Provenance("toy", "1", "MIT", 2, "NumPy", ""))


def test_a_text_is_the_mean_of_its_words(words: StaticEncoder) -> None:
    encoded = words.encode(["kill time", "smile", "kill kill time smile"])
    np.testing.assert_array_equal(encoded, [[0.5, 0.5], [3, 4], [1.25, 1.25]])
    assert encoded.dtype == np.float32


def test_word_order_does_not_matter(words: StaticEncoder) -> None:
    np.testing.assert_array_equal(*np.split(words.encode(["kill time", "time kill"]), 2))


def test_an_unknown_word_and_a_text_without_words_get_the_unknown_vector(words: StaticEncoder) -> None:
    np.testing.assert_array_equal(words.encode(["xyzzy", " ", "time"]), [[9, 9], [9, 9], [0, 1]])


def test_no_text_gives_no_rows(words: StaticEncoder) -> None:
    assert words.encode([]).shape == (0, 2)


def test_the_table_cannot_be_changed(words: StaticEncoder) -> None:
    with pytest.raises(ValueError, match="read-only"):
        words._table[0] = 0


def test_the_embedded_one_ignores_word_order_and_special_tokens(static: CachedEncoder) -> None:
    forward, backward, smile = static.encode(["dog bites man", "man bites dog", "smile"])
    np.testing.assert_allclose(forward, backward, atol=1e-7)
    assert not np.allclose(forward, smile, atol=0.01)
    assert static.provenance.runtime == "NumPy"
