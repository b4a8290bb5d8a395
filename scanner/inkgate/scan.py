"""The pipeline: text in, verdict and findings out. The only module that knows every floor below it.

Text is read in canonical blocks whose borders depend on nothing but the text, so the result is the same however the
text is delivered, and memory does not grow with it.
"""

from __future__ import annotations

from collections.abc import Callable

from inkgate.findings import Candidate, Candidates
from inkgate.judge.context import BEFORE, Context, Judgement
from inkgate.judge.passages import LEARNED, Opinions, outspoken
from inkgate.layer import Layer
from inkgate.lean import TYPE_CHECKING, Any, replace
from inkgate.match.engine import Match
from inkgate.match.rules import Rule, RuleSet, load_rules
from inkgate.model import Category, InkgateError, ScanResult, Severity, Stance, Target, Unread
from inkgate.policy import DEFAULT, Policy
from inkgate.text.hidden import LAG, Hidden, HiddenScanner
from inkgate.text.raw import Raw
from inkgate.text.stream import BLOCK, Blocks, Reader
from inkgate.text.structure import Structure
from inkgate.text.unwrap import MAX_DEPTH, About, Budget
from inkgate.weighing import NEAR, SHOWN, around, candidate, judge

if TYPE_CHECKING:
    from inkgate.code.model import CodeFinding
    from inkgate.code.stage import Stage

__all__ = ["BLOCK", "Scan", "scan_bytes", "scan_stream", "scan_text"]

_REMEMBER = LAG + 4 * BLOCK
"""Characters whose lines stay known at least: findings on hidden characters come late. One that is longer than this
(a megabyte of zero-width characters) is said to start where the memory does."""


_TOLD = "told"
"""The view of letters and words that were picked out: chance makes values of them, and nobody hides one so."""


_OPENED, _JUDGED, _WEIGHED = 128, 128, 256
"""Characters of text that take as long to read as it does to begin with a fragment, to judge a match, to weigh a
passage: what a fragment takes from the budget besides its length."""


