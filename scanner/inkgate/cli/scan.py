"""`inkgate scan`: files, folders or standard input to a report."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import closing
from pathlib import Path

from inkgate.cli.settings import configuration, rule_set, value
from inkgate.cli.terminal import Progress, say, use_color, write
from inkgate.lean import TYPE_CHECKING
from inkgate.lint.collect import Collector
from inkgate.lint.examine import Examiner, Options
from inkgate.lint.pool import examine_all
from inkgate.model import InkgateError, Target
from inkgate.report import FailOn, Report, Style, render
from inkgate.report.text import summary
from inkgate.text.counted import counted

if TYPE_CHECKING:
    from inkgate.lint.baseline import Baseline
    from inkgate.lint.config import Config

__all__ = ["run"]

BASELINE_CHANGED = 3
NOTICES = 20
"""Notices told one by one on the error stream; the report has them all."""


def run(options: argparse.Namespace) -> int:
    """Scan, print, and say with the exit code how it went."""
    if not options.paths:
        options.parser.print_help(sys.stderr)
        return 2
    config = configuration(options)
    baseline = _baseline(options, config)
    rules = rule_set(config, keep=bool(value(options, config, "cache")))
    collector = Collector(rules, config.policy(), config.get("disable"))
    left_out = _fill(collector, options, config)
    changed = _settle(collector, options, baseline)
    root = str(Path.cwd())
    report = collector.report(FailOn(value(options, config, "fail-on")), left_out=left_out, root=root)
    _show(report, options, value(options, config, "format"))
    if not report.files and not report.unread and not options.force_exclude:
        hint = "name the files, or use --no-gitignore" if left_out else "the folders hold no files"
        raise InkgateError("nothing was scanned, so nothing can be said", hint=hint)
    return BASELINE_CHANGED if changed and report.exit_code == 0 else report.exit_code


def _fill(collector: Collector, options: argparse.Namespace, config: Config) -> int:
    """Examine everything that was asked for; how many files were left out."""
    from inkgate.lint.inputs import select
    from inkgate.private import cache_folder

    how = Options(
        target=Target(options.target) if options.target else None,
        targets=tuple(config.get("targets").items()),
        folder=str(config.folder),
        packs=config.get("rule-packs"),
        policy=dict(config.get("policy")),
        suppressions=not options.no_suppressions,
        skill_profile=value(options, config, "skill-profile"),
        skill_trust=value(options, config, "skill-trust"),
        cache=str(cache_folder()) if value(options, config, "cache") else "",
    )
    if "-" in options.paths:
        if len(options.paths) > 1:
            raise InkgateError("standard input is scanned alone", hint="leave out the other paths, or the -")
        collector.add(Examiner(how).examine_stream(sys.stdin.buffer, options.stdin_filename or ""))
        return 0
    if options.stdin_filename:
        raise InkgateError("--stdin-filename goes with standard input", hint="give - as the path")
    chosen = select(
        options.paths,
        exclude=(*config.get("exclude"), *(options.exclude or ())),
        folder=str(config.folder),
        gitignore=not options.no_gitignore,
        force=options.force_exclude,
        own=[
            str(path) for path in (value(options, config, "baseline"), options.output) if path not in (None, Path("-"))
        ],
    )
    collector.notices += chosen.remarks
    progress = Progress(len(chosen.items), quiet=options.quiet)
    with closing(progress):
        examined = examine_all(chosen.items, how, value(options, config, "jobs"), collector.notices)
        for item, outcome in zip(chosen.items, examined, strict=True):
            collector.add(outcome)
            progress.step(item.source)
    return chosen.left_out


def _baseline(options: argparse.Namespace, config: Config) -> Baseline | None:
    """The baseline of this run, empty when it is to be made."""
    named = value(options, config, "baseline")
    if named is None:
        if options.update_baseline:
            raise InkgateError("--update-baseline: which file?", hint="give --baseline FILE, or set it in inkgate.toml")
        return None
    from inkgate.lint.baseline import Baseline, load

    path = Path(named)
    if options.update_baseline and not os.path.lexists(path):
        return Baseline(path, {})
    return load(path)


def _settle(collector: Collector, options: argparse.Namespace, baseline: Baseline | None) -> bool:
    """Compare with the baseline, after bringing it up to date if asked to; whether the file changed."""
    if baseline is None:
        return False
    from datetime import date

    changed = False
    if options.update_baseline:
        from inkgate import __version__
        from inkgate.lint.baseline import save

        baseline = baseline.updated(collector.ordered(), collector.scanned)
        changed = save(baseline, __version__, collector.rules.digest)
        if changed and not options.quiet:
            say(f"inkgate: {baseline.path} now accepts {counted(len(baseline.entries), 'finding')}")
    collector.compare(baseline, date.today().isoformat())
    return changed


def _show(report: Report, options: argparse.Namespace, name: str) -> None:
    """Write the report, and the summary to the error stream."""
    from inkgate.cli.shown import named

    report = named(report)
    output: Path | None = None if options.output in (None, Path("-")) else options.output
    color = output is None and use_color(options.color, sys.stdout)
    text = render(report, name, Style(color=color, verbose=options.verbose))
    if output is None:
        write(text)
        sys.stdout.flush()  # before the summary, where both streams go the same way
    else:
        from inkgate.lint.output import replace_file

        try:
            replace_file(output, text)
        except OSError as error:
            raise InkgateError(f"{output}: cannot be written: {error.strerror or error}") from error
    if name == "github" and (path := os.environ.get("GITHUB_STEP_SUMMARY")):
        _step_summary(report, Path(path))
    if options.quiet:
        return
    for notice in report.notices[:NOTICES]:
        say(f"inkgate: {notice}")
    if len(report.notices) > NOTICES:
        say(f"inkgate: and {len(report.notices) - NOTICES} more notices")
    say(summary(report))


def _step_summary(report: Report, path: Path) -> None:
    from inkgate.report.github import step_summary

    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(step_summary(report))
    except OSError as error:
        say(f"inkgate: the step summary could not be written: {error.strerror or error}")
