"""Question files: the released sets of LEI, and files of one's own in the same formats.

Source: Zhao et al. (2021), https://arxiv.org/abs/2106.01465, and the formats of its data, which is fetched, not shipped.
Two formats are told apart by what they hold: underspecified stories (SQuAD-like, with the published scores where they
are stored), and specified questions, whose context says who the answer is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Any

from core.errors import InputError
from core.interventions.stories import KINDS, Ask, Attribute, Span, Story, find

RELIGION_TEST = "data/underspecified/religion/addedbias_noniid_test_squad.json"
RELIGION_DEV = "data/underspecified/religion/addedbias_noniid_dev_squad.json"
SPECIFIED = "data/specified/extraMalewithIntvs-sample.source.json"
"""Paths of released files, as `core.datasets` knows them."""

MAX_BYTES = 100_000_000
"""Largest file. Ours: forty times the largest released one."""

Scores = Mapping[tuple[str, str], Mapping[Span, float]]
"""By context and question: the stored score of each span."""


@dataclass(frozen=True)
class Released:
    """The stories of an underspecified file, in its order. A `StorySet`.

    Parameters
    ----------
    stories : tuple of Story
        Entries joined by their key: one for each order of the subjects.
    scores : mapping
        √(start · end) of the stored probabilities; empty where none are stored.
    notes : tuple of str
        What was passed over in reading, in sentences.
    """

    stories: tuple[Story, ...]
    kinds: tuple[str, ...]
    subjects: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]
    attributes: tuple[Attribute, ...]
    scores: Scores
    places: tuple[tuple[int, int, int], ...]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.stories)

    def __getitem__(self, index: int) -> Story:
        return self.stories[index]

    def codes(self, index: int) -> tuple[int, int, int]:
        """Places of a story's kind, pair and attribute."""
        return self.places[index]


@dataclass(frozen=True)
class Specified:
    """A question whose context says who the answer is, and its negation.

    Parameters
    ----------
    key : str
        Its key in the file.
    question, negated : Ask
        `wanted` is the subject that the context supports: of the question that subject, of the negation the other.
    """

    key: str
    question: Ask
    negated: Ask


