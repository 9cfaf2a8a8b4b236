"""readme_check.py AUDIT [--clone] PAGE... : types the commands of pages, in their order, in a folder that has what a reader
has, and compares the output that the pages show. With --clone that is a fresh clone, the same one for all pages.

Commands are the lines of indented blocks that begin with `audit`, `make demo`, `jobs/shards.sh`, `printf` or `(umask`,
after settings of variables; others need servers, tools or rights that a test has not, and are listed. Ids that only a
reader's own data has are replaced by ids of the sample.

Three pages show output: in fences without a language, and README.md also in indented blocks that hold no command. Each
line of it must be a line that the commands before printed (those since other output was shown), after the line shown
before; spaces apart. `…` stands for any text, and lines may be left out. Durations, rates, sizes in bytes and absolute
paths may differ.
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
TYPED = re.compile(r"^(?:[A-Z]+=\S+ )*(\{ audit|audit|make demo|jobs/shards\.sh|printf|\(umask)\b")
OTHER = re.compile(r"^(?:[A-Z_]+=\S+ )*(make(?! demo)|audit run (?:mongo|postgres)|sudo|psql|mariadb|\{ audit .*hdfs dfs|(?:venv/bin/)?spark-submit|python3|sqlite3|datasette|duckdb|systemctl|Benchmarks/\S+|"
                   r"Tests/\S+|jq|bq|mongoexport|aws|chromium)\b")
# The example of an id in the pages, and where the sample has one: the table and column, and how it must begin.
IDS = {
    "5a0c1d3b9c7e4f21aa10b2c3": ("fraud", "finding_id", ""),
    "account:user-17": ("fraud", "subject", "account:"),
    "account:alice": ("fraud", "subject", "account:"),
    "6FAF1B5A-2C4B-4F8E-9C57-0E2C5A1D3B44": ("receipts", "device_id", ""),
    "1c0f5d8e2a4b6c7d8e9f0a1b": ("receipts", "claim_id", ""),
}
# The pages whose shown output is compared; what others show is of programs that are not typed.
SHOWING = [TOP / name for name in ("README.md", "docs/guide.md", "jobs/README.md")]
SERVICE = pathlib.Path("/var/lib/receipt-audit/reports")


# What differs from run to run.
VARYING = [(re.compile(pattern), by) for pattern, by in [
    (r"\b[\d,.]+ (seconds|s|ms|minutes|[KMGT]i?B|claims per second|per second)(?!\w)", r"… \1"),
    (r"(?<!\S)/\S*/", "…/"),
]]


class Shown:
    """Lines that a page shows as the output of the commands before."""

    def __init__(self, lines):
        self.lines = lines

    def missing(self, printed):
        """The first line that was not printed after the one before, or None."""
        place, printed = 0, [plain(line) for line in printed.splitlines()]
        for line in map(plain, self.lines):
            if line in ("", "…"):
                continue
            wanted = re.compile(".*".join(map(re.escape, line.split("…"))))
            found = next((i for i in range(place, len(printed)) if wanted.fullmatch(printed[i])), None)
            if found is None:
                return line
            place = found + 1
        return None


def plain(line):
    """A line without what differs from run to run."""
    line = " ".join(line.split())
    for pattern, by in VARYING:
        line = pattern.sub(by, line)
    return line


def blocks(page):
    """The blocks of a page: the language of each, None if it is indented, and its lines."""
    language, lines = "", None
    for line in page.read_text().splitlines() + [""]:
        if lines is not None and language is not None:
            if line.startswith("```"):
                yield language, lines
                lines = None
            else:
                lines.append(line)
        elif line.startswith("```"):
            language, lines = line[3:].strip(), []
        elif line.startswith("    "):
            language, lines = None, (lines or []) + [line.strip()]
        elif lines is not None and not line:
            yield language, lines
            lines = None


def steps(page):
    """The commands of a page, each whole, and the output that it shows, in their order; and the commands not typed."""
    typed, left = [], []
    for language, lines in blocks(page):
        if language == "" and page in SHOWING:
            typed.append(Shown(lines))
        if language is not None:
            continue
        whole = "\n".join(lines).replace("\\\n", "").splitlines()
        known = [command for command in whole if OTHER.match(command) or TYPED.match(command)]
        left += [command for command in known if OTHER.match(command)]
        typed += [command for command in known if not OTHER.match(command)]
        if not known and page == TOP / "README.md":
            typed.append(Shown(lines))
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
        # For `make demo`, which would build both programs.
        shutil.copy(TOP / "Makefile", folder)
        self.link(audit)
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
        shutil.rmtree(SERVICE, ignore_errors=True)
        SERVICE.mkdir(parents=True)
        for name in "receipts", "notifications", "api-answers":
            shutil.copytree(folder / name, pathlib.Path("/srv") / name)
        for night in "2026-06-29", "2026-06-30":
            for reports in pathlib.Path("/srv/reports"), SERVICE:
                self.run(f"REPORTS={reports} audit run --job nightly.yml --as-of {night}", "a night")
        # The export that the page is about.
        is_table = any("run export.ndjson" in step for step in typed if isinstance(step, str))
        export = "export.ndjson" if is_table else "receipts"
        self.run(f"audit run {export} --report own/receipts.csv --report fraud=own/fraud.csv --report report.xlsx", "a run")
        # The ledgers of a reader who has run audits before, unlike that of the guide.
        if "audit-lab demo" not in typed:
            (folder / "ledger").mkdir(mode=0o700)
            for ledger in "ledger.db", "ledger/ledger.db":
                self.run(f"audit run {export} --state {ledger} --report own/receipts.csv", "a run")
        self.ids = {name: self.id(*where) for name, where in IDS.items()} | {"--run 17": "--run 1"}

    @classmethod
    def clone(cls, audit, folder):
        """The folder of somebody who begins: a fresh clone, in which the programs are built and installed."""
        desk = cls.__new__(cls)
        desk.folder, desk.ids = folder / "clone", {}
        desk.environment = os.environ | {"PATH": f"{audit.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        shutil.copytree(TOP, desk.folder, symlinks=True, ignore=shutil.ignore_patterns(".git", ".build*", "demo", "corpus"))
        desk.link(audit)
        return desk

    def link(self, audit):
        """Puts the programs where `make demo` builds them."""
        (self.folder / ".build/debug").mkdir(parents=True)
        for name in "audit", "audit-lab":
            (self.folder / ".build/debug" / name).symlink_to(audit.with_name(name))

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
        """Types a command; returns what it printed, and what is wrong if it failed."""
        command = re.sub(r"^make demo\b", "make --silent --old-file=build demo", command)
        for name, own in getattr(self, "ids", {}).items():
            command = command.replace(name, own)
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        printed = done.stdout.decode(errors="replace")
        # 1: findings, or an invalid proof. Without the sample's root, as the pages type it, no evidence counts.
        is_untrusted = done.returncode == 3 and re.search(r"no evidence counts, .* for chain-untrusted", printed)
        if done.returncode in (0, 1) or is_untrusted:
            return printed, None
        text = f"{what}: {command}\n  exit code {done.returncode}: {printed[-600:]}"
        if not hasattr(self, "ids"):
            sys.exit(text)
        return printed, text


def type_all(desk, page, typed):
    """Types the commands of a page; returns how many, how many outputs were compared, and what is wrong."""
    failures, compared, since, was_shown = [], 0, "", False
    for step in typed:
        if isinstance(step, Shown):
            compared, was_shown = compared + 1, True
            line = step.missing(since)
            problem = f"{page}: shown and not printed: {line}" if line else None
        else:
            printed, problem = desk.run(step, str(page))
            since, was_shown = (printed if was_shown else since + printed), False
        if problem:
            failures.append(problem)
            print(problem, flush=True)
    return len(typed) - compared, compared, failures


def main():
    audit = pathlib.Path(sys.argv[1]).resolve()
    is_clone = sys.argv[2] == "--clone"
    failures, count, compared, left, desk = [], 0, 0, [], None
    with tempfile.TemporaryDirectory(prefix="readme-check.") as place:
        for page in [TOP / name for name in sys.argv[3 if is_clone else 2:]]:
            typed, others = steps(page)
            page = page.relative_to(TOP)
            left += [f"{page}: {command}" for command in others]
            if is_clone:
                desk = desk or Desk.clone(audit, pathlib.Path(place))
            else:
                for name in pathlib.Path("/srv").iterdir():
                    shutil.rmtree(name)
                desk = Desk(audit, pathlib.Path(tempfile.mkdtemp(dir=place)), typed)
            done = type_all(desk, page, typed)
            count, compared, failures = count + done[0], compared + done[1], failures + done[2]
    print(f"{count} commands typed, {compared} outputs compared, {len(failures)} wrong; {len(left)} not typed:")
    for command in left:
        print("  " + shlex.join([command])[1:-1][:140])
    sys.exit(1 if failures else 0)


main()
