// Decisions about findings. They stay in this browser under the id of the run, until the file of them is imported.
const main = document.querySelector("main");
const kept = "audit decisions " + main.dataset.run;
const author = "audit decisions by";
const statuses = { fraud: "fraud", ok: "OK", watch: "watch" };
const decisions = new Map();
let isKept = true;
const idOf = (finding) => finding.id.slice("finding-".length);
const plural = (count) => count.toLocaleString("en-US") + (count === 1 ? " decision" : " decisions");
const clean = (text) => String(text || "").replace(/\p{Cc}+/gu, " ").trim();

// The status in the ledger when the page was made, and when it was last decided; an import compares both.
const recorded = (finding) => (finding.dataset.recorded || "open ").split(" ");
// A browser may refuse to keep anything.
const stored = (access) => {
  try {
    return access();
  } catch {
    isKept = false;
    return null;
  }
};
const read = () => {
  const all = isKept && stored(() => JSON.parse(localStorage.getItem(kept) || "{}"));
  if (!all) return;
  decisions.clear();
  Object.entries(all).forEach(([id, its]) => {
    if (!/^[0-9a-f]{24}$/.test(id) || !its || !Object.hasOwn(statuses, its.status)) return;
    // What the ledger has since then is imported, or decided anew.
    const finding = document.getElementById("finding-" + id);
    if (!finding || recorded(finding)[1] < its.at) decisions.set(id, its);
  });
};
const write = () => stored(() => localStorage.setItem(kept, JSON.stringify(Object.fromEntries(decisions))));

const isDecidable = (finding) => !finding.closest(".resolved");
const holderOf = (finding) =>
  finding.cells ? finding.cells[queue && queue.contains(finding) ? 3 : finding.cells.length - 1] : finding;
const show = (finding) => {
  const its = decisions.get(idOf(finding));
  const holder = holderOf(finding);
  const before = holder.querySelector(":scope > .mine");
  if (before) before.remove();
  if (!its) return;
  const by = its.by ? " by " + its.by : "";
  const line = make("p", undefined, "mine");
  line.append(make("strong", statuses[its.status]), by + " on " + its.at.slice(0, 10) + ", not yet imported"
    + (its.note ? ": " + its.note : ""));
  if (panel.parentElement === holder) panel.before(line);
  else holder.append(line);
};

// The bar above the findings: how many are decided, by whom, and the file for the ledger.
const desk = make("div", undefined, "tools desk");
const tally = make("span", "", "tally");
const nameLabel = make("label", "Your name ");
const by = make("input");
by.autocomplete = "name";
by.maxLength = 100;
nameLabel.append(by);
const download = makeButton("Download the decisions", "chip");
const forget = makeButton("Forget what is imported", "chip");
desk.append(tally, nameLabel, download, forget);
const tell = () => {
  const count = decisions.size;
  const all = [...decisions.values()];
  const isSaved = count > 0 && all.every((its) => its.isSaved);
  tally.textContent = plural(count) + " not yet imported"
    + (isSaved ? ". Downloaded; now: audit review --state LEDGER --import FILE" : "")
    + (isKept ? "" : ". This browser keeps nothing: download before you leave");
  download.hidden = count === 0;
  forget.hidden = !isSaved;
};

