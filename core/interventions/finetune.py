"""Teach a question answering model to take ethical advice, on more and more stories.

Source: Zhao et al. (2021), https://arxiv.org/abs/2106.01465, sections 2.3 and 3, Fig. 5. The loss of a question is

- ethical: |S1 − S2|, no preference;
- adversarial: 1 − S of the subject that the advice asks for;
- irrelevant: mean |S − S⁰| over both subjects, S⁰ the untrained model's score of the question without the advice;

and beside it −log S of the answers of ordinary questions (SQuAD), so that the model still answers those. Steps, rate and
batches are ours; the paper's are in an appendix that we do not follow.

A run can be killed at any time. It goes on from its last checkpoint, and ends with the same weights as if it had not been:
nothing random is carried from one step to the next, every step draws from its own seed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders.batches import plan
from core.encoders.protocol import Progress
from core.errors import InputError, ModelError
from core.interventions import records
from core.interventions.answerers.encoder import asked_sentence
from core.interventions.answerers.extractive import ROWS, ExtractiveAnswerer, Prepared, log_scores, prepare
from core.interventions.benchmark import run
from core.interventions.ordinary import Ordinary
from core.interventions.released import Released
from core.interventions.results import CHECKPOINT, RESULTS, resume, save, write
from core.interventions.stories import ADVERSARIAL, ETHICAL, IRRELEVANT, Ask, StorySet
from core.models import OpenedModel, open_model
from core.statistics import SEED
from core.vectors import FloatArray

TAUGHT = (ETHICAL, ADVERSARIAL, IRRELEVANT)
"""Classes of interventions that have a part in the loss."""

MAX_SIZE = 100_000
"""Most stories of one size. Ours."""


@dataclass(frozen=True)
class Settings:
    """How to teach.

    Parameters
    ----------
    epochs : int
        How often every story is seen.
    rate : float
        Largest learning rate of AdamW; it falls in a line to 0.
    stories, ordinary : int
        Stories (of four questions each) and ordinary questions of one step.
    every : int
        Steps between two checkpoints.
    """

    epochs: int = 3
    rate: float = 1e-5
    stories: int = 8
    ordinary: int = 8
    every: int = 25
    seed: int = SEED


def teach(
    source: str,
    stories: Released,
    sizes: Sequence[int],
    out: Path,
    *,
    tests: Mapping[str, StorySet],
    ordinary: Sequence[Ordinary] = (),
    domain: str = "",
    settings: Settings | None = None,
    progress: Progress = lambda share, what: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Teach a model on each number of stories, from the start each time, and measure it on every test.

    Parameters
    ----------
    source : str
        A model that `open_model` opens.
    stories : Released
        What to teach with; the stories of a size are among those of the next.
    sizes : sequence of int
        Numbers of stories, each of which is asked four questions; 0 measures the model as it is.
    out : Path
        Gets ``results.json``, and a folder ``size-N`` for each size, which opens as a model.
    tests : mapping of str to StorySet
        What to measure on, by name.
    ordinary : sequence of Ordinary, optional
        Questions that the model should still answer. The last fifth is not taught but measured. Those without an
        answer, or longer than the model reads, are left out, and named in the results.
    domain : str
        What the stories are about, for the results.
    should_stop : callable, optional
        Asked before each step; True ends the run, which can be taken up again.

    Returns
    -------
    dict
        What `results.json` holds; ``complete`` says whether every size is done.

    Raises
    ------
    ModelError
        The model is not here, is no question answering model, cannot read a story, or was taught at a rate at which
        its numbers went beyond all bounds: of such a size nothing is kept.
    InputError
        Sizes that make no sense, no usable story, or a folder that holds another run. Nothing is written then.
    """
    settings = settings or Settings()
    asks, kinds = _usable(stories)
    _check_sizes(sizes, len(asks))
    order = np.random.default_rng(settings.seed).permutation(len(asks))
    opened = open_model(source, "question answering")
    usual, left_out = _readable(opened, ordinary)
    if any(sizes):  # a story that the model cannot read is refused before anything is written
        _prepare(opened, [one for place in order[: max(sizes)] for one in asks[place]])
    plain = _untaught(opened, asks, kinds) if any(sizes) else np.empty((0, 4, 2))
    cut = len(usual) - len(usual) // 5
    results = resume(
        out,
        _identity(source, stories, ordinary, tests, settings),
        {"domain": domain, "left_out": left_out},
    )
    for place, size in enumerate(sorted(set(sizes))):
        if any(done["size"] == size for done in results["runs"]):
            continue

        def tell(share: float, what: str, place: int = place, size: int = size) -> None:
            progress((place + share) / len(set(sizes)), f"{size:,} stories: {what}")

        opened = open_model(source, "question answering")
        folder = out / f"size-{size}"
        losses: list[float] = []
        if size:
            chosen = order[:size]
            lesson = _Lesson(
                opened, [asks[item] for item in chosen], kinds[chosen], plain[chosen], usual[:cut], settings
            )
            losses = lesson.learn(folder, progress=tell, should_stop=should_stop)
            if len(losses) < lesson.steps:
                return {**results, "complete": False}
        answerer = ExtractiveAnswerer(opened)
        measured = {}
        for name, questions in tests.items():
            tell(1.0, f"measuring on {name}")
            found = run(answerer, questions, should_stop=should_stop)
            if not found.complete:
                return {**results, "complete": False}
            measured[name] = records.benchmark_record(found)["classes"]
        opened.model.save_pretrained(folder)
        opened.tokenizer.save_pretrained(folder)
        results["runs"].append(
            {
                "size": size,
                "loss": losses,
                "span_loss": _span_loss(opened, usual[cut:]),
                "tests": measured,
            }
        )
        write(out / RESULTS, json.dumps(results, ensure_ascii=False, indent=2).encode())
        (folder / CHECKPOINT).unlink(missing_ok=True)
    return {**results, "complete": True}


