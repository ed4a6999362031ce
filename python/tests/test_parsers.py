"""What spaCy and Stanza parse, by stand-ins with their attributes."""
from types import SimpleNamespace

import espalier
import pytest
from espalier.parsers import to_conllu

ROWS = [("Dogs", "dog", "NOUN", "NNS", 1, "nsubj"), ("bark", "bark", "VERB", "VBP", 1, "ROOT"),
        ("loudly", "loudly", "ADV", "RB", 1, "advmod")]
TREE = ("(SYNT##root(SYNT##nsubj(POS##NNS(LEX##dog::n)))(POS##VBP(LEX##bark::v))"
        "(SYNT##advmod(POS##RB(LEX##loudly::r))))")


class Span:
    """A sentence of spaCy: tokens with a text."""
    text = "Dogs bark loudly"

    def __init__(self, tokens):
        self.tokens = list(tokens)

    def __iter__(self):
        return iter(self.tokens)

    @property
    def sents(self):
        return [self]


def spacy_sentence(rows=ROWS, first=0, space_at=None):
    """Tokens as in a document in which `first` tokens precede them, one of them perhaps white space."""
    tokens = Span(SimpleNamespace(text=form, lemma_=lemma, pos_=pos, tag_=tag, dep_=dep, is_space=form.isspace(),
                                  i=first + k) for k, (form, lemma, pos, tag, _, dep) in enumerate(rows))
    for token, row in zip(tokens, rows):
        token.head = tokens.tokens[row[4]]
    return tokens


def spacy_document(*sentences):
    return SimpleNamespace(sents=list(sentences))


def stanza_sentence(rows=ROWS):
    words = [SimpleNamespace(id=k, text=form, lemma=lemma, upos=pos, xpos=tag, feats=None,
                             head=0 if dep == "ROOT" else head + 1, deprel=dep.lower())
             for k, (form, lemma, pos, tag, head, dep) in enumerate(rows, 1)]
    return SimpleNamespace(words=words, text="Dogs bark loudly", dependencies=[])


@pytest.mark.parametrize("sentence", [
    spacy_sentence(), spacy_sentence(first=7), spacy_document(spacy_sentence()), stanza_sentence(),
    SimpleNamespace(sentences=[stanza_sentence()])])
def test_sentences_are_trees(sentence):
    data = espalier.Dataset([sentence, None])
    assert list(data.trees()) == [TREE, None]
    both = espalier.Dataset([sentence], represent=["grct", "loct"])
    assert both.trees("loct")[0] == "(LEX##bark::v(LEX##dog::n)(LEX##loudly::r))"
    assert to_conllu(sentence).splitlines()[1].split("\t") == [
        "1", "Dogs", "dog", "NOUN", "NNS", "_", "2", "nsubj", "_", "_"]


def test_white_space_of_spacy_is_left_out():
    rows = [("Dogs", "dog", "NOUN", "NNS", 2, "nsubj"), ("\n", "\n", "SPACE", "_SP", 0, "dep"),
            ("bark", "bark", "VERB", "VBP", 2, "ROOT")]
    assert [line.split("\t")[6] for line in to_conllu(spacy_sentence(rows)).splitlines()[1:3]] == ["2", "0"]


def test_a_document_of_several_sentences_is_no_tree():
    document = SimpleNamespace(sentences=[stanza_sentence()] * 3)
    assert to_conllu(document).count("\n\n") == 3
    with pytest.raises(espalier.ElementError, match="a document of 3 sentences") as caught:
        espalier.Dataset(["(a)", document])
    assert caught.value.index == 1


def test_sentences_need_dependencies():
    rows = [(*row[:5], "") for row in ROWS]
    with pytest.raises(ValueError, match="run the parser"):
        to_conllu(spacy_sentence(rows))
    sentence = stanza_sentence()
    sentence.words[0].head = None
    with pytest.raises(ValueError, match="depparse"):
        to_conllu(sentence)
    with pytest.raises(ValueError, match="neither parsed"):
        to_conllu(3)
