"""The table of statements."""

from __future__ import annotations

import numpy as np

from core.knowledge.statements import COLUMNS, Statement, Statements, build
from core.knowledge.targets import Targets

SOME = Targets(("poet", "Norway", "nurse"), ("profession", "origin", "profession"))


def table() -> Statements:
    texts = ["a poet writes", "Norway has poets", "a poet writes"]
    return build(
        texts, [0, 1, 0], targets=SOME, source="mine", ids=["1", "2", "3"], relations=["CapableOf", None, None]
    )


def test_the_table_has_the_agreed_columns_in_the_order_of_the_source() -> None:
    frame = table().frame
    assert tuple(frame.columns) == COLUMNS
    assert frame["id"].tolist() == ["1", "2", "3"]
    assert frame["masked"].tolist() == ["a this person writes", "this person has this person", "a this person writes"]
    assert frame["category"].tolist() == ["profession", "origin", "profession"]


def test_codes_are_places_in_the_list_of_targets_even_of_targets_without_a_statement() -> None:
    assert table().codes.tolist() == [0, 1, 0]
    assert list(table().frame["target"].cat.categories) == list(SOME.names)


def test_records_come_back_as_they_went_in() -> None:
    assert list(table())[:2] == [
        Statement("a poet writes", "poet", "profession", "mine", "CapableOf", "1"),
        Statement("Norway has poets", "Norway", "origin", "mine", None, "2"),
    ]


def test_a_repetition_is_one_about_the_same_target() -> None:
    assert table().repeated.tolist() == [False, False, True]
    twice = build(["x poet nurse"] * 2, [0, 2], targets=SOME, source="mine", ids=["1", "1"])
    assert not twice.repeated.any()


def test_a_part_keeps_all_targets() -> None:
    part = table().where(np.array([False, True, False]))
    assert (len(part), part.codes.tolist(), part.targets) == (1, [1], SOME)


def test_a_source_may_show_and_mask_texts_its_own_way() -> None:
    made = build(["Ã©"], [0], targets=SOME, source="mine", ids=["1"], shown=["é"], masked=["x"])
    assert made.frame.loc[0, ["statement", "masked"]].tolist() == ["é", "x"]


def test_html_in_a_statement_is_text() -> None:
    made = build(["<script>poet</script>"], [0], targets=SOME, source="mine", ids=["1"])
    assert made.frame.loc[0, "statement"] == "<script>poet</script>"


def test_no_statement_is_an_empty_table() -> None:
    made = build([], [], targets=SOME, source="mine", ids=[])
    assert (len(made), made.codes.tolist(), list(made)) == (0, [], [])