class _Lesson:
    """The steps of one size."""

    def __init__(
        self,
        opened: OpenedModel,
        asks: Sequence[Sequence[Ask]],
        kinds: NDArray[np.intp],
        plain: FloatArray,
        ordinary: Sequence[Ordinary],
        settings: Settings,
    ) -> None:
        self._opened, self._settings = opened, settings
        self._kinds, self._plain, self._count = kinds, plain, len(asks)
        self._wanted = np.array([[one.wanted for one in four] for four in asks])
        self._prepared = _prepare(opened, [one for four in asks for one in four])
        self._ordinary = _prepare_ordinary(opened, ordinary) if ordinary else None
        self._per_epoch = -(-self._count // settings.stories)
        self.steps = self._per_epoch * settings.epochs

    def learn(self, folder: Path, *, progress: Progress, should_stop: Callable[[], bool]) -> list[float]:
        """Take the steps that are left and return the loss of every step so far."""
        import torch

        model, settings = self._opened.model, self._settings
        optimizer = torch.optim.AdamW(model.parameters(), lr=settings.rate)
        losses: list[float] = []
        if (kept := folder / CHECKPOINT).is_file():
            state = torch.load(kept, map_location=self._opened.device, weights_only=True)
            model.load_state_dict(state["model"])
            optimizer.load_state_dict(state["optimizer"])
            losses = state["losses"]
        model.train()
        try:
            while len(losses) < self.steps and not should_stop():
                step = len(losses)
                progress(step / self.steps, f"step {step:,} of {self.steps:,}")
                for group in optimizer.param_groups:
                    group["lr"] = settings.rate * (1 - step / self.steps)
                torch.manual_seed(settings.seed + step)
                optimizer.zero_grad()
                loss = self._loss(step)
                _check_finite(loss, step, kept, settings)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                losses.append(loss.item())
                if len(losses) == self.steps:
                    with torch.no_grad():
                        _check_finite(self._loss(0), step, kept, settings)
                if len(losses) % settings.every == 0 or len(losses) == self.steps:
                    save(kept, {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "losses": losses})
        finally:
            model.eval()
        return losses

    def _loss(self, step: int) -> Any:
        import torch

        epoch, place = divmod(step, self._per_epoch)
        shuffled = np.random.default_rng([self._settings.seed, epoch]).permutation(self._count)
        chosen = shuffled[place * self._settings.stories : (place + 1) * self._settings.stories]
        rows = (chosen[:, None] * 4 + np.arange(4)).ravel()
        scores = log_scores(self._opened, self._prepared, rows).exp()
        loss = story_loss(
            scores,
            torch.from_numpy(np.repeat(self._kinds[chosen], 4)).to(scores.device),
            torch.from_numpy(self._wanted[chosen].ravel()).to(scores.device),
            torch.from_numpy(self._plain[chosen].reshape(-1, 2)).to(scores.device),
        )
        if self._ordinary is not None:
            count = len(self._ordinary.lengths)
            drawn = np.random.default_rng([self._settings.seed, step, 1]).integers(count, size=self._settings.ordinary)
            loss = loss - log_scores(self._opened, self._ordinary, drawn)[:, 0].mean()
        return loss


def _check_finite(loss: Any, step: int, kept: Path, settings: Settings) -> None:
    """Refuse to go on, and leave no checkpoint of a model whose numbers are none any more."""
    import torch

    if bool(torch.isfinite(loss)):
        return
    kept.unlink(missing_ok=True)
    if kept.parent.is_dir() and not any(kept.parent.iterdir()):
        kept.parent.rmdir()
    raise ModelError(
        expected="a loss that is a number",
        got=f"{loss.item()} after {step:,} steps at a rate of {settings.rate:g}",
        remedy=f"teach at a lower rate, such as {Settings().rate:g}, into another folder",
    )


def story_loss(scores: Any, kinds: Any, wanted: Any, plain: Any) -> Any:
    """Mean loss of n questions, as a tensor.

    Parameters
    ----------
    scores : tensor, shape (n, 2)
        S of either subject.
    kinds : tensor of int, shape (n,)
        Place of the class in `TAUGHT`.
    wanted : tensor of int, shape (n,)
        The subject that an adversarial intervention asks for.
    plain : tensor, shape (n, 2)
        S of either subject by the untaught model, without intervention.
    """
    import torch

    ethical = (scores[:, 0] - scores[:, 1]).abs()
    adversarial = 1 - scores.gather(1, wanted.clamp(min=0)[:, None])[:, 0]
    irrelevant = (scores - plain).abs().mean(dim=1)
    return torch.stack([ethical, adversarial, irrelevant]).gather(0, kinds[None])[0].mean()


def _usable(stories: Released) -> tuple[list[tuple[Ask, ...]], NDArray[np.intp]]:
    """The whole stories of a class that is taught; an adversarial one must say whom it asks for."""
    asks: list[tuple[Ask, ...]] = []
    kinds = []
    for story in stories.stories:
        whole = tuple(one for one in story.asks if one is not None)
        named = story.kind != ADVERSARIAL or all(one.wanted >= 0 for one in whole)
        if story.kind in TAUGHT and len(whole) == 4 and named:
            asks.append(whole)
            kinds.append(TAUGHT.index(story.kind))
    return asks, np.array(kinds, dtype=np.intp)


def _untaught(opened: OpenedModel, asks: Sequence[Sequence[Ask]], kinds: NDArray[np.intp]) -> FloatArray:
    """S of every question without its intervention, shape (stories, 4, 2); only irrelevant ones are asked."""
    plain = np.zeros((len(asks), 4, 2))
    chosen = np.flatnonzero(kinds == TAUGHT.index(IRRELEVANT))
    some = [one for place in chosen.tolist() for one in asks[place]]
    plain[chosen] = (
        ExtractiveAnswerer(opened)
        .answer(
            [one.context for one in some], [asked_sentence(one.question) for one in some], [one.spans for one in some]
        )
        .reshape(-1, 4, 2)
    )
    return plain


def _prepare(opened: OpenedModel, asks: Sequence[Ask]) -> Prepared:
    return prepare(opened, [one.context for one in asks], [one.question for one in asks], [one.spans for one in asks])


def _prepare_ordinary(opened: OpenedModel, ordinary: Sequence[Ordinary]) -> Prepared:
    return prepare(
        opened,
        [one.context for one in ordinary],
        [one.question for one in ordinary],
        [(one.span, one.span) for one in ordinary],
    )


def _readable(opened: OpenedModel, ordinary: Sequence[Ordinary]) -> tuple[tuple[Ordinary, ...], list[dict[str, str]]]:
    """The questions that have an answer and fit the model, and the others, each with its reason."""
    kept: list[Ordinary] = []
    left_out = []
    for one in ordinary:
        reason = "its answer is empty" if one.span[0] == one.span[1] else ""
        if not reason:
            try:
                _prepare_ordinary(opened, [one])
            except ModelError as error:
                reason = f"it needs {error.expected}, and has {error.got}"
        if reason:
            left_out.append({"id": one.key, "question": one.question[:80], "reason": reason})
        else:
            kept.append(one)
    return tuple(kept), left_out


def _span_loss(opened: OpenedModel, ordinary: Sequence[Ordinary]) -> float | None:
    """Mean −log S of the answers of ordinary questions that were not taught; None without any."""
    import torch

    if not ordinary:
        return None
    prepared = _prepare_ordinary(opened, ordinary)
    with torch.inference_mode():
        found = [log_scores(opened, prepared, batch)[:, 0] for batch in plan(prepared.lengths, rows=ROWS, lanes=1)]
    return -float(torch.cat(found).mean())


def _check_sizes(sizes: Sequence[int], count: int) -> None:
    most = min(count, MAX_SIZE)
    if not sizes or min(sizes) < 0 or max(sizes) > most:
        raise InputError(
            expected=f"sizes from 0 to {most:,}, the whole stories of the file with an intervention",
            got=", ".join(map(str, sizes))[:80] or "none",
            remedy="choose others, or send more stories; an adversarial story must say whom it asks for (tomax)",
        )


def _identity(
    source: str,
    stories: Released,
    ordinary: Sequence[Ordinary],
    tests: Mapping[str, StorySet],
    settings: Settings,
) -> dict[str, Any]:
    """What a folder's results belong to."""
    return {
        "model": source,
        "taught": _hash((stories.stories, tuple(ordinary))),
        "stories": len(stories),
        "ordinary": len(ordinary),
        "settings": asdict(settings),
        "tests": {name: _hash(*(test[place] for place in range(len(test)))) for name, test in tests.items()},
    }


def _hash(*parts: object) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(repr(part).encode())
    return found.hexdigest()
