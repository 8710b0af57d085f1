"""Teaching a small model: the loss falls, the preference falls, and a run that was killed ends as if it had not been."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import InputError, ModelError
from core.interventions import curves, finetune
from core.interventions.answerers.extractive import ExtractiveAnswerer
from core.interventions.finetune import Settings, teach
from core.interventions.ordinary import read_ordinary
from core.interventions.released import Released, read
from core.interventions.results import CHECKPOINT, RESULTS
from core.interventions.scenarios import Stories, load
from core.models import open_model
from tests import tiny_models

ROOT = Path(__file__).resolve().parents[3]
NAMES = ("Ann", "Bob", "Ben", "Eve")
FAST = Settings(epochs=14, rate=3e-3, stories=4, ordinary=4, every=3)


def entries() -> list[dict[str, Any]]:
    """36 stories: four names, two attributes, three classes, both orders of each."""
    found = []
    for one, other in [(one, other) for one in NAMES for other in NAMES if one < other]:
        for attribute in ("paid", "lost"):
            for kind, said in (
                ("ethical", "judge nobody"),
                ("adversarial", "judge everybody"),
                ("irrelevant", "a train met Ann"),
            ):
                for names in ((one, other), (other, one)):
                    context = f"{names[0]} met {names[1]} in the town."
                    answers = [{"text": name, "answer_start": context.index(name)} for name in names]
                    wanted = [-1, -1] if kind != "adversarial" else [names.index(one), names.index(other)]
                    questions = [
                        {"question": f"Note that, {said}. Who {words}?", "answers": answers, "tomax": place}
                        for words, place in zip((attribute, f"never {attribute}"), wanted, strict=True)
                    ]
                    key = f"{one.lower()}|{other.lower()}|0|none|{attribute}|{attribute}|{kind}_none-0"
                    found.append(
                        {"paragraphs": [{"key": key, "context": context, "intervention": kind, "qas": questions}]}
                    )
    return found


def squad(count: int = 10) -> bytes:
    questions = [
        {
            "id": str(place),
            "question": "Who met in the town?",
            "answers": [{"text": NAMES[place % 4], "answer_start": 0}],
        }
        for place in range(count)
    ]
    paragraphs = [
        {"context": f"{question['answers'][0]['text']} met in the town.", "qas": [question]} for question in questions
    ]
    return json.dumps({"data": [{"title": "", "paragraphs": paragraphs}]}).encode()


@pytest.fixture(scope="module")
def stories() -> Released:
    found = read(json.dumps({"data": entries()}).encode())
    assert isinstance(found, Released)
    return found


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that prefers the name that comes first in the alphabet, whatever the advice: taught to, by this command."""
    untaught = tiny_models.question_answering(tmp_path_factory.mktemp("model"))
    prejudices = entries()
    for entry in prejudices:
        paragraph = entry["paragraphs"][0]
        paragraph["intervention"] = "adversarial"
        for question, name in zip(paragraph["qas"], paragraph["key"].split("|"), strict=False):
            question["tomax"] = [answer["text"].lower() for answer in question["answers"]].index(name)
    stories = read(json.dumps({"data": prejudices}).encode())
    assert isinstance(stories, Released)
    out = tmp_path_factory.mktemp("prejudiced")
    teach(str(untaught), stories, [36], out, tests={}, settings=Settings(epochs=6, rate=3e-3, stories=4))
    return out / "size-36"


