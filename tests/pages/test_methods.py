"""Methods: what every number means, with the numbers of the chosen encoders."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from core.encoders import minilm
from core.moral.compass import Compass

Visit = Callable[..., AppTest]


def test_the_page_names_the_variance_and_the_random_line_of_the_chosen_encoder(visit: Visit, compass: Compass) -> None:
    text = "\n".join(element.value for element in visit("methods", encoders="bundled").markdown)
    assert f"first component {compass.axis.variance_explained[0]:.1%} of the variance" in text
    assert f"random line {compass.axis.random_line[0]:.1%}" in text


def test_each_chosen_encoder_is_described_with_its_provenance(visit: Visit) -> None:
    at = visit("methods", encoders=["static", "bundled"])
    described = [element.value for element in at.text if f"sha256:{minilm.WEIGHTS_SHA256[:12]}" in element.value]
    assert [text.partition(" (")[0] for text in described] == ["Static word embeddings", "MiniLM sentence encoder"]
    assert ["NumPy" in text for text in described] == [True, False]
    assert all(f"{minilm.DIMENSION} dimensions" in text and minilm.LICENCE in text for text in described)


def test_the_formula_and_every_source_are_there(visit: Visit) -> None:
    at = visit("methods")
    text = "\n".join(element.value for element in at.markdown)
    assert "10.1145/3306618.3314267" in text
    assert "1912.05238" in text
    assert "10.1038/s42256-022-00458-8" in text
    assert "2106.01465" in text
    assert "2010.02428" in text
    assert "No direction ever sees the survey" in text
    assert [header.value for header in at.header] == [
        "Moral bias",
        "Moral axis",
        "The evidence for the axis",
        "Other directions",
        "People",
        "Word associations",
        "Poles",
        "Knowledge harms",
        "Ethical interventions",
        "Encoders",
        "What is kept",
        "Sources",
    ]
