"""Trees as people have them: nested tuples, NLTK trees, dicts, syntax trees of Python, and texts."""

from __future__ import annotations

import ast
import re
import reprlib
from collections.abc import Iterable, Iterator
from typing import Any

from .errors import ElementError
from .parsers import is_parsed, one_sentence

_ESCAPED = re.compile(r"(\\*)([() ]|\Z)")
_SPECIAL = re.compile(r"[() ]|\\\Z")
_REFUSED = re.compile("[\t\n\r\0]")
_MAX_NODES = 20_000_000  # as when reading
_UNCOUNTED = 1 << 16  # smaller trees are written without being counted first


def to_brackets(tree: Any, max_nodes: int = _MAX_NODES) -> str:
    """Write a tree in brackets.

    Parameters
    ----------
    tree : tuple, list, nltk.Tree, dict or ast.AST
        A tuple or list begins with the label, and children follow; a tuple may also hold the label
        and a list of all children. A dict has the keys "label" and "children", which may be
        missing. A string below is a leaf. Of the syntax tree of a Python program the labels are
        the names of the node types; names and constants are leaves, whether something is loaded or
        stored is left out.
    max_nodes : int, default: 20000000
        The largest tree that is written. An object that occurs at several places counts at each.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it is no tree, if it contains itself, if it is too large, or if a label holds a tab, line
        end or NUL.

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
    if isinstance(tree, (tuple, list)) and len(tree) > 1 and all(map(_is_in_brackets, tree)):
        raise ValueError("this is no tree but a tuple or list of texts in brackets: give each text "
                         f"as an element of its own; pairs are read from klp files: {_cut(tree)}")
    out: list[str] = []
    for opened in _walk(tree, max_nodes):
        out.append(")" if opened is None else "(" + _escaped(opened))
    return "".join(out)


def _walk(tree: Any, max_nodes: int) -> Iterator[str | None]:
    """The labels of a tree in preorder, and None at the end of each node."""
    # An explicit stack, of nodes and what is left of their children: a deep tree must not overflow
    # that of Python.
    label, children = _parts(tree)
    stack = [(tree, iter(children))]
    above = {id(tree)}
    nodes = 1
    yield label
    while stack:
        node, rest = stack[-1]
        child = next(rest, _walk)  # a default that is no child
        if child is _walk:
            stack.pop()
            above.discard(id(node))
            yield None
            continue
        nodes += 1
        if nodes > max_nodes or (nodes == _UNCOUNTED and _count(tree) > max_nodes):
            raise ValueError(f"a tree of more than {max_nodes} nodes; max_nodes sets this limit")
        label, children = _parts(child)
        if not isinstance(child, str):
            if id(child) in above:
                raise ValueError("a tree that contains itself")
            above.add(id(child))
        stack.append((child, iter(children)))
        yield label


def _count(tree: Any) -> int:
    """The number of nodes. An object that occurs at several places is visited once."""
    sizes: dict[int, int] = {}
    kept: list[Any] = []  # ids are those of objects that live
    stack: list[tuple[Any, list[Any] | None]] = [(tree, None)]
    above: set[int] = set()
    while stack:
        node, children = stack.pop()
        if children is not None:
            sizes[id(node)] = 1 + sum(sizes[id(child)] for child in children)
            above.discard(id(node))
        elif id(node) in above:
            raise ValueError("a tree that contains itself")
        elif id(node) not in sizes:
            _, children = _parts(node)
            kept.append(children)
            above.add(id(node))
            stack.append((node, children))
            stack.extend((child, None) for child in children)
    return sizes[id(tree)]


def texts_of(trees: Iterable[Any], max_nodes: int = _MAX_NODES) -> tuple[str | None, ...]:
    """Each tree as a text: strings as they are, None where a tree is missing, the rest in brackets.

    Parameters
    ----------
    trees : iterable
        A list, array, series, or a table of one column.
    max_nodes : int, default: 20000000
        As for `to_brackets`.

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
    if is_single_tree(trees):
        raise TypeError("a list of trees is wanted, not a single one")
    items = tuple(_column(trees))
    if all(type(item) is str for item in items):
        return items
    return tuple(_text(item, index, max_nodes) for index, item in enumerate(items))


def is_single_tree(trees: Any) -> bool:
    """Whether this is a tree rather than a sequence of trees, as far as its type tells.

    Parameters
    ----------
    trees : tree or sequence of trees

    Examples
    --------
    >>> from espalier.trees import is_single_tree
    >>> is_single_tree("(a b)"), is_single_tree(["(a b)"])
    (True, False)
    """
    return isinstance(trees, (str, bytes, dict, ast.AST)) or _is_nltk(trees)


def _column(trees: Any) -> Iterable[Any]:
    """The only column of a table; anything else as it is."""
    shape: tuple[int, ...] = getattr(trees, "shape", ())
    if len(shape) < 2:
        return trees
    if len(shape) > 2 or shape[1] != 1:
        raise ValueError(f"one tree for each example is wanted, not a table of shape {tuple(shape)}")
    return trees.iloc[:, 0] if hasattr(trees, "iloc") else trees[:, 0]


def _text(item: Any, index: int, max_nodes: int) -> str | None:
    if isinstance(item, str):
        return str(item)
    if item is None or (isinstance(item, float) and item != item):  # how pandas writes None
        return None
    try:
        return one_sentence(item) if is_parsed(item) else to_brackets(item, max_nodes)
    except ValueError as error:
        raise ElementError(f"element {index}: {error}", index) from None


def _is_in_brackets(item: Any) -> bool:
    if not isinstance(item, str):
        return False
    text = item.strip()
    return len(text) > 2 and text[0] == "(" and text[-1] == ")"


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
    text = reprlib.repr(what)  # repr itself may be huge: a tuple may hold another one many times
    return text if len(text) <= 60 else text[:60] + ".."
