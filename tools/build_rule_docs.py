"""Write the list of shipped rules into docs/rules.md, between its two marks.

python tools/build_rule_docs.py            bring the file up to date
python tools/build_rule_docs.py --check    say whether it is; exit code 1 if not
"""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from pathlib import Path

from inkgate.match.rules import Rule, RuleSet, load_rules

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "rules.md"
BEGIN, END = "<!-- rules: begin -->\n", "<!-- rules: end -->\n"


def table(rules: RuleSet) -> str:
    """The rules by category, as Markdown."""
    ordered = sorted(rules.rules, key=lambda rule: (rule.category, rule.id))
    lines = [f"{len(ordered)} rules.", ""]
    for category, group in groupby(ordered, key=lambda rule: rule.category):
        lines += [f"### {category}", "", "| rule | severity | confidence | finds |", "| --- | --- | --- | --- |"]
        lines += (_row(rule) for rule in group)
        lines.append("")
    return "\n".join(lines)


def _row(rule: Rule) -> str:
    title = rule.title.replace("|", "\\|").replace("<", "&lt;")
    only = "" if len(rule.targets) == 5 else f" ({', '.join(sorted(rule.targets))} only)"
    return f"| `{rule.id}` | {rule.severity} | {rule.confidence} | {title}{only} |"


def build(text: str, rules: RuleSet) -> str:
    """The document with the list of these rules.

    Raises:
        ValueError: the document has not exactly one pair of marks.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end or BEGIN in tail or END in tail:
        raise ValueError(f"{DOCUMENT.name} needs {BEGIN.strip()} and {END.strip()}, once each and in that order")
    return f"{head}{begin}\n{table(rules)}\n{end}{tail}"


def main() -> int:
    """Write or check; 0 when the document is up to date in the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    old = DOCUMENT.read_text(encoding="utf-8")
    new = build(old, load_rules())
    if old == new:
        return 0
    if options.check:
        print(f"{DOCUMENT.name} is not up to date: run python tools/build_rule_docs.py", file=sys.stderr)
        return 1
    DOCUMENT.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
