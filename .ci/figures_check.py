"""figures_check.py PAGE SQLITE : recomputes the figures of a page's first screen from the SQLite report of the same run.

It knows nothing of how the page was made: each figure is a query, and what the page says is read from its markup.
"""
import collections
import decimal
import html
import pathlib
import re
import sqlite3
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
database = sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True)
problems = []
checked = 0


def check(shown, computed, what):
    global checked
    checked += 1
    if shown != computed:
        problems.append(what)
        print(f"wrong: {what}: the page says {shown!r}, the tables {computed!r}")


def rows(query, *values):
    return database.execute(query, values).fetchall()


def one(query, *values):
    return rows(query, *values)[0][0]


def text(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup)).replace("\xa0", " ").strip()


def number(shown):
    return int(shown.replace(",", ""))


def percent(share):
    """A share as pages have it: rounded to a tenth of a percent, halves up."""
    tenths = (decimal.Decimal(str(share)) * 1000).quantize(decimal.Decimal(1), decimal.ROUND_HALF_UP)
    return f"{tenths / 10:.1f} %"


def tables(part):
    """The tables of a part of the first screen: a list of rows of cells each."""
    found = []
    for body in re.findall(r"<tbody>(.*?)</tbody>", part, re.S):
        found.append([
            [text(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
            for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)])
    return found


def heads(part):
    return [text(cell) for cell in re.findall(r"<th scope=\"col\"[^>]*>(.*?)</th>", part.split("</thead>")[0], re.S)]


glance = page[page.index('<section id="glance"'):page.index('<section id="queue"')]
verdict = " ".join(text(line) for line in re.findall(r'<p class="verdict">(.*?)</p>', glance, re.S))
parts = {}
for chunk in re.split(r'<div class="part(?: [^"]*)?">', glance)[1:]:
    parts[text(re.search(r"<h3>(.*?)</h3>", chunk, re.S).group(1))] = chunk
severities = ["critical", "high", "medium", "low", "info"]
found = "coalesce(change, '') <> 'resolved'"

# The sentences.
claims = one("SELECT count(*) FROM receipts")
if claims:
    check(number(re.search(r"([\d,]+) claims? audited", verdict).group(1)), claims, "claims audited")
    for name, count in rows("SELECT verdict, count(*) FROM receipts GROUP BY verdict"):
        check(number(re.search(rf"([\d,]+) {name} \(", verdict).group(1)), count, f"claims that are {name}")
findings = one(f"SELECT count(*) FROM fraud WHERE {found}")
said = re.search(r"([\d,]+) findings?: ([^.;]*)", verdict)
check(number(said.group(1)) if said else 0, findings, "findings")
by_severity = dict(rows(f"SELECT severity, count(*) FROM fraud WHERE {found} GROUP BY severity"))
if said:
    shown = {name: number(count) for count, name in re.findall(r"(\d[\d,]*) (\w+)", said.group(2)) if name in severities}
    check(shown, by_severity, "findings by severity")
if "are new" in verdict or "is new" in verdict:
    new = one("SELECT count(*) FROM fraud WHERE change = 'new'")
    check(number(re.search(r"([\d,]+) findings? (?:is|are) new", verdict).group(1)), new, "new findings")
    gone = one("SELECT count(*) FROM fraud WHERE change = 'resolved'")
    said = re.search(r"([\d,]+) no longer found", verdict)
    check(number(said.group(1)) if said else 0, gone, "findings no longer found")
    news = one(f"""SELECT count(*) FROM fraud WHERE {found} AND (change = 'new' OR status = 'reopened')
        AND status NOT IN ('fraud', 'ok')""")
    title = next((name for name in parts if re.match(r"[\d,]+ new(?: to decide about)?: |Nothing (?:is )?new", name)), "")
    check(number(title.split()[0]) if title[:1].isdigit() else 0, news, "new and reopened findings")

# The money of the sentences, by the query of docs/stake.sql. Prices that only evidence states are in no table.
URGENT = "f.severity IN ('critical', 'high') AND f.confidence <> 'doubtful'"
USED = "(f.rule = 'hidden-refund' OR f.rule = 'refunded-purchase' AND f.severity NOT IN ('low', 'info'))"
SENTENCES = [
    (r"At stake in critical and high, likely or possible findings[^:]*: (.*?), each transaction once\.", URGENT),
    (r"In purchases used after their refund: (.*?), each once\.", USED),
]


def computed_money(condition):
    """Returns the price of what the findings put at stake, by currency; without one, the number of transactions."""
    query = (pathlib.Path(__file__).parent / "../docs/stake.sql").read_text(encoding="utf-8")
    found_money = rows(query[:query.index("at_stake AS (")] + f"""asked AS (
            SELECT finding_id, rule, evidence FROM fraud AS f WHERE {found} AND f.status <> 'ok' AND {condition}),
        covered AS (
            SELECT finding_id FROM asked UNION
            SELECT part.finding_id FROM asked AS ring
                JOIN fraud AS part ON ring.evidence LIKE '%' || part.subject || '%' AND part.severity IN ('high', 'critical')
                    AND part.rule IN ('shared-receipt', 'shared-account', 'replayed-consumable', 'transaction-conflict')
            WHERE ring.rule = 'fraud-ring'),
        once AS (
            SELECT price, currency, row_number() OVER (PARTITION BY purchase ORDER BY signed_at DESC, product_id) AS place
            FROM ranked WHERE rank = 1 AND finding_id IN (SELECT finding_id FROM covered))
        SELECT currency, sum(price), count(*) FROM once WHERE place = 1 GROUP BY currency""")
    return {currency: count if currency is None else round(total, 2) for currency, total, count in found_money}


def shown_money(sentence):
    amounts = {currency: float(amount.replace(",", "")) for amount, currency in re.findall(r"([\d,.]+) ([A-Z]{3})\b", sentence)}
    unpriced = re.search(r"([\d,]+) transactions? without a price", sentence)
    return amounts | ({None: number(unpriced.group(1))} if unpriced else {})


if not one("SELECT count(*) FROM evidence"):
    for pattern, condition in SENTENCES:
        sentence = re.search(pattern, verdict)
        shown, computed = shown_money(sentence.group(1)) if sentence else {}, computed_money(condition)
        # Purchases that the policy excludes have no price either, and are at nobody's stake.
        check(shown.pop(None, 0) <= computed.pop(None, 0), True, f"transactions without a price: {pattern[:40]}")
        check(shown, computed, f"money: {pattern[:40]}")

# Claims by class: those with a finding have a risk.
classes = {
    "clean": "verdict = 'valid' AND risk IS NULL", "valid with findings": "verdict = 'valid' AND risk IS NOT NULL",
    "invalid": "verdict = 'invalid'", "unreadable": "verdict = 'unreadable'"}
if "Claims" in parts:
    shown = {cells[0]: number(cells[1]) for cells in tables(parts["Claims"])[0]}
    for name, condition in classes.items():
        check(shown.get(name), one(f"SELECT count(*) FROM receipts WHERE {condition}"), f"claims: {name}")
    failed = collections.Counter(
        code for (codes,) in rows("SELECT failed_checks FROM receipts WHERE failed_checks IS NOT NULL")
        for code in re.findall(r"[a-z0-9-]+", codes))
    for cells in tables(parts["Claims"])[1] if len(tables(parts["Claims"])) > 1 else []:
        check(number(cells[1]), failed[cells[0]], f"claims that fail {cells[0]}")

# Rules, in all and by severity.
if "Rules and apps" in parts:
    columns = heads(parts["Rules and apps"])
    shown = {cells[0]: cells for cells in tables(parts["Rules and apps"])[0]}
    for rule, count in rows(f"SELECT rule, count(*) FROM fraud WHERE {found} GROUP BY rule"):
        cells = shown.get(rule, [])
        check(number(cells[1]) if cells else None, count, f"findings of {rule}")
        for severity in severities:
            value = one(f"SELECT count(*) FROM fraud WHERE {found} AND rule = ? AND severity = ?", rule, severity)
            cell = cells[columns.index(severity)] if cells and severity in columns else ""
            check(number(cell or "0"), value, f"{severity} findings of {rule}")

# Apps: a claim under the app of its proof, else the one that it names.
if "Apps" in parts:
    columns = heads(parts["Apps"])
    for cells in tables(parts["Apps"])[0]:
        app = {"no app": "", "other apps": None}.get(cells[0], cells[0])
        if app is None or "…" in app or "\\u" in app:
            continue
        name = "coalesce(nullif(bundle_id, ''), claimed_bundle_id, '')"
        check(number(cells[1]), one(f"SELECT count(*) FROM receipts WHERE {name} = ?", app), f"claims of {app}")
        check(number(cells[3]), one(
            f"SELECT count(*) FROM fraud WHERE {found} AND coalesce(bundle_id, '') = ?", app), f"findings about {app}")
        for severity in severities:
            if severity in columns:
                value = one(f"""SELECT count(*) FROM fraud
                    WHERE {found} AND coalesce(bundle_id, '') = ? AND severity = ?""", app, severity)
                check(number(cells[columns.index(severity)] or "0"), value, f"{severity} findings about {app}")

# Entities: the score, the findings, the claims and the money of each that is named.
for title in ("Top entities", "Worst accounts", "Worst devices"):
    if title not in parts:
        continue
    columns = heads(parts[title])
    kind = {"Worst accounts": "account", "Worst devices": "device"}.get(title)
    for cells in tables(parts[title])[0]:
        name = cells[0].rstrip("…")
        if "\\u" in name:
            continue
        of_kind = kind or cells[columns.index("kind")].split(" ")[0]
        known = rows("""SELECT score, worst, findings, claims, at_stake, currency FROM entities
            WHERE kind = ? AND substr(id, 1, length(?)) = ?""", of_kind, name, name)
        shown = {column: cells[columns.index(column)] for column in columns}
        matches = [
            row for row in known
            if decimal.Decimal(shown["score"]) == decimal.Decimal(str(row[0])) and shown["worst"] == row[1]
            and ("claims" not in shown or number(shown["claims"]) == row[3]) and ("findings" not in shown or number(shown["findings"]) == row[2])
            and (not shown["at stake"] or "least" in shown["at stake"] or row[5] is None
                 or decimal.Decimal(shown["at stake"].split(" ")[0].replace(",", "")) == decimal.Decimal(str(row[4])))]
        check(bool(matches), True, f"{title}: {cells}")

# Months of presentation.
if "Claims that are not clean, by month" in parts:
    for cells in tables(parts["Claims that are not clean, by month"])[0]:
        if re.fullmatch(r"\d{4}-\d{2}", cells[0]):
            total = one("SELECT count(*) FROM receipts WHERE substr(presented_at, 1, 7) = ?", cells[0])
            bad = one("""SELECT count(*) FROM receipts
                WHERE substr(presented_at, 1, 7) = ? AND (verdict <> 'valid' OR risk IS NOT NULL)""", cells[0])
            check((number(cells[1]), sum(number(cell) for cell in cells[2:5])), (total, bad), f"claims of {cells[0]}")

# Products by app: a product counts wherever it is, and its app is one that its findings name.
if "Products with most findings" in parts:
    for product, app, count in tables(parts["Products with most findings"])[0]:
        if any(mark in product + app for mark in ("…", "\\u")):
            continue
        value = one(f"SELECT count(*) FROM fraud WHERE {found} AND product_id = ?", product)
        check(number(count), value, f"findings about {product}")
        apps = [name for (name,) in rows(
            f"SELECT DISTINCT coalesce(bundle_id, '') FROM fraud WHERE {found} AND product_id = ?", product)]
        check(app in apps, True, f"{product} is of {app}")

# What is doubtful, by rule.
if "Probable false alarms" in parts:
    for rule, doubtful, _ in tables(parts["Probable false alarms"])[0]:
        value = one(f"""SELECT count(*) FROM fraud WHERE {found} AND rule = ? AND confidence = 'doubtful'
            AND status NOT IN ('fraud', 'ok')""", rule)
        check(number(doubtful), value, f"doubtful findings of {rule}")

# Subscriptions.
running = re.search(r"([\d,]+) subscriptions? active", verdict)
if running:
    # Figures count no purchases of test environments.
    sold = "environment NOT LIKE '%Sandbox%' AND environment <> 'Xcode'"
    value = one(f"""SELECT count(*) FROM subscriptions
        WHERE state IN ('trial', 'intro', 'active', 'grace-period') AND {sold}""")
    check(number(running.group(1)), value, "active subscriptions")
    unknown = re.search(r"([\d,]+) not refreshed", verdict)
    value = one(f"SELECT count(*) FROM subscriptions WHERE state = 'not-refreshed' AND {sold}")
    check(number(unknown.group(1)) if unknown else 0, value, "subscriptions that were not refreshed")
    revenue = re.search(r"MRR ([^;]*?)(?:;|\.(?: |$))", verdict)
    for amount, currency in re.findall(r"(-?[\d,]+\.\d+) ([A-Z]{3})", revenue.group(0) if revenue else ""):
        value = rows("SELECT value FROM metrics WHERE metric = 'mrr' AND app IS NULL AND product IS NULL AND currency = ?",
                     currency)
        if value:
            shown = decimal.Decimal(amount.replace(",", ""))
            exact = decimal.Decimal(str(value[0][0]))
            check(shown, exact.quantize(shown, decimal.ROUND_HALF_UP), f"MRR in {currency}")
    shown = re.search(
        r"churn ([\d.]+ %) of ([\d,]+) known subscriptions?"
        r"(?: \(([\d.]+ %) to ([\d.]+ %) with those not refreshed\))? in (\d{4}-\d{2})", verdict)
    # The month of as-of is not over.
    latest = rows("""SELECT month, value, low, high FROM metrics
        WHERE metric = 'churn' AND app IS NULL AND product IS NULL AND month < ? ORDER BY month DESC LIMIT 1""",
                  re.search(r'data-as-of="(\d{4}-\d{2})', page).group(1))
    check(bool(shown), bool(latest), "a sentence about churn")
    if shown and latest:
        month, value, low, high = latest[0]
        check(shown.group(5), month, "the month of the churn")
        check(shown.group(1), percent(value), f"the churn of {month}")
        bounds = (percent(low), percent(high)) if percent(low) != percent(high) else (None, None)
        of_month = dict(rows("SELECT measure, value FROM summary WHERE section = 'subscription_churn' AND item = ?", month))
        check(number(shown.group(2)), int(of_month["active_at_start"]) - int(of_month["not_refreshed"]), "of how many")
        check((shown.group(3), shown.group(4)), bounds, f"the bounds of the churn of {month}")

# Every high and critical finding is in the index, and the first entities.
index = re.search(r'<pre class="index[^>]*>(.*?)</pre>', page, re.S)
index = index.group(1) if index else ""
lines = [html.unescape(line) for line in index.split("\n") if line and not line.endswith(":")]
severe = one(f"SELECT count(*) FROM fraud WHERE {found} AND severity IN ('high', 'critical')")
entities = one("SELECT count(*) FROM entities")
check(len(lines), severe + min(entities, 10_000), "lines of the index")

print(f"{pathlib.Path(sys.argv[1]).name}: {checked} figures recomputed, {len(problems)} wrong")
sys.exit(1 if problems or checked < 50 else 0)
