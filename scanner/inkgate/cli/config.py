"""`inkgate config show`: the configuration that counts here, and where each value comes from."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from inkgate.cli.settings import configuration
from inkgate.cli.terminal import write
from inkgate.lint.config import KEYS
from inkgate.text.escape import escape

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """Print one line for each key and entry."""
    config = configuration(options)
    lines = []
    for key, spec in KEYS.items():
        origin = config.origins.get(key, "default")
        lines.append(f"# {spec.what}")
        found = config.get(key)
        if isinstance(found, Mapping) and found:
            lines += (f"{key}.{_quoted(name)} = {_toml(item)}  # {origin}" for name, item in found.items())
        elif found is None:
            lines.append(f"# {key} is not set")
        else:
            lines.append(f"{key} = {_toml(found)}  # {origin}")
    write("".join(f"{escape(line, 2000)}\n" for line in lines))
    return 0


def _toml(value: Any) -> str:  # noqa: ANN401 - whatever TOML holds
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{_quoted(name)} = {_toml(item)}" for name, item in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else _quoted(str(value))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
