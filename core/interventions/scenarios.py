"""Domains of scenarios: subjects, templates of stories, attributes with their negation, and interventions by theme.

A small set of our own ships with the app (`SHIPPED`). The word lists of UnQover (Li et al. 2020,
https://arxiv.org/abs/2010.02428) and the interventions of LEI (Zhao et al. 2021, https://arxiv.org/abs/2106.01465) load
from the released data where that is present, as ``unqover:religion`` and so on. Both are written in UnQover's notation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import datasets
from core.assets import column, read_table
from core.errors import AssetError, InputError
from core.interventions.stories import (
    ADVERSARIAL,
    ETHICAL,
    IRRELEVANT,
    KINDS,
    NONE,
    OWN,
    Attribute,
    Placement,
    Story,
    asks,
    check_intervention,
)
from core.statistics import SEED

SHIPPED = ("gender", "religion", "ethnicity", "country")
"""Domains of our own set, and of UnQover's word lists."""

RELEASED = tuple(f"unqover:{name}" for name in SHIPPED)

DOMAINS = (*SHIPPED, *RELEASED)

THEMES = {"poor": "poverty", "negative": "general"}
"""Themes of UnQover's word lists that LEI's interventions call otherwise. The second is our reading: LEI has no *negative*,
and writes its *general* interventions for no theme in particular."""

MANY = 2_000
"""Scenarios that are drawn where none other is said. Ours: all of the shipped set."""

_SLOT = re.compile(r"\[(?!subj)([\w-]+?)(:neg)?\]")


@dataclass(frozen=True)
class Subject:
    """Who a story is about: forms by name (``""`` the subject itself, ``"dem"`` the people of a country), and a group.

    Where subjects have groups, only subjects of different groups are compared, as male and female first names are.
    """

    forms: Mapping[str, str]
    group: str = ""

    @property
    def name(self) -> str:
        """The subject itself."""
        return self.forms[""]


@dataclass(frozen=True)
class Template:
    """A context with two slots for subjects, a question and its negation with one slot for the attribute."""

    context: str
    question: str
    negated: str

    @property
    def slot(self) -> str:
        """Which form of an attribute the question takes."""
        found = _SLOT.search(self.question)
        return found[1] if found else ""


@dataclass(frozen=True)
class Wording:
    """An attribute in its forms: for each slot the words, and their negation."""

    attribute: Attribute
    forms: Mapping[str, tuple[str, str]]


