"""From a triple to a sentence: the words of every ConceptNet relation.

Mehrabi et al. (2021, section 3.1) put words for the relation between subject and object ("American is a citizen of
America"). The table `relations.csv` spells out the 34 relations of ConceptNet 5.7, and those that COMeT adds.

**Limit.** Some of these phrases are polar by themselves for VADER ("capable", "motivated" and "desire" are words of
its lexicon), as they are in the published statements: on ConceptNet nearly every CapableOf statement counts as
positive for the words of its relation alone. Compare by relation before reading favoritism out of sentiment.
"""

from __future__ import annotations

import re
from functools import cache

from core.assets import read_table

NOT_STATEMENTS = ("ExternalURL", "dbpedia")
"""Relations that lead out of ConceptNet: an address or another catalogue, skipped as the authors do."""


@cache
def table() -> dict[str, str]:
    """Words by relation.

    Examples
    --------
    >>> table()["RelatedTo"], table()["AtLocation"]
    ('is related to', 'is located at')
    """
    return {row["relation"]: row["words"] for row in read_table("relations.csv")}


@cache
def comet_order() -> tuple[str, ...]:
    """The 34 relations of COMeT in the order in which its released statements go through them.

    Examples
    --------
    >>> comet_order()[:2], len(comet_order())
    (('AtLocation', 'CapableOf'), 34)
    """
    placed = {row["comet_position"]: row["relation"] for row in read_table("relations.csv") if row["comet_position"]}
    return tuple(placed[str(position)] for position in range(1, len(placed) + 1))


def words(relation: str) -> str:
    """The words of a relation; one that the table does not hold is cut at its capitals.

    Examples
    --------
    >>> words("/r/IsA"), words("FriendOf"), words("works_for")
    ('is a', 'friend of', 'works for')
    """
    name = relation.rpartition("/")[2].strip()
    return table().get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\s]+", " ", name).lower()


def skipped(relation: str) -> bool:
    """Whether rows of this relation are no statements.

    Examples
    --------
    >>> skipped("ExternalURL"), skipped("/r/dbpedia/genre"), skipped("IsA")
    (True, True, False)
    """
    return relation.removeprefix("/r/").partition("/")[0] in NOT_STATEMENTS


def sentence(subject: str, relation: str, thing: str) -> str:
    """A triple as a sentence, with spaces for ``_``.

    Examples
    --------
    >>> sentence("librarian", "CapableOf", "answer_question")
    'librarian is capable of answer question'
    """
    return f"{subject} {words(relation)} {thing}".replace("_", " ").strip(" ")
