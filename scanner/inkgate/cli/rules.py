"""`inkgate rules`: list the rules, or check that each finds its examples and leaves its counterexamples alone."""

from __future__ import annotations

import argparse

from inkgate.cli.settings import configuration, rule_set
from inkgate.cli.terminal import say, write
from inkgate.match.rules import Rule, RuleSet
from inkgate.text.counted import counted
from inkgate.text.escape import escape

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """List or check; a failed check is exit code 1."""
    rules = rule_set(configuration(options))
    if options.action == "check":
        return _check(rules, options.format)
    if options.format == "json":
        from inkgate.report.json import dump

        write(
            dump({"schema_version": 1, "ruleset": rules.digest, "rules": [_record(rule) for rule in rules.rules]})
            + "\n"
        )
        return 0
    width = max((len(rule.id) for rule in rules.rules), default=0)
    for rule in sorted(rules.rules, key=lambda item: (item.category, item.id)):
        write(escape(f"{rule.id:{width}}  {rule.severity!s:8}  {rule.category:17}  {rule.title}", 400) + "\n")
    say(f"inkgate: {counted(len(rules.rules), 'rule')}; `inkgate explain RULE` says more")
    return 0


def _check(rules: RuleSet, name: str) -> int:
    from inkgate.checks import check_rules, check_table

    failures = [*check_rules(rules), *check_table()]
    if name == "json":
        from inkgate.report.json import dump

        rows = [{"rule": item.rule, "problem": item.problem} for item in failures]
        write(dump({"schema_version": 1, "ruleset": rules.digest, "failures": rows}) + "\n")
    else:
        for item in failures:
            write(escape(f"{item.rule}: {item.problem}", 1000) + "\n")
    samples = sum(len(rule.examples) + len(rule.counterexamples) for rule in rules.rules)
    outcome = f"{len(failures)} FAILED" if failures else "all as they say"
    say(f"inkgate: {len(rules.rules)} rules, {samples} examples and counterexamples: {outcome}")
    return 1 if failures else 0


def _record(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "title": rule.title,
        "category": str(rule.category),
        "severity": str(rule.severity),
        "confidence": str(rule.confidence),
        "targets": sorted(rule.targets),
        "pack": rule.pack,
        "since": rule.since,
        "why": rule.why,
        "fix": rule.fix,
        "references": list(rule.references),
    }
