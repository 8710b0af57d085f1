import numpy as np
import streamlit as st

from components import encoder_cards, encoder_picker, inputs, notices, readings, resources, state
from components.exhibit import Exhibit, Panel, show
from components.figures import dots
from core.assets import column

st.title("Encoders")
st.write(
    "Is that the text, or just this model? For a reader who asks so: what each encoder is, what it can and cannot do on the "
    "published phrases, and which of those chosen has the better compass (the argument of Schramowski et al. 2019)."
)
encoder_picker.notice()
st.header("What there is")
encoder_cards.catalogue()

with notices.errors_in_words():
    cards = encoder_picker.each(resources.health)
inputs.name_unknown(list(cards), [*column("mcm_verbs.csv", "verb"), *column("atomic_actions.csv", "action")])
titles = [encoder_picker.title(name) for name in cards]

st.header("Which encoder has the better compass?")
st.caption(
    "Three kinds of evidence, as Pearson's r with its 95 % interval: moral bias of the 100 published verbs with their published "
    "word associations; bias, and position on the moral axis, with the share of people who say Yes (where the survey is here). "
    "Further to the right is clearer. An axis counts only where its first component explains more than that of random vectors."
)
for name, card in cards.items():
    st.text(readings.health(encoder_picker.title(name), card))
measures = {
    "association": ("bias with published word associations", lambda card: card.weat),
    "people_bias": ("bias with people", lambda card: card.people_bias),
    "people_axis": ("axis with people", lambda card: card.people_axis),
}
panels = []
for title, of in measures.values():
    known = {name: r for name, card in cards.items() if (r := of(card)) is not None}
    if known:
        panels.append(
            Panel(
                title,
                dots.figure(
                    [encoder_picker.title(name) for name in known],
                    np.array([r.r for r in known.values()]),
                    low=np.array([r.low for r in known.values()]),
                    high=np.array([r.high for r in known.values()]),
                    x_title="← against it · with it →<br>Pearson's r",
                    x_range=(-1.0, 1.0),
                ),
                "; ".join(
                    readings.correlated(f"{encoder_picker.title(name)}, {title}", r) for name, r in known.items()
                ),
            )
        )
panels.append(
    Panel(
        "variance explained",
        dots.figure(
            [f"{title}: {what}" for title in titles for what in ("axis", "random line")],
            100 * np.array([value for card in cards.values() for value in (card.variance_explained, card.random_line)]),
            x_title="← noise · clearer →<br>% of the variance",
            x_range=(0.0, 110 * max(card.variance_explained for card in cards.values())),
        ),
        "; ".join(
            f"{title}: the first component explains {card.variance_explained:.1%}, random vectors {card.random_line:.1%}"
            for title, card in zip(titles, cards.values(), strict=True)
        ),
    )
)
show(
    Exhibit(
        key="compass",
        title="The better compass",
        panels=panels,
        rows=[encoder_cards.row(name, card) for name, card in cards.items()],
        limit=readings.COMPASS_LIMIT,
        made_with="; ".join(encoder_picker.made_with(card.provenance, name) for name, card in cards.items()),
        link={state.ENCODERS: list(cards)},
    )
)
st.header("Health cards")
for name, card in cards.items():
    encoder_cards.card(name, card)
