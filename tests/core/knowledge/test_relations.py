"""Triples become sentences."""

from __future__ import annotations

import pytest

from core.assets import read_table
from core.knowledge.relations import comet_order, sentence, skipped, table, words

CONCEPTNET = [
    "Antonym",
    "AtLocation",
    "CapableOf",
    "Causes",
    "CausesDesire",
    "CreatedBy",
    "DefinedAs",
    "DerivedFrom",
    "Desires",
    "DistinctFrom",
    "Entails",
    "EtymologicallyDerivedFrom",
    "EtymologicallyRelatedTo",
    "FormOf",
    "HasA",
    "HasContext",
    "HasFirstSubevent",
    "HasLastSubevent",
    "HasPrerequisite",
    "HasProperty",
    "HasSubevent",
    "InstanceOf",
    "IsA",
    "LocatedNear",
    "MadeOf",
    "MannerOf",
    "MotivatedByGoal",
    "NotCapableOf",
    "NotDesires",
    "NotHasProperty",
    "NotUsedFor",
    "ObstructedBy",
    "PartOf",
    "ReceivesAction",
    "RelatedTo",
    "SimilarTo",
    "SymbolOf",
    "Synonym",
    "UsedFor",
]


@pytest.mark.parametrize("relation", CONCEPTNET)
def test_every_relation_of_conceptnet_has_words(relation: str) -> None:
    assert table()[relation].strip() == table()[relation] != ""


def test_relations_are_listed_once_with_words_in_lower_case() -> None:
    rows = read_table("relations.csv")
    assert len({row["relation"] for row in rows}) == len(rows)
    assert all(row["words"].islower() for row in rows)


def test_comet_goes_through_its_relations_in_order_of_name() -> None:
    assert len(comet_order()) == 34
    assert list(comet_order()) == sorted(comet_order())


def test_underscores_become_spaces_and_letter_case_stays() -> None:
    assert sentence("Saudi_Arabia", "/r/PartOf", "Middle_East") == "Saudi Arabia is part of Middle East"


def test_an_unknown_relation_is_spelled_out() -> None:
    assert words("WorksTogetherWith") == "works together with"


@pytest.mark.parametrize(
    ("relation", "expected"),
    [("ExternalURL", True), ("dbpedia", True), ("/r/dbpedia/genre", True), ("/r/IsA", False), ("RelatedTo", False)],
)
def test_addresses_and_other_catalogues_are_no_statements(relation: str, expected: bool) -> None:
    assert skipped(relation) is expected
