"""Includes go one way: docs/architecture.md explains the order, this test holds it."""
import re

import pytest
from source_tree import ROOT

# Each module may include itself, the modules named here, and whatever those may include.
ORDER = {
    "base": [],
    "forest": ["base"],
    "data": ["forest"],
    "io": ["represent"],
    "represent": ["data"],
    "distributed": ["forest"],
    "kernel": ["data", "distributed"],
    "similarity": ["kernel"],
    # A kernel in a folder of its own knows the engine; the engine knows none of them.
    "engine": ["similarity"],
    "engine/distributed": ["engine"],
    "engine/partial_tree": ["engine"],
    "engine/smoothed": ["engine/partial_tree"],
    "engine/subset_tree": ["engine"],
    "engine/subtree": ["engine"],
    "gram": ["engine/subtree"],
    "fragments": ["io", "gram"],
    "embed": ["io", "gram", "learn"],
    "learn": ["base"],
    "evaluate": ["base"],
    "model": ["io", "represent", "embed", "fragments", "learn", "evaluate"],
    "explain": ["model"],
    "cli": ["explain"],
    "python": ["explain"],
}
# Libraries that we link privately: a user of our headers need not have them.
NOT_IN_PUBLIC_HEADERS = re.compile(
    r"^(CLI/|nlohmann/|fmt/|Eigen/|zlib|pugixml|gumbo|svm\.h|linear\.h|libsvm|liblinear)",
    re.IGNORECASE,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.MULTILINE)


def reachable(module):
    """The module and all that it may include."""
    return {module}.union(*(reachable(below) for below in ORDER[module]))


def module_of(path, root):
    """The module that a file belongs to; None for one that belongs to none, like version.hpp."""
    parts = path.relative_to(root).parts
    if parts[0] in {"cli", "python"}:
        return parts[0]
    return folder(parts[2:] if parts[0] == "include" else parts[1:])  # include/espalier/M/.., src/M/..


def folder(parts):
    """The module of a path inside include/espalier or src: its first folder, or its first two."""
    two = "/".join(parts[:2])
    return (two if two in ORDER else parts[0]) if len(parts) > 1 else None


def included_module(include):
    """"espalier/forest/tree.hpp" and the private "forest/tree.hpp" are both of module forest."""
    module = folder(include.removeprefix("espalier/").split("/"))
    return module if include.startswith("espalier/") or module in ORDER else None


def mistakes(root):
    found = []
    for folder in ("include", "src", "cli", "python"):
        for path in sorted((root / folder).rglob("*.[hc]pp")):
            where, module = path.relative_to(root), module_of(path, root)
            if module is not None and module not in ORDER:
                found.append(f"{where}: module '{module}' has no place in ORDER yet")
                continue
            for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
                target = included_module(include)
                if module and target and target not in reachable(module):
                    found.append(f"{where}: {module} may not include {include}")
                if module and include == "espalier/espalier.hpp":
                    found.append(f"{where}: the umbrella header is for users; include what you need")
                if folder == "include" and NOT_IN_PUBLIC_HEADERS.match(include):
                    found.append(f"{where}: a public header may not include {include}")
    return found


def test_includes_follow_the_order():
    assert (ROOT / "src").is_dir()
    assert not mistakes(ROOT)


def test_the_umbrella_header_reaches_every_public_header():
    include, todo, found = ROOT / "include", ["espalier/espalier.hpp"], set()
    while todo:
        header = todo.pop()
        if header not in found and (include / header).is_file():
            found.add(header)
            todo += INCLUDE.findall((include / header).read_text())
    assert found == {str(path.relative_to(include)) for path in include.rglob("*.hpp")}


@pytest.mark.parametrize("file, include, allowed", [
    ("src/gram/gram.cpp", '"espalier/kernel/kernel.hpp"', True),
    ("src/gram/gram.cpp", '"espalier/base/error.hpp"', True),
    ("src/forest/forest.cpp", '"espalier/version.hpp"', True),
    ("cli/main.cpp", "<CLI/CLI.hpp>", True),
    ("src/io/klp.cpp", "<zlib.h>", True),
    ("include/espalier/espalier.hpp", '"espalier/model/model.hpp"', True),
    ("src/engine/subset_tree/x.cpp", '"engine/leaf.hpp"', True),
    ("src/engine/leaf.hpp", '"engine/subset_tree/branches.hpp"', False),
    ("src/engine/subset_tree/x.cpp", '"engine/partial_tree/run_index.hpp"', False),
    ("src/forest/forest.cpp", '"espalier/io/read.hpp"', False),
    ("src/forest/forest.cpp", '"io/private.hpp"', False),
    ("include/espalier/learn/svm.hpp", "<espalier/forest/forest.hpp>", False),
    ("src/io/read.cpp", '"espalier/kernel/kernel.hpp"', False),
    ("src/utilities/x.cpp", "<vector>", False),
    ("src/base/error.cpp", '"espalier/espalier.hpp"', False),
    ("include/espalier/io/read.hpp", "<zlib.h>", False),
    ("include/espalier/model/model.hpp", "<nlohmann/json.hpp>", False),
])
def test_the_check_tells_right_from_wrong(tmp_path, file, include, allowed):
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(f"#pragma once\n#  include {include}  // why\n")
    assert (mistakes(tmp_path) == []) is allowed
