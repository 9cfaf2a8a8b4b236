"""xlsx_questions.py WORKBOOK DATABASE: asks a workbook what an analyst asks, in at most three clicks each.

A click opens a sheet, follows a link or sets a filter. An answer must be what the SQLite report of the same run says.
"""

import re
import sqlite3
import sys

import openpyxl

MOST_CLICKS = 3
FIRST = "SELECT {} FROM entities WHERE kind = '{}' ORDER BY score DESC, at_stake DESC LIMIT 1"


class Walk:
    """A way through the workbook for one question. It begins in the overview."""

    def __init__(self, book, database):
        self.book, self.database, self.clicks = book, database, 0
        self.overview = list(book["Overview"].iter_rows())

    def sql(self, query, *values):
        row = self.database.execute(query, values).fetchone()
        return row and row[0]

    def sentence(self, word):
        """The sentence of the headline with a word."""
        for cells in self.overview[1:]:
            if cells[0].value is None:
                break
            if word in cells[0].value:
                return cells[0].value
        raise AssertionError(f"the headline does not say “{word}”")

    def table(self, title):
        """The rows of a table of the overview, each as its cells: those below the row that has a second cell."""
        # The list of contents has several titles in a row.
        start = next(
            index for index, (first, *others) in enumerate(self.overview)
            if first.value == title and not any(cell.value for cell in others))
        head = next(index for index in range(start + 1, len(self.overview)) if self.overview[index][1].value is not None)
        rows = []
        for cells in self.overview[head + 1:]:
            if cells[0].value is None or cells[1].value is None:
                break
            rows.append([cell for cell in cells if cell.value is not None or cell.column <= 3])
        return rows

    def rows(self, sheet):
        """Opens a sheet, and returns its rows as dictionaries."""
        self.clicks += 1
        header, *rows = self.book[sheet].iter_rows()
        return [dict(zip((cell.value for cell in header), row)) for row in rows]

    def filtered(self, sheet, column, *words):
        self.clicks += 1
        return [row for row in self.rows(sheet) if row[column].value in words]

    def follow(self, cell):
        """Clicks a link, and returns the row where it leads."""
        assert cell.hyperlink, f"{cell.value} leads nowhere"
        self.clicks += 1
        sheet, row = re.fullmatch(r"'(.*)'!A(\d+)", cell.hyperlink.location).groups()
        header = self.book[sheet][1]
        return {name.value: cell for name, cell in zip(header, self.book[sheet][int(row)])}


def same(found, wanted):
    assert found == wanted, f"the workbook says {found!r}, the database {wanted!r}"


def near(found, wanted):
    assert abs((found or 0) - (wanted or 0)) < 0.005, f"the workbook says {found!r}, the database {wanted!r}"


def invalid_and_why(walk):
    counts = {row[0].value: row[1].value for row in walk.table("Claims")}
    same(counts["invalid"], walk.sql("SELECT count(*) FROM receipts WHERE verdict = 'invalid'"))
    failed = "SELECT count(*) FROM receipts WHERE ';' || failed_checks || ';' LIKE '%;' || ? || ';%'"
    checks = walk.table("Failed checks")
    assert checks, "no check failed"
    for check, claims, *_ in checks:
        same(claims.value, walk.sql(failed, check.value))


def worst(kind, title):
    def ask(walk):
        row = walk.table(title)[0]
        near(row[3].value, walk.sql(FIRST.format("score", kind)))
        same(row[5].value, walk.sql(FIRST.format("claims", kind)))
        entity = walk.follow(row[0])
        same(entity["id"].value, walk.sql(FIRST.format("id", kind)))
        for rule in walk.sql(FIRST.format("rules", kind)).split(";"):
            assert rule in entity["rules"].value and rule in entity["evidence"].value, f"its row does not say {rule}"

    return ask


def all_about_one_device(walk):
    entity = walk.follow(walk.table("Worst devices")[0][0])
    query = "SELECT count(*) FROM entity_findings WHERE kind = 'device' AND id = ?"
    same(entity["findings"].value, walk.sql(query, entity["id"].value))
    claim = walk.follow(entity["claims"])
    assert claim["device_id"].value, "its claim has no device"
    finding = walk.follow(claim["claim_id"])
    query = "SELECT rule FROM finding_claims WHERE claim_id = ? AND rule = ?"
    assert walk.sql(query, claim["claim_id"].value, finding["rule"].value), "a finding about another claim"


