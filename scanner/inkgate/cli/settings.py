"""What the command line and the configuration file say together; the command line wins."""

from __future__ import annotations

import argparse
import os

from inkgate.lean import TYPE_CHECKING, Any
from inkgate.lint.config import Config, ConfigError, load

if TYPE_CHECKING:
    from inkgate.match.rules import RuleSet

__all__ = ["configuration", "rule_set", "value"]


def configuration(options: argparse.Namespace) -> Config:
    """The configuration of this run: `--config`, else `--no-config`, else the environment, else the nearest file."""
    named = options.config or (None if options.no_config else os.environ.get("INKGATE_CONFIG"))
    return load(named, search=not options.no_config)


def value(options: argparse.Namespace, config: Config, key: str) -> Any:
    """An option of the command line, or the key of the same name."""
    given = getattr(options, key.replace("-", "_"), None)
    return config.get(key) if given is None else given


def rule_set(config: Config, *, keep: bool = False) -> RuleSet:
    """The shipped rules and those of the configuration's packs.

    Args:
        config: the configuration.
        keep: whether what is compiled for an engine is kept in the user's cache folder.

    Raises:
        RuleError: a pack is wrong.
        ConfigError: `disable` names a rule that does not exist.
    """
    from inkgate.match.rules import load_rules

    rules = load_rules(config.get("rule-packs"), keep=keep)
    for rule in config.get("disable"):
        if rule not in rules.by_id:
            import difflib

            near = difflib.get_close_matches(rule, rules.by_id, 1)
            raise ConfigError(
                f"{config.origins['disable']}: disable.{rule}: no such rule"
                + (f"; did you mean {near[0]!r}?" if near else ""),
                hint="`inkgate rules` lists them",
            )
    return rules
