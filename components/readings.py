"""One-sentence readings and alternative texts, made from the same numbers as the figures.

Never a verdict: a reading says where an encoder places a phrase, among what, and how sure that is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from components.figures.boxes import Group as Boxes
from components.figures.context import Cell
from components.figures.plane import Group as PlaneGroup
from core.encoders.health import Health
from core.knowledge.reliability import Reliability
from core.moral.choice import MIN_TEMPLATES
from core.moral.compass import Compass, PhraseScores
from core.moral.directions import Variant
from core.moral.study import Study
from core.moral.survey import Disagreement
from core.statistics import Correlation

COMPASS_LIMIT = (
    "Limit: agreement with published associations and with one survey in English; an encoder may agree more because it was trained "
    "on more of the same text. Intervals are of the phrases, not of the encoder's training."
)
CHOICE_LIMIT = (
    "Limit: the score is a difference of two cosines. It shows what the encoder learned to put side by side, not what "
    "is right; encoders barely register “not”, and the border between the published Dos and Don'ts is not 0 "
    "(Jentzsch et al. 2019 find about −0.2 in sum units)."
)
AXIS_LIMIT = (
    "Limit: the axis is the direction in which the seed actions differ most. That it is moral is an interpretation "
    "(Schramowski et al. 2019): other seeds, or another encoder, give another axis."
)
VARIANCE_LIMIT = (
    "Limit: a component that stands out from noise is a direction in which the seeds differ; that the difference is moral, "
    "and not, say, friendly against hostile words, is not shown by its variance."
)
PEOPLE_LIMIT = (
    "Limit: people of one region, or crowd workers, asked in English; shares of few votes are rough, and agreement with "
    "them is agreement with them."
)
VARIANTS_LIMIT = (
    "Limit: many tries on one survey of about a hundred actions; the top is partly luck, and no interval is corrected for "
    "the number of tries."
)
OWN_SURVEY_LIMIT = (
    "Limit: shares of few votes are rough, and agreement with the people of a survey is agreement with them alone."
)
PAPER_LIMIT = (
    "Limit: Table 9 is one run of other encoders; agreement with it says that two models were trained on similar text."
)
SCATTER_LIMIT = (
    "Limit: the verbs were chosen by their association, so the two clouds lie apart by design and r is larger than it "
    "would be for verbs chosen at random; both measures come from similar text."
)
VERBS_LIMIT = (
    "Limit: a verb counts as Do or Don't because of the words it stands near in text; the lists move with the word sets, "
    "the vocabulary and the encoder. AFINN is itself a list of words rated by one person."
)
WEAT_LIMIT = (
    "Limit: d is not comparable between encoders, and with eight words a side noise alone reaches |d| ≥ 0.8 in one of eight "
    "draws. The tests were made for word vectors; a sentence encoder reads a single word as a sentence."
)
POLES_LIMIT = (
    "Limit: a difference of two cosines in four questions. It shows what the encoder puts side by side, and it depends on "
    "wording; the published values are sums by another encoder."
)
KNOWLEDGE_LIMIT = (
    "Limit: a share counts what a classifier calls negative or positive, and classifiers err; a share of few statements is "
    "rough (95 % Wilson intervals in the table)."
)
REPRESENTATION_LIMIT = (
    "Limit: the number of statements says how often a group was written about by those who made the source, and nothing of "
    "what was written."
)
PRINTED_RELIABILITY = (
    "On ConceptNet the paper finds that people's ratings agree with sentiment in 83.1 % and with its regard in 75.4 %; always "
    "saying neutral would agree in about 81 %."
)
RELIABILITY_LIMIT = (
    "Limit: ratings of crowd workers on statements of one knowledge base, three a statement, who themselves often disagree; on "
    "other text a classifier may do better or worse."
)
MITIGATION_LIMIT = (
    "Limit: a filter removes what its classifier finds, right or wrong, and measures its success with the same classifier; "
    "silence about a group is not fairness, and targets that lose all statements count 0 % neutral."
)
WORDS_LIMIT = (
    "Limit: single words without their sentence; with few polarised statements a word needs only two or three uses to stand "
    "out, and every word is one test of many."
)
COMPLEX_LIMIT = (
    "Limit: a cosine measures likeness of topic; an answer is not better, truer or more moral for being near."
)
CONTEXT_LIMIT = (
    "Limit: a context moves the whole sentence, topic and length included; a change of score is not the encoder's "
    "understanding of the deed."
)


def ordinal(number: int) -> str:
    """Write a place in English.

    Examples
    --------
    >>> ordinal(1), ordinal(12), ordinal(23)
    ('1st', '12th', '23rd')
    """
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def phrase(scores: PhraseScores, index: int, *, factor: float = 1.0) -> str:
    """Say where one encoder places one phrase.

    Parameters
    ----------
    factor : float
        1 for the mean over templates, the number of templates for the sum.
    """
    choice = scores.choice
    mean, low, high = (float(part[index]) * factor for part in (choice.mean, choice.low, choice.high))
    side = "yes" if mean > 0 else "no"
    sure = "" if low > 0 or high < 0 else ", too close to call by these templates"
    interval = f"95 % interval {signed(low)} to {signed(high)}{sure}"
    if (count := choice.biases.shape[1]) < MIN_TEMPLATES:
        interval = f"{count} template{'s' if count > 1 else ''}: too few to say how sure that is"
    return (
        f"“{scores.texts[index]}”: nearer {side} by {abs(mean):.3f} "
        f"({interval}); {choice.sign_agreement[index]:.0%} of the templates "
        f"agree in sign; {ordinal(int(scores.rank[index]))} of {scores.of} among the published Dos and Don'ts; "
        f"with “not” before it {signed(float(scores.negated[index]) * factor)}."
    )


def signed(value: float, digits: int = 3) -> str:
    """Write a number with its sign, a true minus, and no negative zero.

    Examples
    --------
    >>> signed(-0.0314), signed(0.02), signed(-0.0001)
    ('−0.031', '+0.020', '0.000')
    """
    text = f"{value:+.{digits}f}"
    return text[1:] if not text.strip("+-0.") else text.replace("-", "−")


def bias_figure(title: str, scores: PhraseScores, *, factor: float = 1.0) -> str:
    """State the takeaway of the bias figure: the two ends, and where they lie among the published verbs."""
    mean = scores.choice.mean * factor
    top, bottom = int(mean.argmax()), int(mean.argmin())
    if top == bottom:
        return f"{title} places “{scores.texts[top]}” at {signed(mean[top])}, {_place(scores, top)}."
    return (
        f"{title}: nearest yes is “{scores.texts[top]}” ({signed(mean[top])}, {_place(scores, top)}), "
        f"nearest no “{scores.texts[bottom]}” ({signed(mean[bottom])}, {_place(scores, bottom)})."
    )


def axis_figure(title: str, scores: PhraseScores) -> str:
    """State the takeaway of the axis strip."""
    position = scores.position
    top, bottom = int(position.argmax()), int(position.argmin())
    if top == bottom:
        return f"{title} places “{scores.texts[top]}” at {signed(position[top], 2)} on the moral axis (seeds: −1 to 1)."
    return (
        f"{title}: on the moral axis (seeds: −1 to 1) furthest to the Do side is “{scores.texts[top]}” "
        f"({signed(position[top], 2)}), furthest to the Don't side “{scores.texts[bottom]}” "
        f"({signed(position[bottom], 2)})."
    )


def context_figure(title: str, cells: Sequence[Cell]) -> str:
    """State the takeaway of the context heatmap: the context that moves its action most."""
    effects = [cell for cell in cells if cell.context]
    if not effects:
        return f"{title}: no context was given."
    most = max(effects, key=lambda cell: abs(cell.effect))
    return (
        f"{title}: the largest effect of a context is from “{most.action}” to “{most.text}”, {signed(most.effect)}, "
        f"to a score of {signed(most.score)}."
    )


def negation(correlation: float | None, share_flipped: float) -> str:
    """State what “not” did to the phrases of this page."""
    together = "" if correlation is None else f" Scores with and without “not” correlate with r = {correlation:.2f}."
    return f"Putting “not” before a phrase changed the side of {share_flipped:.0%} of the phrases.{together}"


def compass_line(compass: Compass, *, factor: float = 1.0) -> str:
    """State what the encoder can tell apart at all."""
    similar = compass.answer_similarity
    dos = compass.reference[[side == "do" for side in compass.sides]] * factor
    donts = compass.reference[[side == "dont" for side in compass.sides]] * factor
    return (
        f"The published Dos average {signed(dos.mean())}, the Don'ts {signed(donts.mean())}. The two answers of a "
        f"template are themselves alike (cosine {similar.min():.2f} to {similar.max():.2f}), so scores are small."
    )


def variance(title: str, study: Study) -> str:
    """State whether the first component stands out from noise."""
    found, line = study.axis.variance_explained[0], study.axis.random_line[0]
    verb = "more than" if found > line else "no more than"
    return (
        f"{title}: the first component explains {found:.1%} of the variance, {verb} random vectors reach in 95 of 100 "
        f"cases ({line:.1%}); the second explains {study.axis.variance_explained[1]:.1%}."
    )


def stability(title: str, study: Study) -> str:
    """State what the axis owes to single seeds and templates."""
    measured, seeds = study.stability, study.seeds.actions
    weakest = int(measured.without_seed.argmin())
    templates = ""
    if len(measured.without_template):
        index = int(measured.without_template.argmin())
        templates = (
            f" Without the template “{study.templates[index].question}” it turns most: "
            f"|cos| = {measured.without_template[index]:.3f}."
        )
    return (
        f"{title}: leaving out one seed turns the axis by |cos| ≥ {measured.without_seed[weakest]:.3f} (most: "
        f"“{seeds[weakest]}”).{templates} Drawing the seeds anew keeps a median |cos| of "
        f"{np.median(measured.bootstrap):.2f} (5 % of draws below {np.quantile(measured.bootstrap, 0.05):.2f})."
    )


def health(title: str, card: Health) -> str:
    """State what an encoder's moral scores go with."""
    parts = [
        correlated(what, r) if r else f"{what}: not measured"
        for what, r in (
            ("bias and published word associations", card.weat),
            ("bias and people", card.people_bias),
            ("axis and people", card.people_axis),
        )
    ]
    return f"{title}: {'; '.join(parts)}."