def refunded_and_used(walk):
    rows = walk.filtered("Queue", "rule", "refunded-purchase")
    same(len(rows), walk.sql("SELECT count(*) FROM fraud WHERE rule = 'refunded-purchase' AND change IS NOT 'resolved'"))
    near(
        sum(row["at_stake"].value or 0 for row in rows),
        walk.sql("SELECT sum(at_stake) FROM fraud WHERE rule = 'refunded-purchase' AND change IS NOT 'resolved'"))


def apps_and_products(walk):
    for app, claims, *_ in walk.table("Apps"):
        same(claims.value, walk.sql("SELECT claims FROM by_app WHERE app = ?", app.value.replace("no app", "")))
    product, _, findings = walk.table("Products with most findings")[0]
    same(findings.value, walk.sql("SELECT max(findings) FROM affected_products"))


def new_since_last(walk):
    # The headline has the number, the table the first, the queue all.
    count = walk.sql("SELECT count(*) FROM fraud WHERE change = 'new'")
    assert f"{count:,} findings are new" in walk.sentence("new"), f"{count} new ones are not told"
    same(len(walk.filtered("Queue", "change", "new")), count)


def false_alarms(walk):
    rows = walk.table("Probable false alarms")
    same(sum(row[1].value for row in rows), walk.sql("SELECT count(*) FROM queue WHERE confidence = 'doubtful'"))
    assert walk.follow(rows[0][0])["when_wrong"].value, "the rule does not say when it is wrong"


def by_month(walk):
    rows = walk.table("Claims that are not clean, by month")
    assert len(rows) > 6, f"{len(rows)} months"
    for month, claims, *_ in rows[1:] if rows[0][0].value == "earlier" else rows:
        same(claims.value, walk.sql("SELECT count(*) FROM receipts WHERE substr(presented_at, 1, 7) = ?", month.value[:7]))


def active_churn_and_mrr(walk):
    running = walk.sql(
        "SELECT count(*) FROM subscriptions WHERE state IN ('trial', 'intro', 'active', 'grace-period')"
        " AND environment IN ('Production', 'ProductionVPP')")
    told = walk.sentence("active")
    assert re.search(rf"\b{running:,} subscriptions? active", told), f"{running} active are not told"
    assert "MRR" in told, "the recurring revenue is not told"
    key = ["metric", "app", "product", "country", "length", "month", "currency", "environment"]
    wanted = {row[:-1]: row[-1] for row in walk.database.execute(f"SELECT {', '.join(key)}, value FROM metrics")}
    rows = walk.rows("Metrics")
    same(len(rows), len(wanted))
    for row in rows:
        near(row["value"].value, wanted[tuple(row[name].value for name in key)])
    for name in ("churn", "mrr", "revenue_net"):
        assert any(row["metric"].value == name for row in rows), f"no metric {name}"


def listed(sheet, table):
    def ask(walk):
        ids = {row["original_transaction_id"].value for row in walk.rows(sheet)}
        wanted = {row[0] for row in walk.database.execute(f"SELECT original_transaction_id FROM {table}")}
        assert wanted, f"nothing in {table}"
        same(ids, wanted)

    return ask


QUESTIONS = {
    "how many are invalid, and why": invalid_and_why,
    "the worst accounts, and why": worst("account", "Worst accounts"),
    "the worst devices": worst("device", "Worst devices"),
    "all about one device": all_about_one_device,
    "what is refunded and still used": refunded_and_used,
    "the apps and products most affected": apps_and_products,
    "what is new since the last run": new_since_last,
    "probable false alarms": false_alarms,
    "by month": by_month,
    "active subscriptions, churn and MRR": active_churn_and_mrr,
    "who paid and got nothing": listed("Unclaimed", "unclaimed"),
    "what to tell Apple": listed("Refund requests", "refund_requests"),
}


def main(path, database):
    book = openpyxl.load_workbook(path)
    db = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    wrong = 0
    for question, ask in QUESTIONS.items():
        walk = Walk(book, db)
        try:
            ask(walk)
            assert walk.clicks <= MOST_CLICKS, f"{walk.clicks} clicks"
            print(f"  {question}: {walk.clicks} clicks")
        except AssertionError as error:
            wrong += 1
            print(f"{question}: {error}", file=sys.stderr)
    print(f"{len(QUESTIONS)} questions asked of the workbook, {wrong} answered wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
