"""Names of models, settings, and keys that go nowhere."""

import logging
import traceback

import pytest

from thumbindex.decision.base import Choice, Request
from thumbindex.decision.registry import available_models, default_model, load_model
from thumbindex.decision.settings import ModelSettings, Settings
from thumbindex.errors import (
    MissingKeyError,
    OptionalDependencyError,
    SettingsError,
    ThumbindexError,
    UnknownModelError,
)

KEY = "sk-live-4242deadbeef"


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    """No settings, keys, or caches of whoever runs the tests."""
    for name in ("TYPESAFE_API_KEY", "OPENAI_API_KEY", "TYPESAFE_BASE_URL", "THUMBINDEX_MODEL", "THUMBINDEX_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("THUMBINDEX_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def settings_file(home, monkeypatch):
    file = home / "settings.toml"
    monkeypatch.setenv("THUMBINDEX_CONFIG", str(file))
    return file


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "lexical"),
        ("jev", "there is no model 'jev'"),
        ("typesafe:", "typesafe:MODEL"),
        ("typesafe:http://localhost#m", "typesafe:MODEL"),
        ("systemone:localhost#m", "systemone:BASE_URL#MODEL"),
        ("systemone:http://localhost", "systemone:BASE_URL#MODEL"),
        ("systemone:http://local host#m", "systemone:BASE_URL#MODEL"),
        ("chat:ftp://localhost#m", "chat:BASE_URL#MODEL"),
        ("chat:http://localhost#", "chat:BASE_URL#MODEL"),
        ("chat:http://[#m", "names no host"),
        ("chat:http://a..b#m", "names no host"),
        ("systemone:http://localhost:99999#m", "a port that there is not"),
        ("openai:http://localhost#m", "there is no model 'openai:…'"),
    ],
)
def test_a_name_of_another_form_says_the_forms(name, message):
    with pytest.raises(UnknownModelError, match=message.replace("…", ".")):
        load_model(name or "nothing")


def test_where_none_is_named_the_environment_decides_then_the_settings(settings_file, monkeypatch):
    settings_file.write_text('model = "chat:http://localhost:1/v1#m"')
    assert default_model() == "chat:http://localhost:1/v1#m"
    monkeypatch.setenv("THUMBINDEX_MODEL", "lexical")
    assert default_model() == "lexical"
    assert load_model().name == "lexical-1"


def test_a_short_name_stands_for_a_full_one_and_has_its_settings():
    full = "chat:http://localhost:1/v1#m"
    settings = Settings(
        uses={"home": full},
        models={full: ModelSettings(orders=1, temperature=2.0), "home": ModelSettings(temperature=3.0)},
    )
    assert settings.resolved("home") == (full, ModelSettings(orders=1, temperature=3.0))
    assert settings.resolved("lexical") == ("lexical", ModelSettings())


