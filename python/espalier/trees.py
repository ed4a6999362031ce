"""Trees as people have them: nested tuples, NLTK trees, dicts, syntax trees of Python, and texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

from .errors import ElementError

_ESCAPED = re.compile(r"(\\*)([() ]|\Z)")
_SPECIAL = re.compile(r"[() ]|\\\Z")
_REFUSED = re.compile("[\t\n\r\0]")
_CLOSE = object()


def to_brackets(tree: Any) -> str:
    """Write a tree in brackets.

    Parameters
    ----------
    tree : tuple, list, nltk.Tree, dict or ast.AST
        A tuple or list begins with the label, and children follow; a tuple may also hold the label
        and a list of all children. A dict has the keys "label" and "children", which may be
        missing. A string below is a leaf. Of the syntax tree of a Python program the labels are
        the names of the node types; names and constants are leaves, whether something is loaded or
        stored is left out.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it is no tree, or if a label holds a tab, line end or NUL.

    Examples
    --------
    >>> from espalier.trees import to_brackets
    >>> to_brackets(("S", ("NP", "dog"), ("VP", "barks")))
    '(S(NP(dog))(VP(barks)))'
    >>> to_brackets(("S", [("NP", ["dog"]), "barks"]))
    '(S(NP(dog))(barks))'
    >>> to_brackets({"label": "NP", "children": [{"label": "dog"}]})
    '(NP(dog))'
    >>> import ast
    >>> to_brackets(ast.parse("x = 1 + y"))
    '(Module(Assign(Name(x))(BinOp(Constant(1))(Add)(Name(y)))))'
    """
    # An explicit stack: a deep tree must not overflow that of Python.
    out: list[str] = []
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if node is _CLOSE:
            out.append(")")
            continue
        label, children = _parts(node)
        out.append("(" + _escaped(label))
        stack.append(_CLOSE)
        stack.extend(reversed(children))
    return "".join(out)


def texts_of(trees: Iterable[Any]) -> tuple[str | None, ...]:
    """Each tree as a text: strings as they are, None where a tree is missing, the rest in brackets.

    Parameters
    ----------
    trees : iterable
        A list, array, series, or a table of one column.

    Returns
    -------
    tuple of str or None

    Raises
    ------
    ElementError
        With the index of the element that is no tree.

    Examples
    --------
    >>> from espalier.trees import texts_of
    >>> texts_of(["(a b)", ("a", "b"), None])
    ('(a b)', '(a(b))', None)
    """
    if isinstance(trees, (str, bytes, dict, ast.AST)) or _is_nltk(trees):
        raise TypeError("a list of trees is wanted, not a single one")
    items = tuple(_column(trees))
    if all(type(item) is str for item in items):
        return items
    return tuple(_text(item, index) for index, item in enumerate(items))


def _column(trees: Any) -> Iterable[Any]:
    """The only column of a table; anything else as it is."""
    shape: tuple[int, ...] = getattr(trees, "shape", ())
    if len(shape) < 2:
        return trees
    if len(shape) > 2 or shape[1] != 1:
        raise ValueError(f"one tree for each example is wanted, not a table of shape {tuple(shape)}")
    return trees.iloc[:, 0] if hasattr(trees, "iloc") else trees[:, 0]


def _text(item: Any, index: int) -> str | None:
    if isinstance(item, str):
        return str(item)
    if item is None or (isinstance(item, float) and item != item):  # how pandas writes None
        return None
    try:
        return to_brackets(item)
    except ValueError as error:
        raise ElementError(f"element {index}: {error}", index) from None


def _is_nltk(node: Any) -> bool:
    return isinstance(node, list) and callable(getattr(node, "label", None))


def _parts(node: Any) -> tuple[str, list[Any]]:
    """The label of a node and what is below it."""
    if isinstance(node, str):
        return node, []
    if _is_nltk(node):
        return str(node.label()), list(node)
    if isinstance(node, dict):
        if "label" not in node:
            raise ValueError(f"a dict without a label: {_cut(node)}")
        return str(node["label"]), list(node.get("children") or ())
    if isinstance(node, ast.AST):
        return type(node).__name__, _syntax_children(node)
    if isinstance(node, (tuple, list)) and node and not isinstance(node[0], (tuple, list, dict)):
        if isinstance(node, tuple) and len(node) == 2 and type(node[1]) is list:
            return str(node[0]), node[1]
        return str(node[0]), list(node[1:])
    raise ValueError(f"this is no tree: {_cut(node)}")


def _syntax_children(node: ast.AST) -> list[Any]:
    if isinstance(node, ast.Constant):
        return [repr(node.value)]
    out: list[Any] = []
    for _, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, (ast.AST, str)) and not isinstance(child, ast.expr_context):
                out.append(child)
    return out


def _escaped(label: str) -> str:
    if _REFUSED.search(label):
        raise ValueError(f"the label {_cut(label)} holds a tab, line end or NUL")
    if not _SPECIAL.search(label):
        return label
    return _ESCAPED.sub(lambda m: m[1] * 2 + ("\\" + m[2] if m[2] else ""), label)


def _cut(what: Any) -> str:
    text = repr(what)
    return text if len(text) <= 60 else text[:60] + ".."
