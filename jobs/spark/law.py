#!/usr/bin/env python3
"""Holds Spark's tables against those of `audit run`: sorted, they must be the same, byte for byte.

    python jobs/spark/law.py AUDIT [--master local[2]]

AUDIT is the program. Exports are made up with `audit sample`.
"""

from __future__ import annotations

import argparse
import base64
import csv
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


def claims(folder: pathlib.Path) -> list[bytes]:
    """The claims of a sample as NDJSON, with the receipts in them."""
    lines = []
    with (folder / "receipts/devices.csv").open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            receipt = folder / "receipts" / row["file"]
            if receipt.is_file():
                row["receipt_data"] = base64.b64encode(receipt.read_bytes()).decode()
                del row["file"]
            lines.append(json.dumps(row, separators=(",", ":")).encode())
    return lines


def torn(lines: list[bytes]) -> list[bytes]:
    """Some lines cut short, blank, or not even text; others with what a careless reader trips over."""
    damaged = list(lines)
    damaged[3] = damaged[3][:50]
    damaged[10] = b""
    damaged[11] = b" \r"
    damaged[12] = b"\xff\xfe{\t}"
    damaged[13] += b"\r"
    damaged[14] = damaged[14].replace(b"{", b'{"unknown":1,', 1)
    damaged[15] = damaged[15].replace(b'"account_id":"', b'"account_id":"=1+1\\t\\u0000\\u2028\\"', 1)
    return [*damaged[:-1], damaged[-1][:-1]]


def skewed(lines: list[bytes]) -> list[bytes]:
    """One claim again and again, as by so many accounts."""
    claim = json.loads(next(line for line in lines if b"receipt_data" in line))
    return lines + [json.dumps({**claim, "account_id": f"user-{number}"}).encode() for number in range(4000)]


class Law:
    """Exports in a folder, and both ways to audit them."""

    def __init__(self, program: str, folder: pathlib.Path, spark: SparkSession):
        self.program, self.folder, self.spark = program, folder, spark
        self.given = ["--policy", str(folder / "policy.yml"), "--as-of", AS_OF]
        self.root = str(folder / "root.cer")
        self.failures = 0

    def hold(self, name: str, inputs: list[pathlib.Path], partitions: int, *more: str) -> None:
        start = time.monotonic()
        want, got = self.folder / f"want {name}", self.folder / f"got {name}"
        reports = [f"--report={table}={want}/{table}.csv" for table in audit_spark.TABLES]
        paths = [str(path) for path in inputs]
        command = [self.program, "run", *paths, *self.given, "--root", self.root, "--quiet", *reports]
        subprocess.run(command, check=True)
        words = [word for path in paths for word in ("--input", path)] + [*self.given, "--roots", self.root]
        words += ["--audit", self.program, "--output", str(got), "--partitions", str(partitions), *more]
        options = audit_spark.arguments(words)
        audit_spark.configure(self.spark, options)
        audit_spark.audit(self.spark, options)
        self.spark.catalog.clearCache()
        for table in audit_spark.TABLES:
            header, *expected = (want / f"{table}.csv").read_bytes().split(b"\r\n")
            rows = b"".join(part.read_bytes() for part in sorted((got / f"{table}.csv").glob("part-*"))).split(b"\r\n")
            stored = self.spark.read.parquet(str(got / f"{table}.parquet"))
            problem = ""
            if sorted(rows) != sorted(expected):
                problem = f"{len(rows) - 1} rows, not {len(expected) - 1}, or other ones"
            elif stored.count() != len(list(csv.reader(b"\n".join(expected).decode().split("\n")))) - 1:
                problem = "the rows in Parquet are not as many"
            elif ",".join(stored.columns) != header.decode():
                problem = f"the columns in Parquet are {stored.columns}"
            if problem:
                self.failures += 1
                print(f"{name}: {table}: {problem}", flush=True)
        print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("audit")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--count", type=int, default=200, help="how many claims an export has")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="law.") as place:
        folder = pathlib.Path(place)
        made = [options.audit, "sample", place, "--count", str(options.count), "--seed", "3", "--plants", "0.3"]
        subprocess.run(made, check=True)
        builder = SparkSession.builder.master(options.master).appName("law")
        builder = (
            builder.config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.io.compression.codec", "zstd")
        )
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        spark.sparkContext.addPyFile(audit_spark.__file__)
        law = Law(str(pathlib.Path(options.audit).resolve()), folder, spark)
        lines = claims(folder)
        exports = {
            "whole": lines,
            "torn": torn(lines),
            "skewed": skewed(lines),
            "first": lines[:99],
            "last": lines[99:],
        }
        files = {name: folder / f"{name}.ndjson" for name in exports}
        for name, export in exports.items():
            files[name].write_bytes(b"\n".join(export))
        law.hold("whole, 1 partition", [files["whole"]], 1)
        law.hold("whole, split, 2 partitions", [files["whole"]], 2, "--split-bytes", "400000")
        law.hold("torn, split, 7 partitions", [files["torn"]], 7, "--split-bytes", "400000")
        law.hold("torn, split, through Spark", [files["torn"]], 3, "--split-bytes", "400000", "--through-spark")
        law.hold("skewed, 64 partitions", [files["skewed"]], 64)
        law.hold("two files", [files["first"], files["last"]], 4)
        table = folder / "receipts/devices.csv"
        law.hold("a table", [table], 5, "--format", "csv", "--root-folder", str(folder / "receipts"))
        spark.stop()
    sys.exit(1 if law.failures else 0)


if __name__ == "__main__":
    main()