@dataclass(frozen=True)
class Domain:
    """Everything that stories of one domain are made of.

    Parameters
    ----------
    interventions : mapping
        Class of intervention, theme, sentences.
    source : str
        Where the sentences come from, to show beside results.
    """

    name: str
    subjects: tuple[Subject, ...]
    templates: tuple[Template, ...]
    wordings: tuple[Wording, ...]
    interventions: Mapping[str, Mapping[str, tuple[str, ...]]]
    source: str

    @property
    def themes(self) -> tuple[str, ...]:
        """Thematic categories of the attributes, in their order."""
        return tuple(dict.fromkeys(wording.attribute.theme for wording in self.wordings))

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Pairs of subjects that are compared, each once."""
        return tuple(
            (one, other)
            for one, other in combinations(range(len(self.subjects)), 2)
            if not self.subjects[one].group or self.subjects[one].group != self.subjects[other].group
        )

    @property
    def examples(self) -> int:
        """Size as Li et al. (2020) count it: ordered pairs × templates × attributes that fit them, no interventions."""
        fitting = sum(template.slot in wording.forms for template in self.templates for wording in self.wordings)
        return 2 * len(self.pairs) * fitting


@dataclass(frozen=True)
class Example:
    """One story to start from, and an intervention of each class.

    Parameters
    ----------
    subjects : pair of str
        As they stand in the context.
    interventions : mapping
        Class of intervention to its text.
    """

    context: str
    subjects: tuple[str, str]
    question: str
    negated: str
    interventions: Mapping[str, str]


class Stories:
    """The scenarios of a domain, each under every class of interventions, made when it is asked for. A `StorySet`.

    A scenario is a pair of subjects, a template and an attribute. All classes are put to the same ones, one after the
    other, so that figures of classes differ by their interventions alone. Of several texts of a class, scenarios take
    turns.

    Parameters
    ----------
    domain : Domain
        What they are made of.
    kinds : sequence of str, optional
        Classes of interventions; by default none and all that the domain has, with `own` also that.
    own : str
        An intervention of one's own, put to every scenario as class ``own``.
    placement : {"question", "context"}
        Where the intervention goes.
    themes : sequence of str, optional
        Only attributes of these.
    most : int
        Scenarios, and so stories of each class; where there are more, so many are drawn (seeded). The draw does not
        depend on the classes.

    Raises
    ------
    InputError
        An unknown theme or class, or a class without an intervention for a theme.

    Examples
    --------
    >>> made = Stories(load("religion"), kinds=["none", "ethical"])
    >>> len(made), made[0].kind, made[1].kind, made[0].subjects == made[1].subjects
    (1344, 'none', 'ethical', True)
    """

    def __init__(
        self,
        domain: Domain,
        *,
        kinds: Sequence[str] | None = None,
        own: str = "",
        placement: Placement = "question",
        themes: Sequence[str] | None = None,
        most: int = MANY,
        seed: int = SEED,
    ) -> None:
        if most < 1:
            raise InputError(expected="at least one story of each class", got=f"{most}", remedy="ask for more")
        self.domain, self.placement = domain, placement
        self.pairs = domain.pairs
        self.subjects = tuple(subject.name for subject in domain.subjects)
        wanted = _themes(domain, themes)
        self._wordings = tuple(item for item in domain.wordings if item.attribute.theme in wanted)
        self.attributes = tuple(item.attribute for item in self._wordings)
        said = {NONE: dict.fromkeys(wanted, ("",))} | dict(domain.interventions)
        if own:
            said[OWN] = dict.fromkeys(wanted, (check_intervention(own),))
        self.kinds = _kinds(domain, said, kinds)
        self._said = [said[kind] for kind in self.kinds]
        if lacking := [kind for kind in self.kinds if not all(said[kind].get(theme) for theme in wanted)]:
            raise InputError(
                expected=f"interventions for the themes {', '.join(wanted)}",
                got=f"not for each of them of class {', '.join(lacking)}",
                remedy="choose other themes, or leave this class out",
            )
        self._cells = tuple(self._combine())
        self._drawn = _draw(len(self._cells) * len(self.pairs), most, seed)

    def __len__(self) -> int:
        return len(self.kinds) * len(self._drawn)

    def __getitem__(self, index: int) -> Story:
        kind, pair, template_place, wording_place = self._locate(index)
        template, wording = self.domain.templates[template_place], self._wordings[wording_place]
        texts = self._said[kind][wording.attribute.theme]
        said = texts[(pair + template_place + wording_place) % len(texts)]
        one, other = (self.domain.subjects[place] for place in self.pairs[pair])
        words, negation = wording.forms[template.slot]
        questions = (_SLOT.sub(lambda _: words, template.question), _SLOT.sub(lambda _: negation, template.negated))
        return Story(
            (one.name, other.name),
            wording.attribute.name,
            wording.attribute.theme,
            str(template_place),
            self.kinds[kind],
            said,
            asks(template.context, (one.forms, other.forms), questions, said, self.placement),
        )

    def codes(self, index: int) -> tuple[int, int, int]:
        """Places of a story's kind, pair and attribute, without making the story."""
        kind, pair, _, wording = self._locate(index)
        return kind, pair, wording

    def _locate(self, index: int) -> tuple[int, int, int, int]:
        if not 0 <= index < len(self):
            raise IndexError(index)
        scenario, kind = divmod(index, len(self.kinds))
        pair, cell = divmod(int(self._drawn[scenario]), len(self._cells))
        return kind, pair, *self._cells[cell]

    def _combine(self) -> Iterator[tuple[int, int]]:
        for template_place, template in enumerate(self.domain.templates):
            for place, wording in enumerate(self._wordings):
                if template.slot in wording.forms:
                    yield template_place, place


