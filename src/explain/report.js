"use strict";
// Adds pointing, filtering, searching and the dark switch to a page that is complete without them.
(() => {
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const byId = (id) => document.getElementById(id);

  const vertices = all("#forest .vertex[data-vertex]");
  const byNumber = new Map(vertices.map((vertex) => [vertex.dataset.vertex, vertex]));
  const edges = all("#forest .edge").map((element) => {
    const ends = element.dataset.ends.split(" ");
    return { element, ends: ends.map((number) => byNumber.get(number)) };
  });
  const panel = byId("panel");
  let pinned = null;

  function show(vertex) {
    vertices.forEach((other) => other.classList.toggle("pointed", other === vertex));
    edges.forEach(({ element, ends }) => element.classList.toggle("pointed", ends.includes(vertex)));
    const detail = byId("detail-" + vertex.dataset.vertex).cloneNode(true);
    detail.removeAttribute("id");
    panel.replaceChildren(detail);
  }

  function visible() {
    return vertices.filter((vertex) => !vertex.classList.contains("off"));
  }

  // One stop for the tab key; arrows lead on from there.
  function makeStop(vertex) {
    vertices.forEach((other) => other.setAttribute("tabindex", other === vertex ? "0" : "-1"));
  }

  function step(vertex, by) {
    const list = visible();
    const next = list[list.indexOf(vertex) + by];
    if (next) {
      makeStop(next);
      next.focus();
    }
  }

  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  for (const vertex of vertices) {
    vertex.addEventListener("mouseenter", () => pinned || show(vertex));
    vertex.addEventListener("focus", () => show(vertex));
    vertex.addEventListener("click", () => {
      pinned = pinned === vertex ? null : vertex;
      show(vertex);
    });
    vertex.addEventListener("keydown", (event) => {
      if (event.key in steps) {
        event.preventDefault();
        step(vertex, steps[event.key]);
      }
    });
    vertex.setAttribute("role", "button");
    vertex.setAttribute("aria-label", vertex.querySelector("title").textContent);
    // The panel says it all: no second box from the browser.
    vertex.querySelector("title").remove();
  }
  if (vertices.length > 0) makeStop(vertices[0]);

  const filters = all("[data-filter]");
  function filter(group) {
    const hides = (element) => group !== "" && element.dataset.group !== group;
    filters.forEach((button) => button.setAttribute("aria-pressed", button.dataset.filter === group));
    [...vertices, ...all(".of-group")].forEach((e) => e.classList.toggle("off", hides(e)));
    all(".class-bar, .column").forEach((e) => e.classList.toggle("dimmed", hides(e)));
    for (const { element, ends } of edges) {
      element.classList.toggle("off", ends.some((vertex) => vertex.classList.contains("off")));
    }
    pinned = null;
    if (visible().length > 0) makeStop(visible()[0]);
    search();
  }
  filters.forEach((button) => button.addEventListener("click", () => filter(button.dataset.filter)));

  const input = byId("search");
  function search() {
    const wanted = input.value.trim().toLowerCase();
    let found = 0;
    for (const vertex of vertices) {
      const hit = wanted !== "" &&
        vertex.dataset.labels.split("\n").some((label) => label.toLowerCase().includes(wanted));
      vertex.classList.toggle("hit", hit);
      vertex.classList.toggle("missed", wanted !== "" && !hit);
      if (hit && !vertex.classList.contains("off")) found += 1;
    }
    byId("found").textContent =
      wanted === "" ? "" : found + " of " + visible().length + " subtrees contain it";
  }
  input.addEventListener("input", search);

  const theme = byId("theme");
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    (document.documentElement.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  prefersDark.addEventListener("change", nameTheme);
  nameTheme();

  [theme, byId("controls"), panel].forEach((element) => { element.hidden = false; });
})();
