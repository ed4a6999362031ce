"""Data sets from files and to files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, Literal, Union

from . import _core
from .base import keywords
from .data import Dataset

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def read(
    path: Path, format: str | None = None, *, columns: str | None = None,
    text: Literal["drop", "keep"] = "drop", labels: Literal["tag", "tag.class"] = "tag",
    attributes: Literal["drop", "keep"] = "drop", lengths: Literal["drop", "keep"] = "drop",
    fields: Literal["drop", "keep"] = "drop", linkages: Literal["label", "node", "drop"] = "label",
    words: Literal["typed", "leaves"] = "typed", represent: str | Sequence[str] = "grct",
    forms: bool = False, coarse: bool = False, lower_case: bool = True, punctuation: bool = False,
    label_from: str | None = None, label_until: str | None = None,
    candidates: Literal["none", "arguments", "roles"] = "none",
    links: Literal["skip", "follow"] = "skip", utf8: Literal["keep", "replace", "refuse"] = "keep",
    max_nodes: int = 20_000_000, max_depth: int = 10_000_000, max_label: int = 2**20,
    max_attributes: int = 10000, max_parts: int = 1000, max_features: int = 10_000_000,
    max_example: int = 2**28, max_file: int = 2**36,
) -> Dataset:
    """Read a whole file, plain or gzipped, or a folder of files into a data set.

    `formats` lists the formats; "directory:html" reads each file of a folder as HTML. Sentences
    with dependencies (CoNLL-U) become the trees that `represent` lists; `docs/sentences.md` draws
    them. Other threads run meanwhile.

    Parameters
    ----------
    path : str or path-like
        The file; "-" is standard input.
    format : str, optional
        Format of the data; empty: by suffix, or by content.
    columns : str, optional
        Which column is the class and which the tree: class=family,newick=tree. For csv.
    text : {"drop", "keep"}, default: "drop"
        Text as leaves; json: values instead of types. For xml, html and json.
    labels : {"tag", "tag.class"}, default: "tag"
        What labels consist of. For xml and html.
    attributes : {"drop", "keep"}, default: "drop"
        Attributes as children @name. For xml and html.
    lengths : {"drop", "keep"}, default: "drop"
        Branch lengths in labels, name:0.5. For newick and nexus.
    fields : {"drop", "keep"}, default: "drop"
        Fields in labels, name:identifier. For tree-sitter.
    linkages : {"label", "node", "drop"}, default: "label"
        Linkages as part of the label, as nodes, or dropped. For glycan.
    words : {"typed", "leaves"}, default: "typed"
        Which nodes are words for spt, cspt and lex: those typed so (LEX##dog::n, dog::n), or all
        leaves, which become dogs::n by the part of speech above them.
    represent : {"grct", "lct", "loct", "cgrct", "clct", "shallow"} or sequence of these, default: "grct"
        Tree representations of a sentence, one tree for each of those listed. For conllu.
    forms : bool, default: False
        Word forms instead of lemmas. For conllu.
    coarse : bool, default: False
        Universal parts of speech (UPOS) instead of XPOS. For conllu.
    lower_case : bool, default: True
        Words in lower case. For conllu.
    punctuation : bool, default: False
        Keep punctuation. For conllu.
    label_from : str, optional
        Comment key that holds the class: genre, sent_id, 'newdoc id'. For conllu.
    label_until : str, optional
        The class ends before this text. For conllu. Needs `label_from`.
    candidates : {"none", "arguments", "roles"}, default: "none"
        One example per predicate and candidate argument, labelled argument or none, or by its role.
        For conllu.
    links : {"skip", "follow"}, default: "skip"
        Links that lead out of the folder, and links to folders. For directory.
    utf8 : {"keep", "replace", "refuse"}, default: "keep"
        What to do with bytes that are not UTF-8.
    max_nodes : int >= 1, default: 20_000_000
        Nodes of a tree.
    max_depth : int >= 1, default: 10_000_000
        Depth of a tree.
    max_label : int >= 1, default: 2**20
        Bytes of a label.
    max_attributes : int >= 1, default: 10000
        Attributes of an XML or HTML element.
    max_parts : int >= 1, default: 1000
        Labels, trees, vectors, texts, columns or comments of an example.
    max_features : int >= 1, default: 10_000_000
        Values of a vector.
    max_example : int >= 1, default: 2**28
        Bytes of an example: a line or document.
    max_file : int >= 1, default: 2**36
        Bytes of a file, after decompression.

    Raises
    ------
    InputError
        If something in the file is wrong; the error knows where.
    Error
        If the file cannot be read or is of no known format.
    FileNotFoundError
        If there is no such file.

    See Also
    --------
    write, formats

    Examples
    --------
    >>> data = espalier.read("examples/formats/questions.tsv")
    >>> len(data)
    5
    >>> data.labels
    ['LOC', 'HUM', 'NUM', 'DESC', 'LOC']
    >>> data = espalier.read("examples/formats/sentences.conllu", represent=["grct", "loct"],
    ...                      label_from="genre")
    >>> data.labels[-1], data.texts("text")[-1]
    ('guide', 'Il parle du CHÂTEAU.')
    >>> data.trees("loct")[3]
    '(LEX##port::n(LEX##lisbon::n)(LEX##be::v)(LEX##a::d))'
    """
    options = keywords(read, locals())
    name = _encode(path)
    if name != b"-":
        os.stat(name)  # for the error that Python users expect of a missing file
    # Only what was asked for: options for sentences imply their format.
    defaults: Any = read.__kwdefaults__
    given = {key: value for key, value in options.items() if value != defaults[key]}
    core, messages = _core.read(name, {"format": format, **given})
    for message in messages:
        warnings.warn(message, stacklevel=2)
    return Dataset._of(core)


def write(data: Dataset, path: Path, format: str | None = None) -> None:
    """Write a data set to a file, which appears whole or not at all.

    Parameters
    ----------
    data : Dataset
    path : str or path-like
        Gzipped if it ends in ".gz"; "-" is standard output. A file that is there is replaced.
    format : str, optional
        One of `formats`. Without it, the suffix of the path tells.

    Raises
    ------
    Error
        If the format cannot hold the data, or the file cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> data = espalier.read("examples/formats/questions.tsv")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "questions.klp.gz")
    ...     espalier.write(data, path)
    ...     espalier.read(path).labels == data.labels
    True
    """
    _core.write(data._core, _encode(path), format or "")


def formats() -> dict[str, str]:
    """The formats that can be read: name and description.

    Examples
    --------
    >>> espalier.formats()["tsv"]
    'one example a line: class TAB [id TAB ..] tree'
    """
    return _core.formats()


def _encode(path: Path) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("embedded null byte in a path")
    return name
