"""Seeds and anchors, as a reader writes them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assets import column
from core.errors import InputError
from core.moral.seeds import MAX_SEEDS, from_rows, parse, published

LINES = "smile, do\nread\nkill, dont\nwalk\nrest"


def test_the_published_seeds_are_the_65_actions_with_four_anchors_on_either_side() -> None:
    seeds = published()
    assert seeds.actions == column("atomic_actions.csv", "action")
    assert [seeds.actions[row] for row in seeds.do_rows] == ["smile", "love", "thank", "help"]
    assert [seeds.actions[row] for row in seeds.dont_rows] == ["kill", "murder", "harm", "torture"]


def test_lines_are_actions_in_order_with_the_anchor_after_the_last_comma() -> None:
    seeds = parse(LINES)
    assert seeds.actions == ("smile", "read", "kill", "walk", "rest")
    assert (seeds.do, seeds.dont) == (("smile",), ("kill",))
    assert (seeds.do_rows, seeds.dont_rows) == ([0], [2])
    assert parse("eat bread, cheese and jam, do\nread,\nkill, dont\nwalk\nrest").do == ("eat bread, cheese and jam",)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_blank_and_repeated_lines_are_left_out_and_an_anchor_said_once_holds(line_end: str) -> None:
    text = line_end.join(["", "smile", "smile, do", " To  smile. , ", *LINES.split("\n"), ", do", ""])
    assert parse(text) == parse(LINES)


@pytest.mark.parametrize("written", ["dont", "DONT", "Don't", " don’t "])
def test_the_dont_side_may_be_written_as_people_write_it(written: str) -> None:
    assert parse(LINES.replace(" dont", written)).dont == ("kill",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "5 to 200 different seed actions, got 0"),
        ("smile, do\nread\nkill, dont\nwalk", "got 4"),
        ("smile, do\nsmile, do\nsmile\nto smile\nsmile!\nsmile", "got 1"),
        ("smile, do\nsmile, dont\na\nb\nc\nd", "“smile” as do and as dont"),
        ("\n".join(f"count to {number}" for number in range(MAX_SEEDS + 1)), "got 201"),
        (LINES.replace(", dont", ""), "one anchor on either side, got none on the Don’t side"),
        (LINES.replace(", do\n", "\n"), "got none on the Do side"),
        ("a\nb\nc\nd\ne", "one anchor on either side, got none"),
        (LINES.replace("read", "read, perhaps"), "as the anchor of seed 2, got 'perhaps'"),
        (LINES.replace("read", "re\x1bad"), "printable text in seed 2, got the control character"),
        (LINES.replace("read", "x" * 201), "at most 200 characters in seed 2"),
    ],
)
def test_what_makes_no_axis_is_named_with_its_remedy(text: str, said: str) -> None:
    with pytest.raises(InputError, match=r"^Expected .+, got .+ Remedy: ") as caught:
        parse(text)
    assert said in str(caught.value)


def test_as_many_seeds_as_allowed_are_read() -> None:
    rows = [("smile", "do"), ("kill", "dont"), *((f"count to {number}", None) for number in range(MAX_SEEDS - 2))]
    assert len(from_rows(rows).actions) == MAX_SEEDS


def test_empty_cells_of_a_table_are_no_seeds() -> None:
    rows = [(None, None), *(line.partition(", ")[::2] for line in LINES.split("\n")), ("", "do")]
    assert from_rows(rows) == parse(LINES)


@given(
    st.lists(st.sampled_from(["read", "walk", "sit", "wait", "sing", "bake"]), min_size=3, unique=True), st.randoms()
)
def test_the_order_of_lines_changes_the_order_of_seeds_only(others: list[str], order: random.Random) -> None:
    lines = ["smile, do", "kill, dont", *others]
    shuffled = lines.copy()
    order.shuffle(shuffled)
    one, other = parse("\n".join(lines)), parse("\n".join(shuffled))
    assert set(one.actions) == set(other.actions)
    assert (one.do, one.dont) == (other.do, other.dont)
