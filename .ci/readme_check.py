"""readme_check.py AUDIT PAGE... : types the commands of pages, in their order, in a folder that has what a reader has.

Commands are the lines of indented blocks that begin with `audit`, `jobs/shards.sh`, `printf` or `(umask`, after settings
of variables; others need servers, tools or rights that a test has not, and are listed. Ids that only a reader's own data
has are replaced by ids of the sample.
"""

import base64
import csv
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
TYPED = re.compile(r"^(?:[A-Z]+=\S+ )*(\{ audit|audit|jobs/shards\.sh|printf|\(umask)\b")
OTHER = re.compile(r"^(?:[A-Z_]+=\S+ )*(make|sudo|psql|mariadb|\{ audit .*hdfs dfs|(?:venv/bin/)?spark-submit|python3|sqlite3|datasette|duckdb|systemctl|Benchmarks/\S+|"
                   r"Tests/\S+|jq|bq|mongoexport|aws|chromium)\b")
# The example of an id in the pages, and where the sample has one: the table and column, and how it must begin.
IDS = {
    "5a0c1d3b9c7e4f21aa10b2c3": ("fraud", "finding_id", ""),
    "account:user-17": ("fraud", "subject", "account:"),
    "account:alice": ("fraud", "subject", "account:"),
    "6FAF1B5A-2C4B-4F8E-9C57-0E2C5A1D3B44": ("receipts", "device_id", ""),
    "1c0f5d8e2a4b6c7d8e9f0a1b": ("receipts", "claim_id", ""),
}


def commands(page):
    """The commands of a page, each whole, and those that are not typed."""
    typed, left, whole = [], [], ""
    for line in page.read_text().splitlines():
        if not line.startswith("    ") and not whole:
            continue
        whole += line.strip()
        if whole.endswith("\\"):
            whole = whole[:-1]
            continue
        if OTHER.match(whole):
            left.append(whole)
        elif TYPED.match(whole):
            typed.append(whole)
        whole = ""
    return typed, left


class Desk:
    """A folder with an export, evidence, a policy, a job and its ledger, and the jobs of this repository."""

    def __init__(self, audit, folder, typed):
        self.folder = folder
        self.environment = os.environ | {
            "PATH": f"{audit.parent}:{os.environ['PATH']}", "EXPORT": "/srv/receipts", "REPORTS": "/srv/reports",
            "LC_ALL": "C.UTF-8", "AUDIT": str(audit), "USER": "anna", "LOGNAME": "anna",
        }
        self.run("audit-lab sample sample --count 300 --seed 1 --plants 0.3", "sample")
        sample = folder / "sample"
        shutil.copytree(TOP / "jobs", folder / "jobs")
        shutil.copytree(sample / "receipts", folder / "receipts")
        for name in "policy.yml", "root.cer":
            shutil.copy(sample / name, folder / name)
        for name in "nightly.yml", "policy.example.yml":
            shutil.copy(TOP / "jobs" / name, folder / name)
        for name in "notifications", "api-answers":
            (folder / name).mkdir()
            shutil.copy(sample / "evidence.ndjson", folder / name / "1.ndjson")
        shutil.copy(sample / "evidence.ndjson", folder / "notifications.ndjson")
        self.tables(sample / "receipts")
        pathlib.Path("/srv").joinpath("reports").mkdir()
        for name in "receipts", "notifications", "api-answers":
            shutil.copytree(folder / name, pathlib.Path("/srv") / name)
        for night in "2026-06-29", "2026-06-30":
            self.run(f"audit run --job nightly.yml --as-of {night}", "a night")
        # The export that the page is about.
        export = "export.ndjson" if any("run export.ndjson" in command for command in typed) else "receipts"
        self.run(f"audit run {export} --report own/receipts.csv --report fraud=own/fraud.csv", "a run")
        self.ids = {name: self.id(*where) for name, where in IDS.items()}

    def tables(self, receipts):
        """Writes the export as tables, with the proofs in them, and one receipt and one token by themselves."""
        rows = []
        with (receipts / "devices.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                path = receipts / row.pop("file")
                if path.is_file():
                    octets = path.read_bytes()
                    text = octets.decode() if octets.startswith(b"eyJ") else base64.b64encode(octets).decode()
                    rows.append({**row, "receipt_data": text})
        with (self.folder / "export.csv").open("w", newline="") as file:
            table = csv.DictWriter(file, rows[0].keys())
            table.writeheader()
            table.writerows(rows)
        (self.folder / "export.ndjson").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (self.folder / "mariadb.tsv").write_text("receipt_data\tvendor_id\n" + rows[0]["receipt_data"] + "\tNULL\n")
        tokens = [row["receipt_data"] for row in rows if row["receipt_data"].startswith("eyJ")]
        proofs = [row["receipt_data"] for row in rows if row["receipt_data"].startswith("MI")]
        (self.folder / "receipt.der").write_bytes(base64.b64decode(proofs[0]))
        (self.folder / "transaction.jws").write_text(tokens[0])
        (self.folder / "tokens").mkdir()
        (self.folder / "tokens/1.jws").write_text(tokens[0])
        # What the Spark job leaves of a table.
        parts = self.folder / "audited/receipts.csv"
        parts.mkdir(parents=True)
        for part in range(2):
            (parts / f"part-0000{part}").write_text("")

    def id(self, table, column, prefix):
        with (self.folder / f"own/{table}.csv").open(newline="") as file:
            found = [row[column] for row in csv.DictReader(file) if row[column]]
        # Without the sample's root, as the pages type it, no receipt is genuine, and no account is accused.
        return next((value for value in found if value.startswith(prefix)), found[0])

    def run(self, command, what):
        """Types a command; returns what it said if it failed."""
        for name, own in getattr(self, "ids", {}).items():
            command = command.replace(name, own)
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        # 1: findings, or an invalid proof.
        if done.returncode in (0, 1):
            return None
        text = f"{what}: {command}\n  exit code {done.returncode}: {done.stdout.decode(errors='replace')[-600:]}"
        if not hasattr(self, "ids"):
            sys.exit(text)
        return text


def main():
    audit = pathlib.Path(sys.argv[1]).resolve()
    pages = [TOP / name for name in sys.argv[2:]]
    failures, count, left = [], 0, []
    for page in pages:
        typed, others = commands(page)
        left += [f"{page.relative_to(TOP)}: {command}" for command in others]
        for name in pathlib.Path("/srv").iterdir():
            shutil.rmtree(name)
        with tempfile.TemporaryDirectory(prefix="readme-check.") as place:
            desk = Desk(audit, pathlib.Path(place), typed)
            for command in typed:
                count += 1
                problem = desk.run(command, str(page.relative_to(TOP)))
                if problem:
                    failures.append(problem)
                    print(problem, flush=True)
    print(f"{count} commands typed, {len(failures)} failed; {len(left)} not typed:")
    for command in left:
        print("  " + shlex.join([command])[1:-1][:140])
    sys.exit(1 if failures else 0)


main()
