"""Pairs of texts and other forms of trees: related words marked, trees pruned, shallow or lexical."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from .base import keywords
from .data import Dataset
from .files import Path, _encode
from .trees import is_single_tree

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._core import ReadOptions


def read_pairs(
    a: Path, b: Path, labels: Path | Iterable[Any] | None = None, *, related: str | None = None,
    content_words: bool = False, mark_words: bool = False, levels: int = 0,
    vectors: str | None = None, features: bool = False, group: str | None = None,
    **options: Unpack[ReadOptions],
) -> Dataset:
    """Read pairs: the i-th example of one file with the i-th of the other.

    Sentences with dependencies (CoNLL-U) become trees as by `read`; other files hold trees. The
    members of a pair are named "a" and "b", as in "a/grct". `docs/sentences.md` describes what is
    marked.

    Parameters
    ----------
    a : str or path-like
        The file of the first members.
    b : str or path-like
        The file of the second members, of as many examples.
    labels : str, path-like or iterable, optional
        The labels of the pairs: a file with a line for each, or the labels themselves. Without
        them, those of the examples of a, else of b.
    related : str, optional
        Mark what is above related words with REL-: those with the same form or lemma, or
        vectors:0.8 for word vectors with at least this cosine.
    content_words : bool, default: False
        Only nouns, verbs, adjectives and adverbs are related, but not be and have. Needs `related`.
    mark_words : bool, default: False
        Mark the words too; their marked forms have no word vectors. Needs `related`.
    levels : int in [0, 1000000], default: 0
        Levels marked above a related word; 0: up to the root. Needs `related`.
    vectors : str, optional
        File of word vectors, for related words and features.
    features : bool, default: False
        A vector 'features' of each pair: overlap of words and bigrams, ratio of lengths, and with
        word vectors their similarity.
    group : str, optional
        Text or comment key of the members that becomes a text of the pair, such as the question
        that answers belong to.
    **options
        Those of `read`, except its `labels`.

    Raises
    ------
    Error
        If one file ends before the other, if a label is missing or there is no such group, or, as
        an `InputError`, if something in a file is wrong.

    See Also
    --------
    mark_related, prune, read

    Examples
    --------
    >>> sentences = "examples/formats/sentences.conllu"
    >>> pairs = espalier.read_pairs(sentences, sentences, ["same"] * 6, related="lemma", features=True)
    >>> pairs
    Dataset(6 examples, 1 class, trees 'a/grct', 'b/grct', vector 'features', texts 'a/sent_id', \
'a/doc_id', 'a/text', 'b/sent_id', 'b/doc_id', 'b/text')
    >>> pairs.trees("a/grct")[1]
    '(SYNT##REL-root(SYNT##REL-ccomp(POS##REL-VB(LEX##wait::v)))(SYNT##REL-nsubj(POS##REL-PRP(\
LEX##she::p)))(POS##REL-VBD(LEX##say::v)))'
    """
    values = keywords(read_pairs, locals())
    is_file = isinstance(labels, (str, bytes, os.PathLike))
    files = [_encode(file) for file in ((a, b, labels) if is_file else (a, b))]  # type: ignore
    for file in files:
        if file != b"-":
            os.stat(file)  # for the error that Python users expect of a missing file
    core, messages = _core.read_pairs(files[0], files[1], files[2] if is_file else None,
                                      {**values, **options})
    for message in messages:
        warnings.warn(message, stacklevel=2)
    data = Dataset._of(core)
    return data if is_file or labels is None else data.with_labels(labels)  # type: ignore


def mark_related(
    a: Any, b: Any, related: str = "lemma", *, content_words: bool = False,
    mark_words: bool = False, levels: int = 0, vectors: str | None = None,
) -> tuple[Any, Any]:
    """Mark what is above the words that the trees of a pair have in common with "REL-".

    Words are the nodes "LEX##film::n" of a tree or, if it has none, its leaves.

    Parameters
    ----------
    a : tree, sequence of trees or Dataset
        The first member of a pair, or of each pair.
    b : tree, sequence of trees or Dataset
        The second member of a pair, or of each pair.
    related : str, default: "lemma"
        Which words are related: "form", "lemma", or "vectors:0.8".
    content_words : bool, default: False
        Only nouns, verbs, adjectives and adverbs are related, but not be and have. Needs `related`.
    mark_words : bool, default: False
        Mark the words too; their marked forms have no word vectors. Needs `related`.
    levels : int in [0, 1000000], default: 0
        Levels marked above a related word; 0: up to the root. Needs `related`.
    vectors : str, optional
        File of word vectors, for related words and features.

    Returns
    -------
    tuple
        As a and b: two trees in brackets, two lists of them, or two data sets without pairs.

    Examples
    --------
    >>> question = "(S (WHNP (WP who)) (VP (VBD wrote) (NP (NNP Faust))))"
    >>> answer = "(S (NP (NNP Goethe)) (VP (VBD finished) (NP (NNP Faust))))"
    >>> espalier.mark_related(question, answer)[1]
    '(REL-S(NP(NNP(Goethe)))(REL-VP(VBD(finished))(REL-NP(REL-NNP(Faust)))))'
    """
    values = keywords(mark_related, locals())
    left, right = _dataset_of(a), _dataset_of(b)
    if len(left) != len(right):
        raise ValueError(f"{len(left)} trees and {len(right)}: pairs need as many of each")
    marked = _core.mark_related(left._core, right._core, {"related": related, **values})
    return _as_given(a, marked[0]), _as_given(b, marked[1])


def prune(
    trees: Any, *, prune_labels: str | None = None, prune_depth: int | None = None,
    prune_distance: int | None = None,
) -> Any:
    """Remove parts of trees: by label, then by depth, then by distance from a mark.

    Parameters
    ----------
    trees : tree, sequence of trees or Dataset
    prune_labels : str, optional
        Remove the subtrees with these root labels: PP,SBAR.
    prune_depth : int in [0, 1000000000], optional
        Remove what is more than that many edges below the root.
    prune_distance : int in [0, 1000000000], optional
        Remove what is more than that many edges from a marked node (REL-, -FE, -LU), except the
        nodes above; trees without marks stay whole.

    Returns
    -------
    str, list of str or Dataset
        As `trees`.

    Raises
    ------
    ElementError
        If the root of a tree has one of the labels.

    Examples
    --------
    >>> espalier.prune("(S (NP (DT the) (NN dog)) (VP barks))", prune_labels="DT")
    '(S(NP(NN(dog)))(VP(barks)))'
    >>> espalier.prune(["(S (NP (REL-NN dog)) (VP (V barks)))"], prune_distance=1)
    ['(S(NP(REL-NN(dog))))']
    """
    values = keywords(prune, locals())
    return _as_given(trees, _core.prune(_dataset_of(trees)._core, values))


def shallow(trees: Any) -> Any:
    """The shallow form of constituency trees: root, phrases of words, parts of speech, words.

    Parameters
    ----------
    trees : tree, sequence of trees or Dataset

    Returns
    -------
    str, list of str or Dataset
        As `trees`.

    Examples
    --------
    >>> espalier.shallow("(S (NP (NP (DT the) (NN end)) (PP (IN of) (NP (NN day)))) (VP (VBD came)))")
    '(S(NP(DT(the))(NN(end)))(PP(IN(of)))(NP(NN(day)))(VP(VBD(came))))'
    """
    return _as_given(trees, _core.shallow(_dataset_of(trees)._core))


def lexical(trees: Any) -> Any:
    """Constituency trees whose leaves are words with their part of speech, for kernels by word vectors.

    Parameters
    ----------
    trees : tree, sequence of trees or Dataset

    Returns
    -------
    str, list of str or Dataset
        As `trees`.

    Examples
    --------
    >>> espalier.lexical("(S (NP (NNS Dogs)) (VP (VBP bark)))")
    '(S(NP(NNS(dogs::n)))(VP(VBP(bark::v))))'
    """
    return _as_given(trees, _core.lexical(_dataset_of(trees)._core))


def _dataset_of(trees: Any) -> Dataset:
    if isinstance(trees, Dataset):
        return trees
    return Dataset([trees] if is_single_tree(trees) else trees)


def _as_given(trees: Any, core: _core.Dataset) -> Any:
    data = Dataset._of(core)
    if isinstance(trees, Dataset):
        return data
    return data.trees()[0] if is_single_tree(trees) else list(data.trees())
