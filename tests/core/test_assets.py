from __future__ import annotations

from pathlib import Path

import pytest

from core.assets import column, read_table, write_registry
from core.errors import AssetError


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    (tmp_path / "fruit.csv").write_text('name,taste\napple,sweet\nlemon,"sour, very"\n', encoding="utf-8")
    write_registry(tmp_path)
    return tmp_path


def test_a_registered_table_is_read_by_column_name(shelf: Path) -> None:
    assert read_table("fruit.csv", root=shelf)[1] == {"name": "lemon", "taste": "sour, very"}


def test_a_table_that_changed_by_one_byte_is_refused_until_it_is_registered(shelf: Path) -> None:
    (shelf / "fruit.csv").write_text('name,taste\napple,Sweet\nlemon,"sour, very"\n', encoding="utf-8")
    with pytest.raises(AssetError, match=r"make registry"):
        read_table("fruit.csv", root=shelf)
    write_registry(shelf)
    assert read_table("fruit.csv", root=shelf)[0]["taste"] == "Sweet"


@pytest.mark.parametrize("name", ["pear.csv", "../fruit.csv"])
def test_a_table_that_is_not_registered_is_not_read(shelf: Path, name: str) -> None:
    (shelf / "pear.csv").write_text("name\npear\n", encoding="utf-8")
    with pytest.raises(AssetError, match="no such file"):
        read_table(name, root=shelf)


def test_a_folder_without_a_registry_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="install the app again"):
        read_table("fruit.csv", root=tmp_path)


@pytest.mark.parametrize(
    ("table", "field", "wanted", "count"),
    [
        ("mcm_verbs.csv", "verb", {"side": "do"}, 50),
        ("mcm_verbs.csv", "verb", {"side": "dont"}, 50),
        ("atomic_actions.csv", "action", {}, 65),
        ("context_actions.csv", "phrase", {}, 56),
        ("moral_axis.csv", "m", {"encoder": "bert", "kind": "atomic"}, 65),
        ("moral_axis.csv", "m", {"encoder": "use", "kind": "context"}, 56),
        ("question_templates.csv", "question", {"kind": "moral"}, 10),
        ("question_templates.csv", "question", {"kind": "gender"}, 4),
    ],
)
def test_the_shipped_tables_hold_as_many_items_as_the_papers_print(
    table: str, field: str, wanted: dict[str, str], count: int
) -> None:
    items = column(table, field, **wanted)
    assert len(items) == count
    assert all(items)
