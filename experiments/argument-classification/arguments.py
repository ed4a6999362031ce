"""Arguments of predicates as trees: the predicate, one argument whole, and the path between them.

constituents() reads the gold trees and roles of PropBank in columns; dependencies() reads Universal PropBank, and
writes trees of grammatical relations (GRCT). With `mark`, the node of the argument is marked.
"""
import re
import tarfile

ROLE = re.compile(r"ARG([0-5AM])")


class Node:
    def __init__(self, label, parent=None, is_word=False):
        self.label = label.replace("(", "-LRB-").replace(")", "-RRB-").replace(" ", "_")
        self.parent, self.is_word = parent, is_word
        self.children, self.tokens = [], []

    def path(self):
        """The node and its ancestors."""
        out, node = [], self
        while node:
            out.append(node)
            node = node.parent
        return out


def write(node, keep, mark):
    if node.is_word:
        return node.label
    label = node.label + ("-ARG" if node is mark else "")
    return "(" + " ".join([label, *(write(child, keep, mark) for child in node.children
                                    if keep is None or child in keep)]) + ")"


def argument_tree(predicate, argument, mark):
    """The smallest subtree with both, where the argument is whole and all else is the path; "" if one has the other."""
    up, other = predicate.path(), argument.path()
    if argument in up or predicate in other:
        return ""
    top = next(node for node in up if node in other)
    keep = {*up, *other}
    whole = [argument]
    while whole:
        node = whole.pop()
        keep.add(node)
        whole.extend(node.children)
    keep.update(predicate.children)
    return write(top, keep, argument if mark else None)


def role_of(text):
    """ARG0 to ARG5, ARGA, or ARGM for all adjuncts; None for what is no argument."""
    found = ROLE.match(text)
    return found and "ARG" + found.group(1)


def sentence_tree(rows):
    """The leaves of a sentence, which are parts of speech: brackets in column 5, as (S(NP* and *))."""
    root, leaves = None, []
    node = None
    for index, columns in enumerate(rows):
        opening, closing = columns[5].split("*")
        for label in re.findall(r"\(([^()\s]+)", opening):
            node = Node(label, node)
            if node.parent:
                node.parent.children.append(node)
            root = root or node
        leaf = Node(columns[4], node)
        node.children.append(leaf)
        leaves.append(leaf)
        for above in leaf.path():
            above.tokens.append(index)
        for _ in closing.strip():
            node = node.parent
    return leaves


def spans(rows, column):
    """Role, first and last token of what a column marks."""
    out, open_role = [], None
    for index, columns in enumerate(rows):
        text = columns[column]
        if found := re.match(r"\(([^*()]+)", text):
            open_role, first = found.group(1), index
        if text.endswith(")") and open_role:
            out.append((open_role, first, index))
            open_role = None
    return out


def constituents(archive, sections, mark=False):
    """Role and tree of each argument in some sections of the Wall Street Journal, in the order of the files."""
    with tarfile.open(archive) as tar:
        files = {member.name: member for member in tar
                 if (found := re.search(r"wsj/(\d\d)/[^/]*gold_skel$", member.name)) and int(found[1]) in sections}
        for name in sorted(files):
            for block in tar.extractfile(files[name]).read().decode().split("\n\n"):
                rows = [line.split() for line in block.split("\n") if line.strip()]
                if rows:
                    yield from arguments_of_sentence(rows, mark)


def arguments_of_sentence(rows, mark):
    leaves = sentence_tree(rows)
    predicates = [i for i, columns in enumerate(rows) if columns[7] != "-"]
    for k, predicate in enumerate(predicates):
        node = leaves[predicate]
        if not node.label.startswith("VB"):  # verbs, as in the paper
            continue
        node.children = [Node(rows[predicate][6], node, is_word=True)]
        for role, first, last in spans(rows, 8 + k):
            covering = [n for n in leaves[first].path() if n.tokens[0] == first and n.tokens[-1] == last]
            tree = argument_tree(node, covering[-1], mark) if covering and role_of(role) else ""
            if tree:
                yield role_of(role), tree
        node.children = []


def dependencies(text, mark=False):
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
                    yield document, role, dependency_argument(words, predicate, argument, mark)


def dependency_argument(words, predicate, argument, mark):
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
    return write(top, keep, nodes[argument] if mark else None)
