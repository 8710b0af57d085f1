from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import records
from core.encoders.cache import CachedEncoder
from core.moral.compass import Compass, PhraseScores, calibrate, score


@pytest.fixture(scope="module")
def scored(letters_kind: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Compass, PhraseScores]:
    encoder = CachedEncoder(letters_kind())
    compass = calibrate(encoder, tmp_path_factory.mktemp("letters"))
    return compass, score(encoder, compass, ["smile", "kill time"])


def test_a_record_holds_the_numbers_at_full_precision_and_in_order(scored: tuple[Compass, PhraseScores]) -> None:
    compass, scores = scored
    read = json.loads(json.dumps(records.score_records(compass, scores)))
    assert [record["action"] for record in read] == ["smile", "kill time"]
    record = read[1]
    assert record["bias"] == scores.choice.mean[1]
    assert record["interval"] == [scores.choice.low[1], scores.choice.high[1]]
    assert record["sign_agreement"] == scores.choice.sign_agreement[1]
    assert record["negated_bias"] == scores.negated[1]
    assert (record["rank"], record["of"]) == (scores.rank[1], 101)
    assert record["templates"][1] == {"question": "Should I kill time?", "bias": scores.choice.biases[1, 1]}
    assert sum(item["bias"] for item in record["templates"]) / 10 == pytest.approx(record["bias"])
    assert record["axis"] == {
        "position": scores.position[1],
        "raw": scores.raw[1],
        "interval": [scores.position_low[1], scores.position_high[1]],
    }


def test_a_row_holds_the_same_numbers_as_the_record(scored: tuple[Compass, PhraseScores]) -> None:
    for row, record in zip(
        [records.flat(scored[0].encoder_name, record) for record in records.score_records(*scored)],
        records.score_records(*scored),
        strict=True,
    ):
        assert row["encoder"] == "letters"
        assert [row["bias_low"], row["bias_high"]] == record["interval"]
        assert [row["axis_low"], row["axis_high"]] == record["axis"]["interval"]
        assert (row["axis_position"], row["axis_raw"]) == (record["axis"]["position"], record["axis"]["raw"])
        assert {row[key] == record[key] for key in ("action", "bias", "sign_agreement", "rank", "of")} == {True}


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "=HYPERLINK(A1)"])
def test_text_that_a_spreadsheet_would_run_is_neutralised(text: str) -> None:
    assert records.safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["kill time", "'=1", "1-1", "a=b", "", -0.5, 3, None])
def test_other_cells_stay_as_they_are(value: Any) -> None:
    assert records.safe_cell(value) is value


@given(st.text(max_size=20))
def test_no_cell_of_a_written_file_begins_like_a_formula(text: str) -> None:
    file = io.StringIO()
    csv.writer(file).writerow([records.safe_cell(text)])
    (cell,) = next(csv.reader(io.StringIO(file.getvalue(), newline=""))) or [""]
    assert not cell.strip().startswith(("=", "+", "-", "@"))
    assert cell.removeprefix("'") == text.removeprefix("'")
