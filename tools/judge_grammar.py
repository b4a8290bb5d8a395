"""Write sentences by the grammar in `judge_grammar.toml`: what the learned judge is trained on beside real texts.

Every sentence is drawn with a fixed seed, so that the same grammar always teaches the same.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["Grammar", "sentences"]

PLACE = Path(__file__).with_name("judge_grammar.toml")

PART = re.compile(r"\{(\w+)\}|\(([^()]*)\)")
"""A class, or the innermost parts to choose from."""

PREFIXED = 0.25

GAPS = ((re.compile(r"\s+([,.;:?!])"), r"\1"), (re.compile(r"([,;:])[,;:]+"), r"\1"), (re.compile(r"\s+"), " "))


class Grammar:
    """Classes and sentences, and chance.

    Args:
        path: the file.
        seed: what chance begins with.
    """

    def __init__(self, path: Path = PLACE, seed: int = 11) -> None:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        self.classes: dict[str, list[str]] = data["classes"]
        self.attacks: dict[str, list[str]] = data["attacks"]
        self.ordinary: dict[str, list[str]] = data["ordinary"]
        self._chance = random.Random(seed)

    def _chosen(self, part: re.Match[str]) -> str:
        name, parts = part.groups()
        return self._chance.choice(self.classes[name] if name else parts.split("|"))

    def sentence(self, template: str, *, prefix: bool = False) -> str:
        """One sentence of a template; `prefix`: some begin with what entries of a memory begin with.

        Raises:
            KeyError: it names a class that is not there.
        """
        text = template
        while (more := PART.sub(self._chosen, text)) != text:
            text = more
        for gap, filled in GAPS:
            text = gap.sub(filled, text)
        text = text.strip()
        if prefix and self._chance.random() < PREFIXED:
            text = f"{self._chance.choice(self.classes['pre'])} {text}".replace("{day}", "Monday")
        if self._chance.random() < 0.7:
            text = text[:1].upper() + text[1:]
        return text if text[-1:] in ".?!:;" or self._chance.random() < 0.3 else f"{text}."

    def groups(self) -> Iterator[tuple[str, bool, str]]:
        """Name, whether it is malicious, and template of everything that can be written."""
        for malicious, groups in ((True, self.attacks), (False, self.ordinary)):
            for name, templates in groups.items():
                for template in templates:
                    yield name, malicious, template


def sentences(each: int) -> Iterator[tuple[str, bool, str]]:
    """`each` different sentences of every template, or as many as it has: group, whether malicious, sentence."""
    grammar = Grammar()
    for name, malicious, template in grammar.groups():
        made: dict[str, None] = {}
        for _ in range(4 * each):
            made[grammar.sentence(template, prefix=name.startswith("memory"))] = None
            if len(made) == each:
                break
        for text in made:
            yield name, malicious, text
