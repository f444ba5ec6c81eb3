const rules = [...document.querySelectorAll(".rule")];
const unfold = bar.querySelector(".unfold");

/** What of a rule is searched: id, title and figures, its sentence, and where it is explained. */
const textOf = (rule) => [...rule.querySelectorAll("summary, blockquote, .explained")].map((each) => each.textContent).join(" ");

onChoice((wanted, words) => {
  const narrowed = wanted !== "" || words.length > 0;
  for (const rule of rules) {
    rule.hidden = (wanted !== "" && !rule.classList.contains(`is-${wanted}`)) || !found(textOf(rule), words);
  }
  for (const line of document.querySelectorAll(".silent li")) line.hidden = !found(line.textContent, words);
  for (const group of document.querySelectorAll(".group")) {
    const chosen = wanted === "" || group.classList.contains(`is-${wanted}`);
    const shown = group.querySelector(".rule:not([hidden])") || (chosen && group.querySelector("li[id]:not([hidden])"));
    group.hidden = narrowed && !shown;
    if (group.matches("details")) group.open = narrowed && !group.hidden;
  }
  for (const each of document.querySelectorAll(".implementation")) {
    if (narrowed && each.querySelector(".group:not([hidden])")) each.open = true;
  }
});

unfold.addEventListener("click", () => {
  const open = rules.some((rule) => !rule.open);
  for (const each of document.querySelectorAll("details:not(.about)")) {
    if (open || each.matches(".rule, .silent")) each.open = open;
  }
  unfold.textContent = open ? "close all" : "open all";
});

for (const replay of document.querySelectorAll(".replay code")) {
  const copy = document.createElement("button");
  copy.type = "button";
  copy.textContent = "copy";
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(replay.textContent);
      copy.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(replay);
      copy.textContent = "selected";
    }
  });
  replay.after(" ", copy);
}
