import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from thumbindex.embedding.registry import default_encoder, load_encoder
from thumbindex.errors import EmbeddingError, OptionalDependencyError, UnknownModelError


class Server(BaseHTTPRequestHandler):
    """A server of the protocol whose vectors count letters; the last text first, as the protocol allows."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [
            {"object": "embedding", "index": number, "embedding": [text.count("a"), text.count("b"), 0.5]}
            for number, text in enumerate(asked["input"])
        ]
        if asked["model"] == "broken":
            rows = rows[1:]
        body = json.dumps({"object": "list", "model": "m", "data": rows[::-1], "usage": {}}).encode()
        self.send_response(404 if asked["model"] == "none" else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments):
        pass


@pytest.fixture(scope="module")
def url():
    pytest.importorskip("openai", reason="needs the extra `chat`")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(params=["wordllama", "compatible"])
def encoder(request):
    if request.param == "wordllama":
        try:
            return load_encoder("wordllama")
        except OptionalDependencyError:
            pytest.skip("needs the extra `wordllama`")
    return load_encoder(f"openai:{request.getfixturevalue('url')}#m")


def test_each_text_has_a_vector_of_length_one(encoder):
    vectors = encoder.encode(["aa b", "bbb", "a text of some more words, ab"])
    assert vectors.shape == (3, encoder.dimensions)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)


def test_a_text_is_encoded_alike_alone_and_among_others(encoder):
    texts = ["aa b", "bbb"] * 50
    alone = encoder.encode(["bbb"])[0]
    assert all(row == pytest.approx(alone, abs=1e-6) for row in encoder.encode(texts)[1::2])


def test_no_texts_have_no_vectors(encoder):
    assert encoder.encode([]).shape == (0, encoder.dimensions)


def test_an_empty_text_and_any_script_can_be_encoded(encoder):
    vectors = encoder.encode(["", "日本語の年次報告書", "🙂" * 500, "x" * 10_000])
    assert np.isfinite(vectors).all()


def test_static_vectors_bring_like_meanings_together():
    if default_encoder() is None:
        pytest.skip("needs the extra `wordllama`")
    asked, near, far = load_encoder("wordllama").encode(
        ["capital expenditure", "purchases of property, plant and equipment", "the cat sat on the mat"]
    )
    assert asked @ near > asked @ far


def test_a_server_that_fails_is_a_clear_error(url):
    with pytest.raises(EmbeddingError, match="did not encode: NotFoundError"):
        load_encoder(f"openai:{url}#none").encode(["a"])
    with pytest.raises(EmbeddingError, match="1 vectors for 2 texts"):
        load_encoder(f"openai:{url}#broken").encode(["a", "b"])


def test_an_encoder_of_no_known_name_is_refused():
    with pytest.raises(UnknownModelError, match="there is no encoder"):
        load_encoder("word2vec")
    with pytest.raises(UnknownModelError, match="openai:BASE_URL#MODEL"):
        load_encoder("openai:nonsense")