class Scan:
    """One text being scanned.

    Feed it canonical blocks (`BLOCK` characters, the last one shorter) and take the result.

    Args:
        target: what the text is written to; a `Target` or its name.
        source: path of the file, for the findings.
        policy: verdict table; the default one when None.
        rules: rule set; the shipped one when None.
        code: the text is source code or configuration, where bidi controls are never ordinary.
    """

    def __init__(
        self,
        target: Target | str = Target.MEMORY,
        *,
        source: str = "",
        policy: Policy | None = None,
        rules: RuleSet | None = None,
        code: bool = False,
    ) -> None:
        try:
            self.target = Target(target)
        except ValueError:
            raise InkgateError(f"unknown target {target!r}", hint=f"targets are {', '.join(Target)}") from None
        self.source = source
        self.policy = policy or DEFAULT
        self.rules = rules or load_rules()
        self.code = code
        self.raw = Raw()
        self.structure = Structure()
        self.budget = Budget()
        self.views: set[str] = {"raw"}
        self._active_ids: frozenset[str] = self.rules.once("active", _active_ids)
        self._hidden = HiddenScanner(code=code)
        self._candidates = Candidates()
        self._opinions: Opinions[tuple[Candidate, str]] = Opinions(self.target)
        self._unread: list[Unread] = []
        self._inside: set[tuple[tuple[int, int], str]] = set()  # fragments of this block that were scanned
        self._layer = Layer(self, (), lambda start, end: (start, end))
        self._code = _code_stage(source) if self.target is Target.SKILL else None

    def feed(self, block: str, *, final: bool = False) -> None:
        """Read the next block; `final` says that it is the last one."""
        origin = self.raw.end
        self.raw.append(block)
        self.structure.feed(block, final=final)
        self.budget.grow(len(block))
        self._inside.clear()
        for item in self._hidden.feed(block, final=final):
            self._add_hidden(item)
        layer = self._layer
        layer.feed(block, origin, final=final)
        keep = min(layer.oldest(origin), self.raw.end - _REMEMBER)
        if final:
            del self._layer  # it refers to this scan
        if self._code is not None:
            for found, mention in self._code.feed(block, final=final):
                self._add_code(found, mention)
            keep = min(keep, self._code.oldest(keep))
        self.structure.trim(keep)
        self.raw.trim(keep)

    def read(self, blocks: Blocks) -> None:
        """Read a whole text, block by block, with what the decoder has to say about its bytes."""
        held = ""
        for block in blocks:
            if held:
                self.feed(held)
                self._notes(blocks)
            held = block
        self.feed(held, final=True)
        self._notes(blocks)

    def _notes(self, blocks: Blocks) -> None:
        notes = blocks.decoder.notes
        while notes and notes[0].end <= self.raw.end:
            item = notes.pop(0)
            self.note(item.rule, item.start, item.end, item.message)

    def note(self, rule: str, start: int, end: int, message: str = "", *, severity: Severity | None = None) -> None:
        """Add a finding of a code rule at a place of the text (for instance bytes that could not be decoded)."""
        found = self.rules.by_id[rule]
        self.place(found, start, end, severity=severity, message=message)

    def unread(self, item: Unread) -> None:
        """Record something that was not read; a fatal one makes the result incomplete."""
        self._unread.append(item)

    def result(self) -> ScanResult:
        """Verdict and findings of everything that was fed."""
        for item, passage in self._opinions.take(self.raw.end):
            # What weighed most takes longer to tell than to weigh, and most opinions do not count.
            reason = "; ".join(filter(None, (self._opinions.reason(passage), item.judgement.reason)))
            self._candidates.add(replace(item, judgement=replace(item.judgement, reason=reason)))
        omitted = self.rules.by_id.get("findings-omitted")
        findings = outspoken(self._candidates.findings(self.target, self.source, self.policy, omitted))
        complete = not (self._unread and any(item.fatal for item in self._unread))
        return ScanResult(
            self.policy.decide(findings, complete=complete),
            findings,
            self.target,
            self.raw.end,
            tuple(sorted(self.views)),
            tuple(self._unread),
            self.rules.digest,
            self.source,
        )

    def _active(self, rule: Rule) -> bool:
        return self.target in rule.targets and rule.id in self._active_ids

    def _add_hidden(self, item: Hidden) -> None:
        rule = self.rules.by_id[item.rule]
        self.place(rule, item.start, item.end, severity=item.severity, message=item.message)
        if item.decoded:
            self.inner(item.decoded, "hidden", (), _always(item.start, item.end))

    def _add_code(self, found: CodeFinding, mention: str) -> None:
        """Take what an analyser of code found; code that is shown as a bad example is only mentioned."""
        from inkgate.code.stage import shown_as_bad

        rule = self.rules.by_id[found.rule]
        if not mention and any(map(shown_as_bad, self.structure.at(found.start).headings)):
            mention = "under a heading that announces bad examples"
        severity = rule.severity if found.severity is None else found.severity
        confidence = rule.confidence if found.confidence is None else found.confidence
        stance = Stance.MENTION if mention else Stance.USE
        judgement = Judgement(severity, confidence, stance, mention)
        self.place(rule, found.start, found.end, judgement=judgement, message=found.message, view="code")

    def place(
        self,
        rule: Rule,
        start: int,
        end: int,
        *,
        severity: Severity | None = None,
        judgement: Judgement | None = None,
        message: str = "",
        view: str = "raw",
        depth: int = 0,
    ) -> None:
        """Keep a candidate of a rule that has no pattern, at a place of the original text."""
        if not self._active(rule):
            return
        start = max(start, self.raw.first)
        end = max(start, end)
        shown = self.raw.slice(start, min(end, start + SHOWN)) or ""
        near = self.raw.slice(max(0, start - NEAR), start) or ""
        self._candidates.add(
            Candidate(
                rule,
                judgement or Judgement(rule.severity if severity is None else severity, rule.confidence),
                start,
                end,
                *self.raw.line_column(start),
                *self.raw.line_column(end),
                view=view,
                depth=depth,
                shown=shown,
                text=shown,
                context=near.rpartition("\n")[2],
                message=message,
            )
        )

    def inner(
        self,
        text: str,
        name: str,
        chain: tuple[str, ...],
        place: Callable[[int, int], tuple[int, int]],
        changed: Callable[[int, int], bool] | None = None,
        about: About | None = None,
    ) -> None:
        """Scan a decoded fragment.

        Args:
            text: the fragment.
            name: what was taken off to see it.
            chain: what was taken off before.
            place: maps its ranges to the original text.
            changed: whether a range of it reads otherwise than the text around it; None when all of it does.
            about: where that is, if it is known.
        """
        chain = (*chain, name)
        # Two disguises undone in either order give the same text at the same place; once is enough.
        known = place(0, len(text)), text
        if known in self._inside:
            return
        self._inside.add(known)
        if not self.budget.spend(len(text) + _OPENED):
            start, end = place(0, len(text))
            self.place(self.rules.by_id["decoding-budget"], start, end, view="/".join(chain), depth=len(chain))
            return
        self.views.add("/".join(chain))
        layer = Layer(self, chain, place, changed, about)
        if not text.isascii():
            for item in HiddenScanner().feed(text, final=True):
                if item.decoded and len(chain) <= MAX_DEPTH:
                    self.inner(item.decoded, "hidden", chain, _always(*place(item.start, item.end)))
        layer.feed(text, 0, final=True)

    def consider(self, layer: Layer, match: Match) -> bool:
        """Judge a match and keep it as a candidate; False: it was judged, and is none."""
        rule = match.rule
        if not self._active(rule) or (rule.category is Category.SECRET and _TOLD in layer.chain):
            return True
        if layer.chain:
            self.budget.charge(_JUDGED)
        span = layer.place(match.start, match.end)
        shown = None if layer.chain else self.raw.slice(span[0], min(span[1], span[0] + 4 * SHOWN))
        context = self._around(layer, match, span[0], shown)
        if context.views and not layer.fresh(match.start, match.end):
            # Only what stands before it was written otherwise; the phrase itself is in the text as it is.
            context = replace(context, views=context.views[:-1])
        judgement = judge(rule, context)
        if judgement is None:
            return False
        if rule.value:
            span = layer.place(match.value_start, match.value_end)
        self._candidates.add(candidate(self.raw, rule, context, judgement, span, shown))
        return True

    def _around(self, layer: Layer, match: Match, start: int, shown: str | None) -> Context:
        return around(self.target, self.source, layer.view, layer.chain, self.structure, match, start, shown)

    def weigh(self, layer: Layer, cue: tuple[int, int], start: int, stop: int, end: int) -> None:
        """Ask the learned judge about the passage of a cue, and keep its opinion until the whole text is known."""
        rule = self.rules.by_id.get(LEARNED)
        if rule is None or not self._active(rule):
            return
        if layer.chain:
            self.budget.charge(_WEIGHED)
        view = layer.view
        passage = view.lower[start - view.base : end - view.base]
        score = self._opinions.weigh(passage)
        if score is None:
            return
        context = self._around(layer, Match(rule, *cue, *cue), layer.place(*cue)[0], None)
        read = view.cased[max(0, end - view.base - BEFORE) : end - view.base]
        from inkgate.judge.stance import weigh_stance

        judgement = weigh_stance(rule, context, read)
        span = layer.place(start, end)
        shown = passage if layer.chain else self.raw.slice(span[0], min(span[1], span[0] + 4 * SHOWN))
        # Its identity is that of its sentence: whichever cue led here, and whatever is edited around it.
        context = replace(context, matched=passage[: stop - start], before="", after="")
        self._opinions.keep(score, (candidate(self.raw, rule, context, judgement, span, shown), passage))