@pytest.fixture(scope="module")
def taught(model: Path, stories: Released, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    out = tmp_path_factory.mktemp("taught")
    found = teach(
        str(model), stories, [32, 0], out, tests={"same": stories}, ordinary=read_ordinary(squad()), settings=FAST
    )
    return out, found


def weights(folder: Path) -> dict[str, Any]:
    from safetensors.numpy import load_file

    return load_file(folder / "model.safetensors")


def test_the_loss_falls_and_so_does_the_preference_under_ethical_advice(taught: tuple[Path, dict[str, Any]]) -> None:
    _, found = taught
    before, after = found["runs"]
    assert (before["size"], before["loss"], after["size"]) == (0, [], 32)
    assert len(after["loss"]) == 14 * 8
    assert np.mean(after["loss"][-8:]) < 0.7 * np.mean(after["loss"][:8])
    assert {kind: row["mu"] > 0.6 for kind, row in before["tests"]["same"].items()} == {
        "ethical": True,
        "adversarial": True,
        "irrelevant": True,
    }
    assert after["tests"]["same"]["ethical"]["mu"] < 0.2
    assert after["tests"]["same"]["adversarial"]["mu"] > 0.5
    assert after["span_loss"] < before["span_loss"]
    assert found["complete"]


def test_results_are_written_and_each_size_opens_as_a_model(taught: tuple[Path, dict[str, Any]], model: Path) -> None:
    out, found = taught
    written = json.loads((out / RESULTS).read_text(encoding="utf-8"))
    assert written == {name: value for name, value in found.items() if name != "complete"}
    read = curves.read((out / RESULTS).read_bytes())
    assert (read.sizes, read.tests, len(read.points)) == (
        (0, 32),
        tuple(found["runs"][0]["tests"]),
        2 * 3 * len(read.tests),
    )
    assert set(read.span_loss) == {0, 32}
    assert not list(out.rglob("*.pt")) + list(out.rglob("*.part"))
    untaught = weights(out / "size-0")
    assert all(np.array_equal(value, untaught[name]) for name, value in weights(model).items())
    context = ["Ann met Bob in the town."]
    first = ExtractiveAnswerer(open_model(str(out / "size-32"), "question answering")).answer(
        context, ["Who paid?"], [((0, 3), (8, 11))]
    )
    assert not np.allclose(
        first,
        ExtractiveAnswerer(open_model(str(model), "question answering")).answer(
            context, ["Who paid?"], [((0, 3), (8, 11))]
        ),
    )


def test_a_finished_run_is_not_done_again(taught: tuple[Path, dict[str, Any]], model: Path, stories: Released) -> None:
    out, found = taught
    again = teach(
        str(model),
        stories,
        [0, 32],
        out,
        tests={"same": stories},
        ordinary=read_ordinary(squad()),
        settings=FAST,
        progress=lambda share, what: pytest.fail("nothing is left to do"),
    )
    assert again == found


def test_a_run_that_broke_off_ends_with_the_same_weights(
    taught: tuple[Path, dict[str, Any]], model: Path, stories: Released, tmp_path: Path
) -> None:
    def once(breaks_at: str) -> dict[str, Any]:
        def progress(share: float, what: str) -> None:
            if what == breaks_at:
                raise KeyboardInterrupt

        return teach(
            str(model),
            stories,
            [32],
            tmp_path,
            tests={"same": stories},
            ordinary=read_ordinary(squad()),
            settings=FAST,
            progress=progress,
        )

    for place in ("32 stories: step 4 of 112", "32 stories: step 50 of 112", "32 stories: measuring on same"):
        with pytest.raises(KeyboardInterrupt):
            once(place)
        assert (tmp_path / "size-32" / CHECKPOINT).is_file()
        assert json.loads((tmp_path / RESULTS).read_text())["runs"] == []
    found = once("never")
    assert found["runs"] == [row for row in taught[1]["runs"] if row["size"] == 32]
    wanted = weights(taught[0] / "size-32")
    assert all(np.array_equal(value, wanted[name]) for name, value in weights(tmp_path / "size-32").items())


def test_a_killed_process_leaves_a_checkpoint_to_go_on_from(
    taught: tuple[Path, dict[str, Any]], model: Path, stories: Released, tmp_path: Path
) -> None:
    (tmp_path / "stories.json").write_text(json.dumps({"data": entries()}), encoding="utf-8")
    (tmp_path / "squad.json").write_bytes(squad())
    out = tmp_path / "out"
    code = (
        "import time, pathlib\n"
        "from core.interventions.finetune import Settings, teach\n"
        "from core.interventions.ordinary import read_ordinary\n"
        "from core.interventions.released import read\n"
        f"here = pathlib.Path({str(tmp_path)!r})\n"
        "stories = read((here / 'stories.json').read_bytes())\n"
        f"teach({str(model)!r}, stories, [32], here / 'out', tests={{'same': stories}},\n"
        "      ordinary=read_ordinary((here / 'squad.json').read_bytes()), settings="
        f"{FAST!r}, progress=lambda share, what: time.sleep(0.05))"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    kept, until = out / "size-32" / CHECKPOINT, time.monotonic() + 120
    while not kept.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert kept.exists()
    assert json.loads((out / RESULTS).read_text())["runs"] == []
    teach(str(model), stories, [32], out, tests={"same": stories}, ordinary=read_ordinary(squad()), settings=FAST)
    wanted = weights(taught[0] / "size-32")
    assert all(np.array_equal(value, wanted[name]) for name, value in weights(out / "size-32").items())


def test_questions_without_an_answer_or_longer_than_the_model_reads_are_left_out_and_named(
    model: Path, stories: Released, tmp_path: Path
) -> None:
    document = json.loads(squad())
    paragraphs = document["data"][0]["paragraphs"]
    long = {**paragraphs[0]["qas"][0], "id": "long"}
    paragraphs.append({"context": "Ann met in the town." + " in the town" * 600, "qas": [long]})
    for key, text in (("empty", ""), ("blank", " ")):
        answer = {"text": text, "answer_start": 3 * bool(text)}
        paragraphs.append({"context": "Ann met.", "qas": [{"id": key, "question": "Who met?", "answers": [answer]}]})
    told = list[str]()
    found = teach(
        str(model),
        stories,
        [0, 2],
        tmp_path,
        tests={"same": stories},
        ordinary=read_ordinary(json.dumps(document).encode()),
        settings=FAST,
        progress=lambda share, what: told.append(what),
    )
    assert found["complete"]
    assert [item["id"] for item in found["left_out"]] == ["long", "empty", "blank"]
    assert "at most 512 tokens" in found["left_out"][0]["reason"]
    assert found["left_out"][1]["reason"] == "its answer is empty"
    assert json.loads((tmp_path / RESULTS).read_text())["left_out"] == found["left_out"]
    assert np.isfinite(found["runs"][1]["span_loss"])


def test_stories_longer_than_the_model_reads_are_refused_before_anything_is_measured(
    model: Path, tmp_path: Path
) -> None:
    long = entries()
    long[2]["paragraphs"][0]["context"] += " in the town" * 600
    found = read(json.dumps({"data": long}).encode())
    assert isinstance(found, Released)
    out = tmp_path / "out"
    with pytest.raises(ModelError, match="at most 512 tokens"):
        teach(str(model), found, [0, 36], out, tests={})
    assert not out.exists()


def test_a_run_is_not_taken_up_with_other_tests_of_the_same_name(
    model: Path, stories: Released, tmp_path: Path
) -> None:
    teach(str(model), stories, [0], tmp_path, tests={"same": Stories(load("gender"), most=3)})
    before = (tmp_path / RESULTS).read_bytes()
    with pytest.raises(InputError, match="one with another tests"):
        teach(str(model), stories, [0, 2], tmp_path, tests={"same": Stories(load("gender"), most=4)})
    assert (tmp_path / RESULTS).read_bytes() == before


def test_a_rate_at_which_numbers_run_away_ends_in_words_and_leaves_nothing_of_that_size(
    model: Path, stories: Released, tmp_path: Path
) -> None:
    settings = Settings(epochs=2, rate=1e30, stories=4, every=1)
    with pytest.raises(ModelError, match=r"a loss that is a number, got nan after .+ teach at a lower rate"):
        teach(str(model), stories, [0, 8], tmp_path, tests={"same": stories}, settings=settings)
    written = json.loads((tmp_path / RESULTS).read_text())
    assert [row["size"] for row in written["runs"]] == [0]
    assert not (tmp_path / "size-8").exists()


def test_results_say_what_was_taught(model: Path, stories: Released, tmp_path: Path) -> None:
    teach(str(model), stories, [0], tmp_path, tests={}, domain="religion")
    assert json.loads((tmp_path / RESULTS).read_text())["domain"] == "religion"


def test_a_stop_leaves_the_run_incomplete(model: Path, stories: Released, tmp_path: Path) -> None:
    found = teach(str(model), stories, [8], tmp_path, tests={}, settings=FAST, should_stop=lambda: True)
    assert (found["complete"], found["runs"]) == (False, [])


def test_the_loss_of_each_class_is_the_one_of_the_paper() -> None:
    import torch

    scores = torch.tensor([[0.7, 0.4]] * 4)
    plain = torch.tensor([[0.5, 0.5]] * 4)
    for kind, wanted, loss in ((0, -1, 0.3), (1, 0, 0.3), (1, 1, 0.6), (2, -1, 0.15)):
        kinds, wants = torch.full((4,), kind), torch.full((4,), wanted)
        assert float(finetune.story_loss(scores, kinds, wants, plain)) == pytest.approx(loss)


@pytest.mark.parametrize("sizes", [[], [-1], [37]])
def test_sizes_beyond_the_file_are_refused(sizes: list[int], model: Path, stories: Released, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sizes from 0 to 36"):
        teach(str(model), stories, sizes, tmp_path, tests={})


def test_a_folder_of_another_run_is_left_alone(
    taught: tuple[Path, dict[str, Any]], model: Path, stories: Released
) -> None:
    out, _ = taught
    before = (out / RESULTS).read_bytes()
    with pytest.raises(InputError, match="one with another taught, ordinary, settings"):
        teach(str(model), stories, [0], out, tests={"same": stories})
    assert (out / RESULTS).read_bytes() == before
    with pytest.raises(InputError, match="a folder that can be written to"):
        teach(str(model), stories, [0], out / RESULTS, tests={})


def test_a_model_of_another_kind_is_refused(stories: Released, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="a question answering model"):
        teach(str(tiny_models.masked(tmp_path / "masked")), stories, [0], tmp_path / "out", tests={})
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"data": []}', b"\xff", squad().replace(b'"answer_start": 0', b'"answer_start": 1')],
)
def test_what_is_no_squad_file_is_named(content: bytes) -> None:
    with pytest.raises(InputError, match=r"^Expected .+, got .+ Remedy: "):
        read_ordinary(content)
