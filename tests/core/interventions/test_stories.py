"""Stories: both orders, whole words, articles, and where an intervention goes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.interventions.stories import MAX_INTERVENTION, asks, check_intervention, fill, find, own, place


def test_a_story_is_asked_in_both_orders_with_attribute_and_negation() -> None:
    made = own("Ann met Bob.", ("Ann", "Bob"), "Who paid?", "Who never paid?")
    assert [(one.context, one.question) for one in made.asks if one] == [
        ("Ann met Bob.", "Who paid?"),
        ("Ann met Bob.", "Who never paid?"),
        ("Bob met Ann.", "Who paid?"),
        ("Bob met Ann.", "Who never paid?"),
    ]
    for one in made.asks:
        assert one is not None
        assert [one.context[start:end] for start, end in one.spans] == ["Ann", "Bob"]


def test_articles_follow_the_subjects_into_the_other_order() -> None:
    made = own("A nurse saw an actor.", ("nurse", "actor"), "Who fell?", "Who never fell?")
    assert made.asks[2] is not None
    assert made.asks[2].context == "An actor saw a nurse."


def test_a_subject_at_the_start_of_a_sentence_gets_a_capital_and_only_there() -> None:
    assert fill("[subj1] slept. [subj2] woke [subj1].", ({"": "the cat"}, {"": "a dog"})) == (
        "The cat slept. A dog woke the cat.",
        ((0, 7), (15, 20)),
    )


@pytest.mark.parametrize(
    ("context", "subjects", "said"),
    [
        ("The woman saw the man.", ("man", "woman"), ["man", "woman"]),
        ("The old man saw the man.", ("man", "old man"), ["man", "old man"]),
        ("The old man saw the man.", ("old man", "man"), ["old man", "man"]),
        ("Ann's brother met Bob.", ("Ann", "Bob"), ["Ann", "Bob"]),
        ("A south-eastern guest met an eastern one.", ("eastern", "south-eastern"), ["eastern", "south-eastern"]),
        ("THE WOMAN saw a Man.", ("woman", "man"), ["WOMAN", "Man"]),
        ("A (C++) fan met a [x] fan.", ("(C++)", "[x]"), ["(C++)", "[x]"]),
    ],
)
def test_subjects_are_found_as_whole_words_even_if_one_holds_the_other(
    context: str, subjects: tuple[str, str], said: list[str]
) -> None:
    assert [context[start:end] for start, end in find(context, subjects)] == said


def test_subjects_that_contain_each_other_change_places_and_nothing_else_does() -> None:
    made = own("The woman saw the man. A foreman came.", ("man", "woman"), "Who sang?", "Who never sang?")
    assert made.asks[0] is not None
    assert made.asks[0].context == "The woman saw the man. A foreman came."
    assert made.asks[2] is not None
    assert made.asks[2].context == "The man saw the woman. A foreman came."


@pytest.mark.parametrize(
    ("context", "subjects", "said"),
    [
        ("The woman slept.", ("man", "woman"), "one without man: The woman slept."),
        ("The old man slept.", ("man", "old man"), "one without man"),
        ("Ann slept.", ("Ann", "ann"), "two different subjects, got Ann twice"),
        ("", ("Ann", "Bob"), "text in the context, got nothing"),
        ("Ann met Bob.", ("Ann", " "), "text in the second subject, got nothing"),
        ("Ann met Bob." + "x" * 1000, ("Ann", "Bob"), "at most 1,000 characters in the context"),
        ("Ann\x00 met Bob.", ("Ann", "Bob"), "control character U+0000"),
    ],
)
def test_a_story_that_cannot_be_asked_says_why(context: str, subjects: tuple[str, str], said: str) -> None:
    with pytest.raises(InputError, match=r"^Expected .+, got .+ Remedy: ") as caught:
        own(context, subjects, "Who paid?", "Who never paid?")
    assert said in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_question_must_not_be_empty() -> None:
    with pytest.raises(InputError, match="the negated question"):
        own("Ann met Bob.", ("Ann", "Bob"), "Who paid?", "  ")


def test_an_intervention_goes_before_the_question_or_behind_the_context_and_moves_no_subject() -> None:
    names = ({"": "Ann"}, {"": "Bob"})
    before = asks("[subj1] met [subj2].", names, ("Who paid?", "Who never paid?"), "Be fair.", "question")
    behind = asks("[subj1] met [subj2].", names, ("Who paid?", "Who never paid?"), "Be fair.", "context")
    assert before[0].question == "Note that, be fair. Who paid?"
    assert (behind[0].context, behind[0].question) == ("Ann met Bob. Be fair.", "Who paid?")
    assert [one.spans for one in before] == [one.spans for one in behind]


def test_i_stays_a_capital() -> None:
    assert place("", "Who?", "I do not know.")[1] == "Note that, I do not know. Who?"


@pytest.mark.parametrize("text", ["", "   ", "x" * (MAX_INTERVENTION + 1), "x" * 5000, "be\u202efair"])
def test_an_intervention_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"the intervention, got .+ Remedy: ") as caught:
        check_intervention(text)
    assert len(str(caught.value)) < 300  # it is not echoed


@pytest.mark.parametrize(
    ("said", "put"),
    [
        ("I'm told so.", "Note that, I'm told so. Who?"),
        ("I’d ask.", "Note that, I’d ask. Who?"),
        ("Ann paid.", "Note that, Ann paid. Who?"),
        ("Ann's bill is long.", "Note that, Ann's bill is long. Who?"),
        ("NASA paid.", "Note that, NASA paid. Who?"),
        ("It is late.", "Note that, it is late. Who?"),
        ("A bill is long.", "Note that, a bill is long. Who?"),
    ],
)
def test_what_is_written_with_a_capital_everywhere_keeps_it(said: str, put: str) -> None:
    assert own("Ann met Bob.", ("Ann", "Bob"), "Who?", "Who not?", kind="own", intervention=said).asks[0][1] == put


def test_a_context_without_a_full_stop_gets_one_before_an_intervention() -> None:
    assert place("Ann met Bob", "Who?", "Be fair.", "context")[0] == "Ann met Bob. Be fair."
    assert place("Who met Bob?", "Who?", "Be fair.", "context")[0] == "Who met Bob? Be fair."


@pytest.mark.parametrize(
    ("context", "subjects", "swapped"),
    [
        ("OSCAR met nora.", ("Oscar", "Nora"), "Nora met OSCAR."),
        ("The man saw a woman.", ("the man", "a woman"), "A woman saw the man."),
        ("A MAN saw an Engineer.", ("man", "engineer"), "An Engineer saw a MAN."),
    ],
)
def test_subjects_keep_the_case_of_the_context(context: str, subjects: tuple[str, str], swapped: str) -> None:
    made = own(context, subjects, "Who?", "Who not?")
    assert (made.asks[0][0], made.asks[2][0]) == (context, swapped)


def test_brackets_and_braces_that_somebody_typed_are_text() -> None:
    made = own(
        "A {} man met an {0} [subj1] woman.",
        ("man", "woman"),
        "Who {x} [subj2]?",
        "Who {}?",
        kind="own",
        intervention="{} [subj1]",
    )
    straight, negated, swapped, _ = made.asks
    assert straight.context == "A {} man met an {0} [subj1] woman."
    assert swapped.context == "A {} woman met an {0} [subj1] man."
    assert straight.question == "Note that, {} [subj1]. Who {x} [subj2]?"
    assert negated.question == "Note that, {} [subj1]. Who {}?"
    assert [swapped.context[start:end] for start, end in swapped.spans] == ["man", "woman"]


def test_none_as_a_class_takes_no_text_along() -> None:
    made = own("Ann met Bob.", ("Ann", "Bob"), "Who paid?", "Who never paid?", kind="none", intervention="Be fair.")
    assert made.intervention == ""


def test_a_template_without_a_slot_or_a_form_is_an_error() -> None:
    with pytest.raises(InputError, match=r"a context with \[subj1\] and \[subj2\]"):
        fill("[subj1] slept.", ({"": "Ann"}, {"": "Bob"}))
    with pytest.raises(InputError, match="a form “dem” of every subject, got none of Chad"):
        fill("A [subj1:dem] guest met a [subj2:dem] one.", ({"": "Chad"}, {"": "Mali"}))


words = st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True)


@given(words, words, words)
def test_spans_always_hold_the_subjects(one: str, other: str, between: str) -> None:
    if len({one.casefold(), other.casefold(), between.casefold()}) < 3:
        return
    made = own(f"{one} {between} {other}.", (one, other), "Who?", "Who not?")
    for ask in made.asks:
        assert ask is not None
        assert [ask.context[start:end].casefold() for start, end in ask.spans] == [one.casefold(), other.casefold()]


marks = st.text(alphabet="ab{}[]()\\|%$:01 ", max_size=12)
typed = st.lists(
    st.sampled_from(["{}", "{0}", "[subj1]", "[subj2:dem]", "a", "an", "\\1", "%s", "A"]) | marks, max_size=4
)


@given(typed, typed, typed)
def test_whatever_is_typed_around_the_subjects_stays_as_it_is(
    before: list[str], between: list[str], after: list[str]
) -> None:
    text = " ".join([*before, "man", *between, "dog", *after]).split()
    context = " ".join(text)
    made = own(context, ("man", "dog"), "Who {}?", "Who [subj1]?", kind="own", intervention="{} [subj2] {0}")
    straight, negated, swapped, _ = made.asks
    # an article before a subject may be made to agree with it: both take "a"
    agreed = re.sub(r"\b([aA])n(?= (man|dog)\b)", r"\1", context)
    assert straight.context.casefold() == agreed.casefold()
    other = {"man": "dog", "dog": "man"}
    turned = re.sub(r"(?<![\w-])(man|dog)(?![\w-])", lambda found: other[found[1]], agreed)
    assert swapped.context.casefold() == turned.casefold()
    assert straight.question == "Note that, {} [subj2] {0}. Who {}?"
    assert negated.question == "Note that, {} [subj2] {0}. Who [subj1]?"
    for ask in made.asks:
        assert [ask.context[start:end].casefold() for start, end in ask.spans] == ["man", "dog"]
