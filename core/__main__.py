"""``python -m core``."""

from core.cli import app

app(prog_name="python -m core")
