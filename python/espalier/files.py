"""Data sets from files and to files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Union

from . import _core
from .data import Dataset

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def read(path: Path, format: str | None = None, **options: object) -> Dataset:
    """Read a whole file, plain or gzipped, or a folder of files into a data set.

    Other threads run meanwhile.

    Parameters
    ----------
    path : str or path-like
        The file; "-" is standard input.
    format : str, optional
        One of `formats`. Without it, the content tells. "directory:html" reads each file of a
        folder as HTML.
    **options
        What `espalier info --help` lists for documents and limits, with underscores:
        ``text="keep"``, ``columns="class=family,newick=tree"``, ``max_nodes=1000``.

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
    """
    named = [(key.replace("_", "-"), str(value)) for key, value in options.items()]
    return _dataset(_core.read(_existing(path), format or "", named))


def read_sentences(
    path: Path,
    represent: str | Sequence[str] = "grct",
    *,
    forms: bool = False,
    coarse: bool = False,
    lower_case: bool = True,
    punctuation: bool = False,
    label_from: str | None = None,
    label_until: str | None = None,
    candidates: str | None = None,
) -> Dataset:
    """Read sentences with dependencies (CoNLL-U) into a data set of trees.

    `docs/sentences.md` draws the trees. `read` reads such files too, as "grct".

    Parameters
    ----------
    path : str or path-like
        The file; "-" is standard input.
    represent : str or sequence of str
        What sentences become: "grct", "lct", "loct", "cgrct", "clct", or several of these.
    forms : bool
        Words as they stand in the text, not their lemmas.
    coarse : bool
        Universal parts of speech (UPOS), not those of the language (XPOS).
    lower_case : bool
        Words in lower case.
    punctuation : bool
        Keep punctuation.
    label_from : str, optional
        The class: this key of the comments, such as "genre", "sent_id" or "newdoc id".
    label_until : str, optional
        The class ends before the first of these in the value of the key.
    candidates : {"arguments", "roles"}, optional
        Make one example for each candidate argument of each predicate, of the class "argument" or
        "none", or of the class that its role is.

    Raises
    ------
    InputError
        If something in the file is wrong; the error knows where.
    Error
        If there is no such form, or no sentence has the key.
    FileNotFoundError
        If there is no such file.

    See Also
    --------
    read

    Examples
    --------
    >>> data = espalier.read_sentences("examples/formats/sentences.conllu", ["grct", "loct"],
    ...                                label_from="genre")
    >>> data.labels[-1], data.texts("text")[-1]
    ('guide', 'Il parle du CHÂTEAU.')
    >>> data.trees("loct")[3]
    '(LEX##port::n(LEX##lisbon::n)(LEX##be::v)(LEX##a::d))'
    """
    if candidates not in (None, "arguments", "roles"):
        raise ValueError(f"candidates must be 'arguments', 'roles' or None, not {candidates!r}")
    if candidates and label_from:
        raise ValueError("candidates have classes of their own: leave label_from out")
    return _dataset(_core.read_sentences(
        _existing(path), [represent] if isinstance(represent, str) else list(dict.fromkeys(represent)),
        _core.WordOptions(forms, coarse, lower_case, punctuation), candidates or "",
        label_from or "", label_until or ""))


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


def _existing(path: Path) -> bytes:
    name = _encode(path)
    if name != b"-":
        os.stat(name)  # for the error that Python users expect of a missing file
    return name


def _dataset(read: tuple[_core.Dataset, list[str]]) -> Dataset:
    core, messages = read
    for message in messages:
        warnings.warn(message, stacklevel=3)
    return Dataset._of(core)


def _encode(path: Path) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("embedded null byte in a path")
    return name
