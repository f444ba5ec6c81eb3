const rules = [...document.querySelectorAll(".rule")];
const unfold = bar.querySelector(".unfold");

onChoice((wanted) => {
  for (const rule of rules) rule.hidden = wanted !== "" && !rule.classList.contains(`is-${wanted}`);
  for (const group of document.querySelectorAll(".group")) {
    const shown = group.querySelector(".rule:not([hidden])") || group.classList.contains(`is-${wanted}`);
    group.hidden = wanted !== "" && !shown;
    if (group.matches("details")) group.open = wanted !== "" && !group.hidden;
  }
  for (const each of document.querySelectorAll(".implementation")) {
    if (wanted !== "" && each.querySelector(".group:not([hidden])")) each.open = true;
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
