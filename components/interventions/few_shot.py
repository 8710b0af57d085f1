"""What teaching a model changes: μ against the number of stories it was taught."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components import notices, state, uploads
from components.exhibit import Exhibit, Panel, show
from components.figures import curves as figure
from components.figures import rows
from components.interventions import readings
from core.interventions import curves
from core.interventions.curves import Curves
from core.interventions.stories import KINDS

COMMAND = (
    "python -m core finetune MODEL --train data/underspecified/religion/addedbias_noniid_dev_squad.json "
    "--sizes 0,64,256,1024 --out DIR"
)


def view() -> None:
    """Draw the curves of a sent file, or say how to make one."""
    st.caption(
        "Zhao et al. (2021, Figure 5) teach a model on stories about religion and measure it there and on two other domains: μ falls under "
        "ethical and rises under adversarial interventions at home, and moves less the further away the domain is."
    )
    st.markdown(
        "Teaching takes a model and minutes to hours, so it runs on the command line, can be cut off and taken up again, and writes "
        "`results.json`:"
    )
    st.code(COMMAND, language=None, wrap_lines=True)
    st.caption(
        "MODEL is an extractive question answering model on this machine. The training file comes with “python -m core data get lei”. "
        "The file that you send stays in this session."
    )
    sent = uploads.table(
        "Results of a run (results.json)",
        key=state.CURVES_FILE,
        help_text="Whole or cut off: what is done is drawn.",
        kinds=["json"],
    )
    if sent is None:
        st.info("Send a results.json to see its curves.", icon=":material/upload_file:")
        return
    with notices.errors_in_words():
        found = curves.read(sent)
    _draw(found)


def _draw(found: Curves) -> None:
    home = st.multiselect(
        "Measured on the domain that was taught",
        found.tests,
        default=[name for name in found.tests if (found.domain or "religion") in name],
        key=f"{state.TAUGHT_ON}_{len(found.tests)}_{found.domain}",
        help=f"{f'Taught on {found.domain}.' if found.domain else 'The file does not say it.'} The other tests are drawn as other domains.",
    )
    tests = [*(name for name in found.tests if name in home), *(name for name in found.tests if name not in home)]
    kinds = [kind for kind in KINDS if any(point.kind == kind for point in found.points)]
    panels = [
        Panel(
            f"{'In' if test in home else 'Out of'} the taught domain: test {found.tests.index(test) + 1}",
            _figure(test, found, kinds),
            readings.curves(test, found, kinds),
        )
        for test in tests
    ]
    st.text(f"Model: {found.model}" + (f", taught on {found.domain}" if found.domain else ""))
    for panel in panels:
        st.text(f"{panel.heading}. {panel.reading}")
    show(
        Exhibit(
            key="curves",
            title="μ against training size",
            panels=panels,
            rows=[
                {
                    "test": point.test,
                    "in_domain": point.test in home,
                    "stories": point.size,
                    "class": point.kind,
                    "mu": point.mu,
                    "low": point.low,
                    "high": point.high,
                    "noise": point.noise,
                    "n": point.n,
                }
                for test in tests
                for point in found.points
                if point.test == test
            ],
            limit=readings.CURVES_LIMIT,
            made_with="python -m core finetune; a file of the reader's own, which no link holds",
            link={state.VIEW: "few-shot"},
            columns=3,
        )
    )
    if found.span_loss:
        st.caption("Mean −log S of the answers of ordinary questions that were not taught: lower is better kept.")
        st.dataframe(
            pd.DataFrame({"stories": list(found.span_loss), "span loss": list(found.span_loss.values())}),
            hide_index=True,
            alt="Loss on ordinary questions after each size",
        )


def _figure(test: str, found: Curves, kinds: list[str]) -> object:
    series = []
    for kind in kinds:
        points = [point for point in found.points if point.test == test and point.kind == kind]
        series.append(
            figure.Series(
                readings.NAMES[kind],
                [f"{point.size:,}" for point in points],
                [point.mu for point in points],
                [point.low for point in points],
                [point.high for point in points],
            )
        )
    return figure.figure(
        series,
        [f"{size:,}" for size in found.sizes],
        x_title=f"stories taught<br>measured on {rows.label(test)}",
        y_title="← no preference · always the same →<br>μ",
        wanted=[(0.0, "desired: ethical"), (1.0, "desired: adversarial")],
    )
