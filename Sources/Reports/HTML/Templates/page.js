"use strict";
(() => {
  const make = (name, text, type) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (type) made.className = type;
    return made;
  };
  const status = make("p", "", "status");
  status.setAttribute("role", "status");
  document.body.append(status);

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
      const button = make("button", head.textContent, "sort");
      button.type = "button";
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
    const all = make("button", "show all", "chip");
    all.type = "button";
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
        const chip = make("button", value + " " + grouped(total) + here, "chip");
        chip.type = "button";
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

  // The address names the finding that is open and the filters of the queue, so that it can be kept and sent:
  // #finding-…?severity=critical. Without a finding it is #queue?….
  let opened = "";
  let isRestoring = false;
  const keep = () => {
    const filter = filters.get(document.querySelector("table.queue"));
    if (!filter || isRestoring) return;
    const words = filter.state().toString();
    const place = opened || (words ? "queue" : "");
    history.replaceState(null, "", "#" + place + (words ? "?" + words : ""));
  };

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
    const filter = filters.get(document.querySelector("table.queue"));
    if (words !== undefined && filter) {
      isRestoring = true;
      filter.restore(new URLSearchParams(words));
      isRestoring = false;
    }
    const target = place && placeOf(place);
    document.querySelectorAll(".target").forEach((other) => other.classList.remove("target"));
    if (target) {
      if (place.startsWith("finding-")) opened = place;
      target.classList.add("target");
      lead(target);
    } else if (/^(finding|account|device|person|transaction|receipt|signer)-/.test(place)) {
      ask(place);
    }
  };

  // What shows otherwise than it is, for hidden characters or its length, is kept encoded.
  let announced;
  const copy = (code) => {
    const encoded = code.dataset.text;
    const exact = encoded === undefined ? code.textContent : decodeURIComponent(encoded);
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
    }).then(() => {
      status.textContent = "Copied " + code.textContent;
      clearTimeout(announced);
      announced = setTimeout(() => (status.textContent = ""), 2000);
    });
  };
  const copied = "table.queue td:nth-child(3) > code, table.claims td:last-child > code";
  document.querySelectorAll(copied).forEach((code) => (code.title = "Click to copy"));
  document.querySelectorAll(".card h3 > code").forEach((code) => {
    const button = make("button", "copy", "copy");
    button.type = "button";
    button.setAttribute("aria-label", "copy " + code.textContent);
    code.after(" ", button);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("button.copy");
    if (button) copy(button.previousElementSibling);
    const code = event.target.closest && event.target.closest(copied);
    if (code && getSelection().isCollapsed) copy(code);
  });

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
      const link = make("button", heading.textContent + ": " + (start ? "…" : "") + shown.slice(start, start + 120), "lead");
      link.type = "button";
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
  addEventListener("hashchange", reveal);
  reveal();

  // Keys work where nobody types: / searches, j and k lead to the next and the previous finding, Enter opens it.
  const queue = document.querySelector("table.queue");
  const leadTo = (step) => {
    const current = document.activeElement.closest("table.queue tbody tr");
    let row = current ? current[step] : queue.tBodies[0].rows[0];
    while (row && row.hidden) row = row[current ? step : "nextElementSibling"];
    if (!row) return;
    queue.closest("details").open = true;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };
  if (queue) {
    queue.closest(".scroll").previousElementSibling
      .append(make("span", "/ searches, j and k: next and previous finding, Enter opens it", "keys"));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
    const field = document.querySelector(".find input") || document.querySelector(".tools input");
    if (event.key === "/" && field) {
      event.preventDefault();
      field.focus();
    } else if (queue && event.key === "j") {
      leadTo("nextElementSibling");
    } else if (queue && event.key === "k") {
      leadTo("previousElementSibling");
    } else if (event.key === "Enter" && event.target.matches("table.queue tbody tr")) {
      const folds = [...event.target.querySelectorAll("details")];
      const isOpen = folds.some((fold) => fold.open);
      folds.forEach((fold) => (fold.open = !isOpen));
    }
  });
})();
