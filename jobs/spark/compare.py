#!/usr/bin/env python3
"""Tests that the tables of audit_spark.py, sorted, are byte for byte those of `audit run`.

    python jobs/spark/compare.py AUDIT [--master local[2]] [--quick]

AUDIT is the program. Exports are created by `audit-lab`, beside it. With --quick, one export is audited in one way.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import csv
import decimal
import gzip
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import audit_spark
from pyspark.sql import SparkSession

AS_OF = "2026-06-30T00:00:00Z"
# Rows of the summary that name the inputs.
NAMES = (b"run,input,", b"run,command,")


def claims(folder: pathlib.Path) -> list[bytes]:
    """Returns the claims of a sample as NDJSON, with the receipts embedded."""
    lines = []
    with (folder / "receipts/devices.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            receipt = folder / "receipts" / row["file"]
            if receipt.is_file():
                proof = receipt.read_bytes()
                row["receipt_data"] = (proof if proof.startswith(b"eyJ") else base64.b64encode(proof)).decode()
                del row["file"]
            lines.append(json.dumps(row, separators=(",", ":")).encode())
    return lines


def damage(lines: list[bytes]) -> list[bytes]:
    """Damages some lines (truncated, blank, not UTF-8) and adds unusual but valid contents to others."""
    damaged = list(lines)
    damaged[3] = damaged[3][:50]
    damaged[10] = b""
    damaged[11] = b" \r"
    damaged[12] = b"\xff\xfe{\t}"
    damaged[13] += b"\r"
    damaged[14] = damaged[14].replace(b"{", b'{"unknown":1,', 1)
    damaged[15] = damaged[15].replace(b'"account_id":"', b'"account_id":"=1+1\\t\\u0000\\u2028\\"', 1)
    return [*damaged[:-1], damaged[-1][:-1]]


def skewed(lines: list[bytes], count: int = 4000) -> list[bytes]:
    """Adds the same claim under `count` different accounts."""
    claim = json.loads(next(line for line in lines if b"receipt_data" in line))
    return lines + [json.dumps({**claim, "account_id": f"user-{number}"}).encode() for number in range(count)]


def tokens(folder: pathlib.Path, program: str) -> list[str]:
    """Returns the tokens of the attack suite, genuine and forged, and writes their root beside the sample's."""
    suite = folder / "attacks"
    subprocess.run([f"{program}-lab", "attacks", str(suite)], check=True, stdout=subprocess.DEVNULL)
    cases = [json.loads(path.read_bytes()) for path in sorted((suite / "cases").glob("token-*.json"))]
    control = next(case for case in cases if case["id"] == "token-control-notification")
    (folder / "tokens.cer").write_bytes(base64.b64decode(control["trust_anchors"][0]))
    proofs = [base64.b64decode(case["proof"]) for case in cases if case["as_of"] == control["as_of"]]
    return [proof.decode().strip() for proof in proofs if proof.isascii() and len(proof.split()) == 1]


