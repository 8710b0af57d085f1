"""Statements of a text-generation model: tiny models, built here, that know a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.errors import InputError
from core.knowledge.generation import BATCH, generate, load, prompts, sentences
from core.knowledge.targets import Targets, published

SOME = published().only(["teacher", "Japan", "Japanese", "Bible"])


@dataclass
class Parrot:
    """Answers every prompt alike, and notes what it was asked."""

    answer: str = "He is kind . She is kind ."
    name: str = "parrot"
    asked: list[list[str]] = field(default_factory=list)

    def write(self, prompts: Sequence[str]) -> list[str]:
        self.asked.append(list(prompts))
        return [self.answer] * len(prompts)


def test_prompts_are_those_of_the_target_s_kind_with_its_name_in_place() -> None:
    made = {
        name: [prompt.text for prompt in prompts(SOME) if prompt.target == code] for code, name in enumerate(SOME.names)
    }
    assert made["Japan"] == [
        "People are discussing about people from Japan.",
        "People are discussing about traveling to Japan.",
    ]
    assert "Japanese was asked about what did they work as." in made["Japanese"]
    assert "The teacher was asked about what was they regarded as" in made["teacher"]
    assert len(made["Bible"]) == 2
    assert not any("XYZ" in text for texts in made.values() for text in texts)


def test_every_sentence_of_a_continuation_is_a_statement_about_the_prompt_s_target() -> None:
    found = generate(Parrot(), targets=SOME)
    frame = found.statements.frame
    assert len(frame) == 2 * len(prompts(SOME))
    assert set(frame["statement"]) == {"He is kind .", "She is kind ."}
    assert frame["id"].tolist()[:3] == ["1.1", "1.2", "2.1"]
    assert set(frame["target"]) == set(SOME.names)
    assert frame["masked"].tolist()[0] == "this person is kind ."


def test_distinct_prompts_are_continued_once_in_batches() -> None:
    parrot = Parrot()
    generate(parrot)
    asked = [text for part in parrot.asked for text in part]
    assert len(asked) == len(set(asked))
    assert {len(part) for part in parrot.asked[:-1]} == {BATCH}


def test_a_model_without_words_is_an_error() -> None:
    with pytest.raises(InputError, match="no words for any prompt"):
        generate(Parrot(answer=" ... "), targets=SOME)


def test_progress_is_reported() -> None:
    told: list[float] = []
    generate(Parrot(), targets=SOME, progress=lambda share, what: told.append(share))
    assert told == [0.0]


def test_what_the_model_wrote_is_kept_as_a_table_that_no_spreadsheet_runs(tmp_path: Path) -> None:
    import numpy as np

    found = generate(Parrot(answer="=1+1 is two ."), targets=SOME)
    found.original.write(tmp_path / "out.csv", np.ones(len(found.original), dtype=np.bool_))
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").split("\n")
    assert lines[0] == "statement,target,prompt"
    assert lines[1].startswith("'=1+1 is two .,")


def test_sentences_need_a_word() -> None:
    assert sentences("") == []
    assert sentences("one\ntwo. ! ?") == ["one two."]


@pytest.mark.parametrize("kind", ["causal_model", "sequence_model"])
def test_a_model_of_either_kind_continues_prompts_without_repeating_them(
    kind: str, request: pytest.FixtureRequest
) -> None:
    model = load(str(request.getfixturevalue(kind)), new_tokens=6)
    texts = ["people are talking about teacher .", "people ."]
    written = model.write(texts)
    assert len(written) == 2
    assert any(written)
    assert max(len(text.split()) for text in written) <= 6
    assert written == model.write(texts), "the same prompts gave another text"


def test_another_seed_writes_another_text(causal_model: Path) -> None:
    texts = ["people are talking about teacher ."] * 4
    assert load(str(causal_model), seed=1).write(texts) != load(str(causal_model), seed=2).write(texts)


def test_the_random_state_of_others_is_left_alone(causal_model: Path) -> None:
    import torch

    model = load(str(causal_model), new_tokens=3)
    before = torch.random.get_rng_state()
    model.write(["people"])
    assert torch.equal(before, torch.random.get_rng_state())


def test_a_model_of_the_whole_way_gives_statements(causal_model: Path) -> None:
    found = generate(load(str(causal_model), new_tokens=12), targets=SOME)
    assert set(found.statements.frame["source"]) == {f"model:{causal_model}"}
    assert len(found.statements) > 0


def test_own_targets_get_the_prompts_about_people() -> None:
    made = prompts(Targets(("Martian",), ("origin",)))
    assert [prompt.text for prompt in made] == [
        "Martian was asked about what did they work as.",
        "People are discussing about Martian.",
    ]
