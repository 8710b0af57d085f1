"""The command line: the same core as the page, for scripts and for lists that do not fit a form.

Exit code 0: done, 1: an input, a file or an encoder could not be used (the message says what to do), 2: a wrong call.
"""

from __future__ import annotations

import io
import sys

import typer

from core.cli import association, audit, data, encoders, knowledge, moral, polarity
from core.cli.interventions import finetune, interventions
from core.cli.shared import reports_errors

app = typer.Typer(
    name="python -m core",
    help="Moral and representational bias in text embeddings, from the command line.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _root() -> None:
    """Print any phrase, whatever the console's code page."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


for _command in (
    moral.score,
    moral.axis,
    moral.survey,
    association.weat,
    association.verbs,
    association.correlate,
    association.poles,
    knowledge.harms,
    knowledge.mitigate,
    audit.audit,
    polarity.polarity,
    interventions,
    finetune,
    encoders.encoders,
):
    app.command()(reports_errors(_command))
app.add_typer(data.app, name="data")
