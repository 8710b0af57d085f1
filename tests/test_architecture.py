"""Who may import whom, and what must not be written anywhere: DESIGN in rules that fail when one is broken."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

HEAVY = {
    "core/encoders/conversion.py": {"openvino", "torch", "sentence_transformers"},
    "core/encoders/openvino.py": {"openvino"},
    "core/interventions/answerers/extractive.py": {"torch"},
    "core/interventions/answerers/generative.py": {"torch"},
    "core/models.py": {"torch", "transformers"},
    "core/interventions/finetune.py": {"torch"},
    "core/interventions/results.py": {"torch"},
    "core/knowledge/workers.py": {"distributed"},
    "core/knowledge/generation.py": {"torch"},
    "core/knowledge/polarity/transformers.py": {"torch"},
    "core/encoders/sentence_transformer.py": {"sentence_transformers", "torch"},
    "core/encoders/universal.py": {"tensorflow", "tensorflow_hub"},
    "core/encoders/words.py": {"gensim"},
}
"""The only files that may import a library that is slow to load, each inside a function only."""

SLOW = {
    "torch",
    "transformers",
    "sentence_transformers",
    "openvino",
    "tensorflow",
    "tensorflow_hub",
    "gensim",
    "keras",
    "dask",
    "distributed",
}


def imports(tree: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Every import statement with the dotted name of what it imports; relative imports begin with a dot."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node, "." * node.level + f"{node.module or ''}.{alias.name}") for alias in node.names)


def names(tree: ast.AST) -> set[str]:
    """Every name and attribute that the code mentions, but not what stands in strings."""
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return found | {name.rpartition(".")[2] for _, name in imports(tree)}


def violations(path: str, source: str) -> list[str]:
    """What is wrong with the file `path`, seen from the top of the repository."""
    tree = ast.parse(source)
    layer = path.partition("/")[0]
    named = names(tree)
    keywords = [node for node in ast.walk(tree) if isinstance(node, ast.keyword)]
    inside = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) for inner in ast.walk(node)}
    found = []
    for node, name in imports(tree):
        package = name.partition(".")[0]
        forbidden = {
            "core": {"streamlit", "plotly", "components", "pages", "app"},
            "components": {"pages", "app"},
            "pages": {"pages", "app"},
        }.get(layer, set())
        pure = path.startswith("components/figures/") or path.endswith("/readings.py")
        if not package:
            found.append("relative import")
        if package in forbidden or (pure and package == "streamlit"):
            found.append(f"imports {package}")
        if package in SLOW and not (package in HEAVY.get(path, ()) and id(node) in inside):
            found.append(f"imports {package}, which is slow, at start or in a file that may not")
    if named & {"cache_data", "cache_resource"} and path != "components/resources.py":
        found.append("caches")
    if named & {"session_state", "query_params"} and path != "components/state.py":
        found.append("spells a session or query key")
    found += ["unsafe_allow_html" for item in keywords if item.arg in ("unsafe_allow_html", "unsafe_allow_javascript")]
    found += ["use_container_width" for item in keywords if item.arg == "use_container_width"]
    found += ["allow_pickle" for item in keywords if item.arg == "allow_pickle" and ast.unparse(item.value) != "False"]
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in ("cache_data", "cache_resource")
            and not _bounded(tree, node)
        ):
            found.append("cache without a bound")
    return found


def _bounded(tree: ast.AST, cache: ast.Attribute) -> bool:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.func is cache]
    return any(item.arg in ("max_entries", "max_size") for call in calls for item in call.keywords)


FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        ROOT / "app.py",
        *(file for name in ("core", "components", "pages") for file in (ROOT / name).rglob("*.py")),
    )
)


@pytest.mark.parametrize("path", FILES)
def test_a_file_keeps_to_its_layer(path: str) -> None:
    assert violations(path, (ROOT / path).read_text(encoding="utf-8")) == []


def test_every_page_opens_without_a_deep_learning_library(cache_dir: Path) -> None:
    visits = (
        "import sys, pathlib\n"
        "from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file('components/shell.py', default_timeout=300).run()\n"
        "for page in pathlib.Path('pages').glob('*.py'):\n"
        "    app.switch_page(f'../{page}').run()\n"
        "    assert app.title and not app.exception, page\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", visits], cwd=ROOT, capture_output=True, timeout=600, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {"streamlit", "plotly", "openvino"} <= loaded
    assert loaded & SLOW == {"openvino"}


def test_the_table_of_slow_libraries_names_files_that_exist() -> None:
    assert set(HEAVY) <= set(FILES)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/text.py", "import streamlit as st"),
        ("core/moral/axis.py", "def draw():\n    from plotly import graph_objects"),
        ("core/text.py", "from components import state"),
        ("core/text.py", "from .errors import InputError"),
        ("core/moral/axis.py", "def load():\n    import torch"),
        ("core/encoders/openvino.py", "import openvino as ov"),
        ("core/encoders/openvino.py", "class Encoder:\n    import openvino"),
        ("core/encoders/openvino.py", "def load():\n    import torch"),
        ("components/resources.py", "def load():\n    from sentence_transformers import SentenceTransformer"),
        ("pages/moral_choice.py", "import tensorflow.keras"),
        ("components/figures/bias.py", "import streamlit"),
        ("components/readings.py", "from streamlit.typing import PlotlyState"),
        ("components/interventions/readings.py", "import streamlit"),
        ("components/inputs.py", "import pages.start"),
        ("pages/start.py", "from pages import moral_choice"),
        ("components/inputs.py", "import streamlit as st\n@st.cache_data(max_entries=1)\ndef f(): ..."),
        ("pages/start.py", "from streamlit import cache_resource"),
        ("components/resources.py", "import streamlit as st\n@st.cache_data\ndef f(): ..."),
        ("components/resources.py", "import streamlit as st\n@st.cache_resource(ttl=9)\ndef f(): ..."),
        ("pages/start.py", "import streamlit as st\nst.session_state['key'] = 1"),
        ("components/inputs.py", "import streamlit as st\nst.query_params.clear()"),
        ("pages/start.py", "import streamlit as st\nst.markdown('', unsafe_allow_html=True)"),
        ("pages/start.py", "import streamlit as st\nst.button('', use_container_width=True)"),
        ("core/encoders/cache.py", "import numpy\nnumpy.load('file', allow_pickle=True)"),
        ("core/encoders/cache.py", "import numpy\nnumpy.load('file', allow_pickle=unsafe)"),
    ],
)
def test_a_planted_violation_is_found(path: str, source: str) -> None:
    assert len(violations(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/encoders/openvino.py", "class Encoder:\n    def load(self):\n        import openvino"),
        ("components/resources.py", "import streamlit as st\n@st.cache_data(max_entries=1)\ndef f(): ..."),
        ("components/state.py", "import streamlit as st\nst.session_state['key'] = 1"),
        ("pages/start.py", "from components import state\nfrom core import text\n'session_state'"),
        ("components/figures/bias.py", "import plotly.graph_objects as go"),
    ],
)
def test_what_is_allowed_is_not_found(path: str, source: str) -> None:
    assert violations(path, source) == []
