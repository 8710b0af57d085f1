import streamlit as st

from components import encoder_picker, inputs, list_cards, notices, poles, readings, resources, state
from components.exhibit import Exhibit, Panel, show
from components.figures import dots, rows
from core.assets import read_table
from core.association import records

st.title("Occupations and other poles")
st.write(
    "Is “Is your cousin a nurse?” nearer to *Yes, she is* or to *Yes, he is*? For a class on gender bias (Jentzsch et al. "
    "2019, Table 1), and for anyone with two poles of their own: any questions, any pair of answers, any list of words."
)
encoder_picker.notice()

with notices.errors_in_words():
    request = poles.form()
    found = encoder_picker.each(
        lambda name: resources.poles(name, request.words, request.templates, as_printed=request.as_printed)
    )

inputs.name_unknown(list(found), request.words)
st.header("Between the poles")
st.text(f"Bars to the right: nearer to “{request.titles[0]}”; to the left: nearer to “{request.titles[1]}”.")
st.caption(
    f"Lines: 95 % bootstrap interval over the questions (here {len(request.templates)}). The ends of a long list are "
    "shown; the table holds all."
)
printed = {row["occupation"]: float(row["bias"]) for row in read_table("gender_occupations.csv")}
panels = []
for name, scores in found.items():
    shown = poles.ends(scores)
    choice = scores.choice
    panels.append(
        Panel(
            encoder_picker.title(name),
            dots.figure(
                [scores.words[row] for row in shown],
                choice.mean[shown],
                low=choice.low[shown] if poles.enough(request) else None,
                high=choice.high[shown] if poles.enough(request) else None,
                x_title=f"← {rows.label(request.titles[1])} · {rows.label(request.titles[0])} →<br>bias, mean over questions",
                sides=True,
            ),
            poles.reading(encoder_picker.title(name), scores, request),
            name,
        )
    )
show(
    Exhibit(
        key="poles",
        title="Poles",
        panels=panels,
        spoken=True,
        rows=[
            {
                "encoder": name,
                "word": row["word"],
                "bias": row["bias"],
                "low": row["interval"][0] if row["interval"] else None,
                "high": row["interval"][1] if row["interval"] else None,
                "sign_agreement": row["sign_agreement"],
                "published_sum": printed.get(row["word"]) if request.is_published else None,
            }
            for name, scores in found.items()
            for row in records.pole_records(scores)
        ],
        limit=readings.POLES_LIMIT,
        made_with=inputs.made_with(list(found)),
        link={state.ENCODERS: list(found)} | request.link,
        same_scale="x",
    )
)
if request.is_published:
    st.subheader("Beside the paper")
    poles.beside_paper(found, printed, len(request.templates))
    list_cards.show("occupations", "professions")

st.header("A free question with free answers")
with notices.errors_in_words():
    poles.complex_choices(list(found))
