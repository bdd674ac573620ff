import pytest
from servers import MODEL, chat_server, require_chat_server

from thumbindex.errors import GenerationError, UnknownModelError
from thumbindex.generation.base import Prompt
from thumbindex.generation.chat import ChatGenerator

require_chat_server()


@pytest.fixture(scope="module")
def base_url():
    with chat_server(context_tokens=1024) as url:
        yield url


def test_it_writes_within_the_tokens_given_and_counts_them(base_url):
    generator = ChatGenerator.from_spec(f"chat:{base_url}#{MODEL}")
    written = generator.write(Prompt("Answer in one sentence.", "What is the capital of France?", 20))
    assert written.text
    assert written.input_tokens > 5
    assert 0 < written.output_tokens <= 20
    assert generator.name == MODEL


def test_a_prompt_that_is_too_long_is_our_error(base_url):
    generator = ChatGenerator.from_spec(f"chat:{base_url}#{MODEL}")
    with pytest.raises(GenerationError, match="smollm2 did not write"):
        generator.write(Prompt("Summarise.", "word " * 5000, 20))


def test_a_server_that_is_not_there_is_our_error_without_the_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    generator = ChatGenerator.from_spec("chat:http://127.0.0.1:9/v1#m")
    with pytest.raises(GenerationError) as caught:
        generator.write(Prompt("", "Hello", 5))
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize("spec", ["chat:", "chat:localhost#m", "chat:http://x", "openai:http://x#m"])
def test_a_spec_of_another_form_says_the_form(spec):
    with pytest.raises(UnknownModelError, match="chat:BASE_URL#MODEL"):
        ChatGenerator.from_spec(spec)
