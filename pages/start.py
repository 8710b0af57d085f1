import streamlit as st

from components import encoder_picker, inputs, notices, readings, resources
from components.figures import bias, scales
from core.moral.templates import published
from core.text import parse_lines

EXAMPLE = parse_lines("help: old people; a machine\ntravel: by train\nbreak a promise\nsmile")

st.title("What do text encoders put side by side?")
st.write(
    "Moralscope shows **moral and representational bias** in text embeddings: for a class, for a curious visitor, for "
    "ten minutes before a decision. It asks an encoder questions like “Should I …?”, measures whether they lie nearer "
    "to *Yes* or to *No*, and puts beside every number how sure it is and what it does not mean."
)
encoder_picker.notice()

st.header("Three tours, one click each")
tours = (
    (
        "Does context matter?",
        "The same verb with people, with time, with a killer: what a context does to a score.",
        inputs.EXAMPLES["kill, in context"],
        ["bundled"],
    ),
    (
        "Does a better encoder have a better compass?",
        "The same phrases, read as whole sentences and as mere bags of words.",
        inputs.EXAMPLES["everyday"],
        ["bundled", "static"],
    ),
    (
        "Does it understand “not”?",
        "Phrases with and without “not”: why a score alone misleads.",
        "help my friend\nnot help my friend\nlie\nnot lie\nsmile\nnot smile",
        ["bundled"],
    ),
)
columns = st.columns(len(tours), gap="medium")
for column, (title, text, lines, encoders) in zip(columns, tours, strict=True):
    with column.container(border=True, height="stretch"):
        st.markdown(f"**{title}**")
        st.write(text)
        if st.button("Open this tour", key=f"tour_{title}", help=title, on_click=inputs.tour, args=(lines, encoders)):
            st.switch_page("../pages/moral_choice.py", query_params={})  # None is an error where one is bound

st.header("An example, computed just now")
with notices.errors_in_words():
    found = encoder_picker.each(lambda name: resources.scores(name, published(), EXAMPLE.texts))
x_range = scales.union(bias.extent(compass, scores, factor=1.0) for compass, scores in found.values())
columns = st.columns(min(2, len(found)), gap="medium")
for place, (name, (compass, scores)) in enumerate(found.items()):
    with columns[place % len(columns)]:
        st.markdown(f"**{notices.plain(encoder_picker.title(name))}**")
        st.plotly_chart(
            bias.figure(compass, scores, shown=range(len(EXAMPLE.texts)), factor=1.0, x_range=x_range),
            key=f"figure_start_{place}",
            alt=readings.bias_figure(encoder_picker.title(name), scores),
            config={"displayModeBar": False},
        )
inputs.name_unknown(list(found), EXAMPLE.texts)
st.caption(f"Each circle is one of ten questions, the diamond their mean with a 95 % interval. {readings.CHOICE_LIMIT}")

st.header("What this is built on")
st.markdown(
    """
- *Moral Choice Machine*: Jentzsch, Schramowski, Rothkopf, Kersting (2019), [doi:10.1145/3306618.3314267](https://doi.org/10.1145/3306618.3314267)
- *BERT has a Moral Compass*: Schramowski, Turan, Jentzsch, Rothkopf, Kersting (2019), [arXiv:1912.05238](https://arxiv.org/abs/1912.05238)
- *Lawyers are Dishonest?*: Mehrabi, Zhou, Morstatter, Pujara, Ren, Galstyan (2021), [arXiv:2103.11320](https://arxiv.org/abs/2103.11320)
- *Ethical-Advice Taker*: Zhao, Khashabi, Khot, Sabharwal, Chang (2021), [arXiv:2106.01465](https://arxiv.org/abs/2106.01465)
"""
)
