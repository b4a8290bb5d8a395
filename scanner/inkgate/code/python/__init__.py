"""Python: what a file does, by its syntax tree and by where its values come from."""

from __future__ import annotations

from inkgate.code.model import Analysis, CodeFinding, merge
from inkgate.code.python.flow import Flow
from inkgate.code.python.parse import Source, Tree, parse
from inkgate.code.python.rules import Watch
from inkgate.code.python.whole import rewrites_agents, waits_for_date
from inkgate.code.traps import traps

__all__ = ["analyse"]

_UNREAD = {
    "depth": "Python that nests too deeply to be analysed",
    "pieces": "Python that does not parse, in more pieces than are analysed one by one",
}


def analyse(text: str, *, name: str = "", depth: int = 0, example: bool = False) -> Analysis:
    """What a piece of Python does.

    Args:
        text: the source.
        name: its file's name, which says what runs it (`setup.py`).
        depth: how many texts inside texts this one is.
        example: whether it is a block in a document, where a piece that does not parse is no news.
    """
    source = Source(text)
    trees, problem = parse(text)
    parts = [_tree(tree, source, name, depth) for tree in trees]
    if problem in _UNREAD:
        message = _UNREAD[problem]
        parts.append(Analysis((CodeFinding("script-not-analysed", 0, len(text), message),)))
    elif problem and not example:
        parts.append(Analysis((CodeFinding("script-syntax", 0, min(len(text), 1)),)))
    if depth == 0:
        parts.append(Analysis(tuple(traps(text))))
    return merge(parts)


def _tree(tree: Tree, source: Source, name: str, depth: int) -> Analysis:
    flow = Flow(tree.module)
    watch = Watch(flow, source, tree.shift, name, depth)
    settled = flow.settle()
    for node, _scope in flow.steps:
        watch.see(node)
    if not settled or flow.short:
        watch.add("script-not-analysed", tree.module, "It is too entangled to follow where its values come from")
    nodes = [node for node, _scope in flow.steps]
    for node in waits_for_date(nodes):
        watch.add("script-waits-for-date", node.test)
    rewritten = rewrites_agents(nodes, lambda node: flow.value(node).text)
    if rewritten is not None:
        watch.add("script-writes-agent-files", rewritten, "The rules or skills of agents are looked for and rewritten")
    return watch.result()
