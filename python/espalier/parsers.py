"""Sentences of spaCy and Stanza as CoNLL-U, by their attributes: neither package is needed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_COLUMN = re.compile(r"\s+")


def to_conllu(parsed: Any) -> str:
    """Write what spaCy or Stanza parsed as CoNLL-U, a block for each sentence.

    Parameters
    ----------
    parsed : spacy.tokens.Doc or Span, or stanza Document or Sentence
        With dependencies. White space that is a token of spaCy is left out.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If it is something else, has no dependencies, or if the heads of a sentence are no tree.

    Examples
    --------
    >>> from types import SimpleNamespace as Word
    >>> from espalier.parsers import to_conllu
    >>> words = [Word(id=1, text="Dogs", lemma="dog", upos="NOUN", xpos="NNS", head=2, deprel="nsubj"),
    ...          Word(id=2, text="bark", lemma="bark", upos="VERB", xpos="VBP", head=0, deprel="root")]
    >>> to_conllu(Word(words=words, text="Dogs bark")).splitlines()[1].split("\\t")[:7]
    ['1', 'Dogs', 'dog', 'NOUN', 'NNS', '_', '2']
    """
    return "".join(map(_block, _sentences(parsed)))


def is_parsed(item: Any) -> bool:
    """Whether something has the attributes of what `to_conllu` takes.

    Parameters
    ----------
    item : object
    """
    return any(_has(item, *names) for names in (("sentences",), ("words", "text"), ("sents",)))


def one_sentence(parsed: Any) -> str:
    """As `to_conllu`, of a single sentence.

    Parameters
    ----------
    parsed : object
        As for `to_conllu`.

    Raises
    ------
    ValueError
        If there are several sentences or none.
    """
    found = list(_sentences(parsed))
    if len(found) != 1:
        raise ValueError(f"a document of {len(found)} sentences: give each sentence as an element")
    return _block(found[0])


def _has(item: Any, *names: str) -> bool:
    return not isinstance(item, (str, bytes, dict, list, tuple)) and all(hasattr(item, n) for n in names)


def _sentences(parsed: Any) -> Iterable[Any]:
    if _has(parsed, "sentences"):  # a document of Stanza
        return parsed.sentences
    if _has(parsed, "words", "text"):  # a sentence of Stanza
        return [parsed]
    if _has(parsed, "sents"):  # Doc and Span of spaCy
        return [sentence for sentence in parsed.sents if not all(token.is_space for token in sentence)]
    raise ValueError(f"neither parsed by spaCy nor by Stanza: {type(parsed).__name__}")


def _block(sentence: Any) -> str:
    rows = _stanza_rows(sentence) if _has(sentence, "words") else _spacy_rows(sentence)
    lines = [f"# text = {_COLUMN.sub(' ', sentence.text).strip()}"]
    for number, (form, lemma, upos, xpos, feats, head, relation) in enumerate(rows, 1):
        cells = [form, lemma, upos, xpos, feats, str(head), relation]
        form, lemma, upos, xpos, feats, head, relation = (_COLUMN.sub(" ", cell or "").strip() or "_" for cell in cells)
        lines.append("\t".join([str(number), form, lemma, upos, xpos, feats, head, relation, "_", "_"]))
    return "\n".join(lines) + "\n\n"


def _stanza_rows(sentence: Any) -> list[tuple]:
    def value(word: Any, name: str) -> str:
        return getattr(word, name, None) or ""

    if any(getattr(word, "head", None) is None for word in sentence.words):
        raise ValueError("a sentence without dependencies: run the parser (depparse) first")
    return [(word.text, value(word, "lemma"), value(word, "upos"), value(word, "xpos"), value(word, "feats"),
             word.head, value(word, "deprel")) for word in sentence.words]


def _spacy_rows(sentence: Any) -> list[tuple]:
    tokens = [token for token in sentence if not token.is_space]
    if not any(token.dep_ for token in tokens):
        raise ValueError("a sentence without dependencies: run the parser first")
    numbers = {token.i: number for number, token in enumerate(tokens, 1)}
    rows = []
    for token in tokens:
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        is_root = head.i == token.i or head.i not in numbers
        rows.append((token.text, token.lemma_, token.pos_, token.tag_, str(getattr(token, "morph", "")),
                     0 if is_root else numbers[head.i], "root" if is_root else token.dep_))
    return rows
