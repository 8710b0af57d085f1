"""Statements: sentences about a target, from whatever source, in one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.knowledge.masking import mentions
from core.knowledge.targets import Targets

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("statement", "masked", "target", "category", "source", "relation", "id")


@dataclass(frozen=True)
class Statement:
    """One sentence about one target.

    Parameters
    ----------
    statement : str
        The sentence as shown.
    target, category : str
        Whom it is about.
    source : str
        Name of the source.
    relation : str or None
        The relation of a triple.
    id : str
        The record of the source that it comes from; a record that names two targets gives two statements.
    """

    statement: str
    target: str
    category: str
    source: str
    relation: str | None
    id: str


@dataclass(frozen=True)
class Statements:
    """A table of statements, in the order of their source.

    Parameters
    ----------
    frame : DataFrame
        n rows with the columns `COLUMNS`; what repeats is categorical, `relation` may be missing. ``masked`` is what
        classifiers are given.
    targets : Targets
        All targets that were looked for, with or without a statement; `codes` refer to it.
    """

    frame: pd.DataFrame
    targets: Targets

    def __len__(self) -> int:
        return len(self.frame)

    def __iter__(self) -> Iterator[Statement]:
        columns = [self.frame[name] for name in COLUMNS if name != "masked"]
        for text, target, category, source, relation, name in zip(*columns, strict=True):
            yield Statement(text, target, category, source, relation if isinstance(relation, str) else None, name)

    @property
    def codes(self) -> NDArray[np.intp]:
        """The target of each statement as a place in `targets`, shape (n,)."""
        codes: NDArray[np.intp] = np.asarray(self.frame["target"].cat.codes, dtype=np.intp)
        return codes

    @property
    def repeated(self) -> NDArray[np.bool_]:
        """Which statements an earlier one about the same target equals word for word, shape (n,)."""
        return self.frame.duplicated(["statement", "target"]).to_numpy()

    def where(self, keep: NDArray[np.bool_]) -> Statements:
        """The statements for which `keep` is true; the targets stay, even those that lose their last one."""
        return Statements(self.frame[keep].reset_index(drop=True), self.targets)


def build(
    texts: Sequence[str],
    codes: Sequence[int],
    *,
    targets: Targets,
    source: str,
    ids: Sequence[str],
    relations: Sequence[str | None] | None = None,
    shown: Sequence[str] | None = None,
    masked: Sequence[str] | None = None,
) -> Statements:
    """Put statements into a table and mask every published target in them, each distinct text once.

    Parameters
    ----------
    texts : sequence of str, length n
        Sentences as stored.
    codes : sequence of int
        The target of each, as a place in `targets`.
    ids : sequence of str
        The record that each comes from.
    relations : sequence of str or None, optional
        The relation of each.
    shown : sequence of str, optional
        Sentences as shown, where that is not as stored.
    masked : sequence of str, optional
        Masked sentences, where the source brings them along.

    Examples
    --------
    >>> some = Targets(("teacher",), ("profession",))
    >>> made = build(["a teacher is kind"], [0], targets=some, source="mine", ids=["1"])
    >>> made.frame.loc[0, ["masked", "category"]].tolist(), next(iter(made)).target
    (['a this person is kind', 'profession'], 'teacher')
    """
    import pandas as pd

    if masked is None:
        finder = mentions()
        distinct = list(dict.fromkeys(texts))
        hidden = dict(zip(distinct, finder.mask_all(distinct), strict=True))
        masked = [hidden[text] for text in texts]
    places = np.asarray(codes, dtype=np.intp)
    categories = targets.in_order
    by_target = np.array([categories.index(name) for name in targets.categories], dtype=np.intp)
    frame = pd.DataFrame(
        {
            "statement": pd.Series(list(shown if shown is not None else texts), dtype=object),
            "masked": pd.Series(list(masked), dtype=object),
            "target": pd.Categorical.from_codes(places, categories=pd.Index(targets.names)),
            "category": pd.Categorical.from_codes(by_target[places], categories=pd.Index(categories)),
            "source": pd.Categorical.from_codes(np.zeros(len(places), dtype=np.int8), categories=pd.Index([source])),
            "relation": pd.Categorical(list(relations) if relations is not None else [None] * len(places)),
            "id": pd.Series(list(ids), dtype=object),
        },
        columns=list(COLUMNS),
    )
    return Statements(frame, targets)
