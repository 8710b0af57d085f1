"""Pure Plotly builders, one file per subject: results in, a figure out. Colours come from the theme.

Traces are added in the order of the theme's categories: Do side, Don't side, phrases.
"""
