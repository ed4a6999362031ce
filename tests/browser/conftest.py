"""A headless Chromium, driven by selenium."""
import shutil
from contextlib import contextmanager

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb", "--window-size=1400,1000"]


class Browser(webdriver.Chrome):
    """Chromium with shortcuts for elements given by CSS selectors."""

    def __init__(self, script=True):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        if not script:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        super().__init__(options, webdriver.ChromeService(DRIVER))

    def open(self, path):
        self.get(path.resolve().as_uri())

    def find(self, selector):
        return self.find_element("css selector", selector)

    def text(self, selector):
        return self.find(selector).text

    def point_at(self, selector):
        """Scroll to the element and move the mouse onto its middle."""
        self.execute_script("arguments[0].scrollIntoView({block: 'center'})", self.find(selector))
        ActionChains(self, duration=0).move_to_element(self.find(selector)).perform()

    def console(self):
        """The console messages since the last call."""
        return self.get_log("browser")


@contextmanager
def chromium(**options):
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium and chromedriver are not installed")
    browser = Browser(**options)
    try:
        yield browser
    finally:
        browser.quit()


@pytest.fixture(scope="session")
def browser():
    with chromium() as it:
        yield it


@pytest.fixture
def browser_without_script():
    with chromium(script=False) as it:
        yield it
