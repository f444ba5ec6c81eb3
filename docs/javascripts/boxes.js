// What the theme leaves out: a name for the buttons of a block of code, and a way to scroll blocks of code and tables by keyboard.
// Of a block of code it takes the latter away again where there is no mouse.
new MutationObserver(() => {
  for (const box of document.querySelectorAll(":is(pre > code, .md-typeset__scrollwrap):not([tabindex])")) box.tabIndex = 0;
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([aria-label])")) {
    buttons.setAttribute("aria-label", `Buttons of ${buttons.parentElement.id}`);
  }
}).observe(document.documentElement, {childList: true, subtree: true, attributes: true, attributeFilter: ["tabindex"]});
