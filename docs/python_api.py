"""docs/python-api.md from the docstrings of the Python package; scripts/generate writes it."""
import inspect
import re

import espalier
import espalier.parsers
import espalier.trees

GROUPS = {
    "Data": ["Dataset", "Trees", "Forest", "read", "write", "formats", "read_pairs",
             "mark_related", "prune", "shallow", "lexical", "trees.to_brackets",
             "parsers.to_conllu"],
    "Kernels as functions": ["gram", "kernel", "diagonal", "describe_kernels", "select_labels",
                             "compare_kernels"],
    "Kernels as transformers": ["SubtreeKernel", "SubsetTreeKernel", "PartialTreeKernel", "SmoothedPartialTreeKernel",
                                "CompositionalTreeKernel", "SubpathKernel", "TreeKernel"],
    "Embeddings": ["SubtreeFeatures", "FragmentFeatures", "HashedFragments", "DistributedTrees",
                   "TreeNystroem"],
    "Estimators": ["TreeSVC", "TreeSVR", "TreePassiveAggressive", "KernelDeepClassifier", "TreeKMeans"],
    "Learning as the program does": ["train", "Model", "cross_validate", "tune", "learning_curve", "stratified_folds"],
    "Metrics and tests": ["estimate", "compare", "metrics"],
    "Explanations": ["Fragments", "contributions", "SubtreeWeight", "plot.tree", "plot.gram", "plot.training_curve",
                     "plot.discriminance"],
    "Errors": ["Error", "InputError", "ElementError"],
}
LISTS = ("Parameters", "Attributes", "Returns", "Raises")
HEAD = """# The Python package: reference

Made from the docstrings by `scripts/generate`. [python.md](python.md) is the place to begin.
"""


def resolve(name):
    item = espalier
    for part in name.split("."):
        item = getattr(item, part)
    return item


def sections(docstring):
    """The text before the first heading, and the lines below each heading."""
    parts, current = {"": []}, ""
    lines = docstring.splitlines()
    for line, after in zip(lines, lines[1:] + [""]):
        if re.fullmatch(r"-+", after) and len(after) == len(line) > 0:
            current = line
            parts[current] = []
        elif not (re.fullmatch(r"-+", line) and current and not parts[current]):
            parts[current].append(line)
    return {name: "\n".join(body).strip("\n").splitlines() for name, body in parts.items()}


def as_list(lines):
    """What NumPy style lists: a line for each item, its description indented below."""
    items = []
    for line in lines:
        if line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            items.append([f"- `{name}`" + (f" ({kind})" if kind else ""), []])
        elif line.strip():
            items[-1][1].append(line.strip())
    return [head + (": " if words else "") + " ".join(words) for head, words in items]


def as_text(docstring):
    out = []
    for name, lines in sections(docstring).items():
        if name in LISTS:
            out += [f"**{name}**", "", *as_list(lines), ""]
        elif name == "Examples":
            out += ["```python", *lines, "```", ""]
        elif name:
            out += [f"**{name}**: " + " ".join(line.strip() for line in lines), ""]
        else:
            out += [*lines, ""]
    return out


def signature(item):
    try:
        found = inspect.signature(item)
    except (TypeError, ValueError):
        return ""
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in found.parameters.values() if p.name != "self"]
    return str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def members(cls):
    """The public methods and properties of a class, those that it inherits from classes of ours included."""
    names = [name for name in dir(cls) if not name.startswith("_")]
    for name in names:
        owner = next((base for base in cls.__mro__ if name in vars(base)), None)
        if owner is None or not owner.__module__.startswith("espalier") or not inspect.getdoc(getattr(cls, name)):
            continue
        yield name, inspect.getattr_static(cls, name), getattr(cls, name)


def entry(name):
    item = resolve(name)
    shown = "" if isinstance(item, type) and issubclass(item, (Exception, tuple)) else signature(item)
    out = [f"### {name}", "", f"`{name}{shown}`", "", *as_text(inspect.getdoc(item))]
    if inspect.isclass(item) and not issubclass(item, (Exception, tuple)):
        for member, static, value in members(item):
            shown = "" if isinstance(static, property) or "cached" in type(static).__name__ else signature(value)
            docstring = inspect.getdoc(static if isinstance(static, property) else value)
            out += [f"#### {name}.{member}{shown}", "", *as_text(docstring)]
    return out


def reference():
    lines = [HEAD]
    for group, names in GROUPS.items():
        lines += [f"## {group}", ""]
        for name in names:
            lines += entry(name)
    text = "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).rstrip() + "\n"
