"""A reader's report: results put aside with everything needed to understand them later, as one file."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Rows = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class ReportItem:
    """One result as it stood on a page.

    Parameters
    ----------
    title : str
        What it shows.
    reading : str
        The takeaway in words, as in the alternative text of the figure.
    limit : str
        What the method cannot say.
    made_with : str
        Encoders, templates and their provenance.
    rows : tuple of dict
        The table behind the figure.
    figure : str
        The figure as Plotly JSON.
    link : str
        Address that opens the page the same way.
    """

    title: str
    reading: str
    limit: str
    made_with: str
    rows: Rows
    figure: str = field(repr=False)
    link: str = ""


def to_json(items: Sequence[ReportItem]) -> str:
    """The report as JSON: a list of items, the figures as Plotly's own structure.

    Examples
    --------
    >>> to_json([])
    '[]'
    """
    return json.dumps([{**asdict(item), "figure": json.loads(item.figure)} for item in items], ensure_ascii=False)


def to_html(items: Sequence[ReportItem], figures: Sequence[str], *, script: str) -> str:
    """The report as one page that needs nothing else, online or off.

    Parameters
    ----------
    items : sequence of ReportItem
        What to show; every text is escaped.
    figures : sequence of str
        HTML of each item's figure, without the Plotly library.
    script : str
        The Plotly library, put in once.

    Examples
    --------
    >>> "<b>" in to_html([ReportItem("<b>", "", "", "", (), "{}")], [""], script="")
    False
    """
    sections = "\n".join(_section(item, figure) for item, figure in zip(items, figures, strict=True))
    return _PAGE.format(script=script, sections=sections)


def _section(item: ReportItem, figure: str) -> str:
    e = html.escape
    return (
        f"<section><h2>{e(item.title)}</h2><p>{e(item.reading)}</p>{figure}{_SAVE}"
        f"<p class=limit>{e(item.limit)}</p>{_table(item.rows)}"
        f"<p class=made>{e(item.made_with)}</p><p class=made>{e(item.link)}</p></section>"
    )


def _table(rows: Rows) -> str:
    if not rows:
        return ""
    head = "".join(f"<th scope=col>{html.escape(str(name))}</th>" for name in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(value))}</td>" for value in row.values()) + "</tr>" for row in rows
    )
    return (
        f"<details><summary>Table</summary><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></details>"
    )


def _cell(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


_SAVE = (
    "<p class=made><button onclick=\"save(this, 'svg')\">Save figure as SVG</button> "
    "<button onclick=\"save(this, 'png')\">Save figure as PNG</button></p>"
)

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Moralscope report</title>
<style>
body {{ font-family: system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; line-height: 1.5 }}
section {{ border-top: 1px solid; padding-top: 1rem; margin-top: 2rem }}
table {{ border-collapse: collapse; font-size: .85rem }} th, td {{ border: 1px solid; padding: .2rem .5rem }}
details {{ overflow-x: auto }} .limit {{ font-style: italic }} .made {{ font-size: .85rem; overflow-wrap: anywhere }}
</style><script>{script}</script><script>
function save(button, format) {{
  const figure = button.closest("section").querySelector(".js-plotly-plot");
  Plotly.downloadImage(figure, {{ format, scale: format === "png" ? 2 : 1, filename: "moralscope" }});
}}
</script></head>
<body><h1>Moralscope report</h1>
<p>Scores describe how text encoders place phrases. They are not judgements of the phrases or of people.</p>
{sections}
</body></html>
"""
