"""The published list of targets, and how a target is spelled."""

from __future__ import annotations

from collections import Counter

import pytest

from core.assets import column
from core.knowledge.targets import CATEGORIES, Targets, key, plurals, prompt_groups, published


def test_the_categories_have_their_published_sizes() -> None:
    assert Counter(published().categories) == {"origin": 157, "gender": 40, "religion": 12, "profession": 120}
    assert published().in_order == CATEGORIES


def test_the_authors_list_has_one_entry_more_and_it_is_norwegian() -> None:
    entries = Counter(published().entries.tolist())
    assert len(published().entries) == 330
    assert [published().names[code] for code, times in entries.items() if times > 1] == ["Norwegian"]


def test_a_list_without_norwegian_repeats_nothing() -> None:
    assert Targets(("teacher",), ("profession",)).entries.tolist() == [0]


@pytest.mark.parametrize("spelling", ["Puerto Rican", "puerto_rican", " PUERTO  RICAN "])
def test_a_target_is_known_in_every_spelling(spelling: str) -> None:
    code = published().code(spelling)
    assert code is not None
    assert published().names[code] == "Puerto Rican"


@pytest.mark.parametrize("spelling", ["", "puertorican", "women", "Norwegians"])
def test_another_word_is_no_target(spelling: str) -> None:
    assert published().code(spelling) is None


def test_misspellings_of_the_authors_are_keys() -> None:
    for name in ("eriteria", "sierra_leon", "argentian", "columbia", "columbian"):
        assert published().code(name) is not None


def test_a_selection_keeps_the_order_of_the_list() -> None:
    some = published().only(["teacher", "she", "nobody"])
    assert (some.names, some.categories) == (("she", "teacher"), ("gender", "profession"))


def test_every_target_has_its_forms_and_no_form_is_another_target() -> None:
    assert column("target_forms.csv", "target") == published().names
    forms = [form for found in plurals().values() for form in found]
    assert [form for form in forms if published().code(form) is not None] == []
    assert len(set(map(key, forms))) == len(forms)


@pytest.mark.parametrize("name", ["she", "his", "Japan", "Finnish", "ladies", "Islam"])
def test_what_is_not_counted_has_no_plural(name: str) -> None:
    assert key(name) not in plurals()


def test_prompts_fit_the_kind_of_target() -> None:
    groups = Counter(prompt_groups().values())
    assert groups["professions"] == 120
    assert groups["others"] == 12
    assert {prompt_groups()[name] for name in ("japan", "cape verde", "europe")} == {"locations"}
    assert {prompt_groups()[name] for name in ("japanese", "she", "white people")} == {"people"}
