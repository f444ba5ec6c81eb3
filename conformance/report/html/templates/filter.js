const rules = [...document.querySelectorAll(".rule")];
const unfold = bar.querySelector(".unfold");

onChoice((wanted) => {
  for (const rule of rules) rule.hidden = wanted !== "" && !rule.classList.contains(`is-${wanted}`);
  for (const group of document.querySelectorAll(".group:not(.silent)")) {
    group.hidden = !group.querySelector(".rule:not([hidden])");
  }
});

unfold.addEventListener("click", () => {
  const open = rules.some((rule) => !rule.open);
  for (const rule of rules) rule.open = open;
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
