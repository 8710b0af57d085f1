"""The command ``audit``: what it says, and how it ends when it is interrupted or its file is damaged."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.cli import app
from core.knowledge.audited import open_audit, read_manifest
from tests.auditing import content

ROOT = Path(__file__).resolve().parents[3]
HEADER = "SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE\n"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "GenericsKB-Best.tsv"
    rows = ["Own\tteacher\t\tA teacher is kind.\t1.0", "broken", "Own\tchair\t\tA chair stands.\t1.0"]
    path.write_text(HEADER + "\n".join([*rows, rows[0]]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve chunks."""
    path = tmp_path_factory.mktemp("large") / "GenericsKB-Best.tsv"
    rows = [f"Own\tteacher\t\tA teacher likes the number {number}.\t1.0\n" for number in range(56_000)]
    path.write_text(HEADER + "".join(rows), encoding="utf-8")
    return path


def test_it_says_what_was_read_written_and_left_out(small: Path, tmp_path: Path) -> None:
    result = call(small, "--out", tmp_path / "audit")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == (
        "GenericsKB-Best: 2 statements, 1 distinct masked texts; of 4 records 1 name no target, 0 lead elsewhere, 0 are empty"
    )
    assert "GenericsKB (AllenAI), CC BY 4.0" in result.stdout
    assert result.stderr == "moralscope: 1 malformed line(s) left out: 3\n"
    found = open_audit(tmp_path / "audit")
    assert found.labels["sentiment"].tolist() == [1, 1]
    assert found.statements.frame["masked"].tolist() == ["A this person is kind."] * 2


def test_what_reads_an_audit_says_how_many_lines_were_left_out_of_it(tmp_path: Path) -> None:
    path = tmp_path / "GenericsKB-Best.tsv"
    path.write_text(HEADER + "Own\tteacher\t\tA teacher is kind.\t1.0\n" + "broken\n" * 1_500, encoding="utf-8")
    assert call(path, "--out", tmp_path / "audit").exit_code == 0
    found = CliRunner().invoke(app, ["harms", str(tmp_path / "audit")])
    assert "moralscope: 1,500 malformed line(s) left out: 3, 4, 5, 6, 7, …\n" in found.stderr


