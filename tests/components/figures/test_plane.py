"""The map names as many actions as fit, and no name lies on another one."""

from __future__ import annotations

import itertools
import json

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.figures import plane
from components.figures.plane import HEIGHT, WIDTH, Group

EXPLAINED = np.array([0.109, 0.07, 0.05])
WORDS = [f"{verb} {thing}" for verb in ("carry", "find", "wash") for thing in ("a chair", "the old lamp", "it", "salt")]


def group(texts: list[str], positions: np.ndarray, name: str = "seeds", symbol: str = "circle") -> Group:
    return Group(name, symbol, texts, positions, [f"printed {index}" for index in range(len(texts))])


def boxes(figure: go.Figure) -> tuple[list[tuple[float, ...]], list[tuple[float, float]]]:
    """Pixels that each drawn label takes, and those of all points, read off the finished figure."""
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    labels, points = [], []
    for trace in figure.data:
        for x, y, text, place in zip(trace.x, trace.y, trace.text, trace.textposition, strict=True):
            across, up = (x - left) / (right - left) * WIDTH, (y - low) / (high - low) * HEIGHT
            points.append((across, up))
            if text:
                labels.append(plane.label_box(text, place, across, up))
    return labels, points


def overlaps(labels: list[tuple[float, ...]]) -> list[tuple[tuple[float, ...], ...]]:
    return [
        (a, b)
        for a, b in itertools.combinations(labels, 2)
        if min(a[2], b[2]) - max(a[0], b[0]) > 1e-6 and min(a[3], b[3]) - max(a[1], b[1]) > 1e-6
    ]


@pytest.mark.parametrize(
    ("place", "box"),
    [
        ("top center", (90.25, 105, 109.75, 121)),
        ("bottom center", (90.25, 81, 109.75, 97)),
        ("middle right", (106, 93, 125.5, 109)),
        ("middle left", (74.5, 93, 94, 109)),
        ("top right", (106, 105, 125.5, 121)),
        ("bottom left", (74.5, 81, 94, 97)),
    ],
)
def test_a_label_takes_the_place_that_it_takes_in_the_browser(place: str, box: tuple[float, ...]) -> None:
    assert plane.label_box("hug", place, 100, 100) == box  # 3 × 6.5 wide, one line of 16 high


def test_an_ideograph_takes_more_room_than_a_letter_and_a_thin_letter_less() -> None:
    def width(text: str) -> float:
        left, _, right, _ = plane.label_box(text, "middle right", 0, 0)
        return right - left

    assert width("笑う") == 32
    assert width("mow") > width("AND") > width("and") > width("tilt") == 16


def test_labels_that_overlap_are_noticed() -> None:
    assert overlaps([(0, 0, 10, 10), (20, 0, 30, 10), (9, 9, 12, 12)]) == [((0, 0, 10, 10), (9, 9, 12, 12))]


@pytest.mark.parametrize("spread", [1.0, 0.1], ids=["as the seeds lie", "most of them crowded"])
def test_no_two_labels_of_121_points_overlap_nor_cover_a_point_nor_leave_the_plot(spread: float) -> None:
    rng = np.random.default_rng(7)
    texts = [f"{WORDS[index % 12]} {index}"[: 4 + index % 17] for index in range(121)]
    positions = rng.standard_normal((121, 2)) * np.where(np.arange(121) < 100, spread, 1.0)[:, None]
    figure = plane.figure(
        [group(texts[:65], positions[:65]), group(texts[65:], positions[65:], "contexts", "square")],
        explained=EXPLAINED,
    )
    labels, points = boxes(figure)
    assert len(points) == 121
    assert overlaps(labels) == []
    assert [
        (label, point)
        for label in labels
        for point in points
        if label[0] < point[0] < label[2] and label[1] < point[1] < label[3]
    ] == []
    assert min(label[0] for label in labels) >= 0
    assert max(label[2] for label in labels) <= WIDTH
    assert len(labels) >= (60 if spread == 1.0 else 25)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=40), st.integers(1, 30))
def test_wherever_points_lie_no_labels_overlap(points: list[tuple[int, int]], length: int) -> None:
    figure = plane.figure([group(["x" * length] * len(points), np.array(points, dtype=float))], explained=EXPLAINED)
    assert overlaps(boxes(figure)[0]) == []


def test_a_typed_phrase_is_named_before_the_seeds_in_whose_midst_it_lies() -> None:
    crowd = np.random.default_rng(8).standard_normal((80, 2)) * 0.02
    far = np.array([[9.0, 9.0], [-9.0, -9.0]])
    figure = plane.figure(
        [
            group([f"seed {index}" for index in range(82)], np.vstack([crowd, far])),
            group(["kill time"], np.array([[0.0, 0.0]]), "your phrases", "diamond"),
        ],
        explained=EXPLAINED,
    )
    assert figure.data[1].text == ("kill time",)
    assert sum(text == "" for text in figure.data[0].text) > 60  # left to the pointer


def test_every_point_is_drawn_where_it_lies_with_its_text_to_recognise_it() -> None:
    positions = np.array([[1.0, 0.5], [-1.0, -0.25]])
    (trace,) = plane.figure([group(["smile", "kill"], positions)], explained=EXPLAINED).data
    assert list(trace.x) == [1.0, -1.0]
    assert list(trace.y) == [0.5, -0.25]
    assert list(trace.customdata) == ["smile", "kill"]
    assert list(trace.hovertext) == ["smile: printed 0", "kill: printed 1"]


def test_what_was_typed_is_escaped_in_labels_and_on_hover() -> None:
    typed = '<b onclick="x()">kill</b>'
    (trace,) = plane.figure([group([typed], np.array([[0.0, 0.0]]))], explained=EXPLAINED).data
    assert trace.text[0] == '&lt;b onclick="x()"&gt;kill&lt;/b&gt;'
    assert "<" not in trace.hovertext[0]
    assert trace.customdata[0] == typed


def test_groups_differ_in_shape_and_the_poles_and_shares_of_variance_are_named() -> None:
    at = np.array([[0.0, 0.0]])
    figure = plane.figure([group(["a"], at), group(["b"], at, "contexts", "square")], explained=EXPLAINED)
    assert [trace.marker.symbol for trace in figure.data] == ["circle", "square"]
    assert figure.layout.xaxis.title.text == ("← Don't side · Do side →<br>first component (10.9% of the variance)")
    assert figure.layout.yaxis.title.text == "second component (7.0%)"
    assert {trace["type"] for trace in json.loads(figure.to_json())["data"]} == {"scatter"}
