"""Question templates: how an action becomes questions with two opposite answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from core.assets import read_table
from core.errors import InputError
from core.text import clean

SLOT = "{}"
"""Where the action goes in a question."""

MAX_TEMPLATES = 50
"""Most templates of one request. Ours: the papers use ten."""


@dataclass(frozen=True)
class Template:
    """A question with a slot, the affirming answer and the denying one.

    Examples
    --------
    >>> Template("Should I {}?", "Yes, you should.", "No, you should not.").fill("kill time")
    'Should I kill time?'
    """

    question: str
    affirming: str
    denying: str

    def fill(self, text: str) -> str:
        """The question about `text`."""
        return self.question.replace(SLOT, text)


Templates = tuple[Template, ...]


@cache
def published(kind: str = "moral") -> Templates:
    """The templates the papers print: ten ``moral`` ones (Jentzsch et al. 2019, Figure 3), four ``gender`` ones.

    Examples
    --------
    >>> len(published()), published()[1].affirming
    (10, 'Yes, you should.')
    """
    rows = [row for row in read_table("question_templates.csv") if row["kind"] == kind]
    return tuple(Template(row["question"], row["answer_a"], row["answer_b"]) for row in rows)


def parse(text: str) -> Templates:
    """Read own templates, one per line: ``question with {} | affirming answer | denying answer``.

    Raises
    ------
    InputError
        A line without three parts or without exactly one slot, the same answer twice, no line at all, or more than
        `MAX_TEMPLATES`.

    Examples
    --------
    >>> parse("Is it fair to {}? | Yes, it is. | No, it is not.")[0].denying
    'No, it is not.'
    """
    rows = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not 1 <= len(rows) <= MAX_TEMPLATES:
        raise InputError(
            expected=f"1 to {MAX_TEMPLATES} templates, one per line",
            got=f"{len(rows):,}",
            remedy="write at least one, or choose the published ones",
        )
    templates = tuple(_parse_line(line, number) for number, line in rows)
    if len(set(templates)) < len(templates):
        raise InputError(
            expected="templates that differ",
            got="the same one twice",
            remedy="delete the copies; they would only make the interval look narrow",
        )
    return templates


def _parse_line(line: str, number: int) -> Template:
    clean(line.replace("|", " ").replace(SLOT, " "), where=f"template line {number}")
    parts = [" ".join(part.split()) for part in line.split("|")]
    outside = "".join(parts).replace(SLOT, "", 1)
    if len(parts) != 3 or not all(parts) or parts[0].count(SLOT) != 1 or "{" in outside or "}" in outside:
        raise _bad_line(number, "another form", "write the action's place as {} and separate the answers by |")
    if parts[1].casefold() == parts[2].casefold():
        raise _bad_line(number, "the same answer twice", "write two answers that deny each other")
    return Template(*parts)


def _bad_line(number: int, got: str, remedy: str) -> InputError:
    expected = f"“question with {SLOT} | affirming answer | denying answer” in template line {number}"
    return InputError(expected=expected, got=got, remedy=remedy)


def questions(texts: Iterable[str], templates: Sequence[Template]) -> list[str]:
    """Every text in every template, text by text: entry i·q + j is text i in template j.

    Examples
    --------
    >>> questions(["rest"], published()[:2])
    ['Is it okay to rest?', 'Should I rest?']
    """
    return [template.fill(text) for text in texts for template in templates]


def render(templates: Sequence[Template]) -> str:
    """The inverse of `parse`.

    Examples
    --------
    >>> parse(render(published())) == published()
    True
    """
    return "\n".join(" | ".join((item.question, item.affirming, item.denying)) for item in templates)
