"""A server of embeddings, in a process of its own on loopback: what it answers is checked, and the key stays secret."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.encoders import catalog
from core.encoders.endpoint import KEY, EndpointEncoder, Waiting
from core.errors import EncoderError
from tests.embedding_server import Server, serving, vector
from tests.loopback import address_of_nobody

AT_ONCE = Waiting(backoff=(0.0, 0.0, 0.0), connect=1.0, answer=10.0)
SECRET = "sk-very-secret-0123456789"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv(KEY, raising=False)


def load(server: Server, model: str, waiting: Waiting = AT_ONCE) -> EndpointEncoder:
    return EndpointEncoder("far", server.target(model), waiting)


def test_rows_follow_the_texts_whatever_their_length_and_number(server: Server) -> None:
    texts = [f"{'abc' * (number % 7)} {number}" for number in range(100)] + ["kill", "kill"]
    found = load(server, "letters").encode(texts)
    np.testing.assert_array_equal(found, [vector(text) for text in texts])
    assert found.dtype == np.float32


def test_texts_go_in_batches_each_distinct_one_once(server: Server) -> None:
    encoder = load(server, "batches")
    encoder.encode([*(str(number) for number in range(70)), *(str(number) for number in range(70))])
    sent = [request["input"] for request in server.asked("batches")][1:]
    assert [len(texts) for texts in sent] == [32, 32, 6]
    assert sorted(text for texts in sent for text in texts) == sorted(map(str, range(70)))
    assert {request["path"] for request in server.asked("batches")} == {"/v1/embeddings"}


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/embeddings"])
def test_an_address_may_end_where_one_likes(server: Server, path: str) -> None:
    assert EndpointEncoder("far", f"{server.address}{path}#letters", AT_ONCE).provenance.dimension == 9


def test_it_says_that_text_leaves_the_machine_and_what_can_be_known_of_the_model(server: Server) -> None:
    one, other = load(server, "letters").provenance, load(server, "shuffled").provenance
    host = server.address.removeprefix("http://")
    assert (one.model, one.runtime) == ("letters", f"server {host}")
    assert f"text is sent to {host}" in one.note
    assert one.revision == other.revision  # the same answers


def test_an_answer_in_another_order_is_put_right(server: Server) -> None:
    np.testing.assert_array_equal(load(server, "shuffled").encode(["a", "bb"]), [vector("a"), vector("bb")])


@pytest.mark.parametrize("model", ["busy", "broken"])
def test_a_busy_server_is_asked_again(server: Server, model: str) -> None:
    assert load(server, model).encode(["a"]).tolist() == [vector("a")]
    assert len(server.asked(model)) == 6  # loading and encoding: two refusals and an answer each


@pytest.mark.parametrize(("status", "tries"), [(429, 4), (500, 4), (503, 4), (400, 1), (401, 1), (404, 1), (418, 1)])
def test_a_server_that_goes_on_refusing_is_a_named_error(server: Server, status: int, tries: int) -> None:
    with pytest.raises(EncoderError, match=rf"HTTP {status} .*MORALSCOPE_ENDPOINT_KEY"):
        load(server, str(status))
    assert len(server.asked(str(status))) == tries


def test_text_is_not_sent_on_to_another_address(server: Server) -> None:
    with pytest.raises(EncoderError, match="HTTP 307"):
        load(server, "elsewhere")
    assert len(server.asked("elsewhere")) == 1


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("fewer", "1 vectors for 2 texts"),
        ("twice", "2 vectors for 2 texts"),
        ("wide", "vectors of 9 and 10 numbers"),
        ("wider", "vectors of 9 and 10 numbers"),
    ],
)
def test_vectors_of_another_number_or_length_are_named_errors(server: Server, model: str, said: str) -> None:
    encoder = load(server, model)
    with pytest.raises(EncoderError, match=said):
        encoder.encode(["a", "bb"])


@pytest.mark.parametrize(
    ("model", "said"),
    [("nan", "not a number"), ("words", "another form"), ("zeros", "vector of zeros"), ("form", "another form")],
)
def test_an_answer_that_is_no_embedding_is_refused_when_loading(server: Server, model: str, said: str) -> None:
    with pytest.raises(EncoderError, match=said):
        load(server, model)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("huge", "a number beyond"),
        ("large", "a number beyond"),
        ("endless", "a number beyond"),
        ("endless_index", "another form"),
        ("truth", "another form"),
        ("truth_index", "another form"),
        ("deep", "another form"),
        ("digits", "another form"),
    ],
)
def test_numbers_and_forms_that_no_embedding_has_are_refused_in_words_without_a_warning(
    server: Server, model: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    with pytest.raises(EncoderError, match=said) as caught:
        load(server, model)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("model", ["hang", "drip", "drip_headers", "drip_late"])
def test_a_server_that_hangs_is_given_up(server: Server, model: str) -> None:
    began = time.monotonic()
    with pytest.raises(EncoderError, match=r"no answer within 0\.5 s"):
        load(server, model, Waiting((0.0,), 1.0, 0.5))
    assert time.monotonic() - began < 20  # it would hang for 30


def test_a_server_that_is_slow_in_time_is_heard_and_asked_again_on_the_same_line(server: Server) -> None:
    encoder = load(server, "letters", Waiting((), 1.0, 20.0))
    texts = [str(number) for number in range(70)]
    np.testing.assert_array_equal(encoder.encode(texts), [vector(text) for text in texts])
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer) and thread.is_alive()]


def test_no_server_is_an_error_at_once() -> None:
    with pytest.raises(EncoderError, match=r"no connection \(ConnectionError\)"):
        EndpointEncoder("far", f"{address_of_nobody()}#m")


def test_no_text_gives_no_rows(server: Server) -> None:
    assert load(server, "letters").encode([]).shape == (0, 9)


def test_eight_threads_at_once_get_what_one_gets(server: Server) -> None:
    encoder = load(server, "letters")
    requests = [[f"{number} abc" * number, "kill"] for number in range(1, 17)]
    with ThreadPoolExecutor(8) as pool:
        for found, request in zip(pool.map(encoder.encode, requests), requests, strict=True):
            np.testing.assert_array_equal(found, [vector(text) for text in request])


def test_the_key_is_sent_and_shown_nowhere(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv(KEY, SECRET)
    encoder = load(server, "keyed")
    encoder.encode(["a"])
    assert {request["key"] for request in server.asked("keyed")} == {f"Bearer {SECRET}"}
    shown = [repr(encoder), str(vars(encoder)), repr(encoder.provenance), caplog.text]
    shown += [str(catalog.entry(f"endpoint:{server.target('keyed')}", specs=True))]
    for model in ("401", "500", "nan", "form", "elsewhere"):
        with pytest.raises(EncoderError) as caught:
            load(server, model)
        error = caught.value
        shown += [str(error), repr(error), str(error.__cause__)]
    monkeypatch.setenv(KEY, f"{SECRET}\n\x07{SECRET}")
    with pytest.raises(EncoderError, match="printable") as caught:
        load(server, "keyed")
    shown.append(str(caught.value))
    assert not [text for text in shown if SECRET in text]


def test_passwords_of_the_users_own_file_are_not_sent(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password other-secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    load(server, "nobody")
    assert {request["key"] for request in server.asked("nobody")} == {None}
