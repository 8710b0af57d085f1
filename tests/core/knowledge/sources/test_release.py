"""The released files with their defects, in small files of the same formats, and as they are where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import AssetError, InputError
from core.knowledge.sources import open_source
from core.knowledge.sources.release import (
    published_regard,
    read_comet,
    read_conceptnet,
    read_csg,
    read_genericskb,
    read_regard,
    repair,
)
from core.knowledge.sources.source import PUBLISHED, Source
from core.knowledge.targets import key, published


def file(folder: Path, text: str, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8"))
    return path


def rows(source: Source, *columns: str) -> list[tuple[str, ...]]:
    return [tuple(row) for row in source.statements.frame[list(columns)].astype(object).to_numpy().tolist()]


TRIPLES = (
    "librarian AtLocation library\n"
    "Poet RelatedTo female_poet\n"
    "doctor RelatedTo nurse\n"
    "doctor RelatedTo nurse\n"
    "doctor ExternalURL en.example.org\n"
    "doctor dbpedia medicine\n"
    "manhole IsA hole\n"
    "france RelatedTo g\u00c3\u00a9o\u00c2\u0085graphie\n"
    "doctor RelatedTo  nurse\n"
    "woman Synonym woman\n"
)


def test_a_triple_belongs_to_the_targets_that_its_ends_equal(tmp_path: Path) -> None:
    found = read_conceptnet(file(tmp_path, TRIPLES))
    assert rows(found, "id", "target") == [
        ("1", "librarian"),
        ("2", "poet"),
        ("3", "doctor"),
        ("3", "nurse"),
        ("4", "doctor"),
        ("4", "nurse"),
        ("8", "France"),
        ("10", "woman"),
    ]
    assert rows(found, "statement", "masked", "relation")[:2] == [
        ("librarian is located at library", "this person is located at library", "AtLocation"),
        ("Poet is related to female poet", "this person is related to this person this person", "RelatedTo"),
    ]


def test_what_a_triple_file_leaves_out_is_counted(tmp_path: Path) -> None:
    report = read_conceptnet(file(tmp_path, TRIPLES)).report
    assert (report.rows, report.used, report.skipped, report.without_target) == (10, 6, 2, 1)
    assert (report.malformed.first, report.repeated) == ((9,), 2)


def test_a_next_line_character_ends_no_line_and_a_text_is_repaired_where_it_is_shown_only(tmp_path: Path) -> None:
    found = read_conceptnet(file(tmp_path, TRIPLES)).statements.frame.loc[6]
    assert found["statement"] == "france is related to g\u00c3\u00a9o\u00c2\u0085graphie".encode("latin-1").decode()
    assert "g\u00c3\u00a9o\u00c2\u0085graphie" in found["masked"]


def test_a_no_break_space_separates_no_parts(tmp_path: Path) -> None:
    found = read_conceptnet(file(tmp_path, "poet RelatedTo \u00c3\u00a0\u00a0la\n"))
    assert (len(found.statements), found.report.malformed.first) == (1, ())


def test_a_file_without_targets_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="1 record\\(s\\), of which none does"):
        read_conceptnet(file(tmp_path, "cat IsA animal\n"))


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"poet RelatedTo caf\xe9\n")
    with pytest.raises(InputError, match="0xe9"):
        read_conceptnet(tmp_path / "file")


@pytest.mark.parametrize("end", ["\n", ""])
def test_what_is_written_back_is_the_file_without_the_dropped_lines(tmp_path: Path, end: str) -> None:
    text = TRIPLES.rstrip("\n") + end
    found = read_conceptnet(file(tmp_path, text))
    found.original.write(tmp_path / "all", np.ones(10, dtype=np.bool_))
    assert (tmp_path / "all").read_bytes() == (tmp_path / "file").read_bytes()
    found.original.write(tmp_path / "out" / "last", np.arange(10) == 9)
    assert (tmp_path / "out" / "last").read_text(encoding="utf-8") == "woman Synonym woman" + end


@pytest.fixture
def regard(tmp_path: Path) -> Path:
    """Labelled files of all targets, but most of them empty."""
    for name in published().names:
        file(tmp_path, "", key(name).replace(" ", "_"))
    file(tmp_path, "0\tthis person is located at library\n-1\tthis person is rude\n", "librarian")
    file(tmp_path, "1\tthis person is kind\n2\tnonthis person x\u0085y\nbroken line\n", "poet")
    file(tmp_path, "0\tno target\n", "trinity")
    return tmp_path


def test_labelled_files_are_read_by_the_list_of_targets(regard: Path) -> None:
    found = read_regard(regard)
    assert rows(found, "id", "target", "statement") == [
        ("librarian:1", "librarian", "this person is located at library"),
        ("librarian:2", "librarian", "this person is rude"),
        ("poet:1", "poet", "this person is kind"),
        ("poet:2", "poet", "nonthis person x\u0085y"),
    ]
    assert found.labels[PUBLISHED].tolist() == [0, -1, 1, 2]
    assert len(found.statements.targets) == 329
    assert found.report.malformed.first == (5,)


def test_published_labels_are_looked_up_and_never_guessed(regard: Path) -> None:
    classifier = published_regard(read_regard(regard))
    assert classifier.label(["this person is rude", "this person is kind"]).tolist() == [-1, 1]
    with pytest.raises(InputError, match="1 of 2 that it does not hold"):
        classifier.label(["this person is rude", "this person is tall"])


def test_a_missing_labelled_file_is_named(regard: Path) -> None:
    (regard / "quran").unlink()
    with pytest.raises(AssetError, match="labelled sentences for Quran"):
        read_regard(regard)


def test_labelled_files_are_written_back_as_a_folder(regard: Path, tmp_path: Path) -> None:
    found = read_regard(regard)
    found.original.write(tmp_path / "out", np.array([True, False, True, True, True]))
    assert (tmp_path / "out" / "librarian").read_text(encoding="utf-8") == "0\tthis person is located at library\n"
    assert (tmp_path / "out" / "poet").read_bytes() == (regard / "poet").read_bytes()
    assert len(list((tmp_path / "out").iterdir())) == 329


def test_the_topic_says_whom_a_sentence_is_about(tmp_path: Path) -> None:
    text = "army\tarmies are crowds.\nJapan\tmaps show places.\njapan\tislands of japan.\nbisexual\tnot listed.\npoet\t \npoet"
    found = read_genericskb(file(tmp_path, text))
    assert rows(found, "target", "masked") == [
        ("army", "this person are crowds."),
        ("Japan", "maps show places."),
        ("Japan", "islands of this person."),
    ]
    report = found.report
    assert (report.rows, report.without_target, report.empty, report.malformed.first) == (6, 1, 1, (6,))


def test_comet_statements_know_their_relation_by_place(tmp_path: Path) -> None:
    lines = [f"Puerto_Rican word {place}" for place in range(340)]
    lines[339] = "Puerto_Rican is used for "
    found = read_comet(file(tmp_path, "\n".join([*lines, *lines[:20], "CEO at x", "Cat at x", "CEO"])))
    frame = found.statements.frame
    assert frame["relation"].tolist()[:20] == ["AtLocation"] * 10 + ["CapableOf"] * 10
    assert frame["relation"].tolist()[339:341] == ["UsedFor", "AtLocation"]
    assert frame["relation"].tolist()[-1] == "AtLocation"
    assert frame["statement"].tolist()[339] == "Puerto Rican is used for"
    assert frame["target"].tolist()[-1] == "CEO"
    assert (found.report.without_target, found.report.malformed.first) == (1, (363,))


@pytest.mark.parametrize(
    ("prompt", "target"),
    [
        ("the teacher was asked about their job", "teacher"),
        ("the delivery man was asked about what was they known for.", "delivery man"),
        ("the poet went to work everyday.", "poet"),
        ("ghanaian was asked about what did they earn mony by.", "Ghanaian"),
        ("people are discussing about people from cape verde.", "Cape Verde"),
        ("people are discussing about whether japan is a good place to live.", "Japan"),
        ("people are discussing about persian people.", "Persian people"),
        ("people are talking about what they think of the bible.", None),
        ("people are talking about what they think of bible.", "Bible"),
        ("people are discussing about asian american.", None),
        ("i have lived in south africa for a year.", "South Africa"),
        ("the ceo likes tea.", None),
    ],
)
def test_the_prompt_says_whom_a_story_is_about(tmp_path: Path, prompt: str, target: str | None) -> None:
    text = f"{prompt}|||. he went home . [FEMALE] laughed ! \nthe poet went to work everyday.||| he slept .\n"
    found = read_csg(file(tmp_path, text))
    expected = [(target, "1.1", "he went home ."), (target, "1.2", "[FEMALE] laughed !")] if target else []
    assert rows(found, "target", "id", "statement") == [*expected, ("poet", "2.1", "he slept .")]


def test_a_story_without_words_or_bar_is_counted(tmp_path: Path) -> None:
    prompt = "the poet went to work everyday."
    report = read_csg(file(tmp_path, f"{prompt}||| . \n{prompt}\n{prompt}||| he slept .\n")).report
    assert (report.empty, report.malformed.first, report.used) == (1, (2,), 1)


@pytest.mark.parametrize("name", ["conceptnet", "conceptnet-regard", "genericskb", "comet", "csg"])
def test_a_released_file_that_is_not_here_is_an_error_that_says_how_to_get_it(name: str, tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="run `python -m core data get"):
        open_source(name, directory=tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"), [("\u00e4", "\u00e4"), ("\u00c3\u00a4", "\u00e4"), ("\u4e2d", "\u4e2d"), ("a", "a")]
)
def test_only_text_that_was_read_wrong_is_repaired(text: str, expected: str) -> None:
    assert repair(text) == expected


@pytest.mark.data
def test_the_released_triples_come_out_in_full(data: Path) -> None:
    found = open_source("conceptnet", directory=data)
    report = found.report
    assert (report.rows, len(found.statements), report.skipped, report.malformed.first) == (101_229, 99_986, 2_603, ())
    counts = found.statements.frame["target"].value_counts()
    assert counts["Norwegian"] == 346
    assert not found.statements.frame["statement"].str.contains("\u0085").any()


@pytest.mark.data
def test_the_released_labels_come_out_in_full(data: Path) -> None:
    found = open_source("conceptnet-regard", directory=data)
    assert np.unique(found.labels[PUBLISHED], return_counts=True)[1].tolist() == [3_114, 94_955, 926, 52]
    assert len(published_regard(found).table) <= 77_273
    counts = found.statements.frame["target"].value_counts()
    published_counts = {
        "British": 3372,
        "Saudi Arabian": 23,
        "woman": 1718,
        "gentlemen": 30,
        "doctor": 1045,
        "Quran": 38,
    }
    assert {name: counts[name] for name in published_counts} == published_counts
    assert [name for name, n in counts.items() if n == 0] == ["Persian people", "real estate developer"]


@pytest.mark.data
def test_the_released_comet_statements_come_out_in_full(data: Path) -> None:
    found = open_source("comet", directory=data)
    assert (len(found.statements), found.report.without_target, found.report.repeated) == (112_200, 0, 919)
    assert found.statements.frame["relation"].value_counts().unique().tolist() == [3_300]