def test_a_scheduler_that_is_no_address_is_one_line_and_nothing_follows_it(tmp_path: Path) -> None:
    asked = ["audit", "demo", "--out", str(tmp_path / "audit"), "--scheduler", "foo"]
    found = subprocess.run(
        [sys.executable, "-m", "core", *asked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "the address of a Dask scheduler, got 'foo'" in found.stderr


def test_any_source_and_own_columns_can_be_audited(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("words,about\nShe is happy.,teacher\nShe is sad.,nurse\n", encoding="utf-8")
    arguments = ("--column", "statement=words", "--column", "target=about")
    assert call(path, "--out", tmp_path / "audit", *arguments).exit_code == 0
    found = open_audit(tmp_path / "audit")
    assert found.statements.targets.names == ("teacher", "nurse")
    assert found.labels["sentiment"].tolist() == [1, -1]


@pytest.mark.parametrize("count", ["1", "2"])
def test_ctrl_c_ends_it_cleanly_and_it_can_be_gone_on_with(large: Path, tmp_path: Path, count: str) -> None:
    command = [sys.executable, "-m", "core", "audit", str(large), "--workers", count, "--out"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [*command, str(tmp_path / "audit")], env=environment, cwd=tmp_path, stderr=subprocess.PIPE, encoding="utf-8"
    )
    while not (tmp_path / "audit" / "part-00001.parquet").exists():
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.splitlines()[-1].startswith("moralscope: interrupted; what was written to ")
    assert "--resume" in said
    assert "Traceback" not in said
    there = read_manifest(tmp_path / "audit")
    assert not there.complete
    assert call(large, "--out", tmp_path / "audit", "--resume").exit_code == 0
    assert call(large, "--out", tmp_path / "whole").exit_code == 0
    assert content(tmp_path / "audit") == content(tmp_path / "whole")


def test_a_file_that_is_cut_off_is_named_after_what_is_there_was_written(tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "assertions.csv.gz"
    lines = [f"/a/[/r/IsA/]\t/r/IsA\t/c/en/teacher\t/c/en/thing_{number}\t{{}}" for number in range(2000)]
    path.write_bytes(gzip.compress("\n".join(lines).encode())[:-100])
    result = call(path, "--out", tmp_path / "audit")
    assert result.exit_code == 1
    done = read_manifest(tmp_path / "audit")
    assert f"damaged or cut off in line {done.ended:,}. Remedy: " in result.stderr
    assert done.complete
    assert 0 < done.statements < 2000


def test_harms_are_measured_on_the_labels_of_an_audit(small: Path, tmp_path: Path) -> None:
    call(small, "--out", tmp_path / "audit", "--classifier", "sentiment", "--classifier", "keywords")
    result = CliRunner().invoke(app, ["harms", str(tmp_path / "audit"), "--json"])
    found = json.loads(result.stdout)
    assert (found["source"], found["statements"], found["targets"]) == ("GenericsKB-Best.tsv", 2, 329)
    assert list(found["classifiers"]) == ["sentiment", "keywords"]
    assert found["classifiers"]["sentiment"]["overall"]["pooled"] == 100
    one = CliRunner().invoke(app, ["harms", str(tmp_path / "audit"), "--classifier", "keywords", "--json"])
    assert list(json.loads(one.stdout)["classifiers"]) == ["keywords"]


def test_options_that_an_audit_would_ignore_are_named(small: Path, tmp_path: Path) -> None:
    directory = tmp_path / "audit"
    call(small, "--out", directory, "--classifier", "keywords")
    for command in (["harms", directory], ["mitigate", directory, "--out", tmp_path / "left"]):
        result = CliRunner().invoke(app, [*map(str, command), "--classifier", "sentiment"])
        assert result.exit_code == 1
        assert f"a --classifier of the audit in {directory}: keywords, got 'sentiment'" in result.stderr
        result = CliRunner().invoke(app, [*map(str, command), "--format", "csv"])
        assert result.exit_code == 1
        assert "leave out --format" in result.stderr
    result = call(small, "--out", directory, "--resume", "--classifier", "sentiment")
    assert result.exit_code == 1
    assert "other classifiers (--classifier)" in result.stderr


@pytest.mark.parametrize("packed", [True, False])
def test_a_dump_is_filtered_in_its_own_format_by_its_audit(tmp_path: Path, packed: bool) -> None:
    lines = [
        "/a/[/r/IsA/]\t/r/IsA\t/c/en/nurse\t/c/en/person\t{}\n",
        "/a/[/r/IsA/]\t/r/IsA\t/c/en/nurse/n\t/c/en/awful\t{}\n",
        "broken\n",
        "/a/[/r/IsA/]\t/r/IsA\t/c/en/chalk\t/c/en/awful\t{}\n",
        "/a/[/r/Desires/]\t/r/Desires\t/c/en/poet\t/c/en/nurse\t{}",
    ]
    text = "".join(lines).encode()
    pack = (lambda content: gzip.compress(content, mtime=0)) if packed else bytes
    dump = tmp_path / ("assertions.csv.gz" if packed else "assertions.csv")
    dump.write_bytes(pack(text))
    assert call(dump, "--out", tmp_path / "audit").exit_code == 0
    command = ["mitigate", str(tmp_path / "audit"), "--out", str(tmp_path / "left"), "--original"]
    result = CliRunner().invoke(app, [*command, str(dump), "--json"])
    assert result.exit_code == 0, result.stderr
    cost = json.loads(result.stdout)["cost"]
    assert (cost["records"], cost["records_lost"], cost["statements"], cost["statements_lost"]) == (3, 1, 4, 1)
    left = (tmp_path / "left").read_bytes()
    assert (gzip.decompress(left) if packed else left) == (lines[0] + "".join(lines[2:])).encode()
    dump.write_bytes(pack(text + b"\nmore\n"))
    result = CliRunner().invoke(app, [*command, str(dump)])
    assert result.exit_code == 1
    assert "the full dump that was audited, assertions.csv" in result.stderr


def test_without_the_dump_an_audit_is_filtered_as_a_table_and_says_so(small: Path, tmp_path: Path) -> None:
    call(small, "--out", tmp_path / "audit")
    command = ["mitigate", str(tmp_path / "audit"), "--out", str(tmp_path / "left.csv")]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    assert "left.csv is a CSV table of the audit's statements and labels" in result.stderr
    assert (tmp_path / "left.csv").read_text(encoding="utf-8").startswith("statement,masked,target,category,source,")


@pytest.mark.parametrize("command", ["harms", "mitigate"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("assertions.csv.gz", "/a/[/r/IsA/]\t/r/IsA\t/c/en/nurse\t/c/en/person\t{}\n"),
        ("best.tsv", "SOURCE\tTERM\tGENERIC SENTENCE\nx\tnurse\tNurses work.\n"),
    ],
)
def test_a_full_dump_is_sent_to_the_audit(command: str, name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    result = CliRunner().invoke(app, [command, str(path), *(["--out", "x"] if command == "mitigate" else [])])
    assert result.exit_code == 1
    assert f"got a full dump: {name} is in the format of" in result.stderr
    assert f"run `python -m core audit {path} --out DIR`" in result.stderr


def test_going_on_needs_no_names_of_classifiers(small: Path, tmp_path: Path) -> None:
    call(small, "--out", tmp_path / "audit", "--classifier", "keywords")
    assert call(small, "--out", tmp_path / "audit", "--resume").exit_code == 0


def test_an_audit_without_a_target_leaves_nothing_in_the_way(small: Path, tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("statement\nsofas are soft\n", encoding="utf-8")
    result = call(tmp_path / "none.csv", "--out", tmp_path / "audit")
    assert result.exit_code == 1
    assert "got 1 record(s), of which none does" in result.stderr
    assert call(small, "--out", tmp_path / "audit").exit_code == 0


def test_an_audit_that_is_there_is_not_overwritten(small: Path, tmp_path: Path) -> None:
    call(small, "--out", tmp_path / "audit")
    result = call(small, "--out", tmp_path / "audit")
    assert result.exit_code == 1
    assert "go on with it by --resume" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nowhere.csv", "--out", "x"), 1, "Expected a source"),
        (("demo", "--out", "x", "--workers", "2", "--scheduler", "tcp://127.0.0.1:9"), 2, "--scheduler"),
        (("demo",), 2, "--out"),
    ],
)
def test_a_wrong_call_is_answered_in_words(tmp_path: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    result = call(*(tmp_path / "x" if argument == "x" else argument for argument in arguments))
    assert result.exit_code == code
    assert said in result.stderr
    assert not (tmp_path / "x").exists()