class Comparison:
    """Audits exports in a folder in both ways, and compares the tables."""

    def __init__(self, program: str, folder: pathlib.Path, spark: SparkSession):
        self.program, self.folder, self.spark = program, folder, spark
        self.given = ["--policy", str(folder / "policy.yml"), "--as-of", AS_OF]
        self.roots = [str(folder / "root.cer"), str(folder / "tokens.cer")]
        self.evidence: list[str] = []
        # Options that both ways have: how the export is written.
        self.names: list[str] = []
        self.tokens = tokens(folder, program)
        self.failures = 0

    def tables(self) -> list[str]:
        """Returns the tables that are compared."""
        told = ("evidence", "unclaimed", "refund_requests")
        known = (table for table in audit_spark.columns_of(self.program) if table not in ("answers", "completeness"))
        return [table for table in known if table not in told or self.evidence]

    def options(self, root: str) -> list[str]:
        """Returns the roots under this name of the option, and the evidence."""
        words = [word for path in self.roots for word in (root, path)]
        return words + [word for path in self.evidence for word in ("--evidence", path)]

    def run(self, inputs: list[pathlib.Path]) -> pathlib.Path:
        """Audits the inputs with `audit run`, once, and returns the folder of the tables."""
        told = " told" if self.evidence else ""
        want = self.folder / f"want {' '.join(path.name for path in inputs)}{told}"
        if not want.exists():
            reports = [f"--report={table}={want}/{table}.csv" for table in self.tables()]
            given = [*self.given, *self.names, *self.options("--root"), "--quiet"]
            command = [self.program, "run", *map(str, inputs), *given, *reports]
            subprocess.run(command, check=True)
        return want

    def compare(
        self,
        name: str,
        inputs: list[pathlib.Path],
        partitions: int,
        *more: str,
        against: list[pathlib.Path] | None = None,
    ) -> None:
        """Audits both ways and compares the tables. `against`: the inputs of `audit run`, if they are others."""
        start = time.monotonic()
        want, got = self.run(against or inputs), self.folder / f"got {name}"
        paths = [str(path) for path in inputs]
        words = [word for path in paths for word in ("--input", path)]
        words += [*self.given, *self.names, *self.options("--roots")]
        words += ["--audit", self.program, "--output", str(got), "--partitions", str(partitions), *more]
        options = audit_spark.arguments(words)
        audit_spark.configure(self.spark, options)
        audit_spark.run(self.spark, options)
        self.spark.catalog.clearCache()
        for table in self.tables():
            header, *expected = (want / f"{table}.csv").read_bytes().split(b"\r\n")
            rows = b"".join(part.read_bytes() for part in sorted((got / f"{table}.csv").glob("part-*"))).split(b"\r\n")
            # README.md describes this way to write one file with a header.
            command = [self.program, "rows", table]
            output = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            if against:
                rows, expected = ([row for row in some if not row.startswith(NAMES)] for some in (rows, expected))
            stored = self.spark.read.parquet(str(got / f"{table}.parquet"))
            problem = ""
            if output.stdout != header + b"\r\n":
                problem = f"the header is {output.stdout!r}"
            elif sorted(rows) != sorted(expected):
                other = sorted(set(rows) ^ set(expected))[:4]
                problem = f"{len(rows) - 1} rows, not {len(expected) - 1}, or other ones, as {other}"
            elif not against and stored.count() != len(list(csv.reader(b"\n".join(expected).decode().split("\n")))) - 1:
                problem = "the rows in Parquet are not as many"
            elif ",".join(stored.columns) != header.decode():
                problem = f"the columns in Parquet are {stored.columns}"
            else:
                problem = self.untyped(table, want / f"{table}.csv", stored)
            if problem:
                self.failures += 1
                print(f"{name}: {table}: {problem}", flush=True)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)

    def untyped(self, table: str, want: pathlib.Path, stored) -> str:
        """Returns which column of numbers or truths in Parquet differs from that in CSV, if any does."""
        with want.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for column, kind in stored.dtypes:
            if kind != "boolean" and not kind.startswith("decimal"):
                continue
            got = sorted(str(row[0]) for row in stored.select(column).where(f"{column} is not null").collect())
            texts = [row[column] for row in rows if row[column]]
            read = [str(text == "true") if kind == "boolean" else f"{decimal.Decimal(text):.6f}" for text in texts]
            if got != sorted(read):
                return f"{column} in Parquet is {got[:4]}, not {sorted(read)[:4]}"
        return ""


def quick(comparison: Comparison) -> None:
    """Covers all features once: parts of a file, damaged lines, keys that many claims share."""
    export = comparison.folder / "all.ndjson"
    told = comparison.folder / "told"
    told.mkdir()
    (told / "tokens.jws").write_text("\n".join(comparison.tokens))
    presented = [json.dumps({"receipt_data": token, "account_id": "ana"}).encode() for token in comparison.tokens]
    export.write_bytes(b"\n".join(presented + skewed(damage(claims(comparison.folder)), 100)))
    comparison.evidence = [str(told)]
    comparison.compare("damaged and skewed, split, 2 partitions", [export], 2, "--split-bytes", "1000000")


def renamed(comparison: Comparison) -> None:
    """Covers a table whose columns have other names, and whose empty cells have a text."""
    rows = [json.loads(line) for line in claims(comparison.folder)[:40]]
    export = comparison.folder / "renamed.csv"
    with export.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["proof_of_sale", "handset", "who"])
        for row in rows:
            table.writerow([row.get(key, "none") for key in ("receipt_data", "device_id", "account_id")])
    comparison.names = ["--columns", "receipt_data=proof_of_sale,device_id=handset", "--columns", "account_id=who"]
    comparison.names += ["--null", "none"]
    comparison.compare("renamed columns", [export], 2, "--format", "csv")
    comparison.names = []


