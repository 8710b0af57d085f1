"""Stories with two subjects, the questions about them, and the interventions put to them.

Source: Zhao et al. (2021), https://arxiv.org/abs/2106.01465, section 2; the stories of Li et al. (2020),
https://arxiv.org/abs/2010.02428, section 3. The paper puts the intervention into the context, its released data before
the question, with "Note that, "; the latter is the default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from core.articles import article
from core.errors import InputError
from core.text import printable

NONE, ETHICAL, ADVERSARIAL, IRRELEVANT, OWN = KINDS = ("none", "ethical", "adversarial", "irrelevant", "own")
"""Classes of interventions, in the order in which they are shown."""

Placement = Literal["question", "context"]

MAX_INTERVENTION = 500
"""Longest intervention in characters. Ours: the longest released one has 107."""

MAX_TEXT = 1000
"""Longest context or question of one's own in characters. Ours: a question answering model reads about 2,000 in all."""

MAX_SUBJECT = 100
"""Longest subject in characters. Ours."""

Span = tuple[int, int]
"""Where a subject stands in a context: first character, and the one after its last."""


class Ask(NamedTuple):
    """One question to an answerer.

    Parameters
    ----------
    context, question : str
        With the intervention in its place.
    spans : pair of (int, int)
        Where subject 1 and subject 2 stand in the context.
    wanted : int
        The subject (0 or 1) that an adversarial intervention asks for; -1 if it does not say.
    """

    context: str
    question: str
    spans: tuple[Span, Span]
    wanted: int = -1


@dataclass(frozen=True, slots=True)
class Story:
    """Two subjects, an attribute, an intervention, and the four questions that this makes.

    Parameters
    ----------
    subjects : pair of str
        Subjects 1 and 2.
    attribute, theme, template : str
        What is asked about, its thematic category, and which story it is.
    kind : str
        Class of the intervention, one of `KINDS`.
    intervention : str
        Its text; empty for none.
    asks : four Ask or None
        Subject 1 first: attribute, negation; subject 2 first: attribute, negation. None where a file lacks it.
    """

    subjects: tuple[str, str]
    attribute: str
    theme: str
    template: str
    kind: str
    intervention: str
    asks: tuple[Ask | None, Ask | None, Ask | None, Ask | None]

    @property
    def label(self) -> str:
        """The story in one line, for messages."""
        return " | ".join((*self.subjects, self.template, self.attribute, self.kind))


@dataclass(frozen=True)
class Attribute:
    """What a question asks about: its name in results, and its thematic category."""

    name: str
    theme: str


class StorySet(Protocol):
    """Stories in a fixed order, each made when it is asked for."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Classes of interventions that occur, a part of `KINDS` in that order."""

    @property
    def subjects(self) -> tuple[str, ...]:
        """All subjects."""

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All pairs of them, each once."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """All attributes."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Story: ...

    def codes(self, index: int) -> tuple[int, int, int]:
        """Places of a story's kind, pair and attribute in the lists above, without making the story."""


Names = Mapping[str, str]
"""A subject in each form that a context may want: ``""`` as it is, ``"dem"`` the people of a country."""

Four = tuple[Ask, Ask, Ask, Ask]
"""Subject 1 first: attribute, negation; subject 2 first: attribute, negation."""


class Slot(NamedTuple):
    """Where a subject goes in a context: which of the two, and in which of its forms."""

    which: int
    form: str = ""


_SUBJECT = re.compile(r"\[subj([12])(?::(\w+))?\]")

_ARTICLE = re.compile(r"\b(a)n?(?=\s+\Z)", re.IGNORECASE)

_ENDS = (".", "!", "?", ".”", "!”", "?”", '."', '!"', '?"')


