"use strict";
const bar = document.querySelector(".filter");
const field = bar.querySelector("input[type=search]");
const asked = new URLSearchParams(location.search);
bar.hidden = false;

/** Keeps a choice in the address, so that a link to the page shows the same. */
const keep = (name, value) => {
  if (value) asked.set(name, value);
  else asked.delete(name);
  const query = asked.toString();
  history.replaceState(null, "", `${query ? `?${query}` : location.pathname}${location.hash}`);
};

/** Whether a text has every word that is searched for. */
const found = (text, words) => words.every((word) => text.toLowerCase().includes(word));

/**
 * Calls `show` with what the pressed button of the bar is for, the empty text being everything, and the words that are
 * searched for: at once if the address asks for any, and whenever one of them changes.
 */
const onChoice = (show) => {
  const buttons = [...bar.querySelectorAll("button[data-show]")];
  const pressed = () => buttons.find((each) => each.getAttribute("aria-pressed") === "true").dataset.show;
  const words = () => field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const press = (button) => {
    for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
  };
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-show]");
    if (!button) return;
    press(button);
    keep("show", button.dataset.show);
    show(pressed(), words());
  });
  field.addEventListener("input", () => {
    keep("search", field.value.trim());
    show(pressed(), words());
  });
  field.value = asked.get("search") ?? "";
  const button = buttons.find((each) => each.dataset.show && each.dataset.show === asked.get("show"));
  if (button) press(button);
  if (button || words().length) show(pressed(), words());
};
