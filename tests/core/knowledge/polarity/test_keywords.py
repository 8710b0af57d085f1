"""Keywords: listed words are counted, whole, and nothing else."""

from __future__ import annotations

from importlib import util
from pathlib import Path

import pytest

from core import assets
from core.errors import AssetError
from core.knowledge.polarity import keywords
from core.knowledge.polarity.keywords import Keywords, count
from core.knowledge.polarity.protocol import PLACEHOLDERS


def test_the_more_frequent_kind_decides_and_a_tie_is_neutral() -> None:
    value = {"kind": 1, "honest": 1, "liar": -1}
    texts = ["kind, honest liar", "Honest LIAR", "liar liar kind", "a table", ""]
    assert count(texts, value).tolist() == [1, 0, -1, 0, 0]


def test_a_word_inside_another_is_not_found() -> None:
    assert count(["mankind", "kindly", "unkind"], {"kind": 1}).tolist() == [0, 0, 0]


def test_no_texts_give_no_labels() -> None:
    assert count([], {}).shape == (0,)


def test_every_chosen_category_exists_and_stands_on_one_list() -> None:
    assert set(keywords.FAVOURABLE) | set(keywords.UNFAVOURABLE) <= set(keywords._categories())
    assert not set(keywords.FAVOURABLE) & set(keywords.UNFAVOURABLE)


def test_what_stands_for_a_masked_target_is_no_keyword() -> None:
    assert Keywords().label(list(PLACEHOLDERS)).tolist() == [0, 0]


def test_plain_examples_get_the_expected_label() -> None:
    texts = ["this person is a thief", "this person is known for honesty", "this person has a table"]
    assert Keywords().label(texts).tolist() == [-1, 1, 0]


def test_a_missing_lexicon_is_said_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = util.spec_from_file_location("empath", tmp_path / "__init__.py", submodule_search_locations=[str(tmp_path)])
    keywords.words.cache_clear()
    monkeypatch.setattr(assets, "find_spec", lambda name: spec)
    with pytest.raises(AssetError, match=r"the word list .* of the package empath"):
        keywords.words()
