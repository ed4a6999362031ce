"""The page of fragments in a browser."""
import os
import subprocess
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("ESPALIER_PROGRAM", ROOT / "build/release/espalier")).resolve()
QUESTIONS = ROOT / "examples/questions"
SHOWN = "return [...document.querySelectorAll('.fragment:not(.off)')]"


def espalier(*arguments):
    subprocess.run([PROGRAM, *arguments, "--quiet"], check=True, timeout=60, capture_output=True)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fragments")
    espalier("train", "-k", "norm(sst())", "-C", "3", QUESTIONS / "train.tsv", "-o", folder / "q.model")
    espalier("fragments", folder / "q.model", QUESTIONS / "train.tsv", "--top", "10", "--min-size", "2",
             "-o", folder / "f.html")
    return folder / "f.html"


def test_fragments_are_drawn_with_their_weights_and_sentences(browser, page):
    browser.open(page)
    assert browser.text("#found") == "60 fragments"
    first = "[...document.querySelectorAll('.fragment[data-class=\"3\"]')][0]"
    assert browser.execute_script(f"return {first}.querySelector('.brackets').textContent") == "(WHNP (WP Who))"
    assert browser.execute_script(f"return {first}.querySelectorAll('.bars tr').length") == 6
    assert browser.execute_script(f"return {first}.querySelector('mark').textContent") == "Who"
    assert "of 720 examples" in browser.execute_script(f"return {first}.textContent")
    # Frontier nodes have a line below; words have none.
    counts = browser.execute_script("""
      return [...document.querySelectorAll('.fragment')].map(card => [
        card.querySelectorAll('line.frontier').length,
        (card.querySelector('.brackets').textContent.match(/\\([^ ()]+\\)/g) || []).length])""")
    assert all(drawn == brackets for drawn, brackets in counts) and any(drawn for drawn, _ in counts)
    assert browser.console() == []


def test_fragments_are_searched_filtered_and_sorted(browser, page):
    browser.open(page)
    browser.find("#search").send_keys("who)")
    texts = browser.execute_script(SHOWN + ".map(c => c.querySelector('.brackets').textContent)")
    assert texts and all("who)" in text.lower() for text in texts)
    browser.find("#search").send_keys(Keys.CONTROL + "a", Keys.DELETE)
    browser.find("[data-filter='3']").click()
    assert browser.text("#found") == "10 fragments"
    browser.find("[data-filter='']").click()
    for key in ("weight", "size", "examples"):
        browser.find(f"[data-order='{key}']").click()
        values = browser.execute_script(SHOWN + f".map(c => Number(c.dataset.{key}))")
        assert len(values) == 60 and values == sorted(values, reverse=True)
    assert browser.console() == []


def test_keys_move_between_fragments(browser, page):
    browser.open(page)
    browser.find("body").send_keys("/")
    assert browser.execute_script("return document.activeElement.id") == "search"
    browser.execute_script("document.querySelector('.fragment').focus()")
    browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    place = "return [...document.querySelectorAll('.fragment')].indexOf(document.activeElement)"
    assert browser.execute_script(place) == 1
    browser.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert browser.execute_script(place) == 0


def test_a_phone_shows_all_without_scrolling_sideways(browser, page):
    size = browser.get_window_size()
    try:
        browser.set_window_size(500, 800)  # Chromium has no narrower window; the page is zoomed instead
        browser.open(page)
        browser.execute_script("document.body.style.width = '360px'")
        assert browser.execute_script("""
          return [...document.querySelectorAll('.fragment, .controls')]
            .every(element => element.getBoundingClientRect().right <= 361)""")
    finally:
        browser.set_window_size(size["width"], size["height"])


def test_hostile_labels_are_text(browser, tmp_path):
    data = tmp_path / "d.tsv"
    data.write_text("A\t(<img/src=x/onerror=alert(1)> b)\n".replace("alert(1)", "alert\\(1\\)") + "B\t(a c)\n")
    espalier("train", "-k", "sst()", data, "-o", tmp_path / "m.model")
    espalier("fragments", tmp_path / "m.model", data, "-o", tmp_path / "f.html")
    browser.open(tmp_path / "f.html")
    assert browser.execute_script("return document.querySelectorAll('img').length") == 0
    assert "<img/src=x/onerror=alert" in browser.text("#fragments")
    assert browser.console() == []


def test_without_script_all_fragments_are_there(browser_without_script, page):
    browser_without_script.open(page)
    assert len(browser_without_script.find_elements("css selector", ".fragment svg")) == 60
    assert not browser_without_script.find("#controls").is_displayed()
