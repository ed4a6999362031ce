#!/usr/bin/env python3
"""Generates train.tsv and test.tsv: English questions in six classes, as Penn-style constituency trees.

A question is made in three steps: draw a line of grammar.txt, fill it with facts from the tables of that
file, read the result as a tree. The notation is explained at the top of grammar.txt.
"""
import argparse
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 2026
COUNTS = {"train": {"ABBR": 43, "DESC": 144, "ENTY": 173, "HUM": 151, "LOC": 97, "NUM": 112},
          "test": {"ABBR": 11, "DESC": 37, "ENTY": 42, "HUM": 37, "LOC": 25, "NUM": 28}}
# What a choice marked ~ weighs, against 1 for an ordinary one: the test asks for what training rarely showed.
RARE_WEIGHT = {"train": 0.04, "test": 0.8}

TAGS = {tag: words.split() for tag, words in {
    "DT": "the a an every another", "CC": "and or", "TO": "to", "POS": "'s", "EX": "there", "MD": "can",
    "IN": "of in on at by for from with through between after before during against about as like into behind",
    "WP": "who whom what", "WDT": "which", "WP$": "whose", "WRB": "when where why how", ".": "? .",
    "VBZ": "is does has", "VBP": "are do have", "VBD": "was were did had", "JJ": "many much first famous",
    "PRP": "you me we us it I", "PRP$": "its their", "NNS": "people children",
}.items()}
TAG_OF_WORD = {word: tag for tag, words in TAGS.items() for word in words}


class Grammar:
    """Tables of facts, frames and the lines of each class, as read from grammar.txt."""

    def __init__(self, text):
        self.tables, self.frames, self.classes = {}, {}, {}
        for section in re.split(r"^%", text, flags=re.M)[1:]:
            head, *lines = [line.strip() for line in section.strip().splitlines()]
            kind, name, rest = re.fullmatch(r"(\w+) (\w+):?(.*)", head).groups()
            if kind == "table":
                columns = cells(rest)
                self.tables[name] = [(weight, dict(zip(columns, cells(row), strict=True)))
                                     for weight, row in map(read_mark, ";".join(lines).split(";"))]
            elif kind == "frame":
                self.frames[name] = " ".join(lines)
            else:
                self.classes[name] = [read_mark(line) for line in lines]

    def question(self, label, rng, rare_weight):
        """Draws one question of a class and returns its tree."""
        rows = {}

        def cell(match):
            table, column = match.group(1).split(".")
            if table not in rows:
                rows[table] = draw(self.tables[table], rng, rare_weight)
            return rows[table][column]

        frame, arguments = draw(self.classes[label], rng, rare_weight).split(": ", 1)
        text = self.frames[frame]
        for number, argument in enumerate(arguments.split(" ; "), start=1):
            text = text.replace(f"#{number}", argument)
        while True:
            before = text
            text = re.sub(r"<([^<>]*)>", lambda m: draw(map(read_mark, m.group(1).split("|")), rng, rare_weight), text)
            text = re.sub(r"\{([\w.]+)\}", cell, text)
            if text == before:
                return finish(read_tree(f"(ROOT {text})"))


def cells(row):
    return [cell.strip() for cell in row.split("|")]


def read_mark(text):
    """Splits "3*x" into (3, "x") and "~x" into (None, "x"); the weight None is that of a rare choice."""
    mark, rest = re.fullmatch(r"\s*(~|\d+\*)?(.*)", text, re.S).groups()
    return (None if mark == "~" else int(mark[:-1]) if mark else 1), rest


def draw(choices, rng, rare_weight):
    weighted = [(rare_weight if weight is None else weight, value) for weight, value in choices]
    point = rng.random() * sum(weight for weight, _ in weighted)
    for weight, value in weighted:
        point -= weight
        if point < 0:
            return value
    return weighted[-1][1]


