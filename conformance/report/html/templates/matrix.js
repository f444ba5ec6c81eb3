onChoice((wanted) => {
  for (const row of document.querySelectorAll(".mechanism tbody tr")) {
    row.hidden = wanted !== "" && !row.classList.contains(wanted);
  }
  for (const section of document.querySelectorAll(".mechanism")) {
    section.hidden = !section.querySelector("tbody tr:not([hidden])");
  }
});