def own(
    context: str,
    subjects: tuple[str, str],
    question: str,
    negated: str,
    *,
    kind: str = NONE,
    intervention: str = "",
    placement: Placement = "question",
) -> Story:
    """Make a story from what somebody typed; the other order is made by swapping the subjects.

    Parameters
    ----------
    context : str
        Names both subjects, as whole words.
    subjects : pair of str
        As they stand in the context; case does not matter, and that of the context is kept.
    question, negated : str
        About the attribute, and about its negation.
    kind : str
        Class of the intervention.

    Raises
    ------
    InputError
        A context without one of the subjects, the same subject twice, an empty or over-long part.

    Examples
    --------
    >>> made = own("A man met an engineer.", ("man", "engineer"), "Who paid?", "Who never paid?")
    >>> made.asks[2].context, made.asks[2].spans
    ('An engineer met a man.', ((18, 21), (3, 11)))
    """
    context = _checked(context, what="the context", most=MAX_TEXT)
    question = _checked(question, what="the question", most=MAX_TEXT)
    negated = _checked(negated, what="the negated question", most=MAX_TEXT)
    first = _checked(subjects[0], what="the first subject", most=MAX_SUBJECT)
    second = _checked(subjects[1], what="the second subject", most=MAX_SUBJECT)
    said = "" if kind == NONE else check_intervention(intervention)
    names = _as_written(context, (first, second))
    made = asks(_cut(context, (first, second)), ({"": names[0]}, {"": names[1]}), (question, negated), said, placement)
    return Story((first, second), question, "", "own", kind, said, made)


def asks(
    template: str | Sequence[str | Slot],
    names: tuple[Names, Names],
    questions: tuple[str, str],
    intervention: str = "",
    placement: Placement = "question",
) -> Four:
    """The four questions of a story.

    Parameters
    ----------
    template : str
        The context, with ``[subj1]`` and ``[subj2]`` where the subjects go, or ``[subj1:dem]`` for a form of one; in
        pieces, it holds what somebody typed, in which brackets are brackets.
    names : pair of mappings
        Forms of subjects 1 and 2.
    questions : pair of str
        About the attribute, about its negation.
    """
    straight, spans = fill(template, names)
    swapped, backward = fill(template, (names[1], names[0]))
    turned = (backward[1], backward[0])
    proper = [name for forms in names for name in forms.values() if name[:1].isupper()]

    def put(context: str, question: str, spans: tuple[Span, Span]) -> Ask:
        return Ask(*place(context, question, intervention, placement, proper), spans)

    return (
        put(straight, questions[0], spans),
        put(straight, questions[1], spans),
        put(swapped, questions[0], turned),
        put(swapped, questions[1], turned),
    )


def fill(template: str | Sequence[str | Slot], names: tuple[Names, Names]) -> tuple[str, tuple[Span, Span]]:
    """Fill the two slots of a context; a or an is chosen by sound, a sentence begins with a capital.

    Returns
    -------
    str, pair of (int, int)
        The context, and where what filled ``[subj1]`` and ``[subj2]`` stands (for the first time).

    Raises
    ------
    InputError
        A slot is missing, or a form of a subject.

    Examples
    --------
    >>> fill("A [subj1] tourist met a [subj2] one.", ({"": "Asian"}, {"": "Greek"}))
    ('An Asian tourist met a Greek one.', ((3, 8), (23, 28)))
    """
    text = ""
    spans: dict[int, Span] = {}
    for piece in _slots(template) if isinstance(template, str) else template:
        if isinstance(piece, str):
            text += piece
            continue
        name = names[piece.which].get(piece.form)
        if not name:
            raise InputError(
                expected=f"a form “{piece.form or 'subject'}” of every subject",
                got=f"none of {next(iter(names[piece.which].values()), 'an empty subject')}",
                remedy="add it to the list of subjects",
            )
        if _begins(text):
            name = name[0].upper() + name[1:]
        elif (found := _ARTICLE.search(text)) is not None:
            text = f"{text[: found.start()]}{found[1]}{article(name)[1:]}{text[found.end() :]}"
        spans.setdefault(piece.which, (len(text), len(text) + len(name)))
        text += name
    if len(spans) < 2:
        raise InputError(
            expected="a context with [subj1] and [subj2]", got=repr(text[:80]), remedy="write both into it"
        )
    return text, (spans[0], spans[1])


