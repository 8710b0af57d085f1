"""The word cloud: the same for the same words, larger for heavier ones, and no two words overlap."""

from __future__ import annotations

from itertools import combinations

from components.figures import cloud

WEIGHTS = {"late": 3.0, "rude": 2.0, "<i>loud</i>": 1.5, "tired": 1.0}


def test_heavier_words_are_larger_and_markup_is_escaped() -> None:
    trace, _ = cloud.figure(WEIGHTS).data
    sizes = dict(zip(trace.text, trace.textfont.size, strict=True))
    assert sizes["late"] == max(sizes.values())
    assert "&lt;i&gt;loud&lt;/i&gt;" in sizes


def test_the_same_words_give_the_same_cloud() -> None:
    assert cloud.figure(WEIGHTS).to_json() == cloud.figure(WEIGHTS).to_json()


def test_no_two_words_begin_within_the_line_of_another() -> None:
    trace, _ = cloud.figure({f"word{number}": 10.0 - number for number in range(10)}).data
    boxes = [
        (x, y - cloud.TALL * size / 2, x + 0.5 * size * len(text), y + cloud.TALL * size / 2)
        for x, y, size, text in zip(trace.x, trace.y, trace.textfont.size, trace.text, strict=True)
    ]
    for a, b in combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_word_can_be_clicked_along_its_length_and_no_other_is_nearer() -> None:
    trace, touched = cloud.figure({f"word{number}": 10.0 - number for number in range(10)}).data
    for x, y, size, word in zip(trace.x, trace.y, trace.textfont.size, trace.customdata, strict=True):
        for share in (0.1, 0.5, 0.9):
            place = x + share * cloud.WIDE * size * len(word)
            near = min(
                zip(touched.x, touched.y, touched.customdata, strict=True),
                key=lambda point: (point[0] - place) ** 2 + (point[1] - y) ** 2,
            )
            assert near[2] == word
            assert abs(near[0] - place) <= cloud.STEP
    assert touched.marker.opacity == 0


def test_without_words_there_is_an_empty_cloud() -> None:
    assert len(cloud.figure({}).data[0].x) == 0
