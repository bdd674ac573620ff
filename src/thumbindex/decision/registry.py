"""Decision models by name.

    embedded, lexical           in the process
    typesafe:MODEL              TypeSafe's own server
    systemone:BASE_URL#MODEL    any server of the System One protocol
    chat:BASE_URL#MODEL         any OpenAI-compatible chat server

or a short name from the settings.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from thumbindex.decision.base import DecisionModel
from thumbindex.decision.batch import Decider
from thumbindex.decision.budget import Budget, Prices
from thumbindex.decision.chat import ChatModel
from thumbindex.decision.embedded.model import EmbeddedModel
from thumbindex.decision.kept import DiskCache
from thumbindex.decision.lexical import LexicalModel
from thumbindex.decision.settings import ModelSettings, Settings
from thumbindex.decision.system_one import KEY_VARIABLE, SystemOneModel
from thumbindex.decision.waiting import Throttle
from thumbindex.endpoints import Endpoint
from thumbindex.errors import UnknownModelError
from thumbindex.folders import cache_folder

__all__ = ["DEFAULT_MODEL", "Availability", "available_models", "checked_name", "default_model", "load_model"]

DEFAULT_MODEL = "embedded"

# One for all that ask: its network and what it remembers of the texts it read are worth sharing.
_embedded = cache(EmbeddedModel.from_folder)


@dataclass(frozen=True, slots=True)
class _InProcess:
    """A model in the package: what makes it, what it is, and since when it answers as it does."""

    make: Callable[[], DecisionModel]
    about: str
    since: str


_IN_PROCESS: Mapping[str, _InProcess] = MappingProxyType(
    {
        "embedded": _InProcess(_embedded, "A small network that reads; measured and calibrated.", "2026-11-30"),
        "lexical": _InProcess(LexicalModel, "Counts the words that question and text share.", "2026-11-30"),
    }
)
_TYPESAFE, _SYSTEM_ONE, _CHAT = "typesafe", "systemone", "chat"
_FORMS = (f"{_TYPESAFE}:MODEL", f"{_SYSTEM_ONE}:BASE_URL#MODEL", f"{_CHAT}:BASE_URL#MODEL")
# What TypeSafe asked for a million input tokens of Jev; output was free.
_TYPESAFE_PRICES = Prices(0.042, 0.0)
_ANSWERS_FILE = "answers.sqlite"
# A chat server, often on the user's own machine, works on a few requests at a time and lets the rest wait.
_CHAT_IN_FLIGHT = 4


def default_model(settings: Settings | None = None) -> str:
    """The name of the model that decides where none is named: as the environment or the settings say.

    Raises:
        SettingsError: The settings cannot be used.
    """
    return (settings or Settings.load()).model or DEFAULT_MODEL


def load_model(
    name: str | None = None,
    *,
    settings: Settings | None = None,
    budget: Budget | None = None,
    keep_answers: bool = True,
) -> Decider:
    """The model of that name, behind the answer cache, the retries, and the budget. Nothing is asked yet.

    Args:
        name: As this module says; None is the default.
        settings: By default the user's.
        budget: What it may spend.
        keep_answers: Whether answers of a model at a server are kept in the cache folder for the next time.

    Raises:
        UnknownModelError: There is no such model.
        OptionalDependencyError: It needs an extra that is not installed.
        MissingKeyError: It needs a key that is not set.
        SettingsError: The settings cannot be used.
        OptionError: A budget in dollars for a model whose price is not known.
        StoreError: Answers cannot be kept.
        BackendUnavailableError: The files of the embedded model are missing or damaged.
    """
    settings = settings or Settings.load()
    full, own = settings.resolved(name or default_model(settings))
    if full in _IN_PROCESS:
        return Decider(_IN_PROCESS[full].make(), budget=budget)
    kind, endpoint = _parsed(full)
    model = (ChatModel if kind == _CHAT else SystemOneModel).from_endpoint(endpoint, own)
    return Decider(
        model,
        throttle=_throttle(kind, own),
        prices=_prices(kind, own),
        budget=budget,
        cache=DiskCache(cache_folder() / _ANSWERS_FILE) if keep_answers else None,
    )


def checked_name(name: str, settings: Settings | None = None) -> str:
    """The name, if it is one of a model.

    Raises:
        UnknownModelError: It is not; a URL in it, which may hold a key, is not repeated.
        SettingsError: The settings cannot be used.
    """
    full, _ = (settings or Settings.load()).resolved(name)
    if full not in _IN_PROCESS:
        _parsed(full)
    return name


@dataclass(frozen=True, slots=True)
class Availability:
    """A model, or a form of names.

    Attributes:
        name: What `--model` takes.
        about: What it is.
        missing: To use it here; empty where nothing is.
        since: The day from which it answers as it does now, where that is known.
    """

    name: str
    about: str
    missing: str = ""
    since: str = ""


def available_models(settings: Settings | None = None) -> list[Availability]:
    """The models in the package, the forms of names, and those in the settings. No server is asked.

    Raises:
        SettingsError: The settings cannot be used.
    """
    settings = settings or Settings.load()
    return [*_known(), *(_configured(name, settings) for name in settings.models)]


def _known() -> Iterator[Availability]:
    for name, model in _IN_PROCESS.items():
        yield Availability(name, f"{model.about} In the package; nothing leaves the machine.", since=model.since)
    typesafe, system_one, chat = _FORMS
    key = "" if os.environ.get(KEY_VARIABLE, "").strip() else f"set {KEY_VARIABLE}"
    sdk, openai = _extra("typesafe_sdk", "typesafe"), _extra("openai", "chat")
    yield Availability(typesafe, "TypeSafe's server.", "; ".join(filter(None, (sdk, key))))
    yield Availability(system_one, "A System One server.", sdk)
    yield Availability(chat, "An OpenAI-compatible chat server.", openai)


def _configured(name: str, settings: Settings) -> Availability:
    full, own = settings.resolved(name)
    about = f"In the settings: {full}" if full != name else "In the settings."
    if full in _IN_PROCESS:
        return Availability(name, about)
    try:
        kind, _ = _parsed(full)
    except UnknownModelError as error:
        return Availability(name, "In the settings.", str(error))
    missing = _extra("openai", "chat") if kind == _CHAT else _extra("typesafe_sdk", "typesafe")
    variable = own.api_key_env or (KEY_VARIABLE if kind == _TYPESAFE else "")
    key = f"set {variable}" if variable and not os.environ.get(variable, "").strip() else ""
    return Availability(name, about, "; ".join(filter(None, (missing, key))))


def _extra(module: str, extra: str) -> str:
    return "" if importlib.util.find_spec(module) else f"pip install 'thumbindex[{extra}]'"


def _parsed(full: str) -> tuple[str, Endpoint]:
    kind, _, place = full.partition(":")
    if kind == _TYPESAFE and place and not place.startswith(("http:", "https:")):
        return kind, Endpoint(None, place)
    if kind in {_SYSTEM_ONE, _CHAT}:
        return kind, Endpoint.from_text(place, kind)
    # Only its kind is repeated: a URL that was mistyped may hold a key.
    said = full if ":" not in full else f"{kind}:…"
    raise UnknownModelError(f"there is no model {said!r}: use {', '.join((*sorted(_IN_PROCESS), *_FORMS))}")


def _throttle(kind: str, settings: ModelSettings) -> Throttle:
    first = settings.in_flight or (_CHAT_IN_FLIGHT if kind == _CHAT else None)
    return Throttle(first, max(first, Throttle().most)) if first else Throttle()


def _prices(kind: str, settings: ModelSettings) -> Prices | None:
    if settings.input_price is None and settings.output_price is None:
        return _TYPESAFE_PRICES if kind == _TYPESAFE else None
    return Prices(settings.input_price or 0.0, settings.output_price or 0.0)
