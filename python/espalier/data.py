"""Data sets: trees and what belongs to them."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Union, overload

import numpy as np

from . import _core
from .forest import Forest
from .trees import _MAX_NODES, texts_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._core import ReadOptions

Label = Union[str, float, "tuple[str, float]"]


class Dataset:
    """Examples with labels and named trees, vectors and texts. Made of trees, or by `read`.

    What the members of a pair have is named "a/name" and "b/name". Indexing by a slice, a list, an
    array of numbers or a mask gives a data set of these examples, which shares the trees: nothing is
    parsed or copied when scikit-learn makes its folds. A single number gives the tree of that
    example. Data sets never change, and can be pickled.

    Parameters
    ----------
    trees : sequence or dict
        The trees, in a list, an array, a series or a column of a table: strings in brackets, XML,
        HTML or CoNLL-U; sentences parsed by spaCy or Stanza; nested tuples or lists; `nltk.Tree`;
        dicts; `ast` nodes (see `espalier.trees.to_brackets`); None where an example has none. Or a
        `Forest`. Or a dict of such lists by name, for several trees of each example; it may be
        empty.
    labels : sequence, optional
        A class for each example, or a number: classes if all are whole, else to be predicted.
    name : str
        What the trees are called in kernel expressions, unless a dict names them.
    vectors : dict, optional
        By name, an array or sparse matrix of a row for each example, or a list of dicts of
        features or of sequences of numbers; None where an example has none.
    texts : dict, optional
        By name, a list of a text for each example, or None.
    pairs : pair of data sets or lists of trees, optional
        The members of the pair that each example has.
    format : str, optional
        What the strings hold: "brackets" or one of `formats`. Without it, each string tells; one
        that may be in brackets or in another format is an error.
    **options
        Those of `read`, except its `labels`.

    Raises
    ------
    ElementError
        If a tree is wrong; the error knows which.

    Examples
    --------
    >>> espalier.Dataset(["(S (NP dog) (VP barks))", ("S", ("NP", "cat"), ("VP", "sleeps"))])
    Dataset(2 examples, tree 'tree')
    >>> espalier.Dataset(["<p>some <b>text</b></p>"], format="html", text="keep")[0]
    '(html(head)(body(p(some)(b(text)))))'
    >>> espalier.Dataset({"grct": ["(a b)", "(a c)"]}, ["x", "y"], vectors={"v": [[1, 2], [3, 4]]},
    ...                  texts={"id": ["q1", "q2"]})
    Dataset(2 examples, 2 classes, tree 'grct', vector 'v', text 'id')
    >>> espalier.Dataset(pairs=(["(a b)", "(a c)"], ["(a d)", "(e f)"]))
    Dataset(2 examples, trees 'a/tree', 'b/tree')
    >>> data = espalier.read("examples/formats/questions.klp")
    >>> data
    Dataset(5 examples, 4 classes, trees 'const', 'words', vector 'bow', text 'question')
    >>> data.labels
    ['LOC', 'HUM', 'NUM', 'DESC', 'LOC']
    >>> data.trees("words")[0]
    '(Q(Where)(is)(Lima)(?))'
    """

    _part = False  # whether the forests hold more trees than these examples have

    def __init__(self, trees: Iterable[Any] | dict[str, Iterable[Any]] | Forest | None = None,
                 labels: Iterable[Any] | None = None, *, name: str = "tree",
                 format: str | None = None, vectors: dict[str, Any] | None = None,
                 texts: dict[str, Sequence[str | None]] | None = None,
                 pairs: tuple[Any, Any] | None = None, **options: Unpack[ReadOptions]) -> None:
        named: dict[str, Any] = trees if isinstance(trees, dict) else {}
        if trees is not None and not isinstance(trees, dict):
            named = {name: trees}
        cores = [_core_of(each, key, format, options) for key, each in named.items()]
        if len(cores) == 1 and not (vectors or texts or pairs):
            self._core = cores[0]
        else:
            self._core = _combined(cores, vectors or {}, texts or {}, pairs)
        if labels is not None:
            self._core = self.with_labels(labels)._core

    @classmethod
    def _of(cls, core: _core.Dataset, part: bool = False) -> Dataset:
        out = cls.__new__(cls)
        out._core = core
        out._part = part
        return out

    def with_labels(self, labels: Iterable[Any]) -> Dataset:
        """The same examples with other labels.

        Parameters
        ----------
        labels : iterable
            One for each example: names or numbers. Numbers are classes if all are whole.

        Examples
        --------
        >>> data = espalier.Dataset(["(a)", "(b)"])
        >>> data.with_labels(["x", "y"]).labels, data.with_labels([1, 2.5]).labels
        (['x', 'y'], [1.0, 2.5])
        """
        items = list(labels)
        if len(items) != len(self):
            raise ValueError(f"{len(self)} examples, but {len(items)} labels")
        if items and all(isinstance(item, Real) and not isinstance(item, bool) for item in items):
            return self._of(self._core.with_numbers([float(item) for item in items]), self._part)
        return self._of(self._core.with_classes([str(item) for item in items]), self._part)

    def __len__(self) -> int:
        return len(self._core)

    @property
    def shape(self) -> tuple[int]:
        """The number of examples, as for an array of them."""
        return (len(self),)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and key[1:] in ((), (Ellipsis,)):  # as scikit-learn asks for rows
            key = key[0]
        if isinstance(key, (int, np.integer)):
            return self.trees()[int(key)]
        if not isinstance(key, slice):
            key = np.asarray(key)
            key = key if key.size else key.astype(np.intp)
        chosen = np.arange(len(self), dtype=np.uint32)[key]
        return self._of(self._core.view(np.ascontiguousarray(chosen)), part=True)

    def _whole(self) -> _core.Dataset:
        """With forests of its own, for those who look at these."""
        if self._part:
            self._core = self._core.select(np.arange(len(self), dtype=np.uint32))
            self._part = False
        return self._core

    def __reduce__(self) -> tuple:
        return _from_bytes, (self._core.to_bytes(),)

    @property
    def labels(self) -> list[Label | list[Label] | None]:
        """Per example: None, a class, a number, a (name, number), or a list of several of these."""
        return self._core.labels()

    @property
    def class_names(self) -> list[str]:
        """The classes, in order of first appearance."""
        return self._core.class_names()

    @property
    def tree_names(self) -> list[str]:
        """The names for `trees`."""
        return self._core.tree_names()

    @property
    def vector_names(self) -> list[str]:
        """The names of vectors."""
        return self._core.vector_names()

    @property
    def text_names(self) -> list[str]:
        """The names for `texts`."""
        return self._core.text_names()

    def trees(self, name: str | None = None) -> Trees:
        """The trees of that name, one per example.

        Parameters
        ----------
        name : str, optional
            One of `tree_names`. Without it, the only one there is.

        Returns
        -------
        Trees
            A sequence of strings in brackets; None where an example has no such tree.
        """
        return Trees(self._core.trees(name), range(len(self)),
                     self.tree_names[0] if name is None else name)

    def texts(self, name: str | None = None) -> list[str | None]:
        """The texts of that name, one per example; None where an example has no such text.

        Parameters
        ----------
        name : str, optional
            One of `text_names`. Without it, the only one there is.

        Examples
        --------
        >>> espalier.read("examples/formats/questions.tsv").texts("id")
        ['q1', 'q2', 'q3', 'q4', 'q5']
        """
        return self._core.texts(name)

    def forest(self, name: str | None = None) -> Forest:
        """The distinct subtrees of the trees of that name. The two members of pairs share one.

        Parameters
        ----------
        name : str, optional
            One of `tree_names`, with or without the member. Without it, the only one there is.
        """
        return Forest(self._whole().forest(name))

    def info(self) -> dict[str, Any]:
        """What ``espalier info --json`` prints: trees, nodes, classes, distinct subtrees.

        Examples
        --------
        >>> info = espalier.read("examples/formats/questions.tsv").info()
        >>> info["classes"][0]
        {'name': 'LOC', 'examples': 2}
        >>> info["trees"][0]["distinct_subtrees"]
        63
        """
        return self._whole().info()

    def __repr__(self) -> str:
        parts = [_counted(len(self), "example", "examples")]
        if classes := len(self.class_names):
            parts.append(_counted(classes, "class", "classes"))
        for kind, names in (("tree", self.tree_names), ("vector", self.vector_names),
                            ("text", self.text_names)):
            if names:
                parts.append(f"{kind}{'s' * (len(names) > 1)} " + ", ".join(map(repr, names)))
        return f"Dataset({', '.join(parts)})"


def _core_of(trees: Any, name: str, format: str | None, options: Any) -> _core.Dataset:
    """A data set of these trees alone."""
    if isinstance(trees, Forest):
        return _core.from_forest(trees._core, name)
    if isinstance(trees, Trees):
        format = format or "brackets"
    texts = texts_of(trees, options.get("max_nodes") or _MAX_NODES)
    return _PARSED.dataset(texts, name, {"format": format, **options})


def _combined(trees: list[_core.Dataset], vectors: dict[str, Any], texts: dict[str, Any],
              pairs: tuple[Any, Any] | None) -> _core.Dataset:
    """A data set of all these parts, which must be of as many examples."""
    members = [as_dataset(member)._whole() for member in pairs] if pairs is not None else []
    if len(members) not in (0, 2):
        raise ValueError(f"pairs are two data sets or lists of trees, not {len(members)}")
    rows = {name: _rows_of(each) for name, each in vectors.items()}
    texts = {name: list(each) for name, each in texts.items()}
    sizes = [len(part) for part in [*trees, *members, *rows.values(), *texts.values()]]
    if len(set(sizes)) != 1:
        found = ", ".join(map(str, dict.fromkeys(sizes))) or "none"
        raise ValueError("trees, vectors, texts and members of pairs must be of as many examples: "
                         f"there are {found}")
    return _core.combine(sizes[0], trees, rows, texts, members)


def _rows_of(vectors: Any) -> list[Any]:
    """A dict, a sequence of numbers or None for each example."""
    if hasattr(vectors, "tocsr"):
        matrix = vectors.tocsr()
        ends = zip(matrix.indptr[:-1], matrix.indptr[1:])
        return [dict(zip(map(str, matrix.indices[i:k]), matrix.data[i:k].tolist())) for i, k in ends]
    return list(vectors)


class Trees(Sequence):
    """Trees as strings in brackets, each made when it is asked for.

    Made by `Dataset.trees`. None stands for a tree that an example does not have.

    Examples
    --------
    >>> trees = espalier.read("examples/formats/questions.tsv").trees()
    >>> trees
    Trees('tree', 5)
    >>> trees[0]
    '(SBARQ(WHADVP(WRB(Where)))(SQ(VBZ(is))(NP(NNP(Lima))))(.(?)))'
    >>> len(trees[-2:])
    2
    """

    def __init__(self, core: _core.TreeTexts, examples: range, name: str) -> None:
        self._core = core
        self._examples = examples
        self._name = name

    def __len__(self) -> int:
        return len(self._examples)

    @overload
    def __getitem__(self, index: int) -> str | None: ...

    @overload
    def __getitem__(self, index: slice) -> Trees: ...

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Trees(self._core, self._examples[index], self._name)
        return self._core[self._examples[index]]

    def __repr__(self) -> str:
        return f"Trees({self._name!r}, {len(self)})"


def _counted(number: int, singular: str, plural: str) -> str:
    return f"{number} {singular if number == 1 else plural}"


def _from_bytes(content: bytes) -> Dataset:
    return Dataset._of(_core.dataset_from_bytes(content))


class _Parsed:
    """Data sets of texts that were parsed before: searches for parameters give the same again and again.

    They are known by the texts themselves. Those not asked for longest go when there are too many.
    """

    def __init__(self, characters: int) -> None:
        self._most = characters
        self._known: dict[tuple, tuple[_core.Dataset, int]] = {}
        self._lock = threading.Lock()

    def dataset(self, texts: tuple[str | None, ...], name: str,
                options: dict[str, Any]) -> _core.Dataset:
        key = (texts, name, repr(options))
        with self._lock:
            found = self._known.pop(key, None)
            if found:
                self._known[key] = found  # the last ones stay longest
                return found[0]
        data, messages = _core.from_texts(texts, name, options)
        for message in messages:
            warnings.warn(message, stacklevel=4)
        size = sum(len(text) for text in texts if text is not None)
        with self._lock:
            self._known[key] = (data, size)
            while sum(size for _, size in self._known.values()) > self._most:
                del self._known[next(iter(self._known))]
        return data


_PARSED = _Parsed(characters=1 << 26)
# The lock may be held by a thread that a forked process does not have.
os.register_at_fork(after_in_child=lambda: setattr(_PARSED, "_lock", threading.Lock()))


def as_dataset(trees: Any) -> Dataset:
    """A data set as it is, or one made of trees."""
    return trees if isinstance(trees, Dataset) else Dataset(trees)