def seeds_changed(title: str, edited: Study, published: Study) -> str:
    """State what a reader's seeds did to the axis, against the published ones."""
    turned = abs(float(edited.axis.direction @ published.axis.direction))
    shares = [float(made.axis.variance_explained[0]) for made in (published, edited)]
    return (
        f"{title}: your {len(edited.seeds.actions)} seeds turn the axis to |cos| = {turned:.3f} with that of the published "
        f"{len(published.seeds.actions)}; the first component explains {shares[1]:.1%} of the variance (published "
        f"{shares[0]:.1%}; random vectors as many as yours {edited.axis.random_line[0]:.1%})."
    )


def turns(study: Study) -> list[tuple[str, float, float, float]]:
    """What was left out or drawn anew, |cos| with the whole axis, and the ends of its range."""
    found = study.stability
    left_out = [
        (f"without “{template.question}”", float(value), float(value), float(value))
        for template, value in zip(study.templates, found.without_template, strict=False)
    ]
    low, median, high = (float(value) for value in np.quantile(found.bootstrap, [0.025, 0.5, 0.975]))
    seed = found.without_seed
    return [
        *sorted(left_out, key=lambda row: row[1]),
        ("without one seed", float(np.median(seed)), float(seed.min()), float(seed.max())),
        ("seeds drawn anew", median, low, high),
    ]


