"use strict";
const bar = document.querySelector(".filter");
bar.hidden = false;

/** Calls `show` with what the pressed button of the bar is for; the empty text is everything. */
const onChoice = (show) => bar.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-show]");
  if (!button) return;
  for (const each of bar.querySelectorAll("button[data-show]")) {
    each.setAttribute("aria-pressed", String(each === button));
  }
  show(button.dataset.show);
});
