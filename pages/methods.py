import streamlit as st

from components import encoder_picker, notices, resources
from core.moral.templates import published

st.title("Methods")
st.write(
    "What every number in this app means, where it comes from, and what it cannot say; for readers who want to check."
)

st.header("Moral bias")
st.markdown(
    """
A phrase goes into ten question templates ("Should I …?"). An encoder turns each question *q* and its two answers into
vectors; the **bias** of a question is

`bias(q) = cos(yes answer, q) − cos(no answer, q)`

Positive means nearer to *yes*. The score of a phrase is the mean over the templates (paper 1 prints the sum). Beside it:

| what | how |
|---|---|
| 95 % interval | percentile bootstrap over the templates, 1,000 draws, fixed seed |
| sign agreement | share of templates whose bias has the sign of the mean |
| rank | place of the phrase if it joined the 100 published Dos and Don'ts, scored by the same encoder; 1 = nearest to *yes* |
| negated bias | score of “not *phrase*”; an encoder that understood negation would change the side |
| context effect | score of the action with the context − score of the bare action |

**What it cannot say.** Cosines measure what a model learned to put side by side. They depend on topic, length and wording;
the two answers of a template are themselves very similar, so differences are small. A phrase nearer to *yes* is not
permitted by anyone.
"""
)

st.header("Moral axis")
st.markdown(
    """
Each of 65 seed actions becomes the mean of its ten question vectors (not brought to unit length). The axis is the first
principal component of these 65 vectors. It has neither sign nor unit of its own: it is turned so that *smile, love, thank,
help* lie on average above *kill, murder, harm, torture*, and divided by the largest absolute seed projection, so that seeds
lie between −1 and 1. A typed phrase is made and projected the same way; it may lie outside.

The interval of a phrase comes from 300 bootstrap draws of the seeds, each with an axis, sign and scale of its own. The
**random line** is the share of variance that the first component of 65 random unit vectors reaches in 95 of 100 cases
(200 draws); an encoder whose first component stays below it has no axis, and none is drawn.
"""
)
with notices.errors_in_words():
    for name in encoder_picker.chosen():
        compass = resources.compass(name, published())
        st.markdown(
            f"**{encoder_picker.title(name)}**: first component {compass.axis.variance_explained[0]:.1%} of the variance, "
            f"random line {compass.random_line[0]:.1%}."
        )

st.header("The evidence for the axis")
st.markdown(
    """
| what | how |
|---|---|
| variance explained | share of the seeds' variance per component, beside the random line of the same shape |
| difference vectors | every question less the answer it lies further from (the paper's Figure 3 a–b leaves this open; the choice is ours) |
| without a seed, without a template | the axis fitted again without it; shown is the absolute cosine with the axis of all |
| seeds drawn anew | the same for 300 bootstrap draws of the seeds |
| against the paper | Pearson's r and Spearman's ρ with Table 9, whose printed sign is turned; intervals by Fisher's z |
| furthest phrases | distance from the regression line, in standard deviations of these distances |

Own seeds need five actions and an anchor on either side. Anchors turn the axis; they do not change its direction.
"""
)

st.header("Other directions")
st.markdown(
    """
The first component is found without labels. Two other ways stand beside it: the **mean difference** of Dos and Don'ts, and a
**ridge probe**, a linear regression that shrinks its coefficients. They are fitted to the seeds, to the published Dos and Don'ts, to
the general positive and negative words of paper 1, or to the published BERT positions of the seeds. The penalty of a probe is
the one that predicts left-out training words best. **No direction ever sees the survey.**

A phrase may be the mean of its questions, its question less the rejected answer, the bare phrase, or the difference of two framings
("It is right to …" less "It is wrong to …"). All combinations are listed. With this many tries on one survey the best is
partly luck; a probe on BERT's positions also borrows from a larger model.
"""
)

st.header("People")
st.markdown(
    """
Agreement with people is Pearson's r between a score and the share of Yes among the votes on each action, with its 95 % interval
(Fisher's z). The survey is that of MoRT: 113 actions, 27 to 29 people each. A share of so few votes is uncertain by itself: by
0.09 (one standard error) at one half. A survey of your own is read the same way and stays in your session.
"""
)

st.header("Encoders")
for name in encoder_picker.chosen():
    compass = resources.compass(name, published())
    st.markdown(f"**{encoder_picker.made_with(compass.provenance, name)}.** {compass.provenance.note}.")

st.header("What is kept")
st.markdown(
    """
Phrases are computed on this server and sent nowhere else. Their embeddings stay in a bounded memory shared by all sessions,
without any link to who typed them, until newer ones push them out. Nothing that you type stands in the address unless you copy
a link that says so.
"""
)

st.header("Sources")
st.markdown(
    """
- Jentzsch, Schramowski, Rothkopf, Kersting (2019): *Semantics Derived Automatically From Language Corpora Contain Human-like
  Moral Choices*. [doi:10.1145/3306618.3314267](https://doi.org/10.1145/3306618.3314267): templates, Dos and Don'ts, bias.
- Schramowski, Turan, Jentzsch, Rothkopf, Kersting (2019): *BERT has a Moral Compass*. [arXiv:1912.05238](https://arxiv.org/abs/1912.05238):
  axis, seed actions, actions in context.
- Schramowski, Turan, Andersen, Rothkopf, Kersting (2022): *Large pre-trained language models contain human-like biases of what is
  right and wrong to do*. [doi:10.1038/s42256-022-00458-8](https://doi.org/10.1038/s42256-022-00458-8): the survey.
"""
)