def read(content: bytes) -> Released | tuple[Specified, ...]:
    """Read a question file of either format.

    Raises
    ------
    InputError
        Too large, not UTF-8, no JSON, neither of the formats, or an entry that is not as the others; the entry is
        named; or stored scores of which none is a probability. A story that lacks one of its four questions is no
        error: it is kept with None in its place. So is one of which a score is no probability, and has none then.
    """
    if len(content) > MAX_BYTES:
        raise _bad(
            f"a file of at most {MAX_BYTES // 1_000_000} MB", f"{len(content) / 1e6:.0f} MB", "send fewer stories"
        )
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _bad("text in UTF-8", f"byte {error.object[error.start]:#04x}", "save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise _bad("a JSON file", str(error)[:120], "send a file in a format of LEI") from error
    entries = document.get("data") if isinstance(document, dict) else None
    if isinstance(entries, list) and entries:
        return _underspecified(entries)
    if isinstance(document, dict) and document and "q0" in next(iter(document.values()), ()):
        return tuple(_specified(key, entry) for key, entry in document.items())
    raise _bad(
        "stories in a list “data”, or an object of entries with “q0” and “q1”",
        f"{type(document).__name__} without either",
        "send a file in a format of LEI",
    )


def _underspecified(entries: list[Any]) -> Released:
    """Join entries of the same key: the first of one order and the first of the other make a story."""
    found: list[_Draft] = []
    open_drafts: dict[tuple[str, int], list[_Draft]] = {}
    scores: dict[tuple[str, str], dict[Span, float]] = {}
    wrong = list[str]()
    seen = set[tuple[object, ...]]()
    repeated = list[str]()
    for number, entry in enumerate(entries, start=1):
        try:
            for paragraph in entry["paragraphs"]:
                parts = paragraph["key"].split("|")
                names = (parts[0], parts[1])
                order, two = _questions(paragraph, names, scores, wrong)
                if (same := (paragraph["key"], order, paragraph["intervention"], paragraph["context"], *two)) in seen:
                    repeated.append(paragraph["key"])
                    continue
                seen.add(same)
                waiting = open_drafts.setdefault((paragraph["key"], order), [])
                if waiting:
                    draft = waiting.pop(0)
                else:
                    draft = _Draft(names, parts[4], parts[3], parts[2], _kind(paragraph["intervention"]), [None] * 4)
                    found.append(draft)
                    open_drafts.setdefault((paragraph["key"], 1 - order), []).append(draft)
                draft.asks[2 * order : 2 * order + 2] = two
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise _bad(
                "entries with “key” (eight parts), “context”, “intervention” and “qas” as LEI has them",
                f"{type(error).__name__} ({str(error)[:60]}) in entry {number}",
                "correct or remove this entry",
            ) from error
    if not found:
        raise _bad("at least one story", "entries without a paragraph", "send a file with stories")
    if wrong and not any(scores.values()):
        raise _bad("stored scores (start-end-score) from 0 to 1", wrong[0][:160], "store probabilities, no percentages")
    notes = (
        _note(repeated, "entry repeats another and is counted once", "entries repeat others and are counted once"),
        _note(
            wrong,
            "stored score is no number from 0 to 1 and is taken for missing",
            "stored scores are no numbers from 0 to 1 and are taken for missing",
        ),
    )
    return _collect(found, scores, tuple(filter(None, notes)))


def _note(named: Sequence[str], one: str, many: str) -> str:
    return f"{len(named):,} {one if len(named) == 1 else many}, the first: {named[0][:120]}" if named else ""


@dataclass
class _Draft:
    subjects: tuple[str, str]
    attribute: str
    theme: str
    template: str
    kind: str
    asks: list[Ask | None]


def _questions(
    paragraph: Mapping[str, Any],
    names: tuple[str, str],
    scores: dict[tuple[str, str], dict[Span, float]],
    wrong: list[str],
) -> tuple[int, list[Ask | None]]:
    """Which subject an entry names first, and its two questions; None for one without both answers.

    Of a lone question nothing says whether it is the negated one: it counts for neither.
    """
    context = paragraph["context"]
    order: int | None = None
    asks: list[Ask | None] = []
    for qa in paragraph["qas"][:2]:
        spans: dict[int, Span] = {}
        stored: dict[Span, float] = {}
        for answer in qa["answers"]:
            start, text = answer["answer_start"], answer["text"]
            span = (start, start + len(text))
            if context[span[0] : span[1]].casefold() != text.casefold() or text.casefold() not in names:
                raise ValueError(f"the context has no {text[:40]} at {start}")
            spans[names.index(text.casefold())] = span
            if "start-end-score" in answer:
                begin, end = map(float, answer["start-end-score"])
                if isfinite(begin) and isfinite(end) and 0 <= begin <= 1 and 0 <= end <= 1:
                    stored[span] = sqrt(begin * end)
                else:
                    wrong.append(f"{begin:g} and {end:g} for {text} in {paragraph['key']}")
        if len(spans) < 2:
            asks.append(None)
            continue
        order = int(spans[1] < spans[0])
        wanted = qa.get("tomax", -1)
        # The file counts answers in the order of the context.
        asks.append(Ask(context, qa["question"], (spans[0], spans[1]), wanted if wanted < 0 else abs(wanted - order)))
        if len(stored) == 2:
            scores[context, qa["question"]] = stored
    if order is None:
        first, second = find(context, names)
        order = int(second < first)
    return order, asks if len(asks) == 2 else [None, None]


def _collect(drafts: list[_Draft], scores: Scores, notes: tuple[str, ...]) -> Released:
    subjects = {name: place for place, name in enumerate(sorted({name for draft in drafts for name in draft.subjects}))}
    attributes: dict[str, tuple[int, str]] = {}
    pairs: dict[tuple[int, int], int] = {}
    kinds = tuple(kind for kind in KINDS if any(draft.kind == kind for draft in drafts))
    stories, places = [], []
    for draft in drafts:
        one, other = (subjects[name] for name in draft.subjects)
        asks = draft.asks
        if one > other:
            one, other = other, one
            asks = [
                ask and ask._replace(spans=ask.spans[::-1], wanted=_turn(ask.wanted)) for ask in asks[2:] + asks[:2]
            ]
        attribute, _ = attributes.setdefault(draft.attribute, (len(attributes), draft.theme))
        pair = pairs.setdefault((one, other), len(pairs))
        names = tuple(subjects)
        stories.append(
            Story(
                (names[one], names[other]),
                draft.attribute,
                draft.theme,
                draft.template,
                draft.kind,
                "",
                (asks[0], asks[1], asks[2], asks[3]),
            )
        )
        places.append((kinds.index(draft.kind), pair, attribute))
    return Released(
        tuple(stories),
        kinds,
        tuple(subjects),
        tuple(pairs),
        tuple(Attribute(name, theme) for name, (_, theme) in attributes.items()),
        scores,
        tuple(places),
        notes,
    )


def _turn(wanted: int) -> int:
    return wanted if wanted < 0 else 1 - wanted


def _kind(name: str) -> str:
    if name not in KINDS:
        raise ValueError(f"the intervention {name[:40]} is none of {', '.join(KINDS)}")
    return name


def _specified(key: str, entry: Any) -> Specified:
    """The supported answer is the subject whose group, in the key, is male; the file does not mark it otherwise."""
    try:
        groups = key.split("|")[:2]
        context, one, other = entry["context"], entry["q0"], entry["q1"]
        names = (one["ans0"]["text"], one["ans1"]["text"])
        if sorted(groups) != ["female", "male"]:
            raise ValueError(f"groups {', '.join(groups)[:40]} in the key")
        spans, supported = find(context, names), groups.index("male")
        return Specified(
            key,
            Ask(context, one["question"], spans, supported),
            Ask(context, other["question"], spans, 1 - supported),
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise _bad(
            "entries with “context”, “q0” and “q1” as LEI has them",
            f"{type(error).__name__} ({str(error)[:60]}) in {key[:80]}",
            "correct or remove this entry",
        ) from error


def _bad(expected: str, got: str, remedy: str) -> InputError:
    return InputError(expected=expected, got=got, remedy=remedy)
