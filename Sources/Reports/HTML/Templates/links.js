// The address names the finding that is open and the filters of the queue, so that it can be kept and sent:
// #finding-…?severity=critical. Without a finding it is #queue?….
let opened = "";
let isRestoring = false;
const keep = () => {
  if (isRestoring) return;
  const filter = filters.get(queue);
  const words = filter ? filter.state().toString() : "";
  const place = opened || (words ? "queue" : "");
  history.replaceState(null, "", "#" + place + (words ? "?" + words : ""));
};

const queue = document.querySelector("table.queue");
const filters = new Map();
const facets = {
  queue: [
    { name: "severity", column: 0 }, { name: "presented", column: 6, days: [7, 30], always: true },
    { name: "status", column: 7, of: ["open", "reopened", "watch", "fraud", "ok"] },
    { name: "change", column: 7, of: ["new", "persisting"], always: true },
    { name: "confidence", column: 7, of: ["likely", "possible", "doubtful"] },
    { name: "rule", column: 1, isLong: true },
  ],
  claims: [
    { name: "verdict", column: 0 }, { name: "risk", column: 1 }, { name: "rule", column: 3, isLong: true },
    { name: "failed check", column: 2, isLong: true },
  ],
};
document.querySelectorAll("table.rows").forEach((table) => {
  const name = Object.keys(facets).find((name) => table.classList.contains(name));
  const filter = filtered(table, facets[name] || []);
  filters.set(table, filter);
  sortable(table, filter.show);
});

// On a phone only the first screen is open at first; paper has the queue, whether it is open or not.
const chapters = [...document.querySelectorAll("details.chapter")];
if (isNarrow) chapters.forEach((chapter) => (chapter.open = false));
addEventListener("beforeprint", () => chapters.forEach((chapter) => (chapter.open = true)));

// A link may lead to what is folded or filtered away.
const placeOf = (place) => {
  const found = document.getElementById(place);
  if (found) return found;
  try {
    return document.getElementById(decodeURIComponent(place));
  } catch {
    return null;
  }
};
const lead = (target) => {
  const row = target.closest("tr");
  const filter = row && filters.get(row.closest("table"));
  if (filter && row.hidden) filter.clear();
  const chapter = target.querySelector(":scope > details.chapter");
  if (chapter) chapter.open = true;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target.scrollIntoView();
};
const reveal = () => {
  const [place, words] = location.hash.slice(1).split("?");
  const filter = filters.get(queue);
  if (words !== undefined && filter) {
    isRestoring = true;
    filter.restore(new URLSearchParams(words));
    isRestoring = false;
  }
  const target = place && placeOf(place);
  document.querySelectorAll(".target").forEach((other) => other.classList.remove("target"));
  if (target) {
    opened = "";
    target.classList.add("target");
    lead(target);
    if (findingOf(target) === target) focusOn(target);
  } else if (/^(finding|account|device|person|transaction|receipt|signer)-/.test(place)) {
    ask(place);
  }
};

let announced;
const announce = (text) => {
  status.textContent = text;
  clearTimeout(announced);
  announced = setTimeout(() => (status.textContent = ""), 3000);
};
const copyText = (exact, name) => {
  const written = navigator.clipboard
    ? navigator.clipboard.writeText(exact)
    : Promise.reject(new Error("no clipboard"));
  written.catch(() => {
    const put = (event) => {
      event.clipboardData.setData("text/plain", exact);
      event.preventDefault();
    };
    document.addEventListener("copy", put, { once: true });
    document.execCommand("copy");
  }).then(() => announce("Copied " + name));
};
// What shows otherwise than it is, for hidden characters or its length, is kept encoded.
const copy = (code) => {
  const encoded = code.dataset.text;
  copyText(encoded === undefined ? code.textContent : decodeURIComponent(encoded), code.textContent);
};
// A button whose label comes from the style sheet, so that the search does not find it.
const labelled = (label, name, type) => {
  const button = makeButton(undefined, type);
  button.dataset.label = label;
  button.setAttribute("aria-label", name);
  return button;
};
const copied = "table.queue td:nth-child(3) > code, table.claims td:last-child > code";
document.querySelectorAll(copied).forEach((code) => (code.title = "Click to copy"));
document.querySelectorAll(".card h3 > code").forEach((code) => {
  const button = makeButton("copy", "copy");
  button.setAttribute("aria-label", "copy " + code.textContent);
  code.after(" ", button);
});
// Every finding and card has a button for a link to it. Folded findings get theirs when they are unfolded.
const findings = '[id^="finding-"]';
const findingOf = (element) => element && element.closest ? element.closest(findings) : null;
const addLinks = (places) => places.forEach((place) => {
  const holder = place.cells ? place.cells[2] : place.querySelector("h3") || place;
  if (holder.querySelector(":scope > .link")) return;
  const name = place.matches(findings) ? "finding" : "card";
  holder.append(" ", labelled("link", "copy a link to this " + name, "copy link"));
});
addLinks(document.querySelectorAll("tr" + findings + ", .card, .card > ul > li" + findings));
document.addEventListener("toggle", (event) => {
  if (event.target.open && queue && queue.contains(event.target)) addLinks(event.target.querySelectorAll(findings));
}, true);
document.addEventListener("click", (event) => {
  const button = event.target.closest && event.target.closest("button.copy");
  if (button && button.classList.contains("link")) {
    const place = button.closest(findings + ", .card");
    copyText(location.href.split("#")[0] + "#" + place.id, "a link to " + place.id);
  } else if (button) {
    copy(button.previousElementSibling);
  }
  const code = event.target.closest && event.target.closest(copied);
  if (code && getSelection().isCollapsed) copy(code);
});
