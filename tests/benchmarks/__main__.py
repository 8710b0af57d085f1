"""Measure every figure, or those named, each file in a process of its own."""

from __future__ import annotations

import subprocess
import sys

FILES = (
    "startup",
    "rerun",
    "memory",
    "scoring",
    "axis",
    "association",
    "interventions",
    "encoders",
    "audit",
    "knowledge_page",
)

named = sys.argv[1:] or FILES
if unknown := set(named) - set(FILES):
    sys.exit(f"Expected one of {', '.join(FILES)}, got {', '.join(sorted(unknown))}.")
failed = [name for name in named if subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}"]).returncode]
if failed:
    sys.exit(f"Could not be measured: {', '.join(failed)}.")
