"""Very deep or very wide inputs: read within the memory given, or refused with the limit's name.

The program has a stack of 8 MB, as shells give it; recursion over a million levels would overflow
it.
"""
import resource

import pytest
from program import assert_refused, run

DEEP = 1_000_000
WIDE = 5_000_000


def limits():
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))
    resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    (folder / "deep.xml").write_text("<a>" * DEEP + "</a>" * DEEP)
    (folder / "deep.html").write_text("<div>" * DEEP)
    (folder / "deep.json").write_text("[" * DEEP + "]" * DEEP)
    (folder / "wide.json").write_text("[" + "7," * (WIDE - 1) + "7]")
    return folder


@pytest.mark.parametrize(
    "name, nodes", [("deep.xml", DEEP), ("deep.json", DEEP), ("wide.json", WIDE + 1)]
)
def test_are_read_in_little_memory(inputs, name, nodes):
    code, out, errors = run("info", inputs / name, preexec_fn=limits)
    assert code == 0, errors
    assert f"1 tree, {nodes:,} nodes" in out.decode()


@pytest.mark.parametrize(
    "name, option, message",
    [
        (
            "deep.xml",
            "--max-depth",
            "a tree of more than 1000 levels; the option max-depth sets this limit",
        ),
        (
            "wide.json",
            "--max-nodes",
            "a tree of more than 1000 nodes; the option max-nodes sets this limit",
        ),
        ("wide.json", "--max-example", "the option max-example sets this limit"),
    ],
)
def test_are_refused_beyond_a_limit(inputs, name, option, message):
    assert_refused(run("info", option, "1000", inputs / name, preexec_fn=limits), message)


def test_html_is_refused_where_its_parser_would_overflow_the_stack(inputs):
    assert_refused(
        run("info", inputs / "deep.html", preexec_fn=limits), "nested more than 5000 deep"
    )


def test_deep_trees_go_through_a_kernel(inputs):
    code, out, errors = run("kernel", "-k", "norm(st())", inputs / "deep.xml", preexec_fn=limits)
    assert code == 0, errors
    assert out == b"a\tb\tnorm(st())\n1\t1\t1\n"
