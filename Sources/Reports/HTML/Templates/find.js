// All that the page shows can be found from its top: names of the index, and rows, cards and texts of rules. What is not
// found is not cleared.
let ask = () => {};
const index = document.querySelector("pre.index");
const bar = make("div", undefined, "tools find");
const label = make("label", "Find a name, receipt, code or text ");
const input = make("input");
input.type = "search";
label.append(input);
const answer = make("div", undefined, "found");
answer.setAttribute("role", "status");
bar.append(label, answer);
document.querySelector("header").append(bar);
const cards = new Map();
document.querySelectorAll("article.card").forEach((card) => {
  cards.set(card.querySelector("h3 > code").textContent, card.id);
  card.querySelectorAll("li.member code").forEach((code) => cards.set(code.textContent, code.closest("li").id));
});
// A finding stands below a line with its severity and rule.
const named = (text) => {
  let head = "";
  const all = [];
  text.split("\n").forEach((line) => {
    if (line.startsWith(" ")) all.push(head + line);
    else if (line.endsWith(":")) head = line.slice(0, -1);
    else if (line) all.push(line);
  });
  return all;
};
const shownParts = "#queue tbody tr, #claims tbody tr, article.card, .chapter section.figure tbody tr, "
  + ".chapter section.figure .terms li, #queue > details > .scroll ~ .scroll tbody tr, #rules details > div, "
  + "#receipts tbody tr, #glance tbody tr, #run tbody tr";
let lines;
let parts;
const mostFound = 12;
const find = () => {
  const query = input.value.trim().toLowerCase();
  answer.replaceChildren();
  if (!query) return;
  lines = lines || named(index ? index.textContent : "").map((line) => [line, line.toLowerCase()]);
  const exact = (element) =>
    [...element.querySelectorAll("[data-text]")].map((code) => decodeURIComponent(code.dataset.text)).join(" ");
  parts = parts || [...document.querySelectorAll(shownParts)]
    .map((part) => [part, (part.textContent + " " + exact(part)).toLowerCase()]);
  const found = lines.filter((line) => line[1].includes(query));
  const list = make("ul");
  found.slice(0, mostFound).forEach(([line]) => {
    const item = make("li");
    const [severity, ...rest] = line.split(" ");
    const name = rest.find((word) => cards.has(word.slice(word.indexOf(":") + 1)));
    item.append(make("span", severity, "badge " + severity), " ", make("code", rest.join(" ")));
    if (name) {
      const link = make("a", "card");
      link.href = "#" + cards.get(name.slice(name.indexOf(":") + 1));
      item.append(" ", link);
    }
    list.append(item);
  });
  if (found.length > mostFound) list.append(make("li", "and " + (found.length - mostFound) + " more lines of the index"));
  const here = parts.filter((part) => part[1].includes(query));
  here.slice(0, mostFound).forEach(([part, text]) => {
    const item = make("li");
    const heading = part.closest("section, .part").querySelector("h2, h3");
    const start = Math.max(0, text.indexOf(query) - 40);
    const shown = part.textContent.trim().replace(/\s+/g, " ");
    const link = makeButton(heading.textContent + ": " + (start ? "…" : "") + shown.slice(start, start + 120), "lead");
    link.addEventListener("click", () => lead(part));
    item.append(link);
    list.append(item);
  });
  if (here.length > mostFound) list.append(make("li", "and " + (here.length - mostFound) + " more places of this page"));
  answer.append(list);
  const show = "audit show REPORT.sqlite " + JSON.stringify(input.value.trim());
  if (!found.length && !here.length) {
    answer.append(make("p", "Not on this page. That clears nobody: " + show));
  } else if (index && !index.dataset.complete) {
    answer.append(make("p", "The index is cut; the table entities has all: " + show));
  }
};
let pending;
input.addEventListener("input", () => {
  clearTimeout(pending);
  pending = setTimeout(find, 80);
});
// A link to what this page does not hold asks the search.
ask = (place) => {
  let name = place.slice(place.indexOf("-") + 1);
  try {
    name = decodeURIComponent(name.replace(/~([0-9a-f]{2})/g, "%$1"));
  } catch {
    // It is searched as it is written.
  }
  input.value = name;
  find();
  input.focus();
};