def test_the_file_is_small_and_plain(settings_file):
    settings_file.write_text(
        'model = "home"\n[models.home]\nuse = "chat:http://localhost:1/v1#m"\ninput_price = 1\norders = 1\n'
    )
    assert Settings.load() == Settings(
        "home",
        {"home": "chat:http://localhost:1/v1#m"},
        {"home": ModelSettings(input_price=1, orders=1)},
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model = ", "are not TOML"),
        ("modle = 'lexical'", "modle is not known: use model, models"),
        ("model = 3", "model has a value of the wrong kind"),
        ("[models.a]\norder = 1", r"models.a.order is not known"),
        ("[models.a]\norders = true", r"models.a.orders has a value of the wrong kind"),
        ("[models.a]\norders = 3", "orders is 3: use 1 to 2"),
        ("[models.a]\ninput_price = -1", "input_price is -1: use 0 or more"),
        ("[models.a]\ntemperature = 0", "temperature is 0"),
        ("[models]\na = 1", "models.a is not a table"),
    ],
)
def test_a_mistake_in_the_file_names_the_file_and_the_place(settings_file, text, message):
    settings_file.write_text(text)
    with pytest.raises(SettingsError, match=message) as caught:
        load_model()
    assert str(settings_file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_named_must_be_there_and_the_usual_one_need_not(settings_file, monkeypatch):
    with pytest.raises(SettingsError, match="cannot read the settings"):
        Settings.load()
    monkeypatch.delenv("THUMBINDEX_CONFIG")
    assert Settings.load() == Settings()


def test_what_is_missing_is_named(monkeypatch):
    needs = {model.name: model.missing for model in available_models(Settings())}
    assert needs["lexical"] == ""
    assert "TYPESAFE_API_KEY" in needs["typesafe:MODEL"]
    monkeypatch.setenv("TYPESAFE_API_KEY", KEY)
    needs = {model.name: model.missing for model in available_models(Settings())}
    assert "TYPESAFE_API_KEY" not in needs["typesafe:MODEL"]


def test_configured_models_are_listed_with_what_they_need():
    settings = Settings(
        uses={"cloud": "typesafe:jev-1.13.0", "odd": "odd:thing"},
        models={"cloud": ModelSettings(api_key_env="CLOUD_KEY"), "odd": ModelSettings()},
    )
    needs = {model.name: model.missing for model in available_models(settings)}
    assert "set CLOUD_KEY" in needs["cloud"]
    assert "no model" in needs["odd"]


@pytest.mark.parametrize("name", ["typesafe:jev-1.13.0", "chat:http://localhost:1/v1#m"])
def test_an_extra_that_is_missing_is_named(name, monkeypatch):
    monkeypatch.setenv("TYPESAFE_API_KEY", KEY)
    for module in ("typesafe_sdk", "openai"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(OptionalDependencyError, match=r"pip install 'thumbindex\[(typesafe|chat)\]'"):
        load_model(name)


def test_a_url_with_a_key_in_it_is_refused_and_not_repeated():
    for url in (f"http://user:{KEY}@localhost", f"http://localhost?key={KEY}"):
        for kind in ("systemone", "chat"):
            with pytest.raises(UnknownModelError) as caught:
                load_model(f"{kind}:{url}#m")
            assert KEY not in str(caught.value)
            assert "environment" in str(caught.value)


def test_a_key_that_is_none_is_a_clear_error(monkeypatch):
    pytest.importorskip("typesafe_sdk")
    with pytest.raises(MissingKeyError):
        load_model("typesafe:jev-1.13.0")
    monkeypatch.setenv("TYPESAFE_API_KEY", f"{KEY} and more")
    with pytest.raises(ThumbindexError) as caught:
        load_model("typesafe:jev-1.13.0")
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_key_stands_in_no_log_cache_recording_or_error(home, monkeypatch, caplog):
    pytest.importorskip("typesafe_sdk")
    pytest.importorskip("openai")
    mock = pytest.importorskip("jevcompat.mock")
    from thumbindex.decision.kept import Recorder

    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("TYPESAFE_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ask = [Request({"question": "Which?"}, Choice({"a": "one", "b": "two"}))]
    said = []
    with mock.Running(mock.MockConfig(key=KEY)) as good, mock.Running(mock.MockConfig(key="another")) as bad:
        answered = Recorder(load_model(f"systemone:{good.url}#jev-latest"), home / "recording").decide(ask)
        said.append(repr(answered))
        for name in (f"systemone:{bad.url}#jev-latest", f"chat:{bad.url}/v1#m", f"chat:{good.url}/v1#m"):
            with pytest.raises(ThumbindexError) as caught:
                load_model(name).decide(ask)
            said += traceback.format_exception(caught.value)
    said += [repr(vars(model)) for model in (load_model(f"systemone:{good.url}#m"),)]
    files = [file for file in home.rglob("*") if file.is_file()]
    assert {"answers.sqlite", "decisions.jsonl", "model.json"} <= {file.name for file in files}
    assert not [file for file in files if KEY.encode() in file.read_bytes()]
    assert KEY not in caplog.text
    assert KEY not in "".join(said)
