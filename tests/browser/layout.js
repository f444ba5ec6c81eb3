// What is wrong with the layout of a page: it scrolls sideways, or a column of text is too narrow to be read.
const LEAST_CHARACTERS = 12;
const pen = document.createElement("canvas").getContext("2d");

/** The width of the digit 0 in an element's font, which CSS calls 1ch. */
function character(style) {
  pen.font = style.font;
  return pen.measureText("0").width;
}

/** The nearest element around a text that is not part of a line: what gives the text its width. */
function column(element) {
  let found = element;
  while (found.parentElement && /^(inline|contents|ruby)/.test(getComputedStyle(found).display)
    && !/^inline-/.test(getComputedStyle(found).display)) {
    found = found.parentElement;
  }
  return found;
}

/** Whether an element is there for screen readers only. */
function unseen(element) {
  for (let each = element; each; each = each.parentElement) {
    const style = getComputedStyle(each);
    if (style.position === "absolute" && (style.clipPath === "inset(50%)" || style.clip !== "auto")) return true;
  }
  return false;
}

/** How many lines the texts of a column take. */
function lines(texts) {
  const tops = [];
  for (const text of texts) {
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      const middle = (box.top + box.bottom) / 2;
      if (!tops.some((top) => Math.abs(top - middle) < box.height / 2)) tops.push(middle);
    }
  }
  return tops.length;
}

function name(element) {
  const own = element.id ? `#${element.id}` : [...element.classList].map((one) => `.${one}`).join("");
  return `${element.tagName.toLowerCase()}${own}`;
}

const columns = new Map();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode;
  const parent = text.parentElement;
  if (!text.data.trim() || !(parent instanceof HTMLElement) || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(parent.tagName)) continue;
  if (!parent.checkVisibility({visibilityProperty: true})) continue;
  const around = column(parent);
  if (!columns.has(around)) columns.set(around, []);
  columns.get(around).push(text);
}

const wrong = [];
const page = document.scrollingElement;
if (page.scrollWidth > page.clientWidth) {
  const widest = [...document.body.querySelectorAll("*")].reduce(
    (most, each) => each.getBoundingClientRect().right > most.getBoundingClientRect().right ? each : most, document.body);
  wrong.push(`the page is ${page.scrollWidth} px wide in a window of ${page.clientWidth} px, to the right edge of ${name(widest)}`);
}
for (const [around, texts] of columns) {
  const style = getComputedStyle(around);
  const width = around.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const characters = Math.max(width, 0) / character(style);
  const words = texts.map((text) => text.data).join(" ").replace(/\s+/g, " ").trim();
  if (characters >= LEAST_CHARACTERS || words.length <= characters || lines(texts) < 2 || unseen(around)) continue;
  wrong.push(`${name(around)} is ${characters.toFixed(1)} characters wide: ${words.slice(0, 60)}`);
}
return wrong;
