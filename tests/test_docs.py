"""What is written down is true: examples run, names exist, everything public says what it is."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from core import cli
from core.assets import read_table

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SOURCES = (ROOT / "assets" / "SOURCES.md").read_text(encoding="utf-8")
TABLES = sorted(path.name for path in (ROOT / "assets").glob("*.csv"))
EXAMPLES = {
    "phrases.txt": "kill: people; time\n",
    "seeds.txt": "smile, do\nhelp, do\nread\nwalk\nharm, dont\nkill, dont\n",
    "votes.csv": "action,yes,no\nsmile,19,1\nread,18,3\nlie,4,15\nkill,0,21\nwalk,17,2\n",
    "rated.tsv": "0\tXYZ has a house\n1\tXYZ is kind\n-1\tXYZ is a cruel liar\n",
}
"""Files that the commands of the README name."""
MODULES = [path for layer in ("core", "components") for path in sorted((ROOT / layer).rglob("*.py"))]


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """The commands of its console blocks, without prompt and comment."""
    lines = [line.removeprefix("$ ") for block in blocks("console") for line in block.splitlines()]
    return [line for line in lines if line.startswith(("make ", "python "))]


@pytest.mark.parametrize("command", [line for line in commands() if line.startswith("python ")])
def test_a_command_of_the_readme_runs(command: str, tmp_path: Path, cache_dir: Path) -> None:
    for name, content in EXAMPLES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    _, *arguments = shlex.split(command, comments=True)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=300,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("command", [line for line in commands() if line.startswith("make ")])
def test_a_make_target_of_the_readme_exists(command: str) -> None:
    target = shlex.split(command, comments=True)[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_the_python_examples_of_the_readme_run() -> None:
    for block in blocks("python"):
        if ">>>" in block:
            example = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
            assert doctest.DocTestRunner().run(example).failed == 0
        else:
            exec(compile(block, "README.md", "exec"), {})


def test_files_that_the_readme_shows_or_links_exist() -> None:
    linked = [target for target in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in target]
    assert linked
    assert [target for target in linked if not (ROOT / target).exists()] == []


def test_paths_of_the_layer_table_exist() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|.*\|.*\|$", README, flags=re.MULTILINE)
    paths = [path for row in rows for path in re.findall(r"`([\w/]+(?:/|\.py))`", row)]
    assert {"app.py", "pages/", "components/", "core/", "tests/"} <= set(paths)
    assert [path for path in paths if not any((ROOT / top / path).exists() for top in ("", "components"))] == []


def test_settings_that_the_readme_names_are_read_somewhere() -> None:
    code = "".join(path.read_text(encoding="utf-8") for top in ("core", "tests") for path in (ROOT / top).rglob("*.py"))
    named = set(re.findall(r"MORALSCOPE_\w+", README))
    assert named
    assert {name for name in named if name not in code} == set()


def test_commands_of_the_command_line_stand_in_the_readme() -> None:
    groups = [(f"{group.name} ", group.typer_instance) for group in cli.app.registered_groups]
    names = [
        f"{group}{item.name or item.callback.__name__}"
        for group, commands in [("", cli.app), *groups]
        for item in commands.registered_commands
        if item.callback
    ]
    assert {"score", "data list"} <= set(names)
    assert [name for name in names if f"python -m core {name}" not in README] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_everything_public_says_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "the module has no docstring"
    assert [name for name, node in _public(tree) if not ast.get_docstring(node)] == []


def _public(
    scope: ast.Module | ast.ClassDef,
) -> list[tuple[str, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions and classes of a module, and methods of its classes, that do not begin with an underscore."""
    found = []
    for node in scope.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            found.append((node.name, node))
            found.extend(_public(node) if isinstance(node, ast.ClassDef) else [])
    return found


def test_a_missing_docstring_is_noticed() -> None:
    tree = ast.parse("def a(): ...\nclass B:\n    'b'\n    def c(self): ...\n    def _d(self): ...\ndef _e(): ...")
    assert [name for name, node in _public(tree) if not ast.get_docstring(node)] == ["a", "c"]


def test_the_registry_names_exactly_the_tables_that_ship() -> None:
    lines = (ROOT / "assets" / "REGISTRY").read_text(encoding="utf-8").splitlines()
    assert [line.split(" ")[0] for line in lines] == TABLES


@pytest.mark.parametrize("table", TABLES)
def test_a_table_says_where_it_comes_from_and_what_its_columns_mean(table: str) -> None:
    rows = read_table(table)
    section = re.search(rf"^## `{re.escape(table)}`: (\d+) .*?(?=^## |\Z)", SOURCES, flags=re.MULTILINE | re.DOTALL)
    assert section is not None
    assert int(section[1]) == len(rows)
    assert [name for name in rows[0] if name != "source" and not re.search(rf"`{name}`", section[0])] == []
    papers = {row["source"].partition(",")[0] for row in rows if "source" in row}
    assert [paper for paper in papers if f"| {paper} |" not in SOURCES] == []
