"""`inkgate explain`: all that a rule says about itself."""

from __future__ import annotations

import argparse

from inkgate.cli.settings import configuration, rule_set
from inkgate.cli.terminal import write
from inkgate.match.rules import Rule
from inkgate.model import InkgateError, Target
from inkgate.text.escape import escape

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """Print one rule."""
    rules = rule_set(configuration(options))
    rule = rules.by_id.get(options.rule)
    if rule is None:
        import difflib

        near = difflib.get_close_matches(options.rule, rules.by_id, 3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`inkgate rules` lists them"
        raise InkgateError(f"no rule {options.rule!r}", hint=hint)
    write("".join(f"{line}\n" for line in _lines(rule)))
    return 0


def _lines(rule: Rule) -> list[str]:
    import textwrap

    def paragraph(text: str) -> list[str]:
        return textwrap.wrap(escape(" ".join(text.split()), 4000), 80) or [""]

    targets = "all targets" if rule.targets == frozenset(Target) else ", ".join(sorted(rule.targets))
    how = f"found by code ({rule.detector})" if rule.detector else f"pattern on the {rule.view} view"
    lines = [
        f"{rule.id}: {escape(rule.title, 400)}",
        f"{rule.category}, {rule.severity} severity, {rule.confidence} confidence; {targets}",
        f"pack {escape(rule.pack, 200)}, since {escape(rule.since, 40)}; {how}",
        "",
        "Why it matters",
        *paragraph(rule.why),
        "",
        "What to do",
        *paragraph(rule.fix),
    ]
    if rule.examples:
        lines += ["", "Found", *(f"  {escape(sample, 200)}" for sample in rule.examples)]
    if rule.counterexamples:
        lines += ["", "Left alone", *(f"  {escape(sample, 200)}" for sample in rule.counterexamples)]
    if rule.references:
        lines += ["", "References", *(f"  {escape(link, 400)}" for link in rule.references)]
    lines += ["", "Where it is wrong", f"  <!-- inkgate: ignore[{rule.id}] why it is wrong here -->"]
    return lines
