const make = (name, text, type) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (type) made.className = type;
  return made;
};
const makeButton = (text, type) => {
  const button = make("button", text, type);
  button.type = "button";
  return button;
};
const status = make("p", "", "status");
status.setAttribute("role", "status");
document.querySelector("main").append(status);

// Severities sort by rank, numbers by value, all else as text; empty cells come last.
const ranks = { critical: 5, high: 4, medium: 3, low: 2, info: 1 };
const text = (row, column) => (row.cells[column] ? row.cells[column].textContent.trim() : "");
const key = (row, column, isNumber) => {
  const shown = text(row, column);
  if (shown in ranks) return ranks[shown];
  if (!isNumber) return shown.toLowerCase();
  const number = parseFloat(shown.replace(/[^0-9.-]/g, ""));
  return Number.isNaN(number) ? null : number;
};
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

// Days from a date to the as-of time of the report; dates that are missing or later are of no age.
const asOf = Date.parse(document.querySelector("main").dataset.asOf);
const age = (date) => {
  const days = (asOf - Date.parse(date)) / 86400000;
  return days > -1 ? days : NaN;
};

const sortable = (table, onSorted) => {
  const body = table.tBodies[0];
  const first = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = makeButton(head.textContent, "sort");
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      const isNumber = head.classList.contains("number");
      const next = was === "descending" ? "ascending" : was === "ascending" ? null : "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      let rows = first;
      if (next) {
        head.setAttribute("aria-sort", next);
        const sign = next === "descending" ? -1 : 1;
        const keyed = first.map((row, place) => ({ row, place, key: key(row, column, isNumber) }));
        keyed.sort((a, b) => {
          const [x, y] = [a.key === null || a.key === "", b.key === null || b.key === ""];
          if (x || y) return x - y || a.place - b.place;
          return sign * compare(a.key, b.key) || a.place - b.place;
        });
        rows = keyed.map((item) => item.row);
      }
      body.remove();
      body.append(...rows);
      table.append(body);
      onSorted();
    });
  });
};

// Within one group of chips any may hold; of several groups all must. Browsers lay out thousands of rows in seconds:
// only the first are shown until all are asked for.
const isNarrow = matchMedia("(max-width: 40rem)").matches;
const most = isNarrow ? 50 : 500;
const filtered = (table, facets) => {
  const rows = [...table.tBodies[0].rows];
  const places = new Map(rows.map((row, place) => [row, place]));
  const bar = make("div", undefined, "tools");
  const label = make("label", "Search ");
  const input = make("input");
  input.type = "search";
  label.append(input);
  const count = make("span", "", "count");
  count.setAttribute("role", "status");
  const all = makeButton("show all", "chip");
  bar.append(label, count, all);
  let words;
  let limit = most;
  // A row may stand for several findings, and chips count findings as the headline does, also those without a row here.
  const weights = rows.map((row) => Number(row.dataset.count || 1));
  const unit = table.dataset.totals === undefined ? "rows" : "findings";
  const totals = new Map((table.dataset.totals || "").split("\n").filter(Boolean).map((line) => {
    const end = line.lastIndexOf(" ");
    return [line.slice(0, end), Number(line.slice(end + 1))];
  }));
  const grouped = (number) => number.toLocaleString("en-US");
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const chosen = facets.map(() => new Set());
  const values = facets.map((facet) => rows.map((row) => {
    const shown = text(row, facet.column);
    if (facet.days) return facet.days.filter((days) => age(shown) <= days).map((days) => "last " + days + " days");
    return shown.split(", ").filter((value) => !facet.of || facet.of.includes(value));
  }));
  const chips = [];
  const show = () => {
    const query = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (query.length && !words) words = rows.map((row) => row.textContent.toLowerCase());
    let found = 0;
    let weight = 0;
    for (const row of table.tBodies[0].rows) {
      const place = places.get(row);
      const isFound =
        query.every((word) => words[place].includes(word)) &&
        chosen.every((set, facet) => !set.size || values[facet][place].some((value) => set.has(value)));
      if (isFound) {
        found += 1;
        weight += weights[place];
      }
      const isHidden = !isFound || found > limit;
      if (row.hidden !== isHidden) row.hidden = isHidden;
    }
    count.textContent = grouped(weight) + " of " + grouped(whole) + " " + unit
      + (unit === "rows" ? "" : " in " + grouped(found) + (found === 1 ? " row" : " rows")) + (found > limit ? ", " + limit + " shown" : "")
      + (found || !query.length ? "" : ". Not in this table: that clears nobody. Search all names at the top, or "
        + "audit show REPORT.sqlite SUBJECT");
    all.hidden = found <= limit;
  };
  all.addEventListener("click", () => {
    limit = Infinity;
    show();
  });
  facets.forEach((facet, index) => {
    const counts = new Map();
    values[index].forEach((all, place) => all.forEach((value) => {
      if (value) counts.set(value, (counts.get(value) || 0) + weights[place]);
    }));
    if (counts.size < 2 && !facet.always) return;
    if (!counts.size) return;
    const group = make(facet.isLong ? "details" : "div", undefined, "chips");
    group.append(make(facet.isLong ? "summary" : "span", facet.name, "name"));
    counts.forEach((number, value) => {
      const total = totals.get(facet.name + " " + value) || number;
      const here = total > number ? " (" + grouped(number) + " here)" : "";
      const chip = makeButton(value + " " + grouped(total) + here, "chip");
      chip.dataset.name = facet.name;
      chip.dataset.value = value;
      chip.setAttribute("aria-pressed", "false");
      chip.addEventListener("click", () => {
        const isOn = !chosen[index].delete(value);
        if (isOn) chosen[index].add(value);
        chip.setAttribute("aria-pressed", String(isOn));
        show();
        keep();
      });
      chips.push(chip);
      group.append(chip);
    });
    bar.append(group);
  });
  let waiting;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      show();
      keep();
    }, 80);
  });
  table.closest(".scroll").before(bar);
  show();
  const clear = () => {
    input.value = "";
    limit = Infinity;
    chosen.forEach((set) => set.clear());
    chips.forEach((chip) => chip.setAttribute("aria-pressed", "false"));
    show();
  };
  // What is searched and chosen, as in an address, and the other way round.
  const state = () => {
    const words = new URLSearchParams();
    if (input.value) words.append("search", input.value);
    chips.filter((chip) => chip.getAttribute("aria-pressed") === "true")
      .forEach((chip) => words.append(chip.dataset.name, chip.dataset.value));
    return words;
  };
  const restore = (words) => {
    clear();
    input.value = words.get("search") || "";
    chips.filter((chip) => words.getAll(chip.dataset.name).includes(chip.dataset.value)).forEach((chip) => chip.click());
    show();
  };
  return { show, clear, state, restore };
};