def tag_of(word):
    """The tag of a word that carries none of its own: closed classes, then spelling."""
    if word in TAG_OF_WORD:
        return TAG_OF_WORD[word]
    if word[0].isdigit():
        return "CD"
    if word[0].isupper():
        return "NNP"
    return "NNS" if re.search(r"[^sui]s$", word) else "NN"


def read_tree(text):
    """Reads the notation of grammar.txt as nested lists [label, child, ...]; a child that is a string is a word."""
    stack = [[]]
    tokens = iter(re.findall(r"[()\[\]]|[^\s()\[\]]+", text))
    for token in tokens:
        if token in "([":
            stack.append(["NP" if token == "[" else next(tokens)])
        elif token in ")]":
            phrase = stack.pop()
            stack[-1].append(phrase)
        else:
            word, _, tag = token.partition("/")
            stack[-1].append([tag or tag_of(word), word])
    [[tree]] = stack
    return tree


def finish(tree):
    """Settles what depends on the neighbours: "what" as determiner, a/an, the capital of the first word."""
    words = list(preterminals(tree))
    for phrase in phrases(tree):
        if phrase[0] == "WHNP" and len(phrase) > 2 and phrase[1] == ["WP", "what"]:
            phrase[1][0] = "WDT"
    for article, noun in zip(words, words[1:]):
        if article == ["DT", "a"] and noun[1][0] in "aeiou":
            article[1] = "an"
    words[0][1] = words[0][1].capitalize()
    check_tree(tree)
    return tree


def phrases(tree):
    if isinstance(tree[1], list):
        yield tree
        for child in tree[1:]:
            yield from phrases(child)


def preterminals(tree):
    if isinstance(tree[1], str):
        yield tree
    else:
        for child in tree[1:]:
            yield from preterminals(child)


def check_tree(node):
    """Raises ValueError unless every label is a Penn label and every preterminal has exactly one word."""
    label, *children = node
    if not re.fullmatch(r"[A-Z]+\$?|\.", label) or not children:
        raise ValueError(f"bad node {node}")
    if isinstance(children[0], str):
        if len(children) != 1 or not re.fullmatch(r"[\w'.?-]+", children[0]):
            raise ValueError(f"bad word {node}")
    else:
        for child in children:
            check_tree(child)


def brackets(tree):
    return tree if isinstance(tree, str) else f"({' '.join([tree[0]] + [brackets(child) for child in tree[1:]])})"


def generate(grammar, seed):
    """Returns {"train.tsv": text, "test.tsv": text}. No two sentences are the same, not even across the files."""
    rng = random.Random(seed)
    seen, files = set(), {}
    for part, counts in COUNTS.items():
        questions = []
        for label, count in counts.items():
            while count:
                tree = grammar.question(label, rng, RARE_WEIGHT[part])
                sentence = " ".join(word for _, word in preterminals(tree)).lower()
                if sentence not in seen:
                    seen.add(sentence)
                    questions.append((rng.random(), label, brackets(tree)))
                    count -= 1
        first = sum(text.count("\n") for text in files.values()) + 1
        files[f"{part}.tsv"] = "".join(f"{label}\tq{number:04}\t{tree}\n" for number, (_, label, tree)
                                       in enumerate(sorted(questions), start=first))
    return files


def main():
    parser = argparse.ArgumentParser(
        description="Writes train.tsv and test.tsv: class, id and tree of English questions, separated by tabs.",
        epilog="example: python3 make_questions.py --seed 3 --out /tmp/questions")
    parser.add_argument("--seed", type=int, default=SEED, help="other seed, other questions (default %(default)s)")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to (default: that of this script)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the files in --out differ")
    options = parser.parse_args()

    files = generate(Grammar((HERE / "grammar.txt").read_text(encoding="utf-8")), options.seed)
    stale = []
    for name, text in files.items():
        path = options.out / name
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        elif not path.is_file() or path.read_bytes() != text.encode():
            stale.append(str(path))
    if stale:
        sys.exit(f"differs from what make_questions.py generates: {', '.join(stale)}")


if __name__ == "__main__":
    main()
