"use strict";
const bar = document.querySelector(".filter");
bar.hidden = false;

bar.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-show]");
  if (!button) return;
  for (const each of bar.querySelectorAll("button[data-show]")) {
    each.setAttribute("aria-pressed", String(each === button));
  }
  const wanted = button.dataset.show;
  for (const row of document.querySelectorAll(".mechanism tbody tr")) {
    row.hidden = wanted !== "" && !row.classList.contains(wanted);
  }
  for (const section of document.querySelectorAll(".mechanism")) {
    section.hidden = !section.querySelector("tbody tr:not([hidden])");
  }
});