def ends(comparison: Comparison) -> None:
    """How the job ends where an input check fails, and where it cannot begin."""
    export = comparison.folder / "few.ndjson"
    export.write_bytes(b"\n".join(claims(comparison.folder)[:20]))
    given = ["--input", str(export), "--audit", comparison.program, *comparison.options("--roots"), "--partitions", "2"]
    output = comparison.folder / "few"
    policy = comparison.folder / "policy.broken.yml"
    policy.write_text("version: 1\nsurprise: 1\n")

    def end(*more: str) -> tuple[object, list[str]]:
        before = set(comparison.folder.iterdir())
        words = [*given, "--as-of", AS_OF, "--output", str(output), *more]
        try:
            options = audit_spark.arguments(words)
            audit_spark.configure(comparison.spark, options)
            code: object = audit_spark.run(comparison.spark, options)
        except audit_spark.AuditError as error:
            code = str(error)
        return code, sorted(path.name for path in set(comparison.folder.iterdir()) - before)

    wrong_policy, made = end("--policy", str(policy))
    wrong_column, _ = end("--columns", "devid=x")
    wrong_option, _ = end("--partitions", "many")
    few, written = end("--min-claims", "21", "--output-files", "1")
    again, _ = end()
    parts = list((output / "receipts.csv").glob("part-*"))
    torn = comparison.folder / "torn.ndjson.gz"
    torn.write_bytes(gzip.compress(export.read_bytes())[:-30])
    output = comparison.folder / "torn"
    given[1] = str(torn)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        damaged, _ = end()
    doubtful = comparison.folder / "doubtful.csv"
    doubtful.write_text("receipt_data,device_ids\n" + "TQ==,x\n" * 12)
    output = comparison.folder / "doubtful"
    given[1] = str(doubtful)
    doubts = io.StringIO()
    with contextlib.redirect_stderr(doubts):
        unreadable, _ = end()
    command = [comparison.program, "run", str(doubtful), "--as-of", AS_OF, *comparison.options("--root")]
    same = subprocess.run(command, capture_output=True, text=True, check=False)
    # How to see the table of evidence is said in other words. No part of an export knows that no claim has a device.
    other = ("of evidence", "looks like one")
    warned, want = (
        sorted(
            line for line in text.splitlines()
            if line.startswith("audit: warning: ") and not any(words in line for words in other))
        for text in (doubts.getvalue(), same.stderr)
    )
    expected = {
        "a wrong policy is refused": "surprise" in str(wrong_policy) and not made,
        "too few claims are told, with all tables": few == audit_spark.DOUBTFUL and written == ["few"],
        "a table has the files that it may have": len(parts) == 1,
        "an output that exists is refused": "exists already" in str(again),
        "a column that nobody knows is refused": "devid" in str(wrong_column),
        "an option that is none ends no process": "--partitions" in str(wrong_option),
        "damage is told": damaged == audit_spark.DOUBTFUL
        and "torn.ndjson.gz:" in said.getvalue()
        and "truncated" in said.getvalue()
        and "may be missing" in said.getvalue(),
        "doubtful inputs are told as a run does": unreadable == same.returncode == audit_spark.DOUBTFUL
        and warned == want
        and any("device_ids" in line for line in want),
    }
    for name, holds in expected.items():
        if not holds:
            comparison.failures += 1
            codes = [wrong_policy, few, again, wrong_column, damaged, unreadable, warned, want]
            print(f"{name}: no: {codes}, {made}, {written}", flush=True)


def pseudonyms(comparison: Comparison) -> None:
    """Covers pseudonyms, which every step must make with the same key."""
    export = comparison.folder / "pseudonyms.ndjson"
    export.write_bytes(b"\n".join(claims(comparison.folder)))
    key = comparison.folder / "key"
    key.write_bytes(bytes(32))
    key.chmod(0o600)
    comparison.names = ["--pseudonymise", str(key)]
    comparison.compare("pseudonyms", [export], 2, "--split-bytes", "400000")
    comparison.names = []


def frames(comparison: Comparison) -> None:
    """Audits a DataFrame, and compares what its tables say, but for where claims stand.

    Workers do not have the module: the folder of this file is in the path of the driver only.
    """
    export = comparison.folder / "frames.ndjson"
    kept = [line for line in claims(comparison.folder) if b"receipt_data" in line]
    export.write_bytes(b"\n".join(kept))
    comparison.evidence = []
    want = comparison.run([export])
    spark = comparison.spark
    lines = spark.read.json(str(export))
    proof = audit_spark.f.col("receipt_data")
    decoded = audit_spark.f.when(proof.startswith("eyJ"), proof.cast("binary")).otherwise(audit_spark.f.unbase64(proof))
    octets = lines.withColumn("receipt_data", decoded)
    for name, given in ("text", lines), ("octets", octets):
        got = audit_spark.audit(
            given.repartition(3), program=comparison.program, as_of=AS_OF, policy=comparison.given[1],
            roots=comparison.roots, partitions=3)
        # What is not valid is told apart by its bytes as they were given.
        claim = ["claim_id"] if name == "text" else []
        keys = {
            "receipts": ["verdict", "device_id", "account_id", *claim],
            "purchases": ["receipt_sha256", "transaction_id", "product_id", *claim],
            "entities": ["kind", "id"],
        }
        for table, key in keys.items():
            with (want / f"{table}.csv").open(newline="") as file:
                expected = [tuple(row[column] or None for column in key) for row in csv.DictReader(file)]
            rows = sorted((tuple(row) for row in got[table].select(*key).collect()), key=str)
            if rows != sorted(expected, key=str):
                comparison.failures += 1
                print(f"a DataFrame of {name}: {table}: {len(rows)} rows, not {len(expected)}, or others", flush=True)