def load(name: str, directory: Path | None = None) -> Domain:
    """A domain by name: ``religion`` for our own set, ``unqover:religion`` for the released word lists.

    Parameters
    ----------
    directory : Path, optional
        Where the released data is kept; `core.datasets.default_directory` if not given.

    Raises
    ------
    InputError
        Unknown name.
    AssetError
        The released lists are not here; the remedy is the command that fetches them.

    Examples
    --------
    >>> load("religion").themes
    ('poverty', 'success', 'rude', 'crime')
    """
    if name in SHIPPED:
        return _shipped(name)
    if name in RELEASED:
        return _released(name.removeprefix("unqover:"), directory or datasets.default_directory())
    raise InputError(
        expected=f"a domain ({', '.join(DOMAINS)})", got=repr(name[:40]), remedy="choose one of these names"
    )


@cache
def examples() -> dict[str, Example]:
    """One story for each theme of each shipped domain, by ``domain: theme``, each about another pair of subjects.

    Examples
    --------
    >>> examples()["religion: success"].context
    'Two Buddhist families shared the table with two Hindu families.'
    """
    return {
        f"{name}: {theme}": _example(_shipped(name), theme, (2 * place + 1) / (2 * len(_shipped(name).themes)))
        for name in SHIPPED
        for place, theme in enumerate(_shipped(name).themes)
    }


def _example(domain: Domain, theme: str, share: float) -> Example:
    """The story after this share of all that the theme has."""
    stories = Stories(domain, kinds=[NONE], themes=[theme])
    question, negated = [ask for ask in stories[int(share * len(stories))].asks if ask][:2]
    one, other = (question.context[start:end] for start, end in question.spans)
    said = {kind: themes[theme][0] for kind, themes in domain.interventions.items()}
    return Example(question.context, (one, other), question.question, negated.question, said)


@cache
def _shipped(name: str) -> Domain:
    subjects = tuple(
        Subject({"": row["subject"], "dem": row["people"]} if row["people"] else {"": row["subject"]}, row["group"])
        for row in read_table("scenario_subjects.csv")
        if row["domain"] == name
    )
    templates = tuple(
        Template(row["context"], row["question"], row["negated"])
        for row in read_table("scenario_templates.csv")
        if row["domain"] == name
    )
    wordings = tuple(
        Wording(
            Attribute(row["one"], row["theme"]),
            {"one": (row["one"], row["one_negated"]), "many": (row["many"], row["many_negated"])},
        )
        for row in read_table("scenario_attributes.csv")
        if row["set"] == ("work" if name == "gender" else "people")
    )
    interventions = {
        kind: {
            theme: found
            for theme in dict.fromkeys(wording.attribute.theme for wording in wordings)
            if (found := column("scenario_interventions.csv", "text", domain=name, kind=kind, theme=theme))
        }
        for kind in (ETHICAL, ADVERSARIAL, IRRELEVANT)
    }
    return Domain(name, subjects, templates, wordings, interventions, "Scenarios written for Moralscope")


_LISTS = {
    "gender": (("male", "female"), "gender_noact", "occupation_rev1"),
    "religion": (("religion",), "religion_noact", "biased_religion"),
    "ethnicity": (("ethnicity",), "ethnicity_noact", "biased_ethnicity"),
    "country": (("country",), "country_noact", "biased_country"),
}
"""Which of UnQover's lists make a domain: subjects, templates, attributes."""


def _released(name: str, directory: Path) -> Domain:
    nouns, slots, activities = _LISTS[name]
    lists = datasets.require("unqover", directory) / "word_lists"

    def read(path: str) -> list[str]:
        text = (lists / path).read_text(encoding="utf-8")
        return [line for line in text.split("\n") if line.strip() and not line.startswith("#")]

    return Domain(
        f"unqover:{name}",
        tuple(subject for noun in nouns for subject in _read_subjects(read(f"nouns/subjects/{noun}"))),
        tuple(Template(*line.split("\t")) for line in read(f"slots/{slots}")),
        _read_wordings(read(f"activities/{activities}")),
        _read_interventions(name, directory),
        "Word lists of UnQover (Li et al. 2020), interventions of LEI (Zhao et al. 2021), Apache-2.0",
    )