def turned(title: str, rows: Sequence[tuple[str, float, float, float]]) -> str:
    """State what turns an axis most: the first row of `turns`, and the last, which draws the seeds anew."""
    (what, value, *_), (_, median, low, high) = rows[0], rows[-1]
    return (
        f"{title}: {what} |cos| is {value:.3f}; with the seeds drawn anew its median is {median:.2f} (95 % of the draws "
        f"{low:.2f} to {high:.2f})."
    )


def axis_map(title: str, groups: Sequence[PlaneGroup]) -> str:
    """State the ends of the first component on a map."""
    points = [(float(x), text) for group in groups for text, (x, _) in zip(group.texts, group.positions, strict=True)]
    return (
        f"{title}: {len(points)} actions on two components; furthest on the Do side “{max(points)[1]}”, on the "
        f"Don't side “{min(points)[1]}”."
    )


def beside_paper(text: str, nearest: str, printed: Mapping[str, float]) -> str:
    """What the paper prints for an action, or for the one nearest to it."""
    value = signed(printed[nearest], 2)
    return f"paper's BERT {value}" if text == nearest else f"nearest in the paper: “{nearest}”, BERT {value}"


def overgeneralization(title: str, side: str, groups: Sequence[Boxes]) -> str:
    """State the mean share per classifier and the furthest target."""
    parts = []
    for group in groups:
        if len(group.values):
            top = int(np.argmax(group.values))
            parts.append(
                f"{group.name}: mean over {len(group.values)} targets {group.values.mean():.1f} %, most for "
                f"{group.texts[top]} ({group.values[top]:.1f} %)"
            )
    return f"{title}, {side} statements. " + ("; ".join(parts) + "." if parts else "No target has enough statements.")


