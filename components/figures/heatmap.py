"""Numbers on both sides of 0 by row and column, in colours and, where there is room, in figures."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from components.figures import rows


def figure(
    values: Sequence[Sequence[float | None]],
    columns: Sequence[str],
    names: Sequence[str],
    *,
    title: str,
    limit: float,
    digits: int = 3,
    above: bool = False,
) -> go.Figure:
    """Draw values; what is None stays empty.

    Parameters
    ----------
    values : sequence of sequences of float or None
        One inner sequence for each of `names`, from top to bottom.
    columns, names : sequence of str
        Headings of the columns and of the rows.
    title : str
        What is shown, and the names of both ends of the scale.
    limit : float
        End of the colour scale on both sides, so that colours mean the same in figures side by side.
    digits : int
        Decimals in the cells.
    above : bool
        Write the name of a row above it: for long names, which would take the width of a phone.
    """
    height, gap = (50, 22) if above else (44, 2)
    labels = [
        {
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": row - 0.5,
            "yanchor": "middle",
            "text": rows.label(name),
            "showarrow": False,
        }
        for row, name in enumerate(names)
    ]
    heatmap = {
        "type": "heatmap",
        "z": values,
        "coloraxis": "coloraxis",
        "texttemplate": f"%{{z:+.{digits}f}}",
        "hoverongaps": False,
        "hovertemplate": "%{z:+.3f}<extra></extra>",
        "xgap": 2,
        "ygap": gap,
    }
    layout = {
        "annotations": labels if above else [],
        "height": height * len(names) + 150,
        "margin": {"l": 8, "r": 8, "t": 30, "b": 70},
        "dragmode": False,
        "coloraxis": {
            "autocolorscale": True,  # the theme's diverging palette, since the range lies on both sides of 0
            "cmin": -limit,
            "cmax": limit,
            "colorbar": {
                "title": {"text": title, "side": "top"},
                "orientation": "h",
                "y": -24 / (height * len(names) + 50),  # the same distance below few rows and many
                "yanchor": "top",
                "thickness": 12,
                "nticks": 5,
            },
        },
        "xaxis": {
            "tickvals": list(range(len(columns))),
            "ticktext": [rows.label(text) for text in columns],
            "autotickangles": [0, -45, -90],  # to the right, where there is room
            "side": "top",
            "showgrid": False,
            "automargin": True,
        },
        "yaxis": {
            "tickvals": list(range(len(names))),
            "ticktext": [rows.label(text) for text in names],
            "range": [len(names) - 0.5, -0.8 if above else -0.5],
            "visible": not above,
            "showgrid": False,
            "automargin": True,
        },
    }
    return go.Figure(data=[heatmap], layout=layout)
