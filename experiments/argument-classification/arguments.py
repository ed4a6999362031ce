"""Arguments of predicates as trees of grammatical relations (GRCT), from Universal PropBank.

A tree has the word of the predicate, the argument whole, and the path between them.
"""
import re

ROLE = re.compile(r"ARG([0-5AM])")


class Node:
    def __init__(self, label, parent=None, is_word=False):
        self.label = label.replace("(", "-LRB-").replace(")", "-RRB-").replace(" ", "_")
        self.parent, self.is_word = parent, is_word
        self.children = []

    def path(self):
        """The node and its ancestors."""
        out, node = [], self
        while node:
            out.append(node)
            node = node.parent
        return out


def write(node, keep):
    if node.is_word:
        return node.label
    return "(" + " ".join([node.label, *(write(child, keep) for child in node.children if child in keep)]) + ")"


def role_of(text):
    """ARG0 to ARG5, ARGA, or ARGM for all adjuncts; None for what is no argument."""
    found = ROLE.match(text)
    return found and "ARG" + found.group(1)


def dependencies(text):
    """Document, role and tree of each argument of Universal PropBank."""
    document = -1
    for block in text.strip().split("\n\n"):
        document += "# newdoc" in block
        words = [line.split("\t") for line in block.split("\n") if line.split("\t")[0].isdigit()]
        predicates = [i for i, word in enumerate(words) if word[10] not in ("", "_")]
        for k, predicate in enumerate(predicates):
            for argument, word in enumerate(words):
                role = role_of(word[11 + k]) if len(word) > 11 + k else None
                if role and argument != predicate:
                    yield document, role, argument_tree(words, predicate, argument)


def argument_tree(words, predicate, argument):
    nodes = [Node(word[7]) for word in words]
    for i, word in enumerate(words):
        head = int(word[6]) - 1
        nodes[i].parent = nodes[head] if head >= 0 else None
        below = [j for j, other in enumerate(words) if int(other[6]) - 1 == i]
        own = Node(word[4], nodes[i])
        own.children = [Node(word[2], own, is_word=True)]
        nodes[i].children = [*(nodes[j] for j in below if j < i), own, *(nodes[j] for j in below if j > i)]
    own = {i: next(c for c in nodes[i].children if c not in nodes) for i in (predicate, argument)}
    top = next(n for n in nodes[predicate].path() if n in nodes[argument].path())
    keep = {*nodes[predicate].path(), *nodes[argument].path(), own[predicate], *own[predicate].children}
    whole = [nodes[argument]]
    # An argument above its predicate would have all of the sentence: its own word stands for it.
    if nodes[argument] in nodes[predicate].path():
        whole = [own[argument]]
    while whole:
        node = whole.pop()
        keep.add(node)
        whole.extend(node.children)
    return write(top, keep)