def _read_subjects(lines: Sequence[str]) -> list[Subject]:
    found: dict[str, list[tuple[str, str]]] = {}
    for line in lines:
        tag, _, rest = line.partition("]")
        group, bar, name = rest.rpartition("|")
        found.setdefault(tag.partition(":")[2], []).append((name.strip(), group.strip() if bar else ""))
    counts = {len(names) for names in found.values()}
    if len(counts) != 1:
        raise _unlike("as many forms of every subject", " and ".join(map(str, counts)))
    return [
        Subject({form: rows[place][0] for form, rows in found.items()}, found[""][place][1])
        for place in range(counts.pop())
    ]


def _read_wordings(lines: Sequence[str]) -> tuple[Wording, ...]:
    """Blocks of one slot each, aligned by order: words and negations, for one and for many, for people and places."""
    blocks: dict[str, list[tuple[str, str]]] = {}
    for line in lines:
        tag, _, rest = line.removeprefix("[").partition("]")
        theme, bar, words = rest.partition("|")
        blocks.setdefault(tag, []).append((theme.strip() if bar else "none", (words if bar else rest).strip()))
    wordings = []
    for start in [tag for tag in blocks if not tag.endswith((":neg", "-single"))]:
        forms = [tag for tag in (start, f"{start}-single") if tag in blocks]
        rows = [blocks[tag] + blocks.get(f"{tag}:neg", []) for tag in forms]
        count = len(blocks[start])
        if any(len(row) != 2 * count for row in rows):
            raise _unlike(f"{count} words for {start} in every form", ", ".join(str(len(row)) for row in rows))
        for place in range(count):
            theme, name = blocks[start][place]
            both = {tag: (row[place][1], row[count + place][1]) for tag, row in zip(forms, rows, strict=True)}
            wordings.append(Wording(Attribute(name, THEMES.get(theme, theme)), both))
    return tuple(wordings)


def _read_interventions(name: str, directory: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """LEI's interventions by class and theme; there are none for countries."""
    if name == "country":
        return {}
    path = datasets.require(f"interventions/{name}_interventions.json", directory)
    # The released file has bare NaN, which is no JSON, where its table has an empty cell.
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"), parse_constant=lambda _: None)
    return {
        kind: {theme: tuple(check_intervention(text) for text in texts if text) for theme, texts in themes.items()}
        for kind, themes in document.items()
    }


def _themes(domain: Domain, chosen: Sequence[str] | None) -> tuple[str, ...]:
    unknown = [theme for theme in chosen or () if theme not in domain.themes]
    if unknown or (chosen is not None and not chosen):
        raise InputError(
            expected=f"themes of {domain.name} ({', '.join(domain.themes)})",
            got=", ".join(unknown)[:80] or "none",
            remedy="choose among these",
        )
    return tuple(theme for theme in domain.themes if chosen is None or theme in chosen)


def _kinds(domain: Domain, said: Mapping[str, object], chosen: Sequence[str] | None) -> tuple[str, ...]:
    unknown = [kind for kind in chosen or () if kind not in said]
    if unknown or (chosen is not None and not chosen):
        raise InputError(
            expected=f"classes of interventions that {domain.name} has ({', '.join(said)})",
            got=", ".join(unknown)[:80] or "none",
            remedy="choose among these; “own” needs the text of an intervention",
        )
    return tuple(kind for kind in KINDS if kind in said and (chosen is None or kind in chosen))


def _draw(count: int, most: int, seed: int) -> NDArray[np.int64]:
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, most, replace=False))


def _unlike(expected: str, got: str) -> AssetError:
    return AssetError(
        expected=expected, got=got, remedy="fetch the word lists again with `python -m core data get unqover`"
    )
