"""Reports in a browser."""
import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ESPALIER_PROGRAM", ROOT / "build/release/espalier")).resolve()
SHARED = Path(os.environ.get("ESPALIER_SHARED", ROOT / "../shared")) / "data"
LARGEST = 3_000_000  # bytes

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the large data sets are not available")

VISIBLE = """return [...document.querySelectorAll('#forest .vertex[data-vertex]')]
  .filter(v => getComputedStyle(v).display !== 'none').map(v => v.dataset.group)"""


def make_report(folder, data, *options):
    path = folder / "report.html"
    subprocess.run([PROGRAM, "report", data, "-o", path, *options], check=True, timeout=60)
    return path


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    return make_report(tmp_path_factory.mktemp("questions"), ROOT / "examples/questions/train.tsv")


@pytest.fixture
def page(browser, questions):
    browser.open(questions)
    return browser


def test_the_console_has_no_messages(page):
    assert page.console() == []


def test_hovering_a_vertex_shows_its_subtree(page):
    assert "Point at a circle" in page.text("#panel")
    page.point_at("#forest .vertex[data-vertex='0'] circle")
    labels = page.execute_script("return document.querySelector('[data-vertex=\"0\"]').dataset.labels.split('\\n')")
    shown = page.execute_script("return [...document.querySelectorAll('#panel .tree text')].map(t => t.textContent)")
    assert shown and shown[0] == labels[0]
    assert "weight" in page.text("#panel") and "(" + labels[0] in page.text("#panel .brackets")


def test_filtering_by_class_changes_what_is_drawn(page):
    everything = page.execute_script(VISIBLE)
    assert len(set(everything)) == 6
    page.find("[data-filter='2']").click()
    some = page.execute_script(VISIBLE)
    assert set(some) == {"2"} and len(some) == everything.count("2")
    groups = page.execute_script("""return [...document.querySelectorAll('.of-group:not(.off)')]
        .map(g => g.dataset.group)""")
    assert groups == ["2"]
    page.find("[data-filter='']").click()
    assert page.execute_script(VISIBLE) == everything


def test_searching_highlights(page):
    page.find("#search").send_keys("when")
    hits = page.execute_script("""return [...document.querySelectorAll('.vertex.hit')]
        .map(v => v.dataset.labels.toLowerCase())""")
    assert hits and all("when" in labels for labels in hits)
    assert page.text("#found").startswith(f"{len(hits)} of ")
    assert page.execute_script("return document.querySelectorAll('.vertex.missed').length") > 0


def test_arrow_keys_move_between_vertices(page):
    page.execute_script("document.querySelector('.vertex[tabindex=\"0\"]').focus()")
    page.execute_script("""document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))""")
    assert page.execute_script("return document.activeElement.dataset.vertex") == "1"
    assert page.text("#panel h3") != ""


def test_the_theme_button_switches_both_ways(page):
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = page.execute_script(colour)
    page.find("#theme").click()
    dark = page.execute_script(colour)
    assert (light, page.text("#theme")) == ("rgb(255, 255, 255)", "Light") and dark != light
    page.find("#theme").click()
    assert page.execute_script(colour) == light


def test_the_page_follows_the_dark_theme_of_the_system(page):
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": dark})
    try:
        assert page.execute_script("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        assert page.text("#theme") == "Light"
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_nothing_is_wider_than_a_narrow_window(page):
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                         {"width": 420, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= 420
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_everything_is_shown_without_javascript(browser_without_script, questions):
    browser_without_script.open(questions)
    shown = browser_without_script.execute_cdp_cmd("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    texts = set(shown["strings"])
    assert "Strongest subtrees of each class" in texts
    assert not any("Point at a circle" in shown["strings"][index] for document in shown["documents"]
                   for index in document["layout"]["text"] if index >= 0)


HOSTILE = """</script><script>alert(1)</script>\t(a (b"'&<> </style><script>alert(2)</script>)(c d))
"'&<>\t(a (b"'&<> <img/src=x/onerror=alert(3)>)(c e))
--><svg/onload=alert(4)>\t(a (b \x01\x7f)(f g))
"""


def test_markup_in_labels_is_escaped(browser, tmp_path):
    data = tmp_path / "a<b>&.tsv"
    data.write_text(HOSTILE * 3)
    browser.open(make_report(tmp_path, data))
    assert browser.console() == []
    assert browser.execute_script("return document.scripts.length") == 1
    assert browser.execute_script("return document.querySelectorAll('img, svg svg').length") == 0
    browser.point_at("#forest .vertex[data-vertex='0'] circle")
    assert "alert" in browser.text("#panel")
    assert browser.text("h1").endswith("/a<b>&.tsv")
    names = browser.execute_script("return [...document.querySelectorAll('[data-filter]')].map(b => b.textContent)")
    assert "</script><script>alert(1)</script>" in names


@needs_shared
def test_large_reports_are_small_and_without_errors(browser, tmp_path):
    with tarfile.open(SHARED / "inex2005.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    inex = tmp_path / "inex.tsv"
    text = next(tmp_path.rglob("*train*.tree")).read_text()
    # From 8:a(b($) c($)) to 8, tab, (a (b $) (c $)).
    inex.write_text(re.sub(r"([^\s()]+)\(", r"(\1 ", re.sub(r"^(\d+):", r"\1\t", text, flags=re.M)))
    for data, options in ((SHARED / "qc_kelp_train.klp.gz", ["--tree", "grct"]), (inex, [])):
        report = make_report(tmp_path, data, *options)
        assert report.stat().st_size < LARGEST
        browser.open(report)
        assert browser.console() == []
        assert len(set(browser.execute_script(VISIBLE))) >= 6
