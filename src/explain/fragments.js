"use strict";
// Adds searching, filtering, sorting and arrow keys to a page that is complete without them.
(() => {
  const byId = (id) => document.getElementById(id);
  const list = byId("fragments");
  const cards = Array.from(list.children);
  const buttons = (name) => Array.from(document.querySelectorAll("[data-" + name + "]"));
  const shown = () => Array.from(list.children).filter((card) => !card.classList.contains("off"));
  let group = "";

  function select() {
    const wanted = byId("search").value.trim().toLowerCase();
    for (const card of cards) {
      const hit = card.querySelector(".brackets").textContent.toLowerCase().includes(wanted);
      card.classList.toggle("off", !hit || (group !== "" && card.dataset.class !== group));
    }
    const count = shown().length;
    byId("found").textContent = count + (count === 1 ? " fragment" : " fragments");
  }

  function press(all, pressed) {
    all.forEach((button) => button.setAttribute("aria-pressed", button === pressed));
  }

  const filters = buttons("filter");
  filters.forEach((button) => button.addEventListener("click", () => {
    group = button.dataset.filter;
    press(filters, button);
    select();
  }));

  const orders = buttons("order");
  orders.forEach((button) => button.addEventListener("click", () => {
    const key = button.dataset.order;
    press(orders, button);
    const value = (card) => Number(card.dataset[key]);
    // The original order decides between equals: sorting is stable.
    list.replaceChildren(...cards.slice().sort((a, b) => value(b) - value(a)));
  }));

  byId("search").addEventListener("input", select);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== byId("search")) {
      event.preventDefault();
      byId("search").focus();
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const card = document.activeElement.closest(".fragment");
    if (step && card) {
      const all = shown();
      const next = all[all.indexOf(card) + step];
      if (next) {
        event.preventDefault();
        next.focus();
      }
    }
  });

  byId("controls").hidden = false;
  select();
})();
