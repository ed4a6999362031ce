#!/usr/bin/env python3
"""TrecQA as CoNLL-U: questions and answers line by line, and the labels of the pairs.

    trecqa.py trecqa_dep.tar.gz FOLDER

writes, for each of train, dev and test, PART.questions.conllu, PART.answers.conllu (as many sentences
in each) and PART.labels. The comment `question` of a question is its id. The data have forms, parts
of speech and dependencies but no lemmas: those here come from a few rules on the endings.
"""
import re
import sys
import tarfile
from pathlib import Path

PARTS = {"train": "TRAIN.xml", "dev": "DEV.xml", "test": "TEST.xml"}
IRREGULAR = {
    "am": "be", "are": "be", "is": "be", "was": "be", "were": "be", "been": "be", "being": "be",
    "'s": "be", "'re": "be", "'m": "be", "has": "have", "had": "have", "having": "have", "'ve": "have",
    "does": "do", "did": "do", "done": "do", "said": "say", "made": "make", "went": "go",
    "gone": "go", "took": "take", "taken": "take", "came": "come", "became": "become",
    "began": "begin", "begun": "begin", "wrote": "write", "written": "write", "won": "win",
    "found": "find", "held": "hold", "gave": "give", "given": "give", "led": "lead", "left": "leave",
    "got": "get", "knew": "know", "known": "know", "sold": "sell", "met": "meet", "born": "bear",
    "ran": "run", "fought": "fight", "built": "build", "died": "die", "dying": "die", "men": "man",
    "women": "woman", "children": "child", "people": "people", "feet": "foot",
}
VOWELS = "aeiou"


def lemma(form, tag):
    """The base form of a noun or verb, roughly; of other words the form."""
    word = form.lower()
    if tag[:1] in "NV" and word in IRREGULAR:
        return IRREGULAR[word]
    if tag in ("NNS", "NNPS", "VBZ") and len(word) > 3 and word.endswith("s") and word[-2] not in "su":
        if word.endswith("ies"):
            return word[:-3] + "y"
        return word[:-2] if re.search(r"(s|x|z|ch|sh)es$", word) else word[:-1]
    for ending in ("ed", "ing"):
        stem = word[:-len(ending)]
        verb = tag in (("VBD", "VBN") if ending == "ed" else ("VBG",))
        if verb and word.endswith(ending) and any(c in VOWELS + "y" for c in stem) and len(stem) > 1:
            if stem.endswith("i"):
                return stem[:-1] + "y"
            if stem[-1] == stem[-2] and stem[-1] not in VOWELS + "ls":
                return stem[:-1]
            short = len(stem) > 2 and stem[-1] not in VOWELS + "wxyrln" and stem[-2] in VOWELS \
                and stem[-3] not in VOWELS
            return stem + "e" if short or stem[-1] in "vcgsu" else stem
    return word


def one_tree(heads):
    """Heads that form a tree: what does not hang from the first root is attached to it."""
    size = len(heads)
    root = next((i for i, head in enumerate(heads) if head == 0), 0)
    out = [head if 0 <= head <= size and head != i + 1 else 0 for i, head in enumerate(heads)]
    out[root] = 0
    for i in range(size):
        seen, at = set(), i
        while at != root and at not in seen:
            seen.add(at)
            at = out[at] - 1 if out[at] else -1
            if at < 0:
                break
        if at != root:
            out[i] = root + 1
    return out


def conllu(block, comments):
    """A sentence from five lines: words, parts of speech, relations, heads, entities."""
    forms, tags, relations, heads = (line.split("\t") for line in block[:4])
    lines = [f"# {key} = {value}" for key, value in comments.items()]
    lines.append("# text = " + " ".join(forms))
    heads = one_tree([int(head) for head in heads])
    for i, (form, tag, relation, head) in enumerate(zip(forms, tags, relations, heads)):
        relation = "root" if head == 0 else "punct" if relation == "P" else relation.lower()
        lines.append(f"{i + 1}\t{form}\t{lemma(form, tag)}\t_\t{tag}\t_\t{head}\t{relation}\t_\t_")
    return "\n".join(lines) + "\n\n"


def pairs(text):
    """The id, the block of the question, and (class, block) of each answer."""
    for group in re.finditer(r"<QApairs id='([^']*)'>\n(.*?)</QApairs>", text, re.DOTALL):
        question = re.search(r"<question>\n(.*?)</question>", group[2], re.DOTALL)[1].split("\n")
        answers = re.findall(r"<(positive|negative)>\n(.*?)</\1>", group[2], re.DOTALL)
        yield group[1], question, [(kind, body.split("\n")) for kind, body in answers]


def main(archive, folder):
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as files:
        for part, name in PARTS.items():
            text = files.extractfile(f"TrecQA/data/{name}").read().decode()
            left, right, labels = [], [], []
            for number, question, answers in pairs(text):
                for kind, answer in answers:
                    left.append(conllu(question, {"question": number}))
                    right.append(conllu(answer, {}))
                    labels.append(kind)
            base = Path(folder) / part
            Path(f"{base}.questions.conllu").write_text("".join(left))
            Path(f"{base}.answers.conllu").write_text("".join(right))
            Path(f"{base}.labels").write_text("\n".join(labels) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
