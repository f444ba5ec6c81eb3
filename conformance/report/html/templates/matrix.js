onChoice((wanted, words) => {
  for (const row of document.querySelectorAll(".mechanism tbody tr")) {
    const searched = row.querySelector("th").textContent;
    row.hidden = (wanted !== "" && !row.classList.contains(wanted)) || !found(searched, words);
  }
  for (const section of document.querySelectorAll(".mechanism")) {
    section.hidden = !section.querySelector("tbody tr:not([hidden])");
  }
});