def place(
    context: str,
    question: str,
    intervention: str,
    placement: Placement = "question",
    proper: Sequence[str] = (),
) -> tuple[str, str]:
    """Put an intervention before the question (as the released data does) or at the end of the context.

    Before the question it begins with a small letter, but for "I", a word with another capital or a figure, and
    the names in `proper`: other names cannot be told from words.

    Examples
    --------
    >>> place("Ann met Bob.", "Who paid?", "Judge nobody by gender.")
    ('Ann met Bob.', 'Note that, judge nobody by gender. Who paid?')
    >>> place("Ann met Bob.", "Who paid?", "Judge nobody by gender.", "context")
    ('Ann met Bob. Judge nobody by gender.', 'Who paid?')
    """
    if not intervention:
        return context, question
    if placement == "context":
        return f"{context}{'' if context.endswith(_ENDS) else '.'} {intervention}", question
    first = intervention.split()[0]
    kept = re.match(r"I\b", first) or first[1:] != first[1:].lower() or any(map(first.startswith, proper))
    return context, f"Note that, {intervention if kept else intervention[0].lower() + intervention[1:]} {question}"


def check_intervention(text: str) -> str:
    """An intervention as it is put: one line within the limit, with a full stop.

    Raises
    ------
    InputError
        Empty, over `MAX_INTERVENTION` characters, or with a control character.

    Examples
    --------
    >>> check_intervention(" Judge nobody  by gender ")
    'Judge nobody by gender.'
    """
    said = _checked(text, what="the intervention", most=MAX_INTERVENTION)
    return said if said.endswith((".", "!", "?")) else f"{said}."


def find(context: str, subjects: tuple[str, str]) -> tuple[Span, Span]:
    """Where two subjects stand in a context, as whole words.

    "man" is not found in "woman", nor in "old man" if that is the other subject.

    Raises
    ------
    InputError
        One of them is not there, or both are the same.

    Examples
    --------
    >>> find("The woman met the man.", ("man", "woman"))
    ((18, 21), (4, 9))
    """
    spans: dict[int, Span] = {}
    for which, span in _named(context, subjects):
        spans.setdefault(which, span)
    for place_of, subject in enumerate(subjects):
        if place_of not in spans:
            raise InputError(
                expected=f"a context that names both subjects as whole words, {subjects[0]} and {subjects[1]}",
                got=f"one without {subject}: {context[:80].rstrip('.')}",
                remedy="write it into the context, spelled the same",
            )
    return spans[0], spans[1]


def _slots(template: str) -> list[str | Slot]:
    literal, *rest = _SUBJECT.split(template)
    pieces: list[str | Slot] = [literal]
    for which, form, literal in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        pieces += [Slot(int(which) - 1, form or ""), literal]
    return pieces


def _cut(context: str, subjects: tuple[str, str]) -> list[str | Slot]:
    """What somebody typed, in pieces: nothing in it is read as a slot but the subjects."""
    pieces: list[str | Slot] = []
    end = 0
    for which, (start, stop) in _named(context, subjects):
        pieces += [context[end:start], Slot(which)]
        end = stop
    return [*pieces, context[end:]]


def _as_written(context: str, subjects: tuple[str, str]) -> tuple[str, str]:
    """The subjects in the case of the context; a capital that begins a sentence is no part of a name."""
    one, other = (
        subject[0] + context[start + 1 : end] if _begins(context[:start]) else context[start:end]
        for subject, (start, end) in zip(subjects, find(context, subjects), strict=True)
    )
    return one, other


def _begins(before: str) -> bool:
    """Whether a sentence begins after this text."""
    return not before or before.endswith((". ", "! ", "? "))


def _named(context: str, subjects: tuple[str, str]) -> list[tuple[int, Span]]:
    """Which subject stands where, in the order of the context."""
    if subjects[0].casefold() == subjects[1].casefold():
        raise InputError(
            expected="two different subjects", got=f"{subjects[0]} twice", remedy="compare it with another one"
        )
    order = sorted((0, 1), key=lambda which: -len(subjects[which]))  # the longer one first: it may hold the other
    either = "|".join(f"({re.escape(subjects[which])})" for which in order)
    found = re.finditer(rf"(?<![\w-])(?:{either})(?![\w-])", context, re.IGNORECASE)
    return [(order[(one.lastindex or 1) - 1], one.span()) for one in found]


def _checked(raw: str, *, what: str, most: int) -> str:
    if len(raw) > most:
        raise InputError(
            expected=f"at most {most:,} characters in {what}", got=f"{len(raw):,}", remedy="shorten it to a sentence"
        )
    text = printable(raw, where=what)
    if not text:
        raise InputError(expected=f"text in {what}", got="nothing", remedy="write it")
    return text
