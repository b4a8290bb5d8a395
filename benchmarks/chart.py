"""Bars and lines as SVG, by hand: two small pictures are not worth a plotting library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _BAR, _LEFT, _TOP = 860, 26, 300, 44
_COLOR, _OTHER, _INK, _GRID = "#1f6feb", "#8c959f", "#57606a", "#d0d7de"
_STYLE = f"font-family='system-ui, sans-serif' fill='{_INK}'"


class Bar(NamedTuple):
    """One bar: its name, its value, and whether it is this project's own."""

    name: str
    value: float
    own: bool


def document(height: float, body: Sequence[str]) -> str:
    """A whole picture, on a white ground so that it can be read on a dark page."""
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{height:.0f}' "
            f"viewBox='0 0 {_WIDTH} {height:.0f}' role='img'>",
            f"<rect width='{_WIDTH}' height='{height:.0f}' fill='white'/>",
            *body,
            "</svg>",
            "",
        ]
    )


def text(x: float, y: float, words: str, *, size: int = 13, anchor: str = "start") -> str:
    """A line of text."""
    return f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' {_STYLE}>{escape(words)}</text>"


def bars(title: str, items: Sequence[Bar], top: float) -> tuple[list[str], float]:
    """Horizontal bars on a logarithmic scale, longest first; and where they end."""
    items = sorted(items, key=lambda bar: -bar.value)
    low = 10 ** math.floor(math.log10(min(bar.value for bar in items) * 0.99))
    high = 10 ** math.ceil(math.log10(max(bar.value for bar in items)))
    room = _WIDTH - _LEFT - 90
    out = [text(16, top + 20, title, size=15)]
    bottom = top + _TOP + _BAR * len(items)
    for decade in range(round(math.log10(low)), round(math.log10(high)) + 1):
        x = _LEFT + room * (decade - math.log10(low)) / math.log10(high / low)
        out.append(f"<path d='M{x:.1f} {top + _TOP - 4:.1f}V{bottom:.1f}' stroke='{_GRID}'/>")
        out.append(text(x, bottom + 16, f"{10**decade:g}", size=11, anchor="middle"))
    for number, bar in enumerate(items):
        y = top + _TOP + _BAR * number
        width = room * math.log10(bar.value / low) / math.log10(high / low)
        color = _COLOR if bar.own else _OTHER
        out.append(text(_LEFT - 8, y + 16, bar.name, anchor="end"))
        out.append(f"<rect x='{_LEFT}' y='{y + 3:.1f}' width='{width:.1f}' height='{_BAR - 6}' fill='{color}'/>")
        out.append(text(_LEFT + width + 6, y + 16, f"{bar.value:.3g}"))
    return out, bottom + 24


def line(title: str, points: Sequence[tuple[float, float]], top: float, *, unit: str) -> tuple[list[str], float]:
    """A line through points, both axes logarithmic; and where the picture ends."""
    height, room = 200.0, _WIDTH - 160.0
    lows = [10 ** math.floor(math.log10(min(values) * 1.0001)) for values in zip(*points, strict=True)]
    highs = [10 ** math.ceil(math.log10(max(values) * 0.9999)) for values in zip(*points, strict=True)]

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            90 + room * math.log10(x / lows[0]) / math.log10(highs[0] / lows[0]),
            top + 40 + height * (1 - math.log10(y / lows[1]) / math.log10(highs[1] / lows[1])),
        )

    out = [text(16, top + 20, title, size=15)]
    for decade in range(round(math.log10(lows[0])), round(math.log10(highs[0])) + 1):
        x, y = place(10**decade, lows[1])
        out.append(f"<path d='M{x:.1f} {top + 40:.1f}V{y:.1f}' stroke='{_GRID}'/>")
        out.append(text(x, y + 16, _size(10**decade), size=11, anchor="middle"))
    for decade in range(round(math.log10(lows[1])), round(math.log10(highs[1])) + 1):
        x, y = place(lows[0], 10**decade)
        out.append(f"<path d='M{x:.1f} {y:.1f}H{90 + room:.1f}' stroke='{_GRID}'/>")
        out.append(text(x - 6, y + 4, f"{10**decade:g} {unit}", size=11, anchor="end"))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
    out.append(f"<polyline points='{path}' fill='none' stroke='{_COLOR}' stroke-width='2'/>")
    out += [
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{_COLOR}'/>" for x, y in (place(*point) for point in points)
    ]
    return out, top + 40 + height + 30


def _size(characters: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "K")):
        if characters >= size:
            return f"{characters / size:g}{unit}"
    return f"{characters:g}"