def thorough(comparison: Comparison) -> None:
    """Covers every kind of input, each with several options."""
    folder = comparison.folder
    lines = claims(folder)
    exports = {"whole": lines, "damaged": damage(lines), "skewed": skewed(lines)}
    exports |= {"first": lines[:99], "last": lines[99:]}
    files = {name: folder / f"{name}.ndjson" for name in exports}
    for name, export in exports.items():
        files[name].write_bytes(b"\n".join(export))
    comparison.compare("whole, 1 partition", [files["whole"]], 1)
    comparison.compare("whole, split, 2 partitions", [files["whole"]], 2, "--split-bytes", "400000")
    comparison.compare("damaged, split, 7 partitions", [files["damaged"]], 7, "--split-bytes", "400000")
    comparison.compare(
        "damaged, split, through Spark", [files["damaged"]], 3, "--split-bytes", "400000", "--through-spark"
    )
    comparison.compare("skewed, 7 partitions", [files["skewed"]], 7)
    for partitions in (1, 2, 7, 64):
        name = f"skewed, split, {partitions} partitions"
        comparison.compare(name, [files["skewed"]], partitions, "--split-bytes", "5000000")
    comparison.compare("two files", [files["first"], files["last"]], 4)
    table = folder / "receipts/devices.csv"
    root = ("--root-folder", str(folder / "receipts"))
    comparison.compare("a table", [table], 5, *root)
    comparison.compare("a table, through Spark", [table], 5, "--through-spark", "--split-bytes", "5000", *root)
    array = folder / "array.txt"
    objects = [line for line in (folder / "first.ndjson").read_bytes().splitlines() if line.startswith(b"{")]
    array.write_bytes(b"[" + b",\n".join(objects) + b"]\n")
    comparison.compare("an array", [array], 5, "--split-bytes", "5000")

    compressed = [folder / f"{name}.ndjson.gz" for name in ("first", "damaged", "last")]
    for path in compressed:
        path.write_bytes(gzip.compress((folder / path.stem).read_bytes(), 1))
    comparison.compare("several compressed files", compressed, 3)
    comparison.compare("several compressed files, through Spark", compressed, 3, "--through-spark")
    packed = folder / "receipts/devices.csv.gz"
    packed.write_bytes(gzip.compress(table.read_bytes()))
    comparison.compare("a table, compressed", [packed], 2, *root)
    packed.unlink()

    # In a folder without a manifest, `audit run` takes the files in the order of their paths.
    table.unlink()
    files_below = (path for path in (folder / "receipts").rglob("*") if path.is_file())
    paths = sorted(str(path.relative_to(folder / "receipts")).encode() for path in files_below)
    lists = [folder / "paths-1.txt", folder / "paths-2.txt"]
    lists[0].write_bytes(b"".join(path + b"\n" for path in paths[:50]))
    lists[1].write_bytes(b"\n".join(paths[50:]))
    comparison.compare("lists of paths", lists, 3, "--format", "paths", *root, against=[folder / "receipts"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("audit")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--quick", action="store_true", help="audit one export in one way")
    parser.add_argument("--count", type=int, default=200, help="the number of claims of an export")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="compare.") as place:
        folder = pathlib.Path(place)
        made = [f"{options.audit}-lab", "sample", place, "--count", str(options.count), "--seed", "3", "--plants", "0.3"]
        subprocess.run(made, check=True)
        builder = SparkSession.builder.master(options.master).appName("compare")
        builder = (
            builder.config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.io.compression.codec", "zstd")
        )
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        comparison = Comparison(str(pathlib.Path(options.audit).resolve()), folder, spark)
        quick(comparison)
        renamed(comparison)
        pseudonyms(comparison)
        ends(comparison)
        frames(comparison)
        if not options.quick:
            comparison.evidence = []
            thorough(comparison)
        spark.stop()
    sys.exit(1 if comparison.failures else 0)


if __name__ == "__main__":
    main()
