"""What the user set for decision models, read from a small TOML file.

model = "typesafe:jev-1.13.0"              # where neither --model nor THUMBINDEX_MODEL says another

[models."typesafe:jev-1.13.0"]             # settings of a model, by its name
input_price = 0.042

[models.home]                              # a short name of your own: --model home
use = "chat:http://localhost:11434/v1#llama3.2"
max_tokens = 8000
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from thumbindex.errors import SettingsError
from thumbindex.folders import settings_file

__all__ = ["ModelSettings", "Settings"]

_ENVIRONMENT = "THUMBINDEX_MODEL"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Settings of one model; None where the backend's own default holds.

    Attributes:
        api_key_env: The environment variable that holds the key.
        input_price: Dollars per million tokens read.
        output_price: Dollars per million tokens written.
        timeout_s: How long one request may take.
        max_options: Options in one Choice.
        max_tokens: Tokens in one question with its state: the model's context.
        in_flight: Requests sent at the same time, at first; more or fewer later, as the server bears.
        questions_per_request: System One only: how many questions share a request; 1 sends each alone.
        orders: Chat only: 2 asks each question in two opposite orders of its options and averages, 1 asks once.
        temperature: Chat only: probabilities are raised to 1/temperature and normalised; above 1 makes them less sure.
    """

    api_key_env: str | None = None
    input_price: float | None = None
    output_price: float | None = None
    timeout_s: float | None = None
    max_options: int | None = None
    max_tokens: int | None = None
    in_flight: int | None = None
    questions_per_request: int | None = None
    orders: int | None = None
    temperature: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("input_price", 0), ("output_price", 0), ("max_options", 2), ("max_tokens", 100)):
            self._check(name, least)
        self._check("in_flight", 1, 1_000)
        self._check("questions_per_request", 1)
        self._check("orders", 1, 2)
        self._check("temperature", 0.01, 100)
        self._check("timeout_s", 0.1)

    def _check(self, name: str, least: float, most: float = 1e9) -> None:
        value = getattr(self, name)
        if value is not None and not least <= value <= most:
            bounds = f"{least:g} or more" if most == 1e9 else f"{least:g} to {most:g}"
            raise SettingsError(f"{name} is {value}: use {bounds}")


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "api_key_env": str,
    **dict.fromkeys(("input_price", "output_price", "timeout_s", "temperature"), (int, float)),
    **dict.fromkeys(("max_options", "max_tokens", "in_flight", "questions_per_request", "orders"), int),
}


@dataclass(frozen=True)
class Settings:
    """All settings.

    Attributes:
        model: The model that decides where none is named.
        uses: The full name behind each short name.
        models: Settings by full or short name.
    """

    model: str | None = None
    uses: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, ModelSettings] = field(default_factory=dict)

    @classmethod
    def load(cls) -> Settings:
        """Those of the user's file, where there is one; THUMBINDEX_MODEL overrides its `model`.

        Raises:
            SettingsError: The file cannot be used, or THUMBINDEX_CONFIG names one that is not there.
        """
        file = settings_file()
        settings = cls.from_file(file) if file.exists() or "THUMBINDEX_CONFIG" in os.environ else cls()
        return replace(settings, model=os.environ.get(_ENVIRONMENT) or settings.model)

    @classmethod
    def from_file(cls, file: Path) -> Settings:
        """The settings in a TOML file.

        Raises:
            SettingsError: It cannot be read, or says what is not known here.
        """
        try:
            content = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsError(f"cannot read the settings {file}: {error.strerror}") from error
        except ValueError as error:
            raise SettingsError(f"the settings {file} are not TOML: {error}") from error
        try:
            return cls._from_toml(content)
        except SettingsError as error:
            raise SettingsError(f"in the settings {file}: {error}") from error

    @classmethod
    def _from_toml(cls, content: Mapping[str, Any]) -> Settings:
        _only(content, {"model": str, "models": dict}, "")
        uses: dict[str, str] = {}
        models: dict[str, ModelSettings] = {}
        for name, table in content.get("models", {}).items():
            if not isinstance(table, dict):
                raise SettingsError(f"models.{name} is not a table")
            _only(table, {"use": str, **_TYPES}, f"models.{name}.")
            if "use" in table:
                uses[name] = table["use"]
            models[name] = ModelSettings(**{key: value for key, value in table.items() if key != "use"})
        return cls(content.get("model"), uses, models)

    def resolved(self, name: str) -> tuple[str, ModelSettings]:
        """The full name of a model, and its settings: what its short name does not set, its full name may."""
        full = self.uses.get(name, name)
        general, own = self.models.get(full, ModelSettings()), self.models.get(name, ModelSettings())
        chosen = {f.name: getattr(own, f.name) for f in fields(own) if getattr(own, f.name) is not None}
        return full, replace(general, **chosen)


def _only(table: Mapping[str, Any], types: Mapping[str, type | tuple[type, ...]], where: str) -> None:
    for key, value in table.items():
        if key not in types:
            raise SettingsError(f"{where}{key} is not known: use {', '.join(types)}")
        if not isinstance(value, types[key]) or isinstance(value, bool):
            raise SettingsError(f"{where}{key} has a value of the wrong kind")
