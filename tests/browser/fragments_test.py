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
    browser.find("#search").send_keys("no such label")
    assert browser.text("#found") == "0 fragments" and browser.execute_script(SHOWN) == []
    browser.find("#search").send_keys(Keys.CONTROL + "a", Keys.DELETE)
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
    # In the order that is shown, and past the fragments of other classes.
    browser.find("[data-order='weight']").click()
    browser.find("[data-filter='3']").click()
    first, second = browser.execute_script(SHOWN + ".slice(0, 2)")
    browser.execute_script("arguments[0].focus()", first)
    first.send_keys(Keys.ARROW_DOWN)
    assert browser.switch_to.active_element == second


def test_the_keyboard_alone_filters_and_sorts(browser, page):
    browser.open(page)
    browser.execute_script("document.querySelector(\"[data-filter='']\").focus()")
    browser.switch_to.active_element.send_keys(Keys.TAB)
    browser.switch_to.active_element.send_keys(Keys.SPACE)
    assert browser.text("#found") == "10 fragments"
    assert browser.switch_to.active_element.get_attribute("aria-pressed") == "true"
    for _ in range(7):  # five more classes, and the order that is shown
        browser.switch_to.active_element.send_keys(Keys.TAB)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    weights = browser.execute_script(SHOWN + ".map(c => Number(c.dataset.weight))")
    assert browser.find("[data-order='weight']").get_attribute("aria-pressed") == "true"
    assert len(weights) == 10 and weights == sorted(weights, reverse=True)


@pytest.fixture
def phone(browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                            {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    yield browser
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_phone_shows_all_without_scrolling_sideways(phone, page):
    phone.open(page)
    assert phone.execute_script("return [innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    assert phone.execute_script("""
      return [...document.querySelectorAll('.fragment, .controls, .controls *')]
        .every(element => element.getBoundingClientRect().right <= 390)""")
    phone.find("#search").send_keys("who)")
    assert phone.text("#found") != "60 fragments" and phone.execute_script(SHOWN)


def test_long_names_fit_a_phone(phone, tmp_path):
    data, long = tmp_path / "d.tsv", "label" * 60
    data.write_text(f"{long}\t(a ({long} b))\nB\t(a c)\n")
    espalier("train", "-k", f"select(sst(), labels=[a, {long}])", data, "-o", tmp_path / "m.model")
    espalier("fragments", tmp_path / "m.model", data, "-o", tmp_path / "f.html")
    phone.open(tmp_path / "f.html")
    assert phone.execute_script("return document.documentElement.scrollWidth") == 390


def test_hostile_labels_are_text(browser, tmp_path):
    data = tmp_path / "d.tsv"
    hostile = "<img/src=x/onerror=alert\\(1\\)>"
    quotes = '"onfocus="alert\\(2\\)'
    data.write_text(f"<script>alert(3)</script>\t({hostile} ({quotes} b))\nB\t(a c)\n")
    espalier("train", "-k", "sst()", data, "-o", tmp_path / "m.model")
    espalier("fragments", tmp_path / "m.model", data, "-o", tmp_path / "f.html")
    browser.open(tmp_path / "f.html")
    assert browser.execute_script("return document.querySelectorAll('img, [onfocus]').length") == 0
    assert browser.execute_script("return document.querySelectorAll('script').length") == 1  # our own
    shown = browser.text("#fragments")
    assert "<img/src=x/onerror=alert" in shown and '"onfocus="alert' in shown and "<script>alert(3)</script>" in shown
    browser.execute_script("document.querySelectorAll('.fragment').forEach(card => card.focus())")
    assert browser.console() == []


def test_without_script_all_fragments_are_there(browser_without_script, page):
    browser_without_script.open(page)
    assert len(browser_without_script.find_elements("css selector", ".fragment svg")) == 60
    assert not browser_without_script.find("#controls").is_displayed()