// What a spreadsheet would take for a formula begins with an apostrophe, as in the tables.
const unseen = "[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800]*";
const formula = "[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]";
const cell = (text) => {
  const disarmed = clean(text).replace(new RegExp("^(?=" + unseen + formula + ")", "u"), "'")
    .replace(new RegExp(";(?=\"*" + unseen + formula + ")", "gu"), ";'");
  return '"' + disarmed.replace(/"/g, '""') + '"';
};
const csv = () => {
  const rows = [["finding_id", "status", "note", "reviewed_by", "reviewed_at", "recorded_status", "recorded_at"]];
  decisions.forEach((its, id) => {
    rows.push([id, its.status, cell(its.note), cell(its.by), ...[its.at, ...its.recorded].map(cell)]);
  });
  return rows.map((row) => row.join(",") + "\r\n").join("");
};
download.addEventListener("click", () => {
  read();
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
  link.download = "decisions-" + main.dataset.asOf.slice(0, 10) + ".csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  decisions.forEach((its) => (its.isSaved = true));
  write();
  tell();
});
forget.addEventListener("click", () => {
  decisions.clear();
  write();
  showAll();
});

// The buttons and the note of the selected finding.
const panel = make("div", undefined, "decide");
panel.setAttribute("role", "group");
panel.setAttribute("aria-label", "Decision");
const choices = Object.entries(statuses).map(([status, label]) => {
  const button = labelled(label, label, "chip");
  button.setAttribute("aria-keyshortcuts", status[0]);
  button.addEventListener("click", (event) => decide(current, status, event.shiftKey));
  panel.append(button);
  return [status, button];
});
const note = make("input");
note.setAttribute("aria-label", "note");
note.placeholder = "why (n)";
note.maxLength = 1000;
panel.append(note);
note.addEventListener("input", () => {
  read();
  const its = decisions.get(idOf(current));
  if (!its) return;
  put(current, its.status, clean(note.value));
  write();
  show(current);
  tell();
});

let current;
const fill = () => {
  const its = current && decisions.get(idOf(current));
  choices.forEach(([status, button]) =>
    button.setAttribute("aria-pressed", String(Boolean(its) && its.status === status)));
  return its;
};
const put = (finding, status, note) => {
  const was = decisions.get(idOf(finding));
  // A file that was downloaded may be imported: then the ledger has what it said.
  const before = was ? (was.isSaved ? [was.status, was.at] : was.recorded) : recorded(finding);
  const at = new Date().toISOString().slice(0, 19) + "Z";
  decisions.set(idOf(finding), { status, note, by: clean(by.value), at, recorded: before });
};
// Decides about a finding, or about all that the page holds of its row. The same again takes it back.
const decide = (finding, status, isWhole) => {
  if (!isDecidable(finding)) return;
  read();
  const row = finding.closest("tr");
  const all = isWhole && row ? [row, ...row.querySelectorAll(findings)] : [finding];
  const isBack = all.every((one) => (decisions.get(idOf(one)) || {}).status === status);
  all.forEach((one) => (isBack ? decisions.delete(idOf(one)) : put(one, status, clean(note.value))));
  write();
  all.forEach(show);
  fill();
  tell();
  announce((isBack ? "Taken back: " : "") + statuses[status] + (all.length > 1 ? ", " + all.length + " findings" : "")
    + ". " + plural(decisions.size) + " not yet imported");
};
const showAll = () => {
  document.querySelectorAll(".mine").forEach((line) => line.remove());
  decisions.forEach((its, id) => {
    const finding = document.getElementById("finding-" + id);
    if (finding) show(finding);
  });
  fill();
  tell();
};

// The finding that has the focus is the selected one; the address follows it. A pointer selects when it is released: what
// it points to must not move before.
const select = (finding) => {
  if (finding === current) return;
  if (current) current.classList.remove("current");
  current = finding;
  current.classList.add("current");
  opened = current.id;
  keep();
  if (!isDecidable(current)) return panel.remove();
  holderOf(current).append(panel);
  note.value = (fill() || { note: "" }).note;
};
const focusOn = (finding) => {
  finding.tabIndex = -1;
  finding.focus({ preventScroll: true });
  select(finding);
};
let isPointing = false;
document.addEventListener("pointerdown", () => (isPointing = true), true);
["pointerup", "pointercancel"].forEach((type) => document.addEventListener(type, () => (isPointing = false), true));
document.addEventListener("focusin", (event) => {
  const finding = findingOf(event.target);
  if (finding && !isPointing) select(finding);
});
document.addEventListener("click", (event) => {
  const finding = findingOf(event.target);
  if (!finding || event.target.closest("a")) return;
  if (event.target.closest("button, summary, input") || !getSelection().isCollapsed) select(finding);
  else focusOn(finding);
});

// Keys work where nobody types: / searches, j and k lead to the next and the previous finding, Enter opens it. What is
// open stays open on the way.
const folds = (row) => [...row.querySelectorAll("details")];
const move = (step) => {
  const stops = [...queue.querySelectorAll("tbody > tr, td > details[open] li" + findings)]
    .filter((stop) => !stop.closest("tr").hidden);
  const from = stops.indexOf(findingOf(document.activeElement) || current);
  const next = from < 0 ? stops[0] : stops[from + step];
  if (!next) return;
  queue.closest("details").open = true;
  const [left, row] = [from < 0 ? null : stops[from].closest("tr"), next.closest("tr")];
  if (left && left !== row && folds(left).some((fold) => fold.open)) {
    folds(left).forEach((fold) => (fold.open = false));
    folds(row).slice(-1).forEach((fold) => (fold.open = true));
  }
  focusOn(next);
  next.scrollIntoView({ block: "nearest" });
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const finding = findingOf(event.target);
  if (event.target.closest("input")) {
    if (event.target === note && ["Enter", "Escape"].includes(event.key) && !event.isComposing) focusOn(finding);
    return;
  }
  const field = document.querySelector(".find input") || document.querySelector(".tools input");
  const key = event.key.toLowerCase();
  const status = Object.keys(statuses).find((status) => status[0] === key);
  if (event.key === "/" && field) {
    event.preventDefault();
    field.focus();
  } else if (queue && (key === "j" || key === "k")) {
    move(key === "j" ? 1 : -1);
  } else if (finding && status) {
    select(finding);
    decide(finding, status, event.shiftKey);
  } else if (finding && key === "n" && isDecidable(finding)) {
    event.preventDefault();
    select(finding);
    note.focus();
  } else if (event.key === "Enter" && event.target.matches("table.queue tbody tr")) {
    const isOpen = folds(event.target).some((fold) => fold.open);
    folds(event.target).forEach((fold) => (fold.open = !isOpen));
  }
});

if (document.querySelector("#queue " + findings)) {
  document.querySelector("#queue > details > summary").after(desk);
  by.value = stored(() => localStorage.getItem(author)) || "";
  by.addEventListener("change", () => stored(() => localStorage.setItem(author, by.value)));
  if (queue) {
    queue.closest(".scroll").previousElementSibling.append(make("span", "/ searches, j and k: next and previous finding, "
      + "Enter opens it, f: fraud, o: OK, w: watch, n: note; with Shift for all findings of the row", "keys"));
  }
  read();
  showAll();
  addEventListener("storage", (event) => {
    if (event.key !== kept) return;
    read();
    showAll();
  });
  addEventListener("beforeunload", (event) => {
    if (!isKept && decisions.size) event.preventDefault();
  });
}
addEventListener("hashchange", reveal);
reveal();
