"""What a text-generation model writes about each target.

Any causal or sequence-to-sequence model of ``transformers``, by name or folder, continues prompts about each target; every
sentence of a continuation is a statement. Source of the prompts: Mehrabi et al. (2021), Table 6, which prints eight.
Models are taken from this machine only; nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.assets import read_table
from core.errors import InputError
from core.knowledge.sources.source import Collector, Source, Table
from core.knowledge.targets import Targets, key, prompt_groups, published
from core.models import OpenedModel, open_model
from core.records import safe_cell
from core.statistics import SEED

NEW_TOKENS = 60
"""Longest continuation in tokens. Ours: about the three to five sentences of a story of the paper."""

BATCH = 16
"""Prompts that are continued together. Ours."""

TOP_P = 0.9
"""Share of probability from which the next token is drawn (nucleus sampling, Holtzman et al. 2020). Ours."""

PLACE = "XYZ"
"""Stands for the target in a prompt."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


class Generator(Protocol):
    """Continues prompts."""

    @property
    def name(self) -> str:
        """Name or folder of the model."""

    def write(self, prompts: Sequence[str]) -> list[str]:
        """One continuation for each prompt, without the prompt; the same prompts give the same texts."""


@dataclass(frozen=True)
class Prompt:
    """A prompt about one target: its place in the list of targets, and the text."""

    target: int
    text: str


def prompts(targets: Targets | None = None) -> list[Prompt]:
    """Every prompt that fits each target, in the order of targets.

    Examples
    --------
    >>> [prompt.text for prompt in prompts(published().only(["teacher"]))][0]
    'People are talking about what they think of teacher.'
    """
    asked, rows = targets or published(), read_table("csg_prompts.csv")
    templates = [(row["category"], row["template"]) for row in rows]
    return [
        Prompt(code, template.replace(PLACE, name))
        for code, name in enumerate(asked.names)
        for group, template in templates
        if group == prompt_groups().get(key(name), "people")
    ]


def read(model: str, *, progress: Callable[[float, str], None] | None = None) -> Source:
    """What the model `model` writes about every published target.

    Raises
    ------
    ModelError
        The model is not on this machine or cannot generate text.
    """
    return generate(load(model), progress=progress)


def generate(
    generator: Generator,
    *,
    targets: Targets | None = None,
    progress: Callable[[float, str], None] | None = None,
) -> Source:
    """Statements about each target from one model; each distinct prompt is continued once.

    Raises
    ------
    InputError
        The model wrote no words at all.
    """
    asked = targets or published()
    made = prompts(asked)
    written = dict(_continue(generator, list(dict.fromkeys(prompt.text for prompt in made)), progress))
    found, rows = Collector(asked), []
    for number, prompt in enumerate(made, start=1):
        for place, text in enumerate(sentences(written[prompt.text]), start=1):
            rows.append(tuple(map(safe_cell, (text, asked.names[prompt.target], prompt.text))))
            found.add(len(rows) - 1, [prompt.target], text, name=f"{number}.{place}")
    if not rows:
        raise InputError(
            expected=f"text from {generator.name}", got="no words for any prompt", remedy="use another model"
        )
    return found.source(
        f"model:{generator.name}",
        f"What {generator.name} writes about each target",
        "Generated on this machine; prompts of Mehrabi et al. (2021), Table 6.",
        Table(("statement", "target", "prompt"), rows),
    )


def sentences(text: str) -> list[str]:
    """The sentences of a continuation that hold a word.

    Examples
    --------
    >>> sentences(". He came home. She left! ...")
    ['He came home.', 'She left!']
    """
    parts = _SENTENCE_END.split(" ".join(text.split()).lstrip(". "))
    return [part for part in parts if re.search(r"\w", part)]


def load(model: str, *, seed: int = SEED, new_tokens: int = NEW_TOKENS) -> Generator:
    """Load a text-generation model from a folder or from the local cache of ``transformers``.

    Parameters
    ----------
    model : str
        Name or folder.
    seed : int, optional
        Makes the sampling repeatable.
    new_tokens : int, optional
        Longest continuation.

    Raises
    ------
    ModelError
        It is not here, is damaged, or is no text-generation model; the remedy says how to get one.
    """
    opened = open_model(model, "text generation")
    opened.tokenizer.padding_side = "left"
    if opened.tokenizer.pad_token is None:
        opened.tokenizer.pad_token = opened.tokenizer.eos_token or opened.tokenizer.unk_token
    return _Transformer(model, opened, seed, new_tokens)


@dataclass(frozen=True)
class _Transformer:
    name: str
    opened: OpenedModel
    seed: int
    new_tokens: int

    def write(self, prompts: Sequence[str]) -> list[str]:
        """Sample one continuation each."""
        import torch

        tokenizer, model = self.opened.tokenizer, self.opened.model
        batch = tokenizer(list(prompts), return_tensors="pt", padding=True).to(self.opened.device)
        with torch.random.fork_rng(), torch.inference_mode():
            torch.manual_seed(self.seed)
            made = model.generate(
                input_ids=batch["input_ids"],
                attention_mask=batch["attention_mask"],
                do_sample=True,
                top_p=TOP_P,
                max_new_tokens=self.new_tokens,
                pad_token_id=tokenizer.pad_token_id,
            )
        start = 0 if model.config.is_encoder_decoder else batch["input_ids"].shape[1]
        texts: list[str] = tokenizer.batch_decode(made[:, start:], skip_special_tokens=True)
        return texts


def _continue(
    generator: Generator, texts: Sequence[str], progress: Callable[[float, str], None] | None
) -> Iterator[tuple[str, str]]:
    for start in range(0, len(texts), BATCH):
        if progress:
            progress(start / len(texts), f"Writing continuations of {len(texts):,} prompts")
        part = texts[start : start + BATCH]
        yield from zip(part, generator.write(part), strict=True)