def _code_stage(source: str) -> Stage:
    """The analysers of code, which are imported only where a skill is scanned."""
    from inkgate.code.stage import Stage

    return Stage(source)


def _always(start: int, end: int) -> Callable[[int, int], tuple[int, int]]:
    """A map that gives one place for every range: hidden text has no finer one."""
    return lambda _start, _end: (start, end)


def _active_ids(rules: RuleSet) -> frozenset[str]:
    return frozenset(rule.id for rule in rules.rules)


def scan_text(text: str, *, target: Target | str = Target.MEMORY, **options: Any) -> ScanResult:
    """Scan a text of any length.

    Args:
        text: what is to be written.
        target: what it is written to.
        options: `source`, `policy`, `rules` and `code`, as for `Scan`.

    Raises:
        InkgateError: unknown target, or rules that cannot be used.
        TypeError: `text` is not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}; use scan_bytes for bytes")
    scan = Scan(target, **options)
    size = len(text)
    if size <= BLOCK:
        scan.feed(text, final=True)
    else:
        for start in range(0, size, BLOCK):
            scan.feed(text[start : start + BLOCK], final=start + BLOCK >= size)
    return scan.result()


def scan_stream(reader: Reader, *, target: Target | str = Target.MEMORY, **options: Any) -> ScanResult:
    """Scan whatever a reader delivers, in constant memory.

    Args:
        reader: has `read(size)`, which gives text or bytes; short reads are fine, an empty one is the end.
        target: what it is written to.
        options: `source`, `policy`, `rules` and `code`, as for `Scan`.

    Raises:
        InkgateError: unknown target, rules that cannot be used, or a reader that gives something else.
        TypeError: `reader` has no `read`.
    """
    scan = Scan(target, **options)
    scan.read(Blocks(reader))
    return scan.result()


def scan_bytes(data: bytes, *, target: Target | str = Target.MEMORY, **options: Any) -> ScanResult:
    """Scan bytes: UTF-8, or UTF-16 and UTF-32 by byte order mark; what cannot be decoded is a finding.

    Args:
        data: what is to be written.
        target: what it is written to.
        options: `source`, `policy`, `rules` and `code`, as for `Scan`.

    Raises:
        InkgateError: unknown target, or rules that cannot be used.
        TypeError: `data` is not bytes.
    """
    import io

    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"data must be bytes, not {type(data).__name__}; use scan_text for text")
    return scan_stream(io.BytesIO(data), target=target, **options)
