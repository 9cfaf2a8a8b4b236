"""Reads a workbook with openpyxl, or what LibreOffice made of it, and compares it with the same run's NDJSON."""

import csv
import datetime
import json
import pathlib
import re
import sys

HOSTILE = [
    "=1+1", "+49", "-1", "@SUM(A1)", "  =1+1", "=HYPERLINK(\"http://example.com\")", "http://example.com/", "1e5",
    "0012", "1000000472106082", "9007199254740993", "2026-01-01", "TRUE", "#REF!", "<b>&amp;]]>", "a\tb",
    "_x003D_1+1", "_x0041", "ü漢🧾", "'quoted", "x" * 40_000, "🧾" * 20_000, "a\x01b\x1fc", "\ufffe", "DROP,\"TABLE\"",
    "a\u200bb\u202e\ufeff\x7f", "\U000e0041;\uff1d1",
]
LIMIT = 32_767
DATES = {"created_at", "expires_at", "first_seen", "started_at", "evidence_at", "presented_at", "first_presented", "last_presented"}
RANKS = {"info": 1, "low": 2, "medium": 3, "high": 4, "critical": 5}


def fail(text):
    sys.exit(f"xlsx-check: {text}")


def write_hostile(folder):
    """Adds a manifest that names files that are not there, with ids that a spreadsheet might obey."""
    with open(folder / "hostile.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["file", "device_id", "account_id"])
        for number, text in enumerate(HOSTILE):
            rows.writerow([f"missing/{number}.der", text, text])


def shown(text):
    """What a cell shows of a text."""
    text = re.sub("[\x00-\x08\x0b-\x1f]", lambda match: chr(0x2400 + ord(match[0])), text)
    text = re.sub("[\u200b\u202e\ufeff\U000e0041]", lambda match: f"\\u{{{ord(match[0]):x}}}", text)
    text = re.sub("[\ufffe\uffff]", "\ufffd", text).replace("\x7f", "␡")
    return text


def is_same_text(cell, text):
    text = shown(text)
    escaped = re.sub("_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    if cell in (text, escaped):  # openpyxl leaves the escapes as they are
        return True
    mark = "… [cut]"
    units = len(cell.encode("utf-16-le")) // 2
    return cell.endswith(mark) and units <= LIMIT and escaped.startswith(cell[: -len(mark)])


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n") if line]


def check_cell(where, name, cell, value):
    if cell.hyperlink and not (cell.hyperlink.location or "").startswith("'"):
        fail(f"{where}: leads out of the workbook, to {cell.hyperlink.target!r:.80}")
    if value in (None, "", []):
        if cell.value is not None:
            fail(f"{where}: {cell.value!r} where nothing should be")
    elif name in DATES:
        date = datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
        if cell.value != date or cell.number_format != "yyyy-mm-dd hh:mm:ss":
            fail(f"{where}: {cell.value!r} ({cell.number_format}) is not the date {value}")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if cell.data_type != "n" or cell.value != value:
            fail(f"{where}: {cell.value!r} is not the number {value}")
    elif isinstance(value, list):
        if not is_same_text(cell.value or "", ";".join(value)):
            fail(f"{where}: {cell.value!r:.80} is not the list {value!r:.80}")
    elif cell.data_type not in ("s", "inlineStr") or not is_same_text(cell.value, value):
        fail(f"{where}: {cell.value!r:.80} ({cell.data_type}) is not the text {value!r:.80}")


def worst(receipts):
    """The claims of a workbook, in its order."""
    verdicts = ["invalid", "unreadable", "valid"]
    bad = [row for row in receipts if row["verdict"] != "valid" or row["risk"]]
    return sorted(bad, key=lambda row: (-RANKS.get(row["risk"], 0), verdicts.index(row["verdict"])))


def check_table(book, name, rows, key):
    """Compares a sheet with a table, the rows of both in the order of a key."""
    sheet = book[name]
    header = [cell.value for cell in sheet[1]]
    if missing := set(rows[0]) - set(header):
        fail(f"{name}: no columns {missing}")
    if sheet.max_row != len(rows) + 1:
        fail(f"{name}: {sheet.max_row} rows for {len(rows)}")
    if sheet.freeze_panes != "A2":
        fail(f"{name}: frozen at {sheet.freeze_panes}")
    if [table.ref for table in sheet.tables.values()] != [sheet.dimensions]:
        fail(f"{name}: tables {sheet.tables.values()}, not {sheet.dimensions}")
    for letter, size in sheet.column_dimensions.items():
        if not 8 <= size.width <= 91:
            fail(f"{name}: column {letter} is {size.width} wide")
    colors = {}
    found = [dict(zip(header, cells)) for cells in sheet.iter_rows(min_row=2)]
    if key:
        found.sort(key=lambda cells: [cells[name].value for name in key])
        rows = sorted(rows, key=lambda row: [row[name] for name in key])
    links = 0
    for cells, row in zip(found, rows):
        for column, value in row.items():
            cell = cells[column]
            check_cell(f"{name}!{cell.coordinate}", column, cell, value)
            links += bool(cell.hyperlink)
            if column in ("verdict", "risk", "severity") and value:
                colors.setdefault((column, value), set()).add(cell.fill.fgColor.rgb)
        severity = row.get("severity") or row.get("risk") or row.get("worst")
        if "severity_rank" in cells and cells["severity_rank"].value != RANKS.get(severity):
            fail(f"{name}: {severity} has the rank {cells['severity_rank'].value}")
    for word, found in colors.items():
        if len(found) != 1 or found == {"00000000"}:
            fail(f"{name}: {word} has the colours {found}")
    print(f"{name}: {len(rows)} rows as in NDJSON, {len(colors)} words in colour, {links} links")


def table(book, name):
    """The rows of a sheet as dictionaries of values."""
    rows = list(book[name].iter_rows(values_only=True))
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def leads_right(links, sheet, name, row, place, target):
    """Whether a row of the sheet `place` is what the cell of a row names."""
    own = row[name]
    if name in ("account_id", "device_id") or (name, place) in (("subject", "Entities"), ("original_transaction_id", "Entities")):
        kind = {"account_id": "account", "device_id": "device", "original_transaction_id": "transaction"}.get(name)
        if place != "Entities":
            return False
        if kind == "device" and sheet == "Claims" and target["kind"] == "device" and target["id"] != own:
            # A token may match by its verification id, which Links and Entities name as its device.
            return target["id"] in {link["device_id"] for link in links.values() if link["claim_id"] == row["claim_id"]}
        name_of_target = kind + ":" + own if kind else own
        members = [line.split(" ", 1)[-1].rsplit(", ", 1)[0] for line in (target["members"] or "").split("\n")]
        return name_of_target == target["kind"] + ":" + target["id"] or name_of_target in members
    pair = lambda a, b: (a["finding_id"], b["claim_id"]) in links
    return {
        ("Queue", "subject", "Claims"): lambda: own == "claim:" + target["case_id"],
        ("Queue", "rule", "Rules"): lambda: own == target["rule"],
        ("Queue", "sources", "Claims"): lambda: pair(row, target),
        ("Queue", "finding_id", "Links"): lambda: own == target["finding_id"],
        ("Entities", "id", "Queue"): lambda: target["rule"] in row["rules"].split(";"),
        ("Entities", "ring", "Queue"): lambda: own == target["finding_id"] and target["rule"] == "fraud-ring",
        ("Entities", "claims", "Claims"): lambda: target["claim_id"] in {claim for _, claim in links},
        ("Claims", "source", "Links"): lambda: row["claim_id"] == target["claim_id"],
        ("Claims", "claim_id", "Queue"): lambda: pair(target, row),
        ("Links", "finding_id", "Queue"): lambda: own == target["finding_id"],
        ("Links", "claim_id", "Claims"): lambda: own == target["claim_id"],
        ("Rules", "rule", "Queue"): lambda: own == target["rule"],
    }.get((sheet, name, place), lambda: False)()


def check_links(book):
    """Checks that links lead to rows that name what the link's own row names."""
    tables = {name: table(book, name) for name in book.sheetnames if name != "Overview"}
    links = {(row["finding_id"], row["claim_id"]): row for row in tables["Links"]}
    count = {}
    for name, rows in tables.items():
        header = [cell.value for cell in book[name][1]]
        for cells, row in zip(book[name].iter_rows(min_row=2), rows):
            for column, cell in zip(header, cells):
                if not cell.hyperlink:
                    continue
                place, number = cell.hyperlink.location.split("!A")
                place = place.strip("'")
                target = tables[place][int(number) - 2]
                if not leads_right(links, name, column, row, place, target):
                    fail(f"{name}!{cell.coordinate}: {cell.value} leads to {place}!{number}")
                count[name, column, place] = count.get((name, column, place), 0) + 1
    print(f"{sum(count.values())} links of {len(count)} kinds lead to what they name")


def check_entities(book, rows):
    """A ring is one row: its other members are named there."""
    sheet = table(book, "Entities")
    alone = {(row["kind"], row["id"]) for row in sheet}
    named = {}
    for row in sheet:
        for line in (row["members"] or "").split("\n"):
            if match := re.fullmatch(r"(\w+) (\w+):(.*), [\d,]+ findings?", line):
                named[match[2], match[3]] = (row["ring"], match[1])
    members = [row for row in rows if (row["kind"], row["id"]) not in alone]
    for row in members:
        if named.get((row["kind"], shown(row["id"]))) != (row["ring"], row["worst"]):
            fail(f"Entities: {row['kind']} {row['id']!r} is in no row")
    if not members or len(members) != len(named):
        fail(f"Entities: {len(members)} members of rings, {len(named)} named")
    check_table(book, "Entities", [row for row in rows if (row["kind"], row["id"]) in alone], ["kind", "id"])
    print(f"Entities: {len(members)} other members of rings")


def check(folder):
    import openpyxl

    book = openpyxl.load_workbook(folder / "report.xlsx")
    sheets = [
        "Overview", "Queue", "Entities", "Claims", "Links", "Unclaimed", "Refund requests", "Completeness", "Metrics",
        "Retention", "Rules",
    ]
    if book.sheetnames != sheets:
        fail(f"sheets {book.sheetnames}")
    if book.properties.created != datetime.datetime(2026, 6, 30, 12, 34, 56):
        fail(f"created at {book.properties.created}")
    receipts = rows_of(folder / "receipts.ndjson")
    if not {text for text in HOSTILE if len(text) < 20} & {row["account_id"] for row in receipts}:
        fail("the hostile rows are not there")
    receipts = worst(receipts)
    check_table(book, "Claims", receipts, [])
    check_table(book, "Queue", rows_of(folder / "fraud.ndjson"), ["finding_id"])
    check_entities(book, rows_of(folder / "entities.ndjson"))
    check_table(book, "Links", rows_of(folder / "links.ndjson"), ["finding_id", "claim_id"])
    check_links(book)

    summary = book["Overview"]
    charts = len(summary._charts)
    if charts < 3:
        fail(f"Overview: {charts} charts")
    cells = [cell for row in summary.iter_rows() for cell in row if cell.value is not None]
    if any(cell.data_type == "f" for cell in cells):
        fail("Overview: a formula")
    numbers = [cell.value for cell in cells if cell.data_type == "n"]
    for row in rows_of(folder / "summary.ndjson"):
        if isinstance(row["value"], int) and row["value"] not in numbers:
            fail(f"Overview: {row} is not there")
    print(f"Overview: {charts} charts, {len(cells)} cells")


def fill(folder):
    """Decides about two findings, as an analyst does."""
    import openpyxl

    book = openpyxl.load_workbook(folder / "night.xlsx")
    sheet = book["Queue"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row, (status, note) in ((2, ("fraud", "a ring, ü")), (5, ("ok", None))):
        sheet.cell(row, columns["status"]).value = status
        sheet.cell(row, columns["note"]).value = note
    book.save(folder / "filled.xlsx")


def check_libreoffice(folder):
    csv.field_size_limit(1 << 20)
    with open(folder / "report-Claims.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    rows = worst(rows_of(folder / "receipts.ndjson"))
    if len(found) != len(rows):
        fail(f"LibreOffice shows {len(found)} rows for {len(rows)}")
    for number, (cells, row) in enumerate(zip(found, rows), start=2):
        for name, value in row.items():
            if name in DATES or isinstance(value, (list, int, float)):
                continue
            if not is_same_text(cells[name], value or ""):
                fail(f"LibreOffice, row {number}: {name} is {cells[name]!r:.80}, not {value!r:.80}")
    print(f"LibreOffice: the text of {len(rows)} rows as in NDJSON")


if __name__ == "__main__":
    what, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    {"hostile": write_hostile, "check": check, "fill": fill, "libreoffice": check_libreoffice}[what](folder)