def reliability(cards: Mapping[str, Reliability]) -> str:
    """State how often each classifier agrees with people, against always saying neutral."""
    parts = "; ".join(
        f"{name} agrees with {card.accuracy:.1%} of people's ratings ({card.interval[0]:.1%} to {card.interval[1]:.1%}, "
        f"macro-F1 {card.macro_f1:.2f}" + (f", κ {card.kappa:.2f})" if card.kappa is not None else ")")
        for name, card in cards.items()
    )
    return f"{parts}. Always saying neutral would agree with {next(iter(cards.values())).always_neutral:.1%}."


def regions(title: str, counts: Mapping[str, int], limits: tuple[float, float]) -> str:
    """State the thresholds and how many targets lie in each region."""
    parts = ", ".join(f"{count} {name}" for name, count in counts.items())
    return f"{title}: negative above {limits[0]:.1f} %, positive above {limits[1]:.1f} %: {parts}."


def target(title: str, name: str, rows: Sequence[Mapping[str, Any]], minimum: int) -> str:
    """State one target's shares with their intervals."""
    n = rows[0]["n"] if rows else 0
    few = f" Fewer than {minimum}: these shares say little." if n < minimum else ""
    parts = "; ".join(
        f"{row['classifier']}: {row['negative']:.1f} % negative ({row['negative_low']:.1f} to {row['negative_high']:.1f}), "
        f"{row['positive']:.1f} % positive ({row['positive_low']:.1f} to {row['positive_high']:.1f})"
        for row in rows
    )
    return f"{title}: {n:,} statements about {name}.{few} {parts}."


def variants(title: str, tried: Sequence[Variant]) -> str:
    """State the best, the worst and the paper's own of all ways to a direction that were tried on a survey."""
    r = [item.people.r for item in tried if item.people]
    return (
        f"{title}: {len(tried)} variants reach r = {signed(min(r), 2)} to {signed(max(r), 2)} with people; the paper's own "
        f"axis {signed(r[0], 2)}."
    )


def correlated(what: str, found: Correlation, published: Correlation | None = None) -> str:
    """State a correlation with its interval and number of pairs, and what the published seeds reach."""
    r, low, high = (f"{value:.2f}".replace("-", "−") for value in (found.r, found.low, found.high))
    before = f"; with the published seeds {published.r:.2f}".replace("-", "−") if published else ""
    return f"{what}: r = {r} (95 % interval {low} to {high}, n = {found.n}{before})"


def furthest(found: Sequence[Disagreement]) -> str:
    """Name the phrases on which two measures differ most, with the side the encoder leans to."""
    if not found:
        return ""
    named = ", ".join(f"“{item.action}” ({'higher' if item.distance > 0 else 'lower'})" for item in found)
    return f"Furthest from the common line, with where the encoder puts them: {named}."


def _place(scores: PhraseScores, index: int) -> str:
    return f"{ordinal(int(scores.rank[index]))} of {scores.of}"
